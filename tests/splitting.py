"""Texts to split into items and entries, and what is looked at in what comes of them."""

import gc
import time
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from structured_response.definition import Node
from structured_response.parse.lines.split_items import split_items

NODES: dict[str, Node] = {
    **{kind: Node(kind, nullable=False) for kind in ("str", "int", "float", "bool", "date", "dict", "duration")},
    "enum": Node("enum", choices=("good", "mixed", "bad"), nullable=False),
}


def items(kind: str, text: str) -> list[str]:
    """The items of a text, each of which stands where it says it does."""
    found = split_items(text, NODES[kind])
    for piece in [*found.items, *([found.lead] if found.lead else [])]:
        assert text[piece.start : piece.end] == piece.text
    return [piece.text for piece in found.items]


def entries(found: Any, text: str) -> dict[str, str] | None:
    """The entries that were found, each of which stands where it says it does."""
    if found is None:
        return None
    for entry in found.entries:
        assert text[entry.key.start : entry.key.end] == entry.key.text
        assert text[entry.value.start : entry.value.end] == entry.value.text
    return {entry.name: entry.value.text for entry in found.entries}


def resolve(label: str) -> str | None:
    """The field of a label."""
    return {"label": "label", "the label": "label", "points": "points"}.get(label.lower())


PIECES = st.sampled_from(
    [
        *(
            "- ",
            "* ",
            "• ",
            "1. ",
            "2. ",
            "a) ",
            "\n",
            "\r\n",
            "  ",
            "\t",
            ", ",
            ",",
            "; ",
            ";",
            " | ",
            " and ",
            ": ",
            ":",
        ),
        *(
            "=",
            "->",
            "**",
            "`",
            '"',
            "'",
            "(",
            ")",
            "[",
            "]",
            "{",
            "}",
            "\\",
            "a",
            "b c",
            "4",
            "1,299",
            "label",
            "points",
        ),
        *("is", "http://x", "good", "yes", "2024-03-02", "&", "<", "\u00a0", "\u200b", "é", "\ud83d", "."),
    ]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=30).map("".join), st.text(max_size=40))


def spent(split: Callable[[str], Any], text: str, rounds: int) -> float:
    """Seconds of this process for splitting a text: the best of some. Without the garbage collector, whose time depends
    on what other tests left.
    """
    best = float("inf")
    gc.disable()
    try:
        for _ in range(rounds):
            started = time.process_time()
            split(text)
            best = min(best, time.process_time() - started)
    finally:
        gc.enable()
    return best


def grows_linearly(split: Callable[[str], Any], shape: Callable[[int], str]) -> bool:
    """At ten times the size, ten times the time, with room for a busy machine; a quadratic one would take a hundred."""
    small, large = (shape(size) for size in (6_000, 60_000))
    return any(spent(split, large, rounds) < 30 * max(spent(split, small, rounds), 0.0005) for rounds in (1, 3))


SHAPES: dict[str, Callable[[int], str]] = {
    "bullets": lambda size: "- a\n" * (size // 4),
    "nested bullets": lambda size: "- a\n" + "  - b\n" * (size // 6),
    "lines": lambda size: "ab\n" * (size // 3),
    "commas": lambda size: "ab, " * (size // 4),
    "tight commas": lambda size: "1," * (size // 2) + "1",
    "blanks": lambda size: "1 " * (size // 2),
    "white": lambda size: "a" + " " * size + "b",
    "semicolons": lambda size: "a;" * (size // 2),
    "open brackets": lambda size: "(" * size,
    "brackets": lambda size: "(a), " * (size // 5),
    "quotes": lambda size: "\"'" * (size // 2),
    "numbers": lambda size: " ".join(f"{index % 1000}. a" for index in range(size // 6)),
    "pairs": lambda size: "a: 1\n" * (size // 5),
    "pairs of a line": lambda size: "a: 1, " * (size // 6),
    "labels": lambda size: "label: 1\n" * (size // 9),
    "labels of a line": lambda size: "label: 1, " * (size // 10),
    "one word": lambda size: "a" * size,
    "colons": lambda size: ":" * size,
    "stars": lambda size: "*" * size,
    "ands": lambda size: "a and " * (size // 6),
}
