"""`act` and `aact`: acting without `await` and with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack, overload

from ..asking.api import show_options
from ..asking.caching import THREADS, tasks
from ..cache.base import at_once
from ..completion import AsyncComplete, Complete, Message
from ..response import StructuredResponse
from .act_options import ACT_DEFAULTS, ActOptions
from .acting import Acting
from .toolbox import Toolbox
from .turns import ActResult

if TYPE_CHECKING:
    from typing_extensions import TypeForm

    from ..response import AnyType


@overload
def act(
    complete: Complete | str,
    task: str | Sequence[Message],
    toolbox: Toolbox,
    answer: None = None,
    **options: Unpack[ActOptions],
) -> ActResult[str]: ...
@overload
def act(
    complete: Complete | str,
    task: str | Sequence[Message],
    toolbox: Toolbox,
    answer: type[AnyType] | StructuredResponse[AnyType],
    **options: Unpack[ActOptions],
) -> ActResult[AnyType]: ...
@overload
def act(
    complete: Complete | str,
    task: str | Sequence[Message],
    toolbox: Toolbox,
    answer: TypeForm[AnyType],
    **options: Unpack[ActOptions],
) -> ActResult[AnyType]: ...
def act(
    complete: Any, task: str | Sequence[Message], toolbox: Toolbox, answer: Any = None, **options: Unpack[ActOptions]
) -> Any:
    """Let a language model call tools until it gives the answer.

    Each turn is one call of the language model. The calls of tools in its reply run at the same time, and their results
    are the next message. A reply without calls is the answer; if it falls short, what is wrong with it is asked for
    again.

    Args:
        complete: As for `ask`.
        task: What to do, or messages. The tools and the form of the answer are added to the system message.
        toolbox: The tools.
        answer: What the answer is: a Pydantic model, any other type, or a response that asks for something. Without it
            the answer is the text of the first reply without calls.
        mode: "text" for calls in the text of replies, "native" for the provider's own, for which `complete` has to be a
            client of `structured_response.clients`, or a name.
        max_turns: How often the language model is called at most.
        context: What the tools get as their `ToolContext`.
        policy: A function of a `Call` that returns "allow", "ask" or "deny"; see `default_policy`. Calls without valid
            arguments never run and never reach it.
        approve: Called with each `Call` of which the policy says "ask". It runs if the result is True, and not if it is
            False. Without this function it does not run.
        journal: A file that keeps each reply and each result as it comes. After a kill, the same call of `act` goes on
            with it: what ended is not done again, and a tool that was started runs again only if it is idempotent.
            One file serves any number of tasks.
        on_turn: Called with each `Turn` as it ends.
        attempts: How often the answer is asked for at most.
        key: The name of the language model, for the journal; see `ask`.
        retries, max_wait, fallbacks, on_request, on_response, on_error, budget, price, order, templates, api_key,
            key_env, trace_content, format, examples: See `ask`. `order` is "cache" here.

    Returns:
        The answer, with every turn. If tools without a function are called, it has `pending` calls in place of an
        answer.

    Raises:
        ActError: There is no answer after `max_turns` turns, or `attempts` tries at it, or the model refuses.
        BudgetError: The budget is spent.
        BatchError: The journal cannot be read or written.
        MissingExtraError, TypeError, ValueError: An argument is wrong.
        Exception: Whatever `complete` or a function among the options raises. What a tool raises is a result.
            Every exception has the turns before it as `turns`, and their calls of the language model as `attempts`.
    """
    return at_once(Acting(complete, task, toolbox, answer, options, THREADS).answer())


@overload
async def aact(
    complete: AsyncComplete | Complete | str,
    task: str | Sequence[Message],
    toolbox: Toolbox,
    answer: None = None,
    **options: Unpack[ActOptions],
) -> ActResult[str]: ...
@overload
async def aact(
    complete: AsyncComplete | Complete | str,
    task: str | Sequence[Message],
    toolbox: Toolbox,
    answer: type[AnyType] | StructuredResponse[AnyType],
    **options: Unpack[ActOptions],
) -> ActResult[AnyType]: ...
@overload
async def aact(
    complete: AsyncComplete | Complete | str,
    task: str | Sequence[Message],
    toolbox: Toolbox,
    answer: TypeForm[AnyType],
    **options: Unpack[ActOptions],
) -> ActResult[AnyType]: ...
async def aact(
    complete: Any, task: str | Sequence[Message], toolbox: Toolbox, answer: Any = None, **options: Unpack[ActOptions]
) -> Any:
    """Let a language model call tools until it gives the answer, with `await`.

    Args:
        complete: As for `aask`.
        task, toolbox, answer: See `act`. Async tools run on this event loop.
        options: Those of `act`. `policy`, `approve`, `on_turn` and the hooks may be coroutine functions.

    Returns:
        The answer, with every turn.

    Raises:
        Exception: See `act`.
    """
    return await Acting(complete, task, toolbox, answer, options, tasks()).answer()


show_options(act, ActOptions, ACT_DEFAULTS)
show_options(aact, ActOptions, ACT_DEFAULTS)
