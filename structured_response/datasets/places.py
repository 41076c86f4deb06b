"""Finds the place in data that an error of Pydantic's is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..definition.names import Path

__all__ = ["place_of"]

_KEY = "[key]"  # Pydantic's mark of a key, as opposed to its value


def place_of(detail: Any, data: Any) -> Path:
    """Returns the path of an error in the data that was validated.

    Pydantic's location also names the option of each union on the way, by its tag or its type. These names are not in
    the data, so the path consists of the steps of the location that lead to the error's input. If none do, since a
    validator replaced the data, the location is returned.
    """
    loc: Path = detail["loc"]
    if loc[-1:] == (_KEY,):
        steps, last = loc[:-1], loc[:0]
        path = _way(data, steps, lambda path, _value: path[-1:] == steps[-1:])
    else:
        steps, last = (loc[:-1], loc[-1:]) if detail["type"] == "missing" else (loc, loc[:0])
        path = _way(data, steps, lambda _path, value: _is_same(value, detail["input"]))
    return loc if path is None else path + last


def _way(data: Any, steps: Path, is_end: Callable[[Path, Any], bool]) -> Path | None:
    """Returns the steps that lead from data to an end, without the others. Of several ways, the one with the longest
    unbroken beginning wins. Linear in steps if there is one at once, else in steps times values.
    """
    waiting: list[tuple[int, Any, Path]] = [(0, data, ())]
    seen: set[tuple[int, int]] = set()
    while waiting:
        index, value, path = waiting.pop()
        if (index, id(value)) in seen:
            continue
        seen.add((index, id(value)))
        if index < len(steps):
            waiting.append((index + 1, value, path))
            waiting += [(index + 1, inner, (*path, steps[index])) for inner in _inner(value, steps[index])]
        elif is_end(path, value):
            return path
    return None


def _inner(value: Any, step: str | int) -> list[Any]:
    """Returns the value at a step, if any."""
    if isinstance(value, dict):
        return [value[step]] if step in value else []
    is_index = isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)
    return [value[step]] if is_index else []


def _is_same(value: Any, given: Any) -> bool:
    """Returns whether two values are identical or equal. Comparing arrays of numpy gives arrays."""
    return value is given or (type(value) is type(given) and (value == given) is True)
