"""What a strict reply is made of, tag by tag: one regular expression, compiled from the definition.

It finds, for a part of what lxml takes, most of what a strict reader cannot read: names and attributes that nobody
asked for, values that are not in their strict forms, texts where none can be, closing tags of other names. How the
elements nest it leaves to lxml. Its repetitions are possessive, so it cannot backtrack past an element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from ...definition import CONSTRAINTS, FORMS, Node, Plan, choice_text, is_xml_name, per_plan
from ...markup import FENCES, NULL_WORDS, escape_value

__all__ = ["SHOWN", "Sieve", "sieve"]

SHOWN = frozenset({"index", "keys", "elements", "choices", "options", "description", "required", *CONSTRAINTS.values()})
"""Attributes that a prompt shows, besides `type`, and that say nothing when they are echoed."""

_BLANKS = r"\n?+ *+[ \t\n]*+"  # the usual ones first: a single character is counted faster than a class
_NAMES = "|".join(sorted({"type", "key", *SHOWN}))
_ATTRIBUTES = rf"(?:[ \t\n]++(?:{_NAMES}){_BLANKS}={_BLANKS}(?:'[^'<]*+'|\"[^\"<]*+\"))*+{_BLANKS}"
_END = rf"(?:>|{_ATTRIBUTES}>)"
_FLOAT = (  # that never overflows: a long mantissa with a small exponent, or a short one with a larger one
    r"(?:-?[1-9](?:\.[0-9]++)?+[eE]\+?[12][0-9]{2}"
    r"|-?(?:0|[1-9][0-9]{0,200}+)(?:\.[0-9]++)?+(?:[eE](?:\+?[0-9]{1,2}+|-[0-9]{1,5}+))?+|NaN|-?Infinity)"
)
_FORMS = {**FORMS, "float": _FLOAT}
_HOLDER = ""
"""Stands for the pattern of what holds elements."""

_FENCE = f"(?:{'|'.join(FENCES)})"
_LAID_OUT = r"[ \t]++[^\n<]++\n[ \t]++[^ \t\n<]"  # lines that are all indented, it seems
_TEXT = rf"(?!{_FENCE}|[ \t]*+\n(?:{_BLANKS}{_FENCE}|{_LAID_OUT}))[^<]*+"
_NO_NULL = rf"(?!{_BLANKS}(?i:{'|'.join(map(re.escape, sorted(NULL_WORDS)))}){_BLANKS}<){_TEXT}"
_MAX_CHOICES = 50
"""Choices that are looked for one by one; more are left to a table."""


class Sieve(NamedTuple):
    """`lets` tells, by a true value, whether a block could be strict. Linear in its length.

    In what it lets through no text stands beside elements; an element of `leaves` holds no elements, and one of
    `formed` is empty or in the strict form of its kind.
    """

    lets: Callable[[str], Any]
    leaves: frozenset[str]
    formed: frozenset[str]


@per_plan
def sieve(plan: Plan) -> Sieve:
    """The sieve of a plan."""
    tags = _patterns_by_tag(plan)
    holders = "|".join(re.escape(tag) for tag, patterns in tags.items() if _HOLDER in patterns)
    ways = [rf"/?+(?:{holders}){_END}{_BLANKS}(?=<|\Z)"] if holders else []
    for tag, patterns in tags.items():
        name = re.escape(tag)
        ways += [f"{name}{_END}{pattern}</{name}{_BLANKS}>" for pattern in sorted(patterns - {_HOLDER})]
    ways.append(rf"(?:{'|'.join(map(re.escape, tags))}){_ATTRIBUTES}/>")
    return Sieve(
        re.compile(rf"(?:<(?:{'|'.join(ways)}){_BLANKS})*+").fullmatch,
        frozenset(tag for tag, patterns in tags.items() if _HOLDER not in patterns),
        frozenset(tag for tag, patterns in tags.items() if len(patterns) == 1 and patterns <= _FORMED),
    )


def _patterns_by_tag(plan: Plan) -> dict[str, set[str]]:
    """The patterns of what may stand in each element."""
    found: dict[str, set[str]] = {}
    seen: set[tuple[str, int]] = set()
    waiting = [(plan.root_name, plan.root)]
    while waiting:
        name, node = waiting.pop()
        if (name, id(node)) not in seen:
            seen.add((name, id(node)))
            found.setdefault(name, set()).update(_patterns(node))
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
    return _SCALARS.get(node.kind) or _PATTERNS[node.kind](node)


def _choices(node: Node) -> str:
    texts = [choice_text(choice) for choice in node.choices]
    if len(texts) > _MAX_CHOICES or any(escape_value(text, False) != text or "\n" in text for text in texts):
        return _TEXT
    return rf"{_BLANKS}(?:{'|'.join(map(re.escape, texts))}|){_BLANKS}"


_SCALARS = {kind: (rf"{_BLANKS}(?:{form})?+{_BLANKS}",) for kind, form in _FORMS.items()}
_FORMED = frozenset(pattern for patterns in _SCALARS.values() for pattern in patterns)

_PATTERNS: dict[str, Callable[[Node], Iterable[str]]] = {
    **dict.fromkeys(("dict", "list", "tuple", "map"), lambda node: (_HOLDER,)),
    "str": lambda node: (_NO_NULL if node.nullable else _TEXT,),
    "enum": lambda node: (_choices(node),),
    "any": lambda node: (_HOLDER, _TEXT),
    "union": lambda node: (_HOLDER,),
}
