"""Calls in the results of tools, which a language model may only repeat."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape

from ..completion import Message, texts_of
from .calls import Call
from .toolbox import Toolbox

_JSON_CALL = re.compile(r'\{\s*"(?:name|tool|tool_name|function|function_call|action|type|id)"')
_JSON = json.JSONDecoder()

_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/nt]))')
_ESCAPED = {"n": "\n", "t": "\t"}


class Quotations:
    """The calls that stand in results. A later reply with one of them is no call of its own."""

    def __init__(self, toolbox: Toolbox, messages: Sequence[Message]) -> None:
        self._toolbox = toolbox
        self._texts: list[str] = []
        self._calls: set[str] = set()
        for message in messages:
            for text in texts_of([message]):
                if message["role"] == "tool" or (message["role"] == "user" and text.startswith("<result ")):
                    self.add(text)

    def add(self, result: str) -> None:
        """Looks for calls in a result, as it is and without escapes."""
        for text in {result, unescape(result), _unescaped(result)}:
            self._texts.append(text)
            for part in (text, *_objects(text)):
                calls = self._toolbox.parse(part)
                self._calls |= {_identity(call) for call in (*calls, *calls.quoted)}

    def marked(self, call: Call, written: str | None = None) -> Call:
        """Returns a call with whether a result has it: in other words, or as it is written, if that has its name."""
        is_quoted = _identity(call) in self._calls or any(written in text for text in self._texts if written)
        return replace(call, is_quoted=True) if is_quoted else call


def _objects(text: str) -> Iterator[str]:
    """Yields the objects of JSON in a text that may be calls. Replies have such calls only without other text."""
    end = 0
    for match in _JSON_CALL.finditer(text):
        if match.start() >= end:
            try:
                _object, end = _JSON.raw_decode(text, match.start())
            except (ValueError, RecursionError):
                continue
            yield text[match.start() : end]


def _unescaped(text: str) -> str:
    """Returns a text without the escapes of JSON, which results have that are no texts."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else _ESCAPED.get(match[2], match[2]), text)


def _identity(call: Call) -> str:
    return f"{call.name} {json.dumps(call.instance and call.instance.to_dict(), sort_keys=True, default=str)}"
