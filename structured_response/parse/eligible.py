"""What in a reply could be the answer, before it is read: reasoning, examples and mere mentions are not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from operator import itemgetter
from typing import TypeVar

from ..definition import Plan
from ..findings import Span
from ..limits import MAX_TRIED
from .candidates import is_closed
from .data.formats import find_data
from .data.found import Found
from .data.shown import is_shown
from .how import How
from .xml.elements import Root
from .xml.one_run import only_root
from .xml.reasoning import thoughts
from .xml.runs import filled
from .xml.structure import build
from .xml.tokens import Scanner, Tags

__all__ = ["JSON_SIGN", "USERS_TURN", "answers_of", "best_few", "data_in", "holds_something", "last_few", "roots_of"]

JSON_SIGN = re.compile(r"[{\[]")
_WITH_BRACKETS = ("JSON", "Python")
"""Formats that tell from their brackets where an answer ends."""
USERS_TURN = re.compile(
    r"<(?:\|im_start\||\|start_header_id\||start_of_turn)>\s*user|<\|user\|>|\[INST\]|^(?:Human|User)[ \t]*:",
    re.MULTILINE,
)
"""How chat templates and plain transcripts begin a turn of the user's."""

_Each = TypeVar("_Each")


def roots_of(plan: Plan, text: str, tags: Tags | None = None) -> list[Root]:
    """Every answer in a text, whose tags may be known."""
    if tags is not None:
        return build(plan, tags, text)
    only = only_root(plan, text)
    return build(plan, _tags(plan, text), text) if only is None else [only]


def _tags(plan: Plan, text: str) -> Tags:
    scanner = Scanner(plan)
    scanner.feed(text)
    return scanner.close()


def data_in(plan: Plan, text: str, form: str | None = None) -> list[Found]:
    """All that could be the answer in other formats, reasoning and the prompt's examples aside. What begins in
    reasoning may seem to end behind it and hide the answer, so that is looked for again without the reasoning.
    """
    found = find_data(plan, text, form)
    thinking = thoughts(plan, _tags(plan, text)) if "</" in text and (found or JSON_SIGN.search(text)) else []
    spans = [one.span for one in found if one.problem is None]
    sound = [one.span for one in found if one.form in _WITH_BRACKETS and one.is_whole and not one.faults]
    strict = [one.span for one in found if one.problem is None and one.is_strict and one.form in ("JSON", "YAML")]
    # the others are a part of some data, or end in a text of data that is sound
    outside = [span for span in thinking if not (_is_within(span, spans) or _ends_within(text, span, sound))]
    aloud = [span for span in outside if not _is_within((span[1] - 1, span[1]), strict)]
    if aloud:
        found = find_data(plan, _blanked(text, aloud), form)
    return _of_first_turn(text, [one for one in found if not is_shown(text, one.span[0])], lambda one: one.span)


def _of_first_turn(text: str, answers: list[_Each], span: Callable[[_Each], Span]) -> list[_Each]:
    """Those up to where the model goes on with a turn of the user's, which it made up, as all that follows it."""
    for index in range(1, len(answers)):
        if USERS_TURN.search(text, span(answers[index - 1])[1], span(answers[index])[0]):
            return answers[:index]
    return answers


def _blanked(text: str, spans: list[Span]) -> str:
    """The text with blanks in place of some stretches, which are in their order."""
    parts: list[str] = []
    position = 0
    for start, end in spans:
        parts += [text[position:start], re.sub(r"[^\n]", " ", text[start:end])]
        position = end
    return "".join([*parts, text[position:]])


def _is_within(span: Span, outer: list[Span]) -> bool:
    """Whether a span lies in one of some others, which are in their order and do not overlap."""
    index = bisect_right(outer, span[0], key=itemgetter(0)) - 1
    return index >= 0 and span[1] <= outer[index][1]


def _ends_within(text: str, span: Span, outer: list[Span]) -> bool:
    """Whether a block that began with the reply, without a tag, ends in one of some spans, in front of which nothing
    was said.
    """
    first = outer[0] if outer else (0, 0)
    is_first = span[0] == 0 and first[0] < span[1] <= first[1]
    return is_first and not text.startswith("<") and len(text[: first[0]].split()) < 2


def answers_of(text: str, roots: list[Root]) -> list[Root]:
    """Those that can be the answer: no reasoning, no example of the prompt, and no tag that prose only mentions."""
    outside = [root for root in roots if not root.reasoning and not is_shown(text, root.element.start)]
    if len(outside) > 1:
        outside = _of_first_turn(text, outside, lambda root: (root.element.start, root.element.end))
    return [root for root in outside if holds_something(root)] or outside if len(outside) > 1 else outside


def holds_something(root: Root) -> bool:
    """Whether it is more than a tag that prose mentions."""
    return bool(root.element.children) or is_closed(root.element)


def _most(how: How) -> int:
    """How many answers are read in full: all examples may be among them."""
    return MAX_TRIED + len(how.examples)


def last_few(text: str, found: list[Found], how: How) -> list[Found]:
    """The last few answers in other formats."""
    return _distinct(text, found, lambda one: one.span, how)[-_most(how) :]


def best_few(plan: Plan, text: str, roots: list[Root], how: How) -> list[Root]:
    """The few that hold most of what is required, in their order."""
    most = _most(how)
    if len(roots) > most:
        roots = _distinct(text, roots, lambda root: (root.element.start, root.element.end), how)
    if len(roots) <= most:
        return roots
    required = {name for name, field in plan.root.fields.items() if field.required}
    counts = [len(required & filled(root.element)) for root in roots]
    order = sorted(range(len(roots)), key=lambda index: (counts[index], len(roots[index].element.children), index))
    return [roots[index] for index in sorted(order[-most:])]


def _distinct(text: str, answers: list[_Each], span: Callable[[_Each], Span], how: How) -> list[_Each]:
    """_Each text once, where it stands last, if there are too many: an example may be repeated often."""
    if len(answers) <= _most(how) or not how.examples:
        return answers
    return sorted({text[slice(*span(each))]: each for each in answers}.values(), key=span)
