"""Reads strict JSON that fits a definition as the tree of its texts. Clean YAML has the same readers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ...definition import Measure, Node, Path, Plan, choice_text, has_form, per_plan
from ...definition.node import MAX_DEPTH
from ...escaping import BLANK, UNDOUBLED, is_encodable
from ...findings import Repair, Span
from ...lazy import Lazy
from ...render.placeholder import is_placeholder, is_words
from ..answer import MAX_REPLY
from .around import has_rival
from .nodes import UNREADABLE, Form, Mended, Read, Reader, compiled, typer
from .texts import AsideError


class Clean(NamedTuple):
    """The tree of texts of an answer, its span and its repairs."""

    tree: Any
    span: Span
    repairs: list[Repair]


class Bare(str):
    """A scalar without quotes, as its characters. A Python number would lose digits."""

    __slots__ = ()


class Meant(str):
    """A text that its writer marked as different from the prompt's placeholder."""

    __slots__ = ()


_mended_json = Lazy("read.fast.mended_json")
_BRACKETS = {"dict": "{", "list": "[", "tuple": "["}
_WORDS = {True: Bare("true"), False: Bare("false")}
_BARE_KINDS = ("int", "float", "bool")
"""Kinds that have their own form in JSON. Others may be quoted or not."""
_DEEP = MAX_DEPTH // 2
"""Depth from which on the careful reader checks the limit."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise AsideError
    return made


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=Bare, parse_int=Bare, parse_constant=Bare)
_LOST = re.compile(rf"\\{UNDOUBLED}")
_UNDOUBLED = re.compile(rf"(?:[^\\]++|\\(?!{UNDOUBLED}).)*+\\.", re.DOTALL)
"""A text with a backslash that its writer did not double."""

_FENCE = re.compile(r"\s*+(?:```|~~~)[ \t]*+\w*+[ \t\r]*+\n\s*+\Z")


@per_plan
def fast_json(plan: Plan) -> Callable[..., Clean | None]:
    """Returns the function that reads a reply with clean JSON: with `mends` repaired, with `is_told` also a scalar."""
    bracket, read_root = _BRACKETS.get(plan.root.kind), data_reader(plan)

    def read(reply: str, mends: bool = False, is_told: bool = False) -> Clean | None:
        start = reply.find(bracket) if bracket is not None else len(reply) - len(reply.lstrip(BLANK)) if is_told else -1
        if start < 0 or len(reply) > MAX_REPLY or not is_encodable(reply):
            return None
        if _LOST.search(reply) and _UNDOUBLED.match(reply):
            return None
        found = read_strict(reply, start)
        if found is None and mends and reply.find("<", 0, start) < 0:
            mended = _mended_json.mend(reply, start)
            found = read_strict(mended.text, start) if mended is not None else None
            if found is None or found.span[1] <= mended.last:
                return None
            found = Clean(found.tree, mended.place(*found.span), mended.repairs)
        return found

    def read_strict(reply: str, start: int) -> Clean | None:
        try:
            data, end = _DECODER.raw_decode(reply, start)
            if not _is_alone(reply, start, end):
                return None
            tree = read_root(Meant(data) if reply.startswith('"\\u', start) else data, (), None)
        except UNREADABLE:
            return None
        is_empty = tree in (None, {}) or (isinstance(tree, list) and {} in tree)
        is_whole = not reply[:start].strip(BLANK) and not reply[end:].strip(BLANK)
        return None if is_empty and not is_whole else Clean(tree, (start, end), [])

    return read


@per_plan
def data_reader(plan: Plan) -> Read:
    """Returns the function that makes the tree of plain data whose numbers are `Bare`."""
    return compiled(plan.root, _DATA)


def _is_alone(reply: str, start: int, end: int) -> bool:
    """Returns whether the text around the answer holds no other one."""
    is_first = not reply[:start].strip(BLANK) or _FENCE.match(reply, 0, start) is not None
    is_last = end == len(reply) or not reply[end:].strip(BLANK)
    return (is_first and is_last) or not has_rival(reply, 0 if is_first else start, end)


def _held(kind: type, data: Any, path: Path) -> Any:
    if type(data) is not kind or len(path) > _DEEP:
        raise AsideError
    return data


def _entries(data: Any, path: Path) -> Any:
    return _held(dict, data, path).items()


def _text(node: Node, data: Any) -> str:
    """Returns a text. Steps aside if it is a placeholder of the prompt or holds lone surrogates."""
    if type(data) is Meant and is_encodable(data):
        return str(data)
    if type(data) is not str or not is_encodable(data) or (data and data[0] == "[" and is_placeholder(node, data)):
        raise AsideError
    if data and data[-1] == ")" and is_words(node, data):
        raise AsideError
    return data


def _choice(node: Node) -> Read:
    choices: dict[tuple[type, str], Any] = {}
    for choice in node.choices:
        choices.setdefault((str if isinstance(choice, str) else Bare, choice_text(choice)), choice)

    def read(data: Any, path: Path, mended: list[Mended] | None) -> Any:
        data = _WORDS[data] if type(data) is bool else str(data) if type(data) is Meant else data
        return choices[type(data), data]

    return read


def _scalar(node: Node) -> Read:
    kind, forms = node.kind, (Bare,) if node.kind in _BARE_KINDS else (Bare, str)

    def read(data: Any, path: Path, mended: list[Mended] | None) -> Any:
        data = _WORDS[data] if type(data) is bool else data
        if type(data) in forms and has_form(kind, data):
            return str(data)
        raise AsideError

    return read


_ANY = Node("any", nullable=True)


def _union(node: Node, reader: Reader) -> Read:
    options = {name: (typer(option), reader(option)) for name, option in node.options().items()}

    def read(data: Any, path: Path, mended: list[Mended] | None) -> Any:
        type_tree, read_option = options[Measure().best(node, _plain(_ANY, data, len(path))) or ""]
        return type_tree(read_option(data, path, mended))

    return read


def _plain(node: Node, data: Any, depth: int) -> Any:
    if depth > _DEEP:
        raise AsideError
    if type(data) is Bare:
        if not has_form("float", data):  # too large
            raise AsideError
        return int(data) if has_form("int", data) else float(data)
    if isinstance(data, str):
        return _text(node, data)
    if type(data) is list:
        return [_plain(node, item, depth + 1) for item in data]
    if type(data) is dict:
        return {_text(node, key): _plain(node, value, depth + 1) for key, value in data.items()}
    return data


def _reader(node: Node, reader: Reader) -> Read:
    if node.kind == "str":
        return lambda data, path, mended: _text(node, data)
    if node.kind == "any":
        return lambda data, path, mended: _plain(node, data, len(path))
    return _union(node, reader) if node.kind == "union" else (_choice if node.kind == "enum" else _scalar)(node)


def _or_null(node: Node, read: Read, reader: Reader) -> Read:
    if node.nullable is False and node.kind != "any":
        return read
    return lambda data, path, mended: None if data is None else read(data, path, mended)


_DATA = Form(partial(_held, dict), _entries, partial(_held, list), _reader, _or_null)
