"""Between an instance's data and the model: validating the one into the other, and dumping it back.

An instance holds what JSON can hold, typed by the definition. Its model sees that data as if it came as JSON.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError, to_json, to_jsonable_python

from .definition import Node, Plan, option_of, per_plan, walk
from .errors import InstanceError
from .validate import checked

__all__ = ["dump", "judge", "judges_texts", "to_model"]

Judge = Callable[[Any, Any], Any]
"""Data and a validation context -> the model made of it, or None; raises Pydantic's `ValidationError`."""


@per_plan
def _adapter(plan: Plan) -> TypeAdapter[Any]:
    if plan.model is None:
        raise InstanceError("there is no model to validate with: none was given to from_basemodel or deserialize")
    return TypeAdapter(plan.model)


@per_plan
def judge(plan: Plan) -> Judge:
    """What checks the data of a reply: its model, or the definition where there is no model or it asks for
    more than the definition does.
    """
    if plan.model is not None and plan.whole:
        return to_model(plan)
    check = checked(plan).validate_python

    def judge_by_definition(data: Any, context: Any) -> None:
        check(data)

    return judge_by_definition


@per_plan
def to_model(plan: Plan) -> Judge:
    """What makes the model of an instance's data, as `Model.model_validate` would.

    Where Python objects and JSON are read differently (strict models, validators that see the input), the
    data goes through JSON, as which it came. Bytes, which JSON has no form for, go as bytes.
    """
    validator: Any = _adapter(plan).validator
    from_python, from_json = validator.validate_python, validator.validate_json
    if judges_texts(plan):
        return lambda data, context: from_python(data, context=context, by_alias=False, by_name=True)
    if _holds(plan, "bytes"):

        def by_bytes(data: Any, context: Any) -> Any:
            """Texts that are UTF-8 go as JSON, which strict models need; other bytes have no JSON."""
            converted = _converted(plan.root, data)
            try:
                text = to_json(converted, inf_nan_mode="constants", bytes_mode=mode)
            except (PydanticSerializationError, ValueError):
                return from_python(converted, context=context, by_alias=False, by_name=True)
            return from_json(text, context=context, by_alias=False, by_name=True)

        mode: Any = "base64" if _says(_adapter(plan).core_schema, "val_json_bytes", "base64") else "utf8"
        return by_bytes

    def by_json(data: Any, context: Any) -> Any:
        text = to_json(data, inf_nan_mode="constants")
        return from_json(text, context=context, by_alias=False, by_name=True)

    return by_json


def dump(plan: Plan, model: Any) -> Any:
    """The data of a model's instance: by field names, without computed fields, sets in one order everywhere.

    Raises `InstanceError` for what JSON cannot hold.
    """
    as_bytes = _holds(plan, "bytes")
    mode: Literal["python", "json"] = "python" if as_bytes else "json"
    try:
        data = _adapter(plan).dump_python(model, mode=mode, by_alias=False, round_trip=True, warnings=False)
        data = to_jsonable_python(data, bytes_mode="base64", inf_nan_mode="constants") if as_bytes else data
    except (PydanticSerializationError, ValueError) as error:
        raise InstanceError(f"the {plan.class_name} holds what JSON cannot: {error}") from error
    data = _by_name(plan.root, data) if _holds(plan, "alias") else data
    return _arranged(plan.root, data) if _holds(plan, "set") else data


@per_plan
def _held(plan: Plan) -> frozenset[str]:
    nodes = list(walk(plan.root))
    kinds = {node.kind for node in nodes} | {"set" for node in nodes if node.unique}
    aliased = any(field.aliases for node in nodes for field in node.fields.values())
    return frozenset(kinds | ({"alias"} if aliased else set()))


def _holds(plan: Plan, kind: str) -> bool:
    return kind in _held(plan)


def _mapped(node: Node, data: Any, change: Callable[[Node, Any], Any]) -> Any:
    """The data with every value below the given one changed."""
    if node.kind == "dict" and isinstance(data, dict):
        known = node.fields
        return {name: change(known[name].node, value) if name in known else value for name, value in data.items()}
    if node.kind == "map" and isinstance(data, dict) and node.item is not None:
        return {key: change(node.item, value) for key, value in data.items()}
    if node.kind == "list" and isinstance(data, list) and node.item is not None:
        return [change(node.item, value) for value in data]
    if node.kind == "tuple" and isinstance(data, list):
        return list(map(change, node.parts, data))
    if node.kind == "union" and data is not None:
        name = option_of(node, data)
        return data if name is None else change(node.options()[name], data)
    return data


def _by_name(node: Node, data: Any) -> Any:
    """The data by field names, also where a model's own serializer wrote aliases."""
    if node.kind == "union":
        made = (_by_name(option, data) for option in node.parts)
        return next((named for named in made if option_of(node, named) is not None), data)
    if node.kind == "dict" and isinstance(data, dict):
        data = {_name_of(node, key, data): value for key, value in data.items()}
    return _mapped(node, data, _by_name)


def _name_of(node: Node, key: str, data: dict[str, Any]) -> str:
    field = None if key in node.fields else node.field_aliased(key)
    return key if field is None or field.name in data else field.name


def _arranged(node: Node, data: Any) -> Any:
    """The data with the items of its sets in the order of their JSON, which no hash seed changes."""
    data = _mapped(node, data, _arranged)
    return sorted(data, key=_canonical) if node.unique and isinstance(data, list) else data


def _canonical(value: Any) -> bytes:
    return to_json(value, inf_nan_mode="constants")


def _converted(node: Node, data: Any) -> Any:
    """The data with bytes in place of their base64; a text that is none stays, for the model to judge."""
    if node.kind != "bytes" or not isinstance(data, str):
        return _mapped(node, data, _converted)
    try:
        return base64.b64decode(data.replace("-", "+").replace("_", "/") + "==")
    except binascii.Error:
        return data


@per_plan
def judges_texts(plan: Plan) -> bool:
    """Whether the model judges a tree of texts as it would judge the typed data, so that typing can wait."""
    return plan.whole and plan.model is not None and _is_plain(_adapter(plan).core_schema)


_PLAIN_TYPES = frozenset(
    {"model", "model-fields", "model-field", "definitions", "definition-ref", "default", "nullable"}
    | {"str", "int", "float", "bool", "list", "function-after"}
)


def _says(schema: Any, setting: str, value: str) -> bool:
    """Whether some configuration in a core schema has a setting."""
    if isinstance(schema, dict):
        config = schema.get("config")
        here = isinstance(config, dict) and config.get(setting) == value
        return here or any(_says(held, setting, value) for key, held in schema.items() if key != "metadata")
    return isinstance(schema, (list, tuple)) and any(_says(held, setting, value) for held in schema)


def _is_plain(schema: Any) -> bool:
    """Whether a core schema reads texts in their strict form exactly as it reads typed JSON.

    So it is for plain types without `strict` and without validators that see the input; enums and literals
    of texts count as plain.
    """
    if not isinstance(schema, dict):
        return not isinstance(schema, (list, tuple)) or all(map(_is_plain, schema))
    if schema.get("strict") or (schema.get("config") or {}).get("strict"):
        return False
    kind = schema.get("type")
    if kind in _PLAIN_CHOICES:
        return _PLAIN_CHOICES[kind](schema)
    if kind not in _PLAIN_TYPES or schema.get("custom_init") or schema.get("root_model"):
        return False
    if kind == "model-fields":
        return all(map(_is_plain, schema["fields"].values()))
    return all(_is_plain(schema[key]) for key in ("schema", "items_schema", "definitions") if key in schema)


_PLAIN_CHOICES: dict[Any, Callable[[dict[str, Any]], bool]] = {
    "enum": lambda schema: (
        not schema.get("missing") and all(isinstance(member.value, str) for member in schema["members"])
    ),
    "literal": lambda schema: all(type(choice) is str for choice in schema["expected"]),
}
