"""Replies in a data frame of Spark, read by the Python workers of its executors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

from ..asking.session import response_of
from ..errors import needs
from ..options import ReadingOptions
from .cluster import table_parser
from .columns import check_names
from .schema import result_schema

with needs("pyarrow", "spark"):
    import pyarrow as pa
with needs("pyspark", "spark"):
    from pyspark.sql import DataFrame
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType


def parse_dataframe(df: DataFrame, model: Any, column: str = "reply", **options: Unpack[ReadingOptions]) -> DataFrame:
    """Read the replies of a data frame, and add the columns of `parse_column` to it: `data`, `status`, and so on.

    Spark does the work when the rows are asked for, a partition at a time on each core. Partitions and the order of
    their rows stay.

    Datetimes are moments, and Spark shows them in the time zone of the session. It writes them to Parquet in a form
    that other programs read as nanoseconds, unless the option `spark.sql.parquet.outputTimestampType` of the session is
    "TIMESTAMP_MICROS".

    Args:
        df: A data frame with a column of texts.
        model: A model, any other type that `StructuredResponse.from_type` takes, or a response. The class may be that
            of a script or a notebook; the workers only need this library.
        column: The name of the column.
        **options: See `ReadingOptions`.

    Returns:
        The data frame with the new columns.

    Raises:
        BatchError: The data frame has no such column, or the name of a new column is taken.
        DefinitionError: The type cannot be described.
        TypeError, ValueError: An option does not exist or is invalid.
        MissingExtraError: Spark is not installed.
    """
    check_names(df.columns, column)
    asked = response_of(model)
    results, parse = result_schema(asked._plan), table_parser(asked, column, options)

    def parse_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            table = parse(pa.Table.from_batches([batch]))
            # Spark takes fields of structs by their position. A worker with another version of the model may have them
            # in another order, and a cast goes by their names.
            yield from table.cast(pa.schema([*batch.schema, *results])).to_batches()

    return df.mapInArrow(parse_batches, StructType([*df.schema, *from_arrow_schema(results)]))
