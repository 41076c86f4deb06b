"""The records of an Open-Assistant export: messages, trees and threads, in the order in which they are written."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, PlainSerializer, Tag, model_validator

__all__ = [
    "DetoxifyRating",
    "ExportMessageEvent",
    "ExportMessageEventEmoji",
    "ExportMessageEventRanking",
    "ExportMessageEventRating",
    "ExportMessageEventReport",
    "ExportMessageEventScore",
    "ExportMessageNode",
    "ExportMessageThread",
    "ExportMessageTree",
    "LabelAvgValue",
    "Role",
]

Role = Literal["prompter", "assistant"]

# The exports write `+00:00`, as Python does, where Pydantic would write `Z`.
_Datetime = Annotated[datetime, PlainSerializer(datetime.isoformat, when_used="json")]


class _Record(BaseModel):
    """Unknown keys are kept."""

    model_config = ConfigDict(extra="allow")


class LabelAvgValue(_Record):
    """The result of the reviewers' votes for a label."""

    value: float | None = None
    count: int


class DetoxifyRating(_Record):
    """The Detoxify classifier's ratings of a message, each from 0 to 1."""

    toxicity: float
    severe_toxicity: float
    obscene: float
    identity_attack: float
    insult: float
    threat: float
    sexual_explicit: float


class ExportMessageEvent(_Record):
    """An action of a user on a message. Events of unknown types keep their content."""

    type: str
    user_id: str | None = None


class ExportMessageEventEmoji(ExportMessageEvent):
    """An emoji was given."""

    type: Literal["emoji"] = "emoji"
    emoji: str


class ExportMessageEventRating(ExportMessageEvent):
    """A rating was given."""

    type: Literal["rating"] = "rating"
    rating: str


class ExportMessageEventRanking(ExportMessageEvent):
    """Replies were ranked: `ranking[0]` is the index in `ranked_message_ids` of the best."""

    type: Literal["ranking"] = "ranking"
    ranking: list[int]
    ranked_message_ids: list[str]
    ranking_parent_id: str | None = None
    message_tree_id: str | None = None
    not_rankable: bool | None = None


class ExportMessageEventReport(ExportMessageEvent):
    """The message was reported."""

    type: Literal["report"] = "report"
    report_type: str
    reason: str


class ExportMessageEventScore(ExportMessageEvent):
    """The message was voted up (1), down (-1), or a vote was taken back (0)."""

    type: Literal["score"] = "score"
    score: int = Field(ge=-1, le=1)


_KNOWN_EVENTS = frozenset({"emoji", "rating", "ranking", "report", "score"})


def _event_type(event: Any) -> str:
    name = event.get("type") if isinstance(event, dict) else getattr(event, "type", None)
    return name if name in _KNOWN_EVENTS else "other"


_Event = Annotated[
    Annotated[ExportMessageEventEmoji, Tag("emoji")]
    | Annotated[ExportMessageEventRating, Tag("rating")]
    | Annotated[ExportMessageEventRanking, Tag("ranking")]
    | Annotated[ExportMessageEventReport, Tag("report")]
    | Annotated[ExportMessageEventScore, Tag("score")]
    | Annotated[ExportMessageEvent, Tag("other")],
    Discriminator(_event_type),
]


def _counts(emojis: Any) -> Any:
    """Returns emojis with their counts. The tables of the public datasets have a list of each."""
    columns = _columns(emojis, "count")
    return emojis if columns is None else dict(zip(*columns, strict=True))


def _votes(labels: Any) -> Any:
    """Returns labels with their votes. The tables of the public datasets have lists of names, values and counts."""
    columns = _columns(labels, "value", "count")
    if columns is None:
        return labels
    return {name: {"value": value, "count": count} for name, value, count in zip(*columns, strict=True)}


def _columns(held: Any, *names: str) -> list[Any] | None:
    if not isinstance(held, dict) or "name" not in held:
        return None
    columns = [held.get(name) for name in ("name", *names)]
    return columns if all(isinstance(column, list) for column in columns) else None


class ExportMessageNode(_Record):
    """A message, with the replies to it if it is in a tree."""

    message_id: str
    parent_id: str | None = None
    user_id: str | None = None
    created_date: _Datetime | None = None
    text: str
    role: Role
    lang: str | None = None
    review_count: int | None = None
    review_result: bool | None = None
    deleted: bool | None = None
    rank: int | None = None
    synthetic: bool | None = None
    model_name: str | None = None
    emojis: Annotated[dict[str, int] | None, BeforeValidator(_counts)] = None
    replies: list[ExportMessageNode] | None = None
    labels: Annotated[dict[str, LabelAvgValue] | None, BeforeValidator(_votes)] = None
    events: dict[str, list[_Event]] | None = None
    detoxify: DetoxifyRating | None = None
    # The tree of a separate message.
    message_tree_id: str | None = None
    tree_state: str | None = None


class ExportMessageTree(_Record):
    """A prompt and all replies to it."""

    message_tree_id: str
    tree_state: str | None = None
    prompt: ExportMessageNode | None = None
    origin: str | None = None


class ExportMessageThread(_Record):
    """Messages in a row, each the reply to the one before; the last one gives the thread its id."""

    thread_id: str
    thread: list[ExportMessageNode] = Field(min_length=1)

    @model_validator(mode="after")
    def _ends_in_its_id(self) -> ExportMessageThread:
        last = self.thread[-1].message_id
        if self.thread_id != last:
            raise ValueError(f"the last message is {last!r}, which is not the thread_id {self.thread_id!r}")
        return self
