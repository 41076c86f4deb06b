"""Words and signs that say where a number goes."""

import pytest

from structured_response.parse.scalars.directions import downwards

DOWN = [
    "loss of 4",
    "a decrease of about 4",
    "down 4%",
    "fell by 4",
    "4% lower",
    "a 4 point drop",
    "\u25bc 4",
    "4\u2193",
]
DOWN += ["52.1 S", "52.1\u00b0 South", "4.5\u00b0 W", "4 West", "Net loss: $4"]
LEFT = [
    "4",
    "4 points",
    "fell to 4",
    "4 cuts",
    "4 drop-downs",
    "\u25b24",
    "52.1 N",
    "60 W",
    "4 s",
    "downtown 4",
    "4 down to",
]


@pytest.mark.parametrize("text", DOWN)
def test_what_goes_down_may_be_below_zero(text: str) -> None:
    """Words on either side, arrows, and where it is counted from the equator or from Greenwich."""
    assert downwards("n", None, text)


@pytest.mark.parametrize("text", LEFT)
def test_what_goes_nowhere_is_left(text: str) -> None:
    """What it came to, what is counted, units, the other direction."""
    assert not downwards("n", None, text)


@pytest.mark.parametrize(("name", "description"), [("weight_loss", None), ("n", "The loss in kg"), ("losses", None)])
def test_a_field_may_ask_for_it(name: str, description: str | None) -> None:
    """By its name or its description."""
    assert not downwards(name, description, "a loss of 4")
