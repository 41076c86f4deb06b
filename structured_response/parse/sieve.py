"""What a strict reply is made of, tag by tag: one regular expression, compiled from the definition.

It finds, for a part of what lxml takes, most of what a strict reader cannot read: names and attributes that nobody
asked for, values that are not in their strict forms, texts where none can be, closing tags of other names. How the
elements nest it leaves to lxml. Its repetitions are possessive, so it cannot backtrack past an element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..definition import CONSTRAINTS, FORMS, Node, Plan, choice_text, is_xml_name, per_plan
from ..markup import FENCES, NULL_WORDS, escape_value

__all__ = ["SHOWN", "sieve"]

SHOWN = frozenset({"index", "keys", "elements", "choices", "options", "description", "required", *CONSTRAINTS.values()})
"""Attributes that a prompt shows, besides `type`, and that say nothing when they are echoed."""

_BLANKS = r"[ \t\n]*+"
_NAMES = "|".join(sorted({"type", "key", *SHOWN}))
_ATTRIBUTES = rf"(?:[ \t\n]++(?:{_NAMES}){_BLANKS}={_BLANKS}(?:'[^'<]*+'|\"[^\"<]*+\"))*+{_BLANKS}"
_HOLDER = ""
"""Stands for the pattern of what holds elements."""

_NO_FENCE = rf"(?!{_BLANKS}(?:{'|'.join(FENCES)}))"
_TEXT = rf"{_NO_FENCE}[^<]*+"
_NO_NULL = rf"(?!{_BLANKS}(?i:{'|'.join(map(re.escape, sorted(NULL_WORDS)))}){_BLANKS}<){_TEXT}"
_MAX_CHOICES = 50
"""Choices that are looked for one by one; more are left to a table."""


@per_plan
def sieve(plan: Plan) -> Callable[[str], Any]:
    """What finds the first tag of a block that is not strict, if there is one. Linear in its length."""
    tags = {pattern: sorted(map(re.escape, names)) for pattern, names in _by_pattern(plan).items()}
    every = sorted({name for names in tags.values() for name in names})
    ways = ["/[^<>]*+>", rf"(?:{'|'.join(tags.pop(_HOLDER, ['(?!)']))}){_ATTRIBUTES}>(?={_BLANKS}<)"]
    for number, (pattern, names) in enumerate(sorted(tags.items()), 1):
        ways.append(rf"({'|'.join(names)}){_ATTRIBUTES}>{pattern}</\{number}{_BLANKS}>")
    ways.append(rf"(?:{'|'.join(every)}){_ATTRIBUTES}/>")
    return re.compile(rf"<(?!(?:{'|'.join(ways)}){_BLANKS}(?:<|\Z))").search


def _by_pattern(plan: Plan) -> dict[str, set[str]]:
    """The names of elements by the pattern of what may stand in them."""
    found: dict[str, set[str]] = {}
    seen: set[tuple[str, int]] = set()
    waiting = [(plan.root_name, plan.root)]
    while waiting:
        name, node = waiting.pop()
        if (name, id(node)) not in seen:
            seen.add((name, id(node)))
            for pattern in _patterns(node):
                found.setdefault(pattern, set()).add(name)
            waiting += _below(name, node)
    return found


def _below(name: str, node: Node) -> Iterator[tuple[str, Node]]:
    """The elements that may stand in one, and what else it may be itself under a mark."""
    for field in node.fields.values():
        yield (field.name if is_xml_name(field.name) else "entry"), field.node
    if node.item is not None:
        yield ("entry" if node.kind == "map" else "li"), node.item
    for part in node.parts:
        yield (name if node.kind == "union" else "li"), part
    if node.kind == "union":
        yield from ((option, part) for option, part in node.options().items() if part.kind == "dict")
    if node.kind == "any":
        yield from (("li", node), ("entry", node))


def _patterns(node: Node) -> Iterable[str]:
    if node.kind in FORMS:
        return [rf"{_BLANKS}(?:{FORMS[node.kind]})?+{_BLANKS}"]
    return _PATTERNS[node.kind](node)


def _choices(node: Node) -> str:
    texts = [choice_text(choice) for choice in node.choices]
    if len(texts) > _MAX_CHOICES or any(escape_value(text, False) != text or "\n" in text for text in texts):
        return _TEXT
    return rf"{_BLANKS}(?:{'|'.join(map(re.escape, texts))}|){_BLANKS}"


_PATTERNS: dict[str, Callable[[Node], Iterable[str]]] = {
    **dict.fromkeys(("dict", "list", "tuple", "map"), lambda node: (_HOLDER,)),
    "str": lambda node: (_NO_NULL if node.nullable else _TEXT,),
    "enum": lambda node: (_choices(node),),
    "any": lambda node: (_HOLDER, _TEXT),
    "union": lambda node: (_HOLDER,),
}
