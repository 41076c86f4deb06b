"""Finds the shapes that cannot be written in place: recursive ones, and those used too often."""

from __future__ import annotations

from collections.abc import Iterable

from .node import Node, children, walk

__all__ = ["free_name", "shape_key", "shared_shapes"]

MAX_COPIES = 5
"""Times that a definition or a prompt writes out a model's shape. Past that, places refer to the shape by name."""

Key = int


def shape_key(node: Node) -> Key:
    """Returns the key that variants of one shape share, which differ in description or nullability."""
    return id(node.fields) if node.kind == "dict" else id(node)


def shared_shapes(root: Node) -> dict[Key, str]:
    """Returns the shapes that become references, with their names: those on a cycle, and those that would otherwise be
    written out more than MAX_COPIES times. Linear in the graph.
    """
    nodes = {shape_key(node): node for node in walk(root)}
    edges = {key: [shape_key(child) for _step, child in children(node)] for key, node in nodes.items()}
    named = {key for key, node in nodes.items() if node.kind == "dict" or node.shape is not None}
    components = _components(edges)
    shared = {key for component in components if _is_cycle(component, edges) for key in component if key in named}
    most = 1 if shared else MAX_COPIES  # if there are references anyway, one more is easier to read than a copy
    shared |= _too_often(shape_key(root), components, edges, nodes, shared, most)
    return _names(nodes[key] for key in nodes if key in shared)


def _is_cycle(component: list[Key], edges: dict[Key, list[Key]]) -> bool:
    return len(component) > 1 or component[0] in edges[component[0]]


def _too_often(
    root: Key,
    components: list[list[Key]],
    edges: dict[Key, list[Key]],
    nodes: dict[Key, Node],
    shared: set[Key],
    most: int,
) -> set[Key]:
    """Returns the objects that would be written out too often, counted from the root down. A shared one is written
    once.
    """
    copies = dict.fromkeys(nodes, 0)
    copies[root] = 1
    found: set[Key] = set()
    for component in reversed(components):  # an object precedes its content
        for key in component:
            if copies[key] > most and nodes[key].kind == "dict" and (nodes[key].fields or nodes[key].description):
                found.add(key)
            written = 1 if key in shared or key in found else copies[key]
            for child in edges[key]:
                copies[child] += written
    return found


def _names(nodes: Iterable[Node]) -> dict[Key, str]:
    names: dict[Key, str] = {}
    for node in nodes:
        names[shape_key(node)] = free_name(node.name or node.shape or "Shape", set(names.values()))
    return names


def free_name(name: str, taken: set[str]) -> str:
    """Returns the name, or the name with the first number from 2 on that is not taken."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}{number}"
    return free


def _components(edges: dict[Key, list[Key]]) -> list[list[Key]]:
    """Returns the strongly connected components, each behind those it leads to (Tarjan's algorithm, with its own
    stack).
    """
    order: dict[Key, int] = {}
    low: dict[Key, int] = {}
    depth: dict[Key, int] = {}
    path: list[Key] = []
    on_path: set[Key] = set()
    found: list[list[Key]] = []
    for start, following_start in edges.items():
        work = [(start, iter(following_start))] if start not in order else []
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
                    found.append(component)
            elif following in order:
                low[key] = min(low[key], order[following])
            else:
                work.append((following, iter(edges[following])))
    return found
