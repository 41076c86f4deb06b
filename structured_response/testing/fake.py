"""A language model for tests, which answers by a script or by a definition and keeps what it was asked."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass
from threading import Lock
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from pydantic import BaseModel

from ..clients.streams import TextStream, stream_of
from ..completion import Completion, Message, ToolCall
from ..errors import InstanceError, RecordingError
from ..options import Format
from ..response import StructuredResponse
from .text import target

_PIECE = 16  # characters of a piece of a stream

_EXAMPLES = 10  # that are drawn for a reply: the first ones are the same for all seeds


class FakeModel:
    """A language model for `ask`, `aask`, `ask_many` and everything else that calls one. It needs no network.

    Attributes:
        calls: The messages of each call, in order.
        tools: The schemas of the tools that it was last offered.
    """

    model = provider = cache_key = "fake"

    def __init__(self, replies: Any = None, *, seed: int = 0) -> None:
        """Makes a language model.

        Args:
            replies: A list of replies, one for each call: a text, a `Completion`, a `ToolCall` or several in a list, an
                instance of a model, or an exception to raise. Or a model, any other type, or a response, for which each
                reply is valid. None for replies that are valid for whatever is asked for.
            seed: The number that determines the values of replies that are made up.
        """
        self._script: Iterator[Any] | None = iter(replies) if isinstance(replies, list | tuple) else None
        self._length = len(replies) if isinstance(replies, list | tuple) else 0
        self._what = None if self._script else replies
        self._seed = seed
        self._form: Format = "xml"
        self._lock = Lock()
        self.calls: list[list[Message]] = []
        self.tools: list[Any] = []

    def for_answer(self, asked: StructuredResponse[Any], form: Format) -> FakeModel:
        """Returns the same language model, told what is asked for and in which format."""
        made = copy.copy(self)
        made._what, made._form = asked if self._what is None else self._what, form
        return made

    def with_tools(self, schemas: Sequence[Any]) -> FakeModel:
        self.tools[:] = schemas
        return self

    def with_schema(self, class_name: str, schema: Any) -> FakeModel:
        return self

    def __call__(self, messages: Sequence[Message]) -> Completion:
        with self._lock:
            self.calls.append(list(messages))
            number = len(self.calls)
            step = next(self._script, self) if self._script is not None else self._what
        if step is self:
            raise RecordingError(f"the script of FakeModel has {self._length} replies, and this is call {number}")
        if isinstance(step, Exception):
            raise step
        if isinstance(step, Completion):
            return step
        calls = (step,) if isinstance(step, ToolCall) else step
        if isinstance(calls, list | tuple) and calls and all(isinstance(each, ToolCall) for each in calls):
            return Completion("", "tool_calls", tool_calls=tuple(calls))
        return Completion(step if isinstance(step, str) else self._written(step, number), "stop")

    def stream(self, messages: Sequence[Message]) -> TextStream:
        """Returns the reply in pieces."""
        return stream_of(self(messages), _PIECE)

    def _written(self, what: Any, number: int) -> str:
        """Returns a valid reply, in the format that is asked for."""
        if what is None:
            raise TypeError("FakeModel() needs to be asked by `ask`; give it replies, or a model to answer for")
        if isinstance(what, type) and not (isinstance(what, BaseModel) or is_dataclass(what)):
            what = StructuredResponse.from_type(what)
        plan, pairs = target(what)
        response: StructuredResponse[Any] = StructuredResponse._of(plan)
        return _WRITERS[self._form](response.from_dict(_example(pairs, self._seed + number, plan.class_name)))


_WRITERS: dict[Format, Callable[[StructuredResponse[Any]], str]] = {
    "xml": str,
    "json": StructuredResponse.to_json,
    "yaml": StructuredResponse.to_yaml,
}

_SETTINGS = settings(
    max_examples=_EXAMPLES,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


_DRAWING = Lock()
"""Hypothesis draws in one thread at a time: its older releases cannot draw in several."""


def _example(pairs: st.SearchStrategy[Any], number: int, name: str) -> Any:
    """Returns the data of one instance, the same for the same number."""
    drawn: list[Any] = []

    @seed(number)
    @_SETTINGS
    @given(pairs)
    def draw(pair: Any) -> None:
        drawn.append(pair[1])

    try:
        with _DRAWING:
            draw()
    except Unsatisfiable as error:
        raise InstanceError(f"no valid {name} could be made up; give FakeModel the replies") from error
    return drawn[-1]
