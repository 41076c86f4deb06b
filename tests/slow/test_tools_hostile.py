"""Hostile replies to a program with tools: what they cost."""

import pytest
from pydantic import BaseModel

from structured_response.tools import CallStream, Toolbox
from structured_response.tools.quoting import Quotations
from tests.growth import grows_with_the_text


class say(BaseModel):  # noqa: N801 - the name of the tool
    """Say something."""

    text: str
    loud: bool = False


TOOLBOX = Toolbox(say)


@pytest.mark.parametrize(
    "unit",
    [
        "<call tool='say'>", "<tool_call>{", "<path>", "[TOOL_CALLS][", "```\n", "<think>", "<think></think>{\"name\":",
        "> x\n", '{"name":', "[say(", "[", "<say><text>", "<call tool='say'><text>x</call>", "`", '\\"',
        "<|tool_call_start|>[say(", "<tool_call>say<arg_key>", "<!--",
        "<example></pre>", "</call>", "<say><text>a</text></say></text>", "Action: say\nAction Input: ", " ",
        "[THINK]", "<|im_start|>user\n", "<![CDATA[", "<code>", "[INST]", "\u25c1think\u25b7",
    ],
)  # fmt: skip
def test_time_grows_with_a_hostile_reply(unit: str) -> None:
    """No beginning of a call makes the time grow faster than the reply."""
    assert grows_with_the_text(
        lambda text: TOOLBOX.parse(text, react=True), lambda size: unit * (size // len(unit)), unit=2000
    )


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("<call tool='say'><text>", "<text>"),
        ("<tool_call>{", '\\"'),
        ("<tool_call>", '{"tool_call":'),
        ("<call tool='say'>", "<b>x</b>"),
    ],
)
def test_time_grows_with_a_hostile_call(head: str, unit: str) -> None:
    """Neither does what follows one."""
    assert grows_with_the_text(TOOLBOX.parse, lambda size: head + unit * (size // len(unit)), unit=2000)


@pytest.mark.parametrize("unit", ["x = [a < b]\\n", "<b>x</b>", " ", "</text> ", "<text>"])
@pytest.mark.parametrize(
    "head", ["<call tool='say'><text>", 'I will.\n<tool_call>{"name": "say", "arguments": {"text": "', ""]
)
def test_time_grows_with_a_stream(head: str, unit: str) -> None:
    """An argument that comes in small pieces costs time in proportion to its length."""

    def read(text: str) -> None:
        stream = CallStream(TOOLBOX)
        for start in range(0, len(text), 10):
            stream.feed(text[start : start + 10])
        stream.close()

    assert grows_with_the_text(read, lambda size: head + unit * (size // len(unit)), unit=2000)


@pytest.mark.parametrize(
    "unit",
    ["say(", "say(text='x', ", "<call tool='say'><text>x</text></call>", "&amp;", "\\\\", "\u200b", "<say><text>"],
)
def test_time_grows_with_a_hostile_result(unit: str) -> None:
    """Looking for calls in a result, under escapes and in arguments too, takes time in proportion to it."""
    assert grows_with_the_text(
        lambda text: Quotations(TOOLBOX, []).add(text), lambda size: unit * (size // len(unit)), unit=2000
    )
