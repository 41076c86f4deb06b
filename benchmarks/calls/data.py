"""Tools, and calls of them with texts that are hard to write: code, markup, and the markers of calls themselves."""

from __future__ import annotations

import random
from typing import Any

from pydantic import BaseModel


class write_file(BaseModel):  # noqa: N801 - the name of the tool
    """Write a file."""

    path: str
    content: str
    overwrite: bool = False


class replace_text(BaseModel):  # noqa: N801
    """Replace a text in a file."""

    path: str
    old: str
    new: str
    count: int = 1


class search(BaseModel):  # noqa: N801
    """Search for a text."""

    query: str
    paths: list[str] = []
    limit: int | None = None


class now(BaseModel):  # noqa: N801
    """The time."""


TOOLS: dict[str, type[BaseModel]] = {tool.__name__: tool for tool in (write_file, replace_text, search, now)}

CODE = (
    'print("a < b && c")\n',
    "def f(x):\n    return x  # 'quoted'\n\n\nf(1)\n",
    "    return {\n        'a': \"b\",\n    }",
    'x = "C:\\\\temp\\\\new"\nre.compile(r"\\d+\\n")',
    '<!DOCTYPE html>\n<html><body class="a"><p>5 &lt; 6 &amp; 7</p><br/></body></html>\n',
    "if (a<b && c>d) { x = `${y}`; }",
    "<search><title>A & B</title></search>",
    "SELECT * FROM t WHERE a <> 'it''s' -- comment",
    "\ttabs\tand  two spaces  ",
    "\u00e9\u4e2d\u6587 \U0001f600 \u2028 line",
    "```python\nprint(1)\n```\nand text",
    "- item\n- item: [x](y)\n> quote\n",
    '{"name": "search", "arguments": {"query": "x"}}',
    "</p></div>",
    'a\\nb\\tc\\"d',
    "",
    "null",
    "true",
    "3",
    "{{ jinja }} {% if x %}",
    '#!/bin/sh\ncat <<EOF > out\n$HOME "x"\nEOF\n',
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n",
)
OWN_TAGS = (
    "use </parameter> here",
    '<parameter name="path"> opens',
    '<invoke name="now"></invoke>',
    "</invoke> is the end",
    '<tool_call>\n{"name": "now"}\n</tool_call>',
    "the </tool_call> marker",
    "<function=now>\n</function>",
    "</function>",
    "<parameter=path>\nx\n</parameter>",
    "<call tool='now'></call>",
    "</call>",
    "<content>x</content>",
    "print('<content>')",
    "see </content> there",
    "[TOOL_CALLS] is Mistral's",
    "<arg_key>path</arg_key><arg_value>x</arg_value>",
    "</arg_value> ends",
    "<|tool_call_end|> ends",
    "<|call|>",
    "<escape>no<escape>",
    "<path>x</path>",
    "now()",
    "[now()]",
    "<now></now>",
)


Arguments = dict[str, Any]


def text(rng: random.Random) -> str:
    said = rng.choice(CODE if rng.random() < 0.6 else OWN_TAGS)
    return said if rng.random() < 0.6 else said + rng.choice(("\n", " ", "")) + rng.choice(CODE)


def call(rng: random.Random) -> tuple[str, Arguments]:
    """Draws the name of a tool, and arguments for it."""
    name = rng.choice([tool for tool, (weight, _draw) in _DRAWN.items() for _ in range(weight)])
    return name, _DRAWN[name][1](rng)


def _write_file(rng: random.Random) -> Arguments:
    made: Arguments = {"path": rng.choice(("a.py", "src/x y.html", "C:\\a\\b")), "content": text(rng)}
    return made | ({"overwrite": rng.random() < 0.5} if rng.random() < 0.3 else {})


def _replace_text(rng: random.Random) -> Arguments:
    made: Arguments = {"path": "a.py", "old": text(rng), "new": text(rng)}
    return made | ({"count": rng.randint(1, 20)} if rng.random() < 0.4 else {})


def _search(rng: random.Random) -> Arguments:
    made: Arguments = {"query": text(rng)}
    if rng.random() < 0.5:
        made["paths"] = [rng.choice(("a", "b/c", "it's")) for _ in range(rng.randint(0, 3))]
    return made | ({"limit": rng.choice((5, 10, None))} if rng.random() < 0.4 else {})


_DRAWN = {
    "write_file": (4, _write_file),
    "replace_text": (4, _replace_text),
    "search": (3, _search),
    "now": (1, lambda _rng: {}),
}
"""How often each tool is called, and with what."""
