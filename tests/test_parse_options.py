"""What a program says about how to read: where a reply broke off, refusals, and the options of `parse`."""

import pickle
from typing import Literal

import pytest
from pydantic import BaseModel

from structured_response import ReplyError, StructuredResponse


class Part(BaseModel):
    label: str
    points: int


class Review(BaseModel):
    headline: str
    score: int
    price: float | None = None
    verdict: Literal["good", "mixed", "bad"] = "good"
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []


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
    (f"{HEAD}</rev", None),
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
    """The same in every format: the path of the innermost value that is not whole, and a problem there."""
    read = REVIEW.parse(reply, strict=False)
    assert read.truncated == path
    assert [problem.path for problem in read.problems if problem.kind == "truncated"] == ([path] if path else [])
    assert read.to_dict()["headline"] == "Nice"
    if path:
        with pytest.raises(ReplyError) as caught:
            REVIEW.parse(reply)
        assert caught.value.response.truncated == path


def test_what_broke_off_is_remembered() -> None:
    """Through pickle, through `from_prompt`, and until the next reading."""
    assert StructuredResponse.from_basemodel(Review).truncated is None
    response = StructuredResponse.from_basemodel(Review)
    response.from_prompt(CUT[0][0], strict=False)
    assert response.truncated == "$.parts[1].label"
    assert pickle.loads(pickle.dumps(response)).truncated == "$.parts[1].label"
    assert response.from_prompt(f"{HEAD}</review>").truncated is None


def test_json_that_breaks_off_in_an_element_is_a_problem() -> None:
    """The reply goes on behind it, so it is the value that is wrong."""
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
    """A reply that declines, with no answer in it, says so by its problem, with the sentence and its place."""
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(reply, strict=strict)
    (problem,) = caught.value.problems
    assert (problem.kind, problem.path) == ("refusal", "$")
    assert problem.span is not None
    assert problem.found == reply[slice(*problem.span)]
    assert caught.value.response is None


@pytest.mark.parametrize("reply", OTHER_WORDS)
def test_what_is_no_refusal(reply: str) -> None:
    """Words of regret alone, reported speech, and what stands far behind or in reasoning."""
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(reply)
    assert [problem.kind for problem in caught.value.problems] == ["no_answer"]


@pytest.mark.parametrize("refusal", REFUSALS[:6])
def test_what_data_says_is_no_refusal(refusal: str) -> None:
    """Nor is one that stands around an answer, whatever that is worth."""
    quoted = refusal.replace("'", "’")
    assert REVIEW.parse(f"{HEAD.replace('Nice', quoted)}</review>").to_dict()["headline"] == quoted
    assert REVIEW.parse(f'{{"headline": "{quoted}", "score": 4}}').to_dict()["headline"] == quoted
    assert REVIEW.parse(f"{refusal} Or do I?\n{HEAD}</review>").to_dict()["score"] == 4
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(f"<review><headline>{quoted}</headline></review>")
    assert [problem.kind for problem in caught.value.problems] == ["missing"]
