"""The bounds of a number: which of its readings they allow."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from ...definition import Node

__all__ = ["allowed", "bound", "is_allowed"]


def allowed(node: Node, readings: tuple[str, ...]) -> tuple[str, ...]:
    """The readings that the bounds of a value allow; all of them, if they allow none."""
    return tuple(reading for reading in readings if is_allowed(node, reading)) or readings


def is_allowed(node: Node, text: str) -> bool:
    """Whether a number is within the bounds of a value."""
    number = Decimal(text)
    low, above = bound(node, "ge"), bound(node, "gt")
    high, below = bound(node, "le"), bound(node, "lt")
    if (low is not None and number < low) or (above is not None and number <= above):
        return False
    return not ((high is not None and number > high) or (below is not None and number >= below))


def bound(node: Node, *names: str) -> Decimal | None:
    """The first of some constraints that is there, as a number."""
    for name in names:
        if name in node.constraints:
            try:
                return Decimal(str(node.constraints[name]))
            except InvalidOperation:
                return None
    return None
