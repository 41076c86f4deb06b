"""The descriptions of a function and of its parameters, as its docstring has them."""

from __future__ import annotations

from inspect import cleandoc

from ..errors import needs

with needs("docstring-parser", "tools"):
    from docstring_parser import ParseError, parse


def described(docstring: str | None) -> tuple[str, dict[str, str]]:
    """Returns the description, and those of the parameters, of a docstring in the style of Google, NumPy or Sphinx."""
    text = cleandoc(docstring or "")
    try:
        parsed = parse(text)
    except ParseError:  # a section that is not one: the words are still a description
        return text, {}
    described = {
        name.strip(): " ".join(parameter.description.split())
        for parameter in parsed.params
        for name in parameter.arg_name.split(",")  # NumPy describes several at once
        if parameter.description
    }
    return (parsed.description or "").strip(), described
