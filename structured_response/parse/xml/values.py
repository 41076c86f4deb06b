"""Elements -> a tree of texts, by the definition: what each value says, and what is in no value's place."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...definition import ITEM_NAMES, MARKED, Field, Node, Path, fold, is_xml_name, show_path
from ...findings import ProblemKind, RepairKind, Span
from ...limits import MAX_DEPTH
from ...markup import BLANK
from ..lines.split_entries import Entry, split_fields
from ..lines.split_objects import name_in
from ..reading import LimitReachedError, Reading
from ..scalars.scalars import is_strict, own_name, read_scalar
from ..scalars.text import Text
from .beside import is_remark, items_in, may_be, names_field
from .elements import ENTRY, FIELD, GUESSED, ITEM, Element
from .groups import are_doubtful
from .in_text import part_of
from .repeats import RepeatReader
from .runs import Run
from .unions import is_cut

__all__ = ["read_values"]

_LONE_COMMENT = re.compile(r"\s*+<!--(.*?)-->\s*+", re.DOTALL)
_SPECIAL = re.compile(r"[&<\r\n\[`~]")
"""Characters without which a text is its own value, but for blanks around it."""


def read_values(node: Node, element: Element, reply: str, reading: Reading) -> None:
    """Reads the element of the root into `reading`, with everything that was found. Raises `LimitReachedError`."""
    reading.tree = _Reader(reply, reading).value(node, element, ())
    path = () if not element.lost else (element.lost,)
    if element.lost is not None and not (path and isinstance(reading.tree, dict) and element.lost in reading.tree):
        message = "in front of the answer the end of a value is left, and nothing tells where it begins"
        reading.problem(ProblemKind.INVALID, path, message, (element.start, element.start))


class _Reader(RepeatReader):
    """Reads the values of one answer."""

    def value(self, node: Node, element: Element, path: Path) -> object:
        if len(path) > MAX_DEPTH or element.is_too_deep:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", (element.start, element.end))
        self.places[path] = _place(element)
        if element.notes or element.is_unopened:
            self.noted(element, path)
        if element.is_closing and self.reading.truncated is None:
            self.reading.truncated = path
        if element.is_unclear and not element.cut:
            message = _unclear(element)
            is_short = element.role is ENTRY and element.end > element.inner_end  # it may be two
            around = path[:-1] if is_short else path
            self.reading.problem(ProblemKind.AMBIGUOUS, around, message, self.places[path], self.source(element))
        read = _READERS.get(node.kind)
        if read is None:
            return self.scalar(node, element, path)
        null = not element.children and self.is_null(node, element, path)
        value = None if null else read(self, node, element, path)
        if element.cut and not any(problem.kind is ProblemKind.TRUNCATED for problem in self.reading.problems):
            self.broken_off(path, "what is missing behind it is not known")
        return value

    # Scalars

    def scalar(self, node: Node, element: Element, path: Path) -> object:
        raw = self.source(element)
        if not (element.cut or element.head.rest) and is_strict(node.kind, value := raw.strip(BLANK)):
            return value
        is_plain = _SPECIAL.search(raw) is None
        text = Text(*(raw.strip(BLANK),) * 2) if is_plain else self.recorded(element, path, node.kind == "str")
        marked = None
        if element.head.rest:
            marked = element.attribute("type")
            sure, given = (True, ()) if self.says(element, text) or marked == "null" else self.given(node, element)
            if len(given) == 1 and sure:
                text = Text(given[0], given[0])
                self.attribute_read(element, path, given[0])
            elif text.raw:
                self.told_twice(node, element, text, path)
            elif given:
                message = "empty, with more than one attribute" if sure else "empty, with an attribute of another name"
                self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], "", given)
                return "" if node.kind == "str" else None
        if element.cut:
            return self.cut_scalar(node, text, path)
        if not text.raw and _is_commented(node, raw):
            message = "empty, with what could be its value in a comment"
            self.reading.problem(ProblemKind.INVALID, path, message, self.places[path], raw.strip(BLANK))
            return None
        return self.found(node, text, read_scalar(node, text.raw, text.value, marked, own_name(path)), path)

    # Objects

    def of_dict(self, node: Node, element: Element, path: Path) -> dict[str, object] | None:
        tree: dict[str, object] = {}
        if element.head.rest:
            self.attributes(node, element, tree, path)
        if not element.children and node.fields and not tree:
            whole: dict[str, object] | None = self.from_text(node, element, path, _OBJECT_FORM, {})
            return whole
        has_texts = next(self.texts_between(element), None) is not None
        labelled = self.labelled(node, element, path) if has_texts else ()
        for name, found in self.by_field(node, element, tree, path).items():
            place = (*path, name)
            if found[0].head.tag != name:
                self.respelled(found[0], place, name)
            if len(found) == 1:
                tree[name] = self.value(node.fields[name].node, found[0], place)
            else:
                tree[name] = self.repeated(node.fields[name], found, place)
        for span, entries in labelled:
            self.fields_beside(node, span, entries, tree, path, is_alone=not element.children)
        self.may_be_elsewhere(element, tree, path)
        self.lost_fields(node, element, tree, path)
        self.own_again(element, path)
        return tree

    def may_be_elsewhere(self, element: Element, tree: dict[str, object], path: Path) -> None:
        """Fields of objects in it that may be its own are problems."""
        for child in element.children:
            for name in child.shared:
                if name not in tree:
                    self.of_either((*path, name), (*path, child.name, name))

    def of_either(self, outer: Path, inner: Path) -> None:
        """A field of an object without a closing tag that may be that of the object around it."""
        message = f"it may be {show_path(outer)} or {show_path(inner)}: a closing tag is missing"
        for path in (inner, outer):
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.reading.place(inner))

    def labelled(self, node: Node, element: Element, path: Path) -> list[tuple[Span, list[Entry]]]:
        """The texts beside the elements of an object, with the fields that have a label in them."""
        self.take_others(element, lambda name: (FIELD, field.name) if (field := node.field_of(name)) else None)
        texts: list[tuple[Span, list[Entry]]] = []
        for span in self.strays(element):
            text = self.reply[slice(*span)]
            may_be = "<" not in text and text[0] != "[" and node.is_named_in(text)
            found = split_fields(text, name_in(node)) if may_be else None
            texts.append((span, [] if found is None else found.entries))
            if found is None:
                self.stray(*span, path)
                self.lost_beside(node, element, span, path)
            for piece in () if found is None else found.skipped:
                self.stray(span[0] + piece.start, span[0] + piece.end, path)
        return texts

    def fields_beside(
        self, node: Node, span: Span, entries: list[Entry], tree: dict[str, object], path: Path, is_alone: bool
    ) -> None:
        """Fields that are not there, in a text beside elements: read where each has a label, else named as problems."""
        text = self.reply[slice(*span)]
        missing = [entry for entry in entries if entry.name not in tree and entry.value.text]
        if len({entry.name for entry in missing}) < len(missing):
            missing = []  # one of them twice
        if entries and not missing:
            self.stray(*span, path)
        for entry in entries:
            self.corrected(node.fields[entry.name].node, entry, span, tree, (*path, entry.name))
        for entry in missing:
            place = (*path, entry.name)
            self.split(RepairKind.TEXT_SPLIT, place, span[0], text, [entry.value])
            tree[entry.name] = self.piece(node.fields[entry.name].node, entry.value, span[0], place)
        lost = [name for name, field in node.fields.items() if name not in tree and not field.required]
        named = names_field(text, lost)
        if named is not None:
            message = "a text between the elements names it, but it has no element of its own"
            self.reading.problem(ProblemKind.INVALID, (*path, named), message, span, text)
        elif is_alone and not entries:
            self.beside_attributes(node, span, tree, path)

    def beside_attributes(self, node: Node, span: Span, tree: dict[str, object], path: Path) -> None:
        """The text of an object whose attributes have its other fields, which may be one that is not there: a problem,
        at that field if it can be one only.
        """
        text = self.reply[slice(*span)]
        names = [name for name, field in node.fields.items() if name not in tree and field.node.is_text()]
        if len(names) > 1 or (names and may_be(node.fields[names[0]].node, text)):
            place = (*path, names[0]) if len(names) == 1 else path
            message = "a text beside attributes, which may be a field that is not there"
            self.reading.problem(ProblemKind.INVALID, place, message, span, text)

    def corrected(self, node: Node, entry: Entry, span: Span, tree: dict[str, object], path: Path) -> None:
        """A label beside elements that gives a field another value, but for a text, which prose may be about."""
        before, said = tree.get(entry.name), entry.value.text
        if before is None or not node.is_text() or node.kind in ("str", "union", "any", "bytes"):
            return
        scalar = read_scalar(node, said, said, None, entry.name)
        if scalar.problem is None and scalar.value is not None and not _is_same(str(scalar.value), str(before)):
            message = "a text between the elements gives it another value"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, span, said, (str(before), said))

    def by_field(self, node: Node, element: Element, tree: dict[str, object], path: Path) -> dict[str, list[Element]]:
        """The children of an object by the field that they fill; those of runs go into the tree at once. What fills
        none is kept or skipped.
        """
        found: dict[str, list[Element]] = {}
        runs: list[Run] = []
        for child in element.children:
            if isinstance(child, Run):
                runs.append(child)
                tree.update(child.values)
                found.update((name, [element]) for name, element in child.odd)
                continue
            field = self.field(node, child)
            if field is None:
                self.kept_or_skipped(node, child, tree, path)
                continue
            name = field.name
            if name not in found:
                found[name] = [run.field(name) for run in runs if name in run.values]
            found[name].append(child)
        if runs:
            self.reading.runs[path] = [(0, run) for run in runs]
        return found

    def field(self, node: Node, child: Element) -> Field | None:
        if child.role is FIELD:
            return node.fields.get(child.name)
        return node.field_of(child.head.name) if child.role is not None else None

    def respelled(self, element: Element, path: Path, name: str) -> None:
        """Records that a field's name was written in another way."""
        head = element.head
        if head.tag:
            key = element.attribute("key") if head.tag == "entry" and name != "entry" else None
            if key == name and not is_xml_name(name):
                return
            written = head.tag if key in (None, name) else key
            self.reading.repair(RepairKind.NAME_RESPELLED, path, (element.start, element.inner_start), written, name)

    def kept_or_skipped(self, node: Node, element: Element, tree: dict[str, object], path: Path) -> None:
        """An element that the definition does not know: kept as text by models that allow extras, else skipped."""
        name = element.head.name
        if node.keeps_extra and name and name not in tree and name not in node.fields:
            place = (*path, name)
            self.places[place] = (element.inner_start, element.inner_end)
            marked = element.attribute("type")
            known = marked in MARKED or marked == "null"
            tree[name] = self.value(_ANY, element, place) if known else self.recorded(element, place).value
        else:
            self.skipped(element, path)

    # Lists and maps

    def of_list(self, node: Node, element: Element, path: Path) -> list[object]:
        assert node.item is not None
        items = self.items(node, element, path)
        if not items:
            self.told_in_tag(element, path)
            made: list[object] = self.from_text(node, element, path, "a list is written as <li> elements", [])
            return made
        if node.item.kind == "list" and are_doubtful(element, items, self.reply):
            message = "which items belong together is not clear"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path])
        return self.listed(node.item, items, path)

    def listed(self, item: Node, items: list[Element], path: Path) -> list[object]:
        """The values of items, one by one or in runs."""
        tree: list[object] = []
        for child in items:
            if isinstance(child, Run):
                self.reading.runs.setdefault(path, []).append((len(tree), child))
                first = len(tree)
                tree += child.values
                for index, element in child.odd:
                    tree[first + index] = self.value(item, element, (*path, first + index))
            else:
                tree.append(self.value(item, child, (*path, len(tree))))
                if not child.head.tag and len(tree) > 1:
                    self.lost_rest(item, child, tree[-2:], path)
        return tree

    def items(self, node: Node, element: Element, path: Path) -> list[Element]:
        """The children that are items; none where a text stands in their place. What is no item goes on record."""
        items = [child for child in element.children if _is_item(child)]
        sure = [child for child in items if child.name is not GUESSED]
        items = sure or items
        if not sure and (not items or self.has_text(element)):
            return []
        self.take_others(element, lambda name: (ITEM, "") if fold(name) in ITEM_NAMES else None)
        items = [child for child in element.children if _is_item(child) and child.name is not GUESSED] or items
        count, items = len(items), self.with_beside(node, items, element, path)
        if len(items) == count:
            self.lost_items(element, path)
        if len(items) < len(element.children):
            known = set(map(id, items))
            for child in element.children:
                if id(child) not in known:
                    self.skipped(child, path)
                    if child.name is GUESSED and self.may_be_item(node, child):
                        message = "an element of another name stands between the items, which may be one of them"
                        self.reading.problem(ProblemKind.INVALID, path, message, (child.start, child.end))
        for index, child in enumerate(items if not sure else ()):
            self.respelled(child, (*path, index), "li")
        self.counted(node, items, path)
        return items

    def may_be_item(self, node: Node, element: Element) -> bool:
        """Whether an element of another name holds what an item does."""
        if node.item is None or not node.item.is_text():
            return any(child.role is not None for child in element.children)
        return not element.children and may_be(node.item, self.source(element))

    def with_beside(self, node: Node, items: list[Element], element: Element, path: Path) -> list[Element]:
        """Items with those that texts between them say clearly; a text that may be one is a problem of the list."""
        found = list(items)
        for span in self.strays(element):
            text = self.reply[slice(*span)]
            pieces = items_in(node.item, text) if node.item is not None else []
            if pieces:
                self.split(RepairKind.TEXT_SPLIT, path, span[0], text, pieces)
                found += [part_of(piece, span[0]) for piece in pieces]
                continue
            self.stray(*span, path)
            if node.item is not None and not is_remark(text) and may_be(node.item, text):
                message = "a text stands between the items, which may be one of them"
                self.reading.problem(ProblemKind.INVALID, path, message, span, text)
        return found if len(found) == len(items) else sorted(found, key=lambda each: each.start)

    def of_tuple(self, node: Node, element: Element, path: Path) -> list[object] | None:
        items = self.items(node, element, path)
        if not items and element.head.rest and not self.source(element).strip(BLANK):
            return self.tuple_in_tag(node, element, path)
        if not items:
            made: list[object] | None = self.from_text(node, element, path, _TUPLE, None)
            if made is not None:
                return made
        if len(items) < len(node.parts) and is_cut(element):
            self.broken_off(path, "not all items are there")
            return None
        if len(items) != len(node.parts):
            self.other_length(node, len(items), path)
            return None
        pairs = zip(node.parts, items, strict=True)
        return [self.value(part, child, (*path, index)) for index, (part, child) in enumerate(pairs)]


def _is_item(child: Element) -> bool:
    return child.role is ITEM or isinstance(child, Run)


def _unclear(element: Element) -> str:
    """Why nobody knows what an element holds."""
    if not element.children:
        return _UNCLEAR_TEXT
    begins_anew = any(note.kind is RepairKind.WRAPPER_ENTERED for note in element.notes)
    return _AGAIN if begins_anew else _UNCLEAR_ITEMS


def _is_same(said: str, before: str) -> bool:
    """Whether two scalars in their strict forms are the same one."""
    try:
        return float(said) == float(before)
    except ValueError:
        return said.lower() == before.lower()


def _place(element: Element) -> Span:
    """Where a value stands; where it is empty, its tags."""
    if element.inner_start < element.inner_end:
        return (element.inner_start, element.inner_end)
    return (element.start, element.end)


def _is_commented(node: Node, raw: str) -> bool:
    """Whether all that an element holds is a comment with what could be its value: of a text, nobody can tell."""
    comment = _LONE_COMMENT.fullmatch(raw) if node.kind != "str" else None
    given = comment[1].strip(BLANK) if comment is not None else ""
    return given != "" and read_scalar(node, given, given, None).value is not None


_UNCLEAR_TEXT = "where this text ends is not clear: a tag in it may be meant as its closing one"
_UNCLEAR_ITEMS = "an item stands in another one, which could hold it"
_AGAIN = "it begins once more in itself: nobody knows whether what stands in front of that counts"
_OBJECT_FORM = "an object is written as one element for each field"


_ANY = Node("any", nullable=True)

_TUPLE = "a tuple is written as <li> elements"


_READERS: dict[str, Callable[[_Reader, Node, Element, Path], object]] = {
    "dict": _Reader.of_dict,
    "list": _Reader.of_list,
    "tuple": _Reader.of_tuple,
    "map": _Reader.of_map,
    "union": _Reader.of_union,
    "any": _Reader.of_any,
}
