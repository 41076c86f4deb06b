"""YAML, and lines that begin with names: where they stand in a reply, in fenced blocks or without, and which blocks are
values of names that stand in front of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...definition import Node, fold
from ...findings import Span
from ...limits import MAX_YAML
from ...markup import BLANK
from ..lines.headings import sections
from ..lines.lines import Label, bullets, fenced, labels
from ..reading import LimitReachedError
from ..written import Change, Members
from .found import Found
from .of_lines import of_lines, of_yaml
from .outline import read_outline

__all__ = ["find_lines"]

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)


def find_lines(root: Node, reply: str) -> list[Found]:
    """Fenced blocks of YAML, else any block or the reply itself where it has lines that begin with names. A block that
    is the value of one of several names is a part of the reply; a fence that is never closed, and stands between lines
    that are all the answer's, is left out.
    """
    found: list[Found] = []
    blocks = list(_blocks(reply))
    stray = _stray(root, reply, blocks)
    text = reply if stray is None else f"{reply[: stray[0]]}{' ' * (stray[1] - stray[0])}{reply[stray[1] :]}"
    left = MAX_YAML
    for start, end, language in () if stray or _are_values(root, reply, blocks) else blocks:
        is_yaml = (language in ("yaml", "yml") or (not language and root.kind == "map")) and end - start <= left
        left -= end - start if is_yaml else 0
        one = of_yaml(root, reply, start, end) if is_yaml else None
        if one is None or one.problem is not None:
            one = _found_lines(root, reply, start, end) or _map_of_lines(root, reply, start, end) or one
        found += [one] if one is not None else []
    found = found or [one for one in [_found_lines(root, text, 0, len(text))] if one is not None]
    if stray is not None and len(found) == 1:
        found[0].changes = [*found[0].changes, Change(stray, reply[slice(*stray)], reply[slice(*stray)])]
    return found


def _map_of_lines(root: Node, reply: str, start: int, end: int) -> Found | None:
    """The map of what holds others that the lines of a block are."""
    if root.kind != "map" or root.item is None or root.item.is_text():
        return None
    made = read_outline(root, reply, start, end)
    members = made.held if made is not None and isinstance(made.held, Members) else Members()
    if made is None or not any(isinstance(member.held, list | Members) for _key, member in members.pairs):
        return None
    return Found("lines", (start, end), made, len(members.pairs), is_strict=True)


def _stray(root: Node, reply: str, blocks: list[tuple[int, int, str]]) -> Span | None:
    """The line of a fence that is never closed, where what stands on both of its sides is of the answer: bullets of a
    list, or other names in front of it than behind it.
    """
    if len(blocks) != 1 or blocks[0][1] < len(reply):
        return None
    start = blocks[0][0]
    first = reply.rfind("\n", 0, start - 1) + 1
    sides = reply[:first], reply[start:]
    if root.kind == "list" and root.item is not None and root.item.is_text():
        is_stray = all(bullets(side.strip(BLANK)) is not None for side in sides)
    else:
        front, behind = ({fold(label.name) for label in _names(root, side)} for side in sides)
        is_stray = bool(front) and bool(behind) and front.isdisjoint(behind)
    return (first, start - 1) if is_stray else None


def _are_values(root: Node, reply: str, blocks: list[tuple[int, int, str]]) -> bool:
    """Whether a block stands below a name, and the names of several members stand in no block."""
    if root.kind != "dict" or not blocks:
        return False
    starts, ends = [block[0] for block in blocks], [block[1] for block in blocks]
    fronts = [reply[start:end] for start, end in zip([0, *ends], [*starts, len(reply)], strict=True)]
    outside = _names(root, "\n".join(fronts))
    return len({fold(label.name) for label in outside}) > 1 and any(_ends_with_name(root, text) for text in fronts)


def _ends_with_name(root: Node, front: str) -> bool:
    """Whether a name stands alone on the line in front of a fence."""
    line = front[: max(front.rfind("```"), front.rfind("~~~"), 0)].rstrip(BLANK).rpartition("\n")[2]
    return any(not line[label.value :].strip(BLANK) for label in _names(root, line))


def _names(root: Node, text: str) -> list[Label]:
    """The names that lines of a text begin with, and its headings."""
    return [*labels(text, root.has_field), *sections(text, root.has_field)]


def _found_lines(root: Node, reply: str, start: int, end: int) -> Found | None:
    """Lines of names and values, of which one may hold JSON that is nested too deep."""
    try:
        return of_lines(root, reply, start, end)
    except LimitReachedError as limit:
        return Found("lines", (start, end), limit=limit.with_traceback(None))


def _blocks(reply: str) -> Iterator[tuple[int, int, str]]:
    """The insides of fenced blocks, with what the fences call their language. A fence may also open behind a name."""
    opened: re.Match[str] | None = None
    inside = fenced(reply)
    for fence in _FENCE.finditer(reply):
        if opened is None and reply.rfind("\n", 0, max(fence.start() - 1, 0)) + 1 not in inside:
            opened = fence
        elif opened is None:
            continue
        elif fence[1].startswith(opened[1]) and not fence[2]:
            yield opened.end() + 1, fence.start(), opened[2].lower()
            opened = None
    if opened is not None and opened.end() < len(reply):
        yield opened.end() + 1, len(reply), opened[2].lower()
