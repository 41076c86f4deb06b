"""Typed data from the text that language models write: a prompt from a Pydantic model, and a reader for the reply."""

from .asking import Asked, Attempt, aask, ask
from .completion import Completion, Usage
from .data_class import DataClass, required_field
from .errors import (
    AskError,
    DatasetError,
    DefinitionError,
    DeserializeError,
    InstanceError,
    MissingExtraError,
    ReplyError,
    StructuredResponseError,
)
from .findings import Fault, Problem, ProblemKind, Repair, RepairKind
from .response import StructuredResponse
from .version import __version__ as __version__

__all__ = [
    "AskError",
    "Asked",
    "Attempt",
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
