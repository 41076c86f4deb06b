"""Metrics of retrieval against groups of ids."""

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response.datasets.autorag import RetrievalMetrics, retrieval_metrics

# groups, retrieved -> recall, precision, f1, ndcg, mrr, map
KNOWN: list[tuple[list[list[str]], list[str], tuple[float, ...]]] = [
    ([["t1", "t2"], ["t3"]], ["t1", "p1", "t2", "p3"], (0.5, 0.5, 0.5, 0.7039180890341347, 0.5, 5 / 12)),
    ([["a", "b", "c"]], ["x", "a"], (1, 0.5, 2 / 3, 0.38685280723454163, 0.5, 0.5)),
    ([["t15"]], ["x", "x", "t15"], (1, 1 / 3, 0.5, 0.5, 1 / 3, 1 / 3)),
    ([["a"]], ["a"], (1, 1, 1, 1, 1, 1)),
    ([["a"]], ["b"], (0, 0, 0, 0, 0, 0)),
    ([["a"]], [], (0, 0, 0, 0, 0, 0)),
    ([["a"]], ["a", "a"], (1, 0.5, 2 / 3, 1, 1, 1)),
    ([["a"], ["a", "b"]], ["a", "b"], (1, 1, 1, 1, 1, 1)),
    ([["a"], []], ["a"], (1, 1, 1, 1, 1, 1)),
    ([["a", "a"]], ["x", "a"], (1, 0.5, 2 / 3, 1 / log2(3), 0.5, 0.5)),
]


@pytest.mark.parametrize(("groups", "retrieved", "metrics"), KNOWN)
def test_known_values(groups: list[list[str]], retrieved: list[str], metrics: tuple[float, ...]) -> None:
    """Cases that were worked out by hand, to the last digit."""
    assert retrieval_metrics(groups, retrieved) == metrics


@pytest.mark.parametrize("groups", [[], [[]], [[], []]])
def test_no_ground_truth(groups: list[list[str]]) -> None:
    """Without ground truth there is nothing to measure."""
    assert retrieval_metrics(groups, ["a"]) is None


IDS = st.sampled_from("abcdefgh")


@given(groups=st.lists(st.lists(IDS, min_size=1, max_size=3), min_size=1, max_size=3), retrieved=st.lists(IDS))
def test_metrics_are_parts(groups: list[list[str]], retrieved: list[str]) -> None:
    """Each metric is from 0 to 1, and 0 exactly if nothing was hit; finding all at the head is as good as it gets."""
    found = retrieval_metrics(groups, retrieved)
    assert found is not None
    assert all(0 <= value <= 1 for value in found)
    hit = any(each in group for group in groups for each in retrieved)
    assert all((value > 0) is hit for value in found)
    every = list(dict.fromkeys(each for group in groups for each in group))
    best = retrieval_metrics(groups, every)
    assert best is not None
    assert (best.recall, best.precision, best.f1, best.ndcg) == (1, 1, 1, 1)


def test_names() -> None:
    """The metrics go by their names."""
    assert RetrievalMetrics._fields == ("recall", "precision", "f1", "ndcg", "mrr", "map")
