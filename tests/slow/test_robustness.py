"""The corpus of damaged replies: that it is what it says, and that its undamaged half is read exactly."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.robustness import corpus as corpora
from benchmarks.robustness.asking_again import cases as cases_to_ask_again
from benchmarks.robustness.asking_again import outcomes
from benchmarks.robustness.corpus import SEED, Case, Size, corpus
from benchmarks.robustness.damage import KINDS
from benchmarks.robustness.damage.draft import MISSING, new_draft, put, steps
from benchmarks.robustness.hand_made import ROWS
from benchmarks.robustness.models import TYPES, adapter, fill, root_shape
from benchmarks.robustness.systems import OURS, SYSTEMS, plain_data, response_of
from benchmarks.robustness.verdict import Reading, judge
from structured_response.testing import damage
from structured_response.testing.damage import reads_verbatim

FOLDER = Path(corpora.__file__).parent
EXAMINER = ("models", "data", "render", "corpus", "hand_made", "verdict")
"""The modules that say what a reply means. They must not learn it from the reader."""

SMALL = Size(3, 60)


@pytest.fixture(scope="module")
def cases() -> tuple[Case, ...]:
    """A small corpus."""
    return corpus(size=SMALL)


def test_the_corpus_is_as_large_as_promised() -> None:
    """At least 50 replies a kind, 3,000 in all, 60 by hand, and eight models."""
    assert corpora.FULL.per_kind >= 50
    assert len(KINDS) * corpora.FULL.per_kind + corpora.FULL.mixes >= 3000
    assert len(ROWS) >= 60
    assert len(TYPES) >= 8


def test_every_kind_has_its_cases_alone_and_there_are_mixes(cases: tuple[Case, ...]) -> None:
    """Each kind alone as often as asked for, and mixes of two, three and four."""
    counts = Counter(case.label for case in cases)
    assert {counts[kind] for kind in KINDS} == {SMALL.per_kind}
    assert counts["hand_made"] == len(ROWS)
    assert sum(counts[f"mix of {number}"] for number in (2, 3, 4)) == SMALL.mixes
    assert all(counts[f"mix of {number}"] for number in (2, 3, 4))


def test_every_kind_changes_the_reply_or_is_the_clean_one(cases: tuple[Case, ...]) -> None:
    """Random data makes nearly every reply one of its own."""
    clean = {case.reply for case in cases if case.label == "clean"}
    assert len(clean) == SMALL.per_kind
    assert len({case.reply for case in cases}) > len(cases) * 0.95


def test_the_corpus_is_the_same_in_every_process(cases: tuple[Case, ...]) -> None:
    """One seed, one corpus, whatever the hash seed."""
    script = (
        "from hashlib import sha256\n"
        "from benchmarks.robustness.corpus import Size, corpus\n"
        f"cases = corpus(size=Size{tuple(SMALL)})\n"
        "print(sha256(repr(cases).encode('utf-8', 'surrogatepass')).hexdigest())\n"
    )

    def digest(hash_seed: str) -> str:
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(FOLDER.parent.parent)}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert digest("1") == digest("2")


def test_another_seed_gives_another_corpus() -> None:
    """The seed is what it all comes from."""
    one, other = corpus(SEED, Size(1, 0)), corpus(SEED + 1, Size(1, 0))
    assert [case.reply for case in one] != [case.reply for case in other]


def test_what_says_the_meaning_of_a_reply_imports_nothing_of_the_reader() -> None:
    """The examiner does not ask the examined. The damages that users draw too import nothing of the package either."""
    paths = [FOLDER / f"{name}.py" for name in EXAMINER] + sorted((FOLDER / "damage").glob("*.py"))
    paths.append(Path(damage.__file__))
    assert len(paths) > len(EXAMINER) + 5
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            ours = {name for name in names if name.startswith("structured_response")}
            assert ours <= {"structured_response.testing", "structured_response.testing.damage"}, path
            assert not (isinstance(node, ast.ImportFrom) and node.level), path
            assert "benchmarks.robustness.systems" not in names, path


def test_expected_data_without_problems_satisfies_its_model(cases: tuple[Case, ...]) -> None:
    """What a reply is said to mean is data of its model."""
    for case in cases:
        if not case.problems and not case.accepted:
            adapter(case.model).validate_python(case.expected, by_name=True, by_alias=False)


def test_problems_stand_at_paths_of_the_data(cases: tuple[Case, ...]) -> None:
    """A path at which a problem is due leads somewhere."""
    for case in cases:
        for path in case.problems:
            assert path.startswith("$"), (case.kinds, path)
            at: Any = case.expected
            for step in steps(path)[:-1]:
                at = at[step]


def test_few_replies_are_ambiguous(cases: tuple[Case, ...]) -> None:
    """Nearly every reply has one meaning: at most one in forty has not."""
    ambiguous = ("ambiguous_value", "union_untold", "field_twice_with_two_values")
    assert sum(kind in ambiguous for case in cases for kind in case.kinds) / len(cases) <= 1 / 40


@pytest.mark.parametrize("name", TYPES)
def test_undamaged_replies_are_read_exactly(name: str) -> None:
    """Before damage, what is rendered is what the library asks for and reads."""
    for number in range(25):
        draft = new_draft(Random(f"{name}/{number}"), name)
        draft.write()
        response = response_of(name).parse(draft.reply)
        assert plain_data(response) == fill(root_shape(name), draft.data)
        assert not response.problems


@pytest.mark.parametrize("name", TYPES)
def test_the_prompt_asks_for_what_is_rendered(name: str) -> None:
    """The renderer's idea of the format is its own; here is where the two would come apart."""
    prompt = response_of(name).to_prompt()
    draft = new_draft(Random(1), name)
    tags = {each.tag for each in draft.root.walk() if each.role in {"root", "field", "option"}}
    assert all(f"<{tag}" in prompt for tag in tags)


def test_a_verdict_tells_exact_from_flagged_from_silent() -> None:
    """Right, wrong with a problem, wrong without a word."""
    case = Case(("clean",), "Review", "", {"a": 1, "b": [1, 2]}, ("$.c",), (), {"$.b[1]": [2, MISSING]})
    right = {"a": 1, "b": [1, 2], "c": None}
    exact = judge(case, Reading(right, ("$.c",)))
    assert (exact.exact, exact.silent) == (True, False)
    assert judge(case, Reading({"a": 1, "b": [1], "c": None}, ("$.c",))).exact
    assert not judge(case, Reading(right)).exact
    assert judge(case, Reading({**right, "c": 3})).silent
    assert not judge(case, Reading({**right, "a": None}, ("$.a", "$.c"))).silent
    assert not judge(case, Reading({**right, "a": None}, ("$.a", "$.c"))).exact
    assert judge(case, Reading({**right, "a": True}, ("$.c",))).silent
    assert not judge(case, Reading(refused=True)).silent


def test_paths_are_taken_apart_and_used() -> None:
    """A path as its steps."""
    assert steps("$.parts[0].points") == ["parts", 0, "points"]
    assert put({"parts": [{"points": 1}]}, "$.parts[0].points", 2) == {"parts": [{"points": 2}]}


def test_a_text_means_itself_where_it_holds_markup_or_no_reference() -> None:
    """The rule of escaping, in the words of the corpus."""
    assert reads_verbatim("a < b & c")
    assert reads_verbatim("<b>&amp;</b>")
    assert not reads_verbatim("a &amp; b")


def test_every_system_is_named_once_and_ours_reads_both_formats() -> None:
    """The rows of the tables."""
    assert OURS.formats == ("xml", "json")
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS)


def test_the_library_reads_what_is_damaged() -> None:
    """Nearly all of a sample comes back exactly; what does not has a problem that says so."""
    read = OURS.load()
    cases = corpus(size=SMALL)
    verdicts = [judge(case, read(case)) for case in cases]
    assert sum(not verdict.exact for verdict in verdicts) <= len(cases) // 100
    assert sum(verdict.silent for verdict in verdicts) <= len(cases) // 500


def test_one_unreadable_value_is_asked_for_again() -> None:
    """300 damaged replies, and a script that sees the messages alone: all of the data in two attempts."""
    found = list(outcomes(cases_to_ask_again()))
    assert len(found) == 300
    assert [outcome.case.reply for outcome in found if not outcome.is_full] == []
