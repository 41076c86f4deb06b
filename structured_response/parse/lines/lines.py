"""Lines that say data without a format: bullets, and names with their values, as labels, headings or in tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ...definition import Node, fold
from ...markup import BLANK, FENCES
from ..written import Bare, Value

__all__ = [
    "FEW",
    "HEADING",
    "LABEL",
    "NAME",
    "Label",
    "are_lines",
    "begins_line",
    "bullets",
    "fenced",
    "foreign_label",
    "form_of",
    "is_emphasised",
    "is_folded",
    "labels",
    "lines_of",
    "quoted",
    "spellings",
    "undecorated",
]

_BULLET = re.compile(r"[ \t]*+(?:[-*+\u2022\u2023\u25e6\u2013\u2014]|\(?[0-9]{1,6}[.)]\)?|[a-zA-Z][.)])[ \t]++(?=\S)")
LABEL = re.compile(
    r"[ \t]*+([-*+>\u2022#]{1,6}[ \t]++|[0-9]{1,3}[.)][ \t]++)?+[*_`\"']{0,3}+"
    r"(?P<name>[^\W_](?:[\w.-]|\\_|\[[0-9]{1,6}\]|(?<=\.)\"[^\"\n]{1,60}+\"){0,60}+(?:[ /][\w.-]{1,40}+){0,5}+)"
    r"(?P<gloss>[ \t]?\([^()\n]{1,60}+\))?+"
    r"[*_`\"']{0,3}+(?:[ \t]*+(?:[=-]>|[\u2192\u21d2:=\uff1a])[*_]{0,3}+(?=\s|$|[^\s/:=])"
    r"|(?P<dash>[ \t]++[-\u2013\u2014]{1,2}(?=[ \t])))[ \t]*+"
)
NAME = r"[*_`]{0,3}(?P<name>[^\W_](?:[\w.-]|\\_){0,60}+(?:[ /][\w.-]{1,40}+){0,5}+)[*_`:]{0,4}+[ \t]*+"
HEADING = re.compile(
    rf"[ ]{{0,3}}(?:(?P<level>\#{{1,6}})[ \t]++(?:[0-9]{{1,3}}[.)][ \t]++)?|(?=\*\*|__)){NAME}\#*+\s*+\Z"
)
_TAG = re.compile(r"[*_`]{0,3}+[ \t]*+<[ \t]?(?P<name>[^\W\d][\w.:-]*+)")
_EMPHASIS = re.compile(r"[Aa][^Aa]*[*_]")
_NUMBER = re.compile(r"[0-9]+")
FEW = 3
"""Words of a label that no definition knows."""
_DECORATION = BLANK + "*_`\"'-#>"
_BLANKS = re.compile(r"[ \t\r\n]*+")
_FENCE = re.compile(r"[ \t]*+(?:[^\n`~]{1,100}(?<=[:=*_ \t]))?(```|~~~)[^\n`]*+$")
_TRIPLES = ('"""', "'''")
_HOLDERS = (*FENCES, *_TRIPLES)
_OPENED = re.compile(r"[ \t]*+(```|~~~|\"\"\"|''')")
_ESCAPES = re.compile(r"\\(?s:.)|[\"\n\r\t]")
_GLOSS = re.compile(r"[ \t]*+\(([^()\n]++)\)\Z")
_GLOSSED = re.compile(r"\A[ \t]?\([^()\n]*+\)")
_SIGNS = re.compile(r"[:=\uff1a\u2192\u21d2]|->")
_DASHES = re.compile(r"[ \t][-\u2013\u2014]{1,2}[ \t]")
_HEADING_SIGN = re.compile(r"#{1,6}[ \t]++(?=\S)")
_AROUND_KEY = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019", "*": "*"}
_TRIPLE = re.compile(r"(\"\"\"|''')\n?(.*?)\1", re.DOTALL)
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\(?s:.))*+\"|'(?:[^']|'')*+'")


class Label(NamedTuple):
    """A line that begins with a name: the name, its place, and the place of what belongs to it, further lines too.

    `is_bulleted`: a bullet, a number or the like stands in front of it. `is_verbatim`: what belongs to it stands on
    lines of its own, so that their indentation is a part of it. `behind` is where the name ends.
    """

    name: str
    start: int
    value: int
    end: int
    indentation: int
    is_bulleted: bool = False
    is_verbatim: bool = False
    behind: int = 0


def bullets(text: str, start: int = 0) -> Value | None:
    """The list that a text is, each line an item behind a bullet or a number; None where a line is none.

    A line that is indented goes on with the item above it. `start` is where the text stands in the reply.
    """
    items: list[Value] = []
    for begin, line in lines_of(text):
        bullet = _BULLET.match(line)
        end = start + begin + len(line)
        if bullet:
            first = start + begin + bullet.end()
            items.append(Value(Bare(line[bullet.end() :]), first, end))
        elif line and items and line[0] in " \t":
            items[-1].held = Bare(f"{items[-1].held}\n{line.strip()}")
            items[-1].end = end
        elif line:
            return None
    for item in items:
        literal = quoted(str(item.held))
        item.held = item.held if literal is None else literal
    return Value(list(items), start, start + len(text)) if items else None


def labels(text: str, is_name: Callable[[str], bool]) -> list[Label]:
    """The lines that begin with a name and a sign behind it, each with all the lines up to the next one. A dash is such
    a sign where there is no other. None begins in a fence or in three quotes that are the value of a name.
    """
    held = held_lines(text, is_name)
    return _labels(text, is_name, _SIGNS, held) or (
        _labels(text, is_name, _DASHES, held) if _DASHES.search(text) else []
    )


def _labels(text: str, is_name: Callable[[str], bool], sign: re.Pattern[str], held: set[int]) -> list[Label]:
    found: list[Label] = []
    for begin, line in lines_of(text):
        label = LABEL.match(line) if begin not in held and sign.search(line) else None
        if label is None or (label["dash"] is None) is (sign is _DASHES):
            continue
        name, gloss = label["name"].replace('"', ""), label["gloss"]
        if gloss is not None:
            name = next(filter(is_name, spellings(name + gloss)), "")
        if name and is_name(name):
            _end(found, begin)
            indentation = len(line) - len(line.lstrip(" \t"))
            place, value, behind = begin + label.start("name"), begin + label.end(), begin + label.end("name")
            is_alone = label.end() == len(line)
            found.append(Label(name, place, value, len(text), indentation, bool(label[1]), is_alone, behind))
    return found


def spellings(label: str) -> tuple[str, ...]:
    """What a label may name: what stands in brackets at its end is a part of the name, or explains it."""
    gloss = _GLOSS.search(label)
    return (label,) if gloss is None else (label, f"{label[: gloss.start()]} {gloss[1]}", label[: gloss.start()])


def form_of(line: str, start: int, end: int, value: int) -> str:
    """What a line has besides a name, which stands from `start` to `end`, and its value: what stands before the name,
    any number as 0, how the name begins, and the sign behind it, with or without a blank.
    """
    first = "A" if line[start].isupper() else "a"
    sign = _GLOSSED.sub("", line[end:value]).rstrip(" \t")
    gap = " " if len(sign) < value - end or value == len(line) else ""
    return _NUMBER.sub("0", line[:start]) + first + sign + gap


def is_emphasised(form: str) -> bool:
    """Whether a label of such a form stands in emphasis."""
    return _EMPHASIS.search(form) is not None


def foreign_label(line: str) -> re.Match[str] | None:
    """The label that a line begins with, whatever its name is, if it has few words: else it may be a sentence."""
    label = LABEL.match(line) if _SIGNS.search(line) or _DASHES.search(line) else None
    return label if label is not None and len(label["name"].split()) <= FEW else None


def are_lines(text: str, node: Node) -> bool:
    """Whether a text is lines that begin with the names of an object from its first line on, so that tags in it are a
    part of values: all that is required has a line, no line on their level begins with a tag, and no name is followed
    by its own tag.
    """
    if node.kind != "dict":
        return False
    depth = len(text[: len(text) - len(text.lstrip(BLANK))].rpartition("\n")[2])
    found = [label for label in labels(text, node.has_field) if label.indentation <= depth]
    if not found or text[: found[0].start].strip(_DECORATION):
        return False
    names = {field.name for label in found if (field := node.field_of(label.name))}
    are_all = all(name in names for name, field in node.fields.items() if field.required)
    is_mixed = re.search(rf"^[ \t]{{0,{depth}}}<", text, re.MULTILINE)
    return are_all and not is_mixed and not any(_precedes_own_tag(text, label) for label in found)


def _precedes_own_tag(text: str, label: Label) -> bool:
    """Whether the element of the same name stands behind a label: `Title: <title>A</title>`."""
    tag = _TAG.match(text, label.value)
    return tag is not None and fold(tag["name"]) == fold(label.name)


def begins_line(text: str, start: int) -> bool:
    """Whether a name and its colon stand behind the blanks at a place."""
    return LABEL.match(text, _BLANKS.match(text, start).end()) is not None  # type: ignore[union-attr]


def fenced(text: str) -> set[int]:
    """Where the lines begin that stand in fenced blocks, which may open behind a label. A fence that is never closed
    fences nothing.
    """
    found: set[int] = set()
    waiting: list[int] = []
    mark = ""
    for begin, line in lines_of(text) if any(fence in text for fence in FENCES) else ():
        closes = bool(mark) and line.lstrip(" \t").startswith(mark)
        opened = None if mark else _FENCE.match(line)
        if closes:
            found.update(waiting)
            mark = ""
        elif opened is not None:
            waiting, mark = [], opened[1]
        elif mark:
            waiting.append(begin)
    return found


def held_lines(text: str, is_name: Callable[[str], bool]) -> set[int]:
    """Where the lines begin that stand in a fence or in three quotes which open behind a name, or below one that stands
    alone: they are its value. What is never closed holds nothing.
    """
    found: set[int] = set()
    waiting: list[int] = []
    mark = ""
    is_below = False
    for begin, line in lines_of(text) if any(opener in text for opener in _HOLDERS) else ():
        if mark:
            waiting.append(begin)
            if mark in line if mark in _TRIPLES else line.lstrip(" \t").startswith(mark):
                found.update(waiting)
                mark = ""
            continue
        label = LABEL.match(line)
        opened = _OPENED.match(line, 0 if label is None else label.end())
        if opened is not None and (is_below or label is not None) and line.count(opened[1]) == 1:
            waiting, mark = [], opened[1]
        alone = label if label is not None and label.end() == len(line) else HEADING.match(line)
        is_below = (is_below and not line) or (alone is not None and is_name(alone["name"]))
    return found


def _end(found: list[Label], end: int) -> None:
    if found:
        found[-1] = found[-1]._replace(end=end)


def quoted(text: str) -> str | None:
    """What stands in quotes, where they are around all of a value. Three of them stand around lines."""
    if not text.startswith(("'", '"')):
        return None
    lines = _TRIPLE.fullmatch(text)
    if lines is None and not _QUOTED.fullmatch(text):
        return None
    inner = text[1:-1] if lines is None else lines[2]
    if text[0] == "'" and lines is None:  # where a quote is two, as in YAML
        return inner.replace("''", "'")
    if text[0] != '"' or "\\" not in text:
        return inner
    try:
        return str(json.loads(f'"{inner if lines is None else _ESCAPES.sub(_escaped, inner)}"'))
    except ValueError:
        return None if lines is None else inner


def _escaped(match: re.Match[str]) -> str:
    """An escape that JSON has too, or what it has for one character of a text in three quotes."""
    return match[0] if match[0][0] == "\\" and match[0][1] in '"\\/bfnrtu' else json.dumps(match[0])[1:-1]


def undecorated(text: str) -> tuple[int, int]:
    """Where a key is in what stands in its place: without the sign of a heading, and without quotes and emphasis that
    stand on both of its sides. All other characters are its own, as in `C#`, `#1` and `__init__`.
    """
    start, end = _without_blanks(text, 0, len(text))
    sign = _HEADING_SIGN.match(text, start, end)
    start = start if sign is None else sign.end()
    while end - start > 2 and _AROUND_KEY.get(text[start]) == text[end - 1]:
        is_emphasis = text[start] == "*"
        if not is_emphasis and text[end - 1] in text[start + 1 : end - 1]:  # `"a" and "b"`
            break
        start, end = start + 1, end - 1
        if not is_emphasis:  # what stands in quotes is verbatim
            break
        start, end = _without_blanks(text, start, end)
    return start, end


def _without_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(inner.rstrip())


def is_folded(text: str) -> bool:
    """Whether quotes stand around all of a value that runs over lines."""
    return "\n" in text and _QUOTED.fullmatch(text) is not None


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Each line without the blanks at its end, and where it begins."""
    position = 0
    for line in text.split("\n"):
        yield position, line.rstrip()
        position += len(line) + 1
