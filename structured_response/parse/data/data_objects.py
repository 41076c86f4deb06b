"""Objects and maps of JSON or YAML, and what stands in their place: wrappers, calls, texts, lists of entries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...definition import (
    ABSENT,
    Field,
    Node,
    Path,
    fold,
)
from ...findings import ProblemKind, RepairKind
from ..lines.paths import unflattened
from ..lines.split_entries import Entry, split_fields, split_pairs
from ..lines.split_objects import name_in
from ..lines.split_text import Piece
from ..lines.tables import table_of_entries
from ..scalars.scalars import is_value
from ..scalars.trees import typed_key
from ..written import Bare, Members, Value, place_all
from .data_scalars import DataScalars
from .members import (
    calls_in,
    data_in_text,
    field_of_option,
    holds_missing,
    is_entry,
    is_filled,
    keyed_members,
    may_be_split,
    merged_entries,
    merged_members,
    name_of,
    only_list,
    wrapped_map,
    wraps_all,
)

__all__ = ["DataObjects", "value_of_piece"]

_ANY = Node("any", nullable=True)


class DataObjects(DataScalars):
    """Reads members. What is lost is left out of the object or the map."""

    def of_dict(self, node: Node, value: Value, path: Path) -> Any:
        value = self.as_object(node, value, path)
        is_named = may_be_split(value) and node.is_named_in(str(value.held))
        fields = split_fields(str(value.held), name_in(node)) if is_named else None
        if fields is not None:
            for piece in fields.skipped:
                self.repair(RepairKind.TEXT_SKIPPED, path, value_of_piece(value, piece, True), piece.text, piece.text)
            value = self.split_members(value, fields.entries, path)
        if not isinstance(value.held, Members):
            self.invalid(path, "an object with a name for each value is asked for", value)
            return {} if isinstance(value.held, str) else None
        tree: dict[str, Any] = {}
        seen: dict[str, Value] = {}
        for key, member, field in self.members(node, value.held, path):
            if field is None:
                self.kept_or_skipped(node, key, member, tree, path)
            elif field.name not in seen:
                seen[field.name] = member
                self.respelled(key, field.name, (*path, field.name))
                self.put(tree, field.name, self.value(field.node, member, (*path, field.name)))
            elif not self.repeated(seen[field.name], member, (*path, field.name)) and field.name in tree:
                tree[field.name] = tree[field.name] if field.node.kind == "str" else None
        return tree

    def of_map(self, node: Node, value: Value, path: Path) -> Any:
        assert node.item is not None and node.key is not None
        value = self.as_object(node, value, path)
        inner = wrapped_map(node.item, value.held) if not path and isinstance(value.held, Members) else None
        if inner is not None:
            self.repair(RepairKind.WRAPPER_ENTERED, path, inner[0], name_of(inner[0]), name_of(inner[0]))
            self.note_cut(value, path)
            value = inner[1]
        if isinstance(value.held, list) and not value.held:
            value = Value(Members(), value.start, value.end)
        if may_be_split(value):
            value = self.entries(node.item, value, path)
        if not isinstance(value.held, Members):
            self.invalid(path, "an object with a value for each key is asked for", value)
            return {} if isinstance(value.held, str) else None
        tree: dict[str, Any] = {}
        seen: dict[object, Value] = {}
        for key, member in value.held.pairs:
            name = self.key(node.key, key, path)
            same = None if name is None else typed_key(node.key, name)
            if name is not None and same in seen:
                self.repeated(seen[same], member, (*path, name))
            elif name is not None:
                seen[same] = member
                self.put(tree, name, self.value(node.item, member, (*path, name)))
        return tree

    def any_object(self, node: Node, members: Members, path: Path) -> dict[str, Any]:
        tree: dict[str, Any] = {}
        seen: dict[str, Value] = {}
        for key, member in members.pairs:
            name = name_of(key)
            if name in seen:
                self.repeated(seen[name], member, (*path, name))
            else:
                seen[name] = member
                self.put(tree, name, self.value(node, member, (*path, name)))
        return tree

    def put(self, tree: dict[str, Any], name: str, value: Any) -> None:
        if value is not ABSENT:
            tree[name] = value

    # What stands in place of an object

    def as_object(self, node: Node, value: Value, path: Path) -> Value:
        """What stands where an object is asked for, out of a text or a list of one, as far as that is clear."""
        value = self.called(node, self.inside_text(node, value, path), path)
        value = self.as_only_list(node, value, path)
        held = value.held
        if not isinstance(held, list) or not held:
            return value
        merged = merged_members(held)
        if merged is None and node.kind == "map" and node.item is not None:
            merged = merged_entries(node.item, held) if len(held) > 1 or node.item.kind == "dict" else None
            merged = merged or keyed_members(node.item, held)
            if merged is not None:
                after = Value(merged, value.start, value.end, value.is_cut)
                self.reshaped(path, value, after)
                return after
        if len(held) == 1 and (node.kind == "dict" or merged is None or not is_entry(held[0])):
            self.reshaped(path, value, held[0])
            self.note_cut(held[0], path)
            return held[0]
        known = merged is not None and all(node.has_field(name_of(key)) for key, _member in merged.pairs)
        if merged is None or (node.kind == "dict" and not known):
            return value
        after = Value(merged, value.start, value.end, value.is_cut)
        self.reshaped(path, value, after)
        return after

    def as_only_list(self, node: Node, value: Value, path: Path) -> Value:
        """An object that has one list of objects and nothing else, out of that list, or of one item of it."""
        only = only_list(node)
        if only is None or only.node.item is None:
            return value
        first = value.held[0] if isinstance(value.held, list) and value.held else value
        if not isinstance(first.held, Members) or not is_filled(only.node.item, first.held):
            return value
        if any(node.has_field(name_of(key)) for key, _member in first.held.pairs):
            return value
        after = Value(Members([(Value(only.name, value.start, value.start), value)]), value.start, value.end)
        self.reshaped(path, value, after)
        return after

    def called(self, node: Node, value: Value, path: Path) -> Value:
        """The arguments, where an object has the shape of a call: `{"name": "Review", "arguments": {...}}`. The whole
        answer may be a call in what an API replies, if it is the only one.
        """
        calls = calls_in(node, value, is_whole=not path)
        if len(calls) != 1:
            return value
        key, arguments = calls[0]
        self.repair(RepairKind.WRAPPER_ENTERED, path, key, name_of(key), name_of(key))
        return self.inside_text(node, arguments, path)

    def inside_text(self, node: Node, value: Value, path: Path) -> Value:
        """The data that a text holds, where a text cannot be what is asked for: JSON inside of JSON's quotes."""
        text = value.held
        inner = data_in_text(node, text) if isinstance(text, str) else None
        if inner is None:
            return value
        place_all(inner, value.span)
        self.repair(RepairKind.FORMAT_READ, path, value, str(text), str(text))
        return inner

    def split_members(self, value: Value, entries: list[Entry], path: Path) -> Value:
        """The members of an object or a map that was written as a text."""
        shown = " | ".join(entry.value.text for entry in entries)
        self.repair(RepairKind.TEXT_SPLIT, path, value, str(value.held), shown)
        pairs = [
            (
                value_of_piece(value, entry.key._replace(text=entry.name), is_bare=False),
                value_of_piece(value, entry.value, True),
            )
            for entry in entries
        ]
        return Value(Members(pairs), *value.span)

    def entries(self, item: Node, value: Value, path: Path) -> Value:
        """The entries of a map that was written as a text."""
        text = str(value.held)
        table = table_of_entries(text, lambda held: is_value(item, held))
        if table is not None:
            self.placed(table, value, path)
            return table
        pairs = split_pairs(text, item)
        return value if pairs is None else self.split_members(value, pairs.entries, path)

    # Members

    def members(self, node: Node, members: Members, path: Path) -> Iterator[tuple[Value, Value, Field | None]]:
        """The members of an object; in place of a wrapper, those of its members that are still missing."""
        pairs = unflattened(node, members).pairs
        found = [(key, member, node.field_of(name_of(key))) for key, member in pairs]
        taken = {field.name for _key, _member, field in found if field is not None}
        self.rivals(node, found, path)
        if len(found) == 1 and wraps_all(node, *found[0][1:]):
            yield from self.unwrapped(node, *found[0][:2], path, set())
            return
        for key, member, field in found:
            chosen = field_of_option(node, name_of(key), taken) if field is None else None
            if chosen is not None:
                taken.add(chosen.name)
                yield key, Value(Members([(key, member)]), *member.span), chosen
            elif field is None and taken and fold(name_of(key)) == fold(node.name or "") and node.of_own_class():
                yield key, member, self.of_own_class(node, key, taken, path)
            elif field is None and holds_missing(node, member, taken):
                yield from self.unwrapped(node, key, member, path, taken)
            else:
                yield key, member, field

    def of_own_class(self, node: Node, key: Value, taken: set[str], path: Path) -> Field | None:
        """The one field that could be an object of the own class, which stands in it under the class's name; a problem
        where it could be several.
        """
        fields = node.of_own_class()
        absent = [field for field in fields if field.name not in taken]
        if absent and len(fields) > 1:
            message = "an object of the same class stands in it, under no field's name"
            names = tuple(field.name for field in absent)
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, key.span, name_of(key), names)
        if not absent or len(fields) > 1:
            return None
        taken.add(absent[0].name)
        return absent[0]

    def rivals(self, node: Node, members: list[tuple[Value, Value, Field | None]], path: Path) -> None:
        """Puts on record that more than one member wraps all that is asked for: a draft, and what came of it."""
        whole = [
            (key, member)
            for key, member, field in members
            if field is None and isinstance(member.held, Members) and is_filled(node, member.held)
        ]
        if len(whole) < 2 or any(field is not None for _key, _member, field in members):
            return
        shown = tuple(dict.fromkeys(self.shown(member) for _key, member in whole))
        if len(shown) > 1:
            message = "more than one object could be the one that is asked for"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, whole[1][1].span, shown[1], shown)

    def unwrapped(
        self, node: Node, key: Value, wrapper: Value, path: Path, taken: set[str]
    ) -> Iterator[tuple[Value, Value, Field | None]]:
        self.repair(RepairKind.WRAPPER_ENTERED, path, key, name_of(key), name_of(key))
        self.note_cut(wrapper, path)
        for inner, member in wrapper.held.pairs if isinstance(wrapper.held, Members) else ():
            field = node.field_of(name_of(inner))
            if field is None and holds_missing(node, member, taken):
                yield from self.unwrapped(node, inner, member, path, taken)
            elif field is None or field.name in taken:
                self.skipped(inner, path)
            else:
                taken.add(field.name)
                yield inner, member, field

    def kept_or_skipped(self, node: Node, key: Value, member: Value, tree: dict[str, Any], path: Path) -> None:
        """A member that the definition does not know: kept as it is by models that allow extras, else skipped."""
        name = name_of(key)
        if node.keeps_extra and name not in tree and name not in node.fields:
            self.put(tree, name, self.value(_ANY, member, (*path, name)))
        else:
            self.skipped(key, path)


def value_of_piece(value: Value, piece: Piece, is_bare: bool) -> Value:
    """A part of a text, where it stands in it as far as that is known."""
    start, end = value.span
    if end - start == len(str(value.held)):
        start, end = start + piece.start, start + piece.end
    return Value(Bare(piece.text) if is_bare else piece.text, start, end)
