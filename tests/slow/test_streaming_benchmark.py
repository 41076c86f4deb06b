"""The benchmark of streaming: what it counts as lag and as a change, and that its processes answer."""

from typing import Any

import pytest
from pydantic import BaseModel

from benchmarks.streaming.contenders import CONTENDERS, OURS, growing, reply
from benchmarks.streaming.lag import Asked, Change, _Log, lag_of
from benchmarks.streaming.measure import Job, _run, _too_long
from structured_response import StructuredResponse


class Review(BaseModel):
    headline: str
    score: int
    note: str | None = None


def _lag(reply: str) -> Any:
    return lag_of(Asked(StructuredResponse.from_basemodel(Review), reply, {}))


def test_a_text_is_shown_as_it_comes() -> None:
    """Each character with the one that is fed, and the number with the end of its closing tag."""
    lag = _lag("<review><headline>Nice</headline><score>4</score></review>")
    assert (lag.form, lag.is_clean, lag.is_restarted, lag.changed) == ("xml", True, False, None)
    assert lag.characters == [0, 0, 0, 0]
    assert lag.values == [0]


def test_an_escaped_text_waits_for_its_end() -> None:
    """What comes behind the first reference is shown when it is clear that it is one."""
    lag = _lag("<review><headline>a &amp; b</headline><score>4</score></review>")
    assert lag.characters[0] == 0
    assert lag.characters[2] >= len(" b")


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        ("ab", "abc", None),
        (None, "a", None),
        ("ab", "a", Change((), "ab", "a")),
        ("ab", "ax", Change((), "ab", "ax")),
        (1, True, Change((), 1, True)),
        (1, None, Change((), 1, None)),
    ],
)
def test_what_is_shown_may_only_grow(before: Any, after: Any, changed: Change | None) -> None:
    """A text may become longer; all else stays, unless the part restarts."""
    for is_restarted in (False, True):
        log = _Log()
        log.take({(): before}, is_restarted=False)
        log.take({(): after}, is_restarted=is_restarted)
        assert log.changed == (None if is_restarted else changed)


def test_characters_are_shown_again_after_a_restart() -> None:
    """Only what stays the same counts as shown since then."""
    log = _Log()
    for value, is_restarted in (("abc", False), ("ax", True), ("axy", False)):
        log.take({("a",): value}, is_restarted)
    assert log.since["a",] == [1, 2, 3]


def test_replies_have_the_length_that_is_asked_for() -> None:
    """Within a tenth, in both formats."""
    for form in OURS:
        for shape in ("list", "string"):
            assert abs(len(reply(shape, form, 10_000)[1]) - 10_000) < 1_000


def test_chunks_grow() -> None:
    """Those who read from the beginning get the text so far."""
    assert list(growing("abcde", 2)) == ["ab", "abcd", "abcde"]


def test_a_process_times_a_contender() -> None:
    """It says how long it took, and that the data is right."""
    found = _run(Job(OURS["xml"], "list", 1_000), 60)
    assert found["is_right"], found
    assert found["seconds"] > 0


def test_what_failed_is_not_tried_at_a_greater_length() -> None:
    """It counts as failed in the same way."""
    name = next(iter(CONTENDERS))
    results = {Job(name, "list", 1_000): {"length": 1_000, "failed": "> 60 s"}}
    assert _too_long(Job(name, "list", 10_000), results) == {"length": 10_000, "failed": "> 60 s"}
    assert _too_long(Job(name, "string", 10_000), results) is None
