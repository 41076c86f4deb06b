"""Draws docs/search.svg: a real search, tokens from left to right, the price of each reading as its height.

The places that the search looked at are dots; the readings that it never had to follow to their ends are dashed.

    python docs/make_search_picture.py
"""

from html import escape
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from structured_response.definition import shared_plan
from structured_response.explain.why import readings
from structured_response.options import ParseOptions
from structured_response.read.grammar import grammar_of
from structured_response.read.prices import PRICES
from structured_response.read.reader import read_carefully
from structured_response.read.scan import END, Scan
from structured_response.read.search import Search

PICTURE = Path(__file__).with_name("search.svg")

REPLY = """\
<review>
<headline>Bright & cheap
<score>4 out of 5</score>
<code>print("</code>")</code>
<pros>
<li>light
<li>cheap
</pros>
</review>
"""


class Review(BaseModel):
    """What the reply is read as; `docs/how-it-reads.md` shows the same."""

    headline: str
    score: int = Field(ge=1, le=5)
    code: str
    pros: list[str] = []


READINGS = 5
"""Readings that say different things and are drawn, the cheapest ones."""

STEP, HEIGHT, LEFT, TOP, BOTTOM = 78, 9, 70, 40, 150
"""Pixels: between two tokens, for a price of 1, and around the curves."""

STYLE = """\
text { font: 12px ui-sans-serif, system-ui, sans-serif; fill: #57606a }
.token { font-family: ui-monospace, monospace; font-size: 11px }
.grid { stroke: #8b949e; stroke-opacity: .25 }
.other { stroke: #8b949e; stroke-width: 1.5; stroke-dasharray: 4 3; fill: none }
.taken { stroke: #1f6feb; stroke-width: 3; fill: none }
.slip { fill: #1f6feb }
.look { fill: #d29922 }
@media (prefers-color-scheme: dark) {
  text { fill: #9da7b1 }
  .taken { stroke: #58a6ff }
  .slip { fill: #58a6ff }
}"""


class Watched(Search):
    """A search that remembers every place it has looked at."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.nodes: list[Any] = []

    def run(self, symbols: Any) -> Any:
        """Look at all places of the reading that is found, too."""
        reading = super().run(symbols)
        self._spread()
        return reading

    def _enters(self, node: Any) -> bool:
        is_new = super()._enters(node)
        self.nodes += [node] if is_new else []
        return is_new


Curve = list[tuple[int, int]]
"""For each token behind which a reading stands, from 0, what it has cost so far."""


def picture() -> str:
    """The picture as it has to be."""
    plan = shared_plan(Review, "Review")
    grammar = grammar_of(plan)
    tokens = Scan(grammar.names).scan(REPLY)

    def fits(state: Any, index: int) -> Any:
        return state.shape.may_be(REPLY[tokens.ends[index - 1] if index else 0 : tokens.starts[index]])

    search = Watched(grammar, grammar.start, 0, fits)
    search.run(tokens.symbols)
    looks = {(index, cost) for _before, _move, _state, index, cost, *_rest in search.nodes}
    chosen = read_carefully(plan, REPLY, ParseOptions())[1]
    assert chosen is not None
    curves: dict[str, Curve] = {}
    for each in readings(plan, chosen, ParseOptions()):
        curves.setdefault(repr(each.answer and each.answer.data), _curve(each.tree.way))
        if len(curves) == READINGS:
            break
    names = [_token(tokens, index) for index in range(len(tokens))]
    return _drawn(list(curves.values()), looks, _slips(chosen), names)


def _curve(way: list[Any]) -> Curve:
    curve, made = [(0, 0)], set()
    for index, move in way:
        price = curve[-1][1]
        for edit in move.edits:
            price += PRICES[edit].later if edit in made else PRICES[edit].level
            made.add(edit)
        curve.append((index + 1, price))
    return curve


def _slips(chosen: Any) -> dict[int, str]:
    """The names of the edits of a reading by the tokens behind which they stand."""
    return {
        index + 1: ", ".join(edit.name.lower().replace("_", " ") for edit in move.edits)
        for index, move in chosen.tree.way
        if move.edits
    }


def _token(tokens: Any, index: int) -> str:
    if tokens.kinds[index] == END:
        return "the end"
    text = " ".join(REPLY[tokens.starts[index] : tokens.ends[index]].split())
    return text if len(text) <= 20 else f"{text[:17]}..."


def _drawn(curves: list[Curve], looks: set[tuple[int, int]], slips: dict[int, str], names: list[str]) -> str:
    most = max(price for curve in curves for _index, price in curve)
    base = TOP + most * HEIGHT
    width, height = 2 * LEFT + len(names) * STEP, base + BOTTOM
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">']
    lines += ["<title>The readings of a reply, and where the search looked</title>", f"<style>\n{STYLE}\n</style>"]
    for price in range(0, most + 1, 6):
        y = base - price * HEIGHT
        lines.append(f'<line class="grid" x1="{LEFT}" y1="{y}" x2="{width - LEFT // 2}" y2="{y}"/>')
        lines.append(f'<text x="{LEFT - 12}" y="{y + 4}" text-anchor="end">{price}</text>')
    for number, curve in reversed(list(enumerate(curves))):
        # Readings at one price run beside each other.
        points = [(LEFT + index * STEP, base - price * HEIGHT - 3 * number) for index, price in curve]
        path = " ".join(f"{'L' if place else 'M'}{x} {y}" for place, (x, y) in enumerate(points))
        lines.append(f'<path class="{"other" if number else "taken"}" d="{path}"/>')
    for index, price in sorted(looks):
        lines.append(f'<circle class="look" cx="{LEFT + index * STEP}" cy="{base - price * HEIGHT}" r="4"/>')
    named: set[str] = set()
    for index, price in curves[0]:
        if index in slips and slips[index] not in named:
            named.add(slips[index])
            x, y = LEFT + index * STEP - 8, base - price * HEIGHT + 18
            lines.append(f'<text class="slip" x="{x + 14}" y="{y}">{escape(slips[index])}</text>')
    for index, name in enumerate(names):
        x, y = LEFT + (index + 1) * STEP - STEP // 2, base + 22
        lines.append(f'<text class="token" transform="translate({x} {y}) rotate(35)">{escape(name)}</text>')
    lines.append(f'<text x="{LEFT - 58}" y="{TOP - 20}">price</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
