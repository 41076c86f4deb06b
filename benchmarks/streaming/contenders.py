"""What reads a reply in pieces: this library, and others by their own streaming interfaces, without any network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel, Field, TypeAdapter
from typing_extensions import TypedDict

from benchmarks.models import SHAPES, Shape
from benchmarks.workload import Workload, build
from structured_response import StructuredResponse
from structured_response.options import ParseOptions
from structured_response.read.reader import read_carefully

Read = Callable[[str, int], Any]
"""Reads a text in chunks of so many characters, takes every snapshot, and returns the last one."""


class Contender(NamedTuple):
    """A way of reading.

    Attributes:
        form: The format of the reply.
        prepare: Gives the reading for a model.
        peer: The package that is installed in the environment of the peers, and not in this one.
    """

    form: str
    prepare: Callable[[Any], Read]
    peer: str = ""


# The replies


class Article(BaseModel):
    title: str = Field(description="The title of the article")
    body: str = Field(description="The whole text")


PARAGRAPH = """\
In the spring of {year} the river rose again, and the mill at the bend stood in the water for a week. The miller, who
had seen worse, moved the flour to the upper floor; "it comes," he said, "and it goes." Nobody asked him how he knew.
"""


def article(units: int) -> Article:
    """One unit is one paragraph of one long string."""
    return Article(title="High water", body="\n".join(PARAGRAPH.format(year=1700 + unit) for unit in range(units)))


LIST = next(shape for shape in SHAPES if shape.name == "list")
REPLIES = {shape.name: shape for shape in (LIST, Shape("string", "one long string without markup", article))}
"""The shapes of the replies, by name: many small values, and one long string."""


def reply(shape: str, form: str, characters: int) -> tuple[Workload, str]:
    """A clean reply of about so many characters, with its data."""
    load = build(REPLIES[shape], characters)
    if form == "xml":
        return load, load.xml
    load = build(REPLIES[shape], round(characters * len(load.xml) / len(load.json)))
    return load, load.json


def chunks(text: str, step: int) -> Iterator[str]:
    return (text[start : start + step] for start in range(0, len(text), step))


def growing(text: str, step: int) -> Iterator[str]:
    """The text so far after each chunk, for those who read it from its beginning each time."""
    so_far = ""
    for chunk in chunks(text, step):
        so_far += chunk
        yield so_far


def last(values: Iterable[Any]) -> Any:
    found = None
    for value in values:
        found = value
    return found


# This library


def _stream(model: type[BaseModel]) -> Read:
    response = StructuredResponse.from_basemodel(model)
    return lambda text, step: last(part.instance for part in response.stream(chunks(text, step)))


def _text(model: type[BaseModel]) -> Read:
    """The characters of the long string as they come, for showing to a person."""
    response = StructuredResponse.from_basemodel(model)
    return lambda text, step: [article(1).title, "".join(response.text(chunks(text, step), "body"))]


def _parse(model: type[BaseModel]) -> Read:
    response = StructuredResponse.from_basemodel(model)
    return lambda text, step: response.parse(text).instance


def _search(model: type[BaseModel]) -> Read:
    plan = StructuredResponse.from_basemodel(model)._plan  # noqa: SLF001 - the careful reader has no public door
    return lambda text, step: read_carefully(plan, text, ParseOptions())[0].data


# Others


class _Line(TypedDict, total=False):
    sku: str
    title: str
    quantity: int
    unit_price: float
    taxed: bool


class _Invoice(TypedDict, total=False):
    """The invoice of the benchmarks. Pydantic validates a TypedDict of which parts are missing, but no model."""

    number: str
    customer: str
    lines: list[_Line]
    total: float


def _pydantic_core(model: type[BaseModel]) -> Read:
    from pydantic_core import from_json

    return lambda text, step: last(
        from_json(so_far, allow_partial="trailing-strings") for so_far in growing(text, step)
    )


def _pydantic(model: type[BaseModel]) -> Read:
    validate = TypeAdapter(_Invoice).validate_json
    return lambda text, step: last(
        validate(so_far, experimental_allow_partial="trailing-strings") for so_far in growing(text, step)
    )


def _pydantic_ai(model: type[BaseModel]) -> Read:
    from pydantic_ai import Agent, PromptedOutput
    from pydantic_ai.models.function import FunctionModel

    async def read(text: str, step: int) -> Any:
        async def said(messages: Any, info: Any) -> AsyncIterator[str]:
            for chunk in chunks(text, step):
                yield chunk

        agent: Any = Agent(FunctionModel(stream_function=said), output_type=PromptedOutput(_Invoice))
        found = None
        async with agent.run_stream("") as result:
            async for output in result.stream_output(debounce_by=None):
                found = output
        return found

    return lambda text, step: asyncio.run(read(text, step))


def _langchain_json(model: type[BaseModel]) -> Read:
    from langchain_core.output_parsers import JsonOutputParser

    return lambda text, step: last(JsonOutputParser().transform(chunks(text, step)))


def _langchain_xml(model: type[BaseModel]) -> Read:
    from langchain_core.output_parsers import XMLOutputParser

    def read(text: str, step: int) -> Any:
        so_far: Any = None
        for closed in XMLOutputParser(parser="xml").transform(chunks(text, step)):
            so_far = closed if so_far is None else so_far + closed
        return so_far

    return read


def _instructor(model: type[BaseModel]) -> Read:
    from instructor import Partial

    partial: Any = Partial[model]
    return lambda text, step: last(partial.model_from_chunks(chunks(text, step)))


def _baml(model: type[BaseModel]) -> Read:
    from types import ModuleType

    from baml_py import BamlRuntime
    from baml_py.baml_py import BamlError
    from pydantic import create_model

    from benchmarks.prompt_size.texts import baml_source

    runtime = BamlRuntime.from_files("baml_src", {"main.baml": baml_source(model)}, {})
    context = runtime.create_context_manager()
    module = ModuleType("partial_types")
    for name in ("Invoice", "InvoiceLine"):
        setattr(module, name, create_model(name, __config__={"extra": "allow"}))

    def snapshot(so_far: str) -> Any:
        try:
            return runtime.parse_llm_response("Get", so_far, module, module, module, True, context, None, None, {})
        except BamlError:
            return None

    return lambda text, step: last(map(snapshot, growing(text, step)))


OURS = {"xml": "structured_response, XML", "json": "structured_response, JSON"}
CONTENDERS = {
    OURS["xml"]: Contender("xml", _stream),
    OURS["json"]: Contender("json", _stream),
    "LangChain XMLOutputParser": Contender("xml", _langchain_xml),
    "LangChain JsonOutputParser": Contender("json", _langchain_json),
    "instructor Partial": Contender("json", _instructor, "instructor"),
    "pydantic-ai": Contender("json", _pydantic_ai),
    "pydantic, partial": Contender("json", _pydantic),
    "pydantic-core from_json": Contender("json", _pydantic_core),
    "BAML": Contender("json", _baml),
}
"""Those who read in pieces."""

TEXTS = {f"{name}, text": Contender(form, _text) for form, name in OURS.items()}
"""This library, of which only the characters of one string are taken."""

WHOLE = TEXTS | {
    f"{name}, {form.upper()}": Contender(form, call)
    for form in OURS
    for name, call in (("search", _search), ("parse", _parse))
}
"""This library with the whole reply at once: always by the search, and as `parse` does."""
