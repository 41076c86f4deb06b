"""The faults of language models' replies, each inserted only where the meaning stays clear."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from ..definition import ITEM_NAMES, Node, choice_text, fold
from ..read.scan import REASONING
from ..render.xml import to_xml
from .data import values
from .draft import Draft, Element

__all__ = ["DAMAGES", "NoPlaceError"]


class NoPlaceError(Exception):
    """The reply has no place where the damage would leave the meaning clear."""


Damage = Callable[[st.DrawFn, Draft], None]

_ENDING = frozenset({"int", "float", "bool", "date", "time", "datetime", "duration", "decimal", "uuid"})
"""Kinds whose text shows where it ends: at the next tag."""


def _pick(draw: st.DrawFn, draft: Draft, fits: Callable[[Element], bool]) -> Element:
    """Returns an element that has no damage yet, and marks it as damaged."""
    found = [each for each in draft.root.walk() if each.is_plain and id(each) not in draft.touched and fits(each)]
    if not found:
        raise NoPlaceError
    chosen = draw(st.sampled_from(found))
    draft.touched.add(id(chosen))
    return chosen


def _is_field(draft: Draft) -> Callable[[Element], bool]:
    return lambda each: each.is_field and draft.is_unique(each.name)


# Tags


def _to_close(draw: st.DrawFn, draft: Draft, fits: Callable[[Element], bool] = lambda each: True) -> Element:
    """Returns a value that ends where the next tag begins, whatever happens to its closing tag. There has to be a next
    tag: at the end of a reply it would be a truncated value.
    """
    if draft.needs_closers:
        raise NoPlaceError
    chosen = _pick(draw, draft, lambda each: _ends_itself(each) and each is not draft.root and fits(each))
    draft.lacks_closer = True
    return chosen


def _ends_itself(each: Element) -> bool:
    return each.is_scalar() and each.node.kind in _ENDING


def _closer_missing(draw: st.DrawFn, draft: Draft) -> None:
    _to_close(draw, draft).closer = ""


def _closer_doubled(draw: st.DrawFn, draft: Draft) -> None:
    chosen = _to_close(draw, draft, _is_field(draft))
    chosen.closer = f"</{chosen.name}></{chosen.name}>"


def _closer_unfinished(draw: st.DrawFn, draft: Draft) -> None:
    chosen = _to_close(draw, draft)
    chosen.closer = f"</{chosen.name}\n"


def _closer_misspelt(draw: st.DrawFn, draft: Draft) -> None:
    """Removes the last letter. Another letter could make another name of it."""

    def fits(each: Element) -> bool:
        is_long = len(each.name) > 4 and fold(each.name[:-1]) not in draft.known
        return is_long and _is_field(draft)(each)

    chosen = _to_close(draw, draft, fits)
    chosen.closer = f"</{chosen.name[:-1]}>"


def _opener_as_closer(draw: st.DrawFn, draft: Draft) -> None:
    chosen = _to_close(draw, draft, _is_field(draft))
    chosen.closer = f"<{chosen.name}>"


def _name_respelled(draw: st.DrawFn, draft: Draft) -> None:
    """Respells both tags of a field, or of the root, with another case or other separators."""
    chosen = _pick(draw, draft, lambda each: each.value is not None and (each is draft.root or _is_field(draft)(each)))
    if chosen is draft.root and not _is_only_root(draft):
        raise NoPlaceError
    ways = (str.upper, str.title, lambda name: name.replace("_", "-"), lambda name: name.title().replace("_", ""))
    name = draw(st.sampled_from(ways))(chosen.name)
    if name == chosen.name:
        name = name.upper()
    if fold(name) != fold(chosen.name):
        raise NoPlaceError
    chosen.opener, chosen.closer = f"<{name}{chosen.attributes}>", f"</{name}>"


def _attributes_echoed(draw: st.DrawFn, draft: Draft) -> None:
    """Adds the attributes of the prompt."""
    chosen = _pick(draw, draft, lambda each: each.is_scalar() and not each.attributes)
    names = {
        "description": "'Wind, in km/h: a > b'",
        "required": "'false'",
        "index": "'0'",
        "type": f"'{chosen.node.kind}'",
    }
    shown = [f" {name}={text}" for name, text in names.items() if name not in draft.known]
    some = draw(st.lists(st.sampled_from(shown), min_size=1, unique=True)) if shown else []
    chosen.opener = f"<{chosen.name}{''.join(some)}>"


# Around the answer


def _wrapper(draw: st.DrawFn, draft: Draft) -> None:
    name = draft.free_name(*draw(st.permutations(("answer", "result", "output"))))
    if name is None or draft.before or draft.needs_closers:
        raise NoPlaceError
    draft.before, draft.behind = f"<{name}>\n", f"\n</{name}>"


def _is_only_root(draft: Draft) -> bool:
    """Returns whether the root is an object without elements of its own name, which could be taken for the answer."""
    name = fold(draft.root.name)
    return draft.root.node.kind == "dict" and [fold(each.name) for each in draft.root.walk()].count(name) == 1


def _take_root(draft: Draft) -> None:
    """Marks the root as damaged. Raises `NoPlaceError` if it is damaged already, or if its name is not unique."""
    if id(draft.root) in draft.touched or draft.before or draft.behind or not _is_only_root(draft):
        raise NoPlaceError
    draft.touched.add(id(draft.root))


def _is_told_by_fields(draft: Draft) -> bool:
    """Returns whether the content identifies the root: two fields or more, each with an unambiguous name."""
    parts = draft.root.parts or []
    return len(parts) > 1 and all(part.is_field and draft.is_unique(part.name) for part in parts)


def _root_missing(draw: st.DrawFn, draft: Draft) -> None:
    if draft.lacks_closer or not _is_told_by_fields(draft):
        raise NoPlaceError
    _take_root(draft)
    draft.has_root, draft.needs_closers = False, True


def _root_renamed(draw: st.DrawFn, draft: Draft) -> None:
    name = draft.free_name("answer", "result", "output")
    if name is None or draft.lacks_closer or not _is_told_by_fields(draft):
        raise NoPlaceError
    _take_root(draft)
    draft.needs_closers = True
    draft.root.opener, draft.root.closer = f"<{name}>", f"</{name}>"


def _root_unclosed(draw: st.DrawFn, draft: Draft) -> None:
    if draft.lacks_closer or not draft.root.parts:
        raise NoPlaceError
    _take_root(draft)
    draft.root.closer = ""
    draft.needs_closers, draft.may_add_prose = True, False


def _fence_unclosed(draw: st.DrawFn, draft: Draft) -> None:
    if not draft.may_add_prose:
        raise NoPlaceError
    draft.before = f"{draw(st.sampled_from(('```xml', '```', '````html', '~~~')))}\n{draft.before}"
    draft.may_add_prose = False


def _reasoning(draw: st.DrawFn, draft: Draft) -> None:
    """Adds a block of reasoning in front, with another answer in it."""
    names = {fold(name) for name in draft.folded} | {fold(draft.plan.root_name)}
    free = sorted(REASONING - names)
    if not free:
        raise NoPlaceError
    rival = to_xml(draft.plan, draw(values(draft.plan)))
    name = draw(st.sampled_from(free))
    if name in rival or not draft.may_add_prose:
        raise NoPlaceError
    draft.before = f"<{name}>\nFirst I thought of this:\n{rival}\nBut that is wrong.\n</{name}>\n{draft.before}"
    draft.may_add_prose = False


def _crlf(draw: st.DrawFn, draft: Draft) -> None:
    draft.line_ends = "\r\n"


# Between elements


def _is_filled(each: Element) -> bool:
    return bool(each.parts)


def _put_between(draw: st.DrawFn, draft: Draft, text: str, fits: Callable[[Element], bool]) -> None:
    """Inserts a text in front of an element's last part, where only a closing tag shows that a value has ended."""
    if draft.lacks_closer:
        raise NoPlaceError
    _pick(draw, draft, fits).between += text
    draft.needs_closers = True


def _comment(draw: st.DrawFn, draft: Draft) -> None:
    text = draw(st.sampled_from(("<!-- as asked -->", "<!-- 3 < 4 & more -->", "<!--\n  next\n-->")))
    _put_between(draw, draft, text, _is_filled)


def _element_unknown(draw: st.DrawFn, draft: Draft) -> None:
    """Inserts an unknown element that is not similar to any name."""
    known = [*draft.folded, *(fold(name) for name in ITEM_NAMES), fold(draft.plan.root_name)]
    if difflib.get_close_matches("confidence", known, 1, 0.5):
        raise NoPlaceError

    def fits(each: Element) -> bool:
        return each.node.kind == "dict" and _is_filled(each) and not each.node.keeps_extra

    _put_between(draw, draft, "<confidence>high</confidence>", fits)


def _items_renamed(draw: st.DrawFn, draft: Draft) -> None:
    chosen = _pick(draw, draft, lambda each: each.node.kind == "list" and _is_filled(each))
    items = chosen.parts or []
    name = draw(st.sampled_from(("item", "entry")))
    inner = {fold(each.name) for item in items for each in item.walk() if each is not item}
    if name in draft.folded or name in inner or any(id(item) in draft.touched for item in items):
        raise NoPlaceError
    for item in items:
        item.name = name
        draft.touched.add(id(item))


# Values

_WORD = re.compile("[A-Za-z]{3,}")


def _decorated(each: Element) -> list[str]:
    """Returns other ways to write a value that leave no doubt."""
    value, node = each.value, each.node
    if node.kind == "bool":
        return ["Yes", "TRUE", "**true**"] if value else ["No", "FALSE", "**false**"]
    if node.kind == "enum":
        return _decorated_choice(node, value)
    if node.kind in ("int", "float"):
        text = repr(value)
        return [f"**{text}**", f'"{text}"', f"`{text}`", *([f"{value:,}"] if isinstance(value, int) else [])]
    return []


def _decorated_choice(node: Node, value: Any) -> list[str]:
    """Returns other ways to write a choice, but none for choices that are not plain words or differ only in case."""
    texts = [choice_text(choice) for choice in node.choices]
    if not all(map(_WORD.fullmatch, texts)) or len({text.casefold() for text in texts}) < len(texts):
        return []
    text = choice_text(value)
    return [f"**{text}**", f'"{text}"', f"`{text}`", text.upper()]


def _has_no_mark(each: Element) -> bool:
    """Returns whether no attribute shows the type of the value."""
    return each.is_scalar() and " type=" not in each.attributes


def _value_decorated(draw: st.DrawFn, draft: Draft) -> None:
    chosen = _pick(draw, draft, lambda each: _has_no_mark(each) and bool(_decorated(each)))
    chosen.text = draw(st.sampled_from(_decorated(chosen)))


def _value_fenced(draw: st.DrawFn, draft: Draft) -> None:
    """Puts a fence around a whole text without markup or fences."""

    def fits(each: Element) -> bool:
        is_text = each.node.kind == "str" and each.is_literal()
        return is_text and each.value.isprintable() and not set("`~<&") & set(each.value)

    chosen = _pick(draw, draft, fits)
    chosen.text = f"\n```{draw(st.sampled_from(('', 'text', 'python')))}\n{chosen.value}\n```\n"


def _may_be_null(node: Node) -> bool:
    return node.kind in _ENDING and node.nullable is True


def _null_word(draw: st.DrawFn, draft: Draft) -> None:
    """Writes a word for null, where null is allowed and is not the name of a choice."""
    chosen = _pick(draw, draft, lambda each: each.value is None and _may_be_null(each.node))
    chosen.text = draw(st.sampled_from(("None", "null", "N/A")))


DAMAGES: dict[str, Damage] = {
    "attributes_echoed": _attributes_echoed,
    "closer_doubled": _closer_doubled,
    "closer_missing": _closer_missing,
    "closer_misspelt": _closer_misspelt,
    "closer_unfinished": _closer_unfinished,
    "comment": _comment,
    "crlf": _crlf,
    "element_unknown": _element_unknown,
    "fence_unclosed": _fence_unclosed,
    "items_renamed": _items_renamed,
    "name_respelled": _name_respelled,
    "null_word": _null_word,
    "opener_as_closer": _opener_as_closer,
    "reasoning": _reasoning,
    "root_missing": _root_missing,
    "root_renamed": _root_renamed,
    "root_unclosed": _root_unclosed,
    "value_decorated": _value_decorated,
    "value_fenced": _value_fenced,
    "wrapper": _wrapper,
}
