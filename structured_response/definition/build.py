"""Building a definition by hand, and reducing one: graphs from graphs, copying what changes on the way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..errors import DefinitionError
from .document import field_from_document
from .node import ABSENT, Field, Node

__all__ = ["add", "select"]


def add(root: Node, path: str, document: Mapping[str, Any], required: bool, default: Any) -> Node:
    """A graph like `root` with one more field, or another node where `path` names a field already.

    `path` is dotted and reaches into objects and into the items of lists; what lies on the way must be there.
    """
    steps = _steps(path)
    given = {} if default is ABSENT else {"default": default}
    return _add(root, steps, 0, field_from_document(steps[-1], {**document, "required": required, **given}, path))


def _add(node: Node, steps: list[str], depth: int, field: Field) -> Node:
    if node.kind in ("list", "map") and node.item is not None:
        return replace(node, item=_add(node.item, steps, depth, field))
    if node.kind != "dict":
        raise DefinitionError(f"a value of type {node.kind!r} has no fields", ".".join(steps[:depth]))
    name = steps[depth]
    if depth == len(steps) - 1:
        return replace(node, fields={**node.fields, name: field})
    inner = _field(node, steps, depth)
    changed = replace(inner, node=_add(inner.node, steps, depth + 1, field))
    return replace(node, fields={**node.fields, name: changed})


def select(root: Node, include: Iterable[str], exclude: Iterable[str]) -> Node:
    """A graph with the named fields only, or with all but the named ones; in the order of the definition."""
    kept, dropped = list(_paths(include, "include")), list(_paths(exclude, "exclude"))
    if kept and dropped:
        raise DefinitionError("include and exclude do not go together; name the fields in one of them")
    for steps in kept + dropped:
        _follow(root, steps)
    return _keep(root, kept, 0) if kept else _drop(root, dropped, 0)


def _follow(root: Node, steps: list[str]) -> None:
    """Raises `DefinitionError` for a path that leads to no field."""
    node = root
    for depth in range(len(steps)):
        while node.kind in ("list", "map") and node.item is not None:
            node = node.item
        node = _field(node, steps, depth).node


def _paths(paths: Iterable[str], name: str) -> Iterable[list[str]]:
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        raise DefinitionError(f"{name} is a list of paths, not {paths!r}: {name}=[{paths!r}]")
    return (_steps(path) for path in paths)


def _keep(node: Node, paths: list[list[str]], depth: int) -> Node:
    """The node reduced to the fields that some path names; a path that ends here keeps all of it."""
    if any(len(path) == depth for path in paths):
        return node
    if node.kind in ("list", "map") and node.item is not None:
        return replace(node, item=_keep(node.item, paths, depth))
    named = _by_step(node, paths, depth)
    fields = {
        name: replace(field, node=_keep(field.node, named[name], depth + 1))
        for name, field in node.fields.items()
        if name in named
    }
    return replace(node, fields=fields)


def _drop(node: Node, paths: list[list[str]], depth: int) -> Node:
    """The node without the fields at which a path ends."""
    if not paths:
        return node
    if node.kind in ("list", "map") and node.item is not None:
        return replace(node, item=_drop(node.item, paths, depth))
    named = _by_step(node, paths, depth)
    fields = {
        name: replace(field, node=_drop(field.node, named.get(name, []), depth + 1))
        for name, field in node.fields.items()
        if not any(len(path) == depth + 1 for path in named.get(name, []))
    }
    return replace(node, fields=fields)


def _by_step(node: Node, paths: list[list[str]], depth: int) -> dict[str, list[list[str]]]:
    named: dict[str, list[list[str]]] = {}
    for path in paths:
        named.setdefault(path[depth], []).append(path)
    return named


def _field(node: Node, steps: list[str], depth: int) -> Field:
    if node.kind != "dict":
        raise DefinitionError(f"a value of type {node.kind!r} has no fields", ".".join(steps[:depth]))
    if steps[depth] not in node.fields:
        known = ", ".join(node.fields) or "none"
        raise DefinitionError(f"no field is called {steps[depth]!r} here; there are: {known}", ".".join(steps))
    return node.fields[steps[depth]]


def _steps(path: Any) -> list[str]:
    steps = path.split(".") if isinstance(path, str) else [""]
    if not all(steps):
        raise DefinitionError(f"a path is field names with dots between, such as 'parts.points', not {path!r}")
    return steps
