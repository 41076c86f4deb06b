"""The values of an answer that is being written, read as each of its elements is closed."""

from __future__ import annotations

from typing import Any

from ..data.box import to_box
from ..definition import MISSING, Node, Path, fold
from ..options import ParseOptions
from ..read.account import Account
from ..read.build import Builder, Element, Tree
from ..read.containers import entry_of, field_value, key_of
from ..read.data import Reader
from ..read.grammar import Grammar
from ..read.table import ITEMS
from ..read.unions import READERS
from ..read.written import LEFT_OUT
from .frames import COUNTED, NAMED, Added, Final, Frame, at, first_of, is_same, put, size_of

_ANY_MAP = Node("map", key=Node("str"), item=Node("any"))


class Values:
    """The values of the open elements.

    Attributes:
        stack: The frames of the open elements, or that of the root once it is closed.
        final: The values that are final, from the root inwards.
        known: The values of fields that are known already, by the spans of their texts.
    """

    def __init__(self, grammar: Grammar, builder: Builder, options: ParseOptions) -> None:
        self.root = grammar.root.node
        self.account = Account((0, 0), options.repair, options.day_first)
        tree = Tree(None, builder.mended, builder.left, builder.tokens)
        self.reader = Reader(grammar, tree, self.account, READERS)
        self.stack: list[Frame] = []
        self.final: tuple[Final, ...] = ()
        self.known: dict[tuple[int, int], Any] = {}
        self._frames: dict[int, Frame] = {}  # those of closed elements too

    def update(self, builder: Builder) -> None:
        """Makes the stack hold the frames of the open elements, with all closed children in them."""
        frames, root = self.stack, builder.root
        opened = builder.open or ([root] if root is not None else [])
        for depth, each in enumerate(opened):
            if depth == len(frames) or frames[depth].element is not each:
                frames[depth:] = [self._frame(frames[depth - 1] if depth else None, each)]
            children, added = each.children, frames[depth].added
            count = len(children) - (depth + 1 < len(opened))
            if len(added) != count or (count and added[-1].child is not children[count - 1]):
                self._fill(frames[depth], count)
        del frames[len(opened) :]
        self.known = {}
        if root is not None and not builder.open and frames[0].made is None and not root.children and root.content:
            frames[0].made = to_box(self.root, self.reader.value(root, self.root, ()))
            frames[0].opened = None

    def _frame(self, around: Frame | None, element: Element) -> Frame:
        """Returns the frame of an element, which may have been open before."""
        frame = self._frames.get(id(element))
        if frame is None or frame.element is not element:
            mark = self.account.mark()
            steps = () if around is None else None if _is_nameless(element) else self._steps(around, element)
            if mark != self.account.mark():
                self.account.take_back(mark)  # what the key of an entry needed counts once it is closed
            frame = self._frames[id(element)] = Frame(element, around, steps, mark)
            if around is not None and element.role == "again":  # a list that continues
                before = at(around.made, (element.step,))
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
            added.append(Added(child, size_of(frame.made), self.account.mark()))
            steps = self._steps(frame, child)
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
            raw, _value = _entry_of(child)
            node = next((part for part in frame.element.shape.parts if part.kind == "map"), _ANY_MAP)
            assert node.key is not None
            return None if raw is None else (key_of(self.reader, child, raw, node.key, frame.path)[0],)
        return () if child.role in ("wrapper", "option") else None

    def _add(self, frame: Frame, child: Element, steps: Path) -> None:
        """Adds the value of a closed child."""
        placeholders = self.account.placeholders
        value = self.known.get((child.inner, child.end), MISSING) if child.role == "field" else MISSING
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
        node, own = child.shape.read_as, self._frames.get(id(child))
        if child.role == "pair":
            node = node.fields["value"].node
            _raw, inner = _entry_of(child)
            return to_box(node, None if inner is None else self.reader.value(inner, node, path))
        if own is None or own.element is not child or not (own.added or child.children):
            return self._read(frame, child, node, path)
        self._fill(own, len(child.children))
        if own.is_cut or _is_plain(child, own.made):
            return own.shown().boxed(None, MISSING)
        self.account.take_back(own.mark)
        return self._read(frame, child, node, path)

    def _read(self, frame: Frame, child: Element, node: Node, path: Path) -> Any:
        """Reads the value of a closed child."""
        if child.form == "xml":
            text = self.reader.text
            tags = text[child.start : child.inner], text[child.end : child.stop]
            child.is_leaf = not child.children and tags == (f"<{child.name}>", f"</{child.name}>")
        around = frame.element.shape.parts
        if child.role == "field" and len(around) == 1:
            return to_box(node, field_value(self.reader, [child], around[0].fields[child.step], path))
        return to_box(node, self.reader.value(child, node, path))

    def fix(self, boundary: int) -> None:
        """Finds what is final, since all decisions in front of a place are."""
        final: list[Final] = []
        frame: Frame | None = self.stack[0]
        while frame is not None:
            added, children = frame.added, frame.element.children
            while frame.fixed < len(added) and _is_final(added[frame.fixed].child, boundary):
                frame.fixed += 1
            size = added[frame.fixed].size if frame.fixed < len(added) else size_of(frame.made)
            if frame.is_placed:
                final.append(Final(frame.path, frame.made, frame.first, size))
            inner = children[frame.fixed] if frame.fixed < len(children) else None
            frame = self._frames.get(id(inner))
            frame = frame if frame is not None and frame.element is inner else None
        self.final = tuple(final)

    def unfix(self) -> None:
        """Takes back that anything is final."""
        self.final = ()
        for frame in self._frames.values():
            frame.fixed = 0

    def forget(self, boundary: int) -> None:
        """Forgets elements that are final, in front of a place. Their values are kept."""
        for frame in self.stack:
            gone = max(0, frame.fixed - 1)  # one stays, since some ask whether there are any
            if not frame.element.shape.is_any:
                del frame.element.children[:gone], frame.added[:gone]
                frame.fixed -= gone
        behind = (frame for frame in self._frames.values() if max(frame.element.start, frame.element.stop) > boundary)
        self._frames = {id(frame.element): frame for frame in (*self.stack, *behind)}
        for known in (self.account.places, self.reader.nodes, self.reader.absent):
            known.clear()  # only the record of a whole answer needs them


def _entry_of(element: Element) -> tuple[Any, Any]:
    """Returns the key and the value of an entry, which keeps its children: `entry_of` takes the key away."""
    children = element.children[:]
    found = entry_of(element)
    element.children = children
    return found


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
