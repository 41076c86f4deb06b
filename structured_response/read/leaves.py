"""Scalars: the text of an element becomes a value, with what is to be said of it."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from ..definition import Node, Path, choice_text, fold, is_placeholder, is_words, names_a_place
from ..findings import ProblemKind, RepairKind
from ..markup import BLANK
from .attributes import beside_value, in_attribute
from .build import Element
from .data import Reader, asked, options_of, parts_of
from .rows import BARE, BRACKETS
from .scan import REASONING
from .scan_json import closer_of, text_of
from .values import Scalar, Text, read_scalar

__all__ = ["LEFT_IN_PLACE", "cut_scalar", "found", "is_signature", "scalar", "signature"]

_TAG = re.compile(r"<(/?)([^\W\d][\w:.-]*+)[^<>]*+>")
_NAMELESS_END = re.compile(r"</(?:>|[\w:.-]*\Z)")
"""A closing tag that may be any: without a name, or with a part of it."""
_LONGEST_END = 100
_ODD_END = re.compile(
    r"(?!</[\w:.-]++>)(?:[<\[{(|\uff1c][ ]*[/\uff0f\\][ ]*[\w:.-]*|(?<!<)/[^\W\d][\w:.-]*(?=[>\]}\uff1e]))"
    r"[ ]*[>\]})\uff1e]?\s*\Z"
    r"|<[^\W\d][^<>/\n]*>\s*\Z",
)
"""What looks like a tag at the end of a text that has no closing tag."""
_ODD_BEGINNING = re.compile(r"[\"'<=]|\Z")
"""What stands behind an opening tag without its bracket where that has been something else."""


def is_mention(text: str, start: int, end: int) -> bool:
    """Whether a tag stands in a text like a word."""
    before, behind = text[max(start - 1, 0) : start], text[end : end + 1]
    return (not before or before in " \t\n([`\"'\u201c") and (not behind or behind in " \t\n,.;:!?)]`\"'\u201d")


_WORDS_OF_JSON = ("int", "float", "bool")
"""Kinds that stand without quotes in JSON."""


def scalar(reader: Reader, element: Element, node: Node, path: Path) -> Any:
    """The value of a text."""
    if element.form == "json" and closer_of(element) in BRACKETS:
        return in_brackets(reader, element, node, path)
    reader.account.values += 1
    if element.form == "json" and not element.is_cut and text_of(element)[0] is None:
        return json_null(reader, element, node, path)
    text = reader.laid_out(element, path, node.kind == "str")
    mark = "str" if element.form == "attribute" and node.kind == "str" else None
    if element.token >= 0 and element.form == "xml" and element.inner - element.start > len(element.name) + 2:
        mark = reader.mark(element)
        if not text.raw and mark != "null":
            text = in_attribute(reader, element, node, path) or text
        elif text.raw:
            beside_value(reader, element, node, path)
    if element.is_cut or is_quote_cut(reader, element, node, text):
        return cut_scalar(reader, node, text if element.form != "xml" else _without_half(text), path)
    signature(reader, element, text, node, path)
    if element.form == "json" and node.kind in _WORDS_OF_JSON and closer_of(element) != BARE:
        reader.account.repair(RepairKind.VALUE_RESPELLED, path, element.span, f'"{text.raw}"', text.value)
    if node.kind == "str" and element.token >= 0 and element.form == "xml":
        end_in_doubt(reader, element, text, path)
    return found(reader, node, text, read_scalar(node, text.raw, text.value, mark, _own_name(path)), path)


_OPEN_QUOTE = re.compile(r"\"[^\"]++|'(?!(?:T(?:is|was|ill?|were)|[Ee]m|[Cc]ause|[Rr]ound)\b|t)[^']++")
"""A text whose quotes never end."""


def is_quote_cut(reader: Reader, element: Element, node: Node, text: Text) -> bool:
    """Whether a text in lines is the last thing that a reply says, and lacks its closing quote."""
    if node.kind != "str" or element.form == "json" or not _OPEN_QUOTE.fullmatch(text.raw):
        return False
    return not reader.is_tag(element) and not reader.text[element.end :].strip(BLANK)


def end_in_doubt(reader: Reader, element: Element, text: Text, path: Path) -> None:
    """Names a text that may have absorbed something: it begins again in its midst, or it has no closing tag and
    holds one that closes nothing in it.
    """
    own = fold(element.name)
    is_own_end = id(element) not in reader.wrongly_closed
    is_own_end &= element.is_closed and not reader.text.startswith("</>", element.end)
    is_own_end &= reader.text[element.stop - 1] in ">\uff1e"
    lacks_end = not is_own_end and (
        _ODD_END.search(text.raw, max(0, len(text.raw) - _LONGEST_END))
        or text.raw.count("```") % 2
        or (text.value.endswith(f"</{element.name}>") and not text.raw.endswith(">"))
    )
    is_broken = element.tokens is not None and element.token in element.tokens.is_broken
    if lacks_end or (is_broken and _ODD_BEGINNING.match(text.raw)):
        message = "it has no sound tags, and begins or ends with what may be one"
        reader.account.problem(ProblemKind.AMBIGUOUS, path, message, reader.place(element), text.raw)
        return
    if not path and id(element) in reader.wrongly_closed:
        message = "the closing tag of something else is its end"
        reader.account.problem(ProblemKind.AMBIGUOUS, path, message, reader.place(element), text.raw)
    source = reader.source(element).strip()
    is_section = source.startswith("<![CDATA[") and source.find("]]>") == len(source) - 3
    if "<" not in text.raw or is_section or not reader.is_tag(element):
        return
    around = reader.nodes.get(path[:-1])
    classes = (around.name, *options_of(around)) if around is not None else ()
    if own in map(fold, filter(None, classes)) and is_of_class(reader, element, text.raw, path):
        return
    end_at_tag(reader, element, text, path, is_own_end)


def is_of_class(reader: Reader, element: Element, text: str, path: Path) -> bool:
    """Whether the tag of a text may be that of its class: it holds a closing one of that name, or another field."""
    around = [part for part in parts_of(reader.nodes[path[:-1]]) if part.kind == "dict"]
    names = {match[2] for match in _TAG.finditer(text) if not match[1] and fold(match[2]) != fold(element.name)}
    has_field = any(part.field_named(name) is not None for part in around for name in names)
    if f"</{element.name}>" not in text and not has_field:
        return False
    message = "the tag may be that of its class"
    reader.account.problem(ProblemKind.AMBIGUOUS, path, message, reader.place(element), text)
    if has_field:
        reader.account.problem(ProblemKind.AMBIGUOUS, path[:-1], message, reader.place(element), text)
    return True


def end_at_tag(reader: Reader, element: Element, text: Text, path: Path, is_own_end: bool) -> None:
    """Names a text that may end in front of a tag in it."""
    own = fold(element.name)
    tags = list(_TAG.finditer(text.raw))
    last_closer = max((tag.start() for tag in tags if tag[1] and fold(tag[2]) == own), default=-1)
    waiting: Counter[str] = Counter()
    for match in tags:
        slash, name, is_empty = match[1], fold(match[2]), match[0].endswith("/>")
        if not slash:
            waiting[name] += not is_empty and not is_mention(text.raw, *match.span())
            is_again = name == own and not is_empty and (match.start() > last_closer or not is_own_end)
            is_line = text.raw[match.start() - 1] + text.raw[match.end() :][:1] in ("\n", "\n\n")
            is_odd = not element.is_closed and (name in REASONING or (is_empty and is_line))
            is_odd |= name == own and element.role == "item" and not is_empty and not waiting.total() > 1
        else:
            is_again = waiting[name] == 0 and not is_own_end
            is_odd = waiting[name] == 0 and name == own and not path
            waiting[name] -= 1
        if is_odd or (is_again and not is_mention(text.raw, *match.span())):
            candidates = (text.raw[: match.start()].strip(BLANK), text.value)
            message = "the text may end in front of a tag in it"
            reader.account.problem(ProblemKind.AMBIGUOUS, path, message, reader.place(element), match[0], candidates)
            return
    if +waiting and _NAMELESS_END.match(reader.text, element.end):
        message = "the text may end at another tag"
        reader.account.problem(ProblemKind.AMBIGUOUS, path, message, reader.place(element), text.raw)


def json_null(reader: Reader, element: Element, node: Node, path: Path) -> None:
    """JSON's null, which is a problem where none is allowed."""
    if node.nullable is False and node.kind != "any":
        message = f"null, which is not {asked(node)}"
        reader.account.problem(ProblemKind.INVALID, path, message, reader.place(element), reader.source(element))


def in_brackets(reader: Reader, element: Element, node: Node, path: Path) -> Any:
    """The value of a scalar that is an object or a list of JSON: a list may hold the one."""
    children = reader.parts(element, path)
    if closer_of(element) == "]" and len(children) == 1:
        value = reader.value(children[0], node, path)
        reader.account.repair(RepairKind.UNWRAPPED, path, element.span, reader.text[slice(*element.span)], str(value))
        return value
    reader.account.values += 1
    message = "an object or a list, where one value is asked for"
    reader.account.problem(ProblemKind.INVALID, path, message, element.span, reader.text[slice(*element.span)])
    return None


def found(reader: Reader, node: Node, text: Text, scalar: Scalar, path: Path) -> Any:
    """The value that was read, with what is to be said of it."""
    if node.kind != "str" and text.value[-1:] == ")" and is_words(node, text.value):
        reader.account.placeholders += 1
    if scalar.problem is not None:
        kind = ProblemKind.AMBIGUOUS if scalar.ambiguous else ProblemKind.INVALID
        if names_a_place(text.value) or (node.is_text() and is_placeholder(node, text.value)):
            reader.account.placeholders += 1
        reader.account.problem(kind, path, scalar.problem, reader.account.places.get(path), text.raw, scalar.candidates)
        return scalar.value
    if scalar.repair is not None:
        said = "null" if scalar.value is None else choice_text(scalar.value)
        reader.account.repair(scalar.repair, path, reader.account.places[path], text.raw, said)
    return scalar.value


_HALF_REFERENCE = re.compile(r"&(?:#(?:[0-9]{0,7}|[xX][0-9a-fA-F]{0,6})|am?p?|ap?o?s?|lt?|gt?|qu?o?t?)\Z")
"""A reference at the end of a text that lacks its `;`."""
_LONGEST_REFERENCE = 10


def _without_half(text: Text) -> Text:
    """A text that breaks off, without the half of a reference at its end."""
    half = _HALF_REFERENCE.search(text.raw, max(0, len(text.raw) - _LONGEST_REFERENCE))
    if half is None or not text.value.endswith(half[0]):
        return text
    return text._replace(value=text.value.removesuffix(half[0]).rstrip(BLANK))


def cut_scalar(reader: Reader, node: Node, text: Text, path: Path) -> Any:
    """A text as far as it came; half of any other value is none."""
    place = reader.account.places[path]
    if any(part.kind == "str" for part in parts_of(node)):
        reader.account.broken_off(path, place, "the text goes as far as it came")
        return text.value
    reader.account.broken_off(path, place, "the value is not whole")
    return None


def _own_name(path: Path) -> str:
    """The name that the value at a path goes by: its field's or its key's, or that of the list it stands in."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def is_signature(form: str, raw: str, value: str, node: Node) -> bool:
    """Whether a value is the words that a signature showed in its place. They begin with an escape where a writer
    means them.
    """
    return value[-1:] == ")" and form != "xml" and not raw.startswith(_MEANT) and is_words(node, value)


def signature(reader: Reader, element: Element, text: Text, node: Node, path: Path) -> None:
    """Names a text that is the words that a signature showed in its place."""
    if node.kind in ("str", "any") and is_signature(element.form, text.raw, text.value, node):
        reader.account.placeholders += 1
        reader.account.problem(ProblemKind.INVALID, path, LEFT_IN_PLACE, reader.place(element), text.raw)


LEFT_IN_PLACE = "the prompt's placeholder was left in place of a value"
_MEANT = ("\\u", '"\\u', "|")
