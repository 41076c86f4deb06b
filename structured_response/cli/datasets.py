"""`structured-response dataset`: what is in a file of records, what is wrong with it, and what it can be made."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from ..datasets.autorag import validate as validate_with_corpus
from ..datasets.files import progress_bar
from ..datasets.jsonl import records_of
from ..datasets.kinds import KINDS, LONGEST, TARGETS, kind_of
from ..datasets.records import size_of, write_records
from ..errors import DatasetError
from .terminal import BAD_DATA, fail, failures, print_text

app = typer.Typer(no_args_is_help=True, help="Inspect, validate and convert files of records.")

FileArgument = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file.", show_default=False, exists=True, dir_okay=False)
]
OutArgument = Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.", show_default=False)]
CorpusOption = Annotated[
    Path | None,
    typer.Option("--corpus", help="The corpus of AutoRAG questions.", exists=True, dir_okay=False),
]
CountOption = Annotated[int, typer.Option("--count", "-n", min=1, help="The number of records.")]
ToOption = Annotated[str | None, typer.Option("--to", help="The kind of record to write. Default: the same kind.")]


@app.command()
def info(file: FileArgument) -> None:
    """Print the kind of a file's records, and their counts."""
    with failures():
        kind = KINDS[kind_of(file)]
        totals: dict[str, int] = {}
        bad = 0
        with progress_bar("reading", size_of(file)) as watch:
            for line in kind.scan(file, watch):
                bad += line.record is None
                for name, number in (kind.tally(line.record) if line.record is not None else {}).items():
                    before = totals.get(name, 0)
                    totals[name] = max(before, number) if name == LONGEST else before + number
    print_text(f"{file}: {kind.title}")
    for name, number in totals.items():
        print_text(f"  {name}: {number:,}")
    if bad:
        print_text(f"  bad records: {bad:,}; validate names what is wrong with them")
        raise typer.Exit(BAD_DATA)


@app.command()
def validate(file: FileArgument, corpus: CorpusOption = None) -> None:
    """List all faults of a file, each with its line or row and its field.

    Exit status: 0, 1 for a file with faults, or 2 for a usage error.
    """
    with failures():
        kind = KINDS[kind_of(file)]
        if corpus is not None and kind is not KINDS["qa"]:
            fail(f"--corpus goes with AutoRAG questions, and {file} holds {kind.title}")
        with progress_bar("validating", size_of(corpus or file)) as watch:
            faults = kind.validate(file, watch) if corpus is None else validate_with_corpus(file, corpus, watch=watch)
        if faults:
            raise DatasetError(faults)
    print_text(f"{file}: {kind.title}, no faults")


@app.command()
def head(file: FileArgument, count: CountOption = 3) -> None:
    """Print the first records of a file as JSON, one per line."""
    with failures():
        for record in islice(records_of(KINDS[kind_of(file)].scan(file, None)), count):
            print_text(record.model_dump_json(exclude_none=True))


@app.command()
def convert(file: FileArgument, out: OutArgument, to: ToOption = None) -> None:
    """Convert a file to another file format, or its records to another kind.

    The suffix of OUT selects the format: .jsonl, .jsonl.gz, .jsonl.zst or .parquet.

    Kinds: trees to messages, threads, chat, preferences or dialogues; messages to trees; threads to chat or dialogues;
    LocalRQA examples to qa or corpus; a corpus to documents. OUT is written whole or not at all.
    """
    with failures():
        name = kind_of(file)
        kind = KINDS[name]
        target = to or name
        if target not in (name, *TARGETS[name]):
            fail(f"{kind.title} cannot be made {target!r}, but {', '.join([name, *TARGETS[name]])}")
        with progress_bar("converting", size_of(file)) as watch:
            records = records_of(kind.scan(file, watch))
            made = records if target == name else TARGETS[name][target](records)
            (KINDS[target].write if target in KINDS else write_records)(out, made)
    print_text(f"{out}: {target} of {file}")
