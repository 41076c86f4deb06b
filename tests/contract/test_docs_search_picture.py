"""docs/search.svg is what docs/make_search_picture.py draws of a search as it is."""

import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
MAKER = runpy.run_path(str(DOCS / "make_search_picture.py"))


def test_picture_is_up_to_date() -> None:
    """Whoever changes rows or prices draws the picture again: python docs/make_search_picture.py."""
    drawn = (DOCS / "search.svg").read_text("utf-8")
    assert drawn == MAKER["picture"]()
    assert ET.fromstring(drawn).tag.endswith("svg")


def test_picture_is_of_the_page() -> None:
    """The reply that is drawn is the one that the page walks through."""
    assert f"```xml\n{MAKER['REPLY']}```" in (DOCS / "how-it-reads.md").read_text("utf-8")
