"""Decides which option of a union a reply means: by its mark, its class's tag, its fields or its text.

Unions have options of any kind, so the table of the readers of all kinds is here too.
"""

from __future__ import annotations

import re
from typing import Any

from ..data.load import json_data
from ..definition import MARKED, SCALARS, Field, Node, Path, choice_text, fold
from ..errors import InstanceError
from ..findings import RepairKind
from ..render.placeholder import placeholder
from .account import Account
from .build import Element, Tree
from .containers import of_dict, of_list, of_map
from .data import Read, Reader, given, is_word, mark_of, parts_in
from .grammar import ANY, STR, Grammar, parts_of
from .leaves import cut_scalar, found, in_attribute, scalar, signature
from .read_json import closer_of
from .record import record
from .table import BARE
from .values import read_union_scalar
from .written import LEFT_OUT, as_text

_TAGGED = re.compile(r"\s*+<(\w++)>([^<>]*+)</\1>\s*+")
"""A value in the tag of an option."""


def of_union(reader: Reader, element: Element, node: Node, path: Path) -> Any:
    options, mark = node.options(), mark_of(element)
    if mark is not None and mark in options and all(child.role != "option" for child in element.children):
        return _option(reader, element, node, options[mark], path)
    if mark in MARKED and any(part.kind == "any" for part in node.parts):
        return of_any(reader, element, MARKED["str"], path)
    children = parts_in(element, path)
    if not children and not element.content:
        children = _in_attributes(reader, element, node)
    is_named = element.role == "item" and element.name != "li"
    children = _without_nulls(reader, children, path)
    own = reader.grammar.shape(node).classes.get(fold(element.name)) if is_named else None
    if own is not None and not any(child.role == "option" for child in children):
        return _option(reader, element, node, own.node, path)
    named = [child for child in children if child.role == "option"]
    if named:
        return _named_option(reader, element, children, node, path)
    if any(child.role != "skipped" for child in children):
        return _by_children(reader, element, children, node, path)
    return _by_text(reader, element, node, path)


def _in_attributes(reader: Reader, element: Element, node: Node) -> list[Element]:
    """Returns the attributes of an empty element that are fields of options, as elements."""
    found = []
    for name, inner in given(element, node).items():
        field = next(filter(None, (part.field_of(name) for part in parts_of(node))), None)
        if field is not None:
            inner.role, inner.step = "field", field.name
            found.append(inner)
    return found


def _without_nulls(reader: Reader, children: list[Element], path: Path) -> list[Element]:
    """Returns the children of a union without options that say null beside another one."""
    nulls = [child for child in children if child.role == "option" and is_word(child)]
    if not 0 < len(nulls) < sum(child.role == "option" for child in children):
        return children
    for child in nulls:
        reader.account.repair(RepairKind.NULL_WORD, path, child.span, child.content, "null")
    return [child for child in children if child not in nulls]


def _option(reader: Reader, element: Element, node: Node, option: Node, path: Path) -> Any:
    """Reads an option of a union. Constants that its tag or its fields imply are filled in."""
    reader.account.chosen[path] = option
    made = reader.value(element, option, path)
    if not isinstance(made, dict) or option.kind != "dict" or element.is_cut:
        return made
    for name, field in option.fields.items():
        if name not in made and _is_constant(field) and (field.required or name == node.discriminator):
            made[name] = field.node.choices[0]
            span, said = (element.start, element.inner), choice_text(made[name])
            reader.account.repair(RepairKind.VALUE_RESPELLED, (*path, name), span, "", said)
    return made


def _is_constant(field: Field) -> bool:
    return field.node.kind == "enum" and len(field.node.choices) == 1


def _named_option(reader: Reader, element: Element, children: list[Element], node: Node, path: Path) -> Any:
    """Reads the only option that is under the tag of its class."""
    found = [child for child in children if child.role in ("option", "field")]
    if len(found) > 1:
        reader.doubt(element, path, "it contains more than one option", tuple(child.name for child in found))
        return None
    child = found[0]
    child.step = None
    return _option(reader, child, node, child.shape.node, path)


def _by_children(reader: Reader, element: Element, children: list[Element], node: Node, path: Path) -> Any:
    """Reads the option that the elements in a union fit best."""
    roles = {child.role for child in children}
    kinds: tuple[str, ...] = ("dict",)
    if "item" in roles:
        kinds = ("list", "tuple")
    elif roles & {"entry", "pair"}:
        kinds = ("map",)
    parts = parts_of(node)
    found = [part for part in parts if part.kind in kinds]
    if kinds == ("dict",) and len(found) > 1:
        found = _fitting(reader, found, children, node)
    found = found or [part for part in parts if part.kind == "any"]
    if len(found) == 1:
        return _option(reader, element, node, found[0], path)
    return _unclear(reader, element, node, found, path)


def _fitting(reader: Reader, objects: list[Node], children: list[Element], node: Node) -> list[Node]:
    """Returns the objects whose fields fit best: by their constants, then by missing, unknown and known fields."""
    steps = {child.step: child for child in children if child.role == "field"}
    told = [part for part in objects if _is_told(reader, part, steps, node.discriminator)]
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


def _is_told(reader: Reader, part: Node, steps: dict[str, Element], discriminator: str | None) -> bool:
    """Returns whether the fields with a single choice identify an object."""
    constants = [name for name, field in part.fields.items() if _is_constant(field)]
    names = [discriminator] if discriminator else constants
    for name in names:
        field, child = part.fields.get(name), steps.get(name)
        if field is None or child is None:
            return False
        said = fold(child.content.strip("\"'"))
        if all(fold(choice_text(choice)) != said for choice in field.node.choices):
            return False
    return bool(names)


def _by_text(reader: Reader, element: Element, node: Node, path: Path) -> Any:
    """Reads the option that a text is: a container written as a text, or else a scalar."""
    parts = parts_of(node)
    scalars = [part for part in parts if part.kind in SCALARS and part.kind != "any"]
    others = [part for part in parts if part.kind not in SCALARS]
    text = element.content
    if element.is_cut:
        return cut_scalar(reader, element, node, reader.laid_out(element, path), path)
    if not scalars and any(part.kind == "any" for part in parts):
        return of_any(reader, element, ANY, path)
    tagged = _TAGGED.fullmatch(reader.text, element.inner, element.end) if scalars else None
    if tagged is not None and tagged[1] in node.options():
        reader.account.repair(RepairKind.WRAPPER_ENTERED, path, tagged.span(), tagged[0], tagged[0])
        element.inner, element.end = tagged.span(2)
        return _option(reader, element, node, node.options()[tagged[1]], path)
    names = [*element.shape.fields, *(("li", "item") if element.shape.is_list else ())]
    if any(f"<{name}>" in text and f"</{name}>" in text for name in names):
        return _unclear(reader, element, node, parts, path)
    signs = "{[`" if any(part.kind == "str" for part in scalars) else "{[`<"
    if others and text and (not scalars or text[0] in signs):
        made = _written_out(reader, element, others, bool(scalars), path)
        if made is not LEFT_OUT:
            return made
    if not scalars:
        return _unclear(reader, element, node, [], path)
    return _scalar(reader, element, node, scalars, path)


def _scalar(reader: Reader, element: Element, node: Node, scalars: list[Node], path: Path) -> Any:
    laid = reader.laid_out(element, path, any(part.kind == "str" for part in scalars))
    if not laid.raw and (inner := in_attribute(reader, element, node, path)) is not None:
        return reader.value(inner, node, path)
    reader.account.values += 1
    if any(placeholder(part) in laid.raw for part in scalars):
        reader.fail(element, path, "it repeats the prompt instead of giving a value")
    union = Node("union", parts=tuple(scalars), nullable=node.nullable) if len(scalars) < len(parts_of(node)) else node
    return found(reader, node, laid, read_union_scalar(union, laid.raw, laid.value, mark_of(element)), path)


def _written_out(reader: Reader, element: Element, others: list[Node], has_scalars: bool, path: Path) -> Any:
    """Reads the container that a text describes, unless a scalar is as likely."""
    mark = reader.account.mark()
    made = as_text(reader, element, reader.grammar.merged(others).node, path, is_sure=not has_scalars)
    if has_scalars and len(reader.account.problems) > mark[1]:
        reader.account.take_back(mark)
        return LEFT_OUT
    return made


def _unclear(reader: Reader, element: Element, node: Node, found: list[Node], path: Path) -> None:
    if element.is_cut:
        reader.account.broken_off(path, element.place, "it is unclear which option was meant")
        return
    options = node.options()
    names = tuple(name for name, part in options.items() if part in found) or tuple(options)
    if found:
        reader.doubt(element, path, "fits more than one option", names)
    else:
        reader.fail(element, path, "fits none of the options", names)


def of_any(reader: Reader, element: Element, node: Node, path: Path) -> Any:
    """Reads a value of any type: by its mark, else its elements, else as JSON if it is JSON, else as a text."""
    mark = mark_of(element)
    if mark in MARKED:
        return reader.value(element, MARKED[mark], path)
    children = parts_in(element, path)
    closer = closer_of(element) if element.form == "json" and element.token >= 0 else None
    if closer == "}":
        return _any_object(reader, children, path)
    if closer == "]" or (children and all(child.role == "item" for child in children)):
        return [reader.value(child, ANY, (*path, index)) for index, child in enumerate(children)]
    text = reader.laid_out(element, path)
    if not text.raw and closer is None and (inner := in_attribute(reader, element, node, path)) is not None:
        return reader.value(inner, node, path)
    reader.account.values += 1
    if element.is_cut:
        return cut_scalar(reader, element, STR, text, path)
    signature(reader, element, text, node, path)
    if "<" in text.raw or closer not in (None, BARE):
        return text.value
    try:
        return json_data(text.value or ("null" if closer == BARE else ""))
    except InstanceError:
        return text.value


def _any_object(reader: Reader, children: list[Element], path: Path) -> dict[str, Any]:
    """Reads an object of JSON whose members are unknown."""
    made: dict[str, Any] = {}
    for child in children:
        if child.name in made:
            reader.doubt(child, (*path, child.name), "occurs more than once")
        else:
            made[child.name] = reader.value(child, ANY, (*path, child.name))
    return made


# All kinds

READERS: dict[str, Read] = {
    "scalar": scalar,
    "dict": of_dict,
    "list": of_list,
    "tuple": of_list,
    "map": of_map,
    "union": of_union,
    "any": of_any,
}


def read_tree(grammar: Grammar, tree: Tree, account: Account) -> Account:
    """Reads the data of a tree into an account. Raises `LimitReachedError` if the data is too deep."""
    assert tree.root is not None
    reader = Reader(grammar, tree, account, READERS)
    account.tree = reader.value(tree.root, grammar.plan.root, ())
    record(reader)
    return account
