"""Reads the parts of a text from its lines: their indentation, bullets and labels."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from ..definition import fold, is_near
from ..escaping import GAP
from .parts import ITEM, Parts, Place, Span, UnclearError, cut, part_of, unquoted
from .scan import is_blank

_LINE = re.compile(r"[^\n]+")
_SIGN = r"[^\x00-\u00ff\w\s\u2018-\u201f\u2026\u20a0-\u20cf\u2200-\u22ff\u3000-\u303f]{1,8}+"
_BULLET = re.compile(
    rf"[ \t]*+(?P<mark>[-*+\u00b7\u00bb]|\(?[0-9]{{1,4}}[.)]|[0-9]{{1,4}}(?=\u3001[^\u3001\n]*+(?:\n|\Z))"
    rf"|[0-9]\ufe0f?\u20e3|{_SIGN}|\(?[a-z][.)]|[ivx]{{2,5}}[.)])"
    r"(?:\u3001[ \t]*+|[ \t]++(?:\[(?P<box>[ xX])\][ \t]++)?|(?=\r?\n|\r?\Z)|(?<=[\u2022\u25e6\u25aa\u25cf\u25cb]))"
)
"""The beginning of an item. A sign is an emoji or a symbol without another use, such as quotes, currency or
mathematics.
"""
_PLAIN = "-*+\u00b7\u2022\u25e6\u2023\u2013\u2014\u25aa\u25cf\u25cb\u2192"
"""Bullets without a meaning of their own."""
_LABEL = re.compile(
    r"[ \t]*+(?:\#{1,6}[ \t]++)?(?P<mark>\*{1,3}|`)?(?P<quote>[\"'\u201c])?(?P<name>[^\n]{1,80}?)(?(quote)[\"'\u201d])"
    r"(?(mark)(?P<closed>(?P=mark))?)(?:[ \t]*[:\uff1a](?=[\s*_`\"']|\Z)|(?<=[^\W\d_])[:\uff1a](?![/:])"
    r"|(?P<equals>[ \t]=(?=[ \t])|=(?![=\s])))(?(mark)(?P<behind>[*`]{1,3})?)"
)
"""A label and its colon. The value may follow the colon directly only if a letter precedes it. An entry may also have `
= `, or `=` behind a single word.
"""
_LABEL_SIGN = re.compile("[:\uff1a=]")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,}|[\u2014\u2500]{3,})[ \t\r]*")
_SENTENCE = re.compile(r"[^\W\d].*[.!?:\u3002][\s*_)]*\Z", re.DOTALL)
_EMPTY_LINE = re.compile(r"\n(?:-{3,})?[ \t\r]*+\n\s*?(?=[^\n\S]*\S)")


class Line(NamedTuple):
    """The beginning of a part: its bullet and its label, if any.

    `column` is its indentation, -1 if it is unknown because text precedes it. `mark` is the bullet, `style` the way
    that bullet and label are written.
    """

    name: str
    start: int
    inner: int
    column: int
    mark: str = ""
    style: tuple[str, bool, bool] = ("", False, False)


def lines_of(place: Place) -> list[Span]:
    """Returns the lines that are not blank and not rulers, with their indentation."""
    found = []
    for match in _LINE.finditer(place.text, place.start, place.end):
        start, end = match.span()
        if match[0].strip(GAP) and _RULE.fullmatch(match[0]) is None:
            found.append((start if start > place.start or _is_behind(place) else _begin(place.text, start), end))
    return found


def _begin(text: str, place: int) -> int:
    return text.rfind("\n", 0, place) + 1


def _is_behind(place: Place) -> bool:
    return not is_blank(place.text, _begin(place.text, place.start), place.start)


def _column(place: Place, start: int, at: int) -> int:
    """Returns the indentation at a place in a line that begins at `start`."""
    return -1 if start == place.start and _is_behind(place) else len(place.text[start:at].expandtabs(4))


def _top(lines: list[Line]) -> list[Line]:
    """Returns the lines that are not deeper than the first. Deeper ones belong to values."""
    if not lines:
        return []
    level = lines[0].column if lines[0].column >= 0 else min((line.column for line in lines[1:]), default=0)
    return [line for line in lines if line.column <= level + 1]


def leads(place: Place, start: int) -> bool:
    """Returns whether only a line with a colon at its end precedes a place, as an introduction to what follows."""
    before = place.text[place.start : start].strip(GAP + "*_")
    return not before or (before[-1] in ":\uff1a" and "\n" not in before)


def _parts(place: Place, lines: list[Line], are_keys: bool = False) -> Parts:
    """Returns the parts that begin at some lines. The last one ends in front of a separate sentence."""
    text, end = place.text, place.end
    last = lines[-1]
    first_end = text.find("\n", last.inner, end)
    gaps = () if first_end < 0 or is_blank(text, last.inner, first_end) else _EMPTY_LINE.finditer(text, last.inner, end)
    for gap in gaps:
        line = text[gap.end() : end].partition("\n")[0]
        if _SENTENCE.match(line):
            end = gap.start()
            break
    ends = [*(line.start for line in lines[1:]), end]
    return [
        part_of(place, line.name, line.start, line.inner, stop, are_keys)
        for line, stop in zip(lines, ends, strict=True)
    ]


# Labels


def label_at(place: Place, start: int, end: int) -> Line | None:
    """Returns the label at the beginning of a line or of a part of one, perhaps behind a bullet."""
    text = place.text
    bullet = _BULLET.match(text, start, end)
    begin = bullet.end() if bullet is not None else start
    match = _LABEL.match(text, begin, min(end, begin + 100))
    if match is None or (match["equals"] and not place.shape.is_map):
        return None
    if match["equals"] == "=" and not match["name"].isidentifier():
        return None
    name, mark, quote = match["name"].strip(), match["mark"] or "", match["quote"] or ""
    name = quote + name + quote if quote and quote in name else name
    name = name if not mark or match["closed"] or match["behind"] else mark + name
    first, key = (at + len(text[at:end]) - len(text[at:end].lstrip()) for at in (start, begin))
    style = ("" if bullet is None else _kind(bullet["mark"]) or "-", mark != "", name[:1].isupper())
    return Line(name, first, match.end(), _column(place, start, key), style=style) if name else None


def _labels(place: Place) -> list[Line]:
    """Returns the labels at the beginnings of lines, outside of fences."""
    found, is_fenced = [], False
    for start, end in lines_of(place) if _LABEL_SIGN.search(place.text, place.start, place.end) else ():
        label = None if is_fenced else label_at(place, start, end)
        if label is not None:
            found.append(label)
        if place.text.count("```", start, end) % 2 or place.text.startswith("~~~", start):
            is_fenced = not is_fenced
    return found


def _labelled(place: Place, labels: list[Line], are_keys: bool = False) -> Parts:
    parts = _parts(place, labels, are_keys)
    text = place.text
    if any(_OTHER.match(text, part.inner, part.end) or text.count("```", part.inner, part.end) % 2 for part in parts):
        raise UnclearError
    if len(parts) == 1 and _SEVERAL.fullmatch(text, parts[0].inner, place.end):
        raise UnclearError
    are_yaml = any(text.startswith(("|", ">"), part.inner) for part in parts)
    return unquoted(place, parts, not are_keys or are_yaml)


_OTHER = re.compile(r"\"\"\"|'''|(?:str|int|float|bool)[ \t]*=|!!\w|[&*]\w+(?:\s|\Z)|[^\n]*\S[ ]{2,}\#[^\n]*\Z")
"""Values as a program writes them, YAML's tags, anchors and aliases, and values followed by a comment."""
_SEVERAL = re.compile(r"[^\n]*(?:[,;|]|<br[ /]*>)[ \t]*[^\s:,;|][^\n:,;|]{0,40}:(?:[ \t][^\n]*)?")
"""A value followed by another label."""


def read_labels(place: Place) -> Parts:
    labels = _labels(place)
    known = known_labels(place, labels)
    return _labelled(place, _with_foreign(place, labels, known)) if known else []


def known_labels(place: Place, labels: list[Line] | None = None) -> list[Line]:
    found = _labels(place) if labels is None else labels
    return _top([label for label in found if place.field(label.name) is not None])


def _with_foreign(place: Place, labels: list[Line], known: list[Line]) -> list[Line]:
    """Returns the known labels together with misspelt ones and unknown ones in the same style."""
    names = [fold(name) for name in place.labelled.fields]
    starts, styles = {label.start for label in known}, {label.style for label in known}

    found: list[Line] = []
    for label in _top([label for label in labels if len(label.name.split()) <= 4]):
        if label.start in starts or any(is_near(fold(label.name), name) for name in names):
            found.append(label)
        elif found and label.style in styles:
            field = place.field(found[-1].name)
            is_text = field is not None and field.node.kind == "str"
            if any(label.style[:2]) or not is_text or _is_deeper(place, found[-1], label):
                found.append(label)  # otherwise a text of several lines may hold it
    return found if starts <= {label.start for label in found} else known


def _is_deeper(place: Place, before: Line, label: Line) -> bool:
    """Returns whether the value of the label before is in one line, or all its other lines are deeper, as in YAML."""
    lines = place.text[before.inner : label.start].expandtabs(4).split("\n")[1:-1]
    depths = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return min(depths, default=0) > label.column if lines else True


def read_entries(place: Place) -> Parts:
    labels = _top(_labels(place))
    if len(labels) > 1 and len(labels[0].name.split()) > 2 and is_blank(place.text, labels[0].inner, labels[1].start):
        labels = labels[1:]  # the introduction to the others
    if not labels or not leads(place, labels[0].start):
        return []
    if labels[0].name.startswith(("(", "[", "{")):
        raise UnclearError
    parts = _labelled(place, labels, are_keys=True)
    signs = {place.text[label.inner - 1] for label in labels}
    values = [place.text[part.inner : part.end] for part in parts]
    if "=" in signs and (len(signs) > 1 or any("\n" in value or _ANOTHER.search(value) for value in values)):
        raise UnclearError
    return parts


_ANOTHER = re.compile(r"[,;&\s]\s*+\w++=")
"""The beginning of another entry on the same line."""


# Items


def _kind(mark: str) -> str:
    """Returns the kind of a bullet, which all bullets of a list share: "" for signs, else the way they count."""
    return mark[-1] + ("1" if mark.strip("().").isdigit() else "a") if mark[-1] in ".)" else ""


def read_bullets(place: Place) -> Parts:
    """Returns the items with bullets or numbers. A deeper line, or one without, belongs to the item before."""
    found = []
    for start, end in lines_of(place):
        bullet = _BULLET.match(place.text, start, end)
        if bullet is not None:
            at = bullet.start("mark")
            sign = bullet["box"] or bullet["mark"]
            style = _kind(bullet["mark"]), False, False
            found.append(Line(ITEM, at, bullet.end(), _column(place, start, at), sign.lower(), style))
    kind = found[0].style[0] if found else ""
    tops = [bullet for bullet in _top(found) if bullet.style[0] == kind]
    if not tops or not leads(place, tops[0].start):
        return []
    if len({bullet.mark for bullet in tops if bullet.mark in " x" or bullet.mark[0] > "\u00ff"} - {*_PLAIN}) > 1:
        raise UnclearError  # some of them are ticked
    if len(found) > 1 and found[0].column < 0 and _LED_BULLET.search(place.text, place.start, place.end):
        raise UnclearError  # the depth of the first is unknown
    if len(tops) == 1 and tops[0].mark not in "-*+ x" and "\n" not in place.inner:
        again = _COUNT if kind else rf"(?<!\S){re.escape(tops[0].mark)}[ \t]"
        if len(cut(place.within(tops[0].inner, place.end), again)) > 1:
            raise UnclearError  # several in one line, unless the text names a number
        if kind.endswith("a") or (not kind and tops[0].mark not in _PLAIN):
            return []
    parts = unquoted(place, [part for part in _parts(place, tops) if part.inner < part.end])
    return [] if _are_fields(place, parts) else parts


_COUNT = r"(?<!\S)\(?[0-9a-z][.)][ \t]"
_LED_BULLET = re.compile(r"^[ \t]+\w[^\n]*:[ \t]*\n[ \t]+[-*+][ \t]", re.MULTILINE)


def _are_fields(place: Place, parts: Parts) -> bool:
    """Returns whether bullets precede the fields of objects, not the objects."""
    if place.shape.item is None or not place.shape.item.fields:
        return False
    labels = [label_at(place, part.inner, part.end) for part in parts]
    names = {fold(label.name) for label in labels if label is not None and place.field(label.name) is not None}
    return len(names) > 1 and not any("\n" in place.text[part.inner : part.end] for part in parts)


def read_rows(place: Place) -> Parts:
    """Returns each line as an item, unless the lines are a single wrapped text."""
    lines = lines_of(place)
    if len(lines) > 1 and leads(place, lines[1][0]):
        lines = lines[1:]
    if len(lines) < 2:
        return []
    texts = [place.text[start:end].strip(GAP) for start, end in lines]
    item = place.shape.item
    if item is not None and item.parts[0].kind == "enum" and all(_SAID.search(text) for text in texts):
        raise UnclearError  # each with an explanation
    for line, following in pairwise(texts):
        if len(line) >= _WRAPPED and line[-1] not in ".;:!?," and following[0].islower():
            return []
    rows = [max(start, place.start) for start, _end in lines]
    parts = [part_of(place, ITEM, start, start, end) for start, (_start, end) in zip(rows, lines, strict=True)]
    return unquoted(place, parts, is_each=False)


_SAID = re.compile("[:=]")
_WRAPPED = 50
"""Characters of a line from which on prose may have been wrapped at its end."""
