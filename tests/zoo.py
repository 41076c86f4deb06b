"""Finding every Pydantic model of an installed package, and telling which of them are recursive."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from types import ModuleType
from typing import Any

from pydantic import BaseModel

__all__ = ["Model", "Zoo", "full_name", "is_recursive", "json_schema", "walk_package"]

Model = type[BaseModel]

_REFERENCE = "#/$defs/"


@dataclass
class Zoo:
    """The models of a package by their full names, in alphabetical order, and what could not be imported, with why."""

    models: dict[str, Model] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)


def walk_package(name: str) -> Zoo:
    """Imports a package with all its submodules and gathers the models that are defined in it."""
    zoo = Zoo()
    found = {
        full_name(model): model for module in _modules(name, zoo.skipped) for model in _models(module, name, module)
    }
    zoo.models = dict(sorted(found.items()))
    return zoo


def full_name(model: Model) -> str:
    """Its module and its name, dotted: what the zoo knows it by."""
    return f"{model.__module__}.{model.__qualname__}"


def _modules(name: str, skipped: dict[str, str]) -> Iterator[ModuleType]:
    module = _imported(name, skipped)
    if module is None:
        return
    yield module
    for found in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        yield from _modules(found.name, skipped)


def _imported(name: str, skipped: dict[str, str]) -> ModuleType | None:
    if name.endswith("__main__"):
        skipped[name] = "a program, which importing would start"
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a module raises where an optional part is missing
        skipped[name] = f"{type(error).__name__}: {error}"
        return None


def _models(holder: Any, package: str, module: ModuleType) -> Iterator[Model]:
    """The models that a module or a class holds and that are defined in the package, with those inside of them."""
    for value in list(vars(holder).values()):
        if not inspect.isclass(value) or not f"{value.__module__}.".startswith(f"{package}."):
            continue
        if issubclass(value, BaseModel):
            yield value
        if isinstance(holder, ModuleType) and value.__module__ != holder.__name__:
            continue  # met again where it is defined
        if value is not holder and value.__qualname__.count(".") < 5:
            yield from _models(value, package, module)


def json_schema(model: Model) -> dict[str, Any]:
    """Pydantic's own, without its warnings about defaults that JSON cannot hold."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.model_json_schema()


def is_recursive(schema: dict[str, Any]) -> bool:
    """Whether a definition of the JSON Schema leads back to itself."""
    graph = {name: set(_references(definition)) for name, definition in schema.get("$defs", {}).items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        return True
    return False


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(reference := schema.get("$ref"), str):
            yield reference.removeprefix(_REFERENCE)
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _references(part)
