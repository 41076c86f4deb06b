"""The texts of a call that is being written, read as if it had no faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..escaping import BLANK
from ..stream.growing import HELD, GrowingString
from .calls import Call
from .in_json import MEMBERS, read_json
from .shapes import PLAIN_JSON
from .source import LOOK_BACK, Shape, Style, Tools
from .tags import FIRST_LINE, KEY, KEYED, Tag, Tags
from .walk import Walk


@dataclass(frozen=True)
class CallPart:
    """What has become known of a call: more of one of its texts, or all of it.

    Attributes:
        name: The name of the tool.
        place: Where the call begins in the reply, as in its `span`. A call may come after texts of the next one.
        path: The path of the argument that `text` belongs to, such as `$.content`, or None.
        text: More of that argument, if it is a text. The texts of a path, joined, are its value.
        call: The call, once it is complete; otherwise None.
        restarted: Whether `text` replaces all that was shown of this argument. Without a path, what was given or shown
            at this place is no call, or one that does not count. With a call, the one that was given for this place is
            in doubt: what came behind it may belong to it.
    """

    name: str
    place: int
    path: str | None = None
    text: str = ""
    call: Call | None = None
    restarted: bool = False


@dataclass
class Shown:
    """A call that is being written, read as if it had no faults.

    Attributes:
        place: Where it begins.
        name: The name of the tool.
        looked: How far its text is read.
        inside: The text argument that is being written, or None.
        pieces: What was shown of each argument.
        is_held: Whether nothing more is shown before its end.
    """

    place: int
    name: str
    tools: Tools
    looked: int
    inside: str | None = None
    pieces: dict[str, list[str]] = field(default_factory=dict)
    is_held: bool = False

    def advance(self, text: str) -> Iterator[CallPart]:
        raise NotImplementedError

    def part(self, argument: str, text: str) -> Iterator[CallPart]:
        if text:
            self.pieces.setdefault(argument, []).append(text)
            yield CallPart(self.name, self.place, f"$.{argument}", text)

    def is_text(self, argument: str | None) -> bool:
        field = self.tools.plans[self.name].root.fields.get(argument or "")
        return field is not None and field.node.kind == "str"

    def held(self, argument: str) -> int:
        """Returns the number of characters that wait at the beginning, since they may be a word for null."""
        field = self.tools.plans[self.name].root.fields[argument]
        return HELD if field.node.nullable or not field.required else 0

    def rest(self, call: Call) -> Iterator[CallPart]:
        """Yields the rest of the texts of which something was shown."""
        for argument, pieces in self.pieces.items():
            shown = "".join(pieces)
            value = call.instance.get(argument) if call.instance is not None else None
            whole = value if isinstance(value, str) else ""
            if not whole.startswith(shown):
                yield CallPart(self.name, self.place, f"$.{argument}", whole, restarted=True)
            elif len(whole) > len(shown):
                yield CallPart(self.name, self.place, f"$.{argument}", whole[len(shown) :])


@dataclass
class _ShownTags(Shown):
    """A call in tags. An argument is open from `start` on, and shown up to `end`."""

    tags: Tags = field(kw_only=True)
    argument: str | None = None
    start: int = 0
    end: int = 0

    def advance(self, text: str) -> Iterator[CallPart]:
        """Yields more of the argument, up to a tag that may end it."""
        while not self.is_held:
            sign = text.find("<", self.looked)
            limit = len(text) if sign < 0 else sign
            if self.inside is not None:
                yield from self._show(text, limit, self.inside)
            self.looked = limit
            if sign < 0:
                break
            behind = self._take(text, sign)
            if behind is None:
                break
            self.looked = behind

    def _take(self, text: str, place: int) -> int | None:
        """Takes the tag at a place. Returns the place behind it, or None if that has not come yet."""
        tags, torn = self.tags, _TORN.match(text, place)
        is_torn = torn is not None and (not torn["rest"] or tags.may_be(torn["name"]))
        if tags.style.argument == "arg_value" and text.startswith(f"<{KEY}>", place):
            is_torn = KEYED.match(text, place) is None
        if is_torn and len(text) < place + LOOK_BACK:
            return None
        tag = tags.tag(self.tools.scanner.tag_at(text, place, len(text)), place)
        if tag is None:
            return place + 1
        if self.argument is None:
            return self._open(text, tag, tags.style)
        if tag.kind == "close" and tag.is_exact and tag.name in ("", self.argument):
            following = _VISIBLE.search(text, tag.span[1], tag.span[1] + LOOK_BACK)
            if following is None and len(text) < tag.span[1] + LOOK_BACK:
                return None
            if following is not None and following[0] == "<":
                self.argument = self.inside = None
        elif tag.kind in ("end", "call") or tag.argument is not None or tag.name == "":
            self.is_held = True
        return tag.span[1]

    def _open(self, text: str, tag: Tag, style: Style) -> int:
        """Takes a tag between arguments."""
        if tag.kind == "open" and tag.is_exact and tag.argument in (tag.name, None):
            self.argument = tag.name
            line = text[max(text.rfind("\n", 0, tag.span[0]) + 1, self.place) : tag.span[1]]
            is_laid_out = line[:1] in (" ", "\t") and style.layout is not None
            is_shown = self.is_text(tag.argument) and tag.name not in self.pieces and "false" not in line
            self.inside = tag.name if is_shown and not is_laid_out else None
            self.start = self.end = tag.span[1]
        else:
            self.is_held = True
        return tag.span[1]

    def _show(self, text: str, limit: int, argument: str) -> Iterator[CallPart]:
        if argument not in self.pieces:
            visible = _VISIBLE.search(text, self.end, min(limit, self.end + LOOK_BACK))
            is_long = limit > self.end + LOOK_BACK  # of blanks
            if not is_long and (visible is None or len(text) < visible.start() + _LONGEST_SIGN):
                return
            if visible is None or text.startswith("<![CDATA[", visible.start()):
                self.inside = None
                return
            line = None if self.tags.style.layout is None else FIRST_LINE.match(text, self.start)
            self.end = self.start if line is None else line.end()
        piece = text[self.end : limit].rstrip(BLANK)
        if argument in self.pieces or len(piece) > self.held(argument):
            self.end += len(piece)
            yield from self.part(argument, piece)


_VISIBLE = re.compile(r"\S")
_TORN = re.compile(r"< ?+/?+(?:\w{1,40}+:|\uff5c\w*+\uff5c?+)?+(?P<name>[\w.-]*+)(?P<rest>[^<>]*+)\Z")
"""A tag whose end has not come."""
_LONGEST_SIGN = len("<![CDATA[")


@dataclass
class _ShownJson(Shown):
    """A call in JSON."""

    string: GrowingString | None = None
    end: int = 0

    def advance(self, text: str) -> Iterator[CallPart]:
        """Yields more of the string that is being written."""
        while not self.is_held:
            if self.string is not None:
                yield from self._more(text, self.string, self.inside or "")
                if self.string is not None:
                    return
            member = MEMBERS.match(text, self.looked)
            if member is None or member.end() == len(text):
                self.is_held = len(text) - self.looked > LOOK_BACK
                return
            if member["quote"]:
                self.inside, self.end = member["key"], member.end()
                self.string = GrowingString(member.end(), 0, 0)
            elif member["value"]:
                self.looked = member.end()
            else:
                self.is_held = True  # lists and objects

    def _more(self, text: str, string: GrowingString, argument: str) -> Iterator[CallPart]:
        string.advance(text)
        piece = text[self.end : string.end]
        is_shown = self.is_text(argument) and (argument in self.pieces or len(piece) > self.held(argument))
        if is_shown:
            self.end = string.end
            yield from self.part(argument, string.decoded(piece))
        if string.is_held:
            self.is_held = text[string.looked] != '"'
            self.looked, self.string = string.looked + 1, None


def shown_at(walk: Walk) -> Shown | None:
    """Returns the call that begins where a walk waits, if its texts can be shown."""
    text, tools = walk.source.text, walk.source.tools
    may_begin = text[walk.place : walk.place + 1] in ("<", "[", " ", "\n", "{")
    at = next(walk.heads_at(walk.place, walk.source), None) if may_begin else None
    shape, head = at or (PLAIN_JSON, PLAIN_JSON.head.match(text, walk.place, walk.place + LOOK_BACK))
    if head is None:
        return None
    if shape.style is not None:
        name = tools.named(head[1])
        if name is None:
            return None
        tags = Tags(walk.source, tools.plans[name].root, head[1], shape.style)
        return _ShownTags(walk.place, name, tools, head.end(), tags=tags)
    return _shown_json(walk, shape, head) if shape.read is read_json else None


_CALLED = re.compile(
    r'[\[\s]*+\{\s*+"name"\s*+:\s*+"([\w.:/-]{1,100}+)"\s*+,\s*+"(?:arguments|parameters)"\s*+:\s*+(?=\{)'
)


def _shown_json(walk: Walk, shape: Shape, head: re.Match[str]) -> Shown | None:
    called = None if head.re.groups else _CALLED.match(walk.source.text, head.end())
    written = head[1] if head.re.groups else called[1] if called is not None else ""
    name = walk.source.tools.named(written) if written else None
    if name is None:
        return None
    return _ShownJson(walk.place, name, walk.source.tools, head.end() if called is None else called.end())
