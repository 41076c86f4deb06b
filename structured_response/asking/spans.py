"""OpenTelemetry's spans. What a call tells has the names of its semantic conventions for GenAI, release 0.1.0.

The constants of the package `opentelemetry-semantic-conventions` are no use: they are older, deprecated, and pinned to
one release of the API.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from typing import Any
from urllib.parse import urlsplit

from ..completion import Completion, Message, ToolCall, Usage

_NAME = "structured_response"

_USAGE = {
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "cached_tokens": "gen_ai.usage.cache_read.input_tokens",
    "cache_write_tokens": "gen_ai.usage.cache_write.input_tokens",
    "reasoning_tokens": "gen_ai.usage.reasoning.output_tokens",
}

_PARAMS = {
    **{name: name for name in ("frequency_penalty", "max_tokens", "presence_penalty", "seed", "temperature", "top_k")},
    "top_p": "top_p",
    "max_completion_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "stop": "stop_sequences",
    "stop_sequences": "stop_sequences",
    "reasoning_effort": "reasoning.level",
}
"""The parameters of SDKs, by their names after `gen_ai.request.`."""

_PORTS = {"http": 80, "https": 443}


@contextmanager
def span(
    name: str, kind: str = "INTERNAL", attributes: Mapping[str, Any] | None = None
) -> Iterator[Callable[..., None]]:
    """Opens an OpenTelemetry span, if that is installed. Yields a function that sets attributes of the span.

    Only the span of a call has the tokens of the conventions, so that a backend that adds them up counts none twice.
    """
    trace = _trace()
    if trace is None:
        yield lambda *_told, **_values: None
        return
    how: Any = {"record_exception": False, "set_status_on_exception": False, "attributes": attributes}
    with trace.get_tracer(_NAME).start_as_current_span(name, kind=trace.SpanKind[kind], **how) as current:

        def note(told: Mapping[str, Any] | None = None, **values: Any) -> None:
            current.set_attributes({f"{_NAME}.{key}": value for key, value in values.items() if value is not None})
            current.set_attributes(told or {})
            if told and "error.type" in told:
                current.set_status(trace.StatusCode.ERROR)

        try:
            yield note
        except BaseException as error:
            current.set_attribute("error.type", type(error).__qualname__)  # its message may hold content
            current.set_status(trace.StatusCode.ERROR)
            raise


@contextmanager
def chat_span(
    complete: Any, messages: Sequence[Message], stream: bool, options: Mapping[str, Any]
) -> Iterator[Callable[[Completion], None]]:
    """Opens a span around a call of a client with its retries. Yields a function that takes the completion."""
    model, provider = getattr(complete, "model", None), getattr(complete, "provider", None)
    if not (isinstance(model, str) and isinstance(provider, str)):
        yield lambda _completion: None
        return
    known: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
    }
    server = urlsplit(getattr(complete, "url", ""))
    if server.hostname:
        known |= {"server.address": server.hostname, "server.port": server.port or _PORTS.get(server.scheme, 0)}
    known |= {"gen_ai.request.stream": True} if stream else {}
    known |= {"gen_ai.output.type": "json"} if options["mode"] == "json_schema" else {}
    known |= _params(getattr(complete, "params", {}))
    if options["trace_content"]:
        known["gen_ai.input.messages"] = json.dumps([_message(message) for message in messages], default=repr)
    with span(f"chat {model}", "CLIENT", known) as note:

        def ended(completion: Completion) -> None:
            told: dict[str, Any] = {"gen_ai.response.finish_reasons": [completion.finish_reason or "error"]}
            if options["trace_content"]:
                said = {"role": "assistant", "parts": [_text(completion.text), *map(_call, completion.tool_calls)]}
                told["gen_ai.output.messages"] = json.dumps([said | {"finish_reason": completion.finish_reason}])
            note({**_counts(completion.usage), **told})

        yield ended


def _counts(usage: Usage) -> dict[str, int]:
    counted: dict[str, int] = {name: getattr(usage, key) for key, name in _USAGE.items()}
    return {name: count for name, count in counted.items() if count or name.count(".") == 2}  # the others if applicable


def _params(params: Mapping[str, Any]) -> dict[str, Any]:
    known = {f"gen_ai.request.{_PARAMS[name]}": value for name, value in params.items() if name in _PARAMS}
    stops = known.get("gen_ai.request.stop_sequences")
    known |= {"gen_ai.request.stop_sequences": [stops]} if isinstance(stops, str) else {}
    return {name: value for name, value in known.items() if isinstance(value, str | int | float | list)}


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a message in the form of the conventions."""
    content, role = message.get("content"), message["role"]
    if role == "tool":
        answer = {"type": "tool_call_response", "id": message.get("tool_call_id"), "response": content}
        return {"role": role, "parts": [answer]}
    given = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    parts = [_text(part["text"]) if part.get("type") == "text" else dict(part) for part in given]
    calls = [ToolCall(call["id"], **call["function"]) for call in message.get("tool_calls") or ()]
    return {"role": role, "parts": [*parts, *map(_call, calls)]}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "content": text}


def _call(call: ToolCall) -> dict[str, Any]:
    return {"type": "tool_call", **asdict(call)}


@cache
def _trace() -> Any:
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace
