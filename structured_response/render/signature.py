"""The signature of a definition: the form of the data, with each value, or a reference (`as in parts.label`), in its
place, and notes on objects and lists, which have none. And its schema: the type and the description of each field.
"""

from __future__ import annotations

import json
from typing import Any

from ..definition import Node, Plan, free_name, objects_in, per_plan, shape_key
from .placeholder import AS_IN, bounds_in_words, in_words, type_in_words, words_of
from .yaml import to_yaml


@per_plan
def json_signature(plan: Plan) -> str:
    return json.dumps(signature_of(plan).form, indent=4, ensure_ascii=False)


@per_plan
def yaml_signature(plan: Plan) -> str:
    """Returns the signature as YAML. Raises `MissingExtraError` without PyYAML."""
    return to_yaml(signature_of(plan).form, is_signature=True)


class Signature:
    """Writes one signature: the form of the data, and the notes on its objects and lists by dotted path."""

    def __init__(self, plan: Plan) -> None:
        self.class_name = plan.class_name
        self.notes: dict[str, str] = {}
        self.described: dict[int, str] = {}  # the places of the objects that were described already
        self.around: list[int] = []
        self.form = self.of(plan.root, "", True)

    def of(self, node: Node, path: str, required: bool, part: str = "") -> Any:
        """Returns the content for a value's place. In notes, `part` distinguishes items from their container."""
        if id(node) in self.around and node.kind != "dict":  # a recursive list
            return words_of(AS_IN + (path or self.class_name), "", required)
        if not objects_in(node):
            return in_words(node, required)
        if path and (node.description or node.constraints or not required):
            self.notes[path + part] = words_of(node.description, bounds_in_words(node), required)
        self.around.append(id(node))
        form = getattr(self, f"of_{node.kind}")(node, path)
        self.around.pop()
        return form

    def of_dict(self, node: Node, path: str) -> Any:
        key, fields = shape_key(node), node.fields.values()
        if key in self.described:
            return {field.name: words_of(AS_IN + self.described[key], "", field.required) for field in fields}
        self.described[key] = path or self.class_name
        inside = f"{path}." if path else ""
        return {field.name: self.of(field.node, inside + field.name, field.required) for field in fields}

    def of_list(self, node: Node, path: str) -> Any:
        assert node.item is not None
        return [self.of(node.item, path, True, ", each")]

    def of_map(self, node: Node, path: str) -> Any:
        assert node.item is not None and node.key is not None
        key = f"{node.key.description or 'key'} ({type_in_words(node.key)})"
        return {key: self.of(node.item, path, True, ", each")}

    def of_tuple(self, node: Node, path: str) -> Any:
        return [self.of(part, path, True, f", item {number}") for number, part in enumerate(node.parts, 1)]

    def of_union(self, node: Node, path: str) -> Any:
        return {"one of": [self.of(part, path, True, f", {type_in_words(part)}") for part in node.parts]}


signature_of = per_plan(Signature)


@per_plan
def schema_of(plan: Plan) -> dict[str, Any]:
    """Returns the schema as a dict. Shared, so it must not be changed."""
    written: set[int] = set()
    return _schemas(plan.root, written) if plan.root.kind == "dict" else _schema(plan.root, True, written)


@per_plan
def schema_text(plan: Plan) -> str:
    return json.dumps(schema_of(plan), indent=4, ensure_ascii=False)


def _schemas(node: Node, written: set[int]) -> dict[str, Any]:
    """Returns the schemas of an object's fields. They are written once; after that, its class's name replaces them."""
    written.add(shape_key(node))
    return {name: _schema(field.node, field.required, written) for name, field in node.fields.items()}


def _schema(node: Node, required: bool, written: set[int]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": type_in_words(node), "desc": node.description or "", "required": required}
    schema |= node.constraints
    objects = objects_in(node)
    new = [inner for inner in objects if shape_key(inner) not in written or not inner.name]
    if len(objects) == 1 and new:
        schema["fields"] = _schemas(new[0], written)
    elif new:
        named: dict[str, Node] = {}
        for inner in new:
            named[free_name(type_in_words(inner), named)] = inner
        schema["fields"] = {name: _schemas(inner, written) for name, inner in named.items()}
    return schema
