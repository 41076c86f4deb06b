"""Reads the text of a scalar, or of a union of scalars, as a value that pydantic-core can type. No reader guesses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...definition import FORMS, MARKED, Node, choice_text, choices_by_text, has_form
from ...escaping import BLANK, FENCES, NULL_WORDS
from ...findings import RepairKind
from ...lazy import Lazy
from ...render.placeholder import is_key_placeholder, is_placeholder
from .scalar import LEFT_IN_PLACE, Scalar, ambiguous, asked_for, bare, failed

MAX_LOOSE = 10_000
"""Characters of a scalar that is not in its strict form: room for MAX_FORM_DIGITS digits with separators, or for a long
explanation behind a short value. Bytes have no such bound.
"""

_choices, _moments, _numbers = (Lazy(f"read.values.{name}") for name in ("choices", "moments", "numbers"))
_READERS = {
    "bool": (_choices, "read_bool"),
    **dict.fromkeys(("int", "float", "decimal"), (_numbers, "read_number")),
    "enum": (_choices, "read_choice"),
    **{kind: (_moments, f"read_{kind}") for kind in ("date", "time", "datetime", "duration")},
    **{kind: (_choices, f"read_{kind}") for kind in ("uuid", "bytes")},
}
"""The reader of each kind, for texts not in strict form. Imported on first use."""
_NO_VALUES = frozenset(
    {
        *("-", "--", "---", "\u2013", "\u2014", "na", "n.a", "unknown", "undefined", "not applicable", "not available"),
        *("not specified", "not provided", "not given", "not mentioned", "not stated", "not known"),
        *("not recorded", "not measured", "not reported", "not disclosed", "to be determined", "tbd"),
        *("unspecified", "no value", "?", "~"),
    }
)
"""Texts that mean null for kinds other than `str`, where a model allows null. No value can be read in them."""
_EXPLAINED = re.compile(r"(?<=\w)(?:\s*[(\u2013\u2014]|\s-\s|\s(?:in|by)\sthe\s)[^0-9]*\Z")
"""The explanation behind a word for null. A number, a date or a time would have digits."""
_BEGIN_NULL = frozenset(word[0] for word in NULL_WORDS | _NO_VALUES)


def read_scalar(node: Node, raw: str, text: str, marked: str | None = None, name: str = "") -> Scalar:
    """Returns the value of a scalar: of its text before (`raw`) and behind the decoding, and its `type`'s mark."""
    plain = read_plainly(node, raw, text, marked)
    return _read_loosely(node, text, name) if plain is None else plain


def read_plainly(node: Node, raw: str, text: str, marked: str | None = None) -> Scalar | None:
    """Returns the value, or the problem, of a text that needs no leniency or may get none, else None."""
    if is_strict(node.kind, text):
        return Scalar(text)
    if marked == "null" and not raw:
        return Scalar(None)
    if node.kind == "str":
        return _read_str(node, raw, text, marked)
    if node.kind == "enum" and text in choices_by_text(node):
        return _read_choice(node, text, marked)
    if not raw:
        is_empty = node.kind == "bytes" and (node.nullable is False or marked is not None)
        problem = f"empty, expected {asked_for(node.kind)}" if node.nullable is False else None
        return Scalar("") if is_empty else Scalar(None, problem=problem)
    if node.kind == "any":
        return Scalar(text)
    if raw.startswith("<!--") and raw.endswith("-->"):
        return failed(node, "its value may be in a comment")
    if raw.startswith("[") and is_placeholder(node, text):
        return Scalar(None, problem=LEFT_IN_PLACE)
    # A numeric reference is how a writer says that a character is to be taken as it is: strict forms only.
    return failed(node) if "&#" in raw else None


def _read_loosely(node: Node, text: str, name: str) -> Scalar:
    if len(text) > MAX_LOOSE and node.kind != "bytes":
        return failed(node, f"more than {MAX_LOOSE} characters (MAX_LOOSE)")
    if says_null(node, text):
        spelt = _choices.spelt_by(node, text) if node.kind == "enum" else ()
        return ambiguous(("null", *map(choice_text, spelt))) if spelt else Scalar(None, RepairKind.NULL_WORD)
    module, reader = _READERS[node.kind]
    read: Scalar = getattr(module, reader)(node, text, name)
    return read


def _read_str(node: Node, raw: str, text: str, marked: str | None) -> Scalar:
    if node.nullable and not raw and marked != "str":
        return Scalar(None)
    if node.nullable and raw.lower() in NULL_WORDS:
        return Scalar(None, RepairKind.NULL_WORD)
    return _left_over(text) if raw.startswith("[") and is_placeholder(node, text) else Scalar(text)


def _left_over(text: str) -> Scalar:
    return Scalar(text, problem=LEFT_IN_PLACE)


def _read_choice(node: Node, text: str, marked: str | None) -> Scalar:
    """Returns the choice with a text. Of two, such as 1 and "1", the mark names the type."""
    named = choices_by_text(node)[text]
    if len(named) > 1:
        named = [choice for choice in named if type(choice).__name__ == marked] or named
    if len(named) == 1:
        return Scalar(named[0])
    several: Scalar = _choices.several_choices(tuple(f"{type(choice).__name__} {text}" for choice in named))
    return several


def read_key(node: Node, raw: str, text: str) -> Scalar:
    """Returns a map's key. A text is always meant, unless it is the prompt's placeholder."""
    if raw.startswith("[") and is_key_placeholder(node, text):
        return Scalar(text, problem="still the prompt's placeholder")
    return Scalar(text) if node.kind == "str" else read_scalar(node, text, text, "str")


def is_strict(kind: str, text: str) -> bool:
    """Returns whether a text is in the strict form of its kind, so that nothing else about it matters."""
    return kind in FORMS and text != "" and has_form(kind, text)


TYPED: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": lambda text: text == "true"}
"""The types of the kinds that JSON has too, applied to strict forms. Other kinds stay texts."""


def own_value(node: Node) -> Callable[[str], Any]:
    """Returns the function that reads a text that is its own value. It returns None for any other text."""
    if node.kind == "str":
        words = NULL_WORDS if node.nullable is not False else frozenset()

        def of_string(raw: str) -> Any:
            text = raw.strip(BLANK)
            is_own = text and text[0] not in _TOUCHY and _LOOKED_AT.search(raw) is None and text.lower() not in words
            return text if is_own else None

        return of_string
    if node.kind == "enum":
        named = {text: choices[0] for text, choices in choices_by_text(node).items() if len(choices) == 1}
        odd = [text for text in named if text[:1] in _TOUCHY or text[-1:] == ")" or _LOOKED_AT.search(text)]
        known = {text: choice for text, choice in named.items() if text not in odd}
        return lambda raw: known.get(raw.strip(BLANK))
    if node.kind not in FORMS:
        return lambda raw: None

    to_value, match = TYPED.get(node.kind, str), re.compile(FORMS[node.kind]).fullmatch

    def of_form(raw: str) -> Any:
        text = raw.strip(BLANK)
        if not text or match(text) is None or (node.kind == "float" and not has_form("float", text)):
            return None
        return to_value(text)

    return of_form


_LOOKED_AT = re.compile(r"[&<\r\n]")
"""Characters that need a closer look. A text without them is its own value, once stripped."""
_TOUCHY = ("[", *(fence[0] for fence in FENCES))
"""The beginnings of a text that may be a placeholder or a fence."""


def reads(node: Node, text: str) -> bool:
    return read_scalar(node, text, text).problem is None


def says_null(node: Node, text: str) -> bool:
    """Returns whether a text, decorated or not, is a word for null where null is allowed."""
    if node.nullable is False:
        return False
    words = bare(text).rstrip(" .").lower()
    if words[:1] not in _BEGIN_NULL:
        return False
    if node.nullable is True and node.kind not in ("bool", "enum"):
        words = _EXPLAINED.sub("", words)
    return words in NULL_WORDS or (node.nullable is True and words in _NO_VALUES)


# Unions: an option in its strict form, or the only one that reads the text

_PRECISE = ("enum", "bool", "int", "float", "decimal", "uuid", "datetime", "date", "time", "duration", "bytes", "str")
"""Kinds of scalars, from the most precise form to the one that any text has."""


def typed(node: Node, value: Any) -> Any:
    """Returns the value of a scalar in its Python type if JSON has one. Others stay texts in strict forms."""
    return TYPED[node.kind](value) if isinstance(value, str) and node.kind in TYPED else value


def read_union_scalar(node: Node, raw: str, text: str, marked: str | None = None, name: str = "") -> Scalar:
    """Returns the value of a text as the scalar option that `marked` names, or that it fits best."""
    options = node.options()
    if marked in options:
        return _read_option(options[marked], raw, text, marked, name)
    if marked in MARKED and "any" in options:
        return _read_option(MARKED[marked], raw, text, marked, name)
    may_be_null = node.nullable is not False and marked not in MARKED
    if may_be_null and ((marked == "null" and not raw) or raw.lower() in NULL_WORDS):
        return Scalar(None, RepairKind.NULL_WORD if raw else None)
    if raw.startswith("[") and is_placeholder(node, text):
        return Scalar(text, problem=LEFT_IN_PLACE)
    fitting: dict[str, list[str]] = {}
    for label, option in options.items():
        if _has_form(option, text):
            fitting.setdefault(option.kind, []).append(label)
    names = next((fitting[kind] for kind in (*_PRECISE, "any") if kind in fitting), [])
    names = names or [label for label, option in options.items() if _is_value(option, raw, text, marked, name)]
    if len(names) == 1:
        value = _read_option(options[names[0]], raw, text, marked, name)
        is_guess = options[names[0]].kind not in ("str", "any") and not {"str", "any"}.isdisjoint(fitting)
        return value._replace(repair=value.repair or (RepairKind.VALUE_RESPELLED if is_guess else None))
    if not names and not raw and node.nullable is not False:
        return Scalar(None)
    why = "fits more than one option" if names else "fits none of the options"
    return Scalar(None, problem=why, candidates=tuple(names or options), ambiguous=bool(names))


def _read_option(option: Node, raw: str, text: str, marked: str | None, name: str) -> Scalar:
    read = read_scalar(option, raw, text, marked, name)
    return read if read.problem else read._replace(value=typed(option, read.value))


def _is_value(option: Node, raw: str, text: str, marked: str | None, name: str) -> bool:
    read = _read_option(option, raw, text, marked, name)
    return read.problem is None and read.value is not None


def _has_form(option: Node, text: str) -> bool:
    if option.kind == "enum":
        return text in choices_by_text(option)
    return option.kind in ("str", "any") or (option.kind in _PRECISE and text != "" and has_form(option.kind, text))
