"""Asks again for the wrong parts of an answer, by a plan that is reduced to their places, and merges what comes back.

Objects keep some of their fields. Lists and maps become objects, with a field per item (`item_3`) or key.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pydantic_core import ValidationError

from .data.model import validate_model
from .data.validators import node_at, problems_of
from .definition import MISSING, Field, Node, Path, Plan, show_path
from .findings import Problem, ProblemKind
from .options import ParseOptions
from .read import Answer, read
from .read.validate import KEPT, item_of, with_none

MAX_REASON = 120
"""Characters of a problem in a message that asks again. A third of them may show the invalid value."""

MAX_ASKED_AGAIN = 20
"""Fields of an object, or items of a list, that are asked for by name. With more, the whole is shorter."""

Places: TypeAlias = "dict[str | int, Places] | None"
"""The places to ask for again: the whole value (None), or those that these steps lead to."""


@dataclass
class Again:
    """A request for the wrong parts of an answer: the reduced plan, the places of its values, a line per problem.

    `spots` are the places that are asked for, and those around them, which are not.
    """

    plan: Plan
    places: Places
    lines: list[str]

    def __post_init__(self) -> None:
        spots = list(_spots(self.places))
        self.spots = {spot: is_asked for _reduced, spot, is_asked in spots}
        self._whole = {reduced: spot for reduced, spot, _is_asked in spots}

    def message(self, template: str) -> str:
        return "\n".join(["Not right yet:", *self.lines, "Write only this again:", template])

    def asks_for(self, path: str) -> bool:
        """Return whether a value is asked for again, as a whole or as part of another one."""
        return self.spots[_nearest(self.spots, path)]

    def path_of(self, reduced: str) -> str:
        """Return the path in the plan, for a path in the reduced plan."""
        head = _nearest(self._whole, reduced)
        return self._whole[head] + reduced[len(head) :]

    def shown(self, before: Any, again: Any) -> Any:
        """Return the data with what was asked for again as far as it came, and None for the rest."""
        return _shown(self.places, before, again)


def again(plan: Plan, data: Any, problems: Sequence[Problem], truncated: str | None) -> Again:
    """Return the request for what these problems are about, and for what may be lost where the answer breaks off."""
    broken_off = [problem for problem in problems if problem.kind is ProblemKind.TRUNCATED and problem.path == "$"]
    wrong = [problem for problem in problems if problem not in broken_off]
    known = dict(_places(plan.root, data))
    asked = [(known[_nearest(known, problem.path)], problem) for problem in wrong]
    paths = [path for path, _problem in asked]
    if truncated is not None:
        paths += _cut_off(plan.root, data, known[_nearest(known, truncated)])
    places = _tree(paths)
    lines = []
    for problem in (*broken_off, *_one_each(asked)):
        found = "" if problem.found is None else f": {_short(problem.found, MAX_REASON // 3)!r}"
        lines.append(f"- {problem.path}: {_short(problem.message, MAX_REASON)}{found}")
    if len(lines) > MAX_ASKED_AGAIN:
        lines[MAX_ASKED_AGAIN:] = [f"- and {len(lines) - MAX_ASKED_AGAIN} more"]
    return Again(plan if places is None else plan.with_root(_reduced(plan.root, places)), places, lines)


# Which places


def _places(node: Node | None, data: Any, path: Path = ()) -> Iterator[tuple[str, Path]]:
    """Yield the places that can be asked for by themselves, none inside a union or a set, after their shown paths."""
    yield show_path(path), path
    for step in _steps(node, data):
        yield from _places(node and node_at(node, (step,)), _held(data, step), (*path, step))


def _steps(node: Node | None, data: Any) -> Iterable[str | int]:
    if node is None:
        return ()
    if isinstance(data, dict) and node.kind in ("dict", "map"):
        return node.fields if node.kind == "dict" else data
    if not isinstance(data, list):
        return ()
    is_open = (node.kind == "list" and not node.unique) or (node.kind == "tuple" and len(data) == len(node.parts))
    return range(len(data)) if is_open else ()


def _nearest(known: Container[str], shown: str) -> str:
    """Return a path of a finding as far as it is known. `$` always is."""
    while shown not in known:
        shown = shown[: max(shown.rfind("."), shown.rfind("["))]
    return shown


def _held(data: Any, step: Any) -> Any:
    try:
        return data[step]
    except (KeyError, IndexError, TypeError):
        return MISSING


def _cut_off(node: Node | None, data: Any, path: Path) -> Iterator[Path]:
    """Yield what may be lost where an answer breaks off: missing fields, and the first list or map on the path."""
    if node is None or node.kind != "dict":
        yield ()
        return
    yield from ((name,) for name in node.fields if not isinstance(data, dict) or name not in data)
    if path:
        inside = _cut_off(node_at(node, path[:1]), _held(data, path[0]), path[1:])
        yield from ((path[0], *rest) for rest in inside)


def _tree(paths: Iterable[Path]) -> Places:
    """Return the paths as a tree. A value with too many places to name, or none, is asked for as a whole."""
    below: dict[str | int, list[Path]] = {}
    for path in paths:
        if not path:
            return None
        below.setdefault(path[0], []).append(path[1:])
    return {step: _tree(rest) for step, rest in below.items()} if 0 < len(below) <= MAX_ASKED_AGAIN else None


def _one_each(asked: Iterable[tuple[Path, Problem]]) -> Iterator[Problem]:
    """Yield the first problem of each place, without those inside a place with a problem, since they follow from it."""
    first: dict[Path, Problem] = {}
    for path, problem in asked:
        first.setdefault(path, problem)
    for path, problem in first.items():
        if not any(path[:length] in first for length in range(len(path))):
            yield problem


def _short(text: str, most: int) -> str:
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


# The reduced plan


def _reduced(node: Node, places: Places) -> Node:
    if places is None:
        return node
    fields: dict[str, Field] = {}
    for step, inner in places.items():
        held = node_at(node, (step,))
        assert held is not None
        field = node.fields.get(_name(step)) or Field(_name(step), held)
        fields[field.name] = replace(field, node=_reduced(held, inner), required=field.required or inner is not None)
    ordered = {name: fields[name] for name in (*node.fields, *fields) if name in fields}
    return Node("dict", node.description, fields=ordered, name=node.name, nullable=False)


def _name(step: str | int) -> str:
    return f"item_{step}" if isinstance(step, int) else step


# What came back


def amended(plan: Plan, asked: Again, before: Answer, reply: str, options: ParseOptions) -> Answer:
    """Return the answer `before` with a reply to `asked` merged into it, or the reply's, if it is right and whole."""
    answer = read(asked.plan, reply, options)
    if asked.places is None:
        return answer
    if answer.problems:
        whole = read(plan, reply, options)
        if whole.found and not whole.problems and _covers(asked.places, before.data, whole.data):
            return whole
    return _merged(plan, asked, before, answer, options) if answer.found else answer


def _covers(places: Places, before: Any, whole: Any) -> bool:
    """Return whether all data from before is there again, except what was asked for, and not replaced by defaults."""
    if places is None or not isinstance(before, (dict, list)):
        return True
    if type(whole) is not type(before) or len(whole) < len(before):
        return False
    steps: Iterable[Any] = before if isinstance(before, dict) else range(len(before))
    return all(
        (isinstance(step, int) or step in whole) and _covers(places.get(step, {}), before[step], whole[step])
        for step in steps
    )


def _merged(plan: Plan, asked: Again, before: Answer, answer: Answer, options: ParseOptions) -> Answer:
    repairs = [each for each in before.repairs if not asked.asks_for(each.path)]
    repairs += [replace(each, path=asked.path_of(each.path)) for each in answer.repairs]
    problems: list[Problem] = []
    for problem in answer.problems:
        path = asked.path_of(problem.path)
        if asked.asks_for(path):
            problems.append(replace(problem, path=path))
        else:  # nothing came of a value whose parts were asked for: what was wrong with those still is
            inside = (f"{path}.", f"{path}[")
            problems += [replace(old, span=None) for old in before.problems if f"{old.path}.".startswith(inside)]
    truncated = None if answer.truncated is None else asked.path_of(answer.truncated)
    merged = Answer(_put(asked.places, before.data, answer.data), True, None, repairs, problems, truncated=truncated)
    try:
        model = validate_model(plan)(merged.data, options.context)
    except ValidationError as error:
        _note(plan, merged, error)
    else:
        merged.model = None if problems else model
    if options.on_bad_item == "keep":
        known = dict(_places(plan.root, merged.data))
        left = (known[_nearest(known, problem.path)] for problem in merged.problems)
        merged.is_tolerated = all(item_of(plan, path) is not None for path in left)
    return merged


def _spots(places: Places, reduced: str = "$", whole: str = "$") -> Iterator[tuple[str, str, bool]]:
    """Yield each place on the way: its path in the reduced plan, its path in the plan, and whether it is asked for."""
    yield reduced, whole, places is None
    for step, inner in (places or {}).items():
        yield from _spots(inner, f"{reduced}.{_name(step)}", whole + show_path((step,))[1:])


def _shown(places: Places, before: Any, again: Any) -> Any:
    if places is None:
        return again
    merged: Any = list(before) if isinstance(before, list) else dict(before)
    for step, inner in places.items():
        merged[step] = _shown(inner, _held(before, step), again.get(_name(step)) if isinstance(again, dict) else None)
    return merged


def _put(places: Places, before: Any, again: Any) -> Any:
    """Return the data with what was asked for again. Optional fields that the reply leaves out are left out."""
    if places is None:
        return again
    if not isinstance(again, dict):  # nothing was read there, and a problem says so
        return before
    merged: Any = list(before) if isinstance(before, list) else dict(before)
    for step, inner in places.items():
        name = _name(step)
        if name in again:
            merged[step] = _put(inner, _held(before, step), again[name])
        elif inner is None and isinstance(merged, dict):
            merged.pop(step, None)
    return merged


def _note(plan: Plan, answer: Answer, error: ValidationError) -> None:
    """Add the errors of a validation that do not follow from an answer's problems, and set invalid scalars to None."""
    known = dict(_places(plan.root, answer.data))
    bad = {known[_nearest(known, problem.path)] for problem in answer.problems}
    around = {path[:length] for path in bad for length in range(len(path) + 1)}
    more: list[Problem] = []
    answer.data = deepcopy(answer.data)  # the answer before shares it
    for path, problem in problems_of(plan, error):
        if path in around or any(path[:length] in bad for length in range(len(path))):
            continue
        more.append(problem)
        node = node_at(plan.root, path)
        if problem.kind is ProblemKind.INVALID and node is not None and node.kind not in KEPT:
            answer.data = with_none(answer.data, path)
    answer.problems = [*answer.problems, *more]
