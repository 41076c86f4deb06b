"""Which engine reads a pattern."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from pydantic_core import SchemaError, SchemaValidator, core_schema

from ..definition.names import MAX_COMPILED

__all__ = ["pattern_engine"]


@lru_cache(maxsize=MAX_COMPILED)
def pattern_engine(pattern: str) -> Literal["rust-regex", "python-re"]:
    """The engine that takes a pattern: Rust's, which is linear, or, for look-around and back-references, Python's."""
    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError:
        re.compile(pattern)
        return "python-re"
    return "rust-regex"
