"""Spark: replies read by the Python workers of a real session on one machine."""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from structured_response import BatchError, StructuredResponse

pa = pytest.importorskip("pyarrow")
sql = pytest.importorskip("pyspark.sql")

import pyarrow.parquet as pq  # noqa: E402

from structured_response.batch import parse_dataframe, parse_table  # noqa: E402

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]  # Spark's warnings are not about us

ROOT = Path(__file__).resolve().parent.parent.parent
JAVA = 17


class Line(BaseModel):
    zone: int
    area: str
    middle: bool


class Note(BaseModel):
    text: str


class Order(BaseModel):
    """Fields in no alphabetical order, with a type of each kind."""

    when: datetime
    day: date
    total: Decimal = Field(max_digits=12, decimal_places=2)
    lines: list[Line]
    counts: dict[str, int]
    pair: tuple[int, str]
    either: Line | Note
    attached: bytes
    anything: Any = None


ORDER = Order(
    when=datetime(2024, 7, 1, 3, 4, 5, 678901, UTC),
    day=date(1999, 2, 28),
    total=Decimal("12.50"),
    lines=[Line(zone=1, area="a", middle=True), Line(zone=2, area="b", middle=False)],
    counts={"z": 2, "a": 1},
    pair=(4, "q"),
    either=Note(text="said"),
    attached=b"\0\xff",
    anything={"k": [1]},
)
GOOD = str(StructuredResponse.from_basemodel(ORDER))
REPLIES = [GOOD, GOOD.replace("12.50", "many"), "No.", None]


def java_version() -> int:
    """The version of Java, or 0 where there is none."""
    home = os.environ.get("JAVA_HOME")
    java = shutil.which("java", path=f"{home}/bin" if home else None)
    said = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr if java else ""
    found = re.search(r'version "(\d+)', said)
    return int(found[1]) if found else 0


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of modules that the workers can import."""
    return tmp_path_factory.mktemp("modules")


@pytest.fixture(scope="module")
def spark(modules: Path) -> Iterator[Any]:
    """A session of this machine, off the network and in a time zone of its own."""
    if java_version() < JAVA:
        pytest.skip(f"needs Java {JAVA} or newer, which is not here")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(modules)]))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        options = {
            # The session starts in half the time if Java compiles little.
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.adaptive.enabled": "false",
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.log.level": "ERROR",
            "spark.sql.session.timeZone": "America/New_York",
            "spark.sql.warehouse.dir": str(modules / "warehouse"),
        }
        session = sql.SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
        yield session
        session.stop()


def table(replies: list[str | None]) -> Any:
    """Replies with their numbers."""
    return pa.table({"id": range(len(replies)), "reply": pa.array(replies, pa.string())})


def parsed(spark: Any, replies: list[str | None], model: Any) -> Any:
    """The result for replies in as many partitions as Spark has cores, as one table in their order."""
    return parse_dataframe(spark.createDataFrame(table(replies)).repartition(2), model).toArrow().sort_by("id")


def test_rows_are_those_of_one_process(spark: Any) -> None:
    """Each row has what `parse_table` gives, with every field under its name, whatever the session's time zone."""
    found, expected = parsed(spark, REPLIES * 5, Order), parse_table(table(REPLIES * 5), Order)
    assert found.schema.names == expected.schema.names
    assert found.to_pylist() == expected.to_pylist()
    assert found["status"].to_pylist()[:4] == ["ok", "partial", "invalid", "empty"]


def test_files_are_those_of_pyarrow(spark: Any, tmp_path: Path) -> None:
    """A file that Spark wrote with microseconds is equal to one of `parse_table`, and is read together with it."""
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    frame = parse_dataframe(spark.createDataFrame(table(REPLIES)).coalesce(1), Order)
    frame.coalesce(1).write.parquet(str(tmp_path / "spark"))
    expected = parse_table(table(REPLIES), Order)
    pq.write_table(expected, tmp_path / "ours.parquet")
    (written,) = (tmp_path / "spark").glob("*.parquet")
    assert pq.read_table(written).cast(expected.schema).equals(pq.read_table(tmp_path / "ours.parquet"))
    both = pq.ParquetDataset([tmp_path / "ours.parquet", written], schema=expected.schema).read()
    assert both.num_rows == 2 * len(REPLIES)
    assert both["data"].to_pylist()[len(REPLIES) :] == expected["data"].to_pylist()
    assert spark.read.parquet(str(tmp_path / "ours.parquet")).union(frame).count() == 2 * len(REPLIES)


def lamp() -> type[BaseModel]:
    """A model that no module has."""

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

    return Lamp


def test_classes_that_workers_cannot_import(spark: Any) -> None:
    """A model of a notebook or a script is sent to the workers with its enums and validators."""
    rows = parsed(spark, [f"<lamp><size>small</size><watts>{watts}</watts></lamp>" for watts in (4, 60)], lamp())
    assert rows["status"].to_pylist() == ["ok", "partial"]
    assert rows["data"].to_pylist()[0] == {"size": "small", "watts": 4}
    assert "gets hot" in rows["error"].to_pylist()[1]


def test_workers_with_another_order_of_fields(spark: Any, modules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values stand under their names, though a worker imports a version of the model with its fields turned round."""
    monkeypatch.syspath_prepend(str(modules))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    module = modules / "turned.py"
    module.write_text("from pydantic import BaseModel\nclass Sizes(BaseModel):\n    width: int\n    height: int\n")
    frame = spark.createDataFrame(table(["<sizes><width>1</width><height>2</height></sizes>"]))
    result = parse_dataframe(frame, importlib.import_module("turned").Sizes)
    module.write_text("from pydantic import BaseModel\nclass Sizes(BaseModel):\n    height: int\n    width: int\n")
    assert result.select("data.width", "data.height").first() == (1, 2)


@pytest.mark.parametrize(
    ("columns", "options", "error"),
    [
        (["id", "text"], {}, BatchError),
        (["reply", "status"], {}, BatchError),
        (["reply"], {"formt": "xml"}, TypeError),
    ],
)
def test_errors_come_before_any_work(spark: Any, columns: list[str], options: Any, error: type[Exception]) -> None:
    """What no row could do anything about is told when the data frame is described."""
    frame = spark.createDataFrame([tuple("." for _ in columns)], columns)
    with pytest.raises(error):
        parse_dataframe(frame, Order, **options)
