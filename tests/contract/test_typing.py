"""Signatures of the public surface. tests/slow/test_typed.py has what type checkers make of it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from structured_response import AskOptions, aask, ask
from structured_response.tools import ActOptions, aact, act


@pytest.mark.parametrize(
    ("function", "options", "documented"),
    [(ask, AskOptions, ask), (aask, AskOptions, ask), (act, ActOptions, act), (aact, ActOptions, act)],
)
def test_a_signature_lists_the_options(function: Any, options: type, documented: Any) -> None:
    """With types and defaults, as a notebook shows them, and the docstring names each."""
    parameters = inspect.signature(function).parameters.values()
    shown = {each.name: each.annotation for each in parameters if each.kind is each.KEYWORD_ONLY}
    shown.pop("stream", None)
    assert shown == {name: given.__forward_arg__ for name, given in options.__annotations__.items()}
    assert "attempts: 'int' = 3" in str(inspect.signature(function))
    assert all(name in str(documented.__doc__) for name in shown)
