"""Clean stretches of an object or a list, read by one regular expression instead of tag by tag.

Most of a damaged reply is not damaged. A run is what stands there as the definition has it: elements under exact
names in its order, scalars in their strict forms, strings that hold nothing that any rule would touch. It is read to
the same texts as tag by tag; where anything speaks against it, there is no run. Every `<` in a run is a tag's.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Any, Protocol

from ..definition import FORMS, ITEM_NAMES, Node, Path, is_xml_name
from ..findings import Span
from ..markup import NULL_WORDS, escape_value
from .elements import RUN, Element
from .tokens import OTHER, Head

__all__ = ["Run", "Runs", "filled", "runs_of"]

_MORE_ITEMS = tuple(f"<{name}" for name in ITEM_NAMES)
"""What speaks against a run: an item that stands behind its list."""

_NO_HEAD = Head(OTHER)

_BLANKS = r"\n?+ *+[ \t\r\n]*+"
_WORDS = "|".join(map(re.escape, sorted(NULL_WORDS)))
_NO_NULL = rf"(?![ \t\r\n]*+(?i:{_WORDS})?[ \t\r\n]*+<)"
_STRING = r"(?![ \t\n\[`~]){}[^<&\r\uff1c\uff1e]*+)(?<![ \t\n])"  # nor brackets of full width
_FLOAT = r"-?(?:0|[1-9][0-9]{0,200}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,2}+)?+"  # never reaches infinity
_FORMS = {**FORMS, "float": _FLOAT}


_MAX_PATTERN = 8_000
"""Characters of a pattern: one that is longer takes too long to compile for what it may save."""


class Run(Element):
    """A clean stretch among the children of an element: its values, by names of fields or in the order of a list."""

    __slots__ = ("clean", "text", "values")

    def __init__(self, values: Any, text: str, start: int, end: int, clean: _Clean) -> None:
        super().__init__(_NO_HEAD, RUN, "", start, start)
        self.end = end
        self.values = values
        self.text = text
        self.clean = clean

    @property
    def is_list(self) -> bool:
        """Whether its values are items, not fields."""
        return isinstance(self.values, list)

    def span(self, path: Path) -> Span:
        """Where a value in it stands; `path` begins with a field's name, or with an item's number in the run."""
        span, clean = (self.start, self.end), self.clean
        for step in path:
            found = clean.find(self.text, span, step)
            if found is None:
                break
            span, clean = found
        return span


class _Clean(Protocol):
    """What reads clean values of a node: a pattern of the characters between its tags with one group, begun as asked,
    for what counts of them; what makes the value of that; and where in it a value stands.
    """

    def pattern(self, group: str) -> str: ...

    def value(self, text: str) -> Any: ...

    def find(self, text: str, span: Span, step: str | int) -> tuple[Span, _Clean] | None: ...


class _Leaf:
    """A scalar: its text in the strict form."""

    def __init__(self, form: str) -> None:
        self.form = form

    def pattern(self, group: str) -> str:
        return self.form.format(group)

    def value(self, text: str) -> str:
        return text

    def find(self, text: str, span: Span, step: str | int) -> None:
        return None


class _List:
    """A list of clean items."""

    def __init__(self, item: _Clean) -> None:
        self.item = item
        self.items = re.compile(_element("li", item, "("))
        self.run = f"(?:{_element('li', item, '(?:')})*+"

    def pattern(self, group: str) -> str:
        return f"{_BLANKS}{group}{self.run})"

    def value(self, text: str) -> list[Any]:
        found = self.items.findall(text)
        return found if isinstance(self.item, _Leaf) else list(map(self.item.value, found))

    def values(self, match: re.Match[str]) -> list[Any]:
        """The items that a match has."""
        return self.value(match[0])

    def last(self, match: re.Match[str]) -> int:
        """Where the last element of a match begins."""
        return max((item.start() for item in self.items.finditer(match.string, *match.span())), default=match.start())

    def last_name(self, match: re.Match[str]) -> str:
        """The name of that element."""
        return "li"

    def find(self, text: str, span: Span, step: str | int) -> tuple[Span, _Clean] | None:
        spans = [match.span(1) for match in self.items.finditer(text, *span)]
        return (spans[step], self.item) if isinstance(step, int) and step < len(spans) else None


class _Object:
    """An object: its fields in the definition's order, but those that cannot be clean. In a run any may be missing."""

    def __init__(self, fields: dict[str, tuple[_Clean, bool]]) -> None:
        self.fields = {name: clean for name, (clean, _required) in fields.items()}
        self.names = tuple(fields)
        self.deep = [(name, clean.value) for name, clean in self.fields.items() if not isinstance(clean, _Leaf)]
        parts = [(_element(name, clean, "(?:"), required) for name, (clean, required) in fields.items()]
        self.body = "".join(part if required else f"(?:{part})?+" for part, required in parts)
        self.match = re.compile(
            "".join(f"(?:{_element(name, clean, '(')})?+" for name, clean in self.fields.items())
        ).match

    def pattern(self, group: str) -> str:
        return f"{_BLANKS}{group}{self.body})"

    def value(self, text: str) -> dict[str, Any]:
        match = self.match(text)
        return {} if match is None else self.values(match)

    def values(self, match: re.Match[str]) -> dict[str, Any]:
        """The fields that a match has, in the definition's order."""
        values: dict[str, Any] = {name: text for name, text in zip(self.names, match.groups()) if text is not None}  # noqa: B905 - as long as each other by construction
        for name, make in self.deep:
            if name in values:
                values[name] = make(values[name])
        return values

    def last(self, match: re.Match[str]) -> int:
        """Where the last element of a match begins."""
        return match.string.rfind("<", match.start(), match.start(match.lastindex or 0))

    def last_name(self, match: re.Match[str]) -> str:
        """The name of that element."""
        return self.names[(match.lastindex or 1) - 1]

    def find(self, text: str, span: Span, step: str | int) -> tuple[Span, _Clean] | None:
        match = self.match(text, *span)
        if match is None or not isinstance(step, str) or step not in self.fields:
            return None
        return match.span(self.names.index(step) + 1), self.fields[step]


class Runs:
    """Finds the runs of one kind of object, or of list."""

    __slots__ = ("again", "clean", "is_list", "match", "tags")

    def __init__(self, clean: _List | _Object) -> None:
        self.clean = clean
        self.is_list = isinstance(clean, _List)
        self.tags = frozenset(("li",) if isinstance(clean, _List) else clean.names)
        self.match = re.compile(clean.run).match if isinstance(clean, _List) else clean.match
        self.again = () if self.is_list else _MORE_ITEMS

    def at(self, text: str, starts: list[int], i: int) -> Run | None:
        """The run that begins at the tag `i` of a text, if there is one; `starts` is where the tags stand."""
        position = starts[i]
        match = self.match(text, position)
        if match is not None and match.end() > position and not self.is_settled(match, starts, i):
            match = self.match(text, position, self.clean.last(match))
        if match is None or match.end() == position:
            return None
        values: Any = self.clean.values(match)
        return Run(values, text, position, match.end(), self.clean)

    def is_settled(self, match: re.Match[str], starts: list[int], i: int) -> bool:
        """Whether the last element of a run is clean as well, which what stands behind it decides: a tag has to follow,
        and none that closes it once more or goes on with it, for then either may be a part of a text.
        """
        end = match.end()
        behind = bisect_left(starts, end, i)
        if behind == len(starts) or starts[behind] != end:
            return False
        return not match.string.startswith((f"</{self.clean.last_name(match)}", *self.again), end)


def filled(element: Element) -> set[str]:
    """The names of the fields that stand in an element."""
    names = {child.name for child in element.children if child.role == "field"}
    return names.union(*(child.values for child in element.children if isinstance(child, Run) and not child.is_list))


def runs_of(node: Node) -> Runs | None:
    """What finds the runs of an object or a list; None where there is nothing to find."""
    clean = _CLEAN[node.kind](node, (id(node),)) if node.kind in ("dict", "list") else None
    return Runs(clean) if isinstance(clean, (_List, _Object)) else None


def _element(name: str, clean: _Clean, group: str) -> str:
    """The pattern of a clean element and the blanks behind it."""
    return f"<{name}>{clean.pattern(group)}</{name}>{_BLANKS}"


def _clean(node: Node, above: tuple[int, ...]) -> _Clean | None:
    """What reads clean values of a node; None where nothing does: shapes that hold themselves, unions, maps."""
    if id(node) in above:
        return None
    return _CLEAN.get(node.kind, _clean_scalar)(node, (*above, id(node)))


def _clean_object(node: Node, above: tuple[int, ...]) -> _Clean | None:
    fields: dict[str, tuple[_Clean, bool]] = {}
    length = 0
    for name, field in node.fields.items():
        clean = _clean(field.node, above) if is_xml_name(name) else None
        length += 0 if clean is None else len(clean.pattern("("))
        if clean is not None and length < _MAX_PATTERN:
            fields[name] = (clean, field.required)
        elif field.required and len(above) > 1:
            return None  # a part of another pattern has to be the whole object
    return _Object(fields) if fields else None


def _clean_list(node: Node, above: tuple[int, ...]) -> _Clean | None:
    clean = None if node.item is None else _clean(node.item, above)
    return None if clean is None else _List(clean)


def _clean_string(node: Node, above: tuple[int, ...]) -> _Clean | None:
    return _Leaf((_NO_NULL if node.nullable else "") + _STRING)


def _clean_choice(node: Node, above: tuple[int, ...]) -> _Clean | None:
    texts = [choice for choice in node.choices if isinstance(choice, str)]
    if len(texts) < len(node.choices) or any(not text or escape_value(text, False) != text for text in texts):
        return None
    return _Leaf(_form("|".join(map(re.escape, texts))))


def _clean_scalar(node: Node, above: tuple[int, ...]) -> _Clean | None:
    form = _FORMS.get(node.kind)
    return None if form is None or node.kind == "bytes" else _Leaf(_form(form))


def _form(form: str) -> str:
    """A form with blanks around it, in which the braces of its own are no place for the group."""
    return f"{_BLANKS}{{}}{form.replace('{', '{{').replace('}', '}}')}){_BLANKS}"


_CLEAN: dict[str, Callable[[Node, tuple[int, ...]], _Clean | None]] = {
    "dict": _clean_object,
    "list": _clean_list,
    "str": _clean_string,
    "enum": _clean_choice,
    "union": lambda node, above: None,
    "map": lambda node, above: None,
    "tuple": lambda node, above: None,
    "any": lambda node, above: None,
}
