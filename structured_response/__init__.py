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

_LATER = ("options", "completion", "render.prompt", "definition", "stream", "data_class", "asking")
"""The modules of the other names, which are imported when one is used, since programs that only parse need none."""


def __getattr__(name: str) -> Any:
    for module in _LATER if name in __all__ else ():
        found = import_module(f".{module}", __name__)
        if hasattr(found, name):
            value = globals()[name] = getattr(found, name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
