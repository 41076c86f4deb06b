"""UUIDs and bytes as people write them -> their strict forms."""

from __future__ import annotations

import re
import string

from ...definition import Node, has_form
from .around import changed
from .loose import HYPHENS, Scalar, ambiguous, bare, failed, respelled

__all__ = ["mend_bytes", "mend_uuid"]

_UUID = re.compile(
    r"(?<![0-9A-Za-z-])([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})(?![0-9A-Za-z-])",
    re.IGNORECASE,
)
_DATA_URL = re.compile(r"data:[^,\s]{0,200}?;base64,", re.IGNORECASE)
_LETTERS = string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/"


def mend_uuid(node: Node, text: str) -> Scalar:
    """The one UUID in a text: in braces, as a URN, without dashes, with words around."""
    text = bare(text).translate(HYPHENS)
    matches = list(_UUID.finditer(text))
    found = tuple(dict.fromkeys("-".join(match.group(1, 3, 4, 5, 6)) for match in matches))
    if len({uuid.lower() for uuid in found}) > 1:
        return ambiguous(found, "more than one UUID:")
    if not found:
        return failed(node)
    why = changed(text[: matches[0].start()], text[matches[-1].end() :])
    return failed(node, why) if why else respelled(found[0])


def mend_bytes(node: Node, text: str) -> Scalar:
    """Base64 with line breaks, without its padding, in quotes, or in a `data:` URL.

    Padding is added only where the last character leaves no bits over: other texts are no base64.
    """
    text = text.strip("`\"' \n")
    url = _DATA_URL.match(text)
    text = "".join(map(str.strip, text[url.end() if url else 0 :].split("\n")))
    missing = -len(text) % 4
    if missing in (1, 2) and _LETTERS.find(text[-1].translate(_URL_SAFE)) % (16 if missing == 2 else 4) == 0:
        text += "=" * missing
    return respelled(text) if text and has_form("bytes", text) else failed(node)


_URL_SAFE = str.maketrans("-_", "+/")
