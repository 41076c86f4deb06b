"""What a walk through a reply may meet: what is not said, what is only shown, and what may be a call."""

from __future__ import annotations

import re

from ..findings import Span

_ALONE = "think|reasoning|reflection|scratchpad"
"""Reasoning of which a chat template may have written the opening tag. `thought` is also an argument of many tools."""
_NAMES = f"{_ALONE}|thought"
_NAMED = r"(?:\w{1,20}+[:|])?+(?:NAME)\w{0,10}+\s{0,32}+>"
"""The rest of a tag of reasoning, such as `<think>`, `<thinking>`, `<seed:think>`, `<ifm|think_fast>`."""
_SHOWN = (
    "result|tool_result|tool_response|function_result|function_results|observation|example|blockquote|quote|q|pre|code"
)
"""Elements in which a call is shown and not made: results of tools, examples, quotations."""
_OTHERS = (
    r"<\|(?:im_start|start_header_id|start)\|>(?!assistant)|<\|(?:user|system|observation)\|>"
    r"|<\uff5cUser\uff5c>|\[INST\]"
)
"""The beginning of a message that is not the assistant's. A language model that runs on makes it up."""
EVENT = re.compile(
    rf"""(?P<fence> ^[ \t]{{0,32}}+ (?P<ticks> `{{3,}}+ | ~{{3,}}+ ) (?P<language> [\w+-]*+ ) [^\n]*+ (?: \n | \Z ) )
      | (?P<code> `++ [^`\n]*+ )
      | (?P<thought> (?i: < {_NAMED.replace("NAME", f"(?P<name>{_NAMES})")} )
          | \[THINK\] | \u25c1think\u25b7 | <\|START_THINKING\|> )
      | (?P<shown> <!-- | <!\[CDATA\[ | < (?P<element> (?i: {_SHOWN} ) ) (?= [\s>] ) [^<>]{{0,200}}+ > )
      | (?P<others> {_OTHERS} )
      | (?: <\|start\|>assistant )? <\|channel\|>\s{{0,32}}+ (?: (?P<analysis> analysis ) | (?P<final> final ) )
          [^<]{{0,200}}+ <\|message\|>
      | (?P<quotation> ^[ \t]{{0,32}}+ > )
      | (?P<head> < | \[TOOL_CALLS\] | ^[ \t]{{0,32}}+Action: )""",
    re.VERBOSE | re.MULTILINE,
)
HEAD = re.compile(r"<|\[TOOL_CALLS\]|^[ \t]{0,32}+Action:", re.MULTILINE)
THOUGHT_TAG = re.compile(rf"(?i:</?+{_NAMED.replace('NAME', _ALONE)})|\[/?+THINK\]|\u25c1/?+think\u25b7")
_END_OF_MESSAGE = re.compile(r"(?=<\|(?:end|return|call|start|channel)\|>)")
_ENDS = {
    "<!--": re.compile("-->"),
    "<![cdata[": re.compile(r"\]\]>"),
    **{name: re.compile(rf"(?i:</{name}\s{{0,32}}+>)") for name in _SHOWN.split("|")},
    **{name: re.compile(rf"(?i:</{_NAMED.replace('NAME', name)})") for name in _NAMES.split("|")},
    "[think]": re.compile(r"\[/THINK\]"),
    "\u25c1think\u25b7": re.compile("\u25c1/think\u25b7"),
    "<|start_thinking|>": re.compile(r"<\|END_THINKING\|>"),
    "others": re.compile(
        r"(?=<\|(?:im_start|start_header_id|start)\|>assistant|<\|assistant\|>|<\uff5cAssistant\uff5c>|\[/INST\])"
    ),
    "analysis": _END_OF_MESSAGE,
    "final": _END_OF_MESSAGE,
}
"""The ends of what has calls that are not made, by its name, its beginning, or its kind."""
END_OF_FENCE = re.compile(r"^[ \t]{0,32}+(`{3,}+|~{3,}+)[ \t]*+$", re.MULTILINE)
STRING_OR_END = re.compile(rf'"(?:[^"\\]|\\.)*+"?+|{END_OF_FENCE.pattern}', re.MULTILINE | re.DOTALL)
QUOTED_LINES = re.compile(r"(?:[ \t]*+>[^\n]*+(?:\n|\Z))++")
QUOTES = {
    '"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u201e": "\u201c\u201d", "\u2018": "\u2019",
    "\u201a": "\u2018\u2019", "\u00ab": "\u00bb", "\u00bb": "\u00ab", "\u300c": "\u300d", "\u300e": "\u300f",
}  # fmt: skip
"""Quotation marks, with those that may close them."""
_APOSTROPHES = "'\u2018\u201a"
"""Quotation marks that are also in words."""
_EITHER = '"`\u00bb'
"""Quotation marks that open in one place and close in another."""
_ONLY_OPENING = "".join(QUOTES.keys() - set(_APOSTROPHES + _EITHER))
_OPENING = re.compile(rf"(?:(?<!\w)[{_APOSTROPHES}]|(?<!\d)[{_EITHER}])(?!\s)|[{_ONLY_OPENING}]")
_BREAK = r"\n[ \t\r]{0,32}+(?:\n|`{3}|~{3})"
_CLOSING = {
    mark: re.compile(rf"{_BREAK}|[{closers}]" + (r"(?!\w)" if mark in _APOSTROPHES else ""))
    for mark, closers in QUOTES.items()
}
"""What ends a quotation: its mark, or the end of its paragraph."""
MAX_QUOTATION = 1000
"""Characters before and behind a call in which the quotation marks around it are."""


def end_of(event: re.Match[str]) -> re.Pattern[str]:
    """Returns the pattern of the end of what has calls that are not made."""
    keys = (event["element"] or event["name"] or event[0], event.lastgroup or "")
    return next(_ENDS[key.lower()] for key in keys if key.lower() in _ENDS)


def is_between_quotes(text: str, span: Span) -> bool:
    """Returns whether quotation marks stand directly around a span."""
    before, after = text[max(0, span[0] - 1) : span[0]], text[span[1] : span[1] + 1]
    return after != "" and after in QUOTES.get(before, "")


def open_quote(text: str) -> str | None:
    """Returns the quotation mark of a quotation that has not ended at the end of a text."""
    place = 0
    while (opening := _OPENING.search(text, place)) is not None:
        closing = _CLOSING[opening[0]].search(text, opening.end())
        if closing is None:
            return opening[0]
        place = closing.end()
    return None


def closes(quote: str, text: str, place: int, stop: int, is_whole: bool) -> bool | None:
    """Returns whether a quotation ends in the paragraph that goes on at a place. None if what follows decides."""
    closing = _CLOSING[quote].search(text, place, min(stop, place + MAX_QUOTATION))
    if not is_whole and (stop < place + MAX_QUOTATION if closing is None else closing.end() == stop):
        return None
    return closing is not None and closing[0][0] != "\n"
