"""JSON, strict or sloppy, becomes tokens of the same kinds as tags, so that the same search reads it.

A key with what begins its value, a bracket, and a scalar without quotes open; `}` and `]` close. Where a text in quotes
ends is not decided here: each quote is a token of its own kind, which may open a text, end it or be part of it, and
brackets and keys that stand in a text are tokens too. Commas are layout. One pass, linear in the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import lru_cache

from ..definition import Plan, per_plan
from ..findings import RepairKind
from ..markup import GAP
from .build import Element, Mended, Tree, build
from .grammar import MAX_OPEN, Grammar, Shape, State, grammar_of
from .layers import Layer
from .prices import PRICES, Edit
from .rows import BARE, BRACKETS, QUOTES, Move, element
from .scan import CLOSE, COMMENT, EMPTY, END, MARK, OPEN, Symbol, Tokens
from .search import LOOK_BACK, Search

__all__ = ["ScanJson", "closer_of", "decoded", "is_too_deep", "json_string", "read_json", "text_of"]

_CLOSERS = {"{": "}", "[": "]", **QUOTES}
_COMMENTS = {"//": "\n", "#": "\n", "/*": "*/"}
_SCALAR = r"[-+]?(?:\d|\.\d)[\w.+-]*+|true|false|null|True|False|None|TRUE|FALSE|NULL|undefined|NaN|-?Infinity"
_CLEAN = r"""((?:[^{0}\\]|\\.)*+)"""
_VALUE = re.compile(rf"(?:{_SCALAR})(?=[ \t\r]*+(?:[,}}\]\n]|//|/\*|\#|\Z|[\"'][^\"'\n]*+[\"']:))")
_ITEM = re.compile(rf"\s*+({_SCALAR})(?=\s*+(?:[,\]}}]|//|/\*|\#|\Z))")
_CLEAN_ITEM = re.compile(
    rf"""\s*+,?\s*+(?:"(?!\s){_CLEAN.format('"')}"|({_SCALAR}))"""
    r"""(?=\s*+(?:\](?!["'])|,\s*+(?:["\d{\[\]-]|true|false|null)))""",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"""\s*+([A-Za-z_$][\w$-]*+)["']?[ \t]*+:(?![/:])\s*+(\"\"\"|["'`\u201c\u2018{\[])?+""")
_HAS_BARE_KEY = re.compile(r"""[{,]\s*+[A-Za-z_$][\w$-]*+["']?[ \t]*+:(?![/:])""")
_BARE_LIST = re.compile(r"""\s*+([^\s"'`{}\[\],:][^"'`{}\[\]:\n]*+)(?=\])""")
_BARE_TEXT = re.compile(
    r"""(?:[^,}\]\n"]|"(?![^"\n]*+"[ \t]*+:)|,(?!\s*+(?:\Z|["'}\]]|[\w$-]++["']?[ \t]*+:)|[ \t\r]*+\n))*+"""
)
_PIECE = re.compile(r"[^,\s](?:[^,]*[^,\s])?+")
_ODD_QUOTES = re.compile(r"""[{\[,:]\s*+(['`\u201c\u2018])""")
_HAS_COMMENTS = re.compile(r"(?<![:\w])(?://|/\*)|(?:^|[\s,{\[\]}])\#")
_OPENING = re.compile(r"""[\s([{=:,<>+|&!/\\-]""")
_INNER = re.compile(r"""[^\s,}\]:;.!?)"'\u201d\u2019]|[}\]]["']""")

_MAX_SYMBOLS = 20_000
"""Symbols that are kept of one definition."""


@lru_cache(maxsize=64)
def _pattern(quotes: str, has_comments: bool, has_bare_keys: bool) -> re.Pattern[str]:
    """The expression of a token. Each branch begins with one character, which is what makes it quick. Quotes other than
    JSON's count only in a text that has values in them.
    """
    opening = re.escape(quotes)
    branches = [r"\\.", r"\{", r"\}", r"\[", r"\]", "," if has_bare_keys else r",(?=\s*+[-+\d.tfnuTFNI])"]
    for quote in quotes:
        end = QUOTES[quote]
        triple = r"\"\"\"|" if quote == '"' else ""
        key = rf"((?![\s,:}}\]])(?:[^{end}\\\n]|\\.)++){end}\s*+:(?!:)\s*+"
        behind = rf"(?=\s*+(?:[}}\]](?![\"'])|,\s*+(?:[}}\]]|{quote}[^{end}\\\n]++{end}\s*+:)))"
        value = rf"{quote}{_CLEAN.format(end)}{end}{behind}|({_SCALAR})(?=[ \t\r]*+[,}}\]\n])|({triple}[{{\[{opening}])"
        key += f"(?:{value})?+"
        branches.append(rf'{quote}(?:{key}|(?:"")(?=.)|)' if quote == '"' else rf"{quote}(?:{key})?+")
        if end != quote:
            branches.append(end)
    if has_comments:
        branches += ["//", r"/\*", r"\*/", r"\#", r"\n"]
    return re.compile("|".join(branches), re.DOTALL)


class _Pass:
    """One pass over a stretch that begins with a bracket. `sign` is what the last token began with, `depth` how many
    brackets are open, `last` the number of tokens to take.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.end = end
        self.position = start
        self.sign = ""
        self.depth = 0
        self.last = sys.maxsize
        self.awaited = ""  # the end of a comment that has begun
        self.tokens = Tokens(text, form="json")
        self.raw: list[tuple[str, bool, bool]] = []  # the closer, whether it has a key, whether a quote looks opening
        self.quotes = "".join(dict.fromkeys(('"', *_ODD_QUOTES.findall(text, start, end))))
        self.has_bare_keys = _HAS_BARE_KEY.search(text, start, end) is not None
        has_comments = any(text.find(sign, start, end) >= 0 for sign in _COMMENTS)
        has_comments = has_comments and _HAS_COMMENTS.search(text, start, end) is not None
        self.pattern = _pattern(self.quotes, has_comments, self.has_bare_keys)

    def run(self, is_whole: bool) -> None:
        """Takes all tokens to the end, or those up to the end of the first bracket, and as many behind it as a reading
        may look at before that is final.
        """
        search, text, end = self.pattern.search, self.text, self.end
        while len(self.raw) < self.last:
            if self.sign in _BEFORE_KEY and self.has_bare_keys and self.bare_key():
                continue
            if self.sign in _BEFORE_ITEM:
                self.bare_items()
            match = search(text, self.position, end)
            if match is None:
                break
            self.position = match.end()
            self.sign = text[match.start()]
            _BY_SIGN[self.sign](self, match)
            if self.depth <= 0 and not is_whole:
                self.last = min(self.last, len(self.raw) + LOOK_BACK)
        end = end if len(self.raw) < self.last else self.position
        self.put(END, "", end, end)

    def put(
        self, kind: str, name: str, start: int, end: int, closer: str = "", keyed: bool = False, left: bool = False
    ) -> None:
        tokens = self.tokens
        tokens.kinds.append(kind)
        tokens.names.append(name)
        tokens.starts.append(start)
        tokens.ends.append(end)
        self.raw.append((closer, keyed, left))
        self.depth += closer in BRACKETS

    def put_whole(
        self, name: str, start: int, end: int, content: tuple[int, int], closer: str, keyed: bool, left: bool = False
    ) -> None:
        """A token that holds its value."""
        self.tokens.contents[len(self.raw)] = content
        self.put(EMPTY, name, start, end, closer, keyed, left)

    def slip(self) -> None:
        """The next token is written as JSON has it not."""
        self.tokens.is_broken.add(len(self.raw))

    # What has no quotes

    def bare_key(self) -> bool:
        """A key without quotes."""
        key = _BARE_KEY.match(self.text, self.position, self.end)
        if key is None:
            return False
        self.slip()
        self.sign = key[2] or ""
        self.member(key[1], key.start(1), key.end(), key[2], has_quotes=False)
        return True

    def member(self, key: str, start: int, end: int, opener: str | None, has_quotes: bool) -> None:
        """A key with what begins its value. A scalar without quotes ends with a mark of its own, or is taken whole."""
        text, last = self.text, self.end
        self.position = end
        if opener is not None or text.startswith(("//", "/*", "#"), end, last):
            self.put(OPEN, key, start, end, _CLOSERS.get(opener or "", BARE), True, has_quotes)
            return
        value = _VALUE.match(text, end, last)
        behind = value.end() if value is not None else end
        if value is not None and (behind < last or value[0] in _WHOLE):
            self.put_whole(key, start, behind, (end, behind), BARE, True, has_quotes)
        else:
            found = _BARE_TEXT.match(text, end, last)
            behind = end + len(found[0].rstrip()) if found is not None else end
            if behind > end and value is None:
                self.slip()
            self.put(OPEN, key, start, end, BARE, True, has_quotes)
            if behind < last:
                self.put(MARK, BARE, behind, behind)
        self.position = behind

    def bare_items(self) -> None:
        """Items of a list that are scalars, and at its beginning texts that end for sure."""
        text, end = self.text, self.end
        if self.sign == "[":
            while (item := _CLEAN_ITEM.match(text, self.position, end)) is not None:
                self.position = item.end()
                inner = item.span(item.lastindex or 1)
                is_text = item.lastindex == 1
                self.put_whole("li", inner[0] - is_text, self.position, inner, '"' if is_text else BARE, keyed=False)
        item = _ITEM.match(text, self.position, end)
        if item is not None:
            self.position = item.end()
            if self.position < end:
                self.put_whole("li", item.start(1), self.position, item.span(1), BARE, keyed=False)
            else:  # it may be cut off
                self.put(OPEN, "li", item.start(1), item.start(1), BARE)
        elif self.sign == "[" and (found := _BARE_LIST.match(text, self.position, end)) is not None:
            for piece in _PIECE.finditer(text, *found.span(1)):
                self.slip()
                self.put(OPEN, "li", piece.start(), piece.start(), BARE)
                self.put(MARK, BARE, piece.end(), piece.end())
            self.position = found.end()

    # Signs

    def opener(self, match: re.Match[str]) -> None:
        self.put(OPEN, "li", *match.span(), _CLOSERS[self.sign])

    def closer(self, match: re.Match[str]) -> None:
        self.put(CLOSE, self.sign, *match.span())
        self.depth -= 1

    def quote(self, match: re.Match[str]) -> None:
        """A quote that begins a key, or any other."""
        if self.sign != '"':
            self.slip()
        if match.lastindex:
            self.key(match)
            return
        before, start = self.text[match.start() - 1], match.start()
        is_left = before == self.sign or _OPENING.match(before) is not None
        is_last = self.position == self.end
        is_left = is_left and (is_last or _INNER.match(self.text, self.position, self.end) is not None)
        self.put(MARK, match[0], start, self.position, "", False, is_left)

    def key(self, match: re.Match[str]) -> None:
        """A key in quotes with its value, if that ends for sure, or with what begins it."""
        number = self.quotes.index(self.sign) * 4 + 1
        key, text, scalar, opener = match.group(number, number + 1, number + 2, number + 3)
        if "\\" in key:
            key = _ESCAPE.sub(_unescape, key)
        start, end = match.span()
        if text is not None:
            self.put_whole(key, start, end, match.span(number + 1), QUOTES[self.sign], True, left=True)
        elif scalar is not None:
            self.put_whole(key, start, end, match.span(number + 2), BARE, True, left=True)
        else:
            if opener is not None and opener not in '"{[':
                self.slip()
            self.member(key, start, end, opener, has_quotes=True)
            self.sign = opener or self.sign

    def comment(self, match: re.Match[str]) -> None:
        """The beginning or the end of a comment."""
        before = self.text[match.start() - 1]
        if match[0] == "*/" or (self.sign == "\n" and self.awaited == "\n"):
            self.put(MARK, match[0], *match.span())
            self.awaited, self.sign = "", ","
        elif match[0] in _COMMENTS and before != ":" and (self.sign != "#" or before in " \t\n,{[]}"):
            self.awaited = _COMMENTS[match[0]]
            self.put(COMMENT, match[0], *match.span(), self.awaited)

    def nothing(self, match: re.Match[str]) -> None:
        """An escape, or a comma."""


_BY_SIGN: dict[str, Callable[[_Pass, re.Match[str]], None]] = {
    **dict.fromkeys("{[", _Pass.opener),
    **dict.fromkeys("}]", _Pass.closer),
    **dict.fromkeys("\\,", _Pass.nothing),
    **dict.fromkeys("/#*\n", _Pass.comment),
    **dict.fromkeys([sign for pair in QUOTES.items() for sign in pair if len(sign) == 1], _Pass.quote),
}
"""What takes a token, by the sign that it begins with."""


class ScanJson:
    """Scans the JSON of replies to one definition."""

    def __init__(self, grammar: Grammar) -> None:
        self.named = grammar.named
        self.symbols: dict[tuple[object, ...], Symbol] = {}

    def scan(
        self, text: str, start: int, end: int, root_name: str, is_implied: bool = False, is_whole: bool = True
    ) -> Tokens:
        """The tokens of a stretch that begins with a bracket, with an END behind the last. `is_implied`: the bracket of
        the list around it is missing. Not `is_whole`: what stands far behind the end of the bracket is left out.
        """
        one = _Pass(text, start, end)
        one.position += not is_implied
        one.sign = "[" if is_implied else text[start]
        is_unclosed = is_implied and text[end - 1] != "]"
        one.put(OPEN, root_name, start, one.position, "" if is_unclosed else _CLOSERS[one.sign])
        one.run(is_whole or is_unclosed)
        self._classify(one.tokens, one.raw)
        return one.tokens

    def _classify(self, tokens: Tokens, raw: list[tuple[str, bool, bool]]) -> None:
        """Gives each token its symbol."""
        kinds, names, cached = tokens.kinds, tokens.names, self.symbols
        following = (END, "", False)
        symbols: list[Symbol] = []
        for index in range(len(kinds) - 1, -1, -1):
            kind, name = kinds[index], names[index]
            closer, keyed, left = raw[index]
            has_text, comma, is_glued = self._around(tokens, index, keyed, left)
            is_known = kind == CLOSE or not index
            if keyed:
                name, is_known = self.named(name)
            key = (kind, name, has_text, following, is_known, closer, comma, left)
            symbol = cached.get(key)
            if symbol is None:
                after = kinds[index - 1] if index and kind == CLOSE else ""
                symbol = cached[key] = Symbol(
                    kind, name, has_text, True, following, keyed, (), is_known, closer, after, comma=comma, left=left
                )
            symbols.append(symbol)
            if kind == MARK and left and following[0] == END and self._is_behind_comma(tokens, index):
                following = (END, "", False)  # perhaps a key in which the text breaks off
            elif kind != MARK or name not in _COMMENT_ENDS:
                following = (kind, name, has_text or is_glued)
            elif has_text:
                following = (*following[:2], True)
        symbols.reverse()
        tokens.symbols = symbols
        if len(cached) > _MAX_SYMBOLS:
            cached.clear()

    def _is_behind_comma(self, tokens: Tokens, index: int) -> bool:
        return tokens.text[tokens.ends[index - 1] : tokens.starts[index]].rstrip().endswith(",")

    def _around(self, tokens: Tokens, index: int, keyed: bool, is_left: bool) -> tuple[bool, bool, bool]:
        """Whether text stands before a token, whether a comma does (behind a quote, or before a key, a line break is as
        good), and whether it follows a quote at once.
        """
        kinds, place, text = tokens.kinds, tokens.starts[index], tokens.text
        before = tokens.ends[index - 1] if index else place
        has_text = comma = is_glued = False
        if before < place:
            gap = text[before:place]
            comma = "," in gap or ("\n" in gap and (keyed or kinds[index] == MARK))
            rest = gap.strip(_LAYOUT)
            has_text = rest != "" and rest not in _DOTS and _BETWEEN_FENCES.fullmatch(rest) is None
        elif index and kinds[index - 1] == MARK:
            is_glued = kinds[index] in _GLUED and tokens.names[index - 1] != BARE
        if kinds[index] == MARK:
            is_odd = not is_left and not text[place - 1].isdigit()
            comma = is_odd and _LIKE_END.match(text, tokens.ends[index]) is not None
        return has_text, comma, is_glued


_LAYOUT = GAP + ",\u00a0"
_BETWEEN_FENCES = re.compile(r"```\s+```\w*+")
_DOTS = ("...", "\u2026", "..")
_COMMENT_ENDS = frozenset(_COMMENTS.values())
_GLUED = (OPEN, MARK, EMPTY, COMMENT)
_LIKE_END = re.compile(r"[ \t\r]*+[,}\]\n]")
_OPENING_KINDS = (OPEN, MARK, EMPTY)
_BEFORE_KEY, _BEFORE_ITEM = ("{", ","), ("[", ",")


@per_plan
def _scanner(plan: Plan) -> ScanJson:
    return ScanJson(grammar_of(plan))


def is_too_deep(text: str, start: int, end: int) -> bool:
    """Whether brackets are open that no answer can have open at once. Those in texts count where there are many."""
    most = _deepest(_ANY_BRACKET, text, start, end)
    return most > 2 * MAX_OPEN or (most > MAX_OPEN and _deepest(_OUTSIDE, text, start, end) > MAX_OPEN)


def _deepest(pattern: re.Pattern[str], text: str, start: int, end: int) -> int:
    """Brackets that are open at once, up to the most that are counted."""
    depth = most = 0
    for match in pattern.finditer(text, start, end):
        sign = match[0]
        if sign in "{[":
            depth += 1
            if depth > most:
                most = depth
                if most > 2 * MAX_OPEN:
                    break
        elif sign in "}]" and depth:
            depth -= 1
    return most


_ANY_BRACKET = re.compile(r"[{}\[\]]")
_OUTSIDE = re.compile(r'[{}\[\]]|\\.|"(?:[^"\\]|\\.)*+"', re.DOTALL)
"""Brackets, and what hides them: escapes, and texts in quotes."""


def read_json(
    grammar: Grammar, shape: Shape, name: str, text: str, start: int, end: int, level: int = 0
) -> tuple[Tree, int, int] | None:
    """Reads the JSON whose first bracket stands at `start` as a value of a shape that goes by `name`. Returns its tree,
    what the reading cost, and where it ends; None where nothing can be read. `level`: it stands in strings of
    JSON, one in another, so many times. What stands in the arguments of a call, or encoded in a string in place of the
    answer, is read there.
    """
    found = _read(grammar, shape, name, text, start, end, level)
    call = _CALL.match(text, start, end) if shape is grammar.root and not level else None
    if call is not None and shape.field(call[2]) is None:
        is_string = text[call.end() - 1] == '"'
        inner = _BRACKET.match(text, call.end(), end) if is_string else call
        made = inner and _read(grammar, shape, name, text, inner.end() - 1, end, int(is_string))
        bracket_behind = PRICES[Edit.BRACKET_STRAY].level
        allowed = bracket_behind if shape.field(call[1]) is None else 0
        if made and (found is None or made[1] <= found[1] + allowed):
            made[0].mended = [mended for mended in made[0].mended if mended.edit is not Edit.REST_LEFT]
            return _wrapped(made[0], start), made[1], _BEHIND.match(text, made[2], end).end()  # type: ignore[union-attr]
    if shape.is_list and not shape.fields and not shape.is_map and text[start] == "{":
        last = max(text.rfind("}", start, end), text.rfind("]", start, end)) + 1
        made = _read(grammar, shape, name, text, start, last or end, level, is_implied=True)
        if made and (found is None or made[1] < found[1]):
            return made
    if found is None or level or any(child.role != "skipped" for child in found[0].root.children):  # type: ignore[union-attr]
        return found
    for child in _strings(found[0].root):  # type: ignore[arg-type]
        opening = _BRACKET.match(text, child.inner, child.end)
        inside = opening and _read(grammar, shape, name, text, opening.end() - 1, child.end, 1)
        if inside and any(each.role != "skipped" for each in inside[0].root.children):  # type: ignore[union-attr]
            return _wrapped(inside[0], start), inside[1], found[2]
    return found


_CALL = re.compile(
    r"""\{\s*+"(name|function|tool|tool_name|action)"\s*+:\s*+"[\w.-]*+"\s*+,"""
    r"""\s*+"(arguments|parameters|args|input|action_input)"\s*+:\s*+["{]"""
)
_BRACKET = re.compile(r"(?:\s|\\[nrt])*+[{\[]")
_BEHIND = re.compile(r'"?\s*+\}?')


def _wrapped(tree: Tree, start: int) -> Tree:
    """A tree with what stands in front of it on record."""
    assert tree.root is not None
    tree.mended.append(Mended(Edit.WRAPPER, tree.root, (start, tree.root.start)))
    return tree


def _strings(root: Element) -> list[Element]:
    """Texts in quotes within an element, the first ones."""
    found: list[Element] = []
    waiting = [root]
    while waiting and len(found) < 8:
        element = waiting.pop()
        waiting += reversed(element.children)
        if not element.children and closer_of(element) == '"':
            found.append(element)
    return found


def _read(
    grammar: Grammar, shape: Shape, name: str, text: str, start: int, end: int, level: int, is_implied: bool = False
) -> tuple[Tree, int, int] | None:
    """Reads the JSON that begins at a bracket, or at an item of a list that has no bracket."""
    around = grammar.state("ended", shape, "", "")
    for is_whole in (False, True):
        tokens = _tokens(grammar, name, text, start, end, level, is_implied, is_whole)
        inside = element(grammar, shape, name, tokens.symbols[0].closer, around)
        search = Search(grammar, inside, 1, lambda state, index: True)
        reading = search.run(tokens.symbols)
        if search.furthest + 2 < len(tokens) or tokens.starts[-1] == end:
            break  # no reading has seen that tokens are left out
    opening = Move(inside, (("open", shape, "root", None, False),), ())
    if reading is None:
        return None
    tree = build(tokens, [(0, opening), *reading.way], start)
    if tree.root is None:
        return None
    if reading.way and Edit.REST_LEFT in reading.way[-1][1].edits:
        behind = tree.root.stop
        tree.mended.append(Mended(Edit.REST_LEFT, tree.root, (behind, max(behind, tokens.ends[reading.way[-1][0]]))))
    _record_slips(tree, inside, reading.way)
    _end_before_text(tree)
    stop = tree.root.stop
    for index, move in reading.way[::-1]:
        if move.state.kind == "ended" and tokens.kinds[index] == CLOSE:
            stop = max(stop, tokens.ends[index])
            break
    tokens.cut(reading.end + 1)
    return tree, reading.cost, stop


def _tokens(
    grammar: Grammar, name: str, text: str, start: int, end: int, level: int, is_implied: bool, is_whole: bool
) -> Tokens:
    """The tokens of a stretch with their places in the reply."""
    scanner = _scanner(grammar.plan)
    if not level:
        return scanner.scan(text, start, end, name, is_implied, is_whole)
    inner, origin = decoded(text, start, end, level)
    tokens = scanner.scan(inner, 0, len(inner), name, is_implied, is_whole)
    tokens.text, tokens.level = text, level
    tokens.starts, tokens.ends = list(map(origin, tokens.starts)), list(map(origin, tokens.ends))
    tokens.contents = {index: (origin(first), origin(last)) for index, (first, last) in tokens.contents.items()}
    return tokens


def _end_before_text(tree: Tree) -> None:
    """Ends what was never closed in front of the text that follows it: that stands behind the answer."""
    if not tree.left or tree.left[-1].edit is not Edit.TEXT_STRAY or tree.left[-1].span[1] != tree.tokens.starts[-1]:
        return
    end = tree.left.pop().span[0]
    element = tree.root
    while element is not None and element.is_cut:
        element.end = element.stop = end
        element = element.children[-1] if element.children else None


def _record_slips(tree: Tree, state: State, way: list[tuple[int, Move]]) -> None:
    """Puts the odd quotes and names, and the commas that are missing or too many, on record."""
    tokens, text = tree.tokens, tree.tokens.text
    assert tree.root is not None
    position, is_first, commas = tokens.ends[0], True, ""
    for index, move in way:
        if move.state.kind == "done":
            break
        was, state = state.kind, move.state
        if was in ("quoted", "scalar") and not move.steps:
            continue
        start = tokens.starts[index]
        if was == "elements":
            gap = text[position:start].translate(_NO_BLANKS) if position < start else ""
            commas += gap
            if state.kind != "comment":
                is_opener = tokens.kinds[index] in _OPENING_KINDS
                expected = "," if is_opener and not is_first else ""
                if commas != expected and not commas.strip(",.\u2026"):
                    tree.mended.append(Mended(Edit.JSON_SLIP, tree.root, (position, start)))
                commas = ""
        if index in tokens.is_broken:
            tree.mended.append(Mended(Edit.JSON_SLIP, tree.root, (start, tokens.ends[index])))
        if was == "elements":
            is_first = state.kind == "elements" and tokens.kinds[index] == OPEN
        elif was in ("quoted", "scalar"):
            is_first = False
        position = tokens.ends[index]


_NO_BLANKS = dict.fromkeys(map(ord, " \t\r\n\u00a0\u200b\ufeff"))


# Texts

_NULLS = frozenset({"null", "None", "NULL", "Null", "undefined", "nil", ""})
_WHOLE = frozenset({"true", "false", "null", "True", "False", "None"})
"""Scalars of which nothing can be missing where a reply breaks off."""
_WORDS = {"True": "true", "False": "false", "TRUE": "true", "FALSE": "false"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([A-Za-z]+)|(.))", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": ""}
_ODD_BARE = re.compile(r"[\"'`]\Z|\w\(.*\)\Z|\" ?[+%]|[+%] ?\"", re.DOTALL)
"""The sign that a text without quotes is something else."""
_UNDOUBLED = re.compile(r"(?:[^\\]|\\[^A-Za-z]|\\[nrtu]|\\[bf](?![A-Za-z]))*+\\", re.DOTALL)
_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*+)\\(?:u[0-9a-fA-F]{0,3})?\Z")
_DOUBLED = re.compile(r"""(?:"[^"]++|(?![^"]*[\u201e\u201c][^"\u201c-\u201e]*+")[^"]++(?<![\\\d])")\Z""")
"""A text of which an opening or a closing quote stood there twice; one that closes a curly quote did not."""
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")
_COMMANDS = """
    nabla natural ne nearrow neg neq newline nexists ni nleq nmid nolimits nonumber norm not notin nparallel nsubseteq
    nu rVert rangle rbrace rceil ref rfloor rho right rightarrow rightleftharpoons rm rtimes rvert
    tag tan tanh tau text textbf textit textrm textsf textstyle texttt tfrac therefore theta thickapprox thinspace tilde
    times to top triangle triangleq
"""
_LATEX = frozenset(_COMMANDS.split())
"""Commands of LaTeX that begin like an escape of JSON."""


def json_string(raw: str, is_quoted: bool) -> tuple[str | None, tuple[RepairKind, ...]]:
    """The value of what stands between the quotes of a string, or of a scalar without quotes, None for a null; with the
    kinds of repairs that it took.
    """
    if not is_quoted:
        return _bare(raw)
    changes: list[RepairKind] = []
    if "\n" in raw:
        changes.append(RepairKind.JSON_MENDED)
        raw = raw.replace("\r\n", "\n")
    if '"' in raw and _DOUBLED.match(raw) is not None:
        raw = raw.strip('"')
    if "\\" not in raw:
        return raw, tuple(changes)
    is_undoubled = _UNDOUBLED.match(raw) is not None
    if is_undoubled:
        changes.append(RepairKind.UNESCAPED)
    value = _ESCAPE.sub(_unescape_but_words if is_undoubled else _unescape, raw)
    if not value.isascii() and _HALF.search(value) is not None:
        value = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), value)
        value, halves = _HALF.subn("\ufffd", value)
        if halves:
            changes.append(RepairKind.UNESCAPED)
    return value, tuple(changes)


def _bare(raw: str) -> tuple[str | None, tuple[RepairKind, ...]]:
    text = raw.strip(_LAYOUT)
    if text in _NULLS:
        return None, () if text == "null" else (RepairKind.JSON_MENDED,)
    if text in _WORDS:
        return _WORDS[text], (RepairKind.JSON_MENDED,)
    if text.startswith('\\"') and text.endswith('\\"') and len(text) > 3:  # its quotes are escaped, too
        return json_string(text[2:-2], is_quoted=True)
    if _ODD_BARE.search(text) is None:
        return text, ()
    # Its opening quote is missing, or it is no text but code.
    is_one = text[-1] in "\"'" and text.count(text[-1]) == 1
    return text[:-1].rstrip() if is_one else text, (RepairKind.OPENER_MISSING,)


def _unescape(match: re.Match[str]) -> str:
    code, byte, word, sign = match.groups()
    if code or byte:
        return chr(int(code or byte, 16))
    if word:
        escaped = _ESCAPED.get(word[0])
        return match[0] if escaped is None else escaped + word[1:]
    return "" if sign == "\n" else sign if sign in "\"\\/'`" else match[0]


def _unescape_but_words(match: re.Match[str]) -> str:
    """The same where the author did not double the backslashes of words."""
    word = match[3]
    if word and (word[0] not in "nrt" or word in _LATEX):
        return match[0]
    return _unescape(match)


def closer_of(element: Element) -> str:
    """The sign that ends an element of JSON, BARE for a scalar without quotes, a quote for a part of a text."""
    tokens = element.tokens
    if tokens.form != "json":
        return '"'
    if element.token < 0:
        return "}"
    symbol = tokens.symbols[element.token]
    return QUOTES[symbol.name] if symbol.kind == MARK else symbol.closer


def text_of(element: Element) -> tuple[str | None, tuple[RepairKind, ...]]:
    """The value of an element of JSON that is a text."""
    tokens = element.tokens
    raw = tokens.text[element.inner : element.end]
    if tokens.level:
        raw, _origin = decoded(raw, 0, len(raw), tokens.level)
    if tokens.form != "json":
        return json_string(raw, is_quoted=True)
    if element.token < 0:
        return raw.strip(_LAYOUT), ()
    if element.is_cut:
        raw = _HALF_ESCAPE.sub(r"\1", raw)
    elif not element.is_closed:
        raw = raw.rstrip(GAP).removesuffix(",")
    return json_string(raw, closer_of(element) != BARE)


def decoded(text: str, start: int, end: int, level: int = 1) -> tuple[str, Callable[[int], int]]:
    """The text of the string between two quotes of JSON, which was encoded so many times, and what tells the place in
    the reply of a place in it.
    """
    layer = Layer(text, (start, end), _ONE_ESCAPE, lambda escape: _ESCAPE.sub(_unescape, escape))
    if level == 1:
        return layer.text, layer.origin
    inner, origin = decoded(layer.text, 0, len(layer.text), level - 1)
    return inner, lambda place: layer.origin(origin(place))


_ONE_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
