"""The demo: it shows the whole way in its order, on two screens, and reads well wherever it is printed."""

import io
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from structured_response import StructuredResponse
from structured_response.cli.demo import WeatherPrognosis, replies, show
from structured_response.cli.terminal import change


def told(width: int = 120, **options: Any) -> str:
    """What the demo prints on a console of that width."""
    page = io.StringIO()
    assert show(Console(file=page, width=width, **options))
    return page.getvalue()


def test_order() -> None:
    """Prompt, damaged reply with its repairs and its problem, second question, validated model, cache."""
    landmarks = [
        "<location type='str'>",
        "<Wind-Speed>12.5</Wind-Speed>\n    ^^^^^^^^^^^^ name respelled: 'Wind-Speed' -> 'wind_speed'\n",
        "<high>240</high>\n          ^^^ input should be less than or equal to 60\n",
        "Write only this again:",
        "<high>24.0</high>",
        "when='noon & night'",
        "high=24.0",
        "Asked again: 0 calls, equal: True",
    ]
    page = told(100)
    places = [page.index(landmark) for landmark in landmarks]
    assert places == sorted(places)


def test_two_screens() -> None:
    """On a terminal of 100 columns it is no longer than twice 45 lines."""
    assert len(told(100).splitlines()) <= 90


def test_every_finding_is_shown() -> None:
    """Each repair and each problem of the reply is on the page, in its words and under its place."""
    reply = next(replies())
    response = StructuredResponse.from_basemodel(WeatherPrognosis).parse(reply, strict=False)
    assert len({repair.kind for repair in response.repairs}) == 6
    page = told()
    words = [*map(change, response.repairs), *(problem.message for problem in response.problems)]
    assert [each for each in words if f"^ {each}" not in page] == []
    assert page.count("^ ") == len(words)


@pytest.mark.parametrize("width", [40, 80, 300])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Nothing is cut by the terminal, and no line ends in blanks."""
    lines = told(width).splitlines()
    assert max(map(len, lines)) <= width
    assert [line for line in lines if line != line.rstrip()] == []


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


def test_a_line_that_is_too_long_keeps_its_indentation() -> None:
    """The rest of it goes on below its beginning."""
    assert "[The high temperature in degrees\n    Celsius - as a float]</high>\n" in told(100)
