"""The process that reads. A job that takes too long ends with its process, and another one is ready."""

from __future__ import annotations

import gc
import json
import signal
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from threading import Lock

from . import jobs
from .examples import MENDED

LIMIT = 2.0
"""Seconds that a job may take. A pattern of a pasted schema may need forever."""

LONGEST_START = 60.0
"""Seconds in which a process must have imported everything, the user's own modules too."""

_CONTEXT = get_context("spawn")  # threads of the server may hold locks, which a fork would copy


class Workers:
    """A process that does one job at a time, and a second one that takes its place when it is stopped.

    Nothing but bytes comes back from them, so that nothing is unpickled.
    """

    def __init__(self, makers: jobs.Makers) -> None:
        self._makers = makers
        self._lock = Lock()
        self._worker, self._spare = _Worker(makers), _Worker(makers)

    def answer(self, job: str, body: bytes) -> bytes:
        """Returns the answer to a question, as JSON; after more than `LIMIT` it is one with an `error`."""
        with self._lock:
            try:
                return self._worker.answer(job, body)
            except TimeoutError:
                told = f"This took longer than {LIMIT:g} s and was stopped."
            except (EOFError, OSError):
                told = "The process that reads has ended, perhaps for want of memory."
            self._worker.stop()
            self._worker, self._spare = self._spare, _Worker(self._makers)
        return json.dumps({"error": told}).encode()

    def stop(self) -> None:
        """Ends both processes."""
        self._worker.stop()
        self._spare.stop()


class _Worker:
    def __init__(self, makers: jobs.Makers) -> None:
        self._pipe, theirs = _CONTEXT.Pipe()
        self._process = _CONTEXT.Process(target=_serve, args=(theirs, makers), daemon=True)
        self._process.start()
        theirs.close()
        self._is_ready = False

    def answer(self, job: str, body: bytes) -> bytes:
        if not self._is_ready:
            self._receive(LONGEST_START)
            self._is_ready = True
        self._pipe.send_bytes(job.encode())
        self._pipe.send_bytes(body)
        return self._receive(LIMIT)

    def _receive(self, seconds: float) -> bytes:
        if not self._pipe.poll(seconds):
            raise TimeoutError
        return self._pipe.recv_bytes()

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()


def _serve(pipe: Connection, makers: jobs.Makers) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the server, which stops this process
    models = {name: make() for name, make in makers.items()}
    for example in MENDED[:2]:  # the first reading imports the reader
        jobs.read(models, {"schema": jobs.SCHEMA, "reply": example.reply})
    gc.freeze()
    gc.disable()  # a long reply makes the collector run often; here it runs between jobs, which saves a seventh
    pipe.send_bytes(b"ready")
    with suppress(EOFError, OSError):  # the server has ended
        while True:
            job, body = pipe.recv_bytes().decode(), pipe.recv_bytes()
            pipe.send_bytes(jobs.answer(models, job, body))
            gc.collect()
