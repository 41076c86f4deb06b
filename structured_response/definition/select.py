"""Selects some fields of a graph, and of data.

Fields are named by dotted paths (`parts.points`), which reach into objects and through lists, maps, tuples and unions,
or by their class (`{"Part": ["points"]}`), wherever it occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from ..errors import DefinitionError
from .node import SCALARS, Field, Node, children, walk
from .shapes import shape_key
from .unions import Measure, match_union_option

__all__ = ["Selection", "kept", "select", "steps_of"]

Selection: TypeAlias = "Iterable[str] | Mapping[str, Iterable[str]] | None"
"""Paths, or names of fields by the name of their class. None selects everything."""


def select(root: Node, include: Selection, exclude: Selection) -> Node:
    """Returns a graph with only the named fields, or with all but the named ones, in the order of the definition.

    Raises `DefinitionError` for an unknown path, class or field, and if both selections are given.
    """
    kept, dropped = _named(root, include, "include"), _named(root, exclude, "exclude")
    if kept and dropped:
        raise DefinitionError("include and exclude do not go together; name the fields in one of them")
    named, keeps = kept or dropped, bool(kept)
    if not named:
        return root
    try:
        return _OfClasses(named, keeps).node(root) if isinstance(named, dict) else _BY_PATH[keeps](root, named, 0)
    except RecursionError as error:
        raise DefinitionError("a path leads through lists that hold themselves") from error


def _named(root: Node, given: Selection, way: str) -> list[list[str]] | dict[str, set[str]]:
    """Returns the checked content of a selection: the steps of each path, or the fields of each class."""
    if isinstance(given, Mapping):
        return _fields_of_classes(root, given, way)
    if isinstance(given, str) or (given is not None and not isinstance(given, Iterable)):
        raise DefinitionError(f"{way} is a list of paths, not {given!r}: {way}=[{given!r}]")
    paths = [steps_of(path) for path in given or ()]
    for steps in paths:
        _follow(root, steps)
    return paths


def steps_of(path: Any) -> list[str]:
    """Returns the names in a dotted path."""
    steps = path.split(".") if isinstance(path, str) else [""]
    if not all(steps):
        raise DefinitionError(f"a path is field names with dots between, such as 'parts.points', not {path!r}")
    return steps


# By path


def _follow(root: Node, steps: list[str]) -> None:
    """Raises `DefinitionError` for a path that leads to no field."""
    nodes = [root]
    for depth, step in enumerate(steps):
        objects = [inner for node in nodes for inner in _objects(node)]
        if not objects:
            kind = next((inner.kind for inner in walk(nodes[0]) if inner.kind in SCALARS), nodes[0].kind)
            raise DefinitionError(f"a value of type {kind!r} has no fields", ".".join(steps[:depth]))
        nodes = [inner.fields[step].node for inner in objects if step in inner.fields]
        if not nodes:
            known = ", ".join(dict.fromkeys(name for inner in objects for name in inner.fields)) or "none"
            raise DefinitionError(f"no field is called {step!r} here; there are: {known}", ".".join(steps))


def _objects(node: Node) -> Iterator[Node]:
    """Yields the objects that a path continues in: the value itself, or those in a list, map, tuple or union."""
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        held = waiting.pop(0)
        if held.kind == "dict":
            yield held
        elif id(held) not in seen:
            seen.add(id(held))
            waiting += [child for _step, child in children(held)]


def _inside(node: Node, change: Callable[[Node], Node]) -> Node:
    """Returns a list, map, tuple or union with changed content. A scalar is returned as it is."""
    if node.item is not None:
        return replace(node, item=change(node.item))
    return replace(node, parts=tuple(map(change, node.parts))) if node.parts else node


def _keep(node: Node, paths: list[list[str]], depth: int) -> Node:
    """Returns the node with only the fields that some path names. A path that ends here keeps everything."""
    if any(len(path) == depth for path in paths):
        return node
    if node.kind != "dict":
        return _inside(node, lambda inner: _keep(inner, paths, depth))
    named = _by_step(paths, depth)
    fields = {
        name: replace(field, node=_keep(field.node, named[name], depth + 1))
        for name, field in node.fields.items()
        if name in named
    }
    return replace(node, fields=fields)


def _drop(node: Node, paths: list[list[str]], depth: int) -> Node:
    """Returns the node without the fields at which a path ends."""
    if not paths:
        return node
    if node.kind != "dict":
        return _inside(node, lambda inner: _drop(inner, paths, depth))
    named = _by_step(paths, depth)
    fields = {
        name: replace(field, node=_drop(field.node, named.get(name, []), depth + 1))
        for name, field in node.fields.items()
        if not any(len(path) == depth + 1 for path in named.get(name, []))
    }
    return replace(node, fields=fields)


_BY_PATH = {True: _keep, False: _drop}


def _by_step(paths: list[list[str]], depth: int) -> dict[str, list[list[str]]]:
    named: dict[str, list[list[str]]] = {}
    for path in paths:
        named.setdefault(path[depth], []).append(path)
    return named


# By class


def _fields_of_classes(root: Node, given: Mapping[str, Iterable[str]], way: str) -> dict[str, set[str]]:
    classes: dict[str, set[str]] = {}
    for node in walk(root):
        if node.kind == "dict" and node.name:
            classes.setdefault(node.name, set()).update(node.fields)
    return {name: _fields_of_class(classes, name, fields, way) for name, fields in given.items()}


def _fields_of_class(classes: dict[str, set[str]], name: str, fields: Iterable[str], way: str) -> set[str]:
    if name not in classes:
        raise DefinitionError(f"no class is called {name!r} here; there are: {', '.join(sorted(classes))}", str(name))
    if isinstance(fields, str) or not isinstance(fields, Iterable):
        raise DefinitionError(f"{way} names a list of fields for each class, not {fields!r}", name)
    for field in (fields := list(fields)):
        if field not in classes[name]:
            known = ", ".join(sorted(classes[name])) or "none"
            raise DefinitionError(f"no field is called {field!r} here; there are: {known}", f"{name}.{field}")
    return set(fields)


class _OfClasses:
    """Copies a graph without the unwanted fields of some classes. Cycles and shared shapes are preserved."""

    def __init__(self, named: dict[str, set[str]], keeps: bool) -> None:
        self.named = named
        self.keeps = keeps
        self.nodes: dict[int, Node] = {}
        self.fields: dict[int, dict[str, Field]] = {}

    def node(self, node: Node) -> Node:
        made = self.nodes.get(id(node))
        if made is None:
            made = self.nodes[id(node)] = replace(node)  # filled in place, since it may be recursive
            made.fields = self.fields_of(node)
            made.item = node.item and self.node(node.item)
            made.parts = tuple(map(self.node, node.parts))
        return made

    def fields_of(self, node: Node) -> dict[str, Field]:
        key = shape_key(node)
        if key not in self.fields:
            made = self.fields[key] = {}
            for name, field in node.fields.items():
                if self.is_wanted(node.name, name):
                    made[name] = replace(field, node=self.node(field.node))
        return self.fields[key]

    def is_wanted(self, class_name: str | None, field: str) -> bool:
        return class_name not in self.named or (field in self.named[class_name]) is self.keeps


# Data


def kept(whole: Node, part: Node, data: Any) -> Any:
    """Returns the part of data that a selection of its graph asks for."""
    return data if whole is part else _kept(whole, part, data, Measure())


def _kept(whole: Node, part: Node, data: Any, measure: Measure) -> Any:
    if whole is part or whole.kind != part.kind or not isinstance(data, dict | list):
        return data
    if whole.kind == "dict" and isinstance(data, dict):
        return _kept_fields(whole, part, data, measure)
    if whole.kind == "union":
        name = match_union_option(whole, data, measure)
        return data if name is None else _kept(whole.options()[name], _same_option(whole, part, name), data, measure)
    if whole.kind == "tuple":
        return [_kept(*each, measure) for each in zip(whole.parts, part.parts, data, strict=True)]
    if whole.item is None or part.item is None:
        return data
    if isinstance(data, dict):
        return {key: _kept(whole.item, part.item, value, measure) for key, value in data.items()}
    return [_kept(whole.item, part.item, value, measure) for value in data]


def _kept_fields(whole: Node, part: Node, data: dict[str, Any], measure: Measure) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in data.items():
        if name not in whole.fields:  # of a model that keeps extra fields
            made[name] = value
        elif name in part.fields:
            made[name] = _kept(whole.fields[name].node, part.fields[name].node, value, measure)
    return made


def _same_option(whole: Node, part: Node, name: str) -> Node:
    return part.parts[list(whole.options()).index(name)]
