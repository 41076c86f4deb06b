"""Finds the one answer of a clean reply, and checks that the words around it hold no rival."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...definition import Plan, per_plan
from ...escaping import EXAMPLE, LABELLED
from ...findings import Span

FULL_WIDTH = "\uff1c"
"""The bracket that some models write in place of `<`."""

_RIVAL = re.compile(rf"[{{}}\[\]<\uff1c]|&lt;|\"(?:\s|\\[nrt])*+\Z|\A\s*+\"|>[ \t]*+\Z|{re.escape(EXAMPLE)}|{LABELLED}")
"""Signs of another answer, or of another meaning of this one: JSON, tags, a string or a quotation around the answer, an
example of the prompt, a label with a value.
"""


def has_rival(reply: str, start: int, end: int) -> bool:
    """Returns whether the text before `start` or behind `end` could be more than words."""
    before, behind = start > 0, end < len(reply)
    return (before and _RIVAL.search(reply, 0, start) is not None) or (behind and _RIVAL.search(reply, end) is not None)


@per_plan
def find_answer(plan: Plan) -> Callable[[str], Span | None]:
    """Returns the function that finds the one root element of a reply, or None if anything around it is doubtful."""
    opener, closer = f"<{plan.root_name}", f"</{plan.root_name}>"

    def find(reply: str) -> Span | None:
        if reply.startswith(opener) and reply.endswith(closer):
            return 0, len(reply)
        start, last = reply.find("<"), reply.rfind("<")
        if not reply.startswith(closer, last):
            return None
        begin, end = start, last + len(closer)
        if reply.startswith("<?xml ", start) and not reply[:start].strip():
            begin, start = 0, reply.find("<", start + 1)
        return (start, end) if reply.startswith(opener, start) and not has_rival(reply, begin, end) else None

    return find
