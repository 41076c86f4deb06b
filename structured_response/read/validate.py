"""Makes an answer of an account: types its data by the definition, validates it by the model, records the errors."""

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


def validated(plan: Plan, account: Account, options: ParseOptions) -> Answer:
    """Returns the typed and validated answer of an account. Invalid values are None, except those of `KEPT`."""
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
    """Returns the data, with None for scalars that the model refuses, and the model's instance if all is valid."""
    try:
        return data, validate_model(plan)(data, options.context)
    except ValidationError as error:
        return _note(plan, account, data, error, dropped), None


def _note(plan: Plan, account: Account, data: Any, error: ValidationError, dropped: Dropped) -> Any:
    for found, detail in errors_of(plan, error, account.chosen):
        path = dropped.place(found)
        kind, message, said = explained(detail)
        if path not in account.around_bad:  # else it follows from a problem inside
            account.problem(kind, path, message, account.place(path), said)
        elif path not in account.bad:
            continue
        node = node_at(plan.root, path) if kind is ProblemKind.INVALID else None
        if node is not None and node.kind not in KEPT:
            data = with_none(data, found)
    return data


KEPT = ("str", "dict", "list", "map", "tuple")
"""Kinds whose invalid values stay in the data: texts and containers."""


def with_none(data: Any, path: Path) -> Any:
    """Sets the value at a path of the data to None, in place. Returns the data."""
    if not path:
        return None
    holder = data
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = None
    return data


def item_of(plan: Plan, path: Path) -> Path | None:
    """Returns the path of the innermost item of a list that is at or around a path, or None."""
    for end in range(len(path), 0, -1):
        if isinstance(path[end - 1], int) and not _is_tuple(node_at(plan.root, path[: end - 1])):
            return path[:end]
    return None


def _is_tuple(node: Node | None) -> bool:
    return node is not None and any(option.kind == "tuple" for option in (node, *node.options().values()))


class Dropped:
    """The items that were dropped from the data.

    Findings refer to the positions of items in the reply, the data to those that are left. `kept` maps each list that
    lost items to the original positions of the rest.
    """

    def __init__(self) -> None:
        self.kept: dict[Path, list[int]] = {}

    def place(self, path: Path) -> Path:
        """Returns the path in the reply of a value at a path of the data."""
        made: Path = ()
        for step in path:
            kept = self.kept.get(made)
            made += (kept[step] if kept is not None and isinstance(step, int) else step,)
        return made

    def drop(self, plan: Plan, account: Account, data: Any) -> bool:
        """Drops the items with problems from `data` and records that. Returns whether there were any."""
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
        for path in sorted(lists, key=len, reverse=True):  # the deepest first, so that paths stay valid
            self._drop_from(self._at(data, path), path, lists[path])
        return bool(problems)

    def _at(self, data: Any, path: Path) -> Any:
        for end, step in enumerate(path):
            kept = self.kept.get(path[:end])
            data = data[step if kept is None else bisect_left(kept, step)]
        return data

    def _drop_from(self, items: list[Any], path: Path, bad: set[int]) -> None:
        places = self.kept.get(path, range(len(items)))
        left = [index for index, place in enumerate(places) if place not in bad]
        self.kept[path] = [places[index] for index in left]
        items[:] = [items[index] for index in left]
