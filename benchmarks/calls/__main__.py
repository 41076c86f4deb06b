"""Measures how exactly calls are read: python -m benchmarks.calls [--count 200] [--seed 1] [--show 2] [--write].

SGLang's detectors are in the table if it is installed. `--write` puts the table into docs/measurements.md.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from structured_response.tools import Toolbox

from .damage import damages_of
from .data import TOOLS, call
from .shapes import ALONE, SHAPES, Write

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measurements.md"

BEFORE = (
    "",
    "I will do that now.\n",
    "Let me look at `a < b` first:\n\n",
    "<think>Which tool? <now></now> no.</think>\n",
)
BEHIND = ("", "\n", "\n\nThat is all I need.")

Reader = Callable[[str], "list[tuple[str, Any]]"]
"""Returns the calls of a reply: the name of the tool, and its arguments, or None if they have a problem."""


class Sample(NamedTuple):
    reply: str
    name: str
    arguments: dict[str, Any]


def clean(title: str, count: int, seed: int) -> Iterator[Sample]:
    rng = random.Random(seed)
    for _ in range(count):
        name, arguments = call(rng)
        reply = SHAPES[title](name, arguments)
        if title not in ALONE:
            reply = rng.choice(BEFORE) + reply + rng.choice(BEHIND)
        yield Sample(reply, name, arguments)


def damaged(title: str, kind: str, count: int, seed: int) -> Iterator[Sample]:
    shape, rng = SHAPES[title], random.Random(seed)
    damage = damages_of(shape)[kind]
    for _ in range(count):
        name, arguments = call(rng)
        reply = damage.make(rng, shape, name, arguments)
        if reply is not None:
            yield Sample(reply, name, arguments)


def ours() -> Reader:
    toolbox = Toolbox(*TOOLS.values())

    def read(reply: str) -> list[tuple[str, Any]]:
        return [
            (call.name, None if call.problems else call.arguments.model_dump(exclude_unset=True))
            for call in toolbox.parse(reply)
        ]

    return read


_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def bare_json(reply: str) -> list[tuple[str, Any]]:
    """The way of many programs: `json.loads` of what is between the first and the last brace."""
    found = _OBJECT.search(reply)
    try:
        data = json.loads(found[0] if found is not None else "")
        return [(data["name"], data.get("arguments", data.get("parameters")))]
    except (ValueError, KeyError, TypeError, AttributeError):
        return []


_NAMED = "|".join(TOOLS)
_CALL = re.compile(
    rf"<(?:call tool='|invoke name=\"|function=)?({_NAMED})['\"]?>(.*)</(?:call|invoke|function|\1)>", re.DOTALL
)
_ARGUMENT = re.compile(r"<(?:parameter(?: name=\"|=))?(\w+)\"?>\n?(.*?)\n?</(?:parameter|\1)>", re.DOTALL)


def bare_regex(reply: str) -> list[tuple[str, Any]]:
    """The other way of many programs: one regular expression for calls, and one for arguments."""
    found = next((match for match in _CALL.finditer(reply) if match[1] in TOOLS), None)
    if found is None:
        return []
    fields = TOOLS[found[1]].model_fields
    given = {key: _value(text, fields[key].annotation) for key, text in _ARGUMENT.findall(found[2]) if key in fields}
    return [(found[1], given)]


def _value(text: str, annotation: Any) -> Any:
    try:
        return text if annotation is str else json.loads(text)
    except ValueError:
        return text


def judge(read: Reader, sample: Sample, shape: Write) -> str:
    """Returns "exact", "problem", "silent", or "another" for damage that made another well-formed call."""
    right = [found for found in map(_validated, read(sample.reply)) if found is not None]
    if right == [(sample.name, sample.arguments)]:
        return "exact"
    if not right:
        return "problem"
    is_another = len(right) == 1 and _LINES.sub("\n", shape(*right[0])) == _LINES.sub("\n", sample.reply)
    return "another" if is_another else "silent"


_LINES = re.compile(r"\n+")


def _validated(found: tuple[str, Any]) -> tuple[str, Any] | None:
    """Returns a call as a program has it that validates the arguments, or None if these are not valid."""
    name, arguments = found
    try:
        return name, TOOLS[name].model_validate(arguments).model_dump(exclude_unset=True)
    except (KeyError, ValidationError):
        return None


COLUMNS = (
    *(("clean", name) for name in ("ours", "SGLang", "json.loads", "regex")),
    *((group, name) for group in ("damaged", "broken off") for name in ("ours", "SGLang")),
)
"""The groups of samples, each with who reads them. In one that is broken off, the end of the call is missing."""


def samples_of(title: str, count: int, seed: int) -> Iterator[tuple[str, str, Sample]]:
    """Yields the samples of a shape, each with its group and its kind of damage."""
    for sample in clean(title, count, seed):
        yield "clean", "", sample
    for kind, damage in damages_of(SHAPES[title]).items():
        for sample in damaged(title, kind, count, seed):
            yield "broken off" if damage.is_lossy else "damaged", kind, sample


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a shape")
    parser.add_argument("--show", type=int, default=0, help="how many failures are printed")
    parser.add_argument("--write", action="store_true", help="put the table into docs/measurements.md")
    given = parser.parse_args()
    peers = sglang_readers()
    own = ours()
    totals = Counter[tuple[str, str, str]]()
    table = [
        "|".join(["| shape ", *(f" {name}, {group} " for group, name in COLUMNS), ""]),
        "| --- |" + " ---: |" * len(COLUMNS),
    ]
    print(*table, sep="\n")
    for title in SHAPES if not given.only else [given.only]:
        readers = {"ours": own, "SGLang": peers.get(title), "json.loads": bare_json, "regex": bare_regex}
        counts = Counter[tuple[str, str, str]]()
        for group, kind, sample in samples_of(title, given.count, given.seed):
            for name in (name for where, name in COLUMNS if where == group):
                if (read := readers[name]) is not None:
                    verdict = judge(read, sample, SHAPES[title])
                    counts[group, name, verdict] += 1
                    is_wrong = verdict == "silent" or (verdict == "problem" and group != "broken off")
                    if name == "ours" and is_wrong and given.show > 0:
                        given.show -= 1
                        print(title, kind, verdict, sample.reply, *map(repr, read(sample.reply)), sample, sep="\n")
        totals += counts
        table.append(_row(title, counts))
        print(table[-1], flush=True)
    table.append(_row("all", totals))
    print(table[-1])
    if given.write:
        page = PAGE.read_text("utf-8")
        start = page.index("| shape |", page.index("## Calls of tools"))
        PAGE.write_text(page[:start] + "\n".join(table) + page[page.index("\n\n", start) :], "utf-8")


def sglang_readers() -> Mapping[str, Reader]:
    """Returns the readers of SGLang for the shapes that it has; none if it is not installed."""
    if find_spec("sglang") is None:
        return {}
    from .sglang_detectors import READERS, VERSION

    print(f"SGLang {VERSION}\n")
    return READERS


def _row(title: str, counts: Counter[tuple[str, str, str]]) -> str:
    cells = [", ".join(str(counts[group, name, each]) for each in VERDICTS) for group, name in COLUMNS]
    return f"| {title} |{''.join(' |' if cell == '0, 0, 0' else f' {cell} |' for cell in cells)}"


VERDICTS = ("exact", "problem", "silent")


if __name__ == "__main__":
    main()
