"""JSON and YAML of a program's own become plain data, to the letter: what a reply may get wrong is an error here."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from typing import Any

from ..definition import show_path
from ..errors import InstanceError, MissingExtraError
from ..findings import Problem, ProblemKind, line_and_column
from ..limits import MAX_DEPTH, MAX_YAML

__all__ = ["Builder", "json_data", "not_yaml", "yaml_data"]


def json_data(text: str) -> Any:
    """Return the data of a JSON text. Raises `InstanceError` with the place of a fault, repeated names too."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise InstanceError(f"this is no JSON: {error}") from error
    except (ValueError, RecursionError) as error:
        raise InstanceError(f"this JSON cannot be read: {error}") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in made if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in an object")
    return made


def yaml_data(text: str, builder_of: Callable[[Any, str], Builder] | None = None) -> Any:
    """Return the data of a YAML text of one document. Only `true`, `false`, `null`, `~` and numbers are anything else
    than texts, and there are no anchors and no tags. `builder_of` makes other data of the same.

    Raises `InstanceError` with the place of a fault, and `MissingExtraError` without PyYAML.
    """
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", "formats") from error
    if len(text) > MAX_YAML:
        raise InstanceError(f"this YAML cannot be read: it has more than {MAX_YAML} characters (MAX_YAML)")
    builder = (builder_of or Builder)(yaml, text)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's, in the wheels: five times as fast
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise not_yaml(text, error.problem or "a fault of form", mark.index if mark else 0) from error
    except yaml.reader.ReaderError as error:
        raise not_yaml(text, "a character that YAML cannot hold", error.position) from error
    except UnicodeEncodeError as error:  # libyaml reads UTF-8, which has no half of a surrogate pair
        raise not_yaml(text, "a character that YAML cannot hold", error.start) from error
    if len(builder.documents) != 1:
        raise InstanceError(f"one YAML document is wanted, and there are {len(builder.documents)}")
    if builder.repeated:
        raise InstanceError("a name stands twice in an object", builder.repeated)
    return builder.documents[0]


def not_yaml(text: str, message: str, offset: int) -> InstanceError:
    line, column = line_and_column(text, min(offset, len(text)))
    return InstanceError(f"this is no YAML: {message} (line {line}, column {column})")


class Builder:
    """Makes data of PyYAML's events, without recursion. `path` has the steps to the value that comes next: of an
    object that is open the name, None where a name is due; of a list the index.
    """

    def __init__(self, yaml: Any, text: str) -> None:
        self.yaml = yaml
        self.text = text
        self.documents: list[Any] = []
        self.open: list[list[Any] | dict[str, Any]] = []
        self.path: list[str | int | None] = []
        self.repeated: list[Problem] = []

    def take(self, event: Any) -> None:
        yaml = self.yaml
        if isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()
            self.path.pop()
            self.step_on()
        elif isinstance(event, yaml.NodeEvent):
            self.refuse(event)
            if self.path and self.path[-1] is None:
                self.take_name(event)
            elif isinstance(event, yaml.ScalarEvent):
                self.put(self.scalar(event))
                self.step_on()
            else:
                self.push([] if isinstance(event, yaml.SequenceStartEvent) else {})

    def refuse(self, event: Any) -> None:
        if event.anchor is not None:  # an alias has one too
            raise not_yaml(self.text, "anchors and aliases are not read", event.start_mark.index)
        if event.tag not in (None, "!"):
            raise not_yaml(self.text, "tags are not read", event.start_mark.index)

    def scalar(self, event: Any) -> Any:
        return str(event.value) if event.style else _plain(event.value)

    def take_name(self, event: Any) -> None:
        if not isinstance(event, self.yaml.ScalarEvent):
            raise not_yaml(self.text, "a key that is no text", event.start_mark.index)
        name = self.path[-1] = str(event.value)
        if name in self.open[-1]:
            steps = tuple(step for step in self.path if step is not None)
            self.repeated.append(Problem(ProblemKind.INVALID, show_path(steps), "stands twice"))

    def push(self, value: list[Any] | dict[str, Any]) -> None:
        if len(self.open) > MAX_DEPTH:
            raise InstanceError(f"this YAML cannot be read: nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)")
        self.put(value)
        self.open.append(value)
        self.path.append(0 if isinstance(value, list) else None)

    def put(self, value: Any) -> None:
        holder: Any = self.open[-1] if self.open else self.documents
        if isinstance(holder, list):
            holder.append(value)
        else:
            holder[self.path[-1]] = value

    def step_on(self) -> None:
        """Moves the path behind a value that is complete."""
        if self.path:
            step = self.path[-1]
            self.path[-1] = step + 1 if isinstance(step, int) else None


_WORDS = {"null": None, "Null": None, "NULL": None, "~": None, "": None, "true": True, "false": False}
_NOT_FINITE = {".nan": math.nan, ".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)")


def _plain(text: str) -> Any:
    """Return what a scalar without quotes stands for. A number that Python cannot hold stays a text."""
    if text in _WORDS:
        return _WORDS[text]
    form = _NUMBER.fullmatch(text)
    if form is None:
        return _NOT_FINITE.get(text.lower(), text)
    try:
        number = float(text) if form[1] else int(text)
    except ValueError:
        return text
    return text if number in (math.inf, -math.inf) else number
