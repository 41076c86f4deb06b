"""Reads a reply that arrives in pieces. The result is that of the whole reply."""

from __future__ import annotations

from typing import Any

from ..definition import Plan
from ..findings import ProblemKind
from ..options import ParseOptions
from . import read
from .answer import MAX_REPLY, Answer, no_answer


class ReplyReader:
    """Reads a reply that arrives in pieces. Nothing is kept of a reply longer than MAX_REPLY characters.

    An opening tag is known to have a partner only once the partner has arrived, so the search begins with `close`. Its
    decisions are final `search.LOOK_BACK` tokens back.
    """

    def __init__(self, plan: Plan, context: Any = None, options: ParseOptions | None = None) -> None:
        self.plan = plan
        self.context = context
        self.options = options or ParseOptions()
        self.pieces: list[str] = []
        self.length = 0

    def feed(self, text: str) -> None:
        """Adds the next piece."""
        self.length += len(text)
        if self.length <= MAX_REPLY:
            self.pieces.append(text)
        else:
            self.pieces.clear()

    def close(self) -> Answer:
        """Returns the answer of everything that was fed. Exceptions of a model's own validators pass through."""
        if self.length > MAX_REPLY:
            message = f"the reply has {self.length} characters, more than {MAX_REPLY} (MAX_REPLY)"
            return no_answer(ProblemKind.LIMIT, message)
        return read(self.plan, "".join(self.pieces), self.context, self.options)
