"""Clean stretches of an object or a list, read by one regular expression instead of tag by tag.

Most of a damaged reply is not damaged. A run is what stands there as the definition has it: scalars in their
strict forms under exact names, one behind another, strings that hold nothing that any rule would touch. It is read
to the same texts as tag by tag; where anything speaks against it, there is no run.
"""

from __future__ import annotations

import re
from typing import Any

from ..definition import FORMS, Node, choice_text, is_xml_name
from ..findings import Span
from ..markup import NULL_WORDS, escape_value
from .elements import Element
from .tokens import OTHER, Head

__all__ = ["RUN", "Run", "Runs", "filled", "runs_of"]

RUN = "run"
"""The role of a run."""

_NO_HEAD = Head(OTHER)

_BLANKS = r"\n?+ *+[ \t\r\n]*+"
_WORDS = "|".join(map(re.escape, sorted(NULL_WORDS)))
_NO_NULL = rf"(?![ \t\r\n]*+(?i:{_WORDS})?[ \t\r\n]*+<)"
_STRING = r"(?![ \t\n\[`~]){}[^<&\r]*+)(?<![ \t\n])"
_FLOAT = r"-?(?:0|[1-9][0-9]{0,200}+)(?:\.[0-9]++)?+(?:[eE][+-]?[0-9]{1,2}+)?+"  # never reaches infinity
_FORMS = {**FORMS, "float": _FLOAT}


class Run(Element):
    """A clean stretch among the children of an element: its texts, by the names of fields or in the order of a list."""

    __slots__ = ("match", "runs", "values")

    def __init__(self, values: Any, match: re.Match[str], runs: Runs) -> None:
        super().__init__(_NO_HEAD, RUN, "", match.start(), match.start())
        self.end = match.end()
        self.values = values
        self.match = match
        self.runs = runs

    def span(self, step: str | int) -> Span:
        """Where the text of a field, or of an item by its number in the run, stands."""
        if isinstance(step, str):
            return self.match.span(self.runs.names.index(step) + 1)
        return list(self.runs.item.finditer(self.match.string, self.start, self.end))[step].span(1)


class Runs:
    """Finds the runs of one kind of object, or of list (`item` finds its items then)."""

    __slots__ = ("is_list", "item", "match", "names", "tags")

    def __init__(self, names: tuple[str, ...], pattern: str, item: str = "(?!)") -> None:
        self.names = names
        self.tags = frozenset(names or ("li",))
        self.match = re.compile(pattern).match
        self.item = re.compile(item)
        self.is_list = not names

    def at(self, text: str, position: int) -> Run | None:
        """The run that begins at a place, if there is one. A tag has to follow it, and none that closes its last
        element once more: such a closing tag may be part of a text.
        """
        match = self.match(text, position)
        end = position if match is None else match.end()
        if match is None or end == position or not text.startswith("<", end):
            return None
        if self.is_list:
            return None if text.startswith("</li", end) else Run(self.item.findall(text, position, end), match, self)
        values = {name: found for name, found in zip(self.names, match.groups()) if found is not None}  # noqa: B905
        return None if text.startswith(f"</{self.names[(match.lastindex or 1) - 1]}", end) else Run(values, match, self)


def filled(element: Element) -> set[str]:
    """The names of the fields that stand in an element."""
    names = {child.name for child in element.children if child.role == "field"}
    return names.union(
        *(child.values for child in element.children if isinstance(child, Run) and not child.runs.is_list)
    )


def runs_of(node: Node) -> Runs | None:
    """What finds the runs of an object's scalars, or of a list's; None where there is nothing to find."""
    if node.kind == "dict":
        leaves = {name: _element(name, field.node, "(") for name, field in node.fields.items() if is_xml_name(name)}
        patterns = {name: pattern for name, pattern in leaves.items() if pattern}
        return Runs(tuple(patterns), "".join(f"(?:{pattern})?+" for pattern in patterns.values())) if patterns else None
    if node.kind == "list" and node.item is not None and _element("li", node.item, "("):
        return Runs((), f"(?:{_element('li', node.item, '(?:')})*+", _element("li", node.item, "("))
    return None


def _element(name: str, node: Node, group: str) -> str:
    """The pattern of a clean element and the blanks behind it; empty where there is none."""
    leaf = _leaf(node, group)
    return f"<{name}>{leaf}</{name}>{_BLANKS}" if leaf else ""


def _leaf(node: Node, group: str) -> str:
    if node.kind == "str":
        return (_NO_NULL if node.nullable else "") + _STRING.format(group)
    if node.kind == "enum":
        texts = [choice_text(choice) for choice in node.choices]
        if any(not isinstance(c, str) or not t or escape_value(t, False) != t for c, t in zip(node.choices, texts)):  # noqa: B905
            return ""
        return f"{_BLANKS}{group}{'|'.join(map(re.escape, texts))}){_BLANKS}"
    form = _FORMS.get(node.kind, "")
    return f"{_BLANKS}{group}{form}){_BLANKS}" if form and node.kind != "bytes" else ""
