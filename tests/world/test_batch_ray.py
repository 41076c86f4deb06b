"""Ray: replies read by the worker processes of a real cluster of one machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from structured_response import BatchError

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
ray = pytest.importorskip("ray")
pa = pytest.importorskip("pyarrow")

import pyarrow.parquet as pq  # noqa: E402

from structured_response.batch import arrow_schema, parse_table  # noqa: E402
from structured_response.batch.ray import BLOCKS_PER_CPU, ROWS_PER_BLOCK, parse_dataset  # noqa: E402

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]  # Ray's warnings are not about us

CPUS = 2


class Part(BaseModel):
    label: str
    points: int
    at: str = "nowhere"


GOOD = "<part><label>a <b>bold</b> lamp</label><points>{}</points><at>here</at></part>"
REPLIES = [GOOD.format(3), "<part><label>x</label><points>many</points>", "No.", None, '{"label": "y", "points": 7}']
"""A row of each kind."""


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """A cluster of this machine, without a dashboard and off the network."""
    ray.init(
        num_cpus=CPUS,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        object_store_memory=300_000_000,
        _node_ip_address="127.0.0.1",
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    ray.data.DataContext.get_current().execution_options.preserve_order = True
    yield
    ray.shutdown()


def table(rows: int = 50) -> Any:
    """So many replies of all kinds."""
    return pa.table({"id": range(rows), "reply": [REPLIES[row % len(REPLIES)] for row in range(rows)]})


def blocks(dataset: Any) -> list[Any]:
    """The blocks of a dataset, as they are in the memory of the cluster."""
    return list(dataset.materialize().iter_batches(batch_size=None, batch_format="pyarrow"))


def test_rows_are_those_of_one_process() -> None:
    """Each row has what `parse_table` gives, in the same order and with the same types."""
    found = pa.concat_tables(blocks(parse_dataset(ray.data.from_arrow(table()), Part)))
    assert found.equals(parse_table(table(), Part))
    assert len(set(found["status"].to_pylist())) == len(REPLIES)


def test_blocks_have_one_schema() -> None:
    """Whatever the replies of a block are, and even if none of them has data."""
    nothing = pa.table({"id": range(40), "reply": pa.nulls(40)})
    given = ray.data.from_arrow([table(10), nothing]).repartition(10)
    found = blocks(parse_dataset(given, Part))
    schemas = [block.drop_columns(["id", "reply"]).schema for block in found]
    assert len(found) == 10
    assert all(schema == schemas[0] for schema in schemas)
    assert schemas[0].field("data").type == pa.struct(list(arrow_schema(Part)))


def answered(row: Any) -> Any:
    """A step before ours, for a row of `ray.data.range`."""
    return {"reply": GOOD.format(row["id"])}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(lambda: ray.data.from_arrow(table()), BLOCKS_PER_CPU * CPUS, id="one block"),
        pytest.param(lambda: ray.data.from_arrow([table()] * 9), 9, id="enough blocks"),
        pytest.param(
            lambda: ray.data.range(3 * ROWS_PER_BLOCK, override_num_blocks=1).map(answered),
            3,
            id="a number that is not known yet",
        ),
    ],
)
def test_blocks_are_enough_for_all_processors(given: Any, expected: int) -> None:
    """Four for each processor, or none of more than some thousand rows where Ray does not know their number."""
    assert len(blocks(parse_dataset(given(), Part))) == expected


def test_failed_rows_of_a_language_model_on_ray() -> None:
    """`ray.data.llm` has no reply for a row that failed, nor the columns of `postprocess`, but an error."""
    has_reply = [bool(row % 3 and row < 6) for row in range(12)]  # in the last two of four blocks, no row has

    def postprocessed(row: Any) -> Any:
        if has_reply[row["id"]]:
            return {"reply": GOOD.format(row["id"]), "__inference_error__": ""}
        return {"prompt": "?", "generated_text": None, "__inference_error__": "ValueError: prompt too long"}

    replies = ray.data.range(12, override_num_blocks=4).map(postprocessed)
    rows = parse_dataset(replies, Part).take_all()
    assert [row["status"] for row in rows] == ["ok" if there else "provider_error" for there in has_reply]
    assert {row["error"] for row in rows} == {None, "ValueError: prompt too long"}


def test_classes_that_workers_cannot_import() -> None:
    """A model of a notebook or a script is sent to the workers with its enums and validators."""

    class Size(Enum):
        SMALL = "small"

    class Lamp(BaseModel):
        size: Size
        watts: int

        @field_validator("watts")
        @classmethod
        def is_cold(cls, watts: int) -> int:
            if watts > 40:
                raise ValueError("gets hot")
            return watts

    replies = [f"<lamp><size>small</size><watts>{watts}</watts></lamp>" for watts in (4, 60)]
    rows = parse_dataset(ray.data.from_arrow(pa.table({"reply": replies})), Lamp).take_all()
    assert [row["status"] for row in rows] == ["ok", "partial"]
    assert rows[0]["data"] == {"size": "small", "watts": 4}
    assert "gets hot" in rows[1]["error"]


@pytest.mark.parametrize(
    ("columns", "options", "error"),
    [
        (["id", "text"], {}, BatchError),
        (["reply", "status"], {}, BatchError),
        (["reply"], {"formt": "xml"}, TypeError),
    ],
)
def test_errors_come_before_any_work(columns: list[str], options: Any, error: type[Exception]) -> None:
    """What no row could do anything about is told when the dataset is described."""
    given = ray.data.from_arrow(pa.table({name: [REPLIES[0]] for name in columns}))
    with pytest.raises(error):
        parse_dataset(given, Part, **options)


def test_files_are_those_of_pyarrow(tmp_path: Path) -> None:
    """A file that Ray wrote is equal to one of `parse_table`, and is read together with it."""
    parse_dataset(ray.data.from_arrow(table()).repartition(1), Part).repartition(1).write_parquet(str(tmp_path))
    (written,) = tmp_path.glob("*.parquet")
    pq.write_table(parse_table(table(), Part), tmp_path / "ours.parquet")
    assert pq.read_table(written).equals(pq.read_table(tmp_path / "ours.parquet"))
    assert pq.read_table(tmp_path).num_rows == 2 * len(table())
