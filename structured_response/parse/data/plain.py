"""JSON and YAML of a program's own -> plain data, to the letter: what a reply may get wrong is an error here."""

from __future__ import annotations

import json
from typing import Any

from ...definition import show_path
from ...errors import InstanceError
from ...findings import Problem, ProblemKind, line_and_column
from ..reading import LimitReachedError
from ..written import Members, Value
from .data import plain
from .yaml_text import NotYamlError, scan_yaml

__all__ = ["json_data", "yaml_data"]


def json_data(text: str) -> Any:
    """The data of a JSON text. Raises `InstanceError` with the place of what is wrong, repeated names too."""
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        raise InstanceError(f"this is no JSON: {error}") from error
    except (ValueError, RecursionError) as error:
        raise InstanceError(f"this JSON cannot be read: {error}") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _value in pairs]
        twice = next(name for name in made if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in an object")
    return made


def yaml_data(text: str) -> Any:
    """The data of a YAML text of one document. Only `true`, `false`, `null`, `~` and numbers are anything else than
    texts, and there are no anchors and no tags.

    Raises `InstanceError` with the place of what is wrong, and `MissingExtraError` without PyYAML.
    """
    try:
        documents = scan_yaml(text)
    except NotYamlError as error:
        raise _not_yaml(text, error.message, error.offset) from error
    except LimitReachedError as error:
        raise InstanceError(f"this YAML cannot be read: {error.problem.message}") from error
    if len(documents) != 1:
        raise InstanceError(f"one YAML document is wanted, and there are {len(documents)}")
    problems = _repeated(documents[0])
    if problems:
        raise InstanceError("a name stands twice in an object", problems)
    return plain(documents[0])


def _not_yaml(text: str, message: str, offset: int) -> InstanceError:
    line, column = line_and_column(text, min(offset, len(text)))
    return InstanceError(f"this is no YAML: {message} (line {line}, column {column})")


def _repeated(document: Value) -> list[Problem]:
    """The names that stand twice in an object."""
    problems: list[Problem] = []
    waiting: list[tuple[tuple[str | int, ...], Value]] = [((), document)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value.held, list):
            waiting += [((*path, index), item) for index, item in enumerate(value.held)]
        elif isinstance(value.held, Members):
            seen: set[str] = set()
            for key, member in value.held.pairs:
                below = (*path, str(key.held))
                if str(key.held) in seen:
                    problems.append(Problem(ProblemKind.INVALID, show_path(below), "stands twice"))
                seen.add(str(key.held))
                waiting.append((below, member))
    return problems
