"""What members of JSON or YAML say about the data that they are: its fields, its items, an option, the arguments of a
call, and what stands around it.
"""

from __future__ import annotations

from typing import Any

from ...definition import ITEM_NAMES, Field, Node, fold
from ...markup import BLANK, NULL_WORDS
from ..json.json_text import Scanned, scan_json
from ..lines.lines import bullets
from ..written import Members, Value, values_in

__all__ = [
    "ARGUMENTS",
    "LIST_OF_TEXTS",
    "breaks_off",
    "calls_in",
    "data_in_text",
    "field_of_option",
    "holds_missing",
    "is_entry",
    "is_filled",
    "is_named",
    "is_null_word",
    "keyed_members",
    "known_fields",
    "lacks",
    "may_be_split",
    "merged_entries",
    "merged_members",
    "name_of",
    "only_list",
    "option_named",
    "tag_of",
    "value_in",
    "wrapped_map",
    "wraps_all",
]

ARGUMENTS = ("arguments", "parameters", "input", "args", "action_input", "tool_input")
"""What the arguments of a call go by."""
_ARGUMENTS = frozenset(ARGUMENTS)
_KEYS = ("key", "name", "id")
_MAX_OF_CALL = 8
"""Members that a call has: types, identifiers, a name, a status and its arguments."""

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


def is_named(option: Node, name: str, call: Value) -> bool:
    """Whether a call names an option: its tag, its class, or what its field of a single choice holds."""
    pairs = call.held.pairs if isinstance(call.held, Members) else []
    written = {fold(str(member.held)) for _key, member in pairs if isinstance(member.held, str)}
    choices = [field.node.choices for field in option.fields.values() if field.node.kind == "enum"]
    told = [str(held[0]) for held in choices if len(held) == 1]
    return not written.isdisjoint(map(fold, (name, option.name or name, *told)))


def field_of_option(node: Node, name: str, taken: set[str]) -> Field | None:
    """The one required field, of those that are not there yet, that is a union with an object of a name: the name of
    the option stands in place of the field's.
    """
    missing = [field for field in node.fields.values() if field.required and field.name not in taken]
    objects = {
        field.name: {key: option for key, option in field.node.options().items() if option.kind == "dict"}
        for field in missing
        if field.node.kind == "union"
    }
    found = [held for held, options in objects.items() if option_named(options, name) is not None]
    return node.fields[found[0]] if len(found) == 1 else None


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


def wraps_all(node: Node, value: Value, field: Field | None) -> bool:
    """Whether the only member of an object holds all of it, though it goes by the name of a field, which has no members
    itself and no items that could be meant, or is a map that cannot hold these.
    """
    held = value.held
    if field is None or not isinstance(held, Members) or not is_filled(node, held):
        return False
    if field.node.kind == "map":
        return not _may_be(field.node, value)
    kept = field.node.item if field.node.kind == "list" else field.node
    return kept is not None and kept.kind != "any" and kept.is_text()


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


def merged_entries(item: Node, items: list[Value]) -> Members | None:
    """The entries of a list of objects that stands for a map of `item`: each has its key as a member, and the value in
    the other ones. What the value has as a field of its own is no key.
    """
    merged = Members()
    for one in items:
        pairs = one.held.pairs if isinstance(one.held, Members) else []
        keys = [pair for name in _KEYS for pair in pairs if fold(name_of(pair[0])) == name and not item.has_field(name)]
        rest = [pair for pair in pairs if pair is not keys[0]] if keys else []
        if not rest or not isinstance(keys[0][1].held, str) or (item.kind != "dict" and len(rest) > 1):
            return None
        is_value = item.kind != "dict" or (len(rest) == 1 and not item.has_field(name_of(rest[0][0])))
        merged.pairs.append((keys[0][1], rest[0][1] if is_value else Value(Members(rest), *one.span)))
    return merged


def wrapped_map(item: Node, members: Members) -> tuple[Value, Value] | None:
    """The member that holds the entries of a map of `item`, with its name: the only one, or the arguments of a call.
    One that could be an entry itself is none, nor one around what is called as the value is.
    """
    calls = [pair for pair in members.pairs if name_of(pair[0]) in ARGUMENTS and len(members.pairs) <= _MAX_OF_CALL]
    holders = members.pairs if len(members.pairs) == 1 else calls
    held = holders[0][1].held if len(holders) == 1 else None
    if not isinstance(held, Members) or _may_be(item, holders[0][1]):
        return None
    names = [fold(name_of(key)) for key, _member in held.pairs]
    is_value = len(names) == 1 and names[0] in (*ITEM_NAMES, fold(item.name or ""))
    return None if is_value or not all(_may_be(item, member) for _key, member in held.pairs) else holders[0]


def _may_be(node: Node, value: Value) -> bool:
    """Whether some data has the shape of a node, as far as its first members tell."""
    held = value.held
    if node.kind in ("union", "any") or held is None:
        return True
    if node.kind == "dict":
        return isinstance(held, Members) and (bool(known_fields(node, held)) or not held.pairs)
    if node.kind in ("list", "tuple"):
        return isinstance(held, list)
    if node.kind == "map":
        of = node.item
        return isinstance(held, Members) and of is not None and all(_may_be(of, member) for _key, member in held.pairs)
    return not isinstance(held, Members | list)


def keyed_members(item: Node, items: list[Value]) -> Members | None:
    """The members of a list that stands for a map of objects: the first member of each is its key, if it has the same
    name in all, which is none of the object's, and all that is required stands beside it.
    """
    merged, names = Members(), set()
    for value in items:
        held = value.held
        if item.kind != "dict" or not isinstance(held, Members) or not is_filled(item, held):
            return None
        key, given = held.pairs[0]
        names.add(name_of(key))
        if item.has_field(name_of(key)) or not isinstance(given.held, str) or len(names) > 1:
            return None
        merged.pairs.append((given, Value(Members(held.pairs[1:]), value.start, value.end, value.is_cut)))
    keys = {name_of(key) for key, _member in merged.pairs}
    return merged if len(keys) == len(items) else None


def value_in(members: Members, name: str) -> tuple[Value, Value] | None:
    """The only member of an object that is a single value and goes by `value` or by a name, as in what JSON was made of
    elements or a schema was filled in.
    """
    if len(members.pairs) != 1:
        return None
    key, held = members.pairs[0]
    is_single = not isinstance(held.held, list | Members)
    return (key, held) if is_single and fold(name_of(key)) in ("value", fold(name)) else None


def only_list(node: Node) -> Field | None:
    """The only field of an object, if it is a list of objects."""
    only = next(iter(node.fields.values())) if node.kind == "dict" and len(node.fields) == 1 else None
    item = only.node.item if only is not None and only.node.kind == "list" else None
    return only if item is not None and item.kind == "dict" else None


def is_entry(item: Value) -> bool:
    """Whether an item is a key and a value of a map."""
    held = item.held
    if not isinstance(held, Members) or len(held.pairs) != 2:
        return False
    named = {fold(name_of(key)): member for key, member in held.pairs}
    return named.keys() == {"key", "value"} and isinstance(named["key"].held, str)


def tag_of(options: dict[str, Node], value: Value) -> str | None:
    """The option whose name is the only key of an object."""
    if not isinstance(value.held, Members) or len(value.held.pairs) != 1:
        return None
    return option_named(options, name_of(value.held.pairs[0][0]))


def option_named(options: dict[str, Node], name: str) -> str | None:
    """The option that goes by a name: its element's, or its class's."""
    written = fold(name)
    return next((key for key, option in options.items() if written in (fold(key), fold(option.name or key))), None)


def _is_sound(scanned: Scanned) -> bool:
    """Whether no value of some JSON was taken for something else than it was: in Python's quotes it is the same."""
    if scanned.value is None or not scanned.is_whole or scanned.faults:
        return False
    return all(one.change is None and one.fault is None for one in values_in(scanned.value))


def data_in_text(node: Node, text: str) -> Value | None:
    """The data inside of a text: JSON, or Python's form of it, with an object or a list, where that is asked for, or a
    list of bullets.
    """
    begin = len(text) - len(text.lstrip(BLANK))
    opener = "[" if node.kind in ("list", "tuple") else "{"
    if text.startswith(opener, begin):
        scanned = scan_json(text, begin, (), takes_lists=True)
        is_all = scanned.value is not None and not text[scanned.end :].strip(BLANK)
        return scanned.value if is_all and (scanned.is_strict or _is_sound(scanned)) else None
    made = bullets(text) if node is LIST_OF_TEXTS else None
    for item in made.held if made is not None and isinstance(made.held, list) else ():
        item.held = str(item.held)  # it stood in quotes
    return made
