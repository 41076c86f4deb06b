"""Scans JSON, strict or sloppy, into tokens of the same kinds as tags, for the same search.

Each quote is a token, which may open a text, end it or be part of it. One pass, linear in the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeAlias

from ..definition import Plan, per_plan
from ..findings import Span
from .grammar import Grammar, grammar_of
from .scan import CLOSE, COMMENT, END, MARK, MAX_SYMBOLS, OPEN, Symbol, Tokens
from .search import LOOK_BACK
from .table import BARE, BRACKETS, COMMENT_ENDS, QUOTES
from .values.json_text import LAYOUT, unescaped

CLOSERS = {"{": "}", "[": "]", **QUOTES}
_COMMENTS = {"//": "\n", "#": "\n", "/*": "*/"}
_OPENERS = r"(?:\"\"\"|[\"'`\u201c\u2018{\[])?+"
_SCALAR = r"(?:[-+]?(?:\d|\.\d)[\w.+-]*+|true|false|null|True|False|None|TRUE|FALSE|NULL|undefined|NaN|-?Infinity)"
_BEHIND = r"[,}\]]|//|/\*|\#|\Z"
_ITEM = rf"(?P<item>{_SCALAR})(?=\s*+(?:{_BEHIND}))"
_BARE = re.compile(rf"\s*+(?:{_ITEM}|(?P<key>[A-Za-z_$][\w$-]*+)[\"']?[ \t]*+:(?![/:])\s*+{_OPENERS})")
"""Tokens without quotes behind an opening bracket or a comma."""
_BARE_LIST = re.compile(r"""\s*+([^\s"'`\u201c\u2018{}\[\],:][^"'`{}\[\]:\n]*+)(?=\])""")
_PIECE = re.compile(r"[^,\s](?:[^,]*[^,\s])?+")
_BARE_VALUE = re.compile(
    rf"""{_SCALAR}(?=[ \t\r]*+(?:\n|{_BEHIND}|["'][^"'\n]*+["']:))"""
    r"""|(?:[^,}\]\n"]|"(?![^"\n]*+"[ \t]*+:)|,(?!\s*+(?:\Z|["'}\]]|[\w$-]++["']?[ \t]*+:)|[ \t\r]*+\n))*+"""
)
"""A scalar, or a text without quotes. Such a text may hold a comma unless a key follows it."""
_IS_SCALAR = re.compile(_SCALAR)
ODD_QUOTES = re.compile(r"""[{\[,:]\s*+(['`\u201c\u2018])""")
_OPENING = re.compile(r"""[\s([{=:,<>+|&!/\\-]""")
_INNER = re.compile(r"""[^\s,}\]:;.!?)"'\u201d\u2019]|[}\]]["']""")


def pattern_for(odd_quotes: Iterable[str]) -> re.Pattern[str]:
    """Returns the pattern of a token. Quotes other than JSON's count only if values of the text use them."""
    return _pattern("".join(dict.fromkeys(('"', *odd_quotes))))


@lru_cache(maxsize=64)
def _pattern(quotes: str) -> re.Pattern[str]:
    keys = "|".join(
        rf"{quote}(?![\s,:}}\]])(?:[^{QUOTES[quote]}\\\n]|\\.)++{QUOTES[quote]}\s*+:(?!:)" for quote in quotes
    )
    signs = "".join({*quotes, *map(QUOTES.get, quotes)})  # type: ignore[arg-type]
    return re.compile(
        rf"""\\.|```+|(?P<opener>[{{\[])|(?P<closer>[}}\]])|,\s*+{_ITEM}|(?P<comma>,)"""
        rf"""|(?P<key>(?:{keys})\s*+{_OPENERS})"""
        rf"""|(?P<quote>\"\"\"(?=.)|[{signs}])|(?P<comment>(?<![:\w])(?://|/\*)|(?<![^\s,{{\[\]}}])\#)|(?P<end>\*/|\n)""",
        re.DOTALL,
    )


Mark: TypeAlias = tuple[int, int, str, str]
"""A point in a pass: the position, the number of tokens, the open brackets, the awaited end of a comment."""


class Pass:
    """One pass over a span that begins with a bracket. `opened` has the closers of open brackets."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.end = end
        self.position = start
        self.opened = ""
        self.last = sys.maxsize  # tokens that are taken at most
        self.awaited = ""  # the end of the current comment
        self.tokens = Tokens(text, form="json")
        self.raw: list[tuple[str, bool, bool]] = []  # the closer, whether it has a key, whether a quote opens
        self.pattern = pattern_for(ODD_QUOTES.findall(text, start, end))

    def mark(self) -> Mark:
        """Returns a point that the pass can be rewound to."""
        return self.position, len(self.raw), self.opened, self.awaited

    def rewind(self, mark: Mark) -> None:
        """Takes back all tokens since a mark."""
        self.position, count, self.opened, self.awaited = mark
        tokens = self.tokens
        for index in range(count, len(self.raw)):
            tokens.contents.pop(index, None)
            tokens.broken.discard(index)
        del self.raw[count:]
        tokens.cut(count)

    def run(self, is_whole: bool) -> None:
        """Takes all tokens, or those that a reading of the first bracket may look at."""
        search, text, end = self.pattern.search, self.text, self.end
        while len(self.raw) < self.last and (match := search(text, self.position, end)) is not None:
            self.take(match)
            if not self.opened and not is_whole:
                self.last = min(self.last, len(self.raw) + LOOK_BACK)
        end = end if len(self.raw) < self.last else self.position
        self.put(END, "", end, end)

    def take(self, match: re.Match[str]) -> None:
        """Takes what the pattern found."""
        self.position = match.end()
        if match.lastgroup is not None:  # neither an escape nor a fence
            _TAKE[match.lastgroup](self, match)

    def put(
        self, kind: str, name: str, start: int, end: int, closer: str = "", keyed: bool = False, left: bool = False,
        inner: Span | None = None,
    ) -> None:  # fmt: skip
        tokens = self.tokens
        if inner is not None:
            tokens.contents[len(self.raw)] = inner
        tokens.kinds.append(kind)
        tokens.names.append(name)
        tokens.starts.append(start)
        tokens.ends.append(end)
        self.raw.append((closer, keyed, left))
        if closer in BRACKETS:
            self.opened += closer

    def slip(self) -> None:
        self.tokens.broken.add(len(self.raw))

    def opener(self, match: re.Match[str]) -> None:
        self.put(OPEN, "li", *match.span(), CLOSERS[match[0]])
        self.bare(match[0])

    def closer(self, match: re.Match[str]) -> None:
        self.put(CLOSE, match[0], *match.span())
        self.opened = self.opened[:-1]

    def bare(self, sign: str) -> None:
        """Takes a token without quotes behind a bracket or a comma: a key, a scalar item or a list of words."""
        found = _BARE.match(self.text, self.position, self.end)
        if found is not None and found["key"]:
            self.slip()
            self.key(found, found["key"], has_quotes=False)
        elif found is not None:
            self.position = found.end()
            self.item(found)
        elif sign == "[" and (words := _BARE_LIST.match(self.text, self.position, self.end)) is not None:
            self.position = words.end()
            for piece in _PIECE.finditer(self.text, *words.span(1)):
                self.slip()
                self.item(piece)

    def item(self, found: re.Match[str]) -> None:
        """Takes an item without quotes as a leaf. At the end of the text it may be truncated."""
        start, end = found.span(found.lastgroup or 0)
        is_whole = end < self.end
        self.put(OPEN, "li", start, end if is_whole else start, BARE, inner=(start, end) if is_whole else None)

    def quoted_key(self, match: re.Match[str]) -> None:
        key = match[0].rpartition(":")[0].rstrip()[1:-1]
        if match[0][0] != '"':
            self.slip()
        self.key(match, unescaped(key) if "\\" in key else key, has_quotes=True)

    def key(self, match: re.Match[str], key: str, has_quotes: bool) -> None:
        """Takes a key with the beginning of its value. A key whose value has no quotes is a leaf."""
        text, start, end = self.text, match.end() - len(match[0].lstrip()), match.end()
        opener = match[0].rpartition(":")[2].strip()
        self.position = end
        if opener or text.startswith(("//", "/*", "#"), end, self.end):
            if opener not in ("", '"', "{", "["):
                self.slip()
            self.put(OPEN, key, start, end, CLOSERS.get(opener, BARE), True, has_quotes)
            if opener in ("{", "["):
                self.bare(opener)
            return
        value = text[end : _BARE_VALUE.match(text, end, self.end).end()].rstrip()  # type: ignore[union-attr]
        is_scalar = _IS_SCALAR.fullmatch(value) is not None
        if value and not is_scalar:
            self.slip()
        stop = self.position = end + len(value)
        is_whole = stop < self.end or (is_scalar and value.isalpha())  # which cannot be truncated
        self.put(OPEN, key, start, stop if is_whole else end, BARE, True, has_quotes, (end, stop) if is_whole else None)

    def quote(self, match: re.Match[str]) -> None:
        """Takes a quote that does not begin a key."""
        sign, start = match[0], match.start()
        if sign[0] != '"':
            self.slip()
        before = self.text[start - 1]
        is_left = before == sign[0] or _OPENING.match(before) is not None
        is_last = self.position == self.end
        is_left = is_left and (is_last or _INNER.match(self.text, self.position, self.end) is not None)
        self.put(MARK, sign, start, self.position, "", False, is_left)

    def comment(self, match: re.Match[str]) -> None:
        self.awaited = _COMMENTS[match[0]]
        self.put(COMMENT, match[0], *match.span(), self.awaited)

    def comment_ends(self, match: re.Match[str]) -> None:
        if match[0] == "*/" or self.awaited == "\n":
            self.awaited = ""
            self.put(MARK, match[0], *match.span())
            self.bare(",")


_TAKE: dict[str, Callable[[Pass, re.Match[str]], None]] = {
    "opener": Pass.opener,
    "closer": Pass.closer,
    "item": Pass.item,
    "comma": lambda one, _match: one.bare(","),
    "key": Pass.quoted_key,
    "quote": Pass.quote,
    "comment": Pass.comment,
    "end": Pass.comment_ends,
}
"""The handlers of tokens, by the group of the pattern."""


class ScanJson:
    """Scans the JSON of replies to one definition."""

    def __init__(self, grammar: Grammar) -> None:
        self.named = grammar.named
        self.symbols: dict[tuple[object, ...], Symbol] = {}

    def scan(
        self, text: str, start: int, end: int, root_name: str, is_implied: bool = False, is_whole: bool = True
    ) -> Tokens:
        """Returns the tokens of a span, then END. With `is_implied`, the bracket of the list around is missing."""
        one = Pass(text, start, end)
        one.position += not is_implied
        is_unclosed = is_implied and text[end - 1] != "]"
        sign = "[" if is_implied else text[start]
        one.put(OPEN, root_name, start, one.position, "" if is_unclosed else CLOSERS[sign])
        one.bare(sign)
        one.run(is_whole or is_unclosed)
        self.classify(one.tokens, one.raw)
        return one.tokens

    def classify(self, tokens: Tokens, raw: list[tuple[str, bool, bool]], first: int = 0) -> None:
        """Sets the symbols of the tokens from the `first` on."""
        kinds, names, contents, cached = tokens.kinds, tokens.names, tokens.contents, self.symbols
        following = (END, "", False)
        symbols: list[Symbol] = []
        for index in range(len(kinds) - 1, first - 1, -1):
            kind, name = kinds[index], names[index]
            closer, keyed, left = raw[index]
            has_text, comma, is_glued = self._around(tokens, index, keyed, left)
            after = kinds[index - 1] if index and kind == CLOSE and index - 1 not in contents else ""
            leaf = 0 if index not in contents else 2 if tokens.text[slice(*contents[index])].strip(LAYOUT) else 1
            is_known = kind == CLOSE or not index
            if keyed:
                name, is_known = self.named(name)
            key = (kind, name, has_text, following, is_known, closer, after, comma, left, leaf)
            symbol = cached.get(key)
            if symbol is None:
                symbol = Symbol(
                    kind, name, has_text, True, following, keyed, (), is_known, closer, after, comma=comma, left=left
                )
                if leaf:
                    closing = Symbol(MARK, BARE, leaf == 2, True, following, is_known=False)
                    symbol.next = (MARK, BARE, leaf == 2)
                    symbol.tags = symbol.but(), closing
                cached[key] = symbol
            symbols.append(symbol)
            is_last = kind == MARK and left and following[0] == END
            if is_last and tokens.text[tokens.ends[index - 1] : tokens.starts[index]].rstrip().endswith(","):
                following = (END, "", False)  # perhaps a key in which the text breaks off
            elif kind != MARK or name not in COMMENT_ENDS:
                following = (kind, name, has_text or is_glued)
        symbols.reverse()
        tokens.symbols[first:] = symbols
        if len(cached) > MAX_SYMBOLS:
            cached.clear()

    def _around(self, tokens: Tokens, index: int, keyed: bool, is_left: bool) -> tuple[bool, bool, bool]:
        """Returns whether text, and a comma or its like, precede a token, and whether it directly follows a quote."""
        kinds, place, text = tokens.kinds, tokens.starts[index], tokens.text
        gap = text[tokens.ends[index - 1] : place] if index else ""
        if gap in COMMAS and kinds[index] != MARK:
            return False, True, False
        rest = gap.strip(LAYOUT)
        has_text = rest != "" and _NO_TEXT.fullmatch(rest) is None
        if kinds[index] == MARK:
            is_odd = not is_left and not text[place - 1].isdigit()
            comma = is_odd and _LIKE_END.match(text, tokens.ends[index]) is not None
        else:
            comma = "," in gap or (keyed and "\n" in gap)
        is_behind_quote = index > 0 and kinds[index - 1] == MARK and tokens.names[index - 1] != BARE
        return has_text, comma, gap == "" and is_behind_quote and kinds[index] in _GLUED


_NO_TEXT = re.compile(r"\.{2,3}|\u2026|```\s+```\w*+")
"""An ellipsis, or the text between two fences."""
COMMAS = (", ", ",")
_GLUED = (OPEN, MARK, COMMENT)
_LIKE_END = re.compile(r"[ \t\r]*+[,}\]\n]")


@per_plan
def json_scanner(plan: Plan) -> ScanJson:
    return ScanJson(grammar_of(plan))
