"""Which values of a graph cannot be written in place: those that hold themselves, and those held too often."""

from __future__ import annotations

from collections.abc import Iterable

from ..limits import MAX_DEFINITION
from .node import Node, children, walk

__all__ = ["shape_key", "shared_shapes"]

Key = int


def shape_key(node: Node) -> Key:
    """What variants of one shape, which differ in description or nullability, have in common."""
    return id(node.fields) if node.kind == "dict" else id(node)


def shared_shapes(root: Node) -> dict[Key, str]:
    """The shapes that become references, and their names: on a cycle, or all of them where writing each in its
    place would pass MAX_DEFINITION nodes. Linear in the graph."""
    nodes = {shape_key(node): node for node in walk(root)}
    edges = {key: [shape_key(child) for _step, child in children(node)] for key, node in nodes.items()}
    named = {key for key, node in nodes.items() if node.kind == "dict" or node.shape is not None}
    shared = {key for cycle in _cycles(edges) for key in cycle if key in named}
    if _written(shape_key(root), edges, shared) > MAX_DEFINITION:
        shared = {key for key in named if nodes[key].kind == "dict" and key != shape_key(root)} | shared
    return _names(nodes[key] for key in nodes if key in shared)


def _names(nodes: Iterable[Node]) -> dict[Key, str]:
    names: dict[Key, str] = {}
    taken: set[str] = set()
    for node in nodes:
        name = base = node.name or node.shape or "Shape"
        number = 1
        while name in taken:
            number += 1
            name = f"{base}{number}"
        taken.add(name)
        names[shape_key(node)] = name
    return names


def _cycles(edges: dict[Key, list[Key]]) -> list[list[Key]]:
    """The strongly connected components that hold a cycle (Tarjan's algorithm, with a stack of its own)."""
    order: dict[Key, int] = {}
    low: dict[Key, int] = {}
    depth: dict[Key, int] = {}
    path: list[Key] = []
    on_path: set[Key] = set()
    found: list[list[Key]] = []
    for start in edges:
        work = [(start, iter(edges[start]))] if start not in order else []
        while work:
            key, rest = work[-1]
            if key not in order:
                order[key] = low[key] = len(order)
                depth[key] = len(path)
                path.append(key)
                on_path.add(key)
            following = next((other for other in rest if other not in order or other in on_path), None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[key])
                if low[key] == order[key]:
                    component = path[depth[key] :]
                    del path[-len(component) :]
                    on_path.difference_update(component)
                    if len(component) > 1 or key in edges[key]:
                        found.append(component)
            elif following in order:
                low[key] = min(low[key], order[following])
            else:
                work.append((following, iter(edges[following])))
    return found


def _written(root: Key, edges: dict[Key, list[Key]], shared: set[Key]) -> int:
    """How many nodes a definition has with every shape in its place but the shared ones."""
    counts: dict[Key, int] = {}
    work = [root, *shared]
    while work:
        key = work[-1]
        waiting = [child for child in edges[key] if child not in counts and child not in shared]
        if key in counts:
            work.pop()
        elif waiting:
            work += waiting
        else:
            counts[key] = 1 + sum(1 if child in shared else counts[child] for child in edges[key])
            work.pop()
    return counts[root] + sum(counts[key] for key in shared if key != root)
