"""A tree of elements becomes data: one function for each kind of node, in a table.

Every value is read by the type that the definition gives it. What was mended goes on record with its path, and so
does everything that the tree left over: content that stands beside something absent is a problem there.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from ..definition import CONSTRAINTS, KINDS, KINDS_ASKED, MARKED, SCALARS, Field, Node, Path, choice_text, fold, is_placeholder
from ..findings import ProblemKind, RepairKind, Span
from ..limits import MAX_DEPTH
from ..markup import BLANK, GAP
from .account import Account
from .build import Element, Left, Tree
from .grammar import Grammar
from .prices import PRICES, Edit
from .rows import BARE, BRACKETS
from .scan import Attribute, attributes_of
from .scan_json import closer_of, read_json, text_of
from .scan_lines import read_content
from .values import Scalar, Text, decode, read_key, read_scalar, read_union_scalar, says_null, typed, value_of

__all__ = ["LimitReachedError", "read_tree"]

_SPECIAL = re.compile(r"[&<\r\n\[`~]")
"""Characters without which a text is its own value, but for blanks around it."""

_LAST_LINE = re.compile(r"[^\n]*\Z")


class LimitReachedError(Exception):
    """An answer passes a bound of the library."""


def read_tree(grammar: Grammar, text: str, tree: Tree, account: Account) -> Account:
    """Reads the data of a tree into an account. Raises `LimitReachedError` for data that is too deep."""
    assert tree.root is not None
    reader = _Reader(grammar, text, tree, account)
    account.tree = reader.value(tree.root, grammar.plan.root, ())
    reader.record()
    return account


class _Reader:
    """Reads one tree."""

    def __init__(self, grammar: Grammar, text: str, tree: Tree, account: Account) -> None:
        self.grammar = grammar
        self.text = text
        self.tree = tree
        self.account = account
        self.absent: dict[int, list[Field]] = {}
        self.skipped: dict[Path, Element] = {}

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
        if not element.children and self.is_null(element, node, path):
            return self.null(element, node, path)
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
        if element.token < 0 or element.form != "xml" or self.text.find("=", element.start, element.inner) < 0:
            return []
        return attributes_of(self.text, element.start + 1, element.inner)

    def given(self, element: Element, node: Node) -> dict[str, Element]:
        """The attributes of a tag that could be values, each as an element that holds its text."""
        found: dict[str, Element] = {}
        for name, value, start, end in self.placed_attributes(element):
            if name in _SHOWN or (name == "type" and value in (*KINDS, node.name)) or value == node.description:
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
            if element.is_cut:
                return False
            is_nullable = node.nullable is not False and node.kind in ("union", "tuple", "dict")
            return mark == "null" or (is_nullable and mark not in (node.kind, *_options(node)) and not self.given(element, node))
        if element.form == "json" or not says_null(_NULLABLE, text):
            return False
        if node.nullable is False and node.kind not in _EMPTY:
            return False
        if node.kind == "union" and any(part.kind in ("str", "any") for part in _parts(node)):
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
        if element.is_cut:
            return self.cut_scalar(node, text, path)
        return self.found(node, text, read_scalar(node, text.raw, text.value, mark, _own_name(path)), path)

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
        if any(part.kind == "str" for part in _parts(node)):
            self.account.broken_off(path, place, "the text goes as far as it came")
            return text.value
        self.account.broken_off(path, place, "the value is not whole")
        return None

    def in_attribute(self, element: Element, node: Node, path: Path) -> Text | None:
        """The value of an empty element that stands in the one attribute of its tag."""
        given = {name: inner for name, inner in self.given(element, node).items() if name not in _CONSTRAINTS}
        if len(given) != 1:
            return None
        ((name, inner),) = given.items()
        if fold(name) not in ("value", "text", "content", fold(element.name)):
            return None
        raw = self.source(inner)
        self.account.repair(RepairKind.SHAPE_CHANGED, path, inner.span, f'{name}="{raw}"', raw)
        return Text(raw, decode(raw))

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
            if tree[name] is _LEFT_OUT:
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
        self.absent[id(element)] = [field for name, field in node.fields.items() if name not in tree]
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
            lists = [part for part in _parts(node) if part.kind in ("list", "tuple")]
            if lists:
                return self.joined(found, lists[0], path)
        if not field.required and node.kind in SCALARS and is_placeholder(node, self.content(found[0])):
            self.account.placeholders += 1
            text = self.content(found[0])
            self.account.repair(RepairKind.TEXT_SKIPPED, path, self.place(found[0]), text, "")
            return _LEFT_OUT
        if not field.required and node.nullable is False and node.kind in ("dict", "tuple") and self.is_word(found[0]):
            self.account.repair(RepairKind.NULL_WORD, path, self.place(found[0]), self.content(found[0]), "")
            return _LEFT_OUT
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
        text = self.text[element.start : element.inner]
        self.account.repair(RepairKind.ELEMENT_SKIPPED, path, element.span, text, text)

    # Lists, tuples, maps

    def of_list(self, element: Element, node: Node, path: Path) -> list[Any]:
        """A list, from its items."""
        items = [child for child in self.parts(element, path) if child.role == "item"]
        if not items and self.content(element):
            return self.as_text(element, node, path) or []
        return self.values(items, node, element, path) or []

    def joined(self, found: list[Element], node: Node, path: Path) -> list[Any] | None:
        """A list whose items stand in elements of the list's own name, or beside it."""
        items: list[Element] = []
        for element in found:
            inner = [child for child in self.parts(element, path) if child.role == "item"]
            if element.role == "item of" or not (inner or self.is_empty(element)):
                items.append(element)
            else:
                items += inner
        place = (found[0].start, found[-1].stop)
        self.account.places[path] = place
        self.account.repair(RepairKind.SHAPE_CHANGED, path, place, "", "")
        return self.values(items, node, found[-1], path)

    def values(self, items: list[Element], node: Node, element: Element, path: Path) -> list[Any] | None:
        """The values of the items of a list or a tuple, of which none may be missing."""
        nodes = node.parts if node.item is None else [node.item] * len(items)
        if len(items) == len(nodes):
            pairs = enumerate(zip(nodes, items, strict=True))
            return [self.value(child, part, (*path, index)) for index, (part, child) in pairs]
        if element.is_cut:
            self.account.broken_off(path, self.place(element), "not all values are there")
        else:
            message = f"{len(items)} values, where {len(nodes)} are asked for"
            self.account.problem(ProblemKind.INVALID, path, message, self.place(element), self.content(element))
        return None

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
        for child in entries:
            key, value = self.entry(child, node.key, path)
            place = (*path, key)
            if key in tree:
                message = "the key stands there twice"
                self.account.problem(ProblemKind.AMBIGUOUS, place, message, child.span, key)
                continue
            tree[key] = self.value(value, node.item, place) if value is not None else None
        return tree

    def entry(self, element: Element, node: Node, path: Path) -> tuple[str, Element | None]:
        """The key of an entry, and the element that holds its value."""
        value: Element | None = element
        if element.role == "pair":
            parts = {child.step: child for child in element.children if child.role == "field"}
            value = parts.get("value")
            raw = self.content(parts["key"]) if "key" in parts else ""
        else:
            raw = self.attributes(element).get("key", element.name)
        text = value_of(raw, lambda: "")
        scalar = read_key(node, text.raw, text.value)
        key = text.value if scalar.value is None else choice_text(scalar.value)
        place = (*path, key)
        span = (element.start, element.inner)
        if scalar.problem is not None:
            self.account.problem(ProblemKind.INVALID, place, f"the key is {scalar.problem}", span, text.raw)
        elif scalar.repair is not None:
            self.account.repair(scalar.repair, place, span, text.raw, key)
        return key, value

    # Unions, and values of any type

    def of_union(self, element: Element, node: Node, path: Path) -> Any:
        """A union: the option that a mark, a tag, or what stands there names."""
        options = node.options()
        mark = self.mark(element)
        if mark is not None and mark in options:
            return self.option(element, options[mark], path)
        if mark in MARKED and any(part.kind == "any" for part in node.parts):
            return self.of_any(element, MARKED["str"], path)
        children = list(self.parts(element, path))
        if not children and not self.content(element):
            names = [(field.name, inner) for name, inner in self.given(element, node).items() for field in _known(node, name)]
            if names:
                return self.by_children(element, [_as_field(name, inner) for name, inner in names], node, path)
        named = [child for child in children if child.role == "option"]
        if named:
            return self.named_option(element, named, node, path)
        if children:
            return self.by_children(element, children, node, path)
        return self.by_text(element, node, path)

    def option(self, element: Element, node: Node, path: Path) -> Any:
        """The value of an option, typed here: in a union nobody else could tell a number from its text."""
        self.account.chosen[path] = node
        made = self.value(element, node, path)
        return typed_tree(node, made) if path not in self.account.around_bad else _typed_or_none(node, made)

    def named_option(self, element: Element, named: list[Element], node: Node, path: Path) -> Any:
        """The option under whose class's tag the value stands."""
        child = named[0]
        if len(named) > 1:
            message = "more than one option stands there"
            names = tuple(each.name for each in named)
            self.account.problem(ProblemKind.AMBIGUOUS, path, message, self.place(element), None, names)
            return None
        part = next((part for name, part in node.options().items() if fold(name) == fold(child.name)), None)
        part = part or next((part for part in _parts(node) if part.name and fold(part.name) == fold(child.name)), None)
        if part is None:
            part = child.shape.node
        child.step = None
        return self.option(child, part, path)

    def by_children(self, element: Element, children: list[Element], node: Node, path: Path) -> Any:
        """The option that the elements in a union fit best."""
        roles = {child.role for child in children}
        kinds: tuple[str, ...] = ("dict",)
        if "item" in roles:
            kinds = ("list", "tuple")
        elif roles & {"entry", "pair"}:
            kinds = ("map",)
        found = [part for part in _parts(node) if part.kind in kinds]
        if kinds == ("dict",) and len(found) > 1:
            found = self.fitting(found, children, node)
        if not found:
            anything = next((part for part in _parts(node) if part.kind == "any"), None)
            if anything is not None:
                return self.of_any(element, anything, path)
            text = next((part for part in _parts(node) if part.kind == "str"), None)
            if text is not None:
                return self.option(element, text, path)
            return self.unclear(element, node, [], path)
        return self.best_of(found, element, node, path)

    def fitting(self, objects: list[Node], children: list[Element], node: Node) -> list[Node]:
        """The objects whose fields fit best: by what their constants say, then by what is missing, unknown and known."""
        steps = {child.step: child for child in children if child.role == "field"}
        told = [part for part in objects if self.is_told(part, steps, node.discriminator)]
        if len(told) == 1:
            return told
        objects = told or objects
        scores = []
        for part in objects:
            missing = sum(field.required and name not in steps for name, field in part.fields.items())
            unknown = sum(name not in part.fields for name in steps)
            scores.append((-(missing + unknown), len(steps) - unknown))
        best = max(scores)
        return [part for part, score in zip(objects, scores, strict=True) if score == best and score[1] > 0]

    def is_told(self, part: Node, steps: dict[str, Element], discriminator: str | None) -> bool:
        """Whether the fields of one choice say that this is the object."""
        names = [discriminator] if discriminator else [
            name for name, field in part.fields.items() if field.node.kind == "enum" and len(field.node.choices) == 1
        ]  # fmt: skip
        for name in names:
            field, child = part.fields.get(name), steps.get(name)
            if field is None or child is None:
                return False
            said = fold(self.content(child).strip("\"'"))
            if all(fold(choice_text(choice)) != said for choice in field.node.choices):
                return False
        return bool(names)

    def best_of(self, found: list[Node], element: Element, node: Node, path: Path) -> Any:
        """The value of the only option that is left, or of the one that reads with the fewest problems."""
        if len(found) == 1:
            return self.option(element, found[0], path)
        trials = []
        for part in found[:_MAX_TRIALS]:
            mark = self.account.mark()
            made = self.option(element, part, path)
            problems, repairs = len(self.account.problems) - mark[1], len(self.account.repairs) - mark[0]
            trials.append((problems, repairs, made, part))
            self.account.take_back(mark)
        trials.sort(key=lambda trial: trial[:2])
        best = trials[0]
        rivals = [trial for trial in trials[1:] if trial[0] == best[0]]
        if any(trial[2] != best[2] or trial[3].kind != best[3].kind for trial in rivals):
            exact = [trial for trial in trials if trial[0] == best[0] and trial[1] == best[1]]
            if len(exact) > 1 or best[0]:
                return self.unclear(element, node, [trial[3] for trial in trials if trial[0] == best[0]], path)
        return self.option(element, best[3], path)

    def by_text(self, element: Element, node: Node, path: Path) -> Any:
        """The option that a text is."""
        parts = _parts(node)
        scalars = [part for part in parts if part.kind in SCALARS and part.kind != "any"]
        text = self.content(element)
        others = [part for part in parts if part.kind not in SCALARS]
        if element.is_cut:
            return self.cut_scalar(node, self.laid_out(element, path), path)
        if any(part.kind == "any" for part in parts) and not scalars:
            return self.of_any(element, _ANY, path)
        if not text and not scalars and node.nullable is False:
            return self.unclear(element, node, [], path)
        if others and text:
            made = self.content_of(others, element, text, bool(scalars), path)
            if made is not _LEFT_OUT:
                return made
        if not scalars:
            return self.unclear(element, node, [], path)
        self.account.values += 1
        laid = self.laid_out(element, path, any(part.kind == "str" for part in scalars))
        union = node if len(scalars) == len(parts) else Node("union", parts=tuple(scalars), nullable=node.nullable)
        return self.found(node, laid, read_union_scalar(union, laid.raw, laid.value, self.mark(element)), path)

    def content_of(self, others: list[Node], element: Element, text: str, has_scalars: bool, path: Path) -> Any:
        """The option that holds others and that a text says; nothing where a scalar is as likely."""
        if has_scalars and text[:1] not in "{[":
            return _LEFT_OUT
        tree = None if element.is_text else self.inner_tree(element, Node("union", parts=tuple(others)))
        inner = tree.root if tree is not None else None
        if tree is None or inner is None or not inner.children:
            return _LEFT_OUT
        mark = self.account.mark()
        kind = RepairKind.FORMAT_READ if inner.form == "json" else RepairKind.SHAPE_CHANGED
        self.account.repair(kind, path, self.place(element), text, text)
        inner.role, inner.step, inner.is_text = element.role, element.step, True
        made = self.of_union(inner, Node("union", parts=tuple(others), nullable=False), path)
        if has_scalars and len(self.account.problems) > mark[1]:
            self.account.take_back(mark)
            return _LEFT_OUT
        self.tree.mended += tree.mended
        self.tree.left += tree.left
        return made

    def unclear(self, element: Element, node: Node, found: list[Node], path: Path) -> None:
        """Puts on record that it can't be told which option is meant."""
        if element.is_cut:
            self.account.broken_off(path, self.place(element), "which option was meant is not known")
            return
        options = node.options()
        names = tuple(name for name, part in options.items() if part in found) or tuple(options)
        message = "fits more than one option" if found else "fits none of the options"
        kind = ProblemKind.AMBIGUOUS if found else ProblemKind.INVALID
        self.account.problem(kind, path, message, self.place(element), self.content(element), names)

    def of_any(self, element: Element, node: Node, path: Path) -> Any:
        """A value of any type: what its mark says, else its elements, else JSON if it is JSON, else text."""
        mark = self.mark(element)
        if mark in MARKED:
            return typed_tree(MARKED[mark], self.value(element, MARKED[mark], path))
        children = list(self.parts(element, path))
        if element.form == "json" and element.token >= 0:
            return self.any_of_json(element, children, path)
        if any(child.role == "item" for child in children) and all(child.role == "item" for child in children):
            return [self.value(child, _ANY, (*path, index)) for index, child in enumerate(children)]
        text = self.laid_out(element, path)
        self.account.values += 1
        if element.is_cut:
            return self.cut_scalar(_STR, text, path)
        if "<" in text.raw:
            return text.value
        try:
            return json.loads(text.value, object_pairs_hook=_unique_keys, parse_float=_finite)
        except (ValueError, RecursionError):
            return text.value

    def any_of_json(self, element: Element, children: list[Element], path: Path) -> Any:
        """A value of any type that is written in JSON, which tells what it is."""
        closer = closer_of(element)
        if closer == "]":
            return [self.value(child, _ANY, (*path, index)) for index, child in enumerate(children)]
        if closer == "}":
            made: dict[str, Any] = {}
            for child in children:
                if child.name in made:
                    message = "given more than once"
                    self.account.problem(ProblemKind.AMBIGUOUS, (*path, child.name), message, self.place(child))
                    continue
                made[child.name] = self.value(child, _ANY, (*path, child.name))
            return made
        text = self.laid_out(element, path)
        self.account.values += 1
        if element.is_cut:
            return self.cut_scalar(_STR, text, path)
        if closer != BARE:
            return text.value
        try:
            return json.loads(text.value or "null", parse_float=_finite)
        except ValueError:
            return text.value

    # Texts in place of elements

    def as_text(self, element: Element, node: Node, path: Path) -> Any:
        """What a list, a map, a tuple or an object says that is written as JSON or as a text."""
        tree = None if element.is_text else self.inner_tree(element, node)
        if tree is None or tree.root is None:
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

    def inner_tree(self, element: Element, node: Node) -> Tree | None:
        """The tree of the text in an element."""
        start, end = element.inner, element.end
        shape, name = self.grammar.shape(node), element.name or "li"
        if self.content(element)[:1] in ("{", "["):
            start += len(self.source(element)) - len(self.source(element).lstrip(GAP))
            found = read_json(self.grammar, shape, name, self.text, start, end)
            if found is not None:
                return found[0]
        return read_content(self.grammar, shape, name, self.text, start, end, element.form)

    # What the reading mended and left over

    def record(self) -> None:
        """Puts the edits of the reading on record, and what it left over."""
        for mended in self.tree.mended:
            self.mended(mended.edit, mended.element, mended.span)
        for left in self.tree.left:
            self.left_over(left)
        root = self.tree.root
        assert root is not None
        for element in _cut(root):
            if element.name:
                self.account.repair(
                    RepairKind.CLOSER_MISSING, element.path, (element.end, element.end), "", f"</{element.name}>"
                )

    def mended(self, edit: Edit, element: Element, span: Span) -> None:
        """One edit, as a repair, and as a problem where it is a guess by nature."""
        price = PRICES[edit]
        before = self.text[slice(*span)]
        after = before
        if edit is Edit.CLOSER_MISSING:
            after = f"</{element.name}>"
        elif edit in (Edit.CLOSER_MISSPELT, Edit.CLOSER_WRONG, Edit.CLOSER_FAR_OFF, Edit.OPENER_AS_CLOSER):
            after = f"</{element.name}>"
        elif edit is Edit.NAME_MISSPELT:
            return  # the name of the field is on record
        if price.repair is not None:
            self.account.repair(price.repair, element.path, span, before, after)
        if price.doubt:
            self.account.problem(ProblemKind.AMBIGUOUS, element.path, price.doubt, span, before)

    def left_over(self, left: Left) -> None:
        """What is no part of the data: a repair, and a problem where it may be the value of something absent."""
        span = left.span
        text = self.text[slice(*span)]
        start = span[0] + len(text) - len(text.lstrip(GAP))
        text = text.strip(GAP)
        span = (start, start + len(text))
        if not text or any(element.span == left.span for element in self.skipped.values()):
            return
        kind = PRICES[left.edit].repair or RepairKind.TEXT_SKIPPED
        after = text if left.edit in (Edit.TEXT_STRAY, Edit.UNKNOWN_SKIPPED) else ""
        self.account.repair(kind, left.element.path, span, text, after)


def _cut(root: Element) -> Iterator[Element]:
    """The elements in which the reply breaks off, the outermost first."""
    element: Element | None = root
    while element is not None and element.is_cut:
        yield element
        element = element.children[-1] if element.children else None


def _options(node: Node) -> tuple[str, ...]:
    return tuple(node.options()) if node.kind == "union" else ()


def _parts(node: Node) -> list[Node]:
    """The options of a union, those of unions in it too; any other node alone."""
    if node.kind != "union":
        return [node]
    return [part for inner in node.parts for part in _parts(inner)]


def _known(node: Node, name: str) -> list[Field]:
    """The fields of the options of a union that a name stands for."""
    found = (part.field_of(name) for part in _parts(node))
    return [field for field in found if field is not None][:1]


def _as_field(name: str, inner: Element) -> Element:
    inner.role, inner.step = "field", name
    return inner


def _typed_or_none(node: Node, made: Any) -> Any:
    """A typed tree, where some values could not be read."""
    try:
        return typed_tree(node, made)
    except (TypeError, ValueError, AttributeError):
        return made


def typed_tree(node: Node, tree: Any) -> Any:
    """A tree of texts in their strict forms with its numbers and truth values typed."""
    if tree is None:
        return None
    if node.kind in SCALARS:
        return typed(node, tree)
    if node.kind == "dict":
        known = {name: typed_tree(field.node, tree[name]) for name, field in node.fields.items() if name in tree}
        return {**known, **{name: value for name, value in tree.items() if name not in known}}
    if node.kind == "tuple":
        return [typed_tree(part, value) for part, value in zip(node.parts, tree, strict=True)]
    if node.kind == "list" and node.item is not None:
        return [typed_tree(node.item, value) for value in tree]
    if node.kind == "map" and node.item is not None:
        return {key: typed_tree(node.item, value) for key, value in tree.items()}
    return tree


def _asked(node: Node) -> str:
    return KINDS_ASKED.get(node.kind) or _ASKED[node.kind]


def _own_name(path: Path) -> str:
    """The name that the value at a path goes by: its field's or its key's, or that of the list it stands in."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands there twice")
    return made


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError("too large for a float")
    return number


_EMPTY: dict[str, Callable[[], Any]] = {"list": list, "map": dict}
_ASKED = {"dict": "an object", "list": "a list", "tuple": "a tuple", "map": "a map", "union": "one of several types"}
_LEFT_OUT: Any = object()
_MAX_TRIALS = 8
"""Options of a union that are read on trial."""
_ANY = Node("any", nullable=True)
_STR = Node("str", nullable=False)
_NULLABLE = Node("int", nullable=True)
_CONSTRAINTS = frozenset(CONSTRAINTS.values())
_SHOWN = frozenset({"elements", "choices", "required", "index", "key", "keys", "discriminator"})
"""Attributes that a prompt shows, and that are no values."""

_READERS: dict[str, Callable[[_Reader, Element, Node, Path], Any]] = {
    "dict": _Reader.of_dict,
    "list": _Reader.of_list,
    "tuple": _Reader.of_tuple,
    "map": _Reader.of_map,
    "union": _Reader.of_union,
    "any": _Reader.of_any,
}
