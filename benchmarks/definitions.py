"""From a model to its prompt: the first time, and every time after."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from itertools import count

import orjson
from pydantic import BaseModel

from benchmarks import models
from benchmarks.models import SHAPES, Shape
from benchmarks.report import Section, Target, micros, table, times
from benchmarks.timing import Effort, Race, geometric_mean, once, progress, race
from structured_response import StructuredResponse

INTRODUCTION = """\
`from_basemodel(M).to_prompt()`. For the first time every sample gets classes made anew (their making is
not timed); the second time is a look-up. `orjson.dumps` writes the finished definition;
`model_json_schema` is Pydantic's description of the same model, which it works out on every call. Times
in microseconds."""

FRESH = count()


@dataclass(frozen=True)
class Result:
    shape: Shape
    first: Race
    again: Race


def measure(effort: Effort) -> Section:
    results = [_measure(shape, effort) for shape in SHAPES]
    head = [
        "model",
        "first time",
        "`model_json_schema`",
        "first / schema",
        "second time",
        "`orjson.dumps`",
        "second / dumps",
    ]
    ratios = [result.again.ratio("second", "dumps") for result in results]
    target = Target("`from_basemodel` and `to_prompt`, second time / `orjson.dumps`", 8.0, geometric_mean(ratios))
    return Section("Building and rendering a definition", [INTRODUCTION, table(head, map(_row, results))], [target])


def _measure(shape: Shape, effort: Effort) -> Result:
    progress(f"definitions: {shape.name}")
    model = type(shape.make(1))
    definition = StructuredResponse.from_basemodel(model).definition
    again = {
        "second": lambda: StructuredResponse.from_basemodel(model).to_prompt(),
        "dumps": lambda: orjson.dumps(definition),
    }
    return Result(shape, _first(model.__name__, effort), race(again, effort.small, effort.slice))


def _first(name: str, effort: Effort) -> Race:
    """One call a sample, each with a class nobody has seen; the first round only warms up."""
    samples: dict[str, list[float]] = {"first": [], "schema": []}
    for _ in range(1 + effort.medium // 2):
        ours, theirs = _fresh(name), _fresh(name)
        calls = {
            "first": lambda model=ours: StructuredResponse.from_basemodel(model).to_prompt(),
            "schema": lambda model=theirs: model.model_json_schema(),
        }
        for contender, call in calls.items():
            samples[contender].append(once(call))
    return Race({contender: values[1:] for contender, values in samples.items()})


def _fresh(name: str) -> type[BaseModel]:
    """The class of that name from a new run of the module of models."""
    spec = spec_from_file_location(f"models_{next(FRESH)}", models.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    del sys.modules[spec.name]
    model: type[BaseModel] = getattr(module, name)
    return model


def _row(result: Result) -> list[str]:
    first, again = result.first, result.again
    return [
        result.shape.name,
        micros(first.seconds("first")),
        micros(first.seconds("schema")),
        times(first.ratio("first", "schema")),
        micros(again.seconds("second")),
        micros(again.seconds("dumps")),
        times(again.ratio("second", "dumps")),
    ]
