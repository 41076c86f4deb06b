"""Which option of a union an answer means, where neither an attribute nor a tag says so."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ...definition import Node, Path, choice_text, fold, has_form
from ...findings import RepairKind
from ...markup import BLANK, NULL_WORDS
from ..lines.split_entries import split_fields
from ..reading import Reading
from ..scalars.text import Text
from .elements import ENTRY, FIELD, GUESSED, ITEM, OPTION, Element
from .runs import Run, filled
from .tokens import Head, attributes

__all__ = [
    "Choice",
    "are_of_option",
    "beside",
    "by_content",
    "by_lines",
    "by_names",
    "by_tag",
    "by_text",
    "has_all",
    "is_known",
    "tagged",
    "told",
]

_SIGN = re.compile(r"[:=]")
_CALL = re.compile(r"\s*+([^\W\d]\w{0,99}+)\(")
_PRECISE = ("enum", "bool", "int", "float", "decimal", "uuid", "datetime", "date", "time", "duration", "bytes", "str")
"""Kinds of scalars from the one whose form says most to the one that any text has."""


_TAG = re.compile(r"</?[^\W\d][^<>=]*+>")
"""A tag without values in it."""
_OF_PROMPTS = ("type", "description")
"""Attributes that a prompt shows in the tag of an option."""
_NOTHING = {*NULL_WORDS, ""}
"""What stands in the tags of options that are not meant."""


class Choice(NamedTuple):
    """The options that fit equally well, and whether a less precise one would have fitted too."""

    names: list[str]
    guessed: bool


def by_tag(union: Node, head: Head) -> list[str]:
    """The option whose class an item's own tag names."""
    return [
        name for name, option in union.options().items() if head.key in (fold(name), option.name and fold(option.name))
    ]


def by_text(union: Node, text: Text) -> Choice:
    """The options whose form a text has, the most precise ones. A number fits a string too, so it is a guess."""
    fitting: dict[str, list[str]] = {}
    for name, option in union.options().items():
        if _has_form(option, text.value):
            fitting.setdefault(option.kind, []).append(name)
    kinds = [kind for kind in _PRECISE if kind in fitting]
    if not kinds:
        return Choice(by_lines(union, text.value), False)
    guessed = any(kind in fitting for kind in ("str", "any")) and kinds[0] != "str"
    return Choice(fitting[kinds[0]], guessed)


def by_lines(union: Node, text: str) -> list[str]:
    """The objects that lines of names and values fit best, or the one that a call names."""
    objects = {name: option for name, option in union.options().items() if option.kind == "dict"}
    called = _CALL.match(text)
    if called is not None:
        return [name for name, option in objects.items() if fold(called[1]) in (fold(name), fold(option.name or name))]
    names = {form: form for option in objects.values() for form in option.folded_fields()}
    fields = split_fields(text, lambda label: names.get(fold(label))) if objects and _SIGN.search(text) else None
    texts = {entry.name: entry.value.text for entry in fields.entries} if fields is not None else {}
    return by_names(union.discriminator, objects, texts)


def _has_form(option: Node, text: str) -> bool:
    if option.kind == "enum":
        return any(choice_text(choice) == text for choice in option.choices)
    return option.kind in _PRECISE and (option.kind == "str" or (text != "" and has_form(option.kind, text)))


def is_known(child: Element) -> bool:
    """Whether an element is one that an option of a union knows by its name, or by its key."""
    if isinstance(child, Run):
        return True
    if child.role is ENTRY:
        return child.head.key == "entry" and child.attribute("key") is not None
    return child.role in (FIELD, OPTION) or (child.role is ITEM and child.name is not GUESSED)


def are_of_option(union: Node, children: list[Element]) -> bool:
    """Whether elements are all that some option of a union holds: its items, its entries, or fields, either nothing but
    these or all that it needs.
    """
    known = [child for child in children if is_known(child)]
    if not known:
        return False
    if len(known) == len(children):
        return True
    names = {name for child in known for name in (child.values if isinstance(child, Run) else (child.name,))}
    objects = [option for option in union.options().values() if option.kind == "dict"]
    return any(all(name in names for name, field in option.fields.items() if field.required) for option in objects)


def by_content(union: Node, element: Element, reply: str) -> list[str]:
    """The options that the children of an element fit best: by the discriminator, else by which fields are there. Where
    a text is one of them, it is that if no other knows any of the children.
    """
    options = union.options()
    if "str" in options and element.children and all(map(_is_unknown, element.children)):
        return ["str"]
    if element.children and all(child.role is ITEM for child in element.children):
        return [name for name, option in options.items() if option.kind in ("list", "tuple", "map")]
    if element.children and all(child.role is ENTRY and is_known(child) for child in element.children):
        return [name for name, option in options.items() if option.kind == "map"]
    objects = {name: option for name, option in options.items() if option.kind == "dict"}
    texts: dict[str, str] = {}
    for child in element.children:
        texts.setdefault(_called(child), _inner(child, reply))
    texts = {**_in_attributes(objects, element, reply), **texts}
    names = by_names(union.discriminator, objects, texts)
    return names or (["str"] if "str" in options and element.children else [])


def _is_unknown(child: Element) -> bool:
    """Whether the definition has no name for an element: only its place would make it something."""
    return child.role is None or (child.role is ITEM and child.name is GUESSED)


def has_all(union: Node, names: list[str], element: Element) -> bool:
    """Whether the children of an element that has texts beside them are all that some option needs: items, which say
    themselves what a text between them is, or all required fields.
    """
    options, given = union.options(), filled(element)
    needed = [{name for name, field in options[key].fields.items() if field.required} for key in names]
    return any(options[key].kind != "str" and fields <= given for key, fields in zip(names, needed, strict=True))


def by_names(discriminator: str | None, objects: dict[str, Node], texts: dict[str, str]) -> list[str]:
    """The objects that fit best what stands there: the texts of scalars by the folded names of their fields."""
    told = _by_discriminator(discriminator, objects, texts) if texts else []
    if told:
        return told
    scores = {name: _score(option, set(texts)) for name, option in objects.items()} if texts else {}
    best = max(scores.values(), default=None)
    if best is None or best[1] <= 0:
        return []
    found = [name for name, score in scores.items() if score == best]
    return found + [name for name in objects if name not in found and _is_rival(name, found, objects, set(texts))]


def _is_rival(name: str, found: list[str], objects: dict[str, Node], written: set[str]) -> bool:
    """Whether an object could be meant as well, for all that it requires is there, and has what none of those that fit
    better knows.
    """
    fields = objects[name].folded_fields()
    given = {form for form in written if form in fields}
    known = {fields[form].name for form in given}
    if not all(field.name in known for field in objects[name].fields.values() if field.required):
        return False
    return any(all(form not in objects[other].folded_fields() for other in found) for form in given)


def _score(option: Node, written: set[str]) -> tuple[int, int]:
    """How well the elements that are there fit an object: by what is missing or unknown, then by what is known."""
    fields = option.folded_fields()
    known = {fields[name].name for name in written if name in fields}
    missing = sum(field.required and field.name not in known for field in option.fields.values())
    unknown = len(written) - len(known)
    return -(missing + unknown), len(known)


def _by_discriminator(name: str | None, objects: dict[str, Node], texts: dict[str, str]) -> list[str]:
    """The objects whose discriminator may hold what stands in it; without one, a field of a single choice tells."""
    told = dict(objects)
    for field in _telling(name, objects):
        text = texts.get(fold(field))
        if text is not None:
            told = {key: option for key, option in told.items() if _may_hold(option, field, text)}
    return list(told) if len(told) == 1 else []


def _telling(discriminator: str | None, objects: dict[str, Node]) -> list[str]:
    """The fields that tell objects apart: the discriminator, else those of a single choice."""
    constants = {field for option in objects.values() for field in _constants(option)}
    return [discriminator] if discriminator else sorted(constants)


def _constants(option: Node) -> list[str]:
    return [name for name, field in option.fields.items() if field.node.kind == "enum" and len(field.node.choices) == 1]


def _may_hold(option: Node, field: str, text: str) -> bool:
    if field not in option.fields:
        return False
    node = option.fields[field].node
    return node.kind != "enum" or any(choice_text(choice) == text for choice in node.choices)


def _in_attributes(objects: dict[str, Node], element: Element, reply: str) -> dict[str, str]:
    """The values that an element's attributes give to fields of its options; a text of its own is all that it says."""
    if not element.head.rest or (_inner(element, reply) and not element.children):
        return {}
    fields = {form for option in objects.values() for form in option.folded_fields()}
    return {name: given for key, given in attributes(element.head.rest) if (name := fold(key)) in fields}


def _inner(element: Element, reply: str) -> str:
    return reply[element.inner_start : element.inner_end].strip(BLANK)


def _called(element: Element) -> str:
    """The folded name of a field that an element fills, or would fill."""
    return fold(element.name or element.head.name)


def told(union: Node, option: Node, tree: Any, path: Path, reading: Reading) -> Any:
    """The tree of an option, with the one choice of a field that tells options apart where that was left out: which
    option it is has told it too. Puts on record which one it is.
    """
    reading.chosen[path] = option
    absent = [name for name in _constants(option) if name not in tree] if isinstance(tree, dict) else []
    left_out = [name for name in absent if option.fields[name].required]
    objects = {name: part for name, part in union.options().items() if part.kind == "dict"} if left_out else {}
    telling = _telling(union.discriminator, objects)
    for name in (name for name in left_out if name in telling):
        tree[name] = choice = option.fields[name].node.choices[0]
        place = (*path, name)
        reading.repair(RepairKind.DISCRIMINATOR_MISSING, place, reading.place(place), "", choice_text(choice))
    return tree


def beside(union: Node, option: str, element: Element, reply: str) -> list[str]:
    """The options that are filled beside the own tag of one, which is none of them."""
    objects = {name: node for name, node in union.options().items() if node.kind == "dict"}
    texts = {_called(child): _inner(child, reply) for child in element.children if child.role is FIELD}
    names = by_names(union.discriminator, objects, texts) if texts else []
    return [name for name in names if name != option and _is_rival(name, [option], objects, set(texts))]


def _says(element: Element, reply: str) -> bool:
    """Whether an element holds a value, be it as an attribute or in elements of its own."""
    has_values = any(name not in _OF_PROMPTS for name, _given in attributes(element.head.rest))
    return has_values or any(text.strip(BLANK).lower() not in _NOTHING for text in _TAG.split(_inner(element, reply)))


def tagged(element: Element, reply: str) -> list[Element]:
    """The elements of options' own tags; of several, those that are not said to be null."""
    found = [child for child in element.children if child.role is OPTION]
    return [child for child in found if _says(child, reply)] if len(found) > 1 else found
