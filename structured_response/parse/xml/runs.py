"""Stretches of an object, a list or a map without structure to find, read by one regular expression.

Most of a damaged reply is not damaged, and most damage is in values. A run is what stands there as the definition has
it: elements under exact names in its order, each with its closing tag, and no other tag among them. Where a scalar is
in its strict form, and a string holds nothing that any rule would touch, the run has its text. The others are *odd*:
for each of those the run has an element, which is read as any other.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Collection
from typing import Any, TypeAlias

from ...definition import FORMS, ITEM_NAMES, Node, Path, is_xml_name
from ...findings import Span
from ...markup import NULL_WORDS, escape_value
from .elements import ENTRY, FIELD, ITEM, PAIR_NAMES, RUN, Element
from .tokens import NO_TAG, OPEN, OTHER, Head, Tags

__all__ = ["Run", "Runs", "filled", "runs_of"]

_MORE_ITEMS = tuple(f"<{name}" for name in ITEM_NAMES)
"""What speaks against a run: an item that stands behind its list."""

_ENTRY_OR_CLOSER = ("<entry ", "</")
"""What follows a string in a map for sure: any other tag may be a part of it."""

_NO_HEAD = Head(OTHER)

_BLANKS = r"\n?+ *+[ \t\r\n]*+"
_ANY = rf"(?:[^<\uff1c\uff1e]++|{NO_TAG})*+"
"""Any text without a tag; brackets of full width may be one's."""
_SOME = rf"(?![ \t\r\n]*+<){_ANY}"
"""Where something should stand: what is empty may have been closed too early."""
_SECTION = r"<!\[CDATA\[(?:[^\]<]++|\](?!\]>)|<(?!!\[))*+\]\]>"
"""A section in which no other begins. What it holds is text."""
_WORDS = "|".join(map(re.escape, sorted(NULL_WORDS)))
_NO_NULL = rf"(?![ \t\r\n]*+(?i:{_WORDS})?[ \t\r\n]*+<)"
_STRING = r"(?![ \t\n\[`~]){}[^<&\r\uff1c\uff1e]*+)(?<![ \t\n])"
_FLOAT = r"-?(?:0|[1-9][0-9]{0,200}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,2}+)?+"  # never reaches infinity
_FORMS = {**FORMS, "float": _FLOAT}
_NO_FORM = "(?!){})"
_PLAIN = r"(?!\[)[^\"'&<>\s\uff1c\uff1e][^\"'&<>\n\r\t\uff1c\uff1e]*+"
_KEY = rf"(\"{_PLAIN}\"|'{_PLAIN}')"
"""A key that is its own value, in its quotes."""

_MAX_PATTERN = 8_000
"""Characters of a pattern: one that is longer takes too long to compile for what it may save."""

Values: TypeAlias = tuple[Any, list[tuple[Any, Element]]]
"""The values of a run, by names or in their order, and the odd ones among them, in whose places None stands."""


class Run(Element):
    """A stretch among the children of an element: its values, by names of fields, by keys or in the order of a list.
    `odd` are those that have to be read, with the steps that lead to them; None stands in their places.
    """

    __slots__ = ("holder", "odd", "text", "values")

    def __init__(self, values: Values, text: str, start: int, end: int, holder: _Holder) -> None:
        super().__init__(_NO_HEAD, RUN, "", start, start)
        self.end = end
        self.values, self.odd = values
        self.text = text
        self.holder = holder

    @property
    def is_list(self) -> bool:
        """Whether its values are items, not fields."""
        return isinstance(self.values, list)

    def holds_texts(self) -> bool:
        """Whether all its values are odd texts."""
        return len(self.odd) == len(self.values) and all(not element.children for _step, element in self.odd)

    def elements(self) -> list[Element]:
        """Its elements, where it has the entries of a map."""
        found = self.odd or self.holder.elements(self.text, self.start, self.end)
        return [element for _step, element in found]

    def field(self, name: str) -> Element:
        """One of its fields as an element of its own."""
        assert isinstance(self.holder, _Object)
        return self.holder.field(self.text, self.start, self.end, name)

    def span(self, path: Path) -> Span:
        """Where a value in it stands; `path` begins with a field's name, a key, or an item's number in the run."""
        span, holder = (self.start, self.end), self.holder
        for step in path:
            found = holder.find(self.text, span, step)
            if found is None:
                break
            span, inner = found
            if inner is None:
                break
            holder = inner
        return span


class _Leaf:
    """A scalar. `form` is what its text has to look like to be taken as it is, begun with a group; `text` is the
    pattern of any.
    """

    def __init__(self, form: str, text: str = _ANY) -> None:
        self.form = form
        self.text = text

    def whole(self, opener: str, closer: str) -> str:
        """The pattern of an element between its tags, and of the blanks behind it."""
        return f"{opener}{self.text}{closer}{_BLANKS}"

    def part(self, opener: str, closer: str) -> str:
        """The same with two groups: for a text that is taken as it is, and for that of an odd one."""
        return f"{opener}(?>{self.form.format('(')}{closer}|({self.text}){closer}){_BLANKS}"


class _Holder(ABC):
    """What holds others. `body` is the pattern of all that may stand in it, `match` finds a run, whose elements' tags
    are among `tags`.
    """

    body: str
    match: Callable[..., re.Match[str] | None]
    tags: frozenset[str]

    def whole(self, opener: str, closer: str) -> str:
        """The pattern of an element between its tags, and of the blanks behind it."""
        return f"{opener}(?>{_BLANKS}{self.body}{closer}|{_SOME}{closer}){_BLANKS}"

    def part(self, opener: str, closer: str) -> str:
        """The same with two groups: for what stands in it, and for the text of an odd one."""
        return f"{opener}(?>{_BLANKS}({self.body}){closer}|({_SOME}){closer}){_BLANKS}"

    @abstractmethod
    def read(self, text: str, start: int, end: int) -> Values:
        """The values in a stretch that the body or a run matches."""

    def elements(self, text: str, start: int, end: int) -> list[tuple[Any, Element]]:
        """All in such a stretch as odd ones."""
        return self.read(text, start, end)[1]

    @abstractmethod
    def last(self, match: re.Match[str]) -> tuple[str, int]:
        """The name of the last element of a run, and where it begins."""

    @abstractmethod
    def find(self, text: str, span: Span, step: str | int) -> tuple[Span, _Holder | None] | None:
        """Where a value in such a stretch stands, and what it holds others by."""


class _Member:
    """An element in a run: that of a field, an item or an entry. In a match two groups from `group` on are its own."""

    __slots__ = ("group", "head", "holder", "name", "role")

    def __init__(self, part: _Leaf | _Holder, role: str, tag: str, group: int) -> None:
        self.holder = None if isinstance(part, _Leaf) else part
        self.role = role
        self.head = Head(OPEN, tag)
        self.name = tag if role is FIELD else ""
        self.group = group

    def take(self, match: re.Match[str], step: Any, odd: list[tuple[Any, Element]]) -> Any:
        """The value that a match has; of an odd one, its element is put with the others."""
        text, holder = match[self.group], self.holder
        if text is None:
            odd.append((step, self.element(match, self.head)))
            return None
        if holder is None:
            return text
        values = holder.read(match.string, *match.span(self.group))
        if not values[1]:
            return values[0]
        odd.append((step, self.element(match, self.head, values)))
        return None

    def whole(self, match: re.Match[str], head: Head | None = None) -> Element:
        """The element that a match has, with all that it holds."""
        holder, is_text = self.holder, match[self.group] is None
        values = None if holder is None or is_text else holder.read(match.string, *match.span(self.group))
        return self.element(match, head or self.head, values)

    def element(self, match: re.Match[str], head: Head, values: Values | None = None) -> Element:
        """The element that a match has, around some values."""
        text = match.string
        start, end = self.span(match)
        element = Element(head, self.role, self.name, text.rfind("<", 0, start), start)
        element.inner_end, element.end = end, end + len(head.tag) + 3
        if values is not None and self.holder is not None:
            element.children.append(Run(values, text, *match.span(self.group), self.holder))
        return element

    def span(self, match: re.Match[str]) -> Span:
        """What stands between its tags."""
        text = match.string
        start, end = match.span(self.group if match[self.group] is not None else self.group + 1)
        return text.rfind(">", 0, start) + 1, text.index("</", end)


class _Object(_Holder):
    """An object: its fields in the definition's order, but those that no run holds. In a run any may be missing."""

    def __init__(self, fields: dict[str, tuple[_Leaf | _Holder, bool]]) -> None:
        patterns = [(name, part, required, f"<{name}>", f"</{name}>") for name, (part, required) in fields.items()]
        self.members = [_Member(part, FIELD, name, 2 * place + 1) for place, (name, part, *_) in enumerate(patterns)]
        self.parts = [(member.name, member.group, member.holder is None, member) for member in self.members]
        self.body = "".join(
            part.whole(*tags) if required else f"(?:{part.whole(*tags)})?+" for _, part, required, *tags in patterns
        )
        self.match = re.compile("".join(f"(?:{part.part(*tags)})?+" for _, part, _, *tags in patterns)).match
        self.tags = frozenset(fields)

    def read(self, text: str, start: int, end: int) -> Values:
        match = self.match(text, start, end)
        return ({}, []) if match is None else self.values(match)

    def values(self, match: re.Match[str]) -> Values:
        """The fields that a match has, in the definition's order."""
        groups = match.groups()
        values: dict[str, Any] = {}
        odd: list[tuple[Any, Element]] = []
        for name, group, is_leaf, member in self.parts:
            text = groups[group - 1]
            if text is not None and is_leaf:
                values[name] = text
            elif text is not None or groups[group] is not None:
                values[name] = member.take(match, name, odd)
        return values, odd

    def field(self, text: str, start: int, end: int, name: str) -> Element:
        """A field of a run as an odd one."""
        match = self.match(text, start, end)
        assert match is not None
        return next(member for member in self.members if member.name == name).whole(match)

    def last(self, match: re.Match[str]) -> tuple[str, int]:
        member = self.members[((match.lastindex or 1) - 1) // 2]
        return member.name, match.string.rfind("<", match.start(), match.start(match.lastindex or 0))

    def find(self, text: str, span: Span, step: str | int) -> tuple[Span, _Holder | None] | None:
        match = self.match(text, *span)
        member = next((member for member in self.members if member.name == step), None)
        if match is None or member is None:
            return None
        return _place(match, member.group), member.holder


class _Items(_Holder):
    """Any number of elements of one kind: the items of a list, the entries of a map."""

    tag: str

    def __init__(self, part: _Leaf | _Holder, role: str, opener: str, group: int) -> None:
        closer = f"</{self.tag}>"
        self.member = _Member(part, role, self.tag, group)
        self.items = re.compile(part.part(opener, closer)).finditer
        self.body = f"(?:{part.whole(opener.replace('(', '(?:', 1) if group > 1 else opener, closer)})*+"
        self.match = re.compile(self.body).match
        self.tags = frozenset({self.tag})

    def last(self, match: re.Match[str]) -> tuple[str, int]:
        items = self.items(match.string, *match.span())
        return self.tag, max((item.start() for item in items), default=match.start())


class _List(_Items):
    """A list of items."""

    tag = "li"

    def __init__(self, item: _Leaf | _Holder) -> None:
        super().__init__(item, ITEM, "<li>", 1)
        self.texts = re.compile(item.part("<li>", "</li>")).findall if isinstance(item, _Leaf) else None

    def read(self, text: str, start: int, end: int) -> Values:
        if self.texts is not None:
            found = self.texts(text, start, end)
            values: list[Any] = [clean for clean, _odd in found]
            if "" not in values:
                return values, []
        odd: list[tuple[Any, Element]] = []
        take = self.member.take
        return [take(match, index, odd) for index, match in enumerate(self.items(text, start, end))], odd

    def find(self, text: str, span: Span, step: str | int) -> tuple[Span, _Holder | None] | None:
        places = [_place(match, 1) for match in self.items(text, *span)]
        return (places[step], self.member.holder) if isinstance(step, int) and step < len(places) else None


class _Map(_Items):
    """A map: its entries. Where one of them is odd, or two have one key, all of them are."""

    tag = "entry"

    def __init__(self, value: _Leaf | _Holder) -> None:
        super().__init__(value, ENTRY, f"<entry key={_KEY}>", 2)
        self.holds_strings = isinstance(value, _Leaf) and value.text is not _ANY

    def read(self, text: str, start: int, end: int) -> Values:
        matches = list(self.items(text, start, end))
        odd: list[tuple[Any, Element]] = []
        values = {match[1][1:-1]: self.member.take(match, "", odd) for match in matches}
        if not odd and len(values) == len(matches):
            return values, []
        return {}, self.elements(text, start, end)

    def elements(self, text: str, start: int, end: int) -> list[tuple[Any, Element]]:
        return [self.entry(match) for match in self.items(text, start, end)]

    def entry(self, match: re.Match[str]) -> tuple[str, Element]:
        """An entry as an odd one."""
        key = match[1][1:-1]
        return key, self.member.whole(match, Head(OPEN, self.tag, f"key={match[1]}", key))

    def find(self, text: str, span: Span, step: str | int) -> tuple[Span, _Holder | None] | None:
        found = next((match for match in self.items(text, *span) if match[1][1:-1] == step), None)
        return None if found is None else (_place(found, 2), self.member.holder)


def _place(match: re.Match[str], group: int) -> Span:
    """Where a value of a match stands."""
    return match.span(group) if match[group] is not None else match.span(group + 1)


class Runs:
    """Finds the runs of one kind of object, list or map."""

    __slots__ = ("again", "has_fields", "holder", "match", "names", "only", "tags")

    def __init__(self, holder: _Holder, names: Collection[str]) -> None:
        self.holder = holder
        self.names = names
        self.has_fields = isinstance(holder, _Object)
        self.tags = holder.tags
        self.match = holder.match
        self.again = _MORE_ITEMS if self.has_fields else ()
        self.only = _ENTRY_OR_CLOSER if isinstance(holder, _Map) and holder.holds_strings else "<"

    def at(self, text: str, tags: Tags, i: int) -> Run | None:
        """The run that begins at the tag `i` of a text, if there is one."""
        position = tags.starts[i]
        match = self.match(text, position)
        if match is not None and match.end() > position and not self.is_settled(match, tags, i):
            match = self.match(text, position, self.holder.last(match)[1])
        if match is None or match.end() == position:
            return None
        return self.run(match)

    def run(self, match: re.Match[str]) -> Run:
        """The run that a match is."""
        holder, text, (start, end) = self.holder, match.string, match.span()
        values = holder.values(match) if isinstance(holder, _Object) else holder.read(text, start, end)
        return Run(values, text, start, end, holder)

    def is_settled(self, match: re.Match[str], tags: Tags, i: int) -> bool:
        """Whether the last element of a run is one as well, which what stands behind it decides: a tag that the
        definition knows has to follow, and none that closes it once more or goes on with it, for then either may be a
        part of a text.
        """
        end = match.end()
        behind = bisect_left(tags.starts, end, i)
        if behind == len(tags.starts) or tags.starts[behind] != end or tags.heads[behind].key not in self.names:
            return False
        if not match.string.startswith(self.only, end):
            return False
        return not match.string.startswith((f"</{self.holder.last(match)[0]}", *self.again), end)


def filled(element: Element) -> set[str]:
    """The names of the fields that stand in an element."""
    names = {child.name for child in element.children if child.role == "field"}
    return names.union(*(child.values for child in element.children if isinstance(child, Run) and not child.is_list))


def runs_of(node: Node, names: Collection[str]) -> Runs | None:
    """What finds the runs of an object, a list or a map; None where there is nothing to find. `names` are all that the
    definition knows, folded.
    """
    part = _Compiler(names).part(node, ()) if node.kind in ("dict", "list", "map") else None
    return Runs(part, names) if isinstance(part, _Holder) else None


class _Compiler:
    """Compiles nodes into what reads their values. `text` is the pattern of a string between its own tags: other tags
    are a part of it, if they begin like none that the definition knows, and those in CDATA sections.
    """

    def __init__(self, names: Collection[str]) -> None:
        begun = "|".join(sorted({f"{re.escape(name[0])}[\\W_]*+{re.escape(name[1:2])}" for name in names}))
        self.text = rf"(?:[^<\uff1c\uff1e]++|{_SECTION}|<(?!!\[CDATA\[|[^\w<>]*+(?:[\w.-]*+:)?(?i:{begun})))*+"

    def part(self, node: Node, above: tuple[int, ...]) -> _Leaf | _Holder | None:
        """What reads the values of a node below some others; None where no run holds them: shapes that hold themselves,
        unions of objects.
        """
        if id(node) in above:
            return None
        return _PARTS.get(node.kind, _Compiler.scalar)(self, node, (*above, id(node)))

    def of_object(self, node: Node, above: tuple[int, ...]) -> _Object | None:
        fields: dict[str, tuple[_Leaf | _Holder, bool]] = {}
        length = 0
        for name, field in node.fields.items():
            part = self.part(field.node, above) if is_xml_name(name) else None
            length += 0 if part is None else len(part.part("", ""))
            if part is not None and length < _MAX_PATTERN:
                fields[name] = (part, field.required)
            elif field.required and len(above) > 1:
                return None  # a part of another pattern has to be the whole object
        return _Object(fields) if fields else None

    def of_list(self, node: Node, above: tuple[int, ...]) -> _List | None:
        part = None if node.item is None else self.part(node.item, above)
        return None if part is None else _List(part)

    def of_map(self, node: Node, above: tuple[int, ...]) -> _Map | None:
        """A map whose keys are texts. Fields like those of a pair of key and value could be one."""
        item, key = node.item, node.key
        if item is None or key is None or key.kind != "str" or not PAIR_NAMES.isdisjoint(item.fields):
            return None
        part = self.part(item, above)
        return None if part is None else _Map(part)

    def string(self, node: Node, above: tuple[int, ...]) -> _Leaf:
        return _Leaf((_NO_NULL if node.nullable else "") + _STRING, self.text)

    def choice(self, node: Node, above: tuple[int, ...]) -> _Leaf:
        texts = [choice for choice in node.choices if isinstance(choice, str)]
        if len(texts) < len(node.choices) or any(not text or escape_value(text, False) != text for text in texts):
            return _Leaf(_NO_FORM)
        return _Leaf(_form("|".join(map(re.escape, texts))))

    def scalar(self, node: Node, above: tuple[int, ...]) -> _Leaf:
        form = None if node.kind == "bytes" else _FORMS.get(node.kind)
        return _Leaf(_NO_FORM if form is None else _form(form))

    def union(self, node: Node, above: tuple[int, ...]) -> _Leaf | None:
        return _Leaf(_NO_FORM) if node.is_text() else None

    def nothing(self, node: Node, above: tuple[int, ...]) -> None:
        return None


_PARTS: dict[str, Callable[[_Compiler, Node, tuple[int, ...]], _Leaf | _Holder | None]] = {
    "dict": _Compiler.of_object,
    "list": _Compiler.of_list,
    "map": _Compiler.of_map,
    "str": _Compiler.string,
    "enum": _Compiler.choice,
    "union": _Compiler.union,
    "tuple": _Compiler.nothing,
    "any": _Compiler.nothing,
}


def _form(form: str) -> str:
    """A form with blanks around it, in which the braces of its own are no place for the group."""
    return f"{_BLANKS}{{}}{form.replace('{', '{{').replace('}', '}}')}){_BLANKS}"
