"""Times one contender on one reply in a process of its own, and prints what it found as JSON.

`python -m benchmarks.streaming.worker NAME SHAPE CHARACTERS STEP`, of this environment or that of the peers.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any

from pydantic import BaseModel

from benchmarks.streaming.contenders import CONTENDERS, WHOLE, Read, reply
from benchmarks.timing import Call

LEAST = 0.5
"""Seconds for which what is quick is repeated."""


def main() -> None:
    name, shape, characters, step = sys.argv[1:]
    contender = (CONTENDERS | WHOLE)[name]
    load, text = reply(shape, contender.form, int(characters))
    found: dict[str, Any] = {"length": len(text)}
    try:
        read = contender.prepare(load.model)
    except ImportError:
        print(json.dumps(found | {"failed": "not installed"}))
        return
    if contender.peer:
        found["version"] = version(contender.peer)
    _warm_up(read, shape, contender.form)
    gc.collect()
    gc.freeze()
    before = _memory("VmRSS")
    call = partial(read, text, int(step))
    start = process_time()
    value = call()
    seconds = process_time() - start
    found |= {"memory": _memory("VmHWM") - before, "is_right": _is_right(value, load.data)}
    del value
    found["seconds"] = _least(call, seconds)
    print(json.dumps(found), flush=True)
    os._exit(0)  # some leave threads behind


def _warm_up(read: Read, shape: str, form: str) -> None:
    read(reply(shape, form, 1_000)[1], 4)


def _least(call: Call, seconds: float) -> float:
    """The least seconds that a call keeps this process busy, the ones of the first call counted."""
    least = spent = seconds
    while spent < LEAST:
        start = process_time()
        call()
        seconds = process_time() - start
        least, spent = min(least, seconds), spent + seconds
    return least


def _memory(kind: str) -> int:
    """The kilobytes that this process has (VmRSS), or the most that it has had (VmHWM); 0 on systems without /proc."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{kind}:")), 0)


def _is_right(value: Any, data: Any) -> bool:
    """Whether the last snapshot has the data; of one that has only texts, whether it has these in order."""
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    return bool(plain == data) or list(_texts(plain)) == list(_texts(data))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


if __name__ == "__main__":
    main()
