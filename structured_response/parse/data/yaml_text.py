"""YAML as PyYAML reads it: each value with its place. Anchors, aliases and tags are refused: data needs none of
them, and aliases grow without end.
"""

from __future__ import annotations

from typing import Any

from ...errors import MissingExtraError
from ...limits import MAX_DEPTH, MAX_YAML
from ..reading import LimitReachedError
from ..written import Bare, Held, Members, Value

__all__ = ["NotYamlError", "scan_yaml"]

_NULLS = ("null", "Null", "NULL", "~")


class NotYamlError(Exception):
    """The text is no YAML, or, where `is_refused`, none that is read here. `offset` says where."""

    def __init__(self, message: str, offset: int, is_refused: bool = False) -> None:
        super().__init__(message, offset, is_refused)
        self.is_refused = is_refused
        self.message = message
        self.offset = offset


def scan_yaml(text: str) -> list[Value]:
    """The documents of a YAML text. A scalar without quotes stays the text that it is.

    Raises `NotYamlError`, `LimitReachedError` for what is nested too deeply or too long, and `MissingExtraError`.
    """
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", "formats") from error
    if len(text) > MAX_YAML:
        raise LimitReachedError(f"YAML of more than {MAX_YAML} characters (MAX_YAML)", (0, len(text)))
    builder = _Builder(yaml)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's, in the wheels: five times as fast
    try:
        for event in yaml.parse(text, Loader=loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise NotYamlError(error.problem or "this is no YAML", mark.index if mark else 0) from error
    except yaml.reader.ReaderError as error:
        raise NotYamlError("a character that YAML cannot hold", error.position) from error
    except UnicodeEncodeError as error:  # libyaml reads UTF-8, which has no half of a surrogate pair
        raise NotYamlError("a character that YAML cannot hold", error.start) from error
    return builder.documents


class _Builder:
    """Makes values of PyYAML's events, without recursion."""

    def __init__(self, yaml: Any) -> None:
        self.yaml = yaml
        self.documents: list[Value] = []
        self.open: list[Value] = []
        self.keys: list[Value | None] = []

    def take(self, event: Any) -> None:
        yaml = self.yaml
        if isinstance(event, yaml.NodeEvent):
            self.refuse(event)
        if isinstance(event, yaml.ScalarEvent):
            value = Value(_scalar(event), event.start_mark.index, event.end_mark.index)
            value.is_literal = event.style in ("|", ">")
            self.add(value)
        elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
            self.push(event, [] if isinstance(event, yaml.SequenceStartEvent) else Members())
        elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
            self.open.pop().end = event.end_mark.index
            self.keys.pop()

    def refuse(self, event: Any) -> None:
        start = event.start_mark.index
        if event.anchor is not None:  # an alias has one too
            raise NotYamlError("anchors and aliases are not read", start, is_refused=True)
        if event.tag not in (None, "!"):
            raise NotYamlError("tags are not read", start, is_refused=True)

    def push(self, event: Any, held: Held) -> None:
        start = event.start_mark.index
        if len(self.open) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", (start, start + 1))
        value = Value(held, start)
        self.add(value)
        self.open.append(value)
        self.keys.append(None)

    def add(self, value: Value) -> None:
        holder = self.open[-1].held if self.open else self.documents
        if not isinstance(holder, Members):
            assert isinstance(holder, list)
            holder.append(value)
        elif self.keys[-1] is not None:
            holder.pairs.append((self.keys[-1], value))
            self.keys[-1] = None
        elif isinstance(value.held, str) or value.held is None:
            value.held = "null" if value.held is None else value.held
            value.is_literal = True  # keys cannot be blocks, so there is no way to write one as no prompt does
            self.keys[-1] = value
        else:
            raise NotYamlError("a key that is no text", value.start)


def _scalar(event: Any) -> Held:
    if event.style:
        return str(event.value)
    return None if event.value in _NULLS else Bare(event.value)
