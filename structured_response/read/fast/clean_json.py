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
from .around import has_rival
from .texts import ASIDE, AsideError, check_keys, typer

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

_Reader: TypeAlias = Callable[[Node], _Read]

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
_FENCE = re.compile(r"\s*+(?:```|~~~)[ \t]*+\w*+[ \t\r]*+\n\s*+\Z")


@per_plan
def fast_json(plan: Plan) -> Callable[[str], CleanJson | None]:
    """Return the function that reads a reply whose answer is clean JSON: the whole reply, or with a fence or words
    around it that hold no other brackets.
    """
    bracket, read_root = _BRACKETS.get(plan.root.kind), _compiled(plan.root)

    def read(reply: str) -> CleanJson | None:
        start = -1 if bracket is None or len(reply) > MAX_REPLY else reply.find(bracket)
        if start < 0 or not is_encodable(reply):
            return None
        try:
            data, end = _DECODER.raw_decode(reply, start)
            if not _is_alone(reply, start, end):
                return None
            tree = read_root(data, 0)
        except (AsideError, KeyError, TypeError, ValueError, RecursionError):
            return None
        return None if tree == {} or (isinstance(tree, list) and {} in tree) else CleanJson(tree, (start, end))

    return read


def _is_alone(reply: str, start: int, end: int) -> bool:
    """Whether nothing stands around the answer that could be another one."""
    is_first = not reply[:start].strip(BLANK) or _FENCE.match(reply, 0, start) is not None
    is_last = end == len(reply) or not reply[end:].strip(BLANK)
    return (is_first and is_last) or not has_rival(reply, 0 if is_first else start, end)


def _compiled(root: Node) -> _Read:
    """The reader of some data. Each node has one of its own, made once, since graphs have cycles."""
    made: dict[Node, _Read] = {}

    def reader(node: Node) -> _Read:
        if node not in made:
            made[node] = lambda data, depth: made[node](data, depth)  # noqa: PLW0108 - made[node] will change
            read = _READERS.get(node.kind, _scalar)(node, reader)
            may_be_null = node.nullable is not False or node.kind == "any"
            made[node] = (lambda data, depth: None if data is None else read(data, depth)) if may_be_null else read
        return made[node]

    return reader(root)


def _dict(node: Node, reader: _Reader) -> _Read:
    fields = {name: reader(field.node) for name, field in node.fields.items()}
    required = {name for name, field in node.fields.items() if field.required}

    def read(data: Any, depth: int) -> Any:
        tree = {name: fields[name](value, depth + 1) for name, value in _held(tuple, data, depth)}
        if len(tree) < len(data) or not required <= tree.keys():
            raise ASIDE
        return tree

    return read


def _list(node: Node, reader: _Reader) -> _Read:
    assert node.item is not None
    read_item = reader(node.item)
    return lambda data, depth: [read_item(item, depth + 1) for item in _held(list, data, depth)]


def _tuple(node: Node, reader: _Reader) -> _Read:
    parts = list(map(reader, node.parts))
    return lambda data, depth: [
        read(item, depth + 1) for read, item in zip(parts, _held(list, data, depth), strict=True)
    ]


def _map(node: Node, reader: _Reader) -> _Read:
    assert node.item is not None and node.key is not None
    read_item, key_node = reader(node.item), node.key

    def read(data: Any, depth: int) -> Any:
        tree = {_key(key_node, key): read_item(value, depth + 1) for key, value in _held(tuple, data, depth)}
        check_keys(key_node, [key for key, _ in data])
        return tree

    return read


def _union(node: Node, reader: _Reader) -> _Read:
    options = {name: (typer(option), reader(option)) for name, option in node.options().items()}
    is_nested = any(inner.kind == "union" for option in node.parts for inner in walk(option))

    def read(data: Any, depth: int) -> Any:
        if is_nested or (type(data) is str and _is_echo(node, data)):
            raise ASIDE  # where they are nested, the inner data would be measured again and again
        type_tree, read_option = options[Measure().best(node, _plain(node, data, depth)) or ""]
        return type_tree(read_option(data, depth))

    return read


def _any(node: Node, reader: _Reader) -> _Read:
    return partial(_plain, node)


def _text(node: Node, reader: _Reader) -> _Read:
    return lambda data, depth: _checked_text(node, data)


def _choice(node: Node, reader: _Reader) -> _Read:
    choices: dict[tuple[type, str], Any] = {}
    for choice in node.choices:
        choices.setdefault((str if isinstance(choice, str) else _Bare, choice_text(choice)), choice)

    def read(data: Any, depth: int) -> Any:
        data = _WORDS[data] if type(data) is bool else data
        if isinstance(data, str) and _is_echo(node, data):
            raise ASIDE
        return choices[type(data), data]

    return read


def _scalar(node: Node, reader: _Reader) -> _Read:
    kind, forms = node.kind, (_Bare,) if node.kind in _BARE_KINDS else (_Bare, str)

    def read(data: Any, depth: int) -> Any:
        data = _WORDS[data] if type(data) is bool else data
        if type(data) in forms and data and has_form(kind, data):
            return str(data)
        raise ASIDE

    return read


_READERS: dict[str, Callable[[Node, _Reader], _Read]] = {
    "dict": _dict,
    "list": _list,
    "tuple": _tuple,
    "map": _map,
    "union": _union,
    "any": _any,
    "str": _text,
    "enum": _choice,
}


def _held(kind: type, data: Any, depth: int) -> Any:
    """What some data holds that has to be of a kind, objects as tuples."""
    if type(data) is not kind or depth > _DEEP:
        raise ASIDE
    return data


def _is_echo(node: Node, text: str) -> bool:
    """Whether a text is what a prompt showed in its place, in XML or in a signature."""
    if text.startswith("["):
        return node.kind == "str" and is_placeholder(node, text)
    return text.endswith(")") and is_words(node, text)


def _checked_text(node: Node, data: Any) -> str:
    if type(data) is not str or _is_echo(node, data) or not is_encodable(data):
        raise ASIDE
    return data


def _key(node: Node, key: str) -> str:
    if key in _ARGUMENTS or key.startswith("[") or not (node.kind == "str" or (key and has_form(node.kind, key))):
        raise ASIDE
    return _checked_text(node, key)


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
        return _checked_text(node, data)
    if type(data) is list:
        return [_plain(node, item, depth + 1) for item in data]
    if type(data) is tuple:
        tree = {_checked_text(node, key): _plain(node, value, depth + 1) for key, value in data}
        if len(tree) < len(data):
            raise ASIDE
        return tree
    return data
