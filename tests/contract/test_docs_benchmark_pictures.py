"""docs/benchmarks.md says what the tables of docs/measurements.md say, and its figures are drawn from them."""

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
MAKER = runpy.run_path(str(DOCS / "make_benchmark_pictures.py"))
NUMBER = re.compile(r"(?<![\w#.,])\d[\d,]*(?:\.\d+)?(?![\w])")


@pytest.mark.parametrize("name", MAKER["PICTURES"])
def test_a_picture_is_as_measured(name: str) -> None:
    """Whoever measures again draws the picture again: python docs/make_benchmark_pictures.py."""
    assert (DOCS / name).read_text("utf-8") == MAKER["PICTURES"][name]()


def test_the_tables_of_the_page_hold_measured_numbers() -> None:
    """No number of a table is on the short page alone."""
    measured = set(NUMBER.findall((DOCS / "measurements.md").read_text("utf-8")))
    rows = [line for line in (DOCS / "benchmarks.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    told = {number for line in rows for cell in line.split("|")[2:] for number in NUMBER.findall(cell)}
    assert len(told) > 30
    assert told <= measured
