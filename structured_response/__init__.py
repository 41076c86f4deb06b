"""Typed data from the text that language models write: a prompt from a Pydantic model, and a reader for the reply."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    ActError,
    AskError,
    BatchError,
    BudgetError,
    CacheError,
    DatasetError,
    DefinitionError,
    DeserializeError,
    InstanceError,
    MissingExtraError,
    NotRunnableError,
    RecordingError,
    ReplyError,
    RestartedError,
    StructuredResponseError,
    ToolError,
)
from .findings import Fault, Problem, ProblemKind, Repair, RepairKind
from .response import StructuredResponse
from .version import __version__ as __version__

if TYPE_CHECKING:
    from .asking import (
        AskMany,
        AskOptions,
        AskResult,
        AskStream,
        AsyncAskMany,
        AsyncAskStream,
        Attempt,
        Budget,
        ManyOptions,
        Mode,
        Order,
        Price,
        Refusal,
        Request,
        Templates,
        Truncated,
        aask,
        aask_many,
        ask,
        ask_many,
    )
    from .completion import AsyncComplete, Complete, Completion, Message, ToolCall, Usage
    from .data_class import DataClass, required_field
    from .definition import Selection
    from .options import BadItem, Format, ReadingOptions
    from .render.prompt import PromptFormat
    from .stream import Part, ReplyStream

__all__ = [
    "ActError",
    "AskError",
    "AskMany",
    "AskOptions",
    "AskResult",
    "AskStream",
    "AsyncAskMany",
    "AsyncAskStream",
    "AsyncComplete",
    "Attempt",
    "BadItem",
    "BatchError",
    "Budget",
    "BudgetError",
    "CacheError",
    "Complete",
    "Completion",
    "DataClass",
    "DatasetError",
    "DefinitionError",
    "DeserializeError",
    "Fault",
    "Format",
    "InstanceError",
    "ManyOptions",
    "Message",
    "MissingExtraError",
    "Mode",
    "NotRunnableError",
    "Order",
    "Part",
    "Price",
    "Problem",
    "ProblemKind",
    "PromptFormat",
    "ReadingOptions",
    "RecordingError",
    "Refusal",
    "Repair",
    "RepairKind",
    "ReplyError",
    "ReplyStream",
    "Request",
    "RestartedError",
    "Selection",
    "StructuredResponse",
    "StructuredResponseError",
    "Templates",
    "ToolCall",
    "ToolError",
    "Truncated",
    "Usage",
    "aask",
    "aask_many",
    "ask",
    "ask_many",
    "required_field",
]

_LATER = {
    **dict.fromkeys(
        (
            *("AskMany", "AskOptions", "AskResult", "AskStream", "AsyncAskMany", "AsyncAskStream", "Attempt"),
            *("Budget", "ManyOptions", "Mode", "Order", "Price", "Refusal", "Request", "Templates", "Truncated"),
            *("aask", "aask_many", "ask", "ask_many"),
        ),
        "asking",
    ),
    **dict.fromkeys(("AsyncComplete", "Complete", "Completion", "Message", "ToolCall", "Usage"), "completion"),
    **dict.fromkeys(("DataClass", "required_field"), "data_class"),
    "Selection": "definition",
    **dict.fromkeys(("BadItem", "Format", "ReadingOptions"), "options"),
    "PromptFormat": "render.prompt",
    **dict.fromkeys(("Part", "ReplyStream"), "stream"),
}
"""Names that are imported at their first use, by module, since programs that only parse need none of them."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_LATER[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
