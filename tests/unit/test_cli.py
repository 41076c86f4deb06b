"""The command line: what each command prints and where, its exit status, and every way to use it badly."""

import ast
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from structured_response import StructuredResponse, __version__
from structured_response.cli import main
from structured_response.cli.demo import WeatherPrognosis
from structured_response.cli.main import app

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "docs" / name for name in ("command-line.md", "how-it-reads.md")]
WEATHER = "structured_response.cli.demo:WeatherPrognosis"

SHOP = '''
from dataclasses import dataclass
from pydantic import BaseModel, Field, RootModel, field_validator
from typing_extensions import TypedDict

class Review(BaseModel):
    """What a customer says."""

    headline: str
    score: int = Field(ge=1, le=5)
    recommended: bool
    pros: list[str] = []
    counts: list[int] = []

    class Part(BaseModel):
        label: str

class Sums(BaseModel):
    total: int
    share: float

class Tags(RootModel[list[str]]):
    pass

class Strange(BaseModel):
    model_config = {"arbitrary_types_allowed": True}
    file: type(open)

class Failing(BaseModel):
    number: int

    @field_validator("number")
    @classmethod
    def check(cls, value: int) -> int:
        return value // 0

@dataclass
class Point:
    x: int

class Record(TypedDict):
    y: int

Reviews = list[Review]
Mixed = Point | int
limit = 3
class NoModel: pass
'''
REPLY = "Sure:\n<review><headline>Q&amp;A</headline><score>4</score><recommended>Yes</recommended></review>\n"
BAD = "<review>\n  <headline>Nice</headline>\n  <score>9</score>\n  <recommended>Yes</recommended>\n</review>"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A current directory with a module of models in it; what the commands import is forgotten afterwards."""
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


def run(*arguments: str, stdin: str | bytes = "", **environment: str) -> Result:
    """A command, run in this process; an exception that gets out of it fails the test."""
    return CliRunner().invoke(
        app, arguments, input=stdin, env=environment, catch_exceptions=False, prog_name="structured-response"
    )


def test_version() -> None:
    """The version is that of the package, and nothing else is printed."""
    result = run("--version")
    assert (result.exit_code, result.output) == (0, f"structured-response {__version__}\n")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["demo", "-h"], ["prompt", "-h"], ["parse", "-h"]])
def test_help(arguments: list[str]) -> None:
    """Each command explains itself."""
    result = run(*arguments)
    assert result.exit_code == 0
    assert "Usage: structured-response" in result.stdout


def test_prompt_is_the_prompt() -> None:
    """The prompt is printed to the character, and a line break ends it."""
    result = run("prompt", WEATHER)
    assert result.exit_code == 0
    assert result.stdout_bytes.decode() == StructuredResponse.from_basemodel(WeatherPrognosis).to_prompt() + "\n"
    assert result.stderr == ""


@pytest.mark.parametrize("form", ["xml", "json", "yaml", "schema"])
@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], {}),
        (["--instructions"], {"instructions": True}),
        (["--include", "location", "--include", "overall_rain_prob.chance"], None),
        (["--exclude", "location"], {"exclude": ["location"]}),
    ],
    ids=str,
)
def test_prompt_has_the_options_of_the_method(form: Any, arguments: list[str], options: Any) -> None:
    """The format, the paragraph on how to answer, and selections of fields by their paths."""
    options = {"include": arguments[1::2]} if options is None else options
    result = run("prompt", WEATHER, "--format", form, *arguments)
    expected = StructuredResponse.from_basemodel(WeatherPrognosis).to_prompt(form, **options)
    assert (result.exit_code, result.stdout_bytes.decode()) == (0, f"{expected}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--include", "nope"], "no field is called 'nope' here"),
        (["--include", "score", "--exclude", "headline"], "include and exclude do not go together"),
        (["--format", "toml"], "'toml' is not one of 'xml', 'json', 'yaml', 'schema'"),
    ],
    ids=str,
)
def test_bad_options_of_a_prompt(arguments: list[str], message: str) -> None:
    """A field that is not there is named; nothing is printed."""
    result = run("prompt", "shop:Review", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.replace("│", " ").split())


def test_model_inside_a_class() -> None:
    """A dotted name reaches into classes."""
    assert run("prompt", "shop:Review.Part").stdout.startswith("<part>")


@pytest.mark.parametrize(
    ("target", "reply", "data"),
    [
        ("shop:Point", "<point><x>1</x></point>", {"x": 1}),
        ("shop:Record", "<record><y>1</y></record>", {"y": 1}),
        ("shop:Mixed", "<value>7</value>", 7),
        ("shop:Reviews", "<review_list><li><headline>Nice</headline></li></review_list>", None),
        ("review.schema.json", "<review><score>4</score></review>", {"score": 4}),
    ],
    ids=lambda each: each if isinstance(each, str) and ":" in each else "",
)
def test_any_type_and_a_schema(target: str, reply: str, data: Any, folder: Path) -> None:
    """What is asked for is any type, or the file of a JSON Schema: for the prompt, and for a reply."""
    schema = {"title": "Review", "type": "object", "properties": {"score": {"type": "integer"}}}
    (folder / "review.schema.json").write_text(json.dumps(schema))
    assert run("prompt", target).stdout.startswith(reply.partition(">")[0])
    result = run("parse", "--why", target, stdin=reply)
    assert result.exit_code == (data is None)
    assert data is None or json.loads(result.stdout) == data


def test_parse_prints_json() -> None:
    """The instance is JSON with every field of the model; what was mended stands on standard error."""
    result = run("parse", "shop:Review", stdin=REPLY)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {"headline": "Q&A", "score": 4, "recommended": True, "pros": [], "counts": []}
    assert result.stderr == "stdin:2:66: $.recommended: value respelled: 'Yes' -> 'true'\n"


def test_parse_prints_xml() -> None:
    """XML is what `str` of the response gives."""
    result = run("parse", "shop:Review", "-", "--format", "xml", stdin=REPLY)
    assert result.stdout.startswith("<review>\n    <headline>Q&amp;A</headline>\n")


def test_parse_reads_a_file(folder: Path) -> None:
    """A file is read as UTF-8, and findings name it."""
    (folder / "reply.txt").write_text(REPLY.replace("Q", "é"), encoding="utf-8")
    result = run("parse", "shop:Review", "reply.txt")
    assert json.loads(result.stdout)["headline"] == "é&A"
    assert result.stderr.startswith("reply.txt:2:66: ")


def test_quiet_hides_repairs_only() -> None:
    """With `--quiet` no repair is listed, and every problem is."""
    assert run("parse", "-q", "shop:Review", stdin=REPLY).stderr == ""
    loud = run("parse", "shop:Review", stdin=BAD).stderr
    quiet = run("parse", "-q", "shop:Review", stdin=BAD).stderr
    assert "$.recommended: " in loud
    assert "$.recommended: " not in quiet
    assert "$.score: " in quiet


def test_bad_reply() -> None:
    """Nothing on standard output; path, message and carets under the place on standard error; status 1."""
    result = run("parse", "-q", "shop:Review", stdin=BAD)
    assert (result.exit_code, result.stdout) == (1, "")
    first, line, carets = result.stderr.splitlines()
    assert re.match(r"stdin:3:10: \$\.score: .*\b5\b", first)
    assert line[carets.index("^")] == "9"
    assert carets.strip() == "^"


def test_bad_reply_hints_at_what_could_be_read() -> None:
    """Where there is something to read, the option that prints it is named."""
    assert "--no-strict" in run("parse", "shop:Review", stdin=BAD).stderr
    assert "--no-strict" not in run("parse", "shop:Review", stdin="Sorry, I cannot.").stderr


def test_no_strict_prints_what_could_be_read() -> None:
    """What is bad is null in what is printed; problems are listed as before, and the status stays 1."""
    result = run("parse", "-q", "--no-strict", "shop:Review", stdin=BAD)
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "headline": "Nice",
        "score": None,
        "recommended": True,
        "pros": [],
        "counts": [],
    }
    assert result.stderr == run("parse", "-q", "shop:Review", stdin=BAD).stderr


@pytest.mark.parametrize("reply", ["", "Sorry, I cannot.", "<review><headline>Nice</headlin></review>"])
@pytest.mark.parametrize("option", ["--strict", "--no-strict"])
def test_reply_with_nothing_in_it(reply: str, option: str) -> None:
    """No data at all is a bad reply in both modes."""
    result = run("parse", option, "shop:Review", stdin=reply)
    assert result.exit_code == 1
    assert result.stderr.startswith("stdin:")


ITEMS = f"{REPLY[:-10]}<counts><li>1</li><li>x</li><li>+3</li></counts></review>"


def test_on_bad_item() -> None:
    """Bad items are raised, dropped with a line about them, or kept as null with their problems and status 1."""
    assert run("parse", "shop:Review", stdin=ITEMS).exit_code == 1
    dropped = run("parse", "--on-bad-item", "drop", "shop:Review", stdin=ITEMS)
    assert dropped.exit_code == 0
    assert json.loads(dropped.stdout)["counts"] == [1, 3]
    assert "$.counts[1]: item dropped: '$.counts[1]: " in dropped.stderr
    kept = run("parse", "--on-bad-item", "keep", "shop:Review", stdin=ITEMS)
    assert kept.exit_code == 1
    assert json.loads(kept.stdout)["counts"] == [1, None, 3]
    assert "$.counts[1]: " in kept.stderr


def test_no_repair() -> None:
    """What would have been mended is a problem; a reply that needs nothing is read as ever."""
    result = run("parse", "--no-repair", "shop:Review", stdin=REPLY)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "$.recommended: needed a repair (value_respelled)" in result.stderr
    assert run("parse", "--no-repair", "shop:Review", stdin=REPLY.replace("Yes", "true")).exit_code == 0


def test_why() -> None:
    """The slips of the reading are told with their prices, and so is the next best reading; the data is printed too."""
    result = run("parse", "--why", "-q", "shop:Review", stdin=REPLY.replace("</headline>", ""))
    assert json.loads(result.stdout)["headline"] == "Q&A"
    taken, following, parts = re.split("next best|they part", result.stderr)
    assert re.match(r"taken, at 12:\n +2:\d+ +<score>4</score> +12  closer_missing  a closing tag is", taken)
    assert re.match(r", at \d+:\n", following)
    assert "$.score: 4, not None" in parts


def test_why_of_no_answer() -> None:
    """Where nothing is read there is nothing to explain, and the problem is told as ever."""
    result = run("parse", "--why", "shop:Review", stdin="Sorry, I cannot.")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("nothing in the reply could be the answer\n")


def test_expect() -> None:
    """Of a reply that holds two formats the expected one is read; how it is printed is another option."""
    both = f'{REPLY.replace("Yes", "true")}{{"headline": "Other", "score": 1, "recommended": false}}'
    for arguments, headline in (([], "Q&A"), (["--expect", "xml"], "Q&A"), (["--expect", "json"], "Other")):
        result = run("parse", *arguments, "shop:Review", stdin=both)
        assert (result.exit_code, json.loads(result.stdout)["headline"]) == (0, headline)
    assert run("parse", "--expect", "json", "--format", "xml", "shop:Review", stdin=both).stdout.startswith("<review>")


def test_refusal() -> None:
    """A reply that declines says so."""
    result = run("parse", "shop:Review", stdin="I'm sorry, but I can't help with that.")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("stdin:1:1: $: the reply declines to answer")


def test_all_problems_are_listed() -> None:
    """One run names every fault, not the first."""
    result = run("parse", "shop:Review", stdin="<review><score>many</score><recommended>so so</recommended></review>")
    assert [path for path in ("$.headline", "$.score", "$.recommended") if f"{path}: " not in result.stderr] == []


def test_carets_stand_under_wide_letters() -> None:
    """Letters of two columns count as two, so that the carets are under the value on a terminal."""
    result = run("parse", "-q", "shop:Review", stdin=BAD.replace("  <score>9", "日本<score>九"))
    line, carets = result.stderr.splitlines()[1:3]
    assert line == "    日本<score>九</score>"
    assert carets == "    " + " " * (2 * 2 + len("<score>")) + "^^"


def test_numbers_that_json_lacks() -> None:
    """Integers keep all their digits, and NaN is text, as in the cache: neither becomes null."""
    result = run("parse", "shop:Sums", stdin=f"<sums><total>{10**30}</total><share>NaN</share></sums>")
    assert result.stdout == f'{{\n  "total": {10**30},\n  "share": "NaN"\n}}\n'


def test_root_model() -> None:
    """A model whose data is a list is printed as one."""
    assert json.loads(run("parse", "shop:Tags", stdin="<tags><li>a</li><li>b</li></tags>").stdout) == [
        "a",
        "b",
    ]


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nowhere:Review", "there is no module 'nowhere'"),
        ("shop.sub:Review", "there is no module 'shop.sub'"),
        (
            "shop:Nothing",
            "shop has no 'Nothing'; the types in it: Failing, Mixed, NoModel, Point, Record",
        ),
        ("shop:Review.Whole", "shop has no 'Review.Whole'"),
        ("shop:limit", "shop:limit is not a type but of type int"),
        ("shop:NoModel", "NoModel cannot be described"),
        ("shop:Strange", "file"),
        ("shop", "write package.module:Name"),
        ("shop:", "write package.module:Name"),
        (":Review", "write package.module:Name"),
        (".shop:Review", "write package.module:Name"),
        ("shop.py:Review", "write package.module:Name"),
        ("./shop:Review", "write package.module:Name"),
        ("none.json", "none.json cannot be read: No such file or directory"),
        ("text.json", "text.json is not JSON: Expecting value: line 1 column 1 (char 0)"),
        ("list.json", "a JSON Schema is a dict, not list"),
        ("", "write package.module:Name"),
        ("shop:Failing", "shop:Failing cannot be used: ZeroDivisionError: "),
    ],
)
def test_bad_model(target: str, message: str, folder: Path) -> None:
    """What is wrong with the name or the type is one clear line, and the status is 2."""
    (folder / "text.json").write_text("no JSON")
    (folder / "list.json").write_text("[]")
    check_bad_use(run("parse", target, stdin="<failing><number>1</number></failing>"), message)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("import not_installed_anywhere", "No module named 'not_installed_anywhere' (mine.py, line 1)"),
        (
            "x = 1\ny = x / 0",
            "mine cannot be imported: ZeroDivisionError: division by zero (mine.py, line 2)",
        ),
        ("def f(:", "mine cannot be imported: SyntaxError: "),
        ("raise SystemExit(0)", "mine cannot be imported: SystemExit: 0"),
        ("raise ValueError('a\\n\\nb')", "mine cannot be imported: ValueError: a b"),
        (
            "try:\n    {}['key']\nexcept KeyError as e:\n    raise RuntimeError('no settings') from e",
            "RuntimeError: no settings, caused by KeyError: 'key' (mine.py, line 4)",
        ),
        ("from pydantic import BaseModel\nclass A(BaseModel):\n    x: print", "(mine.py, line 2)"),
    ],
)
def test_error_in_the_users_module(folder: Path, source: str, message: str) -> None:
    """An error inside the module is told with its cause and its place in the user's file, on one line."""
    (folder / "mine.py").write_text(source, encoding="utf-8")
    check_bad_use(run("prompt", "mine:Model"), message)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        ("missing.txt", "missing.txt cannot be read: No such file or directory"),
        ("folder", "folder cannot be read: Is a directory"),
        ("latin.txt", "latin.txt is not UTF-8: byte 0xe9 at offset 3"),
    ],
)
def test_bad_file(folder: Path, file: str, message: str) -> None:
    """A file that is no reply is one clear line, and the status is 2."""
    (folder / "folder").mkdir()
    (folder / "latin.txt").write_bytes("café".encode("latin-1"))
    check_bad_use(run("parse", "shop:Review", file), message)


def test_standard_input_that_is_not_utf8() -> None:
    """Standard input is read as UTF-8 too."""
    check_bad_use(run("parse", "shop:Review", stdin=b"\xff\xfe<"), "- is not UTF-8: byte 0xff at offset 0")


def check_bad_use(result: Result, message: str) -> None:
    """One line on standard error, nothing on standard output, status 2."""
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["prompt"],
        ["parse", "shop:Review", "--format", "yaml"],
        ["nothing"],
        ["parse", "shop:Review", "--expect", "html"],
    ],
)
def test_bad_arguments(arguments: list[str]) -> None:
    """Arguments that make no sense are status 2."""
    assert run(*arguments).exit_code == 2


def test_what_a_module_prints_stays_out_of_the_output(folder: Path) -> None:
    """Standard output is the instance and nothing else, whatever the module prints on import."""
    (folder / "talkative.py").write_text("print('hello')\nfrom shop import Sums", encoding="utf-8")
    result = run("parse", "talkative:Sums", stdin="<sums><total>1</total><share>0.5</share></sums>")
    assert json.loads(result.stdout) == {"total": 1, "share": 0.5}
    assert result.stderr == "hello\n"


@pytest.mark.parametrize("command", [["prompt", "shop:Review"], ["parse", "shop:Review"]])
def test_colours_are_for_terminals(command: list[str]) -> None:
    """No escape sequence without a terminal, colours with one, and under NO_COLOR none of them."""
    assert "\x1b[" not in run(*command, stdin=REPLY).output
    assert re.search(r"\x1b\[[\d;]*3\d", run(*command, stdin=REPLY, FORCE_COLOR="1").stdout)
    assert not re.search(r"\x1b\[[\d;]*3\d", run(*command, stdin=REPLY, FORCE_COLOR="1", NO_COLOR="1").output)


def test_replies_cannot_steer_the_terminal() -> None:
    """Control characters of a reply are shown as pictures of themselves, wherever a piece of it is shown."""
    reply = "<review><score>\x9b31m9\x7f</score><headline>\x7f</headline><recommended>No</recommended></review>"
    result = run("parse", "--no-strict", "shop:Review", stdin=reply, FORCE_COLOR="1", NO_COLOR="1")
    shown = re.sub(r"\x1b\[[\d;]*m", "", result.output)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)
    assert "\N{REPLACEMENT CHARACTER}31m9\N{SYMBOL FOR DELETE}" in shown


def in_a_process(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command of its own process, in the current directory, on the package under test."""
    return subprocess.run(
        [sys.executable, *command],
        env={"PYTHONPATH": str(ROOT), "PATH": "", **environment},
        capture_output=True,
        encoding="utf-8",
        input=REPLY,
        check=False,
    )


def test_as_a_process() -> None:
    """The module runs as a command, and prints UTF-8 whatever the locale says."""
    done = in_a_process("-m", "structured_response", "parse", "-q", "shop:Review", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["headline"] == "Q&A"


def test_only_public_names_of_typer() -> None:
    """The commands use what typer exports; it has dropped private names before."""
    folder = Path(str(main.__file__)).parent
    nodes = [node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    used = {
        node.attr
        for node in nodes
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "typer"
    }
    assert "Typer" in used
    assert {name for name in used if name.startswith("_") or not hasattr(typer, name)} == set()
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert {name for name in imported if name and re.match(r"typer\.|click", name)} == set()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_pages_show_what_the_commands_print(path: Path, folder: Path) -> None:
    """Every console block of the documentation is what its commands print, in its very order."""
    page = path.read_text(encoding="utf-8")
    for name, content in re.findall(r"^`([\w.]+)`:\n\n```\w+\n(.*?)```$", page, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(content, encoding="utf-8")
    blocks = re.findall(r"^```console\n(.*?)```$", page, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        assert "".join(transcript(block, folder)) == block


def transcript(block: str, folder: Path) -> Iterator[str]:
    """The block's commands, each with what it prints now."""
    for command in re.findall(r"^\$ (.*)\n", block, re.MULTILINE):
        feed, _, line = command.rpartition(" | ")
        reply = (folder / "reply.txt").read_text(encoding="utf-8")
        if feed:
            old, new = re.fullmatch(r"sed 's/(.*)/(.*)/' reply.txt", feed).groups()  # type: ignore[union-attr]
            reply = reply.replace(old, new)
        output = run(*shlex.split(line)[1:], stdin=reply).output
        yield f"$ {command}\n{output.replace(str(folder), '/home/you/shop')}"


def test_explain_shows_a_reply_beside_its_data(tmp_path: Path) -> None:
    """It prints a report, or writes a page. A file that cannot be written is named."""
    reply = "<review><headline>Nice & cheap</headline><score>many</score><recommended>yes</recommended></review>"
    told = run("explain", "shop:Review", stdin=reply)
    assert (told.exit_code, told.stderr) == (0, "")
    assert "^ $.score: not an int" in told.stdout
    assert run("explain", "shop:Review", "--html", "out.html", stdin=reply).output == ""
    assert "not an int" in (tmp_path / "out.html").read_text("utf-8")
    failed = run("explain", "shop:Review", "--html", "no/out.html", stdin=reply)
    assert (failed.exit_code, failed.stderr) == (2, "error: no/out.html cannot be written: No such file or directory\n")
