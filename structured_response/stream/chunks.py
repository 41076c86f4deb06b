"""Feeds what takes a stream with its pieces, or its parts. They are closed at the end, whoever stops."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import TypeVar

PieceT = TypeVar("PieceT")
PartT = TypeVar("PartT")


def fed(
    chunks: Iterable[PieceT], feed: Callable[[PieceT], Iterable[PartT]], close: Callable[[], Iterable[PartT]]
) -> Iterator[PartT]:
    """Yields the parts that each piece gives, and those that the end gives."""
    try:
        for chunk in chunks:
            yield from feed(chunk)
        yield from close()
    finally:
        if hasattr(chunks, "close"):
            chunks.close()


async def afed(
    chunks: AsyncIterable[PieceT] | Iterable[PieceT],
    feed: Callable[[PieceT], Iterable[PartT]],
    close: Callable[[], Iterable[PartT]],
) -> AsyncIterator[PartT]:
    """Yields the same with `async for`."""
    try:
        async for chunk in chunks if isinstance(chunks, AsyncIterable) else _awaited(chunks):
            for part in feed(chunk):
                yield part
        for part in close():
            yield part
    finally:
        if hasattr(chunks, "aclose"):
            await chunks.aclose()
        elif hasattr(chunks, "close"):
            chunks.close()


async def _awaited(chunks: Iterable[PieceT]) -> AsyncIterator[PieceT]:
    for chunk in chunks:
        yield chunk
