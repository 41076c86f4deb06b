"""YAML becomes the same tokens: PyYAML's events open and close elements one to one, with their places.

Anchors, aliases and tags are refused: data needs none of them, and aliases grow without end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cache
from typing import Any, NamedTuple

from ..errors import MissingExtraError
from ..limits import MAX_DEPTH, MAX_YAML
from .scan import CLOSE, OPEN

__all__ = ["Event", "NotYamlError", "has_yaml", "scan_yaml", "yaml_text"]


class NotYamlError(ValueError):
    """A text is no YAML, or none that is read here."""


class Event(NamedTuple):
    """A token of YAML. `is_key`: it has the name of a key; `has_text`: a value stands before it."""

    kind: str
    name: str
    start: int
    end: int
    is_key: bool = False
    has_text: bool = False


@cache
def has_yaml() -> bool:
    """Whether PyYAML is installed."""
    try:
        import yaml  # noqa: F401
    except ImportError:
        return False
    return True


def scan_yaml(text: str, start: int, end: int, item: str) -> Iterator[Event]:
    """The tokens of a stretch that is one document of YAML. Items are called `item`.

    Raises `NotYamlError` for what is no YAML, is too long or too deep, and `MissingExtraError` without PyYAML.
    """
    if end - start > MAX_YAML:
        raise NotYamlError(f"YAML of more than {MAX_YAML} characters (MAX_YAML)")
    scanner = _Scanner(text, start, item)
    for event in _events(text[start:end]):
        yield from scanner.take(event)


class _Scanner:
    """Makes tokens of PyYAML's events. `names` are those of the parts of what is open, None where a key is due."""

    def __init__(self, text: str, start: int, item: str) -> None:
        self.yaml = _yaml()
        self.text = text
        self.offset = start
        self.item = item
        self.is_list: list[bool] = []
        self.names: list[str | None] = []
        self.begin = start
        self.documents = 0

    def take(self, event: Any) -> Iterator[Event]:
        """The tokens of an event."""
        yaml, first, last = self.yaml, self.offset + event.start_mark.index, self.offset + event.end_mark.index
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                raise NotYamlError("more than one document")
        elif isinstance(event, yaml.CollectionEndEvent):
            self.is_list.pop()
            self.names.pop()
            yield from self.close(last, False)
        elif isinstance(event, yaml.NodeEvent):
            self.refuse(event)
            is_scalar = isinstance(event, yaml.ScalarEvent)
            if self.names and self.names[-1] is None:
                self.take_key(event, is_scalar, first)
                return
            inner = yield from self.open(first, last)
            if is_scalar:
                yield from self.close(max(inner, last) if first < last else inner, first < last)
            else:
                is_list = isinstance(event, yaml.SequenceStartEvent)
                self.is_list.append(is_list)
                self.names.append(self.item if is_list else None)

    def refuse(self, event: Any) -> None:
        """Raises `NotYamlError` for what is not read."""
        if isinstance(event, self.yaml.AliasEvent) or event.anchor is not None or event.tag not in (None, "!"):
            raise NotYamlError("anchors, aliases and tags are not read")
        if len(self.names) > MAX_DEPTH:
            raise NotYamlError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)")

    def take_key(self, event: Any, is_scalar: bool, first: int) -> None:
        """Notes the key of the value that follows."""
        if not is_scalar:
            raise NotYamlError("a key that is no text")
        self.names[-1], self.begin = str(event.value), first

    def open(self, first: int, last: int) -> Generator[Event, None, int]:
        """Opens the element of a value; returns where that begins. One that is not there begins behind its colon."""
        if not self.names:
            return first
        is_key = not self.is_list[-1]
        begin = self.begin if is_key else first
        inner = first if first < last else self.text.find(":", begin, first) + 1 or first
        yield Event(OPEN, self.names[-1] or "", begin, inner, is_key)
        return inner

    def close(self, end: int, has_text: bool) -> Iterator[Event]:
        """Closes the element of a value. A mapping goes on with a key."""
        if self.names:
            is_key = not self.is_list[-1]
            yield Event(CLOSE, self.names[-1] or "", end, end, is_key, has_text)
            if is_key:
                self.names[-1] = None


def yaml_text(raw: str) -> str:
    """The text of a scalar as YAML writes it: in quotes, as a block, or plain. The last line break of a block is
    layout, unless its header says to keep it.
    """
    if raw[:1] not in "\"'|>" and "\n" not in raw:
        return raw
    try:
        nodes = [event for event in _events(raw) if isinstance(event, _yaml().NodeEvent)]
    except NotYamlError:
        return raw
    if len(nodes) != 1 or not hasattr(nodes[0], "value"):
        return raw
    value = str(nodes[0].value)
    is_kept = "+" in raw.partition("\n")[0] or raw[:1] not in "|>"
    return value if is_kept else value.removesuffix("\n")


def _events(text: str) -> Iterator[Any]:
    yaml = _yaml()
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's, in the wheels: five times as fast
    try:
        yield from yaml.parse(text, Loader=loader)
    except (yaml.YAMLError, UnicodeEncodeError) as error:  # libyaml reads UTF-8, which has no half of a surrogate pair
        raise NotYamlError(str(error)) from error


def _yaml() -> Any:
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", "formats") from error
    return yaml
