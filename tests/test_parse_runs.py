"""Runs: clean stretches are read as tag by tag, once, and what stands behind them decides about their last element."""

from __future__ import annotations

import gc
import time

import pytest
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.parse.xml.runs import Run
from structured_response.parse.xml.structure import build
from structured_response.parse.xml.tokens import Scanner


class Part(BaseModel):
    label: str
    points: int


class Report(BaseModel):
    title: str
    parts: list[Part] = []
    words: list[str] = []


REPORT = StructuredResponse.from_basemodel(Report)
ITEM = "<li><label>a</label><points>1</points></li>"


def runs(reply: str) -> list[object]:
    """The values of the runs among the children of the root and of its first list."""
    scanner = Scanner(REPORT._plan)
    scanner.feed(reply)
    (root,) = build(REPORT._plan, scanner.close(), reply)
    parts = next((child for child in root.element.children if child.name == "parts"), None)
    children = [*root.element.children, *(parts.children if parts is not None else ())]
    return [child.values for child in children if isinstance(child, Run)]


PART = {"label": "a", "points": "1"}


@pytest.mark.parametrize(
    ("inner", "values"),
    [
        (f"<title>t</title><parts>{ITEM}{ITEM}</parts>", [{"title": "t", "parts": [PART] * 2}]),
        (f"<title>t</title><parts>{ITEM}{ITEM}{ITEM}..</parts>", [{"title": "t"}, [PART] * 2]),
        (f"<title>t</title><parts>{ITEM}{ITEM}{ITEM}</li></parts>", [{"title": "t"}, [PART] * 2]),
        (f"<title>t</title><parts>{ITEM}{ITEM}{ITEM}<</parts>", [{"title": "t"}, [PART] * 2]),
        (f"<title>t</title><parts>{ITEM}{ITEM}</parts><item>", [{"title": "t"}, [PART] * 2]),
        ("<title>t</title></title>", []),
    ],
)
def test_the_last_element_is_part_of_a_run_where_what_follows_is_no_part_of_it(
    inner: str, values: list[object]
) -> None:
    """A tag has to follow that neither closes it again nor goes on with it."""
    assert runs(f"<report>{inner}</report>")[: max(1, len(values))] == values


class Stock(BaseModel):
    place: str
    counts: dict[str, int]
    parts: dict[str, Part] = {}
    code: int | str = 0


STOCK = StructuredResponse.from_basemodel(Stock)


@pytest.mark.parametrize(
    ("counts", "data"),
    [
        ("<entry key='a'>1</entry><entry key='b'>2</entry>", {"a": 1, "b": 2}),
        ("<entry key='a'>1</entry>\n<entry key=\"b\">2 pieces</entry>", {"a": 1, "b": 2}),
        ("<entry key='a'>1</entry> x <entry key='b'>2</entry>", {"a": 1, "b": 2}),
        ("<entry key='a'>1</entry><entry key='a'>2</entry>", {"a": 1}),
        ("<entry key='a'>1</entry> x <entry key='a'>2</entry>", {"a": 1}),
        ("<entry key='a'>1</entry><b>2</b><entry key='c'>3</entry>", {"a": 1, "b": 2, "c": 3}),
    ],
)
def test_entries_of_maps(counts: str, data: dict[str, int]) -> None:
    """In one run or in several, clean or odd, a key is there once."""
    read = STOCK.parse(f"<stock><place>x</place><counts>{counts}</counts></stock>", strict=False)
    assert read.instance["counts"] == data
    assert [problem.path for problem in read.problems] == (["$.counts.a"] if counts.count("'a'") > 1 else [])


def test_places_of_odd_values() -> None:
    """What is mended in a run stands where it says, however deep."""
    reply = (
        "<stock>\n<place> a &amp; b </place><counts></counts>\n<parts>\n  <entry key='k'>\n"
        "<label>x < 5</label>\n<points> 7 points </points></entry></parts><code>twelve</code></stock>"
    )
    read = STOCK.parse(reply)
    assert read.instance["parts"]["k"] == {"label": "x < 5", "points": 7}
    assert read.instance["place"] == "a & b"
    assert [(repair.path, reply[slice(*repair.span)]) for repair in read.repairs] == [
        ("$.parts.k.label", "x < 5"),
        ("$.parts.k.points", " 7 points "),
    ]


@pytest.mark.usefixtures("nothing_to_collect")
@pytest.mark.parametrize("behind", ["...", "<", "</li>", "x"])
def test_a_stretch_is_read_once(behind: str) -> None:
    """What ends it may not make each of its elements look at all that follow: that would take the square."""

    def seconds(count: int) -> float:
        reply = f"<report><title>t</title><parts>{ITEM * count}{behind}</parts></report>"
        gc.collect()
        start = time.process_time()
        assert len(REPORT.parse(reply, strict=False).instance["parts"]) >= count
        return (time.process_time() - start) / count

    small, large = min(seconds(250) for _ in range(3)), min(seconds(4_000) for _ in range(2))
    assert large < 4 * small
