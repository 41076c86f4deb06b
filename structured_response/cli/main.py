"""The command line: arguments in, text and an exit status out."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from .. import Attempt, __version__
from .. import ask as ask_until_right
from ..cache import SqliteCache
from ..cache.sqlite import default_path
from ..clients import record, replay
from ..clients.providers import client_at, client_of, is_name
from ..clients.sdk import USER
from ..datasets.autorag import validate as validate_with_corpus
from ..datasets.jsonl import records_of
from ..datasets.kinds import KINDS, LONGEST, TARGETS, kind_of
from ..datasets.records import size_of, write_records
from ..errors import AskError, CacheError, DatasetError, ReplyError
from ..explain import explanation_of
from ..explain.why import told
from ..options import Format, ParseOptions
from ..progress import progress_bar
from ..render.prompt import PromptFormat
from . import batch
from .demo import show
from .playground import playground
from .terminal import (
    BAD_DATA,
    NO_SERVER,
    STANDARD_INPUT,
    BadItemOption,
    ExpectOption,
    FormatOption,
    HtmlOption,
    ModelArgument,
    RepairOption,
    ReplyArgument,
    StrictOption,
    chain,
    fail,
    failures,
    print_instance,
    print_text,
    read,
    report,
    response_of,
    tell,
    write_page,
)

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # a paragraph of a docstring is one, however its lines are broken
    context_settings={"help_option_names": ["-h", "--help"]},
)
caches = typer.Typer(no_args_is_help=True, help="Inspect or clear a cache of replies.")
datasets = typer.Typer(no_args_is_help=True, help="Inspect, validate and convert files of records.")

CacheArgument = Annotated[
    Path,
    typer.Argument(
        metavar="[FILE]",
        help="The cache; without one, your own.",
        default_factory=default_path,
        show_default=False,
        exists=True,
        dir_okay=False,
    ),
]
NamespaceOption = Annotated[str | None, typer.Option("--namespace", "-n", help="Only the replies for this class.")]
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
    file: ReplyArgument = STANDARD_INPUT,
    form: FormatOption = "json",
    strict: StrictOption = True,
    expect: ExpectOption = None,
    on_bad_item: BadItemOption = "raise",
    repair: RepairOption = True,
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
        name, text = "stdin" if file == STANDARD_INPUT else file, read(file)
        if why:
            plan = response._plan  # noqa: SLF001 - an explanation is about the inside
            tell(told(plan, text, ParseOptions(expect)), style="dim")
        try:
            parsed: Any = response.parse(text, strict, format=expect, on_bad_item=on_bad_item, repair=repair)
            problems = parsed.problems
            print_instance(parsed, form)
        except ReplyError as error:
            parsed, problems = error.response, error.problems
        report(parsed.repairs if parsed and not quiet else (), problems, name, text)
        if parsed and problems and strict and not quiet:
            tell("nothing was printed; --no-strict prints what could be read", style="dim")
        if problems:
            raise typer.Exit(BAD_DATA)


@app.command()
def explain(
    model: ModelArgument, file: ReplyArgument = STANDARD_INPUT, html: HtmlOption = None, expect: ExpectOption = None
) -> None:
    """Show how a reply is read: the places of its values, the repairs, the problems, the next best reading.

    Exit status: 0, or 2 for a usage error.
    """
    with failures(model):
        plan = response_of(model)._plan  # noqa: SLF001 - an explanation is about the inside
        explanation = explanation_of(plan, read(file), ParseOptions(expect))
        if html is None:
            typer.echo(str(explanation).encode())
        else:
            write_page(html, explanation.to_html())


@app.command()
def ask(  # noqa: PLR0913 - one parameter for each option
    model: ModelArgument,
    question: Annotated[str, typer.Argument(help="The question; - is standard input.", show_default=False)],
    *,
    name: Annotated[str, typer.Option("--model", "-m", help="NAME, PROVIDER:NAME or URL:NAME of the model.")] = "",
    base_url: Annotated[
        str | None, typer.Option(help="A server with OpenAI's protocol. Default: OpenAI's own.")
    ] = None,
    system: Annotated[str, typer.Option(help="A system message, sent before the question.")] = "",
    temperature: Annotated[float | None, typer.Option(min=0, help="The sampling temperature.")] = None,
    attempts: Annotated[int, typer.Option(min=1, help="The maximum number of attempts.")] = 3,
    cache: Annotated[Path | None, typer.Option(help="A file that caches replies.")] = None,
    recorded: Annotated[Path | None, typer.Option("--record", help="A file that records each call.")] = None,
    replayed: Annotated[
        Path | None, typer.Option("--replay", help="A recording that answers instead of a server.")
    ] = None,
    form: FormatOption = "json",
    strict: StrictOption = True,
    expect: Annotated[Format, typer.Option(help="The format that the model is asked for.")] = "xml",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not list what was asked again.")] = False,
) -> None:
    """Ask a language model until its reply is valid, and print the data.

    NAME is one of OpenAI's, or of the server of --base-url; PROVIDER is openai, openai-responses, anthropic or litellm.
    The environment has the key, such as OPENAI_API_KEY; a URL of --model gets none.

    What was wrong with a reply, and was asked again, is written to standard error.

    Exit status: 0, or 1 if no reply was right, or 2 for a bad use of the command, or 3 if the server fails.
    """
    with failures(model), ExitStack() as stack:
        asked = response_of(model)
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": read(question) if question == STANDARD_INPUT else question})

        def listed(attempt: Attempt) -> None:
            if attempt.problems and not quiet:
                tell(str(attempt), style="dim")

        complete = replay(replayed) if replayed else stack.enter_context(_server(name, base_url, temperature))
        try:
            answer = ask_until_right(
                record(complete, recorded) if recorded else complete,
                messages,
                asked,
                attempts=attempts,
                cache=None if cache is None else stack.enter_context(SqliteCache(cache)),
                format=expect,
                strict=strict,
                on_attempt=listed,
            )
        except ReplyError as error:
            if isinstance(error, AskError):
                report((), error.problems)
                raise typer.Exit(BAD_DATA) from None
            fail(error.problems[0].message, NO_SERVER)
        except OSError as error:
            fail(f"{error.filename} cannot be written: {error.strerror}")
    print_instance(answer.response, form)
    report((), answer.response.problems)
    if answer.response.problems:
        raise typer.Exit(BAD_DATA)


@contextmanager
def _server(name: str, base_url: str | None, temperature: float | None) -> Iterator[Any]:
    """Yields the function that calls the language model. An exception of the server ends the command and names it."""
    if not name:
        fail("which language model? Name it: --model NAME")
    params: dict[str, Any] = {} if temperature is None else {"temperature": temperature}
    try:
        if base_url is None:
            complete = client_of(name if is_name(name) else f"openai:{name}", is_async=False, **params)
        else:
            complete = client_at(base_url, name, is_async=False, api_key=os.environ.get("OPENAI_API_KEY"), **params)
    except Exception as error:  # noqa: BLE001 - the SDK's own, or those of its HTTP library
        fail(str(error))
    try:
        yield complete
    except TypeError as error:  # of an SDK without --temperature
        fail(str(error))
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in _SDKS:
            raise
        address = USER.sub("", complete.url.partition("?")[0])
        fail(f"{complete.model}{address and ' at '}{address} fails: {chain(error)}", NO_SERVER)
    finally:
        if complete.close is not None:
            complete.close()


_SDKS = ("anthropic", "litellm", "openai")


@caches.command()
def stats(file: CacheArgument) -> None:
    """Print the size of a cache, and its replies per class."""
    with _opened(file) as cache:
        held = cache.stats()
    typer.echo(f"{held.path}: {held.entries:,} replies, {held.bytes:,} bytes of {held.max_bytes:,} at most")
    for namespace, count in held.namespaces.items():
        typer.echo(f"  {namespace}: {count:,}")


@caches.command("list")
def list_entries(
    file: CacheArgument,
    namespace: NamespaceOption = None,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of replies.")] = 50,
) -> None:
    """List the replies in a cache, the most recently used first."""
    with _opened(file) as cache:
        entries = cache.entries(namespace, limit)
    table = Table("key", "bytes", "made", "used", "expires", box=None, pad_edge=False)
    for key, size, *times in entries:
        table.add_row(key, f"{size:,}", *map(_time, times))
    Console(soft_wrap=True, highlight=False).print(table)


@caches.command()
def clear(
    file: CacheArgument,
    namespace: NamespaceOption = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
) -> None:
    """Remove all replies from a cache, or those for one class, after confirmation."""
    with _opened(file) as cache:
        held = cache.stats()
        count = held.entries if namespace is None else held.namespaces.get(namespace, 0)
        if count and not yes:
            typer.confirm(f"Remove {count:,} replies from {held.path}?", abort=True, err=True)
        typer.echo(f"{cache.clear(namespace):,} removed")


@contextmanager
def _opened(file: Path) -> Iterator[SqliteCache]:
    try:
        with SqliteCache(file) as cache:
            cache.stats()
            yield cache
    except (CacheError, sqlite3.Error, OSError) as error:
        fail(f"{file} cannot be used: {error}")


def _time(seconds: float | None) -> str:
    return "" if seconds is None else datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")


@datasets.command()
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


@datasets.command()
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


@datasets.command()
def head(file: FileArgument, count: CountOption = 3) -> None:
    """Print the first records of a file as JSON, one per line."""
    with failures():
        for record in islice(records_of(KINDS[kind_of(file)].scan(file, None)), count):
            print_text(record.model_dump_json(exclude_none=True))


@datasets.command()
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


app.command()(playground)
app.add_typer(caches, name="cache")
app.add_typer(datasets, name="dataset")
app.add_typer(batch.app, name="batch")
