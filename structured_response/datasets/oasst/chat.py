"""Converts threads and trees to prompts and training data of chat models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pydantic import BaseModel

from .records import ExportMessageNode, ExportMessageThread, ExportMessageTree, Role
from .walk import visit_threads_depth_first

__all__ = ["ChatMessage", "Preference", "to_chat", "to_preferences"]

ChatMessage = dict[str, str]
"""`{"role": ..., "content": ...}`, as chat models take it."""

_ROLES = {"prompter": "user", "assistant": "assistant"}


class Preference(BaseModel):
    """Two replies to the same messages, the chosen one ranked higher by people."""

    prompt: list[ChatMessage]
    chosen: str
    rejected: str
    chosen_id: str
    rejected_id: str


def to_chat(thread: ExportMessageThread | Sequence[ExportMessageNode]) -> list[ChatMessage]:
    """Returns the messages of a thread, or of a list, for a chat model. The prompter is `user`."""
    messages = thread.thread if isinstance(thread, ExportMessageThread) else thread
    return [{"role": _ROLES[message.role], "content": message.text} for message in messages]


def to_preferences(tree: ExportMessageTree, role: Role = "assistant") -> Iterator[Preference]:
    """Yields every pair of ranked replies to one message, the lower rank chosen (0 is the best), best first.

    Replies without a rank, or with the same one, make no pair. `role` is that of the replies. Messages come in
    depth-first order.
    """
    threads: list[list[ExportMessageNode]] = []
    visit_threads_depth_first(tree.prompt, threads.append)
    for thread in threads:
        prompt = to_chat(thread)
        for better, worse in _ranked_pairs(thread[-1], role):
            yield Preference(
                prompt=prompt,
                chosen=better.text,
                rejected=worse.text,
                chosen_id=better.message_id,
                rejected_id=worse.message_id,
            )


def _ranked_pairs(message: ExportMessageNode, role: Role) -> Iterator[tuple[ExportMessageNode, ExportMessageNode]]:
    ranked = [(reply.rank, reply) for reply in message.replies or () if reply.rank is not None and reply.role == role]
    ranked.sort(key=lambda pair: pair[0])
    for (best, better), (worst, worse) in combinations(ranked, 2):
        if best < worst:
            yield better, worse
