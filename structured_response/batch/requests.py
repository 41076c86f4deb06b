"""Request files for the batch APIs of providers, made from tasks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import orjson

from ..asking.conversation import opening
from ..asking.session import response_of
from ..clients.protocols import CHAT, MESSAGES, RESPONSES, Protocol
from ..errors import BatchError
from ..options import Format, check_choice
from .folder import whole_file, writing

Provider: TypeAlias = Literal["openai", "openai-responses", "anthropic"]
"""The batch API of a request file. Many servers, such as vLLM, take the files of "openai"."""

MAX_REQUESTS = 50_000
"""The requests of a file. OpenAI's bound; Anthropic's is twice as high."""

MAX_BYTES = 200_000_000
"""The bytes of a file. OpenAI's bound; Anthropic's is higher."""

MAX_TOKENS = 4_096
"""The tokens after which Anthropic cuts a reply off, unless `max_tokens` is given."""

_MAX_PREFIX = 40  # characters of the name of a file that begin an id, which is bounded by providers


class _Form(NamedTuple):
    protocol: Protocol
    url: str | None  # None for Anthropic, whose batches have only one
    id: re.Pattern[str] = re.compile(r"(?s).+")


_FORMS: dict[Provider, _Form] = {
    "openai": _Form(CHAT, "/v1/chat/completions"),
    "openai-responses": _Form(RESPONSES, "/v1/responses"),
    "anthropic": _Form(MESSAGES, None, re.compile(r"[a-zA-Z0-9_-]{1,64}")),
}


def write_batch(
    tasks: Iterable[Any] | Mapping[str, Any],
    described: Any,
    path: str | os.PathLike[str],
    /,
    *,
    provider: Provider = "openai",
    model: str,
    format: Format = "xml",
    examples: Sequence[Any] = (),
    **parameters: Any,
) -> int:
    """Write a request file for a provider's batch API.

    Each request has the prompt of the model in its system message and the task last, so that all begin alike and the
    provider's cache has their beginning. A task that holds the prompt already stays as it is. A file gets at most
    50,000 requests and 200 MB; what is left goes into `requests.2.jsonl` and so on, which must not exist yet. No file
    is written unless all are. Memory is that of the ids.

    Args:
        tasks: Prompts, each a text or a list of messages, or tuples of an id and a prompt, or a mapping from ids to
            prompts. They are taken one by one. A prompt without an id is called by its
            file and its position, `requests-0`.
        described: The model of the answer, any other type that `from_type` takes, or a response.
        path: The file, such as `requests.jsonl`. It is replaced.
        provider: "openai" (`/v1/chat/completions`), "openai-responses" (`/v1/responses`) or "anthropic".
        model: The name of the language model.
        format: The format in which the answer is expected.
        examples: Examples for the prompt; see `to_prompt`.
        **parameters: Further parameters of each request, such as `temperature`.

    Returns:
        The number of requests.

    Raises:
        BatchError: An id is invalid or there twice, a task has no JSON, a numbered file exists, or a file cannot be
            written.
        DefinitionError: The model cannot be described.
        TypeError, ValueError: `tasks` is one text, a task is not a prompt, or an option is invalid.
    """
    check_choice("provider", provider, get_args(Provider))
    if isinstance(tasks, str):
        raise TypeError("tasks is a list of prompts, not one prompt")
    form, asked = _FORMS[provider], response_of(described)
    every = {"model": model, **parameters}

    def requests() -> Iterator[tuple[str, dict[str, Any]]]:
        for name, prompt in _named(tasks, Path(path).stem):
            if not form.id.fullmatch(name):
                raise BatchError(f"the id {name!r} has to match {form.id.pattern}", os.fspath(path))
            body = {**every, **form.protocol.request(every, opening(asked, prompt, format, examples, "cache"), False)}
            if form.url is None:
                yield name, {"custom_id": name, "params": {"max_tokens": MAX_TOKENS, **body}}
            else:
                yield name, {"custom_id": name, "method": "POST", "url": form.url, "body": body}

    return write_requests(path, requests())


def _named(tasks: Iterable[Any] | Mapping[str, Any], stem: str) -> Iterator[tuple[str, Any]]:
    prefix = re.sub(r"[^a-zA-Z0-9_-]", "-", stem)[-_MAX_PREFIX:]  # results of several files have ids of their own
    for number, task in enumerate(tasks.items() if isinstance(tasks, Mapping) else tasks):
        match task:
            case tuple((name, prompt)) if not isinstance(name, Mapping):  # two messages are not a pair
                yield str(name), prompt
            case _:
                yield f"{prefix}-{number}", task


def write_requests(path: str | os.PathLike[str], requests: Iterable[tuple[str, Any]]) -> int:
    """Writes requests, each with its id, into as many files as they need. Returns their number."""
    first, number, written = Path(path), 0, 0
    with ExitStack() as files:
        for number, lines in groupby(_numbered(first, requests), itemgetter(0)):
            place = _new_place(first, number)
            beside = files.enter_context(whole_file(place))
            with writing(place):
                file = files.enter_context(beside.open("wb"))
            for _number, line in lines:  # what the tasks raise is not about the file
                with writing(place):
                    file.write(line)
                written += 1
            with writing(place):
                file.close()
        _new_place(first, max(number, 1) + 1)
    if not number:
        first.unlink(missing_ok=True)
    return written


def _new_place(first: Path, number: int) -> Path:
    """Returns the path of a file. Raises `BatchError` if a further one exists: it may be somebody else's."""
    if number == 1:
        return first
    place = first.with_name(f"{first.stem}.{number}{first.suffix}")
    if place.exists():
        raise BatchError("is there already; delete it, or take another name for the first file", str(place))
    return place


def _numbered(path: Path, requests: Iterable[tuple[str, Any]]) -> Iterator[tuple[int, bytes]]:
    """Yields requests as lines, each with the number of its file."""
    number, held, size, seen = 1, 0, 0, set[str]()
    for name, request in requests:
        if name in seen:
            raise BatchError(f"duplicate id {name!r}", str(path))
        seen.add(name)
        try:
            line = orjson.dumps(request, option=orjson.OPT_APPEND_NEWLINE)
        except TypeError as error:
            raise BatchError(f"the task {name!r} cannot be written as JSON: {error}", str(path)) from error
        if len(line) > MAX_BYTES:
            raise BatchError(f"the task {name!r} has {len(line):,} bytes, and a file {MAX_BYTES:,} at most", str(path))
        if held == MAX_REQUESTS or size + len(line) > MAX_BYTES:
            number, held, size = number + 1, 0, 0
        held, size = held + 1, size + len(line)
        yield number, line
