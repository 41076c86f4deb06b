"""Processes that are killed, or stopped by Ctrl-C, while they work: what was done stays, and a second run goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import BaseModel, field_validator

from benchmarks.cache.killing import run as kill_writers
from benchmarks.scale.many import run as kill_questions
from structured_response import BatchError
from structured_response.batch import parse_files
from structured_response.batch.folder import open_folder, read_manifest
from tests.killed_agent import agent
from tests.unit.test_batch_files import Review, rows, save
from tests.unit.test_tools_acting import outcomes

PATIENCE = 180  # seconds, of a machine that is busy with other tests
ROOT = Path(__file__).resolve().parent.parent.parent


SCRIPT = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have switched off
from pydantic import BaseModel, field_validator
from structured_response.batch import parse_files

class Review(BaseModel):
    headline: str
    score: int

    @field_validator("score")
    @classmethod
    def check(cls, value: int) -> int:
        time.sleep(0.002)
        return value

parse_files(sys.argv[1], Review, sys.argv[2], processes=2, size=10)
"""
"""A run with a model of its own program, which is not fast."""


@contextmanager
def started(tmp_path: Path, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    """The script, as the leader of a group of its own."""
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, str(tmp_path / "script.py"), *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        command, env=environment, start_new_session=True, stderr=subprocess.PIPE, text=True
    ) as process:
        yield process


def wait_for_parts(folder: Path, count: int) -> None:
    """Until a folder has so many parts."""
    end = time.monotonic() + PATIENCE
    while len(list(folder.glob("part-*"))) < count:
        assert time.monotonic() < end
        time.sleep(0.002)


def wait_for_the_end_of(group: int) -> None:
    """Until no process of a group is left."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("a process is left")


def test_a_killed_batch_goes_on(tmp_path: Path) -> None:
    """Each part is whole at any time, and after SIGKILL the rows are those of an undisturbed run. Only one run writes
    to a folder: a second one is refused and harms nothing, until the first is dead, even if its workers still end.
    """
    replies, out = save(tmp_path / "replies.jsonl", 500), tmp_path / "out"
    with started(tmp_path, replies, out) as process:
        wait_for_parts(out, 2)
        with pytest.raises(BatchError, match="out: another run writes to this folder"):
            parse_files(replies, Review, out, size=10, processes=1)
        process.kill()
        process.wait(PATIENCE)
        manifest = read_manifest(out)
        with open_folder(out, manifest), pytest.raises(BatchError, match="another run"), open_folder(out, manifest):
            pass
    wait_for_the_end_of(process.pid)
    assert len(rows(out)) == 10 * len(list(out.glob("part-*"))) < 500
    for folder in (out, tmp_path / "undisturbed"):
        parse_files(replies, Review, folder, size=10, processes=1)
    assert rows(out) == rows(tmp_path / "undisturbed")
    assert not list(out.glob(".*")), "the files of killed processes are gone"


def test_ctrl_c_leaves_no_process(tmp_path: Path) -> None:
    """SIGINT, which a terminal sends to all processes, ends them, without a word from the others."""
    replies, out = save(tmp_path / "replies.jsonl", 2000), tmp_path / "out"
    with started(tmp_path, replies, out) as process:
        wait_for_parts(out, 2)
        os.killpg(process.pid, signal.SIGINT)
        assert process.stderr is not None
        said = process.stderr.read()
        process.wait(PATIENCE)
    assert said.strip().endswith("KeyboardInterrupt")
    assert said.count("Traceback") == 1
    wait_for_the_end_of(process.pid)


def test_a_dead_process_is_an_error_that_names_the_part(tmp_path: Path) -> None:
    """As the system kills one when the memory is full. What was written stays, and no process is left."""
    replies, out, this = save(tmp_path / "replies.jsonl", 100), tmp_path / "out", os.getpid()
    workers = tmp_path / "workers"
    workers.mkdir()

    class Deadly(BaseModel):
        headline: str
        score: int

        @field_validator("score")
        @classmethod
        def check(cls, value: int) -> int:
            (workers / str(os.getpid())).touch()
            if value == 55 and os.getpid() != this:
                os.kill(os.getpid(), signal.SIGKILL)
            return value

    with pytest.raises(BatchError, match=r"out: a process died at part .*5"):
        parse_files(replies, Deadly, out, size=10, processes=2)
    assert list(out.glob("part-*"))
    assert not [worker for worker in workers.iterdir() if Path("/proc", worker.name).exists()]
    assert parse_files(replies, Deadly, out, size=10, processes=1).rows == 100


@pytest.mark.parametrize("is_async", [False, True])
def test_killed_questions_go_on(is_async: bool) -> None:
    """Each task is answered, and at most the replies that were in flight are paid twice."""
    pytest.importorskip("tenacity")
    outcome = kill_questions(120, 2, 8, is_async=is_async, delay=0.01, failing=0.1)
    assert outcome.wrong == set()
    assert outcome.kills == 2
    assert outcome.errors > 0
    assert outcome.paid_again <= 2 * 8


MOMENTS = [
    ("pay 10", False, "It is unknown whether this ran", ["turn 2", "look oil", "turn 3"]),
    ("pay 10", True, "paid", ["pay 10", "turn 2", "look oil", "turn 3"]),
    ("turn 2", False, "paid", ["turn 2", "look oil", "turn 3"]),
    ("turn 3", False, "paid", ["turn 3"]),
]


@pytest.mark.parametrize(("moment", "idempotent", "told", "left"), MOMENTS)
def test_a_killed_agent_goes_on(moment: str, idempotent: bool, told: str, left: list[str], tmp_path: Path) -> None:
    """Nothing that ended is done again, and what was started and did not end only if that does no harm."""
    command = [sys.executable, "-m", "tests.killed_agent", str(tmp_path), moment, str(idempotent)]
    process = subprocess.run(command, check=False, capture_output=True, timeout=60, cwd=ROOT)
    assert process.returncode == -signal.SIGKILL, process.stderr
    done = (tmp_path / "done.txt").read_text().splitlines()
    assert done[-1] == moment
    result = agent(tmp_path, idempotent=idempotent)
    assert (tmp_path / "done.txt").read_text().splitlines() == [*done, *left]
    assert result.value == "Done."
    assert str(outcomes(result)[0][2]).startswith(told)


def test_a_cache_survives_processes_killed_while_they_write() -> None:
    """Nothing that was said to be stored is lost, nothing is wrong, and no other process ever sees a failure.

    The whole of it, with 20,000 entries and a kill a second, is `python -m benchmarks.cache.killing`.
    """
    outcome = kill_writers(entries=1_200, processes=8, every=0.01, each=200)
    assert (outcome.lost, outcome.wrong, outcome.said) == ([], [], [])
    assert outcome.entries == 1_200
    assert outcome.kills >= 1
