"""The examples run as a user runs them, without a key and without a network; tests/slow has those of streaming."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
OTHERS = sorted({*EXAMPLES.glob("*.py")} - {*EXAMPLES.glob("streaming_*.py")})


@pytest.mark.parametrize("example", OTHERS, ids=lambda path: path.stem)
def test_each_example_runs(example: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each example runs as a script and prints something."""
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out
