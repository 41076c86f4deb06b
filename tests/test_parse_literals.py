"""Values as Python shows them: which are read, and which are left to whoever reads texts."""

from __future__ import annotations

import pytest

from structured_response.parse.json.literals import literal
from structured_response.parse.written import Bare

READ = [
    ("<State.DONE: 'done'>", "done"),
    ("<Level.HIGH: 3>", Bare("3")),
    ("Decimal('1.50')", Bare("1.50")),
    ("decimal.Decimal('NaN')", Bare("NaN")),
    ('UUID("a-b")', "a-b"),
    ("PosixPath('/tmp/a')", "/tmp/a"),
    ("AnyHttpUrl('https://a.b/')", "https://a.b/"),
    ("date(2024, 1, 2)", "2024-01-02"),
    ("datetime.datetime(2024, 1, 2, 3, 4, 5)", "2024-01-02T03:04:05"),
    ("datetime(2024, 1, 2, 3, tzinfo=TzInfo(UTC))", "2024-01-02T03:00:00+00:00"),
    ("datetime.time(3, 4)", "03:04:00"),
    ("datetime.timedelta(days=1, seconds=2, microseconds=500000)", "P1DT2.5S"),
    ("datetime.timedelta(days=-1, seconds=86398)", "-PT2S"),
    ("timedelta(0)", "PT0S"),
]


@pytest.mark.parametrize(("text", "value"), READ)
def test_what_is_read(text: str, value: str) -> None:
    """With the place where it ends, and as a number without quotes where it is one."""
    found = literal(f"[{text}, 1]", 1)
    assert found == (value, 1 + len(text))
    assert type(found[0]) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "date(2024, 13, 2)",
        "date()",
        "datetime(1, 2, x)",
        "Decimal(a)",
        "<b>a</b>",
        "<a: b>",
        "update(1)",
        "Fraction('1')",
    ],
)
def test_what_is_not(text: str) -> None:
    """Days that do not exist, variables, markup, other classes."""
    assert literal(text, 0) is None
