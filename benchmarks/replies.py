"""Replies that language models really wrote, with the data they say, and what counts as reading one of them rightly.

A folder of them holds `reply_models.py`, with the models by name or in a table `MODELS`, and for each reply NAME.txt,
NAME.json and perhaps NAME.note.txt, which says what is open or cut off. The JSON is null where an error is right; what
it leaves out has its default, or a problem stands there.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path
from typing import Any

from benchmarks.robustness.corpus import Case
from benchmarks.robustness.damage.draft import MISSING, steps
from benchmarks.robustness.verdict import Reading, Verdict, covered, judge

Models = dict[str, Any]


@dataclass(frozen=True)
class RealReply:
    """A reply, its model, and the data that it says; None where it says none."""

    folder: str
    name: str
    model: Any
    reply: str
    expected: Any
    note: str

    def judge(self, reading: Reading) -> Verdict:
        """Exact: all data is right, and problems stand only where the JSON leaves something out. Silent: somewhere
        other data stands without a problem.
        """
        if self.expected is None:
            is_error = reading.refused or reading.problems != ()
            return Verdict(exact=is_error, silent=not is_error)
        open_paths = tuple(path for path in reading.problems if _at(self.expected, path) is MISSING)
        expected = _completed(self.expected, reading.data, "$", reading.problems)
        kind = "truncated" if "cut off" in self.note.lower() else "real"
        return judge(Case((kind,), self.name, self.reply, expected, maybe=open_paths), reading)


def real_replies(folders: Sequence[Path]) -> Iterator[RealReply]:
    """The replies of those folders that are there."""
    for folder in folders:
        models = _models(folder) if folder.is_dir() else {}
        for said in sorted(folder.glob("*.json")):
            note = said.with_suffix(".note.txt")
            yield RealReply(
                folder.name,
                said.stem,
                models[said.stem.rpartition("-")[0]],
                said.with_suffix(".txt").read_text(encoding="utf-8"),
                json.loads(said.read_text(encoding="utf-8")),
                note.read_text(encoding="utf-8") if note.exists() else "",
            )


def _models(folder: Path) -> Models:
    spec = importlib.util.spec_from_file_location(f"reply_models_{folder.name}", folder / "reply_models.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where Pydantic looks for what annotations name
    spec.loader.exec_module(module)
    found: Models = getattr(module, "MODELS", vars(module))
    return found


def _at(data: Any, path: str) -> Any:
    for step in steps(path):
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return MISSING
    return data


def _completed(expected: Any, got: Any, path: str, problems: Sequence[str]) -> Any:
    """The data with what it leaves out taken from what was read, where that is nothing or a problem stands there."""
    if isinstance(expected, dict) and isinstance(got, dict):
        more = {key: got[key] for key in got.keys() - expected.keys() if _is_open(got[key], f"{path}.{key}", problems)}
        return more | {
            key: _completed(value, got.get(key), f"{path}.{key}", problems) for key, value in expected.items()
        }
    if isinstance(expected, list) and isinstance(got, list):
        pairs = zip(expected, [*got, *[None] * len(expected)], strict=False)
        items = [_completed(*pair, f"{path}[{index}]", problems) for index, pair in enumerate(pairs)]
        rest = range(len(items), len(got))
        return items + [got[index] for index in rest if covered(f"{path}[{index}]", problems)]
    return got if _is_same_time(expected, got) else expected


def _is_same_time(one: Any, other: Any) -> bool:
    """Whether two texts are one time in two spellings: `09:30` and `09:30:00`, `...Z` and `...+00:00`."""
    for kind in (datetime, time):
        with suppress(TypeError, ValueError):
            return kind.fromisoformat(one) == kind.fromisoformat(other)
    return False


def _is_open(value: Any, path: str, problems: Sequence[str]) -> bool:
    return value in (None, [], {}, "") or covered(path, problems)
