"""The replies that files are put into: where in the data they stand, how they are laid out, what is damaged around."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from benchmarks.verbatim import rule
from structured_response import StructuredResponse


class OneFile(BaseModel):
    title: str
    file_text: str
    count: int


class Snippet(BaseModel):
    count: int
    file_text: str


class Picture(BaseModel):
    url: str
    width: int


class FileList(BaseModel):
    title: str
    total: int
    files: list[OneFile]
    note: str


class FileUnion(BaseModel):
    title: str
    total: int
    part: Snippet | Picture
    note: str


class FileMap(BaseModel):
    title: str
    total: int
    texts: dict[str, str]
    note: str


class FileLast(BaseModel):
    title: str
    total: int
    note: str
    file_text: str


class FileFirst(BaseModel):
    file_text: str
    title: str
    total: int
    note: str


SLOT = "@@slot@@"
NOTE = "short &amp; sweet"
JSX = "<Button disabled onClick={() => save(a && b)}>Save {count} &amp; go</Button>"


@dataclass(frozen=True)
class Host:
    """A model, its reply with a slot for the file's element, and the data with the same slot for its value."""

    model: type[BaseModel]
    opener: str
    reply: str
    data: dict[str, Any]

    @cached_property
    def response(self) -> StructuredResponse[Any]:
        return StructuredResponse.from_basemodel(self.model)

    @cached_property
    def closer(self) -> str:
        return f"</{self.opener.split()[0]}>"

    @cached_property
    def indent(self) -> str:
        """The white space before the opening tag."""
        line = next(line for line in self.reply.splitlines() if SLOT in line)
        return line[: line.index(SLOT)]

    @cached_property
    def own_closer(self) -> re.Pattern[str]:
        """The closing tags of the file's own element, and of the root, in any spelling that might pass for them."""
        root = self.reply.splitlines()[-1][2:-1]
        names = "|".join(name.replace("_", "[-_. ]*") for name in (self.closer[2:-1], root))
        return re.compile(rf"<\s*/[\s_.-]*(?:[\w.-]+:)?(?:{names})", re.IGNORECASE)


HOSTS = {
    "in a list of models": Host(
        FileList,
        "file_text",
        f"""\
<file_list>
  <title>All</title>
  <total>2</total>
  <files>
    <li>
      <title>one</title>
      {SLOT}
      <count>1</count>
    </li>
    <li>
      <title>two</title>
      <file_text>x = 1</file_text>
      <count>2</count>
    </li>
  </files>
  <note>{NOTE}</note>
</file_list>""",
        {
            "title": "All",
            "total": 2,
            "files": [
                {"title": "one", "file_text": SLOT, "count": 1},
                {"title": "two", "file_text": "x = 1", "count": 2},
            ],
            "note": NOTE,
        },
    ),
    "in a union's member": Host(
        FileUnion,
        "file_text",
        f"""\
<file_union>
  <title>All</title>
  <total>2</total>
  <part>
    <snippet>
      <count>1</count>
      {SLOT}
    </snippet>
  </part>
  <note>{NOTE}</note>
</file_union>""",
        {"title": "All", "total": 2, "part": {"count": 1, "file_text": SLOT}, "note": NOTE},
    ),
    "a map's value": Host(
        FileMap,
        "entry key='one'",
        f"""\
<file_map>
  <title>All</title>
  <total>2</total>
  <texts>
    {SLOT}
    <entry key='two'>x = 1</entry>
  </texts>
  <note>{NOTE}</note>
</file_map>""",
        {"title": "All", "total": 2, "texts": {"one": SLOT, "two": "x = 1"}, "note": NOTE},
    ),
    "the last field": Host(
        FileLast,
        "file_text",
        f"""\
<file_last>
  <title>All</title>
  <total>2</total>
  <note>{NOTE}</note>
  {SLOT}
</file_last>""",
        {"title": "All", "total": 2, "note": NOTE, "file_text": SLOT},
    ),
    "the first field": Host(
        FileFirst,
        "file_text",
        f"""\
<file_first>
  {SLOT}
  <title>All</title>
  <total>2</total>
  <note>{NOTE}</note>
</file_first>""",
        {"file_text": SLOT, "title": "All", "total": 2, "note": NOTE},
    ),
}


def _inline(text: str, indent: str) -> str:
    return text


def _own_lines(text: str, indent: str) -> str:
    return f"\n{text}{'' if text.endswith(chr(10)) else chr(10)}{indent}"


def _laid_out(text: str, indent: str) -> str:
    """Every line but empty ones two blanks deeper than the element."""
    lines = [f"{indent}  {line}" if line else line for line in text.replace("\r\n", "\n").rstrip("\n").split("\n")]
    return "\n".join(["", *lines, indent])


LAYOUTS: dict[str, Callable[[str, str], str]] = {
    "directly behind the tag": _inline,
    "on lines of its own": _own_lines,
    "indented with the elements": _laid_out,
}


@dataclass(frozen=True)
class Damage:
    """What is done to the reply around the file: before the file is put in, to the note, and to the whole."""

    around: Callable[[str], str] = lambda reply: reply
    note: str = NOTE
    whole: Callable[[str], str] = lambda reply: reply


def _prose(reply: str) -> str:
    return f"Sure! As a < b && c, here is the <title> and the rest:\n\n{reply}\n\nIs <b>that</b> what you & I meant?"


def _fence(reply: str) -> str:
    return f"```xml\n{reply}\n```"


def _open_root(reply: str) -> str:
    return reply[: reply.rindex("</")].rstrip()


def _open_number(reply: str) -> str:
    return reply.replace("</total>", "")


def _unquoted(reply: str) -> str:
    return reply.replace("<total>", "<total type=int unit=files>")


def _crlf(reply: str) -> str:
    return re.sub("\r\n?|\n", "\r\n", reply)


DAMAGES = {
    "nothing else": Damage(),
    "prose around": Damage(_prose),
    "a fence around": Damage(_fence),
    "the root's closing tag missing": Damage(_open_root),
    "a number's closing tag missing": Damage(_open_number),
    "an attribute without quotes": Damage(_unquoted),
    "JSX in another string": Damage(note=JSX),
    "line ends of Windows": Damage(whole=_crlf),
    "all of these": Damage(lambda reply: _prose(_fence(_unquoted(_open_number(_open_root(reply))))), JSX, _crlf),
}


@dataclass(frozen=True)
class Case:
    """A reply with a file in it, and the data that it says."""

    host: Host
    reply: str
    data: Any


def build(host: Host, text: str, layout: str, damage: Damage) -> Case:
    """Puts a file into a reply."""
    inner = LAYOUTS[layout](text, host.indent)
    around = damage.around(host.reply.replace(NOTE, damage.note))
    reply = damage.whole(around.replace(SLOT, f"<{host.opener}>{inner}{host.closer}"))
    return Case(host, reply, _filled(host.data, {SLOT: rule.value(inner, host.indent), NOTE: rule.value(damage.note)}))


def question(host: Host, text: str) -> str:
    """Why a file is not put into a host: it would end the string itself, or the rules leave its reading open."""
    if host.own_closer.search(text):
        return "its own closing tag"
    asked = (rule.open_question(layout(text, host.indent), host.indent) for layout in LAYOUTS.values())
    return next(filter(None, asked), "")


def _filled(data: Any, values: dict[str, str]) -> Any:
    if isinstance(data, dict):
        return {key: _filled(value, values) for key, value in data.items()}
    if isinstance(data, list):
        return [_filled(value, values) for value in data]
    return values.get(data, data) if isinstance(data, str) else data
