"""A tree of elements becomes data: one function for each kind of node, in a table.

Every value is read by the type that the definition gives it. What was mended goes on record with its path, and so
does everything that the tree left over: content that stands beside something absent is a problem there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from operator import le
from functools import lru_cache
from typing import Any

from ..definition import CONSTRAINTS, KINDS, KINDS_ASKED, MARKED, SCALARS, Field, Node, Path, choice_text, fold, is_placeholder
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_COMPILED, MAX_DEPTH
from ..markup import BLANK, GAP
from .account import Account
from .build import Element, Left, Tree, build
from .grammar import Grammar, Shape
from .leftovers import Gap, belongs, gap_of
from .prices import PRICES, Edit
from .rows import BARE, BRACKETS, Move
from .rows import element as element_state
from .scan import PROMPT_ATTRIBUTES, Attribute, Scan, attributes_of
from .scan_json import closer_of, read_json, text_of
from .scan_lines import read_content
from .scan_yaml import yaml_text
from .search import Search
from .unions import LEFT_OUT, of_any, of_union, parts_of
from .values import Scalar, Text, decode, read_key, read_scalar, says_null, typed, value_of

__all__ = ["LimitReachedError", "read_tree"]

_SPECIAL = re.compile(r"[&<\r\n\[`~]")
"""Characters without which a text is its own value, but for blanks around it."""

_LAST_CLOSER = re.compile(r"(?:</[^<>]*+>|\s)*+[^\s].*</([\w:.-]+)>", re.DOTALL)


@lru_cache(maxsize=MAX_COMPILED)
def _label(name: str) -> re.Pattern[str]:
    """The name of a field as a text has it in front of a value: `name: 4`, `[name]4`, `name>4`."""
    words = r"[ _-]?".join(map(re.escape, re.split(r"[ _-]", name)))
    return re.compile(rf"(?<!\w){words}\W{{0,2}}(?:[]:=>]|&gt;)", re.IGNORECASE)



class LimitReachedError(Exception):
    """An answer passes a bound of the library."""


def read_tree(grammar: Grammar, text: str, tree: Tree, account: Account) -> Account:
    """Reads the data of a tree into an account. Raises `LimitReachedError` for data that is too deep."""
    assert tree.root is not None
    reader = Reader(grammar, text, tree, account)
    account.tree = reader.value(tree.root, grammar.plan.root, ())
    reader.record()
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

    # Any value

    def value(self, element: Element, node: Node, path: Path) -> Any:
        """The value of an element for a node."""
        if len(path) > MAX_DEPTH:
            raise LimitReachedError(f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)")
        element.path = path
        self.account.places[path] = self.place(element)
        read = _READERS.get(node.kind)
        if read is None:
            return self.scalar(element, node, path)
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
        return element.form == "xml" and self.text[element.start : element.start + 1] in ("<", "\uff1c")

    def given(self, element: Element, node: Node) -> dict[str, Element]:
        """The attributes of a tag that could be values, each as an element that holds its text."""
        found: dict[str, Element] = {}
        for name, value, start, end in self.placed_attributes(element):
            if name in _SHOWN or (name == "name" and fold(value) == fold(element.name)) or (name == "type" and value in (*KINDS, node.name)) or value == node.description:
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
                self.account.repair(RepairKind.NULL_WORD, path, self.place(element), text, "")
            return node.nullable is not False or node.kind in _EMPTY
        if not text:
            if element.is_cut or (not element.is_closed and self.is_tag(element) and node.kind == "dict"):
                return False
            is_nullable = node.nullable is not False and node.kind in ("union", "tuple", "dict")
            return mark == "null" or (is_nullable and mark not in (node.kind, *_options(node)) and not self.given(element, node))
        if element.form == "json" or not says_null(_NULLABLE, text):
            return False
        if node.nullable is False and node.kind not in _EMPTY:
            return False
        if node.kind == "union" and any(part.kind in ("str", "any") for part in parts_of(node)):
            return False
        self.account.repair(RepairKind.NULL_WORD, path, self.place(element), text, "")
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

    def laid_out(self, element: Element, path: Path, is_verbatim: bool = True) -> Text:
        """The text of an element, decoded and laid out; what that changed is on record."""
        raw = self.source(element)
        if element.form == "json":
            return self.of_json(element, raw, path)
        if element.form == "attribute":
            return Text(raw, decode(raw))
        if element.form == "yaml":
            raw = raw.strip(BLANK)
            return Text(raw, yaml_text(raw))
        if element.form != "xml":
            text = raw.strip(BLANK)
            return Text(text, text)
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
                text = self.in_attribute(element, node, path) or text
            elif text.raw:
                self.beside(element, node, path)
        if element.is_cut:
            return self.cut_scalar(node, text, path)
        if element.form == "json" and node.kind in _WORDS_OF_JSON and closer_of(element) != BARE:
            self.account.repair(RepairKind.VALUE_RESPELLED, path, element.span, f'"{text.raw}"', text.value)
        if node.kind == "str" and "<" in text.raw and self.is_tag(element):
            self.end_in_doubt(element, text, path)
        return self.found(node, text, read_scalar(node, text.raw, text.value, mark, _own_name(path)), path)

    def end_in_doubt(self, element: Element, text: Text, path: Path) -> None:
        """Names a text that may have absorbed something: it begins again in its midst, or it has no closing tag and holds
        one that closes nothing in it.
        """
        own = fold(element.name)
        waiting: Counter[str] = Counter()
        for match in _TAG.finditer(text.raw):
            slash, name, is_empty = match[1], fold(match[2]), match[0].endswith("/>")
            if not slash:
                waiting[name] += not is_empty
                rest = text.raw.find(f"</{match[2]}>", match.end())
                is_again = name == own and (rest < 0 or not element.is_closed) and not is_empty
            else:
                is_again = waiting[name] == 0 and not element.is_closed
                waiting[name] -= 1
            if is_again and not is_mention(text.raw, *match.span()):
                candidates = (text.raw[: match.start()].strip(BLANK), text.value)
                message = "the text may end in front of a tag in it"
                self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), match[0], candidates)
                return

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

    def in_attribute(self, element: Element, node: Node, path: Path) -> Text | None:
        """The value of an empty element that stands in an attribute of its tag. One of a name of its own, which may be
        the value or not, is a problem.
        """
        given = {name: inner for name, inner in self.given(element, node).items() if name not in _CONSTRAINTS}
        found = [name for name in given if fold(name) in (*_VALUES, fold(element.name))]
        if len(found) != 1:
            self.unread(element, node, path)
            return None
        name, raw = found[0], self.source(given[found[0]])
        self.account.repair(RepairKind.SHAPE_CHANGED, path, given[name].span, f'{name}="{raw}"', raw)
        return Text(raw, decode(raw))

    def unread(self, element: Element, node: Node, path: Path) -> None:
        """Puts on record that attributes of an empty element may hold its value."""
        given = {name: inner for name, inner in self.given(element, node).items() if fold(name) not in _ASIDE}
        if given and self.mark(element) != "null":
            text = self.text[element.start : element.inner]
            message = "empty, but its value may stand in an attribute"
            self.account.problem(ProblemKind.INVALID, path, message, element.span, text, tuple(map(self.source, given.values())))

    def beside(self, element: Element, node: Node, path: Path) -> None:
        """Names an attribute that says another value than its element does."""
        for name, inner in self.given(element, node).items():
            is_value = fold(name) in ("value", fold(element.name)) and fold(self.source(inner)) != fold(element.name)
            if is_value and self.source(inner) != self.content(element):
                candidates = (self.content(element), self.source(inner))
                message = "an attribute has another value"
                self.account.problem(ProblemKind.AMBIGUOUS, path, message, inner.span, candidates[1], candidates)

    # Objects

    def of_dict(self, element: Element, node: Node, path: Path) -> dict[str, Any] | None:
        """An object, from the elements of its fields and from attributes."""
        tree: dict[str, Any] = {}
        children = list(self.parts(element, path))
        if not children and self.content(element):
            return self.as_text(element, node, path)  # type: ignore[no-any-return]
        lists: dict[str, list[Element]] = {}
        for child in children:
            if child.role in ("field", "again", "item of"):
                lists.setdefault(child.step, []).append(child)
        for name, found in lists.items():
            field = node.fields.get(name)
            if field is None:
                self.unwanted(found[0], path)
                continue
            self.respelled(found[0], field, (*path, name))
            tree[name] = self.field_value(found, field, (*path, name))
            if tree[name] is LEFT_OUT:
                del tree[name]
        for child in children:
            if child.role == "repeated":
                self.repeated(child, node, tree, (*path, child.step))
            elif child.role == "skipped":
                self.extra(child, node, tree, path)
        for name, inner in self.given(element, node).items():
            field = node.field_of(name)
            if field is not None and field.name not in tree:
                place = (*path, field.name)
                text = self.source(inner)
                self.account.repair(RepairKind.SHAPE_CHANGED, place, inner.span, text, text)
                tree[field.name] = self.value(inner, field.node, place)
            elif field is not None and isinstance(tree[field.name], str) and tree[field.name] != decode(self.source(inner)):
                place, candidates = (*path, field.name), (tree[field.name], self.source(inner))
                message = "an attribute and an element have different values"
                self.account.problem(ProblemKind.AMBIGUOUS, place, message, inner.span, candidates[1], candidates)
        self.absent[path] = [field for name, field in node.fields.items() if name not in tree]
        return tree

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

    def field_value(self, found: list[Element], field: Field, path: Path) -> Any:
        """The value of a field, whose list may stand in several elements."""
        node = field.node
        if len(found) > 1 or found[0].role == "item of":
            lists = [part for part in parts_of(node) if part.kind in ("list", "tuple")]
            if lists:
                return self.joined(found, lists[0], path)
        if not field.required and node.kind in SCALARS and is_placeholder(node, self.content(found[0])):
            self.account.placeholders += 1
            text = self.content(found[0])
            self.account.repair(RepairKind.TEXT_SKIPPED, path, self.place(found[0]), text, "")
            return LEFT_OUT
        if not field.required and node.nullable is False and node.kind in ("dict", "tuple") and self.is_word(found[0]):
            self.account.repair(RepairKind.NULL_WORD, path, self.place(found[0]), self.content(found[0]), "")
            return LEFT_OUT
        return self.value(found[0], node, path)

    def is_word(self, element: Element) -> bool:
        """Whether a word for nothing is all that an element holds."""
        return not element.children and element.form != "json" and says_null(_NULLABLE, self.content(element))

    def respelled(self, element: Element, field: Field, path: Path) -> None:
        """Records that a field goes by another name."""
        if element.role != "field" or not element.name or element.name == field.name:
            return
        if element.name == "entry" and self.attributes(element).get("key") == field.name:
            return
        span = (element.start, element.inner)
        self.account.repair(RepairKind.NAME_RESPELLED, path, span, element.name, field.name)

    def repeated(self, element: Element, node: Node, tree: dict[str, Any], path: Path) -> None:
        """A field that stands there once more: with the same value it is left out, with another one nobody can tell."""
        name = element.step
        mark = self.account.mark()
        place = self.account.places.get(path)
        again = self.value(element, node.fields[name].node, path)
        self.account.take_back(mark)
        if place is not None:
            self.account.places[path] = place
        if again == tree.get(name):
            text = self.content(element)
            self.account.repair(RepairKind.ELEMENT_SKIPPED, path, element.span, text, text)
            return
        message = f"<{name}> stands there twice, with different values"
        candidates = tuple(str(value)[:80] for value in (tree.get(name), again))
        self.account.problem(ProblemKind.AMBIGUOUS, path, message, place, None, candidates)
        tree[name] = None

    def extra(self, element: Element, node: Node, tree: dict[str, Any], path: Path) -> None:
        """An element that the definition does not know, which some models keep."""
        if not node.keeps_extra or not element.name or element.name in tree or element.name in node.fields:
            return
        place = (*path, element.name)
        mark = self.mark(element)
        self.account.places[place] = self.place(element)
        self.skipped[place] = element
        if mark in MARKED or mark == "null":
            tree[element.name] = self.value(element, _ANY, place)
        else:
            tree[element.name] = self.laid_out(element, place).value

    def unwanted(self, element: Element, path: Path) -> None:
        """A field of another option of a union."""
        text = self.text[slice(*element.span)]
        if element.children or not (self.is_empty(element) or self.is_word(element)):
            message = f"<{element.name}> is a field of another option"
            self.account.problem(ProblemKind.AMBIGUOUS, path, message, element.span, text)
        else:
            self.account.repair(RepairKind.ELEMENT_SKIPPED, path, element.span, text, "")

    # Lists, tuples, maps

    def of_list(self, element: Element, node: Node, path: Path) -> list[Any]:
        """A list, from its items."""
        items = [child for child in self.parts(element, path) if child.role == "item"]
        if not items and self.content(element):
            return self.as_text(element, node, path) or []
        if not items:
            self.unread(element, node, path)
        if element.is_text:
            items = self.without_others(items, path)
        elif node.item is not None and node.item.kind in ("list", "tuple"):
            self.runs_on(element, items, path)
        elif node.item is not None and node.item.kind in SCALARS:
            names = element.shape.item_names(element.name)
            strange = [item for item in items if self.is_tag(item) and fold(item.name) not in names]
            if 0 < len(strange) < len(items):
                text = self.text[slice(*strange[0].span)]
                message = "an element of another name stands between its items"
                self.account.problem(ProblemKind.INVALID, path, message, strange[0].span, text)
            items = [inner for item in items for inner in self.unnested(item, node.item, names, path)]
            items = [each for each, behind in zip(items, [*items[1:], None]) if not self.is_begun(each, behind)]
        return self.values(items, node, element, path) or []

    def runs_on(self, element: Element, items: list[Element], path: Path) -> None:
        """Names a list of lists of which one has no closing tag: which items belong together is not known."""
        is_open = any(self.is_tag(item) and not item.is_closed and not item.is_cut for item in items[:-1])
        if is_open and len(items) > 1:
            message = "which items belong together is not known"
            self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), self.content(element))

    def unnested(self, item: Element, node: Node, names: frozenset[str], path: Path) -> list[Element]:
        """The items that stand in the text of an item, each in a tag of its own."""
        found = list(_NESTED.finditer(self.text, item.inner, item.end)) if node.kind == "str" and self.is_tag(item) else []
        rest = _NESTED.sub("", self.source(item)).strip(GAP) if found else "-"
        if rest or any(fold(match[1]) not in names for match in found):
            return [item]
        self.account.repair(RepairKind.SHAPE_CHANGED, path, item.span, self.content(item), self.content(item))
        return [
            Element(item.shape, "item", None, match.start(), match.start(2), match.end(2), match.end(), match[1])
            for match in found
        ]

    def without_others(self, items: list[Element], path: Path) -> list[Element]:
        """The items of a text without those that stand for others, which is a problem."""
        others = [item for item in items if not item.children and _OTHERS.fullmatch(self.content(item))]
        if others and len(items) > 1:
            message = "more items are meant than stand there"
            self.account.problem(ProblemKind.INVALID, path, message, others[0].span, self.content(others[0]))
            return [item for item in items if item not in others]
        return items

    def is_begun(self, item: Element, behind: Element | None) -> bool:
        """Whether an item is only an opening tag that stands there twice."""
        is_open = not item.is_closed and item.token >= 0 and self.is_tag(item) and self.is_empty(item) and not self.attributes(item)
        return is_open and not item.is_cut and behind is not None and behind.token >= 0

    def joined(self, found: list[Element], node: Node, path: Path) -> list[Any] | None:
        """A list whose items stand in elements of the list's own name, or beside it."""
        items: list[Element] = []
        said = list(dict.fromkeys(map(self.content, found)))
        if len(said) < len(found) and len(said) == 1 and found[0].children:
            text = self.text[slice(*found[-1].span)]
            self.account.repair(RepairKind.ELEMENT_SKIPPED, path, found[-1].span, text, "")
            found = found[:1]
        for element in found:
            inner = [child for child in self.parts(element, path) if child.role == "item"]
            if element.role == "item of" or not (inner or self.is_empty(element)):
                names = element.shape.item_names(element.name)
                items += self.unnested(element, node.item, names, path) if node.item is not None else [element]
            else:
                items += inner
        place = (found[0].start, found[-1].stop)
        self.account.places[path] = place
        self.account.repair(RepairKind.SHAPE_CHANGED, path, place, "", "")
        return self.values(items, node, found[-1], path)

    def values(self, items: list[Element], node: Node, element: Element, path: Path) -> list[Any] | None:
        """The values of the items of a list or a tuple, of which none may be missing."""
        nodes = node.parts if node.item is None else [node.item] * len(items)
        if len(items) > 1 and not all(map(le, ranks := [self.rank(item) for item in items], ranks[1:])):
            message = "the items stand in another order than they say"
            self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), self.content(element))
        if len(items) == len(nodes):
            pairs = enumerate(zip(nodes, items, strict=True))
            return [self.value(child, part, (*path, index)) for index, (part, child) in pairs]
        if element.is_cut:
            self.account.broken_off(path, self.place(element), "not all values are there")
        else:
            message = f"{len(items)} values, where {len(nodes)} are asked for"
            self.account.problem(ProblemKind.INVALID, path, message, self.place(element), self.content(element))
        return None

    def rank(self, item: Element) -> int:
        """The place in its list that an item names, -1 where it names none."""
        given = self.attributes(item)
        number = given.get("index", given.get("n", ""))
        return int(number) if number.isdecimal() else _RANKS.get(fold(item.name), -1)

    def is_empty(self, element: Element) -> bool:
        return not element.children and not self.content(element)

    def of_tuple(self, element: Element, node: Node, path: Path) -> list[Any] | None:
        """A tuple, from its values, of which none may be missing."""
        items = [child for child in self.parts(element, path) if child.role == "item"]
        if not items and self.content(element):
            return self.as_text(element, node, path)  # type: ignore[no-any-return]
        items = items or list(self.given(element, node).values())
        return self.values(items, node, element, path)

    def of_map(self, element: Element, node: Node, path: Path) -> dict[str, Any]:
        """A map, from its entries."""
        assert node.item is not None and node.key is not None
        entries = [child for child in self.parts(element, path) if child.role in ("entry", "pair")]
        if not entries and self.content(element):
            return self.as_text(element, node, path) or {}
        entries = entries or [each for name, each in self.given(element, node).items() if name not in _CONSTRAINTS]
        tree: dict[str, Any] = {}
        known: dict[Any, str] = {}
        for child in entries:
            raw, value = self.entry(child)
            if not raw:
                message = "an entry of which the key is not known"
                self.account.problem(ProblemKind.INVALID, path, message, child.span, self.text[slice(*child.span)])
                continue
            key, said = self.key(child, raw, node.key, path)
            if known.setdefault(said, key) != key or key in tree:
                self.same_key(child, value, node.item, tree, (*path, key))
            else:
                tree[key] = self.value(value, node.item, (*path, key)) if value is not None else None
        return tree

    def entry(self, element: Element) -> tuple[str, Element | None]:
        """The key of an entry as the reply has it, and the element that holds its value."""
        given = self.attributes(element)
        if element.role == "pair":
            parts = {child.step: child for child in element.children if child.role == "field"}
            if "key" in parts:
                key = parts.pop("key")
                element.children.remove(key)
                return self.content(key), parts.get("value", element if parts else None)
            return next((given[name] for name in _KEYS if name in given), ""), parts.get("value", element)
        if "key" in given or not self.is_tag(element):
            return given.get("key", element.name), element
        # A key of several words is no attribute.
        tag = self.text[element.start : element.inner].strip("<>/ \n")
        return (element.name if "=" in tag else tag) if fold(element.name) not in _NO_KEYS else "", element

    def key(self, element: Element, raw: str, node: Node, path: Path) -> tuple[str, Any]:
        """A key in its strict form, and its value in its own type."""
        text = value_of(raw, lambda: "")
        scalar = read_key(node, text.raw, text.value)
        key = text.value if scalar.value is None else choice_text(scalar.value)
        span = (element.start, element.inner)
        if scalar.problem is not None:
            self.account.problem(ProblemKind.INVALID, (*path, key), f"the key is {scalar.problem}", span, text.raw)
            return key, key
        if scalar.repair is not None:
            self.account.repair(scalar.repair, (*path, key), span, text.raw, key)
        return key, typed(node, scalar.value)

    def same_key(self, child: Element, value: Element | None, node: Node, tree: dict[str, Any], path: Path) -> None:
        """An entry whose key stands there already: with the same value it is left out."""
        mark = self.account.mark()
        place = self.account.places.get(path)
        again = None if value is None else self.value(value, node, path)
        self.account.take_back(mark)
        if place is not None:
            self.account.places[path] = place
        text = self.text[slice(*child.span)]
        if path[-1] in tree and again == tree[path[-1]]:
            self.account.repair(RepairKind.ELEMENT_SKIPPED, path, child.span, text, "")
        else:
            self.account.problem(ProblemKind.AMBIGUOUS, path, "the key stands there twice", child.span, text)

    # Texts in place of elements

    def as_text(self, element: Element, node: Node, path: Path, is_sure: bool = True) -> Any:
        """What a list, a map, a tuple, an object or a union of them says that is written as JSON or as a text."""
        inside = None if element.is_text else self.decoded(element)
        if inside is not None:
            return self.reread(inside, element, node, path)
        tree = None if element.is_text else self.inner_tree(element, node)
        if tree is not None and tree.root is not None and self.is_other_form(tree.root, node):
            tree = None
        if tree is None or tree.root is None or (not is_sure and not tree.root.children):
            if not is_sure:
                return LEFT_OUT
            if element.is_cut:
                self.account.broken_off(path, self.place(element), "the value is not whole")
                return None
            message = f"a text, where {_ASKED[node.kind]} is asked for"
            self.account.problem(ProblemKind.INVALID, path, message, self.place(element), self.content(element))
            return None
        inner = tree.root
        kind = RepairKind.FORMAT_READ if inner.form == "json" else RepairKind.SHAPE_CHANGED
        text = self.content(element)
        self.account.repair(kind, path, self.place(element), text, text)
        inner.role, inner.step, inner.is_text = element.role, element.step, True
        self.tree.mended += tree.mended
        self.tree.left += tree.left
        return _READERS[node.kind](self, inner, node, path)

    def decoded(self, element: Element) -> str | None:
        """What an element says whose content is escaped, or in a section, as a whole: markup, or JSON."""
        raw = self.source(element)
        if not self.is_tag(element) or _ESCAPED.search(raw) is None:
            return None
        text = value_of(raw, lambda: "").value
        return text if text != raw.strip(GAP) else None

    def reread(self, text: str, element: Element, node: Node, path: Path) -> Any:
        """The value that the decoded content of an element says. Its findings are about all of the element."""
        place = self.place(element)
        self.account.repair(RepairKind.UNESCAPED, path, place, self.content(element), text)
        tree = read_markup(self.grammar, self.grammar.shape(node), element.name or "li", text)
        if tree is None or tree.root is None:
            message = f"a text, where {_ASKED[node.kind]} is asked for"
            self.account.problem(ProblemKind.INVALID, path, message, place, text)
            return None
        inner = Reader(self.grammar, tree.tokens.text, tree, self.account.within(place))
        tree.root.role, tree.root.step = element.role, element.step
        made = inner.value(tree.root, node, path)
        inner.record()
        self.account.take_in(inner.account)
        return made

    def is_other_form(self, inner: Element, node: Node) -> bool:
        """Whether empty brackets are those of another type."""
        if inner.form != "json" or inner.children or inner.is_cut:
            return False
        return {"{": ("list", "tuple"), "[": ("dict", "map")}[self.text[inner.start]].count(node.kind) > 0

    def inner_tree(self, element: Element, node: Node) -> Tree | None:
        """The tree of the text in an element."""
        shape, name = self.grammar.shape(node), element.name or "li"
        opening = _OPENING.match(self.text, element.inner, element.end)
        if opening is not None:
            is_encoded = element.form == "json" and element.tokens is not None
            level = element.tokens.level + 1 if is_encoded else 0  # type: ignore[union-attr]
            found = read_json(self.grammar, shape, name, self.text, opening.start(1), element.end, level)
            if found is not None and self.text[found[2] : element.end].strip(_FENCE) == "":
                return found[0]
        return read_content(self.grammar, shape, name, self.text, element.inner, element.end, element.form)

    # What the reading mended and left over

    def record(self) -> None:
        """Puts the edits of the reading on record, and what it left over."""
        for mended in self.tree.mended:
            self.mended(mended.edit, mended.element, mended.span)
        for left in self.tree.left:
            self.skip(left)
        for lefts in _stretches(self.tree.left):
            self.losses(lefts)
        root = self.tree.root
        assert root is not None
        for element in _cut(root):
            if element.name:
                place = (element.end, element.end)
                self.account.repair(RepairKind.CLOSER_MISSING, element.path, place, "", f"</{element.name}>")
        if root.is_cut and self.account.truncated is None and self.is_torn(root):
            *_around, last = _cut(root)
            node = self.nodes.get(last.path)
            if node is None or node.kind != "dict" or self.absent.get(last.path):
                self.account.broken_off(last.path, (last.end,) * 2, "what is missing behind it is not known")

        if not root.is_closed and not root.is_cut and self.is_closed_behind(root):
            span = (root.stop, len(self.text))
            self.account.problem(ProblemKind.INVALID, (), "what stands in front of its closing tag fits nothing", span)

    def is_closed_behind(self, root: Element) -> bool:
        """Whether the answer's closing tag stands behind what was read of it."""
        closer = self.text.find(f"</{root.name}", root.stop) if root.name and root.form == "xml" else -1
        return closer >= 0 and self.text.find(f"<{root.name}", root.stop, closer) < 0

    def is_torn(self, root: Element) -> bool:
        """Whether the reply breaks off in the midst of markup, or of something that is left over."""
        *_around, last = _cut(root)
        whole = [child for child in last.children if child.role != "skipped"]
        behind = whole[-1].stop if whole else last.inner
        tokens = self.tree.tokens
        if any(symbol.is_torn for symbol in tokens.symbols[-2:]):
            return True
        return last.token >= 0 and self.text[behind:].strip(_FENCE) != ""

    def mended(self, edit: Edit, element: Element, span: Span) -> None:
        """One edit, as a repair, and as a problem where it is a guess by nature."""
        price = PRICES[edit]
        before = self.text[slice(*span)]
        if element.form == "json" and edit in _OF_BRACKETS:
            self.account.repair(RepairKind.JSON_MENDED, element.path, span, before, closer_of(element))
            if closer_of(element) == "}" or edit is Edit.REOPENED:
                message = "a bracket is missing: what follows may belong to it or not"
                self.account.problem(ProblemKind.AMBIGUOUS, element.path[:-1], message, span, before)
            return
        after = before
        if edit is Edit.CLOSER_MISSING:
            after = f"</{element.name}>"
        elif edit in (Edit.CLOSER_MISSPELT, Edit.CLOSER_WRONG, Edit.CLOSER_FAR_OFF, Edit.OPENER_AS_CLOSER):
            after = f"</{element.name}>"
        elif edit is Edit.NAME_MISSPELT:
            return  # the name of the field is on record
        elif price.repair is RepairKind.JSON_MENDED:
            after = _STRICT.get(edit, '\\"') if edit is not Edit.JSON_SLIP else _strict(before)
        if price.repair is not None:
            self.account.repair(price.repair, element.path, span, before, after)
        if price.doubt:
            self.account.problem(ProblemKind.AMBIGUOUS, element.path, price.doubt, span, before)

    def skip(self, left: Left) -> None:
        """Puts on record what is no part of the data."""
        text, span = self.trimmed(*left.span)
        if text and not any(element.span == left.span for element in self.skipped.values()):
            kind = PRICES[left.edit].repair or RepairKind.TEXT_SKIPPED
            after = text if left.edit in (Edit.TEXT_STRAY, Edit.UNKNOWN_SKIPPED) else ""
            self.account.repair(kind, left.element.path, span, text, after)

    def trimmed(self, start: int, end: int) -> tuple[str, Span]:
        """A stretch without blanks around it."""
        source = self.text[start:end]
        text = source.strip(GAP)
        start += len(source) - len(source.lstrip(GAP))
        return text, (start, start + len(text))

    def losses(self, lefts: list[Left]) -> None:
        """Names the values that may be lost in a stretch that is left over."""
        text, span = self.trimmed(lefts[0].span[0], lefts[-1].span[1])
        if not text or any(element.span == lefts[0].span for element in self.skipped.values()):
            return
        closer = _LAST_CLOSER.fullmatch(text)
        node = self.nodes.get(lefts[0].element.path)
        field = node.field_of(closer[1]) if closer is not None and node is not None else None
        if field is not None and field.node.kind == "str":
            path = (*lefts[0].element.path, field.name)
            self.account.problem(ProblemKind.AMBIGUOUS, path, "its closing tag stands there again behind text", span, text)
        if any(left.element.form == "json" and self.is_misplaced(left) for left in lefts):
            message = "what stands there may belong to the answer"
            self.account.problem(ProblemKind.AMBIGUOUS, lefts[0].element.path, message, span, text)
        is_element = lefts[0].edit in _ELEMENTS
        for gap in self.gaps(lefts[0]):
            if belongs(text, gap, is_element):
                message = "a value may be lost: what stands beside it may belong to it"
                self.account.problem(ProblemKind.INVALID, gap.path, message, span, text)

    def is_misplaced(self, left: Left) -> bool:
        """Whether JSON holds what should not be there: text, a bracket, a member of the definition, or, beside an object
        that is entered, another one.
        """
        if left.edit is Edit.COMMENT_SKIPPED:
            return False
        if left.edit is not Edit.UNKNOWN_SKIPPED:
            return True
        children = left.element.children
        skipped = next((child for child in children if child.span == left.span), None)
        is_entered = any(child.role == "wrapper" for child in children)
        return is_entered and skipped is not None and closer_of(skipped) in BRACKETS

    def gaps(self, left: Left) -> Iterator[Gap]:
        """Where something is missing next to what is left over."""
        around, path = left.element, left.element.path
        node = self.nodes.get(path)
        if node is None or left.edit is Edit.COMMENT_SKIPPED:
            return
        if node.kind in ("list", "map"):
            inner = node.item if node.kind == "list" and node.item is not None else node
            if left.edit is not Edit.CLOSER_CROSSED or inner.kind in ("list", "tuple"):
                yield Gap(path, inner, (), is_beside=True)
        if left.edit is Edit.CLOSER_CROSSED:
            return
        if len(around.shape.parts) > 1:
            yield Gap(path, node, (*around.shape.fields, *around.shape.classes))
        absent = self.absent.get(path, ())
        for field in node.fields.values():
            if field in absent and not field.required:
                yield gap_of(field, path)
            elif left.edit is Edit.TEXT_STRAY and field not in absent:
                yield gap_of(field, path)._replace(node=_STR)
        values = self.values_in(around)
        at = bisect_left(values, left.span[0], key=lambda child: child.start)
        behind = values[at] if at < len(values) else None
        for neighbour in (values[at - 1] if at else None, behind):
            field = node.fields.get(neighbour.step) if neighbour is not None and neighbour.role == "field" else None
            if field is not None and neighbour is not None and self.is_gap(neighbour, field.node, left, neighbour is behind):
                yield gap_of(field, path, is_beside=True)

    def values_in(self, around: Element) -> list[Element]:
        """The parts of an element that are values. Each is asked for what is left over next to it, so they are kept."""
        found = self.values_of.get(id(around))
        if found is None:
            found = self.values_of[id(around)] = [child for child in around.children if child.role != "skipped"]
        return found

    def is_gap(self, element: Element, node: Node, left: Left, is_behind: bool) -> bool:
        """Whether an element lacks what stands next to it: it is empty, a list, or a number that could go on."""
        if not element.children and not self.content(element):
            return not self.given(element, node) and (node.kind != "str" or element.is_closed or is_behind)
        if is_behind:
            return False
        if node.kind in ("list", "map"):
            return True
        return node.kind in ("int", "float") and element.stop == left.span[0] and self.text[left.span[0]].isdigit()


def read_markup(grammar: Grammar, shape: Shape, name: str, content: str) -> Tree | None:
    """The tree of a text that stands in the tag of an element."""
    text = f"<{name}>{content}</{name}>"
    tokens = Scan(grammar.names | {fold(name)}).scan(text)
    if fold(tokens.names[0]) != fold(name):
        return None
    inside = element_state(grammar, shape, name, name, grammar.state("ended", shape, "", ""))
    search = Search(grammar, inside, 1, lambda state, index: state.shape.may_be(text[tokens.ends[index - 1] : tokens.starts[index]]))
    search.run(tokens.symbols, len(tokens) - 1)
    reading = search.reading()
    if reading is None:
        return None
    opening = Move(inside, (("open", shape, "root", None, False),), ())
    return build(tokens, [(0, opening), *reading.way], 0)


def is_mention(text: str, start: int, end: int) -> bool:
    """Whether a tag stands in a text like a word."""
    before, behind = text[max(start - 1, 0) : start], text[end : end + 1]
    return (not before or before in " \t\n([`\"'\u201c") and (not behind or behind in " \t\n,.;:!?)]`\"'\u201d")


def _stretches(lefts: list[Left]) -> Iterator[list[Left]]:
    """What is left over, with what stands right behind it in the same element."""
    stretch: list[Left] = []
    for left in lefts:
        if stretch and (left.span[0] != stretch[-1].span[1] or left.element is not stretch[-1].element):
            yield stretch
            stretch = []
        stretch.append(left)
    if stretch:
        yield stretch


def _cut(root: Element) -> Iterator[Element]:
    """The elements in which the reply breaks off, the outermost first."""
    element: Element | None = root
    while element is not None and element.is_cut and element.role != "skipped":
        yield element
        element = element.children[-1] if element.children else None


_WORDS_OF_JSON = ("int", "float", "bool")
"""Kinds that stand without quotes in JSON."""
_OF_BRACKETS = frozenset({Edit.CLOSER_MISSING, Edit.CLOSER_MISSPELT, Edit.CLOSER_WRONG, Edit.CLOSER_FAR_OFF, Edit.REOPENED})
"""Edits of what ends an element, in JSON of brackets and quotes."""
_STRICT = {Edit.BRACKET_STRAY: "", Edit.QUOTE_STRAY: "", Edit.QUOTE_OF_OTHER_SORT: '"', Edit.REST_LEFT: ""}
"""What strict JSON has in place of a slip, where that is no escaped quote."""
_ODD_SIGNS = re.compile(r"['`\u2018\u2019\u201c\u201d]")


def _strict(slip: str) -> str:
    """What strict JSON has in place of commas, of a quote or of a key without quotes."""
    if not slip.strip(f"{GAP},.\u2026"):
        return "" if slip.strip() else ","
    key, colon, rest = slip.partition(":")
    if _ODD_SIGNS.search(slip) is None and not key.startswith('"'):
        key = f'"{key}"'
    return _ODD_SIGNS.sub('"', key + colon + rest)


def _options(node: Node) -> tuple[str, ...]:
    return tuple(node.options()) if node.kind == "union" else ()


def _asked(node: Node) -> str:
    return KINDS_ASKED.get(node.kind) or _ASKED[node.kind]


def _own_name(path: Path) -> str:
    """The name that the value at a path goes by: its field's or its key's, or that of the list it stands in."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


_OPENING = re.compile(r"\s*+(?:(?:<!\[CDATA\[|(?:```|~~~)[\w-]*+[ \t]*+\n)\s*+)*+([\[{])")
"""What JSON in an element begins with, which may stand in a section or a fence."""

_ELEMENTS = frozenset({Edit.UNKNOWN_SKIPPED, Edit.KNOWN_SKIPPED})
_FENCE = GAP + "`~"
_KEYS = ("key", "name", "id")
_NO_KEYS = frozenset({"ul", "ol", "dl", "table", "tr", "td", "div", "p", "b", "br", "strong", "span", "map", "entries"})
"""Elements of markup, which are no keys of their own."""
_COMMENTS = re.compile(r"\s*+(?:(?:<!--(?:(?!-->).)*+-->|</\w++>)\s*+)++", re.DOTALL)
_NESTED = re.compile(r"\s*+<([^\W\d][\w.-]*+)>([^<>]*+)</\1>\s*+")
"""An element that holds a text alone."""
_OTHERS = re.compile(r"\.\.\.|\u2026|etc\.?|and (?:so on|others|more|\d+ (?:more|others))\.?", re.IGNORECASE)
"""What stands for items that a text leaves out."""
_ESCAPED = re.compile(r"\s*+(?:<!\[CDATA\[|[\[{]?\s*+&(?:lt|quot|#\w+);)")
"""What an escaped list, map or object begins with."""
_VALUES = ("value", "val", "text", "content", "data")
"""Attributes that hold the value of an empty element."""
_RANKS = {name: rank for names in ("x y z", "first second third", "start end", "from to", "min max") for rank, name in enumerate(names.split())}
"""Names of items that say in which order they stand."""
_TAG = re.compile(r"<(/?)([^\W\d][\w:.-]*+)[^<>]*+>")
_EMPTY: dict[str, Callable[[], Any]] = {"list": list, "map": dict}
_ASKED = {"dict": "an object", "list": "a list", "tuple": "a tuple", "map": "a map", "union": "one of several types"}
_ANY = Node("any", nullable=True)
_STR = Node("str", nullable=False)
_NULLABLE = Node("int", nullable=True)
_CONSTRAINTS = frozenset(CONSTRAINTS.values())
_ASIDE = _CONSTRAINTS | PROMPT_ATTRIBUTES | {"lang", "unit", "count", "nil", "class", "id"}
"""Attributes that say something of a value."""
_SHOWN = frozenset({"elements", "choices", "required", "index", "key", "keys", "discriminator"})
"""Attributes that a prompt shows, and that are no values."""

_READERS: dict[str, Callable[[Reader, Element, Node, Path], Any]] = {
    "dict": Reader.of_dict,
    "list": Reader.of_list,
    "tuple": Reader.of_tuple,
    "map": Reader.of_map,
    "union": of_union,
    "any": of_any,
}
