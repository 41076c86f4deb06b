"""What stands in a cache: the key of a call, and its reply with what was read from it.

An entry is a digest, a line break, and JSON: the completion as it came, and beside it the response that was read from
it, under the fingerprint of what was asked and the version of the library that read it. Another version reads the
reply anew. The digest covers the key too: an entry that was damaged, or stands under another key, is none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
    """The key of a call: the class's name, which is its namespace, and a digest of who is called with what.

    `caller` names the language model and its parameters.
    """
    return f"{class_name}:{_digest(_json([caller, list(messages)]))}"


def tag_of(asked: StructuredResponse[Any], form: str) -> str:
    """Under what the reading of a reply stands in its entry."""
    return f"{asked.fingerprint}/{form}/{__version__}"


def encode(key: str, completion: Completion, read: Mapping[str, Any]) -> bytes:
    """The entry of a completion, with what was read from it by `tag_of`."""
    body = _json({"completion": completion.to_dict(), "read": dict(read)})
    return f"{_digest(key.encode(), body)}\n".encode() + body


def decode(key: str, entry: bytes) -> tuple[Completion, dict[str, Any]]:
    """What `encode` was given. Raises `ValueError` for anything else."""
    if not isinstance(entry, bytes):
        raise ValueError(f"an entry is bytes, not {type(entry).__name__}")
    digest, found, body = entry.partition(b"\n")
    if not found or digest.decode("ascii", "replace") != _digest(key.encode(), body):
        raise ValueError("the entry is damaged")
    held = json.loads(body)
    return Completion.from_dict(held["completion"]), held["read"]


def readings(response: StructuredResponse[Any]) -> dict[str, Any]:
    """What was read, as an entry holds it."""
    return {"response": response.serialize(), "repairs": [repair.to_dict() for repair in response.repairs]}


def remembered(asked: StructuredResponse[ModelT], read: Any, context: Any) -> StructuredResponse[ModelT] | None:
    """The response of such a reading, or None where it is not there or the model would not have it any more."""
    try:
        repairs = [Repair.from_dict(repair) for repair in read["repairs"]]
        return recalled(asked, read["response"], repairs, context)
    except (TypeError, KeyError, ValueError, ValidationError):
        return None


def _json(data: Any) -> bytes:
    """JSON in ASCII: a reply may hold half of a surrogate pair, which UTF-8 has no bytes for."""
    return json.dumps(data, default=repr, sort_keys=True).encode()


def _digest(*parts: bytes) -> str:
    from hashlib import sha256

    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:_DIGEST]
