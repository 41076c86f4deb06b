"""The elements of an answer: what each is to the one around it, and where it stands in the reply."""

from __future__ import annotations

from typing import NamedTuple

from ...findings import RepairKind
from .tokens import Head, attribute

__all__ = [
    "CHOSEN",
    "ENTRY",
    "EXTRA",
    "FIELD",
    "GUESSED",
    "IMPLICIT",
    "ITEM",
    "LISTED",
    "OPTION",
    "OWN",
    "PAIR",
    "PAIR_KEYS",
    "PAIR_NAMES",
    "PAIR_VALUES",
    "RUN",
    "VALUE_NAMES",
    "Element",
    "Note",
    "Root",
]

FIELD, ITEM, ENTRY, OPTION, LISTED, IMPLICIT, PAIR = "field", "item", "entry", "option", "listed", "implicit", "pair"
CHOSEN, EXTRA = "chosen", "extra"
"""What an element is to the one that holds it: a field of an object, an item of a list, an entry of a map, an
option's own tag in a union; an item of a list field whose own element is not there; a field of an item whose
element is not there; the key or the value of an entry that has elements for both; an option of a field whose own
element is not there; what a model keeps besides its fields."""

PAIR_KEYS, PAIR_VALUES = frozenset({"key", "k", "name", "id"}), frozenset({"value", "val", "v"})
PAIR_NAMES = PAIR_KEYS | PAIR_VALUES
"""What the key and the value of an entry may be called, folded."""


VALUE_NAMES = PAIR_VALUES | {"text", "content", "data"}
"""What an attribute that is the value of its element may be called."""

RUN = "run"
"""The role of a stretch of children that was read at once, which is no element of its own."""

GUESSED = "guessed"
"""The name of an item that only its place in a list makes one."""


OWN = "own"
"""The name of an unknown element that bears the class's name of the object it stands in."""


class Note(NamedTuple):
    """Something that was done to find where an element begins or ends."""

    kind: RepairKind
    start: int
    end: int
    after: str = ""


class Element:
    """An element: what it is to the one around it, its tag as it is written, its children, and its places in the
    reply: `[start, end)` of the whole, `[inner_start, inner_end)` of what stands between its tags.

    `role` is None for an element that the definition does not know. `cut` tells that the reply broke off in it,
    `is_closing` that it did so in its closing tag, so that nothing of it is missing. `doubt` is where a text may have
    ended as well, or -1. `is_unopened`: nothing says where it begins; `is_unclear`: nobody knows where it ends.
    `shared` are the names of fields in it that may belong to the element around it; `lost` is that of the field, or
    empty for an item, of which right in front of an answer only the closing tag is left.
    """

    __slots__ = (
        "children", "cut", "doubt", "end", "head", "inner_end", "inner_start", "is_closing", "is_too_deep",
        "is_unclear", "is_unopened", "last", "lost", "name", "notes", "role", "shared", "start", "token",
    )  # fmt: skip

    def __init__(self, head: Head, role: str | None, name: str, start: int, inner_start: int) -> None:
        self.head = head
        self.role = role
        self.name = name
        self.start = start
        self.inner_start = inner_start
        self.inner_end = inner_start
        self.end = inner_start
        self.children: list[Element] = []
        self.notes: list[Note] = []
        self.cut = self.is_closing = self.is_too_deep = self.is_unclear = self.is_unopened = False
        self.token = self.last = self.doubt = -1
        self.shared: tuple[str, ...] = ()
        self.lost: str | None = None

    def reach(self) -> int:
        """Where it ends; without a tag of its own, with the last that it holds."""
        is_implied = not self.head.tag and self.role != RUN and self.children
        return max(self.end, self.children[-1].end) if is_implied else self.end

    def attribute(self, name: str) -> str | None:
        """The decoded value of an attribute, or None."""
        return attribute(self.head.rest, name) if self.head.rest else None

    def note(self, kind: RepairKind, start: int, end: int, after: str = "") -> None:
        self.notes.append(Note(kind, start, end, after))


class Root(NamedTuple):
    """An answer that was found: its element, and whether it stands in reasoning."""

    element: Element
    reasoning: bool
