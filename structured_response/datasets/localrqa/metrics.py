"""Metrics of retrieved documents against the gold documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from .records import Document

__all__ = ["retrieval_recall"]


def retrieval_recall(
    gold_docs: Sequence[Document], retrieved: Iterable[Document], k: int | None = None
) -> float | None:
    """Returns 1 if all gold documents are among the first `k` retrieved ones (default: all), else 0.

    Returns None without gold documents. Documents are equal if source and page_content are. Raises `ValueError` for a
    `k` below 1.
    """
    if k is not None and k < 1:
        raise ValueError(f"k is at least 1, not {k!r}")
    found = [_identity(document) for document in islice(retrieved, k)]
    return float(all(_identity(gold) in found for gold in gold_docs)) if gold_docs else None


def _identity(document: Document) -> tuple[Any, str]:
    return document.metadata.get("source"), document.page_content
