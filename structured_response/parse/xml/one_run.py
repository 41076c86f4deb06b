"""An answer that is one run in the tags of its root, so that no tag of it has to be looked at."""

from __future__ import annotations

import re

from ...definition import Plan, per_plan
from .elements import FIELD, Element, Root
from .runs import Runs
from .shape import root_shape
from .tokens import OPEN, Head

__all__ = ["only_root"]

_BLANKS = re.compile(r"[ \t\r\n]*+")


def only_root(plan: Plan, text: str) -> Root | None:
    """The answer of a text whose only tags are those of a root that one run fills; None where there is more to find.
    What `build` would give, without looking at each tag.
    """
    runs, opener, closer = _only(plan)
    start, end = text.find("<"), text.rfind("</")
    if runs is None or not text.startswith(opener, start) or not text.startswith(closer, end):
        return None
    inner, behind = start + len(opener), end + len(closer)
    if text.find("<", behind) >= 0 or "\uff1c" in text:
        return None
    match = runs.match(text, _BLANKS.match(text, inner).end())  # type: ignore[union-attr]
    if match is None or match.end() < end or match.start() == end:
        return None
    root = Element(Head(OPEN, plan.root_name), FIELD, "", start, inner)
    root.inner_end, root.end = end, behind
    root.children.append(runs.run(match))
    return Root(root, False)


@per_plan
def _only(plan: Plan) -> tuple[Runs | None, str, str]:
    """What finds a run in the root, and the root's tags."""
    return root_shape(plan).runs, f"<{plan.root_name}>", f"</{plan.root_name}>"
