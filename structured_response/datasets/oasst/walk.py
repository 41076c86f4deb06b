"""Walks through trees of messages: depth-first, as threads, as rows, and back from rows. Nothing recurses, so trees may
have any depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ...errors import DatasetError
from ...findings import Fault
from .records import ExportMessageNode, ExportMessageThread, ExportMessageTree

__all__ = [
    "flatten_tree",
    "iter_messages",
    "iter_threads",
    "rebuild_trees",
    "visit_messages_depth_first",
    "visit_threads_depth_first",
]


def visit_messages_depth_first(
    node: ExportMessageNode | None,
    visitor: Callable[[ExportMessageNode], object],
    predicate: Callable[[ExportMessageNode], bool] | None = None,
) -> None:
    """Calls `visitor` with `node` and every message below it, a message before its replies.

    The predicate selects the messages. The walk continues below those that it rejects.
    """
    for message in iter_messages(node):
        if predicate is None or predicate(message):
            visitor(message)


def visit_threads_depth_first(
    node: ExportMessageNode | None,
    visitor: Callable[[list[ExportMessageNode]], object],
    predicate: Callable[[list[ExportMessageNode]], bool] | None = None,
    parents: Sequence[ExportMessageNode] = (),
) -> None:
    """Calls `visitor` with every thread that begins at `node`: the messages from it to each one below it, in the order
    of `visit_messages_depth_first`. `parents` precede each thread.

    The predicate selects the threads. Each call gets a list of its own.
    """
    for path in _paths(node):
        thread = [*parents, *path]
        if predicate is None or predicate(thread):
            visitor(thread)


def iter_messages(node: ExportMessageNode | None) -> Iterator[ExportMessageNode]:
    """Yields a message and all below it, each before its replies."""
    waiting = [node] if node is not None else []
    while waiting:
        message = waiting.pop()
        yield message
        waiting.extend(reversed(message.replies or ()))


def iter_threads(tree: ExportMessageTree) -> Iterator[ExportMessageThread]:
    """Yields the threads from a tree's prompt to each message without replies, in depth-first order. The messages are
    copies without their replies, and keep the id of their tree.
    """
    for path in _paths(tree.prompt):
        if not path[-1].replies:
            rows = [_row(message, tree) for message in path]
            yield ExportMessageThread(thread_id=rows[-1].message_id, thread=rows)


def _paths(node: ExportMessageNode | None) -> Iterator[list[ExportMessageNode]]:
    """Yields the way to each message below `node`, depth-first. It is a single list, which changes with each step."""
    path: list[ExportMessageNode] = []
    waiting = [(node, 0)] if node is not None else []
    while waiting:
        message, depth = waiting.pop()
        path[depth:] = [message]
        yield path
        waiting.extend((reply, depth + 1) for reply in reversed(message.replies or ()))


def flatten_tree(tree: ExportMessageTree) -> Iterator[ExportMessageNode]:
    """Yields the messages of a tree in depth-first order, as copies without replies that name their tree and its state.

    These are the rows of the public datasets. They have no place for a tree's `origin` and its further keys.
    """
    for message in iter_messages(tree.prompt):
        yield _row(message, tree)


def _row(message: ExportMessageNode, tree: ExportMessageTree) -> ExportMessageNode:
    return message.model_copy(
        update={"replies": None, "message_tree_id": tree.message_tree_id, "tree_state": tree.tree_state}
    )


def rebuild_trees(messages: Iterable[ExportMessageNode]) -> list[ExportMessageTree]:
    """Returns the trees of some rows, in the order of their prompts, with replies in the order of the rows.

    The rows may come in any order. Raises `DatasetError` that names every message whose parent is missing, that occurs
    twice, or that is its own ancestor; its `records` are the trees of all others.
    """
    nodes: dict[str, ExportMessageNode] = {}
    faults: list[Fault] = []
    for row, message in enumerate(messages):
        if message.message_id in nodes:
            faults.append(Fault(f"message {message.message_id!r} stands here again", row=row, path="$.message_id"))
        else:
            nodes[message.message_id] = message
    replies = _replies(nodes, faults)
    trees = [_tree(node, replies) for node in nodes.values() if node.parent_id is None]
    reached = {message.message_id for tree in trees for message in iter_messages(tree.prompt)}
    faults += [
        Fault(f"message {lost!r} cannot be reached from any prompt", path="$.parent_id")
        for lost, node in nodes.items()
        if lost not in reached and node.parent_id in nodes
    ]
    if faults:
        raise DatasetError(faults, trees)
    return trees


def _replies(nodes: dict[str, ExportMessageNode], faults: list[Fault]) -> dict[str, list[ExportMessageNode]]:
    """Returns the replies to each message, in lists of their own."""
    replies: dict[str, list[ExportMessageNode]] = {each: [] for each in nodes}
    for node in nodes.values():
        if node.parent_id in replies:
            replies[node.parent_id].append(node)
        elif node.parent_id is not None:
            message = f"message {node.message_id!r} replies to {node.parent_id!r}, which is not there"
            faults.append(Fault(message, path="$.parent_id"))
    return replies


def _tree(prompt: ExportMessageNode, replies: dict[str, list[ExportMessageNode]]) -> ExportMessageTree:
    """Returns the tree below a prompt, of copies that no longer name it."""
    gone = {"message_tree_id": None, "tree_state": None}
    root = prompt.model_copy(update={**gone, "replies": replies[prompt.message_id]})
    waiting = [root]
    while waiting:
        message = waiting.pop()
        message.replies = [
            reply.model_copy(update={**gone, "replies": replies[reply.message_id]}) for reply in message.replies or ()
        ]
        waiting.extend(message.replies)
    tree_id = prompt.message_tree_id or prompt.message_id
    return ExportMessageTree(message_tree_id=tree_id, tree_state=prompt.tree_state, prompt=root)
