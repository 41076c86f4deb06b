"""The command line: arguments in, text and an exit status out. The work itself is the library's."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Annotated, NoReturn

import typer
from pydantic import BaseModel
from pydantic_core import to_json
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from .. import __version__
from ..definition import shared_plan
from ..errors import DefinitionError, MissingExtraError, ReplyError
from ..findings import Problem, Repair, excerpt, line_and_column
from ..options import ParseOptions
from ..response import StructuredResponse
from .datasets import app as dataset_app
from .demo.listing import highlighted
from .demo.show import show
from .terminal import CONTROLS
from .why import Why, explain, to_text

__all__ = ["app"]

BAD_REPLY = 1
BAD_USE = 2
STANDARD_INPUT = "-"
LONGEST_VALUE = 40  # characters of a text that a line about it shows
LONGEST_CHAIN = 5  # exceptions of a chain of causes that are named

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(dataset_app, name="dataset")


class Format(StrEnum):
    """How an instance is printed."""

    JSON = "json"
    XML = "xml"


class Expected(StrEnum):
    """What a reply is expected to be written in."""

    XML = "xml"
    JSON = "json"
    YAML = "yaml"


class AskResult(StrEnum):
    """What a prompt asks for an answer in. A schema asks for JSON."""

    XML = "xml"
    JSON = "json"
    YAML = "yaml"
    SCHEMA = "schema"


class BadItem(StrEnum):
    """What becomes of an item of a list that has a problem."""

    RAISE = "raise"
    DROP = "drop"
    KEEP = "keep"


ModelArgument = Annotated[str, typer.Argument(help="The model, as package.module:Model.", show_default=False)]
FileArgument = Annotated[
    str, typer.Argument(metavar="FILE|-", help="The reply; - is standard input.", show_default=False)
]


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"structured-response {__version__}")
        raise typer.Exit


VersionOption = Annotated[
    bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit.")
]
AskedOption = Annotated[AskResult, typer.Option("--format", help="What the answer is to be written in.")]
InstructionsOption = Annotated[bool, typer.Option(help="Put a paragraph on how to answer in front.")]
IncludeOption = Annotated[
    list[str] | None, typer.Option(metavar="PATH", help="Ask for this field only; can be given more than once.")
]
ExcludeOption = Annotated[
    list[str] | None, typer.Option(metavar="PATH", help="Leave this field out; can be given more than once.")
]
FormatOption = Annotated[Format, typer.Option("--format", help="How the instance is printed.")]
StrictOption = Annotated[
    bool, typer.Option(help="Of a bad reply print nothing, or what could be read, with null for the rest.")
]
ExpectOption = Annotated[
    Expected | None,
    typer.Option("--expect", help="The format of the reply, where there is something in more than one."),
]
BadItemOption = Annotated[
    BadItem, typer.Option("--on-bad-item", help="What becomes of an item of a list that has a problem.")
]
RepairOption = Annotated[bool, typer.Option(help="Mend what is not as asked for, or take it for a problem.")]
WhyOption = Annotated[
    bool, typer.Option("--why", help="Tell each slip that was supposed, its price, and the next best reading.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="List problems only, not what was mended.")]


@app.callback()
def options(version: VersionOption = False) -> None:
    """Prompts from Pydantic models, and data from the replies of language models."""


@app.command()
def demo() -> None:
    """Show the whole way on a worked example, with its code: models, prompt, reply, instance, cache."""
    if not show(Console(highlight=False)):
        raise typer.Exit(BAD_REPLY)


@app.command()
def prompt(
    model: ModelArgument,
    form: AskedOption = AskResult.XML,
    instructions: InstructionsOption = False,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
) -> None:
    """Print the prompt that asks for a model. Fields are named by dotted paths, such as parts.points."""
    with _users_errors(model):
        response = _response_of(model)
        try:
            text = response.to_prompt(
                form.value, instructions=instructions, include=include or (), exclude=exclude or ()
            )
        except (DefinitionError, MissingExtraError) as error:
            _fail(str(error))
    _print_text(text, "json" if form is AskResult.SCHEMA else form.value)


@app.command()
def parse(  # noqa: PLR0913, PLR0917 - one for each option of the command
    model: ModelArgument,
    file: FileArgument = STANDARD_INPUT,
    form: FormatOption = Format.JSON,
    strict: StrictOption = True,
    expect: ExpectOption = None,
    on_bad_item: BadItemOption = BadItem.RAISE,
    repair: RepairOption = True,
    quiet: QuietOption = False,
    why: WhyOption = False,
) -> None:
    """Read a reply and print what it says.

    Problems, and whatever was mended, are listed on standard error, with --why the reading and its price as well.

    Exit status: 0, or 1 for a bad reply, or 2 for a bad use of the command.
    """
    with _users_errors(model):
        response = _response_of(model)
        report = Report("stdin" if file == STANDARD_INPUT else file, _read(file), Console(stderr=True))
        how = ParseOptions(None if expect is None else expect.value)
        if why:
            kind = _model(model)
            report.reading(explain(shared_plan(kind, kind.__name__), report.reply, how))
        try:
            parsed = response.parse(
                report.reply, strict, format=how.format, on_bad_item=on_bad_item.value, repair=repair
            )
        except ReplyError as error:
            report.failure(error, quiet=quiet)
            raise typer.Exit(BAD_REPLY) from None
        _print_instance(parsed, form)
    report.findings(parsed, quiet=quiet)
    if parsed.problems:
        raise typer.Exit(BAD_REPLY)


@contextlib.contextmanager
def _users_errors(target: str) -> Iterator[None]:
    """An error from the user's own code, such as a validator, in one line. Ours keep their traceback."""
    try:
        yield
    except Exception as error:
        place = _place(error)
        if not place:
            raise
        _fail(f"{target} cannot be used: {_told(error)}{place}")


def _response_of(target: str) -> StructuredResponse[BaseModel]:
    try:
        return StructuredResponse.from_basemodel(_model(target))
    except DefinitionError as error:
        _fail(str(error))


def _model(target: str) -> type[BaseModel]:
    module_name, _, path = target.partition(":")
    if "/" in module_name or module_name.endswith(".py") or not all(module_name.split(".")) or not all(path.split(".")):
        _fail(f"{target!r} is not the name of a model; write package.module:Model")
    found = _look_up(_import(module_name), path)
    if not (inspect.isclass(found) and issubclass(found, BaseModel)):
        kind = "another class" if inspect.isclass(found) else f"of type {type(found).__name__}"
        _fail(f"{target} is not a Pydantic model but {kind}")
    return found


def _import(name: str) -> ModuleType:
    """The module, looked for in the current directory first. What it prints must not get into our output."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a module may raise anything while it is imported
        if isinstance(error, ModuleNotFoundError) and f"{name}.".startswith(f"{error.name}."):
            _fail(f"there is no module {error.name!r}, neither in {here} nor installed")
        _fail(f"{name} cannot be imported: {_told(error)}{_place(error)}")


def _look_up(module: ModuleType, path: str) -> object:
    try:
        return reduce(getattr, path.split("."), module)
    except AttributeError:
        known = ", ".join(sorted(_models_in(module))) or "none"
        _fail(f"{module.__name__} has no {path!r}; the models in it: {known}")


def _models_in(module: ModuleType) -> Iterator[str]:
    for name, value in vars(module).items():
        if inspect.isclass(value) and issubclass(value, BaseModel) and value.__module__.split(".")[0] != "pydantic":
            yield name


def _told(error: BaseException) -> str:
    chain = islice(_chain(error), LONGEST_CHAIN)
    return ", caused by ".join(f"{type(link).__name__}: {link}" for link in chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _place(error: BaseException) -> str:
    """Where in the user's own files it happened: the last frame below the current directory, if any."""
    here, ours = str(Path.cwd()), str(Path(__file__).parent)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = frame.filename
        if file.startswith(here) and not file.startswith(ours) and "site-packages" not in file:
            return f" ({os.path.relpath(file, here)}, line {frame.lineno})"
    return ""


def _read(file: str) -> str:
    try:
        return _bytes_of(file).decode("utf-8")
    except OSError as error:
        _fail(f"{file} cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        _fail(f"{file} is not UTF-8: byte 0x{error.object[error.start]:02x} at offset {error.start}")


def _bytes_of(file: str) -> bytes:
    if file != STANDARD_INPUT:
        return Path(file).read_bytes()
    if sys.stdin.isatty():
        typer.echo("The reply, please, and then Ctrl-D:", err=True)
    return sys.stdin.buffer.read()


def _print_instance(response: StructuredResponse[BaseModel], form: Format) -> None:
    if form is Format.XML:
        _print_text(str(response), "xml")
    else:
        # Unlike orjson, this one has integers of any size, and no number that JSON lacks becomes null.
        _print_text(to_json(response.instance, indent=2, inf_nan_mode="strings").decode(), "json")


def _print_text(text: str, language: str) -> None:
    """To a terminal in colours and harmless; to anything else as it is, in UTF-8 whatever the locale says."""
    console = Console()
    if console.is_terminal:
        console.print(highlighted(text.translate(CONTROLS), language), soft_wrap=True)
    else:
        typer.echo(text.encode())


@dataclass(frozen=True)
class Report:
    """What was found in a reply, told on standard error: a line each, with carets under a problem's place."""

    name: str
    reply: str
    console: Console

    def reading(self, why: Why) -> None:
        for line in to_text(why).split("\n"):
            self._print(Text(line.translate(CONTROLS), "dim"))

    def findings(self, response: StructuredResponse[BaseModel], *, quiet: bool) -> None:
        if not quiet:
            self._repairs(response.repairs)
        self._problems(response.problems)

    def failure(self, error: ReplyError, *, quiet: bool) -> None:
        partial = error.response
        if partial is not None and not quiet:
            self._repairs(partial.repairs)
        self._problems(error.problems)
        if partial is not None and not quiet:
            self._print(Text("nothing was printed; --no-strict prints what could be read", "dim"))

    def _repairs(self, repairs: Sequence[Repair]) -> None:
        for repair in repairs:
            change = _short(repair.before)
            if repair.after != repair.before:
                change += f" -> {_short(repair.after)}"
            kind = repair.kind.replace("_", " ")
            self._print(Text(f"{self._at(repair.span)} {repair.path}: {kind}: {change}", "dim"))

    def _problems(self, problems: Sequence[Problem]) -> None:
        for problem in problems:
            self._print(Text.assemble(self._at(problem.span), " ", (f"{problem.path}: ", "bold red"), problem.message))
            if problem.span is not None:
                self._point_at(problem.span)

    def _at(self, span: tuple[int, int] | None) -> str:
        if span is None:
            return f"{self.name}:"
        line, column = line_and_column(self.reply, span[0])
        return f"{self.name}:{line}:{column}:"

    def _point_at(self, span: tuple[int, int]) -> None:
        line, carets = excerpt(self.reply, span).translate(CONTROLS).split("\n")
        start = len(carets) - len(carets.lstrip())
        # Some letters are two columns wide: the carets are set in columns, not in characters.
        indent, width = cell_len(line[:start]), max(1, cell_len(line[start : len(carets)]))
        self._print(Text(f"    {line}"))
        self._print(Text(f"    {' ' * indent}{'^' * width}", "red"))

    def _print(self, line: Text) -> None:
        self.console.print(line, soft_wrap=True, highlight=False)


def _short(text: str) -> str:
    return repr(text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 3]}...")


def _fail(message: str) -> NoReturn:
    """Say in one line what was wrong with the way the command was used, and stop."""
    line = " ".join(message.split()).translate(CONTROLS)
    Console(stderr=True).print(Text.assemble(("error: ", "bold red"), line), soft_wrap=True, highlight=False)
    raise typer.Exit(BAD_USE)
