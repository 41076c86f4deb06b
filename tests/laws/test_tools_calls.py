"""Calls in every shape with any arguments, whole, damaged and in pieces."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.calls.damage import damages_of
from benchmarks.calls.data import CODE, OWN_TAGS, TOOLS
from benchmarks.calls.shapes import SHAPES, InTags, deepseek_markup
from structured_response.tools import Call, CallPart, CallStream, Toolbox

EXAMPLES = settings().max_examples
TOOLBOX = Toolbox(*TOOLS.values())

TEXTS = st.one_of(
    st.text(),
    st.text(alphabet="<>/ab\n {}\"'`\\\\"),
    st.lists(st.sampled_from([*CODE, *OWN_TAGS]), min_size=1, max_size=2).map("".join),
)
CALLS: st.SearchStrategy[tuple[str, dict[str, Any]]] = st.one_of(
    st.fixed_dictionaries({"path": TEXTS, "content": TEXTS}).map(lambda made: ("write_file", made)),
    st.fixed_dictionaries({"query": TEXTS, "limit": st.none() | st.integers(0, 10**6)}).map(
        lambda made: ("search", made)
    ),
    st.just(("now", {})),
)


def holds(shape: str, arguments: dict[str, Any]) -> bool:
    """Whether a shape can hold texts to the character.

    Tags have no way to write their own closing tags. A backslash with b or f and a letter is LaTeX in JSON.
    """
    texts = [value for value in arguments.values() if isinstance(value, str)]
    if not isinstance(SHAPES[shape], InTags) and SHAPES[shape] is not deepseek_markup:
        return not any(_LATEX.search(text) or (shape == "Gemma" and "<|" in text) for text in texts)
    return not any("\r" in text or _WRAPPED.match(text) or _OWN.search(text) for text in texts)


_LATEX = re.compile(r"[\b\f][A-Za-z]")
_WRAPPED = re.compile(r"\s*+(?:```|~~~|<!\[CDATA\[|\Z)")
_OWN = re.compile(
    r"</?\s*\W*(?:path|content|query|paths|limit|overwrite|parameter|arg_value|arg_key|invoke|call|function|tool_call"
    r"|write_file|search)",
    re.IGNORECASE,
)


def read(reply: str) -> list[tuple[str, Any]]:
    """The calls that have no problem."""
    return [
        (call.name, call.arguments.model_dump(exclude_unset=True)) for call in TOOLBOX.parse(reply) if not call.problems
    ]


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=EXAMPLES // 8)
@given(call=CALLS)
def test_a_call_is_read_to_the_character_or_has_a_problem(shape: str, call: tuple[str, dict[str, Any]]) -> None:
    """Whatever is in the arguments, no other data comes out; and where the shape can hold them, these come out."""
    name, arguments = call
    found = read(SHAPES[shape](name, arguments))
    assert found in ([call], []) or not holds(shape, arguments)
    assert found == [call] or not holds(shape, arguments)


def key(call: Call) -> tuple[Any, ...]:
    """What is compared of a call."""
    return call.name, call.span, call.text, str(call.instance), call.problems, call.repairs


REPLIES = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(sorted(SHAPES)), CALLS).map(lambda drawn: SHAPES[drawn[0]](*drawn[1])),
        st.sampled_from(
            [
                "\n",
                "I will.\n",
                "<think>",
                "</think>",
                "```\n",
                "> ",
                "`",
                '"',
                "<|channel|>final<|message|>",
                "a < b ",
                "<p>",
                "<!-- ",
                "-->",
                "<example>",
                "</example>",
                "<result tool='x'>",
                "</result>",
                "</content>",
            ]
        ),
    ),
    max_size=5,
).map("".join)


@given(reply=REPLIES, cut=st.integers(0, 30), size=st.integers(1, 200))
def test_a_stream_gives_the_calls_of_the_whole(reply: str, cut: int, size: int) -> None:
    """In whatever pieces a reply comes, its calls are those of the whole, in order, and its texts are their values. A
    call that turns out to be in doubt is given again, and one that turns out to be reasoning is taken back.
    """
    reply = reply[: len(reply) - cut] if cut < 10 else reply
    stream, parts = CallStream(TOOLBOX), list[CallPart]()
    for start in range(0, len(reply), size):
        parts += stream.feed(reply[start : start + size])
    last, calls = stream.close()
    parts += last
    whole = TOOLBOX.parse(reply)
    given: dict[int, Call] = {}
    for part in parts:
        if part.call is not None:
            assert part.restarted == (part.place in given)
            assert not part.restarted or (part.call.problems and not given[part.place].problems)
            given[part.place] = part.call
        elif part.path is None:
            given.pop(part.place, None)
    assert [key(call) for call in given.values()] == [key(call) for call in whole]
    assert [*map(key, calls), *map(key, calls.quoted)] == [*map(key, whole), *map(key, whole.quoted)]
    assert (calls.text, calls.reply) == (whole.text, reply)
    _check_texts(parts)


def _check_texts(parts: list[CallPart]) -> None:
    """The texts of a call, joined, are its arguments; a text that is replaced says so."""
    shown: dict[int, dict[str, str]] = {}
    for part in parts:
        if part.call is not None and part.restarted:
            continue
        texts = shown.setdefault(part.place, {})
        if part.call is not None:
            instance = part.call.instance or {}
            assert texts == {path: instance.get(path[2:]) or "" for path in texts}
            del shown[part.place]
        elif part.path is None:
            assert part.restarted
            shown.pop(part.place, None)  # or a call that was given
        else:
            texts[part.path] = part.text if part.restarted else texts.get(part.path, "") + part.text
    assert not shown


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=EXAMPLES // 8)
@given(data=st.data(), call=CALLS, random=st.randoms(use_true_random=False))
def test_a_damaged_call_never_runs_with_other_data(
    shape: str, data: st.DataObject, call: tuple[str, dict[str, Any]], random: Any
) -> None:
    """A damaged call is read, or has a problem, or is on record as mended."""
    name, arguments = call
    assume(holds(shape, arguments))
    kind = data.draw(st.sampled_from(sorted(damages_of(SHAPES[shape]))))
    reply = damages_of(SHAPES[shape])[kind].make(random, SHAPES[shape], name, arguments)
    for each in TOOLBOX.parse(reply or ""):
        if not each.problems and not each.is_mended:
            assert (each.name, each.arguments.model_dump(exclude_unset=True)) == call
