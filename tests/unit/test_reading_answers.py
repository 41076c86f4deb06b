"""The reader as a whole: the candidate that wins, the records, and the limits."""

from collections.abc import Callable

import pytest
from pydantic import BaseModel

from structured_response import ProblemKind, RepairKind, ReplyError, StructuredResponse
from structured_response.definition.node import MAX_DEPTH
from structured_response.findings import MAX_FINDINGS
from tests.corpus.models import Branch, Checked
from tests.corpus.models import Review7 as Review
from tests.corpus.models import Tree2 as Tree

REVIEW = StructuredResponse.from_basemodel(Review)


def answer(headline: str, score: object = 4, more: str = "") -> str:
    """Returns a review as a model writes it."""
    return f"<review><headline>{headline}</headline><score>{score}</score>{more}</review>"


GOOD = answer("Good")

CHOICES: list[tuple[str, str]] = [
    (f"{answer('Draft')} Better: {GOOD}", "of equals, the last"),
    (f"{answer('Draft')} Better: {answer('Good', more='<note>None</note>')}", "a null word says nothing against it"),
    (f"{answer('Draft')} Better: {answer('Good', '4<!-- of 5 -->')}", "nor does a comment"),
    (f"{GOOD} {answer('Bad', 'x')}", "the one without a problem"),
    (f"{answer('Bad', 'x')} {GOOD}", "wherever it is"),
    (f"{GOOD} {answer('Mended', more='<mood>fine</mood>')}", "the one of which less is left out"),
    (f"{GOOD} {answer('Mended', '+4')}", "the one with fewer repairs"),
    (f"<review><headline>Half</headline></review> {GOOD}", "the one that is whole"),
    (f"{GOOD} <review><headline>Good</headline></review>", "wherever it is"),
    (f"{GOOD} <review/>", "the one that holds something"),
    (f"{answer('Broken', '<b>')} {GOOD}", "not one with markup for a number"),
    (f"{GOOD} {answer('Draft').replace('</headline>', '')}", "the one that is well-formed"),
    (f"{answer('Draft', 'x')} {GOOD.replace('</headline>', '')}", "a damaged one that holds what was asked for"),
    (f"<review><headline>Draft</review> {GOOD.replace('</score>', '')}", "of damaged ones the whole one"),
    (f"{GOOD}\n{REVIEW.to_prompt()}", "not the template"),
    (f"{REVIEW.to_prompt()}\n{GOOD}", "wherever it is"),
    (f"<think>{answer('Draft')}</think>{GOOD}", "not the one in reasoning"),
    (f"{GOOD}<think>{answer('Doubt')}</think>", "wherever that is"),
    (f"{answer('Draft')} so</think>{GOOD}", "also behind a lone closing tag"),
    (f"<think>{answer('Draft')}{GOOD.replace('4', '+4')}", "in an open block of reasoning the last"),
]


@pytest.mark.parametrize("reply", [pytest.param(reply, id=why) for reply, why in CHOICES])
def test_the_best_answer_wins_on_record(reply: str) -> None:
    """It satisfies the definition best, then it needs the fewest repairs, then it comes last."""
    read = REVIEW.parse(reply)
    assert (read.instance.headline, read.instance.score) == ("Good", 4)
    chosen = read.repairs[0]
    assert (chosen.kind, chosen.path) == (RepairKind.CANDIDATE_CHOSEN, "$")
    assert reply[slice(*chosen.span)].startswith("<review><headline>Good")
    assert reply[slice(*chosen.span)].count("<review>") == 1
    assert chosen.before == chosen.after


@pytest.mark.parametrize("reply", [GOOD, f"I fill in <review>: {GOOD}", f"Sure!\n```xml\n{GOOD}\n```"])
def test_a_single_answer_is_not_recorded_as_a_choice(reply: str) -> None:
    """Nothing is recorded if there is no other candidate."""
    assert REVIEW.parse(reply).repairs == []


def test_the_template_alone_is_no_answer() -> None:
    """A reply that repeats the prompt has no data."""
    with pytest.raises(ReplyError, match="repeats the prompt"):
        REVIEW.parse(REVIEW.to_prompt())


def test_an_example_alone_is_no_answer() -> None:
    """A reply that repeats one example of the prompt has no data."""
    with pytest.raises(ReplyError, match="repeats the prompt"):
        REVIEW.parse('{"headline": "Good", "score": 4}', examples=[Review(headline="Good", score=4)])


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "reply",
    ["", "Sure, one moment!", "<other>x</other>", f"<think>{GOOD}</think>", "<review", "review"],
)
def test_no_answer_is_an_error_in_any_case(reply: str, strict: bool) -> None:
    """Without any data there is no response, with `strict=False` too."""
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(reply, strict=strict)
    assert [problem.kind for problem in caught.value.problems] == [ProblemKind.NO_ANSWER]
    assert caught.value.response is None


@pytest.mark.parametrize(
    "reply", [answer("a\ud83db"), answer("\udc00"), "\ud83d\ude00" + answer("ab"), answer("é\udfff" * 3)]
)
@pytest.mark.parametrize("attribute", ["", " a='b'"])
def test_halves_of_surrogate_pairs_are_replaced_on_record(reply: str, attribute: str) -> None:
    """Each becomes U+FFFD, and its record has its place."""
    reply = reply.replace("<review>", f"<review{attribute}>")
    read = REVIEW.parse(reply)
    found = [repair for repair in read.repairs if repair.kind is RepairKind.UNESCAPED]
    places = [(index, index + 1) for index, char in enumerate(reply) if "\ud800" <= char <= "\udfff"]
    assert [repair.span for repair in found] == places
    assert [(repair.before, repair.after) for repair in found] == [(reply[a:b], "\ufffd") for a, b in places]
    inside = reply[reply.index("<headline>") + 10 : reply.index("</headline>")]
    assert read.instance.headline == "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in inside)


TREE = StructuredResponse.from_basemodel(Tree)


def _nested(levels: int) -> str:
    return "<tree>" + "<branches><li>" * levels + "</li></branches>" * levels + "</tree>"


def test_data_as_deep_as_allowed_is_read() -> None:
    """The limit is on the depth of data, not on that of tags."""
    read: object = TREE.parse(_nested(MAX_DEPTH // 2 - 1)).to_dict()
    for _ in range(MAX_DEPTH // 2 - 1):
        assert isinstance(read, dict)
        (read,) = read["branches"]
    assert read == {}


@pytest.mark.parametrize("levels", [MAX_DEPTH, 1_000, 20_000])
def test_data_past_the_depth_is_a_problem(levels: int) -> None:
    """A reply of any depth gives a problem, not a stack overflow."""
    with pytest.raises(ReplyError) as caught:
        TREE.parse(_nested(levels))
    assert caught.value.problems[0].kind is ProblemKind.LIMIT


BRANCHES = "<branch><name>A</name>" + "<kids><li>" * 1_500
OBJECTS = '{"name": "B", "kids": [' * 1_500


@pytest.mark.parametrize(
    "reply",
    [
        BRANCHES,
        f"{BRANCHES}</branch>",
        f"{BRANCHES}\n<branch><name>B</name></branch>",
        OBJECTS,
        f"Here:\n{OBJECTS}",
        f"name: A\nkids: {OBJECTS}",
        f"```yaml\nname: A\nkids: {OBJECTS}",
    ],
)
def test_a_part_of_an_answer_that_is_too_deep_is_not_taken(reply: str) -> None:
    """The error names the limit, whatever surrounds the part."""
    with pytest.raises(ReplyError, match="MAX_DEPTH"):
        StructuredResponse.from_basemodel(Branch).parse(reply)


class Many(BaseModel):
    items: list[int] = []


MANY = StructuredResponse.from_basemodel(Many)


def test_more_findings_than_are_kept_do_not_cost_the_data() -> None:
    """A long list with an unknown element behind every item is read; the missing records are a problem."""
    items = "<li>1</li><note>x</note>" * (MAX_FINDINGS + 500)
    with pytest.raises(ReplyError) as caught:
        MANY.parse(f"<many><items>{items}</items></many>")
    read = caught.value.response
    assert read is not None
    assert read.to_dict() == {"items": [1] * (MAX_FINDINGS + 500)}
    assert len(read.repairs) == MAX_FINDINGS
    assert [(problem.kind, "MAX_FINDINGS" in problem.message) for problem in read.problems] == [("limit", True)]


def test_more_slips_of_json_than_are_kept_are_one_repair() -> None:
    """JSON that needs no guess is read however many slips it has; one record covers them all."""
    items = "1, // one\n" * (MAX_FINDINGS + 1)
    read = MANY.parse(f'{{"items": [{items}2]}}')
    assert read.to_dict() == {"items": [1] * (MAX_FINDINGS + 1) + [2]}
    assert [repair.kind for repair in read.repairs][-1:] == ["json_mended"]
    assert len(read.repairs) <= 2


@pytest.mark.parametrize("slip", ["", ",", "}", "]"])
def test_text_far_behind_json_does_not_change_it(slip: str) -> None:
    """JSON is read as far as its brackets go, and further if they do not match."""
    answer = f'{{"items": [1, 2{slip}], }}'
    alone = MANY.parse(answer, strict=False).to_dict()
    assert MANY.parse(answer + "\n" + "So [1] and {2} go with (3), I'd say.\n" * 500, strict=False).to_dict() == alone


def test_findings_of_a_draft_do_not_cost_the_answer() -> None:
    """A draft full of faults leaves the good answer as it is."""
    draft = f"<many><items>{'<li>x</li>' * (MAX_FINDINGS + 1)}</items></many>"
    assert MANY.parse(f"{draft}<many><items><li>1</li></items></many>").to_dict() == {"items": [1]}


CHECKED = StructuredResponse.from_basemodel(Checked)


@pytest.mark.parametrize("spell", [str, lambda text: text.replace("<low>", "<low a='1'>")])
def test_values_that_a_validator_refuses_are_problems(spell: Callable[[str], str]) -> None:
    """Each problem has its place; the instance holds the data as it was before the validators."""
    reply = spell("<checked><low>2</low><high>1</high></checked>")
    with pytest.raises(ReplyError) as caught:
        CHECKED.parse(reply)
    (problem,) = caught.value.problems
    assert (problem.path, problem.found) == ("$.high", "1")
    assert problem.message == "Value error, not above low"
    assert problem.span == (reply.index("1</high"), reply.index("</high"))
    fine = CHECKED.parse(reply.replace("1</high", "5</high"), context=10)
    assert fine.to_dict() == {"low": 2, "high": 5}
    with pytest.raises(KeyError, match="mine"):
        CHECKED.parse(reply, context="boom")


def test_a_response_is_as_it_was_after_an_error() -> None:
    """A `from_prompt` that raises changes nothing."""
    response = StructuredResponse.from_basemodel(Review).from_prompt(GOOD)
    with pytest.raises(ReplyError):
        response.from_prompt(answer("Bad", "x"))
    assert response.to_dict() == {"headline": "Good", "score": 4}


@pytest.mark.parametrize("reply", [None, b"<review/>", 3])
def test_a_reply_that_is_not_a_str_is_a_type_error(reply: object) -> None:
    """Bytes and None are faults of the program, not of the language model."""
    with pytest.raises(TypeError, match="a reply is a str"):
        REVIEW.parse(reply)  # type: ignore[arg-type]
