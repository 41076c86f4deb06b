"""Every Python block of README.md and of the pages in docs/ runs, in order, and prints what the page says it prints.

The blocks of one page share a namespace, as if a reader typed them one after the other. A ```text
block right behind a ```python block is what that block prints. Behind a line `<!-- needs package -->`
a block is only compiled where that package is not installed. In place of providers and other servers, servers on
loopback answer.
"""

import contextlib
import difflib
import io
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from hypothesis import settings

from tests.chat_server import Text, chat_server

ROOT = Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
COOKBOOK = sorted((ROOT / "docs" / "cookbook").glob("*.md"))
BESIDE_OTHERS = sorted([*ROOT.glob("docs/moving/*.md"), ROOT / "docs/integrations.md", ROOT / "docs/scale.md"])
"""Pages with other libraries, which run in tests/slow/test_pages.py."""
PAGES = [README, *sorted({*(ROOT / "docs").rglob("*.md")} - {*COOKBOOK, *BESIDE_OTHERS})]
NEEDS = re.compile(r"<!-- needs (\w+) -->")
FENCE = re.compile(r"(?P<indent> *)(?P<fence>`{3,}|~{3,}) *(?P<language>[\w-]*)[^`]*$")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    code: str
    line: int
    """Of the block's first line inside the fence, from 1."""
    before: str
    """The last line in front of the block that is not blank."""
    follows: "Block | None"
    """The block with nothing but blank lines between it and this one."""


def blocks(page: str, name: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = page.splitlines()
    at, before, last = 0, "", None
    while at < len(lines):
        opener = FENCE.match(lines[at])
        at += 1
        if opener is None:
            if lines[at - 1].strip():
                before, last = lines[at - 1].strip(), None
            continue
        start, closer = at, re.compile(rf" *{opener['fence']}{opener['fence'][0]}* *$")
        while at < len(lines) and not closer.match(lines[at]):
            at += 1
        if at == len(lines):
            raise AssertionError(f"{name}:{start}: this fence is never closed")
        code = textwrap.dedent("".join(f"{line}\n" for line in lines[start:at]))
        last = Block(opener["language"], code, start + 1, before, last)
        yield last
        before, at = "", at + 1


def run(page: str, name: str, namespace: dict[str, object]) -> None:
    """Run a page's Python blocks and compare what each prints; the errors name file and line."""
    printed: dict[Block, str] = {}
    for block in blocks(page, name):
        if block.language == "python":
            program = compiled(block, name)
            if is_run(block):
                printed[block] = output(program, f"{name}:{block.line}", namespace)
        elif block.language == "text" and block.follows in printed:
            compare(printed[block.follows], block, name)


def is_run(block: Block) -> bool:
    """Whether a block is more than compiled."""
    needed = NEEDS.fullmatch(block.before)
    return needed is None or find_spec(needed[1]) is not None


def compiled(block: Block, name: str) -> CodeType:
    """The block's program, whose line numbers are those of the page."""
    try:
        return compile("\n" * (block.line - 1) + block.code, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise AssertionError(f"{name}:{error.lineno}: {error.msg}: {error.text}") from error


def output(program: CodeType, place: str, namespace: dict[str, object]) -> str:
    """What the program prints."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(program, namespace)
    except Exception as error:
        raise AssertionError(f"{place}: the block raised {type(error).__name__}: {error}") from error
    return out.getvalue()


def compare(printed: str, block: Block, name: str) -> None:
    """Fail with a diff unless the program printed the block, but for line breaks at its end."""
    said, done = (text.rstrip("\n").split("\n") for text in (block.code, printed))
    if said != done:
        diff = "\n".join(difflib.unified_diff(said, done, "the page", "the program", lineterm=""))
        raise AssertionError(f"{name}:{block.line}: the block above does not print this\n{diff}")


@pytest.fixture
def few_examples() -> Iterator[None]:
    """A page shows that its property test runs; tests/unit/test_testing.py holds the property, with all examples."""
    settings.register_profile("before", settings())
    settings.register_profile("pages", settings(), max_examples=20)
    settings.load_profile("pages")
    yield
    settings.load_profile("before")


def filled_in(messages: object) -> Text:
    """The form that a page asks for."""
    said = str(messages)
    forms = {
        "<value_list ": "<value_list><li>3</li></value_list>",
        '"headline":': '{"headline": "Nice", "score": 4}',
        "<plan>": "<plan><city>Oslo</city><umbrella>true</umbrella></plan>",
        "<recipe>": "<recipe><title>Soup</title><steps></steps></recipe>",
        "": "<review><headline>Nice</headline><score>4</score><pros><li>light</li></pros></review>",
    }
    return Text(next(reply for form, reply in forms.items() if form in said))


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server in place of OpenAI and Anthropic, to which their SDKs turn."""
    with chat_server(filled_in) as server:
        for name in ("OPENAI", "ANTHROPIC"):
            monkeypatch.setenv(f"{name}_BASE_URL", server.url)
            monkeypatch.setenv(f"{name}_API_KEY", "none")
        yield f"{server.url}/v1"


STAND_INS = {
    "http://localhost:8000/v1": "provider",
    "http://localhost:11434/v1": "provider",
    "http://localhost:8000/mcp": "mcp_url",
    '"uvx", "mcp-server-git"': "mcp_command",
}
"""The servers that pages name, and the fixture that gives the one that runs here."""


def read(page: Path, request: pytest.FixtureRequest) -> str:
    """A page, with the servers that run here in place of those that it names."""
    text = page.read_text("utf-8")
    for named, fixture in STAND_INS.items():
        if named in text:
            text = text.replace(named, request.getfixturevalue(fixture))
    return text


@pytest.mark.usefixtures("loop_closed", "few_examples", "provider")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """A page's examples run from an empty folder and print what the page says."""
    name = page.relative_to(ROOT).as_posix()
    # A real module: Pydantic and pickle look classes up in the module that names them.
    module = ModuleType("page_" + re.sub(r"\W", "_", name))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.chdir(tmp_path)
    run(read(page, request), name, module.__dict__)


@pytest.mark.usefixtures("loop_closed", "few_examples", "provider")
@pytest.mark.parametrize("page", COOKBOOK, ids=lambda page: page.name)
def test_each_recipe_runs_alone(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """A recipe of the cookbook can be copied without those before it."""
    monkeypatch.chdir(tmp_path)
    before = 0
    for number, recipe in enumerate(re.split(r"^(?=## )", read(page, request), flags=re.MULTILINE)):
        module = ModuleType(f"recipe_{page.stem}_{number}")
        monkeypatch.setitem(sys.modules, module.__name__, module)
        run("\n" * before + recipe, f"docs/cookbook/{page.name}", module.__dict__)
        before += recipe.count("\n")


def test_each_block_runs_somewhere() -> None:
    """`make` and `make peers` install what the blocks need."""
    pages = [*PAGES, *COOKBOOK, *BESIDE_OTHERS]
    needed = {match for page in pages for match in NEEDS.findall(page.read_text("utf-8"))}
    locked = (ROOT / "uv.lock").read_text("utf-8")
    assert [each for each in needed if f'name = "{each.replace("_", "-")}' not in locked] == []


def test_readme_has_examples() -> None:
    """README.md shows how the library is used, so the test above has something to run."""
    assert any(block.language == "python" for block in blocks(README.read_text("utf-8"), "README.md"))


GOOD = {
    "one namespace": "```python\na = 1\n```\nand\n```python\nprint(a)\n```\n```text\n1\n```\n",
    "blank lines between": "```python\nprint(1)\n```\n\n\n```text\n1\n```\n",
    "indented": "* in a list\n\n  ```python\n  if True:\n      print(1)\n  ```\n  ```text\n  1\n  ```\n",
    "what needs a package that is there": "<!-- needs pydantic -->\n```python\nprint(1)\n```\n```text\n1\n```\n",
    "what needs one that is not": "<!-- needs nothing_like_it -->\n```python\nraise SystemExit\n```\n```text\n1\n```\n",
    "text that follows prose": "```python\nprint(1)\n```\nUnlike\n```text\n2\n```\n",
    "a fence inside a longer fence": "````text\n```python\nraise SystemExit\n```\n````\n",
    "other languages": "```sh\nexit 1\n```\n```\nraise\n```\n",
    "no line break at the end": "```python\nprint('1', end='')\n```\n```text\n1\n```",
}


@pytest.mark.parametrize("page", GOOD.values(), ids=GOOD.keys())
def test_page_that_holds(page: str) -> None:
    """A page that tells the truth passes."""
    run(page, "page.md", {})


BAD = {
    "wrong output": ("\n```python\nprint(1)\n```\n```text\n2\n```\n", r"page\.md:6: .*\n(.*\n)*-2\n\+1"),
    "output where none is": ("```python\n1\n```\n```text\n1\n```\n", r"page\.md:5: "),
    "blanks matter": ("```python\nprint(' 1')\n```\n```text\n1\n```\n", r"page\.md:5: "),
    "raises": ("text\n```python\na = 1\n\n1 / 0\n```\n", r"page\.md:3: .*ZeroDivisionError"),
    "is no Python": ("```python\n\na = = 1\n```\n", r"page\.md:3: "),
    "compiled only, and is no Python": ("<!-- needs nothing_like_it -->\n```python\na =\n```\n", r"page\.md:3: "),
    "is never closed": ("text\n\n```python\na = 1\n", r"page\.md:3: .*never closed"),
}


@pytest.mark.parametrize(("page", "message"), BAD.values(), ids=BAD.keys())
def test_page_that_does_not_hold(page: str, message: str) -> None:
    """A page that does not is told with file and line."""
    with pytest.raises(AssertionError, match=message):
        run(page, "page.md", {})
