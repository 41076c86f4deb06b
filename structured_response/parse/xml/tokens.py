"""A reply -> its tags, in one linear scan that can be fed piece by piece.

What a tag means is not decided here: inside a string most of them are text. The scan only says where
something stands that could be a tag, and what it is called. It is lenient about what is unmistakable for
the definition's own names: blanks inside the brackets, a closing tag without its `>`, an opening one without it
between tags or in a line of its own, full-width brackets and slashes, underscores that Markdown escapes. The
brackets in the attributes of a tag end nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, cast

from ...definition import Plan, fold, per_plan, snake_case, walk
from ..scalars.text import ODD_SECTION, decode

__all__ = [
    "CDATA",
    "CLOSE",
    "COMMENT",
    "EMPTY",
    "NO_TAG",
    "OPEN",
    "OTHER",
    "REASONING",
    "Head",
    "Scanner",
    "Tags",
    "attribute",
    "attributes",
    "known_names",
    "raw_attributes",
]

OPEN, CLOSE, EMPTY, COMMENT, CDATA, OTHER = range(6)
"""Kinds of tags: opening, closing, self-closed; where a comment, a CDATA section, an instruction begins."""

REASONING = frozenset({"think", "thinking", "reasoning", "reflection", "scratchpad"})
"""Folded names of the blocks in which a model thinks aloud."""

_CARRIERS = frozenset(
    {
        "function",
        "functioncall",
        "invoke",
        "parameter",
        "param",
        "arg",
        "argument",
        "tool",
        "toolcall",
        "field",
        "property",
        *("string", "str", "integer", "int", "float", "number", "boolean", "bool"),
    }
)
"""Folded names of elements that carry the name that counts: `<parameter=score>`, `<invoke name="Review">`."""

_UNSEEN = "\u200b-\u200d\ufeff"  # zero-width characters, which models copy from web pages
_HEAD = re.compile(
    rf"(?P<blank>[\s{_UNSEEN}]*+)(?P<closer>(?:\\?[/\uff0f]{{1,2}}|\\)?)(?P<blanks>[\s{_UNSEEN}]*+)"
    rf"(?P<name>[^\W\d][\w.:{_UNSEEN}-]*+(?:\\_[\w.:{_UNSEEN}-]*+)*+)"
    r"(?P<rest>(?:[^>\"'/]++|\"[^\"]*+\"(?=[\s/>,])|'[^']*+'(?=[\s/>,])|[\"']|/(?!\s*+>))*+)"
    r"(?P<empty>/?)\s*+(?P<end>>)?"
)
_BEGINS = re.compile(rf"[\s{_UNSEEN}]*+\\?[/\uff0f]{{0,2}}[\s{_UNSEEN}]*+[^\W\d]|[!?\[>]|/>")
"""What all that could be a tag begins with, behind its `<`: the brackets of comparisons have nothing of it."""
NO_TAG = rf"<(?![\s{_UNSEEN}]*+\\?[/\uff0f]{{0,2}}[\s{_UNSEEN}]*+[^\W\d]|[!?])"
"""The pattern of a `<` that no tag begins with."""
_ATTRIBUTE = re.compile(
    r"(?<![^\s,\"'])([^\s=\"'/>,]++)\s*+=\s*+(?:\"([^\"]*+)\"(?![^\s/>,])|'([^']*+)'(?![^\s/>,])|\u201c([^\u201c\u201d>]*+)\u201d|([^\s\"'>,][^\s>,]*+)|[\"']([^\"'>]*+))"
)
_ATTRIBUTES = re.compile(r"(?:[\s,]*+[^\s=\"'/>,]++\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'))*+")
_SETTLED = re.compile(r"(?:[^\"']++|\"[^\"]*+\"(?=[\s/,]|\Z)|'[^']*+'(?=[\s/,]|\Z))*+")
"""What stands before a `>` that ends the tag whatever comes behind it: no quote is open."""
_OPEN_QUOTE = re.compile(r"=\s*+(?:\"[^\"]*+|'[^']*+)\Z")
_NEXT_ATTRIBUTE = re.compile(r"[\s,]*+[^\s=\"'<>/,]++\s*+")
_NAME_INSIDE = re.compile(r"<(/?)\s*+([^\W\d][\w.:-]*+)")
_WITH_BRACKETS = re.compile(
    rf"[\s{_UNSEEN}]*+(?P<name>[^\W\d][\w.:{_UNSEEN}-]*+)"
    r"(?P<rest>(?:[\s,]*+[^\s=\"'<>/,]++\s*+=\s*+(?:\"[^\"\n]*+\"|'[^'\n]*+')(?=[\s/>,]))++)\s*+(?P<empty>/?)\s*+>"
)
_BEGINS_LINE = re.compile(r"(?:^|[>\n])[ \t\r]*+\Z")
_LINE_END = re.compile(r"[ \t]*+\r?\n[ \t\r\n]*+")
_CARRIED = re.compile(r"\s*+=\s*+[\"']?([^\s\"'>/]++)")
_BROKEN_OFF = re.compile(rf"[\s{_UNSEEN}]*+(/?)([^\W\d][\w.:-]*+)?+(?:\s[^>]*+)?+\Z|[!?][^>]*+\Z")
_SECTION = re.compile(ODD_SECTION, re.IGNORECASE)
_SECTION_END = "]]>"
_MAX_CACHED = 4_096
_MAX_HEAD = 200
_MAX_QUOTING = 2_000


class Head:
    """What stands between the brackets of a tag.

    `tag` is the tag's name as it is written, `name` the one that counts: without its prefix, or the one that
    the tag carries as a value (`<entry key='a'>`, `<parameter=a>`). `key` is the folded tag, by which tags pair
    up; `ident` is the same for heads that mean the same.
    """

    __slots__ = ("ident", "key", "kind", "name", "rest", "tag")

    def __init__(self, kind: int, tag: str = "", rest: str = "", name: str = "") -> None:
        self.kind = kind
        self.tag = tag
        self.rest = rest
        self.name = name or tag.rpartition(":")[2]
        self.key = fold(tag)
        self.ident = f"{tag}\n{self.name}"

    def carried(self) -> str | None:
        """The name that the tag carries as a value, or None."""
        return self.name if self.name != self.tag.rpartition(":")[2] else None


_COMMENT, _CDATA, _OTHER, _NAMELESS = Head(COMMENT), Head(CDATA), Head(OTHER), Head(CLOSE)


class Tags:
    """The tags of a text, in parallel lists: what each says, where it begins and where it ends.

    `broken_off` is where a tag begins that the end of the text cuts off, or None. `sections` are the spans of the
    CDATA sections that are closed; tags in them are not among the tags.
    """

    __slots__ = ("broken_off", "ends", "heads", "sections", "starts")

    def __init__(self) -> None:
        self.heads: list[Head] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.sections: list[tuple[int, int]] = []
        self.broken_off: int | None = None

    def add(self, head: Head, start: int, end: int) -> None:
        self.heads.append(head)
        self.starts.append(start)
        self.ends.append(end)

    def forget(self, first: int) -> None:
        """Removes the tags from an index on."""
        del self.heads[first:], self.starts[first:], self.ends[first:]


def attribute(rest: str, name: str) -> str | None:
    """The decoded value of an attribute, or None."""
    return next((value for found, value in attributes(rest) if found == name), None) if name in rest else None


def attributes(rest: str) -> Iterator[tuple[str, str]]:
    """The names of attributes and their decoded values, however they are quoted."""
    return iter(_attributes(rest) if len(rest) <= _MAX_HEAD else _attributes.__wrapped__(rest))


@lru_cache(maxsize=_MAX_CACHED)
def _attributes(rest: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, decode(raw)) for name, raw in raw_attributes(rest))


def raw_attributes(rest: str) -> Iterator[tuple[str, str]]:
    """The names of attributes and their values as they are written between their quotes."""
    for match in _ATTRIBUTE.finditer(rest):
        yield match[1], next((value for value in match.groups()[1:] if value is not None), "")


class _Names(NamedTuple):
    """The names that a definition uses, folded, and the heads that were seen before, by their text."""

    known: frozenset[str]
    heads: dict[str, Head]


@per_plan
def _names(plan: Plan) -> _Names:
    names = {plan.root_name, plan.class_name, "li", "item", "entry", *REASONING}
    for node in walk(plan.root):
        names.update(alias for field in node.fields.values() for alias in (field.name, *field.aliases))
        names.update({node.name, snake_case(node.name)} if node.name else ())
        names.update(node.options() if node.kind == "union" else ())
    return _Names(frozenset(fold(name) for name in names) - {""}, {})


def known_names(plan: Plan) -> frozenset[str]:
    """The folded names that a definition uses, items' names and those of reasoning among them."""
    return _names(plan).known


class Scanner:
    """Finds the tags of a text that comes in pieces. What is fed is looked at once; a tag is held back until what
    follows it tells where it ends.
    """

    def __init__(self, plan: Plan) -> None:
        self.names = _names(plan)
        self.tags = Tags()
        self.position = 0  # of the `<` that `held` stands behind, in the whole text
        self.held = ""
        self.begun = False
        self.is_last = False  # the piece that is looked at
        self.before = ""  # the piece before that
        self.nameless = 0  # opening tags without a name that are open
        self.section: _Section | None = None
        self.quoting: _Quoting | None = None

    def feed(self, text: str) -> None:
        """Takes the next piece of the text."""
        if "\uff1c" in text or "\uff1e" in text:
            text = text.replace("\uff1c", "<").replace("\uff1e", ">")
        pieces = text.split("<")
        if len(pieces) == 1:
            self.held += text
            return
        pieces[0] = self.held + pieces[0]
        self.held = pieces.pop()
        self._scan(pieces)

    def close(self) -> Tags:
        """The tags of all that was fed."""
        if self.begun:
            position, count, self.is_last = self.position, len(self.tags.heads), True
            self._scan([self.held])
            if len(self.tags.heads) == count and ">" not in self.held:
                carriers = _CARRIERS if any(head.carried() for head in self.tags.heads) else ()
                if _is_broken_off({*self.names.known, *carriers}, self.held):
                    self.tags.broken_off = position
        if self.section is not None:
            self.section.give_up()
        return self.tags

    def _scan(self, pieces: list[str]) -> None:
        """Takes pieces that a `<` stands before, but for the very first one."""
        tags, known, position = self.tags, self.names.heads, self.position
        heads, starts, ends = tags.heads.append, tags.starts.append, tags.ends.append
        first = not self.begun
        self.begun = True
        for piece in pieces:
            if first:
                first = False
                position += len(piece)
                self.before = piece
                continue
            if self.quoting is not None and self._quoted(piece):
                position += len(piece) + 1
                continue
            inner, closed, _ = piece.partition(">")
            head = known.get(inner)
            if head is not None and closed:
                heads(head)
                starts(position)
                ends(position + len(inner) + 2)
            else:
                self._irregular(piece, inner, position)
            position += len(piece) + 1
            self.before = piece
            if self.section is not None and _SECTION_END in piece:
                self._end_section(position - len(piece), piece)
        self.position = position

    def _irregular(self, piece: str, inner: str, position: int) -> None:
        """A tag that was not seen before in these characters, or no tag at all."""
        if _BEGINS.match(piece) is None:
            return
        head: Head | None
        section = _SECTION.match(piece) if piece.startswith(("!", "[")) else None
        if piece.startswith((">", "/>")):
            head, length = self._nameless(piece), len("/>")
        elif section is not None:
            head, length = _CDATA, section.end()
            self._begin_section(position)
        elif piece.startswith(("!", "?")):
            head, length = _OTHER, min(len(inner) + 1, len(piece))
            if piece.startswith("!--"):
                head = _COMMENT
                length = len("!--")
        else:
            head, length = _tag(self.names, piece, None if self.is_last else self.before)
            is_settled = _SETTLED.fullmatch(inner) is not None
            quote = _OPEN_QUOTE.search(piece) if "=" in piece and not is_settled else None
            if quote is not None and (head is None or _is_in_tag(piece, length, quote.start())):
                self.quoting = _Quoting(position, piece, len(self.tags.heads))
            is_whole = head is not None and length == len(inner) + 1 <= _MAX_HEAD
            if is_whole and is_settled and len(self.names.heads) < _MAX_CACHED:
                self.names.heads[inner] = cast("Head", head)
        if head is not None:
            self.tags.heads.append(head)
            self.tags.starts.append(position)
            self.tags.ends.append(position + 1 + length)

    def _nameless(self, piece: str) -> Head | None:
        """A closing tag without a name, which may be that of anything, but for one that has its opening tag: `<>`."""
        if piece.startswith(">"):
            self.nameless += 1
        elif not self.nameless:
            return _NAMELESS
        else:
            self.nameless -= 1
        return None

    def _quoted(self, piece: str) -> bool:
        """Takes one more piece of what may be a tag whose attributes hold brackets. Tells whether it ends there: then
        the tags that seemed to stand in it go. A line's end, or a closing tag that opens outside of it, tells that a
        quote was never closed.
        """
        assert self.quoting is not None
        position, text, index = self.quoting
        text = f"{text}<{piece}"
        match = _WITH_BRACKETS.match(text) if '"' in piece or "'" in piece else None
        if match is not None and not _holds_stray(match["rest"], self.names.known):
            kind = EMPTY if match["empty"] else OPEN
            self.tags.forget(index)
            self.tags.add(
                _head(self.names, kind, match["name"], match["rest"].strip()), position, position + 1 + match.end()
            )
            self.quoting = None
            return True
        is_over = match is not None or "\n" in piece or len(text) > _MAX_QUOTING
        self.quoting = None if is_over else _Quoting(position, text, index)
        return False

    def _begin_section(self, position: int) -> None:
        """A section that another one still holds is nested in it, unless a known element ended in between."""
        tags = self.tags
        if self.section is not None:
            if not self.section.has_seen_end(self.names.known):
                self.section.depth += 1
                return
            self.section.give_up()
        self.section = _Section(tags, position)

    def _end_section(self, start: int, piece: str) -> None:
        assert self.section is not None
        place = -1
        while self.section is not None and (place := piece.find(_SECTION_END, place + 1)) >= 0:
            if self.section.end(start + place + len(_SECTION_END)):
                self.section = None


class _Quoting(NamedTuple):
    """A tag whose last quote is still open: where it stands, its text so far, and how many tags stood before it."""

    position: int
    text: str
    before: int


class _Section:
    """A CDATA section whose end has not come yet. The tags behind its beginning are kept until it does."""

    def __init__(self, tags: Tags, start: int) -> None:
        self.tags = tags
        self.start = start
        self.index = len(tags.heads)  # of its own beginning
        self.depth = 1
        self.looked_at = self.index + 1
        self.first: tuple[int, int] | None = None

    def has_seen_end(self, known: frozenset[str]) -> bool:
        """Whether an element that the definition knows has ended since the section began, or since last asked."""
        since, self.looked_at = self.looked_at, len(self.tags.heads)
        return any(
            self.tags.heads[index].kind == CLOSE and self.tags.heads[index].key in known
            for index in range(since, self.looked_at)
        )

    def end(self, position: int) -> bool:
        """Takes one `]]>` and tells whether it ends the section."""
        self.depth -= 1
        if self.first is None:
            self.first = (position, len(self.tags.heads))
        if not self.depth:
            self._hide(position, len(self.tags.heads))
        return not self.depth

    def give_up(self) -> None:
        """No more ends come: of nested beginnings the first end counts; without any, it is not a section."""
        if self.first is not None:
            self._hide(*self.first)

    def _hide(self, position: int, until: int) -> None:
        tags = self.tags
        for row in (tags.heads, tags.starts, tags.ends):
            del row[self.index + 1 : until]
        tags.ends[self.index] = position
        tags.sections.append((self.start, position))


def _is_in_tag(piece: str, end: int, quote: int) -> bool:
    """Whether the `=` of an open quote belongs to a tag that ends at `end` if it holds no bracket, and not to the text
    behind it: it stands in it, or behind the name of one more attribute.
    """
    return quote < end or _NEXT_ATTRIBUTE.fullmatch(piece, end, quote) is not None


def _holds_stray(attributes: str, known: frozenset[str]) -> bool:
    """Whether a closing tag of a known name stands in attributes that no opening one in them belongs to."""
    opened: list[str] = []
    for slash, name in _NAME_INSIDE.findall(attributes) if "</" in attributes else ():
        key = fold(name)
        if not slash:
            opened.append(key)
        elif key in opened:
            opened.remove(key)
        elif key in known:
            return True
    return False


def _tag(names: _Names, piece: str, before: str | None) -> tuple[Head | None, int]:
    """The tag that a piece begins with, and how many characters of it are the tag's. `before` is what stands before it,
    if a tag follows.
    """
    match = _HEAD.match(piece)
    if match is None:
        return None, 0
    name, rest = match["name"], match["rest"].strip()
    if rest and "=" not in rest and fold(name + rest) in names.known:
        name, rest = f"{name} {rest}", ""
    is_known = fold(name) in names.known
    if (match["blank"] or match["blanks"] or match["closer"] not in ("", "/")) and not is_known:
        return None, 0
    if match["closer"]:
        return _closing(name, rest, is_known, match)
    if match["end"] is None:
        end = _ATTRIBUTES.match(piece, match.end("name"))
        assert end is not None
        is_torn = end.end() > match.end("name") or _is_alone(piece, match.end("name"), before)
        is_tag = is_known and is_torn and not match["empty"]
        return (_head(names, OPEN, name, end[0].strip()), end.end()) if is_tag else (None, 0)
    return _head(names, EMPTY if match["empty"] else OPEN, name, rest), match.end()


def _is_alone(piece: str, end: int, before: str | None) -> bool:
    """Whether a name that ends at a place of a piece stands between tags, or in a line of its own in front of one."""
    is_last_in_line = before is not None and _LINE_END.fullmatch(piece, end) is not None
    return is_last_in_line and _BEGINS_LINE.search(before or "") is not None


def _closing(name: str, rest: str, is_known: bool, match: re.Match[str]) -> tuple[Head | None, int]:
    """A closing tag; one without its `>` is a tag where its name is known."""
    if match["end"] is not None and (not rest or "=" in rest):
        return Head(CLOSE, name), match.end()
    return (Head(CLOSE, name), match.end("name")) if is_known else (None, 0)


def _head(names: _Names, kind: int, tag: str, rest: str) -> Head:
    key = fold(tag)
    if key == "entry":
        return Head(kind, tag, rest, attribute(rest, "key") or "")
    if key in _CARRIERS and key not in names.known:
        match = _CARRIED.match(rest)
        carried = match[1] if match else attribute(rest, "name")
        return Head(kind, tag, _value_alone(rest) if carried else rest, carried or "")
    return Head(kind, tag, rest)


def _value_alone(rest: str) -> str:
    """The attribute that is called a value, of those of a tag that carries its name as another."""
    found = next((match for match in _ATTRIBUTE.finditer(rest) if match[1] == "value"), None)
    return found[0] if found is not None else ""


def _is_broken_off(names: Iterable[str], piece: str) -> bool:
    """Whether a piece without a `>`, the last one, is the beginning of a tag with one of some folded names."""
    match = _BROKEN_OFF.match(piece)
    if match is None:
        return False
    begun = fold(match[2] or "")
    return any(name.startswith(begun) for name in names)
