"""The graph of nodes <-> the definition, the plain dict that users see, write by hand and store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..errors import DefinitionError
from ..limits import MAX_DEFINITION, MAX_DEPTH
from .node import ABSENT, CONSTRAINTS, KINDS, Field, Node, children

__all__ = ["Document", "graph_from_document", "node_from_document", "shared_shapes", "to_document"]

Document = dict[str, Any]

_BARE = frozenset(KINDS) - {"enum", "list", "dict", "map", "tuple", "union"}
"""Kinds that a name alone describes."""


def to_document(root: Node) -> Document:
    """The definition of a graph: the fields of an object, or the node of anything else."""
    writer = _Writer(root)
    document = writer.fields(root) if root.kind == "dict" else writer.node(root)
    if writer.shapes:
        document["$defs"] = {name: writer.shapes[name] for name in sorted(writer.shapes)}
    return document


class _Writer:
    """Writes one definition. Shapes that cannot stand in place are collected in `shapes`, by class name."""

    def __init__(self, root: Node) -> None:
        self.shapes: dict[str, Document] = {}
        self.referred = shared_shapes(root)

    def fields(self, node: Node) -> Document:
        return {name: self.field(field) for name, field in node.fields.items()}

    def field(self, field: Field) -> Document:
        document = self.node(field.node)
        if not field.required:
            document["required"] = False
            if field.default is not ABSENT:
                document["default"] = field.default
        return document

    def node(self, node: Node) -> Document:
        """A node's keys stand in this order: type, choices, elements if a name, description, the rest."""
        if id(node.fields) in self.referred:
            return self.reference(node)
        document: Document = {"type": node.kind}
        if node.kind == "enum":
            document["choices"] = list(node.choices)
        if node.key is not None:
            document["keys"] = self.short(node.key)
        elements = None if node.item is None else self.short(node.item)
        if isinstance(elements, str):
            document["elements"] = elements
        if node.description is not None:
            document["description"] = node.description
        if isinstance(elements, dict):
            document["elements"] = elements
        if node.kind == "dict":
            document["elements"] = self.fields(node)
        if node.kind == "tuple":
            document["elements"] = [self.node(part) for part in node.parts]
        if node.kind == "union":
            document |= self.options(node)
        return {**document, **{name: node.constraints[name] for name in CONSTRAINTS if name in node.constraints}}

    def options(self, node: Node) -> Document:
        options = [self.node(part) | ({"name": part.name} if part.kind == "dict" else {}) for part in node.parts]
        return {"options": options} | ({"discriminator": node.discriminator} if node.discriminator else {})

    def reference(self, node: Node) -> Document:
        name = self.referred[id(node.fields)]
        if name not in self.shapes:
            self.shapes[name] = {}
            self.shapes[name] = self.fields(node)
        described = {} if node.description is None else {"description": node.description}
        return {"type": "ref", "name": name, **described}

    def short(self, node: Node) -> str | Document:
        """An item as `elements` holds it: a type's name, the fields of an object, or a node."""
        document = self.node(node)
        if document.keys() == {"type"} and node.kind in _BARE:
            return node.kind
        if node.kind == "dict" and document.keys() == {"type", "elements"}:
            elements: Document = document["elements"]
            return elements
        return document


def shared_shapes(root: Node) -> dict[int, str]:
    """The objects that become references, as identities of their fields: those on a cycle, or written too often."""
    seen: dict[int, Node] = {}
    on_cycle: set[int] = set()
    _walk(root, [], seen, on_cycle)
    if not on_cycle and _written_nodes(root, {}) > MAX_DEFINITION:
        on_cycle = {key for key in seen if key != id(root.fields)}
    names: dict[int, str] = {}
    for key in seen:
        if key in on_cycle:
            name = seen[key].name or "Shape"
            taken = set(names.values())
            names[key] = next(n for n in (name, *(f"{name}{i}" for i in range(2, len(seen) + 2))) if n not in taken)
    return names


def _walk(node: Node, above: list[int], seen: dict[int, Node], on_cycle: set[int]) -> None:
    key = id(node.fields)
    if node.kind == "dict":
        if key in above:
            on_cycle.update(above[above.index(key) :])
        if key in seen:
            return
        seen[key] = node
        above = [*above, key]
    for _step, child in children(node):
        _walk(child, above, seen, on_cycle)


def _written_nodes(node: Node, counts: dict[int, int]) -> int:
    """How many nodes a graph without cycles has once every shape is written in place."""
    key = id(node.fields) if node.kind == "dict" else id(node)
    if key not in counts:
        counts[key] = 1 + sum(_written_nodes(child, counts) for _step, child in children(node))
    return counts[key]


def graph_from_document(name: str, document: Any) -> Node:
    """The graph that a definition describes. Raises `DefinitionError` with the path of what is wrong in it."""
    if not isinstance(document, Mapping):
        raise DefinitionError(f"a definition is a dict of fields or a node, not {type(document).__name__}")
    reader = _Parser(document.get("$defs", {}))
    own = {key: value for key, value in document.items() if key != "$defs"}
    if isinstance(own.get("type"), str):
        return reader.node(own, "", 0)
    return Node("dict", fields=reader.fields(own, "", 0), name=name)


def node_from_document(document: Any, path: str) -> Node:
    """The graph of one node, as `elements` would hold it: a type's name, a node or a dict of fields."""
    return _Parser({}).element(document, path, 0)


class _Parser:
    """Reads one definition, checking everything: it may have been written by hand or come from a store."""

    def __init__(self, shapes: Any) -> None:
        if not isinstance(shapes, Mapping):
            raise DefinitionError(f"holds shapes by name, not {type(shapes).__name__}", "$defs")
        self.documents = shapes
        self.shapes: dict[str, Node] = {}

    def fields(self, document: Any, path: str, depth: int) -> dict[str, Field]:
        if not isinstance(document, Mapping):
            raise DefinitionError(f"expected a dict of fields, found {type(document).__name__}", path)
        if depth > MAX_DEPTH:
            raise DefinitionError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", path)
        return {name: self.field(name, node, path, depth) for name, node in document.items()}

    def field(self, name: Any, document: Any, path: str, depth: int) -> Field:
        if not isinstance(name, str) or not name:
            raise DefinitionError(f"a field's name is a text, not {name!r}", path)
        path = f"{path}.{name}" if path else name
        node = self.node(document, path, depth)
        required = document.get("required", True)
        if not isinstance(required, bool):
            raise DefinitionError(f"'required' is true or false, not {required!r}", path)
        return Field(name, node, required, document.get("default", ABSENT))

    def node(self, document: Any, path: str, depth: int) -> Node:
        if not isinstance(document, Mapping):
            raise DefinitionError(f"a node is a dict with a 'type', not {document!r}"[:200], path)
        kind = document.get("type")
        if kind == "ref":
            return self.reference(document, path, depth)
        if kind not in KINDS:
            raise DefinitionError(f"unknown type {kind!r}; one of {', '.join(KINDS)}", path)
        _check_keys(document, kind, path)
        description = document.get("description")
        if description is not None and not isinstance(description, str):
            raise DefinitionError(f"a description is a text, not {description!r}"[:200], path)
        node = Node(kind, description, _checked_constraints(document, path))
        if kind in _PARTS:
            _PARTS[kind](self, node, document, path, depth + 1)
        return node

    def element(self, document: Any, path: str, depth: int) -> Node:
        if isinstance(document, str):
            if document not in _BARE:
                raise DefinitionError(f"elements of type {document!r} need a node that says more", path)
            return Node(document)
        if isinstance(document, Mapping) and isinstance(document.get("type"), str):
            return self.node(document, path, depth)
        return Node("dict", fields=self.fields(document, path, depth))

    def reference(self, document: Mapping[str, Any], path: str, depth: int) -> Node:
        name = document.get("name")
        if not isinstance(name, str) or name not in self.documents:
            raise DefinitionError(f"refers to {name!r}, which '$defs' does not hold", path)
        if name not in self.shapes:
            self.shapes[name] = Node("dict", name=name)
            self.shapes[name].fields.update(self.fields(self.documents[name], path, depth + 1))
        shape = self.shapes[name]
        return Node("dict", document.get("description"), fields=shape.fields, name=name)

    def of_enum(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        choices = document.get("choices")
        if not isinstance(choices, list) or not choices:
            raise DefinitionError("an enum needs 'choices', a list that is not empty", path)
        if not all(isinstance(choice, (str, int, float, bool)) for choice in choices):
            raise DefinitionError(f"choices are texts, numbers and booleans, not {choices!r}"[:200], path)
        node.choices = tuple(choices)

    def of_list(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        if "elements" not in document:
            raise DefinitionError(f"a {node.kind} needs 'elements'", path)
        node.item = self.element(document["elements"], path, depth)

    def of_dict(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        if "elements" not in document:
            raise DefinitionError("a dict needs 'elements', a dict of fields", path)
        node.fields = self.fields(document["elements"], path, depth)
        node.name = document.get("name")

    def of_map(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        self.of_list(node, document, path, depth)
        node.key = self.element(document.get("keys", "str"), path, depth)

    def of_tuple(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        node.parts = self.several(document.get("elements"), "elements", path, depth)

    def of_union(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        node.parts = self.several(document.get("options"), "options", path, depth)
        node.discriminator = document.get("discriminator")

    def several(self, documents: Any, key: str, path: str, depth: int) -> tuple[Node, ...]:
        if not isinstance(documents, list):
            raise DefinitionError(f"needs {key!r}, a list of nodes", path)
        return tuple(self.element(document, path, depth) for document in documents)


_PARTS: dict[str, Callable[[_Parser, Node, Mapping[str, Any], str, int], None]] = {
    "enum": _Parser.of_enum,
    "list": _Parser.of_list,
    "dict": _Parser.of_dict,
    "map": _Parser.of_map,
    "tuple": _Parser.of_tuple,
    "union": _Parser.of_union,
}

_KEYS: dict[str, frozenset[str]] = {
    "enum": frozenset({"choices"}),
    "list": frozenset({"elements"}),
    "dict": frozenset({"elements", "name"}),
    "map": frozenset({"elements", "keys"}),
    "tuple": frozenset({"elements"}),
    "union": frozenset({"options", "discriminator"}),
}
_COMMON_KEYS = frozenset({"type", "description", "required", "default", *CONSTRAINTS})


def _check_keys(document: Mapping[str, Any], kind: str, path: str) -> None:
    unknown = set(document) - _COMMON_KEYS - _KEYS.get(kind, frozenset())
    if unknown:
        raise DefinitionError(f"a node of type {kind!r} has no {', '.join(sorted(map(repr, unknown)))}", path)


def _checked_constraints(document: Mapping[str, Any], path: str) -> dict[str, Any]:
    constraints = {name: document[name] for name in CONSTRAINTS if name in document}
    for name, value in constraints.items():
        fits = isinstance(value, _CONSTRAINT_TYPES.get(name, (int, float, str))) and not isinstance(value, bool)
        if not fits:
            raise DefinitionError(f"the constraint {name!r} cannot be {value!r}"[:200], path)
    return constraints


_CONSTRAINT_TYPES: dict[str, tuple[type, ...]] = {"min_length": (int,), "max_length": (int,), "pattern": (str,)}
