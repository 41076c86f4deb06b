"""Signatures of the public surface. tests/slow/test_typed.py has what type checkers make of it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from structured_response import AskOptions, aask, ask


@pytest.mark.parametrize("function", [ask, aask])
def test_a_signature_lists_the_options(function: Any) -> None:
    """With types and defaults, as a notebook shows them."""
    parameters = inspect.signature(function).parameters.values()
    shown = {each.name: each.annotation for each in parameters if each.kind is each.KEYWORD_ONLY}
    options = {name: given.__forward_arg__ for name, given in AskOptions.__annotations__.items()}
    assert shown == {"stream": "bool", **options}
    assert "attempts: 'int' = 3" in str(inspect.signature(function))
    assert all(f"{name}" in str(ask.__doc__) for name in shown)
