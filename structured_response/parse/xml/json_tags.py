"""JSON in place of elements, whose strings hold tags: by its first sign it is JSON, so the tags are text."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["end_of_json"]

_JSON = re.compile(
    r"""
    \s*+ (?:(?:`{3,}+|~{3,}+)[ \t]*+[\w+-]*+\s*+)?+              # a fence
    (?: \{\s*+ (?:["'] | [^\W\d]\w*+\s*+:) | \[\s*+["'{\[] )    # an object's first key, or a list's first item
    """,
    re.VERBOSE,
)
_STRINGS = re.compile(r"(?:[^\"'<\\]++|\"(?:[^\"\\]++|\\.)*+\"|'(?:[^'\\]++|\\.)*+')*+", re.DOTALL)
"""What stands outside of strings holds no tag and no escape: that is what makes it JSON, and this linear."""

_BEHIND = " \t\r\n`~"


def end_of_json(text: str, start: int, is_open: Callable[[], bool] = lambda: False) -> int:
    """Behind the JSON that begins at `start`, the tags in its strings included; `start` where none begins there.

    `is_open` tells whether nothing closes what holds it, so that the text may break off in one of its strings.
    """
    if _JSON.match(text, start) is None:
        return start
    end = _STRINGS.match(text, start).end()  # type: ignore[union-attr]
    if text[start:end].rstrip(_BEHIND).endswith(("}", "]")):
        return end
    return len(text) if text.startswith(('"', "'"), end) and is_open() else start
