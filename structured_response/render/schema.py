"""The schema of a definition: the type, the description and the necessity of each field."""

from __future__ import annotations

import json
from typing import Any

from ..definition import CONSTRAINTS, Field, Node, Plan, children, free_name, per_plan, shape_key
from .wording import type_in_words

__all__ = ["schema_of", "schema_text"]


@per_plan
def schema_of(plan: Plan) -> dict[str, Any]:
    """Returns the schema as a dict. Shared, so it must not be changed."""
    writer = _Writer()
    if plan.root.kind == "dict":
        return writer.fields(plan.root)
    return writer.value(plan.root, True)


@per_plan
def schema_text(plan: Plan) -> str:
    """Returns the schema as JSON."""
    return json.dumps(schema_of(plan), indent=4, ensure_ascii=False)


class _Writer:
    """Writes one schema. The fields of an object are written once; after that, its class's name replaces them."""

    def __init__(self) -> None:
        self.written: set[int] = set()

    def fields(self, node: Node) -> dict[str, Any]:
        self.written.add(shape_key(node))
        return {name: self.field(field) for name, field in node.fields.items()}

    def field(self, field: Field) -> dict[str, Any]:
        return self.value(field.node, field.required)

    def value(self, node: Node, required: bool) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": type_in_words(node), "desc": node.description or "", "required": required}
        schema |= {name: node.constraints[name] for name in CONSTRAINTS if name in node.constraints}
        objects = _objects(node)
        new = [inner for inner in objects if shape_key(inner) not in self.written or not inner.name]
        if len(objects) == 1 and new:
            schema["fields"] = self.fields(new[0])
        elif new:
            schema["fields"] = self.by_class(new)
        return schema

    def by_class(self, objects: list[Node]) -> dict[str, Any]:
        named: dict[str, Node] = {}
        for inner in objects:
            named[free_name(type_in_words(inner), set(named))] = inner
        return {name: self.fields(inner) for name, inner in named.items()}


def _objects(node: Node) -> list[Node]:
    """Returns the objects of a value: itself, or those in its lists, maps, tuples and unions, each class once."""
    found: dict[int, Node] = {}
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        held = waiting.pop(0)
        if held.kind == "dict":
            found.setdefault(shape_key(held), held)
        elif id(held) not in seen:
            seen.add(id(held))
            waiting += [child for _step, child in children(held)]
    return list(found.values())
