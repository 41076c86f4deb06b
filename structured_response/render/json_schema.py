"""A definition as JSON Schema, draft 2020-12."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError

from ..definition import (
    CONSTRAINING,
    FORMATS,
    JSON_TYPES,
    MISSING,
    SCALARS,
    Field,
    Node,
    Plan,
    QuietGenerator,
    choice_text,
    per_plan,
    shape_key,
)

Schema = dict[str, Any]


@per_plan
def json_schema_of(plan: Plan) -> Schema:
    """Returns the JSON Schema of the model, the one given, or that of the definition. Shared, so not to be changed."""
    if plan.is_complete and plan.model is not None:
        with suppress(PydanticUserError):  # of a field that is not asked for
            return TypeAdapter(plan.model).json_schema(schema_generator=QuietGenerator)
    elif plan.is_complete and plan.json_schema is not None:
        return {"$schema": _DRAFT, **plan.json_schema}
    writer = _Writer(plan)
    schema = {"$schema": _DRAFT, **writer.node(plan.root), "title": plan.class_name}
    if plan.json_schema is not None:  # which refers to parts of itself
        schema["allOf"] = [{"$id": "urn:asked", **plan.json_schema}]
    return schema | ({"$defs": writer.shapes} if writer.shapes else {})


_DRAFT = "https://json-schema.org/draft/2020-12/schema"


class _Writer:
    def __init__(self, plan: Plan) -> None:
        self.shared = plan.shapes
        self.shapes: dict[str, Schema] = {}

    def node(self, node: Node) -> Schema:
        name = self.shared.get(shape_key(node))
        if name is None:
            return _or_null(node, self.bare(node))
        if name not in self.shapes:
            self.shapes[name] = {}
            self.shapes[name] = self.bare(node)
        described = {} if node.description is None else {"description": node.description}
        escaped = name.replace("~", "~0").replace("/", "~1")
        return _or_null(node, {"$ref": f"#/$defs/{escaped}", **described})

    def bare(self, node: Node) -> Schema:
        kind = node.kind
        said: Schema = {"title": node.name, "description": node.description, "type": JSON_TYPES.get(kind)}
        said |= {"format": FORMATS.get(kind), "enum": list(node.choices) or None}
        holds = {} if kind in SCALARS else getattr(self, f"of_{kind}")(node)
        words = CONSTRAINING.get(kind, {})
        bounds = {words[name]: bound for name, bound in node.constraints.items() if name in words}
        return {key: word for key, word in (said | holds).items() if word is not None} | bounds

    def of_dict(self, node: Node) -> Schema:
        properties = {name: self.field(field) for name, field in node.fields.items()}
        required = [name for name, field in node.fields.items() if field.required]
        return {"properties": properties, "required": required or None, "additionalProperties": node.keeps_extra}

    def field(self, field: Field) -> Schema:
        schema = self.node(field.node)
        return schema if field.default is MISSING else {**schema, "default": field.default}

    def of_list(self, node: Node) -> Schema:
        assert node.item is not None
        return {"items": self.node(node.item), "uniqueItems": node.unique or None}

    def of_map(self, node: Node) -> Schema:
        assert node.item is not None and node.key is not None
        schema = {"additionalProperties": self.node(node.item)}
        key = _KEYS.get(node.key.kind) or self.bare(node.key)
        key = {"enum": list(map(choice_text, node.key.choices))} if node.key.kind == "enum" else key
        return schema if key == {"type": "string"} else {**schema, "propertyNames": key}

    def of_tuple(self, node: Node) -> Schema:
        parts = list(map(self.node, node.parts))
        return {"prefixItems": parts, "items": False, "minItems": len(parts)}

    def of_union(self, node: Node) -> Schema:
        told = {"propertyName": node.discriminator} if node.discriminator else None
        return {"anyOf": list(map(self.node, node.parts)), "discriminator": told}


_KEYS: dict[str, Schema] = {kind: {"type": "string"} for kind in ("int", "float", "bool", "any")}
"""Keys are texts, whatever their type."""


def _or_null(node: Node, schema: Schema) -> Schema:
    if not node.nullable or not schema:
        return schema
    if isinstance(schema.get("type"), str):
        return {**schema, "type": [schema["type"], "null"]}
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], _NULL]}
    return {"anyOf": [schema, _NULL]}


_NULL = {"type": "null"}
