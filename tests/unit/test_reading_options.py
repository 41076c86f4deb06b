"""Where a reply breaks off, refusals, and the options of `parse`."""

import pickle
from datetime import date, datetime
from math import inf
from typing import Any, Literal, get_type_hints

import pytest
from pydantic import BaseModel

from structured_response import InstanceError, ReplyError, StructuredResponse
from structured_response.options import ParseOptions, ReadingOptions
from tests.corpus.models import Plan
from tests.corpus.models import Review4 as Review

REVIEW = StructuredResponse.from_basemodel(Review)
HEAD = "<review><headline>Nice</headline><score>4</score>"
JSON = '{"headline": "Nice", "score": 4'


# Where a reply breaks off

CUT: list[tuple[str, str | None]] = [
    (f"{HEAD}<parts><li><label>a</label><points>1</points></li><li><label>b", "$.parts[1].label"),
    (f"{HEAD}<parts><li><label>a</label><points>1", "$.parts[0].points"),
    (f"{HEAD}<parts><li><label>a</label>", "$.parts[0]"),
    (f"{HEAD}<excerpt>It was a dark and", "$.excerpt"),
    ("<review><headline>Nice</headline><score>4", "$.score"),
    (f"{HEAD}<pr", "$"),
    (HEAD, None),
    (f"{HEAD}</review>", None),
    (f'{JSON}, "parts": [{{"label": "a", "points": 1}}, {{"label": "b', "$.parts[1].label"),
    (f'{JSON}, "parts": [{{"label": "a", "points": 1', "$.parts[0].points"),
    (f'{JSON}, "parts": [{{"label": "a"', "$.parts[0]"),
    (f'{JSON}, "excerpt": "It was a dark and', "$.excerpt"),
    (JSON, "$.score"),
    (f"{JSON},", "$"),
    (f'{JSON}, "pros": []', None),
    (f"{JSON}}}", None),
    (f'{HEAD}<parts>[{{"label": "a", "points": 1}}, {{"label": "b', "$.parts[1].label"),
    (f'{HEAD}<parts>[{{"label": "a", "points": 1}}, {{"label": "b"</parts></review>', None),
]


@pytest.mark.parametrize(("reply", "path"), CUT)
def test_where_a_reply_breaks_off(reply: str, path: str | None) -> None:
    """Every format gives the path of the innermost value that is not whole, and a problem there."""
    read = REVIEW.parse(reply, strict=False)
    assert read.truncated == path
    assert [problem.path for problem in read.problems if problem.kind == "truncated"] == ([path] if path else [])
    assert read.to_dict()["headline"] == "Nice"
    if path:
        with pytest.raises(ReplyError) as caught:
            REVIEW.parse(reply)
        assert caught.value.response is not None
        assert caught.value.response.truncated == path


WHOLE = HEAD + "<price>1</price><verdict>good</verdict><pros/><parts/>"
CUT_CLOSERS: list[tuple[str, str, list[str]]] = [
    (f"{HEAD}</rev", "$", []),
    (f"{HEAD}</", "$", []),
    (f"{HEAD}<excerpt>x</exc", "$.excerpt", ["$"]),
    (f"{HEAD}<excerpt>x</", "$.excerpt", ["$"]),
    (f"{WHOLE}<excerpt>x</exc", "$.excerpt", []),
    (f"{WHOLE}<excerpt>x</", "$.excerpt", []),
]


@pytest.mark.parametrize(("reply", "path", "problems"), CUT_CLOSERS)
def test_a_reply_may_break_off_in_a_closing_tag(reply: str, path: str, problems: list[str]) -> None:
    """That is on record. It is a problem only if something could be missing behind it."""
    read = REVIEW.parse(reply, strict=False)
    assert read.truncated == path
    assert [problem.path for problem in read.problems] == problems
    assert read.instance.score == 4


def test_what_broke_off_is_remembered() -> None:
    """The path survives pickle and `from_prompt`, until the next reading."""
    assert StructuredResponse.from_basemodel(Review).truncated is None
    response = StructuredResponse.from_basemodel(Review)
    response.from_prompt(CUT[0][0], strict=False)
    assert response.truncated == "$.parts[1].label"
    assert pickle.loads(pickle.dumps(response)).truncated == "$.parts[1].label"
    assert response.from_prompt(f"{HEAD}</review>").truncated is None


def test_json_that_breaks_off_in_an_element_is_a_problem() -> None:
    """The reply goes on behind it, so the value is wrong."""
    read = REVIEW.parse(CUT[-1][0], strict=False)
    assert [(problem.kind, problem.path) for problem in read.problems] == [
        ("invalid", "$.parts[1]"),
        ("missing", "$.parts[1].points"),
    ]
    mended = REVIEW.parse(f'{HEAD}<parts>[{{"label": "a", "points": 1}}</parts></review>')
    assert mended.to_dict()["parts"] == [{"label": "a", "points": 1}]
    assert ("json_mended", "", "]") in [(repair.kind, repair.before, repair.after) for repair in mended.repairs]


# Refusals

REFUSALS = [
    "I can't help with that.",
    "I can’t assist with this request.",
    "I'm sorry, but I cannot provide a review of that product.",
    "Sorry, I cannot.",
    "Sorry! I can't do that.",
    "As an AI language model, I don't have access to your orders.",
    "I must decline.",
    "I must respectfully decline this one.",
    "I won't help with this.",
    "I am unable to assist with that.",
    "I'm not able to generate that content.",
    "Unfortunately, I am not able to continue.",
    "**I'm sorry, but I can't help with that.**",
    "Thank you for asking. I'm sorry, but I can't help with that.",
    "<response>I cannot provide that.</response>",
    "```\nI'm sorry, I can't comply.\n```",
    "I'm sorry, but I cannot fill in the <review>.",
    "<think>They want a review. I could write one.</think>\nI'm sorry, but I can't help with that.",
    f"<think>{HEAD}</review></think>I can't help with that.",
    "Es tut mir leid, aber dabei kann ich nicht helfen.",
    "Leider kann ich diese Frage nicht beantworten.",
    "Je suis désolé, mais je ne peux pas vous aider.",
    "Lo siento, pero no puedo ayudar con eso.",
    "Desculpe, mas não posso ajudar com isso.",
    "Mi dispiace, ma non posso aiutarti.",
    "К сожалению, я не могу с этим помочь.",
    "很抱歉，我无法提供帮助。",
    "申し訳ありませんが、お手伝いできません。",
    "죄송합니다만 도와드릴 수 없습니다.",
]
OTHER_WORDS = [
    "",
    "Sure, one moment!",
    "I can't wait to help! What would you like to know?",
    "Sorry for the delay, here it comes:",
    "I'm sorry to hear that the product broke.",
    "As an AI, I love reviews.",
    'She wrote "I can\'t help with that" and left.',
    "The customer said that I cannot provide it.",
    "Nicht jede Frage ist leicht.",
    "word " * 101 + ". I can't help with that.",
    "<think>I can't help with that.</think> What product is it?",
    f"<think>{HEAD}</review></think>",
]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("reply", REFUSALS)
def test_refusals(reply: str, strict: bool) -> None:
    """A reply that declines and has no answer gives a problem with the sentence and its place."""
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(reply, strict=strict)
    (problem,) = caught.value.problems
    assert (problem.kind, problem.path) == ("refusal", "$")
    assert problem.span is not None
    assert problem.found == reply[slice(*problem.span)]
    assert caught.value.response is None


@pytest.mark.parametrize("reply", OTHER_WORDS)
def test_replies_that_do_not_decline(reply: str) -> None:
    """Words of regret alone, reported speech, reasoning and text far behind are not refusals."""
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(reply)
    assert [problem.kind for problem in caught.value.problems] == ["no_answer"]


# What format is expected

AS_XML = f"{HEAD}</review>"
AS_JSON = '{"headline": "Json", "score": 5}'
AS_YAML = "```yaml\nheadline: Yaml\nscore: 3\n```"
FORMATS: list[tuple[str, str | None, str]] = [
    (f"{AS_XML}\n{AS_JSON}", "xml", "Nice"),
    (f"{AS_JSON}\n{AS_XML}", "xml", "Nice"),
    (f"{AS_XML}\n{AS_JSON}", "json", "Json"),
    (f"{AS_JSON}\n{AS_XML}", "json", "Json"),
    (f"{AS_XML}\n{AS_YAML}", "yaml", "Yaml"),
    (f"{AS_YAML}\n{AS_JSON}\n{AS_XML}", "yaml", "Yaml"),
    (f"{AS_YAML}\n{AS_JSON}\n{AS_XML}", "json", "Json"),
    (f"<review><headline>x</headline><excerpt>{AS_JSON}</excerpt></review>", "json", "Json"),
    (AS_XML, "json", "Nice"),
    (AS_XML, "yaml", "Nice"),
    (AS_JSON, "xml", "Json"),
    (AS_JSON, "yaml", "Json"),
    (AS_YAML, "json", "Yaml"),
    (AS_YAML, "xml", "Yaml"),
    (f"I fill in <review>: {AS_JSON}", "xml", "Json"),
    (f"{{braces}} and\n{AS_XML}", "json", "Nice"),
]
FORMAT_OF = {"Nice": "xml", "Json": "json", "Yaml": "yaml"}


@pytest.mark.parametrize(("reply", "expected", "headline"), FORMATS)
def test_what_is_in_the_expected_format_is_taken(reply: str, expected: Any, headline: str) -> None:
    """Only answers in that format count if there are any. Another format goes on record."""
    read = REVIEW.parse(reply, format=expected)
    assert read.to_dict()["headline"] == headline
    assert read.problems == []
    other = FORMAT_OF[headline] != expected
    assert [repair.path for repair in read.repairs if repair.kind == "format_read"] == ["$"] * other
    assert all(repair.before == repair.after for repair in read.repairs)


def test_the_expected_format_for_all_answers() -> None:
    """`parse_all` gives the answers in that format."""
    reply = f"{AS_XML}\n{AS_JSON}\n{AS_JSON.replace('5', '6')}"
    assert [read.to_dict()["score"] for read in REVIEW.parse_all(reply)] == [4]
    assert [read.to_dict()["score"] for read in REVIEW.parse_all(reply, format="json")] == [5, 6]
    assert [read.to_dict()["score"] for read in REVIEW.parse_all(AS_XML, format="json")] == [4]


@pytest.mark.parametrize(("asked", "value"), [(str, '{"a": [1]}'), (bytes, ""), (bool, False), (float, inf)])
def test_a_scalar_is_an_answer_in_the_expected_format(asked: Any, value: Any) -> None:
    """A text that is itself JSON stays one."""
    empty = StructuredResponse.from_type(asked)
    filled = empty.select().from_dict(value)
    assert empty.parse(filled.to_json(), format="json").to_dict() == value
    assert empty.parse(filled.to_yaml(), format="yaml").to_dict() == value


# Items that have a problem


PLAN = StructuredResponse.from_basemodel(Plan)


def plan(**fields: str) -> str:
    """Returns a plan as a model writes it, with these fields."""
    fields = {"title": "x"} | fields
    return "<plan>" + "".join(f"<{name}>{text}</{name}>" for name, text in fields.items()) + "</plan>"


def items(*texts: str) -> str:
    """Returns a list of these items."""
    return "".join(f"<li>{text}</li>" for text in texts)


def step(name: str = "a", minutes: str = "1", tags: str = "") -> str:
    """Returns a step as a model writes it."""
    return f"<name>{name}</name><minutes>{minutes}</minutes><tags>{tags}</tags>"


DROPPED: list[tuple[dict[str, str], dict[str, Any], dict[str, list[str]]]] = [
    ({"rows": items(items("1", "x", "3"))}, {"rows": [[1, 3]]}, {"$.rows[0][1]": ["$.rows[0][1]"]}),
    (
        {"rows": items(items("x"), items("1", "2", "y", "z", "5"))},
        {"rows": [[], [1, 2, 5]]},
        {path: [path] for path in ("$.rows[0][0]", "$.rows[1][2]", "$.rows[1][3]")},
    ),
    ({"steps": items(step(minutes="soon"), step("b"))}, {"steps": ["b"]}, {"$.steps[0]": ["$.steps[0].minutes"]}),
    ({"steps": items(step("b"), step(minutes="0"))}, {"steps": ["b"]}, {"$.steps[1]": ["$.steps[1].minutes"]}),
    ({"steps": items(step("rush"), step("b"))}, {"steps": ["b"]}, {"$.steps[0]": ["$.steps[0]"]}),
    ({"steps": items("<name>c</name>", step("b"))}, {"steps": ["b"]}, {"$.steps[0]": ["$.steps[0].minutes"]}),
    (
        {"steps": items("<minutes>x</minutes>", step("b"))},
        {"steps": ["b"]},
        {"$.steps[0]": ["$.steps[0].minutes", "$.steps[0].name"]},
    ),
    (
        {"steps": items(step("b", "1", items("1", "x")))},
        {"steps": ["b"]},
        {"$.steps[0].tags[1]": ["$.steps[0].tags[1]"]},
    ),
    (
        {"steps": items(step("b"), step("rush", "1", items("x")), step("c"))},
        {"steps": ["b", "c"]},
        {"$.steps[1].tags[0]": ["$.steps[1].tags[0]"], "$.steps[1]": ["$.steps[1]"]},
    ),
    ({"pairs": items(items("1", "2"), items("3", "x"))}, {"pairs": [[1, 2]]}, {"$.pairs[1]": ["$.pairs[1][1]"]}),
    ({"pairs": items(items("1"), items("3", "4"))}, {"pairs": [[3, 4]]}, {"$.pairs[0]": ["$.pairs[0]"]}),
    ({"by_day": f"<mon>{items('1', 'x')}</mon>"}, {"by_day": {"mon": [1]}}, {"$.by_day.mon[1]": ["$.by_day.mon[1]"]}),
    ({"mixed": items("1", "x", "2")}, {"mixed": [1, 2]}, {"$.mixed[1]": ["$.mixed[1]"]}),
]


@pytest.mark.parametrize(("fields", "data", "dropped"), DROPPED)
def test_bad_items_can_be_dropped(fields: dict[str, str], data: dict[str, Any], dropped: dict[str, list[str]]) -> None:
    """The innermost item with a problem goes; its record has the texts of the problems."""
    reply = plan(**fields)
    read = PLAN.parse(reply, on_bad_item="drop")
    assert read.problems == []
    got = read.to_dict()
    got["steps"] = [each["name"] for each in got.get("steps", [])]
    assert {name: got[name] for name in data} == data
    assert isinstance(read.to_basemodel(), Plan)
    gone = [repair for repair in read.repairs if repair.kind == "item_dropped"]
    assert [repair.path for repair in gone] == list(dropped)
    for repair in gone:
        assert repair.after == ""
        assert [text.partition(": ")[0] for text in repair.before.split("; ")] == dropped[repair.path]
    with pytest.raises(ReplyError) as caught:
        PLAN.parse(reply)
    assert caught.value.response is not None


def test_places_of_items_are_those_of_the_reply() -> None:
    """Findings count the items of the reply, with those that were dropped."""
    reply = plan(rows=items(items("x", "+2", "y", "+4")))
    read = PLAN.parse(reply, on_bad_item="drop")
    assert read.to_dict()["rows"] == [[2, 4]]
    assert [(repair.kind, repair.path) for repair in read.repairs] == [
        ("value_respelled", "$.rows[0][1]"),
        ("value_respelled", "$.rows[0][3]"),
        ("item_dropped", "$.rows[0][0]"),
        ("item_dropped", "$.rows[0][2]"),
    ]
    assert [reply[slice(*repair.span)] for repair in read.repairs] == ["+2", "+4", "x", "y"]


def test_an_item_that_breaks_off_can_be_dropped() -> None:
    """The items before it are whole, and `truncated` keeps its path."""
    read = REVIEW.parse(CUT[0][0], on_bad_item="drop")
    assert read.to_dict()["parts"] == [{"label": "a", "points": 1}]
    assert read.truncated == "$.parts[1].label"


def test_many_bad_items_can_be_dropped() -> None:
    """Each of them is on record."""
    reply = plan(rows=items(items(*(["x", "1"] * 2_000))))
    read = PLAN.parse(reply, on_bad_item="drop")
    assert read.to_dict()["rows"] == [[1] * 2_000]
    assert len(read.repairs) == 2_000


@pytest.mark.parametrize(("fields", "data", "dropped"), DROPPED)
def test_bad_items_can_be_kept(fields: dict[str, str], data: dict[str, Any], dropped: dict[str, list[str]]) -> None:
    """They hold None at the bad places, and `problems` lists them, but nothing is raised."""
    kept = PLAN.parse(plan(**fields), on_bad_item="keep")
    lenient = PLAN.parse(plan(**fields), strict=False)
    assert kept == lenient
    assert kept.problems == lenient.problems != []
    with pytest.raises(InstanceError):
        kept.to_basemodel()


def test_problems_outside_of_items_cannot_be_kept() -> None:
    """They are raised, together with those of the items."""
    with pytest.raises(ReplyError) as caught:
        PLAN.parse(plan(title="[value here - as a string]", rows=items(items("x"))), on_bad_item="keep")
    assert [problem.path for problem in caught.value.problems] == ["$.title", "$.rows[0][0]"]


def test_good_items_are_not_touched() -> None:
    """The options change nothing if there is nothing to drop or to keep."""
    reply = plan(rows=items(items("1")), steps=items(step()))
    assert PLAN.parse(reply, on_bad_item="drop") == PLAN.parse(reply, on_bad_item="keep") == PLAN.parse(reply)


# Nothing mended

MENDED: list[tuple[str, str, str]] = [
    (AS_XML.replace(">4<", ">4 out of 5<"), "$.score", "value_respelled"),
    (AS_XML.replace("</review>", "<price>N/A</price></review>"), "$.price", "null_word"),
    (AS_XML.replace("headline", "Headline"), "$.headline", "name_respelled"),
    (AS_XML.replace("</headline>", ""), "$.headline", "closer_missing"),
    (AS_JSON.replace('"score"', "score"), "$", "json_mended"),
    (AS_JSON.replace("5", '"5"'), "$.score", "value_respelled"),
    (AS_XML.replace("<", "&lt;"), "$", "unwrapped"),
    (AS_XML.replace("Nice", "\ud800"), "$", "unescaped"),
]


@pytest.mark.parametrize(("reply", "path", "kind"), MENDED)
def test_without_repair_what_was_mended_is_a_problem(reply: str, path: str, kind: str) -> None:
    """The problem has the path and the repair's kind. With `strict=False` the data is as it was mended."""
    mended = REVIEW.parse(reply)
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(reply, repair=False)
    assert (path, True) in [(problem.path, f"({kind})" in problem.message) for problem in caught.value.problems]
    assert {problem.kind for problem in caught.value.problems} == {"not_strict"}
    read = REVIEW.parse(reply, strict=False, repair=False)
    assert read.to_dict() == mended.to_dict()
    assert read.repairs == mended.repairs


@pytest.mark.parametrize(
    "reply",
    [
        AS_XML,
        AS_JSON,
        AS_YAML,
        f"Sure!\n```xml\n{AS_XML}\n```",
        f"{AS_XML} Better: {AS_XML}",
        AS_XML.replace("</review>", "<mood>high</mood></review>"),
        AS_XML.replace("<score>", "well <score>"),
        AS_XML.replace("Nice", "Q&A"),
    ],
)
def test_records_that_change_nothing_are_no_problem_without_repair(reply: str) -> None:
    """A chosen candidate, a skipped element and another format leave the data as it was written."""
    assert REVIEW.parse(reply, repair=False) == REVIEW.parse(reply)


# The options themselves

WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"format": "html"}, ValueError, "format is one of 'xml', 'json', 'yaml' or None, not 'html'"),
    ({"format": 3}, TypeError, "format is one of 'xml', 'json', 'yaml' or None, not 3"),
    ({"on_bad_item": "skip"}, ValueError, "on_bad_item is one of 'raise', 'drop', 'keep', not 'skip'"),
    ({"on_bad_item": None}, TypeError, "on_bad_item is one of 'raise', 'drop', 'keep', not None"),
    ({"on_bad_item": []}, TypeError, "on_bad_item is one of 'raise', 'drop', 'keep', not \\[\\]"),
    ({"repair": "no"}, TypeError, "repair is True or False, not 'no'"),
    ({"repair": 0}, TypeError, "repair is True or False, not 0"),
    ({"day_first": "yes"}, TypeError, "day_first is True, False or None, not 'yes'"),
    (
        {"form": "xml"},
        TypeError,
        "'form' is not an option; the options are strict, context, format, on_bad_item, repair, day_f",
    ),
]


@pytest.mark.parametrize("method", ["parse", "from_prompt", "parse_all"])
@pytest.mark.parametrize(("options", "error", "message"), WRONG)
def test_wrong_options(method: str, options: dict[str, Any], error: type[Exception], message: str) -> None:
    """The error names the values that are allowed, whatever the reply is."""
    response = StructuredResponse.from_basemodel(Review)
    with pytest.raises(error, match=message) as caught:
        getattr(response, method)(AS_XML, **options)
    assert not isinstance(caught.value, ReplyError)


@pytest.mark.parametrize("method", ["parse", "from_prompt", "parse_all"])
def test_every_way_to_read_has_the_options(method: str) -> None:
    """They mean the same in each method."""
    response = StructuredResponse.from_basemodel(Plan)
    read = getattr(response, method)(plan(rows=items(items("1", "x"))), on_bad_item="drop")
    assert (read[0] if method == "parse_all" else read).to_dict()["rows"] == [[1]]
    with pytest.raises(ReplyError):
        getattr(response, method)(plan(rows=items(items("+1"))), repair=False)
    read = getattr(response, method)(f'{plan()} {{"title": "y"}}', format="json")
    assert (read[0] if method == "parse_all" else read).to_dict()["title"] == "y"


# The order of days in figures


class Dates(BaseModel):
    due: date
    seen: datetime | None = None
    by_day: dict[date, int] = {}
    until: date | Literal["never"] = "never"


DATES = StructuredResponse.from_basemodel(Dates)
IN_FIGURES = [
    "<dates><due>05/12/2026</due><seen>05/12/2026 3pm</seen><by_day><entry key='05/12/2026'>1</entry></by_day></dates>",
    '{"due": "05/12/2026", "seen": "05/12/2026 3pm", "by_day": {"05/12/2026": 1}}',
    "due: 05/12/2026\nseen: 05/12/2026 3pm\nby_day:\n  05/12/2026: 1\n",
]


@pytest.mark.parametrize("reply", IN_FIGURES)
@pytest.mark.parametrize(("day_first", "day"), [(True, date(2026, 12, 5)), (False, date(2026, 5, 12))])
def test_days_in_figures_by_their_order(reply: str, day_first: bool, day: date) -> None:
    """Every format has the option, and so do keys. Each day is on record; without the option it is a problem."""
    read = DATES.parse(reply, day_first=day_first)
    made = read.to_basemodel()
    assert made.due == day
    assert made.seen == datetime.fromisoformat(f"{day}T15:00")
    assert made.by_day == {day: 1}
    assert ("value_respelled", "$.due", "05/12/2026", day.isoformat()) in [
        (repair.kind, repair.path, repair.before, repair.after) for repair in read.repairs
    ]
    with pytest.raises(ReplyError, match="could be 2026-12-05 or 2026-05-12"):
        DATES.parse(reply)
    with pytest.raises(ReplyError, match="value_respelled"):
        DATES.parse(reply, day_first=day_first, repair=False)


def test_all_readers_take_the_same_options() -> None:
    """`from_prompt`, `parse_all` and `amend` have the names and types of the options of `parse`."""
    reply = "<dates><due>05/12/2026</due></dates>"
    wanted = date(2026, 12, 5)
    assert StructuredResponse.from_basemodel(Dates).from_prompt(reply, day_first=True).to_basemodel().due == wanted
    assert [each.to_basemodel().due for each in DATES.parse_all(reply, day_first=True)] == [wanted]
    partial = DATES.parse("<dates><due>soon</due></dates>", strict=False)
    assert partial.amend(reply, day_first=True).to_basemodel().due == wanted
    assert get_type_hints(ReadingOptions) == get_type_hints(ParseOptions)


PAGE = """<!DOCTYPE html>
<html>
<head><title>502 Bad Gateway</title><link rel="x"></head>
<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx/1.25</center></body>
</html>
"""


@pytest.mark.parametrize("kind", [Review, list[int], dict[str, str], str, int])
def test_a_page_of_html_is_no_answer(kind: Any) -> None:
    """The problem says that the reply is an error page, and no number in it is read."""
    with pytest.raises(ReplyError) as caught:
        StructuredResponse.from_type(kind).parse(PAGE)
    (problem,) = caught.value.problems
    assert problem.kind == "no_answer"
    assert 'the reply is an HTML page ("502 Bad Gateway")' in problem.message
    assert "check the server" in problem.message
