"""The values of one answer while it is written: what is known, what is final, and the text that grows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..data.box import to_box
from ..definition import MISSING, Node, Path, fold
from ..options import ParseOptions
from ..read.account import Account
from ..read.build import Element, Tree
from ..read.containers import entry_of, field_value, key_of
from ..read.data import Reader
from ..read.grammar import Grammar, State
from ..read.read_json import closer_of
from ..read.scan import OPEN, Symbol
from ..read.search import LOOK_BACK
from ..read.table import ITEMS, is_named, may_follow
from ..read.table import element as inner_state
from ..read.tree import READERS
from ..read.values.scalars import own_value
from ..read.written import LEFT_OUT
from ..render.placeholder import placeholder
from .feed import BracketFeed, TagFeed
from .frames import (
    COUNTED,
    NAMED,
    Added,
    Final,
    Frame,
    Opened,
    Shown,
    at,
    final_values,
    first_of,
    goes_on,
    instance,
    is_same,
    put,
    size_of,
)  # fmt: skip
from .growing import HELD, Growing, GrowingMarkup, GrowingString
from .reading import RunningReading

_COMPARED = 1
"""Tokens for each character of the reply that may be compared as a whole. This keeps the time linear."""
_FORGOTTEN = 3 * LOOK_BACK
"""Tokens after which those that are final are forgotten for the first time. The search reads the others again then."""
_NO_FIELD = (None, None, 0)
_ANY_MAP = Node("map", key=Node("str"), item=Node("any"))


class Partial:
    """The reading of one answer while it is written."""

    def __init__(
        self, grammar: Grammar, feed: TagFeed | BracketFeed, state: State, index: int, options: ParseOptions
    ) -> None:
        self.grammar = grammar
        self.feed = feed
        self.has_root = state.filled >= 0
        self.reading = RunningReading(grammar, feed, state, index)
        builder = self.reading.builder
        self.account = Account((0, 0), options.repair, options.day_first)
        self.reader = Reader(grammar, Tree(None, builder.mended, builder.left, feed.tokens), self.account, READERS)
        self.version = -1
        self.horizon = _FORGOTTEN  # tokens
        self.shown = Shown([])
        self.stack: list[Frame] = []  # of the open elements
        self.frames: dict[int, Frame] = {}  # those of closed elements too
        self.fixed: int | None = None
        self.growing: Growing | None = None
        self.strings: dict[Path, tuple[Growing, int]] = {}
        self.text = ""
        self.foreseen = 0  # tokens
        self.ahead: dict[str, Any] = {}  # the values of the fields whose tokens were foreseen
        self.values: dict[tuple[int, int], Any] = {}  # those by the spans of their texts
        self.lost: list[tuple[Path, Any]] = []  # values to be compared with what is known now
        self.doubted = 0  # texts from here on may have changed
        self.compared = 0  # tokens of the answers that were compared as a whole
        self.is_contradicted = False

    @property
    def is_over(self) -> bool:
        return self.reading.is_over

    @property
    def has_data(self) -> bool:
        """Whether anything of an answer was found."""
        return bool(self.strings or self.ahead) or any(frame.made for frame in self.frames.values())

    def extend(self, piece: str, place: int, text: Callable[[], str]) -> bool:
        """Takes a piece that needs no search, and returns whether it is one: more of a text or of a tag, or the end of
        a tag that was foreseen. `text` returns all of the reply so far.
        """
        growing = self.growing
        if growing is None:
            if self.feed.passes(piece):
                return True
        elif growing.extend(piece, place):
            self._show_text(growing)
            return True
        if (growing is not None and self.feed.passes(piece)) or self._foresees(text):
            self._lengthen(text)
            return True
        return False

    def advance(self, text: str) -> Shown:
        """Returns what is known now. `text` is all of the reply so far."""
        before, feed, rewound = self.shown, self.feed, None
        feed.feed(text)
        if feed.version != self.version:
            if isinstance(feed, TagFeed):
                feed.classify(text)
            self.version, self.foreseen = feed.version, 0
            self.text = self.reader.text = feed.tokens.text = text
            self.reading.advance()
            rewound = self.reading.rewound
            if rewound is not None:
                self._lose(rewound)
            self.shown = self._show()
            self.text = self.reader.text = feed.tokens.text = ""  # the text grows in place
        self._lengthen(lambda: text)
        if rewound is not None:
            self._compare(before, text)
        return self.shown

    def _lengthen(self, text: Callable[[], str]) -> None:
        """Shows what has come of the text that is being written."""
        if self.growing is not None:
            self.growing.advance(text())
            self._show_text(self.growing)

    def _show_text(self, growing: Growing) -> None:
        shown, end = self.shown, growing.end
        if growing.length and shown.path is not None and (shown.text is None or shown.text[1] < end):
            self.strings[shown.path] = growing, end
            self.shown = Shown(shown.spine, shown.path, (growing, end), shown.final, shown.repairs, shown.problems)

    def _lose(self, place: int) -> None:
        """Notes the values that end behind a place, since their moves were taken back."""
        self.doubted = min(self.doubted, place)
        for frame in (frame for frame in self.stack if frame.is_placed):
            for added in reversed(frame.added):
                if added.child.stop <= place:
                    break
                if added.steps is not None:
                    self.lost.append(((*frame.path, *added.steps), frame.held(added.steps)))

    # The values

    def _show(self) -> Shown:
        root, is_open = self.reading.builder.root, bool(self.reading.builder.open)
        around, ahead, self.ahead = self.stack[-1:], self.ahead, {}
        frames = self._frames(self.reading.builder.open or ([root] if root is not None else []))
        for frame in around:
            is_doubted = self.reading.rewound is not None
            others = [name for name, value in ahead.items() if is_doubted or frame.held((name,)) != value]
            self.lost += [((*frame.path, name), ahead[name]) for name in others]
        self.values = {}
        if root is not None and not is_open and frames[0].made is None and not root.children and root.content:
            frames[0].made = to_box(self.grammar.root.node, self.reader.value(root, self.grammar.root.node, ()))
            frames[0].opened = None
        final, growing = self._final(frames), self.growing
        self._grow(frames if is_open else [])
        if self.growing is not growing or self.lost or self.reading.rewound is not None:
            self._check(frames)
        spine = [frame.opened or frame.shown() for frame in frames]
        path, account, before = frames[-1].path if is_open else None, self.account, self.shown
        is_same = before.text is None and spine[:-1] == before.spine and (not spine or spine[-1].is_unknown)
        made = before.instance if is_same else MISSING  # behind an opening tag
        return Shown(spine, path, None, final, (*account.repairs,), (*account.problems,), made)

    def _frames(self, opened: list[Element]) -> list[Frame]:
        """Returns the frames of the open elements, with all closed children in them."""
        frames = self.stack
        depth = 0
        if self.reading.rewound is None:  # those around the innermost one that is still open have not changed
            depth = max(0, min(len(frames), len(opened)) - 1)
            while depth and frames[depth].element is not opened[depth]:
                depth -= 1
        for each in opened[depth:]:
            if depth == len(frames) or frames[depth].element is not each:
                frames[depth:] = [self._frame(frames[depth - 1] if depth else None, each)]
            depth += 1
            children, added = each.children, frames[depth - 1].added
            count = len(children) - (depth < len(opened))
            if len(added) != count or (count and added[-1].child is not children[count - 1]):
                self._fill(frames[depth - 1], count)
        del frames[depth:]
        return frames

    def _frame(self, around: Frame | None, element: Element) -> Frame:
        """Returns the frame of an element, which may have been open before."""
        frame = self.frames.get(id(element))
        if frame is None or frame.element is not element:
            mark = self.account.mark()
            steps = () if around is None else None if _is_nameless(element) else self._steps(around, element)
            if mark != self.account.mark():
                self.account.take_back(mark)  # what the key of an entry needed counts once it is closed
            frame = self.frames[id(element)] = Frame(element, around, steps, mark)
            if around is not None and element.role == "again":  # a list that continues
                before = around.held((element.step,))
                frame.first = len(before) if isinstance(before, list) else 0
        return frame

    def _fill(self, frame: Frame, count: int) -> None:
        """Makes a frame hold the values of exactly the first children of its element."""
        children, added = frame.element.children, frame.added
        gone: list[Added] = []
        while added and (len(added) > count or not is_same(added[-1].child, children[len(added) - 1])):
            gone.append(added.pop())
        frame.opened = None
        if gone:
            if any(each.child.role not in COUNTED for each in gone):
                gone += reversed(added)
                added.clear()
            frame.made = first_of(frame.made, gone[-1].size)
            frame.fixed = min(frame.fixed, len(added))
            self.account.take_back(gone[-1].mark)
        for child in children[len(added) : count]:
            mark = self.account.mark()
            steps = self._steps(frame, child)
            added.append(Added(child, size_of(frame.made), mark, steps))
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
        value = self.values.get((child.inner, child.end), MISSING) if child.role == "field" else MISSING
        if value is MISSING:
            value = self._value(frame, child, (*frame.path, *steps))
        if value is LEFT_OUT or self.account.placeholders > placeholders:
            return
        made, step = frame.made, steps[-1] if steps else None
        if child.role == "item" and type(made) is list:
            made.append(value)  # parts that hold the list know its length
        elif child.role in NAMED and type(made) is dict:
            made.setdefault(step, value)
        else:
            frame.made = put(made, child.role, steps, value)

    def _value(self, frame: Frame, child: Element, path: Path) -> Any:
        """Returns the value of a closed child as Boxes."""
        node, own = child.shape.read_as, self.frames.get(id(child))
        if child.role == "pair":
            node, children = node.fields["value"].node, child.children[:]
            _raw, inner = entry_of(child)
            value = None if inner is None else self.reader.value(inner, node, path)
            child.children = children  # which lose their key
            return to_box(node, value)
        if own is None or own.element is not child or not (own.added or child.children):
            return self._read(frame, child, node, path)
        self._fill(own, len(child.children))
        if own.is_cut or _is_plain(child, own.made):
            return own.shown().boxed(None, MISSING)
        self.account.take_back(own.mark)
        value = self._read(frame, child, node, path)
        self.is_contradicted = self.is_contradicted or not (own.steps is None or goes_on(own.made, value))
        return value

    def _read(self, frame: Frame, child: Element, node: Node, path: Path) -> Any:
        """Reads the value of a closed child."""
        if child.form == "xml":
            tags = self.text[child.start : child.inner], self.text[child.end : child.stop]
            child.is_leaf = not child.children and tags == (f"<{child.name}>", f"</{child.name}>")
        around = frame.element.shape.parts
        if child.role == "field" and len(around) == 1:
            return to_box(node, field_value(self.reader, [child], around[0].fields[child.step], path))
        return to_box(node, self.reader.value(child, node, path))

    # What is final

    def _final(self, frames: list[Frame]) -> tuple[Final, ...]:
        """Returns the values that are final since their decisions are."""
        boundary = self.reading.fixed
        if boundary is None or boundary == self.fixed:
            return self.shown.final
        self.fixed = boundary
        final: list[Final] = []
        frame: Frame | None = frames[0]
        while frame is not None:
            added, children = frame.added, frame.element.children
            while frame.fixed < len(added) and _is_final(added[frame.fixed].child, boundary):
                frame.fixed += 1
            size = added[frame.fixed].size if frame.fixed < len(added) else size_of(frame.made)
            if frame.is_placed:
                final.append(Final(frame.path, frame.made, frame.first, size))
            inner = children[frame.fixed] if frame.fixed < len(children) else None
            frame = self.frames.get(id(inner))
            frame = frame if frame is not None and frame.element is inner else None
        return tuple(final)

    def forget(self) -> None:
        """Forgets tokens and elements that are final, from time to time."""
        boundary, tokens = self.fixed, self.feed.tokens
        if len(tokens.starts) < self.horizon or boundary is None or len(tokens.symbols) < len(tokens.starts):
            return
        for frame in self.stack:
            gone = max(0, frame.fixed - 1)  # one stays, since some ask whether there are any
            if not frame.element.shape.is_any:
                del frame.element.children[:gone], frame.added[:gone]
                frame.fixed -= gone
        behind = (frame for frame in self.frames.values() if max(frame.element.start, frame.element.stop) > boundary)
        self.frames = {id(frame.element): frame for frame in (*self.stack, *behind)}
        ended = [path for path, (growing, _end) in self.strings.items() if growing.inner < boundary]
        for path in ended[:-1]:
            del self.strings[path]
        for known in (self.account.places, self.reader.nodes, self.reader.absent):
            known.clear()  # only the record of a whole answer needs them
        self.reading.forget()
        self.horizon = 2 * len(self.feed.tokens)

    # The text that is being written

    def _foresees(self, so_far: Callable[[], str]) -> bool:
        """Shows what the next tag does, and returns whether that needs no search: it is a plain opening tag of a field
        that is written as one text, or its closing tag behind a plain value. These are read with the next other tag.
        """
        feed, reading, before = self.feed, self.reading, self.shown
        state, is_open = reading.state, self.foreseen % 2
        if not isinstance(feed, TagFeed) or state.kind != "elements" or not reading.is_sure:
            return False
        text, tokens, index = so_far(), feed.tokens, len(feed.tokens.starts)
        feed.feed(text)
        if len(tokens.starts) != index + 1 or reading.next + self.foreseen != index:
            return feed.version == self.version
        name, frame = tokens.names[index], self.stack[-1]
        field, shape, bit = state.shape.fields.get(name) or _NO_FIELD
        if field is None or shape is None or not shape.is_text or len(state.shape.parts) > 1:
            return False
        if not feed.is_plain(index) or not frame.is_placed or len(frame.path) + 1 < len(self.stack):
            return False  # perhaps in an option or a wrapper
        if tokens.kinds[index] == OPEN:
            is_known = state.filled & bit or name in self.ahead or name in (frame.made or ())
            if is_open or is_known or feed.has_text[index]:
                return False
            path = (*frame.path, name)
            self._follow(path, tokens.ends[index], shape.read_as, not field.required)
            spine, made = [*before.spine, Opened(shape, None, "field", (name,))], before.instance
        else:
            start, end = tokens.ends[index - 1], tokens.starts[index]
            value = (self.reader.own_values.get(field.node) or own_value(field.node))(text[start:end])
            if not is_open or tokens.names[index - 1] != name or value is None:
                return False
            self.ahead[name] = self.values[start, end] = value
            self.growing, path, made = None, frame.path, MISSING
            opened = Opened(state.shape, {**(frame.made or {}), **self.ahead}, frame.element.role, frame.steps)
            spine = [*before.spine[:-2], opened]
        self.shown = Shown(spine, path, None, before.final, before.repairs, before.problems, made)
        self.foreseen += 1
        self.version = feed.version
        return True

    def _grow(self, frames: list[Frame]) -> None:
        """Follows the innermost element if it is a text."""
        before, self.growing = self.growing, None
        if not frames:
            return
        frame = frames[-1]
        element = frame.element
        if element.token < 0 or element.children or not frame.is_placed:
            return
        if element.form == "json" and closer_of(element) != '"':
            return
        if before is not None and before.inner == element.inner:
            self.growing = before
            return
        around = frames[-2].element.shape.fields if len(frames) > 1 else {}
        is_optional = element.role == "field" and not around[element.step][0].required
        self._follow(frame.path, element.inner, element.shape.read_as, is_optional)

    def _follow(self, path: Path, inner: int, node: Node, is_optional: bool) -> None:
        """Follows the text at a path if it is a string."""
        if node.kind != "str":
            return
        if path in self.strings and self.strings[path][0].inner == inner:
            self.growing = self.strings[path][0]
            return
        held = HELD if node.nullable is not False or is_optional else 0
        more = len(placeholder(node)) if is_optional else 0
        if isinstance(self.feed, TagFeed):
            self.growing = GrowingMarkup(inner, held, more, self._may_end)
        else:
            self.growing = GrowingString(inner, held, more)

    def _may_end(self, name: str) -> bool:
        """Returns whether a tag with a name may end the text that is being written."""
        tag, feed, state, grammar = Symbol(OPEN, name), self.feed, self.reading.state, self.grammar
        assert isinstance(feed, TagFeed)
        if self.foreseen:  # the text is that of the field that the last tag opens
            text, fields = feed.tokens.names[-1], state.shape.fields
            filled = sum(fields[name][2] for name in (*self.ahead, text))
            around = grammar.changed(state, filled=state.filled | filled, is_fresh=False)
            state = inner_state(grammar, fields[text][1], text, text, around, is_paired=True)
        if is_named(tag, state.closer) or may_follow(grammar, state, tag):
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
        if self.lost:
            self.lost = [each for each in self.lost if each[0] == growing_path]
        for path, (growing, end) in reversed(self.strings.items()):
            if growing.inner < self.doubted:
                break
            shown = growing.decoded(self.text[growing.start : end])
            if growing is not self.growing and not _begins(shown, _value_at(frames, path)):
                self.is_contradicted = True
        self.doubted = self.growing.inner if self.growing is not None else len(self.text)

    def value_at(self, path: Path) -> Any:
        """Returns the closed value at a path, or MISSING."""
        if path and path[-1] in self.ahead and path[:-1] == self.stack[-1].path:
            return self.ahead[path[-1]]
        return _value_at(self.stack, path)

    def _compare(self, before: Shown, text: str) -> None:
        """Compares all that was shown with what is now, as long as that is cheap: `_check` sees nearly everything."""
        self.compared += len(self.feed.tokens)
        if self.compared < _COMPARED * len(text) and not self.is_contradicted:
            was, now = instance(self.grammar, before, text), instance(self.grammar, self.shown, text)
            self.is_contradicted = was != now and not goes_on(was, now)

    def begin_anew(self) -> None:
        """Forgets what was final and what was shown, since it is replaced."""
        self.is_contradicted = False
        self.strings = {}
        self.shown = replace(self.shown, final=())
        for frame in self.frames.values():
            frame.fixed = 0

    def end(self, text: str) -> Callable[[Any], bool]:
        """Returns what tells whether the data of the whole reply, as Boxes, agrees with all that was shown."""
        shown = instance(self.grammar, self.shown, text)
        texts = [(path, text[growing.start : end], growing.decoded) for path, (growing, end) in self.strings.items()]
        self.strings, self.growing = {}, None  # which refer back, so that memory would be freed later
        final = self.shown.final

        def is_kept(data: Any) -> bool:
            if shown != data and not goes_on(shown, data):
                return False
            if shown != data and not all(goes_on(at(data, path), value) for path, value in final_values(final)):
                return False  # what was null for good is not
            return all(_begins(decoded(piece), at(data, path)) for path, piece, decoded in texts)

        return is_kept


def _begins(shown: str, value: Any) -> bool:
    return isinstance(value, str) and value.startswith(shown)


def _value_at(frames: list[Frame], path: Path) -> Any:
    """Returns a value in the innermost frame that is around it."""
    for frame in reversed(frames):
        size = len(frame.path)
        if frame.is_placed and path[:size] == frame.path and (value := frame.held(path[size:])) is not MISSING:
            return value
    return MISSING


def _is_nameless(element: Element) -> bool:
    """Returns whether an element is an entry whose key is known only once it is closed."""
    is_item = element.role == "entry" and fold(element.name) in ITEMS and not element.attributes
    return is_item or element.role == "pair"


def _is_plain(element: Element, made: Any) -> bool:
    """Returns whether the value of an element is just that of its children."""
    role = {"list": "item", "dict": "field"}.get(element.shape.node.kind)
    if not made or element.attributes or any(child.role != role for child in element.children):
        return False
    return role == "item" or (isinstance(made, dict) and made.keys() == element.shape.fields.keys())


def _is_final(element: Element, boundary: int) -> bool:
    """Returns whether a closed child lies in front of a place and is one value, or none."""
    return element.stop <= boundary and element.role in COUNTED
