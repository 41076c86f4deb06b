"""Models that others wrote: the time that describing the largest takes, and the length of recursive prompts."""

from __future__ import annotations

import json
from functools import partial

from pydantic import BaseModel, create_model

from benchmarks.report import Section, Target, micros, table, times
from benchmarks.timing import Effort, Race, once, progress
from structured_response import StructuredResponse
from tests.zoo import is_recursive, json_schema, walk_package

LARGEST_OF = "openai"
RECURSIVE_OF = "openapi_pydantic"

INTRODUCTION = """\
The definition of the model of the `openai` package with the longest JSON Schema, against the making of that
schema by `model_json_schema()`, in microseconds. Every sample gets a class made anew (its making is not
timed). Below it, all recursive models of `openapi_pydantic`: the characters of the prompt against those of
`json.dumps(M.model_json_schema())`."""


def measure(effort: Effort) -> Section:
    progress(f"zoo: the largest model of {LARGEST_OF}")
    model = max(walk_package(LARGEST_OF).models.values(), key=_schema_length)
    built = _build(model, effort)
    lengths = _prompt_lengths()
    longest = max(lengths.values())
    targets = [
        Target("definition of the largest `openai` model / `model_json_schema`", 20.0, built.ratio("ours", "schema")),
        Target("recursive prompt / JSON Schema, worst", 2.0, longest),
    ]
    blocks = [INTRODUCTION, _built_table(model, built), _lengths_table(lengths)]
    return Section("Models that others wrote", blocks, targets)


def _schema_length(model: type[BaseModel]) -> int:
    """Zero for a model that Pydantic cannot describe."""
    try:
        return len(json.dumps(json_schema(model)))
    except Exception:  # noqa: BLE001 - whatever a model's own functions raise
        return 0


def _build(model: type[BaseModel], effort: Effort) -> Race:
    """One call a sample, each with a class nobody has seen; the first round only warms up."""
    samples: dict[str, list[float]] = {"ours": [], "schema": []}
    for _ in range(1 + effort.large):
        ours, theirs = _fresh(model), _fresh(model)
        samples["ours"].append(once(partial(_define, ours)))
        samples["schema"].append(once(theirs.model_json_schema))
    return Race({contender: values[1:] for contender, values in samples.items()})


def _fresh(model: type[BaseModel]) -> type[BaseModel]:
    """A class like it that nobody has seen, complete: the package's models put that off until their first use."""
    fresh = create_model(model.__name__, __base__=model)
    fresh.model_rebuild(force=True)
    return fresh


def _define(model: type[BaseModel]) -> object:
    return StructuredResponse.from_basemodel(model).definition


def _prompt_lengths() -> dict[str, float]:
    """The recursive models, and how many times as long as its JSON Schema the prompt of each is."""
    lengths = {}
    for name, model in walk_package(RECURSIVE_OF).models.items():
        schema = json_schema(model)
        if is_recursive(schema):
            prompt = StructuredResponse.from_basemodel(model).to_prompt()
            lengths[name] = len(prompt) / len(json.dumps(schema))
    return lengths


def _built_table(model: type[BaseModel], built: Race) -> str:
    head = ["model", "characters of its schema", "definition", "`model_json_schema`", "definition / schema"]
    row = [
        model.__name__,
        f"{_schema_length(model):,}",
        micros(built.seconds("ours")),
        micros(built.seconds("schema")),
        times(built.ratio("ours", "schema")),
    ]
    return table(head, [row])


def _lengths_table(lengths: dict[str, float]) -> str:
    worst = sorted(lengths, key=lambda name: lengths[name], reverse=True)[:5]
    rows = [[name, times(lengths[name])] for name in worst]
    return table([f"recursive model, the worst 5 of {len(lengths)}", "prompt / schema"], rows)
