"""The texts of asking that a program may replace: how to answer, and the questions behind a reply."""

from __future__ import annotations

from collections.abc import Mapping
from string import Template
from typing import Any, TypedDict


class Templates(TypedDict, total=False):
    """Texts in place of those of the library, with placeholders such as `$form`; `$$` is a dollar sign.

    Attributes:
        instruction: What is asked for: "$form" is the form of the answer, with the examples.
        reask: What is wrong with a reply: "$problems" has a line for each problem, "$form" is the form of what is asked
            for again.
        no_answer: For a reply without an answer: "$reason" says why it has none.
        cut_off: For a reply that was cut off: "$end" are its last characters, with which the next one has to begin.
    """

    instruction: str
    reask: str
    no_answer: str
    cut_off: str


_PLACES = {"instruction": {"form"}, "reask": {"form", "problems"}, "no_answer": {"reason"}, "cut_off": {"end"}}
"""The placeholders of each text."""

_OPTIONAL = {"problems", "reason"}
"""Those that a text may leave out."""

TEXTS: Templates = {
    "no_answer": "No answer was found in that ($reason). Write it now, as asked for above, and nothing else.",
    "cut_off": "Your reply was cut off. Go on with it from there, without starting anew. Begin with its last "
    "characters, which are these:\n$end",
}
"""The texts of the library, but for those that responses write."""


def checked_templates(given: Any) -> Mapping[str, Template]:
    """Returns all texts as templates. Raises `TypeError` or `ValueError` for one that cannot be filled in."""
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise TypeError(f"templates is a mapping from {', '.join(_PLACES)} to texts, not {given!r}"[:200])
    for name, text in given.items():
        if name not in _PLACES:
            raise TypeError(f"{name!r} is not a template; the templates are {', '.join(_PLACES)}")
        if not isinstance(text, str):
            raise TypeError(f"the template {name} is a text, not {text!r}"[:200])
        template, known = Template(text), _PLACES[name]
        if not template.is_valid():
            raise ValueError(f"the template {name} has a $ that begins no placeholder; write $$ for a dollar sign")
        found = set(template.get_identifiers())
        if unknown := found - known:
            shown = ", ".join(f"${each}" for each in sorted(known))
            raise ValueError(f"the template {name} has ${min(unknown)}; it can have {shown}")
        if missing := known - _OPTIONAL - found:
            raise ValueError(f"the template {name} needs ${min(missing)}")
    return {name: Template(text) for name, text in {**TEXTS, **given}.items()}
