"""The graph of a definition: one `Node` per value, shared and, for recursive models, cyclic."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any, Literal

from pydantic_core import PydanticUndefined

from .names import fold, snake_case, spelling, squeezed

MAX_DEPTH = 200
"""Levels of nested data, lists and objects alike. orjson and pydantic-core stop near 255, Python's stack at 1,000
frames, three of which a level takes.
"""


MISSING = PydanticUndefined
"""Marks a missing value where None is a regular one. Copies and pickles preserve its identity."""

TEXTUAL = ("str", "date", "time", "datetime", "duration", "decimal", "uuid", "bytes")
"""Kinds whose values an instance holds as text."""

SCALARS = (*TEXTUAL, "int", "float", "bool", "enum", "any")
"""Kinds that are written as one text."""

KINDS = (*SCALARS, "list", "dict", "map", "tuple", "union")
"""All kinds, by the names that a definition uses for them."""

CONSTRAINTS = {
    "ge": "greater_or_equal",
    "gt": "greater_than",
    "le": "less_or_equal",
    "lt": "less_than",
    "multiple_of": "multiple_of",
    "min_length": "min_length",
    "max_length": "max_length",
    "pattern": "pattern",
    "unique_items": "unique_items",
}
"""What a prompt calls each constraint, by its name, Pydantic's where it has one, in the order of definitions."""


@dataclass(slots=True, eq=False)
class Field:
    """A named value of an object. A default without a JSON form is MISSING; `factory` is known only with a model."""

    name: str
    node: Node
    required: bool = True
    default: Any = MISSING
    aliases: tuple[str, ...] = ()
    factory: Callable[[], Any] | None = None


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """One value of a definition. `kind` decides which attributes apply.

    Attributes:
        constraints: Bounds by the names in CONSTRAINTS, in that order.
        shape: The name under which a definition may refer to the node.
        encoded: The type in which a model itself takes base64, decoded or not.
        left_out: Fields of the model that are never requested, with their defaults.
        coded: The members of an enum by the choices that represent them, if those are not their values.
        digits: The most digits of a decimal, and how many of them stand behind the point, if both are bounded.

    From `nullable` on, attributes are known only with a model; a definition does not hold them.
    """

    kind: str
    description: str | None = None
    constraints: dict[str, Any] = field(default_factory=dict)
    choices: tuple[Any, ...] = ()
    fields: dict[str, Field] = field(default_factory=dict)
    item: Node | None = None
    key: Node | None = None
    parts: tuple[Node, ...] = ()
    discriminator: str | None = None
    name: str | None = None
    shape: str | None = None
    nullable: bool | None = None
    members: dict[str, Any] = field(default_factory=dict)
    keeps_extra: bool = False
    unique: bool = False
    encoded: Literal["", "bytes", "str"] = ""
    left_out: dict[str, Any] = field(default_factory=dict)
    coded: dict[str, Any] = field(default_factory=dict)
    digits: tuple[int, int] | None = None
    _forms: dict[Callable[[str], str], dict[str, Field]] = field(default_factory=dict, init=False)
    _named: dict[str, Field] | None = field(default=None, init=False)
    _options: dict[str, Node] | None = field(default=None, init=False)

    def __repr__(self) -> str:
        """Shows only the kind and the name, since graphs have cycles and widely shared shapes."""
        return f"<Node {self.kind} {self.name}>" if self.name else f"<Node {self.kind}>"

    def field_of(self, name: str) -> Field | None:
        """Returns the field that alone has a name or an alias: exact, else folded, else spelt the same."""
        return (
            self.fields.get(name)
            or self.field_aliased(name)
            or self._by_form(fold).get(fold(name))
            or self._by_form(spelling).get(spelling(name))
        )

    def field_aliased(self, alias: str) -> Field | None:
        if self._named is None:
            aliases = [(name, field_) for field_ in self.fields.values() for name in field_.aliases]
            self._named = dict(reversed(aliases))
        return self._named.get(alias)

    def _by_form(self, form_of: Callable[[str], str]) -> dict[str, Field]:
        if form_of not in self._forms:
            found: dict[str, Field | None] = {}
            for field_ in self.fields.values():
                for form in {form_of(name) for name in (field_.name, *field_.aliases)}:
                    found[form] = None if form in found else field_
            self._forms[form_of] = {form: field_ for form, field_ in found.items() if form and field_}
        return self._forms[form_of]

    def is_named_in(self, text: str) -> bool:
        folded = squeezed(text)
        return any(fold(name) in folded for field_ in self.fields.values() for name in (field_.name, *field_.aliases))

    def options(self) -> dict[str, Node]:
        """Returns the options of a union by the names of their elements: the class in snake case, else the kind."""
        if self._options is None:
            self._options = {}
            for part in self.parts:
                name = snake_case(part.name) if part.name else part.kind
                self._options[free_name(name, self._options, "_")] = part
        return self._options

    def is_field_of_option(self, name: str) -> bool:
        return any(part.field_of(name) for part in self.parts)

    def is_text(self) -> bool:
        """Returns whether values are written as one text: scalars, and unions of only scalars."""
        return all(part.kind in SCALARS for part in (self.parts if self.kind == "union" else (self,)))


def _children(node: Node) -> list[tuple[str, Node]]:
    """Returns the nodes directly below a node, each with its step (`""` for items, which paths skip)."""
    steps = [(name, held.node) for name, held in node.fields.items()]
    return [*steps, *(("", inner) for inner in (node.item, node.key, *node.parts) if inner is not None)]


def copy_node(source: Node, target: Node, **changes: Any) -> None:
    """Makes `target`, which others already refer to, a copy of `source` with some attributes changed."""
    for attribute in Node.__slots__:
        setattr(target, attribute, changes.get(attribute, getattr(source, attribute)))


def walk(root: Node) -> Iterator[Node]:
    return (node for _path, node in walk_paths(root))


def walk_paths(root: Node) -> Iterator[tuple[str, Node]]:
    """Yields every node once, with the dotted path of a place where it occurs."""
    seen: set[int] = set()
    waiting = [("", root)]
    while waiting:
        path, node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield path, node
            waiting += [(f"{path}.{step}".strip("."), child) for step, child in _children(node)]


def objects_in(node: Node) -> list[Node]:
    """Returns the objects of a value: itself, or those in its lists, maps, tuples and unions, each class once."""
    found: dict[int, Node] = {}
    waiting = [node]
    for held in waiting:
        if shape_key(held) not in found:
            found[shape_key(held)] = held
            waiting += [] if held.kind == "dict" else [child for _step, child in _children(held)]
    return [held for held in found.values() if held.kind == "dict"]


# Shapes that cannot be written in place


MAX_COPIES = 5
"""Times that a definition or a prompt writes out a model's shape. Past that, places refer to the shape by name."""


def shape_key(node: Node) -> int:
    """Returns the key that variants of one shape share, which differ in description or nullability."""
    return id(node.fields) if node.kind == "dict" else id(node)


def shared_shapes(root: Node) -> dict[int, str]:
    """Returns the names of shapes on a cycle, and of those that would be written out more than MAX_COPIES times."""
    nodes, edges = _shapes(root)
    components = _components(edges, shape_key(root))
    shared = _on_cycles(nodes, edges, components)
    most = 1 if shared else MAX_COPIES  # if there are references anyway, one more is easier to read than a copy
    copies = {**dict.fromkeys(nodes, 0), shape_key(root): 1}
    for key in (key for component in reversed(components) for key in component):  # an object precedes its content
        node = nodes[key]
        if copies[key] > most and node.kind == "dict" and (node.fields or node.description):
            shared.add(key)
        for child in edges[key]:
            copies[child] += 1 if key in shared else copies[key]
    names: dict[int, str] = {}
    for key in (key for key in nodes if key in shared):
        names[key] = free_name(nodes[key].name or nodes[key].shape or "Shape", set(names.values()))
    return names


def recursive_shapes(root: Node) -> set[int]:
    """Returns the keys of the shapes whose values may hold values of the same shape."""
    nodes, edges = _shapes(root)
    return _on_cycles(nodes, edges, _components(edges, shape_key(root)))


def _shapes(root: Node) -> tuple[dict[int, Node], dict[int, list[int]]]:
    """Returns the nodes by their keys, and the keys of the nodes directly below each."""
    nodes = {shape_key(node): node for node in walk(root)}
    return nodes, {key: [shape_key(child) for _step, child in _children(node)] for key, node in nodes.items()}


def _on_cycles(nodes: dict[int, Node], edges: dict[int, list[int]], components: list[list[int]]) -> set[int]:
    """Returns the keys of the shapes on a cycle, which a place can refer to."""
    cycles = [component for component in components if len(component) > 1 or component[0] in edges[component[0]]]
    named = {key for key, node in nodes.items() if node.kind == "dict" or node.shape is not None}
    return {key for cycle in cycles for key in cycle if key in named}


def free_name(name: str, taken: Collection[str], separator: str = "") -> str:
    """Returns a name that is not taken: `Task`, else `Task2`, `Task3`, ..."""
    numbered = (f"{name}{separator}{number}" for number in count(2))
    return next(free for free in chain([name], numbered) if free not in taken)


def _components(edges: dict[int, list[int]], root: int) -> list[list[int]]:
    """Returns the strongly connected components, each behind those it leads to (Tarjan's algorithm)."""
    low: dict[int, float] = {}
    path: list[int] = []
    found: list[list[int]] = []

    def visit(key: int) -> None:
        number, start = len(low), len(path)
        low[key] = number
        path.append(key)
        for other in edges[key]:
            if other not in low:
                visit(other)
            low[key] = min(low[key], low[other])
        if low[key] == number:
            found.append(path[start:])
            del path[start:]
            low.update(dict.fromkeys(found[-1], math.inf))

    visit(root)
    return found
