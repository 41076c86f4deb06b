"""Data of JSON or YAML -> a tree of texts, by the definition: as `values` does it for elements."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from ..definition import (
    ABSENT,
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
from .members import (
    LIST_OF_TEXTS,
    are_items,
    breaks_off,
    calls_in,
    data_in_text,
    field_of,
    holds_missing,
    in_order,
    is_entry,
    is_filled,
    is_null_word,
    lacks,
    may_be_item,
    may_be_split,
    merged_members,
    name_of,
    tag_of,
    wrapped_list,
)
from .options import by_names, by_text, told
from .reading import LimitReachedError, Reading
from .scalars import Scalar, is_strict, name_at, read_key, read_scalar
from .tables import table_of_entries, table_of_objects
from .text import Text
from .trees import typed_key, typed_tree
from .written import LOST, Bare, Members, Value, move_all, place_all

__all__ = ["is_left_over", "number", "places_of", "plain", "read_data"]

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
                self.cut_holder(value, path, is_complete=not lacks(node, tree))
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
        if node.kind in _HOLDERS and node.nullable is not False and is_null_word(value):
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
        return self.found(node, value, read_scalar(node, raw, raw, marked, name_at(path)), path)

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
        fields = split_fields(str(value.held), name_in(node)) if may_be_split(value) else None
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
        if len(held) == 1 and (node.kind == "dict" or merged is None or not is_entry(held[0])):
            self.reshaped(path, value, held[0])
            self.note_cut(held[0], path)
            return held[0]
        known = merged is not None and all(field_of(node, name_of(key)) for key, _member in merged.pairs)
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
        self.repair(RepairKind.WRAPPER_ENTERED, path, key, name_of(key), name_of(key))
        return self.inside_text(node, arguments, path)

    def inside_text(self, node: Node, value: Value, path: Path) -> Value:
        """The data that a text holds, where a text cannot be what is asked for: JSON inside of JSON's quotes."""
        text = value.held
        inner = data_in_text(node, text) if isinstance(text, str) else None
        if inner is None:
            return value
        place_all(inner, value.span)
        self.repair(RepairKind.FORMAT_READ, path, value, str(text), str(text))
        return inner

    def members(self, node: Node, members: Members, path: Path) -> Iterator[tuple[Value, Value, Field | None]]:
        """The members of an object; in place of a wrapper, those of its members that are still missing."""
        found = [(key, member, field_of(node, name_of(key))) for key, member in members.pairs]
        taken = {field.name for _key, _member, field in found if field is not None}
        self.rivals(node, found, path)
        for key, member, field in found:
            if field is None and holds_missing(node, member, taken):
                yield from self.unwrapped(node, key, member, path, taken)
            else:
                yield key, member, field

    def rivals(self, node: Node, members: list[tuple[Value, Value, Field | None]], path: Path) -> None:
        """Puts on record that more than one member wraps all that is asked for: a draft, and what came of it."""
        whole = [
            (key, member)
            for key, member, field in members
            if field is None and isinstance(member.held, Members) and is_filled(node, member.held)
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
        self.repair(RepairKind.WRAPPER_ENTERED, path, key, name_of(key), name_of(key))
        self.note_cut(wrapper, path)
        for inner, member in wrapper.held.pairs if isinstance(wrapper.held, Members) else ():
            field = field_of(node, name_of(inner))
            if field is None and holds_missing(node, member, taken):
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
        if name_of(key) != name:
            self.repair(RepairKind.NAME_RESPELLED, path, key, name_of(key), name)

    def kept_or_skipped(self, node: Node, key: Value, member: Value, tree: dict[str, Any], path: Path) -> None:
        """A member that the definition does not know: kept as it is by models that allow extras, else skipped."""
        name = name_of(key)
        if node.keeps_extra and name not in tree and name not in node.fields:
            self.put(tree, name, self.value(_ANY, member, (*path, name)))
        else:
            self.skipped(key, path)

    def skipped(self, key: Value, path: Path) -> None:
        self.repair(RepairKind.ELEMENT_SKIPPED, path, key, name_of(key), name_of(key))

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
        value = self.inside_text(LIST_OF_TEXTS if item.is_text() else _LIST, value, path)
        held = value.held
        if isinstance(held, Members):
            inner = wrapped_list(item, held)
            if inner is not None:
                key = held.pairs[0][0]
                self.repair(RepairKind.WRAPPER_ENTERED, path, key, name_of(key), name_of(key))
                return self.items(item, inner, path)
            if not may_be_item(item, held):
                return self.counted(item, value, held, path)
        elif isinstance(held, list):
            return held
        if isinstance(held, str) and not held.strip(BLANK):
            self.reshaped(path, value, None)
            return []
        if item.is_text():
            return self.split(item, value, path) if isinstance(held, str) else self.alone(value, path)
        return self.split_holders(item, value, path) if may_be_split(value) else self.alone(value, path)

    def split_holders(self, item: Node, value: Value, path: Path) -> list[Value]:
        """The same of items that hold others themselves."""
        text = str(value.held)
        table = table_of_objects(text, lambda name: field_of(item, name) is not None) if item.kind == "dict" else None
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
        items = in_order(members) if members.pairs else []
        if items is None and not are_items(item, members):
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
        if is_null_word(value):
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
            if breaks_off(value):
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
        if may_be_split(value):
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
        written = name_of(key)
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
        tag = tag_of(options, value)
        if tag is not None and isinstance(value.held, Members):
            key, inner = value.held.pairs[0]
            self.repair(RepairKind.WRAPPER_ENTERED, path, key, name_of(key), name_of(key))
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
            texts = {fold(name_of(key)): self.shown(member) for key, member in value.held.pairs}
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
            name = name_of(key)
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
                made.setdefault(name_of(key), self.plain(member))
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


def _is_choice(choice: Any, held: str) -> bool:
    """Whether a choice is what stands there, in its type too."""
    return choice_text(choice) == held and isinstance(choice, str) is not isinstance(held, Bare)


def _piece_of(value: Value, piece: Piece, is_bare: bool) -> Value:
    """A part of a text, where it stands in it as far as that is known."""
    start, end = value.span
    if end - start == len(str(value.held)):
        start, end = start + piece.start, start + piece.end
    return Value(Bare(piece.text) if is_bare else piece.text, start, end)


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

_READERS: dict[str, Callable[[_Reader, Node, Value, Path], Any]] = {
    "str": _Reader.text,
    "dict": _Reader.of_dict,
    "list": _Reader.of_list,
    "tuple": _Reader.of_tuple,
    "map": _Reader.of_map,
    "union": _Reader.of_union,
    "any": _Reader.of_any,
}
