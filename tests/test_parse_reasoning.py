"""Reasoning: which stretches of a reply are thinking aloud."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.parse.xml.reasoning import Reasoning, thoughts
from structured_response.parse.xml.tokens import Scanner


class Answer(BaseModel):
    text: str


class Sketch(BaseModel):
    think: str


def found(text: str, model: type[BaseModel] = Answer) -> list[str]:
    """The blocks of reasoning that are closed, in characters."""
    plan = StructuredResponse.from_basemodel(model)._plan
    scanner = Scanner(plan)
    scanner.feed(text)
    return [text[start:end] for start, end in thoughts(plan, scanner.close())]


THOUGHTS = [
    ("<think>hm</think> so", ["<think>hm</think>"], "a block"),
    ("hm</think> so", ["hm</think>"], "one that began with the reply"),
    ("<think>a</think>b</think>", ["<think>a</think>"], "only the first one may have"),
    ("<think>a<think>b</think>c</think>d", ["<think>a<think>b</think>c</think>"], "one in another"),
    ("<think>a<think>b</think>c", [], "the outer one is never closed"),
    ("<think>a</think>b<thinking>c</thinking>", ["<think>a</think>", "<thinking>c</thinking>"], "one behind another"),
    ("<text>a</text>", [], "none"),
]


@pytest.mark.parametrize(("text", "blocks", "case"), THOUGHTS)
def test_blocks_that_are_closed(text: str, blocks: list[str], case: str) -> None:
    """In their order, the outermost ones."""
    assert found(text) == blocks, case


def test_a_field_of_that_name_is_none() -> None:
    """What the definition asks for is no thinking."""
    assert found("<think>hm</think>", Sketch) == []


def test_a_block_that_is_never_closed_ends_where_it_is_told_to() -> None:
    """But not in front of its beginning; one that is closed stays as it is."""
    reasoning = Reasoning()
    reasoning.begin(3)
    reasoning.end(5)
    reasoning.end_open(9)
    assert (reasoning.closed(), reasoning.holds(5)) == ([(3, 5)], False)
    reasoning.begin(7)
    assert (reasoning.closed(), reasoning.holds(8)) == ([(3, 5)], False)
    reasoning.end_open(6)
    assert (reasoning.closed(), reasoning.holds(7)) == ([(3, 5), (7, 7)], False)


@given(st.lists(st.booleans(), max_size=20))
def test_blocks_stand_one_behind_another(steps: list[bool]) -> None:
    """Whatever begins and ends: no two overlap, and a place is held by the block around it."""
    reasoning = Reasoning()
    for place, begins in enumerate(steps):
        (reasoning.begin if begins else reasoning.end)(place)
    reasoning.end_open(len(steps))
    ends = [place for block in reasoning.closed() for place in block]
    assert ends == sorted(ends)
    for place in range(len(steps)):
        assert reasoning.holds(place) == any(start <= place < end for start, end in reasoning.closed())
