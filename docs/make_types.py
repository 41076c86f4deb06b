"""Writes docs/types.md: what the library does with each type, found out by running it.

    python docs/make_types.py

The tables below hold annotations and examples; everything else on the page is what came of them.
"""

# ruff: noqa: D101 - the page shows the classes as an application would have them

import ast
import enum
import ipaddress
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID

from pydantic import BaseModel, Field, HttpUrl, SecretStr, create_model
from typing_extensions import TypedDict

from structured_response import DefinitionError, ReplyError, StructuredResponse

PAGE = Path(__file__).with_name("types.md")


class Severity(enum.Enum):
    LOW = "low"
    HIGH = "high"


class Level(enum.IntEnum):
    ONE = 1
    TWO = 2


class Size2D(enum.Enum):
    SMALL = (1, 2)
    LARGE = (3, 4)


class Point(BaseModel):
    x: int
    y: int = 0


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


@dataclass
class Size:
    width: float
    height: float


class Song(TypedDict):
    title: str
    seconds: int


class Pair(NamedTuple):
    left: int
    right: str


NOT_SHOWN = ("Found",)
"""The class of this script that is no example."""

FIELDS: dict[str, list[tuple[Any, Any]]] = {
    "Text": [
        (str, "a < b & c"),
        (str, "two\n  lines"),
        (str, " blanks at the edges "),
        (Annotated[str, Field(min_length=2, max_length=9, pattern="^[a-z]+$")], "abc"),
        (HttpUrl, "https://example.org/a?b=1&c=2"),
        (ipaddress.IPv4Address, "192.0.2.1"),
        (PurePosixPath, "notes/x.txt"),
        (re.Pattern[str], "a+"),
        (SecretStr, SecretStr("swordfish")),
        (Annotated[str, Field(exclude=True)], "kept out of the model's own JSON"),
    ],
    "Numbers and yes or no": [
        (int, 42),
        (int, 10**20),
        (Annotated[int, Field(ge=1, le=5)], 4),
        (float, 24.0),
        (float, 1e-07),
        (float, float("nan")),
        (Decimal, Decimal("12.50")),
        (bool, True),
    ],
    "Choices": [
        (Severity, Severity.HIGH),
        (Level, Level.TWO),
        (Size2D, Size2D.LARGE),
        (Literal["yes", "no", 3], "yes"),
        (Literal[1, "1"], "1"),
    ],
    "Dates and times": [
        (date, date(2024, 3, 2)),
        (time, time(7, 30)),
        (datetime, datetime(2024, 3, 2, 7, 30, tzinfo=UTC)),
        (timedelta, timedelta(days=1, hours=2)),
    ],
    "Identifiers and bytes": [
        (UUID, UUID("12345678-1234-5678-1234-567812345678")),
        (bytes, b"hello"),
    ],
    "Nothing": [
        (int | None, 3),
        (int | None, None),
        (str | None, None),
        (str | None, ""),
        (str | None, "None"),
        (list[int] | None, None),
        (list[int] | None, []),
    ],
    "Lists, sets and tuples": [
        (list[str], ["a", "b"]),
        (list[Point], [Point(x=1, y=2)]),
        (list[int | None], [1, None]),
        (list[list[int]], [[1, 2], []]),
        (set[int], {2, 1}),
        (tuple[int, str], (1, "a")),
        (tuple[int, ...], (1, 2)),
    ],
    "Maps": [
        (dict[str, int], {"a": 1, "b c": 2}),
        (dict[date, list[int]], {date(2024, 3, 2): [1]}),
        (dict[str, Point], {"a": Point(x=1)}),
    ],
    "Objects": [
        (Point, Point(x=1, y=2)),
        (Size, Size(1.5, 2.0)),
        (Song, {"title": "a", "seconds": 3}),
        (Pair, Pair(1, "a")),
        (Tree, Tree(name="a", children=[Tree(name="b")])),
    ],
    "Unions": [
        (int | date, date(2024, 3, 2)),
        (int | str, "3"),
        (Cat | Dog, Dog(kind="dog", name="Rex")),
        (Annotated[Cat | Dog, Field(discriminator="kind")], Cat(kind="cat", lives=9)),
        (list[int] | str, [1, 2]),
    ],
    "Anything": [
        (Any, "text"),
        (Any, 3),
        (Any, [1, None]),
        (dict[str, Any], {"a": {"b": 1.5}}),
    ],
}
"""Annotations of a required field called `value`, and an example value of each."""

WHOLE: list[tuple[Any, str]] = [
    (int, "<value>42</value>"),
    (list[Point], "<point_list><li><x>1</x><y>2</y></li></point_list>"),
    (dict[str, int], "<value_map><entry key='a'>1</entry></value_map>"),
    (Size, "<size><width>1.5</width><height>2.0</height></size>"),
]
"""Annotations for `from_type`, and a reply."""

MENDED: list[tuple[Any, str]] = [
    (int, "+4"),
    (int, "4.0"),
    (int, "007"),
    (int, "1,299"),
    (int, "4 out of 5"),
    (int, "Value: **4**"),
    (float, ".5"),
    (float, "+1.50"),
    (float, "$1,299.00"),
    (float, "1.299,00"),
    (float, "3,14"),
    (float, "12 km/h"),
    (bool, "Yes"),
    (bool, "off"),
    (bool, "1"),
    (bool, "No - it breaks"),
    (Severity, "High"),
    (Severity, "**low** - it can wait"),
    (Level, "TWO"),
    (date, "2024-3-2"),
    (date, "March 2nd, 2024"),
    (date, "25/03/2024"),
    (time, "3pm"),
    (datetime, "2 March 2024 at 14:30 UTC"),
    (timedelta, "2 hours 30 minutes"),
    (UUID, "{12345678-1234-5678-1234-567812345678}"),
    (float, "1.2 million"),
    (date, "Tuesday, March 5, 2024"),
    (int | None, "N/A"),
    (int | None, "unknown"),
    (str | None, "null"),
    (int | str, "12"),
    (int | Literal["all"], "12 days"),
    (str, "4<!-- of 5 -->"),
    (str, "```python\nx = 1\n```"),
    (list[int], "<item>1</item> and <li>2</li>"),
    (list[int], "1, 2"),
    (list[str], "- light\n- cheap"),
    (dict[str, int], "a: 1\nb: 2"),
    (Point, '{"x": 1, "y": 2}'),
]
"""Annotations, and what stands in the element of a reply in place of the strict form."""

REFUSED: list[tuple[Any, str]] = [
    (int, "1.299"),
    (int, "4.5"),
    (int, "4 or 5"),
    (int, "less than 4"),
    (int, "four"),
    (int, ""),
    (int, "None"),
    (float, "1e400"),
    (float, "5M"),
    (float, "4/5"),
    (bool, "maybe"),
    (bool, "Yes, but no for kids"),
    (Severity, "medium"),
    (Severity, "low or high"),
    (Severity, "not high"),
    (date, "02/03/2024"),
    (date, "March 2024"),
    (date, "2024-02-30"),
    (timedelta, "1:30"),
    (timedelta, "3600"),
    (UUID, "1234"),
    (list[int], "1, two or 3"),
    (tuple[int, str], "<li>1</li>"),
    (dict[str, int], "<entry key='a'>1</entry><entry key='a'>2</entry>"),
    (Cat | Dog, "<name>Rex</name><lives>9</lives>"),
]
"""Annotations, and texts without a value of that type."""

IMPOSSIBLE: list[tuple[Any, None]] = [
    (Callable[[int], str], None),
    (bytes | str, None),
    (Literal[b"raw"], None),
    (dict[tuple[int, int], str], None),
]
"""Annotations that no prompt can ask for."""

HEAD = """\
# Types

<!-- Written by `python docs/make_types.py`, which runs the library; do not edit by hand. -->

Every row is a required field called `value`.

* *Prompt* is its part of `to_prompt()`, *written* its part of `str(response)`, both without layout. `\u23ce` is a line
  break in a value. `parse` reads *written* back without a repair.
* *Instance* is `response.to_dict()["value"]`, *model* is `to_basemodel().value` if that differs.
* A type without a row that Pydantic describes as a string with a format is asked for as `str`. The model validates it.
* Secrets and excluded fields, which a model's own JSON hides, are asked for and written.
* An enum whose values are not scalars is asked for by the names of its members.
"""


class Found(NamedTuple):
    """What came of an example."""

    prompt: str
    text: str
    instance: Any
    model: Any


def run_field(annotation: Any, value: Any) -> Found:
    """A field's way from the model to text and back. Fails where something was lost on it."""
    response = StructuredResponse.from_basemodel(asking_for(annotation)(value=value))
    read = response.parse(str(response))
    if (read.to_dict() != response.to_dict() and value == value) or read.repairs:  # noqa: PLR0124 - NaN
        raise AssertionError((annotation, value, read))
    model = vars(read.to_basemodel())["value"]
    prompt, text = on_one_line(response.to_prompt()), joined(str(response))
    return Found(inside(prompt), inside(text), read.to_dict()["value"], model)


def run_whole(annotation: Any, reply: str) -> Found:
    """The same for a type that is the whole reply."""
    response = StructuredResponse.from_type(annotation)
    read = response.parse(reply)
    if joined(str(read)) != reply or read.repairs:
        raise AssertionError((annotation, reply, read))
    return Found(on_one_line(response.to_prompt()), reply, read.to_dict(), read.to_basemodel())


def asking_for(annotation: Any) -> type[BaseModel]:
    """A model with one field."""
    return create_model("Example", value=(annotation, ...))


def joined(text: str) -> str:
    """XML without what lays its elements out."""
    return re.sub(r"(?<=>)\n *(?=<)", "", text)


def on_one_line(prompt: str) -> str:
    """A prompt without its line breaks and indentation."""
    return "".join(line.strip() for line in prompt.split("\n"))


def inside(text: str) -> str:
    """What stands inside the root element."""
    return text.removeprefix("<example>").removesuffix("</example>")


def code(text: str) -> str:
    """Text as code in a cell of a table."""
    if not text:
        return "(nothing)"
    shown = text.replace("\n", "\u23ce").replace("|", "\\|")
    if "`" in shown:
        return f"```` {shown} ````"
    return f"`{shown}`"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """The lines of a table."""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(list(head))}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def cells(source: str, found: Found) -> list[str]:
    """The row of an example that was run."""
    same = repr(found.instance) == repr(found.model)
    # Pydantic's name of UTC differs between its versions.
    model = "" if same else code(re.sub(r"TzInfo\(\w+\)", "UTC", repr(found.model)))
    return [code(source), code(found.prompt), code(found.text), code(repr(found.instance)), model]


def of_field(source: str, annotation: Any, value: Any) -> list[str]:
    """The row of a field."""
    return cells(source, run_field(annotation, value))


def of_whole(source: str, annotation: Any, reply: str) -> list[str]:
    """The row of a whole reply."""
    return cells(source, run_whole(annotation, reply))


def parsed(annotation: Any, text: str) -> StructuredResponse[Any]:
    """What a reply whose element holds a text says."""
    reply = f"<example><value>{text}</value></example>"
    return StructuredResponse.from_basemodel(asking_for(annotation)).parse(reply)


def mended(source: str, annotation: Any, text: str) -> list[str]:
    """The row of a text that is read, with the repairs that say how."""
    read = parsed(annotation, text)
    kinds = ", ".join(code(kind) for kind in dict.fromkeys(repair.kind.value for repair in read.repairs))
    if not kinds:
        raise AssertionError((annotation, text))
    return [code(source), code(text), code(repr(read.to_dict()["value"])), kinds]


def refused(source: str, annotation: Any, text: str) -> list[str]:
    """The row of a text that is not read, with the problems that say why."""
    try:
        parsed(annotation, text)
    except ReplyError as error:
        return [code(source), code(text), "; ".join(code(problem.message) for problem in error.problems)]
    raise AssertionError((annotation, text))


def impossible(source: str, annotation: Any, _nothing: None) -> list[str]:
    """The row of a type that cannot be asked for, with what the error says behind its name."""
    try:
        StructuredResponse.from_basemodel(asking_for(annotation))
    except DefinitionError as error:
        return [code(source), code(str(error).partition("cannot be described: ")[2])]
    raise AssertionError(annotation)


def sources(name: str, tree: ast.Module, text: str) -> list[str]:
    """The annotations of one of the tables above as they are written there, in order."""
    body = next(node for node in tree.body if isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name)
    rows = (row for row in ast.walk(body) if isinstance(row, ast.List) and row.elts)
    lists = [row for row in rows if all(isinstance(item, ast.Tuple) for item in row.elts)]
    firsts = [item.elts[0] for row in lists for item in row.elts if isinstance(item, ast.Tuple)]
    return [ast.get_source_segment(text, first) or "" for first in firsts]


def classes(tree: ast.Module, text: str) -> str:
    """The source of the classes that the page shows, with the imports that it needs."""
    shown = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name not in NOT_SHOWN]
    lines = text.splitlines()
    parts = ["\n".join(lines[first_line(node) - 1 : node.end_lineno]) for node in shown]
    head = (
        "import enum\nfrom dataclasses import dataclass\nfrom typing import Literal, NamedTuple\n\n"
        "from pydantic import BaseModel\nfrom typing_extensions import TypedDict"
    )
    code = "```python\n" + "\n\n\n".join([head, *parts]) + "\n```\n"
    return f"<details markdown>\n<summary>The classes of the rows</summary>\n\n{code}\n</details>\n"


def first_line(node: ast.ClassDef) -> int:
    """The line on which a class begins, decorators included."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def rows_of(
    rows: Iterable[tuple[Any, Any]], made: Callable[[str, Any, Any], list[str]], labels: Iterable[str]
) -> list[list[str]]:
    """The cells of a table's rows, each with the source of its annotation."""
    return [made(label, *row) for label, row in zip(labels, rows, strict=True)]


def page() -> str:
    """The page as it has to be."""
    text = Path(__file__).read_text("utf-8")
    tree = ast.parse(text)
    labels = iter(sources("FIELDS", tree, text))
    lines = [HEAD, classes(tree, text)]
    for title, rows in FIELDS.items():
        here = [next(labels) for _ in rows]
        lines += [f"## {title}\n", *table(COLUMNS, rows_of(rows, of_field, here))]
    for title, name, columns, made in SECTIONS:
        lines += [f"## {title}\n"]
        lines += table(columns, rows_of(globals()[name], made, sources(name, tree, text)))
    return "\n".join(lines)


NOT_ASKED_FOR = """\
A required field of such a type raises `DefinitionError`, which names model, field and type. A field with a default is
left out of the prompt. Before Python 3.12 the same holds for `typing.TypedDict`; use `typing_extensions.TypedDict`."""
COLUMNS = ("type", "prompt", "written", "instance", "model")
SECTIONS: list[tuple[str, str, tuple[str, ...], Callable[[str, Any, Any], list[str]]]] = [
    ("As the whole reply\n\n`StructuredResponse.from_type(...)`.", "WHOLE", COLUMNS, of_whole),
    (
        "Other forms that are read\n\nEach is recorded as a `Repair` of the kind in the last column.",
        "MENDED",
        ("type", "content", "instance", "repair"),
        mended,
    ),
    (
        "Texts that are not read\n\nEach is a `Problem`, and raises `ReplyError` unless `strict=False`.",
        "REFUSED",
        ("type", "content", "problem"),
        refused,
    ),
    (
        f"Types that cannot be used\n\n{NOT_ASKED_FOR}",
        "IMPOSSIBLE",
        ("type", "message"),
        impossible,
    ),
]
"""Title and first words, the table's name, its columns, what makes a row."""

if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
