"""What in a reply nobody meant: halves of surrogate pairs, and the tokens of a chat template at its end."""

from __future__ import annotations

import re

from ..findings import Repair, RepairKind
from ..limits import MAX_FINDINGS
from ..markup import SURROGATE, is_encodable

__all__ = ["without_surrogates", "without_tokens"]

_TOKENS = 200
"""Characters that the special tokens at the end of a reply take up."""
_LAST = ("|>", "\uff5c>", "</s>", "<eos>", "<end_of_turn>")
_SPECIAL = re.compile(
    r"(?:(?:<[|\uff5c][\w\u2581-]{1,40}+[|\uff5c]>|</s>|<eos>|<end_of_turn>)\s*+(?:[a-z]{1,10}+(?=<[|\uff5c]))?)++\Z"
)


def without_tokens(reply: str) -> str:
    """The reply without the special tokens of a chat template at its end, by which a model says that it has ended."""
    if not reply[-_TOKENS:].rstrip().endswith(_LAST) or (reply.rstrip().endswith("</s>") and "<s>" in reply):
        return reply
    tokens = _SPECIAL.search(reply, max(0, len(reply) - _TOKENS))
    return reply if tokens is None else reply[: tokens.start()]


def without_surrogates(reply: str) -> tuple[str, list[Repair]]:
    """The reply with U+FFFD for each half of a surrogate pair, which no XML and no UTF-8 can hold."""
    if is_encodable(reply):
        return reply, []
    places = [match.span() for match in SURROGATE.finditer(reply)]
    if len(places) > MAX_FINDINGS // 2:  # the rest of them as one
        places[MAX_FINDINGS // 2 :] = [(places[MAX_FINDINGS // 2][0], places[-1][1])]
    repairs = [
        Repair(
            RepairKind.SURROGATE_REPLACED,
            "$",
            (start, end),
            reply[start:end],
            SURROGATE.sub("\ufffd", reply[start:end]),
        )
        for start, end in places
    ]
    return SURROGATE.sub("\ufffd", reply), repairs
