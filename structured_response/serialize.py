"""A response <-> one JSON text: version, class name, definition and, once something was read, instance."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import orjson
from pydantic_core import ValidationError

from .definition import (
    ABSENT,
    MARK,
    Node,
    Plan,
    per_plan,
    plan_of_document,
    restored,
    shared_shapes,
    show_path,
    storable,
    to_json,
    walk,
)
from .errors import DefinitionError, DeserializeError
from .limits import MAX_COMPILED, MAX_DEPTH, MAX_SERIALIZED
from .validate import problems_of, stored, verified

__all__ = ["deserialize", "serialize"]

VERSION = 1
_KNOWN = frozenset({"version", "class_name", "definition", "instance", "extra"})
_TYPES: dict[str, type | tuple[type, ...]] = {"version": int, "class_name": str, "definition": dict}


def serialize(plan: Plan, data: Any) -> str:
    """The JSON text of a definition and an instance's data, which is ABSENT before anything was read.

    What JSON cannot hold (NaN, infinities) and what orjson cannot (integers past 64 bits) is written as text.
    """
    envelope = {
        "version": VERSION,
        "class_name": plan.class_name,
        "definition": orjson.Fragment(plan.definition_json),
    }
    if plan.keeps_extra:
        envelope["extra"] = True  # without its model, nobody could tell an extra field from a forged one
    if data is not ABSENT:
        envelope["instance"] = orjson.Fragment(_to_json(plan.root, data))
    return orjson.dumps(envelope).decode()


def _to_json(node: Node, data: Any) -> bytes:
    try:
        text = orjson.dumps(data)
    except TypeError:
        return orjson.dumps(storable(node, data))
    suspect = b"null" in text or MARK.encode() in text  # orjson writes NaN as null, without a word
    return orjson.dumps(storable(node, data)) if suspect else text


def deserialize(text: str | bytes, expected: Plan | None = None) -> tuple[Plan, Any]:
    """The plan and the data that `serialize` wrote; with an `expected` plan, which must be the same, that one.

    Raises `DeserializeError` for anything else.
    """
    envelope = _envelope(text)
    class_name, definition = envelope["class_name"], envelope["definition"]
    extra = envelope.get("extra", False)
    plan = _plan(class_name, definition, extra) if expected is None else _same(expected, class_name, definition)
    if "instance" not in envelope:
        return plan, ABSENT
    if envelope["instance"] is None and plan.root.kind == "dict" and not plan.root.nullable:
        raise DeserializeError(f"a {plan.class_name} cannot be null", "instance")
    if _is_open(plan) and _depth(envelope["instance"]) > MAX_DEPTH:
        raise DeserializeError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", "instance")
    try:
        return plan, stored(plan).validate_python(envelope["instance"])
    except ValidationError as error:
        path, problem = next(iter(problems_of(plan, error)))
        raise DeserializeError(problem.message, f"instance{show_path(path)[1:]}") from error


def _envelope(text: str | bytes) -> dict[str, Any]:
    """The envelope of a serialized response, as deep as data may be, with its numbers restored."""
    envelope = _loaded(text)
    for name, kind in _TYPES.items():
        if name not in envelope:
            raise DeserializeError("is not there", name)
        if not isinstance(envelope[name], kind) or isinstance(envelope[name], bool):
            raise DeserializeError(f"cannot be {type(envelope[name]).__name__}", name)
    if not envelope.keys() <= _KNOWN:
        unknown = envelope.keys() - _KNOWN
        raise DeserializeError("does not belong into a serialized response", min(unknown))
    if envelope["version"] != VERSION:
        raise DeserializeError(f"is {envelope['version']}; this library reads {VERSION}", "version")
    if not envelope["class_name"]:
        raise DeserializeError("is empty", "class_name")
    if envelope.get("extra", True) is not True:
        raise DeserializeError("is true where it is there", "extra")
    return envelope


def _loaded(text: str | bytes) -> dict[str, Any]:
    if not isinstance(text, (str, bytes)):
        raise DeserializeError(f"a serialized response is a text, not {type(text).__name__}")
    if len(text) > MAX_SERIALIZED:
        raise DeserializeError(f"{len(text)} characters, more than {MAX_SERIALIZED} (MAX_SERIALIZED)")
    try:
        envelope = orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError) as error:
        raise DeserializeError(f"not JSON: {error}") from error
    if not isinstance(envelope, dict):
        raise DeserializeError(f"a JSON object was expected, not {type(envelope).__name__}")
    shown = text if isinstance(text, str) else text.decode()
    try:
        return {name: restored(value) for name, value in envelope.items()} if MARK in shown else envelope
    except ValueError as error:
        raise DeserializeError(str(error)) from error


@per_plan
def _is_open(plan: Plan) -> bool:
    """Whether data may be deeper than the definition: in values of any type and in recursive ones."""
    return bool(shared_shapes(plan.root)) or any(node.kind == "any" or node.keeps_extra for node in walk(plan.root))


def _depth(data: Any) -> int:
    """How deep lists and objects stand in each other."""
    depth, level = 0, [data] if isinstance(data, (dict, list)) else []
    while level:
        depth += 1
        held = [value for holder in level for value in (holder.values() if isinstance(holder, dict) else holder)]
        level = [value for value in held if isinstance(value, (dict, list))]
    return depth


def _plan(class_name: str, definition: Any, extra: bool) -> Plan:
    try:
        return _cached_plan(class_name, to_json(definition), extra)
    except DefinitionError as error:
        raise DeserializeError(error.message, f"definition.{error.path}".rstrip(".")) from error


@lru_cache(maxsize=MAX_COMPILED)
def _cached_plan(class_name: str, definition: bytes, extra: bool) -> Plan:
    plan = verified(plan_of_document(class_name, restored(orjson.loads(definition))))
    return plan.keeping_extra() if extra else plan


def _same(expected: Plan, class_name: str, definition: Any) -> Plan:
    if class_name != expected.class_name:
        raise DeserializeError(f"is {class_name!r}, but the model is {expected.class_name!r}", "class_name")
    if definition != expected.definition:
        path = _difference(definition, expected.definition)
        raise DeserializeError(f"differs from that of the model {class_name!r}", f"definition.{path}".rstrip("."))
    return expected


def _difference(found: Any, wanted: Any) -> str:
    """The path of the first place where two definitions differ."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for name in [*wanted, *found]:
            if found.get(name, ABSENT) != wanted.get(name, ABSENT):
                deeper = _difference(found.get(name), wanted.get(name))
                return f"{name}.{deeper}".rstrip(".")
    return ""
