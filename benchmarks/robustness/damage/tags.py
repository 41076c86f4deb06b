"""Damage of tags: closers missing, wrong or too many, broken brackets and attributes, characters that look alike."""

from __future__ import annotations

from benchmarks.robustness.damage.draft import OBJECTS, Draft, damage
from benchmarks.robustness.models import Shape
from benchmarks.robustness.render import escape, plain
from structured_response.testing import damage as shared
from structured_response.testing.damage import ENDING, Element, NoPlaceError

GROUP = "tags"
NBSP, FULL_LESS, FULL_GREATER = "\u00a0", "\uff1c", "\uff1e"
ZERO_WIDTH = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")


def _inside_item(at: Element) -> bool:
    return any(each.role in {"item", "entry"} for each in at.ancestors())


def _names_in(shape: Shape | None) -> set[str]:
    """Every name that may stand in an element of this shape."""
    if shape is None:
        return set()
    below = [_names_in(each.shape) for each in shape.fields.values()] if shape.kind == "object" else []
    return set(shape.fields).union(_names_in(shape.item) if shape.kind in {"list", "map"} else set(), *below)


def _can_end_open(at: Element) -> bool:
    """Whether what follows an element that is never closed cannot be part of it."""
    follower = at.sibling(1)
    if _inside_item(at) or at.parent is None:
        return False
    return follower is None or follower.tag not in _names_in(at.shape)


damage(GROUP, name="closer_missing_of_scalar")(shared.closer_missing)


@damage(GROUP)
def closer_missing_of_string(draft: Draft) -> None:
    draft.pick(draft.leaves("str")).closer = ""


@damage(GROUP)
def closer_missing_of_item(draft: Draft) -> None:
    items = draft.places("str", "object", *ENDING, roles=("item", "entry"))
    at = draft.pick([each for each in items if (each.children or each.is_text_only()) and _ends_as_item(each)])
    at.closer = ""


def _ends_as_item(at: Element) -> bool:
    """Whether an item left open ends where the next one begins: not behind a list in it, which could go on."""
    return not at.children or at.children[-1].shape.is_text


@damage(GROUP, models=("Review", "Report", "Tutorial", "Inventory", "Invoice"))
def closer_missing_of_list(draft: Draft) -> None:
    lists = [each for each in draft.places("list", "map", roles=("field",)) if _can_end_open(each)]
    draft.pick(lists).closer = ""


@damage(GROUP, models=("Project",))
def closer_missing_of_object(draft: Draft) -> None:
    draft.pick([each for each in draft.places("object", roles=("field",)) if _can_end_open(each)]).closer = ""


damage(GROUP)(shared.closer_misspelt)


@damage(GROUP, models=OBJECTS)
def closer_of_another_name(draft: Draft) -> None:
    at = draft.pick([each for each in draft.leaves("str", *ENDING) if each.parent and len(each.parent.children) > 1])
    names = {each.tag for each in (at.parent.children if at.parent else ())} - {at.tag}
    at.closer = f"</{draft.choose(sorted(names - {each.tag for each in at.ancestors()}))}>"


damage(GROUP, name="opener_used_as_closer")(shared.opener_as_closer)


@damage(GROUP)
def stray_closer(draft: Draft) -> None:
    at = draft.pick([each for each in draft.free() if each.parent])
    closed = at.sibling(-1)
    open_names = {each.tag for each in at.ancestors()} | {at.tag}
    names = [name for name in ("b", "div", "p", "em", closed.tag if closed else "i") if name not in open_names]
    at.after = f"</{draft.choose(names)}>"


damage(GROUP, name="doubled_closer")(shared.closer_doubled)


@damage(GROUP)
def crossed_nesting(draft: Draft) -> None:
    inner = [each for each in draft.leaves("str", *ENDING) if each.sibling(1) is None and each.parent]
    at = draft.pick([each for each in inner if each.parent not in draft.taken])
    assert at.parent is not None
    at.closer, at.parent.closer = "", f"</{at.parent.tag}></{at.tag}>"
    draft.take(at.parent)


damage(GROUP, name="closer_without_bracket")(shared.closer_unfinished)


@damage(GROUP)
def blanks_in_brackets(draft: Draft) -> None:
    for at in draft.some(draft.free(), 4):
        opener = draft.choose(("< {}{}>", "<{}{} >", "< {}{} >", "<{}{}\n>"))
        closer = draft.choose(("</ {}>", "< /{}>", "</{} >", "< / {} >"))
        at.opener, at.closer = opener.format(at.tag, at.attributes), closer.format(at.tag)


damage(GROUP)(shared.attributes_echoed)


@damage(GROUP)
def attributes_badly_quoted(draft: Draft) -> None:
    for at in draft.some([each for each in draft.bare() if each.role in {"field", "root"}], 4):
        kind = at.shape.kind
        forms = (
            f" type={kind}",
            f" type=\u201c{kind}\u201d",
            " description='it's what you'd expect'",
            ' description="the "best" one"',
            f" type=\"{kind}'",
            f" type='{kind}' description='a 'b' c' required",
        )
        at.attributes = draft.choose(forms)


@damage(GROUP)
def attributes_unclosed(draft: Draft) -> None:
    at = draft.pick([each for each in draft.bare() if each.role == "field"])
    at.attributes = draft.choose((f" type='{at.shape.kind}", f' type="{at.shape.kind}', " description='what it is"))


@damage(GROUP)
def attributes_holding_brackets(draft: Draft) -> None:
    for at in draft.some([each for each in draft.bare() if each.role in {"field", "root"}], 3):
        at.attributes = draft.choose(
            (" description='more > less'", ' description="x -> y"', " pattern='^<[a-z]+>$'", ' description="a <b> c"')
        )


@damage(GROUP)
def values_as_attributes(draft: Draft) -> None:
    objects = draft.places("object", roles=("root", "field", "item", "option"))
    at = draft.pick([each for each in objects if any(map(_is_attribute, each.children))])
    moved = [each for each in at.children if _is_attribute(each)]
    at.attributes = "".join(f' {each.tag}="{_quoted(each)}"' for each in moved)
    at.children = [each for each in at.children if each not in moved]
    if not at.children:
        at.opener, at.closer = f"<{at.tag}{at.attributes}/>", ""


@damage(GROUP)
def value_as_value_attribute(draft: Draft) -> None:
    at = draft.pick([each for each in draft.leaves("str", *ENDING) if _is_attribute(each)])
    at.opener, at.closer, at.raw = f'<{at.tag} value="{_quoted(at)}"/>', "", ""


def _is_attribute(at: Element) -> bool:
    scalar = at.shape.kind in {"str", *ENDING} and at.role == "field" and at.value is not None
    return scalar and "\n" not in plain(at.value) and plain(at.value) != ""


def _quoted(at: Element) -> str:
    return escape(plain(at.value)).replace('"', "&quot;")


@damage(GROUP)
def self_closed(draft: Draft) -> None:
    def may_be_empty(at: Element) -> bool:
        return at.shape.kind in {"list", "map"} or (at.shape.kind == "str" and not at.shape.nullable)

    fields = draft.places("list", "map", "str", *ENDING, roles=("field",))
    at = draft.pick([each for each in fields if may_be_empty(each) or each.shape.nullable])
    empty = None if at.shape.nullable else {"list": [], "map": {}, "str": ""}[at.shape.kind]
    draft.set(at, empty)
    at.opener, at.closer, at.raw, at.children = draft.choose((f"<{at.tag}/>", f"<{at.tag} />")), "", "", []


damage(GROUP, name="unknown_element")(shared.element_unknown)


@damage(GROUP)
def field_twice(draft: Draft) -> None:
    """The same value again: nothing is lost, whichever is taken."""
    at = draft.pick([each for each in draft.leaves("str", *ENDING) if not _inside_item(each)])
    at.after = f"<{at.tag}>{at.raw}</{at.tag}>"


@damage(GROUP)
def field_twice_with_two_values(draft: Draft) -> None:
    """Two values for one field: which one is meant nobody can tell."""
    at = draft.pick([each for each in draft.leaves(*ENDING) if not _inside_item(each)])
    other = {"bool": plain(not at.value), "date": "2031-01-30", "int": "3", "float": "7.25"}.get(at.shape.kind)
    if at.shape.kind == "enum":
        other = next((value for _, value in at.shape.choices if value != at.value), None)
    if other is None or other == at.raw:
        raise NoPlaceError
    at.after = f"<{at.tag}>{other}</{at.tag}>"
    draft.problems.add(at.path)


def _sprinkle(draft: Draft, mark: str) -> None:
    """A character that nobody sees, between tags, inside their brackets and around numbers."""
    for at in draft.some(draft.free(), 4):
        style = draft.rng.randrange(4)
        if style == 0:
            at.before = mark
        elif style == 1:
            at.opener = f"<{at.tag}{mark}{at.attributes}>"
        elif style == 2:
            at.closer = f"</{at.tag}{mark}>"
        elif at.shape.kind in ENDING and at.raw:
            at.raw = f"{mark}{at.raw}{mark}"
        else:
            at.after = mark


@damage(GROUP)
def no_break_spaces(draft: Draft) -> None:
    _sprinkle(draft, NBSP)


@damage(GROUP)
def zero_width_characters(draft: Draft) -> None:
    _sprinkle(draft, draft.choose(ZERO_WIDTH))


@damage(GROUP, "reply")
def byte_order_mark(draft: Draft) -> None:
    draft.reply = "\ufeff" + draft.reply


@damage(GROUP)
def full_width_brackets(draft: Draft) -> None:
    free = draft.free()
    for at in free if draft.rng.random() < 0.5 else draft.some(free):
        at.opener = f"{FULL_LESS}{at.tag}{at.attributes}{FULL_GREATER}"
        at.closer = f"{FULL_LESS}/{at.tag}{FULL_GREATER}"
    draft.taken.update(free)


damage(GROUP, "reply", name="carriage_returns")(shared.crlf)
