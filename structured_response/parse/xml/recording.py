"""What an element says in characters, and what reading it puts on record."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...definition import MARKED, Node, Path, fold
from ...findings import ProblemKind, RepairKind, Span
from ...markup import BLANK, GAP, NULL_WORDS
from ..reading import Reading
from ..scalars.loose import bare
from ..scalars.scalars import Scalar, read_key, says_nothing
from ..scalars.text import Text, plain_value, value_of, without_comments
from ..scalars.trees import typed_key
from .elements import OWN, Element
from .sections import is_of_two
from .tokens import OPEN, Head
from .torn import in_other_brackets

__all__ = ["Recorder"]

_TAGS = re.compile(r"</?[^\W\d][^<>]*+>|</[^\W\d][\w.:-]*+")
"""Tags; opening ones that lost their last bracket may have the beginning of a value in them."""
_NEXT_TAG = re.compile(r"\s*+<([^\W\d][\w.:-]*+)")
_PARTIAL_REFERENCE = re.compile(r"&[A-Za-z#0-9]{0,32}\Z")
_HARMLESS = frozenset(
    {RepairKind.WRAPPER_ENTERED, RepairKind.ROOT_MISSING, RepairKind.REOPENED, RepairKind.ITEMS_SPLIT}
)
"""Repairs of structure that leave every character where it stands."""

Places = Callable[[str], tuple[str, str] | None]
"""Tells the role and the name of an element that a name has, if it has a place."""


class Recorder:
    """Reads the characters of one answer; `reading` takes what was found. `is_plain`: nothing in them is escaped."""

    def __init__(self, reply: str, reading: Reading, is_plain: bool = False) -> None:
        self.reply = reply
        self.is_plain = is_plain
        self.reading = reading
        self.places = reading.places

    def noted(self, element: Element, path: Path) -> None:
        """Puts on record what was done to find where an element begins or ends."""
        for kind, start, end, after in element.notes:
            before = self.reply[start:end]
            self.reading.repair(kind, path, (start, end), before, before if kind in _HARMLESS else after)
        if element.is_unopened:
            message = "the opening tag is missing or torn, so that nobody knows where the value begins"
            found = self.source(element).strip(BLANK)
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], found)

    def broken_off(self, path: Path, consequence: str) -> None:
        self.reading.truncated = self.reading.truncated or path
        message = f"the reply breaks off here; {consequence}"
        self.reading.problem(ProblemKind.TRUNCATED, path, message, self.places[path])

    def source(self, element: Element) -> str:
        """The characters between an element's tags; where the closing one is missing, without the indentation of the
        tag that follows, in characters of any kind.
        """
        text = self.reply[element.inner_start : element.inner_end]
        if element.notes and any(note.kind is RepairKind.CLOSER_MISSING for note in element.notes):
            stripped = text.rstrip(GAP)
            return stripped if "\n" in text[len(stripped) :] else text
        return text

    def within_dropped(self, element: Element) -> tuple[int, str]:
        """Where the text of an element begins, and that text, without the tags around it that were dropped."""
        source, start = self.source(element), element.inner_start
        spans = {note.start: note.end for note in element.notes if note.kind is RepairKind.TAG_DROPPED}
        while spans and (end := spans.pop(start + len(source) - len(source.lstrip(BLANK)), None)) is not None:
            source, start = source[end - start :], end
        ends = {end: begun for begun, end in spans.items()}
        while ends and (begun := ends.pop(start + len(source.rstrip(BLANK)), None)) is not None:
            source = source[: begun - start]
        return start, source

    def text(self, element: Element, is_verbatim: bool = True) -> Text:
        """The value of an element's characters."""
        source = self.source(element)
        if self.is_plain:
            return plain_value(source, lambda: self.indentation(element))
        return value_of(source, lambda: self.indentation(element), is_verbatim)

    def recorded(self, element: Element, path: Path, is_verbatim: bool = True) -> Text:
        """The value of an element's characters; what was taken from them goes on record."""
        text = self.text(element, is_verbatim)
        for change in text.changes:
            self.reading.repair(
                change.kind, path, (element.inner_start, element.inner_end), change.before, change.after
            )
        if element.doubt >= 0:
            shown = self.reply[element.inner_start : element.doubt].strip(BLANK), text.value
            message = f"a tag in it, <{element.head.tag}>, may begin the next one"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], text.value, shown)
        if element.head.tag and is_of_two(self.source(element), element.head.tag):
            message = "the marks of a section may be parts of two texts: it holds the end of one and the next element"
            self.reading.problem(ProblemKind.AMBIGUOUS, path, message, self.places[path], text.value)
        return text

    def indentation(self, element: Element) -> str:
        """The white space at the beginning of the line on which an element opens."""
        start = element.start
        head = self.reply[self.reply.rfind("\n", 0, start) + 1 : start]
        return head[: len(head) - len(head.lstrip(" \t"))]

    def cut_scalar(self, node: Node, text: Text, path: Path) -> object:
        """A value in which the reply breaks off: a string as far as it goes; half of anything else is nothing."""
        self.broken_off(path, "the text goes as far as it came" if node.kind == "str" else "the value is not whole")
        return _PARTIAL_REFERENCE.sub("", text.value) if node.kind == "str" else None

    def found(self, node: Node, text: Text, scalar: Scalar, path: Path) -> object:
        """The value of a scalar; its repair or its problem goes on record."""
        span = self.places[path]
        if scalar.problem is not None:
            kind = ProblemKind.AMBIGUOUS if scalar.ambiguous else ProblemKind.INVALID
            self.reading.problem(kind, path, scalar.problem, span, text.value, scalar.candidates)
            return text.value if node.kind == "str" else None
        if scalar.repair is not None:
            after = "null" if scalar.value is None else str(scalar.value)
            self.reading.repair(scalar.repair, path, span, text.raw, after)
        return scalar.value

    def is_null(self, node: Node, element: Element, path: Path) -> bool:
        """Whether what holds other values is null: marked so, or a null word where null is allowed, or another word
        for no value where no text could be meant; of an object that cannot be empty, also an empty element.
        """
        text = self.source(element).strip(BLANK)
        marked = element.attribute("type")
        needs_fields = node.nullable is True and any(field.required for field in node.fields.values())
        if not text:
            is_whole = not (element.cut or element.notes or element.head.rest or self._is_left(node, element))
            return marked == "null" or (needs_fields and is_whole)
        unclear = node.kind not in ("union", "any") or not (marked in node.options() or marked in MARKED)
        is_word = text.lower() in NULL_WORDS or (needs_fields and not bare(text)) or says_nothing(node, text)
        if node.nullable is not False and is_word and unclear:
            self.reading.repair(RepairKind.NULL_WORD, path, self.places[path], text, "null")
            return True
        return False

    def _is_left(self, node: Node, element: Element) -> bool:
        """Whether an empty object has lost its fields: one of them was skipped right behind it."""
        tag = _NEXT_TAG.match(self.reply, element.end)
        return tag is not None and tag.start(1) - 1 in self.reading.skipped and fold(tag[1]) in map(fold, node.fields)

    def key(
        self,
        node: Node,
        keys: dict[object, str],
        given: Text,
        span: Span,
        path: Path,
        as_asked: bool = True,
        source: str = "",
    ) -> str | None:
        """The key of an entry in its strict form; None for one that is wrong or, by its type, among the `keys` already,
        which come with the sources of their values. What had to be mended, or was not written `as_asked`, goes on
        record, and so does the same entry once more.
        """
        assert node.key is not None
        written, scalar = given.value, read_key(node.key, given.raw, given.value)
        if scalar.problem is not None:
            self.reading.problem(ProblemKind.INVALID, (*path, written), f"the key is {scalar.problem}", span, written)
            return None
        key = written if isinstance(scalar.value, bool) or scalar.value is None else str(scalar.value)
        same = typed_key(node.key, key)
        if source and keys.get(same) == source:
            self.reading.repair(RepairKind.DUPLICATE_DROPPED, (*path, key), span, source, source)
            return None
        if same in keys:
            message = f"the key {key!r} stands there twice"
            self.reading.problem(ProblemKind.AMBIGUOUS, (*path, key), message, span)
            return None
        keys[same] = source
        if key != written or not as_asked:
            self.reading.repair(RepairKind.NAME_RESPELLED, (*path, key), span, written, key)
        return key

    def skipped(self, element: Element, path: Path) -> None:
        source = self.reply[element.start : element.end]
        self.reading.repair(RepairKind.ELEMENT_SKIPPED, path, (element.start, element.end), source, source)

    def own_again(self, element: Element, path: Path) -> None:
        """An object that another one of its kind stands in, skipped: it may be meant instead of that. Where a field
        could be meant, that is on record already.
        """
        for child in element.children if path not in self.reading.around_bad else ():
            if child.name is OWN and child.inner_end > child.inner_start:
                message = f"another <{child.head.tag}> stands in it, and nothing tells what for"
                self.reading.problem(ProblemKind.AMBIGUOUS, path, message, (child.start, child.end))

    def dropped(self, element: Element, path: Path) -> None:
        """Records that a field stood there once more."""
        text = self.source(element).strip(BLANK)
        self.reading.repair(RepairKind.DUPLICATE_DROPPED, path, (element.start, element.end), text, text)

    def texts_between(self, element: Element) -> Iterator[Span]:
        """Where a text stands between an element's children."""
        reply, position = self.reply, element.inner_start
        for child in element.children:
            if position < child.start and not reply[position : child.start].isspace():
                yield position, child.start
            position = max(position, child.reach())
        if position < element.inner_end and not reply[position : element.inner_end].isspace():
            yield position, element.inner_end

    def stray_text(self, element: Element, path: Path, place: Places = lambda _name: None) -> None:
        """Records the text that stands between an element's children, where no value can be, but for what stands there
        in other brackets.
        """
        self.take_others(element, place)
        for begin, end in self.texts_between(element):
            self.stray(begin, end, path)

    def strays(self, element: Element) -> list[Span]:
        """Where a text stands between an element's children."""
        gaps = self.texts_between(element)
        return [span for begin, end in gaps if (span := self.text_within(begin, end)) is not None]

    def take_others(self, element: Element, place: Places) -> None:
        """Makes what the texts between an element's children begin with, in other brackets than a tag's, its children
        as well: `place` tells the role and the name that a name has.
        """
        more = [other for begin, end in self.texts_between(element) for other in self.others(begin, end, place)]
        if more:
            element.children = sorted([*element.children, *more], key=lambda child: child.start)

    def others(self, start: int, end: int, place: Places) -> Iterator[Element]:
        """The elements in other brackets that a stretch of text begins with."""
        for name, (begin, behind, inner_start, inner_end) in in_other_brackets(self.reply, start, end):
            found = place(name)
            if found is None:
                return
            element = Element(Head(OPEN, name), *found, begin, inner_start)
            element.inner_end, element.end = inner_end, behind
            element.note(RepairKind.OPENER_RESPELLED, begin, inner_start, f"<{name}>")
            element.note(RepairKind.CLOSER_RESPELLED, inner_end, behind, f"</{name}>")
            yield element

    def has_text(self, element: Element) -> bool:
        """Whether a text stands between an element's children."""
        position = element.inner_start
        for start, end in [*((child.start, child.end) for child in element.children), (element.inner_end, 0)]:
            if without_comments(self.reply[position:start]):
                return True
            position = end
        return False

    def stray(self, start: int, end: int, path: Path) -> None:
        """Records the text in a place where no value can be."""
        span = self.text_within(start, end)
        if span is not None:
            found = without_comments(self.reply[slice(*span)])
            self.reading.repair(RepairKind.TEXT_SKIPPED, path, span, found, found)

    def text_within(self, start: int, end: int) -> Span | None:
        """Where the text stands that is in a place, without blanks; None where there are only comments and tags: those
        of wrappers and dropped ones are on record.
        """
        text = self.reply[start:end]
        found = without_comments(text)
        if not found or not _TAGS.sub("", found).strip(GAP):
            return None
        return end - len(text.lstrip(BLANK)), start + len(text.rstrip(BLANK))
