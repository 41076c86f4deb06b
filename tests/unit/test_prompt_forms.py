"""One method for what goes to a language model, whatever the format."""

from typing import Any

import pytest
import yaml
from pydantic import BaseModel, Field

from structured_response import StructuredResponse


class Part(BaseModel):
    label: str


class Review(BaseModel):
    headline: str
    parts: list[Part] = Field(default=[], description="What was\nlooked at")


RESPONSE = StructuredResponse.from_basemodel(Review)


def test_a_prompt_is_the_form_and_its_notes() -> None:
    """JSON has no comments, so its notes stand behind; a YAML prompt is YAML as a whole."""
    note = "parts: What was\nlooked at (optional)"
    assert RESPONSE.to_prompt("json") == f"{RESPONSE.to_json_signature()}\n\n{note}"
    assert RESPONSE.to_prompt("yaml") == "# parts: What was\n# looked at (optional)\n" + RESPONSE.to_yaml_signature()
    assert yaml.safe_load(RESPONSE.to_prompt("yaml")) == yaml.safe_load(RESPONSE.to_yaml_signature())
    assert RESPONSE.to_prompt("schema") == RESPONSE.to_schema_str()
    assert RESPONSE.to_prompt("xml") == RESPONSE.to_prompt()


def test_without_notes_it_is_the_signature() -> None:
    """And nothing else."""
    plain = StructuredResponse.from_basemodel(Part)
    assert plain.to_prompt("json") == plain.to_json_signature()
    assert plain.to_prompt("yaml") == plain.to_yaml_signature()


@pytest.mark.parametrize(("form", "word"), [("xml", "XML"), ("json", "JSON"), ("yaml", "YAML"), ("schema", "JSON")])
def test_instructions_name_the_format(form: Any, word: str) -> None:
    """In front, then the form, then the examples."""
    prompt = RESPONSE.to_prompt(form, instructions=True, examples=[{"headline": "x"}])
    parts = prompt.split("\n\n")
    assert word in parts[0].partition("\n")[0]
    assert prompt.index(parts[0]) < prompt.index(RESPONSE.to_prompt(form)) < prompt.index("Example 1")


@pytest.mark.parametrize("form", ["toml", "", None, "XML"])
def test_another_format_is_an_error(form: Any) -> None:
    """That names the four."""
    with pytest.raises(ValueError, match="'xml', 'json', 'yaml', 'schema'"):
        RESPONSE.to_prompt(form)


@pytest.mark.parametrize("asked", ["xml", "json", "yaml", "schema"])
@pytest.mark.parametrize(
    "reply",
    [
        "<review><headline>x</headline></review>",
        '{"headline": "x"}',
        "headline: x",
        'Sure!\n```json\n{"headline": "x"}\n```',
        "```yaml\nheadline: x\nparts: []\n```",
    ],
)
def test_whatever_was_asked_any_answer_is_read(asked: Any, reply: str) -> None:
    """The prompt that was made changes nothing."""
    response = StructuredResponse.from_basemodel(Review)
    response.to_prompt(asked)
    assert response.parse(reply).to_basemodel() == Review(headline="x")
