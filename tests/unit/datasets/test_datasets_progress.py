"""Progress bars, on standard error alone."""

import os
import subprocess
import sys

import pytest

from structured_response.progress import progress_bar


@pytest.mark.parametrize("shown", [None, False])
def test_no_bar(shown: bool | None, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody looks there is none, unless it is asked for."""
    with progress_bar("reading", 10, shown=shown) as done:
        done(5)
    assert capsys.readouterr() == ("", "")


def test_a_bar_that_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """Into a file the bar is written once, as it is in the end."""
    with progress_bar("reading", 10, shown=True) as done:
        done(10)
    out, err = capsys.readouterr()
    assert (out, "reading" in err, "10/10" in err) == ("", True, True)


PROGRAM = """
from structured_response.progress import progress_bar
with progress_bar("reading", 10) as done:
    done(4)
print("done")
"""


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal of its own, and this system has none to give")
def test_a_bar_on_a_terminal() -> None:
    """On a terminal it is drawn without being asked for, and is gone in the end; standard output stays clean."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        ran = subprocess.run(
            [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, stderr=theirs, env=environment, check=True
        )
        os.close(theirs)
        shown = terminal.read(100_000)
    assert ran.stdout == b"done\n"
    assert b"reading" in shown
    assert b"4/10" in shown
    assert shown.endswith((b"\x1b[2K", b"\x1b[?25h\r\x1b[1A\x1b[2K"))
