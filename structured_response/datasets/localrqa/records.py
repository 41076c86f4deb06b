"""The records of LocalRQA's files: documents, dialogues, and examples for training and testing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = ["DialogueSession", "DialogueTurn", "Document", "Example", "RetrieverExample", "question_rows"]

USER, ASSISTANT = "USER", "ASSISTANT"
_AFTER_USER, _AFTER_ASSISTANT = " ", "</s>"
_ASSISTANTS = ("assistant", "system")
"""Speakers that are the assistant, in any case, whatever its name in the session."""


class _Record(BaseModel):
    """Unknown keys are kept."""

    model_config = ConfigDict(extra="allow")


class Document(_Record):
    """A piece of text of the document database.

    `fmt_content` is the text that is embedded and shown to a model. If it is empty, it is made of the metadata's source
    and title, if any, and the text.
    """

    page_content: str
    fmt_content: str = ""
    metadata: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _format(self) -> Self:
        if not self.fmt_content:
            heads = [
                f"{name.capitalize()}: {self.metadata[name]}\n" for name in ("source", "title") if name in self.metadata
            ]
            self.fmt_content = f"{''.join(heads)}Content:\n{self.page_content}".strip()
        return self


class DialogueTurn(_Record):
    """The message of one speaker, and the documents that it rests on."""

    speaker: str
    message: str
    source_documents: list[Document] = Field(default_factory=list)


class DialogueSession(BaseModel):
    """A dialogue, turn by turn. Its text is the prompt of a model: `USER: hi ASSISTANT: yo</s>`."""

    history: list[DialogueTurn] = Field(default_factory=list)
    user_prefix: str = USER
    assistant_prefix: str = ASSISTANT

    @classmethod
    def from_list(cls, turns: Iterable[Mapping[str, Any] | DialogueTurn]) -> Self:
        """Returns the dialogue of a `chat_history`. The first speaker is the user, the next other one the assistant."""
        history = [DialogueTurn.model_validate(turn) for turn in turns]
        user = history[0].speaker if history else USER
        assistant = next((turn.speaker for turn in history if turn.speaker != user), ASSISTANT)
        return cls(history=history, user_prefix=user, assistant_prefix=assistant)

    def to_list(self) -> list[dict[str, Any]]:
        """Returns the turns as a `chat_history`: a list of dicts with speaker, message and source_documents."""
        return [turn.model_dump() for turn in self.history]

    def to_string(self) -> str:
        """Returns the dialogue as text: each turn as `speaker: message`, followed by `</s>` for the assistant, else a
        blank.
        """
        return "".join(f"{turn.speaker}: {turn.message}{self._end_of(turn)}" for turn in self.history)

    def _end_of(self, turn: DialogueTurn) -> str:
        is_assistant = turn.speaker == self.assistant_prefix or turn.speaker.lower() in _ASSISTANTS
        return _AFTER_ASSISTANT if is_assistant else _AFTER_USER

    def __str__(self) -> str:
        return self.to_string()


class Example(_Record):
    """A question with its answer and the documents that it rests on."""

    chat_history: list[DialogueTurn] = Field(default_factory=list)
    question: str
    gold_docs: list[Document]
    gold_answer: str
    hard_neg_docs: list[Document] = Field(default_factory=list)


class RetrieverExample(_Record):
    """One to three questions that the same documents answer, for training a retriever."""

    chat_history: list[DialogueTurn] = Field(default_factory=list)
    questions: list[str] = Field(min_length=1, max_length=3)
    gold_docs: list[Document]
    hard_neg_docs: list[Document] = Field(default_factory=list)


def question_rows(examples: Iterable[Example | RetrieverExample]) -> Iterator[tuple[list[Document], str]]:
    """Yields the gold documents and the question of each example, for each question if it has several, in order."""
    for example in examples:
        questions = example.questions if isinstance(example, RetrieverExample) else [example.question]
        for question in questions:
            yield example.gold_docs, question
