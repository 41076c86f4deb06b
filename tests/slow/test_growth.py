"""Law 6: time and memory grow linearly with the reply. tests/slow/test_hostile.py has it for hostile ones."""

import tracemalloc
from collections.abc import Callable

import pytest

from structured_response import ReplyError
from tests.growth import grows_with_the_text
from tests.laws.test_laws import REVIEW

UNIT = 4_000
"""Characters at 1x."""


def _filled(inner: str) -> str:
    return f"<review><headline>{inner}</headline><score>4</score><verdict>good</verdict></review>"


_GOOD = _filled("x & y").replace("&", "&amp;")


def _repeated(piece: str, size: int) -> str:
    return piece * (size // len(piece))


SHAPES: dict[str, Callable[[int], str]] = {
    "clean": lambda size: _filled("word " * (size // 5)),
    "many items": lambda size: _GOOD.replace("</review>", f"<pros>{_repeated('<li>light</li>', size)}</pros></review>"),
    "many items, attributes": lambda size: _GOOD.replace(
        "</review>",
        f"<pros>{_repeated('<li index=' + repr('0') + '>light &amp; cheap</li>', size)}</pros></review>",
    ),
    "many bad items": lambda size: _GOOD.replace(
        "</review>", f"<parts>{_repeated('<li><points>x</points></li>', size)}</parts></review>"
    ),
    "many lines": lambda size: _filled("\n" + _repeated("        indented\n", size) + "    "),
    "many carriage returns": lambda size: (
        "\r"
        + _filled("x").replace("</review>", "<pros>" + _repeated("<li>\r a\r  b\r</li>\r", size) + "</pros></review>")
    ),
    "many <": lambda size: "<" * size,
    "many < in front": lambda size: "<" * size + _GOOD,
    "many < inside": lambda size: _filled("< " * (size // 2)),
    "many <!--": lambda size: _repeated("<!--", size) + _GOOD,
    "many comments": lambda size: _filled(_repeated("<!-- c -->", size)),
    "many <!-- in CDATA": lambda size: _GOOD.replace("</review>", f"<![CDATA[{_repeated('<!--', size)}]]></review>"),
    "many <? in CDATA": lambda size: _GOOD.replace("</review>", f"<![CDATA[{_repeated('<?', size)}]]></review>"),
    "many CDATA": lambda size: _filled(_repeated("<![CDATA[x]]>", size)),
    "many open CDATA": lambda size: _repeated("<![CDATA[", size) + _GOOD,
    "many root openers": lambda size: _repeated("<review>", size) + _GOOD,
    "many root openers, nothing else": lambda size: _repeated("<review>", size),
    "many root openers without >": lambda size: _repeated("<review ", size),
    "many root openers, one >": lambda size: _repeated("<review ", 4 * size) + ">",
    "many root closers": lambda size: _GOOD + _repeated("</review>", size),
    "many root closers, one >": lambda size: _GOOD + _repeated("</review ", 4 * size) + ">",
    "many candidates": lambda size: _repeated(_GOOD, size),
    "many empty candidates": lambda size: _repeated("<review/>", size) + _GOOD,
    "many broken candidates": lambda size: _repeated("<review><b></review>", size) + _GOOD,
    "nested roots": lambda size: _repeated("<review>", size // 2) + _repeated("</review>", size // 2),
    "many &": lambda size: _filled("&" * size),
    "many &amp;": lambda size: _filled("&amp;" * (size // 5)),
    "many &#": lambda size: _filled("&#" * (size // 2)),
    "one long reference": lambda size: _filled(f"&#{'0' * size}65;"),
    "deep": lambda size: _GOOD.replace(
        "</review>", _repeated("<b>", size // 2) + _repeated("</b>", size // 2) + "</review>"
    ),
    "many unknown elements": lambda size: _GOOD.replace("</review>", _repeated("<b>x</b>", size) + "</review>"),
    "many stray texts": lambda size: _GOOD.replace("</review>", _repeated("x<b/>", size) + "</review>"),
    "many duplicates": lambda size: _GOOD.replace("</review>", _repeated("<score>4</score>", size) + "</review>"),
    "many attributes": lambda size: _GOOD.replace(
        "<review>", "<review " + " ".join(f"a{index}='>'" for index in range(size // 10)) + ">"
    ),
    "many quotes": lambda size: _GOOD.replace("<review>", "<review " + "\"'" * (size // 2) + ">"),
    "many thoughts": lambda size: _repeated("<think>x</think>", size) + _GOOD,
    "many open thoughts": lambda size: _repeated("<think>", size) + _GOOD,
    "many closed thoughts": lambda size: _repeated("</think>", size) + _GOOD,
    "many surrogates": lambda size: _filled("\ud83d" * size),
    "many fences": lambda size: _filled("```\n" * (size // 4)),
    "a long fence": lambda size: _filled("`" * size),
    "many blanks": lambda size: _filled(" " * size + "x" + " " * size),
    "many digits": lambda size: _GOOD.replace("4", "4" * size),
    "many null words": lambda size: _filled("None " * (size // 5)),
}


def read(reply: str) -> None:
    """Reads a reply, whatever comes of it."""
    try:
        REVIEW.parse(reply, strict=False)
    except ReplyError as error:
        str(error)


@pytest.mark.parametrize("shape", SHAPES)
def test_law_6_time_grows_with_the_reply(shape: str) -> None:
    """At 16x the size, a character costs about what it costs at 1x."""
    assert grows_with_the_text(read, SHAPES[shape], UNIT)


@pytest.mark.parametrize("shape", ["clean", "many items, attributes", "many candidates", "many root openers", "deep"])
def test_law_6_memory_grows_with_the_reply(shape: str) -> None:
    """At 4x the size, a character takes no more memory than at 1x."""
    small, large = (_peak(text) / len(text) for text in (SHAPES[shape](UNIT * times) for times in (1, 4)))
    assert large <= 1.5 * small


def _peak(reply: str) -> int:
    read(reply)  # what is compiled once is not the reply's
    tracemalloc.start()
    try:
        read(reply)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
