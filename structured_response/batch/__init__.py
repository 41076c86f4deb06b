"""Many replies at once: typed Arrow tables of columns, of files, and of datasets on Ray and Spark."""

from .files import parse_files
from .report import BatchReport

__all__ = ["BatchReport", "parse_files"]
