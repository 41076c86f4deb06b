"""The instance: a `box.Box` that knows its definition, and whose configuration, which costs most, is made on first use.

No other module imports python-box.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from itertools import repeat
from typing import Any

from box import Box, BoxKeyError, BoxList

from ..definition import Node, default_of, match_union_option
from ..definition.document import graph_from_document, to_document
from ..errors import InstanceError


def _reduce(value: Any, protocol: Any) -> Any:
    """Pickles a Box or a list with its definition, since a node may hold functions that cannot be pickled."""
    node: Node = value._node
    asked = None if node is _ANY else (node.name or "", to_document(node))
    return _restored, (asked, from_box(value, whole=True))


def _restored(asked: tuple[str, Any] | None, data: Any) -> Any:
    return to_box(None if asked is None else graph_from_document(*asked), data, fill=False)


_ANY = Node("any")


class InstanceBox(Box):
    """A Box with every field of a definition. Those in `_absent` hold their default; output omits them as they are."""

    _node: Node = _ANY
    _absent: frozenset[str] = frozenset()

    @cached_property
    def _box_config(self) -> dict[str, Any]:
        config = self.__dict__["_box_config"] = {**_CONFIG, "__safe_keys": {}}
        config["__safe_keys"].update((self._safe_attr(key), key) for key in dict.keys(self))  # it needs the rest
        return config

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self._absent:
            self.__dict__["_absent"] = self._absent - {key}
        if not dict.__contains__(self, key):
            super().__setitem__(key, None)  # type: ignore[no-untyped-call]
        field = self._node.fields.get(key)
        dict.__setitem__(self, key, _assigned(self._node.item if field is None else field.node, value))

    def __getattr__(self, name: str) -> Any:
        try:
            return dict.__getitem__(self, name)
        except KeyError:
            pass
        if name not in self._node.fields:
            try:
                return super().__getattr__(name)  # type: ignore[no-untyped-call]
            except BoxKeyError:
                if not self._node.fields:
                    raise
        raise BoxKeyError(_missing(self._node, name, self)) from None

    def update(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:
            super().update(*args)  # raises the error of a Box
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def copy(self) -> InstanceBox:
        made: InstanceBox = to_box(self._node, from_box(self, whole=True), fill=False)
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> InstanceBox:
        made: InstanceBox = to_box(self._node, copy.deepcopy(from_box(self, whole=True), memo), fill=False)
        return made

    __reduce_ex__ = _reduce


_METHODS = frozenset(name for name in dir(Box) if not name.startswith("_"))


class FieldBox(InstanceBox):
    """A Box with fields named like methods. A list or an object in them acts as the method if it is called."""

    def __getattribute__(self, name: str) -> Any:
        is_field = name in _METHODS and name in object.__getattribute__(self, "_node").fields
        if not is_field or not dict.__contains__(self, name):
            return super().__getattribute__(name)
        value = dict.__getitem__(self, name)
        if isinstance(value, (InstanceBox, InstanceList)):
            object.__setattr__(value, "__class__", _as_method(type(value)))
            value.__dict__["_method"] = super().__getattribute__(name)
        return value

    @property
    def _protected_keys(self) -> list[str]:
        """The names that cannot be assigned or deleted as attributes, without those of fields."""
        return [name for name in Box._protected_keys if name not in self._node.fields]  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({from_box(self, whole=True)})"

    # With a dict's own iteration, C reads keys and values without calling a method.
    __iter__ = dict.__iter__  # type: ignore[assignment]
    __reversed__ = dict.__reversed__  # type: ignore[assignment]


@cache
def _as_method(kind: type[Any]) -> type[Any]:
    """Returns the class of a value that can be called as a method of the Box that holds it."""
    if "__call__" in dir(kind):
        return kind
    call = {"__call__": lambda self, *args, **kwargs: self.__dict__["_method"](*args, **kwargs)}
    return type(kind.__name__, (kind,), call)


def _missing(node: Node, name: str, held: dict[str, Any]) -> str:
    called = node.name or "object"
    if name not in node.fields:
        return f"{called} has no field {name!r}; its fields are {', '.join(node.fields)}"
    if held:
        return f"{name!r} is not set in this {called}: assign it"
    return f"nothing has been read into this {called} yet: from_prompt fills it, parse returns another response"


class InstanceList(BoxList):
    """A BoxList whose items come from a definition."""

    _node: Node = _ANY

    @cached_property
    def box_options(self) -> dict[str, Any]:
        return {"box_class": InstanceBox}

    def _convert(self, value: Any) -> Any:
        return _assigned(self._node.item, value)

    __reduce_ex__ = _reduce


def _assigned(node: Node | None, value: Any) -> Any:
    """Returns a value that a program puts into an instance. Lists and dicts are copied, as in python-box."""
    if not isinstance(value, (dict, list)):
        return value
    try:
        return to_box(node, from_box(value))
    except RecursionError as error:
        raise InstanceError("an instance cannot hold data that is nested without end") from error


_CONFIG: dict[str, Any] = Box(box_class=InstanceBox)._box_config


def to_box(node: Node | None, data: Any, fill: bool = True) -> Any:
    """Returns data as Boxes, with the defaults of missing fields (unless `fill` is false). Scalars are unchanged."""
    if not isinstance(data, (dict, list)):
        return data
    node = node or _ANY
    if node.kind == "union":
        node = node.options().get(match_union_option(node, data) or "", _ANY)
    if isinstance(data, list):
        listed: InstanceList = list.__new__(InstanceList)
        listed.__dict__["_node"] = node
        list.extend(listed, map(to_box, node.parts if node.kind == "tuple" else repeat(node.item), data, repeat(fill)))
        return listed
    fields = node.fields
    made: InstanceBox = dict.__new__(InstanceBox if _METHODS.isdisjoint(fields) else FieldBox)
    made.__dict__["_node"] = node
    if fill and not fields.keys() <= data.keys():  # all fields in the definition's order, then the others
        made.__dict__["_absent"] = frozenset(fields.keys() - data.keys())
        dict.update(made, {name: data[name] if name in data else default_of(field) for name, field in fields.items()})
    dict.update(made, data)
    for name, value in dict.items(made):
        if isinstance(value, (dict, list)):
            field = fields.get(name)
            dict.__setitem__(made, name, to_box(node.item if field is None else field.node, value, fill))
    return made


def shells(node: Node, fields: Iterable[str] = ()) -> dict[type, Callable[[Any], Any]]:
    """Returns what puts values that are Boxes already into a Box with all `fields`, and into a list.

    Their classes hold the node: an attribute of each Box would take longer than the rest.
    """
    boxes = InstanceBox if _METHODS.isdisjoint(node.fields) else FieldBox
    box_class, list_class = (type(kind.__name__, (kind,), {"_node": node}) for kind in (boxes, InstanceList))
    blank = dict.fromkeys(fields)

    def box(values: dict[str, Any]) -> Any:
        made: Any = dict.__new__(box_class)
        dict.update(made, blank)  # its keys are copied as they are
        dict.update(made, values)
        return made

    def listed(values: list[Any]) -> Any:
        made: Any = list.__new__(list_class)
        list.extend(made, values)
        return made

    return {dict: box, list: listed}


def from_box(value: Any, whole: bool = False) -> Any:
    """Returns plain data without the absent fields, unless it should be `whole`."""
    if isinstance(value, dict):
        absent: set[str] = set()
        if isinstance(value, InstanceBox) and not whole:
            absent = {name for name in value._absent if _is_untouched(value, name)}
        return {name: from_box(held, whole) for name, held in dict.items(value) if name not in absent}
    if isinstance(value, (list, tuple)):
        return [from_box(held, whole) for held in value]
    return value


def _is_untouched(box: InstanceBox, name: str) -> bool:
    """Returns whether an absent field still holds its default. A list may have been changed in place."""
    held = dict.get(box, name)
    if not isinstance(held, (dict, list)):
        return True
    return bool(from_box(held, whole=True) == from_box(default_of(box._node.fields[name])))
