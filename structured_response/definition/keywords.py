"""The vocabulary of JSON Schema 2020-12: which keywords constrain a value, and older drafts in its words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .node import TEXTUAL

Schema = Mapping[str, Any]

BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
}
CONSTRAINING: dict[str, dict[str, str]] = {
    "int": BOUNDS,
    "float": BOUNDS,
    "str": {"min_length": "minLength", "max_length": "maxLength", "pattern": "pattern"},
    "list": {"min_length": "minItems", "max_length": "maxItems", "unique_items": "uniqueItems"},
    "tuple": {"unique_items": "uniqueItems"},
    "map": {"min_length": "minProperties", "max_length": "maxProperties"},
}
"""The keywords for constraints, by kind. There are none for bounds of dates and decimals, or for numbers of bytes."""

JSON_TYPES = {
    **dict.fromkeys(TEXTUAL, "string"),
    **dict.fromkeys(("list", "tuple"), "array"),
    **dict.fromkeys(("dict", "map"), "object"),
    "int": "integer",
    "float": "number",
    "bool": "boolean",
}
"""The type of each kind that has one. Choices, unions and values of any type have several."""

FORMATS = {kind: kind for kind in TEXTUAL if kind != "str"} | {"datetime": "date-time", "bytes": "base64"}
"""The format of each kind that an instance holds as text."""

_OF_TYPE: dict[str, tuple[str, ...]] = {
    "string": tuple(CONSTRAINING["str"].values()),
    "number": tuple(BOUNDS.values()),
    "integer": tuple(BOUNDS.values()),
    "boolean": (),
    "null": (),
    "array": (
        *("prefixItems", "items", "unevaluatedItems", "contains", "minContains", "maxContains"),
        *("minItems", "maxItems", "uniqueItems"),
    ),
    "object": (
        *("properties", "patternProperties", "additionalProperties", "unevaluatedProperties", "propertyNames"),
        *("required", "dependentRequired", "dependentSchemas", "dependencies", "minProperties", "maxProperties"),
    ),
}
"""What constrains values of one type. Values of other types it lets pass."""

_OF_ANY = (
    *("$ref", "$dynamicRef", "type", "enum", "const"),
    *("allOf", "anyOf", "oneOf", "not", "if", "then", "else"),
)
_ALL = tuple(dict.fromkeys((*_OF_ANY, *(keyword for keywords in _OF_TYPE.values() for keyword in keywords))))
_BESIDE = {"then": "if", "else": "if", "minContains": "contains", "maxContains": "contains"}
"""Keywords that mean nothing without another one."""

_FREE: dict[str, tuple[Any, ...]] = {
    "required": ([],),
    "uniqueItems": (False,),
    **dict.fromkeys(("minItems", "minLength", "minProperties"), (0,)),
    **dict.fromkeys(("items", "additionalProperties", "propertyNames"), (True, {})),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), (True, {})),
}
"""Values with which a keyword lets everything pass."""


def relevant(schema: Schema) -> tuple[str, ...]:
    """Returns the keywords that apply to values of the type that a schema names, if it names one."""
    named = schema.get("type")
    return (*_OF_ANY, *_OF_TYPE[named]) if isinstance(named, str) and named in _OF_TYPE else _ALL


def constraining(schema: Schema) -> list[str]:
    """Returns the keywords of a schema that constrain, without those of the schemas in it."""
    return [
        keyword
        for keyword in relevant(schema)
        if keyword in schema
        and _BESIDE.get(keyword, keyword) in schema
        and not any(schema[keyword] is free or schema[keyword] == free for free in _FREE.get(keyword, ()))
    ]


def fits_type(value: Any, schema: Schema) -> bool:
    """Returns whether a value has the type that a schema names, if any. OpenAPI's `nullable` also admits null."""
    named = schema.get("type", ())
    names = [named] if isinstance(named, str) else named
    nullable = value is None and schema.get("nullable")
    own = JSON_TYPES.get(type(value).__name__, "null")
    return not names or nullable or own in names or (own == "integer" and "number" in names)


def with_current_bounds(schema: Schema) -> dict[str, Any]:
    """Returns a schema without the `exclusiveMinimum: true` that older drafts have beside a `minimum`."""
    made = dict(schema)
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        if isinstance(made.get(exclusive), bool) and made.pop(exclusive) and bound in made:
            made[exclusive] = made.pop(bound)
    return made


def in_current_draft(schema: Any) -> Any:
    """Returns a JSON Schema in the words of draft 2020-12, without names of its own, so references stay inside it."""
    if isinstance(schema, list):
        return list(map(in_current_draft, schema))
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key, held in schema.items():
        if key in _BY_NAME and isinstance(held, Mapping):
            made[key] = {name: in_current_draft(inner) for name, inner in held.items()}
        elif key not in _NAMES or not isinstance(held, str):
            made[key] = held if key in _DATA else in_current_draft(held)
    made = with_current_bounds(made)
    dependencies = made.pop("dependencies") if isinstance(made.get("dependencies"), dict) else {}
    for name, needed in dependencies.items():
        key = "dependentRequired" if isinstance(needed, list) else "dependentSchemas"
        made[key] = {**made.get(key, {}), name: needed}
    if made.get("nullable") is not True:
        return made
    del made["nullable"]
    demands = {key: made.pop(key) for key in relevant(made) if key in made}
    return {**made, "anyOf": [demands, {"type": "null"}]}


_NAMES = ("$schema", "$id", "id")
_DATA = ("const", "enum", "default", "example", "examples", "required", "dependentRequired")
_BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions", "schemas")
"""What holds data, and what holds schemas by names."""
