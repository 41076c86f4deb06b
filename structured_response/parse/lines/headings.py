"""Names with their values below them: headings of Markdown and of other markers, rows of tables, arguments in tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from ...definition import fold
from .lines import HEADING, LABEL, NAME, Label, fenced, lines_of

__all__ = ["sections"]

_BOLD = 7
"""The level of a line in bold, below all headings."""
_MARKER = re.compile(r"[ \t]*+\[\[[ \t]*+#{1,6}[ \t]*+(?P<name>[^\[\]#\n]{1,100}?)[ \t]*+#{1,6}[ \t]*+\]\]\s*+\Z")
_DRAWN = re.compile(r"[ ]{0,3}(={3,}|-{3,})\s*+\Z")
_DRAWN_SIGNS = ("=", "-", " ")
_ALONE = re.compile(rf"{NAME}\Z")
_HEADING_SIGNS = ("#", "*", "_")
_ANY_HEADING = re.compile(r"[ ]{0,3}(?P<level>#{1,6})[ \t]")
_ROW = re.compile(rf"[ \t]*+\|[ \t]*+{NAME}\|[ \t]*+(?P<value>(?:[^|\\]|\\.)*+)\|?[ \t]*+\Z")
_ARGUMENT = re.compile(r"<arg_key>\s*+(?P<name>[^<>\n]{1,200}+)</arg_key>\s*+<arg_value>")
_ARGUMENT_END = "</arg_value>"


def sections(text: str, is_name: Callable[[str], bool], is_text: Callable[[str], bool] | None = None) -> list[Label]:
    """The names that Markdown's headings are, or the first cells of a table's rows, or the keys of arguments: what is
    most. Below a name whose value `is_text` no other one stands, however deep its heading is, unless it comes again.
    """
    found = (_headings(text, is_name, is_text), _rows(text, is_name), _arguments(text, is_name))
    return max(found, key=len)


class _Heading(NamedTuple):
    """A line that stands above others: its name, if it may be one, and where; where what belongs to it begins; how deep
    it is, and which ones end it. `ends`: it ends what stands above it, whatever its name is: a text in bold, or with a
    line drawn below it, may be anything.
    """

    name: str
    start: int
    value: int
    level: int
    below: int
    ends: bool


def _headings(text: str, is_name: Callable[[str], bool], is_text: Callable[[str], bool] | None) -> list[Label]:
    """Headings that are names, each with what stands up to the next heading that is not below it, or with the value
    behind a colon: then any heading ends what stands below it. In fences `#` begins comments, not headings.
    """
    headings = [*_all_headings(text)]
    found = _outermost(text, headings, is_name, lambda _heading, _opened: False)
    lost = {fold(one.name) for _begin, one in headings if one.name and is_name(one.name)} - {
        fold(label.name) for label in found
    }
    if not lost or is_text is None:
        return found
    return _outermost(text, headings, is_name, lambda one, opened: fold(one.name) in lost and is_text(opened.name))


def _outermost(
    text: str,
    headings: list[tuple[int, _Heading]],
    is_name: Callable[[str], bool],
    is_lost: Callable[[_Heading, _Heading], bool],
) -> list[Label]:
    """The headings that are names and stand below no other one, or would be lost there."""
    found: list[Label] = []
    opened: _Heading | None = None
    for begin, heading in headings:
        is_within = opened is not None and heading.level > opened.below and not is_lost(heading, opened)
        if heading.name and is_name(heading.name) and not is_within:
            _end(found if opened else [], begin)
            found.append(Label(heading.name, heading.start, heading.value, len(text), 0, is_verbatim=True))
            opened = heading
        elif opened is not None and not is_within and heading.ends:
            _end(found, begin)
            opened = None
    return found


def _all_headings(text: str) -> Iterator[tuple[int, _Heading]]:
    """The headings of a text, and where their lines begin."""
    if not any(sign in text for sign in ("#", "**", "__", "\n==", "\n--")):
        return
    in_fence = fenced(text)
    for (begin, line), (end, below) in pairwise([*lines_of(text), (len(text), "")]):
        first = line[:4].lstrip(" ")[:1]
        if begin in in_fence or not first:
            continue
        heading = _of_signs(line) if first in _HEADING_SIGNS else _of_markers(line) if first == "[" else None
        if heading is None and below.startswith(_DRAWN_SIGNS):
            heading = _underlined(line, below, end - begin)
        if heading is not None:
            yield begin, heading._replace(start=begin + heading.start, value=begin + heading.value)


def _of_signs(line: str) -> _Heading | None:
    """A heading as Markdown has it, or a line in bold, which stands below all headings."""
    alone, other = HEADING.match(line), _ANY_HEADING.match(line)
    heading = alone or (LABEL.match(line) if other else None)
    signs = alone or other
    if signs is None:
        return None
    level = len(signs["level"]) if signs["level"] else _BOLD
    if heading is None:
        return _Heading("", 0, 0, level, level, ends=True)
    below = level if heading is alone else _BOLD
    return _Heading(heading["name"], heading.start("name"), heading.end(), level, below, bool(signs["level"]))


def _of_markers(line: str) -> _Heading | None:
    """A name between the markers that some prompts have around it: `[[ ## score ## ]]`."""
    marker = _MARKER.match(line)
    return None if marker is None else _Heading(marker["name"], marker.start("name"), marker.end(), 2, 2, ends=True)


def _underlined(line: str, below: str, width: int) -> _Heading | None:
    """A heading with a line drawn below it, so many characters behind its own beginning. Its signs mean one level."""
    drawn = _DRAWN.match(below) if line[:1].isalnum() else None
    if drawn is None:
        return None
    name = _ALONE.match(line)
    return None if name is None else _Heading(name["name"], 0, width + drawn.end(), 1, 1, ends=False)


def _rows(text: str, is_name: Callable[[str], bool]) -> list[Label]:
    """The rows of a table that have a name and a value."""
    found: list[Label] = []
    for begin, line in lines_of(text) if "|" in text else ():
        row = _ROW.match(line)
        if row and is_name(row["name"]):
            found.append(
                Label(row["name"], begin + row.start("name"), begin + row.start("value"), begin + row.end("value"), 0)
            )
    return found


def _arguments(text: str, is_name: Callable[[str], bool]) -> list[Label]:
    """The arguments of a call that is written as keys and values in tags. One without an end is none."""
    found: list[Label] = []
    key = _ARGUMENT.search(text) if _ARGUMENT_END in text else None
    while key and (end := text.find(_ARGUMENT_END, key.end())) >= 0:
        if is_name(key["name"].strip()):
            found.append(Label(key["name"].strip(), key.start("name"), key.end(), end, 0, is_verbatim=True))
        key = _ARGUMENT.search(text, end)
    return found


def _end(found: list[Label], end: int) -> None:
    if found:
        found[-1] = found[-1]._replace(end=end)
