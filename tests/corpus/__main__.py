"""Prints for each topic of the corpus how many rows a reader has right, silently wrong, and wrong with a problem."""

# ruff: noqa: T201 - a program for the terminal

from __future__ import annotations

import argparse
from collections import Counter

from . import GONE, ROWS, Row, judged, outcome, response_of


def main() -> None:
    """Reads the command line and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus", description=__doc__)
    parser.add_argument("--topic", action="append", help="only this topic (may be given again)")
    parser.add_argument("--failures", action="store_true", help="print each row that is not right")
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    for prefix, topics in (("", ROWS), ("gone/", GONE)):
        for topic, rows in topics.items():
            if asked.topic is None or prefix + topic in asked.topic or topic in asked.topic:
                counts = Counter(_verdict(row, asked.failures, f"{prefix}{topic}[{i}]") for i, row in enumerate(rows))
                _print_line(prefix + topic, counts)
                if not prefix:
                    total += counts
    _print_line("all but gone/", total)


def _print_line(topic: str, counts: Counter[str]) -> None:
    figures = "  ".join(f"{name} {counts[name]:5}" for name in ("right", "silent", "other", "crash"))
    print(f"{topic:24} rows {counts.total():5}  {figures}")


def _verdict(row: Row, shown: bool, place: str) -> str:
    try:
        got = outcome(response_of(row), row)
        said: str = judged(row, got)
    except Exception as error:  # noqa: BLE001 - a reader in the making may raise anything, and the rest is still to count
        said, got = "crash", repr(error)  # type: ignore[assignment]
    if shown and said != "right":
        print(f"{place} {said}: {row.get('note', '')}\n  asked    {row.get('model', row.get('definition'))}")
        print(f"  reply    {row['reply']!r}\n  expected {_expected(row)}\n  got      {got}")
    return said


def _expected(row: Row) -> str:
    return "no answer" if row.get("no_answer") else f"{row['data']!r} problems {row.get('problems', [])}"


if __name__ == "__main__":
    main()
