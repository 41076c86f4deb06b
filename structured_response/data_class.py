"""`DataClass`: a base for classes that describe data to a language model, by means of `StructuredResponse`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, get_annotations
from typing import Any, ClassVar, Self, dataclass_transform

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, ValidationInfo, field_validator
from pydantic.dataclasses import dataclass
from pydantic.fields import FieldInfo

from .data.validators import problems_of
from .definition import Selection
from .errors import InstanceError
from .response import StructuredResponse


def required_field() -> Any:
    """Mark a field as required: `field(default_factory=required_field)`. It is never called."""
    raise TypeError("required_field marks a field in place of a default_factory; it cannot be called")


@dataclass_transform(field_specifiers=(dataclasses.field, Field))
class DataClass:
    """The base of data classes. A subclass becomes a Pydantic dataclass, without a decorator.

    A field is described by `dataclasses.field(metadata={"desc": ...})`, by Pydantic's `Field(description=...)` or by a
    docstring below it. It is required unless it has a default, for which `default_factory=required_field` does not
    count. The constructor raises Pydantic's `ValidationError` for invalid values and unknown names.

    All methods that write take either `exclude` or `include`: names of this class, dotted paths, or a dict of names by
    class (`{"ClassName": [names]}`) for any depth.
    """

    __signature__: ClassVar[Signature]
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in get_annotations(cls):
            held = cls.__dict__.get(name, dataclasses.field())
            if isinstance(held, dataclasses.Field):
                setattr(cls, name, _as_pydantic(held))
        setattr(cls, _or_gap.__name__, field_validator("*", mode="wrap", check_fields=False)(_or_gap))
        dataclass(cls)
        cls.__signature__ = _signature(cls)

    # The request

    @classmethod
    def to_data_class_schema(cls, exclude: Selection = (), include: Selection = ()) -> dict[str, Any]:
        """Return `{"type": ..., "desc": ..., "required": ...}` for each field."""
        return _response(cls).to_schema(include=include, exclude=exclude)

    @classmethod
    def to_data_class_schema_str(cls, exclude: Selection = (), include: Selection = ()) -> str:
        """Return the schema as JSON."""
        return _response(cls).to_schema_str(include=include, exclude=exclude)

    @classmethod
    def to_json_signature(cls, exclude: Selection = (), include: Selection = ()) -> str:
        """Return the form of the data in JSON, with each value described in its place."""
        return _response(cls).to_json_signature(include=include, exclude=exclude)

    @classmethod
    def to_yaml_signature(cls, exclude: Selection = (), include: Selection = ()) -> str:
        """Return the form of the data in YAML, with each value described in its place."""
        return _response(cls).to_yaml_signature(include=include, exclude=exclude)

    # Data

    @classmethod
    def load_from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Create an instance from a row of a dataset. Override it if the dataset has other names.

        Args:
            data: The row. Any field may be None, since datasets have gaps. It is not modified.

        Raises:
            InstanceError: A value is invalid, a name is unknown, or one is missing. All of them are named.
        """
        given: Any = data
        row = dict(given) if isinstance(given, Mapping) else given
        try:
            made: Self = TypeAdapter(cls).validate_python(row, context=_WITH_GAPS)
        except ValidationError as error:
            problems = [problem for _path, problem in problems_of(_response(cls)._plan, error)]
            raise InstanceError(f"the data is not a valid {cls.__name__}", problems) from error
        return made

    def to_dict(self, exclude: Selection = (), include: Selection = ()) -> dict[str, Any]:
        """Return the data as a JSON-compatible dict."""
        made: dict[str, Any] = _filled(self).to_dict(include=include, exclude=exclude)
        return made

    def to_json(self, exclude: Selection = (), include: Selection = ()) -> str:
        """Return the data as JSON, indented by four."""
        return _filled(self).to_json(include=include, exclude=exclude)

    def to_yaml(self, exclude: Selection = (), include: Selection = ()) -> str:
        """Return the data as YAML in block style, without a final line break."""
        return _filled(self).to_yaml(include=include, exclude=exclude)


_WITH_GAPS: dict[str, Any] = {}
"""The validation context of rows, which may have None for any field."""


def _or_gap(cls: type, value: Any, validate: Callable[[Any], Any], info: ValidationInfo) -> Any:
    return None if value is None and info.context is _WITH_GAPS else validate(value)


def _as_pydantic(held: Any) -> Any:
    """Convert a field of the standard library, since Pydantic looks for a description elsewhere."""
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
    """Return the signature of a class. The default of required fields is `required_field`: they may follow others."""
    parameters = []
    for held in dataclasses.fields(cls):
        default: Any = held.default
        if isinstance(default, FieldInfo):
            default = required_field if default.is_required() else default.get_default(call_default_factory=False)
        kind = Parameter.KEYWORD_ONLY if held.kw_only else Parameter.POSITIONAL_OR_KEYWORD
        if held.init:
            parameters.append(Parameter(held.name, kind, default=default, annotation=held.type))
    return Signature(sorted(parameters, key=lambda parameter: parameter.kind), return_annotation=None)


_response = StructuredResponse.from_type


def _filled(data: DataClass) -> StructuredResponse[Any]:
    return _response(type(data)).from_dict(data)
