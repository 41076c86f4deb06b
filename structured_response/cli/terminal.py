"""How the commands write: data to standard output, all else to standard error, and nothing that steers a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NoReturn

import typer
from pydantic_core import to_json
from rich.cells import cell_len
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from ..findings import Problem, Repair, Span, excerpt, line_and_column
from ..response import StructuredResponse

__all__ = [
    "BAD_DATA",
    "BAD_USE",
    "NO_SERVER",
    "FormatOption",
    "Report",
    "StrictOption",
    "carets_under",
    "change",
    "fail",
    "highlighted",
    "print_instance",
    "print_text",
    "tell",
]

BAD_DATA = 1
BAD_USE = 2
NO_SERVER = 3

# Characters that steer a terminal, each shown as a picture of itself, one column wide.
CONTROLS = {code: 0x2400 + code for code in range(0x20) if code != ord("\n")}
CONTROLS |= {ord("\t"): ord(" "), 0x7F: 0x2421} | dict.fromkeys(range(0x80, 0xA0), 0xFFFD)

THEME = "ansi_dark"  # the terminal's own sixteen colours, which suit any background


def print_text(text: str, language: str = "text") -> None:
    """Prints a text: to a terminal in colours and harmless, to anything else as it is, always in UTF-8."""
    console = Console()
    if console.is_terminal:
        console.print(highlighted(text.translate(CONTROLS), language), soft_wrap=True)
    else:
        typer.echo(text.encode())


def tell(*parts: str | tuple[str, str], style: str = "") -> None:
    """Writes one line to standard error: texts, or texts with their styles."""
    styled = [(part, "") if isinstance(part, str) else part for part in parts]
    line = Text.assemble(*((text.translate(CONTROLS), look) for text, look in styled), style=style)
    Console(stderr=True, highlight=False).print(line, soft_wrap=True)


def fail(message: str, status: int = BAD_USE) -> NoReturn:
    """Ends the command with one line that says why it cannot do its work."""
    tell(("error: ", "bold red"), " ".join(message.split()))
    raise typer.Exit(status)


def highlighted(text: str, language: str) -> Text:
    """The text in colours, without the line break that Pygments adds."""
    coloured = Syntax("", language, theme=THEME, background_color="default").highlight(text)
    coloured.right_crop(len(coloured) - len(text.rstrip("\n")))
    return coloured


def carets_under(line: str, start: int, end: int) -> str:
    """A line of carets for the line below a piece of `line`. Some letters are two columns wide."""
    return " " * cell_len(line[:start]) + "^" * max(1, cell_len(line[start:end]))


LONGEST_VALUE = 40  # characters of a text that a line about it shows

FormatOption = Annotated[Literal["json", "xml"], typer.Option("--format", help="The output format.")]
StrictOption = Annotated[
    bool, typer.Option(help="Print nothing for a bad reply, or what could be read, with null for the rest.")
]


def print_instance(response: StructuredResponse[Any], form: str) -> None:
    if form == "xml":
        print_text(str(response), "xml")
    else:
        # Unlike orjson, Pydantic writes integers of any size, and no number that JSON lacks becomes null.
        print_text(to_json(response.instance, indent=2, inf_nan_mode="strings").decode(), "json")


@dataclass(frozen=True)
class Report:
    """Tells the findings of one reply. Without the `name` of a file and the `reply` it shows no places."""

    name: str = ""
    reply: str = ""
    quiet: bool = False

    def findings(self, repairs: Sequence[Repair], problems: Sequence[Problem], hint: str = "") -> None:
        """Tells repairs and problems. If there are problems, ends the command, with a hint on what to do."""
        for repair in () if self.quiet else repairs:
            tell(f"{self._at(repair.span)}{repair.path}: {change(repair)}", style="dim")
        for problem in problems:
            tell(self._at(problem.span), (f"{problem.path}: ", "bold red"), problem.message)
            if problem.span is not None and self.name:
                line, marks = excerpt(self.reply, problem.span).translate(CONTROLS).split("\n")
                start = len(marks) - len(marks.lstrip())
                tell(f"    {line}")
                tell(f"    {carets_under(line, start, len(marks))}", style="red")
        if hint and not self.quiet:
            tell(hint, style="dim")
        if problems:
            raise typer.Exit(BAD_DATA)

    def _at(self, span: Span | None) -> str:
        place = () if span is None else line_and_column(self.reply, span[0])
        return "".join(f"{part}:" for part in (self.name, *place)) + " " if self.name else ""


def change(repair: Repair) -> str:
    """A repair in words: what was done, and to what."""
    before, after = _short(repair.before), _short(repair.after)
    return f"{repair.kind.replace('_', ' ')}: {before}" + (f" -> {after}" if repair.after != repair.before else "")


def _short(text: str) -> str:
    return repr(text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}...")
