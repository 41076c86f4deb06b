"""Reads UUIDs and base64 as people write them."""

from __future__ import annotations

import re

from ...definition import Node, has_form
from .around import changed
from .scalar import Scalar, bare, failed, respelled

_UUID = re.compile(
    r"(?<![\w-])([0-9a-f]{8})(-?)([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{4})\2([0-9a-f]{12})(?![\w-])",
    re.IGNORECASE | re.ASCII,
)


def read_uuid(node: Node, text: str, name: str = "") -> Scalar:
    """Returns the only UUID in a text: in braces, without dashes, or with words around it."""
    text = bare(text)
    found = list(_UUID.finditer(text))
    if len(found) != 1 or changed(text[: found[0].start()], text[found[0].end() :], name):
        return failed(node)
    return respelled("-".join(found[0].group(1, 3, 4, 5, 6)))


def read_bytes(node: Node, text: str, name: str = "") -> Scalar:
    """Returns base64 that has line breaks, quotes around it, or no padding."""
    text = "".join(line.strip() for line in bare(text).splitlines())
    text += "=" * (-len(text) % 4)
    return respelled(text) if text and has_form("bytes", text) else failed(node)
