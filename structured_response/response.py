"""The facade: `StructuredResponse`, which holds a definition and an instance and delegates the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import is_dataclass, replace
from functools import partial
from itertools import islice
from reprlib import Repr
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, Unpack, cast, overload

from pydantic import BaseModel
from pydantic_core import ValidationError

from . import definition as definitions
from . import read as parse
from .data import compare, serialize
from .data import model as models
from .data import validators as validate
from .definition import MISSING, Node, Plan, Selection
from .errors import DefinitionError, DeserializeError, InstanceError, ReplyError
from .findings import Problem, Repair
from .lazy import Lazy
from .options import Format, ParseOptions, ReadingOptions, parse_options
from .read import Answer

if TYPE_CHECKING:
    from typing_extensions import TypeForm
    from typing_extensions import TypeVar as TypeVarWithDefault

    from . import reask
    from .data import box
    from .render import json, json_schema, prompt, tags, xml, yaml
    from .render.prompt import PromptFormat

    AnyType = TypeVarWithDefault("AnyType", default=Any)  # what a checker makes of a TypeForm that it does not know
else:
    box, prompt, reask = Lazy("data.box"), Lazy("render.prompt"), Lazy("reask")
    json, json_schema, tags, xml, yaml = (
        Lazy(f"render.{name}") for name in ("json", "json_schema", "tags", "xml", "yaml")
    )

__all__ = ["StructuredResponse", "recalled"]

MAX_EXAMPLES = 100
"""Examples of its prompts that a response remembers, the latest ones, to know them again in a reply."""

ModelT = TypeVar("ModelT")
AnyModel = TypeVar("AnyModel", bound=BaseModel)

Examples = tuple[tuple[Any, ...], ...]
"""What prompts showed: each example as all that reading it may give."""


class _InOrder(Repr):
    """Values in a few words, with fields in their own order, which `Repr` would sort."""

    def repr_dict(self, x: dict[Any, Any], level: int) -> str:
        if x and level <= 0:
            return "{...}"
        shown = [f"{self.repr1(key, level - 1)}: {self.repr1(x[key], level - 1)}" for key in islice(x, self.maxdict)]
        return f"{{{', '.join(shown + ['...'] * (len(x) > self.maxdict))}}}"


_SHORT = _InOrder()
_SHORT.maxdict, _SHORT.maxlist, _SHORT.maxstring = 12, 4, 60

_REMEMBERING = Lock()  # threads may make prompts of one response


class StructuredResponse(Generic[ModelT]):
    """What a language model is asked for, and what it answered.

    `StructuredResponse("Name")` begins an empty definition for `add_node`; `from_basemodel` takes one from
    a model. A response that is only parsed from (`parse`) never changes and can be shared between threads.
    """

    __slots__ = ("_answer", "_box", "_examples", "_plan")

    def __init__(self, class_name: str) -> None:
        self._hold(Plan(class_name, Node("dict", name=class_name, nullable=False)), Answer(MISSING))

    def _hold(self, plan: Plan, answer: Answer, examples: Examples = ()) -> None:
        if answer.data is None and plan.root.kind == "dict" and not plan.root.nullable:
            answer.data = {}  # an object that is null has no fields; what is wrong with it stands in the problems
        self._plan = plan
        self._answer = answer
        self._box: Any = MISSING
        self._examples = examples

    @classmethod
    def _of(cls, plan: Plan, answer: Answer | None = None, examples: Examples = ()) -> Self:
        made = cls.__new__(cls)
        made._hold(plan, Answer(MISSING) if answer is None else answer, examples)
        return made

    # Making one

    @classmethod
    def from_basemodel(cls, model: type[AnyModel] | AnyModel) -> StructuredResponse[AnyModel]:
        """The response that asks for a Pydantic model. Of an instance of one, its data is the instance.

        Cheap to call again: the plan of a class is made once. Raises `DefinitionError` for what is no model,
        and for a model that cannot be described.
        """
        kind: Any = model if isinstance(model, type) else type(model)
        if not issubclass(kind, BaseModel):
            shown, remedy = definitions.shown_value(model), definitions.value_remedy(model)
            remedy = remedy or "from_type takes any other type"
            raise DefinitionError(f"a Pydantic model is needed, a class or an instance of one, not {shown}; {remedy}")
        plan = definitions.shared_plan(kind, kind.__name__)
        answer = Answer(models.coerce(plan, models.dump(plan, model))) if isinstance(model, BaseModel) else None
        made: StructuredResponse[AnyModel] = StructuredResponse._of(plan, answer)
        return made

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
        """The response that asks for anything Pydantic can describe: dataclasses, TypedDicts, `list[Task]`, unions.

        Without a `name`, `list[Task]` is a "TaskList", `dict[str, Task]` a "TaskMap", a scalar a "Value".
        Raises `DefinitionError` for what cannot be described.
        """
        called = definitions.type_name(described) if name is None else name
        return StructuredResponse._of(definitions.shared_plan(described, called))

    @classmethod
    def from_json_schema(cls, schema: Mapping[str, Any], name: str | None = None) -> StructuredResponse[Any]:
        """The response of a JSON Schema (draft 2020-12, as Pydantic, OpenAPI and MCP tools write it).

        Without a `name` it is called by its title, else "Value". What no definition can say of it, such as `if` or
        `contains`, is checked by jsonschema (the extra `schema`). Raises `DefinitionError` with the path of what
        cannot be described, and of what cannot be checked without that package.
        """
        described: Any = schema
        title = described.get("title") if isinstance(described, Mapping) else None
        called = name if name is not None else title if isinstance(title, str) and title else "Value"
        return StructuredResponse._of(validate.verified(definitions.plan_of_schema(called, schema)))

    @classmethod
    def from_definition(cls, name: str, definition: Mapping[str, Any]) -> StructuredResponse[Any]:
        """The response of a definition that was written by hand. Raises `DefinitionError` with the path of
        what is wrong in it.
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
        """Adds a field to the definition, or replaces one, and returns the response.

        `path` is dotted (`parts.points`) and reaches into objects and into the items of lists. Other
        responses of the same model are not touched. What was read before is forgotten.
        """
        given = {"elements": elements, "description": description, **constraints}
        node = {name: value for name, value in given.items() if value is not None}
        if choices is not None:
            node["choices"] = (
                choices if isinstance(choices, str) or not isinstance(choices, Iterable) else list(choices)
            )
        needed = False if required is True and default is not MISSING else required
        root = definitions.add(self._plan.root, path, {"type": type, **node}, needed, default)
        self._hold(validate.verified(self._plan.with_more(root)), Answer(MISSING))
        return self

    def select(self, *, include: Selection = (), exclude: Selection = ()) -> StructuredResponse[ModelT]:
        """A response that asks for some of the fields only: the included ones, or all but the excluded ones.

        Paths are dotted and reach into objects and through lists, maps, tuples and unions: `children.age`. A dict
        names fields by their class, wherever it stands: `{"Child": ["age"]}`. Raises `DefinitionError` for both
        together, and for a name that is not there.
        """
        root = definitions.select(self._plan.root, include, exclude)
        plan = self._plan if root is self._plan.root else self._plan.with_root(root)
        return self._of(plan, examples=self._examples)

    # What is asked for

    @property
    def class_name(self) -> str:
        """The name of what is asked for."""
        return self._plan.class_name

    @property
    def definition(self) -> dict[str, Any]:
        """What is asked for, as a plain dict. Shared between responses: to be read, not changed."""
        return self._plan.definition

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits that are the same wherever class name and definition are the same."""
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
        """What is asked for as text for a language model: "xml", "json", "yaml" (by PyYAML), or a "schema" that asks
        for JSON.

        With `instructions`, a paragraph on how to answer stands in front. `examples` (instances of the model,
        responses, or plain data) stand behind, in the same format. They are remembered on this response, the last
        hundred, so that a reply that repeats one has not answered. Raises `InstanceError` for one that does not fit.
        """
        if include == exclude == examples == ():
            return prompt.to_prompt(self._plan, format, instructions=instructions)
        if isinstance(examples, str | Mapping | BaseModel | StructuredResponse):
            raise TypeError(f"examples is a list of examples, not {type(examples).__name__}")
        asked = self.select(include=include, exclude=exclude)._plan
        shown = [self._example(asked, number, each) for number, each in enumerate(examples, 1)]
        text = prompt.to_prompt(asked, format, instructions=instructions, examples=shown)
        self._remember([self._read_again(asked, prompt.example_text(asked, format, data), data) for data in shown])
        return text

    def _read_again(self, asked: Plan, text: str, data: Any) -> tuple[Any, ...]:
        """What an example says, and what reading its text gives where escapes were put between its own markup."""
        try:
            read = self._of(asked).parse(text, strict=False)._typed()
        except ReplyError:
            read = data
        said, again = (compare.comparison_key(asked.root, held) for held in (data, read))
        return (said,) if said == again else (said, again)

    def _remember(self, examples: list[tuple[Any, ...]]) -> None:
        if examples:
            with _REMEMBERING:
                before = [example for example in self._examples if example not in examples]
                self._examples = (*before, *examples)[-MAX_EXAMPLES:]

    def _example(self, asked: Plan, number: int, example: Any) -> Any:
        try:
            return self._data_of(example, asked)
        except InstanceError as error:
            raise InstanceError(f"example {number}: {error.message}", error.problems) from error

    def _data_of(self, given: Any, asked: Plan) -> Any:
        """The data of a response, of an instance of the model, or of what plain data may hold, as far as it is asked
        for.
        """
        if isinstance(given, StructuredResponse):
            source, data = given._plan, given._current()
            data = {} if data is MISSING else data
        elif _is_class(self._plan.model) and isinstance(given, self._plan.model):
            source = (
                self._plan if self._plan.is_complete else definitions.shared_plan(self._plan.model, self.class_name)
            )
            data = models.dump(source, given)
        else:
            source, data = self._plan, models.coerce(self._plan, given)
        return models.coerce(asked, definitions.kept(source.root, asked.root, data))

    def to_schema(self, *, include: Selection = (), exclude: Selection = ()) -> dict[str, Any]:
        """For each field its type in words, what it is for, and whether it is required:
        `{"age": {"type": "int", "desc": "The age of the person", "required": True}}`.
        """
        return deepcopy(prompt.schema_of(self.select(include=include, exclude=exclude)._plan))

    def to_schema_str(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """The schema as JSON."""
        return prompt.schema_text(self.select(include=include, exclude=exclude)._plan)

    def to_json_schema(self) -> dict[str, Any]:
        """What is asked for as JSON Schema, draft 2020-12: the model's own, else that of the definition."""
        return deepcopy(json_schema.json_schema_of(self._plan))

    def to_json_signature(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """The form of the answer in JSON, each value described in its place:
        `{"age": "The age of the person (int) (required)"}`.
        """
        return prompt.json_signature(self.select(include=include, exclude=exclude)._plan)

    def to_yaml_signature(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """The form of the answer in YAML. Raises `MissingExtraError` without PyYAML."""
        return prompt.yaml_signature(self.select(include=include, exclude=exclude)._plan)

    # Filling it

    def from_dict(self, data: Any) -> Self:
        """Fills this response with plain data, and returns it. Raises `InstanceError` naming every value that does not
        fit the definition, and every name that it does not know; then nothing changed.
        """
        self._hold(self._plan, Answer(self._data_of(data, self._plan)), self._examples)
        return self

    def from_json(self, text: str) -> Self:
        """The same with the data of a JSON text, which is read to the letter. Raises `InstanceError`."""
        return self.from_dict(parse.json_data(_text(text)))

    def from_yaml(self, text: str) -> Self:
        """The same with the data of a YAML text. Raises `InstanceError`, and `MissingExtraError` without PyYAML."""
        return self.from_dict(parse.yaml_data(_text(text)))

    # Reading

    def parse(self, reply: str, strict: bool = True, **options: Unpack[ReadingOptions]) -> StructuredResponse[ModelT]:
        """A new response with what `reply` says; this one stays as it is.

        Raises `ReplyError` for a reply that cannot satisfy the model, with all that could be read on it. With
        `strict=False` only for a reply with no data at all: bad fields hold None and stand in `problems`.
        `context` reaches the model's validators.

        `format` ("xml", "json", "yaml") says what is expected: what is in another format counts only where nothing
        is in this one. `on_bad_item` says what becomes of an item of a list that has a problem: "raise" as for any
        other; "drop" leaves it out, on record in `repairs`; "keep" keeps it, with None at the bad places and its
        problems in `problems`. With `repair=False` whatever had to be mended is a problem. `day_first` says whether
        05/12/2026 is in December or in May; without it such a date is a problem.
        """
        if not isinstance(reply, str):
            raise _no_text(reply)
        how = self._how(options)
        answer = parse.read(self._plan, reply, how.context, how)
        if not answer.found:
            raise ReplyError(answer.problems, reply)
        return self._answered(answer, reply, strict)

    def _answered(self, answer: Answer, reply: str, strict: bool) -> Self:
        """A new response with an answer. Raises `ReplyError` that carries it where `strict` lets no problem pass."""
        made = self._of(self._plan, answer, self._examples)
        if strict and answer.problems and not answer.is_tolerated:
            raise ReplyError(answer.problems, reply, made)
        return made

    def from_prompt(self, reply: str, strict: bool = True, **options: Unpack[ReadingOptions]) -> Self:
        """Fills this response with what `reply` says, and returns it; see `parse`. If it raises, nothing changed."""
        read = self.parse(reply, strict, **options)
        self._hold(self._plan, read._answer, self._examples)
        return self

    def to_reask(self, *, format: Format = "xml") -> str:
        """The message that asks again for what is wrong, and for that alone: each of `problems` in a line, and the
        prompt of the fields that they name. Send it behind the reply, and give what comes back to `amend`.

        Empty where nothing is wrong. Of a list, a map or an object only the bad parts are asked for; an item is called
        by its index then, `item_3`. Of a union, and of what a validator of the whole refused, everything.
        """
        if not self._answer.problems and self._answer.truncated is None:
            return ""
        asked = self._again()
        return asked.message(self._of(asked.plan).to_prompt(format))

    def amend(self, reply: str, strict: bool = True, **options: Unpack[ReadingOptions]) -> StructuredResponse[ModelT]:
        """A new response: this one, with what a reply to `to_reask` says put into it. See `parse` for the rest.

        Raises `ReplyError` where something is still wrong; its `response` can be asked again in the same way. With a
        reply that holds nothing that was asked for, that is this response as it is. `repairs` has those of both
        replies; the spans of each are places in its own.
        """
        if not isinstance(reply, str):
            raise _no_text(reply)
        before = replace(self._answer, data=self._current(), is_typed=True, model=None)
        answer = reask.amended(self._plan, self._again(), before, reply, self._how(options))
        if not answer.found:
            # Those of before have their places in another reply.
            old = [replace(problem, span=None) for problem in self._answer.problems]
            raise ReplyError([*answer.problems, *old], reply, self)
        return self._answered(answer, reply, strict)

    def _again(self) -> reask.Again:
        return reask.again(self._plan, self._current(), self._answer.problems, self._answer.truncated)

    def parse_all(
        self, reply: str, strict: bool = True, **options: Unpack[ReadingOptions]
    ) -> list[StructuredResponse[ModelT]]:
        """Every answer in `reply`, in its order, those in reasoning blocks aside; see `parse`.

        Raises `ReplyError` where there is none, and, unless `strict=False`, for the first that has problems.
        """
        if not isinstance(reply, str):
            raise _no_text(reply)
        how = self._how(options)
        answers = [answer for answer in parse.read_all(self._plan, reply, how.context, how) if answer.found]
        if not answers:
            raise ReplyError(parse.read(self._plan, reply, how.context, how).problems, reply)
        return [self._answered(answer, reply, strict) for answer in answers]

    def _how(self, options: ReadingOptions) -> ParseOptions:
        """The options of a reading, checked. Raises `TypeError` or `ValueError` naming what may be chosen."""
        if not options and not self._examples:
            return _AS_EVER
        return parse_options(options)._replace(examples=self._examples)

    @property
    def repairs(self) -> list[Repair]:
        """What was mended in the reply, in its order."""
        return list(self._answer.repairs)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the reply; empty unless it was read with `strict=False` or `on_bad_item="keep"`."""
        return list(self._answer.problems)

    @property
    def truncated(self) -> str | None:
        """The path of the value at which the reply broke off, such as `$.parts[1].label`; None if it did not. Where
        nothing but closing tags is missing that is no problem.

        What was whole before it is kept, and so is half a text; half a number or half a choice is None.
        """
        return self._answer.truncated

    # What came back

    @property
    def instance(self) -> Any:
        """What was read, as a `box.Box`: made when first looked at, and from then on the truth."""
        if self._box is MISSING:
            held = self._typed()
            empty: Any = [] if self._plan.root.kind in ("list", "tuple") else {}
            try:
                self._box = box.to_box(self._plan.root, empty if held is MISSING else held, fill=held is not MISSING)
            except RecursionError as error:
                raise InstanceError("the instance is nested too deeply for a Box") from error
            self._answer.model = None
        return self._box

    def to_dict(self, *, include: Selection = (), exclude: Selection = ()) -> Any:
        """The instance as plain JSON-compatible data, without the fields that were not given."""
        data = self._current()
        plain = {} if data is MISSING else box.from_box(data)
        return definitions.kept(self._plan.root, definitions.select(self._plan.root, include, exclude), plain)

    def to_json(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """The instance as JSON, indented by four. NaN and infinities stand in it as Python's `json` knows them."""
        return json.to_json(self.to_dict(include=include, exclude=exclude), tags.tag_names(self._plan))

    def to_yaml(self, *, include: Selection = (), exclude: Selection = ()) -> str:
        """The instance as YAML in block style, without a final line break, by PyYAML (the extra `formats`)."""
        names = tags.tag_names(self._plan)
        return yaml.to_yaml(self.to_dict(include=include, exclude=exclude), partial(tags.escape_tags, names))

    def to_basemodel(self, *, context: Any = None) -> ModelT:
        """The validated model. Raises `InstanceError` where the instance does not satisfy it."""
        answer = self._answer
        if answer.model is not None and context is None:
            model, answer.model = answer.model, None  # handed out once: a second caller gets one of its own
            return cast("ModelT", model)
        data = self._current()
        if data is MISSING:
            raise InstanceError(f"nothing has been read into this {self.class_name} yet")
        try:
            return cast("ModelT", models.to_model(self._plan)(data, context))
        except ValidationError as error:
            raise self._misfit(f"the instance is no {self.class_name}", error) from error

    def _typed(self) -> Any:
        """The data that was read or given, typed by the definition."""
        answer = self._answer
        if not answer.is_typed:
            answer.data = validate.typed(self._plan).validate_python(answer.data)
            answer.is_typed = True
        return answer.data

    def _current(self) -> Any:
        """The data as it is now: what was read, or what the Box holds once there is one."""
        if self._box is MISSING:
            return self._typed()
        data = box.from_box(self._box)
        if data is None and self._answer.data is None:
            return None  # a list or a number at the root that could not be read
        return MISSING if self._answer.data is MISSING and not data else models.coerce(self._plan, data)

    def _misfit(self, message: str, error: ValidationError) -> InstanceError:
        return InstanceError(message, [problem for _path, problem in validate.problems_of(self._plan, error)])

    # As text

    def __str__(self) -> str:
        """The instance as plain XML; an empty text before anything was read."""
        data = self._current()
        try:
            return "" if data is MISSING else xml.to_xml(self._plan, data)
        except RecursionError as error:
            raise InstanceError("the instance is nested too deeply to be written") from error

    def serialize(self) -> str:
        """Definition and instance as one JSON text."""
        return serialize.serialize(self._plan, self._current())

    @classmethod
    def deserialize(cls, text: str | bytes, model: Any = None) -> StructuredResponse[Any]:
        """The response that `serialize` wrote; with `model`, a model or any type, one that validates with it.

        Raises `DeserializeError` for anything else, and where the model's definition is not the stored one; then it
        carries the response that the text gives without the model.
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

    # Comparing and showing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StructuredResponse):
            return NotImplemented
        if self is other:
            return True
        if self.class_name != other.class_name or not definitions.is_same(self.definition, other.definition):
            return False
        try:
            mine, others = self._current(), other._current()
            root = self._plan.root
            if definitions.storable(root, mine) == definitions.storable(root, others):  # NaN equals NaN
                return True
            return bool(self._filled(mine) == other._filled(others))
        except InstanceError:
            return False

    def _filled(self, data: Any) -> Any:
        """The data with its defaults, in a form that can be compared."""
        return definitions.storable(self._plan.root, box.filled(self._plan.root, data))

    __hash__ = None  # type: ignore[assignment]  # instances can be changed

    def __repr__(self) -> str:
        counts = [(len(self._answer.repairs), "repair"), (len(self._answer.problems), "problem")]
        findings = "".join(f", {count} {name}{'s' if count > 1 else ''}" for count, name in counts if count)
        return f"<StructuredResponse {self.class_name}: {self._shown()}{findings}>"

    def _shown(self) -> str:
        """The instance in a few words, whatever it holds."""
        held = self._typed() if self._box is MISSING else box.from_box(self._box)
        if held is MISSING or (self._answer.data is MISSING and not held):
            return "empty"
        try:
            return _SHORT.repr(held)
        except ValueError:  # Python writes no integer of more than 4,300 digits
            return "..."

    def __reduce__(self) -> Any:
        return _restored, (
            self._plan,
            self._current(),
            self.repairs,
            self.problems,
            self.truncated,
            self._examples,
        )


def _restored(
    plan: Plan,
    data: Any,
    repairs: list[Repair],
    problems: list[Problem],
    truncated: str | None,
    examples: Examples = (),
) -> StructuredResponse[Any]:
    answer = Answer(data, repairs=repairs, problems=problems, truncated=truncated)
    return StructuredResponse[Any]._of(plan, answer, examples)


def recalled(
    asked: StructuredResponse[ModelT], text: str, repairs: Iterable[Repair], context: Any = None
) -> StructuredResponse[ModelT]:
    """The response that was read from a reply once, from what it was serialized to then and its repairs.

    Raises `DeserializeError` for another text, and Pydantic's `ValidationError` where the model now refuses it.
    """
    plan, data = serialize.deserialize(text, asked._plan)
    model = models.validate_model(plan)(data, context)
    return asked._of(plan, Answer(data, model=model, repairs=list(repairs)))


_AS_EVER = ParseOptions()


def _is_class(model: Any) -> bool:
    """Whether a model has instances of its own; rows of a TypedDict are dicts."""
    return isinstance(model, type) and (issubclass(model, BaseModel) or is_dataclass(model))


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError(f"a text is a str, not {type(given).__name__}")
    return given


def _no_text(reply: object) -> TypeError:
    return TypeError(f"a reply is a str, not {type(reply).__name__}")
