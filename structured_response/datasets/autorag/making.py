"""Makes questions and answers about a corpus with a language model."""

from __future__ import annotations

import contextlib
import os
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

from ...asking import ask
from ...cache import SqliteCache
from ...errors import AskError, DatasetError
from ...findings import Fault
from ..files import FilePath, check_writable
from ..progress import progress_bar
from .checks import validate_corpus
from .records import QA, Passage
from .sets import QASet, is_blank, read_corpus, write_qa

__all__ = ["QuestionAnswer", "QuestionAnswers", "make_qa"]

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
    """Asks a language model for questions and answers about passages, and writes them to `path` as a `qa.parquet`.

    `corpus` is a `corpus.parquet` or its passages. `passages` of them are drawn by `seed` (default: all). Each is asked
    about once, for `pairs` questions, `workers` passages at a time. `complete` is called as by `ask`, with new messages
    each time; `prompt` may hold `{wanted}` and `{contents}`. Answers that decline are left out, and counted by
    `dropped`. A passage without usable questions is a fault in `failed`, and does not affect the others.

    An interrupted run resumes if it is started again with the same arguments: until `path` is written, the replies so
    far are kept beside it. With a `cache` of your own they are kept there permanently; `key` then names the language
    model, unless `complete` has a `cache_key`. `progress` draws a bar, by default on a terminal.

    Raises `DatasetError` for a corpus with faults and for a `path` that cannot be written, both before anything is
    asked, and if all passages failed. Exceptions of `complete` pass through.
    """
    check_writable(path)
    QASet().to_arrow()  # fail now on a missing package, not after all questions
    drawn = _drawn(_checked(corpus), passages, seed)
    one = partial(_asked, complete=complete, prompt=prompt, pairs=pairs, attempts=attempts)
    with _cache_of(cache, key, complete, path) as (replies, name):
        answered = _in_order(partial(one, cache=replies, key=name), drawn, workers)
        with progress_bar("asking", len(drawn), shown=progress) as done:
            questions = _collected(answered, done)
        if questions.failed and len(questions.failed) == len(drawn):
            raise DatasetError(questions.failed)
        write_qa(path, questions)
    return questions


def _checked(corpus: FilePath | Sequence[Passage]) -> list[Passage]:
    found = read_corpus(corpus) if isinstance(corpus, (str, os.PathLike)) else list(corpus)
    if faults := validate_corpus(found):
        raise DatasetError(faults)
    return [passage for passage in found if not is_blank(passage.contents)]


def _drawn(passages: list[Passage], count: int | None, seed: int) -> list[Passage]:
    """Returns some of the passages, in the order of the corpus."""
    if count is None or count >= len(passages):
        return passages
    places = random.Random(seed).sample(range(len(passages)), count)  # noqa: S311 - nothing is secret here
    return [passages[place] for place in sorted(places)]


@contextlib.contextmanager
def _cache_of(cache: Any, key: str | None, complete: Any, path: FilePath) -> Iterator[tuple[Any, str | None]]:
    """Yields the cache of a run, and the name of the language model in it. A cache of the run's own is deleted in the
    end.
    """
    if cache is not None:
        yield cache, key
        return
    file = Path(f"{os.fspath(path)}.replies")
    own = SqliteCache(file)
    try:
        # Only this run and its continuation use it, so the name of the model does not matter.
        yield own, key or getattr(complete, "cache_key", None) or getattr(complete, "__qualname__", "complete")
    except BaseException:
        own.close()
        raise
    own.close()
    for suffix in ("", "-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)


@dataclass(frozen=True)
class _Answered:
    """The result of asking about a passage."""

    questions: list[QA]
    dropped: int
    failed: Fault | None


def _in_order(one: Callable[[Passage], _Answered], passages: Sequence[Passage], workers: int) -> Iterator[_Answered]:
    if workers == 1:
        yield from map(one, passages)
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(one, passages)
    finally:
        pool.shutdown(cancel_futures=True)


def _asked(
    passage: Passage, *, complete: Any, prompt: str, pairs: int, attempts: int, cache: Any, key: str | None
) -> _Answered:
    wanted = "a question" if pairs == 1 else f"{pairs} questions, each about something else,"
    question = prompt.replace("{wanted}", wanted).replace("{contents}", passage.contents)
    model: type[BaseModel] = QuestionAnswer if pairs == 1 else QuestionAnswers
    try:
        value: Any = ask(complete, question, model, attempts=attempts, cache=cache, key=key).value
    except AskError as error:
        return _Answered([], 0, Fault(f"no questions about passage {passage.doc_id!r}: {error}"))
    answered: Iterable[QuestionAnswer] = [value] if pairs == 1 else value.pairs
    kept = [each for each in answered if not DONT_KNOW.match(each.answer)]
    return _Answered(list(_questions(passage, kept)), len(list(answered)) - len(kept), None)


def _questions(passage: Passage, pairs: Iterable[QuestionAnswer]) -> Iterator[QA]:
    for number, pair in enumerate(pairs):
        yield QA(
            qid=f"{passage.doc_id}#{number}",
            query=pair.question,
            retrieval_gt=[[passage.doc_id]],
            generation_gt=[pair.answer],
        )


def _collected(answered: Iterable[_Answered], done: Callable[[float], None]) -> QASet:
    questions = QASet()
    for number, each in enumerate(answered, 1):
        questions += each.questions
        questions.dropped += each.dropped
        questions.failed += [each.failed] if each.failed is not None else []
        done(number)
    return questions
