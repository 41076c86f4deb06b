"""Objects in place of lists: what wraps a list, counts its items, or is the only one."""

from __future__ import annotations

import re

from ...definition import ITEM_NAMES, Node, fold
from ..written import Members, Value
from .members import known_fields, name_of

__all__ = ["are_items", "in_order", "may_be_item", "wrapped_list"]

_COUNTED = re.compile(r"(?P<word>\D{0,100})(?P<number>[0-9]{1,9})")


def wrapped_list(item: Node, members: Members) -> Value | None:
    """The list that an object holds which is no item itself: as its only member, or as the only list of objects beside
    single values, which say how many there are or of what kind.
    """
    if len(members.pairs) > 1:
        return _listed(item, members)
    if not members.pairs:
        return None
    key, held = name_of(members.pairs[0][0]), members.pairs[0][1]
    is_item = any(part.kind == "map" or part.has_field(key) for part in (item, *item.parts))
    is_list = isinstance(held.held, list) or (fold(key) in ITEM_NAMES and not isinstance(held.held, Members))
    is_list = is_list or (isinstance(held.held, Members) and in_order(held.held) is not None)
    return held if is_list and not is_item else None


def _listed(item: Node, members: Members) -> Value | None:
    """The only member that is a list, of objects, beside single values of which none is an item's."""
    found = [member for _key, member in members.pairs if isinstance(member.held, list | Members)]
    items = found[0].held if len(found) == 1 else None
    if item.kind not in ("dict", "union") or not isinstance(items, list) or not items:
        return None
    is_item = any(part.has_field(name_of(key)) for key, _member in members.pairs for part in (item, *item.parts))
    are_objects = all(isinstance(one.held, Members) for one in items)
    return found[0] if are_objects and not is_item else None


def may_be_item(item: Node, members: Members) -> bool:
    """Whether an object in place of a list can be its only item: one with an item's names, or any object."""
    holds_others = any(isinstance(member.held, list | Members) for _key, member in members.pairs)
    for part in (item, *item.parts):
        is_map = part.kind == "map" and part.item is not None and not (part.item.is_text() and holds_others)
        if is_map or part.kind == "any" or any(part.has_field(name_of(key)) for key, _member in members.pairs):
            return True
    return not members.pairs and not any(field.required for field in item.fields.values())


def in_order(members: Members) -> list[Value] | None:
    """The values of an object whose keys count them, from 0 or 1 on, behind a word that all of them share or none."""
    keys = [_COUNTED.fullmatch(name_of(key)) for key, _member in members.pairs]
    numbered = {int(key["number"]): member for key, (_key, member) in zip(keys, members.pairs, strict=True) if key}
    words = {key and fold(key["word"]) for key in keys}
    first = min(numbered, default=-1)
    is_counted = len(words) == 1 and len(numbered) == len(keys) == max(numbered, default=0) - first + 1
    return [numbered[number] for number in sorted(numbered)] if is_counted and first in (0, 1) else None


def are_items(item: Node, members: Members) -> bool:
    """Whether more than one member of an object has the names of an item, so that none of them is the one meant."""
    held = [member.held for _key, member in members.pairs if isinstance(member.held, Members)]
    return sum(any(known_fields(part, one) for part in (item, *item.parts)) for one in held) > 1
