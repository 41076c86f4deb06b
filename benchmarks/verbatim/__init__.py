"""Real files put unescaped into the strings of a reply, and whether they come back to the character."""

from .measure import measure

__all__ = ["measure"]
