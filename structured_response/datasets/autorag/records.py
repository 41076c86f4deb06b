"""The records of AutoRAG's datasets: a question with its answers, and a passage of the corpus."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from ...errors import DatasetError
from ...findings import Fault

__all__ = ["MODIFIED", "QA", "Flat", "Passage", "normalize_retrieval_gt"]

Flat = Literal["and", "or"]
"""The meaning of a flat list of ids: all of them are needed, or any one of them."""

MODIFIED = "last_modified_datetime"


def normalize_retrieval_gt(value: Any, flat: Flat = "and") -> list[list[str]]:
    """Returns ground truth of retrieval as a list of groups of passage ids. All groups are needed, but only one id of
    each.

    A single id is a group. In a flat list each id is a group, or with `flat="or"` the list is a single group. numpy
    arrays count as lists. Raises `DatasetError` for anything else: an empty list, ids beside lists, a tuple, a number.
    """
    if flat not in get_args(Flat):
        raise ValueError(f'flat is "and" or "or", not {flat!r}')
    groups = _listed(value)
    if isinstance(groups, str):
        return [[groups]]
    if not isinstance(groups, list) or not groups:
        raise _no_groups("is empty" if groups == [] else f"is of type {type(value).__name__}")
    if all(isinstance(each, str) for each in groups):
        return [[each] for each in groups] if flat == "and" else [list(groups)]
    for number, group in enumerate(groups):
        if not isinstance(group, list):
            raise _no_groups(f"has no list at [{number}], but {type(group).__name__}")
        if not group:
            raise _no_groups(f"has an empty group at [{number}]")
        for place, each in enumerate(group):
            if not isinstance(each, str):
                raise _no_groups(f"has no text at [{number}][{place}], but {type(each).__name__}")
    return [list(group) for group in groups]


def _no_groups(found: str) -> DatasetError:
    return DatasetError([Fault(f"{found}; it should be a list of groups, each a list of passage ids")])


def _listed(value: Any) -> Any:
    """Returns arrays of numpy, nested ones included, as lists."""
    if type(value).__module__ == "numpy":
        value = value.tolist()
    return [_listed(each) for each in value] if type(value) is list else value


def _groups(value: Any, info: ValidationInfo) -> list[list[str]]:
    return normalize_retrieval_gt(value, (info.context or {}).get("flat", "and"))


def _answers(value: Any) -> Any:
    return [value] if isinstance(value, str) else _listed(value)


class QA(BaseModel):
    """A question, the passages that answer it, and answers. Further columns are kept."""

    model_config = ConfigDict(extra="allow")

    qid: str
    query: str
    retrieval_gt: Annotated[list[list[str]], BeforeValidator(_groups)] = Field(
        description="Groups of ids of passages: all groups are needed, of each group any one passage"
    )
    generation_gt: Annotated[list[str], BeforeValidator(_answers)] = Field(description="Answers, each of them good")


def _no_metadata(value: Any) -> Any:
    return {} if value is None else value


def _completed(metadata: dict[str, Any]) -> dict[str, Any]:
    """Returns metadata with the keys that every passage has. At this point, Pydantic has copied the dict."""
    modified = metadata.get(MODIFIED)
    if type(modified) is not datetime:
        metadata[MODIFIED] = _moment(modified)
    metadata.setdefault("prev_id", None)
    metadata.setdefault("next_id", None)
    return metadata


def _moment(value: Any) -> datetime:
    """Returns a datetime, the current one for a missing value. pandas has its own types for both; JSON has texts."""
    if value is None or type(value).__name__ == "NaTType":
        # Without a zone, as in all files that AutoRAG writes: an Arrow column cannot have both.
        return datetime.now()  # noqa: DTZ005
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            raise ValueError(f"{MODIFIED} is no date: {value!r}") from None
    if not isinstance(value, datetime):
        raise ValueError(f"{MODIFIED} is no date: {value!r}")
    return value.to_pydatetime() if hasattr(value, "to_pydatetime") else value


class Passage(BaseModel):
    """A passage of the corpus. Further columns are kept."""

    model_config = ConfigDict(extra="allow")

    doc_id: str
    contents: str
    metadata: Annotated[dict[str, Any], BeforeValidator(_no_metadata), AfterValidator(_completed)] = Field(
        description="Of any kind; always there are last_modified_datetime (now, where it is left out), prev_id, next_id"
    )
    path: str | None = None
    start_end_idx: tuple[int, int] | None = None
