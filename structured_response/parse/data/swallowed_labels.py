"""Labels of members that are missing, in the values of other ones: a value never goes on over a line that names a
member which has no line of its own.

Such a line is indented too deep, has a dash where the others have a colon, or no sign at all: then what stands behind
the name must be a value of its type. It begins no member within a fence, a block, an open quote or below a name that
stands alone on its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...definition import Node
from ...markup import BLANK
from ..lines.lines import Label, fenced, lines_of
from ..lines.paths import node_at
from ..lines.unsigned import unsigned_name
from ..written import Fault
from .outline import BLOCK

__all__ = ["beside_scalars", "with_swallowed"]

_BULLET = re.compile(r"[ \t]*+(?:[-*+\u2022]|[0-9]{1,3}[.)])[ \t]")
_DECORATION = "*_`"
_OPENERS = ('"', "'", "[", "{", "```", "~~~")


def with_swallowed(root: Node, text: str, outer: list[Label], found: list[Label]) -> list[Label]:
    """The labels of the outermost level, of all that were found, and those of missing members which their values would
    swallow.
    """
    if root.kind != "dict" or not any("\n" in text[label.value : label.end].rstrip(BLANK) for label in outer):
        return outer
    taken = {field.name for label in outer if (field := root.field_of(label.name)) is not None}
    if len(taken) == len(root.fields):
        return outer
    deeper = {label.start: label for label in found if not label.is_bulleted}
    in_fences = fenced(text)
    made: list[Label] = []
    for label in outer:
        made.append(label)
        for lost in _in_value(root, text, label, deeper, in_fences):
            field = root.field_of(lost.name)
            if field is not None and field.name not in taken:
                taken.add(field.name)
                made[-1], end = made[-1]._replace(end=text.rfind("\n", 0, lost.start) + 1), made[-1].end
                made.append(lost._replace(end=end, indentation=label.indentation))
    return made


def _in_value(root: Node, text: str, label: Label, deeper: dict[int, Label], in_fences: set[int]) -> Iterator[Label]:
    """The lines of a value that begin with a name."""
    head, *more = lines_of(text[label.value : label.end])
    if not _ends_on_line(root, label, head[1]):
        return
    for begin, line in more:
        start = label.value + begin + len(line) - len(line.lstrip(" \t" + _DECORATION))
        if not line or label.value + begin in in_fences or _BULLET.match(line):
            continue
        if start in deeper:
            yield deeper[start]
        elif len(line) - len(line.lstrip(" \t")) == label.indentation:
            lost = unsigned_name(root, line.lstrip(" \t" + _DECORATION))
            if lost is not None:
                name, (behind, value) = lost
                yield label._replace(name=name, start=start, value=start + value, behind=start + behind)


def _ends_on_line(root: Node, label: Label, head: str) -> bool:
    """Whether a value is a text that has begun on the line of its name, and may end there."""
    head = head.strip(BLANK)
    return (
        bool(head) and node_at(root, label.name).is_text() and not head.startswith(_OPENERS) and not BLOCK.match(head)
    )


def beside_scalars(root: Node, text: str, outer: list[Label]) -> list[Fault]:
    """Bullets below a value that is no text and stands on the line of its name, while a list is missing."""
    given = {field.name for label in outer if (field := root.field_of(label.name)) is not None}
    lists = [name for name, field in root.fields.items() if field.node.kind == "list" and name not in given]
    found: list[Fault] = []
    for label in outer if lists else ():
        node = node_at(root, label.name)
        head, _break, below = text[label.value : label.end].partition("\n")
        if head.strip(BLANK) and node.is_text() and node.kind != "str" and _BULLET.match(below):
            span = (label.value + len(head) + 1, label.end)
            found.append(Fault(span, f"bullets below {label.name}, which could be {' or '.join(lists)}"))
    return found
