"""AutoRAG's datasets: questions with their ground truth, and the corpus that holds the answers, in Parquet."""

from __future__ import annotations

import contextlib
import os
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from functools import partial
from math import log2
from pathlib import Path
from statistics import mean
from typing import Annotated, Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError, ValidationInfo

from ..asking import AskResult, ManyOptions, ask_many
from ..definition import show_path
from ..errors import AskError, DatasetError
from ..findings import Fault
from .files import FilePath, Watch, check_writable, extra
from .jsonl import Line, Record, collected, faults_of, line_of
from .records import Rows, Source, arrow_table, nodes_of, plain, rows_of, write_parquet

__all__ = [
    "QA",
    "Corpus",
    "Flat",
    "Passage",
    "QASet",
    "QuestionAnswer",
    "QuestionAnswers",
    "RetrievalMetrics",
    "make_qa",
    "normalize_retrieval_gt",
    "read_corpus",
    "read_qa",
    "retrieval_metrics",
    "validate",
    "validate_corpus",
    "validate_qa",
    "write_corpus",
    "write_qa",
]

Flat = Literal["and", "or"]
"""The meaning of a flat list of ids: all of them are needed, or any one of them."""

MODIFIED = "last_modified_datetime"


def _grouped(value: Any, info: ValidationInfo) -> Any:
    flat, groups = (info.context or {}).get("flat", "and"), plain(value)
    if flat not in get_args(Flat):
        raise ValueError(f'flat is "and" or "or", not {flat!r}')
    if isinstance(groups, str):
        return [[groups]]
    if isinstance(groups, list) and groups and all(isinstance(each, str) for each in groups):
        return [[each] for each in groups] if flat == "and" else [groups]
    return groups


_Group = Annotated[list[str], Field(strict=True, min_length=1)]
_Groups = Annotated[list[_Group], Field(strict=True, min_length=1), BeforeValidator(_grouped)]
_GROUPS: TypeAdapter[list[list[str]]] = TypeAdapter(_Groups)


def normalize_retrieval_gt(value: Any, flat: Flat = "and") -> list[list[str]]:
    """Returns ground truth of retrieval as groups of passage ids. An answer needs all groups, and any one id of each.

    Args:
        value: A list of groups, a single id, which is a group, or a flat list of ids. Arrays of numpy count as lists.
        flat: Whether each id of a flat list is a group ("and"), or all of them together ("or").

    Raises:
        DatasetError: `value` is anything else: an empty list, ids beside lists, a tuple, a number.
    """
    try:
        return _GROUPS.validate_python(value, context={"flat": flat})
    except ValidationError as error:
        faults = [Fault(message, path=show_path(at)) for at, message in faults_of(error, plain(value))]
        raise DatasetError(faults) from error


def _answers(value: Any) -> Any:
    return [value] if isinstance(value, str) else plain(value)


def _normalized(text: str, info: ValidationInfo) -> str:
    return unicodedata.normalize("NFC", text) if (info.context or {}).get("nfc") else text


_Text = Annotated[str, AfterValidator(_normalized)]


class QA(Record):
    """A question, the passages that answer it, and answers. Further columns are kept."""

    qid: str
    """The id, which is unique in a question set."""
    query: _Text
    retrieval_gt: _Groups = Field(
        description="Groups of ids of passages: all groups are needed, of each group any one passage"
    )
    generation_gt: Annotated[list[_Text], BeforeValidator(_answers)] = Field(description="Answers, each of them good")


def _completed(metadata: dict[str, Any]) -> dict[str, Any]:
    metadata[MODIFIED] = _moment(metadata.get(MODIFIED))
    metadata.setdefault("prev_id", None)
    metadata.setdefault("next_id", None)
    return metadata


def _moment(value: Any) -> datetime:
    """Returns a datetime, the current one for a missing value. pandas has its own types for both; JSON has texts."""
    if value is None or type(value).__name__ == "NaTType":
        # Without a zone, as in all files that AutoRAG writes: an Arrow column cannot have both.
        return datetime.now()  # noqa: DTZ005
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            value = datetime.fromisoformat(value)
    if not isinstance(value, datetime):
        raise ValueError(f"{MODIFIED} is not a date: {value!r}")
    return value.to_pydatetime() if hasattr(value, "to_pydatetime") else value


class Passage(Record):
    """A passage of the corpus. Further columns are kept."""

    doc_id: str
    """The id, which is unique in a corpus."""
    contents: _Text
    metadata: Annotated[
        dict[str, Any], BeforeValidator(lambda value: {} if value is None else value), AfterValidator(_completed)
    ] = Field(
        description="Of any kind; always there are last_modified_datetime (now, where it is left out), prev_id, next_id"
    )
    path: str | None = None
    """The file that the passage is from."""
    start_end_idx: tuple[int, int] | None = None
    """The offsets of the passage in that file, in characters."""


Kept = TypeVar("Kept", bound=Record)


def _checked_rows(
    kind: type[BaseModel], table: Rows, *, unique: bool = True, **context: Any
) -> Iterator[tuple[dict[str, Any], Line]]:
    """Yields the rows of a table, after an empty one with the faults of the columns. `unique` ids are in one row."""
    columns = table.columns
    required = [name for name, field in kind.model_fields.items() if field.is_required()]
    missing = {} if columns is None else {f"$.{name}": "is missing" for name in required if name not in columns}
    # A row holds only one of several columns of one name.
    twice = {f"$.{name}": "occurs twice" for name, count in Counter(columns).items() if count > 1}
    faults = [Fault(f"this column {what}", table.name, path=path) for path, what in (missing | twice).items()]
    yield {}, Line(0, None, faults)
    record_of = partial(kind.model_validate, context=context)
    key = next(iter(kind.model_fields))
    seen: dict[str, int] = {}
    for number, row in enumerate(table.rows):
        line = line_of(row, record_of, table.name, row=number)
        line.faults[:] = [fault for fault in line.faults if fault.path not in missing]
        name = row.get(key)
        if unique and isinstance(name, str) and seen.setdefault(name, number) != number:
            message = f"{name!r} is already in row {seen[name]}"
            line.faults.append(Fault(message, table.name, row=number, path=f"$.{key}"))
        yield row, line


class _RecordList(list[Kept], Generic[Kept]):
    """A list of records that converts from and to tables. `dropped` counts rows that were left out."""

    record: ClassVar[type[Record]]
    name: ClassVar[str]
    dropped: int = 0

    def to_arrow(self) -> Any:
        """Returns a `pyarrow.Table` with a column for each field, and for each further key of the records.

        Raises:
            DatasetError: The values of a column have no common type, or only some dates have a time zone.
            MissingExtraError: pyarrow is not installed.
        """
        # AutoRAG reads metadata as a struct, not as a map.
        nodes = {name: node for name, node in nodes_of(self.record).items() if node.kind != "map"}
        return arrow_table(*self._rows(), nodes)

    def to_pandas(self) -> Any:
        """Returns a `pandas.DataFrame` with the columns of `to_arrow`, its rows counted from 0. Lists stay lists.

        Raises:
            MissingExtraError: pandas is not installed.
        """
        rows, columns = self._rows()
        return extra("pandas", "pandas").DataFrame(rows, columns=None if rows else columns)

    def _rows(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Returns rows, and the fields that are required or have a value in any record."""
        columns = [
            name
            for name, field in self.record.model_fields.items()
            if field.is_required() or any(getattr(each, name) is not None for each in self)
        ]
        rows = [{**{name: getattr(each, name) for name in columns}, **(each.model_extra or {})} for each in self]
        return rows, columns

    @classmethod
    def _of(cls, source: Source, **context: Any) -> Self:
        """Returns the records of a table. Raises one error with all faults, which holds the valid records."""
        rows = _checked_rows(cls.record, rows_of(source, cls.name), unique=False, **context)
        found, faults = collected(line for _row, line in rows)
        records = cls()
        records.extend(filter(records._keeps, found))
        records.dropped = len(found) - len(records)
        if faults:
            raise DatasetError(faults, records)
        return records

    def _keeps(self, record: Any) -> bool:
        return True


class QASet(_RecordList[QA]):
    """A list of `QA`.

    Attributes:
        dropped: The number of answers that `make_qa` left out since they decline.
        failed: A fault for each passage of which `make_qa` got no usable questions.
    """

    record = QA
    name = "qa"

    def __init__(self, records: Iterable[QA] = ()) -> None:
        super().__init__(records)
        self.failed: list[Fault] = []

    @classmethod
    def from_pandas(cls, table: Any, flat: Flat = "and", *, nfc: bool = False) -> Self:
        """Returns the questions of a `pandas.DataFrame` or a `pyarrow.Table`.

        Args:
            table: The table. The index of a frame is ignored.
            flat: The meaning of a flat list of ids; see `normalize_retrieval_gt`.
            nfc: Whether to normalise all texts but ids to NFC.

        Raises:
            DatasetError: Rows or columns are invalid. `faults` has all faults, and `records` the valid rows.
        """
        return cls._of(table, nfc=nfc, flat=flat)

    @classmethod
    def from_arrow(cls, table: Any, flat: Flat = "and", *, nfc: bool = False) -> Self:
        """Does the same as `from_pandas`, which takes both."""
        return cls.from_pandas(table, flat, nfc=nfc)


class Corpus(_RecordList[Passage]):
    """A list of `Passage`.

    Attributes:
        dropped: The number of blank passages that were left out.
    """

    record = Passage
    name = "corpus"

    @classmethod
    def from_pandas(cls, table: Any, *, nfc: bool = False) -> Self:
        """Returns the passages of a `pandas.DataFrame` or a `pyarrow.Table`, without blank ones.

        Args:
            table: The table. The index of a frame is ignored.
            nfc: Whether to normalise contents to NFC.

        Raises:
            DatasetError: Rows or columns are invalid. `faults` has all faults, and `records` the valid rows.
        """
        return cls._of(table, nfc=nfc)

    @classmethod
    def from_arrow(cls, table: Any, *, nfc: bool = False) -> Self:
        """Does the same as `from_pandas`, which takes both."""
        return cls.from_pandas(table, nfc=nfc)

    def to_arrow(self) -> Any:
        # Arrow would take the others for UTC.
        if len({getattr(each.metadata.get(MODIFIED), "tzinfo", None) is None for each in self}) > 1:
            message = f"{MODIFIED} has a time zone in some passages and none in others; give all of them one, or none"
            raise DatasetError([Fault(message, path="$.metadata")])
        return super().to_arrow()

    def _keeps(self, record: Any) -> bool:
        return bool(record.contents.strip())


def read_qa(path: FilePath, flat: Flat = "and", *, nfc: bool = False) -> QASet:
    """Returns the questions of a `qa.parquet` or a file of JSON Lines.

    Args:
        path: The file.
        flat: The meaning of a flat list of ids; see `normalize_retrieval_gt`.
        nfc: Whether to normalise all texts but ids to NFC.

    Raises:
        DatasetError: The file cannot be read, or has faults. `faults` has all of them, and `records` the valid rows.
    """
    return QASet._of(path, nfc=nfc, flat=flat)  # noqa: SLF001


def read_corpus(path: FilePath, *, nfc: bool = False) -> Corpus:
    """Returns the passages of a corpus, like `read_qa`, without blank ones, which `dropped` counts."""
    return Corpus._of(path, nfc=nfc)  # noqa: SLF001


def write_qa(path: FilePath, records: Iterable[QA]) -> None:
    """Writes questions as Parquet, whole or not at all.

    Args:
        path: The file, which is replaced.
        records: The questions. All of them are held in memory.

    Raises:
        DatasetError: The file cannot be written, or the values of a column have no common type.
    """
    write_parquet(path, QASet(records).to_arrow())


def write_corpus(path: FilePath, records: Iterable[Passage]) -> None:
    """Writes passages, like `write_qa`. Also raises `DatasetError` if only some dates have a time zone."""
    write_parquet(path, Corpus(records).to_arrow())


def validate(qa: Source, corpus: Source, flat: Flat = "and", watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a question set and its corpus, each with its row and its column.

    The faults are missing columns, wrong types, ground truth that is not a list of groups, invalid dates, duplicate
    ids, and ids of passages that are not in the corpus.

    Memory is that of a batch of rows, the faults, and the ids.

    Args:
        qa: The questions, in any form of `Source`. Rows are counted from 0.
        corpus: The passages, in any form of `Source`.
        flat: The meaning of a flat list of ids; see `normalize_retrieval_gt`.
        watch: A function that is called with the number of rows of the corpus read so far.

    Raises:
        DatasetError: A file cannot be read.
    """
    faults: list[Fault] = []
    known: dict[str, bool] = {}  # the ids of all passages, with whether the passage has content
    for row, line in _checked_rows(Passage, rows_of(corpus, "corpus", watch)):
        faults += line.faults
        name, contents = row.get("doc_id"), row.get("contents")
        if isinstance(name, str):
            known[name] = known.get(name, False) or not isinstance(contents, str) or bool(contents.strip())
    table = rows_of(qa, "qa")
    for row, line in _checked_rows(QA, table, flat=flat):
        faults += line.faults
        try:
            groups = normalize_retrieval_gt(row.get("retrieval_gt"), flat)
        except DatasetError:
            continue  # a fault of the line
        for g, group in enumerate(groups):
            for i, name in enumerate(group):
                if not known.get(name):
                    blank = f"passage {name!r} of the corpus is blank, so it is left out"
                    message = blank if name in known else f"the corpus has no passage {name!r}"
                    path = f"$.retrieval_gt[{g}][{i}]"
                    faults.append(Fault(message, table.name, row=line.number, path=path))
    return faults


def validate_corpus(corpus: Source, watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a corpus alone; see `validate` for the arguments.

    Raises:
        DatasetError: The file cannot be read.
    """
    return [fault for _row, line in _checked_rows(Passage, rows_of(corpus, "corpus", watch)) for fault in line.faults]


def validate_qa(qa: Source, flat: Flat = "and", watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a question set alone; see `validate` for the arguments.

    Raises:
        DatasetError: The file cannot be read.
    """
    return [fault for _row, line in _checked_rows(QA, rows_of(qa, "qa", watch), flat=flat) for fault in line.faults]


class RetrievalMetrics(NamedTuple):
    """The metrics of a retrieval, each from 0 to 1.

    Attributes:
        recall: The share of groups with a retrieved id.
        precision: The share of retrieved ids that are in a group, each counted once.
        f1: The harmonic mean of both.
        ndcg: Discounted gain by rank, relative to the best order. An id of any group gains 1, once.
        mrr: The mean over the groups of 1 / rank of the first hit.
        map: The mean over the groups of the mean precision at their hits.
    """

    recall: float
    precision: float
    f1: float
    ndcg: float
    mrr: float
    map: float


def retrieval_metrics(groups: Sequence[Sequence[str]], retrieved: Sequence[str]) -> RetrievalMetrics | None:
    """Returns the metrics of a retrieval, or None without ground truth.

    Args:
        groups: The ground truth, as `normalize_retrieval_gt` returns it.
        retrieved: The ids that were retrieved, best first. One that occurs twice counts at its first rank.
    """
    wanted = [frozenset(group) for group in groups if group]
    if not wanted:
        return None
    ranks: dict[str, int] = {}
    for rank, each in enumerate(retrieved, 1):
        ranks.setdefault(each, rank)
    hits = [sorted(ranks[each] for each in group if each in ranks) for group in wanted]
    good = frozenset[str]().union(*wanted)
    found = sorted(rank for each, rank in ranks.items() if each in good)
    recall = mean([Fraction(bool(at)) for at in hits])
    precision = Fraction(len(found), max(len(retrieved), 1))
    return RetrievalMetrics(
        recall=float(recall),
        precision=float(precision),
        f1=float(2 * precision * recall / (precision + recall)) if found else 0.0,
        ndcg=_gain(found) / _gain(range(1, min(len(good), len(retrieved)) + 1)) if found else 0.0,
        mrr=float(mean([Fraction(1, at[0]) if at else Fraction() for at in hits])),
        map=float(mean([mean([Fraction(n, rank) for n, rank in enumerate(at, 1)] or [Fraction()]) for at in hits])),
    )


def _gain(ranks: Iterable[int]) -> float:
    return sum(1 / log2(rank + 1) for rank in ranks)


PROMPT = """\
Below is a passage of a larger collection. Write {wanted} that it answers.
A reader of the question has not seen the passage: name what it is about, and do not speak of "the passage" or \
"the text". The answer rests on the passage alone.

<passage>
{contents}
</passage>"""
"""The prompt for each passage: `wanted` is the number of questions, `contents` the passage."""

_NOT = r"(?:not|n['\u2019]?t)"
DONT_KNOW = re.compile(
    rf"""\W*
    (?:(?:i\W?\s?a?m\s+)?(?:sorry|afraid)\W+(?:but\s+|that\s+)?)?
    (?: (?:i\s+)?(?:really\s+)?(?:do\s*{_NOT}|can(?:\s*not|['\u2019]?t))\s+(?:know|say|tell|answer)\b
      | (?:the|this)\s+(?:passage|text|context|document)\s+does\s*{_NOT}\s+
            (?:say|tell|mention|contain|provide|specify|state)\b
      | (?:unknown | n/a | none | no\s+answer | not\s+(?:mentioned|specified|stated|available|given)
            | (?:not\s+enough|insufficient)\s+information)\W*\Z
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Answers that decline."""


class QuestionAnswer(BaseModel):
    """A question with its answer."""

    question: str = Field(min_length=1, description="The question, which is understood without seeing the passage")
    answer: str = Field(min_length=1, description="The answer to it, or: I don't know")


class QuestionAnswers(BaseModel):
    """Several questions with their answers."""

    pairs: list[QuestionAnswer] = Field(min_length=1, description="The questions, each about something else")


def make_qa(  # noqa: PLR0913 - what may be chosen of a run
    corpus: FilePath | Sequence[Passage],
    complete: Callable[[list[Any]], Any],
    path: FilePath,
    *,
    passages: int | None = None,
    pairs: int = 1,
    seed: int = 0,
    prompt: str = PROMPT,
    cache: Any = None,
    key: str | None = None,
    attempts: int = 3,
    workers: int = 1,
    progress: bool | None = None,
) -> QASet:
    """Asks a language model for questions and answers about passages, and writes them as a `qa.parquet`.

    An interrupted run continues if it is started again with the same arguments: until the file is written, the replies
    so far are kept beside it.

    Args:
        corpus: A `corpus.parquet` or its passages.
        complete: The function that calls the language model, as for `ask`. It gets new messages for each passage.
        path: The file to write.
        passages: The number of passages to draw. None takes all.
        pairs: The number of questions for each passage, asked for in one call.
        seed: The seed of the draw.
        prompt: The prompt, in which `{wanted}` and `{contents}` are replaced.
        cache: A cache that keeps the replies permanently, instead of the file beside `path`.
        key: The name of the language model in the cache, unless `complete` has a `cache_key`.
        attempts: The maximum number of attempts for each passage.
        workers: The number of passages that are asked about at a time, each in a thread.
        progress: Whether to draw a progress bar. None draws it on a terminal.

    Returns:
        The questions that were written. Answers that decline are left out and counted by `dropped`. A passage without
        usable questions is a fault in `failed`, and does not affect the others.

    Raises:
        DatasetError: The corpus has faults or `path` cannot be written, which is found out before anything is asked, or
            all passages failed.
        Exception: Whatever `complete` raises.
    """
    check_writable(path)
    questions = QASet()
    questions.to_arrow()  # fail now on a missing package, not after all questions
    drawn = _drawn(corpus, passages, seed)
    wanted = "a question" if pairs == 1 else f"{pairs} questions, each about something else,"
    prompts = [prompt.replace("{wanted}", wanted).replace("{contents}", passage.contents) for passage in drawn]
    model: type[BaseModel] = QuestionAnswer if pairs == 1 else QuestionAnswers
    journal = Path(f"{os.fspath(path)}.replies") if cache is None else None
    if journal is not None:  # it is this run's alone, so the name of the model does not matter
        key = key or getattr(complete, "cache_key", None) or getattr(complete, "__qualname__", "complete")
    how: ManyOptions = {"attempts": attempts, "concurrency": workers, "progress": progress, "order": "ask"}
    how |= {"cache": cache, "key": key, "journal": journal}
    with ask_many(complete, prompts, model, **how) as answers:
        for passage, answer in zip(drawn, answers, strict=True):
            _add(questions, passage, answer)
    have_all_failed = bool(drawn) and len(questions.failed) == len(drawn)
    if not have_all_failed:
        write_qa(path, questions)
    if journal is not None:
        journal.unlink(missing_ok=True)
    if have_all_failed:
        raise DatasetError(questions.failed)
    return questions


def _add(questions: QASet, passage: Passage, answer: AskResult[Any] | AskError) -> None:
    """Adds the questions about a passage that have answers. Raises what a call raised."""
    if isinstance(answer, AskError):
        if answer.call_failed and answer.__cause__ is not None:
            raise answer.__cause__
        questions.failed.append(Fault(f"no questions about passage {passage.doc_id!r}: {answer}"))
        return
    pairs = getattr(answer.value, "pairs", [answer.value])
    kept = [pair for pair in pairs if not DONT_KNOW.match(pair.answer)]
    questions.dropped += len(pairs) - len(kept)
    for number, pair in enumerate(kept):
        qid, groups = f"{passage.doc_id}#{number}", [[passage.doc_id]]
        questions.append(QA(qid=qid, query=pair.question, retrieval_gt=groups, generation_gt=[pair.answer]))


def _drawn(corpus: FilePath | Sequence[Passage], count: int | None, seed: int) -> list[Passage]:
    """Returns some of the passages that are not blank, in the order of the corpus."""
    found = read_corpus(corpus) if isinstance(corpus, (str, os.PathLike)) else list(corpus)
    if faults := validate_corpus(found):
        raise DatasetError(faults)
    passages = [passage for passage in found if passage.contents.strip()]
    if count is None or count >= len(passages):
        return passages
    places = random.Random(seed).sample(range(len(passages)), count)  # noqa: S311 - nothing is secret here
    return [passages[place] for place in sorted(places)]
