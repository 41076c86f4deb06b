"""docs/types.md is what docs/make_types.py makes of the library as it is."""

import runpy
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"


def test_page_is_up_to_date() -> None:
    """Whoever changes what is asked for, written or read writes the page again: python docs/make_types.py."""
    made = runpy.run_path(str(DOCS / "make_types.py"))["page"]()
    assert (DOCS / "types.md").read_text("utf-8") == made
