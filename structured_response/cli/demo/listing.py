"""How code and data are set on a page: highlighted, and folded so that a tree keeps its shape."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.syntax import Syntax
from rich.text import Text

__all__ = ["MARGIN", "Listing", "highlighted"]

THEME = "ansi_dark"  # the terminal's own sixteen colours, so it reads on whatever background the user has
MARGIN = 2  # columns left of every line
HANG = 4  # columns by which the rest of a folded line stands deeper than its beginning
NARROWEST = 20  # columns that a folded line keeps, however deep it stands


def highlighted(text: str, language: str) -> Text:
    """The text in colours, without the line break that Pygments puts at the end of every text."""
    coloured = Syntax("", language, theme=THEME, background_color="default").highlight(text)
    coloured.right_crop(len(coloured) - len(text.rstrip("\n")))
    return coloured


@dataclass(frozen=True)
class Listing:
    """Code or data for rich to print. A line that is too long goes on below its own indentation.

    There are no lines at the sides and no blanks at the ends, so that what is copied from it is the code
    and nothing else. A `solid` one is folded wherever the line is full: for data not made to be read.
    """

    text: str
    language: str
    solid: bool = False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width - MARGIN
        for line in highlighted(self.text, self.language).split("\n", allow_blank=True):
            pieces = line.divide(range(width, len(line), width)) if self.solid else _folded(line, console, width)
            for piece in pieces:
                yield Text(" " * MARGIN if piece else "") + piece


def _folded(line: Text, console: Console, width: int) -> Iterator[Text]:
    if line.cell_len <= width:
        yield line
        return
    indent = len(line.plain) - len(line.plain.lstrip())
    first, *rest = pieces = line[indent:].wrap(console, max(width - indent - HANG, NARROWEST))
    for piece in pieces:
        piece.rstrip()
    yield Text(" " * indent) + first
    for piece in rest:
        yield Text(" " * (indent + HANG)) + piece
