"""Who reads the corpus: this library, and what else could. Peers are imported when they are used.

Everything a peer reads is validated by the same Pydantic models. A peer that raises has refused; what it returns
counts as its answer, since it has no other way to say that something is wrong.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

from lxml import etree
from pydantic import BaseModel, ConfigDict

from benchmarks.robustness.corpus import Case
from benchmarks.robustness.models import TYPES, Shape, adapter, fill, root_shape, snake
from benchmarks.robustness.verdict import Reading
from structured_response import ReplyError, StructuredResponse

Read = Callable[[Case], Reading]


@dataclass(frozen=True)
class System:
    """A way of reading replies. `load` imports what it needs and gives the function; `formats` are what it is for."""

    name: str
    load: Callable[[], Read]
    formats: tuple[str, ...]


class RefusedError(Exception):
    """What the peer gave cannot be data of the model."""


@cache
def response_of(name: str) -> StructuredResponse[Any]:
    """What asks for a root of the corpus."""
    asked = TYPES[name]
    is_model = isinstance(asked, type) and issubclass(asked, BaseModel)
    return StructuredResponse.from_basemodel(asked) if is_model else StructuredResponse.from_type(asked, name)


def plain_data(response: StructuredResponse[Any]) -> Any:
    """The instance of a response as plain data, with every field that was not given at its default."""
    convert = getattr(response.instance, "to_dict", None)
    return response.instance.to_list() if convert is None else convert()


def _ours() -> Read:
    def read(case: Case) -> Reading:
        try:
            response = response_of(case.model).parse(case.reply, strict=False)
        except ReplyError:
            return Reading(refused=True)
        return Reading(plain_data(response), tuple(problem.path for problem in response.problems))

    return read


def _validated(case: Case, data: Any) -> Reading:
    """What the models make of data, with defaults filled in."""
    model = adapter(case.model).validate_python(data, by_alias=True, by_name=True)
    return Reading(fill(root_shape(case.model), adapter(case.model).dump_python(model, mode="json", by_alias=False)))


@dataclass
class Tree:
    """An element as any XML library gives it."""

    tag: str
    text: str
    key: str | None = None
    children: list[Tree] = field(default_factory=list)


def by_shape(shape: Shape, tree: Tree) -> Any:
    """A tree as the data of a shape, still in texts: the two dozen lines that any user of a plain parser writes."""
    if not tree.children and tree.text == "" and shape.nullable:
        return None
    return _READERS.get(shape.kind, _read_text)(shape, tree)


def _read_text(shape: Shape, tree: Tree) -> Any:
    if tree.children:
        raise RefusedError(f"elements in <{tree.tag}>, which is a text")
    return tree.text


def _read_object(shape: Shape, tree: Tree) -> Any:
    fields = {each.name: each for each in shape.fields.values()}
    fields.update({each.alias: each for each in shape.fields.values() if each.alias})
    return {
        fields[each.tag].name: by_shape(fields[each.tag].shape, each) for each in tree.children if each.tag in fields
    }


def _read_list(shape: Shape, tree: Tree) -> Any:
    assert shape.item is not None
    if tree.text and not tree.children:
        raise RefusedError(f"text in <{tree.tag}>, which is a list")
    return [by_shape(shape.item, each) for each in tree.children]


def _read_map(shape: Shape, tree: Tree) -> Any:
    assert shape.item is not None
    keys = [each.key for each in tree.children]
    if None in keys or len(set(keys)) < len(keys):
        raise RefusedError(f"entries without a key of their own in <{tree.tag}>")
    return {each.key: by_shape(shape.item, each) for each in tree.children}


def _read_union(shape: Shape, tree: Tree) -> Any:
    if not tree.children:
        return int(tree.text) if tree.text.isdecimal() else tree.text
    tagged = [option for option in shape.options if snake(option.name) == tree.children[0].tag]
    if tagged:
        return by_shape(tagged[0], tree.children[0])
    named = {each.tag for each in tree.children}
    fitting = [option for option in shape.options if set(option.fields) == named]
    if not fitting:
        raise RefusedError(f"no option of <{tree.tag}> has these fields")
    return by_shape(fitting[0], tree)


_READERS: dict[str, Callable[[Shape, Tree], Any]] = {
    "object": _read_object,
    "list": _read_list,
    "map": _read_map,
    "union": _read_union,
}


def _from_root(case: Case) -> str:
    """The reply from its root's tag on, if there is one: what stands before it is no matter of XML."""
    found = re.search(rf"<{snake(case.model)}\b", case.reply)
    return case.reply[found.start() :] if found else case.reply


def _lxml() -> Read:
    def read(case: Case) -> Reading:
        parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True, huge_tree=True)
        root = etree.fromstring(_from_root(case).encode("utf-8", "replace"), parser)
        if root is None:
            raise RefusedError("no root")
        return _validated(case, by_shape(root_shape(case.model), _tree_of_lxml(root)))

    return read


def _tree_of_lxml(root: etree._Element) -> Tree:
    """Without recursion: a damaged reply may be nested as deep as it likes."""
    made = Tree("", "")
    todo = deque([(root, made)])
    while todo:
        element, parent = todo.popleft()
        comments = [child.tail or "" for child in element if not _is_element(child)]
        tree = Tree(str(element.tag), "".join([element.text or "", *comments]).strip(), element.get("key"))
        parent.children.append(tree)
        todo.extend((child, tree) for child in element if _is_element(child))
    return made.children[0]


def _is_element(node: Any) -> bool:
    """Whether it is no comment and no instruction."""
    return isinstance(node.tag, str)


def _langchain() -> Read:
    from langchain_core.output_parsers import XMLOutputParser

    parse = XMLOutputParser(parser="xml").parse

    def read(case: Case) -> Reading:
        ((tag, inner),) = parse(case.reply).items()
        return _validated(case, by_shape(root_shape(case.model), _tree_of_dicts(tag, inner)))

    return read


def _tree_of_dicts(tag: str, inner: Any) -> Tree:
    if isinstance(inner, list):
        return Tree(tag, "", None, [_tree_of_dicts(*pair) for each in inner for pair in each.items()])
    return Tree(tag, (inner or "").strip())


def _dspy() -> Read:
    import dspy

    read_xml = dspy.XMLAdapter().parse

    @cache
    def signature(name: str) -> Any:
        made = dspy.Signature("question -> answer").delete("answer")
        return made.append(snake(name), dspy.OutputField(), type_=TYPES[name])

    def read(case: Case) -> Reading:
        reply = re.sub(r"(</?)li\b", r"\1item", case.reply)  # what it calls the items of a list
        value = read_xml(signature(case.model), reply)[snake(case.model)]
        data = adapter(case.model).dump_python(value, mode="json", by_alias=False)
        return Reading(fill(root_shape(case.model), data))

    return read


def _json_repair() -> Read:
    import json_repair

    return lambda case: _validated(case, json_repair.loads(case.reply))


def _instructor() -> Read:
    from instructor.utils import extract_json_from_codeblock

    return lambda case: _validated(case, json.loads(extract_json_from_codeblock(case.reply), strict=False))


def _pydantic_json() -> Read:
    return lambda case: _validated(case, json.loads(case.reply))


class _Held(BaseModel):
    model_config = ConfigDict(extra="allow")


def _baml() -> Read:
    from baml_py import BamlRuntime

    source, classes, members = _baml_source()
    runtime = BamlRuntime.from_files("baml_src", {"main.baml": source}, {})
    context = runtime.create_context_manager()
    module = ModuleType("corpus")
    for name in classes:
        setattr(module, name, type(name, (_Held,), {}))
    for name, values in members.items():
        setattr(module, name, values.__getitem__)

    def read(case: Case) -> Reading:
        arguments: tuple[Any, ...] = (module, module, module, False, context, None, None, {})
        return _validated(case, _plain(runtime.parse_llm_response(f"Get{case.model}", case.reply, *arguments)))

    return read


def _plain(value: Any) -> Any:
    """Data of BAML's objects; null for what may be left out counts as left out."""
    if isinstance(value, _Held):
        return {name: _plain(item) for name, item in (value.model_extra or {}).items() if item is not None}
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


class _Baml(NamedTuple):
    source: str
    classes: list[str]
    members: dict[str, dict[str, str]]


def _baml_source() -> _Baml:
    """The models in BAML's language, and what it calls the members of enums."""
    blocks = ["client<llm> None_ {\n  provider openai\n  options {\n    model x\n    api_key y\n  }\n}"]
    shapes = _objects(root_shape(name) for name in TYPES)
    members: dict[str, dict[str, str]] = {}
    for name, shape in shapes.items():
        rows = [
            f"  {each.name} {_baml_type(each.shape, members)}" + "?" * _optional(each) for each in shape.fields.values()
        ]
        blocks.append(f"class {name} {{\n" + "\n".join(rows) + "\n}")
    for name, values in members.items():
        rows = [f'  {member} @alias("{value}")' for member, value in values.items()]
        blocks.append(f"enum {name} {{\n" + "\n".join(rows) + "\n}")
    for name in TYPES:
        kind = _baml_type(root_shape(name), members)
        blocks.append(f'function Get{name}(x: string) -> {kind} {{\n  client None_\n  prompt #"x"#\n}}')
    return _Baml("\n\n".join(blocks), list(shapes), members)


def _optional(each: Any) -> int:
    return int(not each.required and not each.shape.nullable)


def _objects(roots: Iterable[Shape]) -> dict[str, Shape]:
    found: dict[str, Shape] = {}
    todo = list(roots)
    while todo:
        shape = todo.pop()
        if shape.kind == "object" and shape.name not in found:
            found[shape.name] = shape
            todo += [each.shape for each in shape.fields.values()]
        todo += [*shape.options, *([shape.item] if shape.item else [])]
    return found


def _baml_type(shape: Shape, members: dict[str, dict[str, str]]) -> str:
    return _baml_bare(shape, members) + ("?" if shape.nullable else "")


def _baml_bare(shape: Shape, members: dict[str, dict[str, str]]) -> str:
    if shape.kind == "enum" and len(shape.choices) == 1:
        return f'"{shape.choices[0][1]}"'
    if shape.kind == "enum":
        name = shape.name or "Enum" + "".join(value.capitalize() for _, value in shape.choices)
        members[name] = {member.upper(): value for member, value in shape.choices}
        return name
    if shape.item is not None:
        inner = _baml_type(shape.item, members)
        return f"({inner})[]" if shape.kind == "list" else f"map<string, {inner}>"
    if shape.kind == "union":
        return "(" + " | ".join(_baml_type(option, members) for option in shape.options) + ")"
    return {"str": "string", "date": "string"}.get(shape.kind, shape.name or shape.kind)


XML = ("xml",)
JSON = ("json",)
OURS = System("structured_response", _ours, ("xml", "json"))
SYSTEMS = (
    OURS,
    System("lxml, recover=True, + pydantic", _lxml, XML),
    System("LangChain XMLOutputParser + pydantic", _langchain, XML),
    System("DSPy XMLAdapter", _dspy, XML),
    System("json.loads + pydantic", _pydantic_json, JSON),
    System("json_repair + pydantic", _json_repair, JSON),
    System("instructor's extraction + pydantic", _instructor, JSON),
    System("BAML", _baml, JSON),
)
