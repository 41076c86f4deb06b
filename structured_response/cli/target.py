"""The argument MODEL: `package.module:Name`, which may be any type, or the file of a JSON Schema."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
import traceback
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from types import GenericAlias, ModuleType, UnionType
from typing import Annotated, Any, get_origin

import typer

from ..errors import CacheError, DatasetError, DefinitionError, MissingExtraError, RecordingError
from ..response import StructuredResponse
from .terminal import BAD_DATA, fail, tell

__all__ = ["STANDARD_INPUT", "ModelArgument", "chain", "failures", "read", "response_of"]

STANDARD_INPUT = "-"
LONGEST_CHAIN = 5  # exceptions of a chain of causes that are named

ModelArgument = Annotated[
    str,
    typer.Argument(help="A type (package.module:Name) or a JSON Schema file (x.json).", show_default=False),
]


def response_of(target: str) -> StructuredResponse[Any]:
    """The response that asks for a target."""
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
def failures(target: str = "") -> Iterator[None]:
    """Tells exceptions that are the user's affair in a line each. All others are ours and keep their traceback."""
    try:
        yield
    except DatasetError as error:
        for fault in error.faults:
            tell(" ".join(str(fault).split()))
        raise typer.Exit(BAD_DATA) from None
    except (CacheError, DefinitionError, MissingExtraError, RecordingError) as error:
        fail(str(error))
    except Exception as error:
        place = _place(error)
        if not place:
            raise
        fail(f"{target} cannot be used: {chain(error)}{place}")


def chain(error: BaseException) -> str:
    """An exception with its causes."""
    links: list[str] = []
    link: BaseException | None = error
    while link is not None and len(links) < LONGEST_CHAIN:
        links.append(f"{type(link).__name__}: {link}")
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    return ", caused by ".join(dict.fromkeys(links))  # SDKs wrap an exception into one that says the same


def _place(error: BaseException) -> str:
    """The last frame in the user's own files, which are below the current directory, if any."""
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
