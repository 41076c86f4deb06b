"""Many replies at once: typed Arrow tables of columns, of files, and of datasets on Ray and Spark."""

from .again import Merged, Reasked, merge, write_reask
from .columns import parse_column, parse_table, table_of
from .files import parse_files
from .inputs import Inputs
from .parts import PartFormat
from .report import BatchReport
from .requests import Provider, write_batch
from .rows import Reply, Row, Status
from .schema import arrow_schema

__all__ = [
    "BatchReport",
    "Inputs",
    "Merged",
    "PartFormat",
    "Provider",
    "Reasked",
    "Reply",
    "Row",
    "Status",
    "arrow_schema",
    "merge",
    "parse_column",
    "parse_files",
    "parse_table",
    "table_of",
    "write_batch",
    "write_reask",
]
