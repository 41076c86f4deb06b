"""The commands for batches: read files of replies, report on a folder, ask again, merge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from rich.console import Console

from ..lazy import Lazy
from .terminal import (
    BadItemOption,
    ExpectOption,
    HtmlOption,
    ModelArgument,
    RepairOption,
    failures,
    print_text,
    response_of,
    tell,
    write_page,
)

if TYPE_CHECKING:
    from .. import batch
else:
    batch = Lazy("batch")

app = typer.Typer(no_args_is_help=True, help="Read files of many replies, and ask again for what was wrong.")

FolderArgument = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="The folder that run wrote.", show_default=False, exists=True, file_okay=False),
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", "-m", metavar="MODEL", help="The type, if its own validators should judge as well."),
]
OutArgument = Annotated[Path, typer.Argument(metavar="OUT", help="The request file to write.", show_default=False)]
RequestsOption = Annotated[
    list[str], typer.Option("--requests", "-r", metavar="FILE", help="The request file of the batch. Repeatable.")
]
InputsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT...",
        help="Files, folders or patterns: Parquet, JSON Lines, or the result files of providers.",
        show_default=False,
    ),
]


@app.command()
def run(  # noqa: PLR0913 - one for each option of the command
    model: ModelArgument,
    inputs: InputsArgument,
    *,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write, or to continue.")],
    column: Annotated[str, typer.Option(help="The column or key of the replies.")] = "reply",
    parts: Annotated[Literal["parquet", "jsonl"], typer.Option(help="The format of the parts.")] = "parquet",
    size: Annotated[int, typer.Option(min=1, help="The records of the input in a part.")] = 10_000,
    processes: Annotated[int | None, typer.Option(min=1, help="Default: one for each processor.")] = None,
    on_error: Annotated[
        Literal["column", "drop", "raise"],
        typer.Option(help="Keep rows with problems, leave them out, or stop at the first."),
    ] = "column",
    max_failures: Annotated[
        int | None, typer.Option(min=0, help="The number of rows with problems that the run tolerates.")
    ] = None,
    expect: ExpectOption = None,
    on_bad_item: BadItemOption = "raise",
    repair: RepairOption = True,
) -> None:
    """Read the replies in files, and write their data, statuses and findings as a folder of parts.

    The same command continues a run that was stopped.

    Exit status: 0, 1 if the run stopped because of failed rows, or 2 for a usage error.
    """
    with failures(model):
        report = batch.parse_files(
            inputs,
            response_of(model),
            output,
            column=column,
            parts=parts,
            size=size,
            processes=processes,
            on_error=on_error,
            max_failures=max_failures,
            format=expect,
            on_bad_item=on_bad_item,
            repair=repair,
        )
    _print(report)


@app.command()
def report(folder: FolderArgument, html: HtmlOption = None) -> None:
    """Count the rows of a folder by status, and its problems and repairs by path and kind."""
    with failures():
        counted = batch.BatchReport.of(folder)
    if html is None:
        _print(counted)
    else:
        write_page(html, counted.to_html())


@app.command()
def reask(folder: FolderArgument, out: OutArgument, requests: RequestsOption, model: ModelOption = None) -> None:
    """Write a request file that asks again for the rows that failed: their wrong fields only, if the rest is there."""
    with failures(model or ""):
        written = batch.write_reask(folder, out, requests=requests, model=model and response_of(model))
    print_text(f"{out}: {written.requests:,} requests")
    if written.missing:
        tell(f"{written.missing:,} rows are left out: they have no id, or none of these files has their request")


@app.command()
def merge(
    folder: FolderArgument,
    results: Annotated[
        list[str], typer.Argument(metavar="RESULTS...", help="The results of the new requests.", show_default=False)
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The new folder.")],
    model: ModelOption = None,
) -> None:
    """Write a new folder that has the results of a second request file merged into the rows that failed."""
    with failures(model or ""):
        merged = batch.merge(folder, results, output, model=model and response_of(model))
        counted = batch.BatchReport.of(output)
    print_text(f"{merged.amended:,} rows amended, {merged.failed:,} failed again, {merged.unknown:,} results of no row")
    _print(counted)


def _print(counted: batch.BatchReport) -> None:
    console = Console()
    if console.is_terminal:
        console.print(counted)
    else:
        print_text(str(counted))
