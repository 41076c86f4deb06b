"""Scans a reply into tokens: opening tags, closing tags and empty elements, each with its span.

The scanner knows only syntax and the names of the definition. A `<` begins a tag if a name follows; a tag without its
`>` counts only if the definition knows the name. Comments, CDATA sections and processing instructions are passed over,
with all tags inside. One pass, linear in the reply.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import count
from typing import Any, NamedTuple

from ..definition import fold, is_near
from ..definition.names import MAX_COMPILED
from ..escaping import GAP
from ..render.placeholder import PROMPT_ATTRIBUTES
from .values import decode

OPEN, CLOSE, EMPTY, END = "open", "close", "empty", "end"
"""The kinds of tokens of markup. END follows the last one."""

MARK, COMMENT = "mark", "comment"
"""More kinds, for JSON: a quote, which may open a text, end it or be part of it, and the beginning of a comment."""

REASONING = frozenset({"think", "thinking", "reasoning", "reflection", "scratchpad"})
"""The folded names of elements for a model's reasoning."""

_TAG = re.compile(
    r"""
    [<\uff1c]
    (?: (?P<hidden> !-- | !\[CDATA\[ | \? | ! )
      | [ \t\u00a0\u200b]*+ (?P<slash> (?:\\?/)*+ ) [ \t\u00a0\u200b]*+ (?: \uff5cDSML\uff5c )?+
        (?P<name> [^\W\d] (?: [\w:.\u200b-]++ | \\_ )*+ | (?<=/)(?=>) )
        (?P<attributes> (?: [^<>"'/=\uff1c\uff1e]++
              | = [ \t\n]*+ (?: "[^"\n]*+" (?=[\s/>\uff1e,]) | '[^'\n]*+' (?=[\s/>\uff1e,]) )?+
              | ["'] | / (?! [ ]*[>\uff1e] ) )*+ )
        (?P<end> [ ]*+ /? [ ]*+ [>\uff1e] )?+
    )""",
    re.VERBOSE,
)
_BRACKET = re.compile(r"(<([^\W\d][\w:.-]*+)>)[^<>\uff1c\uff1e]*+</\2>|[<\uff1c][^<>\uff1c\uff1e]*+[>\uff1e]?+")
"""A bracket up to the next one, which is nearly every tag, or both tags of a leaf with the text between them."""
_TORN = re.compile(r"<(/?)([\w:.-]*+)(?:(?<=[\w:.-])\s[^<>]*+)?\Z")
_BEFORE_WORD = re.compile(r"""[^\s>][ \t(`"'\u201c]\Z|[(`"'\u201c]\Z""")
_NAMED_GROUP = ("(?", "?P")
"""The characters before the name of a group in a regular expression: `(?<name>...)`."""
_BEHIND_WORD = re.compile(r"""[ ,.;:!?)`"'\u201d][^<]?""")
HIDING = {"!--": "-->", "![CDATA[": "]]>", "?": "?>", "!": ">"}
"""The beginnings of comments, sections, instructions and declarations behind their bracket, each with its end."""
_ATTRIBUTE = re.compile(
    r"""([\w:.-]++)[ \t\n]*+=[ \t\n]*+"""
    r"""(?:"([^"\n]*+)"(?=[\s/>\uff1e,]|\Z)|'([^'\n]*+)'(?=[\s/>\uff1e,]|\Z)|([^\s"'<>]++)|["']([^<>]*+))"""
)
_WHOLE_ATTRIBUTES = re.compile(r"""(?:[ \t\n]++[\w:.-]++=(?:"[^"\n]*+"|'[^'\n]*+'))*+(?:[ \t]*+\Z)?""")
_CALL = re.compile(r"""[ \t]*=[ \t]*["']?([\w.-]+)|(?:[^<>]*?\s)?name\s*=\s*["']([^"'<>]+)["']""")
_CALLS = frozenset({"function", "parameter", "invoke", "tool", "param", "arg", "argument", "field"})
"""Elements of tool calls. An attribute, or text behind a `=`, names the field."""
_COMMON_WORDS = frozenset({"arg", "argument", "param", "field", "tool"})
"""Those that other markup has too. They count only if they name something of the definition."""

_NO_VALUES = frozenset({"key", "name", "discriminator", *map(fold, PROMPT_ATTRIBUTES)})
"""Folded names of attributes that hold no value. `name` may be that of a tool call."""


@dataclass(eq=False)
class Symbol:
    """A token's class, as the transition table sees it. Equal symbols are one object, which makes look-ups cheap.

    Attributes:
        text: Whether text precedes the token.
        paired: Whether a tag has a partner.
        next: The kind and the name of the next token, and whether text precedes it.
        keyed: Whether it has a `key`.
        given: The names of its attributes that no prompt shows.
        closer: The name of the token that ends the content: in JSON a character, in calls of tools a tag's.
        after: The kind of the previous token.
        is_torn: Whether the reply breaks off in it, a closing tag.
        is_mention: Whether it is used like a word in a line of text.
        fits: Whether the preceding text reads as a value of the scalar around it. Set by the search.
        comma: In JSON, whether a comma or a line break precedes it; for a quote, whether one follows.
        left: In JSON, whether a quote looks like an opening one, or whether a key has quotes.
        tags: The symbols of both tags of a leaf.
    """

    kind: str
    name: str
    text: bool = False
    paired: bool = False
    next: tuple[str, str, bool] = (END, "", False)
    keyed: bool = False
    given: tuple[str, ...] = ()
    is_known: bool = True
    closer: str = ""
    after: str = ""
    is_torn: bool = False
    is_mention: bool = False
    fits: bool = True
    comma: bool = False
    left: bool = False
    tags: tuple[Symbol, Symbol] | None = None

    def but(self, **changes: Any) -> Symbol:
        """Returns a copy with some properties changed."""
        return replace(self, **changes)

    @cached_property
    def unfit(self) -> Symbol:
        """The same symbol behind a text that is not a value."""
        return self.but(fits=False, tags=self.tags and (self.tags[0].unfit, self.tags[1]))

    @cached_property
    def bare(self) -> Symbol:
        """The same symbol without text in front."""
        return self.but(text=False) if self.text else self


@dataclass(slots=True)
class Tokens:
    """The tokens of a text, in parallel lists.

    Attributes:
        names: The names, spelled as in the reply.
        level: How many times JSON within strings of JSON was encoded.
        contents: The span of the text of each leaf, which is both tags with the text between them.
        looks: The steps of all searches through these tokens, which share one bound.
    """

    text: str
    kinds: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    broken: set[int] = field(default_factory=set)
    hidden: list[tuple[int, int]] = field(default_factory=list)
    tags: list[Tag] = field(default_factory=list)
    form: str = "xml"
    level: int = 0
    contents: dict[int, tuple[int, int]] = field(default_factory=dict)
    looks: int = 0

    def __len__(self) -> int:
        return len(self.starts)

    def cut(self, count: int) -> None:
        """Keeps only the first tokens. Those behind an answer are no longer needed."""
        for column in (self.kinds, self.names, self.starts, self.ends, self.symbols):
            del column[count:]

    def keep(self, kept: list[int]) -> None:
        """Keeps only some of the tokens, which get new indexes."""
        columns: tuple[list[Any], ...] = self.kinds, self.names, self.starts, self.ends, self.symbols, self.tags
        for column in columns:
            column[:] = [column[index] for index in kept if column]
        self.broken = {new for new, old in enumerate(kept) if old in self.broken}
        self.contents = {new: self.contents[old] for new, old in enumerate(kept) if old in self.contents}


class Tag(NamedTuple):
    """The parsed text of a tag, shared by all tags with that text.

    Attributes:
        length: The number of characters that belong to it.
        is_broken: Whether it lacks its closing bracket.
        number: A number that identifies the tag.
        closing: The closing tag that makes it a leaf if it is the next tag. Both are one token then.
        is_other: Whether the name means nothing to the definition. All leaves with such names are alike.
    """

    kind: str
    name: str
    closer: str
    keyed: bool
    given: tuple[str, ...]
    is_known: bool
    length: int
    is_broken: bool
    number: int
    folded: str = ""
    closing: str = ""
    is_other: bool = False

    @property
    def partner(self) -> str:
        """The name that it shares with its partner."""
        return self.closer or self.name


def _any_closing(name: str, length: int, is_broken: bool) -> Tag:
    """Returns a closing tag that may close any element: one that the reply breaks off in, or one without a name."""
    return Tag(CLOSE, name, "", False, (), False, length, is_broken, _TORN_TAG)


class Scan:
    """Scans replies to one definition. `known` are the folded names that count as markup, `field_names` those that may
    be the key of an entry.
    """

    def __init__(self, known: frozenset[str], field_names: frozenset[str] = frozenset()) -> None:
        self.known = known
        self.field_names = field_names
        self.symbols: dict[tuple[Any, ...], Symbol] = {}
        self.tags: dict[str, Tag] = {}
        self.numbers = count(1)

    def scan(self, text: str, start: int = 0, end: int | None = None) -> Tokens:  # noqa: C901, PLR0915 - the hot loop
        """Returns the tokens of a span of a text, followed by an END."""
        tokens = Tokens(text)
        end = len(text) if end is None else end
        torn = self._torn(text, start, end)
        stop = torn.start() if torn is not None else end
        position = start
        endless: set[str] = set()
        starts, ends, contents = tokens.starts, tokens.ends, tokens.contents
        tags: list[Tag] = []
        has_text: list[bool] = []
        is_after_text, closing, known_tag = False, "", self.tags.get
        for match in _BRACKET.finditer(text, start, stop):
            begin = match.start()
            if begin < position:
                continue
            opener = match[1]
            raw = opener or match[0]
            tag = known_tag(raw) or self.tag_at(text, begin, stop)
            if raw == closing:
                contents[len(starts) - 1] = (position, begin)
                ends[-1] = position = begin + tag.length
                closing = ""
                continue
            if tag.length <= 0:
                behind = self._pass_over(text, begin, tag, endless, stop)
                if tag.kind != "section" and behind > begin + len(tag.name) + 1:
                    is_after_text = is_after_text or not is_blank(text, position, begin)
                    tokens.hidden.append((begin, behind))
                    position, closing = behind, ""
                elif behind > begin + len(tag.name) + 1:
                    is_after_text, position, closing = True, behind, ""
                continue
            if not tag.kind:
                continue
            if tag.is_broken:
                tokens.broken.add(len(starts))
            if position == begin or text[position:begin].isspace():
                has_text.append(is_after_text)
            else:
                has_text.append(is_after_text or not is_blank(text, position, begin))
            tags.append(tag)
            is_after_text = False
            position, closing = begin + tag.length, tag.closing
            if opener is not None:
                contents[len(starts)] = position, match.end() - len(closing)
                position, closing = match.end(), ""
            starts.append(begin)
            ends.append(position)
        before = position
        if torn is not None and torn[1]:
            tags.append(_any_closing(torn[2], 0, is_broken=True))
            tokens.broken.add(len(starts))
            has_text.append(is_after_text or not is_blank(text, before, stop))
            is_after_text = False
            starts.append(stop)
            ends.append(end)
            before = stop = end
        tags.append(_END_TAG)
        has_text.append(is_after_text or not is_blank(text, before, stop))
        starts.append(stop)
        ends.append(stop)
        tokens.tags = tags
        tokens.kinds = [tag.kind for tag in tags]
        tokens.names = [tag.name for tag in tags]
        tokens.symbols = self.symbols_of(tokens, has_text, _paired(tags, contents))
        return tokens

    def tag_at(self, text: str, start: int, end: int) -> Tag:
        """Returns the tag at a bracket. One without a kind is plain text; one without a length hides its content."""
        match = _TAG.match(text, start, end)
        if match is None:
            return _NO_TAG
        return self.tags.get(match[0]) or self._taken_apart(text, match)  # known, if its attributes hold brackets

    def _taken_apart(self, text: str, match: re.Match[str]) -> Tag:
        """Parses the text of a new tag."""
        start = match.start()
        hidden, slash, name, attributes, tail = match.groups()
        if hidden is not None:
            return Tag("section" if hidden == "![CDATA[" else "hidden", hidden, "", False, (), False, 0, False, 0)
        if not name and "<>" in text:
            return _NO_TAG  # fragments of JSX
        if not name:
            return _any_closing("", match.end() - start, is_broken=True)
        name, closer, is_known = self.called(name, slash, attributes)
        length = match.end() - start
        if tail is None:
            if not is_known and fold(name) not in _CALLS:
                return _NO_TAG
            whole = _WHOLE_ATTRIBUTES.match(attributes)
            length = match.start("attributes") + (whole.end() if whole is not None else 0) - start
            attributes = ""
        kind = CLOSE if slash else EMPTY if tail is not None and "/" in tail else OPEN
        keyed, given = _given(attributes) if "=" in attributes and kind != CLOSE else (False, ())
        if kind != CLOSE and "name" in self.known and not closer and _NAMED.search(attributes):
            given = (*given, "name")
        closing = f"</{closer or name}>" if kind == OPEN and tail is not None else ""
        number, folded = next(self.numbers), fold(name)
        is_other = not is_known and not attributes and self.is_other(folded)
        tag = Tag(
            kind, name, closer, keyed, given, is_known, length, tail is None, number, folded, closing, is_other
        )  # fmt: skip
        if len(self.tags) > MAX_SYMBOLS:
            self.tags.clear()
        if len(match[0]) <= _LONGEST_TAG:
            self.tags[match[0]] = tag
        return tag

    def is_other(self, folded: str) -> bool:
        """Returns whether a name neither belongs to the definition, nor is similar to one of its names, nor has a
        general meaning.
        """
        return folded not in _TELLING and not any(is_near(folded, known) for known in self.known)

    def called(self, name: str, slash: str, attributes: str) -> tuple[str, str, bool]:
        """Returns the effective name of a tag, the name of its closing tag if different, and whether it is known."""
        if name.lower() in _CALLS and not slash and (call := _CALL.match(attributes)):
            called = call[1] or call[2]
            if fold(called) in self.known or name.lower() not in _COMMON_WORDS:
                return called, name, True
        elif self.field_names and name == "entry" and not slash:
            keys = (decode(each.value) for each in attributes_of(attributes) if each.name == "key")
            odd = next((key for key in keys if key in self.field_names), None)
            if odd is not None:
                return odd, name, True
        return name, "", fold(name) in self.known

    def _torn(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """Returns the tag in which a text breaks off, if it could become one of the definition's."""
        place = text.rfind("<", start, end)
        torn = _TORN.match(text, place, end) if place >= 0 else None
        if torn is None:
            return None
        name = fold(torn[2])
        return torn if not name or any(known.startswith(name) for known in self.known) else None

    def _pass_over(self, text: str, start: int, tag: Tag, endless: set[str], end: int) -> int:
        """Returns the end of a comment, a section or an instruction. If it never ends, it hides nothing."""
        hidden = tag.name
        inside = start + 1 + len(hidden)
        if hidden == "!" and not text.startswith(("DOCTYPE", "doctype"), inside):
            return inside
        stop = -1 if hidden in endless else text.find(HIDING[hidden], inside, end)
        if hidden == "!" and text.find("</", inside, max(inside, stop)) >= 0:
            stop = -1  # a tag ends there, and no declaration
        if stop < 0:
            endless.add(hidden)
            return inside
        return stop + len(HIDING[hidden])

    def symbols_of(self, tokens: Tokens, has_text: list[bool], paired: Container[int], first: int = 0) -> list[Symbol]:
        """Returns the symbol of each token from the `first` on."""
        if len(self.symbols) > MAX_SYMBOLS:
            self.symbols.clear()
        known, contents, text_of, tags = self.symbols.get, tokens.contents, tokens.text, tokens.tags
        following: tuple[str, str, bool] = (END, "", False)
        next_text = False
        symbols: list[Symbol] = []
        for index in range(len(tags) - 1, first - 1, -1):
            tag, text, leaf = tags[index], has_text[index], 0
            after = CLOSE if index - 1 in contents else tags[index - 1].kind if index else ""
            if index in contents:
                leaf = 1 if is_blank(text_of, *contents[index]) else 2
            is_mention = text and tag.is_known and (leaf == 2 or next_text) and self._is_mention(tokens, index)
            name, number = ("?", 0) if leaf and tag.is_other else (tag.name, tag.number)
            key = (number, name, text, index in paired, is_mention, leaf, following, after)
            symbol = known(key)
            if symbol is None:
                symbol = Symbol(
                    tag.kind, name, text, index in paired, following, tag.keyed, tag.given, tag.is_known,
                    tag.closer, after, tag.number == _TORN_TAG, is_mention,
                )  # fmt: skip
                if leaf:
                    partner = tag.closer or name
                    is_known = tag.is_known and not tag.closer
                    closing = Symbol(
                        CLOSE, partner, leaf == 2, True, following, is_known=is_known, after=OPEN, is_mention=is_mention
                    )  # fmt: skip
                    symbol.next = (CLOSE, partner if tag.is_known else "?", leaf == 2)
                    symbol.tags = symbol.but(paired=True), closing
                self.symbols[key] = symbol
            symbols.append(symbol)
            next_text, following = text, (tag.kind, tag.name if tag.is_known else "?", text)
        symbols.reverse()
        return symbols

    def _is_mention(self, tokens: Tokens, index: int) -> bool:
        """Returns whether a tag is used like a word in a line of text."""
        text, start, end = tokens.text, tokens.starts[index], tokens.ends[index]
        end = tokens.contents[index][0] if index in tokens.contents else end
        is_argument = text[start - 1].isalnum() and not tokens.names[index].islower()  # as in `List<Item>`
        return is_argument or is_word(text, start, end)


MAX_SYMBOLS = 20_000
"""Symbols that are kept for a definition. A typical one has hundreds; hostile replies could have one for each tag."""


def is_word(text: str, start: int, end: int) -> bool:
    """Returns whether a tag in a text is used like a word, or names a group of a regular expression."""
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    is_apart = (not before or _BEFORE_WORD.search(before)) and (not behind or _BEHIND_WORD.match(behind))
    return before in _NAMED_GROUP or bool(is_apart)


def is_blank(text: str, start: int, end: int) -> bool:
    """Returns whether a span holds only white space and zero-width characters."""
    if start >= end:
        return True
    piece = text[start:end]
    return piece.isspace() or not piece.strip(GAP)


def _paired(tags: list[Tag], leaves: Container[int]) -> set[int]:
    """Returns the opening and closing tags that have a partner. An element still open when its parent closes has one
    only if an unmatched closing tag follows; the two elements are crossed then.
    """
    waiting: list[int] = []
    names: dict[str, int] = {}
    crossed: dict[str, int] = {}
    paired: set[int] = set()
    for index, tag in enumerate(tags):
        kind, name = tag.kind, tag.name
        if kind == OPEN and index not in leaves:
            partner = tag.closer or name
            waiting.append(index)
            names[partner] = names.get(partner, 0) + 1
        elif kind == CLOSE and names.get(name):
            partner = ""
            while partner != name:
                opener = waiting.pop()
                partner = tags[opener].closer or tags[opener].name
                names[partner] -= 1
                crossed[partner] = opener
            del crossed[partner]
            paired.update((opener, index))
        elif kind == CLOSE and name in crossed:
            paired.update((crossed.pop(name), index))
    return paired


_TELLING = REASONING | _CALLS | {"key", "value"}
"""Folded names with a meaning in any definition."""
_TORN_TAG, _END_NUMBER = -10, -11
_NO_TAG = Tag("", "", "", False, (), False, 1, False, 0)
_END_TAG = Tag(END, "", "", False, (), True, 0, False, _END_NUMBER)
_NAMED = re.compile(r"(?<!\S)name\s*=")
_LONGEST_TAG = 300
"""Characters of a tag that is cached. Longer ones hardly occur twice."""


@lru_cache(maxsize=MAX_COMPILED)
def _given(attributes: str) -> tuple[bool, tuple[str, ...]]:
    """Returns whether a tag has a key, and its attributes that no prompt shows."""
    names = [each.name for each in attributes_of(attributes)]
    return "key" in names, tuple(name for name in names if fold(name) not in _NO_VALUES)


_BADLY_QUOTED = 5
"""The group of a value that holds its own kind of quote."""


def attributes_of(text: str, start: int = 0, end: int | None = None) -> list[Attribute]:
    """Returns the attributes in a span of a text, quoted well or badly."""
    found = []
    for match in _ATTRIBUTE.finditer(text, start, len(text) if end is None else end):
        group = match.lastindex or 1
        value, (begin, stop) = match[group], match.span(group)
        if group == _BADLY_QUOTED and value.endswith(text[begin - 1]):
            value, stop = value[:-1], stop - 1
        found.append(Attribute(match[1], value, begin, stop))
    return found


class Attribute(NamedTuple):
    """An attribute of a tag, with the span of its value."""

    name: str
    value: str
    start: int
    end: int
