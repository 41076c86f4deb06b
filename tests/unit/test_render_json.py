"""JSON of instances: as `json` writes it, and never what a prompt could have shown."""

import json
import math

import pytest

from structured_response import StructuredResponse
from structured_response.render.json import to_json


def test_layout() -> None:
    """Four blanks, characters as they are."""
    assert to_json({"name": "Zoë", "tags": ["x"]}) == '{\n    "name": "Zoë",\n    "tags": [\n        "x"\n    ]\n}'


@pytest.mark.parametrize(
    "text",
    [
        "What (str) (required)",
        "(optional)",
        "[What - as a string]",
        "as in x (required)",
        "ä (required)",
        '"(required)',
    ],
)
def test_words_of_a_prompt_are_told_apart(text: str) -> None:
    """They load as what they are, and are read as values, which the same words without an escape are not."""
    response = StructuredResponse.from_definition("Facts", {"a": {"type": "str", "description": "What"}})
    written = response.from_dict({"a": text}).to_json()
    assert json.loads(written) == {"a": text}
    assert response.parse(written).to_dict() == {"a": text}


def test_numbers_that_json_has_no_words_for() -> None:
    """They are those of Python's json, and come back."""
    response = StructuredResponse.from_definition("Facts", {"a": {"type": "list", "elements": "float"}})
    written = response.from_dict({"a": [math.inf, -math.inf, math.nan]}).to_json()
    assert [str(value) for value in json.loads(written)["a"]] == ["inf", "-inf", "nan"]
    assert [str(value) for value in response.parse(written, format="json", repair=False).instance.a] == [
        "inf",
        "-inf",
        "nan",
    ]
