"""For tests of programs that ask or read: a language model that answers by a script or by a definition, and Hypothesis
strategies for models, instances, and replies that a language model could have written for them, clean and damaged.

Needs the extra `testing`; without it the import raises `MissingExtraError`, which names the install command. All
randomness comes from hypothesis, so failures are shrunk and reproducible.
"""

from ..errors import needs

with needs("hypothesis", "testing"):
    from .damage import DAMAGES
    from .data import instances, models, texts
    from .fake import FakeModel
    from .text import damaged_replies, replies

__all__ = ["DAMAGES", "FakeModel", "damaged_replies", "instances", "models", "replies", "texts"]
