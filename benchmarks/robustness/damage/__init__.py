"""Every kind of damage, one function each, in the groups of the specification.

A function changes a `Draft` and what it is expected to say. It is written from what language models do and from what
the specification demands, never from the reader: nothing here imports the package.
"""

from benchmarks.robustness.damage import around, collected, end, formats, hurtful, tags, text, values
from benchmarks.robustness.damage.draft import KINDS, Draft, Kind, NoPlaceError

__all__ = [
    "KINDS",
    "Draft",
    "Kind",
    "NoPlaceError",
    "around",
    "collected",
    "end",
    "formats",
    "hurtful",
    "tags",
    "text",
    "values",
]
