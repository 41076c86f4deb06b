"""JSON as JSON5 and Python have it becomes strict JSON: without comments and last commas, its keys and texts in quotes.

Only slips that leave no doubt are mended here: whatever else is wrong, the scanner of JSON stumbles over it, and the
careful reader takes the reply.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ...findings import MAX_FINDINGS, Repair, RepairKind, Span

__all__ = ["Mended", "mend"]


class Mended(NamedTuple):
    """A reply with its JSON in strict form, what was mended where, and where the last piece of that ends in it."""

    text: str
    repairs: list[Repair]
    last: int

    def place(self, start: int, end: int) -> Span:
        """The span in the reply of the JSON at a span of the text, in which all that was mended lies."""
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
"""Whatever is strict JSON, and the next slip behind it."""
_WORDS = {"True": "true", "False": "false", "None": "null"}
_IN_SINGLE = re.compile(r'\\.|"')
_LINE_BREAK = re.compile(r"\r?\n")


def mend(reply: str, start: int) -> Mended | None:
    """The reply with the JSON that begins at `start` in strict form, None where nothing in it can be mended."""
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
    """What strict JSON has in place of a slip."""
    if kind == "word":
        return _WORDS[slip]
    if kind == "key":
        return f'"{slip}"'
    if kind == "text":
        return _LINE_BREAK.sub(r"\\n", slip)
    if kind == "single":
        return '"' + _IN_SINGLE.sub(lambda sign: {"\\'": "'", '"': '\\"'}.get(sign[0], sign[0]), slip[1:-1]) + '"'
    return ""
