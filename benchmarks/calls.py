"""Measures how exactly calls of tools are read: in every shape, clean and damaged, beside `json.loads` alone.

python -m benchmarks.calls [--count 200] [--seed 1]
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, create_model

from structured_response.tools import Toolbox


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


TOOLS = (write_file, replace_text, search, now)

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


def text(rng: random.Random) -> str:
    kind = rng.random()
    pool = CODE if kind < 0.6 else OWN_TAGS
    said = rng.choice(pool)
    return said if rng.random() < 0.6 else said + rng.choice(("\n", " ", "")) + rng.choice(CODE)


def arguments(rng: random.Random) -> tuple[str, dict[str, Any]]:
    name = rng.choice(("write_file",) * 4 + ("replace_text",) * 4 + ("search",) * 3 + ("now",))
    if name == "write_file":
        made: dict[str, Any] = {"path": rng.choice(("a.py", "src/x y.html", "C:\\a\\b")), "content": text(rng)}
        if rng.random() < 0.3:
            made["overwrite"] = rng.random() < 0.5
    elif name == "replace_text":
        made = {"path": "a.py", "old": text(rng), "new": text(rng)}
        if rng.random() < 0.4:
            made["count"] = rng.randint(1, 20)
    elif name == "search":
        made = {"query": text(rng)}
        if rng.random() < 0.5:
            made["paths"] = [rng.choice(("a", "b/c", "it's")) for _ in range(rng.randint(0, 3))]
        if rng.random() < 0.4:
            made["limit"] = rng.choice((5, 10, None))
    else:
        made = {}
    return name, made


class Damage(Exception):
    """The shape has no place for the damage."""


def tag_damage(kind: str, rng: random.Random, pieces: list[str]) -> str:
    """Damages a call in tags: one of its own tags, never a value. Every second piece is markup."""
    spots = [index for index in range(0, len(pieces), 2) if "<" in pieces[index]]
    inner = [index for index in spots if 0 < index < len(pieces) - 1]
    made = list(pieces)
    if kind == "cut off":
        whole = "".join(made)
        return whole[: rng.randrange(len(whole) // 4, len(whole) - 3)]
    if kind == "end missing":
        made[-1] = ""
        return "".join(made)
    if not inner:
        raise Damage
    at = rng.choice(inner)
    closers = re.findall(r"</[^<>]+>", made[at])
    if not closers:
        raise Damage
    closer = closers[0]
    if kind == "closer missing":
        made[at] = made[at].replace(closer, "", 1)
    elif kind == "closer misspelt":
        letters = [place for place, sign in enumerate(closer) if sign.isalpha()]
        place = rng.choice(letters)
        made[at] = made[at].replace(closer, closer[:place] + closer[place + 1 :], 1)
    elif kind == "closer torn":
        made[at] = made[at].replace(closer, closer[:-1], 1)
    elif kind == "closer doubled":
        made[at] = made[at].replace(closer, closer + closer, 1)
    elif kind == "opener as closer":
        made[at] = made[at].replace(closer, closer.replace("/", "", 1), 1)
    elif kind == "comment":
        made[at] = made[at].replace(closer, closer + "<!-- next -->", 1)
    elif kind == "unknown argument":
        made[at] = made[at].replace(closer, closer + "\n<confidence>high</confidence>", 1)
    elif kind == "CRLF":
        made = [piece.replace("\n", "\r\n") if index % 2 == 0 else piece for index, piece in enumerate(made)]
    return "".join(made)


TAG_DAMAGES = (
    "closer missing", "closer misspelt", "closer torn", "closer doubled", "opener as closer", "comment",
    "unknown argument", "end missing", "cut off",
)  # fmt: skip


def json_damage(kind: str, rng: random.Random, reply: str, made: dict[str, Any]) -> str:
    """Damages a call in JSON outside of its markers."""
    if kind == "cut off":
        return reply[: rng.randrange(len(reply) // 4, len(reply) - 1)]
    end = reply.rfind("}")
    if kind == "trailing comma":
        return reply[:end] + "," + reply[end:]
    if kind == "bracket missing":
        return reply[:end] + reply[end + 1 :]
    if kind == "bracket too many":
        return reply[: end + 1] + "}" + reply[end + 1 :]
    if kind == "raw line breaks":
        if "\\n" not in reply or "\\\\n" in reply:
            raise Damage
        return reply.replace("\\n", "\n")
    if kind == "bare keys":
        if not made or '"path":' not in reply or '\\"path' in reply:
            raise Damage
        return reply.replace('"path":', "path:", 1)
    if kind == "comment":
        return reply[:end] + " // done\n" + reply[end:]
    raise Damage


JSON_DAMAGES = (
    "trailing comma", "bracket missing", "bracket too many", "raw line breaks", "bare keys", "comment", "cut off",
)  # fmt: skip


def raw(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


PIECES: dict[Any, Callable[[str, dict[str, Any]], list[str]]] = {}


def tags(outer: str, end: str, inner: str, closer: str, block: bool = False) -> Callable[[str, dict[str, Any]], str]:
    gap = "\n" if block else ""

    def render(name: str, made: dict[str, Any]) -> str:
        return "".join(pieces(name, made))

    def pieces(name: str, made: dict[str, Any]) -> list[str]:
        found = [outer.replace("F", name) + "\n"]
        for key, value in made.items():
            found[-1] += inner.replace("P", key) + gap
            found += [raw(value), gap + closer.replace("P", key) + "\n"]
        return (
            [*found[:-1], found[-1] + end.replace("F", name)]
            if len(found) > 1
            else [found[0], "", end.replace("F", name)]
        )

    PIECES[render] = pieces
    return render


def js(before: str, after: str, key: str = "arguments") -> Callable[[str, dict[str, Any]], str]:
    return lambda name, made: before + json.dumps({"name": name, key: made}, ensure_ascii=False) + after


def named(before: str, after: str) -> Callable[[str, dict[str, Any]], str]:
    return lambda name, made: before.replace("F", name) + json.dumps(made) + after


def literal(before: str, after: str) -> Callable[[str, dict[str, Any]], str]:
    return lambda name, made: f"{before}{name}({', '.join(f'{key}={value!r}' for key, value in made.items())}){after}"


def gemma(value: Any) -> str:
    if isinstance(value, str):
        return f'<|"|>{value}<|"|>'
    if isinstance(value, list):
        return f"[{','.join(map(gemma, value))}]"
    return json.dumps(value)


def dsml(name: str, made: dict[str, Any]) -> str:
    mark = "\uff5cDSML\uff5c"
    lines = [f'<{mark}invoke name="{name}">']
    for key, value in made.items():
        kind = "true" if isinstance(value, str) else "false"
        lines.append(f'<{mark}parameter name="{key}" string="{kind}">{raw(value)}</{mark}parameter>')
    return f"<{mark}function_calls>\n" + "\n".join([*lines, f"</{mark}invoke>"]) + f"\n</{mark}function_calls>"


BAR, SEP = "\uff5c", "\u2581"
SHAPES: dict[str, Callable[[str, dict[str, Any]], str]] = {
    "ours": tags("<call tool='F'>", "</call>", "<P>", "</P>"),
    "ours, block": tags("<call tool='F'>", "</call>", "<P>", "</P>", block=True),
    "Cline": tags("<F>", "</F>", "<P>", "</P>"),
    "Cline, block": tags("<F>", "</F>", "<P>", "</P>", block=True),
    "invoke": tags(
        '<function_calls>\n<invoke name="F">', "</invoke>\n</function_calls>", '<parameter name="P">', "</parameter>"
    ),
    "MiniMax": tags(
        '<minimax:tool_call>\n<invoke name="F">',
        "</invoke>\n</minimax:tool_call>",
        '<parameter name="P">',
        "</parameter>",
    ),
    "DeepSeek markup": dsml,
    "Qwen3-Coder": tags(
        "<tool_call>\n<function=F>", "</function>\n</tool_call>", "<parameter=P>", "</parameter>", block=True
    ),
    "GLM": tags("<tool_call>F", "</tool_call>", "<arg_key>P</arg_key>\n<arg_value>", "</arg_value>"),
    "Hermes": js("<tool_call>\n", "\n</tool_call>"),
    "Llama 3.1": named("<function=F>", "</function>"),
    "Llama 3.1, python_tag": js("<|python_tag|>", "", "parameters"),
    "Llama 3.2": js("", "", "parameters"),
    "Llama 4": literal("[", "]"),
    "LFM2": literal("<|tool_call_start|>[", "]<|tool_call_end|>"),
    "OLMo": literal("<function_calls>", "</function_calls>"),
    "Mistral": lambda name, made: "[TOOL_CALLS][" + json.dumps({"name": name, "arguments": made}) + "]",
    "Mistral, ARGS": named("[TOOL_CALLS]F[ARGS]", ""),
    "DeepSeek V3": named(
        f"<{BAR}tool{SEP}calls{SEP}begin{BAR}><{BAR}tool{SEP}call{SEP}begin{BAR}>function<{BAR}tool{SEP}sep{BAR}>F\n```json\n",
        f"\n```<{BAR}tool{SEP}call{SEP}end{BAR}><{BAR}tool{SEP}calls{SEP}end{BAR}>",
    ),
    "DeepSeek V3.1": named(
        f"<{BAR}tool{SEP}calls{SEP}begin{BAR}><{BAR}tool{SEP}call{SEP}begin{BAR}>F<{BAR}tool{SEP}sep{BAR}>",
        f"<{BAR}tool{SEP}call{SEP}end{BAR}><{BAR}tool{SEP}calls{SEP}end{BAR}>",
    ),
    "Kimi K2": named(
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.F:0<|tool_call_argument_begin|>",
        "<|tool_call_end|><|tool_calls_section_end|>",
    ),
    "Harmony": named("<|channel|>commentary to=functions.F <|constrain|>json<|message|>", "<|call|>"),
    "Gemma": lambda name, made: (
        f"<|tool_call>call:{name}{{{','.join(f'{key}:{gemma(value)}' for key, value in made.items())}}}<tool_call|>"
    ),
    "Gemma, tool_code": literal("```tool_code\n", "\n```"),
    "JSON in a fence": js("```json\n", "\n```"),
    "JSON, arguments as text": lambda name, made: json.dumps({"name": name, "arguments": json.dumps(made)}),
}


def toolbox() -> Toolbox:
    return Toolbox(*TOOLS)


def expected(name: str, made: dict[str, Any]) -> dict[str, Any]:
    model = next(tool for tool in TOOLS if tool.__name__ == name)
    return model(**made).model_dump()


def judge(box: Toolbox, reply: str, name: str, want: dict[str, Any]) -> str:
    """Returns "exact", "problem" or "silent"."""
    calls = box.parse(reply)
    if len(calls) == 1 and calls[0].name == name and not calls[0].problems:
        return "exact" if calls[0].arguments.model_dump() == want else "silent"
    if any(not call.problems for call in calls):
        return "silent"
    return "problem"


PROSE = (
    "",
    "I will do that now.\n",
    "Let me look at `a < b` first:\n\n",
    "<think>Which tool? <now></now> no.</think>\n",
)
BEHIND = ("", "\n", "\n\nThat is all I need.")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--damaged", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--kind", default="")
    given = parser.parse_args()
    box = toolbox()
    if given.damaged:
        return damaged(given, box)
    for shape, render in SHAPES.items():
        rng = random.Random(given.seed)
        counts = {"exact": 0, "problem": 0, "silent": 0}
        shown = 0
        for _ in range(given.count):
            name, made = arguments(rng)
            reply = render(name, made)
            if not shape.startswith(("Llama 3.2", "Llama 4", "JSON", "Gemma, tool")):
                reply = rng.choice(PROSE) + reply + rng.choice(BEHIND)
            verdict = judge(box, reply, name, expected(name, made))
            counts[verdict] += 1
            if verdict != "exact" and shown < given.show:
                shown += 1
                print(
                    "----",
                    shape,
                    verdict,
                    repr(reply),
                    [(c.name, c.instance, c.problems, c.repairs) for c in box.parse(reply)],
                    name,
                    made,
                    sep="\n   ",
                )
        print(f"{shape:26} {counts['exact']:5} {counts['problem']:5} {counts['silent']:5}")


def damaged(given: argparse.Namespace, box: Toolbox) -> None:
    for shape, render in SHAPES.items():
        if not given.only or shape in given.only.split(";"):
            pass
        else:
            continue
        if shape in ("Llama 4", "LFM2", "OLMo", "Gemma", "Gemma, tool_code"):
            given.kind = "cut off"
        kinds = TAG_DAMAGES if render in PIECES else JSON_DAMAGES
        if given.kind:
            kinds = (given.kind,)
        if render in (dsml, literal):
            continue
        for kind in kinds:
            rng = random.Random(given.seed)
            counts = {"exact": 0, "problem": 0, "silent": 0}
            shown = 0
            for _ in range(given.count):
                name, made = arguments(rng)
                try:
                    if render in PIECES:
                        reply = tag_damage(kind, rng, PIECES[render](name, made))
                    else:
                        reply = json_damage(kind, rng, render(name, made), made)
                except Damage:
                    continue
                verdict = judge(box, reply, name, expected(name, made))
                counts[verdict] += 1
                if verdict != "exact" and shown < given.show:
                    shown += 1
                    print(
                        "----",
                        shape,
                        kind,
                        verdict,
                        reply,
                        [(c.name, c.instance, c.problems, c.repairs) for c in box.parse(reply)],
                        name,
                        made,
                        sep="\n   ",
                    )
            print(f"{shape:26} {kind:18} {counts['exact']:5} {counts['problem']:5} {counts['silent']:5}")


if __name__ == "__main__":
    main()
