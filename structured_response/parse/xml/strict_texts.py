"""The texts of a strict reply -> values, each by its node; or a step aside, where a text needs a second look."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from ...definition import Node, choices_by_text, has_form, is_key_placeholder, is_placeholder
from ...markup import BLANK, FENCES, NULL_WORDS
from ..scalars.text import decode_clean, layout

__all__ = [
    "AMP",
    "ASIDE",
    "AsideError",
    "ReadText",
    "aside",
    "clashing",
    "decoded",
    "fits",
    "fits_key",
    "fitting",
    "leaf",
]

ReadText = Callable[["str | None"], Any]
AMP = "\x7f"
"""What stands for `&` in what lxml sees: a character of ASCII that XML allows, and that replies hardly hold."""


class AsideError(Exception):
    """A reply that the next reader has to look at."""


ASIDE: Final = AsideError()


def aside() -> Any:
    """Leaves a reply to the next reader."""
    raise ASIDE


_TOUCHY = frozenset({"[", *(fence[0] for fence in FENCES)})
"""What a text begins with that a leniency could make something else of: a placeholder is no value, a fence goes."""


def leaf(node: Node, typed: bool, formed: bool = False) -> ReadText:
    """What makes a value of the text of a scalar, which may be known to be in its strict form."""
    if node.kind == "str":
        return _string(node)
    if node.kind == "enum":
        return _choice(node)
    convert = _TYPED.get(node.kind) if typed else None
    return _form(node, convert, None if formed else partial(has_form, node.kind))


_TYPED: dict[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": "true".__eq__}


def _string(node: Node) -> ReadText:
    nullable = bool(node.nullable)
    empty = None if nullable else ""

    def read(text: str | None) -> Any:
        raw = text.strip(BLANK) if text else ""
        if not text or not raw:
            return empty
        if "\n" in raw and text[0] in BLANK:
            raw = layout(text, aside)
        if nullable and len(raw) <= 4 and raw.lower() in NULL_WORDS:
            raise ASIDE
        value = decoded(raw) if AMP in raw else raw
        if raw[0] in _TOUCHY and (raw.startswith(FENCES) or is_placeholder(node, value)):
            raise ASIDE
        return value

    return read


def _form(node: Node, convert: Callable[[str], Any] | None, has_its_form: Callable[[str], bool] | None) -> ReadText:
    """Reads a scalar in its strict form; where it is empty, null."""
    may_be_null = node.nullable is not False
    empty = "" if node.kind == "bytes" and not may_be_null else None

    def read(text: str | None) -> Any:
        raw = text.strip(BLANK) if text else ""
        if raw and (has_its_form is None or has_its_form(raw)):
            return raw if convert is None else convert(raw)
        if raw or (empty is None and not may_be_null):
            raise ASIDE
        return empty

    return read


def _choice(node: Node) -> ReadText:
    by_text = {text: choices[0] for text, choices in choices_by_text(node).items() if len(choices) == 1}
    empty = by_text.get("", None if node.nullable is not False and "" not in choices_by_text(node) else ASIDE)

    def read(text: str | None) -> Any:
        raw = text.strip(BLANK) if text else ""
        if "\n" in raw:
            raw = _raw(text)
        value = by_text.get(decoded(raw), ASIDE) if raw else empty
        if value is ASIDE or raw.startswith(FENCES):
            raise ASIDE
        return value

    return read


def clashing(node: Node) -> set[type]:
    """The types of choices that are written alike, such as 1 and "1"."""
    return {type(choice) for choices in choices_by_text(node).values() if len(choices) > 1 for choice in choices}


def fitting(texts: list[tuple[Callable[[str], bool], ReadText]], text: str | None, may_be_null: bool) -> Any:
    """The value of a text by the one option of a union that it fits; what fits several, or could be data, needs a
    second look.
    """
    raw = _raw(text)
    if not raw or raw[0] in _TOUCHY or raw[0] in "[{" or (may_be_null and raw.lower() in NULL_WORDS):
        raise ASIDE
    value = decoded(raw)
    readers = [read for is_fitting, read in texts if is_fitting(value)]
    return readers[0](text) if len(readers) == 1 else aside()


def fits_key(node: Node) -> Callable[[str], bool]:
    """What tells whether a text is a key in its strict form. How it was written, only the source text tells."""
    if node.kind == "str":
        return lambda text: not is_key_placeholder(node, text)
    return fits(node)


def fits(node: Node) -> Callable[[str], bool]:
    """What tells whether a text is in the strict form of a scalar. One of any type has none."""
    if node.kind == "str":
        return lambda text: not is_placeholder(node, text)
    if node.kind == "enum":
        return choices_by_text(node).__contains__
    return lambda text: text != "" and node.kind != "any" and has_form(node.kind, text)


def _raw(text: str | None) -> str:
    """The text between two tags without its layout, references as they are written, `AMP` in them."""
    if text is None:
        return ""
    raw = text.strip(BLANK)
    return layout(text, aside) if "\n" in raw and text[0] in BLANK else raw


def decoded(raw: str) -> str:
    """What a text stands for."""
    if AMP not in raw:
        return raw
    clean = decode_clean(raw.replace(AMP, "&"))
    return aside() if clean is None else clean
