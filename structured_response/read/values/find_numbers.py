"""All numbers that stand in a text, in digits and in words, each with what it may mean: its sign, its magnitude."""

from __future__ import annotations

import re

from ...definition import Node
from .bounds import allowed
from .figure import Figure, Found, shown, strict_form
from .magnitudes import scaled
from .number_signs import MONEY
from .separators import may_be_thousands, split_digits
from .shares import PERCENT, of_hundred
from .spelled import NUMBER_WORDS, RUN, spelled

__all__ = ["find_numbers"]

_TOKEN = re.compile(
    r"""
    (?P<digits> [0-9]++ (?: [.,'_][0-9]++ | [ ][0-9]{3}(?![0-9]) )*+ | (?<![0-9.])\.[0-9]++ )
    (?P<exponent> [eE][-+]?[0-9]{1,9}+ (?![0-9A-Za-z]) )?
    (?P<glued> [^\W\d_]*+ ) (?P<odd> [0-9] )?
    | [^\W\d_] (?: \w | [-.](?=\w) )*+
    """,
    re.VERBOSE,
)
_BESIDE = re.compile(r"[\s,;/|&(\u2013-]*+(?:(?:or|to|and|(?:out )?of)\s++)?")
"""What stands between two numbers that are named together."""
_DECADE = re.compile(r"(?:[1-9]0|[12][0-9]{2}0)'?s\b")
"""Ten years of an age or a century, which are no number, unless a field asks for seconds."""
_SIGN = re.compile(rf"(?:([-+])([ ]?))?{MONEY}?[ ]?[(]?([-+]?)\Z")
_MINUS = re.compile(r"(?<![^\W\d_])(?<![^\W\d_]')(?:minus|negative)[\W\d_]*\Z", re.IGNORECASE)
_JOINERS = (",", "'", "_")  # before a digit without one before them, they say that some of the number is missing


def find_numbers(node: Node, text: str) -> list[Found]:
    """All numbers of a text, in digits and in words. A "one" is a number only where another stands beside it."""
    found = []
    run_end = 0
    for match in _TOKEN.finditer(text):
        if match["digits"]:
            found.append(_number(node, text, match))
        elif match[0].lower() in NUMBER_WORDS and match.start() >= run_end:
            run = RUN.match(text, match.start())
            assert run is not None  # it begins with the words of the table
            found += _in_words(node, text, run)
            run_end = run.end()
    return [number for index, number in enumerate(found) if not _is_pronoun(text, found, index)]


def _is_pronoun(text: str, found: list[Found], index: int) -> bool:
    """Whether a number is a "one" that may say which, not how many."""
    start, end = found[index].start, found[index].end
    if text[start:end].lower() != "one":
        return False
    if index + 1 < len(found) and _BESIDE.fullmatch(text, end, found[index + 1].start):
        return False
    return not index or text.startswith(" of ", end) or not _BESIDE.fullmatch(text, found[index - 1].end, start)


def _in_words(node: Node, text: str, run: re.Match[str]) -> list[Found]:
    """The number that some words name together, else those that they name one by one."""
    said = spelled(run[0].lower())
    if said is not None:
        figures, end = scaled(node, text, [Figure(*said, 0)], run.end())
        return [_as_found(node, text, figures, _sign(text, run.start()), run.start(), end)]
    words = [word for word in _TOKEN.finditer(text, run.start(), run.end()) if word[0].lower() in NUMBER_WORDS]
    return [Found((str(NUMBER_WORDS[word[0].lower()]),), "", word.start(), word.end()) for word in words]


def _number(node: Node, text: str, match: re.Match[str]) -> Found:
    """A number in digits, with the sign before it and the magnitude behind."""
    start, end = match.start(), match.end("exponent") if match["exponent"] else match.end("digits")
    figures, end = _figures(node, text, match, end)
    is_decade = _DECADE.match(text, start) is not None and "sec" not in (node.description or "").lower()
    if is_decade or match["odd"] or match["glued"] in ("e", "E") or text[start - 1 : start] in _JOINERS:
        figures = []
    return _as_found(node, text, figures, _sign(text, start), start, end)


def _figures(node: Node, text: str, match: re.Match[str], end: int) -> tuple[list[Figure], int]:
    """What the digits may mean, with the magnitude that stands behind them; and where that ends."""
    parts = split_digits(match["digits"])
    if parts is None:
        return [], end
    exponent = int(match["exponent"][1:]) if match["exponent"] else 0
    figures = [Figure("", *parts, exponent)]
    if (node.kind == "int" or MONEY in text) and not exponent and may_be_thousands(match["digits"]):
        figures.insert(0, Figure("", match["digits"].replace(".", ""), "", 0))
    return scaled(node, text, figures, end)


def _as_found(node: Node, text: str, figures: list[Figure], sign: str, start: int, end: int) -> Found:
    """What a number may mean, with its sign and the percent sign behind it, where it stands."""
    signs = ("", "-") if sign == "?" else (sign,)
    figures = [figure._replace(sign=sign) for figure in figures for sign in signs]
    read = [strict_form(node.kind, figure) for figure in figures]
    values = tuple(dict.fromkeys([value for value, _why in read if value]))
    if len(figures) > 1 and len(values) == 1:  # one of two readings cannot be: both were meant as often
        values = tuple(dict.fromkeys(shown(figure) for figure in figures))
    why = read[0][1] if read else ""
    if sign == "?" and len(values) == len(figures):
        values = allowed(node, values)
    if PERCENT.match(text, end) and len(values) == 1:
        values = of_hundred(node, values[0])
    return Found(values, why, start, end)


def _sign(text: str, start: int) -> str:
    """The sign of the number that starts there: `-`, nothing, or `?` where a dash may be one."""
    front = text[max(0, start - 4) : start]
    if "-" not in front and "+" not in front:
        return "-" if _MINUS.search(text, max(0, start - 20), start) else ""
    match = _SIGN.search(text, max(0, start - 4), start)
    assert match is not None  # it matches the empty text
    far, gap, near = match.groups(default="")
    place = match.start(3) if near else match.start(1)
    behind = text[max(0, place - 3) : place].rstrip() if gap else text[max(0, place - 1) : place]
    joined = behind[-1:].isdigit() or (not gap and behind.isalnum()) or behind[-1:] in (")", "%")
    if near or far:
        minus = (near or far) == "-" and not joined
        return ("?" if gap and not near else "-") if minus else ""
    return "-" if _MINUS.search(text, max(0, start - 20), start) else ""
