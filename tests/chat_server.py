"""A server on loopback that speaks the protocols of OpenAI's chat and responses and Anthropic's messages, by a script.

To `stream` it sends events, three bytes at a time, which cuts letters. Where a tool is forced by name, the text is the
JSON of its arguments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from time import sleep
from typing import Any

from structured_response import Usage

__all__ = [
    "USAGE",
    "Called",
    "ChatServer",
    "Cut",
    "Endless",
    "Failed",
    "Page",
    "Refused",
    "Silence",
    "Text",
    "chat_server",
]


USAGE = Usage(100, 10, cached_tokens=10, reasoning_tokens=4)
"""The tokens of each reply."""


@dataclass(frozen=True)
class Text:
    """A reply, and why it ends: `full`, `length`, `refused`, `filtered`, or `tool` for a call in its place."""

    text: str
    end: str = "full"


@dataclass(frozen=True)
class Called:
    """A reply with calls of tools, of each the name and the arguments, as a provider takes them apart."""

    calls: tuple[tuple[str, dict[str, Any]], ...]
    text: str = ""


@dataclass(frozen=True)
class Refused:
    """An error, such as 429 for too many requests."""

    status: int
    headers: tuple[tuple[str, str], ...] = (("retry-after-ms", "1"),)


@dataclass(frozen=True)
class Cut:
    """The connection ends in the middle of the reply."""


@dataclass(frozen=True)
class Silence:
    """No reply comes, for as long as the server runs."""


@dataclass(frozen=True)
class Page:
    """A body that is no completion, with the status 200, as proxies send it."""

    body: str
    type: str = "text/html"


@dataclass(frozen=True)
class Endless:
    """A stream that goes on after this text until the client closes the connection."""

    text: str


@dataclass(frozen=True)
class Failed:
    """A stream that ends with an error after this text."""

    text: str


Move = Text | Called | Refused | Cut | Silence | Page | Endless | Failed
Script = Callable[[list[dict[str, Any]]], Move]


@dataclass
class ChatServer:
    """What it is asked is in `requests`: each one's path and body.

    Before it answers it waits for `gate`, and then for `delay` seconds.
    """

    script: Script
    url: str = ""
    delay: float = 0.0
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    """Those of each request, in small letters."""
    gate: Event = field(default_factory=Event)
    left: Event = field(default_factory=Event)
    """Set once a client has left a stream that goes on."""
    lock: Lock = field(default_factory=Lock)
    ended: Event = field(default_factory=Event)

    def messages(self, number: int = -1) -> Any:
        """The messages of a request."""
        return self.requests[number][1]["messages"]


def moves(script: Sequence[Move]) -> Script:
    """One after the other, whatever is asked."""
    left = iter(script)
    return lambda messages: next(left)


@contextmanager
def chat_server(script: Script | Sequence[Move]) -> Iterator[ChatServer]:
    """The server, for as long as the block runs. Both SDKs' clients take its `url` as their `base_url`."""
    scripted = ChatServer(script if callable(script) else moves(script))
    scripted.gate.set()
    server = _Server(("127.0.0.1", 0), _handler(scripted))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    scripted.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield scripted
    finally:
        scripted.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    request_queue_size = 128  # clients that connect at once

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Says nothing of clients that leave."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)


def _handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            sent = self.rfile.read(size)
            if len(sent) < size:  # the client has left
                return
            body = json.loads(sent)
            with server.lock:
                server.requests.append((self.path, body))
                server.headers.append({name.lower(): value for name, value in self.headers.items()})
                move = server.script(body.get("messages", body.get("input")))
            server.gate.wait(10)
            sleep(server.delay)
            if isinstance(move, Silence):
                server.ended.wait(10)
                self.close_connection = True
                return
            if body.get("stream") and not isinstance(move, Page | Refused):
                _stream(self, server, move, body)
                return
            page = move if isinstance(move, Page) else Page(json.dumps(_PROTOCOLS[self.path](move, body)), _JSON)
            written = page.body.encode()
            self.send_response(move.status if isinstance(move, Refused) else 200)
            for name, value in move.headers if isinstance(move, Refused) else ():
                self.send_header(name, value)
            self.send_header("content-type", page.type)
            self.send_header("content-length", str(len(written)))
            self.end_headers()
            self.wfile.write(written[: len(written) // 2] if isinstance(move, Cut) else written)
            self.close_connection = isinstance(move, Cut)

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing."""

    return Handler


def _stream(handler: BaseHTTPRequestHandler, server: ChatServer, move: Move, body: dict[str, Any]) -> None:
    events = [*_STREAMS[handler.path](move, body)]
    if isinstance(move, Cut):
        events = events[:-3]
    names = (f"event: {each['type']}\n" if "type" in each else "" for each in events)
    sent = "".join(
        f"{name}data: {json.dumps(each, ensure_ascii=False)}\n\n" for name, each in zip(names, events, strict=True)
    )
    if handler.path.endswith("completions") and not isinstance(move, Cut | Endless):
        sent += "data: [DONE]\n\n"
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("transfer-encoding", "chunked")
    handler.end_headers()
    handler.close_connection = True
    try:
        data = sent.encode()
        for start in range(0, len(data), 3):
            piece = data[start : start + 3]
            handler.wfile.write(b"%d\r\n%b\r\n" % (len(piece), piece))
        while isinstance(move, Endless):
            handler.wfile.write(b"3\r\n:\n\n\r\n")
            sleep(0.01)
    except OSError:
        server.left.set()
        return
    if not isinstance(move, Cut):
        handler.wfile.write(b"0\r\n\r\n")


def _chat(move: Move, body: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(move, Text | Called):
        return {"error": {"message": "not now", "type": "server_error", "code": None, "param": None}}
    if isinstance(move, Called):
        calls = [
            {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for at, (name, given) in enumerate(move.calls)
        ]
        made = _chat(Text(move.text), body)
        made["choices"][0]["message"]["tool_calls"] = calls
        made["choices"][0]["finish_reason"] = "tool_calls"
        return made
    reason = {"length": "length", "filtered": "content_filter", "tool": "tool_calls"}.get(move.end, "stop")
    message: dict[str, Any] = {"role": "assistant", "content": move.text, "refusal": None}
    if move.end == "refused":
        message |= {"content": None, "refusal": "That is against our rules."}
    if move.end == "tool":
        call = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
        message |= {"content": None, "tool_calls": [call]}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": reason, "logprobs": None}],
        "usage": _CHAT_USAGE,
    }


_CHAT_USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 10,
    "total_tokens": 110,
    "prompt_tokens_details": {"cached_tokens": 10},
    "completion_tokens_details": {"reasoning_tokens": 4},
}


def _messages(move: Move, body: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(move, Text | Called):
        return {"type": "error", "error": {"type": "rate_limit_error", "message": "not now"}}
    assert all(message["role"] in ("user", "assistant") for message in body["messages"])
    assert isinstance(body["max_tokens"], int)
    if isinstance(move, Called):
        used = [
            {"type": "tool_use", "id": f"toolu_{at}", "name": name, "input": given}
            for at, (name, given) in enumerate(move.calls)
        ]
        made = _messages(Text(move.text), body)
        return made | {"content": [*(made["content"] if move.text else []), *used], "stop_reason": "tool_use"}
    blocks: list[dict[str, Any]] = [{"type": "text", "text": move.text}]
    if _forced(body) and move.text:
        blocks = [{"type": "tool_use", "id": "toolu_1", "name": _forced(body), "input": json.loads(move.text)}]
    if move.end == "tool":
        blocks.append({"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}})
    reasons = {
        "full": "end_turn",
        "length": "max_tokens",
        "refused": "refusal",
        "tool": "tool_use",
        "filtered": "content_filter",  # as gateways in front of the protocol say it
    }
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": blocks,
        "stop_reason": "tool_use" if _forced(body) and move.end == "full" else reasons[move.end],
        "stop_sequence": None,
        "usage": {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 10} | _THOUGHT,
    }


_THOUGHT = {"output_tokens_details": {"thinking_tokens": 4}}


def _forced(body: dict[str, Any]) -> Any:
    """The name of the tool that has to be called."""
    return (body.get("tool_choice") or {}).get("name")


def _pieces(move: Move) -> list[str]:
    text = getattr(move, "text", "What was cut off")
    return [text[at : at + 3] for at in range(0, len(text), 3)]


def _chat_events(move: Move, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    end = getattr(move, "end", "full")
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}, {"reasoning_content": "<thinking>"}]
    deltas += [{"refusal" if end == "refused" else "content": piece} for piece in _pieces(move)]
    if end == "tool":
        call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
        deltas.append({"tool_calls": [call]})
    base = {"id": "1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": body["model"]}
    for delta in deltas:
        yield {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        if body.get("n") == 2:
            yield {**base, "choices": [{"index": 1, "delta": {"content": "the second"}, "finish_reason": None}]}
    if isinstance(move, Failed):
        yield {"error": {"message": "overloaded", "type": "server_error"}}
    elif not isinstance(move, Endless):
        reason = {"length": "length", "filtered": "content_filter", "tool": "tool_calls"}.get(end, "stop")
        yield {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
        if (body.get("stream_options") or {}).get("include_usage"):
            yield {**base, "choices": [], "usage": _CHAT_USAGE}


def _message_events(move: Move, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    message = _messages(Text(""), body) | {"content": [], "stop_reason": None}
    message["usage"] = {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 1}
    yield {"type": "message_start", "message": message}
    blocks: list[tuple[dict[str, Any], list[dict[str, Any]]]] = [
        ({"type": "thinking", "thinking": "", "signature": ""}, [{"type": "thinking_delta", "thinking": "<thinking>"}]),
        ({"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in _pieces(move)]),
    ]
    if _forced(body):
        tool = {"type": "tool_use", "id": "toolu_1", "name": _forced(body), "input": {}}
        blocks[1] = tool, [{"type": "input_json_delta", "partial_json": piece} for piece in _pieces(move)]
    end = getattr(move, "end", "full")
    if end == "tool":
        call = {"type": "tool_use", "id": "toolu_1", "name": "search", "input": {}}
        blocks.append((call, [{"type": "input_json_delta", "partial_json": "{}"}]))
    for index, (block, deltas) in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "ping"}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        if not isinstance(move, Endless):
            yield {"type": "content_block_stop", "index": index}
    if isinstance(move, Failed):
        yield {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}
    elif not isinstance(move, Endless):
        reason = _messages(Text("", end), body)["stop_reason"]
        delta = {"stop_reason": reason, "stop_sequence": None}
        yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 10} | _THOUGHT}
        yield {"type": "message_stop"}


def _response_events(move: Move, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    end = getattr(move, "end", "full")
    kind = "refusal" if end == "refused" else "output_text"
    made = {"id": "r", "object": "response", "created_at": 1, "model": body["model"], "status": "in_progress"}
    made |= {"output": [], "tools": [], "tool_choice": "auto", "parallel_tool_calls": True, "incomplete_details": None}
    message: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": []}
    part = {"type": "refusal", "refusal": ""} if kind == "refusal" else {"type": kind, "text": "", "annotations": []}
    thought = {"id": "t", "type": "reasoning", "summary": []}
    call = {"id": "f", "type": "function_call", "call_id": "c", "name": "search", "arguments": ""}
    place = {"item_id": "m", "output_index": 1, "content_index": 0}
    summed = {"item_id": "t", "output_index": 0, "summary_index": 0}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": made},
        {"type": "response.output_item.added", "output_index": 0, "item": thought},
        {"type": "response.reasoning_summary_text.delta", **summed, "delta": "<thinking>"},
        {"type": "response.output_item.added", "output_index": 1, "item": message},
        {"type": "response.content_part.added", **place, "part": part},
        *({"type": f"response.{kind}.delta", **place, "delta": piece, "logprobs": []} for piece in _pieces(move)),
    ]
    output = [thought, message]
    if end == "tool":
        events.append({"type": "response.output_item.added", "output_index": 2, "item": call})
        delta = {"item_id": "f", "output_index": 2, "delta": "{}"}
        events.append({"type": "response.function_call_arguments.delta", **delta})
        output.append(call | {"arguments": "{}"})
    said = {"refusal" if kind == "refusal" else "text": getattr(move, "text", "")}
    output[1] = message | {"content": [part | said]}
    usage: dict[str, Any] = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110}
    usage |= {"input_tokens_details": {"cached_tokens": 10}, "output_tokens_details": {"reasoning_tokens": 4}}
    reason = {"length": "max_output_tokens", "filtered": "content_filter"}.get(end)
    status = "failed" if isinstance(move, Failed) else "incomplete" if reason else "completed"
    ended = made | {"status": status, "output": output, "usage": usage}
    ended |= {"incomplete_details": {"reason": reason} if reason else None}
    ended |= {"error": {"code": "server_error", "message": "overloaded"} if isinstance(move, Failed) else None}
    if not isinstance(move, Endless):
        events.append({"type": f"response.{status}", "response": ended})
    for number, event in enumerate(events):
        yield event | {"sequence_number": number}


def _response(move: Move, body: dict[str, Any]) -> dict[str, Any]:
    if isinstance(move, Called):
        calls = [
            {"type": "function_call", "id": f"f{at}", "call_id": f"c{at}", "name": name, "arguments": json.dumps(given)}
            for at, (name, given) in enumerate(move.calls)
        ]
        made = _response(Text(move.text), body)
        return made | {"output": [*made["output"], *calls]}
    if not isinstance(move, Text):
        return _chat(move, body)
    (*_events, last) = _response_events(move, body)
    response: dict[str, Any] = last["response"]
    return response


_JSON = "application/json"
_STREAMS = {
    "/v1/messages": _message_events,
    "/chat/completions": _chat_events,
    "/v1/chat/completions": _chat_events,
    "/responses": _response_events,
}
_PROTOCOLS = {
    "/v1/messages": _messages,
    "/chat/completions": _chat,
    "/v1/chat/completions": _chat,
    "/responses": _response,
}
