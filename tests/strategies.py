"""Hypothesis strategies: random Pydantic models, instances of them, and replies that say what those hold.

What the models may hold is a set of features. `CORE` needs nothing but plain fields; the rest of `ALL` is
switched on in `SUPPORTED` as the library learns it. What takes long to make and depends on the features alone is made
once.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, make_dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from functools import cache
from random import Random
from typing import Annotated, Any, Generic, Literal, Optional, TypeVar, Union, cast
from uuid import UUID

from hypothesis import assume
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, create_model
from typing_extensions import TypedDict

from structured_response import StructuredResponse, testing
from structured_response.definition import Node, Plan, fold, is_xml_name, match_union_option, walk
from structured_response.escaping import BLANK, NULL_WORDS

__all__ = [
    "ALL",
    "CORE",
    "SUPPORTED",
    "Features",
    "Shape",
    "all_texts",
    "instances",
    "models",
    "replies",
    "reply_lines",
    "shapes",
    "texts",
    "xml_texts",
]

Features = frozenset[str]

CORE: Features = frozenset({"aliases", "constraints", "defaults", "descriptions"})
ALL: Features = CORE | {
    "any",
    "any_character",
    "bytes",
    "clash_of_choices",
    "dataclasses",
    "decimals",
    "discriminated",
    "empty_choices",
    "maps",
    "model_unions",
    "nan",
    "odd_names",
    "recursive",
    "sets",
    "times",
    "tuples",
    "typed_dicts",
    "unions",
    "uuids",
}
SUPPORTED: Features = ALL
"""What the laws are held with."""

MAX_NESTING = 4


@dataclass(frozen=True)
class Shape:
    """A type, and a strategy of the values that a field of it takes."""

    annotation: Any
    values: st.SearchStrategy[Any]


# Texts

_NAMES = (
    *(
        "li",
        "item",
        "entry",
        "type",
        "key",
        "value",
        "think",
        "reasoning",
        "null",
        "index",
        "description",
        "required",
    ),
    *(
        "a_b",
        "ab",
        "aB",
        "a",
        "A",
        "b",
        "headline",
        "score",
        "class_",
        "points",
        "parts",
        "größe",
        "名前",
        "ñ",
        "x1",
    ),
)
_ODD_NAMES = ("a b", "1st", "x:y", "a-b", "<", "it's", 'say "x"', "a&b", "a ", "\u00b2", "a\nb")
"""None begins with a blank: in JSON that is not clean, a quote before a blank ends a text, it does not begin a key."""
_CLASS_NAMES = (
    "Review",
    "WeatherPrognosis",
    "A",
    "HTTPServer2",
    "Tree_Node",
    "Ñandú",
    "X",
    "Li",
    "Entry",
    "Headline",
)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@cache
def all_texts(max_size: int = 30) -> st.SearchStrategy[str]:
    """Texts of any Unicode scalar values, rich in what markup and leniencies would trip over."""
    return testing.texts(max_size)


@cache
def xml_texts(max_size: int = 30) -> st.SearchStrategy[str]:
    """The same, without the characters that no XML 1.0 document may hold."""
    return all_texts(max_size).map(lambda text: _NOT_XML.sub("", text))


@cache
def texts(features: Features, max_size: int = 30) -> st.SearchStrategy[str]:
    """Texts as far as the features go."""
    return all_texts(max_size) if "any_character" in features else xml_texts(max_size)


# Scalars


def _strings(features: Features) -> st.SearchStrategy[Shape]:
    plain = st.just(Shape(str, texts(features)))
    if "constraints" not in features:
        return plain
    bounded = st.builds(_bounded_string, st.integers(0, 3), st.integers(3, 12), st.just(features))
    pattern = st.just(Shape(Annotated[str, Field(pattern=r"^[a-z]{2,5}$")], st.from_regex(r"\A[a-z]{2,5}\Z")))
    return st.one_of(plain, plain, bounded, pattern)


def _bounded_string(low: int, high: int, features: Features) -> Shape:
    values = texts(features, high).filter(lambda text: len(text) >= low)
    return Shape(Annotated[str, Field(min_length=low, max_length=high)], st.one_of(st.just("x" * high), values))


def _integers(features: Features) -> st.SearchStrategy[Shape]:
    plain = Shape(int, st.one_of(st.integers(), st.integers(-(10**40), 10**40)))
    bounded = Shape(Annotated[int, Field(ge=-5, lt=100)], st.integers(-5, 99))
    multiple = Shape(Annotated[int, Field(multiple_of=3)], st.integers(-99, 99).map(lambda n: 3 * n))
    return st.sampled_from([plain, bounded, multiple] if "constraints" in features else [plain])


def _floats(features: Features) -> st.SearchStrategy[Shape]:
    odd = "nan" in features
    plain = Shape(float, st.floats(allow_nan=odd, allow_infinity=odd))
    bounded = Shape(Annotated[float, Field(gt=0, le=1e10)], st.floats(0, 1e10, exclude_min=True))
    return st.sampled_from([plain, bounded] if "constraints" in features else [plain])


@cache
def _choices(features: Features) -> st.SearchStrategy[list[Any]]:
    """Values of an enum or a Literal, told apart by the texts that they are written as."""
    words = st.one_of(st.sampled_from(("low", "Low", "none", "1", "true", "good - not bad")), texts(features, 12))
    if "empty_choices" not in features:
        words = words.filter(bool)
    numbers = st.integers(-3, 2**63 - 1)  # larger ones Pydantic's own enums do not read from JSON
    kinds = st.sampled_from([words, numbers, st.one_of(words, numbers)])
    told_by: Callable[[Any], Any] = repr if "clash_of_choices" in features else str
    return kinds.flatmap(lambda kind: st.lists(kind, min_size=1, max_size=4, unique_by=told_by))


@st.composite
def _enums(draw: st.DrawFn, features: Features) -> Shape:
    values = draw(_choices(features))
    members = {f"{draw(st.sampled_from('ABC'))}_{index}": value for index, value in enumerate(values)}
    mixin = str if all(isinstance(value, str) for value in values) and draw(st.booleans()) else None
    kind: Any = Enum("Choice", members, type=mixin)  # type: ignore[misc]
    return Shape(kind, st.sampled_from(list(kind)))


@st.composite
def _literals(draw: st.DrawFn, features: Features) -> Shape:
    values = draw(_choices(features))
    return Shape(Literal[tuple(values)], st.sampled_from(values))


def _times() -> st.SearchStrategy[Shape]:
    zones = st.one_of(st.none(), st.just(UTC), st.integers(-720, 720).map(lambda n: timezone(timedelta(minutes=n))))
    return st.sampled_from(
        [
            Shape(date, st.dates(min_value=date(1000, 1, 1))),
            Shape(time, st.times()),
            Shape(datetime, st.datetimes(min_value=datetime(1000, 1, 1), timezones=cast(Any, zones))),  # noqa: DTZ001
            Shape(timedelta, st.timedeltas(timedelta(days=-90_000), timedelta(days=90_000))),
        ]
    )


@cache
def _scalars(features: Features) -> st.SearchStrategy[Shape]:
    core = [
        _strings(features),
        _strings(features),
        _integers(features),
        _floats(features),
        st.just(Shape(bool, st.booleans())),
        _enums(features),
        _literals(features),
    ]
    optional = {
        "any": st.just(Shape(Any, _anything(features))),
        "bytes": st.just(Shape(bytes, st.binary(max_size=20).map(_as_utf8))),
        "decimals": st.just(Shape(Decimal, st.decimals(allow_nan=False, allow_infinity=False))),
        "times": _times(),
        "uuids": st.just(Shape(UUID, st.uuids())),
    }
    return st.one_of(*core, *(optional[name] for name in sorted(optional) if name in features))


def _as_utf8(data: bytes) -> bytes:
    return data.decode("utf-8", "ignore").encode()


def _anything(features: Features) -> st.SearchStrategy[Any]:
    leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), texts(features))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts(features, 8), inner, max_size=3)),
        max_leaves=4,
    )


# What holds other values


def _optional(shape: Shape) -> Shape:
    return Shape(Optional[shape.annotation], st.one_of(st.none(), shape.values))  # noqa: UP045 - any annotation


@st.composite
def _lists(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    item = draw(shapes(depth - 1, features))
    if "constraints" in features and draw(st.booleans()):
        return Shape(
            Annotated[list[item.annotation], Field(min_length=1, max_length=2)],  # type: ignore[name-defined]
            st.lists(item.values, min_size=1, max_size=2),
        )
    return Shape(list[item.annotation], st.lists(item.values, max_size=3))  # type: ignore[name-defined]


@st.composite
def _tuples(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    parts = draw(st.lists(shapes(depth - 1, features), min_size=1, max_size=3))
    if len(parts) == 1 and draw(st.booleans()):
        return Shape(tuple[parts[0].annotation, ...], st.lists(parts[0].values, max_size=3).map(tuple))  # type: ignore[misc]
    return Shape(tuple[tuple(part.annotation for part in parts)], st.tuples(*(part.values for part in parts)))  # type: ignore[misc]


@st.composite
def _sets(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    item = draw(st.sampled_from([Shape(str, texts(features)), Shape(int, st.integers()), Shape(bool, st.booleans())]))
    kind: Any = draw(st.sampled_from((set, frozenset)))
    return Shape(kind[item.annotation], st.lists(item.values, max_size=3).map(kind))


@st.composite
def _maps(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    keys = [Shape(str, texts(features, 8)), Shape(int, st.integers()), Shape(bool, st.booleans())]
    keys += [Shape(Literal["a", "b"], st.sampled_from(["a", "b"]))]
    keys += [Shape(date, st.dates(min_value=date(1000, 1, 1)))] if "times" in features else []
    key = draw(st.sampled_from(keys))
    item = draw(shapes(depth - 1, features))
    return Shape(dict[key.annotation, item.annotation], st.dictionaries(key.values, item.values, max_size=3))  # type: ignore[name-defined]


_APART = (
    Shape(bool, st.booleans()),
    Shape(int, st.integers()),
    Shape(Literal["low", "high"], st.sampled_from(["low", "high"])),
    Shape(list[int], st.lists(st.integers(), max_size=3)),
)
"""Types that every value tells apart, for unions."""


@st.composite
def _unions(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    parts = draw(st.lists(st.sampled_from((*_APART, Shape(str, texts(features)))), min_size=2, max_size=3, unique=True))
    return Shape(Union[tuple(part.annotation for part in parts)], st.one_of(*(part.values for part in parts)))  # noqa: UP007


@st.composite
def _model_unions(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    kinds = [draw(_model_shapes(depth - 1, features)) for _ in range(2)]
    assume(kinds[0].annotation.__name__ != kinds[1].annotation.__name__)
    assume(kinds[0].annotation.model_fields.keys() != kinds[1].annotation.model_fields.keys())
    return Shape(Union[tuple(kind.annotation for kind in kinds)], st.one_of(*(kind.values for kind in kinds)))  # noqa: UP007


@st.composite
def _discriminated(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    made = [_tagged(draw, tag, depth - 1, features) for tag in ("cat", "dog")]
    kinds: Any = Union[tuple(kind.annotation for kind in made)]  # noqa: UP007
    return Shape(Annotated[kinds, Field(discriminator="kind")], st.one_of(*(kind.values for kind in made)))


def _tagged(draw: st.DrawFn, tag: str, depth: int, features: Features) -> Shape:
    inner = draw(shapes(depth, features))
    model = _create(tag.title(), {"kind": (Literal[tag], ...), "inner": (inner.annotation, ...)})
    return Shape(model, st.builds(model, kind=st.just(tag), inner=inner.values))


Leaf = TypeVar("Leaf")


class Tree(BaseModel, Generic[Leaf]):
    """A model that holds itself, in a list and alone."""

    leaf: Leaf
    branches: "list[Tree[Leaf]]" = []
    twig: "Tree[Leaf] | None" = None


@st.composite
def _recursive(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    leaf = draw(_scalars(features))

    trees_of: Any = Tree[leaf.annotation]  # type: ignore[name-defined]
    ends = st.builds(trees_of, leaf=leaf.values)
    trees = st.recursive(
        ends,
        lambda inner: st.builds(
            trees_of, leaf=leaf.values, branches=st.lists(inner, max_size=2), twig=st.one_of(st.none(), inner)
        ),
        max_leaves=4,
    )
    return Shape(trees_of, trees)


@st.composite
def _dataclasses(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    parts = draw(st.lists(shapes(depth - 1, features), min_size=1, max_size=2))
    named = {f"part_{index}": part for index, part in enumerate(parts)}
    made: Any = make_dataclass("Record", [(name, part.annotation) for name, part in named.items()])
    return Shape(made, st.builds(made, **{name: part.values for name, part in named.items()}))


@st.composite
def _typed_dicts(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    parts = draw(st.lists(shapes(depth - 1, features), min_size=1, max_size=2))
    named = {f"part_{index}": part for index, part in enumerate(parts)}
    made: Any = TypedDict("Row", {name: part.annotation for name, part in named.items()})  # type: ignore[misc]
    return Shape(made, st.fixed_dictionaries({name: part.values for name, part in named.items()}))


_HOLDERS: dict[str, Callable[[int, Features], st.SearchStrategy[Shape]]] = {
    "dataclasses": _dataclasses,
    "discriminated": _discriminated,
    "maps": _maps,
    "model_unions": _model_unions,
    "recursive": _recursive,
    "sets": _sets,
    "tuples": _tuples,
    "typed_dicts": _typed_dicts,
    "unions": _unions,
}


@cache
def shapes(depth: int, features: Features = SUPPORTED) -> st.SearchStrategy[Shape]:
    """Types that a field may have, with values of them, nested at most `depth` deep."""
    leaves = _scalars(features)
    if depth <= 0:
        return st.one_of(leaves, leaves.map(_optional))
    holders = [_lists(depth, features), _model_shapes(depth - 1, features)]
    holders += [_HOLDERS[name](depth, features) for name in sorted(_HOLDERS) if name in features]
    held = st.one_of(*holders)
    return st.one_of(leaves, leaves.map(_optional), held, held.map(_optional))


# Models


@cache
def _field_names(features: Features) -> st.SearchStrategy[str]:
    names = st.one_of(st.sampled_from(_NAMES), st.from_regex(r"\A[a-z][a-z0-9_]{0,5}\Z"))
    if "odd_names" in features:
        names = st.one_of(names, names, st.sampled_from(_ODD_NAMES))
    return names.filter(lambda name: not hasattr(BaseModel, name) and not name.startswith("model_"))


@st.composite
def _fields(draw: st.DrawFn, name: str, shape: Shape, taken: list[str], features: Features) -> tuple[Any, Any]:
    """What `create_model` takes for a field: the type, and the default with what else is said of it."""
    said: dict[str, Any] = {}
    if "descriptions" in features and draw(st.booleans()):
        said["description"] = draw(all_texts())
    if "aliases" in features and draw(st.integers(0, 5)) == 0:
        said["alias"] = f"{name}Alias{len(taken)}"
    if "defaults" in features and draw(st.integers(0, 3)) == 0:
        default = draw(shape.values)
        said |= {"default_factory": lambda: default} if draw(st.booleans()) else {"default": default}
    return shape.annotation, Field(**said)


def _create(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    make: Any = create_model
    made: type[BaseModel] = make(name, __config__=ConfigDict(validate_by_name=True, validate_by_alias=True), **fields)
    return made


@st.composite
def _model_shapes(draw: st.DrawFn, depth: int, features: Features) -> Shape:
    names = draw(st.lists(_field_names(features), min_size=1, max_size=4, unique=True))
    members = {name: draw(shapes(depth, features)) for name in names}
    fields = {name: draw(_fields(name, shape, names, features)) for name, shape in members.items()}
    model = _create(draw(st.sampled_from(_CLASS_NAMES)), fields)
    values = st.fixed_dictionaries({name: shape.values for name, shape in members.items()})
    return Shape(model, values.map(lambda data: model.model_validate(data, by_name=True, by_alias=False)))


def models(features: Features = SUPPORTED, depth: int = MAX_NESTING - 1) -> st.SearchStrategy[Shape]:
    """Models, each with a strategy of its instances."""
    return st.integers(0, depth).flatmap(lambda levels: _model_shapes(levels, features))


def instances(features: Features = SUPPORTED, depth: int = MAX_NESTING - 1) -> st.SearchStrategy[BaseModel]:
    """Instances of random models."""
    return models(features, depth).flatmap(lambda shape: shape.values)


# Replies


@dataclass(frozen=True)
class Noise:
    """What a reply holds besides the answer, and how freely the answer is written."""

    prose: bool = False
    attributes: bool = False
    comments: bool = False
    order: bool = False
    layout: bool = False
    references: bool = False
    sections: bool = False
    unknown: bool = False
    line_ends: str = "\n"


_PROSE = (
    "",
    "Sure!\n",
    "Here you are: ",
    "```xml\n",
    "a < b && c <d> & R&D\n\n",
    "1. <b>bold</b>\n  ",
    "Ä😀\n",
    "> quoted ",
)
_BEHIND = ("", "\n", "\n```\n", "\nHope this helps <3", " </b> & more", "\n\n<hr> done")
_ATTRIBUTES = (
    *(
        "index='0'",
        'description="a > b / c"',
        "elements='dict'",
        'choices=\'["low", "high"]\'',
        "required='false'",
    ),
    *("greater_or_equal='-20'", 'x = "it\'s"', "\n  note='&lt;b> &amp;'"),
)
_UNKNOWN = ("x", "note", "description")
"""Those of the attributes that the prompt never uses, or not with these values."""
_COMMENTS = ("<!-- c -->", "<!--<li>-->", "<!-- </review> & -->", "<?pi x?>")
_WHITE = ("", " ", "\n", "\n    ", "\t", "  \n\n  ")
_CODES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "é": "&#233;"}


@dataclass
class _Writer:
    """Writes one reply, by rules of its own: nothing of the library's writer is used."""

    noise: Noise
    random: Random
    known: frozenset[str]
    pieces: list[str] = field(default_factory=list)

    def add(self, text: str) -> None:
        self.pieces.append(text)

    def white(self) -> str:
        return self.random.choice(_WHITE) if self.noise.layout else ""

    def between(self) -> None:
        """What may stand between two elements."""
        self.add(self.white())
        if self.noise.comments and self.random.random() < 0.3:
            self.add(self.random.choice(_COMMENTS))
            self.add(self.white())

    def indentation(self) -> str:
        """The white space that the line being written begins with."""
        line = "".join(self.pieces).rpartition("\n")[2]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def element(self, name: str, node: Node, value: Any) -> None:
        tag, key = (name, "") if is_xml_name(name) else ("entry", f' key="{_quoted(name)}"')
        indentation = self.indentation()
        if value is None:
            self.add(f"<{tag}{key}{self.attributes(False)} type='null'/>")
            return
        node, mark = self.told(node, value)
        self.add(f"<{tag}{key}{mark}{self.attributes(bool(value))}>")
        self.inner(node, value, indentation)
        self.add(f"</{tag}{self.random.choice(('', ' ')) if self.noise.layout else ''}>")

    def told(self, node: Node, value: Any) -> tuple[Node, str]:
        """What is written, and the mark that says so: of scalars, all of which the prompt asks for in one place, the
        text alone does not tell which it is.
        """
        options = node.options() if node.kind == "union" else {}
        name = match_union_option(node, value) if options else None
        if name is None or any(option.kind in _INNER for option in options.values()):
            return node, " type='str'" if value == "" and node.nullable and not options else ""
        return options[name], f" type='{name}'"

    def inner(self, node: Node, value: Any, indentation: str) -> None:
        """What stands between the tags."""
        if node.kind not in _INNER:
            self.add(self.scalar(node, value, indentation))
        elif value or node.kind == "union":
            _INNER[node.kind](self, node, value)

    def attributes(self, is_filled: bool) -> str:
        """Attributes that mean nothing: one that the prompt does not use may hold the value of an empty element."""
        if not self.noise.attributes:
            return ""
        known = self.known if is_filled else {*self.known, *_UNKNOWN}
        meaningless = [each for each in _ATTRIBUTES if fold(each.partition("=")[0].strip()) not in known]
        chosen = self.random.sample(meaningless, self.random.randrange(3))
        return "".join(f" {attribute}" for attribute in chosen)

    def of_dict(self, node: Node, value: dict[str, Any]) -> None:
        given = [(name, field) for name, field in node.fields.items() if name in value]
        if self.noise.order:
            self.random.shuffle(given)
        for name, member in given:
            self.between()
            if self.noise.unknown and self.random.random() < 0.2:
                self.unknown()
            self.element(name, member.node, value[name])
        self.between()

    def unknown(self) -> None:
        name = next(name for name in ("confidence", "zz.unknown", "zz2") if fold(name) not in self.known)
        self.add(
            self.random.choice((f"<{name}>high &amp; low</{name}>", f"<{name} a='>'/>", f"<{name}><zq>x</zq></{name}>"))
        )

    def of_list(self, node: Node, value: list[Any]) -> None:
        assert node.item is not None
        for item in value:
            self.between()
            self.element("li", node.item, item)
        self.between()

    def of_tuple(self, node: Node, value: list[Any]) -> None:
        for part, item in zip(node.parts, value, strict=True):
            self.between()
            self.element("li", part, item)
        self.between()

    def of_map(self, node: Node, value: dict[str, Any]) -> None:
        assert node.item is not None
        for key, item in value.items():
            self.between()
            if item is None:
                self.add(f"<entry key=\"{_quoted(key)}\" type='null'/>")
                continue
            inner, mark = self.told(node.item, item)
            self.add(f'<entry key="{_quoted(key)}"{mark}>')
            self.inner(inner, item, self.indentation())
            self.add("</entry>")
        self.between()

    def of_union(self, node: Node, value: Any) -> None:
        """As the prompt asks: the option in an element that has its name."""
        name = match_union_option(node, value)
        assert name is not None
        self.between()
        self.element(name, node.options()[name], value)
        self.between()

    def scalar(self, node: Node, value: Any, indentation: str) -> str:
        if not isinstance(value, str):
            return f"{self.white()}{_plain(value)}{self.white()}"
        return self.string(node, value, indentation)

    def string(self, node: Node, value: str, indentation: str) -> str:
        touchy = value[:1] in ("[", "`", "~") or value.lower() in NULL_WORDS or value.strip(BLANK) != value
        if self.noise.sections and value and not touchy and "\r" not in value and self.random.random() < 0.4:
            inner = value.replace("]]>", "]]]]><![CDATA[>")
            return f"<![CDATA[{inner}]]>"
        written = self.escaped(value, touchy)
        if "\n" not in written:
            return f"{self.white()}{written}{self.white()}" if written else ""
        return self.laid_out(written, indentation)

    def escaped(self, value: str, touchy: bool) -> str:
        """The value with references for what would not come back, and for more where they are drawn."""
        ends = (0, len(value) - 1) if touchy else ()
        return "".join(self.character(char, index in ends) for index, char in enumerate(value))

    def character(self, char: str, forced: bool) -> str:
        if forced or char == "\r" or (self.noise.references and char > " " and self.random.random() < 0.15):
            return self.random.choice((f"&#{ord(char)};", f"&#x{ord(char):x};", f"&#x{ord(char):04X};"))
        if char in "&<" or (self.noise.references and char in _CODES):
            return _CODES[char]
        return "&gt;" if char == ">" else char

    def laid_out(self, written: str, indentation: str) -> str:
        """A text of several lines in one of the three ways in which the layout rule gives it back."""
        lines = written.split("\n")
        filled = [line for line in lines if line.strip(BLANK)]
        ways = [written]
        if self.noise.layout and any(line[0] not in " \t" for line in filled):
            behind = self.random.choice(("", "\n", "\n" + indentation))
            ways.append(f"\n{written}{behind}")
            if all(line.strip(BLANK) or not line for line in lines):
                deeper = indentation + self.random.choice((" ", "    ", "\t"))
                ways.append("\n" + "\n".join(line and deeper + line for line in lines) + behind)
        return self.random.choice(ways)


_INNER: dict[str, Callable[[_Writer, Node, Any], None]] = {
    "dict": _Writer.of_dict,
    "list": _Writer.of_list,
    "map": _Writer.of_map,
    "tuple": _Writer.of_tuple,
    "union": _Writer.of_union,
}


def _quoted(name: str) -> str:
    codes = {"&": "&amp;", "<": "&lt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;", "\r": "&#13;"}
    return "".join(codes.get(char, char) for char in name)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def _known_names(node: Node, seen: set[int], names: set[str]) -> set[str]:
    if id(node) in seen:
        return names
    seen.add(id(node))
    names |= {fold(name) for name in (*node.fields, node.name or "li")}
    for inner in [member.node for member in node.fields.values()] + [node.item, *node.parts]:
        if inner is not None:
            _known_names(inner, seen, names)
    return names


@st.composite
def replies(draw: st.DrawFn, plan: Plan, data: Any, noise: st.SearchStrategy[Noise] | None = None) -> str:
    """Well-formed replies that say `data`, the JSON-compatible data of an instance."""
    chosen = draw(_NOISES if noise is None else noise)
    known = frozenset(_known_names(plan.root, set(), set()))
    assume(not any(_holds_fields_like_items(node) for node in walk(plan.root)))
    assume(fold(plan.root_name) != "entry" or all(map(is_xml_name, plan.root.fields)))  # else all is an entry
    writer = _Writer(chosen, Random(draw(st.integers(0, 2**32))), known)
    if chosen.prose:
        writer.add(draw(st.sampled_from(_without_names(_PROSE, known))))
    writer.element(plan.root_name, plan.root, data)
    if chosen.prose:
        writer.add(draw(st.sampled_from(_without_names(_BEHIND, known))))
    return "".join(writer.pieces).replace("\n", chosen.line_ends)


def _without_names(texts: tuple[str, ...], known: frozenset[str]) -> list[str]:
    """Those without a tag that could be a part of the answer."""
    return [text for text in texts if known.isdisjoint(map(fold, re.findall(r"</?(\w+)", text)))]


def _holds_fields_like_items(node: Node) -> bool:
    """Whether an item may be an object with a field that is called as items are: where another item is a text, nothing
    tells such a field without its object from an item.
    """
    views = [view for item in (node.item, *node.parts) if item is not None for view in (item, *item.options().values())]
    return any("li" in view.fields for view in views if view.kind == "dict")


_NOISES: st.SearchStrategy[Noise] = st.builds(
    Noise,
    *[st.booleans()] * 8,
    line_ends=st.sampled_from(("\n", "\r\n")),
)


def reply_lines(response: StructuredResponse[Any]) -> list[str]:
    """The tags and texts of a response as it is written, as material for damage."""
    return [piece for piece in re.split(r"(<[^>]*>)", str(response)) if piece]
