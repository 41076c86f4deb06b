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
from .text import decode, decode_clean

__all__ = ["Element", "NotWellFormedError", "elements_of"]

_TAG = re.compile(
    r"<(?:!--.*?--|!\[CDATA\[.*?\]\]|\?.*?\?|"
    r"(?P<closer>/)?(?P<name>[^\s>/\"'!?]++)(?P<rest>(?:[^>\"'/]++|\"[^\"]*+\"|'[^']*+'|/(?!>))*+)(?P<empty>/)?)>",
    re.S,
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
    `span` of the whole, `inner` of what stands between its tags."""

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
        raise NotWellFormedError(_cause(error), start + _offset(block, error)) from error
    except (ValueError, UnicodeError) as error:
        raise NotWellFormedError(str(error), start) from error


def _for_lxml(block: str) -> str:
    """The block, of the same length, with harmless letters in place of what libxml2 refuses and a reply may hold:
    references that XML 1.0 does not know, and prefixes of namespaces that nobody declared."""
    block = _REFERENCE.sub(_harmless, block) if "&" in block else block
    return _PREFIX.sub(r"\1_", block) if ":" in block else block


def _harmless(match: re.Match[str]) -> str:
    return "x" * len(match[0]) if decode_clean(match[0]) is not None else match[0]


def _cause(error: etree.XMLSyntaxError) -> str:
    """libxml2's message without the position, which is that in the block."""
    return re.sub(r", line \d+, column \d+.*", "", error.msg or "no element")


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
