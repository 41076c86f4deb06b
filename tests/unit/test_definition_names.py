"""Names: class names as elements, what is an XML name, names folded for comparison, and paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from structured_response.definition import fold, is_xml_name, show_path, snake_case
from structured_response.definition.names import Path

SNAKES = [
    ("WeatherPrognosis", "weather_prognosis"),
    ("Weather", "weather"),
    ("weather", "weather"),
    ("weatherPrognosis", "weather_prognosis"),
    ("weather_prognosis", "weather_prognosis"),
    ("Weather_Prognosis", "weather_prognosis"),
    ("HTTPServer", "http_server"),
    ("HTTP", "http"),
    ("MyHTTPServer", "my_http_server"),
    ("ServerHTTP", "server_http"),
    ("A", "a"),
    ("AB", "ab"),
    ("ABc", "a_bc"),
    ("Part2", "part2"),
    ("Part2Of3", "part2_of3"),
    ("V2API", "v2_api"),
    ("Page[int]", "page_int"),
    ("Page[list[WebSite]]", "page_list_web_site"),
    ("Pair[int, str]", "pair_int_str"),
    ("Outer.Inner", "outer.inner"),
    ("Two words", "two_words"),
    ("with-dash", "with-dash"),
    ("ns:Name", "ns_name"),
    ("<b>&'\"", "b"),
    ("2Fast", "_2_fast"),
    ("-x", "_-x"),
    ("Größe", "größe"),
    ("ÉtatCivil", "état_civil"),
    ("日本", "日本"),
    ("", "_"),
    ("  ", "_"),
    ("[]", "_"),
    ("\ud800", "_"),
]


@pytest.mark.parametrize(("name", "expected"), SNAKES)
def test_class_name_becomes_snake_case(name: str, expected: str) -> None:
    """A class's name is spelt as an element's; what no element may hold is left out."""
    assert snake_case(name) == expected


@given(st.text())
def test_any_name_becomes_a_name_of_an_element(name: str) -> None:
    """Whatever a class is called, its element has a name that XML allows."""
    assert is_xml_name(snake_case(name))


@given(st.text())
def test_snake_case_is_settled(name: str) -> None:
    """What is in snake case already stays as it is."""
    once = snake_case(name)
    assert snake_case(once) in (once, once.strip("_"))


XML_NAMES = ["a", "A1", "_", "_x", "a-b", "a.b", "a_b", "é", "日本", "x\u0300", "a·", "\U00010000"]
NOT_XML_NAMES = [
    "",
    " ",
    "a b",
    "1a",
    "-a",
    ".a",
    "a:b",
    ":",
    "a<",
    "a&",
    "a'",
    "×",
    "a\n",
    "\u0300x",
    "\ud800",
    "$",
]


@pytest.mark.parametrize("name", XML_NAMES)
def test_name_of_an_element(name: str) -> None:
    """Letters of any script, digits, dots, dashes and underscores make a name."""
    assert is_xml_name(name)


@pytest.mark.parametrize("name", NOT_XML_NAMES)
def test_no_name_of_an_element(name: str) -> None:
    """What begins like no name, or holds a blank, markup or a colon, is none."""
    assert not is_xml_name(name)


def is_name_to_lxml(name: str) -> bool:
    """Whether lxml reads an element of this name."""
    try:
        return str(etree.fromstring(f"<{name}/>".encode()).tag) == name
    except (etree.XMLSyntaxError, UnicodeEncodeError):
        return False


@given(st.text(st.characters(exclude_characters=":/> \t\r\n"), min_size=1, max_size=4))
def test_lxml_agrees_on_names(name: str) -> None:
    """A name is a name exactly where lxml can read an element that has it."""
    assert is_xml_name(name) == is_name_to_lxml(name)


FOLDED_ALIKE = [
    ("overall_rain_prob", "OverallRainProb"),
    ("overall_rain_prob", "overall-rain-prob"),
    ("overall_rain_prob", "Overall Rain Prob"),
    ("overall_rain_prob", "overall.rain.prob"),
    ("overall_rain_prob", "ns:overall_rain_prob"),
    ("overall_rain_prob", "OVERALLRAINPROB"),
    ("_x", "x"),
    ("straße", "STRASSE"),
    ("a\u00a0b", "ab"),
    ("a\u200bb\ufeff", "ab"),
]


@pytest.mark.parametrize(("name", "other"), FOLDED_ALIKE)
def test_names_fold_alike(name: str, other: str) -> None:
    """Case, separators, blanks and a namespace's prefix do not count."""
    assert fold(name) == fold(other)


@pytest.mark.parametrize(("name", "other"), [("a1", "a2"), ("ab", "a+b"), ("a", "b"), ("é", "e"), ("x", "ns:y")])
def test_names_that_differ_stay_apart(name: str, other: str) -> None:
    """Everything else counts."""
    assert fold(name) != fold(other)


@given(st.text())
def test_folding_is_settled(name: str) -> None:
    """A folded name folds to itself."""
    assert fold(fold(name)) == fold(name)


PATHS: list[tuple[Path, str]] = [
    ((), "$"),
    (("a",), "$.a"),
    (("parts", 0, "points"), "$.parts[0].points"),
    ((0,), "$[0]"),
    ((0, 12, "a"), "$[0][12].a"),
    (("a", "b", "c"), "$.a.b.c"),
]


@pytest.mark.parametrize(("path", "expected"), PATHS)
def test_path_is_shown(path: Path, expected: str) -> None:
    """A path is spelt with a dollar, dots and indexes in brackets."""
    assert show_path(path) == expected
