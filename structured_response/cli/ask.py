"""The commands that call a language model, and those that look after a cache of replies."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from ..asking import Attempt
from ..asking import ask as ask_until_right
from ..cache import SqliteCache
from ..cache.sqlite import Entry, default_path
from ..clients import openai_chat, record, replay
from ..errors import AskError, CacheError, MissingExtraError, RecordingError, ReplyError
from .arguments import Expected, Format, FormatOption, ModelArgument, StrictOption, print_instance
from .report import tell_problem
from .target import STANDARD_INPUT, chain, read, response_of, users_errors
from .terminal import BAD_DATA, NO_SERVER, fail, tell

__all__ = ["ask", "caches"]

caches = typer.Typer(no_args_is_help=True, help="Inspect or clear a cache of replies.")

CacheArgument = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="The cache file. Default: the one in your cache folder.")
]
NamespaceOption = Annotated[str | None, typer.Option("--namespace", "-n", help="Only the replies for this class.")]


def ask(  # noqa: PLR0913 - one parameter for each option
    model: ModelArgument,
    question: Annotated[str, typer.Argument(help="The question; - is standard input.", show_default=False)],
    *,
    name: Annotated[str, typer.Option("--model", "-m", help="The language model's name.")] = "",
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
    form: FormatOption = Format.JSON,
    strict: StrictOption = True,
    expect: Annotated[Expected, typer.Option(help="The format of the answer.")] = Expected.XML,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not report repeated questions.")] = False,
) -> None:
    """Ask a language model until its reply is valid, and print the data.

    The API key comes from the environment variable OPENAI_API_KEY. Problems that lead to another question are reported
    on standard error.

    Exit status: 0, 1 if no reply was valid, 2 for a usage error, or 3 if the server fails.
    """
    with users_errors(model), ExitStack() as stack, _failures():
        asked = response_of(model)
        text = read(question) if question == STANDARD_INPUT else question
        messages = [{"role": "system", "content": system}] if system else []
        params = {} if temperature is None else {"temperature": temperature}
        complete = replay(replayed) if replayed else _server(stack, name, base_url, params)
        answer = ask_until_right(
            record(complete, recorded) if recorded else complete,
            [*messages, {"role": "user", "content": text}],
            asked,
            attempts=attempts,
            cache=None if cache is None else stack.enter_context(SqliteCache(cache)),
            format=expect.value,
            strict=strict,
            on_attempt=None if quiet else _tell_attempt,
        )
    print_instance(answer.response, form)
    for problem in answer.response.problems:
        tell_problem(problem)
    if answer.response.problems:
        raise typer.Exit(BAD_DATA)


def _server(stack: ExitStack, name: str, base_url: str | None, params: dict[str, Any]) -> Any:
    """What calls the language model. An exception of the server ends the command and names the server."""
    if not name:
        fail("which language model? Name it: --model NAME")
    try:
        import openai
    except ModuleNotFoundError as error:
        raise MissingExtraError("openai", "openai") from error
    try:
        # A server of one's own wants no key, and the SDK wants one.
        key = os.environ.get("OPENAI_API_KEY") or (None if base_url is None else "none")
        client = stack.enter_context(openai.OpenAI(base_url=base_url, api_key=key))
    except Exception as error:  # noqa: BLE001 - the SDK's own, or those of its HTTP library
        fail(str(error))
    stack.enter_context(_server_failures(str(client.base_url), openai.OpenAIError))
    return openai_chat(client, model=name, **params)


@contextmanager
def _server_failures(url: str, failures: type[Exception]) -> Iterator[None]:
    try:
        yield
    except failures as error:
        fail(f"the server at {url} fails: {chain(error)}", NO_SERVER)


@contextmanager
def _failures() -> Iterator[None]:
    """What asking raises, in words."""
    try:
        yield
    except ReplyError as error:
        for problem in error.problems:  # without places: they are in one reply of several
            tell_problem(problem)
        raise typer.Exit(BAD_DATA if isinstance(error, AskError) else NO_SERVER) from None
    except (CacheError, MissingExtraError, RecordingError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename} cannot be written: {error.strerror}")


def _tell_attempt(attempt: Attempt) -> None:
    if attempt.problems:
        tell(str(attempt), style="dim")


@caches.command()
def stats(file: CacheArgument = None) -> None:
    """Print the size of a cache, and its replies per class."""
    with _opened(file) as cache:
        held = cache.stats()
    typer.echo(f"{held.path}: {held.entries:,} replies, {held.bytes:,} bytes of {held.max_bytes:,} at most")
    for namespace, count in held.namespaces.items():
        typer.echo(f"  {namespace}: {count:,}")


@caches.command("list")
def list_entries(
    file: CacheArgument = None,
    namespace: NamespaceOption = None,
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of replies.")] = 50,
) -> None:
    """List the replies in a cache, the most recently used first."""
    with _opened(file) as cache:
        entries = cache.entries(namespace, limit)
    table = Table("key", "bytes", "made", "used", "expires", box=None, pad_edge=False)
    for entry in entries:
        table.add_row(*_row(entry))
    Console(soft_wrap=True, highlight=False).print(table)


@caches.command()
def clear(
    file: CacheArgument = None,
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
def _opened(file: Path | None) -> Iterator[SqliteCache]:
    """A cache that is there: to look for one must not make it."""
    path = default_path() if file is None else file
    if not path.is_file():
        fail(f"there is no cache {path}")
    try:
        with SqliteCache(path) as cache:
            cache.stats()
            yield cache
    except (CacheError, sqlite3.Error, OSError) as error:
        fail(f"{path} cannot be used: {error}")


def _row(entry: Entry) -> tuple[str, str, str, str, str]:
    expires = "" if entry.expires is None else _time(entry.expires)
    return entry.key, f"{entry.size:,}", _time(entry.made), _time(entry.used), expires


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
