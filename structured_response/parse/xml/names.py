"""What the names of a definition stand for in a reply: its fields, its root, blocks of reasoning."""

from __future__ import annotations

from typing import NamedTuple

from ...definition import Plan, fold, per_plan
from .shape import Shape, root_shape
from .tokens import REASONING, known_names

__all__ = ["Names", "names_of"]


class Names(NamedTuple):
    """The shape of the root, all names of the definition, folded, those of the root, and of blocks of reasoning."""

    shape: Shape
    known: frozenset[str]
    root_keys: frozenset[str]
    reasoning_keys: frozenset[str]


@per_plan
def names_of(plan: Plan) -> Names:
    shape = root_shape(plan)
    root = frozenset({fold(plan.root_name), fold(plan.class_name)})
    reasoning = REASONING - root - {fold(name) for view in shape.views for name in view.fields}
    return Names(shape, known_names(plan), root, reasoning)
