"""Reading a reply while it is being written: parts, items, the characters of a text, and the end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field, field_validator

from structured_response import DefinitionError, Part, ReplyError, ReplyStream, RestartedError, StructuredResponse
from tests.hostile import REVIEW


class Step(BaseModel):
    name: str
    minutes: int = Field(ge=0)


class Recipe(BaseModel):
    title: str
    servings: int
    kind: Literal["soup", "cake"] = "soup"
    code: str = ""
    steps: list[Step] = []
    note: str | None = None


ASKED = StructuredResponse.from_basemodel(Recipe)
REPLY = (
    "Here it is:\n```xml\n<recipe>\n<title>Onion soup</title>\n<servings>4</servings>\n<kind>soup</kind>\n"
    "<code>\ndef cook(a):\n    return a < 3\n</code>\n"
    "<steps><li><name>Cut</name><minutes>5</minutes></li><li><name>Cook</name><minutes>20</minutes></li></steps>\n"
    "<note>Serve it hot, with bread</note>\n</recipe>\n```\n"
)
JSON = (
    '```json\n{"title": "Onion soup", "servings": 4, "kind": "soup", "code": "def cook(a):\\n    return a < 3", '
    '"steps": [{"name": "Cut", "minutes": 5}, {"name": "Cook", "minutes": 20}], '
    '"note": "Serve it hot, with bread"}\n```'
)


def chunks(text: str, size: int = 4) -> list[str]:
    """A text in pieces."""
    return [text[start : start + size] for start in range(0, len(text), size)]


def many(count: int) -> str:
    """A reply with so many steps."""
    steps = "".join(f"<li><name>Step {number}</name><minutes>{number}</minutes></li>\n" for number in range(count))
    return f"<recipe><title>Soup</title><servings>4</servings><steps>{steps}</steps></recipe>"


def shown(parts: list[Part[Any]], name: str) -> list[Any]:
    """What the parts show of a field, each value once."""
    found: list[Any] = []
    for part in parts:
        value = part.instance[name]
        if value not in found[-1:]:
            found.append(value)
    return found


# Parts


@pytest.mark.parametrize("reply", [REPLY, JSON], ids=["xml", "json"])
def test_a_text_grows_as_it_comes(reply: str) -> None:
    """Character by character, in its own layout, without the tags around it."""
    titles = shown(list(ASKED.stream(chunks(reply, 1))), "title")
    assert titles[0] is None
    assert titles[-1] == "Onion soup"
    assert len(titles) >= 10
    codes = [code for code in shown(list(ASKED.stream(chunks(reply, 1))), "code") if code]
    assert all(later.startswith(before) for before, later in pairwise(codes))
    assert codes[-1] == "def cook(a):\n    return a < 3"


@pytest.mark.parametrize("reply", [REPLY, JSON], ids=["xml", "json"])
def test_other_values_appear_whole(reply: str) -> None:
    """No half number, and no half choice."""
    parts = list(ASKED.stream(chunks(reply, 1)))
    assert shown(parts, "servings") == [None, 4]
    assert shown(parts, "kind") == [None, "soup"]
    assert {step.minutes for part in parts for step in part.instance.steps or []} == {None, 5, 20}


def test_a_closed_value_is_shown_with_its_closing_tag() -> None:
    """Not later: a progress bar waits for it."""
    stream = ReplyStream(ASKED)
    assert stream.feed("<recipe><servings>4</servings").instance.servings is None
    assert stream.feed(">").instance.servings == 4


def test_an_instance_has_every_field_from_the_beginning() -> None:
    """None where nothing is known, also in objects that are open; a default is not shown before it holds."""
    stream = ReplyStream(ASKED)
    first = stream.feed("Sure! ").instance
    assert dict(first) == dict.fromkeys(Recipe.model_fields)
    part = stream.feed("<recipe><steps><li><name>Cut</name>")
    assert dict(part.instance.steps[0]) == {"name": "Cut", "minutes": None}


def test_a_part_names_the_value_that_is_being_written() -> None:
    """By its path, as problems do; outside of an answer there is none."""
    stream = ReplyStream(ASKED)
    assert stream.feed("Sure:").path is None
    assert stream.feed("<recipe><title>On").path == "$.title"
    assert stream.feed("ion</title><steps><li><name>C").path == "$.steps[0].name"


def test_the_last_part_is_done_and_is_what_parse_returns() -> None:
    """Data, repairs and problems, and the response itself."""
    reply = REPLY.replace("<servings>4", "<servings>about 4")
    *before, last = ASKED.stream(chunks(reply))
    whole = ASKED.parse(reply)
    assert last.done
    assert not any(part.done for part in before)
    assert last.instance == whole.instance
    assert last.repairs == whole.repairs != []
    assert last.response is not None
    assert last.response.to_basemodel() == whole.to_basemodel()


def test_the_end_raises_what_parse_raises() -> None:
    """After the parts; `strict=False` makes it a part with problems."""
    reply = REPLY.replace("<servings>4", "<servings>some")
    parts: list[Part[Any]] = []
    with pytest.raises(ReplyError) as raised:
        parts.extend(ASKED.stream(chunks(reply)))
    assert parts
    assert [problem.path for problem in raised.value.problems] == ["$.servings"]
    last = list(ASKED.stream(chunks(reply), strict=False))[-1]
    assert last.instance.servings is None
    assert [problem.path for problem in last.problems] == ["$.servings"]


def test_a_problem_is_shown_with_its_value() -> None:
    """A value that is no number is a problem as soon as it is closed, and a spelling that was mended is a repair."""
    stream = ReplyStream(ASKED)
    part = stream.feed("<recipe><servings>some</servings><steps><li><minutes>5 min</minutes></li></steps>")
    assert [problem.path for problem in part.problems] == ["$.servings"]
    assert [repair.path for repair in part.repairs] == ["$.steps[0].minutes"]


def test_what_is_fixed_is_complete() -> None:
    """A value whose decision no later tag can change; at the end, all of them."""
    parts = list(ASKED.stream(chunks(many(60), 20)))
    assert parts[0].complete == frozenset()
    some = next(part for part in parts if "$.steps[3]" in part.complete)
    assert {"$.title", "$.servings", "$.steps[3].name", "$.steps[0]"} <= some.complete
    assert "$.steps" not in some.complete
    assert {"$", "$.steps", "$.steps[59].minutes"} <= parts[-1].complete


def test_parts_share_what_has_not_changed() -> None:
    """A closed object is one object in all parts that hold it."""
    stream = ReplyStream(ASKED)
    first = stream.feed("<recipe><steps><li><name>Cut</name><minutes>5</minutes></li><li><name>Coo").instance
    second = stream.feed("k it for long").instance
    assert first.steps[0] is second.steps[0]
    assert first.steps[1].name == "Coo"


def test_a_second_answer_restarts() -> None:
    """One part says so; what it shows begins anew."""
    draft = "<recipe><title>Draft</title><servings>1</servings></recipe>\nBetter:\n"
    parts = list(ASKED.stream(chunks(draft + REPLY)))
    restarted = [number for number, part in enumerate(parts) if part.restarted]
    assert len(restarted) == 1
    assert parts[restarted[0]].instance.title != "Draft"
    assert parts[-1].instance.title == "Onion soup"


def test_reasoning_is_not_shown() -> None:
    """A draft inside of it is no answer."""
    thought = "<think>Perhaps <recipe><title>No</title><servings>1</servings></recipe></think>\n"
    parts = list(ASKED.stream(chunks(thought + REPLY)))
    assert not any(part.restarted for part in parts)
    assert shown(parts, "title")[1] == "O"


@pytest.mark.parametrize(
    "reply",
    [
        "<title>Onion soup</title>\n<servings>4</servings>",
        "<recipe><title>Onion soup<servings>4</servings></recipe>",
        "<Recipe><Title>Onion soup</Title><servings>4</serving></Recipe>",
        '{"recipe": {"title": "Onion soup", servings: 4,}}',
        "{'title': 'Onion soup', 'servings': 4}",
        "title: Onion soup\nservings: 4",
    ],
    ids=["no root", "no closing tag", "other names", "sloppy JSON", "odd quotes", "lines"],
)
def test_damaged_replies_end_as_parse_reads_them(reply: str) -> None:
    """Whatever was shown before."""
    for size in (1, 3, len(reply)):
        last = list(ASKED.stream(chunks(reply, size)))[-1]
        assert (last.instance.title, last.instance.servings) == ("Onion soup", 4)


@pytest.mark.parametrize(
    ("reply", "before"),
    [
        ("<recipe><title>Soup <b>of</b> onions", "Soup <b>of</b> onions"),
        ("<recipe><title>Soup & br", "Soup & br"),
        ("<recipe><title>Soup &amp; br", "Soup"),
        ("<recipe><title>Soup <!-- on", "Soup"),
        ("<recipe><title>Soup <servings", "Soup"),
        ("<recipe><title>Soup </tit", "Soup"),
        ("<recipe><title>```\nSoup", None),
        ("<recipe><title>\n    Soup\n    of", None),
        ("<recipe><title>\nSoup\n    of", "Soup\n    of"),
        ('{"title": "Soup \\"of\\" on', 'Soup "of" on'),
        ('{"title": "Soup \\u00e', "Soup "),
        ('{"title": "Soup \\nabla', "Soup "),
        ('{"title": "Soup "of', "Soup "),
    ],
)
def test_what_could_still_change_is_held_back(reply: str, before: str | None) -> None:
    """A reference, a comment, a tag of the definition, an indentation, a fence, an escape, a quote."""
    assert ReplyStream(ASKED).feed(reply).instance.title == before


def test_a_word_that_may_be_null_is_held_back() -> None:
    """A text that may be null is shown once it is longer than any such word."""
    stream = ReplyStream(ASKED)
    assert stream.feed("<recipe><note>non").instance.note is None
    assert stream.feed("e of the usual things").instance.note == "none of the usual things"


def test_pieces_have_to_be_texts() -> None:
    """Bytes are not decoded, since a piece may end inside of a character."""
    with pytest.raises(TypeError, match="a piece of a reply is a str, not bytes"):
        list(ASKED.stream([b"x"]))  # type: ignore[list-item]


def test_options_are_those_of_parse() -> None:
    """Unknown ones are refused before the first piece."""
    with pytest.raises(TypeError, match="is not an option"):
        list(ASKED.stream([], speed=9))  # type: ignore[call-arg]
    yaml = "title: Soup\nservings: 4\n"
    assert list(ASKED.stream(chunks(yaml), format="yaml"))[-1].instance.servings == 4


def test_a_stream_can_be_driven_by_hand() -> None:
    """`feed` and `close`, for a loop of one's own; the text so far is kept."""
    stream = ReplyStream(ASKED)
    for chunk in chunks(REPLY):
        stream.feed(chunk)
    assert stream.text == REPLY
    assert stream.close().instance.title == "Onion soup"


def test_roots_of_every_kind() -> None:
    """A list, a text, a map and a union are shown as they grow."""
    steps = StructuredResponse.from_type(list[Step])
    part = ReplyStream(steps).feed("<steps><li><name>Cut</name><minutes>5</minutes></li><li><name>Co")
    assert [step.name for step in part.instance] == ["Cut", "Co"] or part.instance == []
    ages = StructuredResponse.from_type(dict[str, int], "Ages")
    assert ReplyStream(ages).feed('{"ada": 36, "bob": 4').instance == {"ada": 36}
    story = StructuredResponse.from_type(str, "Story")
    assert ReplyStream(story).feed("<story>Once upon a").instance == "Once upon a"


@pytest.mark.parametrize(
    "reply",
    [
        "<review><parts><parts></parts></<when><verdict>good</verdict><parts><li><label>lid</label><points>3</points></li>",
        "<review><parts><parts><parts><verdict>good</verdict><parts><li><label>lid</label><points>3</price></li></parts>",
    ],
)
def test_lists_inside_of_lists_of_their_name(reply: str) -> None:
    """Whatever they turn out to be, they are shown as one, and nothing raises."""
    for size in (1, 2, 9):
        stream = ReplyStream(REVIEW, strict=False)
        for chunk in chunks(reply, size):
            stream.feed(chunk).instance.to_dict()
        assert stream.text == reply


def test_a_container_that_may_be_null_is_shown_once_it_holds_something() -> None:
    """No empty card appears for a null."""

    class Person(BaseModel):
        name: str
        home: Step | None = None
        tags: list[str] | None = None

    asked = StructuredResponse.from_basemodel(Person)
    for reply in ('{"name": "Ann", "home": null, "tags": null}', "<person><name>Ann</name><home>null</home></person>"):
        parts = list(asked.stream(chunks(reply, 1)))
        assert {repr((part.instance.home, part.instance.tags)) for part in parts} == {"(None, None)"}
        assert not any(part.restarted for part in parts)


def test_a_list_that_is_spread_over_elements_is_plain_data() -> None:
    """Its part of an early instance can be written like any other."""
    reply = "<recipe><title>Soup</title><servings>4</servings><step><name>Cut</name></step><step><name>Cook</name>"
    part = ReplyStream(ASKED).feed(reply)
    assert part.instance.to_dict()["steps"] == [{"name": "Cut", "minutes": None}, {"name": "Cook", "minutes": None}]
    assert type(part.instance.to_dict()["steps"][0]) is dict


def test_characters_are_given_once_although_a_text_goes_on() -> None:
    """A string that seemed closed continues where it was."""
    reply = '{"title": "Onion "soup" is <b>hot</b>", "servings": 4, "code": "x"}'
    for size in (1, 2, 3, 5, 8):
        assert "".join(ASKED.text(chunks(reply, size), "title", on_restart=list)).endswith("</b>")
    draft = [
        "<recipe><title>Stew</title><servings>1</servings></recipe> No: ",
        "<recipe><title>Stew with",
        " rice</title>",
    ]
    assert "".join(ASKED.text([*draft, "<servings>2</servings></recipe>"], "title")) == "Stew with rice"


# Closing


def test_closing_the_iterator_closes_the_pieces() -> None:
    """The request behind them ends when nobody wants the rest."""
    closed: list[str] = []

    def pieces() -> Iterator[str]:
        try:
            yield from chunks(REPLY)
        finally:
            closed.append("closed")

    parts = ASKED.stream(pieces())
    next(parts)
    parts.close()  # type: ignore[attr-defined]
    assert closed == ["closed"]


def test_an_error_of_the_pieces_passes_through() -> None:
    """A connection that breaks is not the reply's end."""

    def pieces() -> Iterator[str]:
        yield "<recipe>"
        raise ConnectionError("gone")

    with pytest.raises(ConnectionError, match="gone"):
        list(ASKED.stream(pieces()))


# Items


def test_items_come_validated_once_they_are_fixed() -> None:
    """As instances of their own model, the first ones long before the end."""
    taken: list[str] = []

    def pieces() -> Iterator[str]:
        for chunk in chunks(many(60), 20):
            taken.append(chunk)
            yield chunk

    items = ASKED.items(pieces(), "steps")
    assert next(items) == Step(name="Step 0", minutes=0)
    assert len(taken) < len(chunks(many(60), 20)) * 2 // 3
    assert list(items) == [Step(name=f"Step {number}", minutes=number) for number in range(1, 60)]


def test_items_of_short_answers_come_at_the_end() -> None:
    """Their decisions are open until then."""
    assert list(ASKED.items(chunks(JSON), "$.steps")) == [Step(name="Cut", minutes=5), Step(name="Cook", minutes=20)]


def test_an_item_that_does_not_validate_waits_for_the_end() -> None:
    """Which says what is wrong with it; the items in front of it were given."""
    given: list[Step] = []
    with pytest.raises(ReplyError) as raised:
        given.extend(ASKED.items(chunks(many(90).replace("<minutes>9<", "<minutes>-9<")), "steps"))
    assert [step.minutes for step in given] == list(range(9))
    assert raised.value.problems[0].path == "$.steps[9].minutes"


def test_items_without_a_model_are_boxes() -> None:
    """Of a definition that was built by hand or restored."""
    asked = StructuredResponse.deserialize(ASKED.serialize())
    assert [step.name for step in asked.items(chunks(REPLY), "steps")] == ["Cut", "Cook"]


@pytest.mark.parametrize("path", ["title", "nothing", "steps[0]", "$"])
def test_items_need_a_list(path: str) -> None:
    """A path that leads to none is an error of the program, before the first piece."""
    with pytest.raises(DefinitionError, match="there is no list at"):
        ASKED.items([], path)


def draft() -> list[str]:
    """A long draft, and the answer that takes its place."""
    return chunks(many(60) + "\nBetter:\n" + many(3).replace("Step", "New"), 50)


def test_items_of_a_draft_raise() -> None:
    """What was given is on the error."""
    with pytest.raises(RestartedError) as raised:
        list(ASKED.items(draft(), "steps"))
    assert raised.value.path == "$.steps"
    assert raised.value.given[0] == Step(name="Step 0", minutes=0)


def test_what_is_taken_back_restarts_where_another_answer_begins_too() -> None:
    """The tag that takes back a headline is the one behind which the next answer is looked for."""
    stream, shown = ReplyStream(REVIEW, strict=False), ""
    for character in "<review><think><headline/><entry><headline><review><verdict><scor>":
        part = stream.feed(character)
        headline = (part.instance and part.instance.headline) or ""
        assert part.restarted or headline.startswith(shown)
        shown = headline


def test_a_program_can_take_a_restart() -> None:
    """`on_restart` is called, and the items of the answer follow."""
    given: list[Any] = []
    given.extend(ASKED.items(draft(), "steps", on_restart=given.clear))
    assert [step.name for step in given] == ["New 0", "New 1", "New 2"]


def test_a_change_elsewhere_is_no_restart_of_a_list_or_a_text() -> None:
    """Only what was given counts: here the model refuses another field at the end."""
    reply = many(60).replace("<servings>4", "<servings>-4")
    low = StructuredResponse.from_basemodel(Low)
    assert "".join(low.text(chunks(reply), "title", strict=False)) == "Soup"
    assert len(list(low.items(chunks(reply), "steps", strict=False))) == 60


class Low(Recipe):
    servings: int = Field(ge=0)


def test_an_item_that_is_kept_although_it_is_bad_is_a_box() -> None:
    """With None for its bad value, as in the instance."""
    reply = many(3).replace("<minutes>1<", "<minutes>many<")
    items = list(ASKED.items(chunks(reply), "steps", on_bad_item="keep"))
    assert [item.minutes for item in items] == [0, None, 2]


# The characters of a text


@pytest.mark.parametrize("size", [1, 5, 1_000])
@pytest.mark.parametrize("reply", [REPLY, JSON], ids=["xml", "json"])
def test_a_text_can_be_shown_to_a_person(reply: str, size: int) -> None:
    """Its characters, exactly once each, and those of no other field."""
    pieces = list(ASKED.text(chunks(reply, size), "code"))
    assert "".join(pieces) == "def cook(a):\n    return a < 3"
    assert len(pieces) > 5 or size > 1


def test_a_text_in_an_item() -> None:
    """By its path."""
    assert "".join(ASKED.text(chunks(REPLY), "steps[1].name")) == "Cook"


def test_what_was_held_back_of_a_text_comes_with_its_tag() -> None:
    """Not with the next one."""
    stream = iter(["<recipe><title>Soup</title>", "<note>", "Hot", "</note>", "<servings>4</servings></recipe>"])
    assert next(ASKED.text(stream, "note")) == "Hot"
    assert next(stream) == "<servings>4</servings></recipe>"


@pytest.mark.parametrize("tag", ["<note>", "<note >", "<Note>"])
def test_a_placeholder_is_never_shown(tag: str) -> None:
    """Neither while it comes nor with its closing tag, be that plain or not."""
    reply = f"<recipe><title>Stew</title>{tag}[value here - as a string]</note><servings>4</servings></recipe>"
    parts = list(ASKED.stream(chunks(reply, 1)))
    assert {part.instance.note for part in parts} == {None}
    assert not any(part.restarted for part in parts)


def test_a_field_that_was_foreseen_may_turn_out_to_be_part_of_a_text() -> None:
    """A later part says so."""
    reply = "<recipe><title>see </title>\n<servings>4</servings> in <title>x</title></title><steps></steps></recipe>"
    parts = list(ASKED.stream(chunks(reply, 1), strict=False))
    whole = ASKED.parse(reply, strict=False)
    assert parts[-1].instance == whole.instance
    assert parts[-1].instance == parts[-2].instance or parts[-1].restarted


def test_a_text_ends_with_its_tag() -> None:
    """Not with the reply."""
    stream = iter(chunks("<recipe><title>Onion soup &amp; bread</title><servings>4</servings></recipe>", 1))
    text = ASKED.text(stream, "title")
    given = ""
    while not given.endswith("bread"):
        given += next(text)
    assert given == "Onion soup & bread"
    assert "".join(stream) == "<servings>4</servings></recipe>"


def test_the_text_of_a_draft_raises() -> None:
    """Unless the program takes the restart."""
    replies = chunks("<recipe><title>Draft</title><servings>1</servings></recipe> Better: " + REPLY)
    with pytest.raises(RestartedError, match="draft"):
        list(ASKED.text(replies, "title"))
    given: list[str] = []
    given.extend(ASKED.text(replies, "title", on_restart=given.clear))
    assert "".join(given) == "Onion soup"


@pytest.mark.parametrize("path", ["servings", "steps", "steps[0]", "no"])
def test_a_text_needs_a_text(path: str) -> None:
    """Other values have no characters to show."""
    with pytest.raises(DefinitionError, match="there is no text at"):
        ASKED.text([], path)


# With async


async def later(reply: str) -> AsyncIterator[str]:
    """The pieces of a reply, as a server sends them."""
    for chunk in chunks(reply):
        await asyncio.sleep(0)
        yield chunk


def test_async_streams() -> None:
    """Parts, items and texts, of async pieces and of plain ones."""

    async def read() -> None:
        parts = [part async for part in ASKED.astream(later(REPLY))]
        assert parts[-1].instance == ASKED.parse(REPLY).instance
        assert [item async for item in ASKED.aitems(later(JSON), "steps")] == list(ASKED.items(chunks(JSON), "steps"))
        assert "".join([piece async for piece in ASKED.atext(later(REPLY), "title")]) == "Onion soup"
        assert [part.done async for part in ASKED.astream(chunks(REPLY))][-1]

    asyncio.run(read())


def test_closing_an_async_stream_closes_its_pieces() -> None:
    """The request ends with it."""
    closed: list[str] = []

    async def pieces() -> AsyncIterator[str]:
        try:
            async for chunk in later(REPLY):
                yield chunk
        finally:
            closed.append("closed")

    async def read() -> None:
        parts = ASKED.astream(pieces())
        await anext(parts)
        await parts.aclose()  # type: ignore[attr-defined]
        assert closed == ["closed"]

    asyncio.run(read())


# Validators


def test_items_are_validated_with_the_context() -> None:
    """As the whole answer is."""

    class Word(BaseModel):
        text: str

        @field_validator("text")
        @classmethod
        def known(cls, text: str, info: Any) -> str:
            assert info.context == {"known": True}
            return text.upper()

    class Words(BaseModel):
        words: list[Word]

    asked = StructuredResponse.from_basemodel(Words)
    reply = "<words><words>" + "".join(f"<li><text>w{number}</text></li>" for number in range(80)) + "</words></words>"
    given = list(asked.items(chunks(reply), "words", context={"known": True}))
    assert [word.text for word in given] == [f"W{number}" for number in range(80)]


class Lamp(BaseModel):
    a: int = 3
    b: str | None = None
    tags: list[str] = []


class Room(BaseModel):
    kind: str = ""
    inner: Lamp = Lamp()
    either: int | Lamp = 4


@pytest.mark.parametrize(
    "reply",
    [
        "<room><either type='union'><int>2</int>\n or\n <</a>lamp type='dict'>\n <a>ok</a>\n ",
        "<room><kind>ok</kind><a>1<inner><a>1</a><b>tw</a><b>two</b><t<inner><a>1</a><b>two</b><t",
    ],
    ids=["both options of a union", "fields in each other"],
)
def test_a_damaged_reply_is_shown_like_any_other(reply: str) -> None:
    """Whatever its elements turn out to be, the last part has the data of the whole."""
    response = StructuredResponse.from_basemodel(Room)
    *_, last = response.stream(iter(reply), strict=False)
    assert last.instance == response.parse(reply, strict=False).instance
