"""Converts numbers that JSON (NaN, infinities) or orjson (integers past 64 bits) cannot hold to texts and back.

Where the definition asks for a number, the text alone is enough. Elsewhere it is wrapped in an object, `{"$number":
"NaN"}`; data that looks like one gets another `$` in front.
"""

from __future__ import annotations

import math
import re
from typing import Any

from .lexical import MAX_FORM_DIGITS
from .node import Node

__all__ = ["MARK", "is_same", "restored", "storable"]

MARK = '$number"'
"""The sign of a JSON text that may hold marked numbers."""

_NUMBER = "$number"
_INT64 = range(-(2**63), 2**64)
_TEXT = re.compile(rf"NaN|-?Infinity|-?[0-9]{{1,{MAX_FORM_DIGITS}}}")


def storable(node: Node | None, data: Any) -> Any:
    """Returns the data with texts for numbers that JSON or orjson cannot hold. Where the definition cannot distinguish
    such a text (`node` is None), it is wrapped in an object: `{"$number": "NaN"}`.
    """
    if isinstance(data, dict):
        return _storable_dict(node, data)
    if isinstance(data, list):
        parts = node.parts if node is not None and node.kind == "tuple" else ()
        item = node.item if node is not None and node.kind == "list" else None
        return list(map(storable, parts or [item] * len(data), data))
    text = _as_text(data)
    if text is None:
        return data
    return text if node is not None and node.kind in ("int", "float") else {_NUMBER: text}


def is_same(first: Any, second: Any) -> bool:
    """Returns whether two definitions, or two pieces of data without one, are equal. NaN equals NaN."""
    return bool(first == second) or bool(storable(None, first) == storable(None, second))


def _storable_dict(node: Node | None, data: dict[str, Any]) -> dict[str, Any]:
    fields = node.fields if node is not None and node.kind == "dict" else {}
    item = node.item if node is not None and node.kind == "map" else None
    made = {name: storable(fields[name].node if name in fields else item, value) for name, value in data.items()}
    return {f"${name}": value for name, value in made.items()} if _is_mark(data) else made


def _as_text(data: Any) -> str | None:
    """Returns the text of a number that JSON or orjson cannot hold."""
    if isinstance(data, float) and not math.isfinite(data):
        return "NaN" if math.isnan(data) else "Infinity" if data > 0 else "-Infinity"
    return str(data) if isinstance(data, int) and data not in _INT64 else None


def restored(data: Any) -> Any:
    """Returns the data with wrapped numbers unwrapped. An object that only looks like one loses its `$`."""
    if isinstance(data, list):
        return list(map(restored, data))
    if not isinstance(data, dict):
        return data
    if not _is_mark(data):
        return {name: restored(value) for name, value in data.items()}
    ((name, value),) = data.items()
    if name != _NUMBER:
        return {name[1:]: restored(value)}
    if not isinstance(value, str) or not _TEXT.fullmatch(value):
        raise ValueError(f"{_NUMBER!r} stands before the text of a number, not {value!r}"[:200])
    return float(value) if value[-1] in "Ny" else int(value)


def _is_mark(data: dict[str, Any]) -> bool:
    """Returns whether an object wraps a number, or has to be distinguished from one that does."""
    return len(data) == 1 and str(next(iter(data))).lstrip("$") == "number" and next(iter(data)) != "number"
