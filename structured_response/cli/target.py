"""What a command is to ask for: `package.module:Name`, which may be any type, or the file of a JSON Schema."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import traceback
from collections.abc import Iterator
from functools import reduce
from itertools import islice
from pathlib import Path
from types import GenericAlias, ModuleType, UnionType
from typing import Any, get_origin

import typer

from ..errors import DefinitionError
from ..response import StructuredResponse
from .terminal import fail

__all__ = ["STANDARD_INPUT", "chain", "read", "response_of", "users_errors"]

STANDARD_INPUT = "-"
LONGEST_CHAIN = 5  # exceptions of a chain of causes that are named


def response_of(target: str) -> StructuredResponse[Any]:
    """The response that asks for a target."""
    try:
        if target.endswith(".json"):
            return StructuredResponse.from_json_schema(json.loads(read(target)))
        return StructuredResponse.from_type(_type(target))
    except DefinitionError as error:
        fail(str(error))
    except (json.JSONDecodeError, RecursionError) as error:
        fail(f"{target} is no JSON: {error}")


def _type(target: str) -> object:
    name, _, path = target.partition(":")
    if "/" in name or name.endswith(".py") or not all(name.split(".")) or not all(path.split(".")):
        fail(f"{target!r} is not the name of a type; write package.module:Name, or the file of a JSON Schema, x.json")
    module = _import(name)
    try:
        found: Any = reduce(getattr, path.split("."), module)
    except AttributeError:
        fail(f"{name} has no {path!r}; the types in it: {', '.join(_types_in(module)) or 'none'}")
    if not isinstance(found, type | GenericAlias | UnionType) and not type(found).__module__.startswith("typing"):
        fail(f"{target} is not a type but of type {type(found).__name__}")
    return found


def _types_in(module: ModuleType) -> list[str]:
    """The classes of a module's own package, and the aliases."""
    own = module.__name__.partition(".")[0]
    return sorted(
        name
        for name, value in vars(module).items()
        if get_origin(value) or (isinstance(value, type) and value.__module__.partition(".")[0] == own)
    )


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
            fail(f"there is no module {error.name!r}, neither in {here} nor installed")
        fail(f"{name} cannot be imported: {chain(error)}{_place(error)}")


@contextlib.contextmanager
def users_errors(target: str) -> Iterator[None]:
    """An error from the user's own code, such as a validator, in one line. Ours keep their traceback."""
    try:
        yield
    except Exception as error:
        place = _place(error)
        if not place:
            raise
        fail(f"{target} cannot be used: {chain(error)}{place}")


def chain(error: BaseException) -> str:
    """An exception with its causes."""
    links = (f"{type(link).__name__}: {link}" for link in islice(_links(error), LONGEST_CHAIN))
    return ", caused by ".join(dict.fromkeys(links))  # SDKs wrap an exception into one that says the same


def _links(error: BaseException | None) -> Iterator[BaseException]:
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


def read(file: str) -> str:
    """The text of a file, or of standard input."""
    if file == STANDARD_INPUT and sys.stdin.isatty():
        typer.echo("The text, please, and then Ctrl-D:", err=True)
    try:
        content = sys.stdin.buffer.read() if file == STANDARD_INPUT else Path(file).read_bytes()
        return content.decode("utf-8")
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        fail(f"{file} is not UTF-8: byte 0x{error.object[error.start]:02x} at offset {error.start}")
