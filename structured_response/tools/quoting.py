"""Calls in the results of tools, which a language model may only repeat."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from html import unescape
from unicodedata import normalize
from urllib.parse import unquote

from ..completion import Message, texts_of
from ..stream.frames import walk
from .calls import Call, calls_of, walked
from .in_json import end_of_json
from .in_literals import arguments_at
from .source import Budget, Source, Tools
from .toolbox import Toolbox

MAX_TEXTS = 64
"""Texts that one result may have inside: itself without escapes, and the arguments of its calls, without theirs."""

_JSON_CALL = re.compile(r'\{\s*"(?:name|tool|tool_name|function|function_call|action|type|id)"')
_ESCAPE = re.compile(r"""\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,5})\}|(["'\\/nt]))""")
_ESCAPED = {"n": "\n", "t": "\t"}
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


def _character(escape: re.Match[str]) -> str:
    """Returns the character of an escape of JSON or JavaScript, which results have that are no texts."""
    code = escape[1] or escape[2] or escape[3]
    return chr(int(code, 16)) if code else _ESCAPED.get(escape[4], escape[4])


def _visible(text: str) -> str:
    """Returns a text as it looks: without characters that nobody sees, and with letters for those of another width."""
    return text if text.isascii() else _INVISIBLE.sub("", normalize("NFKC", text))


_PLAIN = (unescape, unquote, partial(_ESCAPE.sub, _character), _visible)
"""What a language model may do with a text before it repeats a part of it."""


class Quotations:
    """The calls that stand in results. A later reply with one of them is no call of its own."""

    def __init__(self, toolbox: Toolbox, messages: Sequence[Message]) -> None:
        self._tools = Tools(toolbox)
        self._texts: set[str] = set()
        self._calls: set[str] = set()
        # `now()` may be any code
        self._python = re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, toolbox.tools)) or '(?!)'})\((?!\s*\))")
        for message in messages:
            for text in texts_of([message]):
                if message["role"] == "tool" or (message["role"] == "user" and text.startswith("<result ")):
                    self.add(text)

    def add(self, result: str) -> None:
        """Looks for calls in a result, in every shape, under escapes, and in the arguments of other calls."""
        waiting, most, budget = [result], len(self._texts) + MAX_TEXTS, Budget()
        while waiting and len(self._texts) < most:
            text = waiting.pop(0)
            if text in self._texts:
                continue
            self._texts.add(text)
            waiting += [plain(text) for plain in _PLAIN]
            for part in (text, *self._parts(text)):
                calls = calls_of(walked(Source(part, self._tools, len(part), budget), react=True))
                for call in (*calls, *calls.quoted):
                    self._calls.add(_identity(call))
                    values = [] if call.problems else walk((), call.instance)
                    waiting += [value for _path, value in values if isinstance(value, str)]

    def marked(self, call: Call, written: str | None = None) -> Call:
        """Returns a call with whether a result has it: in other words, or as it is written, if that has its name."""
        is_quoted = _identity(call) in self._calls or any(written in text for text in self._texts if written)
        return replace(call, is_quoted=True) if is_quoted else call

    def _parts(self, text: str) -> Iterator[str]:
        """Yields the parts of a text that are calls in shapes of which replies have nothing else."""
        end = 0
        for match in _JSON_CALL.finditer(text):
            if match.start() >= end and (end := end_of_json(text, match.start())) >= 0:
                yield text[match.start() : end]
        for match in self._python.finditer(text):
            if (found := arguments_at(text, match.end(), ")")) is not None:
                yield f"[{text[match.start() : found[1]]}]"


def _identity(call: Call) -> str:
    return f"{call.name} {json.dumps(call.instance and call.instance.to_dict(), sort_keys=True, default=str)}"
