"""Every Pydantic model of an installed package, and instances of each: finding them, making them, holding laws on them."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from types import ModuleType
from typing import Any

from polyfactory.factories.pydantic_factory import ModelFactory
from pydantic import BaseModel, FileUrl

__all__ = ["Zoo", "instances", "walk_package"]

Model = type[BaseModel]


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


def instances(model: Model, count: int, seed: int = 0) -> Iterator[BaseModel]:
    """`count` instances, filled at random and the same in every run. Raises what polyfactory raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        factory = _Factory.create_factory(model, __random__=Random(f"{full_name(model)} {seed}"))
        for _ in range(count):
            yield factory.build()


class _Factory(ModelFactory[Any]):
    __is_base_factory__ = True
    __check_model__ = False
    __randomize_collection_length__ = True
    __min_collection_length__ = 0
    __max_collection_length__ = 3

    @classmethod
    def get_provider_map(cls) -> dict[Any, Callable[[], Any]]:
        """What makes values of the types that polyfactory leaves open or does not know."""
        return {**super().get_provider_map(), **{kind: partial(make, cls.__random__) for kind, make in _MADE.items()}}


def _anything(random: Random) -> Any:
    """What any JSON may be: polyfactory makes a text for `Any` and a bare `object()` for `object`."""
    scalars: list[Any] = ["text", "", "12", "true", "null", 7, -2.5, True, False, None]
    choices = [*scalars, [], {}, random.sample(scalars, 3), {"key": random.choice(scalars), "type": {"a b": [1, None]}}]
    return random.choice(choices)


_MADE: dict[Any, Callable[[Random], Any]] = {
    object: _anything,
    Any: _anything,
    FileUrl: lambda random: FileUrl(f"file:///tmp/{random.randrange(100)}.txt"),
}
