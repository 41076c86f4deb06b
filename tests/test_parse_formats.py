"""JSON, YAML and lines in place of XML: where they stand, how they are mended, and that nothing is guessed."""

import gc
import json
import random
import re
import sys
import time
from collections.abc import Callable
from typing import Any, Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.definition import Plan, is_key_placeholder, is_placeholder, show_path, walk
from structured_response.errors import DefinitionError
from structured_response.limits import MAX_YAML
from structured_response.parse.data.formats import find_data, read_found, read_inner
from structured_response.parse.data.found import Found
from structured_response.parse.data.yaml_text import NotYamlError, scan_yaml
from structured_response.parse.json.json_text import scan_json
from structured_response.parse.reading import LimitReachedError, Reading
from structured_response.validate import typed
from tests.strategies import SUPPORTED, instances
from tests.test_laws import same

EXAMPLES = settings().max_examples


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int
    price: float | None = None
    verdict: Literal["good", "mixed", "bad"] = "good"
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []
    links: dict[str, int] = {}


class Short(BaseModel):
    headline: str
    score: int
    pros: list[str] = []
    excerpt: str = ""


REVIEW = StructuredResponse.from_basemodel(Review)._plan
SHORT = StructuredResponse.from_basemodel(Short)._plan
PARTS = StructuredResponse.from_type(list[Part])._plan
WORDS = StructuredResponse.from_type(list[str])._plan
NICE = {"headline": "Nice", "score": 4}


def read_all(plan: Plan, reply: str) -> list[tuple[Found, Reading, Any]]:
    """Everything in a reply that could be the answer, with its findings and its typed data."""
    read = []
    for found in find_data(plan, reply):
        reading = Reading(found.span)
        read_found(plan, found, reading)
        read.append((found, reading, typed(plan).validate_python(reading.tree)))
    return read


def kinds(reading: Reading) -> list[str]:
    """The kinds of what was mended, in order."""
    return [repair.kind.value for repair in reading.repairs]


WHERE: list[tuple[str, str]] = [
    ("{}", "JSON"),
    ("Sure:\n{}\nDone.", "JSON"),
    ("Sure:\n```json\n{}\n```\nHope [1] {{this}} helps [link](x)!", "JSON"),
    ("~~~\n{}", "JSON"),
    ("[note: see {{x}}] {}", "JSON"),
    ("f(x) {{ return x; }} {} }}}}", "JSON"),
    ("\ufeff{}", "JSON"),
]


@pytest.mark.parametrize(("around", "form"), WHERE)
def test_json_is_found_wherever_it_stands(around: str, form: str) -> None:
    """Whole, fenced or in prose, with other brackets around it: one candidate, with its place."""
    text = '{"headline": "Nice", "score": 4}'
    reply = around.format(text)
    ((found, reading, data),) = read_all(REVIEW, reply)
    assert reply[slice(*found.span)] == text
    assert (found.form, found.is_strict, found.is_whole, found.fit) == (form, True, True, 2)
    assert data == NICE
    assert kinds(reading) == ["format_read"]
    assert reading.place(("headline",)) == (reply.index('"Nice"'), reply.index('"Nice"') + 6)


def test_all_candidates_are_listed_in_order() -> None:
    """A draft and the answer: both are there, and a draft that was never closed takes nothing of the answer."""
    for draft in ('{"headline": "x", "score": 1}', '{"headline": "x"\n\nBetter:'):
        reply = f'{draft} {{"headline": "Nice", "score": 4}}'
        first, last = find_data(REVIEW, reply)
        assert reply[slice(*last.span)] == '{"headline": "Nice", "score": 4}'
        assert last.is_strict
        assert first.span[1] <= last.span[0]


@pytest.mark.parametrize(
    ("plan", "reply", "data"),
    [
        (PARTS, '{"label": "a", "points": 1}\n{"label": "b", "points": 2}', ["a", "b"]),
        (PARTS, '[{"label": "a", "points": 1}]', ["a"]),
        (PARTS, '{"parts": [{"label": "a", "points": 1}]}', ["a"]),
        (PARTS, "- label: a\n  points: 1\n- label: b\n  points: 2", ["a", "b"]),
    ],
)
def test_a_list_that_is_asked_for(plan: Plan, reply: str, data: list[str]) -> None:
    """An array, an array in a wrapper, objects one after the other, or items of YAML."""
    ((_found, _reading, read),) = read_all(plan, reply)
    assert [part["label"] for part in read] == data


@pytest.mark.parametrize(
    ("kind", "reply", "data"),
    [(int, "```\n4\n```", None), (int, " 4 ", 4), (str, '"a\\nb"', "a\nb"), (bool, "true", True), (int, "four", None)],
)
def test_a_scalar_that_is_asked_for(kind: Any, reply: str, data: Any) -> None:
    """A reply that is nothing but one JSON scalar."""
    assert [read for _found, _reading, read in read_all(StructuredResponse.from_type(kind)._plan, reply)] == (
        [] if data is None else [data]
    )


def test_json_in_the_quotes_of_json_is_read() -> None:
    """The whole answer as a JSON string."""
    ((_found, reading, data),) = read_all(REVIEW, json.dumps(json.dumps(NICE)))
    assert data == NICE
    assert kinds(reading) == ["format_read", "format_read"]


@pytest.mark.parametrize("reply", ["", "no data", "[1] and {x}", "{", "[", '"', "{}{}", "a: b\nc: d", "[[", "{'a"])
def test_what_is_no_data_is_not_found(reply: str) -> None:
    """Brackets of prose are no answer."""
    assert find_data(REVIEW, reply) == []


# Sloppy JSON

MENDED: list[tuple[str, dict[str, Any], list[str]]] = [
    ('{"headline": "Nice", "score": 4,}', NICE, ["json_mended"]),
    ('{"headline": "Nice",, "score": 4}', NICE, ["json_mended"]),
    ('{"headline": "Nice" "score": 4}', NICE, ["json_mended"]),
    ('{"headline": "Nice"\n"score": 4}', NICE, ["json_mended"]),
    ("{'headline': 'Nice', 'score': 4}", NICE, ["json_mended"]),
    ('{headline: "Nice", score: 4}', NICE, ["json_mended"]),
    ('{headline": "Nice", "score: 4}', NICE, ["json_mended"]),
    ("{headline: Nice, score: 4}", NICE, ["json_mended", "json_mended"]),
    ("{“headline”: “Nice”, “score”: 4}", NICE, ["json_mended"]),
    ('{"headline": "Nice", // a "b"\n"score": 4 /* c */}', NICE, ["json_mended"]),
    ('{"headline": "Nice", # a\n"score": 4}', NICE, ["json_mended"]),
    ('{"headline": "Nice", "score": 4, "price": None}', {**NICE, "price": None}, ["json_mended"]),
    ('{"headline": "Nice", "score": 4, "pros": ["a"}', {**NICE, "pros": ["a"]}, ["json_mended"]),
    ('{"headline": "Nice", "score": 4]}', NICE, ["json_mended"]),
    ('{"headline": "Nice", "score": 4, "pros": ["a", ...], ...}', {**NICE, "pros": ["a"]}, ["json_mended"]),
    ('```json\n{"headline": "Nice", "score": 4\n```\nBye', NICE, ["json_mended"]),
    ('{"headline": "Nice", "score": 4\n\nHope this helps!', NICE, ["json_mended"]),
    ('{"headline": "Nice,\n"score": 4}', NICE, ["json_mended"]),
    ('{"headline": "Nice, "score": 4}', NICE, ["json_mended"]),
    ('{"score": 4, "headline": "Nice\n}', NICE, ["json_mended"]),
    ('{"headline": """Nice""", "score": 4}', NICE, ["json_mended"]),
    ('{"headline": "a "b", c", "score": 4}', {"headline": 'a "b", c', "score": 4}, ["json_mended"]),
    ('{"headline": "5" disk", "score": 4}', {"headline": '5" disk', "score": 4}, ["json_mended"]),
    ("{'headline': 'it's', 'score': 4}", {"headline": "it's", "score": 4}, ["json_mended"]),
    ('{"headline": "a\nb\tc", "score": 4}', {"headline": "a\nb\tc", "score": 4}, ["json_mended"]),
    ('{"headline": "a\\d\\\'", "score": 4}', {"headline": "a\\d'", "score": 4}, ["json_mended"]),
    ('{"headline": "\\ud83d", "score": 4}', {"headline": "\ufffd", "score": 4}, ["json_mended"]),
    ('{"headline": "use {"score": 5} x", "score": 4}', {"headline": 'use {"score": 5} x', "score": 4}, ["json_mended"]),
]


@pytest.mark.parametrize(("reply", "data", "mended"), MENDED)
def test_sloppy_json_is_mended_on_record(reply: str, data: dict[str, Any], mended: list[str]) -> None:
    """What models write in place of JSON: the data is right, and what was mended is named."""
    ((found, reading, read),) = read_all(SHORT if "price" not in data else REVIEW, reply)
    assert read == data
    assert not found.is_strict
    assert not reading.problems
    assert sorted({*kinds(reading)}) == sorted({"format_read", *mended})


UNCLEAR: list[tuple[str, str]] = [
    ('{"headline": "Nice" (really), "score": 4}', "$.headline"),
    ('{"headline": "a" + "b", "score": 4}', "$.headline"),
    ('{"score": 4, "pros": ["a "b", "c"]}', "$.pros"),
    ('{"headline": "Nice}', "$.headline"),
    ('{"headline": , "score": 4}', "$.headline"),
    ('{"headline": "Nice" | "score": 4}', "$.headline"),
    ('{"score": 4, "pros": [] | "headline": "x"}', "$"),
    ('{"headline": "a "b" c", "mood": "x", "score": 4}', "$.headline"),
]


@pytest.mark.parametrize(("reply", "path"), UNCLEAR)
def test_what_is_not_clear_is_a_problem(reply: str, path: str) -> None:
    """Where two readings are left, or something cannot be read, nothing is guessed."""
    ((_found, reading, _data),) = read_all(SHORT, reply)
    assert path in [problem.path for problem in reading.problems]


CUT: list[tuple[str, dict[str, Any], str]] = [
    ('{"headline": "Nice", "score": 4', {"headline": "Nice"}, "$.score"),
    ('{"headline": "Nice", "score": 4, ', NICE, "$"),
    ('{"headline": "Nice", "score":', {"headline": "Nice"}, "$.score"),
    ('{"headline": "Nice", "sco', {"headline": "Nice"}, "$"),
    ('{"headline": "Nice", "score"', {"headline": "Nice"}, "$"),
    ('{"score": 4, "headline": "Ni', {"score": 4, "headline": "Ni"}, "$.headline"),
    ('{"score": 4, "headline": "Ni\\u00', {"score": 4, "headline": "Ni"}, "$.headline"),
    ('{"score": 4, "headline": "Ni\\', {"score": 4, "headline": "Ni"}, "$.headline"),
    ('{"score": 4, "verdict": "goo', {"score": 4}, "$.verdict"),
    ('{"headline": "Nice", "links": {"a": tru', {"headline": "Nice", "links": {}}, "$.links.a"),
    ('{"score": 4, "price": nul', {"score": 4}, "$.price"),
    ('{"score": 4, "pros": ["a", "b', {"score": 4, "pros": ["a", "b"]}, "$.pros[1]"),
    ('{"score": 4, "pros": ["a",', {"score": 4, "pros": ["a"]}, "$.pros"),
    (
        '{"score": 4, "parts": [{"label": "a", "points": 12',
        {"score": 4, "parts": [{"label": "a"}]},
        "$.parts[0].points",
    ),
]


@pytest.mark.parametrize(("reply", "data", "path"), CUT)
def test_what_is_whole_is_kept_where_a_reply_breaks_off(reply: str, data: dict[str, Any], path: str) -> None:
    """Half a number, half a choice and half a name are not, half a text is; the place is named."""
    ((found, reading, read),) = read_all(REVIEW, reply)
    assert read == data
    assert not found.is_whole
    assert [problem.path for problem in reading.problems if problem.kind == "truncated"] == [path]
    assert show_path(reading.truncated or ()) == path


class Trip(BaseModel):
    name: str
    legs: list[tuple[int, int]] = []


TRIP = StructuredResponse.from_basemodel(Trip)._plan


@pytest.mark.parametrize("legs", ["[\n [\n", "[\n [1,", "[[1, 2], [", "[[1, 2], [3", "[[1, 2], [3,"])
def test_a_tuple_in_which_a_reply_breaks_off_is_cut_not_wrong(legs: str) -> None:
    """That it lacks items follows from that, and is not said as well."""
    ((_found, reading, read),) = read_all(TRIP, f'{{"name": "x", "legs": {legs}')
    path = f"$.legs[{legs.count('[') - 2}]"
    assert [(problem.kind.value, problem.path) for problem in reading.problems] == [("truncated", path)]
    assert show_path(reading.truncated or ()) == path
    assert read["legs"][-1] is None


@pytest.mark.parametrize("end", ["", " ", "\n", "\n```"])
@pytest.mark.parametrize(
    "start",
    [
        '{"headline": "Nice", "score": 4, "price": null',
        '{"headline": "Nice", "score": 4',
        '{"score": 4, "headline": "Nice", "pros": ["a"]',
    ],
)
def test_an_object_that_lacks_its_last_bracket_alone_is_whole(start: str, end: str) -> None:
    """As with a root's closing tag: everything that is needed is there, and no value is cut."""
    if not end and start.endswith("4"):
        end = " "  # a number may go on
    ((_found, reading, read),) = read_all(REVIEW, ("```json\n" if "`" in end else "") + start + end)
    assert read["headline"] == "Nice"
    assert read["score"] == 4
    assert (reading.problems, reading.truncated) == ([], None)
    assert ("json_mended", "$", "", "}") in [
        (each.kind, each.path, each.before, each.after) for each in reading.repairs
    ]


# Texts with known data, damaged in ways that repeat

TEXTS = (
    *("Nice", 'He said "yes", and left', 'a 5" disk', "it's fine, really", "line one\nline two", "ends with,", "é “x”"),
    *("http://x.y/z // no comment", 'use {"a": 1, "b": [2]}', "# x: y", "C:\\dir\\new", '"quoted"', "x [1] y", "yes"),
)


def _data(rnd: random.Random) -> dict[str, Any]:
    return {
        "headline": rnd.choice(TEXTS),
        "score": rnd.choice([4, -17, 12345678901234567890123]),
        "price": rnd.choice([None, 1.1, 2.5e-7]),
        "pros": rnd.sample(TEXTS, rnd.randrange(4)),
        "excerpt": rnd.choice(TEXTS),
        "parts": [{"label": rnd.choice(TEXTS), "points": rnd.randrange(100)} for _ in range(rnd.randrange(3))],
        "links": {"a b": 1},
    }


def _without_one(pattern: str) -> Callable[[str, random.Random], str]:
    def damage(text: str, rnd: random.Random) -> str:
        place = rnd.choice(list(re.finditer(pattern, text)))
        return text[: place.start()] + text[place.end() :]

    return damage


_RAW = {"n": "\n", "t": "\t", '"': '"'}
DAMAGE: dict[str, Callable[[str, random.Random], str]] = {
    "nothing": lambda text, rnd: text,
    "python": lambda text, rnd: repr(json.loads(text)),
    "a comma": _without_one(r",(?=\n)"),
    "all commas": lambda text, rnd: re.sub(r",(?=\n)", "", text),
    "commas more": lambda text, rnd: re.sub(r"(?<=[^\[{,\s])(\s*\n *[\]}])", r",\1", text),
    "quotes of keys": lambda text, rnd: re.sub(r'(?m)^( *)"(\w+)":', r"\1\2:", text),
    "closers": lambda text, rnd: text.rstrip("}\n") + "\n",
    "comments": lambda text, rnd: text.replace(",\n", ', // a "b", c\n'),
    "escapes of lines": lambda text, rnd: re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[0], text),
    "escapes of quotes": lambda text, rnd: re.sub(r"\\(.)", lambda m: '"' if m[1] == '"' else m[0], text),
    "escapes": lambda text, rnd: re.sub(r"\\(.)", lambda m: _RAW.get(m[1], m[0]), text),
    "a quote": _without_one(r'(?<=[^\\"])"(?=,?\n)'),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_json_is_read_right_or_is_a_problem(damage: str) -> None:
    """Of 100 texts none is read wrongly without a problem, and nearly all are read right; where an item of a list
    lacks its quote, nobody can say where it ends.
    """
    rnd = random.Random(damage)
    right = 0
    for _ in range(100):
        data = _data(rnd)
        text = DAMAGE[damage](json.dumps(data, ensure_ascii=False, indent=2), rnd)
        ((_found, reading, read),) = read_all(REVIEW, text)
        assert reading.problems or read == data, text
        right += read == data and all(problem.kind == "truncated" for problem in reading.problems)
    assert right >= (50 if damage == "a quote" else 85)


def test_json_cut_anywhere_gives_nothing_that_was_not_there() -> None:
    """However a text is cut: every value that is read is a value of the data, or the beginning of a text of it."""
    data = _data(random.Random(3)) | {"headline": "a, b: c", "excerpt": "x\\y"}
    text = json.dumps(data, ensure_ascii=False)
    for end in range(20, len(text)):
        for _found, reading, read in read_all(REVIEW, text[:end]):
            assert reading.problems or _begins(read, data), text[:end]


def _begins(read: Any, data: Any) -> bool:
    if isinstance(data, dict):
        return all(name in data and _begins(value, data[name]) for name, value in read.items())
    if isinstance(data, list):
        return len(read) <= len(data) and all(map(_begins, read, data))
    return data.startswith(read) if isinstance(data, str) else bool(read == data)


# YAML and lines

LINES: list[tuple[str, str, dict[str, Any]]] = [
    ("headline: Nice\nscore: 4", "lines", NICE),
    ("Sure!\n\n**Headline**: Nice\n**Score:** 4", "lines", NICE),
    ("- Headline: Nice\n- Score: 4\n\nHope this helps!", "lines", NICE),
    ("Headline: Nice: really\nScore: 4", "lines", {"headline": "Nice: really", "score": 4}),
    ('headline: "Nice"\nscore: 4', "lines", NICE),
    ("headline: Nice\nscore: 4\npros:\n- a\n- b: c", "lines", {**NICE, "pros": ["a", "b: c"]}),
    ('headline: Nice\nscore: 4\npros: ["a", "b"]', "lines", {**NICE, "pros": ["a", "b"]}),
    ("headline: Nice\nscore: 4\nexcerpt: a\nb", "lines", {**NICE, "excerpt": "a\nb"}),
    ("```yaml\nheadline: Nice\nscore: 4 # of 5\n```", "YAML", NICE),
    ("```yaml\nheadline: Nice: really\nscore: 4\n```", "lines", {"headline": "Nice: really", "score": 4}),
    ("```\nheadline: Nice\nscore: 4\nexcerpt: |\n  a\n    b\n```", "YAML", {**NICE, "excerpt": "a\n  b\n"}),
    (
        "headline: yes\nscore: 4\nprice: ~\nparts:\n  - label: 010\n    points: 1",
        "YAML",
        {"headline": "yes", "score": 4, "price": None, "parts": [{"label": "010", "points": 1}]},
    ),
    ("headline: Nice\nscore: 4\npros: a, b", "lines", {**NICE, "pros": ["a", "b"]}),
    ("headline: Nice\nscore: 4\npros: [a, b]", "lines", {**NICE, "pros": ["a", "b"]}),
    ("headline: Nice\nscore: 4\npros:\n- '42'\n- \"it's\"", "lines", {**NICE, "pros": ["42", "it's"]}),
    ('headline = "Nice",\nscore = 4,\npros = ["a"],', "lines", {**NICE, "pros": ["a"]}),
    ("headline: Nice, cheap,\nscore: 4", "lines", {"headline": "Nice, cheap", "score": 4}),
    ("headline: Nice\nscore: 4\nprice:\n", "lines", {**NICE, "price": None}),
    ("Sure:\n---\nscore: 4\nheadline: Nice\n---\nThat is all.", "lines", NICE),
    ("---\nscore: 4\nheadline: Nice\n...\n", "lines", NICE),
    (
        "headline: Nice\nscore: 4\nparts:\n- label: a\n  points: 1\n- label: b\n  points: 2",
        "YAML",
        {**NICE, "parts": [{"label": "a", "points": 1}, {"label": "b", "points": 2}]},
    ),
    (
        "label: x\nheadline: Nice\nscore: 4\nparts:\n- points: 1\n  label: a",
        "YAML",
        {**NICE, "parts": [{"label": "a", "points": 1}]},
    ),
    ("```yaml\n---\nheadline: Nice\nscore: 4\n---\n```", "YAML", NICE),
    ("## Headline\nNice\n\n## Score\n4", "lines", NICE),
    ("# Review\n\n## 1. **Headline**\n\nNice\n\n## Score:\n4\n\n## Notes\nnone", "lines", NICE),
    ("# Score\n4\n# Headline\nNice\n## More\n\n  text", "lines", {"score": 4, "headline": "Nice\n## More\n\n  text"}),
    ("Sure: \nscore: 4\nheadline: 'Nice\n\n  one'", "YAML", {"score": 4, "headline": "Nice\none"}),
    (
        "Sure: \nscore: 4\nheadline: 'a\n\n  b'\nexcerpt: c: d",
        "lines",
        {"score": 4, "headline": "a\n\n  b", "excerpt": "c: d"},
    ),
    ("**Headline**\nNice\n\n**Score**\n4\n\n**Pros**\n- a\n- b", "lines", {**NICE, "pros": ["a", "b"]}),
    ("**Headline:** Nice\n**Score:** 4", "lines", NICE),
    ("Here:\n\n| Field | Value |\n|---|---|\n| headline | Nice |\n| **Score** | 4 |\n\nDone.", "lines", NICE),
    ("headline | x\n| score | 4 |\n| headline | Nice \\| so |", "lines", {"score": 4, "headline": "Nice \\| so"}),
    (
        "<arg_key>headline</arg_key><arg_value>Nice</arg_value> <arg_key>score</arg_key>\n<arg_value>4</arg_value>",
        "lines",
        NICE,
    ),
    ("---\nheadline: Nice\nscore: 4\nlinks:\n  a: 1\n", "YAML", {**NICE, "links": {"a": 1}}),
]


@pytest.mark.parametrize(("reply", "form", "data"), LINES)
def test_yaml_and_lines_are_read(reply: str, form: str, data: dict[str, Any]) -> None:
    """Lines where they are enough, YAML where it is fenced as such or has structure; the definition gives types."""
    ((found, reading, read),) = read_all(REVIEW, reply)
    assert (found.form, read) == (form, data)
    assert not reading.problems
    assert kinds(reading)[0] == "format_read"


REFUSED = [
    ("headline: &a Nice\nexcerpt: *a\nscore: 4\nparts: []", "aliases"),
    ("headline: !!python/name:os.system x\nscore: 4", "tags"),
]


@pytest.mark.parametrize(("inner", "word"), REFUSED)
def test_yaml_that_can_grow_or_act_is_refused(inner: str, word: str) -> None:
    """No aliases, no tags, no odd keys: the problem says so where lines do not help."""
    reply = f"```yaml\n{inner}\nparts:\n- label: a\n  points: 1\n```"
    ((_found, reading, _data),) = read_all(REVIEW, reply)
    assert any(word in problem.message for problem in reading.problems)


def test_without_pyyaml_the_finding_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """YAML needs an extra; JSON and lines do not."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    ((_found, reading, _data),) = read_all(REVIEW, "headline: x\nscore: 4\nparts:\n- label: a\n  points: 1")
    (problem,) = reading.problems
    assert problem.kind == "missing_extra"
    assert 'pip install "structured-response[formats]"' in problem.message
    ((_found, reading, data),) = read_all(REVIEW, "```yaml\nheadline: Nice\nscore: 4\n```")
    assert data == NICE


# Inside of an element

INNER: list[tuple[str, str, Any]] = [
    ("pros", '["a", "b"]', ["a", "b"]),
    ("pros", "\n- a\n- b\n", ["a", "b"]),
    ("pros", "1. a\n2) b", ["a", "b"]),
    ("pros", "a and b", None),
    ("pros", "[a] b", None),
    ("parts", '[{"label": "a", "points": 1}]', [{"label": "a", "points": "1"}]),
    ("parts", "- label: a\n  points: 1", [{"label": "a", "points": "1"}]),
    ("links", '{"a": 1}', {"a": "1"}),
    ("links", "a: 1\nb: 2", {"a": "1", "b": "2"}),
    ("headline", '["a"]', None),
]


@pytest.mark.parametrize(("name", "text", "tree"), INNER)
def test_json_and_lines_inside_of_an_element(name: str, text: str, tree: Any) -> None:
    """Where an element holds JSON or lines in place of elements; what is neither is left to others."""
    reading = Reading((0, 100))
    assert read_inner(REVIEW.root.fields[name].node, text, 50, (name,), reading) == tree
    assert [(repair.kind.value, repair.path) for repair in reading.repairs[:1]] == (
        [] if tree is None else [("format_read", f"$.{name}")]
    )
    assert all(50 <= start <= end <= 50 + len(text) for start, end in reading.places.values())


# Laws


def _texts(data: Any) -> list[str]:
    if isinstance(data, dict):
        return [text for pair in data.items() for one in pair for text in _texts(one)]
    return (
        [text for item in data for text in _texts(item)] if isinstance(data, list) else [data] * isinstance(data, str)
    )


@settings(max_examples=EXAMPLES // 8)
@given(instances(SUPPORTED), st.booleans(), st.sampled_from([None, 2]))
def test_json_of_an_instance_comes_back(instance: BaseModel, ascii_only: bool, indent: int | None) -> None:
    """JSON of any instance is read back to the same data, in one piece, with no repair but the format's."""
    try:
        response = StructuredResponse.from_basemodel(instance)
    except DefinitionError:
        assume(False)
    plan, data = response._plan, response.to_dict()
    nodes = [node for node in walk(plan.root) if node.kind == "str"]
    # JSON has no way to say that a text is not the placeholder of the prompt that it looks like.
    texts = [text for text in _texts(data) if text[:1] == "["]
    assume(not any(is_placeholder(node, text) or is_key_placeholder(node, text) for text in texts for node in nodes))
    reply = json.dumps(data, ensure_ascii=ascii_only, indent=indent)
    ((found, reading, read),) = read_all(plan, reply)
    assert (found.is_strict, found.span) == (True, (0, len(reply)))
    assert kinds(reading) == ["format_read"]
    assert reading.problems == []
    assert same(read, data)


_ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=10,
)
ANY = StructuredResponse.from_type(dict[str, Any])._plan


@given(st.dictionaries(st.text(max_size=4), _ANYTHING, max_size=3), st.booleans())
def test_strict_json_is_what_the_standard_library_reads(data: dict[str, Any], ascii_only: bool) -> None:
    """Nothing of the leniencies touches JSON that is JSON."""
    text = json.dumps(data, ensure_ascii=ascii_only)
    scanned = scan_json(text, 0)
    assert (scanned.is_strict, scanned.end, scanned.faults) == (True, len(text), [])
    assert [same(read, data) for _found, _reading, read in read_all(ANY, text)] == [True]


_PIECES = (
    *("{", "}", "[", "]", ",", ":", '"', "'", "\n", "- ", "headline", '"score":', "parts: ", "null", "None", "4", "-"),
    *(
        "\\",
        "\\u12",
        '\\"',
        "/*",
        "*/",
        "//",
        "#",
        "```",
        "```yaml\n",
        "&a ",
        "*a",
        "!!x ",
        "|\n",
        ">",
        "  ",
        "...",
        "“",
    ),
    *("\ud800", "\0", "é😀", '"pros": [', '"links": {', "label: ", "? ", "<<: ", "---\n", "\t", "\u2028", "@", "%"),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join), st.sampled_from([REVIEW, PARTS, WORDS, ANY]))
def test_any_text_is_read_or_a_limit(text: str, plan: Plan) -> None:
    """Whatever stands there: no other exception, all spans inside of the reply, and a tree that can be typed."""
    for found in find_data(plan, text):
        reading = Reading(found.span)
        read_found(plan, found, reading)
        typed(plan).validate_python(reading.tree)
        spans = [repair.span for repair in reading.repairs] + [one.span for one in reading.problems if one.span]
        assert all(0 <= start <= end <= len(text) for start, end in spans)
    read_inner(plan.root, text, 0, (), Reading((0, len(text))))


@pytest.mark.parametrize("text", ["[" * 300, '{"a":' * 300, '{"headline": ' + "[" * 300])
def test_depth_has_a_bound(text: str) -> None:
    """What is nested deeper than data may be is a limit that was reached."""
    found = find_data(REVIEW, text)[0]
    with pytest.raises(LimitReachedError, match="MAX_DEPTH"):
        read_found(REVIEW, found, Reading(found.span))


def test_yaml_has_a_bound() -> None:
    """More YAML than any reply holds is a limit that was reached."""
    reply = "headline: Nice\nscore: 4\nparts:\n" + "- {label: a, points: 1}\n" * (MAX_YAML // 20)
    (found,) = find_data(REVIEW, reply)
    with pytest.raises(LimitReachedError, match="MAX_YAML"):
        read_found(REVIEW, found, Reading(found.span))


HOSTILE: dict[str, Callable[[int], str]] = {
    "quotes": lambda size: '{"headline": "' + '"' * size,
    "quotes and comments": lambda size: '{"headline": "a" x' + '"//"/*' * (size // 6),
    "quotes and closers": lambda size: '{"headline": "a" x' + ('"' + "}" * 50) * (size // 51),
    "lines": lambda size: '{"headline": "' + "\n" * size,
    "garbage": lambda size: '{"headline": 1' + ";x," * (size // 3) + "}",
    "words": lambda size: '{"headline": ' + "a, b " * (size // 5),
    "brackets": lambda size: "[" * size,
    "pairs": lambda size: "[]" * (size // 2),
    "names": lambda size: '{"headline": 1, ' + "a b c " * (size // 6),
    "labels": lambda size: "headline: a\n" * (size // 12),
    "blank lines": lambda size: "headline: a\nscore: 3\n" + "\n" * size,
    "good": lambda size: '{"headline": "x", "parts": [' + '{"label": "a", "points": 1}, ' * (size // 29) + "]}",
}


@pytest.mark.usefixtures("nothing_to_collect")
@pytest.mark.parametrize("shape", HOSTILE)
def test_time_grows_with_the_reply(shape: str) -> None:
    """Sixteen times the reply takes some sixteen times as long, whatever stands in it; a busy machine may try again."""
    large, small = (HOSTILE[shape](size) for size in (64_000, 4_000))
    gc.disable()
    try:
        assert any(_best(large, rounds) < 16 * 3 * _best(small, rounds) + 0.01 for rounds in (1, 3, 5))
    finally:
        gc.enable()


def _best(reply: str, rounds: int) -> float:
    return min(_seconds(reply) for _ in range(rounds))


def _seconds(reply: str) -> float:
    begin = time.process_time()
    for found in find_data(REVIEW, reply):
        if found.limit is None:
            read_found(REVIEW, found, Reading(found.span))
    return time.process_time() - begin


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb:\n  - é\n  - 'x: y'\n",
        "- |\n  two\n  lines\n- >-\n  folded\n  text\n",
        '{a: [1, null, ~], b: "\\u00e9"}',
        'a: "open\n',
        "- [\n",
        "a: &x 1\n",
        "a: \ud800\n",
    ],
)
def test_yaml_is_the_same_without_libyaml(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where PyYAML has no parser in C, its own says the same."""

    def read() -> Any:
        try:
            return [repr(value) for value in scan_yaml(text)]
        except NotYamlError as error:
            return error.offset

    with_libyaml = read()
    monkeypatch.delattr("yaml.CSafeLoader")
    assert read() == with_libyaml
