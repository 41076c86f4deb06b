"""The command line as a process of its own: output that cannot be written, completion in a shell, a missing extra."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.unit.test_cli import REPLY, ROOT, SHOP, in_a_process


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with a module of models in it."""
    (tmp_path / "shop.py").write_text(SHOP, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMMANDS = [
    ["demo"],
    ["--help"],
    ["--version"],
    ["prompt", "shop:Review"],
    ["parse", "shop:Review"],
]
needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full disk")


def written_to(output: Any, *command: str) -> subprocess.CompletedProcess[str]:
    """A command that writes to a file of the test's."""
    return subprocess.run(
        [sys.executable, "-m", "structured_response", *command],
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        stdout=output,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        input=REPLY.replace("Yes", "true"),
        check=False,
    )


@needs_full
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk(command: list[str]) -> None:
    """One line says that the output cannot be written, and the status is 4."""
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        done = written_to(full, *command)
    assert done.returncode == 4
    assert done.stderr == "error: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_closed_pipe(command: list[str]) -> None:
    """A reader that has gone away ends the command without a word."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as closed:
        done = written_to(closed, *command)
    assert (done.returncode, done.stderr) == (1, "")


def test_completion_completes() -> None:
    """The command completes its own commands and options, as the shell asks it to."""
    asked = {"_STRUCTURED_RESPONSE_COMPLETE": "complete_bash", "COMP_CWORD": "1"}
    for words, expected in (("pa", "parse"), ("pro", "prompt")):
        line = f"structured-response {words}"
        assert in_a_process("-m", "structured_response", COMP_WORDS=line, **asked).stdout.split() == [expected]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_completion_installs(folder: Path) -> None:
    """`--install-completion` writes the script where the shell looks for it; `--show-completion` prints it."""
    script = f"{sys.executable} -m structured_response --show-completion; {sys.executable} -m structured_response"
    done = subprocess.run(
        [str(shutil.which("bash")), "-c", f"{script} --install-completion; true"],
        env={"PYTHONPATH": str(ROOT), "HOME": str(folder), "PATH": os.environ["PATH"]},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "complete -o default -F _structured_response_completion structured-response" in done.stdout
    (installed,) = (folder / ".bash_completions").iterdir()
    assert installed.read_text().strip() in done.stdout
    assert str(installed) in (folder / ".bashrc").read_text()


@pytest.mark.parametrize("package", ["typer", "rich"])
def test_without_the_extra(package: str) -> None:
    """Where the extra is missing, one line says what to install, and the status is 2."""
    # None in sys.modules is how Python itself marks a module that cannot be imported.
    code = f"import sys; sys.modules[{package!r}] = None; from structured_response.__main__ import main; main()"
    done = in_a_process("-c", code)
    assert (done.returncode, done.stdout) == (2, "")
    assert package in done.stderr
    assert 'pip install "structured-response-py[cli]"' in done.stderr
    assert done.stderr.count("\n") == 1
