"""Streams: the real SDKs against a server that sends its events in pieces of three bytes, awaited and not."""

# ruff: noqa: D103 - the functions that open a stream are named after its SDK

from __future__ import annotations

import asyncio
import gc
import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from structured_response import Completion, ReplyError, Usage
from structured_response.clients import (
    AsyncTextStream,
    TextStream,
    anthropic_messages,
    anthropic_text,
    langchain_text,
    litellm_acompletion,
    litellm_completion,
    litellm_text,
    openai_chat,
    openai_text,
    pydantic_ai_text,
    record,
    replay,
)
from tests.chat_server import USAGE, ChatServer, Cut, Endless, Failed, Move, Page, Refused, Text, chat_server

WORDS = "<müsli>Ünïcödé – 漢字 🙂\n\ndata: </müsli>"
MESSAGES = [{"role": "user", "content": "Hello."}]
CALL: dict[str, Any] = {"model": "m", "messages": MESSAGES}


@dataclass
class Seen:
    """What came of a stream."""

    pieces: list[str] = field(default_factory=list)
    stream: Any = None
    error: BaseException | None = None

    @property
    def completion(self) -> Completion:
        assert isinstance(self.stream, TextStream | AsyncTextStream)
        completion = self.stream.completion
        assert completion.text == "".join(self.pieces)
        return completion


Open = Callable[[ChatServer, Any], Any]
"""Opens a stream: with the server, and a stack for what is to be closed at the end."""


def openai_sdk(server: ChatServer, stack: Any, name: str = "OpenAI") -> Any:
    openai = pytest.importorskip("openai")
    client = getattr(openai, name)(api_key="none", base_url=server.url, max_retries=0)
    return stack.enter_context(client) if isinstance(stack, ExitStack) else client


def anthropic_sdk(server: ChatServer, stack: Any, name: str = "Anthropic") -> Any:
    anthropic = pytest.importorskip("anthropic")
    client = getattr(anthropic, name)(api_key="none", base_url=server.url, max_retries=0)
    return stack.enter_context(client) if isinstance(stack, ExitStack) else client


COUNTED: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}


def chat(server: ChatServer, stack: Any) -> Any:
    return openai_text(openai_sdk(server, stack).chat.completions.create(**CALL, **COUNTED, n=2))


def chat_helper(server: ChatServer, stack: Any) -> Any:
    options = {"stream_options": COUNTED["stream_options"]}
    return openai_text(stack.enter_context(openai_sdk(server, stack).chat.completions.stream(**CALL, **options)))


def responses_of(client: Any) -> Any:
    """The responses of a client, which the first release that has them cannot import."""
    try:
        return client.responses
    except ImportError as error:
        pytest.skip(str(error))


def responses(server: ChatServer, stack: Any) -> Any:
    created = responses_of(openai_sdk(server, stack)).create(model="m", input="Hello.", stream=True)
    return openai_text(created)


def responses_helper(server: ChatServer, stack: Any) -> Any:
    return openai_text(stack.enter_context(responses_of(openai_sdk(server, stack)).stream(model="m", input="Hello.")))


def anthropic(server: ChatServer, stack: Any) -> Any:
    return anthropic_text(anthropic_sdk(server, stack).messages.create(**CALL, max_tokens=9, stream=True))


def anthropic_helper(server: ChatServer, stack: Any) -> Any:
    return anthropic_text(stack.enter_context(anthropic_sdk(server, stack).messages.stream(**CALL, max_tokens=9)))


def chat_client(server: ChatServer, stack: Any) -> Any:
    return openai_chat(openai_sdk(server, stack), model="m").stream(MESSAGES)


def anthropic_client(server: ChatServer, stack: Any) -> Any:
    return anthropic_messages(anthropic_sdk(server, stack), model="m").stream(MESSAGES)


async def async_chat(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI"))
    return openai_text(await client.chat.completions.create(**CALL, **COUNTED))


async def async_chat_not_awaited(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI"))
    return openai_text(client.chat.completions.create(**CALL, **COUNTED))


async def async_responses(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI"))
    return openai_text(await responses_of(client).create(model="m", input="Hello.", stream=True))


async def async_anthropic(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(anthropic_sdk(server, stack, "AsyncAnthropic"))
    return anthropic_text(await client.messages.create(**CALL, max_tokens=9, stream=True))


async def async_anthropic_helper(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(anthropic_sdk(server, stack, "AsyncAnthropic"))
    return anthropic_text(await stack.enter_async_context(client.messages.stream(**CALL, max_tokens=9)))


async def async_chat_client(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI"))
    return openai_chat(client, model="m").stream(MESSAGES)


async def async_anthropic_client(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(anthropic_sdk(server, stack, "AsyncAnthropic"))
    return anthropic_messages(client, model="m").stream(MESSAGES)


def litellm_call(server: ChatServer, function: str, model: str) -> Any:
    """What a function of LiteLLM gives."""
    params = litellm_params(server)
    import litellm

    return getattr(litellm, function)(model=model, messages=MESSAGES, **params, **COUNTED)


def litellm_params(server: ChatServer) -> dict[str, Any]:
    """Where the server is."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else importing it asks the network
    pytest.importorskip("litellm")
    return {"api_base": server.url, "api_key": "none", "max_retries": 0}


def litellm_openai(server: ChatServer, stack: Any) -> Any:
    return litellm_text(litellm_call(server, "completion", "openai/m"))


def litellm_anthropic(server: ChatServer, stack: Any) -> Any:
    return litellm_text(litellm_call(server, "completion", "anthropic/m"))


def litellm_client(server: ChatServer, stack: Any) -> Any:
    return litellm_completion(model="openai/m", **litellm_params(server)).stream(MESSAGES)


async def async_litellm_openai(server: ChatServer, stack: Any) -> Any:
    return litellm_text(await litellm_call(server, "acompletion", "openai/m"))


async def async_litellm_anthropic(server: ChatServer, stack: Any) -> Any:
    return litellm_text(await litellm_call(server, "acompletion", "anthropic/m"))


async def async_litellm_client(server: ChatServer, stack: Any) -> Any:
    return litellm_acompletion(model="openai/m", **litellm_params(server)).stream(MESSAGES)


def generation(chunk: Any) -> Any:
    """A chunk of LangChain, of one of OpenAI's."""
    from langchain_core.messages import AIMessageChunk
    from langchain_core.outputs import ChatGenerationChunk

    choice = next((choice for choice in chunk.choices if choice.index == 0), None)
    counted = chunk.usage
    usage = counted and {"input_tokens": counted.prompt_tokens, "output_tokens": counted.completion_tokens}
    details: dict[str, Any] = {}
    if counted:
        details["input_token_details"] = {"cache_read": counted.prompt_tokens_details.cached_tokens}
        details["output_token_details"] = {"reasoning": counted.completion_tokens_details.reasoning_tokens}
    blocks: list[Any] = []
    refusal: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    if choice is not None:
        if thought := getattr(choice.delta, "reasoning_content", None):
            blocks.append({"type": "reasoning", "reasoning": thought, "index": 0})
        if choice.delta.content:
            blocks.append({"type": "text", "text": choice.delta.content, "index": 1})
        refusal = {"refusal": choice.delta.refusal} if choice.delta.refusal else {}
        metadata = {"finish_reason": choice.finish_reason} if choice.finish_reason else {}
    total = usage and {**usage, "total_tokens": sum(usage.values()), **details}
    message = AIMessageChunk(
        content=blocks, additional_kwargs=refusal, response_metadata=metadata, usage_metadata=total
    )
    return ChatGenerationChunk(message=message)


def langchain_model(now: Any, awaited: Any) -> Any:
    """A chat model of LangChain over OpenAI's SDK, as its own integration has it."""
    pytest.importorskip("langchain_core")
    from langchain_core.language_models import BaseChatModel

    class Model(BaseChatModel):  # type: ignore[misc]
        @property
        def _llm_type(self) -> str:
            return "test"

        def _generate(self, *given: Any, **options: Any) -> Any:
            raise NotImplementedError

        def _stream(self, *given: Any, **options: Any) -> Iterator[Any]:
            with now.chat.completions.create(**CALL, **COUNTED) as chunks:
                for chunk in chunks:
                    yield generation(chunk)

        async def _astream(self, *given: Any, **options: Any) -> AsyncIterator[Any]:
            async with await awaited.chat.completions.create(**CALL, **COUNTED) as chunks:
                async for chunk in chunks:
                    yield generation(chunk)

    return Model()


def langchain(server: ChatServer, stack: Any) -> Any:
    return langchain_text(langchain_model(openai_sdk(server, stack), None).stream("Hello."))


async def async_langchain(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI"))
    return langchain_text(langchain_model(None, client).astream("Hello."))


def pydantic_ai_model(client: Any) -> Any:
    pytest.importorskip("pydantic_ai")
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    return OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))


def pydantic_ai_agent(client: Any) -> Any:
    model = pydantic_ai_model(client)
    from pydantic_ai import Agent

    return Agent(model, retries=0)


def looped_client(server: ChatServer, stack: Any) -> Any:
    """A client for pydantic-ai's functions without `await`, closed in the event loop that they use."""
    pytest.importorskip("pydantic_ai")
    client = openai_sdk(server, None, "AsyncOpenAI")
    stack.callback(lambda: asyncio.get_event_loop().run_until_complete(client.close()))
    return client


def pydantic_ai(server: ChatServer, stack: Any) -> Any:
    client = looped_client(server, stack)
    return pydantic_ai_text(stack.enter_context(pydantic_ai_agent(client).run_stream_sync("Hello.")))


def pydantic_ai_direct(server: ChatServer, stack: Any) -> Any:
    model = pydantic_ai_model(looped_client(server, stack))
    from pydantic_ai import ModelRequest, direct

    messages: list[Any] = [ModelRequest.user_text_prompt("Hello.")]
    return pydantic_ai_text(stack.enter_context(direct.model_request_stream_sync(model, messages)))


async def async_pydantic_ai(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI"))
    return pydantic_ai_text(await stack.enter_async_context(pydantic_ai_agent(client).run_stream("Hello.")))


async def async_pydantic_ai_events(server: ChatServer, stack: Any) -> Any:
    client = await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI"))
    return pydantic_ai_text(await stack.enter_async_context(pydantic_ai_agent(client).run_stream_events("Hello.")))


async def async_pydantic_ai_direct(server: ChatServer, stack: Any) -> Any:
    model = pydantic_ai_model(await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI")))
    from pydantic_ai import ModelRequest, direct

    messages: list[Any] = [ModelRequest.user_text_prompt("Hello.")]
    return pydantic_ai_text(await stack.enter_async_context(direct.model_request_stream(model, messages)))


RAISING = ("openai", "anthropic", "litellm", "httpx", "httpx2", "pydantic_ai")
"""The packages whose exceptions pass through."""
PEERS = (pytest.mark.peers, pytest.mark.filterwarnings("ignore"))  # LiteLLM's warnings are not about us
OPENAI = [chat, chat_helper, async_chat, async_chat_not_awaited, chat_client, async_chat_client]
RESPONSES = [responses, responses_helper, async_responses]
ANTHROPIC = [anthropic, anthropic_helper, async_anthropic, async_anthropic_helper, anthropic_client]
ANTHROPIC.append(async_anthropic_client)
LITELLM = [litellm_openai, litellm_anthropic, litellm_client]
LITELLM += [async_litellm_openai, async_litellm_anthropic, async_litellm_client]
LANGCHAIN = [langchain, async_langchain]
PYDANTIC_AI = [pydantic_ai, pydantic_ai_direct]
PYDANTIC_AI += [async_pydantic_ai, async_pydantic_ai_events, async_pydantic_ai_direct]
SDKS = OPENAI + RESPONSES + ANTHROPIC
EVERY = SDKS + LANGCHAIN + PYDANTIC_AI


def opens(functions: list[Any], litellm: bool = True) -> pytest.MarkDecorator:
    """The test with each of these, and with LiteLLM."""
    every = [*functions, *(pytest.param(each, marks=PEERS) for each in (LITELLM if litellm else []))]
    return pytest.mark.parametrize("opened", every, ids=lambda each: each.__name__)


def streamed(opened: Open, server: ChatServer, stop_after: int | None = None) -> Seen:
    """Reads a stream to its end, or so many pieces of it, and closes it."""
    seen = Seen()

    def now() -> None:
        with ExitStack() as stack:
            seen.stream = opened(server, stack)
            assert isinstance(seen.stream, TextStream)
            for piece in seen.stream:
                seen.pieces.append(piece)
                if len(seen.pieces) == stop_after:
                    break
            seen.stream.close()
            if stop_after is not None:
                assert server.left.wait(5)

    async def awaited() -> None:
        async with AsyncExitStack() as stack:
            made: Any = opened(server, stack)
            seen.stream = await made
            assert isinstance(seen.stream, AsyncTextStream)
            async for piece in seen.stream:
                seen.pieces.append(piece)
                if len(seen.pieces) == stop_after:
                    break
            await seen.stream.aclose()
            if stop_after is not None:
                assert await asyncio.to_thread(server.left.wait, 5)

    try:
        asyncio.run(awaited()) if opened.__name__.startswith("async") else now()
    except Exception as error:  # noqa: BLE001 - the SDKs' own
        seen.error = error
    return seen


def read(opened: Open, move: Move) -> Seen:
    with chat_server([move]) as server:
        return streamed(opened, server)


@opens(EVERY)
def test_a_stream_is_its_text(opened: Open) -> None:
    """Without thoughts and other choices, wherever the bytes are cut, in pieces; with reason and tokens at the end."""
    seen = read(opened, Text(WORDS))
    assert seen.error is None
    assert seen.completion.text == WORDS
    assert len(seen.pieces) > 5 and all(type(piece) is str and piece for piece in seen.pieces)
    assert seen.completion.finish_reason in ("stop", "end_turn", "completed")
    assert seen.completion.usage == USAGE
    assert seen.completion.is_cut_off is False and seen.completion.refusal is None


@opens(EVERY)
def test_a_stream_says_that_it_was_cut_off(opened: Open) -> None:
    """By the limit of tokens, in each protocol's own word."""
    seen = read(opened, Text(WORDS, "length"))
    assert seen.error is None
    assert seen.completion.text == WORDS and seen.completion.is_cut_off


@opens(SDKS + LANGCHAIN, litellm=False)
def test_a_stream_says_that_it_was_refused(opened: Open) -> None:
    """And the words of the refusal are the text. LiteLLM leaves out those of OpenAI's protocol."""
    seen = read(opened, Text("I can't.", "refused"))
    assert seen.error is None
    assert seen.completion.text == "I can't." and seen.completion.finish_reason == "refusal"


@opens(SDKS + LANGCHAIN)
@pytest.mark.parametrize(("end", "says"), [("filtered", "content filter"), ("tool", "a tool was called")])
def test_a_stream_says_that_it_is_no_answer(opened: Open, end: str, says: str) -> None:
    """A content filter ended it, or it calls a tool, which is no text."""
    seen = read(opened, Text("I can't.", end))
    assert seen.error is None
    assert seen.completion.text == "I can't."
    assert says in str(seen.completion.refusal)


@opens(EVERY)
def test_closing_ends_the_request(opened: Open) -> None:
    """The server sees that the connection is closed, while it still sends."""
    with chat_server([Endless(WORDS)]) as server:
        seen = streamed(opened, server, stop_after=2)
    assert seen.error is None
    assert WORDS.startswith(seen.completion.text) and len(seen.pieces) == 2


@pytest.mark.parametrize("opened", [chat, responses, anthropic, chat_client, langchain], ids=lambda each: each.__name__)
def test_dropping_ends_the_request(opened: Open) -> None:
    """As after `break` in a loop over it."""
    with chat_server([Endless(WORDS)]) as server, ExitStack() as stack:
        gc.disable()
        try:
            for _ in opened(server, stack):
                break
            assert server.left.wait(5)
        finally:
            gc.enable()


@pytest.mark.parametrize("opened", [async_chat_client, async_chat_not_awaited], ids=lambda each: each.__name__)
def test_closing_before_the_first_piece_sends_nothing(opened: Any) -> None:
    """What is awaited is sent with the first piece."""

    async def run() -> None:
        async with AsyncExitStack() as stack:
            stream = await opened(server, stack)
            await stream.aclose()

    with chat_server([]) as server:
        asyncio.run(run())
        assert server.requests == []


@opens(EVERY)
def test_a_broken_connection_raises_what_the_sdk_raises(opened: Open) -> None:
    """And what came before is kept."""
    seen = read(opened, Cut())
    assert seen.error is not None
    assert type(seen.error).__module__.partition(".")[0] in RAISING
    assert seen.completion.text.startswith("What was") and seen.completion.finish_reason is None


@opens(EVERY)
def test_an_error_in_a_stream_is_raised(opened: Open) -> None:
    """By the SDK; of a failed response, which OpenAI's does not raise, by us."""
    seen = read(opened, Failed("What came"))
    assert "overloaded" in str(seen.error)
    ours = opened in RESPONSES
    assert isinstance(seen.error, ReplyError) is ours
    if ours:
        assert seen.error.reply == "What came"  # type: ignore[union-attr]


@opens(EVERY)
def test_a_refused_request_raises_what_the_sdk_raises(opened: Open) -> None:
    """Its own exception for too many requests."""
    seen = read(opened, Refused(429))
    assert type(seen.error).__module__.partition(".")[0] in ("openai", "anthropic", "litellm", "pydantic_ai")
    assert seen.pieces == []


@opens(OPENAI + ANTHROPIC[:1], litellm=False)
def test_a_page_is_no_stream(opened: Open) -> None:
    """A proxy's page in place of events: the error names the address to check."""
    seen = read(opened, Page("<html><title>502 Bad Gateway</title></html>"))
    if opened is not chat_helper:
        assert isinstance(seen.error, ReplyError)
    assert "no events; check any proxy and base_url" in str(seen.error)


@pytest.mark.parametrize("text", [openai_text, anthropic_text, litellm_text, langchain_text, pydantic_ai_text])
def test_what_is_not_a_stream(text: Any) -> None:
    """A whole completion, or a context manager that was not entered: the error says what to do."""
    openai = pytest.importorskip("openai")
    whole = openai.types.chat.ChatCompletion.model_construct(choices=[])
    for given in (whole, ExitStack()):
        with pytest.raises(TypeError, match="is not a stream; call the SDK with stream=True"):
            text(given)


def test_options_of_streams_are_those_of_the_client() -> None:
    """Parameters are sent, tokens are asked for unless `stream_options` says otherwise; other calls are without it."""
    with chat_server([Text("a"), Text("b"), Text("c")]) as server, ExitStack() as stack:
        client = openai_sdk(server, stack)
        plain = openai_chat(client, model="m", temperature=0)
        other = openai_chat(client, model="m", temperature=0, stream_options={"include_usage": False})
        streams = plain.stream(MESSAGES), other.stream(MESSAGES)
        assert ["".join(each) for each in streams] == ["a", "b"]
        assert other(MESSAGES).text == "c"
    assert [each.completion.usage for each in streams] == [USAGE, Usage()]
    bodies = [body for _, body in server.requests]
    assert [body.get("stream_options") for body in bodies] == [{"include_usage": True}, {"include_usage": False}, None]
    assert all(body["temperature"] == 0 and body["messages"] == MESSAGES for body in bodies)
    assert plain.cache_key == other.cache_key


def test_a_stream_is_recorded_and_replayed(tmp_path: Path) -> None:
    """Once it ends; one that is closed before is not."""
    path = tmp_path / "replies.jsonl"

    def recorded(server: ChatServer, stack: Any) -> Any:
        return record(openai_chat(openai_sdk(server, stack), model="m"), path).stream(MESSAGES)

    async def async_recorded(server: ChatServer, stack: Any) -> Any:
        client = await stack.enter_async_context(openai_sdk(server, stack, "AsyncOpenAI"))
        return record(openai_chat(client, model="m"), path).stream(MESSAGES)

    with chat_server([Endless(WORDS), Text(WORDS, "length"), Text("More.")]) as server:
        assert streamed(recorded, server, stop_after=1).error is None
        assert streamed(recorded, server).error is None
        assert streamed(async_recorded, server).error is None
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["messages"] for line in lines] == [MESSAGES, MESSAGES]
    complete = replay(path)
    again = complete.stream(MESSAGES)
    assert "".join(again) == WORDS
    assert again.completion == Completion(WORDS, "length", USAGE)
    assert complete(MESSAGES) == Completion("More.", "stop", USAGE)


def test_a_recorder_streams_what_can() -> None:
    """A function without `stream` is recorded without it."""
    assert not hasattr(record(lambda messages: "", "unused.jsonl"), "stream")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, loop_closed: None) -> None:
    """Nothing stands between the SDKs and loopback, and nothing is left open."""
    monkeypatch.setenv("NO_PROXY", "*")
