"""What was read -> the answer: typed by the definition, judged by the model, with every error as a problem."""

from __future__ import annotations

from typing import Any

from pydantic_core import ValidationError

from ..definition import Path, Plan, show_path
from ..findings import ProblemKind
from ..models import judge
from ..validate import errors_of, explained, node_at, typed
from .how import How
from .items import Dropped, item_of
from .quick import Answer
from .reading import Reading

__all__ = ["KEPT", "judged_answer", "with_none"]


def judged_answer(plan: Plan, reading: Reading, how: How) -> Answer:
    """The answer that a reading gives, typed and judged; what is wrong holds None (a str its text)."""
    dropped = Dropped()
    data, model = _judged(plan, reading, _typed(plan, reading), how, dropped)
    while how.on_bad_item == "drop" and dropped.drop(plan, reading, data):
        data, model = _judged(plan, reading, data, how, dropped)
    truncated = None if reading.truncated is None else show_path(reading.truncated)
    model = None if reading.problems else model
    answer = Answer(data, True, model, reading.repairs, reading.problems, truncated=truncated)
    if how.on_bad_item == "keep" and not reading.overflowed:
        answer.is_tolerated = all(item_of(plan, path) is not None for path in reading.bad)
    return answer


def _judged(plan: Plan, reading: Reading, data: Any, how: How, dropped: Dropped) -> tuple[Any, Any]:
    """The data, with None where the model refuses a scalar, and the model's instance where it refuses nothing."""
    try:
        return data, judge(plan)(data, how.context)
    except ValidationError as error:
        return _note(plan, reading, data, error, dropped), None


def _typed(plan: Plan, reading: Reading) -> Any:
    """The tree with its texts typed. None takes the place of what cannot be typed, which `_note` has recorded."""
    try:
        return typed(plan).validate_python(reading.tree)
    except ValidationError as error:
        tree = _note(plan, reading, reading.tree, error, Dropped())
        for path, _detail in errors_of(plan, error):
            tree = with_none(tree, path)
        return typed(plan).validate_python(tree)


def _note(plan: Plan, reading: Reading, data: Any, error: ValidationError, dropped: Dropped) -> Any:
    """Puts the errors of a validation on record, and None in place of the scalars that they name."""
    for found, detail in errors_of(plan, error, reading.chosen):
        path = dropped.place(found)
        kind, message, said = explained(detail)
        if path not in reading.around_bad:  # else it follows from what is wrong in there
            reading.problem(kind, path, message, reading.place(path), said)
        elif path not in reading.bad:
            continue
        node = node_at(plan.root, path) if kind is ProblemKind.INVALID else None
        if node is not None and node.kind not in KEPT:
            data = with_none(data, found)
    return data


KEPT = ("str", "dict", "list", "map", "tuple")
"""Kinds whose invalid values stay in the data: texts, and what holds other values."""


def with_none(data: Any, path: Path) -> Any:
    """The data with None at a path; changed in place."""
    if not path:
        return None
    holder = data
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = None
    return data
