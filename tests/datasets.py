"""Small datasets made by hand, and strategies for the records, for the tests of `structured_response.datasets`."""

import string
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from structured_response.datasets.oasst import ExportMessageNode, ExportMessageTree


def message(name: str, *replies: ExportMessageNode, role: str = "prompter", **fields: Any) -> ExportMessageNode:
    """A message whose text is its name in capitals, with the replies that name it as their parent."""
    for reply in replies:
        reply.parent_id = name
    return ExportMessageNode(
        **{"message_id": name, "text": name.upper(), "role": role, "lang": "en", "replies": list(replies), **fields}
    )


def tree(*replies: ExportMessageNode, name: str = "a", state: str = "ready_for_export") -> ExportMessageTree:
    """A tree of a prompt and replies to it."""
    return ExportMessageTree(message_tree_id=name, tree_state=state, prompt=message(name, *replies))


def small_tree() -> ExportMessageTree:
    """The prompt a with two replies b and e; b has the replies c and d."""
    return tree(
        message("b", message("c"), message("d", synthetic=True), role="assistant", rank=1),
        message("e", role="assistant", rank=0, lang="es"),
    )


def save(folder: Path, name: str, *lines: str) -> Path:
    """A file of lines."""
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
NAMES = st.text(string.ascii_lowercase, min_size=1, max_size=8)
MOMENTS = st.datetimes(datetime(1970, 1, 2), datetime(2200, 1, 1))  # noqa: DTZ001 - Arrow has a column of either kind
ZONED = MOMENTS.map(lambda moment: moment.replace(tzinfo=UTC))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
