"""The shapes in which models write calls: how each begins, what ends it, and who reads what is between.

The table says nothing of the text around a call; whether a call counts is decided in `calls`.
"""

from __future__ import annotations

import re

from ..read.scan import CLOSE
from .in_json import read_json, read_react
from .in_literals import read_literals
from .in_tags import BARE, GLM, INVOKE, OWN, QWEN, read_tags
from .source import Shape, Source
from .tags import ATTRIBUTES, Tags

_NAME = r"([\w.:/-]{0,100}[\w.:-])"
_SEP, _BAR = "\u2581", "\uff5c"
_WRAPPER = r"(?:\w{1,40}+:)?(?:tool_?calls?|function_?calls?|TOOLCALL)"


def _token(name: str) -> str:
    """Returns a special token of DeepSeek's, whose bar and blank are letters of their own."""
    return f"<{_BAR}{name.replace(' ', _SEP)}{_BAR}>"


_IN_HARMONY = r"(?:<\|constrain\|>\s*+\w++|json|code)?\s*+<\|message\|>\s*+(?=[{<])"

_JSON = (
    # Hermes, Qwen 2.5, Granite, Nemotron, Jamba and others
    (rf"<{_WRAPPER}>\s*+(?=[\[{{])", rf"</{_WRAPPER}>"),
    (r"<\|tool_call\|>\s*+(?=[\[{])", r"<\|/tool_call\|>"),
    # Llama 3.1 and 3.2
    (rf"<function\s*+=\s*+{_NAME}\s*+>\s*+(?=\{{)", r"</function\s*+>"),
    (r"<\|python_tag\|>\s*+(?=[\[{])", r"<\|(?:eom|eot)_id\|>"),
    # Mistral
    (r"\[TOOL_CALLS\]\s*+(?=[\[{])", r"(?:\[/TOOL_CALLS\]|</s>)"),
    (rf"\[TOOL_CALLS\]\s*+{_NAME}\s*+(?:\[CALL_ID\]\w*+)?\s*+\[ARGS\]\s*+(?=\{{)", r"</s>"),
    # DeepSeek V3, whose fence is part of the marker, and V3.1
    (
        (
            rf"{_token('tool call begin')}(?:function{_token('tool sep')})?\s*+{_NAME}\s*+"
            rf"(?:{_token('tool sep')})?\s*+(?:```(?:json)?+\s*+)?(?=[{{<`])"
        ),
        rf"(?:```\s*+)?{_token('tool call end')}",
    ),
    # Kimi K2
    (
        rf"<\|tool_call_begin\|>\s*+{_NAME}\s*+<\|tool_call_argument_begin\|>\s*+(?=[{{<])",
        r"<\|tool_call_end\|>",
    ),
    # gpt-oss: Harmony
    (
        rf"(?:<\|start\|>assistant\s*+)?<\|channel\|>\s*+commentary\s++to\s*+=\s*+{_NAME}\s*+{_IN_HARMONY}",
        r"<\|call\|>",
    ),
    (
        rf"<\|start\|>assistant\s++to\s*+=\s*+{_NAME}\s*+<\|channel\|>\s*+commentary\s*+{_IN_HARMONY}",
        r"<\|call\|>",
    ),
)
_LITERALS = (
    # LFM2, OLMo, Gemma
    (r"<\|tool_call_start\|>\s*+\[?+\s*+(?=[^\W\d])", r"(?:\]\s*+)?<\|tool_call_end\|>"),
    (rf"<{_WRAPPER}>\s*+(?=[^\W\d][\w.]{{0,100}}+\()", rf"</{_WRAPPER}>"),
    (r"(?:<start_function_call>|<\|tool_call>)\s*+(?:call:)?(?=[^\W\d])", r"(?:<end_function_call>|<tool_call\|>)"),
)
_TAGS = (
    (rf"<call\s++(?:tool|name)\s*+=\s*+[\"']?{_NAME}[\"']?+{ATTRIBUTES}\s*+/?>", OWN),
    (rf"<(?:\w+:|{_BAR}DSML{_BAR})?invoke\s++(?:name|tool)\s*+=\s*+[\"']?{_NAME}[\"']?{ATTRIBUTES}\s*+/?>", INVOKE),
    (rf"(?:<tool_call>\s*+)?<function\s*+=\s*+{_NAME}\s*+>", QWEN),
    (rf"<tool_call>\s*+{_NAME}\s*+(?=<arg_key>|</tool_call>)", GLM),
)
SHAPES = (
    *(Shape(re.compile(head), mark, read_json) for head, mark in _JSON),
    *(Shape(re.compile(head), mark, read_literals) for head, mark in _LITERALS),
    *(
        Shape(re.compile(head), rf"</(?:\w{{1,40}}+:|{_BAR}DSML{_BAR})?{style.end}>", read_tags, style=style)
        for head, style in _TAGS
    ),
)
"""The shapes that have a marker of their own, the most telling first."""

BARE_SHAPE = Shape(re.compile(rf"<([^\W\d][\w.-]{{0,100}}+){ATTRIBUTES}\s*+/?>"), r"</[\w.-]++>", read_tags, style=BARE)
"""Calls under a tag with the tool's name, as Cline's prompts ask for."""
_NEXT = re.compile(r"\s*+(?=<)")


def is_bare_call(source: Source, head: re.Match[str]) -> bool:
    """Returns whether a tag is a call of a tool: an argument of the tool follows or is in it, or its own end follows.

    HTML has tags such as `<search>` or `<title>`; a tag alone, or one around text, is no call.
    """
    name = source.tools.named(head[1])
    if name is None:
        return False
    node = source.tools.plans[name].root
    given, _repairs = Tags(source, node, name, BARE).given(head.end(1), head.end())
    if not given and head[0][len(head[1]) + 1 :].strip(" \t\r\n/>"):
        return False  # it has attributes, but none that the tool knows
    is_complete = all(each.name in given for each in node.fields.values() if each.required)
    if head[0].endswith("/>"):
        return is_complete and name == head[1]
    behind = _NEXT.match(source.text, head.end(), source.stop)
    if behind is None:
        return False
    tag = source.tools.scanner.tag_at(source.text, behind.end(), source.stop)
    return is_complete and tag.name == head[1] if tag.kind == CLOSE else node.field_of(tag.partner) is not None


PLAIN_JSON = Shape(re.compile(r"\s*+(?=[\[{])"), "", read_json, is_marked=False)
"""Calls as JSON without a marker."""
OPEN_LIST = Shape(re.compile(r"\s*+\[\s*+(?=[^\W\d][\w.]{0,100}+\()"), r"\]", read_literals, is_marked=False)
"""Calls as a list of Python, as Llama 4 writes them: nothing but the list."""
GEMMA = Shape(re.compile(r"\s*+call:(?=[^\W\d][\w.]{0,100}+\{)"), "", read_literals, is_marked=False)
CODE = Shape(re.compile(r"\s*+(?:print\()?(?=[^\W\d][\w.]{0,100}+\()"), r"\)?", read_literals, is_marked=False)
"""Calls in a fence for the code of tools, as Gemma writes them."""
ALONE = (PLAIN_JSON, OPEN_LIST, GEMMA)
"""The shapes that count only if they are all of a reply, or all of a fence."""

REACT = Shape(
    re.compile(r"^[ \t]*+Action:[ \t]*+([\w.:/-]{1,100}+)[ \t]*+\n[ \t]*+Action Input:[ \t]*+", re.MULTILINE),
    "",
    read_react,
)
"""Calls as ReAct's prompts ask for them."""

MARKERS = re.compile(
    rf"</?{_WRAPPER}>|</?{_BAR}DSML{_BAR}(?:function|tool)_calls>"
    rf"|<{_BAR}tool{_SEP}(?:calls|outputs?){_SEP}(?:begin|end){_BAR}>"
    r"|<\|tool_calls?_section_(?:begin|end)\|>|<\|/?tool_calls?\|>|<\|(?:end|return|eom_id|eot_id)\|>|\[/?TOOL_CALLS\]|</s>"
)
"""Markers around calls, which are no text."""
