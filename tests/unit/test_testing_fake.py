"""FakeModel: a language model for users' tests, in every way to ask."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from structured_response import (
    AskError,
    Completion,
    InstanceError,
    RecordingError,
    StructuredResponse,
    aask,
    ask,
    ask_many,
)
from structured_response.cache import MemoryCache
from structured_response.clients import record
from structured_response.completion import ToolCall
from structured_response.testing import FakeModel
from structured_response.tools import Toolbox, act


class Order(BaseModel):
    customer: str
    items: list[str] = Field(min_length=1)
    total: float


PEN = Order(customer="Ada & Co", items=["pen"], total=2.5)
REPLY = "<order><customer>Ada</customer><items><li>pen</li></items><total>2</total></order>"


def test_a_script_has_a_reply_for_each_call() -> None:
    """A text, a completion, an instance; each call's messages are kept; then the error says how many there were."""
    fake = FakeModel([REPLY, Completion(REPLY, "stop"), PEN])
    assert [ask(fake, f"Order {number}.", Order).value.total for number in range(3)] == [2, 2, 2.5]
    assert [messages[-1]["content"].split("\n")[0] for messages in fake.calls] == ["Order 0.", "Order 1.", "Order 2."]
    with pytest.raises(RecordingError, match="the script of FakeModel has 3 replies, and this is call 4"):
        ask(fake, "Order 3.", Order)


def test_a_script_can_fail_and_call_tools() -> None:
    """An exception is raised, and retried if it is an outage; calls of tools come as a provider's do."""
    call = ToolCall("1", "search", "{}")
    fake = FakeModel([ConnectionError("down"), PEN, call, [call, call], KeyError("x")])
    assert ask(fake, "Order.", Order, max_wait=0).value == PEN
    assert fake.with_tools([{"name": "search"}])([]).tool_calls == (call,)
    assert fake([]).tool_calls == (call, call)
    assert fake.tools == [{"name": "search"}]
    with pytest.raises(KeyError):
        ask(fake, "Order.", Order)
    with pytest.raises(AskError, match="a tool was called"):
        ask(FakeModel([call]), "Order.", Order)


@pytest.mark.parametrize("form", ["xml", "json", "yaml"])
def test_replies_that_are_made_up_are_valid(form: Any) -> None:
    """For whatever is asked for, in its format, at the first attempt; the same again with the same seed."""
    asked = [ask(FakeModel(seed=number), "Order.", Order, format=form) for number in (1, 1, 2)]
    assert [len(each.attempts) for each in asked] == [1, 1, 1]
    assert asked[0].value == asked[1].value != asked[2].value
    assert all(repair.before == repair.after for repair in asked[0].response.repairs)
    fake = FakeModel()
    assert {ask(fake, "Order.", Order, format=form).value.customer for _ in range(5)} != {""}


def test_replies_for_a_model() -> None:
    """Given to FakeModel itself, also where nobody says what is asked for."""
    reply = FakeModel(Order, seed=3)([{"role": "user", "content": "?"}]).text
    assert isinstance(StructuredResponse.from_basemodel(Order).parse(reply).to_basemodel(), Order)
    assert isinstance(FakeModel(list[int])([]).text, str)
    assert ask(FakeModel(StructuredResponse.from_basemodel(Order)), "?", Order).value.items
    with pytest.raises(TypeError, match="give it replies, or a model"):
        FakeModel()([])


def test_a_model_whose_values_cannot_be_made_up() -> None:
    """The error says what to do."""

    class Checked(BaseModel):
        code: str

        @field_validator("code")
        @classmethod
        def _is_right(cls, code: str) -> str:
            raise ValueError("wrong")

    with pytest.raises(InstanceError, match="no valid Checked could be made up"):
        ask(FakeModel(), "?", Checked)


def test_streams_awaits_and_many() -> None:
    """The same answers by `stream=True`, `aask` and `ask_many`, from a cache, and with a schema of the provider."""
    with ask(FakeModel([PEN]), "Order.", Order, stream=True) as stream:
        assert len(list(stream)) > 3
    assert stream.result.value == PEN
    assert stream.result.attempts[0].finish_reason == "stop"
    assert asyncio.run(aask(FakeModel([PEN]), "Order.", Order)).value == PEN
    fake = FakeModel([PEN] * 8)
    assert [result.value for result in ask_many(fake, map(str, range(8)), Order) if result.task] == [PEN] * 8  # type: ignore[union-attr]
    assert len(fake.calls) == 8
    cache = MemoryCache()
    fake = FakeModel([PEN])
    assert [ask(fake, "Order.", Order, cache=cache).value for _ in range(2)] == [PEN, PEN]
    assert ask(FakeModel(), "Order.", Order, mode="json_schema").value.items


def test_it_calls_tools_in_a_loop(tmp_path: Any) -> None:
    """A script of calls and an answer; without one the answer comes at once. Calls are recorded."""

    def search(query: str) -> str:
        """Finds things."""
        return f"two {query}"

    fake = FakeModel([ToolCall("1", "search", '{"query": "pens"}'), PEN])
    acted = act(fake, "Order.", Toolbox(search), Order, mode="native")
    assert acted.value == PEN
    assert fake.tools[0]["name"] == "search" and fake.calls[1][-1]["content"] == "two pens"
    assert act(FakeModel(), "Order.", Toolbox(search), Order).value.items
    path = tmp_path / "replies.jsonl"
    ask(record(FakeModel(), path), "Order.", Order)
    assert path.stat().st_size
