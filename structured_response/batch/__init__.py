"""Many replies at once: typed Arrow tables of columns, of files, and of datasets on Ray and Spark."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .again import Merged, Reasked, merge, write_reask
from .columns import parse_column, parse_table
from .files import parse_files
from .inputs import Inputs
from .parts import PartFormat
from .report import BatchReport
from .requests import Provider, write_batch
from .rows import Reply, Status
from .schema import arrow_schema

if TYPE_CHECKING:
    from .ray import parse_dataset as parse_dataset
    from .spark import parse_dataframe as parse_dataframe

__all__ = [
    "BatchReport",
    "Inputs",
    "Merged",
    "PartFormat",
    "Provider",
    "Reasked",
    "Reply",
    "Status",
    "arrow_schema",
    "merge",
    "parse_column",
    "parse_files",
    "parse_table",
    "write_batch",
    "write_reask",
]

_LATER = {"parse_dataset": "ray", "parse_dataframe": "spark"}
"""Names that are imported at their first use, by module, since each needs an extra of its own."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_LATER[name]}", __name__), name)
    return value
