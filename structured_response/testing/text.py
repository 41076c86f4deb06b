"""Draws replies as text, clean and damaged."""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from random import Random
from typing import Any

from hypothesis import event, reject
from hypothesis import strategies as st
from pydantic import BaseModel

from .. import StructuredResponse
from ..data import model as models
from ..definition import ITEM_NAMES, MISSING, Node, Plan, choice_text, fold, is_xml_name, match_union_option, walk
from ..escaping import BLANK, FENCES, NULL_WORDS, attribute
from ..read.grammar import grammar_of
from ..render.placeholder import is_key_placeholder, is_placeholder
from ..render.xml import ANY_OPTIONS, scalar_text, to_xml, type_mark
from . import damage
from .damage import ENDING, REASONING, Draft, Element, NoPlaceError, Writer
from .data import drawn, plan_of, values

__all__ = ["DAMAGES", "damaged_replies", "replies"]

Pair = tuple[Any, str]
"""An instance, and a reply with its data."""

MOST = 3
"""Damages of one reply."""

DAMAGES: dict[str, damage.Damage] = {
    "attributes_echoed": damage.attributes_echoed,
    "closer_doubled": damage.doubled_closer,
    "closer_missing": damage.closer_missing_of_scalar,
    "closer_misspelt": damage.closer_misspelt,
    "closer_unfinished": damage.closer_without_bracket,
    "comment": damage.comment_between,
    "crlf": damage.carriage_returns,
    "element_unknown": damage.unknown_element,
    "fence_unclosed": damage.fence_unclosed,
    "items_renamed": damage.items_of_another_name,
    "name_respelled": damage.name_respelled,
    "null_word": damage.null_words,
    "opener_as_closer": damage.opener_used_as_closer,
    "reasoning": damage.reasoning_with_rival,
    "root_missing": damage.root_missing,
    "root_renamed": damage.root_renamed,
    "root_unclosed": damage.root_never_closed,
    "value_decorated": damage.value_in_marks,
    "value_fenced": damage.value_in_fence,
    "wrapper": damage.unknown_wrappers,
}

_AROUND = {"fence_unclosed", "reasoning", "root_missing", "root_renamed", "root_unclosed", "wrapper"}
_UNENDED = {name for name in DAMAGES if name.startswith("closer")} | {"opener_as_closer"}
_NEEDS_ENDS = {"comment", "element_unknown", "root_missing", "root_renamed", "root_unclosed"}
_APART = ((_AROUND, _AROUND), (_UNENDED, _NEEDS_ENDS), (_NEEDS_ENDS, _UNENDED))
"""Damages of the first set are not done where one of the second is: together they could be read in two ways."""

_WRITTEN = ("reasoning", "fence_unclosed", "wrapper", "crlf")
"""Damages of the reply as it is written, in the order in which they are done. All others are damages of its tree."""


def replies(what: Any) -> st.SearchStrategy[Pair]:
    """Generates pairs of an instance and a reply without faults that a language model could have written for it.

    The instance is the result of `to_basemodel()` after the reply was read. For a response without a model, or with
    other fields than its model's, it is plain data, the result of `to_dict()`. The replies differ in indentation, in
    prose and fences around, in the order of fields, and in the notation of texts: with references, as CDATA, or
    verbatim where no character can be mistaken (which leaves an `unescaped` among the repairs).

    Args:
        what: A response, a model, any type that `StructuredResponse.from_type` takes, or an instance of a model or a
            dataclass. All replies for an instance, or for a response that holds one, have its data. Models whose own
            JSON does not restore the same instance, such as those with secrets, are not supported.

    Returns:
        A strategy. A reply costs about as much time as ten readings of it.

    Raises:
        DefinitionError: The type cannot be described.
        InstanceError: The instance does not satisfy its model.
    """
    return _pairs(what, ())


def damaged_replies(what: Any, damages: Sequence[str] = tuple(DAMAGES)) -> st.SearchStrategy[Pair]:
    """Generates pairs of an instance and a reply with its data and with one to three of the faults of language models.

    Each damage is inserted only where the meaning stays clear to a reader who knows the definition, with only one
    possible reading, so `parse` returns the instance. `hypothesis.event` counts each damage.

    Args:
        what: The same as for `replies`.
        damages: The names from `DAMAGES` to choose from. If none finds a place the example is dropped: a definition of
            only texts has no place for `value_decorated`, and hypothesis reports that.

    Returns:
        A strategy.

    Raises:
        DefinitionError: The type cannot be described.
        InstanceError: The instance does not satisfy its model.
        ValueError: A name is not in `DAMAGES`.
    """
    unknown = [name for name in damages if name not in DAMAGES]
    if unknown or not damages:
        raise ValueError(f"damages are some of {', '.join(DAMAGES)}; not {', '.join(unknown) or 'none of them'}")
    return _pairs(what, damages)


def _pairs(what: Any, damages: Sequence[str]) -> st.SearchStrategy[Pair]:
    plan, pairs = _target(what)

    @st.composite  # its representation is short, unlike those of the strategies inside
    def pair(draw: st.DrawFn) -> Pair:
        instance, data = draw(pairs)
        rng = draw(st.randoms(use_true_random=False))
        step = rng.choice(("    ", None, "  ", "\t", ""))
        root = _Tree(rng, plan).element(plan.root_name, plan.root, data, "root")
        draft = _Draft(rng=rng, root=root, tag=plan.root_name, step=step, plan=plan, draw=draw)
        return instance, _written(draft, damages)

    return pair()


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


_PROSE = (
    ("", ""),
    ("", "\n"),
    ("Sure!\n", "\nDone, 3 > 2 & so on."),
    ("```xml\n", "\n```\n"),
    ("Here you are, R&D:\n\n```\n", "\n```\n\nAnything else?"),
    ("<?xml version='1.0' encoding='utf-8'?>\n", ""),
)


def _written(draft: _Draft, damages: Sequence[str]) -> str:
    """Damages the tree, writes it, and damages what is written."""
    wanted = draft.rng.randint(1, MOST)
    done: set[str] = set()
    for name in draft.rng.sample(damages, len(damages)):
        is_apart = any(name in these and done & those for these, those in _APART)
        if len(done) < wanted and not is_apart and (name in _WRITTEN or _is_done(draft, name)):
            done.add(name)
    draft.write()
    if not done & _AROUND:
        before, behind = draft.rng.choice(_PROSE)
        draft.reply = f"{before}{draft.reply}{behind}"
    done -= {name for name in _WRITTEN if name in done and not _is_done(draft, name)}
    if damages and not done:
        reject()
    return draft.reply


def _is_done(draft: _Draft, name: str) -> bool:
    """Damages the draft. Returns whether it had a place for the damage."""
    try:
        DAMAGES[name](draft)
    except NoPlaceError:
        return False
    event(f"damage: {name}")
    return True


@dataclass(kw_only=True)
class _Draft(Draft):
    """A reply that is damaged only where its definition leaves no doubt."""

    plan: Plan
    draw: st.DrawFn

    def __post_init__(self) -> None:
        fields = [field for node in walk(self.plan.root) for field in node.fields.values()]
        self.folded = [fold(name) for field in fields for name in {field.name, *field.aliases}]
        self.known = frozenset({*self.folded, *map(fold, ITEM_NAMES), fold(self.plan.root_name)})

    def free(self) -> list[Element]:
        return [each for each in super().free() if each.is_plain and each.value is not None and self._is_clear(each)]

    def _is_clear(self, each: Element) -> bool:
        """Returns whether neither the name of an element nor its content is like anything else."""
        if each.role == "field" and not self._is_unique(each.tag):
            return False
        if " type=" in each.attributes:
            return False
        if each.shape.kind == "enum":
            texts = [choice_text(choice) for choice in each.shape.choices]
            return all(map(_WORD.fullmatch, texts)) and len({text.casefold() for text in texts}) == len(texts)
        is_text = each.shape.kind in ("str", "bytes")
        return not is_text or (_is_literal(each) and each.value.isprintable() and not set("`~<&") & set(each.value))

    def _is_unique(self, name: str) -> bool:
        """Returns whether a field's name differs clearly from all others, in any case."""
        folded = fold(name)
        others = ("li", "item", "entry", "key", "value", "type", fold(self.plan.root_name))
        return len(folded) > 2 and self.folded.count(folded) == 1 and folded not in others

    def admits(self, name: str, at: Element | None = None) -> bool:
        keeps_extra = at is not None and at.parent is not None and at.parent.shape.keeps_extra
        is_like = difflib.get_close_matches(fold(name), self.known, 1, 0.5)
        return not keeps_extra and not is_like and fold(name) not in grammar_of(self.plan).names

    def item_names(self, at: Element) -> list[str]:
        inner = {fold(each.tag) for each in at.walk()}
        return [name for name in super().item_names(at) if fold(name) not in {*self.folded, *inner}]

    def bare(self) -> list[Element]:
        found = [each for each in super().bare() if each.raw]
        if not found:
            raise NoPlaceError
        return found

    def nullable(self) -> list[Element]:
        nulls = [each for each in super().free() if each.value is None and each.is_plain]
        return [each for each in nulls if each.shape.kind in ENDING and each.shape.nullable]

    def set(self, at: Element, value: Any) -> None:
        at.opener = at.closer = None

    def echoed(self, shape: Node) -> str:
        return "" if "type" in self.folded else f" type='{shape.kind}'"

    def take_root(self, *, is_named: bool = True) -> None:
        """Raises `NoPlaceError` if the root is damaged, or if its name or its fields could be others' too."""
        root = self.root
        of_its_name = [each for each in root.walk() if fold(each.tag) == fold(root.tag)]
        is_told = len(root.children) > 1 and all(self._is_unique(each.tag) for each in root.children)
        if root in self.taken or root.shape.kind != "dict" or len(of_its_name) > 1 or not root.children:
            raise NoPlaceError
        if not is_named and not is_told:
            raise NoPlaceError
        super().take_root()

    def rival(self) -> str:
        return to_xml(self.plan, self.draw(values(self.plan)))

    def write(self) -> None:
        self.reply = Writer(self.step, lays_out=False).write(self.root)


# The tree of an answer

_WORD = re.compile("[A-Za-z]{3,}")
_TO_REFER = re.compile("[\"'>]|[^\x00-\x7f]")
_NAMED = {'"': "&quot;", "'": "&apos;", ">": "&gt;"}
_NO_MARKUP = re.compile(r"<(?![A-Za-z/!?_:]|[^\x00-\x7f])")
_INNER_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?: ?/)?>")
_NOT_LITERAL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\uff1c\uff1e]")
"""Control characters, and the full-width brackets that are read as those of tags."""


@dataclass(frozen=True)
class _Tree:
    """Makes elements of data, in ways that are drawn."""

    rng: Random
    plan: Plan

    def element(
        self,
        tag: str,
        node: Node,
        value: Any,
        role: str,
        attributes: str = "",
        *,
        is_plain: bool = True,
        is_marked: bool = False,
    ) -> Element:
        """Makes an element. With `is_marked`, the attributes have its type already."""
        if value is not None and node.kind == "any":
            node, is_plain, is_marked = ANY_OPTIONS[type(value)], False, True
            attributes += f" type='{node.kind}'"
        made = Element(tag, node, "", value, role, attributes=attributes, is_plain=is_plain)
        if value is None:
            made.raw, made.opener, made.closer = "", f"<{tag}{attributes} type='null'/>", ""
        elif node.kind == "union":
            return self._option(made)
        elif node.kind in _PARTS:
            made.adopt(self._part(made, *part) for part in _PARTS[node.kind](node, value))
            if node.kind == "dict" and self.rng.random() < 0.5:
                self.rng.shuffle(made.children)
        else:
            made.attributes += "" if is_marked else type_mark(node, value)
            made.raw = self.rng.choice(list(self._ways(made))) if node.kind == "str" else scalar_text(node, value)
        return made

    def _part(self, parent: Element, tag: str, node: Node, value: Any, role: str, key: str = "") -> Element:
        return self.element(tag, node, value, role, key, is_plain=parent.is_plain)

    def _option(self, made: Element) -> Element:
        """Returns the element of a union, as `str` writes it."""
        name = match_union_option(made.shape, made.value)
        assert name is not None
        option = made.shape.options()[name]
        if option.kind == "dict" and not made.shape.is_field_of_option(name):
            made.is_plain = False
            made.adopt([self.element(name, option, made.value, "option", is_plain=False)])
            return made
        mark = "" if option.kind == "any" else f" type='{name}'"
        attributes = made.attributes + mark
        return self.element(made.tag, option, made.value, made.role, attributes, is_plain=False, is_marked=True)

    def _ways(self, each: Element) -> Iterator[str]:
        """Yields the ways to write a text: with references, with more of them than necessary, as CDATA, and verbatim if
        rule and reader agree on it. Then its tags are not names of the definition, and a text without tags has no
        reference that would be decoded.
        """
        text = each.value
        escaped = scalar_text(each.shape, text)
        yield escaped
        yield _TO_REFER.sub(lambda match: _NAMED.get(match[0], f"&#x{ord(match[0]):x};"), escaped)
        if not _is_literal(each):
            return
        if "]]>" not in text and "<![" not in text:
            yield f"<![CDATA[{text}]]>"
        tags = [fold(match[1]) for match in _INNER_TAG.finditer(text)]
        has_other_markup = "<" in _NO_MARKUP.sub("", _INNER_TAG.sub("", text))
        is_known = not {*grammar_of(self.plan).names, *REASONING}.isdisjoint(tags)
        if not has_other_markup and not is_known and (tags or html.unescape(text) == text):
            yield text


def _is_literal(each: Element) -> bool:
    """Returns whether a text is read back without a single reference, apart from layout and leniencies."""
    text = each.value
    if not text or text.strip(BLANK) != text:
        return False
    is_touched = text.lower() in NULL_WORDS or is_placeholder(each.shape, text) or text.startswith(FENCES)
    return not is_touched and not _NOT_LITERAL.search(text)


_Part = tuple[Any, ...]
"""The arguments of `_Tree._part` for a child."""


def _fields(node: Node, value: dict[str, Any]) -> Iterator[_Part]:
    for name, held in value.items():
        inner = node.fields[name].node if name in node.fields else Node("any")
        if is_xml_name(name):
            yield name, inner, held, "field"
        else:
            yield "entry", inner, held, "entry", f" key={attribute(name)}"


def _entries(node: Node, value: dict[str, Any]) -> Iterator[_Part]:
    for key, held in value.items():
        shown = attribute(key, node.key is not None and is_key_placeholder(node.key, key))
        yield "entry", node.item, held, "entry", f" key={shown}"


_PARTS: dict[str, Callable[[Node, Any], Iterable[_Part]]] = {
    "dict": _fields,
    "map": _entries,
    "list": lambda node, value: [("li", node.item, held, "item") for held in value],
    "tuple": lambda node, value: [("li", *each, "item") for each in zip(node.parts, value, strict=True)],
}
