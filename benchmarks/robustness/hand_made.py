"""Cases written by hand: the specification's table of policies, and what users of parsers and tool calls report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

REVIEW: dict[str, str] = {
    "headline": "<headline>Nice</headline>",
    "score": "<score>4</score>",
    "recommended": "<recommended>true</recommended>",
    "verdict": "<verdict>good</verdict>",
}
REVIEW_DATA: dict[str, Any] = {"headline": "Nice", "score": 4, "recommended": True, "verdict": "good"}


@dataclass(frozen=True)
class Row:
    """A reply to `model`, the data in it, and where problems must stand."""

    reply: str
    data: Any
    problems: tuple[str, ...] = ()
    model: str = "Review"
    maybe: tuple[str, ...] = ()


def review(problem: str = "", /, expect: dict[str, Any] | None = None, **fields: str) -> Row:
    """A review with some of its fields written otherwise; an empty text leaves a field out."""
    written = "".join({**REVIEW, **fields}.values())
    problems = (problem,) if problem else ()
    return Row(f"<review>{written}</review>", {**REVIEW_DATA, **(expect or {})}, problems)


POLICIES = (
    review(expect={"headline": "Q&A: 5 < 6"}, headline="<headline>Q&A: 5 < 6</headline>"),
    review(expect={"excerpt": "<b>Bold</b> &amp; plain"}, excerpt="<excerpt><b>Bold</b> &amp; plain</excerpt>"),
    review(expect={"excerpt": "a < b & c"}, excerpt="<excerpt>a &lt; b &amp; c</excerpt>"),
    review(headline="<headline>Nice"),
    review(headline="<headline>Nice</score>"),
    review(score="<score>4 out of 5</score>"),
    review("$.score", score="<score>4 or 5</score>"),
    review(expect={"price": 1299.0}, price="<price>$1,299.00</price>"),
    review(price="<price>N/A</price>"),
    review(expect={"price": 1299.0}, price="<price>1,299</price>"),
    review(expect={"price": 1299.0}, price="<price>1.299,00</price>"),
    review(expect={"price": 3.14}, price="<price>3,14</price>"),
    review("$.price", price="<price>1,299.5 or 1,300</price>"),
    review("$.score", score="<score>1.299</score>"),
    review(score="<score>4/5</score>"),
    review("$.score", score="<score>4 (5 reviews)</score>"),
    review("$.recommended", recommended="<recommended>Yes, but no for kids</recommended>"),
    review("$.verdict", verdict="<verdict>good - not bad</verdict>"),
    review(
        expect={"pros": ["Light, cheap and a joy to use, really"]},
        pros="<pros>Light, cheap and a joy to use, really</pros>",
    ),
    review(expect={"headline": "None"}, headline="<headline>None</headline>"),
    review(expect={"verdict": "mixed"}, verdict="<verdict>**Mixed** - could be better</verdict>"),
    review("$.verdict", verdict="<verdict>good or mixed</verdict>"),
    review(
        "$.parts[0].points",
        expect={"parts": [{"label": "a", "points": None}, {"label": "b", "points": 2}]},
        parts="<parts><li><label>a</label><points>x</points></li><li><label>b</label><points>2</points></li></parts>",
    ),
    review(expect={"pros": ["light", "cheap"]}, pros="<pros>light; cheap</pros>"),
)

_ORDER = (
    "<order><order_number>10234</order_number><customer>Zoë</customer><status>shipped</status><total>12.5</total>"
    "<ordered>{}</ordered><express>true</express><weight>2.0</weight></order>"
)
_ORDER_DATA = {
    "order_number": 10234,
    "customer": "Zoë",
    "status": "shipped",
    "total": 12.5,
    "ordered": "2024-03-02",
    "express": True,
    "weight": 2.0,
}
DATES = (
    Row(_ORDER.format("02/03/2024"), _ORDER_DATA, ("$.ordered",), "Order"),
    Row(_ORDER.format("2024-3-2"), _ORDER_DATA, (), "Order"),
    Row(_ORDER.format("2 March 2024"), _ORDER_DATA, (), "Order"),
    Row(_ORDER.format("March 2nd, 2024"), _ORDER_DATA, (), "Order"),
    Row(_ORDER.format("next Tuesday"), _ORDER_DATA, ("$.ordered",), "Order"),
    Row(_ORDER.format("2024-02-30"), _ORDER_DATA, ("$.ordered",), "Order"),
)

# A parameter that is closed by another tag, and swallows those behind it, is what users of tool calls report most.
TOOL_CALLS = (
    Row(
        '<invoke name="Review">\n<parameter name="headline">Nice</headline>\n<parameter name="score">4</parameter>\n'
        '<parameter name="recommended">true</parameter>\n<parameter name="verdict">good</parameter>\n</invoke>',
        REVIEW_DATA,
    ),
    Row(
        '<invoke name="Review">\n<parameter name="headline">Nice</content>\n<parameter name="score">4</parameter>\n'
        '<parameter name="recommended">true</parameter>\n<parameter name="verdict">good</parameter>\n</invoke>',
        REVIEW_DATA,
    ),
    Row(
        "I'll rate it.\n\n<function=Review>\n<parameter=headline>\nNice\n</parameter>\n<parameter=score>\n4\n"
        "</parameter>\n<parameter=recommended>\ntrue\n</parameter>\n<parameter=verdict>\ngood\n</parameter>\n"
        "</function>\n</tool_call>",
        REVIEW_DATA,
    ),
    Row(
        "<tool_call>\n<function=Review>\n<parameter=headline>\nNice\n<parameter=score>\n4\n<parameter=recommended>\n"
        "true\n<parameter=verdict>\ngood\n</function>\n</tool_call>",
        REVIEW_DATA,
    ),
    Row(
        "<review>\n<parameter=headline>Nice</parameter>\n<parameter=score>4</parameter>\n"
        "<parameter=recommended>true</parameter>\n<parameter=verdict>good</parameter>\n</function>",
        REVIEW_DATA,
    ),
    Row(
        '<tool_call>\n{"name": "Review", "arguments": {"headline": "Nice", "score": 4, "recommended": true, '
        '"verdict": "good"}}\n</tool_call>',
        REVIEW_DATA,
    ),
)

_ALL = "".join(REVIEW.values())
AROUND = (
    Row(f"Here is the <review> you wanted:\n\n<review>{_ALL}</review>", REVIEW_DATA),
    Row(f"<think>I need <headline> and <score>.</think><review>{_ALL}</review>", REVIEW_DATA),
    Row(f"<think>A <review><headline>Bad</headline>... no.\n</think>\n<review>{_ALL}</review>", REVIEW_DATA),
    Row(f"```xml\n<review>{_ALL}", REVIEW_DATA),
    Row(f"<Review>{_ALL}</Review>", REVIEW_DATA),
    Row(f"<review><review>{_ALL}</review></review>", REVIEW_DATA),
    Row(f"<response><review>{_ALL}", REVIEW_DATA),
    Row("".join(REVIEW.values()), REVIEW_DATA),
    Row("\n".join(REVIEW.values()) + "\n</review>", REVIEW_DATA),
    Row("&lt;review&gt;&lt;headline&gt;Nice&lt;/headline&gt;&lt;score&gt;4&lt;/score&gt;&lt;recommended&gt;true"
        "&lt;/recommended&gt;&lt;verdict&gt;good&lt;/verdict&gt;&lt;/review&gt;", REVIEW_DATA),
    Row('"<review><headline>Nice</headline>\\n<score>4</score><recommended>true</recommended>'
        '<verdict>good</verdict></review>"', REVIEW_DATA),
    Row('{"headline": "Nice", "score": 4, "recommended": true, "verdict": "good"}', REVIEW_DATA),
    Row('```json\n{\n  "headline": "Nice", // short\n  "score": 4,\n  "recommended": true,\n'
        '  "verdict": "good",\n}\n```', REVIEW_DATA),
    Row("headline: Nice\nscore: 4\nrecommended: true\nverdict: good", REVIEW_DATA),
    Row("**Headline:** Nice\n**Score:** 4/5\n**Recommended:** Yes\n**Verdict:** Good", REVIEW_DATA),
)  # fmt: skip

ELSEWHERE = (
    review(expect={"headline": '"Nice", they said'}, headline='<headline>"Nice", they said</headline>'),
    review(expect={"headline": "R&D <3 you"}, headline="<headline>R&D <3 you</headline>"),
    review(expect={"headline": "2 <= n <= 10^4"}, headline="<headline>2 <= n <= 10^4</headline>"),
    review(expect={"headline": "C:\\new\\table"}, headline="<headline>C:\\new\\table</headline>"),
    review(expect={"excerpt": "x</b>"}, excerpt="<excerpt>x</b></excerpt>"),
    review(expect={"excerpt": "The <score> tag"}, excerpt="<excerpt>The <score> tag</excerpt>"),
    review(expect={"excerpt": "<score>9</score>"}, excerpt="<excerpt><score>9</score></excerpt>"),
    review(expect={"excerpt": "<excerpt>in</excerpt>"}, excerpt="<excerpt><excerpt>in</excerpt></excerpt>"),
    review(expect={"excerpt": "a\n  b"}, excerpt="<excerpt>\na\n  b\n</excerpt>"),
    review(expect={"excerpt": "x = 1"}, excerpt="<excerpt>```python\nx = 1\n```</excerpt>"),
    review(expect={"excerpt": "&lt;"}, excerpt="<excerpt>&amp;lt;</excerpt>"),
    review(expect={"excerpt": "a < b"}, excerpt="<excerpt><![CDATA[a < b]]></excerpt>"),
    review(expect={"excerpt": "a\ufffdb"}, excerpt="<excerpt>a&#xD800;b</excerpt>"),
    review(expect={"headline": "Nice"}, headline="<headline>Nice<!-- really? --></headline>"),
    review(score="<score> 4 </score>"),
    review(score="<score>4</score></score>"),
    review(score="<score>4</scor>"),
    review(score="<score>4<score>"),
    review(score="<score>4</score"),
    review(score="< score >4< / score >"),
    review(score="<score type='int' greater_or_equal='1'>4</score>"),
    review(score="<score description='1 -> 5'>4</score>"),
    review(score="<score type='int>4</score>"),
    review(score="<score>4"),
    review(score="<Score>4</SCORE>"),
    review("$.score", score="<score>four-ish</score>"),
    review("$.score", score="<score>9</score>"),
    review("$.score", score=""),
    review(recommended="<recommended>Yes.</recommended>"),
    review("$.recommended", recommended="<recommended>maybe</recommended>"),
    review(verdict="<verdict>Verdict.GOOD</verdict>"),
    review(verdict="<verdict>GOOD</verdict>"),
    review("$.verdict", verdict="<verdict>fine</verdict>"),
    review(expect={"pros": ["light", "cheap"]}, pros="<pros>\n- light\n- cheap\n</pros>"),
    review(expect={"pros": ["light", "cheap"]}, pros="<pros>light</pros><pros>cheap</pros>"),
    review(expect={"pros": ["light", "cheap"]}, pros="<pros><pro>light</pro><pro>cheap</pro></pros>"),
    review(expect={"pros": ["light", "cheap"]}, pros="<pros><li>light<li>cheap</pros>"),
    review(expect={"pros": ["light", "cheap"]}, pros='<pros>["light", "cheap"]</pros>'),
    review(expect={"pros": ["light", "cheap"]}, pros="<pros><li>light</li><li>cheap</li>"),
    review(expect={"pros": []}, pros="<pros/>"),
    review(
        expect={"parts": [{"label": "a", "points": 1}, {"label": "b", "points": 2}]},
        parts="<parts><part><label>a</label><points>1</points></part>"
        "<part><label>b</label><points>2</points></part></parts>",
    ),
    review(
        expect={"parts": [{"label": "a", "points": 1}, {"label": "b", "points": 2}]},
        parts="<parts><label>a</label><points>1</points><label>b</label><points>2</points></parts>",
    ),
    review(
        expect={"parts": [{"label": "a", "points": 1}, {"label": "b", "points": 2}]},
        parts="<parts><li label='a' points='1'/><li label='b' points='2'/></parts>",
    ),
)
END = (
    Row("<review><headline>Nice</headline><score>4</score><recommended>true</recommended><verdict>go",
        REVIEW_DATA, ("$.verdict",)),
    Row("<review><headline>Nice</headline><score>4</score><recommended>true</recommended><verdict>good</ver",
        REVIEW_DATA),
    Row("<review><headline>Nice</headline><recommended>true</recommended><verdict>good</verdict><score>4",
        REVIEW_DATA, ("$.score",)),
)  # fmt: skip

ROWS: tuple[Row, ...] = (*POLICIES, *DATES, *TOOL_CALLS, *AROUND, *ELSEWHERE, *END)
