"""Elements to data: order, attributes, unknown elements, wrappers, duplicates, inner markup, records."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response import RepairKind, StructuredResponse
from tests.corpus.models import Inner, Outer, Told
from tests.corpus.models import Named2 as Named
from tests.corpus.models import Review6 as Review

REVIEW = StructuredResponse.from_basemodel(Review)
NICE = {"headline": "Nice", "score": 4}


def parsed(inner: str) -> StructuredResponse[Review]:
    """Returns a review of these elements."""
    return REVIEW.parse(f"<review>{inner}</review>")


def kinds(response: StructuredResponse[Any]) -> list[str]:
    """Returns the kinds of the repairs of a response."""
    return [repair.kind.value for repair in response.repairs]


SAME = [
    "<score>4</score><headline>Nice</headline>",
    "<headline type='str' description='&lt;a&gt; \">\"'>Nice</headline><score index = \"0\"\n>4</score  >",
    "<headline>N&#105;ce</headline><score>&#52;</score>",
    "<headline><![CDATA[Nice]]></headline><score><![CDATA[4]]></score>",
    "\r\n\t<headline>\r\n\t\tNice\r\n\t</headline>\r\n\t<score>\r\n4\r\n</score>\r\n",
]


@pytest.mark.parametrize("inner", SAME)
def test_other_spellings_say_the_same(inner: str) -> None:
    """Order, attributes, entities, CDATA and line ends say nothing, so nothing is recorded."""
    read = parsed(inner)
    assert read.to_dict() == NICE
    assert read.repairs == []


RECORDED: list[tuple[str, list[tuple[str, str]]]] = [
    ("<mood>high</mood><headline>Nice</headline><score>4</score>", [("element_skipped", "$")]),
    (
        "<mood><deep a='>'>x</deep></mood><headline>Nice</headline><score>4</score>",
        [("element_skipped", "$")],
    ),
    ("<mood/><headline>Nice</headline><score>4</score>", [("element_skipped", "$")]),
    ("<data><headline>Nice</headline><score>4</score></data>", [("wrapper_entered", "$")]),
    (
        "<a><b><headline>Nice</headline><score>4</score></b></a>",
        [("wrapper_entered", "$"), ("wrapper_entered", "$")],
    ),
    ("<data><headline>Nice</headline></data><score>4</score>", [("wrapper_entered", "$")]),
    (
        "<headline>Nice</headline><note><headline>Bad</headline></note><score>4</score>",
        [("element_skipped", "$")],
    ),
    (
        "<note><headline>Bad</headline></note><headline>Nice</headline><score>4</score>",
        [("element_skipped", "$")],
    ),
    ("Here: <headline>Nice</headline><score>4</score>", [("text_skipped", "$")]),
    (
        "<Head-Line>Nice</Head-Line><SCORE>4</SCORE>",
        [("name_respelled", "$.headline"), ("name_respelled", "$.score")],
    ),
    ("<headline>Nice</headline><score>4</score><score> 4 </score>", [("element_skipped", "$.score")]),
    (
        "<!-- a --><headline>Nice</headline><!-- <score>5</score> --><score>4</score><?pi x?>",
        [("text_skipped", "$")] * 3,
    ),
    ("<headline>Nice<!-- a --></headline><score>4</score>", [("text_skipped", "$.headline")]),
    ("<entry key='headline'>Nice</entry><score>4</score>", [("name_respelled", "$.headline")]),
    ("<headline>Nice</headline><score>+4</score>", [("value_respelled", "$.score")]),
]


@pytest.mark.parametrize(("inner", "expected"), RECORDED)
def test_what_is_passed_over_or_respelled_goes_on_record(inner: str, expected: list[tuple[str, str]]) -> None:
    """Unknown elements, wrappers, stray texts, other names and duplicates leave the data right."""
    read = parsed(inner)
    assert read.to_dict() == NICE
    assert [(repair.kind.value, repair.path) for repair in read.repairs] == expected


@pytest.mark.parametrize("inner", [inner for inner, _expected in RECORDED])
def test_a_record_that_changed_no_data_has_before_equal_to_after(inner: str) -> None:
    """This holds for what was skipped and for wrappers."""
    unchanged = {"element_skipped", "wrapper_entered", "text_skipped"}
    for repair in parsed(inner).repairs:
        if repair.kind == "text_skipped" and repair.path != "$":
            continue
        assert (repair.before == repair.after) is (repair.kind.value in unchanged or not repair.before)


PLACED = [
    ("<mood>high</mood><headline>Nice</headline><score>4</score>", "<mood>high</mood>"),
    ("<headline>é😀</headline> x <score>4</score>", "x"),
    ("<headline>Nice</headline><score>4</score><score>4</score>", "<score>4</score>"),
    ("<headline>Nice</headline><score> +4 </score>", " +4 "),
    ("<headline>Nice</headline><Score>4</Score>", "<Score>"),
]


@pytest.mark.parametrize(("inner", "place"), PLACED)
@pytest.mark.parametrize("before", ["", "Sure 😀é:\r\n", "<b>a < b</b> "])
def test_a_record_points_into_the_reply(inner: str, place: str, before: str) -> None:
    """Spans count the characters of the reply as it came, in any script."""
    reply = f"{before}<review>{inner}</review>"
    (repair,) = REVIEW.parse(reply).repairs
    assert reply[slice(*repair.span)] == place
    assert repair.span[0] == reply.rindex(place)


def test_two_values_for_one_field_are_a_problem() -> None:
    """The field holds nothing, and the problem names both values."""
    reply = "<review><headline>Nice</headline><score>4</score><score>5</score></review>"
    read = REVIEW.parse(reply, strict=False)
    (problem,) = read.problems
    assert (problem.kind, problem.path, problem.candidates) == ("ambiguous", "$.score", ("4", "5"))
    assert problem.span is not None
    assert reply[slice(*problem.span)] == "<score>5</score>"
    assert read.instance.score is None


def test_all_faults_are_reported() -> None:
    """Every bad and every missing value has a problem with its path."""
    read = REVIEW.parse("<review><score>x</score><price>y</price><parts><li></li></parts></review>", strict=False)
    assert {(problem.path, problem.kind.value) for problem in read.problems} == {
        ("$.headline", "missing"),
        ("$.score", "invalid"),
        ("$.price", "invalid"),
        ("$.parts[0].label", "missing"),
        ("$.parts[0].points", "missing"),
    }


def _tree(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = st.sampled_from(("b", "li", "score", "excerpt", "review", "x:y", "é"))
    ends = st.sampled_from(("", " ", "\n", " a='1'", ' b="&lt;>" c=\'"\''))
    return st.builds(lambda tag, end, held: f"<{tag}{end}>{held}</{tag}>".replace("x:y", "x-y"), tags, ends, inner)


INNER = st.recursive(
    st.sampled_from(
        (
            "",
            "a",
            " & ".replace("&", "&amp;"),
            "😀é",
            "\n",
            "&#32;",
            "<br/>",
            "<!-- c -->",
            "<![CDATA[</b>]]>",
        )
    ),
    lambda inner: st.lists(st.one_of(_tree(inner), inner), max_size=3).map("".join),
    max_leaves=6,
)


@given(_tree(INNER), _tree(INNER))
def test_any_well_formed_markup_is_kept(first: str, second: str) -> None:
    """Well-formed markup in a string comes back to the character."""
    read = parsed(f"<headline>Nice</headline><score>4</score><excerpt>{first} {second}</excerpt>")
    assert read.to_dict() == {**NICE, "excerpt": f"{first} {second}"}
    assert read.repairs == []


def test_an_exact_alias_beats_a_folded_name() -> None:
    """`user_name` is the alias of one field, and folds to the name of another."""
    read = StructuredResponse.from_basemodel(Named).parse(
        "<named><user_name>Ann</user_name><username>ann</username><B_>1</B_><B>2</B></named>"
    )
    assert read.to_dict() == {"user": "Ann", "username": "ann", "b": 1, "B": 2}
    assert set(kinds(read)) <= {RepairKind.NAME_RESPELLED.value}


def test_fields_of_an_option_come_in_the_order_of_the_definition() -> None:
    """The order is the same when some of the fields are read by a fast path."""
    filled = StructuredResponse.from_basemodel(Told(given=Outer(item=Inner(entry="\x7f"), entry="b")))
    assert list(filled.parse(str(filled)).to_dict()["given"]) == ["li", "item", "entry"]
