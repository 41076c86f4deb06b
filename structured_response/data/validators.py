"""Checks data: validators compiled from a definition, and the errors of validation with their paths."""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from importlib import import_module
from typing import Any, Literal

from pydantic_core import (
    CoreSchema,
    ErrorDetails,
    InitErrorDetails,
    PydanticCustomError,
    PydanticSerializationError,
    SchemaError,
    SchemaValidator,
    ValidationError,
    core_schema,
    to_json,
)

from ..definition import (
    SCALARS,
    Node,
    Path,
    Plan,
    choice_text,
    from_base64,
    match_union_option,
    per_plan,
    shape_key,
    shared_shapes,
    show_path,
    walk_paths,
)
from ..definition.jsonable import MAX_FORM_DIGITS
from ..definition.names import MAX_COMPILED
from ..definition.node import MAX_DEPTH
from ..errors import DefinitionError, MissingExtraError, needs
from ..escaping import is_encodable
from ..findings import Problem, ProblemKind

MAX_MESSAGE = 300
"""Characters of a message of jsonschema, which may quote all of the data."""

Fault = tuple[Path, str, Any]
"""The path of a value, a message, and the value. For a missing value the message is empty, and its holder follows."""


@per_plan
def typed(plan: Plan) -> SchemaValidator:
    """Returns the validator that types a tree of texts. Required fields may be missing, and anything may be None."""
    return SchemaValidator(_Compiler(plan.root, "typed").schema())


@per_plan
def checked(plan: Plan) -> SchemaValidator:
    """Returns the validator of types, constraints and required fields, for data that no model judges."""
    schema = _Compiler(plan.root, "checked").schema()
    if plan.json_schema is not None:
        schema = core_schema.no_info_after_validator_function(partial(_satisfying, plan), schema)
    return SchemaValidator(schema)


@per_plan
def stored(plan: Plan) -> SchemaValidator:
    """Returns the strict validator of instances in JSON. It restores the types of values that JSON holds as text."""
    return SchemaValidator(_Compiler(plan.root, "stored").schema())


class _Compiler:
    """Compiles one core schema. Repeated shapes become definitions in it."""

    def __init__(self, root: Node, mode: Literal["typed", "checked", "stored"]) -> None:
        self.root = root
        self.mode = mode
        self.is_strict = mode != "typed"  # what is typed already is of one type, also where a union has others
        self.shared = shared_shapes(root)
        self.shapes: dict[str, CoreSchema] = {}

    def schema(self) -> CoreSchema:
        is_object = self.mode == "checked" and self.root.kind == "dict" and not self.root.nullable
        schema = self.bare(self.root) if is_object else self.nullable(self.root)
        return core_schema.definitions_schema(schema, list(self.shapes.values())) if self.shapes else schema

    def nullable(self, node: Node) -> CoreSchema:
        if self.mode == "checked" and node.nullable is False:
            return self.bare(node)
        return core_schema.nullable_schema(self.bare(node))

    def bare(self, node: Node) -> CoreSchema:
        return self.reference(node) if shape_key(node) in self.shared else self.shape(node)

    def reference(self, node: Node) -> CoreSchema:
        name = self.shared[shape_key(node)]
        if name not in self.shapes:
            self.shapes[name] = core_schema.any_schema()  # a placeholder while the shape is being compiled
            self.shapes[name] = {**self.shape(node), "ref": name}
        return core_schema.definition_reference_schema(name)

    def shape(self, node: Node) -> CoreSchema:
        made: CoreSchema = self.of_text(node) if node.kind in _TEXT_KINDS else getattr(self, f"of_{node.kind}")(node)
        return made

    def constraints(self, node: Node) -> dict[str, Any]:
        if self.mode != "checked":
            return {}
        return {name: held for name, held in node.constraints.items() if name != "unique_items"}

    def unique(self, node: Node, schema: CoreSchema) -> CoreSchema:
        """Returns the schema of a list that refuses repeated items where it should."""
        is_asked = self.mode == "checked" and node.constraints.get("unique_items")
        return core_schema.no_info_after_validator_function(_without_repeats, schema) if is_asked else schema

    def of_str(self, node: Node) -> CoreSchema:
        constraints = self.constraints(node)
        if "pattern" in constraints:
            constraints["regex_engine"] = pattern_engine(constraints["pattern"])
        return core_schema.str_schema(strict=self.is_strict, **constraints)

    def of_text(self, node: Node) -> CoreSchema:
        """Returns the schema of a value that an instance holds as text: checked as its kind, kept as written."""
        if self.mode == "typed":
            return core_schema.str_schema()
        make: Any = _TEXT_KINDS[node.kind]
        bare = SchemaValidator(make())
        kind = make(**{name: _bound(bare, value) for name, value in self.constraints(node).items()})
        check = core_schema.chain_schema([core_schema.str_schema(strict=True), kind])
        return core_schema.no_info_wrap_validator_function(_keep, check)

    def of_int(self, node: Node) -> CoreSchema:
        if self.mode != "stored":
            bounds = self.constraints(node).items()  # as whole numbers: `> 1.5` is `> 1`, `>= 1.5` is `>= 2`
            whole: Any = {name: _ROUNDED.get(name, int)(bound) for name, bound in bounds}
            return core_schema.int_schema(strict=self.is_strict, **whole)
        return _or_text(core_schema.int_schema(strict=True), r"\A-?[0-9]{19,}\z", core_schema.int_schema())

    def of_float(self, node: Node) -> CoreSchema:
        if self.mode != "stored":
            return core_schema.float_schema(strict=self.is_strict, **self.constraints(node))
        return _or_text(core_schema.float_schema(strict=True), r"\A(NaN|-?Infinity)\z", core_schema.float_schema())

    def of_bool(self, node: Node) -> CoreSchema:
        return core_schema.bool_schema(strict=self.is_strict)

    def of_enum(self, node: Node) -> CoreSchema:
        if all(not isinstance(choice, int) or abs(choice) < _INT64 for choice in node.choices):
            return core_schema.literal_schema(list(node.choices))
        return _fitting(node, f"be one of {', '.join(map(repr, node.choices))}")  # literals cannot hold such integers

    def of_any(self, node: Node) -> CoreSchema:
        return core_schema.any_schema()

    def of_list(self, node: Node) -> CoreSchema:
        assert node.item is not None
        schema = core_schema.list_schema(self.nullable(node.item), strict=True, **self.constraints(node))
        return self.unique(node, schema)

    def of_union(self, node: Node) -> CoreSchema:
        if self.mode == "typed":
            return core_schema.any_schema()  # its values are typed when they are read
        if self.mode == "stored":
            return _fitting(node, f"fit one of {', '.join(node.options())}")
        parts = map(self.nullable, node.parts)
        return core_schema.union_schema([(part, f"{_OPTION}{index}") for index, part in enumerate(parts)])

    def of_tuple(self, node: Node) -> CoreSchema:
        parts = core_schema.tuple_schema([self.nullable(part) for part in node.parts], strict=False)
        return self.unique(node, core_schema.no_info_after_validator_function(list, parts))

    def of_map(self, node: Node) -> CoreSchema:
        assert node.item is not None and node.key is not None
        key: CoreSchema = core_schema.str_schema(strict=True)
        if self.mode == "checked":
            key = core_schema.no_info_wrap_validator_function(_keep, self.of_key(node.key))
        return core_schema.dict_schema(key, self.nullable(node.item), strict=True, **self.constraints(node))

    def of_key(self, node: Node) -> CoreSchema:
        """Returns the schema of a key. It is a text even for a choice: `1` becomes "1"."""
        if node.kind == "enum":
            return core_schema.literal_schema(list(map(choice_text, node.choices)))
        schema = self.shape(node)
        return {**schema, "strict": False} if node.kind in ("int", "float", "bool") else schema

    def of_dict(self, node: Node) -> CoreSchema:
        needed = self.mode == "checked"
        fields = {
            name: core_schema.typed_dict_field(self.nullable(field.node), required=field.required and needed)
            for name, field in node.fields.items()
        }
        extra: Literal["allow", "forbid"] = "allow" if node.keeps_extra else "forbid"
        return core_schema.typed_dict_schema(fields, extra_behavior=extra, strict=True)


def _bound(bare: SchemaValidator, value: Any) -> Any:
    """Returns a bound in the kind's own type. A definition holds dates and decimals as texts or numbers."""
    return value if isinstance(value, int) and not isinstance(value, bool) else bare.validate_python(str(value))


def _or_text(number: CoreSchema, form: str, read: CoreSchema) -> CoreSchema:
    """Returns the schema of a number, or of the text for a number that JSON or orjson cannot hold."""
    text = core_schema.chain_schema([core_schema.str_schema(strict=True, pattern=form), read])
    return core_schema.union_schema(
        [number, text],
        mode="left_to_right",
        custom_error_type="number",
        custom_error_message="Input should be a valid number",
    )


_ROUNDED: dict[str, Callable[[Any], int]] = {"ge": math.ceil, "gt": math.floor, "le": math.floor, "lt": math.ceil}


def verified(plan: Plan) -> Plan:
    """Returns the plan. Raises `DefinitionError` with the place of a constraint that cannot be checked."""
    if plan.json_schema is not None:
        json_schema_validator(plan)
    for path, node in walk_paths(plan.root):
        if node.constraints:
            try:
                SchemaValidator(_Compiler(node, "checked").schema())
            except (SchemaError, TypeError, ValueError, OverflowError, re.error) as error:
                cause = str(error).strip().partition("\n")[0]
                message = f"the constraints {node.constraints!r} do not work: {cause}"
                raise DefinitionError(message[:MAX_MESSAGE], path) from error
    return plan


def _fitting(node: Node, wanted: str) -> CoreSchema:
    """Returns the schema of a value that fits a node, which is decided here and not by pydantic-core."""

    def check(value: Any) -> Any:
        if match_union_option(union, value) is None:
            raise ValueError(f"Input should {wanted}")
        return value

    union = node if node.kind == "union" else Node("union", parts=(node,))
    return core_schema.no_info_plain_validator_function(check)


_INT64 = 2**63


def _without_repeats(items: list[Any]) -> list[Any]:
    """Returns the items. Raises `ValidationError` with the place of each that is the same as one before it."""
    first: dict[Any, int] = {}
    places = [first.setdefault(_key(item), index) for index, item in enumerate(items)]
    message = "the same as item {}, and items must not repeat".format
    faults = [((index,), message(place), items[index]) for index, place in enumerate(places) if index != place]
    if faults:
        raise _refused("repeated", faults)
    return items


def _key(item: Any) -> Any:
    """Returns a key that is equal for values that are equal in JSON, where 1 is 1.0 and is not true."""
    if isinstance(item, dict):
        return frozenset((name, _key(held)) for name, held in item.items())
    return (type(item) is bool, tuple(map(_key, item)) if isinstance(item, list) else item)


def _refused(kind: str, faults: Iterable[Fault]) -> ValidationError:
    lines: list[InitErrorDetails] = [
        {"type": PydanticCustomError(kind, "{message}", {"message": message}), "loc": path, "input": held}
        for path, message, held in faults
    ]
    return ValidationError.from_exception_data("data", lines)


_BY_SCHEMA = "json_schema"
"""The type of errors whose location is a path."""


def _keep(value: Any, check: Callable[[Any], Any]) -> Any:
    check(value)
    return value


_TEXT_KINDS: dict[str, Callable[..., CoreSchema]] = {
    "date": core_schema.date_schema,
    "time": core_schema.time_schema,
    "datetime": core_schema.datetime_schema,
    "duration": core_schema.timedelta_schema,
    "decimal": partial(core_schema.decimal_schema, allow_inf_nan=True),
    "uuid": core_schema.uuid_schema,
    "bytes": lambda **length: core_schema.no_info_before_validator_function(
        from_base64, core_schema.bytes_schema(**length)
    ),
}


def problems_of(plan: Plan, error: ValidationError) -> Iterator[tuple[Path, Problem]]:
    for path, detail in errors_of(plan, error):
        kind, message, found = explained(detail)
        yield path, Problem(kind, show_path(path), message, found)


def errors_of(
    plan: Plan, error: ValidationError, chosen: Mapping[Path, Node] | None = None
) -> Iterator[tuple[Path, ErrorDetails]]:
    """Yields each error of a validation with its path; in a union, those of the chosen or the best option only."""
    details = error.errors(include_url=False, include_context=False)
    places = [
        (detail["loc"], []) if detail["type"] == _BY_SCHEMA else _placed(plan.root, detail["loc"]) for detail in details
    ]
    faults: dict[Path, dict[str, list[Path]]] = {}
    known: dict[Path, str] = {}
    for path, options in places:
        for union, tag, option in options:
            faults.setdefault(union, {}).setdefault(tag, []).append(path)
            if (chosen or {}).get(union) is option:
                known[union] = tag
    # The likeliest option of each union: the chosen one, of the value's type, of fewest faults, or the first.
    best = {union: min(tags, key=lambda tag: (union in tags[tag], len(tags[tag]))) for union, tags in faults.items()}
    meant = best | known
    for detail, (path, options) in zip(details, places, strict=True):
        if not options or all(meant[union] == tag for union, tag, _option in options):
            yield path, detail


def explained(detail: ErrorDetails) -> tuple[ProblemKind, str, str | None]:
    if detail["type"] == "missing" or (detail["type"] == _BY_SCHEMA and not detail["msg"]):
        return ProblemKind.MISSING, "required, but not there", None
    text = detail["msg"]
    message = text[:1].lower() + text[1:] if text.startswith("Input ") else text
    given = detail["input"]
    if isinstance(given, str):
        return ProblemKind.INVALID, message, given
    try:
        return ProblemKind.INVALID, message, to_json(given, fallback=repr, inf_nan_mode="constants").decode()
    except (PydanticSerializationError, ValueError, RecursionError):
        return ProblemKind.INVALID, message, reprlib.repr(given)


def misfits(plan: Plan, data: Any, error: ValidationError) -> list[Problem]:
    """Returns the reasons why `stored` refuses data. For unions they come from `checked`, since `stored` gives none."""
    found = dict(problems_of(plan, error))
    unions = [path for path in found if getattr(node_at(plan.root, path), "kind", None) == "union"]
    try:
        checked(plan).validate_python(data)
    except ValidationError as other:
        for path, problem in problems_of(plan, other):
            for union in unions:
                if path[: len(union)] == union:
                    found.pop(union, None)
                    found[path] = problem
    return list(found.values())


_Placed = tuple[Path, list[tuple[Path, str, Node]]]
"""The path of an error, and the options of unions that lead to it: the path of each union, its tag there, and the node
of the option.
"""


def _placed(root: Node, loc: tuple[str | int, ...]) -> _Placed:
    """Returns the place of an error's location, with names of fields for aliases, and without tags of unions."""
    path: list[str | int] = []
    options: list[tuple[Path, str, Node]] = []
    node: Node | None = root
    for index, step in enumerate(loc):
        if node is None:
            break
        if node.kind == "union":
            node = _option_tagged(node, str(step), loc[index + 1 : index + 2])
            if not options or options[-1][0] != tuple(path):
                options.append((tuple(path), str(step), node))
        else:
            name, node = _step(node, step)
            path += [] if name is None else [name]
    return tuple(path), options


def _option_tagged(union: Node, tag: str, steps: tuple[str | int, ...]) -> Node:
    """Returns the option with a tag: a position of ours, or Pydantic's class, discriminator or kind of content."""
    if tag.startswith(_OPTION):
        return union.parts[int(tag.removeprefix(_OPTION))]
    head = tag.partition("[")[0]
    for part in union.parts:
        told = part.fields.get(union.discriminator or "")
        if part.name == tag or part.kind == _HOLDERS.get(head) or (told and tag in map(str, told.node.choices)):
            return part
    # The tags of a callable discriminator are the user's own. A nested union has a tag in front of its option's.
    holders = (part for part in union.parts if part.kind not in SCALARS)
    return next((part for part in holders for step in steps if _step(part, step)[1] is not None), union)


_OPTION = "option #"  # does not begin a tag of Pydantic's
_HOLDERS = {"list": "list", "set": "list", "frozenset": "list", "dict": "map", "tuple": "tuple"}


def _step(node: Node, step: str | int) -> tuple[str | int | None, Node | None]:
    if node.kind == "dict":
        field = (node.fields.get(step) or node.field_aliased(step)) if isinstance(step, str) else None
        return (step, None) if field is None else (field.name, field.node)
    if node.kind == "map":
        return step, node.item
    if node.kind == "list" and isinstance(step, int):
        return step, node.item
    if node.kind == "tuple" and isinstance(step, int):
        return step, node.parts[step] if step < len(node.parts) else None
    return None, node


def node_at(root: Node, path: Path) -> Node | None:
    node: Node | None = root
    for step in path:
        if node is None:
            return None
        _name, node = _step(node, step)
    return node


def unwritable(data: Any, path: Path = ()) -> Iterator[Problem]:
    """Yields problems with valid data that no text can hold: lone surrogates, huge integers, unbounded depth."""
    why = ""
    if len(path) > MAX_DEPTH:
        why = f"nested deeper than {MAX_DEPTH} levels (MAX_DEPTH)"
    elif isinstance(data, (dict, list)):
        for step, held in data.items() if isinstance(data, dict) else enumerate(data):
            yield from unwritable(held, (*path, step))
    elif isinstance(data, str) and not is_encodable(data):
        why = "half of a surrogate pair, which no text can hold"
    elif isinstance(data, int) and abs(data) >= _TOO_LONG:
        why = f"an integer of more than {MAX_FORM_DIGITS} digits (MAX_FORM_DIGITS)"
    if why:
        yield Problem(ProblemKind.INVALID, show_path(path), why)


_TOO_LONG = 10**MAX_FORM_DIGITS


# Keywords of a JSON Schema that a definition cannot express, which jsonschema checks. Nothing is ever fetched.


def _satisfying(plan: Plan, data: Any) -> Any:
    """Returns the data. Raises `ValidationError` with each of its faults by the JSON Schema once, inner ones first."""
    try:
        faults = [fault for error in json_schema_validator(plan).iter_errors(data) for fault in _faults(error)]
    except RecursionError:
        faults = [((), "nested too deeply to be checked by its JSON Schema", data)]
    once = {(path, message): (path, message, held) for path, message, held in faults}
    if once:
        raise _refused(_BY_SCHEMA, sorted(once.values(), key=lambda fault: -len(fault[0])))
    return data


def _faults(error: Any) -> Iterator[Fault]:
    if meant := _meant(error):
        for inner in meant:
            yield from _faults(inner)
        return
    path, held = tuple(error.absolute_path), error.instance
    missing = [name for name in _needed(error) if name not in held]
    yield from (((*path, name), "", held) for name in missing)
    if not missing:
        dots = "..." if len(error.message) > MAX_MESSAGE else ""
        yield path, f"{error.message[:MAX_MESSAGE]}{dots} ({error.validator!r} of the JSON Schema)", held


def _meant(error: Any) -> list[Any]:
    """Returns the errors of the only option whose type the value has, if there is one."""
    options: dict[Any, list[Any]] = {}
    for inner in error.context or ():
        options.setdefault(inner.relative_schema_path[0], []).append(inner)
    possible = [errors for errors in options.values() if not any(inner.validator in _KINDS for inner in errors)]
    return possible[0] if len(possible) == 1 else []


_KINDS = ("type", "const", "enum")


def _needed(error: Any) -> list[str]:
    if error.validator == "required":
        return list(error.validator_value)
    if error.validator == "dependentRequired":
        return [name for given, names in error.validator_value.items() if given in error.instance for name in names]
    return []


@per_plan
def json_schema_validator(plan: Plan) -> Any:
    """Returns the validator of jsonschema. Raises `DefinitionError` without the package and for an invalid schema."""
    schema = plan.json_schema
    path, keyword = next(iter(plan.unread), ("", "$json_schema"))
    try:
        jsonschema, referencing = _import("jsonschema"), _import("referencing.jsonschema")
    except MissingExtraError as error:
        raise DefinitionError(f"{keyword!r} is checked by a package that is missing: {error}", path) from error
    draft = jsonschema.Draft202012Validator
    try:
        draft.check_schema(schema, format_checker=jsonschema.FormatChecker(()))
    except jsonschema.SchemaError as error:
        place = ".".join(map(str, error.absolute_path))
        raise DefinitionError(f"this is not a JSON Schema: {error.message}"[:MAX_MESSAGE], place) from error
    except RecursionError as error:
        raise DefinitionError(f"{keyword!r} is nested too deeply to be checked", path) from error
    registry = _import("referencing").Registry()  # the default one of jsonschema would fetch
    _check_parts(schema, registry.with_resource("", referencing.DRAFT202012.create_resource(schema)).resolver())
    as_ours = jsonschema.validators.extend(draft, {"pattern": _pattern, "multipleOf": _multiple_of})
    return as_ours(schema, registry=registry)


def _import(name: str) -> Any:
    with needs("jsonschema", "schema"):
        return import_module(name)


def _check_parts(schema: Any, resolver: Any) -> None:
    """Raises `DefinitionError` for references that lead nowhere or out of the document, and for invalid patterns."""
    for path, held in _parts(schema, ""):
        try:
            for name in (held.get("$ref"), held.get("$dynamicRef")):
                if isinstance(name, str):
                    resolver.lookup(name)
        except _import("referencing.exceptions").Unresolvable as error:
            message = f"the reference {name!r} leads nowhere; what is not in the document is not fetched"
            raise DefinitionError(message, path) from error
        try:
            if isinstance(held.get("pattern"), str):
                pattern_engine(held["pattern"])
            for pattern in held["patternProperties"] if isinstance(held.get("patternProperties"), Mapping) else ():
                re.compile(pattern)
        except re.error as error:
            raise DefinitionError(f"the pattern {error.pattern!r} does not work: {error}", path) from error


def _parts(held: Any, path: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(held, Mapping):
        yield path, held
        for name, inner in held.items():
            yield from _parts(inner, f"{path}.{name}" if path else name)
    elif isinstance(held, list):
        for index, inner in enumerate(held):
            yield from _parts(inner, f"{path}[{index}]")


@lru_cache(maxsize=MAX_COMPILED)
def pattern_engine(pattern: str) -> Literal["rust-regex", "python-re"]:
    """Returns Rust's engine, which is linear, or Python's for look-around and back-references."""
    try:
        SchemaValidator(core_schema.str_schema(pattern=pattern))
    except SchemaError:
        re.compile(pattern)
        return "python-re"
    return "rust-regex"


def _pattern(validator: Any, pattern: str, held: Any, schema: Any) -> Iterator[Any]:
    """Checks a pattern as a definition does, in linear time if possible."""
    if isinstance(held, str):
        made = core_schema.str_schema(pattern=pattern, regex_engine=pattern_engine(pattern))
        yield from _judged(made, held, f"does not match {pattern!r}")


def _multiple_of(validator: Any, step: float, held: Any, schema: Any) -> Iterator[Any]:
    """Checks a multiple as a definition does: 0.3 is a multiple of 0.1."""
    if isinstance(held, (int, float)) and not isinstance(held, bool):
        are_whole = isinstance(held, int) and isinstance(step, int)
        make: Any = core_schema.int_schema if are_whole else core_schema.float_schema
        yield from _judged(make(multiple_of=step), held, f"is not a multiple of {step}")


def _judged(schema: Any, held: Any, message: str) -> Iterator[Any]:
    if not SchemaValidator(schema).isinstance_python(held):
        yield _import("jsonschema").ValidationError(f"{held!r} {message}")
