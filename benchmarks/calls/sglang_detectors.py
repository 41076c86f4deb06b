"""The detectors of SGLang as readers of calls, where SGLang is installed."""

from __future__ import annotations

import json
from functools import partial
from importlib.metadata import version
from typing import Any

from sglang.srt.entrypoints.openai.protocol import Function, Tool
from sglang.srt.function_call.function_call_parser import FunctionCallParser

from .data import TOOLS

VERSION = version("sglang")
PARSERS = {
    "MiniMax": "minimax-m2",
    "DeepSeek markup": "deepseekv32",
    "Qwen3-Coder": "qwen3_coder",
    "GLM": "glm45",
    "Hermes": "qwen25",
    "Llama 3.1, python_tag": "llama3",
    "Llama 3.2": "llama3",
    "Llama 4": "pythonic",
    "LFM2": "lfm2",
    "Mistral": "mistral",
    "Mistral, ARGS": "mistral",
    "DeepSeek V3": "deepseekv3",
    "DeepSeek V3.1": "deepseekv31",
    "Kimi K2": "kimi_k2",
    "Harmony": "gpt-oss",
    "Gemma": "gemma4",
}
"""The shapes that SGLang reads, and its names for them."""

_TOOLS = [
    Tool(type="function", function=Function(name=name, parameters=tool.model_json_schema()))
    for name, tool in TOOLS.items()
]


def _read(parser: str, reply: str) -> list[tuple[str, Any]]:
    """Returns the calls. An exception of a detector is no call."""
    try:
        _text, calls = FunctionCallParser(_TOOLS, parser).parse_non_stream(reply)
        return [(call.name or "", json.loads(call.parameters)) for call in calls]
    except Exception:  # noqa: BLE001 - of whatever kind, it tells the program
        return []


READERS = {shape: partial(_read, parser) for shape, parser in PARSERS.items()}
