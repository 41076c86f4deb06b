"""The grammar of a definition: the shapes that elements may have, and the states of a reading.

A union is a single shape that may hold whatever any of its options may, so it needs no rules of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import Any

from ..data.box import shells
from ..definition import (
    ITEM_NAMES,
    SCALARS,
    Field,
    Node,
    Plan,
    choice_text,
    fold,
    is_near,
    per_plan,
    singulars,
    snake_case,
    walk,
)

MAX_STATES = 40_000
"""States and moves that are cached for a plan. Replies to one definition need hundreds; hostile nesting could create
them without end.
"""

MAX_NAMES = 500
"""Names of elements that a shape caches."""

MAX_OPEN = 220
"""Elements that may be open at once, a few more than the maximal depth of data."""

ANY, STR = Node("any", nullable=True), Node("str", nullable=False)
"""The nodes of content that no definition asks for: of any type, or a text."""


def parts_of(node: Node) -> list[Node]:
    """Returns the options of a union, flattened, or the node itself."""
    if node.kind != "union":
        return [node]
    return [part for inner in node.parts for part in parts_of(inner)]


class Shape:
    """The possible content of an element. Compiled from one node, or from the nodes of several options of a union."""

    __slots__ = ("__dict__", "grammar", "node")

    def __init__(self, grammar: Grammar, node: Node) -> None:
        self.grammar = grammar
        self.node = node

    @cached_property
    def parts(self) -> tuple[Node, ...]:
        """The node, or all options of a union, each once."""
        return tuple(dict.fromkeys(parts_of(self.node)))

    @cached_property
    def is_text(self) -> bool:
        """True if it is always written as one text."""
        return all(part.kind in SCALARS and part.kind != "any" for part in self.parts)

    @cached_property
    def sole(self) -> Node:
        """The node, or the only option of a union; without one, a node of any type."""
        return self.parts[0] if len(self.parts) == 1 else ANY

    @cached_property
    def read_as(self) -> Node:
        """The node that its values are read by, the first of several that are all texts."""
        return self.parts[0] if all(part.kind == "str" for part in self.parts) else self.node

    @cached_property
    def is_any(self) -> bool:
        """True if it may be a value of any type."""
        return any(part.kind == "any" for part in self.parts)

    @cached_property
    def takes_text(self) -> bool:
        """True if it may be written as one text."""
        return any(part.kind in SCALARS for part in self.parts)

    @cached_property
    def is_verbatim(self) -> bool:
        """True if its text may hold any characters, markup included."""
        return any(part.kind in ("str", "any") for part in self.parts)

    @cached_property
    def objects(self) -> tuple[Node, ...]:
        return tuple(part for part in self.parts if part.kind == "dict")

    @cached_property
    def fields(self) -> dict[str, tuple[Field, Shape, int]]:
        """The description, shape and bit of each field. A field of several options is read as any of them."""
        found: dict[str, list[Field]] = {}
        for part in self.objects:
            for name, field in part.fields.items():
                found.setdefault(name, []).append(field)
        return {
            name: (fields[0], self.grammar.merged([field.node for field in fields]), 1 << index)
            for index, (name, fields) in enumerate(found.items())
        }

    def field(self, name: str) -> tuple[Field, Shape, int] | None:
        """Returns the field with a name or an alias, exact or folded."""
        known: tuple[Field, Shape, int] | None = self.named.get(name, _UNASKED)
        if known is not _UNASKED:
            return known
        fields = (part.field_of(name) for part in self.objects)
        field = next((field for field in fields if field is not None), None)
        if len(self.named) >= MAX_NAMES:
            self.named.clear()
        found = self.named[name] = self.fields[field.name] if field is not None else None
        return found

    @cached_property
    def named(self) -> dict[str, tuple[Field, Shape, int] | None]:
        """The results of `field`, cached for the names used in replies."""
        return {**self.fields}

    @cached_property
    def required(self) -> int:
        """The bits of the fields that every option requires."""
        bits = 0
        for name, (_field, _shape, bit) in self.fields.items():
            in_all = [part.fields[name] for part in self.objects if name in part.fields]
            # A constant of an option may follow from its tag, or from the other fields.
            is_told = all(len(field.node.choices) == 1 for field in in_all)
            if len(in_all) == len(self.objects) and all(field.required for field in in_all) and not is_told:
                bits |= bit
        return bits if len(self.objects) == len(self.parts) else 0

    @cached_property
    def item(self) -> Shape | None:
        nodes: list[Node] = []
        for part in self.parts:
            if part.kind == "list" and part.item is not None:
                nodes.append(part.item)
            elif part.kind == "tuple":
                nodes += part.parts
            elif part.kind == "any":
                nodes.append(part)
        return self.grammar.merged(nodes) if nodes else None

    def item_at(self, index: int) -> Shape | None:
        """Returns the shape of the item at an index. Only tuples have different ones."""
        if self.is_tuple:
            parts = self.parts[0].parts
            return self.grammar.shape(parts[min(index, len(parts) - 1)]) if parts else None
        return self.item

    @cached_property
    def is_tuple(self) -> bool:
        return len(self.parts) == 1 and self.parts[0].kind == "tuple"

    @cached_property
    def shells(self) -> dict[type, Callable[[Any], Any]]:
        """The functions that put known values into a Box with all fields, and into a list."""
        return shells(self.sole, self.fields)

    @cached_property
    def keeps_extra(self) -> bool:
        return any(part.keeps_extra for part in self.parts)

    @cached_property
    def value(self) -> Shape | None:
        nodes = [part.item for part in self.parts if part.kind == "map" and part.item is not None]
        nodes += [part for part in self.parts if part.kind == "any"]
        return self.grammar.merged(nodes) if nodes else None

    @cached_property
    def is_map(self) -> bool:
        return any(part.kind == "map" for part in self.parts)

    @cached_property
    def is_list(self) -> bool:
        return any(part.kind in ("list", "tuple") for part in self.parts)

    @cached_property
    def classes(self) -> dict[str, Shape]:
        """Shapes by the folded names of their classes or kinds: those of a union's options, and an object's own."""
        found: dict[str, Shape] = {}
        for part in self.parts:
            if part.name:
                found.setdefault(fold(part.name), self.grammar.shape(part))
        if self.node.kind == "union":
            for name, part in self.node.options().items():
                found.setdefault(fold(name), self.grammar.shape(part))
        return found

    @cached_property
    def by_item(self) -> dict[str, list[tuple[Field, Shape, int]]]:
        """The fields that are lists, each with the shape of its items, by the folded names of these."""
        found: dict[str, list[tuple[Field, Shape, int]]] = {}
        for field, shape, bit in self.fields.values():
            if shape.item is not None and shape.is_list:
                for name in shape.item_names(field.name).difference(ITEM_NAMES):
                    found.setdefault(name, []).append((field, shape.item, bit))
        return found

    def item_names(self, name: str) -> frozenset[str]:
        """Returns the folded names of the items of a list: `li`, the list's own or its singular, the item's class."""
        folded = fold(name)
        names = {*ITEM_NAMES, folded, *singulars(folded)}
        if self.item is not None:
            names.update(self.item.classes)
        return frozenset(names)

    @cached_property
    def may_be(self) -> Callable[[str], Any]:
        """A test of whether a text looks like a value: it has a word or a character that values of an option have."""
        signs = [_SIGNS.get(part.kind, "") for part in self.parts]
        for part in self.parts:
            if part.kind == "enum":
                words = {text for choice in part.choices for text in (choice_text(choice), *part.members) if text}
                signs.append("|".join(re.escape(word) for word in sorted(words)))
            if part.nullable is not False:
                signs.append(r"\b(?:null|none|nil|n/a|unknown|not)\b|\A[\W_]*+\Z")
        pattern = re.compile("|".join(sign for sign in signs if sign), re.IGNORECASE)
        return pattern.search


_UNASKED: Any = object()
_NUMBER = r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|nan|inf)"
_SIGNS = {
    **dict.fromkeys(("int", "float", "decimal"), _NUMBER),
    **dict.fromkeys(("date", "time", "datetime", "duration", "uuid"), r"\d|noon|midnight|day"),
    "bool": r"\b(?:true|false|yes|no|y|n|t|f|on|off|0|1)\b|[\u2610\u2611\u2713\u2714\u2705\u2717\u2718\u274c]",
    "bytes": r"\A[\s\w+/=-]*+\Z",
}
"""A pattern for each kind that nearly every value of it matches, however it is written."""


@dataclass(slots=True, eq=False, repr=False)
class State:
    """A stack of open elements: the innermost one, its filled fields, and the state around it.

    Attributes:
        kind: The kind of the rows in the transition table: "start", "elements", "string", "value" (in JSON "quoted",
            "scalar"), "skipped", "comment", and after the answer "behind", "around", "ended", "done".
        name: The name of the element in the reply.
        closer: The name of its closing tag, "" if its opening tag is missing.
        filled: The bits of filled fields, or a tuple's count; -1 behind a union's option; 1 if a text holds too much.
        wraps: Whether it wraps the content of its parent, which takes over its `filled`.
        depth: The number of open elements in a text or in a skipped element; for JSON see `rows_json`.
        is_paired: Whether its opening tag has a partner.
        count: The number of open elements around it.
        moves: What is known of its moves, for each symbol and for each question of `table`.
    """

    kind: str
    shape: Shape
    name: str
    closer: str
    filled: int
    is_fresh: bool
    wraps: bool
    depth: int
    parent: State | None
    is_paired: bool
    count: int
    moves: dict[Any, Any]


_PROPERTIES = ("kind", "shape", "name", "closer", "filled", "is_fresh", "wraps", "depth", "parent", "is_paired")
"""The properties that identify a state."""
_VALUES = attrgetter(*_PROPERTIES)


class Grammar:
    """The shapes and states of one plan, each of which exists once, whichever thread makes it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.shapes: dict[Node, Shape] = {}
        self.unions: dict[tuple[Node, ...], Shape] = {}
        self.entries: dict[Shape, Shape] = {}
        self.states: dict[tuple[Any, ...], State] = {}
        self.remembered = 0
        self.called: dict[str, tuple[str, bool]] = {}
        self.own_values: dict[Node, Callable[[str], Any]] = {}  # the readers of texts that are their own values
        self.root = self.shape(plan.root)
        self.root_names = frozenset({fold(plan.root_name), fold(plan.class_name)})

    def shape(self, node: Node) -> Shape:
        made = self.shapes.get(node)
        if made is None:
            made = self.shapes.setdefault(node, Shape(self, node))
        return made

    def merged(self, nodes: list[Node]) -> Shape:
        nodes = list(dict.fromkeys(nodes))
        if len(nodes) == 1:
            return self.shape(nodes[0])
        made = self.unions.get(tuple(nodes))
        if made is None:
            nullable = any(node.nullable is not False for node in nodes)
            union = Shape(self, Node("union", parts=tuple(nodes), nullable=nullable))
            made = self.unions.setdefault(tuple(nodes), union)
        return made

    def entry_shape(self, value: Shape) -> Shape:
        """Returns the shape of a map's entry that has its key and its value as elements."""
        made = self.entries.get(value)
        if made is None:
            fields = {"key": Field("key", STR, aliases=("name",)), "value": Field("value", value.node, required=False)}
            if value.node.kind == "dict":
                fields = {**value.node.fields, **fields}
            made = self.entries.setdefault(value, self.shape(Node("dict", fields=fields, nullable=False)))
        return made

    def state(  # noqa: PLR0913, PLR0917
        self,
        kind: str,
        shape: Shape,
        name: str,
        closer: str,
        filled: int = 0,
        is_fresh: bool = True,
        wraps: bool = False,
        depth: int = 0,
        parent: State | None = None,
        is_paired: bool = False,
    ) -> State:
        key = (kind, shape, name, closer, filled, is_fresh, wraps, depth, parent, is_paired)
        made = self.states.get(key)
        if made is None:
            made = self.states.setdefault(key, State(*key, 0 if parent is None else parent.count + 1, {}))
        return made

    def named(self, name: str) -> tuple[str, bool]:
        """Returns the name that symbols use for an element, and whether it is known. All odd names share one."""
        known = self.called.get(name)
        if known is None:
            folded = fold(name)
            is_told = folded in self.names or not folded or any(is_near(folded, each) for each in self.names)
            if len(self.called) >= MAX_NAMES:
                self.called.clear()
            known = self.called[name] = name if is_told else "?", folded in self.names
        return known

    def remember(self, more: int) -> None:
        """Counts the cached moves, and clears the cache when it is full. Readings in progress keep theirs."""
        self.remembered += more
        if self.remembered + len(self.states) > MAX_STATES:
            self.states = {}
            self.remembered = 0

    def changed(self, s: State, **changes: Any) -> State:
        return self.state(*(dict(zip(_PROPERTIES, _VALUES(s), strict=True)) | changes).values())

    @cached_property
    def field_names(self) -> frozenset[str]:
        """The names of all fields. Each may be the key of an entry, as names that are not valid in XML have to be."""
        return frozenset(name for node in walk(self.plan.root) for name in node.fields)

    @property
    def start(self) -> State:
        return self.state("start", self.root, "", "")

    @property
    def rootless(self) -> State:
        return self.state("start", self.root, "", "", -1)

    @cached_property
    def names(self) -> frozenset[str]:
        found = {*self.root_names, *ITEM_NAMES}
        for node in walk(self.plan.root):
            for name, field in node.fields.items():
                found |= {fold(each) for each in (name, *field.aliases)}
                if field.node.kind in ("list", "tuple"):
                    found |= singulars(fold(name))
            if node.name:
                found |= {fold(node.name), fold(snake_case(node.name))}
            if node.kind == "union":
                found |= {fold(name) for name in node.options()}
            if node.kind == "map":
                found |= {"key", "value"}
        return frozenset(name for name in found if name)


@per_plan
def grammar_of(plan: Plan) -> Grammar:
    return Grammar(plan)
