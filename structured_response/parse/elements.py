"""A well-formed answer -> its elements, each with its place in the reply. lxml judges; the source is what counts.

lxml decodes references before the layout rule could see them, refuses some that a reply may hold, has no
columns and writes inner markup anew. So names, attributes and places come from the reply's own characters,
and lxml decides whether those are well-formed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from ..findings import Span
from ..limits import MAX_DEPTH
from .reading import LimitReachedError
from .text import decode, decode_clean

__all__ = ["Element", "NotWellFormedError", "elements_of"]

_TAG = re.compile(
    r"<(?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?|"
    r"(?P<closer>/)?(?P<name>[^\s>/\"'!?]++)(?P<rest>(?:[^>\"'/]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*+)(?P<empty>/)?)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([^\s=]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
_PREFIX = re.compile(r"((?<=[<\s/])[^\s<>:=&'\"/]++):(?=[^\s<>:=&'\"/])")
_REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[#A-Za-z0-9]{1,64}+;")


class NotWellFormedError(Exception):
    """The answer is not well-formed. Never leaves the package: it becomes a problem."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class Element:
    """An element: its tag and attributes as they are written, its children, and its places in the reply:
    `span` of the whole, `inner` of what stands between its tags.
    """

    __slots__ = ("children", "inner", "rest", "span", "tag")

    def __init__(self, tag: str, rest: str, start: int, inner_start: int) -> None:
        self.tag = tag
        self.rest = rest
        self.span: Span = (start, inner_start)
        self.inner: Span = (inner_start, inner_start)
        self.children: list[Element] = []

    def attribute(self, name: str) -> str | None:
        """The decoded value of an attribute, or None."""
        if name in self.rest:
            for match in _ATTRIBUTE.finditer(self.rest):
                if match[1] == name:
                    return decode(match[2] if match[2] is not None else match[3])
        return None


def elements_of(reply: str, span: Span) -> Element:
    """The root element that stands at `span`. Raises `NotWellFormedError` where it is not well-formed."""
    _judge(reply[span[0] : span[1]], span[0])
    return _build(reply, span)


def _judge(block: str, start: int) -> None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False)
    try:
        etree.fromstring(_for_lxml(block), parser)
    except etree.XMLSyntaxError as error:
        cause, place = _cause(error, block)
        place += start
        if "depth" in cause:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", (place, place + 1)) from error
        raise NotWellFormedError(f"not well-formed: {cause}", place) from error
    except (ValueError, UnicodeError) as error:
        raise NotWellFormedError(f"not well-formed: {error}", start) from error


def _for_lxml(block: str) -> str:
    """The block, of the same length, with harmless letters in place of what libxml2 refuses and a reply may hold:
    references that XML 1.0 does not know, and prefixes of namespaces that nobody declared.
    """
    block = _REFERENCE.sub(_harmless, block) if "&" in block else block
    return _PREFIX.sub(r"\1_", block) if ":" in block else block


def _harmless(match: re.Match[str]) -> str:
    return "x" * len(match[0]) if decode_clean(match[0]) is not None else match[0]


_CAUSES = (
    (re.compile("xmlParseEntityRef: no name|EntityRef: expecting ';'"), "a bare & (write &amp; or use CDATA)", "&"),
    (re.compile("StartTag: invalid element name"), "a bare < (write &lt; or use CDATA)", "<"),
    (re.compile(r"Opening and ending tag mismatch: (\S+) line \d+ and (\S+)"), r"<\1> is closed by </\2>", "</"),
    (re.compile(r"Premature end of data in tag (\S+) line \d+"), r"<\1> is never closed", ""),
    (re.compile(r"Entity '(.+?)' not defined"), r"nobody knows the entity &\1;", "&"),
    (re.compile(r"invalid Char value (\d+)"), r"a control character, number \1", ""),
)
"""What libxml2 says, what that means, and what to look for in front of the place that it names."""


def _cause(error: etree.XMLSyntaxError, block: str) -> tuple[str, int]:
    """The cause in a few words, and where in the block it stands. What is in no table stays in libxml2's words."""
    said = re.sub(r", line \d+, column \d+.*", "", error.msg or "no element")
    place = max(0, min(_offset(block, error), len(block) - 1))
    for pattern, meaning, sought in _CAUSES:
        match = pattern.search(said)
        if match is not None:
            found = block.rfind(sought, 0, place + 1) if sought else place
            return match.expand(meaning), max(found, 0)
    return said, place


def _offset(block: str, error: etree.XMLSyntaxError) -> int:
    """The character that the error's line and column, which count from 1, stand for."""
    line, column = error.position
    start = 0
    for _ in range(line - 1):
        start = block.find("\n", start) + 1
    return min(start + max(0, column - 1), len(block))


def _build(reply: str, span: Span) -> Element:
    """The elements of a block that lxml found well-formed, so that tags pair up and the last one closes the root."""
    stack: list[Element] = []
    element = Element("", "", *span)
    for match in _tags(reply, span):
        if match["closer"]:
            element = stack.pop()
            element.inner = (element.inner[0], match.start())
            element.span = (element.span[0], match.end())
            continue
        element = Element(match["name"], match["rest"], *match.span())
        if stack:
            stack[-1].children.append(element)
        if not match["empty"]:
            stack.append(element)
    return element


def _tags(reply: str, span: Span) -> Iterator[re.Match[str]]:
    return (match for match in _TAG.finditer(reply, *span) if match["name"])
