"""A definition becomes a grammar: the shapes that elements may have, and the states that a reading can be in.

A `Shape` says what an element may hold: fields, items, entries, options, text. A union is one shape that may hold
what any of its options may, so it needs no rules of its own. A `State` is the stack of elements that are open, each
with what is filled in it. States are made when they are first needed and shared by all readings of a plan; each
remembers the moves that each symbol allows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

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

__all__ = ["Grammar", "Shape", "State", "grammar_of"]

MAX_STATES = 40_000
"""States and moves that a plan remembers. Replies of one definition need hundreds; hostile nesting could make them
without end.
"""

MAX_NAMES = 500
"""Names of elements that a shape remembers."""

MAX_OPEN = 220
"""Elements that may be open at once: a few more than data may be deep."""


class Shape:
    """What an element may hold. Compiled from one node, or from the nodes that several options of a union have."""

    __slots__ = ("__dict__", "grammar", "node")

    def __init__(self, grammar: Grammar, node: Node) -> None:
        self.grammar = grammar
        self.node = node

    @cached_property
    def parts(self) -> tuple[Node, ...]:
        """The node, or all options of a union, unions among them taken apart."""
        found: list[Node] = []
        waiting = [self.node]
        while waiting:
            node = waiting.pop(0)
            if node.kind == "union":
                waiting = [*node.parts, *waiting]
            elif node not in found:
                found.append(node)
        return tuple(found)

    @cached_property
    def is_text(self) -> bool:
        """Whether it is written as one text in any case."""
        return all(part.kind in SCALARS and part.kind != "any" for part in self.parts)

    @cached_property
    def takes_text(self) -> bool:
        """Whether it may be written as one text."""
        return any(part.kind in SCALARS for part in self.parts)

    @cached_property
    def is_verbatim(self) -> bool:
        """Whether its text may hold any characters, markup too."""
        return any(part.kind in ("str", "any") for part in self.parts)

    @cached_property
    def objects(self) -> tuple[Node, ...]:
        """The options that have fields."""
        return tuple(part for part in self.parts if part.kind == "dict")

    @cached_property
    def fields(self) -> dict[str, tuple[Field, Shape, int]]:
        """For each field its description, its shape and its bit among what is filled. A field that several options
        have is read as any of them.
        """
        found: dict[str, list[Field]] = {}
        for part in self.objects:
            for name, field in part.fields.items():
                found.setdefault(name, []).append(field)
        return {
            name: (fields[0], self.grammar.merged([field.node for field in fields]), 1 << index)
            for index, (name, fields) in enumerate(found.items())
        }

    def field(self, name: str) -> tuple[Field, Shape, int] | None:
        """The field that an element's name stands for: by its name, an alias, or the folded form of either."""
        if name in self.named:
            return self.named[name]
        fields = (part.field_of(name) for part in self.objects)
        field = next((field for field in fields if field is not None), None)
        if len(self.named) >= MAX_NAMES:
            self.named.clear()
        found = self.named[name] = self.fields[field.name] if field is not None else None
        return found

    @cached_property
    def named(self) -> dict[str, tuple[Field, Shape, int] | None]:
        """What `field` has found for the names that replies used."""
        return {**self.fields}

    @cached_property
    def required(self) -> int:
        """The bits of the fields that every option requires."""
        bits = 0
        for name, (_field, _shape, bit) in self.fields.items():
            in_all = [part.fields[name] for part in self.objects if name in part.fields]
            # A constant of an option may be told by its tag, or by the fields beside it.
            is_told = all(len(field.node.choices) == 1 for field in in_all)
            if len(in_all) == len(self.objects) and all(field.required for field in in_all) and not is_told:
                bits |= bit
        return bits if len(self.objects) == len(self.parts) else 0

    @cached_property
    def item(self) -> Shape | None:
        """The shape of the items of a list, or of the values of a tuple."""
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
        """The shape of the item at an index; only those of tuples differ."""
        if len(self.parts) == 1 and self.parts[0].kind == "tuple":
            parts = self.parts[0].parts
            return self.grammar.shape(parts[min(index, len(parts) - 1)]) if parts else None
        return self.item

    @cached_property
    def is_tuple(self) -> bool:
        return len(self.parts) == 1 and self.parts[0].kind == "tuple"

    @cached_property
    def keeps_extra(self) -> bool:
        """Whether an object keeps elements that nothing asks for."""
        return any(part.keeps_extra for part in self.parts)

    @cached_property
    def value(self) -> Shape | None:
        """The shape of the values of a map."""
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
        """Shapes by the folded names of their classes: of the options of a union, and of an object's own class. Options
        without a class go by their kind.
        """
        found: dict[str, Shape] = {}
        for part in self.parts:
            if part.name:
                found.setdefault(fold(part.name), self.grammar.shape(part))
        if self.node.kind == "union":
            for name, part in self.node.options().items():
                found.setdefault(fold(name), self.grammar.shape(part))
        return found

    def item_names(self, name: str) -> frozenset[str]:
        """The folded names that items of a list called `name` may have: `li`, the list's own name or its singular, the
        item's class.
        """
        folded = fold(name)
        names = {*ITEM_NAMES, folded, *singulars(folded)}
        if self.item is not None:
            names.update(self.item.classes)
        return frozenset(names)

    @cached_property
    def may_be(self) -> Callable[[str], Any]:
        """A test whether a text could be a value at first sight: for any option one word or one character of it."""
        signs = [_SIGNS.get(part.kind, "") for part in self.parts]
        for part in self.parts:
            if part.kind == "enum":
                words = {text for choice in part.choices for text in (choice_text(choice), *part.members) if text}
                signs.append("|".join(re.escape(word) for word in sorted(words)))
            if part.nullable is not False:
                signs.append(r"\b(?:null|none|nil|n/a|unknown|not)\b|\A[\W_]*+\Z")
        pattern = re.compile("|".join(sign for sign in signs if sign), re.IGNORECASE)
        return pattern.search

    def __repr__(self) -> str:
        return f"<Shape {self.node!r}>"


_NUMBER = r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|nan|inf)"
_SIGNS = {
    **dict.fromkeys(("int", "float", "decimal"), _NUMBER),
    **dict.fromkeys(("date", "time", "datetime", "duration", "uuid"), r"\d|noon|midnight|day"),
    "bool": r"\b(?:true|false|yes|no|y|n|t|f|on|off|0|1)\b|[\u2713\u2714\u2705\u2717\u2718\u274c]",
    "bytes": r"\A[\s\w+/=-]*+\Z",
}
"""For each kind what any value of it has, however it is written."""


@dataclass(slots=True, eq=False)
class State:
    """The innermost open element, what is filled in it, and the state around it.

    `kind` is that of a row of the transition table: "start", "elements", "value", "string", "skipped", "behind",
    "done". `name` is what the element is called in the reply, `closer` what its closing tag is called, "" where its
    opening tag is missing. `filled` are the bits of fields, or the number of a tuple's values. `wraps`: it stands
    around the content of its parent, which takes over what is filled. `depth` counts open elements of the
    same name in a text or in what is skipped. `is_paired`: its opening tag has a partner. `count` is the number
    of elements that are open around it.
    """

    kind: str
    shape: Shape
    name: str
    closer: str
    filled: int
    is_fresh: bool
    wraps: str
    depth: int
    parent: State | None
    is_paired: bool
    count: int
    moves: dict[Any, Any]

    def __repr__(self) -> str:
        around = f"{self.parent!r} > " if self.parent is not None else ""
        more = f":{self.filled:b}" if self.filled else ""
        return f"{around}{self.kind} {self.name}{more}"


_PROPERTIES = ("kind", "shape", "name", "closer", "filled", "is_fresh", "wraps", "depth", "parent", "is_paired")
"""What tells states apart."""


class Grammar:
    """The shapes and states of one plan."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.shapes: dict[Node, Shape] = {}
        self.unions: dict[tuple[Node, ...], Shape] = {}
        self.entries: dict[Shape, Shape] = {}
        self.states: dict[tuple[Any, ...], State] = {}
        self.remembered = 0
        self.called: dict[str, tuple[str, bool]] = {}
        self.root = self.shape(plan.root)
        self.root_names = frozenset({fold(plan.root_name), fold(plan.class_name)})

    def shape(self, node: Node) -> Shape:
        made = self.shapes.get(node)
        if made is None:
            made = self.shapes[node] = Shape(self, node)
        return made

    def merged(self, nodes: list[Node]) -> Shape:
        """The shape of what may be any of some nodes."""
        nodes = list(dict.fromkeys(nodes))
        if len(nodes) == 1:
            return self.shape(nodes[0])
        made = self.unions.get(tuple(nodes))
        if made is None:
            nullable = any(node.nullable is not False for node in nodes)
            made = self.unions[tuple(nodes)] = Shape(self, Node("union", parts=tuple(nodes), nullable=nullable))
        return made

    def entry_shape(self, value: Shape) -> Shape:
        """The shape of a map's entry whose key and value are elements of their own."""
        made = self.entries.get(value)
        if made is None:
            fields = {"key": Field("key", _KEY, aliases=("name",)), "value": Field("value", value.node, required=False)}
            if value.node.kind == "dict":
                fields = {**value.node.fields, **fields}
            made = self.entries[value] = self.shape(Node("dict", fields=fields, nullable=False))
        return made

    def state(  # noqa: PLR0913, PLR0917
        self,
        kind: str,
        shape: Shape,
        name: str,
        closer: str,
        filled: int = 0,
        is_fresh: bool = True,
        wraps: str = "",
        depth: int = 0,
        parent: State | None = None,
        is_paired: bool = False,
    ) -> State:
        """The one state with these properties."""
        key = (kind, shape, name, closer, filled, is_fresh, wraps, depth, parent, is_paired)
        made = self.states.get(key)
        if made is None:
            made = self.states[key] = State(*key, 0 if parent is None else parent.count + 1, {})
        return made

    def named(self, name: str) -> tuple[str, bool]:
        """What a symbol calls an element of that name, and whether the definition knows it. Names that are near to none
        of the definition's are all the same: a symbol for each would have moves of its own.
        """
        known = self.called.get(name)
        if known is None:
            folded = fold(name)
            is_told = folded in self.names or not folded or any(is_near(folded, each) for each in self.names)
            if len(self.called) >= MAX_NAMES:
                self.called.clear()
            known = self.called[name] = name if is_told else "?", folded in self.names
        return known

    def remember(self, more: int) -> None:
        """Counts what is remembered, and forgets all of it past the bound. Readings under way keep what they have."""
        self.remembered += more
        if self.remembered + len(self.states) > MAX_STATES:
            self.states = {}
            self.remembered = 0

    def changed(self, s: State, **changes: Any) -> State:
        """A state like another one but for some properties."""
        properties = {name: getattr(s, name) for name in _PROPERTIES}
        return self.state(**{**properties, **changes})

    @cached_property
    def field_names(self) -> frozenset[str]:
        """The names of all fields: each may be the key of an entry, as those that are no XML names have to be."""
        return frozenset(name for node in walk(self.plan.root) for name in node.fields)

    @property
    def start(self) -> State:
        """The state in front of the answer."""
        return self.state("start", self.root, "", "")

    @property
    def rootless(self) -> State:
        """The state in front of an answer that the root's tag does not stand around."""
        return self.state("start", self.root, "", "", -1)

    @cached_property
    def names(self) -> frozenset[str]:
        """The folded names of everything that an element may be called in a reply."""
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


_KEY = Node("str", nullable=False)


@per_plan
def grammar_of(plan: Plan) -> Grammar:
    """The grammar of a plan, made once."""
    return Grammar(plan)
