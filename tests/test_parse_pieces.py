"""Replies that come in pieces: however they are cut, they are read as the whole is."""

import time
from typing import Any, get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.limits import MAX_REPLY
from structured_response.parse import How, read
from structured_response.parse.how import BadItem, Format
from structured_response.parse.reader import ReplyReader


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int
    pros: list[str] = []
    parts: list[Part] = []
    links: dict[str, int] = {}


PLAN = StructuredResponse.from_basemodel(Review)._plan
CLEAN = "<review><headline>Nice</headline><score>4</score><pros><li>a</li></pros></review>"
REPLIES = [
    CLEAN,
    f"<think>{CLEAN.replace('Nice', 'Draft')}</think>\nSure:\n```xml\n{CLEAN}\n```",
    CLEAN.replace("<", "\uff1c").replace(">", "\uff1e"),
    CLEAN.replace("Nice", "<![CDATA[a </headline> <![CDATA[ b]]> c]]>"),
    CLEAN.replace("Nice", "a<!-- <score>3</score> -->b \ud83d\udc00 &amp; <b x='>'>"),
    CLEAN.replace("<headline>", "<headline description=\"a 'b' <score> c\" type='str'>"),
    CLEAN.replace("</headline>", "").replace("</score>", "</scor"),
    "<invoke name='Review'><parameter name='headline'>Nice</parameter><parameter=score>4</parameter></invoke>",
    f"{CLEAN[:-9]}<parts><li><label>a</label><points>1</points></li><li><label>b",
    CLEAN.replace("<", "&lt;"),
    '{"headline": "<review>", "score": 4, "parts": [{"label": "a", "points": "x"}]}',
    f"```yaml\nheadline: Nice\nscore: 4\n```\n{CLEAN.replace('4', '+4')}",
    "I'm sorry, but I can't help with that.",
    "",
]
SOUP = st.lists(
    st.sampled_from(
        [
            *("<review>", "</review>", "<headline>", "</headline>", "<score>", "</score>", "<li>", "</li>", "<parts>"),
            *("<", ">", "/", "<!--", "-->", "<![CDATA[", "]]>", '"', "'", "=", " ", "\n", "4", "x", "&lt;", "{", "}"),
            *("\uff1c", "\uff1e", "\ud800", "</", "<think>", "</think>", "type=", "<label a='<"),
        ]
    ),
    max_size=40,
).map("".join)
HOWS = st.builds(
    How,
    format=st.sampled_from([None, *get_args(Format)]),
    on_bad_item=st.sampled_from(get_args(BadItem)),
    repair=st.booleans(),
    context=st.none(),
    examples=st.sampled_from([(), (({"headline": "x", "score": 1},),)]),
)


def in_pieces(reply: str, cuts: list[int], how: How) -> Any:
    """The answer of a reply that is cut at some places."""
    reader = ReplyReader(PLAN, None, how)
    places = sorted(min(cut, len(reply)) for cut in cuts)
    for start, end in zip([0, *places], [*places, len(reply)], strict=True):
        reader.feed(reply[start:end])
    return reader.close()


@given(st.sampled_from(REPLIES) | SOUP, st.lists(st.integers(0, 300), max_size=20), HOWS)
@example(REPLIES[4], list(range(300)), How())
@example(REPLIES[5], list(range(300)), How())
def test_any_pieces_give_what_the_whole_gives(reply: str, cuts: list[int], how: How) -> None:
    """Data, findings, and what else an answer holds."""
    assert in_pieces(reply, cuts, how) == read(PLAN, reply, None, how)


@pytest.mark.parametrize("reply", REPLIES)
def test_single_characters_give_what_the_whole_gives(reply: str) -> None:
    """The finest pieces there are, with nothing in between."""
    cuts = [place for place in range(len(reply)) for _ in range(2)]
    assert in_pieces(reply, cuts, How()) == read(PLAN, reply)


def test_what_is_fed_is_scanned_as_it_comes() -> None:
    """Nearly nothing of the scan is left for the end."""
    reader = ReplyReader(PLAN)
    reader.feed(CLEAN * 10)
    found = len(reader.scanner.tags.heads)
    assert found >= 10 * 8 - 1
    reader.feed(" and so on")
    assert len(reader.scanner.tags.heads) == found


def test_a_reply_that_is_too_long_is_not_kept() -> None:
    """The same problem as for the whole, and no memory for what nobody will read."""
    reader = ReplyReader(PLAN)
    piece = " " * (1 << 20)
    for _ in range(MAX_REPLY // len(piece) + 2):
        reader.feed(piece)
    assert reader.pieces == reader.waiting == []
    (problem,) = reader.close().problems
    assert (problem.kind, str(reader.length) in problem.message) == ("limit", True)


@pytest.mark.parametrize("text", ["x", "<li>a</li>", "<"])
def test_time_grows_with_the_reply(text: str) -> None:
    """Character by character, sixteen times the reply takes some sixteen times as long."""
    small, large = (min(seconds(text, size) for _ in range(3)) for size in (10_000, 160_000))
    assert large < 16 * 3 * small + 0.01


def seconds(text: str, size: int) -> float:
    """How long it takes to feed a reply of some size."""
    reader = ReplyReader(PLAN)
    begin = time.process_time()
    for character in (text * size)[:size]:
        reader.feed(character)
    return time.process_time() - begin
