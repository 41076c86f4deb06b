"""`DataClass`: a base for classes that describe data to a language model, and fill themselves from what comes back.

A subclass becomes a Pydantic dataclass when it is defined, without a decorator. All else is the work of
`StructuredResponse`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from inspect import Parameter, Signature, get_annotations
from typing import Any, ClassVar, Self, cast, dataclass_transform

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass, rebuild_dataclass
from pydantic.fields import FieldInfo
from pydantic_core import SchemaValidator, ValidationError, core_schema

from .data.validators import problems_of
from .definition import Selection
from .errors import InstanceError
from .response import StructuredResponse

__all__ = ["DataClass", "required_field"]


def required_field() -> Any:
    """Marks a field as required: `field(default_factory=required_field)`."""
    raise TypeError("required_field stands for a default_factory; it makes no value")


@dataclass_transform(field_specifiers=(dataclasses.field, Field))
class DataClass:
    """The base of data classes.

    A field is described by `dataclasses.field(metadata={"desc": ...})`, by Pydantic's `Field(description=...)` or by a
    docstring behind it. It is required unless it has a default; `default_factory=required_field` is none. Values are
    validated, and unknown names refused, as Pydantic does: `ValidationError`.

    All methods that write take `exclude` or `include`: names of this class, dotted paths, or names by class
    (`{"ClassName": [names]}`) at any depth.
    """

    __signature__: ClassVar[Signature]
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name, held in _own_fields(cls):
            setattr(cls, name, held)
        dataclass(cls)
        cls.__signature__ = _signature(cls)

    # What is asked for

    @classmethod
    def to_data_class_schema(cls, exclude: Selection = (), include: Selection = ()) -> dict[str, Any]:
        """For each field `{"type": ..., "desc": ..., "required": ...}`."""
        return _response(cls).to_schema(include=include, exclude=exclude)

    @classmethod
    def to_data_class_schema_str(cls, exclude: Selection = (), include: Selection = ()) -> str:
        """The schema as JSON."""
        return _response(cls).to_schema_str(include=include, exclude=exclude)

    @classmethod
    def to_json_signature(cls, exclude: Selection = (), include: Selection = ()) -> str:
        """The form of the data in JSON, each value described in its place."""
        return _response(cls).to_json_signature(include=include, exclude=exclude)

    @classmethod
    def to_yaml_signature(cls, exclude: Selection = (), include: Selection = ()) -> str:
        """The form of the data in YAML, each value described in its place."""
        return _response(cls).to_yaml_signature(include=include, exclude=exclude)

    # Data

    @classmethod
    def load_from_dict(cls, data: Mapping[str, Any]) -> Self:
        """An instance of a row of a dataset, which stays as it is. Meant to be overridden where names differ.

        Values are validated, but None is taken anywhere: a dataset has gaps. Raises `InstanceError` that names every
        value that does not fit, every name that is unknown and every one that is missing.
        """
        try:
            made: Self = _taking_none(cast("Hashable", cls)).validate_python(_plain(data))
        except ValidationError as error:
            problems = [problem for _path, problem in problems_of(_response(cls)._plan, error)]
            raise InstanceError(f"the data is no {cls.__name__}", problems) from error
        return made

    def to_dict(self, exclude: Selection = (), include: Selection = ()) -> dict[str, Any]:
        """The data as JSON can hold it."""
        made: dict[str, Any] = _filled(self).to_dict(include=include, exclude=exclude)
        return made

    def to_json(self, exclude: Selection = (), include: Selection = ()) -> str:
        """The data as JSON, indented by four."""
        return _filled(self).to_json(include=include, exclude=exclude)

    def to_yaml(self, exclude: Selection = (), include: Selection = ()) -> str:
        """The data as YAML in block style, without a final line break."""
        return _filled(self).to_yaml(include=include, exclude=exclude)


def _own_fields(cls: type) -> Iterator[tuple[str, Any]]:
    """The fields that a class itself declares, as Pydantic takes them: described, and in an order of the user's."""
    for name in get_annotations(cls):
        held = cls.__dict__.get(name, dataclasses.field())
        if isinstance(held, dataclasses.Field):
            yield name, _as_pydantic(held)


def _as_pydantic(held: Any) -> Any:
    """A field of the standard library with its description where Pydantic looks for it."""
    options: dict[str, Any] = {}
    if held.default is not dataclasses.MISSING:
        options["default"] = held.default
    elif held.default_factory not in (dataclasses.MISSING, required_field):
        options["default_factory"] = held.default_factory
    description = held.metadata.get("desc", held.metadata.get("description"))
    default: Any = Field(description=description, **options)
    kw_only = {} if held.kw_only is dataclasses.MISSING else {"kw_only": held.kw_only}
    return dataclasses.field(default=default, metadata=held.metadata, repr=held.repr, init=held.init, **kw_only)


def _signature(cls: Any) -> Signature:
    """What a class is called with. A required field behind optional ones, which Python's grammar has no way to write,
    shows `required_field` for its default.
    """
    kinds = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
    parameters = [
        Parameter(held.name, kinds[bool(held.kw_only)], default=_shown_default(held.default), annotation=held.type)
        for held in dataclasses.fields(cls)
        if held.init
    ]
    return Signature(sorted(parameters, key=lambda parameter: parameter.kind), return_annotation=None)


def _shown_default(held: Any) -> Any:
    """What stands for a field's default; `held` is Pydantic's description of the field, or the default itself."""
    if not isinstance(held, FieldInfo):
        return held
    return required_field if held.is_required() else held.get_default(call_default_factory=False)


def _response(cls: type) -> StructuredResponse[Any]:
    return StructuredResponse.from_type(cls)


def _plain(data: Any) -> Any:
    """A mapping of any kind as the dict that Pydantic takes."""
    return dict(data) if isinstance(data, Mapping) else data


def _filled(data: DataClass) -> StructuredResponse[Any]:
    return _response(type(data)).from_dict(data)


@cache
def _taking_none(cls: Any) -> SchemaValidator:
    """The validator of a class that takes None for any field of it, and of the data classes in it."""
    rebuild_dataclass(cls)
    return SchemaValidator(_with_none(cls.__pydantic_core_schema__))


def _with_none(schema: Any) -> Any:
    """A core schema in which every field of a data class takes None too."""
    if isinstance(schema, list):
        return [_with_none(held) for held in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: held if key in _NO_SCHEMAS else _with_none(held) for key, held in schema.items()}
    return _CHANGED.get(str(schema.get("type")), dict)(made)


def _nullable_field(schema: Any) -> Any:
    return schema | {"schema": _or_none(schema["schema"])}


def _or_none(schema: Any) -> Any:
    if schema["type"] == "default":
        return {**schema, "schema": _or_none(schema["schema"])}
    return core_schema.nullable_schema(schema)


def _made_by_hand(schema: Any) -> Any:
    """A data class that is made of its validated fields here: pydantic-core would ask the class's own validator."""
    cls = schema["cls"]
    if not issubclass(cls, DataClass):
        return schema

    def make(value: Any, validated: Callable[[Any], Any]) -> Any:
        if isinstance(value, cls):
            return value
        fields, init_only = validated(value)
        made = object.__new__(cls)
        made.__dict__.update(fields)
        if schema.get("post_init"):
            made.__post_init__(*(init_only or ()))
        return made

    fields = {**schema["schema"], "extra_behavior": (schema.get("config") or {}).get("extra_fields_behavior", "ignore")}
    return core_schema.no_info_wrap_validator_function(make, fields, ref=schema.get("ref"))


_CHANGED: dict[str, Callable[[Any], Any]] = {"dataclass-field": _nullable_field, "dataclass": _made_by_hand}

_NO_SCHEMAS = ("metadata", "default", "expected", "members", "config", "cls", "serialization")
"""What a core schema holds beside other schemas."""
