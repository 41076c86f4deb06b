"""Asking again for the rows of a batch that failed: request files of what is wrong, and their results merged."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from ..asking.session import response_of
from ..completion import Completion, messages_of
from ..definition import MISSING
from ..errors import BatchError, needs
from ..escaping import encodable
from ..options import ReadingOptions, parse_options
from ..response import StructuredResponse
from .columns import ROWS_AT_ONCE
from .folder import MANIFEST, digest_of, finish, finished_parts, is_finished, open_folder, read_manifest
from .inputs import InputRow, Inputs, blocks, files_of, input_rows, lines_of, reading
from .parts import count, json_line, json_lines, part_table, save
from .replies import IDS, id_of
from .report import GOOD
from .requests import write_requests
from .rows import Reply, reader, row_of
from .schema import RESULTS

with needs("pyarrow", "arrow"):
    import pyarrow as pa
    import pyarrow.parquet as pq


class Reasked(NamedTuple):
    """The counts of `write_reask`.

    Attributes:
        requests: The requests that were written.
        missing: The failed rows that have no id, or whose request is not in the given files.
    """

    requests: int
    missing: int


class Merged(NamedTuple):
    """The counts of `merge`.

    Attributes:
        amended: The failed rows that have data or better data now.
        failed: The results that make their rows no better. Those stay as they were.
        unknown: The results that belong to no row.
    """

    amended: int
    failed: int
    unknown: int


def write_reask(
    output: str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    requests: Inputs,
    model: Any = None,
    context: Any = None,
) -> Reasked:
    """Write a request file that asks again for the rows of a batch that failed.

    If a row has data, its request continues with the reply and the message of `to_reask`, which asks for the wrong
    fields only. Otherwise it is the same request as before. Its id is that of the row; the second of several replies to
    a request is asked for as `id#1`. Memory does not grow with the batch.

    Args:
        output: A folder of `parse_files` or `merge`.
        path: The new file; see `write_batch`. If no row failed, there is none. It cannot be one of the request files.
        requests: The request files of the batch.
        model: The model, for the problems that only its own validators find.
        context: The context of the validators.

    Returns:
        The counts of requests that were written, and of failed rows that have none.

    Raises:
        BatchError: The folder is not finished, is one of `on_error="drop"` or not of this model; two rows or two
            requests have one id; or a file is invalid or cannot be written.
        DefinitionError: The model cannot be described.
    """
    asked, options = _asked(output, model, context)
    _check_ids(output)
    if Path(path).exists() and any(map(Path(path).samefile, files_of(requests))):
        raise BatchError("is one of the request files; take another name", os.fspath(path))
    with closing(sqlite3.connect("")) as failed:  # a temporary file
        failed.execute("CREATE TABLE failed (id TEXT, name TEXT, reply TEXT, again TEXT)")
        failed.execute("CREATE INDEX ids ON failed (id)")
        for part in finished_parts(Path(output)).values():
            for row in _rows(part, ["id", "sample", "reply", "status"]):
                if row["status"] not in GOOD:
                    read = _to_go_on(asked, row, options)
                    message = None if read is None else read.to_reask(format=options.get("format") or "xml")
                    values = (row["id"], _name(row), row["reply"], message)
                    failed.execute("INSERT INTO failed VALUES (?, ?, ?, ?)", values)
        written = write_requests(path, _requests(failed, requests))
        (count_failed,) = failed.execute("SELECT count(*) FROM failed").fetchone()
    return Reasked(written, count_failed - written)


def merge(
    output: str | os.PathLike[str],
    results: Inputs,
    merged: str | os.PathLike[str],
    *,
    model: Any = None,
    context: Any = None,
) -> Merged:
    """Merge the results of the requests of `write_reask` into a new folder.

    The new folder has the rows of the old one in their order. A failed row is amended with its result if that makes it
    better, and its `reply` is then the amended answer as XML; the other rows stay as they are. The new folder can be
    asked again in turn. Memory is that of a part.

    Args:
        output: The folder that `write_reask` was given.
        results: The result files.
        merged: The new folder.
        model: The model, to validate with. Without it the definition is what counts.
        context: The context of the validators.

    Returns:
        The counts of results that were merged, that did not help, and that belong to no row.

    Raises:
        BatchError: The folder is not finished, is one of `on_error="drop"` or not of this model; two rows have one id;
            another run writes to the new folder; or a file is invalid or cannot be written.
        DefinitionError: The model cannot be described.
    """
    asked, options = _asked(output, model, context)
    _check_ids(output)
    manifest = read_manifest(output)
    manifest["merged"] = [*manifest.get("merged", ()), *map(digest_of, files_of(results))]
    with closing(sqlite3.connect("")) as known:  # a temporary file
        unknown = _keep(known, results, manifest["column"])
        amended = failed = 0
        with open_folder(Path(merged), manifest):
            for part in finished_parts(Path(output)).values():
                with reading(str(part)):
                    schema = pq.read_schema(part) if part.suffix == ".parquet" else None
                rows = []
                for row in _rows(part):
                    reply = _result(known, row)
                    better = None if reply is None else _better(asked, row, reply, options, schema)
                    amended += better is not None
                    failed += reply is not None and better is None
                    rows.append(better or row)
                _save(Path(merged, part.name), rows, schema)
            finish(Path(merged))
        unknown += known.execute("SELECT count(*) FROM known").fetchone()[0]
    return Merged(amended, failed, unknown)


def _asked(output: str | os.PathLike[str], model: Any, context: Any) -> tuple[StructuredResponse[Any], ReadingOptions]:
    """Returns what a batch asked for, and the options that its replies were read with."""
    manifest = read_manifest(output)
    if manifest["drop"]:
        raise BatchError("on_error='drop' left out the rows that failed; parse with 'column'", os.fspath(output))
    if not is_finished(Path(output)):
        raise BatchError("is not finished; call parse_files with the same arguments again", os.fspath(output))
    options: Any = {**manifest["options"], "context": context}
    try:
        parse_options(options, ())
        asked = StructuredResponse.from_definition(manifest["class_name"], manifest["definition"])
    except (TypeError, ValueError) as error:
        raise BatchError(f"is damaged: {MANIFEST}: {error}", os.fspath(output)) from error
    if model is None:
        return asked, options
    asked = response_of(model)
    if asked.fingerprint != manifest["fingerprint"]:
        raise BatchError(f"was not made with this {asked.class_name}: its definition is another one", os.fspath(output))
    return asked, options


def _check_ids(output: str | os.PathLike[str]) -> None:
    """Raises `BatchError` if two rows have one id, so that a result could belong to either."""
    with closing(sqlite3.connect("")) as seen:  # a temporary file
        seen.execute("CREATE TABLE seen (name TEXT UNIQUE)")
        for part in finished_parts(Path(output)).values():
            for row in _rows(part, ["id", "sample"]):
                try:
                    seen.execute("INSERT INTO seen VALUES (?)", (_name(row),))
                except sqlite3.IntegrityError:
                    hint = "give each request of a batch an id of its own"
                    raise BatchError(f"two rows have the id {_name(row)!r}; {hint}", os.fspath(output)) from None


def _name(row: Mapping[str, Any]) -> str | None:
    """Returns the id of the request that asks again for a row."""
    return f"{row['id']}#{row['sample']}" if row["id"] is not None and row["sample"] else row["id"]


def _to_go_on(asked: StructuredResponse[Any], row: Mapping[str, Any], options: ReadingOptions) -> Any:
    """Returns what the reply of a row holds if a part of it can be asked for, or None if all of it must be."""
    try:
        read = asked.parse(row["reply"] or "", strict=False, **options)
    except Exception:  # noqa: BLE001 - a validator's, or a reply without data
        return None
    return read if read.problems or read.truncated is not None else None


# Requests


def _requests(failed: sqlite3.Connection, requests: Inputs) -> Iterator[tuple[str, Any]]:
    """Yields the requests that ask again, in the order of the old ones."""
    for record in chain.from_iterable(map(lines_of, files_of(requests))):
        with reading(record.place):
            request = orjson.loads(record.content)
        id_ = id_of(request)
        rows = failed.execute("SELECT name, reply, again FROM failed WHERE id = ?", (id_,)).fetchall()
        for name, reply, message in rows:
            if isinstance(request.get("body"), dict):
                request["body"].pop("n", None)  # each row is asked for by itself
            key = next(key for key in IDS if key in request)
            more = {} if message is None else _continued(request, reply, message, record.place)
            yield name, {**request, key: name, **more}


def _continued(request: dict[str, Any], reply: str, message: str, place: str) -> dict[str, Any]:
    """Returns the part of a request that has its messages, with two more."""
    turns = [{"role": "assistant", "content": reply}, {"role": "user", "content": message}]
    match request:
        case {"body": {"messages": [*said], **body}}:
            return {"body": {**body, "messages": [*said, *turns]}}
        case {"body": {"input": str() | list() as said, **body}}:
            return {"body": {**body, "input": [*(messages_of(said) if isinstance(said, str) else said), *turns]}}
        case {"params": {"messages": [*said], **params}}:
            return {"params": {**params, "messages": [*said, *turns]}}
        case {"request": {"contents": [*said], **body}}:
            again = [{"role": role, "parts": [{"text": text}]} for role, text in (("model", reply), ("user", message))]
            return {"request": {**body, "contents": [*said, *again]}}
    raise BatchError("has no messages that could go on", place)


# Results


_RESULT = """INSERT INTO known VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE
SET text = excluded.text, reason = excluded.reason, error = excluded.error
WHERE excluded.error IS NULL OR known.error IS NOT NULL"""
"""Of several results for a row the last one counts, but an error counts less than a reply."""


def _keep(known: sqlite3.Connection, results: Inputs, column: str) -> int:
    """Keeps the results by their ids. Returns the number of those without one."""
    known.execute("CREATE TABLE known (name TEXT PRIMARY KEY, text TEXT, reason TEXT, error TEXT)")
    nameless = 0
    for block in blocks(results, ROWS_AT_ONCE, column):
        for row in input_rows(block, column):
            if row.id is None:
                nameless += 1
            elif not row.sample:
                values = [value and encodable(value) for value in (row.id, *row.reply)]
                known.execute(_RESULT, values)
    return nameless


def _result(known: sqlite3.Connection, row: Mapping[str, Any]) -> Reply | None:
    """Takes the result for a row out of those that are left, and returns it if the row failed."""
    name = (_name(row),)
    found = known.execute("SELECT text, reason, error FROM known WHERE name = ?", name).fetchone()
    if found is None:
        return None
    known.execute("DELETE FROM known WHERE name = ?", name)
    return None if row["status"] in GOOD else Reply(*found)


def _better(
    asked: StructuredResponse[Any],
    row: dict[str, Any],
    reply: Reply,
    options: ReadingOptions,
    schema: pa.Schema | None,
) -> dict[str, Any] | None:
    """Returns a failed row with its result, or None if that does not make it better."""
    before, text = _to_go_on(asked, row, options), reply.text or ""
    if before is None:
        made = reader(asked, options)(reply)
    else:
        try:
            after = before.amend(text, strict=False, **options)
            made, text = row_of(after, after.problems, Completion(text, reply.finish_reason)), str(after)
        except Exception:  # noqa: BLE001 - a validator's, or a reply without data
            return None
    if made.data is MISSING:
        return None
    given = InputRow(row["id"], row["sample"], Reply(text, reply.finish_reason))
    new = _as_read(part_table([given], [made], asked), schema)
    if new["status"] in GOOD or len(new["problems"]) < len(row["problems"]):
        return new
    has_old_data = before is not None or row["status"] != "partial"
    return new if has_old_data and json_line(new["data"]) != json_line(row["data"]) else None


# Parts


def _rows(part: Path, columns: list[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yields the rows of a part; of Parquet, only these columns."""
    with reading(str(part)):
        if part.suffix == ".parquet":
            with pq.ParquetFile(part) as file:
                for batch in file.iter_batches(ROWS_AT_ONCE, columns=columns):
                    yield from batch.to_pylist()
        else:
            with part.open("rb") as file:
                yield from map(orjson.loads, file)


def _as_read(table: pa.Table, schema: pa.Schema | None) -> dict[str, Any]:
    """Returns the row of a table as it is read from a part: with the schema of Parquet, or from JSON."""
    try:
        rows = map(orjson.loads, json_lines(table)) if schema is None else table.cast(schema).to_pylist()
    except pa.ArrowException as error:  # the definition alone may have wider types
        raise BatchError(f"an amended row does not fit the columns of the batch; pass model=: {error}") from error
    row: dict[str, Any] = next(iter(rows))
    return row


def _save(part: Path, rows: list[dict[str, Any]], schema: pa.Schema | None) -> None:
    """Writes the rows of a part, and their counts."""
    counted = pa.Table.from_pylist(rows, pa.schema([(name, column.type) for name, column in RESULTS.items()]))
    content = map(json_line, rows) if schema is None else pa.Table.from_pylist(rows, schema)
    save(part, content, count(counted, [f"{part}: row {number}" for number in range(len(rows))]))
