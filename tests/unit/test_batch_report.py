"""The counts of a batch: as a table, as a page, and beside the parts."""

import json
import pickle
import re
from collections import Counter
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from structured_response import BatchError
from structured_response.batch import BatchReport, parse_files
from structured_response.batch.report import MAX_LISTED, MAX_PATHS, OTHERS, places

HOSTILE = "$.<script>alert(1)</script>\x1b[31m[bold]"
REPORT = BatchReport(
    Counter({"ok": 600, "repaired": 300, "partial": 75, "refused": 25}),
    Counter({("$.score", "invalid"): 60, (HOSTILE, "missing"): 20}),
    Counter({("$.parts[*].points", "value_respelled"): 250}),
    ["in.jsonl:7: refused: no"],
    2.0,
)

AS_TEXT = """\
1,000 rows, 100 failed; 500 a second and process
Rows
 status    count  share
 ok          600  60.0%  ████████████████████
 repaired    300  30.0%  ██████████
 partial      75   7.5%  ██▌
 refused      25   2.5%  ▊
Problems
 path                                    kind     count  share
 $.score                                 invalid     60  75.0%  ████████████████████
 $.<script>alert(1)</script>\ufffd[31m[bold]  missing     20  25.0%  ██████▋
Repairs
 path               kind             count   share
 $.parts[*].points  value_respelled    250  100.0%  ████████████████████"""


def test_text_is_a_table_that_cannot_steer_a_terminal() -> None:
    """Statuses in the order of what they are worth, paths by how often they are found. A path may hold any key."""
    assert str(REPORT) == AS_TEXT


def test_a_terminal_gets_the_same_table() -> None:
    """`rich.print(report)` has its bars in colours."""
    console = Console(file=StringIO(), width=100, force_terminal=True)
    with console.capture() as written:
        console.print(REPORT)
    assert "\x1b" in written.get()
    plain = re.sub(r"\x1b\[[\d;]*m", "", written.get())
    assert [line.rstrip() for line in plain.rstrip().splitlines()] == AS_TEXT.splitlines()


class Page(HTMLParser):
    """The tags of a page, its attributes and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _value in attributes}

    def handle_data(self, text: str) -> None:
        self.text += text


def test_the_page_needs_no_other_file_and_escapes_what_it_shows() -> None:
    """It has the tables of the text with their bars, no script and no address."""
    page = Page(REPORT.to_html())
    assert "script" not in page.tags
    assert not {"src", "href"} & page.attributes
    assert "url(" not in REPORT.to_html()
    shown = [line.rstrip() for line in page.text.splitlines()]
    assert set(AS_TEXT.splitlines()) <= set(shown)


def test_reports_add_up() -> None:
    """Counts and seconds are sums, and of the failures the first few are kept."""
    both = REPORT + REPORT
    assert (both.rows, both.failed, both.seconds) == (2000, 200, 4.0)
    assert both.rows_per_second == 500
    assert both.problems["$.score", "invalid"] == 120
    assert len(sum([REPORT] * 9, BatchReport()).failures) == 5
    assert pickle.loads(pickle.dumps(both)) == both


def test_indexes_are_counted_together() -> None:
    """Also those inside of others, and paths that UTF-8 cannot hold."""
    found = places([("$.a[0].b[12]", "missing"), ("$.a[3].b[4]", "missing"), ("$.\ud800", "invalid")])
    assert found == {("$.a[*].b[*]", "missing"): 2, ("$.\ufffd", "invalid"): 1}


def test_any_number_of_keys_is_counted_in_bounded_memory() -> None:
    """The keys of a map are paths too. Those beyond the bound count together, and none is lost."""
    found = places([("$.often", "missing")] * 5 + [(f"$.map.key{number}", "invalid") for number in range(3000)])
    assert len(found) <= MAX_PATHS + 2
    assert found.total() == 3005
    assert found["$.often", "missing"] == 5
    report = sum([BatchReport(problems=found)] * 3, BatchReport())
    assert report.problems.total() == 3 * 3005
    assert len(report.problems) <= MAX_PATHS + 4
    listed = str(report).partition("Problems")[2].splitlines()
    assert len(listed) == 2 + MAX_LISTED + 1
    assert listed[-1].split()[0] == OTHERS


def test_an_empty_report_has_a_text_and_a_page() -> None:
    """As of a batch that was stopped before its first part."""
    assert str(BatchReport()) == "0 rows, 0 failed\nRows\n status  count  share"
    assert "0 rows" in BatchReport().to_html()


def test_a_folder_of_something_else_has_no_report(tmp_path: Path) -> None:
    """The error names the folder, or the file with the counts and what to do."""
    with pytest.raises(BatchError, match="is not the folder of a batch"):
        BatchReport.of(tmp_path)
    (tmp_path / "in.jsonl").write_text('{"reply": "1"}\n')
    parse_files(tmp_path / "in.jsonl", int, tmp_path / "out", processes=1)
    counts = tmp_path / "out" / "_part-00000.json"
    good = json.loads(counts.read_text())
    others: Any = ({"statuses": {"ok": "x"}}, {"failures": 5}, {"problems": [["$", "a"]]})
    bads: list[Any] = [{}, [], *({**good, **other} for other in others)]
    for bad in bads:
        counts.write_text(json.dumps(bad))
        with pytest.raises(BatchError, match=r"delete part-00000\.parquet to have it written again"):
            BatchReport.of(tmp_path / "out")
