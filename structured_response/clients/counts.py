"""The tokens of a call, by the names that SDKs give to their counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ..completion import Usage

Counts: TypeAlias = tuple[str, str, str, str, str]
"""The places of the counts of `Usage`, in its order. Several are added up."""

OPENAI_CHAT: Counts = (
    *("prompt_tokens", "completion_tokens"),
    *("prompt_tokens_details.cached_tokens", "prompt_tokens_details.cache_write_tokens"),
    "completion_tokens_details.reasoning_tokens",
)
OPENAI_RESPONSES: Counts = (
    *("input_tokens", "output_tokens"),
    *("input_tokens_details.cached_tokens", "input_tokens_details.cache_write_tokens"),
    "output_tokens_details.reasoning_tokens",
)
ANTHROPIC: Counts = (  # whose first count leaves out what the others have
    *("input_tokens cache_creation_input_tokens cache_read_input_tokens", "output_tokens"),
    *("cache_read_input_tokens", "cache_creation_input_tokens"),
    "output_tokens_details.thinking_tokens",
)
LANGCHAIN: Counts = (
    *("input_tokens", "output_tokens"),
    *("input_token_details.cache_read", "input_token_details.cache_creation"),
    "output_token_details.reasoning",
)
PYDANTIC_AI: Counts = (
    *("input_tokens", "output_tokens"),
    *("cache_read_tokens", "cache_write_tokens"),
    "details.reasoning_tokens",
)


def usage_of(counted: Any, places: Counts) -> Usage:
    """The tokens of an SDK's counts. A server may leave them out."""
    return Usage(*(sum(_count(counted, place) for place in several.split()) for several in places))


def _count(counted: Any, place: str) -> int:
    for name in place.split("."):
        counted = counted.get(name) if isinstance(counted, Mapping) else getattr(counted, name, None)
    return counted if isinstance(counted, int) else 0
