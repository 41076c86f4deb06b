"""Open-Assistant exports: messages, trees and threads in JSON Lines."""

from __future__ import annotations

import io
import random
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import combinations, pairwise
from typing import IO, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, Discriminator, Field, PlainSerializer, Tag, model_validator

from ..definition import Path, show_path
from ..errors import DatasetError
from ..findings import Fault
from .files import CheckedLines, FilePath, Watch, refusing, suffix_of
from .jsonl import OBJECT, Line, Record, records_of, scan_jsonl, write_jsonl
from .records import rows_of, scan_records

__all__ = [
    "ChatMessage",
    "DetoxifyRating",
    "ExportMessageEvent",
    "ExportMessageEventEmoji",
    "ExportMessageEventRanking",
    "ExportMessageEventRating",
    "ExportMessageEventReport",
    "ExportMessageEventScore",
    "ExportMessageNode",
    "ExportMessageThread",
    "ExportMessageTree",
    "LabelAvgValue",
    "OasstRecord",
    "Preference",
    "Role",
    "flatten_tree",
    "iter_messages",
    "iter_threads",
    "message_filter",
    "open_jsonl_read",
    "prune_tree",
    "read_message_list",
    "read_message_tree_list",
    "read_message_trees",
    "read_messages",
    "read_oasst_jsonl",
    "read_thread_list",
    "read_threads",
    "rebuild_trees",
    "scan_oasst",
    "scan_oasst_jsonl",
    "split_by_tree",
    "to_chat",
    "to_preferences",
    "tree_filter",
    "validate",
    "visit_messages_depth_first",
    "visit_threads_depth_first",
    "write_message_trees",
    "write_messages",
    "write_threads",
]

Role = Literal["prompter", "assistant"]

# The exports write `+00:00`, as Python does, where Pydantic would write `Z`.
_Datetime = Annotated[datetime, PlainSerializer(datetime.isoformat, when_used="json")]


class LabelAvgValue(Record):
    """The result of the reviewers' votes for a label."""

    value: float | None = None
    """The mean of the votes."""
    count: int
    """The number of votes."""


class DetoxifyRating(Record):
    """The Detoxify classifier's ratings of a message, each from 0 to 1."""

    toxicity: float
    severe_toxicity: float
    obscene: float
    identity_attack: float
    insult: float
    threat: float
    sexual_explicit: float


class ExportMessageEvent(Record):
    """An action of a user on a message. Events of unknown types keep their content."""

    type: str
    user_id: str | None = None


class ExportMessageEventEmoji(ExportMessageEvent):
    """An emoji was given."""

    type: Literal["emoji"] = "emoji"
    emoji: str


class ExportMessageEventRating(ExportMessageEvent):
    """A rating was given."""

    type: Literal["rating"] = "rating"
    rating: str


class ExportMessageEventRanking(ExportMessageEvent):
    """Replies were ranked: `ranking[0]` is the index in `ranked_message_ids` of the best."""

    type: Literal["ranking"] = "ranking"
    ranking: list[int]
    ranked_message_ids: list[str]
    ranking_parent_id: str | None = None
    message_tree_id: str | None = None
    not_rankable: bool | None = None


class ExportMessageEventReport(ExportMessageEvent):
    """The message was reported."""

    type: Literal["report"] = "report"
    report_type: str
    reason: str


class ExportMessageEventScore(ExportMessageEvent):
    """The message was voted up (1), down (-1), or a vote was taken back (0)."""

    type: Literal["score"] = "score"
    score: int = Field(ge=-1, le=1)


def _event_type(event: Any) -> str:
    name = event.get("type") if isinstance(event, dict) else getattr(event, "type", None)
    return name if name in ("emoji", "rating", "ranking", "report", "score") else "other"


_Event = Annotated[
    Annotated[ExportMessageEventEmoji, Tag("emoji")]
    | Annotated[ExportMessageEventRating, Tag("rating")]
    | Annotated[ExportMessageEventRanking, Tag("ranking")]
    | Annotated[ExportMessageEventReport, Tag("report")]
    | Annotated[ExportMessageEventScore, Tag("score")]
    | Annotated[ExportMessageEvent, Tag("other")],
    Discriminator(_event_type),
]


# The tables of the public datasets have emojis and labels as a list of names beside lists of values.
def _counts(emojis: Any) -> Any:
    return dict(zip(*columns, strict=True)) if (columns := _columns(emojis, "name", "count")) else emojis


def _votes(labels: Any) -> Any:
    if not (columns := _columns(labels, "name", "value", "count")):
        return labels
    return {name: {"value": value, "count": count} for name, value, count in zip(*columns, strict=True)}


def _columns(held: Any, *names: str) -> list[Any]:
    columns: list[Any] = [held.get(name) for name in names] if isinstance(held, dict) else []
    return columns if all(isinstance(column, list) for column in columns) else []


class ExportMessageNode(Record):
    """A message, with the replies to it if it is in a tree."""

    message_id: str
    parent_id: str | None = None
    """The message that it replies to; None for a prompt."""
    user_id: str | None = None
    """The author, by a pseudonym."""
    created_date: _Datetime | None = None
    text: str
    role: Role
    lang: str | None = None
    """The language by its code, such as "en" or "pt-BR"."""
    review_count: int | None = None
    review_result: bool | None = None
    """Whether the reviewers accepted the message."""
    deleted: bool | None = None
    rank: int | None = None
    """The place among its siblings; 0 is the best."""
    synthetic: bool | None = None
    """Whether a language model wrote it, which `model_name` names."""
    model_name: str | None = None
    emojis: Annotated[dict[str, int] | None, BeforeValidator(_counts)] = None
    """The number of times that each emoji was given."""
    replies: list[ExportMessageNode] | None = None
    """The messages below it; None for a message outside of a tree."""
    labels: Annotated[dict[str, LabelAvgValue] | None, BeforeValidator(_votes)] = None
    """The result of the reviewers' votes, by label."""
    events: dict[str, list[_Event]] | None = None
    """The actions of users, by their kind."""
    detoxify: DetoxifyRating | None = None
    message_tree_id: str | None = None
    """The tree of a separate message."""
    tree_state: str | None = None
    """The state of that tree, such as "ready_for_export"."""


class ExportMessageTree(Record):
    """A prompt and all replies to it."""

    message_tree_id: str
    """The id of the prompt."""
    tree_state: str | None = None
    prompt: ExportMessageNode | None = None
    """The first message, which holds all others."""
    origin: str | None = None


class ExportMessageThread(Record):
    """Messages in a row, each the reply to the one before; the last one gives the thread its id."""

    thread_id: str
    """The id of the last message."""
    thread: list[ExportMessageNode] = Field(min_length=1)

    @model_validator(mode="after")
    def _ends_in_its_id(self) -> ExportMessageThread:
        last = self.thread[-1].message_id
        if self.thread_id != last:
            raise ValueError(f"the last message is {last!r}, which is not the thread_id {self.thread_id!r}")
        return self


OasstRecord = ExportMessageNode | ExportMessageTree | ExportMessageThread
MessagePredicate = Callable[[ExportMessageNode], bool]
TreePredicate = Callable[[ExportMessageTree], bool]
ThreadPredicate = Callable[[ExportMessageThread], bool]

_SHAPES: dict[str, type[OasstRecord]] = {
    "message_id": ExportMessageNode,  # first, since a separate message names its tree too
    "message_tree_id": ExportMessageTree,
    "thread_id": ExportMessageThread,
}
_NAMES = {ExportMessageNode: "a message", ExportMessageTree: "a message tree", ExportMessageThread: "a thread"}


def open_jsonl_read(path: FilePath) -> IO[str]:
    """Opens a file of JSON Lines as UTF-8 text, to be used with `with`.

    Args:
        path: The file, which is unpacked if its name ends in `.gz` or `.zst`.

    Raises:
        DatasetError: The file cannot be read, or has another format than its name says. Reading raises it too, where
            the file is truncated or not UTF-8.
    """
    return io.TextIOWrapper(io.BufferedReader(CheckedLines(path)), encoding="utf-8")


def read_oasst_jsonl(path: FilePath, watch: Watch | None = None) -> Iterator[OasstRecord]:
    """Yields the messages, trees and threads of a file, told apart by their ids. Memory is that of one record.

    Args:
        path: The file of JSON Lines.
        watch: A function that is called with the number of bytes read so far.

    Raises:
        DatasetError: A line is invalid. The records before it have been yielded.
    """
    return records_of(scan_oasst_jsonl(path, watch))


def scan_oasst_jsonl(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Yields every line of a file with its record or its faults; see `read_oasst_jsonl` for the arguments.

    Raises:
        DatasetError: The file cannot be read further.
    """
    return scan_jsonl(path, _record_of, watch)


def read_message_trees(path: FilePath) -> Iterator[ExportMessageTree]:
    """Yields the trees of a file. Memory is that of one tree.

    Args:
        path: The file of JSON Lines.

    Raises:
        DatasetError: A line is invalid or holds a record of another shape. The records before it have been yielded.
    """
    return records_of(scan_jsonl(path, partial(_record_of, only=ExportMessageTree)))


def read_messages(path: FilePath) -> Iterator[ExportMessageNode]:
    """Yields the messages of a file, like `read_message_trees`."""
    return records_of(scan_jsonl(path, partial(_record_of, only=ExportMessageNode)))


def read_threads(path: FilePath) -> Iterator[ExportMessageThread]:
    """Yields the threads of a file, like `read_message_trees`."""
    return records_of(scan_jsonl(path, partial(_record_of, only=ExportMessageThread)))


def read_message_tree_list(path: FilePath, filter: TreePredicate | None = None) -> list[ExportMessageTree]:
    """Returns all trees of a file.

    Args:
        path: The file of JSON Lines.
        filter: A predicate. Trees that it rejects are left out.

    Raises:
        DatasetError: The first line that is invalid or holds a record of another shape.
    """
    return [tree for tree in read_message_trees(path) if filter is None or filter(tree)]


def read_message_list(path: FilePath, filter: MessagePredicate | None = None) -> list[ExportMessageNode]:
    """Returns all messages of a file, like `read_message_tree_list`."""
    return [message for message in read_messages(path) if filter is None or filter(message)]


def read_thread_list(path: FilePath, filter: ThreadPredicate | None = None) -> list[ExportMessageThread]:
    """Returns all threads of a file, like `read_message_tree_list`."""
    return [thread for thread in read_threads(path) if filter is None or filter(thread)]


def write_message_trees(path: FilePath, trees: Iterable[ExportMessageTree], exclude_none: bool = True) -> int:
    """Writes trees, one per line, whole or not at all.

    Args:
        path: The file, which is replaced, and compressed if its name ends in `.gz` or `.zst`.
        trees: The trees. One is in memory at a time.
        exclude_none: Whether to omit nulls.

    Returns:
        The number of trees.

    Raises:
        DatasetError: The file cannot be written, or a record has no JSON form. Nothing was changed.
    """
    return write_jsonl(path, trees, exclude_none=exclude_none)


def write_messages(path: FilePath, messages: Iterable[ExportMessageNode], exclude_none: bool = True) -> int:
    """Writes messages, like `write_message_trees`. Their replies are omitted, since they are messages themselves."""
    return write_jsonl(path, messages, exclude_none=exclude_none, exclude={"replies"})


def write_threads(path: FilePath, threads: Iterable[ExportMessageThread], exclude_none: bool = True) -> int:
    """Writes threads, like `write_message_trees`."""
    return write_jsonl(path, threads, exclude_none=exclude_none)


def scan_oasst(path: FilePath, watch: Watch | None = None) -> Iterator[Line]:
    """Yields every row of a `.parquet` file, or every line of any other, with its record or its faults.

    Args:
        path: The file.
        watch: A function that is called with the number of rows, or of bytes, read so far.

    Raises:
        DatasetError: The file cannot be read further, or the columns are not those of a record.
    """
    if suffix_of(path) != ".parquet":
        return scan_oasst_jsonl(path, watch)
    columns = rows_of(path).columns or ()
    with refusing("holds no records of Open-Assistant", path, ValueError):
        shape = _shape_of(columns)
    return scan_records(path, shape, watch)


def _record_of(line: bytes, only: type[OasstRecord] | None = None) -> OasstRecord:
    data = OBJECT.validate_json(line)
    shape = _shape_of(data)
    if only not in (None, shape):
        raise ValueError(f"is {_NAMES[shape]}, not {_NAMES[only]}")
    return shape.model_validate(data)


def _shape_of(data: Collection[str]) -> type[OasstRecord]:
    for key, shape in _SHAPES.items():
        if key in data:
            return shape
    keys = ", ".join(map(repr, list(data)[:8])) or "nothing"
    raise ValueError(f"has none of {', '.join(_SHAPES)}; it has {keys}")


def visit_messages_depth_first(
    node: ExportMessageNode | None,
    visitor: Callable[[ExportMessageNode], object],
    predicate: MessagePredicate | None = None,
) -> None:
    """Calls `visitor` with a message and every one below it, each before its replies.

    Args:
        node: The message.
        visitor: The function to call with each message.
        predicate: Selects the messages. The walk continues below those that it rejects.
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
    """Calls `visitor` with the messages from `node` to each one below it, depth-first.

    Args:
        node: The first message.
        visitor: The function to call with each thread, a list of its own.
        predicate: Selects the threads. The walk continues below those that it rejects.
        parents: Messages that precede each thread.
    """
    for path in _paths(node):
        thread = [*parents, *path]
        if predicate is None or predicate(thread):
            visitor(thread)


def iter_messages(node: ExportMessageNode | None) -> Iterator[ExportMessageNode]:
    """Yields a message and all below it, each before its replies.

    Args:
        node: The message. None has no messages.
    """
    return (path[-1] for path in _paths(node))


def iter_threads(tree: ExportMessageTree) -> Iterator[ExportMessageThread]:
    """Yields the threads from a prompt to each message without replies, depth-first. Their messages name the tree.

    Args:
        tree: The tree, which stays as it is.
    """
    for path in _paths(tree.prompt):
        if not path[-1].replies:
            rows = list(_rows(path, tree))
            yield ExportMessageThread(thread_id=rows[-1].message_id, thread=rows)


def _paths(node: ExportMessageNode | None) -> Iterator[list[ExportMessageNode]]:
    """Yields the way to each message below `node`, depth-first. It is a single list, which changes with each step.

    A caller may replace the replies of the message that was yielded last.
    """
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

    Args:
        tree: The tree, which stays as it is.
    """
    return _rows(iter_messages(tree.prompt), tree)


def _rows(messages: Iterable[ExportMessageNode], tree: ExportMessageTree) -> Iterator[ExportMessageNode]:
    named = {"replies": None, "message_tree_id": tree.message_tree_id, "tree_state": tree.tree_state}
    return (message.model_copy(update=named) for message in messages)


def rebuild_trees(messages: Iterable[ExportMessageNode]) -> list[ExportMessageTree]:
    """Returns the trees of some rows, in the order of their prompts, with replies in the order of the rows.

    Args:
        messages: The rows, in any order, as `flatten_tree` makes them.

    Raises:
        DatasetError: Messages lack their parent, occur twice, or are their own ancestors. `faults` names each of them,
            and `records` has the trees of all others.
    """
    rows: dict[str, ExportMessageNode] = {}
    replies: dict[str | None, list[ExportMessageNode]] = defaultdict(list)
    faults: list[Fault] = []
    for number, row in enumerate(messages):
        if row.message_id in rows:
            faults.append(Fault(f"message {row.message_id!r} occurs again", row=number, path="$.message_id"))
            continue
        rows[row.message_id] = row
        changes = {"message_tree_id": None, "tree_state": None, "replies": replies[row.message_id]}
        replies[row.parent_id].append(row.model_copy(update=changes))
    trees = []
    for prompt in replies[None]:
        row = rows[prompt.message_id]
        tree_id = row.message_tree_id or row.message_id
        trees.append(ExportMessageTree(message_tree_id=tree_id, tree_state=row.tree_state, prompt=prompt))
    reached = {message.message_id for tree in trees for message in iter_messages(tree.prompt)}
    for name, row in rows.items():
        if name not in reached:
            lost = "cannot be reached from any prompt"
            why = lost if row.parent_id in rows else f"replies to {row.parent_id!r}, which is not there"
            faults.append(Fault(f"message {name!r} {why}", path="$.parent_id"))
    if faults:
        raise DatasetError(faults, trees)
    return trees


_Records = TypeVar("_Records", bound=OasstRecord)


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

    Args:
        state: The state of the message's tree, or several alternatives.
        lang: The language, or several alternatives.
        role: The role, or several alternatives.
        user: The id of the user, or several alternatives.
        deleted: Whether the message is deleted. A message that does not say so is not.
        synthetic: Whether the message is synthetic. A message that does not say so is not.
        spam: Whether the reviewers rejected the message (`review_result` is false).
    """
    return lambda message: (
        _is_wanted(message.tree_state, state)
        and _is_wanted(message.lang, lang)
        and _is_wanted(message.role, role)
        and _is_wanted(message.user_id, user)
        and deleted in (None, bool(message.deleted))
        and synthetic in (None, bool(message.synthetic))
        and spam in (None, message.review_result is False)
    )


def tree_filter(
    *,
    state: str | Sequence[str] | None = None,
    lang: str | Sequence[str] | None = None,
    messages: MessagePredicate | None = None,
) -> TreePredicate:
    """Returns a predicate for trees that meet all conditions. None means any.

    Args:
        state: The state of the tree, or several alternatives.
        lang: The language of the prompt, or several alternatives.
        messages: A predicate that all messages satisfy, such as `message_filter(synthetic=False)`.
    """
    return lambda tree: (
        _is_wanted(tree.tree_state, state)
        and _is_wanted(None if tree.prompt is None else tree.prompt.lang, lang)
        and (messages is None or all(map(messages, iter_messages(tree.prompt))))
    )


def _is_wanted(value: str | None, wanted: str | Sequence[str] | None) -> bool:
    return wanted is None or value in ([wanted] if isinstance(wanted, str) else wanted)


def prune_tree(tree: ExportMessageTree, keep: MessagePredicate) -> ExportMessageTree | None:
    """Returns a copy of a tree without some messages and all below them, or None if its prompt is one of them.

    Args:
        tree: The tree, which stays as it is.
        keep: A predicate for the messages to keep.
    """
    if tree.prompt is None or not keep(tree.prompt):
        return None
    root = tree.prompt.model_copy()
    for message in iter_messages(root):
        if message.replies:
            message.replies = [reply.model_copy() for reply in message.replies if keep(reply)]
    return tree.model_copy(update={"prompt": root})


def split_by_tree(
    records: Iterable[_Records], share: float = 0.1, seed: int = 0
) -> tuple[list[_Records], list[_Records]]:
    """Splits records into those for training and those for validation, with all records of a tree in one part.

    Args:
        records: Trees, messages or threads. One that does not name its tree counts as a tree of its own.
        share: The share of the trees that is held out for validation, from 0 to 1; their number is rounded.
        seed: The seed of the draw. The same records and the same seed give the same split.

    Returns:
        The lists for training and for validation, each in the order of the records.

    Raises:
        ValueError: `share` is not from 0 to 1.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"share is a part of the trees, from 0 to 1, not {share!r}")
    named: list[tuple[str, _Records]] = []
    for record in records:
        first: Any = record.thread[0] if isinstance(record, ExportMessageThread) else record
        named.append((str(first.message_tree_id or first.message_id), record))
    trees = sorted({tree for tree, _record in named})
    held_out = set(random.Random(seed).sample(trees, round(len(trees) * share)))  # noqa: S311 - nothing is secret here
    parts: tuple[list[_Records], list[_Records]] = ([], [])
    for tree, record in named:
        parts[tree in held_out].append(record)
    return parts


ChatMessage = dict[str, str]
"""`{"role": ..., "content": ...}`, as chat models take it."""


class Preference(BaseModel):
    """Two replies to the same messages. People ranked the chosen one higher.

    Attributes:
        prompt: The messages, as a chat model takes them.
        chosen: The text of the better reply.
        rejected: The text of the other one.
        chosen_id: The message id of the better reply.
        rejected_id: The message id of the other one.
    """

    prompt: list[ChatMessage]
    chosen: str
    rejected: str
    chosen_id: str
    rejected_id: str


def to_chat(thread: ExportMessageThread | Sequence[ExportMessageNode]) -> list[ChatMessage]:
    """Returns a thread as the messages of a chat model. The prompter becomes `user`.

    Args:
        thread: A thread, or a list of messages.
    """
    messages = thread.thread if isinstance(thread, ExportMessageThread) else thread
    return [
        {"role": "user" if message.role == "prompter" else "assistant", "content": message.text} for message in messages
    ]


def to_preferences(tree: ExportMessageTree, role: Role = "assistant") -> Iterator[Preference]:
    """Yields every pair of replies to one message that people ranked differently, the best replies first.

    Args:
        tree: The tree. A rank of 0 is the best. Replies without a rank make no pair.
        role: The role of the replies.
    """
    for thread in _paths(tree.prompt):
        replies = thread[-1].replies or ()
        ranked = [(each.rank, each) for each in replies if each.rank is not None and each.role == role]
        ranked.sort(key=lambda pair: pair[0])
        for (best, better), (worst, worse) in combinations(ranked, 2):
            if best < worst:
                yield Preference(
                    prompt=to_chat(thread),
                    chosen=better.text,
                    rejected=worse.text,
                    chosen_id=better.message_id,
                    rejected_id=worse.message_id,
                )


def validate(path: FilePath, watch: Watch | None = None) -> list[Fault]:
    """Returns every fault of a file of records.

    The faults are invalid records, trees whose id is not that of their prompt, replies that name another parent, and
    messages that occur twice outside of threads. Memory is that of one record, the faults, and the ids of all messages.

    Args:
        path: The file, JSON Lines or Parquet.
        watch: A function that is called with the number of bytes, or of rows, read so far.

    Raises:
        DatasetError: The file cannot be read further.
    """
    faults: list[Fault] = []
    seen: dict[str, str] = {}
    unit = "row" if suffix_of(path) == ".parquet" else "line"
    for line in scan_oasst(path, watch):
        faults += line.faults
        if line.record is not None:
            at: Any = {unit: line.number}
            found = _related(line.record, f"{unit} {line.number}", seen)
            faults += [Fault(message, str(path), path=show_path(place), **at) for place, message in found]
    return faults


def _related(record: OasstRecord, where: str, seen: dict[str, str]) -> Iterator[tuple[Path, str]]:
    """Yields the faults in the relations of a record's messages. `seen` has the places of all ids so far."""
    if isinstance(record, ExportMessageThread):
        for number, (parent, message) in enumerate(pairwise(record.thread), 1):
            yield from _wrong_parent(parent, message, ("thread", number))
        return
    root = record.prompt if isinstance(record, ExportMessageTree) else record
    if isinstance(record, ExportMessageTree):
        if root is None:
            yield ("prompt",), "required, but not there"
        elif root.message_id != record.message_tree_id:
            yield ("message_tree_id",), f"is not the id of the prompt, {root.message_id!r}"
    places: dict[int, Path] = {id(root): () if root is record else ("prompt",)}
    for message in iter_messages(root):
        place = places[id(message)]
        if message.message_id in seen:
            yield (*place, "message_id"), f"{message.message_id!r} is already in {seen[message.message_id]}"
        seen.setdefault(message.message_id, where)
        for number, reply in enumerate(message.replies or ()):
            places[id(reply)] = (*place, "replies", number)
            yield from _wrong_parent(message, reply, places[id(reply)])


def _wrong_parent(parent: ExportMessageNode, reply: ExportMessageNode, place: Path) -> Iterator[tuple[Path, str]]:
    if reply.parent_id not in (None, parent.message_id):
        yield (*place, "parent_id"), f"is {reply.parent_id!r}, where the parent is {parent.message_id!r}"
