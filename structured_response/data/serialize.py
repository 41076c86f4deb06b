"""Converts a response to a JSON text and back: version, class name, definition and, once there is one, instance."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from typing import Any

import orjson
from pydantic_core import ValidationError

from ..definition import (
    MARK,
    MISSING,
    Plan,
    is_same,
    per_plan,
    plan_of_document,
    restored,
    show_path,
    storable,
    to_json,
    walk,
)
from ..definition.names import MAX_COMPILED
from ..errors import DefinitionError, DeserializeError
from .compare import differing
from .validators import problems_of, stored, unwritable, verified

MAX_SERIALIZED = 256 * 1024 * 1024
"""Characters of a serialized response that `deserialize` accepts."""

VERSION = 1
_INSTANCE = ',"instance":'
_TYPES: dict[str, type] = {"version": int, "class_name": str, "definition": dict, "extra": bool}


def serialize(plan: Plan, data: Any) -> str:
    """Returns the JSON text of a definition and an instance's data, which is MISSING before anything was read."""
    if data is MISSING:
        return _head(plan) + "}"
    return f"{_head(plan)}{_INSTANCE}{to_json(data, plan.root).decode()}}}"


@per_plan
def _head(plan: Plan) -> str:
    """Returns the text in front of every instance of a plan, up to its missing closing brace."""
    envelope = {
        "version": VERSION,
        "class_name": plan.class_name,
        "definition": orjson.Fragment(plan.definition_json),
    }
    if plan.keeps_extra:
        envelope["extra"] = True  # without its model, an extra field looks like a forged one
    return orjson.dumps(envelope).decode().removesuffix("}")


def deserialize(text: str | bytes, expected: Plan | None = None) -> tuple[Plan, Any]:
    """Returns the plan, or an equal `expected` one, and the data. Raises `DeserializeError` for any other text."""
    head, instance = _divided(_checked_text(text))
    plan = _plan_of(head) if expected is None else _same(expected, _envelope(head))
    if instance is MISSING:
        return plan, MISSING
    if instance is None and plan.root.kind == "dict" and not plan.root.nullable:
        raise DeserializeError(f"a {plan.class_name} cannot be null", "instance")
    for problem in unwritable(instance) if _is_open(plan) else ():
        raise DeserializeError(problem.message, f"instance{problem.path[1:]}")
    try:
        return plan, stored(plan).validate_python(instance)
    except ValidationError as error:
        _path, problem = next(problems_of(plan, error))
        raise DeserializeError(problem.message, f"instance{problem.path[1:]}") from error


def _checked_text(text: Any) -> str:
    if not isinstance(text, (str, bytes)):
        raise DeserializeError(f"a serialized response is a text, not {type(text).__name__}")
    if len(text) > MAX_SERIALIZED:
        raise DeserializeError(f"{len(text)} characters, more than {MAX_SERIALIZED} (MAX_SERIALIZED)")
    try:
        return text if isinstance(text, str) else text.decode()
    except UnicodeDecodeError as error:
        raise DeserializeError(f"not JSON: {error}") from error


def _divided(text: str) -> tuple[str, Any]:
    """Returns the text of an envelope without its instance, and the instance or MISSING."""
    # If the text up to the instance is a whole envelope once it is closed, a known definition need not be read again:
    # that would take half of the time (benchmarks/serializing.py).
    head, found, rest = text.partition(_INSTANCE)
    if found and rest.endswith("}"):
        with suppress(DeserializeError):
            _envelope(head + "}")
            return head + "}", _restored(_loaded(rest[:-1]), rest)
    envelope = _loaded(text)
    if not isinstance(envelope, dict):
        raise DeserializeError(f"a JSON object was expected, not {type(envelope).__name__}")
    instance = envelope.pop("instance", MISSING)
    try:
        return orjson.dumps(envelope).decode(), _restored(instance, text)
    except TypeError as error:
        raise DeserializeError(f"holds what JSON cannot: {error}", "definition") from error


def _loaded(text: str) -> Any:
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError) as error:
        raise DeserializeError(f"not JSON: {error}") from error


def _restored(data: Any, text: str) -> Any:
    try:
        return restored(data) if MARK in text else data
    except (ValueError, RecursionError) as error:
        raise DeserializeError(str(error)) from error


@per_plan
def _is_open(plan: Plan) -> bool:
    """Returns whether data may be deeper than the definition: in values of any type and in recursive ones."""
    return bool(plan.shapes) or any(node.kind == "any" or node.keeps_extra for node in walk(plan.root))


@lru_cache(maxsize=MAX_COMPILED)
def _plan_of(head: str) -> Plan:
    asked = _envelope(head)
    try:
        return verified(plan_of_document(asked["class_name"], asked["definition"], "extra" in asked))
    except DefinitionError as error:
        raise DeserializeError(error.message, f"definition.{error.path}".rstrip(".")) from error


@lru_cache(maxsize=MAX_COMPILED)
def _envelope(head: str) -> dict[str, Any]:
    envelope: dict[str, Any] = _loaded(head)
    for name, kind in {**_TYPES, **dict.fromkeys(envelope.keys() - _TYPES.keys())}.items():
        if kind is None:
            raise DeserializeError("does not belong into a serialized response", name)
        if name not in envelope and name != "extra":
            raise DeserializeError("is not there", name)
        if type(envelope.get(name, True)) is not kind:
            raise DeserializeError(f"cannot be {type(envelope[name]).__name__}", name)
    if envelope["version"] != VERSION:
        raise DeserializeError(f"is {envelope['version']}; this library reads {VERSION}", "version")
    if not envelope["class_name"]:
        raise DeserializeError("is empty", "class_name")
    return {**envelope, "definition": _restored(envelope["definition"], head)}


def _same(expected: Plan, asked: dict[str, Any]) -> Plan:
    name, wanted = expected.class_name, expected.definition
    if asked["class_name"] != name:
        raise DeserializeError(f"is {asked['class_name']!r}, but the model is {name!r}", "class_name")
    if not is_same(asked["definition"], wanted):
        place, _found, _wanted = next(differing(storable(None, asked["definition"]), storable(None, wanted)))
        raise DeserializeError(f"differs from that of the model {name!r}", f"definition{show_path(place)[1:]}")
    return expected
