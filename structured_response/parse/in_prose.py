"""What the text around an answer says of it: lines that name fields, items with bullets, JSON behind it.

* Right in front of an answer, with no empty line between them, a line that names a field which the answer lacks may be
  that field; behind a root that is lost, so may an item with a bullet.
* Behind an answer, a line that gives a scalar another value corrects it; and so does JSON that fits, if words lead
  to it; a list only on lines of its own, since prose has brackets too.

All of that is a problem where it says something else than the answer. A text may be named by a line of prose about
anything, so behind an answer it corrects nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ..definition import Plan
from ..findings import ProblemKind, Span
from ..markup import BLANK, EXAMPLE
from ..validate import typed
from .afterwords import correctable, may_be_corrected
from .candidates import Candidate, read_in_format
from .data.found import Found
from .doubts import BEHIND, fills_line, note, says_otherwise
from .eligible import USERS_TURN, data_in, last_few
from .how import How
from .lines.lines import labels
from .scalars.scalars import read_scalar
from .xml.beside import is_remark, items_in

__all__ = ["doubt_by_text"]

_IN_FRONT = "a line in front of the answer names it, but it has no element of its own"
_ITEMS = "items stand in front of the answer, without elements of their own"
_ELEMENT = re.compile("<(?!/)")
_MARKS = re.compile(r"(?:```|~~~)\w*|</?[^\W\d][^<>]*+>")
"""What may stand between two answers without a word: fences and tags."""
_FEW = 3
"""Words of a value that is more than prose."""


def doubt_by_text(plan: Plan, text: str, best: Candidate, how: How) -> None:
    """Puts on record what the text around an answer in XML says otherwise, unless nothing but XML counts."""
    if how.format == "xml" or best.root is None or best.example is not None or not best.answer.found:
        return
    start, end = best.span[1], len(text)
    if best.span[0]:
        _look_in_front(plan, text, best)
    if start < end and may_be_corrected(plan)(text, start) and EXAMPLE not in text[start:]:
        turn = USERS_TURN.search(text, start)
        _look_behind(plan, text, (start, turn.start() if turn is not None else end), best, how)


def _look_in_front(plan: Plan, text: str, best: Candidate) -> None:
    end = best.span[0]
    start = max(text.rfind("\n\n", 0, end), text.rfind(">", 0, end)) + 1
    front = text[start:end]
    if not front.strip(BLANK):
        return
    data, root = best.answer.data, plan.root
    for label in labels(front, root.has_field) if isinstance(data, dict) and (":" in front or "=" in front) else ():
        field = root.field_of(label.name)
        said = front[label.value : label.end].partition("\n")[0].strip(BLANK)
        if field is not None and field.name not in data and said and not is_remark(said):
            place = (start + label.start, start + label.value + len(said))
            note(plan, best, (field.name,), (None, said), _IN_FRONT, place, ProblemKind.INVALID)
    is_list = root.kind == "list" and root.item is not None and best.root is not None and not best.root.head.tag
    if is_list and root.item is not None and items_in(root.item, front):
        note(plan, best, (), (None, front.strip(BLANK)), _ITEMS, (start, end), ProblemKind.INVALID)


def _look_behind(plan: Plan, text: str, place: Span, best: Candidate, how: How) -> None:
    start, end = place
    rest = text[start:end]
    if isinstance(best.answer.data, dict):
        _look_at_labels(plan, _ELEMENT.split(rest, 1)[0], start, best)  # what stands in tags is looked at as such
    for found in last_few(rest, data_in(plan, rest, "json"), how) if "{" in rest or "[" in rest else ():
        if found.fit and found.is_whole and found.limit is None and _is_meant(plan, rest, found):
            other = read_in_format(plan, found, how)
            span = other.span[0] + start, other.span[1] + start
            says_otherwise(plan, text, best, replace(other, span=span))


def _is_meant(plan: Plan, rest: str, found: Found) -> bool:
    """Whether JSON behind an answer may be another one: words lead to it, and a list fills its lines."""
    lead = _MARKS.sub("", rest[: found.span[0]])
    return any(map(str.isalpha, lead)) and (plan.root.kind == "dict" or fills_line(rest, found.span))


def _look_at_labels(plan: Plan, rest: str, start: int, best: Candidate) -> None:
    fields = correctable(plan)
    for label in labels(rest, plan.root.has_field):
        field = plan.root.field_of(label.name)
        said = rest[label.value : label.end].partition("\n")[0].strip(BLANK)
        if field is None or field.name not in fields or not 0 < len(said.split()) <= _FEW:
            continue
        scalar = read_scalar(field.node, said, said, None, field.name)
        given = None if scalar.problem is not None else _typed(plan, field.name, scalar.value)
        before = best.answer.data.get(field.name)
        if given is not None and given != before:
            span = start + label.start, start + label.value + len(said)
            note(plan, best, (field.name,), (before, given), BEHIND, span)


def _typed(plan: Plan, name: str, value: Any) -> Any:
    """What a value that was read means by its field's type."""
    return typed(plan).validate_python({name: value})[name]
