"""Data of JSON or YAML -> a tree of texts, by the definition: as `values` does it for elements."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from ..definition import (
    ABSENT,
    ITEM_NAMES,
    Field,
    Measure,
    Node,
    Path,
    choice_text,
    fold,
    has_form,
    is_placeholder,
    is_words,
)
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_DEPTH
from ..markup import BLANK, NULL_WORDS
from .inline import Entry, Piece, is_value, name_in, split_fields, split_items, split_objects, split_pairs, split_parts
from .json_text import scan_json
from .lines import bullets
from .options import by_names, by_text, told
from .reading import LimitReachedError, Reading
from .scalars import Scalar, is_strict, read_key, read_scalar
from .tables import table_of_entries, table_of_objects
from .text import Text
from .trees import typed_key, typed_tree
from .written import LOST, Bare, Members, Value, move_all, place_all

__all__ = ["ARGUMENTS", "calls_in", "is_left_over", "merged_members", "number", "places_of", "plain", "read_data"]

ARGUMENTS = ("arguments", "parameters", "input", "args", "action_input", "tool_input")
"""What the arguments of a call go by."""
_ARGUMENTS = frozenset(ARGUMENTS)
_MAX_OF_CALL = 8
"""Members that a call has: types, identifiers, a name, a status and its arguments."""

_HOLDERS = ("dict", "list", "map", "tuple")
"""Kinds of what holds other values."""
_TYPED = ("int", "float", "bool")
"""Kinds that JSON has a form of its own for: in quotes they are another form."""


def read_data(node: Node, value: Value, reading: Reading, path: Path = (), is_yaml: bool = False) -> Any:
    """The tree of a value that stands at `path`, with everything that was found in `reading`.

    None where nothing can be read. `is_yaml`: texts need no quotes there. Raises `LimitReachedError`.
    """
    try:
        tree = _Reader(reading, is_yaml).value(node, value, path)
    except RecursionError as error:
        raise LimitReachedError("nested deeper than what is left of Python's stack", value.span) from error
    return None if tree is ABSENT else tree


def places_of(node: Node, value: Value, path: Path = ()) -> dict[Path, Span]:
    """Where the values stand of some data that was read."""
    reading = Reading(value.span)
    with suppress(LimitReachedError):  # what is left of the stack may not do for a second look
        read_data(node, value, reading, path)
    return reading.places


def plain(value: Value) -> Any:
    """A value of YAML as Python's data: a text without quotes is a number, a truth value, or itself."""
    return _Reader(Reading(value.span), is_yaml=True).plain(value)


class _Reader:
    """Reads the data of one answer. What is lost comes as ABSENT, and is left out of what would hold it."""

    def __init__(self, reading: Reading, is_yaml: bool) -> None:
        self.reading = reading
        self.is_yaml = is_yaml
        self.measure = Measure()
        self.plains: dict[int, tuple[Value, Any]] = {}

    def value(self, node: Node, value: Value, path: Path) -> Any:
        if len(path) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", value.span)
        self.reading.places[path] = value.start, value.end
        if value.change is not None:
            span, before, after = value.change
            self.reading.repair(RepairKind.JSON_MENDED, path, span, before, after)
        if value.fault is not None:
            self.reading.problem(ProblemKind.AMBIGUOUS, path, value.fault.message, value.fault.span, self.shown(value))
        if value.is_cut:
            return self.cut(node, value, path)
        return ABSENT if value.held is LOST else self.held(node, value, path)

    def cut(self, node: Node, value: Value, path: Path) -> Any:
        """A value in which the reply broke off: half a text is kept, and the whole ones of what holds others; half of
        anything else is nothing.
        """
        if isinstance(value.held, Members | list):
            may_be_whole = value.is_unclosed and node.kind != "tuple"
            if not may_be_whole:  # before anything is said that follows from it
                self.cut_holder(value, path, is_complete=False)
            tree = self.held(node, value, path)
            if may_be_whole:
                self.cut_holder(value, path, is_complete=not _lacks(node, tree))
            return tree
        kept = node.kind in ("str", "any") and isinstance(value.held, str) and not isinstance(value.held, Bare)
        self.broken_off(path, value.span, "the text goes as far as it came" if kept else "the value is not whole")
        return self.held(node, value, path) if kept else ABSENT

    def cut_holder(self, value: Value, path: Path, is_complete: bool) -> None:
        """Puts on record that what holds other values has no end: only its bracket is missing, or nobody knows what."""
        if is_complete:
            bracket = "}" if isinstance(value.held, Members) else "]"
            self.reading.repair(RepairKind.JSON_MENDED, path, (value.end, value.end), "", bracket)
        else:
            self.broken_off(path, value.span, "what is missing behind it is not known")

    def broken_off(self, path: Path, span: Span, consequence: str) -> None:
        """Puts the end of the reply on record; JSON inside of an element may break off earlier than the reply."""
        if span[1] >= self.reading.span[1]:
            self.reading.broken_off(path, span, consequence)
        else:
            self.reading.problem(ProblemKind.INVALID, path, f"the JSON breaks off here; {consequence}", span)

    def held(self, node: Node, value: Value, path: Path) -> Any:
        if value.held is None:
            return self.null(node, value, path)
        if isinstance(value.held, str) and is_left_over(node, value.held) and not value.is_literal:
            self.invalid(path, "the prompt's placeholder was left in place of a value", value)
            return str(value.held) if node.kind == "str" else None
        if node.kind in _HOLDERS and node.nullable is not False and _is_null_word(value):
            self.repair(RepairKind.NULL_WORD, path, value, str(value.held), "null")
            return None
        return _READERS.get(node.kind, _Reader.scalar)(self, node, value, path)

    def null(self, node: Node, value: Value, path: Path) -> None:
        if node.nullable is False and node.kind != "any":
            self.invalid(path, "null is not allowed here", value)

    def invalid(self, path: Path, message: str, value: Value, candidates: tuple[str, ...] = ()) -> None:
        self.reading.problem(ProblemKind.INVALID, path, message, value.span, self.shown(value), candidates)

    def repair(self, kind: RepairKind, path: Path, value: Value, before: str, after: str) -> None:
        self.reading.repair(kind, path, value.span, before, after)

    # Scalars

    def scalar(self, node: Node, value: Value, path: Path) -> Any:
        if not isinstance(value.held, str):
            return self.scalar_of_holder(node, value, path)
        if is_strict(node.kind, value.held) and (node.kind not in _TYPED or isinstance(value.held, Bare)):
            return str(value.held)
        if node.kind == "enum":
            exact = [choice for choice in node.choices if _is_choice(choice, value.held)]
            if exact:
                return exact[0]
        raw = value.held.strip(BLANK)
        if self.is_yaml and node.kind == "float" and isinstance(value.held, Bare):
            raw = _YAML_NUMBERS.get(raw.lower(), raw)
        marked = None if isinstance(value.held, Bare) else "str"
        return self.found(node, value, read_scalar(node, raw, raw, marked), path)

    def scalar_of_holder(self, node: Node, value: Value, path: Path) -> Any:
        """A list of one value is taken for that value; anything else is none."""
        held = value.held
        if not isinstance(held, list) or len(held) != 1:
            what = "an object" if isinstance(held, Members) else "a list"
            self.invalid(path, f"{what} stands where a single value is asked for", value)
            return None
        self.reshaped(path, value, held[0])
        return self.value(node, held[0], path)

    def reshaped(self, path: Path, value: Value, after: Value | None) -> None:
        shown = "[]" if after is None else self.shown(after)
        self.repair(RepairKind.SHAPE_CHANGED, path, value, self.shown(value), shown)

    def text(self, node: Node, value: Value, path: Path) -> Any:
        """A text, verbatim. A number or a truth value in its place keeps its characters, on record; a null word
        without quotes is null where null is allowed.
        """
        if not isinstance(value.held, str):
            return self.scalar_of_holder(node, value, path)
        text = str(value.held)
        if isinstance(value.held, Bare) and node.nullable and text.lower() in NULL_WORDS:
            self.repair(RepairKind.NULL_WORD, path, value, text, "null")
            return None
        if isinstance(value.held, Bare) and not self.is_yaml and value.change is None:
            self.repair(RepairKind.VALUE_RESPELLED, path, value, text, json.dumps(text))
        return text

    def found(self, node: Node, value: Value, scalar: Scalar, path: Path) -> Any:
        """The value of a scalar; its repair or its problem goes on record."""
        if scalar.problem is not None:
            self.invalid(path, scalar.problem, value, scalar.candidates)
            return None
        kind = scalar.repair or self.kind_of_other_form(node, value, scalar)
        if kind is not None:
            after = "null" if scalar.value is None else str(scalar.value)
            shown = self.shown(value)
            self.repair(kind, path, value, self.shown(value, quoted=True) if shown == after else shown, after)
        return scalar.value

    def kind_of_other_form(self, node: Node, value: Value, scalar: Scalar) -> RepairKind | None:
        """What is to be said of a value whose text is right and whose type in JSON is not."""
        if scalar.value is None:
            return RepairKind.NULL_WORD
        is_quoted = not isinstance(value.held, Bare)
        if isinstance(value.held, str) and value.held.strip(BLANK) != value.held:
            return RepairKind.VALUE_RESPELLED
        other = is_quoted if node.kind in _TYPED else node.kind == "enum" and not (self.is_yaml and not is_quoted)
        return RepairKind.VALUE_RESPELLED if other and value.change is None else None

    # Objects

    def of_dict(self, node: Node, value: Value, path: Path) -> Any:
        value = self.as_object(node, value, path)
        fields = split_fields(str(value.held), name_in(node)) if _may_be_split(value) else None
        if fields is not None:
            value = self.split_members(value, fields.entries, path)
        if not isinstance(value.held, Members):
            self.invalid(path, "an object with a name for each value is asked for", value)
            return {} if isinstance(value.held, str) else None
        tree: dict[str, Any] = {}
        seen: dict[str, Value] = {}
        for key, member, field in self.members(node, value.held, path):
            if field is None:
                self.kept_or_skipped(node, key, member, tree, path)
            elif field.name not in seen:
                seen[field.name] = member
                self.respelled(key, field.name, (*path, field.name))
                self.put(tree, field.name, self.value(field.node, member, (*path, field.name)))
            elif not self.repeated(seen[field.name], member, (*path, field.name)) and field.name in tree:
                tree[field.name] = tree[field.name] if field.node.kind == "str" else None
        return tree

    def put(self, tree: dict[str, Any], name: str, value: Any) -> None:
        if value is not ABSENT:
            tree[name] = value

    def as_object(self, node: Node, value: Value, path: Path) -> Value:
        """What stands where an object is asked for, out of a text or a list of one, as far as that is clear."""
        value = self.called(node, self.inside_text(node, value, path), path)
        held = value.held
        if not isinstance(held, list) or not held:
            return value
        merged = merged_members(held)
        if len(held) == 1 and (node.kind == "dict" or merged is None or not _is_entry(held[0])):
            self.reshaped(path, value, held[0])
            self.note_cut(held[0], path)
            return held[0]
        known = merged is not None and all(_field_of(node, _name(key)) for key, _member in merged.pairs)
        if merged is None or (node.kind == "dict" and not known):
            return value
        after = Value(merged, value.start, value.end, value.is_cut)
        self.reshaped(path, value, after)
        return after

    def called(self, node: Node, value: Value, path: Path) -> Value:
        """The arguments, where an object has the shape of a call: `{"name": "Review", "arguments": {...}}`. The whole
        answer may be a call in what an API replies, if it is the only one.
        """
        calls = calls_in(node, value, is_whole=not path)
        if len(calls) != 1:
            return value
        key, arguments = calls[0]
        self.repair(RepairKind.WRAPPER_ENTERED, path, key, _name(key), _name(key))
        return self.inside_text(node, arguments, path)

    def inside_text(self, node: Node, value: Value, path: Path) -> Value:
        """The data that a text holds, where a text cannot be what is asked for: JSON inside of JSON's quotes."""
        text = value.held
        inner = _in_text(node, text) if isinstance(text, str) else None
        if inner is None:
            return value
        place_all(inner, value.span)
        self.repair(RepairKind.FORMAT_READ, path, value, str(text), str(text))
        return inner

    def members(self, node: Node, members: Members, path: Path) -> Iterator[tuple[Value, Value, Field | None]]:
        """The members of an object; in place of a wrapper, those of its members that are still missing."""
        found = [(key, member, _field_of(node, _name(key))) for key, member in members.pairs]
        taken = {field.name for _key, _member, field in found if field is not None}
        self.rivals(node, found, path)
        for key, member, field in found:
            if field is None and _holds_missing(node, member, taken):
                yield from self.unwrapped(node, key, member, path, taken)
            else:
                yield key, member, field

    def rivals(self, node: Node, members: list[tuple[Value, Value, Field | None]], path: Path) -> None:
        """Puts on record that more than one member wraps all that is asked for: a draft, and what came of it."""
        whole = [
            (key, member)
            for key, member, field in members
            if field is None and isinstance(member.held, Members) and _is_filled(node, member.held)
        ]
        if len(whole) < 2 or any(field is not None for _key, _member, field in members):
            return
        shown = tuple(dict.fromkeys(self.shown(member) for _key, member in whole))
        if len(shown) > 1:
            message = "more than one object could be the one that is asked for"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, whole[1][1].span, shown[1], shown)

    def unwrapped(
        self, node: Node, key: Value, wrapper: Value, path: Path, taken: set[str]
    ) -> Iterator[tuple[Value, Value, Field | None]]:
        self.repair(RepairKind.WRAPPER_ENTERED, path, key, _name(key), _name(key))
        self.note_cut(wrapper, path)
        for inner, member in wrapper.held.pairs if isinstance(wrapper.held, Members) else ():
            field = _field_of(node, _name(inner))
            if field is None and _holds_missing(node, member, taken):
                yield from self.unwrapped(node, inner, member, path, taken)
            elif field is None or field.name in taken:
                self.skipped(inner, path)
            else:
                taken.add(field.name)
                yield inner, member, field

    def note_cut(self, value: Value, path: Path) -> None:
        if value.is_cut:
            self.cut_holder(value, path, value.is_unclosed)

    def respelled(self, key: Value, name: str, path: Path) -> None:
        if _name(key) != name:
            self.repair(RepairKind.NAME_RESPELLED, path, key, _name(key), name)

    def kept_or_skipped(self, node: Node, key: Value, member: Value, tree: dict[str, Any], path: Path) -> None:
        """A member that the definition does not know: kept as it is by models that allow extras, else skipped."""
        name = _name(key)
        if node.keeps_extra and name not in tree and name not in node.fields:
            self.put(tree, name, self.value(_ANY, member, (*path, name)))
        else:
            self.skipped(key, path)

    def skipped(self, key: Value, path: Path) -> None:
        self.repair(RepairKind.ELEMENT_SKIPPED, path, key, _name(key), _name(key))

    def repeated(self, first: Value, second: Value, path: Path) -> bool:
        """Whether a name's second value is the same, so that it can go; else nobody knows which one was meant."""
        shown = [self.shown(one, quoted=True) for one in (first, second)]
        if shown[0] == shown[1]:
            self.repair(RepairKind.DUPLICATE_DROPPED, path, second, shown[1], shown[1])
            return True
        message = f"{path[-1]!r} stands there twice, with different values"
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, second.span, shown[1], tuple(shown))
        return False

    # Lists, tuples and maps

    def of_list(self, node: Node, value: Value, path: Path) -> Any:
        assert node.item is not None
        items = self.items(node.item, value, path)
        trees = [self.value(node.item, item, (*path, index)) for index, item in enumerate(items)]
        return [tree for tree in trees if tree is not ABSENT]

    def items(self, item: Node, value: Value, path: Path) -> list[Value]:
        """The items of a list; a single value in its place is a list of one, on record."""
        value = self.inside_text(_LIST_OF_TEXTS if item.is_text() else _LIST, value, path)
        held = value.held
        if isinstance(held, Members):
            inner = _wrapped_list(item, held)
            if inner is not None:
                key = held.pairs[0][0]
                self.repair(RepairKind.WRAPPER_ENTERED, path, key, _name(key), _name(key))
                return self.items(item, inner, path)
            if not _may_be_item(item, held):
                return self.counted(item, value, held, path)
        elif isinstance(held, list):
            return held
        if isinstance(held, str) and not held.strip(BLANK):
            self.reshaped(path, value, None)
            return []
        if item.is_text():
            return self.split(item, value, path) if isinstance(held, str) else self.alone(value, path)
        return self.split_holders(item, value, path) if _may_be_split(value) else self.alone(value, path)

    def split_holders(self, item: Node, value: Value, path: Path) -> list[Value]:
        """The same of items that hold others themselves."""
        text = str(value.held)
        table = table_of_objects(text, lambda name: _field_of(item, name) is not None) if item.kind == "dict" else None
        if table is not None and isinstance(table.held, list):
            self.placed(table, value, path)
            return table.held
        pieces = split_objects(text, item) if item.kind == "dict" else []
        pieces = pieces or [piece for piece in split_items(text, item).items if piece.text != text.strip(BLANK)]
        if not pieces:
            return self.alone(value, path)
        self.repair(RepairKind.TEXT_SPLIT, path, value, text, " | ".join(piece.text for piece in pieces))
        return [_piece_of(value, piece, is_bare=True) for piece in pieces]

    def placed(self, made: Value, value: Value, path: Path) -> None:
        """Puts what a text was read as at the text's place, on record."""
        start, end = value.span
        if end - start == len(str(value.held)):
            move_all(made, start)
        else:
            place_all(made, value.span)
        self.repair(RepairKind.FORMAT_READ, path, value, str(value.held), str(value.held))

    def split_members(self, value: Value, entries: list[Entry], path: Path) -> Value:
        """The members of an object or a map that was written as a text."""
        shown = " | ".join(entry.value.text for entry in entries)
        self.repair(RepairKind.TEXT_SPLIT, path, value, str(value.held), shown)
        pairs = [
            (_piece_of(value, entry.key._replace(text=entry.name), is_bare=False), _piece_of(value, entry.value, True))
            for entry in entries
        ]
        return Value(Members(pairs), *value.span)

    def counted(self, item: Node, value: Value, members: Members, path: Path) -> list[Value]:
        """The items of a list that came as an object: in the order of their numbers, if its keys count them."""
        items = _in_order(members) if members.pairs else []
        if items is None and not _are_items(item, members):
            return self.alone(value, path)
        if items is None:
            self.invalid(path, "an object stands where a list is asked for, and its keys do not count the items", value)
            return [member for _key, member in members.pairs]
        self.reshaped(path, value, Value(items, *value.span))
        self.note_cut(value, path)
        return items

    def alone(self, value: Value, path: Path) -> list[Value]:
        """A value in place of a list, as its only item."""
        self.reshaped(path, value, Value([value], value.start))
        return [value]

    def split(self, item: Node, value: Value, path: Path) -> list[Value]:
        """The items of a list that was written as a text: what an element with that text would hold."""
        text = str(value.held)
        if _is_null_word(value):
            message = "a word for no value, which could be an item or say that there is none"
            self.ambiguous(path, message, value, (text, "an empty list"))
            return []
        items = split_items(text, item)
        if items.candidates:
            self.ambiguous(path, "could be more than one list", value, items.candidates)
            return []
        if items.how == "whole" and not text.lstrip(BLANK).startswith("["):
            return self.alone(value, path)
        self.repair(RepairKind.TEXT_SPLIT, path, value, text, " | ".join(piece.text for piece in items.items))
        is_bare = isinstance(value.held, Bare) or item.kind != "str"
        return [_piece_of(value, piece, is_bare) for piece in items.items]

    def ambiguous(self, path: Path, message: str, value: Value, candidates: tuple[str, ...]) -> None:
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, value.span, self.shown(value), candidates)

    def of_tuple(self, node: Node, value: Value, path: Path) -> Any:
        value = self.inside_text(_LIST, value, path)
        only = value.held[0] if isinstance(value.held, list) and len(value.held) == 1 else value
        if isinstance(only.held, Bare if only is not value else str):
            value = self.split_parts(node, only, path) or value
        if not isinstance(value.held, list):
            self.invalid(path, f"a list of {len(node.parts)} items is asked for", value)
            return None
        if len(value.held) != len(node.parts):
            if _breaks_off(value):
                self.cut_holder(value, path, is_complete=False)
            self.invalid(path, f"{len(node.parts)} items are needed, but {len(value.held)} are there", value)
            return None
        pairs = zip(node.parts, value.held, strict=True)
        trees = [self.value(part, item, (*path, index)) for index, (part, item) in enumerate(pairs)]
        return [None if tree is ABSENT else tree for tree in trees]

    def split_parts(self, node: Node, value: Value, path: Path) -> Value | None:
        """The items of a tuple that was written as a text, if there is one for each part."""
        text = str(value.held)
        pieces = split_parts(text, node.parts)
        if pieces is None:
            return None
        self.repair(RepairKind.TEXT_SPLIT, path, value, text, " | ".join(piece.text for piece in pieces))
        return Value([_piece_of(value, piece, is_bare=True) for piece in pieces], *value.span)

    def of_map(self, node: Node, value: Value, path: Path) -> Any:
        assert node.item is not None and node.key is not None
        value = self.as_object(node, value, path)
        if isinstance(value.held, list) and not value.held:
            value = Value(Members(), value.start, value.end)
        if _may_be_split(value):
            value = self.entries(node.item, value, path)
        if not isinstance(value.held, Members):
            self.invalid(path, "an object with a value for each key is asked for", value)
            return {} if isinstance(value.held, str) else None
        tree: dict[str, Any] = {}
        seen: dict[object, Value] = {}
        for key, member in value.held.pairs:
            name = self.key(node.key, key, path)
            same = None if name is None else typed_key(node.key, name)
            if name is not None and same in seen:
                self.repeated(seen[same], member, (*path, name))
            elif name is not None:
                seen[same] = member
                self.put(tree, name, self.value(node.item, member, (*path, name)))
        return tree

    def entries(self, item: Node, value: Value, path: Path) -> Value:
        """The entries of a map that was written as a text."""
        text = str(value.held)
        table = table_of_entries(text, lambda held: is_value(item, held))
        if table is not None:
            self.placed(table, value, path)
            return table
        pairs = split_pairs(text, item)
        return value if pairs is None else self.split_members(value, pairs.entries, path)

    def key(self, node: Node, key: Value, path: Path) -> str | None:
        written = _name(key)
        scalar = read_key(node, "" if key.is_literal else written, written)
        if scalar.problem is not None:
            self.invalid((*path, written), f"the key is {scalar.problem}", key)
            return None
        spelt = written if isinstance(scalar.value, bool) or scalar.value is None else str(scalar.value)
        self.respelled(key, spelt, (*path, spelt))
        return spelt

    # Unions and values of any type

    def of_union(self, node: Node, value: Value, path: Path) -> Any:
        """The value of the option that the data fits as it is; else of the one that its names or its text tell."""
        options = node.options()
        name = self.measure.best(node, self.plain(value))
        if name is not None:
            return self.typed(options[name], value, path)
        tag = _tag(options, value)
        if tag is not None and isinstance(value.held, Members):
            key, inner = value.held.pairs[0]
            self.repair(RepairKind.WRAPPER_ENTERED, path, key, _name(key), _name(key))
            return told(node, options[tag], self.typed(options[tag], inner, path), path, self.reading)
        names = self.fitting(node, value)
        if len(names) == 1:
            return told(node, options[names[0]], self.typed(options[names[0]], value, path), path, self.reading)
        message = "fits more than one option" if names else "fits none of the options"
        kind = ProblemKind.AMBIGUOUS if names else ProblemKind.INVALID
        self.reading.problem(kind, path, message, value.span, self.shown(value), tuple(names or options))
        return None

    def fitting(self, node: Node, value: Value) -> list[str]:
        options = node.options()
        if isinstance(value.held, Members):
            objects = {name: option for name, option in options.items() if option.kind == "dict"}
            texts = {fold(_name(key)): self.shown(member) for key, member in value.held.pairs}
            named = fold(texts.get("type", ""))
            told = [
                name for name, option in objects.items() if named and named in (fold(name), fold(option.name or ""))
            ]
            return told if len(told) == 1 else by_names(node.discriminator, objects, texts)
        if isinstance(value.held, list):
            return [name for name, option in options.items() if option.kind in ("list", "tuple")]
        text = str(value.held).strip(BLANK)
        return by_text(node, Text(text, text)).names

    def typed(self, node: Node, value: Value, path: Path) -> Any:
        """The value of an option, typed here: among options nobody else could tell a number from its text."""
        tree = self.held(node, value, path)
        return None if tree is ABSENT else typed_tree(node, tree)

    def of_any(self, node: Node, value: Value, path: Path) -> Any:
        """The data as it is."""
        held = value.held
        if isinstance(held, Members):
            return self.any_object(node, held, path)
        if isinstance(held, list):
            trees = [self.value(node, item, (*path, index)) for index, item in enumerate(held)]
            return [tree for tree in trees if tree is not ABSENT]
        made = self.plain(value)
        if isinstance(made, str) and isinstance(held, Bare) and not self.is_yaml and value.change is None:
            self.repair(RepairKind.VALUE_RESPELLED, path, value, made, json.dumps(made))
        return made

    def any_object(self, node: Node, members: Members, path: Path) -> dict[str, Any]:
        tree: dict[str, Any] = {}
        seen: dict[str, Value] = {}
        for key, member in members.pairs:
            name = _name(key)
            if name in seen:
                self.repeated(seen[name], member, (*path, name))
            else:
                seen[name] = member
                self.put(tree, name, self.value(node, member, (*path, name)))
        return tree

    # Plain data

    def plain(self, value: Value) -> Any:
        """A value as Python's data, without a word about it. The same object each time."""
        known = self.plains.get(id(value))
        if known is None:  # the value is kept with it, so that its id is not another's later on
            known = self.plains[id(value)] = (value, self.made_plain(value))
        return known[1]

    def made_plain(self, value: Value) -> Any:
        held = value.held
        if isinstance(held, Members):
            made: dict[str, Any] = {}
            for key, member in held.pairs:
                made.setdefault(_name(key), self.plain(member))
            return made
        if isinstance(held, list):
            return [self.plain(item) for item in held]
        if isinstance(held, Bare):
            return number(_YAML_NUMBERS.get(held.lower(), held) if self.is_yaml else held)
        return None if held is LOST else held

    def shown(self, value: Value, quoted: bool = False) -> str:
        """A value as a finding shows it."""
        if isinstance(value.held, str) and not quoted:
            return str(value.held)
        return json.dumps(self.plain(value), ensure_ascii=False)


def is_left_over(node: Node, text: str) -> bool:
    """Whether a text is what a prompt showed in its place, in XML or in a signature."""
    if text.startswith("["):
        return node.kind == "str" and is_placeholder(node, text)
    return text.endswith(")") and is_words(node, text)


def _breaks_off(value: Value) -> bool:
    """Whether the reply broke off in a value, or in the last of what it holds."""
    last: Value | None = value
    while last is not None and not last.is_cut:
        held = last.held
        items = [member for _key, member in held.pairs[-1:]] if isinstance(held, Members) else held
        last = items[-1] if isinstance(items, list) and items else None
    return last is not None


def _lacks(node: Node, tree: Any) -> bool:
    """Whether required fields are missing from an object."""
    return node.kind == "dict" and not all(
        name in (tree or ()) for name, field in node.fields.items() if field.required
    )


def _may_be_split(value: Value) -> bool:
    """Whether a text may be lines of what is asked for, and no JSON that is damaged."""
    held = value.held
    return isinstance(held, str) and value.change is None and held.strip(BLANK)[:1] not in ("", "[", "{", '"')


def _is_null_word(value: Value) -> bool:
    return isinstance(value.held, str) and value.held.strip(BLANK).lower() in NULL_WORDS


def _name(key: Value) -> str:
    return str(key.held)


def _field_of(node: Node, name: str) -> Field | None:
    return node.fields.get(name) or node.field_named(name)


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
        elif is_whole and isinstance(held, Members) and not _is_filled(node, held):
            waiting += [member for _key, member in reversed(held.pairs)]
    return found


def _arguments(node: Node, members: Members) -> tuple[Value, Value] | None:
    """The arguments of an object that has the shape of a call: of the class, or of a tool by another name where they
    hold all that the object itself could be taken for.
    """
    if _ARGUMENTS.isdisjoint([key.held for key, _member in members.pairs]):
        return None
    given = {_name(key): (key, member) for key, member in members.pairs}
    arguments = next((given[name] for name in ARGUMENTS if name in given and name not in node.fields), None)
    if arguments is None or len(given) > _MAX_OF_CALL:
        return None
    names = [str(member.held) for _key, member in given.values() if isinstance(member.held, str)]
    if node.name and fold(node.name) in map(fold, names):
        return arguments
    held = arguments[1].held
    inner = _in_text(node, held) if isinstance(held, str) else arguments[1]
    known = _known(node, inner.held) if inner is not None and isinstance(inner.held, Members) else set()
    return arguments if known and _known(node, members) <= known else None


def _known(node: Node, members: Members) -> set[str]:
    """The fields that members are."""
    return {field.name for key, _member in members.pairs if (field := _field_of(node, _name(key))) is not None}


def _is_filled(node: Node, members: Members) -> bool:
    """Whether an object is the data that is asked for, not something around it."""
    known = _known(node, members)
    return bool(known) and all(name in known for name, field in node.fields.items() if field.required)


def _holds_missing(node: Node, value: Value, taken: set[str]) -> bool:
    """Whether a member that the definition does not know wraps fields that are not there yet."""
    held = value.held
    while isinstance(held, Members) and len(held.pairs) == 1 and _field_of(node, _name(held.pairs[0][0])) is None:
        held = held.pairs[0][1].held
    fields = [_field_of(node, _name(key)) for key, _member in held.pairs] if isinstance(held, Members) else []
    return any(field is not None and field.name not in taken for field in fields)


def _is_choice(choice: Any, held: str) -> bool:
    """Whether a choice is what stands there, in its type too."""
    return choice_text(choice) == held and isinstance(choice, str) is not isinstance(held, Bare)


def merged_members(items: list[Value]) -> Members | None:
    """The members of a list that stands for an object: its items hold one member each, or a key and a value."""
    merged = Members()
    for item in items:
        held = item.held
        if not isinstance(held, Members):
            return None
        named = {fold(_name(key)): member for key, member in held.pairs}
        if len(held.pairs) == 1:
            merged.pairs.append(held.pairs[0])
        elif _is_entry(item):
            merged.pairs.append((named["key"], named["value"]))
        else:
            return None
    return merged


def _is_entry(item: Value) -> bool:
    """Whether an item is a key and a value of a map."""
    held = item.held
    if not isinstance(held, Members) or len(held.pairs) != 2:
        return False
    named = {fold(_name(key)): member for key, member in held.pairs}
    return named.keys() == {"key", "value"} and isinstance(named["key"].held, str)


def _piece_of(value: Value, piece: Piece, is_bare: bool) -> Value:
    """A part of a text, where it stands in it as far as that is known."""
    start, end = value.span
    if end - start == len(str(value.held)):
        start, end = start + piece.start, start + piece.end
    return Value(Bare(piece.text) if is_bare else piece.text, start, end)


def _wrapped_list(item: Node, members: Members) -> Value | None:
    """The list that is an object's only member, where the object is no item itself."""
    if len(members.pairs) != 1:
        return None
    key, held = _name(members.pairs[0][0]), members.pairs[0][1]
    is_item = any(part.kind == "map" or _field_of(part, key) for part in (item, *item.parts))
    is_list = isinstance(held.held, list) or (fold(key) in ITEM_NAMES and not isinstance(held.held, Members))
    is_list = is_list or (isinstance(held.held, Members) and _in_order(held.held) is not None)
    return held if is_list and not is_item else None


def _may_be_item(item: Node, members: Members) -> bool:
    """Whether an object in place of a list can be its only item: one with an item's names, or any object."""
    holds_others = any(isinstance(member.held, list | Members) for _key, member in members.pairs)
    for part in (item, *item.parts):
        is_map = part.kind == "map" and part.item is not None and not (part.item.is_text() and holds_others)
        if is_map or part.kind == "any" or any(_field_of(part, _name(key)) for key, _member in members.pairs):
            return True
    return not members.pairs and not any(field.required for field in item.fields.values())


def _in_order(members: Members) -> list[Value] | None:
    """The values of an object whose keys count them, from 0 or 1 on, behind a word that all of them share or none."""
    keys = [_COUNTED.fullmatch(_name(key)) for key, _member in members.pairs]
    numbered = {int(key["number"]): member for key, (_key, member) in zip(keys, members.pairs, strict=True) if key}
    words = {key and fold(key["word"]) for key in keys}
    first = min(numbered, default=-1)
    is_counted = len(words) == 1 and len(numbered) == len(keys) == max(numbered, default=0) - first + 1
    return [numbered[number] for number in sorted(numbered)] if is_counted and first in (0, 1) else None


def _are_items(item: Node, members: Members) -> bool:
    """Whether more than one member of an object has the names of an item, so that none of them is the one meant."""
    held = [member.held for _key, member in members.pairs if isinstance(member.held, Members)]
    return sum(any(_known(part, one) for part in (item, *item.parts)) for one in held) > 1


def _tag(options: dict[str, Node], value: Value) -> str | None:
    """The option whose name is the only key of an object."""
    if not isinstance(value.held, Members) or len(value.held.pairs) != 1:
        return None
    return _named(options, _name(value.held.pairs[0][0]))


def _named(options: dict[str, Node], name: str) -> str | None:
    """The option that goes by a name: its element's, or its class's."""
    written = fold(name)
    return next((key for key, option in options.items() if written in (fold(key), fold(option.name or key))), None)


def _in_text(node: Node, text: str) -> Value | None:
    """The data inside of a text: JSON with an object or a list, where that is asked for, or a list of bullets."""
    begin = len(text) - len(text.lstrip(BLANK))
    opener = "[" if node.kind in ("list", "tuple") else "{"
    if text.startswith(opener, begin):
        scanned = scan_json(text, begin, (), takes_lists=True)
        return scanned.value if scanned.is_strict and not text[scanned.end :].strip(BLANK) else None
    made = bullets(text) if node is _LIST_OF_TEXTS else None
    for item in made.held if made is not None and isinstance(made.held, list) else ():
        item.held = str(item.held)  # it stood in quotes
    return made


_COUNTED = re.compile(r"(?P<word>\D{0,100})(?P<number>[0-9]{1,9})")

_YAML_NUMBERS = {
    ".nan": Bare("NaN"),
    ".inf": Bare("Infinity"),
    "+.inf": Bare("Infinity"),
    "-.inf": Bare("-Infinity"),
}
"""YAML's own words for numbers that are none."""


def number(text: Bare) -> Any:
    """A number or a truth value as Python's, as far as it is one; else the text."""
    if text in ("true", "false"):
        return text == "true"
    if has_form("int", text):
        return int(text)
    if not text:  # YAML's way to say nothing
        return None
    if not has_form("float", text):
        return str(text)
    number = float(text)
    return number if math.isfinite(number) or not text[-1].isdigit() else str(text)


_ANY = Node("any", nullable=True)
_LIST = Node("list", item=_ANY)
_LIST_OF_TEXTS = Node("list", item=Node("str"))

_READERS: dict[str, Callable[[_Reader, Node, Value, Path], Any]] = {
    "str": _Reader.text,
    "dict": _Reader.of_dict,
    "list": _Reader.of_list,
    "tuple": _Reader.of_tuple,
    "map": _Reader.of_map,
    "union": _Reader.of_union,
    "any": _Reader.of_any,
}
