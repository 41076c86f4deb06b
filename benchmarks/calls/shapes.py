"""The shapes in which models write calls, as functions from a name and arguments to a text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Write = Callable[[str, dict[str, Any]], str]
"""Writes a call: the name of the tool, and its arguments."""


@dataclass(frozen=True)
class InTags:
    """A call in tags. F is the name of the tool, P that of an argument.

    Attributes:
        head, end: What is around the call.
        opener, closer: What is around an argument.
        is_block: Whether an argument has lines of its own. If not, one that begins and ends with a line break has.
    """

    head: str
    end: str
    opener: str
    closer: str
    is_block: bool = False
    is_layout: bool = True

    def __call__(self, name: str, arguments: dict[str, Any]) -> str:
        return "".join(self.pieces(name, arguments))

    def pieces(self, name: str, arguments: dict[str, Any]) -> list[str]:
        """Returns markup and values in turns."""
        pieces = [self.head.replace("F", name) + "\n"]
        for key, value in arguments.items():
            said = value if isinstance(value, str) else json.dumps(value)
            is_block = self.is_block or (self.is_layout and _BLOCK.fullmatch(said) is not None)
            gap = "\n" if is_block else ""
            pieces[-1] += self.opener.replace("P", key) + gap
            pieces += [said, gap + self.closer.replace("P", key) + "\n"]
        pieces[-1] += self.end.replace("F", name)
        return pieces


_BLOCK = re.compile(r"[ \t]*\n(?:.*\n)?[ \t]*", re.DOTALL)


@dataclass(frozen=True)
class InJson:
    """A call in JSON between two markers. F is the name of the tool; without it the name is in the JSON."""

    before: str
    after: str
    arguments: str = "arguments"

    def __call__(self, name: str, arguments: dict[str, Any]) -> str:
        data = arguments if "F" in self.before else {"name": name, self.arguments: arguments}
        return self.before.replace("F", name) + json.dumps(data, ensure_ascii=False) + self.after


@dataclass(frozen=True)
class InPython:
    """A call as Python writes it, between two markers."""

    before: str
    after: str

    def __call__(self, name: str, arguments: dict[str, Any]) -> str:
        given = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
        return f"{self.before}{name}({given}){self.after}"


def gemma(name: str, arguments: dict[str, Any]) -> str:
    given = ",".join(f"{key}:{_gemma(value)}" for key, value in arguments.items())
    return f"<|tool_call>call:{name}{{{given}}}<tool_call|>"


def _gemma(value: Any) -> str:
    if isinstance(value, str):
        return f'<|"|>{value}<|"|>'
    return f"[{','.join(map(_gemma, value))}]" if isinstance(value, list) else json.dumps(value)


def deepseek_markup(name: str, arguments: dict[str, Any]) -> str:
    mark = "\uff5cDSML\uff5c"
    lines = [f"<{mark}function_calls>", f'<{mark}invoke name="{name}">']
    for key, value in arguments.items():
        is_text, said = ("true", value) if isinstance(value, str) else ("false", json.dumps(value))
        lines.append(f'<{mark}parameter name="{key}" string="{is_text}">{said}</{mark}parameter>')
    return "\n".join([*lines, f"</{mark}invoke>", f"</{mark}function_calls>"])


def json_in_text(name: str, arguments: dict[str, Any]) -> str:
    return json.dumps({"name": name, "arguments": json.dumps(arguments)})


BAR, BLANK = "\uff5c", "\u2581"


def _deepseek(token: str) -> str:
    return f"<{BAR}{token.replace(' ', BLANK)}{BAR}>"


_BEGIN, _END = (_deepseek("tool calls begin") + _deepseek("tool call begin"), _deepseek("tool call end"))
_LAST, _SEP = _deepseek("tool calls end"), _deepseek("tool sep")
_INVOKE = ('<invoke name="F">', "</invoke>", '<parameter name="P">', "</parameter>")

SHAPES: dict[str, Write] = {
    "ours": InTags("<call tool='F'>", "</call>", "<P>", "</P>"),
    "ours, block": InTags("<call tool='F'>", "</call>", "<P>", "</P>", is_block=True),
    "Cline": InTags("<F>", "</F>", "<P>", "</P>"),
    "Cline, block": InTags("<F>", "</F>", "<P>", "</P>", is_block=True),
    "invoke": InTags(f"<function_calls>\n{_INVOKE[0]}", f"{_INVOKE[1]}\n</function_calls>", *_INVOKE[2:], False, False),
    "MiniMax": InTags(
        f"<minimax:tool_call>\n{_INVOKE[0]}", f"{_INVOKE[1]}\n</minimax:tool_call>", *_INVOKE[2:], False, False
    ),
    "DeepSeek markup": deepseek_markup,
    "Qwen3-Coder": InTags(
        "<tool_call>\n<function=F>", "</function>\n</tool_call>", "<parameter=P>", "</parameter>", True
    ),
    "GLM": InTags("<tool_call>F", "</tool_call>", "<arg_key>P</arg_key>\n<arg_value>", "</arg_value>", is_layout=False),
    "Hermes": InJson("<tool_call>\n", "\n</tool_call>"),
    "Llama 3.1": InJson("<function=F>", "</function>"),
    "Llama 3.1, python_tag": InJson("<|python_tag|>", "", "parameters"),
    "Llama 3.2": InJson("", "", "parameters"),
    "Llama 4": InPython("[", "]"),
    "LFM2": InPython("<|tool_call_start|>[", "]<|tool_call_end|>"),
    "OLMo": InPython("<function_calls>", "</function_calls>"),
    "Mistral": InJson("[TOOL_CALLS] [", "]"),
    "Mistral, ARGS": InJson("[TOOL_CALLS]F[ARGS]", ""),
    "DeepSeek V3": InJson(f"{_BEGIN}function{_SEP}F\n```json\n", f"\n```{_END}{_LAST}"),
    "DeepSeek V3.1": InJson(f"{_BEGIN}F{_SEP}", f"{_END}{_LAST}"),
    "Kimi K2": InJson(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.F:0<|tool_call_argument_begin|>",
        "<|tool_call_end|><|tool_calls_section_end|>",
    ),
    "Harmony": InJson(
        "<|start|>assistant<|channel|>commentary to=functions.F <|constrain|>json<|message|>", "<|call|>"
    ),
    "Gemma": gemma,
    "Gemma, tool_code": InPython("```tool_code\n", "\n```"),
    "JSON in a fence": InJson("```json\n", "\n```"),
    "JSON, arguments as text": json_in_text,
}

ALONE = ("Llama 3.2", "Llama 4", "Gemma, tool_code", "JSON in a fence", "JSON, arguments as text")
"""The shapes that count only if nothing else is in the reply, or nothing follows."""
