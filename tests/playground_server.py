"""The playground as its command serves it, in a process of its own."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from structured_response.playground.app import TOKEN_HEADER

ROOT = Path(__file__).resolve().parent.parent
COMMAND = (sys.executable, "-m", "structured_response", "playground", "--no-browser")


@dataclass(frozen=True)
class Playground:
    """A running playground. `address` is what the command printed."""

    address: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 0

    @property
    def token(self) -> str:
        return urlsplit(self.address).fragment.removeprefix("token=")

    def request(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[HTTPResponse, bytes]:
        """The response and its content. The headers replace those that the page sends."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {TOKEN_HEADER: self.token, **(headers or {})})
            response = connection.getresponse()
            return response, response.read()
        finally:
            connection.close()

    def ask(self, job: str, **question: str) -> Any:
        """The answer to a question of the page."""
        response, content = self.request("POST", f"/{job}", json.dumps(question).encode())
        assert response.status == 200, content
        return json.loads(content)


@contextmanager
def playground(*arguments: str) -> Iterator[Playground]:
    """Starts the command, and ends it as Ctrl-C does."""
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    address = process.stdout.readline().partition(" ")[0]
    try:
        yield Playground(address, process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=30)
        finally:
            process.kill()
