"""Converts between an instance's data, which is JSON typed by the definition, and its model."""

from __future__ import annotations

import binascii
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import is_dataclass
from functools import partial
from itertools import repeat
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic_core import (
    PydanticSerializationError,
    SchemaValidator,
    ValidationError,
    core_schema,
    to_json,
    to_jsonable_python,
)

from ..definition import (
    MISSING,
    Measure,
    Node,
    Path,
    Plan,
    Walk,
    coded_choice,
    from_base64,
    has_form,
    in_order,
    match_union_option,
    per_plan,
    to_jsonable,
    walk,
)
from ..errors import InstanceError
from .validators import checked, misfits, stored, unwritable

Judge = Callable[[Any, Any], Any]
"""A function from data and a validation context to the model, or None. Raises Pydantic's `ValidationError`."""


@per_plan
def _adapter(plan: Plan) -> TypeAdapter[Any]:
    if plan.model is None:
        raise InstanceError("there is no model to validate with: none was given to from_basemodel or deserialize")
    return TypeAdapter(plan.model)


@per_plan
def validate_model(plan: Plan) -> Judge:
    """Returns the function that validates a reply's data: by the model, or by the definition if no model can."""
    if plan.model is not None and plan.is_complete:
        return to_model(plan)
    check = checked(plan).validate_python

    def judge_by_definition(data: Any, context: Any) -> None:
        check(data)

    return judge_by_definition


@per_plan
def to_model(plan: Plan) -> Judge:
    """Returns the function that makes the model of an instance's data, like `Model.model_validate`."""
    validator: Any = _adapter(plan).validator
    schemas = list(_schemas(_adapter(plan).core_schema))
    # Data by names must not be looked up by aliases that lead elsewhere. It may be by all others, since validators that
    # see the input may have put aliases there.
    names = {"by_alias": not any(map(_leads_away, schemas)), "by_name": True}
    if judges_texts(plan):
        return lambda data, context: validator.validate_python(data, context=context, **names)
    is_coded = "coded" in _kinds_held(plan)
    is_converted = is_coded or "bytes" in _kinds_held(plan)
    modes = [mode for mode in ("base64", "hex") if any(_says(schema, "val_json_bytes", mode) for schema in schemas)]
    mode: Any = modes[0] if modes else "utf8"

    def judge(data: Any, context: Any) -> Any:
        """Validates JSON, for strict models and validators that see the input, or Python objects that have no JSON."""
        text = None
        if is_converted:
            data = Walk(_converted).value(plan.root, data)
        if not is_coded:
            with suppress(PydanticSerializationError, ValueError):
                text = to_json(data, inf_nan_mode="constants", bytes_mode=mode)
        if text is None:
            return validator.validate_python(data, strict=False, context=context, **names)
        return validator.validate_json(text, context=context, **names)

    return judge


def item_validator(plan: Plan, path: Path) -> Callable[[Any, Any], Any] | None:
    """Returns the function that validates an item of the list at a path by its part of the model, if that is found."""
    if plan.model is None:
        return None
    schema: Any = _adapter(plan).core_schema
    known = {each["ref"]: each for each in _schemas(schema) if "ref" in each}
    for step in (*path, 0):
        schema = _inside(schema, known)
        if isinstance(step, str):
            field = _fields_in(schema).get(step)
            schema = schema.get("values_schema") if field is None else field["schema"]
        else:
            schema = schema.get("items_schema")
        if not isinstance(schema, dict):
            return None
    shared = [each for ref, each in known.items() if ref != schema.get("ref")]
    validator = SchemaValidator(core_schema.definitions_schema(schema, shared) if shared else schema)  # type: ignore[arg-type]

    def validate(data: Any, context: Any) -> Any:
        text = to_json(data, inf_nan_mode="constants")
        return validator.validate_json(text, context=context, by_name=True)

    return validate


def _inside(schema: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    """Returns the core schema of the container that a schema is about."""
    while schema["type"] not in _CONTAINERS:
        inner = known.get(schema.get("schema_ref", "")) or schema.get("schema") or schema.get("json_schema")
        if not isinstance(inner, dict):
            break
        schema = inner
    return schema


_CONTAINERS = ("model-fields", "dataclass-args", "typed-dict", "list", "set", "frozenset", "dict")


def _leads_away(schema: dict[str, Any]) -> bool:
    """Returns whether an object has an alias that leads to another field's name, or along a path."""
    named = _fields_in(schema)
    for name, field in named.items():
        given = field.get("validation_alias") or name
        aliases = given if isinstance(given, list) and isinstance(given[0], list) else [given]
        for head, *rest in ([alias] if isinstance(alias, str) else alias for alias in aliases):
            if rest or (head != name and head in named):
                return True
    return False


def _fields_in(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    fields = schema["fields"] if schema["type"] in ("model-fields", "dataclass-args", "typed-dict") else {}
    return fields if isinstance(fields, dict) else {field["name"]: field for field in fields}


def _schemas(schema: Any) -> Iterator[dict[str, Any]]:
    """Yields a core schema and every one inside of it, once."""
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


_NO_SCHEMAS = ("metadata", "default", "expected", "members", "config", "function", "serialization", "computed_fields")
"""Keys of a core schema whose values are not schemas of data although they may look like them."""


def dump(plan: Plan, model: Any) -> Any:
    """Returns the data of a model's instance. Raises `InstanceError` for a value that JSON cannot hold."""
    as_values = bool(_kinds_held(plan) & _AS_VALUES)
    mode: Literal["python", "json"] = "python" if as_values else "json"
    try:
        data = _adapter(plan).dump_python(model, mode=mode, by_alias=False, round_trip=True, warnings=False)
        data = _plain(plan, data) if as_values else data
        data = _with_excluded(plan, plan.root, model, data) if _excluded(plan) else data
    except (PydanticSerializationError, ValueError) as error:
        raise InstanceError(f"the {plan.class_name} holds what JSON cannot: {error}") from error
    return Walk(_as_defined).value(plan.root, data)


_AS_VALUES = {"bytes", "any", "extra", "secret"}
"""Values that Pydantic's JSON changes: bytes to text, infinities to null, sets to any order, secrets to asterisks."""


def _plain(plan: Plan, value: Any) -> Any:
    return to_jsonable(value, "base64" if "bytes" in _kinds_held(plan) else "utf8", reveal=True)


@per_plan
def _excluded(plan: Plan) -> frozenset[str]:
    marks = ("serialization_exclude", "serialization_exclude_if")
    fields = [field for schema in _schemas(_adapter(plan).core_schema) for field in _fields_in(schema).items()]
    return frozenset(name for name, field in fields if any(map(field.get, marks)))


def _with_excluded(plan: Plan, node: Node | None, value: Any, data: Any) -> Any:
    """Returns the data of a value with its excluded fields, unless a custom serializer gave it another shape."""
    inner = partial(_with_excluded, plan)
    if getattr(type(value), "__pydantic_root_model__", False):
        value = value.root
    while node is not None and node.kind == "union":
        option = node.options().get(match_union_option(node, data) or "")  # which may miss a field that is excluded
        node = next((part for part in node.parts if part.name == type(value).__name__), option)
    if node is None:
        return data
    if node.kind == "dict" and isinstance(data, dict):
        if isinstance(value, BaseModel) or is_dataclass(value):
            value = {name: getattr(value, name) for name in node.fields if hasattr(value, name)}
        return _with_fields(plan, node, value, data) if isinstance(value, Mapping) else data
    if isinstance(value, Set) and isinstance(data, list):  # in whatever order they were dumped
        return [inner(node.item, item, _plain(plan, item)) for item in value]
    nodes = node.parts or repeat(node.item)
    if isinstance(value, Mapping) and isinstance(data, dict) and len(value) == len(data):
        return dict(zip(data, map(inner, nodes, value.values(), data.values()), strict=True))
    if isinstance(value, Sequence) and isinstance(data, list) and len(value) == len(data):
        return list(map(inner, nodes, value, data))
    return data


def _with_fields(plan: Plan, node: Node, held: Mapping[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """Returns the data of an object, without optional excluded fields that have no JSON form, such as clients."""
    made = {}
    for name, field in node.fields.items():
        if name in held and (name in data or name in _excluded(plan)):
            try:
                dumped = data[name] if name in data else _plain(plan, held[name])
                made[name] = _with_excluded(plan, field.node, held[name], dumped)
            except ValueError:
                if name in data or field.required:
                    raise
    return {**made, **{name: value for name, value in data.items() if name not in made}}


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
    if problems := list(unwritable(made)):
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
    special = {
        "secret": any(map(_hides, _schemas(_adapter(plan).core_schema))),
        "coded": any(node.coded for node in nodes),
        "extra": any(node.keeps_extra for node in nodes),
    }
    kinds = {node.kind for node in nodes if node.encoded != "str"}
    return frozenset(kinds | {name for name, is_there in special.items() if is_there})


def _hides(schema: dict[str, Any]) -> bool:
    """Returns whether a core schema is that of a secret. All kinds share only the function that writes asterisks."""
    function = (schema.get("serialization") or {}).get("function")
    return getattr(function, "__name__", "").startswith("_serialize_secret")


def _as_defined(walk: Walk, node: Node, data: Any) -> Any:
    """Returns dumped data with the definition's names, choices, numbers and order of sets, where serializers differ."""
    for part in node.parts if node.kind == "union" else (node,):
        choice = coded_choice(part, data)
        if choice is not data:
            return choice
    if isinstance(data, str) and node.encoded == "bytes":
        return from_base64(data).decode()
    if isinstance(data, str) and node.kind in _NUMBERS and has_form(node.kind, data):
        return _NUMBERS[node.kind](data)
    if not isinstance(data, (dict, list)):
        return data
    key = (id(node), id(data))  # unions would try the same data again for each option above them
    if key not in walk.known:
        walk.known[key] = (_option_defined if node.kind == "union" else _holder_defined)(walk, node, data)
    return walk.known[key]


_NUMBERS: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": "true".__eq__}


def _option_defined(walk: Walk, union: Node, data: Any) -> Any:
    """Returns the data as the option has it that it fits as it is, or else fits once it has that form."""
    made = [walk.value(option, data) for option in union.parts]
    measure = Measure()
    fits = [
        (walk.measure.fit(option, data), measure.fit(option, changed))
        for option, changed in zip(union.parts, made, strict=True)
    ]
    best = max(fits)
    return made[fits.index(best)] if any(best) else data


def _holder_defined(walk: Walk, node: Node, data: Any) -> Any:
    if node.kind == "dict" and isinstance(data, dict):
        fields = {key: None if key in node.fields else node.field_aliased(key) for key in data}
        names = {key: field.name for key, field in fields.items() if field is not None and field.name not in data}
        data = {names.get(key, key): value for key, value in data.items()}
        data = {name: value for name, value in data.items() if node.left_out.get(name, MISSING) != value}
    data = walk.inner(node, data)
    if node.kind == "map" and isinstance(data, dict) and node.key is not None:
        keys = {next(iter(to_jsonable({member: None}))): str(choice) for choice, member in node.key.coded.items()}
        keys |= {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"} if node.key.kind == "float" else {}
        return {keys.get(key, key): value for key, value in data.items()}
    return in_order(data) if node.unique and isinstance(data, list) else data


def _converted(walk: Walk, node: Node, data: Any) -> Any:
    """Returns the data with base64 decoded to bytes, unless it is invalid, and choices replaced by enum members."""
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
    return plan.is_complete and plan.model is not None and all(map(_is_plain, _schemas(_adapter(plan).core_schema)))


def _is_plain(schema: dict[str, Any]) -> bool:
    """Returns whether a core schema, apart from those inside it, reads texts in their strict form like typed JSON."""
    if schema.get("strict") or _says(schema, "strict", True):
        return False
    if schema["type"] == "enum":
        return not schema.get("missing") and all(isinstance(member.value, str) for member in schema["members"])
    if schema["type"] == "literal":
        return all(type(choice) is str for choice in schema["expected"])
    return schema["type"] in _PLAIN_TYPES and not schema.get("custom_init") and not schema.get("root_model")


_PLAIN_TYPES = frozenset(
    {"model", "model-fields", "model-field", "definitions", "definition-ref", "default", "nullable"}
    | {"str", "int", "float", "bool", "list", "function-after"}
)


def _says(schema: dict[str, Any], setting: str, value: Any) -> bool:
    return bool((schema.get("config") or {}).get(setting) == value)
