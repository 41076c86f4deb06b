"""Draws replies as text, clean and damaged."""

from __future__ import annotations

import difflib
import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from random import Random
from typing import Any

from hypothesis import event, reject
from hypothesis import strategies as st
from pydantic import BaseModel

from ..asking.session import response_of
from ..data.model import coerce, dump
from ..definition import MISSING, Node, Plan, choice_text, fold, walk
from ..escaping import BLANK, FENCES, NULL_WORDS
from ..read.grammar import grammar_of
from ..render.json import ITEMS, tag_names
from ..render.placeholder import is_placeholder
from ..render.xml import scalar_text, to_xml
from .damage import DAMAGES, ENDING, REASONING, Draft, Element, NoPlaceError
from .data import drawn, values

Pair = tuple[Any, str]  # an instance, and a reply with its data

_AROUND = {"fence_unclosed", "reasoning", "root_missing", "root_renamed", "root_unclosed", "wrapper"}
_UNENDED = {name for name in DAMAGES if name.startswith("closer")} | {"opener_as_closer"}
_NEEDS_ENDS = {"comment", "element_unknown", "root_missing", "root_renamed", "root_unclosed"}
_APART = ((_AROUND, _AROUND), (_UNENDED, _NEEDS_ENDS), (_NEEDS_ENDS, _UNENDED))
"""Damages of the first set are not done where one of the second is: together they could be read in two ways."""

_WRITTEN = ("reasoning", "fence_unclosed", "wrapper", "crlf")  # of what is written, in their order; others of the tree


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
    plan, pairs = target(what)

    @st.composite  # its representation is short, unlike those of the strategies inside
    def pair(draw: st.DrawFn) -> Pair:
        instance, data = draw(pairs)
        rng = draw(st.randoms(use_true_random=False))
        step = rng.choice(("    ", None, "  ", "\t", ""))
        known = tag_names(plan) | ITEMS
        root = _tree(rng, plan, data)
        draft = _Draft(rng=rng, root=root, tag=plan.root_name, step=step, known=known, plan=plan, draw=draw)
        return instance, _written(draft, damages)

    return pair()


def target(what: Any) -> tuple[Plan, st.SearchStrategy[tuple[Any, Any]]]:
    """Returns the plan, and pairs of an instance and its data, for a model, a type, a response or an instance."""
    if isinstance(what, BaseModel) or (is_dataclass(what) and not isinstance(what, type)):
        plan = response_of(type(what))._plan
        return plan, st.just((what, coerce(plan, dump(plan, what))))
    response = response_of(what)
    plan, data = response._plan, response._current()
    if data is MISSING:
        return plan, drawn(plan)
    has_model = plan.model is not None and plan.is_complete
    return plan, st.just((response.to_basemodel() if has_model else data, data))


_PROSE = (
    ("", ""),
    ("", "\n"),
    ("Sure!\n", "\nDone, 3 > 2 & so on."),
    ("```xml\n", "\n```\n"),
    ("Here you are, R&D:\n\n```\n", "\n```\n\nAnything else?"),
    ("<?xml version='1.0' encoding='utf-8'?>\n", ""),
)


def _written(draft: _Draft, damages: Sequence[str]) -> str:
    wanted = draft.rng.randint(1, 3)
    done: set[str] = set()
    for name in draft.rng.sample(damages, len(damages)):
        is_apart = any(name in these and done & those for these, those in _APART)
        if len(done) < wanted and not is_apart and (name in _WRITTEN or draft.is_done(name)):
            done.add(name)
    draft.write()
    if not done & _AROUND:
        before, behind = draft.rng.choice(_PROSE)
        draft.reply = f"{before}{draft.reply}{behind}"
    done -= {name for name in _WRITTEN if name in done and not draft.is_done(name)}
    if damages and not done:
        reject()
    return draft.reply


@dataclass(kw_only=True)
class _Draft(Draft):
    """A reply that is damaged only where its definition leaves no doubt."""

    plan: Plan
    draw: st.DrawFn

    def __post_init__(self) -> None:
        fields = [field for node in walk(self.plan.root) for field in node.fields.values()]
        self.folded = [fold(name) for field in fields for name in {field.name, *field.aliases}]

    def is_done(self, name: str) -> bool:
        try:
            DAMAGES[name](self)
        except NoPlaceError:
            return False
        event(f"damage: {name}")
        return True

    def free(self) -> list[Element]:
        return [each for each in super().free() if each.value is not None and self._is_clear(each)]

    def _is_clear(self, each: Element) -> bool:
        """Returns whether neither the name of an element nor its content is like anything else."""
        if each.role == "field" and not self._is_unique(each.tag):
            return False
        if each.shape.kind in ("any", "union") or " type=" in each.attributes:
            return False
        if each.shape.kind == "enum":
            texts = [choice_text(choice) for choice in each.shape.choices]
            return all(map(_WORD.fullmatch, texts)) and len({text.casefold() for text in texts}) == len(texts)
        is_text = each.shape.kind in ("str", "bytes")
        return not is_text or (
            _is_literal(each.shape, each.value) and each.value.isprintable() and not set("`~<&") & set(each.value)
        )

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
        nulls = [each for each in super().free() if each.value is None]
        return [each for each in nulls if each.shape.kind in ENDING and each.shape.nullable]

    def echoed(self, shape: Node) -> str:
        return "" if "type" in self.folded else f" type='{shape.kind}'"

    def take_root(self, *, is_named: bool = True) -> None:
        """Raises `NoPlaceError` if the root is damaged, or if its name or its fields could be others' too."""
        root = self.root
        of_its_name = [each for each in root.walk() if fold(each.tag) == fold(root.tag)]
        is_told = len(root.children) > 1 and all(self._is_unique(each.tag) for each in root.children)
        is_clear = root.shape.kind == "dict" and len(of_its_name) == 1 and (is_told or (is_named and root.children))
        if root in self.taken or not is_clear:
            raise NoPlaceError
        super().take_root(is_named=is_named)

    def rival(self) -> str:
        return to_xml(self.plan, self.draw(values(self.plan)))


# The tree of an answer

_WORD = re.compile("[A-Za-z]{3,}")
_MARKUP = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?: ?/)?>|<(?=[A-Za-z/!?_:]|[^\x00-\x7f])")
"""A tag by its name, or the beginning of other markup."""

_NOT_LITERAL = re.compile("[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff\uff1c\uff1e]")
"""Control characters, and the full-width brackets that are read as those of tags."""

_ROLES = {"": "root", "dict": "field", "list": "item", "map": "entry", "tuple": "item"}
"""The role of an element by the kind of the one around it."""

_UNKNOWN = Node("any")
_TAG = re.compile(r"""<(/?)([^\s/>]+)((?: \w+=(?:'[^']*'|"[^"]*"))*?)( type='null'/)?>(\d*)""")


def _tree(rng: Random, plan: Plan, data: Any) -> Element:
    """Returns the XML of data as a tree of elements. Inside unions and values of any type, their shape is unknown."""
    scalars: list[tuple[Node, Any]] = []

    def numbered(node: Node, value: Any) -> str:
        scalars.append((node, value))
        return str(len(scalars) - 1)

    at = top = Element("", Node("", item=plan.root), "", None, "")
    for ends, tag, attributes, null, number in _TAG.findall(to_xml(plan, data, numbered)):
        if ends:
            if {each.tag for each in at.children}.isdisjoint({"li", "entry"}) and rng.random() < 0.5:
                rng.shuffle(at.children)
            assert at.parent is not None
            at = at.parent
            continue
        made = Element(tag, _shape(at, tag), "", None, _ROLES.get(at.shape.kind, "option"))
        made.attributes, made.parent = attributes, at
        at.children.append(made)
        if null:
            made.raw, made.opener, made.closer = "", f"<{tag}{attributes}{null}>", ""
            continue
        at, made.value = made, made.children
        if number:
            node, made.value = scalars[int(number)]
            text = scalar_text(node, made.value)
            made.raw = rng.choice(list(_ways(plan, node, made.value))) if node.kind == "str" else text
    top.children[0].parent = None
    return top.children[0]


def _shape(parent: Element, tag: str) -> Node:
    node: Node = _UNKNOWN if " type=" in parent.attributes else parent.shape
    if node.kind == "tuple":
        return node.parts[len(parent.children)]
    return (node.fields[tag].node if tag in node.fields else node.item) or _UNKNOWN


def _ways(plan: Plan, node: Node, text: str) -> Iterator[str]:
    """Yields a text with references, with more of them than necessary, as CDATA, and verbatim if that is clear."""
    escaped = scalar_text(node, text)
    yield escaped
    more = escaped.replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#x27;")
    yield more.encode("ascii", "xmlcharrefreplace").decode()
    if _is_literal(node, text):
        if "]]>" not in text and "<![" not in text:
            yield f"<![CDATA[{text}]]>"
        tags = set(map(fold, _MARKUP.findall(text)))
        is_known = not tags.isdisjoint({"", *grammar_of(plan).names, *REASONING})
        if not is_known and (tags or html.unescape(text) == text):
            yield text


def _is_literal(node: Node, text: str) -> bool:
    """Returns whether a text is read back without a single reference, apart from layout and leniencies."""
    if not text or text.strip(BLANK) != text:
        return False
    is_touched = text.lower() in NULL_WORDS or is_placeholder(node, text) or text.startswith(FENCES)
    return not is_touched and not _NOT_LITERAL.search(text)
