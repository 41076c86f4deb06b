"""Damage of values: numbers, yes and no, nulls, choices and dates in the words of a language model."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from benchmarks.robustness.damage.draft import Draft, damage
from structured_response.testing import damage as shared
from structured_response.testing.damage import NUMBERS, Element, NoPlaceError

GROUP = "values"


def _numbers(draft: Draft, *kinds: str) -> list[Element]:
    """Numbers that may be anything: not the one with bounds."""
    return [each for each in draft.places(*kinds) if not each.path.endswith(".score")]


def _write_number(draft: Draft, pairs: Sequence[tuple[str, Any]], *kinds: str) -> Element:
    at, (raw, value) = draft.pick(_numbers(draft, *kinds)), draft.choose(pairs)
    draft.set(at, value)
    at.raw = raw
    return at


@damage(GROUP)
def number_with_separators(draft: Draft) -> None:
    if draft.rng.random() < 0.4 and _numbers(draft, "int"):
        whole = (("12,500", 12500), ("1,234,567", 1234567), ("1 250", 1250), ("2'500", 2500), ("1_000", 1000))
        _write_number(draft, (*whole, ("12.345.678", 12345678)), "int")
        return
    pairs = (
        ("1,299.00", 1299.0),
        ("1,299", 1299.0),
        ("1.299,00", 1299.0),
        ("1 299.50", 1299.5),
        ("1'299.50", 1299.5),
        ("12,345,678.9", 12345678.9),
        ("3,14", 3.14),
        ("1\u202f299,50", 1299.5),
    )
    _write_number(draft, pairs, "float")


@damage(GROUP)
def number_with_currency(draft: Draft) -> None:
    pairs = (
        ("$1,299.00", 1299.0),
        ("\u20ac 12.50", 12.5),
        ("12.50 \u20ac", 12.5),
        ("USD 99.95", 99.95),
        ("1299.00 USD", 1299.0),
        ("\u00a35", 5.0),
        ("1.299,00 EUR", 1299.0),
    )
    _write_number(draft, pairs, "float")


@damage(GROUP)
def number_with_unit(draft: Draft) -> None:
    pairs = (("5 hours", 5), ("12 points", 12), ("3 pcs.", 3), ("42 kg", 42), ("7 pages", 7), ("30min", 30))
    parts = (("12.5 km/h", 12.5), ("80.0 kg", 80.0), ("21.5\u00b0C", 21.5), ("3.5 GB", 3.5))
    kind = draft.choose(NUMBERS)
    at = _write_number(draft, pairs if kind == "int" else parts, kind)
    asked = {".age": "years", ".hours": "hours", ".minutes": "min"}.get(at.path[at.path.rfind(".") :])
    if asked and at.raw in ("5 hours", "30min") and not at.raw.endswith(asked):
        draft.problems.add(at.path)  # in another unit than asked for


@damage(GROUP)
def number_with_percent(draft: Draft) -> None:
    _write_number(draft, (("45%", 45), ("45 %", 45), ("100%", 100), ("7 percent", 7)), "int")


@damage(GROUP)
def number_decorated(draft: Draft) -> None:
    at = draft.pick(draft.places(*NUMBERS))
    forms = ("~{}", "+{}", "**{}**", "about {}", "approx. {}", "{}.", "({})", "_{}_", "= {}", "\u2248 {}", "`{}`")
    form = draft.choose(forms)
    raw = at.raw or ""
    if form == "({})" and "." in raw:
        draft.set(at, -at.value)  # an accountant's minus
    elif form == "({})":
        draft.problems.add(at.path)  # or a remark: two readings
    at.raw = form.format(raw)


@damage(GROUP)
def number_out_of_total(draft: Draft) -> None:
    at = draft.pick([each for each in draft.places("int") if each.value <= 10])
    at.raw = draft.choose(("{} out of 10", "{}/10", "{} / 10", "{} of 10")).format(at.raw)
    if at.path.endswith(".score"):
        draft.problems.add(at.path)  # of at most 5: out of 10 it is on another scale


@damage(GROUP)
def number_in_words(draft: Draft) -> None:
    at = draft.pick(draft.places(*NUMBERS))
    name = at.tag.replace("_", " ")
    forms = ("The value is {}.", "{} (estimated)", "It is {}, I think.", "Answer: {}", "{} in total", f"{name}: {{}}")
    at.raw = draft.choose(forms).format(at.raw)


@damage(GROUP)
def whole_number_as_float(draft: Draft) -> None:
    at = draft.pick(draft.places("int"))
    at.raw = f"{at.raw}{draft.choose(('.0', '.00', '.'))}"


@damage(GROUP)
def yes_or_no(draft: Draft) -> None:
    at = draft.pick(draft.places("bool"))
    words = (
        "yes",
        "Yes",
        "YES",
        "y",
        "on",
        "1",
        "True",
        "TRUE",
        "Yes.",
        "**Yes**",
        "Yes, definitely",
        "true (see above)",
    )
    others = (
        "no",
        "No",
        "NO",
        "n",
        "off",
        "0",
        "False",
        "FALSE",
        "No.",
        "**No**",
        "No, hardly ever",
        "false - too late",
    )
    at.raw = draft.choose(words if at.value else others)


damage(GROUP, name="null_words")(shared.null_word)


@damage(GROUP, models=("Order", "Review"))
def choice_by_name(draft: Draft) -> None:
    at = draft.pick(draft.places("enum"))
    name = next(name for name, value in at.shape.choices if value == at.value)
    forms = ("{name}", "{cls}.{name}", "{cls}.{name}", "{cls}.{value}", "<{cls}.{name}: '{value}'>")
    at.raw = draft.choose(forms).format(name=name, cls=at.shape.name, value=at.value)


@damage(GROUP, models=("Order", "Review", "Project"))
def choice_in_another_case(draft: Draft) -> None:
    at = draft.pick(draft.places("enum"))
    spelt = {at.value.capitalize(), at.value.upper(), at.value.lower()} - {at.value}
    at.raw = draft.choose(sorted(spelt))


@damage(GROUP, models=("Order", "Review", "Project"))
def choice_decorated(draft: Draft) -> None:
    at = draft.pick(draft.places("enum"))
    forms = ("**{}**", '"{}"', "`{}`", "[{}]", "{}.", "'{}'", "- {}", "_{}_", "({})", "{}!")
    at.raw = draft.choose(forms).format(draft.choose((at.value, at.value.capitalize())))


@damage(GROUP, models=("Order", "Review", "Project"))
def choice_explained(draft: Draft) -> None:
    at = draft.pick(draft.places("enum"))
    forms = (
        "{} - as far as I can tell",
        "{} (could be worse)",
        "{}: see above",
        "**{}** - could be better",
        "{}, I think",
    )
    at.raw = draft.choose(forms).format(draft.choose((at.value, at.value.capitalize())))


@damage(GROUP)
def date_in_another_form(draft: Draft) -> None:
    at = draft.pick(draft.places("date"))
    day = date.fromisoformat(at.value).replace(day=draft.rng.randint(13, 28))
    draft.set(at, day.isoformat())
    month = _MONTHS[day.month - 1]
    forms = (
        f"{day.year}-{day.month}-{day.day}",
        f"{day.day} {month} {day.year}",
        f"{month} {day.day}, {day.year}",
        f"{month[:3]} {day.day}, {day.year}",
        f"{day.year}/{day.month:02}/{day.day:02}",
        f"{day.day:02}/{day.month:02}/{day.year}",
        f"{day.month:02}/{day.day:02}/{day.year}",
        f"{day.day:02}.{day.month:02}.{day.year}",
        f"{day.isoformat()}T00:00:00",
    )
    at.raw = draft.choose(forms)


_MONTHS = ("January", "February", "March", "April", "May", "June",
           "July", "August", "September", "October", "November", "December")  # fmt: skip


@damage(GROUP)
def ambiguous_value(draft: Draft) -> None:
    """Two readings, neither better than the other: a problem is all that may come of it."""
    written = draft.choose([_two_numbers, _two_choices, _yes_and_no, _day_or_month, _thousand_or_part])
    at, raw = written(draft)
    at.raw = raw
    draft.problems.add(at.path)


def _two_numbers(draft: Draft) -> tuple[Element, str]:
    at = draft.pick(draft.places(*NUMBERS))
    low = draft.rng.randint(1, 4)
    return at, draft.choose(("{} or {}", "{} (was {} before)", "between {} and {}", "{}, maybe {}")).format(
        low, low + 1
    )


def _two_choices(draft: Draft) -> tuple[Element, str]:
    at = draft.pick(draft.places("enum"))
    if len(at.shape.choices) < 2:
        raise NoPlaceError
    one, other = draft.rng.sample([value for _, value in at.shape.choices], 2)
    return at, draft.choose(("{} or {}", "{} - not {}", "{}/{}", "Either {} or {}")).format(one, other)


def _yes_and_no(draft: Draft) -> tuple[Element, str]:
    return draft.pick(draft.places("bool")), draft.choose(
        ("Yes, but no for kids", "yes and no", "true or false", "maybe")
    )


def _day_or_month(draft: Draft) -> tuple[Element, str]:
    day = draft.rng.randint(2, 6)
    return draft.pick(draft.places("date")), f"{day:02}/{day + 3:02}/2024"


def _thousand_or_part(draft: Draft) -> tuple[Element, str]:
    at = draft.pick(_numbers(draft, "int"))
    return at, draft.choose(("1.299", "12.500", "4.250"))
