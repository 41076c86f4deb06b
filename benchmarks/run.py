"""Runs the benchmarks and writes their page: `python -m benchmarks.run [--quick] [--only NAME ...]`.

Each benchmark is a section of docs/measurements.md, which is replaced when it is measured. What else is on the page is
written by hand. A quick run prints and writes nothing.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import re
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from benchmarks import definitions, hostile, importing, parsing, playground, reading, serializing, verbatim, zoo
from benchmarks.cache import speed as cache
from benchmarks.report import Section, machine
from benchmarks.robustness import run as robustness
from benchmarks.streaming import measure as streaming
from benchmarks.timing import FULL, QUICK, Effort, progress

PAGE = Path(__file__).resolve().parent.parent / "docs" / "measurements.md"

SCRIPTS: dict[str, Callable[[Effort], Section]] = {
    "reading": reading.measure,
    "robustness": robustness.measure,
    "verbatim": verbatim.measure,
    "streaming": streaming.measure,
    "hostile": hostile.measure,
    "parsing": parsing.measure,
    "definitions": definitions.measure,
    "zoo": zoo.measure,
    "serializing": serializing.measure,
    "cache": cache.measure,
    "playground": playground.measure,
    "importing": importing.measure,
}

MACHINE = "<!-- machine -->"


def main() -> None:
    arguments = _arguments()
    for name in arguments.only:
        load, start = os.getloadavg()[0], perf_counter()
        section = SCRIPTS[name](QUICK if arguments.quick else FULL)
        progress(f"{name}: {perf_counter() - start:.0f} s")
        today = dt.datetime.now(dt.UTC).date().isoformat()
        command = f"python -m benchmarks.run --only {name}"
        made = section.markdown(f"`{command}`, {today}, load average at the beginning {load:.1f}.")
        if arguments.quick:
            print(made)
        else:
            PAGE.write_text(_with(PAGE.read_text("utf-8"), section.title, made), "utf-8")


def _with(page: str, title: str, made: str) -> str:
    """The page with a section replaced, or added at its end, and with this machine."""
    page = re.sub(f"{MACHINE}.*?{MACHINE}", lambda _: f"{MACHINE}\n{machine()}\n{MACHINE}", page, flags=re.DOTALL)
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    places = [number for number, part in enumerate(parts) if part.startswith(f"## {title}\n")]
    if places:
        parts[places[0]] = f"{made}\n\n"
    else:
        parts[-1] = f"{parts[-1].rstrip()}\n\n"
        parts.append(f"{made}\n\n")
    return f"{''.join(parts).rstrip()}\n"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run the benchmarks and write docs/measurements.md.")
    parser.add_argument("--quick", action="store_true", help="few rounds; print, write nothing")
    parser.add_argument("--only", nargs="+", choices=list(SCRIPTS), default=list(SCRIPTS), help="some sections")
    return parser.parse_args()


if __name__ == "__main__":
    main()
