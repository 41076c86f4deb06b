"""The commands that ask and that look after a cache, against a server on loopback."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from structured_response.cache import SqliteCache
from structured_response.cli.main import app
from tests.chat_server import Page, Refused, Text, chat_server

GOOD = "<review><headline>Nice</headline><score>4</score></review>"
BAD = "<review><headline>Nice</headline><score>many</score></review>"
MENDED = "<review><score>4</score></review>"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a user's module in it."""
    code = "from pydantic import BaseModel\n\nclass Review(BaseModel):\n    headline: str\n    score: int\n"
    (tmp_path / "asked_shop.py").write_text(textwrap.dedent(code))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


def run(*arguments: Any, stdin: str = "") -> Result:
    """What the command does."""
    return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)


def ask(*arguments: Any, stdin: str = "") -> Result:
    """The command that asks."""
    return run("ask", "asked_shop:Review", *arguments, stdin=stdin)


def test_ask() -> None:
    """The answer on standard output; what was asked again on the other."""
    pytest.importorskip("openai")
    with chat_server([Text(BAD), Text(MENDED)]) as server:
        result = ask("Review a lamp.", "--model", "m", "--base-url", server.url)
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout) == {"headline": "Nice", "score": 4}
        assert result.stderr.startswith("attempt 1: ") and "$.score invalid" in result.stderr
        assert "Review a lamp." in server.messages(0)[0]["content"]
        assert server.requests[0][1]["model"] == "m"


def test_ask_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """A provider with its name for the language model, or a server; errors name it."""
    pytest.importorskip("anthropic")
    with chat_server([Text(GOOD), Text(GOOD), Refused(401)]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "mine")
        named = ask("Review a lamp.", "--model", "anthropic:claude")
        assert json.loads(named.stdout) == {"headline": "Nice", "score": 4}, named.output
        assert server.requests[0][0] == "/v1/messages"
        assert ask("?", "--model", f"{server.url}/v1:qwen3:8b", "--temperature", 0.5).exit_code == 0
        assert (server.requests[1][1]["model"], server.requests[1][1]["temperature"]) == ("qwen3:8b", 0.5)
        failed = ask("?", "--model", "anthropic:claude")
    assert (failed.exit_code, failed.stdout) == (3, "")
    assert failed.stderr.startswith("error: claude at ")
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    failed = ask("?", "--model", "anthropic:claude")
    assert failed.exit_code == 2 and "set ANTHROPIC_API_KEY" in failed.stderr


def test_ask_from_standard_input_as_xml() -> None:
    """A question may be long."""
    pytest.importorskip("openai")
    with chat_server([Text(GOOD)]) as server:
        result = ask("-", "-m", "m", "--base-url", server.url, "--format", "xml", stdin="A long question")
        assert result.stdout.startswith("<review>")
        assert "A long question" in server.messages()[0]["content"]


def test_ask_ends_with_what_is_wrong() -> None:
    """Exit status 1, and the places in the last reply."""
    pytest.importorskip("openai")
    with chat_server(lambda messages: Text(BAD)) as server:
        result = ask("?", "-m", "m", "--base-url", server.url, "--attempts", 2)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "$.score: not an int" in result.stderr
    assert len(server.requests) == 2


def test_ask_and_take_what_there_is() -> None:
    """Null for the rest, and exit status 1 all the same."""
    pytest.importorskip("openai")
    with chat_server(lambda messages: Text(BAD)) as server:
        result = ask("?", "-m", "m", "--base-url", server.url, "--no-strict", "--quiet")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {"headline": "Nice", "score": None}
    assert result.stderr == "$.score: not an int\n"


def test_ask_a_server_that_fails() -> None:
    """Exit status 3, in one line."""
    pytest.importorskip("openai")
    with chat_server(lambda messages: Refused(401, ())) as server:
        result = ask("?", "-m", "m", "--base-url", server.url)
    assert result.exit_code == 3
    assert "AuthenticationError" in result.stderr
    assert "Traceback" not in result.output


def test_a_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch, naps: list[float]) -> None:
    """The error names its URL, given or the SDK's own, and the cause, in one line; exit status 3."""
    pytest.importorskip("openai")
    url = "http://127.0.0.1:9/v1/"
    given = ask("?", "-m", "m", "--base-url", url)
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    for result in (given, ask("?", "-m", "m")):
        assert (result.exit_code, result.stdout) == (3, "")
        assert result.stderr.startswith(f"error: m at {url} fails: APIConnectionError: ")
        assert "refused" in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_server_that_is_busy(naps: list[float]) -> None:
    """It is asked again after a wait, which is that of `ask` and not of the SDK."""
    pytest.importorskip("openai")
    with chat_server([Refused(429, (("retry-after", "9"),)), Text(GOOD)]) as server:
        assert ask("?", "-m", "m", "--base-url", server.url).exit_code == 0
    assert len(naps) == 1 and naps[0] >= 9


def test_ask_with_a_system_message_and_a_temperature() -> None:
    """Both reach the server, and neither does unless it is given."""
    pytest.importorskip("openai")
    with chat_server([Text(GOOD), Text(GOOD)]) as server:
        assert ask("?", "-m", "m", "--base-url", server.url).exit_code == 0
        assert (
            ask(*("?", "-m", "m", "--base-url", server.url, "--system", "Be brief.", "--temperature", 0)).exit_code == 0
        )
        plain, told = (body for _, body in server.requests)
    assert "temperature" not in plain
    assert [message["role"] for message in plain["messages"]] == ["user"]
    assert told["temperature"] == 0
    assert told["messages"][0] == {"role": "system", "content": "Be brief."}
    assert told["messages"][1:] == plain["messages"]


def test_ask_with_a_cache_and_a_recording(tmp_path: Path) -> None:
    """What was asked once is not asked again, and what was recorded needs no server."""
    pytest.importorskip("openai")
    with chat_server([Text(GOOD)]) as server:
        for _ in range(2):
            result = ask("?", "-m", "m", "--base-url", server.url, "--cache", "c.sqlite", "--record", "r.jsonl")
            assert result.exit_code == 0, result.output
        assert len(server.requests) == 1
    told = ask("?", "--replay", "r.jsonl")
    assert json.loads(told.stdout)["score"] == 4
    unwritable = ask("?", "--replay", "r.jsonl", "--record", "nowhere/r.jsonl")
    assert (unwritable.exit_code, unwritable.stdout) == (2, "")
    assert unwritable.stderr == "error: nowhere/r.jsonl cannot be written: No such file or directory\n"
    other = ask("Another?", "--replay", "r.jsonl")
    assert (other.exit_code, other.stdout) == (2, "")
    assert "no reply to these messages" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["?"], "which language model"),
        (["?", "-m", "m"], "OPENAI_API_KEY"),
        (["?", "-m", "m", "--replay", "nowhere.jsonl"], "cannot be read"),
        (["?", "-m", "m", "--base-url", "http://127.0.0.1:port"], "Invalid port: 'port'"),
    ],
)
def test_ask_used_badly(arguments: list[str], message: str) -> None:
    """Exit status 2, in one line that says what to do."""
    pytest.importorskip("openai")
    result = ask(*arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_ask_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The install command is named."""
    monkeypatch.setitem(__import__("sys").modules, "openai", None)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    result = ask("?", "-m", "m")
    assert result.exit_code == 2
    assert 'pip install "structured-response-py[openai]"' in " ".join(result.stderr.split())


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """A file with three replies."""
    path = tmp_path / "replies.sqlite"
    with SqliteCache(path) as made:
        made.set_many({"Review:1": b"1", "Review:2": b"2"})
        made.set("Order:1", b"3", ttl=1_000)
    return path


def test_cache_stats(cache: Path) -> None:
    """How many, how large, and for which classes."""
    result = run("cache", "stats", cache)
    assert result.exit_code == 0, result.output
    assert "3 replies" in result.stdout
    assert "  Order: 1\n  Review: 2\n" in result.stdout


def test_cache_list(cache: Path) -> None:
    """A line for each, or for those of one class."""
    assert len(run("cache", "list", cache).stdout.splitlines()) == 4
    assert len(run("cache", "list", cache, "--limit", 1).stdout.splitlines()) == 2
    lines = run("cache", "list", cache, "--namespace", "Order").stdout.splitlines()
    assert lines[1].startswith("Order:1 ")


def test_cache_clear(cache: Path) -> None:
    """One class, or everything, once the question is answered with yes."""
    result = run("cache", "clear", cache, "-n", "Review", stdin="y\n")
    assert result.stdout.endswith("2 removed\n")
    assert f"Remove 2 replies from {cache}? [y/N]:" in result.stderr
    assert run("cache", "clear", cache, "--yes").stdout == "1 removed\n"
    with SqliteCache(cache) as opened:
        assert opened.stats().entries == 0


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_cache_clear_asks_first(answer: str, cache: Path) -> None:
    """Without a yes nothing is removed, and the exit status is 1."""
    result = run("cache", "clear", cache, stdin=answer)
    assert (result.exit_code, "removed" in result.stdout) == (1, False)
    with SqliteCache(cache) as opened:
        assert opened.stats().entries == 3


@pytest.mark.parametrize("command", ["stats", "list", "clear"])
def test_a_cache_that_is_not_there_is_not_made(command: str, tmp_path: Path) -> None:
    """To look for one changes nothing; one's own is looked for in the folder for caches."""
    result = run("cache", command)
    assert result.exit_code == 2
    assert "does not exist" in " ".join(result.stderr.split())
    assert not (tmp_path / "caches").exists()


@pytest.mark.parametrize("command", ["stats", "list", "clear"])
def test_a_file_that_is_no_cache(command: str, tmp_path: Path) -> None:
    """It is told, and left as it is."""
    path = tmp_path / "notes.txt"
    path.write_text("notes " * 1_000)
    result = run("cache", command, path)
    assert result.exit_code == 2
    assert "cannot be used" in " ".join(result.stderr.split())
    assert path.read_text() == "notes " * 1_000


def test_a_page_in_place_of_a_completion() -> None:
    """The server is at fault, and the line says so."""
    pytest.importorskip("openai")
    with chat_server([Page("<!DOCTYPE html><title>502 Bad Gateway</title>")]) as server:
        result = run("ask", "asked_shop:Review", "Review a lamp.", "--base-url", server.url, "--model", "m")
    assert result.exit_code == 3
    assert "502 Bad Gateway" in result.stderr and "check any proxy" in result.stderr
