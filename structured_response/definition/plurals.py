"""Singulars of English plurals: by their endings, and a few irregular words."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["singulars"]

_IRREGULAR = {
    "children": "child",
    "people": "person",
    "men": "man",
    "feet": "foot",
    "teeth": "tooth",
    "geese": "goose",
    "mice": "mouse",
    "lice": "louse",
    "oxen": "ox",
    "data": "datum",
    "media": "medium",
    "quizzes": "quiz",
}
"""Irregular plurals, which words may end with: `schoolchildren`, `women`."""

_ENDINGS = (
    ("ies", ("y", "ie")),
    ("ices", ("ice", "ex", "ix")),
    ("ves", ("ve", "f", "fe")),
    ("ses", ("s", "se", "sis")),
    ("xes", ("x", "xe", "xis")),
    ("zes", ("z", "ze")),
    ("ches", ("ch", "che")),
    ("shes", ("sh", "she")),
    ("oes", ("o", "oe")),
    ("s", ("",)),
    ("ia", ("ium", "ion")),
    ("mata", ("ma",)),
    ("a", ("um", "on")),
    ("ae", ("a",)),
    ("i", ("us",)),
)
"""Endings of plurals, the longest first, each with the possible endings of the singular."""


@lru_cache(maxsize=1_024)
def singulars(name: str) -> frozenset[str]:
    """Returns the possible singulars of a folded name."""
    for plural, one in _IRREGULAR.items():
        if name.endswith(plural):
            return frozenset({name.removesuffix(plural) + one})
    for ending, others in _ENDINGS:
        if name.endswith(ending) and len(name) > len(ending):
            stem = name.removesuffix(ending)
            return frozenset(stem + other for other in others)
    return frozenset()
