"""A response into a string and back, against orjson's round trip and against what else keeps data."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import orjson

from benchmarks.models import SHAPES, Shape
from benchmarks.report import Section, Target, micros, table, times
from benchmarks.timing import Call, Effort, Race, geometric_mean, progress, race
from benchmarks.workload import SMALL, Workload, build
from structured_response import StructuredResponse

INTRODUCTION = """\
`deserialize(serialize())` of the answers of 1 kB. Two columns give the time; the others are ratios to
`orjson.loads(orjson.dumps(payload))`, where the payload is what `serialize` writes: version, class name,
definition and instance. A program meets the same definitions again and again: `deserialize` looks up one
that it has met, while orjson reads it each time. "Instance alone" is orjson's round trip without the
definition. The next ones look at a field of what came back, attach the model, and attach it and validate.
Pickle and Pydantic keep the instance alone, with neither definition nor version: pickle of the data and of
the model's object (it executes what it reads), Pydantic by `model_dump_json` and `model_validate_json`."""

BASE = "orjson, all of it"
OURS = "round trip"


@dataclass(frozen=True)
class Result:
    shape: Shape
    race: Race


def measure(effort: Effort) -> Section:
    results = [_measure(shape, effort) for shape in SHAPES]
    columns = [name for name in results[0].race.samples if name != BASE]
    head = ["answer", f"{OURS}, us", f"{BASE}, us", *columns]
    rows = [_row(result, columns) for result in results]
    means = [f"**{times(_mean(results, name))}**" for name in columns]
    return Section(
        "Serializing",
        [INTRODUCTION, table(head, [*rows, ["**geometric mean**", "", "", *means]])],
        [Target("`deserialize(serialize())` / orjson's round trip", 3.0, _mean(results, OURS))],
    )


def _measure(shape: Shape, effort: Effort) -> Result:
    progress(f"serializing: {shape.name}")
    calls = _calls(build(shape, SMALL))
    return Result(shape, race(calls, effort.small, effort.slice))


def _calls(load: Workload) -> dict[str, Call]:
    response = load.response().parse(load.xml)
    payload: dict[str, Any] = orjson.loads(response.serialize())
    back = StructuredResponse.deserialize(response.serialize(), model=load.model)
    if back != response or back.to_basemodel() != load.instance:
        raise RuntimeError(f"{load.shape.name} does not come back from serialize() as it was")
    return {BASE: lambda: orjson.loads(orjson.dumps(payload)), **_our_calls(load, response), **_peers(load)}


def _our_calls(load: Workload, response: StructuredResponse[Any]) -> dict[str, Call]:
    serialize, deserialize, model = response.serialize, StructuredResponse.deserialize, load.model
    field = next(iter(load.data))
    return {
        OURS: lambda: deserialize(serialize()),
        "field read": lambda: getattr(deserialize(serialize()).instance, field),
        "with model": lambda: deserialize(serialize(), model=model),
        "with model, to_basemodel": lambda: deserialize(serialize(), model=model).to_basemodel(),
    }


def _peers(load: Workload) -> dict[str, Call]:
    data, instance, model = load.data, load.instance, load.model
    return {
        "orjson, instance alone": lambda: orjson.loads(orjson.dumps(data)),
        "pickle, data": lambda: pickle.loads(pickle.dumps(data)),
        "pickle, object": lambda: pickle.loads(pickle.dumps(instance)),
        "Pydantic": lambda: model.model_validate_json(instance.model_dump_json()),
    }


def _row(result: Result, columns: list[str]) -> list[str]:
    absolute = [micros(result.race.seconds(name)) for name in (OURS, BASE)]
    return [result.shape.name, *absolute, *(times(result.race.ratio(name, BASE)) for name in columns)]


def _mean(results: list[Result], name: str) -> float:
    return geometric_mean(result.race.ratio(name, BASE) for result in results)
