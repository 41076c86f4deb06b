"""How long this library takes on damage: against bare lxml on the same data undamaged, and as replies grow."""

from __future__ import annotations

import gc
from contextlib import suppress
from random import Random
from time import process_time
from timeit import timeit
from types import GenericAlias
from typing import Any

from lxml import etree

from benchmarks.robustness.corpus import SEED, Case
from benchmarks.robustness.damage import Draft, Kind, around
from benchmarks.robustness.damage.draft import new_draft
from benchmarks.robustness.data import value
from benchmarks.robustness.models import TYPES, Shape, fill, snake
from benchmarks.robustness.render import element
from benchmarks.robustness.systems import response_of
from benchmarks.timing import Call
from structured_response import ReplyError, StructuredResponse
from structured_response.testing.damage import NoPlaceError

SMALL = 1_000
DRAWS = 100
"""Replies of 1 kB: one holds the damage a few times only, in a few of its forms."""
ATTEMPTS = 16
WITH_LISTS = ("Report", "Review", "Invoice", "TaskList", "Tutorial")


def least(case: Case, rounds: int) -> tuple[float, float]:
    """The least seconds of reading a case, and of bare lxml on its data undamaged, measured in turns."""
    own, bare = _parse(response_of(case.model), case.reply), _bare(case.undamaged)
    pairs = [(_seconds(own), _seconds(bare)) for _ in range(rounds)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def _seconds(call: Call, calls: int = 10) -> float:
    """Of one call among several: the first one finds cold caches."""
    return timeit(call, "gc.enable()", number=calls, globals={"gc": gc}) / calls


def _parse(response: StructuredResponse[Any], reply: str) -> Call:
    """Reading a reply; a refusal takes its time too."""

    def call() -> None:
        with suppress(ReplyError):
            response.parse(reply, strict=False)

    return call


def _bare(xml: str) -> Call:
    text = xml.encode()
    return lambda: etree.fromstring(text)


def growth(kind: Kind, rounds: int, large: int) -> float | None:
    """Time per character of a large reply / of replies of 1 kB, each of which may hold the damage in another form.

    A damage may leave a short reply well-formed, where a long one holds it in so many forms that it never is: the short
    ones compared are such as the long one is.
    """
    try:
        long = scaled(kind, large)
        short = [scaled(kind, SMALL, draw) for draw in range(DRAWS)]
    except NoPlaceError:
        return None
    gc.collect()
    gc.freeze()  # what was made so far does not count, and collecting before each call must not look through it
    alike = [each for each in short if _is_well_formed(each[1]) == _is_well_formed(long[1])]
    return _per_character([long], 2) / _per_character(alike or short, rounds)


def _is_well_formed(reply: str) -> bool:
    try:
        etree.fromstring(reply.encode(errors="replace"))
    except etree.XMLSyntaxError:
        return False
    return True


def _per_character(replies: list[tuple[StructuredResponse[Any], str]], rounds: int) -> float:
    seconds, length = 0.0, 0
    for response, reply in replies:
        call = _parse(response, reply)
        seconds += min(_once(call) for _ in range(rounds))
        length += len(reply)
    return seconds / length


def _once(call: Call) -> float:
    """The seconds that one call keeps this process busy: what others do meanwhile is not growth."""
    gc.collect()
    start = process_time()
    call()
    return process_time() - start


def scaled(kind: Kind, characters: int, draw: int = 0) -> tuple[StructuredResponse[Any], str]:
    """A reply of about so many characters with this damage, and what asks for it, the same model in every draw.

    Damage of elements is done to every item of a long list. Damage around the answer or in place of it is done once,
    to an answer with long lists.
    """
    chance, rng = Random(f"{SEED}/{kind.name}/scaled"), Random(f"{SEED}/{kind.name}/scaled/{draw}")
    if kind.stage == "tree" and kind.mixes and kind.group != around.GROUP:
        return _every_item(rng, _with_place(chance, kind), kind, characters)
    return _once_in_all(rng, _in_turn(chance, [name for name in kind.models if name in WITH_LISTS]), kind, characters)


def _once_in_all(rng: Random, names: list[str], kind: Kind, characters: int) -> tuple[StructuredResponse[Any], str]:
    """The longest of a few: a reply that breaks off does so anywhere."""
    found: tuple[str, str] = ("", "")
    for name in names:
        draft = _long_draft(rng, name, characters)
        try:
            _damage(draft, kind)
        except NoPlaceError:
            continue
        found = max(found, (name, draft.reply), key=lambda each: len(each[1]))
        if len(found[1]) > characters / 3:
            break
    if not found[1]:
        raise NoPlaceError
    return response_of(found[0]), found[1]


def _in_turn(rng: Random, names: list[str]) -> list[str]:
    """Models to try, one after the other."""
    return (rng.sample(names, len(names)) * ATTEMPTS)[:ATTEMPTS]


def _damage(draft: Draft, kind: Kind) -> None:
    if kind.stage != "reply":
        kind.make(draft)
    if not draft.reply:
        draft.write()
    if kind.stage == "reply":
        kind.make(draft)


def _every_item(rng: Random, name: str, kind: Kind, characters: int) -> tuple[StructuredResponse[Any], str]:
    items: list[str] = []
    length = 0
    while length < characters:
        item = _item(rng, name, kind)
        items.append(item)
        length += len(item)
    root = f"{snake(name)}_list"
    reply = f"<{root}>\n" + "\n".join(items) + f"\n</{root}>"
    kind_of_list: Any = GenericAlias(list, (TYPES[name],))
    return StructuredResponse.from_type(kind_of_list, f"{name}List"), reply


def _with_place(rng: Random, kind: Kind) -> str:
    """A model that this damage often finds a place in."""
    names = [name for name in kind.models if name != "TaskList"]
    return max(rng.sample(names, len(names)), key=lambda name: sum(_item(rng, name, kind) != "" for _ in range(8)))


def _item(rng: Random, name: str, kind: Kind) -> str:
    """One damaged item; empty where the random data has no place for the damage."""
    draft = new_draft(rng, name)
    draft.root.tag = "li"
    try:
        kind.make(draft)
    except NoPlaceError:
        return ""
    return draft.root.write(draft.step)


def _long_draft(rng: Random, name: str, characters: int) -> Draft:
    """A draft whose lists are as long as the reply should be."""
    draft = new_draft(rng, name)
    draft.write()
    if len(draft.reply) < characters:
        draft.data = _lengthened(rng, draft, characters)
        draft.root = element(rng, draft.shape, draft.tag, "$", draft.data)
    draft.reply = ""
    return draft


def _lengthened(rng: Random, draft: Draft, characters: int) -> Any:
    """The data with the same number of items more in each of its outermost lists."""
    lists = [(each.name, each.shape) for each in draft.shape.fields.values() if each.shape.kind == "list"]
    lists = lists or [(draft.name, draft.shape)]
    some = 20
    more = {name: _items(rng, shape, name, some) for name, shape in lists}
    sample = sum(len(element(rng, shape, name, "$", more[name]).write()) for name, shape in lists)
    count = max(1, round((characters - len(draft.reply)) / sample * some))
    for name, shape in lists:
        target = draft.data if draft.shape.kind == "list" else draft.data[name]
        target += _items(rng, shape, name, count)
    return draft.data


def _items(rng: Random, shape: Shape, name: str, count: int) -> list[Any]:
    assert shape.item is not None
    return [fill(shape.item, value(rng, shape.item, name, 1)) for _ in range(count)]
