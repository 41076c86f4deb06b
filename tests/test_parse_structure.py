"""Tags to elements: what each tag opens, where it ends, and which damage of the tags is understood.

A row of the tables is a reply and the outline of its answers: `name[children or text]`, behind it what was done to it,
a `?` in front of what the definition does not know, the field's name in round brackets where a tag is not there.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.parse.xml.elements import Element
from structured_response.parse.xml.runs import Run
from structured_response.parse.xml.structure import build
from structured_response.parse.xml.tokens import Scanner


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int
    excerpt: str = ""
    pros: list[str] = []
    parts: list[Part] = []
    votes: dict[str, int] = {}
    best: Part | None = None


PLAN = StructuredResponse.from_basemodel(Review)._plan


ASKED = "<headline>Nice</headline><score>4</score>"


def inside(text: str) -> str:
    """A text in the root's element."""
    return f"<review>{text}</review>"


def outline(text: str, plan: Any = PLAN) -> str:
    """The answers of a text, one behind another: elements with their texts and children, and what was done."""
    scanner = Scanner(plan)
    scanner.feed(text)
    roots = build(plan, scanner.close(), text)
    return " ; ".join(
        ("thought: " if root.reasoning else "") + drawn(root.element, text, plan.root_name) for root in roots
    )


def drawn(element: Element, text: str, name: str) -> str:
    """One element: its name, a `?` in front where the definition does not know it, its children or its text."""
    known = "" if element.role is not None else "?"
    shown = f"{known}{element.head.tag or '(' + name + ')'}"
    inner = " ".join(part for child in element.children for part in parts_of(child, text))
    if not element.children:
        inner = text[element.inner_start : element.inner_end].strip()
    notes = "".join(f"!{note.kind.value}" for note in element.notes) + ("!cut" if element.cut else "")
    return f"{shown}[{inner}]{notes}"


def parts_of(child: Any, text: str) -> Iterator[str]:
    """The elements that a child stands for: one, or all of a run."""
    if not isinstance(child, Run):
        yield drawn(child, text, child.name or child.role or "")
        return
    odd = dict(child.odd)
    named = child.values.items() if isinstance(child.values, dict) else enumerate(child.values)
    for step, value in named:
        yield drawn(odd[step], text, "") if step in odd else f"{'li' if child.is_list else step}[{held(value)}]"


def held(values: Any) -> str:
    """What clean values are, as if their elements had been read one by one."""
    if isinstance(values, str):
        return values
    named = values.items() if isinstance(values, dict) else (("li", value) for value in values)
    return " ".join(f"{name}[{held(value)}]" for name, value in named)


RULES = [
    (
        "an opening tag goes to the innermost that takes it",
        inside(ASKED + "<best><label>a</label><points>1</points></best>"),
        "review[headline[Nice] score[4] best[label[a] points[1]]]",
    ),
    (
        "past those that have ended",
        inside("<headline>Nice</headline><best><label>a</label><score>4</score>"),
        "review[headline[Nice] best[label[a]]!closer_missing score[4]]",
    ),
    (
        "one whose end comes later stays open",
        inside("<headline>Nice</headline><best><label>a</label><score>4</score><points>1</points></best>"),
        "review[headline[Nice] best[label[a] points[1]] score[4]]",
    ),
    (
        "a string ends at its closing tag",
        inside("<headline>a <b>c</b></headline><score>4</score>"),
        "review[headline[a <b>c</b>] score[4]]",
    ),
    (
        "names of the definition in it are text",
        inside("<headline>a <score>3</score> <label>b</label></headline><score>4</score>"),
        "review[headline[a <score>3</score> <label>b</label>] score[4]]",
    ),
    (
        "elements of its own name in it are text",
        inside("<headline>a <headline>b</headline> c</headline><score>4</score>"),
        "review[headline[a <headline>b</headline> c] score[4]]",
    ),
    (
        "of several, at the one where the definition goes on",
        inside("<headline>a</headline> b</headline><score>4</score>"),
        "review[headline[a</headline> b] score[4]]",
    ),
    (
        "without one, where the definition goes on",
        inside("<headline>a <b>c</b><score>4</score>"),
        "review[headline[a <b>c</b>]!closer_missing score[4]]",
    ),
    (
        "or at a wrong one",
        inside("<headline>a <b>c</b></excerpt><score>4</score>"),
        "review[headline[a <b>c</b>]!closer_respelled score[4]]",
    ),
    (
        "other scalars end at the next tag",
        inside("<score>4<headline>Nice</headline>"),
        "review[score[4]!closer_missing headline[Nice]]",
    ),
    (
        "but for unknown ones",
        inside("<score><b>4</b></score><headline>Nice</headline>"),
        "review[score[<b>4</b>] headline[Nice]]",
    ),
    (
        "a closing tag that fits nothing is stray",
        inside(ASKED + "</excerpt>"),
        "review[headline[Nice] score[4]]!tag_dropped",
    ),
    (
        "a string that swallowed a required field is read again",
        inside("<headline>Nice <score>4</score></headline>"),
        "review[headline[Nice]!closer_missing score[4]]!tag_dropped",
    ),
    (
        "an optional field in a string is text",
        inside("<headline>Nice <excerpt>x</excerpt></headline><score>4</score>"),
        "review[headline[Nice <excerpt>x</excerpt>] score[4]]",
    ),
    (
        "what the definition does not know is skipped whole",
        inside(ASKED + "<mood>good <score>5</score></mood>"),
        "review[headline[Nice] score[4] ?mood[good <score>5</score>]]",
    ),
    ("but for a wrapper", inside("<data>" + ASKED + "</data>"), "review[headline[Nice] score[4]]!wrapper_entered"),
]


@pytest.mark.parametrize(("reply", "expected"), [pytest.param(*row, id=why) for why, *row in RULES])
def test_rules(reply: str, expected: str) -> None:
    """One row for each rule of the module's docstring."""
    assert outline(reply) == expected


TAGS = [
    (
        "closer missing of a scalar",
        inside("<headline>Nice</headline><score>4"),
        "review[headline[Nice] score[4]!closer_missing]",
    ),
    ("of a string", inside("<headline>Nice<score>4</score>"), "review[headline[Nice]!closer_missing score[4]]"),
    (
        "of a list item",
        inside(ASKED + "<pros><li>a<li>b</li></pros>"),
        "review[headline[Nice] score[4] pros[li[a]!closer_missing li[b]]]",
    ),
    (
        "of all items",
        inside(ASKED + "<pros><li>a<li>b</pros>"),
        "review[headline[Nice] score[4] pros[li[a]!closer_missing li[b]!closer_missing]]",
    ),
    (
        "of a list",
        inside("<headline>Nice</headline><pros><li>a</li><score>4</score>"),
        "review[headline[Nice] pros[li[a]]!closer_missing score[4]]",
    ),
    (
        "of an object",
        inside("<headline>Nice</headline><best><label>a</label><points>1</points><score>4</score>"),
        "review[headline[Nice] best[label[a] points[1]]!closer_missing score[4]]",
    ),
    (
        "of an item that is an object",
        inside(
            ASKED + "<parts><li><label>a</label><points>1</points><li><label>b</label><points>2</points></li></parts>"
        ),
        "review[headline[Nice] score[4] parts[li[label[a] points[1]]!closer_missing li[label[b] points[2]]]]",
    ),
    (
        "of a map",
        inside("<headline>Nice</headline><votes><entry key='a'>1</entry><score>4</score>"),
        "review[headline[Nice] votes[a[1]]!closer_missing score[4]]",
    ),
    (
        "misspelt",
        inside("<headline>Nice</headlin><score>4</scroe>"),
        "review[headline[Nice]!closer_respelled score[4]!closer_respelled]",
    ),
    (
        "of an unknown name",
        inside("<headline>Nice</title><score>4</score>"),
        "review[headline[Nice]!closer_respelled score[4]]",
    ),
    (
        "the opener as closer",
        inside("<headline>Nice<headline><score>4<score>"),
        "review[headline[Nice]!closer_respelled score[4]!closer_respelled]",
    ),
    (
        "stray closers",
        inside("</score><headline>Nice</headline></pros><score>4</score></li>"),
        "review[headline[Nice] score[4]]!tag_dropped!tag_dropped!tag_dropped",
    ),
    (
        "doubled closers",
        inside("<headline>Nice</headline></headline><score>4</score></score>"),
        "review[headline[Nice] score[4]]!tag_dropped!tag_dropped",
    ),
    (
        "crossed strings",
        inside("<headline>Nice<score></headline>4</score>"),
        "review[headline[Nice]!closer_missing score[4]!tag_dropped]",
    ),
    (
        "crossed list",
        inside(ASKED + "<pros><li>a</pros></li>"),
        "review[headline[Nice] score[4] pros[li[a]!closer_missing]]!tag_dropped",
    ),
    ("no > at a closer", inside("<headline>Nice</headline<score>4</score"), "review[headline[Nice] score[4]]"),
    (
        "blanks inside the brackets",
        inside("< headline >Nice< / headline ><score >4</score >"),
        "review[headline[Nice] score[4]]",
    ),
    (
        "attributes echoed",
        inside("<headline type='str' description='a > b'>Nice</headline><score type='int'>4</score>"),
        "review[headline[Nice] score[4]]",
    ),
    (
        "attributes badly quoted",
        inside("<headline description='it's'>Nice</headline><score x=\"4>4</score>"),
        "review[headline[Nice] score[4]]",
    ),
    (
        "attributes unclosed",
        inside("<headline a='1' <score>4</score>"),
        "review[headline[]!opener_respelled!closer_missing score[4]]",
    ),
    (
        "attributes without >",
        inside("<headline a='1' Nice</headline><score>4</score>"),
        "review[headline[Nice]!opener_respelled score[4]]",
    ),
    ("values as attributes", "<review headline='Nice' score='4'/>", "review[]"),
    ("self-closed", inside(ASKED + "<excerpt/><pros/>"), "review[headline[Nice] score[4] excerpt[] pros[]]"),
    (
        "no-break spaces and zero-width characters",
        inside("\u00a0<headline>Nice</headline>\u200b<sc\u200bore>4</score>\ufeff"),
        "review[headline[Nice] sc\u200bore[4]]",
    ),
    ("byte order mark", "\ufeff" + inside(ASKED), "review[headline[Nice] score[4]]"),
    (
        "full-width brackets",
        "\uff1creview\uff1e\uff1cheadline\uff1eNice\uff1c/headline\uff1e\uff1cscore\uff1e4\uff1c/score\uff1e\uff1c/review\uff1e",
        "review[headline[Nice] score[4]]",
    ),
    ("CRLF", inside("\r\n<headline>Nice</headline>\r\n<score>4\r\n</score>\r\n"), "review[headline[Nice] score[4]]"),
    (
        "a namespace",
        "<x:review><x:headline>Nice</x:headline><x:score>4</x:score></x:review>",
        "x:review[x:headline[Nice] x:score[4]]",
    ),
    ("another case", "<Review><HEADLINE>Nice</HEADLINE><Score>4</Score></Review>", "Review[HEADLINE[Nice] Score[4]]"),
    ("a misspelt name", inside("<headlien>Nice</headlien><score>4</score>"), "review[headlien[Nice] score[4]]"),
]


@pytest.mark.parametrize(("reply", "expected"), [pytest.param(*row, id=why) for why, *row in TAGS])
def test_damaged_tags(reply: str, expected: str) -> None:
    """One row for each way in which tags go wrong."""
    assert outline(reply) == expected


HOLDERS = [
    (
        "items of other names",
        inside(ASKED + "<pros><item>a</item><pro>b</pro><bullet>c</bullet></pros>"),
        "review[headline[Nice] score[4] pros[item[a] pro[b] bullet[c]]]",
    ),
    (
        "items of the list's own name",
        inside(ASKED + "<pros>a</pros><pros>b</pros>"),
        "review[headline[Nice] score[4] pros[a] pros[b]]",
    ),
    (
        "items without a list",
        inside(ASKED + "<pro>a</pro><pro>b</pro>"),
        "review[headline[Nice] score[4] (pros)[pro[a]] (pros)[pro[b]]]",
    ),
    (
        "items by their class",
        inside(ASKED + "<parts><Part><label>a</label><points>1</points></Part></parts>"),
        "review[headline[Nice] score[4] parts[Part[label[a] points[1]]]]",
    ),
    (
        "objects without items",
        inside("<parts><label>a</label><points>1</points><label>b</label><points>2</points></parts>"),
        "review[parts[(item)[label[a] points[1]]!items_split (item)[label[b] points[2]]!items_split]]",
    ),
    (
        "objects that run together in an item",
        inside(ASKED + "<parts><li><label>a</label><points>1</points><label>b</label><points>2</points></li></parts>"),
        "review[headline[Nice] score[4] parts[li[label[a] points[1]] (item)[label[b] points[2]]!items_split]]",
    ),
    (
        "entries by child name",
        inside(ASKED + "<votes><a>1</a><b>2</b></votes>"),
        "review[headline[Nice] score[4] votes[a[1] b[2]]]",
    ),
    (
        "entries of keys and values",
        inside(ASKED + "<votes><entry><key>a</key><value>1</value></entry></votes>"),
        "review[headline[Nice] score[4] votes[entry[key[a] value[1]]]]",
    ),
]


@pytest.mark.parametrize(("reply", "expected"), [pytest.param(*row, id=why) for why, *row in HOLDERS])
def test_lists_and_maps(reply: str, expected: str) -> None:
    """Items and entries by whatever name, with elements of their own or without."""
    assert outline(reply) == expected


AROUND = [
    (
        "prose with < and & and the root's name",
        "If a < b & c, the review is:\n" + inside(ASKED) + "\nThat was my review < 100 words.",
        "review[headline[Nice] score[4]]",
    ),
    ("fences", "```xml\n" + inside(ASKED) + "\n```", "review[headline[Nice] score[4]]"),
    ("an unclosed fence", "```\n" + inside(ASKED), "review[headline[Nice] score[4]]"),
    (
        "a fence around an answer never closed",
        "````xml\n<review>" + ASKED + "\n````\nDone.",
        "review[headline[Nice] score[4]]!closer_missing",
    ),
    (
        "a draft and the answer",
        inside("<headline>x</headline>") + " Better: " + inside(ASKED),
        "review[headline[x]] ; review[headline[Nice] score[4]]",
    ),
    (
        "reasoning with a rival",
        "<think>" + inside("<headline>x</headline>") + "</think>" + inside(ASKED),
        "thought: review[headline[x]] ; review[headline[Nice] score[4]]",
    ),
    (
        "reasoning never closed",
        "<thinking>" + inside("<headline>x</headline>") + " so " + inside(ASKED),
        "thought: review[headline[x]] ; review[headline[Nice] score[4]]",
    ),
    (
        "reasoning never opened",
        inside("<headline>x</headline>") + "</think>" + inside(ASKED),
        "thought: review[headline[x]] ; review[headline[Nice] score[4]]",
    ),
    (
        "tag names in prose",
        "I write <headline>:\n" + inside(ASKED),
        "review[headline[Nice] score[4]]",
    ),
    (
        "the root's name in prose",
        "I fill in <review>:\n" + inside(ASKED) + "\nThat is </review>.",
        "review[headline[Nice] score[4]]",
    ),
    (
        "declaration, doctype, instructions",
        "<?xml version='1.0'?><!DOCTYPE review [<!ENTITY a 'b'>]><?x y?>" + inside("<?x y?>" + ASKED),
        "review[headline[Nice] score[4]]",
    ),
    (
        "a comment in front",
        "<!-- <review> -->" + inside("<!-- <score>3</score> -->" + ASKED),
        "review[headline[Nice] score[4]]",
    ),
    ("a comment never closed", inside("<!-- here" + ASKED), "review[headline[Nice] score[4]]"),
    (
        "tool calls",
        "<function=Review><parameter=headline>Nice</parameter><parameter=score>4</parameter></function>",
        "function[parameter[Nice] parameter[4]]",
    ),
    (
        "other tool calls",
        '<function_calls><invoke name="Review"><parameter name="score">4</parameter></invoke></function_calls>',
        "invoke[parameter[4]]",
    ),
    ("an unknown wrapper around", "<answer>" + inside(ASKED) + "</answer>", "review[headline[Nice] score[4]]"),
    (
        "wrappers inside",
        inside("<output><data>" + ASKED + "</data></output>"),
        "review[headline[Nice] score[4]]!wrapper_entered!wrapper_entered",
    ),
    ("the root twice", inside(inside(ASKED)), "review[headline[Nice] score[4]]!wrapper_entered"),
    ("no root", "Sure! " + ASKED, "(review)[headline[Nice] score[4]]!root_missing"),
    ("a renamed root", "<answer>" + ASKED + "</answer>", "(review)[headline[Nice] score[4]]!root_missing"),
    ("a root never closed", "<review>" + ASKED, "review[headline[Nice] score[4]]!closer_missing"),
    (
        "a root closed too early",
        inside("<headline>Nice</headline>") + "<score>4</score>",
        "review[headline[Nice] score[4]]!tag_dropped!closer_missing",
    ),
    (
        "a root closed too early, and again",
        inside("<headline>Nice</headline>") + "\n<score>4</score></review>",
        "review[headline[Nice] score[4]]!tag_dropped",
    ),
    ("a root closed at once", "<review/>" + ASKED, "review[headline[Nice] score[4]]!reopened!closer_missing"),
    ("the literal ...", inside(ASKED + "<pros><li>a</li>...</pros>"), "review[headline[Nice] score[4] pros[li[a]]]"),
    ("broken off in a text", "<review><headline>Nice and", "review[headline[Nice and]!cut]!closer_missing"),
    ("broken off in a tag", "<review><headline>Nice</headline><sco", "review[headline[Nice]]!closer_missing!cut"),
    (
        "broken off in a closer",
        "<review><headline>Nice</headline><score>4</sc",
        "review[headline[Nice] score[4]!closer_missing]!closer_missing!cut",
    ),
    ("broken off in the root's closer", "<review>" + ASKED + "</rev", "review[headline[Nice] score[4]]!closer_missing"),
    (
        "broken off between",
        "<review>" + ASKED + "<best><label>a</label>",
        "review[headline[Nice] score[4] best[label[a]]!closer_missing!cut]!closer_missing",
    ),
]


@pytest.mark.parametrize(("reply", "expected"), [pytest.param(*row, id=why) for why, *row in AROUND])
def test_what_stands_around_the_answer(reply: str, expected: str) -> None:
    """Every answer of a reply, with those in reasoning marked; a missing, renamed or early closed root is one case."""
    assert outline(reply) == expected


ROWS = [reply for table in (RULES, TAGS, HOLDERS, AROUND) for _why, reply, _expected in table]
PIECES = st.sampled_from(
    [
        *(
            "<review>",
            "</review>",
            "<headline>",
            "</headline>",
            "<score>",
            "</score>",
            "<parts>",
            "</parts>",
            "<li>",
            "</li>",
        ),
        *(
            "<label>",
            "</label>",
            "<points>",
            "</points>",
            "<votes>",
            "</votes>",
            "<entry key='a'>",
            "</entry>",
            "<b>",
            "</b>",
        ),
        *(
            "<pros>",
            "</pros>",
            "<think>",
            "</think>",
            "<!--",
            "-->",
            "<![CDATA[",
            "]]>",
            "x",
            " ",
            "4",
            "<sc",
            "<other/>",
        ),
    ]
)


def places(element: Any, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where an element stands and all in it does. Fails where something stands outside of what holds it."""
    assert start <= element.start <= element.end <= end, (element.start, element.end, start, end)
    yield element.start, element.end
    if isinstance(element, Run):
        for _step, odd in element.odd:
            yield from places(odd, element.start, element.end)
        return
    assert element.start <= element.inner_start <= element.inner_end <= element.end
    for child in element.children:
        yield from places(child, start, end)


def check(text: str) -> None:
    """What holds for the answers of any text."""
    scanner = Scanner(PLAN)
    scanner.feed(text)
    for root in build(PLAN, scanner.close(), text):
        assert list(places(root.element, 0, len(text)))
        for note in root.element.notes:
            assert 0 <= note.start <= note.end <= len(text)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_soup_has_places_in_the_text(text: str) -> None:
    """Whatever the tags are, there are elements whose places stand in the text, or none."""
    check(text)


@given(st.sampled_from(ROWS), st.data())
def test_any_part_of_a_reply_has_places_in_it(reply: str, data: st.DataObject) -> None:
    """The same for replies that lost some of their characters."""
    first, second = sorted(data.draw(st.tuples(st.integers(0, len(reply)), st.integers(0, len(reply)))))
    check(reply[:first] + reply[second:])
