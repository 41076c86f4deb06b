"""What must hold of any reply, for inputs of bytes: the first one chooses the model, the rest are the reply."""

from __future__ import annotations

import datetime as dt
import math
import pickle
from contextlib import suppress
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

from pydantic import BaseModel

from structured_response import ReplyError, ReplyStream, StructuredResponse
from tests.hostile import REVIEW, THREAD

__all__ = ["RESPONSES", "check", "encode"]


class Colour(Enum):
    RED = "red"
    GREEN = 2


class Circle(BaseModel):
    kind: Literal["circle"]
    radius: float


class Square(BaseModel):
    kind: Literal["square"]
    side: float


class Everything(BaseModel):
    """One field of every kind that a definition has."""

    text: str
    maybe: str | None = None
    number: int = 0
    amount: Decimal | None = None
    colour: Colour = Colour.RED
    when: dt.datetime | None = None
    day: dt.date | None = None
    pause: dt.timedelta | None = None
    data: bytes = b""
    shape: Circle | Square | None = None
    loose: int | bool | str | None = None
    pair: tuple[int, str] | None = None
    names: set[str] = set()
    lists: list[list[float]] = []
    counts: dict[int, float] = {}
    maps: dict[str, list[Circle]] = {}
    anything: Any = None


EVERYTHING = StructuredResponse.from_basemodel(Everything)
LIST: StructuredResponse[Any] = StructuredResponse.from_type(list[str])
RESPONSES: tuple[StructuredResponse[Any], ...] = (REVIEW, THREAD, EVERYTHING, LIST)


def encode(index: int, reply: str) -> bytes:
    """The input that means a reply to one of the responses."""
    return bytes([index]) + reply.encode("utf-8", "surrogatepass")


def check(data: bytes) -> None:
    """Raises where a law does not hold for an input."""
    response = RESPONSES[data[0] % len(RESPONSES)] if data else RESPONSES[0]
    # Bytes that are no UTF-8 become halves of surrogates, so that those are met often.
    reply = data[1:].decode("utf-8", "surrogateescape")
    for strict in (True, False):
        try:
            read = response.parse(reply, strict=strict)
        except ReplyError as error:
            _check_error(error, reply)
        else:
            _check_findings([*read.repairs, *read.problems], reply)
            assert not (strict and read.problems), "a strict reading left problems"
            if not read.problems:
                _check_round_trip(read)
    _check_pieces(response, reply, data[0] % 11 + 1 if data else 1)


def _check_pieces(response: StructuredResponse[Any], reply: str, size: int) -> None:
    """Law 5, and that what is final stays until a part restarts."""
    stream, final = ReplyStream(response, strict=False), dict[str, Any]()
    for start in range(0, len(reply), size):
        part = stream.feed(reply[start : start + size])
        final = {} if part.restarted else final
        assert final.keys() <= part.complete, "a path is no longer complete"
        final = dict.fromkeys(part.complete)
        repr(part)  # makes the instance
    assert stream.text == reply
    with suppress(ReplyError):
        assert stream.close().done


def _check_error(error: ReplyError, reply: str) -> None:
    assert error.problems, "an error without a problem"
    assert error.reply == reply, "an error about another reply"
    assert str(pickle.loads(pickle.dumps(error))) == str(error), "pickle changed an error"
    read = error.response
    _check_findings([*error.problems, *(read.repairs if read is not None else ())], reply)
    if read is not None:
        with suppress(ReplyError):  # data that lack a field, which law 2 is not about
            read.parse(str(read), strict=False)


def _check_findings(findings: list[Any], reply: str) -> None:
    for finding in findings:
        start, end = finding.span or (0, 0)
        assert 0 <= start <= end <= len(reply), f"a span outside of the reply: {finding}"


def _check_round_trip(read: StructuredResponse[Any]) -> None:
    """Law 2, for whatever was read without a problem: what is written of it is read as the same, without a repair."""
    text = str(read)
    try:
        again = read.parse(text, strict=False)
    except ReplyError as error:
        raise AssertionError(f"what was written cannot be read: {error}\n{text}") from error
    assert _same(again.to_dict(), read.to_dict()), f"{again.to_dict()} is not {read.to_dict()}\n{text}"
    assert not again.repairs, f"mended what was written: {again.repairs}\n{text}"


def _same(first: Any, second: Any) -> bool:
    """Equal in types too, with NaN equal to NaN."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(_same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(_same, first, second))
    if isinstance(first, float) and isinstance(second, float) and math.isnan(first):
        return math.isnan(second)
    return type(first) is type(second) and bool(first == second)
