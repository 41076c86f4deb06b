"""Reads scalars: the value of an element's text, or of an attribute, with its findings."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from ..definition import Node, Path, choice_text, fold, is_near
from ..escaping import BLANK
from ..findings import ProblemKind, RepairKind
from ..render.placeholder import PROMPT_ATTRIBUTES, is_placeholder, is_words, names_a_place
from .build import Element
from .data import Reader, given, mark_of, parts_in
from .grammar import parts_of
from .read_json import closer_of, text_of
from .scan import is_word
from .table import BARE, BRACKETS
from .values import Scalar, Text, read_scalar, typed
from .values.scalar import LEFT_IN_PLACE, asked_for
from .values.text import SECTION

_TAG = re.compile(r"<(/?)([^\W\d][\w:.-]*+)[^<>]*+>")
_END = re.compile(r"</?([\w:.-]+)[^<>]*>")
_NAMELESS_END = re.compile(r"</(?:>|[\w:.-]*\Z)")
"""A closing tag without a name, or with a part of one."""
_LONGEST_END = 100
_ODD_END = re.compile(
    r"(?!</[\w:.-]++>)(?:[<\[{(|\uff1c][ ]*[/\uff0f\\][ ]*[\w:.-]*|(?<!<)/[^\W\d][\w:.-]*(?=[>\]}\uff1e]))"
    r"[ ]*[>\]})\uff1e]?\s*\Z"
    r"|<[^\W\d][^<>/\n@]*>\s*\Z",
)
"""A malformed tag at the end of a text that has no closing tag."""
_ODD_BEGINNING = re.compile(r"[\"'<=]|\Z")
"""A beginning of a text that shows that its opening tag, which lacks its bracket, was not a tag."""


_WORDS_OF_JSON = ("int", "float", "bool")
"""Kinds that JSON writes without quotes."""


def scalar(reader: Reader, element: Element, node: Node, path: Path) -> Any:
    form, is_str = element.form, node.kind == "str"
    if form == "json" and closer_of(element) in BRACKETS:
        return in_brackets(reader, element, node, path)
    if form == "json" and not element.is_cut and text_of(element)[0] is None:
        reader.account.values += 1
        if node.nullable is False:
            reader.fail(element, path, f"expected {asked_for(node.kind)}, found null")
        return None
    text = reader.laid_out(element, path, is_str)
    mark = "str" if form == "attribute" and is_str else mark_of(element)
    if not text.raw and mark != "null" and (inner := in_attribute(reader, element, node, path)) is not None:
        return reader.value(inner, node, path)
    reader.account.values += 1
    if not (element.is_leaf and form == "xml"):
        if text.raw:
            _beside_value(reader, element, node, path)
        if element.is_cut or is_quote_cut(element, node, text):
            return cut_scalar(reader, element, node, text, path)
        signature(reader, element, text, node, path)
        if form == "json" and node.kind in _WORDS_OF_JSON and closer_of(element) != BARE:
            reader.account.repair(RepairKind.VALUE_RESPELLED, path, element.span, f'"{text.raw}"', text.value)
        if is_str and form == "xml" and element.token >= 0:
            end_in_doubt(reader, element, text.raw, path)
    name = next((step for step in reversed(path) if isinstance(step, str)), "")
    return found(reader, node, text, read_scalar(node, text.raw, text.value, mark, name), path)


_OPEN_QUOTE = re.compile(r"\"[^\"]++|'(?!(?:T(?:is|was|ill?|were)|[Ee]m|[Cc]ause|[Rr]ound)\b|t)[^']++")
"""A text that begins with a quote and has no closing one."""


def is_quote_cut(element: Element, node: Node, text: Text) -> bool:
    """Returns whether a text in lines lacks its closing quote and ends the reply."""
    if node.kind != "str" or element.form == "json" or not _OPEN_QUOTE.fullmatch(text.raw):
        return False
    return not element.is_tag and not element.tokens.text[element.end :].strip(BLANK)


def end_in_doubt(reader: Reader, element: Element, text: str, path: Path) -> None:
    """Records a doubt about a text that may have absorbed something."""
    end = _END.match(reader.text, element.end)
    own = fold(element.tokens.symbols[element.token].closer or element.name)
    last = "" if end is None else fold(end[1])
    has_own_end = element.is_closed and (last == own or is_near(last, own))
    if element.token in element.tokens.broken and _ODD_BEGINNING.match(text):
        reader.doubt(element, path, "its text may begin inside its opening tag")
    elif not has_own_end and _ODD_END.search(text, max(0, len(text) - _LONGEST_END)):
        reader.doubt(element, path, "it has no closing tag, but may end with a damaged one")
    elif not path and element.is_closed and not has_own_end:
        reader.doubt(element, path, "it ends at the closing tag of another element")
    elif "<" in text and may_end_at_tag(element, text, own, has_own_end, is_root=not path):
        reader.doubt(element, path, "it may end at a tag inside it")


def may_end_at_tag(element: Element, text: str, own: str, has_own_end: bool, is_root: bool) -> bool:
    """Returns whether a text may end at a tag inside of it: one without a partner that is not used like a word."""
    if not element.is_tag or SECTION.fullmatch(element.source):
        return False
    open_tags = Counter[str]()
    for tag in _TAG.finditer(text):
        name, is_own, is_said = fold(tag[2]), fold(tag[2]) == own, is_word(text, *tag.span())
        if tag[1]:
            is_again = is_own and (is_root or (element.role == "item" and not is_said))
            is_end = not open_tags[name] and (is_again if has_own_end else is_root or not is_said)
            open_tags[name] -= 1
        elif tag[0].endswith("/>"):
            is_end = not element.is_closed and text[tag.start() - 1] == "\n" and text[tag.end() :][:1] in ("", "\n")
        else:
            open_tags[name] += not is_said
            is_next_item = element.role == "item" and open_tags.total() <= 1
            is_end = is_own and not is_said and (is_next_item or not has_own_end)
        if is_end:
            return True
    return open_tags[own] > 0 or bool(+open_tags and _NAMELESS_END.match(element.tokens.text, element.end))


def in_brackets(reader: Reader, element: Element, node: Node, path: Path) -> Any:
    """Reads a scalar from an object or a list of JSON. Only a list with one item has a value."""
    children = parts_in(element, path)
    if closer_of(element) == "]" and len(children) == 1:
        value = reader.value(children[0], node, path)
        reader.account.repair(RepairKind.UNWRAPPED, path, element.span, reader.text[slice(*element.span)], str(value))
        return value
    reader.account.values += 1
    reader.fail(element, path, "expected a single value, found an object or a list")
    return None


def found(reader: Reader, node: Node, text: Text, scalar: Scalar, path: Path) -> Any:
    if node.kind != "str" and text.value[-1:] == ")" and is_words(node, text.value):
        reader.account.placeholders += 1
    scalar = scalar.ordered(reader.account.day_first)
    if scalar.problem is not None:
        kind = ProblemKind.AMBIGUOUS if scalar.ambiguous else ProblemKind.INVALID
        if names_a_place(text.value) or (node.is_text() and is_placeholder(node, text.value)):
            reader.account.placeholders += 1
        reader.account.problem(kind, path, scalar.problem, reader.account.places.get(path), text.raw, scalar.candidates)
        return scalar.value if node.kind in _KEPT else None
    if scalar.repair is not None:
        said = "null" if scalar.value is None else choice_text(scalar.value)
        reader.account.repair(scalar.repair, path, reader.account.places[path], text.raw, said)
    return typed(node, scalar.value)


_KEPT = ("str", "any", "union")
"""Kinds whose invalid texts stay in the data."""
_HALF_REFERENCE = re.compile(r"&(?:#(?:[0-9]{0,7}|[xX][0-9a-fA-F]{0,6})|am?p?|ap?o?s?|lt?|gt?|qu?o?t?)\Z")
"""A reference without its `;` at the end of a text."""
_LONGEST_REFERENCE = 10


def _without_half(text: Text) -> Text:
    """Returns a truncated text without the half reference at its end."""
    half = _HALF_REFERENCE.search(text.raw, max(0, len(text.raw) - _LONGEST_REFERENCE))
    if half is None or not text.value.endswith(half[0]):
        return text
    return text._replace(value=text.value.removesuffix(half[0]).rstrip(BLANK))


def cut_scalar(reader: Reader, element: Element, node: Node, text: Text, path: Path) -> Any:
    """Returns a truncated text. Any other truncated value is missing."""
    place, text = element.place, _without_half(text) if element.form == "xml" else text
    if any(part.kind == "str" for part in parts_of(node)):
        reader.account.broken_off(path, place, "only the text up to here is kept")
        return text.value
    reader.account.broken_off(path, place, "the value is incomplete")
    return None


def is_signature(form: str, raw: str, value: str, node: Node) -> bool:
    """Returns whether a value repeats a signature's words. A writer who means them begins with an escape."""
    return value[-1:] == ")" and form != "xml" and not raw.startswith(_MEANT) and is_words(node, value)


def signature(reader: Reader, element: Element, text: Text, node: Node, path: Path) -> None:
    """Records a problem if a text repeats the words that a signature shows in its place."""
    if node.kind in ("str", "any") and is_signature(element.form, text.raw, text.value, node):
        reader.account.placeholders += 1
        reader.fail(element, path, LEFT_IN_PLACE)


_MEANT = ("\\u", '"\\u', "|")


# Attributes that hold values, in place of an element's content or beside it

_VALUES = ("value", "val", "text", "content", "data")
"""Attributes that hold the value of an empty element."""
_ASIDE = PROMPT_ATTRIBUTES | {"key", "name", "discriminator", "lang", "unit", "count", "nil", "class", "id"}
"""Attributes that describe a value."""


def in_attribute(reader: Reader, element: Element, node: Node, path: Path) -> Element | None:
    """Returns the attribute that holds an empty element's value. One of another name is a problem."""
    values = given(element, node)
    found = [inner for name, inner in values.items() if fold(name) in (*_VALUES, fold(element.name))]
    found = found or [inner for name, inner in values.items() if name == "name"]
    if len(found) != 1:
        unread(reader, element, node, path)
        return None
    raw = found[0].source
    reader.account.repair(RepairKind.SHAPE_CHANGED, path, found[0].span, f'{found[0].name}="{raw}"', raw)
    return found[0]


def unread(reader: Reader, element: Element, node: Node, path: Path) -> None:
    """Records a problem if attributes of an empty element may hold its value."""
    found = [inner for name, inner in given(element, node).items() if not {name, fold(name)} & _ASIDE]
    if found and mark_of(element) != "null":
        candidates = tuple(inner.source for inner in found)
        reader.fail(element, path, "empty, but its value may be in an attribute", candidates)


def _beside_value(reader: Reader, element: Element, node: Node, path: Path) -> None:
    """Records a doubt if an attribute and the element's content are different values."""
    for name, inner in given(element, node).items():
        is_value = fold(name) in ("value", fold(element.name)) and fold(inner.source) != fold(element.name)
        if is_value and inner.source != element.content:
            candidates = (element.content, inner.source)
            reader.doubt(inner, path, "an attribute has a different value", candidates)
