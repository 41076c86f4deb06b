"""Measures how exactly calls are read: python -m benchmarks.calls [--count 200] [--seed 1] [--show 2]."""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from structured_response.tools import Toolbox

from .damage import damages_of
from .data import TOOLS, call
from .shapes import ALONE, SHAPES, Write

BEFORE = (
    "",
    "I will do that now.\n",
    "Let me look at `a < b` first:\n\n",
    "<think>Which tool? <now></now> no.</think>\n",
)
BROKEN_OFF = ("cut off", "end missing", "bracket missing")
"""Kinds of damage after which the end of a call is missing. A problem is the right answer to most of them."""
BEHIND = ("", "\n", "\n\nThat is all I need.")

Reader = Callable[[str], "list[tuple[str, dict[str, Any] | None]]"]
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
    for _ in range(count):
        name, arguments = call(rng)
        reply = damages_of(shape)[kind](rng, shape, name, arguments)
        if reply is not None:
            yield Sample(reply, name, arguments)


def ours() -> Reader:
    toolbox = Toolbox(*TOOLS.values())

    def read(reply: str) -> list[tuple[str, dict[str, Any] | None]]:
        return [
            (call.name, None if call.problems else call.arguments.model_dump(exclude_unset=True))
            for call in toolbox.parse(reply)
        ]

    return read


_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def bare_json(reply: str) -> list[tuple[str, dict[str, Any] | None]]:
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


def bare_regex(reply: str) -> list[tuple[str, dict[str, Any] | None]]:
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


def judge(found: list[tuple[str, dict[str, Any] | None]], sample: Sample, shape: Write) -> str:
    """Returns "exact", "problem", "silent", or "another" for damage that made another well-formed call."""
    right = [(name, arguments) for name, arguments in found if arguments is not None]
    if found == right and right == [(sample.name, sample.arguments)]:
        return "exact"
    if not right:
        return "problem"
    is_another = len(right) == 1 and right[0][0] in TOOLS and shape(*right[0]) == sample.reply
    return "another" if is_another else "silent"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a shape")
    parser.add_argument("--show", type=int, default=0, help="how many failures are printed")
    given = parser.parse_args()
    readers: dict[str, Reader] = {"ours": ours(), "json.loads": bare_json, "regex": bare_regex}
    print("| shape | clean | json.loads | regex | damaged | broken off |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for title, shape in SHAPES.items():
        if given.only not in ("", title):
            continue
        samples = list(clean(title, given.count, given.seed))
        cells = [
            _counts(Counter(judge(read(each.reply), each, shape) for each in samples)) for read in readers.values()
        ]
        total, broken = Counter[str](), Counter[str]()
        for kind in damages_of(shape):
            verdicts = Counter[str]()
            for sample in damaged(title, kind, given.count, given.seed):
                verdict = judge(readers["ours"](sample.reply), sample, shape)
                verdicts[verdict] += 1
                if verdict in ("problem", "silent") and kind not in BROKEN_OFF and given.show > 0:
                    given.show -= 1
                    print(
                        title, kind, verdict, sample.reply, *map(repr, readers["ours"](sample.reply)), sample, sep="\n"
                    )
            (broken if kind in BROKEN_OFF else total).update(verdicts)
        print(f"| {title} | {' | '.join([*cells, _counts(total), _counts(broken)])} |")


def _counts(verdicts: Counter[str]) -> str:
    return ", ".join(str(verdicts[each]) for each in ("exact", "problem", "silent"))


if __name__ == "__main__":
    main()
