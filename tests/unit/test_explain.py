"""Explanations of readings: as text, as HTML, and of several attempts."""

from __future__ import annotations

import pickle
from html.parser import HTMLParser
from typing import Any

import pytest
from pydantic import BaseModel

from structured_response import AskError, InstanceError, ReplyError, StructuredResponse, ask, ask_many
from structured_response.explain import explain, to_html
from structured_response.explain.reading import Reading, bare, pieces
from tests.corpus import ROWS, response_of
from tests.hostile import ATTACKS


class Part(BaseModel):
    """A part of what is read."""

    label: str
    points: int


class Review(BaseModel):
    """What the replies are read as."""

    headline: str
    score: int
    parts: list[Part] = []


ASKED = StructuredResponse.from_basemodel(Review)
TITLE = "<headline>a</headline>"
REPLY = """Sure:
<Review>
  <headline>Bright & cheap
  <score>4 out of 5</score>
  <parts><li><label>lamp</label><points>many</points></li></parts>
</Review>"""


def reading(reply: str) -> Reading:
    """The reading of a reply with problems."""
    return ASKED.parse(reply, strict=False).explain().readings[0]


def test_each_value_has_its_place_and_type() -> None:
    """The place is that of its text in the reply; a default has none."""
    found = {value.path: value for value in reading(REPLY).values}
    said = {path: REPLY[slice(*value.span)].strip() for path, value in found.items() if value.span is not None}
    assert said == {
        ("headline",): "Bright & cheap",
        ("score",): "4 out of 5",
        ("parts", 0, "label"): "lamp",
        ("parts", 0, "points"): "many",
    }
    assert [value.kind for value in found.values()] == ["str", "int", "str", "int"]


def test_pieces_are_the_whole_reply() -> None:
    """They hold each character once, with the findings where they begin."""
    found = list(pieces(reading(REPLY)))
    assert "".join(piece.text for piece in found) == REPLY
    assert [repair.after for piece in found for repair in piece.inserted] == ["</headline>"]
    assert [str(problem) for piece in found for problem in piece.problems] == ["$.parts[0].points: not an int"]
    underlined = "".join(piece.text for piece in found if any(each.path == "$.score" for each in piece.repairs))
    assert underlined == "4 out of 5"


def test_text_has_the_reply_beside_the_data() -> None:
    """A caret is below the beginning of what has a problem, also in a line that is folded."""
    long = REPLY.replace("<parts>", f"<parts><li><label>{'long ' * 40}</label><points>1</points></li>")
    for text in (str(ASKED.parse(REPLY, strict=False).explain()), str(ASKED.parse(long, strict=False).explain())):
        lines = text.split("\n")
        (caret,) = [number for number, line in enumerate(lines) if "^" in line]
        assert lines[caret - 1][lines[caret].index("^") :].startswith("many")
        assert "</headline>" in text  # which the repair put in
        assert "'4 out of 5' -> '4'" in text
        assert "not an int" in text


@pytest.mark.parametrize(
    ("reply", "other"),
    [
        (f"<review>{TITLE} b</headline><score>4</score></review>", ("$.headline", "'a</headline> b'", "'a'")),
        (
            f"<review>{TITLE}<score>1</score></review> or <review>{TITLE}<score>2</score></review>",
            ("$.score", "2", "1"),
        ),
    ],
)
def test_the_next_best_reading_is_shown(reply: str, other: tuple[str, str, str]) -> None:
    """It is the cheapest one of the answer with other data, or else another answer."""
    assert ASKED.parse(reply, strict=False).explain().readings[0].other == (other,)


class Checker(HTMLParser):
    """Collects the tags of a page, and checks that they are paired, that ids are unique and links lead somewhere."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(page)
        assert not self.open
        assert len(self.ids) == len(set(self.ids))
        assert {link.removeprefix("#") for link in self.links} <= set(self.ids)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag != "meta":
            self.open.append(tag)
        given = dict(attrs)
        assert not any(name.startswith("on") for name in given)
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name == "href" and value]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_page_holds_all_and_needs_nothing_else() -> None:
    """Its links are its own, and it has no script and no external file."""
    page = to_html(ASKED.parse(REPLY, strict=False))
    assert not Checker(page).tags & {"script", "img", "link", "iframe", "object"}
    assert "http" not in page.replace("http-equiv", "")
    for text in (
        "Bright &amp; cheap",
        "not an int",
        "4 out of 5",
        "default-src 'none'",
    ):
        assert text in page


@pytest.mark.parametrize("name", sorted(ATTACKS)[::9])
def test_hostile_replies_are_only_text(name: str) -> None:
    """Whatever is in a reply, the page has its own tags only, and the terminal gets no control characters."""
    attack, explained = ATTACKS[name], 0
    for reply in (attack.make(300), attack.make(100).replace("Nice", "<script>alert(1)</script>\x1b[2J\ud800")):
        try:
            explanation = attack.response.parse(reply, strict=False).explain()
        except ReplyError:
            continue
        assert "script" not in Checker(explanation.to_html()).tags
        assert "script" not in Checker(explanation._repr_html_()).tags
        assert "\x1b" not in str(explanation)
        explained += 1
    assert explained or attack.keeps is None


@pytest.mark.parametrize("topic", sorted(ROWS)[::4])
def test_any_reply_of_the_corpus_is_explained(topic: str) -> None:
    """Every form of reply has places within it, and its page is well-formed."""
    explained = 0
    for row in ROWS[topic][::40]:
        try:
            read: Any = response_of(row).parse(row["reply"], strict=False)
        except ReplyError:
            continue
        explanation = read.explain()
        assert "".join(piece.text for piece in pieces(explanation.readings[0])) == row["reply"]
        Checker(explanation.to_html())
        explained += 1
    assert explained


def test_the_reply_is_kept_and_not_serialized() -> None:
    """A response that was not read from a reply has none, and nothing to explain."""
    read = ASKED.parse(REPLY, strict=False)
    assert read.reply == REPLY
    assert StructuredResponse.from_basemodel(Review).from_prompt("<review><headline>a</headline><score>1</score>").reply
    for other in (ASKED, pickle.loads(pickle.dumps(read)), StructuredResponse.deserialize(read.serialize())):
        assert other.reply is None
        with pytest.raises(InstanceError, match="was not read from a reply"):
            other.explain()


def test_attempts_are_explained_as_a_conversation() -> None:
    """Each has its question, its reply and its problems; the last one has its data."""
    replies = ["<review><headline>a</headline><score>many</score></review>", "<review><score>4</score></review>"]
    given = iter(replies)
    result = ask(lambda messages: next(given), "Review this lamp.", Review)
    text, page = str(result.explain()), to_html(result)
    for said in ("Review this lamp.", "^ $.score: not an int", "attempt 2", "<score>4</score>"):
        assert said in text
    Checker(page)


def test_a_question_that_failed_is_explained() -> None:
    """Although there is no response."""
    with pytest.raises(AskError) as caught:
        ask(lambda messages: "no idea", "Review this lamp.", Review, attempts=2)
    assert "no idea" in str(explain(caught.value))
    (failure,) = ask_many(lambda messages: 1 / 0, ["Review this lamp."], Review)  # type: ignore[arg-type,return-value]
    assert isinstance(failure, AskError)
    assert "ZeroDivisionError" in str(explain(failure))  # without any attempt
    with pytest.raises(ReplyError) as failed:
        ASKED.parse("no idea")
    assert "no idea" in str(explain(failed.value))
    Checker(to_html(failed.value))


def test_closing_tags_are_put_in_from_the_inside() -> None:
    """As far as the reply is open, the innermost element is closed first."""
    *_before, last = pieces(reading("<review><headline>a</headline><score>1</score><parts><li><label>q"))
    assert "".join(repair.after for repair in last.inserted) == "</label></li></parts></review>"


def test_a_hostile_reply_is_not_listed_to_its_end() -> None:
    """Of thousands of repairs the first are shown, and the number of the others."""
    reply = f"<review><headline>a</headline><score>1</score>{'<x>1</x>' * 1000}</review>"
    explanation = ASKED.parse(reply, strict=False).explain()
    assert "and 700 more" in str(explanation)
    assert "And 700 more" in explanation.to_html()


def test_places_in_other_replies_are_left_out() -> None:
    """A problem of an earlier reply is listed without a place."""
    problem = ASKED.parse(REPLY, strict=False).problems[0]
    assert bare("another reply", (), [problem]).problems[0].span is None
