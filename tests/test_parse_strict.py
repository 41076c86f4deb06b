"""The strict reader: which replies it must read, which it must leave alone, and that all readers agree."""

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.parse.reader import read_carefully
from structured_response.parse.shortcut import shortcut
from structured_response.parse.strict import strict
from structured_response.validate import typed
from tests.strategies import SUPPORTED, instances
from tests.test_laws import EXAMPLES, ordered, same
from tests.variants import Variation, varied


def agree(response: StructuredResponse[Any], reply: str) -> bool:
    """Holds every reader that takes a reply against the data it says. Tells whether the strict reader took it."""
    plan = response._plan
    held = ordered(response, response.to_dict())
    tree = strict(plan)(reply)
    quick = shortcut(plan)
    for texts in (tree, None if quick is None else quick(reply)):
        assert texts is None or same(ordered(response, typed(plan).validate_python(texts)), held)
    careful = read_carefully(plan, reply)
    assert [str(problem) for problem in careful.problems] == []
    assert same(ordered(response, careful.data), held)
    assert tree is None or careful.repairs == []
    return tree is not None


@settings(max_examples=EXAMPLES // 5)
@given(instances(SUPPORTED))
def test_law_3_what_str_writes(instance: BaseModel) -> None:
    """All readers give the data that `str` wrote."""
    response = StructuredResponse.from_basemodel(instance)
    agree(response, str(response))


@settings(max_examples=EXAMPLES // 5)
@given(instances(SUPPORTED), st.builds(Variation, *[st.booleans()] * 5), st.integers(0, 2**32))
def test_law_3_what_str_writes_arranged_anew(instance: BaseModel, how: Variation, seed: int) -> None:
    """Fields in any order, other white space, prose, references and a prompt's attributes change nothing."""
    response = StructuredResponse.from_basemodel(instance)
    agree(response, varied(str(response), how, Random(seed)))
