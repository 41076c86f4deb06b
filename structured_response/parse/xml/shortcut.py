"""The shortcut for the cleanest replies: one anchored regular expression, compiled from the definition.

It matches a reply that is one answer, without any other markup around, whose elements stand in the
definition's order under exact names, whose scalars are in their strict forms, and whose strings hold no
markup. It gives the same tree as the strict reader, or nothing; then the next reader takes over.
Its repetitions are possessive, so it cannot backtrack. The walk over the definition that writes it also
notes which of its groups make which part of the data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ...definition import FORMS, Field, Node, Plan, choice_text, is_placeholder, is_xml_name, per_plan, shared_shapes
from ...markup import BLANK, EXAMPLE, FENCES, LABELLED, NULL_WORDS, escape_value
from ..scalars.text import decode_clean, decode_common, layout

__all__ = ["shortcut"]

Read = Callable[[str], Any]
"""A reply -> the tree of its texts, or None where it is not clean."""

Make = Callable[[Iterable[Sequence[Any]]], list[Any]]
"""The groups of each of some matches -> the data of each."""

Object = tuple[int, list[tuple[str, int]], list[tuple[str, int, int]]]
"""An object's slot, those of its fields, and those of its optional fields, each with the slot that tells of it.
A plain tuple, which is unpacked faster than a named one."""

_OPEN = "\x01"  # in a pattern, what a tag begins with: a `<`, or this very character
_GROUP = "\x02"  # in a pattern, what a group begins with whose text is a part of the data; not so in an item of a list
_PROSE = rf"(?:[^{_OPEN},]++|(?!{re.escape(EXAMPLE)}),)*+"  # what may stand around the answer
_BLANKS = r"\n?+ *+[ \t\r\n]*+"  # the usual ones first: a single character is counted faster than a class
_PADDING = r"[ \t\r\n]*+"  # the same around a value, where there is hardly any
_NO_NULL_WORD = rf"(?!{_BLANKS}(?:(?i:{'|'.join(map(re.escape, sorted(NULL_WORDS)))}){_BLANKS})?{_OPEN})"
_FLOAT = r"-?(?:0|[1-9][0-9]{0,200}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,2}+)?+"  # never reaches infinity
_FORMS = {**FORMS, "float": _FLOAT}
_QUOTE = re.compile(rf"\"(?:\s|\\[nrt])*+\Z|\A\s*+\"|[{{\[]\s*+[\"{{\[]|(?m:^)>[ \t]*+\Z|{LABELLED}")
"""What a JSON string or a quoted line begins with: an answer behind it may be escaped or quoted as a whole. Behind
labels it may be one's value.
"""

_BARE = r"(?![ \t\n\[`~])", r"(?<![ \t\n])"  # around a string that is its own value
_TOUCHY = frozenset({"[", *(fence[0] for fence in FENCES)})
_WITHOUT_BLANKS = frozenset(FORMS) - {"datetime"}  # kinds whose strict forms hold no blank


class _NotCleanError(Exception):
    """A value that the strict reader has to look at."""


class _UnsupportedError(Exception):
    """A definition that the shortcut has no pattern for."""


@per_plan
def shortcut(plan: Plan) -> Read | None:
    """What reads a clean reply. None where the definition holds what no shortcut can read."""
    try:
        if plan.root.kind != "dict" or shared_shapes(plan.root):
            return None
        read_plain = _plain(plan)
    except _UnsupportedError:
        return None

    def read(reply: str) -> Any:
        if "\r" not in reply:
            tree = _marked(plan)(reply) if "&" in reply else read_plain(reply)
            if tree is not None:
                return tree
        try:
            return _full(plan)(reply)
        except _NotCleanError:
            return None

    return read


class _Dialect(NamedTuple):
    """What tags begin with, what must stand around the characters of a string, and what makes the value of those."""

    opener: str
    edges: tuple[str, str]
    convert: Callable[[Node], Callable[[str], str]] | None = None


@per_plan
def _plain(plan: Plan) -> Read:
    """Reads replies without references and carriage returns: where no blanks stand around the characters of a
    string, they are its value.
    """
    return _reader(plan, _Dialect("<", _BARE))


@per_plan
def _marked(plan: Plan) -> Read:
    """Reads the same replies with references, decoded in one go, with a control character for each tag's `<`."""
    read = _reader(plan, _Dialect(_OPEN, _BARE))

    def decode_and_read(reply: str) -> Any:
        text = None if _OPEN in reply else decode_common(reply.replace("<", _OPEN))
        return None if text is None else read(text)

    return decode_and_read


@per_plan
def _full(plan: Plan) -> Read:
    """Reads strings of any kind, but for markup in them."""
    return _reader(plan, _Dialect("<", ("", ""), _text))


def _reader(plan: Plan, dialect: _Dialect) -> Read:
    walk = _Walk(dialect)
    pattern = walk.element(plan.root_name, plan.root)
    match, make = walk.compiled(f"{_PROSE}{pattern}{_PROSE}").fullmatch, walk.maker()

    opener = dialect.opener

    def read(text: str) -> Any:
        found = match(text)
        if found is None or (not text.startswith(opener) and _QUOTE.search(text, 0, text.index(opener))):
            return None
        return make((found.groups(),))[0]

    return read


class _Walk:
    """One walk over a definition: it writes the regular expression, and notes how data is made of the groups.

    The groups of a match are slots. First the texts are converted that are not their values yet. Then each
    object is made of the slots of its fields, inner objects before outer ones, and put in the slot of its first
    group, which holds nothing where the object is missing or null. The outermost ends in slot 0.
    """

    def __init__(self, dialect: _Dialect) -> None:
        self.dialect = dialect
        self.groups = 0
        self.conversions: list[tuple[int, Callable[[str], Any]]] = []
        self.objects: list[Object] = []
        self.has_gaps = False  # whether a group may have no text at all

    def compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile(pattern.replace(_GROUP, "(").replace(_OPEN, self.dialect.opener))

    def maker(self) -> Make:
        _slot, fields, options = self.objects[0]
        is_flat = len(self.objects) == 1 and not self.conversions and not options
        return _flat(fields) if is_flat else _nested(self.conversions, self.objects)

    def group(self, pattern: str, convert: Callable[[str], Any] | None = None) -> str:
        """The pattern of the next group, whose text is its value unless it has to be converted."""
        if convert is not None:
            self.conversions.append((self.groups, convert))
        self.groups += 1
        return f"{_GROUP}{pattern})"

    def element(self, name: str, node: Node) -> str:
        """One element and the blanks behind it."""
        if not is_xml_name(name):
            raise _UnsupportedError
        content = _CONTENTS.get(node.kind, _Walk.scalar)(self, node)
        return f"{_OPEN}{name}>{content}{_OPEN}/{name}>{_BLANKS}"

    def fields(self, node: Node) -> str:
        """The fields of an object, behind an empty group where the first of them may have none with a text."""
        own: Object = (self.groups, [], [])
        first = next(iter(node.fields.values()), None)
        mark = self.group("") if first is None or not _is_clear(first) else ""
        patterns = [self.field(field, own) for field in node.fields.values()]
        self.objects.append(own)
        return _BLANKS + mark + "".join(patterns)

    def field(self, field: Field, owner: Object) -> str:
        """The pattern of a field: its element, for a nullable one the mark of null, and perhaps nothing at all.

        Of a nullable one that may be missing, an empty group in front tells that it is there.
        """
        _slot, fields, options = owner
        name, node, presence = field.name, field.node, self.groups
        may_be_null = node.nullable is not False
        mark = self.group("") if may_be_null and not field.required else ""
        held = self.groups
        pattern = self.element(name, node)
        if may_be_null:
            pattern = f"(?:{pattern}|{_OPEN}{name} type='null'/>{_BLANKS})"
        self.has_gaps |= not _is_clear(field)
        if field.required:
            fields.append((name, held))
            return pattern
        options.append((name, held, presence))
        return f"(?:{mark}{pattern})?+"

    def items(self, node: Node) -> str:
        """A list is one group, whose items are found in it once more."""
        assert node.item is not None
        inner = _Walk(self.dialect)
        pattern = inner.element("li", node.item)
        return _BLANKS + self.group(f"(?:{pattern.replace(_GROUP, '(?:')})*+", inner.finder(node.item, pattern))

    def finder(self, item: Node, pattern: str) -> Callable[[str], list[Any]]:
        """What makes a list of its body, which the pattern of the whole has found to hold nothing but items."""
        if item.kind in _WITHOUT_BLANKS:
            pattern = rf"{_OPEN}li>{_PADDING}{_GROUP}[^{_OPEN} \t\r\n]++)"
        found = self.compiled(pattern)
        if self.objects:
            make = self.maker()
            if self.has_gaps or self.groups == 1:
                return lambda body: make(map(re.Match.groups, found.finditer(body)))
            return lambda body: make(found.findall(body))
        if not self.conversions:
            return found.findall
        convert = self.conversions[0][1]
        return lambda body: list(map(convert, found.findall(body)))

    def string(self, node: Node) -> str:
        _opener, (before, behind), convert = self.dialect
        no_null = _NO_NULL_WORD if node.nullable else ""
        return no_null + before + self.group(f"[^{_OPEN}]*+", convert and convert(node)) + behind

    def scalar(self, node: Node) -> str:
        if node.kind not in _FORMS or node.kind == "bytes":
            raise _UnsupportedError
        return _PADDING + self.group(_FORMS[node.kind]) + _PADDING

    def choice(self, node: Node) -> str:
        choices = {choice_text(choice): choice for choice in node.choices}
        if any(not text or escape_value(text, False) != text for text in choices) or len(choices) < len(node.choices):
            raise _UnsupportedError
        is_text = all(isinstance(choice, str) for choice in node.choices)
        convert = None if is_text else choices.__getitem__
        return _PADDING + self.group("|".join(map(re.escape, choices)), convert) + _PADDING


_CONTENTS: dict[str, Callable[[_Walk, Node], str]] = {
    "dict": _Walk.fields,
    "list": _Walk.items,
    "str": _Walk.string,
    "enum": _Walk.choice,
}


def _flat(fields: list[tuple[str, int]]) -> Make:
    """Makes objects of nothing but texts. A loop is faster here than `dict(zip())`, however many fields there are."""

    def make(matches: Iterable[Sequence[Any]]) -> list[Any]:
        made = []
        for groups in matches:
            tree = {}
            for name, held in fields:
                tree[name] = groups[held]
            made.append(tree)
        return made

    return make


def _nested(conversions: list[tuple[int, Callable[[str], Any]]], objects: list[Object]) -> Make:
    def make(matches: Iterable[Sequence[Any]]) -> list[Any]:
        made = []
        for groups in matches:
            slots = list(groups)
            for slot, convert in conversions:
                text = slots[slot]
                if text is not None:
                    slots[slot] = convert(text)
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
    """Whether a field always has a value."""
    return field.required and field.node.nullable is False


def _text(node: Node) -> Callable[[str], str]:
    def read(raw: str) -> str:
        text = raw.strip(BLANK)
        if "\r" in text or ("\n" in text and raw[0] in BLANK):
            text = layout(raw, _needs_indentation)
        decoded = decode_clean(text) if "&" in text else text
        if decoded is None or (text[:1] in _TOUCHY and _is_touched(node, text, decoded)):
            raise _NotCleanError
        return decoded

    return read


def _is_touched(node: Node, text: str, decoded: str) -> bool:
    """Whether a leniency would make something else of a text: a fence goes, a placeholder is no value."""
    return text.startswith(FENCES) or is_placeholder(node, decoded)


def _needs_indentation() -> str:
    raise _NotCleanError
