"""The descriptions of a function and of its parameters, as its docstring has them."""

from __future__ import annotations

from inspect import cleandoc

from ..errors import needs

with needs("docstring-parser", "tools"):
    from docstring_parser import parse


def described(docstring: str | None) -> tuple[str, dict[str, str]]:
    """Returns the description, and those of the parameters, of a docstring in the style of Google, NumPy or Sphinx."""
    text = cleandoc(docstring or "")
    try:
        parsed = parse(text)
    except Exception:  # noqa: BLE001 - prose that looks like a section is a ParseError, or an IndexError
        return text, {}
    described = {
        name.strip(): " ".join(parameter.description.split())
        for parameter in parsed.params
        for name in parameter.arg_name.split(",")  # NumPy describes several at once
        if parameter.description
    }
    return (parsed.description or "").strip(), described
