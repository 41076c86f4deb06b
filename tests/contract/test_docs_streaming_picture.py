"""docs/streaming.svg is what docs/make_streaming_picture.py draws of the numbers of the last run."""

import json
import runpy
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
MAKER = runpy.run_path(str(DOCS / "make_streaming_picture.py"))


def test_the_picture_is_as_measured() -> None:
    """Whoever measures again draws the picture again: python docs/make_streaming_picture.py."""
    drawn = (DOCS / "streaming.svg").read_text("utf-8")
    assert drawn == MAKER["picture"](json.loads(MAKER["MEASURED"].read_text("utf-8")))
