"""docs/reply.svg is what docs/make_reply_picture.py draws of a reply as it is read."""

import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
MAKER = runpy.run_path(str(DOCS / "make_reply_picture.py"))


def test_picture_is_up_to_date() -> None:
    """Whoever changes how it is read draws it again: python docs/make_reply_picture.py."""
    drawn = (DOCS / "reply.svg").read_text("utf-8")
    assert drawn == MAKER["picture"]()
    assert ET.fromstring(drawn).tag.endswith("svg")
