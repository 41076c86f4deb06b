"""What members of JSON or YAML say about the data that they are: its fields, its items, an option, the arguments of a
call, and what stands around it.
"""

from __future__ import annotations

import re
from typing import Any

from ..definition import ITEM_NAMES, Node, fold
from ..markup import BLANK, NULL_WORDS
from .json_text import scan_json
from .lines import bullets
from .written import Members, Value

__all__ = [
    "ARGUMENTS",
    "LIST_OF_TEXTS",
    "are_items",
    "breaks_off",
    "calls_in",
    "data_in_text",
    "holds_missing",
    "in_order",
    "is_entry",
    "is_filled",
    "is_null_word",
    "known_fields",
    "lacks",
    "may_be_item",
    "may_be_split",
    "merged_members",
    "name_of",
    "option_named",
    "tag_of",
    "wrapped_list",
]

ARGUMENTS = ("arguments", "parameters", "input", "args", "action_input", "tool_input")
"""What the arguments of a call go by."""
_ARGUMENTS = frozenset(ARGUMENTS)
_MAX_OF_CALL = 8
"""Members that a call has: types, identifiers, a name, a status and its arguments."""
_COUNTED = re.compile(r"(?P<word>\D{0,100})(?P<number>[0-9]{1,9})")

LIST_OF_TEXTS = Node("list", item=Node("str"))


def breaks_off(value: Value) -> bool:
    """Whether the reply broke off in a value, or in the last of what it holds."""
    last: Value | None = value
    while last is not None and not last.is_cut:
        last = last.last
    return last is not None


def lacks(node: Node, tree: Any) -> bool:
    """Whether required fields are missing from an object."""
    return node.kind == "dict" and not all(
        name in (tree or ()) for name, field in node.fields.items() if field.required
    )


def may_be_split(value: Value) -> bool:
    """Whether a text may be lines of what is asked for, and no JSON that is damaged."""
    held = value.held
    return isinstance(held, str) and value.change is None and held.strip(BLANK)[:1] not in ("", "[", "{", '"')


def is_null_word(value: Value) -> bool:
    return isinstance(value.held, str) and value.held.strip(BLANK).lower() in NULL_WORDS


def name_of(key: Value) -> str:
    return str(key.held)


def calls_in(node: Node, value: Value, is_whole: bool) -> list[tuple[Value, Value]]:
    """The calls that some data is, or, where it is the whole of a reply, those that it holds: the names and the values
    of their arguments.
    """
    found: list[tuple[Value, Value]] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        held = one.held
        arguments = _arguments(node, held) if isinstance(held, Members) else None
        if arguments is not None:
            found.append(arguments)
        elif is_whole and isinstance(held, list):
            waiting += reversed(held)
        elif is_whole and isinstance(held, Members) and not is_filled(node, held):
            waiting += [member for _key, member in reversed(held.pairs)]
    return found


def _arguments(node: Node, members: Members) -> tuple[Value, Value] | None:
    """The arguments of an object that has the shape of a call: of the class, or of a tool by another name where they
    hold all that the object itself could be taken for.
    """
    if _ARGUMENTS.isdisjoint([key.held for key, _member in members.pairs]):
        return None
    given = {name_of(key): (key, member) for key, member in members.pairs}
    arguments = next((given[name] for name in ARGUMENTS if name in given and name not in node.fields), None)
    if arguments is None or len(given) > _MAX_OF_CALL:
        return None
    names = [str(member.held) for _key, member in given.values() if isinstance(member.held, str)]
    if node.name and fold(node.name) in map(fold, names):
        return arguments
    held = arguments[1].held
    inner = data_in_text(node, held) if isinstance(held, str) else arguments[1]
    known = known_fields(node, inner.held) if inner is not None and isinstance(inner.held, Members) else set()
    return arguments if known and known_fields(node, members) <= known else None


def known_fields(node: Node, members: Members) -> set[str]:
    """The fields that members are."""
    return {field.name for key, _member in members.pairs if (field := node.field_of(name_of(key))) is not None}


def is_filled(node: Node, members: Members) -> bool:
    """Whether an object is the data that is asked for, not something around it."""
    known = known_fields(node, members)
    return bool(known) and all(name in known for name, field in node.fields.items() if field.required)


def holds_missing(node: Node, value: Value, taken: set[str]) -> bool:
    """Whether a member that the definition does not know wraps fields that are not there yet."""
    held = value.held
    while isinstance(held, Members) and len(held.pairs) == 1 and not node.has_field(name_of(held.pairs[0][0])):
        held = held.pairs[0][1].held
    fields = [node.field_of(name_of(key)) for key, _member in held.pairs] if isinstance(held, Members) else []
    return any(field is not None and field.name not in taken for field in fields)


def merged_members(items: list[Value]) -> Members | None:
    """The members of a list that stands for an object: its items hold one member each, or a key and a value."""
    merged = Members()
    for item in items:
        held = item.held
        if not isinstance(held, Members):
            return None
        named = {fold(name_of(key)): member for key, member in held.pairs}
        if len(held.pairs) == 1:
            merged.pairs.append(held.pairs[0])
        elif is_entry(item):
            merged.pairs.append((named["key"], named["value"]))
        else:
            return None
    return merged


def is_entry(item: Value) -> bool:
    """Whether an item is a key and a value of a map."""
    held = item.held
    if not isinstance(held, Members) or len(held.pairs) != 2:
        return False
    named = {fold(name_of(key)): member for key, member in held.pairs}
    return named.keys() == {"key", "value"} and isinstance(named["key"].held, str)


def wrapped_list(item: Node, members: Members) -> Value | None:
    """The list that is an object's only member, where the object is no item itself."""
    if len(members.pairs) != 1:
        return None
    key, held = name_of(members.pairs[0][0]), members.pairs[0][1]
    is_item = any(part.kind == "map" or part.has_field(key) for part in (item, *item.parts))
    is_list = isinstance(held.held, list) or (fold(key) in ITEM_NAMES and not isinstance(held.held, Members))
    is_list = is_list or (isinstance(held.held, Members) and in_order(held.held) is not None)
    return held if is_list and not is_item else None


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


def tag_of(options: dict[str, Node], value: Value) -> str | None:
    """The option whose name is the only key of an object."""
    if not isinstance(value.held, Members) or len(value.held.pairs) != 1:
        return None
    return option_named(options, name_of(value.held.pairs[0][0]))


def option_named(options: dict[str, Node], name: str) -> str | None:
    """The option that goes by a name: its element's, or its class's."""
    written = fold(name)
    return next((key for key, option in options.items() if written in (fold(key), fold(option.name or key))), None)


def data_in_text(node: Node, text: str) -> Value | None:
    """The data inside of a text: JSON with an object or a list, where that is asked for, or a list of bullets."""
    begin = len(text) - len(text.lstrip(BLANK))
    opener = "[" if node.kind in ("list", "tuple") else "{"
    if text.startswith(opener, begin):
        scanned = scan_json(text, begin, (), takes_lists=True)
        return scanned.value if scanned.is_strict and not text[scanned.end :].strip(BLANK) else None
    made = bullets(text) if node is LIST_OF_TEXTS else None
    for item in made.held if made is not None and isinstance(made.held, list) else ():
        item.held = str(item.held)  # it stood in quotes
    return made
