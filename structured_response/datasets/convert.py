"""Converts records of one format to another where that makes sense."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator

from .autorag import QA, Corpus, Passage, QASet
from .localrqa import DialogueSession, Document, Example, RetrieverExample
from .oasst import ExportMessageNode, ExportMessageThread

__all__ = ["examples_to_autorag", "passages_to_documents", "thread_to_dialogue"]

_SPEAKERS = {"prompter": "USER", "assistant": "ASSISTANT"}
_DOCUMENTS = uuid.uuid5(uuid.NAMESPACE_URL, "structured_response.datasets/documents")


def thread_to_dialogue(thread: ExportMessageThread | list[ExportMessageNode]) -> DialogueSession:
    """Returns a thread of Open-Assistant as a dialogue of LocalRQA. The prompter is the user."""
    messages = thread.thread if isinstance(thread, ExportMessageThread) else thread
    return DialogueSession.from_list(
        {"speaker": _SPEAKERS[message.role], "message": message.text} for message in messages
    )


def examples_to_autorag(examples: Iterable[Example | RetrieverExample]) -> tuple[QASet, Corpus]:
    """Returns LocalRQA's examples as AutoRAG's questions and corpus.

    The corpus holds every gold and every hard negative document once. Documents are equal if source and page_content
    are, and their ids are derived from both. All gold documents are needed to answer, so each is a group. A retriever's
    example becomes a question without answers; a chat history becomes a column with its text.
    """
    questions, passages = QASet(), dict[str, Passage]()
    for example in examples:
        for document in [*example.gold_docs, *example.hard_neg_docs]:
            passages.setdefault(_id_of(document), _passage(document))
        groups = [[name] for name in dict.fromkeys(map(_id_of, example.gold_docs))]
        history = {"chat_history": DialogueSession.from_list(example.chat_history).to_string()}
        for question, answers in _questions(example):
            questions.append(
                QA(
                    qid=str(len(questions)),
                    query=question,
                    retrieval_gt=groups,
                    generation_gt=answers,
                    **(history if example.chat_history else {}),
                )
            )
    return questions, Corpus(passages.values())


def _questions(example: Example | RetrieverExample) -> Iterator[tuple[str, list[str]]]:
    if isinstance(example, RetrieverExample):
        yield from ((question, []) for question in example.questions)
    else:
        yield example.question, [example.gold_answer]


def _id_of(document: Document) -> str:
    return str(uuid.uuid5(_DOCUMENTS, repr((document.metadata.get("source"), document.page_content))))


def _passage(document: Document) -> Passage:
    source = document.metadata.get("source")
    return Passage(
        doc_id=_id_of(document),
        contents=document.page_content,
        metadata=document.metadata,
        path=source if isinstance(source, str) else None,
    )


def passages_to_documents(passages: Iterable[Passage]) -> Iterator[Document]:
    """Yields AutoRAG's passages as LocalRQA's documents, for an index. The metadata names doc_id and, if there is a
    path, the source.
    """
    for passage in passages:
        source = {} if passage.path is None else {"source": passage.path}
        yield Document(page_content=passage.contents, metadata={**source, **passage.metadata, "doc_id": passage.doc_id})
