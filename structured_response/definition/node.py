"""The graph of a definition: one `Node` per value, shared and, for recursive models, cyclic."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, Literal

from .names import fold, snake_case, spelling, squeezed

__all__ = [
    "CONSTRAINTS",
    "KINDS",
    "MAX_DEPTH",
    "MISSING",
    "SCALARS",
    "TEXTUAL",
    "Field",
    "Node",
    "children",
    "copy_node",
    "walk",
]

MAX_DEPTH = 200
"""Levels of nested data, lists and objects alike. orjson and pydantic-core stop near 255, Python's stack at 1,000
frames, three of which a level takes.
"""


class Absent(Enum):
    """Marks a missing value where None is a regular one. An enum, so that pickles preserve its identity."""

    MISSING = "absent"


MISSING: Final = Absent.MISSING

TEXTUAL = ("str", "date", "time", "datetime", "duration", "decimal", "uuid", "bytes")
"""Kinds whose values an instance holds as text."""

SCALARS = (*TEXTUAL, "int", "float", "bool", "enum", "any")
"""Kinds that are written as one text."""

KINDS = (*SCALARS, "list", "dict", "map", "tuple", "union")
"""All kinds, by the names that a definition uses for them."""

CONSTRAINTS = {
    "ge": "greater_or_equal",
    "gt": "greater_than",
    "le": "less_or_equal",
    "lt": "less_than",
    "multiple_of": "multiple_of",
    "min_length": "min_length",
    "max_length": "max_length",
    "pattern": "pattern",
    "unique_items": "unique_items",
}
"""The name of each constraint, Pydantic's where it has one, in the order of definitions and prompts, and what a
prompt calls it."""


@dataclass(slots=True, eq=False)
class Field:
    """A named value of an object. `default` is JSON-compatible, or ABSENT if it has no JSON form; `factory`, known only
    with a model, makes one.
    """

    name: str
    node: Node
    required: bool = True
    default: Any = MISSING
    aliases: tuple[str, ...] = ()
    factory: Callable[[], Any] | None = None


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """One value of a definition. `kind` decides which attributes apply.

    Attributes:
        shape: The name under which a definition may refer to the node.
        encoded: The type in which a model itself takes base64, decoded or not.
        left_out: Fields of the model that are never requested, with their defaults.
        coded: The members of an enum by the choices that represent them, if those are not their values.

    From `nullable` on, attributes are known only with a model; a definition does not hold them.
    """

    kind: str
    description: str | None = None
    constraints: dict[str, Any] = field(default_factory=dict)
    choices: tuple[Any, ...] = ()
    fields: dict[str, Field] = field(default_factory=dict)
    item: Node | None = None
    key: Node | None = None
    parts: tuple[Node, ...] = ()
    discriminator: str | None = None
    name: str | None = None
    shape: str | None = None
    nullable: bool | None = None
    members: dict[str, Any] = field(default_factory=dict)
    keeps_extra: bool = False
    unique: bool = False
    encoded: Literal["", "bytes", "str"] = ""
    left_out: dict[str, Any] = field(default_factory=dict)
    coded: dict[str, Any] = field(default_factory=dict)
    _folded: dict[str, Field] | None = field(default=None, init=False)
    _spelt: dict[str, Field] | None = field(default=None, init=False)
    _named: dict[str, Field] | None = field(default=None, init=False)
    _options: dict[str, Node] | None = field(default=None, init=False)

    def __repr__(self) -> str:
        """Shows only the kind and the name, since graphs have cycles and widely shared shapes."""
        return f"<Node {self.kind} {self.name}>" if self.name else f"<Node {self.kind}>"

    def folded_fields(self) -> dict[str, Field]:
        """Returns the fields by the folded forms of their names and aliases, without forms that two fields share."""
        if self._folded is None:
            self._folded = _by_form(self.fields, fold)
        return self._folded

    def spelt_fields(self) -> dict[str, Field]:
        """Returns the fields by the spelling of their names and aliases, which distinguishes `file_name` from
        `filename`. A form that two fields share is omitted.
        """
        if self._spelt is None:
            self._spelt = _by_form(self.fields, spelling)
        return self._spelt

    def field_of(self, name: str) -> Field | None:
        """Returns the field with a name or an alias, exact or folded."""
        return self.fields.get(name) or self.field_named(name)

    def has_field(self, name: str) -> bool:
        """Returns whether a field has a name."""
        return self.field_of(name) is not None

    def is_named_in(self, text: str) -> bool:
        """Returns whether one of the names or aliases occurs in a text."""
        folded = squeezed(text)
        return any(fold(name) in folded for field_ in self.fields.values() for name in (field_.name, *field_.aliases))

    def field_named(self, name: str) -> Field | None:
        """Returns the field with another name: by an exact alias, else by the folded form. Of several fields with the
        same folded form, the spelling decides.
        """
        return (
            self.field_aliased(name) or self.folded_fields().get(fold(name)) or self.spelt_fields().get(spelling(name))
        )

    def field_aliased(self, alias: str) -> Field | None:
        """Returns the field with an exact alias."""
        if self._named is None:
            aliases = [(name, field_) for field_ in self.fields.values() for name in field_.aliases]
            self._named = dict(reversed(aliases))
        return self._named.get(alias)

    def of_own_class(self) -> list[Field]:
        """Returns the fields of an object that are, or hold as items, objects of its own class."""
        held = ((field_, field_.node.item or field_.node) for field_ in self.fields.values())
        return [field_ for field_, node in held if self.name and node.kind == "dict" and node.name == self.name]

    def options(self) -> dict[str, Node]:
        """Returns the options of a union by the names of their elements: the class in snake case, else the kind."""
        if self._options is None:
            self._options = _name_options(self.parts)
        return self._options

    def is_field_of_option(self, name: str) -> bool:
        """Returns whether an element of that name could be a field of some option of a union."""
        return any(part.has_field(name) for part in self.parts)

    def is_text(self) -> bool:
        """Returns whether values are written as one text: scalars, and unions of only scalars."""
        if self.kind == "union":
            return all(part.kind in SCALARS for part in self.parts)
        return self.kind in SCALARS


def _by_form(fields: dict[str, Field], form_of: Callable[[str], str]) -> dict[str, Field]:
    """Returns fields by some form of their names and aliases. A form that several fields share is omitted."""
    found: dict[str, Field] = {}
    shared: set[str] = set()
    for field_ in fields.values():
        for form in {form_of(name) for name in (field_.name, *field_.aliases)}:
            if found.setdefault(form, field_) is not field_:
                shared.add(form)
    return {form: field_ for form, field_ in found.items() if form and form not in shared}


def _name_options(parts: tuple[Node, ...]) -> dict[str, Node]:
    options: dict[str, Node] = {}
    for part in parts:
        name = snake_case(part.name) if part.name else part.kind
        number = sum(taken.rpartition("_")[0] == name or taken == name for taken in options)
        options[f"{name}_{number + 1}" if number else name] = part
    return options


def children(node: Node) -> Iterator[tuple[str, Node]]:
    """Yields the nodes directly below `node`, each with its step (`""` for items, which paths skip)."""
    for name, member in node.fields.items():
        yield name, member.node
    if node.item is not None:
        yield "", node.item
    if node.key is not None:
        yield "", node.key
    for part in node.parts:
        yield "", part


def copy_node(source: Node, target: Node, **changes: Any) -> None:
    """Makes `target`, which others already refer to, a copy of `source` with some attributes changed."""
    for attribute in Node.__slots__:
        setattr(target, attribute, changes.get(attribute, getattr(source, attribute)))


def walk(root: Node) -> Iterator[Node]:
    """Yields every node of a graph once."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) not in seen:
            seen.add(id(node))
            yield node
            waiting += [child for _step, child in children(node)]
