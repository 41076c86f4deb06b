"""Replies with the data that they say, as rows of JSON by topic: the judge of any reader.

A row has a type (`model`, an expression in the names of `models.py`, or a `definition`), maybe the `name` of its root,
the `reply`, maybe `options` of `parse` and the `examples` of the prompt, and the result: `data`, the paths of the
`problems` beside it, or `no_answer`. `note` says what the row is about, `rule` the policy that changed it. The rows in
`gone/` are of forms that the reader does not read: they only have to be "not silent". `wrong.json` names the rows that
are known to be read wrongly without a problem.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
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
    """The data and the paths of the problems that a reader found in a reply."""

    data: Any
    problems: frozenset[str]
    found: bool = True


Read = Callable[[StructuredResponse[Any], Row], Outcome]


def rows_in(folder: Path) -> dict[str, list[Row]]:
    """Returns the rows of each topic in a folder."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.glob("*.json"))
        if path != _WRONG
    }


ROWS: dict[str, list[Row]] = rows_in(HERE)
"""The rows by topic."""

GONE: dict[str, list[Row]] = rows_in(HERE / "gone")
"""The rows of forms that the reader does not read, by topic."""

WRONG: list[dict[str, str]] = json.loads(_WRONG.read_text(encoding="utf-8"))
"""The topic (`gone/x` for one in `gone/`) and digest of each row that is read wrongly without a problem, and why."""


def digest(row: Row) -> str:
    """Returns the hash of a row for `wrong.json`."""
    return sha256(json.dumps(row, ensure_ascii=False).encode(errors="backslashreplace")).hexdigest()[:12]


@cache
def _of_type(expression: str, name: str | None) -> StructuredResponse[Any]:
    return StructuredResponse.from_type(eval(expression, vars(models)), name)


def response_of(row: Row) -> StructuredResponse[Any]:
    """Returns the empty response that asks for the type of a row."""
    if "definition" in row:
        return StructuredResponse.from_definition(row["name"], row["definition"])
    return _of_type(row["model"], row.get("name"))


def outcome(response: StructuredResponse[Any], row: Row) -> Outcome:
    """Returns what `StructuredResponse.parse` makes of the reply of a row."""
    try:
        examples = row["examples"]["examples"] if "examples" in row else ()
        read = response.parse(row["reply"], strict=False, examples=examples, **row.get("options", {}))
    except ReplyError as error:
        return Outcome(None, frozenset(problem.path for problem in error.problems), found=False)
    return Outcome(read.to_dict(), frozenset(problem.path for problem in read.problems))


def verdict(row: Row, read: Read = outcome) -> Verdict:
    """Returns whether a reader is right about a row.

    It is silently wrong if its data differs at a path without a problem there, above it or below it.
    """
    return judged(row, read(response_of(row), row))


def judged(row: Row, got: Outcome) -> Verdict:
    """Returns the verdict on an outcome."""
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
    """Returns the steps of a path from the root: `$.parts[0].points` is `("parts", "0", "points")`."""
    return tuple(index or name or key for index, name, key in _STEP.findall(path.removeprefix("$")))


def differences(meant: Any, got: Any, path: Steps = ()) -> Iterator[Steps]:
    """Yields the deepest paths at which two pieces of data differ. NaN is like NaN, 1 is neither true nor 1.0."""
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
    return type(meant) is type(got) and (meant == got or repr(meant) == repr(got) == "nan")


def _near(path: Steps, others: set[Steps]) -> bool:
    """Returns whether one of the others is the path, above it or below it."""
    return any(path[: len(other)] == other[: len(path)] for other in others)
