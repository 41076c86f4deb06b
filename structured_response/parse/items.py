"""Items of lists that have a problem: which ones these are, and the data without them."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from typing import Any, cast

from ..definition import Node, Path, Plan
from ..findings import RepairKind
from ..validate import node_at
from .reading import Reading

__all__ = ["Dropped", "item_of"]


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

    def drop(self, plan: Plan, reading: Reading, data: Any) -> bool:
        """Takes the items with problems out of `data`, on record. Tells whether there were any."""
        problems: dict[Path, list[str]] = defaultdict(list)
        items = {path: item for path in reading.bad if (item := item_of(plan, path)) is not None}
        for path, item in items.items():
            problems[item].append(str(reading.bad[path]))
        reading.forget(items)
        for item, messages in problems.items():
            reading.repair(RepairKind.ITEM_DROPPED, item, reading.place(item), "; ".join(messages), "")
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
