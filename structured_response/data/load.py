"""Loads a program's own JSON and YAML, strictly. Faults that a reply may have are errors here."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..definition import Path, show_path
from ..definition.node import MAX_DEPTH
from ..errors import InstanceError, needs
from ..findings import Problem, ProblemKind, line_and_column

MAX_YAML = 256 * 1024
"""Characters of a reply that are read as YAML, three times the length of the longest replies. PyYAML without libyaml
needs some 30 microseconds for each.
"""


def json_data(text: str) -> Any:
    """Returns the data of a JSON text. Raises `InstanceError`, also if an object has a name twice."""
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise InstanceError(f"invalid JSON: {error}") from error
    except (ValueError, RecursionError) as error:
        raise InstanceError(f"cannot read the JSON: {error}") from error


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text[:40]} is too large for a float")
    return number


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in made if names.count(name) > 1)
        raise ValueError(f"an object has the name {twice!r} twice")
    return made


def yaml_data(
    text: str,
    scalar: Callable[[Any], Any] | None = None,
    watched: Callable[[Iterator[Any]], Iterator[Any]] = iter,
) -> Any:
    """Returns the data of a single document, without anchors and tags. Raises as `yaml_events` does.

    `scalar` makes other values of the events of scalars; `watched` wraps the events.
    """
    return YamlReader(text, watched(yaml_events(text)), scalar or plain_scalar).document()


def yaml_events(text: str) -> Iterator[Any]:
    """Yields PyYAML's events of a text. Raises `InstanceError`, and `MissingExtraError` without PyYAML."""
    yaml = _yaml()
    if len(text) > MAX_YAML:
        raise InstanceError(f"cannot read the YAML: more than {MAX_YAML} characters (MAX_YAML)")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's, in the wheels: five times as fast
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise _not_yaml(text, error.problem or "a syntax error", mark.index if mark else 0) from error
    except yaml.reader.ReaderError as error:
        raise _not_yaml(text, "a character that YAML does not allow", error.position) from error
    except UnicodeEncodeError as error:  # libyaml reads UTF-8, which has no half of a surrogate pair
        raise _not_yaml(text, "a character that YAML does not allow", error.start) from error


def _yaml() -> Any:
    with needs("PyYAML", "formats"):
        import yaml
    return yaml


@dataclass
class YamlReader:
    """Makes data from PyYAML's events. Each method handles what begins at the last event, or after it."""

    text: str
    events: Iterator[Any]
    scalar: Callable[[Any], Any]
    yaml: Any = field(default_factory=_yaml)

    def document(self) -> Any:
        documents = [self.value(event, ()) for event in self.events if isinstance(event, self.yaml.NodeEvent)]
        if len(documents) != 1:
            raise InstanceError(f"expected one YAML document, found {len(documents)}")
        return documents[0]

    def value(self, event: Any, path: Path) -> Any:
        self.refuse(event)
        if isinstance(event, self.yaml.ScalarEvent):
            return self.scalar(event)
        if len(path) > MAX_DEPTH:
            raise InstanceError(f"cannot read the YAML: nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)")
        return self.items(path) if isinstance(event, self.yaml.SequenceStartEvent) else self.members(path)

    def items(self, path: Path) -> Any:
        made: list[Any] = []
        while not isinstance(event := next(self.events), self.yaml.SequenceEndEvent):
            made.append(self.value(event, (*path, len(made))))
        return made

    def members(self, path: Path) -> Any:
        made: dict[str, Any] = {}
        while not isinstance(event := next(self.events), self.yaml.MappingEndEvent):
            name = self.key(event)
            if name in made:
                twice = Problem(ProblemKind.INVALID, show_path((*path, name)), "occurs twice")
                raise InstanceError("an object has a duplicate name", [twice])
            made[name] = self.value(next(self.events), (*path, name))
        return made

    def key(self, event: Any) -> str:
        self.refuse(event)
        if not isinstance(event, self.yaml.ScalarEvent):
            raise _not_yaml(self.text, "a key that is not a string", event.start_mark.index)
        return str(event.value)

    def refuse(self, event: Any) -> None:
        if event.anchor is not None:  # an alias has one too
            raise _not_yaml(self.text, "anchors and aliases are not supported", event.start_mark.index)
        if event.tag not in (None, "!"):
            raise _not_yaml(self.text, "tags are not supported", event.start_mark.index)


def _not_yaml(text: str, message: str, offset: int) -> InstanceError:
    line, column = line_and_column(text, min(offset, len(text)))
    return InstanceError(f"invalid YAML: {message} (line {line}, column {column})")


_WORDS = {"null": None, "Null": None, "NULL": None, "~": None, "": None, "true": True, "false": False}
_NOT_FINITE = {".nan": math.nan, ".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf}
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)")


def plain_scalar(event: Any) -> Any:
    """Returns the value of a scalar. A quoted one is a text, and so is a number that Python cannot represent."""
    text = str(event.value)
    if event.style:
        return text
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
