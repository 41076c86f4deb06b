"""The laws: what holds for every model, every instance and every reply. One test, or a few, for each."""

import json
import math
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, Phase, example, given, seed, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from benchmarks.robustness.models import Part
from structured_response import ReplyError, StructuredResponse
from structured_response.data.validators import typed
from structured_response.definition import Plan
from structured_response.findings import Repair, worst_first
from structured_response.options import ParseOptions
from structured_response.read import Answer
from structured_response.read.fast import fast_tree
from structured_response.read.reader import read_carefully
from tests.strategies import (
    CORE,
    SUPPORTED,
    Features,
    Noise,
    all_texts,
    instances,
    models,
    replies,
    reply_lines,
    xml_texts,
)

EXAMPLES = settings().max_examples
"""What the chosen profile gives each law."""

THOROUGH = 10_000
"""Examples from which on every law gets all of them."""


def part(share: int) -> int:
    """A share of the examples, for a law whose examples cost more; all of them where they are to be many."""
    return EXAMPLES if EXAMPLES >= THOROUGH else EXAMPLES // share


PLAIN: Features = CORE | {"nan", "odd_names"}


class Review(BaseModel):
    headline: str = Field(description='A headline: "short" & <plain>')
    score: int
    price: float | None = None
    verdict: Literal["good", "mixed", "bad"]
    pros: list[str] = []
    excerpt: str = ""
    parts: list[Part] = []


REVIEW = StructuredResponse.from_basemodel(Review)


def same(first: Any, second: Any) -> bool:
    """Whether two pieces of data are equal, in types too, with NaN equal to NaN."""
    if isinstance(first, float) and isinstance(second, float):
        return first == second or (math.isnan(first) and math.isnan(second))
    if isinstance(first, dict) and isinstance(second, dict):
        return list(first) == list(second) and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(same, first, second))
    return type(first) is type(second) and bool(first == second)


# Law 1

_SOUP = (
    *(
        "<",
        ">",
        "</",
        "/>",
        "&",
        ";",
        "=",
        "'",
        '"',
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "-",
        "`",
        "```",
        "~~~",
        "\\",
        "\0",
    ),
    *(
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "<!DOCTYPE r [",
        "<?xml version='1.0'?>",
        "]>",
        "<!ENTITY a 'b'>",
    ),
    *(
        "&amp;",
        "&#0;",
        "&#xD800;",
        "&#x110000;",
        "&nbsp;",
        "&bogus;",
        "&#9999999999999999999;",
        "&lt;",
        "&a;",
    ),
    *(
        "<think>",
        "</think>",
        "<reasoning>",
        "</scratchpad>",
        "<li>",
        "</li>",
        "<item>",
        "<entry key='",
        "<entry>",
    ),
    *(
        "\n",
        "\r",
        "\r\n",
        "\t",
        "  ",
        "\u00a0",
        "\u200b",
        "\ufeff",
        "\x0b",
        "\x1b",
        "\ud83d",
        "\udc00",
        "😀",
        "\uffff",
    ),
    *(
        "4",
        "4.5",
        "1e400",
        "-",
        "None",
        "null",
        "true",
        "yes",
        "NaN",
        "good",
        "[value here - as an int]",
        "...",
    ),
    *(" type='null'", " type='str'", " key='a'", " xmlns='u'", " xmlns:x='u'", "x:", " a=b", "R&D", "a < b"),
)


def soup(names: list[str]) -> st.SearchStrategy[str]:
    """Texts made of a definition's own names, of brackets, entities, quotes, fences and what XML forbids."""
    tags = [form for name in names for form in (f"<{name}>", f"</{name}>", f"<{name}", name, f"<{name}/>")]
    pieces = st.one_of(st.sampled_from(tags), st.sampled_from(_SOUP), st.text(max_size=3))
    return st.lists(pieces, max_size=25).map("".join)


@st.composite
def damaged(draw: st.DrawFn, response: StructuredResponse[Any]) -> str:
    """A reply that was whole, with pieces of it left out, doubled, swapped or replaced."""
    pieces = reply_lines(response)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(pieces) - 1))
        pieces[place] = draw(st.sampled_from(("", pieces[place] * 2, pieces[place - 1], pieces[place][:-1], *_SOUP)))
    return "".join(pieces)


def reads_or_says_why(response: StructuredResponse[Any], reply: str) -> None:
    """Holds law 1 for one text: a response or a ReplyError, and no finding outside of the reply."""
    for strict in (True, False):
        spans = [span for span in _found(response, reply, strict) if span is not None]
        assert all(0 <= start <= end <= len(reply) for start, end in spans)


def _found(response: StructuredResponse[Any], reply: str, strict: bool) -> list[tuple[int, int] | None]:
    """The spans of all that parsing found."""
    try:
        read = response.parse(reply, strict=strict)
    except ReplyError as error:
        return _spans_of(error, reply)
    assert not (strict and read.problems)
    assert StructuredResponse.deserialize(read.serialize()) == read
    str(read)  # which takes gaps where strict=False left them
    return [*(repair.span for repair in read.repairs), *(problem.span for problem in read.problems)]


def _spans_of(error: ReplyError, reply: str) -> list[tuple[int, int] | None]:
    assert error.problems
    assert error.reply == reply
    assert all(problem.path in str(error) for problem in worst_first(error.problems)[:5])
    return [problem.span for problem in error.problems]


@settings(max_examples=2 * EXAMPLES)
@example("</review>\\<headline>")  # escaped, cut off, and led by something
@given(soup(["review", "headline", "score", "price", "verdict", "pros", "excerpt", "parts", "label", "points"]))
def test_law_1_soup_is_read_or_a_reply_error(reply: str) -> None:
    """Whatever the text is, parsing it returns or raises ReplyError, with every span inside the reply."""
    reads_or_says_why(REVIEW, reply)


@settings(max_examples=part(6))
@given(st.data(), instances(SUPPORTED))
def test_law_1_damaged_replies_are_read_or_a_reply_error(data: st.DataObject, instance: BaseModel) -> None:
    """For random models too: a whole reply that was damaged, and soup of the model's own names."""
    response = StructuredResponse.from_basemodel(instance)
    reads_or_says_why(response, data.draw(damaged(response)))
    reads_or_says_why(response, data.draw(soup([response._plan.root_name, *response.definition])))


@given(all_texts(60))
def test_law_1_a_reply_error_survives_pickle(text: str) -> None:
    """An error for any text can be sent between processes and still says the same."""
    with pytest.raises(ReplyError) as caught:
        REVIEW.parse(f"<review>{text}")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


# Law 2


def comes_back(instance: BaseModel) -> None:
    """Holds law 2 for one instance."""
    response = StructuredResponse.from_basemodel(instance)
    read = response.parse(str(response))
    assert same(read.to_dict(), response.to_dict())
    assert read.repairs == []
    assert read.problems == []
    assert str(read) == str(response)


@settings(max_examples=part(6))
@given(instances(PLAIN))
def test_law_2_plain_instances_come_back(instance: BaseModel) -> None:
    """What `str` writes of a model of plain fields, `parse` reads back without a repair."""
    comes_back(instance)


@settings(max_examples=part(4))
@given(instances(SUPPORTED))
def test_law_2_instances_come_back(instance: BaseModel) -> None:
    """What `str` writes, `parse` reads back without a repair: every type, every character."""
    comes_back(instance)


@settings(max_examples=part(4))
@given(instances(SUPPORTED))
def test_law_2_models_come_back(instance: BaseModel) -> None:
    """The model that is made of what was read is the one that was written."""
    response = StructuredResponse.from_basemodel(instance)
    read = response.parse(str(response)).to_basemodel()
    assert type(read) is type(instance)
    # As JSON: NaN is not equal to itself, and a Literal[1] may hold True.
    assert unordered(json.loads(read.model_dump_json())) == unordered(json.loads(instance.model_dump_json()))


def unordered(data: Any) -> Any:
    """JSON data with its lists sorted: equal sets may have their items in different orders."""
    if isinstance(data, dict):
        return {key: unordered(value) for key, value in data.items()}
    return sorted(map(unordered, data), key=json.dumps) if isinstance(data, list) else data


@settings(max_examples=part(4))
@given(instances(SUPPORTED))
def test_law_2_serialized_responses_come_back(instance: BaseModel) -> None:
    """What `serialize` wrote, `deserialize` reads back, with the model and without it."""
    response = StructuredResponse.from_basemodel(instance)
    text = response.serialize()
    for again in (
        StructuredResponse.deserialize(text),
        StructuredResponse.deserialize(text, model=type(instance)),
    ):
        assert again == response
        assert same(again.to_dict(), response.to_dict())
        assert again.serialize() == text
        assert again.fingerprint == response.fingerprint
        assert again.to_prompt() == response.to_prompt()


@settings(max_examples=part(4))
@given(instances(SUPPORTED))
def test_law_2_holds_without_the_model(instance: BaseModel) -> None:
    """A response that was deserialized without its model writes the same text and reads it back."""
    response = StructuredResponse.from_basemodel(instance)
    alone = StructuredResponse.deserialize(response.serialize())
    assert same(alone.parse(str(alone)).to_dict(), response.to_dict())


# Law 3


def by_every_path(response: StructuredResponse[Any], data: Any, reply: str) -> None:
    """Holds every reader against the data that the reply was made from."""
    plan = response._plan
    careful, _candidate = read_carefully(plan, reply, ParseOptions())
    assert [str(problem) for problem in careful.problems] == []
    said = typed_data(plan, careful)
    assert same(ordered(response, said), ordered(response, data))
    tree = fast_tree(plan)(reply)
    assert tree is None or same(typed(plan).validate_python(tree), said)


def typed_data(plan: Plan, answer: Answer) -> Any:
    """The data of an answer, typed if it is not yet."""
    return answer.data if answer.is_typed else typed(plan).validate_python(answer.data)


def ordered(response: StructuredResponse[Any], data: Any) -> Any:
    """Data with the keys of each object in one order: that of its elements in a reply says nothing."""
    if isinstance(data, dict):
        return {key: ordered(response, data[key]) for key in sorted(data)}
    return [ordered(response, item) for item in data] if isinstance(data, list) else data


LAW_3: Features = PLAIN | {"discriminated", "maps", "model_unions", "recursive", "tuples", "unions"}
"""What is written as text of its own form is left to law 2."""


@settings(max_examples=part(6))
@given(st.data(), instances(LAW_3))
def test_law_3_every_reader_gives_the_same_data(data: st.DataObject, instance: BaseModel) -> None:
    """Prose, attributes, comments, order, white space, entities and CDATA change nothing, whoever reads."""
    response = StructuredResponse.from_basemodel(instance)
    held = response.to_dict()
    by_every_path(response, held, data.draw(replies(response._plan, held)))


CLEAN = st.builds(Noise, layout=st.booleans(), references=st.booleans(), line_ends=st.sampled_from(("\n", "\r\n")))


@settings(max_examples=part(6))
@given(st.data(), instances(LAW_3))
def test_law_3_the_fast_paths_give_the_same_data(data: st.DataObject, instance: BaseModel) -> None:
    """Replies as clean as the fast paths read them, so that these have their say more often."""
    response = StructuredResponse.from_basemodel(instance)
    held = response.to_dict()
    by_every_path(response, held, data.draw(replies(response._plan, held, CLEAN)))


@given(
    st.fixed_dictionaries(
        {
            "headline": xml_texts(),
            "score": st.sampled_from(("4", " 4 ", "-0", "04", "+4", "4.0", "٤", "", "1" * 5000, "1_0")),
            "price": st.sampled_from(
                ("4", "1e5", "1e400", "NaN", "None", "", " .5", "0x1", "-Infinity", "inf", "1e-400")
            ),
            "verdict": st.sampled_from(("good", " bad\n", "Good", "None", "", "[value here - as an enum]")),
            "excerpt": xml_texts(),
        }
    )
)
def test_law_3_values_in_any_form(texts: dict[str, str]) -> None:
    """Whatever stands in the elements: what the fast paths read and mend, the careful reader reads and mends too."""
    plan = REVIEW._plan
    reply = "<review>" + "".join(f"<{name}>{text}</{name}>" for name, text in texts.items()) + "</review>"
    repairs: list[Repair] = []
    tree = fast_tree(plan)(reply, repairs)
    if tree is not None:
        careful, _candidate = read_carefully(plan, reply, ParseOptions())
        assert careful.repairs == repairs
        assert not careful.problems
        assert same(typed(plan).validate_python(tree), typed_data(plan, careful))


# Law 6 is in tests/slow/test_growth.py

# Law 7

ROOT = Path(__file__).resolve().parents[2]
_PRINTED = part(6)


class Colour(Enum):
    RED = "red"
    BLUE = "blue"
    GREEN = "green"


class Tree(BaseModel):
    name: str
    below: "list[Tree]" = []
    other: "Left | None" = None


class Left(BaseModel):
    right: "Right | None" = None


class Right(BaseModel):
    left: Left | None = None
    tree: Tree | None = None


class Sets(BaseModel):
    """Sets as defaults, as values, and in values of any type, and models that hold each other."""

    tree: Tree | None = None
    words: set[str] = {"alpha", "beta", "gamma", "delta"}
    frozen: frozenset[str] = frozenset(["x", "y", "z"])
    colours: set[Colour] = {Colour.RED, Colour.BLUE, Colour.GREEN}
    pairs: set[tuple[str, int]] = {("a", 1), ("b", 2), ("c", 3)}
    nested: list[frozenset[str]] = [frozenset({"x", "y", "z", "w"})]
    word: Literal["q", "r", "s"] = "q"
    either: int | str | Left = 1
    table: dict[str, int] = {}
    given: set[str]
    anything: Any


def with_sets() -> Iterator[StructuredResponse[Any]]:
    """Responses whose forms the order of a set could get into."""
    words = {"a", "b", "c", "d", "e"}
    yield StructuredResponse.from_basemodel(Sets)
    yield StructuredResponse.from_basemodel(Sets(given=words, anything=[words, {"k": words}]))
    yield StructuredResponse.from_definition("M", {"type": {"type": "int"}, "\u00e9": {"type": "str"}})


def forms_of(response: StructuredResponse[Any]) -> tuple[str, ...]:
    """Everything that is written of a response."""
    return response.fingerprint, response.to_prompt(), str(response), response.serialize()


def print_forms(count: int) -> None:
    """Prints what is written of random models, the same models in every process, and of models with sets."""
    forms = list(map(forms_of, with_sets()))

    @seed(7)
    @settings(
        max_examples=count,
        database=None,
        phases=[Phase.generate],
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data(), models(SUPPORTED))
    def collect(data: st.DataObject, shape: Any) -> None:
        forms.append(forms_of(StructuredResponse.from_basemodel(data.draw(shape.values))))

    collect()
    sys.stdout.write(json.dumps(forms))


def _printing(hash_seed: str) -> subprocess.Popen[str]:
    """Another process, which prints them."""
    return subprocess.Popen(
        [sys.executable, "-c", f"from tests.laws.test_laws import print_forms; print_forms({_PRINTED})"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _forms(process: subprocess.Popen[str]) -> list[Any]:
    """What a process printed."""
    printed, said = process.communicate()
    assert process.returncode == 0, said
    forms: list[Any] = json.loads(printed)
    return forms


@pytest.mark.hypothesis
def test_law_7_every_process_writes_the_same() -> None:
    """Fingerprints, prompts, texts and serialized forms do not depend on how a process hashes."""
    # Both at once. With these seeds each set of `Sets` comes in another order.
    first, second = map(_forms, [_printing("1"), _printing("3")])
    assert len(first) == _PRINTED + len(list(with_sets()))
    assert first == second
