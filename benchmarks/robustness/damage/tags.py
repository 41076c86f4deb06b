"""Damage of tags: closers missing, wrong or too many, broken brackets and attributes, characters that look alike."""

from __future__ import annotations

from benchmarks.robustness.damage.draft import OBJECTS, SCALARS, Draft, NoPlaceError, damage
from benchmarks.robustness.models import Shape, known_names
from benchmarks.robustness.render import Element, echoed, escape, plain

GROUP = "tags"
NBSP, FULL_LESS, FULL_GREATER = "\u00a0", "\uff1c", "\uff1e"
ZERO_WIDTH = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")


def _is_plain(at: Element) -> bool:
    """Whether its text holds nothing that could be taken for a tag."""
    return bool(at.raw) and "<" not in (at.raw or "<")


def _leaves(draft: Draft, *kinds: str) -> list[Element]:
    return [each for each in draft.places(*kinds, roles=("field",)) if _is_plain(each)]


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


@damage(GROUP)
def closer_missing_of_scalar(draft: Draft) -> None:
    draft.pick(_leaves(draft, *SCALARS)).closer = ""


@damage(GROUP)
def closer_missing_of_string(draft: Draft) -> None:
    draft.pick(_leaves(draft, "str")).closer = ""


@damage(GROUP)
def closer_missing_of_item(draft: Draft) -> None:
    items = draft.places("str", "object", *SCALARS, roles=("item", "entry"))
    at = draft.pick([each for each in items if (each.children or _is_plain(each)) and _ends_as_item(each)])
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


@damage(GROUP)
def closer_misspelt(draft: Draft) -> None:
    fields = [*_leaves(draft, "str", *SCALARS), *draft.places("list", "object", "map", roles=("field",))]
    at = draft.pick([each for each in fields if len(each.tag) > 3])
    at.closer = f"</{_misspelt(draft, at.tag)}>"


def _misspelt(draft: Draft, name: str) -> str:
    """The name with one slip, such that no other name is as near."""
    at = draft.rng.randrange(1, len(name) - 1)
    slips = (
        name[:at] + name[at + 1 :],
        name[:at] + name[at] + name[at:],
        name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        name + "s",
        name[:-1],
    )
    slip = draft.choose(slips)
    others = known_names(draft.name) - {name}
    if slip == name or any(distance(slip, other) <= 2 for other in others):
        raise NoPlaceError
    return slip


def distance(one: str, other: str) -> int:
    """Levenshtein's: how many letters are to be put in, left out or changed."""
    row = list(range(len(other) + 1))
    for number, letter in enumerate(one, 1):
        before, row[0] = row[0], number
        for index, match in enumerate(other, 1):
            before, row[index] = row[index], min(row[index] + 1, row[index - 1] + 1, before + (letter != match))
    return row[-1]


@damage(GROUP, models=OBJECTS)
def closer_of_another_name(draft: Draft) -> None:
    at = draft.pick([each for each in _leaves(draft, "str", *SCALARS) if each.parent and len(each.parent.children) > 1])
    names = {each.tag for each in (at.parent.children if at.parent else ())} - {at.tag}
    at.closer = f"</{draft.choose(sorted(names - {each.tag for each in at.ancestors()}))}>"


@damage(GROUP)
def opener_used_as_closer(draft: Draft) -> None:
    at = draft.pick(_leaves(draft, "str", *SCALARS))
    at.closer = f"<{at.tag}>"


@damage(GROUP)
def stray_closer(draft: Draft) -> None:
    at = draft.pick([each for each in draft.root.walk() if each.parent and each not in draft.taken])
    closed = at.sibling(-1)
    open_names = {each.tag for each in at.ancestors()} | {at.tag}
    names = [name for name in ("b", "div", "p", "em", closed.tag if closed else "i") if name not in open_names]
    at.after = f"</{draft.choose(names)}>"


@damage(GROUP)
def doubled_closer(draft: Draft) -> None:
    fields = [
        each
        for each in draft.root.walk()
        if each.parent and each not in draft.taken and each.tag not in {above.tag for above in each.ancestors()}
    ]
    at = draft.pick([each for each in fields if each.children or not each.raw or _is_plain(each)])
    at.closer = f"</{at.tag}></{at.tag}>"


@damage(GROUP)
def crossed_nesting(draft: Draft) -> None:
    inner = [each for each in _leaves(draft, "str", *SCALARS) if each.sibling(1) is None and each.parent]
    at = draft.pick([each for each in inner if each.parent not in draft.taken])
    assert at.parent is not None
    at.closer, at.parent.closer = "", f"</{at.parent.tag}></{at.tag}>"
    draft.take(at.parent)


@damage(GROUP)
def closer_without_bracket(draft: Draft) -> None:
    at = draft.pick(_leaves(draft, "str", *SCALARS))
    at.closer = f"</{at.tag}"


@damage(GROUP)
def blanks_in_brackets(draft: Draft) -> None:
    for at in draft.some([each for each in draft.root.walk() if each not in draft.taken], 4):
        opener = draft.choose(("< {}{}>", "<{}{} >", "< {}{} >", "<{}{}\n>"))
        closer = draft.choose(("</ {}>", "< /{}>", "</{} >", "< / {} >"))
        at.opener, at.closer = opener.format(at.tag, at.attributes), closer.format(at.tag)


def _free(draft: Draft) -> list[Element]:
    """Elements whose attributes mean nothing, so that others may stand there."""
    return [
        each
        for each in draft.root.walk()
        if each not in draft.taken and each.shape.kind != "union" and each.value is not None and not each.attributes
    ]


@damage(GROUP)
def attributes_echoed(draft: Draft) -> None:
    described = draft.rng.random() < 0.5
    for at in _free(draft):
        if at.role == "field":
            at.attributes = echoed(at.shape) + (' description="What it is: a & b"' if described else "")
        elif at.role == "item":
            at.attributes = f" index='{at.parent.children.index(at) if at.parent else 0}'"


@damage(GROUP)
def attributes_badly_quoted(draft: Draft) -> None:
    for at in draft.some([each for each in _free(draft) if each.role in {"field", "root"}], 4):
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
    at = draft.pick([each for each in _free(draft) if each.role == "field"])
    at.attributes = draft.choose((f" type='{at.shape.kind}", f' type="{at.shape.kind}', " description='what it is"))


@damage(GROUP)
def attributes_holding_brackets(draft: Draft) -> None:
    for at in draft.some([each for each in _free(draft) if each.role in {"field", "root"}], 3):
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
    at = draft.pick([each for each in _leaves(draft, "str", *SCALARS) if _is_attribute(each)])
    at.opener, at.closer, at.raw = f'<{at.tag} value="{_quoted(at)}"/>', "", ""


def _is_attribute(at: Element) -> bool:
    scalar = at.shape.kind in {"str", *SCALARS} and at.role == "field" and at.value is not None
    return scalar and "\n" not in plain(at.value) and plain(at.value) != ""


def _quoted(at: Element) -> str:
    return escape(plain(at.value)).replace('"', "&quot;")


@damage(GROUP)
def self_closed(draft: Draft) -> None:
    def may_be_empty(at: Element) -> bool:
        return at.shape.kind in {"list", "map"} or (at.shape.kind == "str" and not at.shape.nullable)

    fields = draft.places("list", "map", "str", *SCALARS, roles=("field",))
    at = draft.pick([each for each in fields if may_be_empty(each) or each.shape.nullable])
    empty = None if at.shape.nullable else {"list": [], "map": {}, "str": ""}[at.shape.kind]
    draft.set(at, empty)
    at.opener, at.closer, at.raw, at.children = draft.choose((f"<{at.tag}/>", f"<{at.tag} />")), "", "", []


@damage(GROUP)
def unknown_element(draft: Draft) -> None:
    at = draft.pick(
        [each for each in draft.root.walk() if each.parent and each.role == "field" and each not in draft.taken]
    )
    at.before = draft.choose(("<confidence>high</confidence>", "<zzz><yyy>1 & 2</yyy></zzz>", "<source id='1'/>"))


@damage(GROUP)
def field_twice(draft: Draft) -> None:
    """The same value again: nothing is lost, whichever is taken."""
    at = draft.pick([each for each in _leaves(draft, "str", *SCALARS) if not _inside_item(each)])
    at.after = f"<{at.tag}>{at.raw}</{at.tag}>"


@damage(GROUP)
def field_twice_with_two_values(draft: Draft) -> None:
    """Two values for one field: which one is meant nobody can tell."""
    at = draft.pick([each for each in _leaves(draft, *SCALARS) if not _inside_item(each)])
    other = {"bool": plain(not at.value), "date": "2031-01-30", "int": "3", "float": "7.25"}.get(at.shape.kind)
    if at.shape.kind == "enum":
        other = next((value for _, value in at.shape.choices if value != at.value), None)
    if other is None or other == at.raw:
        raise NoPlaceError
    at.after = f"<{at.tag}>{other}</{at.tag}>"
    draft.problems.add(at.path)


def _sprinkle(draft: Draft, mark: str) -> None:
    """A character that nobody sees, between tags, inside their brackets and around numbers."""
    for at in draft.some([each for each in draft.root.walk() if each not in draft.taken], 4):
        style = draft.rng.randrange(4)
        if style == 0:
            at.before = mark
        elif style == 1:
            at.opener = f"<{at.tag}{mark}{at.attributes}>"
        elif style == 2:
            at.closer = f"</{at.tag}{mark}>"
        elif at.shape.kind in SCALARS and at.raw:
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
    free = [each for each in draft.root.walk() if each not in draft.taken]
    for at in free if draft.rng.random() < 0.5 else draft.some(free):
        at.opener = f"{FULL_LESS}{at.tag}{at.attributes}{FULL_GREATER}"
        at.closer = f"{FULL_LESS}/{at.tag}{FULL_GREATER}"
    draft.taken.update(free)


@damage(GROUP, "reply")
def carriage_returns(draft: Draft) -> None:
    draft.reply = draft.reply.replace("\n", draft.choose(("\r\n", "\r\n", "\r")))
