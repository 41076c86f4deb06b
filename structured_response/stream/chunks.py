"""The pieces of a reply as a program gives them. They are closed at the end, whoever stops."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager


@contextmanager
def opened(chunks: Iterable[str]) -> Iterator[None]:
    """Closes pieces at the end."""
    try:
        yield
    finally:
        if (close := getattr(chunks, "close", None)) is not None:
            close()


@asynccontextmanager
async def aopened(chunks: AsyncIterable[str] | Iterable[str]) -> AsyncIterator[AsyncIterable[str]]:
    """Gives pieces for `async for`, and closes them."""
    try:
        yield chunks if isinstance(chunks, AsyncIterable) else _awaited(chunks)
    finally:
        if (aclose := getattr(chunks, "aclose", None)) is not None:
            await aclose()
        elif (close := getattr(chunks, "close", None)) is not None:
            close()


async def _awaited(chunks: Iterable[str]) -> AsyncIterator[str]:
    for chunk in chunks:
        yield chunk
