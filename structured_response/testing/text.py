"""Draws replies as text, clean and damaged."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from typing import Any

from hypothesis import event, reject
from hypothesis import strategies as st
from pydantic import BaseModel

from .. import StructuredResponse
from ..data import model as models
from ..definition import MISSING, Plan, fold
from ..escaping import BLANK
from ..render.xml import scalar_text
from .damage import DAMAGES, NoPlaceError
from .data import drawn, plan_of
from .draft import Draft, Element

__all__ = ["DAMAGES", "damaged_replies", "replies"]

Pair = tuple[Any, str]
"""An instance, and a reply with its data."""

MOST = 3
"""Damages of one reply."""


def replies(what: Any) -> st.SearchStrategy[Pair]:
    """Generates pairs of an instance and a reply without faults that a language model could have written for it.

    `what` is a response, a model, any type that `StructuredResponse.from_type` takes, or an instance of a model or a
    dataclass. All replies for an instance, or for a response that holds one, have its data.

    The instance is the result of `to_basemodel()` after the reply was read. For a response without a model, or with
    other fields than its model's, it is plain data, the result of `to_dict()`. The replies differ in indentation, in
    prose and fences around, in the order of fields, and in the notation of texts: with references, as CDATA, or
    verbatim where no character can be mistaken (which leaves an `unescaped` among the repairs).

    Raises `DefinitionError` for a type that cannot be described, and `InstanceError` for an instance that does not
    satisfy its model. Models whose own JSON does not restore the same instance, such as those with secrets, are not
    supported. A reply costs about as much time as ten readings of it.
    """
    plan, pairs = _target(what)

    @st.composite
    def reply(draw: st.DrawFn) -> Pair:
        instance, data = draw(pairs)
        return instance, _text(draw, Draft(plan, data))

    return reply()


def damaged_replies(what: Any, damages: Sequence[str] = tuple(DAMAGES)) -> st.SearchStrategy[Pair]:
    """Generates pairs of an instance and a reply with its data and with one to three of the faults of language models.

    `what` is the same as for `replies`; `damages` are the names from `DAMAGES` to choose from. Each damage is inserted
    only where the meaning stays clear to a reader who knows the definition, with only one possible reading, so `parse`
    returns the instance. If none finds a place the example is dropped: a definition of only texts has no place for
    `value_decorated`, and hypothesis reports that. `hypothesis.event` counts each damage.

    Raises the same errors as `replies`, and `ValueError` for a name that is not in `DAMAGES`.
    """
    unknown = [name for name in damages if name not in DAMAGES]
    if unknown or not damages:
        raise ValueError(f"damages are some of {', '.join(DAMAGES)}; not {', '.join(unknown) or 'none of them'}")
    plan, pairs = _target(what)

    @st.composite
    def damaged_reply(draw: st.DrawFn) -> Pair:
        instance, data = draw(pairs)
        return instance, _damaged(draw, Draft(plan, data), damages)

    return damaged_reply()


def _target(what: Any) -> tuple[Plan, st.SearchStrategy[tuple[Any, Any]]]:
    """Returns the plan, and instances with their data."""
    if isinstance(what, StructuredResponse):
        plan, data = what._plan, what._current()
        if data is MISSING:
            return plan, drawn(plan)
        has_model = plan.model is not None and plan.is_complete
        return plan, st.just((what.to_basemodel() if has_model else data, data))
    if isinstance(what, BaseModel) or (is_dataclass(what) and not isinstance(what, type)):
        plan = plan_of(type(what))
        return plan, st.just((what, models.coerce(plan, models.dump(plan, what))))
    plan = plan_of(what)
    return plan, drawn(plan)


def _damaged(draw: st.DrawFn, draft: Draft, damages: Sequence[str]) -> str:
    wanted = draw(st.integers(1, MOST))
    done: list[str] = []
    for name in draw(st.permutations(damages)):
        if len(done) < wanted and _damage(draw, draft, name):
            done.append(name)
            event(f"damage: {name}")
    if not done:
        reject()
    return _text(draw, draft)


def _damage(draw: st.DrawFn, draft: Draft, name: str) -> bool:
    """Damages the draft. Returns whether it had a place for the damage."""
    try:
        DAMAGES[name](draw, draft)
    except NoPlaceError:
        return False
    return True


# Writing

_STEPS = ("    ", None, "  ", "\t", "")
"""The indentation of each level. None writes everything on one line."""

_AROUND = (
    ("", ""),
    ("", "\n"),
    ("Sure!\n", "\nDone, 3 > 2 & so on."),
    ("```xml\n", "\n```\n"),
    ("Here you are, R&D:\n\n```\n", "\n```\n\nAnything else?"),
    ("<?xml version='1.0' encoding='utf-8'?>\n", ""),
)


def _text(draw: st.DrawFn, draft: Draft) -> str:
    writer = _Writer(draw, draft, draw(st.sampled_from(_STEPS)))
    tops = [draft.root] if draft.has_root else writer.ordered(draft.root)
    answer = "\n".join(writer.element(top, "") for top in tops)
    before, behind = draw(st.sampled_from(_AROUND)) if draft.may_add_prose else ("", "")
    whole = f"{before}{draft.before}{answer}{draft.behind}{behind}"
    return whole.replace("\n", draft.line_ends)


class _Writer:
    """Writes the elements of a draft, in ways that are drawn."""

    def __init__(self, draw: st.DrawFn, draft: Draft, step: str | None) -> None:
        self.draw = draw
        self.draft = draft
        self.step = step

    def element(self, element: Element, indent: str) -> str:
        name, attributes = element.name, element.attributes
        if element.value is None and element.text is None:
            return f"<{name}{attributes} type='null'/>"
        opener = f"<{name}{attributes}>" if element.opener is None else element.opener
        closer = f"</{name}>" if element.closer is None else element.closer
        return f"{opener}{self.inner(element, indent)}{closer}"

    def inner(self, element: Element, indent: str) -> str:
        if element.text is not None:
            return element.text
        if element.parts is None:
            return self.scalar(element, indent)
        if not element.parts:
            return element.between
        deeper = indent + (self.step or "")
        gap, end = ("", "") if self.step is None else (f"\n{deeper}", f"\n{indent}")
        parts = [self.element(part, deeper) for part in self.ordered(element)]
        if element.between:
            parts.insert(len(parts) - 1, element.between)
        return gap + gap.join(parts) + end

    def ordered(self, element: Element) -> list[Element]:
        """Returns the parts of an element, those of an object in a drawn order."""
        parts = element.parts or []
        if element.node.kind != "dict" or not self.draw(st.booleans()):
            return parts
        return list(self.draw(st.permutations(parts)))

    def scalar(self, element: Element, indent: str) -> str:
        if element.node.kind != "str":
            return self.padded(scalar_text(element.node, element.value), indent)
        ways = [way for name, way in _WAYS.items() if way(self.draft, element) is not None]
        written = self.draw(st.sampled_from(ways))(self.draft, element)
        assert written is not None
        return self.padded(written, indent) if "\n" not in written else self.laid_out(written, indent)

    def padded(self, text: str, indent: str) -> str:
        """Returns a text of one line, alone or on a line of its own."""
        if not text or self.step is None or not self.draw(st.booleans()):
            return text
        return f"\n{indent}{self.step}{text}\n{indent}"

    def laid_out(self, text: str, indent: str) -> str:
        """Returns a text of several lines, unchanged or indented with the elements; the layout rule removes that
        indentation.
        """
        lines = text.split("\n")
        filled = [line for line in lines if line.strip(BLANK)]
        begins_left = any(line[0] not in BLANK for line in filled)
        is_section = text.startswith("<![CDATA[")  # whose content is not layout
        if not self.step or is_section or not begins_left or any(line and not line.strip(BLANK) for line in lines):
            return text
        if not self.draw(st.booleans()):
            return text
        deeper = indent + self.step
        return "\n" + "\n".join(line and deeper + line for line in lines) + f"\n{indent}"


# Ways to write a text

_TO_REFER = re.compile("[\"'>]|[^\x00-\x7f]")
_NAMED = {'"': "&quot;", "'": "&apos;", ">": "&gt;"}
_NO_MARKUP = re.compile(r"<(?![A-Za-z/!?_:]|[^\x00-\x7f])")
_INNER_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?: ?/)?>")


def _escaped(draft: Draft, element: Element) -> str:
    return scalar_text(element.node, element.value)


def _with_references(draft: Draft, element: Element) -> str:
    """Returns a text with references for more characters than necessary."""
    return _TO_REFER.sub(lambda match: _NAMED.get(match[0], f"&#x{ord(match[0]):x};"), _escaped(draft, element))


def _as_section(draft: Draft, element: Element) -> str | None:
    text = element.value
    return f"<![CDATA[{text}]]>" if element.is_literal() and "]]>" not in text and "<![" not in text else None


def _bare(draft: Draft, element: Element) -> str | None:
    """Returns the text verbatim, if rule and reader agree on it: its tags are not names of the definition, and a text
    without tags has no reference that would be decoded.
    """
    text = element.value
    if not element.is_literal():
        return None
    rest = _NO_MARKUP.sub("", _INNER_TAG.sub("", text))
    tags = [match[1] for match in _INNER_TAG.finditer(text)]
    if "<" in rest or any(fold(tag) in draft.known for tag in tags):
        return None
    return text if tags or html.unescape(text) == text else None


_WAYS: dict[str, Callable[[Draft, Element], str | None]] = {
    "escaped": _escaped,
    "references": _with_references,
    "section": _as_section,
    "bare": _bare,
}
