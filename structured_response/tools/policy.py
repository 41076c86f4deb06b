"""Which calls may run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from ..findings import ProblemKind
from .calls import Call

Verdict: TypeAlias = Literal["allow", "ask", "deny"]
"""What a policy says of a call: it runs, a person decides, or it does not run."""

Policy: TypeAlias = Callable[[Call], Verdict]

VERDICTS: tuple[Verdict, ...] = ("allow", "ask", "deny")


def default_policy(call: Call) -> Verdict:
    """Allow the calls that came whole, outside of quotations, and without a repair that changed anything.

    Any other call does not run; the language model reads why, and can write it again. A policy of your own replaces
    this one, and gets calls with repairs too: `lambda call: "ask" if call.name == "delete" else default_policy(call)`.
    """
    return "allow" if not call.is_quoted and not call.is_mended else "deny"


def why_not(call: Call, verdict: Verdict) -> str | None:
    """Returns why a call does not run, for the language model, or None if nothing speaks against it."""
    if call.problems:
        wrong = "; ".join(str(problem) for problem in call.problems[:_MAX_NAMED])
        is_cut = any(problem.kind is ProblemKind.TRUNCATED for problem in call.problems)
        again = "it was cut off; write a shorter one" if is_cut else "write it again, whole"
        return f"not run: {wrong}. If it is still needed, {again}."
    if verdict == "allow":
        return None
    if call.is_quoted:
        return "not run: it repeats a call from the result of a tool. Calls are only taken from you."
    if call.is_mended:
        wrong = ", ".join(sorted({f"{repair.path} {repair.kind}" for repair in call.repairs if _changes(repair)}))
        return f"not run: its form has mistakes ({wrong}). If it is still needed, write it again exactly as shown."
    return "not run: it is not allowed."


_MAX_NAMED = 5


def _changes(repair: Any) -> bool:
    return bool(repair.before != repair.after)
