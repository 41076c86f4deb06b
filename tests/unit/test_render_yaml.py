"""YAML of instances: block style by PyYAML, which loads back equal whatever the texts hold."""

import json
import math
import sys
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from structured_response import MissingExtraError, StructuredResponse
from structured_response.render import yaml as writer
from structured_response.render.yaml import to_yaml
from tests.strategies import all_texts

WRITTEN: list[tuple[Any, str]] = [
    ({"name": "Jane Doe", "age": 25}, "name: Jane Doe\nage: 25"),
    ({"n": None, "b": True, "f": 1.5, "e": [], "o": {}}, "n: null\nb: true\nf: 1.5\ne: []\no: {}"),
    ({"a": ["x", {"b": 1, "c": 2}]}, "a:\n- x\n- b: 1\n  c: 2"),
    (
        {"a": "yes", "b": "1e5", "c": "none", "d": "2024-01-02", "e": "0o7"},
        "a: 'yes'\nb: '1e5'\nc: 'none'\nd: '2024-01-02'\ne: '0o7'",
    ),
    ({"code": "def f():\n    return 1"}, "code: |-\n  def f():\n      return 1"),
    ({"text": "a: 1\nb: 2"}, "text: |-\n  a: 1\n  b: 2"),
    ({"text": "a\n"}, 'text: "a\\n"'),
    ({"text": "Zoë 😀"}, "text: Zoë 😀"),
    ({"a": "\xa0x", "b": "x\u200b"}, "a: '\xa0x'\nb: 'x\u200b'"),
    ("text", "text"),
    ([], "[]"),
]


@pytest.mark.parametrize(("data", "text"), WRITTEN)
def test_layout(data: Any, text: str) -> None:
    """As PyYAML writes it, without a final line break; lines as blocks, one line however long."""
    assert to_yaml(data) == text
    assert yaml.safe_load(text) == data


def test_long_lines_are_not_folded() -> None:
    """Nor is what stands twice written as an alias."""
    part = {"text": "word " * 50 + "end"}
    assert to_yaml([part, part]).splitlines() == [f"- text: {part['text']}"] * 2


ODD = (
    *(
        "\x85",
        "\u2028",
        "\ufeff",
        "\U000f0000",
        " a",
        "a ",
        "a\n",
        "\na",
        "a\n\n b",
        "a \nb",
        "- a",
        "? ",
        ": ",
        "#",
        "!x",
    ),
    *("---", "...", "|", "~", "=", "<<", "\t", "a\n---\nb", "'", '"', "it's\n"),
)
TEXTS = st.one_of(all_texts(20), st.text(max_size=20), st.sampled_from(ODD))
SCALARS = TEXTS | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none()
DATA = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=8
)


@given(DATA)
def test_what_is_written_loads_back_equal(data: Any) -> None:
    """Whatever the texts hold, names too."""
    text = json.dumps(data)
    if "\\ud8" not in text and "\\udc" not in text:
        assert yaml.safe_load(to_yaml(data)) == data


def test_infinities() -> None:
    """They have words in YAML, and come back."""
    response = StructuredResponse.from_definition("Facts", {"a": {"type": "list", "elements": "float"}})
    written = response.from_dict({"a": [math.inf, -math.inf, math.nan]}).to_yaml()
    assert [str(value) for value in yaml.safe_load(written)["a"]] == ["inf", "-inf", "nan"]
    assert [str(value) for value in response.parse(written).instance.a] == ["inf", "-inf", "nan"]


@pytest.mark.parametrize("text", ["What (str) (required)", "(optional)", "[What - as a string]"])
def test_words_of_a_prompt_are_told_apart(text: str) -> None:
    """They are read as values, which the same words in a signature are not."""
    response = StructuredResponse.from_definition("Facts", {"a": {"type": "str", "description": "What"}})
    assert response.parse(response.from_dict({"a": text}).to_yaml()).to_dict() == {"a": text}


def test_without_pyyaml_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an extra; JSON needs none."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    writer._dump.cache_clear()
    response = StructuredResponse.from_definition("Facts", {"a": {"type": "int"}}).from_dict({"a": 1})
    for write in (response.to_yaml, response.select(exclude=[]).to_yaml_signature, lambda: response.from_yaml("a: 1")):
        with pytest.raises(MissingExtraError, match="formats"):
            write()
    assert response.to_json() == '{\n    "a": 1\n}'
