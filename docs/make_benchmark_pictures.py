"""Draws the figures of docs/benchmarks.md from the tables of docs/measurements.md, as bars.

python docs/make_benchmark_pictures.py
"""

import re
from dataclasses import dataclass
from html import escape
from pathlib import Path

DOCS = Path(__file__).parent
TABLES = DOCS / "measurements.md"

LABELS, BARS, NUMBERS = 320, 350, 130
"""Pixels across: the names, the longest bar, and the numbers behind it."""
ROW, BAR, TOP = 26, 16, 34
"""Pixels down: a row, its bar, and what is above the first."""
STYLE = """\
text { font: 13px ui-sans-serif, system-ui, sans-serif; fill: #57606a }
.own { font-weight: 600 }
.good { fill: #1f6feb }
.bad { fill: #cf222e }
.bar { fill: #8b949e }
.rest { fill: #8b949e; fill-opacity: .25 }
@media (prefers-color-scheme: dark) { text { fill: #9da7b1 } }"""

Rows = dict[str, list[str]]


@dataclass(frozen=True)
class Bar:
    """A row of a picture: its name, its parts as shares of the longest bar with their classes, and the text behind."""

    name: str
    parts: list[tuple[float, str]]
    text: str


def rows(first: str, after: str = "") -> Rows:
    """The rows of the first table behind a heading whose first column is called so, by their first cell."""
    page = TABLES.read_text("utf-8")
    page = page[page.index(f"\n{after}\n") :] if after else page
    lines = page[page.index(f"| {first} |") :].splitlines()
    table = [[cell.strip(" *`") for cell in line.strip("|").split("|")] for line in lines[: lines.index("")]]
    return {line[0]: line[1:] for line in (table[0], *table[2:])}


def number(text: str) -> float:
    """The number of a cell, without its unit."""
    return float(re.sub(r"[^\d.]", "", text))


def damage() -> str:
    """What each reader makes of damaged replies."""
    _, *readers = rows("read by").items()
    shares = {name: (number(exact) / 100, number(wrong) / 100) for name, (_, exact, wrong) in readers}
    bars = [
        Bar(name, [(exact, "good"), (1 - exact - wrong, "rest"), (wrong, "bad")], f"{exact:.1%}, {wrong:.1%}")
        for name, (exact, wrong) in sorted(shares.items(), key=lambda item: -item[1][0])
    ]
    return picture("Damaged replies: exactly right (blue), an error (grey), silently wrong (red)", bars)


def parsing() -> str:
    """The time of reading a clean reply of 1 kB, in multiples of lxml."""
    table = rows("answer", "### 1 kB")
    ratios = {"bare lxml, a tree of texts": 1.0}
    for name, text in zip(table["answer"], table["geometric mean"], strict=True):
        if text and name != "parse, to_basemodel":
            ratios[f"structured_response, {name}" if name.startswith("parse") else name] = number(text)
    return lengths("Time of reading a clean reply of 1 kB, bare lxml = 1", ratios, "{:.2f}")


def prompts() -> str:
    """The tokens of the form of an answer."""
    sizes = {name: number(cells[0]) for name, cells in rows("prompt, tokens").items() if cells[0][0].isdigit()}
    return lengths("Tokens of the form of an answer, WeatherPrognosis", sizes, "{:,.0f}")


def lengths(title: str, values: dict[str, float], form: str) -> str:
    """A bar for each value, the shortest first."""
    longest = max(values.values())
    bars = [
        Bar(name, [(value / longest, "good" if is_own(name) else "bar")], form.format(value))
        for name, value in sorted(values.items(), key=lambda item: item[1])
    ]
    return picture(title, bars)


def is_own(name: str) -> bool:
    """Whether a row is about this library."""
    return name.startswith(("structured_response", "to_prompt"))


def picture(title: str, bars: list[Bar]) -> str:
    """The bars below each other."""
    box = f"0 0 {LABELS + BARS + NUMBERS} {TOP + ROW * len(bars)}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{STYLE}\n</style>",
        f'<text x="{LABELS}" y="18">{escape(title)}</text>',
    ]
    for place, bar in enumerate(bars):
        y, x = TOP + ROW * place, float(LABELS)
        own = ' class="own"' * is_own(bar.name)
        lines.append(f'<text{own} x="{LABELS - 10}" y="{y + 13}" text-anchor="end">{escape(bar.name)}</text>')
        for share, kind in bar.parts:
            lines.append(f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{share * BARS:.1f}" height="{BAR}"/>')
            x += share * BARS
        lines.append(f'<text x="{x + 8:.1f}" y="{y + 13}">{bar.text}</text>')
    return "\n".join([*lines, "</svg>", ""])


PICTURES = {"damage.svg": damage, "parsing.svg": parsing, "prompts.svg": prompts}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (DOCS / name).write_text(draw(), "utf-8")
