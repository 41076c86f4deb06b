"""Replies in a dataset of Ray, read by the processes of its cluster."""

from __future__ import annotations

from typing import Any, Unpack

from ..asking.session import response_of
from ..errors import needs
from ..options import ReadingOptions
from .cluster import FAILED, table_parser
from .columns import check_names

with needs("ray", "ray"):
    import ray
    from ray.data.dataset import Dataset, MaterializedDataset

BLOCKS_PER_CPU = 4
"""The fewest blocks for each processor. With fewer, some processors idle while others read the last blocks."""

ROWS_PER_BLOCK = 5_000
"""The most rows of a block of a dataset whose number of blocks is not known yet. Ray's driver is busy with a block for
some 15 milliseconds, in which a processor reads some hundred clean replies."""


def parse_dataset(dataset: Dataset, model: Any, column: str = "reply", **options: Unpack[ReadingOptions]) -> Dataset:
    """Read the replies of a dataset, and add the columns of `parse_column` to it: `data`, `status`, and so on.

    Ray does the work when the rows are asked for. All blocks get the same schema, whatever their replies are. A dataset
    in memory is split into at least four blocks for each processor of the cluster. One that is not read yet is split
    into blocks of at most 5,000 rows, as it is read. Rows keep their order inside a block; the blocks keep theirs if
    Ray's option `preserve_order` is set.

    After `ray.data.llm`, a row with an `__inference_error__` has the status "provider_error".

    Args:
        dataset: A dataset with a column of texts.
        model: A model, any other type that `StructuredResponse.from_type` takes, or a response. The class may be that
            of a script or a notebook; the workers only need this library.
        column: The name of the column.
        **options: See `ReadingOptions`.

    Returns:
        The dataset with the new columns.

    Raises:
        BatchError: The dataset has no such column, or the name of a new column is taken.
        DefinitionError: The type cannot be described.
        TypeError, ValueError: An option does not exist or is invalid.
        MissingExtraError: Ray is not installed.
    """
    asked = response_of(model)
    names = dataset.columns(fetch_if_missing=False) or []
    if names and FAILED not in names:
        check_names(names, column)
    parse = table_parser(asked, column, options)
    fewest = BLOCKS_PER_CPU * int(ray.cluster_resources().get("CPU", 1))
    if not isinstance(dataset, MaterializedDataset):
        dataset = dataset.repartition(target_num_rows_per_block=ROWS_PER_BLOCK)
    elif dataset.num_blocks() < fewest:
        dataset = dataset.repartition(fewest)
    return dataset.map_batches(parse, batch_format="pyarrow")
