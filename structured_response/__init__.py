"""Typed data from the text that language models write: a prompt from a Pydantic model, and a reader for the reply."""

from .data_class import DataClass, required_field
from .errors import (
    DefinitionError,
    DeserializeError,
    InstanceError,
    MissingExtraError,
    ReplyError,
    StructuredResponseError,
)
from .findings import Problem, ProblemKind, Repair, RepairKind
from .response import StructuredResponse

__version__ = "0.1.0"

__all__ = [
    "DataClass",
    "DefinitionError",
    "DeserializeError",
    "InstanceError",
    "MissingExtraError",
    "Problem",
    "ProblemKind",
    "Repair",
    "RepairKind",
    "ReplyError",
    "StructuredResponse",
    "StructuredResponseError",
    "required_field",
]
