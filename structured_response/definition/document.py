"""Converts between the graph of nodes and the definition, a plain dict that users see, write by hand and store."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from copy import deepcopy
from types import NoneType
from typing import Any

from ..errors import DefinitionError
from .node import CONSTRAINTS, KINDS, MISSING, SCALARS, Field, Node, copy_node
from .shapes import shape_key, shared_shapes
from .unions import told_apart

__all__ = ["JSON_SCHEMA", "MAX_NESTING", "Document", "field_from_document", "graph_from_document", "to_document"]

MAX_NESTING = 64
"""Levels of a definition, references excluded. No real one has more, and each takes five frames of Python's stack."""

JSON_SCHEMA = "$json_schema"
"""Where a definition holds the JSON Schema that it came from, if this demands what no node can say."""

Document = dict[str, Any]

_BARE = frozenset(KINDS) - {"enum", "list", "dict", "map", "tuple", "union"}
"""Kinds that a name alone describes."""


def to_document(root: Node) -> Document:
    """Returns the definition of a graph: the fields of an object, or any other node."""
    writer = _Writer(root)
    document = writer.fields(root) if root.kind == "dict" else writer.in_place(root)
    if writer.shapes:
        document["$defs"] = {name: writer.shapes[name] for name in sorted(writer.shapes)}
    return document


class _Writer:
    """Writes one definition. `shapes` collects, by class name, the shapes that cannot be written in place."""

    def __init__(self, root: Node) -> None:
        self.shapes: dict[str, Document] = {}
        self.referred = shared_shapes(root)

    def fields(self, node: Node) -> Document:
        return {name: self.field(field) for name, field in node.fields.items()}

    def field(self, field: Field) -> Document:
        document = self.node(field.node)
        if not field.required:
            document["required"] = False
            if field.default is not MISSING:
                document["default"] = field.default
        return document

    def node(self, node: Node) -> Document:
        """Returns the node, or a reference to its shape."""
        if shape_key(node) in self.referred:
            return self.reference(node)
        return self.in_place(node)

    def in_place(self, node: Node) -> Document:
        """Returns a node whose keys are in this order: type, choices, elements if a name, description, the rest."""
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
        written = [(part, self.node(part)) for part in node.parts]
        options = [{**made, "name": part.name} if made["type"] == "dict" else made for part, made in written]
        return {"options": options} | ({"discriminator": node.discriminator} if node.discriminator else {})

    def reference(self, node: Node) -> Document:
        name = self.referred[shape_key(node)]
        if name not in self.shapes:
            self.shapes[name] = {}
            self.shapes[name] = self.fields(node) if node.kind == "dict" else self.in_place(node)
        described = {} if node.description is None else {"description": node.description}
        return {"type": "ref", "name": name, **described}

    def short(self, node: Node) -> str | Document:
        """Returns an item for `elements`: the name of a type, the fields of an object, or a node."""
        document = self.node(node)
        if document.keys() == {"type"} and node.kind in _BARE:
            return node.kind
        if node.kind == "dict" and document.keys() == {"type", "elements"}:
            elements: Document = document["elements"]
            return elements
        return document


def graph_from_document(name: str, document: Any) -> Node:
    """Returns the graph of a definition. Raises `DefinitionError` with the path of a fault in it."""
    if not isinstance(document, Mapping):
        raise DefinitionError(f"a definition is a dict of fields or a node, not {type(document).__name__}")
    reader = _Parser(document.get("$defs", {}))
    own = {key: value for key, value in document.items() if key not in ("$defs", JSON_SCHEMA)}
    reader.read_shapes()
    root = _root(reader, name, own)
    reader.describe()
    return root


def _root(reader: _Parser, name: str, own: Mapping[str, Any]) -> Node:
    if isinstance(own.get("type"), str):  # a recursive node is its own shape
        same = next((shape for shape, document in reader.documents.items() if document == own), None)
        return reader.node(own, "", 0) if same is None else reader.shapes[same]
    if own and own == reader.documents.get(name):
        return reader.shapes[name]
    return Node("dict", fields=reader.fields(own, "", 0), name=name)


def field_from_document(name: str, document: Any, path: str) -> Field:
    """Returns the graph of one field."""
    return _Parser({}).field(name, document, path, 0)


class _Parser:
    """Reads one definition and checks everything, since it may be written by hand or come from a store."""

    def __init__(self, shapes: Any) -> None:
        if not isinstance(shapes, Mapping):
            raise DefinitionError(f"holds shapes by name, not {type(shapes).__name__}", "$defs")
        if not all(isinstance(name, str) for name in shapes):
            raise DefinitionError("the names of shapes are texts", "$defs")
        self.documents = shapes
        self.shapes: dict[str, Node] = {
            name: Node("dict", name=name, shape=name) for name in shapes if isinstance(name, str)
        }
        self.described: list[tuple[Node, Node, str]] = []  # variants with a description of their own, and their shapes

    def read_shapes(self) -> None:
        """Reads the shapes. Those of models are filled in place, since fields already refer to them."""
        for name, document in self.documents.items():
            path = f"$defs.{name}"
            if not isinstance(document, Mapping):
                raise DefinitionError(f"a shape is a dict of fields or a node, not {document!r}"[:200], path)
            if isinstance(document.get("type"), str):
                read = self.node(document, path, 0)
                copy_node(read, self.shapes[name], shape=name, name=None)
            else:
                self.shapes[name].fields.update(self.fields(document, path, 0))

    def describe(self) -> None:
        """Fills the references that have their own description, once the shapes exist."""
        for variant, shape, description in self.described:
            copy_node(shape, variant, description=description)

    def fields(self, document: Any, path: str, depth: int) -> dict[str, Field]:
        if not isinstance(document, Mapping):
            raise DefinitionError(f"expected a dict of fields, found {type(document).__name__}", path)
        for name in document:
            if not isinstance(name, str) or not name:
                raise DefinitionError(f"a field's name is a text, not {name!r}", path)
        return {name: self.field(name, node, f"{path}.{name}".strip("."), depth) for name, node in document.items()}

    def field(self, name: str, document: Any, path: str, depth: int) -> Field:
        if not isinstance(document, Mapping):
            raise DefinitionError(f"a node is a dict with a 'type', not {document!r}"[:200], path)
        node = self.node({key: value for key, value in document.items() if key not in _OF_FIELDS}, path, depth)
        required = document.get("required", "default" not in document)
        if not isinstance(required, bool):
            raise DefinitionError(f"'required' is true or false, not {required!r}", path)
        return Field(name, node, required, deepcopy(document.get("default", MISSING)))

    def node(self, document: Any, path: str, depth: int) -> Node:
        if not isinstance(document, Mapping):
            raise DefinitionError(f"a node is a dict with a 'type', not {document!r}"[:200], path)
        if depth > MAX_NESTING:
            raise DefinitionError(f"nested deeper than {MAX_NESTING} levels (MAX_NESTING)", path)
        kind = document.get("type")
        if not isinstance(kind, str) or kind not in (*KINDS, "ref"):
            raise DefinitionError(f"unknown type {kind!r}; one of {', '.join(KINDS)}"[:300], path)
        _check_keys(document, kind, path)
        description, constraints = document.get("description"), _checked_constraints(document, kind, path)
        if kind == "ref":
            return self.reference(document.get("name"), description, path)
        node = Node(kind, description, constraints)
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

    def reference(self, name: str | None, description: str | None, path: str) -> Node:
        if name is None or name not in self.shapes:
            raise DefinitionError(f"refers to {name!r}, which '$defs' does not hold", path)
        document = self.documents[name]
        is_its_own = isinstance(document, Mapping) and document.get("description") == description
        if description is None or is_its_own:
            return self.shapes[name]
        variant = Node("dict", description)
        self.described.append((variant, self.shapes[name], description))
        return variant

    def of_enum(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        choices = document.get("choices")
        if not choices:
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
        if node.key.kind not in SCALARS:
            raise DefinitionError(f"the keys of a map are texts, not values of type {node.key.kind!r}", path)

    def of_tuple(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        node.parts = self.several(document.get("elements"), "elements", path, depth)

    def of_union(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        options = self.several(document.get("options"), "options", path, depth)
        node.parts = tuple(part for option in options for part in told_apart(option))
        node.discriminator = document.get("discriminator")

    def several(self, documents: Any, key: str, path: str, depth: int) -> tuple[Node, ...]:
        if not isinstance(documents, list) or not documents:
            raise DefinitionError(f"needs {key!r}, a list of nodes that is not empty", path)
        return tuple(self.element(document, path, depth) for document in documents)


_PARTS: dict[str, Callable[[_Parser, Node, Mapping[str, Any], str, int], None]] = {
    "enum": _Parser.of_enum,
    "list": _Parser.of_list,
    "dict": _Parser.of_dict,
    "map": _Parser.of_map,
    "tuple": _Parser.of_tuple,
    "union": _Parser.of_union,
}

_KEYS: dict[str, dict[str, tuple[type, ...]]] = {
    "enum": {"choices": (list,)},
    "list": {"elements": (str, dict)},
    "dict": {"elements": (dict,), "name": (str, NoneType)},
    "map": {"elements": (str, dict), "keys": (str, dict)},
    "tuple": {"elements": (list,)},
    "union": {"options": (list,), "discriminator": (str,)},
    "ref": {"name": (str,)},
}
"""The other keys of a node, by its type, with the form of their values."""

_WORDS: dict[type, str] = {
    str: "a text",
    list: "a list",
    dict: "a dict of fields or a node",
    NoneType: "nothing",
}
_OF_FIELDS = frozenset({"required", "default"})
_BOUNDS = ("ge", "gt", "le", "lt")
_LENGTHS = ("min_length", "max_length")
_ALLOWED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("int", "float", "decimal"), (*_BOUNDS, "multiple_of")),
    **dict.fromkeys(("date", "time", "datetime", "duration"), _BOUNDS),
    **dict.fromkeys(("bytes", "map"), _LENGTHS),
    "list": (*_LENGTHS, "unique_items"),
    "tuple": ("unique_items",),
    "str": (*_LENGTHS, "pattern"),
}
"""The constraints that apply to a type."""


def _check_keys(document: Mapping[str, Any], kind: str, path: str) -> None:
    known = {"type": (str,), "description": (str, NoneType), **_KEYS.get(kind, {})}
    for key, value in document.items():
        if key not in known and key not in CONSTRAINTS:
            raise DefinitionError(f"a node of type {kind!r} has no {key!r}", path)
        if key in known and not isinstance(value, known[key]):
            wanted = " or ".join(_WORDS[kind] for kind in known[key])
            raise DefinitionError(f"{key!r} is {wanted}, not {value!r}"[:200], path)


def _checked_constraints(document: Mapping[str, Any], kind: str, path: str) -> dict[str, Any]:
    constraints = {name: document[name] for name in CONSTRAINTS if name in document}
    for name, value in constraints.items():
        if name not in _ALLOWED.get(kind, ()):
            raise DefinitionError(f"a node of type {kind!r} has no constraint {name!r}", path)
        fits = isinstance(value, _CONSTRAINT_TYPES.get(name, (int, float, str)))
        fits = fits and isinstance(value, bool) is (name == "unique_items")
        too_small = name == "multiple_of" and fits and not isinstance(value, str) and value <= 0
        if not fits or too_small or (isinstance(value, float) and not math.isfinite(value)):
            raise DefinitionError(f"the constraint {name!r} cannot be {value!r}"[:200], path)
    return constraints


_CONSTRAINT_TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(_LENGTHS, (int,)),
    "pattern": (str,),
    "unique_items": (bool,),
}
