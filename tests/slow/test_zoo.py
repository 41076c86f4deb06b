"""Every model of packages that others wrote: described, filled, written and read back.

`make slow` walks a sample, which is the same in every run; `make zoo` walks them all.
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

PACKAGES = {"openai": 30, "openapi_pydantic": 5}
"""The packages that are walked, and how many of their models are in the sample."""

COUNT = 3
"""Instances of each model."""

TRIES = 12
"""Instances made of a model until so many of them come back from the model's own JSON."""

NO_FUNCTION = "its `post_parser` is a function, which polyfactory cannot make, or a sentinel, which JSON cannot hold"
NO_CLASS = "one of its fields holds a class, and polyfactory makes none"

# Models that Pydantic's own JSON gives back as others, since two models of a union fit the same data.
TEMPLATES = "a template without a type is an EasyInputMessage as well as an EvalItem"
FORMATS = "an empty audio format is an AudioPCM as well as an AudioPCMU or AudioPCMA"
REFERENCES = "a Reference is a PathItem as well, which has its three fields too"

# What does not hold, law by law: the model, and why. An entry that is not needed any more fails its law.
EXCEPTIONS: dict[str, dict[str, str]] = {
    "described": {},
    "made": {
        "openai._models.FinalRequestOptions": NO_FUNCTION,
        "openapi_pydantic.util.PydanticSchema": NO_CLASS,
        "openapi_pydantic.v3.v3_0.util.PydanticSchema": NO_CLASS,
    },
    "own_json": {
        "openai._models.FinalRequestOptions": NO_FUNCTION,
        "openai.types.evals.create_eval_completions_run_data_source.CreateEvalCompletionsRunDataSource": TEMPLATES,
        "openai.types.evals.create_eval_completions_run_data_source.InputMessagesTemplate": TEMPLATES,
        "openai.types.realtime.realtime_audio_config.RealtimeAudioConfig": FORMATS,
        "openai.types.realtime.realtime_audio_config_input.RealtimeAudioConfigInput": FORMATS,
        "openai.types.realtime.realtime_response_create_audio_output.Output": FORMATS,
        "openai.types.realtime.realtime_session_create_request.RealtimeSessionCreateRequest": FORMATS,
        "openai.types.realtime.realtime_session_create_response.Audio": FORMATS,
        "openai.types.realtime.realtime_session_create_response.AudioInput": FORMATS,
        "openai.types.realtime.realtime_transcription_session_create_response.Audio": FORMATS,
        "openai.types.realtime.session_updated_event.SessionUpdatedEvent": FORMATS,
        "openapi_pydantic.v3.parser._OpenAPI": REFERENCES,
        "openapi_pydantic.v3.v3_1.components.Components": REFERENCES,
        "openapi_pydantic.v3.v3_1.open_api.OpenAPI": REFERENCES,
        "openapi_pydantic.v3.v3_1.path_item.PathItem": REFERENCES,
    },
}


@dataclass
class Drawn:
    """What was made of a model: sound instances, those that come back from its own JSON as others, and what was
    raised, in making them and in that JSON.
    """

    sound: list[BaseModel] = field(default_factory=list)
    changed: list[tuple[BaseModel, BaseModel]] = field(default_factory=list)
    unmade: list[str] = field(default_factory=list)
    unwritten: list[str] = field(default_factory=list)


@dataclass
class Specimen:
    """One model, its response and its instances."""

    model: Model

    @cached_property
    def response(self) -> StructuredResponse[Any]:
        return StructuredResponse.from_basemodel(self.model)

    @cached_property
    def drawn(self) -> Drawn:
        from tests.makers import make  # which needs polyfactory

        drawn = Drawn()
        for seed in range(TRIES):
            if len(drawn.sound) == COUNT:
                break
            try:
                instance = make(self.model, seed)
            except Exception as error:  # noqa: BLE001 - whatever polyfactory and validators raise
                drawn.unmade.append(_said(error))
                continue
            try:
                again = _own_json_of(instance)
            except Exception as error:  # noqa: BLE001 - whatever serializers and validators raise
                drawn.unwritten.append(_said(error))
                continue
            if again == instance:
                drawn.sound.append(instance)
            else:
                drawn.changed.append((instance, again))
        return drawn


def _own_json_of(instance: BaseModel) -> BaseModel:
    """The instance after a way through JSON that is Pydantic's alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = instance.model_dump_json(round_trip=True, by_alias=False)
    return type(instance).model_validate_json(text, by_alias=True, by_name=True)


def described(specimen: Specimen) -> Iterator[str]:
    """It has a definition and a prompt."""
    if not specimen.response.definition and specimen.model.model_fields:
        yield "the definition is empty"
    specimen.response.to_prompt()


def made(specimen: Specimen) -> Iterator[str]:
    """There are instances to hold the other laws with."""
    if not specimen.drawn.sound:
        yield "; ".join(specimen.drawn.unmade) or "none comes back from its own JSON"


def own_json(specimen: Specimen) -> Iterator[str]:
    """Its instances come back from the model's own JSON."""
    yield from specimen.drawn.unwritten
    for instance, again in specimen.drawn.changed:
        yield f"{again!r} for {instance!r}"


def read_back(specimen: Specimen) -> Iterator[str]:
    """What is written is read with nothing to mend, into an equal model; where JSON gives another one, into either."""
    for instance, expected in [*((sound, sound) for sound in specimen.drawn.sound), *specimen.drawn.changed]:
        filled = StructuredResponse.from_basemodel(instance)
        read = specimen.response.parse(str(filled))
        if read.repairs:
            yield f"mended {read.repairs[0]}"
        if read != filled:
            yield "another instance"
        if read.to_basemodel() != expected and read.to_basemodel() != instance:
            yield f"{read.to_basemodel()!r} for {expected!r}"


def kept(specimen: Specimen) -> Iterator[str]:
    """A cache gives it back, with the model and without."""
    for instance in specimen.drawn.sound:
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
    for instance in specimen.drawn.sound:
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
        pytest.importorskip(needed, reason=f"needs {needed}, which `make slow` installs")
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
