"""What may stand in an element, compiled from the definition: which tag in it would be what.

A shape is a node as the structure of a reply sees it. A union is one shape that takes what any of its options
takes; which option it is, is decided once everything in it is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ...definition import ITEM_NAMES, MARKED, Field, Node, Plan, fold, per_plan, singulars, snake_case, spelling
from .elements import CHOSEN, ENTRY, EXTRA, FIELD, IMPLICIT, ITEM, LISTED, OPTION, PAIR, PAIR_VALUES
from .runs import runs_of
from .tokens import Head, attribute, known_names

__all__ = [
    "SHORT_NAME",
    "PairShape",
    "Place",
    "Shape",
    "entry_names",
    "is_near",
    "is_near_for_sure",
    "root_shape",
]


class Place(NamedTuple):
    """What a tag is in some shape: its role, the name of the field it fills (or of its option), and its own shape."""

    role: str
    name: str
    shape: Shape


class Shape:
    """What may stand in an element of some node that is called `own`. `names` are all that the definition knows."""

    def __init__(self, node: Node, own: str, known: dict[tuple[int, str], Shape], names: frozenset[str]) -> None:
        self.node = node
        self.names = names
        self.own = own
        self.known = known
        self.places: dict[str, Place | None] = {}
        self.views = list(_views(node))
        kinds = {view.kind for view in self.views}
        self.holds_fields = "dict" in kinds
        self.holds_items = bool(kinds & {"list", "tuple"})
        self.holds_entries = "map" in kinds
        self.is_leaf = not (self.holds_fields or self.holds_items or self.holds_entries)
        self.is_any = "any" in kinds
        self.keeps_extra = any(view.keeps_extra for view in self.views)
        self.is_verbatim = bool(kinds & {"str", "any"})
        self.needs = [frozenset(_required_by(view)) for view in self.objects()]  # by each object that it may be
        self.required = frozenset.intersection(*self.needs) if kinds == {"dict"} else frozenset()
        self.length = len(node.parts) if node.kind == "tuple" else 0  # items that have to be there
        self.runs = runs_of(node, names)
        self._items: Shape | None = None
        self._near: dict[str, Field | None] = {}

    def place(self, head: Head) -> Place | None:
        """What a tag is here, by its exact or its folded name; None where it is nothing."""
        try:
            return self.places[head.ident]
        except KeyError:
            found = self._place(head)
            if len(self.places) < _MAX_PLACES:
                self.places[head.ident] = found
            return found

    def _place(self, head: Head) -> Place | None:
        if self.holds_fields:
            found = self.field(head)
            if found is not None:
                return found
        option = self.option(head)
        if option is not None:
            return option
        if self.holds_items and not self.item_names.isdisjoint(_unnumbered(head)):
            return Place(ITEM, "", self.items())
        if self.holds_items and self.items().holds_fields and self.items().field(head) is not None:
            return Place(IMPLICIT, "", self.items())
        if self.holds_fields:
            chosen, listed = self._chosen(head), self.listed(head)
            is_needed = chosen is not None and (listed is None or chosen.name in self.required)
            if is_needed or listed is not None:
                return chosen if is_needed else listed
        return Place(ENTRY, "", self.entries()) if self.holds_entries else None

    def field(self, head: Head) -> Place | None:
        """The field of an object that a tag is."""
        fields = [field for view in self.objects() if (field := _field_of(view, head)) is not None]
        if not fields:
            return None
        return Place(FIELD, fields[0].name, self.below([field.node for field in fields], fields[0].name))

    def option(self, head: Head) -> Place | None:
        """The option of a union that a tag is."""
        for name, option in _options(self.node) if self.node.kind == "union" else ():
            if fold(name) == head.key or (option.name and fold(option.name) in (head.key, fold(head.name))):
                return Place(OPTION, name, self.below([option], name))
        return None

    def _chosen(self, head: Head) -> Place | None:
        """The tag of an option where that of its field should be, if it is an option of only one field."""
        fields = [] if head.key in self.classes else [field for field, names in self._unions if head.key in names]
        if len(fields) != 1:
            return None
        return Place(CHOSEN, fields[0].name, self.below([fields[0].node], fields[0].name))

    @cached_property
    def _unions(self) -> list[tuple[Field, set[str]]]:
        """The fields that are unions of objects, each with what the tags of these may be called."""
        fields = [field for view in self.objects() for field in view.fields.values() if field.node.kind == "union"]
        return [(field, set(_object_tags(field.node))) for field in fields]

    def listed(self, head: Head) -> Place | None:
        """A tag of a list field's item where the list's own tag should be. The own class's tag is one around it all."""
        return None if head.key in self.classes else self.nested(head)

    @cached_property
    def classes(self) -> set[str]:
        """The folded names of the classes that it may be."""
        return {fold(view.name) for view in self.objects() if view.name}

    @cached_property
    def class_tags(self) -> set[str]:
        """The folded tags that may stand around all of an object that it may be."""
        return self.classes | (set(_object_tags(self.node)) if self.node.kind == "union" else set())

    def nested(self, head: Head) -> Place | None:
        """The one field whose item a tag names, or which could be the object of the own class that it names."""
        forms = _unnumbered(head)
        found = [field for field, names in self._lists if not names.isdisjoint(forms)]
        found += [field for field in self.of_own_class(head) if field.node.kind == "dict"]
        if len(found) != 1:
            return None
        role = LISTED if found[0].node.kind == "list" else FIELD
        return Place(role, found[0].name, self.below([found[0].node], found[0].name))

    def of_own_class(self, head: Head) -> list[Field]:
        """The fields that could be an object of the own class, whose tag stands in it."""
        if head.key not in self.classes:
            return []
        return [field for view in self.objects() if fold(view.name or "") == head.key for field in view.of_own_class()]

    @cached_property
    def _lists(self) -> list[tuple[Field, set[str]]]:
        """The list fields, each with what one of its items may be called."""
        fields = [field for view in self.objects() for field in view.fields.values()]
        return [(field, _singular_names(field)) for field in fields if field.node.kind == "list"]

    def mapped(self, head: Head) -> Place | None:
        """The map whose entry a tag with a key is, by its singular or the class of its values, if there is only one."""
        found = [field for field, names in self._maps if head.key in names] if "key" in head.rest else []
        if len(found) != 1 or attribute(head.rest, "key") is None:
            return None
        return Place(FIELD, found[0].name, self.below([found[0].node], found[0].name))

    @cached_property
    def _maps(self) -> list[tuple[Field, frozenset[str]]]:
        """The maps, each with what one of its entries may be called."""
        fields = [field for view in self.objects() for field in view.fields.values() if field.node.kind == "map"]
        return [(field, entry_names(field.name, [field.node]) - (set(ITEM_NAMES) - {"entry"})) for field in fields]

    def near(self, head: Head) -> Field | None:
        """The one field whose name is a number or a misspelling away, nearer than any other."""
        try:
            return self._near[head.ident]
        except KeyError:
            found = self._nearest(head)
            if len(self._near) < _MAX_PLACES:
                self._near[head.ident] = found
            return found

    def _nearest(self, head: Head) -> Field | None:
        fields = {field.name: field for view in self.objects() for field in view.fields.values()}
        plain = head.key.rstrip("0123456789")
        numbered = [field for name, field in fields.items() if fold(name) == plain != head.key]
        if numbered:
            return numbered[0]  # as `title2` is
        near = {
            name: _distance(fold(name), head.key)
            for name in fields
            if len(name) > SHORT_NAME and is_near_for_sure(fold(name), head.key)
        }
        nearest = [name for name, distance in near.items() if distance == min(near.values())]
        if len({fold(name) for name in nearest}) == 1:
            spelt = {name: _distance(spelling(name), spelling(head.tag)) for name in nearest}
            nearest = [name for name, distance in spelt.items() if distance == min(spelt.values())]
        return fields[nearest[0]] if len(nearest) == 1 else None

    def objects(self) -> Iterator[Node]:
        """The nodes of objects that it may be."""
        return (view for view in self.views if view.kind == "dict")

    def items(self) -> Shape:
        """The shape of an item."""
        if self._items is None:
            nodes = [node for view in self.views for node in _items(view)]
            self._items = self.below(nodes, "li")
        return self._items

    def entries(self) -> Shape:
        """The shape of a map's value."""
        return self.below([view.item for view in self.views if view.kind == "map" and view.item is not None], "entry")

    @cached_property
    def item_names(self) -> frozenset[str]:
        """What an item may be called, folded: an item, the list's own name or its singular, the item's class."""
        own = fold(self.own)
        items = [node for view in self.views for node in _items(view)]
        classes = {node.name for item in items for node in (item, *_views(item)) if node.name}
        return frozenset({*ITEM_NAMES, own, *singulars(own), *map(fold, classes), *map(_snake_folded, classes)} - {""})

    @cached_property
    def entry_names(self) -> frozenset[str]:
        """What an entry of a map may be called without that being its key, folded."""
        return entry_names(self.own, self.views)

    def below(self, nodes: list[Node], own: str) -> Shape:
        """The shape of a value that may be any of some nodes."""
        distinct = list({id(node): node for node in nodes}.values())
        node = distinct[0] if len(distinct) == 1 else Node("union", parts=tuple(distinct))
        key = (id(node), own) if len(distinct) == 1 else (hash(tuple(map(id, distinct))), own)
        if key not in self.known:
            self.known[key] = Shape(node, own, self.known, self.names)
        return self.known[key]

    def kept(self, head: Head) -> Place | None:
        """A tag that no field has, where the model keeps such, and its `type` says that it holds others."""
        mark = attribute(head.rest, "type") if self.keeps_extra else None
        return Place(EXTRA, "", self.below([MARKED[mark]], head.name)) if mark in ("list", "map") else None

    def marked(self, head: Head) -> Shape:
        """The shape that an element's `type` attribute names, where it decides; else this one."""
        mark = attribute(head.rest, "type")
        if mark is None:
            return self
        if self.node.kind == "union" and mark in self.node.options():
            return self.below([self.node.options()[mark]], self.own)
        if mark in MARKED and any(view.kind == "any" for view in self.views):
            return self.below([MARKED[mark]], self.own)
        return self


class PairShape(Shape):
    """The shape of a map's entry that has elements for its key, with the folded name `key`, if that is in it, and its
    value. Of a scalar, any other element is the value.
    """

    def __init__(self, value: Shape, key: str) -> None:
        super().__init__(Node("dict"), "entry", value.known, value.names)
        self.value = value
        self.key = key

    def _place(self, head: Head) -> Place | None:
        if head.key == self.key:
            return Place(PAIR, "key", self.below([MARKED["str"]], "key"))
        is_value = head.key in PAIR_VALUES or self.value.is_leaf
        return Place(PAIR, "value", self.value) if is_value else self.value.place(head)


_MAX_PLACES = 4_096
SHORT_NAME = 4
"""Letters of a name that is too short to be told from another word once it is misspelt."""


@per_plan
def root_shape(plan: Plan) -> Shape:
    """The shape of the answer itself."""
    return Shape(plan.root, plan.root_name, {}, known_names(plan))


def entry_names(own: str, views: Iterable[Node]) -> frozenset[str]:
    """What an entry of a map, called `own`, may be called without that being its key, folded: an item, the map's own
    name or its singular, the value's class.
    """
    values = [view.item for view in views if view.kind == "map" and view.item is not None]
    classes = {fold(node.name) for value in values for node in (value, *_views(value)) if node.name}
    return frozenset({*ITEM_NAMES, fold(own), *singulars(fold(own)), *classes} - {""})


def _views(node: Node) -> Iterator[Node]:
    """A node, or the options of a union, flat."""
    if node.kind != "union":
        yield node
    for part in node.parts if node.kind == "union" else ():
        yield from _views(part)


def _options(union: Node) -> Iterator[tuple[str, Node]]:
    """The options of a union by name, those of unions in it among them."""
    for name, option in union.options().items():
        if option.kind == "union":
            yield from _options(option)
        else:
            yield name, option


def _object_tags(union: Node) -> Iterator[str]:
    """The folded tags of the objects that a union may be."""
    for name, option in _options(union):
        if option.kind == "dict":
            yield from (fold(name), fold(option.name or name))


def _required_by(node: Node) -> Iterator[str]:
    return (name for name, field in node.fields.items() if field.required)


def _unnumbered(head: Head) -> tuple[str, str]:
    """The folded name of a tag, and what is left of it without a number: `step_2` is a step."""
    return head.key, head.key.rstrip("0123456789")


def _snake_folded(name: str) -> str:
    return fold(snake_case(name))


def _field_of(node: Node, head: Head) -> Field | None:
    """The field that an element fills: by its name in the definition's form, else by its tag."""
    field = node.field_of(head.name)
    return node.field_of(head.tag) if field is None and head.tag != head.name else field


def _items(view: Node) -> tuple[Node, ...]:
    if view.kind == "tuple":
        return view.parts
    return (view.item,) if view.kind == "list" and view.item is not None else ()


def _singular_names(field: Field) -> set[str]:
    names = {single for name in (field.name, *field.aliases) for single in singulars(fold(name))}
    item = field.node.item
    classes = {node.name for node in (item, *_views(item)) if node.name} if item is not None else set()
    return (names | {fold(name) for name in classes}) - {""}


def is_near(name: str, written: str) -> bool:
    """Whether one name is another one misspelt: an edit or two away, for names of two letters never."""
    allowed = _distance_allowed(name)
    if name == written or abs(len(name) - len(written)) > allowed or len(set(name) ^ set(written)) > 2 * allowed:
        return False
    return _distance(name, written) <= allowed


def is_near_for_sure(name: str, written: str) -> bool:
    """Whether a tag is a field's name misspelt, and no other word: of two letters that differ, none may be another one,
    as in `title` and `table`, or `min_price` and `max_price`. A closing tag may be further off, for something is to be
    closed.
    """
    return is_near(name, written) and _distance(name, written, another=2) <= _distance_allowed(name)


def _distance_allowed(name: str) -> int:
    return 0 if len(name) <= 2 else 1 if len(name) <= SHORT_NAME else 2


def _distance(a: str, b: str, another: int = 1) -> int:
    """The number of letters to insert, drop, change or swap with a neighbour that leads from one name to the other.
    `another` is how many of these count for a letter that is another one.
    """
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (another if letter != other else 0))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, last = last, row
    return last[-1]
