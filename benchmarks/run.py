"""Run the benchmarks and write their page: `python benchmarks/run.py [--quick] [--only NAME ...]`.

The whole run rewrites docs/benchmarks.md; a quick or a partial one
prints to stdout and leaves the page alone.
"""

from __future__ import annotations

import argparse
import datetime as dt
from collections.abc import Callable
from pathlib import Path

from benchmarks import definitions, hostile, importing, parsing, serializing, verbatim, zoo
from benchmarks.cache import speed as cache
from benchmarks.report import Section, machine, targets_table
from benchmarks.robustness import run as robustness
from benchmarks.timing import FULL, QUICK, Effort

PAGE = Path(__file__).resolve().parent.parent / "docs" / "benchmarks.md"

SCRIPTS: dict[str, Callable[[Effort], Section]] = {
    "parsing": parsing.measure,
    "definitions": definitions.measure,
    "zoo": zoo.measure,
    "serializing": serializing.measure,
    "verbatim": verbatim.measure,
    "hostile": hostile.measure,
    "cache": cache.measure,
    "importing": importing.measure,
    "robustness": robustness.measure,
}

METHOD = """\
## How it is measured

Contenders take turns: in every round each of them runs for the same short while, and who begins changes
from round to round. A ratio is the median of the ratios of the single rounds, so what slows the machine
down for a moment slows both sides. Times are lower quartiles over the rounds, for orientation. The
collector of cycles is on and runs before each turn. Before anything is timed its result is compared with
the data; who reads something else is marked "wrong data", who gives up is marked with what it raises, and
neither has a mean. The data is the same on every run, but for the real files, which are those of the
machine. Benchmarks show what they show: wherever others are timed too the replies are clean, which is the
easy case for everyone."""

PEERS = """\
## What the peers do and don't do

* **lxml** is the bound: a tree of texts, neither typed nor validated, nothing tolerated around the root.
* **`model_validate_json`** reads other text, JSON, written by Pydantic itself without blanks. It needs no
  names of elements matched twice and no entities decoded.
* **xmltodict + pydantic** reads with expat, then validates with the same models. Lists need `force_list`
  and a postprocessor that knows our `<li>`; both are part of the time. It takes well-formed XML alone.
* **LangChain's `XMLOutputParser`** is timed without validation: it gives lists of dicts of one key each,
  which no model of these fits as they are. Its result counts as right when the texts come in the right
  order. It runs with `parser="xml"`, the standard library's; its default, defusedxml, does more checks.
  It finds a fence, but no XML in prose without one.
* **pydantic-xml** has models of its own, written once more for these benchmarks with `element` and
  `wrapped`; its result is typed and validated. It takes well-formed XML alone.
* None of these keeps a record of what it mended, since none of them mends anything.

Those that read damaged replies:

* **lxml with `recover=True`** always gives some tree, and does not say what it left out.
* **DSPy's `XMLAdapter`** is `xml.etree` on the reply inside a root of its own, so a stray `&` in the prose is
  enough for a refusal. It does not read a class's tag around a member of a union.
* **json_repair** mends the syntax and knows nothing of what was asked; Pydantic checks what comes out.
* **instructor** looks for the last complete JSON value in a reply and mends nothing.
* **BAML** reads by a schema of its own, here by `parse_llm_response` of its runtime with the models written in its
  language; what it gives is validated by Pydantic."""


def main() -> None:
    arguments = _arguments()
    names = arguments.only or list(SCRIPTS)
    effort = QUICK if arguments.quick else FULL
    platform = machine()
    page = _page([SCRIPTS[name](effort) for name in names], platform)
    if arguments.quick or arguments.only:
        print(page)
    else:
        PAGE.parent.mkdir(exist_ok=True)
        PAGE.write_text(page, encoding="utf-8")
        print(f"wrote {PAGE}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run the benchmarks and write docs/benchmarks.md.")
    parser.add_argument("--quick", action="store_true", help="few rounds; print, write nothing")
    parser.add_argument("--only", nargs="+", choices=list(SCRIPTS), help="some of them; print, write nothing")
    return parser.parse_args()


def _page(sections: list[Section], platform: str) -> str:
    targets = [target for section in sections for target in section.targets]
    today = dt.datetime.now(dt.UTC).date().isoformat()
    blocks = [
        "# Benchmarks",
        f"Written by `make bench` (`python benchmarks/run.py`) on {today}; do not edit by hand.",
        platform,
        "## Targets",
        "Ratios, each measured side by side in this run, and shares; the smaller the better.",
        targets_table(targets),
        *(section.markdown() for section in sections),
        METHOD,
        PEERS,
    ]
    return "\n\n".join(blocks) + "\n"


if __name__ == "__main__":
    main()
