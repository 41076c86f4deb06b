"""Replies with the data that they say, as rows of JSON by topic: the judge of any reader.

A row has the type that was asked for (`model`, an expression in the names of `models.py`, or a `definition`), maybe the
`name` it is asked for by, the `reply`, maybe `options` of `parse` and `examples` that the prompt showed, and what is to
come of it: `data`, the paths of `problems` beside it, or `no_answer`. `note` names the test that a row was, `rule` the
policy that changed it. The rows in `gone/` are about leniencies that were given up or that the reader has not: of them
only "not silent" is asked. `wrong.json` names the rows that are known to be read wrongly without a problem.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from math import isnan
from pathlib import Path
from typing import Any, Literal, NamedTuple

from structured_response import ReplyError, StructuredResponse

from . import models

__all__ = [
    "GONE",
    "ROWS",
    "WRONG",
    "Outcome",
    "differences",
    "digest",
    "judged",
    "outcome",
    "response_of",
    "rows_in",
    "verdict",
]

Row = dict[str, Any]
Verdict = Literal["right", "silent", "other"]
Steps = tuple[str, ...]

HERE = Path(__file__).parent
_WRONG = HERE / "wrong.json"
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)|\[([^\]]*)\]")


class Outcome(NamedTuple):
    """What a reader made of a reply; no data at all is a problem at the root."""

    data: Any
    problems: frozenset[str]
    found: bool = True


Read = Callable[[StructuredResponse[Any], Row], Outcome]


def rows_in(folder: Path) -> dict[str, list[Row]]:
    """The rows of each topic in a folder."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.json"))
        if path != _WRONG
    }


ROWS: dict[str, list[Row]] = rows_in(HERE)
"""The rows by topic."""

GONE: dict[str, list[Row]] = rows_in(HERE / "gone")
"""Rows of leniencies that were given up or that the reader has not, by topic."""

WRONG: list[dict[str, str]] = json.loads(_WRONG.read_text(encoding="utf-8"))
"""The topic (`gone/x` for one in `gone/`) and digest of each row that is read wrongly without a problem, and why."""


def digest(row: Row) -> str:
    """What `wrong.json` knows a row by."""
    return sha256(json.dumps(row, ensure_ascii=False).encode(errors="backslashreplace")).hexdigest()[:12]


@cache
def _of_type(expression: str, name: str | None) -> StructuredResponse[Any]:
    return StructuredResponse.from_type(eval(expression, vars(models)), name)


def response_of(row: Row) -> StructuredResponse[Any]:
    """The response that asks for what a row does."""
    if "definition" in row:
        return StructuredResponse.from_definition(row["name"], row["definition"])
    return _of_type(row["model"], row.get("name"))


def outcome(response: StructuredResponse[Any], row: Row) -> Outcome:
    """What `StructuredResponse.parse` makes of the reply of a row."""
    try:
        examples = row["examples"]["examples"] if "examples" in row else ()
        read = response.parse(row["reply"], strict=False, examples=examples, **row.get("options", {}))
    except ReplyError as error:
        return Outcome(None, frozenset(problem.path for problem in error.problems), found=False)
    return Outcome(read.to_dict(), frozenset(problem.path for problem in read.problems))


def verdict(row: Row, read: Read = outcome) -> Verdict:
    """Whether a reader is right about a row; `silent` where it has other data than meant at a path at which, above or
    below which, it names no problem.
    """
    return judged(row, read(response_of(row), row))


def judged(row: Row, got: Outcome) -> Verdict:
    """The verdict on what was made of the reply of a row."""
    if not got.found or row.get("no_answer"):
        if not got.found:
            return "right" if row.get("no_answer") else "other"
        return "other" if got.problems else "silent"
    meant = {steps(path) for path in row.get("problems", ())}
    named = {steps(path) for path in got.problems}
    wrong = [path for path in differences(row["data"], got.data) if not _near(path, meant)]
    lost = [path for path in meant if not _near(path, named)]
    if not wrong and meant == named:
        return "right"
    return "silent" if lost or any(not _near(path, named) for path in wrong) else "other"


def steps(path: str) -> Steps:
    """The steps of a path from the root: `$.parts[0].points` is `("parts", "0", "points")`."""
    return tuple(index or name or key for index, name, key in _STEP.findall(path.removeprefix("$")))


def differences(meant: Any, got: Any, path: Steps = ()) -> Iterator[Steps]:
    """The deepest paths at which two pieces of data are not the same. NaN is like NaN, 1 is not like true."""
    if isinstance(meant, dict) and isinstance(got, dict):
        for key in meant.keys() | got.keys():
            if key in meant and key in got:
                yield from differences(meant[key], got[key], (*path, key))
            else:
                yield (*path, key)
    elif isinstance(meant, list) and isinstance(got, list) and len(meant) == len(got):
        for index, (one, other) in enumerate(zip(meant, got, strict=True)):
            yield from differences(one, other, (*path, str(index)))
    elif not _same(meant, got):
        yield path


def _same(meant: Any, got: Any) -> bool:
    if isinstance(meant, bool) or isinstance(got, bool):
        return meant is got
    both = isinstance(meant, float) and isinstance(got, float)
    return bool(meant == got or (both and isnan(meant) and isnan(got)))


def _near(path: Steps, others: set[Steps]) -> bool:
    """Whether one of the others is the path, above it or below it."""
    return any(path[: len(other)] == other[: len(path)] for other in others)
