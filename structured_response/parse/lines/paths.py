"""Names that are paths to members of members: `vitals.heart_rate`, `lines[0].price`, as flattened data has them."""

from __future__ import annotations

import re

from ...definition import Field, Node
from ..written import Members, Value

__all__ = ["holds_others", "leads", "node_at", "steps_of", "unflattened"]

_LONGEST = 300
"""Characters of a path: each step looks at all that stands behind it."""
_INDEX = re.compile(r"\[([^\[\]]{1,100}+)\]")


def steps_of(node: Node, name: str) -> tuple[str, ...] | None:
    """The steps of a name that leads to a member of an object or a map, as its dots cut it; None where it leads
    nowhere. The key of a map may have dots, unless a path leads on behind the first of them.
    """
    steps: list[str] = []
    rest = _INDEX.sub(r".\1", name).replace("/", ".")
    while True:
        if node.kind == "map" and not _goes_on(node.item, rest.partition(".")[2]):
            return (*steps, rest)
        if _field(node, rest) is not None or (node.kind == "list" and rest.isdecimal()):
            return (*steps, rest)
        head, _dot, rest = rest.partition(".")
        inner = _inner(node, head) if rest else None
        if inner is None:
            return None
        steps.append(head)
        node = inner


def _goes_on(item: Node | None, rest: str) -> bool:
    """Whether what stands behind the first dot of a map's key begins with a name of what the map holds."""
    names = (rest, rest.partition(".")[0])
    return item is not None and item.kind == "dict" and any(map(item.has_field, names))


def _inner(node: Node, step: str) -> Node | None:
    """What stands behind one step."""
    if node.kind == "list":
        return node.item if step.isdecimal() else None
    if node.kind == "map":
        return node.item
    field = _field(node, step)
    return None if field is None else field.node


def _field(node: Node, step: str) -> Field | None:
    """The field of an object, or of an option of a union, by its name."""
    parts = node.parts if node.kind == "union" else (node,)
    return next((field for part in parts if part.kind == "dict" and (field := part.field_of(step))), None)


def _may_lead(name: str) -> bool:
    """Whether a name may be a path at all."""
    return len(name) <= _LONGEST and ("." in name or "[" in name or "/" in name)


def leads(node: Node, name: str) -> bool:
    """Whether a name is one of an object's, or a path to what is held in it."""
    return node.has_field(name) or (node.kind == "dict" and _may_lead(name) and steps_of(node, name) is not None)


def node_at(node: Node, path: str) -> Node:
    """What a path leads to."""
    field = node.field_of(path) if node.kind == "dict" else None
    if field is not None:
        return field.node
    for step in steps_of(node, path) or ():
        inner = _inner(node, step)
        assert inner is not None
        node = inner
    return node


def holds_others(node: Node, path: str) -> bool:
    """Whether a path leads to what has members, so that they may stand in a section by that name."""
    if steps_of(node, path) is None:
        return False
    held = node_at(node, path)
    return held.kind in ("dict", "map", "list") or any(part.kind == "dict" for part in held.parts)


def _steps_joined(node: Node, name: str, given: set[str]) -> tuple[str, str] | None:
    """The two steps of a name that joins those of a field, which is an object and not `given` by itself, and of one of
    its members: `vitals_rate`.
    """
    if node.has_field(name) or len(name) > _LONGEST:
        return None
    for place in (found.start() for found in re.finditer("_", name)):
        head, rest = name[:place], name[place + 1 :]
        field = node.field_of(head)
        if field is not None and field.name not in given and field.node.kind == "dict" and field.node.has_field(rest):
            return head, rest
    return None


def unflattened(node: Node, members: Members) -> Members:
    """The members with those whose names are paths put where the paths lead, in place of the first of each."""
    names = [str(key.held) for key, _member in members.pairs]
    if not any((_may_lead(name) or "_" in name) and not node.has_field(name) for name in names):
        return members
    given = {field.name for name in names if (field := node.field_of(name)) is not None}
    are_joined = any(field.node.kind == "dict" and name not in given for name, field in node.fields.items())
    made = Members()
    holders: dict[tuple[str, ...], Members] = {(): made}
    for key, member in members.pairs:
        name = str(key.held)
        is_path = not node.has_field(name) and _may_lead(name)
        steps = (is_path and steps_of(node, name)) or (are_joined and _steps_joined(node, name, given)) or (name,)
        for depth in range(1, len(steps)):
            if steps[:depth] not in holders:
                inner = holders[steps[:depth]] = Members()
                holder = Value(inner, member.start, member.end)
                holders[steps[: depth - 1]].pairs.append((Value(steps[depth - 1], key.start, key.end), holder))
        holders[steps[:-1]].pairs.append((Value(steps[-1], key.start, key.end), member))
    return made
