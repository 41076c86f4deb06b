"""Finds the tags in a text that may be those of a call: of its arguments, of its end, and of other calls."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..definition import Node, fold, is_near, is_xml_name
from ..escaping import GAP
from ..findings import Repair, RepairKind, Span
from ..render.placeholder import PROMPT_ATTRIBUTES


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
        span: Its place.
        argument: The argument of the tool that the name means, or None.
        gap: What is in front of it, up to the tag before.
        begins_line: Whether it is the first of its line.
        ends_line: Whether it is the last of its line, in shapes where arguments have lines of their own.
        is_paired: Whether it closes a tag of its name.
    """

    kind: Literal["open", "close", "end", "call", "stop"]
    name: str
    is_exact: bool
    span: Span
    argument: str | None = None
    gap: Literal["", "comment", "element", "text"] = ""
    begins_line: bool = False
    ends_line: bool = False
    is_paired: bool = False


TAG = re.compile(
    r"<arg_key>(?P<key>[^<>]{1,100}+)</arg_key>\s*+<arg_value>"
    r"|<[ ]?+(?P<slash>/?+)(?:\w{1,40}+:|\uff5cDSML\uff5c)?+(?P<name>[\w.$-]{1,100}+)(?P<rest>[^<>]*+)(?P<end>>?+)"
)
_ATTRIBUTE = re.compile(
    r"""\s*+(?:(?:name|tool)\s*+)?+=\s*+(?:(["'])(?P<name>[^"'<>]{1,100})\1|(?P<bare>[\w.$:/-]{1,100}+))"""
)
_KEY = re.compile(r"""\s*+key\s*+=\s*+(["'])(?P<name>[^"'<>]{1,100})\1\s*+""")
"""The attribute of an argument whose name is no name of an element, as prompts show it."""
_SHOWN = re.compile(r"""(?:\s++[a-z-]++=(?:'[^']*+'|"[^"]*+"))*+\s*+""")
"""The attributes of the prompt, which some models copy."""
ATTRIBUTES = (
    r"""(?:\s++[\w.:-]{1,50}+(?:\s*+=\s*+(?:"[^"]{0,900}+"|'[^']{0,900}+'|(?:[^\s"'<>/]|/(?!>)){1,100}+))?+){0,16}+"""
)
"""The attributes of the head of a call."""
_GIVEN = re.compile(
    r"""(?<=\s)(?P<name>[\w.:-]{1,50}+)\s*+=\s*+(?:"(?P<double>[^"]*+)"|'(?P<single>[^']*+)'|(?P<plain>[^\s"'<>]++))"""
)
_ASIDE = PROMPT_ATTRIBUTES | {"id", "key", "name", "tool", "string", "xmlns"}
"""Attributes that say nothing of an argument, unless the tool has an argument of the name."""
FIRST_LINE = re.compile(r"[ \t]*+\r?\n")
LAST_LINE = re.compile(r"\r?\n[ \t]*+\Z")
"""The line breaks behind a tag and in front of the next one."""
_COMMENTS = re.compile(r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+)*+", re.DOTALL)
_ELEMENTS = re.compile(r"\s*+(?:<!--(?:(?!-->).)*+-->\s*+|<([\w.-]++)>[^<]*+</\1>\s*+)*+", re.DOTALL)


@dataclass
class Tags:
    """The tags that may be those of a call.

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

    def between(self, start: int, stop: int) -> Iterator[Tag]:
        """Yields the tags from one place to another, and at last the end of the text. Takes linear time."""
        place, opened = start, Counter[str]()
        for match in TAG.finditer(self.text, start, stop):
            tag = self.tag(match)
            if tag is None:
                continue
            if tag.kind == "open":
                opened[tag.name] += 1
            elif tag.kind == "close" and tag.name and opened[tag.name]:
                opened[tag.name] -= 1
                tag = tag._replace(is_paired=True)
            line = self.text.rfind("\n", place, match.start())
            yield tag._replace(
                gap=_gap(self.text, place, match.start()),
                begins_line=line >= 0 and not self.text[line : match.start()].strip(),
                ends_line=self.style.layout is not None and FIRST_LINE.match(self.text, tag.span[1]) is not None,
            )
            place = tag.span[1]
        yield Tag("stop", "", True, (stop, stop), gap=_gap(self.text, place, stop))

    def argument(self, name: str) -> str | None:
        """Returns the argument that a name means: exact, by an alias, in another case, or with one slip."""
        if name not in self._meant:
            found = self.node.field_of(name)
            near = [] if found is not None else [known for known in self.node.fields if is_like(name, known)]
            self._meant[name] = found.name if found is not None else near[0] if len(near) == 1 else None
        return self._meant[name]

    def given(self, start: int, stop: int) -> tuple[dict[str, Span], list[Repair]]:
        """Returns the arguments that are attributes of a head, and what is on record of its attributes."""
        given: dict[str, Span] = {}
        repairs: list[Repair] = []
        for match in _GIVEN.finditer(self.text, start, stop):
            found = self.node.field_of(match["name"])
            if found is not None and found.name not in given:
                value = match.lastgroup or ""
                given[found.name] = match.span(value)
                repair = Repair(RepairKind.SHAPE_CHANGED, f"$.{found.name}", match.span(), match[0], match[value])
                repairs.append(repair)
            elif match["name"] not in _ASIDE:
                repairs.append(Repair(RepairKind.ELEMENT_SKIPPED, "$", match.span(), match[0], ""))
        return given, repairs

    def may_be(self, name: str) -> bool:
        """Returns whether a tag of a name may be one of the call."""
        others = (self._end, self.style.argument or "entry")
        return self.argument(name) is not None or any(is_like(name, other) for other in others)

    def tag(self, match: re.Match[str]) -> Tag | None:
        """Returns the tag that was found, or None if it is just text."""
        if match["key"]:
            name = match["key"].strip() if self.style.argument == "arg_value" else "arg_value"
            return self._opening(name, True, match.span())
        span = match.span() if match["end"] else (match.start(), match.start("rest"))
        if match["slash"]:
            return self._closing_tag(match["name"], span, bool(match["end"]) and not match["rest"].strip())
        if self._is_head(match["name"], match["rest"]):
            return Tag("call", "", True, span)
        if self.style.argument:
            return self._argument_tag(match, span)
        entry = _KEY.fullmatch(match["rest"]) if match["name"] == "entry" and match["end"] else None
        if entry is not None:
            return self._opening(entry["name"], True, span)
        is_shown = match["end"] and not match["rest"].endswith("/") and _SHOWN.fullmatch(match["rest"])
        return self._opening(match["name"], not self._has_arguments(match["rest"]), span) if is_shown else None

    def _has_arguments(self, rest: str) -> bool:
        """Returns whether the attributes of an argument's tag have names of other arguments."""
        names = {match["name"] for match in _GIVEN.finditer(rest)} - PROMPT_ATTRIBUTES
        return any(self.node.field_of(name) is not None for name in names)

    def _opening(self, name: str, is_exact: bool, span: Span) -> Tag:
        return Tag("open", name, is_exact, span, self.argument(name))

    @property
    def _end(self) -> str:
        return self.style.end or self.tool

    def _is_head(self, name: str, rest: str) -> bool:
        return name == self._end and (self.style.end == "" or ("=" in rest) == self.style.is_headed)

    def _closing_tag(self, name: str, span: Span, is_plain: bool) -> Tag | None:
        end, style = self._end, self.style
        if name == end or (fold(name) == fold(end) and name not in self.node.fields):
            return Tag("end", "", is_plain and name == end, span)
        if style.argument:
            is_one = is_like(name, style.argument)
            return Tag("close", "", name == style.argument and is_plain, span) if is_one else None
        if name == "entry" and not all(map(is_xml_name, self.node.fields)):
            return Tag("close", "", is_plain, span)
        return Tag("close", name, is_plain, span, self.argument(name))

    def _argument_tag(self, match: re.Match[str], span: Span) -> Tag | None:
        """Returns the opening tag of an argument in a shape where all of them are alike."""
        name, given = match["name"], _ATTRIBUTE.match(match["rest"])
        is_exact = name == self.style.argument
        if given is not None and is_like(name, self.style.argument):
            return self._opening(given["name"] or given["bare"], is_exact and bool(match["end"]), span)
        if given is None and is_exact and not match["rest"].strip():
            return Tag("close", "", False, span)  # the slash is missing
        return None


def _gap(text: str, start: int, end: int) -> Literal["", "comment", "element", "text"]:
    if not text[start:end].strip(GAP):
        return ""
    if _COMMENTS.fullmatch(text, start, end):
        return "comment"
    return "element" if _ELEMENTS.fullmatch(text, start, end) else "text"


def is_like(name: str, other: str) -> bool:
    """Returns whether a name is another one with at most one slip. It may be short: a call has few names."""
    one, two = fold(name), fold(other)
    return one == two or is_near(one, two, least=2)
