"""`structured-response dataset`: what each command prints, its exit status, and the table of conversions."""

import json
import pickle
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from structured_response.cli.main import app
from structured_response.datasets import autorag, localrqa, oasst
from structured_response.datasets.kinds import KINDS, TARGETS, kind_of
from tests.contract.test_docs import blocks
from tests.contract.test_docs import run as run_page
from tests.datasets import save, small_tree

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "datasets.md"


def run(*arguments: object) -> Result:
    """The command with its arguments."""
    return CliRunner().invoke(app, ["dataset", *map(str, arguments)])


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of each kind, which is the current one."""
    monkeypatch.chdir(tmp_path)
    tree = small_tree()
    document = localrqa.Document(page_content="text", metadata={"source": "s"})
    question = autorag.QA(qid="q", query="?", retrieval_gt=[["a"]], generation_gt=["yes"])
    oasst.write_message_trees("trees.jsonl.gz", [tree])
    oasst.write_messages("messages.jsonl", oasst.flatten_tree(tree))
    oasst.write_threads("threads.jsonl", oasst.iter_threads(tree))
    autorag.write_qa("qa.parquet", [question])
    autorag.write_corpus("corpus.parquet", [autorag.Passage(doc_id="a", contents="text", metadata={})])
    localrqa.write_examples("examples.jsonl", [localrqa.Example(question="?", gold_docs=[document], gold_answer="!")])
    localrqa.write_documents("documents.jsonl", [document])
    return tmp_path


INFO = {
    "trees.jsonl.gz": "Open-Assistant message trees\n  trees: 1\n  messages: 5\n  prompter: 3\n  assistant: 2\n"
    "  synthetic: 1\n  deleted: 0\n  threads: 3\n  longest thread: 3\n",
    "messages.jsonl": "Open-Assistant messages\n  messages: 5\n  prompter: 3\n  assistant: 2\n  synthetic: 1\n"
    "  deleted: 0\n",
    "threads.jsonl": "Open-Assistant threads\n  threads: 3\n  messages: 8\n  prompter: 5\n  assistant: 3\n"
    "  synthetic: 1\n  deleted: 0\n  longest thread: 3\n",
    "qa.parquet": "AutoRAG questions\n  questions: 1\n  groups: 1\n  answers: 1\n",
    "corpus.parquet": "AutoRAG corpus\n  passages: 1\n  blank: 0\n  characters: 4\n",
    "examples.jsonl": "LocalRQA examples\n  examples: 1\n  questions: 1\n  gold documents: 1\n  hard negatives: 0\n"
    "  turns before: 0\n",
    "documents.jsonl": "LocalRQA documents\n  documents: 1\n  characters: 4\n",
}


@pytest.mark.parametrize("name", INFO)
def test_info(name: str, files: Path) -> None:
    """A file's kind is told from what it holds, and its records are counted."""
    result = run("info", name)
    assert (result.stdout, result.exit_code) == (f"{name}: {INFO[name]}", 0)


@pytest.mark.parametrize("name", INFO)
def test_validate(name: str, files: Path) -> None:
    """A file without faults is told so."""
    result = run("validate", name)
    assert (result.stdout, result.exit_code) == (f"{name}: {INFO[name].splitlines()[0]}, no faults\n", 0)


def test_validate_tells_every_fault(files: Path) -> None:
    """Faults come on standard error, a line each with file, line and field; the exit status is 1."""
    save(files, "bad.jsonl", '{"message_id": "a", "role": "nobody"}', "{", '{"message_id": "b"')
    result = run("validate", "bad.jsonl")
    assert (result.stdout, result.exit_code) == ("", 1)
    assert result.stderr.splitlines() == [
        "bad.jsonl:1: $.text: required, but not there",
        "bad.jsonl:1: $.role: input should be 'prompter' or 'assistant'; found 'nobody'",
        "bad.jsonl:2: is not JSON: EOF while parsing an object, at byte 1",
        "bad.jsonl:3: is not JSON: EOF while parsing an object, at byte 18",
    ]
    assert run("info", "bad.jsonl").exit_code == 1


def test_validate_without_ids(files: Path) -> None:
    """A table is known by its other columns too, so that a missing one can be told."""
    for rows, missing in (
        ({"query": ["?"], "retrieval_gt": ["a"], "generation_gt": ["b"]}, "qid"),
        ({"contents": ["text"], "metadata": [{"page": 1}]}, "doc_id"),
    ):
        pq.write_table(pa.table(rows), "bad.parquet")
        result = run("validate", "bad.parquet")
        assert (result.stderr, result.exit_code) == (f"bad.parquet: $.{missing}: this column is missing\n", 1)


def test_validate_with_a_corpus(files: Path) -> None:
    """Ids are looked up in the corpus that is named."""
    assert run("validate", "qa.parquet", "--corpus", "corpus.parquet").exit_code == 0
    autorag.write_corpus("corpus.parquet", [autorag.Passage(doc_id="b", contents="text", metadata={})])
    result = run("validate", "qa.parquet", "--corpus", "corpus.parquet")
    assert result.stderr == "qa.parquet: row 0: $.retrieval_gt[0][0]: the corpus has no passage 'a'\n"
    assert result.exit_code == 1
    result = run("validate", "documents.jsonl", "--corpus", "corpus.parquet")
    assert (result.exit_code, "--corpus goes with AutoRAG questions" in result.stderr) == (2, True)


def test_head(files: Path) -> None:
    """The first records come as JSON, one a line."""
    result = run("head", "messages.jsonl", "-n", 2)
    assert [json.loads(line)["message_id"] for line in result.stdout.splitlines()] == ["a", "b"]
    assert len(run("head", "messages.jsonl").stdout.splitlines()) == 3


@pytest.mark.parametrize(
    ("kind", "target"), [(kind, target) for kind, targets in TARGETS.items() for target in (kind, *targets)]
)
def test_convert(kind: str, target: str, files: Path) -> None:
    """Every kind can be made everything in the table; what comes of it holds records, and is of its kind."""
    (source,) = (name for name in INFO if name.startswith(kind))
    out = "out.jsonl.zst" if target == "examples" else "out.parquet"
    result = run("convert", source, out, "--to", target)
    assert (result.stdout, result.stderr, result.exit_code) == (f"{out}: {target} of {source}\n", "", 0)
    if target in KINDS:
        assert kind_of(out) == target
        assert run("validate", out).exit_code == 0
    else:
        assert Path(out).stat().st_size > 10


@pytest.mark.parametrize(
    ("source", "way"),
    [
        ("qa.parquet", ["qa.jsonl.gz", "again.parquet"]),
        ("corpus.parquet", ["corpus.jsonl", "again.parquet"]),
        ("documents.jsonl", ["documents.parquet", "documents.jsonl.zst", "again.jsonl"]),
        ("trees.jsonl.gz", ["trees.jsonl.zst", "trees.parquet", "again.jsonl.gz"]),
        ("messages.jsonl", ["messages.parquet", "again.jsonl"]),
        ("threads.jsonl", ["threads.parquet", "again.jsonl"]),
    ],
)
def test_convert_there_and_back(source: str, way: list[str], files: Path) -> None:
    """Other forms hold the same records."""
    for before, after in zip([source, *way], way, strict=False):
        assert run("convert", before, after).exit_code == 0
    assert run("head", way[-1]).stdout == run("head", source).stdout


def test_convert_a_pickle(files: Path, shared: Path) -> None:
    """A pickled database becomes one that everybody can read."""
    assert run("convert", shared / "data" / "localrqa" / "databricks_web.pkl", "d.parquet").exit_code == 0
    assert len(localrqa.read_documents("d.parquet")) == 11


def test_convert_leaves_nothing_behind(files: Path) -> None:
    """If a record is bad, or what is asked for cannot be made, nothing is written."""
    save(files, "bad.jsonl", '{"message_id": "a", "text": "", "role": "prompter"}', "{")
    before = sorted(files.iterdir())
    result = run("convert", "bad.jsonl", "out.jsonl")
    assert (result.exit_code, result.stderr.startswith("bad.jsonl:2: is not JSON")) == (1, True)
    result = run("convert", "qa.parquet", "out.jsonl", "--to", "trees")
    assert (result.exit_code, result.stderr) == (2, "error: AutoRAG questions cannot be made 'trees', but qa\n")
    result = run("convert", "documents.jsonl", "out.pkl")
    assert (result.exit_code, result.stderr) == (
        1,
        "out.pkl: is a pickle, which is never written; documents.jsonl or documents.parquet is\n",
    )
    result = run("convert", "examples.jsonl", "out.parquet")
    assert (result.exit_code, result.stderr.startswith("out.parquet: is named as Parquet")) == (1, True)
    assert sorted(files.iterdir()) == before


def test_validate_rows_of_messages(files: Path) -> None:
    """Messages of a table have rows, not lines."""
    one = {"message_id": "a", "text": "", "role": "prompter"}
    pq.write_table(pa.table({name: [value, value] for name, value in one.items()}), "twice.parquet")
    result = run("validate", "twice.parquet")
    expected = "twice.parquet: row 1: $.message_id: 'a' is already in row 0\n"
    assert (result.stderr, result.exit_code) == (expected, 1)


def test_files_that_are_none_of_these(files: Path) -> None:
    """A file that is not there is a bad use; one of other records is named with what was found."""
    assert run("info", "gone.jsonl").exit_code == 2
    save(files, "other.jsonl", "no JSON", '{"id": 1}')
    result = run("validate", "other.jsonl")
    assert result.exit_code == 1
    assert result.stderr.startswith("other.jsonl: holds records of no known kind: they have none of message_id, ")
    assert result.stderr.endswith("but 'id'\n")
    (files / "bad.pkl").write_bytes(pickle.dumps([print]))
    result = run("info", "bad.pkl")
    assert (result.exit_code, "bad.pkl: is refused: it names builtins.print" in result.stderr) == (1, True)


def test_no_control_characters(files: Path) -> None:
    """What a file holds cannot steer the terminal from a fault."""
    save(files, "bad.jsonl", json.dumps({"message_id": "a", "text": "", "role": "\x1b[31m"}), '{"\x1b[2J": 1}')
    assert "\x1b" not in run("validate", "bad.jsonl").stderr


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of the page, run on the files that its examples write, print what it says."""
    monkeypatch.chdir(tmp_path)
    module = ModuleType("page_of_datasets")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    page = PAGE.read_text("utf-8")
    run_page(page, PAGE.name, module.__dict__)
    (console,) = (block.code for block in blocks(page, PAGE.name) if block.language == "console")
    commands = re.findall(r"^\$ structured-response (.*)\n((?:[^$].*\n)*)", console, re.MULTILINE)
    assert len(commands) == console.count("$ ")
    for command, says in commands:
        result = CliRunner().invoke(app, shlex.split(command))
        assert (command, result.output) == (command, says)
