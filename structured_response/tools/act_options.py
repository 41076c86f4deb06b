"""The options of `act`: its own, and those of `ask` that serve it too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from ..asking.caching import Flights
from ..asking.result import DEFAULTS, FUNCTION, HOOKS, JOURNAL, AskOptions, CallingOptions
from ..asking.setup import check_functions
from ..options import Format, Kind, at_least, check_choice, check_kinds
from .calls import Call
from .policy import Policy, default_policy

if TYPE_CHECKING:
    from .turns import Turn

ActMode: TypeAlias = Literal["text", "native"]
"""How tools are called: in the text of replies, or by the provider's own means."""


class ActOptions(CallingOptions, total=False):
    """The options of `act` and `aact`, for functions of your own that pass them on. Those of `ask` mean the same."""

    mode: ActMode
    max_turns: int
    context: Any
    policy: Policy
    approve: Callable[[Call], Any] | None
    journal: str | Path | None
    on_turn: Callable[[Turn], Any] | None
    format: Format
    examples: Sequence[Any]


ACT_DEFAULTS: ActOptions = {
    "mode": "text",
    "max_turns": 20,
    "context": None,
    "policy": default_policy,
    "approve": None,
    "journal": None,
    "on_turn": None,
    "order": "cache",
}
"""The defaults of the options that are not those of `ask`, and of one that is."""

_KINDS = {
    "max_turns": at_least(1, "an integer of at least 1"),
    "policy": Kind(Callable, "a function"),
    "approve": FUNCTION,
    "journal": JOURNAL,
    "on_turn": FUNCTION,
}


def checked_act(given: ActOptions, flights: Flights) -> tuple[ActOptions, AskOptions]:
    """Returns the options with the defaults of `act`, and those of `ask` among them."""
    known = ActOptions.__annotations__
    for name in given:
        if name not in known:
            raise TypeError(f"{name!r} is not an option; the options are {', '.join(known)}")
    every: Any = {**ACT_DEFAULTS, **given}
    check_choice("mode", every["mode"], get_args(ActMode))
    check_kinds(every, _KINDS)
    check_functions({**DEFAULTS, **every}, ("policy", "approve", "on_turn", *HOOKS), flights, "aact")
    asking: Any = {name: value for name, value in every.items() if name == "order" or name not in ACT_DEFAULTS}
    return every, asking
