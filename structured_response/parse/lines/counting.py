"""Names that count what they stand at: `item_2`, `second`, `y` behind `x`, an index. Where they count in another order
than what they stand at is written in, nobody knows which of the two was meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["is_out_of_order"]

_NUMBERED = re.compile(r"(\D{0,100})([0-9]{1,9})")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_FIRST_NUMBERS = (0, 1)


def is_out_of_order(names: Sequence[str]) -> bool:
    """Whether names count without a gap, numbers from 0 or 1 on and letters from any, but not upwards."""
    ranks = [_rank(name) for name in names] if len(names) > 1 else []
    counted = [rank[1] for rank in ranks if rank is not None]
    if not counted or len(counted) < len(ranks) or len({rank[0] for rank in ranks if rank is not None}) > 1:
        return False
    is_letters = ranks[0] is not None and ranks[0][0] is None
    first, in_order = min(counted), sorted(counted)
    is_gapless = in_order == list(range(first, first + len(counted)))
    return is_gapless and (is_letters or first in _FIRST_NUMBERS) and counted != in_order


def _rank(name: str) -> tuple[str | None, int] | None:
    """What a name counts, None for letters, and where it counts that; None where it counts nothing."""
    name = name.strip().lower()
    numbered = _NUMBERED.fullmatch(name)
    if numbered is not None:
        return numbered[1], int(numbered[2])
    if name in _ORDINALS:
        return "", _ORDINALS.index(name)
    return (None, ord(name)) if len(name) == 1 and name.isalpha() else None
