"""The command line: arguments in, text and an exit status out."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from .. import __version__
from ..errors import ReplyError
from ..options import BadItem, Format, ParseOptions
from ..render.prompt import PromptFormat
from .ask import ask, caches
from .datasets import app as dataset_app
from .demo.show import show
from .target import STANDARD_INPUT, ModelArgument, failures, read, response_of
from .terminal import BAD_DATA, FormatOption, Report, StrictOption, print_instance, print_text, tell
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


def print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"structured-response {__version__}")
        raise typer.Exit


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
    form: Annotated[PromptFormat, typer.Option("--format", help="The format of the answer.")] = "xml",
    instructions: Annotated[bool, typer.Option(help="Begin with a paragraph on how to answer.")] = False,
    include: Annotated[
        list[str] | None, typer.Option(metavar="PATH", help="Ask only for this field. Repeatable.")
    ] = None,
    exclude: Annotated[list[str] | None, typer.Option(metavar="PATH", help="Leave this field out. Repeatable.")] = None,
) -> None:
    """Print the prompt for a type. PATH is dotted, such as parts.points."""
    with failures(model):
        text = response_of(model).to_prompt(
            form, instructions=instructions, include=include or (), exclude=exclude or ()
        )
    print_text(text, "json" if form == "schema" else form)


@app.command()
def parse(  # noqa: PLR0913, PLR0917 - one for each option of the command
    model: ModelArgument,
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="The reply; - is standard input.", show_default=False)
    ] = STANDARD_INPUT,
    form: FormatOption = "json",
    strict: StrictOption = True,
    expect: Annotated[
        Format | None, typer.Option(help="The format of the answer, if the reply contains several.")
    ] = None,
    on_bad_item: Annotated[BadItem, typer.Option(help="How to treat a list item that has a problem.")] = "raise",
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
    with failures(model):
        response = response_of(model)
        report = Report("stdin" if file == STANDARD_INPUT else file, read(file), quiet)
        if why:
            plan = response._plan  # noqa: SLF001 - an explanation is about the inside
            tell(to_text(explain(plan, report.reply, ParseOptions(expect))), style="dim")
        try:
            parsed = response.parse(report.reply, strict, format=expect, on_bad_item=on_bad_item, repair=repair)
        except ReplyError as error:
            read_so_far = error.response
            hint = "nothing was printed; --no-strict prints what could be read" if read_so_far else ""
            report.findings(read_so_far.repairs if read_so_far else (), error.problems, hint)
        else:
            print_instance(parsed, form)
            report.findings(parsed.repairs, parsed.problems)
