"""Tags that the innermost open element cannot take: meant there all the same, for one further out, or unknown."""

from __future__ import annotations

from ...definition import fold
from ...findings import RepairKind
from .elements import ENTRY, FIELD, GUESSED, ITEM, LISTED, OPTION, OWN, Element
from .frames import Frame
from .roots import Roots
from .shape import Place
from .tokens import OPEN, Head

__all__ = ["Unexpected"]


class Unexpected(Roots):
    """Finds the place of tags that have none where they stand."""

    def handed_down(self, i: int, head: Head) -> int:
        """A tag that the innermost element cannot take: that gets it all the same if it was meant there, else the next
        one below that can.
        """
        meant = self.meant_here(self.frames[-1], i, head)
        if meant:
            return meant
        own = self.holder(i, head)
        for depth in range(len(self.frames) - 2, own, -1):
            place = self.place_in(self.frames[depth], i, head)
            if place is not None and self.is_plausible(depth, place, i, head):
                return self.hand_to(depth, place, i, head)
            rival = self.frames[depth].rival(head)
            if rival is not None and not self.stays(depth + 1, i):
                return self.hand_to(depth, rival, i, head)
        again = self.frames[own].shape.place(head) if 0 <= own < len(self.frames) - 1 else None
        if again is not None:
            return self.hand_to(own, again, i, head)
        if own < 0 and head.key in self.root_keys and not self.is_field(i) and not self.is_within_root(i):
            return self.root_again(i, head)
        return self.repeated(i, head)

    def meant_here(self, top: Frame, i: int, head: Head) -> int:
        """Takes a tag that the innermost element has no room for, if it was meant there: a list's tag that is repeated
        for each item, the same tag again, what was closed too early, an option's tag with nothing in it, an item with
        a name of its own. Returns the tag to read on from; 0 where it was not.
        """
        again = top.shape.place(head)
        if again is not None and again.shape.holds_items and self.stays(len(self.frames) - 1, i):
            return self.repeated(i, head)
        if self.is_item_again(i, head) or self.is_object_again(i, head):
            return self.enter_again(top, i, head)
        if self.last_closed is not None and self.is_behind_list_of(self.last_closed, i, head):
            return self.reopen(self.last_closed, i)
        if self.is_other_option(i, head):
            end = max(self.partner(i), i)
            top.element.note(RepairKind.TAG_DROPPED, self.starts[i], self.ends[end])
            return end + 1
        other = again if again is None or not top.is_decided else top.shape.option(head)
        if again is not None and again.role is FIELD and other is not None and not self.is_class_around(again, i, head):
            other = None
        if other is not None and other.role is OPTION and self.stays(len(self.frames) - 1, i):
            return self.enter(top, other, i, head)  # of two nobody knows which is meant, or it stands there twice
        if top.element.name is GUESSED and self.is_in_guessed_list(i):
            return self.enter(top, Place(ITEM, GUESSED, top.shape.items()), i, head)
        return self.one_of_own_class(top, i, head)

    def one_of_own_class(self, top: Frame, i: int, head: Head) -> int:
        """Takes the element of an item, or of an object of the same class, in an object that can hold one; where it can
        hold several, the values tell so. Returns the tag to read on from; 0 where it is none.
        """
        if not top.holds_any() or top.shape.field(head) is not None:
            return 0
        if not (self.is_enclosed(i) or self.is_cut_in_attributes(top)):
            return 0
        nested = top.shape.nested(head)
        if nested is not None and (nested.role is LISTED or nested.name not in top.seen):
            return self.enter(top, nested, i, head)
        others = {field.name for field in top.shape.of_own_class(head)}
        return self.skip(top, i, head) if len(others) > 1 and not others <= top.seen else 0

    def repeated(self, i: int, head: Head) -> int:
        """A field that is there already, or a tag that nothing open knows."""
        top = self.frames[-1]
        place = top.shape.place(head)
        if place is None:
            return self.repeated_further_out(i, head)
        if place.role is FIELD and self.is_mentioned_again(top, i):
            top.element.note(RepairKind.TAG_DROPPED, self.starts[i], self.ends[i])
            return i + 1
        return self.enter(top, place, i, head)

    def repeated_further_out(self, i: int, head: Head) -> int:
        """A field that an element further out has already, which what is open in it has to end for; else unknown."""
        for depth in range(len(self.frames) - 2, -1, -1):
            place = self.frames[depth].shape.place(head)
            if place is not None and place.role is FIELD and not self.stays(depth + 1, i):
                again = self.close(depth + 1, self.starts[i])
                return i if again is None else again
        return self.unknown(i, head)

    def unknown(self, i: int, head: Head) -> int:
        """A tag that the definition does not know here: a misspelt name, an item, a wrapper, or to be skipped."""
        top = self.frames[-1]
        last = self.last_closed
        if last is not None and self.is_behind_its_own(top, last, i, head):
            return self.reopen(last, i)
        entered = self.known_after_all(top, i, head)
        if entered:
            return entered
        if top.shape.holds_items and self.is_near_field_of_item(top, head):
            item = self.imply(top, Place(ITEM, "", top.shape.items()), self.starts[i])
            item.element.note(RepairKind.ITEMS_SPLIT, self.starts[i], self.ends[i])
            return self.unknown(i, head)
        return self.unknown_for_sure(top, i, head)

    def known_after_all(self, top: Frame, i: int, head: Head) -> int:
        """Takes a tag that is an entry's of a map whose own is not there, a field's misspelt or one that the model
        keeps. Returns the tag to read on from; 0 where it is none of these.
        """
        mapped = top.shape.mapped(head)
        if mapped is not None:
            self.mark(top, mapped, head)
            holder = self.imply(top, mapped, self.starts[i])
            holder.element.note(RepairKind.LIST_JOINED, self.starts[i], self.ends[i], f"<{mapped.name}>")
            return self.enter(holder, Place(ENTRY, "", mapped.shape.entries()), i, head)
        near = top.shape.near(head) if head.key not in self.known else None
        if near is not None and near.name == top.first and self.is_implied_and_whole(top):
            again = self.close(len(self.frames) - 1, self.starts[i])
            return i if again is None else again
        is_new = near is not None and (near.name not in top.seen or self.is_misspelt_again(top, near.name, head))
        if near is not None and is_new and not self.holds_any(i, {fold(near.name)}):
            return self.enter(top, Place(FIELD, near.name, top.shape.below([near.node], near.name)), i, head)
        kept = top.shape.kept(head)
        return self.enter(top, kept, i, head) if kept is not None else 0

    def is_misspelt_again(self, top: Frame, name: str, head: Head) -> bool:
        """Whether a field is there already under the same misspelt name, so that it stands there twice."""
        children = top.element.children
        last = children[len(children) - self.spend(len(children)) :]
        return any(child.name == name and child.head.key == head.key for child in last)

    def unknown_for_sure(self, top: Frame, i: int, head: Head) -> int:
        """A tag that no name is near: an item of another name, a wrapper, or to be skipped."""
        until = self.partner(i) if head.kind == OPEN else i
        is_thought = head.key in self.reasoning_keys
        if not is_thought and until >= 0 and (self.wraps(top, i, until) or self.wraps_items(top, i)):
            return self.look_through(i, head)
        if until < 0:
            top.element.note(RepairKind.TAG_DROPPED, self.starts[i], self.ends[i])
            return i + 1
        if top.shape.holds_items and not is_thought:
            return self.enter(top, Place(ITEM, GUESSED, top.shape.items()), i, head)
        return self.skip(top, i, head)

    def skip(self, top: Frame, i: int, head: Head) -> int:
        """Skips an element whole."""
        until = self.partner(i) if head.kind == OPEN else i
        own = self.root_keys if len(self.frames) == 1 else top.shape.classes
        element = Element(head, None, OWN if head.key in own else "", self.starts[i], self.ends[i])
        element.inner_end, element.end = self.starts[until], self.ends[until]
        if until == i:
            element.inner_end = self.ends[i]
        top.element.children.append(element)
        return until + 1
