"""Every file in every kind of damage: how many come back to the character, how many are wrong without a word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.report import Section, Target, table
from benchmarks.timing import FULL, Effort, progress
from benchmarks.verbatim import rule
from benchmarks.verbatim.files import EACH, File, candidates, read
from benchmarks.verbatim.hosts import DAMAGES, HOSTS, LAYOUTS, Case, build, question
from structured_response import ReplyError

ESCAPED = "entities and no markup"
SOON_READ = 2_500
"""Files of a kind."""

RIGHT, REFUSED, ON_RECORD, SILENT = OUTCOMES = ("to the character", "refused", "wrong, on record", "silently wrong")

INTRODUCTION = """\
Files of this machine (its standard library, installed packages, headers, documentation, licences, and this project's
own pages), up to 60 kB, are put **unescaped** into a `str` of a reply. Each is read once with every kind of damage; its
field and its layout take turns. A second program, which shares no code with the library, works out the right
value from the written rules: the file without the white space that is layout. The other fields must be right too.
"Refused" is a `ReplyError`, "on record" is a wrong value that a repair names, and the rest is silent. Files with the
field's own closing tag, and the few whose reading the rules leave open, are left out. Files with entities but no markup
have a row of their own: by the rules their author escaped, so their entities are decoded."""


@dataclass(frozen=True)
class Result:
    """One reply that was read."""

    kind: str
    host: str
    layout: str
    damage: str
    outcome: str


def measure(effort: Effort) -> Section:
    files, left_out = choose(EACH if effort.large >= FULL.large else EACH // 8)
    progress(f"verbatim: {len(files)} files")
    results = list(read_all(files))
    kinds = sorted(Counter(result.kind for result in results))
    blocks = [
        INTRODUCTION,
        f"{len(files)} files, {sum(len(file.text) for file in files):,} characters; {_named(left_out)}.",
        _table("kind of file", results, lambda result: result.kind, kinds),
        _table("field", results, lambda result: result.host, HOSTS),
        _table("how it is laid out", results, lambda result: result.layout, LAYOUTS),
        _table("damage around it", results, lambda result: result.damage, DAMAGES),
    ]
    silent = 100 * sum(result.outcome == SILENT for result in results) / len(results)
    return Section("Real files in strings", blocks, [Target("real files in strings, silently wrong, %", 0.0, silent)])


def choose(each: int) -> tuple[list[File], Counter[str]]:
    """So many files of every kind, from the small to the large ones, and why others were passed over."""
    left_out: Counter[str] = Counter()
    found = candidates()
    chosen = [file for kind, paths in found.items() for file in _spread(kind, paths, each, left_out)]
    return chosen + _escaped(found, each, {file.path for file in chosen}), left_out


def _escaped(found: dict[str, list[Path]], each: int, known: set[str]) -> list[File]:
    """Files with entities and no markup, which are rare: searched for among the kinds that are soon read through."""
    few = {kind: paths for kind, paths in found.items() if len(paths) <= SOON_READ}
    files = (read(path, kind) for kind, paths in few.items() for path in paths if str(path) not in known)
    return list(islice((file for file in files if file and _is_escaped(file) and not _question(file.text)), each))


def _is_escaped(file: File) -> bool:
    return rule.has_references(file.text) and not rule.has_markup(file.text)


def _spread(kind: str, paths: list[Path], each: int, left_out: Counter[str]) -> Iterator[File]:
    """One file of each of so many parts of the list: the first in it that can be used."""
    parts = min(each, len(paths))
    for part in range(parts):
        for path in paths[part * len(paths) // parts : (part + 1) * len(paths) // parts]:
            file = read(path, kind)
            reason = "no text" if file is None else _question(file.text)
            if file is not None and not reason:
                yield file
                break
            left_out[reason] += 1


def _question(text: str) -> str:
    """Why a file cannot be put into one of the hosts, if it cannot."""
    return next(filter(None, (question(host, text) for host in HOSTS.values())), "")


def read_all(files: Iterable[File]) -> Iterator[Result]:
    """Reads every file in every damage."""
    for file, host, layout, damage, case in cases(files):
        yield Result(ESCAPED if _is_escaped(file) else file.kind, host, layout, damage, outcome(case))


def cases(files: Iterable[File]) -> Iterator[tuple[File, str, str, str, Case]]:
    """Every file in every damage, with its host, layout and damage by name; hosts and layouts take turns."""
    turn = 0  # of hosts and layouts together; what is added has no divisor in common with their number
    hosts, layouts = list(HOSTS), list(LAYOUTS)
    for file in files:
        for damage in DAMAGES:
            host, layout = hosts[turn % len(hosts)], layouts[turn // len(hosts) % len(layouts)]
            turn += 1
            yield file, host, layout, damage, build(HOSTS[host], file.text, layout, DAMAGES[damage])
        turn += 2


def outcome(case: Case) -> str:
    """What became of a reply."""
    try:
        read = case.host.response.parse(case.reply)
    except ReplyError:
        return REFUSED
    wrong = set(differences(case.data, read.to_dict(), "$"))
    mended = {repair.path for repair in read.repairs if repair.before != repair.after}
    return RIGHT if not wrong else ON_RECORD if wrong <= mended else SILENT


def differences(first: Any, second: Any, path: str) -> Iterator[str]:
    """The paths at which two pieces of data differ."""
    if isinstance(first, dict) and isinstance(second, dict) and first.keys() == second.keys():
        for key in first:
            yield from differences(first[key], second[key], f"{path}.{key}")
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for index, pair in enumerate(zip(first, second, strict=True)):
            yield from differences(*pair, f"{path}[{index}]")
    elif type(first) is not type(second) or first != second:
        yield path


def _table(head: str, results: list[Result], of: Callable[[Result], str], names: Iterable[str]) -> str:
    rows = []
    for name in [*names, ""]:
        found = Counter(result.outcome for result in results if name in ("", of(result)))
        shares = [f"{100 * found[outcome] / found.total():.1f} %" if found else "-" for outcome in OUTCOMES]
        rows.append([name or "**all**", f"{found.total():,}", *shares])
    return table([head, "replies", *OUTCOMES], rows)


def _named(left_out: Counter[str]) -> str:
    counted = [f"{count} for {reason}" for reason, count in left_out.most_common()]
    return "left out: " + (", ".join(counted) or "none")
