"""A definition as JSON Schema, draft 2020-12."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError
from pydantic.json_schema import GenerateJsonSchema

from ..definition import (
    CONSTRAINING,
    FORMATS,
    MISSING,
    Field,
    Node,
    Plan,
    choice_text,
    per_plan,
    shape_key,
)

Schema = dict[str, Any]


@per_plan
def json_schema_of(plan: Plan) -> Schema:
    """The JSON Schema of what is asked for: the model's own, the one that the definition was made from if the data has
    to satisfy that, else one of the definition. Shared, so not to be changed.
    """
    if plan.is_complete and plan.model is not None:
        with suppress(PydanticUserError):  # of a field that is not asked for
            return TypeAdapter(plan.model).json_schema(schema_generator=_Generator)
    elif plan.is_complete and plan.json_schema is not None:
        return {"$schema": _DRAFT, **plan.json_schema}
    writer = _Writer(plan)
    schema = {"$schema": _DRAFT, **writer.node(plan.root), "title": plan.class_name}
    if plan.json_schema is not None:  # which refers to parts of itself
        schema["allOf"] = [{"$id": "urn:asked", **plan.json_schema}]
    return schema | ({"$defs": writer.shapes} if writer.shapes else {})


class _Generator(GenerateJsonSchema):
    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - Pydantic's own shape


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
        named = {} if node.name is None else {"title": node.name}
        described = {} if node.description is None else {"description": node.description}
        words = CONSTRAINING.get(node.kind, {})
        constraints = {words[name]: value for name, value in node.constraints.items() if name in words}
        return {**named, **described, **_SCHEMAS[node.kind](self, node), **constraints}

    def of_dict(self, node: Node) -> Schema:
        properties = {name: self.field(field) for name, field in node.fields.items()}
        required = [name for name, field in node.fields.items() if field.required]
        needed = {"required": required} if required else {}
        return {"type": "object", "properties": properties, **needed, "additionalProperties": node.keeps_extra}

    def field(self, field: Field) -> Schema:
        schema = self.node(field.node)
        return schema if field.default is MISSING else {**schema, "default": field.default}

    def of_list(self, node: Node) -> Schema:
        assert node.item is not None
        unique = {"uniqueItems": True} if node.unique else {}
        return {"type": "array", "items": self.node(node.item), **unique}

    def of_map(self, node: Node) -> Schema:
        assert node.item is not None and node.key is not None
        schema = {"type": "object", "additionalProperties": self.node(node.item)}
        key = _KEYS.get(node.key.kind) or self.bare(node.key)
        key = {"enum": list(map(choice_text, node.key.choices))} if node.key.kind == "enum" else key
        return schema if key == {"type": "string"} else {**schema, "propertyNames": key}

    def of_tuple(self, node: Node) -> Schema:
        size = len(node.parts)
        parts = [self.node(part) for part in node.parts]
        return {"type": "array", "prefixItems": parts, "items": False, "minItems": size}

    def of_union(self, node: Node) -> Schema:
        told = {"discriminator": {"propertyName": node.discriminator}} if node.discriminator else {}
        return {"anyOf": [self.node(part) for part in node.parts], **told}


_KEYS: dict[str, Schema] = {kind: {"type": "string"} for kind in ("int", "float", "bool", "any")}
"""Keys are texts, whatever they stand for."""

_SCHEMAS: dict[str, Callable[[_Writer, Node], Schema]] = {
    **dict.fromkeys(FORMATS, lambda writer, node: {"type": "string", "format": FORMATS[node.kind]}),
    "str": lambda writer, node: {"type": "string"},
    "int": lambda writer, node: {"type": "integer"},
    "float": lambda writer, node: {"type": "number"},
    "bool": lambda writer, node: {"type": "boolean"},
    "enum": lambda writer, node: {"enum": list(node.choices)},
    "any": lambda writer, node: {},
    "list": _Writer.of_list,
    "dict": _Writer.of_dict,
    "map": _Writer.of_map,
    "tuple": _Writer.of_tuple,
    "union": _Writer.of_union,
}


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
