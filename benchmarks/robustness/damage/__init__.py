"""Every kind of damage, one function each, in the groups of the specification.

A function changes a `Draft` and what it is expected to say. It is written from what language models do and from what
the specification demands, never from the reader. The kinds that users can draw too, and the tree that all work on,
are those of `structured_response.testing.damage`, which knows no reader either.
"""

from benchmarks.robustness.damage import around, collected, end, formats, hurtful, tags, text, values
from benchmarks.robustness.damage.draft import KINDS, Draft, Kind

__all__ = [
    "KINDS",
    "Draft",
    "Kind",
    "around",
    "collected",
    "end",
    "formats",
    "hurtful",
    "tags",
    "text",
    "values",
]
