"""Draws docs/streaming.svg: the time of reading a reply in pieces against its length, a line for each library.

The numbers are those of the last run of `python -m benchmarks.run --only streaming`.

    python docs/make_streaming_picture.py
"""

import json
import math
from html import escape
from pathlib import Path
from typing import Any

PICTURE = Path(__file__).with_name("streaming.svg")
MEASURED = PICTURE.parent.parent / "benchmarks" / "streaming" / "measured.json"

OWN = "structured_response"
WHOLE = ("parse", "search")
"""What reads the whole reply at once, and is not drawn."""

LEFT, TOP, WIDTH, HEIGHT, RIGHT, BOTTOM = 70, 30, 520, 400, 230, 50
"""Pixels: around the plot, and its size."""
SHORTEST, LONGEST = 3, 6
"""Characters, as powers of ten."""
LEAST, MOST = -4, 2
"""Seconds, as powers of ten."""
LINE = 15
"""Pixels between the names of two lines."""

COLOURS = ("#1f6feb", "#58a6ff", "#d29922", "#bf8700", "#8250df", "#1a7f37", "#57ab5a", "#cf222e", "#bf3989")
STYLE = """\
text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #57606a }
.grid { stroke: #8b949e; stroke-opacity: .25 }
.line { fill: none; stroke-width: 1.5 }
.own { stroke-width: 3 }
.cut { stroke-dasharray: 3 4 }
.lead { stroke-width: 1; stroke-opacity: .4 }
@media (prefers-color-scheme: dark) { text { fill: #9da7b1 } }"""

Point = tuple[float, float]


def picture(measured: list[dict[str, Any]]) -> str:
    """The picture as it has to be."""
    names = list(
        dict.fromkeys(row["name"] for row in measured if row["shape"] == "list" and not row["name"].startswith(WHOLE))
    )
    box = f"0 0 {LEFT + WIDTH + RIGHT} {TOP + HEIGHT + BOTTOM}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img">',
        "<title>Seconds of reading a reply in chunks of 4 characters, against its length</title>",
        f"<style>\n{STYLE}\n</style>",
        *_grid(),
    ]
    ends: list[tuple[Point, str, str]] = []
    for name, colour in zip(names, COLOURS, strict=True):
        rows = [row for row in measured if (row["name"], row["shape"]) == (name, "list")]
        points = [_place(row["length"], row["seconds"]) for row in rows if "seconds" in row]
        if not points:
            continue
        style = f'class="line{" own" * name.startswith(OWN)}" stroke="{colour}"'
        lines.append(f'<path {style} d="{_path(points)}"/>')
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
        cut = [row for row in rows if str(row.get("failed")).startswith("> ")]
        if cut:
            limit = _place(cut[0]["length"], float(cut[0]["failed"].split()[1]))
            lines.append(f'<path class="line cut" stroke="{colour}" d="{_path([points[-1], limit])}"/>')
            lines.append(f'<circle cx="{limit[0]:.1f}" cy="{limit[1]:.1f}" r="3" fill="none" stroke="{colour}"/>')
            points.append(limit)
        ends.append((points[-1], f"{name}{', cut off' if cut else ''}", colour))
    return "\n".join([*lines, *_names(ends), "</svg>", ""])


def _place(length: float, seconds: float) -> Point:
    across = (math.log10(length) - SHORTEST) / (LONGEST - SHORTEST)
    return LEFT + across * WIDTH, TOP + (MOST - math.log10(seconds)) / (MOST - LEAST) * HEIGHT


def _path(points: list[Point]) -> str:
    return " ".join(f"{'L' if number else 'M'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(points))


def _grid() -> list[str]:
    lines = []
    for power in range(SHORTEST, LONGEST + 1):
        x, _ = _place(10**power, 1)
        lines.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{TOP + HEIGHT}"/>')
        lines.append(f'<text x="{x:.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{10**power:,}</text>')
    for power in range(LEAST, MOST + 1):
        _, y = _place(10**SHORTEST, 10.0**power)
        lines.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10.0**power:g} s</text>')
    middle = LEFT + WIDTH / 2
    lines.append(f'<text x="{middle}" y="{TOP + HEIGHT + 38}" text-anchor="middle">characters of the reply</text>')
    return lines


def _names(ends: list[tuple[Point, str, str]]) -> list[str]:
    """The names of the lines beside the plot, in the order of their ends, so that none covers another."""
    lines, free = [], 0.0
    for (x, y), name, colour in sorted(ends, key=lambda end: end[0][1]):
        free = max(free + LINE, y)
        beside = LEFT + WIDTH + 24
        lines.append(f'<path class="line lead" stroke="{colour}" d="{_path([(x + 4, y), (beside - 4, free)])}"/>')
        lines.append(f'<text x="{beside}" y="{free + 4:.1f}">{escape(name)}</text>')
    return lines


if __name__ == "__main__":
    PICTURE.write_text(picture(json.loads(MEASURED.read_text("utf-8"))), "utf-8")
