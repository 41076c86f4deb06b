"""Reading a clean reply, against bare lxml and against what else could read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.contenders import (
    BARE,
    FENCED,
    FITTING,
    LANGCHAIN_FENCED,
    LOOKED_AT,
    LXML,
    OURS,
    OURS_FENCED,
    PYDANTIC_JSON,
    Contender,
    verdict,
)
from benchmarks.models import SHAPES, UNLIKE, Shape
from benchmarks.report import Section, Target, micros, table, times
from benchmarks.timing import Call, Effort, Race, geometric_mean, progress, race
from benchmarks.workload import LARGE, MEDIUM, SMALL, Workload, build

INTRODUCTION = """\
The reply is `str(response)` of an instance: one root, the fields in order, nothing damaged.
`parse` includes locating, reading and validation by the model. `instance`, typed data in a Box, is made
when it is first looked at (where the model alone can judge the texts, typing waits until then too), so
reading a field of it is a column of its own, as is `to_basemodel()`, the model that `parse` validated.
All columns after the times are ratios to bare `lxml.etree.fromstring` of the same XML; lxml gives a tree
of texts, nothing in it is typed or checked. `model_validate_json` reads the same data from JSON."""

FENCED_NOTE = """\
The same replies behind a sentence of prose and inside a ` ```xml ` fence. Bare lxml still gets the XML
alone. lxml, xmltodict and pydantic-xml raise on such a reply."""

FITTING_NOTE = """\
Well-formed replies that the shortcut does not read, so that the strict reader does: {answers}."""

LINEAR_NOTE = """\
Nanoseconds per character of the reply at 10 kB and at 1 MB, measured in the same rounds, beside the growth of bare lxml
and of `model_validate_json`. Part of it is the machine's memory and the garbage collector, which is on and visits each
of the model's objects several times. `parse` makes the same objects with the same Pydantic."""


@dataclass(frozen=True)
class Result:
    """One race over one reply; `faults` holds what is wrong with a contender's result, by name."""

    load: Workload
    race: Race
    faults: dict[str, str]

    def ratio(self, contender: Contender, base: Contender = LXML) -> float:
        return self.race.ratio(contender.name, base.name)

    def cell(self, contender: Contender) -> str:
        """The ratio to bare lxml, with what is wrong behind it."""
        fault = self.faults.get(contender.name, "")
        if fault.startswith("raises"):
            return fault
        return f"{times(self.ratio(contender))} ({fault})" if fault else times(self.ratio(contender))


def measure(effort: Effort) -> Section:
    section = Section("Parsing a clean reply", [INTRODUCTION, _answers()])
    sizes = (("1 kB", SMALL, effort.small), ("10 kB", MEDIUM, effort.medium), ("1 MB", LARGE, effort.large))
    for label, characters, rounds in sizes:
        results = [_compete(shape, characters, BARE, rounds, effort) for shape in SHAPES]
        section.blocks += [f"### {label}", _bare_table(results)]
        if characters == SMALL:
            section.targets += _targets(results)
    section.blocks += ["### 1 kB, in prose and a fence", FENCED_NOTE, _fenced_table(effort)]
    fitting = [_compete(shape, SMALL, FITTING, effort.small, effort) for shape in UNLIKE]
    answers = "; ".join(f"{shape.name}: {shape.about}" for shape in UNLIKE)
    section.blocks += ["### 1 kB, out of order, recursive, with unions", FITTING_NOTE.format(answers=answers)]
    section.blocks.append(_bare_table(fitting, FITTING))
    worst = max(fitting, key=lambda result: result.ratio(OURS))
    section.targets.append(
        Target(
            f"`parse` of what only the strict reader reads / bare lxml, worst ({worst.load.shape.name})",
            4.0,
            worst.ratio(OURS),
        )
    )
    growth = [_growth(shape, effort) for shape in SHAPES]
    section.blocks += ["### Time per character", LINEAR_NOTE, _growth_table(growth)]
    section.targets += _growth_targets(growth)
    return section


def _answers() -> str:
    return "\n".join(f"* {shape.name}: {shape.about}" for shape in SHAPES)


def _compete(shape: Shape, characters: int, contenders: Sequence[Contender], rounds: int, effort: Effort) -> Result:
    progress(f"parsing: {shape.name}, {characters:,} characters")
    load = build(shape, characters)
    faults = {contender.name: verdict(contender, load) for contender in contenders}
    calls = {
        contender.name: contender.prepare(load)
        for contender in contenders
        if not faults[contender.name].startswith("raises")
    }
    return Result(load, race(calls, rounds, effort.slice), faults)


def _bare_table(results: list[Result], contenders: Sequence[Contender] = BARE) -> str:
    columns = [contender for contender in contenders if contender is not LXML]
    head = ["answer", "characters", "parse, us", "lxml, us", *(each.name for each in columns)]
    rows = [[*_row_start(result), *(result.cell(each) for each in columns)] for result in results]
    means = [_mean(results, each) for each in columns]
    return table(head, [*rows, ["**geometric mean**", "", "", "", *means]])


def _row_start(result: Result) -> list[str]:
    ours, bound = (result.race.seconds(contender.name) for contender in (OURS, LXML))
    return [result.load.shape.name, f"{len(result.load.xml):,}", micros(ours), micros(bound)]


def _mean(results: list[Result], contender: Contender) -> str:
    """The mean over the answers; only for those who read all of them rightly."""
    if any(result.faults[contender.name] for result in results):
        return "-"
    return f"**{times(geometric_mean(result.ratio(contender) for result in results))}**"


def _targets(results: list[Result]) -> list[Target]:
    def mean(contender: Contender, base: Contender) -> float:
        return geometric_mean(result.ratio(contender, base) for result in results)

    return [
        Target("`parse` of 1 kB / bare lxml", 2.0, mean(OURS, LXML)),
        Target("`parse` of 1 kB / `model_validate_json`", 3.5, mean(OURS, PYDANTIC_JSON)),
        Target("`parse` of 1 kB with `instance` read / bare lxml", 3.0, mean(LOOKED_AT, LXML)),
    ]


def _fenced_table(effort: Effort) -> str:
    results = [_compete(shape, SMALL, FENCED, effort.small, effort) for shape in SHAPES]
    head = ["answer", "parse, fenced / lxml", "parse, fenced / parse, bare", "LangChain, fenced / lxml"]
    rows = [
        [
            result.load.shape.name,
            result.cell(OURS_FENCED),
            times(result.ratio(OURS_FENCED, OURS)),
            result.cell(LANGCHAIN_FENCED),
        ]
        for result in results
    ]
    return table(head, rows)


@dataclass(frozen=True)
class Growth:
    """Seconds per character at two sizes of one shape, and the ratio of the large to the medium one."""

    shape: Shape
    medium: float
    large: float
    ratio: float
    lxml_ratio: float
    pydantic_ratio: float


def _growth(shape: Shape, effort: Effort) -> Growth:
    progress(f"parsing: time per character, {shape.name}")
    loads = {"medium": build(shape, MEDIUM), "large": build(shape, LARGE)}
    scale = len(loads["medium"].xml) / len(loads["large"].xml)
    calls: dict[str, Call] = {}
    for size, load in loads.items():
        calls[size] = OURS.prepare(load)
        calls[f"lxml {size}"] = LXML.prepare(load)
        calls[f"Pydantic {size}"] = PYDANTIC_JSON.prepare(load)
    run = race(calls, effort.large * 2, effort.slice * 10)
    return Growth(
        shape,
        medium=run.seconds("medium") / len(loads["medium"].xml),
        large=run.seconds("large") / len(loads["large"].xml),
        ratio=run.ratio("large", "medium") * scale,
        lxml_ratio=run.ratio("lxml large", "lxml medium") * scale,
        pydantic_ratio=run.ratio("Pydantic large", "Pydantic medium") * scale,
    )


def _growth_table(growth: list[Growth]) -> str:
    head = ["answer", "10 kB, ns", "1 MB, ns", "parse: 1 MB / 10 kB", "lxml: 1 MB / 10 kB", "Pydantic: 1 MB / 10 kB"]
    rows = [
        [
            each.shape.name,
            f"{each.medium * 1e9:.1f}",
            f"{each.large * 1e9:.1f}",
            times(each.ratio),
            times(each.lxml_ratio),
            times(each.pydantic_ratio),
        ]
        for each in growth
    ]
    return table(head, rows)


def _growth_targets(growth: list[Growth]) -> list[Target]:
    worst = max(growth, key=lambda each: each.ratio)
    return [
        Target("time per character, 1 MB / 10 kB, mean", 1.2, geometric_mean(each.ratio for each in growth)),
        Target(f"time per character, 1 MB / 10 kB, worst ({worst.shape.name})", 1.2, worst.ratio),
    ]
