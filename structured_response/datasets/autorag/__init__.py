"""AutoRAG's datasets: questions with their ground truth, and the corpus that holds the answers, in Parquet."""

from .checks import validate, validate_corpus, validate_qa
from .making import QuestionAnswer, QuestionAnswers, make_qa
from .metrics import RetrievalMetrics, retrieval_metrics
from .records import QA, Flat, Passage, normalize_retrieval_gt
from .sets import Corpus, QASet, read_corpus, read_qa, write_corpus, write_qa

__all__ = [
    "QA",
    "Corpus",
    "Flat",
    "Passage",
    "QASet",
    "QuestionAnswer",
    "QuestionAnswers",
    "RetrievalMetrics",
    "make_qa",
    "normalize_retrieval_gt",
    "read_corpus",
    "read_qa",
    "retrieval_metrics",
    "validate",
    "validate_corpus",
    "validate_qa",
    "write_corpus",
    "write_qa",
]
