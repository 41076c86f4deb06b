"""What the commands share: their argument MODEL, their input, and output that cannot steer a terminal."""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import traceback
from collections.abc import Iterator, Sequence
from functools import reduce
from pathlib import Path
from types import GenericAlias, ModuleType, UnionType
from typing import Annotated, Any, Literal, NoReturn, get_origin

import typer
from pydantic_core import to_json
from rich.cells import cell_len
from rich.console import Console
from rich.syntax import Syntax
from rich.text import Text

from ..errors import BatchError, CacheError, DatasetError, DefinitionError, MissingExtraError, RecordingError
from ..escaping import CONTROLS
from ..explain.why import changed
from ..findings import Problem, Repair, Span, excerpt, line_and_column
from ..options import BadItem, Format
from ..response import StructuredResponse

BAD_DATA = 1
BAD_USE = 2
NO_SERVER = 3
STANDARD_INPUT = "-"
LONGEST_CHAIN = 5  # exceptions of a chain of causes that are named

THEME = "ansi_dark"  # the terminal's own sixteen colours, which suit any background

ModelArgument = Annotated[
    str,
    typer.Argument(help="A type (package.module:Name) or a JSON Schema file (x.json).", show_default=False),
]
ReplyArgument = Annotated[
    str, typer.Argument(metavar="FILE|-", help="The reply; - is standard input.", show_default=False)
]
FormatOption = Annotated[Literal["json", "xml"], typer.Option("--format", help="The output format.")]
StrictOption = Annotated[
    bool, typer.Option(help="Print nothing for a bad reply, or what could be read, with null for the rest.")
]
ExpectOption = Annotated[Format | None, typer.Option(help="The format of the answer, if the reply contains several.")]
BadItemOption = Annotated[BadItem, typer.Option(help="How to treat a list item that has a problem.")]
RepairOption = Annotated[bool, typer.Option(help="Repair damage, or report it as a problem.")]
HtmlOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page to this file instead of printing.")]


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
    tell(("error: ", "bold red"), " ".join(message.split()))
    raise typer.Exit(status)


def write_page(file: Path, page: str) -> None:
    try:
        file.write_text(page, "utf-8")
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}")


def highlighted(text: str, language: str) -> Text:
    """Returns the text in colours, without the line break that Pygments adds."""
    coloured = Syntax("", language, theme=THEME, background_color="default").highlight(text)
    coloured.right_crop(len(coloured) - len(text.rstrip("\n")))
    return coloured


def carets_under(line: str, start: int, end: int) -> str:
    """Returns the line of carets below a piece of `line`. Some letters are two columns wide."""
    return " " * cell_len(line[:start]) + "^" * max(1, cell_len(line[start:end]))


def print_instance(response: StructuredResponse[Any], form: str) -> None:
    if form == "xml":
        print_text(str(response), "xml")
    else:
        # Unlike orjson, Pydantic writes integers of any size, and no number that JSON lacks becomes null.
        print_text(to_json(response.instance, indent=2, inf_nan_mode="strings").decode(), "json")


def report(repairs: Sequence[Repair], problems: Sequence[Problem], name: str = "", reply: str = "") -> None:
    """Prints repairs and problems, with their places if the reply and its name are given."""

    def at(span: Span | None) -> str:
        place = () if span is None else line_and_column(reply, span[0])
        return "".join(f"{part}:" for part in (name, *place)) + " " if name else ""

    for repair in repairs:
        tell(f"{at(repair.span)}{repair.path}: {change(repair)}", style="dim")
    for problem in problems:
        tell(at(problem.span), (f"{problem.path}: ", "bold red"), problem.message)
        if problem.span is not None and name:
            line, marks = excerpt(reply, problem.span).translate(CONTROLS).split("\n")
            tell(f"    {line}")
            tell(f"    {carets_under(line, marks.index('^'), len(marks))}", style="red")


def change(repair: Repair) -> str:
    return f"{repair.kind.replace('_', ' ')}: {changed(repair)}"


def response_of(target: str) -> StructuredResponse[Any]:
    if not target.endswith(".json"):
        return StructuredResponse.from_type(_type(target))
    try:
        schema = json.loads(read(target))
    except (json.JSONDecodeError, RecursionError) as error:
        fail(f"{target} is not JSON: {error}")
    return StructuredResponse.from_json_schema(schema)


def _type(target: str) -> object:
    name, _, path = target.partition(":")
    if "/" in name or name.endswith(".py") or not all(name.split(".")) or not all(path.split(".")):
        fail(f"{target!r} is not the name of a type; write package.module:Name, or the file of a JSON Schema, x.json")
    module = _import(name)
    try:
        found: Any = reduce(getattr, path.split("."), module)
    except AttributeError:
        own = name.partition(".")[0]
        types = sorted(
            each
            for each, value in vars(module).items()
            if get_origin(value) or (isinstance(value, type) and value.__module__.partition(".")[0] == own)
        )
        fail(f"{name} has no {path!r}; the types in it: {', '.join(types) or 'none'}")
    if not isinstance(found, type | GenericAlias | UnionType) and not type(found).__module__.startswith("typing"):
        fail(f"{target} is not a type but of type {type(found).__name__}")
    return found


def _import(name: str) -> ModuleType:
    """Imports a module, looked for in the current directory first. What it prints goes to standard error."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a module may raise anything while it is imported
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            fail(f"there is no module {error.name!r}, neither in {here} nor installed")
        fail(f"{name} cannot be imported: {chain(error)}{_place(error)}")


@contextlib.contextmanager
def failures(target: str = "") -> Iterator[None]:
    """Prints exceptions that the user can act on in a line each. Others are bugs and keep their traceback."""
    try:
        yield
    except DatasetError as error:
        for fault in error.faults:
            tell(" ".join(str(fault).split()))
        raise typer.Exit(BAD_DATA) from None
    except (BatchError, CacheError, DefinitionError, MissingExtraError, RecordingError) as error:
        fail(str(error), BAD_DATA if getattr(error, "failures", ()) else BAD_USE)
    except Exception as error:
        place = _place(error)
        if not place:
            raise
        fail(f"{target} cannot be used: {chain(error)}{place}")


def chain(error: BaseException) -> str:
    links: list[str] = []
    link: BaseException | None = error
    while link is not None and len(links) < LONGEST_CHAIN:
        links.append(f"{type(link).__name__}: {link}")
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    return ", caused by ".join(dict.fromkeys(links))  # SDKs wrap an exception into one that says the same


def _place(error: BaseException) -> str:
    """Returns the place of the last frame in the user's own files, which are below the current directory, if any."""
    here, ours = Path.cwd(), Path(__file__).parent.parent
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file.is_relative_to(here) and not file.is_relative_to(ours) and "site-packages" not in file.parts:
            return f" ({file.relative_to(here)}, line {frame.lineno})"
    return ""


def read(file: str) -> str:
    if file == STANDARD_INPUT and sys.stdin.isatty():
        typer.echo("Type the text, then Ctrl-D:", err=True)
    try:
        content = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
        return content.decode("utf-8")
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        fail(f"{file} is not UTF-8: byte 0x{error.object[error.start]:02x} at offset {error.start}")
