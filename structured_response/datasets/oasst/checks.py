"""Checks a file of an Open-Assistant export: its lines, and the relations of its messages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...definition.names import Path, show_path
from ...findings import Fault
from ..files import FilePath, Watch, is_parquet
from .files import OasstRecord, scan_oasst
from .records import ExportMessageNode, ExportMessageThread, ExportMessageTree

__all__ = ["validate"]


def validate(path: FilePath, watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a file: invalid records, trees whose id is not that of their prompt, replies that name
    another parent, duplicate messages.

    Memory is that of one record, the faults, and the ids of all messages. A message may occur in several threads.
    Raises `DatasetError` if the file cannot be read further.
    """
    faults: list[Fault] = []
    seen: dict[str, str] = {}
    unit = "row" if is_parquet(path) else "line"
    for line in scan_oasst(path, watch):
        faults += line.faults
        if line.record is not None:
            found = [*_misplaced(line.record), *_repeated(line.record, f"{unit} {line.number}", seen)]
            at: Any = {unit: line.number}
            faults += [Fault(message, str(path), path=show_path(place), **at) for place, message in found]
    return faults


def _messages(record: OasstRecord) -> Iterator[tuple[Path, ExportMessageNode, ExportMessageNode | None]]:
    """Yields each message of a record: its place, itself, and its parent."""
    if isinstance(record, ExportMessageThread):
        for number, message in enumerate(record.thread):
            yield ("thread", number), message, record.thread[number - 1] if number else None
        return
    waiting: list[tuple[Path, ExportMessageNode | None, ExportMessageNode | None]]
    waiting = [(("prompt",), record.prompt, None)] if isinstance(record, ExportMessageTree) else [((), record, None)]
    while waiting:
        place, node, parent = waiting.pop()
        if node is not None:
            yield place, node, parent
            replies = enumerate(node.replies or ())
            waiting += reversed([((*place, "replies", number), reply, node) for number, reply in replies])


def _misplaced(record: OasstRecord) -> Iterator[tuple[Path, str]]:
    if isinstance(record, ExportMessageTree):
        if record.prompt is None:
            yield ("prompt",), "required, but not there"
        elif record.prompt.message_id != record.message_tree_id:
            yield ("message_tree_id",), f"is not the id of the prompt, {record.prompt.message_id!r}"
    for place, message, parent in _messages(record):
        if parent is not None and message.parent_id not in (None, parent.message_id):
            yield (*place, "parent_id"), f"is {message.parent_id!r}, where the parent is {parent.message_id!r}"


def _repeated(record: OasstRecord, where: str, seen: dict[str, str]) -> Iterator[tuple[Path, str]]:
    if isinstance(record, ExportMessageThread):
        return
    for place, message, _parent in _messages(record):
        if message.message_id in seen:
            yield (*place, "message_id"), f"{message.message_id!r} stands in {seen[message.message_id]} already"
        else:
            seen[message.message_id] = where
