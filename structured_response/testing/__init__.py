"""Hypothesis strategies for tests of programs that read replies: models, instances of them, and the texts that a
language model could have written for those, clean and damaged.

Needs the extra `testing`; without it the import raises `MissingExtraError`, which names the install command.
Nothing here is random by itself: hypothesis draws all, shrinks what fails, and repeats it.
"""

from ..errors import MissingExtraError

try:
    import hypothesis as _hypothesis
except ModuleNotFoundError as error:
    if error.name != "hypothesis":
        raise
    raise MissingExtraError("hypothesis", "testing") from error

from .data import instances, texts
from .kinds import models
from .text import DAMAGES, damaged_replies, replies

del _hypothesis

__all__ = ["DAMAGES", "damaged_replies", "instances", "models", "replies", "texts"]
