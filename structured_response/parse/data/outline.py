"""An outline: lines that hold the deeper ones below them, as in YAML, where YAML itself does not read them: there are
colons in texts, tabs in front of lines, names in bold.

A line holds what is indented deeper below it, and a name the bullets as deep as itself. The definition tells which
lines begin with names and which are text, so nothing but a name of the object that is open begins a member. A line
that names a missing member goes on with no text of one line, however deep it is indented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ...definition import Node, fold
from ...errors import MissingExtraError
from ...limits import MAX_DEPTH, MAX_YAML
from ...markup import BLANK
from ..lines.lines import foreign_label, is_folded, labels, quoted, spellings
from ..lines.rows import Row, rows_of
from ..lines.split_entries import key_of
from ..lines.split_text import Piece, folded, unfenced_value
from ..lines.unsigned import unsigned_name
from ..reading import LimitReachedError
from ..scalars.text import common_start
from ..written import Bare, Fault, Held, Members, Value, move_all
from .found import is_named, scan_known
from .yaml_text import NotYamlError, scan_yaml

__all__ = ["BLOCK", "in_yaml", "outlined", "read_outline"]

BLOCK = re.compile(r"[|>][+-]?[0-9]?[ \t]*(?:#.*)?\Z")
"""What stands in front of a text that is the lines below."""


class _Member(NamedTuple):
    """A name and what it leads to: the row that it stands on, maybe behind a bullet, and its value's place."""

    name: Piece
    node: Node
    first: int
    row: int
    value: int
    is_unsigned: bool = False


def read_outline(node: Node, text: str, start: int, end: int) -> Value | None:
    """What stands from `start` to `end`, by its lines; None where they are no outline of such a value. Places are those
    in the text. A text that begins with its first line is as deep there as the others tell. Raises `LimitReachedError`.
    """
    outline = _Outline(text, start, end)
    rows = outline.rows
    if not rows:
        return None
    head = rows[0] if text.rfind("\n", start, rows[0].start) < 0 and text[:start].rpartition("\n")[2].strip() else None
    try:
        return outline.value(node, head, int(head is not None), len(rows), 0)
    except RecursionError as error:
        raise LimitReachedError("nested deeper than what is left of Python's stack", (start, end)) from error


def outlined(item: Node, text: str) -> Value | None:
    """The list of objects that bullets are, each with lines that nest, below a line of prose or none; None where one is
    anything else.
    """
    first = _FIRST_BULLET.search(text) if item.kind == "dict" and "\n" in text else None
    if first is None or labels(text[: first.start()], item.has_field):
        return None
    value = read_outline(Node("list", item=item), text, first.start(), len(text))
    items = value.held if value is not None and isinstance(value.held, list) else []
    are_objects = any(isinstance(one.held, Members) or one.fault is not None for one in items)
    return value if are_objects and not any(isinstance(one.held, list) for one in items) else None


class _Outline:
    """The rows of a text, and where the lines that each of them holds end."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        is_known = "\n" in text[: start + len(text[start:end]) - len(text[start:end].lstrip(BLANK))]
        self.rows = rows_of(text, start, end, is_known)
        self.stops = [len(self.rows)] * len(self.rows)
        waiting: list[int] = []
        for index, row in enumerate(self.rows):
            while waiting and self.rows[waiting[-1]].column >= row.column:
                self.stops[waiting.pop()] = index
            waiting.append(index)

    def value(self, node: Node, head: Row | None, first: int, last: int, depth: int) -> Value | None:
        """The value that begins on the line of its name, or stands below it."""
        if depth > MAX_DEPTH:
            span = (self.rows[first - 1].start, self.rows[last - 1].end)
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", span)
        if head is None and first == last:
            return None
        if not _may_hold(node) or (head is not None and BLOCK.match(self.text, head.start, head.end)):
            return self.scalar(head, first, last)
        if head is None:
            return self.block(node, first, last, depth)
        end = self.rows[last - 1].end if last > first else head.end
        return self.flow(node, head.start, end) or Value(Bare(self.text[head.start : end]), head.start, end)

    def block(self, node: Node, first: int, last: int, depth: int) -> Value | None:
        """What rows are: items, entries, members or, where nothing else is asked for, one value."""
        row = self.rows[first]
        if self.text[row.start] in "[{" and not row.is_bullet:
            return self.flow(node, row.start, self.rows[last - 1].end)
        held: Held = None
        if node.kind in ("list", "tuple") or (row.is_bullet and self.may_be_items(node, first)):
            held = self.items(node, first, last, depth) if row.is_bullet else self.only_item(node, first, last, depth)
        elif node.kind in ("map", "any"):
            held = self.entries(node.item or node, first, last, depth)
        else:
            held = self.members(node, first, last, depth)
        if held is None:
            return self.scalar(None, first, last)
        return Value(held, row.start, self.rows[last - 1].end)

    def flow(self, node: Node, start: int, end: int) -> Value | None:
        """JSON, or what YAML has in its place, that is all of a part of the text."""
        inner = self.text[start:end]
        if not inner.startswith(("[", "{")):
            return None
        scanned = scan_known(node, inner, 0, True)
        value = scanned.value if scanned.is_strict and scanned.end == len(inner) else in_yaml(inner)
        if value is not None:
            move_all(value, start)
        return value

    # What rows hold

    def items(self, node: Node, first: int, last: int, depth: int) -> list[Value] | None:
        """The items behind bullets. Further lines belong to the text before them; what else they are nobody knows."""
        found: list[Value] = []
        tops = list(self.tops(first, last))
        bullets = [index for index in tops if self.rows[index].is_bullet]
        for position, (index, behind) in enumerate(zip(bullets, [*bullets[1:], last], strict=True)):
            item = node.item or (node.parts[position] if node.kind == "tuple" and position < len(node.parts) else node)
            value = self.item(item, index, behind if not _may_hold(item) else self.stops[index], depth + 1)
            if value is not None:
                found.append(value)
            if _may_hold(item) and self.stops[index] < behind and value is not None and not self.is_apart(item, index):
                span = (self.rows[self.stops[index]].start, self.rows[behind - 1].end)
                value.fault = Fault(span, "lines beside its bullet, of which nobody knows whether they belong to it")
        return found

    def only_item(self, node: Node, first: int, last: int, depth: int) -> Members | None:
        """The object in place of a list, if it is one alone."""
        is_object = node.item is not None and node.item.kind == "dict" and self.is_name(node.item, first)
        members = self.members(node.item, first, last, depth) if is_object and node.item is not None else None
        names = [fold(str(key.held)) for key, _member in members.pairs] if members is not None else []
        return members if len(set(names)) == len(names) else None

    def item(self, node: Node, index: int, last: int, depth: int) -> Value | None:
        """What stands behind a bullet, and in the lines that it holds."""
        row, first = self.rows[index], index + 1
        on_line = first < last and self.rows[first].end == row.end
        if not on_line:
            return self.value(node, None, first, last, depth)
        is_line = node.kind == "dict" and first + 1 == last  # whose members are told apart by more than lines
        if not _may_hold(node) or is_line or not (self.rows[first].is_bullet or self.is_name(node, first)):
            return self.value(node, self.rows[first], first + 1, last, depth)
        return self.block(node, first, last, depth)

    def entries(self, item: Node, first: int, last: int, depth: int) -> Members | None:
        """The entries of a map: each line has a key."""
        found: list[_Member] = []
        for index in self.tops(first, last):
            row = self.rows[index]
            if row.is_bullet and found and self.holds_bullets(found[-1]):
                continue
            key = key_of(self.text, Piece(self.text[row.start : row.end], row.start, row.end))
            if key is not None:
                behind = index + 1 if row.is_bullet else index
                found.append(_Member(key[0], item, index, behind, key[1].start))
            elif not found:
                return None
        return self.made(found, last, depth)

    def members(self, node: Node, first: int, last: int, depth: int) -> Members | None:
        """The members of an object: the lines with its names, and with others that look like them."""
        found: list[_Member] = []
        taken: set[str] = set()
        tops = [*self.tops(first, last), last]
        for index, behind in pairwise(tops):
            member = self.member(node, index, behind, bool(found) and self.holds_bullets(found[-1]))
            if member is None and not found:
                return None
            if member is not None:
                found.append(member)
                taken.add(member.name.text)
        signed = {member.name.text for member in found if not member.is_unsigned}
        found = [member for member in found if not (member.is_unsigned and member.name.text in signed)]
        found = [one for member in found for one in (member, *self.beside(node, member, taken))]
        return self.made(found, last, depth)

    def beside(self, node: Node, member: _Member, taken: set[str]) -> Iterator[_Member]:
        """The members that are missing, on lines below a text of one line."""
        row = self.rows[member.row]
        if _may_hold(member.node) or _leads(self.text[member.value : row.end]):
            return
        for index in self.tops(member.row + 1, self.stops[member.row]):
            found = self.member(node, index, index + 1, is_held=True)
            if found is not None and is_named(node, found.name.text) and found.name.text not in taken:
                taken.add(found.name.text)
                yield found

    def member(self, node: Node, index: int, behind: int, is_held: bool) -> _Member | None:
        """The member that a row begins with. A bullet in front of it is none of an item that stands before it."""
        row = self.rows[index]
        if row.is_bullet and (is_held or index + 1 >= len(self.rows) or self.rows[index + 1].end != row.end):
            return None
        own = index + row.is_bullet
        start = self.rows[own].start
        label = foreign_label(self.text[start : row.end])
        if label is None:
            lost = unsigned_name(node, self.text[start : row.end]) if own == index else None
            field = None if lost is None else node.field_of(lost[0])
            if lost is None or field is None:
                return None
            return _Member(
                Piece(lost[0], start, start + len(lost[0])), field.node, index, own, start + lost[1][1], True
            )
        written = label["name"] + (label["gloss"] or "")
        spelt = next((name for name in spellings(written) if is_named(node, name)), label["name"])
        name = Piece(spelt, start + label.start("name"), start + label.end("name"))
        inner = next((field.node for part in (node, *node.parts) if (field := part.field_of(spelt))), None)
        return _Member(name, inner or _ANY, index, own, start + label.end())

    def made(self, found: list[_Member], last: int, depth: int) -> Members | None:
        """The members with their values, each of which ends where the next one begins."""
        members = Members()
        for member, behind in zip(found, [*(one.first for one in found[1:]), last], strict=True):
            row = self.rows[member.row]
            head = row._replace(start=member.value, is_bullet=False) if member.value < row.end else None
            value = self.value(member.node, head, member.row + 1, behind, depth + 1)
            name = member.name
            key = Value(name.text, name.start, name.end)
            members.pairs.append((key, value or Value(Bare(""), member.value, member.value)))
        return members if members.pairs else None

    # Texts

    def scalar(self, head: Row | None, first: int, last: int) -> Value | None:
        """A text: that of a line and those below it, laid out, fenced, in quotes, or as a block of YAML."""
        if last > first:
            below = self.text[self.text.rfind("\n", 0, self.rows[first].start) + 1 : self.rows[last - 1].end]
        start = self.rows[first].start if head is None else head.start
        end = self.rows[last - 1].end if last > first else self.rows[first].end if head is None else head.end
        if head is None:
            return Value(_laid_out(below), start, end)
        mark = self.text[head.start : head.end]
        if last > first and BLOCK.match(mark):
            lines = _laid_out(below)
            return Value(lines if mark[0] == "|" else Bare(folded(lines)), start, end, is_literal=True)
        return Value(_text(self.text[start:end]), start, end)

    # What rows say

    def tops(self, first: int, last: int) -> Iterator[int]:
        """The rows that are held by none of some others."""
        while first < last:
            yield first
            first = self.stops[first]

    def may_be_items(self, node: Node, first: int) -> bool:
        """Whether bullets may be items, rather than members with a bullet each."""
        is_list = any(part.kind == "list" for part in node.parts)
        return node.kind == "any" or (node.kind == "union" and (is_list or not self.is_name(node, first + 1)))

    def is_name(self, node: Node, index: int) -> bool:
        """Whether a row begins with the name of a member, or any key of a map."""
        if index >= len(self.rows):
            return False
        row = self.rows[index]
        if node.kind in ("map", "any"):
            return key_of(self.text, Piece(self.text[row.start : row.end], row.start, row.end)) is not None
        label = foreign_label(self.text[row.start : row.end])
        return label is not None and is_named(node, label["name"])

    def is_apart(self, item: Node, index: int) -> bool:
        """Whether prose stands behind a blank line below what a row holds."""
        stop = self.stops[index]
        gap = self.text[self.rows[stop - 1].end : self.rows[stop].start]
        return gap.count("\n") > 1 and not self.is_name(item, stop)

    def holds_bullets(self, member: _Member) -> bool:
        """Whether a name stands alone on its line, above bullets that are its value."""
        row = self.rows[member.row]
        return member.first == member.row and member.value >= row.end and _may_hold(member.node)


_FIRST_BULLET = re.compile(r"^[ \t]*+(?:[-*+\u2022]|[0-9]{1,3}[.)])[ \t]", re.MULTILINE)
_ANY = Node("any", nullable=True)


def _may_hold(node: Node) -> bool:
    """Whether a value may hold others."""
    return any(not part.is_text() or part.kind in ("any", "union") for part in (node, *node.parts))


def _leads(head: str) -> bool:
    """Whether what stands behind a name leads to the lines below: nothing does, a block's sign, or an open quote."""
    return not head or BLOCK.match(head) is not None or (head[0] in "\"'`[{" and quoted(head) is None)


def _laid_out(lines: str) -> Bare:
    """Lines without what all of them are indented by, and without a fence around them."""
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines.split("\n") if line.strip(BLANK)]
    common = len(common_start(indents))
    text = "\n".join(line[common:].rstrip("\r") for line in lines.split("\n")).strip("\n")
    return Bare(unfenced_value(Piece(text, 0, len(text))).text)


def _text(inner: str) -> Held:
    """A text that begins on the line of its name."""
    if is_folded(inner):
        value = in_yaml(inner)
        return value.held if value is not None else inner
    literal = quoted(inner)
    if literal is not None:
        return literal
    bare = unfenced_value(Piece(inner, 0, len(inner))).text
    return Bare("\n".join(map(str.strip, inner.split("\n"))) if bare == inner else bare)


def in_yaml(text: str) -> Value | None:
    """What a piece of YAML says by itself, if it is none too long."""
    if len(text) > MAX_YAML:
        return None
    try:
        documents = scan_yaml(text)
    except (NotYamlError, MissingExtraError):
        return None
    return documents[0] if len(documents) == 1 else None
