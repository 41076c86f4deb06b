"""Scans JSON, strict or sloppy, into tokens of the same kinds as tags, for the same search.

Each quote is a token, which may open a text, end it or be part of it. One pass, linear in the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeAlias

from ..definition import Plan, fold, per_plan
from ..escaping import GAP, UNDOUBLED
from ..findings import RepairKind, Span
from .build import Element, Mended, Tree, build
from .grammar import MAX_OPEN, Grammar, Shape, State, grammar_of
from .layers import Layer
from .prices import PRICES, Edit
from .scan import CLOSE, COMMENT, END, MARK, OPEN, Symbol, Tokens
from .search import LOOK_BACK, Search
from .table import BARE, BRACKETS, QUOTES, Move, element

CLOSERS = {"{": "}", "[": "]", **QUOTES}
_COMMENTS = {"//": "\n", "#": "\n", "/*": "*/"}
_OPENERS = r"(?:\"\"\"|[\"'`\u201c\u2018{\[])?+"
_SCALAR = r"(?:[-+]?(?:\d|\.\d)[\w.+-]*+|true|false|null|True|False|None|TRUE|FALSE|NULL|undefined|NaN|-?Infinity)"
_BEHIND = r"[,}\]]|//|/\*|\#|\Z"
_BARE = re.compile(
    rf"\s*+(?:(?P<item>{_SCALAR})(?=\s*+(?:{_BEHIND}))|(?P<key>[A-Za-z_$][\w$-]*+)[\"']?[ \t]*+:(?![/:])\s*+{_OPENERS})"
)
"""Tokens without quotes behind an opening bracket or a comma."""
_BARE_LIST = re.compile(r"""\s*+([^\s"'`{}\[\],:][^"'`{}\[\]:\n]*+)(?=\])""")
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

_MAX_SYMBOLS = 20_000
"""Symbols that are kept for a definition."""


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
        rf"""\\.|(?P<opener>[{{\[])|(?P<closer>[}}\]])|(?P<comma>,)|(?P<key>(?:{keys})\s*+{_OPENERS})"""
        rf"""|(?P<quote>\"\"\"(?=.)|[{signs}])|(?P<comment>(?<![:\w])(?://|/\*)|(?<![^\s,{{\[\]}}])\#)|(?P<end>\*/|\n)""",
        re.DOTALL,
    )


Mark: TypeAlias = tuple[int, int, str, str]
"""A point in a pass: the position, the number of tokens, the open brackets, the awaited end of a comment."""


class Pass:
    """One pass over a span that begins with a bracket. `opened` closes the open brackets, `last` tokens are taken."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.end = end
        self.position = start
        self.opened = ""
        self.last = sys.maxsize
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
            tokens.is_broken.discard(index)
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
        if match.lastgroup is not None:  # not an escape
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
        self.tokens.is_broken.add(len(self.raw))

    def opener(self, match: re.Match[str]) -> None:
        self.put(OPEN, "li", *match.span(), CLOSERS[match[0]])
        self.bare(match[0])

    def closer(self, match: re.Match[str]) -> None:
        self.put(CLOSE, match[0], *match.span())
        self.opened = self.opened[:-1]

    def comma(self, _match: re.Match[str]) -> None:
        self.bare(",")

    def bare(self, sign: str) -> None:
        """Takes a token without quotes behind a bracket or a comma: a key, a scalar item or a list of words."""
        found = _BARE.match(self.text, self.position, self.end)
        if found is not None and found["key"]:
            self.slip()
            self.key(found, found["key"], has_quotes=False)
        elif found is not None:
            self.position = found.end()
            self.item(*found.span("item"))
        elif sign == "[" and (words := _BARE_LIST.match(self.text, self.position, self.end)) is not None:
            self.position = words.end()
            for piece in _PIECE.finditer(self.text, *words.span(1)):
                self.slip()
                self.item(*piece.span())

    def item(self, start: int, end: int) -> None:
        """Takes an item without quotes as a leaf. At the end of the text it may be truncated."""
        is_whole = end < self.end
        self.put(OPEN, "li", start, end if is_whole else start, BARE, inner=(start, end) if is_whole else None)

    def quoted_key(self, match: re.Match[str]) -> None:
        key = match[0].rpartition(":")[0].rstrip()[1:-1]
        if match[0][0] != '"':
            self.slip()
        self.key(match, _ESCAPE.sub(_unescape, key) if "\\" in key else key, has_quotes=True)

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
    "comma": Pass.comma,
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
            leaf = 0 if index not in contents else 2 if tokens.text[slice(*contents[index])].strip(_LAYOUT) else 1
            is_known = kind == CLOSE or not index
            if keyed:
                name, is_known = self.named(name)
            key = (kind, name, has_text, following, is_known, closer, after, comma, left, leaf)
            symbol = cached.get(key)
            if symbol is None:
                symbol = cached[key] = Symbol(
                    kind, name, has_text, True, following, keyed, (), is_known, closer, after, comma=comma, left=left
                )
                if leaf:
                    closing = Symbol(MARK, BARE, leaf == 2, True, following, is_known=False)
                    symbol.next = (MARK, BARE, leaf == 2)
                    symbol.tags = symbol.but(), closing
            symbols.append(symbol)
            is_last = kind == MARK and left and following[0] == END
            if is_last and tokens.text[tokens.ends[index - 1] : tokens.starts[index]].rstrip().endswith(","):
                following = (END, "", False)  # perhaps a key in which the text breaks off
            elif kind != MARK or name not in _COMMENT_ENDS:
                following = (kind, name, has_text or is_glued)
        symbols.reverse()
        tokens.symbols[first:] = symbols
        if len(cached) > _MAX_SYMBOLS:
            cached.clear()

    def _around(self, tokens: Tokens, index: int, keyed: bool, is_left: bool) -> tuple[bool, bool, bool]:
        """Returns whether text, and a comma or its like, precede a token, and whether it directly follows a quote."""
        kinds, place, text = tokens.kinds, tokens.starts[index], tokens.text
        gap = text[tokens.ends[index - 1] : place] if index else ""
        rest = gap.strip(_LAYOUT)
        has_text = rest != "" and _NO_TEXT.fullmatch(rest) is None
        if kinds[index] == MARK:
            is_odd = not is_left and not text[place - 1].isdigit()
            comma = is_odd and _LIKE_END.match(text, tokens.ends[index]) is not None
        else:
            comma = "," in gap or (keyed and "\n" in gap)
        is_behind_quote = index > 0 and kinds[index - 1] == MARK and tokens.names[index - 1] != BARE
        return has_text, comma, gap == "" and is_behind_quote and kinds[index] in _GLUED


_LAYOUT = GAP + ",\u00a0"
_NO_TEXT = re.compile(r"\.{2,3}|\u2026|```\s+```\w*+")
"""An ellipsis, or the text between two fences."""
_COMMENT_ENDS = frozenset(_COMMENTS.values())
_GLUED = (OPEN, MARK, COMMENT)
_LIKE_END = re.compile(r"[ \t\r]*+[,}\]\n]")


@per_plan
def json_scanner(plan: Plan) -> ScanJson:
    return ScanJson(grammar_of(plan))


def is_too_deep(text: str, start: int, end: int) -> bool:
    """Returns whether more brackets are open than any answer can have open. Brackets in texts don't count."""
    depth = 0
    for match in _BRACKETS.finditer(text, start, end):
        if match[0] in "{[":
            depth += 1
        elif match[0] in "}]" and depth:
            depth -= 1
        if depth > MAX_OPEN:
            return True
    return False


_BRACKETS = re.compile(r'[{}\[\]]|\\.|"(?:[^"\\\n]|\\.)*+"')
"""Brackets, and escapes and single-line texts, which hide them."""


def read_json(
    grammar: Grammar, shape: Shape, name: str, text: str, start: int, end: int, level: int = 0
) -> tuple[Tree, int, int] | None:
    """Reads the JSON at `start` as a value of a shape: the tree, its cost and its end, or None.

    The arguments of a tool call are read in place of the call, and JSON in a string in place of the answer. `level` is
    the number of nested strings of JSON around the text.
    """
    found = _read(grammar, shape, name, text, start, end, level)
    call = _CALL.match(text, start, end) if shape is grammar.root and not level else None
    if call is not None and shape.field(call[3]) is None:
        made = _read(grammar, shape, name, text, call.end() - 1, end, 0)
        is_named = fold(call[2]) in grammar.root_names
        allowed = 0 if shape.field(call[1]) is not None else PRICES[Edit.BRACKET_STRAY].level
        if made and (found is None or is_named or made[1] <= found[1] + allowed):
            made[0].mended = [mended for mended in made[0].mended if mended.edit is not Edit.REST_LEFT]
            return _wrapped(made[0], start), made[1], _BEHIND_CALL.match(text, made[2], end).end()  # type: ignore[union-attr]
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
    r"""(?:\[\s*+)?+\{\s*+"(name|function|tool|tool_name|action)"\s*+:\s*+"([\w.-]*+)"\s*+,"""
    r"""\s*+"(arguments|parameters|args|input|action_input)"\s*+:\s*+\{"""
)
_BRACKET = re.compile(r"(?:\s|\\[nrt])*+[{\[]")
_BEHIND_CALL = re.compile(r"\s*+\}?\s*+\]?")


def _wrapped(tree: Tree, start: int) -> Tree:
    """Returns a tree, with the text in front of it recorded as a wrapper."""
    assert tree.root is not None
    tree.mended.append(Mended(Edit.WRAPPER, tree.root, (start, tree.root.start)))
    return tree


def _strings(root: Element) -> list[Element]:
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
    """Reads the JSON that begins at a bracket, or at an item of a list without a bracket."""
    around = grammar.state("ended", shape, "", "")
    for is_whole in (False, True):
        tokens = _tokens(grammar, name, text, start, end, level, is_implied, is_whole)
        inside = element(grammar, shape, name, tokens.symbols[0].closer, around)
        search = Search(grammar, inside, 1, lambda state, index: True)
        reading = search.run(tokens.symbols)
        if search.furthest + 2 < len(tokens) or tokens.starts[-1] == end:
            break  # no reading reached the omitted tokens
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

    scanner = json_scanner(grammar.plan)
    if not level:
        return scanner.scan(text, start, end, name, is_implied, is_whole)
    inner, origin = decoded(text, start, end, level)
    tokens = scanner.scan(inner, 0, len(inner), name, is_implied, is_whole)
    tokens.text, tokens.level = text, level
    tokens.starts, tokens.ends = list(map(origin, tokens.starts)), list(map(origin, tokens.ends))
    tokens.contents = {index: (origin(start), origin(end)) for index, (start, end) in tokens.contents.items()}
    return tokens


def _end_before_text(tree: Tree) -> None:
    """Ends unclosed elements in front of the text that follows the answer."""
    if not tree.left or tree.left[-1].edit is not Edit.TEXT_STRAY or tree.left[-1].span[1] != tree.tokens.starts[-1]:
        return
    end = tree.left.pop().span[0]
    element = tree.root
    while element is not None and element.is_cut:
        element.end = element.stop = end
        element = element.children[-1] if element.children else None


def _record_slips(tree: Tree, state: State, way: list[tuple[int, Move]]) -> None:
    """Records odd quotes, odd names, and missing or superfluous commas."""
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
                is_opener = tokens.kinds[index] in (OPEN, MARK)
                expected = "," if is_opener and not is_first else ""
                if commas != expected and not commas.strip(",.\u2026"):
                    tree.mended.append(Mended(Edit.JSON_SLIP, tree.root, (position, start)))
                commas = ""
        if index in tokens.is_broken:
            tree.mended.append(Mended(Edit.JSON_SLIP, tree.root, (start, tokens.ends[index])))
        if was == "elements":
            is_first = state.kind == "elements" and tokens.kinds[index] == OPEN and index not in tokens.contents
        elif was in ("quoted", "scalar"):
            is_first = False
        position = tokens.ends[index]


_NO_BLANKS = dict.fromkeys(map(ord, " \t\r\n\u00a0\u200b\ufeff"))


# Texts

_NULLS = frozenset({"null", "None", "NULL", "Null", "undefined", "nil", ""})
_WORDS = {"True": "true", "False": "false", "TRUE": "true", "FALSE": "false"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([A-Za-z]+)|(.))", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": ""}
_ODD_BARE = re.compile(r"[\"'`]\Z|\w\(.*\)\Z|\" ?[+%]|[+%] ?\"|\{[^{}]*+\Z|\[[^\[\]]*+\Z", re.DOTALL)
"""A sign that a text without quotes is not a text."""
_UNDOUBLED = re.compile(rf"(?:[^\\]++|\\[^A-Za-z]|\\(?!{UNDOUBLED})[bfnrtu])*+\\", re.DOTALL)
_PATH = re.compile(r"(?:\b|(?<=\\[nrt]))[A-Za-z]:(?=\\[^nrt])(?:\\[^\s\\\"'<>|*?]++)++")
"""A path of Windows whose backslashes were not doubled."""
_HALF_ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*+)\\(?:u[0-9a-fA-F]{0,3})?\Z")
_DOUBLED = re.compile(r"""(?:"[^"]++|(?![^"]*[\u201e\u201c][^"\u201c-\u201e]*+")[^"]++(?<![\\\d])")\Z""")
"""A text with its opening or closing quote doubled. A quote that closes a curly one is not doubled."""
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALF = re.compile("[\ud800-\udfff]")
_COMMAND = re.compile(
    rf"{UNDOUBLED}|(?:nabla|natural|ne|nearrow|neg|neq|newline|nexists|ni|nleq|nmid|nolimits|nonumber|norm|not|notin|nparallel"
    r"|nsubseteq|nu|ref|rm|tag|tan|tanh|tau|text|tfrac|to|top)(?![A-Za-z])"
)
"""A command of LaTeX that begins like an escape of JSON."""
SURE_ESCAPE = re.compile(
    rf"""\\(?:["\\/]|[nrt](?=[^A-Za-z])|(?!{_COMMAND.pattern})[nrt][A-Za-z]*+(?=[^A-Za-z])"""
    r"""|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"""
)
"""An escape, with the word behind it, whose meaning does not depend on the rest of its text."""


def json_string(raw: str, is_quoted: bool) -> tuple[str | None, tuple[RepairKind, ...]]:
    """Returns the value of a string or of a scalar without quotes, None for null, and the kinds of its repairs."""
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
        raw = _PATH.sub(lambda path: path[0].replace("\\", r"\\"), raw)
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
    if text.startswith('\\"') and text.endswith('\\"') and len(text) > 3:  # its quotes are escaped too
        return json_string(text[2:-2], is_quoted=True)
    if _ODD_BARE.search(text) is None:
        return text, ()
    # Its opening quote is missing, or it is code.
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
    """Unescapes a match, but keeps words whose backslash the author did not double."""
    word = match[3]
    if word and (word[0] not in "nrt" or _COMMAND.match(word)):
        return match[0]
    return _unescape(match)


def closer_of(element: Element) -> str:
    """Returns the character that ends an element of JSON: BARE without quotes, a quote for a part of a text."""
    tokens = element.tokens
    if tokens.form != "json":
        return '"'
    if element.token < 0:
        return "}"
    symbol = tokens.symbols[element.token]
    return QUOTES[symbol.name] if symbol.kind == MARK else symbol.closer


def text_of(element: Element) -> tuple[str | None, tuple[RepairKind, ...]]:
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
    """Decodes a string of JSON that was encoded `level` times. Also returns the map of places to the reply."""
    layer = Layer(text, (start, end), _ONE_ESCAPE, lambda escape: _ESCAPE.sub(_unescape, escape))
    if level == 1:
        return layer.text, layer.origin
    inner, origin = decoded(layer.text, 0, len(layer.text), level - 1)
    return inner, lambda place: layer.origin(origin(place))


_ONE_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
