"""docs/tolerance.md is what docs/make_tolerance.py makes of the library as it is."""

import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"


def test_page_is_up_to_date() -> None:
    """Whoever changes what is mended, or how it is called, writes the page again: python docs/make_tolerance.py."""
    made = runpy.run_path(str(DOCS / "make_tolerance.py"))["page"]()
    assert (DOCS / "tolerance.md").read_text("utf-8") == made
