"""Damage of the format: JSON in all its forms, YAML, and lines of `label: value`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchmarks.robustness.damage.draft import OBJECTS, Draft, damage
from benchmarks.robustness.damage.end import cut_expected
from benchmarks.robustness.models import Shape
from benchmarks.robustness.render import escape, plain
from structured_response.testing.damage import Element, NoPlaceError

GROUP = "other formats"
JSON = "JSON"


@dataclass
class Dumper:
    """Writes JSON, clean or with the habits of language models. `spans` has where each value stands, by path."""

    indent: int | None = 2
    trailing_commas: bool = False
    quote: str = '"'
    bare_keys: bool = False
    python: bool = False
    raw_breaks: bool = False
    comment: Callable[[str], str] = lambda name: ""
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)

    def dump(self, data: Any) -> str:
        self._value(data, "$", "")
        return "".join(self.pieces)

    def _put(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)

    def _value(self, value: Any, path: str, indent: str) -> None:
        start = self.length
        if isinstance(value, dict):
            parts = [(self._key(key), item, f"{path}.{key}") for key, item in value.items()]
            self._parts("{}", parts, indent)
        elif isinstance(value, list):
            self._parts("[]", [("", item, f"{path}[{index}]") for index, item in enumerate(value)], indent)
        else:
            self._put(self._scalar(value))
        self.spans[path] = (start, self.length)

    def _parts(self, brackets: str, parts: list[tuple[str, Any, str]], indent: str) -> None:
        inner = indent + " " * (self.indent or 0)
        self._put(brackets[0])
        for number, (key, item, path) in enumerate(parts):
            self._put(("\n" + inner if self.indent else "") + key)
            self._value(item, path, inner)
            last = number == len(parts) - 1
            self._put("" if last and not self.trailing_commas else "," if self.indent else ", ")
            self._put(self.comment(key) if self.indent else "")
        self._put(("\n" + indent if self.indent and parts else "") + brackets[1])

    def _key(self, key: str) -> str:
        return f"{key}: " if self.bare_keys else f"{self._text(key)}: "

    def _scalar(self, value: Any) -> str:
        if isinstance(value, str):
            return self._text(value)
        return repr(value) if self.python else json.dumps(value)

    def _text(self, text: str) -> str:
        quoted = json.dumps(text, ensure_ascii=False)
        if self.raw_breaks:
            quoted = re.sub(r"(?<!\\)((?:\\\\)*)\\n", "\\1\n", quoted)
        if self.quote == "'":
            quoted = "'" + quoted[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
        return quoted


def _json(draft: Draft, dumper: Dumper | None = None) -> str:
    return (dumper or Dumper(draft.choose((2, 4, None)))).dump(draft.data)


@damage(JSON, "whole")
def json_bare(draft: Draft) -> None:
    draft.reply = _json(draft)


@damage(JSON, "whole")
def json_fenced(draft: Draft) -> None:
    draft.reply = f"```{draft.choose(('json', '', 'JSON'))}\n{_json(draft)}\n```"


@damage(JSON, "whole")
def json_in_prose(draft: Draft) -> None:
    before = draft.choose(("Sure, here is the JSON:", "The {curly} answer [1]:", "I'd say a < b. Result:"))
    draft.reply = f"{before}\n\n{_json(draft)}\n\n{draft.choose(('Hope this helps!', 'See [1] & {2}.'))}"


@damage(JSON, "whole", OBJECTS)
def json_wrapped(draft: Draft) -> None:
    inner = _json(draft)
    draft.reply = draft.choose(
        (
            f'{{"{draft.tag}": {inner}}}',
            f'{{"{draft.name}": {inner}}}',
            f'<tool_call>\n{{"name": "{draft.name}", "arguments": {inner}}}\n</tool_call>',
        )
    )


@damage(JSON, "whole")
def json_trailing_commas(draft: Draft) -> None:
    draft.reply = _json(draft, Dumper(2, trailing_commas=True))


@damage(JSON, "whole")
def json_comments(draft: Draft) -> None:
    def comment(name: str) -> str:
        return draft.choose(("", "  // as asked", "  /* see above */")) if draft.rng.random() < 0.6 else ""

    draft.reply = "// the answer\n" + _json(draft, Dumper(2, comment=comment))


@damage(JSON, "whole")
def json_single_quotes(draft: Draft) -> None:
    draft.reply = _json(draft, Dumper(draft.choose((2, None)), quote="'", python=draft.rng.random() < 0.5))


@damage(JSON, "whole")
def json_bare_keys(draft: Draft) -> None:
    draft.reply = _json(draft, Dumper(2, bare_keys=True))


@damage(JSON, "whole")
def json_raw_line_breaks(draft: Draft) -> None:
    if "\\n" not in json.dumps(draft.data):
        raise NoPlaceError
    draft.reply = _json(draft, Dumper(2, raw_breaks=True))


@damage(JSON, "whole", ("Order", "Review", "Project", "Report", "Inventory", "Invoice", "TaskList"))
def json_truncated(draft: Draft) -> None:
    dumper = Dumper(2)
    text = dumper.dump(draft.data)
    cut = draft.rng.randint(len(text) // 4, len(text) - 2)
    # A value is whole once the character behind it is there: `4` may have become 45.
    spans = {path: (start, end, end) for path, (start, end) in dumper.spans.items()}
    cut_expected(draft, spans, text, cut)
    draft.reply = draft.choose(("", "```json\n")) + text[:cut]


def _nested(draft: Draft) -> Element:
    return draft.pick([each for each in draft.places("object", "list", "map", roles=("field",)) if each.value])


@damage(GROUP)
def json_inside_element(draft: Draft) -> None:
    at = _nested(draft)
    text = json.dumps(at.value, ensure_ascii=False, indent=draft.choose((None, 2)))
    at.raw = draft.choose((text, f"\n{text}\n")) if "<" not in text and "&" not in text else escape(text)
    at.children = []


@damage(GROUP)
def json_inside_root(draft: Draft) -> None:
    text = json.dumps(draft.data, ensure_ascii=False, indent=2)
    if "<" in text or "&" in text or draft.problems:  # what was done before, and is due, would be written over
        raise NoPlaceError
    draft.root.raw, draft.root.children = f"\n{text}\n", []
    draft.taken.add(draft.root)


@damage(GROUP)
def yaml_inside_element(draft: Draft) -> None:
    at = _nested(draft)
    if any(mark in json.dumps(at.value) for mark in ("<", "&", "\\n")):
        raise NoPlaceError
    at.raw, at.children = "\n" + yaml(at.value, "") + "\n", []


def yaml(value: Any, indent: str) -> str:
    """A list or a map as a block of YAML, its texts in quotes where YAML asks for them."""
    rows = value.items() if isinstance(value, dict) else [(None, item) for item in value]
    return "\n".join(_yaml_row(key, item, indent) for key, item in rows)


def _yaml_row(key: str | None, item: Any, indent: str) -> str:
    head = f"{indent}- " if key is None else f"{indent}{key}: "
    if isinstance(item, list | dict) and item:
        inner = yaml(item, indent + "  ")
        return f"{indent}- {inner.lstrip()}" if key is None else f"{indent}{key}:\n{inner}"
    if isinstance(item, str):
        clear = all(mark not in item for mark in ":#'\"[]{},&*?|>%@`-!") and item[:1].isalpha()
        return head + (item if clear else json.dumps(item, ensure_ascii=False))
    return head + json.dumps(item)


@damage(GROUP, "whole", ("Order", "Review", "Profile"), mixes=False)
def label_value_lines(draft: Draft) -> None:
    style = draft.choose(("{}: {}", "**{}:** {}", "- {}: {}", "**{}**: {}"))
    as_written = draft.rng.random() < 0.5
    rows = []
    for each in draft.shape.fields.values():
        value = draft.data[each.name]
        if value is None and not each.required:
            continue
        rows.append(
            style.format(
                each.name if as_written else each.name.replace("_", " ").capitalize(), _label_value(each.shape, value)
            )
        )
    draft.reply = draft.choose(("", "Here is my answer:\n\n")) + "\n".join(rows)


def _label_value(shape: Shape, value: Any) -> str:
    if value is None:
        return "null"
    if value == "" or (isinstance(value, str) and "\n" in value):
        raise NoPlaceError
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return plain(value)
