"""What is put on record while data is read by the definition, and how a finding shows a value."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from typing import Any

from ...definition import (
    Measure,
    Node,
    Path,
    has_form,
)
from ...findings import ProblemKind, RepairKind, Span
from ..reading import Reading
from ..written import LOST, Bare, Members, Value, move_all, place_all
from .members import (
    name_of,
)

__all__ = ["YAML_NUMBERS", "DataRecorder", "number"]

YAML_NUMBERS = {
    ".nan": Bare("NaN"),
    ".inf": Bare("Infinity"),
    "+.inf": Bare("Infinity"),
    "-.inf": Bare("-Infinity"),
}
"""YAML's own words for numbers that are none."""


class DataRecorder(ABC):
    """Writes to `reading`. `is_yaml`: texts need no quotes there."""

    def __init__(self, reading: Reading, is_yaml: bool) -> None:
        self.reading = reading
        self.is_yaml = is_yaml
        self.measure = Measure()
        self.plains: dict[int, tuple[Value, Any]] = {}

    @abstractmethod
    def value(self, node: Node, value: Value, path: Path) -> Any:
        """The tree of a value."""

    # Findings

    def invalid(self, path: Path, message: str, value: Value, candidates: tuple[str, ...] = ()) -> None:
        self.reading.problem(ProblemKind.INVALID, path, message, value.span, self.shown(value), candidates)

    def ambiguous(self, path: Path, message: str, value: Value, candidates: tuple[str, ...]) -> None:
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, value.span, self.shown(value), candidates)

    def repair(self, kind: RepairKind, path: Path, value: Value, before: str, after: str) -> None:
        self.reading.repair(kind, path, value.span, before, after)

    def reshaped(self, path: Path, value: Value, after: Value | None) -> None:
        shown = "[]" if after is None else self.shown(after)
        self.repair(RepairKind.SHAPE_CHANGED, path, value, self.shown(value), shown)

    def respelled(self, key: Value, name: str, path: Path) -> None:
        if name_of(key) != name:
            self.repair(RepairKind.NAME_RESPELLED, path, key, name_of(key), name)

    def skipped(self, key: Value, path: Path) -> None:
        self.repair(RepairKind.ELEMENT_SKIPPED, path, key, name_of(key), name_of(key))

    def repeated(self, first: Value, second: Value, path: Path) -> bool:
        """Whether a name's second value is the same, so that it can go; else nobody knows which one was meant."""
        shown = [self.shown(one, quoted=True) for one in (first, second)]
        if shown[0] == shown[1]:
            self.repair(RepairKind.DUPLICATE_DROPPED, path, second, shown[1], shown[1])
            return True
        message = f"{path[-1]!r} stands there twice, with different values"
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, second.span, shown[1], tuple(shown))
        return False

    def placed(self, made: Value, value: Value, path: Path) -> None:
        """Puts what a text was read as at the text's place, on record."""
        start, end = value.span
        if end - start == len(str(value.held)):
            move_all(made, start)
        else:
            place_all(made, value.span)
        self.repair(RepairKind.FORMAT_READ, path, value, str(value.held), str(value.held))

    # Where the reply broke off

    def cut_holder(self, value: Value, path: Path, is_complete: bool) -> None:
        """Puts on record that what holds other values has no end: only its bracket is missing, or nobody knows what."""
        if is_complete:
            self.reading.repair(RepairKind.JSON_MENDED, path, (value.end, value.end), "", value.closer)
        else:
            self.broken_off(path, value.span, "what is missing behind it is not known")

    def broken_off(self, path: Path, span: Span, consequence: str) -> None:
        """Puts the end of the reply on record; JSON inside of an element may break off earlier than the reply."""
        if span[1] >= self.reading.span[1]:
            self.reading.broken_off(path, span, consequence)
        else:
            self.reading.problem(ProblemKind.INVALID, path, f"the JSON breaks off here; {consequence}", span)

    def note_cut(self, value: Value, path: Path) -> None:
        if value.is_cut:
            self.cut_holder(value, path, value.is_unclosed)

    # Plain data

    def plain(self, value: Value) -> Any:
        """A value as Python's data, without a word about it. The same object each time."""
        known = self.plains.get(id(value))
        if known is None:  # the value is kept with it, so that its id is not another's later on
            known = self.plains[id(value)] = (value, self.made_plain(value))
        return known[1]

    def made_plain(self, value: Value) -> Any:
        held = value.held
        if isinstance(held, Members):
            made: dict[str, Any] = {}
            for key, member in held.pairs:
                made.setdefault(name_of(key), self.plain(member))
            return made
        if isinstance(held, list):
            return [self.plain(item) for item in held]
        if isinstance(held, Bare):
            return number(YAML_NUMBERS.get(held.lower(), held) if self.is_yaml else held)
        return None if held is LOST else held

    def shown(self, value: Value, quoted: bool = False) -> str:
        """A value as a finding shows it."""
        if isinstance(value.held, str) and not quoted:
            return str(value.held)
        return json.dumps(self.plain(value), ensure_ascii=False)


def number(text: Bare) -> Any:
    """A number or a truth value as Python's, as far as it is one; else the text."""
    if text in ("true", "false"):
        return text == "true"
    if has_form("int", text):
        return int(text)
    if not text:  # YAML's way to say nothing
        return None
    if not has_form("float", text):
        return str(text)
    number = float(text)
    return number if math.isfinite(number) or not text[-1].isdigit() else str(text)
