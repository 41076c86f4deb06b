"""Cuts a growing text into tokens: tags, or the brackets, keys and quotes of JSON.

A token is `known` once no later text can change its symbol, which depends on the next token. Until then it is read as
if the reply ended behind it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from ..read.data import LimitReachedError
from ..read.grammar import MAX_OPEN
from ..read.scan import CLOSE, HIDING, OPEN, Scan, Tag, Tokens, is_blank
from ..read.scan_json import CLOSERS, ODD_QUOTES, Pass, ScanJson, pattern_for
from ..read.search import LOOK_BACK

_OPENING = re.compile("[<\uff1c]")
_BOUND = re.compile("[<>\uff1c\uff1e]")
_IN_QUOTES = re.compile(r"""=[ \t\n]*+(?:"[^"\n]*+|'[^'\n]*+)\Z""")
"""The end of a text that breaks off in an attribute."""
LONGEST_TAG = 300
"""Characters within which a tag that holds a bracket in quotes is awaited."""


class TagFeed:
    """The tags of a growing text. A leaf is two tokens, and every element is expected to get its closing tag.

    Attributes:
        longest: Characters within which a tag that holds a bracket in quotes is awaited.
        known: The number of tokens whose symbols are final.
        version: A number that grows with the tokens.
        position: The end of the last token.
        has_text: Whether text precedes each token.
    """

    def __init__(self, scanner: Scan, longest: int = LONGEST_TAG) -> None:
        self.scanner = scanner
        self.longest = longest
        self.tokens = Tokens("")
        self.known = 0
        self.version = 0
        self.position = 0
        self.has_text: list[bool] = []
        self._is_after_text = False
        self._looked = 0  # where the next tag is looked for
        self._ahead = 0  # where its end is looked for
        self._has_begun = False  # a tag, or something that hides tags
        self._hidden: tuple[int, Tag] | None = None  # the beginning of a comment or a section
        self._open: Counter[str] = Counter()
        self._waiting: list[str] = []
        self._paired: set[int] = set()

    def passes(self, piece: str) -> bool:
        """Returns whether a piece completes no tag for sure. It may begin one if no tag has begun before."""
        if _BOUND.search(piece) is None:
            return True
        if self._has_begun:
            return False
        bounds = _BOUND.findall(piece)
        self._has_begun = len(bounds) == 1 and bounds[0] in "<\uff1c"
        return self._has_begun

    def feed(self, text: str, is_whole: bool = False) -> None:
        """Takes the tags that are complete, and at the end the last one. `text` is all of the reply so far."""
        count = len(self.tokens.starts)
        while self._looked < len(text) and (self._hidden is None or self._reveal(text)):
            opening = _OPENING.search(text, self._looked)
            if opening is None:
                self._looked = len(text)
                break
            self._looked = begin = opening.start()
            bound = _BOUND.search(text, max(self._ahead, begin + 1))
            self._ahead = len(text) if bound is None else bound.end()
            if bound is None and not is_whole:
                break
            raw = text[begin : bound.start() if bound is not None and bound[0] in "<\uff1c" else self._ahead]
            if bound is None or "=" not in raw or len(raw) >= self.longest or _IN_QUOTES.search(raw) is None:
                self._tag(text, begin, raw)
        self._has_begun = self._looked < len(text)
        self.version += len(self.tokens.starts) > count

    def classify(self, text: str) -> None:
        """Gives all tokens their symbols."""
        tokens, first = self.tokens, self.known
        if len(tokens.starts) > len(tokens.symbols):
            tokens.text = text
            tokens.symbols[first:] = self.scanner.symbols_of(tokens, self.has_text, self._paired, first)
            tokens.text = ""  # the text grows in place
            self.known = len(tokens.starts) - 1

    def is_plain(self, index: int) -> bool:
        """Returns whether a token is a tag with nothing but its name."""
        tokens, tag = self.tokens, self.tokens.tags[index]
        size = len(tag.name) + 2 + (tag.kind == CLOSE)
        return tokens.ends[index] - tokens.starts[index] == size and not tag.is_broken

    def keep(self, kept: list[int]) -> None:
        """Keeps only some of the tokens, which get new indexes. None of those that are not known yet may be missing."""
        self.known -= len(self.tokens) - len(kept)
        self.tokens.keep(kept)
        self.has_text = [self.has_text[index] for index in kept]
        self._paired = {new for new, old in enumerate(kept) if old in self._paired}

    def _tag(self, text: str, begin: int, raw: str) -> None:
        """Takes the tag at a bracket. `raw` is the text up to the next one."""
        tag = self.scanner.tags.get(raw) or self.scanner.tag_at(text, begin, len(text))
        self._looked = self._ahead = begin + len(raw)
        if tag.kind and tag.length > 0:
            self._looked = self._ahead = begin + tag.length
            self._put(text, tag, begin)
        elif tag.kind and (tag.name != "!" or text[begin + 2 : begin + 9] in ("DOCTYPE", "doctype")):
            self._hidden, self._looked = (begin, tag), begin + 1 + len(tag.name)
            self._ahead = self._looked

    def _put(self, text: str, tag: Tag, begin: int) -> None:
        tokens, index, kind = self.tokens, len(self.has_text), tag.kind
        if tag.is_broken:
            tokens.broken.add(index)
        self.has_text.append(self._is_after_text or not is_blank(text, self.position, begin))
        self._is_after_text, self.position = False, self._looked
        tokens.tags.append(tag)
        tokens.kinds.append(kind)
        tokens.names.append(tag.name)
        tokens.starts.append(begin)
        tokens.ends.append(self.position)
        if kind == OPEN:
            partner = tag.partner
            self._waiting.append(partner)
            self._open[partner] += 1
        elif kind == CLOSE:
            if not self._open[tag.name]:
                return
            while (partner := self._waiting.pop()) != tag.name:
                self._open[partner] -= 1
            self._open[partner] -= 1
        self._paired.add(index)

    def _reveal(self, text: str) -> bool:
        """Passes over a comment or a section, and returns whether its end has come."""
        assert self._hidden is not None
        begin, tag = self._hidden
        ending = HIDING[tag.name]
        place = text.find(ending, self._looked)
        if place < 0:
            self._looked = max(self._looked, len(text) - len(ending) + 1)
            return False
        end = place + len(ending)
        is_section = tag.kind == "section"
        self._is_after_text = self._is_after_text or is_section or not is_blank(text, self.position, begin)
        if not is_section:
            self.tokens.hidden.append((begin, end))
        self.position = self._looked = self._ahead = end
        self._hidden = None
        return True


class BracketFeed:
    """The tokens of the JSON that begins at a bracket of a growing text. What comes before it does not change.

    Attributes:
        known: The number of tokens whose symbols are final.
        version: A number that grows with the tokens.
    """

    def __init__(self, scanner: ScanJson, text: str, start: int, name: str) -> None:
        self.scanner = scanner
        self.known = 0
        self.version = 0
        self._sign = text[start]
        self._pass = Pass(text, start, start + 1)
        self._pass.position += 1
        self._pass.put(OPEN, name, start, start + 1, CLOSERS[self._sign])
        self._begin = self._safe = self._pass.mark()
        self._last: tuple[Any, ...] = ()  # the last tokens
        self._odd: dict[str, None] = {}
        self._search = pattern_for(()).search
        self._looked = start

    @property
    def tokens(self) -> Tokens:
        """The tokens so far, which begin with the bracket."""
        return self._pass.tokens

    def passes(self, piece: str) -> bool:
        """Returns whether a piece completes no token for sure. Even a letter may: it shows what a quote is."""
        return False

    def feed(self, text: str) -> None:
        """Takes the tokens of the text so far. Those at the last two places may change with more text."""
        one, tokens = self._pass, self._pass.tokens
        looked, self._looked = max(0, self._looked - 1), len(text)
        odd = ODD_QUOTES.findall(text, looked)
        if odd:
            self._odd |= dict.fromkeys(odd)
            self._search = pattern_for(self._odd).search
        search = self._search
        is_near = len(text) - self._safe[0] < _LONGEST_KEY
        if _SIGN.search(text, looked) is None if is_near else search(text, looked) is None:
            return
        one.text, one.end, tokens.text = text, len(text), text
        one.rewind(self._safe)
        before = last = self._safe
        if self._safe == self._begin:
            one.bare(self._sign)
        while len(one.raw) < one.last and (match := search(text, one.position)) is not None:
            if match["quote"] and (_END.match(text, match.end()) or self._may_be_key(text, match.start())):
                break
            before, last = last, one.mark()
            one.take(match)
            if not one.opened:
                one.last = min(one.last, len(one.raw) + LOOK_BACK)
        if len(one.opened) > MAX_OPEN:
            raise LimitReachedError(f"nested deeper than {MAX_OPEN} levels")
        self._safe = before
        self.scanner.classify(tokens, one.raw, self.known)
        now = len(tokens), tokens.starts[-3:], tokens.ends[-3:], tokens.symbols[-3:]
        self.version += now != self._last
        self._last = now
        self.known = max(self.known, self._safe[1] - 1)
        one.text = tokens.text = ""  # the text grows in place

    def keep(self, kept: list[int]) -> None:
        """Keeps only some of the tokens, which get new indexes. None of those that are not known yet may be missing."""
        one, gone = self._pass, len(self.tokens) - len(kept)
        self.known -= gone
        self.tokens.keep(kept)
        one.raw = [one.raw[index] for index in kept]
        one.last -= gone
        position, count, opened, awaited = self._safe
        self._safe = position, count - gone, opened, awaited

    def _may_be_key(self, text: str, start: int) -> bool:
        return self._pass.opened.endswith("}") and _KEY.match(text, start) is not None


_END = re.compile(r"\s*+\Z")
_KEY = re.compile(r"""["'`](?![\s,:}\]])(?:[^"'`\\\n]|\\.){0,60}+(?:["'`]\s*+)?\Z""")
"""The possible beginning of a key."""
_SIGN = re.compile(r"""[\\{}\[\],:"'`\n*/#\u201c\u2018\u201d\u2019]""")
"""A character with a meaning in JSON."""
_LONGEST_KEY = 1_000
"""Characters within which a colon may make a key of the text in front of it. Further away only tokens count."""
