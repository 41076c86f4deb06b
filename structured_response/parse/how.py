"""How a reply is to be read: what a program may choose."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, TypeAlias, get_args

__all__ = ["BadItem", "Format", "How", "how"]

Format: TypeAlias = Literal["xml", "json", "yaml"]
"""What an answer is expected to be written in."""

BadItem: TypeAlias = Literal["raise", "drop", "keep"]
"""What becomes of an item of a list that has a problem in it."""


class How(NamedTuple):
    """The choices of one reading. `context` is for the model's validators; `examples` are what prompts showed, each
    by its gist and by that of what reading its text gives.
    """

    format: Format | None = None
    on_bad_item: BadItem = "raise"
    repair: bool = True
    context: Any = None
    examples: tuple[tuple[Any, ...], ...] = ()

    @property
    def takes_clean_xml(self) -> bool:
        """Whether a clean answer in XML is the answer, whatever else could be read. One could be an example."""
        return self.format in (None, "xml") and not self.examples


def how(format: object, on_bad_item: object, repair: object) -> How:
    """The choices, checked. Raises `TypeError` or `ValueError` naming what may be chosen."""
    if format is not None:
        _check("format", format, get_args(Format), " or None")
    _check("on_bad_item", on_bad_item, get_args(BadItem))
    if not isinstance(repair, bool):
        raise TypeError(f"repair is True or False, not {repair!r}"[:200])
    return How(format, on_bad_item, repair)  # type: ignore[arg-type]


def _check(name: str, value: object, choices: tuple[str, ...], more: str = "") -> None:
    if value not in choices:
        kind = ValueError if isinstance(value, str) else TypeError
        raise kind(f"{name} is one of {', '.join(map(repr, choices))}{more}, not {value!r}"[:200])
