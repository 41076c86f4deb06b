"""JSON to the letter that says what a definition asks for, in a tree of texts: nothing of it has to be told.

What JSON has no fault and no surprise in, and that is most of it, needs no places and no record. The JSON scanner of
Python's own library makes plain data of it, and a function for each node of the definition makes the tree of that. It
steps aside for everything else: `json_text` and `data` read that, and give the same for this.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, TypeAlias

from ...definition import ABSENT, Measure, Node, Path, choice_text, walk
from ...limits import MAX_COMPILED, MAX_DEPTH
from ...markup import SURROGATE
from ..scalars.scalars import is_strict
from ..scalars.trees import typed_key, typed_tree
from ..written import Bare, Change, Members, Value
from .data_record import number
from .data_scalars import is_left_over
from .members import ARGUMENTS

__all__ = ["Placed", "clean_reader", "clean_tree", "decoded", "may_be_strict"]

_ODD_BLANK = re.compile("[\x0b\x0c\x1c-\x1f\x85\xa0\u1680\u2000-\u200b\u2028\u2029\u202f\u205f\u3000\ufeff]")
_UNSURE = object()
"""What stands for words of Python's, such as NaN, that are no JSON."""

_DECODER = json.JSONDecoder(
    object_pairs_hook=tuple, parse_float=Bare, parse_int=Bare, parse_constant=lambda _word: _UNSURE
)

Placed: TypeAlias = tuple[Path, Change]
Read: TypeAlias = Callable[[Any, int], Any]
"""Makes the tree of some data, which lies so many levels deep."""


class _AsideError(Exception):
    """There is something to be said, or to be asked."""


def decoded(text: str, start: int) -> tuple[Any, int] | None:
    """The data of what stands from a bracket on, and where it ends; None where that is no JSON to the letter.

    Objects are tuples of their members, numbers are texts.
    """
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None


def clean_tree(node: Node, value: Value) -> tuple[Any, list[Placed]]:
    """The tree of a value of sloppy JSON, where nothing is to be said of any value in it but how its text was spelt:
    those values come with their paths. Else ABSENT.
    """
    changed: list[Placed] = []
    try:
        return clean_reader(node)(_data_of(value, (), changed)), changed
    except RecursionError:
        return ABSENT, changed


def _data_of(value: Value, path: Path, changed: list[Placed]) -> Any:
    held = value.held
    if value.fault is not None or value.is_cut:
        return _UNSURE
    if value.change is not None:
        changed.append((path, value.change))
    if type(held) is Members:
        return tuple([(key.held, _data_of(member, (*path, str(key.held)), changed)) for key, member in held.pairs])
    if type(held) is list:
        return [_data_of(item, (*path, index), changed) for index, item in enumerate(held)]
    return held


def may_be_strict(text: str) -> bool:
    """Whether a text may be JSON to the letter which `decoded` does not take: with blanks of other kinds."""
    return _ODD_BLANK.search(text) is not None


@lru_cache(maxsize=MAX_COMPILED)
def clean_reader(root: Node) -> Callable[[Any], Any]:
    """What makes a tree of such data. It gives ABSENT where it steps aside."""
    read = _Compiler().reader(root)

    def read_clean(data: Any) -> Any:
        try:
            tree = read(data, 0)
        except (_AsideError, KeyError, TypeError, RecursionError):
            return ABSENT
        first = next((item for item in tree if item is not None), None) if isinstance(tree, list) else tree
        return ABSENT if first == {} else tree

    return read_clean


class _Compiler:
    """Makes the readers of nodes, one for each, since graphs have cycles."""

    def __init__(self) -> None:
        self.made: dict[Node, Read] = {}

    def reader(self, node: Node) -> Read:
        def read_later(data: Any, depth: int) -> Any:
            return self.made[node](data, depth)

        if node not in self.made:
            self.made[node] = read_later  # while it is made, on a cycle
            self.made[node] = _or_null(node, _MAKERS.get(node.kind, _Compiler.of_scalar)(self, node))
        return self.made[node]

    def of_dict(self, node: Node) -> Read:
        fields = {name: self.reader(field.node) for name, field in node.fields.items()}
        required = {name for name, field in node.fields.items() if field.required}

        def read(data: Any, depth: int) -> Any:
            if type(data) is not tuple or depth > _DEEP:
                raise _AsideError
            tree = {name: fields[name](value, depth + 1) for name, value in data}
            if len(tree) < len(data) or not required <= tree.keys():
                raise _AsideError
            return tree

        return read

    def of_list(self, node: Node) -> Read:
        assert node.item is not None
        read_item = self.reader(node.item)

        def read(data: Any, depth: int) -> Any:
            if type(data) is not list or depth > _DEEP:
                raise _AsideError
            return [read_item(item, depth + 1) for item in data]

        return read

    def of_tuple(self, node: Node) -> Read:
        read_parts = [self.reader(part) for part in node.parts]

        def read(data: Any, depth: int) -> Any:
            if type(data) is not list or len(data) != len(read_parts) or depth > _DEEP:
                raise _AsideError
            return [read_part(item, depth + 1) for read_part, item in zip(read_parts, data, strict=True)]

        return read

    def of_map(self, node: Node) -> Read:
        assert node.item is not None and node.key is not None
        read_item, key_node = self.reader(node.item), node.key

        def read(data: Any, depth: int) -> Any:
            if type(data) is not tuple or depth > _DEEP:
                raise _AsideError
            tree = {_key(key_node, key): read_item(value, depth + 1) for key, value in data}
            if len({typed_key(key_node, key) for key in tree}) < len(data):
                raise _AsideError
            return tree

        return read

    def of_union(self, node: Node) -> Read:
        options = {name: (option, self.reader(option)) for name, option in node.options().items()}
        is_nested = any(inner.kind == "union" for option in node.parts for inner in walk(option))

        def read(data: Any, depth: int) -> Any:
            if is_nested or (type(data) is str and is_left_over(node, data)):
                raise _AsideError  # where they are nested, the inner data would be measured again and again
            name = Measure().best(node, _plain(node, data, depth))
            if name is None:
                raise _AsideError
            option, read_option = options[name]
            return typed_tree(option, read_option(data, depth))

        return read

    def of_any(self, node: Node) -> Read:
        return partial(_plain, node)

    def of_text(self, node: Node) -> Read:
        def read(data: Any, depth: int) -> Any:
            return _text(node, data)

        return read

    def of_choice(self, node: Node) -> Read:
        choices: dict[tuple[type, str], Any] = {}
        for choice in node.choices:
            choices.setdefault((str if isinstance(choice, str) else Bare, choice_text(choice)), choice)

        def read(data: Any, depth: int) -> Any:
            data = _WORDS.get(data, data) if type(data) is bool else data
            if isinstance(data, str) and is_left_over(node, data):
                raise _AsideError
            return choices[type(data), data]

        return read

    def of_scalar(self, node: Node) -> Read:
        kind, forms = node.kind, _FORMS.get(node.kind, (str, Bare))

        def read(data: Any, depth: int) -> Any:
            data = _WORDS[data] if type(data) is bool else data
            if type(data) in forms and is_strict(kind, data):
                return str(data)
            raise _AsideError

        return read


def _or_null(node: Node, read: Read) -> Read:
    if node.nullable is False and node.kind != "any":
        return read
    return lambda data, depth: None if data is None else read(data, depth)


def _text(node: Node, data: Any) -> str:
    if type(data) is not str or is_left_over(node, data) or not (data.isascii() or SURROGATE.search(data) is None):
        raise _AsideError
    return data


def _key(node: Node, key: str) -> str:
    if key in ARGUMENTS or key.startswith("[") or not (node.kind == "str" or is_strict(node.kind, key)):
        raise _AsideError
    return _text(_TEXT, key)


def _plain(node: Node, data: Any, depth: int) -> Any:
    """Data of any type as Python's."""
    if depth > _DEEP or data is _UNSURE:
        raise _AsideError
    if type(data) is Bare:
        data = number(data)
        if isinstance(data, str):  # too large
            raise _AsideError
    elif type(data) is str:
        return _text(node, data)
    elif type(data) is list:
        return [_plain(node, item, depth + 1) for item in data]
    elif type(data) is tuple:
        tree = {_text(node, key): _plain(node, value, depth + 1) for key, value in data}
        if len(tree) < len(data):
            raise _AsideError
        return tree
    return data


_DEEP = MAX_DEPTH // 2
"""Levels from which on the other reader looks how many are too many."""
_TEXT = Node("str")
_WORDS = {True: Bare("true"), False: Bare("false")}
_FORMS: dict[str, tuple[type, ...]] = dict.fromkeys(("int", "float", "bool"), (Bare,))
"""What stands for scalars of JSON's own kinds; for others it may be quoted or not."""
_MAKERS: dict[str, Callable[[_Compiler, Node], Read]] = {
    "dict": _Compiler.of_dict,
    "list": _Compiler.of_list,
    "tuple": _Compiler.of_tuple,
    "map": _Compiler.of_map,
    "union": _Compiler.of_union,
    "any": _Compiler.of_any,
    "str": _Compiler.of_text,
    "enum": _Compiler.of_choice,
}
