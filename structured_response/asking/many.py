"""`ask_many` and `aask_many`: asking many questions at a time, and the iterators over their results."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack, overload

from ..completion import AsyncComplete, Complete, Message, Usage
from ..response import StructuredResponse
from .api import show_options
from .result import MANY_DEFAULTS, ManyOptions
from .running import Answered, Run, Tasks, Threads
from .streaming import AsyncClosing, Closing

if TYPE_CHECKING:
    import pyarrow as pa
    from typing_extensions import TypeForm

    from ..response import AnyType

ModelT = TypeVar("ModelT")


class _AskMany(Generic[ModelT]):
    _run: Run[ModelT]

    @property
    def usage(self) -> Usage:
        """The tokens of all calls that have ended. Replies of a journal or a cache cost none."""
        return self._run.setup.spent.usage

    @property
    def cost(self) -> Decimal | None:
        """The price of all calls that have ended in US dollars, or None if that of one of them is unknown."""
        return self._run.setup.spent.cost

    def _table(self, results: Iterable[Answered[ModelT]]) -> pa.Table:
        from ..batch.asked import table_of_answers

        return table_of_answers(results, self._run.asked)


class AskMany(_AskMany[ModelT], Closing[Answered[ModelT]]):
    """An iterator over the results of `ask_many`. Tasks are taken while it is iterated over."""

    def to_table(self) -> pa.Table:
        """Returns the results that were not taken yet as a table. It waits for all of them.

        Returns:
            A table with a row for each result, in the order of the tasks, and the columns of `parse_column`. A task
            whose call failed has the status `provider_error`.

        Raises:
            BatchError: See `ask_many`.
            MissingExtraError: pyarrow is not installed.
        """
        return self._table(self)


class AsyncAskMany(_AskMany[ModelT], AsyncClosing[Answered[ModelT]]):
    """An `AskMany` for `async for`."""

    async def __anext__(self) -> Answered[ModelT]:
        result: Answered[ModelT] | asyncio.CancelledError = await anext(self._items)
        if isinstance(result, asyncio.CancelledError):
            raise asyncio.CancelledError(*result.args)
        return result

    async def to_table(self) -> pa.Table:
        """Returns the results that were not taken yet as a table: see `AskMany.to_table`."""
        return self._table([result async for result in self])


@overload
def ask_many(
    complete: Complete | str,
    tasks: Iterable[str | Sequence[Message]],
    model: type[AnyType] | StructuredResponse[AnyType],
    **options: Unpack[ManyOptions],
) -> AskMany[AnyType]: ...
@overload
def ask_many(
    complete: Complete | str,
    tasks: Iterable[str | Sequence[Message]],
    model: TypeForm[AnyType],
    **options: Unpack[ManyOptions],
) -> AskMany[AnyType]: ...
def ask_many(complete: Any, tasks: Any, model: Any, **options: Unpack[ManyOptions]) -> Any:
    """Asks a language model many questions, several at a time, each as `ask` does.

    Tasks are taken as they are needed. A task that fails ends no other: its result is an `AskError`, whatever was
    raised.

    Args:
        complete: See `ask`. It is called from several threads.
        tasks: The prompts, each a question or messages.
        model: See `ask`.
        concurrency: The number of questions that are asked at a time.
        as_completed: True to get results as they come, not in the order of the tasks.
        max_failures: The number of failed tasks after which the next failure is a `BatchError`. Failures count as they
            are given: in the order of the tasks, up to 16 further calls for each of `concurrency` may be paid by then.
        progress: Whether to draw a progress bar on stderr; None for one on a terminal, if rich is installed.
        journal: The path of a file that keeps each reply as it arrives. With the same file, another run calls for no
            reply that is in there. It needs `key`, or a `complete` with a `cache_key`.
        requests_per_minute: The limit of requests, evenly spread.
        tokens_per_minute: The limit of tokens. A call reserves one for each three characters, and its `max_tokens`,
            until its usage is known.
        order: "cache" to put the form of the answer into the system message, so that all tasks begin alike, which
            caches of providers need. "ask" to put it at the end, as `ask` does.
        budget: What all questions together may use. The results of those that have begun are given, and then a
            `BudgetError` ends the run, if there is any without an answer for that reason.
        attempts, retries, max_wait, fallbacks, cache, key, examples, strict, on_truncated, on_refusal: See `ask`.
        on_attempt, on_request, on_response, on_error, price, mode, templates, trace_content: See `ask`.
        api_key, key_env, format, on_bad_item, repair, day_first, context: See `ask`.

    Returns:
        An iterator of `AskResult` and `AskError`, each with its `task` and its `index`. Closing it stops
        further calls, and waits for those in flight.

    Raises:
        BudgetError: The budget is spent.
        BatchError: More tasks than `max_failures` failed; `failures` has a sentence for each. Or the journal failed.
        CacheError: `cache` cannot be a cache.
        MissingExtraError: An option needs a package that is not installed.
        TypeError, ValueError: An argument is wrong, or `complete` returned something else than a completion.
    """
    return AskMany(Run(complete, tasks, model, options, Threads))


@overload
def aask_many(
    complete: AsyncComplete | Complete | str,
    tasks: Iterable[str | Sequence[Message]],
    model: type[AnyType] | StructuredResponse[AnyType],
    **options: Unpack[ManyOptions],
) -> AsyncAskMany[AnyType]: ...
@overload
def aask_many(
    complete: AsyncComplete | Complete | str,
    tasks: Iterable[str | Sequence[Message]],
    model: TypeForm[AnyType],
    **options: Unpack[ManyOptions],
) -> AsyncAskMany[AnyType]: ...
def aask_many(complete: Any, tasks: Any, model: Any, **options: Unpack[ManyOptions]) -> Any:
    """Asks a language model many questions, for `async for`, from inside a coroutine.

    Args:
        complete: See `aask`.
        tasks, model: See `ask_many`.
        options: Those of `ask_many`. Callbacks and the methods of a cache may be coroutine functions, as for `aask`.

    Returns:
        An asynchronous iterator of `AskResult` and `AskError`. Closing it cancels the calls in flight.

    Raises:
        Exception: See `ask_many`.
    """
    return AsyncAskMany(Run(complete, tasks, model, options, Tasks))


show_options(ask_many, ManyOptions, MANY_DEFAULTS)
show_options(aask_many, ManyOptions, MANY_DEFAULTS)
