"""Asking again: what is asked for, in how many words, and how what comes back is put into what was right."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from datetime import date
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model, model_validator

from structured_response import Problem, ProblemKind, RepairKind, ReplyError, StructuredResponse
from structured_response.definition import Path, show_path
from structured_response.options import ParseOptions
from structured_response.read import Answer
from structured_response.reask import MAX_ASKED_AGAIN, again, amended
from structured_response.render.xml import to_xml
from tests.laws.test_laws import EXAMPLES, same
from tests.strategies import SUPPORTED, instances


class Part(BaseModel):
    label: str
    points: int = Field(ge=0)


class Card(BaseModel):
    kind: Literal["card"]
    number: int


class Transfer(BaseModel):
    kind: Literal["transfer"]
    iban: str


class Review(BaseModel):
    headline: str
    score: int = Field(ge=1, le=5)
    parts: list[Part]
    by: dict[str, Part] = {}
    payment: Card | Transfer | None = None
    span: tuple[int, date] = (0, date(2024, 1, 1))


RIGHT = """<review>
    <headline>Nice</headline>
    <score>4</score>
    <parts><li><label>a</label><points>1</points></li><li><label>b</label><points>2</points></li></parts>
    <by><entry key='k'><label>c</label><points>3</points></entry></by>
    <payment><card><kind>card</kind><number>7</number></card></payment>
    <span><li>1</li><li>2024-05-06</li></span>
</review>"""
RESPONSE = StructuredResponse.from_basemodel(Review)
WHOLE = RESPONSE.parse(RIGHT).to_basemodel()


def failed(reply: str, response: StructuredResponse[Any] = RESPONSE) -> StructuredResponse[Any]:
    """What could be read of a reply that falls short."""
    with pytest.raises(ReplyError) as caught:
        response.parse(reply)
    assert caught.value.response is not None
    return caught.value.response


# Each with what stands in its place in a good reply, what in a bad one, what is asked for, and what mends it.
BROKEN = {
    "a scalar": ("<score>4</score>", "<score>many</score>", ["score"], "<score>4</score>"),
    "out of bounds": ("<score>4</score>", "<score>9</score>", ["score"], "<score>4</score>"),
    "missing": ("<score>4</score>", "", ["score"], "<score>4</score>"),
    "two at once": (
        "<headline>Nice</headline>\n    <score>4</score>",
        "<score>x</score>",
        ["headline", "score"],
        "<headline>Nice</headline><score>4</score>",
    ),
    "a field of an item": (
        "<points>2</points>",
        "<points>some</points>",
        ["parts", "item_1", "points"],
        "<parts><item_1><points>2</points></item_1></parts>",
    ),
    "a whole item": (
        "<li><label>b</label><points>2</points></li>",
        "<li>[nothing]</li>",
        ["parts", "item_1", "label", "points"],
        "<parts><item_1><label>b</label><points>2</points></item_1></parts>",
    ),
    "an entry": (
        "<points>3</points>",
        "<points>~</points>",
        ["by", "k", "points"],
        "<by><entry key='k'><points>3</points></entry></by>",
    ),
    "an option of a union": (
        "<number>7</number>",
        "<number>~</number>",
        ["payment", "card", "kind", "number", "transfer", "kind", "iban"],
        "<payment><card><kind>card</kind><number>7</number></card></payment>",
    ),
    "a part of a tuple": (
        "2024-05-06",
        "then",
        ["span", "item_1"],
        "<span><item_1>2024-05-06</item_1></span>",
    ),
}


@pytest.mark.parametrize(("good", "bad", "names", "mended"), BROKEN.values(), ids=BROKEN.keys())
def test_what_is_wrong_is_asked_for_alone(good: str, bad: str, names: list[str], mended: str) -> None:
    """The template holds those names and no other, and the answer to it makes the whole right."""
    assert good in RIGHT
    partial = failed(RIGHT.replace(good, bad))
    message = partial.to_reask()
    template = message[message.index("<review>") :]
    assert re.findall(r"<(\w+)", template) == ["review", *names]
    assert partial.amend(f"<review>{mended}</review>").to_basemodel() == WHOLE


@pytest.mark.parametrize(("good", "bad", "names", "mended"), BROKEN.values(), ids=BROKEN.keys())
def test_everything_once_more_is_taken_too(good: str, bad: str, names: list[str], mended: str) -> None:
    """A language model that answers with all of it, as if asked for the first time, is understood."""
    partial = failed(RIGHT.replace(good, bad))
    assert partial.amend(RIGHT).to_basemodel() == WHOLE


@pytest.mark.parametrize(("good", "bad", "names", "mended"), BROKEN.values(), ids=BROKEN.keys())
def test_json_and_bare_fields(good: str, bad: str, names: list[str], mended: str) -> None:
    """The root may be missing, and prose stand around."""
    partial = failed(RIGHT.replace(good, bad))
    assert partial.amend(f"Sorry! Here it is:\n\n{mended}\n\nBetter?").to_basemodel() == WHOLE


def test_what_was_right_is_not_changed() -> None:
    """Of an answer that says other things as well, only what was asked for is taken."""
    partial = failed(RIGHT.replace("<score>4</score>", "<score>many</score>"))
    amended = partial.amend("<review><headline>Another</headline><score>4</score></review>")
    assert amended.to_basemodel() == WHOLE
    assert [repair.kind for repair in amended.repairs] == [RepairKind.ELEMENT_SKIPPED]


class Article(BaseModel):
    title: str
    body: str
    code: str = ""
    marks: list[int] = []
    score: int


ARTICLE = Article(title="Of a lamp", body="One line.\n\n- an item", code="a: b\n\n# c", marks=[1, 2], score=4)
WRITTEN = {
    "xml": str(StructuredResponse.from_basemodel(ARTICLE)),
    "json": ARTICLE.model_dump_json(),
    "yaml": yaml.safe_dump(ARTICLE.model_dump(), sort_keys=False),
    "yaml with blocks": "title: Of a lamp\nbody: |-\n  One line.\n\n  - an item\ncode: |-\n  a: b\n\n  # c\n"
    "marks:\n- 1\n- 2\nscore: 4\n",
}


@pytest.mark.parametrize("is_told", [True, False])
@pytest.mark.parametrize("form", WRITTEN)
def test_a_text_that_was_asked_for_ends_where_the_whole_answer_goes_on(form: str, is_told: bool) -> None:
    """The labels behind it name no field of what was asked for, and are no part of the text."""
    partial = failed(
        "<article><title>Of a lamp</title><code>a: b\n\n# c</code><marks><li>1</li><li>2</li></marks></article>",
        StructuredResponse.from_basemodel(Article),
    )
    told: Any = {"format": form.split(maxsplit=1)[0]} if is_told else {}
    assert partial.amend(WRITTEN[form], **told).to_basemodel() == ARTICLE
    with pytest.raises(ReplyError) as caught:
        partial.amend(WRITTEN[form].replace("4", "many"), **told)
    assert [problem.path for problem in caught.value.problems] == ["$.score"]
    assert caught.value.response is not None
    assert caught.value.response.instance.body == ARTICLE.body


class Loose(BaseModel):
    title: str = ""
    parts: list[Part] = []


def test_a_part_is_not_taken_for_the_whole() -> None:
    """Where everything has a default, a reply with the one item that was asked for looks like all of it."""
    response = StructuredResponse.from_basemodel(Loose)
    items = "<li><label>a</label><points>1</points></li><li><label>b</label><points>~</points></li>"
    partial = failed(f"<loose><title>t</title><parts>{items}</parts></loose>", response)
    with pytest.raises(ReplyError) as caught:
        partial.amend("<loose><parts><li><label>b</label><points>2</points></li></parts></loose>")
    assert caught.value.response is not None
    assert caught.value.response.to_dict()["parts"][0] == {"label": "a", "points": 1}
    assert caught.value.response.instance.title == "t"
    again = f"<loose><title>u</title><parts>{items.replace('~', '2')}</parts></loose>"
    assert partial.amend(again).to_dict()["parts"][1] == {"label": "b", "points": 2}


def test_each_problem_has_its_line() -> None:
    """Path, what is wrong, and what stood there, cut to a length."""
    partial = failed(
        RIGHT.replace("<score>4</score>", f"<score>{'many ' * 50}</score>").replace("2</points>", "</points>")
    )
    lines = [line for line in partial.to_reask().splitlines() if line.startswith("- ")]
    assert [line.partition(":")[0] for line in lines] == ["- $.score", "- $.parts[1].points"]
    assert max(map(len, lines)) < 200
    assert "'many many" in lines[0]


def test_nothing_wrong_is_nothing_to_ask() -> None:
    """A response that is right asks for nothing."""
    assert RESPONSE.parse(RIGHT).to_reask() == ""


def test_an_amendment_may_fall_short_again() -> None:
    """The error's response knows what became right, and asks for the rest."""
    partial = failed(RIGHT.replace("<score>4</score>", "<score>many</score>").replace("2</points>", "~</points>"))
    with pytest.raises(ReplyError) as caught:
        partial.amend("<review><score>4</score><parts><item_1><points>~</points></item_1></parts></review>")
    again = caught.value.response
    assert [problem.path for problem in caught.value.problems] == ["$.parts[1].points"]
    assert again is not None
    assert again.instance.score == 4
    assert "<score" not in again.to_reask()
    assert again.amend("<parts><item_1><points>2</points></item_1></parts>").to_basemodel() == WHOLE


@pytest.mark.parametrize("again", ["", "<parts></parts>", "<parts><li><points>~</points></li></parts>"])
def test_what_does_not_come_is_still_asked_for(again: str) -> None:
    """Nothing of a value whose parts were asked for: those are wrong as they were, and what was right stays."""
    bad = RIGHT.replace("<score>4</score>", "<score>many</score>").replace("2</points>", "~</points>")
    partial = failed(bad)
    with pytest.raises(ReplyError) as caught:
        partial.amend(f"<review><score>4</score>{again}</review>")
    assert [problem.path for problem in caught.value.problems] == ["$.parts[1].points"]
    assert caught.value.response is not None
    assert caught.value.response.instance.parts[1].label == "b"
    assert caught.value.response.amend("<parts><item_1><points>2</points></item_1></parts>").to_basemodel() == WHOLE


def test_not_strict_gives_what_there_is() -> None:
    """With `strict=False` what is still wrong holds None and stands in the problems, under its own path."""
    partial = failed(RIGHT.replace("2</points>", "~</points>"))
    amended = partial.amend("<parts><item_1><points>-1</points></item_1></parts>", strict=False)
    assert amended.instance.parts[1].points is None
    assert [problem.path for problem in amended.problems] == ["$.parts[1].points"]


def test_a_reply_without_any_of_it_changes_nothing() -> None:
    """The error says so, and its response can be asked again as before."""
    partial = failed(RIGHT.replace("<score>4</score>", "<score>many</score>"))
    with pytest.raises(ReplyError, match="no <review> element") as caught:
        partial.amend("I would rather not.")
    assert caught.value.response is partial
    assert [problem.path for problem in caught.value.problems] == ["$", "$.score"]


def test_repairs_of_both_replies_are_kept() -> None:
    """What was mended around the values that stay, and around those that came, each under its path in the whole."""
    partial = failed(
        RIGHT.replace("<headline>Nice", "<headline>Nice &")
        .replace("<points>1</points>", "<points>1 point</points>")
        .replace("<points>2</points>", "<points>~</points>")
    )
    amended = partial.amend("<review><parts><item_1><points>2 points</points></item_1></parts></review>")
    found = [(repair.path, repair.before) for repair in amended.repairs if repair.kind is RepairKind.VALUE_RESPELLED]
    assert found == [("$.parts[0].points", "1 point"), ("$.parts[1].points", "2 points")]


def test_a_response_stays_as_it_is() -> None:
    """Amending makes a new response: the old one can be asked again."""
    partial = failed(RIGHT.replace("2</points>", "~</points>"))
    before = (str(partial), partial.problems, partial.to_reask())
    partial.amend("<parts><item_1><points>2</points></item_1></parts>")
    assert (str(partial), partial.problems, partial.to_reask()) == before


def even(number: int) -> int:
    """A validator that the definition does not know."""
    if number % 2:
        raise ValueError("odd")
    return number


class Range(BaseModel):
    low: int
    high: int

    @model_validator(mode="after")
    def ordered(self) -> Range:
        if self.low > self.high:
            raise ValueError("low is above high")
        return self


class Even(BaseModel):
    numbers: list[Annotated[int, AfterValidator(even)]]
    name: str


def test_what_only_the_model_refuses_is_told_after_amending() -> None:
    """Each place, and None there; the response before keeps what it had."""
    response = StructuredResponse.from_basemodel(Even)
    partial = failed("<even><numbers><li>2</li><li>~</li></numbers></even>", response)
    with pytest.raises(ReplyError) as caught:
        partial.amend("<even><numbers><item_1>3</item_1></numbers><name>a</name></even>")
    assert [(problem.path, problem.found) for problem in caught.value.problems] == [("$.numbers[1]", "3")]
    assert caught.value.response is not None
    assert caught.value.response.to_dict() == {"numbers": [2, None], "name": "a"}
    assert partial.to_dict() == {"numbers": [2, None]}


def test_the_cost_of_amending_grows_with_the_reply() -> None:
    """A list four times as long, refused item by item, takes some four times as long."""
    response = StructuredResponse.from_basemodel(Even)
    partial = failed("<even><name>a</name></even>", response)

    def seconds(count: int) -> float:
        many = "".join(f"<li>{number}</li>" for number in range(count))
        started = time.process_time()
        with pytest.raises(ReplyError):
            partial.amend(f"<even><numbers>{many}</numbers></even>")
        return time.process_time() - started

    seconds(100)
    assert min(seconds(16_000) for _ in range(2)) < 10 * min(seconds(4_000) for _ in range(2))


class Weather(BaseModel):
    city: str
    range: Range


def test_what_a_validator_of_the_whole_refuses_is_asked_for_as_a_whole() -> None:
    """Of an object that is refused nobody can tell which field is wrong; what stands beside it stays."""
    response = StructuredResponse.from_basemodel(Weather)
    partial = failed("<weather><city>Bonn</city><range><low>5</low><high>1</high></range></weather>", response)
    message = partial.to_reask()
    assert "low is above high" in message
    assert "<low" in message and "<high" in message and "<city" not in message
    amended = partial.amend("<weather><range><low>1</low><high>5</high></range></weather>")
    assert amended.to_basemodel() == Weather(city="Bonn", range=Range(low=1, high=5))


def test_the_model_judges_the_whole_again() -> None:
    """A field that is right by itself may make the whole wrong; then the whole is asked for."""
    response = StructuredResponse.from_basemodel(Range)
    partial = failed("<range><low>5</low><high>~</high></range>", response)
    with pytest.raises(ReplyError, match="low is above high") as caught:
        partial.amend("<range><high>1</high></range>")
    assert caught.value.response is not None
    assert re.findall(r"<(\w+)", caught.value.response.to_reask()) == ["range", "low", "high"]


@pytest.mark.parametrize(
    ("reply", "names"),
    [
        (RIGHT[: RIGHT.index("<label>b")], ["parts", "by", "payment", "span"]),
        (RIGHT[: RIGHT.index("<score>")], ["score", "parts", "by", "payment", "span"]),
    ],
)
def test_what_was_cut_off_is_asked_for_with_all_behind_it(reply: str, names: list[str]) -> None:
    """Of a reply that breaks off, the list that was open and every field behind it: what they held is not known."""
    partial = failed(reply)
    template = partial.to_reask().partition("<review>")[2]
    assert re.findall(r"^    <(\w+)", template, re.MULTILINE) == names
    rest = RIGHT[RIGHT.index(f"<{names[0]}>") :]
    assert partial.amend(f"<review>{rest}").to_basemodel() == WHOLE


def test_too_many_items_are_asked_for_as_a_list() -> None:
    """Past the bound, to name each of them would be longer than to ask for the list."""
    response: StructuredResponse[Any] = StructuredResponse.from_type(list[int], "Numbers")
    few = "".join(f"<li>{'x' if number < MAX_ASKED_AGAIN else number}</li>" for number in range(50))
    many = "".join(f"<li>{'x' if number <= MAX_ASKED_AGAIN else number}</li>" for number in range(50))
    assert "<item_19 " in failed(f"<numbers>{few}</numbers>", response).to_reask()
    message = failed(f"<numbers>{many}</numbers>", response).to_reask()
    assert "<li index='0'>" in message
    assert message.count("\n- ") == MAX_ASKED_AGAIN + 1
    assert "- and 1 more" in message


class Odd(BaseModel):
    model_config = ConfigDict(extra="allow")
    by: dict[str, int]
    type: int = Field(alias="kind")


@pytest.mark.parametrize("key", ["a.b", "a[0]", "a b", "$", "1", "Ключ", "item_1", "x:y", "'"])
def test_any_key_of_a_map_can_be_asked_for(key: str) -> None:
    """Keys are whatever the language model made up."""
    response = StructuredResponse.from_basemodel(Odd)
    tag = f'<entry key="{key}">'
    partial = failed(f"<odd><by>{tag}~</entry><entry key='other'>2</entry></by><kind>3</kind></odd>", response)
    amended = partial.amend(f"<odd><by>{tag}1</entry></by></odd>")
    assert amended.to_dict() == {"by": {key: 1, "other": 2}, "type": 3}


def test_extra_fields_stay_and_none_come() -> None:
    """A model that keeps extra fields keeps those of the first reply; a second one adds none."""
    response = StructuredResponse.from_basemodel(Odd)
    partial = failed("<odd><by></by><kind>~</kind><note>first</note></odd>", response)
    amended = partial.amend("<odd><kind>3</kind><note>second</note></odd>")
    assert amended.to_dict() == {"by": {}, "type": 3, "note": "first"}


class Node(BaseModel):
    name: str
    weight: int
    children: list[Node] = []


def test_a_recursive_model_is_asked_for_along_one_path() -> None:
    """Only the steps that lead to the bad value are shown."""
    response = StructuredResponse.from_basemodel(Node)
    leaf = "<node><name>a</name><weight>1</weight><children><li><name>b</name><weight>~</weight></li></children></node>"
    partial = failed(leaf, response)
    assert re.findall(r"<(\w+)", partial.to_reask()) == ["node", "children", "item_0", "weight"]
    amended = partial.amend("<node><children><item_0><weight>2</weight></item_0></children></node>")
    assert amended.to_basemodel() == Node(name="a", weight=1, children=[Node(name="b", weight=2)])


@pytest.mark.parametrize(
    ("kind", "bad"),
    [(int, "~"), (float, "as said"), (bool, "~"), (date, "soon"), (Enum("Colour", ["RED", "GREEN"]), "~")],
)
def test_asking_for_one_of_ten_fields_takes_at_most_a_third_of_the_template(kind: Any, bad: str) -> None:
    """So it is for ten fields of the shortest names and without any description."""
    fields: dict[str, Any] = dict.fromkeys("abcdefghij", (kind, ...))
    response: StructuredResponse[Any] = StructuredResponse.from_basemodel(create_model("M", **fields))
    right = {int: "1", float: "1.5", bool: "true", date: "2024-01-01"}.get(kind, "1")
    for name in fields:
        reply = "".join(f"<{each}>{bad if each == name else right}</{each}>" for each in fields)
        message = failed(f"<m>{reply}</m>", response).to_reask()
        assert len(message) <= len(response.to_prompt()) / 3


@given(st.text(max_size=200), st.text(max_size=200))
def test_whatever_comes_back(bad: str, reply: str) -> None:
    """`amend` returns or raises `ReplyError`, for any two replies."""
    partial = failed(f"<review><score>4</score><headline>{bad}")
    try:
        amended = partial.amend(reply)
    except ReplyError:
        return
    assert isinstance(amended.to_basemodel(), Review)


@pytest.mark.parametrize("reply", [None, b"<a/>", 3])
def test_a_reply_is_a_text(reply: Any) -> None:
    """Anything else is the program's error."""
    with pytest.raises(TypeError, match="a reply is a str"):
        RESPONSE.amend(reply)


@settings(max_examples=EXAMPLES // 5)
@given(st.data())
def test_any_place_of_any_data_can_be_asked_for_again(data: st.DataObject) -> None:
    """For every model and every instance: ask for any of its places, answer that, and the whole is as it was."""
    response: StructuredResponse[Any] = StructuredResponse.from_basemodel(data.draw(instances(SUPPORTED)))
    plan, held = response._plan, response._current()
    places = list(paths_in(held, ()))
    wrong = data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=3))
    problems = [Problem(ProblemKind.INVALID, show_path(path), "wrong") for path in wrong]
    asked = again(plan, held, problems, None)
    assert asked.message(StructuredResponse._of(asked.plan).to_prompt())
    reply = to_xml(asked.plan, part_of(held, asked.places))
    answer = amended(plan, asked, Answer(held), reply, ParseOptions())
    assert not answer.problems
    assert same(StructuredResponse._of(plan, answer)._current(), held)


def paths_in(held: Any, path: Path) -> Iterator[Path]:
    """Every place in a piece of data."""
    yield path
    inner: Any = held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ()
    for step, value in inner:
        yield from paths_in(value, (*path, step))


def part_of(held: Any, places: Any) -> Any:
    """The data of what is asked for again, named as the reduced plan names it."""
    if places is None:
        return held
    return {
        f"item_{step}" if isinstance(step, int) else step: part_of(held[step], inner) for step, inner in places.items()
    }
