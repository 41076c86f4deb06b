"""A reply in pieces: what a part shows holds until one says otherwise, and the end is that of the whole reply."""

from __future__ import annotations

import gc
import re
import tracemalloc
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import Part, ReplyError, ReplyStream, StructuredResponse
from structured_response.stream.frames import at
from tests.corpus import ROWS, Row, response_of
from tests.growth import grows_with_the_text
from tests.strategies import SUPPORTED, instances

EXAMPLES = settings().max_examples

THOROUGH = 1_000
"""Examples from which on a run takes its time: `make property`."""
ALL = [row for rows in ROWS.values() for row in rows if len(row["reply"]) <= 2_000 and "examples" not in row]
ROUNDS = 500 if EXAMPLES >= 200 else 100
"""Replies of the corpus, spread over its topics, that are fed to streams."""
SPREAD = Random(17).sample(ALL, ROUNDS)


class Step(BaseModel):
    name: str
    minutes: int


class Recipe(BaseModel):
    title: str
    servings: int
    code: str
    steps: list[Step]
    note: str | None = None


ASKED = StructuredResponse.from_basemodel(Recipe)


def options(row: Row) -> dict[str, Any]:
    """The options of a row that a stream takes."""
    return {name: value for name, value in row.get("options", {}).items() if name != "strict"}


def fed(asked: StructuredResponse[Any], row: Row, chunks: list[str]) -> list[Part[Any]]:
    """The parts of a stream, the last one included unless the reply holds no data."""
    stream = ReplyStream(asked, strict=False, **options(row))
    parts = [stream.feed(chunk) for chunk in chunks]
    with suppress(ReplyError):
        parts.append(stream.close())
    return parts


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every scalar of an instance but null, with its path."""
    held: Any = ()
    if isinstance(value, dict):
        held = dict.items(value)
    elif isinstance(value, list):
        held = enumerate(value)
    elif value is not None:
        yield path, value
    for step, each in held:
        yield from leaves(each, (*path, step))


def agrees(shown: Any, later: Any) -> list[str]:
    """What was shown and is not the value, or the beginning of the text, that a later part has there."""
    known = dict(leaves(later))
    return [
        f"{path}: {value!r}, then {known.get(path)!r}"
        for path, value in leaves(shown)
        if not (
            repr(value) == repr(known.get(path)) or (isinstance(value, str) and text_at(known, path).startswith(value))
        )
    ]


def text_at(known: dict[tuple[Any, ...], Any], path: tuple[Any, ...]) -> str:
    """A text at a path, empty if there is none."""
    value = known.get(path)
    return value if isinstance(value, str) else ""


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal. NaN equals itself."""
    return bool(one == other) or repr(one) == repr(other)


def pieces(text: str, places: list[int]) -> list[str]:
    """A text, cut at some places."""
    cuts = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[start:end] for start, end in pairwise(cuts)]


def holds(asked: StructuredResponse[Any], row: Row, chunks: list[str]) -> None:
    """The laws of one stream: the end is that of the whole reply; what a part shows goes on until one is `restarted`;
    a value that is complete stays.
    """
    parts = fed(asked, row, chunks)
    final: dict[Any, Any] = {}
    before: Part[Any] | None = None
    for part in parts:
        if part.restarted:
            final, before = {}, None
        if before is not None:
            assert not agrees(before.instance, part.instance)
            assert before.complete <= part.complete or part.done
        final |= {path: value for path, value in part._final.items() if path not in final}
        for path, value in final.items():
            assert is_same(at(part.instance, path), value)
        before = part
    if not parts or not parts[-1].done:
        with pytest.raises(ReplyError):
            asked.parse(row["reply"], strict=False, **options(row))
    else:
        whole = asked.parse(row["reply"], strict=False, **options(row))
        assert is_same(parts[-1].instance, whole.instance)
        assert (parts[-1].repairs, parts[-1].problems) == (whole.repairs, whole.problems)


@settings(max_examples=EXAMPLES)
@given(st.sampled_from(SPREAD), st.lists(st.integers(0, 10_000), max_size=12))
def test_random_pieces_of_real_damage(row: Row, places: list[int]) -> None:
    """Rows of the corpus, cut anywhere."""
    holds(response_of(row), row, pieces(row["reply"], places))


@pytest.mark.hypothesis
@pytest.mark.parametrize("number", range(10))
def test_one_character_at_a_time(number: int) -> None:
    """The smallest pieces show everything that may be shown for a moment."""
    for row in SPREAD[number::10]:
        if len(row["reply"]) <= 400:
            holds(response_of(row), row, list(row["reply"]))


@pytest.mark.hypothesis
@pytest.mark.parametrize("number", range(10))
def test_every_place_to_split_a_reply_in_two(number: int) -> None:
    """The second piece goes on where the first ended, be it in a tag, a reference or a key."""
    for row in SPREAD[number::10]:
        asked, reply = response_of(row), row["reply"]
        for place in range(1, len(reply) if EXAMPLES >= THOROUGH else min(len(reply), 40)):
            stream = ReplyStream(asked, strict=False, **options(row))
            stream.feed(reply[:place])
            stream.feed(reply[place:])
            assert stream.text == reply
        holds(asked, row, pieces(reply, [len(reply) // 2]))


ODD_KEY = re.compile(r'"(?:[^"\\]*\\"[^"]*)?"\s*:')
"""A key of JSON that is empty or holds a quote. The search takes its quotes for those of texts."""


@settings(max_examples=EXAMPLES // 8, deadline=None)
@given(instances(SUPPORTED), st.sampled_from(["xml", "json"]), st.integers(1, 9))
def test_what_the_writer_writes_is_never_taken_back(instance: BaseModel, form: str, size: int) -> None:
    """Of any model: a clean reply restarts nowhere, and no number, choice or date is shown in part."""
    asked, filled = StructuredResponse.from_basemodel(type(instance)), StructuredResponse.from_basemodel(instance)
    text = str(filled) if form == "xml" else filled.to_json()
    assume(ODD_KEY.search(text) is None)
    parts = list(asked.stream([text[start : start + size] for start in range(0, len(text), size)], format=form))  # type: ignore[arg-type]
    last = parts[-1]
    for part in parts:
        assert not part.restarted
        assert not agrees(part.instance, last.instance)


def long_reply(count: int) -> str:
    """A reply with a list of so many objects."""
    items = (f"<li><name>Cut onion {number} in pieces</name><minutes>5</minutes></li>\n" for number in range(count))
    steps = "".join(items)
    return f"<recipe><title>Soup</title><servings>4</servings><code>x = 1</code><steps>\n{steps}</steps></recipe>"


def test_streaming_takes_time_in_proportion_to_the_reply() -> None:
    """Every snapshot of four characters each, of lists and of one long text, in XML and in JSON."""

    def stream(text: str) -> None:
        reading = ReplyStream(ASKED)
        for start in range(0, len(text), 4):
            assert reading.feed(text[start : start + 4]).instance is not None

    def code(count: int) -> str:
        return f"<recipe><title>x</title><code>{'<p>a &amp; b</p> and so on. ' * count}</code></recipe>"

    def string(count: int) -> str:
        body = 'print(\\"x\\")\\n' * count
        return f'{{"title": "Soup", "servings": 4, "code": "{body}", "steps": []}}'

    assert grows_with_the_text(stream, long_reply, 12)
    assert grows_with_the_text(stream, code, 30)
    assert grows_with_the_text(stream, string, 50)


@pytest.mark.parametrize("form", ["xml", "json"])
def test_streaming_takes_little_more_memory_than_parsing(form: str) -> None:
    """Tokens and elements behind the final decisions are forgotten; the text and the values are kept."""
    reply = long_reply(800)
    text = reply if form == "xml" else ASKED.parse(reply).to_json()
    assert list(ASKED.stream([text]))[-1].instance == ASKED.parse(text).instance  # what is made once is not counted
    parsed = most_memory(lambda: ASKED.parse(text).instance)
    streamed = most_memory(lambda: deque((part.instance for part in ASKED.stream(pieces_of(text, 200))), maxlen=1))
    assert streamed < 2 * parsed


def most_memory(call: Callable[[], object]) -> int:
    """The most bytes that a call allocates."""
    gc.collect()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def pieces_of(text: str, size: int) -> Iterator[str]:
    """A text in pieces of a size, each made when it is asked for."""
    return (text[start : start + size] for start in range(0, len(text), size))


@pytest.mark.parametrize(
    ("there", "damaged"),
    [
        ("", ""),
        ("300 in pieces</name>", "300 in pieces"),
        ("<li><name>Cut onion 300", "Stir! <note>now</note><li><name>Cut onion 300"),
        ("<li><name>Cut onion 300", "<!-- half --><step><name>Cut onion 300"),
        ("<name>Cut onion 300 in", "<title>Stew</title><name>Cut onion 300 in"),
        ("</steps></recipe>", "</steps><note>So much</note></recipe> Or: <recipe><title>Stew</title></recipe>"),
    ],
    ids=["clean", "no closing tag", "an unknown element", "another name", "a field of the root", "another answer"],
)
@pytest.mark.parametrize("form", ["xml", "json"])
def test_a_long_reply_comes_in_long_pieces(form: str, there: str, damaged: str) -> None:
    """What was shown of items that are final stays, whatever follows."""
    reply = long_reply(400)
    if form == "json":
        reply = ASKED.parse(reply).to_json()
        there, damaged = '"minutes": 5\n        },', f'"minutes": 5{damaged and ", "}\n        }} {damaged}'
    reply = reply[:12_000] + reply[12_000:].replace(there, damaged, 1) if damaged else reply
    holds(ASKED, {"reply": reply}, [reply[start : start + 700] for start in range(0, len(reply), 700)])
    assert form == "json" or [*ASKED.items([reply], "steps", strict=False, on_restart=list)]


def test_a_final_value_that_the_whole_reply_changes_is_replaced_on_record() -> None:
    """Even if it becomes known only then."""
    reply = long_reply(40).replace("<minutes>", "<minute>", 1)
    holds(ASKED, {"reply": reply}, list(pieces_of(reply, 5)))


def test_a_value_is_complete_once_its_decision_is_fixed() -> None:
    """The first items are complete while the last ones are being written, and stay."""
    parts = list(ASKED.stream([long_reply(60)[start : start + 40] for start in range(0, len(long_reply(60)), 40)]))
    first = next(number for number, part in enumerate(parts) if "$.steps[0].name" in part.complete)
    assert {"$.title", "$.servings", "$.steps[0]", "$.steps[0].minutes"} <= parts[first].complete
    assert first < len(parts) * 2 // 3
    assert "$.steps" not in parts[first].complete
    assert "$.steps" in parts[-1].complete
