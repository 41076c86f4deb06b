"""JSON and lines whose texts hold tags: by its first sign it is JSON, so the tags are text."""

import json
import time

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.parse.xml.json_tags import end_of_json


class Section(BaseModel):
    heading: str
    body: str
    exercises: list[str] = []


class Page(BaseModel):
    title: str
    body: str = ""
    sections: list[Section] = []
    meta: dict[str, str] = {}


PAGE = StructuredResponse.from_basemodel(Page)
LIST = '[{"heading": "h", "body": "<ul><li>one</li></ul>", "exercises": ["<li>x</li>"]}]'
LISTED = {"title": "A", "sections": [{"heading": "h", "body": "<ul><li>one</li></ul>", "exercises": ["<li>x</li>"]}]}
HTML = "<!DOCTYPE html>\n<html><head><title>x</title></head><body><p>1</p></body></html>"
ESCAPED = HTML.replace("\n", "\\n")

READ = [
    ("its own name", '<page>{"title": "A", "body": "see <title>x</title>"}</page>', {"body": "see <title>x</title>"}),
    ("near its own", '<page>{"title": "A", "body": "<titel>1</titel>"}</page>', {"body": "<titel>1</titel>"}),
    ("fenced", '<page>\n```json\n{"title": "A", "body": "<p><b>1</p>"}\n```\n</page>', {"body": "<p><b>1</p>"}),
    ("a document", f'<page>{{"title": "A", "body": "{ESCAPED}"}}</page>', {"body": HTML}),
    ("a closing tag", '<page>{"title": "A", "body": "</page>"}</page>', {"body": "</page>"}),
    ("a comma too many", '<page>{"title": "A", "body": "<title>",}</page>', {"body": "<title>"}),
    ("Python's quotes", "<page>{'title': 'A', 'body': '<title>'}</page>", {"body": "<title>"}),
    ("no quotes", '<page>{title: "A", body: "<title>"}</page>', {"body": "<title>"}),
    ("a list", f"<page><title>A</title><sections>{LIST}</sections></page>", LISTED),
    ("an item", f"<page><title>A</title><sections><li>{LIST[1:-1]}</li></sections></page>", LISTED),
    ("a parameter", f'<page><title>A</title><parameter name="sections">{LIST}</parameter></page>', LISTED),
    ("a map", '<page><title>A</title><meta>{"k": "<li>v</li>"}</meta></page>', {"meta": {"k": "<li>v</li>"}}),
    ("a wrapper", '<result>{"title": "A", "body": "a\\n<title>x</title>"}</result>', {"body": "a\n<title>x</title>"}),
    ("prose", 'So: {"title": "A", "body": "a \\"<title>\\" b"}\nDone.', {"body": 'a "<title>" b'}),
    ("mended", '{"title": "A", "body": "<meta a=\\"b\\"><title>x</title>",}', {"body": '<meta a="b"><title>x</title>'}),
]


READ += [("a string", json.dumps(reply), data) for why, reply, data in READ[-3:]]


@pytest.mark.parametrize(("reply", "data"), [pytest.param(reply, data, id=why) for why, reply, data in READ])
def test_tags_in_the_strings_of_json_are_text(reply: str, data: dict[str, object]) -> None:
    """Wherever the JSON stands, and whatever is mended in it; nothing was chosen among its own tags."""
    read = PAGE.parse(reply)
    assert read.to_dict() == {"title": "A", **data}
    assert "candidate_chosen" not in [repair.kind.value for repair in read.repairs]


LINES = [
    ("title: A\nbody: see <title>x</title>", {"body": "see <title>x</title>"}),
    ("\n  title: A\n  body: '<titel>1</titel>'\n", {"body": "<titel>1</titel>"}),
    ('\ntitle: A\nbody: "<b>\\\n  c</b>"\n', {"body": "<b>c</b>"}),
    ("\ntitle: A\nsections:\n- heading: h\n  body: |-\n    <body>\n    <heading>x</heading>\n",
     {"sections": [{"heading": "h", "body": "<body>\n<heading>x</heading>"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "data"), LINES)
def test_tags_in_lines_of_names_and_values_are_text(lines: str, data: dict[str, object]) -> None:
    """YAML, and lines without a format, in the root."""
    assert PAGE.parse(f"<page>{lines}</page>").to_dict() == {"title": "A", **data}


@pytest.mark.parametrize(
    "inner",
    [
        "title: <title>A</title>\nbody: <body>b</body>",
        "Title: here it is\n<title>A</title><body>b</body>",
        "body: the text\n<title>A</title><body>b</body>",
        "Note: so\n<title>A</title><body>b</body>",
    ],
)
def test_tags_beside_lines_are_tags(inner: str) -> None:
    """Where a line of the same level begins with a tag, or a name is followed by its own."""
    assert PAGE.parse(f"<page>{inner}</page>").to_dict() == {"title": "A", "body": "b"}


def test_json_that_breaks_off_in_a_string_with_tags() -> None:
    """What came of it is read as JSON, and that it is cut is said at its place."""
    read = PAGE.parse('<page><title>A</title><sections>[{"heading": "h", "body": "<ul><li>on', strict=False)
    assert read.truncated == "$.sections[0].body"
    assert read.instance.sections[0].body == "<ul><li>on"


ENDS: list[tuple[str, str]] = [
    ('{"a": "<b>"}', "</x>"),
    (' ```json\n["<b>"]\n```', "</x>"),
    ('{"a": "it\'s <b>"} ', "<b>"),
    ("", '{"a": "<b>'),
    ("", '{"a": "5" <b>"}'),
    ("", '"<b>"'),
    ("", "{<b>}"),
    ("", "[1, <b>"),
    ("", '{"a"} says <b>'),
    ("", '["a", \\"<b>"]'),
]


@pytest.mark.parametrize(("json", "rest"), ENDS)
def test_json_ends_at_the_first_tag_outside_of_its_strings(json: str, rest: str) -> None:
    """If it has its last bracket; where the text breaks off in a string, only if nothing closes what holds it."""
    assert end_of_json(f"<x>{json}{rest}", 3) == 3 + len(json)


def test_what_breaks_off_in_a_string_has_no_tags() -> None:
    """Told that nothing closes what holds it."""
    assert end_of_json('[{"a": "<b></b>', 0, lambda: True) == 15
    assert end_of_json('[{"a": <b></b>', 0, lambda: True) == 0


PIECES = ['<page>{"', """<page>["'""", '<page>["\\" ', '<page>{"a": "<page>[', """<page>['\"""", '<li>["']


@pytest.mark.parametrize("piece", PIECES)
def test_time_grows_with_the_reply(piece: str) -> None:
    """Openings that never end are looked through a few times at most, in whatever order their quotes stand."""

    def seconds(count: int) -> float:
        text = piece * count
        begin = time.perf_counter()
        position = text.find(">")
        while position >= 0:
            end_of_json(text, position + 1)
            position = text.find(">", position + 1)
        return time.perf_counter() - begin

    assert seconds(40_000) < 40 * seconds(4_000) + 0.2
