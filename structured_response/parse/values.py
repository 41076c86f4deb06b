"""Elements -> a tree of texts, by the definition: what each value says, and what is in no value's place."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator

from ..definition import ITEM_NAMES, Field, Node, Path, is_placeholder, is_xml_name, show_path
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_DEPTH
from ..markup import BLANK
from .beside import is_remark, items_in, may_be, names_field
from .elements import ENTRY, FIELD, ITEM, PAIR, PAIR_KEYS, PAIR_VALUES, Element
from .formats import read_inner
from .in_text import TextReader, part_of, unfenced
from .options import by_content, by_tag, by_text, tagged, told
from .reading import LimitReachedError, Reading
from .runs import Run, filled
from .scalars import is_strict, read_scalar
from .shape import MARKED
from .sieve import SHOWN
from .split_entries import Entry, split_fields, split_pairs
from .split_objects import name_in
from .structure import GUESSED
from .text import Text, decode
from .tokens import attributes, raw_attributes
from .trees import typed_tree

__all__ = ["read_values"]

_SPECIAL = re.compile(r"[&<\r\n\[`~]")
"""Characters without which a text is its own value, but for blanks around it."""


def read_values(node: Node, element: Element, reply: str, reading: Reading) -> None:
    """Reads the element of the root into `reading`, with everything that was found. Raises `LimitReachedError`."""
    reading.tree = _Reader(reply, reading).value(node, element, ())


class _Reader(TextReader):
    """Reads the values of one answer."""

    def value(self, node: Node, element: Element, path: Path) -> object:
        if len(path) > MAX_DEPTH or element.is_too_deep:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)", (element.start, element.end))
        self.places[path] = _place(element)
        if element.notes:
            self.noted(element, path)
        if element.is_closing and self.reading.truncated is None:
            self.reading.truncated = path
        if element.is_unclear and not element.cut:
            message = "where this text ends is not clear: a tag in it may be meant as its closing one"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], self.source(element))
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
        if not element.cut and is_strict(node.kind, value := raw.strip(BLANK)):
            return value
        is_plain = _SPECIAL.search(raw) is None
        text = Text(*(raw.strip(BLANK),) * 2) if is_plain else self.recorded(element, path, node.kind == "str")
        marked = None
        if element.head.rest:
            marked = element.attribute("type")
            given = () if text.raw or marked == "null" else self.given(element)
            if len(given) == 1:
                text = Text(given[0], given[0])
                self.attribute_read(element, path, given[0])
            elif given:
                message = "empty, with more than one attribute"
                self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], "", given)
                return "" if node.kind == "str" else None
        if element.cut:
            return self.cut_scalar(node, text, path)
        name = path[-1] if path and isinstance(path[-1], str) else ""
        return self.found(node, text, read_scalar(node, text.raw, text.value, marked, name), path)

    def given(self, element: Element) -> tuple[str, ...]:
        """What may stand for the value of an empty element: its attribute `value`; of an item, any that says more than
        which one it is.
        """
        value = element.attribute("value") or _bare_value(element.head.rest)
        if value or element.role is not ITEM:
            return (value,) if value else ()
        return tuple(given for name, given in attributes(element.head.rest) if given and name not in _NO_VALUES)

    # Objects

    def of_dict(self, node: Node, element: Element, path: Path) -> dict[str, object] | None:
        tree: dict[str, object] = {}
        if element.head.rest:
            self.attributes(node, element, tree, path)
        if not element.children and node.fields and not tree:
            whole: dict[str, object] | None = self.from_text(node, element, path, _OBJECT_FORM, {})
            return whole
        labelled = self.labelled(node, element, path)
        for name, found in self.by_field(node, element, tree, path).items():
            place = (*path, name)
            if found[0].head.tag != name:
                self.respelled(found[0], place, name)
            if len(found) == 1:
                tree[name] = self.value(node.fields[name].node, found[0], place)
            else:
                tree[name] = self.repeated(node.fields[name], found, place)
        for span, entries in labelled:
            self.fields_beside(node, span, entries, tree, path)
        for child in element.children:
            for name in child.shared:
                if name not in tree:
                    self.of_either((*path, name), (*path, child.name, name))
        return tree

    def of_either(self, outer: Path, inner: Path) -> None:
        """A field of an object without a closing tag that may be that of the object around it."""
        message = f"it may be {show_path(outer)} or {show_path(inner)}: a closing tag is missing"
        for path in (inner, outer):
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.reading.place(inner))

    def labelled(self, node: Node, element: Element, path: Path) -> list[tuple[Span, list[Entry]]]:
        """The texts beside the elements of an object, with the fields that have a label in them."""
        texts: list[tuple[Span, list[Entry]]] = []
        for span in self.strays(element):
            text = self.reply[slice(*span)]
            found = split_fields(text, name_in(node)) if "<" not in text and text[0] not in "{[" else None
            texts.append((span, [] if found is None else found.entries))
            if found is None:
                self.stray(*span, path)
        return texts

    def fields_beside(self, node: Node, span: Span, entries: list[Entry], tree: dict[str, object], path: Path) -> None:
        """Fields that are not there, in a text beside elements: read where each has a label, else named as problems."""
        text = self.reply[slice(*span)]
        missing = [entry for entry in entries if entry.name not in tree and entry.value.text]
        if len({entry.name for entry in missing}) < len(missing):
            missing = []  # one of them twice
        if entries and not missing:
            self.stray(*span, path)
        for entry in missing:
            place = (*path, entry.name)
            self.split(RepairKind.TEXT_SPLIT, place, span[0], text, [entry.value])
            tree[entry.name] = self.piece(node.fields[entry.name].node, entry.value, span[0], place)
        lost = [name for name, field in node.fields.items() if name not in tree and not field.required]
        named = names_field(text, lost)
        if named is not None:
            message = "a text between the elements names it, but it has no element of its own"
            self.reading.problem(ProblemKind.INVALID, (*path, named), message, span, text)

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

    def attributes(self, node: Node, element: Element, tree: dict[str, object], path: Path) -> None:
        """Values that stand in an element's attributes instead of in elements of their own."""
        written = filled(element)
        for name, given in _by_field(node, attributes(element.head.rest)).items():
            field = node.fields[name]
            if name in written or not field.node.is_text() or (name == "key" and _has_key(element)):
                continue
            if name in _ECHOED and given in (node.description, node.kind):
                continue
            place = (*path, name)
            self.places[place] = (element.start, element.inner_start)
            scalar = read_scalar(_scalar_option(field.node, given), given, given, None)
            tree[name] = self.found(field.node, Text(given, given), scalar, place)
            self.attribute_read(element, place, given)

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

    def repeated(self, field: Field, elements: list[Element], path: Path) -> object:
        """A field that stands there more than once: what only echoes the prompt can go, and the same again; lists are
        one list, else nobody knows.
        """
        given = [element for element in elements if not self.is_left_over(field.node, element)]
        if 0 < len(given) < len(elements):
            for element in elements:
                if element not in given:
                    self.dropped(element, path)
            return self.repeated(field, given, path) if len(given) > 1 else self.value(field.node, given[0], path)
        texts = [self.source(element).strip(BLANK) for element in elements]
        marks = {_mark(field.node, element.attribute("type"), texts[0]) for element in elements}
        last = elements[-1]
        is_same = len({self.said(*said) for said in zip(texts, elements, strict=True)}) == len(marks) == 1
        if field.node.kind == "list" and not (is_same and _holds_items(last)):
            return self.joined(field.node, elements, path)
        value = self.value(field.node, elements[0], path)
        if is_same:
            self.dropped(last, path)
            return value
        message = f"<{field.name}> stands there twice, with different values"
        found = tuple(dict.fromkeys(texts))
        self.reading.problem(ProblemKind.AMBIGUOUS, path, message, (last.start, last.end), texts[-1], found)
        return value if field.node.kind == "str" else None

    def said(self, text: str, element: Element) -> str:
        """What an element says, however it or what stands in it is laid out."""
        return _BETWEEN_TAGS.sub("", text) if element.children else self.text(element).value

    def is_left_over(self, node: Node, element: Element) -> bool:
        """Whether the prompt's placeholder stands in an element."""
        return node.is_text() and is_placeholder(node, self.source(element).strip(BLANK))

    def joined(self, node: Node, elements: list[Element], path: Path) -> list[object]:
        """One list of elements that each bear the list's name, or an item's in its place."""
        assert node.item is not None
        span = (elements[0].start, elements[-1].end)
        self.places[path] = span
        items: list[Element] = []
        for element in elements:
            is_item = not element.children or (node.item.kind in ("list", "tuple") and _holds_texts(element))
            items += [element] if is_item else self.items(node, element, path)
        self.reading.repair(RepairKind.LIST_JOINED, path, span, *(self.reply[span[0] : elements[0].inner_start],) * 2)
        return self.listed(node.item, items, path)

    # Lists and maps

    def of_list(self, node: Node, element: Element, path: Path) -> list[object]:
        assert node.item is not None
        items = self.items(node, element, path)
        if not items:
            made: list[object] = self.from_text(node, element, path, "a list is written as <li> elements", [])
            return made
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
        return tree

    def items(self, node: Node, element: Element, path: Path) -> list[Element]:
        """The children that are items; none where a text stands in their place. What is no item goes on record."""
        items = [child for child in element.children if child.role is ITEM or isinstance(child, Run)]
        sure = [child for child in items if child.name is not GUESSED]
        items = sure or items
        if not sure and (not items or self.has_text(element)):
            return []
        items = self.with_beside(node, items, element, path)
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
        if not items:
            made: list[object] | None = self.from_text(node, element, path, _TUPLE, None)
            if made is not None:
                return made
        if len(items) < len(node.parts) and _is_cut(element):
            self.broken_off(path, "not all items are there")
            return None
        if len(items) != len(node.parts):
            message = f"{len(node.parts)} items are needed, but {len(items)} are there"
            self.reading.problem(ProblemKind.INVALID, path, message, self.places[path])
            return None
        pairs = zip(node.parts, items, strict=True)
        return [self.value(part, child, (*path, index)) for index, (part, child) in enumerate(pairs)]

    def of_map(self, node: Node, element: Element, path: Path) -> dict[str, object]:
        assert node.item is not None and node.key is not None
        if not element.children:
            if element.head.rest and node.item.is_text() and not self.source(element).strip(BLANK):
                return self.of_attributes(node, element, path)
            made: dict[str, object] = self.from_text(node, element, path, "a map is written as <entry> elements", {})
            return made
        self.stray_text(element, path)
        tree: dict[str, object] = {}
        keys: set[object] = set()
        runs = [child for child in element.children if isinstance(child, Run)]
        if runs:
            self.reading.runs[path] = [(0, run) for run in runs]
        for child, value, written in self.entries(node, element, keys):
            if isinstance(child, Run):
                tree.update(child.values)
                keys.update(child.values)
                continue
            head = (child.start, child.inner_start)
            if written is None and child.head.key in ITEM_NAMES:
                if self.pair(node, keys, child, tree, path):
                    continue
                self.reading.problem(ProblemKind.INVALID, path, f"<{child.head.tag}> has no key", head)
                continue
            as_asked = _QUOTED_KEY.search(child.head.rest) is not None
            key = self.key(node, keys, written or Text(child.head.tag, child.head.tag), head, path, as_asked)
            if key is not None:
                tree[key] = self.value(node.item, value, (*path, key))
        return tree

    def pair(self, node: Node, keys: set[object], item: Element, tree: dict[str, object], path: Path) -> bool:
        """Takes an item without a key that is one entry written as a text: `<li>a: 1</li>`. Tells whether it is one."""
        assert node.item is not None
        found = split_pairs(self.source(item)) if not item.children and node.item.is_text() else None
        if found is None or len(found.entries) != 1 or found.lead is not None:
            return False
        entry, start = found.entries[0], item.inner_start
        self.split(RepairKind.TEXT_SPLIT, path, start, self.source(item), [entry.key, entry.value])
        key = self.key(node, keys, Text(entry.name, entry.name), (start + entry.key.start, start + entry.key.end), path)
        if key is not None:
            tree[key] = self.piece(node.item, entry.value, start, (*path, key))
        return True

    def of_attributes(self, node: Node, element: Element, path: Path) -> dict[str, object]:
        """A map of scalars that was written as the attributes of its element."""
        assert node.item is not None
        tree: dict[str, object] = {}
        keys: set[object] = set()
        place = (element.start, element.inner_start)
        others = {"type", *SHOWN, *(PAIR_KEYS if _has_key(element) else ())}  # what is not an entry of this one
        for name, given in attributes(element.head.rest):
            key = None if name in others else self.key(node, keys, Text(name, name), place, path)
            if key is not None:
                self.places[*path, key] = place
                scalar = read_scalar(node.item, given, given, None)
                tree[key] = self.found(node.item, Text(given, given), scalar, (*path, key))
                self.attribute_read(element, (*path, key), given)
        return tree

    def entries(
        self, node: Node, element: Element, keys: set[object]
    ) -> Iterator[tuple[Element, Element, Text | None]]:
        """The entries of a map: the element that has the key, that of the value, and the key as it is written, None
        where it is the tag itself. Keys and values may take turns. A run is one of them, unless some of it is odd or
        among the `keys` already.
        """
        children = element.children
        tags = [child.head.key for child in children]
        if len(tags) % 2 == 0 and PAIR_KEYS.issuperset(tags[::2]) and PAIR_VALUES.issuperset(tags[1::2]):
            for key, value in zip(children[::2], children[1::2], strict=True):
                yield key, value, self.text(key)
            return
        is_named = node.item is not None and "name" not in node.item.fields
        for child in children:
            if isinstance(child, Run):
                if child.odd or not keys.isdisjoint(child.values):
                    yield from ((entry, entry, _key_of(entry)) for entry in child.elements())
                else:
                    yield child, child, None
                continue
            parts = {part.name: part for part in child.children if part.role is PAIR}
            if "key" in parts:
                child.children = [part for part in child.children if part is not parts["key"]]
                yield child, parts.get("value", child), self.text(parts["key"])
            else:
                written = _key_of(child)
                if written is None and is_named:
                    name = child.attribute("name") or child.head.carried() or child.attribute("id")
                    written = Text(name, name) if name is not None else None
                yield child, parts.get("value", child), written

    # Unions and values of any type

    def of_union(self, node: Node, element: Element, path: Path) -> object:
        """The value of the option that is named by an attribute, by a tag around it, or by what stands there."""
        options = node.options()
        marked = element.attribute("type")
        if marked is not None and marked in options:
            return self.option(node, marked, element, path)
        if marked in MARKED and "any" in options:
            return self.of_any(options["any"], element, path)
        under = tagged(element, self.reply)
        if len(under) == 1 and under[0].name in options:
            self.beside(element, under[0], path)
            return self.option(node, under[0].name, under[0], path)
        if len(under) > 1 and all(child.attribute("type") == child.name for child in under):  # as prompts show them
            return self.chosen(node, [child.name for child in under], element, path)
        start, text = unfenced(self.source(element), element.inner_start)
        if not element.children and "str" not in options and text.lstrip(BLANK)[:1] in ("{", "["):
            tree = read_inner(node, text, start, path, self.reading)
            if tree is not None:
                return tree
        names, guessed = by_content(node, element, self.reply), False
        named = by_tag(node, element.head) if element.role is ITEM else []
        if len(named) == 1 and len(names) != 1:
            names = named
        if not names and not element.children:
            names, guessed = by_text(node, self.text(element))
        if guessed:
            text = self.source(element)
            self.reading.repair(RepairKind.OPTION_CHOSEN, path, self.places[path], text, text)
        return self.chosen(node, names, element, path)

    def beside(self, element: Element, option: Element, path: Path) -> None:
        """Records what stands beside an option's own tag."""
        for child in element.children:
            if child is not option:
                self.skipped(child, path)
        self.stray_text(element, path)

    def chosen(self, node: Node, names: list[str], element: Element, path: Path) -> object:
        options = node.options()
        if len(names) == 1:
            return self.option(node, names[0], element, path)
        place, found = self.places[path], self.source(element).strip(BLANK)
        if not found and node.nullable is not False:
            return None
        if _is_cut(element):
            self.broken_off(path, "which option was meant is not known")
            return None
        message = "fits more than one option" if names else "fits none of the options"
        kind = ProblemKind.AMBIGUOUS if names else ProblemKind.INVALID
        self.reading.problem(kind, path, message, place, found, tuple(names or options))
        return None

    def option(self, union: Node, name: str, element: Element, path: Path) -> object:
        """The value of an option of a union."""
        option = union.options()[name]
        return told(union, option, self.typed(option, element, path), path, self.reading)

    def typed(self, node: Node, element: Element, path: Path) -> object:
        """The value of an option, typed here: among options nobody else could tell a number from its text."""
        return typed_tree(node, self.value(node, element, path))

    def of_any(self, node: Node, element: Element, path: Path) -> object:
        """A value of any type: what its mark says, else JSON if it is JSON, else text."""
        marked = element.attribute("type")
        if marked in MARKED:
            return self.typed(MARKED[marked], element, path)
        text = self.recorded(element, path)
        if "<" in text.raw:
            return text.value
        try:
            value: object = json.loads(text.value, object_pairs_hook=_unique_keys, parse_float=_finite)
        except (ValueError, RecursionError):
            return text.value
        return value


def _given(element: Element, name: str) -> Text | None:
    """An attribute's value, as a value that was decoded, or None."""
    raw = next((raw for found, raw in raw_attributes(element.head.rest) if found == name), None)
    return None if raw is None else Text(raw, decode(raw))


def _bare_value(rest: str) -> str | None:
    """What stands behind an element's name as its value: `<name="A">`."""
    found = _BARE_VALUE.fullmatch(rest) if rest.startswith("=") else None
    return None if found is None else decode(next(given for given in found.groups() if given is not None))


def _by_field(node: Node, given: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Attributes by the fields that they name: by its exact name, else by another. Of two, the first counts."""
    pairs = list(given)[::-1]
    others = {field.name: value for name, value in pairs if (field := node.field_named(name)) is not None}
    exact = {name: value for name, value in pairs if name in node.fields}
    return {name: found for name in node.fields if (found := exact.get(name, others.get(name))) is not None}


def _key_of(element: Element) -> Text | None:
    """The key in an element's tag; one that holds the quote that is around it goes to the last one."""
    rest = element.head.rest
    whole = _WHOLE_KEY.fullmatch(rest) if _QUOTED_KEY.search(rest) is None else None
    return _given(element, "key") if whole is None else Text(whole[2], decode(whole[2]))


def _is_cut(element: Element) -> bool:
    """Whether the reply breaks off in an element."""
    while element.children and not element.cut:
        element = element.children[-1]
    return element.cut


def _holds_items(element: Element) -> bool:
    """Whether an element of a list's own name holds its items, and is none of them."""
    children = element.children if element.head.tag else []
    return len(children) > 1 or any(isinstance(child, Run) or child.head.key in ITEM_NAMES for child in children)


def _holds_texts(element: Element) -> bool:
    """Whether the children of an element hold no elements themselves."""
    return all(not child.children and (not isinstance(child, Run) or child.holds_texts()) for child in element.children)


def _mark(node: Node, marked: str | None, text: str) -> str | None:
    """What a `type` attribute says of a value; None where it only echoes the prompt."""
    is_clear = text and node.kind not in ("union", "any", "enum")
    says = marked in MARKED or marked == "null" or marked in node.options()
    return marked if says and not is_clear else None


def _has_key(element: Element) -> bool:
    """Whether the key in an element's tag says where it belongs: to an entry of a map, or to a field whose name is no
    name in XML.
    """
    return element.role is ENTRY or element.head.key == "entry"


def _place(element: Element) -> Span:
    """Where a value stands; where it is empty, its tags."""
    if element.inner_start < element.inner_end:
        return (element.inner_start, element.inner_end)
    return (element.start, element.end)


def _scalar_option(node: Node, text: str) -> Node:
    """The option of a union of scalars whose form a text has."""
    if node.kind != "union":
        return node
    names = by_text(node, Text(text, text)).names
    return node.options()[names[0]] if len(names) == 1 else Node("str")


_BETWEEN_TAGS = re.compile(r"(?<=>)[ \t\r\n]++(?=<)")
_QUOTED_KEY = re.compile(r"\bkey\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+')(?=[\s/,]|\Z)")
_WHOLE_KEY = re.compile(r"key\s*+=\s*+([\"'])([^=]*)\1\s*+")
_BARE_VALUE = re.compile(r"=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'=]++))\s*+")
_NO_VALUES = frozenset({"type", "id", "class", "style", "lang", "key", *SHOWN})
"""Attributes of an item that are not its value: what a prompt shows, and what HTML says of any element."""
_ECHOED = ("type", "description")
"""Attributes that a prompt shows, so that they may be echoed instead of given."""

_OBJECT_FORM = "an object is written as one element for each field"


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands there twice")
    return made


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError("too large for a float")
    return number


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
