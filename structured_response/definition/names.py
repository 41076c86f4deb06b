"""The spelling of names: as elements, folded for comparison, in the singular, and as paths in findings."""

from __future__ import annotations

import re
from functools import lru_cache

from ..errors import DefinitionError

MAX_COMPILED = 1_024
"""Definitions whose compiled forms are kept. A program has dozens; one that makes classes in a loop must not leak."""

Path = tuple[str | int, ...]
"""A place in data: field names and list indexes. Findings show it as `$.parts[0].points`."""

ITEM_NAMES = ("li", "item", "entry")
"""Names of elements that are list items in any list."""

_NAME_START = (
    "A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME_REST = _NAME_START + "\\-.0-9\u00b7\u0300-\u036f\u203f-\u2040"
# XML 1.0, fifth edition, [4] NameStartChar and [4a] NameChar, without the colon, which separates namespaces.
# Compiled for the first name that is not ASCII: that takes longer than importing the rest of the package.
_ASCII_NAME = r"[A-Za-z_][A-Za-z_0-9.-]*"
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_FOLDED_AWAY = re.compile(r"(?:\\?[-_.]|[\s\u00a0\u200b-\u200d\ufeff])+")


def is_xml_name(name: str) -> bool:
    pattern = _ASCII_NAME if name.isascii() else f"[{_NAME_START}][{_NAME_REST}]*"
    return re.fullmatch(pattern, name) is not None


def snake_case(name: str) -> str:
    """Returns a class's name as an element's: `WeatherPrognosis` -> `weather_prognosis`, `Page[int]` -> `page_int`."""
    not_in_name = r"[^A-Za-z_0-9.-]+" if name.isascii() else f"[^{_NAME_REST}]+"
    words = _WORD_START.sub("_", re.sub(not_in_name, "_", name).strip("_")).lower()
    return words if is_xml_name(words) else f"_{words}"


@lru_cache(maxsize=MAX_COMPILED * 8)
def fold(name: str) -> str:
    """Returns a name without case, separators, blanks and namespace prefix. Markdown may escape a separator."""
    return squeezed(name.rpartition(":")[2])


def squeezed(text: str) -> str:
    """Returns a text without case, separators and blanks, in which folded names can be found."""
    return _FOLDED_AWAY.sub("", text).casefold()


def spelling(name: str) -> str:
    """Returns a form of a name that distinguishes names with the same folded form by the ends of their words."""
    return _FOLDED_AWAY.sub("_", _WORD_START.sub("_", name.rpartition(":")[2])).strip("_").casefold()


def is_near(name: str, other: str, least: int = 4) -> bool:
    """Returns whether names differ by one character, which is not a digit, or by two swapped ones.

    `least` is the length from which one may lack a character. Any other slip needs names of four.
    """
    if abs(len(name) - len(other)) > 1 or min(len(name), len(other)) < least or name == other:
        return False
    if _DIGITS.findall(name) != _DIGITS.findall(other):
        return False
    start = 0
    while start < min(len(name), len(other)) and name[start] == other[start]:
        start += 1
    rest, others = name[start:], other[start:]
    if rest[1:] == others or rest == others[1:]:
        return True
    is_swapped = rest[:2] == others[:2][::-1] and rest[2:] == others[2:]
    return len(name) >= 4 and (rest[1:] == others[1:] or is_swapped)


_DIGITS = re.compile(r"\d+")


def show_path(path: Path) -> str:
    """Returns a path as findings spell it: `("parts", 0, "points")` -> `$.parts[0].points`."""
    shown = "$"
    for step in path:
        shown += f"[{step}]" if isinstance(step, int) else f".{step}"
    return shown


_STEPS = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")


def parse_path(text: str) -> Path:
    """Returns the path that a text such as `$.parts[0].points`, `parts[0].points` or `$` shows."""
    if not isinstance(text, str):
        raise TypeError(f"a path is a str, not {type(text).__name__}")
    rest = text.removeprefix("$")
    steps = list(_STEPS.finditer(rest))
    if "".join(step[0] for step in steps) != rest:
        raise DefinitionError(f"not a path like 'parts[0].points': {text!r}"[:200])
    return tuple(step[1] if step[1] is not None else int(step[2]) for step in steps)


_IRREGULAR = {
    "children": "child",
    "people": "person",
    "men": "man",
    "feet": "foot",
    "teeth": "tooth",
    "geese": "goose",
    "mice": "mouse",
    "lice": "louse",
    "oxen": "ox",
    "data": "datum",
    "media": "medium",
    "quizzes": "quiz",
}
"""Irregular plurals, which words may end with: `schoolchildren`, `women`."""

_ENDINGS = (
    ("ies", ("y", "ie")),
    ("ices", ("ice", "ex", "ix")),
    ("ves", ("ve", "f", "fe")),
    ("ses", ("s", "se", "sis")),
    ("xes", ("x", "xe", "xis")),
    ("zes", ("z", "ze")),
    ("ches", ("ch", "che")),
    ("shes", ("sh", "she")),
    ("oes", ("o", "oe")),
    ("s", ("",)),
    ("ia", ("ium", "ion")),
    ("mata", ("ma",)),
    ("a", ("um", "on")),
    ("ae", ("a",)),
    ("i", ("us",)),
)
"""Endings of plurals, the longest first, each with the possible endings of the singular."""


@lru_cache(maxsize=1_024)
def singulars(name: str) -> frozenset[str]:
    for plural, one in _IRREGULAR.items():
        if name.endswith(plural):
            return frozenset({name.removesuffix(plural) + one})
    for ending, others in _ENDINGS:
        if name.endswith(ending) and len(name) > len(ending):
            stem = name.removesuffix(ending)
            return frozenset(stem + other for other in others)
    return frozenset()
