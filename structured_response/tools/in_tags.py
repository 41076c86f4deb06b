"""Reads calls whose arguments are in tags.

Texts are kept as they are written: the reader gets them escaped. It reads everything else by its type. Some language
models escape texts where a prompt asks for none; a text without any raw `&` or `<` is unescaped, on record.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from html import unescape

from ..definition import Node, is_xml_name
from ..escaping import attribute, escape_value
from ..findings import Repair, RepairKind, Span
from .arguments import find_arguments
from .pieces import Pieces
from .source import Reading, Shape, Source, Style, Written
from .tags import FIRST_LINE, LAST_LINE, Tags

# The blanks around an argument


def lines(text: str, indentation: str) -> str:
    """Removes one line break from each side."""
    return _OUTER_BREAK.sub("", text)


def block(text: str, indentation: str) -> str:
    """Removes the line breaks behind and before tags that both are on lines of their own, and the indentation of a text
    that is indented with its tags. A text on the line of one of its tags stays as it is.
    """
    first, last = FIRST_LINE.match(text), LAST_LINE.search(text)
    if first is None or last is None or last.start() < first.end() - 1:
        return text
    text = text[first.end() : max(first.end(), last.start())]
    inner = [line for line in text.split("\n") if line.strip()]
    if not indentation or not all(line.startswith(indentation) for line in inner):
        return text
    common = min((len(line) - len(line.lstrip(" \t")) for line in inner), default=0)
    return "\n".join(line[common:] for line in text.split("\n"))


_OUTER_BREAK = re.compile(r"\A\r?\n|\r?\n\Z")


# The shapes


OWN = Style("", "call", block)
BARE = Style("", "", block)
INVOKE = Style("parameter", "invoke", None)
QWEN = Style("parameter", "function", lines)
GLM = Style("arg_value", "tool_call", None, is_headed=False)


def read_tags(source: Source, shape: Shape, head: re.Match[str]) -> Reading:
    """Reads a call in tags."""
    assert shape.style is not None
    name = source.tools.named(head[1])
    node = source.tools.plans[name].root if name is not None else Node("dict")
    tags = Tags(source, node, head[1], shape.style)
    given, repairs = tags.given(head.end(1), head.end())
    whole = (Written(head[1], head.span(), is_closed=True), given) if head[0].endswith("/>") else None
    found = whole or find_arguments(tags, head.span(), given)
    if found is None:
        return None
    written, arguments = found
    written.repairs[:0] = repairs
    if name is not None and arguments:
        _lay_out(source, shape.style, name, written, arguments)
    return [written], written.span[1]


def _lay_out(source: Source, style: Style, tool: str, written: Written, arguments: dict[str, Span]) -> None:
    """Writes the arguments in the library's own XML. Texts are escaped, so that each is read as it is."""
    plan = source.tools.plans[tool]
    written.form = "xml"
    pieces = written.pieces = Pieces(written.span, f"<{plan.root_name}>")
    for name, span in arguments.items():
        is_tag = is_xml_name(name)
        pieces.add(f"<{name}>" if is_tag else f"<entry key={attribute(name)}>")
        text = source.text[slice(*span)]
        if plan.root.fields[name].node.kind == "str" and not text.strip().startswith("<![CDATA["):
            # the line of the opening tag, as far as it belongs to the call
            line = source.text[max(source.text.rfind("\n", 0, span[0]) + 1, written.span[0]) : span[0]]
            value = _text(style, text, line)
            if not style.argument and (meant := _unescaped(value)) != value:
                written.repairs.append(Repair(RepairKind.UNESCAPED, f"$.{name}", span, value, meant))
                value = meant
            text = escape_value(value, touched=False)
        pieces.add(text, span)
        pieces.add(f"</{name}>" if is_tag else "</entry>")
    pieces.add(f"</{plan.root_name}>")


def _text(style: Style, text: str, line: str) -> str:
    """Returns the text of an argument, given what stands before it on its line."""
    stripped = text.strip()
    if _JSON_TEXT.search(line) and stripped[:1] == '"':
        with suppress(ValueError):
            return str(json.loads(stripped, strict=False))
        return stripped
    return text if style.layout is None else style.layout(text, line[: len(line) - len(line.lstrip(" \t"))])


_JSON_TEXT = re.compile(r"""string\s*+=\s*+["']?false["']?\s*+>\Z""")


def _unescaped(text: str) -> str:
    """Returns a text without its escapes if every `&` and `<` in it is escaped."""
    return unescape(text) if "&" in text and _ALL_ESCAPED.fullmatch(text) else text


_ALL_ESCAPED = re.compile(r"(?:[^&<]|&(?:amp|lt|gt|quot|apos|#0?3[49]|#x2[27]);)*+")
