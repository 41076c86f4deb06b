"""Reads YAML as parts: PyYAML's events open and close elements one to one, with their places."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from ..data.load import YamlReader, yaml_events
from ..definition import Path
from ..errors import InstanceError
from .parts import ITEM, Part, Parts


@cache
def has_yaml() -> bool:
    return find_spec("yaml") is not None


def yaml_parts(text: str, start: int, end: int) -> Parts:
    """Returns the parts of a span that is one YAML document, or none of a scalar. Raises as `yaml_events` does."""
    stretch = text[start:end]
    parts, _last = _PartReader(stretch, yaml_events(stretch), lambda event: ((), event), offset=start).document()
    return list(parts)


@dataclass
class _PartReader(YamlReader):
    """Makes parts from the events: for each value its parts and its last event. A name may occur twice."""

    offset: int = 0

    def items(self, path: Path) -> tuple[tuple[Part, ...], Any]:
        made: list[Part] = []
        while not isinstance(event := next(self.events), self.yaml.SequenceEndEvent):
            made.append(self.part(ITEM, event, event, (*path, len(made))))
        return tuple(made), event

    def members(self, path: Path) -> tuple[tuple[Part, ...], Any]:
        made: list[Part] = []
        while not isinstance(event := next(self.events), self.yaml.MappingEndEvent):
            name = self.key(event)
            made.append(self.part(name, event, next(self.events), (*path, name), is_key=True))
        return tuple(made), event

    def part(self, name: str, opening: Any, event: Any, path: Path, is_key: bool = False) -> Part:
        """Returns the part whose value begins with an event, or behind the colon."""
        parts, last = self.value(event, path)
        start, inner, end = opening.start_mark.index, event.start_mark.index, last.end_mark.index
        if inner == event.end_mark.index:
            inner = self.text.find(":", start, inner) + 1 or inner
            end = inner if last is event else end  # the value is empty
        start, inner, end = (self.offset + place for place in (start, inner, end))
        return Part(name, start, inner, end, end, parts, is_key)


def yaml_text(raw: str) -> str:
    """Returns the text of a scalar. A block's last line break is layout unless its header keeps it."""
    if raw[:1] not in "\"'|>" and "\n" not in raw:
        return raw
    try:
        value = YamlReader(raw, yaml_events(raw), lambda event: str(event.value)).document()
    except InstanceError:
        return raw
    is_kept = "+" in raw.partition("\n")[0] or raw[:1] not in "|>"
    return raw if not isinstance(value, str) else value if is_kept else value.removesuffix("\n")
