"""Request files of a batch: one request for each task, in the shape of its provider, in files within its bounds."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pydantic import BaseModel, Field

from structured_response import BatchError, StructuredResponse
from structured_response.batch import requests as module
from structured_response.batch.requests import write_batch


class City(BaseModel):
    """A city."""

    name: str = Field(description="the name")
    people: int = Field(description="how many live there", ge=0)


SHAPE = StructuredResponse.from_basemodel(City).to_prompt(instructions=True)
USER = {"role": "user", "content": "Where is Paris?"}
SYSTEM = {"role": "system", "content": SHAPE}


def lines(path: Path) -> list[Any]:
    """The requests of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def written(path: Path, *tasks: Any, **options: Any) -> list[Any]:
    """The requests that are written for tasks."""
    assert write_batch(tasks, City, path, **{"model": "m", **options}) == len(tasks)
    return lines(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a request file."""
    return tmp_path / "requests.jsonl"


def test_openai(path: Path) -> None:
    """A request of chat completions begins with what never changes: the form of the answer, as the system message."""
    (request,) = written(path, "Where is Paris?", temperature=0)
    assert request == {
        "custom_id": "requests-0",
        "method": "POST",
        "url": "/v1/chat/completions",
        "body": {"model": "m", "temperature": 0, "messages": [SYSTEM, USER]},
    }


def test_openai_responses(path: Path) -> None:
    """A request of responses has its messages as input, whose texts are named by their direction."""
    said: list[Any] = [
        {"role": "user", "content": [{"type": "text", "text": "Hi."}, {"type": "input_image", "image_url": "x"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Hello."}]},
        USER,
    ]
    (request,) = written(path, said, provider="openai-responses")
    assert request["url"] == "/v1/responses"
    assert request["body"] == {
        "model": "m",
        "input": [
            SYSTEM,
            {"role": "user", "content": [{"type": "input_text", "text": "Hi."}, said[0]["content"][1]]},
            {"role": "assistant", "content": [{"type": "output_text", "text": "Hello."}]},
            USER,
        ],
    }


def test_anthropic(path: Path) -> None:
    """A request of Anthropic has the system message in its own place, behind the caller's, and a bound of tokens."""
    said = [{"role": "system", "content": "Be brief."}, USER]
    (request,) = written(path, said, provider="anthropic", system="You know cities.")
    assert request == {
        "custom_id": "requests-0",
        "params": {
            "model": "m",
            "max_tokens": 4_096,
            "system": f"You know cities.\n\nBe brief.\n\n{SHAPE}",
            "messages": [USER],
        },
    }


def test_the_prompt_of_the_caller_stays(path: Path) -> None:
    """A task that holds the prompt of the model already is sent as it is."""
    task = f"Where is Paris? {StructuredResponse.from_basemodel(City).to_prompt()}"
    (request,) = written(path, task)
    assert request["body"]["messages"] == [{"role": "user", "content": task}]


def test_format_and_examples(path: Path) -> None:
    """The form of the answer is the one that `to_prompt` writes with these options."""
    examples = [City(name="Rome", people=1)]
    (request,) = written(path, "Where is Paris?", format="json", examples=examples)
    shape = StructuredResponse.from_basemodel(City).to_prompt("json", instructions=True, examples=examples)
    assert request["body"]["messages"][0]["content"] == shape


@pytest.mark.parametrize(
    ("tasks", "ids"),
    [
        (["a", "b"], ["requests-0", "requests-1"]),
        ([("x", "a"), ("y", [USER])], ["x", "y"]),
        ({"x": "a", 7: "b", UUID(int=1): "c"}, ["x", "7", str(UUID(int=1))]),
        ([(UUID(int=1), "a")], [str(UUID(int=1))]),
        ([[USER, USER], (USER, USER), "a"], ["requests-0", "requests-1", "requests-2"]),
        (iter(["a", ("x", "b")]), ["requests-0", "x"]),
    ],
    ids=["prompts", "pairs", "mapping", "pairs with other ids", "messages", "iterator"],
)
def test_ids(tasks: Any, ids: list[str], path: Path) -> None:
    """Tasks are prompts, messages, pairs or a mapping. One without an id is called by its file and position."""
    assert write_batch(tasks, City, path, model="m") == len(ids)
    assert [request["custom_id"] for request in lines(path)] == ids


@pytest.mark.parametrize("stem", ["second", "July, 2. Teil", "x" * 100, "ä"])
@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_files_have_ids_of_their_own(stem: str, provider: Any, path: Path) -> None:
    """The results of several files are read together, so a task without an id is called by its file too."""
    ids = [
        [request["custom_id"] for request in written(path.with_stem(each), "a", "b", provider=provider)]
        for each in ("first", stem)
    ]
    assert len({*ids[0], *ids[1]}) == 4


@pytest.mark.parametrize(
    ("tasks", "provider", "message"),
    [
        ([("x", "a"), ("x", "b")], "openai", "duplicate id 'x'"),
        ([("", "a")], "openai", "the id '' has to match"),
        ([("x y", "a")], "anthropic", r"the id 'x y' has to match \[a-zA-Z0-9_-\]\{1,64\}"),
        ([("x" * 65, "a")], "anthropic", "has to match"),
        ([("x", "\ud800")], "openai", "the task 'x' cannot be written as JSON"),
        ([("x", [{"role": "user", "content": [object()]}])], "openai", "the task 'x' cannot be written as JSON"),
    ],
    ids=range(6),
)
def test_bad_tasks(tasks: Any, provider: Any, message: str, path: Path) -> None:
    """A task that no request can be made of is an error with its id, and nothing is written."""
    with pytest.raises(BatchError, match=message):
        write_batch(["first", *tasks], City, path, provider=provider, model="m")
    assert list(path.parent.iterdir()) == []


def test_mistakes_of_the_program(path: Path) -> None:
    """One prompt is not a list of prompts, and the providers are known."""
    one: Any = "Where is Paris?"
    with pytest.raises(TypeError, match="not one prompt"):
        write_batch(one, City, path, model="m")
    with pytest.raises(TypeError, match="message 0"):
        write_batch([["x", "a"]], City, path, model="m")  # a pair is a tuple
    other: Any = "gemini"
    with pytest.raises(ValueError, match="provider is one of 'openai', 'openai-responses', 'anthropic'"):
        write_batch(["a"], City, path, model="m", provider=other)


def test_what_tasks_raise_passes_through(path: Path) -> None:
    """An exception of the tasks is the caller's own, also one of the system, and nothing is written."""

    def tasks() -> Iterator[str]:
        yield "a"
        raise FileNotFoundError("prompts.txt")

    path.write_text("as before")
    with pytest.raises(FileNotFoundError, match=r"prompts\.txt"):
        write_batch(tasks(), City, path, model="m")
    assert [(file.name, file.read_text()) for file in path.parent.iterdir()] == [("requests.jsonl", "as before")]


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    """It is an error with its path."""
    with pytest.raises(BatchError, match=r"none.requests\.jsonl: cannot be written: No such file"):
        write_batch(["a"], City, tmp_path / "none" / "requests.jsonl", model="m")


def test_links_and_modes_stay(path: Path) -> None:
    """A request file that is written anew stays behind its link, and whoever could read it still can."""
    target = path.with_name("target.jsonl")
    target.touch(0o640)
    path.symlink_to(target)
    written(path, "a")
    assert path.is_symlink()
    assert len(lines(target)) == 1
    assert target.stat().st_mode & 0o777 == 0o640


def test_bounds_of_a_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is past the bounds of a provider goes into further files."""
    monkeypatch.setattr(module, "MAX_REQUESTS", 2)
    assert write_batch(map(str, range(5)), City, path, model="m") == 5
    files = sorted(file.name for file in path.parent.iterdir())
    assert files == ["requests.2.jsonl", "requests.3.jsonl", "requests.jsonl"]
    ids = [[request["custom_id"] for request in lines(path.parent / file)] for file in (files[2], *files[:2])]
    assert ids == [["requests-0", "requests-1"], ["requests-2", "requests-3"], ["requests-4"]]
    other = path.with_name("other.jsonl")
    monkeypatch.setattr(module, "MAX_BYTES", path.stat().st_size // 2 + 100)
    assert write_batch(["a", "b"], City, other, model="m") == 2
    assert [len(lines(file)) for file in (other, other.with_name("other.2.jsonl"))] == [1, 1]
    with pytest.raises(BatchError, match=r"the task 'new-1' has .* bytes, and a file .* at most"):
        write_batch(["a", "b" * 1_000], City, path.with_name("new.jsonl"), model="m")


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_a_numbered_file_that_exists_is_kept(count: int, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be overwritten, or be taken for one of these files, so nothing is written."""
    monkeypatch.setattr(module, "MAX_REQUESTS", 1)
    path.write_text("as before")
    mine = path.with_name(f"requests.{max(count, 1) + 1 if count < 3 else 2}.jsonl")
    mine.write_text("mine")
    with pytest.raises(BatchError, match=rf"{mine.name}: is there already; delete it, or take another name"):
        write_batch(map(str, range(count)), City, path, model="m")
    assert {file.name: file.read_text() for file in path.parent.iterdir()} == {
        path.name: "as before",
        mine.name: "mine",
    }


def test_the_file_itself_is_replaced(path: Path) -> None:
    """By the requests of this call, or by none if there are none."""
    path.write_text("as before")
    assert len(written(path, "a")) == 1
    assert write_batch([], City, path, model="m") == 0
    assert list(path.parent.iterdir()) == []


def test_tasks_are_taken_one_by_one(path: Path) -> None:
    """A task is written before the next one is taken, so an iterable of any length works."""
    taken: list[int] = []

    def tasks() -> Iterator[str]:
        for number in range(3_000):
            taken.append(number)
            size = sum(file.stat().st_size for file in path.parent.iterdir())
            assert size > number * len(SHAPE) - 100_000
            yield f"Task {number}"

    assert write_batch(tasks(), City, path, model="m") == len(taken) == 3_000
