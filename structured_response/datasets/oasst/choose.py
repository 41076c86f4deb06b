"""Chooses messages and trees: filters, pruned trees, and splits that keep trees whole."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from .files import OasstRecord
from .records import ExportMessageNode, ExportMessageThread, ExportMessageTree
from .walk import iter_messages

__all__ = ["message_filter", "prune_tree", "split_by_tree", "tree_filter"]

_Records = TypeVar("_Records", bound=OasstRecord)
MessagePredicate = Callable[[ExportMessageNode], bool]


def message_filter(
    *,
    state: str | Sequence[str] | None = None,
    lang: str | Sequence[str] | None = None,
    role: str | Sequence[str] | None = None,
    user: str | Sequence[str] | None = None,
    deleted: bool | None = None,
    synthetic: bool | None = None,
    spam: bool | None = None,
) -> MessagePredicate:
    """Returns a predicate for messages that meet all conditions. None means any.

    `state`, `lang`, `role` and `user` are a value or several alternatives. Spam is a message that the reviewers
    rejected (`review_result` is false). A message without a statement is neither deleted nor synthetic nor spam.
    """
    texts = {"tree_state": state, "lang": lang, "role": role, "user_id": user}
    wanted = {field: _several(value) for field, value in texts.items() if value is not None}
    flags = {name: flag for name, flag in {"deleted": deleted, "synthetic": synthetic}.items() if flag is not None}

    def passes(message: ExportMessageNode) -> bool:
        return (
            all(getattr(message, field) in values for field, values in wanted.items())
            and all(bool(getattr(message, name)) is flag for name, flag in flags.items())
            and (spam is None or (message.review_result is False) is spam)
        )

    return passes


def tree_filter(
    *,
    state: str | Sequence[str] | None = None,
    lang: str | Sequence[str] | None = None,
    messages: MessagePredicate | None = None,
) -> Callable[[ExportMessageTree], bool]:
    """Returns a predicate for trees of a state, with a prompt in a language, all of whose messages satisfy `messages`.

    None means any: `tree_filter(messages=message_filter(synthetic=False))` takes the trees that only people wrote.
    """
    states, langs = (None if each is None else _several(each) for each in (state, lang))

    def passes(tree: ExportMessageTree) -> bool:
        return (
            (states is None or tree.tree_state in states)
            and (langs is None or (tree.prompt is not None and tree.prompt.lang in langs))
            and (messages is None or all(map(messages, iter_messages(tree.prompt))))
        )

    return passes


def _several(values: str | Sequence[str]) -> frozenset[str]:
    return frozenset([values] if isinstance(values, str) else values)


def prune_tree(tree: ExportMessageTree, keep: MessagePredicate) -> ExportMessageTree | None:
    """Returns a copy of a tree without the messages that `keep` rejects and all below them, or None if the prompt is
    rejected.
    """
    if tree.prompt is None or not keep(tree.prompt):
        return None
    root = tree.prompt.model_copy()
    waiting = [root]
    while waiting:
        message = waiting.pop()
        if message.replies:
            message.replies = [reply.model_copy() for reply in message.replies if keep(reply)]
            waiting.extend(message.replies)
    return tree.model_copy(update={"prompt": root})


def split_by_tree(
    records: Iterable[_Records], share: float = 0.1, seed: int = 0
) -> tuple[list[_Records], list[_Records]]:
    """Returns two lists, for training and validation, the second with `share` of the trees, rounded. All records of one
    tree are in one list, in their order. The same records and the same seed give the same split.

    Records are trees, messages or threads. One that does not name its tree counts as a tree of its own. Raises
    `ValueError` for a share outside of 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share is a part of the trees, from 0 to 1, not {share!r}")
    given = list(records)
    trees = sorted({_tree_of(record) for record in given})
    held_out = set(random.Random(seed).sample(trees, round(len(trees) * share)))  # noqa: S311 - nothing is secret here
    parts: tuple[list[_Records], list[_Records]] = ([], [])
    for record in given:
        parts[_tree_of(record) in held_out].append(record)
    return parts


def _tree_of(record: Any) -> str:
    first = record.thread[0] if isinstance(record, ExportMessageThread) else record
    tree: str = first.message_tree_id or first.message_id
    return tree
