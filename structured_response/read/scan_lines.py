"""Scans text without tags into the same tokens: bullets, lines, separated values, labels, tables, YAML.

Each text has one level here; values that hold others return as texts. Only names of the current shape are labels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import Any

from ..data.load import YamlReader, yaml_events
from ..definition import ITEM_NAMES, Path, Plan, fold, per_plan, walk
from ..errors import InstanceError
from ..escaping import FENCES
from .build import Element, Left, Tree, build
from .grammar import Grammar, Shape
from .lines import known_labels, read_bullets, read_entries, read_labels, read_rows
from .parts import ITEM, Part, Parts, Place, UnclearError, trimmed
from .prices import Edit
from .scan import CLOSE, EMPTY, END, OPEN, Symbol, Tokens, is_blank
from .search import Search
from .separated import read_pairs, read_separated, read_table, read_tuple, read_whole
from .table import element


def _is_list(shape: Shape) -> bool:
    return not shape.is_tuple and shape.is_list


_WAYS: tuple[tuple[Callable[[Shape], object], Callable[[Place], Parts]], ...] = (
    (lambda shape: True, read_table),
    (lambda shape: shape.is_tuple, read_tuple),
    (_is_list, read_bullets),
    (lambda shape: shape.fields or (shape.item is not None and shape.item.fields), read_labels),
    (lambda shape: shape.is_map, read_pairs),
    (lambda shape: shape.is_map, read_entries),
    (_is_list, read_rows),
    (_is_list, read_separated),
    (_is_list, read_whole),
)
"""The shapes and the reader of each way, the surest first. The first one whose parts the search accepts wins."""

# Reading a text


def read_content(place: Place, name: str, form: str = "xml") -> Tree | None:
    """Returns the tree of a text in place of elements, or None. Only values in the form "xml" have references."""
    place = place.within(place.start, place.end)
    if place.inner.startswith(FENCES) and (found := _FENCE.fullmatch(place.inner)) is not None:
        place = place.within(place.start + found.start(1), place.start + found.end(1))
    if place.start >= place.end:
        return None
    if _NOTHING.fullmatch(place.inner) and (place.shape.is_list or place.shape.is_map):
        return _tree(place._replace(start=place.end), name, [], form)
    try:
        for takes, read in _WAYS:
            parts = read(place) if takes(place.shape) else []
            tree = _tree(place, name, parts, form) if parts else None
            if tree is not None:
                return tree
    except UnclearError:
        pass
    return None


_NOTHING = re.compile(r"\(\s*\)|\[\s*\]|\{\s*\}")
"""Empty brackets."""


def read_yaml(place: Place, name: str) -> Tree | None:
    """Returns the tree of a span of YAML, or None if it is not YAML. Raises `MissingExtraError` without PyYAML."""
    _shape, text, start, end = place
    start = text.rfind("\n", 0, start) + 1 if is_blank(text, text.rfind("\n", 0, start) + 1, start) else start
    try:
        parts = yaml_parts(text, start, end + text.startswith("\n", end))  # a block may keep its last line break
    except InstanceError:
        return None
    return _tree(place.within(start, end), name, parts, "yaml")


def read_lines(grammar: Grammar, text: str, start: int, end: int, is_told: bool = False) -> Tree | None:
    """Returns the tree of a reply written as lines of `label: value` or as YAML, which `is_told` expects, or None."""
    shape, root = grammar.root, grammar.plan.root_name
    place = _in_fence(Place(shape, text, *trimmed(text, start, end)))
    is_told |= text.startswith(_YAML_FENCES, text.rfind("\n", 0, max(place.start - 1, 0)) + 1)
    may_be_yaml = is_told or not text.startswith("<", place.start)  # PyYAML takes longer than all other readers
    tree = _as_yaml(place, is_told) if may_be_yaml and has_yaml() else None
    if tree is not None and is_told:
        return tree
    try:
        parts = read_labels(place)
    except UnclearError:
        return None
    known = {found.name for part in parts if (found := place.field(part.name)) is not None}
    if not known:
        return None
    fields = place.labelled.fields
    is_sure = len(known) > 1 or (not shape.fields and len(read_bullets(place)) > 1)
    required = {name for name, (field, _shape, _bit) in fields.items() if field.required}
    if tree is not None and (is_sure or required <= known):
        return tree
    if not is_sure and len(fields) > 1:
        return None
    place = place.within(parts[0].start, parts[-1].stop)
    if shape.fields:
        return _tree(place, root, parts, "plain")
    return read_content(place, root, "plain")


_COMMENT = re.compile(r"#[^\n]*")
_YAML_FENCES = ("```yaml", "```yml", "~~~yaml", "~~~yml")


def _as_yaml(place: Place, is_told: bool) -> Tree | None:
    """Returns the tree of a text that its fence declares as YAML, or that has only known fields and no comments."""
    tree = read_yaml(place, place.shape.grammar.plan.root_name)
    if tree is None or tree.root is None or not tree.root.children:
        return None
    has_comments = any(left.edit is Edit.COMMENT_SKIPPED for left in tree.left)
    is_whole = all(child.role in ("field", "wrapper", "item") for child in tree.root.children)
    return tree if is_told or (is_whole and not has_comments) else None


def _in_fence(place: Place) -> Place:
    """Returns the inside of a fence if the labels are in it, else the whole place."""
    found = _FENCE.search(place.text, place.start, place.end)
    if found is None or known_labels(place.within(place.start, found.start())):
        return place
    inside = place.within(*found.span(1))
    return inside if found[0].startswith(_YAML_FENCES) or known_labels(inside) else place


_FENCE = re.compile(r"^(?:```|~~~)[^\n`]*\n(.*?)(?:\n?^(?:```|~~~)[ \t]*+$|\Z)", re.MULTILINE | re.DOTALL)


# The parts of YAML: PyYAML's events open and close elements one to one, with their places


@cache
def has_yaml() -> bool:
    return find_spec("yaml") is not None


def yaml_parts(text: str, start: int, end: int) -> Parts:
    """Returns the parts of a span that is one YAML document, or none of a scalar. Raises as `yaml_events` does."""
    stretch = text[start:end]
    parts, _last = _PartReader(stretch, yaml_events(stretch), lambda event: ((), event), offset=start).document()
    return list(parts)


@dataclass
class _PartReader(YamlReader):
    """Makes parts from the events: for each value its parts and its last event. A name may occur twice."""

    offset: int = 0

    def items(self, path: Path) -> tuple[tuple[Part, ...], Any]:
        made: list[Part] = []
        while not isinstance(event := next(self.events), self.yaml.SequenceEndEvent):
            made.append(self.part(ITEM, event, event, (*path, len(made))))
        return tuple(made), event

    def members(self, path: Path) -> tuple[tuple[Part, ...], Any]:
        made: list[Part] = []
        while not isinstance(event := next(self.events), self.yaml.MappingEndEvent):
            name = self.key(event)
            made.append(self.part(name, event, next(self.events), (*path, name), is_key=True))
        return tuple(made), event

    def part(self, name: str, opening: Any, event: Any, path: Path, is_key: bool = False) -> Part:
        """Returns the part whose value begins with an event, or behind the colon."""
        parts, last = self.value(event, path)
        start, inner, end = opening.start_mark.index, event.start_mark.index, last.end_mark.index
        if inner == event.end_mark.index:
            inner = self.text.find(":", start, inner) + 1 or inner
            end = inner if last is event else end  # the value is empty
        start, inner, end = (self.offset + place for place in (start, inner, end))
        return Part(name, start, inner, end, end, parts, is_key)


def yaml_text(raw: str) -> str:
    """Returns the text of a scalar. A block's last line break is layout unless its header keeps it."""
    if raw[:1] not in "\"'|>" and "\n" not in raw:
        return raw
    try:
        value = YamlReader(raw, yaml_events(raw), lambda event: str(event.value)).document()
    except InstanceError:
        return raw
    is_kept = "+" in raw.partition("\n")[0] or raw[:1] not in "|>"
    return raw if not isinstance(value, str) else value if is_kept else value.removesuffix("\n")


# Parts become tokens, and tokens a tree


def _tree(place: Place, name: str, parts: Parts, form: str) -> Tree | None:
    text, grammar = place.text, place.shape.grammar
    tokens = _tokens(grammar, text, Part(name, place.start, place.start, place.end, place.end, tuple(parts)))
    called = tokens.symbols[0].name
    inside = element(grammar, place.shape, called, called, grammar.state("around", grammar.root, "", ""))
    reading = Search(grammar, inside, 1, lambda state, index: True).run(tokens.symbols)
    if reading is None:
        return None
    tree = build(tokens, reading.way, place.start, inside)
    root = tree.root
    if root is None or tree.is_given_up or (parts and all(child.role == "skipped" for child in root.children)):
        return None
    gaps = zip(tokens.ends, tokens.starts[1:], strict=False)
    strays = [gap for gap in gaps if gap[0] < gap[1] and not is_blank(text, *gap)]
    if form == "yaml":  # all other text between its parts is layout
        comments = [found.span() for gap in strays for found in _COMMENT.finditer(text, *gap)]
        tree.left += [Left(span, root, None, Edit.COMMENT_SKIPPED) for span in comments]
    else:
        tree.left += [Left(gap, root, None, Edit.TEXT_STRAY) for gap in strays]
    _name_form(root, text, form)
    return tree


def _tokens(grammar: Grammar, text: str, around: Part) -> Tokens:
    """Returns the tokens of a part and of its inner parts. A part without inner ones is a leaf, like an element."""
    item = _item_name(grammar.plan)
    called: dict[str, tuple[str, bool]] = {}
    tokens = Tokens(text)
    events = [(OPEN, around), *_events(around.parts), (CLOSE, around), (END, Part("", *(around.stop,) * 4))]
    following = END, "", False
    tokens.names = [item if part.name == ITEM else part.name for _kind, part in events]
    for (kind, part), name in zip(reversed(events), reversed(tokens.names), strict=True):
        word = called.get(name) or called.setdefault(name, _called(grammar, name))
        has_text = kind == EMPTY and not is_blank(text, part.inner, part.end)
        tokens.symbols.append(_symbol(kind, *word, part.is_key, has_text, following))
        following = OPEN if kind == EMPTY else kind, word[0], False
    tokens.symbols.reverse()
    tokens.kinds = [kind for kind, _part in events]
    tokens.starts = [part.end if kind in (CLOSE, END) else part.start for kind, part in events]
    tokens.ends = [part.inner if kind == OPEN else part.stop for kind, part in events]
    tokens.contents = {at: (part.inner, part.end) for at, (kind, part) in enumerate(events) if kind == EMPTY}
    return tokens


def _events(parts: Iterable[Part]) -> Iterator[tuple[str, Part]]:
    """Yields the beginnings and ends of parts that hold others, and the parts that hold none."""
    for part in parts:
        if part.parts:
            yield OPEN, part
            yield from _events(part.parts)
            yield CLOSE, part
        else:
            yield EMPTY, part


@lru_cache(maxsize=20_000)
def _symbol(
    kind: str, name: str, is_known: bool, is_key: bool, has_text: bool, following: tuple[str, str, bool]
) -> Symbol:
    if kind != EMPTY:
        return Symbol(kind, name, False, True, following, is_key, is_known=is_known)
    opening = Symbol(OPEN, name, False, True, (CLOSE, name, has_text), is_key, is_known=is_known)
    closing = Symbol(CLOSE, name, has_text, True, following, is_known=is_known)
    return opening.but(tags=(opening, closing))


def _called(grammar: Grammar, name: str) -> tuple[str, bool]:
    """Returns a symbol's name for an element, and whether it is known. Odd keys get a prefix, or would be JSON's."""
    called, is_known = grammar.named(name)
    return called if is_known or any(map(str.isalnum, name)) else "\0" + name, is_known


@per_plan
def _item_name(plan: Plan) -> str:
    """Returns a name for items that no field has."""
    names = {plan.root_name, plan.class_name, *(name for node in walk(plan.root) for name in node.fields)}
    folded = {fold(name) for name in names}
    return next((name for name in ITEM_NAMES if name not in folded), "li")


def _name_form(root: Element, text: str, form: str) -> None:
    """Sets the notation of all elements, which have no tags. Some values are written as YAML does."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        waiting += element.children
        element.token, element.form = -1, form
        if element.children:
            continue
        raw = text[element.inner : element.end]
        if raw[:1] in _YAML_STARTS:
            is_yaml = (form != "xml" or "&" not in raw) and _YAML_VALUE.fullmatch(raw) is not None and has_yaml()
            element.form, element.is_leaf = "yaml" if is_yaml else form, False
        else:
            element.is_leaf = not element.is_cut and form != "yaml" and raw[-1:] != ")"  # a `)` may end a placeholder


_YAML_STARTS = ("|", ">", '"', "'")
_YAML_VALUE = re.compile(
    r"[|>][+-]?[0-9]?[ \t\r]*\n.*|\"(?=[^\"]*[\\\n])(?:[^\"\\]|\\.)*+\"|'(?=[^']*(?:''|\n))(?:[^']|'')*+'", re.DOTALL
)
"""A block, or a quoted text with escapes."""
