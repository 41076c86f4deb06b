"""Calls of Python -> JSON of the same length: `Review(score=4, parts=[Part(label="a")])`, as models and Pydantic write.

Each character keeps its place, so what JSON's scanner finds in it stands at the same place in the reply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from ...findings import Span
from ...limits import MAX_DEPTH
from ...markup import BLANK
from .literals import LITERAL

__all__ = ["CALL", "as_json", "calls", "with_calls_as_json"]

CALL = r"(?:[^\W\d]\w{0,99}+\.){0,9}+[^\W\d]\w{0,99}+\(\s*+(?:[^\W\d]\w{0,99}+\s*+=(?!=)|\))"
"""The beginning of a call with keywords, or with nothing."""

_CALL = re.compile(
    r"(?<![\w.])(?:[^\W\d]\w{0,99}+\.){0,9}+([^\W\d]\w{0,99}+)\(\s*+(?:([^\W\d]\w{0,99}+)\s*+=(?!=)|(?=[\"'\[]))"
)
_TOKEN = re.compile(
    rf"""
    (?P<text> \"{{3}}(?:[^\"\\]|\\.|\"(?!\"\"))*+(?:\"{{3}})?+ | '{{3}}(?:[^'\\]|\\.|'(?!''))*+(?:'{{3}})?+
            | "(?:[^"\\\n]|\\.)*+"?+ | '(?:[^'\\\n]|\\.)*+'?+ )             # one that is never closed too, once
    | (?P<value>{LITERAL})
    | (?P<call> [^\W\d][\w.]*+\( )
    | (?P<name> [^\W\d]\w*+\s*+=(?!=) )
    | (?P<open> [(\[{{] ) | (?P<close> [)\]}}] )
    """,
    re.VERBOSE | re.DOTALL,
)
_CLOSERS = {"(": "]", "[": "]", "{": "}"}
_BEFORE_TUPLE = re.compile(r"(?:\A|[\[({,:=])\s*+\Z")
_NEAR = 100
"""Blanks, or characters of a name, in which a bracket's own place is told."""


def calls(reply: str, is_name: Callable[[str], bool], own: Collection[str] = ()) -> tuple[str, list[Span]]:
    """The reply with JSON in place of its calls, as far as they go by one of the definition's `own` names or their
    first keyword is a name of it; and where these stand from their brackets on. Linear in the reply.
    """
    parts: list[str] = []
    spans: list[Span] = []
    end = position = 0
    while call := _CALL.search(reply, position):
        position = call.end(1)
        if call[1] in own or (call[2] is not None and is_name(call[2])):
            parts.append(reply[end : call.start()])
            position = end = _as_json(reply, call.start(), parts)
            spans.append((reply.index("(", call.start()), end))
    return "".join([*parts, reply[end:]]), spans


def as_json(text: str) -> str | None:
    """A text that is one literal of Python, with tuples or calls in it, as JSON; None where it is none."""
    begin = len(text) - len(text.lstrip(BLANK))
    opener = _TOKEN.match(text, begin)
    if opener is None or not (opener["call"] or opener["open"]) or "(" not in text:
        return None
    parts = [text[:begin]]
    end = _as_json(text, begin, parts)
    brackets = (token for token in _TOKEN.finditer(text, begin, end) if token[0].endswith("("))
    if text[end:].strip(BLANK) or not all(_is_literal(text, bracket) for bracket in brackets):
        return None
    return "".join([*parts, text[end:]])


def _is_literal(text: str, bracket: re.Match[str]) -> bool:
    """Whether a bracket opens a tuple, or a call with keywords."""
    if bracket["call"]:
        call = _CALL.match(text, bracket.start())
        return call is not None and call[2] is not None
    return _BEFORE_TUPLE.search(text[max(bracket.start() - _NEAR, 0) : bracket.start()]) is not None


def with_calls_as_json(text: str, start: int, closers: list[str]) -> str:
    """The text with JSON in place of its calls, from `start` up to the end of the brackets that `closers` close."""
    parts = [text[:start]]
    end = _as_json(text, start, parts, closers)
    return "".join([*parts, text[end:]])


def _as_json(reply: str, start: int, parts: list[str], closers: Sequence[str] = ()) -> int:
    """Adds what a call is as JSON to the parts of a text, and returns where it ends, or what is open around it."""
    closers = list(closers)
    end = start
    for token in _TOKEN.finditer(reply, start):
        parts += [reply[end : token.start()], _token(token, closers)]
        end = token.end()
        if not closers or len(closers) > MAX_DEPTH + 1:  # deeper than that nothing is read
            break
    return end


def _token(token: re.Match[str], closers: list[str]) -> str:
    """What JSON has in place of a piece of a call. Texts stay, JSON's scanner knows them all."""
    found = token[0]
    if token["call"]:
        closers.append("}")
        return f"{' ' * (len(found) - 1)}{{"
    if token["open"]:
        closers.append(_CLOSERS[found])
        return "[" if found == "(" else found
    if token["close"]:
        return closers.pop() if closers else found
    return f"{found[:-1]}:" if token["name"] else found
