"""Reads the data of a whole tree, with the table of readers for each kind of node."""

from __future__ import annotations

from .account import Account
from .build import Tree
from .containers import of_dict, of_list, of_map
from .data import Read, Reader
from .grammar import Grammar
from .leaves import scalar
from .record import record
from .unions import of_any, of_union

READERS: dict[str, Read] = {
    "scalar": scalar,
    "dict": of_dict,
    "list": of_list,
    "tuple": of_list,
    "map": of_map,
    "union": of_union,
    "any": of_any,
}


def read_tree(grammar: Grammar, tree: Tree, account: Account) -> Account:
    """Reads the data of a tree into an account. Raises `LimitReachedError` if the data is too deep."""
    assert tree.root is not None
    reader = Reader(grammar, tree, account, READERS)
    account.tree = reader.value(tree.root, grammar.plan.root, ())
    record(reader)
    return account
