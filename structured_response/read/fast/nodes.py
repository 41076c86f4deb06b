"""Readers of container nodes, shared by lxml's elements and JSON's data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from ...data.validators import typed
from ...definition import Node, Path, Plan, has_form
from ...definition.names import MAX_COMPILED
from ...render.placeholder import is_key_placeholder
from ..values.text import Change
from .texts import AsideError

Mended: TypeAlias = tuple[Any, Path, Change]
"""A change to a value that was not in its strict form, with what holds the value, and its path."""

Read: TypeAlias = Callable[[Any, Path, "list[Mended] | None"], Any]
"""Makes the tree of a node's content at a path, and adds the values that it mended to a list. It raises one of
`UNREADABLE` to step aside.
"""

Reader: TypeAlias = Callable[[Node], Read]

UNREADABLE = (AsideError, KeyError, TypeError, ValueError, RecursionError)
"""The exceptions that pass a reply on to the careful reader."""

_ARGUMENTS = frozenset({"arguments", "parameters", "input", "args", "action_input", "tool_input"})
"""Keys of the arguments of a tool call."""


class Form(NamedTuple):
    """The access to data: members by name, entries by key, items. They raise `AsideError` for data of another shape.

    `readers` makes the readers of scalars and unions; `finish` completes the reader of a node, for example by its
    nullability.
    """

    members: Callable[[Any, Path], dict[str, Any]]
    entries: Callable[[Any, Path], Sequence[tuple[str, Any]]]
    items: Callable[[Any, Path], Sequence[Any]]
    readers: Callable[[Node, Reader], Read]
    finish: Callable[[Node, Read, Reader], Read]


def compiled(root: Node, form: Form) -> Read:
    """Returns the reader of a graph. Each node's own reader is made once, since graphs have cycles."""
    made: dict[Node, Read] = {}

    def reader(node: Node) -> Read:
        if node not in made:
            made[node] = lambda held, path, mended: made[node](held, path, mended)  # noqa: PLW0108 - made[node] will change
            make = _HOLDERS.get(node.kind)
            made[node] = form.finish(node, make(node, form, reader) if make else form.readers(node, reader), reader)
        return made[node]

    return reader(root)


def _dict(node: Node, form: Form, reader: Reader) -> Read:
    fields = {name: reader(field.node) for name, field in node.fields.items()}
    required = {name for name, field in node.fields.items() if field.required}
    members_of = form.members

    def read(held: Any, path: Path, mended: list[Mended] | None) -> Any:
        members = members_of(held, path)
        if len(members) < len(held) or not required <= members.keys() <= fields.keys():
            raise AsideError
        return {
            name: read_field(members[name], (*path, name), mended)
            for name, read_field in fields.items()
            if name in members
        }

    return read


def _list(node: Node, form: Form, reader: Reader) -> Read:
    assert node.item is not None
    read_item, items_of = reader(node.item), form.items
    return lambda held, path, mended: [
        read_item(item, (*path, index), mended) for index, item in enumerate(items_of(held, path))
    ]


def _tuple(node: Node, form: Form, reader: Reader) -> Read:
    parts = list(map(reader, node.parts))
    return lambda held, path, mended: [
        read(item, (*path, index), mended)
        for index, (read, item) in enumerate(zip(parts, form.items(held, path), strict=True))
    ]


def _map(node: Node, form: Form, reader: Reader) -> Read:
    assert node.item is not None and node.key is not None
    read_item, key_node = reader(node.item), node.key
    kind = key_node.kind
    meaning = _MEANINGS.get(kind)

    def is_odd(key: str) -> bool:
        return key in _ARGUMENTS or is_key_placeholder(key_node, key) or not has_form(kind, key)

    def read(held: Any, path: Path, mended: list[Mended] | None) -> Any:
        entries = form.entries(held, path)
        tree = {key: read_item(value, (*path, key), mended) for key, value in entries}
        if any(map(is_odd, tree)):
            raise AsideError
        if len(entries) > 1 and (meaning is None or len(set(map(meaning, tree))) < len(entries)):
            raise AsideError  # 1 and 1.0 are one key of a map of floats
        return tree

    return read


_MEANINGS: dict[str, Callable[[str], object]] = {"str": str, "int": int, "bool": str, "enum": str, "date": str}
"""The functions that tell keys of a map apart. A key of any other kind has several spellings."""

_HOLDERS: dict[str, Callable[[Node, Form, Reader], Read]] = {"dict": _dict, "list": _list, "tuple": _tuple, "map": _map}


@lru_cache(maxsize=MAX_COMPILED)
def typer(option: Node) -> Callable[[Any], Any]:
    """Returns the function that types a tree of texts by an option of a union. The option cannot be recovered later."""
    return typed(Plan("Option", option)).validate_python
