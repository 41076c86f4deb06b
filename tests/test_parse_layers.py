"""Answers in another writing: decoded once, with every finding at its place in the reply as it came."""

import html
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import ProblemKind, Repair, RepairKind, ReplyError, StructuredResponse
from structured_response.findings import Problem
from structured_response.parse.data.layers import Layer, in_html, in_json_string


class Review(BaseModel):
    headline: str
    score: int


REVIEW = StructuredResponse.from_basemodel(Review)
ANSWER = '<review>\n  <headline>A "nice" one</headline>\n  <score>4 out of 5</score>\n</review>'
CALL = (
    '<invoke name="Review">\n<parameter name="headline">A "nice" one</parameter>\n'
    '<parameter name="score">4 out of 5</parameter>\n</invoke>'
)
SAID = {"headline": 'A "nice" one', "score": 4}

WRITTEN: list[tuple[str, str]] = [
    ("HTML", html.escape(ANSWER)),
    ("HTML without quotes", html.escape(ANSWER, quote=False)),
    (
        "HTML with numeric references",
        ANSWER.replace("<", "&#60;").replace(">", "&#x3E;").replace("&#60;review", "&lt;review", 1),
    ),
    ("HTML in a page", f"<div class='answer'>{html.escape(ANSWER)}</div>"),
    ("a JSON string", json.dumps(ANSWER)),
    ("a value of a JSON object", json.dumps({"id": 3, "answer": ANSWER})),
    ("a value with blanks in front", json.dumps({"answer": f"\n\n{ANSWER}\n"})),
    ("a string whose quote is missing", json.dumps(ANSWER)[:-1]),
    (
        "a JSON string of letters' numbers",
        '"' + "".join(f"\\u{ord(char):04x}" if char in '"\n' else char for char in ANSWER) + '"',
    ),
    ("words in front, in the string", json.dumps({"answer": f"Okay.\n{ANSWER}"})),
    ("the reply of an API", json.dumps({"choices": [{"message": {"content": f"Okay.\n{ANSWER}"}}]}, indent=2)),
    ("a string with words in front", json.dumps(f"Okay.\n{ANSWER}\nDone.")),
    ("reasoning in front", json.dumps({"answer": f"<think>hm</think>\n{ANSWER}"})),
    ("a fence in a string", json.dumps({"answer": f"```xml\n{ANSWER}\n```"})),
    ("a declaration in front", json.dumps({"answer": f'<?xml version="1.0"?>\n{ANSWER}'})),
    ("HTML in a string", json.dumps({"answer": f"Okay.\n{html.escape(ANSWER)}"})),
    ("another root in a string", json.dumps({"answer": ANSWER.replace("review>", "result>")})),
    ("the name of a field around it", json.dumps({"headline": f"Okay.\n{ANSWER}"})),
    ("tags named behind it", f"{json.dumps(ANSWER)}\n\nSummary: <headline> and <score> are filled in."),
    ("a tool call", json.dumps({"answer": CALL})),
    ("a tool call that is all", json.dumps(CALL)),
    ("a tool call with words in front", json.dumps(f"In <b>short</b>:\n{CALL}")),
    ("another root and prose around it", f"Here:\n{json.dumps(ANSWER.replace('review>', 'result>'))}\nDone."),
    ("prose around", f"Here it is: {json.dumps({'answer': ANSWER})} and that is all."),
]


@pytest.mark.parametrize("reply", [pytest.param(reply, id=name) for name, reply in WRITTEN])
def test_an_answer_in_another_writing_is_read(reply: str) -> None:
    """On record as a whole, and what is mended in it stands at its place in the reply."""
    read = REVIEW.parse(reply)
    assert read.to_dict() == SAID
    assert RepairKind.UNWRAPPED in [repair.kind for repair in read.repairs]
    (mended,) = [repair for repair in read.repairs if repair.kind is RepairKind.VALUE_RESPELLED]
    assert reply[slice(*mended.span)] == "4 out of 5"


def test_a_problem_stands_at_its_place() -> None:
    """In the reply as it came, not in what was made of it."""
    reply = json.dumps({"answer": ANSWER.replace("4 out of 5", "many")})
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(reply)
    (problem,) = caught.value.problems
    assert problem.kind is ProblemKind.INVALID
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "many"


ONCE = [
    ("<review><headline>a &amp;lt; b</headline><score>4</score></review>", "a &lt; b"),
    (html.escape("<review><headline>a &amp;lt; b</headline><score>4</score></review>"), "a &lt; b"),
    (html.escape("<review><headline>a &lt; b</headline><score>4</score></review>"), "a < b"),
    ('"<review><headline>C:\\\\new</headline><score>4</score></review>"', "C:\\new"),
    ('"Okay:\\n<review><headline>a \\"b\\"</headline><score>4</score></review>"', 'a "b"'),
    ('{"answer": "Okay:\\n<review><headline>a \\"b\\"</headline><score>4</score></review>"}', 'a "b"'),
    ('["Okay:\\n<review><headline>a \\"b\\"</headline><score>4</score></review>"]', 'a "b"'),
    ('He wrote "<review><headline>C:\\new</headline><score>4</score></review>', "C:\new"),
]


@pytest.mark.parametrize(("reply", "headline"), ONCE)
def test_each_layer_is_taken_off_once(reply: str, headline: str) -> None:
    """What is escaped inside an escaped answer is what it would be in a plain one."""
    assert REVIEW.parse(reply).instance.headline == headline


PLAIN = [
    "<review><headline>&lt;review&gt;</headline><score>4</score></review>",
    "<review><headline>a\\nb</headline><score>4</score></review>",
    'Quoted: "<review><headline>a</headline><score>4</score></review>"',
    'So "x\\n" is <review><headline>a</headline><score>4</score></review>',
    'Review(headline="a &lt; b", score=4)',
    "In HTML it is &lt;b&gt;: <review><headline>a</headline><score>4</score></review>",
]


@pytest.mark.parametrize("reply", PLAIN)
def test_a_plain_answer_has_no_layer(reply: str) -> None:
    """Escapes beside an answer, or in its strings, are not its own."""
    assert RepairKind.UNWRAPPED not in [repair.kind for repair in REVIEW.parse(reply).repairs]


@pytest.mark.parametrize("prose", ['It says "what?" ', 'As he said, "so," ', '"a" and "b" '])
def test_backslashes_behind_a_quotation_stay(prose: str) -> None:
    """A quote that closes what prose quotes begins no JSON string, so LaTeX behind it keeps its characters."""
    reply = f"{prose}<review><headline>\\nabla & \\frac</headline><score>4</score></review>"
    assert REVIEW.parse(reply).instance.headline == "\\nabla & \\frac"


HTML = ["a &lt; b", "&lt;", "&amp;lt;&lt;", "&#60;b&#62; &lt;x&gt; &bogus; &", "é &eacute; &lt;😀&#x1F600;"]


@pytest.mark.parametrize("text", HTML)
def test_html(text: str) -> None:
    """Decoded once, unknown references as they are."""
    layer = in_html(text)
    assert layer is not None
    assert layer.text == html.unescape(text)


def test_html_needs_an_escaped_bracket() -> None:
    """Without one there is no tag to be found in it."""
    assert in_html("a &amp; b") is None


IN_JSON: list[tuple[str, str | None]] = [
    ('"\\n<a>"', "\n<a>"),
    ('{"a": "\\u00e9 <a>"}', "é <a>"),
    ('{"a": "<a>", "b": "\\n"}', None),
    ('{"a": "\\n"} <a>', None),
    ('{"a": "so?"} or {"b": ["\\n", "c\\n<a>"]}', "c\n<a>"),
    ('{"a": "b\nc\\n<a>"}', None),
    ("[" * 2000 + '"\\n<a>"', "\n<a>"),
    ("[" * 2000 + '"\\n b <a>"', None),
    ('"<a>\\ud83d\\ude00\\t\\/\\\\"', "<a>😀\t/\\"),
    ('"<a>\\ud83d"', "<a>\ufffd"),
    ('"<a>\\q"', "<a>q"),
    ('"<a>"', None),
    ("<a>\\n", None),
    ('"x" <a>\\n', None),
    ('"<a>\\n', "<a>\n"),
    ('" \\n\\t <a>', " \n\t <a>"),
]


@pytest.mark.parametrize(("reply", "text"), IN_JSON)
def test_json_strings(reply: str, text: str | None) -> None:
    """The string in which a tag stands, decoded; half a pair of surrogates becomes U+FFFD."""
    layer = in_json_string(reply, reply.index("<a>"))
    assert (layer and layer.text) == text


@given(
    st.lists(st.sampled_from(["<a>", "\n", '"', "\\", "é", "x", "\t", "😀"]), max_size=12).map("".join), st.booleans()
)
def test_every_character_knows_where_it_came_from(text: str, ascii_only: bool) -> None:
    """A character stands where its escape begins, a span over escapes reaches behind the last one."""
    inner = f"<a>{text}\n"
    reply = f"see {json.dumps(inner, ensure_ascii=ascii_only)} !"
    layer = in_json_string(reply, reply.index("<a>"))
    assert layer is not None
    assert layer.text == inner
    for index, char in enumerate(inner):
        start, end = layer.span((index, index + 1))
        escape = json.dumps(char, ensure_ascii=ascii_only)[1:-1]
        assert reply[start:end] == escape
    assert reply[slice(*layer.span((0, len(inner))))] == reply[5:-3]


def test_findings_are_moved() -> None:
    """Repairs and problems keep all but their span; a problem without a place stays without."""
    layer = in_html("&lt;a&gt;4 of 5")
    assert isinstance(layer, Layer)
    repair = Repair(RepairKind.VALUE_RESPELLED, "$", (3, 9), "4 of 5", "4")
    assert layer.repairs([repair]) == [Repair(RepairKind.VALUE_RESPELLED, "$", (9, 15), "4 of 5", "4")]
    problems = [Problem(ProblemKind.INVALID, "$", "m", span=(0, 3)), Problem(ProblemKind.MISSING, "$", "m")]
    assert [problem.span for problem in layer.problems(problems)] == [(0, 9), None]
