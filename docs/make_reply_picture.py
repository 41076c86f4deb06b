"""Draws docs/reply.svg: a damaged reply with its repairs, beside the data that is read from it.

python docs/make_reply_picture.py
"""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from pydantic import BaseModel, Field

from structured_response import StructuredResponse
from structured_response.explain.reading import Reading, pieces

PICTURE = Path(__file__).with_name("reply.svg")

REPLY = """\
Here is my review:
<Review>
  <headline>Bright & cheap
  <score>4 out of 5</score>
  <pros>
    <li>light
    <li>cheap
  </pros>
  <html><p>I <em>like</em> it.<br></p></html>
</Review>
"""


class Review(BaseModel):
    """What the reply is read as; the README shows the same."""

    headline: str = Field(description="The review in one line")
    score: int = Field(ge=1, le=5, description="From 1 to 5")
    pros: list[str] = Field(default=[], description="What is good about it")
    html: str = Field(description="The review as HTML")


WIDTH, LINE, LETTER = 960, 20, 7.8  # pixels
LEFT, RIGHT, TOP = 24, 500, 60
COLORS = ("#7cc4ff", "#ff9ecb", "#9be29b", "#f2d06b")
REPAIR, DIM, TEXT = "#ffb86b", "#8b95a5", "#e6e6e6"

Span = tuple[str, str, str]
"""A text, its colour, and the rest of its style."""


def reply_lines(reading: Reading) -> list[list[Span]]:
    """The lines of the reply, with values in colours and what repairs put in."""
    lines: list[list[Span]] = [[]]
    for piece in pieces(reading):
        lines[-1] += [(repair.after, REPAIR, "font-style:italic") for repair in piece.inserted]
        color = DIM if piece.value is None else COLORS[piece.value.field]
        style = "text-decoration:underline" if piece.repairs else ""
        for number, text in enumerate(piece.text.split("\n")):
            lines += [[]] if number else []
            lines[-1].append((text, color, style))
    return lines[:-1]


def data_lines(reading: Reading) -> list[list[Span]]:
    """The data, a value on each line."""
    path = ["".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in v.path) for v in reading.values]
    width = max(map(len, path)) + 1
    return [
        [(name.lstrip(".").ljust(width), TEXT, ""), (repr(value.value), COLORS[value.field], "")]
        for name, value in zip(path, reading.values, strict=True)
    ]


def repair_lines(reading: Reading) -> list[list[Span]]:
    """The repairs."""
    kinds = [(repair.kind, repair.path) for repair in reading.repairs]
    width = max(len(kind) for kind, _path in kinds) + 2
    return [[(kind.ljust(width), REPAIR, ""), (path, TEXT, "")] for kind, path in kinds]


def drawn(lines: list[list[Span]], left: float, top: float) -> Iterator[str]:
    """The elements of lines of text."""
    for number, line in enumerate(lines):
        spans = "".join(
            f'<tspan fill="{color}"{f" style={chr(34)}{style}{chr(34)}" if style else ""}>{escape(text)}</tspan>'
            for text, color, style in line
            if text
        )
        yield f'<text x="{left}" y="{top + number * LINE}">{spans}</text>'


def picture() -> str:
    """The whole picture."""
    reading = StructuredResponse.from_basemodel(Review).parse(REPLY).explain().readings[0]
    said, data, repairs = reply_lines(reading), data_lines(reading), repair_lines(reading)
    below = TOP + (len(data) + 2) * LINE
    height = max(TOP + len(said) * LINE, below + len(repairs) * LINE) + LINE // 2
    title = "A damaged reply, the data that is read from it, and the repairs"
    heads = ((LEFT, TOP - 28, "reply"), (RIGHT, TOP - 28, "data"), (RIGHT, below - 28, "repairs, on record"))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}">',
            f"<title>{title}</title>",
            "<style>text { font: 13px ui-monospace, Menlo, Consolas, monospace; white-space: pre }",
            f".head {{ fill: {DIM}; font-family: system-ui, sans-serif }}</style>",
            f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#1b1f27"/>',
            *(f'<text class="head" x="{left}" y="{top}">{text}</text>' for left, top, text in heads),
            *drawn(said, LEFT, TOP),
            *drawn(data, RIGHT, TOP),
            *drawn(repairs, RIGHT, below),
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
