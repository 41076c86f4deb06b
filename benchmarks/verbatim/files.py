"""Real files of many languages that lie on this machine: the same ones each time, of every size up to a bound."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

SMALLEST, LARGEST = 80, 60_000
"""Bytes of a file."""

EACH = 40
"""Files of each kind, if there are so many."""


@dataclass(frozen=True)
class File:
    """A file of some kind, and its characters."""

    kind: str
    path: str
    text: str


KINDS = {
    "Python": (".py",),
    "C and C++": (".h", ".c", ".hpp", ".cc", ".tcc"),
    "HTML": (".html", ".htm"),
    "JavaScript": (".js", ".mjs", ".jsx", ".ts", ".tsx"),
    "CSS": (".css",),
    "XML": (".xml", ".svg", ".xsl"),
    "Markdown": (".md",),
    "reST": (".rst",),
    "TeX": (".tex", ".sty", ".bib"),
    "shell": (".sh", ".bash"),
    "Perl and PHP": (".pl", ".pm", ".php"),
    "SQL": (".sql",),
    "JSON and YAML": (".json", ".yaml", ".yml"),
    "diff": (".diff", ".patch"),
    "plain text": (".txt",),
}
_KIND = {suffix: kind for kind, suffixes in KINDS.items() for suffix in suffixes}
LICENCE, OWN = "licence", "this project's"
_LICENCES = ("license", "licence", "copying", "copyright", "notice", "common-licenses")
_LEFT_OUT = frozenset({"__pycache__", ".git", ".venv", ".mypy_cache", ".ruff_cache", ".hypothesis"})


def candidates() -> dict[str, list[Path]]:
    """The files of each kind by size, then by path. One name and size is listed once: copies abound."""
    found: dict[str, dict[tuple[int, str], Path]] = {}
    for path, size in chain(_own_files(), chain.from_iterable(map(_walk, _roots()))):
        kind = _kind(path)
        if kind is not None and SMALLEST <= size <= LARGEST:
            found.setdefault(kind, {}).setdefault((size, path.name), path)
    return {
        kind: [path for _, path in sorted(paths.items(), key=lambda pair: (pair[0], str(pair[1])))]
        for kind, paths in sorted(found.items())
    }


@cache
def read(path: Path, kind: str) -> File | None:
    """A file's characters as they are, line ends too; None for what is no text."""
    try:
        text = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\0" in text else File(kind, str(path), text)


def _roots() -> list[Path]:
    """The standard library, the packages beside it, and what the system brings; none of them twice."""
    paths = [sysconfig.get_path("stdlib"), *sorted(entry for entry in sys.path if entry.endswith("-packages")), "/usr"]
    return [Path(path) for path in dict.fromkeys(paths) if Path(path).is_dir()]


def _walk(root: Path) -> Iterator[tuple[Path, int]]:
    """Files with their sizes, in the same order each time; links are not followed."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        for name in sorted(names):
            path = os.path.join(folder, name)  # noqa: PTH118 - a Path each would take seconds
            if _might_do(folder, name) and not os.path.islink(path):  # noqa: PTH114
                yield Path(path), os.stat(path).st_size  # noqa: PTH116


def _own_files() -> Iterator[tuple[Path, int]]:
    paths = [*sorted(PROJECT.glob("*.md")), *sorted(PROJECT.glob("docs/*.md")), PROJECT / "Makefile"]
    yield from ((path, path.stat().st_size) for path in paths)


def _might_do(folder: str, name: str) -> bool:
    return os.path.splitext(name)[1].lower() in _KIND or _is_licence(name, folder.rsplit("/", 1)[-1])  # noqa: PTH122


def _kind(path: Path) -> str | None:
    if path.is_relative_to(PROJECT):
        return OWN
    return LICENCE if _is_licence(path.name, path.parent.name) else _KIND.get(path.suffix.lower())


def _is_licence(name: str, folder: str) -> bool:
    word, suffix = os.path.splitext(name.lower())  # noqa: PTH122
    return suffix in ("", ".txt", ".md") and (word.startswith(_LICENCES) or folder in _LICENCES)
