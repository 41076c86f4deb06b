"""The conversions of a file's records, one by one: a table from kinds to targets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pydantic import BaseModel

from . import autorag, localrqa, oasst
from .convert import examples_to_autorag, passages_to_documents, thread_to_dialogue
from .files import FilePath
from .kinds import KINDS
from .records import write_records

__all__ = ["TARGETS", "Chat", "Dialogue", "write_target"]

Conversion = Callable[[Iterable[Any]], Iterable[Any]]


class Chat(BaseModel):
    """A conversation in the form for training chat models."""

    messages: list[oasst.ChatMessage]


class Dialogue(BaseModel):
    """A dialogue in LocalRQA's form."""

    chat_history: list[localrqa.DialogueTurn]


def _same(records: Iterable[Any]) -> Iterable[Any]:
    return records


def _threads(trees: Iterable[oasst.ExportMessageTree]) -> Iterator[oasst.ExportMessageThread]:
    for tree in trees:
        yield from oasst.iter_threads(tree)


def _rows(trees: Iterable[oasst.ExportMessageTree]) -> Iterator[oasst.ExportMessageNode]:
    for tree in trees:
        yield from oasst.flatten_tree(tree)


def _preferences(trees: Iterable[oasst.ExportMessageTree]) -> Iterator[oasst.Preference]:
    for tree in trees:
        yield from oasst.to_preferences(tree)


def _chats(threads: Iterable[oasst.ExportMessageThread]) -> Iterator[Chat]:
    return (Chat(messages=oasst.to_chat(thread)) for thread in threads)


def _dialogues(threads: Iterable[oasst.ExportMessageThread]) -> Iterator[Dialogue]:
    return (Dialogue(chat_history=thread_to_dialogue(thread).history) for thread in threads)


def _of_threads(convert: Conversion) -> Conversion:
    return lambda trees: convert(_threads(trees))


def _questions(examples: Iterable[Any]) -> autorag.QASet:
    return examples_to_autorag(examples)[0]


def _corpus(examples: Iterable[Any]) -> autorag.Corpus:
    return examples_to_autorag(examples)[1]


TARGETS: dict[str, dict[str, Conversion]] = {
    "messages": {"messages": _same, "trees": oasst.rebuild_trees},
    "trees": {
        "trees": _same,
        "messages": _rows,
        "threads": _threads,
        "chat": _of_threads(_chats),
        "preferences": _preferences,
        "dialogues": _of_threads(_dialogues),
    },
    "threads": {"threads": _same, "chat": _chats, "dialogues": _dialogues},
    "qa": {"qa": _same},
    "corpus": {"corpus": _same, "documents": passages_to_documents},
    "examples": {"examples": _same, "qa": _questions, "corpus": _corpus},
    "documents": {"documents": _same},
}


def write_target(target: str, path: FilePath, records: Iterable[Any]) -> None:
    """Writes records of a target. Those without a kind of file have no writer of their own."""
    (KINDS[target].write if target in KINDS else write_records)(path, records)
