"""The playground's answer to a long reply, against reading it in a program."""

from __future__ import annotations

import json
from functools import partial

from benchmarks.hostile import clean_reply
from benchmarks.report import Section, Target, table, times
from benchmarks.timing import Effort, progress, race
from tests.hostile import REVIEW
from tests.playground_server import playground

MODEL = "tests.corpus.models:Review"
SIZE = 100_000
LIBRARY = "`response.parse`, by the search"

INTRODUCTION = """\
A reply of {size:,} characters without one of its closing tags, and the same undamaged, are sent to the page's server.
It answers with the report: all of the reply and its data as HTML, {report:,} characters. The library reads the damaged
reply by the search, without a report. They are timed in turns. A request goes over the loopback and through the
process that reads."""


def measure(effort: Effort) -> Section:
    progress(f"playground: a reply of {SIZE:,} characters")
    clean = clean_reply(SIZE)
    damaged = clean.replace("</headline>", "", 1)
    with playground(MODEL) as server:
        report = len(server.ask("read", model=MODEL, reply=damaged)["report"])
        calls = {LIBRARY: partial(REVIEW.parse, damaged)} | {
            name: partial(server.request, "POST", "/read", json.dumps({"model": MODEL, "reply": reply}).encode())
            for name, reply in (("the server, damaged", damaged), ("the server, undamaged", clean))
        }
        timed = race(calls, effort.medium, effort.slice)
    ratios = {name: timed.ratio(name, LIBRARY) for name in calls}
    rows = [[name, f"{timed.seconds(name) * 1e3:,.0f}", times(ratio)] for name, ratio in ratios.items()]
    return Section(
        "The playground",
        [INTRODUCTION.format(size=len(damaged), report=report), table(["read by", "ms", "times the library"], rows)],
        [Target("the server's answer / reading by the search in the library", 3.0, max(ratios.values()))],
    )
