"""Names of members that begin a line without a colon behind them: with a dash, or with a value of their type alone."""

from __future__ import annotations

import re

from ...definition import Node
from ...findings import Span
from ..scalars.scalars import is_value

__all__ = ["unsigned_name"]

_DASH = re.compile(r"[ \t]+[-\u2013\u2014]{1,2}[ \t]+")
_DECORATION = "*_`"
_WORDS = 4
"""Words that a name has at most, where no sign ends it."""


def unsigned_name(node: Node, line: str) -> tuple[str, Span] | None:
    """The name that a line begins with, and what stands between that and its value; None where there is none.
    Without a sign, only a value of one word that is no text tells that the name is one.
    """
    dash = _DASH.search(line)
    if dash is not None and node.has_field(line[: dash.start()].strip(_DECORATION)):
        return line[: dash.start()].strip(_DECORATION), dash.span()
    words = line.split(None, _WORDS)
    written = " ".join(words[:-1])
    name = written.rstrip(_DECORATION)
    field = node.field_of(name) if line.startswith(name) and name else None
    is_typed = field is not None and " " not in words[-1] and is_value(field.node, words[-1])
    return (name, (len(name), len(written) + 1)) if is_typed else None
