"""What type checkers make of the public surface."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TYPED = ROOT / "tests" / "contract" / "typed.py"
CHECKERS = {"mypy": ["--strict"], "pyright": []}


@pytest.mark.parametrize("checker", CHECKERS)
def test_types_are_known(checker: str) -> None:
    """To each checker, of unions and lists as of models, and without a complaint."""
    pytest.importorskip(checker)
    command = [sys.executable, "-m", checker, *CHECKERS[checker], str(TYPED)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
