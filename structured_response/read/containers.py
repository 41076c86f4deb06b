"""Reads objects, lists, tuples and maps from their elements."""

from __future__ import annotations

import re
from itertools import zip_longest
from operator import le
from typing import Any

from ..definition import MARKED, SCALARS, Field, Node, Path, choice_text, fold, is_xml_name
from ..escaping import GAP
from ..findings import ProblemKind, RepairKind
from ..render.placeholder import is_placeholder
from .build import Element
from .data import NEVER_NULL, Reader, given, mark_of, nothing, parts_in
from .grammar import ANY, parts_of
from .leaves import unread
from .leftovers import belongs, gap_of
from .values import Text, decode, read_key, typed, value_of
from .written import LEFT_OUT, as_text

_KEYS = ("key", "name", "id")
_NO_KEYS = frozenset({"ul", "ol", "dl", "table", "tr", "td", "div", "p", "b", "br", "strong", "span", "map", "entries"})
"""Elements of markup, which are not keys."""
_NESTED = re.compile(r"\s*+<([^\W\d][\w.-]*+)>([^<>]*+)</\1>\s*+")
"""An element that holds only text."""
_OTHERS = re.compile(r"\.\.\.|\u2026|etc\.?|and (?:so on|others|more|\d+ (?:more|others))\.?", re.IGNORECASE)
"""An abbreviation for items that a text leaves out."""
_RANKS = {
    name: rank
    for names in ("x y z", "first second third", "start end", "from to", "min max", "low high", "lower upper")
    for rank, name in enumerate(names.split())
}
"""Names of items that imply an order."""


def of_dict(reader: Reader, element: Element, node: Node, path: Path) -> dict[str, Any] | None:
    """Reads an object from the elements of its fields and from attributes."""
    children = parts_in(element, path)
    if not children and element.content:
        return as_text(reader, element, node, path)  # type: ignore[no-any-return]
    tree = of_fields(reader, element, children, node, path)
    for child in children:
        if child.role == "repeated" and child.step in node.fields:
            repeated(reader, child, node, tree, (*path, child.step))
        elif child.role == "skipped" and node.keeps_extra:
            extra_value(reader, child, node, tree, path)
    if len(tree) < len(node.fields):
        reader.absent[path] = [field for name, field in node.fields.items() if name not in tree]
        absorbed(reader, children, node, path)
    return tree


def of_fields(reader: Reader, element: Element, children: list[Element], node: Node, path: Path) -> dict[str, Any]:
    """Reads the fields of an object in the order of the definition, from elements, else from attributes."""
    found: dict[str, list[Element]] = {}
    for child in children:
        if child.role in _OF_FIELDS:
            found.setdefault(child.step, []).append(child)
    for name, inner in given(element, node).items() if element.attributes else ():
        field = node.field_of(name)
        if field is not None and field.name not in found:
            reader.repair(RepairKind.SHAPE_CHANGED, inner, (*path, field.name))
            found[field.name] = [inner]
    for name in found.keys() - node.fields.keys():
        reader.doubt(found[name][0], path, f"<{found[name][0].name}> is a field of another option")
    values: dict[str, Any] = {}
    for name, field in node.fields.items():
        value = field_value(reader, found[name], field, (*path, name)) if name in found else LEFT_OUT
        if value is not LEFT_OUT:
            values[name] = value
    return values


_OF_FIELDS = frozenset({"field", "again", "item of"})
"""Roles of the elements that make up a field."""


def absorbed(reader: Reader, children: list[Element], node: Node, path: Path) -> None:
    """Records a doubt for each text that holds the tag of a missing field or, if unclosed, any sign of one."""
    missing = [gap_of(field, path) for field in reader.absent[path] if field.required]
    for child in children if missing else ():
        is_text = child.role == "field" and child.step in node.fields and node.fields[child.step].node.kind == "str"
        whole, unclosed = reader.text[child.inner : child.stop], "" if child.is_closed else child.source
        if is_text and any(re.search(f"</?{gap.names[0]}>", whole) or belongs(unclosed, gap, False) for gap in missing):
            reader.doubt(child, (*path, child.step), "it may contain a missing field")


def field_value(reader: Reader, found: list[Element], field: Field, path: Path) -> Any:
    """Reads the value of a field. A list may be spread over several elements."""
    node, first = field.node, found[0]
    is_plain = first.is_leaf and first.name == field.name and len(found) == 1 and first.role == "field"
    value = reader.own_value(first, node, path) if is_plain else None
    if value is not None:
        return value
    if not is_plain:
        respelled(reader, first, field, path)
    if len(found) > 1 or first.role == "item of":
        lists = [part for part in parts_of(node) if part.kind in ("list", "tuple")]
        if lists:
            return joined(reader, found, lists[0], path)
    if not field.required and node.kind in SCALARS and is_placeholder(node, first.content):
        reader.account.placeholders += 1
        reader.repair(RepairKind.TEXT_SKIPPED, first, path, "")
        return LEFT_OUT
    return reader.value(first, node, path)


def respelled(reader: Reader, element: Element, field: Field, path: Path) -> None:
    if element.role != "field" or not element.name:
        return
    is_entry = element.form == "xml" and reader.text.startswith("<entry", element.start)
    name = "entry" if is_entry and is_xml_name(field.name) else element.name
    if name != field.name:
        reader.account.repair(RepairKind.NAME_RESPELLED, path, (element.start, element.inner), name, field.name)


def repeated(reader: Reader, element: Element, node: Node, tree: dict[str, Any], path: Path) -> None:
    """Reads a field that occurs again. An equal value is skipped; a different one makes the field ambiguous."""
    name = element.step
    again = reader.again(element, node.fields[name].node, path)
    if again == tree.get(name):
        text = element.content
        reader.account.repair(RepairKind.ELEMENT_SKIPPED, path, element.span, text, text)
        return
    candidates = tuple(str(value)[:80] for value in (tree.get(name), again))
    message = f"<{name}> occurs twice, with different values"
    reader.account.problem(ProblemKind.AMBIGUOUS, path, message, element.span, None, candidates)
    if node.fields[name].node.kind not in NEVER_NULL:
        tree[name] = None


def extra_value(reader: Reader, element: Element, node: Node, tree: dict[str, Any], path: Path) -> None:
    """Reads an element that the definition does not know, for models that keep extra fields."""
    if not element.name or element.name in tree or element.name in node.fields:
        return
    place = (*path, element.name)
    reader.account.places[place] = element.place
    reader.extra.add(element.span)
    is_marked = mark_of(element) in (*MARKED, "null")
    tree[element.name] = reader.value(element, ANY, place) if is_marked else reader.laid_out(element, place).value


def of_list(reader: Reader, element: Element, node: Node, path: Path) -> list[Any] | None:
    """Reads a list, or a tuple, whose values all have to be present."""
    items = [child for child in parts_in(element, path) if child.role == "item"]
    if not items and element.content:
        return as_text(reader, element, node, path)  # type: ignore[no-any-return]
    if node.item is None:
        return values_of(reader, items, node, element, path)
    if not items:
        unread(reader, element, node, path)
    elif element.is_text:
        items = without_others(reader, items, path)
    elif node.item.kind in ("list", "tuple"):
        if any(item.is_tag and not item.is_closed and not item.is_cut for item in items[:-1]):
            reader.doubt(element, path, "it is unclear which items belong together")
    elif node.item.kind in SCALARS:
        items = of_texts(reader, element, items, node.item, path)
    return values_of(reader, items, node, element, path)


def of_texts(reader: Reader, element: Element, items: list[Element], node: Node, path: Path) -> list[Element]:
    """Returns the items of a list of texts. Some of their texts may hold tags of items themselves."""
    names = element.shape.item_names(element.name)
    strange = [item for item in items if fold(item.name) not in names and item.is_tag]
    if 0 < len(strange) < len(items):
        reader.fail(strange[0], path, "an element with another name is among its items")
    if all(item.is_leaf for item in items):
        return items
    every = all(_NESTED.match(reader.text, item.inner, item.end) for item in items)
    if not every and sum("</" in item.source for item in items) > 1:
        return items  # of markup
    items = [inner for item in items for inner in unnested(reader, item, node, names, path, every)]
    items = [each for each, behind in zip_longest(items, items[1:]) if not is_begun(each, behind)]
    return [each for before, each in zip([None, *items], items, strict=False) if not ends(before, each)]


def is_begun(item: Element, behind: Element | None) -> bool:
    """Returns whether an item is only the first of two consecutive opening tags."""
    is_open = not (item.is_closed or item.is_cut) and item.is_tag
    return behind is not None and is_open and item.is_empty and not item.attributes


def ends(before: Element | None, item: Element) -> bool:
    """Returns whether an empty tag is used in place of the closing tag of the item in front of it."""
    if before is None or before.is_closed or before.end != item.start or not item.is_tag:
        return False
    tag = item.tokens.text[item.start : item.stop]
    return tag.endswith("/>") and "=" not in tag


def unnested(
    reader: Reader, item: Element, node: Node, names: frozenset[str], path: Path, every: bool = True
) -> list[Element]:
    """Returns the items nested in an item's text: in `every` item of the list, or in a second tag of its name."""
    if node.kind != "str" or not item.is_tag:
        return [item]
    found = list(_NESTED.finditer(reader.text, item.inner, item.end))
    is_twice = len(found) == 1 and fold(found[0][1]) == fold(item.name)
    rest = _NESTED.sub("", item.source).strip(GAP)
    if rest or not (every or is_twice) or any(fold(match[1]) not in names for match in found):
        return [item]
    reader.repair(RepairKind.SHAPE_CHANGED, item, path)
    places = ((match.start(), *match.span(2), match.end(), match[1]) for match in found)
    return [Element(item.shape, "item", None, *place, -1, item.tokens, item.form) for place in places]


def without_others(reader: Reader, items: list[Element], path: Path) -> list[Element]:
    """Returns the items of a text without abbreviations for further items, which are a problem."""
    has_any = items and _OTHERS.search(reader.text, items[0].start, items[-1].stop)
    others = [item for item in items if not item.children and _OTHERS.fullmatch(item.content)] if has_any else []
    if others and len(items) > 1:
        reader.fail(others[0], path, "the list is abbreviated: it leaves items out")
        return [item for item in items if item not in others]
    return items


def joined(reader: Reader, found: list[Element], node: Node, path: Path) -> list[Any] | None:
    """Reads a list whose items are spread over several elements of the list's name, or are not in one at all."""
    items: list[Element] = []
    is_in_tags = any(child.token >= 0 for child in found[0].children)
    if is_in_tags and len({each.content for each in found}) == 1 < len(found):
        text = reader.text[slice(*found[-1].span)]
        reader.account.repair(RepairKind.ELEMENT_SKIPPED, path, found[-1].span, text, "")
        found = found[:1]
    for element in found:
        inner = [child for child in parts_in(element, path) if child.role == "item"]
        if element.role == "item of" or not (inner or element.is_empty):
            names = element.shape.item_names(element.name)
            items += unnested(reader, element, node.item, names, path) if node.item is not None else [element]
        else:
            items += inner
    place = (found[0].start, found[-1].stop)
    reader.account.places[path] = place
    reader.account.repair(RepairKind.SHAPE_CHANGED, path, place, "", "")
    if node.kind == "tuple" and any("," in item.content for item in items if not item.children):
        reader.doubt(found[-1], path, "the tuple occurs more than once")
        return None
    return values_of(reader, items, node, found[-1], path)


def values_of(reader: Reader, items: list[Element], node: Node, element: Element, path: Path) -> list[Any] | None:
    """Reads the items of a list or a tuple. All of them have to be present."""
    nodes = node.parts if node.item is None else [node.item] * len(items)
    if element.form == "json" and node.kind == "list" and not is_counted(items):
        reader.doubt(element, path, "the items have keys, but a list has none")
    named = (item for item in items if item.name != "li" or not (item.is_leaf or item.token < 0))
    ranks = [rank for item in named if (rank := rank_of(item)) >= 0]
    if not all(map(le, ranks, ranks[1:])):
        reader.doubt(element, path, "the items are numbered in another order")
    if len(items) == len(nodes):
        pairs = enumerate(zip(nodes, items, strict=True))
        return [reader.value(child, part, (*path, index)) for index, (part, child) in pairs]
    if element.is_cut:
        reader.account.broken_off(path, element.place, "some values are missing")
    else:
        reader.fail(element, path, f"number of values: expected {len(nodes)}, found {len(items)}")
    return None


def is_counted(items: list[Element]) -> bool:
    """Returns whether the items of JSON have no keys, or keys that count them."""
    keys = [item.name for item in items if item.token >= 0 and item.tokens.symbols[item.token].keyed]
    if not keys:
        return True
    stem = keys[0].rstrip("0123456789")
    first = int(keys[0] != f"{stem}0")
    return keys == [f"{stem}{number + first}" for number in range(len(items))]


def rank_of(item: Element) -> int:
    """Returns the position that an item claims in its list, -1 if it claims none."""
    given = item.attributes
    numbers = {each.name: each.value for each in given if each.value.isdecimal()} if given else {}
    number = numbers.get("index", numbers.get("n"))
    return int(number) if number is not None else _RANKS.get(fold(item.name), -1)


def of_map(reader: Reader, element: Element, node: Node, path: Path) -> dict[str, Any]:
    assert node.item is not None and node.key is not None
    entries = [child for child in parts_in(element, path) if child.role in ("entry", "pair")]
    if not entries and element.content:
        return as_text(reader, element, node, path)  # type: ignore[no-any-return]
    if not entries:
        entries = list(given(element, node).values())
        for each in entries:
            reader.repair(RepairKind.SHAPE_CHANGED, each, (*path, each.name))
    elif element.form == "xml" and any("key" not in {held.name for held in each.attributes} for each in entries):
        reader.repair(RepairKind.SHAPE_CHANGED, element, path)
    tree: dict[str, Any] = {}
    known: dict[Any, str] = {}
    for child in entries:
        raw, value = entry_of(child)
        if raw is None:
            reader.fail(child, path, "an entry without a key")
            continue
        key, said = key_of(reader, child, raw, node.key, path)
        if known.setdefault(said, key) != key or key in tree:
            same_key(reader, child, value, node.item, tree, (*path, key))
        else:
            tree[key] = reader.value(value, node.item, (*path, key)) if value is not None else nothing(node.item)
    return tree


def entry_of(element: Element) -> tuple[str | None, Element | None]:
    """Returns the key of an entry as written, or None, and the element that holds its value."""
    attributes = {each.name: each.value for each in element.attributes}
    if element.role == "pair":
        parts = {child.step: child for child in element.children if child.role == "field"}
        if "key" in parts:
            key = parts.pop("key")
            element.children.remove(key)
            return key.content or None, parts.get("value", element if parts else None)
        return next((attributes[name] for name in _KEYS if name in attributes), None), parts.get("value", element)
    if "key" in attributes or not element.is_tag:
        said = attributes.get("key", element.name)
        is_cut = said[:1] == "\u201c" and "\u201d" not in said
        return None if "<" in said or is_cut else said, element
    if fold(element.name) in _NO_KEYS or not attributes.keys().isdisjoint(_KEYS):
        return None, element
    # A key of several words is not an attribute.
    tag = element.tokens.text[element.start : element.inner].strip("<>/ \n")
    return element.name if "=" in tag else tag, element


def key_of(reader: Reader, element: Element, raw: str, node: Node, path: Path) -> tuple[str, Any]:
    """Returns a key in its strict form, and its value in its own type."""
    if node.kind == "str" and raw.isalnum():
        return raw, raw
    if element.form == "json":
        text = Text(raw, raw)
    else:
        text = Text(raw, decode(raw)) if element.is_tag else value_of(raw, lambda: "")
    scalar = read_key(node, text.raw, text.value).ordered(reader.account.day_first)
    key = text.value if scalar.value is None else choice_text(scalar.value)
    span = (element.start, element.inner)
    if scalar.problem is not None:
        reader.account.problem(ProblemKind.INVALID, (*path, key), f"invalid key: {scalar.problem}", span, text.raw)
        return key, key
    if scalar.repair is not None:
        reader.account.repair(scalar.repair, (*path, key), span, text.raw, key)
    return key, typed(node, scalar.value)


def same_key(
    reader: Reader, child: Element, value: Element | None, node: Node, tree: dict[str, Any], path: Path
) -> None:
    """Handles an entry whose key occurred before. An equal value is skipped; a different one is a doubt."""
    again = None if value is None else reader.again(value, node, path)
    if path[-1] in tree and again == tree[path[-1]]:
        reader.account.repair(RepairKind.ELEMENT_SKIPPED, path, child.span, reader.text[slice(*child.span)], "")
    else:
        reader.doubt(child, path, "the key occurs twice")
