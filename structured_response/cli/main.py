"""The command line: arguments in, text and an exit status out. The work itself is the library's."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console

from .. import __version__
from ..errors import DefinitionError, MissingExtraError, ReplyError
from ..options import ParseOptions
from .arguments import Expected, Format, FormatOption, ModelArgument, StrictOption, print_instance
from .ask import ask, caches
from .datasets import app as dataset_app
from .demo.show import show
from .report import Report
from .target import STANDARD_INPUT, read, response_of, users_errors
from .terminal import BAD_DATA, fail, print_text, tell
from .why import explain, to_text

__all__ = ["app"]

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # a paragraph of a docstring is one, however its lines are broken
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(ask)
app.add_typer(caches, name="cache")
app.add_typer(dataset_app, name="dataset")


class PromptFormat(StrEnum):
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


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"structured-response {__version__}")
        raise typer.Exit


Paths = list[str] | None


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Write prompts from Pydantic models, and read the replies of language models."""


@app.command()
def demo() -> None:
    """Run a worked example: prompt, damaged reply, second question, validated model, cache."""
    if not show(Console(highlight=False)):
        raise typer.Exit(BAD_DATA)


@app.command()
def prompt(
    model: ModelArgument,
    form: Annotated[PromptFormat, typer.Option("--format", help="The format of the answer.")] = PromptFormat.XML,
    instructions: Annotated[bool, typer.Option(help="Begin with a paragraph on how to answer.")] = False,
    include: Annotated[Paths, typer.Option(metavar="PATH", help="Ask only for this field. Repeatable.")] = None,
    exclude: Annotated[Paths, typer.Option(metavar="PATH", help="Leave this field out. Repeatable.")] = None,
) -> None:
    """Print the prompt for a type. PATH is dotted, such as parts.points."""
    with users_errors(model):
        response = response_of(model)
        try:
            text = response.to_prompt(
                form.value, instructions=instructions, include=include or (), exclude=exclude or ()
            )
        except (DefinitionError, MissingExtraError) as error:
            fail(str(error))
    print_text(text, "json" if form is PromptFormat.SCHEMA else form.value)


@app.command()
def parse(  # noqa: PLR0913, PLR0917 - one for each option of the command
    model: ModelArgument,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="The reply; - is standard input.", show_default=False)
    ] = STANDARD_INPUT,
    form: FormatOption = Format.JSON,
    strict: StrictOption = True,
    expect: Annotated[
        Expected | None, typer.Option(help="The format of the answer, if the reply contains several.")
    ] = None,
    on_bad_item: Annotated[BadItem, typer.Option(help="How to treat a list item that has a problem.")] = BadItem.RAISE,
    repair: Annotated[bool, typer.Option(help="Repair damage, or report it as a problem.")] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="List problems only, not repairs.")] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Explain the reading: its slips, their prices, and the next best reading.")
    ] = False,
) -> None:
    """Read a reply and print its data.

    Problems, repairs and the explanation of --why go to standard error.

    Exit status: 0, 1 for a bad reply, or 2 for a usage error.
    """
    with users_errors(model):
        response = response_of(model)
        report = Report("stdin" if file == STANDARD_INPUT else file, read(file), quiet)
        how = ParseOptions(None if expect is None else expect.value)
        if why:
            plan = response._plan  # noqa: SLF001 - an explanation is about the inside
            tell(to_text(explain(plan, report.reply, how)), style="dim")
        try:
            parsed = response.parse(
                report.reply, strict, format=how.format, on_bad_item=on_bad_item.value, repair=repair
            )
        except ReplyError as error:
            report.failure(error)
            raise typer.Exit(BAD_DATA) from None
        print_instance(parsed, form)
    report.findings(parsed.repairs, parsed.problems)
    if parsed.problems:
        raise typer.Exit(BAD_DATA)
