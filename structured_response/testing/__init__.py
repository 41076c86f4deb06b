"""Hypothesis strategies to test programs that read replies: models, their instances, and replies that a language model
could have written for them, clean and damaged.

Needs the extra `testing`; without it the import raises `MissingExtraError`, which names the install command. All
randomness comes from hypothesis, so failures are shrunk and reproducible.
"""

from ..errors import needs

with needs("hypothesis", "testing"):
    from .damage import DAMAGES
    from .data import instances, models, texts
    from .text import damaged_replies, replies

__all__ = ["DAMAGES", "damaged_replies", "instances", "models", "replies", "texts"]
