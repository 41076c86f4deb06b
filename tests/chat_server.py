"""A server on loopback that speaks the protocols of OpenAI's chat and Anthropic's messages, by a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

__all__ = ["ChatServer", "Cut", "Page", "Refused", "Silence", "Text", "chat_server"]


@dataclass(frozen=True)
class Text:
    """A reply, and why it ends: `full`, `length`, `refused`, `filtered`, or `tool` for a call in its place."""

    text: str
    end: str = "full"


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


Move = Text | Refused | Cut | Silence | Page
Script = Callable[[list[dict[str, Any]]], Move]


@dataclass
class ChatServer:
    """What it is asked is in `requests`: each one's path and body. It waits for `gate` before it answers."""

    script: Script
    url: str = ""
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    gate: Event = field(default_factory=Event)
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
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(scripted))
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


def _handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with server.lock:
                server.requests.append((self.path, body))
                move = server.script(body["messages"])
            server.gate.wait(10)
            if isinstance(move, Silence):
                server.ended.wait(10)
                self.close_connection = True
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


def _chat(move: Move, body: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(move, Text):
        return {"error": {"message": "not now", "type": "server_error", "code": None, "param": None}}
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
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def _messages(move: Move, body: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(move, Text):
        return {"type": "error", "error": {"type": "rate_limit_error", "message": "not now"}}
    assert all(message["role"] in ("user", "assistant") for message in body["messages"])
    assert isinstance(body["max_tokens"], int)
    blocks: list[dict[str, Any]] = [{"type": "text", "text": move.text}]
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
        "stop_reason": reasons[move.end],
        "stop_sequence": None,
        "usage": {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 10},
    }


_JSON = "application/json"
_PROTOCOLS = {"/v1/messages": _messages, "/chat/completions": _chat, "/v1/chat/completions": _chat}
