"""What damage works on: an answer on its way to becoming a reply, and what that reply is expected to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.robustness.data import instance
from benchmarks.robustness.models import TYPES, Shape, known_names, root_shape, snake
from benchmarks.robustness.render import echoed, element
from structured_response.testing import damage as damage_of
from structured_response.testing.damage import STEP, Element, NoPlaceError

MISSING = "<absent>"
"""Among the accepted values: the item may be missing."""


@dataclass(kw_only=True)
class Draft(damage_of.Draft):
    """An answer being written. `problems` must be found, at `maybe` a problem may stand and need not.

    `accepted` has the other values, besides the data's, that a path may have.
    """

    name: str
    shape: Shape
    data: Any
    problems: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)
    accepted: dict[str, list[Any]] = field(default_factory=dict)

    def set(self, at: Element, value: Any) -> None:
        """Change the data that is expected at an element."""
        super().set(at, value)
        self.data = put(self.data, at.path, value)

    def echoed(self, shape: Shape) -> str:
        return echoed(shape)

    def item_names(self, at: Element) -> list[str]:
        """The usual ones, the list's singular, and the class of the items."""
        item = at.shape.item
        singular = [at.tag.removesuffix("s")] if at.tag.endswith("s") else []
        return [*super().item_names(at), *singular, *([snake(item.name), item.name] if item.kind == "object" else [])]

    def rival(self) -> str:
        """Another answer to the same question, clean and complete, with other data."""
        other = new_draft(self.rng, self.name)
        if other.data == self.data:
            raise NoPlaceError
        other.write()
        return other.reply


def new_draft(rng: Random, name: str) -> Draft:
    """Random data and its tree, with nothing wrong."""
    shape = root_shape(name)
    data = instance(rng, name)
    root = element(rng, shape, snake(name), "$", data)
    step = rng.choice((STEP, STEP, STEP, "  ", "\t", None))
    known = known_names(name)
    return Draft(rng=rng, root=root, tag=snake(name), step=step, known=known, name=name, shape=shape, data=data)


_STEP_OF_PATH = re.compile(r"\.([^.\[]+)|\[(\d+)\]")


def steps(path: str) -> list[str | int]:
    """`$.parts[0].points` -> parts, 0, points."""
    return [int(match[2]) if match[2] else match[1] for match in _STEP_OF_PATH.finditer(path)]


def put(data: Any, path: str, value: Any) -> Any:
    """The data with another value at a path; changed in place unless the path is the root's."""
    if path == "$":
        return value
    *parents, last = steps(path)
    at = data
    for step in parents:
        at = at[step]
    at[last] = value
    return data


Make = Callable[[Any], None]


@dataclass(frozen=True)
class Kind:
    """One kind of damage. Its stage: `tree` before the draft is written, `whole` in place of writing it, `reply` on
    what was written, `end` on the tree and alone.
    """

    name: str
    group: str
    stage: str
    make: Make
    models: tuple[str, ...]
    mixes: bool


KINDS: dict[str, Kind] = {}
OBJECTS = tuple(name for name in TYPES if name != "TaskList")


def damage(
    group: str, stage: str = "tree", models: Sequence[str] = tuple(TYPES), *, mixes: bool = True, name: str = ""
) -> Callable[[Make], Make]:
    """Registers a function as a kind of damage, by default under its own name."""

    def register(make: Make) -> Make:
        kind = Kind(name or make.__name__, group, stage, make, tuple(models), mixes)
        KINDS[kind.name] = kind
        return make

    return register
