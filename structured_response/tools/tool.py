"""A tool: what a language model may call, made of a function, a model, a schema, or another framework's tool."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, isasyncgenfunction, signature
from pickle import PicklingError
from pickle import dumps as pickled
from typing import Annotated, Any, Generic, Literal, TypedDict, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, create_model
from pydantic.errors import PydanticUserError
from pydantic_core import SchemaError

from .. import DefinitionError, StructuredResponse
from .docstrings import described

DepsT = TypeVar("DepsT")

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")  # what the providers allow, of which some also refuse the dot


@dataclass(frozen=True)
class ToolContext(Generic[DepsT]):
    """What a tool gets from the program. A parameter of this type stands in no schema.

    Attributes:
        context: What was given to `act` as its `context`.
        name: The name of the tool.
        call_id: The provider's id of a native call, or None.
    """

    context: DepsT
    name: str = ""
    call_id: str | None = None


class ToolOptions(TypedDict, total=False):
    """How a tool runs.

    Attributes:
        timeout: The seconds that it may take, or None for any time.
        isolate: "process" runs it in a process of its own, which is killed after the timeout. A function in a thread
            cannot be stopped: it goes on, and its result is lost.
        idempotent: Whether it may be called again with the same arguments to the same effect.
    """

    timeout: float | None
    isolate: Literal["thread", "process"]
    idempotent: bool


@dataclass(frozen=True, eq=False)
class Tool:
    """A tool that a language model may call. `tool_of` makes one.

    Attributes:
        name: The name by which it is called.
        description: What it does, for the language model.
        request: The request for its arguments. Its class name is the name of the tool.
        function: What runs, with the arguments by their names. None if the program answers the calls itself.
        context: The name of the parameter that takes a `ToolContext`, or None.
        timeout, isolate, idempotent: See `ToolOptions`.

    Raises:
        DefinitionError: The name, an option or the arguments are not those of a tool.
    """

    name: str
    description: str
    request: StructuredResponse[Any]
    function: Callable[..., Any] | None = None
    context: str | None = None
    timeout: float | None = None
    isolate: Literal["thread", "process"] = "thread"
    idempotent: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise DefinitionError(f"a tool's name has up to 64 letters, digits, _, - and ., unlike {self.name!r}"[:200])
        if self.request._plan.root.kind not in ("dict", "map"):
            raise DefinitionError("the arguments of a tool have names: give a schema of an object", self.name)
        if self.timeout is not None and not self.timeout > 0:
            raise DefinitionError(f"timeout is a number of seconds above 0, or None, not {self.timeout!r}", self.name)
        if self.isolate not in ("thread", "process"):
            raise DefinitionError(f"isolate is 'thread' or 'process', not {self.isolate!r}", self.name)
        if self.isolate == "process":
            self._check_process()

    def _check_process(self) -> None:
        if self.context is not None:
            raise DefinitionError("a ToolContext is not sent to a process: give isolate='thread'", self.name)
        try:
            pickled(self.function)
        except (PicklingError, AttributeError, TypeError) as error:
            raise DefinitionError(
                f"isolate='process' needs a function that another process can import by its name: {error}", self.name
            ) from error


def tool_of(given: Any) -> Tool:
    """Makes a tool.

    Args:
        given: A function, also async, a method or an object that can be called; a Pydantic model; a tool's schema as
            OpenAI, Anthropic or MCP write it; a tool of LangChain or pydantic-ai; or a tool.

    Raises:
        DefinitionError: It is none of these, or it cannot be described.
    """
    for is_such, make in _MAKERS:
        if is_such(given):
            return make(given)
    remedy = "; write Toolbox(*tools)" if isinstance(given, list | tuple) else ""
    raise DefinitionError(f"a function, a Pydantic model or a tool's schema is needed, not {given!r}"[:300] + remedy)


# Functions

_UNNAMED = {
    Parameter.POSITIONAL_ONLY: "is positional-only, and arguments are given by name",
    Parameter.VAR_POSITIONAL: "takes any number of arguments; write a list",
    Parameter.VAR_KEYWORD: "takes arguments of any name; write each as a parameter, or a dict",
}


def _of_function(given: Callable[..., Any]) -> Tool:
    function, bound = (given.func, given.keywords) if isinstance(given, partial) else (given, {})
    is_object = not hasattr(function, "__name__")
    name = type(function).__name__ if is_object else function.__name__
    annotated = type(function).__call__ if is_object else function
    if isasyncgenfunction(annotated):
        raise DefinitionError("it yields its result in pieces; return a list", name)
    description, texts = described(annotated.__doc__ or function.__doc__)
    fields: dict[str, Any] = {}
    context = None
    for parameter, hint, default in _parameters(given, annotated, name):
        if parameter in bound:  # the program's own choice, which the language model is not to change
            continue
        if not _is_context(hint):
            fields[parameter] = (_with_description(hint, texts.get(parameter)), default)
        elif context is None:
            context = parameter
        else:
            raise DefinitionError("there is a ToolContext already", f"{name}.{parameter}")
    return Tool(name, description, _arguments(name, fields), given, context)


def _parameters(given: Callable[..., Any], annotated: Any, name: str) -> list[tuple[str, Any, Any]]:
    """Returns each parameter's name, type and default, which is `...` if there is none."""
    try:
        parameters = signature(given).parameters
        hints = get_type_hints(annotated, include_extras=True)
    except (NameError, AttributeError, TypeError, ValueError, SyntaxError) as error:
        message = f"its parameters or their types are not known: {error}"
        raise DefinitionError(f"{message}; a type is found if its module has it at the top", name) from error
    for parameter, held in parameters.items():
        if held.kind in _UNNAMED:
            raise DefinitionError(_UNNAMED[held.kind], f"{name}.{parameter}")
        if parameter not in hints:
            raise DefinitionError(f"has no type; write {parameter}: str, or another type", f"{name}.{parameter}")
        if parameter.startswith("_"):
            raise DefinitionError("begins with an underscore, which no argument may", f"{name}.{parameter}")
    return [
        (parameter, hints[parameter], ... if held.default is Parameter.empty else held.default)
        for parameter, held in parameters.items()
    ]


def _is_context(hint: Any) -> bool:
    is_it = hint is ToolContext or get_origin(hint) is ToolContext
    return is_it or any(_is_context(part) for part in get_args(hint))


def _with_description(hint: Any, description: str | None) -> Any:
    """Returns a type with the docstring's description, which any that the type has itself comes after and replaces."""
    if description is None:
        return hint
    kind, *metadata = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    return Annotated[(kind, Field(description=description), *metadata)]


def _arguments(name: str, fields: dict[str, Any]) -> StructuredResponse[Any]:
    try:
        with warnings.catch_warnings():  # a parameter may be called `schema` or `copy`, as methods of all models are
            warnings.simplefilter("ignore")
            model: type[BaseModel] = create_model(name, **fields)
    except (PydanticUserError, SchemaError, NameError, TypeError, ValueError) as error:
        raise DefinitionError(f"a parameter cannot be described: {str(error).partition('. ')[0]}", name) from error
    return StructuredResponse.from_basemodel(model)


# Models and schemas


def _of_model(given: type[BaseModel]) -> Tool:
    own = given.__doc__ if given.__doc__ != BaseModel.__doc__ else None
    return Tool(given.__name__, described(own)[0], StructuredResponse.from_basemodel(given))


_SCHEMA_KEYS = ("parameters", "input_schema", "inputSchema")  # of OpenAI, Anthropic and MCP


def _of_schema(given: Mapping[str, Any]) -> Tool:
    held = given["function"] if isinstance(given.get("function"), Mapping) else given
    is_function = given.get("type") == "function"  # which may leave its parameters out if it has none
    schemas: list[Any] = [held[key] for key in _SCHEMA_KEYS if held.get(key) is not None] or [{}] * is_function
    if not schemas or not isinstance(held.get("name"), str):
        raise DefinitionError(f"a tool's schema has a name and one of {', '.join(_SCHEMA_KEYS)}, unlike {given}"[:300])
    return schema_tool(held["name"], held.get("description"), schemas[0])


def schema_tool(name: str, description: Any, schema: Any, function: Callable[..., Any] | None = None) -> Tool:
    """Makes a tool of the JSON Schema of its arguments."""
    if isinstance(schema, Mapping) and not schema.get("properties") and schema.keys() <= _NO_ARGUMENTS:
        schema = {"type": "object", "properties": {}, "additionalProperties": False}
    try:
        request = StructuredResponse.from_json_schema(schema, name)
    except DefinitionError as error:
        raise DefinitionError(error.message, f"{name}.{error.path}".rstrip(".")) from error
    return Tool(name, str(description or ""), request, function)


_NO_ARGUMENTS = {"$schema", "type", "title", "description", "properties", "required"}
"""The keywords of schemas that servers write for a tool without arguments, although any object satisfies them."""


# Tools of other frameworks, which are called with what they read themselves


def _is_of(module: str, name: str) -> Callable[[Any], bool]:
    """Returns a check for a class of a framework, which was imported if there is an object of it."""

    def check(given: Any) -> bool:
        kind = getattr(sys.modules.get(module), name, None)
        return kind is not None and isinstance(given, kind)

    return check


def _of_langchain(given: Any) -> Tool:
    def run(**arguments: Any) -> Any:
        return given.invoke(arguments)

    async def arun(**arguments: Any) -> Any:
        return await given.ainvoke(arguments)

    function = run if getattr(given, "coroutine", None) is None else arun
    schema = given.tool_call_schema
    if isinstance(schema, Mapping):
        return schema_tool(given.name, given.description, schema, function)
    return Tool(given.name, given.description, StructuredResponse.from_type(schema, given.name), function)


def _of_pydantic_ai(given: Any) -> Tool:
    schema = given.function_schema
    if schema.takes_ctx:
        raise DefinitionError("it takes pydantic-ai's RunContext; give its function with a ToolContext", given.name)

    async def run(**arguments: Any) -> Any:
        return await schema.call(schema.validator.validate_python(arguments), None)

    return schema_tool(given.name, given.description, schema.json_schema, run)


_MAKERS: tuple[tuple[Callable[[Any], bool], Callable[[Any], Tool]], ...] = (
    (lambda given: isinstance(given, Tool), lambda given: given),
    (lambda given: isinstance(given, type) and issubclass(given, BaseModel), _of_model),
    (lambda given: isinstance(given, Mapping), _of_schema),
    (_is_of("langchain_core.tools", "BaseTool"), _of_langchain),
    (_is_of("pydantic_ai.tools", "Tool"), _of_pydantic_ai),
    (lambda given: callable(given) and not isinstance(given, type), _of_function),
)
