"""The kinds of records in files: how each is recognized, read, checked, counted and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from ..errors import DatasetError
from ..findings import Fault
from . import autorag, localrqa, oasst
from .files import FilePath, Watch, is_parquet, read_lines, refuse
from .jsonl import Line
from .localrqa.files import data_or_literal
from .records import scan_records, write_records
from .tables import count_rows, rows_of

__all__ = ["KINDS", "LONGEST", "Kind", "kind_of", "records_of", "size_of"]

_LOOKED_AT = 1_000  # lines at the head of a file, one of which should be an object

Scan = Callable[[FilePath, Watch | None], Iterator[Line]]
Validate = Callable[[FilePath, Watch | None], list[Fault]]


@dataclass(frozen=True)
class Kind:
    """A kind of records. `keys` are the fields that identify it; `tally` counts the content of one record."""

    title: str
    keys: tuple[str, ...]
    scan: Scan
    validate: Validate
    tally: Callable[[Any], dict[str, int]]
    write: Callable[[FilePath, Iterable[Any]], object]


def kind_of(path: FilePath) -> str:
    """Returns the kind of a file's records, as a key of `KINDS`: by its columns, or by its first line that is an
    object.

    Raises `DatasetError` for a file with none of them, or one that cannot be read.
    """
    keys = _keys_of(path)
    for name, kind in KINDS.items():
        if any(key in keys for key in kind.keys):
            return name
    known = ", ".join(key for kind in KINDS.values() for key in kind.keys)
    found = ", ".join(map(repr, keys[:8])) or "nothing"
    raise refuse(f"holds records of no known kind: they have none of {known}, but {found}", path)


def _keys_of(path: FilePath) -> list[str]:
    suffix = Path(path).suffix.lower()
    if suffix in (".pkl", ".pickle"):
        return ["page_content"]
    if suffix == ".parquet":
        return rows_of(path).columns or []
    for _number, line in islice(read_lines(path), _LOOKED_AT):
        try:
            data = data_or_literal(line)
        except ValueError:
            continue
        if isinstance(data, dict):
            return list(data)
    return []


def size_of(path: FilePath) -> int:
    """Returns the total for a `Watch`: the rows of a Parquet file, the bytes of any other."""
    return count_rows(path) if is_parquet(path) else Path(path).stat().st_size


def records_of(path: FilePath, kind: Kind, watch: Watch | None = None) -> Iterator[Any]:
    """Yields the records of a file. Raises `DatasetError` at the first invalid one."""
    for line in kind.scan(path, watch):
        if line.faults:
            raise DatasetError(line.faults)
        yield line.record


def _oasst(record: oasst.OasstRecord) -> dict[str, int]:
    if isinstance(record, oasst.ExportMessageTree):
        lengths: list[int] = []
        oasst.visit_threads_depth_first(
            record.prompt, lambda thread: lengths.append(len(thread)), lambda thread: not thread[-1].replies
        )
        messages = _messages(oasst.iter_messages(record.prompt))
        return {"trees": 1, **messages, "threads": len(lengths), LONGEST: max(lengths, default=0)}
    if isinstance(record, oasst.ExportMessageThread):
        return {"threads": 1, **_messages(record.thread), LONGEST: len(record.thread)}
    return _messages([record])


LONGEST = "longest thread"
"""The only count that is a maximum, not a sum."""


def _messages(messages: Iterable[oasst.ExportMessageNode]) -> dict[str, int]:
    tally = dict.fromkeys(("messages", "prompter", "assistant", "synthetic", "deleted"), 0)
    for message in messages:
        tally["messages"] += 1
        tally[message.role] += 1
        tally["synthetic"] += bool(message.synthetic)
        tally["deleted"] += bool(message.deleted)
    return tally


def _qa(qa: autorag.QA) -> dict[str, int]:
    return {"questions": 1, "groups": len(qa.retrieval_gt), "answers": len(qa.generation_gt)}


def _passage(passage: autorag.Passage) -> dict[str, int]:
    return {"passages": 1, "blank": not passage.contents.strip(), "characters": len(passage.contents)}


def _example(example: localrqa.Example | localrqa.RetrieverExample) -> dict[str, int]:
    return {
        "examples": 1,
        "questions": len(example.questions) if isinstance(example, localrqa.RetrieverExample) else 1,
        "gold documents": len(example.gold_docs),
        "hard negatives": len(example.hard_neg_docs),
        "turns before": len(example.chat_history),
    }


def _document(document: localrqa.Document) -> dict[str, int]:
    return {"documents": 1, "characters": len(document.page_content)}


def _scan_of(model: type[BaseModel]) -> Scan:
    return lambda path, watch: scan_records(path, model, watch)


def _table(write: Callable[[FilePath, Iterable[Any]], object]) -> Callable[[FilePath, Iterable[Any]], object]:
    """Returns a writer that writes Parquet with AutoRAG's own writer, and JSON Lines under any other name."""
    return lambda path, records: (write if is_parquet(path) else write_records)(path, records)


def _lines(write: Callable[[FilePath, Iterable[Any]], object]) -> Callable[[FilePath, Iterable[Any]], object]:
    """Returns a writer that writes JSON Lines with Open-Assistant's own writer, which has no form for Parquet."""
    return lambda path, records: (write_records if is_parquet(path) else write)(path, records)


KINDS: dict[str, Kind] = {
    # The order in which Open-Assistant's shapes are recognized.
    "messages": Kind(
        "Open-Assistant messages",
        ("message_id",),
        oasst.scan_oasst,
        oasst.validate,
        _oasst,
        _lines(oasst.write_messages),
    ),
    "trees": Kind(
        "Open-Assistant message trees",
        ("message_tree_id",),
        oasst.scan_oasst,
        oasst.validate,
        _oasst,
        _lines(oasst.write_message_trees),
    ),
    "threads": Kind(
        "Open-Assistant threads",
        ("thread_id",),
        oasst.scan_oasst,
        oasst.validate,
        _oasst,
        _lines(oasst.write_threads),
    ),
    "qa": Kind(
        "AutoRAG questions",
        ("qid", "retrieval_gt", "generation_gt"),
        _scan_of(autorag.QA),
        lambda path, watch: autorag.validate_qa(path, watch=watch),
        _qa,
        _table(autorag.write_qa),
    ),
    "corpus": Kind(
        "AutoRAG corpus",
        ("doc_id", "contents"),
        _scan_of(autorag.Passage),
        autorag.validate_corpus,
        _passage,
        _table(autorag.write_corpus),
    ),
    "examples": Kind(
        "LocalRQA examples",
        ("question", "questions"),
        localrqa.scan_examples,
        localrqa.validate,
        _example,
        localrqa.write_examples,
    ),
    "documents": Kind(
        "LocalRQA documents",
        ("page_content",),
        localrqa.scan_documents,
        localrqa.validate,
        _document,
        localrqa.write_documents,
    ),
}
