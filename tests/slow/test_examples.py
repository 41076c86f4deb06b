"""The examples of streaming run as a user runs them, without a key and without a network."""

import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from structured_response import StructuredResponse
from tests.chat_server import Text, chat_server

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = ROOT / "examples"


@pytest.fixture
def server_of_openai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server on loopback in place of OpenAI's, which answers with a reply that lacks a field."""
    with chat_server(lambda messages: Text("<recipe><title>Toast</title></recipe>")) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        yield


def printed(example: str, *arguments: str) -> str:
    """What an example prints, on a terminal of 80 columns."""
    command = [sys.executable, str(EXAMPLES / example), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "FORCE_COLOR": "1", "COLUMNS": "80", "PYTHONUTF8": "1"}
    done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
    return (done.stdout + done.stderr).decode()


@contextmanager
def served(*arguments: str) -> Iterator[str]:
    """The address of the example that serves a browser."""
    command = [sys.executable, str(EXAMPLES / "streaming_browser.py"), "--port", "0", "--delay", "0", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().partition(" ")[0]
        finally:
            process.terminate()


def events(address: str) -> list[tuple[str, Any]]:
    """The name and the data of each event of a stream, by the lines that the standard gives them."""
    with urlopen(f"{address}events", timeout=30) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream"
        blocks = answer.read().decode().split("\n\n")
    assert blocks.pop() == ""
    fields = [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]
    return [(each["event"], json.loads(each["data"])) for each in fields]


def test_the_terminal_shows_a_growing_answer() -> None:
    """The title grows with a cursor behind it, and the data is printed at the end."""
    page = printed("streaming_terminal.py", "--delay", "0")
    landmarks = [
        "Mac &\x1b[5m▌",
        "Mac & cheese, with\x1b[5m▌",
        "serves 4",
        "1000",
        "1. Boil",
        "6 repairs",
        "servings=4",
    ]
    places = [page.index(landmark) for landmark in landmarks]
    assert places == sorted(places)


@pytest.mark.usefixtures("server_of_openai")
def test_the_terminal_asks_a_model() -> None:
    """With a model named, its reply is shown, and what is wrong with it."""
    pytest.importorskip("openai")
    page = printed("streaming_terminal.py", "--model", "any")
    assert page.index("Toast") < page.index("$.steps: required, but not there")


def test_the_browser_gets_a_growing_answer() -> None:
    """Texts grow from event to event, and the last one has the data of `parse`."""
    example = runpy.run_path(str(EXAMPLES / "streaming_browser.py"))
    whole = StructuredResponse.from_basemodel(example["Review"]).parse(example["REPLY"])
    with served() as address, urlopen(address, timeout=30) as page:
        told = events(address)
        assert b"new EventSource" in page.read()
    assert {name for name, _data in told} == {"part"}
    parts = [data for _name, data in told]
    verdicts = [part["data"]["verdict"] or "" for part in parts]
    assert len(set(verdicts)) > 20
    assert all(later.startswith(earlier) for earlier, later in pairwise(verdicts))
    assert [part["done"] for part in parts] == [False] * (len(parts) - 1) + [True]
    assert (parts[-1]["data"], parts[-1]["repairs"]) == (whole.to_dict(), len(whole.repairs))


@pytest.mark.usefixtures("server_of_openai")
def test_the_browser_is_told_what_is_wrong() -> None:
    """A reply that does not fit ends in an event with its problems."""
    pytest.importorskip("openai")
    with served("--model", "any") as address:
        name, data = events(address)[-1]
    assert name == "problem"
    assert "the reply has" in data
