"""Makes the graph of nodes of a JSON Schema. This is the only way from a type, ours or any other, to a definition."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations
from operator import attrgetter
from typing import Any

from ..errors import DefinitionError
from .document import MAX_NESTING, to_document
from .from_type import Note
from .jsonable import coded_choice
from .keywords import CONSTRAINING, FORMATS, JSON_TYPES, Schema, constraining, fits_type, relevant, with_current_bounds
from .node import CONSTRAINTS, MISSING, SCALARS, TEXTUAL, Field, Node, copy_node, free_name, shape_key, walk
from .unions import told_apart

_CONSTRAINTS = {theirs: ours for words in CONSTRAINING.values() for ours, theirs in words.items()}
_FORMATS = {
    **{written: kind for kind, written in FORMATS.items()},
    **dict.fromkeys(("binary", "base64url", "byte"), "bytes"),
}
_KINDS = {JSON_TYPES[kind]: kind for kind in ("int", "float", "bool")}
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


class _ImpossibleError(DefinitionError):
    """A part that no value can fill. What holds it can do without it if it is optional, or one option among others."""


def graph_of(schema: Schema) -> tuple[Node, Unread]:
    """Returns the node of a JSON Schema and what it does not say. Raises `DefinitionError` with the path of a fault."""
    impossible: dict[str, _ImpossibleError] = {}
    known = -1
    while len(impossible) > known:  # shapes that were read before may refer to an impossible one
        known = len(impossible)
        reader = _Reader(schema, impossible)
        try:
            root = reader.node(schema, "")
        except _ImpossibleError as error:
            raise DefinitionError(error.message, error.path) from error
    for variant, original, changes in reader.pending:
        copy_node(original, variant, **changes)
    _name_apart(root)
    return root, [
        (path, keyword)
        for path, keyword, options in reader.unread
        if not options or not all(_are_apart(one, other) for one, other in combinations(options, 2))
    ]


def _name_apart(root: Node) -> None:
    """Gives different names to different classes that share one, and makes one of identical ones."""
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
    nodes = list(walk(root))
    known = attrgetter("nullable", "members", "keeps_extra", "unique", "encoded", "left_out", "coded", "digits")
    fields = [(field.aliases, field.factory) for node in nodes for field in node.fields.values()]
    return to_document(root), list(map(known, nodes)), fields


class _Reader:
    """Reads one document. Each shape under `$defs` becomes one node, however often it is referenced."""

    def __init__(self, document: Schema, impossible: dict[str, _ImpossibleError]) -> None:
        self.document = document
        self.impossible = impossible
        self.depth = 0
        self.shapes: dict[str, Node] = {}
        self.pending: list[tuple[Node, Node, dict[str, Any]]] = []  # variants of open nodes: copy, original, changes
        self.unread: list[tuple[str, str, Sequence[Node]]] = []  # path, keyword, and the options that it is about

    def node(self, schema: Any, path: str) -> Node:
        if schema is True or schema == {}:
            return Node("any")
        if not isinstance(schema, Mapping) or schema.get("not") == {}:
            error = _ImpossibleError if schema is False or isinstance(schema, Mapping) else DefinitionError
            raise error("no value can satisfy this", path)
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
        self.unread += [(path, keyword, ()) for keyword in constraining(schema) if keyword not in read]

    def never(self, schema: Schema, path: str) -> Node:
        advice = "; give the field a default, and it is not asked for" if path else ""
        raise _ImpossibleError(schema[Note.NEVER] + advice, path)

    def possible(self, schema: Any, path: str) -> Node | _ImpossibleError:
        depth, unread = self.depth, len(self.unread)
        try:
            return self.node(schema, path)
        except _ImpossibleError as error:
            self.depth = depth
            del self.unread[unread:]
            return error

    def reference(self, schema: Schema, path: str) -> Node:
        name = schema["$ref"]
        self.note(schema, path, "$ref")
        if name in self.impossible:
            error = self.impossible[name]
            raise _ImpossibleError(error.message, f"{path}.{error.path}".strip("."))
        if name not in self.shapes:
            shape = self.shapes[name] = Node("any", shape=_OPEN)
            try:
                read = self.node(self.resolve(name, path), path)
            except _ImpossibleError as error:
                self.impossible[name] = _ImpossibleError(error.message, error.path.removeprefix(path).strip("."))
                raise
            called = name.rpartition("/")[2]
            copy_node(read, shape, shape=called, name=called if read.kind == "dict" and not read.name else read.name)
        return self.shapes[name]

    def variant(self, node: Node, **changes: Any) -> Node:
        """Returns the node with some attributes changed, or a promise of it while the node is still being read."""
        if node.shape != _OPEN:
            return replace(node, **changes)
        promise = Node("any", shape=_OPEN)
        self.pending.append((promise, node, changes))
        return promise

    def described(self, node: Node, schema: Schema) -> Node:
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
        """Returns a schema with all that its parts say. Where two parts differ, it has the word of one."""
        parts = self.parts(schema, path)
        merged: dict[str, Any] = {key: value for part in parts for key, value in part.items()}
        said: dict[str, list[Any]] = {}
        for name, held in (pair for part in parts for pair in part.get("properties", {}).items()):
            said.setdefault(name, [])
            said[name] += [held] if held not in said[name] else []
        if any(_is_lost(key, part, merged, said) for part in parts for key in constraining(part)):
            self.unread.append((path, "allOf", ()))
        if not said:
            return merged
        properties = {name: held[0] if len(held) == 1 else {"allOf": held} for name, held in said.items()}
        required = [name for part in parts for name in part.get("required", ())]
        return {**merged, "type": "object", "properties": properties, "required": required}

    def parts(self, schema: Schema, path: str) -> list[Schema]:
        """Returns what a schema refers to, the parts of its `allOf`, and its own keywords: all of them hold."""
        own = {key: value for key, value in schema.items() if key not in ("$ref", "allOf")}
        referred = [self.resolve(schema["$ref"], path)] if "$ref" in schema else []
        outer = [part for part in (*referred, *schema.get("allOf", ())) if part is not True]
        return [*(inner for part in outer for inner in self.parts(part, path)), own]

    def any_of(self, schema: Schema, path: str) -> Node:
        key = "anyOf" if schema.get("anyOf") else "oneOf"
        options = schema.get(key) or ()
        read = (key, "title", "description", "discriminator", "default", "nullable")
        own = {name: value for name, value in schema.items() if name not in read}
        if "properties" in own:  # each option has these too
            options = [{"allOf": [own, option]} for option in options]
            own = {}
        self.note(own, path, "type" if all(self.is_of_type(option, schema) for option in options) else "")
        present = [option for option in options if option.get("type") != "null"]
        nullable = len(present) < len(options)
        if not options:
            raise DefinitionError("no option of this union can be described", path)
        if not present:
            return Node("any", nullable=True)
        if len(present) > 1 and all("const" in option for option in present):
            named = {option["title"]: option["const"] for option in present if isinstance(option.get("title"), str)}
            return self.enum({"enum": [option.get("const") for option in options], Note.MEMBERS: named}, path)
        made = [self.possible(option, path) for option in present]
        nodes = [node for node in made if isinstance(node, Node)]
        if key == "oneOf":
            self.unread.append((path, key, [*nodes, *[Node("enum", nullable=True)] * (len(options) - len(present))]))
        if isinstance(made[0], _ImpossibleError) and not nodes:
            raise made[0]
        discriminator = schema.get("discriminator", {}).get("propertyName")
        node = nodes[0]
        if len(nodes) > 1:
            nested = [option.parts if option.kind == "union" else told_apart(option) for option in nodes]
            parts = tuple(part for options in nested for part in options)
            node = Node("union", parts=parts, discriminator=discriminator, nullable=any(one.nullable for one in nodes))
        return self.variant(node, nullable=True) if nullable else node

    def is_of_type(self, option: Schema, schema: Schema) -> bool:
        """Returns whether an option of a union says itself what the union says of types."""
        while "$ref" in option:
            option = self.resolve(option["$ref"], "")
        return bool(option.get("type", "") == schema.get("type"))

    def enum(self, schema: Schema, path: str) -> Node:
        key = "enum" if "enum" in schema else "const"
        choices = schema["enum"] if key == "enum" else [schema["const"]]
        if not isinstance(choices, list):
            raise DefinitionError(f"choices are a list, not {choices!r}"[:200], path)
        self.note(schema, path, key, "type" if all(fits_type(choice, schema) for choice in choices) else "")
        distinct = {(type(choice), repr(choice)): choice for choice in choices if choice is not None}
        present = tuple(distinct.values())  # members of an enum may share a value
        if not present:
            return Node("any", nullable=True)
        if any(isinstance(choice, (list, dict)) for choice in present):
            raise DefinitionError("choices that are lists or objects cannot be written as one text", path)
        members = {name: value for name, value in schema.get(Note.MEMBERS, {}).items() if value is not None}
        nullable, coded = None in choices, dict(schema.get(Note.CODED, ()))
        return Node("enum", choices=present, members=members, nullable=nullable, coded=coded)

    def typed(self, schema: Schema, path: str) -> Node:
        named = schema["type"]
        if isinstance(named, list):
            return self.any_of({"anyOf": [{**schema, "type": name} for name in named]}, path)
        if named not in _TYPES:
            raise DefinitionError(f"unknown type {named!r} in the JSON Schema", path)
        node = _TYPES[named](self, schema, path)
        return self.variant(node, nullable=True) if schema.get("nullable") else node

    def scalar(self, schema: Schema, path: str) -> Node:
        self.note(schema, path, "type", *_CONSTRAINTS)
        if schema["type"] == "null":
            return Node("any", nullable=True)
        if schema["type"] != "string":
            return Node(_KINDS[schema["type"]], constraints=_constraints(schema))
        written = schema.get("format") or schema.get("contentMediaType", "")
        known = schema.get(Note.KIND, "str")
        kind = _FORMATS.get(written, "str") if written else known
        node = Node(kind, _TEXTS.get(written), _constraints(schema), digits=schema.get(Note.DIGITS))
        if kind == "bytes" and written:  # a type of its own, which may decode them, has the format
            node.encoded = "bytes" if known == "bytes" else "str"
        return node

    def array(self, schema: Schema, path: str) -> Node:
        constraints = _constraints(schema)
        if schema.get(Note.UNIQUE):  # a set, of which no item can be there twice
            constraints.pop("unique_items", None)
        if "prefixItems" in schema:
            titled = [
                {"description": part["title"], **part} if "title" in part else part for part in schema["prefixItems"]
            ]
            lengths = ["minItems"] * (schema.get("minItems", 0) <= len(titled))
            lengths += ["maxItems"] * (schema.get("maxItems", len(titled)) >= len(titled))
            # A tuple has as many items as parts, so what is said of other items is read too.
            self.note(schema, path, "type", "prefixItems", "items", "unevaluatedItems", "uniqueItems", *lengths)
            unique = {name: held for name, held in constraints.items() if name == "unique_items"}
            return Node("tuple", parts=tuple(self.node(part, path) for part in titled), constraints=unique)
        self.note(schema, path, "type", "items", *_CONSTRAINTS)
        item = self.node(schema.get("items", {}), path)
        return Node("list", item=item, constraints=constraints, unique=bool(schema.get(Note.UNIQUE)))

    def object(self, schema: Schema, path: str) -> Node:
        others = schema.get("additionalProperties") is not False or "patternProperties" in schema
        is_open = not schema.get("properties") and others
        if is_open and Note.CLASS not in schema:
            return self.map(schema, path)
        branches = [schema.get("then"), schema.get("else"), *schema.get("dependentSchemas", {}).values()]
        conditional = [part.get("properties", {}) for part in branches if isinstance(part, Mapping)]
        named = (*conditional, schema.get("properties", {}))
        properties = dict(chain.from_iterable(each.items() for each in named))
        required = schema.get("required", ())
        fields: dict[str, Field] = {}
        left_out = dict(schema.get(Note.LEFT_OUT, {}))
        for name, described in properties.items():
            given = described if isinstance(described, Mapping) else {}
            bare = {
                key: held for key, held in given.items() if key not in (Note.ALIASES, Note.FACTORY, "title", "default")
            }
            node = self.possible(bare if given else described, f"{path}.{name}" if path else name)
            default = given.get("default", MISSING)
            if isinstance(node, Node):
                aliases, factory = tuple(given.get(Note.ALIASES, ())), given.get(Note.FACTORY)
                fields[name] = Field(name, node, name in required, coded_choice(node, default), aliases, factory)
            elif name in required:
                raise node
            elif given:
                left_out[name] = default
        name = schema.get(Note.CLASS) or schema.get("title")
        extra = self.keeps_extra(schema, path)
        is_known = properties.keys() >= set(required)
        read = ["required"] * is_known + ["additionalProperties"] * (extra is not None)
        self.note(schema, path, "type", "properties", *read)
        return Node("dict", fields=fields, name=name, keeps_extra=extra is not False, left_out=left_out)

    def keeps_extra(self, schema: Schema, path: str) -> bool | None:
        """Returns whether fields of other names are kept, as texts; None if jsonschema has to check them."""
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
        read = ["patternProperties"] * (is_by_pattern and len(patterns) == 1) + ["propertyNames"] * (not is_by_pattern)
        lengths = ("minProperties", "maxProperties")
        self.note(schema, path, "type", "properties", "additionalProperties", *lengths, *read)
        named = schema.get(Note.KEYS) or {"type": "string", **of_key}
        key = self.node(named, path)
        if key.kind == "union" and key.is_text():
            key = Node("str", nullable=False)
        if key.kind not in SCALARS:
            raise DefinitionError(f"the keys of a map are texts, not values of type {key.kind!r}", path)
        return Node("map", item=self.node(values, path), key=key, constraints=_constraints(schema))


_OPEN = ""
"""The shape of a node that is still being read."""


_READERS: dict[str, Callable[[_Reader, Schema, str], Node]] = {
    Note.NEVER: _Reader.never,
    "$ref": _Reader.reference,
    "allOf": _Reader.all_of,
    "anyOf": _Reader.any_of,
    "oneOf": _Reader.any_of,
    "enum": _Reader.enum,
    "const": _Reader.enum,
    "type": _Reader.typed,
    "properties": _Reader.object,
    "prefixItems": _Reader.array,
    "items": _Reader.array,
    "additionalProperties": _Reader.object,
}
"""The reader of a schema, by the first of these keys that it has."""


def _tells(key: str, schema: Schema) -> bool:
    """Returns whether a keyword describes a value: the options of a union may only constrain it."""
    options = schema[key] if key in ("anyOf", "oneOf") else ()
    return not options or any(inner in option for option in options for inner in _READERS)


def _is_lost(key: str, part: Schema, merged: Schema, properties: Mapping[str, Any]) -> bool:
    """Returns whether a keyword of one part means something else among those of all."""
    if key in ("properties", "required"):
        return False
    is_about_others = key in ("additionalProperties", "patternProperties")  # which the same part does not name
    is_partial = is_about_others and not properties.keys() <= part.get("properties", {}).keys()
    return is_partial or part[key] != merged[key]


_TYPES: dict[str, Callable[[_Reader, Schema, str], Node]] = {
    **dict.fromkeys(("string", "integer", "number", "boolean", "null"), _Reader.scalar),
    "array": _Reader.array,
    "object": _Reader.object,
}


def _constraints(schema: Schema) -> dict[str, Any]:
    means = _CONSTRAINTS if Note.KIND in schema else relevant(schema)
    held = {
        _CONSTRAINTS[key]: bound
        for key, bound in with_current_bounds(schema).items()
        if key in _CONSTRAINTS and key in means
    }
    if held.get("unique_items") is False:
        del held["unique_items"]
    return {name: held[name] for name in CONSTRAINTS if name in held}


def _are_apart(one: Node, other: Node) -> bool:
    """Returns whether options differ: by type, by choices, by a field of both, or by a field that each needs alone."""
    if _differ(one, other) or not one.kind == other.kind == "dict" or (one.nullable and other.nullable):
        return _differ(one, other)
    needed, others = ({name for name, field in node.fields.items() if field.required} for node in (one, other))
    is_closed = not (one.keeps_extra or other.keeps_extra)
    return any(_differ(one.fields[name].node, other.fields[name].node) for name in needed & others) or bool(
        is_closed and needed - other.fields.keys() and others - one.fields.keys()
    )


def _differ(one: Node, other: Node) -> bool:
    if one.kind == other.kind == "enum" and not (one.nullable and other.nullable):
        told = [(type(choice) is bool, choice) for choice in one.choices]
        return not any((type(choice) is bool, choice) in told for choice in other.choices)
    return _types(one).isdisjoint(_types(other))


def _types(node: Node) -> set[str]:
    parts = node.parts if node.kind == "union" else (node,)
    kinds = {part.kind for part in parts} - {"enum"}
    kinds |= {type(choice).__name__ for part in parts for choice in part.choices}
    types = {JSON_TYPES[kind] for kind in kinds & JSON_TYPES.keys()}
    types |= {"integer"} if "float" in kinds else set()
    types |= {"null"} if node.nullable else set()
    return types if kinds <= JSON_TYPES.keys() else {*JSON_TYPES.values(), "null"}
