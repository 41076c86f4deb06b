"""Tables of Markdown as lists of objects or texts, and as maps."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse


class Item(BaseModel):
    name: str
    qty: int = 0


class Basket(BaseModel):
    items: list[Item] = []
    tags: list[str] = []
    counts: dict[str, int] = {}


BASKET = StructuredResponse.from_basemodel(Basket)
RULE = "|---|---|"

READ: list[tuple[str, str, Any]] = [
    ("items", f"| name | qty |\n{RULE}\n| a | 1 |\n| b | 2 |", [{"name": "a", "qty": 1}, {"name": "b", "qty": 2}]),
    ("items", "| **Name** | `Qty` |\n|:---|---:|\n| a \\| b | ~1 |", [{"name": "a | b", "qty": 1}]),
    ("items", f"|qty|name|\n|-|-|\n\n|1|a|\n{'  |2|b|  '}", [{"name": "a", "qty": 1}, {"name": "b", "qty": 2}]),
    ("items", "```markdown\n| name |\n|---|\n| a |\n```", [{"name": "a"}]),
    ("items", f"| name | qty |\n{RULE}\n| a | |", [{"name": "a"}]),
    ("tags", "| tag |\n|---|\n| a, b |\n| c |", ["a, b", "c"]),
    ("counts", f"| option | count |\n{RULE}\n| yes | 61 |\n| **no** | 1 |", {"yes": 61, "no": 1}),
]


@pytest.mark.parametrize(("name", "table", "data"), READ)
def test_a_table_is_read(name: str, table: str, data: Any) -> None:
    """On record as another format."""
    read = BASKET.parse(f"<basket><{name}>\n{table}\n</{name}></basket>")
    assert read.to_dict()[name] == data
    assert (read.repairs[0].kind, read.repairs[0].path) == ("format_read", f"$.{name}")


UNCLEAR: list[tuple[str, str, str]] = [
    ("items", f"| name | price |\n{RULE}\n| a | 1 |", "$.items[0]"),
    ("items", f"| name | name |\n{RULE}\n| a | b |", "$.items[0]"),
    ("items", f"| name | qty |\n{RULE}\n| a | 1 | 2 |", "$.items[0]"),
    ("items", f"| name | qty |\n{RULE}\n| | 1 |", "$.items[0].name"),
    ("items", f"| name | qty |\n{RULE}\n| a | many |", "$.items[0].qty"),
    ("tags", f"| tag | why |\n{RULE}\n| a | b |", "$.tags"),
    ("counts", f"| option | count |\n{RULE}\n| yes | 1 |\n| yes | 2 |", "$.counts.yes"),
    ("counts", "| a | b | c |\n|---|---|---|\n| yes | 1 | 2 |", "$.counts"),
]


@pytest.mark.parametrize(("name", "table", "path"), UNCLEAR)
def test_a_table_that_is_not_clear_is_a_problem(name: str, table: str, path: str) -> None:
    """Columns that are no fields, or too many of them, and cells that are wrong."""
    problems = BASKET.parse(f"<basket><{name}>\n{table}\n</{name}></basket>", strict=False).problems
    assert problems[0].path == path


def test_a_problem_stands_at_its_cell() -> None:
    """In the reply as it came."""
    reply = f"<basket><items>\n| name | qty |\n{RULE}\n| a | 1 |\n| b |  many |\n</items></basket>"
    (problem,) = BASKET.parse(reply, strict=False).problems
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "many"


CELLS = st.text("ab&., -|", min_size=1).map(str.strip).filter(bool)


@given(st.lists(CELLS, min_size=1, max_size=4))
def test_any_cell_comes_back(cells: list[str]) -> None:
    """Bars in it are escaped."""
    rows = "\n".join(f"| {cell.replace('|', chr(92) + '|')} |" for cell in cells)
    read = BASKET.parse(f"<basket><tags>\n| tag |\n|---|\n{rows}\n</tags></basket>")
    assert read.instance.tags == cells
