"""Which calls may run, and what the language model reads of those that may not."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from reprlib import Repr
from typing import Any, Literal, TypeAlias, get_args

from ..errors import ReplyError
from ..findings import ProblemKind
from .calls import Call, is_change

Verdict: TypeAlias = Literal["allow", "ask", "deny"]
"""What a policy says of a call: it runs, a person decides, or it does not run."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

Policy: TypeAlias = Callable[[Call], Verdict | Awaitable[Verdict]]
"""A function from a call to a verdict. For `aact` it may be a coroutine function."""

_MAX_NAMED = 5  # problems that the language model is told of
_SHORT = Repr()
_SHORT.maxstring = 60


def default_policy(call: Call) -> Verdict:
    """Allow the calls that came whole, outside of quotations, and without a repair that changed anything.

    Any other call does not run; the language model reads why, and can write it again. A policy of your own replaces
    this one, and gets all calls with valid arguments, those that were cut off, quoted or mended too. It can begin with
    this one: `lambda call: "ask" if call.name == "delete" else default_policy(call)`.
    """
    return "deny" if call.problems or call.is_quoted or call.is_mended else "allow"


def arguments_of(call: Call) -> Any:
    """Returns the validated arguments of a call, of one that was cut off too. None if it cannot run."""
    if call.tool is None or any(problem.kind is not ProblemKind.TRUNCATED for problem in call.problems):
        return None
    if not call.problems:
        return call.arguments
    try:  # a problem of the end may hide another one at its place
        whole = call.tool.request.parse(str(call.response))
    except ReplyError:
        return None
    return replace(call, response=whole, problems=()).arguments


def why_not(call: Call) -> str:
    """Returns why a call does not run, for the language model."""
    if call.is_cut:
        return "not run: it was cut off. If it is still needed, write it again, whole, or a shorter one."
    if call.problems:
        wrong = "; ".join(str(problem) for problem in call.problems[:_MAX_NAMED])
        return f"not run: {wrong}. If it is still needed, write it again."
    if call.is_quoted:
        return "not run: it repeats a call from the result of a tool. Calls are only taken from you."
    if call.is_mended:
        slips = {f"{each.path} {each.kind}: {_SHORT.repr(each.before)}" for each in call.repairs if is_change(each)}
        wrong = "; ".join(sorted(slips)[:_MAX_NAMED])
        return f"not run: its form has mistakes ({wrong}). If it is still needed, write it again exactly as shown."
    return "not run: it is not allowed."
