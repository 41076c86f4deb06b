"""Sloppy JSON that is mended in one pass: the same as what the reader of all sloppy JSON makes of it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.parse.data.clean_json import decoded
from structured_response.parse.data.mended_json import mend_json
from structured_response.parse.json.json_text import Scanned, scan_json
from structured_response.parse.written import Bare, Change, Members, Value

NAMES = frozenset({"a", "b", "name"})

MENDED: list[tuple[str, object, list[Change]]] = [
    ("{a: 1}", (("a", "1"),), [Change((1, 3), "a:", '"a":')]),
    ("{'a': 'x'}", (("a", "x"),), [Change((1, 5), "'a':", '"a":')]),
    ('{"a": 1,}', (("a", "1"),), [Change((7, 8), ",", "")]),
    ('{"a": 1, // c\n}', (("a", "1"),), [Change((9, 14), "// c\n", " "), Change((7, 8), ",", "")]),
    ('{"a": 1 /* c */}', (("a", "1"),), [Change((8, 15), "/* c */", " ")]),
    ('{"a": 1} // c\n', None, []),
    ('{"a": True, "b": None}', (("a", True), ("b", None)), [Change((6, 10), "True", "true")]),
    ("[{a: 1}] and {b: 2}", [(("a", "1"),)], [Change((2, 4), "a:", '"a":')]),
]

LEFT: list[str] = [
    "{other: 1}",
    '{"a": 1,,}',
    "{,}",
    "[ /* c */ ,]",
    '{"a": x}',
    '{"a": "x "y" z",}',
    "{'a': 'it's'}",
    '{"a": 1, /* c',
    '{"a": "x\n"b": 1}',
    '{"a" /* c */: 1}',
    '{"a": true// c\n}',
    '{"a": 1 // b\n// c\n}',
    "{'a\\'': 1}",
    "{'a': '\ud83d'}",
    "['x']",
    "{'a': 'it\\'s \ue000'}",
    '{"a": 1',
    "{a:/b}",
]


@pytest.mark.parametrize(("text", "data", "changes"), MENDED)
def test_what_is_mended(text: str, data: object, changes: list[Change]) -> None:
    """With the first change of each sort, in the order in which they are noticed."""
    mended = mend_json(text, 0, NAMES, takes_lists=False)
    if data is None:
        assert mended is None or mended.changes == changes
    else:
        assert mended is not None
        assert (mended.data, mended.changes, mended.changed) == (data, changes, [])
        assert text[: mended.end].endswith(("}", "]"))


def test_texts_that_change_come_with_their_paths() -> None:
    """Their escapes are other ones in JSON."""
    mended = mend_json("{'a': ['x', 'it\\'s'], 'b': \"1\n2\"}", 0, NAMES, takes_lists=False)
    assert mended is not None
    assert mended.data == (("a", ["x", "it's"]), ("b", "1\n2"))
    assert [(path, change.after) for path, change in mended.changed] == [(("a", 1), '"it\'s"'), (("b",), '"1\\n2"')]


@pytest.mark.parametrize("text", LEFT)
def test_what_is_left_to_the_other_reader(text: str) -> None:
    """What has no meaning of its own, or where more is to be said."""
    assert mend_json(text, 0, NAMES, takes_lists=False) is None


PIECES = [
    *(
        '"a"',
        "'a'",
        "a",
        '"b": ',
        "'b': ",
        "b: ",
        "other: ",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "1",
        "-1.5e3",
        "01",
        " ",
        "\n",
    ),
    *(
        '"x"',
        "'x'",
        "'it\\'s'",
        '"x\ny"',
        '"\\u00e9"',
        "'\"'",
        "true",
        "True",
        "None",
        "null",
        "NaN",
        "x",
        "...",
        "\ud83d",
    ),
    *(
        "// c\n",
        "/* c */",
        "# c\n",
        "//",
        "/*",
        '"',
        "'",
        "\\",
        "\u201c",
        "\u00a0",
        '"""',
        "```",
        ",}",
        ",]",
        '{"a": 1}',
    ),
]
MEMBERS = st.lists(
    st.tuples(
        st.sampled_from(["'a': ", '"b": ', "a: ", "name: ", '"b" :', "'name':\n"]),
        st.sampled_from(
            ["1", "'x'", '"y"', "True", "null", "'it\\'s'", '"1\n2"', "[1, 'z',]", "{a: 2}", "[]", "{'a': 1,}"]
        ),
        st.sampled_from([", ", ",\n", ", // c\n", " /* c */, ", ",", ",\n# c\n"]),
    ),
    min_size=1,
    max_size=4,
).map(lambda members: "{" + "".join(map("".join, members)) + "}")


@st.composite
def sloppy(draw: st.DrawFn) -> str:
    """Sloppy JSON, now and then with a piece too many or one gone."""
    text = draw(MEMBERS)
    for piece in draw(st.lists(st.sampled_from(PIECES), max_size=3)):
        place = draw(st.integers(0, len(text)))
        text = text[:place] + piece + text[place + draw(st.integers(0, 2)) :]
    return "{" + text.removeprefix("{")


def plain(value: Value) -> object:
    """A value as `mend_json` has it."""
    if isinstance(value.held, Members):
        return tuple([(str(key.held), plain(member)) for key, member in value.held.pairs])
    if isinstance(value.held, list):
        return [plain(item) for item in value.held]
    if isinstance(value.held, Bare) and value.held in ("true", "false"):
        return value.held == "true"
    return value.held


def changed(value: Value, path: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Change]]:
    """The values whose texts were changed."""
    found = [] if value.change is None else [(path, value.change)]
    if isinstance(value.held, Members):
        return found + [one for key, member in value.held.pairs for one in changed(member, (*path, str(key.held)))]
    if isinstance(value.held, list):
        return found + [one for index, item in enumerate(value.held) for one in changed(item, (*path, index))]
    return found


@given(sloppy(), st.booleans())
def test_both_readers_give_the_same(text: str, takes_lists: bool) -> None:
    """Where the quick one gives anything: data, its end and what is on record, in the same order."""
    mended = mend_json(text, 0, NAMES, takes_lists) if decoded(text, 0) is None else None
    if mended is None:
        return
    scanned: Scanned = scan_json(text, 0, NAMES, takes_lists)
    assert scanned.value is not None
    assert (mended.data, mended.end) == (plain(scanned.value), scanned.end)
    assert (mended.changes, mended.changed) == (scanned.changes, changed(scanned.value))
    assert (scanned.faults, scanned.is_whole) == ([], True)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_text_is_mended_or_left(soup: str) -> None:
    """It raises nothing, and what it gives is a piece of the text that ends with a bracket."""
    mended = mend_json("{" + soup, 0, NAMES, takes_lists=True)
    assert mended is None or re.search(r"[}\]]\Z", ("{" + soup)[: mended.end])
