"""Every character of an answer is markup, a value, layout or left over, exactly once; what is left is on record."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.options import ParseOptions
from structured_response.read.account import Account
from structured_response.read.build import Element, Tree
from structured_response.read.candidates import candidates_in
from structured_response.read.grammar import grammar_of
from structured_response.read.unions import read_tree
from tests.corpus.models import Part4 as Part


class Review(BaseModel):
    headline: str
    score: int
    verdict: Literal["good", "bad"] = "good"
    pros: list[str] = []
    parts: list[Part] = []
    votes: dict[str, int] = {}


PIECES = (
    "<review>", "</review>", "<headline>", "</headline>", "<score>", "4", "</score>", "<verdict>good</verdict>",
    "<pros>", "</pros>", "<li>", "</li>", "<parts>", "</parts>", "<label>", "</label>", "<points>7</points>",
    "<votes>", "<entry key='a'>", "</entry>", "</votes>", "<x>", "</x>", "<!-- c -->", "Nice", "score: 5", "\n", " & ",
    "<b>bold</b>", "<headline/>",
)  # fmt: skip


def whole(piece: str, inside: str) -> str:
    """A text between tags."""
    return f"<{piece}>{inside}</{piece}>"


DAMAGED = st.lists(st.sampled_from(PIECES), max_size=30).map(lambda pieces: whole("review", "".join(pieces)))


def covered(tree: Tree) -> list[tuple[int, int]]:
    """The stretches of an answer that are markup, a value or left over, in their order, each character once."""
    assert tree.root is not None
    flat: list[tuple[int, int]] = []
    position = 0
    for start, end in sorted([*stretches(tree.root), *(left.span for left in tree.left)], key=lambda s: (s[0], -s[1])):
        if max(start, position) < end:
            flat.append((max(start, position), end))
            position = end
    return flat


def stretches(element: Element) -> Iterator[tuple[int, int]]:
    """The tags of an element and what it holds, those of the elements in it too."""
    yield element.start, element.inner
    yield element.end, element.stop
    if element.role == "skipped" or element.form != "xml" or not element.children:
        yield element.inner, element.end
    else:
        for child in element.children:
            yield from stretches(child)


@given(DAMAGED)
def test_every_character_is_one_thing(reply: str) -> None:
    """Stretches do not overlap; between them only blanks stand, or what is on record as skipped."""
    plan = StructuredResponse.from_basemodel(Review)._plan
    for candidate in candidates_in(plan, reply, ParseOptions()):
        root = candidate.tree.root
        if root is None or candidate.text != reply:
            continue
        account = read_tree(grammar_of(plan), candidate.tree, Account(root.span))
        position = root.start
        recorded = {index for repair in account.repairs for index in range(*repair.span)}
        for start, end in (*covered(candidate.tree), (root.stop, root.stop)):
            assert position <= start <= max(end, start)
            assert all(reply[index].isspace() or index in recorded for index in range(position, start))
            position = end


def test_what_is_left_over_beside_an_absent_field_is_a_problem() -> None:
    """It may be the value of that field; beside nothing absent it is only on record."""
    asking = StructuredResponse.from_basemodel(Review)
    fields = "<headline>a</headline><score>1</score>"
    lost = asking.parse(f"<review>{fields}verdict: bad</review>", strict=False)
    assert [problem.path for problem in lost.problems] == ["$.verdict"]
    skipped = asking.parse(f"<review>{fields}<mood>fine</mood></review>", strict=False)
    assert not skipped.problems
    assert [repair.kind for repair in skipped.repairs] == ["element_skipped"]


def test_a_comment_between_elements_is_on_record() -> None:
    """Nothing is left out without a word."""
    asking = StructuredResponse.from_basemodel(Review)
    read = asking.parse("<review><!-- draft --><headline>a</headline><score>1</score></review>", strict=False)
    assert not read.problems
    assert [repair.before for repair in read.repairs] == ["<!-- draft -->"]
