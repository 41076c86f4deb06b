"""Each row of the corpus is read as it says; no reply of `gone/` gives silently wrong data.

`wrong.json` names the rows that are known to be read wrongly without a problem, each of which is a defect. The first
two tests leave them out. A row that is mended has to be taken out of the file.
"""

from collections.abc import Collection

import pytest

from structured_response.data.validators import typed
from structured_response.options import ParseOptions
from structured_response.read import read
from structured_response.read.fast import fast_tree
from structured_response.read.reader import read_carefully
from tests.corpus import GONE, ROWS, WRONG, Row, digest, judged, outcome, response_of

AS_XML = ParseOptions(format="xml")
KNOWN = {(each["topic"], each["digest"]) for each in WRONG}


def _otherwise(topic: str, rows: list[Row], verdicts: Collection[str], known: bool = False) -> list[str]:
    """Describes the rows of a topic with another verdict than these, of the rows known to be wrong or of the others."""
    failed = []
    for row in rows:
        if ((topic, digest(row)) in KNOWN) == known:
            got = outcome(response_of(row), row)
            if (verdict := judged(row, got)) not in verdicts:
                failed.append(f"{verdict}: {row}\n    {got}")
    return failed


@pytest.mark.parametrize("topic", ROWS)
def test_a_reply_is_read_as_its_row_says(topic: str) -> None:
    """The data and the paths of the problems are those of the row."""
    failed = _otherwise(topic, ROWS[topic], {"right"})
    assert not failed, "\n".join([f"{len(failed)} rows of {topic}", *failed])


@pytest.mark.parametrize("topic", GONE)
def test_a_form_that_was_given_up_is_never_silently_wrong(topic: str) -> None:
    """A reply of a form that was given up is read, or gives a problem."""
    failed = _otherwise(f"gone/{topic}", GONE[topic], {"right", "other"})
    assert not failed, "\n".join([f"{len(failed)} rows of gone/{topic}", *failed])


@pytest.mark.parametrize("topic", ROWS)
def test_what_needs_no_search_is_read_as_by_the_search(topic: str) -> None:
    """A reply in tags that the fast paths take has the same data, repairs and problems by the search."""
    for row in ROWS[topic]:
        plan, reply = response_of(row)._plan, row["reply"]
        if fast_tree(plan)(reply, []) is not None:
            answer, (searched, _candidate) = read(plan, reply, AS_XML), read_carefully(plan, reply, AS_XML)
            data = answer.data if answer.is_typed else typed(plan).validate_python(answer.data)
            assert repr(data) == repr(searched.data), row
            assert [*answer.repairs, *answer.problems] == [*searched.repairs, *searched.problems], row


def test_rows_known_to_be_wrong_still_are() -> None:
    """Each row that `wrong.json` names is in the corpus, and is read wrongly."""
    topics = ROWS | {f"gone/{topic}": rows for topic, rows in GONE.items()}
    mended = [failed for topic, rows in topics.items() for failed in _otherwise(topic, rows, {"silent"}, known=True)]
    assert not mended, "\n".join([f"{len(mended)} rows to take from wrong.json", *mended])
    there = {(topic, digest(row)) for topic, rows in topics.items() for row in rows}
    assert there >= KNOWN, f"no rows: {KNOWN - there}"
