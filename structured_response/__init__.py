"""Typed data from the text that language models write: a prompt from a Pydantic model, and a reader for the reply."""

from .errors import (
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

__version__ = "0.1.0"

__all__ = [
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
]
