"""Replies as Arrow tables: typed data, statuses and findings, for whatever model and reply."""

import io
import json
import math
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Literal

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, field_validator
from pydantic_core import to_json

from structured_response import BatchError, StructuredResponse
from structured_response.batch import Reply, arrow_schema, parse_column, parse_table
from structured_response.batch.columns import table_of
from structured_response.batch.rows import Row
from structured_response.batch.schema import result_schema
from structured_response.definition import Node, choice_text, default_of, from_base64, match_union_option
from tests.strategies import CORE, instances, models


class Review(BaseModel):
    headline: str
    score: int = Field(ge=0)
    price: float | None = None
    tags: list[str] = ["new"]


GOOD = "<review><headline>Nice</headline><score>4</score><price>1.5</price><tags><li>a</li></tags></review>"
DATA = {"headline": "Nice", "score": 4, "price": 1.5, "tags": ["a"]}
SHORT = "<review><headline>Nice</headline><score>4</score></review>"


def rows(replies: Any, model: Any = Review, **options: Any) -> list[dict[str, Any]]:
    """The rows of the table that replies make."""
    found: list[dict[str, Any]] = parse_column(replies, model, **options).to_pylist()
    return found


# The data


def test_data_is_typed() -> None:
    """The data of a reply is a struct with the types of the model."""
    table = parse_column([GOOD], Review)
    assert table.column("data").type == pa.struct(list(arrow_schema(Review)))
    assert table.to_pylist() == [{"data": DATA, "status": "ok", "error": None, "problems": [], "repairs": []}]


def test_defaults_fill_missing_fields() -> None:
    """A field that the reply left out holds its default, and null if it has none."""
    (row,) = rows(["<review><headline>Nice</headline></review>"])
    assert row["data"] == {"headline": "Nice", "score": None, "price": None, "tags": ["new"]}
    assert row["status"] == "partial"


def test_data_is_that_before_validators() -> None:
    """The data is what the reply says, whatever the model's validators make of it."""

    class Loud(BaseModel):
        word: str

        @field_validator("word")
        @classmethod
        def shout(cls, word: str) -> str:
            return word.upper()

    assert rows(["<loud><word>hi</word></loud>"], Loud)[0]["data"] == {"word": "hi"}


class Cat(BaseModel):
    name: str
    lives: int


class Dog(BaseModel):
    name: str
    tricks: dict[str, int]


class Tree(BaseModel):
    leaf: float
    branches: "list[Tree]" = []


MOMENT = datetime(2024, 3, 2, 12, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("described", "data", "expected"),
    [
        (datetime, "2024-03-02T14:30:00+02:00", MOMENT),
        (datetime, "2024-03-02 12:30Z", MOMENT),
        (datetime, "2024-03-02T12:30:00", MOMENT),
        (datetime, "2024-03-02T12:30:00.123456789Z", MOMENT.replace(microsecond=123456)),
        (datetime, "2024-03-02T07:00:00-0530", MOMENT),
        (date, "2024-03-02", date(2024, 3, 2)),
        (bytes, "/+8=", b"\xff\xef"),
        (bytes, "_-8=", b"\xff\xef"),
        (Decimal, "1.50", "1.50"),
        (Literal[1, "x"], 1, "1"),
        (Any, {"a": [1, None, math.inf]}, '{"a":[1,null,"Infinity"]}'),
        (int | str, 2**70, str(2**70)),
        (dict[int, float], {"1": 0.5}, [("1", 0.5)]),
        (tuple[int, str], [1, "a"], {"_0": 1, "_1": "a"}),
        (Cat | Dog, {"name": "Rex", "tricks": {}}, {"kind": "dog", "cat": None, "dog": {"name": "Rex", "tricks": []}}),
        (Tree, {"leaf": 1.0, "branches": [{"leaf": 2.0}]}, {"leaf": 1.0, "branches": ['{"leaf":2.0}']}),
    ],
)
def test_values(described: Any, data: Any, expected: Any) -> None:
    """Each kind of value has one form in its column."""
    asked = StructuredResponse.from_type(described, "Value")
    (row,) = table_of([Row(data, "ok")], asked).to_pylist()
    assert row["data"] == (expected if described is Tree else {"value": expected})
    assert row["status"] == "ok"


def test_json_columns_hold_typed_data() -> None:
    """Numbers that were read as texts are numbers in JSON columns."""
    (row,) = rows(["<tree><leaf>1</leaf><branches><li><leaf>2</leaf></li></branches></tree>"], Tree)
    assert row["data"] == {"leaf": 1.0, "branches": ['{"leaf":2.0}']}


# Values that do not fit


class Wide(BaseModel):
    number: int = 0
    amounts: list[Decimal] = []
    counts: dict[str, list[int]] = {}
    pair: tuple[str, int] = ("", 0)
    price: Decimal | None = Field(None, max_digits=5, decimal_places=2)
    moment: datetime | None = None


@pytest.mark.parametrize(
    ("data", "path", "held"),
    [
        ({"number": 2**63}, "$.number", ("number", None)),
        ({"counts": {"a": [7], "b": [1, 2**63, 3]}}, "$.counts.b[1]", ("counts", [("a", [7]), ("b", [1, None, 3])])),
        ({"pair": ["x", -(2**63) - 1]}, "$.pair[1]", ("pair", {"_0": "x", "_1": None})),
        ({"price": "1234.5"}, "$.price", ("price", None)),
        ({"price": "0.125"}, "$.price", ("price", None)),
        ({"moment": "0001-01-01T00:00:00+05:00"}, "$.moment", ("moment", None)),
        ({"number": "x"}, "$.number", ("number", None)),
        ({"counts": "x"}, "$.counts", ("counts", None)),
    ],
)
def test_values_that_do_not_fit_are_problems(data: Any, path: str, held: tuple[str, Any]) -> None:
    """A value that its column cannot hold is null and a problem of its row. The other rows are as they were."""
    asked = StructuredResponse.from_basemodel(Wide)
    given = [Row({"number": 1}, "ok"), Row(data, "repaired"), Row({"number": 3}, "ok")]
    before, row, behind = table_of(given, asked).to_pylist()
    assert [problem["path"] for problem in row["problems"]] == [path]
    assert row["status"] == "partial"
    assert row["error"].startswith(f"{path}: ")
    assert row["data"][held[0]] == held[1]
    assert [before["status"], before["data"]["number"], behind["data"]["number"]] == ["ok", 1, 3]


def test_numbers_past_64_bits_are_problems() -> None:
    """They are so for what was read, of one path of the reader or another."""
    many = [SHORT.replace("4", str(2**63)), SHORT, SHORT.replace("<score>4", f"<score>{2**64}</score")]
    first, second, third = rows(many)
    assert (first["status"], first["data"]["score"], first["problems"][0]["found"]) == ("partial", None, str(2**63))
    assert (second["status"], second["data"]["score"]) == ("ok", 4)
    assert (third["status"], third["data"]["score"]) == ("partial", None)


def test_lone_surrogates_are_replaced() -> None:
    """Arrow cannot hold half of a surrogate pair."""
    row = Row({"headline": "a\ud800b", "score": 1}, "invalid", "bad \udfff")
    (shown,) = table_of([row], StructuredResponse.from_basemodel(Review)).to_pylist()
    assert (shown["data"]["headline"], shown["error"]) == ("a\ufffdb", "bad \ufffd")


# Statuses


@pytest.mark.parametrize(
    ("reply", "status", "has_data"),
    [
        (GOOD, "ok", True),
        (GOOD.replace("4", "four"), "partial", True),
        (GOOD.replace("</score>", ""), "repaired", True),
        ("<review><headline>Ni", "partial", True),
        (Reply(GOOD, "length"), "ok", True),
        (Reply(GOOD.removesuffix("</review>"), "length"), "partial", True),
        (Reply(GOOD.removesuffix("view>"), "length"), "repaired", True),
        (Reply("headline: Nice\nscore: 1", "length"), "partial", True),
        (Reply("headline: Nice\nscore: 1", "stop"), "repaired", True),
        ("Sure, one moment!", "invalid", False),
        (Reply("Sure, one mo", "max_tokens"), "truncated", False),
        (None, "empty", False),
        (" \n", "empty", False),
        (Reply(None, "stop"), "empty", False),
        ("I'm sorry, but I can't help with that.", "refused", False),
        (Reply("", "content_filter"), "refused", False),
        (Reply(None, error="429: too many requests"), "provider_error", False),
        (Reply(GOOD, error="broken pipe"), "provider_error", False),
    ],
)
def test_statuses(reply: Any, status: str, has_data: bool) -> None:
    """A row has the first status that holds, and an error exactly if something is wrong."""
    (row,) = rows([reply])
    assert (row["status"], row["data"] is not None) == (status, has_data)
    assert (row["error"] is None) == (status in ("ok", "repaired"))


def test_the_provider_says_why_a_row_is_refused() -> None:
    """Its reason is the problem, and not that a text is empty or holds no answer."""
    (row,) = rows([Reply("", "tool_calls")])
    assert row["error"] == "$: a tool was called in place of an answer"
    assert [problem["kind"] for problem in row["problems"]] == ["refusal"]


@pytest.mark.parametrize(
    ("replies", "options", "message"),
    [(GOOD, {}, "not one text; write"), ([GOOD], {"strict": True}, "'strict' is not an option"), ([1], {}, "reply 0")],
)
def test_a_wrong_argument_is_named(replies: Any, options: Any, message: str) -> None:
    """Also one text in place of many, whose characters would be rows."""
    with pytest.raises(TypeError, match=message):
        parse_column(replies, Review, **options)


def test_findings_are_rows() -> None:
    """Problems and repairs are structs with the attributes of the findings."""
    reply = GOOD.replace("4", "four").replace("</headline>", "")
    (row,) = rows([reply])
    read = StructuredResponse.from_basemodel(Review).parse(reply, strict=False)
    assert row["problems"] == [shown(problem) for problem in read.problems]
    assert row["repairs"] == [shown(repair) for repair in read.repairs]
    assert row["problems"]
    assert row["repairs"]


def shown(finding: Any) -> dict[str, Any]:
    """What a table shows of a finding."""
    found = finding.to_dict()
    return {**found, "span": found["span"] and dict(zip(("start", "end"), found["span"], strict=True))}


def test_exceptions_of_validators_stay_in_their_row() -> None:
    """A validator that fails is the status of its row and not the end of all others."""

    class Fragile(BaseModel):
        word: str

        @field_validator("word")
        @classmethod
        def look_up(cls, word: str) -> str:
            return {"good": word}[word]

    bad, good = rows(["<fragile><word>x</word></fragile>", "<fragile><word>good</word></fragile>"], Fragile)
    assert (bad["status"], bad["error"]) == ("invalid", "KeyError: 'x'")
    assert good["status"] == "ok"


def test_options_are_those_of_parse() -> None:
    """Options of reading apply to each reply."""
    (row,) = rows([json.dumps(DATA)], format="json")
    assert (row["status"], row["repairs"]) == ("ok", [])
    (row,) = rows([GOOD.replace("4", "4 of 5")], repair=False)
    assert row["status"] == "partial"


def test_unknown_options_raise() -> None:
    """A mistake of the program is none of a reply."""
    with pytest.raises(TypeError, match="'strict_' is not an option"):
        parse_column([GOOD], Review, strict_=True)  # type: ignore[call-arg]


# The schema


@pytest.mark.parametrize("replies", [[], [None], ["no"], [GOOD], [GOOD.replace("4", str(2**64)), None] * 3])
def test_the_schema_is_the_same_for_all_data(replies: list[str | None]) -> None:
    """Empty, bad and good input make tables of one schema, with its metadata, and a row for each reply."""
    table = parse_column(replies, Review)
    assert table.schema.equals(result_schema(StructuredResponse.from_basemodel(Review)._plan), check_metadata=True)
    assert table.num_rows == len(replies)


# Columns and tables


@pytest.mark.parametrize(
    "make",
    [
        lambda texts: texts,
        iter,
        pa.array,
        lambda texts: pa.chunked_array([texts, [], texts]).slice(0, len(texts)),
        lambda texts: pa.array(texts, pa.large_string()),
        lambda texts: pa.array(texts, pa.string_view()),
        lambda texts: pa.array(texts).dictionary_encode(),
    ],
)
def test_columns_of_any_kind(make: Callable[[list[str | None]], Any]) -> None:
    """Replies may be texts, or any Arrow column of texts."""
    assert [row["status"] for row in rows(make([GOOD, None, "no"]))] == ["ok", "empty", "invalid"]


def test_a_column_of_nulls() -> None:
    """A column that holds nothing has no type of text."""
    assert [row["status"] for row in rows(pa.nulls(2))] == ["empty", "empty"]


def test_invalid_utf8_is_read_as_far_as_it_goes() -> None:
    """A column may hold bytes that are no text. They are the matter of their own row."""
    bad = pa.array([GOOD.encode(), GOOD.encode().replace(b"Nice", b"N\xff")]).view(pa.string())
    assert [row["data"]["headline"] for row in rows(bad)] == ["Nice", "N\ufffd"]


def test_other_columns_raise() -> None:
    """A column of numbers holds no replies."""
    with pytest.raises(BatchError, match="a column of replies holds texts, not int64"):
        parse_column(pa.array([1]), Review)


def test_other_replies_raise() -> None:
    """What is no text is a mistake of the program."""
    with pytest.raises(TypeError, match="reply 1 has to be a text, None or a Reply, not int"):
        parse_column([GOOD, 5], Review)


def test_parse_table_adds_columns() -> None:
    """The columns of a table stay, in order, in front of those of the results; so does its metadata."""
    table = pa.table({"id": [7, 8, 9], "reply": [GOOD, None, "no"]}).replace_schema_metadata({"mine": "kept"})
    made = parse_table(table, Review)
    assert made.column_names == ["id", "reply", "data", "status", "error", "problems", "repairs"]
    assert made.select(["id", "reply"]).to_pydict() == table.to_pydict()
    assert made.column("status").to_pylist() == ["ok", "empty", "invalid"]
    assert made.schema.metadata[b"mine"] == b"kept"
    assert made.schema.metadata[b"structured_response.class_name"] == b"Review"


@pytest.mark.parametrize(
    "make", [pd.DataFrame, lambda table: pa.table(table).to_batches()[0], dict], ids=["pandas", "record batch", "dict"]
)
def test_tables_of_other_packages(make: Callable[[Any], Any]) -> None:
    """What pyarrow takes for a table is one."""
    made = parse_table(make({"id": [7, 8], "reply": [GOOD, None]}), Review)
    assert made.column_names[:3] == ["id", "reply", "data"]
    assert made.column("status").to_pylist() == ["ok", "empty"]


@pytest.mark.parametrize("table", [[GOOD], GOOD, None, pd.Series([GOOD]), pd.DataFrame({"reply": [GOOD, 3]})], ids=str)
def test_what_is_no_table(table: Any) -> None:
    """It is a mistake of the program, and the error says what was given."""
    with pytest.raises(TypeError, match=rf"table has to be one that pyarrow.table takes, not {type(table).__name__}: "):
        parse_table(table, Review)


@pytest.mark.parametrize(
    ("names", "column", "expected"),
    [
        (["id", "text"], "reply", "reply: there is no such column; the table has id, text"),
        (["reply", "status"], "reply", "status: the table has a column of this name already; rename or drop it"),
        (["data"], "data", "data: the table has a column of this name already; rename or drop it"),
        (["a", "a"], "a", "a: several columns of the table have this name; rename or drop all but one"),
    ],
)
def test_names_that_clash_or_are_missing(names: list[str], column: str, expected: str) -> None:
    """The error names the column."""
    with pytest.raises(BatchError) as error:
        parse_table(pa.table([["x"] for _name in names], names), Review, column)
    assert str(error.value) == expected


def test_tables_of_many_replies() -> None:
    """Replies are read some at a time, and each is there once and in order."""
    many = [SHORT.replace("4", str(number)) for number in range(2_500)]
    table = parse_column(many, Review)
    assert table.column("data").combine_chunks().field("score").to_pylist() == list(range(2_500))


# The laws


def assert_shows(field: pa.Field, node: Node, data: Any, value: Any) -> None:
    """Asserts that a table's value of a field is the data."""
    if data is None or value is None:
        assert data is value or does_not_fit(node, data)
    elif field.metadata and b"structured_response.json" in field.metadata:
        assert json.loads(value) == json.loads(to_json(data, inf_nan_mode="strings"))
    elif node.kind in HOLDERS:
        HOLDERS[node.kind](field, node, data, value)
    else:
        shown = SHOWN.get(node.kind, lambda data: data)(data)
        assert (type(value), value) == (type(shown), shown) or (math.isnan(value) and math.isnan(shown))


def does_not_fit(node: Node, data: Any) -> bool:
    """Whether data is an integer of more than 64 bits, or a moment that is past the years of a datetime in UTC."""
    if node.kind == "datetime":
        return str(data)[:4] in ("0001", "9999")
    return node.kind == "int" and not -(2**63) <= int(data) < 2**63


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


SHOWN: dict[str, Callable[[Any], Any]] = {
    "enum": choice_text,
    "date": date.fromisoformat,
    "datetime": _moment,
    "bytes": from_base64,
}


def _many(field: pa.Field, items: Iterable[tuple[Node | None, Any]], values: Iterable[Any]) -> None:
    for (node, data), value in zip(items, values, strict=True):
        assert node is not None
        assert_shows(field, node, data, value)


def _list(field: pa.Field, node: Node, data: Any, value: Any) -> None:
    _many(field.type.value_field, [(node.item, each) for each in data], value)


def _map(field: pa.Field, node: Node, data: Any, value: Any) -> None:
    assert [key for key, _held in value] == list(data)
    _many(field.type.item_field, [(node.item, each) for each in data.values()], [held for _key, held in value])


def _tuple(field: pa.Field, node: Node, data: Any, value: Any) -> None:
    for inner, part, each in zip(field.type, node.parts, data, strict=True):
        assert_shows(inner, part, each, value[inner.name])


def _dict(field: pa.Field, node: Node, data: Any, value: Any) -> None:
    assert list(value) == list(node.fields)
    for inner, held in zip(field.type, node.fields.values(), strict=True):
        assert_shows(inner, held.node, data.get(held.name, default_of(held)), value[held.name])


def _union(field: pa.Field, node: Node, data: Any, value: Any) -> None:
    index = list(node.options()).index(match_union_option(node, data) or "")
    option = field.type.field(1 + index)
    assert value["kind"] == option.name
    assert [name for name, held in value.items() if held is not None] == ["kind", option.name]
    assert_shows(option, node.parts[index], data, value[option.name])


HOLDERS = {"list": _list, "map": _map, "tuple": _tuple, "dict": _dict, "union": _union}


@settings(max_examples=settings().max_examples // 4)
@given(st.data())
def test_data_in_a_table_is_the_data(data: st.DataObject) -> None:
    """For every model and its data the table has the model's types and the data, in Parquet too."""
    shape = data.draw(models())
    asked = StructuredResponse.from_basemodel(shape.annotation)
    held = [
        StructuredResponse.from_basemodel(each)._current() for each in data.draw(st.lists(shape.values, max_size=3))
    ]
    table = table_of([Row(each, "ok") for each in held], asked)
    assert table.schema.equals(result_schema(asked._plan), check_metadata=True)
    table.validate(full=True)
    for each, row in zip(held, table.to_pylist(), strict=True):
        assert_shows(table.schema.field("data"), asked._plan.root, each, row["data"])
    file = io.BytesIO()
    pq.write_table(table, file)
    again = pq.read_table(file)
    assert again.schema == table.schema
    assert again.to_pylist() == table.to_pylist() or "nan" in str(held)


@settings(max_examples=settings().max_examples // 8)
@given(st.one_of(instances(), instances(CORE - {"defaults"})))
def test_read_replies_are_the_data(instance: BaseModel) -> None:
    """A reply that says the data makes the same column as the data, which is typed already."""
    asked = StructuredResponse.from_basemodel(instance)
    row = table_of([Row(asked._current(), "ok")], asked)
    read = parse_column([str(asked), None], asked)
    assert read.slice(0, 1).column("data").equals(row.column("data")) or "nan" in str(row.column("data"))
