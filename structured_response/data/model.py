"""Converts between an instance's data and its model, by validating and dumping.

An instance holds JSON-compatible data, typed by the definition. Its model validates that data as if it came as JSON.
"""

from __future__ import annotations

import binascii
from collections.abc import Callable, Iterator
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError, ValidationError, to_json, to_jsonable_python

from ..definition import (
    MISSING,
    Change,
    Node,
    Plan,
    Walk,
    coded_choice,
    from_base64,
    has_form,
    in_order,
    per_plan,
    to_jsonable,
    transform,
    walk,
)
from ..errors import InstanceError
from .excluded import Excluded
from .validators import checked, misfits, stored, unwritable

__all__ = ["coerce", "dump", "is_same", "judges_texts", "to_model", "validate_model"]

Judge = Callable[[Any, Any], Any]
"""A function from data and a validation context to the model, or None. Raises Pydantic's `ValidationError`."""


@per_plan
def _adapter(plan: Plan) -> TypeAdapter[Any]:
    if plan.model is None:
        raise InstanceError("there is no model to validate with: none was given to from_basemodel or deserialize")
    return TypeAdapter(plan.model)


@per_plan
def validate_model(plan: Plan) -> Judge:
    """Returns the function that validates the data of a reply: by its model, or by the definition if there is no model
    or the model requires more than the definition.
    """
    if plan.model is not None and plan.is_complete:
        return to_model(plan)
    check = checked(plan).validate_python

    def judge_by_definition(data: Any, context: Any) -> None:
        check(data)

    return judge_by_definition


@per_plan
def to_model(plan: Plan) -> Judge:
    """Returns the function that makes the model of an instance's data, like `Model.model_validate`.

    Where Python objects and JSON are validated differently (strict models, validators that see the input), the data is
    passed as JSON. Bytes, which JSON cannot represent, are passed as bytes.
    """
    validator: Any = _adapter(plan).validator
    by_alias = not _is_aliased_anew(_adapter(plan).core_schema)

    def from_python(data: Any, context: Any, strict: bool | None = None) -> Any:
        return validator.validate_python(data, strict=strict, context=context, by_alias=by_alias, by_name=True)

    def from_json(text: bytes, context: Any) -> Any:
        return validator.validate_json(text, context=context, by_alias=by_alias, by_name=True)

    if judges_texts(plan):
        return from_python
    if _holds(plan, "coded"):
        return lambda data, context: from_python(transform(plan.root, data, _converted), context, strict=False)
    if _holds(plan, "bytes"):

        def by_bytes(data: Any, context: Any) -> Any:
            """Validates texts of UTF-8 as JSON, which strict models need. Other bytes have no JSON, so all data is
            passed as Python objects, with dates as texts. At this point every value is known to have its type.
            """
            converted = transform(plan.root, data, _converted)
            try:
                text = to_json(converted, inf_nan_mode="constants", bytes_mode=mode)
            except (PydanticSerializationError, ValueError):
                return from_python(converted, context, strict=False)
            return from_json(text, context)

        core_schema = _adapter(plan).core_schema
        mode: Any = next((name for name in ("base64", "hex") if _says(core_schema, "val_json_bytes", name)), "utf8")
        return by_bytes

    def by_json(data: Any, context: Any) -> Any:
        return from_json(to_json(data, inf_nan_mode="constants"), context)

    return by_json


def _is_aliased_anew(schema: Any) -> bool:
    """Returns whether a model has an alias that leads elsewhere than to its field: to another field's name, or along a
    path.

    Data by names must not be looked up by such aliases. It may be by all others, since validators that see the input
    may have put aliases there.
    """
    return any(map(_leads_away, _schemas(schema)))


def _leads_away(schema: dict[str, Any]) -> bool:
    if schema["type"] not in ("model-fields", "typed-dict", "dataclass-args"):
        return False
    fields = schema["fields"]
    named = fields if isinstance(fields, dict) else {field["name"]: field for field in fields}
    aliases = [(name, alias) for name, field in named.items() for alias in _aliases(field.get("validation_alias"))]
    return any(len(alias) > 1 or (alias[0] != name and alias[0] in named) for name, alias in aliases)


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Yields a core schema and every one inside of it, once. The same model may occur in it many times, and so may its
    parts.
    """
    waiting, seen = [schema], set()
    while waiting:
        held = waiting.pop()
        if id(held) in seen:
            continue
        seen.add(id(held))
        if isinstance(held, (list, tuple)):
            waiting += held
        elif isinstance(held, dict) and isinstance(held.get("type"), str):
            yield held
            waiting += [inner for key, inner in held.items() if key not in _NO_SCHEMAS]
        elif isinstance(held, dict):  # fields or choices by name
            waiting += held.values()


_NO_SCHEMAS = ("metadata", "default", "expected", "members", "config")
"""Keys of a core schema whose values are not schemas although they may look like them."""


def _aliases(alias: Any) -> list[list[Any]]:
    """Returns the aliases of a field as paths."""
    if alias is None or isinstance(alias, str):
        return [[alias]] if alias else []
    return alias if alias and isinstance(alias[0], list) else [alias]


def dump(plan: Plan, model: Any) -> Any:
    """Returns the data of a model's instance: by field names, without computed fields, with sets in a fixed order.

    Raises `InstanceError` for a value that JSON cannot hold.
    """
    as_values = bool(_kinds_held(plan) & _AS_VALUES)
    mode: Literal["python", "json"] = "python" if as_values else "json"
    try:
        data = _adapter(plan).dump_python(model, mode=mode, by_alias=False, round_trip=True, warnings=False)
        data = _plain(plan, data) if as_values else data
        data = _excluded(plan).put_back(plan.root, model, data) if _holds(plan, "excluded") else data
    except (PydanticSerializationError, ValueError) as error:
        raise InstanceError(f"the {plan.class_name} holds what JSON cannot: {error}") from error
    for need, change in _CHANGES.items():
        data = transform(plan.root, data, change) if _holds(plan, need) else data
    return data


_AS_VALUES = {"bytes", "any", "extra", "secret"}
"""Values that Pydantic's JSON changes: bytes to text, infinities to null, sets to any order, secrets to asterisks."""


def _plain(plan: Plan, value: Any) -> Any:
    """Returns data of a value. Secrets are revealed, since an instance holds the content of a reply."""
    return to_jsonable(value, "base64" if _holds(plan, "bytes") else "utf8", reveal=True)


@per_plan
def _excluded(plan: Plan) -> Excluded:
    return Excluded(Excluded.named(_schemas(_adapter(plan).core_schema)), lambda value: _plain(plan, value))


def coerce(plan: Plan, data: Any) -> Any:
    """Returns outside data in the form that an instance holds. Raises `InstanceError` for data that does not fit."""
    if data is None and not plan.root.nullable:
        raise InstanceError(f"None is not a {plan.class_name}")
    try:
        jsonable = to_jsonable_python(data, **_AS_JSON)
        made = stored(plan).validate_python(jsonable)
    except ValidationError as error:
        message = f"the instance does not fit the definition of {plan.class_name}"
        raise InstanceError(message, misfits(plan, jsonable, error)) from error
    except (PydanticSerializationError, ValueError, RecursionError) as error:
        raise InstanceError(f"the instance holds what JSON cannot: {error}") from error
    problems = unwritable(made)
    if problems:
        raise InstanceError("the instance holds what no text can", problems)
    return made


_AS_JSON: Any = {"by_alias": False, "round_trip": True, "inf_nan_mode": "constants"}


def is_same(data: Any, before: Any) -> bool:
    """Returns whether `coerce`, which sees their JSON, makes the same of two pieces of data."""
    try:
        return to_json(data, **_AS_JSON) == to_json(before, **_AS_JSON)
    except (PydanticSerializationError, ValueError, RecursionError):
        return False


@per_plan
def _kinds_held(plan: Plan) -> frozenset[str]:
    nodes = list(walk(plan.root))
    kinds = {node.kind for node in nodes if node.encoded != "str"}
    schemas = list(_schemas(_adapter(plan).core_schema))
    special = {
        "excluded": bool(Excluded.named(schemas)),
        "secret": any(map(_hides, schemas)),
        "coded": any(node.coded for node in nodes),
        "left out": any(node.left_out for node in nodes),
        "set": any(node.unique for node in nodes),
        "extra": any(node.keeps_extra for node in nodes),
        "aliases": any(map(_serializes_itself, schemas)) and any(map(_is_aliased, nodes)),
        "own spelling": any(map(_serializes_itself, schemas))
        or any(node.encoded or (node.key is not None and node.key.kind == "float") for node in nodes),
    }
    return frozenset(kinds | {name for name, is_there in special.items() if is_there})


def _holds(plan: Plan, kind: str) -> bool:
    return kind in _kinds_held(plan)


def _is_aliased(node: Node) -> bool:
    """Returns whether a custom serializer may write fields of an object by other names."""
    return any(alias != name for name, field in node.fields.items() for alias in field.aliases)


def _by_name(walk: Walk, node: Node, data: Any) -> Any:
    """Returns the data by field names, also where a custom serializer wrote aliases. Results are cached, since unions
    would try the same data again for each option above them.
    """
    if not isinstance(data, (dict, list)):
        return data
    key = (id(node), id(data))
    if key not in walk.known:
        walk.known[key] = (_option_by_name if node.kind == "union" else _fields_by_name)(walk, node, data)
    return walk.known[key]


def _option_by_name(walk: Walk, node: Node, data: Any) -> Any:
    """Returns the data with the names of the option that it then fits best."""
    made = [walk.value(option, data) for option in node.parts]
    fits = list(map(walk.measure.fit, node.parts, made))
    return made[fits.index(max(fits))] if any(fits) else data


def _fields_by_name(walk: Walk, node: Node, data: Any) -> Any:
    if node.kind == "dict" and isinstance(data, dict):
        data = {_name_of(node, key, data): value for key, value in data.items()}
    return walk.inner(node, data)


def _name_of(node: Node, key: str, data: dict[str, Any]) -> str:
    field = None if key in node.fields else node.field_aliased(key)
    return key if field is None or field.name in data else field.name


def _asked_for(walk: Walk, node: Node, data: Any) -> Any:
    """Returns the data without fields that are never requested, if they hold their defaults."""
    if node.left_out and isinstance(data, dict):
        data = {name: held for name, held in data.items() if node.left_out.get(name, MISSING) != held}
    return walk.inner(node, data)


def _serializes_itself(schema: dict[str, Any]) -> bool:
    """Returns whether a core schema has a function as its serializer."""
    return str((schema.get("serialization") or {}).get("type")).startswith("function-")


def _hides(schema: dict[str, Any]) -> bool:
    """Returns whether a core schema is that of a secret. All kinds share only the function that writes asterisks."""
    function = (schema.get("serialization") or {}).get("function")
    return getattr(function, "__name__", "").startswith("_serialize_secret")


def _spelt(walk: Walk, node: Node, data: Any) -> Any:
    """Returns the data with values that Pydantic or custom serializers spell differently as the definition has them:
    numbers as texts, self-encoded base64, infinities as keys.
    """
    if isinstance(data, str):
        return _spelt_text(node, data)
    data = walk.inner(node, data)
    if node.kind == "map" and isinstance(data, dict) and node.key is not None and node.key.kind == "float":
        return {_KEYS.get(key, key): value for key, value in data.items()}
    return data


def _spelt_text(node: Node, text: str) -> Any:
    if node.encoded == "bytes":
        return from_base64(text).decode()
    return _NUMBERS[node.kind](text) if node.kind in _NUMBERS and has_form(node.kind, text) else text


_NUMBERS: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": "true".__eq__}
_KEYS = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}


def _arranged(walk: Walk, node: Node, data: Any) -> Any:
    """Returns the data with the items of its sets in the order of their JSON, which no hash seed changes."""
    data = walk.inner(node, data)
    return in_order(data) if node.unique and isinstance(data, list) else data


def _by_choice(walk: Walk, node: Node, data: Any) -> Any:
    """Returns the data with the choices that represent enum members."""
    for part in node.parts if node.kind == "union" else (node,):
        choice = coded_choice(part, data)
        if choice is not data:
            return choice
    data = walk.inner(node, data)
    if node.kind == "map" and isinstance(data, dict) and node.key is not None and node.key.coded:
        choices = {next(iter(to_jsonable({member: None}))): str(choice) for choice, member in node.key.coded.items()}
        return {choices.get(key, key): value for key, value in data.items()}
    return data


_CHANGES: dict[str, Change] = {
    "aliases": _by_name,
    "coded": _by_choice,
    "left out": _asked_for,
    "own spelling": _spelt,
    "set": _arranged,
}
"""The changes to dumped data, by the property of a plan that requires them."""


def _converted(walk: Walk, node: Node, data: Any) -> Any:
    """Returns the data with base64 decoded to bytes, and choices replaced by enum members. Invalid base64 stays, for
    the model to judge.
    """
    if node.coded:
        return node.coded.get(data, data)
    if node.kind == "bytes" and not node.encoded and isinstance(data, str):
        try:
            return from_base64(data)
        except binascii.Error:
            return data
    data = walk.inner(node, data)
    key = node.key
    if node.kind == "map" and isinstance(data, dict) and key is not None and (key.kind == "bytes" or key.coded):
        return {walk.value(key, name): value for name, value in data.items()}
    return data


@per_plan
def judges_texts(plan: Plan) -> bool:
    """Returns whether the model judges a tree of texts like typed data, so that typing can be postponed."""
    return plan.is_complete and plan.model is not None and _is_plain(_adapter(plan).core_schema)


_PLAIN_TYPES = frozenset(
    {"model", "model-fields", "model-field", "definitions", "definition-ref", "default", "nullable"}
    | {"str", "int", "float", "bool", "list", "function-after"}
)


def _says(schema: Any, setting: str, value: str) -> bool:
    """Returns whether a configuration in a core schema has a setting."""
    return any((held.get("config") or {}).get(setting) == value for held in _schemas(schema))


def _is_plain(schema: Any) -> bool:
    """Returns whether a core schema reads texts in their strict form exactly like typed JSON.

    This holds for plain types without `strict` and without validators that see the input. Enums and literals of texts
    count as plain.
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
