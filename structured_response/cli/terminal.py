"""How the commands write: data to standard output, all else to standard error, and nothing that steers a terminal."""

from __future__ import annotations

from typing import NoReturn

import typer
from rich.cells import cell_len
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

__all__ = ["BAD_DATA", "BAD_USE", "CONTROLS", "NO_SERVER", "carets_under", "fail", "highlighted", "print_text", "tell"]

BAD_DATA = 1
BAD_USE = 2
NO_SERVER = 3

# What would steer the terminal is shown as a picture of itself, one column wide.
CONTROLS = {code: 0x2400 + code for code in range(0x20) if code != ord("\n")}
CONTROLS |= {ord("\t"): ord(" "), 0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)

THEME = "ansi_dark"  # the terminal's own sixteen colours, so it reads on whatever background the user has


def print_text(text: str, language: str = "text") -> None:
    """To a terminal in colours and harmless; to anything else as it is, in UTF-8 whatever the locale says."""
    console = Console()
    if console.is_terminal:
        console.print(highlighted(text.translate(CONTROLS), language), soft_wrap=True)
    else:
        typer.echo(text.encode())


def tell(*parts: str | tuple[str, str], style: str = "") -> None:
    """One line on standard error: of texts, or of texts with their styles."""
    harmless = [(part, "") if isinstance(part, str) else part for part in parts]
    line = Text.assemble(*((text.translate(CONTROLS), look) for text, look in harmless), style=style)
    Console(stderr=True, highlight=False).print(line, soft_wrap=True)


def fail(message: str, status: int = BAD_USE) -> NoReturn:
    """Say in one line why the command cannot do its work, and stop."""
    tell(("error: ", "bold red"), " ".join(message.split()))
    raise typer.Exit(status)


def highlighted(text: str, language: str) -> Text:
    """The text in colours, without the line break that Pygments puts at the end of every text."""
    coloured = Syntax("", language, theme=THEME, background_color="default").highlight(text)
    coloured.right_crop(len(coloured) - len(text.rstrip("\n")))
    return coloured


def carets_under(line: str, start: int, end: int) -> str:
    """The line below `line` that points at a piece of it. Some letters are two columns wide."""
    return " " * cell_len(line[:start]) + "^" * max(1, cell_len(line[start:end]))
