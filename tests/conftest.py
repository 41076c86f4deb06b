"""What every test module may use: how hard hypothesis tries, and where the shared reference files lie."""

import asyncio
import gc
import json
import os
import socket
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Reference files that stand beside some clones of the project; most clones are without."""
MCP_SERVER = [sys.executable, str(Path(__file__).with_name("mcp_server.py"))]

# No deadline and no limit on the time that making an example takes: both measure how busy the
# machine is, and speed has its own benchmarks.
settings.register_profile("default", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None, print_blob=True)
settings.register_profile("more", settings.get_profile("default"), max_examples=200)
settings.register_profile("property", settings.get_profile("default"), max_examples=10_000)
# `pytest --hypothesis-profile=more` comes after this and wins.
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--zoo=full` walks every model of tests/slow/test_zoo.py's packages."""
    parser.addoption("--zoo", choices=("sample", "full"), default="sample", help="how many models test_zoo.py walks")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collects no garbage while the tests are imported: there is none."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@given(st.none())
def _first_draw(_: None) -> None:
    """Makes Hypothesis register its source of randomness, whose referrers it looks for, before they are set aside."""


@pytest.fixture(scope="module", autouse=True)
def earlier_modules_frozen() -> None:
    """What earlier modules left is looked through for garbage once and then set aside. Hundreds of thousands of
    objects live until the end of the run, and every full collection would walk them again: half a second each time.
    """
    _first_draw()
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def no_certificates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The servers of the tests have none. Each client of an SDK would load all those of the system: 40 ms."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("SSL_CERT_FILE", raising=False)
        patch.setenv("SSL_CERT_DIR", str(tmp_path_factory.mktemp("certificates")))
        yield


@pytest.fixture
def loop_closed() -> Iterator[None]:
    """For what runs pydantic-ai's agents without `await`: they leave an event loop open, of which a later test is told
    when it is collected.
    """
    yield
    with warnings.catch_warnings(), suppress(RuntimeError):
        warnings.simplefilter("ignore")
        asyncio.get_event_loop().close()
        asyncio.set_event_loop(None)


@pytest.fixture
def naps(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that `ask`, `ask_many` and their twins wait before they call again, in place of waiting for them."""
    pytest.importorskip("tenacity")
    from structured_response.asking.caching import THREADS
    from structured_response.asking.running import Tasks, Threads

    waits: list[float] = []
    really = asyncio.sleep

    async def sleep(seconds: float) -> None:
        if seconds:
            waits.append(seconds)
        await really(0)

    monkeypatch.setattr(THREADS, "sleep", waits.append)
    monkeypatch.setattr(Threads, "sleep", lambda threads, seconds: waits.append(seconds))
    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(Tasks, "sleep", staticmethod(sleep))
    return waits


@pytest.fixture(scope="session")
def mcp_command() -> str:
    """What starts a server of MCP tools that speaks over standard input and output, as the inside of a list."""
    return json.dumps(MCP_SERVER)[1:-1]


@pytest.fixture(scope="session")
def mcp_url() -> Iterator[str]:
    """The address of a server of MCP tools that speaks HTTP."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([*MCP_SERVER, str(port)], stderr=subprocess.DEVNULL)
    try:
        while process.poll() is None:  # it ends at once where the package is not installed
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference files; a test that asks for it is skipped where there is none."""
    if not SHARED.is_dir():
        pytest.skip(f"needs the reference files, and there is no {SHARED}")
    return SHARED
