"""The fast paths: clean replies, read without a search and without anything to record.

Each returns exactly what the careful reader returns for the same reply, or None: then the careful reader has to look.
None of them mends, records or refuses anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ...definition import Plan, per_plan
from ...limits import MAX_REPLY
from ...markup import is_encodable
from .around import FULL_WIDTH, find_answer
from .clean_json import Clean, fast_json
from .expression import read_by_expression

__all__ = ["fast_json", "fast_tree", "fast_yaml"]


@per_plan
def fast_tree(plan: Plan) -> Callable[[str], Any]:
    """Return the function that reads the tree of texts of a clean reply in XML, or returns None.

    The expression reads what stands in the definition's order; lxml, imported for the first reply that the expression
    leaves, reads fields in any order, unions, maps, tuples and recursive models.
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
    read: Callable[[str], Any] = import_module(".elements", __package__).read_elements(plan)
    return read


@per_plan
def fast_yaml(plan: Plan) -> Callable[[str, bool], Clean | None]:
    """Return the function that reads clean YAML: the whole reply, or a fence that is all of it. Where YAML is not told,
    an object alone is one for sure, and it has to begin with the name of a field.
    """
    names = "|".join(map(re.escape, plan.root.fields))
    begins = re.compile(rf"(?:(?:```|~~~)ya?ml[ \t]*+\n)?(?:[\"'?]|(?:{names})[ \t]*+:)")

    def read(reply: str, is_told: bool) -> Clean | None:
        if not is_told and (plan.root.kind != "dict" or begins.match(reply) is None):
            return None
        return _by_events(plan)(reply)

    return read


@per_plan
def _by_events(plan: Plan) -> Callable[[str], Clean | None]:
    read: Callable[[str], Clean | None] = import_module(".clean_yaml", __package__).read_yaml(plan)
    return read
