"""Peers that want other versions of what the rest of the benchmarks need: read by another Python, in its environment.

`make bench` makes that environment. `python -m benchmarks.robustness.elsewhere NAME PER_KIND MIXES` is what runs there:
the corpus comes out the same for the same numbers, so only the scores have to travel.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.robustness.corpus import SEED, Size, corpus
from benchmarks.robustness.evaluate import Score, Scores, evaluate
from benchmarks.robustness.systems import SYSTEMS, System

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = ROOT / ".venv" / "peers" / "bin" / "python"


def evaluate_elsewhere(system: System, size: Size) -> Scores | None:
    """The scores of a system over the whole corpus; None without that environment, or where it lacks the system too."""
    if not PYTHON.exists():
        return None
    command = [str(PYTHON), "-m", "benchmarks.robustness.elsewhere", system.name, *map(str, size)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    if done.returncode:
        return None
    return {label: Score(*counts) for label, counts in json.loads(done.stdout.splitlines()[-1]).items()}


def main() -> None:
    name, per_kind, mixes = sys.argv[1:]
    system = next(each for each in SYSTEMS if each.name == name)
    scores = evaluate(system, corpus(SEED, Size(int(per_kind), int(mixes))))
    print(json.dumps({label: [each.cases, each.exact, each.silent] for label, each in scores.items()}))


if __name__ == "__main__":
    main()
