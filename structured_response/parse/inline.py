"""Lists, maps and objects that were written as text where elements were asked for -> their parts, with their places.

Nothing is changed here: every part is a piece of the text, from `start` to `end`. What the parts mean is for
`read_scalar` and the reader of elements to say. JSON is read elsewhere.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ..definition import ITEM_NAMES, Node
from .figures import is_grouped
from .lines import undecorated
from .loose import words_of
from .scalars import read_scalar
from .text import decode

__all__ = [
    "Entry",
    "Fields",
    "Items",
    "Pairs",
    "Piece",
    "are_escaped_items",
    "is_value",
    "name_in",
    "split_fields",
    "split_items",
    "split_objects",
    "split_pairs",
    "split_parts",
]


class Piece(NamedTuple):
    """A part of a text: its characters, and where they stand in it. `is_decoded`: they were escaped there."""

    text: str
    start: int
    end: int
    is_decoded: bool = False


class Items(NamedTuple):
    """The items of a list; how they were told apart; what stands before the first; or the readings, if there are two.

    `how` is one of `bullets`, `numbers`, `lines`, `semicolons`, `bars`, `commas`, `blanks` and, for a text that is
    one item, `whole`.
    """

    items: list[Piece]
    how: str
    lead: Piece | None = None
    candidates: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A key with its value: the name that the key goes by, as far as it is known, the key as written, the value."""

    name: str
    key: Piece
    value: Piece


class Pairs(NamedTuple):
    """The entries of a map, and what stands before the first."""

    entries: list[Entry]
    lead: Piece | None = None


class Fields(NamedTuple):
    """The fields of an object, and what stands before the first."""

    entries: list[Entry]
    lead: Piece | None = None


_WHITE = " \t\r\n\u00a0\u3000\u200b\ufeff"
_QUOTED = re.compile(r'"(?:[^"\\\n]++|\\[^\n])++"')
_HOLDERS = ("dict", "list", "map", "tuple", "union", "any")


def _piece(text: str, start: int, end: int, strip: str = _WHITE) -> Piece:
    """A part of a text without the white space at its ends."""
    inner = text[start:end]
    stripped = inner.strip(strip)
    begin = start + len(inner) - len(inner.lstrip(strip)) if stripped else start
    return Piece(stripped, begin, begin + len(stripped))


def _pieces(text: str, cuts: Iterable[tuple[int, int]], start: int, end: int) -> list[Piece]:
    """What stands between some places of a text, from `start` to `end`, empty parts left out."""
    pieces = []
    for cut_start, cut_end in (*cuts, (end, end)):
        pieces.append(_piece(text, start, cut_start))
        start = cut_end
    return [piece for piece in pieces if piece.text]


# Lists


def split_items(text: str, item: Node) -> Items:
    """The items of a list that was written as text. The first of these rules that fits decides:

    0. Elements that were escaped, one behind another; or the line breaks of HTML.
    1. Lines that begin with a bullet or a number: each begins an item, as far as it is indented as the first one, and
       all other lines belong to the item before. In one line, bullets or numbers that count from 1 do the same. Any
       other symbol is a bullet where all lines begin with it.
    2. Several lines: each is an item, but for wrapped prose, which is one. Commas and semicolons at their ends are off.
    3. Semicolons, or bars between blanks: they separate items.
    4. Commas, for items that are no strings: where every part reads as an item. So blanks.
    5. Commas, for strings: where every part has at most three words, of which an address or a path is one, and none
       is a clause. `and` before the last part separates too. Blanks separate addresses.
    6. The text is one item.

    Nothing within quotes or brackets is split; a pair of them around everything is off. Where a number could be one
    with groups or decimals as well as several (`1,299` in a list of ints), no items are given, but both readings.
    Linear in the length of the text.
    """
    start, end = _unwrapped(text)
    inner = text[start:end]
    if are_escaped_items(inner, item):
        return _split_escaped(text, start, end)
    if _BREAK.search(inner):
        return Items(_pieces(text, _cuts(_BREAK, text, start, end), start, end), "lines")
    if "\n" in inner:
        return _split_bullets(text, start, end) or _split_signs(text, start, end) or _split_lines(text, start, end)
    found = _split_line_of_bullets(text, start, end)
    if found is not None:
        return found
    for how, separator in (("semicolons", _SEMICOLON), ("bars", _BAR)):
        cuts = list(_cuts(separator, text, start, end))
        if cuts:
            return Items(_unquoted(_pieces(text, cuts, start, end)), how)
    if item.kind == "str":
        return _split_texts(text, start, end)
    return _split_values(text, start, end, item)


_BULLET = re.compile(
    r"(?P<indent>[ \t]*+)(?P<mark>"
    r"[-*+\u2022\u25e6\u2023\u2013\u2014\u00b7\u25aa\u25cf\u25cb\u2192\u279c\u27a4\u25ba\u25b6]|\(?[0-9]{1,4}[.)]|[0-9]{1,4}(?=\u3001)|[0-9]\ufe0f?\u20e3|\(?[A-Za-z]\)|[ivx]{1,5}\))"
    r"(?P<gap>\u3001[ \t]*+|[ \t]++(?:\[[ xX]\][ \t]++)?|(?=\r?\n|\Z))"
)
_BREAK = re.compile(r"<br\s*+/?>", re.IGNORECASE)
_ESCAPED_TAG = re.compile(rf"&lt[;\0]/?(?:{'|'.join(sorted(ITEM_NAMES))})&gt[;\0]", re.IGNORECASE)
_ESCAPED_ITEMS = re.compile(
    rf"(?:&lt[;\0]({'|'.join(sorted(ITEM_NAMES))})&gt[;\0](?:(?!&lt[;\0])[^<])*+&lt[;\0]/\1&gt[;\0]\s*+)++",
    re.IGNORECASE,
)
_LINE = re.compile(r"[^\n]++")
_SEMICOLON = re.compile(";")
_BAR = re.compile(r"[ \t]\|[ \t]")
_COMMA = re.compile(r",(?![0-9])|(?<![0-9]),|\u3001|\uff0c")
_ANY_COMMA = re.compile(r"[,\u3001\uff0c]")
_BLANKS = re.compile(r"[ \t]+")
_AND = re.compile(r"(?:and|&)[ \t]+", re.IGNORECASE)
_LAST_AND = re.compile(r"[ \t](?:and|&)[ \t]", re.IGNORECASE)
_INLINE_BULLET = re.compile(r"(?:(?<=[ \t])|\A)[\u2022\u25e6\u2023\u25aa\u25cf\u25cb][ \t]*+")
_INLINE_NUMBER = re.compile(r"(?<!\S)\(?([0-9]{1,4})[.)][ \t]++")
_NESTING = re.compile(r"[\"\u201c\u201d`()\[\]{}\\]|(?<!\w)'|'(?!\w)")
_CLOSERS = {"(": ")", "[": "]", "{": "}", "\u201c": "\u201d", '"': '"', "`": "`", "'": "'"}
_CALLED = re.compile(r"[^\W\d][\w.]{0,99}+(?=\()")
_IN_NAME = re.compile(r"\w[@\\._]\w|://|\w/\w\S*/")
"""What tells addresses, paths and identifiers, whose letters between signs are no words."""
_ADDRESS = re.compile(r"\w@\w|://")
_BETWEEN_NAMES = re.compile(r"[ \t]+(?:(?:and|&)[ \t]+)?", re.IGNORECASE)
_ARROWS = "\u2190\u2192\u21d2\u21e8\u27a1\u27f6\u203a\u00bb\u2022\u2023\u25e6"
"""Signs in front of items that Unicode does not have among the symbols which say nothing."""
_FIRST_SIGN = re.compile(r"\s*+([^\x00-\x7f\s\w]{1,8}+)(?=[ \t]*+\S)")
"""A sign of a few code points, of which an emoji may be put together."""
_LATIN = "\u00ff"
"""The last of the characters among whose symbols are some that belong to texts, as for copyright and degrees."""
_BRACKETS = ("(", "[", "{")
_ANY_AND = re.compile(r"[ \t]+(?:and|&)[ \t]+", re.IGNORECASE)
_TIMES = re.compile(r"(?<=[0-9])[ \t]*(?:[x\u00d7\u2a2f*]|by)[ \t]*(?=[0-9+-])", re.IGNORECASE)
_WRAPPED = 50
"""Characters of a line from which on its end may be where prose was wrapped."""
_SHORT = 3
"""Words that an item of a list with commas may have."""
_CLAUSE_WORDS = frozenset(
    """am is are was were be been being it its i you we they he she him her them us me this that these those which who
    whom whose what but because although though however so if when while where whereas will would can could should shall
    may might must has have had do does did not im youre theyre thats isnt dont really actually overall indeed
    therefore""".split()  # noqa: SIM905 - a list would be a page long
)
"""Words by which a part of a text is a clause, or a remark, and no item of a list."""


def _unwrapped(text: str) -> tuple[int, int]:
    """Where a text begins and ends without white space and the brackets around it."""
    piece = _piece(text, 0, len(text))
    start, end = piece.start, piece.end
    closer = _CLOSERS.get(text[start : start + 1], "")
    if closer in ("]", ")", "}") and text[end - 1 : end] == closer and end - start > 1:
        outer = next(_brackets(text, start, end), None)
        if outer == (start, end):
            return start + 1, end - 1
    return start, end


def _brackets(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The outermost brackets and quotes of a part of a text. One that is never closed is a character like any other."""
    waiting: list[tuple[str, int]] = []
    found: list[tuple[int, int]] = []
    for match in _NESTING.finditer(text, start, end):
        char, place = match[0], match.start()
        if waiting and char == _CLOSERS[waiting[-1][0]]:
            found.append((waiting.pop()[1], place + 1))
        elif char in _CLOSERS and not (waiting and waiting[-1][0] in "\"`'\u201c"):
            waiting.append((char, place))
    last = start
    for first, behind in sorted(found):
        if first >= last:
            yield first, behind
            last = behind


def _cuts(separator: re.Pattern[str], text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Where a separator stands in a part of a text, outside of brackets and quotes."""
    closed = [*_brackets(text, start, end), (end, end)]
    index = 0
    for match in separator.finditer(text, start, end):
        while closed[index][1] <= match.start() and index < len(closed) - 1:
            index += 1
        if match.start() < closed[index][0]:
            yield match.span()


def _lines(text: str, start: int, end: int) -> list[Piece]:
    """The lines of a part of a text that are not blank, with their indentation."""
    begin = text.rfind("\n", 0, start) + 1
    if begin and not text[begin:start].strip(_WHITE):
        start = begin
    lines = (Piece(match[0], match.start(), match.end()) for match in _LINE.finditer(text, start, end))
    return [line for line in lines if line.text.strip(_WHITE)]


def _split_bullets(text: str, start: int, end: int) -> Items | None:
    """Items that begin with a bullet each. None where there are none."""
    lines = _lines(text, start, end)
    marked = [match for line in lines if (match := _BULLET.match(text, line.start, line.end)) is not None]
    if not marked or not (len(marked) > 1 or marked[0].start() <= lines[0].start or _is_lead(lines[0])):
        return None
    kind = _mark_kind(marked[0])
    depth = _depth([_indent(match["indent"]) for match in marked], known="\n" in text[: marked[0].start()])
    tops = [match for match in marked if _indent(match["indent"]) <= depth and _mark_kind(match) == kind]
    ends = [*(match.start() for match in tops[1:]), _end_of_last(text, tops[-1], lines, depth, end)]
    items = [_piece(text, match.end(), stop) for match, stop in zip(tops, ends, strict=True)]
    lead = _piece(text, start, tops[0].start())
    how = "numbers" if kind else "bullets"
    return Items([_bare(piece) for piece in items if piece.text], how, lead if lead.text else None)


def _split_signs(text: str, start: int, end: int) -> Items | None:
    """Items of a line each, all of which begin with the same sign. None where there is none."""
    lines = _lines(text, start, end)
    lead = _piece(text, lines[0].start, lines[0].end) if _is_lead(lines[0]) and not _sign_of(lines[0]) else None
    lines = lines[1:] if lead else lines
    bare = _without_sign(lines)
    if bare == lines:
        return None
    return Items([_bare(_piece(text, line.start, line.end)) for line in bare], "bullets", lead)


def _without_sign(lines: list[Piece]) -> list[Piece]:
    """The lines without the sign that all of them begin with, if there are several."""
    signs = {_sign_of(line) for line in lines}
    sign = signs.pop() if len(signs) == 1 < len(lines) else ""
    if not sign:
        return lines
    return [_behind(line, line.text.index(sign) + len(sign)) for line in lines]


def _behind(line: Piece, length: int) -> Piece:
    """A line without so many characters."""
    return Piece(line.text[length:], line.start + length, line.end)


def _sign_of(line: Piece) -> str:
    """The sign that a line begins with: a symbol or an arrow, with blanks behind it."""
    found = _FIRST_SIGN.match(line.text)
    return found[1] if found is not None and all(map(_is_of_sign, found[1])) else ""


def _is_of_sign(char: str) -> bool:
    return char in _ARROWS or (char > _LATIN and unicodedata.category(char) in ("So", "Sk", "Mn", "Cf"))


def _end_of_last(text: str, last: re.Match[str], lines: list[Piece], depth: int, end: int) -> int:
    """Where the last item ends, if it says something: before a sentence behind a blank line that is on the bullets' own
    level, for nobody goes on with an item there.
    """
    for before, line in pairwise(line for line in lines if line.start >= last.start()):
        is_apart = text.count("\n", before.end, line.start) > 1 and _indent(line.text) <= depth
        is_sentence = line.text.rstrip(_WHITE)[-1] in _SENTENCE_ENDS and any(map(str.isalpha, line.text))
        if is_apart and is_sentence and _piece(text, last.end(), before.end).text:
            return before.end
    return end


_SENTENCE_ENDS = ".!?:\u3002"


def are_escaped_items(text: str, item: Node) -> bool:
    """Whether a text is items whose tags were escaped."""
    return item.is_text() and "&lt" in text and _ESCAPED_ITEMS.fullmatch(text.strip(_WHITE)) is not None


def _split_escaped(text: str, start: int, end: int) -> Items:
    """Items whose tags were escaped, and so their texts twice. Where references are masked, a NUL ends them."""
    places = [match.span() for match in _ESCAPED_TAG.finditer(text, start, end)]
    inner = [_piece(text, begin, stop) for (_start, begin), (stop, _end) in zip(places[::2], places[1::2], strict=True)]
    return Items([_decoded_twice(piece) for piece in inner], "lines")


def _decoded_twice(piece: Piece) -> Piece:
    return piece._replace(text=decode(decode(piece.text.replace("\0", ";"))), is_decoded=True)


def _bare(piece: Piece) -> Piece:
    """An item without the double quotes around the whole of it, which YAML needs around some texts and not others. What
    is escaped between them is decoded: nobody escapes who does not write YAML.
    """
    if _QUOTED.fullmatch(piece.text) is None:
        return piece
    if "\\" not in piece.text:
        return Piece(piece.text[1:-1], piece.start + 1, piece.end - 1)
    try:
        return Piece(json.loads(piece.text), piece.start, piece.end, is_decoded=True)
    except ValueError:
        return piece


def _indent(text: str) -> int:
    """How deep a line is indented."""
    return len((text[: len(text) - len(text.lstrip(" \t"))]).expandtabs(4))


def _depth(indents: list[int], *, known: bool) -> int:
    """How deep the lines may be indented that are on the level of the first one. That of a text's very first line,
    which may stand behind a tag, is not known: there the others tell.
    """
    return indents[0] if known or len(indents) == 1 else max(indents[0], min(indents[1:]))


def _mark_kind(match: re.Match[str]) -> str:
    """What bullets have in common: nothing for signs, else the shape of the number or letter."""
    mark = match["mark"]
    if mark.isdigit():  # with an ideographic comma behind it
        return "1\u3001"
    return ("1" if mark.strip("().").isdigit() else "a") + mark[-1] if mark[-1] in ".)" else ""


def _is_lead(line: Piece) -> bool:
    return line.text.rstrip(_WHITE + "*").endswith(":")


def _split_line_of_bullets(text: str, start: int, end: int) -> Items | None:
    """Items of one line: behind a bullet each, or behind numbers that count from 1."""
    cuts = [match.span() for match in _INLINE_BULLET.finditer(text, start, end)]
    if cuts and cuts[0][0] == start:
        return Items(_pieces(text, cuts[1:], cuts[0][1], end), "bullets")
    sign = _sign_of(_piece(text, start, end))
    cuts = list(_cuts(re.compile(rf"(?<!\S){re.escape(sign)}[ \t]++"), text, start, end)) if sign else []
    if len(cuts) > 1:
        return Items(_pieces(text, cuts[1:], cuts[0][1], end), "bullets")
    counted: list[tuple[int, int]] = []
    for number in _INLINE_NUMBER.finditer(text, start, end):
        if int(number[1]) == len(counted) + 1:
            counted.append(number.span())
    if len(counted) > 1 and counted[0][0] == start:
        return Items(_pieces(text, counted[1:], counted[0][1], end), "numbers")
    bullet = _BULLET.match(text, start, end)
    if bullet is not None and bullet.end() < end and "\u3001" not in bullet["gap"]:  # which separates items too
        return Items([_piece(text, bullet.end(), end)], "numbers" if _mark_kind(bullet) else "bullets")
    return None


def _split_lines(text: str, start: int, end: int) -> Items:
    """Each line an item, unless the lines are one text that was wrapped."""
    lines = _lines(text, start, end)
    lead = None
    if len(lines) > 1 and _is_lead(lines[0]):
        lead, lines = _piece(text, lines[0].start, lines[0].end), lines[1:]
    if any(_goes_on(first, second) for first, second in pairwise(lines)):
        return Items([_piece(text, lines[0].start, end)], "whole", lead)
    pieces = _without_ends([_piece(text, line.start, line.end) for line in lines])
    return Items(_unquoted([piece for piece in pieces if piece.text]), "lines", lead)


def _goes_on(first: Piece, second: Piece) -> bool:
    """Whether a line is the rest of the sentence of the long line before it."""
    before = first.text.rstrip(_WHITE)
    return len(before) >= _WRAPPED and before[-1] not in ".;:!?" and second.text.strip(_WHITE)[0].islower()


def split_parts(text: str, parts: Sequence[Node]) -> list[Piece] | None:
    """The parts of a tuple of scalars: lines, bulleted or not, or what semicolons, commas, `and` or, between numbers, a
    sign for times separates, brackets around all of it off. None where there are more or fewer than are asked for.
    """
    if not all(part.is_text() for part in parts):
        return None
    start, end = _unwrapped(text)
    if "\n" in text[start:end]:
        items = split_items(text, parts[0]).items
        return items if len(items) == len(parts) else None
    is_literal = text[start - 1 : start] == "("
    for separator in _separators(parts):
        pieces = _pieces(text, _cuts(separator, text, start, end), start, end)
        joined = _without_and(text, pieces) if separator is _COMMA and len(pieces) > 1 else pieces
        pieces = joined if len(joined) == len(parts) else pieces
        if len(pieces) == len(parts) and (separator is not _ANY_AND or all(map(_is_item, pieces))):
            return [_of_literal(piece) if is_literal else _bare(piece) for piece in pieces]
    return None


def _separators(parts: Sequence[Node]) -> tuple[re.Pattern[str], ...]:
    """What may stand between the parts of a tuple."""
    are_numbers = all(part.kind in ("int", "float", "decimal") for part in parts)
    return (_SEMICOLON, *((_TIMES,) if are_numbers else ()), _COMMA, _ANY_COMMA, _ANY_AND)


def _of_literal(piece: Piece) -> Piece:
    """A part of a tuple of Python without its quotes, of either kind."""
    return _unquoted([piece])[0] if piece.text.startswith("'") else _bare(piece)


def _split_texts(text: str, start: int, end: int) -> Items:
    """A line of strings with commas. A sentence is no list: it is one item."""
    whole = Items([_piece(text, start, end)] if start < end else [], "whole")
    cuts = list(_cuts(_COMMA, text, start, end))
    if not cuts:
        parts = _pieces(text, _cuts(_BETWEEN_NAMES, text, start, end), start, end)
        return Items(parts, "blanks") if all(_ADDRESS.search(part.text) for part in parts) and parts[1:] else whole
    parts = _pieces(text, cuts, start, end)
    if not parts:
        return Items([], "commas")
    if len(parts) > 1 and all(map(_is_quoted, parts)):
        return Items(_unquoted(parts), "commas")
    pieces = _without_and(text, parts)
    if len(pieces) > 1 and pieces[-1].text[-1:] == "." and not any("." in piece.text for piece in pieces[:-1]):
        pieces[-1] = _piece(text, pieces[-1].start, pieces[-1].end, _WHITE + ".")
    return Items(_unquoted(pieces), "commas") if all(map(_is_item, pieces)) else whole


def _without_and(text: str, pieces: list[Piece]) -> list[Piece]:
    """The parts of a line with commas, the last one split at its `and`: `red, green and blue`, `red, and blue`."""
    last = pieces[-1]
    joined = _AND.match(last.text)
    if joined is not None:
        return [*pieces[:-1], _piece(text, last.start + joined.end(), last.end)]
    cut = _LAST_AND.search(last.text)
    if cut is None or len(_words(last.text)) > 2 * _SHORT + 1:
        return pieces
    return [*pieces[:-1], *_pieces(text, [(last.start + cut.start(), last.start + cut.end())], last.start, last.end)]


def _is_item(piece: Piece) -> bool:
    """Whether a part of a line may be an item: a few words, none of which makes a clause of it."""
    words = _words(piece.text)
    return len(words) <= _SHORT and _CLAUSE_WORDS.isdisjoint(words)


def _words(text: str) -> list[str]:
    """The words of a text; an address, a path or an identifier is one."""
    return words_of(" ".join("x" if _IN_NAME.search(part) else part for part in text.split()))


def _is_quoted(piece: Piece) -> bool:
    text = piece.text
    return len(text) > 1 and text[0] in "\"'`\u201c" and text[-1] == _CLOSERS[text[0]]


def _unquoted(pieces: list[Piece]) -> list[Piece]:
    """The parts without their quotes, if each has some."""
    if not pieces or not all(map(_is_quoted, pieces)):
        return pieces
    return [Piece(piece.text[1:-1], piece.start + 1, piece.end - 1) for piece in pieces]


def _split_values(text: str, start: int, end: int, item: Node) -> Items:
    """A line of values that are no strings: split where every part reads as one."""
    whole = Items([_piece(text, start, end)] if start < end else [], "whole")
    if item.kind in _HOLDERS:
        pieces = _pieces(text, _cuts(_COMMA, text, start, end), start, end)
        if len(pieces) > 1 and all(map(_is_bracketed, pieces)):
            return Items(pieces, "commas")
        is_one = item.kind == "tuple" and text[start - 1 : start] == "("  # the brackets are its own
        return Items([_piece(text, start - 1, end + 1)], "whole") if is_one else whole
    for how, separator in (("commas", _COMMA), ("commas", _ANY_COMMA), ("blanks", _BLANKS)):
        pieces = _pieces(text, _cuts(separator, text, start, end), start, end)
        if pieces and how == "commas":
            pieces = _without_and(text, pieces)
        if len(pieces) > 1 and all(_reads(item, piece.text) for piece in pieces):
            if _is_one_number(item, text[start:end]):
                return Items([], how, None, (text[start:end], ", ".join(piece.text for piece in pieces)))
            return Items(_unquoted(pieces), how)
    return whole


def _is_bracketed(piece: Piece) -> bool:
    """Whether brackets are around all of a part, or it is a call: behind its name."""
    name = _CALLED.match(piece.text)
    start = name.end() if name else 0
    return piece.text[start : start + 1] in _BRACKETS and (start, len(piece.text)) in list(
        _brackets(piece.text, start, len(piece.text))
    )


def is_value(item: Node, text: str) -> bool:
    """Whether a text is a value of a type that is not text."""
    return item.is_text() and item.kind != "str" and _reads(item, text)


def _reads(item: Node, text: str) -> bool:
    return read_scalar(item, text, text, None).problem is None


def _is_one_number(item: Node, text: str) -> bool:
    """Whether a text that can be split could also be one number: `1,299`, `1 299`, or, for a float, `3,14`."""
    if item.kind not in ("int", "float", "decimal") or not text[:1].isdigit() or not text[-1:].isdigit():
        return False
    return ("," in text or " " in text) and (is_grouped(text) or (item.kind != "int" and _reads(item, text)))


# Maps and objects

_LABEL_DECORATION = " \t*_`\"'#\u201c\u201d\u2018\u2019"
_PAIR = re.compile(r"[ \t]*(?:->|=>|=|\u2192|\u21d2|[:\uff1a](?=[ \t*_`\"']|$))[ \t]*")
_TIGHT_PAIR = re.compile(r":(?!//)")
_BLANK = re.compile(r"[ \t]*+")
_DASH = re.compile(r"[ \t]+[-\u2013\u2014]+[ \t]+")
_EMPHASIS = re.compile(r"[*_]{1,3}[ \t]*")
_KEY = 80
"""Characters that the key of a line may have."""


def split_pairs(text: str, item: Node | None = None) -> Pairs | None:
    """The entries of a map that was written as text: `key: value`, `key = value`, `key -> value`, a line each.

    Bullets, emphasis and quotes around keys are off. A line without a key, or indented deeper than the first,
    belongs to the value before it. In one line, semicolons or else commas separate entries, if each part has a key.
    None where there is no key. Linear in the length of the text. `item` is what the values are.
    """
    start, end = _unwrapped(text)
    lines = _without_sign(_lines(text, start, end))
    if len(lines) == 1:
        return _pairs_of_line(text, start, end)
    lead: Piece | None = None
    if len(lines) > 1 and _is_lead(lines[0]) and len(words_of(lines[0].text)) > 2 and _key(text, lines[1]):
        lead, lines = _piece(text, lines[0].start, lines[0].end), lines[1:]
    found = _keyed_lines(text, lines)
    if not found:
        return _loose_pairs(text, lines, item)
    if found[0][0] > 0:
        return None
    return Pairs(_entries(text, [key for _index, key in found], lines[-1].end), lead)


def _loose_pairs(text: str, lines: list[Piece], item: Node | None) -> Pairs | None:
    """Entries of lines that have one dash each between key and value, or one comma before what is no string."""
    are_texts = item is None or item.kind in ("str", *_HOLDERS)
    for separator in (_DASH,) if are_texts else (_DASH, _COMMA):
        parts = [
            _pieces(text, _cuts(separator, text, _begin(text, line), line.end), _begin(text, line), line.end)
            for line in lines
        ]
        if lines and all(len(part) == 2 for part in parts):
            found = [(_piece(text, key.start, key.end, _LABEL_DECORATION), value) for key, value in parts]
            return Pairs([Entry(key.text, key, value) for key, value in found])
    return None


def _begin(text: str, line: Piece) -> int:
    """Where a line begins behind its indentation and its bullet."""
    bullet = _BULLET.match(text, line.start, line.end)
    start = bullet.end() if bullet is not None and bullet["gap"] else line.start
    return _BLANK.match(text, start, line.end).end()  # type: ignore[union-attr]


def _without_ends(pieces: list[Piece]) -> list[Piece]:
    """The parts without the commas or semicolons at their ends, if each but the last has one."""
    if len(pieces) < 2 or not all(piece.text[-1:] in (",", ";") for piece in pieces[:-1]):
        return pieces
    return [_piece_of(piece, _WHITE + ",;") for piece in pieces]


def _piece_of(piece: Piece, strip: str) -> Piece:
    inner = _piece(piece.text, 0, len(piece.text), strip)
    return Piece(inner.text, piece.start + inner.start, piece.start + inner.end)


def _keyed_lines(text: str, lines: list[Piece]) -> list[tuple[int, tuple[Piece, Piece]]]:
    """The lines that begin an entry: the number of each, its key and what stands behind it."""
    keys = [(index, key) for index, line in enumerate(lines) if (key := _key(text, line)) is not None]
    if not keys:
        return []
    indents = {index: _indent(lines[index].text) for index, _key in keys}
    depth = _depth(list(indents.values()), known="\n" in text[: lines[keys[0][0]].start])
    return [(index, key) for index, key in keys if indents[index] <= depth]


def _key(text: str, line: Piece) -> tuple[Piece, Piece] | None:
    """The key of a line with what stands behind it on the line. None where the line has no key."""
    start = _begin(text, line)
    limit = min(line.end, start + _KEY)
    quoted = next(_brackets(text, start, limit), (0, 0)) if text[start : start + 1] in ('"', "'", "`") else (0, 0)
    from_ = quoted[1] if quoted[0] == start else start
    match = _PAIR.search(text, from_, limit) or _TIGHT_PAIR.search(text, from_, limit)
    if match is None and limit == line.end and text[limit - 1] in ":\uff1a":
        return _key_piece(text, start, limit - 1), Piece("", limit, limit)
    if match is None:
        return None
    behind = match.end()
    opening, closing = _EMPHASIS.match(text, start, match.start()), _EMPHASIS.match(text, behind, line.end)
    if opening and closing and text[match.start() - 1] not in "*_":  # `**Label:** a`
        start, behind = opening.end(), closing.end()
    key = _key_piece(text, start, match.start())
    return (key, _piece(text, behind, line.end)) if key.text else None


def _key_piece(text: str, start: int, end: int) -> Piece:
    """A key without what only decorates it."""
    first, last = undecorated(text[start:end])
    return Piece(text[start + first : start + last], start + first, start + last)


def _entries(text: str, keys: list[tuple[Piece, Piece]], end: int) -> list[Entry]:
    """Entries of which each value ends where the line of the next key begins."""
    starts = [text.rfind("\n", 0, key.start) + 1 for key, _value in keys]
    pairs = zip(keys, [*starts[1:], end], strict=True)
    values = _without_ends([_piece(text, value.start, stop) for (_key, value), stop in pairs])
    return [Entry(key.text, key, value) for (key, _first), value in zip(keys, values, strict=True)]


def _pairs_of_line(text: str, start: int, end: int) -> Pairs | None:
    """The entries of one line. All of them have the same sign behind the key: `a: x = 1; y = 2` is one entry."""
    for separator in (_SEMICOLON, _BAR, _COMMA):
        pieces = _pieces(text, _cuts(separator, text, start, end), start, end)
        keys = [_key(text, piece) for piece in pieces]
        pairs = list(filter(None, keys))
        signs = {text[key.end : value.start].strip(_LABEL_DECORATION) for key, value in pairs}
        if 1 < len(pieces) == len(pairs) and len(signs) == 1:
            return Pairs([Entry(key.text, key, value) for key, value in pairs])
    key = _key(text, _piece(text, start, end))
    return None if key is None else Pairs([Entry(key[0].text, *key)])


_SEPARATORS = _WHITE + ",;|"


def split_fields(text: str, resolve: Callable[[str], str | None]) -> Fields | None:
    """The fields of an object that was written as text: `label: a`, a line each, or one behind another.

    Only a label that `resolve` knows, by telling the field's name, begins a field: at the beginning of a line, behind
    a bullet or in emphasis too, or, where all stands in one line, behind a comma, a semicolon or a bar. All else,
    colons and unknown labels included, belongs to the value before. None where no label is known. Linear in the
    length of the text, if `resolve` is constant.
    """
    start, end = _unwrapped(text)
    lines = _lines(text, start, end)
    found = _labelled_lines(text, lines, resolve)
    if len(found) <= 1 and len(lines) == 1:
        found = _labelled_parts(text, start, end, resolve) or found
    if not found:
        return None
    ends = [*(begin for begin, _name, _key, _value in found[1:]), end]
    entries = [
        Entry(name, key, _value_of(text, value, stop, last=stop == end))
        for (_begin, name, key, value), stop in zip(found, ends, strict=True)
    ]
    lead = _piece(text, start, found[0][0])
    return Fields(entries, lead if lead.text else None)


_Label = tuple[int, str, Piece, int]
"""A label: where its line or part begins, the field's name, the label as written, where the value begins."""


def _labelled_lines(text: str, lines: list[Piece], resolve: Callable[[str], str | None]) -> list[_Label]:
    found = zip(lines, (_label(text, line, resolve) for line in _without_sign(lines)), strict=True)
    return [(line.start, *label[1:]) for line, label in found if label is not None]


def _label(text: str, line: Piece, resolve: Callable[[str], str | None]) -> _Label | None:
    """The known label that a line or a part of it begins with."""
    key = _key(text, line)
    name = None if key is None else resolve(key[0].text)
    return None if key is None or name is None else (line.start, name, key[0], key[1].start)


def _labelled_parts(text: str, start: int, end: int, resolve: Callable[[str], str | None]) -> list[_Label]:
    """The known labels of one line, each at the beginning of a part between commas, semicolons or bars."""
    cuts = [*_cuts(_PART_END, text, start, end), (end, end)]
    parts = []
    for cut_start, cut_end in cuts:
        parts.append(_piece(text, start, cut_start))
        start = cut_end
    return _labelled_lines(text, parts, resolve)


_PART_END = re.compile(r"[,;|]")


def _value_of(text: str, start: int, end: int, *, last: bool) -> Piece:
    """What stands behind a label, without what separates it from the next one."""
    return _piece(text, start, end) if last else _piece(text, start, end, _SEPARATORS)


# Objects of a list


_RULE = re.compile(
    r"^[ \t]*+(?:(?:#{1,6}[ \t]++|\*\*(?=[^*\n]++\*\*:?[ \t]*+$))(?P<title>[^\n]++)|([-*_=])\2{2,}+[ \t]*+)$",
    re.MULTILINE,
)
"""A line between objects: a heading, one in bold too, or a rule."""


def name_in(node: Node) -> Callable[[str], str | None]:
    """What tells the name of an object's field by its label."""

    def name(label: str) -> str | None:
        field = node.fields.get(label) or node.field_named(label)
        return field.name if field is not None else None

    return name


def split_objects(text: str, item: Node) -> list[Piece]:
    """The objects of a list each of whose fields has a line, or a bullet, of its own: a new one begins behind a rule or
    a heading, and where a field comes again. None where an object would lack what is required, or there is one alone.
    """
    bare = text.strip(_WHITE)
    if "\n" not in bare or bare[0] in _JSON_STARTS:
        return []
    resolve = name_in(item)
    required = {name for name, field in item.fields.items() if field.required}
    pieces = _between_rules(text, resolve) or _in_bullets(text, item, resolve) or _in_lines(text, resolve)
    are_whole = all(required <= names for names, _piece in pieces)
    return [piece for _names, piece in pieces] if are_whole else []


_JSON_STARTS = ("[", "{", '"')
"""What JSON begins with, damaged or not: its quotes and brackets are none of the values."""

_Named = tuple[set[str], Piece]
"""An object, with the names of its fields."""


def _between_rules(text: str, resolve: Callable[[str], str | None]) -> list[_Named]:
    cuts = [rule.span() for rule in _RULE.finditer(text) if not (rule["title"] and resolve(_title(rule["title"])))]
    found: list[_Named] = []
    for piece in _pieces(text, cuts, 0, len(text)) if cuts else ():
        fields = split_fields(piece.text, resolve)
        names = [entry.name for entry in fields.entries] if fields is not None and fields.lead is None else []
        if not names or len(set(names)) < len(names):
            return []
        found.append((set(names), piece))
    return found


def _title(text: str) -> str:
    return text.partition(":")[0].strip(_LABEL_DECORATION)


def _in_bullets(text: str, item: Node, resolve: Callable[[str], str | None]) -> list[_Named]:
    """Objects of which each field has a bullet of its own."""
    found = split_items(text, item) if sum(field.required for field in item.fields.values()) > 1 else None
    if found is None or found.how != "bullets":
        return []
    parts: list[tuple[str, int, int]] = []
    for piece in found.items:
        fields = split_fields(piece.text, resolve)
        if fields is None or fields.lead is not None or len(fields.entries) != 1:
            return []
        parts.append((fields.entries[0].name, piece.start, piece.end))
    return _grouped(text, parts)


def _in_lines(text: str, resolve: Callable[[str], str | None]) -> list[_Named]:
    """Objects of lines that begin with names, of which the first comes again as deeply indented."""
    fields = split_fields(text, resolve)
    if fields is None or (fields.lead is not None and not _is_lead(fields.lead)) or _BULLET.match(text.strip(_WHITE)):
        return []
    parts = [(entry.name, entry.key.start, entry.value.end) for entry in fields.entries]
    found = _grouped(text, parts)
    depths = {_indent(text[text.rfind("\n", 0, piece.start) + 1 : piece.start]) for _names, piece in found[1:]}
    return found if len(found) > 1 and len(depths) == 1 else []


def _grouped(text: str, parts: list[tuple[str, int, int]]) -> list[_Named]:
    """Objects of their fields, one behind another: names, and from where to where."""
    groups: list[_Named] = []
    for name, start, end in parts:
        if groups and name not in groups[-1][0]:
            names, first = groups[-1]
            groups[-1] = (names | {name}, Piece(text[first.start : end], first.start, end))
        else:
            groups.append(({name}, Piece(text[start:end], start, end)))
    return groups
