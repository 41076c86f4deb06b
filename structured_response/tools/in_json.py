"""Reads calls in JSON: objects with a name and arguments, alone or in lists, as providers and chat templates nest them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ..findings import Problem, ProblemKind, Repair, RepairKind, Span
from .pieces import Pieces
from .source import Reading, Shape, Source, Written

_DECODER = json.JSONDecoder(strict=False)
_BLANK = re.compile(r"[ \t\r\n]*+")
_NAMES = ("name", "tool_name", "tool", "function", "action", "recipient_name")
_ARGUMENTS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "params")
_WRAPPERS = ("function", "function_call", "tool_call")
_LISTS = ("tool_calls", "function_calls", "calls", "tool_uses")


class JsonCall(NamedTuple):
    """An object that calls a tool. `arguments` is the place of their JSON, or None. `problem` says what is odd."""

    name: str
    span: Span
    arguments: Span | None
    id: str | None = None
    problem: str | None = None


def end_of_json(text: str, start: int) -> int:
    """Returns the end of the valid JSON at a place, or -1."""
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return -1


def calls_in_json(text: str, start: int) -> list[JsonCall]:
    """Returns the calls of the valid JSON at a place. Empty if it is anything else but calls."""
    if text[start] == "[":
        found = [calls_in_json(text, begin) for begin, _end in _items(text, start) if text[begin] == "{"]
        return [] if any(not calls for calls in found) else [call for calls in found for call in calls]
    members = list(_members(text, start))
    values = dict(reversed([(key, span) for key, span in members]))  # the first of each
    for key in _LISTS:
        if key in values and text[values[key][0]] == "[":
            return calls_in_json(text, values[key][0])
    for key in _WRAPPERS:
        if key in values and text[values[key][0]] == "{":
            called = _text(text, values.get("id"))
            return [call._replace(id=call.id or called) for call in calls_in_json(text, values[key][0])]
    named = [key for key in _NAMES if key in values and text[values[key][0]] == '"']
    given = [key for key in _ARGUMENTS if key in values and text[values[key][0]] in '{"n']
    if not named or not set(values) <= {*_NAMES, *_ARGUMENTS, "id", "type", "index", "call_id", "thought", "reasoning"}:
        return []
    problem = "a key occurs twice" if len(members) > len(values) else None
    problem = "it has two names, or arguments twice" if len(named) > 1 or len(given) > 1 else problem
    arguments = values[given[0]] if given and text[values[given[0]][0]] != "n" else None
    end = end_of_json(text, start)
    name = _text(text, values[named[0]]) or ""
    return [JsonCall(name, (start, end), arguments, _text(text, values.get("id") or values.get("call_id")), problem)]


def _text(text: str, span: Span | None) -> str | None:
    """Returns the string at a span."""
    return json.loads(text[slice(*span)], strict=False) if span is not None and text[span[0]] == '"' else None


def _behind(text: str, place: int) -> int:
    blank = _BLANK.match(text, place)
    assert blank is not None
    return blank.end()


def _items(text: str, start: int) -> Iterator[Span]:
    """Yields the places of the items of valid JSON's list."""
    place = _behind(text, start + 1)
    while text[place] != "]":
        end = end_of_json(text, place)
        yield place, end
        place = _behind(text, end)
        place = _behind(text, place + 1) if text[place] == "," else place


def _members(text: str, start: int) -> Iterator[tuple[str, Span]]:
    """Yields the keys of valid JSON's object, and the places of their values."""
    place = _behind(text, start + 1)
    while text[place] != "}":
        key, end = _DECODER.raw_decode(text, place)
        begin = _behind(text, _behind(text, end) + 1)
        end = end_of_json(text, begin)
        yield key, (begin, end)
        place = _behind(text, end)
        place = _behind(text, place + 1) if text[place] == "," else place


# A call in a reply


def read_json(source: Source, shape: Shape, head: re.Match[str]) -> Reading:
    """Reads JSON: the arguments of a tool that the head names, or objects that name their tools."""
    text, place = source.text, head.end()
    name = head[1] if head.re.groups else None
    found: list[Written] = []
    while place < len(text) and text[place] in "[{":
        end = end_of_json(text, place)
        if end < 0:
            return _broken_json(source, shape, name, found, (head.start(), place))
        if name is not None:
            found.append(_written_json(source, JsonCall(name, (head.start(), end), (place, end))))
            place = end
            break
        calls = calls_in_json(text, place)
        if not calls:
            return None
        found += [_written_json(source, call) for call in calls]
        separator = _SEPARATOR.match(text, end)
        place = separator.end() if separator is not None else end
        if separator is None or text[place : place + 1] not in ("{", "["):
            place = end
            break
    if not found and name is not None:
        found.append(Written(name, (head.start(), place)))
    end_mark = shape.end.match(text, place, source.stop)
    junk = _JUNK.match(text, place) if end_mark is None else None
    if junk is not None and junk.end() > place and (end_mark := shape.end.match(text, junk.end(), source.stop)):
        found[-1].repairs.append(Repair(RepairKind.TEXT_SKIPPED, "$", junk.span(), junk[0].strip(), ""))
    place = end_mark.end() if end_mark is not None else place
    if found and len(found) == 1:
        found[0].span = (head.start(), place)
    return (found, place) if found else None


_SEPARATOR = re.compile(r"[\s,;]*+")
_JUNK = re.compile(r"[\s\]},;`]*+")
"""Brackets too many behind JSON."""
_NAME_FIRST = re.compile(
    r"""[\[\s]*+\{\s*+["']?(?:name|tool_name|tool|function)["']?\s*+:\s*+["']([\w.:/-]{1,100})["']"""
)


def _written_json(source: Source, call: JsonCall) -> Written:
    written = Written(call.name, call.span, id=call.id)
    if call.problem is not None:
        written.doubt(call.problem)
    if call.arguments is not None:
        written.pieces = Pieces(call.span)
        raw = source.text[slice(*call.arguments)]
        written.pieces.add(raw if raw[0] == "{" else _decoded(raw), call.arguments)
    return written


def _decoded(raw: str) -> str:
    """Returns the text of a string of JSON."""
    text: str = json.loads(raw, strict=False)
    return text


def _broken_json(source: Source, shape: Shape, name: str | None, found: list[Written], begin: Span) -> Reading:
    """Reads JSON with an error, up to the next marker. If it is only its last brackets that are missing, they are added,
    and without a marker behind it the call is cut off. Any other error is left to the reader.
    """
    text, start = source.text, begin[1]
    end, stop = _end_of_broken(source, shape, begin)
    due = _brackets_due(text, start, end)
    is_cut = due != "" and stop == end
    whole = text[:end] + (due or "")
    made: list[Written] = []
    if due and end_of_json(whole, start) == len(whole):
        arguments = JsonCall(name or "", (begin[0], end), (start, len(whole)))
        calls = [arguments] if name is not None else calls_in_json(whole, start)
        made = [_written_json(replace(source, text=whole), call) for call in calls]
        for written in made:
            written.repairs.append(Repair(RepairKind.JSON_MENDED, "$", (end, end), "", due))
    if not made:
        named = _NAME_FIRST.match(text, start) if name is None else None
        made = [Written(name or (named[1] if named is not None else ""), (begin[0], stop))]
        made[0].pieces = Pieces(made[0].span)
        made[0].pieces.add(text[start:end], (start, end))
        if not made[0].name:
            made[0].doubt("the name of the tool cannot be read")
    made[-1].span = (made[-1].span[0], stop)
    if is_cut:
        made[-1].problems.append(Problem(ProblemKind.TRUNCATED, "$", "the reply breaks off here", span=(end, end)))
    return [*found, *made], stop


_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+("?)|[\[\]{}]', re.DOTALL)


def _brackets_due(text: str, start: int, end: int) -> str | None:
    """Returns the closing brackets that JSON lacks at its end, or None if it ends in a string."""
    due: list[str] = []
    for match in _JSON_TOKEN.finditer(text, start, end):
        token = match[0]
        if token in "{[":
            due.append("}" if token == "{" else "]")
        elif token[0] != '"':
            if not due or due.pop() != token:
                return ""
        elif not match[1]:
            return None
    return "".join(reversed(due))


def _end_of_broken(source: Source, shape: Shape, begin: Span) -> Span:
    """Returns the end of JSON with an error, and of the marker behind it: the first outside of strings or, if quotes are
    wrong, the first behind a bracket; or in front of the next call.
    """
    text = source.text
    has_marker = text[slice(*begin)].strip() != ""
    next_head = source.find(shape.head, begin[1]) if has_marker else None
    limit = min(len(text), source.stop) if next_head is None else next_head.start()
    place = begin[1]
    for match in re.finditer(rf'"(?:[^"\\]|\\.)*+"|(?P<mark>{shape.end.pattern})', text[place:limit], re.DOTALL):
        if match["mark"] and has_marker:
            return place + match.start(), place + match.end()
    while (mark := source.find(shape.end, place)) is not None and mark.end() <= limit:
        if text[: mark.start()].rstrip()[-1:] in "}]`":
            return mark.span()
        place = mark.end() + (mark.end() == place)
    return limit, limit
