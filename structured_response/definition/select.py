"""Adds a field to a graph, or selects some of its fields, and the same part of data. Fields are named by dotted paths
(`parts.points`), which reach through lists, maps, tuples and unions, or by their class (`{"Part": ["points"]}`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import repeat
from typing import Any, TypeAlias

from ..errors import DefinitionError
from .document import field_from_document
from .node import MISSING, SCALARS, Field, Node, objects_in, shape_key, walk
from .unions import Measure, match_union_option

Selection: TypeAlias = "Iterable[str] | Mapping[str, Iterable[str]] | None"
"""Paths, or names of fields by the name of their class. None selects everything."""

Steps = tuple[str, ...]


def add(root: Node, path: str, document: Mapping[str, Any], required: bool, default: Any) -> Node:
    """Returns a graph with one more field, or with another node for an existing one, at a dotted path into it."""
    steps = _steps_of(path)
    given = {} if default is MISSING else {"default": default}
    return _add(root, steps, 0, field_from_document(steps[-1], {**document, "required": required, **given}, path))


def _add(node: Node, steps: Steps, depth: int, field: Field) -> Node:
    if node.kind in ("list", "map") and node.item is not None:
        return replace(node, item=_add(node.item, steps, depth, field))
    objects = [node] if node.kind == "dict" else []
    if not objects or depth < len(steps) - 1:
        (outer,) = _next_fields(objects, node.kind, steps, depth)
        field = replace(outer, node=_add(outer.node, steps, depth + 1, field))
    return replace(node, fields={**node.fields, steps[depth]: field})


def select(root: Node, include: Selection, exclude: Selection) -> Node:
    """Returns a graph with only the named fields, or with all but the named ones. Raises `DefinitionError`."""
    kept, dropped = _named(root, include, "include"), _named(root, exclude, "exclude")
    if kept and dropped:
        raise DefinitionError("include and exclude do not go together; name the fields in one of them")
    if not (named := kept or dropped):
        return root
    classes, paths = (named, frozenset[Steps]()) if isinstance(named, dict) else ({}, named)
    return _Selected(classes, bool(kept)).node(root, paths)


def _named(root: Node, given: Selection, way: str) -> frozenset[Steps] | dict[str, set[str]]:
    if isinstance(given, Mapping):
        return _fields_of_classes(root, given, way)
    if isinstance(given, str) or (given is not None and not isinstance(given, Iterable)):
        raise DefinitionError(f"{way} is a list of paths, not {given!r}: {way}=[{given!r}]")
    paths = list(map(_steps_of, given or ()))
    for steps in paths:
        nodes = [root]
        for depth in range(len(steps)):
            objects = [inner for node in nodes for inner in objects_in(node)]
            kind = next((inner.kind for inner in walk(nodes[0]) if inner.kind in SCALARS), nodes[0].kind)
            nodes = [field.node for field in _next_fields(objects, kind, steps, depth)]
    return frozenset(paths)


def _steps_of(path: Any) -> Steps:
    steps = path.split(".") if isinstance(path, str) else [""]
    if not all(steps):
        raise DefinitionError(f"a path is field names with dots between, such as 'parts.points', not {path!r}")
    return tuple(steps)


def _next_fields(objects: list[Node], kind: str, steps: Steps, depth: int) -> list[Field]:
    if not objects:
        raise DefinitionError(f"a value of type {kind!r} has no fields", ".".join(steps[:depth]))
    found = [inner.fields[steps[depth]] for inner in objects if steps[depth] in inner.fields]
    return found or _no_field(steps[depth], [name for inner in objects for name in inner.fields], ".".join(steps))


def _no_field(name: str, known: Iterable[str], path: str) -> Any:
    there = ", ".join(dict.fromkeys(known)) or "none"
    raise DefinitionError(f"no field is called {name!r} here; there are: {there}", path)


def _fields_of_classes(root: Node, given: Mapping[str, Iterable[str]], way: str) -> dict[str, set[str]]:
    classes: dict[str, set[str]] = {}
    for node in walk(root):
        if node.kind == "dict" and node.name:
            classes.setdefault(node.name, set()).update(node.fields)
    named: dict[str, set[str]] = {}
    for name, fields in given.items():
        if name not in classes:
            known = ", ".join(sorted(classes))
            raise DefinitionError(f"no class is called {name!r} here; there are: {known}", str(name))
        if isinstance(fields, str) or not isinstance(fields, Iterable):
            raise DefinitionError(f"{way} names a list of fields for each class, not {fields!r}", name)
        named[name] = set(fields := list(fields))
        for unknown in (field for field in fields if field not in classes[name]):
            _no_field(unknown, sorted(classes[name]), f"{name}.{unknown}")
    return named


class _Selected:
    """Copies a graph without the fields that are not asked for. Cycles and shared shapes are preserved."""

    def __init__(self, classes: dict[str, set[str]], keeps: bool) -> None:
        self.classes = classes
        self.keeps = keeps
        self.nodes: dict[tuple[int, frozenset[Steps]], Node] = {}
        self.fields: dict[tuple[int, frozenset[Steps]], dict[str, Field]] = {}

    def node(self, node: Node, paths: frozenset[Steps]) -> Node:
        if not self.classes and (() in paths if self.keeps else not paths):
            return node
        made = self.nodes.get((id(node), paths))
        if made is None:
            made = self.nodes[id(node), paths] = replace(node)  # filled in place, since it may be recursive
            made.fields = self.fields_of(node, paths)
            made.item = node.item and self.node(node.item, paths)
            made.parts = tuple(self.node(part, paths) for part in node.parts)
        return made

    def fields_of(self, node: Node, paths: frozenset[Steps]) -> dict[str, Field]:
        key = (shape_key(node), paths)
        if key not in self.fields:
            made = self.fields[key] = {}
            for name, field in node.fields.items():
                rest = frozenset(path[1:] for path in paths if path[0] == name)
                if self.is_wanted(node.name, name, rest):
                    made[name] = replace(field, node=self.node(field.node, rest))
        return self.fields[key]

    def is_wanted(self, class_name: str | None, field: str, rest: frozenset[Steps]) -> bool:
        if self.classes:
            return class_name not in self.classes or (field in self.classes[class_name]) is self.keeps
        return bool(rest) if self.keeps else () not in rest


def kept(whole: Node, part: Node, data: Any, measure: Measure | None = None) -> Any:
    """Returns the part of data that a selection of its graph asks for."""
    if whole is part or whole.kind != part.kind or whole.kind in SCALARS or not isinstance(data, dict | list):
        return data
    measure = measure or Measure()
    if whole.kind == "union":
        name = match_union_option(whole, data, measure)
        index = -1 if name is None else list(whole.options()).index(name)
        return data if name is None else kept(whole.parts[index], part.parts[index], data, measure)
    if isinstance(data, list):
        nodes = zip(whole.parts or repeat(whole.item), part.parts or repeat(part.item), data, strict=False)
        return [kept(*each, measure) for each in nodes]  # type: ignore[arg-type]
    if whole.item is not None and part.item is not None:
        return {key: kept(whole.item, part.item, value, measure) for key, value in data.items()}
    made: dict[str, Any] = {}
    for name, value in data.items():
        if name not in whole.fields:  # of a model that keeps extra fields
            made[name] = value
        elif name in part.fields:
            made[name] = kept(whole.fields[name].node, part.fields[name].node, value, measure)
    return made
