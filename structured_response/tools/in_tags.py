"""Reads calls whose arguments are in tags.

The texts of arguments are kept as they are written; the reader gets them escaped, and reads everything else by its type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from ..definition import Field, Node, is_xml_name
from ..escaping import attribute, escape_value
from ..findings import Span
from ..read.values.text import unfenced
from .arguments import Style, find_arguments
from .pieces import Pieces
from .source import Reading, Shape, Source, Written


class Tags(NamedTuple):
    """A shape in tags.

    Attributes:
        style: The names of its elements.
        layout: Removes the blanks around an argument that are not part of it, given the blanks before its tag.
    """

    style: Style
    layout: Callable[[str, str], str]


# The blanks around an argument


def raw(text: str, indentation: str) -> str:
    """Keeps a text as it is."""
    return text


def lines(text: str, indentation: str) -> str:
    """Removes one line break from each side."""
    return text.removeprefix("\r").removeprefix("\n").removesuffix("\n").removesuffix("\r")


def block(text: str, indentation: str) -> str:
    """Removes the line breaks behind and before tags that both are on lines of their own, and the indentation of a text
    that is indented with its tags. A text on the line of one of its tags stays as it is.
    """
    first, last = _FIRST_LINE.match(text), _LAST_LINE.search(text)
    if first is None or last is None or last.start() < first.end() - 1:
        return text
    text = text[first.end() : max(first.end(), last.start())]
    inner = [line for line in text.split("\n") if line.strip()]
    if not indentation or not all(line.startswith(indentation) for line in inner):
        return text
    common = min((len(line) - len(line.lstrip(" \t")) for line in inner), default=0)
    return "\n".join(line[common:] for line in text.split("\n"))


_FIRST_LINE = re.compile(r"[ \t]*\r?\n")
_LAST_LINE = re.compile(r"\r?\n[ \t]*\Z")


# The shapes


OWN = Tags(Style("", "call"), block)
BARE = Tags(Style("", ""), block)
INVOKE = Tags(Style("parameter", "invoke"), raw)
QWEN = Tags(Style("parameter", "function"), lines)
GLM = Tags(Style("arg_value", "tool_call"), raw)


def reads_tags(tags: Tags) -> Callable[[Source, Shape, re.Match[str]], Reading]:
    """Returns the function that reads a call in the tags of a shape."""

    def read(source: Source, shape: Shape, head: re.Match[str]) -> Reading:
        name = source.tools.named(head[1])
        written = Written(head[1], head.span())
        if head[0].endswith("/>"):
            return [written], head.end()
        node = source.tools.plans[name].root if name is not None else Node("dict")
        found = find_arguments(source.text, head.span(), min(len(source.text), source.stop), node, head[1], tags.style)
        if found is None:
            return None
        written = Written(head[1], (head.start(), found.end), repairs=found.repairs, problems=found.problems)
        if name is not None:
            _lay_out(source, tags, name, written, found.arguments)
        return [written], found.end

    return read


def _lay_out(source: Source, tags: Tags, tool: str, written: Written, arguments: dict[str, Span]) -> None:
    """Writes the arguments in the library's own XML. Texts are escaped, so that each is read as it is."""
    if not arguments:
        return
    plan = source.tools.plans[tool]
    written.form = "xml"
    pieces = written.pieces = Pieces(written.span)
    pieces.add(f"<{plan.root_name}>")
    for name, (start, end) in arguments.items():
        opened, closed = (
            (f"<{name}>", f"</{name}>") if is_xml_name(name) else (f"<entry key={attribute(name)}>", "</entry>")
        )
        pieces.add(opened)
        pieces.add(*_value(source, tags, plan.root.fields[name], (start, end)))
        pieces.add(closed)
    pieces.add(f"</{plan.root_name}>")


def _value(source: Source, tags: Tags, field: Field, span: Span) -> tuple[str, Span]:
    """Returns the text of an argument and its place."""
    text = source.text[slice(*span)]
    if field.node.kind != "str":
        return text, span
    stripped = text.strip()
    if stripped.startswith("<![CDATA[") or unfenced(stripped) is not stripped:
        return text, span  # on record
    line = source.text[source.text.rfind("\n", 0, span[0]) + 1 : span[0]]
    value = tags.layout(text, line[: len(line) - len(line.lstrip(" \t"))])
    if _JSON_TEXT.search(line) and stripped[:1] == '"':
        value = _said(stripped)
    return escape_value(value, touched=False), span


_JSON_TEXT = re.compile(r"""string\s*=\s*["']?false["']?\s*>\Z""")


def _said(raw: str) -> str:
    """Returns the text of a string of JSON, or the string itself if it is none."""
    try:
        value = json.loads(raw, strict=False)
    except ValueError:
        return raw
    return value if isinstance(value, str) else raw
