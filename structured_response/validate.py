"""Checking data: core schemas compiled from a definition, the model's own validation, and errors with their paths.

Three validators are compiled from a definition. `typed` turns a tree of texts into typed data and checks no
more than types: it comes before the model. `checked` checks constraints and required fields too, where no
model does. `stored` accepts only what an instance can hold, and types back what JSON had to hold as text.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal

from pydantic_core import CoreSchema, SchemaValidator, ValidationError, core_schema, to_json

from .definition import TEXTUAL, Node, Path, Plan, per_plan, shared_shapes, show_path
from .findings import Problem, ProblemKind

__all__ = ["checked", "node_at", "problems_of", "stored", "typed"]

Mode = Literal["typed", "checked", "stored"]


@per_plan
def typed(plan: Plan) -> SchemaValidator:
    """The validator of types alone; required fields may be missing, and anything may be None."""
    return SchemaValidator(_Compiler(plan.root, "typed").schema())


@per_plan
def checked(plan: Plan) -> SchemaValidator:
    """The validator of types, constraints and required fields, for data that no model judges."""
    return SchemaValidator(_Compiler(plan.root, "checked").schema())


@per_plan
def stored(plan: Plan) -> SchemaValidator:
    """The validator of instances as JSON holds them, without any leniency."""
    return SchemaValidator(_Compiler(plan.root, "stored").schema())


class _Compiler:
    """Compiles one core schema; shapes that repeat become definitions in it."""

    def __init__(self, root: Node, mode: Mode) -> None:
        self.root = root
        self.mode = mode
        self.shared = shared_shapes(root)
        self.shapes: dict[str, CoreSchema] = {}

    def schema(self) -> CoreSchema:
        schema = self.nullable(self.root)
        return core_schema.definitions_schema(schema, list(self.shapes.values())) if self.shapes else schema

    def nullable(self, node: Node) -> CoreSchema:
        schema = _SCHEMAS[node.kind](self, node)
        if self.mode == "checked" and node.nullable is False:
            return schema
        return core_schema.nullable_schema(schema)

    def constraints(self, node: Node) -> dict[str, Any]:
        return dict(node.constraints) if self.mode == "checked" else {}

    def of_str(self, node: Node) -> CoreSchema:
        return core_schema.str_schema(strict=self.mode == "stored", **self.constraints(node))

    def of_text(self, node: Node) -> CoreSchema:
        """A value that an instance holds as text: checked as its kind, kept as it is written."""
        if self.mode != "checked":
            return core_schema.str_schema(strict=self.mode == "stored")
        kind: Any = _TEXT_KINDS[node.kind]
        return core_schema.no_info_wrap_validator_function(_keep, kind(**self.constraints(node)))

    def of_number(self, node: Node) -> CoreSchema:
        make: Any = {"int": core_schema.int_schema, "float": core_schema.float_schema}[node.kind]
        if self.mode != "stored":
            return make(**self.constraints(node))  # type: ignore[no-any-return]
        text = core_schema.str_schema(strict=True, pattern=r"\A(-?[0-9]+|NaN|-?Infinity)\z")
        return core_schema.union_schema(
            [make(strict=True), core_schema.chain_schema([text, make()])],
            mode="left_to_right",
            custom_error_type="number",
            custom_error_message="Input should be a valid number",
        )

    def of_bool(self, node: Node) -> CoreSchema:
        return core_schema.bool_schema(strict=self.mode == "stored")

    def of_enum(self, node: Node) -> CoreSchema:
        return core_schema.literal_schema(list(node.choices))

    def of_any(self, node: Node) -> CoreSchema:
        return core_schema.any_schema()

    def of_list(self, node: Node) -> CoreSchema:
        assert node.item is not None
        return core_schema.list_schema(self.nullable(node.item), strict=True, **self.constraints(node))

    def of_union(self, node: Node) -> CoreSchema:
        """Members of a union are typed as they are read; what they are is checked where no model does that."""
        if self.mode != "checked":
            return core_schema.any_schema()
        return core_schema.union_schema([self.nullable(part) for part in node.parts])

    def of_tuple(self, node: Node) -> CoreSchema:
        parts = core_schema.tuple_schema([self.nullable(part) for part in node.parts], strict=False)
        return core_schema.no_info_after_validator_function(list, parts)

    def of_map(self, node: Node) -> CoreSchema:
        assert node.item is not None and node.key is not None
        key: CoreSchema = core_schema.str_schema(strict=True)
        if self.mode == "checked":
            key = core_schema.no_info_wrap_validator_function(_keep, _SCHEMAS[node.key.kind](self, node.key))
        return core_schema.dict_schema(key, self.nullable(node.item), strict=True, **self.constraints(node))

    def of_dict(self, node: Node) -> CoreSchema:
        name = self.shared.get(id(node.fields))
        if name is None:
            return self.fields(node)
        if name not in self.shapes:
            self.shapes[name] = core_schema.any_schema()  # holds the place while the shape is being compiled
            self.shapes[name] = {**self.fields(node), "ref": name}  # type: ignore[misc, typeddict-item]
        return core_schema.definition_reference_schema(name)

    def fields(self, node: Node) -> CoreSchema:
        fields = {
            name: core_schema.typed_dict_field(
                self.nullable(field.node), required=field.required and self.mode == "checked"
            )
            for name, field in node.fields.items()
        }
        extra: Literal["allow", "forbid"] = "allow" if node.keeps_extra else "forbid"
        return core_schema.typed_dict_schema(fields, extra_behavior=extra, strict=True)


def _keep(value: Any, check: Callable[[Any], Any]) -> Any:
    check(value)
    return value


_TEXT_KINDS: dict[str, Callable[..., CoreSchema]] = {
    "date": core_schema.date_schema,
    "time": core_schema.time_schema,
    "datetime": core_schema.datetime_schema,
    "duration": core_schema.timedelta_schema,
    "decimal": core_schema.decimal_schema,
    "uuid": core_schema.uuid_schema,
    "bytes": core_schema.bytes_schema,
}

_SCHEMAS: dict[str, Callable[[_Compiler, Node], CoreSchema]] = {
    **dict.fromkeys(TEXTUAL, _Compiler.of_text),
    "str": _Compiler.of_str,
    "int": _Compiler.of_number,
    "float": _Compiler.of_number,
    "bool": _Compiler.of_bool,
    "enum": _Compiler.of_enum,
    "any": _Compiler.of_any,
    "union": _Compiler.of_union,
    "list": _Compiler.of_list,
    "dict": _Compiler.of_dict,
    "map": _Compiler.of_map,
    "tuple": _Compiler.of_tuple,
}


def problems_of(plan: Plan, error: ValidationError) -> Iterator[tuple[Path, Problem]]:
    """Each error of a validation as a problem, with the path that its location stands for."""
    for detail in error.errors(include_url=False, include_context=False):
        path = _path(plan.root, detail["loc"])
        kind = ProblemKind.MISSING if detail["type"] == "missing" else ProblemKind.INVALID
        message = "required, but not there" if kind is ProblemKind.MISSING else _message(detail["msg"])
        found = None if kind is ProblemKind.MISSING else _shown(detail["input"])
        yield path, Problem(kind, show_path(path), message, found)


def _message(text: str) -> str:
    return text[:1].lower() + text[1:] if text.startswith("Input ") else text


def _shown(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value if isinstance(value, str) else to_json(value, fallback=repr, inf_nan_mode="constants").decode()


def _path(root: Node, loc: Iterable[str | int]) -> Path:
    """The place that an error's location stands for: names of fields for aliases, and no tags of unions."""
    path: list[str | int] = []
    node: Node | None = root
    for step in loc:
        if node is None:
            break
        name, node = _step(node, step)
        path += [] if name is None else [name]
    return tuple(path)


def _step(node: Node, step: str | int) -> tuple[str | int | None, Node | None]:
    if node.kind == "dict":
        for field in node.fields.values():
            if step == field.name or step in field.aliases:
                return field.name, field.node
        return step, None
    if node.kind == "map":
        return step, node.item
    if node.kind == "list" and isinstance(step, int):
        return step, node.item
    if node.kind == "tuple" and isinstance(step, int):
        return step, node.parts[step] if step < len(node.parts) else None
    return None, node


def node_at(root: Node, path: Path) -> Node | None:
    """The node of the value at a path, or None where the definition has none."""
    node: Node | None = root
    for step in path:
        if node is None:
            return None
        _name, node = _step(node, step)
    return node
