"""Reads calls whose arguments are written as literals of Python or in Gemma's notation, without evaluating anything.

The literals become JSON, piece by piece, so that the reader checks them like any other arguments.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

from ..findings import Problem, ProblemKind, Span
from .pieces import Pieces
from .source import Reading, Shape, Source, Written

_TOKEN = re.compile(
    r"""
    (?P<blank> \s++ | \#[^\n]*+ )
  | (?P<marked> <\|"\|> (?: (?! <\|"\|> ) . )*+ <\|"\|> | <escape> (?: (?! <escape> ) . )*+ <escape> )
  | (?P<string> [rRuU]? (?: \"\"\" (?: [^"\\] | \\. | "(?!\"\") )*+ \"\"\" | ''' (?: [^'\\] | \\. | '(?!'') )*+ '''
      | " (?: [^"\\\n] | \\. )*+ " | ' (?: [^'\\\n] | \\. )*+ ' ) )
  | (?P<number> [-+]? (?: \d [\d_]*+ (?: \. [\d_]*+ )? | \.\d++ ) (?: [eE] [-+]? \d++ )?+ (?! \w ) )
  | (?P<key> [^\W\d] [\w.-]*+ (?= \s*+ [=:] ) ) \s*+ [=:]
  | (?P<word> [^\W\d] \w*+ )
  | (?P<sign> [\[\](){},:] )
    """,
    re.VERBOSE | re.DOTALL,
)
_WORDS = {"True": "true", "False": "false", "None": "null", "true": "true", "false": "false", "null": "null"}
_PAIRS = {"[": ("[", "]"), "(": ("[", ")"), "{": ("{", "}")}


def arguments_at(text: str, start: int, closer: str) -> tuple[Pieces, int] | None:
    """Returns the arguments from a place on, up to the bracket that ends them, and the place behind that bracket.

    Args:
        text: The reply.
        start: The place behind the opening bracket.
        closer: The closing bracket.

    Returns:
        The arguments as an object of JSON, or None if anything but literals stands there. Linear in the length.
    """
    pieces = Pieces((start, start))
    pieces.add("{", (start, start))
    waiting, is_key_due = [closer], True
    for kind, token, span in _tokens(text, start):
        if is_key_due and kind not in ("key", "blank") and token != closer:
            return None
        made = _as_json(kind, token, waiting)
        if made is None:
            return None
        if not waiting:
            pieces.add("}", span)
            pieces.whole = (start, span[1])
            return pieces, span[1]
        pieces.add(made, span)
        is_key_due = len(waiting) == 1 and (token == "," or (is_key_due and kind == "blank"))
    return None


def _tokens(text: str, start: int) -> Iterator[tuple[str, str, Span]]:
    """Yields the tokens up to the first character that begins none."""
    while (match := _TOKEN.match(text, start)) is not None:
        kind = match.lastgroup or ""
        yield kind, match[kind], match.span()
        start = match.end()


def _as_json(kind: str, token: str, waiting: list[str]) -> str | None:
    """Returns a token as JSON, or None if it is not a literal. `waiting` holds the brackets that are to come."""
    if kind == "blank":
        return " "
    if kind == "marked":
        size = len("<escape>") if token.startswith("<escape>") else len('<|"|>')
        return json.dumps(token[size:-size])
    if kind == "key":
        return f"{json.dumps(token)}:"
    if kind == "word":
        return _WORDS.get(token)
    if kind in ("string", "number"):
        try:
            return json.dumps(ast.literal_eval(token))
        except (SyntaxError, ValueError):
            return None
    if token in _PAIRS:
        opened, closed = _PAIRS[token]
        waiting.append(closed)
        return opened
    if token in ",:":
        return token
    if waiting.pop() != token:
        return None
    return "]" if token == ")" else token


# A call in a reply


def read_literals(source: Source, shape: Shape, head: re.Match[str]) -> Reading:
    """Reads calls as Python writes them, with literals as arguments."""
    text, place = source.text, head.end()
    found: list[Written] = []
    while (call := _CALLED.match(text, place)) is not None:
        read = arguments_at(text, call.end(), {"(": ")", "{": "}"}[call[2]])
        if read is None:
            if source.tools.named(call[1]) is None or not found and shape.end.pattern == "":
                return None
            end_mark = source.find(shape.end, call.end()) if shape.end.pattern else None
            place = end_mark.start() if end_mark is not None else len(text)
            found.append(Written(call[1], (call.start(), place)))
            found[-1].problems.append(
                Problem(ProblemKind.INVALID, "$", "its arguments are not literals with names", span=found[-1].span)
            )
            break
        pieces, place = read
        found.append(Written(call[1], (call.start(), place), pieces))
        separator = _SEPARATOR.match(text, place)
        assert separator is not None
        if _CALLED.match(text, separator.end()) is None:
            break
        place = separator.end()
    end_mark = shape.end.match(text, place, source.stop)
    if not found or end_mark is None and not found[-1].problems:
        return None
    return found, end_mark.end() if end_mark is not None else place


_SEPARATOR = re.compile(r"[\s,;]*+")
_CALLED = re.compile(r"([^\W\d][\w.:-]{0,100})([({])")
