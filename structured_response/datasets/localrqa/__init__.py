"""LocalRQA's files: examples, document databases, and index folders."""

from .files import (
    read_documents,
    read_examples,
    scan_documents,
    scan_examples,
    validate,
    write_documents,
    write_examples,
)
from .index import Encoder, Hit, SentenceTransformerEncoder, VectorIndex
from .metrics import retrieval_recall
from .records import DialogueSession, DialogueTurn, Document, Example, RetrieverExample, question_rows
from .vectors import VectorFolder, vector_file_name

__all__ = [
    "DialogueSession",
    "DialogueTurn",
    "Document",
    "Encoder",
    "Example",
    "Hit",
    "RetrieverExample",
    "SentenceTransformerEncoder",
    "VectorFolder",
    "VectorIndex",
    "question_rows",
    "read_documents",
    "read_examples",
    "retrieval_recall",
    "scan_documents",
    "scan_examples",
    "validate",
    "vector_file_name",
    "write_documents",
    "write_examples",
]
