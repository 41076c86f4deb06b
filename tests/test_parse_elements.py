"""Well-formed answers: elements and attributes at their exact places; anything else, with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response import ReplyError, StructuredResponse
from structured_response.findings import line_and_column
from structured_response.parse.elements import Element, NotWellFormedError, elements_of


def elements(reply: str) -> Element:
    """The root of a reply that is nothing but an answer."""
    return elements_of(reply, (0, len(reply)))


def sources(reply: str, element: Element) -> list[str]:
    """What each element of a tree is in the reply, whole, from the outside in."""
    return [
        reply[slice(*element.span)],
        *(text for child in element.children for text in sources(reply, child)),
    ]


TREES = [
    ("<a><b>x</b><c/></a>", ["<b>x</b>", "<c/>"]),
    ("<a>\r\n <b\n x='1' >é😀</b >\r\n</a>", ["<b\n x='1' >é😀</b >"]),
    (
        "<a><b x='>' y=\"/>\"><c z='<'/></b></a>".replace("'<'", "'&lt;'"),
        ["<b x='>' y=\"/>\"><c z='&lt;'/></b>", "<c z='&lt;'/>"],
    ),
    ("<a><!-- <b> --><b/><![CDATA[<b></a>]]><?pi <b> ?></a>", ["<b/>"]),
    ("<a><b x='it\"s' y=\"it's\"/></a>", ["<b x='it\"s' y=\"it's\"/>"]),
    ("<größe><名前>x</名前></größe>", ["<名前>x</名前>"]),
    ("<a><b x='a/b'/><c x='/'></c></a>", ["<b x='a/b'/>", "<c x='/'></c>"]),
    ("<a xmlns='u' xmlns:y='v'><y:b><c/></y:b></a>", ["<y:b><c/></y:b>", "<c/>"]),
    ("<a>&nbsp;&#0;&#11;<b>&hellip;</b></a>", ["<b>&hellip;</b>"]),
]


@pytest.mark.parametrize(("reply", "inner"), TREES)
def test_elements_have_their_places(reply: str, inner: list[str]) -> None:
    """Each element's span is the characters of the reply from its opening to its closing tag."""
    assert sources(reply, elements(reply)) == [reply, *inner]


def test_inner_places_lie_between_the_tags() -> None:
    """`inner` is what stands between the tags; nothing for an element that closes itself."""
    reply = "<a ><b>x</b><c/></a>"
    root = elements(reply)
    assert [reply[slice(*element.inner)] for element in (root, *root.children)] == ["<b>x</b><c/>", "x", ""]


def test_a_block_is_read_where_it_stands() -> None:
    """Places count from the start of the reply, whatever stands before."""
    reply = "Ä😀\r\n <x> <a><b>1</b></a> </y>"
    start = reply.index("<a>")
    root = elements_of(reply, (start, start + len("<a><b>1</b></a>")))
    assert sources(reply, root) == ["<a><b>1</b></a>", "<b>1</b>"]


@pytest.mark.parametrize(
    ("attributes", "value"),
    [
        ("key='a'", "a"),
        ('key="a"', "a"),
        ("key = 'a'", "a"),
        ("key='a &amp; &lt;b> &#x41;'", "a & <b> A"),
        ("other='key=1' key='a'", "a"),
        ("keys='b' key='a' xkey='c'", "a"),
        ("key=''", ""),
        ('key="it\'s"', "it's"),
        ("other='x'", None),
        ("other=\"key='b'\"", None),
    ],
)
def test_an_attribute_has_its_value(attributes: str, value: str | None) -> None:
    """By its exact name, decoded; a text in another attribute is none."""
    assert elements(f"<a {attributes}/>").attribute("key") == value


BROKEN = [
    ("<a><b>x</a>", 1, "<b> is closed by </a>"),
    ("<a>\n<b>x</a>", 2, "<b> is closed by </a>"),
    ("<a>\n\n  é😀 & b</a>", 3, "bare &"),
    ("<a>x < y</a>", 1, ""),
    ("<a>&bogus;</a>", 1, "bogus"),
    ("<a>", 1, ""),
    ("<a b=c/>", 1, "AttValue"),
    ("<a b='1' b='2'/>", 1, "redefined"),
    ("<a>\x00</a>", 1, ""),
    ("<a>\n\x1b</a>", 2, "Char"),
    ("<a><![CDATA[x</a>", 1, "CData"),
    ("<a><!-- x</a>", 1, "Comment"),
    ("<a>]]></a>", 1, "]]>"),
]


@pytest.mark.parametrize(("reply", "line", "cause"), BROKEN)
def test_what_is_not_well_formed_names_line_and_cause(reply: str, line: int, cause: str) -> None:
    """The error says why, and points into the line where the reader stopped."""
    with pytest.raises(NotWellFormedError) as caught:
        elements(reply)
    assert line_and_column(reply, caught.value.offset)[0] == line
    assert cause.lower() in caught.value.message.lower()


@given(st.text("aé😀\u2028\x85\u3000 ", max_size=8), st.sampled_from(("\n", "\r\n", "")))
def test_columns_count_characters(before: str, line_end: str) -> None:
    """Letters of any width before a fault, in its line or in lines before, move it by one column each."""
    plain, moved = (f"<a>{text}{line_end}{text}<b></c></a>" for text in ("x" * len(before), before))
    places = []
    for reply in (plain, moved):
        with pytest.raises(NotWellFormedError) as caught:
            elements(reply)
        places.append(caught.value.offset)
    assert places[0] == places[1]
    assert plain.index("</c>") <= places[0] <= plain.index("</c>") + len("</c>")


def test_a_reply_error_names_line_column_and_cause() -> None:
    """What a user sees: the place in the whole reply, the cause, and a caret under it."""
    response = StructuredResponse.from_definition("Review", {"score": {"type": "int"}})
    with pytest.raises(ReplyError) as caught:
        response.parse("Ünder\nÄ <review>\n  <score>4</skore>\n</review> so")
    problem = caught.value.problems[0]
    assert problem.kind == "not_well_formed"
    assert problem.span is not None
    assert line_and_column(caught.value.reply, problem.span[0]) == (3, 11)
    assert "(line 3, column 11)" in str(caught.value)
    assert "<score> is closed by </skore>" in str(caught.value)


HOSTILE = [
    '<!DOCTYPE a [<!ENTITY x "boom">]><a>&x;</a>',
    '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "<a>&x;</a>",
]


@pytest.mark.parametrize("reply", HOSTILE)
def test_no_entity_is_resolved(reply: str) -> None:
    """Entities that a reply declares are not known inside the answer, wherever it declares them."""
    response = StructuredResponse.from_definition("A", {"x": {"type": "str"}})
    with pytest.raises(ReplyError) as caught:
        response.parse(reply.replace("&x;", "<x b='1'>&x;</x>"))
    assert "boom" not in str(caught.value.problems[0])
    assert "root:" not in str(caught.value)
