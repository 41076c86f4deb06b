"""Where answers stand in a reply: candidates, mentions in prose, and reasoning that is never the answer."""

import pytest

from structured_response import StructuredResponse
from structured_response.parse.locate import candidates

REVIEW = StructuredResponse.from_definition("CodeReview", {"score": {"type": "int"}, "text": {"type": "str"}})
ANSWER = "<code_review><score>4</score></code_review>"


def found(reply: str, response: StructuredResponse[object] = REVIEW) -> list[str]:
    """The sources of the candidates."""
    return [reply[slice(*candidate.span)] for candidate in candidates(response._plan, reply)]


def eligible(reply: str, response: StructuredResponse[object] = REVIEW) -> list[str]:
    """The sources of those that do not stand in reasoning."""
    return [reply[slice(*candidate.span)] for candidate in candidates(response._plan, reply) if not candidate.reasoning]


PLACES = [
    (ANSWER, "alone"),
    (f"Sure!\n\n{ANSWER}\n\nHope this helps <3", "in prose"),
    (f"a < b && c <b>\n{ANSWER}</b>", "among other markup"),
    (f"```xml\n{ANSWER}\n```", "in a fence"),
    (f"<answer><data>{ANSWER}</data></answer>", "in wrappers"),
    (f'<?xml version="1.0"?>\n<!DOCTYPE code_review>\n{ANSWER}', "behind a declaration"),
    (f"I fill in <code_review>: {ANSWER}", "behind a mention of its tag"),
    (f"{ANSWER} as you see in </code_review>", "before a mention of its closing tag"),
    (f"I close it with </code_review>. {ANSWER}", "behind a mention of its closing tag"),
    (f"<!-- {ANSWER.replace('4', '3')} -->{ANSWER}", "behind a draft in a comment"),
    (f"A comment begins with <!-- so: {ANSWER}", "behind a comment that never ends"),
    (f"A section begins with <![CDATA[ so: {ANSWER}", "behind a section that never ends"),
    (f"<code_reviews>{ANSWER}</code_reviews>", "in an element whose name begins like its own"),
    (f"ÄÖÜ😀\r\n{ANSWER}", "behind what is not ASCII"),
]


@pytest.mark.parametrize("reply", [pytest.param(reply, id=why) for reply, why in PLACES])
def test_the_one_answer_is_found(reply: str) -> None:
    """An answer is found to the character wherever it stands."""
    assert found(reply) == [ANSWER]
    assert eligible(reply) == [ANSWER]


@pytest.mark.parametrize(
    "tag",
    ["code_review", "CodeReview", "codereview", "Code-Review", "CODE_REVIEW", "code.review", "x:code_review"],
)
def test_the_root_is_found_in_any_spelling(tag: str) -> None:
    """Case, separators and a namespace prefix do not count."""
    answer = f"<{tag}><score>4</score></{tag}>"
    assert found(f"So: {answer}.") == [answer]


@pytest.mark.parametrize("name", ["Maß", "Größe", "Σας", "ﬁx", "İx", "Ñandú", "名前"])
def test_a_root_in_any_script_is_found(name: str) -> None:
    """Names whose letters change in number when they are folded are found as they are written."""
    response = StructuredResponse.from_definition(name, {"score": {"type": "int"}})
    root = response.to_prompt().split(">")[0].lstrip("<")
    answer = f"<{root}><score a='b'>4</score></{root}>"
    assert found(answer, response) == [answer]


SEVERAL = [
    (f"{ANSWER} or {ANSWER}", [ANSWER, ANSWER]),
    (f"<code_review>{ANSWER}</code_review>", [f"<code_review>{ANSWER}</code_review>"]),
    ("<code_review/> <code_review a='b' />", ["<code_review/>", "<code_review a='b' />"]),
    (f"{ANSWER} <code_review> is open", [ANSWER]),
    ("<code_review> a <code_review> b", ["<code_review> b"]),
    ("no answer at all", []),
    ("<code_revie>4</code_revie>", []),
    ("", []),
]


@pytest.mark.parametrize(("reply", "sources"), SEVERAL)
def test_all_outermost_answers_are_found(reply: str, sources: list[str]) -> None:
    """Every closed one; if none is closed, the last that is open."""
    assert found(reply) == sources


def test_an_open_answer_says_so() -> None:
    """A candidate tells whether it was closed."""
    assert [candidate.closed for candidate in candidates(REVIEW._plan, f"{ANSWER}{ANSWER}")] == [True, True]
    assert [candidate.closed for candidate in candidates(REVIEW._plan, "<code_review>")] == [False]


DRAFT = ANSWER.replace("4", "3")

REASONING = [
    (f"<think>{DRAFT}</think>{ANSWER}", "a block"),
    (f"<Thinking>{DRAFT}</Thinking>{ANSWER}", "in any case"),
    (f"<reasoning>a<think>{DRAFT}</think>{DRAFT}</reasoning>{ANSWER}", "nested"),
    (f"hm {DRAFT} so</think>\n{ANSWER}", "a closing tag alone"),
    (f"<scratchpad>{DRAFT}</scratchpad><reflection>{DRAFT}</reflection>{ANSWER}", "two blocks"),
    (f"{ANSWER}<think>{DRAFT}</think>", "behind the answer"),
    (f"<think>{DRAFT} and so {ANSWER}", "one that is never closed ends at the last answer in it"),
    (f"<think>{DRAFT}{DRAFT}{ANSWER}", "whatever else stands in it"),
    (f"<think>{ANSWER}", "an open one with one answer in it"),
]


@pytest.mark.parametrize("reply", [pytest.param(reply, id=why) for reply, why in REASONING])
def test_reasoning_holds_no_answer(reply: str) -> None:
    """What stands in a block of reasoning is a candidate, but never the answer."""
    assert eligible(reply) == [ANSWER]


INSIDE = [
    "<code_review><text><![CDATA[The tag </think> ends it]]></text></code_review>",
    "<code_review><text><think>hm</think></text></code_review>",
    "<code_review><text><![CDATA[<think>]]></text></code_review>",
    "<code_review><!-- </think> --><text>a</text></code_review>",
]


@pytest.mark.parametrize("answer", INSIDE)
def test_reasoning_tags_inside_an_answer_hide_nothing(answer: str) -> None:
    """An answer may speak of reasoning without becoming reasoning."""
    assert eligible(answer) == [answer]
    assert eligible(f"Here: {answer}\nDone.") == [answer]


@pytest.mark.parametrize("name", ["think", "Reasoning", "scratch_pad"])
def test_a_name_of_the_definition_is_no_reasoning(name: str) -> None:
    """A field called `reasoning` is a field, also before the root's own tag is closed."""
    response = StructuredResponse.from_definition("Thought", {name: {"type": "str"}, "score": {"type": "int"}})
    answer = f"<thought><{name}>so</{name}><score>4</score></thought>"
    assert eligible(f"<{name}>{answer}</{name}>", response) == [answer]


def test_a_root_called_think_is_the_answer() -> None:
    """The root's own name is no reasoning either."""
    response = StructuredResponse.from_definition("Think", {"score": {"type": "int"}})
    assert eligible("<think><score>4</score></think>", response) == ["<think><score>4</score></think>"]


def test_a_comment_mentioned_in_prose_hides_no_answer() -> None:
    """`<!--` in prose begins no comment that reaches into the answer."""
    answer = "<code_review><text><p><!-- c --></p></text></code_review>"
    assert found(f"In HTML, comments begin with <!-- as you know.\n{answer}") == [answer]
