"""Converts between the graph of nodes and the definition, a plain dict that users see, write by hand and store."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from copy import deepcopy
from types import NoneType
from typing import Any

from ..errors import DefinitionError
from .keywords import BOUNDS, CONSTRAINING
from .node import CONSTRAINTS, KINDS, MISSING, SCALARS, Field, Node, copy_node, shape_key, shared_shapes
from .unions import told_apart

MAX_NESTING = 64
"""Levels of a definition, references excluded. No real one has more, and each takes five frames of Python's stack."""

JSON_SCHEMA = "$json_schema"
"""Where a definition holds the JSON Schema that it came from, if this demands what no node can say."""

Document = dict[str, Any]


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
        default = {} if field.required or field.default is MISSING else {"default": field.default}
        return {**self.node(field.node), **({} if field.required else {"required": False}), **default}

    def node(self, node: Node) -> Document:
        name = self.referred.get(shape_key(node))
        if name is None:
            return self.in_place(node)
        if name not in self.shapes:
            self.shapes[name] = {}
            self.shapes[name] = self.fields(node) if node.kind == "dict" else self.in_place(node)
        return {"type": "ref", "name": name, **_described(node)}

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
        document |= _described(node)
        if isinstance(elements, dict):
            document["elements"] = elements
        if node.kind == "dict":
            document["elements"] = self.fields(node)
        if node.kind == "tuple":
            document["elements"] = list(map(self.node, node.parts))
        if node.kind == "union":
            document["options"] = list(map(self.option, node.parts))
            document |= {"discriminator": node.discriminator} if node.discriminator else {}
        return {**document, **node.constraints}

    def option(self, node: Node) -> Document:
        document = self.node(node)
        return {**document, "name": node.name} if document["type"] == "dict" else document

    def short(self, node: Node) -> str | Document:
        """Returns an item for `elements`: the name of a type, the fields of an object, or a node."""
        document = self.node(node)
        if document.keys() == {"type"}:
            return node.kind
        if node.kind == "dict" and document.keys() == {"type", "elements"}:
            elements: Document = document["elements"]
            return elements
        return document


def _described(node: Node) -> Document:
    return {} if node.description is None else {"description": node.description}


def graph_from_document(name: str, document: Any) -> Node:
    """Returns the graph of a definition. Raises `DefinitionError` with the path of a fault in it."""
    if not isinstance(document, Mapping):
        raise DefinitionError(f"a definition is a dict of fields or a node, not {type(document).__name__}")
    reader = _Parser(document.get("$defs", {}))
    own = {key: value for key, value in document.items() if key not in ("$defs", JSON_SCHEMA)}
    same = [shape for shape, held in reader.documents.items() if held == own]  # a recursive node is its own shape
    if isinstance(own.get("type"), str):
        root = reader.shapes[same[0]] if same else reader.node(own, "", 0)
    elif own and name in same:
        root = reader.shapes[name]
    else:
        root = Node("dict", fields=reader.fields(own, "", 0), name=name)
    for variant, shape, description in reader.described:
        copy_node(shape, variant, description=description)
    return root


def field_from_document(name: str, document: Any, path: str) -> Field:
    return _Parser({}).field(name, document, path, 0)


class _Parser:
    """Reads one definition and checks everything, since it may be written by hand or come from a store."""

    def __init__(self, shapes: Any) -> None:
        if not isinstance(shapes, Mapping):
            raise DefinitionError(f"holds shapes by name, not {type(shapes).__name__}", "$defs")
        self.documents = shapes
        self.shapes = {name: Node("dict", name=name, shape=name) for name in shapes}
        self.described: list[tuple[Node, Node, str]] = []  # variants with a description of their own, and their shapes
        for name, document in shapes.items():
            read = self.element(document, f"$defs.{name}", 0)
            copy_node(read, self.shapes[name], shape=name, name=name if read.kind == "dict" else None)

    def fields(self, document: Any, path: str, depth: int) -> dict[str, Field]:
        if not isinstance(document, Mapping):
            raise DefinitionError(f"expected a dict of fields, found {type(document).__name__}", path)
        for name in document:
            if not isinstance(name, str) or not name:
                raise DefinitionError(f"a field's name is a text, not {name!r}", path)
        return {name: self.field(name, node, f"{path}.{name}".strip("."), depth) for name, node in document.items()}

    def field(self, name: str, document: Any, path: str, depth: int) -> Field:
        of_node = document
        if isinstance(document, Mapping):
            of_node = {key: value for key, value in document.items() if key not in ("required", "default")}
        node = self.node(of_node, path, depth)
        required = document.get("required", "default" not in document)
        if not isinstance(required, bool):
            raise DefinitionError(f"'required' is true or false, not {required!r}", path)
        return Field(name, node, required, deepcopy(document.get("default", MISSING)))

    def node(self, document: Any, path: str, depth: int) -> Node:
        if not isinstance(document, Mapping):
            raise DefinitionError(f"a node is a dict with a 'type', not {document!r}"[:200], path)
        if depth > MAX_NESTING:
            raise DefinitionError(f"nested deeper than {MAX_NESTING} levels (MAX_NESTING)", path)
        kind, description = document.get("type"), document.get("description")
        if not isinstance(kind, str) or kind not in (*KINDS, "ref"):
            raise DefinitionError(f"unknown type {kind!r}; one of {', '.join(KINDS)}"[:300], path)
        _check_keys(document, kind, path)
        constraints = _checked_constraints(document, kind, path)
        if kind == "ref":
            return self.reference(document["name"], description, path)
        node = Node(kind, description, constraints, name=document.get("name"))
        self.fill(node, document, path, depth + 1)
        return node

    def fill(self, node: Node, document: Mapping[str, Any], path: str, depth: int) -> None:
        if node.kind == "enum":
            if not all(isinstance(choice, (str, int, float, bool)) for choice in document["choices"]):
                shown = repr(document["choices"])
                raise DefinitionError(f"choices are texts, numbers and booleans, not {shown}"[:200], path)
            node.choices = tuple(document["choices"])
        elif node.kind == "dict":
            node.fields = self.fields(document["elements"], path, depth)
        elif node.kind in ("list", "map"):
            node.item = self.element(document["elements"], path, depth)
        elif node.kind in ("tuple", "union"):
            parts = document["elements" if node.kind == "tuple" else "options"]
            node.parts = tuple(self.element(part, path, depth) for part in parts)
        if node.kind == "union":
            node.parts = tuple(option for part in node.parts for option in told_apart(part))
            node.discriminator = document.get("discriminator")
        if node.kind == "map":
            node.key = self.element(document.get("keys", "str"), path, depth)
            if node.key.kind not in SCALARS:
                raise DefinitionError(f"the keys of a map are texts, not values of type {node.key.kind!r}", path)

    def element(self, document: Any, path: str, depth: int) -> Node:
        if isinstance(document, str):
            if document not in SCALARS or document == "enum":
                raise DefinitionError(f"elements of type {document!r} need a node that says more", path)
            return Node(document)
        if isinstance(document, Mapping) and isinstance(document.get("type"), str):
            return self.node(document, path, depth)
        return Node("dict", fields=self.fields(document, path, depth))

    def reference(self, name: str, description: str | None, path: str) -> Node:
        if name not in self.shapes:
            raise DefinitionError(f"refers to {name!r}, which '$defs' does not hold", path)
        document = self.documents[name]
        is_its_own = isinstance(document, Mapping) and document.get("description") == description
        if description is None or is_its_own:
            return self.shapes[name]
        variant = Node("dict", description)
        self.described.append((variant, self.shapes[name], description))
        return variant


_KEYS: dict[str, dict[str, tuple[type, ...]]] = {
    "enum": {"choices": (list,)},
    "list": {"elements": (str, dict)},
    "dict": {"elements": (dict,), "name": (str, NoneType)},
    "map": {"elements": (str, dict), "keys": (str, dict)},
    "tuple": {"elements": (list,)},
    "union": {"options": (list,), "discriminator": (str,)},
    "ref": {"name": (str,)},
}
"""The other keys of a node, by its type, with the form of their values. The first one is needed."""

_WORDS: dict[type, str] = {
    str: "a text",
    list: "a list",
    dict: "a dict of fields or a node",
    NoneType: "nothing",
}
_LENGTHS = ("min_length", "max_length")
_ALLOWED: dict[str, Collection[str]] = {
    **CONSTRAINING,
    **dict.fromkeys(("date", "time", "datetime", "duration"), ("ge", "gt", "le", "lt")),
    "decimal": BOUNDS,
    "bytes": _LENGTHS,
}
"""The constraints that apply to a type."""


def _check_keys(document: Mapping[str, Any], kind: str, path: str) -> None:
    known = {**_KEYS.get(kind, {}), "type": (str,), "description": (str, NoneType)}
    needed = next(iter(known))
    if document.get(needed, []) == []:
        form = ", a list that is not empty" if list in known[needed] else ""
        raise DefinitionError(f"a node of type {kind!r} needs {needed!r}{form}", path)
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
