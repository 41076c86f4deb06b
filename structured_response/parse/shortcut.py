"""The shortcut for the cleanest replies: one anchored regular expression, compiled from the definition.

It matches a reply that is one answer, without any other markup around, whose elements stand in the
definition's order under exact names, whose scalars are in their strict forms, and whose strings hold no
markup. It gives the same tree as the strict reader, or nothing; then the next reader takes over.
Its repetitions are possessive, so it cannot backtrack.

Beside each regular expression stands an expression of Python that makes the data of its groups. Both are
written in one walk over the definition, and compiled.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ..definition import FORMS, Field, Node, Plan, choice_text, is_placeholder, is_xml_name, per_plan, shared_shapes
from ..markup import BLANK, FENCES, NULL_WORDS, escape_value
from .text import decode_clean, decode_common, layout

__all__ = ["shortcut"]

Read = Callable[[str], Any]
"""A reply -> the tree of its texts, or None where it is not clean."""

_OPEN = "\x01"
"""In a pattern, what a tag begins with: a `<`, or this very character."""

_GROUP = "\x02"
"""In a pattern, what a group begins with whose text is a part of the data, unless it stands in an item of a list."""

_BLANKS = r"\n?+ *+[ \t\r\n]*+"  # the usual ones first: a single character is counted faster than a class
_NO_NULL_WORD = rf"(?!{_BLANKS}(?:(?i:{'|'.join(map(re.escape, sorted(NULL_WORDS)))}){_BLANKS})?{_OPEN})"
_FLOAT = r"-?(?:0|[1-9][0-9]{0,200}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,2}+)?+"  # never reaches infinity
_FORMS = {**FORMS, "float": _FLOAT}
_QUOTE = re.compile(r"\"(?:\s|\\[nrt])*+\Z")
"""What a JSON string begins with: an answer behind it may be escaped as a whole."""

_TOUCHY = frozenset({"[", *(fence[0] for fence in FENCES)})


_WITHOUT_BLANKS = frozenset(FORMS) - {"datetime"}
"""Kinds whose strict forms hold no blank."""


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
    """What tags begin with, the pattern of a string's characters, and what makes the value of those."""

    opener: str
    string: str
    convert: Callable[[Node], Callable[[str], str]] | None


@per_plan
def _plain(plan: Plan) -> Read:
    """Reads replies without references and carriage returns: where no blanks stand around the characters of a
    string, they are its value.
    """
    return _reader(plan, _Dialect("<", _BARE_STRING, None))


@per_plan
def _marked(plan: Plan) -> Read:
    """Reads the same replies with references in them: decoded in one go, with a control character in place of
    the `<` of each tag, so that tags stay what they are.
    """
    read = _reader(plan, _Dialect(_OPEN, _BARE_STRING, None))

    def decode_and_read(reply: str) -> Any:
        text = None if _OPEN in reply else decode_common(reply.replace("<", _OPEN))
        return None if text is None else read(text)

    return decode_and_read


@per_plan
def _full(plan: Plan) -> Read:
    """Reads strings of any kind, but for markup in them."""
    return _reader(plan, _Dialect("<", f"{_GROUP}[^{_OPEN}]*+)", _text))


_BARE_STRING = rf"(?![ \t\n\[`~]){_GROUP}[^{_OPEN}]*+)(?<![ \t\n])"


def _reader(plan: Plan, dialect: _Dialect) -> Read:
    writer = _Writer(dialect)
    pattern, value = writer.element(plan.root_name, plan.root)
    match = writer.compiled(f"[^{_OPEN}]*+{pattern}[^{_OPEN}]*+").fullmatch
    make = writer.function(writer.variables(), value)
    opener = dialect.opener

    def read(text: str) -> Any:
        found = match(text)
        if found is None or (not text.startswith(opener) and _QUOTE.search(text, 0, text.index(opener))):
            return None
        return make(*found.groups())

    return read


class _Writer:
    """Writes a regular expression, and the expression of Python that makes data of its groups g0, g1, ...

    Nothing of a definition gets into the latter but names of fields, quoted, after a look that they are
    names of XML.
    """

    def __init__(self, dialect: _Dialect) -> None:
        self.dialect = dialect
        self.groups = 0
        self.has_gaps = False  # whether a group may have no text at all
        self.scope: dict[str, Any] = {"__builtins__": {}}

    def variables(self) -> str:
        return ", ".join(f"g{number}" for number in range(self.groups))

    def compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile(pattern.replace(_GROUP, "(").replace(_OPEN, self.dialect.opener))

    def function(self, parameters: str, value: str) -> Callable[..., Any]:
        return eval(f"lambda {parameters}: {value}", self.scope)  # type: ignore[no-any-return]  # noqa: S307 - see above

    def group(self, convert: Callable[[str], Any] | None) -> str:
        """The value of the next group, which is its text where there is nothing to convert."""
        variable = f"g{self.groups}"
        self.groups += 1
        if convert is None:
            return variable
        name = f"convert{len(self.scope)}"
        self.scope[name] = convert
        return f"{name}({variable})"

    def mark(self) -> str:
        """The pattern of an empty group, which is there where what stands beside it is."""
        self.groups += 1
        return f"{_GROUP})"

    def element(self, name: str, node: Node) -> tuple[str, str]:
        """One element and the blanks behind it."""
        if not is_xml_name(name):
            raise _UnsupportedError
        pattern, value = _CONTENTS.get(node.kind, _Writer.scalar)(self, node)
        return f"{_OPEN}{name}>{pattern}{_OPEN}/{name}>{_BLANKS}", value

    def object(self, node: Node) -> tuple[str, str]:
        fields = [self.field(field) for field in node.fields.values()]
        patterns, entries = [pattern for pattern, _entry in fields], [entry for _pattern, entry in fields]
        return _BLANKS + "".join(patterns), f"{{{', '.join(entries)}}}"

    def field(self, field: Field) -> tuple[str, str]:
        """The pattern of a field and its entry in the object's data: its element, for a nullable one the mark
        of null, and perhaps nothing at all.

        Its first group tells whether the element is there. An object gets one of its own for that, in front,
        and so does a null that must be told from a missing field, behind it.
        """
        name, node, may_be_null = field.name, field.node, field.node.nullable is not False
        is_clear = field.required and not may_be_null
        first = f"g{self.groups}"
        mark = self.mark() if node.kind == "dict" and not is_clear else ""
        pattern, value = self.element(name, node)
        if is_clear:
            return pattern, f"{name!r}: {value}"
        self.has_gaps = True
        if not may_be_null:
            return f"(?:{mark}{pattern})?+", f"**({{}} if {first} is None else {{{name!r}: {value}}})"
        null = f"{_OPEN}{name} type='null'/>{_BLANKS}"
        entry = f"{name!r}: None if {first} is None else {value}"
        if field.required:
            return f"(?:{mark}{pattern}|{null})", entry
        last = f"g{self.groups}"
        missing = f"{first} is None and {last} is None"
        return f"(?:{mark}{pattern}|{null}{self.mark()})?+", f"**({{}} if {missing} else {{{entry}}})"

    def list(self, node: Node) -> tuple[str, str]:
        """A list is one group; what makes its data finds the items in that once more."""
        assert node.item is not None
        items = _Writer(self.dialect)
        pattern, value = items.element("li", node.item)
        body = pattern.replace(_GROUP, "(?:")
        return f"{_BLANKS}{_GROUP}(?:{body})*+)", self.group(items.finder(node.item, pattern, value))

    def finder(self, item: Node, pattern: str, value: str) -> Callable[[str], Any]:
        """What makes a list of its body, which the pattern of the whole has found to hold nothing but items."""
        if item.kind in _WITHOUT_BLANKS:
            pattern = rf"{_OPEN}li>{_BLANKS}{_GROUP}[^{_OPEN} \t\r\n]++)"
        found = self.compiled(pattern)
        if value == "g0":
            return found.findall
        if self.has_gaps:
            self.scope.update(rows=lambda body: map(re.Match.groups, found.finditer(body)))
            return self.function("body", f"[{value} for {self.variables()}, in rows(body)]")
        self.scope.update(rows=found.findall)
        return self.function("body", f"[{value} for {self.variables() or '_'} in rows(body)]")

    def string(self, node: Node) -> tuple[str, str]:
        convert = self.dialect.convert
        no_null = _NO_NULL_WORD if node.nullable else ""
        return no_null + self.dialect.string, self.group(None if convert is None else convert(node))

    def scalar(self, node: Node) -> tuple[str, str]:
        if node.kind not in _FORMS or node.kind == "bytes":
            raise _UnsupportedError
        return f"{_BLANKS}{_GROUP}{_FORMS[node.kind]}){_BLANKS}", self.group(None)

    def choice(self, node: Node) -> tuple[str, str]:
        choices = {choice_text(choice): choice for choice in node.choices}
        if any(not text or escape_value(text, False) != text for text in choices) or len(choices) < len(node.choices):
            raise _UnsupportedError
        is_text = all(isinstance(choice, str) for choice in node.choices)
        form = "|".join(map(re.escape, choices))
        return f"{_BLANKS}{_GROUP}{form}){_BLANKS}", self.group(None if is_text else choices.__getitem__)


_CONTENTS: dict[str, Callable[[_Writer, Node], tuple[str, str]]] = {
    "dict": _Writer.object,
    "list": _Writer.list,
    "str": _Writer.string,
    "enum": _Writer.choice,
}


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
