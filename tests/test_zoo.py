"""Every model of packages that others wrote: described, filled, written and read back.

`make test` walks a sample, which is the same in every run; `make zoo` walks them all.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any
from zlib import crc32

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse
from tests.zoo import Model, Zoo, full_name, is_recursive, json_schema, walk_package

pytestmark = pytest.mark.zoo

PACKAGES = {"openai": 50, "openapi_pydantic": 10}
"""The packages that are walked, and how many of their models are in the sample."""

COUNT = 3
"""Instances of each model."""

TRIES = 12
"""Instances made of a model until so many of them come back from the model's own JSON."""

# Why a model's own JSON does not come back, which is its own business; then no other text can do better.
SAME_SHAPE = "two models of a union fit the same data, and Pydantic takes the other one"
NO_INSTANCE = "polyfactory fills a type variable, which Pydantic then takes for its default, None"
NO_CLASS = "polyfactory makes no classes, and one of its fields is a class"

# What does not hold, law by law: the model, and why. An entry that is not needed any more fails its law.
EXCEPTIONS: dict[str, dict[str, str]] = {
    "described": {
        "openai._models.FinalRequestOptions": "its `post_parser` is a function, which Pydantic cannot describe either",
    },
    "made": {},
    "own_json": {},
}


@dataclass
class Specimen:
    """One model, its response, and instances that its own JSON gives back."""

    model: Model
    unsound: list[str] = field(default_factory=list)
    unmade: list[str] = field(default_factory=list)

    @cached_property
    def response(self) -> StructuredResponse[Any]:
        return StructuredResponse.from_basemodel(self.model)

    @cached_property
    def instances(self) -> list[BaseModel]:
        from tests.makers import make

        found: list[BaseModel] = []
        for seed in range(TRIES):
            try:
                made = make(self.model, seed)
            except Exception as error:  # noqa: BLE001 - whatever validators and polyfactory raise
                self.unmade.append(_said(error))
                continue
            if fault := _own_json(made):
                self.unsound.append(fault)
            else:
                found.append(made)
            if len(found) == COUNT:
                break
        return found


def _own_json(made: BaseModel) -> str:
    """What is wrong with the instance that comes out of its own JSON; empty where it is the same."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            text = made.model_dump_json(round_trip=True, by_alias=False)
        again = type(made).model_validate_json(text, by_alias=True, by_name=True)
    except Exception as error:  # noqa: BLE001 - whatever the model's own functions raise
        return _said(error)
    return "" if again == made else "another one"


def described(specimen: Specimen) -> Iterator[str]:
    """It has a definition and a prompt."""
    if not specimen.response.definition and specimen.model.model_fields:
        yield "the definition is empty"
    specimen.response.to_prompt()


def made(specimen: Specimen) -> Iterator[str]:
    """There are instances to hold the other laws with."""
    if not specimen.instances:
        yield from specimen.unmade
        yield "no instance comes back from its own JSON"


def own_json(specimen: Specimen) -> Iterator[str]:
    """Its instances come back from the model's own JSON."""
    assert specimen.instances is not None
    yield from specimen.unsound


def read_back(specimen: Specimen) -> Iterator[str]:
    """What is written is read back into an equal model, with nothing to mend."""
    for instance in specimen.instances:
        filled = StructuredResponse.from_basemodel(instance)
        read = specimen.response.parse(str(filled))
        if read.repairs:
            yield f"mended {read.repairs[0]}"
        if read != filled:
            yield "another instance"
        if read.to_basemodel() != instance:
            yield f"{read.to_basemodel()!r} for {instance!r}"


def kept(specimen: Specimen) -> Iterator[str]:
    """A cache gives it back, with the model and without."""
    for instance in specimen.instances:
        filled = StructuredResponse.from_basemodel(instance)
        text = filled.serialize()
        if StructuredResponse.deserialize(text, model=specimen.model) != filled:
            yield "another one with the model"
        if StructuredResponse.deserialize(text) != filled:
            yield "another one without the model"


def redefined(specimen: Specimen) -> Iterator[str]:
    """The definition alone gives the same definition and the same prompt."""
    response = specimen.response
    again = StructuredResponse.from_definition(response.class_name, response.definition)
    if json.dumps(again.definition) != json.dumps(response.definition):
        yield "another definition"
    if again.to_prompt() != response.to_prompt():
        yield "another prompt"


def looked_at(specimen: Specimen) -> Iterator[str]:
    """Looking at the instance, down to the last value, changes nothing."""
    for instance in specimen.instances:
        filled = StructuredResponse.from_basemodel(instance)
        for response in (filled, specimen.response.parse(str(filled))):
            before = str(response)
            _look(response.instance)
            if response.to_basemodel() != instance:
                yield f"{response.to_basemodel()!r} for {instance!r}"
            if str(response) != before:
                yield "it is written otherwise"


def _look(value: object) -> None:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for child in children:
        _look(child)


def short(specimen: Specimen) -> Iterator[str]:
    """The prompt of a recursive model is below twice the length of its JSON Schema."""
    schema = json_schema(specimen.model)
    prompt, bound = len(specimen.response.to_prompt()), 2 * len(json.dumps(schema))
    if is_recursive(schema) and prompt >= bound:
        yield f"{prompt} characters, and twice the schema is {bound}"


LAWS: dict[str, Callable[[Specimen], Iterator[str]]] = {
    law.__name__: law for law in (described, made, own_json, read_back, kept, redefined, looked_at, short)
}


@cache
def _zoo(package: str) -> Zoo:
    return walk_package(package)


@cache
def _walked(package: str, full: bool) -> tuple[dict[str, dict[str, str]], frozenset[str]]:
    """The faults by law and model, and the models that were looked at."""
    faults: dict[str, dict[str, str]] = {law: {} for law in LAWS}
    models = _zoo(package).models
    names = list(models) if full else _sample(package, models)
    for name in names:
        specimen = Specimen(models[name])
        for law, check in LAWS.items():
            if law != "described" and name in EXCEPTIONS["described"]:
                continue
            if fault := _fault(check, specimen):
                faults[law][name] = fault
    return faults, frozenset(names)


def _sample(package: str, models: dict[str, Model]) -> list[str]:
    """Some of the models, and all that are listed. A model that is added to a package changes one of them at most."""
    listed = {name for names in EXCEPTIONS.values() for name in names}
    drawn = sorted(models, key=lambda name: crc32(name.encode()))[: PACKAGES[package]]
    return sorted({*drawn, *(listed & models.keys())})


def _fault(law: Callable[[Specimen], Iterator[str]], specimen: Specimen) -> str:
    try:
        return next(law(specimen), "")[:500]
    except Exception as error:  # noqa: BLE001 - one model's fault must not hide those of the others
        return _said(error)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]


@pytest.fixture(params=list(PACKAGES))
def package(request: pytest.FixtureRequest) -> str:
    """A package that is walked; what asks for it is skipped where the package is missing."""
    name: str = request.param
    for needed in ("polyfactory", name):
        pytest.importorskip(needed, reason=f"needs {needed}, which `pip install -e '.[dev]'` installs")
    return name


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    """Whether every model is walked, and not the sample alone."""
    return bool(request.config.getoption("--zoo") == "full")


@pytest.mark.parametrize("law", LAWS)
def test_every_model_keeps_the_law(law: str, package: str, full: bool) -> None:
    """A law holds for every model but those listed for it, and each of those still breaks it."""
    faults, names = _walked(package, full)
    listed = EXCEPTIONS.get(law, {})
    broken = {name: fault for name, fault in faults[law].items() if name not in listed}
    stale = sorted(names & listed.keys() - faults[law].keys())
    lines = [f"{name}: {fault}" for name, fault in broken.items()]
    assert not broken, f"{len(broken)} of {len(names)} models break the law: {LAWS[law].__doc__}\n" + "\n".join(lines)
    assert not stale, f"these keep the law, so they must leave EXCEPTIONS[{law!r}]: {stale}"


def test_every_listed_model_is_walked_and_one_percent_is_listed_at_most(package: str) -> None:
    """The list holds models that exist, under laws that exist, and one in a hundred of the models at most."""
    listed = {name for names in EXCEPTIONS.values() for name in names}
    walked = {name for other in PACKAGES if _installed(other) for name in _zoo(other).models}
    prefix = f"{package}."
    assert EXCEPTIONS.keys() <= LAWS.keys()
    assert {name for name in listed if name.startswith(prefix)} <= walked
    if all(map(_installed, PACKAGES)):
        assert len(listed) <= len(walked) / 100


def test_only_what_needs_another_package_is_left_out(package: str) -> None:
    """No module of a package is left out but programs, and those whose optional dependencies are missing."""
    reasons = ("ModuleNotFoundError", "MissingDependencyError", "a program")
    assert {name: why for name, why in _zoo(package).skipped.items() if not why.startswith(reasons)} == {}


def test_the_walk_finds_what_there_is(package: str) -> None:
    """The walk finds the hundreds of models that there are, the recursive ones too, each under its own name."""
    models = _zoo(package).models
    assert len(models) >= {"openai": 2000, "openapi_pydantic": 50}[package]
    assert all(full_name(model) == name for name, model in models.items())
    if package == "openapi_pydantic":
        assert sum(is_recursive(json_schema(model)) for model in models.values()) >= 20


def _installed(package: str) -> bool:
    return find_spec(package) is not None
