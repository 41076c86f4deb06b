"""A reply that is JSON or YAML from end to end, as a program writes it: tags in its texts are text.

Only what has one meaning counts. YAML with comments, or with texts that run over lines without quotes, is what people
write, and there the lines say more than YAML makes of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from ...definition import Node, Plan, per_plan
from ...markup import BLANK
from ...write import holds_tag, tag_names
from ..lines.label_sections import labels_in
from ..lines.lines import labels, quoted
from ..reading import LimitReachedError
from ..written import Bare, Members, Value
from .find_json import found_scalar, of_json
from .found import Found, is_named, takes_text
from .of_lines import of_lines, of_yaml

__all__ = ["find_whole"]

_FENCED = re.compile(r"\s*(`{3,}|~{3,})[ \t]*(?:json|ya?ml)?[ \t\r]*\n(.*)\n[ \t]*\1\s*", re.DOTALL | re.IGNORECASE)
_ITEM = re.compile(r"[ \t]*- (?![-?&*!%@`])[^:#]+\Z")
_SAYS_MORE = re.compile(r"[\"'|>~[{]|null\s*\Z|[-+]?\.(?:nan|inf)", re.IGNORECASE)


def find_whole(plan: Plan, reply: str, form: str | None = None) -> Found | None:
    """What a reply is from end to end, a fence around it aside; None where it is more or less than that.

    `form` is "json" or "yaml" where nothing else is looked for. Lines of names and values that say the same without
    YAML are read as such, unless YAML is what is looked for.
    """
    fenced = _FENCED.fullmatch(reply) if reply.lstrip(BLANK).startswith(("```", "~~~")) else None
    start, end = fenced.span(2) if fenced else (0, len(reply))
    text = reply[start:end]
    first = len(text) - len(text.lstrip(BLANK))
    if text.startswith(("{", "["), first):
        return of_json(plan.root, reply, start + first, end) if form != "yaml" else None
    if form != "yaml" and text.startswith('"', first) and takes_text(plan.root) and fenced is None:
        return next(iter(found_scalar(plan.root, reply)), None)
    is_text = form == "yaml" and takes_text(plan.root)
    if form == "json" or not (is_text or _first(plan).begins(text[first:])):
        return None
    if form != "yaml" and _is_simple(plan.root, text):
        return None if holds_tag(tag_names(plan), text) else _of_lines(plan.root, reply, start, end)
    found = of_yaml(plan.root, reply, start, end)
    if found is None or found.value is None or (form != "yaml" and _is_announced(found.value)):
        return None
    return found if _is_plain(reply, found.value, start, end) else None


def _of_lines(root: Node, reply: str, start: int, end: int) -> Found | None:
    """Lines of names and values, which may be nested too deeply."""
    try:
        return of_lines(root, reply, start, end, least=1)
    except LimitReachedError as limit:
        return Found("lines", (start, end), limit=limit.with_traceback(None))


class _First(NamedTuple):
    """How the first line of such YAML begins: with one of some texts, or, where that is an entry's name, anyhow
    but with the root's tag.
    """

    texts: tuple[str, ...]
    is_entry: bool
    root: str

    def begins(self, text: str) -> bool:
        """Whether a text begins so."""
        text = text.removeprefix("---").lstrip(BLANK)
        if text.startswith(self.root):
            return False  # an attribute may well hold a colon
        return text.startswith(self.texts) or (self.is_entry and ":" in text.partition("\n")[0])


@per_plan
def _first(plan: Plan) -> _First:
    parts = (plan.root, *plan.root.parts)
    kinds = {part.kind for part in parts}
    marks = {mark for kind in kinds for mark in _MARKS.get(kind, _MARK_OF_KEYS)}
    names = {spelt for part in parts for name in part.fields for spelt in _spellings(name)}
    return _First((*sorted(marks), *sorted(names)), not kinds.isdisjoint(("map", "any")), f"<{plan.root_name}")


def _spellings(name: str) -> tuple[str, ...]:
    """How a name begins, in quotes or without."""
    return name, "'" + name.replace("'", "''"), json.dumps(name)[:-1]


_MARK_OF_KEYS = ("? ",)
_MARKS = {"list": ("-",), "tuple": ("-",), "map": ("-", "? "), "any": ("-", "? ")}
"""What stands in front of items, and of keys."""


def _is_simple(root: Node, text: str) -> bool:
    """Whether each line is a name and its value, or a plain item behind a dash, and no value has a form that YAML alone
    knows. PyYAML takes thirty times as long. A colon in a name would end it too early.
    """
    if any(":" in name for part in (root, *root.parts) for name in part.fields):
        return False
    found = labels_in(root, text) if root.kind == "dict" else labels(text, lambda name: is_named(root, name))
    lines = [line for line in text.split("\n") if line.strip(BLANK)]
    items = [line.lstrip(BLANK)[2:] for line in lines if _ITEM.match(line)]
    if len(found) + len(items) < len(lines) or (items and not found):
        return False
    values = [text[label.value : label.end].strip(BLANK) for label in found]
    heads = [value for value in values if quoted(value) is None or "''" in value] + items
    return not any(map(_SAYS_MORE.match, heads))


def _is_plain(reply: str, value: Value, start: int, end: int) -> bool:
    """Whether there are no comments, and no text runs over lines without quotes."""
    position = start
    for scalar in _scalars(value):
        if isinstance(scalar.held, Bare) and "\n" in reply[scalar.start : scalar.end]:
            return False
        if "#" in reply[position : scalar.start]:
            return False
        position = scalar.end
    return "#" not in reply[position:end]


def _is_announced(value: Value) -> bool:
    """Whether an object stands behind words that announce it, such as `Here is the JSON:`, rather than behind a key."""
    pairs = value.held.pairs if isinstance(value.held, Members) else []
    return len(pairs) == 1 and isinstance(pairs[0][1].held, Members) and len(str(pairs[0][0].held).split()) > 2


def _scalars(value: Value) -> Iterator[Value]:
    """The texts in it, names too, in their order."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value.held, Members):
            waiting += [one for pair in reversed(value.held.pairs) for one in reversed(pair)]
        elif isinstance(value.held, list):
            waiting += reversed(value.held)
        else:
            yield value
