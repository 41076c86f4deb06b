"""The text of a scalar -> a value that pydantic-core can type, mended where its form is not the strict one.

Strict forms pass unchanged and unrecorded. Anything else goes to the leniency of its kind, which tells the strict
form that was meant, for the record, or what is wrong, with the readings that are possible. None of them guesses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial

from ...definition import FORMS, Node, Path, choice_text, choices_by_text, has_form, is_key_placeholder, is_placeholder
from ...findings import RepairKind
from ...limits import MAX_COMPILED, MAX_LOOSE
from ...markup import NULL_WORDS
from .choices import mend_bool, mend_enum, spelt_by
from .codes import mend_bytes, mend_uuid
from .directions import downwards
from .lengths import mend_duration
from .loose import Scalar, ambiguous, asked_for, bare, failed
from .moments import mend_date, mend_datetime, mend_time
from .numbers import mend_number
from .shares import of_hundred_unbounded, without_percent
from .units import asks_percent, asks_share, contradicted, without_cents

__all__ = [
    "Scalar",
    "is_strict",
    "is_value",
    "own_name",
    "read_key",
    "read_scalar",
    "reads",
    "says_nothing",
    "says_null",
]

_STRICT: dict[str, Callable[[str], object]] = {kind: re.compile(form).fullmatch for kind, form in FORMS.items()}
_STRICT["float"] = partial(has_form, "float")  # which also knows what would overflow
_NO_VALUES = frozenset(
    {
        *("-", "--", "---", "\u2013", "\u2014", "na", "n.a", "unknown", "undefined", "not applicable", "not available"),
        *("not specified", "not provided", "not given", "not mentioned", "not stated", "not known"),
        *("unspecified", "no value", "?", "~"),
    }
)
"""Texts that mean null for what is no `str`, where a model allows null: no value can be read in them."""

_NULLS = NULL_WORDS | _NO_VALUES
_BEGIN_NULL = frozenset(word[0] for word in _NULLS)

_EXPLAINED = re.compile(r"([\w/.]++)\s*+(?:[-\u2013\u2014:,]\s+|\()([^()\n]{1,40})\)?")
"""A word for no value with another one behind it: `None (not stated)`."""


def read_scalar(node: Node, raw: str, text: str, marked: str | None = None, name: str = "") -> Scalar:
    """The value of a scalar.

    `raw` is the laid-out text before entities were decoded, `text` the one after; `marked` is the
    element's `type` attribute, which decides where a value would be unclear; `name` is the field's, if it is one's,
    whose end may be a unit. Linear in the length of the text.
    """
    kind = node.kind
    if is_strict(kind, text):
        return Scalar(text)
    if marked == "null" and not raw:
        return Scalar(None)
    if kind == "str":
        return _read_str(node, raw, text, marked)
    if kind == "enum" and text in choices_by_text(node):
        return _read_choice(node, text, marked)
    if not raw:
        no_bytes = kind == "bytes" and (node.nullable is False or marked is not None)
        return Scalar("") if no_bytes else _read_empty(node)
    if kind == "any":
        return Scalar(text)
    if raw.startswith("[") and is_placeholder(node, text):
        return _left_over(text)
    # A numeric reference is how a writer says that a character is to be taken as it is: strict forms only.
    if "&#" in raw:
        return failed(node)
    read = _read_named(node, name, text)
    if read.problem is None or read.ambiguous or not name:
        return read
    label = _label_of(name).match(text)
    again = _read_named(node, name, text[label.end() :]) if label is not None else read
    return again if again.problem is None else read


def _read_named(node: Node, name: str, text: str) -> Scalar:
    return _in_its_unit(node, name, text) if node.kind in _NUMBERS else _read_loosely(node, text)


@lru_cache(maxsize=MAX_COMPILED)
def _label_of(name: str) -> re.Pattern[str]:
    """A field's name in front of its value, whose words say nothing of it: `likely cause: power`."""
    words = [re.escape(word) for word in _WORD_OF_NAME.findall(name)] or ["(?!)"]
    return re.compile(
        rf"[\W_]{{0,4}}(?:the\s)?{'[ _-]?'.join(words)}[*_`]{{0,3}}\s?(?:[:=]|is\s|of\s|-\s)[*_`]{{0,3}}\s*",
        re.IGNORECASE,
    )


_WORD_OF_NAME = re.compile(r"[A-Z]?[^\W_A-Z]+|[^\W_a-z]+")


def reads(node: Node, text: str) -> bool:
    """Whether a text alone can be read as a scalar."""
    return read_scalar(node, text, text, None).problem is None


def is_value(node: Node, text: str) -> bool:
    """Whether a text is a value of a type that is not text."""
    return node.is_text() and node.kind != "str" and reads(node, text)


def _in_its_unit(node: Node, name: str, text: str) -> Scalar:
    """A number, unless it is in another unit than its field asks for, a percentage of what may be a share, or said to
    go down, which may be its sign.
    """
    is_percentage = asks_percent(name, node.description)
    read = _read_loosely(node, without_percent(text) if is_percentage else without_cents(name, text))
    if read.value is None:
        return read
    if not is_percentage and asks_share(name, node.description):
        readings = of_hundred_unbounded(node, text, str(read.value))
        if len(readings) > 1:
            return ambiguous(readings)
    units = contradicted(name, node.description, text)
    if units is not None:
        return failed(node, f"in {units[0]}, where {units[1]} is asked for")
    why = "" if str(read.value).startswith("-") else downwards(name, node.description, text)
    return failed(node, why) if why else read


_NUMBERS = ("int", "float", "decimal")


def own_name(path: Path) -> str:
    """The name that the value at a path goes by: its field's or its key's, or that of the list it stands in."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def read_key(node: Node, raw: str, text: str) -> Scalar:
    """A map's key, in the same way: one that is a text is always meant, but for what the prompt showed in its place."""
    if raw.startswith("[") and is_key_placeholder(node, text):
        return Scalar(text, problem="still the prompt's placeholder")
    return Scalar(text) if node.kind == "str" else read_scalar(node, text, text, "str")


def is_strict(kind: str, text: str) -> bool:
    """Whether a text is in the strict form of its kind, so that nothing else about it matters."""
    has_strict_form = _STRICT.get(kind)
    return has_strict_form is not None and text != "" and bool(has_strict_form(text))


def _read_str(node: Node, raw: str, text: str, marked: str | None) -> Scalar:
    if node.nullable and not raw and marked != "str":
        return Scalar(None)
    if node.nullable and raw.lower() in NULL_WORDS:
        return Scalar(None, RepairKind.NULL_WORD)
    return _left_over(text) if raw.startswith("[") and is_placeholder(node, text) else Scalar(text)


def _left_over(text: str) -> Scalar:
    return Scalar(text, problem="the prompt's placeholder was left in place of a value")


def _read_empty(node: Node) -> Scalar:
    if node.nullable is False:
        return Scalar(None, problem=f"empty, which is not {asked_for(node.kind)}")
    return Scalar(None)


def _read_choice(node: Node, text: str, marked: str | None) -> Scalar:
    """The choice that has a text; of two, such as 1 and "1", the one whose type the mark names."""
    named = choices_by_text(node)[text]
    if len(named) > 1:
        named = [choice for choice in named if type(choice).__name__ == marked] or named
    if len(named) > 1:
        shown = tuple(f"{type(choice).__name__} {text}" for choice in named)
        return Scalar(None, problem="could be more than one choice", candidates=shown, ambiguous=True)
    return Scalar(named[0])


def _read_loosely(node: Node, text: str) -> Scalar:
    """A value that is not in its strict form: null, if it says so where that is allowed, else what its kind makes of
    it. A choice that is written like a null word could be either.
    """
    if len(text) > MAX_LOOSE and node.kind != "bytes":
        return failed(node, f"more than {MAX_LOOSE} characters (MAX_LOOSE)")
    if not says_null(node, text):
        return _LENIENT.get(node.kind, _give_up)(node, text)
    if node.kind == "enum" and (spelt := spelt_by(node, text)):
        return ambiguous(("null", *map(choice_text, spelt)))
    return Scalar(None, RepairKind.NULL_WORD)


def says_null(node: Node, text: str) -> bool:
    """Whether a text, decorated or not, is a word for no value, where none is allowed."""
    if node.nullable is False:
        return False
    words = bare(text).rstrip(" .").lower()
    if words[:1] not in _BEGIN_NULL:
        return False
    explained = _EXPLAINED.fullmatch(words)
    if explained is not None and explained[2].strip() in _NULLS:
        words = explained[1]
    return words in NULL_WORDS or (node.nullable is True and words in _NO_VALUES)


def says_nothing(node: Node, text: str) -> bool:
    """Whether a text in place of what holds other values, or of one of several types, says that there is none: a word
    for no value where no text could be meant, or nothing but a sign for none.
    """
    if node.nullable is not True or not says_null(node, text):
        return False
    if node.kind == "dict":
        return any(field.required for field in node.fields.values())
    kinds = {part.kind for part in (node.item, *node.parts) if part is not None}
    is_sign = not any(map(str.isalnum, text)) and not (node.kind == "union" and kinds & {"str", "any"})
    return is_sign or kinds <= _NO_TEXTS


_NO_TEXTS = {"dict", "bool", *_NUMBERS, "date", "time", "datetime", "duration", "uuid"}
"""Kinds of values for which no word for no value could stand."""


def _give_up(node: Node, text: str) -> Scalar:
    return failed(node)


_LENIENT: dict[str, Callable[[Node, str], Scalar]] = {
    "bool": mend_bool,
    "int": mend_number,
    "float": mend_number,
    "decimal": mend_number,
    "enum": mend_enum,
    "date": mend_date,
    "time": mend_time,
    "datetime": mend_datetime,
    "duration": mend_duration,
    "uuid": mend_uuid,
    "bytes": mend_bytes,
}
"""What each kind is mended by."""
