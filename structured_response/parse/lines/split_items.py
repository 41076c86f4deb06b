"""A list that was written as text -> its items, by rules of which the first that fits decides."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from ...definition import ITEM_NAMES, Node
from ..scalars.scalars import reads
from ..scalars.text import decode
from .line_starts import bullet_of, indent_of, is_lead, level_of, mark_kind, sign_of, without_sign
from .lines import foreign_label
from .split_line import is_number, items_between_signs, texts_of_line, values_of_line
from .split_text import WHITE, Items, Piece, View, trimmed, unquoted, unquoted_value, unwrapped, without_ends
from .verdicts import judged

__all__ = ["are_escaped_items", "split_items"]

_BREAK = re.compile(r"<br\s*+/?>", re.IGNORECASE)
_ESCAPED_TAG = re.compile(rf"&lt[;\0]/?(?:{'|'.join(sorted(ITEM_NAMES))})&gt[;\0]", re.IGNORECASE)
_ESCAPED_ITEMS = re.compile(
    rf"(?:&lt[;\0]({'|'.join(sorted(ITEM_NAMES))})&gt[;\0](?:(?!&lt[;\0])[^<])*+&lt[;\0]/\1&gt[;\0]\s*+)++",
    re.IGNORECASE,
)
_INLINE_BULLET = re.compile(r"(?:(?<=[ \t])|\A)[\u2022\u25e6\u2023\u25aa\u25cf\u25cb][ \t]*+")
_INLINE_NUMBER = re.compile(r"(?<!\S)(?:\(?([0-9]{1,4})[.)]|\(?([A-Za-z])\))[ \t]++")
_MARK = len("(1000)")
_AND_BEHIND = re.compile(r"[,;]?[ \t](?:and|&)\Z", re.IGNORECASE)
_INITIALS = 3
"""Capitals that are no initials of names where so many count from A."""
_LETTER = re.compile(r"[ \t]*+([A-Za-z])\.[ \t]++(?=\S)")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,}|[\u2014\u2500]{3,})[ \t\r]*")
_WRAPPED = 50
"""Characters of a line from which on its end may be where prose was wrapped."""
_CLAUSE_ENDS = ".;:!?"
_SENTENCE_ENDS = ".!?:\u3002"


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

    Numbers and letters in front of items count from 1 and from a; one with nothing behind it is an item itself. A line
    that only rules off is none. What the text says of its items as a whole is told by `verdicts.judged`. Nothing within
    quotes or brackets is split; a pair of them around everything is off. Where a number could be one
    with groups or decimals as well as several (`1,299` in a list of ints), no items are given, but both readings.
    Linear in the length of the text.
    """
    view = unwrapped(text)
    rules = _RULES_OF_LINES if "\n" in view.inner else _RULES_OF_ONE_LINE
    found = next(found for rule in rules if (found := rule(view, item)) is not None)
    return judged(text, found, item)


# Items that were escaped, and HTML


def are_escaped_items(text: str, item: Node) -> bool:
    """Whether a text is items whose tags were escaped."""
    return item.is_text() and "&lt" in text and _ESCAPED_ITEMS.fullmatch(text.strip(WHITE)) is not None


def _escaped(view: View, item: Node) -> Items | None:
    """Items whose tags were escaped, and so their texts twice. Where references are masked, a NUL ends them."""
    if not are_escaped_items(view.inner, item):
        return None
    places = [match.span() for match in _ESCAPED_TAG.finditer(*view)]
    pairs = zip(places[::2], places[1::2], strict=True)
    return Items([_decoded_twice(trimmed(view.text, opener[1], closer[0])) for opener, closer in pairs], "lines")


def _decoded_twice(piece: Piece) -> Piece:
    return piece._replace(text=decode(decode(piece.text.replace("\0", ";"))), is_decoded=True)


def _line_breaks(view: View, item: Node) -> Items | None:
    """Items between the line breaks of HTML."""
    return Items(view.split(_BREAK), "lines") if _BREAK.search(view.inner) else None


# Several lines


def _bullets(view: View, item: Node) -> Items | None:
    """Items that begin with a bullet each. None where there are none."""
    text, lines = view.text, view.lines()
    marked = [bullet for line in lines if (bullet := bullet_of(text, line.start, line.end)) is not None]
    if not marked or not (len(marked) > 1 or marked[0].start() <= lines[0].start or is_lead(lines[0])):
        return None
    kind = mark_kind(marked[0])
    level = level_of([indent_of(bullet["indent"]) for bullet in marked], known="\n" in text[: marked[0].start()])
    tops = [bullet for bullet in marked if indent_of(bullet["indent"]) <= level and mark_kind(bullet) == kind]
    ends = [*(bullet.start() for bullet in tops[1:]), _end_of_last(view, tops[-1], lines, level)]
    items = without_ends(text, [trimmed(text, bullet.end(), stop) for bullet, stop in zip(tops, ends, strict=True)])
    if kind and not any(piece.text for piece in items):
        return None  # `(3)` above `(4)`: numbers are all that stands there
    lead = trimmed(text, view.start, tops[0].start())
    how = "numbers" if kind else "bullets"
    return Items([unquoted_value(piece) for piece in items if piece.text], how, lead if lead.text else None)


def _end_of_last(view: View, last: re.Match[str], lines: list[Piece], level: int) -> int:
    """Where the last item ends, if it says something: before a sentence behind a blank line that is on the bullets' own
    level, for nobody goes on with an item there; or before a label on that level, which the item does not have.
    """
    for before, line in pairwise(line for line in lines if line.start >= last.start()):
        is_apart = view.text.count("\n", before.end, line.start) > 1 and indent_of(line.text) <= level
        is_sentence = line.text.rstrip(WHITE)[-1] in _SENTENCE_ENDS and any(map(str.isalpha, line.text))
        is_label = indent_of(line.text) <= level and foreign_label(line.text) is not None
        if ((is_apart and is_sentence) or is_label) and trimmed(view.text, last.end(), before.end).text:
            return before.end
    return view.end


def _letters(view: View, item: Node) -> Items | None:
    """Items of a line each, which begin with letters that count: `a. ...` above `b. ...`."""
    found = [_LETTER.match(line.text) for line in view.lines()]
    marks = [mark for mark in found if mark is not None]
    if len(marks) < 2 or len(marks) < len(found) or not _are_counted([mark[1] for mark in marks]):
        return None
    starts = [line.start + mark.end() for line, mark in zip(view.lines(), marks, strict=True)]
    pieces = [trimmed(view.text, start, line.end) for start, line in zip(starts, view.lines(), strict=True)]
    return Items(without_ends(view.text, pieces), "numbers")


def _are_counted(letters: list[str]) -> bool:
    """Whether letters count from a, all in one case."""
    first = "a" if letters[0] == "a" else "A"
    if first == "A" and len(letters) < _INITIALS:
        return False
    return all(ord(letter) == ord(first) + index for index, letter in enumerate(letters))


def _signs(view: View, item: Node) -> Items | None:
    """Items of a line each, all of which begin with the same sign. None where there is none."""
    lead, lines = _without_lead(view.text, view.lines(), lambda line: not sign_of(line))
    bare = without_sign(lines)
    if bare == lines:
        return None
    return Items([unquoted_value(trimmed(view.text, line.start, line.end)) for line in bare], "bullets", lead)


def _lines(view: View, item: Node) -> Items:
    """Each line an item, unless the lines are one text that was wrapped."""
    text, lines = view.text, [line for line in view.lines() if _RULE.fullmatch(line.text) is None]
    lead, lines = _without_lead(text, lines, lambda line: len(lines) > 1)
    if not lines:
        return Items([], "lines", lead)
    if any(_goes_on(first, second) for first, second in pairwise(lines)):
        return Items([trimmed(text, lines[0].start, view.end)], "whole", lead)
    pieces = without_ends(text, [trimmed(text, line.start, line.end) for line in lines])
    return Items(unquoted([piece for piece in pieces if piece.text]), "lines", lead)


def _without_lead(text: str, lines: list[Piece], may_lead: Callable[[Piece], bool]) -> tuple[Piece | None, list[Piece]]:
    """The line that leads to the others, if the first one does, and the others."""
    if not lines or not is_lead(lines[0]) or not may_lead(lines[0]):
        return None, lines
    return trimmed(text, lines[0].start, lines[0].end), lines[1:]


def _goes_on(first: Piece, second: Piece) -> bool:
    """Whether a line is the rest of the sentence of the long line before it."""
    before = first.text.rstrip(WHITE)
    return len(before) >= _WRAPPED and before[-1] not in _CLAUSE_ENDS and second.text.strip(WHITE)[0].islower()


# Bullets in one line


def _bullets_in_line(view: View, item: Node) -> Items | None:
    """Items behind a bullet each, the first of which begins the line."""
    cuts = [match.span() for match in _INLINE_BULLET.finditer(*view)]
    return _behind(view, cuts, "bullets") if cuts and cuts[0][0] == view.start else None


def _signs_in_line(view: View, item: Node) -> Items | None:
    """Items behind the sign that the line begins with, if it comes again."""
    sign = sign_of(view.piece())
    cuts = view.cuts(re.compile(rf"(?<!\S){re.escape(sign)}[ \t]++")) if sign else []
    return _behind(view, cuts, "bullets") if len(cuts) > 1 else None


def _numbers_in_line(view: View, item: Node) -> Items | None:
    """Items behind numbers that count from 1, or letters from a, outside of brackets."""
    counted: list[tuple[int, int]] = []
    marks = list(_INLINE_NUMBER.finditer(*view))
    inside = _inside(view) if len(marks) > 1 else set()
    for mark in marks:
        number = int(mark[1]) if mark[1] else ord(mark[2].lower()) - ord("a") + 1
        is_first = not counted and mark.start() == view.start
        if number == len(counted) + 1 and (counted or is_first) and mark.start(mark.lastindex or 0) not in inside:
            counted.append(mark.span())
    if len(counted) < 2:
        return None
    found = _behind(view, counted, "numbers")
    return None if is_number(item) and len(found.items) < len(counted) else found


def _inside(view: View) -> set[int]:
    """The places of a line that lie inside of brackets or quotes which hold more than a number or a letter."""
    return {place for start, end in view.brackets() if end - start > _MARK for place in range(start, end)}


def _one_bullet(view: View, item: Node) -> Items | None:
    """The only item, behind a bullet or a number."""
    bullet = bullet_of(*view)
    if bullet is not None and mark_kind(bullet) and not _reads_behind(view, bullet.end(), item):
        return None
    if bullet is None or bullet.end() >= view.end or "\u3001" in bullet["gap"]:  # which separates items too
        return None
    return Items([trimmed(view.text, bullet.end(), view.end)], "numbers" if mark_kind(bullet) else "bullets")


def _reads_behind(view: View, start: int, item: Node) -> bool:
    """Whether an item can stand behind a number: of numbers, the first could be one of them."""
    return not is_number(item) or reads(item, view.text[start : view.end].strip(WHITE))


def _behind(view: View, marks: list[tuple[int, int]], how: str) -> Items:
    """Items that begin behind marks; commas and an `and` in front of the next one are off."""
    pieces = without_ends(view.text, view._replace(start=marks[0][1]).between(marks[1:]))
    if len(pieces) > 1 and (joined := _AND_BEHIND.search(pieces[-2].text)) is not None:
        last = pieces[-2]
        pieces[-2] = trimmed(view.text, last.start, last.start + joined.start(), WHITE + ",;")
    return Items(pieces, how)


_Rule = Callable[[View, Node], Items | None]
_RULES_OF_LINES: tuple[_Rule, ...] = (_escaped, _line_breaks, _bullets, _letters, _signs, _lines)
_RULES_OF_ONE_LINE: tuple[_Rule, ...] = (
    _escaped,
    _line_breaks,
    _bullets_in_line,
    _signs_in_line,
    _numbers_in_line,
    _one_bullet,
    items_between_signs,
    texts_of_line,
    values_of_line,
)
"""What tells the items apart, the surest first. The last rule of either always does."""
