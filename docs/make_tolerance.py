"""Writes docs/tolerance.md, the damage that is repaired and that is not, and docs/prices.md, the cost of each slip.

    python docs/make_tolerance.py

Sentences and examples of the kinds are in `structured_response/findings.py`, slips and prices in
`structured_response/read/prices.py`. The results of the examples come from running the library.
"""

# ruff: noqa: D101 - the page shows the classes as an application would have them

import ast
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, create_model

from structured_response import Problem, ProblemKind, Repair, RepairKind, ReplyError, StructuredResponse
from structured_response.findings import PROBLEMS, REPAIRS
from structured_response.read.prices import FREE, PRICES, Edit

DOCS = Path(__file__).parent


class Part(BaseModel):
    label: str
    points: int


class Card(BaseModel):
    method: Literal["card"]
    last4: str


class Bank(BaseModel):
    method: Literal["bank"]
    iban: str


class Review(BaseModel):
    headline: str
    score: int
    price: float | None
    recommended: bool
    verdict: Literal["good", "mixed", "bad"]
    pros: list[str]
    marks: list[int]
    code: str
    zip: int | str
    day: date
    part: Part
    parts: list[Part]
    votes: dict[str, int]
    payment: Card | Bank
    notes: Any


ASKED: dict[RepairKind | ProblemKind, str] = {
    RepairKind.CANDIDATE_CHOSEN: "score",
    RepairKind.CLOSER_MISSING: "headline score",
    RepairKind.CLOSER_RESPELLED: "headline",
    RepairKind.ELEMENT_SKIPPED: "",
    RepairKind.FORMAT_READ: "headline score",
    RepairKind.ITEM_DROPPED: "marks",
    RepairKind.JSON_MENDED: "headline score",
    RepairKind.NAME_RESPELLED: "headline",
    RepairKind.NULL_WORD: "price",
    RepairKind.OPENER_MISSING: "parts",
    RepairKind.SHAPE_CHANGED: "pros",
    RepairKind.TEXT_SKIPPED: "pros",
    RepairKind.UNESCAPED: "headline",
    RepairKind.UNWRAPPED: "score",
    RepairKind.VALUE_RESPELLED: "score",
    RepairKind.WRAPPER_ENTERED: "part",
    ProblemKind.AMBIGUOUS: "score",
    ProblemKind.INVALID: "score",
    ProblemKind.LIMIT: "notes",
    ProblemKind.MISSING: "score",
    ProblemKind.NO_ANSWER: "score",
    ProblemKind.NOT_STRICT: "score",
    ProblemKind.REFUSAL: "score",
    ProblemKind.TRUNCATED: "headline",
}
"""Which fields each kind's example is read with."""

REPLIES: dict[RepairKind | ProblemKind, str] = {
    ProblemKind.LIMIT: '{"notes": ' + "[" * 210 + "]" * 210 + "}",
}
"""Replies that their examples only describe."""

WHOLE = {
    *(RepairKind.CANDIDATE_CHOSEN, RepairKind.FORMAT_READ, RepairKind.JSON_MENDED, RepairKind.UNWRAPPED),
    ProblemKind.LIMIT,
    *(ProblemKind.MISSING, ProblemKind.NO_ANSWER, ProblemKind.REFUSAL, ProblemKind.TRUNCATED),
}
"""Kinds whose examples are whole replies; all others stand in the root's element."""

OPTIONS: dict[str, dict[str, Any]] = {
    RepairKind.ITEM_DROPPED: {"on_bad_item": "drop"},
    ProblemKind.NOT_STRICT: {"repair": False},
}
"""What `parse` has to be called with for a kind."""


EVIDENCE: dict[RepairKind, str] = {
    RepairKind.CANDIDATE_CHOSEN: "drafts, second tries, repeated examples of the prompt",
    RepairKind.CLOSER_MISSING: "any model, mostly after items and at the end of long replies",
    RepairKind.CLOSER_RESPELLED: "small models; in tool calls, the closing tag of the previous field",
    RepairKind.ELEMENT_SKIPPED: "models that add a confidence, a comment, a second copy",
    RepairKind.FORMAT_READ: "models that were trained on JSON, whatever the prompt says",
    RepairKind.ITEM_DROPPED: "your option",
    RepairKind.JSON_MENDED: "trailing commas, comments, quotes in code",
    RepairKind.NAME_RESPELLED: "`<Head-Line>`, aliases, names of classes",
    RepairKind.NULL_WORD: "`N/A`, `none`, `unknown` wherever something may be missing",
    RepairKind.OPENER_MISSING: "answers without a root, items that run together",
    RepairKind.SHAPE_CHANGED: "bullets, lines and tables instead of items; values in attributes",
    RepairKind.TEXT_SKIPPED: "fences, comments, headings and remarks between elements",
    RepairKind.UNESCAPED: "nearly every reply with code, HTML or `&` in it",
    RepairKind.UNWRAPPED: "tools that pass an answer on as a JSON string or as HTML",
    RepairKind.VALUE_RESPELLED: "units, currencies, totals, surrounding words; dates as people write them",
    RepairKind.WRAPPER_ENTERED: "tool calls, `<response>`, the name of the class",
}
"""The common causes of each kind."""

READ: list[tuple[str, str]] = [
    ("headline score", "<headline>Nice</score><score>4</score>"),
    ("headline score", "<headline>Nice</headline><score>4</score</score>"),
    ("headline score", "<headline>Nice</headline><score>4"),
    ("headline score", "< headline >Nice</ headline ><score>4</score>"),
    ("headline score", '<headline text="Nice"/><score>4</score>'),
    ("code score", "<code>print('</code>')</code><score>4</score>"),
    ("code", "<code>if (a < b && c) return List<int>;</code>"),
    ("code", "<code><p>R&amp;D<br></p></code>"),
    ("code", "<code><![CDATA[a < b]]></code>"),
    ("price", "<price>$1,299.00</price>"),
    ("recommended", "<recommended>Yes, I do</recommended>"),
    ("verdict", "<verdict>**Good** - it works</verdict>"),
    ("day", "<day>2 March 2024</day>"),
    ("pros", "<pros>- light\n- cheap</pros>"),
    ("pros", '<pros>["light", "cheap"]</pros>'),
    ("pros", "<pros><pro>light</pro><pro>cheap</pro></pros>"),
    ("pros", "<pros><li>light<li>cheap</pros>"),
    ("parts", "<parts>\n| label | points |\n|---|---|\n| a | 1 |\n| b | 2 |\n</parts>"),
    ("part", '<part label="a" points="1"/>'),
    ("payment", "<payment><last4>0042</last4></payment>"),
    ("votes", "<votes>a: 1\nb: 2</votes>"),
    ("votes", "<votes>a: 1, b: 2</votes>"),
]
"""Fields that are asked for, and what stands in the root's element."""

REFUSED: list[tuple[str, str]] = [
    ("verdict", "<verdict>good or mixed</verdict>"),
    ("recommended", "<recommended>Yes, but no for kids</recommended>"),
    ("score", "<score>at least 4</score>"),
    ("price", "<price>1,299.5 or 1,300</price>"),
    ("score", "<score>1.299</score>"),
    ("day", "<day>02/03/2024</day>"),
    ("headline", "<headline>Nice</headline><headline>Good</headline>"),
    ("headline score", "Nice</headline><score>4</score>"),
    ("votes", "<votes><vote>4</vote></votes>"),
    ("parts", "<parts><li><label>a</label></li></parts>"),
    ("headline score", "## Headline\nNice\n\n## Score\n4"),
    ("headline score", 'Review(headline="Nice", score=4)'),
]
"""The same for what remains a problem."""

HEAD = """\
# Tolerance

<!-- Written by `python docs/make_tolerance.py`, which runs the library; do not edit by hand. -->

The mistakes of language models, and how each is read. Each fix is a `Repair` in `response.repairs`, with path, place,
before and after. Anything ambiguous is a `Problem`. A clean reply is never repaired. See also [reading](reading.md),
[how it reads](how-it-reads.md) and [prices](prices.md).

Each example asks only for the fields of this class that it needs:
"""

REPAIRED = """\
## Kinds of repairs

*Reply* is the content of `<review>`, or a whole reply; `\u23ce` is a line break.
"""

FOUND = """\
## Kinds of problems

Each raises `ReplyError`, unless `strict=False`. Either way the response holds everything that could be read.
"""

DAMAGED = """\
## More replies that are read
"""

NOT_REPAIRED = """\
## Damage that is not repaired
"""

RULES = """\
* **Nothing is guessed.** An ambiguous or contradictory value is a problem that lists the candidates.
* **Words that change a value** make it a problem: bounds, negations, doubts, conditions, former states. Reasons and
  units do not, and a condition behind a yes or no is only recorded. Units are dropped, and no unit is converted.
* **Possible losses** are problems: a value is missing, and leftover text may be that value.
* **Text** keeps its characters. `None`, `True` and `3` stay text, quotes stay, and spelling is not corrected.
* **Missing values** stay missing. No value is invented, or taken from prose, reasoning or an echoed prompt.
* **An incomplete value** is dropped, unless it is text. `truncated` says where the reply broke off.
* **Several answers** are never merged. One is taken; a later one that contradicts it is a problem.
* **Other notations** are not read: headings as names, a table as the whole answer, Python calls and values, sums.
"""

SLIPS = """\
# Prices

<!-- Written by `python docs/make_tolerance.py` from `read/prices.py`; do not edit by hand. -->

The slips that a reading of a reply can assume, and their prices. The reader takes the cheapest reading: see
[how it reads](how-it-reads.md). *Again* is the price of the same slip from the second time on. A slip with a *doubt*
is a problem, whatever it costs, unless it only concerns where the root ends.
"""

SECTIONS: dict[Edit, str] = {
    Edit.ROOT_MISSING: "The root: missing, renamed, closed too early, mentioned in prose",
    Edit.NAME_MISSPELT: "Names: misspelt, of a class, unknown; wrappers, extra and repeated elements",
    Edit.LIST_REPEATED: "Lists and maps: items with other names, without tags, run together",
    Edit.CLOSER_MISSING: "Closing tags: missing, misspelt, wrong, stray, crossed",
    Edit.TEXT_STRAY: "Texts and values: tags that a text mentions, the end of a text, text in the wrong place",
    Edit.CUT_BEHIND_VALUE: "JSON: quotes in strings, comments, brackets",
}
"""The kinds of damage that the slips are for, by the first slip of each."""


class Found(NamedTuple):
    """What came of a reply."""

    data: Any
    repairs: list[Repair]
    problems: list[Problem]


def parsed(asked: str, reply: str, title: str = "") -> Found:
    """What a reply says where a few fields are asked for."""
    fields: dict[str, Any] = {name: (Review.model_fields[name].annotation, ...) for name in asked.split()}
    response = StructuredResponse.from_basemodel(create_model("Review", **fields))
    try:
        whole = reply if title in WHOLE else f"<review>{reply}</review>"
        read = response.parse(whole, strict=False, **OPTIONS.get(title, {}))
    except ReplyError as error:
        return Found(None, [], list(error.problems))
    return Found(read.to_dict(), read.repairs, read.problems)


def code(text: str) -> str:
    """Text as code in a cell of a table."""
    shown = text.replace("\n", "\u23ce").replace("|", "\\|")
    return f"```` {shown} ````" if "`" in shown else f"`{shown}`"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(list(head))}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def repaired(kind: RepairKind) -> list[str]:
    """The row of a kind of repair. Fails where its example is not repaired that way, or leaves a problem."""
    sentence, example = REPAIRS[kind]
    found = parsed(ASKED[kind], REPLIES.get(kind, example), kind)
    if found.problems or kind not in {repair.kind for repair in found.repairs}:
        raise AssertionError((kind, found))
    return [code(kind), sentence, code(example), code(repr(found.data)), EVIDENCE[kind]]


def refused(kind: ProblemKind) -> list[str]:
    """The row of a kind of problem. Fails where its example has none of that kind."""
    sentence, example = PROBLEMS[kind]
    if kind is ProblemKind.MISSING_EXTRA:  # nothing is missing where this runs
        return [code(kind), sentence, code(example), ""]
    found = parsed(ASKED[kind], REPLIES.get(kind, example), kind)
    messages = [str(problem) for problem in found.problems if problem.kind is kind]
    if not messages:
        raise AssertionError((kind, found))
    return [code(kind), sentence, code(example), code(messages[0])]


def damaged(asked: str, text: str) -> list[str]:
    """The row of a damaged reply. Fails where it leaves a problem."""
    found = parsed(asked, text)
    if found.problems:
        raise AssertionError((text, found))
    kinds = dict.fromkeys(repair.kind.value for repair in found.repairs)
    return [code(text), code(repr(found.data)), ", ".join(map(code, kinds)) or "none"]


def unclear(asked: str, text: str) -> list[str]:
    """The row of a reply that stays a problem. Fails where it is read."""
    found = parsed(asked, text)
    if not found.problems:
        raise AssertionError((text, found))
    return [code(text), code(str(found.problems[0]))]


def slips() -> Iterator[str]:
    """The table of each kind of damage: its slips, the cheapest first."""
    sections: dict[str, list[Edit]] = {}
    title = ""
    for edit in PRICES:
        title = SECTIONS.get(edit, title)
        sections.setdefault(title, []).append(edit)
    for title, edits in sections.items():
        yield f"## {title}\n"
        rows = sorted((edit for edit in edits if PRICES[edit].level > FREE), key=lambda edit: PRICES[edit].level)
        yield from table(("slip", "price", "again", "repair", "doubt"), map(slip, rows))


def slip(edit: Edit) -> list[str]:
    """The row of a slip."""
    price = PRICES[edit]
    kind = code(price.repair) if price.repair is not None else ""
    return [price.reason, str(price.level), str(price.later), kind, price.doubt]


def prices() -> str:
    """The page of prices as it has to be."""
    return "\n".join([SLIPS, *slips()]).rstrip("\n") + "\n"


def tolerance() -> str:
    """The page of tolerances as it has to be."""
    lines = [HEAD, f"```python\n{classes()}\n```\n"]
    lines += [REPAIRED, *table(("kind", "repair", "reply", "read", "common causes"), map(repaired, REPAIRS))]
    lines += [FOUND, *table(("kind", "meaning", "reply", "problem"), map(refused, PROBLEMS))]
    lines += [DAMAGED, *table(("reply", "read", "repairs"), (damaged(*row) for row in READ))]
    lines += [NOT_REPAIRED, *table(("reply", "problem"), (unclear(*row) for row in REFUSED)), RULES]
    return "\n".join(lines).rstrip("\n") + "\n"


PAGES = {"tolerance.md": tolerance, "prices.md": prices}


SHOWN_CLASSES = ("Part", "Card", "Bank", "Review")


def classes() -> str:
    """The source of the classes that the page shows."""
    text = Path(__file__).read_text("utf-8")
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name in SHOWN_CLASSES]
    imports = "from datetime import date\nfrom typing import Any, Literal\n\nfrom pydantic import BaseModel"
    return "\n\n\n".join([imports, *(ast.get_source_segment(text, node) or "" for node in nodes)])


if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), "utf-8")
