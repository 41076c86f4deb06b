"""The commands that call a language model, and those that look after a cache of replies."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..asking import Attempt
from ..asking import ask as ask_until_right
from ..cache import SqliteCache
from ..cache.sqlite import Entry, default_path
from ..clients import openai_chat, record, replay
from ..errors import AskError, CacheError, MissingExtraError, RecordingError, ReplyError
from ..findings import Problem
from .main import (
    BAD_REPLY,
    Expected,
    Format,
    FormatOption,
    ModelArgument,
    QuietOption,
    StrictOption,
    _fail,
    _print_instance,
    _read,
    _response_of,
    _users_errors,
    app,
)
from .terminal import CONTROLS

__all__ = ["app"]

NO_SERVER = 3
STANDARD_INPUT = "-"

caches = typer.Typer(no_args_is_help=True, help="Look into a cache of replies, or empty it.")
app.add_typer(caches, name="cache")

CacheArgument = Annotated[Path | None, typer.Argument(metavar="[FILE]", help="The cache; without one, your own.")]
NamespaceOption = Annotated[str | None, typer.Option("--namespace", "-n", help="Only the replies for this class.")]


@app.command()
def ask(  # noqa: PLR0913 - one parameter for each option
    model: ModelArgument,
    question: Annotated[str, typer.Argument(help="What to ask; - is standard input.", show_default=False)],
    *,
    name: Annotated[str, typer.Option("--model", "-m", help="The language model's name.")] = "",
    base_url: Annotated[
        str | None, typer.Option(help="A server that speaks OpenAI's protocol; without one, OpenAI's own.")
    ] = None,
    attempts: Annotated[int, typer.Option(min=1, help="How often to ask at most.")] = 3,
    cache: Annotated[Path | None, typer.Option(help="A file that keeps replies.")] = None,
    recorded: Annotated[Path | None, typer.Option("--record", help="A file to write each call to.")] = None,
    replayed: Annotated[Path | None, typer.Option("--replay", help="A recording to answer in a model's place.")] = None,
    form: FormatOption = Format.JSON,
    strict: StrictOption = True,
    expect: Annotated[Expected, typer.Option("--expect", help="What the answer is to be written in.")] = Expected.XML,
    quiet: QuietOption = False,
) -> None:
    """Ask a language model until its reply is the data, and print that.

    The key of the server is the environment's OPENAI_API_KEY. What was wrong with a reply, and was asked again, is
    told on standard error.

    Exit status: 0, or 1 where no reply was right, or 2 for a bad use of the command, or 3 where the server fails.
    """
    with _users_errors(model):
        asked = _response_of(model)
        text = _read(question) if question == STANDARD_INPUT else question
        told = Console(stderr=True)
        with ExitStack() as stack, _failures(told):
            complete = replay(replayed) if replayed else _server(stack, name, base_url)
            answer = ask_until_right(
                record(complete, recorded) if recorded else complete,
                text,
                asked,
                attempts=attempts,
                cache=None if cache is None else stack.enter_context(SqliteCache(cache)),
                format=expect.value,
                strict=strict,
                on_attempt=None if quiet else lambda attempt: _tell(told, attempt),
            )
    _print_instance(answer.response, form)
    if answer.response.problems:
        _tell_problems(told, answer.response.problems)
        raise typer.Exit(BAD_REPLY)


def _server(stack: ExitStack, name: str, base_url: str | None) -> Any:
    if not name:
        _fail("which language model? Name it: --model NAME")
    try:
        import openai
    except ModuleNotFoundError as error:
        raise MissingExtraError("openai", "openai") from error
    try:
        # A server of one's own wants no key, and the SDK wants one.
        key = os.environ.get("OPENAI_API_KEY") or (None if base_url is None else "none")
        client = stack.enter_context(openai.OpenAI(base_url=base_url, api_key=key))
    except openai.OpenAIError as error:
        _fail(str(error))
    return openai_chat(client, model=name)


@contextmanager
def _failures(told: Console) -> Iterator[None]:
    """What asking raises, in words."""
    try:
        yield
    except ReplyError as error:
        _tell_problems(told, error.problems)
        raise typer.Exit(BAD_REPLY if isinstance(error, AskError) else NO_SERVER) from None
    except (CacheError, MissingExtraError, RecordingError) as error:
        _fail(str(error))
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "openai":
            raise
        told.print(f"error: {type(error).__name__}: {error}", style="bold red", highlight=False, markup=False)
        raise typer.Exit(NO_SERVER) from None


def _tell_problems(told: Console, problems: Sequence[Problem]) -> None:
    """What is wrong in the end, without places: they are in one reply of several."""
    for problem in problems:
        line = Text.assemble((f"{problem.path}: ", "bold red"), problem.message.translate(CONTROLS))
        told.print(line, soft_wrap=True, highlight=False)


def _tell(told: Console, attempt: Attempt) -> None:
    if attempt.problems:
        told.print(str(attempt), style="dim", highlight=False, markup=False, soft_wrap=True)


@caches.command()
def stats(file: CacheArgument = None) -> None:
    """Say how much a cache holds, and for which classes."""
    with _opened(file) as cache:
        held = cache.stats()
    typer.echo(f"{held.path}: {held.entries:,} replies, {held.bytes:,} bytes of {held.max_bytes:,} at most")
    for namespace, count in held.namespaces.items():
        typer.echo(f"  {namespace}: {count:,}")


@caches.command("list")
def list_entries(
    file: CacheArgument = None,
    namespace: NamespaceOption = None,
    limit: Annotated[int, typer.Option(min=1, help="How many at most.")] = 50,
) -> None:
    """List the replies of a cache, those that were used last first."""
    with _opened(file) as cache:
        entries = cache.entries(namespace, limit)
    table = Table("key", "bytes", "made", "used", "expires", box=None, pad_edge=False)
    for entry in entries:
        table.add_row(*_row(entry))
    Console(soft_wrap=True, highlight=False).print(table)


@caches.command()
def clear(file: CacheArgument = None, namespace: NamespaceOption = None) -> None:
    """Remove all replies of a cache, or those for one class."""
    with _opened(file) as cache:
        typer.echo(f"{cache.clear(namespace):,} removed")


@contextmanager
def _opened(file: Path | None) -> Iterator[SqliteCache]:
    """A cache that is there: to look for one must not make it."""
    path = default_path() if file is None else file
    if not path.is_file():
        _fail(f"there is no cache {path}")
    try:
        with SqliteCache(path) as cache:
            cache.stats()
            yield cache
    except (CacheError, sqlite3.Error, OSError) as error:
        _fail(f"{path} cannot be used: {error}")


def _row(entry: Entry) -> tuple[str, str, str, str, str]:
    expires = "" if entry.expires is None else _time(entry.expires)
    return entry.key, f"{entry.size:,}", _time(entry.made), _time(entry.used), expires


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
