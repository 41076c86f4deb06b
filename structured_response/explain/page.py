"""Readings as HTML: one page without scripts and external files, and the same as a part of a notebook.

Everything that comes from a reply is escaped, and a policy in the page forbids scripts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from typing import Any

from ..definition import show_path
from ..escaping import encodable
from ..findings import Problem, Repair
from .reading import MAX_SHOWN, Piece, Reading, pieces

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

_STYLE = """
.sr { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1a1a1a, #e8e8e8);
  background: light-dark(#fff, #161616); padding: 1rem; display: grid; gap: 1rem 2rem;
  grid-template-columns: minmax(0, 3fr) minmax(0, 2fr) }
.sr h1, .sr .wide { grid-column: 1 / -1 }
.sr h1 { font-size: 1.4rem; margin: 0 } .sr h2 { font-size: 1.1rem; margin: 0 0 .5rem }
.sr pre, .sr code { font: .9rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
.sr pre { margin: 0; white-space: pre-wrap; padding: .75rem;
  border: 1px solid light-dark(#bbb, #555); border-radius: 4px }
.sr ul { margin: 0; padding-left: 1.2rem; list-style: none } .sr > section > ul { padding: 0 }
.sr li { overflow-wrap: anywhere } .sr small { color: light-dark(#555, #aaa); font-size: .85rem }
.sr a { color: inherit; text-decoration: none } .sr li a { text-decoration: underline dotted }
.sr a:focus-visible, .sr summary:focus-visible, .sr [tabindex]:focus-visible, .sr :target {
  outline: 3px solid light-dark(#0550ae, #79c0ff) }
.sr .f0 { background: light-dark(#cfe8ff, #0b3a5e) } .sr .f1 { background: light-dark(#f6d9f2, #55204d) }
.sr .f2 { background: light-dark(#d2f0d2, #17451c) } .sr .f3 { background: light-dark(#fbecc0, #4f3d00) }
.sr .f4 { background: light-dark(#dedcfb, #322f70) } .sr .f5 { background: light-dark(#fddcd3, #5c2617) }
.sr u { text-decoration: underline 2px } .sr ins { font-style: italic; text-decoration: underline 2px dashed }
.sr .caret { color: light-dark(#b00020, #ff8a8a); font-weight: bold; text-decoration: none }
.sr table { border-collapse: collapse; width: 100% } .sr .scroll { overflow-x: auto }
.sr th, .sr td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0 }
.sr td { max-width: 24rem; overflow-wrap: break-word }
.sr tr + tr { border-top: 1px solid light-dark(#ddd, #333) }
@media (max-width: 44rem) { .sr { grid-template-columns: minmax(0, 1fr) } }
"""

STYLE = f":root {{ color-scheme: light dark }} body {{ margin: 0; background: light-dark(#fff, #161616) }}{_STYLE}"
"""The style of a page, which a policy may name by its hash."""

_COLORS = 6  # classes of `_STYLE` for the fields, in turn


def page(readings: Sequence[Reading]) -> str:
    """Returns a whole page."""
    title = readings[0].title if len(readings) == 1 else "How the answer was asked for"
    return _safe(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<main>{''.join(map(_report, readings))}</main>\n</body>\n</html>\n"
    )


def fragment(readings: Sequence[Reading]) -> str:
    """Returns a piece of another page, such as a notebook."""
    return _safe(f"<style>{_STYLE}</style>{''.join(map(_report, readings))}")


def _safe(written: str) -> str:
    return encodable(written).replace("\0", "\u2400")


def _report(reading: Reading) -> str:
    """Returns the reply beside the data, and the findings below. Places and values link to each other."""
    title, question = reading.title, reading.question
    key = sha256(repr((title, question, reading.reply)).encode("utf-8", "replace")).hexdigest()[:8]
    has_data = bool(reading.values)
    sections = [f'<h1 id="{key}">{escape(title)}</h1>']
    if question:
        sections.append(_section(key, "question", "The question", f'<pre tabindex="0">{escape(question)}</pre>', True))
    shown: set[int] = set()
    reply = f'<pre tabindex="0">{"".join(_reply(reading, key, shown))}</pre>'
    sections.append(_section(key, "reply", "The reply", reply, is_wide=not has_data))
    if has_data:
        sections.append(_section(key, "data", "The data", _tree(reading, key, shown)))
    return f'<div class="sr">{"".join([*sections, *_findings(reading, key)])}</div>'


def _section(key: str, name: str, title: str, content: str, is_wide: bool = False) -> str:
    css = ' class="wide"' if is_wide else ""
    return f'<section{css} aria-labelledby="{key} {key}-{name}"><h2 id="{key}-{name}">{title}</h2>{content}</section>'


# The reply


def _reply(reading: Reading, key: str, shown: set[int]) -> Iterator[str]:
    """Yields the pieces of the reply, and notes the numbers of the values that are shown."""
    values = {id(value): number for number, value in enumerate(reading.values)}
    problems = {id(problem): number for number, problem in enumerate(reading.problems, 1)}
    for piece in pieces(reading):
        for repair in piece.inserted:
            yield f'<ins title="{escape(repair.kind)}">{escape(repair.after)}</ins>'
        for problem in piece.problems:
            number = problems[id(problem)]
            yield f'<a class="caret" href="#{key}-p{number}" title="{escape(str(problem))}">^{number}</a>'
        if piece.value is None:
            yield _mended(piece)
            continue
        number = values[id(piece.value)]
        name = "" if number in shown else f' id="{key}-r{number}"'
        shown.add(number)
        marks = f'class="f{piece.value.field % _COLORS}" title="{escape(show_path(piece.value.path))}"'
        yield f"<span{name} {marks}>{_mended(piece)}</span>"


def _mended(piece: Piece) -> str:
    if not piece.repairs:
        return escape(piece.text)
    said = "; ".join(f"{each.kind}: {each.before!r} -> {each.after!r}" for each in piece.repairs)
    return f'<u title="{escape(said[:500])}">{escape(piece.text)}</u>'


# The data


def _tree(reading: Reading, key: str, shown: set[int]) -> str:
    made: list[str] = ["<ul>"]
    around: tuple[Any, ...] = ()
    for number, value in enumerate(reading.values):
        path = value.path[:-1]
        if path != around:
            pairs = enumerate(zip(around, path, strict=False))
            common = next((at for at, (one, other) in pairs if one != other), min(len(around), len(path)))
            made += ["</ul></details></li>"] * (len(around) - common)
            made += [f"<li><details open><summary>{escape(str(step))}</summary><ul>" for step in path[common:]]
            around = path
        name = escape(str(value.path[-1]) if value.path else "value")
        linked = f'<a href="#{key}-r{number}">{name}</a>' if number in shown else name
        text = f'<code class="f{value.field % _COLORS}">{escape(repr(value.value))}</code>'
        kind = escape(value.kind) if value.span else f"{escape(value.kind)}, not in the reply"
        made.append(f"<li>{linked}: {text} <small>{kind}</small></li>")
    return "".join([*made, *["</ul></details></li>"] * len(around), "</ul>"])


# The findings


def _findings(reading: Reading, key: str) -> Iterator[str]:
    problems = [
        (f'<span id="{key}-p{number}">{number}</span>', reading.place(each.span), *map(escape, _cells(each)))
        for number, each in enumerate(reading.problems, 1)
    ]
    repairs = [(reading.place(each.span), *map(escape, _cells(each))) for each in reading.repairs]
    other = [tuple(map(escape, row)) for row in reading.other]
    yield _table(key, "problems", "Problems", ("number", "line", "path", "kind", "message", "found"), problems)
    yield _table(key, "repairs", "Repairs", ("line", "path", "kind", "before", "after"), repairs)
    yield _table(key, "other", "The next best reading", ("path", "here", "there"), other)


def _cells(finding: Repair | Problem) -> tuple[str, ...]:
    if isinstance(finding, Repair):
        return finding.path, finding.kind, finding.before, finding.after
    return finding.path, finding.kind, finding.message, finding.found or ""


def _table(key: str, name: str, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows[:MAX_SHOWN])
    more = f"<p>And {len(rows) - MAX_SHOWN} more.</p>" if len(rows) > MAX_SHOWN else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
    scroll = f'<div class="scroll" tabindex="0" role="group" aria-labelledby="{key}-{name}">{table}</div>'
    return _section(key, name, title, scroll, is_wide=True)
