"""Adapters for other frameworks, each against the real package: what it sends, what it gives, what it asks again."""

from __future__ import annotations

import asyncio
import importlib
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field

from benchmarks.robustness.models import Part
from structured_response import ReplyError, StructuredResponse, integrations
from structured_response.integrations import read_last

FOLDER = Path(integrations.__file__).parent


class Review(BaseModel):
    """A review."""

    headline: str = Field(description="In one line")
    parts: list[Part]


GOOD = "Sure! <review><headline>Q & A</headline><parts><li><label>a</label><points>3</points></li></parts></review>"
BAD = GOOD.replace("3</points>", "many</points>")
MENDED = "<review><parts><item_0><points>3</points></item_0></parts></review>"
WHOLE = Review(headline="Q & A", parts=[Part(label="a", points=3)])
ASKED = StructuredResponse.from_basemodel(Review)


NEEDED = os.environ.get("STRUCTURED_RESPONSE_NEEDS_FRAMEWORKS", "").split(",")
"""The extras of those that were installed: that one cannot be imported is a failure there."""


def framework(module: str) -> Any:
    """The framework of an adapter; without it the test is skipped."""
    package = PACKAGES[module]
    is_needed = module.replace("_", "-") in NEEDED
    return importlib.import_module(package) if is_needed else pytest.importorskip(package)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_an_adapter_is_short(path: Path) -> None:
    """Under 100 lines: whatever needs more belongs into the library."""
    assert len(path.read_text(encoding="utf-8").splitlines()) < 100


PACKAGES = {
    "dspy": "dspy",
    "langchain": "langchain_core",
    "mirascope": "mirascope",
    "pydantic_ai": "pydantic_ai",
}


def test_without_its_package_the_extra_is_named() -> None:
    """The error says what to install."""
    program = f"""
import importlib, sys
sys.modules.update(dict.fromkeys({[*PACKAGES.values()]}))
for module in {[*PACKAGES]}:
    try:
        importlib.import_module(f"structured_response.integrations.{{module}}")
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    commands = [f'pip install "structured-response-py[{module.replace("_", "-")}]"' for module in PACKAGES]
    assert [line.partition("with: ")[2] for line in done.stdout.splitlines()] == commands, done.stderr


# Conversations of others


def test_a_reply_amends_the_one_that_was_asked_again() -> None:
    """Only where it was asked again for what was wrong; any other reply begins anew."""
    with pytest.raises(ReplyError) as caught:
        ASKED.parse(BAD)
    assert caught.value.response is not None
    again = caught.value.response.to_reask()
    bad, mended = (True, BAD), (True, MENDED)
    assert read_last(ASKED, [bad, (False, f"Sorry: {again}"), mended]).to_basemodel() == WHOLE
    with pytest.raises(ReplyError):
        read_last(ASKED, [bad, (False, "And what about the other one?"), mended])
    assert read_last(ASKED, [bad, (False, again), (True, "What?"), (False, again), mended]).to_basemodel() == WHOLE
    assert read_last(ASKED, [(True, "Hello."), (False, "Hi."), (True, GOOD)]).to_basemodel() == WHOLE


# LangChain


def langchain_model(*replies: str) -> Any:
    """LangChain's own model that says one thing after the other."""
    framework("langchain")
    from langchain_core.language_models import FakeListChatModel

    return FakeListChatModel(responses=list(replies))


def test_langchain() -> None:
    """A chain from a prompt to the model."""
    model = langchain_model(GOOD)
    from langchain_core.prompts import ChatPromptTemplate

    from structured_response.integrations.langchain import StructuredResponseParser

    parser = StructuredResponseParser.of(Review)
    template = ChatPromptTemplate.from_messages([("user", "{question}\n\n{form}")])
    prompt = template.partial(form=parser.get_format_instructions())
    assert "[In one line - as a string]" in str(prompt.invoke({"question": "?"}))
    assert (prompt | model | parser).invoke({"question": "Review a lamp."}) == WHOLE


def test_langchain_asks_again() -> None:
    """The exception has what to send to the language model, and the parser reads what comes back."""
    model = langchain_model(BAD, MENDED)
    from langchain_core.exceptions import OutputParserException

    from structured_response.integrations.langchain import StructuredResponseParser

    parser = StructuredResponseParser.of(ASKED)
    with pytest.raises(OutputParserException) as caught:
        (model | parser).invoke("Review a lamp.")
    error = caught.value
    assert error.send_to_llm and error.llm_output == BAD
    assert "$.parts[0].points" in str(error.observation) and "<headline" not in str(error.observation)
    assert isinstance(error.__cause__, ReplyError)
    assert parser.amend(error, model.invoke(error.observation).text) == WHOLE


@pytest.mark.parametrize("asked", [Review, list[Review], Review | Part, ASKED], ids=str)
def test_langchain_knows_its_output_type(asked: Any) -> None:
    """A chain describes what it gives by the type that was asked for."""
    langchain_model()
    from structured_response.integrations.langchain import StructuredResponseParser

    parser = StructuredResponseParser.of(asked)
    assert parser.OutputType == (Review if asked is ASKED else asked)
    assert "headline" in str(parser.get_output_schema().model_json_schema())


def test_langchain_with_retry_begins_anew() -> None:
    """It sends the same messages again, and reads the next reply by itself."""
    langchain_model()
    from langchain_core.exceptions import OutputParserException
    from langchain_core.runnables import RunnableLambda

    from structured_response.integrations.langchain import StructuredResponseParser

    seen, replies = [], [BAD, GOOD, BAD, MENDED]

    def answer(question: str) -> str:
        seen.append(question)
        return replies.pop(0)

    chain = RunnableLambda(answer) | StructuredResponseParser.of(Review)
    again = chain.with_retry(stop_after_attempt=2, wait_exponential_jitter=False)
    assert again.invoke("Review a lamp.") == WHOLE
    with pytest.raises(OutputParserException):  # what is asked for in full is not amended
        again.invoke("Review a lamp.")
    assert seen == ["Review a lamp."] * 4


# pydantic-ai


@pytest.mark.parametrize("replies", [[GOOD], [BAD, MENDED], ["No.", BAD, MENDED], [BAD, GOOD]])
def test_pydantic_ai(replies: list[str]) -> None:
    """An agent that answers in text, and is asked again for what is wrong alone."""
    framework("pydantic_ai")
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import FunctionModel

    from structured_response.integrations.pydantic_ai import instructions, output

    left, seen = list(replies), []

    def answer(messages: Any, info: Any) -> ModelResponse:
        seen.append((str(messages[-1].parts[-1].content), info.instructions))
        return ModelResponse(parts=[TextPart(left.pop(0))])

    agent = Agent(FunctionModel(answer), instructions=instructions(Review), output_type=output(Review), retries=3)
    assert asyncio.run(agent.run("Review a lamp.")).output == WHOLE
    assert "[In one line - as a string]" in seen[0][1]
    if replies[-1] == MENDED:
        assert "$.parts[0].points" in seen[-1][0] and "<headline" not in seen[-1][0]


def test_pydantic_ai_gives_up() -> None:
    """After its own number of retries, with its own error."""
    framework("pydantic_ai")
    from pydantic_ai import Agent, UnexpectedModelBehavior
    from pydantic_ai.messages import ModelResponse, TextPart
    from pydantic_ai.models.function import FunctionModel

    from structured_response.integrations.pydantic_ai import output

    agent = Agent(
        FunctionModel(lambda messages, info: ModelResponse(parts=[TextPart(BAD)])), output_type=output(Review)
    )
    with pytest.raises(UnexpectedModelBehavior):
        asyncio.run(agent.run("Review a lamp."))


# Mirascope


@pytest.mark.parametrize("replies", [[GOOD], [BAD, MENDED], [BAD, BAD, MENDED], [BAD, GOOD]])
def test_mirascope(replies: list[str]) -> None:
    """A call by Mirascope's own provider for OpenAI's protocol, and its own way to validate with retries."""
    framework("mirascope")
    from mirascope import llm

    from structured_response.integrations.mirascope import output_parser
    from tests.chat_server import Text, chat_server

    with chat_server([Text(reply) for reply in replies]) as server:
        llm.register_provider("openai:completions", scope="openai/m", base_url=server.url, api_key="none")

        @llm.call(  # type: ignore[untyped-decorator]
            "openai/m:completions", format=output_parser(Review)
        )
        def review(what: str) -> str:
            return f"Review a {what}."

        try:
            value, _response = review("lamp").validate(max_retries=2)
        finally:
            llm.reset_provider_registry()
        assert value == WHOLE
        assert "[In one line - as a string]" in str(server.messages(0))
        if len(replies) > 1:
            last = str(server.messages()[-1]["content"])
            assert "$.parts[0].points" in last and "<headline" not in last


# DSPy


@pytest.fixture
def dspy() -> Any:
    """The package, whose own warnings are not about us."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return framework("dspy")


def scripted_lm(dspy: Any, *replies: str) -> Any:
    """DSPy's own client, at a server that says these."""

    class Scripted(dspy.BaseLM):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__("script")
            self.left, self.seen = list(replies), list[Any]()

        def forward(self, prompt: Any = None, messages: Any = None, **_: Any) -> Any:
            from openai.types.chat import ChatCompletion

            self.seen.append(messages)
            message = {"role": "assistant", "content": self.left.pop(0)}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            base = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "usage": usage}
            return ChatCompletion.model_validate({**base, "choices": [choice]})

    return Scripted()


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_dspy(dspy: Any) -> None:
    """A signature's fields are asked for by our prompt, demonstrations are clean answers, and replies are mended."""
    from structured_response.integrations.dspy import StructuredResponseAdapter

    fields = {
        "product": (str, dspy.InputField()),
        "headline": (str, dspy.OutputField(desc="In one line")),
        "parts": (list[Part], dspy.OutputField()),
    }
    signature = dspy.make_signature(fields, "Review the product.", "Review")
    lm = scripted_lm(dspy, GOOD)
    with dspy.context(lm=lm, adapter=StructuredResponseAdapter()):
        predict = dspy.Predict(signature)
        predict.demos = [dspy.Example(product="a chair", headline="Firm", parts=[Part(label="leg", points=4)])]
        found = predict(product="a lamp")
    assert (found.headline, found.parts) == (WHOLE.headline, WHOLE.parts)
    system, *_, shown, question = lm.seen[0]
    assert "<headline type='str'>[In one line - as a string]</headline>" in system["content"]
    assert ASKED.parse(shown["content"]).to_dict() == {"headline": "Firm", "parts": [{"label": "leg", "points": 4}]}
    assert "a lamp" in question["content"]


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_dspy_a_reply_that_falls_short(dspy: Any) -> None:
    """DSPy's own error, with ours behind it, and no second call in another format."""
    from dspy.utils.exceptions import AdapterParseError

    from structured_response.integrations.dspy import StructuredResponseAdapter

    signature = dspy.make_signature({"product": (str, dspy.InputField()), "score": (int, dspy.OutputField())})
    lm = scripted_lm(dspy, "<string_signature><score>many</score></string_signature>")
    with dspy.context(lm=lm, adapter=StructuredResponseAdapter()), pytest.raises(AdapterParseError) as caught:
        dspy.Predict(signature)(product="a lamp")
    assert isinstance(caught.value.__cause__, ReplyError)
    assert len(lm.seen) == 1
