"""The labels of an object in a text: those of its names, of paths, and of sections, as TOML and INI have them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from ...definition import Node
from ...findings import Span
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
    if "[" not in text or node.kind != "dict":
        return labels(text, lambda name: leads(node, name))
    return [label for prefix, span in _sections(node, text) for label in _labels(node, text, prefix, *span)]


def _labels(node: Node, text: str, prefix: str, start: int, end: int) -> Iterator[Label]:
    """The labels of one section."""
    for label in labels(text[start:end], lambda name: leads(node, prefix + name)):
        yield label._replace(
            name=prefix + label.name,
            start=label.start + start,
            value=label.value + start,
            end=label.end + start,
            behind=label.behind + start,
        )


def _sections(node: Node, text: str) -> Iterator[tuple[str, Span]]:
    """What the names of a text's sections are to be put behind, and where each section stands. The name of one leads to
    an object, a map or a list, or, where it stands in front of all others, is that of the answer. Without any such
    section, brackets around a line mean nothing.
    """
    headers = _headers(text)
    is_first = bool(headers) and not text[: headers[0].start()].strip()
    root = headers[0]["name"] if is_first and not holds_others(node, _name(headers[0], None)) else None
    start, prefix = 0, ""
    if root is None and not any(holds_others(node, _name(header, None)) for header in headers):
        yield prefix, (0, len(text))
        return
    counts: Counter[str] = Counter()
    for header in headers:
        yield prefix, (start, header.start())
        start, name = header.end(), _name(header, root)
        counts[name] += header["open"] == "[["
        prefix = _path(name, counts)
    yield prefix, (start, len(text))


def _path(name: str, counts: Counter[str]) -> str:
    """A section's name as what stands in front of its labels: what comes several times is the last one so far."""
    steps: list[str] = []
    place = -1
    while name and place < len(name):
        start = place + 1
        place = name.find(".", start) if "." in name[start:] else len(name)
        count = counts[name[:place]]
        steps += (name[start:place], *((str(count - 1),) if count else ()))
    return "".join(f"{step}." for step in steps)


def _headers(text: str) -> list[re.Match[str]]:
    """The lines with one name in brackets, outside of fences."""
    in_fences = fenced(text)
    found = [header for header in _HEADER.finditer(text) if len(header["open"]) == len(header["close"])]
    return [header for header in found if header.start() not in in_fences]


def _name(header: re.Match[str], root: str | None) -> str:
    """The path that a header names, without the name of the answer in front of it."""
    name = str(header["name"].replace('"', ""))
    return name if root is None else "" if name == root else name.removeprefix(f"{root}.")
