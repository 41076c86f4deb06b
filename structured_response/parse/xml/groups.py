"""Lists of lists: whether the tags tell which items belong together.

They do as long as every group has its own, even if the last of them lost its closing one, and where that of a whole
group stands twice. Where another closing tag too many stands among the groups, where items stand beside groups, or
where a group and its items all lost their closing tags, each way to put the items together is as good as another.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from ...definition import ITEM_NAMES, fold
from ...findings import RepairKind
from ...markup import BLANK
from .elements import ITEM, Element, Note
from .runs import Run

__all__ = ["are_doubtful"]

_TAG = re.compile(r"</?[^\W\d][^<>]*+>")
_LOST_ENDS = (RepairKind.CLOSER_MISSING, RepairKind.CLOSER_RESPELLED)


def are_doubtful(element: Element, groups: list[Element], reply: str) -> bool:
    """Whether nobody knows which items of a list of lists belong together."""
    if len(groups) < 2 and not groups[0].notes:
        return False
    whole = [group for group in groups if _holds_tagged(group)]
    empty = [group for group in groups if _is_empty(group, reply)]
    is_mixed = bool(whole or empty) and len(whole) + len(empty) < len(groups)
    closers = [note for note in element.notes if _is_closer_of_item(note, reply)]
    if is_mixed or not all(_is_doubled(note, whole, reply) for note in closers):
        return True
    return any(_is_open(group, reply) for group in groups)


def _holds_tagged(group: Element) -> bool:
    """Whether a group holds items with tags of their own."""
    if isinstance(group, Run):
        return True
    return any(isinstance(child, Run) or (child.role is ITEM and bool(child.head.tag)) for child in group.children)


def _is_empty(group: Element, reply: str) -> bool:
    """Whether nothing stands in a group but tags that were dropped."""
    if isinstance(group, Run) or group.children:
        return False
    return not _TAG.sub("", reply[group.inner_start : group.inner_end]).strip(BLANK)


def _is_closer_of_item(note: Note, reply: str) -> bool:
    """Whether a tag that was dropped is the closing one of an item."""
    tag = reply[note.start : note.end]
    return note.kind is RepairKind.TAG_DROPPED and tag.startswith("</") and fold(tag.strip("</> ")) in ITEM_NAMES


def _is_doubled(note: Note, whole: list[Element], reply: str) -> bool:
    """Whether a closing tag stands right behind a group that has one."""
    at = bisect_right(whole, note.start, key=lambda group: group.end)
    return at > 0 and not reply[whole[at - 1].end : note.start].strip(BLANK)


def _is_open(group: Element, reply: str) -> bool:
    """Whether a group lost its closing tag, and so did an item in it, or it holds none."""
    if isinstance(group, Run) or all(note.kind is not RepairKind.CLOSER_MISSING for note in group.notes):
        return False
    lost = (note.kind in _LOST_ENDS for child in group.children for note in child.notes)
    dropped = (reply[note.start : note.end] for note in group.notes if note.kind is RepairKind.TAG_DROPPED)
    has_other_end = any(tag.startswith("</") for tag in dropped)
    return not (group.children or group.cut or has_other_end) or any(lost)
