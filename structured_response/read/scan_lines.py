"""Text in other forms than tags becomes the same tokens: bullets, lines, separated values, labels, tables.

A list, a map, a tuple or an object that is written as a text has one level here: a bullet opens an item, a label opens
a field or an entry, and the end of its value closes it. The search reads these tokens as it reads tags, and values that
hold others come back here as texts of their own. Only names of the shape at hand are labels; all else is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from ..definition import ITEM_NAMES, SCALARS, Field, Plan, fold, per_plan, walk
from ..markup import FENCES, GAP
from .build import Element, Left, Tree, build
from .grammar import Grammar, Shape, is_near
from .prices import Edit
from .rows import Move, element
from .scan import CLOSE, END, OPEN, Tokens, is_blank, symbol_of
from .scan_yaml import Event, NotYamlError, has_yaml, scan_yaml
from .search import Search
from .values import reads

__all__ = ["read_content", "read_lines", "read_yaml"]

ITEM = "\1"
"""The name of items until they are tokens: no label has it."""


class Part(NamedTuple):
    """A stretch that an element is made of: from `start` to `stop` with its bullet or label, its value between.

    `name` is what the element is called, `parts` are those in it.
    """

    name: str
    start: int
    inner: int
    end: int
    stop: int
    parts: tuple[Part, ...] = ()
    is_key: bool = False


Parts = list[Part]


class Place(NamedTuple):
    """A stretch of a text that is to be read as a shape."""

    shape: Shape
    text: str
    start: int
    end: int

    @property
    def inner(self) -> str:
        return self.text[self.start : self.end]

    def within(self, start: int, end: int) -> Place:
        """A smaller stretch, without blanks at its ends."""
        return Place(self.shape, self.text, *_trimmed(self.text, start, end))


# What a text says


def read_content(
    grammar: Grammar, shape: Shape, name: str, text: str, start: int, end: int, form: str = "xml"
) -> Tree | None:
    """The tree of a text that stands in place of elements, None where it can't be told what it holds.

    `form` is that of the characters: in "xml" values hold references, "plain" values don't.
    """
    place = _unfenced(Place(shape, text, *_trimmed(text, start, end)))
    if place.start >= place.end:
        return None
    if _NOTHING.fullmatch(place.inner) and (shape.is_list or shape.is_map):
        return _tree(grammar, place._replace(start=place.end), name, [], form)
    try:
        for reader in _READERS:
            parts = reader.read(place) if reader.takes(shape) else []
            tree = _tree(grammar, place, name, parts, form) if parts else None
            if tree is not None:
                return tree
    except _UnclearError:
        pass
    return None


_NOTHING = re.compile(r"\(\s*\)|\[\s*\]|\{\s*\}")
"""Brackets around nothing."""


class _UnclearError(Exception):
    """A text could say more than one thing."""


def read_yaml(grammar: Grammar, shape: Shape, name: str, text: str, start: int, end: int) -> Tree | None:
    """The tree of a stretch that is YAML, None where it is none. Raises `MissingExtraError` without PyYAML."""
    start = text.rfind("\n", 0, start) + 1 if is_blank(text, text.rfind("\n", 0, start) + 1, start) else start
    try:
        events = list(scan_yaml(text, start, end, ITEM))
    except NotYamlError:
        return None
    place = Place(shape, text, *_trimmed(text, start, end))
    texts = [False, *(event.has_text for event in events), not events, False]
    return _searched(grammar, place, _tokens(place, name, events), events, texts, "yaml")


def read_lines(grammar: Grammar, text: str, start: int, end: int) -> Tree | None:
    """The tree of a reply that is written as lines of `label: value` or as YAML, None for any other one.

    A reply of one label is an answer only where one field is all that is asked for, or where it is YAML.
    """
    shape = grammar.root
    try:
        place = _wrapped(grammar, _in_fence(Place(shape, text, *_trimmed(text, start, end))))
        parts = _fields(place, in_line=False)
    except _UnclearError:
        return None
    fields = (shape.item if shape.item is not None and not shape.fields else shape).fields
    known = {found.name for part in parts if (found := _field(place, part.name)) is not None}
    if not known:
        parts = _bullets(place) if shape.is_list and not shape.fields else []
        is_json = len(parts) > 1 and all(place.text[part.inner] == "{" for part in parts)
        place = place.within(parts[0].start, parts[-1].stop) if is_json else place
        return _tree(grammar, place, grammar.plan.root_name, parts, "plain") if is_json else None
    is_yaml = place.text.startswith(_YAML_FENCES, place.text.rfind("\n", 0, max(place.start - 1, 0)) + 1)
    if is_yaml and _ACTS.search(place.text, place.start, place.end) is not None:
        return None
    tree = _as_yaml(grammar, place, is_yaml) if has_yaml() else None
    required = {name for name, (field, _shape, _bit) in fields.items() if field.required}
    is_list = not shape.fields and len(_BULLET_LINES.findall(place.text, place.start, place.end)) > 1
    is_sure = len(known) > 1 or is_list
    if tree is not None and (is_yaml or is_sure or required <= known):
        return tree
    if not is_sure and len(fields) > 1:
        return None
    place = place.within(parts[0].start, max(part.stop for part in parts))
    if shape.fields:
        return _tree(grammar, place, grammar.plan.root_name, parts, "plain")
    return read_content(grammar, shape, grammar.plan.root_name, text, place.start, place.end, "plain")


_BULLET_LINES = re.compile(r"^[ \t]*(?:[-*+\u2022]|[0-9]{1,4}[.)])[ \t]", re.MULTILINE)
_ACTS = re.compile(r"^[ \t-]*+[\w ]+:[ \t]+(?:!!\w|[&*]\w+(?:\s|\Z))", re.MULTILINE)
"""Tags and anchors of YAML, which can act and grow: what has them is not read."""

_YAML_FENCES = ("```yaml", "```yml", "~~~yaml", "~~~yml")


def _as_yaml(grammar: Grammar, place: Place, is_told: bool) -> Tree | None:
    """The tree of what is YAML by its fence, or of what has only known fields and nothing that YAML leaves out."""
    tree = read_yaml(grammar, place.shape, grammar.plan.root_name, place.text, place.start, place.end)
    if not is_told and _TYPED.search(place.text, place.start, place.end) is not None:
        return None
    if tree is None or tree.root is None or not tree.root.children or is_told:
        return tree if tree is not None and tree.root is not None and tree.root.children else None
    tokens = tree.tokens
    gaps = zip(tokens.ends, tokens.starts[1:], tokens.symbols[1:], strict=False)
    has_comments = any(not symbol.text and "#" in place.text[begin:stop] for begin, stop, symbol in gaps)
    is_whole = all(child.role in ("field", "wrapper", "item") for child in tree.root.children)
    return tree if is_whole and not has_comments else None


_TYPED = re.compile(r"^[\w ]+:[ \t]*(?:str|int|float|bool)[ \t]*=", re.MULTILINE)
"""Lines of Python: a name, its type and its value."""


def _in_fence(place: Place) -> Place:
    """The inside of a fence that holds the labels, else all of the text."""
    found = _FENCE.search(place.text, place.start, place.end)
    if found is None or (found[0].startswith("```\n") and found[0].count("```") == 1):
        return place
    if place.text[place.start : found.start()].count("```") % 2:
        return place
    inside = place.within(*found.span(1))
    return inside if _fields(inside, in_line=False) else place


def _wrapped(grammar: Grammar, place: Place) -> Place:
    """What stands below a label that names the whole answer, else all of the text."""
    line = next(_lines(place), None)
    label = _label(place.text, *line) if line is not None else None
    if label is None or fold(label.name) not in grammar.root_names or place.shape.field(label.name) is not None:
        return place
    return place.within(label.inner, place.end) if is_blank(place.text, label.inner, line[1] if line else 0) else place


def _unfenced(place: Place) -> Place:
    """A stretch without a fence around all of it."""
    if place.inner.startswith(FENCES):
        found = _FENCE.match(place.text, place.start, place.end)
        if found is not None and found.end() == place.end:
            return place.within(*found.span(1))
    return place


_FENCE = re.compile(r"^(?:```|~~~)[^\n`]*\n(.*?)(?:\n?[ \t]*^(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)


# Parts become tokens, and tokens a tree


def _tree(grammar: Grammar, place: Place, name: str, parts: Parts, form: str) -> Tree | None:
    """The tree of parts, None where they fit nothing."""
    events = list(_events(parts))
    tokens = _tokens(place, name, events)
    texts = [False] * len(tokens)
    strays: list[Span] = []
    for index in range(1, len(tokens)):
        gap = tokens.ends[index - 1], tokens.starts[index]
        if not is_blank(place.text, *gap):
            texts[index] = (tokens.kinds[index - 1], tokens.kinds[index]) == (OPEN, CLOSE)
            strays += [] if texts[index] else [gap]
    tree = _searched(grammar, place, tokens, events, texts, form)
    if tree is not None and tree.root is not None:
        tree.left += [Left(gap, tree.root, None, Edit.TEXT_STRAY) for gap in strays]
    return tree


def _events(parts: Iterable[Part]) -> Iterator[Event]:
    """What parts open and close."""
    for part in parts:
        yield Event(OPEN, part.name, part.start, part.inner, part.is_key)
        yield from _events(part.parts)
        yield Event(CLOSE, part.name, part.end, part.stop, part.is_key)


def _tokens(place: Place, name: str, events: list[Event]) -> Tokens:
    """The tokens in an element, which has no tags of its own, and those around them."""
    first, last = Event(OPEN, name, place.start, place.start), Event(CLOSE, name, place.end, place.end)
    events = [first, *events, last, Event(END, "", place.end, place.end)]
    kinds, names, starts, ends = map(list, zip(*(event[:4] for event in events), strict=True))
    return Tokens(place.text, kinds, names, starts, ends)


def _searched(
    grammar: Grammar, place: Place, tokens: Tokens, events: list[Event], texts: list[bool], form: str
) -> Tree | None:
    """The tree that the search makes of tokens, None where nothing fits."""
    item = _item_name(grammar.plan)
    tokens.names = [item if name == ITEM else name for name in tokens.names]
    is_known = [fold(name) in grammar.names for name in tokens.names]
    names = [
        name if known or any(map(str.isalnum, name)) else _NAMELESS + name
        for name, known in zip(tokens.names, is_known, strict=True)
    ]
    name = names[0]
    keys = [False, *(event.is_key for event in events), False, False]
    following = [*zip(tokens.kinds[1:], names[1:], texts[1:], strict=True), (END, "", False)]
    tokens.symbols = [
        symbol_of(kind, name, text, True, after, keyed=key, is_known=known)
        for kind, name, text, after, key, known in zip(
            tokens.kinds, names, texts, following, keys, is_known, strict=True
        )
    ]
    inside = element(grammar, place.shape, name, name, grammar.state("around", grammar.root, "", ""))
    search = Search(grammar, inside, 1, lambda state, index: True)
    search.run(tokens.symbols, len(tokens) - 1)
    reading = search.reading()
    if reading is None:
        return None
    opening = Move(inside, (("open", place.shape, "root", None, False),), ())
    tree = build(tokens, [(0, opening), *reading.way], place.start)
    if (
        tree.root is None
        or tree.is_given_up
        or (events and all(child.role == "skipped" for child in tree.root.children))
    ):
        return None
    _name_form(tree.root, place.text, form)
    return tree


@per_plan
def _item_name(plan: Plan) -> str:
    """A name of items that no field has."""
    names = {plan.root_name, plan.class_name, *(name for node in walk(plan.root) for name in node.fields)}
    folded = {fold(name) for name in names}
    return next((name for name in ITEM_NAMES if name not in folded), "li")


_NAMELESS = "\0"
"""What begins the names of elements whose keys are no words: an empty one has no end, a bracket is of JSON."""


def _name_form(root: Element, text: str, form: str) -> None:
    """Tells all elements which characters they hold: some values are written as YAML does. They have no tags."""
    waiting = [root]
    while waiting:
        element = waiting.pop()
        raw = "" if element.children else text[element.inner : element.end]
        is_yaml = raw[:1] in _YAML_STARTS and "&" not in raw and _YAML_VALUE.fullmatch(raw) is not None and has_yaml()
        element.token, element.form = -1, "yaml" if is_yaml else form
        waiting += element.children


_YAML_STARTS = ("|", ">", '"', "'")
_YAML_VALUE = re.compile(
    r"[|>][+-]?[0-9]?[ \t\r]*\n.*|\"(?=[^\"]*[\\\n])(?:[^\"\\]|\\.)*+\"|'(?=[^']*(?:''|\n))(?:[^']|'')*+'", re.DOTALL
)
"""A block, or a text in quotes that holds escapes."""


# Lines, bullets and labels


Span = tuple[int, int]

_LINE = re.compile(r"[^\n]+")
_SIGN = r"[^\x00-\u00ff\w\s\u2018-\u201f\u2026\u20a0-\u20cf\u2200-\u22ff\u3000-\u303f]{1,8}+"
_BULLET = re.compile(
    rf"[ \t]*+(?P<mark>[-*+\u00b7\u00bb]|\(?[0-9]{{1,4}}[.)]|[0-9]{{1,4}}(?=\u3001[^\u3001\n]*+(?:\n|\Z))"
    rf"|[0-9]\ufe0f?\u20e3|{_SIGN}|\(?[a-z]\)|[a-z]\.|[ivx]{{2,5}}[.)])"
    r"(?:\u3001[ \t]*+|[ \t]++(?:\[(?P<box>[ xX])\][ \t]++)?|(?=\r?\n|\r?\Z)|(?<=[\u2022\u25e6\u25aa\u25cf\u25cb]))"
)
"""What an item may begin with. A sign is a symbol of no other use (quote, currency, mathematics), or an emoji."""
_SIGNS = "-*+\u00b7\u2022\u25e6\u2023\u2013\u2014\u25aa\u25cf\u25cb\u2192"
"""Signs that say no more than that an item begins."""
_HEAD = (
    r"[ \t]*+(?:\#{1,6}[ \t]++)?(?P<mark>\*{1,3}|`)?(?P<quote>[\"'\u201c])?(?P<name>[^\n]{1,80}?)(?(quote)[\"'\u201d])"
    r"(?(mark)(?P<closed>(?P=mark))?)"
)
_LABELS = (
    re.compile(
        _HEAD + r"[ \t]*(?:->|=>|=|:[ \t]*(?:str|int|float|bool)[ \t]*="
        r"|\u2192|[:\uff1a](?=[\s*_`\"']|\Z))(?(mark)(?P<behind>[*`]{1,3})?)"
    ),
    re.compile(_HEAD + r"[:\uff1a](?!//)(?(mark)(?P<behind>[*`]{1,3})?)"),
)
"""Labels with a sign behind them, the surer first: a colon that something follows may be part of a value."""
_QUOTED = re.compile(r"\"[^\"\\\n]*\"|'[^'\\\n]*'|\u201c[^\u201c\u201d\n]*\u201d|`[^`\n]+`")
_REMARKED = re.compile(r"\"[^\"\n]*\"[ \t]+#[^\n]*|[^\n]*[^\s]  #[^\n]*")
_QUOTES = ('"', "'", "\u201c")
_LONE_BRACE = re.compile(r"\A[^{]*\n[ \t]*\}|\n[ \t]*\[\w+\][ \t\r]*(?=\n|\Z)")
_TRIPLE = ('"""', "'''")
_SENTENCE = re.compile(r"[^\W\d].*[.!?:\u3002][\s*_)]*\Z", re.DOTALL)


class Label(NamedTuple):
    """A label: where it begins, its bullet included, where its value begins, and how it is written.

    `around` are the marks that stand around label and value, `key` is where the name begins.
    """

    name: str
    start: int
    inner: int
    indent: int
    form: tuple[str, bool, bool]
    around: str
    key: int


def _trimmed(text: str, start: int, end: int, more: str = "") -> Span:
    """A stretch without blanks at its ends."""
    piece = text[start:end]
    bare = piece.rstrip(GAP + more)
    return start + len(bare) - len(bare.lstrip(GAP)), start + len(bare)


def _lines(place: Place) -> Iterator[Span]:
    """The lines that say something, with their indentation, unless the first stands behind a tag."""
    for match in _LINE.finditer(place.text, place.start, place.end):
        if match[0].strip(GAP):
            start = match.start()
            yield (start if _is_cut_line(place, start) else place.text.rfind("\n", 0, start) + 1), match.end()


def _indent(text: str, start: int, end: int) -> int:
    line = text[start:end].expandtabs(4)
    return len(line) - len(line.lstrip(" "))


def _is_cut_line(place: Place, start: int) -> bool:
    """Whether something stands in front of the first line, so that nobody can tell how deep it is."""
    return start == place.start and not is_blank(place.text, place.text.rfind("\n", 0, start) + 1, start)


def _label(text: str, start: int, end: int) -> Label | None:
    """The label that a line, or a part of one, begins with."""
    bullet = _BULLET.match(text, start, end)
    begin = bullet.end() if bullet is not None else start
    for pattern in _LABELS:
        match = pattern.match(text, begin, min(end, begin + 100))
        if match is None:
            continue
        name, mark, quote = match["name"].strip(), match["mark"] or "", match["quote"] or ""
        if quote and quote in name:
            name = quote + name + quote
        is_around = bool(mark) and not match["closed"] and not match["behind"]
        if is_around and not text.endswith(mark, start, _trimmed(text, start, end)[1]):
            name, is_around = mark + name, False
        if not name:
            return None
        first = len(text[start:end]) - len(text[start:end].lstrip())
        sign = "" if bullet is None else _mark_kind(bullet["mark"]) or "-"
        form = (sign, mark != "", name[0].isupper())
        return Label(name, start + first, match.end(), _indent(text, start, end), form, mark * is_around, begin - start)
    return None


def _part(place: Place, name: str, start: int, inner: int, end: int, mark: str = "", is_key: bool = False) -> Part:
    """The part whose value begins at `inner`, without blanks, and marks behind it."""
    first, stop = _trimmed(place.text, inner, end)
    last = stop - len(mark) if place.text.endswith(mark, first, stop) else stop
    return Part(name, start, first, max(first, last), max(first, stop), is_key=is_key)


def _bare(place: Place, parts: Parts, is_each: bool = True) -> Parts:
    """Parts without the signs at the ends of all but the last, and without the quotes around each, or around all."""
    text, signs = place.text, "," if "&" in place.inner else ",;"
    if len(parts) > 1 and all(text[part.inner : part.end][-1:] in [*signs] for part in parts[:-1]):
        parts = [part._replace(end=_trimmed(text, part.inner, part.end, signs)[1]) for part in parts]
    quoted = [_QUOTED.fullmatch(text, part.inner, part.end) is not None for part in parts]
    if not is_each and not (all(quoted) and len(parts) > 1):
        return parts
    return [
        part._replace(inner=part.inner + 1, end=part.end - 1) if is_quoted and part.end - part.inner > 2 else part
        for part, is_quoted in zip(parts, quoted, strict=True)
    ]


def _end_of_last(place: Place, inner: int, indent: int) -> int:
    """Where the last value ends: before a sentence that stands apart, as deep as the labels or bullets."""
    text, end = place.text, place.end
    line_end = text.find("\n", inner, end)
    if line_end < 0 or is_blank(text, inner, line_end):
        return end
    for gap in _GAP.finditer(text, inner, end):
        line_end = text.find("\n", gap.end(), end)
        line = text[gap.end() : end if line_end < 0 else line_end]
        if len(line) - len(line.lstrip()) <= indent and _BULLET.match(line) is None and _SENTENCE.match(line):
            return gap.start()
    return end


_GAP = re.compile(r"\n(?:-{3,})?[ \t\r]*+\n\s*?(?=[^\n\S]*\S)")


def _top(place: Place, found: list[Label]) -> list[Label]:
    """The labels that are no deeper than the first; those that are belong to values."""
    if not found:
        return []
    first, others = found[0], found[1:]
    if first.form[0] and not any(label.form[0] for label in others):  # a bullet of the whole
        first = first._replace(indent=first.indent + first.key if not _is_cut_line(place, first.start) else 0)
    level = min(label.indent for label in (others or found))
    if not _is_cut_line(place, first.start):
        level = min(level, first.indent)
    tops = [label for label in found if label is found[0] or label.indent <= level + 1]
    if not first.form[0]:
        tops = [
            label
            for before, label in zip([first, *tops], tops, strict=False)
            if not (label.form[0] and (before.form[0] or is_blank(place.text, before.inner, label.start)))
        ]
    return tops


def _labels(place: Place, is_label: Callable[[str], bool]) -> list[Label]:
    """The labels at the beginnings of lines, outside of fences."""
    found, is_fenced = [], False
    for start, end in _lines(place):
        is_behind_fence = is_fenced
        if place.text.count("```", start, end) % 2 or place.text.startswith("~~~", start):
            is_fenced = not is_fenced
        label = None if is_behind_fence else _label(place.text, start, end)
        if label is not None and is_label(label.name):
            found.append(label)
    return _top(place, found)


def _leads(place: Place, start: int) -> bool:
    """Whether nothing stands in front of a place but a line with a colon at its end, which leads to what follows."""
    before = place.text[place.start : start].strip(GAP + "*_")
    return not before or (before[-1] in ":\uff1a" and "\n" not in before)


def _labelled(place: Place, labels: list[Label], ends: list[int], are_keys: bool = False) -> Parts:
    """The parts that labels begin and that end where the next ones begin."""
    parts = [
        _part(place, label.name, label.start, label.inner, end, label.around, are_keys)
        for label, end in zip(labels, ends, strict=True)
    ]
    if any(
        place.text.startswith(_TRIPLE, part.inner, part.end)
        or place.text.count("```", part.inner, part.end) % 2
        or _LONE_BRACE.search(place.text, part.inner, part.end) is not None
        for part in parts
    ):
        raise _UnclearError  # texts of other languages, fences without an end, objects without their braces
    remarked = [part for part in parts if _REMARKED.fullmatch(place.text, part.inner, part.end) is not None]
    if len(remarked) > 1 or any(place.text.startswith('"', part.inner) for part in remarked):
        raise _UnclearError  # values with comments behind them
    are_quoted = place.text[labels[0].start] in _QUOTES or any(
        place.text.startswith(("|", ">"), part.inner) for part in parts
    )
    return _bare(place, parts, not are_keys or are_quoted)


# Objects and maps


def _field(place: Place, name: str) -> Field | None:
    """The field that a label names: of the object, or of the objects of a list."""
    shape = place.shape if place.shape.fields or place.shape.item is None else place.shape.item
    found = shape.field(name)
    return None if found is None else found[0]


def _fields(place: Place, in_line: bool = True) -> Parts:
    """The fields of an object that have labels, a line each, or one behind another in a line."""

    def is_known(name: str) -> bool:
        return _field(place, name) is not None

    labels = _labels(place, is_known)
    lines = list(_lines(place))
    if in_line and (len(lines) == 1 or len({label.name for label in labels}) == 1 < len(lines) == len(labels)):
        labels = _inline(place, lines, is_known) or labels
    elif labels:
        labels = _with_foreign(place, labels)
    if not labels:
        return []
    last = place.end if len(lines) == 1 else _end_of_last(place, labels[-1].inner, labels[-1].indent)
    return _labelled(place, labels, [*(label.start for label in labels[1:]), last])


def _with_foreign(place: Place, known: list[Label]) -> list[Label]:
    """The known labels with those that have a slip in their names or look like known ones, which nothing asks for."""
    shape = place.shape if place.shape.fields or place.shape.item is None else place.shape.item
    names = [fold(name) for name in shape.fields]
    starts = {label.start for label in known}
    forms = {label.form for label in known}
    level = max(label.indent for label in known)
    found: list[Label] = []
    for label in _labels(place, lambda name: len(name.split()) <= 4):
        if label.start in starts or any(is_near(fold(label.name), name) for name in names):
            found.append(label)
        elif label.form in forms and label.indent <= level and found:
            field = _field(place, found[-1].name)
            is_behind_text = field is not None and field.node.kind == "str"
            is_behind_line = place.text.count("\n", found[-1].inner, label.start) == 1
            if label.form[0] or label.form[1] or is_behind_line or not is_behind_text:
                found.append(label)
    return found if starts <= {label.start for label in found} else known


_SEPARATORS = r"[,;|]|(?<![ \t&])[ \t&]++(?=\w+=)"


def _inline(place: Place, lines: list[Span], is_label: Callable[[str], bool]) -> list[Label]:
    """The labels in lines that have several, behind commas, semicolons or bars."""
    found = []
    for line in lines:
        start = line[0]
        pieces = _cut(place.text, *line, _SEPARATORS)
        for index, (begin, end) in enumerate(pieces):
            label = _label(place.text, begin, end)
            if label is not None and is_label(label.name):
                found.append(label._replace(start=start if index == 0 else pieces[index - 1][1]))
    return found


def _entries(place: Place) -> Parts:
    """The entries of a map, a line each, or one behind another in a line."""
    lines = list(_lines(place))
    if len(lines) == 1:
        return _entries_of_line(place)
    labels = _labels(place, lambda name: True)
    if len(labels) > 1 and len(labels[0].name.split()) > 2 and is_blank(place.text, labels[0].inner, labels[1].start):
        labels = labels[1:]  # the line that leads to the others
    if not labels or not _leads(place, labels[0].start):
        return []
    if labels[0].name.startswith(("(", "[", "{")):
        raise _UnclearError
    last = _end_of_last(place, labels[-1].inner, labels[-1].indent)
    return _labelled(place, labels, [*(label.start for label in labels[1:]), last], are_keys=True)


def _entries_of_line(place: Place) -> Parts:
    for separator in (_HTML_BREAK, _SEMICOLON, _BAR, _COMMA, r"(?<![ \t&])[ \t&]++(?=[^\s=&]+=)"):
        pieces = [piece for piece in _cut(place.text, place.start, place.end, separator) if piece[0] < piece[1]]
        labels = [label for piece in pieces if (label := _label(place.text, *piece)) is not None]
        signs = {place.text[label.inner - 1] for label in labels}
        if len(pieces) > 1 and len(labels) == len(pieces) and len(signs) == 1 and "://" not in place.inner:
            parts = _labelled(place, labels, [end for _start, end in pieces], are_keys=True)
            return _between(_bare(place, parts) if signs == {"="} else parts, place)
    label = _label(place.text, place.start, place.end)
    return _labelled(place, [label], [place.end], are_keys=True) if label is not None else []


def _between(parts: Parts, place: Place) -> Parts:
    """Parts that fill a stretch: what stands between them, in front and behind is no text."""
    starts = [place.start, *(part.stop for part in parts)]
    filling = [part._replace(start=start) for part, start in zip(parts, starts, strict=False)]
    return [*filling[:-1], filling[-1]._replace(stop=place.end)] if filling else []


# Lists


def _bullets(place: Place) -> Parts:
    """Items that begin with bullets or numbers. Lines that are deeper, or have none, belong to the item before."""
    text, lines = place.text, [line for line in _lines(place) if not _RULE.fullmatch(place.text, *line)]
    found = [bullet for line in lines if (bullet := _BULLET.match(text, *line)) is not None]
    if not found or not _leads(place, found[0].start()):
        return []
    levels = [_indent(text, *bullet.span()) for bullet in found]
    if len(found) > 1 and _is_cut_line(place, found[0].start()):
        levels[0] = min(levels[1:])
        if _LED_BULLET.search(text, place.start, place.end):
            raise _UnclearError  # how deep the first is nobody can tell
    kind = _mark_kind(found[0]["mark"])
    tops = [bullet for bullet, level in zip(found, levels, strict=True) if level <= levels[0] + 1]
    if len({bullet["mark"] for bullet in tops if bullet["mark"][0] > "\u00ff"} - {*_SIGNS}) > 1 or (
        len({bullet["box"].strip().lower() for bullet in tops if bullet["box"]}) > 1
    ):
        raise _UnclearError  # some of them are ticked
    tops = [bullet for bullet in tops if _mark_kind(bullet["mark"]) == kind]
    if len(tops) == 1 and (kind.endswith("a") or (not kind and tops[0]["mark"][0] not in _SIGNS)):
        return []
    ends = [*(bullet.start() for bullet in tops[1:]), _end_of_last(place, tops[-1].end(), levels[0])]
    parts = [
        _part(place, ITEM, bullet.start("mark"), bullet.end(), end) for bullet, end in zip(tops, ends, strict=True)
    ]
    parts = _bare(place, [part for part in parts if part.inner < part.end])
    return [] if _are_fields(place, parts) else parts


_LED_BULLET = re.compile(r"^[ \t]+\w[^\n]*:[ \t]*\n[ \t]+[-*+][ \t]", re.MULTILINE)


def _mark_kind(mark: str) -> str:
    """What bullets of one list have in common: nothing for signs, else how they count."""
    return mark[-1] + ("1" if mark.strip("().").isdigit() else "a") if mark[-1] in ".)" else ""


def _are_fields(place: Place, parts: Parts) -> bool:
    """Whether bullets stand in front of the fields of objects, and not in front of the objects."""
    item = place.shape.item
    if item is None or not item.fields or any("\n" in place.text[part.inner : part.end] for part in parts):
        return False
    labels = [_label(place.text, part.inner, part.end) for part in parts]
    names = {fold(label.name) for label in labels if label is not None and item.field(label.name) is not None}
    return len(names) > 1 and all(len(_cut(place.text, part.inner, part.end, _SEPARATORS)) == 1 for part in parts)


def _bullets_in_line(place: Place) -> Parts:
    """Items behind bullets, or numbers that count from 1, in one line."""
    if "\n" in place.inner:
        return []
    sign = _BULLET.match(place.text, place.start, place.end)
    if sign is not None and sign["mark"] not in ("-", "*", "+") and not _mark_kind(sign["mark"]):
        marks = _found(place.text, place.start, place.end, rf"(?<![^\s>]){re.escape(sign['mark'])}[ \t]*+")
    else:
        marks = _found(place.text, place.start, place.end, r"(?<![^\s>])\(?[0-9]{1,3}[.)][ \t]++")
        numbers = [int(place.text[start:end].strip(" \t().")) for start, end in marks]
        marks = marks if len(marks) > 1 and numbers == [*range(1, len(marks) + 1)] else []
    is_odd = len(marks) == 1 and sign is not None and sign["mark"] not in _SIGNS
    if not marks or marks[0][0] != place.start or is_odd:
        return []
    ends = [*(start for start, _end in marks[1:]), place.end]
    parts = [_part(place, ITEM, start, inner, end) for (start, inner), end in zip(marks, ends, strict=True)]
    for index, part in enumerate(parts[:-1]):
        joined = _JOINED.search(place.text, max(part.inner, part.end - 8), part.end)
        parts[index] = part if joined is None else part._replace(end=joined.start())
    return _between(_bare(place, parts), place)


_JOINED = re.compile(r"[,;]?[ \t]+(?:and|&)\Z", re.IGNORECASE)


def _lines_as_items(place: Place) -> Parts:
    """Each line an item, unless the lines are one text that was wrapped."""
    lines = [line for line in _lines(place) if not _RULE.fullmatch(place.text, *line)]
    if len(lines) > 1 and _leads(place, lines[1][0]):
        lines = lines[1:]
    if len(lines) < 2:
        return []
    item = place.shape.item
    bare = [place.text[start:end].strip(GAP) for start, end in lines]
    is_of_choices = item is not None and item.parts[0].kind == "enum"
    if (is_of_choices and all(_label(place.text, *line) for line in lines)) or any(
        line[0] + line[-1] == "[]" for line in bare
    ):
        raise _UnclearError  # each choice with what is said of it, or lists and headings in brackets
    for line, following in pairwise(bare):
        if len(line) >= _WRAPPED and line[-1] not in ".;:!?," and following[0].islower():
            return []
    parts = [_part(place, ITEM, max(start, place.start), max(start, place.start), end) for start, end in lines]
    return _bare(place, parts, is_each=False)


_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,}|[\u2014\u2500]{3,})[ \t\r]*")
_WRAPPED = 50
"""Characters of a line from which on its end may be where prose was wrapped."""


def _separated(place: Place) -> Parts:
    """Items between semicolons or bars; between commas, where they are short or values of their type."""
    view = _unwrapped(place)
    for separator in (_HTML_BREAK, *(() if "\n" in view.inner else (_SEMICOLON, _BAR, _DOT))):
        pieces = _cut(view.text, view.start, view.end, separator)
        if len(pieces) > 1:
            return _items(place, pieces)
    pieces = _without_and(view.text, _cut(view.text, view.start, view.end, _COMMA))
    if len(pieces) > 1 and "\n" not in view.inner and all(map(_is_item(place), pieces)):
        if (
            _is_number(place)
            and any(view.text[start].isalpha() for start, _end in pieces[1:])
            and not view.inner[0].isalpha()
        ):
            raise _UnclearError  # `1, 3, total 4`
        return _items(place, pieces)
    return _numbers(place, view) if _is_number(place) else []


def _is_number(place: Place) -> bool:
    """Whether the items of a list are numbers."""
    item = place.shape.item
    return item is not None and all(part.kind in ("int", "float", "decimal") for part in item.parts)


def _numbers(place: Place, view: Place) -> Parts:
    """Numbers between commas without blanks, if all of it can't be one number."""
    pieces = _cut(view.text, view.start, view.end, _ANY_COMMA)
    is_item = _is_item(place)
    if _BETWEEN_DIGITS.search(view.inner) and is_item((view.start, view.end)):
        raise _UnclearError
    if len(pieces) > 1 and not all(map(is_item, pieces)):
        raise _UnclearError
    return _items(place, pieces) if len(pieces) > 1 else []


_SEMICOLON = "[;\uff1b\u061b]"
_BAR = r"[ \t]\|[ \t]"
_DOT = r"(?<=\S)[ \t]+[\u2022\u25e6\u2023\u25aa\u25cf\u25cb\u00b7][ \t]+"
_HTML_BREAK = r"<br\s*/?>"
_BETWEEN_DIGITS = re.compile(r"[0-9][ \u00a0,][0-9]")
_COMMA = r",(?![0-9])|(?<![0-9]),|[\u3001\uff0c\u060c]"
_ANY_COMMA = r"[,\u3001\uff0c\u060c]"
_SHORT = 3
"""Words that an item of a list with commas may have."""
_CLAUSE = frozenset(
    """am is are was were be it its im youre theyre thats isnt dont i you we they he she this that these those which
    who what but because although though however so if when while where will would can could should may might must
    has have had do does did not really actually overall indeed therefore mostly""".split()  # noqa: SIM905 - shorter
)
"""Words by which a part of a text is a clause, or a remark, and no item of a list."""
_AND = re.compile(r"(?:and|&(?:amp;)?)[ \t]+", re.IGNORECASE)
_LAST_AND = re.compile(r"[ \t](?:and|&(?:amp;)?)[ \t]+", re.IGNORECASE)


def _is_item(place: Place) -> Callable[[Span], bool]:
    """Tells whether a stretch between commas can be an item."""
    item = place.shape.item
    assert item is not None
    is_text = item.is_verbatim or not item.takes_text

    def is_item(span: Span) -> bool:
        text = place.text[slice(*span)]
        if not text:
            return False
        if text[0] in "([{\"'\u201c" and _closing(text) == len(text):
            return True
        if not is_text:
            return any(part.kind in SCALARS and reads(part, text) for part in item.parts)
        return item.takes_text and _is_short(text)

    return is_item


def _is_short(text: str) -> bool:
    """Whether a text is a few words, none of which makes a clause of it."""
    words = [word.strip(_PUNCTUATION).replace("'", "").replace("\u2019", "") for word in text.lower().split()]
    return 0 < len(words) <= _SHORT and _CLAUSE.isdisjoint(words)


_PUNCTUATION = '.!?:()"*_'


def _without_and(text: str, pieces: list[Span]) -> list[Span]:
    """The pieces between commas, the last one divided at its `and`: `red, green and blue`, `red, and blue`."""
    if len(pieces) < 2:
        return pieces
    start, end = pieces[-1]
    if text[end - 1 : end] == "." and "." not in text[pieces[0][0] : end - 1]:
        end -= 1
    joined = _AND.match(text, start, end)
    if joined is not None:
        return [*pieces[:-1], (joined.end(), end)]
    cut = _LAST_AND.search(text, start, end)
    return [*pieces[:-1], *([(start, cut.start()), (cut.end(), end)] if cut is not None else [(start, end)])]


def _items(place: Place, pieces: list[Span], is_each: bool = False) -> Parts:
    """Items of which what stands between them and around them is a part, so that no comma or bracket is a text."""
    parts = [_part(place, ITEM, start, start, end) for start, end in pieces if start < end]
    return _between(_bare(place, parts, is_each), place)


def _whole(place: Place) -> Parts:
    """The text as the only item, unless it seems to hold several."""
    if _SEVERAL.match(place.text, place.start, place.end) is not None:
        raise _UnclearError
    return [_part(place, ITEM, place.start, place.start, place.end)]


_SEVERAL = re.compile(
    r"(?:.*[:=]\s*+)?[\[{]\s*+[\"'\[{]|(?:\"[^\"\n]*\"\s++)+\"[^\"\n]*\"\Z|(?:[^\s@]++@\S++\s++)+[^\s@]++@\S++\Z"
    r"|\(?[a1]\)\s.*\s\(?[b2]\)\s",
    re.DOTALL,
)
"""JSON with words around it, texts in quotes, addresses, or signs that count within a line."""


# Tuples


def _values(place: Place) -> Parts:
    """The values of a tuple, as many as are asked for: in lines, between signs, the two ends of a range."""
    nodes = place.shape.parts[0].parts
    rows = _bullets(place) or _lines_as_items(place)
    if rows:
        return rows if len(rows) == len(nodes) else []
    view = _unwrapped(place)
    sorts = {_SORTS.get(node.kind) for node in nodes}
    are_ends = len(nodes) == 2 and len(sorts) == 1 and None not in sorts
    for separator in (_SEMICOLON, _TIMES, _COMMA, _ANY_COMMA, _AND_SIGN, *((_RANGE,) if are_ends else ())):
        pieces = _cut(view.text, view.start, view.end, separator)
        joined = _without_and(view.text, pieces) if separator is _COMMA else pieces
        pieces = joined if len(joined) == len(nodes) else pieces
        if len(pieces) != len(nodes) or any(start >= end for start, end in pieces):
            continue
        texts = [view.text[start:end] for start, end in pieces]
        if separator is _RANGE and any(text[0] in "+-\u2212" for text in texts):
            return []
        if separator is _AND_SIGN and not all(map(_is_short, texts)):
            return []
        if all(node.kind not in SCALARS or reads(node, text) for node, text in zip(nodes, texts, strict=True)):
            return _items(place, pieces, is_each=True)
    return []


_SORTS = {
    **dict.fromkeys(("int", "float", "decimal"), "number"),
    **dict.fromkeys(("date", "datetime"), "moment"),
    "time": "time",
    "duration": "duration",
}
"""Kinds of values that have ranges, by what the two ends have in common."""
_TIMES = r"(?<=[0-9])[ \t]*(?:[x\u00d7*]|by)[ \t]*(?=[0-9+-])"
_AND_SIGN = r"(?<![ \t])[ \t]++(?:and|&)[ \t]+"
_RANGE = r"[ \t](?:[-\u2013\u2014]|to|until|through)[ \t]|(?<=[0-9%])[-\u2013\u2014](?=[0-9$\u20ac\u00a3])"


# Cutting a line


_NESTING = (
    r"\"[^\"\n]*\"|\u201c[^\u201c\u201d\n]*\u201d|`[^`\n]*`|(?<!\w)'[^'\n]*'(?!\w)|&\#?\w{1,31};"
    r"|(?P<open>[(\[{])|(?P<close>[)\]}])"
)
"""Quotes and references, which hold no separators, and brackets."""


@cache
def _cutter(separator: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<cut>{separator})|{_NESTING}")


def _found(text: str, start: int, end: int, separator: str) -> list[Span]:
    """The separators that stand outside of quotes, brackets and references."""
    found: list[Span] = []
    depth = 0
    for match in _cutter(separator).finditer(text, start, end):
        if match["open"]:
            depth += 1
        elif match["close"]:
            depth = max(0, depth - 1)
        elif match["cut"] and not depth:
            found.append(match.span())
    return found


def _cut(text: str, start: int, end: int, separator: str) -> list[Span]:
    """The pieces between separators, without blanks."""
    cuts = _found(text, start, end, separator)
    begins = [start, *(stop for _begin, stop in cuts)]
    pieces = [_trimmed(text, begin, stop) for begin, stop in zip(begins, [*(cut[0] for cut in cuts), end], strict=True)]
    return pieces[:-1] if len(pieces) > 1 and pieces[-1][0] >= pieces[-1][1] else pieces


def _closing(text: str) -> int:
    """Where the quotes or brackets end that a text begins with, -1 where they don't."""
    depth = 0
    for match in _cutter("(?!)").finditer(text):
        depth += bool(match["open"]) - bool(match["close"])
        if not depth:
            return match.end()
    return -1


def _unwrapped(place: Place) -> Place:
    """A stretch without the brackets around all of it, unless those are of its only item."""
    inner = place.inner
    if inner[0] not in "([" or _closing(inner) != len(inner):
        return place
    item = place.shape.item
    is_of_item = not place.shape.is_tuple and item is not None and not item.takes_text and "(" not in inner[1:]
    return place if is_of_item else place.within(place.start + 1, place.end - 1)


# Tables of Markdown


_CELL = re.compile(r"((?:[^|\\\n]|\\.)*+)\|")
_RULER = re.compile(r"[ \t]*:?-++:?[ \t]*")


def _rows(place: Place) -> list[list[Span]]:
    """The cells of a table, row by row, without the ruler below the first; none where a text is no table."""
    rows = []
    for start, end in _lines(place):
        first, last = _trimmed(place.text, start, end)
        if place.text[first] != "|" or place.text[last - 1] != "|" or last - first < 2:
            return []
        cells = [match.span(1) for match in _CELL.finditer(place.text, first + 1, last)]
        rows.append([_trimmed(place.text, *cell) if cell[0] < cell[1] else cell for cell in cells])
    if len(rows) < 3 or not all(_RULER.fullmatch(place.text, *cell) for cell in rows[1]):
        return []
    return [rows[0], *rows[2:]] if len(set(map(len, rows))) == 1 else []


def _name_of(place: Place, cell: Span) -> str:
    """The name in a cell, without what decorates it on both sides."""
    name = place.text[slice(*cell)]
    while len(name) > 2 and name[0] == name[-1] and name[0] in "*`\"'":
        name = name[1:-1].strip()
    return name


def _cells(place: Place, names: list[str], row: list[Span]) -> Parts:
    """The cells of a row that hold something, with the bars between them."""
    cells = [Part(name, start, start, end, end) for name, (start, end) in zip(names, row, strict=False) if start < end]
    return _between(cells, place._replace(start=row[0][0], end=row[-1][1]))


def _row(cells: Parts, row: list[Span], name: str = ITEM) -> Part:
    """A row of a table."""
    return Part(name, row[0][0], row[0][0], row[-1][1], row[-1][1], tuple(cells))


def _table(place: Place) -> Parts:
    """The rows of a table as objects, as lists, as texts or as entries, with the header in front of the first."""
    rows = _rows(place)
    if not rows:
        return []
    shape, item, header = place.shape, place.shape.item, [_name_of(place, cell) for cell in rows[0]]
    found: Parts = []
    if "\\|" in place.inner:
        raise _UnclearError
    if item is not None and item.fields:
        names = [field.name for name in header if (field := _field(place, name)) is not None]
        if len({*names}) < len(header):
            raise _UnclearError
        found = [_row(_cells(place, header, row), row) for row in rows[1:]]
    elif item is not None and item.item is not None:
        found = [_row(_cells(place, [ITEM] * len(row), row), row) for row in rows]
    elif item is not None:
        if len(header) > 1:
            raise _UnclearError
        found = [_row([], row) for row in rows[1:]]
    elif len(rows) == 2 and any(shape.field(name) is not None for name in header):
        found = _cells(place, header, rows[1])
    elif (shape.is_map or shape.fields) and len(header) == 2:
        value = shape.value.parts[0] if shape.value is not None else None
        is_entry = value is not None and value.kind in _SORTS and reads(value, header[1])
        pairs = [(_name_of(place, row[0]), row[1:]) for row in (rows if is_entry else rows[1:])]
        found = [_row([], row, name)._replace(is_key=shape.is_map) for name, row in pairs]
    return _between(found, place)


# What is tried, in this order


class Reader(NamedTuple):
    """A way to read a text: the shapes that it is for, and what finds the parts."""

    takes: Callable[[Shape], object]
    read: Callable[[Place], Parts]


def _is_list(shape: Shape) -> bool:
    """Whether a shape holds items, as many as there are."""
    return not shape.is_tuple and shape.is_list


_READERS = (
    Reader(lambda shape: True, _table),
    Reader(lambda shape: shape.is_tuple, _values),
    Reader(_is_list, _bullets_in_line),
    Reader(_is_list, _bullets),
    Reader(lambda shape: shape.fields or (shape.item is not None and shape.item.fields), _fields),
    Reader(lambda shape: shape.is_map, _entries),
    Reader(_is_list, _lines_as_items),
    Reader(_is_list, _separated),
    Reader(_is_list, _whole),
)
"""The surest first. The first of which the search makes a tree counts."""
