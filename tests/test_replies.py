"""What a language model really wrote: recorded replies, each with the data that it says."""

import importlib.util
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pydantic import BaseModel

from structured_response import StructuredResponse
from tests.conftest import SHARED

REPLIES = sorted(path.stem for path in (SHARED / "replies").glob("*-*.json"))
"""The names of the replies, none where the files are not there."""


@cache
def _models(folder: Path) -> Any:
    spec = importlib.util.spec_from_file_location("reply_models", folder / "reply_models.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _asked(folder: Path, name: str) -> StructuredResponse[Any]:
    model: type[BaseModel] = getattr(_models(folder), name.partition("-")[0])
    return StructuredResponse.from_basemodel(model)


def _is_well_formed(reply: str, root: str) -> bool:
    """Whether lxml by itself reads the outermost element of that name."""
    try:
        etree.fromstring(reply[reply.index(f"<{root}>") : reply.rindex(f"</{root}>") + len(root) + 3])
    except etree.XMLSyntaxError:
        return False
    return True


def test_the_recorded_replies_are_there(shared: Path) -> None:
    """Twelve of them, some well-formed and some not."""
    assert len(REPLIES) == 12
    sorts = {
        _is_well_formed(_reply(shared, name), _asked(shared / "replies", name)._plan.root_name) for name in REPLIES
    }
    assert sorts == {True, False}


def _reply(shared: Path, name: str) -> str:
    return (shared / "replies" / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPLIES)
def test_a_recorded_reply_is_read(shared: Path, name: str) -> None:
    """Each gives its data to the character, well-formed or not. Where it is well-formed, nothing had to be mended."""
    response, reply = _asked(shared / "replies", name), _reply(shared, name)
    said = json.loads((shared / "replies" / f"{name}.json").read_text(encoding="utf-8"))
    read = response.parse(reply)
    assert read.to_dict() == said
    assert read.to_basemodel().model_dump(mode="json") == said
    if _is_well_formed(reply, response._plan.root_name):
        assert read.repairs == []


@pytest.mark.parametrize("name", REPLIES)
def test_the_data_of_a_recorded_reply_comes_back(shared: Path, name: str) -> None:
    """What a reply says can be written, read, stored and read again, long code and markup in it."""
    response = _asked(shared / "replies", name)
    said = json.loads((shared / "replies" / f"{name}.json").read_text(encoding="utf-8"))
    given = StructuredResponse.from_basemodel(response._plan.model.model_validate(said))
    again = response.parse(str(given))
    assert again.to_dict() == said
    assert again.repairs == []
    assert StructuredResponse.deserialize(again.serialize()).to_dict() == said
