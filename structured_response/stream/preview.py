"""Shows the data of a reply while it is being written.

A `Preview` follows the reply with the search that also reads whole replies. It shows the cheapest reading of what has
come, as if everything that is open were going to be closed. What it shows is replaced, on record, if the whole reply
turns out to mean something else.

Each open element has a `Frame` with the values of its closed children. Values are shared by all parts, and containers
are copied when they grow, so a part costs as much as the open elements, not as much as the reply.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice, takewhile
from math import isnan
from typing import Any, NamedTuple

from ..data.box import shell, to_box
from ..definition import MISSING, Node, Path, Plan, fold
from ..escaping import SURROGATE
from ..findings import Problem, Repair
from ..options import ParseOptions
from ..read.account import Account
from ..read.answer import MAX_REPLY
from ..read.build import Builder, Element, Mark, Tree
from ..read.candidates import JSON_BEGINS, fits, tag_scanner
from ..read.containers import entry_of, field_value, key_of
from ..read.data import LimitReachedError, Reader
from ..read.grammar import Grammar, Shape, State, grammar_of
from ..read.scan import CLOSE, OPEN, REASONING, Symbol
from ..read.scan_json import closer_of, json_scanner
from ..read.search import LOOK_BACK, Search
from ..read.search import Node as Place
from ..read.table import ITEMS, Move, is_named, may_follow
from ..read.table import element as inner_state
from ..read.tree import READERS
from ..read.written import LEFT_OUT
from ..render.placeholder import placeholder
from .feed import BracketFeed, TagFeed
from .growing import HELD, Growing, GrowingMarkup, GrowingString

_TEXTS = frozenset({"string", "quoted", "scalar"})
"""Kinds of states in which `filled` says that something inside a text could have been its end."""

_KEPT = 4 * LOOK_BACK
"""Points to rewind to that are kept. The search takes back at most two look-backs."""

_MAX_CLOSED = 1_000
"""Frames of closed elements that are kept, in case a closing tag turns out not to be one."""


class Opened:
    """An open element at one moment: its shape and values, and its role and the steps to it in the one around it.

    One of any type `is_opaque`: what it is shows only once it is closed.
    """

    __slots__ = ("_made", "_values", "is_opaque", "node", "role", "shape", "size", "steps")

    def __init__(self, shape: Shape, made: Any, role: str, steps: Path | None) -> None:
        self.shape = shape
        self._made = made
        self.size = len(made) if type(made) in (dict, list) else -1
        self.role = role
        self.steps = steps
        self.node = shape.parts[0] if len(shape.parts) == 1 else _ANY
        self.is_opaque = any(part.kind == "any" for part in shape.parts)
        self._values: dict[str, Any] | None = None

    @property
    def made(self) -> Any:
        """The values as they were. Those of the frame may have grown since."""
        return self._made if self.size < 0 or self.size == len(self._made) else _first(self._made, self.size)

    def is_of(self, made: Any) -> bool:
        """Returns whether these are still the values of the frame."""
        return self._made is made and (self.size < 0 or self.size == len(made))

    def boxed(self, inner: Opened | None, value: Any) -> Any:
        """Returns the values in a Box, with the value of an open element inside, or MISSING if nothing is known."""
        made = self.made
        if self.is_opaque:
            return MISSING
        if inner is not None and inner.steps is not None and value is not MISSING:
            if inner.role == "field" and (made is None or (type(made) is dict and inner.steps[0] not in made)):
                return shell(self.node, {**self._named(), str(inner.steps[0]): value})
            made = put(made, inner.role, inner.steps, value)
        if made is None:
            made = _EMPTY.get(self.node.kind, MISSING)
        if type(made) is not dict:
            return shell(self.node, made) if type(made) is list else made
        return shell(self.node, {**self._named(), **made})

    def _named(self) -> dict[str, Any]:
        """Returns the values by name, None for fields without one."""
        if self._values is None:
            made = self.made if isinstance(self.made, dict) else {}
            self._values = {**dict.fromkeys(self.shape.fields), **made}
        return self._values


_EMPTY: dict[str, Any] = {"dict": {}, "map": {}, "list": []}
"""The values of elements of which nothing is known, but what they are."""
_ANY = Node("any")


class Added(NamedTuple):
    """A child in a frame, the number of values before it, the mark of the account, and the steps to its value."""

    child: Element
    size: int
    mark: tuple[int, int]
    steps: Path | None


class Frame:
    """An open element with the values of its closed children.

    Attributes:
        steps: The steps from the element around it, None if it has no value.
        made: The values, as a dict or a list; the value itself for an option of a union; None before the first.
        first: The index of the first item.
        fixed: The number of children that are final.
    """

    __slots__ = ("added", "element", "first", "fixed", "made", "mark", "opened", "path", "steps")

    def __init__(self, element: Element, path: Path, steps: Path | None, mark: tuple[int, int]) -> None:
        self.element = element
        self.path = path
        self.steps = steps
        self.mark = mark
        self.made: Any = None
        self.added: list[Added] = []
        self.first = self.fixed = 0
        self.opened: Opened | None = None

    def held(self, steps: Path) -> Any:
        """Returns the closed value at some steps, or MISSING."""
        first = steps[0] if steps else None
        return at(self.made, (first - self.first, *steps[1:]) if isinstance(first, int) else steps)

    def shown(self) -> Opened:
        """Returns what it holds now."""
        if self.opened is None or not self.opened.is_of(self.made):
            self.opened = Opened(self.element.shape, self.made, self.element.role, self.steps)
        return self.opened


Spine = list[Opened]
"""The open elements, from the root inwards."""


class Shown(NamedTuple):
    """What is known of an answer at one moment. It does not change, and shares what earlier ones hold.

    Attributes:
        spine: The open elements.
        path: The place that is being written.
        text: The string there, and the end of what is shown of it.
        final: The number of values that were final.
    """

    spine: Spine
    path: Path | None
    text: tuple[Growing, int] | None
    final: int
    repairs: tuple[Repair, ...]
    problems: tuple[Problem, ...]


NOTHING = Shown([], None, None, 0, (), ())


class Partial:
    """The reading of one answer while it is written."""

    def __init__(
        self, grammar: Grammar, feed: TagFeed | BracketFeed, state: State, index: int, options: ParseOptions
    ) -> None:
        tokens = feed.tokens
        self.grammar = grammar
        self.feed = feed
        self.first = index
        self.has_root = state.filled >= 0
        self.search = Search(grammar, state, index, lambda state, at: fits(state, tokens, at))
        self.builder = Builder(tokens)
        if index and isinstance(feed, BracketFeed):
            self.builder.take(0, Move(state, (("open", state.shape, "root", None, False),)), tokens.starts[0])
        tree = Tree(None, self.builder.mended, self.builder.left, tokens)
        self.account = Account((0, 0), options.repair, options.day_first)
        self.reader = Reader(grammar, tree, self.account, READERS)
        self.places: list[Place] = []  # of the cheapest reading
        self.way: list[Any] = []  # the moves that the builder has taken
        self.stack: list[Frame] = []
        self.fixed: Place | None = None
        self.marks: dict[int, Mark] = {0: self.builder.mark()}
        self.symbols: list[Symbol] = []
        self.version = -1
        self.shown = NOTHING
        self.frames: dict[int, Frame] = {}
        self.final: dict[Path, Any] = {}
        self.growing: Growing | None = None
        self.strings: dict[Path, tuple[Growing, int]] = {}
        self.text = ""
        self.state = state
        self.lost: list[tuple[Path, Any]] = []
        self.doubted = 0  # texts from here on may have changed
        self.is_over = False
        self.is_contradicted = False

    @property
    def has_data(self) -> bool:
        """Whether anything of an answer was found."""
        return any(frame.made for frame in self.frames.values()) or bool(self.strings)

    def advance(self, text: str) -> Shown:
        """Returns what is known now. `text` is all of the reply so far."""
        self.feed.feed(text)
        if self.feed.version != self.version:
            self.version = self.feed.version
            self.text = self.reader.text = self.builder.tokens.text = text
            self.state = self._read()
            self.shown = self._show()
            self.text = self.reader.text = self.builder.tokens.text = ""  # the text grows in place
        growing = self.growing
        if growing is not None:
            end, path = growing.end, self.shown.path
            growing.advance(text)
            if growing.length and (growing.end > end or self.shown.text is None) and path is not None:
                self.shown = self.shown._replace(text=(growing, growing.end))
                self.strings[path] = growing, growing.end
        return self.shown

    # The reading

    def _read(self) -> State:
        """Continues the reading with the tokens that have come, and returns the state behind them."""
        search, symbols = self.search, self.builder.tokens.symbols
        self.symbols += symbols[len(self.symbols) : self.feed.known]
        count = len(self.places)
        if len(self.symbols) > search.last[3] and not self.is_over:
            self.is_over = search.run(self.symbols) is not None or search.node is None
            count = self._follow(search.last)
        moves = [place[1] for place in self.places[count:]]
        _before, _move, state, index, _cost, made, _anchor = search.last
        while index < len(symbols) and state.kind != "done" and not self.is_over:  # as if the reply ended there
            options = search.options(state, symbols[index], made, index)
            if not options or (state.kind in _TEXTS and state.filled):
                break  # a text that holds what could have ended it
            _price, made, move = options[0]
            moves.append(move)
            state, index = move.state, index + 1
        self._apply(count, moves)
        return state

    def _follow(self, place: Place) -> int:
        """Updates the places of the cheapest reading, and returns the number of those that it has kept."""
        places, ahead = self.places, []
        at: Place | None = place
        while at is not None and at[0] is not None:
            number = at[3] - self.first - 1
            if number < len(places) and places[number] is at:
                break
            ahead.append(at)
            at = at[0]
        count = place[3] - self.first - len(ahead)
        if count < len(places):
            self.doubted = min(self.doubted, self.builder.tokens.starts[self.first + count])
        places[count:] = reversed(ahead)
        return count

    def _apply(self, count: int, moves: list[Move | None]) -> None:
        """Makes the builder have taken exactly some moves behind the first ones."""
        way, builder, tokens = self.way, self.builder, self.builder.tokens
        for number, move in enumerate(moves, count):
            assert move is not None
            index = self.first + number
            taken = move.steps, move.edits, move.parts, tokens.starts[index], tokens.ends[index]
            if number < len(way):
                if way[number] == taken:
                    continue
                self._lose(way[number][3])
                builder.rewind(self.marks[number])
                del way[number:]
            if (move.steps or move.edits) and (move.steps or move.state.kind != "done"):
                builder.take(index, move, tokens.ends[index - 1] if index else 0)
            way.append(taken)
            self.marks[len(way)] = builder.mark()
            self.marks.pop(len(way) - _KEPT, None)
        if count + len(moves) < len(way):
            self._lose(way[count + len(moves)][3])
            builder.rewind(self.marks[count + len(moves)])
            del way[count + len(moves) :]

    def _lose(self, place: int) -> None:
        """Notes the values that end behind a place, since their moves are taken back."""
        for frame in takewhile(lambda frame: frame.steps is not None, self.stack):
            for added in reversed(frame.added):
                if added.child.stop <= place:
                    break
                if added.steps:
                    self.lost.append(((*frame.path, *added.steps), frame.held(added.steps)))

    # The data

    def _show(self) -> Shown:
        root = self.builder.root
        is_open = bool(self.builder.open)
        frames = self._frames(self.builder.open or ([root] if root is not None else []))
        if root is not None and not is_open and frames[0].made is None and not root.children and root.content:
            frames[0].made = to_box(self.grammar.root.node, self.reader.value(root, self.grammar.root.node, ()))
        self._settle(frames)
        self._grow(frames if is_open else [])
        self._check(frames)
        spine = [frame.shown() for frame in frames]
        path, account = frames[-1].path if is_open else None, self.account
        return Shown(spine, path, None, len(self.final), tuple(account.repairs), tuple(account.problems))

    def _frames(self, opened: list[Element]) -> list[Frame]:
        """Returns the frames of the open elements, with all closed children in them."""
        frames = self.stack
        for depth, each in enumerate(opened):
            if depth == len(frames) or frames[depth].element is not each:
                frames[depth:] = [self._frame(frames[depth - 1] if depth else None, each)]
            count = len(each.children) - (depth + 1 < len(opened))
            added = frames[depth].added
            if len(added) != count or (count and added[-1].child is not each.children[count - 1]):
                self._fill(frames[depth], count)
        del frames[len(opened) :]
        if len(self.frames) > _MAX_CLOSED + len(frames):
            self.frames = {id(frame.element): frame for frame in frames}
        return frames

    def _frame(self, around: Frame | None, element: Element) -> Frame:
        """Returns the frame of an element, which may have been open before."""
        frame = self.frames.get(id(element))
        if frame is None or frame.element is not element:
            mark = self.account.mark()
            is_nameless = element.role == "entry" and fold(element.name) in ITEMS and not element.attributes
            steps = () if around is None else None if is_nameless else self._steps(around, element)
            self.account.take_back(mark)
            path = () if around is None else (*around.path, *(steps or ()))
            frame = self.frames[id(element)] = Frame(element, path, steps, mark)
            if around is not None and element.role == "again":  # a list that continues
                frame.first = len(around.held((element.step,)) or ())
        return frame

    def _fill(self, frame: Frame, count: int) -> None:
        """Makes a frame hold the values of exactly the first children of its element."""
        children, added = frame.element.children, frame.added
        gone: list[Added] = []
        while added and (len(added) > count or not _is_same(added[-1].child, children[len(added) - 1])):
            gone.append(added.pop())
        if any(each.child.role not in _COUNTED for each in gone):
            gone += reversed(added)
            added.clear()
        if gone:
            frame.made = _first(frame.made, gone[-1].size)
            frame.fixed = min(frame.fixed, len(added))
            self.account.take_back(gone[-1].mark)
        for child in children[len(added) : count]:
            mark = self.account.mark()
            steps = self._steps(frame, child)
            added.append(Added(child, _size(frame.made), mark, steps))
            if steps is not None:
                self._add(frame, child, steps)

    def _steps(self, frame: Frame, child: Element) -> Path | None:
        """Returns the steps from an element to the value of a child, or None if the child has none."""
        made = frame.made or {}
        if child.role in ("field", "again"):
            return (child.step,)
        if child.role == "item":
            return (frame.first + len(made),)
        if child.role == "item of":
            return child.step, len(made.get(child.step) or ())
        if child.role in ("entry", "pair"):
            children = child.children[:]
            raw, _value = entry_of(child)
            child.children = children  # which lose their key
            node = next((part for part in frame.element.shape.parts if part.kind == "map"), _ANY_MAP)
            assert node.key is not None
            return None if raw is None else (key_of(self.reader, child, raw, node.key, frame.path)[0],)
        return () if child.role in ("wrapper", "option") else None

    def _add(self, frame: Frame, child: Element, steps: Path) -> None:
        """Adds the value of a closed child."""
        placeholders = self.account.placeholders
        value = self._value(frame, child, (*frame.path, *steps))
        own = self.frames.get(id(child))
        is_shown = own is not None and own.element is child and own.steps is not None
        if own is not None and is_shown and not goes_on(own.made, value):
            self.is_contradicted = True
        if value is LEFT_OUT or self.account.placeholders > placeholders:
            return
        made, step = frame.made, steps[-1] if steps else None
        if child.role == "item" and type(made) is list:
            made.append(value)  # parts that hold the list know its length
        elif child.role in _NAMED and type(made) is dict:
            made.setdefault(step, value)
        else:
            frame.made = put(made, child.role, steps, value)

    def _value(self, frame: Frame, child: Element, path: Path) -> Any:
        """Returns the value of a closed child as Boxes."""
        node, own = _node(child.shape), self.frames.get(id(child))
        if child.role == "pair":
            node, children = node.fields["value"].node, child.children[:]
            _raw, inner = entry_of(child)
            value = None if inner is None else self.reader.value(inner, node, path)
            child.children = children  # which lose their key
            return to_box(node, value)
        if own is not None and own.element is child:
            self._fill(own, len(child.children))
            if _is_plain(child, own.made):
                in_order = {name: own.made[name] for name in node.fields}
                return shell(node, in_order if node.kind == "dict" else own.made)
            self.account.take_back(own.mark)
        elif not child.children and child.form == "xml":
            tags = self.text[child.start : child.inner], self.text[child.end : child.stop]
            child.is_leaf = tags == (f"<{child.name}>", f"</{child.name}>")
        around = frame.element.shape.parts
        if child.role == "field" and len(around) == 1:
            return to_box(node, field_value(self.reader, [child], around[0].fields[child.step], path))
        return to_box(node, self.reader.value(child, node, path))

    # What is final

    def _settle(self, frames: list[Frame]) -> None:
        """Notes the values that are final since their decisions are."""
        fixed = self.search.fixed
        if fixed is None or fixed is self.fixed:
            return
        self.fixed = fixed
        boundary = self.builder.tokens.starts[fixed[3]]
        waiting = frames[:]
        for frame in waiting:
            while frame.fixed < len(frame.added) and frame.added[frame.fixed].child.stop <= boundary:
                steps = frame.added[frame.fixed].steps
                frame.fixed += 1
                if steps and len(steps) == 1 and (value := frame.held(steps)) is not MISSING:
                    self._finish((*frame.path, *steps), value)
            closed = frame.added[frame.fixed].child if frame.fixed < len(frame.added) else None
            if (inner := self.frames.get(id(closed))) is not None and inner.element is closed:
                waiting.append(inner)

    def _finish(self, path: Path, value: Any) -> None:
        known = self.final.setdefault(path, value)
        if isinstance(value, dict):
            for name, held in dict.items(value):
                self._finish((*path, name), held)
        elif isinstance(value, list):
            for index, held in enumerate(value):
                self._finish((*path, index), held)
        elif not goes_on(known, value):
            self.is_contradicted = True

    # The text that is being written

    def _grow(self, frames: list[Frame]) -> None:
        """Follows the innermost element if it is a text."""
        before, self.growing = self.growing, None
        if not frames:
            return
        frame = frames[-1]
        element, node = frame.element, _node(frame.element.shape)
        if node.kind != "str" or element.token < 0 or element.children or any(each.steps is None for each in frames):
            return
        if element.form == "json" and closer_of(element) != '"':
            return
        for known in (before, *self.strings.get(frame.path, ())[:1]):
            if known is not None and known.inner == element.inner:
                self.growing = known
                return
        around = frames[-2].element.shape.fields if len(frames) > 1 else {}
        is_optional = element.role == "field" and not around[element.step][0].required
        held = HELD if node.nullable is not False or is_optional else 0
        more = len(placeholder(node)) if is_optional else 0
        if element.form == "json":
            self.growing = GrowingString(element.inner, held, more)
        else:
            self.growing = GrowingMarkup(element.inner, held, more, self._may_end)

    def _may_end(self, name: str) -> bool:
        """Returns whether a tag with a name may end the text that is being written."""
        tag, feed = Symbol(OPEN, name), self.feed
        assert isinstance(feed, TagFeed)
        if is_named(tag, self.state.closer) or may_follow(self.grammar, self.state, tag):
            return True
        folded = fold(name)
        return folded not in feed.scanner.known and not feed.scanner.is_other(folded)

    def _check(self, frames: list[Frame]) -> None:
        """Compares what was shown with what it is now, back to where a decision changed."""
        growing_path = frames[-1].path if self.growing is not None else None
        for path, value in self.lost:
            if self.growing is not None and path == growing_path:
                self.growing.held = -1  # it was shown, and goes on
            elif value is not MISSING and not goes_on(value, _value_at(frames, path)):
                self.is_contradicted = True
        self.lost = [each for each in self.lost if each[0] == growing_path]
        for path, (growing, end) in reversed(self.strings.items()):
            if growing.inner < self.doubted:
                break
            if growing is not self.growing and not _begins(
                growing, self.text[growing.start : end], _value_at(frames, path)
            ):
                self.is_contradicted = True
        self.doubted = self.growing.inner if self.growing is not None else len(self.text)

    def begin_anew(self) -> None:
        """Forgets what was final and what was shown, since it is replaced."""
        self.is_contradicted = False
        self.final, self.strings = {}, {}
        for frame in self.frames.values():
            frame.fixed = 0

    def is_kept(self, text: str, data: Any) -> bool:
        """Returns whether the data of the whole reply, as Boxes, agrees with all that was shown."""
        return goes_on(instance(self.grammar, self.shown, text), data) and all(
            _begins(growing, text[growing.start : end], at(data, path)) for path, (growing, end) in self.strings.items()
        )


def _begins(growing: Growing, piece: str, value: Any) -> bool:
    return isinstance(value, str) and value.startswith(growing.decoded(piece))


def _value_at(frames: list[Frame], path: Path) -> Any:
    """Returns a value in the innermost frame that is around it."""
    found: Any = MISSING
    for frame in takewhile(lambda frame: frame.steps is not None, frames):
        if path[: len(frame.path)] == frame.path:
            found = frame.held(path[len(frame.path) :])
    return found


def at(value: Any, path: Path) -> Any:
    """Returns the value at a path of an instance, or MISSING."""
    for step in path:
        try:
            value = value[step] if isinstance(step, int) else dict.__getitem__(value, step)
        except (IndexError, KeyError, TypeError):
            return MISSING
    return value


def _node(shape: Shape) -> Node:
    """Returns the node that a value of a shape is read by. Options of a union may share a text."""
    return shape.parts[0] if {part.kind for part in shape.parts} == {"str"} else shape.node


def _is_plain(element: Element, made: Any) -> bool:
    """Returns whether the value of an element is just that of its children."""
    role = {"list": "item", "dict": "field"}.get(element.shape.node.kind)
    if not made or element.attributes or any(child.role != role for child in element.children):
        return False
    return role == "item" or (isinstance(made, dict) and made.keys() == element.shape.fields.keys())


def goes_on(shown: Any, value: Any) -> bool:
    """Returns whether a value is what was shown of it, or more."""
    if isinstance(shown, str):
        return isinstance(value, str) and value.startswith(shown)
    if isinstance(shown, dict):
        return isinstance(value, dict) and all(goes_on(held, at(value, (name,))) for name, held in dict.items(shown))
    if isinstance(shown, list):
        is_list = isinstance(value, list) and len(value) >= len(shown)
        return is_list and all(map(goes_on, shown, value))
    return shown in (None, MISSING) or bool(shown == value) or (isinstance(shown, float) and isnan(shown))


def _is_same(one: Element, other: Element) -> bool:
    return one is other or (one.start, one.stop, one.role, one.step) == (
        other.start,
        other.stop,
        other.role,
        other.step,
    )


def _size(made: Any) -> int:
    return len(made) if isinstance(made, dict | list) else int(made is not None)


def _first(made: Any, size: int) -> Any:
    """Returns the first values of a container. Anything else is one value."""
    if not size:
        return None
    if isinstance(made, list):
        return made[:size]
    return dict(islice(dict.items(made), size)) if isinstance(made, dict) else made


_NAMED = frozenset({"field", "entry", "pair"})
_COUNTED = _NAMED | {"item", "skipped", "repeated"}
"""Roles of children that add one value at the end of the container, or none."""
_ANY_MAP = Node("map", key=Node("str"), item=Node("any"))


def put(made: Any, role: str, steps: Path, value: Any) -> Any:
    """Returns a copy of the values of an element with one more, of a child in some role."""
    if role == "option" or (role == "wrapper" and made is None):
        return value if made is None else made
    if made is not None and not isinstance(made, list if role == "item" else dict) and role != "wrapper":
        return made  # of another kind
    if role == "item":
        return [*(made or ()), value]
    held: dict[Any, Any] = made if isinstance(made, dict) else {}
    if role == "wrapper":
        if isinstance(value, dict):
            absent = getattr(value, "_absent", ())
            given = {name: each for name, each in dict.items(value) if each is not None and name not in absent}
            return {**value, **held, **given}
        return [*(made or ()), *(value or ())]
    if role == "again":
        return {**held, steps[0]: [*(held.get(steps[0]) or ()), *(value or ())]}
    if role == "item of":
        return {**held, steps[0]: [*(held.get(steps[0]) or ()), value]}
    return held if steps[0] in held else {**held, steps[0]: value}


def instance(grammar: Grammar, shown: Shown, text: str) -> Any:
    """Returns what is shown as an instance: Boxes with every field, None where nothing is known."""
    value: Any = MISSING
    inner: Opened | None = None
    for opened in reversed(shown.spine):
        is_text = inner is None and shown.text is not None
        value = shown.text[0].value(text, shown.text[1]) if is_text and shown.text else opened.boxed(inner, value)
        inner = opened
    value = Opened(grammar.root, None, "", None).boxed(None, value) if value is MISSING else value
    return None if value is MISSING else value


def look(shown: Shown, path: Path) -> Any:
    """Returns the closed value at a path, or MISSING."""
    around: Path = ()
    found: Any = MISSING
    for opened in shown.spine:
        around = (*around, *(opened.steps or ()))
        if opened.steps is not None and path[: len(around)] == around:
            found = at(opened.made, path[len(around) :])
    return found


class Preview:
    """The readings of a reply that comes in pieces.

    Attributes:
        text: The reply so far, with U+FFFD in place of lone surrogates.
        halves: The lone surrogates, with their places.
        shown: What is known now.
        is_lost: Whether the reply exceeds a limit, so that nothing more is shown.
    """

    def __init__(self, plan: Plan, options: ParseOptions) -> None:
        self.plan = plan
        self.options = options
        self.grammar = grammar_of(plan)
        self.tags = TagFeed(tag_scanner(plan))
        self.text = ""
        self.partial: Partial | None = None
        self.rival: Partial | None = None
        self.shown = NOTHING
        self.is_lost = options.format == "yaml"
        self._next = 0  # the token from which on an answer is looked for
        self._passed = 0  # the end of the last answer
        self._looked = 0  # the place from which on JSON is looked for
        self._thoughts = 0
        self.halves: list[tuple[int, str]] = []

    @property
    def final(self) -> dict[Path, Any]:
        """The values that are final, by their paths, in their order."""
        return {} if self.partial is None else self.partial.final

    @property
    def bad(self) -> Collection[Path]:
        """The paths of values with problems, and those of all values around them."""
        return () if self.partial is None else self.partial.account.around_bad

    def is_kept(self, data: Any) -> bool:
        """Returns whether the final data agrees with what was shown of it."""
        return self.partial is None or self.partial.is_kept(self.text, data)

    def feed(self, piece: str) -> bool:
        """Takes the next piece. Returns whether what was shown before is replaced."""
        text, self.text = self.text, ""
        if not piece.isascii():
            halves = SURROGATE.finditer(piece)
            self.halves += [(len(text) + half.start(), half[0]) for half in halves]
            piece = SURROGATE.sub("\ufffd", piece)
        text += piece[: MAX_REPLY + 1 - len(text)]  # in place, since nothing else refers to the text
        self.text = text
        self.is_lost = self.is_lost or len(text) > MAX_REPLY
        try:
            return not self.is_lost and self._advance(text)
        except (LimitReachedError, RecursionError):
            self.is_lost = True
            return False

    def _advance(self, text: str) -> bool:
        is_replaced = False
        if self.partial is not None:
            self.shown = self.partial.advance(text)
        while self._begins(text):
            assert self.rival is not None
            shown, had_data = self.rival.advance(text), self.partial is not None and self.partial.has_data
            if had_data and not self.rival.has_data:
                if not self.rival.is_over:
                    break
                self._pass(self.rival)
            else:
                is_replaced = is_replaced or had_data
                self.partial, self.shown = self.rival, shown
            self.rival = None
        if self.partial is not None and self.partial.is_contradicted:
            self.partial.begin_anew()
            is_replaced = True
        return is_replaced

    def _begins(self, text: str) -> bool:
        """Returns whether there is a rival: an answer behind or around the one that is shown."""
        partial = self.partial
        if self.rival is not None or self.is_lost:
            return self.rival is not None
        if partial is None or partial.is_over:
            if partial is not None:
                self._pass(partial)
            return self._begins_in_tags(text) or self._begins_in_json(text)
        is_weak = not partial.has_data if isinstance(partial.feed, BracketFeed) else not partial.has_root
        return is_weak and self._begins_in_tags(text, only_roots=True)

    def _pass(self, partial: Partial) -> None:
        """Looks for the next answer behind an answer that is over."""
        index, tokens = partial.search.last[3] - 1, partial.feed.tokens
        self._passed = tokens.starts[min(index, len(tokens) - 1)]
        self._looked = max(self._looked, self._passed)
        if partial.feed is self.tags:
            self._next = max(self._next, index)

    def _begins_in_tags(self, text: str, only_roots: bool = False) -> bool:
        if self.options.format == "json":
            return False
        tags, grammar = self.tags, self.grammar
        tags.feed(text)
        tokens = tags.tokens
        while self._next < len(tokens):
            index = self._next
            tag = tokens.tags[index]
            if index >= tags.known and tokens.ends[index] == len(text):
                return False  # perhaps a tag that is used like a word
            self._next += 1
            if tokens.starts[index] < self._passed:
                continue
            if tag.folded in REASONING - grammar.names:
                self._thoughts = max(0, self._thoughts + (tag.kind == OPEN) - (tag.kind == CLOSE))
            is_root = tag.folded in grammar.root_names
            is_field = not only_roots and grammar.root.field(tag.name) is not None
            if self._thoughts or tag.kind != OPEN or tokens.symbols[index].is_mention or not (is_root or is_field):
                continue
            state = grammar.start if is_root else grammar.rootless
            self.rival = Partial(grammar, tags, state, index, self.options)
            return True
        return False

    def _begins_in_json(self, text: str) -> bool:
        if self.options.format == "xml":
            return False
        if self._thoughts:
            self._looked = len(text)
        match = JSON_BEGINS.search(text, self._looked)
        if match is None:
            self._looked = max(self._looked, len(text) - _LONGEST_BEGINNING)
            return False
        grammar, start = self.grammar, match.start()
        self._looked = start + 1
        feed = BracketFeed(json_scanner(self.plan), text, start, self.plan.root_name)
        feed.feed(text)
        around = grammar.state("ended", grammar.root, "", "")
        closer = feed.tokens.symbols[0].closer if feed.tokens.symbols else ""
        inside = inner_state(grammar, grammar.root, self.plan.root_name, closer, around)
        self.rival = Partial(grammar, feed, inside, 1, self.options)
        return True


_LONGEST_BEGINNING = 100
"""Characters at the end of a text in which JSON may have begun that is not recognized yet."""
