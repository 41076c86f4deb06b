"""Replies that were made to hurt: each is read or a ReplyError, quietly wrong nowhere, in time and memory that grow
with the reply. The attacks stand in `tests/hostile.py`.
"""

import pickle
import socket
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from structured_response import ReplyError, ReplyStream, StructuredResponse
from tests.growth import grows_with_the_text
from tests.hostile import ATTACKS, EXTERNAL, GOOD, GOOD_DATA, REVIEW

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

MEMORY = 1_000
"""Bytes that a character may take at the worst moment."""

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


def fed(response: Response, reply: str) -> None:
    """Feeds a reply in small pieces, and looks at what each shows."""
    stream = ReplyStream(response, strict=False)
    for start in range(0, len(reply), 8):
        assert stream.feed(reply[start : start + 8]) is not None
    assert stream.text == reply


def test_every_attack_can_come_in_pieces() -> None:
    """Nothing that is shown on the way raises, and the end is that of the whole reply."""
    for attack in ATTACKS.values():
        reply = attack.make(300)
        parts: list[Any] = []
        with suppress(ReplyError):
            parts.extend(attack.response.stream([reply[:100], reply[100:]], strict=False))
        fed(attack.response, reply)
        found = read(attack.response, reply)
        assert isinstance(found, ReplyError) or str(parts[-1].response) == str(found)


@pytest.mark.parametrize("name", [*ATTACKS][::40])
def test_pieces_cost_time_in_proportion(name: str) -> None:
    """Of a sample of the attacks, since every piece is looked at."""
    attack = ATTACKS[name]
    assert grows_with_the_text(lambda reply: fed(attack.response, reply), attack.make, UNITS.get(name, UNIT))


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


@pytest.mark.parametrize("name", ATTACKS)
def test_time_grows_with_the_reply(name: str) -> None:
    """Sixteen times the noise takes about so many times longer."""
    attack = ATTACKS[name]
    assert grows_with_the_text(partial(read, attack.response), attack.make, UNITS.get(name, UNIT))


@pytest.mark.parametrize("name", ATTACKS)
def test_memory_is_bounded(name: str) -> None:
    """The worst moment takes no more than so many bytes for each character. What a definition's plan remembers has a
    bound of its own, so the best of several readings counts: one of them may have to learn, or to learn again. Memory
    that grew with the square would take time that does.
    """
    attack = ATTACKS[name]
    reply = attack.make(UNIT // 2)
    read(attack.response, reply)  # what is learnt takes several times as long where memory is traced
    assert any(_peak(attack.response, reply) <= MEMORY * len(reply) for _ in range(4))


def _peak(response: Response, reply: str) -> int:
    tracemalloc.start()
    try:
        read(response, reply)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


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
def test_the_measure_tells_squares_from_lines(name: str) -> None:
    """The measure of growth lets a linear reading pass and stops one that searches again from every character."""
    work, passes = GROWTHS[name]
    assert grows_with_the_text(work, lambda size: "x" * size, 2_000) is passes
