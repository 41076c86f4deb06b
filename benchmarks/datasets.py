"""How fast datasets are read and checked, and in how much memory, on files too big for the tests.

    python -m benchmarks.datasets [--sample TREES.jsonl] [--gigabytes 1] [--passages 1000000]

The files are made in a temporary folder and deleted afterwards. Each measurement has a process of its own, so that
its peak of memory is its own too. Fails where a promise is broken: Open-Assistant at no less than a third of the
speed of a bare loop and in memory that does not grow with the file; a corpus checked in at most five times the time
in which pyarrow makes Python objects of it, within 4 GB.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import orjson

from structured_response.datasets import autorag, localrqa, oasst

SLOWEST = 3.0
MOST_TIMES = 5.0
MOST_MEMORY = 4 << 30
GROWTH = 1.2  # of the peak of memory, when the file is ten times as big


def bare_loop(path: str) -> int:
    with Path(path).open("rb") as file:
        return sum(oasst.ExportMessageTree.model_validate(orjson.loads(line)).prompt is not None for line in file)


def read_trees(path: str) -> int:
    return sum(tree.prompt is not None for tree in oasst.read_message_trees(path))


def to_objects(path: str) -> int:
    import pyarrow.parquet

    return len(pyarrow.parquet.read_table(path).to_pylist())


def check_corpus(path: str) -> int:
    return len(autorag.validate_corpus(path))


def check_both(path: str) -> int:
    return len(autorag.validate(str(Path(path).with_name("qa.parquet")), path))


def read_corpus(path: str) -> int:
    return len(autorag.read_corpus(path))


def read_pickle(path: str) -> int:
    return len(localrqa.read_documents(path))


TASKS: dict[str, Callable[[str], int]] = {
    task.__name__: task
    for task in (bare_loop, read_trees, to_objects, check_corpus, check_both, read_corpus, read_pickle)
}


def measured(task: str, path: Path) -> tuple[float, int]:
    """Seconds and bytes of memory at the peak, in a process of its own; the best of two runs."""
    runs = []
    for _ in range(2):
        command = [sys.executable, "-m", "benchmarks.datasets", "--task", task, str(path)]
        runs.append(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))
    seconds, memory, found = min(runs)
    print(f"{task:14}{path.name:24}{seconds:10.2f} s{memory / 2**20:10.0f} MiB{found:12,}", flush=True)
    return seconds, memory


def run_task(task: str, path: str) -> None:
    started = time.perf_counter()
    found = TASKS[task](path)
    seconds = time.perf_counter() - started
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps([seconds, memory, found]))


def made_up_trees() -> bytes:
    """A hundred trees of some ten messages each, where no sample is given."""
    random.seed(0)
    numbers = count()
    return b"".join(orjson.dumps(_tree(numbers)) + b"\n" for _ in range(100))


def _tree(numbers: count[int]) -> dict[str, object]:
    prompt = _message(numbers, 3)
    return {"message_tree_id": prompt["message_id"], "tree_state": "ready_for_export", "prompt": prompt}


def _message(numbers: count[int], levels: int) -> dict[str, object]:
    return {
        "message_id": f"{next(numbers):036}",
        "text": _words(80),
        "role": ("assistant", "prompter")[levels % 2],
        "lang": "en",
        "review_count": 3,
        "review_result": True,
        "deleted": False,
        "synthetic": False,
        "emojis": {"+1": 3},
        "replies": [_message(numbers, levels - 1) for _ in range(3 if levels % 2 else 1)] if levels else [],
    }


def _words(number: int) -> str:
    return " ".join(f"word{random.randrange(10_000)}" for _ in range(number))


def trees_of(sample: bytes, size: int, path: Path) -> Path:
    with path.open("wb") as file:
        for _ in range(-(-size // len(sample))):
            file.write(sample)
    return path


def corpus_of(passages: int, path: Path) -> Path:
    """A corpus as AutoRAG's own, with questions about a thousandth of it."""
    import pyarrow as pa
    import pyarrow.parquet

    random.seed(0)
    texts = [_words(60) for _ in range(1000)]
    modified = time.time_ns() // 1000
    table = pa.table(
        {
            "doc_id": [f"{number:036}" for number in range(passages)],
            "contents": [texts[number % 1000] for number in range(passages)],
            "metadata": pa.array(
                [{"last_modified_datetime": modified, "prev_id": None, "next_id": str(n)} for n in range(passages)],
                pa.struct(
                    [
                        ("last_modified_datetime", pa.timestamp("us")),
                        ("prev_id", pa.string()),
                        ("next_id", pa.string()),
                    ]
                ),
            ),
        }
    )
    pyarrow.parquet.write_table(table, path)
    questions = [
        autorag.QA(qid=str(n), query=texts[n % 1000], retrieval_gt=[[f"{n * 1000:036}"]], generation_gt=["yes"])
        for n in range(passages // 1000)
    ]
    autorag.write_qa(path.with_name("qa.parquet"), questions)
    return path


def measure(arguments: argparse.Namespace, folder: Path) -> list[str]:
    """What promises are broken."""
    sample = arguments.sample.read_bytes() if arguments.sample else made_up_trees()
    size = int(arguments.gigabytes * 2**30)
    small = trees_of(sample, size // 10, folder / "small.jsonl")
    big = trees_of(sample, size, folder / "big.jsonl")
    bare, _memory = measured("bare_loop", big)
    _seconds, little = measured("read_trees", small)
    ours, much = measured("read_trees", big)
    corpus = corpus_of(arguments.passages, folder / "corpus.parquet")
    arrow, _memory = measured("to_objects", corpus)
    alone, memory = measured("check_corpus", corpus)
    both, memory_of_both = measured("check_both", corpus)
    reading, memory_of_reading = measured("read_corpus", corpus)
    print(f"trees: {ours / bare:.2f} times the bare loop's time, {much / little:.2f} times the memory for ten times it")
    print(f"corpus: {max(alone, both) / arrow:.2f} times pyarrow's time checked, {reading / arrow:.2f} times read")
    promises = {
        "trees: speed": ours <= SLOWEST * bare,
        "trees: memory": much <= GROWTH * little,
        "corpus: speed": max(alone, both, reading) <= MOST_TIMES * arrow,
        "corpus: memory": max(memory, memory_of_both, memory_of_reading) <= MOST_MEMORY,
    }
    return [promise for promise, kept in promises.items() if not kept]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=Path, help="a file of message trees that is repeated")
    parser.add_argument("--gigabytes", type=float, default=1.0)
    parser.add_argument("--passages", type=int, default=1_000_000)
    parser.add_argument("--task", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task:
        run_task(*arguments.task)
        return
    with tempfile.TemporaryDirectory() as folder:
        broken = measure(arguments, Path(folder))
    if broken:
        sys.exit(f"broken: {', '.join(broken)}")
    print("all promises kept")


if __name__ == "__main__":
    main()
