"""Other ways to write what `str` writes: the same tags and texts, arranged anew. Nothing of the library is used."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from random import Random

__all__ = ["Variation", "varied"]

_TAG = re.compile(r"<(/?)([^\s<>/]+)((?:[^<>'\"/]|'[^']*'|\"[^\"]*\")*)(/?)>")
_KEY = re.compile(r"^ key=('[^']*'|\"[^\"]*\")")
_GAPS = ("", " ", "\n", "\n\t", "\n\n      ")
_BEFORE = ("", "Sure!\n", "Here it is:\n\n```xml\n", "<?xml version='1.0' encoding='utf-8'?>\n", "It's 3 > 2 & so on: ")
_BEHIND = ("", "\n", "\n```\n", "\nDone > all & well.")
_SHOWN = ("index='0'", "required='false'", 'min_length="1"')


@dataclass(frozen=True)
class Variation:
    """What is written in another way: the order of fields, white space, prose around, characters as references, and
    attributes as a prompt shows them.
    """

    order: bool = False
    layout: bool = False
    prose: bool = False
    references: bool = False
    attributes: bool = False


@dataclass
class _Part:
    """An element as it is written: its name, its attributes, what stands in it."""

    name: str
    attributes: str
    empty: bool = False
    text: str = ""
    parts: list[_Part] = field(default_factory=list)

    def key(self) -> tuple[str, str]:
        match = _KEY.match(self.attributes)
        return self.name, match[1] if match else ""


def varied(xml: str, how: Variation, random: Random) -> str:
    """What `xml`, which `str` wrote, says in another way."""
    written = _write(_parsed(xml), how, random)
    return f"{random.choice(_BEFORE)}{written}{random.choice(_BEHIND)}" if how.prose else written


def _parsed(xml: str) -> _Part:
    top = _Part("", "")
    open_parts = [top]
    position = 0
    for match in _TAG.finditer(xml):
        closes, name, attributes, empty = match.groups()
        if closes:
            part = open_parts.pop()
            part.text = "" if part.parts else xml[position : match.start()]
        else:
            open_parts[-1].parts.append(_Part(name, attributes, bool(empty)))
            open_parts += [] if empty else open_parts[-1].parts[-1:]
        position = match.end()
    return top.parts[0]


def _write(part: _Part, how: Variation, random: Random) -> str:
    shown = random.choice(_SHOWN) if how.attributes and random.random() < 0.3 else ""
    tag = f"{part.name}{part.attributes}{' ' if shown else ''}{shown}"
    if part.empty:
        return f"<{tag}/>" if random.random() < 0.5 else f"<{tag}></{part.name}>"
    if not part.parts:
        return f"<{tag}>{_text(part.text, how, random)}</{part.name}>"
    parts = list(part.parts)
    if how.order and len({each.key() for each in parts}) == len(parts):
        random.shuffle(parts)
    gaps = [random.choice(_GAPS) if how.layout else "\n" for _ in range(len(parts) + 1)]
    inner = "".join(f"{gap}{_write(each, how, random)}" for gap, each in zip(gaps, parts, strict=False))
    return f"<{tag}>{inner}{gaps[-1]}</{part.name}>"


def _text(text: str, how: Variation, random: Random) -> str:
    if how.references and "&" not in text:
        text = "".join(f"&#{ord(char)};" if char > " " and random.random() < 0.1 else char for char in text)
    if how.layout and text and "\n" not in text:
        return f"{random.choice(_GAPS)}{text}{random.choice(_GAPS)}"
    return text
