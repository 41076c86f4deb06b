"""The events of SDKs as text, and their counts of tokens. No SDK is imported; events are recognized by attributes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..completion import Completion, ToolCall, Usage
from ..errors import ReplyError
from ..findings import Problem, ProblemKind

# The places of the counts of `Usage` in those of an SDK, in its order. Several with a plus are added up.
OPENAI_CHAT = (
    "prompt_tokens completion_tokens prompt_tokens_details.cached_tokens prompt_tokens_details.cache_write_tokens "
    "completion_tokens_details.reasoning_tokens"
)
OPENAI_RESPONSES = (
    "input_tokens output_tokens input_tokens_details.cached_tokens input_tokens_details.cache_write_tokens "
    "output_tokens_details.reasoning_tokens"
)
ANTHROPIC = (  # whose first count leaves out what the others have
    "input_tokens+cache_creation_input_tokens+cache_read_input_tokens output_tokens cache_read_input_tokens "
    "cache_creation_input_tokens output_tokens_details.thinking_tokens"
)
_LANGCHAIN = (
    "input_tokens output_tokens input_token_details.cache_read input_token_details.cache_creation "
    "output_token_details.reasoning"
)
_PYDANTIC_AI = "input_tokens output_tokens cache_read_tokens cache_write_tokens details.reasoning_tokens"

_LANGCHAIN_REASONS = ("finish_reason", "stop_reason", "stopReason", "done_reason")
"""Where LangChain's integrations put the finish reason of OpenAI, Anthropic, Bedrock and Ollama."""

CALLS = frozenset({"function_call"})
"""The kinds of items of OpenAI's responses that call a tool."""


def usage_of(counted: Any, places: str) -> Usage:
    """Returns the tokens of an SDK's counts. A server may leave them out."""
    return Usage(*(sum(_count(counted, place) for place in several.split("+")) for several in places.split()))


def _count(counted: Any, place: str) -> int:
    for name in place.split("."):
        counted = counted.get(name) if isinstance(counted, Mapping) else getattr(counted, name, None)
    return counted if isinstance(counted, int) else 0


@dataclass
class Reply:
    """A reply as it comes. `read` returns the text of an event; after the last event it gets the value of `last`."""

    read: Callable[[Reply, Any], str]
    last: Callable[[], Any] | None = None
    at_end: list[Callable[[Completion], Any]] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    usage: Usage = field(default_factory=Usage)
    calls: dict[Any, ToolCall] = field(default_factory=dict)
    is_refusal: bool = False
    has_begun: bool = False

    @property
    def completion(self) -> Completion:
        reason, called = "refusal" if self.is_refusal else self.finish_reason, tuple(self.calls.values())
        return Completion("".join(self.pieces), reason, self.usage, called)

    def take(self, event: Any) -> str:
        self.has_begun = True
        piece = self.read(self, event)
        if piece:
            self.pieces.append(piece)
        return piece

    def end(self) -> None:
        if self.last is not None:
            self.read(self, self.last())
        elif not self.has_begun:
            raise self.error("the server sent no events; check any proxy and base_url, often .../v1")
        for use in self.at_end:
            use(self.completion)

    def error(self, message: str) -> ReplyError:
        return ReplyError([Problem(ProblemKind.NO_ANSWER, "$", message)], "".join(self.pieces))

    def refuse(self, words: str) -> str:
        """Returns the words of a refusal, but none if they come after an answer."""
        self.is_refusal = self.is_refusal or not self.pieces
        return words if self.is_refusal else ""

    def call(self, key: Any, call_id: str | None, name: str | None, arguments: str | None) -> None:
        """Adds a piece of a call of a tool."""
        known = self.calls.get(key, ToolCall("", "", ""))
        written = known.arguments + (arguments or "")
        self.calls[key] = ToolCall(known.id or call_id or "", known.name or name or "", written)

    def count(self, usage: Usage) -> None:
        """Adjusts the tokens to counts of all events so far."""
        self.usage |= usage


def read_openai(reply: Reply, event: Any) -> str:
    """Events of OpenAI's responses. Everything else is a chunk of a chat, or holds one."""
    match getattr(event, "type", None):
        case "response.output_text.delta":
            return str(event.delta)
        case "response.refusal.delta":
            return reply.refuse(event.delta)
        case "response.completed" | "response.incomplete":
            ended = event.response
            for number, item in enumerate(ended.output):
                if item.type in CALLS:
                    reply.call(number, item.call_id, item.name, item.arguments)
            reply.finish_reason = reason_of(ended)
            reply.count(usage_of(ended.usage, OPENAI_RESPONSES))
        case "response.failed" | "error":
            error = getattr(getattr(event, "response", event), "error", event)
            message = ": ".join(filter(None, (getattr(error, "code", None), getattr(error, "message", None))))
            raise reply.error(f"the server broke off: {message}")
        case _:
            return _read_chunk(reply, getattr(event, "chunk", event))
    return ""


def reason_of(response: Any) -> str | None:
    """Returns the reason why a response of OpenAI ended."""
    is_call = any(item.type in CALLS or item.type == "custom_tool_call" for item in response.output)
    reason: str | None = getattr(response.incomplete_details, "reason", None)
    return reason or ("function_call" if is_call else response.status)


def _read_chunk(reply: Reply, chunk: Any) -> str:
    reply.count(usage_of(getattr(chunk, "usage", None), OPENAI_CHAT))
    for choice in getattr(chunk, "choices", None) or ():
        if not getattr(choice, "index", 0):
            reply.finish_reason = choice.finish_reason or reply.finish_reason
            for call in getattr(choice.delta, "tool_calls", None) or ():
                if call.function is not None:
                    reply.call(call.index, call.id, call.function.name, call.function.arguments)
            refusal = refusal_of(choice.delta)
            return getattr(choice.delta, "content", None) or (reply.refuse(refusal) if refusal else "")
    return ""


def refusal_of(message: Any) -> Any:
    """Returns the refusal of a message or a delta of OpenAI's chat protocol. LiteLLM has it in a field of its own."""
    beside: Any = getattr(message, "provider_specific_fields", None) or {}
    return getattr(message, "refusal", None) or beside.get("refusal")


def read_anthropic(reply: Reply, event: Any) -> str:
    match event.type:
        case "message_start":
            reply.count(usage_of(event.message.usage, ANTHROPIC))
        case "content_block_start" if event.content_block.type == "text":
            return event.content_block.text or ""
        case "content_block_start" if event.content_block.type == "tool_use":
            reply.call(event.index, event.content_block.id, event.content_block.name, "")
        case "content_block_delta" if event.delta.type == "text_delta":
            return event.delta.text or ""
        case "content_block_delta" if event.delta.type == "input_json_delta":
            reply.call(event.index, None, None, event.delta.partial_json)
        case "content_block_stop" if event.index in reply.calls and not reply.calls[event.index].arguments:
            reply.call(event.index, None, None, "{}")
        case "message_delta":
            reply.finish_reason = event.delta.stop_reason or reply.finish_reason
            reply.count(usage_of(event.usage, ANTHROPIC))
    return ""


def read_anthropic_tool(reply: Reply, event: Any) -> str:
    """Returns the arguments of the tool that the language model has to call, which are its answer."""
    read_anthropic(reply, event)
    reply.calls.clear()
    if reply.finish_reason == "tool_use":
        reply.finish_reason = "end_turn"
    if event.type == "content_block_delta" and event.delta.type == "input_json_delta":
        return event.delta.partial_json or ""
    return ""


def read_langchain(reply: Reply, chunk: Any) -> str:
    metadata = chunk.response_metadata
    reason = next((metadata[name] for name in _LANGCHAIN_REASONS if metadata.get(name)), None)
    reason = reason or (metadata.get("incomplete_details") or {}).get("reason")
    if reason:
        reply.finish_reason = str(reason).lower()  # Google's are in capitals
    reply.usage += usage_of(chunk.usage_metadata, _LANGCHAIN)  # of this chunk alone
    refusal = chunk.additional_kwargs.get("refusal")
    return str(chunk.text) or (reply.refuse(refusal) if refusal else "")


def read_pydantic_ai(reply: Reply, event: Any) -> str:
    if isinstance(event, str):
        return event
    match getattr(event, "event_kind", None):
        case "part_start" if event.part.part_kind == "text":
            return str(event.part.content)
        case "part_delta" if event.delta.part_delta_kind == "text":
            return str(event.delta.content_delta)
        case "agent_run_result":
            event = event.result.response
    if getattr(event, "kind", None) == "response":
        reply.finish_reason = event.finish_reason
        reply.count(usage_of(event.usage, _PYDANTIC_AI))
    return ""


def read_known(reply: Reply, event: str | Completion) -> str:
    """The pieces of a text, and behind them the completion that has them."""
    if isinstance(event, str):
        return event
    reply.finish_reason, reply.usage = event.finish_reason, event.usage
    reply.calls.update(enumerate(event.tool_calls))
    return ""
