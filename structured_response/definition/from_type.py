"""Makes the JSON Schema of a type with Pydantic's own generator. Keys that begin with `x-sr-` hold facts that JSON
Schema cannot express, for `from_schema`: kinds of scalars, names of classes and enum members, aliases, sets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import is_dataclass
from enum import Enum, Flag
from inspect import cleandoc
from reprlib import repr as short_repr
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter
from pydantic.errors import PydanticUndefinedAnnotation, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema, JsonRef, JsonSchemaValue
from pydantic_core import PydanticSerializationError, core_schema, to_jsonable_python

from ..errors import DefinitionError
from .jsonable import to_jsonable
from .keywords import BOUNDS
from .node import MISSING


class Note:
    """The keys of a JSON Schema that hold what only our own generator says."""

    KIND = "x-sr-kind"
    CLASS = "x-sr-class"
    MEMBERS = "x-sr-members"
    ALIASES = "x-sr-aliases"
    UNIQUE = "x-sr-unique"
    FACTORY = "x-sr-factory"
    KEYS = "x-sr-keys"
    LEFT_OUT = "x-sr-left-out"
    NEVER = "x-sr-never"
    CODED = "x-sr-coded"
    DIGITS = "x-sr-digits"


def schema_of(described: Any) -> JsonSchemaValue:
    """Returns the JSON Schema of a type, by field names. Raises `DefinitionError` if Pydantic cannot describe it."""
    if described is BaseModel:
        raise DefinitionError("BaseModel itself has no fields; a model that inherits from it is needed")
    if remedy := value_remedy(described):
        raise DefinitionError(f"a type is needed, not {shown_value(described)}; {remedy}")
    generator = _Generator(by_alias=False)
    try:
        if getattr(described, "__pydantic_complete__", True) is False:
            described.model_rebuild()
        return generator.generate(TypeAdapter(described).core_schema, mode="validation")
    except (PydanticUndefinedAnnotation, NameError) as error:
        raise DefinitionError(f"{describe_type(described)} names a type that is not defined: {error.name}") from error
    except (PydanticUserError, TypeError) as error:
        raise undescribable(described, [], str(error).partition("\n")[0]) from error
    except RecursionError as error:
        raise DefinitionError(f"{describe_type(described)} is nested too deeply to be described") from error


def undescribable(described: Any, path: Sequence[str], cause: str) -> DefinitionError:
    holder, kind = _place(described, path)
    of_type = "" if kind is None else f" of type {kind!r}"
    inside = "" if holder is described else f" in {describe_type(described)}"
    what = f"the field{of_type} of {describe_type(holder)}{inside}" if path else describe_type(described)
    return DefinitionError(f"{what} cannot be described: {cause}", ".".join(path))


def _place(described: Any, path: Sequence[str]) -> tuple[Any, Any]:
    """Returns the model at the end of a path and the type of its field, or the outermost model and None."""
    holder, kind = described, described
    for name in path:
        holder = next((part for part in _parts(kind) if name in _fields(part)), None)
        if holder is None:
            return described, None
        kind = _fields(holder)[name].annotation
    return holder, kind


def _fields(model: Any) -> dict[str, Any]:
    return getattr(model, "__pydantic_fields__", {})


def _parts(kind: Any) -> Iterator[Any]:
    yield kind
    for argument in get_args(kind):
        yield from _parts(argument)


def describe_type(described: Any) -> str:
    return getattr(described, "__qualname__", None) or repr(described)


def shown_value(given: Any) -> str:
    return repr(given) if isinstance(given, type) else short_repr(given)


def value_remedy(given: Any) -> str | None:
    if isinstance(given, type):
        return None
    if isinstance(given, BaseModel) or is_dataclass(given):
        return f"give its class, {type(given).__name__}"
    return next((remedy for kinds, remedy in _REMEDIES if isinstance(given, kinds)), None)


_REMEDIES: tuple[tuple[Any, str], ...] = (
    (str, "give the type itself, without quotes"),
    ((list, tuple, set), "a list of tasks is list[Task]"),
    (Mapping, "from_json_schema takes a JSON Schema, from_definition a definition"),
    ((bool, int, float, bytes), "give its type"),
)


_CONTAINERS: dict[Any, str] = {
    **dict.fromkeys((list, tuple, set, frozenset, Sequence, Set), "List"),
    **dict.fromkeys((dict, Mapping), "Map"),
}


def type_name(described: Any) -> str:
    """Returns the default name of a type: `Task`, `TaskList`, `TaskMap`, or `Value` for a nameless one."""
    origin, arguments = get_origin(described), get_args(described)
    if origin is Annotated:
        return type_name(arguments[0])
    if origin in _CONTAINERS:
        items = [argument for argument in arguments if argument is not Ellipsis]
        return (type_name(items[-1]) if items else "Value") + _CONTAINERS[origin]
    if origin in (Union, UnionType):
        present = [argument for argument in arguments if argument is not type(None)]
        return type_name(present[0]) if len(present) == 1 else "Value"
    if getattr(described, "__module__", "builtins") in ("builtins", "typing"):
        return "Value"
    return getattr(described, "__name__", "Value")


def _scalar(kind: str) -> Any:
    """Returns a generator method for a scalar that an instance holds as text."""

    def method(self: Any, schema: Any) -> JsonSchemaValue:
        bounds = {name: to_jsonable_python(schema[key]) for key, name in BOUNDS.items() if schema.get(key) is not None}
        if kind == "decimal":  # some releases of Pydantic turn numbers into decimals
            bounds = {name: str(bound) for name, bound in bounds.items()}
            if None not in (schema.get("max_digits"), schema.get("decimal_places")):
                bounds[Note.DIGITS] = schema["max_digits"], schema["decimal_places"]
        return {"type": "string", Note.KIND: kind, **bounds}

    return method


class QuietGenerator(GenerateJsonSchema):
    """Pydantic's generator, without its warnings of defaults and options that no JSON Schema holds."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012 - Pydantic's own shape


class _Generator(QuietGenerator):
    date_schema = _scalar("date")
    time_schema = _scalar("time")
    datetime_schema = _scalar("datetime")
    timedelta_schema = _scalar("duration")
    decimal_schema = _scalar("decimal")
    uuid_schema = _scalar("uuid")

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchemaValue:
        """Omits the format. One that is present in the end is that of a type that decodes the text itself."""
        described = super().bytes_schema(schema)
        described.pop("format", None)
        return {**described, Note.KIND: "bytes"}

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Describes a root model by its content, not as an object with fields."""
        described = super().model_schema(schema)
        return described if schema.get("root_model") else {**described, Note.CLASS: schema["cls"].__name__}

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        return {**super().dataclass_schema(schema), Note.CLASS: schema["cls"].__name__}

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        described = super().typed_dict_schema(schema)
        return {**described, Note.CLASS: described.get("title", "")}

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        about = cleandoc(schema["cls"].__dict__.get("__doc__") or "")  # not that of str, which an enum may inherit
        if issubclass(schema["cls"], Flag):
            named = ", ".join(f"{member.name}={member.value}" for member in schema["cls"])
            return {"type": "integer", "description": about or f"The sum of the flags that hold: {named}"}
        return {**_choices(schema["members"]), **({"description": about} if about else {})}

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchemaValue:
        expected = schema["expected"]
        if all(map(_is_text_or_number, expected)):
            return super().literal_schema(schema)
        if all(isinstance(choice, Enum) for choice in expected):
            return _choices(expected)
        return {Note.NEVER: f"a choice is a text, a number or a member of an enum, not one of {expected!r}"[:200]}

    def union_schema(self, schema: core_schema.UnionSchema) -> JsonSchemaValue:
        described = super().union_schema(schema)
        texts = [option for option in described.get("anyOf", ()) if option.get("type") == "string"]
        of_bytes = [option for option in texts if option.get(Note.KIND) == "bytes"]
        if of_bytes and any(not option.keys() & {Note.KIND, "format", "enum", "const"} for option in texts):
            return {Note.NEVER: "bytes and str in one union cannot be told apart in a text, so keep one of them"}
        return described

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        described = super().dict_schema(schema)
        if "keys_schema" not in schema:
            return described
        keys = self.generate_inner(schema["keys_schema"])
        shape = self.get_schema_from_definitions(JsonRef(keys["$ref"])) if "$ref" in keys else keys
        if shape and shape.get("type") in ("array", "object"):
            return {Note.NEVER: "the keys of a map are texts, and these are not; a list of pairs would do"}
        return {**described, Note.KEYS: keys}

    def _common_set_schema(self, schema: core_schema.SetSchema | core_schema.FrozenSetSchema) -> JsonSchemaValue:
        return {**super()._common_set_schema(schema), Note.UNIQUE: True}

    def _named_required_fields_schema(self, named_required_fields: Any) -> JsonSchemaValue:
        described = super()._named_required_fields_schema(named_required_fields)
        properties, left_out = described["properties"], {}
        for name, _required, field in named_required_fields:
            if name in properties:
                properties[name] = {**properties[name], **_notes_of(field)}
            else:  # hidden by its model
                left_out[name] = MISSING
                with suppress(PydanticSerializationError):
                    left_out[name] = self.encode_default(field["schema"].get("default", MISSING))
        return {**described, Note.LEFT_OUT: left_out} if left_out else described

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchemaValue:
        """Returns a note instead of raising, since the model may not need the part that cannot be described."""
        return {Note.NEVER: f"no JSON Schema can say what it is, which Pydantic knows as {error_info}"}

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        return value  # the order of the keys is invisible

    def get_default_value(self, schema: core_schema.WithDefaultSchema) -> Any:
        """Returns the default. A set becomes data, since some releases of Pydantic would sort it in their order."""
        default = super().get_default_value(schema)
        with suppress(PydanticSerializationError):
            return self.encode_default(default) if isinstance(default, (set, frozenset)) else default
        return default

    def encode_default(self, dft: Any) -> Any:
        try:
            return to_jsonable(dft)
        except (ValueError, TypeError) as error:  # Pydantic omits values without a JSON form
            raise PydanticSerializationError(str(error)) from error


def _is_text_or_number(choice: Any) -> bool:
    value = choice.value if isinstance(choice, Enum) else choice
    return value is None or isinstance(value, (str, int, float))


def _choices(members: Sequence[Any]) -> JsonSchemaValue:
    """Returns the members of an enum by their values, by the texts of dates and the like, or by their names."""
    is_plain = all(map(_is_text_or_number, members))
    choices: list[Any] = [member.name for member in members]
    with suppress(ValueError):
        texts = [to_jsonable_python(member.value) for member in members]
        if is_plain or (all(map(_is_text_or_number, texts)) and len(set(map(repr, texts))) == len(texts)):
            choices = texts
    named = {member.name: choice for member, choice in zip(members, choices, strict=True)}
    coded = [pair for pair in zip(choices, members, strict=True) if pair[0] is not None and not is_plain]
    return {"enum": choices, Note.MEMBERS: named, Note.CODED: coded}


def _notes_of(field: Any) -> JsonSchemaValue:
    aliases = _simple_aliases(field.get("validation_alias")) + _simple_aliases(field.get("serialization_alias"))
    inner = field["schema"]
    noted: JsonSchemaValue = {Note.ALIASES: aliases} if aliases else {}
    if inner["type"] == "default" and "default_factory" in inner and not inner.get("default_factory_takes_data"):
        noted[Note.FACTORY] = inner["default_factory"]
    return noted


def _simple_aliases(alias: Any) -> list[str]:
    given = [alias] if isinstance(alias, str) else alias or []
    paths = given if given and isinstance(given[0], list) else [given]  # an `AliasPath` into a field is not a name
    return [path[0] for path in paths if len(path) == 1 and isinstance(path[0], str)]
