"""Decodes the strings of JSON, and its scalars without quotes, as models escape and spell them."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...escaping import GAP, UNDOUBLED, encodable, is_encodable
from ...findings import RepairKind

LAYOUT = GAP + ","
"""Characters around scalars without quotes, and between the tokens of JSON."""
_NULLS = frozenset({"null", "None", "NULL", "Null", "undefined", "nil", ""})
_WORDS = {"True": "true", "False": "false", "TRUE": "true", "FALSE": "false"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([A-Za-z]+)|(.))", re.DOTALL)
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\n": ""}
_ODD_BARE = re.compile(r"[\"'`]\Z|\w\(.*\)\Z|\" ?[+%]|[+%] ?\"|\{[^{}]*+\Z|\[[^\[\]]*+\Z", re.DOTALL)
"""A sign that a text without quotes is not a text."""
_UNDOUBLED = re.compile(rf"(?:[^\\]++|\\[^A-Za-z]|\\(?!{UNDOUBLED})[bfnrtu])*+\\", re.DOTALL)
_PATH = re.compile(r"(?:\b|(?<=\\[nrt]))[A-Za-z]:(?=\\[^nrt])(?:\\[^\s\\\"'<>|*?]++)++")
"""A path of Windows whose backslashes were not doubled."""
_DOUBLED = re.compile(r"""(?:"[^"]++|(?![^"]*[\u201e\u201c][^"\u201c-\u201e]*+")[^"]++(?<![\\\d])")\Z""")
"""A text with its opening or closing quote doubled. A quote that closes a curly one is not doubled."""
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_COMMAND = re.compile(
    rf"{UNDOUBLED}|(?:nabla|natural|ne|nearrow|neg|neq|newline|nexists|ni|nleq|nmid|nolimits|nonumber|norm|not|notin|nparallel"
    r"|nsubseteq|nu|ref|rm|tag|tan|tanh|tau|text|tfrac|to|top)(?![A-Za-z])"
)
"""A command of LaTeX that begins like an escape of JSON."""
SURE_ESCAPE = re.compile(
    rf"""\\(?:["\\/]|[nrt](?=[^A-Za-z])|(?!{_COMMAND.pattern})[nrt][A-Za-z]*+(?=[^A-Za-z])"""
    r"""|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"""
)
"""An escape, with the word behind it, whose meaning does not depend on the rest of its text."""


def json_string(raw: str, is_quoted: bool) -> tuple[str | None, tuple[RepairKind, ...]]:
    """Returns the value of a string or of a scalar without quotes, None for null, and the kinds of its repairs."""
    if not is_quoted:
        return _bare(raw)
    changes: list[RepairKind] = []
    if "\n" in raw:
        changes.append(RepairKind.JSON_MENDED)
        raw = raw.replace("\r\n", "\n")
    if '"' in raw and _DOUBLED.match(raw) is not None:
        raw = raw.strip('"')
    if "\\" not in raw:
        return raw, tuple(changes)
    is_undoubled = _UNDOUBLED.match(raw) is not None
    if is_undoubled:
        changes.append(RepairKind.UNESCAPED)
        raw = _PATH.sub(lambda path: path[0].replace("\\", r"\\"), raw)
    value = unescaped(raw, _unescape_but_words if is_undoubled else _unescape)
    if not is_encodable(value):
        changes.append(RepairKind.UNESCAPED)
    return encodable(value), tuple(changes)


def _bare(raw: str) -> tuple[str | None, tuple[RepairKind, ...]]:
    text = raw.strip(LAYOUT)
    if text in _NULLS:
        return None, () if text == "null" else (RepairKind.JSON_MENDED,)
    if text in _WORDS:
        return _WORDS[text], (RepairKind.JSON_MENDED,)
    if _ODD_BARE.search(text) is None:
        return text, ()
    # Its opening quote is missing, or it is code.
    is_one = text[-1] in "\"'" and text.count(text[-1]) == 1
    return text[:-1].rstrip() if is_one else text, (RepairKind.OPENER_MISSING,)


def unescaped(raw: str, unescape: Callable[[re.Match[str]], str] | None = None) -> str:
    """Returns a text with its escapes decoded, each pair of surrogates as one character."""
    value = _ESCAPE.sub(unescape or _unescape, raw)
    if value.isascii():
        return value
    return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), value)


def _unescape(match: re.Match[str]) -> str:
    code, byte, word, sign = match.groups()
    if code or byte:
        return chr(int(code or byte, 16))
    if word:
        escaped = _ESCAPED.get(word[0])
        return match[0] if escaped is None else escaped + word[1:]
    return "" if sign == "\n" else sign if sign in "\"\\/'`" else match[0]


def _unescape_but_words(match: re.Match[str]) -> str:
    """Unescapes a match, but keeps words whose backslash the author did not double."""
    word = match[3]
    if word and (word[0] not in "nrt" or _COMMAND.match(word)):
        return match[0]
    return _unescape(match)
