"""Documents and their texts, dialogues, and rows of questions."""

from typing import Any

import pytest

from structured_response.datasets.localrqa import (
    DialogueSession,
    Document,
    Example,
    RetrieverExample,
    question_rows,
)

FORMATTED: dict[str, tuple[dict[str, Any], str]] = {
    "nothing but text": ({}, "Content:\ntext"),
    "a source": ({"source": "s"}, "Source: s\nContent:\ntext"),
    "a title": ({"title": "t"}, "Title: t\nContent:\ntext"),
    "both, and more": ({"title": "t", "author": "a", "source": "s"}, "Source: s\nTitle: t\nContent:\ntext"),
    "a title that is not a text": ({"title": None}, "Title: None\nContent:\ntext"),
}


@pytest.mark.parametrize(("metadata", "text"), FORMATTED.values(), ids=FORMATTED)
def test_formatted(metadata: dict[str, Any], text: str) -> None:
    """An empty text for models is made of source, title and content; one that is there stays."""
    assert Document(page_content=" text \n".strip(), metadata=metadata).fmt_content == text
    assert Document(page_content="text", fmt_content="own", metadata=metadata).fmt_content == "own"


def test_formatted_text_is_stripped() -> None:
    """White space goes at the ends of the whole, not in front of the content."""
    assert Document(page_content="  text \n").fmt_content == "Content:\n  text"


TURNS: list[dict[str, Any]] = [
    {"speaker": "USER", "message": "hi", "source_documents": []},
    {"speaker": "ASSISTANT", "message": "yo", "source_documents": [{"page_content": "p", "metadata": {"source": "s"}}]},
]


def test_dialogue_as_text() -> None:
    """The assistant's turns end in its mark, others in a blank."""
    assert str(DialogueSession.from_list(TURNS)) == "USER: hi ASSISTANT: yo</s>"
    assert str(DialogueSession()) == ""


def test_dialogue_as_list() -> None:
    """Turns come back as they were, their documents completed; the list that was given stays as it is."""
    before = repr(TURNS)
    turns = DialogueSession.from_list(TURNS).to_list()
    assert turns[0] == TURNS[0]
    assert turns[1]["source_documents"] == [
        {"page_content": "p", "fmt_content": "Source: s\nContent:\np", "metadata": {"source": "s"}}
    ]
    assert DialogueSession.from_list(turns).to_list() == turns
    assert repr(TURNS) == before


def test_speakers_of_other_names() -> None:
    """The first speaker is the user, another one the assistant; one called so is it too."""
    session = DialogueSession.from_list([{"speaker": s, "message": s.lower()} for s in ("Ann", "Bot", "Ann", "System")])
    assert (session.user_prefix, session.assistant_prefix) == ("Ann", "Bot")
    assert session.to_string() == "Ann: ann Bot: bot</s>Ann: ann System: system</s>"


def test_question_rows() -> None:
    """A retriever's examples make a row of each question, others one each."""
    document = Document(page_content="p")
    several = RetrieverExample(questions=["q", "r"], gold_docs=[document])
    one = Example(question="s", gold_docs=[], gold_answer="a")
    assert list(question_rows([several, one])) == [([document], "q"), ([document], "r"), ([], "s")]


@pytest.mark.parametrize("questions", [[], ["a", "b", "c", "d"]])
def test_one_to_three_questions(questions: list[str]) -> None:
    """A retriever's example has one to three questions."""
    with pytest.raises(ValueError, match="questions"):
        RetrieverExample(questions=questions, gold_docs=[])
