"""Writes docs/tolerance.md: what is mended in a damaged reply, found out by running the library.

    python docs/make_tolerance.py

Sentences and examples of the kinds stand in `structured_response/findings.py`, further damage in the tables below;
what was read and what went on record is what came of them. The last section is written by hand.
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

PAGE = Path(__file__).with_name("tolerance.md")


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


ASKED: dict[RepairKind | ProblemKind, str] = {
    RepairKind.CANDIDATE_CHOSEN: "score",
    RepairKind.CLOSER_MISSING: "headline score",
    RepairKind.CLOSER_RESPELLED: "headline",
    RepairKind.ELEMENT_SKIPPED: "",
    RepairKind.FORMAT_READ: "headline score",
    RepairKind.ITEM_DROPPED: "parts",
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
    ProblemKind.LIMIT: "headline",
    ProblemKind.MISSING: "score",
    ProblemKind.NOT_STRICT: "score",
    ProblemKind.NO_ANSWER: "score",
    ProblemKind.NOT_STRICT: "score",
    ProblemKind.REFUSAL: "score",
    ProblemKind.TRUNCATED: "headline",
}
"""Which fields each kind's example is read with."""

REPLIES: dict[RepairKind | ProblemKind, str] = {
    ProblemKind.LIMIT: '{"headline": ' + "[" * 300,
}
"""Replies that their examples only describe."""

WHOLE = {
    *("Around the answer", "Other formats"),
    *(
        RepairKind.CANDIDATE_CHOSEN,
        RepairKind.FORMAT_READ,
        RepairKind.JSON_MENDED,
    ),
    *(RepairKind.UNWRAPPED, ProblemKind.LIMIT),
    *(ProblemKind.MISSING, ProblemKind.NO_ANSWER, ProblemKind.REFUSAL, ProblemKind.TRUNCATED),
}
"""Kinds and titles whose examples are whole replies; all others stand in the root's element."""

OPTIONS: dict[str, dict[str, Any]] = {
    RepairKind.ITEM_DROPPED: {"on_bad_item": "drop"},
    ProblemKind.NOT_STRICT: {"repair": False},
}
"""What `parse` has to be called with for a kind."""

DAMAGE: dict[str, list[tuple[str, str]]] = {
    "Around the answer": [
        ("score", "Sure! In <review> I fill in <score>:\n<review><score>4</score></review>\nI hope this helps."),
        ("score", "```xml\n<review><score>4</score></review>"),
        ("score", "<?xml version='1.0'?><!DOCTYPE review><review><score>4</score></review>"),
        ("score", "<review><think>3 is too low.</think><score>4</score></review>"),
        ("score", "<Response><data><score>4</score></data></Response>"),
        ("score", "<REVIEW><score>4</score></REVIEW>"),
        ("score", "<review score='4'/>"),
        ("headline score", "<headline>Nice</headline><score>4</score>"),
        ("score", "<function=Review><parameter=score>4</parameter></function>"),
        ("score", '<invoke name="Review"><parameter name="score">4</parameter></invoke>'),
        ("headline", '{"answer": "<review><headline>A \\"nice\\" one</headline></review>"}'),
        ("score", '{"answer": "<invoke name=\\"Review\\"><parameter name=\\"score\\">4</parameter></invoke>"}'),
        ("score", 'Here is the <review>:\n```json\n{"score": 4}\n```'),
        ("headline score", "<review/>\n<headline>Nice</headline><score>4</score></review>"),
        ("score", "\\<review\\>\\<score\\>4\\</score\\>\\</review\\>"),
    ],
    "Tags": [
        ("headline score", "<headline>Nice<score>4</score>"),
        ("headline score", "<headline>Nice</score><score>4</score>"),
        ("headline score", "<headline>Nice<headline><score>4</score>"),
        ("headline score", "<headline>Nice</headline><score>4"),
        ("headline score", "<headline>Nice<score>4</headline></score>"),
        ("headline score", "<headline>Nice</headline</headline><score>4</score</score>"),
        ("headline score", "< headline >Nice</ headline ><score>4</score>"),
        ("headline score", "<head_line>Nice</head_line><scroe>4</scroe>"),
        ("score", "<score type='int' description='From 1 to 5'>4</score>"),
        ("headline", "<headline note='a > b' pattern='<.*>'>Nice</headline>"),
        ("headline score", "<headline Nice</headline>score>4</score>"),
        ("headline score", "<headline>Nice[/headline]<score>4[/score]"),
        ("headline score", "<headline|Nice</headline><score>4{/score>"),
        ("pros", "<pros\n<li>light</li></pros>"),
        ("headline score", '<headline text="Nice"/><score>4</>'),
        ("headline score", "<headline>Nice<\\/headline><score>4<score/>"),
        ("headline score", "<headline>Nice/headline><score=4>"),
        ("headline score", "<headline><headline>Nice</headline><score>4</></>"),
        ("headline score", "\uff1cheadline\uff1eNice\uff1c/headline\uff1e<score>4</score>"),
    ],
    "Text": [
        ("code score", "<code>Close it with </code><br> and go on</code><score>4</score>"),
        ("code score", "<code>The `<code>` tag, then <score></code><score>4</score>"),
        ("code", "<code>if (a < b && c) return x;</code>"),
        ("code", "<code>Map<String, List<int>> m = f(a && b);</code>"),
        ("code", "<code><p>R&amp;D<br></p></code>"),
        ("code", "<code>&lt;p&gt; &copy; &unknown;</code>"),
        ("code", "<code><![CDATA[a < b]]></code>"),
        ("code", "<code><[cdata[a < b]]></code>"),
        ("code score", "<code>the <score> tag and </code> too</code><score>4</score>"),
    ],
    "Values": [
        ("score", "<score>4/5</score>"),
        ("price", "<price>$1,299.00</price>"),
        ("price", "<price>about 12 EUR</price>"),
        ("recommended", "<recommended>Yes, I do</recommended>"),
        ("verdict", "<verdict>GOOD</verdict>"),
        ("day", "<day>2 March 2024</day>"),
        ("score", "<score>4 (four)</score>"),
        ("score", "<score>~~3~~ 4</score>"),
    ],
    "Lists, maps and objects": [
        ("pros", "<pros>- light\n- cheap</pros>"),
        ("pros", "<pros>1. light\n2. cheap</pros>"),
        ("pros", '<pros>["light", "cheap"]</pros>'),
        ("pros", "<pros><pro>light</pro><pro>cheap</pro></pros>"),
        ("pros", "<pros><li>light<li>cheap</pros>"),
        ("pros", "<pros><li>light<li>cheap</li> (both)</pros>"),
        ("pros", "<pros><li><li>light</li></li><li>cheap</li></pros>"),
        ("pros", "<pros><li>light</li>\n- cheap\n</pros>"),
        ("headline score", "<headline>Nice</headline>\nscore: 4"),
        ("pros", "<pro>light</pro><pro>cheap</pro>"),
        ("pros", "<pros><pro><li>light</li></pro><pro><li>cheap</li></pro></pros>"),
        ("pros", "<pros><![CDATA[<li>light</li><li>cheap</li>]]></pros>"),
        ("pros", "<pros/><li>light</li><li>cheap</li></pros>"),
        ("pros", "<pros>light</pros>"),
        ("parts", "<parts><label>a</label><points>1</points><label>b</label><points>2</points></parts>"),
        ("parts", "<parts><part><label>a</label><points>1</points></part></parts>"),
        ("parts", "<parts>\n| label | points |\n|---|---|\n| a | 1 |\n| b | 2 |\n</parts>"),
        ("part", '<part label="a" points="1"/>'),
        ("part", "<part>label: a\npoints: 1</part>"),
        ("payment", '<payment method="card" last4="0042"/>'),
        ("payment", "<payment><last4>0042</last4></payment>"),
        ("payment", "<payment><card><last4>0042</last4></card><bank>N/A</bank></payment>"),
        ("payment", '<payment>\n```json\n{"method": "card", "last4": "0042"}\n```\n</payment>'),
        ("votes", "<votes><a>1</a><b>2</b></votes>"),
        ("votes", "<votes>a: 1\nb: 2</votes>"),
        ("votes", "<votes><li>a: 1</li><li>b: 2</li></votes>"),
        ("parts", "<parts>\n- label: a\n- points: 1\n</parts>"),
        ("votes", "<votes><map><entry key='a'>1</entry></map></votes>"),
        ("votes", "<votes><entry><key>a</key><value>1</value></entry></votes>"),
        ("votes", "<votes><vote name='a' votes='1'/><vote name='b' votes='2'/></votes>"),
        ("votes", "<vote key='a'>1</vote><vote key='b'>2</vote>"),
        ("votes", "<votes>a: 1<br>b: 2</votes>"),
        ("payment", "<card><last4>0042</last4></card>"),
    ],
    "Other formats": [
        ("headline score", '```json\n{"headline": "Nice", "score": 4}\n```'),
        ("headline score", "{headline: 'Nice', 'score': 4,} // done"),
        ("headline score", '"headline": "Nice",\n"score": 4}'),
        ("headline score", '{"headline": "Nice"}, "score": 4}'),
        ("headline score", '{"headline": "<a href="#x">Nice</a>", "score": 4}'),
        ("headline score", '{"headline" = "Nice"; "score" = 4}'),
        ("headline score", '{"headline": {"value": "Nice"}, "score": {"value": 4}}'),
        ("headline score", "{&quot;headline&quot;: &quot;Nice&quot;, &quot;score&quot;: 4}"),
        ("pros", '{"pros": "<li>light</li><li>cheap</li>"}'),
        ("parts", '{"parts": {"count": 1, "items": [{"label": "a", "points": 1}]}}'),
        ("headline pros", "```yaml\nheadline: Nice\npros:\n  - light\n```"),
        ("headline score", "- **Headline**: Nice\n- **Score**: 4"),
        ("headline score", "**Headline:** Nice\n**Version:** 2\n**Score:** 4"),
        ("headline score", "Headline => Nice\nScore => 4"),
        ("headline part", "headline: Nice\npart.label: a\npart.points: 1"),
        ("headline votes", 'headline = "Nice"\n\n[votes]\na = 1'),
        ("headline score", "<review><headline>Nice</headline>\nScore: 4\n</review>"),
        ("headline score", "## Headline\nNice\n\n## Score\n4"),
        ("headline score", "| Field | Value |\n|---|---|\n| headline | Nice |\n| score | 4 |"),
        ("headline score", "| headline | score |\n|---|---|\n| Nice | 4 |"),
        ("headline score", "headline,score\nNice,4"),
        ("headline score", "Headline\n========\nNice\n\nScore\n-----\n4"),
        ("headline score", "[[ ## headline ## ]]\nNice\n\n[[ ## score ## ]]\n4\n\n[[ ## completed ## ]]"),
        ("headline score", "[headline]Nice[/headline]\n[score]4[/score]"),
        ("headline score", "headline: Nice\n  score: 4"),
        ("headline score price", "headline: Nice\nscore 4\nprice: 12"),
        ("headline score", "headline: Nice\n```\nscore: 4"),
        ("headline parts", "headline: A: B\nparts:\n  - label: a: b\n    points: 1"),
        ("headline part", 'headline = "Nice" # a comment\npart = { label = "a", points = 1 }'),
        ("headline score", 'Review(headline="Nice", score=4)'),
        ("headline part", "headline='Nice' part=Part(label='a', points=1)"),
        ("headline day", "{'headline': 'Nice', 'day': datetime.date(2024, 3, 2)}"),
        ("headline parts", '**Headline:** Nice\n**Parts:** [{"label": "a", "points": 1}]'),
        ("pros", '{"pros": {"1": "light", "2": "cheap"}}'),
        ("payment", '{"payment": {"name": "card", "arguments": {"last4": "0042"}}}'),
        ("headline", '{"function_call": {"name": "Review", "arguments": "{\\"headline\\": \\"Nice\\"}"}}'),
        ("headline", '{"answer": "Sure:\\n<review><headline>Nice \\"one\\"</headline></review>"}'),
    ],
}
"""Titles, and under each what is asked for and what the reply holds."""

HEAD = """\
# Tolerance

Written by `python docs/make_tolerance.py`, which runs the library; do not edit by hand.

What language models get wrong, and what is read of it. Each step that mends something is a `Repair` in
`response.repairs`, with path, place, before and after; what cannot be told is a `Problem`. [Reading](reading.md) shows
both in use. A clean reply is never mended.

Each example asks for a few fields of this class, and for nothing else:
"""

REPAIRED = """\
## Kinds of repairs

*Reply* is what stands in `<review>`, unless it is a whole reply; `\u23ce` is a line break.
"""

FOUND = """\
## Kinds of problems

Each is a `ReplyError`, unless `strict=False`; what could be read is on the response all the same.
"""

DAMAGED = """\
## Damage

More of what is read. *Repairs* are the kinds that go on record.
"""

NOT_REPAIRED = """\
## What is not repaired

* **What can be read in two ways.** Two choices named, a yes and a no, two numbers, `1.234` for an int, `02/03/2024`, a
  field twice with different values, a union that two options fit equally, or both of them in one place: a problem with
  the candidates.
* **What contradicts itself.** A field in an attribute and, with another value, in an element; items whose tags or
  attributes count them in another order than they stand in; several items where one value is asked for: a problem.
* **What may belong elsewhere.** In a list of lists, items of which the tags do not tell what group they are in; in an
  object that may hold others of its class, one under the class's name, unless one field only could be it; fields
  behind an object or an item that was closed before them, unless they can stand nowhere else: a problem.
* **Elements in a text or something else.** Where a `str` is one of several options, markup is a part of the text unless
  its elements are all that another option holds; with a text around such elements it is a problem.
* **A map without keys.** `<votes><vote>4</vote></votes>` may mean the key `vote` or an entry without a key: a problem.
  Where all entries have their keys in attributes, `<entry key='a'>`, any other tag in them is a part of their texts.
* **A value without its opening tag**, `Nice</headline>`, or with one that ends in its first letters,
  `<headlineNice</headline>`, and an empty text with an attribute that may be its value, `<headline mood="Nice"/>`:
  nothing says what is meant.
* **What may be lost.** Where a field with a default is not there, and something is that belongs to nothing and may be
  its value, that field is a problem: a closing tag of its name behind a text, `<li>` elements without the list around
  them, the fields of an object without the object, an element whose name holds its own, `<the-headline>`. The same
  goes for a list or a map behind whose end an item stands, or in which one lost its tag, and for a value with a text
  right behind it: behind an empty one, or digits behind a number. Elements that look like nothing that is missing are
  left out, on record.
* **A yes or no of something.** `no data`, `false positive`: a problem. So are decades, `40s`; cents, `50 cents`, unless
  a description asks for them; and a word for no value, `(none)`, in the place of a list that has to be there.
* **Ranges of times.** `9:00-9:15` could have an offset from UTC: a problem for a time. For a datetime, so is a second
  time that is the later one, `2024-05-14 10:00-11:00`; written with a `T`, it is ISO 8601's offset.
* **Units.** They are left off, and nothing is converted. Where a field asks for another one, by the end of its name
  (`height_cm`, `hours`), by a plural at its beginning (`years_experience`) or in its description (`in cm`), `1.73 m` is
  a problem; so is an `age` in months.
* **Other scales.** `4 out of 10` where at most 5 is allowed, `4 out of 5` where the scale ends at 10: the number may be
  meant on either, a problem. A sum, `2+2`, is not worked out.
* **Where a number goes.** `a loss of 4`, `4% lower`, `52.1 S` may be negative: a problem, unless the field's name or
  description asks for it (`weight_loss`). `fell to 4` is 4.
* **Another day.** A day with the wrong day of the week, one that something was moved from, the week of a day; a length
  of time that is repeated (`every 2 hours`, `90 minutes a day`) or placed (`2 hours ago`): problems.
* **Verdicts on items.** `low: yes, high: no` and boxes of which some are ticked, where a list is asked for, may be all
  of them or some: a problem with both. Lists that say that they go on, `a, b, ...`, are problems too; an element
  `<li>...</li>` is a text like any other.
* **Percentages of a share.** `92%` is `0.92` where no value above 1 is allowed, else `92`; for a float without bounds
  that is called a share (`confidence`, `tax_rate`), and not a percentage, it could be either: a problem.
* **Brackets and minus signs of bookkeepers.** `(109.00)` and `109.00-` are negative to some: a problem, unless the
  bounds allow one reading only. So is a dash and a blank in front of a number, `- 4`.
* **Words that change a value.** Of numbers, choices, days, lengths of time, and with a yes or no: bounds, `at least 4`,
  `medium or above`, `4+`; negations and comparisons, `less than 4`, `worse than medium`; former states, `formerly
  high`; conditions, `high, if exploited`; doubts, `4?`, `maybe 4`, `4 (TBC)`; examples, `e.g. 4`; verdicts, `high: no`.
  They say what a value may be, not what it is: a problem. Reasons are none of them: `high because it does not start`;
  nor is the field's own name, `likely cause: power`. What is struck out, `~~4~~ 5`, is not there.
* **What is not there.** A required field that no part of the reply holds is missing. No default is made up, and nothing
  is taken from prose, from a block of reasoning, or from a template that was echoed.
* **Text.** A `str` keeps its characters: no quotes are taken off, no spelling is corrected, `None`, `True` and `3`
  stay text. Markup in it is neither closed nor escaped. Where the author escaped twice, it is decoded once.
* **Half a value.** Where the reply breaks off, half a text is kept, half a number or a choice is not, and the problem
  `truncated` names the path in any case. The rest is not invented.
* **What a model refuses.** Bounds, patterns and your own validators judge what was read; nothing is changed to please
  them.
* **A text whose end is not clear.** One without a closing tag that holds a tag which may be meant as that; an item that
  goes on behind its closing tag; a text at whose name another closing tag stands further on, with a text in front of
  it; one that ends at the closing tag of another field, and holds a closing tag that nothing in it opens: a problem,
  with the text as far as it could go.
* **What stands between items, or beside fields.** A text or an element of another name that may be an item is a problem
  of the list, unless it says clearly what it is; brackets, headings and what leads on are left out. A text that names a
  field that is not there, `name>12`, is a problem of that field.
* **Whose field it is.** A field that stands twice before its object's closing tag is that object's both times. Where
  an object has no closing tag, its last fields are problems if the object around it lacks them and could hold them too.
* **A text that holds another field's element.** Where that field is missing and required, the text ends in front of
  it, if nothing but elements follows in the text; else the text stays whole and the field is missing. Where the field
  has a default, its element stays a part of the text, and nothing says so. A tag that nothing closes is only named
  where it stands in backticks, is spelt in another way, or stands like a word in a line without a value behind it.
* **Markup in a text that may be something else.** Where a text is one option, `str | list[str]`, an element that no
  option knows is a part of the text. One that another option knows, with a text beside it, is a problem.
* **An item that names an item's tag.** `<li>use <li> here</li>` on a line of its own may be one item or two that lost a
  closing tag: a problem. In backticks, `` `<li>` ``, the tag is text. So is a text that ends at the closing tag of
  another field and holds one more that nothing opens: it may be two values.
* **Names too far away.** A name with more than two letters wrong, or any in a name of two letters, is another name: its
  element is skipped, on record. One wrong letter in a name of three or four, `<prot>`, is a problem of the field that
  it may be, if that is not there.
* **An answer in several pieces.** Of several answers one is taken; they are never merged. The one exception is a root
  that was closed too early, with the missing fields right behind it. A part of an answer right beside it, a line in
  front of it that names a field which it lacks, `Host: h`, and the end of a value or of an item whose beginning is lost
  are problems.
* **What is said behind an answer.** A field that stands once more with another value may be a correction, and so may a
  whole answer, behind words that lead to it, that fits less well than the one before: a problem with both. So is a
  line, `Score: 5`, or JSON behind such words that says so; a line for a `str` is taken for prose.
* **An answer in an answer.** The root's tag among what an answer holds is a part of that answer. Where no field takes
  it, nobody knows what it is for: a problem.
* **What begins once more.** A reply that broke off and was continued may open a list or a text twice and close it once:
  a problem, with all that stands there. A text that names its own tag within a line of it is none of these.
* **An end that tells nothing.** A text that only a closing tag of an unknown name ends, with nothing closed around it,
  is a problem: it may be whole or not.
"""


class Found(NamedTuple):
    """What came of a reply."""

    data: Any
    repairs: list[Repair]
    problems: list[Problem]


def parsed(asked: str, reply: str, title: str) -> Found:
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
    return [code(kind), sentence, code(example), code(repr(found.data))]


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


def damaged(title: str, asked: str, text: str) -> list[str]:
    """The row of a damaged reply. Fails where it leaves a problem."""
    found = parsed(asked, text, title)
    if found.problems:
        raise AssertionError((text, found))
    kinds = dict.fromkeys(repair.kind.value for repair in found.repairs)
    return [code(text), code(repr(found.data)), ", ".join(map(code, kinds)) or "none"]


def page() -> str:
    """The page as it has to be."""
    lines = [HEAD, f"```python\n{classes()}\n```\n"]
    lines += [REPAIRED, *table(("kind", "what was done", "reply", "read"), map(repaired, REPAIRS))]
    lines += [FOUND, *table(("kind", "what is wrong", "reply", "problem"), map(refused, PROBLEMS))]
    lines += [DAMAGED]
    for title, rows in DAMAGE.items():
        lines += [f"### {title}\n", *table(("reply", "read", "repairs"), (damaged(title, *row) for row in rows))]
    return "\n".join([*lines, NOT_REPAIRED])


SHOWN_CLASSES = ("Part", "Card", "Bank", "Review")


def classes() -> str:
    """The source of the classes that the page shows."""
    text = Path(__file__).read_text("utf-8")
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name in SHOWN_CLASSES]
    imports = "from datetime import date\nfrom typing import Literal\n\nfrom pydantic import BaseModel"
    return "\n\n\n".join([imports, *(ast.get_source_segment(text, node) or "" for node in nodes)])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
