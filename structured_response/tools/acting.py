"""The loop of an agent: a language model calls tools until it gives the answer. For threads and for tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import Any

from ..asking.caching import THREADS, Flights
from ..asking.conversation import joins, refused, to_continue
from ..asking.result import annotate, usage_of
from ..asking.session import Asking, response_of
from ..asking.setup import Setup
from ..asking.spans import span
from ..completion import Completion, messages_of
from ..definition import fold
from ..errors import ActError, AskError, ReplyError
from ..findings import Problem, ProblemKind
from ..options import check_choice
from .act_options import ActOptions, checked_act
from .calls import Call
from .conversation import IN_FENCE, is_in_fence, opening, outside_answer, results_of, said, with_ids, without_reasoning
from .journal import ActJournal
from .policy import VERDICTS, Verdict, arguments_of, why_not
from .quoting import Quotations
from .running import Outcome, arun_tool, run_tool
from .source import BREAKS_OFF
from .together import together
from .toolbox import Toolbox
from .turns import ActResult, CallResult, Turn


class Acting:
    """A conversation with tools, up to its answer. `flights` are those of threads or of an event loop."""

    def __init__(
        self, complete: Any, task: Any, toolbox: Toolbox, answer: Any, options: ActOptions, flights: Flights
    ) -> None:
        self.own, given = checked_act(options, flights)
        self.toolbox, self.flights = toolbox, flights
        self.is_text, is_native = answer is None, self.own["mode"] == "native"
        asked = response_of(str if self.is_text else answer)
        self.names = {asked._plan.root_name, asked.class_name}
        _check_toolbox(toolbox, None if self.is_text else asked.class_name)
        messages = opening(messages_of(task), toolbox, is_native, self.is_text)
        has_journal = self.own["journal"] is not None
        self.setup = Setup(complete, asked, given, flights, is_text=self.is_text, has_journal=has_journal)
        if is_native and len(toolbox):
            self.setup.completes = [_with_tools(each, toolbox) for each in self.setup.completes]
        self.asking = Asking(self.setup, messages)
        if self.is_text:
            self.asking.messages = messages
        self.quotations = Quotations(toolbox, messages)
        self.turns: list[Turn] = []
        self.text = ""  # of the answer
        self.is_in_fence, self.is_told = False, False  # a call that does not run, and whether this was said

    async def answer(self) -> ActResult[Any]:
        """Goes on until there is an answer."""
        try:
            with ActJournal(self.own["journal"]) as self.journal, span(f"act {self.asking.asked.class_name}") as note:
                try:
                    return await self._until_done()
                finally:
                    note(turns=len(self.turns), tokens=usage_of(self.asking.made).total_tokens)
        except Exception as error:
            vars(error)["turns"] = tuple(self.turns)
            if not isinstance(error, AskError):
                annotate(error, self.asking.caller.target, self.asking.made)
            raise
        finally:
            await self.setup.close()

    async def _until_done(self) -> ActResult[Any]:
        asking, tries = self.asking, 0
        while len(self.turns) < self.own["max_turns"]:
            completion = await self._complete()
            calls = self._calls(completion)
            results = await self._results(calls)
            if not results:
                self._read(completion)
            turn = Turn(asking.made[-1], results)
            self.turns.append(turn)
            if self.own["on_turn"] is not None:
                await self.flights.do(self.own["on_turn"], turn)
            if results:
                asking.messages, asking.unfinished = [*asking.messages, said(completion)], ""
                ended = [(each.call, each.outcome) for each in results if each.outcome is not None]
                if len(ended) < len(results):
                    return self._result(None)
                for each in results:
                    if each.outcome is not None and each.verdict == "allow":
                        self.quotations.add(each.outcome.text)
                asking.messages += results_of(ended, bool(completion.tool_calls))
                continue
            tries += 1
            if asking.error is None:
                asking.messages = [*asking.messages, said(completion)]
                return self._result(asking.best, self.text)
            if tries >= asking.options["attempts"] or asking.is_over:
                raise self._failed(asking.error.problems, asking.error.reply)
        problem = Problem(ProblemKind.NO_ANSWER, "$", f"there is no answer after {self.own['max_turns']} turns")
        raise self._failed([problem], asking.made[-1].reply)

    def _result(self, response: Any, text: str = "") -> ActResult[Any]:
        return ActResult(response, tuple(self.asking.made), tuple(self.turns), tuple(self.asking.messages), text)

    def _failed(self, problems: Sequence[Problem], reply: str) -> ActError:
        return ActError(problems, reply, self.asking.best, self.asking.made, usage_of(self.asking.made))

    # Replies

    async def _complete(self) -> Completion:
        """Calls the language model, unless the journal has its reply."""
        asking, caller, started = self.asking, self.asking.caller, perf_counter()
        messages, number = tuple(asking.messages), len(self.turns) + 1
        self.journal.follow(messages)
        key = self.journal.key("reply", number, self.setup.callers)
        known = self.journal.completion(key)
        caller.best = asking.best
        completion = known or await caller.completion(messages)
        if known is None:
            self.journal.keep(key, completion)
        asking.record(messages, completion, known is not None, perf_counter() - started)
        return with_ids(completion, messages)

    def _calls(self, completion: Completion) -> list[Call]:
        """Returns the calls of a reply. One that was refused, or ended by a filter, has none."""
        if completion.refusal is not None and not completion.calls_tools:
            return []
        if not completion.tool_calls:
            found = self.toolbox.parse(completion.text)
            calls = found if self.is_text else outside_answer(found, completion.text, self.names)
            self.is_in_fence = not calls and any(is_in_fence(completion.text, call) for call in found.quoted)
            return [self.quotations.marked(call, call.text) for call in calls]
        *whole, last = map(self.quotations.marked, self.toolbox.from_native(completion))
        if completion.is_cut_off:  # its arguments may look whole
            problem = Problem(ProblemKind.TRUNCATED, "$", BREAKS_OFF, span=last.span)
            last = replace(last, problems=(*last.problems, problem))
        return [*whole, last]

    def _read(self, completion: Completion) -> None:
        """Reads a reply without calls as the answer."""
        asking = self.asking
        if completion.calls_tools:  # it says so, and has none
            completion = replace(completion, finish_reason=None)
        if self.is_text:
            self._read_text(completion)
        else:
            asking.read(completion)
            self.text = completion.text
            if asking.error is not None and self.is_in_fence:
                asking.messages[-1] = {"role": "user", "content": f"{IN_FENCE}\n\n{asking.messages[-1]['content']}"}
        problems, repairs = asking.findings()
        asking.made[-1] = replace(asking.made[-1], problems=problems, repairs=repairs)

    def _read_text(self, completion: Completion) -> None:
        """Takes a reply as the answer, with what it continues. One that was cut off is to go on."""
        asking = self.asking
        self.text = joins(asking.unfinished, completion.text)[0][0]
        problems = refused(completion, [])
        if completion.is_cut_off:
            problems = [Problem(ProblemKind.TRUNCATED, "$", BREAKS_OFF)]
            asking.unfinished = self.text
            asking.say(completion.text, to_continue(self.text, self.setup.templates["cut_off"]))
        elif not self.text.strip():
            problems = problems or [Problem(ProblemKind.NO_ANSWER, "$", "the reply is empty")]
        elif self.is_in_fence and not self.is_told:
            self.is_told = True
            problems = problems or [Problem(ProblemKind.NO_ANSWER, "$", "a call stands in a fence with other text")]
            asking.say(completion.text, IN_FENCE)
        else:
            self.text = without_reasoning(self.text, self.toolbox)
        asking.error = ReplyError(problems, self.text, None) if problems else None
        asking.is_over = any(problem.kind is ProblemKind.REFUSAL for problem in problems)

    # Calls

    async def _results(self, calls: Sequence[Call]) -> tuple[CallResult, ...]:
        """Asks the policy about each call, and runs those that may run at the same time."""
        keys = [self.journal.key("call", len(self.turns), at, call.name, call.text) for at, call in enumerate(calls)]
        decided = [await self._decided(call, key) for call, key in zip(calls, keys, strict=True)]
        jobs = [partial(self._ran, each, key) for each, key in zip(decided, keys, strict=True)]
        return tuple(await together(self.flights, jobs))

    async def _decided(self, call: Call, key: str) -> CallResult:
        """Returns a call without an outcome if it may run now."""
        known = self.journal.outcome(key, call.tool.idempotent) if call.tool is not None else None
        if known is not None:
            return CallResult(call, "allow", known)
        verdict = "deny" if arguments_of(call) is None else await self._verdict(call)
        return CallResult(call, verdict, None if verdict == "allow" else Outcome(why_not(call), error=True))

    async def _verdict(self, call: Call) -> Verdict:
        verdict: Verdict = await self.flights.do(self.own["policy"], call)
        check_choice("the policy's verdict", verdict, VERDICTS)
        if verdict != "ask":
            return verdict
        approve = self.own["approve"]
        approved = approve is not None and await self.flights.do(approve, call)
        if not isinstance(approved, bool):  # such as the text "no"
            raise TypeError(f"approve returns True or False, not {approved!r}")
        return "allow" if approved else "deny"

    async def _ran(self, decided: CallResult, key: str) -> CallResult:
        """Runs a call, unless it has an outcome already, or the program is to answer it."""
        call, tool = decided.call, decided.call.tool
        if decided.outcome is not None or tool is None or tool.function is None:
            return decided
        run: Callable[..., Any] = run_tool if self.flights is THREADS else arun_tool
        self.journal.start(key)
        with span(f"execute_tool {call.name}", attributes=_told(call)) as note:
            running = partial(run, call_id=call.id)
            outcome: Outcome = await self.flights.do(running, tool, arguments_of(call), self.own["context"])
            told = {"error.type": "timeout" if outcome.is_running else "tool_error"} if outcome.error else {}
            if self.asking.options["trace_content"]:
                told |= {"gen_ai.tool.call.arguments": call.text, "gen_ai.tool.call.result": outcome.text}
            note(told)
        self.journal.end(key, outcome)
        return replace(decided, outcome=outcome)


def _check_toolbox(toolbox: Any, answer: str | None) -> None:
    if not isinstance(toolbox, Toolbox):
        raise TypeError(f"the tools are given as a Toolbox, not {toolbox!r}"[:200])
    for name in toolbox.tools:
        if answer is not None and fold(name) == fold(answer):
            raise ValueError(f"the answer and a tool are both called {name}; calls could be taken for the answer")


def _with_tools(complete: Any, toolbox: Toolbox) -> Any:
    """Returns a client that sends the schemas of tools."""
    if not hasattr(complete, "with_tools"):
        raise TypeError(f"mode='native' needs a client of structured_response.clients, not {complete!r}"[:200])
    return complete.with_tools([tool["function"] for tool in toolbox.to_openai()])


def _told(call: Call) -> dict[str, str]:
    """Returns the attributes of a call's span, by OpenTelemetry's conventions for GenAI."""
    told = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": call.id,
    }
    return {name: value for name, value in told.items() if value}
