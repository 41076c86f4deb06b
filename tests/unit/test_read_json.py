"""JSON, strict or sloppy, as tokens of the one search: where its texts end, what is mended, and what stays a doubt."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.findings import RepairKind
from structured_response.read.fast.mended_json import mend
from structured_response.read.grammar import Grammar, grammar_of
from structured_response.read.scan_json import decoded, json_string, read_json
from tests.growth import grows_with_the_text


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []
    meta: dict[str, str] = {}
    extra: Any = None


REVIEW = StructuredResponse.from_basemodel(Review)
BASE: dict[str, Any] = {"pros": [], "excerpt": "", "parts": [], "meta": {}, "extra": None}


def said(reply: str) -> dict[str, Any]:
    """The data of a reply, as far as it is not the default."""
    data = REVIEW.parse(reply, strict=False).to_dict()
    return {name: value for name, value in data.items() if name not in BASE or value != BASE[name]}


def problems(reply: str) -> list[str]:
    """The paths of the problems of a reply."""
    return [problem.path for problem in REVIEW.parse(reply, strict=False).problems]


NICE = {"headline": "Nice", "score": 4}
MENDED: list[tuple[str, dict[str, Any]]] = [
    ("{'headline': 'it\\'s', 'score': 4,}", {"headline": "it's", "score": 4}),
    ("{headline: Nice, score: 4, pros: [a, b]}", {**NICE, "pros": ["a", "b"]}),
    ("{\u201cheadline\u201d: \u201cNice\u201d, \u201cscore\u201d: 4}", NICE),
    ('{"headline": "Nice" "score": 4}', NICE),
    ('{"headline": "Nice"\n"score": 4}', NICE),
    ('{"headline": "Nice",, "score": 4}', NICE),
    ('{"headline": "Nice", // a "comment"\n "score": 4 /* } */}', NICE),
    ('{"headline": "Nice", "score": 4, ...}', NICE),
    ('{"headline": """Nice""", "score": 4}', NICE),
    ('{"headline": Nice", "score": 4}', NICE),
    ('{"headline": "Nice, "score": 4}', NICE),
    ('{"headline": "Nice"", "score": 4}', NICE),
    ('{"headline": "a\nb", "score": 4}', {"headline": "a\nb", "score": 4}),
    ('{"headline": "Nice", "score": 4, "pros": ["a", "b"}', {**NICE, "pros": ["a", "b"]}),
    ('{"headline": "Nice", "pros": ["a", "b", "score": 4}', {**NICE, "pros": ["a", "b"]}),
    ('{"headline": "Nice", "pros": ["a" "b"], "score": 4]', {**NICE, "pros": ["a", "b"]}),
    ('{"headline": "Nice"}, "score": 4}', NICE),
    ('{"headline": "Nice", "score": 4}}', NICE),
    ('{"score": 4, "headline": "Nice"', NICE),
    ('{"review": {"headline": "Nice", "score": 4}}', NICE),
    ('[{"headline": "Nice", "score": 4}]', NICE),
    ('{"name": "review", "arguments": {"headline": "Nice", "score": 4}}', NICE),
    ('{"content": "{\\"headline\\": \\"Nice\\", \\"score\\": 4}"}', NICE),
    ('{"headline": "Nice", "score": 4, "parts": "[{\\"label\\": \\"a\\", \\"points\\": 1}]"}',
     {**NICE, "parts": [{"label": "a", "points": 1}]}),
    ('{"unknown": {"a": ["]", {"b": "}"}]}, "headline": "Nice", "score": 4}', NICE),
    ('{"headline": "Nice", "score": 4, "extra": {"a": [1, "1", null, true]}}',
     {**NICE, "extra": {"a": [1, "1", None, True]}}),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "data"), MENDED)
def test_what_is_mended(reply: str, data: dict[str, Any]) -> None:
    """Slips of form, of brackets and of shape."""
    assert said(reply) == data


QUOTING = [
    'say "hi" now', '"quoted"', 'He said "no", "maybe" and left', '<a href="x.html" class="b">x</a>', 'print("a", "b")',
    'the "best" one', 'a "b"', '"a" b', 'x = {"k": "v", "n": 1}', 'if (s == "}") { return "]"; }',
    'def f(x="a"):\n    return x["k"]', 'She asked: "Why?" He: "Because."', 'use "quotes", commas, and "more quotes".',
    '5" screen', '6" and 7" pipes', '<img src="a.png" alt="it, is"/>', 'SELECT "id", "name" FROM "t"',
    'const a = ["x", "y"];', 'echo "$HOME" > "out file"', '{"a": {"b": "c"}}', '"Well," she said, "go."',
    'key: "value"',
    'see "A: B"', 'fn("a")("b")', 'x["a"]["b"]', '<div class="a"><p id="b">t</p></div>', '"[" is a bracket',
    '"yes", he said', 'a="1" b="2"', '<x y="1">"z"</x>', 'label "A", label "B"', 'Title: "The "Big" One"',
    '<script src="//cdn/x.js"></script>', 'assert "a" in ["a", "b"]',
]  # fmt: skip
AROUND = [
    '{{"headline": "{}", "score": 4}}',
    '{{"score": 4, "headline": "{}"}}',
    '{{\n  "headline": "{}",\n  "score": 4,\n  "pros": []\n}}',
]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("text", QUOTING)
def test_quotes_that_are_not_escaped(text: str, around: str) -> None:
    """They end no text: what follows tells which one does."""
    assert said(around.format(text)) == {"headline": text, "score": 4}


DOUBTS = [
    ('{"headline": "Nice" (really), "score": 4}', "$.headline"),
    ('{"headline": "x", "score": 4, "pros": ["a", b", "c"]}', "$.pros[0]"),
    ('{"headline": "x", "score": 4, "pros": ["say "hi", "ho" and so", "b"]}', "$.pros[0]"),
]


@pytest.mark.parametrize(("reply", "path"), DOUBTS)
def test_ends_that_are_not_clear(reply: str, path: str) -> None:
    """They are problems: nothing is guessed quietly."""
    assert path in problems(reply)


STRINGS: list[tuple[str, str, tuple[RepairKind, ...]]] = [
    ("a\\nb", "a\nb", ()),
    ("\\u00e9\\/\\\\", "\u00e9/\\", ()),
    ("\\ud83d\\ude00", "\U0001f600", ()),
    ("\\ud83d", "\ufffd", (RepairKind.UNESCAPED,)),
    ("\\frac{1}{2} \\cdot \\theta\\n", "\\frac{1}{2} \\cdot \\theta\n", (RepairKind.UNESCAPED,)),
    ("\\bword\\b", "\\bword\\b", (RepairKind.UNESCAPED,)),
    ("C:\\\\new", "C:\\new", ()),
    ("a\\tb", "a\tb", ()),
    ("a\nb", "a\nb", (RepairKind.JSON_MENDED,)),
]


@pytest.mark.parametrize(("raw", "value", "kinds"), STRINGS)
def test_escapes(raw: str, value: str, kinds: tuple[RepairKind, ...]) -> None:
    """Backslashes that were not doubled stay."""
    assert json_string(raw, is_quoted=True) == (value, kinds)


@pytest.mark.parametrize(
    ("raw", "value"), [("null", None), ("None", None), ("True", "true"), ("1.10", "1.10"), ("Nice", "Nice"), ("", None)]
)
def test_scalars_without_quotes(raw: str, value: str | None) -> None:
    """Numbers stay texts; the words of other languages are JSON's."""
    assert json_string(raw, is_quoted=False)[0] == value


@given(st.text(), st.text())
def test_strings_are_those_of_the_standard_library(text: str, before: str) -> None:
    """But for backslashes that JSON's own escapes for \\b and \\f begin."""
    dumped = json.dumps(text.replace("\b", "").replace("\f", ""))
    expected = json.loads(dumped).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert json_string(dumped[1:-1], is_quoted=True)[0] == expected
    end = len(before) + len(dumped) - 2
    inner, origin = decoded(before + dumped[1:-1], len(before), end)
    places = [origin(place) for place in range(len(inner) + 1)]
    assert places == sorted(places)
    assert places[-1] == end


def test_places_are_those_of_the_reply() -> None:
    """In JSON that was encoded twice, too."""
    reply = '{"headline": "x", "score": 4, "parts": "[{\\"label\\": \\"a\\", \\"points\\": \\"many\\"}]"}'
    (problem,) = REVIEW.parse(reply, strict=False).problems
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "many"


PIECES = [
    '"headline": ', '"score": ', '"pros": ', '"x": ', "headline: ", '"', "'", "{", "}", "[", "]", ",", ":", "1", "\n",
    "a", " ", "\\", "//", "/*", "*/", "#", "null", '"""', "\u201c", "\u201d", '"a"', "...", "li", "\ud83d", "}]",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(PIECES), max_size=40)


@given(st.sampled_from("{["), SOUP)
def test_any_text_is_read(bracket: str, soup: list[str]) -> None:
    """It raises nothing, and what it says stands in the text."""
    text = bracket + "".join(soup)
    grammar: Grammar = grammar_of(REVIEW._plan)
    found = read_json(grammar, grammar.root, "review", text, 0, len(text))
    if found is not None:
        tree, cost, end = found
        assert tree.root is not None
        assert cost >= 0
        assert 0 < end <= len(text)
        waiting = [tree.root]
        while waiting:
            element = waiting.pop()
            assert 0 <= element.start <= element.inner <= element.end <= element.stop <= len(text)
            waiting += element.children


GROWING = [
    "{",
    "[",
    '"',
    'a"b',
    '"a":',
    '"headline": "',
    "//",
    "/* ",
    "\\",
    "x, ",
    '"a", b", ',
    "}]",
    "it's ",
    '["',
    "'",
]


@pytest.mark.parametrize("piece", GROWING)
def test_time_grows_with_the_text(piece: str) -> None:
    """Whatever comes again and again."""
    grammar: Grammar = grammar_of(REVIEW._plan)

    def make(count: int) -> str:
        return '{"headline": "x", "pros": [' + piece * count

    assert grows_with_the_text(lambda text: read_json(grammar, grammar.root, "review", text, 0, len(text)), make, 500)


SURE = [
    ('{"headline": "Nice", "score": 4,}', '{"headline": "Nice", "score": 4}'),
    ("{'headline': 'a \"b\" it\\'s', 'score': 4}", '{"headline": "a \\"b\\" it\'s", "score": 4}'),
    ('{headline: "Nice", // c\n score: 4 /* d */}', '{"headline": "Nice", \n "score": 4 }'),
    ('{"headline": "a\nb", "score": None}', '{"headline": "a\\nb", "score": null}'),
]


@pytest.mark.parametrize(("reply", "strict"), SURE)
def test_slips_that_leave_no_doubt_are_mended_at_once(reply: str, strict: str) -> None:
    """Each with its place in the reply."""
    mended = mend(reply, 0)
    assert mended is not None
    assert mended.text == strict
    assert mended.place(0, len(strict)) == (0, len(reply))
    assert all(reply[slice(*repair.span)] == repair.before for repair in mended.repairs)


@pytest.mark.parametrize(
    "reply", ['{"a": "x "y" z",}', "{'a': 'it's', }", "[ /* c */ ,]", '{"a": b, }', '{"a": "x", ... }', '{"a": 1,, }']
)
def test_whatever_is_doubtful_is_left_to_the_search(reply: str) -> None:
    """Strict JSON it does not become."""
    mended = mend(reply, 0)
    with pytest.raises(ValueError, match="line 1"):
        json.loads(mended.text if mended is not None else reply)


@pytest.mark.parametrize(("reply", "_strict"), SURE[:3])
def test_the_search_mends_the_same(reply: str, _strict: str) -> None:
    """Words around that could hold another answer keep the fast way out."""
    fast, careful = (REVIEW.parse(text, strict=False).to_dict() for text in (reply, f"See [1]:\n{reply}"))
    assert fast == careful


UNSURE = [
    ('{"headline": "Nice", "score": 4, "pros": [] | "excerpt": "x"}', ["$"]),
    ('{"headline": "Nice", "meta": {"a": "b", "score": 4}', ["$.score", "$.meta"]),
    ('[{"label": "a", "points": 1}], {"label": "b", "points": 2}]', ["$"]),
    ('{"headline": Part("x"), "score": 4}', ["$.headline"]),
    ('{"headline": "Nice", "score": 4, "parts": {"a": {"label": "x", "points": 1}}}', ["$.parts"]),
]


@pytest.mark.parametrize(("reply", "paths"), UNSURE)
def test_what_is_left_over_in_json_is_a_problem(reply: str, paths: list[str]) -> None:
    """Text between members, brackets that are lost, code, keys of lists."""
    response = StructuredResponse.from_type(list[Part]) if reply[0] == "[" else REVIEW
    found = [problem.path for problem in response.parse(reply, strict=False).problems]
    assert found
    assert set(found) & set(paths)


@pytest.mark.parametrize(
    "reply", ['{"headline": "Nice", score: 4}', '{"headline": "Nice" "score": 4}', '{"headline": "Nice", "score": "4"}']
)
def test_without_repair_slips_are_problems(reply: str) -> None:
    """Each says what it changed."""
    assert REVIEW.parse(reply, strict=False, repair=False).problems


@pytest.mark.parametrize("text", ["- a\\n- b", "a\\nb", "<li>a</li><li>b</li>", '[\\"a\\", \\"b\\"]'])
def test_a_list_may_be_written_in_a_string(text: str) -> None:
    """As lines, as tags, as JSON once more."""
    assert said(f'{{"headline": "Nice", "score": 4, "pros": "{text}"}}') == {**NICE, "pros": ["a", "b"]}
