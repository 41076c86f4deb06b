"""Reads answers in the definition's order with one anchored regular expression, which cannot backtrack.

The walk over the definition that writes it also notes which groups make which part of the data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ...definition import FORMS, Field, Node, Plan, choice_text, is_xml_name, per_plan
from ...escaping import FENCES, NULL_WORDS, escape_value
from ...render.placeholder import PROMPT_ATTRIBUTES
from ..values.text import decode_common
from .texts import AsideError, Names, names_of_field, names_of_items, names_of_root, own_pairs, text_reader

Read = Callable[[str], Any]
"""A function from an answer to the tree of its texts, or to None if the answer is not clean."""

Make = Callable[[Iterable[Sequence[Any]]], list[Any]]
"""A function from the groups of some matches to the data of each match."""

Conversion = tuple[int, int, Callable[[str, str], Any]]
"""The slot of a value, the slot of its text, and the function that makes the value of the text and of the slot's
content.
"""

Object = tuple[int, list[tuple[str, int]], list[tuple[str, int, int]]]
"""An object's slot, the slots of its fields, and those of its optional fields, each with the slot that shows its
presence. A plain tuple, which is unpacked faster than a named one.
"""

_OPEN = "\x01"  # in a pattern, the beginning of a tag: a `<`, or this very character
_GROUP = "\x02"  # in a pattern, the beginning of a group whose text is part of the data, except in items of a list
_BLANKS = r"\n?+ *+[ \t\r\n]*+"  # the usual ones first: a single character is counted faster than a class
_PADDING = r"[ \t\r\n]*+"  # the same around a value, which hardly ever has any
_NO_NULL_WORD = rf"(?!{_BLANKS}(?:(?i:{'|'.join(map(re.escape, sorted(NULL_WORDS)))}){_BLANKS})?{_OPEN})"
_FLOAT = r"-?(?:0|[1-9][0-9]{0,200}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,2}+)?+"
STRICT_FORMS = {**FORMS, "float": _FLOAT}
"""The strict form of each kind. That of floats excludes those that overflow."""

_BARE = rf"(?![ \t\n\[{''.join(fence[0] for fence in FENCES)}])", r"(?<![ \t\n])"  # around a string that is its value
_WITHOUT_BLANKS = frozenset(FORMS) - {"datetime"}  # kinds whose strict forms hold no blank


class _UnsupportedError(Exception):
    """The definition holds something that no expression can match."""


class _Dialect(NamedTuple):
    """The beginning of tags, and whether the characters of a string are its value."""

    opener: str
    is_bare: bool


_PLAIN = _Dialect("<", True)
_DECODED = _Dialect(_OPEN, True)
_ANY_TEXT = _Dialect("<", False)


@per_plan
def read_by_expression(plan: Plan) -> Read:
    """Returns the function that reads an answer, with strings that are their own values if possible."""
    if plan.root.kind != "dict" or plan.shapes:
        return lambda answer: None
    readers: dict[_Dialect, Read] = {}

    def read_in(dialect: _Dialect, answer: str) -> Any:
        if dialect not in readers:
            readers[dialect] = _reader(plan, dialect)
        return readers[dialect](answer)

    def read(answer: str) -> Any:
        tree = None
        if "\r" not in answer:
            if "&" not in answer:
                tree = read_in(_PLAIN, answer)
            elif _OPEN not in answer:
                decoded = decode_common(answer.replace("<", _OPEN))
                tree = None if decoded is None else read_in(_DECODED, decoded)
        if tree is not None:
            return tree
        try:
            return read_in(_ANY_TEXT, answer)
        except AsideError:
            return None

    return read


def _reader(plan: Plan, dialect: _Dialect) -> Read:
    walk = _Walk(dialect)
    try:
        pattern = walk.element(plan.root_name, plan.root, names_of_root(plan))
    except _UnsupportedError:
        return lambda answer: None
    match, make = walk.compiled(pattern + _BLANKS).fullmatch, walk.maker()

    def read(text: str) -> Any:
        found = match(text)
        return None if found is None else make((found.groups(),))[0]

    return read


class _Walk:
    """One walk over a definition, which writes the expression and notes how its groups make the data.

    The groups of a match are slots. First, texts that are not values yet are converted. Then each object is made of the
    slots of its fields, inner objects before outer ones, and stored in the slot of its first group, which is empty if
    the object is missing or null. The outermost object ends in slot 0.
    """

    def __init__(self, dialect: _Dialect) -> None:
        self.dialect = dialect
        self.lead, self.trail = ("", _BLANKS) if dialect.is_bare else (_BLANKS, "")  # blanks belong to the tag behind
        self.groups = 0
        self.conversions: list[Conversion] = []
        self.objects: list[Object] = []
        self.has_gaps = False  # whether a group may lack a text

    def compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile(pattern.replace(_GROUP, "(").replace(_OPEN, self.dialect.opener))

    def maker(self) -> Make:
        _slot, fields, options = self.objects[0]
        is_flat = len(self.objects) == 1 and not self.conversions and not options
        return _flat(fields) if is_flat else _nested(self.conversions, self.objects)

    def group(self, pattern: str, convert: Callable[[str, str], Any] | None = None) -> str:
        """Returns the pattern of the next group. Its text is its value unless it has to be converted."""
        if convert is not None:
            self.conversions.append((self.groups, self.groups, convert))
        self.groups += 1
        return f"{_GROUP}{pattern})"

    def element(self, name: str, node: Node, around: Names) -> str:
        """Returns the pattern of an element. `around` are the names with a meaning in it."""
        if not is_xml_name(name):
            raise _UnsupportedError
        opener = f"{_OPEN}{name}{self.attributes(name, node)}>"
        if node.kind == "str" and not self.dialect.is_bare:
            slot = self.groups
            self.conversions.append((slot, slot + 1, text_reader(node, around, name)))
            lead, text = self.group(self.lead), self.group(own_pairs(name))
            return f"{lead}{opener}{text}</{name}>"
        content = _CONTENTS.get(node.kind, _Walk.scalar)(self, node, around)
        return f"{self.lead}{opener}{content}{_OPEN}/{name}>{self.trail}"

    def attributes(self, name: str, node: Node) -> str:
        """Returns the pattern of attributes that a prompt shows, which mean nothing unless the element is empty."""
        if self.dialect.is_bare:
            return ""
        names = "|".join(sorted(PROMPT_ATTRIBUTES - {"type", "index"} - node.fields.keys()))
        one = rf"""(?:type=(?:'{node.kind}'|"{node.kind}")|(?:{names})=(?:'[^'<\t\r\n]*+'|"[^"<\t\r\n]*+"))"""
        return rf"(?:(?:[ \t\n]++{one})++(?!>{_PADDING}</{name}>))?+"

    def fields(self, node: Node, around: Names) -> str:
        """Returns the pattern of an object's fields, behind an empty group if the first field may lack a text."""
        own: Object = (self.groups, [], [])
        first = next(iter(node.fields.values()), None)
        mark = self.group("") if first is None or not _is_clear(first) else ""
        follow = [frozenset[str]()]  # from the last field on, the names that may still follow
        for field in reversed(node.fields.values()):
            follow.append(follow[-1] | set(names_of_field(field)))
        optional = {name for field in node.fields.values() if not field.required for name in names_of_field(field)}
        patterns = [
            self.field(field, own, around | optional | later)
            for field, later in zip(node.fields.values(), reversed(follow), strict=False)
        ]
        self.objects.append(own)
        is_given = "" if node.nullable is False or not patterns else rf"(?={_BLANKS}{_OPEN}(?!/))"  # empty, it is null
        return self.trail + is_given + mark + "".join(patterns) + self.lead

    def field(self, field: Field, owner: Object, around: Names) -> str:
        """Returns the pattern of a field. An empty group in front of a nullable optional one shows its presence."""
        _slot, fields, options = owner
        name, node, presence = field.name, field.node, self.groups
        may_be_null = node.nullable is not False
        mark = self.group("") if may_be_null and not field.required else ""
        held = self.groups
        pattern = self.element(name, node, around)
        if may_be_null:
            pattern = f"(?:{pattern}|{self.lead}{_OPEN}{name} type='null'/>{self.trail})"
        self.has_gaps |= not _is_clear(field)
        if field.required:
            fields.append((name, held))
            return pattern
        options.append((name, held, presence))
        return f"(?:{mark}{pattern})?+"

    def items(self, node: Node, around: Names) -> str:
        """Returns the pattern of a list. It is a single group, in which the items are found by a second search."""
        assert node.item is not None
        inner = _Walk(self.dialect)
        pattern = inner.element("li", node.item, around | set(names_of_items(node)))
        body = f"(?:{pattern.replace(_GROUP, '(?:')})*+"
        return self.trail + self.group(body, inner.finder(node.item, pattern)) + self.lead

    def finder(self, item: Node, pattern: str) -> Callable[[str, str], list[Any]]:
        """Returns the function that makes a list of its body, which the whole pattern has matched as only items."""
        if item.kind in _WITHOUT_BLANKS:
            pattern = rf"{_OPEN}li{self.attributes('li', item)}>{_PADDING}{_GROUP}[^{_OPEN} \t\r\n]++)"
        make = self.items_maker(self.compiled(pattern))
        return lambda body, _: make(body)

    def items_maker(self, found: re.Pattern[str]) -> Callable[[str], list[Any]]:
        if self.objects:
            make = self.maker()
            if self.has_gaps or self.groups == 1:
                return lambda body: make(map(re.Match.groups, found.finditer(body)))
            return lambda body: make(found.findall(body))
        if not self.conversions:
            return found.findall
        convert = self.conversions[0][2]
        if self.groups == 1:
            return lambda body: [convert(text, "") for text in found.findall(body)]
        return lambda body: [convert(text, before) for before, text in found.findall(body)]

    def string(self, node: Node, around: Names) -> str:
        before, behind = _BARE
        return (_NO_NULL_WORD if node.nullable else "") + before + self.group(f"[^{_OPEN}]*+") + behind

    def scalar(self, node: Node, around: Names) -> str:
        if node.kind not in STRICT_FORMS or node.kind == "bytes":
            raise _UnsupportedError
        return _PADDING + self.group(STRICT_FORMS[node.kind]) + _PADDING

    def choice(self, node: Node, around: Names) -> str:
        choices = {choice_text(choice): choice for choice in node.choices}
        if any(not text or escape_value(text, False) != text for text in choices) or len(choices) < len(node.choices):
            raise _UnsupportedError
        is_text = all(isinstance(choice, str) for choice in node.choices)
        convert = None if is_text else lambda text, _: choices[text]
        return _PADDING + self.group("|".join(map(re.escape, choices)), convert) + _PADDING


_CONTENTS: dict[str, Callable[[_Walk, Node, Names], str]] = {
    "dict": _Walk.fields,
    "list": _Walk.items,
    "str": _Walk.string,
    "enum": _Walk.choice,
}


def _flat(fields: list[tuple[str, int]]) -> Make:
    """Returns the maker of objects that hold only texts. A loop is faster than `dict(zip())` here."""

    def make(matches: Iterable[Sequence[Any]]) -> list[Any]:
        made = []
        for groups in matches:
            tree = {}
            for name, held in fields:
                tree[name] = groups[held]
            made.append(tree)
        return made

    return make


def _nested(conversions: list[Conversion], objects: list[Object]) -> Make:
    def make(matches: Iterable[Sequence[Any]]) -> list[Any]:
        made = []
        for groups in matches:
            slots = list(groups)
            for slot, source, convert in conversions:
                text = slots[source]
                if text is not None:
                    slots[slot] = convert(text, slots[slot])
            for slot, fields, options in objects:
                if slots[slot] is not None:
                    tree = {}
                    for name, held in fields:
                        tree[name] = slots[held]
                    for name, held, presence in options:
                        if slots[presence] is not None:
                            tree[name] = slots[held]
                    slots[slot] = tree
            made.append(slots[0])
        return made

    return make


def _is_clear(field: Field) -> bool:
    return field.required and field.node.nullable is False
