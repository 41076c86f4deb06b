"""What damage works on: an answer on its way to becoming a reply, and what that reply is expected to say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from benchmarks.robustness.data import instance
from benchmarks.robustness.models import TYPES, Shape, root_shape, snake
from benchmarks.robustness.render import STEP, Element, Writer, element

MISSING = "<absent>"
"""Among the accepted values: the item may be missing."""

NUMBERS = ("int", "float")
SCALARS = ("int", "float", "bool", "date", "enum")

T = TypeVar("T")


class NoPlaceError(Exception):
    """The damage does not fit this draft."""


@dataclass
class Draft:
    """An answer being written. `problems` must be found, at `maybe` a problem may stand and need not.

    `accepted` has the other values, besides the data's, that a path may have. `reply` is empty until it is written.
    """

    rng: Random
    name: str
    shape: Shape
    data: Any
    root: Element
    step: str | None = STEP
    problems: set[str] = field(default_factory=set)
    maybe: set[str] = field(default_factory=set)
    accepted: dict[str, list[Any]] = field(default_factory=dict)
    taken: set[Element] = field(default_factory=set)
    reply: str = ""

    @property
    def tag(self) -> str:
        """The root's own name, whatever damage made of it."""
        return snake(self.name)

    def places(self, *kinds: str, roles: Iterable[str] = ("field", "item", "entry")) -> list[Element]:
        """Elements of these kinds that no damage has touched yet."""
        return [
            each
            for each in self.root.walk()
            if each.shape.kind in kinds and each.role in roles and each not in self.taken and each.value is not None
        ]

    def pick(self, candidates: Sequence[Element]) -> Element:
        """One of the candidates; from now on it, and what stands around and in it, is left alone."""
        if not candidates:
            raise NoPlaceError
        found = self.rng.choice(candidates)
        self.take(found)
        return found

    def some(self, candidates: Sequence[Element], most: int = 3) -> list[Element]:
        if not candidates:
            raise NoPlaceError
        found = self.rng.sample(list(candidates), self.rng.randint(1, min(most, len(candidates))))
        for each in found:
            self.take(each)
        return found

    def take(self, found: Element) -> None:
        near = [found, found.parent, found.sibling(1), found.sibling(-1), *found.walk()]
        self.taken.update(each for each in near if each is not None)

    def choose(self, options: Sequence[T]) -> T:
        if not options:
            raise NoPlaceError
        return self.rng.choice(options)

    def set(self, at: Element, value: Any) -> None:
        """Change the data that is expected at an element."""
        at.value = value
        self.data = put(self.data, at.path, value)

    def write(self) -> None:
        self.reply = Writer(self.step).write(self.root)

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
    return Draft(rng, name, shape, data, root, rng.choice((STEP, STEP, STEP, "  ", "\t", None)))


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


Make = Callable[[Draft], None]


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
    group: str, stage: str = "tree", models: Sequence[str] = tuple(TYPES), *, mixes: bool = True
) -> Callable[[Make], Make]:
    """Registers a function as a kind of damage, under its own name."""

    def register(make: Make) -> Make:
        KINDS[make.__name__] = Kind(make.__name__, group, stage, make, tuple(models), mixes)
        return make

    return register
