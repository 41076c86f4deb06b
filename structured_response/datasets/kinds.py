"""The kinds of records in files: how each is recognized, read, checked, counted and written, and what it can become."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from pydantic import BaseModel

from ..findings import Fault
from . import autorag, localrqa, oasst
from .files import FilePath, Watch, refuse, suffix_of
from .jsonl import Line
from .records import rows_of, scan_records, write_records

LONGEST = "longest thread"
"""The only count that is a maximum, not a sum."""

Write = Callable[[FilePath, Iterable[Any]], object]
Conversion = Callable[[Iterable[Any]], Iterable[Any]]


@dataclass(frozen=True)
class Kind:
    """A kind of records: the fields that identify it, its functions, and the writers of both forms of files."""

    title: str
    keys: tuple[str, ...]
    scan: Callable[[FilePath, Watch | None], Iterator[Line]]
    validate: Callable[[FilePath, Watch | None], list[Fault]]
    tally: Callable[[Any], dict[str, int]]
    parquet: Write = write_records
    lines: Write = write_records

    def write(self, path: FilePath, records: Iterable[Any]) -> None:
        (self.parquet if suffix_of(path) == ".parquet" else self.lines)(path, records)


def kind_of(path: FilePath) -> str:
    """Returns the kind of a file's records, as a key of `KINDS`. Raises `DatasetError` for records of no kind."""
    suffix = suffix_of(path)
    if suffix in localrqa.PICKLES:
        return "documents"
    keys = list(rows_of(path).columns or () if suffix == ".parquet" else localrqa.first_object(path))
    for name, kind in KINDS.items():
        if any(key in keys for key in kind.keys):
            return name
    known = ", ".join(key for kind in KINDS.values() for key in kind.keys)
    found = ", ".join(map(repr, keys[:8])) or "nothing"
    raise refuse(f"holds records of no known kind: they have none of {known}, but {found}", path)


def _oasst(record: oasst.OasstRecord) -> dict[str, int]:
    if isinstance(record, oasst.ExportMessageNode):
        return _messages([record])
    if isinstance(record, oasst.ExportMessageThread):
        return {"threads": 1, **_messages(record.thread), LONGEST: len(record.thread)}
    lengths = [len(thread.thread) for thread in oasst.iter_threads(record)]
    messages = _messages(list(oasst.iter_messages(record.prompt)))
    return {"trees": 1, **messages, "threads": len(lengths), LONGEST: max(lengths, default=0)}


def _messages(messages: Sequence[oasst.ExportMessageNode]) -> dict[str, int]:
    roles = Counter(message.role for message in messages)
    return {
        "messages": len(messages),
        "prompter": roles["prompter"],
        "assistant": roles["assistant"],
        "synthetic": sum(bool(message.synthetic) for message in messages),
        "deleted": sum(bool(message.deleted) for message in messages),
    }


_export = partial(Kind, scan=oasst.scan_oasst, validate=oasst.validate, tally=_oasst)

KINDS: dict[str, Kind] = {
    # The order in which Open-Assistant's shapes are recognized.
    "messages": _export("Open-Assistant messages", ("message_id",), lines=oasst.write_messages),
    "trees": _export("Open-Assistant message trees", ("message_tree_id",), lines=oasst.write_message_trees),
    "threads": _export("Open-Assistant threads", ("thread_id",), lines=oasst.write_threads),
    "qa": Kind(
        "AutoRAG questions",
        ("qid", "retrieval_gt", "generation_gt"),
        scan=lambda path, watch: scan_records(path, autorag.QA, watch),
        validate=lambda path, watch: autorag.validate_qa(path, watch=watch),
        tally=lambda qa: {"questions": 1, "groups": len(qa.retrieval_gt), "answers": len(qa.generation_gt)},
        parquet=autorag.write_qa,
    ),
    "corpus": Kind(
        "AutoRAG corpus",
        ("doc_id", "contents"),
        scan=lambda path, watch: scan_records(path, autorag.Passage, watch),
        validate=autorag.validate_corpus,
        tally=lambda passage: {
            "passages": 1,
            "blank": not passage.contents.strip(),
            "characters": len(passage.contents),
        },
        parquet=autorag.write_corpus,
    ),
    "examples": Kind(
        "LocalRQA examples",
        ("question", "questions"),
        scan=localrqa.scan_examples,
        validate=localrqa.validate,
        tally=lambda example: {
            "examples": 1,
            "questions": len(list(localrqa.question_rows([example]))),
            "gold documents": len(example.gold_docs),
            "hard negatives": len(example.hard_neg_docs),
            "turns before": len(example.chat_history),
        },
        parquet=localrqa.write_examples,
    ),
    "documents": Kind(
        "LocalRQA documents",
        ("page_content",),
        scan=localrqa.scan_documents,
        validate=localrqa.validate,
        tally=lambda document: {"documents": 1, "characters": len(document.page_content)},
        parquet=localrqa.write_documents,
        lines=localrqa.write_documents,
    ),
}


_DOCUMENTS = uuid.uuid5(uuid.NAMESPACE_URL, "structured_response.datasets/documents")


def thread_to_dialogue(thread: oasst.ExportMessageThread | list[oasst.ExportMessageNode]) -> localrqa.DialogueSession:
    """Returns a thread of Open-Assistant as a dialogue of LocalRQA. The prompter is the user.

    Args:
        thread: A thread, or a list of its messages.
    """
    return localrqa.DialogueSession.from_list(
        {"speaker": message["role"].upper(), "message": message["content"]} for message in oasst.to_chat(thread)
    )


def examples_to_autorag(
    examples: Iterable[localrqa.Example | localrqa.RetrieverExample],
) -> tuple[autorag.QASet, autorag.Corpus]:
    """Returns LocalRQA's examples as AutoRAG's questions and corpus.

    The corpus holds every gold and every hard negative document once, by an id of its source and page_content. Each
    gold document is a group. A retriever's example becomes a question without answers, a chat history a column of text.

    Args:
        examples: The examples, of both kinds.
    """
    questions, passages = autorag.QASet(), dict[str, autorag.Passage]()
    for example in examples:
        for document in [*example.gold_docs, *example.hard_neg_docs]:
            source = document.metadata.get("source")
            passages[_id_of(document)] = passages.get(_id_of(document)) or autorag.Passage(
                doc_id=_id_of(document),
                contents=document.page_content,
                metadata=document.metadata,
                path=source if isinstance(source, str) else None,
            )
        history = localrqa.DialogueSession.from_list(example.chat_history).to_string()
        for _documents, question in localrqa.question_rows([example]):
            questions.append(
                autorag.QA(
                    qid=str(len(questions)),
                    query=question,
                    retrieval_gt=[[name] for name in dict.fromkeys(map(_id_of, example.gold_docs))],
                    generation_gt=[example.gold_answer] if isinstance(example, localrqa.Example) else [],
                    **({"chat_history": history} if history else {}),
                )
            )
    return questions, autorag.Corpus(passages.values())


def _id_of(document: localrqa.Document) -> str:
    return str(uuid.uuid5(_DOCUMENTS, repr((document.metadata.get("source"), document.page_content))))


def passages_to_documents(passages: Iterable[autorag.Passage]) -> Iterator[localrqa.Document]:
    """Yields AutoRAG's passages as LocalRQA's documents, for an index.

    Args:
        passages: The passages. The metadata of the documents names their doc_id, and their path as `source`.
    """
    for passage in passages:
        source = {} if passage.path is None else {"source": passage.path}
        yield localrqa.Document(
            page_content=passage.contents, metadata={**source, **passage.metadata, "doc_id": passage.doc_id}
        )


class Chat(BaseModel):
    """A conversation in the form for training chat models."""

    messages: list[oasst.ChatMessage]


class Dialogue(BaseModel):
    """A dialogue in LocalRQA's form."""

    chat_history: list[localrqa.DialogueTurn]


def _chats(threads: Iterable[oasst.ExportMessageThread]) -> Iterator[Chat]:
    return (Chat(messages=oasst.to_chat(thread)) for thread in threads)


def _dialogues(threads: Iterable[oasst.ExportMessageThread]) -> Iterator[Dialogue]:
    return (Dialogue(chat_history=thread_to_dialogue(thread).history) for thread in threads)


def _each(convert: Callable[[Any], Iterable[Any]]) -> Conversion:
    return lambda records: chain.from_iterable(map(convert, records))


TARGETS: dict[str, dict[str, Conversion]] = {
    "messages": {"trees": oasst.rebuild_trees},
    "trees": {
        "messages": _each(oasst.flatten_tree),
        "threads": _each(oasst.iter_threads),
        "chat": _each(lambda tree: _chats(oasst.iter_threads(tree))),
        "preferences": _each(oasst.to_preferences),
        "dialogues": _each(lambda tree: _dialogues(oasst.iter_threads(tree))),
    },
    "threads": {"chat": _chats, "dialogues": _dialogues},
    "qa": {},
    "corpus": {"documents": passages_to_documents},
    "examples": {
        "qa": lambda examples: examples_to_autorag(examples)[0],
        "corpus": lambda examples: examples_to_autorag(examples)[1],
    },
    "documents": {},
}
"""What can be made of each kind, besides itself, and how."""
