"""Builds a definition by hand, graph by graph, and copies changed nodes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..errors import DefinitionError
from .document import field_from_document
from .node import MISSING, Field, Node
from .select import steps_of

__all__ = ["add"]


def add(root: Node, path: str, document: Mapping[str, Any], required: bool, default: Any) -> Node:
    """Returns a graph like `root` with one more field, or with another node if `path` names an existing field.

    `path` is dotted and reaches into objects and into the items of lists. All but its last step have to exist.
    """
    steps = steps_of(path)
    given = {} if default is MISSING else {"default": default}
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


def _field(node: Node, steps: list[str], depth: int) -> Field:
    if node.kind != "dict":
        raise DefinitionError(f"a value of type {node.kind!r} has no fields", ".".join(steps[:depth]))
    if steps[depth] not in node.fields:
        known = ", ".join(node.fields) or "none"
        raise DefinitionError(f"no field is called {steps[depth]!r} here; there are: {known}", ".".join(steps))
    return node.fields[steps[depth]]
