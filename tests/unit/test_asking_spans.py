"""Spans: what OpenTelemetry is told, and that content is none of it."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import AskError, Completion, Usage, aask, ask
from structured_response.clients import openai_chat
from structured_response.completion import ToolCall
from structured_response.testing import FakeModel
from tests.chat_server import Refused, Text, chat_server

pytest.importorskip("opentelemetry.sdk")

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

EXPORTER = InMemorySpanExporter()


class Secret(BaseModel):
    word: str
    number: int


BAD = "<secret><word>classified & private</word><number>hush</number></secret>"


def model(*replies: str) -> Any:
    """A language model that has said these."""
    left = iter(replies)
    return lambda messages: Completion(next(left), "stop", Usage(10, 5))


@pytest.fixture(scope="module", autouse=True)
def provider() -> None:
    """There can be one in a process."""
    made = TracerProvider()
    made.add_span_processor(SimpleSpanProcessor(EXPORTER))
    trace.set_tracer_provider(made)


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    """Each test sees its own."""
    EXPORTER.clear()
    yield
    EXPORTER.clear()


def told() -> Sequence[ReadableSpan]:
    """The spans that have ended, those inside first."""
    return EXPORTER.get_finished_spans()


def attributes(span: ReadableSpan) -> dict[str, Any]:
    """The attributes, without our prefix."""
    return {name.removeprefix("structured_response."): value for name, value in (span.attributes or {}).items()}


@pytest.mark.parametrize("is_awaited", [False, True])
def test_ask_attempt_and_parse(is_awaited: bool) -> None:
    """Each in the other, with counts of repairs, problems and tokens."""
    complete = model(BAD, "<secret><number>7</number></secret>")
    if is_awaited:
        asyncio.run(aask(complete, "What is it?", Secret))
    else:
        ask(complete, "What is it?", Secret)
    spans = told()
    assert [span.name for span in spans] == ["parse", "attempt", "parse", "attempt", "ask Secret"]
    asked = spans[-1]
    assert [span.parent and span.parent.span_id for span in (spans[1], spans[3])] == [asked.context.span_id] * 2
    assert spans[0].parent is not None and spans[0].parent.span_id == spans[1].context.span_id
    assert [(attributes(span)["problems"], attributes(span)["repairs"]) for span in spans] == [
        (1, 1),
        (1, 1),
        (0, 1),
        (0, 1),
        (0, 1),
    ]
    assert attributes(asked)["attempts"] == 2
    assert attributes(asked)["tokens"] == 30
    assert not any("gen_ai" in name for span in spans for name in attributes(span))
    assert attributes(spans[1])["finish_reason"] == "stop"


def test_no_content_unless_it_is_asked_for() -> None:
    """Neither of prompts nor of replies, and none in an error."""
    with pytest.raises(AskError):
        ask(model(BAD, BAD), "What is the password?", Secret, attempts=2)
    written = "".join(span.to_json() for span in told())
    for content in ("classified", "hush", "password", "<word"):
        assert content not in written
    assert told()[-1].status.status_code is trace.StatusCode.ERROR
    assert attributes(told()[-1])["error.type"] == "AskError"


def test_content_that_is_asked_for() -> None:
    """Then the attempts have prompt and reply."""
    ask(model("<secret><word>classified</word><number>7</number></secret>"), "Password?", Secret, trace_content=True)
    attempt = attributes(told()[1])
    assert "Password?" in attempt["prompt"]
    assert "classified" in attempt["reply"]


def test_what_a_call_raises() -> None:
    """Its type, and not its message."""

    def failing(messages: Any) -> str:
        raise ConnectionError("classified")

    with pytest.raises(ConnectionError):
        ask(failing, "?", Secret, retries=0)
    assert [span.name for span in told()] == ["attempt", "ask Secret"]
    assert attributes(told()[0])["error.type"] == "ConnectionError"
    assert "classified" not in "".join(span.to_json() for span in told())


def test_a_wait_is_inside_of_its_attempt(naps: list[float]) -> None:
    """Each wait before a retry has a span."""
    replies: list[Any] = [ConnectionError("classified"), "<secret><word>a</word><number>7</number></secret>"]

    def busy(messages: Any) -> Any:
        reply = replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    ask(busy, "Password?", Secret)
    assert [span.name for span in told()] == ["wait", "parse", "attempt", "ask Secret"]
    wait, _, attempt, _ = told()
    assert wait.parent is not None and attempt.context is not None
    assert wait.parent.span_id == attempt.context.span_id


def test_a_call_is_inside_of_its_attempt() -> None:
    """What an SDK's own instrumentation tells belongs there."""

    def complete(messages: Any) -> str:
        with trace.get_tracer("sdk").start_as_current_span("http"):
            return "<secret><word>a</word><number>7</number></secret>"

    ask(complete, "?", Secret)
    http, _parse, attempt, _ask = told()
    assert http.parent is not None and http.parent.span_id == attempt.context.span_id


def test_without_opentelemetry_nothing_is_told() -> None:
    """Asking works the same where it is not installed."""
    program = """
import sys
sys.modules["opentelemetry"] = None
from structured_response import ask
print(ask(lambda messages: "<int_list><li>1</li></int_list>", "?", list[int]).value)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[1]\n", "")


def test_the_reader_of_a_stream_is_in_no_span_of_it() -> None:
    """The spans of a program between two parts are its own; those of the question end with the stream."""
    with trace.get_tracer("test").start_as_current_span("outer") as outer:
        with ask(
            lambda messages: "<secret><word>a</word><number>7</number></secret>", "?", Secret, stream=True
        ) as parts:
            for _part in parts:
                assert trace.get_current_span() is outer
        asked = next(span for span in told() if span.name == "ask Secret")
        assert asked.parent is not None and asked.parent.span_id == outer.get_span_context().span_id
    assert [span.name for span in told()] == ["parse", "attempt", "ask Secret", "outer"]


def test_a_stream_that_is_closed_ends_its_spans(caplog: pytest.LogCaptureFixture) -> None:
    """Also if it is dropped, and if another task closes it."""
    pieces = [*"<secret><word>a</word>"]
    next(ask(lambda messages: iter(pieces), "?", Secret, stream=True))
    assert [span.name for span in told()] == ["attempt", "ask Secret"]

    async def run() -> None:
        parts = aask(lambda messages: iter(pieces), "?", Secret, stream=True)
        await anext(parts)
        await asyncio.create_task(parts.aclose())
        async for _part in aask(lambda messages: iter(pieces), "?", Secret, stream=True):
            break
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    asyncio.run(run())
    assert [span.name for span in told()] == ["attempt", "ask Secret"] * 3
    assert caplog.records == []


GOOD = "<secret><word>classified</word><number>7</number></secret>"

NEWER = {"gen_ai.usage.cache_write.input_tokens", "gen_ai.request.reasoning.level"}
"""Names of the conventions for GenAI, release 0.1.0, that `opentelemetry-semantic-conventions` does not have yet."""


@pytest.mark.parametrize("stream", [False, True])
def test_a_call_is_a_span_of_the_conventions(stream: bool, naps: list[float]) -> None:
    """One for a call with its retries, inside of its attempt, with the client's names and the server's counts."""
    openai = pytest.importorskip("openai")
    known = pytest.importorskip("opentelemetry.semconv._incubating.attributes.gen_ai_attributes")
    with (
        chat_server([Refused(503), Text(GOOD)]) as server,
        openai.OpenAI(base_url=server.url, api_key="none", max_retries=0) as client,
    ):
        params: Any = {"temperature": 0.5, "max_completion_tokens": 50, "stop": "END", "extra_body": {"password": 1}}
        options: Any = {"stream": True} if stream else {}
        asked = ask(openai_chat(client, model="m", **params), "Password?", Secret, **options)
        assert [part.done for part in asked][-1] if stream else asked.value.number == 7
        port = int(server.url.rpartition(":")[2])
    wait, chat, _parse, attempt, _ask = told()
    assert chat.name == "chat m" and chat.kind is trace.SpanKind.CLIENT
    assert chat.parent is not None and chat.parent.span_id == attempt.context.span_id
    assert wait.parent is not None and wait.parent.span_id == chat.context.span_id
    assert dict(chat.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "m",
        "server.address": "127.0.0.1",
        "server.port": port,
        **({"gen_ai.request.stream": True} if stream else {}),
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.max_tokens": 50,
        "gen_ai.request.stop_sequences": ("END",),
        "gen_ai.response.finish_reasons": ("stop",),
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 10,
        "gen_ai.usage.cache_read.input_tokens": 10,
        "gen_ai.usage.reasoning.output_tokens": 4,
    }
    names = {name for span in told() for name in span.attributes or () if name.startswith("gen_ai.")}
    assert names - NEWER <= {value for value in vars(known).values() if isinstance(value, str)}


def test_the_messages_of_a_call_on_request() -> None:
    """In the form of the conventions, and not without `trace_content`."""
    ask(FakeModel([GOOD]), "Password?", Secret, order="cache", trace_content=True)
    chat = attributes(told()[0])
    system, user = json.loads(chat["gen_ai.input.messages"])
    assert system["role"] == "system" and "<secret>" in system["parts"][0]["content"]
    assert user == {"role": "user", "parts": [{"type": "text", "content": "Password?"}]}
    assert json.loads(chat["gen_ai.output.messages"]) == [
        {"role": "assistant", "parts": [{"type": "text", "content": GOOD}], "finish_reason": "stop"}
    ]
    call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    prompt: list[Any] = [
        {"role": "user", "content": "Password?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "hush"},
    ]
    EXPORTER.clear()
    with pytest.raises(AskError):
        ask(FakeModel([ToolCall("2", "look", "{}")]), prompt, Secret, mode="json_schema", trace_content=True)
    chat = attributes(told()[0])
    assert chat["gen_ai.output.type"] == "json"
    assert json.loads(chat["gen_ai.input.messages"])[1:3] == [
        {"role": "assistant", "parts": [{"type": "tool_call", "id": "1", "name": "look", "arguments": "{}"}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", "response": "hush"}]},
    ]
    (said,) = json.loads(chat["gen_ai.output.messages"])
    assert said["parts"][-1] == {"type": "tool_call", "id": "2", "name": "look", "arguments": "{}"}
    EXPORTER.clear()
    ask(FakeModel([GOOD]), "Password?", Secret)
    assert "classified" not in "".join(span.to_json() for span in told())


def test_a_call_that_fails() -> None:
    """Its span has the type of the exception, and not its message."""
    with pytest.raises(ConnectionError):
        ask(FakeModel([ConnectionError("classified")]), "?", Secret, retries=0)
    chat = told()[0]
    assert chat.status.status_code is trace.StatusCode.ERROR
    assert attributes(chat)["error.type"] == "ConnectionError"
    assert "classified" not in "".join(span.to_json() for span in told())
