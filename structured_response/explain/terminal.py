"""Readings in a terminal: the reply with its values in colours beside the data, and the findings below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import needs
from ..escaping import CONTROLS, encodable
from ..findings import Problem
from .reading import MAX_SHOWN, Piece, Reading, Value, pieces
from .why import LONGEST_VALUE, changed, shortened

with needs("rich", "cli"):
    from rich.cells import cell_len
    from rich.console import Console, Group
    from rich.rule import Rule
    from rich.table import Table
    from rich.text import Text
    from rich.tree import Tree

STYLES = ("cyan", "magenta", "green", "yellow", "blue", "bright_red")
"""The colours of the fields, in turn."""

_GAP = 3  # columns between the reply and the data

WIDTH = 120
"""Columns of a report that does not go to a terminal."""


def report(readings: Sequence[Reading], width: int) -> Group:
    """Returns what rich prints of readings. Each of several attempts has a title and its question."""
    shown: list[Any] = []
    for reading in readings:
        if reading.question:
            question = Text(plain(reading.question), style="dim", overflow="fold")
            shown += [Rule(plain(reading.title), align="left"), question, Text()]
        columns = width * 3 // 5 if reading.values else width
        reply = Group(*_lines(reading, columns))
        if reading.values:  # beside the reply
            beside = Table.grid()
            for each in (columns, _GAP, width - columns - _GAP):
                beside.add_column(width=each, overflow="fold")
            beside.add_row(reply, "", _tree(reading))
        shown += [beside if reading.values else reply, *_findings(reading)]
    return Group(*shown)


def printed(report: Any) -> str:
    """Returns what rich prints: in colours if standard output is a terminal."""
    console = Console(width=None if Console().is_terminal else WIDTH)
    with console.capture() as capture:
        console.print(report)
    return "\n".join(line.rstrip() for line in capture.get().split("\n")).rstrip("\n")


def plain(text: str) -> str:
    """Returns a text of the reply in which nothing can control a terminal."""
    return encodable(text).translate(CONTROLS)


def style_of(value: Value) -> str:
    return STYLES[value.field % len(STYLES)]


# The reply


def _lines(reading: Reading, width: int) -> Iterator[Text]:
    """Yields the lines of the reply, folded. Below each with a problem, a caret shows where it begins."""
    line, begun = Text(), list[tuple[int, Problem]]()
    for piece in pieces(reading):
        for repair in piece.inserted:
            line.append(plain(repair.after), style="italic underline dim")
        begun += [(len(line), problem) for problem in piece.problems]
        for number, text in enumerate(piece.text.split("\n")):
            if number:
                yield from _folded(line, begun, width)
                line, begun = Text(), []
            line.append(plain(text), style=_style(piece))
    yield from _folded(line, begun, width)


def _style(piece: Piece) -> str:
    color = "" if piece.value is None else style_of(piece.value)
    return f"{color} underline" if piece.repairs else color


def _folded(line: Text, begun: list[tuple[int, Problem]], width: int) -> Iterator[Text]:
    """Yields a line in rows of some columns, with the carets of the problems that begin in each."""
    ends, used = [], 0
    for index, character in enumerate(line.plain):
        size = cell_len(character)
        if used + size > width:
            ends.append(index)
            used = 0
        used += size
    first = 0
    for row in line.divide(ends):
        behind = first + len(row)
        yield row
        for place, problem in begun:
            if first <= place < behind or (place == behind == len(line)):
                yield _caret(cell_len(line.plain[first:place]), plain(str(problem)), width)
        first = behind


def _caret(column: int, message: str, width: int) -> Text:
    """Returns a line with a caret below a column, and a message on the side where there is room for it."""
    if column + 2 + cell_len(message) > width and cell_len(message) < column:
        blanks = " " * (column - 1 - cell_len(message))
        return Text.assemble(blanks, (message, "red"), (" ^", "bold red"))
    return Text.assemble(" " * column, ("^ ", "bold red"), (message, "red"), overflow="fold")


# The data


def _tree(reading: Reading) -> Tree:
    root = Tree(Text.assemble((reading.name, "bold"), "" if reading.values else " no data"))
    branches: dict[Any, Tree] = {(): root}
    for value in reading.values:
        for end in range(1, len(value.path)):
            if value.path[:end] not in branches:
                label = Text(plain(f"{value.path[end - 1]}"), style="bold")
                branches[value.path[:end]] = branches[value.path[: end - 1]].add(label)
        name = plain(f"{value.path[-1]}") if value.path else "value"
        shown = plain(shortened(repr(value.value), LONGEST_VALUE))
        absent = ("", "") if value.span is not None else ("  not in the reply", "dim italic")
        label = Text.assemble((name, "bold"), "  ", (shown, style_of(value)), "  ", (value.kind, "dim"), absent)
        branches[value.path[:-1]].add(label)
    return root


# The findings


def _findings(reading: Reading) -> Iterator[Any]:
    tables: dict[str, list[tuple[str, ...]]] = {
        "repairs": [(reading.place(each.span), each.path, each.kind, changed(each)) for each in reading.repairs],
        "problems": [(reading.place(each.span), each.path, each.kind, each.message) for each in reading.problems],
        "the next best reading": [(path, _short(one), f"or {_short(other)}") for path, one, other in reading.other],
    }
    for title, rows in tables.items():
        if rows:
            table = Table.grid(padding=(0, 2))
            for row in rows[:MAX_SHOWN]:
                table.add_row(*(Text(plain(cell), overflow="fold") for cell in row))
            yield from (Rule(title, align="left", style="dim"), table)
            if len(rows) > MAX_SHOWN:
                yield Text(f"and {len(rows) - MAX_SHOWN} more")


def _short(text: str) -> str:
    return shortened(text, 2 * LONGEST_VALUE)
