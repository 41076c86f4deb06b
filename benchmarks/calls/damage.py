"""Damages to calls: to their markup, never to a value."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from .shapes import InJson, InTags, Write

Make = Callable[[random.Random, Any, str, dict[str, Any]], "str | None"]
"""Returns a call with a damage, or None if it has no place for it."""


class Damage(NamedTuple):
    """A kind of damage.

    Attributes:
        make: Does it.
        is_lossy: Whether the end of the call is gone, so that a problem is the right answer.
    """

    make: Make
    is_lossy: bool = False


_CLOSER = re.compile(r"</[^<>]+>")


def _at_closer(change: Callable[[random.Random, str], str]) -> Make:
    """Returns a damage to the closing tag of an argument."""

    def damage(rng: random.Random, shape: InTags, name: str, arguments: dict[str, Any]) -> str | None:
        pieces = shape.pieces(name, arguments)
        if len(pieces) == 1:
            return None
        place = rng.randrange(2, len(pieces), 2)
        pieces[place] = _CLOSER.sub(lambda match: change(rng, match[0]), pieces[place], count=1)
        return "".join(pieces)

    return damage


def _misspelt(rng: random.Random, closer: str) -> str:
    place = rng.choice([place for place, sign in enumerate(closer) if sign.isalpha()])
    return closer[:place] + closer[place + 1 :]


def _end_missing(_rng: random.Random, shape: InTags, name: str, arguments: dict[str, Any]) -> str:
    return shape(name, arguments).removesuffix(shape.end.replace("F", name))


def _cut(rng: random.Random, shape: Write, name: str, arguments: dict[str, Any]) -> str:
    whole = shape(name, arguments)
    return whole[: rng.randrange(len(whole) // 4, len(whole) - 1)]


def _at_last_bracket(before: str, behind: str) -> Make:
    def damage(_rng: random.Random, shape: Write, name: str, arguments: dict[str, Any]) -> str:
        reply = shape(name, arguments)
        end = reply.rfind("}")
        return reply[:end] + before + behind + reply[end + 1 :]

    return damage


def _raw_line_breaks(_rng: random.Random, shape: Write, name: str, arguments: dict[str, Any]) -> str | None:
    reply = shape(name, arguments)
    return reply.replace("\\n", "\n") if "\\n" in reply and "\\\\n" not in reply else None


def _bare_key(_rng: random.Random, shape: Write, name: str, arguments: dict[str, Any]) -> str | None:
    reply = shape(name, arguments)
    return reply.replace('"path":', "path:", 1) if '"path":' in reply and '\\"path' not in reply else None


_CUT = Damage(_cut, is_lossy=True)
IN_TAGS = {
    "closer missing": Damage(_at_closer(lambda _rng, _closer: "")),
    "closer misspelt": Damage(_at_closer(_misspelt)),
    "closer torn": Damage(_at_closer(lambda _rng, closer: closer[:-1])),
    "closer doubled": Damage(_at_closer(lambda _rng, closer: closer * 2)),
    "opener as closer": Damage(_at_closer(lambda _rng, closer: closer.replace("/", "", 1))),
    "comment": Damage(_at_closer(lambda _rng, closer: f"{closer}<!-- next -->")),
    "unknown argument": Damage(_at_closer(lambda _rng, closer: f"{closer}\n<confidence>high</confidence>")),
    "end missing": Damage(_end_missing, is_lossy=True),
    "cut off": _CUT,
}
IN_JSON = {
    "trailing comma": Damage(_at_last_bracket(",", "}")),
    "bracket missing": Damage(_at_last_bracket("", ""), is_lossy=True),
    "bracket too many": Damage(_at_last_bracket("", "}}")),
    "raw line breaks": Damage(_raw_line_breaks),
    "bare key": Damage(_bare_key),
    "comment": Damage(_at_last_bracket(" // done\n", "}")),
    "cut off": _CUT,
}


def damages_of(shape: Write) -> dict[str, Damage]:
    return IN_TAGS if isinstance(shape, InTags) else IN_JSON if isinstance(shape, InJson) else {"cut off": _CUT}
