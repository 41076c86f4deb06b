"""Records that language models are trained, tested and prompted with: Open-Assistant, AutoRAG, LocalRQA."""

from . import oasst

__all__ = ["oasst"]
