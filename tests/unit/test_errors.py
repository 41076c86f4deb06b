"""The exceptions: their tree, how their messages read, and that they survive every kind of copy."""

import copy
import json
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

import structured_response
from benchmarks.robustness.models import Part
from structured_response import (
    ActError,
    AskError,
    BatchError,
    BudgetError,
    CacheError,
    DatasetError,
    DefinitionError,
    DeserializeError,
    Fault,
    InstanceError,
    MissingExtraError,
    NotRunnableError,
    Problem,
    ProblemKind,
    RecordingError,
    Repair,
    ReplyError,
    RestartedError,
    StructuredResponse,
    StructuredResponseError,
    ToolError,
)
from structured_response.findings import MAX_SHOWN


class Review(BaseModel):
    headline: str
    score: int = Field(ge=0, le=10)
    pros: list[str] = []


class Listing(BaseModel):
    title: str
    score: int
    price: float
    parts: list[Part] = []
    note: str = ""


def problem(path: str, message: str = "is wrong", span: tuple[int, int] | None = None) -> Problem:
    """A problem at a path."""
    return Problem(ProblemKind.INVALID, path, message, "found", ("a", "b"), span)


def error_of(reply: str) -> ReplyError:
    """What parsing a reply as a review raises."""
    with pytest.raises(ReplyError) as caught:
        StructuredResponse.from_basemodel(Review).parse(reply)
    return caught.value


def raised(act: Callable[[], Any]) -> StructuredResponseError:
    """The error that something raises."""
    with pytest.raises(StructuredResponseError) as caught:
        act()
    return caught.value


# The tree

TREE: dict[type[Exception], tuple[type[BaseException], ...]] = {
    BatchError: (StructuredResponseError, ValueError),
    CacheError: (StructuredResponseError, ValueError),
    DatasetError: (StructuredResponseError, ValueError),
    DefinitionError: (StructuredResponseError, ValueError),
    InstanceError: (StructuredResponseError, ValueError),
    ReplyError: (StructuredResponseError, ValueError),
    AskError: (ReplyError,),
    ActError: (AskError,),
    BudgetError: (AskError,),
    RecordingError: (StructuredResponseError, LookupError),
    DeserializeError: (StructuredResponseError, ValueError),
    MissingExtraError: (StructuredResponseError, ImportError),
    NotRunnableError: (StructuredResponseError,),
    RestartedError: (StructuredResponseError,),
    ToolError: (StructuredResponseError,),
    StructuredResponseError: (Exception,),
}


@pytest.mark.parametrize(("error", "bases"), TREE.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_the_tree(error: type[Exception], bases: tuple[type[BaseException], ...]) -> None:
    """Every error has the library's base and the base of Python's own that fits it."""
    assert all(issubclass(error, base) for base in bases)


def test_the_tree_is_whole() -> None:
    """Every exception that the package names is in the tree above, and has a docstring."""
    named = [getattr(structured_response, name) for name in structured_response.__all__]
    errors = {named for named in named if isinstance(named, type) and issubclass(named, Exception)}
    assert errors == TREE.keys()
    assert all(error.__doc__ for error in errors)


# The messages

LONG = "word " * 200
MESSAGES: dict[str, tuple[Exception, str]] = {
    "a definition": (
        DefinitionError("a description is a text, not 5", "a.b"),
        "a.b: a description is a text, not 5",
    ),
    "a definition without a path": (DefinitionError("no such type"), "no such type"),
    "a stored text": (DeserializeError("is not there", "version"), "version: is not there"),
    "a stored text without a path": (DeserializeError("not JSON"), "not JSON"),
    "a line of a file": (
        DatasetError([Fault("is wrong", "a.jsonl", line=3, path="$.b[0]")], ["good"]),
        "a.jsonl:3: $.b[0]: is wrong",
    ),
    "rows of a table": (
        DatasetError([Fault("is wrong", "a.parquet", row=0), Fault("this column is missing", path="$.qid")]),
        "2 faults\n  a.parquet: row 0: is wrong\n  $.qid: this column is missing",
    ),
    "an instance": (InstanceError("nothing has been read"), "nothing has been read"),
    "an instance with problems": (
        InstanceError("the instance is not a valid Review", [problem("$.a"), problem("$.b[0]", "is worse")]),
        "the instance is not a valid Review\n  $.a: is wrong\n  $.b[0]: is worse",
    ),
    "a tool": (ToolError("no such file"), "no such file"),
    "a tool without a function": (
        NotRunnableError("edit"),
        "the tool 'edit' has no function; answer its calls in the program",
    ),
    "an extra": (
        MissingExtraError("typer", "cli"),
        'typer is not installed; install it with: pip install "structured-response-py[cli]"',
    ),
    "a reply without problems": (ReplyError([], "x"), "the reply has 0 problems"),
    "a reply": (ReplyError([problem("$.a")], "x"), "the reply has 1 problem\n  $.a: is wrong"),
    "a reply with two": (
        ReplyError([problem("$.a"), problem("$.b")], "x"),
        "the reply has 2 problems\n  $.a: is wrong\n  $.b: is wrong",
    ),
    "a place": (
        ReplyError([problem("$.a", span=(3, 6))], "<a>bad</a>"),
        "the reply has 1 problem\n  $.a: is wrong (line 1, column 4)\n      <a>bad</a>\n         ^^^",
    ),
    "a place on a later line": (
        ReplyError([problem("$.a", span=(9, 12))], "first\n<a>bad</a>\nlast"),
        "the reply has 1 problem\n  $.a: is wrong (line 2, column 4)\n      <a>bad</a>\n         ^^^",
    ),
    "a place over two lines": (
        ReplyError([problem("$.a", span=(3, 9))], "<a>bad\nbad</a>"),
        "the reply has 1 problem\n  $.a: is wrong (line 1, column 4)\n      <a>bad\n         ^^^",
    ),
    "an empty place": (
        ReplyError([problem("$.a", span=(3, 3))], "<a></a>"),
        "the reply has 1 problem\n  $.a: is wrong (line 1, column 4)\n      <a></a>\n         ^",
    ),
    "a place at the end": (
        ReplyError([problem("$.a", span=(3, 3))], "<a>"),
        "the reply has 1 problem\n  $.a: is wrong (line 1, column 4)\n      <a>\n         ^",
    ),
    "tabs": (
        ReplyError([problem("$.a", span=(5, 8))], "\t\t<a>bad</a>"),
        "the reply has 1 problem\n  $.a: is wrong (line 1, column 6)\n        <a>bad</a>\n           ^^^",
    ),
    "carriage returns": (
        ReplyError([problem("$.a", span=(6, 9))], "x\r\n<a>bad</a>\r\n"),
        "the reply has 1 problem\n  $.a: is wrong (line 2, column 4)\n      <a>bad</a>\n         ^^^",
    ),
    "an empty reply": (
        ReplyError([problem("$", "nothing in the reply is the data asked for", (0, 0))], ""),
        "the reply has 1 problem\n  $: nothing in the reply is the data asked for",
    ),
}


@pytest.mark.parametrize(("error", "message"), MESSAGES.values(), ids=MESSAGES)
def test_messages(error: Exception, message: str) -> None:
    """A message says where, what is wrong, and shows the place in the reply with carets under it."""
    assert str(error) == message


def test_a_long_line_is_cut() -> None:
    """Of a long line only a window is shown, and the carets stand under the place all the same."""
    reply = f"<a>{LONG}<b>bad</b>{LONG}</a>"
    start = reply.index("bad")
    _head, _where, shown, carets = str(ReplyError([problem("$.a", span=(start, start + 3))], reply)).split("\n")
    assert shown.startswith("      ...")
    assert shown.endswith("...")
    assert len(shown) < 130
    assert shown[carets.index("^") : carets.rindex("^") + 1] == "bad"


@pytest.mark.parametrize("count", [MAX_SHOWN, MAX_SHOWN + 1, 1_000])
def test_many_problems(count: int) -> None:
    """Of many problems the first few are spelt out, the others counted, and all stand on the error."""
    problems = [problem(f"$.items[{number}]") for number in range(count)]
    error = ReplyError(problems, "x")
    lines = str(error).split("\n")
    assert lines[0] == f"the reply has {count} problems"
    assert lines[1] == "  $.items[0]: is wrong"
    assert error.problems == problems
    if count > MAX_SHOWN:
        assert lines[-1] == f"  and {count - MAX_SHOWN} more"
        assert len(lines) == MAX_SHOWN + 2
    misfit = str(InstanceError("does not fit", problems)).split("\n")
    assert misfit[: MAX_SHOWN + 1] == ["does not fit", *lines[1 : MAX_SHOWN + 1]]
    if count > MAX_SHOWN:
        assert misfit[-1] == f"  and {count - MAX_SHOWN} more"


REPLIES: dict[str, tuple[str, str]] = {
    "a word for a number": (
        "Sure!\n<review>\n  <headline>x</headline>\n  <score>many</score>\n</review>",
        "  $.score: {} (line 4, column 10)\n        <score>many</score>\n               ^^^^",
    ),
    "a number out of range": (
        "<review><headline>x</headline><score>11</score></review>",
        "  $.score: {} (line 1, column 38)\n      <review><headline>x</headline><score>11</score></review>\n"
        + " " * 43
        + "^^",
    ),
}


@pytest.mark.parametrize(("reply", "wanted"), REPLIES.values(), ids=REPLIES)
def test_messages_of_real_replies(reply: str, wanted: str) -> None:
    """The message of a real error names the path, says what is wrong and points at it."""
    error = error_of(reply)
    (found,) = error.problems
    assert str(error) == "the reply has 1 problem\n" + wanted.format(found.message)


def test_the_message_of_a_missing_field() -> None:
    """What is missing is called missing."""
    error = error_of("<review><headline>x</headline></review>")
    assert "$.score: required, but not there" in str(error)


ALOUD: dict[str, Callable[[], Any]] = {
    "no model": lambda: StructuredResponse.from_basemodel(5),
    "a bad type": lambda: StructuredResponse("X").add_node("a.b", "str"),
    "a bad definition": lambda: StructuredResponse.from_definition("X", {"a": {"type": "string"}}),
    "a bad path": lambda: StructuredResponse.from_basemodel(Review).select(include=["nope"]),
    "nothing read": lambda: StructuredResponse.from_basemodel(Review).to_basemodel(),
    "no data": lambda: StructuredResponse.from_basemodel(Review).parse("Hello!"),
    "missing": lambda: StructuredResponse.from_basemodel(Review).parse("<review></review>"),
    "broken off": lambda: StructuredResponse.from_basemodel(Review).parse("<review><score>4</score><headline>It w"),
    "a refusal": lambda: StructuredResponse.from_basemodel(Review).parse("I can't help with that."),
    "a bad value": lambda: StructuredResponse.from_basemodel(Review).parse(
        "<review><headline>x</headline><score>many</score></review>"
    ),
    "no JSON": lambda: StructuredResponse.deserialize("hello"),
    "no version": lambda: StructuredResponse.deserialize("{}"),
    "a misfit": lambda: misfit().serialize(),
}
INSIDE = ("Traceback", "pydantic", "lxml", "orjson", "<class", "object at 0x", "NoneType")


def misfit() -> StructuredResponse[Review]:
    """A response whose instance does not fit."""
    response = StructuredResponse.from_basemodel(Review)
    response.instance.headline = 5
    return response


@pytest.mark.parametrize("act", ALOUD.values(), ids=ALOUD)
def test_messages_read_aloud(act: Callable[[], Any]) -> None:
    """A message is a sentence for people: short, not shouting, and without what the library is made of."""
    message = str(raised(act))
    assert message[0].islower() or message[0] in "$'"
    assert not message.endswith((".", ":", " ", "\n"))
    assert [word for word in INSIDE if word in message] == []
    assert all(len(line) < 200 for line in message.split("\n"))


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_carets_stand_under_the_place(reply: str, start: int, length: int) -> None:
    """Wherever a place lies, showing it never fails, and the carets stand under what begins there."""
    start = min(start, len(reply))
    span = (start, min(start + length, len(reply)))
    lines = str(ReplyError([problem("$", span=span)], reply)).split("\n")
    assert lines[0] == "the reply has 1 problem"
    if reply:
        shown, carets = lines[2], lines[-1]
        assert set(carets) == {" ", "^"}
        place = shown[carets.index("^") : carets.rindex("^") + 1]
        line = reply[span[0] : span[1]].split("\n", 1)[0].replace("\t", " ").rstrip("\r")
        assert place.startswith(line) or line == ""


def test_the_worst_is_told_first() -> None:
    """Of many problems those are spelt out that cost most, in the order of the reply."""
    many = "".join(f"<li><label>a</label><points>x{number}</points></li>" for number in range(9))
    reply = f"<listing><parts>{many}</parts><title>a</title><score>4</score><score>5</score><note>It was a"
    with pytest.raises(ReplyError) as caught:
        StructuredResponse.from_basemodel(Listing).parse(reply)
    told = [line.strip().partition(":")[0] for line in str(caught.value).split("\n") if line.startswith("  $")]
    assert told == ["$.note", "$.price", "$.score", "$.parts[0].points", "$.parts[1].points"]
    assert str(caught.value).endswith("and 7 more")
    assert len(caught.value.problems) == 12


@pytest.mark.parametrize("reply", ["Hello!", "<review><score>many</score><a>1</a>", "I can't help with that.", ""])
def test_errors_for_logs(reply: str) -> None:
    """`to_dict` is JSON, with the message, every finding and the reply."""
    error = error_of(reply)
    logged = json.loads(json.dumps(error.to_dict()))
    assert (logged["error"], logged["message"], logged["reply"]) == ("ReplyError", str(error), reply)
    assert [Problem.from_dict(problem) for problem in logged["problems"]] == error.problems
    read = error.response
    assert [Repair.from_dict(repair) for repair in logged["repairs"]] == (read.repairs if read is not None else [])
    assert logged["truncated"] == (read.truncated if read is not None else None)


# Copies


def copies_of(error: Any) -> list[Any]:
    """The error after every kind of copy that keeps it whole."""
    pickled = [pickle.loads(pickle.dumps(error, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    return [*pickled, copy.copy(error), copy.deepcopy(error)]


READ_ERRORS = {
    "no data": "Hello!",
    "missing": "<review><headline>x</headline></review>",
    "bad value": "<review><headline>x</headline><score>many</score><a>1</a></review>",
    "a closing tag missing": "<review><score>4</review>",
    "broken off": "<review><score>4</score><headline>It was",
    "an odd character": "<review><headline>\ud800</headline></review>",
}


@pytest.mark.parametrize("error", [error for error, _ in MESSAGES.values()], ids=MESSAGES)
def test_errors_survive_copies(error: Exception) -> None:
    """Every error comes out of pickle and copy with its type, message and data."""
    for made in copies_of(error):
        assert type(made) is type(error)
        assert made is not error
        assert str(made) == str(error)
        assert repr(made) == repr(error)
        assert made.__dict__ == error.__dict__
        assert made.args == error.args


@pytest.mark.parametrize("reply", READ_ERRORS.values(), ids=READ_ERRORS)
@pytest.mark.parametrize("looked_at", [True, False])
def test_reply_errors_survive_copies(reply: str, looked_at: bool) -> None:
    """A `ReplyError` comes out of any copy with its reply, problems and all that could be read."""
    error = error_of(reply)
    if looked_at and error.response is not None:
        assert error.response.instance is not None
    for made in copies_of(error):
        assert (str(made), made.reply, made.problems) == (str(error), error.reply, error.problems)
        assert made.response == error.response
        assert (made.response is None) == (error.response is None)
        if error.response is not None:
            assert made.response.to_dict() == error.response.to_dict()
            assert made.response.problems == error.response.problems
            assert made.response.repairs == error.response.repairs
            assert made.response.truncated == error.response.truncated
            assert made.response.instance == error.response.instance


def test_a_copied_response_still_has_its_model() -> None:
    """What could be read can be mended and validated after a pickle too."""
    made = pickle.loads(pickle.dumps(error_of("<review><headline>x</headline></review>")))
    made.response.instance.score = 4
    assert made.response.to_basemodel() == Review(headline="x", score=4)


@pytest.mark.parametrize("act", ALOUD.values(), ids=ALOUD)
def test_raised_errors_survive_copies(act: Callable[[], Any]) -> None:
    """Errors as they are raised, with their causes, come out of pickle with type and message."""
    error = raised(act)
    made = pickle.loads(pickle.dumps(error))
    assert (type(made), str(made)) == (type(error), str(error))


def parse_elsewhere(reply: str) -> Any:
    """Parses in another process."""
    return StructuredResponse.from_basemodel(Review).parse(reply).to_basemodel()


def test_a_reply_error_from_a_worker() -> None:
    """A `ReplyError` that is raised in a worker process reaches the caller whole."""
    reply = READ_ERRORS["bad value"]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool, pytest.raises(ReplyError) as caught:
        pool.submit(parse_elsewhere, reply).result(timeout=60)
    here = error_of(reply)
    assert str(caught.value) == str(here)
    assert caught.value.problems == here.problems
    assert caught.value.response == here.response


# What errors carry


def test_errors_keep_their_problems_to_themselves() -> None:
    """The list of problems on an error is a list of its own."""
    problems = [problem("$.a")]
    for error in (ReplyError(problems, "x"), InstanceError("m", problems)):
        problems.append(problem("$.b"))
        assert [found.path for found in error.problems] == ["$.a"]
        problems.pop()


def test_causes_are_kept() -> None:
    """An `InstanceError` and a `DeserializeError` have what caused them behind them."""
    assert raised(lambda: misfit().serialize()).__cause__ is not None
    assert raised(lambda: StructuredResponse.deserialize("hello")).__cause__ is not None


@pytest.mark.parametrize("error", [DefinitionError, DeserializeError])
def test_paths(error: Any) -> None:
    """Message and path are there apart, for programs."""
    made = error("is wrong", "a.b")
    assert (made.message, made.path) == ("is wrong", "a.b")
    assert error("is wrong").path == ""


def test_a_missing_extra_names_itself() -> None:
    """Package and extra are there apart; it is an `ImportError`, so that optional imports can be tried."""
    with pytest.raises(ImportError) as caught:
        raise MissingExtraError("typer", "cli")
    assert isinstance(caught.value, MissingExtraError)
    assert (caught.value.package, caught.value.extra) == ("typer", "cli")


def test_an_error_about_halves_of_characters_can_be_printed() -> None:
    """A reply may hold them; its text on the error is as it came."""
    reply = "<count>\ud800</count>"
    with pytest.raises(ReplyError) as caught:
        StructuredResponse.from_type(int, "Count").parse(reply)
    assert str(caught.value).encode()
    assert caught.value.reply == reply
