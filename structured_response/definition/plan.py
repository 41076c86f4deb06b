"""The plan of a definition: its graph and everything compiled from it, shared by all responses with that definition."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, wraps
from operator import attrgetter
from typing import Any, TypeVar

import orjson

from ..errors import DefinitionError
from ..escaping import SURROGATE
from .document import JSON_SCHEMA, Document, graph_from_document, to_document
from .from_schema import Unread, graph_of
from .from_type import schema_of, undescribable
from .jsonable import to_json
from .keywords import in_current_draft
from .names import MAX_COMPILED, snake_case
from .node import Node, shared_shapes, walk

_FINGERPRINT_VERSION = b"structured_response/1\n"

Made = TypeVar("Made")


@dataclass(eq=False, repr=False)
class Plan:
    """An immutable definition with its class name, shared by responses and threads.

    `model` is the type that validates, or None; `is_complete` tells whether the graph still is all of the
    model, so that the model can judge a reply. `json_schema` is the JSON Schema that the data has to satisfy too, or
    None where the graph says all of it; `unread` has what the graph does not say.
    """

    class_name: str
    root: Node
    model: Any = None
    is_complete: bool = True
    json_schema: Any = None
    unread: Unread = ()
    memo: dict[Any, Any] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        name: Any = self.class_name
        if not isinstance(name, str) or not name or SURROGATE.search(name):
            remedy = "; from_basemodel takes a class" if isinstance(name, type) else ""
            raise DefinitionError(f"a class name is a text that is not empty, not {name!r}"[:200] + remedy)

    @cached_property
    def root_name(self) -> str:
        return snake_case(self.class_name)

    @cached_property
    def shapes(self) -> dict[int, str]:
        """The names of the shapes that places refer to, by their keys."""
        return shared_shapes(self.root)

    @cached_property
    def definition(self) -> Document:
        """The definition as a plain dict. Shared, so not to be changed."""
        held = {} if self.json_schema is None else {JSON_SCHEMA: self.json_schema}
        return {**to_document(self.root), **held}

    @cached_property
    def definition_json(self) -> bytes:
        try:
            return to_json(self.definition)
        except (TypeError, RecursionError) as error:
            raise DefinitionError(f"the definition holds what JSON cannot: {error}") from error

    @cached_property
    def fingerprint(self) -> str:
        """A text that is equal for equal class names and definitions: 32 hexadecimal digits of SHA-256."""
        import hashlib

        text = _FINGERPRINT_VERSION + orjson.dumps(self.class_name) + b"\n" + self.definition_json
        return hashlib.sha256(text).hexdigest()[:32]

    @cached_property
    def keeps_extra(self) -> bool:
        """True if some model in it keeps fields that the definition does not know."""
        return any(node.keeps_extra for node in walk(self.root))

    def with_root(self, root: Node) -> Plan:
        """Returns the plan of a reduced graph, for which neither model nor JSON Schema can judge a whole reply."""
        return Plan(self.class_name, root, self.model, is_complete=False)

    def __reduce__(self) -> Any:
        if self.model is not None and self.is_complete and _is_importable(self.model):
            return plan_of_type, (self.model, self.class_name)
        model = self.model if _is_importable(self.model) else None
        return _restored, (self.class_name, self.definition, model, self.keeps_extra)


def _restored(class_name: str, definition: Document, model: Any, keeps_extra: bool = False) -> Plan:
    return replace(plan_of_document(class_name, definition, keeps_extra), model=model, is_complete=False)


def _is_importable(model: Any) -> bool:
    """Returns whether a pickle can name the model. A class made inside a function cannot be imported."""
    try:
        return attrgetter(model.__qualname__)(sys.modules[model.__module__]) is model
    except (AttributeError, KeyError):
        return False


def per_plan(make: Callable[[Plan], Made]) -> Callable[[Plan], Made]:
    """Makes a function of a plan compute once per plan. The result lives as long as the plan."""

    @wraps(make)
    def look_up(plan: Plan) -> Made:
        if make not in plan.memo:
            plan.memo.setdefault(make, make(plan))  # the first of several threads
        made: Made = plan.memo[make]
        return made

    return look_up


def plan_of_type(described: Any, name: str) -> Plan:
    schema = schema_of(described)
    try:
        root, _unread = graph_of(schema)  # the model itself checks what it says in its schema
    except RecursionError as error:
        raise undescribable(described, [], "it is nested too deeply") from error
    except DefinitionError as error:
        raise undescribable(described, [step for step in error.path.split(".") if step], error.message) from error
    return Plan(name, root, described)


def shared_plan(described: Any, name: str) -> Plan:
    try:
        hash(described)
    except TypeError:
        return plan_of_type(described, name)
    return _shared_plan(described, name, getattr(described, "__pydantic_validator__", None))


@lru_cache(maxsize=MAX_COMPILED)
def _shared_plan(described: Any, name: str, validator: Any) -> Plan:
    """Returns the cached plan. A model's `validator` is part of the key, since it changes when the model is rebuilt."""
    return plan_of_type(described, name)


def plan_of_schema(name: str | None, schema: Any) -> Plan:
    """Returns the plan of any JSON Schema. It keeps the schema if the graph cannot express all of it."""
    if not isinstance(schema, Mapping):
        raise DefinitionError(f"a JSON Schema is a dict, not {type(schema).__name__}")
    title = schema.get("title")
    called = name if name is not None else title if isinstance(title, str) and title else "Value"
    try:
        document = _without_notes(schema)
        root, unread = graph_of(document)
        return Plan(called, root, json_schema=in_current_draft(document) if unread else None, unread=unread)
    except (TypeError, AttributeError, KeyError, RecursionError) as error:
        raise DefinitionError(f"this is not a JSON Schema: {error}"[:300]) from error


def _without_notes(schema: Any) -> Any:
    if isinstance(schema, Mapping):
        return {key: _without_notes(held) for key, held in schema.items() if not str(key).startswith("x-sr-")}
    return list(map(_without_notes, schema)) if isinstance(schema, list) else schema


def plan_of_document(name: str, document: Any, keeps_extra: bool = False) -> Plan:
    """Returns the plan of a definition, whose objects may keep fields that it does not know."""
    try:
        plan = Plan(name, graph_from_document(name, document), json_schema=in_current_draft(document.get(JSON_SCHEMA)))
    except RecursionError as error:
        raise DefinitionError("nested too deeply, or a shape that holds nothing but itself") from error
    for node in walk(plan.root) if keeps_extra else ():
        node.keeps_extra = node.kind == "dict"
    return plan
