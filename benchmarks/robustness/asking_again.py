"""Asking again for what is wrong alone: damaged replies with one value made unreadable, and a model that mends it.

    python -m benchmarks.robustness.asking_again [--failures N]

The model is a script. It sees the messages and nothing else: the question it knows by the first of them, and what it
is to write by the form in the last one, whose names it looks up in its answer.
"""

from __future__ import annotations

import argparse
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle, islice, pairwise
from random import Random
from typing import Any

from benchmarks.robustness.corpus import SEED, Case, make
from benchmarks.robustness.damage import KINDS, Draft, Kind
from benchmarks.robustness.models import TYPES, Shape, root_shape
from benchmarks.robustness.render import element
from benchmarks.robustness.systems import plain_data, response_of
from benchmarks.robustness.verdict import Reading, judge
from structured_response import AskError, StructuredResponse, ask
from structured_response.testing.damage import ENDING, NoPlaceError

COUNT = 300
NO_VALUES = ("~%~", "(see above)", "as discussed", "@@@@")
ATTEMPTS = 200
_QUESTION = re.compile(r"Question (\d+)\.")
_FORM = re.compile(r"^<(\w+)[^>]*>.*^</\1>\s*\Z", re.MULTILINE | re.DOTALL)


def unreadable(draft: Draft) -> None:
    """A value that is none, whatever is asked for there."""
    at = draft.pick(draft.places(*ENDING))
    at.raw = draft.choose(NO_VALUES)
    draft.problems.add(at.path)


UNREADABLE = Kind("unreadable", "values", "tree", unreadable, tuple(TYPES), mixes=True)


@cache
def cases(count: int = COUNT, seed: int = SEED) -> tuple[Case, ...]:
    """Replies with one value that cannot be read, and one kind of damage beside it, each kind in its turn.

    Not those that break off: they are to go on, not to be mended.
    """
    kinds = cycle(kind for kind in KINDS.values() if kind.mixes and kind.stage != "end")
    made = (_made(seed, number, kind) for number, kind in enumerate(kinds))
    return tuple(islice((case for case in made if case is not None), count))


def _made(seed: int, number: int, kind: Kind) -> Case | None:
    """A case, or None for a damage that stands beside no such value."""
    for attempt in range(ATTEMPTS):
        try:
            case = make(Random(f"{seed}/asking/{number}/{attempt}"), (UNREADABLE, kind))
        except NoPlaceError:
            continue
        is_there = any(text in case.reply for text in NO_VALUES)
        if is_there and len(case.problems) == 1 and not case.maybe and not case.accepted:
            return case
    return None


class Script:
    """A language model that answers a question badly first, and then what it is asked for."""

    def __init__(self, known: Mapping[int, Case]) -> None:
        self.known = known
        self.seen: list[list[Mapping[str, Any]]] = []

    def __call__(self, messages: Sequence[Mapping[str, Any]]) -> str:
        self.seen.append(list(messages))
        question = _QUESTION.search(messages[0]["content"])
        assert question is not None
        case = self.known[int(question[1])]
        if len(messages) == 1:
            return case.reply
        form = _FORM.search(messages[-1]["content"])
        assert form is not None, "the last message asks for nothing"
        return _filled(ET.fromstring(form[0]), root_shape(case.model), case.expected)


def _filled(form: ET.Element, shape: Shape, data: Any) -> str:
    """The form with the data that its names lead to, as XML."""
    name = form.get("key") if form.tag == "entry" else form.tag
    tags = (f"<entry key='{name}'>", "</entry>") if form.tag == "entry" else (f"<{name}>", f"</{name}>")
    if not _is_parts(form, shape):
        return element(Random(0), shape, form.tag, "$", data).write() if data is not None else "".join(tags)
    inner = "".join(_filled(child, *_part(child, shape, data)) for child in form)
    return inner.join(tags)


def _is_parts(form: ET.Element, shape: Shape) -> bool:
    """Whether a form asks for parts of the value, each by its name."""
    first = form[0].tag if len(form) else "li"
    return shape.kind in ("object", "map", "list") and first != "li" and form[0].get("key", "")[:1] != "["


def _part(form: ET.Element, shape: Shape, data: Any) -> tuple[Shape, Any]:
    name = form.get("key") or form.tag
    if shape.kind == "object":
        return shape.fields[name].shape, data[name]
    assert shape.item is not None
    return shape.item, data[int(name.removeprefix("item_")) if shape.kind == "list" else name]


@dataclass(frozen=True)
class Outcome:
    """What came of a case. `share` is the length of the message that asked again over that of the template."""

    case: Case
    data: Any
    attempts: int
    share: float
    earlier_stay: bool

    @property
    def is_full(self) -> bool:
        """Whether all of the data is there, in two attempts."""
        found = judge(replace(self.case, problems=()), Reading(self.data))
        return found.exact and self.attempts == 2 and self.earlier_stay


def outcomes(asked: Sequence[Case]) -> Iterator[Outcome]:
    script = Script(dict(enumerate(asked)))
    for number, case in enumerate(asked):
        yield _outcome(script, number, case)


def _outcome(script: Script, number: int, case: Case) -> Outcome:
    response: StructuredResponse[Any] = response_of(case.model)
    script.seen.clear()
    try:
        got = ask(script, f"Question {number}.", response, attempts=2)
        data, attempts = plain_data(got.response), len(got.attempts)
    except AskError as error:
        data, attempts = None if error.response is None else plain_data(error.response), 99
    seen = script.seen
    again = len(seen[-1][-1]["content"]) if len(seen) > 1 else 0
    stay = all(later[: len(earlier)] == earlier for earlier, later in pairwise(seen))
    return Outcome(case, data, attempts, again / len(response.to_prompt()), stay)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--failures", type=int, default=3, help="how many cases that failed are shown")
    options = parser.parse_args()
    found = list(outcomes(cases()))
    failed = [outcome for outcome in found if not outcome.is_full]
    shares = sorted(outcome.share for outcome in found)
    print(f"{len(found) - len(failed)} of {len(found)} full in 2 attempts")
    print(f"message over template: median {shares[len(shares) // 2]:.2f}, longest {shares[-1]:.2f}")
    for outcome in failed[: options.failures]:
        print(f"\n== {' + '.join(outcome.case.kinds)}, {outcome.attempts} attempts\n{outcome.case.reply}")
        print(f"-- expected\n{outcome.case.expected}\n-- got\n{outcome.data}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
