"""Damage of lists, maps and unions: items without tags or with others, entries in every form, options untold."""

from __future__ import annotations

import json
from collections.abc import Callable

from benchmarks.robustness.damage.draft import Draft, damage
from benchmarks.robustness.models import Shape, snake
from benchmarks.robustness.render import escape, plain
from structured_response.testing import damage as shared
from structured_response.testing.damage import ENDING, NUMBERS, Element, NoPlaceError

GROUP = "lists, maps, unions"


def _replace_items(at: Element, raw: str) -> None:
    at.raw, at.children = raw, []


def _short_words(draft: Draft, at: Element) -> None:
    """Give a list of texts items of a word or two, which no comma and no line break can hide in."""
    if at.shape.item and at.shape.item.kind == "str":
        words = draft.rng.sample(_WORDS, max(2, len(at.value)))
        draft.set(at, words)
        at.children = []


_WORDS = ("light", "cheap", "sturdy", "very quiet", "well made", "compact", "fast", "easy to clean")


def _without_items(draft: Draft, write: Callable[[list[str]], str], *, short: bool = False) -> None:
    at = draft.pick(draft.lists("str", *NUMBERS, least=2))
    if short:
        _short_words(draft, at)
    texts = [escape(plain(item)) for item in at.value]
    if any("\n" in text for text in texts):
        raise NoPlaceError
    _replace_items(at, write(texts))


@damage(GROUP)
def list_as_bullets(draft: Draft) -> None:
    mark = draft.choose(("- ", "* ", "\u2022 ", "  - "))
    _without_items(draft, lambda texts: "\n" + "\n".join(mark + text for text in texts) + "\n")


@damage(GROUP)
def list_as_numbers(draft: Draft) -> None:
    form = draft.choose(("{}. {}", "{}) {}", "({}) {}"))
    _without_items(
        draft, lambda texts: "\n" + "\n".join(form.format(n, text) for n, text in enumerate(texts, 1)) + "\n"
    )


@damage(GROUP)
def list_as_lines(draft: Draft) -> None:
    _without_items(draft, lambda texts: "\n" + "\n".join(texts) + "\n")


@damage(GROUP)
def list_as_commas(draft: Draft) -> None:
    _without_items(draft, ", ".join, short=True)


@damage(GROUP)
def list_as_semicolons(draft: Draft) -> None:
    _without_items(draft, "; ".join, short=True)


@damage(GROUP)
def list_as_json(draft: Draft) -> None:
    at = draft.pick(draft.lists("str", *NUMBERS))
    text = json.dumps(at.value, ensure_ascii=False)
    if "<" in text or "&" in text:
        raise NoPlaceError
    _replace_items(at, text)


def _unwrap(at: Element, name: str) -> None:
    """Let the items stand in the list's place, each under a name."""
    at.opener = at.closer = ""
    for child in at.children:
        child.tag = name


def _singular(name: str) -> str:
    return name.removesuffix("s")


@damage(GROUP)
def repeated_tags_of_the_list(draft: Draft) -> None:
    at = draft.pick(draft.lists("str", "object", *NUMBERS, least=2))
    _unwrap(at, at.tag)


@damage(GROUP, models=("Review", "Report", "Tutorial", "Invoice"))
def repeated_tags_of_its_singular(draft: Draft) -> None:
    at = draft.pick(draft.lists("str", "object", *NUMBERS))
    _unwrap(at, _singular(at.tag))


damage(GROUP, name="items_of_another_name")(shared.items_renamed)


def _flat(shape: Shape | None) -> bool:
    """Whether items of this shape hold texts only, so that none of them can go on behind its last field."""
    return shape is not None and all(each.shape.is_text for each in shape.fields.values())


def _no_markup(at: Element) -> bool:
    return all("<" not in (each.raw or "") for each in at.walk())


@damage(GROUP)
def items_unclosed(draft: Draft) -> None:
    lists = draft.lists("str", "object", *NUMBERS)
    at = draft.pick([each for each in lists if _flat(each.shape.item) and _no_markup(each)])
    for child in at.children:
        child.closer = ""


@damage(GROUP)
def items_mixed(draft: Draft) -> None:
    lists = draft.lists("str", "object", *NUMBERS, least=2)
    at = draft.pick([each for each in lists if _flat(each.shape.item) and _no_markup(each)])
    for number, child in enumerate(at.children):
        child.tag = draft.choose(("li", "item")) if number else "item"
        child.closer = draft.choose((None, None, ""))


@damage(GROUP, models=("Review", "Report", "Invoice", "TaskList"))
def objects_run_together(draft: Draft) -> None:
    lists = [each for each in draft.places("list", roles=("field", "root")) if each.children]
    at = draft.pick(
        [each for each in lists if each.shape.item and each.shape.item.kind == "object" and _flat(each.shape.item)]
    )
    one_item = draft.rng.random() < 0.5
    for number, child in enumerate(at.children):
        child.opener = None if one_item and number == 0 else ""
        child.closer = None if one_item and number == len(at.children) - 1 else ""


@damage(GROUP)
def one_bad_item(draft: Draft) -> None:
    items = [each for each in draft.root.walk() if each.role == "item" and each not in draft.taken]
    leaves = [leaf for each in items for leaf in each.walk() if leaf.shape.kind in ENDING]
    at = draft.pick([each for each in leaves if not each.shape.nullable and each.raw])
    at.raw = draft.choose(("unclear", "x", "see above"))
    draft.problems.add(at.path)


@damage(GROUP)
def scalar_for_list(draft: Draft) -> None:
    at = draft.pick(draft.lists("str", *NUMBERS))
    item = at.shape.item
    value = "Light, cheap and a joy to use, really" if item and item.kind == "str" else draft.rng.randint(1, 9)
    draft.set(at, [value])
    _replace_items(at, plain(value))


@damage(GROUP, models=("Review", "Report", "Invoice"))
def object_for_list(draft: Draft) -> None:
    at = draft.pick([each for each in draft.lists("object") if _flat(each.shape.item)])
    draft.set(at, at.value[:1])
    at.children = at.children[0].children


@damage(GROUP)
def list_for_scalar(draft: Draft) -> None:
    at = draft.pick([each for each in draft.places(*ENDING, roles=("field",)) if each.raw])
    at.raw = f"<li>{at.raw}</li>"


MAPS = ("Inventory",)


def _map(draft: Draft, *kinds: str) -> Element:
    maps = draft.places("map")
    return draft.pick([each for each in maps if each.value and each.shape.item and each.shape.item.kind in kinds])


@damage(GROUP, models=MAPS)
def map_by_child_name(draft: Draft) -> None:
    for child in _map(draft, "int", "object").children:
        child.tag, child.attributes = child.path.rsplit(".", 1)[1], ""


@damage(GROUP, models=MAPS)
def map_by_key_attribute(draft: Draft) -> None:
    at = _map(draft, "int", "object")
    tag, quote = draft.choose(("item", "li", "entry", _singular(at.tag))), draft.choose(("'", '"'))
    for child in at.children:
        child.tag, child.attributes = tag, child.attributes.replace("'", quote)


@damage(GROUP, models=MAPS)
def map_by_key_and_value(draft: Draft) -> None:
    tag = draft.choose(("entry", "item", "li"))
    for child in _map(draft, "int", "object").children:
        key = child.path.rsplit(".", 1)[1]
        child.tag, child.attributes = tag, ""
        child.opener, child.closer = f"<{tag}><key>{key}</key><value>", f"</value></{tag}>"


@damage(GROUP, models=MAPS)
def map_by_lines(draft: Draft) -> None:
    at = _map(draft, "int")
    form = draft.choose(("{}: {}", "{} = {}", "- {}: {}", "{}:{}", "* **{}**: {}"))
    _replace_items(at, "\n" + "\n".join(form.format(key, value) for key, value in at.value.items()) + "\n")


UNIONS = ("Booking",)


def _union(draft: Draft) -> tuple[Element, Element]:
    """An element of a union of objects, and the class's element in it."""
    at = draft.pick([each for each in draft.places("union") if each.children])
    return at, at.children[0]


def _strip_class(at: Element, option: Element) -> None:
    at.adopt(option.children)


@damage(GROUP, models=UNIONS)
def union_by_class_tag(draft: Draft) -> None:
    _at, option = _union(draft)
    option.tag = draft.choose((option.shape.name, option.shape.name.upper(), f"{option.tag}"))


@damage(GROUP, models=UNIONS)
def union_by_type_attribute(draft: Draft) -> None:
    at, option = _union(draft)
    _strip_class(at, option)
    at.attributes = f" type={draft.choose((chr(34), chr(39)))}"
    quote = at.attributes[-1]
    at.attributes += f"{draft.choose((option.shape.name, snake(option.shape.name)))}{quote}"


@damage(GROUP, models=UNIONS)
def union_by_discriminator(draft: Draft) -> None:
    at = draft.pick([each for each in draft.places("union") if each.tag == "payment"])
    _strip_class(at, at.children[0])


@damage(GROUP, models=UNIONS)
def union_by_fields(draft: Draft) -> None:
    at = draft.pick([each for each in draft.places("union") if each.tag == "place"])
    _strip_class(at, at.children[0])


@damage(GROUP, models=UNIONS)
def union_of_scalars(draft: Draft) -> None:
    """The number is a number where it reads as one, and a text otherwise."""
    draft.pick([each for each in draft.places("union") if each.tag == "voucher"]).attributes = ""


@damage(GROUP, models=UNIONS)
def union_untold(draft: Draft) -> None:
    """Nothing tells the option: no tag, no field, no word."""
    at = draft.pick([each for each in draft.places("union") if each.children])
    at.children, at.raw = [], draft.choose(("", "as agreed", "to be told"))
    draft.problems.add(at.path)


@damage(GROUP, models=("TaskList",), mixes=False)
def several_roots(draft: Draft) -> None:
    tag = draft.choose(("task", "Task", "task"))
    draft.root.opener = draft.root.closer = ""
    for child in draft.root.children:
        child.tag = tag
