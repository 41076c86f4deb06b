"""Replies that come in pieces: what is known of the data after each piece."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack

from pydantic_core import ValidationError

from ..data.box import from_box, to_box
from ..data.model import item_validator
from ..data.validators import node_at
from ..definition import MISSING, Path, parse_path, show_path
from ..errors import DefinitionError, RestartedError
from ..findings import Problem, Repair
from ..options import ReadingOptions
from ..reask import Again
from .chunks import afed, fed
from .frames import Shown, at, closed_at, final_at, final_values, goes_on, instance, walk
from .preview import Preview

if TYPE_CHECKING:
    from ..response import StructuredResponse

ModelT = TypeVar("ModelT")


class Part(Generic[ModelT]):
    """What is known of an answer at one moment of a stream. It does not change, and shares its values with others.

    Attributes:
        restarted: Whether this part replaces what earlier parts showed.
        done: Whether the reply has ended. The data is that of `parse` then.
        response: The response that `parse` returns, of the last part; None before.
        attempt: The number of the attempt, from 1, of a stream of `ask`.
    """

    def __init__(
        self,
        stream: ReplyStream[ModelT],
        restarted: bool = False,
        response: StructuredResponse[ModelT] | None = None,
        attempt: int = 1,
    ) -> None:
        self.restarted, self.response, self.attempt = restarted, response, attempt
        self._preview = preview = stream._preview
        self._shown = preview.shown if response is None else Shown([], instance=response.instance)

    @property
    def done(self) -> bool:
        return self.response is not None

    @property
    def instance(self) -> Any:
        """The data as a `box.Box`: every field, None where nothing is known yet. Do not change it."""
        return instance(self._preview.grammar, self._shown, self._preview.text)

    @property
    def _final(self) -> dict[Path, Any]:
        """The values that are final."""
        return dict(final_values(self._shown.final))

    @property
    def path(self) -> str | None:
        """The path of the value that is being written, such as `$.steps[0].name`; None outside of an answer."""
        return None if self._shown.path is None else show_path(self._shown.path)

    @cached_property
    def complete(self) -> frozenset[str]:
        """The paths of the values that are final."""
        if self.response is not None:
            return paths_of(self.instance)
        return frozenset(map(show_path, self._final))

    @property
    def repairs(self) -> list[Repair]:
        """The repairs of values that are closed; of the last part, all repairs."""
        return list(self._shown.repairs) if self.response is None else self.response.repairs

    @property
    def problems(self) -> list[Problem]:
        """The problems of values that are closed; of the last part, all problems."""
        return list(self._shown.problems) if self.response is None else self.response.problems

    def __repr__(self) -> str:
        state = "done" if self.done else f"at {self.path}"
        return f"<Part {state}{', restarted' if self.restarted else ''}: {self.instance!r}>"[:300]


def paths_of(value: Any) -> frozenset[str]:
    """Returns the paths of a value and of all values in it."""
    return frozenset(show_path(path) for path, _held in walk((), value))


class ReplyStream(Generic[ModelT]):
    """Reads a reply that comes in pieces, without any input or output of its own.

    `feed` shows what is known so far; `close` reads the whole reply, like `StructuredResponse.parse`. Feeding costs
    time in proportion to the piece, whatever came before.
    """

    def __init__(
        self, asked: StructuredResponse[ModelT], strict: bool = True, **options: Unpack[ReadingOptions]
    ) -> None:
        self._asked = asked
        self._strict = strict
        self._given = options
        self._preview = Preview(asked._plan, asked._how("", options))

    @property
    def text(self) -> str:
        """The reply so far."""
        if not self._preview.halves:
            return self._preview.text
        characters = list(self._preview.text)
        for place, half in self._preview.halves:
            characters[place] = half
        return "".join(characters)

    def feed(self, text: str) -> Part[ModelT]:
        """Takes the next piece of the reply, and returns what is known now.

        Raises:
            TypeError: The piece is not a `str`.
        """
        if not isinstance(text, str):
            raise TypeError(f"a piece of a reply is a str, not {type(text).__name__}")
        return Part(self, self._preview.feed(text))

    def close(self) -> Part[ModelT]:
        """Reads the whole reply, and returns the last part.

        Raises:
            ReplyError: See `StructuredResponse.parse`.
        """
        text, is_kept = self.text, self._preview.end()
        response = self._asked.parse(text, self._strict, **self._given)
        return Part(self, not is_kept(response.instance), response)


def amending(right: StructuredResponse[ModelT]) -> tuple[StructuredResponse[ModelT], Again]:
    """Returns what asks again for the invalid parts of a response, and how their new values go back."""
    again = right._again()
    return right._of(again.plan), again


class AmendingPart(Part[ModelT]):
    """A part of a reply that amends an answer: the answer with the new values in it."""

    def __init__(self, part: Part[ModelT], before: StructuredResponse[ModelT], again: Again) -> None:
        vars(self).update(vars(part))
        self._part = part
        self._before = before
        self._again = again

    @cached_property
    def instance(self) -> Any:
        """The data as a `box.Box`: every field, None where nothing right is known yet. Do not change it."""
        data = self._again.shown(self._before._current(), from_box(self._part.instance))
        return to_box(self._before._plan.root, data)

    @property
    def path(self) -> str | None:
        """The path of the value that is being written; None outside of an answer."""
        return self._part.path and self._again.path_of(self._part.path)

    @cached_property
    def complete(self) -> frozenset[str]:
        """The paths of the values that are final."""
        again, paths = self._again, paths_of(self._before.instance)
        known = (path for path in paths if path not in again.spots and not again.asks_for(path))
        return frozenset((*known, *map(again.path_of, self._part.complete)))

    @property
    def repairs(self) -> list[Repair]:
        """The repairs of values that are closed."""
        known = [each for each in self._before.repairs if not self._again.asks_for(each.path)]
        return known + [replace(each, path=self._again.path_of(each.path)) for each in self._part.repairs]

    @property
    def problems(self) -> list[Problem]:
        """The problems of values that are closed."""
        return [replace(each, path=self._again.path_of(each.path)) for each in self._part.problems]


def parts(
    asked: StructuredResponse[ModelT], chunks: Iterable[str], strict: bool, options: ReadingOptions
) -> Iterator[Part[ModelT]]:
    stream = ReplyStream(asked, strict, **options)
    return fed(chunks, lambda chunk: (stream.feed(chunk),), lambda: (stream.close(),))


def aparts(
    asked: StructuredResponse[ModelT],
    chunks: AsyncIterable[str] | Iterable[str],
    strict: bool,
    options: ReadingOptions,
) -> AsyncIterator[Part[ModelT]]:
    stream = ReplyStream(asked, strict, **options)
    return afed(chunks, lambda chunk: (stream.feed(chunk),), lambda: (stream.close(),))


class _Taker:
    """Takes the parts of a stream, and gives what one path holds.

    Attributes:
        held: The data of what was given.
        given: What was given.
    """

    held: Any
    given: Any

    def __init__(self, asked: StructuredResponse[Any], path: str, kind: str, on_restart: OnRestart | None) -> None:
        self.path = parse_path(path)
        node = node_at(asked._plan.root, self.path)
        if node is None or node.kind != kind:
            name = {"list": "list", "str": "text"}[kind]
            raise DefinitionError(f"there is no {name} at {show_path(self.path)}", show_path(self.path))
        self.on_restart = on_restart

    def restart(self, part: Part[Any]) -> bool:
        """Returns whether a part replaces what was given. Raises `RestartedError` unless the program takes that."""
        if not part.restarted or goes_on(self.held, at(part.instance, self.path)):
            return False
        if self.on_restart is None:
            raise RestartedError(show_path(self.path), self.given)
        self.on_restart()
        return True


class Items(_Taker):
    """Gives the items of a list, each once it is final: as its part of the model makes it, or as a Box without one."""

    def __init__(self, asked: StructuredResponse[Any], path: str, context: Any, on_restart: OnRestart | None) -> None:
        super().__init__(asked, path, "list", on_restart)
        self.validate = item_validator(asked._plan, self.path)
        self.context = context
        self.held: list[Any] = []
        self.given: list[Any] = []

    def take(self, part: Part[Any]) -> Iterator[Any]:
        """Yields the items that have become final."""
        if self.given and self.restart(part):
            self.held, self.given = [], []
        for item in self._new(part):
            model = self._validated(item)
            if model is None and not part.done:
                return  # what is wrong with it comes with the whole reply
            self.held.append(item)
            self.given.append(item if model is None else model)
            yield self.given[-1]

    def _new(self, part: Part[Any]) -> Iterator[Any]:
        if part.done:
            held = at(part.instance, self.path)
            yield from held[len(self.given) :] if isinstance(held, list) else ()
            return
        final, bad = part._shown.final, part._preview.bad
        while (place := (*self.path, len(self.given))) not in bad and (item := final_at(final, place)) is not MISSING:
            yield item

    def _validated(self, item: Any) -> Any:
        """Returns an item as its model, or None if it does not satisfy it."""
        if self.validate is None:
            return item
        try:
            return self.validate(from_box(item), self.context)
        except ValidationError:
            return None


class Characters(_Taker):
    """Gives the characters of a text as they come."""

    def __init__(self, asked: StructuredResponse[Any], path: str, on_restart: OnRestart | None) -> None:
        super().__init__(asked, path, "str", on_restart)
        self.pieces: list[str] = []
        self.place = -1  # in the reply
        self.is_closed = False

    @property
    def given(self) -> str:
        return "".join(self.pieces)

    held = given

    def take(self, part: Part[Any]) -> Iterator[str]:
        """Yields the characters that have come."""
        if part.restarted and self.pieces and self.restart(part):
            self.pieces, self.place, self.is_closed = [], -1, False
        piece = self._rest(part) if part.done or part._shown.path != self.path else self._next(part)
        if piece:
            self.pieces.append(piece)
            yield piece

    def _next(self, part: Part[Any]) -> str:
        """Returns what has come of the text that is being written."""
        if part._shown.text is None:
            return ""
        growing, end = part._shown.text
        start, self.place, self.is_closed = self.place, end, False
        if start < growing.start:
            return growing.value(part._preview.text, end)[len(self.given) :]
        return growing.decoded(part._preview.text[start:end])

    def _rest(self, part: Part[Any]) -> str:
        """Returns the rest of the text once it is closed."""
        if self.is_closed and not part.done:
            return ""
        value = at(part.instance, self.path) if part.done else closed_at(part._shown, self.path)
        if not isinstance(value, str):
            return ""
        self.is_closed, self.place = True, -1
        return value[len(self.given) :]


OnRestart = Callable[[], object]


def taken(parts: Iterator[Part[Any]], taker: Items | Characters) -> Iterator[Any]:
    return fed(parts, taker.take, tuple)


def ataken(parts: AsyncIterator[Part[Any]], taker: Items | Characters) -> AsyncIterator[Any]:
    return afed(parts, taker.take, tuple)
