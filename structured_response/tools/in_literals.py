"""Reads calls whose arguments are written as literals of Python or in Gemma's notation, without evaluating anything.

The literals become JSON, piece by piece, so that the reader checks them like any other arguments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from ..findings import Problem, ProblemKind
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
    pieces = Pieces((start, start), "{", (start, start))
    waiting, is_key_due = [closer], True
    place = start
    while (match := _TOKEN.match(text, place)) is not None:
        kind = match.lastgroup or ""
        written, span, place = match[kind], match.span(), match.end()
        if is_key_due and kind not in ("key", "blank") and written != closer:
            return None
        made = _SIMPLE[kind](written) if kind in _SIMPLE else _sign(written, waiting)
        if made is None:
            return None
        if not waiting:
            pieces.add("}", span)
            pieces.whole = (start, span[1])
            return pieces, span[1]
        pieces.add(made, span)
        is_key_due = len(waiting) == 1 and (written == "," or (is_key_due and kind == "blank"))
    return None


def _sign(sign: str, waiting: list[str]) -> str | None:
    """Returns a bracket, a comma or a colon as JSON, or None for a bracket that is not the next of `waiting`."""
    if sign in _PAIRS:
        opened, closed = _PAIRS[sign]
        waiting.append(closed)
        return opened
    if sign in ",:":
        return sign
    if waiting.pop() != sign:
        return None
    return "]" if sign == ")" else sign


def _marked(text: str) -> str:
    size = len("<escape>") if text.startswith("<escape>") else len('<|"|>')
    return json.dumps(text[size:-size])


def _string(literal: str) -> str:
    """Returns a string of Python as JSON. It is not left to Python, which warns of unknown escapes."""
    is_raw = literal[0] in "rR"
    text = literal.lstrip("rRuU")
    size = 3 if text[:3] in ('"""', "'''") else 1
    text = text[size:-size]
    return json.dumps(text if is_raw else _ESCAPE.sub(_unescaped, text))


_ESCAPE = re.compile(
    r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(00(?:0[0-9a-fA-F]|10)[0-9a-fA-F]{4})|([0-7]{1,3})|(.))", re.DOTALL
)
_LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\n": ""}


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code or match[4]:
        return chr(int(code, 16) if code else int(match[4], 8))
    letter = match[5]
    return _LETTERS.get(letter, letter if letter in "\\'\"" else match[0])


def _number(literal: str) -> str:
    """Returns a number of Python as JSON, with all its digits."""
    text = literal.replace("_", "").removeprefix("+")
    return text if _JSON_NUMBER.fullmatch(text) else json.dumps(text)


_JSON_NUMBER = re.compile(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][-+]?\d++)?")
_SIMPLE: dict[str, Callable[[str], str | None]] = {
    "blank": lambda _text: " ",
    "marked": _marked,
    "key": lambda name: f"{json.dumps(name)}:",
    "word": _WORDS.get,
    "string": _string,
    "number": _number,
}
"""The kinds of tokens that are JSON by themselves."""


# A call in a reply

_CLOSERS = {"(": ")", "{": "}"}
_SEPARATOR = re.compile(r"[\s,;]*+")
_CALLED = re.compile(r"([^\W\d][\w.:-]{0,100}+)([({])")


def read_literals(source: Source, shape: Shape, head: re.Match[str]) -> Reading:
    """Reads calls as Python writes them, with literals as arguments."""
    text, place = source.text, head.end()
    found: list[Written] = []
    call = _CALLED.match(text, place, source.stop)
    while call is not None:
        read = arguments_at(text, call.end(), _CLOSERS[call[2]])
        if read is None or read[1] > source.stop:
            break
        pieces, place = read
        found.append(Written(call[1], (call.start(), place), pieces))
        separator = _SEPARATOR.match(text, place)
        call = None if separator is None else _CALLED.match(text, separator.end(), source.stop)
    mark = shape.end.match(text, place, source.stop) if call is None else None
    if found and mark is not None:
        found[-1].is_closed = shape.is_marked
        return found, mark.end()
    return _broken_literals(source, shape, call, found, place)


def _broken_literals(
    source: Source, shape: Shape, call: re.Match[str] | None, found: list[Written], place: int
) -> Reading:
    """Takes a call that cannot be read, up to the next marker, since what follows may be in its arguments."""
    mark = source.find(shape.marker, place)
    stop = source.stop if mark is None else mark.end()
    if call is not None and source.tools.named(call[1]) is not None:
        found.append(Written(call[1], (call.start(), stop)))
        message = "its arguments are not literals with names"
        found[-1].problems.append(Problem(ProblemKind.INVALID, "$", message, span=found[-1].span))
    elif found and mark is None:
        found[-1].cut(place)
    elif found:
        found[-1].doubt("the marker of its end is missing", span=(place, place))
    else:
        return None
    found[-1].is_open = True
    return found, stop
