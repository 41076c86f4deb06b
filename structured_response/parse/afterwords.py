"""What may stand behind an answer and correct it, a label of a field or JSON: a first look, which costs little."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..definition import Field, Plan, per_plan

__all__ = ["correctable", "may_be_corrected"]

_DATA = r"[{\[]\s*+[\"{\[0-9]"
"""What JSON begins with."""
_SIGN = r"[*_`\"'\]]{0,3}[ \t]*+[:=]"


def correctable(plan: Plan) -> dict[str, Field]:
    """The fields that a line in prose may give another value: scalars, but for texts, which may be about anything."""
    return {
        name: field for name, field in plan.root.fields.items() if field.node.is_text() and field.node.kind in _SURE
    }


_SURE = frozenset({"int", "float", "decimal", "bool", "enum", "date", "time", "datetime", "duration", "uuid"})


@per_plan
def may_be_corrected(plan: Plan) -> Callable[[str, int], bool]:
    """What tells whether the text of a reply behind a place may say something of the answer in front of it."""
    names = [name for field in correctable(plan).values() for name in (field.name, *field.aliases)]
    spelt = [r"[\W_]{0,3}".join(map(re.escape, filter(None, re.split(r"[\W_]+", name)))) for name in names]
    labels = rf"|^[^\w\n]{{0,8}}(?:{'|'.join(filter(None, spelt))}){_SIGN}" if any(spelt) else ""
    search = re.compile(_DATA + labels, re.MULTILINE | re.IGNORECASE).search
    return lambda reply, start: search(reply, start) is not None
