"""`python -m tests.fuzz [SECONDS]` fuzzes the reader; `python -m tests.fuzz FILE ...` tries inputs that it found.

Needs the dependency group `fuzz`, which has releases for Linux and macOS. The corpus grows in `.fuzz/corpus`; an input
that breaks a law is written to `.fuzz/` under a name with `crash-`, `timeout-` or `oom-`, and belongs into a test.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["structured_response"]):
    from tests.fuzz import seeds
    from tests.fuzz.target import check

FOLDER = Path(".fuzz")

OPTIONS = ("-max_len=4096", "-timeout=10", "-rss_limit_mb=2048", f"-artifact_prefix={FOLDER}/")


def main(arguments: list[str]) -> None:
    """Fuzzes for so many seconds (600), or tries the files that are named."""
    files = [name for name in arguments if Path(name).is_file()]
    seconds = next((word for word in arguments if word.isdecimal()), "600")
    if files:
        for name in files:
            check(Path(name).read_bytes())
        return
    seeds.main(FOLDER)
    limits = [f"-max_total_time={seconds}", f"-dict={FOLDER}/tokens.dict", *OPTIONS]
    atheris.Setup([sys.argv[0], *limits, str(FOLDER / "corpus")], check)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
