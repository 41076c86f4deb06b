"""A real `redis-server` on loopback, which can be stopped and started again."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path

__all__ = ["RedisServer"]

PROGRAMS = ("redis-server", "valkey-server")


class RedisServer:
    """The server. Raises `FileNotFoundError` where there is no program for it."""

    def __init__(self, folder: Path) -> None:
        found = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if found is None:
            raise FileNotFoundError(f"needs {' or '.join(PROGRAMS)}: apt-get install redis-server")
        self.program = found
        self.folder = folder
        self.port = _free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Starts the server, and returns once it answers."""
        settings = {"port": self.port, "bind": "127.0.0.1", "save": "", "dir": self.folder, "appendonly": "no"}
        arguments = [str(part) for name, value in settings.items() for part in (f"--{name}", value)]
        self.process = subprocess.Popen([self.program, *arguments], stdout=subprocess.DEVNULL)
        until = time.monotonic() + 20
        while not self._answers():
            assert time.monotonic() < until and self.process.poll() is None, f"{self.program} does not start"
            time.sleep(0.01)

    def stop(self) -> None:
        """Ends the server, and with it all that it holds."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(7) == b"+PONG\r\n"
        except OSError:
            return False


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
