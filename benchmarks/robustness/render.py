"""Data as the XML that a prompt asks for, the way a language model writes it: a tree of elements, and its text.

The tree is the one that damage works on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks.robustness.models import Shape, snake
from structured_response.testing.damage import STEP, Element


def element(rng: Random, shape: Shape, tag: str, path: str, value: Any, role: str = "root") -> Element:
    """The tree of a value."""
    made = Element(tag, shape, path, value, role)
    if value is None:
        made.raw, made.attributes = "", rng.choice(("", " type='null'"))
    elif shape.kind == "union":
        _fill_union(rng, made)
    elif shape.is_text:
        made.raw = text_of(rng, value)
    else:
        made.adopt(_child(rng, *part) for part in _parts(made))
    return made


def _fill_union(rng: Random, made: Element) -> None:
    option = match_union_option(made.shape, made.value)
    if option.kind == "object":
        made.adopt([element(rng, option, snake(option.name), made.path, made.value, "option")])
    else:
        made.raw, made.attributes = text_of(rng, made.value), f" type='{option.kind}'"


def match_union_option(shape: Shape, value: Any) -> Shape:
    """The option of a union that a value is of."""
    if isinstance(value, dict):
        return next(option for option in shape.options if set(option.fields) == set(value))
    return next(option for option in shape.options if option.kind == type(value).__name__)


_Part = tuple[Shape, str, str, Any, str, str]


def _child(rng: Random, shape: Shape, tag: str, path: str, value: Any, role: str, attributes: str) -> Element:
    made = element(rng, shape, tag, path, value, role)
    made.attributes = attributes + made.attributes
    return made


def _parts(made: Element) -> Iterator[_Part]:
    """The children of an object, a list or a map. What is None and has a default is left out."""
    shape, path = made.shape, made.path
    if shape.kind == "object":
        for each in shape.fields.values():
            if each.required or made.value[each.name] is not None:
                yield each.shape, each.name, f"{path}.{each.name}", made.value[each.name], "field", ""
    elif shape.kind == "list" and shape.item is not None:
        for index, item in enumerate(made.value):
            yield shape.item, "li", f"{path}[{index}]", item, "item", ""
    elif shape.item is not None:
        for key, item in made.value.items():
            yield shape.item, "entry", f"{path}.{key}", item, "entry", f" key='{key}'"


def plain(value: Any) -> str:
    """A scalar in its strict form."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text_of(rng: Random, value: Any) -> str:
    """A scalar as it stands in its element, without damage: with entities, or in a CDATA section."""
    text = plain(value)
    if ("<" in text or "&" in text) and "]]>" not in text and rng.random() < 0.3:
        return f"<![CDATA[{text}]]>"
    return escape(text)


def template(shape: Shape, tag: str, indent: str = "", depth: int = 0) -> str:
    """The prompt of a shape, as a model echoes it: placeholders, attributes and `...`."""
    inner = indent + STEP
    if shape.is_text:
        return f"{indent}<{tag}{echoed(shape)}>[value here - as {_article(shape.kind)}]</{tag}>"
    if depth > 3:
        return f"{indent}<{tag} type='list'>[the same elements as in {tag}]</{tag}>"
    body = "\n".join(_template_parts(shape, inner, depth))
    return f"{indent}<{tag}{echoed(shape)}>\n{body}\n{indent}</{tag}>"


def _template_parts(shape: Shape, inner: str, depth: int) -> Iterator[str]:
    if shape.item is not None:
        tag = "li" if shape.kind == "list" else "entry"
        made = template(shape.item, tag, inner, depth + 1)
        yield re.sub(
            rf"<{tag}[^>]*>", f"<{tag} index='0'>" if tag == "li" else "<entry key='[key here]'>", made, count=1
        )
        yield inner + "..."
    for option in shape.options:
        yield template(option, snake(option.name), inner, depth + 1)
    for each in shape.fields.values():
        yield template(each.shape, each.name, inner, depth + 1)


def _article(kind: str) -> str:
    return _CALLED.get(kind, f"a {kind}")


_CALLED = {
    "str": "a string",
    "int": "an int",
    "enum": "an enum",
    "union": "an int or a string",
    "date": "a date (YYYY-MM-DD)",
}


def echoed(shape: Shape) -> str:
    """The attributes that the prompt has on an element of this shape."""
    kind = {"object": "dict"}.get(shape.kind, shape.kind)
    if shape.kind == "enum":
        return f" type='enum' choices='{json.dumps([value for _, value in shape.choices])}'"
    if shape.item is not None:
        item = {"object": "dict"}.get(shape.item.kind, shape.item.kind)
        return f" type='{kind}' elements='{item}'"
    return f" type='{kind}'"
