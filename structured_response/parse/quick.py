"""The answer of a reply that the shortcut or the strict reader reads and that needs no word said about it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pydantic_core import ValidationError

from ..definition import Plan, per_plan
from ..findings import Problem, Repair
from ..limits import MAX_REPLY
from ..markup import is_encodable
from ..models import judge, judges_texts
from ..validate import typed
from .afterwords import may_be_corrected
from .xml.shortcut import shortcut

__all__ = ["Answer", "quick_reader"]


@dataclass(slots=True)
class Answer:
    """What a reply says.

    `data` is typed by the definition, or a tree of texts where `is_typed` is false, which happens only to
    answers without a problem. `model` is the validated model, or None where there is none. An answer that
    is not `found` has no data at all. `truncated` is the path at which the reply broke off, or None.
    `is_tolerated`: its problems, if any, are such as the program wants to live with.
    """

    data: Any = None
    is_typed: bool = True
    model: Any = None
    repairs: Sequence[Repair] = ()
    problems: Sequence[Problem] = ()
    found: bool = True
    truncated: str | None = None
    is_tolerated: bool = False


@per_plan
def quick_reader(plan: Plan) -> Callable[[str, Any], Answer | None]:
    """What gives the answer of a reply that the shortcut or the strict reader reads, and that needs no word said."""
    read_clean = shortcut(plan) or _nothing
    type_texts = None if judges_texts(plan) else typed(plan).validate_python
    judge_data = judge(plan)

    def is_corrected(reply: str) -> bool:
        behind = reply.find(">", reply.rfind("</")) + 1
        return 0 < behind < len(reply) - 1 and may_be_corrected(plan)(reply, behind)

    def read_quickly(reply: str, context: Any) -> Answer | None:
        if len(reply) > MAX_REPLY:
            return None
        tree = read_clean(reply)
        if tree is None:
            tree = _strict(plan)(reply)
        if tree is None or is_corrected(reply) or not (reply.isascii() or is_encodable(reply)):
            return None
        try:
            data = tree if type_texts is None else type_texts(tree)
            return Answer(data, type_texts is not None, judge_data(data, context))
        except ValidationError:
            return None

    return read_quickly


def _nothing(reply: str) -> None:
    """Reads no reply at all."""


@per_plan
def _strict(plan: Plan) -> Callable[[str], Any]:
    """The strict reader, imported for the first reply that the shortcut leaves: lxml takes long to import."""
    read: Callable[[str], Any] = import_module(".xml.strict", __package__).strict(plan)
    return read
