"""What is read where it stands, or skipped, and may belong elsewhere: to the object around it, to the one in front of
it, to one of several fields. Nobody knows, so it is a problem.
"""

from __future__ import annotations

from abc import ABC

from ...definition import Node, Path, fold, show_path
from ...findings import ProblemKind
from .elements import FIELD, Element
from .repeats import RepeatReader
from .runs import Run

__all__ = ["ElsewhereReader"]


class ElsewhereReader(RepeatReader, ABC):
    """Tells what of an object or a list may belong elsewhere."""

    def lost(self, node: Node, element: Element, tree: dict[str, object], path: Path) -> None:
        """What may belong to another object, or be another field, than is read is a problem."""
        before: str | None = None
        for child in element.children:
            for name in child.shared:
                if name not in tree:
                    self.of_either((*path, name), (*path, child.name, name))
            if isinstance(child, Run):
                before = next(reversed(child.values), before) if isinstance(child.values, dict) else before
            elif child.role is FIELD:
                before = child.name
            elif child.role is None:
                self.lost_element(node, child, before, tree, path)

    def lost_element(self, node: Node, child: Element, before: str | None, tree: dict[str, object], path: Path) -> None:
        """An unknown element that could be one of several fields of the object's own class, or that names a field which
        what stands before it lacks, and may have been closed too early.
        """
        span, head = (child.start, child.end), child.head
        absent = [field.name for field in node.of_own_class() if not tree.get(field.name)]
        if absent and fold(node.name or "") == head.key:
            message = "an object of the same class stands in it, under no field's name"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, span, None, tuple(absent))
        place, held = ((*path, before), tree.get(before)) if before is not None else (path, None)
        inner = node.fields[before].node if before is not None and before in node.fields else node
        if inner.kind == "list" and inner.item is not None and isinstance(held, list) and held:
            place, held, inner = (*place, len(held) - 1), held[-1], inner.item
        field = inner.field_of(head.name) if inner is not node and isinstance(held, dict) else None
        if field is not None and isinstance(held, dict) and field.name not in held:
            message = "an element of this name stands behind what it may belong to, which was closed too early"
            self.reading.problem(ProblemKind.INVALID, (*place, field.name), message, span)

    def of_either(self, outer: Path, inner: Path) -> None:
        """A field of an object without a closing tag that may be that of the object around it."""
        message = f"it may be {show_path(outer)} or {show_path(inner)}: a closing tag is missing"
        for path in (inner, outer):
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.reading.place(inner))

    def continued(self, item: Node, child: Element, tree: list[object], path: Path) -> None:
        """An item without tags that lacks what is required, and has only what the item before it lacks, may be the rest
        of that one, and so may all that follow: a problem of the list.
        """
        last, made = tree[-2:] if len(tree) > 1 else (None, None)
        if child.head.tag or not (isinstance(last, dict) and isinstance(made, dict)) or not made:
            return
        is_short = any(field.required and name not in made for name, field in item.fields.items())
        if is_short and made.keys().isdisjoint(last):
            message = "fields stand between the items that may belong to the one before them"
            self.reading.problem(ProblemKind.INVALID, path, message, (child.start, child.reach()))
