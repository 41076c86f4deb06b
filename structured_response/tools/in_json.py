"""Reads calls in JSON: objects with a name and arguments, alone or nested as providers and chat templates do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ..findings import Repair, RepairKind, Span
from .pieces import Pieces
from .source import Reading, Shape, Source, Written

_DECODER = json.JSONDecoder(strict=False)
_BETWEEN = re.compile(r"[ \t\r\n,:]*+")
_NAMES = ("name", "tool_name", "tool", "function", "action", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "params")
_NESTED = {
    **dict.fromkeys(("tool_calls", "function_calls", "calls", "tool_uses"), "["),
    **dict.fromkeys(("function", "function_call", "tool_call"), "{"),
}
"""The keys of calls in an object, with the sign by which their value begins."""

MAX_NESTING = 5
"""Levels of lists and objects around a call. `{"tool_calls": [{"function": {...}}]}` has four."""


SHORT = 1000
"""Characters in which an error is looked for first. Python counts the lines in front of an error, up to the beginning
of the text.
"""


def end_of_json(text: str, start: int) -> int:
    """Returns the end of the valid JSON at a place, or -1."""
    try:
        end = _DECODER.raw_decode(text[start : start + SHORT])[1]
        if end < SHORT:  # not a part of a long number
            return start + end
    except json.JSONDecodeError as error:
        if error.pos < SHORT // 2 and not error.msg.startswith("Unterminated"):
            return -1
    except RecursionError:
        return -1
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return -1


def calls_in_json(text: str, start: int, offset: int = 0, depth: int = MAX_NESTING) -> list[Written]:
    """Returns the calls of the valid JSON at a place. Empty if it is anything else but calls. The text begins at an
    offset in the reply.
    """
    if depth == 0:
        return []
    members = list(_held(text, start))
    if text[start] == "[":
        items = [begin for _key, (begin, _end) in members]
        found = [calls_in_json(text, item, offset, depth - 1) if text[item] == "{" else [] for item in items]
        return [call for calls in found for call in calls] if all(found) else []
    values = dict(reversed(members))  # the first of each
    for key, sign in _NESTED.items():
        if key in values and text[values[key][0]] == sign:
            calls = calls_in_json(text, values[key][0], offset, depth - 1)
            for call in calls if sign == "{" else ():
                call.id = call.id or _text(text, values.get("id"))
            return calls
    named = [key for key in _NAMES if key in values and text[values[key][0]] == '"']
    given = [key for key in _ARGUMENTS if key in values and text[values[key][0]] in '{"n']
    if not named or not set(values) <= {*_NAMES, *_ARGUMENTS, "id", "type", "index", "call_id", "thought", "reasoning"}:
        return []
    arguments = values[given[0]] if given and text[values[given[0]][0]] != "n" else None
    written = _written(text, _text(text, values[named[0]]) or "", (start, end_of_json(text, start)), arguments, offset)
    written.id = _text(text, values.get("id") or values.get("call_id"))
    if len(named) > 1 or len(given) > 1:
        written.doubt("it has two names, or arguments twice")
    elif len(members) > len(values):
        written.doubt("a key occurs twice")
    return [written]


def _written(text: str, name: str, span: Span, arguments: Span | None, offset: int = 0) -> Written:
    """Returns a call with the JSON of its arguments, of a text that begins at an offset in the reply."""
    whole, inner = ((offset + begin, offset + end) for begin, end in (span, arguments or span))
    written = Written(name, whole)
    if arguments is not None:
        raw = text[slice(*arguments)]
        written.pieces = Pieces(whole, raw if raw[0] == "{" else json.loads(raw, strict=False), inner)
    return written


def _text(text: str, span: Span | None) -> str | None:
    """Returns the string at a span."""
    return json.loads(text[slice(*span)], strict=False) if span is not None and text[span[0]] == '"' else None


def _behind(text: str, place: int) -> int:
    """Returns the place behind what is between two values of valid JSON."""
    between = _BETWEEN.match(text, place)
    assert between is not None
    return between.end()


def _held(text: str, start: int) -> Iterator[tuple[str, Span]]:
    """Yields the places of the values of valid JSON's list or object, each with its key, "" in a list."""
    key, place = "", _behind(text, start + 1)
    while text[place] not in "]}":
        if text[start] == "{":
            key, end = _DECODER.raw_decode(text, place)
            place = _behind(text, end)
        end = end_of_json(text, place)
        yield key, (place, end)
        place = _behind(text, end)


# A call in a reply


def read_json(source: Source, shape: Shape, head: re.Match[str]) -> Reading:
    """Reads JSON: the arguments of a tool that the head names, or objects that name their tools."""
    text, place = source.text, head.end()
    name = head[1] if head.re.groups else None
    found: list[Written] = []
    while place < source.stop and text[place] in "[{":
        end = end_of_json(text, place)
        if not 0 <= end <= source.stop:
            return _broken_json(source, shape, name, found, (head.start(), place))
        whole = head.start(), end
        calls = calls_in_json(text, place) if name is None else [_written(text, name, whole, (place, end))]
        if not calls and not shape.is_marked:
            return None
        found += calls or [_no_call(text, (place, end))]
        more = _MORE.match(text, end, source.stop) if name is None else None
        place = end if more is None else more.end()
        if more is None:
            break
    if not found and name is not None:
        found.append(Written(name, (head.start(), place)))
    return (found, _close_json(source, shape, head, found, place)) if found else None


def _no_call(text: str, span: Span) -> Written:
    """Returns what stands at the place of a call in JSON and is none."""
    named = NAME_FIRST.match(text, span[0])
    written = Written(named[1] if named is not None else "", span)
    written.doubt("it is no object of a name and arguments and nothing else")
    return written


_MORE = re.compile(r"[\s,;]*+(?=\{|\[\s*+[\[{])")
"""What may stand between two calls behind one marker."""
_JUNK = re.compile(r"[\s\]},;`]++")
"""Brackets too many behind JSON."""


def _close_json(source: Source, shape: Shape, head: re.Match[str], found: list[Written], place: int) -> int:
    """Takes the marker behind calls, and returns the end."""
    text, last = source.text, found[-1]
    mark = shape.end.match(text, place, source.stop)
    if mark is None and (junk := _JUNK.match(text, place, source.stop)) is not None:
        mark = shape.end.match(text, junk.end(), source.stop)
        if mark is not None:
            last.repairs.append(Repair(RepairKind.TEXT_SKIPPED, "$", junk.span(), junk[0].strip(), ""))
    if mark is not None:
        last.is_closed = mark[0].strip() != ""
        place = mark.end()
    found[0].span = (head.start(), found[0].span[1])
    last.span = (last.span[0], place)
    return place


# JSON with an error

_QUOTE = "[\"'\u201c\u201d\u201e]"
NAME_FIRST = re.compile(
    rf"[\[\s]*+\{{\s*+{_QUOTE}?+(?:name|tool_name|tool|function){_QUOTE}?+\s*+:\s*+{_QUOTE}([\w.:/-]{{1,100}}+){_QUOTE}"
)
_ARGUMENTS_BEHIND = re.compile(
    rf"{NAME_FIRST.pattern}\s*+,\s*+{_QUOTE}?+(?:{'|'.join(_ARGUMENTS)}){_QUOTE}?+\s*+:\s*+(?=\{{)"
)


def _broken_json(source: Source, shape: Shape, name: str | None, found: list[Written], begin: Span) -> Reading:
    """Reads JSON with an error, up to the next marker.

    If only its last brackets are missing, they are added; without a marker behind it the call is cut off. Any other
    error is left to the reader.
    """
    text, start = source.text, begin[1]
    place = start if found else begin[0]
    end, stop = _end_of_broken(source, shape, start)
    due = _brackets_due(text, start, end)
    whole = text[start:end] + (due or "")
    made: list[Written] = []
    if due and end_of_json(whole, 0) == len(whole):
        span = 0, len(whole)
        made = calls_in_json(whole, 0, start) if name is None else [_written(whole, name, span, span, start)]
        for written in made:
            written.repairs.append(Repair(RepairKind.JSON_MENDED, "$", (end, end), "", due))
    if not made:
        named = NAME_FIRST.match(text, start) if name is None else None
        made = [Written(name or (named[1] if named is not None else ""), (place, stop))]
        given = None if name is not None else _ARGUMENTS_BEHIND.match(text, start, end)
        opens = start if given is None else given.end()
        closes = end if given is None else _end_of_object(text, opens, end)
        if closes < end:
            made[0].repairs.append(Repair(RepairKind.JSON_MENDED, "$", (closes, end), text[closes:end], ""))
        made[0].pieces = Pieces(made[0].span, text[opens:closes], (opens, closes))
        if not made[0].name:
            made[0].doubt("the name of the tool cannot be read")
    first, last = made[0], made[-1]
    first.span = (place, first.span[1])
    last.span = (last.span[0], stop)
    last.is_open = due != ""
    if last.is_open and stop == end:
        last.cut(end)
    return [*found, *made], stop


MEMBERS = re.compile(
    r"""[\s,{]*+"(?P<key>[^"\\]*+)"\s*+:\s*+(?:(?P<quote>")|(?P<value>[^\s"\[{,}]++)(?=[\s,}])|(?=[\[{]))"""
)
"""A key of an object, with the beginning of its value, or all of it if that is a number or a word."""

_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+("?+)|[\[\]{}]', re.DOTALL)


def _brackets_due(text: str, start: int, end: int) -> str | None:
    """Returns the closing brackets that JSON lacks at its end, or None if its quotes do not pair. It may have others
    too many.
    """
    due: list[str] = []
    for match in _JSON_TOKEN.finditer(text, start, end):
        sign = match[0]
        if sign in "{[":
            due.append("}" if sign == "{" else "]")
        elif sign in "}]":
            if due and due[-1] == sign:
                due.pop()
        elif not match[1]:
            return None
    return "".join(reversed(due))


def _end_of_object(text: str, start: int, end: int) -> int:
    """Returns the end of an object with an error, if only brackets and commas follow."""
    depth = 0
    for match in _JSON_TOKEN.finditer(text, start, end):
        depth += (match[0] in "{[") - (match[0] in "}]")
        if depth == 0 and match[0] in "}]":
            junk = _JUNK.match(text, match.end(), end)
            return match.end() if junk is not None and junk.end() == end else end
    return end


def _end_of_broken(source: Source, shape: Shape, start: int) -> Span:
    """Returns the end of JSON with an error, and of the marker behind it.

    That is the first marker outside of strings or, if quotes are wrong, the first behind a bracket; or the end is in
    front of the next call.
    """
    if not shape.is_marked:
        return source.stop, source.stop
    following = source.find(shape.head, start)
    limit = source.stop if following is None else following.start()
    for match in shape.ends.finditer(source.text, start, limit):
        if match["mark"]:
            return match.span()
    place = start
    while (mark := source.find(shape.marker, place)) is not None and mark.end() <= limit:
        if source.text[max(start, mark.start() - MAX_BLANKS) : mark.start()].rstrip()[-1:] in ("}", "]", "`"):
            return mark.span()
        place = mark.end()
    return limit, limit


MAX_BLANKS = 100
"""Blanks that may stand in front of the marker behind JSON with an error."""


# ReAct

_NEXT_STEP = re.compile(r"^[ \t]{0,32}+(?:Observation|Thought|Action):", re.MULTILINE)


def read_react(source: Source, shape: Shape, head: re.Match[str]) -> Reading:
    """Reads the input of ReAct's action: JSON, or the only argument as text."""
    start = head.end()
    following = source.find(_NEXT_STEP, start)
    raw = source.text[start : source.stop if following is None else following.start()].rstrip()
    span = head.start(), start + len(raw)
    name = source.tools.named(head[1])
    fields = source.tools.plans[name].root.fields if name is not None else {}
    if raw[:1] not in ("{", "[") and len(fields) == 1:
        raw = json.dumps({next(iter(fields)): raw})
    return [Written(head[1], span, Pieces(span, raw, (start, span[1])))], span[1]
