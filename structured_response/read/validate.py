"""The data of an account becomes an answer: typed by the definition, validated by the model, each error a problem."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import Any, cast

from pydantic_core import ValidationError

from ..data.model import validate_model
from ..data.validators import errors_of, explained, node_at
from ..definition import Node, Path, Plan, show_path
from ..findings import ProblemKind, RepairKind
from ..options import ParseOptions
from .account import Account
from .answer import Answer

__all__ = ["KEPT", "item_of", "validated", "with_none"]


def validated(plan: Plan, account: Account, options: ParseOptions) -> Answer:
    """The answer that an account gives, typed and validated; what is wrong holds None (a str its text)."""
    dropped = Dropped()
    data, model = _checked(plan, account, account.tree, options, dropped)
    while options.on_bad_item == "drop" and dropped.drop(plan, account, data):
        data, model = _checked(plan, account, data, options, dropped)
    truncated = None if account.truncated is None else show_path(account.truncated)
    model = None if account.problems else model
    answer = Answer(data, True, model, account.repairs, account.problems, truncated=truncated)
    if options.on_bad_item == "keep" and not account.overflowed:
        answer.is_tolerated = all(item_of(plan, path) is not None for path in account.bad)
    return answer


def _checked(plan: Plan, account: Account, data: Any, options: ParseOptions, dropped: Dropped) -> tuple[Any, Any]:
    """The data, with None where the model refuses a scalar, and the model's instance where it refuses nothing."""
    try:
        return data, validate_model(plan)(data, options.context)
    except ValidationError as error:
        return _note(plan, account, data, error, dropped), None


def _note(plan: Plan, account: Account, data: Any, error: ValidationError, dropped: Dropped) -> Any:
    """Puts the errors of a validation on record, and None in place of the scalars that they name."""
    for found, detail in errors_of(plan, error, account.chosen):
        path = dropped.place(found)
        kind, message, said = explained(detail)
        if path not in account.around_bad:  # else it follows from what is wrong in there
            account.problem(kind, path, message, account.place(path), said)
        elif path not in account.bad:
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


def item_of(plan: Plan, path: Path) -> Path | None:
    """The innermost item of a list that holds the value at a path, or is it; None where no list is around it."""
    for end in range(len(path), 0, -1):
        if isinstance(path[end - 1], int) and not _is_tuple(node_at(plan.root, path[: end - 1])):
            return path[:end]
    return None


def _is_tuple(node: Node | None) -> bool:
    return node is not None and any(option.kind == "tuple" for option in (node, *node.options().values()))


class Dropped:
    """The items that were left out of the data. Findings go by the items' places in the reply, data by what is left:
    `kept` has the places of the items that are left, for each list that lost some.
    """

    def __init__(self) -> None:
        self.kept: dict[Path, list[int]] = {}

    def place(self, path: Path) -> Path:
        """The path in the reply of a value that has a path in the data."""
        made: Path = ()
        for step in path:
            kept = self.kept.get(made)
            made += (kept[step] if kept is not None and isinstance(step, int) else step,)
        return made

    def drop(self, plan: Plan, account: Account, data: Any) -> bool:
        """Takes the items with problems out of `data`, on record. Tells whether there were any."""
        problems: dict[Path, list[str]] = defaultdict(list)
        items = {path: item for path in account.bad if (item := item_of(plan, path)) is not None}
        for path, item in items.items():
            problems[item].append(str(account.bad[path]))
        account.forget(items)
        for item, messages in problems.items():
            account.repair(RepairKind.ITEM_DROPPED, item, account.place(item), "; ".join(messages), "")
        lists: dict[Path, set[int]] = defaultdict(set)
        for item in problems:
            lists[item[:-1]].add(cast("int", item[-1]))  # the last step to an item is its index
        for path in sorted(lists, key=len, reverse=True):  # what lies deeper first, so that paths to it hold
            self._drop_from(self._at(data, path), path, lists[path])
        return bool(problems)

    def _at(self, data: Any, path: Path) -> Any:
        """The list at a path of the reply."""
        for end, step in enumerate(path):
            kept = self.kept.get(path[:end])
            data = data[step if kept is None else bisect_left(kept, step)]
        return data

    def _drop_from(self, items: list[Any], path: Path, bad: set[int]) -> None:
        places = self.kept.get(path, range(len(items)))
        left = [index for index, place in enumerate(places) if place not in bad]
        self.kept[path] = [places[index] for index in left]
        items[:] = [items[index] for index in left]
