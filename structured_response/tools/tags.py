"""What the reader's tokens are for a call: tags of its arguments, of its end, and of other calls."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..definition import Node, fold, is_near, is_xml_name
from ..findings import Repair, RepairKind, Span
from ..read import scan
from ..read.scan import CLOSE, Scan, attributes_of, is_blank
from ..render.placeholder import PROMPT_ATTRIBUTES
from ..stream.feed import TagFeed


class Style(NamedTuple):
    """The names of a shape's elements.

    Attributes:
        argument: The element of each argument, or "" if it is the argument's own name.
        end: The element of a call, or "" if it is the tool's name.
        layout: Removes the blanks around an argument that are not part of it, given the blanks before its tag. None if
            all of them are.
        is_headed: Whether the opening tag of a call has an attribute.
    """

    argument: str
    end: str
    layout: Callable[[str, str], str] | None
    is_headed: bool = True


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
    gap: Literal["", "comment", "element", "text"] = ""
    begins_line: bool = False
    ends_line: bool = False
    is_paired: bool = False


KEY = "arg_key"
KEYED = re.compile(rf"<{KEY}>([^<>]{{1,100}}+)</{KEY}>\s*+<arg_value>")
"""The opening tag of an argument that is two elements."""
_SHOWN = re.compile(r"""< ?+[^\s<>=]++(?:\s++[a-z-]++=(?:'[^']*+'|"[^"]*+"))*+\s*+>""")
"""An opening tag with nothing but a name and attributes. Some models copy those of the prompt."""
_CLOSING = re.compile(r"< ?+/[^\s<>/\\]++\s*+(>?+)")
ATTRIBUTES = (
    r"""(?:\s++[\w.:-]{1,50}+(?:\s*+=\s*+(?:"[^"]{0,900}+"|'[^']{0,900}+'|(?:[^\s"'<>/]|/(?!>)){1,100}+))?+){0,16}+"""
)
"""The attributes of the head of a call."""
_ASIDE = PROMPT_ATTRIBUTES | {"id", "key", "name", "tool", "string", "xmlns"}
"""Attributes that say nothing of an argument, unless the tool has an argument of the name."""
FIRST_LINE = re.compile(r"[ \t]*+\r?\n")
LAST_LINE = re.compile(r"\r?\n[ \t]*+\Z")
"""The line breaks behind a tag and in front of the next one."""
_COMMENTS = re.compile(r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+)*+", re.DOTALL)
_ELEMENTS = re.compile(r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+|<([\w.-]++)>[^<]*+</\1>\s*+)*+", re.DOTALL)


class CallScan(Scan):
    """The reader's scanner for texts that may hold anything: nothing hides a tag, neither quotes nor a comment."""

    def tag_at(self, text: str, start: int, end: int) -> scan.Tag:
        bracket = text.find("<", start + 1, end)
        tag = super().tag_at(text, start, end if bracket < 0 else bracket)
        return tag if tag.length else tag._replace(kind="")

    def called(self, name: str, slash: str, attributes: str) -> tuple[str, str, bool]:
        """Knows names with a slip too: a tag without its bracket counts only if its name is known."""
        called, closer, is_known = super().called(name, slash, attributes)
        return called, closer, is_known or any(is_like(name, known) for known in self.known)


@dataclass
class Tags:
    """What tags are for a call.

    Attributes:
        text: The reply.
        node: The object of the tool's arguments.
        tool: The name of the tool, as the head has it.
        style: The names of the shape's elements.
    """

    text: str
    node: Node
    tool: str
    style: Style
    _meant: dict[str, str | None] = field(default_factory=dict)
    _known: dict[tuple[str, str], Tag | None] = field(default_factory=dict)

    def between(self, feed: TagFeed, start: int, stop: int) -> Iterator[Tag]:
        """Yields the tags of the call from one place to another, and at last the end of the text."""
        text, tokens, place, opened = self.text, feed.tokens, start, Counter[str]()
        for index in range(bisect_left(tokens.starts, start), len(tokens.starts)):
            begin, end = tokens.starts[index], tokens.ends[index]
            if end > stop:
                break
            tag = self.tag(tokens.tags[index], text, begin) if begin >= place else None
            if tag is None:
                continue
            is_paired = tag.kind == "close" and tag.name != "" and opened[tag.name] > 0
            opened[tag.name] += (tag.kind == "open") - is_paired
            line = text.rfind("\n", place, begin)
            yield tag._replace(
                gap=_gap(text, place, begin),
                begins_line=line >= 0 and is_blank(text, line, begin),
                ends_line=self.style.layout is not None and FIRST_LINE.match(text, tag.span[1]) is not None,
                is_paired=is_paired,
            )
            place = tag.span[1]
        yield Tag("stop", span=(stop, stop), gap=_gap(text, place, stop))

    def argument(self, name: str) -> str | None:
        """Returns the argument that a name means: exact, by an alias, in another case, or with one slip."""
        if name not in self._meant:
            found = self.node.field_of(name)
            near = [] if found is not None else [known for known in self.node.fields if is_like(name, known)]
            self._meant[name] = found.name if found is not None else near[0] if len(near) == 1 else None
        return self._meant[name]

    def given(self, start: int, stop: int) -> tuple[dict[str, Span], list[Repair]]:
        """Returns the arguments that are attributes of a head, and what is on record of its attributes."""
        text, given = self.text, dict[str, Span]()
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
        others = (self._end, self.style.argument or "entry")
        return self.argument(name) is not None or any(is_like(name, other) for other in others)

    def tag(self, token: scan.Tag, text: str, start: int) -> Tag | None:
        """Returns what a token of the reader's is for the call, or None if it is just text."""
        if not token.name:
            return None
        if token.name == KEY and (keyed := KEYED.match(text, start)) is not None:
            name = keyed[1].strip() if self.style.argument == "arg_value" else "arg_value"
            return Tag("open", name, argument=self.argument(name), span=keyed.span())
        raw = text[start : start + token.length]
        if (token.kind, raw) not in self._known:
            self._known[token.kind, raw] = self._meaning(token, raw)
        tag = self._known[token.kind, raw]
        return tag and tag._replace(span=(start, start + token.length))

    def _meaning(self, token: scan.Tag, raw: str) -> Tag | None:
        element = (token.closer or token.name).rpartition(":")[2]
        if token.kind == CLOSE:
            return self._closing_tag(element, raw)
        if element == self._end and (self.style.end == "" or ("=" in raw) == self.style.is_headed):
            return Tag("call")
        if self.style.argument:
            return self._argument_tag(element, raw, token.is_broken)
        if _SHOWN.fullmatch(raw) is None:
            return None
        name = token.name if token.closer == "entry" else element
        return self._opening(name, not any(self.node.field_of(each) for each in token.given))

    def _opening(self, name: str, is_exact: bool) -> Tag:
        return Tag("open", name, is_exact, self.argument(name))

    @property
    def _end(self) -> str:
        return self.style.end or self.tool

    def _closing_tag(self, name: str, raw: str) -> Tag | None:
        end, style, plain = self._end, self.style, _CLOSING.match(raw)
        if plain is None:
            return None
        is_plain = plain[1] == ">"
        if name == end or (fold(name) == fold(end) and name not in self.node.fields):
            return Tag("end", "", is_plain and name == end)
        if style.argument:
            return Tag("close", "", name == style.argument and is_plain) if is_like(name, style.argument) else None
        if name == "entry" and not all(map(is_xml_name, self.node.fields)):
            return Tag("close", "", is_plain)
        return Tag("close", name, is_plain, self.argument(name))

    def _argument_tag(self, name: str, raw: str, is_broken: bool) -> Tag | None:
        """Returns the opening tag of an argument in a shape where all of them are alike."""
        is_exact = name == self.style.argument and not is_broken
        if not is_like(name, self.style.argument):
            return None
        for given in attributes_of(raw):
            if given.name in ("name", "tool", name):
                quote = raw[given.start - 1]
                return self._opening(given.value, is_exact and (quote not in "\"'" or raw[given.end] == quote))
        is_closer = name == self.style.argument and "=" not in raw  # the slash is missing
        return Tag("close", "", False) if is_closer else None


def _gap(text: str, start: int, end: int) -> Literal["", "comment", "element", "text"]:
    if is_blank(text, start, end):
        return ""
    if _COMMENTS.fullmatch(text, start, end):
        return "comment"
    return "element" if _ELEMENTS.fullmatch(text, start, end) else "text"


def is_like(name: str, other: str) -> bool:
    """Returns whether a name is another one with at most one slip. It may be short: a call has few names."""
    one, two = fold(name), fold(other)
    return one == two or is_near(one, two, least=2)
