"""Repairs and problems as data, and how a place in a reply is shown."""

import dataclasses
import json
import pickle
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response import Problem, ProblemKind, Repair, RepairKind
from structured_response.findings import MAX_EXCERPT, PROBLEMS, REPAIRS, excerpt, line_and_column, worst_first

REPAIR = Repair(RepairKind.NULL_WORD, "$.price", (3, 7), "None", "null")
PROBLEM = Problem(ProblemKind.INVALID, "$.parts[0].points", "not an int", "x", ("1", "2"), (4, 5))


def test_findings_become_plain_data() -> None:
    """`to_dict` holds nothing but what JSON knows."""
    assert REPAIR.to_dict() == {
        "kind": "null_word",
        "path": "$.price",
        "span": [3, 7],
        "before": "None",
        "after": "null",
    }
    assert PROBLEM.to_dict() == {
        "kind": "invalid",
        "path": "$.parts[0].points",
        "message": "not an int",
        "found": "x",
        "candidates": ["1", "2"],
        "span": [4, 5],
    }
    assert Problem(ProblemKind.MISSING, "$.a", "m").to_dict()["span"] is None
    assert all(type(value) is str for value in (REPAIR.to_dict()["kind"], PROBLEM.to_dict()["kind"]))


@pytest.mark.parametrize("finding", [REPAIR, PROBLEM, Problem(ProblemKind.MISSING, "$.a", "m")])
def test_findings_come_back_from_json(finding: Repair | Problem) -> None:
    """`from_dict` takes what `to_dict` gave, through JSON too."""
    assert type(finding).from_dict(finding.to_dict()) == finding
    again = type(finding).from_dict(json.loads(json.dumps(finding.to_dict())))
    assert again == finding
    assert hash(again) == hash(finding)


@pytest.mark.parametrize("kind", [Repair, Problem])
@pytest.mark.parametrize("change", [{"kind": "nonsense"}, {"span": [1]}])
def test_what_is_no_finding(kind: type[Repair] | type[Problem], change: dict[str, Any]) -> None:
    """A kind that there is not, half a place and data that lacks something are refused."""
    data = (REPAIR if kind is Repair else PROBLEM).to_dict()
    with pytest.raises(ValueError, match=r"nonsense|span"):
        kind.from_dict(data | change)
    with pytest.raises(ValueError, match="path"):
        kind.from_dict({"kind": data["kind"]})


def test_the_worst_problems_come_first() -> None:
    """By how much is lost, then by place; what has no place comes last of its kind. Every kind has its rank."""
    kinds = [
        *("no_answer", "refusal", "limit", "missing_extra", "truncated", "missing", "ambiguous", "invalid"),
        "not_strict",
    ]
    assert set(kinds) == {kind.value for kind in ProblemKind}
    problems = [
        Problem(ProblemKind(kind), f"$.{name}", "m", span=span)
        for kind in kinds
        for name, span in (("a", (3, 4)), ("b", (10, 11)), ("c", None))
    ]
    shuffled = problems.copy()
    random.Random(0).shuffle(shuffled)
    assert worst_first(shuffled) == problems


def test_a_problem_reads_as_path_and_message() -> None:
    """As text, a problem is where and what."""
    assert str(PROBLEM) == "$.parts[0].points: not an int"


@pytest.mark.parametrize("finding", [REPAIR, PROBLEM])
def test_findings_are_values(finding: Repair | Problem) -> None:
    """They compare, hash, pickle and cannot be changed."""
    again = pickle.loads(pickle.dumps(finding))
    assert again == finding
    assert hash(again) == hash(finding)
    with pytest.raises(dataclasses.FrozenInstanceError):
        finding.path = "$"  # type: ignore[misc]


def test_every_kind_is_explained() -> None:
    """The tables are closed: each kind has its sentence and its example, and there are no others."""
    assert set(REPAIRS) == set(RepairKind)
    assert set(PROBLEMS) == set(ProblemKind)
    for explained in (*REPAIRS.values(), *PROBLEMS.values()):
        assert explained.sentence.endswith(".")
        assert explained.example


@pytest.mark.parametrize("kind", [*RepairKind, *ProblemKind])
def test_kinds_are_snake_case_words(kind: RepairKind | ProblemKind) -> None:
    """A kind is written as its name is, in small letters."""
    assert kind.value == kind.name.lower() == str(kind)


@pytest.mark.parametrize(
    ("reply", "offset", "place"),
    [
        ("abc", 0, (1, 1)),
        ("abc", 2, (1, 3)),
        ("abc", 3, (1, 4)),
        ("a\nb", 1, (1, 2)),
        ("a\nb", 2, (2, 1)),
        ("a\r\nb", 3, (2, 1)),
        ("é😀\n\n日本", 5, (3, 2)),
        ("", 0, (1, 1)),
    ],
)
def test_lines_and_columns_count_from_one(reply: str, offset: int, place: tuple[int, int]) -> None:
    """In characters, whatever the script."""
    assert line_and_column(reply, offset) == place


@pytest.mark.parametrize(
    ("reply", "span", "shown"),
    [
        ("abc", (1, 2), "abc\n ^"),
        ("abc", (0, 3), "abc\n^^^"),
        ("abc\ndef\nghi", (5, 6), "def\n ^"),
        ("abc\ndef", (1, 6), "abc\n ^^"),
        ("abc", (3, 3), "abc\n   ^"),
        ("abc", (1, 1), "abc\n ^"),
        ("a\tb\r\nc", (2, 3), "a b\n  ^"),
        ("", (0, 0), "\n^"),
        ("ab\n\ncd", (3, 4), "\n^"),
    ],
)
def test_a_place_is_shown_with_carets(reply: str, span: tuple[int, int], shown: str) -> None:
    """The line, and carets under the part of the span that stands in it."""
    assert excerpt(reply, span) == shown


@pytest.mark.parametrize("start", [0, 10, 33, 34, 150, 250, 299])
def test_a_long_line_is_cut_around_the_place(start: int) -> None:
    """Of a long line a window is shown, dots where it is cut, and the caret stays under its character."""
    line = "".join(chr(0x4E00 + index) for index in range(300))
    text, carets = excerpt(f"first\n{line}\nlast", (start + 6, start + 7)).split("\n")
    assert text[carets.index("^")] == line[start]
    assert carets.count("^") == 1
    assert len(text) <= MAX_EXCERPT + 6
    assert text.startswith("...") is (start >= 34)
    assert text.endswith("...") is (start < 233)


@given(st.text("a\n\r\té", max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_any_place_can_be_shown(reply: str, first: int, second: int) -> None:
    """Two lines for every span, and a caret under its first character."""
    start, end = sorted((min(first, len(reply)), min(second, len(reply))))
    rows = excerpt(reply, (start, end)).split("\n")
    assert len(rows) == 2
    assert rows[1].index("^") == line_and_column(reply, start)[1] - 1
