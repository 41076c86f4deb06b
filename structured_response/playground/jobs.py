"""What the page asks of its worker. A question and an answer are JSON, and a reply is only ever read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from time import perf_counter
from typing import Any, get_args

from pydantic_core import to_json

from ..errors import DefinitionError, StructuredResponseError
from ..explain import page
from ..explain.reading import reading_of
from ..options import ParseOptions
from ..render.prompt import PromptFormat
from ..response import StructuredResponse
from ..stream import ReplyStream
from .examples import GROUPS, Review

Models = Mapping[str, StructuredResponse[Any]]
Makers = Mapping[str, Callable[[], StructuredResponse[Any]]]
"""Functions that make the models. They are sent to the process that reads; not every model can be pickled."""

Question = dict[str, str]

SCHEMA = json.dumps(Review.model_json_schema(), indent=2)
"""The schema that the examples answer."""

MAX_SCHEMA = 200_000
"""Characters of a pasted schema. A longer one makes a prompt that no model would answer."""

BASE = '<base href="about:srcdoc">'
"""What keeps the links of a report in its frame. Without it they would lead to the page around."""

PIECE = 4
"""Characters of a piece of a stream: those of a usual token."""

MAX_PIECES = 400
"""Pieces of a stream. More are shorter than a frame of the screen."""

MAX_SHOWN = 8_000_000
"""Characters of the data of all pieces together. Each piece shows all the data so far."""


def answer(models: Models, job: str, body: bytes) -> bytes:
    """Returns the answer to a question. What is wrong with the question is an answer with an `error`."""
    try:
        asked = json.loads(body)
        if not isinstance(asked, dict) or not all(isinstance(value, str) for value in asked.values()):
            raise DefinitionError("a question is an object of texts")
        told = JOBS[job](models, asked)
    except StructuredResponseError as error:
        told = {"error": str(error)}
    except Exception as error:  # noqa: BLE001 - a model's own validators may raise anything
        told = {"error": f"{type(error).__name__}: {error}"}
    return json.dumps(told).encode()


def start(models: Models, asked: Question) -> dict[str, Any]:
    """Tells what there is to choose from."""
    examples = {group: [example._asdict() for example in examples] for group, examples in GROUPS.items()}
    return {"models": list(models), "formats": list(get_args(PromptFormat)), "examples": examples, "schema": SCHEMA}


def prompts(models: Models, asked: Question) -> dict[str, Any]:
    """Writes the prompt in every format, and the JSON Schema."""
    response = _response(models, asked)
    schema = asked.get("schema") or json.dumps(response.to_json_schema(), indent=2, ensure_ascii=False)
    written = {form: response.to_prompt(form) for form in get_args(PromptFormat)}
    return {"schema": schema, "prompts": written}


def read(models: Models, asked: Question) -> dict[str, Any]:
    """Reads a reply, and writes the report as a page and the data as JSON."""
    response, begun = _response(models, asked), perf_counter()
    reading = reading_of(response._plan, asked.get("reply", ""), ParseOptions())  # noqa: SLF001 - a report is about the inside
    report = page.page([reading])
    return {
        "seconds": perf_counter() - begun,
        "report": report.replace("<head>", f"<head>{BASE}", 1),
        "data": "" if reading.data is None else _shown(reading.data),
        "repairs": len(reading.repairs),
        "problems": len(reading.problems),
    }


def stream(models: Models, asked: Question) -> dict[str, Any]:
    """Reads a reply piece by piece: each piece with all the data so far, and the path of the value that is written."""
    reply, growing = asked.get("reply", ""), ReplyStream(_response(models, asked), strict=False)
    size = max(PIECE, len(reply) // MAX_PIECES, len(reply) ** 2 // MAX_SHOWN)
    pieces = []
    for begin in range(0, len(reply), size):
        text = reply[begin : begin + size]
        part = growing.feed(text)
        found = {"repairs": len(part.repairs), "problems": len(part.problems)}
        pieces.append({"text": text, "data": _shown(part.instance), "path": part.path, **found})
    return {"pieces": pieces}


JOBS: dict[str, Callable[[Models, Question], dict[str, Any]]] = {
    each.__name__: each for each in (start, prompts, read, stream)
}


def _shown(data: Any) -> str:
    return to_json(data, indent=2, inf_nan_mode="strings").decode()


def _response(models: Models, asked: Question) -> StructuredResponse[Any]:
    """Returns the model that is named, which is one of the command line, or else what the pasted schema describes."""
    name = asked.get("model", "")
    if not name:
        return _pasted(asked.get("schema", ""))
    if name not in models:
        raise DefinitionError(f"{name} is not among the models that were named on the command line")
    return models[name]


@lru_cache(maxsize=4)
def _pasted(text: str) -> StructuredResponse[Any]:
    if len(text) > MAX_SCHEMA:
        raise DefinitionError(f"the schema has {len(text)} characters, more than {MAX_SCHEMA} (MAX_SCHEMA)")
    try:
        return StructuredResponse.from_json_schema(json.loads(text))
    except json.JSONDecodeError as error:
        advice = "A class is not pasted but named on the command line: structured-response playground module:Name"
        raise DefinitionError(f"this is not JSON: {error}. {advice}") from error
    except RecursionError as error:
        raise DefinitionError("the schema is nested too deeply") from error
