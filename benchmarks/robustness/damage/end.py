"""Damage of the end: the reply breaks off somewhere, and what was whole until then is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from benchmarks.robustness.damage.draft import MISSING, Draft, damage
from benchmarks.robustness.models import FieldShape, Shape
from benchmarks.robustness.render import text_of
from structured_response.testing.damage import Element, NoPlaceError

GROUP = "the end"
CUT = ("Order", "Review", "Project", "Report", "Inventory", "Invoice", "TaskList")

Places = dict[str, tuple[int, int, int]]
"""Where each value begins, where its text ends, and from where on it is whole."""


class _Cutter:
    """Works out what a reply that breaks off at `cut` says."""

    def __init__(self, draft: Draft, places: Places, text: str, cut: int) -> None:
        self.draft, self.places, self.text, self.cut = draft, places, text, cut

    def state(self, path: str) -> str:
        if path not in self.places or self.places[path][0] >= self.cut:
            return "absent"
        return "whole" if self.places[path][2] < self.cut else "open"

    def value(self, shape: Shape, value: Any, path: str) -> Any:
        if self.state(path) == "whole":
            return value
        self.draft.maybe.add(path)
        return _OPEN.get(shape.kind, _Cutter.scalar)(self, shape, value, path)

    def field(self, each: FieldShape, value: Any, path: str) -> Any:
        if self.state(path) != "absent":
            return self.value(each.shape, value, path)
        if each.required and value is not None:
            self.draft.problems.add(path)
            return None
        if each.required:  # null, and left to be named or not: nothing was there to be read
            raise NoPlaceError
        return each.default

    def scalar(self, shape: Shape, value: Any, path: str) -> Any:
        """Half a number or an enum is not kept."""
        if path.endswith("]"):
            self.draft.accepted[path] = [MISSING]
        elif not shape.nullable:
            self.draft.problems.add(path)
        return None

    def string(self, shape: Shape, value: Any, path: str) -> Any:
        """Half a text is kept or dropped; either way its field is named."""
        part = _read_so_far(self.text[self.places[path][0] : min(self.cut, self.places[path][1])], value)
        self.draft.accepted[path] = part + ([MISSING] if path.endswith("]") else [])
        return part[0]

    def object(self, shape: Shape, value: Any, path: str) -> Any:
        states = [self.state(f"{path}.{name}") for name in shape.fields]
        if "whole" not in states:
            raise NoPlaceError  # whether an object with nothing in it is there is a matter of taste
        return {each.name: self.field(each, value[each.name], f"{path}.{each.name}") for each in shape.fields.values()}

    def list(self, shape: Shape, value: Any, path: str) -> Any:
        assert shape.item is not None
        begun = [index for index in range(len(value)) if self.state(f"{path}[{index}]") != "absent"]
        return [self.value(shape.item, value[index], f"{path}[{index}]") for index in begun]

    def map(self, shape: Shape, value: Any, path: str) -> Any:
        assert shape.item is not None
        begun = [key for key in value if self.state(f"{path}.{key}") != "absent"]
        if any(self.state(f"{path}.{key}") == "open" and shape.item.kind != "object" for key in begun):
            raise NoPlaceError  # an entry without its value: kept as null or dropped, who knows
        return {key: self.value(shape.item, value[key], f"{path}.{key}") for key in begun}


_OPEN: dict[str, Callable[[_Cutter, Shape, Any, str], Any]] = {
    "str": _Cutter.string,
    "object": _Cutter.object,
    "list": _Cutter.list,
    "map": _Cutter.map,
}


def _read_so_far(raw: str, value: str) -> list[str]:
    """What may be made of the first characters of a text: as much of it as they say, half an entity kept or not."""
    raw = raw.lstrip('" \n')
    whole = re.sub(r"&[#a-z0-9]*$", "", raw.removeprefix("<![CDATA["))
    for mark, character in (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ('\\"', '"'), ("\\n", "\n")):
        whole = whole.replace(mark, character)
    if not value.startswith(whole):
        raise NoPlaceError
    half = raw[raw.rfind("&") :] if re.search(r"&[#a-z0-9]*$", raw) else ""
    return list(dict.fromkeys([whole.strip(), whole, whole + half]))


def cut_expected(draft: Draft, places: Places, text: str, cut: int) -> None:
    """Change what a draft is expected to say: of `text`, only what stands before `cut` is there."""
    cutter = _Cutter(draft, places, text, cut)
    draft.data = cutter.value(draft.shape, draft.data, "$")
    draft.maybe.discard("$")
    draft.accepted = {path: values for path, values in draft.accepted.items() if path not in draft.problems}


@dataclass
class Span:
    """The place of an element in a text: the offsets of its opener, of its content, of its closer and of its end."""

    start: int
    inner: int
    closer: int = 0
    end: int = 0


def _spans(draft: Draft) -> tuple[str, dict[Element, Span]]:
    """The text of a draft, and the place of each element."""
    text, spans = "", {}
    for element, part, piece in draft.root.pieces(draft.step):
        end = len(text) + len(piece)
        if part == "opener":
            spans[element] = Span(len(text), end)
        elif part == "closer":
            spans[element].closer, spans[element].end = len(text), end
        text += piece
    return text, spans


def _cut(draft: Draft, choose: Callable[[Draft, str, Element, Span], int], *kinds: str) -> None:
    """Write the draft, and let it break off where `choose` says."""
    text, spans = _spans(draft)
    leaves = [each for each in draft.root.walk() if each.shape.kind in kinds and each.raw and each.value is not None]
    if not leaves:
        raise NoPlaceError
    at = draft.choose(leaves)
    cut = choose(draft, text, at, spans[at])
    # Whole from the moment its closer has begun: nothing can be added to it any more.
    places = {each.path: (spans[each].inner, spans[each].closer, spans[each].closer + 1) for each in draft.root.walk()}
    cut_expected(draft, places, text, cut)
    draft.reply = draft.choose(("", "", "Here you are:\n\n", "```xml\n")) + text[:cut]


def _inside(draft: Draft, text: str, at: Element, span: Span) -> int:
    if span.closer - span.inner < 2:
        raise NoPlaceError
    return draft.rng.randint(span.inner + 1, span.closer - 1)


@damage(GROUP, "end", CUT)
def truncated_in_text(draft: Draft) -> None:
    _cut(draft, _inside, "str")


@damage(GROUP, "end", CUT)
def truncated_in_number(draft: Draft) -> None:
    _cut(draft, lambda draft, text, at, span: draft.rng.randint(span.inner + 1, span.closer), "int", "float")


@damage(GROUP, "end", CUT)
def truncated_in_choice(draft: Draft) -> None:
    _cut(draft, _inside, "enum", "bool", "date")


@damage(GROUP, "end", CUT)
def truncated_in_tag(draft: Draft) -> None:
    _cut(
        draft,
        lambda draft, text, at, span: draft.rng.randint(span.start + 1, span.inner - 1),
        "str", "int", "float", "bool", "enum", "date",
    )  # fmt: skip


@damage(GROUP, "end", CUT)
def truncated_in_closer(draft: Draft) -> None:
    _cut(
        draft,
        lambda draft, text, at, span: draft.rng.randint(span.closer + 2, span.end - 1),
        "str", "int", "float", "bool", "enum", "date",
    )  # fmt: skip


@damage(GROUP, "end", CUT)
def truncated_between(draft: Draft) -> None:
    _cut(draft, lambda draft, text, at, span: span.end, "str", "int", "float", "bool", "enum", "date")


@damage(GROUP, "end", CUT)
def truncated_in_entity(draft: Draft) -> None:
    at = draft.choose([each for each in draft.places("str") if each.raw] or [draft.root])
    if at is draft.root:
        raise NoPlaceError
    draft.set(at, draft.choose(("R&D, and all that", "It was < 5 & fell", "a < b and more")))
    at.raw = text_of(draft.rng, at.value)
    marks = [match.start() for match in re.finditer("&(?=[a-z]+;)", at.raw)]
    if not marks:
        raise NoPlaceError
    mark = draft.choose(marks)
    for each in draft.root.walk():
        if each is not at and each.raw == at.raw:
            raise NoPlaceError

    def choose(draft: Draft, text: str, chosen: Element, span: Span) -> int:
        return text.index(at.raw or "") + mark + draft.rng.randint(1, 2)

    _cut(draft, choose, "str")
