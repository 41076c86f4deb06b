"""The shortcut for the cleanest replies: one anchored regular expression, compiled from the definition.

It matches a reply that is one answer, without any other markup around, whose elements stand in the
definition's order under exact names, whose scalars are in their strict forms, and whose strings hold no
markup. It gives the same tree as the strict reader, or nothing; then the next reader takes over.
Its repetitions are possessive, so it cannot backtrack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from operator import itemgetter
from typing import Any, NamedTuple

from ..definition import FORMS, Field, Node, Plan, choice_text, is_placeholder, is_xml_name, per_plan, shared_shapes
from ..markup import BLANK, FENCES, NULL_WORDS, escape_value
from .text import decode_clean, decode_common, layout

__all__ = ["shortcut"]

Groups = Sequence[str | None]
Build = Callable[[Groups], dict[str, Any]]
Step = Callable[[dict[str, Any], Groups], None]
"""What is left to do for a field once its group's text stands in the tree."""

_BLANKS = r"\n?+ *+[ \t\r\n]*+"  # the usual ones first: a single character is counted faster than a class
_NO_NULL_WORD = rf"(?!{_BLANKS}(?:(?i:{'|'.join(map(re.escape, sorted(NULL_WORDS)))}){_BLANKS})?<)"
_FLOAT = r"-?(?:0|[1-9][0-9]{0,200}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,2}+)?+"  # never reaches infinity
_FORMS = {**FORMS, "float": _FLOAT}
_TOUCHY = frozenset({"[", *(fence[0] for fence in FENCES)})


_WITHOUT_BLANKS = frozenset(FORMS) - {"datetime"}
"""Kinds whose strict forms hold no blank."""


class _NotCleanError(Exception):
    """A value that the strict reader has to look at."""


class _UnsupportedError(Exception):
    """A definition that the shortcut has no pattern for."""


@per_plan
def shortcut(plan: Plan) -> Callable[[str], Any] | None:
    """What reads a clean reply: a function from the reply to the tree of texts, or to None where it is not
    clean. None where the definition holds what no shortcut can read.
    """
    try:
        if plan.root.kind != "dict" or shared_shapes(plan.root):
            return None
        match_plain, match_full = _matcher(plan, _PLAIN), _matcher(plan, _FULL)
        build_plain, build_marked, build_full = (_builder(plan.root, how, count()) for how in (_PLAIN, _MARKED, _FULL))
    except _UnsupportedError:
        return None

    def read(reply: str) -> Any:
        if "\r" not in reply:
            has_references = "&" in reply
            text = _marked(reply) if has_references else reply
            found = None if text is None else match_plain(text)
            if found is not None:
                return (build_marked if has_references else build_plain)(found.groups())
        found = match_full(reply)
        try:
            return None if found is None else build_full(found.groups())
        except _NotCleanError:
            return None

    return read


def _matcher(plan: Plan, strings: _Strings) -> Callable[[str], re.Match[str] | None]:
    return re.compile(f"[^<]*+{_element(plan.root_name, plan.root, strings, '(')}[^<]*+").fullmatch


def _marked(reply: str) -> str | None:
    """The reply decoded in one go, with a control character for each `&lt;` so that tags stay what they are.

    None where other references stand in it, or that character.
    """
    return None if _LESS_THAN in reply else decode_common(reply, _LESS_THAN)


_LESS_THAN = "\x01"


class _Strings(NamedTuple):
    """How strings are read: the pattern of their characters, and what makes the value of those."""

    pattern: str
    convert: Callable[[Node], Callable[[str], str] | None]


def _element(name: str, node: Node, strings: _Strings, group: str) -> str:
    """The pattern of one element and the blanks behind it; `group` opens the groups: `(`, or `(?:` in items."""
    if not is_xml_name(name):
        raise _UnsupportedError
    return f"<{name}>{_content(node, strings, group)}</{name}>{_BLANKS}"


def _content(node: Node, strings: _Strings, group: str) -> str:
    if node.kind == "dict":
        return _BLANKS + "".join(_field(field, strings, group) for field in node.fields.values())
    if node.kind == "list":
        assert node.item is not None
        return f"{_BLANKS}{group}(?:{_element('li', node.item, strings, '(?:')})*+)"
    if node.kind == "str":
        no_null = _NO_NULL_WORD if node.nullable else ""
        return no_null + strings.pattern.replace("([", f"{group}[")
    return f"{_BLANKS}{group}{_form(node)}){_BLANKS}"


def _field(field: Field, strings: _Strings, group: str) -> str:
    """The pattern of a field: its element, for a nullable one the mark of null, and perhaps nothing at all.

    An empty group stands before the element of an object that may be missing, and behind a null that must
    be told from a missing field.
    """
    may_be_null = field.node.nullable is not False
    mark = f"{group})"
    element = _element(field.name, field.node, strings, group)
    if field.node.kind == "dict" and (may_be_null or not field.required):
        element = mark + element
    if may_be_null:
        null = f"<{field.name} type='null'/>{_BLANKS}"
        element = f"(?:{element}|{null}{'' if field.required else mark})"
    return element if field.required else f"(?:{element})?+"


def _form(node: Node) -> str:
    if node.kind == "enum":
        texts = [choice_text(choice) for choice in node.choices]
        if any(not text or escape_value(text, False) != text for text in texts) or len(set(texts)) < len(texts):
            raise _UnsupportedError
        return f"(?:{'|'.join(map(re.escape, texts))})"
    if node.kind not in _FORMS or node.kind == "bytes":
        raise _UnsupportedError
    return _FORMS[node.kind]


class _Steps:
    """What has to be done for an object: its texts are picked from the groups, then objects are made of theirs,
    texts become values, and what may be missing or null is looked after.
    """

    def __init__(self, node: Node, strings: _Strings, groups: Iterator[int]) -> None:
        self.names: list[str] = []
        self.numbers: list[int] = []
        self.conversions: list[tuple[str, Callable[[str], Any]]] = []
        self.nested: list[tuple[str, Build]] = []
        self.rest: list[Step] = []
        for field in node.fields.values():
            may_be_null = field.node.nullable is not False
            add = self.add_object if field.node.kind == "dict" else self.add_text
            add(field, field.required and not may_be_null, strings, groups)
            if may_be_null and not field.required:
                self.rest.append(_null(field.name, next(groups)))

    def add_object(self, field: Field, clear: bool, strings: _Strings, groups: Iterator[int]) -> None:
        mark = None if clear else next(groups)
        make = _builder(field.node, strings, groups)
        if mark is None:
            self.nested.append((field.name, make))
        else:
            self.rest.append(_marked_object(field, mark, make))

    def add_text(self, field: Field, clear: bool, strings: _Strings, groups: Iterator[int]) -> None:
        self.names.append(field.name)
        self.numbers.append(next(groups))
        convert = _conversion(field.node, strings)
        if clear and convert is not None:
            self.conversions.append((field.name, convert))
        elif not clear and (convert is not None or not field.required):
            self.rest.append(_optional(field, convert or str))


def _builder(node: Node, strings: _Strings, groups: Iterator[int]) -> Build:
    """What makes an object of the groups of a match. Takes the groups' numbers in the order of the pattern."""
    steps = _Steps(node, strings, groups)
    names, conversions, nested, rest = steps.names, steps.conversions, steps.nested, steps.rest
    pick = _picker(steps.numbers)

    def flat(found: Groups) -> dict[str, Any]:
        return dict(zip(names, pick(found)))  # noqa: B905 - as long as each other by construction; strict= costs more

    def build(found: Groups) -> dict[str, Any]:
        tree: dict[str, Any] = dict(zip(names, pick(found)))  # noqa: B905 - see above
        for name, make in nested:
            tree[name] = make(found)
        for name, convert in conversions:
            tree[name] = convert(tree[name])
        for step in rest:
            step(tree, found)
        return tree

    return build if conversions or nested or rest else flat


def _optional(field: Field, convert: Callable[[str], Any]) -> Step:
    """For a value that may be missing or null: its group then holds nothing."""
    name, required = field.name, field.required

    def step(tree: dict[str, Any], found: Groups) -> None:
        text = tree[name]
        if text is not None:
            tree[name] = convert(text)
        elif not required:
            del tree[name]

    return step


def _marked_object(field: Field, mark: int, make: Build) -> Step:
    """For an object that may be missing or null: the group in front of it then holds nothing."""
    name, required = field.name, field.required

    def step(tree: dict[str, Any], found: Groups) -> None:
        if found[mark] is not None:
            tree[name] = make(found)
        elif required:
            tree[name] = None

    return step


def _null(name: str, mark: int) -> Step:
    """For a field that may be missing: the group behind its null tells the two apart."""

    def step(tree: dict[str, Any], found: Groups) -> None:
        if found[mark] is not None:
            tree[name] = None

    return step


def _picker(numbers: list[int]) -> Callable[[Groups], Groups]:
    if numbers == list(range(len(numbers))):
        return lambda found: found  # what stands behind them is another's; zip ends with the names
    if len(numbers) > 1:
        return itemgetter(*numbers)
    return lambda found: [found[number] for number in numbers]


def _conversion(node: Node, strings: _Strings) -> Callable[[str], Any] | None:
    """What makes the value of a group's text, or None where the text is the value."""
    if node.kind == "str":
        return strings.convert(node)
    if node.kind == "list":
        assert node.item is not None
        return _items(node.item, strings)
    if node.kind == "enum" and not all(isinstance(choice, str) for choice in node.choices):
        return {choice_text(choice): choice for choice in node.choices}.__getitem__
    return None


def _items(item: Node, strings: _Strings) -> Callable[[str], list[Any]]:
    """What makes a list of its body, which the pattern of the whole has found to hold nothing but items."""
    pattern = re.compile(_element("li", item, strings, "("))
    if item.kind in _WITHOUT_BLANKS:
        return re.compile(rf"<li>{_BLANKS}([^< \t\r\n]++)").findall
    if item.kind != "dict":
        convert = _conversion(item, strings)
        find = pattern.findall
        return find if convert is None else lambda body: list(map(convert, find(body)))
    build = _builder(item, strings, count())
    names = list(item.fields)
    if pattern.groups > 1 and all(_is_plain(field, strings) for field in item.fields.values()):
        return lambda body: [dict(zip(names, row)) for row in pattern.findall(body)]  # noqa: B905 - see `_builder`
    return lambda body: [build(match.groups()) for match in pattern.finditer(body)]


def _is_plain(field: Field, strings: _Strings) -> bool:
    """Whether the group of a field is always there and always its value."""
    scalar = field.node.kind not in ("dict", "list")
    clear = field.required and field.node.nullable is False
    return clear and scalar and _conversion(field.node, strings) is None


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


_PLAIN = _Strings(r"(?![ \t\n\[`~])([^<]*+)(?<![ \t\n])", lambda node: None)
"""Strings without blanks around, in replies without references and carriage returns: the characters are the value."""

_MARKED = _Strings(_PLAIN.pattern, lambda node: lambda text: text.replace(_LESS_THAN, "<"))
"""The same strings, once the references of the whole reply were decoded."""

_FULL = _Strings(r"([^<]*+)", _text)
"""Strings of any kind, but for markup in them."""
