"""Counts of a batch: statuses, and findings by path and kind, as a table and as a page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import get_args

import orjson
from pydantic import TypeAdapter
from typing_extensions import TypedDict

from ..errors import BatchError, needs
from ..escaping import encodable
from ..findings import MAX_SHOWN
from ..packing import reason_of
from .folder import counts_path, finished_parts, read_manifest
from .rows import Status

with needs("rich", "arrow"):
    from rich.bar import Bar
    from rich.console import Console, Group, RenderableType
    from rich.table import Column, Table
    from rich.text import Text

MAX_PATHS = 1000
"""Paths with their kinds that are counted separately. The keys of a map could make any number of them."""

MAX_LISTED = 25
"""Paths with their kinds in a table, the most frequent ones."""

OTHERS = "..."
"""The path of those that are not counted separately."""

GOOD: frozenset[str] = frozenset({"ok", "repaired"})
"""The statuses of rows with all their data. A row with another one has failed."""

Places = Counter[tuple[str, str]]
"""How often something was found, by its path, with `[*]` for each index, and its kind."""

_INDEX = re.compile(r"\[[0-9]+\]")


class _Counts(TypedDict):
    bytes: int  # of the part, which shows one that broke off
    statuses: dict[str, int]
    problems: list[tuple[str, str, int]]
    repairs: list[tuple[str, str, int]]
    failures: list[str]
    seconds: float


_COUNTS = TypeAdapter(_Counts)


@dataclass(frozen=True)
class BatchReport:
    """Counts of a batch, or of some of its parts.

    As text and as a page it has tables with bars, and rich prints them in colours.

    Attributes:
        statuses: The number of rows of each status.
        problems: The number of problems of each path and kind, with `[*]` for an index: `("$.parts[*].points",
            "invalid")`. There are at most `MAX_PATHS`; what is left has the path `...`.
        repairs: The same of repairs.
        failures: The first rows that failed, a sentence for each.
        seconds: The time that reading and writing took, summed over the processes.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    problems: Places = field(default_factory=Counter)
    repairs: Places = field(default_factory=Counter)
    failures: Sequence[str] = ()
    seconds: float = 0.0

    @classmethod
    def of(cls, folder: str | Path) -> BatchReport:
        """Return the report of a folder that `parse_files` writes or wrote. Reads the counts, not the parts.

        Args:
            folder: The folder. The run need not have finished.

        Returns:
            The counts of the parts that are there.

        Raises:
            BatchError: It is not such a folder.
        """
        read_manifest(folder)
        return sum((cls.of_part(part) for part in finished_parts(Path(folder)).values()), cls())

    @property
    def rows(self) -> int:
        return self.statuses.total()

    @property
    def failed(self) -> int:
        """The number of rows without data or with a problem."""
        return sum(count for status, count in self.statuses.items() if status not in GOOD)

    @property
    def rows_per_second(self) -> float:
        """The rows that one process reads and writes in a second."""
        return self.rows / self.seconds if self.seconds else 0.0

    def __add__(self, other: BatchReport) -> BatchReport:
        return BatchReport(
            self.statuses + other.statuses,
            _bounded(self.problems + other.problems),
            _bounded(self.repairs + other.repairs),
            [*self.failures, *other.failures][:MAX_SHOWN],
            self.seconds + other.seconds,
        )

    # As text

    def __str__(self) -> str:
        console = Console(file=StringIO(), width=100, color_system=None)
        with console.capture() as written:
            console.print(self)
        return "\n".join(line.rstrip() for line in written.get().rstrip().splitlines())

    def __rich__(self) -> RenderableType:
        speed = f"; {self.rows_per_second:,.0f} a second and process" if self.seconds else ""
        heading = f"{self.rows:,} rows, {self.failed:,} failed{speed}"
        return Group(Text(heading), *self._tables())

    def to_html(self) -> str:
        """Return the report as a page that needs no other file."""
        console = Console(file=StringIO(), width=100, record=True)
        console.print(self)
        return console.export_html(code_format=_PAGE)

    def _tables(self) -> Iterator[Table]:
        statuses = [((status,), self.statuses[status]) for status in reversed(get_args(Status))]
        yield _table("Rows", ("status",), [row for row in statuses if row[1]], self.rows)
        for title, found in (("Problems", self.problems), ("Repairs", self.repairs)):
            listed = found.most_common(MAX_LISTED)
            more = found.total() - sum(count for _place, count in listed)
            rows = [*listed, *([((OTHERS, ""), more)] if more else [])]
            if rows:
                yield _table(title, ("path", "kind"), rows, found.total())

    # As a file beside a part

    @classmethod
    def of_part(cls, part: Path) -> BatchReport:
        """Reads the counts of a part, which must be as long as it was."""
        path, hint = counts_path(part), f"delete {part.name} to have it written again"
        try:
            held = _COUNTS.validate_json(path.read_bytes())
        except (OSError, ValueError) as error:
            raise BatchError(f"the counts of a part cannot be read: {reason_of(error)}; {hint}", str(path)) from error
        if part.stat().st_size != held["bytes"]:
            found = f"{part.stat().st_size:,} bytes and had {held['bytes']:,}"
            raise BatchError(f"is damaged: it has {found}; {hint}", str(part))
        problems, repairs = (
            Counter({(path, kind): count for path, kind, count in found})
            for found in (held["problems"], held["repairs"])
        )
        return cls(Counter(held["statuses"]), problems, repairs, held["failures"], held["seconds"])

    def to_json(self, size: int) -> bytes:
        """Writes what `of_part` reads, with the size of the part in bytes."""
        held: _Counts = {
            "bytes": size,
            "statuses": self.statuses,
            "problems": [(*place, count) for place, count in self.problems.items()],
            "repairs": [(*place, count) for place, count in self.repairs.items()],
            "failures": list(self.failures),
            "seconds": self.seconds,
        }
        return orjson.dumps(held)


def places(found: Iterable[tuple[str, str]]) -> Places:
    """Counts findings by their paths and kinds."""
    return _bounded(Counter((_INDEX.sub("[*]", encodable(path)), kind) for path, kind in found))


def _bounded(found: Places) -> Places:
    if len(found) <= MAX_PATHS:
        return found
    ranked = found.most_common()
    kept: Places = Counter(dict(ranked[:MAX_PATHS]))
    for (_path, kind), count in ranked[MAX_PATHS:]:
        kept[OTHERS, kind] += count
    return kept


def _table(title: str, heads: Sequence[str], rows: Sequence[tuple[tuple[str, ...], int]], total: int) -> Table:
    numbers = (Column(name, justify="right") for name in ("count", "share"))
    table = Table(*heads, *numbers, "", title=title, title_justify="left", box=None)
    most = max((count for _cells, count in rows), default=0)
    for cells, count in rows:
        # A path may hold a key of the reply, and must not steer the terminal.
        shown = [Text("".join(letter if letter.isprintable() else "\ufffd" for letter in cell)) for cell in cells]
        table.add_row(*shown, f"{count:,}", f"{count / total:.1%}", Bar(most, 0, count, width=20, color="#3b7dd8"))
    return table


_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Batch report</title>
<style>:root {{ color-scheme: light dark; font-family: system-ui, sans-serif }} pre {{ overflow-x: auto }} {stylesheet}
span {{ background: none !important }}</style>
<main><h1>Batch report</h1>
<pre tabindex="0">{code}</pre></main>
</html>
"""
"""The page around what rich makes of a report, in the reader's colours."""
