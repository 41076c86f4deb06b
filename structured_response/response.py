"""The facade: `StructuredResponse` holds a definition and an instance, and delegates the rest."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import is_dataclass, replace
from functools import partial
from itertools import islice
from reprlib import Repr
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar, Unpack, cast, overload

from pydantic import BaseModel
from pydantic_core import ValidationError

from . import definition as definitions
from . import read as parse
from .data import compare, serialize
from .data import model as models
from .data import validators as validate
from .definition import MISSING, Node, Plan, Selection, show_path
from .errors import DefinitionError, DeserializeError, InstanceError, ReplyError
from .findings import Problem, ProblemKind, Repair, RepairKind
from .lazy import Lazy
from .options import Format, ParseOptions, ReadingOptions, parse_options
from .read import Answer
from .read.validate import with_none

if TYPE_CHECKING:
    from typing_extensions import TypeForm
    from typing_extensions import TypeVar as TypeVarWithDefault

    from . import reask, stream
    from .data import box, load
    from .explain import Explanation
    from .render import json, json_schema, prompt, signature, xml, yaml
    from .render.prompt import PromptFormat
    from .stream import Part

    AnyType = TypeVarWithDefault("AnyType", default=Any)  # what a checker makes of a TypeForm that it does not know
else:
    box, load = Lazy("data.box"), Lazy("data.load")
    prompt, reask, stream = Lazy("render.prompt"), Lazy("reask"), Lazy("stream")
    json, json_schema, signature, xml, yaml = (
        Lazy(f"render.{name}") for name in ("json", "json_schema", "signature", "xml", "yaml")
    )

ModelT = TypeVar("ModelT")
AnyModel = TypeVar("AnyModel", bound=BaseModel)

_DEFAULTS = ParseOptions()

DOUBT = "the pieces of the reply fit together in more than one way"
"""The message of a problem about a value that `read_joined` cannot know."""


class Source(NamedTuple):
    """A reply, the plan by which it was read, and the options."""

    plan: Plan
    reply: str
    options: ParseOptions


class _InOrder(Repr):
    """Shortens values and keeps the order of their fields, which `Repr` would sort."""

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        if x and level <= 0:
            return "{...}"
        shown = [f"{self.repr1(key, level - 1)}: {self.repr1(x[key], level - 1)}" for key in islice(x, self.maxdict)]
        return f"{{{', '.join(shown + ['...'] * (len(x) > self.maxdict))}}}"


_SHORT = _InOrder()
_SHORT.maxdict, _SHORT.maxlist, _SHORT.maxstring = 12, 4, 60


class StructuredResponse(Generic[ModelT]):
    """A request for data from a language model, and the data that came back.

    `StructuredResponse("Name")` begins an empty definition for `add_node`. `from_basemodel` and `from_type` derive the
    definition from a type. `parse` never changes the response, so threads can share one. Methods that need PyYAML raise
    `MissingExtraError` without it.
    """

    __slots__ = ("_answer", "_box", "_plan", "_source")

    def __init__(self, class_name: str) -> None:
        self._hold(Plan(class_name, Node("dict", name=class_name, nullable=False)), Answer(MISSING))

    def _hold(self, plan: Plan, answer: Answer, source: Source | None = None) -> None:
        if answer.data is None and plan.root.kind == "dict" and not plan.root.nullable:
            answer.data = {}  # null instead of an object has no fields; the problems say what is wrong with it
        self._plan = plan
        self._answer = answer
        self._source = source
        self._box: Any = MISSING

    @classmethod
    def _of(cls, plan: Plan, answer: Answer | None = None, source: Source | None = None) -> Self:
        made = cls.__new__(cls)
        made._hold(plan, Answer(MISSING) if answer is None else answer, source)
        return made

    # Constructors

    @classmethod
    def from_basemodel(cls, model: type[AnyModel] | AnyModel) -> StructuredResponse[AnyModel]:
        """Create a response from a Pydantic model. The plan of a class is compiled once.

        Args:
            model: A class, or an instance whose data fills the response.

        Raises:
            DefinitionError: `model` is not a Pydantic model, or it cannot be described.
            InstanceError: The instance holds a value that JSON cannot hold.
        """
        kind: Any = model if isinstance(model, type) else type(model)
        if not issubclass(kind, BaseModel):
            shown, remedy = definitions.shown_value(model), definitions.value_remedy(model)
            remedy = remedy or "from_type takes any other type"
            raise DefinitionError(f"a Pydantic model is needed, a class or an instance of one, not {shown}; {remedy}")
        plan = definitions.shared_plan(kind, kind.__name__)
        answer = Answer(models.coerce(plan, models.dump(plan, model))) if isinstance(model, BaseModel) else None
        return StructuredResponse._of(plan, answer)

    @overload
    @classmethod
    def from_type(cls, described: type[AnyType], name: str | None = None) -> StructuredResponse[AnyType]: ...

    @overload
    @classmethod
    def from_type(cls, described: TypeForm[AnyType], name: str | None = None) -> StructuredResponse[AnyType]: ...

    @overload
    @classmethod
    def from_type(cls, described: Any, name: str | None = None) -> StructuredResponse[Any]: ...

    @classmethod
    def from_type(cls, described: Any, name: str | None = None) -> StructuredResponse[Any]:
        """Create a response from any type that Pydantic can describe: a dataclass, a TypedDict, `list[Task]`, a union.

        Args:
            described: The type.
            name: The class name. By default `list[Task]` is "TaskList", `dict[str, Task]` "TaskMap", a scalar "Value".

        Raises:
            DefinitionError: The type cannot be described.
        """
        called = definitions.type_name(described) if name is None else name
        return StructuredResponse._of(definitions.shared_plan(described, called))

    @classmethod
    def from_json_schema(cls, schema: Mapping[str, Any], name: str | None = None) -> StructuredResponse[Any]:
        """Create a response from a JSON Schema (draft 2020-12, as Pydantic, OpenAPI and MCP tools write it).

        Args:
            schema: The schema. Keywords that a definition cannot express, such as `if` or `contains`, are checked by
                jsonschema (the extra `schema`).
            name: The class name. By default it is the schema's title, or else "Value".

        Raises:
            DefinitionError: The schema cannot be described, or a keyword needs jsonschema, which is not installed.
        """
        return StructuredResponse._of(validate.verified(definitions.plan_of_schema(name, schema)))

    @classmethod
    def from_definition(cls, name: str, definition: Mapping[str, Any]) -> StructuredResponse[Any]:
        """Create a response from a definition that was written by hand.

        Raises:
            DefinitionError: The definition is invalid; `path` says where.
        """
        return StructuredResponse._of(validate.verified(definitions.plan_of_document(name, definition)))

    def add_node(
        self,
        path: str,
        type: str,
        elements: str | Mapping[str, Any] | None = None,
        description: str | None = None,
        choices: Iterable[Any] | None = None,
        *,
        required: bool = True,
        default: Any = MISSING,
        **constraints: Any,
    ) -> Self:
        """Add a field to the definition of this response, or replace one, and forget what was read before.

        Args:
            path: A dotted path such as `parts.points`. It reaches into objects and into the items of lists.
            type: The name of the type.
            elements: The items of a list or the fields of an object.
            description: What the field is for.
            choices: The values of an enum.
            required: Whether a reply must have the field. A field with a `default` is optional.
            default: The value of the field where a reply lacks it.
            **constraints: Pydantic's constraints, such as `ge` or `max_length`.

        Raises:
            DefinitionError: The path leads nowhere, or the type or a constraint is invalid.
        """
        given = {"elements": elements, "description": description, **constraints}
        node = {name: value for name, value in given.items() if value is not None}
        if choices is not None:
            node["choices"] = (
                choices if isinstance(choices, str) or not isinstance(choices, Iterable) else list(choices)
            )
        needed = False if required is True and default is not MISSING else required
        root = definitions.add(self._plan.root, path, {"type": type, **node}, needed, default)
        self._hold(validate.verified(replace(self._plan, root=root, is_complete=False)), Answer(MISSING))
        return self

    def select(self, *, include: Selection = (), exclude: Selection = ()) -> StructuredResponse[ModelT]:
        """Create a response that asks for some of the fields only.

        Args:
            include: The fields to ask for, as dotted paths through objects, lists, maps, tuples and unions
                (`children.age`), or as a dict of names by class (`{"Child": ["age"]}`).
            exclude: The fields to leave out, in the same forms.

        Raises:
            DefinitionError: Both are given, or a name does not exist.
        """
        root = definitions.select(self._plan.root, include, exclude)
        return self._of(self._plan if root is self._plan.root else self._plan.with_root(root))

    # The request

    @property
    def class_name(self) -> str:
        """The name of the requested data."""
        return self._plan.class_name

    @property
    def definition(self) -> dict[str, Any]:
        """The definition as a plain dict. Responses share it, so it must not be changed."""
        return self._plan.definition

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits, which are equal for equal class names and definitions."""
        return self._plan.fingerprint

    def to_prompt(
        self,
        format: PromptFormat = "xml",
        *,
        instructions: bool = False,
        include: Selection = (),
        exclude: Selection = (),
        examples: Iterable[Any] = (),
    ) -> str:
        """Write the definition as text for a language model.

        Args:
            format: "xml", "json", "yaml" (needs PyYAML), or "schema", which asks for JSON.
            instructions: Whether a paragraph on how to answer precedes the form.
            include: The fields to ask for; see `select`.
            exclude: The fields to leave out.
            examples: Instances of the model, responses, or plain data, shown behind the form. Give them to `parse` too,
                so that a reply that repeats one is not taken for an answer.

        Raises:
            InstanceError: An example does not fit the definition.
        """
        asked = self.select(include=include, exclude=exclude)._plan
        shown = self._shown_examples(asked, examples)
        return prompt.to_prompt(asked, format, instructions=instructions, examples=shown)

    def _shown_examples(self, asked: Plan, examples: Iterable[Any]) -> list[Any]:
        """Return the data of examples, as far as it is asked for."""
        if isinstance(examples, str | Mapping | BaseModel | StructuredResponse):
            raise TypeError(f"examples is a list of examples, not {type(examples).__name__}")
        shown = []
        for number, example in enumerate(examples, 1):
            try:
                shown.append(self._data_of(example, asked))
            except InstanceError as error:
                raise InstanceError(f"example {number}: {error.message}", error.problems) from error
        return shown

    def _data_of(self, given: Any, asked: Plan) -> Any:
        """Return the data of a response, an instance of the model, or plain data, as far as it is asked for."""
        model = self._plan.model
        if isinstance(given, StructuredResponse):
            source, data = given._plan, given._current()
            data = {} if data is MISSING else data
        elif model in type(given).__mro__ and (isinstance(given, BaseModel) or is_dataclass(given)):
            source = self._plan if self._plan.is_complete else definitions.shared_plan(model, self.class_name)
            data = models.dump(source, given)
        else:
            source, data = self._plan, models.coerce(self._plan, given)
        return models.coerce(asked, definitions.kept(source.root, asked.root, data))

    def to_schema(self, *, include: Selection = (), exclude: Selection = ()) -> dict[str, Any]:
        """Return the description of each field: `{"age": {"type": "int", "desc": ..., "required": True}}`."""
        return deepcopy(signature.schema_of(self.select(include=include, exclude=exclude)._plan))

    def to_schema_str(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """Return the schema of `to_schema` as JSON."""
        return signature.schema_text(self.select(include=include, exclude=exclude)._plan)

    def to_json_schema(self) -> dict[str, Any]:
        """Return a JSON Schema, draft 2020-12: the model's own, or else that of the definition."""
        return deepcopy(json_schema.json_schema_of(self._plan))

    def to_json_signature(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """Return the form of the answer in JSON: `{"age": "The age of the person (int) (required)"}`."""
        return signature.json_signature(self.select(include=include, exclude=exclude)._plan)

    def to_yaml_signature(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """Return the form of the answer in YAML. Needs PyYAML."""
        return signature.yaml_signature(self.select(include=include, exclude=exclude)._plan)

    # Data of a program

    def from_dict(self, data: Any) -> Self:
        """Fill this response with plain data, and return it.

        Raises:
            InstanceError: Values do not fit the definition. All of them are named, and the response stays unchanged.
        """
        self._hold(self._plan, Answer(self._data_of(data, self._plan)))
        return self

    def from_json(self, text: str) -> Self:
        """Fill this response with the data of a strict JSON text; see `from_dict`."""
        return self.from_dict(load.json_data(_checked_text("text", text)))

    def from_yaml(self, text: str) -> Self:
        """Fill this response with the data of a strict YAML text; see `from_dict`. Needs PyYAML."""
        return self.from_dict(load.yaml_data(_checked_text("text", text)))

    # Replies

    def parse(self, reply: str, strict: bool = True, **options: Unpack[ReadingOptions]) -> StructuredResponse[ModelT]:
        """Read a reply into a new response. This one stays as it is.

        Args:
            reply: The text of the language model.
            strict: Whether a reply with problems raises. Otherwise bad fields hold None, and `problems` names them.
            **options: See `ReadingOptions`.

        Raises:
            ReplyError: The reply does not satisfy the model, or it has no data at all, whatever `strict` says. The
                error carries everything that could be read.
            InstanceError: One of the `examples` does not fit the definition.
        """
        how = self._how(reply, options)
        answer = parse.read(self._plan, reply, how)
        if not answer.found:
            raise ReplyError(answer.problems, reply)
        return self._answered(answer, reply, strict, Source(self._plan, reply, how))

    def _answered(self, answer: Answer, reply: str, strict: bool, source: Source | None = None) -> Self:
        """Return a new response with an answer. Raises `ReplyError` for problems that `strict` does not allow."""
        made = self._of(self._plan, answer, source)
        if strict and answer.problems and not answer.is_tolerated:
            raise ReplyError(answer.problems, reply, made)
        return made

    def stream(
        self, chunks: Iterable[str], strict: bool = True, **options: Unpack[ReadingOptions]
    ) -> Iterator[Part[ModelT]]:
        """Read a reply while it is being written. After each piece, a `Part` shows what is known.

        Texts grow as they come; all other values appear once they are closed. The last part has the data of `parse`.

        Args:
            chunks: The pieces of the reply. It is closed when the iterator is.
            strict, options: See `parse`.

        Yields:
            A part for each piece, and a last one.

        Raises:
            ReplyError: At the end, if `parse` raises it for the whole reply.
        """
        return stream.parts(self, chunks, strict, options)

    def astream(
        self, chunks: AsyncIterable[str] | Iterable[str], strict: bool = True, **options: Unpack[ReadingOptions]
    ) -> AsyncIterator[Part[ModelT]]:
        """Read a reply while it is being written, with `async for`; see `stream`."""
        return stream.aparts(self, chunks, strict, options)

    def items(
        self,
        chunks: Iterable[str],
        path: str,
        strict: bool = True,
        on_restart: Callable[[], object] | None = None,
        **options: Unpack[ReadingOptions],
    ) -> Iterator[Any]:
        """Read the items of a list while the reply is being written, each once it is final.

        Args:
            chunks: The pieces of the reply.
            path: The path of the list, such as `steps`, `plan.steps`, or `$` for the whole answer.
            on_restart: Called when the items so far turn out to be a draft, which is then given anew.
            strict, options: See `parse`.

        Yields:
            The items, validated: instances of their model, or Boxes without one.

        Raises:
            RestartedError: The items so far were a draft, and there is no `on_restart`.
            ReplyError: At the end, if `parse` raises it for the whole reply.
            DefinitionError: There is no list at the path.
        """
        taker = stream.Items(self, path, options.get("context"), on_restart)
        return stream.taken(self.stream(chunks, strict, **options), taker)

    def aitems(
        self,
        chunks: AsyncIterable[str] | Iterable[str],
        path: str,
        strict: bool = True,
        on_restart: Callable[[], object] | None = None,
        **options: Unpack[ReadingOptions],
    ) -> AsyncIterator[Any]:
        """Read the items of a list while the reply is being written, with `async for`; see `items`."""
        taker = stream.Items(self, path, options.get("context"), on_restart)
        return stream.ataken(self.astream(chunks, strict, **options), taker)

    def text(
        self,
        chunks: Iterable[str],
        path: str,
        strict: bool = True,
        on_restart: Callable[[], object] | None = None,
        **options: Unpack[ReadingOptions],
    ) -> Iterator[str]:
        """Read one text of the data while the reply is being written, to show it to a person.

        Args:
            chunks, on_restart, strict, options: See `items`, which also has the errors.
            path: The path of the text, such as `code` or `steps[0].name`.

        Yields:
            The characters of the text, as they come.
        """
        taker = stream.Characters(self, path, on_restart)
        return stream.taken(self.stream(chunks, strict, **options), taker)

    def atext(
        self,
        chunks: AsyncIterable[str] | Iterable[str],
        path: str,
        strict: bool = True,
        on_restart: Callable[[], object] | None = None,
        **options: Unpack[ReadingOptions],
    ) -> AsyncIterator[str]:
        """Read one text of the data while the reply is being written, with `async for`; see `text`."""
        taker = stream.Characters(self, path, on_restart)
        return stream.ataken(self.astream(chunks, strict, **options), taker)

    def from_prompt(self, reply: str, strict: bool = True, **options: Unpack[ReadingOptions]) -> Self:
        """Read a reply into this response, and return it; see `parse`. If it raises, nothing changed."""
        read = self.parse(reply, strict, **options)
        self._hold(self._plan, read._answer, read._source)
        return self

    def to_reask(self, *, format: Format = "xml") -> str:
        """Write the message that asks again for what is wrong, and for nothing else.

        It names each of `problems` in a line, and ends with the prompt of the fields that they are about. Send it after
        the reply, and give the next reply to `amend`. Of a list, a map or an object it asks for the bad parts only, and
        calls an item by its index, `item_3`. A union, or a value that a validator refused, is asked for as a whole.

        Returns:
            The message, or an empty text if nothing is wrong.
        """
        if not self._answer.problems and self._answer.truncated is None:
            return ""
        asked = self._again()
        return asked.message(self._of(asked.plan).to_prompt(format))

    def amend(self, reply: str, strict: bool = True, **options: Unpack[ReadingOptions]) -> StructuredResponse[ModelT]:
        """Read a reply to `to_reask`, and merge it with this response into a new one; see `parse` for the arguments.

        The `repairs` of the new response come from both replies. Each span is a place in its own reply.

        Raises:
            ReplyError: Something is still wrong. The `response` of the error can be amended in turn; it is this
                response if the reply holds nothing of what was asked for.
        """
        how, asked = self._how(reply, options), self._again()
        before = replace(self._answer, data=self._current(), is_typed=True, model=None)
        answer = reask.amended(self._plan, asked, before, reply, how)
        if not answer.found:
            old = [replace(problem, span=None) for problem in self._answer.problems]  # places in another reply
            raise ReplyError([*answer.problems, *old], reply, self)
        return self._answered(answer, reply, strict, Source(asked.plan, reply, how))

    def _again(self) -> reask.Again:
        return reask.again(self._plan, self._current(), self._answer.problems, self._answer.truncated)

    def parse_all(
        self, reply: str, strict: bool = True, **options: Unpack[ReadingOptions]
    ) -> list[StructuredResponse[ModelT]]:
        """Read each answer of a reply, except those in reasoning blocks, into a response; see `parse`.

        Raises:
            ReplyError: The reply has no answer, or, with `strict`, one of them has problems.
        """
        how = self._how(reply, options)
        answers = [answer for answer in parse.read_all(self._plan, reply, how) if answer.found]
        if not answers:
            raise ReplyError(parse.read(self._plan, reply, how).problems, reply)
        return [self._answered(answer, reply, strict) for answer in answers]

    def _how(self, reply: str, options: ReadingOptions) -> ParseOptions:
        """Return the checked options for reading a reply."""
        _checked_text("reply", reply)
        if not options:
            return _DEFAULTS
        how, echoes = parse_options(options), list[Any]()
        for data in self._shown_examples(self._plan, how.examples):
            echoes.append(data)  # a reply that repeats an example says that, or what reading its XML gives
            with suppress(ReplyError):
                echoes.append(self.parse(prompt.example_text(self._plan, "xml", data), strict=False)._typed())
        return how._replace(examples=tuple(compare.comparison_key(self._plan.root, each) for each in echoes))

    @property
    def repairs(self) -> list[Repair]:
        """The repairs of the reply, in its order."""
        return list(self._answer.repairs)

    @property
    def problems(self) -> list[Problem]:
        """The problems of the reply. Empty unless it was read with `strict=False` or `on_bad_item="keep"`."""
        return list(self._answer.problems)

    @property
    def reply(self) -> str | None:
        """The reply that this response was read from, the last one if it was amended; None if there is none.

        It is neither serialized nor pickled, and `parse_all`, which reads several answers, keeps none.
        """
        return None if self._source is None else self._source.reply

    def explain(self) -> Explanation:
        """Explain how the reply was read: the place of each value, the repairs, the problems, another reading.

        Print it, let a notebook show it, or write its `to_html()` to a file. Printing needs the extra `cli`.

        Raises:
            InstanceError: This response was not read from a reply.
        """
        if self._source is None:
            raise InstanceError(f"this {self.class_name} was not read from a reply, so there is nothing to explain")
        from .explain import explanation_of

        return explanation_of(*self._source)

    @property
    def truncated(self) -> str | None:
        """The path of the value at which the reply breaks off, such as `$.parts[1].label`, or None.

        Values before it are kept, and so is half a text; half a number or half a choice is None. A reply that lacks
        only closing tags does not break off.
        """
        return self._answer.truncated

    # The instance

    @property
    def instance(self) -> Any:
        """The data that was read, as a `box.Box`. It is made at the first look, and takes assignments."""
        if self._box is MISSING:
            held = self._typed()
            empty: Any = [] if self._plan.root.kind in ("list", "tuple") else {}
            self._box = box.to_box(self._plan.root, empty if held is MISSING else held, fill=held is not MISSING)
        return self._box

    def to_dict(self, *, include: Selection = (), exclude: Selection = ()) -> Any:
        """Return the instance as plain JSON-compatible data, without the fields that were not given."""
        data = self._current()
        plain = {} if data is MISSING else box.from_box(data)
        return definitions.kept(self._plan.root, definitions.select(self._plan.root, include, exclude), plain)

    def to_json(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """Return the instance as JSON, indented by four. NaN and infinities are written as Python's `json` does."""
        return json.to_json(self.to_dict(include=include, exclude=exclude), json.tag_names(self._plan))

    def to_yaml(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """Return the instance as YAML in block style, without a final line break. Needs PyYAML."""
        escape = partial(json.escape_tags, json.tag_names(self._plan))
        return yaml.to_yaml(self.to_dict(include=include, exclude=exclude), escape)

    def to_basemodel(self, *, context: Any = None) -> ModelT:
        """Return the instance as a validated model. Each call gives an object of its own.

        Args:
            context: The context of the model's validators.

        Raises:
            InstanceError: The instance does not satisfy the model, nothing was read yet, or there is no model.
        """
        answer = self._answer
        if answer.model is not None and context is None and (self._box is MISSING or self._current() is answer.data):
            model, answer.model = answer.model, None  # handed out once: the next caller gets another one
            return cast("ModelT", model)
        data = self._current()
        if data is MISSING:
            raise InstanceError(f"nothing has been read into this {self.class_name} yet")
        try:
            return cast("ModelT", models.to_model(self._plan)(data, context))
        except ValidationError as error:
            problems = [problem for _path, problem in validate.problems_of(self._plan, error)]
            raise InstanceError(f"the instance is not a valid {self.class_name}", problems) from error

    def _typed(self) -> Any:
        answer = self._answer
        if not answer.is_typed:
            answer.data = validate.typed(self._plan).validate_python(answer.data)
            answer.is_typed = True
        return answer.data

    def _current(self) -> Any:
        """Return the data as it is now: the very object that was read, unless something was assigned since."""
        if self._box is MISSING:
            return self._typed()
        data, before = box.from_box(self._box), self._answer.data
        if (before is MISSING and not data) or models.is_same(data, before):
            return before
        return models.coerce(self._plan, data)

    # As text

    def __str__(self) -> str:
        """Return the instance as plain XML, or an empty text before anything was read."""
        data = self._current()
        return "" if data is MISSING else xml.to_xml(self._plan, data)

    def serialize(self) -> str:
        """Return the definition and the instance as one JSON text."""
        return serialize.serialize(self._plan, self._current())

    @classmethod
    def deserialize(cls, text: str | bytes, model: Any = None) -> StructuredResponse[Any]:
        """Restore a response from the text that `serialize` wrote.

        Args:
            text: The JSON text.
            model: The model or type that the response was made from, to validate with.

        Raises:
            DeserializeError: The text is invalid, or its definition is not that of `model`. In the latter case the
                error carries the response without the model.
        """
        expected = None if model is None else definitions.shared_plan(model, definitions.type_name(model))
        try:
            plan, data = serialize.deserialize(text, expected)
        except DeserializeError as error:
            if expected is not None:
                with suppress(DeserializeError):
                    error.response = StructuredResponse.deserialize(text)
            raise
        return StructuredResponse._of(plan, Answer(data))

    # Comparison and display

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StructuredResponse):
            return NotImplemented
        if self is other:
            return True
        if self.class_name != other.class_name or not definitions.is_same(self.definition, other.definition):
            return False
        try:
            mine, others = (definitions.storable(each._plan.root, each._current()) for each in (self, other))
            return bool(mine == others or self._filled() == other._filled())  # NaN equals NaN
        except InstanceError:
            return False

    def _filled(self) -> Any:
        root = self._plan.root
        return definitions.storable(root, box.from_box(box.to_box(root, self._current()), whole=True))

    __hash__ = None  # type: ignore[assignment]  # instances can be changed

    def __repr__(self) -> str:
        counts = [(len(self._answer.repairs), "repair"), (len(self._answer.problems), "problem")]
        findings = "".join(f", {count} {name}{'s' if count > 1 else ''}" for count, name in counts if count)
        held = self._typed() if self._box is MISSING else box.from_box(self._box)
        try:
            is_empty = held is MISSING or (self._answer.data is MISSING and not held)
            shown = "empty" if is_empty else _SHORT.repr(held)
        except ValueError:  # Python writes no integer of more than 4,300 digits
            shown = "..."
        return f"<StructuredResponse {self.class_name}: {shown}{findings}>"

    def __reduce__(self) -> Any:
        return _restored, (self._plan, self._current(), self.repairs, self.problems, self.truncated)


def _restored(plan: Plan, *answer: Any) -> StructuredResponse[Any]:
    data, repairs, problems, truncated = answer  # in pickles of old protocols too, which hold no object with slots
    return StructuredResponse._of(plan, Answer(data, True, None, repairs, problems, truncated=truncated))


def _checked_text(what: str, given: object) -> str:
    if not isinstance(given, str):
        raise TypeError(f"a {what} is a str, not {type(given).__name__}")
    return given


def read_joined(
    read: Callable[..., StructuredResponse[ModelT]], texts: Sequence[str], is_probable: bool, repair: bool
) -> tuple[str, StructuredResponse[ModelT]]:
    """Read the best of the texts that the pieces of a reply may make, and return it with its response.

    Texts that are as good may have other data. That is a problem, or a repair if only the spaces of a text differ. If
    the first text is probable, only other differences than those of texts count.
    """
    found: list[tuple[tuple[int, int], str, StructuredResponse[ModelT]]] = []
    for text in texts if len(texts) > 1 else ():
        with suppress(ReplyError):
            made = read(text, strict=False)
            found.append(((len(made.problems), len(made.repairs) if is_probable else 0), text, made))
    if not found:
        return texts[0], read(texts[0])
    least = min(price for price, _text, _made in found)
    (_price, text, first), *others = [each for each in found if each[0] == least]
    data, findings = deepcopy(first._current()), dict[str, Problem | Repair]()
    for _price, _text, other in others:
        for path, mine, theirs in compare.differing(first._current(), other._current()):
            shown, are_texts = show_path(path), isinstance(mine, str) and isinstance(theirs, str)
            if are_texts and is_probable:
                continue
            if are_texts and repair and mine.replace(" ", "") == theirs.replace(" ", ""):
                findings.setdefault(shown, Repair(RepairKind.CANDIDATE_CHOSEN, shown, (0, len(text)), theirs, mine))
                continue
            findings[shown] = Problem(ProblemKind.AMBIGUOUS, shown, DOUBT)
            if mine is not MISSING and not isinstance(mine, str | list | dict):
                data = with_none(data, path)
    doubts = [each for each in findings.values() if isinstance(each, Problem)]
    repairs = [*first.repairs, *(each for each in findings.values() if isinstance(each, Repair))]
    answer = replace(first._answer, repairs=repairs, problems=[*first.problems, *doubts])
    if doubts:
        answer = replace(answer, data=data, model=None, is_tolerated=False)
    return text, first._answered(answer, text, strict=True, source=first._source)
