"""How code and data are set on a page: highlighted, and folded so that a tree keeps its shape."""

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.syntax import Syntax
from rich.text import Text

THEME = "ansi_dark"  # the terminal's own sixteen colours, so it reads on whatever background the user has
HANG = 4  # columns by which the rest of a folded line stands deeper than its beginning
NARROWEST = 20  # columns a folded line keeps, however deep it stands


def highlighted(text: str, language: str) -> Text:
    """The text in colours, to the character (Pygments ends every text with a line break of its own)."""
    colours = Syntax("", language, theme=THEME, background_color="default").highlight(text)
    colours.right_crop(len(colours) - len(text.rstrip("\n")))
    return colours


@dataclass(frozen=True)
class Listing:
    """Code or data for rich to print: a line that is too long goes on below its own indentation."""

    text: str
    language: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in highlighted(self.text, self.language).split("\n", allow_blank=True):
            yield from _folded(line, console, options.max_width)


def _folded(line: Text, console: Console, width: int) -> Iterator[Text]:
    if line.cell_len <= width:
        yield line
        return
    indent = len(line.plain) - len(line.plain.lstrip())
    room = max(width - indent - HANG, NARROWEST)
    first, *rest = line[indent:].wrap(console, room)
    yield Text(" " * indent) + first
    for piece in rest:
        yield Text(" " * (indent + HANG)) + piece
