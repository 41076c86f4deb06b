"""Asking again for what is wrong with an answer alone, and putting what comes back into what was right.

The places asked for again are a tree of steps, from the root down. The plan is reduced to them: an object to those of
its fields, a list to an object with one field for each item, called `item_3` for the one with the index 3, a map to an
object with one field for each key. Reading and writing such a plan is what it is for any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

from pydantic_core import ValidationError

from .data.model import validate_model
from .data.validators import node_at, problems_of
from .definition import MISSING, Field, Node, Path, Plan, show_path
from .findings import Problem, ProblemKind
from .options import ParseOptions
from .read import Answer, read
from .read.validate import KEPT, item_of, with_none

__all__ = ["Again", "again", "amended"]

MAX_REASON = 120
"""Characters of what is wrong in a message that asks again; of what stood there a third of it."""

MAX_ASKED_AGAIN = 20
"""Fields of an object, or items of a list, that are asked for again by name. Past it the whole is shorter."""

Places: TypeAlias = "dict[str | int, Places] | None"
"""What is asked for again: of a value all of it (None), or what these steps lead to."""

_HEAD = "Not right yet:"
_FOOT = "Write only this again:"


class Again(NamedTuple):
    """What is asked for again: the reduced plan, where its values belong, and a line on each of what is wrong."""

    plan: Plan
    places: Places
    lines: list[str]

    def message(self, template: str) -> str:
        """What to send to the language model; `template` is the prompt of the reduced plan."""
        return "\n".join([_HEAD, *self.lines, _FOOT, template])


def again(plan: Plan, data: Any, problems: Sequence[Problem], truncated: str | None) -> Again:
    """What is to be asked for again of an answer with these problems; see the module's first lines.

    Where the answer breaks off, whatever could have stood behind that is asked for too.
    """
    broken_off = [problem for problem in problems if problem.kind is ProblemKind.TRUNCATED and problem.path == "$"]
    wrong = [problem for problem in problems if problem not in broken_off]
    asked = [(_resolved(plan.root, data, problem.path), problem) for problem in wrong]
    paths = [path for path, _problem in asked]
    if truncated is not None:
        paths += _cut_off(plan.root, data, _resolved(plan.root, data, truncated))
    places = _few(_tree(paths))
    lines = [f"- {problem.path}: {_reason(problem)}" for problem in (*broken_off, *_one_each(asked))]
    if len(lines) > MAX_ASKED_AGAIN:
        lines[MAX_ASKED_AGAIN:] = [f"- and {len(lines) - MAX_ASKED_AGAIN} more"]
    return Again(plan if places is None else plan.with_root(_reduced(plan.root, places)), places, lines)


# Which places


def _resolved(root: Node, data: Any, shown: str) -> Path:
    """The place that a finding's path names, as far as it can be asked for by itself: into no union, and only where
    the data has what it leads through. Names may hold dots and brackets, so the path is followed, not split.
    """
    node: Node | None = root
    path: Path = ()
    rest = shown.removeprefix("$")
    while rest and node is not None:
        step = next((step for step in _steps(rest) if _leads_on(node, data, step)), None)
        if step is None:
            break
        path, rest = (*path, step), rest[len(show_path((step,))) - 1 :]
        data, node = _held(data, step), node_at(node, (step,))
    return path


def _steps(rest: str) -> Iterator[str | int]:
    """The steps that the rest of a path may begin with: an index, or names, the longest first."""
    index = _INDEX.match(rest)
    if index is not None:
        yield int(index[1])
    if rest.startswith("."):
        yield rest[1:]
        yield from (rest[1 : end.start()] for end in reversed(list(_NAME_END.finditer(rest, 1))))


_INDEX = re.compile(r"\[(\d{1,9})\]")
_NAME_END = re.compile(r"[.\[]")


def _leads_on(node: Node, data: Any, step: str | int) -> bool:
    """Whether a part of this value can be asked for by itself."""
    if isinstance(step, str):
        known = node.fields if node.kind == "dict" else data if node.kind == "map" else ()
        return isinstance(data, dict) and step in known and step != ""
    if not isinstance(data, list) or step >= len(data):
        return False
    return (node.kind == "list" and not node.unique) or (node.kind == "tuple" and len(data) == len(node.parts))


def _held(data: Any, step: Any) -> Any:
    try:
        return data[step]
    except (KeyError, IndexError, TypeError):
        return MISSING


def _cut_off(root: Node, data: Any, path: Path) -> Iterator[Path]:
    """What may have been lost where an answer breaks off at `path`: fields that are not there yet, and the rest of the
    first list or map on the way, which is asked for as a whole.
    """
    node: Node | None = root
    for depth in range(len(path) + 1):
        if node is None or node.kind != "dict":
            yield path[:depth]
            return
        for name in node.fields:
            if not isinstance(data, dict) or name not in data:
                yield (*path[:depth], name)
        if depth < len(path):
            data, node = _held(data, path[depth]), node_at(node, path[depth : depth + 1])


def _tree(paths: Iterable[Path]) -> Places:
    """The paths as a tree. What lies inside of a place that is asked for as a whole is asked for with it."""
    tree: dict[str | int, Places] = {}
    for path in paths:
        if not path:
            return None
        _plant(tree, path)
    return tree or None


def _plant(tree: dict[str | int, Places], path: Path) -> None:
    for step in path[:-1]:
        inner = tree.setdefault(step, {})
        if inner is None:
            return
        tree = inner
    tree[path[-1]] = None


def _few(tree: Places) -> Places:
    """The tree, without going into values of which more would be asked for than is worth naming one by one."""
    if tree is None or len(tree) > MAX_ASKED_AGAIN:
        return None
    return {step: _few(inner) for step, inner in tree.items()}


def _one_each(asked: Iterable[tuple[Path, Problem]]) -> Iterator[Problem]:
    """The first problem of each place, without those inside of a place that has one itself: they follow from it."""
    first: dict[Path, Problem] = {}
    for path, problem in asked:
        first.setdefault(path, problem)
    for path, problem in first.items():
        if not any(path[:length] in first for length in range(len(path))):
            yield problem


def _reason(problem: Problem) -> str:
    """What is wrong in one line, with what stood there."""
    found = "" if problem.found is None else f": {_short(problem.found, MAX_REASON // 3)!r}"
    return _short(problem.message, MAX_REASON) + found


def _short(text: str, most: int) -> str:
    line = " ".join(text[: 4 * most].split())
    return line if len(line) <= most else f"{line[: most - 3]}..."


# The reduced plan


def _reduced(node: Node, places: Places) -> Node:
    """A node with what is asked for again alone. It takes no fields beside them: those were right before."""
    if places is None:
        return node
    fields = {_name(step): _reduced_field(node, step, inner) for step, inner in places.items()}
    order = {name: number for number, name in enumerate(node.fields)}
    ordered = sorted(fields.items(), key=lambda field: order.get(field[0], 0))
    return Node("dict", node.description, fields=dict(ordered), name=node.name, nullable=False)


def _reduced_field(node: Node, step: str | int, inner: Places) -> Field:
    name = _name(step)
    if node.kind == "dict":
        field = node.fields[name]
        return replace(field, node=_reduced(field.node, inner), required=field.required or inner is not None)
    held = node_at(node, (step,))
    assert held is not None
    return Field(name, _reduced(held, inner))


def _name(step: str | int) -> str:
    """What a step is called in the reduced plan."""
    return f"item_{step}" if isinstance(step, int) else step


# What came back


def amended(plan: Plan, asked: Again, before: Answer, reply: str, options: ParseOptions) -> Answer:
    """What the answer `before` says once a reply to `asked` was put into it; not `found` where that holds nothing.

    A reply that gives all of it once more, and is right, is taken as it is.
    """
    answer = read(asked.plan, reply, options.context, options)
    if asked.places is None:
        return answer
    if answer.problems:
        whole = read(plan, reply, options.context, options)
        if whole.found and not whole.problems and _covers(asked.places, before.data, whole.data):
            return whole
    return _merged(plan, asked.places, before, answer, options) if answer.found else answer


def _covers(places: Places, before: Any, whole: Any) -> bool:
    """Whether all that was there before is there again, but for what was asked for: else what looks like all of it may
    be a part, of which the rest has defaults.
    """
    if places is None or not isinstance(before, (dict, list)):
        return True
    if type(whole) is not type(before) or len(whole) < len(before):
        return False
    steps: Iterable[Any] = before if isinstance(before, dict) else range(len(before))
    return all(
        (isinstance(step, int) or step in whole) and _covers(places.get(step, {}), before[step], whole[step])
        for step in steps
    )


def _merged(plan: Plan, places: Places, before: Answer, answer: Answer, options: ParseOptions) -> Answer:
    """The answer `before` with the values of one that was asked for again, judged as a whole."""
    repairs = [each for each in before.repairs if not _is_asked(places, each.path)]
    repairs += [replace(each, path=_path(places, each.path)) for each in answer.repairs]
    problems = list(_problems(places, before, answer))
    truncated = None if answer.truncated is None else _path(places, answer.truncated)
    merged = Answer(_put(places, before.data, answer.data), True, None, repairs, problems, truncated=truncated)
    try:
        model = validate_model(plan)(merged.data, options.context)
    except ValidationError as error:
        _note(plan, merged, error)
    else:
        merged.model = None if problems else model
    if options.on_bad_item == "keep":
        places_left = [_resolved(plan.root, merged.data, problem.path) for problem in merged.problems]
        merged.is_tolerated = all(item_of(plan, path) is not None for path in places_left)
    return merged


def _put(places: Places, before: Any, again: Any) -> Any:
    """The data with what was asked for again. What the reply then left out, as it may, is left out."""
    if places is None:
        return again
    if not isinstance(again, dict):  # nothing was read in its place, which a problem tells
        return before
    merged: Any = list(before) if isinstance(before, list) else dict(before)
    for step, inner in places.items():
        name = _name(step)
        if name in again:
            merged[step] = _put(inner, _held(before, step), again[name])
        elif inner is None and isinstance(merged, dict):
            merged.pop(step, None)
    return merged


def _problems(places: Places, before: Answer, answer: Answer) -> Iterator[Problem]:
    """What is wrong after an answer to what was asked again. Where it has nothing of a value of which parts were asked
    for, what was wrong with those still is.
    """
    for problem in answer.problems:
        path = _path(places, problem.path)
        if _is_asked(places, path):
            yield replace(problem, path=path)
        else:
            yield from (replace(old, span=None) for old in before.problems if _is_within(old.path, path))


def _is_within(inner: str, outer: str) -> bool:
    return inner.startswith(outer) and inner[len(outer) : len(outer) + 1] in ("", ".", "[")


def _note(plan: Plan, answer: Answer, error: ValidationError) -> None:
    """Puts the errors of a validation among an answer's problems, unless they follow from those that it has, and None
    in place of the scalars that they name.
    """
    bad = {_resolved(plan.root, answer.data, problem.path) for problem in answer.problems}
    around = {path[:length] for path in bad for length in range(len(path) + 1)}
    more: list[Problem] = []
    answer.data = _copied(answer.data)
    for path, problem in problems_of(plan, error):
        if path in around or any(path[:length] in bad for length in range(len(path))):
            continue
        more.append(problem)
        node = node_at(plan.root, path)
        if problem.kind is ProblemKind.INVALID and node is not None and node.kind not in KEPT:
            answer.data = with_none(answer.data, path)
    answer.problems = [*answer.problems, *more]


def _copied(data: Any) -> Any:
    """A copy of all that can be changed: the answer before holds the same lists and dicts."""
    if isinstance(data, dict):
        return {name: _copied(held) for name, held in data.items()}
    return [_copied(held) for held in data] if isinstance(data, list) else data


def _path(places: Places, shown: str) -> str:
    """Where a finding in the reduced plan belongs: `$.parts.item_1.points` -> `$.parts[1].points`."""
    path: Path = ()
    rest = shown.removeprefix("$")
    while places and rest:
        steps = {_name(step): step for step in places}
        name = next((name for name in _steps(rest) if name in steps), None)
        if name is None:
            break
        path, rest, places = (*path, steps[str(name)]), rest[len(str(name)) + 1 :], places[steps[str(name)]]
    return show_path(path) + rest


def _is_asked(places: Places, shown: str) -> bool:
    """Whether a finding lies in what is asked for again."""
    rest = shown.removeprefix("$")
    while places and rest:
        known: dict[str | int, Places] = places
        step = next((step for step in _steps(rest) if step in known), None)
        if step is None:
            return False
        places, rest = known[step], rest[len(show_path((step,))) - 1 :]
    return places is None
