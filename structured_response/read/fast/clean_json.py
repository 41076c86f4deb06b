"""JSON to the letter that says what a definition asks for -> the tree of its texts.

The JSON scanner of Python's own library makes plain data of it, objects as tuples of their members and numbers as
texts; a function for each node of the definition makes the tree of that, or steps aside.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from ...definition import Measure, Node, Plan, choice_text, has_form, is_placeholder, is_words, per_plan, walk
from ...findings import Span
from ...limits import MAX_DEPTH, MAX_REPLY
from ...markup import BLANK, is_encodable
from ..values.trees import typed_key, typed_tree
from .around import has_rival
from .texts import ASIDE, AsideError

__all__ = ["CleanJson", "fast_json"]


class CleanJson(NamedTuple):
    """The tree of the texts of an answer in JSON, and where that stands."""

    tree: Any
    span: Span


class _Bare(str):
    """A scalar without quotes, as its characters: a number of Python loses digits."""

    __slots__ = ()


_Read: TypeAlias = Callable[[Any, int], Any]
"""Makes the tree of some data, which lies so many levels deep. Raises `AsideError`, `KeyError` and `TypeError`."""

_BRACKETS = {"dict": "{", "map": "{", "list": "[", "tuple": "["}
_UNSURE = object()
"""Stands for words of Python's, such as NaN, that are no JSON."""
_WORDS = {True: _Bare("true"), False: _Bare("false")}
_BARE_KINDS = ("int", "float", "bool")
"""Kinds that JSON has a form of its own for; others may be quoted or not."""
_ARGUMENTS = frozenset({"arguments", "parameters", "input", "args", "action_input", "tool_input"})
"""Keys that the arguments of a call go by."""
_DEEP = MAX_DEPTH // 2
"""Levels from which on the careful reader looks how many are too many."""
_DECODER = json.JSONDecoder(
    object_pairs_hook=tuple, parse_float=_Bare, parse_int=_Bare, parse_constant=lambda _word: _UNSURE
)
_FENCE = re.compile(r"(?:```|~~~)[ \t]*+\w*+[ \t\r]*+\n\s*+\Z")


@per_plan
def fast_json(plan: Plan) -> Callable[[str], CleanJson | None]:
    """Return the function that reads a reply whose answer is clean JSON: the whole reply, or with a fence or words
    around it that hold no other brackets.
    """
    bracket = _BRACKETS.get(plan.root.kind)
    read_root = _Compiler().reader(plan.root)

    def read(reply: str) -> CleanJson | None:
        start = -1 if bracket is None or len(reply) > MAX_REPLY else reply.find(bracket)
        if start < 0:
            return None
        try:
            data, end = _DECODER.raw_decode(reply, start)
            if not _is_alone(reply, start, end) or not is_encodable(reply):
                return None
            return CleanJson(_filled(read_root(data, 0)), (start, end))
        except (AsideError, KeyError, TypeError, ValueError, RecursionError):
            return None

    return read


def _is_alone(reply: str, start: int, end: int) -> bool:
    """Whether nothing stands around the answer that could be another one."""
    if start and reply[:start].strip(BLANK) and not _FENCE.match(reply.lstrip(BLANK), 0, start):
        return not has_rival(reply, start, end)
    return end == len(reply) or not reply[end:].strip(BLANK) or not has_rival(reply, 0, end)


def _filled(tree: Any) -> Any:
    """The tree, unless it is an object that says nothing, or a list of such."""
    first = next((item for item in tree if item is not None), None) if isinstance(tree, list) else tree
    if first == {}:
        raise ASIDE
    return tree


class _Compiler:
    """Makes the readers of nodes, one for each, since graphs have cycles."""

    def __init__(self) -> None:
        self.made: dict[Node, _Read] = {}

    def reader(self, node: Node) -> _Read:
        if node not in self.made:
            self.made[node] = partial(self.read_later, node)  # while it is made, on a cycle
            self.made[node] = _or_null(node, _MAKERS.get(node.kind, _Compiler.of_scalar)(self, node))
        return self.made[node]

    def read_later(self, node: Node, data: Any, depth: int) -> Any:
        return self.made[node](data, depth)

    def of_dict(self, node: Node) -> _Read:
        fields = {name: self.reader(field.node) for name, field in node.fields.items()}
        required = {name for name, field in node.fields.items() if field.required}

        def read(data: Any, depth: int) -> Any:
            if type(data) is not tuple or depth > _DEEP:
                raise ASIDE
            tree = {name: fields[name](value, depth + 1) for name, value in data}
            if len(tree) < len(data) or not required <= tree.keys():
                raise ASIDE
            return tree

        return read

    def of_list(self, node: Node) -> _Read:
        assert node.item is not None
        read_item = self.reader(node.item)

        def read(data: Any, depth: int) -> Any:
            if type(data) is not list or depth > _DEEP:
                raise ASIDE
            return [read_item(item, depth + 1) for item in data]

        return read

    def of_tuple(self, node: Node) -> _Read:
        read_parts = [self.reader(part) for part in node.parts]

        def read(data: Any, depth: int) -> Any:
            if type(data) is not list or len(data) != len(read_parts) or depth > _DEEP:
                raise ASIDE
            return [read_part(item, depth + 1) for read_part, item in zip(read_parts, data, strict=True)]

        return read

    def of_map(self, node: Node) -> _Read:
        assert node.item is not None and node.key is not None
        read_item, key_node = self.reader(node.item), node.key

        def read(data: Any, depth: int) -> Any:
            if type(data) is not tuple or depth > _DEEP:
                raise ASIDE
            tree = {_key(key_node, key): read_item(value, depth + 1) for key, value in data}
            if len({typed_key(key_node, key) for key in tree}) < len(data):
                raise ASIDE
            return tree

        return read

    def of_union(self, node: Node) -> _Read:
        options = {name: (option, self.reader(option)) for name, option in node.options().items()}
        is_nested = any(inner.kind == "union" for option in node.parts for inner in walk(option))

        def read(data: Any, depth: int) -> Any:
            if is_nested or (type(data) is str and _is_echo(node, data)):
                raise ASIDE  # where they are nested, the inner data would be measured again and again
            option, read_option = options[Measure().best(node, _plain(node, data, depth)) or ""]
            return typed_tree(option, read_option(data, depth))

        return read

    def of_any(self, node: Node) -> _Read:
        return lambda data, depth: _plain(node, data, depth)

    def of_text(self, node: Node) -> _Read:
        return lambda data, depth: _text(node, data)

    def of_choice(self, node: Node) -> _Read:
        choices: dict[tuple[type, str], Any] = {}
        for choice in node.choices:
            choices.setdefault((str if isinstance(choice, str) else _Bare, choice_text(choice)), choice)

        def read(data: Any, depth: int) -> Any:
            data = _WORDS[data] if type(data) is bool else data
            if isinstance(data, str) and _is_echo(node, data):
                raise ASIDE
            return choices[type(data), data]

        return read

    def of_scalar(self, node: Node) -> _Read:
        kind, forms = node.kind, (_Bare,) if node.kind in _BARE_KINDS else (_Bare, str)

        def read(data: Any, depth: int) -> Any:
            data = _WORDS[data] if type(data) is bool else data
            if type(data) in forms and data and has_form(kind, data):
                return str(data)
            raise ASIDE

        return read


_MAKERS: dict[str, Callable[[_Compiler, Node], _Read]] = {
    "dict": _Compiler.of_dict,
    "list": _Compiler.of_list,
    "tuple": _Compiler.of_tuple,
    "map": _Compiler.of_map,
    "union": _Compiler.of_union,
    "any": _Compiler.of_any,
    "str": _Compiler.of_text,
    "enum": _Compiler.of_choice,
}


def _or_null(node: Node, read: _Read) -> _Read:
    if node.nullable is False and node.kind != "any":
        return read
    return lambda data, depth: None if data is None else read(data, depth)


def _is_echo(node: Node, text: str) -> bool:
    """Whether a text is what a prompt showed in its place, in XML or in a signature."""
    if text.startswith("["):
        return node.kind == "str" and is_placeholder(node, text)
    return text.endswith(")") and is_words(node, text)


def _text(node: Node, data: Any) -> str:
    if type(data) is not str or _is_echo(node, data) or not is_encodable(data):
        raise ASIDE
    return data


def _key(node: Node, key: str) -> str:
    if key in _ARGUMENTS or key.startswith("[") or not (node.kind == "str" or (key and has_form(node.kind, key))):
        raise ASIDE
    return _text(node, key)


def _plain(node: Node, data: Any, depth: int) -> Any:
    """Data of any type as Python's."""
    if depth > _DEEP or data is _UNSURE:
        raise ASIDE
    if type(data) is _Bare:
        if has_form("int", data):
            return int(data)
        if not has_form("float", data):  # too large
            raise ASIDE
        return float(data)
    if type(data) is str:
        return _text(node, data)
    if type(data) is list:
        return [_plain(node, item, depth + 1) for item in data]
    if type(data) is tuple:
        tree = {_text(node, key): _plain(node, value, depth + 1) for key, value in data}
        if len(tree) < len(data):
            raise ASIDE
        return tree
    return data
