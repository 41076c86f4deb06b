"""The results of tools as texts for a language model."""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any

import orjson
from pydantic import BaseModel

from ..errors import ToolError
from ..escaping import encodable

MAX_RESULT = 50_000
"""Characters of a result that a language model is shown, some 12,000 tokens: its first half and its last."""

NO_RESULT = "done, without a result"

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"%PDF-", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
)
"""The first bytes of common files, with their types."""


def result_text(value: Any) -> str:
    """Returns a result as text: texts as they are, bytes as their type and size, and everything else as JSON."""
    if value is None:
        return NO_RESULT
    if isinstance(value, str):
        return shortened(encodable(value))
    if isinstance(value, bytes | bytearray | memoryview):
        return binary_text(bytes(value))
    try:
        text = orjson.dumps(value, default=_plain, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:  # an integer past 64 bits, a cycle, a lone surrogate
        text = encodable(str(value))
    return shortened(text)


def error_text(error: BaseException) -> str:
    """Returns the type and the message of an exception, or the message alone if it was written for the model."""
    try:
        message = encodable(str(error))
    except Exception:  # noqa: BLE001 - of an exception that cannot say what it is
        message = ""
    if isinstance(error, ToolError):
        return shortened(message)
    kind = type(error).__name__
    return shortened(f"{kind}: {message}" if message else kind)


def binary_text(data: bytes, kind: str | None = None) -> str:
    """Returns what stands for binary data: its type, by its first bytes unless it is known, and its size."""
    kind = kind or next((name for magic, name in _MAGIC if data.startswith(magic)), "binary data")
    return f"<{kind}, {len(data):,} bytes>"


def shortened(text: str) -> str:
    """Returns a text without its middle if it is longer than MAX_RESULT."""
    left_out = len(text) - MAX_RESULT
    if left_out <= 0:
        return text
    half = MAX_RESULT // 2
    return f"{text[:half]}\n[... {left_out:,} characters are left out here ...]\n{text[-half:]}"


def _plain(value: Any) -> Any:
    """Returns what orjson takes in place of an object that it does not."""
    match value:
        case BaseModel():
            return value.model_dump()
        case bytes() | bytearray() | memoryview():
            return binary_text(bytes(value))
        case Set() | Iterator():
            return list(value)
        case _:
            return str(value)
