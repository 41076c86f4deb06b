"""Playgrounds of their own: what they print, what they stop, and whom they serve."""

from __future__ import annotations

import json
from time import perf_counter

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("typer")

from structured_response.playground import examples
from structured_response.playground.worker import LIMIT
from tests.playground_server import playground

HANGS = json.dumps({"type": "object", "properties": {"a": {"type": "string", "pattern": "(?=a)(a+)+$"}}})


def test_nothing_is_logged() -> None:
    """Neither the token nor what was pasted is in the output, whatever is asked."""
    with playground() as started:
        started.ask("read", schema=examples.CLEAN, reply="secret")
        started.request("GET", "/?secret")
        started.process.send_signal(2)
        said = started.process.communicate(timeout=30)
    assert said == ("", "")
    assert started.process.returncode == 0


def test_a_reading_without_end_is_stopped() -> None:
    """The next one finds a process that is ready, also when that happens twice."""
    reply = f"<value><a>{'a' * 50}!</a></value>"
    with playground() as server:
        for _ in range(2):
            begun = perf_counter()
            assert "longer than 2 s" in server.ask("read", schema=HANGS, reply=reply)["error"]
            assert perf_counter() - begun < LIMIT + 10  # the second one may wait for its process to start
            assert server.ask("read", schema=HANGS, reply="<value><a>aa</a></value>")["problems"] == 0


def test_other_machines_are_warned_of() -> None:
    """A host that they reach is served with a warning, and the header is checked against it."""
    with playground("--host", "0.0.0.0") as started:
        assert started.request("GET", "/")[0].status == 200
        assert started.request("GET", "/", headers={"Host": "evil.example"})[0].status == 403
        started.process.send_signal(2)
        _, said = started.process.communicate(timeout=30)
    assert "warning: other machines can reach 0.0.0.0" in " ".join(said.split())
