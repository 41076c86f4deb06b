"""Questions about a corpus, made by a language model that a script stands for."""

import re
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from structured_response import DatasetError
from structured_response.cache import MemoryCache
from structured_response.datasets.autorag import DONT_KNOW, Passage, make_qa, read_qa, validate, write_corpus

CORPUS = [Passage(doc_id=f"d{number}", contents=f"Passage number {number}.", metadata={}) for number in range(8)]


class Scripted:
    """Answers from the passage's number, and keeps what it was sent."""

    def __init__(self, answer: Callable[[int], str] | None = None) -> None:
        self.sent: list[list[dict[str, Any]]] = []
        self._answer = answer or pair
        self._lock = Lock()

    def __call__(self, messages: list[dict[str, Any]]) -> str:
        with self._lock:
            self.sent.append(messages)
        found = re.search(r"Passage number (\d+)", messages[0]["content"])
        assert found is not None
        return self._answer(int(found[1]))

    @property
    def asked(self) -> list[int]:
        """The passages of all calls."""
        return [int(re.findall(r"Passage number (\d+)", each[0]["content"])[0]) for each in self.sent]


def pair(number: int, answer: str | None = None) -> str:
    """A reply with a question and its answer."""
    answer = f"{number} & <b>no more</b>" if answer is None else answer
    return (
        f"Gladly: <question_answer><question>What is {number}?</question>"
        f"<answer><![CDATA[{answer}]]></answer></question_answer>"
    )


def test_questions_and_their_ground_truth(tmp_path: Path) -> None:
    """Each passage gives a question whose ground truth it is; the file holds what is given back, and has no faults."""
    made = make_qa(CORPUS, Scripted(), tmp_path / "qa.parquet")
    assert (len(made), made.dropped, made.failed) == (8, 0, [])
    assert made[3].model_dump() == {
        "qid": "d3#0",
        "query": "What is 3?",
        "retrieval_gt": [["d3"]],
        "generation_gt": ["3 & <b>no more</b>"],
    }
    assert read_qa(tmp_path / "qa.parquet") == made
    assert validate(made, CORPUS) == []
    assert [each.name for each in tmp_path.iterdir()] == ["qa.parquet"]


def test_each_call_has_its_own_messages(tmp_path: Path) -> None:
    """No call sees another's passage, nor a list that another call was given."""
    model = Scripted()
    make_qa(CORPUS, model, tmp_path / "qa.parquet")
    assert model.asked == list(range(8))
    assert len({id(messages) for messages in model.sent}) == 8
    assert all(len(re.findall("Passage number", str(messages))) == 1 for messages in model.sent)


@pytest.mark.usefixtures("naps")
@pytest.mark.parametrize("error", [KeyboardInterrupt, ConnectionError])
@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_that_was_stopped_goes_on(error: type[BaseException], workers: int, tmp_path: Path) -> None:
    """What was answered before an interruption is not asked again; nothing is written until the run is done."""
    stop = True

    def answer(number: int) -> str:
        if number == 5 and stop:
            raise error("stopped")
        return pair(number)

    model = Scripted(answer)
    with pytest.raises(error, match="stopped"):
        make_qa(CORPUS, model, tmp_path / "qa.parquet", workers=workers)
    before = set(model.asked) - {5}
    assert {0, 1, 2, 3, 4} <= before
    assert not (tmp_path / "qa.parquet").exists()
    stop, model.sent = False, []
    made = make_qa(CORPUS, model, tmp_path / "qa.parquet", workers=workers)
    assert sorted(model.asked) == sorted(set(range(8)) - before)
    assert [each.qid for each in made] == [f"d{number}#0" for number in range(8)]
    assert [each.name for each in tmp_path.iterdir()] == ["qa.parquet"]


def test_a_cache_of_ones_own(tmp_path: Path) -> None:
    """With a cache nothing is asked twice, whatever the file; it needs to know who answers."""
    model, cache = Scripted(), MemoryCache()
    first = make_qa(CORPUS, model, tmp_path / "a.parquet", cache=cache, key="scripted")
    again = make_qa(CORPUS, model, tmp_path / "b.parquet", cache=cache, key="scripted")
    assert (again, len(model.sent)) == (first, 8)
    with pytest.raises(TypeError, match="key="):
        make_qa(CORPUS, model, tmp_path / "c.parquet", cache=cache)


def test_a_sample(tmp_path: Path) -> None:
    """A sample is drawn by its seed, and comes in the corpus' order."""
    drawn = [make_qa(CORPUS, Scripted(), tmp_path / "qa.parquet", passages=4, seed=seed)[:] for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert [len(each) for each in drawn] == [4, 4, 4]
    assert [each.qid for each in drawn[0]] == sorted(each.qid for each in drawn[0])


def test_answers_that_are_none(tmp_path: Path) -> None:
    """Questions to which the model knows no answer are left out, and counted."""
    made = make_qa(
        CORPUS, Scripted(lambda number: pair(number, "I don't know." if number % 2 else None)), tmp_path / "qa.parquet"
    )
    assert ([each.qid for each in made], made.dropped) == (["d0#0", "d2#0", "d4#0", "d6#0"], 4)


def test_passages_that_fail(tmp_path: Path) -> None:
    """A passage about which the model says nothing usable is told by its id, and costs nothing else."""
    made = make_qa(
        CORPUS, Scripted(lambda number: "Sorry." if number == 2 else pair(number)), tmp_path / "qa.parquet", attempts=2
    )
    assert len(made) == 7
    assert [str(fault).splitlines()[0] for fault in made.failed] == [
        "no questions about passage 'd2': no answer in 2 attempts; the reply has 1 problem"
    ]


def test_nothing_usable_at_all(tmp_path: Path) -> None:
    """If no passage gave anything, nothing is written."""
    with pytest.raises(DatasetError, match="8 faults"):
        make_qa(CORPUS, Scripted(lambda number: "Sorry."), tmp_path / "qa.parquet", attempts=1)
    assert not (tmp_path / "qa.parquet").exists()


def test_several_questions(tmp_path: Path) -> None:
    """A passage may be asked about for several questions at once."""
    model = Scripted(
        lambda number: (
            "<question_answers><pairs>"
            + "".join(f"<li><question>{n}?</question><answer>{n}</answer></li>" for n in range(2))
            + "<li><question>2?</question><answer>unknown</answer></li></pairs></question_answers>"
        )
    )
    made = make_qa(CORPUS[:1], model, tmp_path / "qa.parquet", pairs=3)
    assert "Write 3 questions" in model.sent[0][0]["content"]
    assert ([each.qid for each in made], made.dropped) == (["d0#0", "d0#1"], 1)


def test_a_corpus_in_a_file(tmp_path: Path) -> None:
    """The corpus may be a file; blank passages are not asked about."""
    blank = Passage(doc_id="blank", contents=" ", metadata={})
    write_corpus(tmp_path / "corpus.parquet", [*CORPUS, blank])
    for corpus in (tmp_path / "corpus.parquet", [*CORPUS, blank]):
        assert len(make_qa(corpus, Scripted(), tmp_path / "qa.parquet")) == 8


def test_a_corpus_with_faults(tmp_path: Path) -> None:
    """Nothing is asked about a corpus whose ids are not unique."""
    model = Scripted()
    with pytest.raises(DatasetError, match="'d0' is already in row 0"):
        make_qa([CORPUS[0], CORPUS[0]], model, tmp_path / "qa.parquet")
    assert model.sent == []


def test_a_path_that_cannot_be_written(tmp_path: Path) -> None:
    """Nothing is asked if the file cannot be written in the end."""
    model = Scripted()
    with pytest.raises(DatasetError, match=r"qa\.parquet: cannot be written: No such file or directory"):
        make_qa(CORPUS, model, tmp_path / "none" / "qa.parquet")
    assert model.sent == []


@pytest.mark.parametrize(
    ("answer", "is_none"),
    [
        ("I don't know.", True),
        ("I don\u2019t know", True),
        ("i do not know", True),
        ("I really do not know that.", True),
        ("Sorry, but I don't know.", True),
        ("I'm afraid I cannot say.", True),
        ("I can't answer this.", True),
        ("Don't know", True),
        ("The passage does not mention it.", True),
        ("This text doesn't say.", True),
        ("Unknown.", True),
        ("N/A", True),
        ("Not enough information", True),
        ("Paris", False),
        ("You don't know what you've got till it's gone.", False),
        ("Unknown Pleasures", False),
        ("None of them", False),
        ("I know", False),
        ("The text was written in 1850.", False),
        ("A man who does not know fear", False),
    ],
)
def test_dont_know(answer: str, is_none: bool) -> None:
    """Whoever says not to know has not answered; whoever says something that begins so has."""
    assert (DONT_KNOW.match(answer) is not None) is is_none
