"""Data of JSON or YAML -> a tree of texts, by the definition: as `values` does it for elements."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ...definition import (
    ABSENT,
    Node,
    Path,
    fold,
)
from ...findings import ProblemKind, RepairKind, Span
from ...limits import MAX_DEPTH
from ...markup import BLANK
from ..reading import LimitReachedError, Reading
from ..scalars.scalars import says_nothing
from ..scalars.text import Text
from ..scalars.trees import typed_tree
from ..written import LOST, Bare, Members, Value
from ..xml.options import by_names, by_text, told
from .data_lists import DataLists
from .data_scalars import is_left_over
from .members import (
    calls_in,
    is_named,
    is_null_word,
    lacks,
    name_of,
    tag_of,
)

__all__ = ["places_of", "plain", "read_data"]

_HOLDERS = ("dict", "list", "map", "tuple", "union")
"""Kinds of what holds other values, or is one of several."""


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


class _Reader(DataLists):
    """Reads the data of one answer. What is lost comes as ABSENT, and is left out of what would hold it."""

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

    def held(self, node: Node, value: Value, path: Path) -> Any:
        if value.held is None:
            return self.null(node, value, path)
        if isinstance(value.held, str) and is_left_over(node, value.held) and not value.is_literal:
            self.invalid(path, "the prompt's placeholder was left in place of a value", value)
            return str(value.held) if node.kind == "str" else None
        if node.kind in _HOLDERS and node.nullable is not False and _is_nothing(node, value):
            self.repair(RepairKind.NULL_WORD, path, value, str(value.held), "null")
            return None
        return _READERS.get(node.kind, _Reader.scalar)(self, node, value, path)

    def null(self, node: Node, value: Value, path: Path) -> None:
        if node.nullable is False and node.kind != "any":
            self.invalid(path, "null is not allowed here", value)

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
        called = self.called_option(node, value)
        if called is not None:
            name, key, arguments = called
            self.repair(RepairKind.WRAPPER_ENTERED, path, key, name_of(key), name_of(key))
            return told(node, options[name], self.typed(options[name], arguments, path), path, self.reading)
        names = self.fitting(node, value)
        if len(names) == 1:
            return told(node, options[names[0]], self.typed(options[names[0]], value, path), path, self.reading)
        message = "fits more than one option" if names else "fits none of the options"
        kind = ProblemKind.AMBIGUOUS if names else ProblemKind.INVALID
        self.reading.problem(kind, path, message, value.span, self.shown(value), tuple(names or options))
        return None

    def called_option(self, node: Node, value: Value) -> tuple[str, Value, Value] | None:
        """The one option that a call names, or, where it names none, that its arguments fit; with the name and the
        value of the arguments.
        """
        objects = {name: option for name, option in node.options().items() if option.kind == "dict"}
        calls = {name: found[0] for name, option in objects.items() if (found := calls_in(option, value, False))}
        named = [name for name in calls if is_named(objects[name], name, value)]
        fitting = named or list(dict.fromkeys(fit for call in calls.values() for fit in self.fitting(node, call[1])))
        return (fitting[0], *calls[fitting[0]]) if len(fitting) == 1 and fitting[0] in calls else None

    def fitting(self, node: Node, value: Value) -> list[str]:
        options = node.options()
        if isinstance(value.held, Members):
            objects = {name: option for name, option in options.items() if option.kind == "dict"}
            called = [name for name, option in objects.items() if calls_in(option, value, is_whole=False)]
            if len(called) == 1:
                return called
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


def _is_nothing(node: Node, value: Value) -> bool:
    """Whether a text in place of what holds other values says that there is none."""
    is_word = node.kind != "union" and is_null_word(value)
    return is_word or (isinstance(value.held, str) and says_nothing(node, value.held.strip(BLANK)))


_READERS: dict[str, Callable[[_Reader, Node, Value, Path], Any]] = {
    "str": _Reader.text,
    "dict": _Reader.of_dict,
    "list": _Reader.of_list,
    "tuple": _Reader.of_tuple,
    "map": _Reader.of_map,
    "union": _Reader.of_union,
    "any": _Reader.of_any,
}
