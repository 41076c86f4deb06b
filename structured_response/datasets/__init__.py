"""Records that language models are trained, tested and prompted with: Open-Assistant, AutoRAG, LocalRQA."""

from . import autorag, oasst

__all__ = ["autorag", "oasst"]
