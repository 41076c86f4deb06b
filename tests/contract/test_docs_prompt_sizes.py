"""The tables of docs/measurements.md say how long prompts are today, as far as that needs no other library."""

from pathlib import Path

import pytest

from benchmarks.prompt_size.__main__ import BEGIN, END, MODELS, carried
from benchmarks.prompt_size.texts import ours
from structured_response.definition import plan_of_type

PAGE = (Path(__file__).resolve().parent.parent.parent / "docs" / "measurements.md").read_text("utf-8")
SECTIONS = PAGE.partition(BEGIN)[2].partition(END)[0].split("`, of `benchmarks/models.py`:")[1:]
TABLES = [
    [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]
    for section in SECTIONS
]


@pytest.mark.parametrize(("model", "rows"), list(zip(MODELS, TABLES, strict=True)))
def test_our_rows_are_up_to_date(model: type, rows: list[list[str]]) -> None:
    """Whoever changes a prompt writes the tables again: python -m benchmarks.prompt_size."""
    shown = {row[0]: row[1] for row in rows}
    for name, text in ours(model).items():
        assert shown[f"`{name}`"] == f"{len(text):,}"
        assert carried(plan_of_type(model, model.__name__).root, text) == ("yes", "yes")


@pytest.mark.parametrize("rows", TABLES)
def test_ours_is_the_shortest_that_says_everything(rows: list[list[str]]) -> None:
    """Descriptions, choices, what is required, bounds: of the rows that say yes to all, the first is one of ours."""
    whole = [row for row in rows if row[3:] == ["yes"] * 4]
    assert whole[0][0] == '`to_prompt("yaml")`'
    assert len(whole) > 4
