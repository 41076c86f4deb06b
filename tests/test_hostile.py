"""Replies that were made to hurt: each is read or a ReplyError, quietly wrong nowhere, in time and memory that grow
with the reply. The attacks stand in `tests/hostile.py`.
"""

import math
import pickle
import socket
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from structured_response import ReplyError, StructuredResponse
from tests.hostile import ATTACKS, EXTERNAL, GOOD, GOOD_DATA, REVIEW, Attack

SIZES = (0, 50, 1_000)
"""Characters of the replies that law 1 is held for."""

UNIT = 2_000
"""Characters at 1x of the replies whose time is measured."""

UNITS = {
    "digits, in a number": 5_000,
    "deep recursion of the model": 9_000,
    "empty items before their fields, among objects": 20_000,
}
"""Where 1x is more than that: up to 4,300 digits, and up to 100 levels of this model, are a faster reader's; a square
that begins small shows late."""

ROOM = 3.0
"""Times that a character may cost at 4x and 16x of what it costs at 1x. What grows with the square is at 16."""

MEMORY = 1_000
"""Bytes that a character may take at the worst moment."""


pytestmark = pytest.mark.usefixtures("nothing_to_collect")

Response = StructuredResponse[Any]
Found = Response | ReplyError


def read(response: Response, reply: str, strict: bool = False) -> Found:
    """What came of a reply. Any other exception than a ReplyError passes through."""
    try:
        return response.parse(reply, strict=strict)
    except ReplyError as error:
        str(error)
        return error


def spans(found: Found) -> list[tuple[int, int] | None]:
    """Where everything stands that was found."""
    repairs = [] if isinstance(found, ReplyError) else found.repairs
    return [*(repair.span for repair in repairs), *(problem.span for problem in found.problems)]


def test_there_are_many_and_a_good_answer() -> None:
    """The table holds more than it was asked to, and the answer in its replies is read as it is."""
    assert len(ATTACKS) > 400
    good = REVIEW.parse(GOOD)
    assert good.to_dict() == GOOD_DATA
    assert good.repairs == []


@pytest.mark.parametrize("name", ATTACKS)
def test_it_is_read_or_a_reply_error(name: str) -> None:
    """A response or a ReplyError that can be sent on, with every span inside the reply. Whatever is accepted holds the
    good answer's data, but for the field that the noise stands in.
    """
    attack = ATTACKS[name]
    for size in SIZES:
        reply = attack.make(size)
        for strict in (True, False):
            found = read(attack.response, reply, strict)
            assert all(0 <= span[0] <= span[1] <= len(reply) for span in spans(found) if span is not None)
            if isinstance(found, ReplyError):
                assert str(pickle.loads(pickle.dumps(found))) == str(found)
            elif strict and attack.keeps:
                assert {field: found.to_dict().get(field) for field in attack.keeps} == attack.keeps


def spent(response: Response, reply: str, rounds: int) -> float:
    """Seconds of this process for one reading, the best of so many."""
    best = math.inf
    for _ in range(rounds):
        started = time.process_time()
        read(response, reply)
        best = min(best, time.process_time() - started)
    return best


def growth(attack: Attack, rounds: int, unit: int = UNIT) -> float:
    """The time per character at 4x or at 16x over that at 1x, whichever is worse.

    Noise may be the reason that the next reader takes over, which it is not to pay for again: what the answer
    takes at worst without any noise is taken off.
    """
    step = max(spent(REVIEW, reply, rounds) for reply in WITHOUT_NOISE)
    replies = [attack.make(unit * times) for times in (1, 4, 16)]
    first, *later = (spent(attack.response, reply, rounds) for reply in replies)
    costs = [(seconds - step) / len(reply) for seconds, reply in zip(later, replies[1:], strict=True)]
    return max(costs) / (first / len(replies[0]))


WITHOUT_NOISE = (
    GOOD,
    GOOD.replace("<score>", "<score type='int'>"),
    GOOD.replace("4", "x"),
    GOOD.replace("</score>", ""),
)
"""The good answer as each of the readers meets it: clean, well-formed, with a problem, damaged."""


@pytest.mark.parametrize("name", ATTACKS)
def test_time_grows_with_the_reply(name: str) -> None:
    """Four and sixteen times the noise take about so many times longer; a busy machine gets more tries."""
    read(ATTACKS[name].response, ATTACKS[name].make(UNIT))  # what is compiled once is not the reply's
    assert any(growth(ATTACKS[name], rounds, UNITS.get(name, UNIT)) <= ROOM for rounds in (1, 3, 5, 9))


@pytest.mark.parametrize("name", ATTACKS)
def test_memory_is_bounded(name: str) -> None:
    """The worst moment takes no more than so many bytes for each character."""
    reply = ATTACKS[name].make(2 * UNIT)
    read(ATTACKS[name].response, reply)  # what a definition's plan remembers has a bound of its own
    tracemalloc.start()
    try:
        read(ATTACKS[name].response, reply)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= MEMORY * len(reply)


ENTITIES = ("entity bomb", "entity blow-up", "external entities", "parameter entities", "external subset", "inclusions")


@pytest.mark.parametrize("name", ENTITIES)
def test_entities_expand_to_nothing(name: str) -> None:
    """However a reply declares its entities, what comes out is no longer than what went in."""
    reply = ATTACKS[name].make(20_000)
    found = read(ATTACKS[name].response, reply)
    assert isinstance(found, ReplyError) or len(found.serialize()) < 2 * len(reply)


@pytest.mark.parametrize("name", ENTITIES[2:])
def test_no_file_is_read_and_nobody_is_called(name: str, tmp_path: Path) -> None:
    """What a reply names as external stays where it is: the file is not read, the address hears nothing."""
    secret = tmp_path / "secret.txt"
    secret.write_text("hidden words", "utf-8")
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.01)
        for address in (secret.as_uri(), f"http://127.0.0.1:{server.getsockname()[1]}/x"):
            reply = ATTACKS[name].make(200).replace(EXTERNAL, address)
            found = read(ATTACKS[name].response, reply)
            assert "hidden words" not in (str(found) if isinstance(found, ReplyError) else found.serialize())
        with pytest.raises(TimeoutError):
            server.accept()


def _quadratic(text: str) -> None:
    for start in range(0, len(text), 4):
        text.count("never", start)


GROWTHS: dict[str, tuple[Callable[[str], object], bool]] = {
    "every character once": (lambda text: [character for character in text for _ in range(20)], True),
    "a search from everywhere": (_quadratic, False),
}


@pytest.mark.parametrize("name", GROWTHS)
def test_the_measure_tells_squares_from_lines(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The measure of growth lets a linear reading pass and stops one that searches again from every character."""
    work, passes = GROWTHS[name]
    monkeypatch.setattr("tests.test_hostile.read", lambda response, reply: work(reply))
    grown = [growth(Attack(lambda size: "x" * size), rounds) for rounds in (1, 3, 5)]
    assert (min(grown) <= ROOM) is passes
