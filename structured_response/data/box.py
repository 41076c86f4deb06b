"""The instance that users see: a `box.Box` that knows its definition. The only module that imports python-box.

python-box converts a tree in some 60 microseconds per kilobyte, mostly for a configuration that every Box carries. Here
a Box is made in one walk, and its configuration on first use.
"""

from __future__ import annotations

from itertools import repeat
from typing import Any

from box import Box, BoxList

from ..definition import MISSING, SCALARS, Field, Node, match_union_option, to_jsonable
from ..errors import InstanceError

__all__ = ["InstanceBox", "InstanceList", "filled", "from_box", "to_box"]


class InstanceBox(Box):
    """A Box whose fields come from a definition.

    Every field of the definition is present. Those in `_absent` were not given: they hold their default, and are
    omitted from output until they are assigned or changed.
    """

    _node: Node | None = None
    _absent: frozenset[str] = frozenset()

    @property
    def _box_config(self) -> dict[str, Any]:
        own = self.__dict__
        if "_config" not in own:
            own["_config"] = {**_CONFIG, "__safe_keys": {}}
            own["_config"]["__safe_keys"].update((self._safe_attr(key), key) for key in dict.keys(self))
        config: dict[str, Any] = own["_config"]
        return config

    @_box_config.setter
    def _box_config(self, config: dict[str, Any]) -> None:
        self.__dict__["_config"] = config

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self._absent:
            self.__dict__["_absent"] = self._absent - {key}
        node = self._node_of(key)
        super().__setitem__(key, None)  # type: ignore[no-untyped-call]
        dict.__setitem__(self, key, _assigned(node, value))

    def _node_of(self, key: str) -> Node | None:
        if self._node is None:
            return None
        return self._node.fields[key].node if key in self._node.fields else self._node.item

    def update(self, *args: Any, **kwargs: Any) -> None:
        if len(args) > 1:
            super().update(*args)  # raises the error of a Box
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __reduce_ex__(self, protocol: Any) -> Any:
        return Box, (from_box(self, whole=True),)


class InstanceList(BoxList):
    """A BoxList whose items come from a definition."""

    _node: Node | None = None
    box_org_ref = None

    @property
    def box_options(self) -> dict[str, Any]:
        options: dict[str, Any] = self.__dict__.setdefault("_options", {"box_class": InstanceBox})
        return options

    @box_options.setter
    def box_options(self, options: dict[str, Any]) -> None:
        self.__dict__["_options"] = options

    def _convert(self, value: Any) -> Any:
        if self._node is None:
            return super()._convert(value)  # type: ignore[misc]
        return _assigned(self._node, value)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return BoxList, (from_box(self, whole=True),)


def _assigned(node: Node | None, value: Any) -> Any:
    """Returns a value that a program puts into an instance. Lists and dicts are copied, as in python-box."""
    if not isinstance(value, (dict, list)):
        return value
    try:
        return to_box(node, from_box(value))
    except RecursionError as error:
        raise InstanceError("an instance cannot hold data that is nested without end") from error


_CONFIG: dict[str, Any] = {**Box(box_class=InstanceBox)._box_config, "__created": True}


_LEAVES = frozenset(SCALARS) - {"any"}
"""Kinds whose values hold no other values."""


def to_box(node: Node | None, data: Any, fill: bool = True) -> Any:
    """Returns data as Boxes, with the defaults of missing fields (unless `fill` is false). Scalars are unchanged."""
    if not isinstance(data, (dict, list)):
        return data
    if node is not None and node.kind == "union":
        node = node.options().get(match_union_option(node, data) or "")
    return _to_dict(node, data, fill) if isinstance(data, dict) else _to_list(node, data)


def _to_dict(node: Node | None, data: dict[str, Any], fill: bool = True) -> InstanceBox:
    made: InstanceBox = dict.__new__(InstanceBox)
    dict.update(made, data)
    made.__dict__["_node"] = node
    if node is None:
        fields: dict[str, Field] = {}
        item = None
    else:
        fields, item = node.fields, node.item
        if fill and len(data) < len(fields):
            _fill(made, fields)
    for name, value in dict.items(made):
        if isinstance(value, (dict, list)):
            field = fields.get(name)
            dict.__setitem__(made, name, to_box(item if field is None else field.node, value))
    return made


def _fill(made: InstanceBox, fields: dict[str, Field]) -> None:
    """Adds the missing fields, in the definition's order, and marks them as absent."""
    given = dict(made)
    dict.clear(made)
    absent = frozenset(fields.keys() - given.keys())
    for name, field in fields.items():
        dict.__setitem__(made, name, _default(field) if name in absent else given.pop(name))
    dict.update(made, given)
    made.__dict__["_absent"] = absent


def _to_list(node: Node | None, data: list[Any]) -> InstanceList:
    made: InstanceList = list.__new__(InstanceList)
    made.__dict__["_node"] = item = None if node is None else node.item
    if item is not None and item.kind in _LEAVES:
        list.extend(made, data)
    else:
        nodes = node.parts if node is not None and node.kind == "tuple" else repeat(item)
        list.extend(made, map(to_box, nodes, data))
    return made


def _default(field: Field) -> Any:
    """Returns the value of a field that was not given: None if JSON cannot hold its default."""
    if field.factory is None:
        return None if field.default is MISSING else field.default
    made = field.factory()
    try:
        return to_jsonable(made)
    except ValueError:
        return None


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
    if not isinstance(held, (dict, list)) or box._node is None:
        return True
    default = to_box(None, _default(box._node.fields[name]))
    return bool(from_box(held, whole=True) == from_box(default, whole=True))


def filled(node: Node, data: Any) -> Any:
    """Returns plain data with the defaults of missing fields."""
    return from_box(to_box(node, data), whole=True)
