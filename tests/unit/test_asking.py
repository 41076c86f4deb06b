"""`ask` and `aask`: what is sent, what becomes of each reply, and what comes out; the same with and without `await`."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel, Field, ValidationInfo, field_validator

from structured_response import (
    AskError,
    AskResult,
    Attempt,
    Completion,
    InstanceError,
    ReplyError,
    StructuredResponse,
    Usage,
    aask,
    ask,
)


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)


GOOD = "<review><headline>Nice</headline><score>4</score></review>"
BAD = "<review><headline>Nice</headline><score>many</score></review>"
NICE = Review(headline="Nice", score=4)
QUESTION = "Review a lamp."

Reply = str | Completion | BaseException


class Model:
    """A language model that says one thing after the other, whatever it is sent."""

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.sent: list[list[Any]] = []

    def __call__(self, messages: Sequence[Any]) -> Any:
        self.sent.append(list(messages))
        reply = self.replies.pop(0)
        if isinstance(reply, BaseException):
            raise reply
        return reply


class Awaited(Model):
    """The same, awaited."""

    async def __call__(self, messages: Sequence[Any]) -> Any:
        await asyncio.sleep(0)
        return super().__call__(messages)


def now(replies: Sequence[Reply], prompt: Any = QUESTION, model: Any = Review, **options: Any) -> tuple[Any, Model]:
    """`ask`, and the language model that was asked."""
    asked = Model(*replies)
    return ask(asked, prompt, model, **options), asked


def awaited(replies: Sequence[Reply], prompt: Any = QUESTION, model: Any = Review, **options: Any) -> tuple[Any, Model]:
    """`aask`, with a language model that is awaited."""
    asked = Awaited(*replies)
    return asyncio.run(aask(asked, prompt, model, **options)), asked


Run = Callable[..., tuple[AskResult[Any], Model]]
both = pytest.mark.parametrize("run", [now, awaited])


@both
def test_a_good_reply_is_the_answer(run: Run) -> None:
    """One attempt; the prompt has the question, the instructions and the form."""
    asked, model = run([Completion(GOOD, "stop", Usage(10, 5))])
    assert asked.value == NICE
    assert asked.value is asked.value
    assert asked.response.to_dict() == {"headline": "Nice", "score": 4}
    assert asked.usage == Usage(10, 5)
    (attempt,) = asked.attempts
    assert (attempt.number, attempt.reply, attempt.finish_reason, attempt.cached) == (1, GOOD, "stop", False)
    assert (attempt.problems, attempt.repairs, attempt.usage) == ((), (), Usage(10, 5))
    assert attempt.seconds > 0
    shape = StructuredResponse.from_basemodel(Review).to_prompt(instructions=True)
    assert model.sent == [[{"role": "user", "content": f"{QUESTION}\n\n{shape}"}]]
    assert attempt.prompt == model.sent[0][-1]["content"]


@both
def test_what_is_wrong_is_asked_for_again(run: Run) -> None:
    """The earlier messages stay, the reply stands behind them, and the last one asks for the bad field alone."""
    asked, model = run([BAD, "<review><score>4</score></review>"])
    assert asked.value == NICE
    first, second = model.sent
    assert second[: len(first)] == first
    assert second[1] == {"role": "assistant", "content": BAD}
    assert "$.score: not an int: 'many'" in second[2]["content"]
    assert "<headline" not in second[2]["content"]
    assert [[problem.path for problem in attempt.problems] for attempt in asked.attempts] == [["$.score"], []]


@both
def test_the_prompt_may_hold_the_form_already(run: Run) -> None:
    """It is not put there twice."""
    prompt = f"Review, as instructed: {StructuredResponse.from_basemodel(Review).to_prompt()}"
    _asked, model = run([GOOD], prompt)
    assert model.sent[0] == [{"role": "user", "content": prompt}]


@both
def test_the_form_may_be_in_a_part_of_a_message(run: Run) -> None:
    """Such as one that is marked for the cache of a provider."""
    part = {"type": "text", "text": StructuredResponse.from_basemodel(Review).to_prompt(), "cache_control": {}}
    prompt = [{"role": "system", "content": [part]}, {"role": "user", "content": "Review."}]
    _asked, model = run([GOOD], prompt)
    assert model.sent[0] == prompt


@both
@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Review."}],
        [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}],
        [
            {
                "role": "user",
                "content": [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {}}],
            }
        ],
        [],
    ],
    ids=["system", "assistant last", "parts", "none"],
)
def test_a_prompt_may_be_messages(run: Run, messages: list[Any]) -> None:
    """The form stands in the last one of the user's, in whatever its content is; what was given stays as it is."""
    before = repr(messages)
    asked, model = run([GOOD], messages)
    assert asked.value == NICE
    assert repr(messages) == before
    last = model.sent[0][-1]
    assert last["role"] == "user"
    assert "<headline" in str(last["content"])
    assert isinstance(last["content"], list) is (bool(messages) and isinstance(messages[-1]["content"], list))


@both
def test_asking_ends_with_everything_that_is_known(run: Run) -> None:
    """After the last attempt an error has them all; it is a `ReplyError`, and comes through pickle."""
    with pytest.raises(AskError, match=r"(?s)no answer in 2 attempts; .*\$\.score: not an int") as caught:
        run([Completion(BAD, None, Usage(1, 2)), Completion("No.", None, Usage(3, 4))], attempts=2)
    error = caught.value
    assert isinstance(error, ReplyError)
    assert [attempt.reply for attempt in error.attempts] == [BAD, "No."]
    assert error.usage == Usage(4, 6)
    assert error.response is not None
    assert error.response.instance.headline == "Nice"
    assert error.reply == "No."
    again = pickle.loads(pickle.dumps(error))
    assert (again.attempts, again.usage, str(again)) == (error.attempts, error.usage, str(error))
    assert error.to_dict()["error"] == "AskError"


@both
def test_not_strict_gives_what_there_is(run: Run) -> None:
    """It is asked again all the same; then bad fields hold None, and the value raises."""
    asked, _model = run([BAD, BAD], attempts=2, strict=False)
    assert asked.response.to_dict() == {"headline": "Nice", "score": None}
    assert [problem.path for problem in asked.response.problems] == ["$.score"]
    with pytest.raises(InstanceError):
        _ = asked.value


@both
def test_not_strict_and_no_data_at_all(run: Run) -> None:
    """There is nothing to give."""
    with pytest.raises(AskError, match="no <review>"):
        run(["No.", "No."], attempts=2, strict=False)


@both
def test_no_answer_is_asked_for_again_in_words(run: Run) -> None:
    """The form stands in the first message still."""
    asked, model = run(["Sure, one moment!", GOOD])
    assert asked.value == NICE
    assert "No answer was found" in model.sent[1][-1]["content"]
    assert "<score" not in model.sent[1][-1]["content"]


@both
def test_an_empty_reply_is_asked_for_once_more(run: Run) -> None:
    """No server takes an empty message back, so the same is sent again."""
    asked, model = run([Completion("", "length"), " \n", GOOD])
    assert asked.value == NICE
    assert model.sent[0] == model.sent[1] == model.sent[2]


@both
@pytest.mark.parametrize("reason", ["length", "max_tokens", None])
def test_a_reply_that_was_cut_off_goes_on(run: Run, reason: str | None) -> None:
    """By the provider's word, or by what was read of it; nothing is asked for twice."""
    asked, model = run(
        [Completion("<review><headline>A very lo", reason), Completion("ng one</headline><score>4</score></review>")]
    )
    assert asked.value == Review(headline="A very long one", score=4)
    assert "cut off" in model.sent[1][-1]["content"]
    assert "<score" not in model.sent[1][-1]["content"]


@both
def test_a_reply_that_was_cut_off_may_be_refused(run: Run) -> None:
    """Then asking ends there, with what could be read."""
    with pytest.raises(AskError) as caught:
        run([Completion("<review><headline>A very lo", "length"), GOOD], on_truncated="refuse")
    assert len(caught.value.attempts) == 1
    assert caught.value.response is not None
    assert caught.value.response.truncated == "$.headline"


@both
def test_a_provider_that_says_the_reply_is_whole_is_believed(run: Run) -> None:
    """A reply that only looks cut off is asked again for what it lacks."""
    asked, model = run([Completion("<review><headline>Nice</headline>", "stop"), "<review><score>4</score></review>"])
    assert asked.value == NICE
    assert "<score" in model.sent[1][-1]["content"]


@both
def test_a_continuation_may_be_cut_off_and_wrong_too(run: Run) -> None:
    """Three pieces, and then one field."""
    asked, model = run(
        [
            Completion("<review><headline>One two ", "length"),
            Completion("three four ", "length"),
            Completion("five</headline><score>many</score></review>", "stop"),
            Completion("<review><score>4</score></review>", "stop"),
        ],
        attempts=4,
    )
    assert asked.value == Review(headline="One two three four five", score=4)
    assert "Not right yet" in model.sent[3][-1]["content"]


@both
def test_a_whole_reply_at_the_limit_is_whole(run: Run) -> None:
    """What was cut off behind the answer is nobody's loss."""
    asked, model = run([Completion(f"{GOOD} I hope that this he", "length")])
    assert asked.value == NICE
    assert len(model.sent) == 1


@both
def test_what_is_raised_passes_through_with_a_note(run: Run) -> None:
    """The same object, with the attempts so far."""
    error = ConnectionError("down")
    with pytest.raises(ConnectionError) as caught:
        run([BAD, error], retries=0)
    assert caught.value is error
    (note,) = error.__notes__
    assert note.startswith("structured_response: asking for Review, attempt 2\n  attempt 1: ")
    assert "$.score invalid wrong" in note
    assert "many" not in note


@both
def test_each_attempt_is_told_as_it_ends(run: Run) -> None:
    """Also those before an exception."""
    told: list[Attempt] = []
    with pytest.raises(ConnectionError):
        run([BAD, BAD, ConnectionError()], on_attempt=told.append, retries=0)
    assert [attempt.number for attempt in told] == [1, 2]


def test_an_attempt_may_be_told_by_await() -> None:
    """`aask` waits for it."""
    told: list[int] = []

    async def tell(attempt: Attempt) -> None:
        await asyncio.sleep(0)
        told.append(attempt.number)

    awaited([BAD, GOOD], on_attempt=tell)
    assert told == [1, 2]


@both
def test_any_type_can_be_asked_for(run: Run) -> None:
    """A list, a union, a response that asks for some fields only."""
    assert run(["<int_list><li>1</li></int_list>"], model=list[int])[0].value == [1]
    response = StructuredResponse.from_basemodel(Review).select(include=["score"])
    assert run(["<review><score>4</score></review>"], model=response)[0].response.to_dict() == {"score": 4}


class Known(BaseModel):
    city: str

    @field_validator("city")
    @classmethod
    def is_known(cls, city: str, info: ValidationInfo) -> str:
        if info.context is None or city not in info.context:
            raise ValueError("not a city that we know")
        return city


@both
def test_a_context_reaches_the_validators(run: Run) -> None:
    """In the first reply, in what amends it, and in the value."""
    replies = ["<known><city>Bon</city></known>", "<known><city>Bonn</city></known>"]
    asked, model = run(replies, model=Known, context={"Bonn"})
    assert asked.value == Known.model_construct(city="Bonn")
    assert "not a city that we know: 'Bon'" in model.sent[1][-1]["content"]


@both
@pytest.mark.parametrize("given", [None, b"<review/>", 3, {"content": GOOD}])
def test_what_is_no_reply_is_the_programs_error(run: Run, given: Any) -> None:
    """A `complete` gives text, or a `Completion`."""
    with pytest.raises(TypeError, match="text or a Completion"):
        run([given])


def test_an_async_complete_wants_aask() -> None:
    """The error says so, and nothing is left unawaited."""
    with pytest.raises(TypeError, match="aask"):
        ask(Awaited(GOOD), QUESTION, Review)  # type: ignore[arg-type]


def test_aask_takes_what_answers_at_once() -> None:
    """A recording, for one."""
    assert asyncio.run(aask(Model(GOOD), QUESTION, Review)).value == NICE


@both
def test_json_is_understood_as_well(run: Run) -> None:
    """What is in another format than the one asked for is read, on record."""
    asked, _model = run(['{"headline": "Nice", "score": "many"}', '{"score": 4}'])
    assert asked.value == NICE
    assert asked.attempts[-1].repairs


def test_the_exception_of_a_validator_passes_through() -> None:
    """What is no verdict on the reply is the program's affair."""

    class Broken(BaseModel):
        number: int

        @field_validator("number")
        @classmethod
        def check(cls, number: int) -> int:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        ask(Model("<broken><number>1</number></broken>"), QUESTION, Broken)


def test_tasks_ask_side_by_side() -> None:
    """A slow reply holds up nobody else."""
    order: list[str] = []

    def slow(seconds: float) -> Callable[[Any], Awaitable[str]]:
        async def complete(messages: Any) -> str:
            await asyncio.sleep(seconds)
            order.append(messages[0]["content"][0])
            return GOOD

        return complete

    async def run() -> None:
        await asyncio.gather(aask(slow(0.05), "a", Review), aask(slow(0), "b", Review))

    asyncio.run(run())
    assert order == ["b", "a"]


@both
def test_what_is_raised_carries_the_attempts(run: Run) -> None:
    """As data on the exception itself, which pickle keeps; none before the first reply."""
    with pytest.raises(ConnectionError) as caught:
        run([BAD, ConnectionError("down")], retries=0)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        (attempt,) = vars(error)["attempts"]
        assert isinstance(attempt, Attempt)
        assert (attempt.reply, attempt.problems[0].path) == (BAD, "$.score")
    with pytest.raises(ConnectionError) as caught:
        run([ConnectionError("down")], retries=0)
    assert vars(caught.value)["attempts"] == ()


def test_an_error_that_has_attempts_keeps_them() -> None:
    """Such as that of an inner question."""

    def complete(messages: Any) -> Any:
        return ask(Model(BAD), QUESTION, Review, attempts=1)

    with pytest.raises(AskError) as caught:
        ask(complete, "Outer?", Review)
    assert [attempt.reply for attempt in caught.value.attempts] == [BAD]


SORRY = "I'm sorry, but I can't help with that."
REFUSALS = [
    SORRY,
    Completion("No.", "refusal"),
    Completion("", "content_filter"),
    Completion("I'll look that up.", "tool_calls"),
    Completion("", "tool_use"),
]


def test_the_reason_of_the_provider_is_the_only_one() -> None:
    """What the text of a refusal looks like adds nothing to it."""
    with pytest.raises(AskError) as caught:
        ask(Model(Completion(SORRY, "refusal")), QUESTION, Review)
    assert [problem.message for problem in caught.value.problems] == ["the language model refused to answer"]


@both
@pytest.mark.parametrize("refused", REFUSALS)
def test_a_refusal_is_not_asked_again(run: Run, refused: Reply) -> None:
    """It ends the asking, with the reason in front of what else is wrong; the error survives pickle."""
    with pytest.raises(AskError) as caught:
        run([refused, GOOD])
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert len(error.attempts) == 1
        assert error.problems[0].kind == error.attempts[0].problems[0].kind == "refusal"
        assert error.problems[0].message in str(error)


@both
@pytest.mark.parametrize("refused", REFUSALS)
def test_a_refusal_may_be_asked_again(run: Run, refused: Reply) -> None:
    """As any reply without an answer is."""
    asked, model = run([refused, GOOD], on_refusal="retry")
    assert asked.value == NICE
    assert len(model.sent) == 2


@both
@pytest.mark.parametrize("reason", ["tool_calls", "content_filter"])
def test_an_answer_is_one_whatever_the_provider_says(run: Run, reason: str) -> None:
    """A right answer with a tool call beside it, or filtered behind it."""
    assert run([Completion(GOOD, reason)])[0].value == NICE


@both
def test_a_refusal_of_the_rest_keeps_what_was_right(run: Run) -> None:
    """The first reply was right but for a field, and the second declines that."""
    with pytest.raises(AskError) as caught:
        run([BAD, SORRY, GOOD])
    assert caught.value.response is not None
    assert caught.value.response.to_dict()["headline"] == "Nice"
    asked, _model = run([BAD, SORRY, GOOD], strict=False)
    assert asked.response.to_dict()["headline"] == "Nice"


class Parts(BaseModel):
    due: date
    points: list[int] = []


@both
def test_options_of_reading(run: Run) -> None:
    """They hold for the first reply and for those that mend it."""
    first = "<parts><due>soon</due><points><li>1</li><li>many</li></points></parts>"
    asked, model = run([first, "<parts><due>05/12/2026</due></parts>"], model=Parts, on_bad_item="drop", day_first=True)
    assert asked.value == Parts(due=date(2026, 12, 5), points=[1])
    assert "item_1" not in model.sent[1][-1]["content"]
    asked, model = run([GOOD.replace("4", "4 out of 5"), "<review><score>4</score></review>"], repair=False)
    assert asked.value == NICE
    assert len(model.sent) == 2


@both
def test_items_that_are_kept_need_no_mending(run: Run) -> None:
    """Nor do they after another field was mended, where they come back as bad as they were."""
    points = "<points><li>1</li><li>many</li></points>"
    asked, model = run([f"<parts><due>2026-12-05</due>{points}</parts>"], model=Parts, on_bad_item="keep")
    assert asked.response.to_dict()["points"] == [1, None]
    replies = [f"<parts><due>soon</due>{points}</parts>", "<parts><due>2026-12-05</due></parts>"]
    asked, model = run(replies, model=Parts, on_bad_item="keep")
    assert asked.response.to_dict()["points"] == [1, None]
    assert len(model.sent) == 2


@both
def test_an_unknown_option_names_those_there_are(run: Run) -> None:
    """Of asking and of reading."""
    with pytest.raises(
        TypeError, match=r"'attempt' is not an option; the options are attempts, .*on_refusal, .*day_first"
    ):
        run([GOOD], attempt=5)


@pytest.mark.parametrize(
    "options",
    [
        {"format": "toml"},
        {"attempts": 0},
        {"retries": -1},
        {"max_wait": -1},
        {"on_truncated": "again"},
        {"on_refusal": "again"},
    ],
)
def test_options_are_checked(options: Any) -> None:
    """Before anything is asked."""
    model = Model(GOOD)
    with pytest.raises(ValueError, match=next(iter(options))):
        ask(model, QUESTION, Review, **options)
    assert model.sent == []


IN_FORMATS = {
    "json": ('{"headline": "Nice", "score": "many"}', '{"score": 4}'),
    "yaml": ("headline: Nice\nscore: many\n", "score: 4\n"),
}


@both
@pytest.mark.parametrize("form", IN_FORMATS)
def test_other_formats(run: Run, form: str) -> None:
    """The first prompt and the one that asks again are in the format, and so are the examples."""
    asked, model = run(IN_FORMATS[form], format=form, examples=[Review(headline="Firm", score=3)])
    assert asked.value == NICE
    assert "Firm" in model.sent[0][0]["content"]
    for messages in model.sent:
        assert "<score" not in messages[-1]["content"]
        assert "score" in messages[-1]["content"]
    assert "headline" not in model.sent[1][-1]["content"]


@both
def test_examples_are_shown(run: Run) -> None:
    """Once, in the first message; the response that was given knows nothing of it."""
    response = StructuredResponse.from_basemodel(Review)
    asked, model = run([BAD, "<review><score>4</score></review>"], model=response, examples=[NICE])
    assert asked.value == NICE
    assert model.sent[0][0]["content"].count("<score>4</score>") == 1
    assert "<score>4</score>" not in model.sent[1][-1]["content"]


@both
def test_a_repeated_example_is_no_answer(run: Run) -> None:
    """In the first reply and in those that amend; a prompt by `to_prompt` in the question shows the examples itself."""
    response = StructuredResponse.from_basemodel(Review)
    question = f"Review.\n{response.to_prompt(examples=[NICE])}"
    echo = "<review><headline>Nice</headline><score>4</score></review>"
    asked, model = run([echo, "<review><headline>Firm</headline><score>3</score></review>"], question, examples=[NICE])
    assert asked.value == Review(headline="Firm", score=3)
    assert "repeats the prompt" in str(asked.attempts[0].problems)
    assert model.sent[0][0]["content"] == question


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ([{"role": "system", "content": "Be brief."}, {"content": "Review."}], "message 1 of the prompt has no role"),
        ([{"role": None, "content": "Review."}], "message 0 of the prompt has no role"),
        (["Review."], "message 0 of the prompt has no role"),
        ([{"role": "user"}], "message 0 of the prompt has no content"),
    ],
)
def test_messages_that_are_none_are_an_error_before_a_call(prompt: Any, message: str) -> None:
    """It names the message."""
    with pytest.raises(TypeError, match=message):
        ask(lambda messages: pytest.fail("it was called"), prompt, Review)


def test_an_assistants_message_may_have_no_content() -> None:
    """It may call tools instead."""
    prompt: list[dict[str, Any]] = [
        {"role": "user", "content": "Review."},
        {"role": "assistant", "tool_calls": []},
        {"role": "tool", "tool_call_id": "1", "content": "A lamp."},
    ]
    assert ask(lambda messages: GOOD, prompt, Review).value.score == 4


@pytest.mark.parametrize("complete", ["gpt-4", None, asyncio, Review])
def test_what_cannot_be_called(complete: Any) -> None:
    """The error says what to give."""
    with pytest.raises(TypeError, match="cannot be called with messages; give a function of messages"):
        ask(complete, "?", Review, key="m")


class Listed(BaseModel):
    headline: str
    pros: list[str] = []


@pytest.mark.parametrize(
    ("form", "begun", "rest"),
    [
        ("xml", "<listed><headline>Nice</headline>", "<pros><li>light</li></pros></listed>"),
        ("json", '{"headline": "Nice"', ', "pros": ["light"]}'),
    ],
)
def test_a_reply_that_was_cut_off_where_it_satisfies_the_model_goes_on(form: Any, begun: str, rest: str) -> None:
    """Only the server knows that optional fields are missing."""
    model = Model(Completion(begun, finish_reason="length"), Completion(begun + rest, finish_reason="stop"))
    result = ask(model, QUESTION, Listed, format=form)
    assert result.value == Listed(headline="Nice", pros=["light"])
    assert len(result.attempts) == 2


def test_a_whole_answer_does_not_go_on() -> None:
    """Whatever was cut off behind it."""
    model = Model(Completion("<listed><headline>Nice</headline></listed>\nThis is", finish_reason="length"))
    assert ask(model, QUESTION, Listed).value == Listed(headline="Nice")


def test_a_completion_without_text_has_an_empty_one() -> None:
    """As SDKs have it for a message that calls a tool: the provider's reason is what the error says."""
    completion = Completion(None, "tool_calls")  # type: ignore[arg-type]
    with pytest.raises(AskError, match="a tool was called in place of an answer"):
        ask(lambda _messages: completion, "?", Review)
