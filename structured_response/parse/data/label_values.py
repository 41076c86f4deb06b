"""Where the values of labels end: of lines that begin with names of the definition, and of what is none of them.

A label that the definition does not know ends the value before it, if it looks like those that it knows: as deep, with
the same signs and a name of a few words. Its value is no part of anything. It ends a text only on the line behind that
of the text's own label, or in emphasis: a text of several lines may have colons in it. Nor does it end what is
bracketed, quoted or fenced, what may have a member of its name, or what has a bullet behind it.
"""

from __future__ import annotations

import re

from ...definition import Node, fold
from ...findings import Span
from ...markup import BLANK
from ..lines.lines import Label, fenced, foreign_label, form_of, is_emphasised, lines_of, quoted
from ..lines.paths import node_at
from ..lines.split_text import trimmed
from ..scalars.scalars import is_value
from .found import names_of
from .swallowed_labels import with_swallowed

__all__ = ["plain_values", "values_of_labels"]

_MARKER = re.compile(r"^(?:---|\.\.\.)[ \t\r]*$", re.MULTILINE)
"""What stands between documents of YAML, and around lines that begin with names."""
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n\s*")
_BULLET = re.compile(r"[ \t]*+(?:[-*+\u2022]|[0-9]{1,3}[.)])[ \t]")
_CLOSERS = {"[": "]", "{": "}", "(": ")", '"': '"', "'": "'"}
_TYPE = r"[A-Za-z_][\w.]*+(?:\[[^\]=\n]*+\]++)?+"
_ANNOTATION = re.compile(rf"{_TYPE}(?:[ \t]*+\|[ \t]*+{_TYPE})*+[ \t]*+=[ \t]*+(?=\S)")
_COMMENT = re.compile(
    r"(?P<value>[ \t]*+(?:\"(?:[^\"\\\n]|\\.)*+\"|'[^'\n]*+'|(?:(?![ \t]#[ \t])[^\n])*+))"
    r"(?:[ \t]++#[ \t][^\n]*+)?(?:\n[ \t]*+#[ \t][^\n]*+|\n[ \t]*+)*+"
)
"""A value of one line, with comments behind it and in the lines below."""
_TICKED = re.compile(r"`[^`]++(?:`[^`]++`[^`]++)*+`")
"""Code of Markdown, or several pieces of it with signs between them."""
_TRIPLE = ('"""', "'''")


def values_of_labels(root: Node, text: str, found: list[Label]) -> tuple[list[Label], list[Span]]:
    """The labels of the outermost level with all that belongs to each, and where what belongs to none stands."""
    outer = _outermost(root, text, found)
    if not outer:
        return [], []
    outer = with_swallowed(root, text, outer, found)
    outer[-1] = outer[-1]._replace(end=min(outer[-1].end, _end_of_last(text, outer[-1])))
    skipped: list[Span] = []
    long = [index for index, label in enumerate(outer) if "\n" in text[label.value : label.end].rstrip(BLANK)]
    forms, in_fences = ({_form(text, label) for label in outer}, fenced(text)) if long else (set(), set())
    for index in long:
        label = outer[index]
        end = _end_before_foreign(root, text, label, forms, in_fences)
        if end < label.end:
            skipped.append((end, label.end))
            outer[index] = label._replace(end=end)
    return outer, skipped


def _form(text: str, label: Label) -> str:
    """What the line of a label has besides its name and its value."""
    begin, end = text.rfind("\n", 0, label.start) + 1, text.find("\n", label.value)
    line = text[begin : end if end >= 0 else len(text)].rstrip()
    return form_of(line, label.start - begin, label.behind - begin, label.value - begin)


def _outermost(root: Node, text: str, found: list[Label]) -> list[Label]:
    """The labels that are indented least; the others belong to the values of these, as those behind bullets do where
    a value that is no text begins with them.
    """
    least = min((label.indentation for label in found), default=0)
    outer: list[Label] = []
    for label in found:
        if label.indentation == least and not (outer and label.is_bulleted and _holds_bullets(root, text, outer[-1])):
            outer.append(label)
        elif outer:
            outer[-1] = outer[-1]._replace(end=label.end)
    return outer


def _holds_bullets(root: Node, text: str, label: Label) -> bool:
    """Whether a label stands alone on its line, above bullets that are its value."""
    alone = not text[label.value : label.end].partition("\n")[0].strip(BLANK)
    return alone and not label.is_bulleted and not node_at(root, label.name).is_text()


def _end_of_last(text: str, label: Label) -> int:
    """Where the last value ends: before a marker that ends a document, or a blank line, unless what follows is
    indented or a bullet.
    """
    marker = _MARKER.search(text, label.value)
    text = text[: marker.start()].rstrip(BLANK) if marker else text
    position = label.value
    while (blank := text.find("\n", position)) >= 0:
        following = _BLANK_LINE.match(text, blank)
        position = blank + 1
        if following:
            line_start = text.rfind("\n", 0, following.end()) + 1
            held = text[line_start : following.end() + 2]
            if not held.startswith((" ", "\t", "- ", "* ")) and label.value < blank:
                return blank
            position = following.end()
    return len(text)


# What all values have, and none of them means


def plain_values(root: Node, text: str, found: list[Label]) -> list[Label]:
    """The labels with their values' places without what all of several values have around them: a comma behind each but
    the last, a type and `=` in front of it, backticks on both sides. So comments, where any stands behind a value which
    shows that it is one: a text in quotes, a bracket, or what is no text.
    """
    found = _without_comments(root, text, found) if "#" in text else found
    found = _without_brackets(text, found)
    for narrowed in (_without_commas, _without_types, _without_ticks) if len(found) > 1 else ():
        found = narrowed(text, found)
    return found


def _without_comments(root: Node, text: str, found: list[Label]) -> list[Label]:
    cut: list[Label] = []
    are_comments = False
    for label in found:
        held = text[label.value : label.end].rstrip(BLANK)
        comment = _COMMENT.fullmatch(held)
        if comment is None or comment.end("value") == len(held):
            cut.append(label)
            continue
        node = node_at(root, label.name)
        bare = comment["value"].strip(BLANK)
        are_comments |= quoted(bare) is not None or (not node.is_text() and bare[:1] in "[{") or is_value(node, bare)
        cut.append(label._replace(end=label.value + comment.end("value")))
    return cut if are_comments else found


def _without_brackets(text: str, found: list[Label]) -> list[Label]:
    """The labels without the bracket that closes the one in front of the first."""
    front = text[: found[0].start].rstrip(BLANK + "\"'`*")
    held = text[found[-1].value : found[-1].end].rstrip(BLANK + ",;")
    if not front.endswith(("{", "(")) or not held.endswith(_CLOSERS[front[-1]]):
        return found
    return [*found[:-1], found[-1]._replace(end=found[-1].value + len(held) - 1)]


def _without_commas(text: str, found: list[Label]) -> list[Label]:
    ends = [label.value + len(text[label.value : label.end].rstrip(BLANK)) for label in found]
    if not all(text[end - 1] == "," for end in ends[:-1]):
        return found
    return [label._replace(end=end - (text[end - 1] == ",")) for label, end in zip(found, ends, strict=True)]


def _without_types(text: str, found: list[Label]) -> list[Label]:
    behind: list[int] = []
    for label in found:
        annotation = _ANNOTATION.match(text, label.value, label.end)
        if annotation is None:
            return found
        behind.append(annotation.end())
    return [label._replace(value=value) for label, value in zip(found, behind, strict=True)]


def _without_ticks(text: str, found: list[Label]) -> list[Label]:
    if not text.startswith("`", found[0].value):
        return found
    pieces = [trimmed(text, label.value, label.end) for label in found]
    if not all(_TICKED.fullmatch(piece.text) for piece in pieces):
        return found
    return [
        label._replace(value=piece.start + 1, end=piece.end - 1) if piece.text.count("`") == 2 else label
        for label, piece in zip(found, pieces, strict=True)
    ]


# Labels that the definition does not know


def _end_before_foreign(root: Node, text: str, label: Label, forms: set[str], in_fences: set[int]) -> int:
    """Where a value ends, if a label that the definition does not know stands in it."""
    node = node_at(root, label.name)
    first, *more = lines_of(text[label.value : label.end])
    head = first[1].strip(BLANK)
    if _is_open(head):
        return label.end
    more = [(begin, line) for begin, line in more if line]
    begins = head or (more[0][1] if more else "")
    for index, (begin, line) in enumerate(more):
        foreign = foreign_label(line) if label.value + begin not in in_fences else None
        form = form_of(line, *foreign.span("name"), foreign.end()) if foreign is not None else ""
        if foreign is None or form not in forms:
            continue
        goes_on = foreign.end() < len(line) and index + 1 < len(more) and _BULLET.match(more[index + 1][1])
        ends = (head and not index) or is_emphasised(form) if node.is_text() else not goes_on
        if ends and not _may_have(node, foreign["name"], begins):
            return label.value + begin
    return label.end


def _is_open(head: str) -> bool:
    """Whether the first line of a value opens a bracket or a quote, of which the other one may stand further on."""
    if head.startswith(_TRIPLE):
        return head.count(head[:3]) == 1
    return head[:1] in _CLOSERS and head[0] != "(" and (head[-1:] != _CLOSERS[head[0]] or len(head) == 1)


def _may_have(node: Node, name: str, begins: str) -> bool:
    """Whether a member of a value goes by a name, or may: unless the value begins with a bullet, as this does not."""
    names = names_of(node)
    return fold(name) in names.known or (names.takes_any and not _BULLET.match(begins))
