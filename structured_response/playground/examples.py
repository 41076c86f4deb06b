"""Replies to one small model: one as it should be, one for each kind of damage, and some that no repair can help."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import BaseModel, Field


class Part(BaseModel):
    """A part of the product."""

    label: str
    points: int = Field(ge=1, le=5)


class Review(BaseModel):
    """What the examples answer."""

    headline: str = Field(description="The review in one line")
    score: int = Field(ge=1, le=5, description="From 1 to 5")
    price: float | None = Field(description="In euros, if it is known")
    recommended: bool = Field(description="Whether to buy it")
    verdict: Literal["good", "mixed", "bad"]
    pros: list[str]
    parts: list[Part] = Field(description="The parts, each with its points")


CLEAN = """\
<review>
    <headline>A warm light for little money</headline>
    <score>4</score>
    <price>12.5</price>
    <recommended>true</recommended>
    <verdict>good</verdict>
    <pros>
        <li>light enough for one hand</li>
        <li>no flicker</li>
    </pros>
    <parts>
        <li>
            <label>lamp</label>
            <points>5</points>
        </li>
        <li>
            <label>switch</label>
            <points>3</points>
        </li>
    </parts>
</review>
"""

_JSON = """\
{
  "headline": "A warm light for little money",
  "score": 4,
  "price": 12.5,
  "recommended": true,
  "verdict": "good",
  "pros": ["light enough for one hand", "no flicker"],
  "parts": [{"label": "lamp", "points": 5}, {"label": "switch", "points": 3},],
}
"""

_LINES = """\
headline: A warm light for little money
score: 4
price: 12.5
recommended: yes
verdict: good
pros:
- light enough for one hand
- no flicker
parts:
- label: lamp
  points: 5
- label: switch
  points: 3
"""


class Example(NamedTuple):
    """A reply to `Review`.

    Attributes:
        name: Its damage; that of a row of `structured_response.testing.DAMAGES` where there is one.
        about: A sentence on it.
        reply: The reply.
    """

    name: str
    about: str
    reply: str


def _changed(name: str, about: str, *changes: tuple[str, str]) -> Example:
    reply = CLEAN
    for before, after in changes:
        assert before in reply
        reply = reply.replace(before, after, 1)
    return Example(name, about, reply)


_PLAIN = "A warm light for little money"
_TYPED = [(f"<{name}>", f"<{name} type='{kind}'>") for name, kind in (("headline", "str"), ("score", "int"))]

MENDED = (
    _changed("closer_missing", "A closing tag is missing.", ("</score>", "")),
    _changed("closer_misspelt", "A closing tag is misspelt.", ("</headline>", "</headlin>")),
    _changed("closer_doubled", "A closing tag comes twice.", ("</verdict>", "</verdict></verdict>")),
    _changed("closer_unfinished", "A closing tag lacks its bracket.", ("</price>", "</price")),
    _changed("opener_as_closer", "An opening tag is in the place of a closing one.", ("</score>", "<score>")),
    _changed(
        "name_respelled", "A name is written in another way.", ("<verdict>good</verdict>", "<Verdict>good</Verdict>")
    ),
    _changed("attributes_echoed", "The attributes of the prompt are repeated.", *_TYPED),
    Example("fence_unclosed", "A fence is opened and never closed.", f"Here it is:\n```xml\n{CLEAN}"),
    Example(
        "reasoning",
        "A draft stands in a block of reasoning.",
        f"<think>\nA first try:\n<review><score>2</score></review>\nToo harsh.\n</think>\n\n{CLEAN}",
    ),
    Example("wrapper", "The answer is wrapped once more.", f"<response>\n<answer>\n{CLEAN}</answer>\n</response>\n"),
    _changed("root_missing", "The root has no tags.", ("<review>\n", ""), ("</review>\n", "")),
    _changed("root_renamed", "The root has another name.", ("<review>", "<result>"), ("</review>", "</result>")),
    _changed("root_unclosed", "The root is never closed.", ("</review>\n", "")),
    Example("crlf", "Lines end as on Windows.", CLEAN.replace("\n", "\r\n")),
    _changed(
        "comment", "A comment stands between two fields.", ("    <price>", "    <!-- <score>9</score> -->\n    <price>")
    ),
    _changed(
        "element_unknown",
        "There is an element that nobody asked for.",
        ("    <verdict>", "    <confidence>high</confidence>\n    <verdict>"),
    ),
    _changed("items_renamed", "Items of a list have another name.", *([("<li>", "<item>"), ("</li>", "</item>")] * 2)),
    _changed("value_decorated", "A value is emphasized.", (">4<", ">**4**<"), (">good<", ">`good`<")),
    _changed("value_fenced", "A value stands in a fence of its own.", (_PLAIN, f"\n```\n{_PLAIN}\n```\n")),
    _changed("null_word", "A word says that there is no value.", (">12.5<", ">N/A<")),
    _changed("unescaped", "Text holds markup without any escaping.", (_PLAIN, "<b>Warm</b> & cheap: 3 < 4")),
    Example("json_damaged", "JSON instead of XML, with commas too many.", _JSON),
    Example("lines", "Lines with labels instead of XML.", _LINES),
)
"""Damage that is repaired."""

BROKEN = (
    _changed("value_invalid", "A value breaks a rule of the definition.", (">4<", ">9<")),
    _changed("value_unreadable", "A number is none.", (">12.5<", ">quite cheap<")),
    _changed("field_missing", "A required field is missing.", ("    <score>4</score>\n", "")),
    Example("truncated", "The reply breaks off.", CLEAN[: CLEAN.index("<label>switch") + 10]),
    Example("ambiguous", "Text behind the answer gives a value once more.", f"{CLEAN}\nscore: 2\n"),
    Example("refusal", "The model declines to answer.", "I'm sorry, but I can't help with that request."),
)
"""Damage that no repair can help: the reading has a problem."""

GROUPS = {
    "As asked for": (Example("clean", "The reply is as it should be.", CLEAN),),
    "Repaired": MENDED,
    "Beyond repair": BROKEN,
}
