"""The workflows of GitHub are well-formed, and zizmor finds nothing that an attacker could use."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CHECKS = {
    "zizmor": ["--offline", "--no-progress"],
    "check-jsonschema": ["--builtin-schema", "vendor.github-workflows"],
}


@pytest.mark.parametrize("program", CHECKS)
def test_workflows(program: str) -> None:
    """Both programs are content with all workflows; neither asks the network."""
    command = Path(sys.executable).with_name(program)
    if not command.exists():
        pytest.skip(f"there is no {program} beside this Python")
    assert WORKFLOWS
    done = subprocess.run([command, *CHECKS[program], *WORKFLOWS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
