"""The fuzz target, on the inputs that fuzzing begins with. Fuzzing itself is `make fuzz`."""

from pathlib import Path

import pytest

from tests.fuzz.seeds import dictionary, main, seeds
from tests.fuzz.target import RESPONSES, check, encode

FOUND: tuple[bytes, ...] = (
    # a bracket of full width in a text that was written again began a tag
    (
        b"\x00<review>\n  <headline>\xef\xbc\x9cscor\xef\xbc\x9e\xefe\xbc\x9csc~core\xef\xbc\x9e"
        b"\xef\xbc\x9cscore\xef\x00\x00\x00  <scort>short</excerpt>\n</review>"
    ),
    # a value that the model refuses stayed in the data beside another problem of its own
    b"\x02<everyin8-0><paus\xb4e>PT1<//pause><d>4</c0>",
    # a list in an answer beside the chosen one was compared with what the prompt shows of texts
    (
        b"\x00<review>\n  <headline>Nilistce</headline>\n  <scor\x00<review>\n  <\nscore: 4\nparts:\n  - l\x00heine>"
        b"Nilistce</headline>\n  <scor\x00<review>\n  <\nscore: 4\nparts:\n  - l\x00headline: x\nstrue</recommended>\n"
        b"  <verdict>good</verdict>\n  <pros><li>light</li></pros>\n  <p\xff\xff\xff\xff\xff\xff\xff\xff><label>lid"
        b"</label><points>3</poi\n  </excerpt>\n</review>"
    ),
    # an item of JSON, whose name is a quote, holds a text with tags
    (
        b"\x00<review>\n  <headline>Nice</headline>\n  <score>4</scarore>\n "
        b" <price>12./<i5rpce>\n  <recommendeand>true</recommended>\n  <"
        b"verdict>good</vere>4</scarore>\n  <price>12./<i5rpce>\n  <reco"
        b"mmendeand>true</recommended>\n  <verdict>good</verdict>\n  <pr"
        b"os><li>light</li></pros>\n  \xc4\x8f\x9e\x8d\x8b\x8c\xc1\xc3li><label>lid</label><poi"
        b"nts>3</dict>\n  <pros><li>light</li><nded>\n  <verdict>good</v"
        b"erdict>\n  <pros><li>\x00<review><score>i/><li/><li/><li/><li/><"
        b'li/></pros>\n  <palight</li></pros>\n  <parts>{"sc/pros>\n  \xc4\x8f\x9e'
        b"\x8d\x8b\x8c\xc1\xc3li><label>lid</label><points>3</p\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffoints>"
        b"</li></parts>\n  <excerpt>&bogus;&bogus;&bogus;&bogus;&bogus;"
        b"</excerpt>\n</review>"
    ),
)
"""Inputs that broke a law once; never removed."""


def test_no_seed_breaks_a_law() -> None:
    """The laws hold for all inputs that fuzzing begins with, for none at all, and for those that broke one once."""
    for seed in {*seeds(), *FOUND, b""}:
        check(seed)


def test_the_seeds_are_many_and_small(tmp_path: Path) -> None:
    """They are written as files, and read back by the target as the replies that they mean."""
    main(tmp_path)
    files = list((tmp_path / "corpus").iterdir())
    assert len(files) > 300
    assert all(len(file.read_bytes()) < 5_000 for file in files)
    assert all(line[0] == line[-1] == '"' for line in dictionary().splitlines())


def test_a_broken_law_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The target raises where a reading is not what is written of it."""
    monkeypatch.setattr(type(RESPONSES[3]), "__str__", lambda self: "<value_list><li>other</li></value_list>")
    with pytest.raises(AssertionError, match="is not"):
        check(encode(3, "<value_list><li>a</li></value_list>"))
