"""The fast paths: read clean replies without a search.

Each returns exactly the careful reader's result, or None if the careful reader has to take the reply. XML is never
repaired here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...definition import Plan, per_plan
from ...escaping import is_encodable
from ...lazy import Lazy
from ..answer import MAX_REPLY
from .around import FULL_WIDTH, find_answer, has_rival
from .clean_json import Clean, fast_json
from .expression import read_by_expression

__all__ = ["fast_json", "fast_tree", "fast_yaml"]

_elements, _clean_yaml = Lazy("read.fast.elements"), Lazy("read.fast.clean_yaml")


@per_plan
def fast_tree(plan: Plan) -> Callable[[str], Any]:
    """Returns the function that reads a clean reply in XML as a tree of texts, or returns None.

    The expression reads answers in the definition's order. lxml, imported for the first reply that the expression
    rejects, reads fields in any order, unions, maps, tuples and recursive models.
    """
    answer_in = find_answer(plan)
    by_expression = read_by_expression(plan)

    def read(reply: str) -> Any:
        if len(reply) > MAX_REPLY or not (reply.isascii() or (is_encodable(reply) and FULL_WIDTH not in reply)):
            return None
        answer = answer_in(reply)
        if answer is None:
            return None
        tree = by_expression(answer)
        return _by_elements(plan)(answer) if tree is None else tree

    return read


@per_plan
def _by_elements(plan: Plan) -> Callable[[str], Any]:
    read: Callable[[str], Any] = _elements.read_elements(plan)
    return read


@per_plan
def fast_yaml(plan: Plan) -> Callable[[str, bool], Clean | None]:
    """Returns the function that reads clean YAML: the content of a YAML fence, or the whole reply. Unless YAML is
    expected, a whole reply has to begin with the name of a field.
    """
    names = "|".join(map(re.escape, plan.root.fields))
    begins = re.compile(rf"[\"'?]|(?:{names})[ \t]*+:" if names else r"(?!)")
    is_holder = plan.root.kind in ("dict", "list", "map", "tuple")

    def read(reply: str, is_told: bool) -> Clean | None:
        fence = _YAML_FENCE.search(reply) if is_holder else None
        if fence is not None:
            return None if has_rival(reply, *fence.span()) else _by_events(plan)(reply, *fence.span(2))
        return _by_events(plan)(reply, 0, len(reply)) if is_told or begins.match(reply) is not None else None

    return read


_YAML_FENCE = re.compile(r"^(```|~~~)ya?ml[ \t]*+\n(.*?)\n\1[ \t]*+$", re.MULTILINE | re.DOTALL)


@per_plan
def _by_events(plan: Plan) -> Callable[[str, int, int], Clean | None]:
    read: Callable[[str, int, int], Clean | None] = _clean_yaml.read_yaml(plan)
    return read
