"""The loop of an agent: a language model calls tools until it gives the answer. For threads and for tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeAlias, TypedDict, TypeVar, get_args

from ..asking.caching import THREADS, Flights
from ..asking.conversation import Order
from ..asking.models import models_of
from ..asking.result import AskOptions, Attempt, Request, checked_options, usage_of
from ..asking.session import Asking, callers_of
from ..asking.spans import span
from ..asking.spending import Budget, Prices
from ..asking.templates import Templates
from ..completion import Completion, Message, Usage, messages_of, total_cost
from ..errors import ActError
from ..findings import Problem, ProblemKind
from ..options import Format, check_choice
from ..response import StructuredResponse
from .calls import Call, Calls
from .journal import ActJournal
from .policy import VERDICTS, Policy, Verdict, default_policy, why_not
from .results import result_text
from .running import Outcome, arun_tool, run_tool
from .together import together
from .toolbox import Toolbox

if TYPE_CHECKING:
    from ..explain import Explanation

AnswerT = TypeVar("AnswerT")

ActMode: TypeAlias = Literal["text", "native"]
"""How tools are called: in the text of replies, or by the provider's own means."""


class ActOptions(TypedDict, total=False):
    """The options of `act` and `aact`, for functions of your own that pass them on. Those of `ask` mean the same."""

    mode: ActMode
    max_turns: int
    context: Any
    policy: Policy
    approve: Callable[[Call], Any] | None
    journal: str | Path | None
    on_turn: Callable[[Turn], Any] | None
    attempts: int
    retries: int
    max_wait: float
    fallbacks: Sequence[Any]
    key: str | None
    on_request: Callable[[Request], Any] | None
    on_response: Callable[[Request, Completion], Any] | None
    on_error: Callable[[Request, Exception], Any] | None
    budget: Budget | None
    price: Prices | None
    order: Order
    templates: Templates | None
    api_key: str | None
    key_env: str | None
    trace_content: bool
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
"""The defaults of acting. Those of asking are the defaults of `AskOptions`."""

_OWN = tuple(name for name in ACT_DEFAULTS if name != "order")


@dataclass(frozen=True)
class Made:
    """A call and what came of it.

    Attributes:
        call: The call.
        verdict: What the policy said.
        outcome: The result, or why the call did not run. None if the program is to answer it.
    """

    call: Call
    verdict: Verdict
    outcome: Outcome | None


@dataclass(frozen=True)
class Turn:
    """A reply of the language model, and its calls.

    Attributes:
        attempt: The call of the language model: its messages, its reply, its tokens.
        made: The calls of tools, in the order of the reply.
    """

    attempt: Attempt
    made: tuple[Made, ...] = ()

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls of tools."""
        return tuple(each.call for each in self.made)


@dataclass(frozen=True)
class ActResult(Generic[AnswerT]):
    """What `act` came to.

    Attributes:
        response: The response that holds the answer. None if there is none yet, or if it is a text.
        turns: Every turn.
        pending: Calls of tools without a function, which the program is to answer; see `answered`.
        messages: The conversation, the last reply included.
    """

    response: StructuredResponse[AnswerT] | None
    turns: tuple[Turn, ...]
    pending: tuple[Call, ...] = ()
    messages: tuple[Message, ...] = ()

    @cached_property
    def value(self) -> AnswerT:
        """The validated answer, or the text of the last reply if none was asked for.

        Raises:
            ValueError: There are calls to answer first.
        """
        if self.pending:
            raise ValueError(f"there is no answer yet; {self.pending[0].name} is to be answered first")
        value: Any = self.text if self.response is None else self.response.to_basemodel()
        found: AnswerT = value
        return found

    @property
    def text(self) -> str:
        """The text of the last reply."""
        return self.turns[-1].attempt.reply if self.turns else ""

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """The call of the language model of each turn."""
        return tuple(turn.attempt for turn in self.turns)

    @property
    def usage(self) -> Usage:
        """The tokens of all turns together."""
        return usage_of(self.attempts)

    @property
    def cost(self) -> Decimal | None:
        """The price of all turns together in US dollars, or None if that of one of them is unknown."""
        return total_cost(attempt.cost for attempt in self.attempts)

    def answered(self, *results: Any) -> list[Message]:
        """Return the conversation with the results of the pending calls, to pass it to `act` as the task.

        Args:
            *results: A result for each of `pending`, in its order.

        Raises:
            ValueError: There are more or fewer of them than pending calls.
        """
        if len(results) != len(self.pending):
            raise ValueError(f"{len(self.pending)} calls are pending, and {len(results)} results are given")
        given = dict(zip(map(id, self.pending), map(result_text, results), strict=True))
        made = [
            each if each.outcome is not None else replace(each, outcome=Outcome(given[id(each.call)]))
            for each in self.turns[-1].made
        ]
        is_native = "tool_calls" in self.messages[-1]
        return [*self.messages, *results_of(made, is_native)]

    def explain(self) -> Explanation:
        """Explain how the answer came about: each turn with its question and its reply."""
        from ..explain import explanation_of_attempts

        return explanation_of_attempts(self.attempts, self.response)


def results_of(made: Sequence[Made], is_native: bool) -> list[Message]:
    """Returns the messages with the results of calls."""
    if is_native:
        return [
            {"role": "tool", "tool_call_id": each.call.id or "", "content": each.outcome.text}
            for each in made
            if each.outcome is not None
        ]
    texts = [
        f"<result tool='{each.call.name}' status='{'error' if each.outcome.error else 'ok'}'>\n"
        f"{_without_marks(each.outcome.text)}\n</result>"
        for each in made
        if each.outcome is not None
    ]
    return [{"role": "user", "content": "\n".join(texts)}]


def _without_marks(text: str) -> str:
    """Returns a result that cannot end its own element, or begin another."""
    return text.replace("</result", "&lt;/result").replace("<result", "&lt;result")


class Acting:
    """A conversation with tools, up to its answer. `flights` are those of threads or of an event loop."""

    def __init__(
        self, complete: Any, task: Any, toolbox: Toolbox, answer: Any, options: ActOptions, flights: Flights
    ) -> None:
        self.own, asking = checked_act(options)
        self.toolbox = toolbox
        self.flights = flights
        self.is_text = answer is None
        self.is_native = self.own["mode"] == "native"
        checked, _how = checked_options(asking)
        models = models_of(complete, checked, flights)
        asking["api_key"] = None
        if self.is_native:
            models.completes = [_with_tools(each, toolbox) for each in models.completes]
        self.models = models
        prompt = _prompt(task, toolbox, self.is_native, self.is_text)
        self.asking = Asking(models, prompt, str if self.is_text else answer, asking, flights)
        if self.is_text:
            self.asking.messages = prompt
        self.callers = callers_of(models, checked) if self.own["journal"] is not None else []
        self.turns: list[Turn] = []
        self.results: list[str] = []  # of tools, so far

    async def answer(self) -> ActResult[Any]:
        """Goes on until there is an answer."""
        with ExitStack() as opened, span(f"act {self.asking.asked.class_name}") as note:
            self.journal = None
            if self.own["journal"] is not None:
                self.journal = opened.enter_context(ActJournal(self.own["journal"]))
            try:
                return await self._until_done()
            finally:
                await self.models.close()
                note(usage_of([turn.attempt for turn in self.turns]), turns=len(self.turns))

    async def _until_done(self) -> ActResult[Any]:
        tries = 0
        while len(self.turns) < self.own["max_turns"]:
            completion, attempt = await self._complete()
            calls = self._calls(completion)
            made = await self._make(calls) if len(calls) else []
            turn = Turn(attempt, tuple(made))
            self.turns.append(turn)
            if self.own["on_turn"] is not None:
                await self.flights.do(self.own["on_turn"], turn)
            if made:
                said = _said(completion)
                pending = tuple(each.call for each in made if each.outcome is None)
                if pending:
                    return ActResult(None, tuple(self.turns), pending, (*self.asking.messages, said))
                self.results += [each.outcome.text for each in made if each.outcome is not None]
                self.asking.messages = [*self.asking.messages, said, *results_of(made, "tool_calls" in said)]
                continue
            tries += 1
            if done := self._ended(completion, tries):
                return done
        raise self._failed(f"there is no answer after {self.own['max_turns']} turns")

    def _ended(self, completion: Completion, tries: int) -> ActResult[Any] | None:
        """Returns the result if a reply without calls is the answer. Raises if no further try is allowed."""
        messages = (*self.asking.messages, {"role": "assistant", "content": completion.text})
        if self.is_text:
            if completion.text.strip():
                return ActResult(None, tuple(self.turns), (), messages)
        else:
            self.asking.read(completion)
            if self.asking.error is None:
                return ActResult(self.asking.best, tuple(self.turns), (), messages)
        if tries >= self.asking.options["attempts"] or self.asking.is_over:
            raise self._failed("the reply is empty")
        return None

    def _failed(self, message: str) -> ActError:
        error = self.asking.error
        attempts = [turn.attempt for turn in self.turns]
        reply = attempts[-1].reply if attempts else ""
        problems = error.problems if error is not None else [Problem(ProblemKind.NO_ANSWER, "$", message)]
        failure = ActError(problems, reply, self.asking.best, attempts, usage_of(attempts))
        failure.turns = tuple(self.turns)
        return failure

    async def _complete(self) -> tuple[Completion, Attempt]:
        """Calls the language model, unless the journal has its reply."""
        messages, started, caller = tuple(self.asking.messages), perf_counter(), self.asking.caller
        caller.attempts = [turn.attempt for turn in self.turns]
        number = len(self.turns) + 1
        key, kept = "", None
        if self.journal is not None:
            key = self.journal.key(self.callers[caller.turn], number, messages)
            kept = self.journal.completion(key)
        completion = kept or await caller.completion(messages)
        if self.journal is not None and kept is None:
            self.journal.keep(key, completion)
        usage = Usage() if kept else completion.usage
        cost = Decimal() if kept else caller.prices[caller.turn](usage)
        reply, reason, seconds = completion.text, completion.finish_reason, perf_counter() - started
        turn = caller.turn
        attempt = Attempt(number, messages, reply, reason, (), (), usage, seconds, kept is not None, turn, cost)
        return completion, attempt

    def _calls(self, completion: Completion) -> Calls:
        """Returns the calls of a reply. One that stands in a result of a tool is a quotation."""
        if completion.tool_calls:
            return self.toolbox.from_native(completion)
        calls = self.toolbox.parse(completion.text)
        said = "\n".join(self.results)
        marked = tuple(replace(call, is_quoted=True) if call.text in said else call for call in calls)
        return replace(calls, calls=marked)

    async def _make(self, calls: Calls) -> list[Made]:
        """Runs the calls of a reply that may run, at the same time."""
        verdicts: list[Verdict] = [await self._verdict(call) for call in calls]
        jobs = [partial(self._outcome, number, call, verdicts[number]) for number, call in enumerate(calls)]
        outcomes = await together(self.flights, jobs)
        return [Made(*each) for each in zip(calls, verdicts, outcomes, strict=True)]

    async def _verdict(self, call: Call) -> Verdict:
        if call.problems:
            return "deny"
        verdict = self.own["policy"](call)
        check_choice("the policy's verdict", verdict, VERDICTS)
        if verdict != "ask":
            return verdict
        approve = self.own["approve"]
        return "allow" if approve is not None and await self.flights.do(approve, call) else "deny"

    async def _outcome(self, number: int, call: Call, verdict: Verdict) -> Outcome | None:
        """Returns what came of a call, or None if the program is to answer it."""
        reason = why_not(call, verdict)
        if reason is not None:
            return Outcome(reason, error=True)
        tool = call.tool
        assert tool is not None
        if tool.function is None:
            return None
        key = ""
        if self.journal is not None:
            key = self.journal.key(call.name, f"{len(self.turns)} {number}", (*self.asking.messages, call.text))
            known = self.journal.outcome(key, tool.idempotent)
            if known is not None:
                return known
            self.journal.start(key)
        with span(f"execute_tool {call.name}"):
            run: Callable[..., Any] = run_tool if self.flights is THREADS else arun_tool
            running = partial(run, call_id=call.id)
            outcome: Outcome = await self.flights.do(running, tool, call.arguments, self.own["context"])
        if self.journal is not None:
            self.journal.end(key, outcome)
        return outcome


def checked_act(given: ActOptions) -> tuple[ActOptions, AskOptions]:
    """Returns the options of acting with their defaults, and those of asking."""
    known = ActOptions.__annotations__
    for name in given:
        if name not in known:
            raise TypeError(f"{name!r} is not an option; the options are {', '.join(known)}")
    own: ActOptions = {**ACT_DEFAULTS, **given}
    check_choice("mode", own["mode"], get_args(ActMode))
    if own["max_turns"] < 1:
        raise ValueError(f"max_turns must be at least 1, not {own['max_turns']!r}")
    asking: Any = {name: value for name, value in own.items() if name not in _OWN}
    return own, asking


def _with_tools(complete: Any, toolbox: Toolbox) -> Any:
    """Returns a client that sends the schemas of tools."""
    if not hasattr(complete, "with_tools"):
        raise TypeError(f"mode='native' needs a client of structured_response.clients, not {complete!r}"[:200])
    return complete.with_tools([tool["function"] for tool in toolbox.to_openai()])


def _prompt(task: Any, toolbox: Toolbox, is_native: bool, is_text: bool) -> list[Message]:
    """Returns the task, with the tools in its system message."""
    messages = messages_of(task)
    parts = [] if is_native else [toolbox.to_prompt()]
    parts += [] if is_text else ["Once you can answer, call no tool. The answer has this form:"]
    shown = "\n\n".join(parts)
    if not shown or any(shown in str(message.get("content")) for message in messages):
        return messages
    if messages and messages[0]["role"] in ("system", "developer"):
        content = messages[0]["content"]
        whole = f"{content}\n\n{shown}" if isinstance(content, str) else [*content, {"type": "text", "text": shown}]
        return [{**messages[0], "content": whole}, *messages[1:]]
    return [{"role": "system", "content": shown}, *messages]


def _said(completion: Completion) -> Message:
    """Returns a reply with calls as a message of the conversation."""
    if not completion.tool_calls:
        return {"role": "assistant", "content": completion.text}
    return {
        "role": "assistant",
        "content": completion.text or None,
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in completion.tool_calls
        ],
    }
