"""Each row of tests/corpus is read as it says; of what was given up, nothing becomes a silently wrong value.

`tests/corpus/wrong.json` names the values that are known to be read wrongly without a problem, each of which is a
defect. They are left out of the first two tests, and whoever mends one takes it from there.
"""

from collections.abc import Collection

import pytest

from tests.corpus import GONE, ROWS, WRONG, Row, digest, judged, outcome, response_of

KNOWN = {(each["topic"], each["digest"]) for each in WRONG}


def _otherwise(topic: str, rows: list[Row], verdicts: Collection[str], known: bool = False) -> list[str]:
    """Tells each row of a topic, of those that are known to be wrong or of the rest, whose verdict is none of these."""
    told = []
    for row in rows:
        if ((topic, digest(row)) in KNOWN) == known:
            got = outcome(response_of(row), row)
            if (verdict := judged(row, got)) not in verdicts:
                told.append(f"{verdict}: {row}\n    {got}")
    return told


@pytest.mark.parametrize("topic", ROWS)
def test_a_reply_is_read_as_its_row_says(topic: str) -> None:
    """The data, and the paths of the problems."""
    told = _otherwise(topic, ROWS[topic], {"right"})
    assert not told, "\n".join([f"{len(told)} rows of {topic}", *told])


@pytest.mark.parametrize("topic", GONE)
def test_what_was_given_up_is_never_silently_wrong(topic: str) -> None:
    """It is read, or a problem."""
    told = _otherwise(f"gone/{topic}", GONE[topic], {"right", "other"})
    assert not told, "\n".join([f"{len(told)} rows of gone/{topic}", *told])


def test_what_is_known_to_be_wrong_still_is() -> None:
    """Each row that `wrong.json` names is one of the corpus; one that is mended must be taken out."""
    topics = ROWS | {f"gone/{topic}": rows for topic, rows in GONE.items()}
    mended = [told for topic, rows in topics.items() for told in _otherwise(topic, rows, {"silent"}, known=True)]
    assert not mended, "\n".join([f"{len(mended)} rows to take from wrong.json", *mended])
    there = {(topic, digest(row)) for topic, rows in topics.items() for row in rows}
    assert there >= KNOWN, f"no rows: {KNOWN - there}"
