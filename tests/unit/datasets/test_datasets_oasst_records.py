"""Messages, trees and threads: what is kept, in which order it is written, and what is no record."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from structured_response.datasets import oasst
from structured_response.datasets.jsonl import faults_of
from structured_response.datasets.oasst import ExportMessageNode, ExportMessageThread, ExportMessageTree
from tests.datasets import JSON, NAMES, TEXTS, ZONED, message

FULL = {
    "message_id": "a",
    "parent_id": "b",
    "user_id": "u",
    "created_date": "2023-02-05T14:23:50.983374+00:00",
    "text": "A",
    "role": "assistant",
    "lang": "en",
    "review_count": 3,
    "review_result": True,
    "deleted": False,
    "rank": 0,
    "synthetic": True,
    "model_name": "m",
    "emojis": {"+1": 3},
    "replies": [],
    "labels": {"spam": {"value": 0.5, "count": 3}, "pii": {"count": 0}},
    "events": {
        "emoji": [{"type": "emoji", "user_id": "u", "emoji": "+1"}],
        "rating": [{"type": "rating", "rating": "5"}],
        "ranking": [
            {
                "type": "ranking",
                "ranking": [1, 0],
                "ranked_message_ids": ["c", "d"],
                "ranking_parent_id": "b",
                "message_tree_id": "t",
                "not_rankable": False,
            }
        ],
        "report": [{"type": "report", "report_type": "spam", "reason": "ads"}],
        "score": [{"type": "score", "score": -1, "of": "u"}],
        "later": [{"type": "later", "payload": {"deep": [1]}}],
    },
    "detoxify": dict.fromkeys(
        ("toxicity", "severe_toxicity", "obscene", "identity_attack", "insult", "threat", "sexual_explicit"), 0.25
    ),
    "message_tree_id": "t",
    "tree_state": "growing",
    "unknown": {"kept": True},
}


def test_every_field_comes_back_in_order() -> None:
    """A message with all that the format has comes back equal and in the format's order, events' payloads included."""
    shuffled = dict(sorted(FULL.items(), key=lambda pair: pair[1] is FULL["text"]))
    written = ExportMessageNode.model_validate(shuffled).model_dump_json(exclude_none=True)
    assert json.loads(written) == FULL
    assert list(json.loads(written)) == list(FULL)


def test_events_are_of_their_types() -> None:
    """Each event is of its own class; one of a type that nobody knows is an event all the same."""
    events = ExportMessageNode.model_validate(FULL).events or {}
    assert {name: type(found[0]).__name__.removeprefix("ExportMessageEvent") for name, found in events.items()} == {
        "emoji": "Emoji",
        "rating": "Rating",
        "ranking": "Ranking",
        "report": "Report",
        "score": "Score",
        "later": "",
    }


BAD_RECORDS: dict[str, tuple[type[Any], dict[str, Any], tuple[str | int, ...]]] = {
    "no text": (ExportMessageNode, {"message_id": "a", "role": "prompter"}, ("text",)),
    "no id": (ExportMessageNode, {"text": "a", "role": "prompter"}, ("message_id",)),
    "no role": (ExportMessageNode, {"message_id": "a", "text": "a"}, ("role",)),
    "another role": (ExportMessageNode, {"message_id": "a", "text": "a", "role": "system"}, ("role",)),
    "a score past its bounds": (
        ExportMessageNode,
        {**FULL, "events": {"score": [{"type": "score", "score": 2}]}},
        ("events", "score", 0, "score"),
    ),
    "a thread of nothing": (ExportMessageThread, {"thread_id": "a", "thread": []}, ("thread",)),
    "a thread that ends in another message": (
        ExportMessageThread,
        {"thread_id": "b", "thread": [{"message_id": "a", "text": "a", "role": "prompter"}]},
        (),
    ),
}


@pytest.mark.parametrize(("shape", "data", "place"), BAD_RECORDS.values(), ids=BAD_RECORDS)
def test_bad_records(shape: type[Any], data: dict[str, Any], place: tuple[str | int, ...]) -> None:
    """Id, text and role have to be there; roles and scores have bounds; a thread's id is its last message's."""
    with pytest.raises(ValidationError) as caught:
        shape.model_validate(data)
    assert [found for found, _message in faults_of(caught.value, data)] == [place]


MESSAGES = st.builds(
    lambda **fields: {name: value for name, value in fields.items() if value is not None},
    message_id=NAMES,
    parent_id=st.none() | NAMES,
    created_date=st.none() | ZONED.map(lambda moment: moment.isoformat()),
    text=TEXTS,
    role=st.sampled_from(["prompter", "assistant"]),
    rank=st.none() | st.integers(0, 9),
    emojis=st.none() | st.dictionaries(TEXTS, st.integers(0, 9), max_size=2),
    labels=st.none() | st.dictionaries(TEXTS, st.just({"value": 0.5, "count": 1}), max_size=2),
    unknown=JSON,
)


def with_replies(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    """Messages whose replies are of `inner`."""
    return st.builds(lambda one, replies: {**one, "replies": replies}, MESSAGES, st.lists(inner, max_size=3))


@given(data=st.recursive(MESSAGES, with_replies, max_leaves=8))
def test_messages_come_back(data: dict[str, Any]) -> None:
    """Whatever a message holds, without the nulls of fields it left out it is written as it was read."""
    assert json.loads(ExportMessageNode.model_validate(data).model_dump_json(exclude_none=True)) == data


def test_a_tree_needs_its_id_only() -> None:
    """State, prompt and origin of a tree may be left out."""
    assert ExportMessageTree(message_tree_id="a").model_dump(exclude_none=True) == {"message_tree_id": "a"}


def test_messages_from_pydantic_objects() -> None:
    """Records can be made of records: they are Pydantic models as any other."""
    assert oasst.ExportMessageThread(thread_id="a", thread=[message("a")]).thread[0].text == "A"
