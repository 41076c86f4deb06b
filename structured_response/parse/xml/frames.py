"""An open element: what has its place in it, what is there already, what it lacks."""

from __future__ import annotations

from .elements import CHOSEN, ENTRY, FIELD, ITEM, OPTION, Element
from .shape import Place, Shape
from .sieve import SHOWN
from .tokens import Head, attributes

__all__ = ["Frame"]


class Frame:
    """An open element."""

    __slots__ = ("element", "first", "form", "is_decided", "key", "seen", "shape", "token")

    def __init__(self, element: Element, shape: Shape, key: str, token: int) -> None:
        self.element = element
        self.shape = shape
        self.key = key
        self.token = token
        self.seen: set[str] = set()
        self.first = ""
        self.form = ""  # the folded name of a map's entries, where an attribute has the key
        self.is_decided = False  # an option's own tag stands in it

    def takes(self, head: Head) -> Place | None:
        """What a tag would be in here, if there is still room for it."""
        place = None if self.is_decided else self.shape.place(head)
        if place is None or (place.role is FIELD and (place.name in self.seen or self.is_of_next(place.name))):
            return None
        if place.role is CHOSEN and place.name in self.seen:
            return self.shape.listed(head)
        return None if place.role is OPTION and self.seen else place  # it comes before any field

    def rival(self, head: Head) -> Place | None:
        """What a tag is in a union in which the own tag of an option stands, if it is another one's."""
        place = self.shape.place(head) if self.is_decided else None
        return place if place is not None and place.role is OPTION else None

    def is_of_next(self, name: str) -> bool:
        """Whether a field is one of the next item, where the objects of a list of unions run together: all is there of
        one option, and none has that field besides.
        """
        if self.token >= 0 or self.element.role is not ITEM or self.shape.node.kind != "union":
            return False
        has_both = any(name in view.fields and self.seen <= view.fields.keys() for view in self.shape.objects())
        return not has_both and self.is_whole()

    def expects(self, head: Head) -> Place | None:
        """What a tag would be in here, if that is no part of a text: a map whose entries have their keys in attributes
        goes on with another one of these only.
        """
        place = self.takes(head)
        return None if place is not None and place.role is ENTRY and not self.is_of_form(head) else place

    def is_of_form(self, head: Head) -> bool:
        """Whether a tag begins an entry as those before it do."""
        return not self.form or self.is_keyed(head)

    def is_keyed(self, head: Head) -> bool:
        """Whether a tag is that of an entry with its key in an attribute, as those before it."""
        return bool(self.form) and head.key == self.form and "=" in head.rest

    def lacks(self) -> set[str]:
        """The required fields that are not there yet, be it as attributes."""
        missing = set(self.shape.required - self.seen)
        return missing - self.in_tag() if missing and "=" in self.element.head.rest else missing

    def in_tag(self) -> set[str]:
        """The fields that attributes name, but for those that a prompt shows."""
        names = [name for name, _given in attributes(self.element.head.rest) if name != "type" and name not in SHOWN]
        fields = (view.field_named(name) for view in self.shape.objects() for name in names)
        return {field.name for field in fields if field is not None and field.node.is_text()}

    def is_whole(self) -> bool:
        """Whether all is there that is required by one of the objects that it may be."""
        return any(needed <= self.seen for needed in self.shape.needs)

    def has_room(self) -> bool:
        """Whether anything else could stand in it."""
        names = {name for view in self.shape.views for name in view.fields}
        return self.shape.holds_items or self.shape.holds_entries or not names <= self.seen

    def holds_any(self) -> bool:
        """Whether something stands in it already, in elements or in attributes."""
        return bool(self.element.children) or "=" in self.element.head.rest

    def is_short(self) -> bool:
        """Whether something is missing that has to be there."""
        return bool(self.shape.required - self.seen) or len(self.element.children) < self.shape.length

    def wants(self, head: Head) -> bool:
        """Whether a tag is that of something missing."""
        place = self.shape.place(head)
        if place is None:
            return False
        return place.role is ITEM if self.shape.length else place.role is FIELD and place.name in self.lacks()
