"""The entries of a cache: the key of a call, and its reply with what was read from it.

An entry is a digest, a line break, and JSON: the completion as it came, and the response that was read from it, under
the fingerprint of what was asked and the version of the library. The digest covers the key too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeVar

from pydantic_core import ValidationError

from ..completion import Completion, Message
from ..findings import Repair
from ..response import StructuredResponse, recalled
from ..version import __version__

__all__ = ["decode", "encode", "key_of", "readings", "remembered", "tag_of"]

ModelT = TypeVar("ModelT")

_DIGEST = 32  # hexadecimal digits


def key_of(class_name: str, caller: str, messages: Sequence[Message]) -> str:
    """The key of a call: the class's name, which is its namespace, and a digest of the caller and the messages."""
    return f"{class_name}:{_digest(_json([caller, list(messages)]))}"


def tag_of(asked: StructuredResponse[Any], options: str) -> str:
    """The name of a reading in an entry. Another version of the library reads the reply again."""
    return f"{asked.fingerprint}/{options}/{__version__}"


def encode(key: str, completion: Completion, read: Mapping[str, Any]) -> bytes:
    """The entry of a completion, with what was read from it by `tag_of`."""
    body = _json({"completion": completion.to_dict(), "read": dict(read)})
    return f"{_digest(key.encode(), body)}\n".encode() + body


def decode(key: str, entry: bytes) -> tuple[Completion, dict[str, Any]]:
    """The completion of an entry, and what was read from it. Raises `ValueError` if `encode` did not write it."""
    if not isinstance(entry, bytes):
        raise ValueError(f"an entry is bytes, not {type(entry).__name__}")
    digest, found, body = entry.partition(b"\n")
    if not found or digest.decode("ascii", "replace") != _digest(key.encode(), body):
        raise ValueError("the entry is damaged")
    try:
        held = json.loads(body)
        return Completion.from_dict(held["completion"]), dict(held["read"])
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("the entry is damaged") from error


def readings(response: StructuredResponse[Any]) -> dict[str, Any]:
    """The response as an entry holds it."""
    return {"response": response.serialize(), "repairs": [repair.to_dict() for repair in response.repairs]}


def remembered(asked: StructuredResponse[ModelT], read: Any, context: Any) -> StructuredResponse[ModelT] | None:
    """The response of an entry, or None if there is none, or if the model refuses it now."""
    try:
        repairs = [Repair.from_dict(repair) for repair in read["repairs"]]
        return recalled(asked, read["response"], repairs, context)
    except (TypeError, KeyError, ValueError, ValidationError):
        return None


def _json(data: Any) -> bytes:
    """JSON in ASCII: a reply may hold half of a surrogate pair, which UTF-8 cannot encode."""
    return json.dumps(data, default=repr, sort_keys=True).encode()


def _digest(*parts: bytes) -> str:
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:_DIGEST]
