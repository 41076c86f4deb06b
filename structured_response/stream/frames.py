"""What is known of the open elements of an answer: the values of their closed children, as Boxes.

Values are shared by all parts of a stream. Lists and maps grow in place; whoever holds them knows how much was his.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import isnan
from operator import attrgetter
from typing import Any, NamedTuple

from ..data.box import shells
from ..definition import MISSING, Node, Path
from ..findings import Problem, Repair
from ..read.build import Element
from ..read.grammar import Grammar, Shape
from .growing import Growing


class Opened:
    """An open element at one moment: its shape and values, and its role and the steps to it in the one around it.

    One of any type shows only once it is closed. `first` is the index of the first item.
    """

    __slots__ = ("first", "made", "role", "shape", "size", "steps")

    def __init__(self, shape: Shape, made: Any, role: str, steps: Path, first: int = 0) -> None:
        self.shape = shape
        self.made = made
        self.size = size_of(made)
        self.role = role
        self.steps = steps
        self.first = first

    @property
    def is_unknown(self) -> bool:
        """Whether it shows nothing without a value inside."""
        return self.made is None and (bool(self.shape.sole.nullable) or self.shape.sole.kind not in _EMPTY)

    def held(self, steps: Path) -> Any:
        """Returns the closed value at some steps, or MISSING."""
        first = steps[0] if steps else None
        if isinstance(first, int):
            return MISSING if first < self.first else at(self.made, (first - self.first, *steps[1:]))
        return at(self.made, steps)

    def boxed(self, inner: Opened | None, value: Any) -> Any:
        """Returns the values in a Box, with the value of an open element inside, or MISSING if nothing is known."""
        shape, made = self.shape, self.made
        if shape.is_any:
            return MISSING
        if type(made) in _GROWING and len(made) != self.size:
            made = first_of(made, self.size)  # what the frame held then
        if inner is not None and value is not MISSING:
            kind = _KINDS.get(inner.role)
            if kind is not None and (made is None or type(made) is kind):
                held: Any = made or ()
                box = shape.shells[kind](held)
                if kind is list:
                    list.append(box, value)
                elif inner.steps[0] not in held:
                    dict.__setitem__(box, inner.steps[0], value)
                return box
            made = put(made, inner.role, inner.steps, value)
        elif made is None:
            if self.is_unknown:
                return MISSING
            made = _EMPTY[shape.sole.kind]
        shell = shape.shells.get(type(made))
        return made if shell is None else shell(made)


_GROWING = (dict, list)
_KINDS: dict[str, type] = {"field": dict, "entry": dict, "pair": dict, "item": list}
"""What a child with a role adds one value to."""
_EMPTY: dict[str, Any] = {"dict": {}, "map": {}, "list": []}
"""The values of elements of which nothing is known, but what they are."""
_LIST = shells(Node("any"))[list]


class Added(NamedTuple):
    """A child in a frame, with the number of values and the mark of the account before it."""

    child: Element
    size: int
    mark: tuple[int, int]


class Frame:
    """An open element with the values of its closed children.

    Attributes:
        steps: The steps from the element around it, None if it has no value.
        is_placed: Whether it and all elements around it have a value.
        made: The values, as a dict or a list; the value itself for an option of a union; None before the first.
        first: The index of the first item.
        fixed: The number of children that are final.
        opened: What it holds now, once a part has shown it.
    """

    __slots__ = ("added", "element", "first", "fixed", "is_placed", "made", "mark", "opened", "path", "steps")

    def __init__(self, element: Element, around: Frame | None, steps: Path | None, mark: tuple[int, int]) -> None:
        self.element = element
        self.path: Path = () if around is None else (*around.path, *(steps or ()))
        self.steps = steps
        self.is_placed: bool = steps is not None and (around is None or around.is_placed)
        self.mark = mark
        self.made: Any = None
        self.added: list[Added] = []
        self.first = self.fixed = 0
        self.opened: Opened | None = None

    @property
    def is_cut(self) -> bool:
        """Whether children with values were forgotten. Its value is made of those in the frame then."""
        return bool(self.added) and self.added[0].size > 0

    def shown(self) -> Opened:
        """Returns what it holds now."""
        if self.opened is None:
            self.opened = Opened(self.element.shape, self.made, self.element.role, self.steps or (), self.first)
        return self.opened


class Final(NamedTuple):
    """The final values of an element: so many of a list, whose first item has an index, or of a dict."""

    path: Path
    made: Any
    first: int
    size: int


Spine = list[Opened]
"""The open elements, from the root inwards."""


@dataclass(slots=True, eq=False)
class Shown:
    """What is known of an answer at one moment. It does not change, and shares what earlier ones hold.

    Attributes:
        spine: The open elements, up to one that has no value yet.
        path: The place that is being written.
        text: The string there, and the end of what is shown of it.
        final: The values that are final, from the root inwards.
        instance: All of it as an instance, once it was asked for.
    """

    spine: Spine
    path: Path | None = None
    text: tuple[Growing, int] | None = None
    final: tuple[Final, ...] = ()
    repairs: tuple[Repair, ...] = ()
    problems: tuple[Problem, ...] = ()
    instance: Any = MISSING


def at(value: Any, path: Path) -> Any:
    """Returns the value at a path of an instance, or MISSING."""
    for step in path:
        try:
            value = value[step] if isinstance(step, int) else dict.__getitem__(value, step)
        except (IndexError, KeyError, TypeError):
            return MISSING
    return value


def walk(path: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    """Yields a value and all values in it, with their paths."""
    yield path, value
    steps = dict.items(value) if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, held in steps:
        yield from walk((*path, step), held)


def final_values(final: tuple[Final, ...]) -> Iterator[tuple[Path, Any]]:
    """Yields the final values, with their paths."""
    for path, made, first, size in final:
        values = first_of(made, size)
        steps = enumerate(values, first) if isinstance(made, list) and size else dict.items(values or {})
        for step, value in steps:
            yield from walk((*path, step), value)


def final_at(final: tuple[Final, ...], path: Path) -> Any:
    """Returns the final value at a path, or MISSING."""
    for outer, made, first, size in final:
        depth = len(outer)
        if len(path) <= depth or path[:depth] != outer:
            break
        step = path[depth]
        if isinstance(made, list) and isinstance(step, int) and first <= step < first + size:
            return at(made[step - first], path[depth + 1 :])
        if isinstance(made, dict) and step in islice(dict.keys(made), size):
            return at(made, path[depth:])
    return MISSING


def goes_on(shown: Any, value: Any) -> bool:
    """Returns whether a value is what was shown of it, or more. An empty container says nothing."""
    if shown is value or shown == value:
        return True
    if isinstance(shown, str):
        return isinstance(value, str) and value.startswith(shown)
    if isinstance(shown, dict):
        known = value if isinstance(value, dict) else {}
        return all(goes_on(held, dict.get(known, name, MISSING)) for name, held in dict.items(shown))
    if isinstance(shown, list):
        items = value if isinstance(value, list) else []
        return all(goes_on(held, at(items, (index,))) for index, held in enumerate(shown))
    return shown in (None, MISSING) or (isinstance(shown, float) and isnan(shown))


def is_same(one: Element, other: Element) -> bool:
    return one is other or _IDENTITY(one) == _IDENTITY(other)


_IDENTITY = attrgetter("start", "stop", "role", "step")


def size_of(made: Any) -> int:
    return len(made) if isinstance(made, (dict, list)) else int(made is not None)


def first_of(made: Any, size: int) -> Any:
    """Returns the first values of a container. Anything else is one value."""
    if not size:
        return None
    if isinstance(made, list):
        return made[:size]
    return dict(islice(dict.items(made), size)) if isinstance(made, dict) else made


NAMED = frozenset({"field", "entry", "pair"})
COUNTED = NAMED | {"item", "skipped", "repeated"}
"""Roles of children that add one value at the end of the container, or none."""


def put(made: Any, role: str, steps: Path, value: Any) -> Any:
    """Returns a copy of the values of an element with one more, of a child in some role."""
    if role in NAMED and (made is None or type(made) is dict):
        return {steps[0]: value} if made is None else made if steps[0] in made else {**made, steps[0]: value}
    if role == "option" or (role == "wrapper" and not isinstance(value, (dict, list))):
        return value if made is None else made
    if made is not None and not isinstance(made, list if role == "item" else dict) and role != "wrapper":
        return made  # of another kind
    if role == "item":
        return [*(made or ()), value]
    held: dict[Any, Any] = made if isinstance(made, dict) else {}
    if role == "wrapper":
        if isinstance(value, dict):
            absent = getattr(value, "_absent", ())
            given = {name: each for name, each in dict.items(value) if each is not None and name not in absent}
            return {**held, **given}
        return [*(made or ()), *value]
    if role in ("again", "item of"):
        before = held.get(steps[0])
        more = (value or ()) if role == "again" else (value,)
        is_list = before is None or isinstance(before, list)
        return {**held, steps[0]: _LIST([*(before or ()), *more])} if is_list else held
    return held if steps[0] in held else {**held, steps[0]: value}


def instance(grammar: Grammar, shown: Shown, text: str) -> Any:
    """Returns what is shown as an instance: Boxes with every field, None where nothing is known. Parts share it."""
    if shown.instance is MISSING:
        value = _value_of(shown, 0, text)
        value = Opened(grammar.root, None, "", ()).boxed(None, value) if value is MISSING else value
        shown.instance = None if value is MISSING else value
    return shown.instance


def _value_of(shown: Shown, depth: int, text: str) -> Any:
    """Returns the value of the open element at a depth, or MISSING."""
    value: Any = MISSING
    inner: Opened | None = None
    spine = shown.spine
    if shown.text is not None:
        inner, spine = spine[-1], spine[:-1]
        value = shown.text[0].value(text, shown.text[1])
    for opened in reversed(spine[depth:]):
        value, inner = opened.boxed(inner, value), opened
    return value


def closed_at(shown: Shown, path: Path) -> Any:
    """Returns the closed value at a path, or MISSING."""
    found: Any = MISSING
    for opened in shown.spine:
        size = len(opened.steps)
        if path[:size] != opened.steps:
            break
        path = path[size:]
        held = opened.held(path)
        found = found if held is MISSING else held
    return found


def is_kept(before: Shown, now: Shown, text: str) -> bool:
    """Returns whether all that was shown is still there, or more of it. Looks only at what has changed."""
    spine, depth = before.spine, 0
    for was, here in zip(spine, now.spine, strict=False):
        if was is here:
            depth += 1
            continue
        if was.steps != here.steps:
            depth -= 1
            break
        if was.made is not here.made or was.size > here.size:
            break
        depth += 1
        if was.size < here.size:  # what was open in it is closed
            inner = spine[depth : depth + 1]
            return not inner or goes_on(_value_of(before, depth, text), here.held(inner[0].steps))
    if depth == len(spine):
        if before.text is None or (now.text is not None and now.text[0] is before.text[0]):
            return True
        depth -= 1
    return goes_on(_value_of(before, depth, text), _value_of(now, depth, text))
