"""Turns JSON as JSON5 and Python write it into strict JSON. Only slips that leave no doubt are repaired here."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...findings import MAX_FINDINGS, Repair, RepairKind, Span


class Mended(NamedTuple):
    """A reply with its JSON in strict form, the repairs, and the end of the last repaired piece in it."""

    text: str
    repairs: list[Repair]
    last: int

    def place(self, start: int, end: int) -> Span:
        """Returns the span in the reply of the JSON at a span of the text, which includes all repairs."""
        return start, end + sum(len(each.before) - len(each.after) for each in self.repairs)


_COMMENT = r"//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/|\#[^\n]*+"
_BEHIND = r"(?=\s*+(?:[,:}\]]|//|/\*|\#))"
_SLIP = re.compile(
    rf"""
    (?: [\s{{}}\[\]:] | "(?:[^"\\\n]|\\.)*+"{_BEHIND} | ,(?!(?:\s|{_COMMENT})*+[,}}\]])
      | (?:-?\d[\d.eE+-]*+|true|false|null){_BEHIND} )*+
    (?: (?P<comma> ,(?=(?:\s|{_COMMENT})*+[}}\]]) ) | (?P<comment> {_COMMENT} )
      | (?P<text> "(?:[^"\\]|\\[^\n])*+"{_BEHIND} ) | (?P<single> '(?:[^'\\\n]|\\.)*+'{_BEHIND} )
      | (?P<word> True|False|None ){_BEHIND} | (?P<key> [A-Za-z_$][\w$-]*+ )(?=[ \t]*+:(?![/:]))
    )""",
    re.VERBOSE,
)
"""Any strict JSON, and the next slip behind it."""
_WORDS = {"True": "true", "False": "false", "None": "null"}
_IN_SINGLE = re.compile(r'\\.|"')
_LINE_BREAK = re.compile(r"\r?\n")


def mend(reply: str, start: int) -> Mended | None:
    """Returns the reply with the JSON at `start` in strict form, or None if nothing can be repaired."""
    pieces: list[str] = [reply[:start]]
    repairs: list[Repair] = []
    position = start
    while match := _SLIP.match(reply, position):
        kind, begin = match.lastgroup, match.start(match.lastgroup)  # type: ignore[arg-type]
        pieces.append(reply[position:begin])
        if kind == "comma" and "".join(pieces[-4:]).rstrip()[-1:] in ("{", "[", ",", ":", ""):
            return None
        position = match.end()
        before = reply[begin:position]
        pieces.append(_strict(kind, before))
        skipped = RepairKind.TEXT_SKIPPED if kind == "comment" else RepairKind.JSON_MENDED
        repairs.append(Repair(skipped, "$", (begin, position), before, pieces[-1]))
    if not repairs:
        return None
    text = "".join(pieces)
    if len(repairs) > MAX_FINDINGS:  # one tells of all
        repairs = [Repair(RepairKind.JSON_MENDED, "$", (start, position), reply[start:position], text[start:])]
    return Mended(text + reply[position:], repairs, len(text))


def _strict(kind: str | None, slip: str) -> str:
    if kind == "word":
        return _WORDS[slip]
    if kind == "key":
        return f'"{slip}"'
    if kind == "text":
        return _LINE_BREAK.sub(r"\\n", slip)
    if kind == "single":
        return '"' + _IN_SINGLE.sub(lambda sign: {"\\'": "'", '"': '\\"'}.get(sign[0], sign[0]), slip[1:-1]) + '"'
    return ""
