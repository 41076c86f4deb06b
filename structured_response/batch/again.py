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
from .parts import count, json_lines, part_schema, part_table, save
from .replies import IDS, id_of
from .report import GOOD
from .requests import write_requests
from .rows import Reply, Row, read_row, row_of

with needs("pyarrow", "arrow"):
    import pyarrow as pa
    import pyarrow.parquet as pq

_KEPT = ["id", "sample", "reply", "status"]
_COUNTED = ["status", "error", "problems", "repairs"]


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
            for row in chain.from_iterable(rows for _chunk, rows in _chunks(part)):
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
                contents: list[Any] = []
                for chunk, rows in _chunks(part):
                    found = {number: reply for number, row in enumerate(rows) if (reply := _result(known, row))}
                    made = {number: _amended(asked, rows[number], reply, options) for number, reply in found.items()}
                    content, better = _replaced(chunk, {number: new for number, new in made.items() if new}, asked)
                    contents.append(content)
                    amended, failed = amended + better, failed + len(found) - better
                _save(Path(merged, part.name), contents, asked)
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
            for row in chain.from_iterable(rows for _chunk, rows in _chunks(part, ["id", "sample"])):
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


def _amended(
    asked: StructuredResponse[Any], row: Mapping[str, Any], reply: Reply, options: ReadingOptions
) -> tuple[InputRow, Row, bool] | None:
    """Returns a row with its result, and whether that has the old data too; or None for a result without data."""
    before, text = _to_go_on(asked, row, options), reply.text or ""
    if before is None:
        made = read_row(asked, reply, options)
    else:
        try:
            after = before.amend(text, strict=False, **options)
            made, text = row_of(after, after.problems, Completion(text, reply.finish_reason)), str(after)
        except Exception:  # noqa: BLE001 - a validator's, or a reply without data
            return None
    if made.data is MISSING:
        return None
    return InputRow(row["id"], row["sample"], Reply(text, reply.finish_reason)), made, before is not None


def _is_better(before: Mapping[str, Any], after: Mapping[str, Any], goes_on: bool) -> bool:
    """Returns whether a row of a part is better than it was. Only the columns tell: a value may not fit its own."""
    if after["status"] in GOOD or len(after["problems"]) < len(before["problems"]):
        return True
    return (goes_on or before["status"] != "partial") and bool(after["data"] != before["data"])


# Parts


def _chunks(part: Path, columns: list[str] | None = None) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
    """Yields a part as tables or as lists of lines, with the rows in them."""
    with reading(str(part)):
        if part.suffix == ".parquet":
            with pq.ParquetFile(part) as file:
                for batch in file.iter_batches(ROWS_AT_ONCE, columns=columns):
                    yield pa.Table.from_batches([batch]), batch.select(columns or _KEPT).to_pylist()
        else:
            lines = part.read_bytes().splitlines(keepends=True)
            yield lines, list(map(orjson.loads, lines))


def _replaced(
    chunk: Any, made: Mapping[int, tuple[InputRow, Row, bool]], asked: StructuredResponse[Any]
) -> tuple[Any, int]:
    """Returns a chunk with each amended row that is better in place of the old one, and the number of these."""
    if not made:
        return chunk, 0
    given, rows, goes_on = zip(*made.values(), strict=True)
    table = part_table(given, rows, asked)
    is_lines = isinstance(chunk, list)
    old = [chunk[number] for number in made] if is_lines else json_lines(chunk.take(list(made)))
    new = list(json_lines(table))
    is_better = map(_is_better, map(orjson.loads, old), map(orjson.loads, new), goes_on)
    places = {number: place for place, (number, better) in enumerate(zip(made, is_better, strict=True)) if better}
    if is_lines:
        return [new[places[number]] if number in places else line for number, line in enumerate(chunk)], len(places)
    try:
        table = table.cast(chunk.schema)  # the definition alone may have wider types
    except pa.ArrowException as error:
        raise BatchError(f"an amended row does not fit the columns of the batch; pass model=: {error}") from error
    taken = [len(chunk) + places[number] if number in places else number for number in range(len(chunk))]
    return pa.concat_tables([chunk, table]).take(taken), len(places)


def _save(part: Path, contents: list[Any], asked: StructuredResponse[Any]) -> None:
    """Writes the chunks of a part, and their counts."""
    schema = part_schema(asked)
    if part.suffix == ".parquet":
        content = counted = pa.concat_tables(contents or [schema.empty_table()])
    else:
        content = list(chain.from_iterable(contents))
        rows = ({name: row[name] for name in _COUNTED} for row in map(orjson.loads, content))
        counted = pa.Table.from_pylist(list(rows), schema=pa.schema([schema.field(name) for name in _COUNTED]))
    save(part, content, count(counted, [f"{part}: row {number}" for number in range(len(counted))]))
