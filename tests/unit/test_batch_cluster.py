"""What a worker of a cluster does, without the cluster."""

from __future__ import annotations

import pickle
import sys
import threading
from typing import Any

import pytest
from pydantic import BaseModel, field_validator

from structured_response import BatchError, MissingExtraError, StructuredResponse

pa = pytest.importorskip("pyarrow")

from structured_response import batch  # noqa: E402
from structured_response.batch.cluster import FAILED, table_parser  # noqa: E402
from structured_response.batch.columns import parse_table  # noqa: E402


class Part(BaseModel):
    label: str


PART = StructuredResponse.from_basemodel(Part)
GOOD = "<part><label>x</label></part>"


class Counted:
    """A context of validators that knows how often it was unpickled."""

    times = 0

    def __setstate__(self, state: object) -> None:
        Counted.times += 1

    def __getstate__(self) -> object:
        return 1


def test_a_worker_unpickles_a_model_once() -> None:
    """Engines unpickle the function for each block of rows, but the model in it only once per process."""
    sent = pickle.dumps(table_parser(PART, "reply", {"context": Counted()}))
    for _ in range(3):
        assert pickle.loads(sent)(pa.table({"reply": [GOOD]}))["status"].to_pylist() == ["ok"]
    assert Counted.times == 1


def test_a_worker_has_the_validators() -> None:
    """A response over a class that no module has keeps the validators of that class."""

    class Short(Part):
        @field_validator("label")
        @classmethod
        def check(cls, label: str) -> str:
            raise ValueError("too long")

    for model in (Short, list[Short]):
        asked = StructuredResponse.from_type(model, "Part")
        sent = pickle.dumps(table_parser(asked, "reply", {}))
        assert "too long" in pickle.loads(sent)(pa.table({"reply": [GOOD]}))["error"][0].as_py()


def test_what_cannot_be_sent_to_a_worker() -> None:
    """It is an error before any work."""
    with pytest.raises(BatchError, match="the model or an option cannot be sent to a process"):
        table_parser(PART, "reply", {"context": threading.Lock()})


@pytest.mark.parametrize(
    ("columns", "statuses", "errors"),
    [
        (
            {"reply": [GOOD, None, None], FAILED: ["", "too long", None]},
            ["ok", "provider_error", "empty"],
            [None, "too long", "$: the reply is empty"],
        ),
        ({FAILED: ["too long", "too long"]}, ["provider_error"] * 2, ["too long"] * 2),
        ({"reply": [GOOD], FAILED: pa.nulls(1)}, ["ok"], [None]),
    ],
)
def test_rows_without_a_reply_of_ray(columns: Any, statuses: list[str], errors: list[str | None]) -> None:
    """The error that `ray.data.llm` has for a row is its error, whichever columns there are beside it."""
    found = table_parser(PART, "reply", {})(pa.table(columns))
    assert found["status"].to_pylist() == statuses
    assert found["error"].to_pylist() == errors


def test_tables_get_what_parse_table_gives() -> None:
    """The columns, their types and the metadata are the same."""
    given = pa.table({"id": [1, 2], "reply": [GOOD, None]})
    assert table_parser(PART, "reply", {"repair": False})(given).equals(
        parse_table(given, Part, repair=False), check_metadata=True
    )


def test_tables_without_replies() -> None:
    """A worker says which column is missing."""
    with pytest.raises(BatchError, match="reply: there is no such column"):
        table_parser(PART, "reply", {})(pa.table({"text": [GOOD]}))
    with pytest.raises(BatchError, match="a column of replies holds texts, not int64"):
        table_parser(PART, "reply", {})(pa.table({"reply": [1], FAILED: ["too long"]}))


@pytest.mark.parametrize(("name", "package"), [("parse_dataset", "ray"), ("parse_dataframe", "pyspark")])
def test_engines_are_extras(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an engine, its function is an error that says what to install, and everything else works."""
    monkeypatch.setitem(sys.modules, package, None)
    for module in [module for module in sys.modules if module.startswith(f"{package}.")]:
        monkeypatch.delitem(sys.modules, module)
    with pytest.raises(MissingExtraError, match=f"{package} is not installed"):
        getattr(batch, name)
