"""docs/tolerance.md and docs/prices.md are what docs/make_tolerance.py makes of the library as it is."""

import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


@pytest.mark.parametrize("name", ["tolerance.md", "prices.md"])
def test_page_is_up_to_date(name: str) -> None:
    """Whoever changes what is mended, or how it is called, writes the page again: python docs/make_tolerance.py."""
    made = runpy.run_path(str(DOCS / "make_tolerance.py"))["PAGES"][name]()
    assert (DOCS / name).read_text("utf-8") == made
