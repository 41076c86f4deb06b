"""The fast paths: read clean replies without a search.

Each returns the careful reader's result, or None. Of XML only values are repaired here, never tags.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...definition import Plan, per_plan
from ...escaping import is_encodable
from ...findings import Repair
from ...lazy import Lazy
from ..answer import MAX_REPLY
from .around import FULL_WIDTH, find_answer, has_rival
from .clean_json import fast_json
from .expression import read_by_expression

__all__ = ["fast_json", "fast_tree", "fast_yaml"]

_elements, _clean_yaml = Lazy("read.fast.elements"), Lazy("read.fast.clean_yaml")


@per_plan
def fast_tree(plan: Plan) -> Callable[..., Any]:
    """Returns the function that reads a clean reply in XML as a tree of texts: by expression, else with lxml.

    With a list for their repairs, values may have other forms than the strict ones.
    """
    answer_in = find_answer(plan)
    by_expression = read_by_expression(plan)

    def read(reply: str, repairs: list[Repair] | None = None) -> Any:
        if len(reply) > MAX_REPLY or not (reply.isascii() or (is_encodable(reply) and FULL_WIDTH not in reply)):
            return None
        span = answer_in(reply)
        if span is None:
            return None
        answer = reply[slice(*span)]
        tree = by_expression(answer)
        return _elements.read_elements(plan)(answer, span[0], repairs) if tree is None else tree

    return read


@per_plan
def fast_yaml(plan: Plan) -> Callable[[str, bool], Any]:
    """Returns the function that reads clean YAML: that of a fence, or a whole reply that begins with a field."""
    names = "|".join(map(re.escape, plan.root.fields))
    begins = re.compile(rf"[\"'?]|(?:{names})[ \t]*+:" if names else r"(?!)")
    is_holder = plan.root.kind in ("dict", "list", "map", "tuple")

    def read(reply: str, is_told: bool) -> Any:
        may_be_fenced = is_holder and ("```y" in reply or "~~~y" in reply)
        fence = _YAML_FENCE.search(reply) if may_be_fenced else None
        if fence is not None:
            return None if has_rival(reply, *fence.span()) else _clean_yaml.read_yaml(plan)(reply, *fence.span(2))
        is_whole = is_told or begins.match(reply) is not None
        return _clean_yaml.read_yaml(plan)(reply, 0, len(reply)) if is_whole else None

    return read


_YAML_FENCE = re.compile(r"^(```|~~~)ya?ml[ \t]*+\n(.*?)\n\1[ \t]*+$", re.MULTILINE | re.DOTALL)
