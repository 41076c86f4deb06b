"""A tree of elements becomes data: one function for each kind of node, in a table.

Every value is read by the type that the definition gives it. What was mended goes on record with its path, and so
does everything that the tree left over: content that stands beside something absent is a problem there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from ..definition import (
    KINDS,
    KINDS_ASKED,
    Field,
    Node,
    Path,
    choice_text,
    fold,
    is_placeholder,
    is_words,
)
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_DEPTH
from ..markup import BLANK, GAP, NULL_WORDS
from .account import Account
from .attributes import ASKED, beside_value, in_attribute
from .build import Element, Left, Tree
from .containers import of_dict, of_list, of_map, of_tuple
from .grammar import Grammar
from .prices import Edit
from .record import record
from .rows import BARE, BRACKETS
from .scan import REASONING, Attribute, attributes_of
from .scan_json import closer_of, text_of
from .scan_yaml import yaml_text
from .unions import of_any, of_union, parts_of
from .values import Scalar, Text, decode, read_scalar, says_null, value_of
from .values.scalars import is_strict
from .values.text import plain_value

__all__ = ["LimitReachedError", "read_tree"]

_SPECIAL = re.compile(r"[&<\r\n\[`~]")
"""Characters without which a text is its own value, but for blanks around it."""


class LimitReachedError(Exception):
    """An answer passes a bound of the library."""


def read_tree(grammar: Grammar, text: str, tree: Tree, account: Account) -> Account:
    """Reads the data of a tree into an account. Raises `LimitReachedError` for data that is too deep."""
    assert tree.root is not None
    reader = Reader(grammar, text, tree, account)
    account.tree = reader.value(tree.root, grammar.plan.root, ())
    record(reader)
    return account


class Reader:
    """Reads one tree."""

    def __init__(self, grammar: Grammar, text: str, tree: Tree, account: Account) -> None:
        self.grammar = grammar
        self.text = text
        self.tree = tree
        self.account = account
        self.absent: dict[Path, list[Field]] = {}
        self.nodes: dict[Path, Node] = {}
        self.skipped: dict[Path, Element] = {}
        self.values_of: dict[int, list[Element]] = {}
        self.wrongly_closed = {id(each.element) for each in tree.mended if each.edit in _WRONG_CLOSERS}

    # Any value

    def value(self, element: Element, node: Node, path: Path) -> Any:
        """The value of an element for a node."""
        if len(path) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)")
        element.path = path
        self.account.places[path] = self.place(element)
        read = _READERS.get(node.kind)
        if read is None:
            plain = self.plain(element, node)
            return self.scalar(element, node, path) if plain is None else plain
        if not element.children and _COMMENTS.fullmatch(self.text, element.inner, element.end):
            self.account.repair(RepairKind.TEXT_SKIPPED, path, self.place(element), self.content(element), "")
            element.inner = element.end
        if not element.children and self.is_null(element, node, path):
            return self.null(element, node, path)
        self.nodes[path] = node
        made = read(self, element, node, path)
        if element.is_cut:
            self.cut_container(element, node, path, made)
        return made

    def null(self, element: Element, node: Node, path: Path) -> Any:
        """Null, or what is empty in its place, where something that holds others says null."""
        if node.nullable is not False:
            return None
        if node.kind not in _EMPTY:
            message = f"null, which is not {_asked(node)}"
            self.account.problem(ProblemKind.INVALID, path, message, self.place(element), self.content(element))
            return None
        return _EMPTY[node.kind]()

    def place(self, element: Element) -> Span:
        """Where a value stands; where it is empty, its tags."""
        return (element.inner, element.end) if element.inner < element.end else (element.start, element.stop)

    def source(self, element: Element) -> str:
        return self.text[element.inner : element.end]

    def content(self, element: Element) -> str:
        """The text of an element without blanks around it."""
        return self.source(element).strip(GAP)

    def attributes(self, element: Element) -> dict[str, str]:
        """The attributes of an element's tag, as the reply has them."""
        return {each.name: each.value for each in self.placed_attributes(element)}

    def placed_attributes(self, element: Element) -> list[Attribute]:
        """The attributes of an element's tag with their places."""
        if element.token < 0 or not self.is_tag(element) or self.text.find("=", element.start, element.inner) < 0:
            return []
        return attributes_of(self.text, element.start + 1, element.inner)

    def is_tag(self, element: Element) -> bool:
        """Whether an element begins with a tag of its own."""
        if element.form != "xml" or self.text[element.start : element.start + 1] not in ("<", "\uff1c"):
            return False
        return self.text[element.inner - 1].isspace() is False

    def given(self, element: Element, node: Node) -> dict[str, Element]:
        """The attributes of a tag that could be values, each as an element that holds its text."""
        found: dict[str, Element] = {}
        for name, value, start, end in self.placed_attributes(element):
            if (
                name in _SHOWN
                or (name == "name" and fold(value) == fold(element.name))
                or (name == "type" and value in (*KINDS, node.name))
                or value == node.description
            ):
                continue
            inner = Element(element.shape, "attribute", name, start, start, end, end, name)
            inner.form = "attribute"
            found.setdefault(name, inner)
        return found

    def mark(self, element: Element) -> str | None:
        """The `type` that an element's tag names."""
        return self.attributes(element).get("type")

    def is_null(self, element: Element, node: Node, path: Path) -> bool:
        """Whether an element without others in it says null."""
        text, mark = self.content(element), self.mark(element)
        if element.form == "json" and text and text_of(element)[0] is None:
            if node.nullable is False:
                self.account.repair(RepairKind.NULL_WORD, path, self.place(element), text, "null")
            return node.nullable is not False or node.kind in _EMPTY
        if not text:
            if element.is_cut or (not element.is_closed and self.is_tag(element) and node.kind == "dict"):
                return False
            is_nullable = node.nullable is not False and node.kind in ("union", "tuple", "dict")
            return mark == "null" or (
                is_nullable and mark not in (node.kind, *_options(node)) and not self.given(element, node)
            )
        if element.form == "json" and (closer_of(element) in BRACKETS or node.kind in ("any", "union")):
            return False
        is_of_texts = text.isalpha() and node.kind == "list" and node.item is not None and node.item.kind == "str"
        if not says_null(_MAYBE if is_of_texts else _NULLABLE, text):
            return False
        if node.nullable is False and node.kind not in _EMPTY:
            return False
        if node.kind == "union" and any(part.kind in ("str", "any") for part in parts_of(node)):
            return False
        self.account.repair(RepairKind.NULL_WORD, path, self.place(element), text, "null")
        return True

    def cut_container(self, element: Element, node: Node, path: Path, made: Any) -> None:
        """Puts on record that the reply breaks off in something that holds other values."""
        if self.account.truncated is not None:
            return
        if not path and node.kind in ("list", "map") and element.children:
            return  # all that is missing for sure is its closing tag
        if node.kind == "dict" and isinstance(made, dict):
            missing = [name for name, field in node.fields.items() if name not in made]
            if not missing or (not path and not any(node.fields[name].required for name in missing)):
                return
        self.account.broken_off(path, (element.end, element.end), "what is missing behind it is not known")

    # Scalars

    def plain(self, element: Element, node: Node) -> str | None:
        """The text of an element without attributes that is its own value, None where anything has to be looked at."""
        if element.is_cut or element.token < 0 or element.form != "xml":
            return None
        if element.inner - element.start != len(element.name) + 2 or not element.is_closed:
            return None
        raw = self.text[element.inner : element.end]
        if _SPECIAL.search(raw) is not None:
            return None
        text = raw.strip(BLANK)
        if node.kind == "str":
            is_own = text != "" and (node.nullable is False or text.lower() not in NULL_WORDS)
        else:
            is_own = is_strict(node.kind, text)
        if not is_own:
            return None
        self.account.values += 1
        return text

    def laid_out(self, element: Element, path: Path, is_verbatim: bool = True) -> Text:
        """The text of an element, decoded and laid out; what that changed is on record."""
        raw = self.source(element)
        if element.form == "json":
            return self.of_json(element, raw, path)
        if element.form == "attribute":
            return Text(raw, decode(raw))
        if element.form == "yaml":
            raw = raw.strip(BLANK)
            value = yaml_text(raw)
            if value is raw and raw[:1] in "|>":
                message = "a block of YAML with a line that is none of its own"
                self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), raw)
            if value is raw and "\n" in raw:  # lines that are no YAML of their own
                value = plain_value(self.source(element), lambda: "").value
            return Text(raw, value)
        if element.form != "xml":
            found = plain_value(raw, lambda: "")
            for change in found.changes:
                self.account.repair(change.kind, path, self.place(element), change.before, change.after)
            return found
        if _SPECIAL.search(raw) is None:
            text = raw.strip(BLANK)
            return Text(text, text)
        found = value_of(raw, lambda: self.indentation(element), is_verbatim)
        for change in found.changes:
            self.account.repair(change.kind, path, self.place(element), change.before, change.after)
        return found

    def of_json(self, element: Element, raw: str, path: Path) -> Text:
        """The text that a string or a scalar of JSON says."""
        value, kinds = text_of(element)
        for kind in kinds:
            self.account.repair(kind, path, self.place(element), raw, value or "")
            if kind is RepairKind.OPENER_MISSING:
                message = "a text of which the opening quote is missing"
                self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), raw)
        return Text(raw, "" if value is None else value)

    def indentation(self, element: Element) -> str:
        """The white space that the line of an element's opening tag begins with."""
        line = self.text[self.text.rfind("\n", 0, element.start) + 1 : element.start]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def scalar(self, element: Element, node: Node, path: Path) -> Any:
        """The value of a text."""
        if element.form == "json" and closer_of(element) in BRACKETS:
            return self.in_brackets(element, node, path)
        self.account.values += 1
        if element.form == "json" and not element.is_cut and text_of(element)[0] is None:
            return self.json_null(element, node, path)
        text = self.laid_out(element, path, node.kind == "str")
        mark = "str" if element.form == "attribute" and node.kind == "str" else None
        if element.token >= 0 and element.form == "xml" and element.inner - element.start > len(element.name) + 2:
            mark = self.mark(element)
            if not text.raw and mark != "null":
                text = in_attribute(self, element, node, path) or text
            elif text.raw:
                beside_value(self, element, node, path)
        if element.is_cut:
            return self.cut_scalar(node, text, path)
        if element.form == "json" and node.kind in _WORDS_OF_JSON and closer_of(element) != BARE:
            self.account.repair(RepairKind.VALUE_RESPELLED, path, element.span, f'"{text.raw}"', text.value)
        if node.kind == "str" and element.token >= 0 and element.form == "xml":
            self.end_in_doubt(element, text, path)
        return self.found(node, text, read_scalar(node, text.raw, text.value, mark, _own_name(path)), path)

    def end_in_doubt(self, element: Element, text: Text, path: Path) -> None:
        """Names a text that may have absorbed something: it begins again in its midst, or it has no closing tag and
        holds one that closes nothing in it.
        """
        own = fold(element.name)
        is_own_end = id(element) not in self.wrongly_closed
        is_own_end &= element.is_closed and not self.text.startswith("</>", element.end)
        is_own_end &= self.text[element.stop - 1] in ">\uff1e"
        lacks_end = not is_own_end and (
            _ODD_END.search(text.raw, max(0, len(text.raw) - _LONGEST_END)) or text.raw.count("```") % 2
            or text.value.endswith(f"</{element.name}>") and not text.raw.endswith(">")
        )
        is_broken = element.tokens is not None and element.token in element.tokens.is_broken
        if lacks_end or (is_broken and _ODD_BEGINNING.match(text.raw)):
            message = "it has no sound tags, and begins or ends with what may be one"
            self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), text.raw)
            return
        if not path and id(element) in self.wrongly_closed:
            message = "the closing tag of something else is its end"
            self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), text.raw)
        if "<" not in text.raw or not self.is_tag(element):
            return
        around = self.nodes.get(path[:-1])
        classes = (around.name, *_options(around)) if around is not None else ()
        if own in map(fold, filter(None, classes)) and f"</{element.name}>" in text.raw:
            message = "the tag may be that of its class"
            self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), text.raw)
            return
        waiting: Counter[str] = Counter()
        for match in _TAG.finditer(text.raw):
            slash, name, is_empty = match[1], fold(match[2]), match[0].endswith("/>")
            if not slash:
                waiting[name] += not is_empty and not is_mention(text.raw, *match.span())
                rest = text.raw.find(f"</{match[2]}>", match.end())
                is_again = name == own and (rest < 0 or not is_own_end) and not is_empty
                is_line = text.raw[match.start() - 1] + text.raw[match.end() :][:1] in ("\n", "\n\n")
                is_odd = not element.is_closed and (name in REASONING or (is_empty and is_line))
                is_odd |= name == own and element.role == "item" and not is_empty and not waiting.total() > 1
            else:
                is_again = waiting[name] == 0 and not is_own_end
                is_odd = waiting[name] == 0 and name == own and not path
                waiting[name] -= 1
            if is_odd or (is_again and not is_mention(text.raw, *match.span())):
                candidates = (text.raw[: match.start()].strip(BLANK), text.value)
                message = "the text may end in front of a tag in it"
                self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), match[0], candidates)
                return
        if self.text.startswith("</>", element.end) and +waiting:
            message = "the text may end at another tag"
            self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), text.raw)

    def json_null(self, element: Element, node: Node, path: Path) -> None:
        """JSON's null, which is a problem where none is allowed."""
        if node.nullable is False and node.kind != "any":
            message = f"null, which is not {_asked(node)}"
            self.account.problem(ProblemKind.INVALID, path, message, self.place(element), self.source(element))

    def in_brackets(self, element: Element, node: Node, path: Path) -> Any:
        """The value of a scalar that is an object or a list of JSON: a list may hold the one."""
        children = list(self.parts(element, path))
        if closer_of(element) == "]" and len(children) == 1:
            value = self.value(children[0], node, path)
            self.account.repair(RepairKind.UNWRAPPED, path, element.span, self.text[slice(*element.span)], str(value))
            return value
        self.account.values += 1
        message = "an object or a list, where one value is asked for"
        self.account.problem(ProblemKind.INVALID, path, message, element.span, self.text[slice(*element.span)])
        return None

    def found(self, node: Node, text: Text, scalar: Scalar, path: Path) -> Any:
        """The value that was read, with what is to be said of it."""
        if text.value[-1:] == ")" and is_words(node, text.value):
            self.account.placeholders += 1
        if scalar.problem is not None:
            kind = ProblemKind.AMBIGUOUS if scalar.ambiguous else ProblemKind.INVALID
            if is_placeholder(node, text.value):
                self.account.placeholders += 1
            self.account.problem(kind, path, scalar.problem, self.account.places.get(path), text.raw, scalar.candidates)
            return scalar.value
        if scalar.repair is not None:
            said = "" if scalar.value is None else choice_text(scalar.value)
            self.account.repair(scalar.repair, path, self.account.places[path], text.raw, said)
        return scalar.value

    def cut_scalar(self, node: Node, text: Text, path: Path) -> Any:
        """A text as far as it came; half of any other value is none."""
        place = self.account.places[path]
        if any(part.kind == "str" for part in parts_of(node)):
            self.account.broken_off(path, place, "the text goes as far as it came")
            return text.value
        self.account.broken_off(path, place, "the value is not whole")
        return None

    def contained(self, element: Element, node: Node, path: Path) -> Any:
        """The value of something that holds others."""
        return _READERS[node.kind](self, element, node, path)

    def parts(self, element: Element, path: Path) -> Iterator[Element]:
        """The elements in an element, those in wrappers too."""
        waiting = list(reversed(element.children))
        while waiting:
            child = waiting.pop()
            child.path = path
            if child.role == "wrapper":
                waiting += reversed(child.children)
            else:
                yield child

    def is_word(self, element: Element) -> bool:
        """Whether a word for nothing is all that an element holds."""
        return not element.children and element.form != "json" and says_null(_NULLABLE, self.content(element))

    def is_empty(self, element: Element) -> bool:
        return not element.children and not self.content(element)

    def is_misplaced(self, left: Left) -> bool:
        """Whether JSON holds what should not be there: text, a bracket, a member of the definition, or, beside an
        object that is entered, another one.
        """
        if left.edit in (Edit.TEXT_STRAY, Edit.CLOSER_IGNORED, Edit.OPENER_STRAY):
            return left.behind is None or left.behind.path not in self.account.bad
        if left.edit is not Edit.UNKNOWN_SKIPPED:
            return False
        children = left.element.children
        skipped = next((child for child in children if child.span == left.span), None)
        is_entered = any(child.role == "wrapper" for child in children)
        return is_entered and skipped is not None and closer_of(skipped) in BRACKETS

    def values_in(self, around: Element) -> list[Element]:
        """The parts of an element that are values. Each is asked for what is left over next to it, so they are kept."""
        found = self.values_of.get(id(around))
        if found is None:
            found = self.values_of[id(around)] = [child for child in around.children if child.role != "skipped"]
        return found


_WRONG_CLOSERS = (Edit.CLOSER_WRONG, Edit.CLOSER_FAR_OFF)
_LONGEST_END = 100
_ODD_END = re.compile(
    r"(?!</[\w:.-]++>)(?:[<\[{(|\uff1c][ ]*[/\uff0f][ ]*[\w:.-]*|(?<!<)/[^\W\d][\w:.-]*(?=[>\]}\uff1e]))[ ]*[>\]})\uff1e]?\s*\Z"
    r"|<[^\W\d][^<>/\n]*>\s*\Z",
)
"""What looks like a tag at the end of a text that has no closing tag."""
_ODD_BEGINNING = re.compile(r"[\"'<=]|\Z")
"""What stands behind an opening tag without its bracket where that has been something else."""


def is_mention(text: str, start: int, end: int) -> bool:
    """Whether a tag stands in a text like a word."""
    before, behind = text[max(start - 1, 0) : start], text[end : end + 1]
    return (not before or before in " \t\n([`\"'\u201c") and (not behind or behind in " \t\n,.;:!?)]`\"'\u201d")


_WORDS_OF_JSON = ("int", "float", "bool")
"""Kinds that stand without quotes in JSON."""


def _options(node: Node) -> tuple[str, ...]:
    return tuple(node.options()) if node.kind == "union" else ()


def _asked(node: Node) -> str:
    return KINDS_ASKED.get(node.kind) or ASKED[node.kind]


def _own_name(path: Path) -> str:
    """The name that the value at a path goes by: its field's or its key's, or that of the list it stands in."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


_COMMENTS = re.compile(r"\s*+(?:(?:<!--(?:(?!-->).)*+-->|</\w++>)\s*+)++", re.DOTALL)
_TAG = re.compile(r"<(/?)([^\W\d][\w:.-]*+)[^<>]*+>")
_EMPTY: dict[str, Callable[[], Any]] = {"list": list, "map": dict}
_ANY = Node("any", nullable=True)
_STR = Node("str", nullable=False)
_NULLABLE, _MAYBE = Node("int", nullable=True), Node("str")
_SHOWN = frozenset({"elements", "choices", "required", "index", "key", "keys", "discriminator"})
"""Attributes that a prompt shows, and that are no values."""

_READERS: dict[str, Callable[[Reader, Element, Node, Path], Any]] = {
    "dict": of_dict,
    "list": of_list,
    "tuple": of_tuple,
    "map": of_map,
    "union": of_union,
    "any": of_any,
}
