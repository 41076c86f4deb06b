"""The reader: finds the most probable answer in a reply and records every repair."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from pydantic_core import ValidationError

from ..data.model import judges_texts, validate_model
from ..data.validators import typed
from ..definition import Plan, per_plan
from ..findings import Repair, RepairKind
from ..lazy import Lazy
from ..options import ParseOptions
from .answer import Answer
from .fast import fast_json, fast_tree, fast_yaml

if TYPE_CHECKING:
    from .candidates import Candidate

__all__ = ["Answer", "read", "read_all", "read_with_candidate"]

LONG_REPLY = 10_000
"""Characters of a reply past which the garbage collector pauses while it is read. Shorter replies make few objects."""

_reader = Lazy("read.reader")


def read(plan: Plan, reply: str, options: ParseOptions) -> Answer:
    """Reads a reply. A fault of the reply never raises; exceptions of a model's own validators pass through."""
    if len(reply) > LONG_REPLY and gc.isenabled():
        gc.disable()  # it visits the whole heap for each of a long reply's many objects
        try:
            return read(plan, reply, options)
        finally:
            gc.enable()
    return _fast(plan)(reply, options) or cast("Answer", _reader.read_carefully(plan, reply, options)[0])


def read_with_candidate(plan: Plan, reply: str, options: ParseOptions) -> tuple[Answer, Candidate | None]:
    """Reads a reply by the search, and returns the candidate that became the answer as well, which has the places of
    the values; None if the reply holds none. The findings are those of `read`.
    """
    answer, chosen = cast("tuple[Answer, Candidate | None]", _reader.read_carefully(plan, reply, options))
    return _fast(plan)(reply, options) or answer, chosen


@per_plan
def _fast(plan: Plan) -> Callable[[str, ParseOptions], Answer | None]:
    """Returns the function that reads clean replies. It returns None for any reply that needs the careful reader."""
    read_xml, read_json, read_yaml = fast_tree(plan), fast_json(plan), fast_yaml(plan)
    type_texts = None if judges_texts(plan) else typed(plan).validate_python
    judge_data = validate_model(plan)

    def read_fast(reply: str, options: ParseOptions) -> Answer | None:
        if options.examples:
            return None
        repairs: list[Repair] = []
        tree = read_xml(reply, repairs if options.repair else None) if options.format in (None, "xml") else None
        if tree is None:
            form, is_json, is_yaml = "json", options.format == "json", options.format == "yaml"
            found = None if is_yaml else read_json(reply, options.repair, is_json)
            if found is None and not is_json:
                form, found = "yaml", read_yaml(reply, is_yaml)
            if found is None:
                return None
            tree, repairs = found.tree, found.repairs
            if options.format != form:
                name = form.upper()
                repairs = [Repair(RepairKind.FORMAT_READ, "$", found.span, name, name), *repairs]
        try:
            data = tree if type_texts is None else type_texts(tree)
            return Answer(data, type_texts is not None, judge_data(data, options.context), repairs)
        except ValidationError:
            return None

    return read_fast


def read_all(plan: Plan, reply: str, options: ParseOptions) -> list[Answer]:
    """Returns every answer of a reply outside of reasoning, in the order of the reply, each with its own findings."""
    return cast("list[Answer]", _reader.read_all(plan, reply, options))
