"""The playground's server: who may ask, what it answers, and what it stops."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from socket import create_server

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("typer")

from typer.testing import CliRunner

from structured_response import ReplyError, StructuredResponse
from structured_response.cli.main import app
from structured_response.playground import examples, jobs
from structured_response.playground.app import ASSETS, MAX_BODY, TOKEN_HEADER, names
from tests.corpus.models import Review
from tests.hostile import GOOD
from tests.playground_server import Playground, playground

MODEL = "tests.corpus.models:Review"
HANGS = json.dumps({"type": "object", "properties": {"a": {"type": "string", "pattern": "(?=a)(a+)+$"}}})
REVIEW = StructuredResponse.from_basemodel(Review)


@pytest.fixture(scope="module")
def server() -> Iterator[Playground]:
    """A playground with one model."""
    with playground(MODEL) as started:
        yield started


# Who may ask


@pytest.mark.parametrize("path", ASSETS)
def test_the_page_has_a_strict_policy_and_loads_nothing_from_elsewhere(server: Playground, path: str) -> None:
    """Nothing inline may run, and no file names another server."""
    response, content = server.request("GET", path)
    policy = response.headers["Content-Security-Policy"]
    assert response.status == 200
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert "unsafe" not in policy
    assert b"://" not in content
    assert not re.search(rb"<script>|<style>|\son\w+=|style=", content)


@pytest.mark.parametrize(
    ("headers", "told"),
    [
        ({"Host": "evil.example"}, b"another host"),
        ({"Host": "127.0.0.1.evil.example"}, b"another host"),
        ({"Origin": "http://evil.example"}, b"another page"),
        ({"Origin": "http://127.0.0.1:1"}, b"another page"),
        ({"Origin": "null"}, b"another page"),
        ({TOKEN_HEADER: ""}, b"token"),
        ({TOKEN_HEADER: "a" * 43}, b"token"),
        ({TOKEN_HEADER: "\u00e9"}, b"token"),
    ],
)
def test_others_may_not_ask(server: Playground, headers: dict[str, str], told: bytes) -> None:
    """Another name of this machine, another page, and a program without the token of this start are refused."""
    for job in jobs.JOBS:
        response, content = server.request("POST", f"/{job}", b"{}", headers)
        assert response.status == 403
        assert told in content


def test_another_name_of_the_host_gets_not_even_the_page(server: Playground) -> None:
    """A site whose name points at this machine cannot read a file of it."""
    for path in ASSETS:
        assert server.request("GET", path, headers={"Host": "evil.example"})[0].status == 403


@pytest.mark.parametrize(
    ("given", "host", "expected"),
    [
        ("127.0.0.1", "127.0.0.1:80", True),
        ("127.0.0.1", "localhost:80", True),
        ("127.0.0.1", "[::1]:80", True),
        ("127.0.0.1", "192.168.0.2:80", False),
        ("localhost", "LOCALHOST", True),
        ("::1", "[::1]", True),
        ("192.168.0.2", "192.168.0.2:80", True),
        ("192.168.0.2", "192.168.0.3:80", False),
        ("box.example", "Box.example:80", True),
        ("box.example", "evil.example:80", False),
        ("0.0.0.0", "192.168.0.2:80", True),
        ("0.0.0.0", "localhost", True),
        ("0.0.0.0", "evil.example", False),
        ("::", "[fe80::1]:80", True),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "[", False),
    ],
)
def test_names(given: str, host: str, expected: bool) -> None:
    """The header must name what `--host` was given. For all addresses of a machine it must be an address."""
    assert names(given, host) is expected


def test_unknown_paths_and_methods_are_errors(server: Playground) -> None:
    """There is nothing but the page and its questions."""
    assert server.request("GET", "/read")[0].status == 405
    assert server.request("POST", "/exec")[0].status == 404
    assert server.request("GET", "/..%2fjobs.py")[0].status == 404


def test_a_large_question_is_refused(server: Playground) -> None:
    """It is not even read to its end."""
    assert server.request("POST", "/read", b" " * (MAX_BODY + 1))[0].status == 413


# What it answers


def test_prompts_are_those_of_the_library(server: Playground) -> None:
    """In every format, for a model of the command line and for a pasted schema."""
    for question in ({"model": MODEL}, {"schema": json.dumps(Review.model_json_schema())}):
        answer = server.ask("prompts", **question)
        assert list(answer["prompts"]) == server.ask("start")["formats"] == ["xml", "json", "yaml", "schema"]
        assert json.loads(answer["schema"])["title"] == "Review"
    assert server.ask("prompts", model=MODEL)["prompts"] == {
        form: REVIEW.to_prompt(form) for form in ("xml", "json", "yaml", "schema")
    }


@pytest.mark.parametrize(
    "reply", [GOOD, GOOD.replace("</headline>", ""), GOOD.replace("4", "x"), GOOD.replace("Nice", "\ud800")]
)
def test_a_reading_is_that_of_the_library(server: Playground, reply: str) -> None:
    """With its data, the counts of its findings, and the report."""
    answer = server.ask("read", model=MODEL, reply=reply)
    assert "<h2" in answer["report"]
    parsed = REVIEW.parse(reply, strict=False)
    assert (answer["repairs"], answer["problems"]) == (len(parsed.repairs), len(parsed.problems))
    assert json.loads(answer["data"]).items() >= parsed.to_dict().items()


@pytest.mark.parametrize("reply", ["", "\ud800", "no answer"])
def test_a_reply_without_data_has_a_report_too(server: Playground, reply: str) -> None:
    """It says why."""
    answer = server.ask("read", model=MODEL, reply=reply)
    assert (answer["data"], answer["problems"]) == ("", 1)
    assert "no_answer" in answer["report"]


def test_a_stream_ends_in_the_data(server: Playground) -> None:
    """Its pieces are the reply, and the data of the last one is that of the whole."""
    pieces = server.ask("stream", model=MODEL, reply=GOOD)["pieces"]
    assert "".join(piece["text"] for piece in pieces) == GOOD
    assert json.loads(pieces[-1]["data"]) == REVIEW.parse(GOOD).to_dict()
    assert len(pieces) > 50


def test_a_stream_of_a_long_reply_is_bounded(server: Playground) -> None:
    """Its pieces are larger, so that what is sent does not grow with the square of the reply."""
    reply = GOOD.replace("short", "long & " * 14_000)
    assert (
        sum(len(piece["data"]) for piece in server.ask("stream", model=MODEL, reply=reply)["pieces"]) < jobs.MAX_SHOWN
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ({"schema": "class Review(BaseModel): ..."}, "not JSON"),
        ({"schema": "__import__('os').abort()"}, "not JSON"),
        ({"schema": "[" * 100_000}, "nested too deeply"),
        ({"schema": '{"not": ' * 300 + "{}" + "}" * 300}, "nested too deeply"),
        ({"schema": '{"items": ' * 300 + "{}" + "}" * 300}, "nested deeper"),
        ({"schema": " " * (jobs.MAX_SCHEMA + 1)}, "(MAX_SCHEMA)"),
        ({"schema": '{"$ref": "http://127.0.0.1:1/x.json"}'}, "leads nowhere"),
        ({"schema": '{"$ref": "file:///etc/passwd"}'}, "leads nowhere"),
        ({"schema": '{"type": "object", "if": {"$ref": "http://127.0.0.1:1/x.json"}}'}, "leads nowhere"),
        ({"schema": '{"type": "string", "pattern": "(("}'}, "pattern"),
        ({"schema": "[]"}, "a JSON Schema is a dict"),
        ({"model": "os:system"}, "not among the models"),
        ({"model": "tests.corpus.models:Thread"}, "not among the models"),
    ],
)
def test_a_bad_definition_is_told(server: Playground, question: dict[str, str], told: str) -> None:
    """Nothing that is pasted is run, fetched or imported."""
    for job in ("prompts", "read", "stream"):
        assert told in server.ask(job, **question)["error"]


@pytest.mark.parametrize("body", [b"", b"x", b"[]", b"\xff", b"[" * 100_000, b'{"reply": 1}'])
def test_a_bad_question_is_told(server: Playground, body: bytes) -> None:
    """Whatever a program sends, the worker answers."""
    assert "error" in json.loads(server.request("POST", "/read", body)[1])


# The command


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tests.corpus.models:Revue",), "error: tests.corpus.models has no 'Revue'"),
        (("no_such_module:Review",), "error: there is no module 'no_such_module'"),
        ((MODEL, "missing.json"), "error: missing.json cannot be read"),
        (("--host", "192.0.2.1"), "error: 192.0.2.1, port 0, cannot be used"),
    ],
)
def test_a_bad_argument_ends_the_command(arguments: tuple[str, ...], told: str) -> None:
    """It ends before it serves anything, with a message and the status of bad use."""
    done = CliRunner().invoke(app, ["playground", "--no-browser", *arguments])
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in " ".join(done.stderr.split())


def test_a_port_in_use_ends_the_command() -> None:
    """The message names it."""
    with create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = CliRunner().invoke(app, ["playground", "--no-browser", "--port", str(port)])
    assert done.exit_code == 2
    assert f"127.0.0.1, port {port}, cannot be used: Address already in use" in " ".join(done.stderr.split())


# The examples


@pytest.mark.parametrize("example", examples.MENDED, ids=lambda example: example.name)
def test_an_example_of_damage_is_read(example: examples.Example) -> None:
    """The data is that of the undamaged reply, but for the value that the example is about."""
    asked = StructuredResponse.from_basemodel(examples.Review)
    right, read = (asked.parse(reply).to_dict() for reply in (examples.CLEAN, example.reply))
    changed = {"null_word": "price", "unescaped": "headline"}.get(example.name)
    assert {name for name, value in read.items() if value != right[name]} == ({changed} if changed else set())
    assert example.reply != examples.CLEAN


@pytest.mark.parametrize("example", examples.BROKEN, ids=lambda example: example.name)
def test_an_example_beyond_repair_has_a_problem(example: examples.Example) -> None:
    """Reading it raises."""
    with pytest.raises(ReplyError):
        StructuredResponse.from_basemodel(examples.Review).parse(example.reply)


def test_each_kind_of_damage_has_its_example() -> None:
    """They are those that tests of users draw."""
    damages = pytest.importorskip("structured_response.testing").DAMAGES
    assert set(damages) <= {example.name for example in examples.MENDED}


def test_the_files_of_the_page_are_in_the_package() -> None:
    """A wheel has them."""
    assert all(files("structured_response.playground").joinpath(name).is_file() for name, _kind in ASSETS.values())
