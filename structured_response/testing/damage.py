"""A reply as a tree of elements, and the faults that language models put into it. Nothing here knows the reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

STEP = "    "

NUMBERS = ("int", "float")
ENDING = (*NUMBERS, "bool", "date", "enum", "time", "datetime", "duration", "decimal", "uuid")  # at the next tag

REASONING = ("think", "thinking", "reasoning", "reflection", "scratchpad")

T = TypeVar("T")

_BARE_MARKUP = re.compile(r"<[A-Za-z/!?]")
_REFERENCE = re.compile(r"&#?[A-Za-z0-9]+;")


def reads_verbatim(text: str) -> bool:
    """Returns whether a text means itself when it is written without any escaping: it holds markup, or no reference."""
    return bool(_BARE_MARKUP.search(text)) or not _REFERENCE.search(text)


class NoPlaceError(Exception):
    """The reply has no place where the damage would leave the meaning clear."""


@dataclass(eq=False)
class Element:
    """One element. `raw` is its text as it will be written. `opener` and `closer` replace its tags."""

    tag: str
    shape: Any  # with `kind`, `item`, `fields` and `nullable`
    path: str
    value: Any
    role: str  # of a root, a field, an item, an entry or an option
    raw: str | None = None
    children: list[Element] = field(default_factory=list)
    attributes: str = ""
    opener: str | None = None
    closer: str | None = None
    before: str = ""
    after: str = ""
    parent: Element | None = None

    def adopt(self, children: Iterable[Element]) -> None:
        self.children = list(children)
        for child in self.children:
            child.parent = self

    def walk(self) -> Iterator[Element]:
        yield self
        for child in self.children:
            yield from child.walk()

    def ancestors(self) -> Iterator[Element]:
        if self.parent is not None:
            yield self.parent
            yield from self.parent.ancestors()

    def sibling(self, step: int) -> Element | None:
        family = self.parent.children if self.parent else [self]
        index = family.index(self) + step
        return family[index] if 0 <= index < len(family) else None

    def is_text_only(self) -> bool:
        """Returns whether its text holds nothing that could be taken for a tag."""
        return bool(self.raw) and "<" not in (self.raw or "")

    def pieces(self, step: str | None, indent: str = "") -> Iterator[tuple[Element, str, str]]:
        """Yields its text in pieces, each with its element and whether it is an opener, a closer or neither."""
        yield self, "", self.before
        yield self, "opener", f"<{self.tag}{self.attributes}>" if self.opener is None else self.opener
        line = "" if step is None else "\n" + indent
        if self.raw is not None:
            # A text of several lines begins on a line of its own, flush, as models like to write it.
            is_block = "\n" in self.raw and step is not None and not self.raw.startswith("<![CDATA[")
            yield self, "", f"\n{self.raw}{line}" if is_block else self.raw
        else:
            for child in self.children:
                yield self, "", line + (step or "")
                yield from child.pieces(step, indent + (step or ""))
            yield self, "", line if self.children else ""
        yield self, "closer", f"</{self.tag}>" if self.closer is None else self.closer
        yield self, "", self.after

    def write(self, step: str | None = STEP) -> str:
        return "".join(text for _element, _part, text in self.pieces(step))


@dataclass(kw_only=True)
class Draft:
    """A reply in the making. It is a tree until `reply` is written."""

    rng: Random
    root: Element
    tag: str  # the root's own name, whatever a damage makes of it
    step: str | None = STEP  # the indentation; None makes a single line
    taken: set[Element] = field(default_factory=set)  # the elements that are damaged already, and their neighbours
    known: frozenset[str] = frozenset()  # the names that the definition gives a meaning
    reply: str = ""

    def free(self) -> list[Element]:
        return [each for each in self.root.walk() if each not in self.taken]

    def places(self, *kinds: str, roles: Iterable[str] = ("field", "item", "entry")) -> list[Element]:
        return [
            each for each in self.free() if each.shape.kind in kinds and each.role in roles and each.value is not None
        ]

    def leaves(self, *kinds: str) -> list[Element]:
        return [each for each in self.places(*kinds, roles=("field",)) if each.is_text_only()]

    def lists(self, *kinds: str, least: int = 1) -> list[Element]:
        lists = self.places("list", roles=("field",))
        return [each for each in lists if each.shape.item.kind in kinds and len(each.value) >= least]

    def bare(self) -> list[Element]:
        free = (each for each in self.free() if each.shape.kind != "union")
        return [each for each in free if each.value is not None and not each.attributes]

    def nullable(self) -> list[Element]:
        return [each for each in self.places("str", *NUMBERS, "date") if each.shape.nullable]

    def pick(self, candidates: Sequence[Element]) -> Element:
        """Chooses an element. No other damage is done to it, to its neighbours and to what is in it."""
        found = self.choose(candidates)
        self.take(found)
        return found

    def sample(self, options: Sequence[T], most: int = 3) -> list[T]:
        if not options:
            raise NoPlaceError
        return self.rng.sample(options, self.rng.randint(1, min(most, len(options))))

    def some(self, candidates: Sequence[Element], most: int = 3) -> list[Element]:
        found = self.sample(candidates, most)
        for each in found:
            self.take(each)
        return found

    def take(self, found: Element) -> None:
        near = [found, found.parent, found.sibling(1), found.sibling(-1), *found.walk()]
        self.taken.update(each for each in near if each is not None)

    def take_root(self, *, is_named: bool = True) -> None:
        """Reserves the root's tags and the elements next to them. Without `is_named` its name will not be written."""
        self.taken.add(self.root)
        for child in self.root.children[:1] + self.root.children[-1:]:
            self.taken.update(child.walk())

    def choose(self, options: Sequence[T]) -> T:
        if not options:
            raise NoPlaceError
        return self.rng.choice(options)

    def set(self, at: Element, value: Any) -> None:
        at.value = value

    def admits(self, name: str, at: Element | None = None) -> bool:
        """Returns whether a name means nothing in the definition, nor looks like one that does."""
        return True

    def item_names(self, at: Element) -> list[str]:
        """Returns what models call the items of a list."""
        return ["item", "Item", "LI", "entry"]

    def echoed(self, shape: Any) -> str:
        """Returns the attributes that the prompt has on an element."""
        raise NotImplementedError

    def rival(self) -> str:
        """Returns another answer to the same question, without faults."""
        raise NotImplementedError

    def write(self) -> None:
        self.reply = self.root.write(self.step)


Damage = Callable[[Draft], None]
"""Damages the tree, or the reply once it is written. Raises `NoPlaceError` if neither has a place for it."""

# Tags


def closer_missing(draft: Draft) -> None:
    draft.pick(draft.leaves(*ENDING)).closer = ""


def closer_misspelt(draft: Draft) -> None:
    """Closes an element under its name with one slip, such that no other name is as near."""
    fields = [*draft.leaves("str", *ENDING), *draft.places("list", "object", "map", roles=("field",))]
    found = draft.pick([each for each in fields if len(each.tag) > 3])
    name = found.tag
    at = draft.rng.randrange(1, len(name) - 1)
    slips = (
        name[:at] + name[at + 1 :],
        name[:at] + name[at] + name[at:],
        name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        name + "s",
        name[:-1],
    )
    slip = draft.choose(slips)
    if slip == name or any(_distance(slip, other) <= 2 for other in draft.known - {name}):
        raise NoPlaceError
    found.closer = f"</{slip}>"


def _distance(one: str, other: str) -> int:
    """Returns Levenshtein's distance: the letters to insert, to remove or to change."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        before, row[0] = row[0], number
        for index, match in enumerate(other, 1):
            before, row[index] = row[index], min(row[index] + 1, row[index - 1] + 1, before + (letter != match))
    return row[-1]


def opener_as_closer(draft: Draft) -> None:
    at = draft.pick(draft.leaves("str", *ENDING))
    at.closer = f"<{at.tag}>"


def closer_doubled(draft: Draft) -> None:
    inner = [each for each in draft.free() if each.parent and each.tag not in {above.tag for above in each.ancestors()}]
    at = draft.pick([each for each in inner if each.children or not each.raw or each.is_text_only()])
    at.closer = f"</{at.tag}></{at.tag}>"


def closer_unfinished(draft: Draft) -> None:
    at = draft.pick(draft.leaves("str", *ENDING))
    at.closer = f"</{at.tag}"


def respell(draft: Draft, at: Element) -> None:
    title = at.tag.title().replace("_", "")
    names = {title, at.tag.upper(), at.tag.capitalize(), at.tag.replace("_", "-"), title.lower()}
    at.tag = draft.choose(sorted(names - {at.tag}))


def name_respelled(draft: Draft) -> None:
    respell(draft, draft.pick([each for each in draft.free() if each.role in ("root", "field") and each.tag.isascii()]))


def attributes_echoed(draft: Draft) -> None:
    is_described = draft.rng.random() < 0.5 and draft.admits("description")
    for at in draft.bare():
        if at.role == "field":
            at.attributes = draft.echoed(at.shape) + (' description="What it is: a & b"' if is_described else "")
        elif at.role == "item" and draft.admits("index"):
            at.attributes = f" index='{at.parent.children.index(at) if at.parent else 0}'"


# Around the answer


def fence_unclosed(draft: Draft) -> None:
    draft.reply = f"{draft.choose(('', 'Here:' + chr(10)))}```{draft.choose(('xml', ''))}\n{draft.reply}\n"


def reasoning(draft: Draft) -> None:
    tag = draft.choose([tag for tag in REASONING if draft.admits(tag)])
    rival = draft.rival()
    if f"{tag}>" in rival:
        raise NoPlaceError
    thought = f"<{tag}>\nA first try:\n{rival}\nHmm, that is not quite what was asked & needs work.\n</{tag}>"
    draft.reply = f"{thought}\n\n{draft.reply}"


def wrapper(draft: Draft) -> None:
    for name in draft.sample(
        [name for name in ("response", "answer", "output", "result", "data") if draft.admits(name)]
    ):
        draft.reply = f"<{name}>\n{draft.reply}\n</{name}>"


def root_missing(draft: Draft) -> None:
    draft.take_root(is_named=False)
    draft.root.opener = draft.root.closer = ""


def root_renamed(draft: Draft) -> None:
    draft.take_root(is_named=False)
    names = ("result", "output", "answer_data", "my_answer", f"{draft.tag}_result")
    draft.root.tag = draft.choose([name for name in names if draft.admits(name)])


def root_unclosed(draft: Draft) -> None:
    draft.take_root()
    draft.root.closer = ""


def crlf(draft: Draft) -> None:
    draft.reply = draft.reply.replace("\n", draft.choose(("\r\n", "\r\n", "\r")))


# Between elements


def comment(draft: Draft) -> None:
    for at in draft.some([each for each in draft.free() if each.parent]):
        at.before = draft.choose(("<!-- next -->", "<!-- <score>9</score> -->", "<!-- a & b -- c -->"))


def element_unknown(draft: Draft) -> None:
    at = draft.pick([each for each in draft.free() if each.role == "field"])
    shown = {"confidence": ">high</confidence>", "zzz": "><yyy>1 & 2</yyy></zzz>", "source": " id='1'/>"}
    at.before = draft.choose([f"<{name}{rest}" for name, rest in shown.items() if draft.admits(name, at)])


def items_renamed(draft: Draft) -> None:
    at = draft.pick(draft.lists("str", "object", "dict", *NUMBERS))
    name = draft.choose([name for name in draft.item_names(at) if name not in at.shape.item.fields])
    for child in at.children:
        child.tag = name


# Values


def value_decorated(draft: Draft) -> None:
    at = draft.pick(draft.places(*NUMBERS, "bool", "date", "enum"))
    mark = draft.choose(('"', "'", "`", "**"))
    at.raw = f"{mark}{at.raw}{mark}"


def value_fenced(draft: Draft) -> None:
    strings = draft.places("str", roles=("field", "item"))
    at = draft.pick([each for each in strings if each.value and "```" not in each.value])
    if not reads_verbatim(at.value):
        raise NoPlaceError
    mark, language = draft.choose(("```", "```", "~~~", "````")), draft.choose(("", "python", "html", "c++"))
    at.raw = f"{mark}{language}\n{at.value}\n{mark}"


def null_word(draft: Draft) -> None:
    at = draft.pick(draft.nullable())
    draft.set(at, None)
    at.opener = at.closer = None
    at.raw = draft.choose(("None", "null", "nil", "N/A", "NULL", "none", "n/a"))


DAMAGES: dict[str, Damage] = {
    each.__name__: each
    for each in (
        *(attributes_echoed, closer_doubled, closer_missing, closer_misspelt, closer_unfinished, comment, crlf),
        *(element_unknown, fence_unclosed, items_renamed, name_respelled, null_word, opener_as_closer, reasoning),
        *(root_missing, root_renamed, root_unclosed, value_decorated, value_fenced, wrapper),
    )
}
"""The damages that users choose from, by their names."""
