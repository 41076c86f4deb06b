"""Metrics of retrieved passages against the ground truth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import log2
from typing import NamedTuple

__all__ = ["RetrievalMetrics", "retrieval_metrics"]


class RetrievalMetrics(NamedTuple):
    """Retrieval metrics, each from 0 to 1."""

    recall: float
    """The share of groups with a retrieved id."""
    precision: float
    """The share of retrieved ids that are in a group, each counted once."""
    f1: float
    """The harmonic mean of both."""
    ndcg: float
    """Discounted gain by rank, relative to the best order. An id of any group gains 1, once."""
    mrr: float
    """The mean over the groups of 1 / rank of the first hit."""
    map: float
    """The mean over the groups of the mean precision at their hits."""


def retrieval_metrics(groups: Sequence[Sequence[str]], retrieved: Sequence[str]) -> RetrievalMetrics | None:
    """Returns the metrics of retrieved ids, best first, against groups as `normalize_retrieval_gt` returns them.

    Returns None without ground truth. An id that was retrieved twice counts at its first rank.
    """
    wanted = [frozenset(group) for group in groups if group]
    if not wanted:
        return None
    ranks = _first_ranks(retrieved)
    hits = [sorted(ranks[each] for each in group if each in ranks) for group in wanted]
    good = frozenset[str]().union(*wanted)
    found = sorted(rank for each, rank in ranks.items() if each in good)
    recall = _mean([Fraction(bool(at)) for at in hits])
    precision = Fraction(len(found), max(len(retrieved), 1))
    return RetrievalMetrics(
        recall=float(recall),
        precision=float(precision),
        f1=float(2 * precision * recall / (precision + recall)) if found else 0.0,
        ndcg=_gain(found) / _gain(range(1, min(len(good), len(retrieved)) + 1)) if found else 0.0,
        mrr=float(_mean([Fraction(1, at[0]) if at else _NOTHING for at in hits])),
        map=float(_mean([_mean([Fraction(n, rank) for n, rank in enumerate(at, 1)]) for at in hits])),
    )


_NOTHING = Fraction(0)


def _first_ranks(retrieved: Sequence[str]) -> dict[str, int]:
    """Returns the first rank of each id, from 1."""
    ranks: dict[str, int] = {}
    for rank, each in enumerate(retrieved, 1):
        ranks.setdefault(each, rank)
    return ranks


def _gain(ranks: Iterable[int]) -> float:
    return sum(1 / log2(rank + 1) for rank in ranks)


def _mean(values: Sequence[Fraction]) -> Fraction:
    """Returns the mean of fractions, exactly, so that no digit depends on the order: 5/12 is 5/12."""
    return sum(values, _NOTHING) / len(values) if values else _NOTHING
