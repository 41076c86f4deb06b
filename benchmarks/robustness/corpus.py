"""The corpus: from one seed, so many replies of each kind of damage, mixes of several kinds, and the hand-made ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, NamedTuple

from benchmarks.robustness.damage import KINDS, Draft, Kind
from benchmarks.robustness.damage.draft import new_draft
from benchmarks.robustness.hand_made import ROWS
from benchmarks.robustness.models import TYPES, fill, root_shape, snake
from benchmarks.robustness.render import element
from structured_response.testing.damage import NoPlaceError

SEED = 20240302
ATTEMPTS = 400


class Size(NamedTuple):
    """How many replies of each kind alone, and how many mixes."""

    per_kind: int
    mixes: int


FULL = Size(50, 1000)
QUICK = Size(5, 100)


@dataclass(frozen=True)
class Case:
    """A damaged reply and what it says.

    `expected` is the data with its defaults filled in, as an instance holds it. At each of `problems` a problem must
    stand, and what is there does not count; at `maybe` one may. `accepted` has other values that a path may have.
    """

    kinds: tuple[str, ...]
    model: str
    reply: str
    expected: Any
    problems: tuple[str, ...] = ()
    maybe: tuple[str, ...] = ()
    accepted: dict[str, list[Any]] = field(default_factory=dict)
    undamaged: str = ""  # XML of the same data, or of what it was before: what a plain parser is timed on

    @property
    def label(self) -> str:
        """The row of the table that it counts for."""
        return self.kinds[0] if len(self.kinds) == 1 else f"mix of {len(self.kinds)}"


@cache
def corpus(seed: int = SEED, size: Size = FULL) -> tuple[Case, ...]:
    """All cases, the same for the same numbers. Costs some seconds the first time."""
    return (*_alone(seed, size.per_kind), *_mixed(seed, size.mixes), *hand_made())


def _alone(seed: int, per_kind: int) -> Iterator[Case]:
    for kind in KINDS.values():
        for number in range(per_kind):
            yield _made(seed, f"{kind.name}/{number}", (kind,))


def _mixed(seed: int, count: int) -> Iterator[Case]:
    """Two to four kinds at once. No two stand at one place: what a damage has touched the next leaves alone."""
    for number in range(count):
        rng = Random(f"{seed}/mix/{number}")
        yield _made(seed, f"mix/{number}", None, 2 + rng.randrange(3))


def _mix(rng: Random, count: int) -> tuple[Kind, ...]:
    """Kinds that can be combined: damage of the tree, and one of what stands around it."""
    trees = [kind for kind in KINDS.values() if kind.stage == "tree" and kind.mixes]
    replies = [kind for kind in KINDS.values() if kind.stage == "reply" and kind.mixes and kind.name != "clean"]
    last = rng.random() < 0.6
    return (*rng.sample(trees, count - last), *rng.sample(replies, int(last)))


def _made(seed: int, name: str, kinds: tuple[Kind, ...] | None, count: int = 1) -> Case:
    for attempt in range(ATTEMPTS):
        rng = Random(f"{seed}/{name}/{attempt}")
        try:
            return make(rng, kinds or _mix(rng, count))
        except NoPlaceError:
            continue
    raise AssertionError(f"no place for {name} in {ATTEMPTS} drafts")


def make(rng: Random, kinds: tuple[Kind, ...]) -> Case:
    """One case. Raises `NoPlaceError` where the random draft has no place for the damage."""
    models = [name for name in TYPES if all(name in kind.models for kind in kinds)]
    if not models:
        raise NoPlaceError
    draft = new_draft(rng, rng.choice(models))
    before = deepcopy(draft.data)
    for stage in ("tree", "whole", "end"):
        for kind in kinds:
            if kind.stage == stage:
                kind.make(draft)
    if not draft.reply:
        draft.write()
    for kind in kinds:
        if kind.stage == "reply":
            kind.make(draft)
    return _case(draft, tuple(kind.name for kind in kinds), before)


def _case(draft: Draft, kinds: tuple[str, ...], before: Any) -> Case:
    said = before if draft.problems or draft.accepted or draft.maybe else draft.data
    return Case(
        kinds,
        draft.name,
        draft.reply,
        deepcopy(fill(draft.shape, draft.data)),
        tuple(sorted(draft.problems)),
        tuple(sorted(draft.maybe)),
        draft.accepted,
        xml_of(draft.name, said),
    )


_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")


def xml_of(name: str, data: Any) -> str:
    """The data of a root as clean XML, without the characters that no XML can hold."""
    root = element(Random(0), root_shape(name), snake(name), "$", data)
    return _NOT_XML.sub(" ", root.write())


def hand_made() -> Iterator[Case]:
    """The cases written by hand."""
    for row in ROWS:
        yield Case(("hand_made",), row.model, row.reply, fill(root_shape(row.model), row.data), row.problems, row.maybe)
