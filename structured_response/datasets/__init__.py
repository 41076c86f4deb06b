"""Datasets to train, test and prompt language models with: Open-Assistant, AutoRAG, LocalRQA."""

from . import autorag, localrqa, oasst
from .files import FilePath, Watch
from .jsonl import Line
from .kinds import examples_to_autorag, passages_to_documents, thread_to_dialogue
from .records import Source, read_records, scan_records, write_records

__all__ = [
    "FilePath",
    "Line",
    "Source",
    "Watch",
    "autorag",
    "examples_to_autorag",
    "localrqa",
    "oasst",
    "passages_to_documents",
    "read_records",
    "scan_records",
    "thread_to_dialogue",
    "write_records",
]
