"""The labels of an object in a text: those of its names, of paths, and of sections, as TOML and INI have them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ..definition import Node
from ..findings import Span
from .lines import Label, fenced, labels
from .paths import holds_others, leads

__all__ = ["labels_in"]

_HEADER = re.compile(
    r"^[ \t]*+(?P<open>\[{1,2})[ \t]*+(?P<name>[^\W_][^\[\]\n]{0,200}?)[ \t]*+(?P<close>\]{1,2})[ \t\r]*+(?=\n|\Z)",
    re.MULTILINE,
)


def labels_in(node: Node, text: str) -> list[Label]:
    """The lines that begin with an object's names, or with paths to what it holds, each with all the lines up to the
    next one. The name of the section that a label stands in is a part of its own.
    """
    found: list[Label] = []
    for prefix, (start, end) in _sections(node, text):
        for label in labels(text[start:end], lambda name, prefix=prefix: leads(node, prefix + name)):
            places = {"start": label.start + start, "value": label.value + start, "end": label.end + start}
            found.append(label._replace(name=prefix + label.name, **places))
    return found


def _sections(node: Node, text: str) -> Iterator[tuple[str, Span]]:
    """What the names of a text's sections are to be put behind, and where each section stands. Only what leads to an
    object, a map or a list is the header of one; or, in front of all labels, any name is that of the answer.
    """
    start, prefix = 0, ""
    counts: Counter[str] = Counter()
    headers = [*_HEADER.finditer(text)] if "[" in text and node.kind == "dict" else []
    in_fences = fenced(text) if headers else set()
    for header in headers:
        name, is_item = header["name"].replace('"', ""), header["open"] == "[["
        is_root = not is_item and not text[: header.start()].strip()
        if header.start() in in_fences or len(header["open"]) != len(header["close"]):
            continue
        if not holds_others(node, name) and not is_root:
            continue
        yield prefix, (start, header.start())
        start = header.end()
        prefix = "" if not holds_others(node, name) else f"{name}."
        if is_item:
            prefix = f"{name}.{counts[name]}."
            counts[name] += 1
    yield prefix, (start, len(text))
