"""The second program of the layout and the escaping rule, which the benchmark of real files trusts."""

from typing import Any

import pytest

from benchmarks.verbatim import rule
from benchmarks.verbatim.files import File
from benchmarks.verbatim.hosts import DAMAGES, HOSTS, LAYOUTS, SLOT, build
from benchmarks.verbatim.measure import ESCAPED, ON_RECORD, REFUSED, RIGHT, SILENT, differences, outcome, read_all

VALUES = {
    "": "",
    " \n ": "",
    "  one line ": "one line",
    "\n  one line\n": "one line",
    "\ndef f():\n    return 1\n": "def f():\n    return 1",
    "\n      def f():\n          return 1\n    ": "def f():\n    return 1",
    "\n    def f():\n        return 1\n": "    def f():\n        return 1",
    "      def f():\n          return 1\n": "      def f():\n          return 1",
    "\n\n      a\n\n        b\n": "\na\n\n  b",
    "\n\ta\n": "a",
    "\n    \ta\n    \t\tb\n": "a\n\tb",
    "one\r\n  two\rthree": "one\n  two\nthree",
    "\x0cpage\x0c": "\x0cpage\x0c",
    "Q&A: 5 < 6": "Q&A: 5 < 6",
    "a &lt; b &amp;amp; c": "a < b &amp; c",
    "&copy &bogus; &#8212; &#x41; &#xD800; &#1114112; &#128;": "&copy &bogus; — A \ufffd \ufffd \x80",
    "&copy; &#8212; &amp;": "&copy; &#8212; &amp;",
    "<b>Bold</b> &amp; plain": "<b>Bold</b> &amp; plain",
    "#include <stdio.h>\n&amp;": "#include <stdio.h>\n&amp;",
    "a <? &amp;": "a <? &amp;",
    "a <1 &amp;": "a <1 &",
    "<!-- open &amp;": "<!-- open &amp;",
    "&lt;<![CDATA[<b>&lt;]]>&lt;": "<<b>&lt;<",
    "<i><![CDATA[&lt;]]>&lt;": "<i><![CDATA[&lt;]]>&lt;",
    "four<!-- of five -->": "four",
    "four\n<!-- of &lt; five -->": "four\n<!-- of &lt; five -->",
}


@pytest.mark.parametrize("inner", VALUES)
def test_the_value_of_a_text(inner: str) -> None:
    """What stands between two tags, the opening one of which is indented by four, means this."""
    assert rule.value(inner, "    ") == VALUES[inner]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("host", HOSTS)
def test_a_well_formed_file_comes_back(host: str, layout: str) -> None:
    """Both programs agree where today's reader reads: everywhere in the data, however it is laid out."""
    case = build(HOSTS[host], "<b>\n  a &amp; b\n</b>\n", layout, DAMAGES["nothing else"])
    assert SLOT not in case.reply
    assert "<b>\n  a &amp; b\n</b>" in _texts(case.data)
    assert outcome(case) == RIGHT


def _texts(data: Any) -> str:
    if isinstance(data, dict):
        return "".join(map(_texts, data.values()))
    return "".join(map(_texts, data)) if isinstance(data, list) else str(data)


def test_what_is_wrong_is_seen() -> None:
    """A reply that says something else than the data is silently wrong; with a repair at the place it is on record."""
    host = HOSTS["the last field"]
    case = build(host, "x", "directly behind the tag", DAMAGES["nothing else"])
    assert outcome(case) == RIGHT
    assert outcome(type(case)(host, case.reply.replace(">x<", ">y<"), case.data)) == SILENT
    assert outcome(type(case)(host, case.reply.replace(">x<", ">y<!-- x --><"), case.data)) == ON_RECORD
    assert outcome(type(case)(host, case.reply.replace("2", "many"), case.data)) == REFUSED


def test_differences_have_paths() -> None:
    """The paths at which data differs, in types too."""
    first, second = {"a": [1, {"b": True}], "c": []}, {"a": [1, {"b": 1}], "c": [0]}
    assert list(differences(first, second, "$")) == ["$.a[1].b", "$.c"]


def test_files_are_read_in_every_damage() -> None:
    """A file is one reply for each damage; over many files every damage meets every place and every layout."""
    results = list(read_all(File("text", str(number), "a &lt; b") for number in range(15)))
    assert len({(result.damage, result.host, result.layout) for result in results}) == len(results) == 9 * 15
    assert {result.kind for result in results} == {ESCAPED}
