"""The instance as a `box.Box`: what python-box promises, and what assigning through it does."""

import copy
import json
import pickle
import pprint
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import orjson
import pytest
from box import Box, BoxKeyError, BoxList
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from structured_response import InstanceError, StructuredResponse
from tests.corpus.models import Part4 as Part


class Color(Enum):
    RED = "red"
    BLUE = "blue"


class Aliased(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    first_name: str = Field(alias="firstName")


class Kit(BaseModel):
    name: str
    size: int
    ratio: float = 0.5
    color: Color = Color.RED
    main: Part
    words: list[str]
    parts: list[Part]
    grid: list[list[int]]
    table: dict[str, int]
    shelves: dict[str, list[Part]]


DATA: dict[str, Any] = {
    "name": "kit",
    "size": 3,
    "ratio": 1.5,
    "color": "blue",
    "main": {"label": "m", "points": 1},
    "words": ["a", "b"],
    "parts": [{"label": "p", "points": 2}, {"label": "q", "points": 3}],
    "grid": [[1, 2], [3]],
    "table": {"one": 1, "two words": 2},
    "shelves": {"top": [{"label": "t", "points": 4}]},
}
MODEL = Kit.model_validate(DATA)


def kit() -> StructuredResponse[Kit]:
    """A response that holds `DATA`."""
    return StructuredResponse.from_basemodel(MODEL)


def box() -> Any:
    """Its Box."""
    return kit().instance


def plain() -> Any:
    """The same data in a Box of python-box's own."""
    return Box(copy.deepcopy(DATA))


# What a Box is


@pytest.mark.parametrize(
    "reach",
    [
        lambda box: box,
        lambda box: box.main,
        lambda box: box.parts[0],
        lambda box: box.table,
        lambda box: box.shelves,
        lambda box: box.shelves.top[0],
    ],
)
def test_objects_are_boxes(reach: Callable[[Any], Any]) -> None:
    """Every object of the instance is a Box and a dict, at any depth."""
    assert isinstance(reach(box()), Box)
    assert isinstance(reach(box()), dict)


@pytest.mark.parametrize(
    "reach",
    [
        lambda box: box.words,
        lambda box: box.parts,
        lambda box: box.grid,
        lambda box: box.grid[0],
        lambda box: box.shelves.top,
    ],
)
def test_lists_are_box_lists(reach: Callable[[Any], Any]) -> None:
    """Every list of the instance is a BoxList and a list, at any depth."""
    assert isinstance(reach(box()), BoxList)
    assert isinstance(reach(box()), list)


def test_the_box_stays_the_same_object() -> None:
    """The instance is made once: whoever looks again sees the same Box, and the same Boxes inside."""
    response = kit()
    assert response.instance is response.instance
    assert response.instance.main is response.instance["main"]
    assert response.instance.parts[0] is response.instance.parts[0]


READINGS: dict[str, Callable[[Any], Any]] = {
    "attribute": lambda box: box.name,
    "item": lambda box: box["name"],
    "nested attributes": lambda box: box.main.label,
    "nested items": lambda box: box["main"]["label"],
    "mixed": lambda box: box.parts[1]["label"],
    "negative index": lambda box: box.parts[-1].label,
    "slice": lambda box: box.words[0:1],
    "numpy-style index": lambda box: box.grid[0, 1],
    "key with a blank": lambda box: box.table["two words"],
    "key with a blank as attribute": lambda box: box.table.two_words,
    "get": lambda box: box.get("name"),
    "get with default": lambda box: box.get("nope", 5),
    "get of nothing": lambda box: box.get("nope"),
    "getattr with default": lambda box: getattr(box, "nope", 5),
    "hasattr": lambda box: (hasattr(box, "name"), hasattr(box, "nope")),
    "in": lambda box: ("name" in box, "nope" in box, "label" in box.main, "a" in box.words),
    "len": lambda box: (len(box), len(box.main), len(box.words)),
    "iteration": list,
    "reversed": lambda box: list(reversed(box)),
    "keys": lambda box: list(box.keys()),
    "values": lambda box: [type(value) is str for value in box.values()],
    "items": lambda box: {name: value == DATA[name] for name, value in box.items()},
    "truth": lambda box: (bool(box), bool(box.words)),
    "equality with a dict": lambda box: box == DATA,
    "equality from a dict": DATA.__eq__,
    "equality of a list": lambda box: box.words == ["a", "b"],
    "inequality": lambda box: box != {**DATA, "size": 4},
    "unpacking": lambda box: {**box.main},
    "dict": lambda box: dict(box.main),
    "list": lambda box: list(box.words),
    "str": str,
    "str of a list": lambda box: str(box.parts),
    "to_dict": lambda box: box.to_dict(),
    "to_list": lambda box: box.parts.to_list(),
    "to_json": lambda box: box.to_json(),
    "to_json of a list": lambda box: box.parts.to_json(),
    "json.dumps": json.dumps,
    "json.dumps, sorted": lambda box: json.dumps(box, sort_keys=True, indent=1),
    "orjson": orjson.dumps,
    "orjson of a list": lambda box: orjson.dumps(box.parts),
    "or": lambda box: (box | {"size": 9, "new": {"a": 1}}).to_dict(),
    "or, reversed": lambda box: ({"size": 9, "new": 1} | box).to_dict(),
    "add": lambda box: (box + {"main": {"points": 9}}).to_dict(),
    "add, reversed": lambda box: ({"main": {"points": 9}} + box).to_dict(),
    "subtract": lambda box: (box - {"name": 1, "main": {"label": 1}}).to_dict(),
    "index and count": lambda box: (box.words.index("b"), box.words.count("a")),
    "concatenated": lambda box: list(box.words.__add__(["c"])),
    "dir": lambda box: sorted({*dir(box)} & {*DATA, "to_dict", "nope"}),
    "dir of odd keys": lambda box: "two_words" in dir(box.table),
    "fromkeys": lambda box: box.fromkeys(["a"], 1),
}


@pytest.mark.parametrize("look", READINGS.values(), ids=READINGS)
def test_it_reads_like_a_box(look: Callable[[Any], Any]) -> None:
    """Whatever is looked at, the instance gives what python-box's own Box of the same data gives."""
    assert look(box()) == look(plain())


def test_yaml() -> None:
    """Where a library for YAML is there, the instance is written as YAML like a Box."""
    pytest.importorskip("yaml")
    assert box().to_yaml() == plain().to_yaml()
    assert box().parts.to_yaml() == plain().parts.to_yaml()
    assert Box.from_yaml(box().to_yaml()) == DATA


RAISING: dict[str, Callable[[Any], Any]] = {
    "no such attribute": lambda box: box.nope,
    "no such item": lambda box: box["nope"],
    "no such nested attribute": lambda box: box.main.nope,
    "del of no attribute": lambda box: delattr(box, "nope"),
    "del of no item": lambda box: box.__delitem__("nope"),
    "pop of nothing": lambda box: box.pop("nope"),
    "pop with too much": lambda box: box.pop("nope", 1, 2),
    "popitem of nothing": lambda box: (box.clear(), box.popitem()),
    "no such index": lambda box: box.words[9],
    "a protected name": lambda box: setattr(box, "items", 1),
    "a method's name": lambda box: setattr(box, "to_dict", 1),
    "hash": hash,
    "hash of a list": lambda box: hash(box.words),
    "or with a list": lambda box: box | [1],
    "update with two": lambda box: box.update({}, {}),
    "merge of unknown lists": lambda box: box.merge_update({}, box_merge_lists="nope"),
}


@pytest.mark.parametrize("act", RAISING.values(), ids=RAISING)
def test_it_raises_like_a_box(act: Callable[[Any], Any]) -> None:
    """Where python-box raises, the instance raises the same kind of exception."""
    with pytest.raises(Exception) as wanted:  # noqa: PT011 - python-box says which
        act(plain())
    with pytest.raises(type(wanted.value)) as caught:
        act(box())
    assert type(caught.value) is type(wanted.value)


def test_it_can_be_matched() -> None:
    """A `match` takes the instance apart like any dict with lists in it."""
    match box():
        case {"main": {"label": label}, "words": [first, *_]}:
            assert (label, first) == ("m", "a")
        case _:
            pytest.fail("no match")


def test_a_missing_attribute_is_an_attribute_error_and_a_key_error() -> None:
    """A field that is not there is what both kinds of access promise, so `hasattr` and `get` work."""
    for error in (AttributeError, KeyError, BoxKeyError):
        with pytest.raises(error, match="nope"):
            box().nope  # noqa: B018 - the look is the test


CHANGES: dict[str, Callable[[Any], Any]] = {
    "attribute": lambda box: setattr(box, "name", "x"),
    "item": lambda box: box.__setitem__("name", "x"),
    "nested attribute": lambda box: setattr(box.main, "label", "x"),
    "nested item": lambda box: box["parts"][1].__setitem__("label", "x"),
    "a dict": lambda box: setattr(box, "main", {"label": "x", "points": 5}),
    "a list of dicts": lambda box: setattr(box, "parts", [{"label": "x", "points": 5}]),
    "a list of lists": lambda box: setattr(box, "grid", [[9], []]),
    "a Box": lambda box: setattr(box, "main", Box(label="x", points=9)),
    "a BoxList": lambda box: setattr(box, "parts", BoxList([{"label": "x", "points": 5}])),
    "a part of itself": lambda box: setattr(box, "main", box.parts[0]),
    "a list of its own": lambda box: setattr(box, "parts", box.parts[:1]),
    "key with a blank as attribute": lambda box: setattr(box.table, "two_words", 9),
    "new key": lambda box: box.table.__setitem__("three", 3),
    "update": lambda box: box.update({"name": "x", "main": {"label": "y", "points": 5}}),
    "update by keyword": lambda box: box.update(name="x", words=["z"]),
    "update with pairs": lambda box: box.update([("name", "x"), ("grid", [[1]])]),
    "update of a map": lambda box: box.table.update({"one": 9, "new": 1}),
    "in-place or": lambda box: box.__ior__({"name": "x", "main": {"label": "y", "points": 5}}),
    "in-place add": lambda box: box.__iadd__({"name": "x", "main": {"points": 9}}),
    "merge_update": lambda box: box.merge_update({"main": {"points": 9}, "words": ["z"]}),
    "merge_update by keyword": lambda box: box.merge_update(main={"points": 9}),
    "merge_update, lists extended": lambda box: box.merge_update(
        {"parts": [{"label": "z", "points": 5}]}, box_merge_lists="extend"
    ),
    "merge_update, lists unique": lambda box: box.merge_update({"words": ["b", "c"]}, box_merge_lists="unique"),
    "merge_update, lists merged": lambda box: box.merge_update({"parts": [{"points": 9}]}, box_merge_lists="merge"),
    "merge_update of a new key": lambda box: box.shelves.merge_update({"low": [{"label": "l", "points": 5}]}),
    "setdefault of what is there": lambda box: box.setdefault("name", "x"),
    "setdefault of what is not": lambda box: box.table.setdefault("new", 7),
    "setdefault with a list": lambda box: box.shelves.setdefault("low", [{"label": "l", "points": 5}]).append(
        {"label": "k", "points": 5}
    ),
    "pop": lambda box: box.pop("ratio"),
    "pop with default": lambda box: (box.pop("ratio", None), box.pop("ratio", 4)),
    "popitem": lambda box: box.table.popitem(),
    "del attribute": lambda box: delattr(box, "ratio"),
    "del item": lambda box: box.__delitem__("ratio"),
    "del of a key with a blank": lambda box: delattr(box.table, "two_words"),
    "clear of a map": lambda box: box.table.clear(),
    "append": lambda box: box.words.append("c"),
    "append a dict": lambda box: box.parts.append({"label": "x", "points": 5}),
    "append a list": lambda box: box.grid.append([7, 8]),
    "append a model's data": lambda box: box.parts.append(Part(label="x").model_dump()),
    "extend": lambda box: box.parts.extend([{"label": "x", "points": 5}, {"label": "y", "points": 5}]),
    "extend by itself": lambda box: box.words.extend(box.words),
    "in-place addition": lambda box: box.parts.__iadd__([{"label": "x", "points": 5}]),
    "insert": lambda box: box.parts.insert(0, {"label": "x", "points": 5}),
    "item of a list": lambda box: box.parts.__setitem__(0, {"label": "x", "points": 5}),
    "slice of a list": lambda box: box.parts.__setitem__(
        slice(0, 1), [{"label": "x", "points": 5}, {"label": "y", "points": 5}]
    ),
    "del of an item": lambda box: box.parts.__delitem__(0),
    "pop of an item": lambda box: box.parts.pop(),
    "remove": lambda box: box.words.remove("a"),
    "reverse": lambda box: box.parts.reverse(),
    "sort": lambda box: box.words.sort(reverse=True),
    "sort by key": lambda box: box.parts.sort(key=lambda part: -part.points),
    "clear of a list": lambda box: box.parts.clear(),
    "deep append": lambda box: box.shelves.top.append({"label": "x", "points": 5}),
    "loop": lambda box: [part.update(points=part.points * 2) for part in box.parts],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_it_changes_like_a_box(change: Callable[[Any], Any]) -> None:
    """Whatever is changed, returns the same and leaves the same data as in python-box's own Box."""
    response, like = kit(), plain()
    assert change(response.instance) == change(like)
    assert response.instance.to_dict() == like.to_dict()
    assert list(response.instance) == list(like)
    boxes_all_the_way(response.instance)


def boxes_all_the_way(value: Any) -> None:
    """No plain dict and no plain list stands anywhere in a Box."""
    if isinstance(value, dict):
        assert isinstance(value, Box)
        for name, held in value.items():
            assert dict.get(value, name) is held
            boxes_all_the_way(held)
    elif isinstance(value, list):
        assert isinstance(value, BoxList)
        for held in value:
            boxes_all_the_way(held)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_changed_shows_everywhere(change: Callable[[Any], Any]) -> None:
    """Whatever is changed through the Box stands in the dict, the text, the stored form and the model."""
    response, like = kit(), plain()
    change(response.instance)
    change(like)
    wanted = like.to_dict()
    assert response.to_dict() == wanted
    assert json.loads(response.serialize())["instance"] == wanted
    assert StructuredResponse.from_basemodel(Kit).parse(str(response)).to_dict() == wanted
    assert response.to_basemodel() == Kit.model_validate(wanted)
    assert response.to_basemodel().model_fields_set == wanted.keys()


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_was_changed_shows_nowhere_else(change: Callable[[Any], Any]) -> None:
    """Changing one Box leaves other responses of the model, its values and this one's copy alone."""
    response = kit()
    copied = copy.deepcopy(response.instance)
    change(response.instance)
    assert copied.to_dict() == DATA
    assert box().to_dict() == DATA
    assert Kit.model_validate(DATA) == MODEL


def test_appended_dicts_are_boxes() -> None:
    """A dict that was appended or assigned is reached by dots at once."""
    instance = box()
    instance.parts.append({"label": "new"})
    assert instance.parts[-1].label == "new"
    instance.main = {"label": "other"}
    assert instance.main.label == "other"
    instance.shelves.low = [{"label": "deep"}]
    assert instance.shelves.low[0].label == "deep"


GAPS: dict[str, Callable[[Any], Any]] = {
    "a dict": lambda box: setattr(box, "main", {"label": "x"}),
    "a Box": lambda box: setattr(box, "main", Box(label="x")),
    "update": lambda box: box.update(main={"label": "x"}),
    "a list": lambda box: setattr(box, "parts", [{"label": "x"}]),
    "append": lambda box: box.parts.append({"label": "x"}),
    "extend": lambda box: box.parts.extend([{"label": "x"}]),
    "insert": lambda box: box.parts.insert(0, {"label": "x"}),
    "in-place addition": lambda box: box.parts.__iadd__([{"label": "x"}]),
    "item of a list": lambda box: box.parts.__setitem__(0, {"label": "x"}),
    "slice of a list": lambda box: box.parts.__setitem__(slice(0, 1), [{"label": "x"}]),
    "key of a map": lambda box: box.shelves.update(low=[{"label": "x"}]),
    "deep append": lambda box: box.shelves.top.append({"label": "x"}),
}


@pytest.mark.parametrize("change", GAPS.values(), ids=GAPS)
def test_defaults_of_assigned_objects(change: Callable[[Any], Any]) -> None:
    """An object that was assigned without a field shows its default, and is written without it."""
    response, like = kit(), plain()
    change(response.instance)
    change(like)
    assert response.to_dict() == like.to_dict()
    assert json.loads(response.serialize())["instance"] == like.to_dict()
    assert response.instance.to_dict() == Kit.model_validate(like.to_dict()).model_dump(mode="json")
    assert response.to_basemodel() == Kit.model_validate(like.to_dict())


def test_defaults_beside_extra_fields() -> None:
    """A field that was not given shows its default, also if as many others were given in its place."""

    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        name: str
        size: int = 3

    read = StructuredResponse.from_basemodel(Open).parse("<open><name>kit</name><weight>heavy</weight></open>")
    assert read.instance == {"name": "kit", "size": 3, "weight": "heavy"}
    assert read.to_dict() == {"name": "kit", "weight": "heavy"}


def test_assigned_data_is_a_copy() -> None:
    """A dict or list that was assigned is copied: who goes on changing it does not change the instance."""
    instance = box()
    part, words, table = {"label": "x"}, ["x"], {"k": 1}
    instance.main, instance.words, instance.table = part, words, table
    instance.parts.append(part)
    part["label"] = "changed"
    words.append("changed")
    table["changed"] = 1
    assert (instance.main.label, instance.parts[-1].label) == ("x", "x")
    assert (instance.words, instance.table) == (["x"], {"k": 1})


# Names that Python or dict use themselves

ODD_NAMES = [
    "class", "def", "None", "lambda", "match", "items", "keys", "values", "get", "pop", "update", "copy",
    "to_dict", "to_json", "merge_update", "self", "cls", "__init__", "__class__", "__dict__", "_node",
    "_absent", "_box_config", "box_dots", "default_box", "frozen_box", "conversion_box", "box_class",
    "a b", "a-b", "a.b", "a[0]", "1", "1a", "", "é", "😀", "A", "camelCase", "x1",
]  # fmt: skip


def odd(names: list[str]) -> StructuredResponse[Any]:
    """A response with a map that has odd keys, in the map itself and in an object inside it."""

    class Odd(BaseModel):
        table: dict[str, int]
        inner: dict[str, dict[str, int]]

    table = {name: number for number, name in enumerate(names)}
    return StructuredResponse.from_basemodel(Odd(table=table, inner={name: {name: 1} for name in names}))


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_as_items(name: str) -> None:
    """A key of any name, a keyword, a method is read, assigned and deleted as an item."""
    response = odd([name, "other"])
    instance = response.instance
    assert instance.table[name] == 0
    assert name in instance.table
    assert instance.inner[name][name] == 1
    instance.table[name] = 7
    instance.inner[name] = {name: 8}
    assert instance.table.to_dict() == {name: 7, "other": 1}
    assert response.to_dict()["table"] == {name: 7, "other": 1}
    assert response.to_dict()["inner"] == {name: {name: 8}, "other": {"other": 1}}
    assert StructuredResponse.deserialize(response.serialize()) == response
    assert copy.deepcopy(instance.table) == pickle.loads(pickle.dumps(instance.table)) == {name: 7, "other": 1}
    instance.table.update({name: 9})
    assert instance.table.pop(name) == 9
    assert response.to_dict()["table"] == {"other": 1}


@pytest.mark.parametrize("name", [name for name in ODD_NAMES if name.isidentifier() and not name.startswith("_")])
def test_odd_names_as_attributes(name: str) -> None:
    """Reading a key of any name as an attribute gives what python-box gives: the value, or the method."""
    instance, like = odd([name]).instance.table, Box({name: 0})
    got, wanted = getattr(instance, name), getattr(like, name)
    assert callable(got) == callable(wanted)
    assert callable(wanted) or got == wanted == 0


@pytest.mark.parametrize("name", ["class", "a b", "a-b", "1", "1a", "a.b"])
def test_safe_attributes(name: str) -> None:
    """A key that is no attribute's name is reached by the safe form that python-box makes of it."""
    (safe,) = {key for key in dir(Box({name: 0})) if key not in dir(Box())}
    instance = odd([name]).instance.table
    assert getattr(instance, safe) == 0
    setattr(instance, safe, 5)
    assert dict(instance) == {name: 5}
    delattr(instance, safe)
    assert dict(instance) == {}


@pytest.mark.parametrize(("kind", "value"), [("dict", {"b": 1}), ("list", [1]), ("map", {"b": 1}), ("str", "x")])
def test_safe_attributes_come_back(kind: str, value: Any) -> None:
    """A key that is no attribute's name, deleted and assigned again, is reached by its safe form again."""
    elements: Any = {"dict": {"b": {"type": "int"}}, "list": "int", "map": "int", "str": None}[kind]
    response: StructuredResponse[Any] = StructuredResponse("Odd")
    response.add_node("a b", kind, elements=elements).add_node("other", "int")
    instance = response.instance
    instance["other"] = 1
    assert instance.other == 1
    instance["a b"] = value
    assert instance.a_b == value
    del instance["a b"]
    assert not hasattr(instance, "a_b")
    instance["a b"] = value
    assert instance.a_b == value


# Copies


def pickled(protocol: int) -> Callable[[Any], Any]:
    """Takes a Box through pickle."""
    return lambda box: pickle.loads(pickle.dumps(box, protocol))


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    ".copy": lambda box: box.copy(),
    "deepcopy": copy.deepcopy,
    **{f"pickle {protocol}": pickled(protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)},
    "Box": Box,
    "to_dict": lambda box: Box(box.to_dict()),
    "json": lambda box: Box.from_json(box.to_json()),
}


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_copies_are_boxes(make: Callable[[Any], Any]) -> None:
    """A copy of any kind is an equal Box, reached by dots at any depth, and its lists are BoxLists."""
    original = box()
    made = make(original)
    assert isinstance(made, Box)
    assert made is not original
    assert made == original == DATA
    assert made.to_dict() == DATA
    assert made.parts[1].label == "q"
    boxes_all_the_way(made)
    made.name = "changed"
    assert original.name == "kit"


@pytest.mark.parametrize("make", [make for name, make in COPIES.items() if name not in ("copy", ".copy", "Box")])
def test_deep_copies_share_nothing(make: Callable[[Any], Any]) -> None:
    """Changing a deep copy, at any depth, leaves the original alone."""
    original = box()
    made = make(original)
    made.main.label = "changed"
    made.parts[0].label = "changed"
    made.words.append("changed")
    made.shelves.top[0].label = "changed"
    assert original.to_dict() == DATA


LISTS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda held: pickle.loads(pickle.dumps(held)),
    ".copy": lambda held: held.copy(),
}


@pytest.mark.parametrize("make", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("name", ["words", "parts", "grid"])
def test_copies_of_lists(make: Callable[[Any], Any], name: str) -> None:
    """A copy of a list has the same items and is another list."""
    original = box()
    made = make(original[name])
    assert made == original[name] == DATA[name]
    made.append("changed")
    assert original[name] == DATA[name]


class Gaps(BaseModel):
    must: str
    number: int = Field(default_factory=lambda: 7)
    part: Part = Part(label="p")


@pytest.mark.parametrize("make", COPIES.values(), ids=COPIES)
def test_copies_have_the_fields_that_were_left_out(make: Callable[[Any], Any]) -> None:
    """A copy shows the same fields as its original, those with a default that the reply left out included."""
    original = StructuredResponse.from_basemodel(Gaps).parse("<gaps><must>x</must></gaps>").instance
    wanted = {"must": "x", "number": 7, "part": {"label": "p", "points": 0}}
    assert make(original) == original == wanted
    assert list(make(original)) == list(wanted)


# Someone else's Boxes


def test_boxes_of_the_user_do_not_reach_back() -> None:
    """A list that a user puts into a Box of their own, even a frozen one, leaves all instances alone."""
    theirs = Box(frozen_box=True, default_box=True, box_dots=True, words=box().words, main=box().main)
    assert theirs.words[0] == "a"
    instance = box()
    instance.words.append("c")
    instance.parts.append({"label": "x"})
    instance.main.label = "changed"
    instance.words[0] = "z"
    instance.words += ["d"]
    del instance.grid[0]
    assert (instance.words, instance.grid) == (["z", "b", "c", "d"], [[3]])
    with pytest.raises(BoxKeyError):
        instance.parts[-1].nope  # noqa: B018 - the look is the test
    boxes_all_the_way(instance)


def test_lists_under_unknown_keys_do_not_reach_back() -> None:
    """A list of the instance that stands under a new key too leaves other instances as they were."""
    instance = box()
    instance["new"] = instance.words
    instance["newer"] = {"deep": instance.parts}
    other = box()
    other.grid.append([1])
    other.parts.append({"label": "x"})
    assert other.parts[-1].label == "x"
    assert type(other.parts[-1]) is type(other.parts[0])
    boxes_all_the_way(other)


# Assigning what fits


class Typed(BaseModel):
    text: str = ""
    whole: int = 0
    number: float = 0
    yes: bool = False
    color: Color | None = None
    day: date | None = None
    moment: datetime | None = None
    hour: time | None = None
    span: timedelta | None = None
    price: Decimal | None = None
    key: UUID | None = None
    part: Part | None = None
    alias: Aliased | None = None
    parts: list[Part] = []
    colors: list[Color] = []
    days: dict[str, date] = {}
    pair: tuple[int, str] | None = None
    anything: Any = None
    either: Part | int | None = None


FITTING: dict[str, tuple[str, Any, Any]] = {
    "str": ("text", "a <b> & c", "a <b> & c"),
    "int": ("whole", 5, 5),
    "big int": ("whole", 2**70, 2**70),
    "float": ("number", 1.5, 1.5),
    "an int for a float": ("number", 2, 2.0),
    "bool": ("yes", True, True),
    "enum member": ("color", Color.BLUE, "blue"),
    "enum value": ("color", "blue", "blue"),
    "date": ("day", date(2024, 2, 29), "2024-02-29"),
    "date as text": ("day", "2024-02-29", "2024-02-29"),
    "datetime": ("moment", datetime(2024, 2, 29, 1, 2, 3, tzinfo=UTC), "2024-02-29T01:02:03Z"),
    "time": ("hour", time(1, 2, 3), "01:02:03"),
    "timedelta": ("span", timedelta(days=1, hours=2), "P1DT2H"),
    "Decimal": ("price", Decimal("1.50"), "1.50"),
    "UUID": ("key", UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    "dict": ("part", {"label": "x", "points": 1}, {"label": "x", "points": 1}),
    "model": ("part", Part(label="x", points=1), {"label": "x", "points": 1}),
    "model with aliases": ("alias", Aliased(firstName="Ann"), {"first_name": "Ann"}),
    "list of models": ("parts", [Part(label="x", points=1)], [{"label": "x", "points": 1}]),
    "tuple of models": ("parts", (Part(label="x", points=1),), [{"label": "x", "points": 1}]),
    "list of dicts and models": (
        "parts",
        [{"label": "w"}, Part(label="x", points=1)],
        [{"label": "w"}, {"label": "x", "points": 1}],
    ),
    "list of members": ("colors", [Color.RED, "blue"], ["red", "blue"]),
    "dict of dates": (
        "days",
        {"a": date(2024, 1, 1), "b": "2024-01-02"},
        {"a": "2024-01-01", "b": "2024-01-02"},
    ),
    "tuple": ("pair", (1, "x"), [1, "x"]),
    "list for a tuple": ("pair", [1, "x"], [1, "x"]),
    "None": ("color", None, None),
    "anything": ("anything", {"a": [date(2024, 1, 1), Color.RED]}, {"a": ["2024-01-01", "red"]}),
    "model in a union": ("either", Part(label="x", points=1), {"label": "x", "points": 1}),
    "number in a union": ("either", 5, 5),
}


@pytest.mark.parametrize(("name", "value", "wanted"), FITTING.values(), ids=FITTING)
@pytest.mark.parametrize("method", [setattr, lambda box, name, value: box.update({name: value})])
def test_assigning_what_fits(method: Any, name: str, value: Any, wanted: Any) -> None:
    """Dicts, models, members, dates may be assigned; what is written is what JSON calls them."""
    response = StructuredResponse.from_basemodel(Typed(text="t"))
    method(response.instance, name, value)
    assert repr(response.to_dict()[name]) == repr(wanted)
    again = StructuredResponse.deserialize(response.serialize(), model=Typed)
    assert repr(again.to_dict()[name]) == repr(wanted)
    assert again == response
    read = StructuredResponse.from_basemodel(Typed).parse(str(response))
    assert read.to_dict()[name] == wanted
    assert response.to_basemodel() == again.to_basemodel() == read.to_basemodel()
    assert response.to_basemodel() == Typed.model_validate({"text": "t", name: wanted})


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda parts: parts.append(Part(label="x", points=1)), [{"label": "x", "points": 1}]),
        (
            lambda parts: parts.extend([Part(label="x")]),
            [{"label": "x", "points": 0}],
        ),
        (lambda parts: parts.insert(0, Part(label="x", points=1)), [{"label": "x", "points": 1}]),
    ],
)
def test_models_in_lists(change: Callable[[Any], Any], wanted: list[Any]) -> None:
    """Models may be put into lists of the instance like dicts."""
    response = StructuredResponse.from_basemodel(Typed(parts=[]))
    change(response.instance.parts)
    assert response.to_dict()["parts"] == wanted
    assert response.to_basemodel().parts == [Part.model_validate(part) for part in wanted]


def test_filling_an_empty_instance() -> None:
    """A response that has read nothing can be filled by hand, field by field."""
    response = StructuredResponse.from_basemodel(Part)
    response.instance.label = "x"
    assert str(response) == "<part>\n    <label>x</label>\n</part>"
    assert response.to_basemodel() == Part(label="x")
    assert response == StructuredResponse.from_basemodel(Part).parse("<part><label>x</label></part>")


# Assigning what does not fit

Act = Callable[[Any], Any]
MISFITS: dict[str, tuple[Act, str]] = {
    "an int for a text": (lambda box: setattr(box, "name", 5), "$.name"),
    "a list for a text": (lambda box: setattr(box, "name", ["x"]), "$.name"),
    "a dict for a text": (lambda box: setattr(box, "name", {"a": 1}), "$.name"),
    "bytes that are no text": (lambda box: setattr(box, "name", b"\xff"), "$"),
    "half a surrogate pair": (lambda box: setattr(box, "name", "a\ud800"), "$.name"),
    "a word for a number": (lambda box: setattr(box, "size", "many"), "$.size"),
    "a float for an int": (lambda box: setattr(box, "size", 1.5), "$.size"),
    "a bool for an int": (lambda box: setattr(box, "size", True), "$.size"),
    "a bool for a float": (lambda box: setattr(box, "ratio", True), "$.ratio"),
    "a word for a float": (lambda box: setattr(box, "ratio", "wide"), "$.ratio"),
    "an endless int": (lambda box: setattr(box, "size", 10**5000), "$"),
    "no such member": (lambda box: setattr(box, "color", "green"), "$.color"),
    "a member's name": (lambda box: setattr(box, "color", "RED"), "$.color"),
    "a text for an object": (lambda box: setattr(box, "main", "x"), "$.main"),
    "a list for an object": (lambda box: setattr(box, "main", ["x"]), "$.main"),
    "another model": (lambda box: setattr(box, "main", Aliased(firstName="x")), "$.main.first_name"),
    "a text for a list": (lambda box: setattr(box, "words", "abc"), "$.words"),
    "a dict for a list": (lambda box: setattr(box, "words", {"a": 1}), "$.words"),
    "an int in a list": (lambda box: box.words.append(5), "$.words[2]"),
    "an unknown field": (lambda box: setattr(box, "nope", 1), "$.nope"),
    "an unknown field in a list": (lambda box: box.parts[1].update(nope=1), "$.parts[1].nope"),
    "a wrong field in a list": (lambda box: setattr(box.parts[1], "points", "p"), "$.parts[1].points"),
    "a wrong appended dict": (lambda box: box.parts.append({"points": "p"}), "$.parts[2].points"),
    "a wrong value in a map": (lambda box: setattr(box.table, "one", "x"), "$.table.one"),
    "a wrong value in lists": (lambda box: box.grid[1].append("x"), "$.grid[1][1]"),
    "a wrong value deep inside": (
        lambda box: setattr(box.shelves.top[0], "label", 5),
        "$.shelves.top[0].label",
    ),
    "an object of Python": (lambda box: setattr(box, "name", object()), "$"),
    "a function": (lambda box: box.words.append(print), "$"),
    "a wrong update": (lambda box: box.update(size="many"), "$.size"),
    "a wrong merge": (lambda box: box.merge_update(main={"points": "p"}), "$.main.points"),
}
WRITINGS: dict[str, Callable[[StructuredResponse[Any]], Any]] = {
    "to_basemodel": lambda response: response.to_basemodel(),
    "serialize": lambda response: response.serialize(),
    "str": str,
}


@pytest.mark.parametrize(("change", "path"), MISFITS.values(), ids=MISFITS)
@pytest.mark.parametrize("write", WRITINGS.values(), ids=WRITINGS)
def test_assigning_what_does_not_fit(change: Act, path: str, write: Callable[[Any], Any]) -> None:
    """What does not fit is an `InstanceError` with the path as soon as it is written, and never written."""
    response = kit()
    change(response.instance)
    with pytest.raises(InstanceError) as caught:
        write(response)
    assert path == "$" or [problem.path for problem in caught.value.problems] == [path]
    assert path == "$" or f"  {path}: " in str(caught.value)


def test_all_misfits_are_named() -> None:
    """Everything that does not fit is named, not the first alone, and what was found there."""
    response = kit()
    response.instance.name = 5
    response.instance.parts[0].points = "p"
    response.instance.grid[0][1] = "g"
    with pytest.raises(InstanceError) as caught:
        response.serialize()
    found = {problem.path: problem.found for problem in caught.value.problems}
    assert found == {"$.name": "5", "$.parts[0].points": "p", "$.grid[0][1]": "g"}


@pytest.mark.parametrize(("change", "path"), MISFITS.values(), ids=MISFITS)
def test_misfits_can_be_mended(change: Act, path: str) -> None:
    """A misfit is no end: with the right data put back, all is as it was."""
    response = kit()
    change(response.instance)
    response.instance.clear()
    response.instance.update(copy.deepcopy(DATA))
    assert response.to_dict() == DATA
    assert response == kit()
    assert response.to_basemodel() == MODEL


def endless_list() -> list[Any]:
    """A list that holds itself."""
    held: list[Any] = []
    held.append(held)
    return held


def endless_dict() -> dict[str, Any]:
    """A dict that holds itself."""
    held: dict[str, Any] = {}
    held["a"] = held
    return held


@pytest.mark.parametrize("make", [endless_list, endless_dict])
@pytest.mark.parametrize("write", WRITINGS.values(), ids=WRITINGS)
def test_data_that_holds_itself(make: Callable[[], Any], write: Callable[[Any], Any]) -> None:
    """Data without an end is an `InstanceError` when it is assigned or when it is written."""
    response = StructuredResponse.from_basemodel(Typed(text="t"))
    with pytest.raises(InstanceError):
        assign_and_write(response, make(), write)


def assign_and_write(response: StructuredResponse[Any], value: Any, write: Callable[[Any], Any]) -> None:
    """Puts a value where anything may stand, and writes it."""
    response.instance.anything = value
    write(response)


# The model that was validated

VALIDATED: list[Any] = []


class Watched(BaseModel):
    name: str
    size: int = 1
    ratio: float = 0.5
    words: list[str] = []
    parts: list[Part] = []
    anything: Any = None

    def model_post_init(self, context: Any) -> None:
        VALIDATED.append(self)


WATCHED: dict[str, Any] = {"name": "a", "size": 1, "words": ["x", "y"], "parts": [{"label": "p"}], "anything": [1, {}]}


def watched() -> StructuredResponse[Watched]:
    """A response that was just read."""
    asked = StructuredResponse.from_basemodel(Watched)
    return asked.parse(json.dumps(WATCHED))


@pytest.mark.parametrize(
    "look",
    [
        lambda response: response.instance.parts[0].points,
        lambda response: (str(response), response.serialize(), response.to_dict(), response.instance.to_dict()),
        lambda response: setattr(response.instance, "name", "a"),
        lambda response: response.instance.parts[0].update(label="p"),
        lambda response: response.instance.words.append(response.instance.words.pop()),
    ],
)
def test_looking_keeps_the_model(look: Act) -> None:
    """The first `to_basemodel` afterwards costs no validation; each call gives an object of its own."""
    response = watched()
    look(response)
    VALIDATED.clear()
    first = response.to_basemodel()
    assert VALIDATED == []
    second = response.to_basemodel()
    assert (first, [first.parts[0].model_fields_set]) == (second, [{"label"}])
    assert first is not second


STALE: dict[str, tuple[Act, Callable[[Watched], Any], Any]] = {
    "a field": (lambda box: setattr(box, "name", "b"), lambda made: made.name, "b"),
    "its default": (
        lambda box: setattr(box, "ratio", 0.5),
        lambda made: sorted(made.model_fields_set),
        sorted([*WATCHED, "ratio"]),
    ),
    "a number of another type": (lambda box: setattr(box, "ratio", 1), lambda made: made.ratio, 1.0),
    "true for one": (lambda box: box.anything.__setitem__(0, True), lambda made: made.anything, [True, {}]),
    "a float for an int": (lambda box: box.anything.__setitem__(0, 1.0), lambda made: str(made.anything), "[1.0, {}]"),
    "deep inside": (lambda box: setattr(box.parts[0], "points", 7), lambda made: made.parts[0].points, 7),
    "an order": (lambda box: box.words.reverse(), lambda made: made.words, ["y", "x"]),
    "a deleted field": (lambda box: delattr(box, "size"), lambda made: "size" in made.model_fields_set, False),
    "past the Box": (lambda box: list.append(box.words, "z"), lambda made: made.words, ["x", "y", "z"]),
    "past the Box, an item": (lambda box: dict.__setitem__(box, "name", "c"), lambda made: made.name, "c"),
    "not a number": (lambda box: setattr(box, "anything", float("nan")), lambda made: str(made.anything), "nan"),
}


@pytest.mark.parametrize(("change", "look", "wanted"), STALE.values(), ids=STALE)
def test_no_model_is_stale(change: Act, look: Callable[[Watched], Any], wanted: Any) -> None:
    """Whatever is changed, at any depth and in any way, shows in the model."""
    response = watched()
    change(response.instance)
    assert look(response.to_basemodel()) == wanted
    assert look(response.to_basemodel()) == wanted


# Pickle


def test_a_pickled_instance_keeps_its_kind() -> None:
    """Fields named like methods are fields, absent ones are there, and what is assigned is a Box with defaults."""
    for name in ("items", "keys"):
        made = pickle.loads(pickle.dumps(order().invoice))
        assert type(made) is type(order().invoice)
        assert getattr(made, name) == INVOICE[name]
    made.items.append({"label": "c"})
    assert made.items[2].label == "c"
    parts = pickle.loads(pickle.dumps(box().parts))
    parts.append({"label": "new"})
    assert parts[-1].points == 0
    with pytest.raises(BoxKeyError, match="has no field 'lable'; its fields are label, points"):
        parts[0].lable  # noqa: B018 - the look is the test


def test_an_instance_of_a_local_model_can_be_pickled() -> None:
    """Whatever makes its defaults."""

    class Local(BaseModel):
        made: list[int] = Field(default_factory=lambda: [1])
        below: list["Local"] = []

    instance = StructuredResponse.from_basemodel(Local(below=[Local()])).instance
    assert pickle.loads(pickle.dumps(instance)) == pickle.loads(pickle.dumps(instance.below[0])).__class__(
        {"made": [1], "below": [{"made": [1], "below": []}]}
    )


# Any data

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(-1e9, 1e9) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_any_data_is_a_box(data: dict[str, Any]) -> None:
    """Data of any shape reads, copies and goes back to plain data as in python-box's own Box."""
    response = StructuredResponse.from_basemodel(Typed(anything=data))
    held, like = response.instance.anything, Box(data)
    boxes_all_the_way(held)
    assert held == like
    assert held.to_dict() == like.to_dict() == data
    assert list(held) == list(data)
    assert copy.deepcopy(held) == pickle.loads(pickle.dumps(held)) == held.copy() == data
    assert json.loads(json.dumps(held)) == data


# Fields that are named like methods


@dataclass
class Line:
    label: str
    keys: list[int] = field(default_factory=list)


class Invoice(BaseModel):
    number: str
    items: list[Line]
    keys: list[str] = []
    values: dict[str, float] = {}
    pop: Line | None = None


class Order(BaseModel):
    invoice: Invoice
    items: list[int] = []


@dataclass
class Page:
    title: str
    copy: str
    get: int | None = None
    update: bool = False
    to_dict: str = "t"


INVOICE: dict[str, Any] = {
    "number": "7",
    "items": [{"label": "a", "keys": [1]}, {"label": "b", "keys": []}],
    "keys": ["k", "l"],
    "values": {"items": 1.5, "keys": 2.0},
    "pop": {"label": "p", "keys": [2]},
}
ORDER: dict[str, Any] = {"invoice": INVOICE, "items": [7]}
PAGE: dict[str, Any] = {"title": "Hi", "copy": "text", "get": 5, "update": True, "to_dict": "d"}
MADE = Order.model_validate(ORDER)


def order() -> Any:
    """An instance at whose every level fields are named like methods."""
    return StructuredResponse.from_basemodel(MADE).instance


@pytest.mark.parametrize("name", INVOICE)
def test_fields_named_like_methods(name: str) -> None:
    """A field is reached by dots, read and assigned and deleted, whatever its name."""
    response = StructuredResponse.from_basemodel(Invoice.model_validate(INVOICE))
    assert getattr(response.instance, name) == INVOICE[name]
    assert getattr(response.instance, name) is response.instance[name]
    setattr(response.instance, name, INVOICE[name])
    assert response.to_basemodel() == Invoice.model_validate(INVOICE)
    delattr(response.instance, name)
    assert name not in response.instance
    assert dict(response.instance) == {key: value for key, value in INVOICE.items() if key != name}


def test_fields_named_like_methods_are_read_by_dots() -> None:
    """A name that is read is the field, at any depth; a list is changed in its place."""
    instance = order()
    assert instance.items == [7]
    assert [line.label for line in instance.invoice.items] == ["a", "b"]
    instance.invoice.items.append({"label": "c"})
    instance.invoice.items[0].keys += [9]
    instance.invoice.pop.label = "q"
    assert instance["invoice"]["items"][2]["label"] == "c"
    assert instance["invoice"]["items"][0]["keys"] == [1, 9]
    assert instance["invoice"]["pop"]["label"] == "q"
    assert f"{[instance.invoice][0].items}" == str(instance["invoice"]["items"])


def test_fields_named_like_methods_leave_the_methods() -> None:
    """A name that is called is the method."""
    invoice = order().invoice
    keys, items, values = list(invoice.keys()), list(invoice.items()), list(invoice.values())
    assert (keys, items, values) == (list(INVOICE), list(INVOICE.items()), list(INVOICE.values()))
    assert (invoice.get("nope", 5), invoice.to_dict()) == (5, INVOICE)
    assert invoice.pop("number") == "7"


@pytest.mark.parametrize("name", PAGE)
def test_texts_and_numbers_named_like_methods(name: str) -> None:
    """The name is the field too. It cannot be called, so the method is out of reach."""
    instance = StructuredResponse.from_type(Page).from_dict(PAGE).instance
    assert getattr(instance, name) == PAGE[name]
    setattr(instance, name, None)
    assert instance[name] is getattr(instance, name) is None


@pytest.mark.parametrize("look", [dict, copy.copy, copy.deepcopy, lambda box: {**box}, lambda box: plain_dict(**box)])
def test_texts_and_numbers_named_like_methods_leave_the_dict(look: Callable[[Any], Any]) -> None:
    """So do `json`, pickle, pprint and `repr`."""
    instance = StructuredResponse.from_type(Page).from_dict(PAGE).instance
    assert look(instance) == json.loads(json.dumps(instance)) == pickle.loads(pickle.dumps(instance)) == PAGE
    assert eval(pprint.pformat(instance), {type(instance).__name__: dict}) == PAGE


def plain_dict(**held: Any) -> dict[str, Any]:
    """The keywords that it is called with."""
    return held


AS_DICTS: dict[str, Callable[[Any], Any]] = {
    **{name: look for name, look in COPIES.items() if name != "Box"},
    "dict": dict,
    "unpacked": lambda box: {**box},
    "keywords": lambda box: plain_dict(**box),
    "items": lambda box: {name: box[name] for name in box},
    "json": lambda box: json.loads(json.dumps(box)),
    "json, indented": lambda box: json.loads(json.dumps(box, indent=1, sort_keys=True)),
    "orjson": lambda box: orjson.loads(orjson.dumps(box)),
    "pprint": lambda box: eval(pprint.pformat(box), {type(box).__name__: dict}),
    "repr": lambda box: eval(repr(box), {type(box).__name__: dict}),
    "or": lambda box: box | {},
    "or, reversed": lambda box: {} | box,
    "add": lambda box: box + {},
    "subtract": lambda box: box - {},
    "merge": lambda box: (box.merge_update({}), box)[1],
    "to_json": lambda box: json.loads(box.to_json()),
    "reversed": lambda box: {name: box[name] for name in reversed(list(reversed(box)))},
    "pydantic, a dict": lambda box: TypeAdapter(dict[str, Any]).validate_python(box),
}


@pytest.mark.parametrize("look", AS_DICTS.values(), ids=AS_DICTS)
def test_fields_named_like_methods_leave_the_dict(look: Callable[[Any], Any]) -> None:
    """Whatever takes a dict takes an instance with such fields, also one that holds no list under the name."""
    assert look(order()) == order() == ORDER
    assert look(order().invoice) == order().invoice == INVOICE
    assert look(order().invoice.items[0]) == INVOICE["items"][0]


def test_fields_named_like_methods_reach_the_model() -> None:
    """A response with such fields is written, read again and validated, and its instance by itself too."""
    response = StructuredResponse.from_basemodel(Order).parse(str(StructuredResponse.from_basemodel(MADE)))
    response.instance.invoice.items[0].label = "c"
    wanted = MADE.model_copy(deep=True)
    wanted.invoice.items[0].label = "c"
    assert response.to_basemodel() == Order.model_validate(response.instance) == wanted
    assert response.to_dict() == wanted.model_dump()
    assert response == pickle.loads(pickle.dumps(response)) == StructuredResponse.from_basemodel(wanted)
    assert pickle.loads(pickle.dumps(response)).instance.invoice.items[0].label == "c"


def test_fields_named_like_methods_in_boxes_of_the_user() -> None:
    """An instance with such fields can be put into a Box of the user's."""
    theirs = Box()
    theirs.invoice = order().invoice
    theirs["again"] = order().invoice
    assert theirs == {"invoice": INVOICE, "again": INVOICE}
    assert isinstance(order().invoice, Box)
    assert {"items", "number", "merge_update"} <= {*dir(order().invoice)}


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda box: box.copy(), lambda box: box | {}])
def test_copies_keep_fields_named_like_methods(make: Callable[[Any], Any]) -> None:
    """In a copy too the name is the field, and changing it leaves the original alone."""
    original = order()
    made = make(original)
    made.invoice.items[0].label = "changed"
    assert made.invoice["items"][0]["label"] == "changed"
    assert original.invoice.items[0].label == "a"


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, lambda box: box.copy()])
def test_copies_lack_what_was_deleted(make: Callable[[Any], Any]) -> None:
    """A field that was deleted, at any depth, is not in a copy either."""
    original = box()
    del original.main.points
    del original.parts[0].points
    assert make(original) == original
    assert "points" not in make(original).main


def test_fields_named_like_methods_can_be_matched() -> None:
    """A `match` takes an instance apart."""
    match order().invoice:
        case {"number": number, "items": [*lines]}:
            assert (number, len(lines)) == ("7", 2)
        case _:
            pytest.fail("no match")


def test_keys_of_maps_are_no_fields() -> None:
    """What a reply calls a key of a map takes no method away."""
    assert callable(order().invoice.values.items)
    assert order().invoice.values["items"] == 1.5


# What an error says about a field that is not there


def without_label() -> Any:
    """An object from which a field was deleted."""
    part = box().main
    del part.label
    return part


GONE: dict[str, tuple[Callable[[], Any], str]] = {
    "nothing read": (
        lambda: StructuredResponse.from_basemodel(Part).instance.label,
        "nothing has been read into this Part yet: from_prompt fills it, parse returns another response",
    ),
    "no such field": (lambda: box().main.lable, "Part has no field 'lable'; its fields are label, points"),
    "deleted": (lambda: without_label().label, "'label' is not set in this Part: assign it"),
    "no such key": (lambda: box().table.nope, "nope"),
}


@pytest.mark.parametrize(("look", "message"), GONE.values(), ids=GONE)
def test_what_is_not_there_says_what_to_do(look: Callable[[], Any], message: str) -> None:
    """A field that is not there is an error that says why and what to do."""
    with pytest.raises(BoxKeyError, match=message):
        look()
