"""Trees of texts in their strict forms -> typed data, for values that nobody else could type later."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time
from decimal import Decimal

from ...definition import Node

__all__ = ["typed_key", "typed_tree"]


def typed_key(node: Node, key: str) -> object:
    """A key as what it means, so that `1` and `1.0` are the same one to a map of floats."""
    try:
        return _KEYS.get(node.kind, str)(key)
    except (ValueError, ArithmeticError):
        return key


_KEYS: dict[str, Callable[[str], object]] = {
    "int": int,
    "float": float,
    "decimal": Decimal,
    "uuid": str.lower,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
}


def typed_tree(node: Node, tree: object) -> object:
    """A tree of texts with its numbers and booleans typed. Everything in it is in its strict form."""
    if tree is None:
        return None
    return _TYPED.get(node.kind, _as_it_is)(node, tree)


def _as_it_is(node: Node, tree: object) -> object:
    return tree


def _typed_fields(node: Node, tree: dict[str, object]) -> object:
    """Fields in the definition's order, as validators give them, and extras behind them."""
    typed = {name: typed_tree(field.node, tree[name]) for name, field in node.fields.items() if name in tree}
    return {**typed, **{name: value for name, value in tree.items() if name not in typed}}


_TYPED: dict[str, Callable[..., object]] = {
    "int": lambda node, tree: int(tree),
    "float": lambda node, tree: float(tree),
    "bool": lambda node, tree: tree == "true",
    "list": lambda node, tree: [typed_tree(node.item, value) for value in tree],
    "tuple": lambda node, tree: list(map(typed_tree, node.parts, tree)),
    "map": lambda node, tree: {key: typed_tree(node.item, value) for key, value in tree.items()},
    "dict": _typed_fields,
}
