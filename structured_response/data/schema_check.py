"""Checks data with jsonschema, for keywords that a definition cannot express. Nothing is ever fetched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Literal

from pydantic_core import SchemaError, SchemaValidator, core_schema

from ..definition import Path, Plan, per_plan
from ..definition.names import MAX_COMPILED
from ..errors import DefinitionError, MissingExtraError

MAX_MESSAGE = 300
"""Characters of a message of jsonschema, which may quote all of the data."""

Fault = tuple[Path, str, Any]
"""The path of a value, a message, and the value. For a missing value the message is empty, and its holder follows."""


def faults_of(plan: Plan, data: Any) -> list[Fault]:
    """Returns the faults of data by the JSON Schema of a plan, each once, inner ones first."""
    try:
        faults = [fault for error in json_schema_validator(plan).iter_errors(data) for fault in _faults(error)]
    except RecursionError:
        return [((), "nested too deeply to be checked by its JSON Schema", data)]
    once = {(path, message): (path, message, held) for path, message, held in faults}
    return sorted(once.values(), key=lambda fault: -len(fault[0]))


def _faults(error: Any) -> Iterator[Fault]:
    meant = _meant(error)
    if meant:
        for inner in meant:
            yield from _faults(inner)
        return
    path, held = tuple(error.absolute_path), error.instance
    missing = [name for name in _needed(error) if name not in held]
    yield from (((*path, name), "", held) for name in missing)
    if not missing:
        dots = "..." if len(error.message) > MAX_MESSAGE else ""
        yield path, f"{error.message[:MAX_MESSAGE]}{dots} ({error.validator!r} of the JSON Schema)", held


def _meant(error: Any) -> list[Any]:
    """Returns the errors of the only option whose type the value has, if there is one."""
    options: dict[Any, list[Any]] = {}
    for inner in error.context or ():
        options.setdefault(inner.relative_schema_path[0], []).append(inner)
    possible = [errors for errors in options.values() if not any(inner.validator in _KINDS for inner in errors)]
    return possible[0] if len(possible) == 1 else []


_KINDS = ("type", "const", "enum")


def _needed(error: Any) -> list[str]:
    """Returns the names that an object must have, if an error is about those."""
    if error.validator == "required":
        return list(error.validator_value)
    if error.validator == "dependentRequired":
        return [name for given, names in error.validator_value.items() if given in error.instance for name in names]
    return []


@per_plan
def json_schema_validator(plan: Plan) -> Any:
    """Returns the validator of jsonschema. Raises `DefinitionError` without the package, for an invalid schema, and for
    a reference out of the document.
    """
    schema = plan.json_schema
    path, keyword = next(iter(plan.unread), ("", "$json_schema"))
    try:
        jsonschema, referencing = _import("jsonschema"), _import("referencing.jsonschema")
    except MissingExtraError as error:
        raise DefinitionError(f"{keyword!r} is checked by a package that is missing: {error}", path) from error
    draft = jsonschema.Draft202012Validator
    try:
        draft.check_schema(schema, format_checker=jsonschema.FormatChecker(()))
    except jsonschema.SchemaError as error:
        place = ".".join(map(str, error.absolute_path))
        raise DefinitionError(f"this is not a JSON Schema: {error.message}"[:MAX_MESSAGE], place) from error
    registry = _import("referencing").Registry()  # the default one of jsonschema would fetch
    _check_parts(schema, registry.with_resource("", referencing.DRAFT202012.create_resource(schema)).resolver())
    as_ours = jsonschema.validators.extend(draft, {"pattern": _pattern, "multipleOf": _multiple_of})
    return as_ours(schema, registry=registry)


def _import(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError("jsonschema", "schema") from error


def _check_parts(schema: Any, resolver: Any) -> None:
    """Raises `DefinitionError` for a reference that leads nowhere or out of the document, and for a pattern of names
    that Python cannot read.
    """
    for path, held in _parts(schema, ""):
        try:
            for name in (held.get("$ref"), held.get("$dynamicRef")):
                if isinstance(name, str):
                    resolver.lookup(name)
        except _import("referencing.exceptions").Unresolvable as error:
            message = f"the reference {name!r} leads nowhere; what is not in the document is not fetched"
            raise DefinitionError(message, path) from error
        try:
            if isinstance(held.get("pattern"), str):
                pattern_engine(held["pattern"])
            for pattern in held["patternProperties"] if isinstance(held.get("patternProperties"), Mapping) else ():
                re.compile(pattern)
        except re.error as error:
            raise DefinitionError(f"the pattern {error.pattern!r} does not work: {error}", path) from error


def _parts(held: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yields every object in a schema, with its path."""
    if isinstance(held, Mapping):
        yield path, held
        for name, inner in held.items():
            yield from _parts(inner, f"{path}.{name}" if path else name)
    elif isinstance(held, list):
        for index, inner in enumerate(held):
            yield from _parts(inner, f"{path}[{index}]")


@lru_cache(maxsize=MAX_COMPILED)
def pattern_engine(pattern: str) -> Literal["rust-regex", "python-re"]:
    """Returns Rust's engine, which is linear, or Python's for look-around and back-references."""
    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError:
        re.compile(pattern)
        return "python-re"
    return "rust-regex"


def _pattern(validator: Any, pattern: str, held: Any, schema: Any) -> Iterator[Any]:
    """Checks a pattern as a definition does, in linear time if possible."""
    if isinstance(held, str):
        made = core_schema.str_schema(pattern=pattern, regex_engine=pattern_engine(pattern))
        yield from _judged(made, held, f"does not match {pattern!r}")


def _multiple_of(validator: Any, step: float, held: Any, schema: Any) -> Iterator[Any]:
    """Checks a multiple as a definition does: 0.3 is a multiple of 0.1."""
    if isinstance(held, (int, float)) and not isinstance(held, bool):
        are_whole = isinstance(held, int) and isinstance(step, int)
        make: Any = core_schema.int_schema if are_whole else core_schema.float_schema
        yield from _judged(make(multiple_of=step), held, f"is not a multiple of {step}")


def _judged(schema: Any, held: Any, message: str) -> Iterator[Any]:
    if not SchemaValidator(schema).isinstance_python(held):
        yield _import("jsonschema").ValidationError(f"{held!r} {message}")
