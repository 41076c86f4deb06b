"""A reply that comes in pieces: fed as they come, and read to the answer that the whole would give."""

from __future__ import annotations

from typing import Any

from ..definition import Plan
from ..findings import ProblemKind
from ..options import ParseOptions
from . import read
from .answer import MAX_REPLY, Answer, no_answer

__all__ = ["ReplyReader"]


class ReplyReader:
    """Reads a reply that comes in pieces. Of one past MAX_REPLY characters nothing is kept.

    Whether an opening tag has a partner can only be told once its partner has come, so the search begins with `close`;
    what it then decides is final `search.LOOK_BACK` tokens back.
    """

    def __init__(self, plan: Plan, context: Any = None, options: ParseOptions | None = None) -> None:
        self.plan = plan
        self.context = context
        self.options = options or ParseOptions()
        self.pieces: list[str] = []
        self.length = 0

    def feed(self, text: str) -> None:
        """Takes the next piece."""
        self.length += len(text)
        if self.length <= MAX_REPLY:
            self.pieces.append(text)
        else:
            self.pieces.clear()

    def close(self) -> Answer:
        """Returns the answer of all that was fed. Raises what a model's own validators raise."""
        if self.length > MAX_REPLY:
            message = f"the reply has {self.length} characters, more than {MAX_REPLY} (MAX_REPLY)"
            return no_answer(ProblemKind.LIMIT, message)
        return read(self.plan, "".join(self.pieces), self.context, self.options)
