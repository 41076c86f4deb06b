"""Typed data from the text that language models write: a prompt from a Pydantic model, and a reader for the reply."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import (
    AskError,
    CacheError,
    DatasetError,
    DefinitionError,
    DeserializeError,
    InstanceError,
    MissingExtraError,
    RecordingError,
    ReplyError,
    StructuredResponseError,
)
from .findings import Fault, Problem, ProblemKind, Repair, RepairKind
from .response import StructuredResponse
from .version import __version__ as __version__

if TYPE_CHECKING:
    from .asking import AskResult, Attempt, aask, ask
    from .completion import Completion, Usage
    from .data_class import DataClass, required_field

__all__ = [
    "AskError",
    "AskResult",
    "Attempt",
    "CacheError",
    "Completion",
    "DataClass",
    "DatasetError",
    "DefinitionError",
    "DeserializeError",
    "Fault",
    "InstanceError",
    "MissingExtraError",
    "Problem",
    "ProblemKind",
    "RecordingError",
    "Repair",
    "RepairKind",
    "ReplyError",
    "StructuredResponse",
    "StructuredResponseError",
    "Usage",
    "aask",
    "ask",
    "required_field",
]

_LATER = {
    **dict.fromkeys(("AskResult", "Attempt", "aask", "ask"), "asking"),
    **dict.fromkeys(("Completion", "Usage"), "completion"),
    **dict.fromkeys(("DataClass", "required_field"), "data_class"),
}
"""What is imported when it is first used, and from where: programs that only parse need none of it."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_LATER[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
