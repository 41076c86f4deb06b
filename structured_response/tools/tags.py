"""What the reader's tokens are for a call: tags of its arguments, of its end, and of other calls."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..definition import Node, fold, is_near, is_xml_name
from ..findings import Repair, RepairKind, Span
from ..read import scan
from ..read.scan import CLOSE, attributes_of, is_blank
from ..render.placeholder import PROMPT_ATTRIBUTES
from .source import Source, Style


class Tag(NamedTuple):
    """A tag behind the head of a call.

    Attributes:
        kind: "call" is the head of another call, "stop" the end of the text.
        name: The argument as it is written. Empty for a closing tag that closes any argument.
        is_exact: Whether it is written as it should be.
        argument: The argument of the tool that the name means, or None.
        span: Its place.
        gap: What is in front of it, up to the tag before.
        begins_line: Whether it is the first of its line.
        ends_line: Whether it is the last of its line, in shapes where arguments have lines of their own.
        is_paired: Whether it closes a tag of its name.
    """

    kind: Literal["open", "close", "end", "call", "stop"]
    name: str = ""
    is_exact: bool = True
    argument: str | None = None
    span: Span = (0, 0)
    gap: Literal["", "element", "text"] = ""
    begins_line: bool = False
    ends_line: bool = False
    is_paired: bool = False


KEY = "arg_key"
KEYED = re.compile(rf"<{KEY}>([^<>]{{1,100}}+)</{KEY}>\s*+<arg_value>")
"""The opening tag of an argument that is two elements."""
_SOUND = re.compile(
    r"""< ?+/?+(?:\uff5cDSML\uff5c)?+\w[\w.:-]*+(?P<plain>(?:\s++[a-z-]++=(?:'[^']*+'|"[^"]*+"))*+\s*+>\Z)?+"""
)
"""What is a tag in a call, and not just for the reader. It is plain if it has nothing but a name and attributes, such
as those of the prompt, which some models copy.
"""
ATTRIBUTES = (
    r"""(?:\s++[\w.:-]{1,50}+(?:\s*+=\s*+(?:"[^"]{0,900}+"|'[^']{0,900}+'|(?:[^\s"'<>/]|/(?!>)){1,100}+))?+){0,16}+"""
)
"""The attributes of the head of a call."""
_ASIDE = PROMPT_ATTRIBUTES | {"id", "key", "name", "tool", "string", "xmlns"}
"""Attributes that say nothing of an argument, unless the tool has an argument of the name."""
FIRST_LINE = re.compile(r"[ \t]*+\r?\n")
LAST_LINE = re.compile(r"\r?\n[ \t]*+\Z")
"""The line breaks behind a tag and in front of the next one."""
_ELEMENTS = re.compile(r"(?:\s++|<!--(?:(?!-->).)*+-->|<([\w.-]++)>[^<]*+</\1>)*+", re.DOTALL)
"""Comments, and elements that are no arguments."""


@dataclass
class Tags:
    """What tags are for a call.

    Attributes:
        source: The text that may belong to the call.
        node: The object of the tool's arguments.
        tool: The name of the tool, as the head has it.
        style: The names of the shape's elements.
    """

    source: Source
    node: Node
    tool: str
    style: Style
    _known: dict[str, Tag | None] = field(default_factory=dict)

    def behind(self, place: int) -> Iterator[Tag]:
        """Yields the tags of the call behind its head, and at last the end of the text."""
        text, stop, tokens, opened = self.source.text, self.source.stop, self.source.tokens(), Counter[str]()
        for index in range(bisect_left(tokens.starts, place), len(tokens.starts)):
            begin = tokens.starts[index]
            if tokens.ends[index] > stop:
                break
            tag = self.tag(tokens.tags[index], begin) if begin >= place else None
            if tag is None:
                continue
            is_paired = tag.kind == "close" and opened[tag.name] > 0
            opened[tag.name] += (tag.kind == "open") - is_paired
            line = text.rfind("\n", place, begin)
            begins_line = line >= 0 and is_blank(text, line, begin)
            ends_line = self.style.layout is not None and FIRST_LINE.match(text, tag.span[1]) is not None
            yield Tag(*tag[:5], _gap(text, place, begin), begins_line, ends_line, is_paired)
            place = tag.span[1]
        yield Tag("stop", span=(stop, stop), gap=_gap(text, place, stop))

    def tag(self, token: scan.Tag, start: int) -> Tag | None:
        """Returns what a token of the reader's is for the call, or None if it is just text."""
        text = self.source.text
        keyed = KEYED.match(text, start) if token.name == KEY else None
        raw = text[start : start + token.length] if keyed is None else keyed[0]
        if raw not in self._known:
            self._known[raw] = self._meaning(token, raw, keyed and keyed[1].strip())
        tag = self._known[raw]
        return tag and Tag(*tag[:4], (start, start + len(raw)))

    def given(self, start: int, stop: int) -> tuple[dict[str, Span], list[Repair]]:
        """Returns the arguments that are attributes of a head, and what is on record of its attributes."""
        text, given = self.source.text, dict[str, Span]()
        repairs: list[Repair] = []
        for each in attributes_of(text[start:stop].replace("\n", " ")):
            found, span = self.node.field_of(each.name), (start + each.start, start + each.end)
            if found is not None and found.name not in given:
                given[found.name] = span
                written = f"{each.name}={text[slice(*span)]}"
                repairs.append(Repair(RepairKind.SHAPE_CHANGED, f"$.{found.name}", span, written, text[slice(*span)]))
            elif each.name not in _ASIDE:
                repairs.append(Repair(RepairKind.ELEMENT_SKIPPED, "$", span, each.name, ""))
        return given, repairs

    def may_be(self, name: str) -> bool:
        """Returns whether a tag of a name may be one of the call."""
        others = (self.style.end or self.tool, self.style.argument or "entry")
        return self.argument(name) is not None or any(is_like(name, other) for other in others)

    def _meaning(self, token: scan.Tag, raw: str, key: str | None) -> Tag | None:
        name, end, style = (token.closer or token.name).rpartition(":")[2], self.style.end or self.tool, self.style
        sound = _SOUND.match(raw)
        if sound is None:
            return None
        if key is not None:
            return self._opening(key if style.argument == "arg_value" else "arg_value", True)
        if token.kind == CLOSE:
            return self._closing(name, is_plain=sound["plain"] is not None)
        if name == end and (style.end == "" or ("=" in raw) == style.is_headed):
            return Tag("call")
        if style.argument:
            return self._alike(name, raw) if is_like(name, style.argument) else None
        if sound["plain"] is None:
            return None
        is_exact = not any(self.node.field_of(each) for each in token.given)
        return self._opening(token.name if token.closer == "entry" else name, is_exact)

    def _opening(self, name: str, is_exact: bool) -> Tag:
        return Tag("open", name, is_exact, self.argument(name))

    def _alike(self, name: str, raw: str) -> Tag | None:
        """Returns the opening tag of an argument in a shape where all of them are alike."""
        is_exact = name == self.style.argument
        for given in attributes_of(raw):
            if given.name in ("name", "tool", name):
                quote = raw[given.start - 1]
                is_quoted = quote not in "\"'" or raw[given.end : given.end + 1] == quote
                return self._opening(given.value, is_exact and is_quoted and raw[-1] == ">")
        return Tag("close", "", False) if is_exact and "=" not in raw else None  # the slash is missing

    def _closing(self, name: str, is_plain: bool) -> Tag | None:
        end, argument = self.style.end or self.tool, self.style.argument
        if name == end or (fold(name) == fold(end) and name not in self.node.fields):
            return Tag("end", "", is_plain and name == end)
        if argument:
            return Tag("close", "", name == argument and is_plain) if is_like(name, argument) else None
        if name == "entry" and not all(map(is_xml_name, self.node.fields)):
            return Tag("close", "", is_plain)
        return Tag("close", name, is_plain, self.argument(name))

    def argument(self, name: str) -> str | None:
        """Returns the argument that a name means: exact, by an alias, in another case, or with one slip."""
        found = self.node.field_of(name)
        near = [] if found is not None else [known for known in self.node.fields if is_like(name, known)]
        return found.name if found is not None else near[0] if len(near) == 1 else None


def _gap(text: str, start: int, end: int) -> Literal["", "element", "text"]:
    return "" if is_blank(text, start, end) else "element" if _ELEMENTS.fullmatch(text, start, end) else "text"


def is_like(name: str, other: str) -> bool:
    """Returns whether a name is another one with at most one slip. It may be short: a call has few names."""
    one, two = fold(name), fold(other)
    return one == two or is_near(one, two, least=2)
