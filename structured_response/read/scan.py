"""The characters of a reply become tokens: opening tags, closing tags and empty elements, each with its span.

Only syntax is known here, and the names of the definition: a `<` begins a tag where a name follows, and a tag that
lacks its `>` is one only where the definition knows the name. Comments, CDATA sections and instructions are passed
over, so that no tag in them counts. One pass, linear in the reply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ..definition import fold
from ..limits import MAX_COMPILED
from ..markup import GAP

__all__ = ["Attribute", "CLOSE", "COMMENT", "EMPTY", "END", "MARK", "OPEN", "REASONING", "Scan", "Symbol", "Tokens", "attributes_of", "is_blank"]

OPEN, CLOSE, EMPTY, END = "open", "close", "empty", "end"
"""The kinds of tokens of markup. END stands behind the last one."""

MARK, COMMENT = "mark", "comment"
"""The kinds that JSON has besides: a quote, which may open a text, end one or be part of it, and the sign of a comment."""

REASONING = frozenset({"think", "thinking", "reasoning", "reflection", "scratchpad"})
"""Elements in which a model thinks aloud, folded."""

_TAG = re.compile(
    r"""
    [<\uff1c]
    (?: (?P<hidden> !-- | !\[CDATA\[ | \? | ! )
      | [ \t\u00a0\u200b]*+ (?P<slash> /? ) [ \t\u00a0\u200b]*+ (?P<name> [^\W\d] [\w:.\u200b-]*+ )
        (?P<attributes> (?: [^<>"'/=\uff1c\uff1e]++
              | = [ \t\n]*+ (?: "[^"\n]*+" (?=[\s/>,]) | '[^'\n]*+' (?=[\s/>,]) )?+
              | ["'] | / (?! [ ]*[>\uff1e] ) )*+ )
        (?P<end> [ ]*+ /? [ ]*+ [>\uff1e] )?+
    )""",
    re.VERBOSE,
)
_TORN = re.compile(r"<(/?)([\w:.-]*+)(?:\s[^<>]*+)?\Z")
_BEFORE_WORD = re.compile(r"""[^\s>][ \t(`"'\u201c]\Z|[(`"'\u201c]\Z""")
_BEHIND_WORD = re.compile(r"""[ ,.;:!?)`"'\u201d][^<]?""")
_HIDING = {"!--": "-->", "![CDATA[": "]]>", "?": "?>", "!": ">"}
_ATTRIBUTE = re.compile(r"""([\w:.-]++)[ \t\n]*+=[ \t\n]*+(?:"([^"\n]*+)"(?=[\s/>,]|\Z)|'([^'\n]*+)'(?=[\s/>,]|\Z)|([^\s"'<>]++)|["']([^<>]*+))""")
_CALL = re.compile(r"""[ \t]*=[ \t]*["']?([\w.-]+)|(?:[^<>]*?\s)?name\s*=\s*["']([^"'<>]+)["']""")
_CALLS = frozenset({"function", "parameter", "invoke", "tool", "param", "arg", "argument", "field"})
"""Elements of tool calls, which are named by an attribute or behind a `=`."""

PROMPT_ATTRIBUTES = frozenset(
    {"type", "elements", "choices", "description", "required", "index", "key", "keys", "discriminator", "name"}
)
"""Attributes of objects that a prompt shows: a reply that repeats them says nothing by it. `name` may name a call's."""


class Symbol(NamedTuple):
    """A token's class as the transition table sees it.

    `text` tells whether text stands before it, `paired` whether a closing tag of its own name follows (of an opening
    one). `next` is the token behind it: kind, name, and whether text stands between. `keyed`: it has a `key`.
    `given` are the names of its attributes that no prompt shows. `after` is the kind of the token in front of it. `is_torn`: the reply breaks off
    in it, a closing tag. `is_mention`: it stands in a line of text like a word. `fits` tells whether the text before it
    reads as a value of the scalar in which it stands; it is set by the search. In JSON, `closer` is the sign that ends
    what a token opens, `comma` tells whether a comma or a line break stands before it, and `left` whether a
    quote looks like an opening one, or whether a key has quotes.
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


@dataclass(slots=True)
class Tokens:
    """The tokens of a text in parallel lists. `names` are as the reply spells them; `behind` has the end of each.

    `contents` has where the value stands of those tokens of JSON that hold one whole: they are empty elements here.
    """

    text: str
    kinds: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    symbols: list[Symbol] = field(default_factory=list)
    is_broken: set[int] = field(default_factory=set)
    hidden: list[tuple[int, int]] = field(default_factory=list)
    form: str = "xml"
    contents: dict[int, tuple[int, int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.starts)


class Scan:
    """Scans replies to one definition. `known` has the folded names that count as markup."""

    def __init__(self, known: frozenset[str]) -> None:
        self.known = known
        self.symbols: dict[Symbol, Symbol] = {}

    def scan(self, text: str, start: int = 0, end: int | None = None) -> Tokens:
        """The tokens of a stretch of a text, with an END behind the last."""
        tokens = Tokens(text)
        end = len(text) if end is None else end
        torn = self._torn(text, start, end)
        end = torn.start() if torn is not None else end
        position = start
        search, known = _TAG.search, self.known
        endless: set[str] = set()
        kinds, names, starts, ends = tokens.kinds, tokens.names, tokens.starts, tokens.ends
        raw: list[tuple[str, str]] = []  # what is behind the name, and the name of the closing tag
        while match := search(text, position, end):
            hidden, slash, name, attributes, tail = match.groups()
            position = match.end()
            if hidden is not None:
                position = self._pass_over(tokens, match.start(), hidden, endless, end)
                continue
            closer = ""
            stop = position
            is_known = fold(name) in known
            if name.lower() in _CALLS and not slash and (call := _CALL.match(attributes)):
                closer, name = name, call[1] or call[2]
                is_known = True
            if tail is None:
                if not is_known and fold(name) not in _CALLS:
                    position = match.end("name")
                    continue
                stop = match.end("name") if attributes.strip() else match.end("attributes")
                position = stop
                tokens.is_broken.add(len(starts))
                attributes = ""
            if slash:
                kind = CLOSE
            elif tail is not None and "/" in tail:
                kind = EMPTY
            else:
                kind = OPEN
            kinds.append(kind)
            names.append(name)
            starts.append(match.start())
            ends.append(stop)
            raw.append((attributes, closer))
        if torn is not None and torn[1]:
            kinds.append(CLOSE)
            names.append(torn[2])
            starts.append(torn.start())
            ends.append(torn.end())
            raw.append(("", ""))
            tokens.is_broken.add(len(starts) - 1)
            end = torn.end()
        kinds.append(END)
        names.append("")
        starts.append(end)
        ends.append(end)
        raw.append(("", ""))
        self._classify(tokens, start, raw, len(starts) - 2 if torn is not None and torn[1] else -1)
        return tokens

    def _torn(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """The tag in which a text breaks off, if it could become one of the definition's."""
        place = text.rfind("<", start, end)
        torn = _TORN.match(text, place, end) if place >= 0 else None
        if torn is None:
            return None
        name = fold(torn[2])
        return torn if not name or any(known.startswith(name) for known in self.known) else None

    def _pass_over(self, tokens: Tokens, start: int, hidden: str, endless: set[str], end: int) -> int:
        """Where to go on behind a comment, a section or an instruction; one that never ends hides nothing."""
        inside = start + 1 + len(hidden)
        if hidden == "!" and not tokens.text.startswith(("DOCTYPE", "doctype"), inside):
            return inside
        stop = -1 if hidden in endless else tokens.text.find(_HIDING[hidden], inside, end)
        if stop < 0:
            endless.add(hidden)
            return inside
        stop += len(_HIDING[hidden])
        if hidden != "![CDATA[":
            tokens.hidden.append((start, stop))
        return stop

    def _classify(self, tokens: Tokens, start: int, raw: list[tuple[str, str]], torn: int) -> None:
        """Gives each token its symbol."""
        kinds, names, text = tokens.kinds, tokens.names, tokens.text
        has_text = self._texts(tokens, start)
        paired = _paired(kinds, [closer or name for name, (_rest, closer) in zip(names, raw, strict=True)])
        intern = self.symbols
        known = self.known
        following = (END, "", False)
        symbols: list[Symbol] = []
        for index in range(len(kinds) - 1, -1, -1):
            kind, name = kinds[index], names[index]
            attributes, closer = raw[index]
            is_known = closer != "" or fold(name) in known
            keyed, given = False, ()
            if attributes and kind != CLOSE and "=" in attributes:
                keyed, given = _given(attributes)
            after = kinds[index - 1] if index else ""
            is_torn = index == torn
            is_mention = has_text[index] and following[2] and is_known and self._is_mention(tokens, index)
            symbol = Symbol(
                kind, name, has_text[index], index in paired, following, keyed, given, is_known, closer, after, is_torn,
                is_mention,
            )
            symbols.append(intern.setdefault(symbol, symbol))
            following = (kind, name if is_known else "?", has_text[index])
        symbols.reverse()
        tokens.symbols = symbols
        if len(intern) > _MAX_SYMBOLS:
            intern.clear()

    def _is_mention(self, tokens: Tokens, index: int) -> bool:
        """Whether a tag stands in a line of text like a word."""
        before = tokens.text[max(0, tokens.starts[index] - 2) : tokens.starts[index]]
        behind = tokens.text[tokens.ends[index] : tokens.ends[index] + 2]
        return _BEFORE_WORD.search(before) is not None and _BEHIND_WORD.match(behind) is not None

    def _texts(self, tokens: Tokens, position: int) -> list[bool]:
        """For each token whether text stands before it, comments and blanks aside."""
        text = tokens.text
        found: list[bool] = []
        hidden = iter(tokens.hidden)
        comment = next(hidden, None)
        for start, end in zip(tokens.starts, tokens.ends, strict=True):
            has_text = False
            while comment is not None and comment[1] <= start:
                has_text = has_text or not is_blank(text, position, comment[0])
                position = comment[1]
                comment = next(hidden, None)
            found.append(has_text or not is_blank(text, position, start))
            position = end
        return found


_MAX_SYMBOLS = 20_000
"""Symbols that are kept of one definition: a real one has hundreds, hostile replies could have one for each tag."""


def is_blank(text: str, start: int, end: int) -> bool:
    """Whether nothing but white space and zero-width characters stands in a stretch."""
    if start >= end:
        return True
    piece = text[start:end]
    return piece.isspace() or not piece.strip(GAP)


def _paired(kinds: list[str], names: list[str]) -> set[int]:
    """The opening tags that have a closing tag of their own, names taken one by one."""
    waiting: dict[str, list[int]] = {}
    paired: set[int] = set()
    for index, kind in enumerate(kinds):
        if kind == OPEN:
            waiting.setdefault(names[index], []).append(index)
        elif kind == CLOSE and (stack := waiting.get(names[index])):
            paired.add(stack.pop())
            paired.add(index)
    return paired


@lru_cache(maxsize=MAX_COMPILED)
def _given(attributes: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a tag has a key, and its attributes that no prompt shows."""
    names = [each.name for each in attributes_of(attributes)]
    return "key" in names, tuple(name for name in names if fold(name) not in PROMPT_ATTRIBUTES)


def attributes_of(text: str, start: int = 0, end: int | None = None) -> list[Attribute]:
    """The attributes that stand in a stretch of a text, quoted well or badly."""
    found = []
    for match in _ATTRIBUTE.finditer(text, start, len(text) if end is None else end):
        group = match.lastindex or 1
        found.append(Attribute(match[1], match[group], *match.span(group)))
    return found


class Attribute(NamedTuple):
    """One attribute of a tag, with the place of its value."""

    name: str
    value: str
    start: int
    end: int
