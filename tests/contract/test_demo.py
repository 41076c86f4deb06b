"""The demo: it runs what it shows, shows it in its order, and reads well wherever it is printed."""

import io
import re
import runpy
import tempfile
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from structured_response import StructuredResponse
from structured_response.cli.demo import WeatherPrognosis, models, steps
from structured_response.cli.demo.listing import Listing
from structured_response.cli.demo.show import recorded_reply, show

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def told(width: int = 120, **options: Any) -> str:
    """What the demo prints on a console of that width."""
    page = io.StringIO()
    assert show(Console(file=page, width=width, **options))
    return page.getvalue()


def test_order() -> None:
    """Models, prompt, reply, instance, validated model, cache file, and that it came back equal."""
    landmarks = [
        "class WeatherPrognosis(BaseModel)",
        "to_prompt()",
        "<location type='str'>",
        "afternoon &amp; evening",
        "from_prompt(reply)",
        "'when': 'afternoon & evening'",
        "to_basemodel()",
        "chance=<ChanceScale.MEDIUM: 'medium'>",
        "deserialize(",
        '{"version":',
        "True",
    ]
    page = told()
    places = [page.index(landmark) for landmark in landmarks]
    assert places == sorted(places)


@pytest.mark.parametrize("module", [models, steps])
def test_the_code_shown_is_the_code_that_runs(module: Any) -> None:
    """Each line of the demo's own modules, docstrings aside, is on the page to the character."""
    source = Path(module.__file__).read_text(encoding="utf-8")
    code = re.sub(r'^ *""".*?"""\n', "", source, flags=re.MULTILINE | re.DOTALL)
    shown = {line.strip() for line in told().splitlines()}
    lines = [line.strip() for line in code.splitlines() if not line.startswith("#")]
    assert [line for line in lines if line not in shown] == []


def test_the_code_fits_a_terminal_of_80_columns() -> None:
    """At 80 columns the code is not folded, so that what is copied from there runs."""
    narrow, wide = told(80).splitlines(), told().splitlines()
    code = [line for line in wide[: wide.index("  def ask(question: str) -> tuple[Response, str]:")] if "=" in line]
    assert [line for line in code if line not in narrow] == []


def test_prompt_and_reply_are_whole() -> None:
    """On a page that is wide enough the reply stands to the character."""
    page = "\n".join(line.removeprefix("  ") for line in told().splitlines())
    assert recorded_reply() in page


def test_the_recorded_reply_is_clean() -> None:
    """The reply satisfies the model, its entity is decoded, and nothing had to be mended."""
    response = StructuredResponse.from_basemodel(WeatherPrognosis).parse(recorded_reply())
    assert response.instance.overall_rain_prob.when == "afternoon & evening"
    assert response.repairs == []


@pytest.mark.parametrize("width", [40, 80, 300])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Nothing is cut by the terminal, and no line ends in blanks."""
    lines = told(width).splitlines()
    made_to_be_read = lines[: lines.index(next(line for line in lines if '{"version"' in line))]
    assert max(map(len, lines)) <= width
    assert [line for line in made_to_be_read if line != line.rstrip()] == []


def test_colours_are_for_terminals() -> None:
    """Colours on a terminal, none in a file, none under NO_COLOR."""
    assert "\x1b[" not in told()
    assert "\x1b[1;36m" in told(force_terminal=True, color_system="standard")
    plain = told(force_terminal=True, color_system="standard", no_color=True)
    assert not re.search(r"\x1b\[[\d;]*[39]\d", plain)


def test_nothing_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache file is a real one, and gone afterwards."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    told()
    assert list(tmp_path.iterdir()) == []


def test_contract(shared: Path) -> None:
    """The demo's models ask for exactly what the contract's do."""
    prompt = StructuredResponse.from_basemodel(WeatherPrognosis).to_prompt()
    assert prompt == (shared / "contract" / "prompt.xml").read_text(encoding="utf-8").rstrip("\n")


def test_a_folded_line_keeps_its_shape() -> None:
    """The rest of a line that is too long stands deeper than its beginning."""
    page = io.StringIO()
    Console(file=page, width=34).print(Listing("<a>\n    <b>one two three four five six</b>\n</a>", "xml"))
    assert page.getvalue() == "  <a>\n      <b>one two three four\n          five six</b>\n  </a>\n"


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each example runs as a script and prints something."""
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
