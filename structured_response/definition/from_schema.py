"""Makes the graph of nodes of a JSON Schema. This is the only way from a type, ours or any other, to a definition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ..errors import DefinitionError
from .document import MAX_NESTING, to_document
from .from_type import ALIASES, CLASS, CODED, FACTORY, KEYS, KIND, LEFT_OUT, MEMBERS, NEVER, UNIQUE
from .jsonable import coded_choice
from .keywords import constraining, fits_type, relevant
from .node import CONSTRAINTS, MISSING, SCALARS, TEXTUAL, Field, Node, copy_node, walk
from .overlap import may_overlap
from .prune import without_impossible
from .shapes import free_name, shape_key
from .unions import told_apart

__all__ = ["Unread", "graph_of"]

Schema = Mapping[str, Any]

_CONSTRAINTS = {
    "minimum": "ge",
    "exclusiveMinimum": "gt",
    "maximum": "le",
    "exclusiveMaximum": "lt",
    "multipleOf": "multiple_of",
    "minLength": "min_length",
    "maxLength": "max_length",
    "minItems": "min_length",
    "maxItems": "max_length",
    "minProperties": "min_length",
    "maxProperties": "max_length",
    "pattern": "pattern",
    "uniqueItems": "unique_items",
}
_FORMATS = {
    "date": "date",
    "time": "time",
    "date-time": "datetime",
    "duration": "duration",
    "decimal": "decimal",
    "uuid": "uuid",
    "binary": "bytes",
    "base64url": "bytes",
    "base64": "bytes",
    "byte": "bytes",
}
_TEXTS = {
    **dict.fromkeys(("uri", "url", "iri", "uri-reference", "multi-host-uri"), "URL"),
    **dict.fromkeys(("email", "idn-email"), "e-mail address"),
    "name-email": "e-mail address, with a name: Ann <ann@example.org>",
    "ipv4": "IPv4 address",
    "ipv6": "IPv6 address",
    "ipvanyaddress": "IP address",
    "ipv4network": "IPv4 network",
    "ipv6network": "IPv6 network",
    "ipvanynetwork": "IP network",
    "ipv4interface": "IPv4 address and network",
    "ipv6interface": "IPv6 address and network",
    "ipvanyinterface": "IP address and network",
    "hostname": "host name",
    **dict.fromkeys(("path", "file-path", "directory-path"), "path"),
    "regex": "regular expression",
    "json-string": "JSON",
    "application/json": "JSON",
}
"""Default descriptions of texts, by format."""


Unread = Sequence[tuple[str, str]]
"""Keywords that constrain and that no node holds, each behind the path of its place."""


def graph_of(schema: Schema) -> tuple[Node, Unread]:
    """The node of a JSON Schema, with those of everything it refers to, and what the nodes do not say of it.

    Raises `DefinitionError` with the path of a part that no reply could be read by.
    """
    try:
        reader = _Reader(schema)
        root = reader.node(schema, "")
    except DefinitionError:
        possible = without_impossible(schema)
        reader = _Reader(possible)
        root = reader.node(possible, "")
    _name_apart(root)
    return root, reader.unread


def _name_apart(root: Node) -> None:
    """Gives different names to classes that share one, such as those of two versions of an API.

    Identical classes become one. Some releases of Pydantic treat them so, others do not.
    """
    fields: dict[int, dict[str, Field]] = {}
    names: dict[int, str] = {}
    alike: dict[str, list[Node]] = {}
    nodes = [node for node in walk(root) if node.kind == "dict" and node.name is not None]
    for node in nodes:
        key, others = shape_key(node), alike.setdefault(str(node.name), [])
        if key not in names:
            twin = next((other for other in others if others and _traits(other) == _traits(node)), node)
            fields[key] = twin.fields
            names[key] = names.get(shape_key(twin)) or free_name(str(node.name), set(names.values()))
            others.append(node)
    for node in nodes:
        key = shape_key(node)
        node.name, node.fields = names[key], fields[key]


def _traits(root: Node) -> Any:
    """Returns all traits of a shape: its definition, and those known only to a model."""
    nodes = list(walk(root))
    known = [
        (node.nullable, node.members, node.keeps_extra, node.unique, node.encoded, node.left_out, node.coded)
        for node in nodes
    ]
    fields = [(field.aliases, field.factory) for node in nodes for field in node.fields.values()]
    return to_document(root), known, fields


class _Reader:
    """Reads one document. Each shape under `$defs` becomes one node, however often it is referenced."""

    def __init__(self, document: Schema) -> None:
        self.document = document
        self.depth = 0
        self.shapes: dict[str, Node] = {}
        self.open: dict[int, Node] = {}  # nodes in progress, by identity
        self.pending: list[tuple[Node, Node, dict[str, Any]]] = []  # variants of those: copy, original, changes
        self.unread: list[tuple[str, str]] = []

    def node(self, schema: Any, path: str) -> Node:
        if schema is True or schema == {}:
            return Node("any")
        if not isinstance(schema, Mapping) or schema.get("not") == {}:
            raise DefinitionError("no value can satisfy this", path)
        if self.depth > MAX_NESTING:
            raise DefinitionError(f"nested deeper than {MAX_NESTING} levels (MAX_NESTING)", path)
        for key, read in _READERS.items():
            if key in schema and _tells(key, schema):
                self.depth += 1
                node = read(self, schema, path)
                self.depth -= 1
                node.nullable = bool(node.nullable)
                return self.described(node, schema)
        self.note(schema, path)
        return Node("any", schema.get("description"), nullable=True)

    def note(self, schema: Schema, path: str, *read: str) -> None:
        """Notes what a schema demands besides the keywords that were read."""
        self.unread += [(path, keyword) for keyword in constraining(schema) if keyword not in read]

    def never(self, schema: Schema, path: str) -> Node:
        advice = "; give the field a default, and it is not asked for" if path else ""
        raise DefinitionError(schema[NEVER] + advice, path)

    def reference(self, schema: Schema, path: str) -> Node:
        name = schema["$ref"]
        self.note(schema, path, "$ref")
        if name not in self.shapes:
            shape = self.shapes[name] = self.open_node()
            read = self.node(self.resolve(name, path), path)
            called = name.rpartition("/")[2]
            copy_node(read, shape, shape=called, name=called if read.kind == "dict" and not read.name else read.name)
            self.close(shape)
        return self.shapes[name]

    def close(self, shape: Node) -> None:
        """Makes the variants of a shape that were requested while it was still being read."""
        waiting, self.pending = self.pending, []
        closed = {id(shape)}
        self.open.pop(id(shape), None)
        for variant, original, changes in waiting:
            if id(original) in closed:
                copy_node(original, variant, **changes)
                closed.add(id(variant))
                self.open.pop(id(variant), None)
            else:
                self.pending.append((variant, original, changes))

    def variant(self, node: Node, **changes: Any) -> Node:
        """Returns the node with some attributes changed, or a promise of it while the node is still being read."""
        if id(node) not in self.open:
            return replace(node, **changes)
        promise = self.open_node()
        self.pending.append((promise, node, changes))
        return promise

    def open_node(self) -> Node:
        node = Node("any")
        self.open[id(node)] = node
        return node

    def described(self, node: Node, schema: Schema) -> Node:
        """Returns the node with the description beside the reference, which precedes that of the referenced node."""
        description = schema.get("description")
        if description is None or description == node.description:
            return node
        return self.variant(node, description=description)

    def resolve(self, name: str, path: str) -> Schema:
        target: Any = self.document
        for step in name.removeprefix("#").split("/")[1:]:
            key = step.replace("~1", "/").replace("~0", "~")
            target = target.get(key) if isinstance(target, Mapping) else None
        if not name.startswith("#") or not isinstance(target, Mapping):
            raise DefinitionError(f"the reference {name!r} leads nowhere", path)
        return target

    def all_of(self, schema: Schema, path: str) -> Node:
        """Returns the only typed part together with the other parts, or all parts merged."""
        own = {key: value for key, value in schema.items() if key != "allOf"}
        parts = [part for part in (*schema["allOf"], own) if part is not True]
        telling = [part for part in parts if any(key in part for key in _READERS)]
        others = [part for part in parts if part not in telling]
        if len(telling) > 1 or any(name in part for part in others for name in (*_CONSTRAINTS, "required")):
            return self.node(self.merged(schema, path), path)
        for part in others:
            self.note(part, path)
        said = {key: value for part in parts for key, value in part.items()}
        node = self.described(self.node(telling[0] if telling else {}, path), said)
        return self.variant(node, nullable=True) if said.get("nullable") else node

    def merged(self, schema: Schema, path: str) -> Schema:
        """A schema with all that its parts say. Where two demand different things, it has those of one."""
        parts = self.parts(schema, path)
        merged: dict[str, Any] = {key: value for part in parts for key, value in part.items()}
        said: dict[str, list[Any]] = {}
        for name, held in (pair for part in parts for pair in part.get("properties", {}).items()):
            said.setdefault(name, [])
            said[name] += [held] if held not in said[name] else []
        if any(_is_lost(key, part, merged, said) for part in parts for key in constraining(part)):
            self.unread.append((path, "allOf"))
        if not said:
            return merged
        properties = {name: held[0] if len(held) == 1 else {"allOf": held} for name, held in said.items()}
        required = [name for part in parts for name in part.get("required", ())]
        return {**merged, "type": "object", "properties": properties, "required": required}

    def parts(self, schema: Schema, path: str) -> list[Schema]:
        """What a schema refers to, the parts of its `allOf`, and what it says of its own: all of it holds."""
        own = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
        referred = [self.resolve(schema["$ref"], path)] if "$ref" in schema else []
        outer = [part for part in (*referred, *schema.get("allOf", ())) if part is not True]
        return [*(inner for part in outer for inner in self.parts(part, path)), own]

    def any_of(self, schema: Schema, path: str) -> Node:
        key = "anyOf" if schema.get("anyOf") else "oneOf"
        options = schema.get(key) or ()
        is_read = key == "anyOf" or not may_overlap(options, self.resolved)
        own = {name: value for name, value in schema.items() if name not in (key, *_OF_UNIONS)}
        if "properties" in own:  # each option has these too
            options = [{"allOf": [own, option]} for option in options]
            own = {}
        self.note(own, path, "type" if all(self.is_of_type(option, schema) for option in options) else "")
        self.unread += [] if is_read else [(path, key)]
        present = [option for option in options if option.get("type") != "null"]
        nullable = len(present) < len(options)
        if not options:
            raise DefinitionError("no option of this union can be described", path)
        if not present:
            return Node("any", nullable=True)
        if len(present) > 1 and all("const" in option for option in present):
            named = {option["title"]: option["const"] for option in present if isinstance(option.get("title"), str)}
            return self.enum({"enum": [option.get("const") for option in options], MEMBERS: named}, path)
        nodes = [self.node(option, path) for option in present]
        discriminator = schema.get("discriminator", {}).get("propertyName")
        node = nodes[0] if len(nodes) == 1 else self.union(nodes, discriminator)
        return self.variant(node, nullable=True) if nullable else node

    def is_of_type(self, option: Schema, schema: Schema) -> bool:
        """Whether an option of a union says itself what the union says of types."""
        return bool(self.resolved(option).get("type", "") == schema.get("type"))

    def resolved(self, schema: Schema) -> Schema:
        """A schema, or what it refers to where that is all it says."""
        return self.resolved(self.resolve(schema["$ref"], "")) if "$ref" in schema else schema

    def union(self, nodes: list[Node], discriminator: str | None) -> Node:
        """Returns a union, with nested unions flattened."""
        parts: list[Node] = []
        for node in nodes:
            parts += node.parts if node.kind == "union" else told_apart(node)
        nullable = any(node.nullable and id(node) not in self.open for node in nodes)
        return Node("union", parts=tuple(parts), discriminator=discriminator, nullable=nullable)

    def scalar_kind(self, schema: Schema, path: str) -> Node:
        """Returns the kind of a scalar that Pydantic knows. Bytes with a format are decoded by a type of their own."""
        kind, constraints = schema[KIND], _constraints(schema)
        if "format" not in schema:
            return Node(kind, constraints=constraints, nullable=False)
        kind = _FORMATS.get(schema["format"], "str")
        return Node(kind, constraints=constraints, nullable=False, encoded="bytes" if kind == "bytes" else "")

    def enum(self, schema: Schema, path: str) -> Node:
        key = "enum" if "enum" in schema else "const"
        choices = schema["enum"] if key == "enum" else [schema["const"]]
        if not isinstance(choices, list):
            raise DefinitionError(f"choices are a list, not {choices!r}"[:200], path)
        self.note(schema, path, key, "type" if all(fits_type(choice, schema) for choice in choices) else "")
        told_apart = {(type(choice), repr(choice)): choice for choice in choices if choice is not None}
        present = tuple(told_apart.values())  # members of an enum may share a value
        if not present:
            return Node("any", nullable=True)
        if any(isinstance(choice, (list, dict)) for choice in present):
            raise DefinitionError("choices that are lists or objects cannot be written as one text", path)
        members = {name: value for name, value in schema.get(MEMBERS, {}).items() if value is not None}
        nullable, coded = None in choices, dict(schema.get(CODED, ()))
        return Node("enum", choices=present, members=members, nullable=nullable, coded=coded)

    def typed(self, schema: Schema, path: str) -> Node:
        named = schema["type"]
        if isinstance(named, list):
            return self.any_of({"anyOf": [{**schema, "type": name} for name in named]}, path)
        if named not in _TYPES:
            raise DefinitionError(f"unknown type {named!r} in the JSON Schema", path)
        node = _TYPES[named](self, schema, path)
        return self.variant(node, nullable=True) if schema.get("nullable") else node

    def string(self, schema: Schema, path: str) -> Node:
        self.note(schema, path, "type", *_CONSTRAINTS)
        written = schema.get("format") or schema.get("contentMediaType", "")
        kind = _FORMATS.get(written, "str")
        encoded: Literal["", "str"] = "str" if kind == "bytes" else ""
        return Node(kind, _TEXTS.get(written), _constraints(schema), encoded=encoded)

    def number(self, schema: Schema, path: str) -> Node:
        self.note(schema, path, "type", *_CONSTRAINTS)
        return Node({"integer": "int", "number": "float"}[schema["type"]], constraints=_constraints(schema))

    def boolean(self, schema: Schema, path: str) -> Node:
        self.note(schema, path, "type")
        return Node("bool")

    def null(self, schema: Schema, path: str) -> Node:
        self.note(schema, path, "type")
        return Node("any", nullable=True)

    def array(self, schema: Schema, path: str) -> Node:
        constraints = _constraints(schema)
        if schema.get(UNIQUE):  # a set, of which no item can be there twice
            constraints.pop("unique_items", None)
        if "prefixItems" in schema:
            titled = [
                {"description": part["title"], **part} if "title" in part else part for part in schema["prefixItems"]
            ]
            self.note(schema, path, *_OF_TUPLES, *_lengths_of(len(titled), schema))
            unique = {name: held for name, held in constraints.items() if name == "unique_items"}
            return Node("tuple", parts=tuple(self.node(part, path) for part in titled), constraints=unique)
        self.note(schema, path, "type", "items", *_CONSTRAINTS)
        item = self.node(schema.get("items", {}), path)
        return Node("list", item=item, constraints=constraints, unique=bool(schema.get(UNIQUE)))

    def object(self, schema: Schema, path: str) -> Node:
        others = schema.get("additionalProperties") is not False or "patternProperties" in schema
        is_open = not schema.get("properties") and others
        if is_open and CLASS not in schema:
            return self.map(schema, path)
        required, properties = schema.get("required", ()), {**_conditional(schema), **schema.get("properties", {})}
        fields = {
            name: self.field(name, described, name in required, f"{path}.{name}" if path else name)
            for name, described in properties.items()
        }
        name = schema.get(CLASS) or schema.get("title")
        extra = self.keeps_extra(schema, path)
        is_known = properties.keys() >= set(required)
        self.note(schema, path, *_OF_OBJECTS, *["required"] * is_known, *["additionalProperties"] * (extra is not None))
        return Node("dict", fields=fields, name=name, keeps_extra=extra is not False, left_out=schema.get(LEFT_OUT, {}))

    def keeps_extra(self, schema: Schema, path: str) -> bool | None:
        """Whether fields of other names, which are kept as texts, may be there; None where what is said about them is
        still to be checked. Where no text can be what they are to be, they are left out like any other.
        """
        values = schema.get("additionalProperties")
        if not isinstance(values, Mapping) or not values:
            return values is True
        node = self.node(values, path)
        takes_text = any(option.kind in ("any", *TEXTUAL) for option in (node, *node.parts))
        return None if takes_text and values != {"type": "string"} else takes_text

    def map(self, schema: Schema, path: str) -> Node:
        patterns = schema.get("patternProperties", {})
        pattern, by_pattern = next(iter(patterns.items()), (None, {}))
        values: Any = schema.get("additionalProperties") or by_pattern
        is_by_pattern = bool(pattern) and values is by_pattern
        of_key = {"pattern": pattern} if is_by_pattern else schema.get("propertyNames", {})
        read = ["patternProperties"] if is_by_pattern and len(patterns) == 1 else []
        self.note(schema, path, *_OF_MAPS, *read, *["propertyNames"] * (not is_by_pattern))
        named = schema.get(KEYS) or {"type": "string", **of_key}
        key = self.node(named, path)
        if key.kind == "union" and key.is_text():
            key = Node("str", nullable=False)
        if key.kind not in SCALARS:
            raise DefinitionError(f"the keys of a map are texts, not values of type {key.kind!r}", path)
        return Node("map", item=self.node(values, path), key=key, constraints=_constraints(schema))

    def field(self, name: str, schema: Schema | bool, required: bool, path: str) -> Field:
        if not isinstance(schema, Mapping):
            return Field(name, self.node(schema, path), required)
        aliases = tuple(schema.get(ALIASES, ()))
        bare = {key: value for key, value in schema.items() if key not in (ALIASES, FACTORY, "title", "default")}
        node = self.node(bare, path)
        default = coded_choice(node, schema.get("default", MISSING))
        return Field(name, node, required, default, aliases, schema.get(FACTORY))


_READERS: dict[str, Callable[[_Reader, Schema, str], Node]] = {
    NEVER: _Reader.never,
    "$ref": _Reader.reference,
    "allOf": _Reader.all_of,
    "anyOf": _Reader.any_of,
    "oneOf": _Reader.any_of,
    KIND: _Reader.scalar_kind,
    "enum": _Reader.enum,
    "const": _Reader.enum,
    "type": _Reader.typed,
    "properties": _Reader.object,
    "prefixItems": _Reader.array,
    "items": _Reader.array,
    "additionalProperties": _Reader.object,
}
"""The reader of a schema, by the first of these keys that it has."""

_OF_UNIONS = ("title", "description", "discriminator", "default", "nullable")
_OF_TUPLES = ("type", "prefixItems", "items", "unevaluatedItems", "uniqueItems")
_OF_OBJECTS = ("type", "properties")
_OF_MAPS = ("type", "properties", "additionalProperties", "minProperties", "maxProperties")
"""What is read of each kind. A tuple has as many items as it has parts, so that there are no others."""


def _tells(key: str, schema: Schema) -> bool:
    """Whether a keyword says what there is to read: options may do no more than demand something of it."""
    options = schema[key] if key in ("anyOf", "oneOf") else ()
    return not options or any(inner in option for option in options for inner in _READERS)


def _is_lost(key: str, part: Schema, merged: Schema, properties: Mapping[str, Any]) -> bool:
    """Whether a keyword of one part means something else among those of all."""
    if key in ("properties", "required"):
        return False
    is_partial = key in _OF_OTHERS and not properties.keys() <= part.get("properties", {}).keys()
    return is_partial or part[key] != merged[key]


_OF_OTHERS = ("additionalProperties", "patternProperties")
"""What is about the properties that the same part does not name."""


def _conditional(schema: Schema) -> dict[str, Any]:
    """The fields that an object has under some condition only."""
    parts = [schema.get("then"), schema.get("else"), *schema.get("dependentSchemas", {}).values()]
    named = [part.get("properties", {}) for part in parts if isinstance(part, Mapping)]
    return {name: held for fields in named for name, held in fields.items()}


def _lengths_of(size: int, schema: Schema) -> list[str]:
    """The bounds that a list of some size keeps."""
    low, high = schema.get("minItems", 0), schema.get("maxItems", size)
    return ["minItems"] * (low <= size) + ["maxItems"] * (high >= size)


_TYPES: dict[str, Callable[[_Reader, Schema, str], Node]] = {
    "string": _Reader.string,
    "integer": _Reader.number,
    "number": _Reader.number,
    "boolean": _Reader.boolean,
    "array": _Reader.array,
    "object": _Reader.object,
    "null": _Reader.null,
}


def _constraints(schema: Schema) -> dict[str, Any]:
    """The constraints. In older drafts, and so in OpenAPI 3.0, `exclusiveMinimum: true` is said beside a `minimum`."""
    means = _CONSTRAINTS if KIND in schema else relevant(schema)
    found = {ours: schema[theirs] for theirs, ours in _CONSTRAINTS.items() if theirs in schema and theirs in means}
    for bound, exclusive in (("ge", "gt"), ("le", "lt")):
        if isinstance(found.get(exclusive), bool) and found.pop(exclusive) and bound in found:
            found[exclusive] = found.pop(bound)
    if found.get("unique_items") is False:
        del found["unique_items"]
    return {name: found[name] for name in CONSTRAINTS if name in found}
