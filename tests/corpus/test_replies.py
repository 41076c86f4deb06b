"""Replies that a language model wrote to real prompts, each with the data that it says."""

from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from benchmarks.replies import RealReply, real_replies
from benchmarks.robustness.systems import plain_data
from benchmarks.robustness.verdict import Reading
from structured_response import ReplyError, StructuredResponse
from tests.conftest import SHARED

REPLIES: list[Any] = [
    pytest.param(reply, id=f"{reply.folder}-{reply.name}")
    for reply in real_replies([SHARED / name for name in ("replies", "replies2")])
]
"""None where the files are not there."""


def as_ruled(reply: RealReply) -> RealReply:
    """Returns a reply with its data; the rules take off a fence that is all of a value, which one file keeps."""
    if (reply.folder, reply.name) != ("replies2", "schema-2"):
        return reply
    expected = deepcopy(reply.expected)
    query = expected["queries"][0]
    query["sql"] = query["sql"].removeprefix("```sql\n").removesuffix("\n```")
    return replace(reply, expected=expected)


def read(reply: RealReply) -> StructuredResponse[Any]:
    """Returns what was read of a reply."""
    return StructuredResponse.from_basemodel(reply.model).parse(reply.reply, strict=False)


@pytest.mark.parametrize("reply", REPLIES)
def test_a_real_reply_is_read(reply: RealReply) -> None:
    """The result is all of its data, or an error if that is right."""
    try:
        found = read(reply)
        reading = Reading(plain_data(found), tuple(problem.path for problem in found.problems))
    except ReplyError:
        reading = Reading(refused=True)
    assert as_ruled(reply).judge(reading).exact, reading


def test_the_replies_are_there(shared: Path) -> None:
    """The other tests would pass without any reply."""
    assert len(REPLIES) == 33, f"in {shared}"


@pytest.mark.parametrize("reply", REPLIES)
def test_the_data_of_a_real_reply_comes_back(reply: RealReply) -> None:
    """It is written, read, stored and read again, with long code and markup."""
    try:
        given = StructuredResponse.from_basemodel(reply.model.model_validate(reply.expected))
    except ValidationError:
        pytest.skip("an error is right, or a part of the data is open")
    again = given.parse(str(given))
    assert (again, again.repairs) == (given, [])
    assert StructuredResponse.deserialize(again.serialize()) == given
