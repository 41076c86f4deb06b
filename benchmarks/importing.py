"""What `import structured_response` costs, as whole processes."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial

from benchmarks.report import Section, Target, table, times
from benchmarks.timing import Effort, Race, once, progress

INTRODUCTION = """\
Whole processes of this Python, one after the other in turns, after one of each to warm the disk. The
bound is what the library cannot do without. Milliseconds."""

PROGRAMS = {
    "nothing": "pass",
    "bound": "from pydantic import BaseModel, TypeAdapter; import lxml.etree, orjson",
    "ours": "import structured_response",
}


def measure(effort: Effort) -> Section:
    progress("importing")
    samples: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for _ in range(1 + effort.processes):
        for name, program in PROGRAMS.items():
            samples[name].append(once(partial(_run, program)))
    run = Race({name: values[1:] for name, values in samples.items()})
    rows = [_row(name, run) for name in PROGRAMS]
    return Section(
        "Importing",
        [INTRODUCTION, table(("process", "least", "median", "median of the ratios to the bound"), rows)],
        [Target("`import structured_response` / its bound", 1.2, run.ratio("ours", "bound"))],
    )


def _run(program: str) -> None:
    # Compiled modules are kept, as they are for every user; some environments forbid it.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment, cwd=environment.get("READER"))


def _row(name: str, run: Race) -> list[str]:
    samples = sorted(run.samples[name])
    least, median = samples[0] * 1e3, samples[len(samples) // 2] * 1e3
    return [f"`{PROGRAMS[name]}`", f"{least:.1f}", f"{median:.1f}", times(run.ratio(name, "bound"))]
