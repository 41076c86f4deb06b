"""Definitions as plain dicts: read into a graph and written back; wrong shapes are refused, with a path."""

import json
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from structured_response import DefinitionError, StructuredResponse
from structured_response.definition.document import MAX_NESTING

Document = dict[str, Any]

INT = {"type": "int"}
STR = {"type": "str"}


def definition(document: Any) -> Document:
    """The definition of what was read from `document`."""
    return StructuredResponse.from_definition("M", document).definition


def spelt(document: Any) -> str:
    """A document as JSON, so that the order of its keys counts in a comparison."""
    return json.dumps(document, ensure_ascii=False)


TREE = {"name": STR, "below": {"type": "list", "elements": {"type": "ref", "name": "Tree"}}}

CANONICAL: list[Document] = [
    {},
    *({"a": {"type": kind}} for kind in ("str", "int", "float", "bool", "date", "time", "datetime")),
    *({"a": {"type": kind}} for kind in ("duration", "decimal", "uuid", "bytes", "any")),
    {"b": INT, "a": STR},
    {"a": {"type": "int", "description": "d", "ge": 1, "gt": 0, "le": 8, "lt": 9, "multiple_of": 2}},
    {"a": {"type": "str", "min_length": 1, "max_length": 3, "pattern": "a+"}},
    {"a": {"type": "date", "ge": "2020-01-01"}},
    {"a": {"type": "decimal", "le": "1.50"}},
    {"a": {"type": "float", "ge": -1, "lt": 0.5}},
    {"a": {"type": "int", "description": "q'\"[<&\n日"}},
    {"a": {"type": "enum", "choices": ["x", 1, 2.5, True], "description": "d"}},
    {"a": {"type": "list", "elements": "int", "description": "d", "min_length": 1}},
    {"a": {"type": "list", "description": "d", "elements": {"x": INT}, "max_length": 2}},
    {"a": {"type": "list", "elements": {"type": "list", "elements": "int"}}},
    {"a": {"type": "list", "elements": {"type": "enum", "choices": ["x"]}}},
    {"a": {"type": "list", "elements": {"type": "dict", "description": "d", "elements": {"x": INT}}}},
    {"a": {"type": "list", "elements": {}}},
    {"a": {"type": "dict", "description": "d", "elements": {"x": INT}}},
    {"a": {"type": "dict", "elements": {}}},
    {"a": {"type": "int", "ge": 1, "required": False}},
    {"a": {"type": "int", "required": False, "default": None}},
    {"a": {"type": "list", "elements": "int", "required": False, "default": [1, 2]}},
    {"a": {"type": "map", "keys": "str", "elements": "int", "description": "d"}},
    {"a": {"type": "tuple", "elements": [INT, STR]}},
    {"a": {"type": "union", "options": [INT, {"type": "dict", "elements": {"x": INT}, "name": "P"}]}},
    {"type": INT},
    {"a": {"type": "dict", "elements": {"type": INT, "elements": STR}}},
    {"a": {"type": "list", "elements": {"type": INT}}},
    {"a b": INT, "1": STR, "<&>": INT, "日本": INT},
    {**TREE, "$defs": {"Tree": TREE}},
    {"a": {"type": "ref", "name": "Tree", "description": "d"}, "$defs": {"Tree": TREE}},
    {"type": "int"},
    {"type": "list", "elements": "int"},
    {"type": "list", "elements": {"x": INT}, "max_length": 3},
    {"type": "enum", "choices": ["a"]},
]


@pytest.mark.parametrize("document", CANONICAL, ids=spelt)
def test_definition_reads_back_as_itself(document: Document) -> None:
    """A definition in its own form is kept to the key."""
    assert spelt(definition(document)) == spelt(document)


NORMALIZED: list[tuple[Any, Document]] = [
    (
        {"a": {"le": 2, "description": "d", "ge": 1, "type": "int"}},
        {"a": {"type": "int", "description": "d", "ge": 1, "le": 2}},
    ),
    (
        {"a": {"description": "d", "elements": "int", "type": "list"}},
        {"a": {"type": "list", "elements": "int", "description": "d"}},
    ),
    (
        {"a": {"elements": {"x": INT}, "description": "d", "type": "list"}},
        {"a": {"type": "list", "description": "d", "elements": {"x": INT}}},
    ),
    ({"a": {"type": "int", "required": True}}, {"a": INT}),
    ({"a": {"type": "int", "description": None}}, {"a": INT}),
    ({"a": {"type": "list", "elements": {"type": "int"}}}, {"a": {"type": "list", "elements": "int"}}),
    (
        {"a": {"type": "list", "elements": {"type": "dict", "elements": {"x": INT}}}},
        {"a": {"type": "list", "elements": {"x": INT}}},
    ),
    ({"a": {"type": "map", "elements": "int"}}, {"a": {"type": "map", "keys": "str", "elements": "int"}}),
    (
        {"a": {"type": "ref", "name": "P"}, "$defs": {"P": {"x": INT}}},
        {"a": {"type": "dict", "elements": {"x": INT}}},
    ),
    ({"a": INT, "$defs": {}}, {"a": INT}),
    (MappingProxyType({"a": MappingProxyType(INT)}), {"a": INT}),
]


@pytest.mark.parametrize(("written", "expected"), NORMALIZED)
def test_definition_by_hand_takes_its_own_form(written: Any, expected: Document) -> None:
    """What may be written in several ways is one definition, with one order of its keys."""
    assert spelt(definition(written)) == spelt(expected)


NAMES = st.one_of(
    st.sampled_from(["a", "b", "type", "elements", "name", "$x", "a b", "日本", "<&>'\""]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=5).filter(lambda name: name != "$defs"),
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
DESCRIBED: st.SearchStrategy[Document] = st.one_of(st.just({}), TEXTS.map(lambda text: {"description": text}))
SCALARS = st.sampled_from(
    ["str", "int", "float", "bool", "date", "time", "datetime", "duration", "decimal", "uuid", "bytes"]
)
CHOICES = st.lists(st.one_of(TEXTS, st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=4, unique=True)


def enums() -> st.SearchStrategy[Document]:
    """Nodes of enums."""
    return st.builds(lambda choices, more: {"type": "enum", "choices": choices, **more}, CHOICES, DESCRIBED)


def around(nodes: st.SearchStrategy[Document]) -> st.SearchStrategy[Document]:
    """Nodes that hold other nodes."""
    fields = st.dictionaries(NAMES, nodes, max_size=4)
    lists = st.builds(lambda item, more: {"type": "list", "elements": item, **more}, nodes, DESCRIBED)
    dicts = st.builds(lambda held, more: {"type": "dict", "elements": held, **more}, fields, DESCRIBED)
    return lists | dicts


def nodes() -> st.SearchStrategy[Document]:
    """Nodes of any depth, written out in full."""
    scalars = st.builds(lambda kind, more: {"type": kind, **more}, SCALARS, DESCRIBED)
    return st.recursive(scalars | enums(), around, max_leaves=8)


@given(st.dictionaries(NAMES, nodes(), max_size=4))
def test_definition_survives_being_read(document: Document) -> None:
    """What a definition is read into is written as one that reads the same: form, prompt, fingerprint."""
    response = StructuredResponse.from_definition("M", document)
    again = StructuredResponse.from_definition("M", response.definition)
    assert spelt(again.definition) == spelt(response.definition)
    assert again.to_prompt() == response.to_prompt()
    assert again.fingerprint == response.fingerprint
    assert again == response


@given(st.dictionaries(NAMES, nodes(), max_size=4))
def test_definition_survives_json(document: Document) -> None:
    """A definition that went through JSON text asks for the same."""
    response = StructuredResponse.from_definition("M", document)
    stored = json.loads(json.dumps(response.definition))
    assert StructuredResponse.from_definition("M", stored).to_prompt() == response.to_prompt()


JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, SCALARS, st.binary(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.one_of(
                st.sampled_from(
                    ["type", "elements", "choices", "description", "required", "default", "name", "options"]
                ),
                st.sampled_from(["keys", "discriminator", "ge", "min_length", "pattern", "$defs", "a"]),
            ),
            st.one_of(inner, st.sampled_from(["list", "dict", "enum", "map", "tuple", "union", "ref"])),
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@given(JUNK)
def test_any_shape_is_read_or_refused(junk: Any) -> None:
    """Whatever the shape, a definition can be used to its end or is a `DefinitionError`."""
    try:
        response = StructuredResponse.from_definition("M", junk)
    except DefinitionError:
        return
    response.to_prompt()
    response.parse("<m></m>", strict=False)
    assert StructuredResponse.from_definition("M", response.definition).definition == response.definition


NO_DEFINITIONS: list[Any] = [None, 5, True, "int", b"{}", [], [INT], ("a", INT), {1, 2}]


@pytest.mark.parametrize("document", NO_DEFINITIONS, ids=repr)
def test_definition_that_is_no_dict_is_refused(document: Any) -> None:
    """A definition is a dict; anything else is refused by its type's name."""
    with pytest.raises(DefinitionError, match=type(document).__name__) as caught:
        definition(document)
    assert caught.value.path == ""


def inside(node: Any) -> list[tuple[Any, str]]:
    """A node at every place where one may stand, with the path of the place."""
    return [
        ({"a": node}, "a"),
        ({"a": {"type": "dict", "elements": {"b": node}}}, "a.b"),
        ({"a": {"type": "list", "elements": {"b": node}}}, "a.b"),
        ({"a": {"type": "list", "elements": {"type": "list", "elements": {"b": node}}}}, "a.b"),
        ({"a": {"type": "map", "elements": {"b": node}}}, "a.b"),
        ({"type": "list", "elements": {"b": node}}, "b"),
    ]


WRONG_NODES: list[tuple[Any, str]] = [
    # no node
    (None, "node"),
    (5, "node"),
    ("int", "node"),
    ([INT], "node"),
    # type
    ({}, "type"),
    ({"description": "d"}, "type"),
    ({"type": "integer"}, "'integer'"),
    ({"type": "Int"}, "'Int'"),
    ({"type": ""}, "type"),
    ({"type": None}, "type"),
    ({"type": 5}, "type"),
    ({"type": ["int"]}, "type"),
    ({"type": int}, "type"),
    # keys that the type does not have
    ({"type": "int", "elements": "int"}, "'elements'"),
    ({"type": "int", "choices": [1]}, "'choices'"),
    ({"type": "int", "descripton": "d"}, "'descripton'"),
    ({"type": "int", "minimum": 1}, "'minimum'"),
    ({"type": "int", 5: 1}, "5"),
    ({"type": "list", "elements": "int", "choices": ["a"]}, "'choices'"),
    ({"type": "enum", "choices": ["a"], "elements": "int"}, "'elements'"),
    # description, required
    ({"type": "int", "description": 5}, "description"),
    ({"type": "int", "description": ["d"]}, "description"),
    ({"type": "list", "elements": "int", "description": {}}, "description"),
    ({"type": "int", "required": "no"}, "'no'"),
    ({"type": "int", "required": 0}, "required"),
    ({"type": "int", "required": None}, "required"),
    # constraints of a wrong type
    ({"type": "int", "ge": None}, "'ge'"),
    ({"type": "int", "ge": True}, "'ge'"),
    ({"type": "int", "lt": [1]}, "'lt'"),
    ({"type": "int", "multiple_of": {}}, "'multiple_of'"),
    ({"type": "str", "min_length": "1"}, "'min_length'"),
    ({"type": "str", "max_length": 1.5}, "'max_length'"),
    ({"type": "str", "max_length": True}, "'max_length'"),
    ({"type": "str", "pattern": 5}, "'pattern'"),
    # constraints that no value could be held against
    ({"type": "int", "ge": "x"}, "'ge'"),
    ({"type": "float", "lt": "x"}, "'lt'"),
    ({"type": "float", "gt": float("nan")}, "'gt'"),
    ({"type": "int", "multiple_of": 0}, "'multiple_of'"),
    ({"type": "int", "multiple_of": -2}, "'multiple_of'"),
    ({"type": "str", "min_length": -1}, "'min_length'"),
    ({"type": "list", "elements": "int", "max_length": -1}, "'max_length'"),
    ({"type": "str", "pattern": "("}, "'pattern'"),
    ({"type": "date", "ge": "yesterday"}, "'ge'"),
    ({"type": "date", "ge": 5}, "'ge'"),
    ({"type": "decimal", "ge": "x"}, "'ge'"),
    ({"type": "duration", "lt": "long"}, "'lt'"),
    # constraints of another type
    ({"type": "int", "min_length": 1}, "'min_length'"),
    ({"type": "int", "pattern": "a"}, "'pattern'"),
    ({"type": "str", "ge": 1}, "'ge'"),
    ({"type": "str", "multiple_of": 1}, "'multiple_of'"),
    ({"type": "bool", "ge": 1}, "'ge'"),
    ({"type": "enum", "choices": ["a"], "ge": 1}, "'ge'"),
    ({"type": "list", "elements": "int", "ge": 1}, "'ge'"),
    ({"type": "list", "elements": "int", "pattern": "a"}, "'pattern'"),
    ({"type": "dict", "elements": {}, "min_length": 1}, "'min_length'"),
    # enums
    ({"type": "enum"}, "'choices'"),
    ({"type": "enum", "choices": None}, "'choices'"),
    ({"type": "enum", "choices": []}, "'choices'"),
    ({"type": "enum", "choices": "abc"}, "'choices'"),
    ({"type": "enum", "choices": {"a": 1}}, "'choices'"),
    ({"type": "enum", "choices": [None]}, "None"),
    ({"type": "enum", "choices": ["a", ["b"]]}, r"\['b'\]"),
    ({"type": "enum", "choices": [{}]}, r"\{\}"),
    # lists and objects
    ({"type": "list"}, "'elements'"),
    ({"type": "list", "elements": None}, "fields|node"),
    ({"type": "list", "elements": 5}, "fields|node"),
    ({"type": "list", "elements": [INT]}, "fields|node"),
    ({"type": "list", "elements": "integer"}, "'integer'"),
    ({"type": "list", "elements": "enum"}, "'enum'"),
    ({"type": "list", "elements": "list"}, "'list'"),
    ({"type": "list", "elements": "dict"}, "'dict'"),
    ({"type": "list", "elements": "ref"}, "'ref'"),
    ({"type": "list", "elements": {"type": "integer"}}, "'integer'"),
    ({"type": "dict"}, "'elements'"),
    ({"type": "dict", "elements": None}, "fields"),
    ({"type": "dict", "elements": "int"}, "fields"),
    ({"type": "dict", "elements": [INT]}, "fields"),
    ({"type": "dict", "elements": {"": INT}}, "name"),
    ({"type": "dict", "elements": {5: INT}}, "5"),
    ({"type": "dict", "elements": {None: INT}}, "None"),
    ({"type": "dict", "elements": {}, "name": 5}, "name"),
    # references
    ({"type": "ref"}, "needs 'name'"),
    ({"type": "ref", "name": 5}, "5"),
    ({"type": "ref", "name": ["P"]}, "P"),
    ({"type": "ref", "name": "Nowhere"}, "'Nowhere'"),
    # the rest
    ({"type": "map"}, "'elements'"),
    ({"type": "map", "elements": 5}, "fields|node"),
    ({"type": "map", "elements": "int", "keys": 5}, "fields|node|keys"),
    ({"type": "map", "elements": "int", "keys": {"x": INT}}, "keys"),
    ({"type": "tuple"}, "'elements'"),
    ({"type": "tuple", "elements": "int"}, "'elements'"),
    ({"type": "union"}, "'options'"),
    ({"type": "union", "options": []}, "'options'"),
    ({"type": "union", "options": ["int", "str"], "discriminator": 5}, "discriminator"),
]


@pytest.mark.parametrize(("node", "says"), WRONG_NODES, ids=[repr(row[0]) for row in WRONG_NODES])
def test_wrong_node_is_refused_with_its_path(node: Any, says: str) -> None:
    """A node of a wrong shape is refused wherever it stands, with its path and with what is wrong."""
    for document, path in inside(node):
        with pytest.raises(DefinitionError, match=says) as caught:
            definition(document)
        assert caught.value.path == path
        assert str(caught.value) == f"{path}: {caught.value.message}"


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"a": {"type": "dict", "elements": {"b": 5}}}, "a.b"),
        ({"a": {"type": "list", "elements": {"b": {"type": "int", "ge": []}}}}, "a.b"),
        ({"a": {"type": "list", "elements": {"type": 5}}}, "a.type"),
        ({"a": {"type": "tuple", "elements": [INT, 5]}}, "a"),
        ({"a": {"type": "union", "options": ["int", {"b": 5}]}}, "a.b"),
        ({"type": INT, "a": 5}, "a"),
        ({"type": "list", "elements": 5}, ""),
        ({"type": "integer"}, ""),
        ({"": INT}, ""),
        ({5: INT}, ""),
    ],
    ids=repr,
)
def test_path_leads_to_the_wrong_place(document: Any, path: str) -> None:
    """The path is spelt as paths that select are: names with dots, items passed over."""
    with pytest.raises(DefinitionError) as caught:
        definition(document)
    assert caught.value.path == path


REF = {"type": "ref", "name": "P"}

WRONG_SHAPES: list[tuple[Any, str]] = [
    ({"a": REF, "$defs": None}, "defs"),
    ({"a": REF, "$defs": [INT]}, "defs"),
    ({"a": REF, "$defs": {"P": 5}}, "fields"),
    ({"a": REF, "$defs": {"P": [INT]}}, "fields"),
    ({"a": REF, "$defs": {"P": {"b": 5}}}, "node"),
    ({"a": REF, "$defs": {"P": {"": INT}}}, "name"),
    ({"a": REF, "$defs": {"Q": {}}}, "'P'"),
    ({"a": {**REF, "description": 5}, "$defs": {"P": {}}}, "description"),
    ({"a": {**REF, "description": ["d"]}, "$defs": {"P": {}}}, "description"),
    ({"a": {**REF, "colour": "red"}, "$defs": {"P": {}}}, "'colour'"),
    ({"a": {**REF, "ge": 1}, "$defs": {"P": {}}}, "'ge'"),
    ({"a": {**REF, "elements": {}}, "$defs": {"P": {}}}, "'elements'"),
    ({"a": INT, "$defs": {"P": 5}}, "fields"),
    ({"a": INT, "$defs": {"P": {"b": {"type": "integer"}}}}, "'integer'"),
]


@pytest.mark.parametrize(("document", "says"), WRONG_SHAPES, ids=[repr(row[0]) for row in WRONG_SHAPES])
def test_wrong_shape_behind_a_reference_is_refused(document: Any, says: str) -> None:
    """Shapes are checked like fields, and so is what stands beside a reference."""
    with pytest.raises(DefinitionError, match=says) as caught:
        definition(document)
    assert caught.value.path


def nested(kind: str, levels: int) -> Document:
    """A field of lists or objects nested in each other."""
    node: Any = "int" if kind == "list" else INT
    for _ in range(levels):
        node = {"type": kind, "elements": node if kind == "list" else {"a": node}}
    return {"a": node}


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_depth_up_to_the_bound_is_read(kind: str) -> None:
    """A definition may be nested nearly as deeply as the bound says."""
    document = nested(kind, MAX_NESTING - 2)
    assert definition(document) == document


@pytest.mark.parametrize("levels", [MAX_NESTING + 2, 5_000, 100_000])
@pytest.mark.parametrize("kind", ["list", "dict"])
def test_depth_past_the_bound_is_refused(kind: str, levels: int) -> None:
    """A definition nested past the bound is refused for that, however deep it is and whatever nests."""
    with pytest.raises(DefinitionError, match="nested deeper"):
        definition(nested(kind, levels))


@pytest.mark.parametrize("kind", ["list", "dict"])
def test_definition_that_holds_itself_is_refused(kind: str) -> None:
    """A dict that holds itself has no end, and is refused for its depth."""
    node: Document = {"type": kind}
    node["elements"] = node if kind == "list" else {"a": node}
    with pytest.raises(DefinitionError, match="nested deeper"):
        definition({"a": node})


def test_long_values_are_cut_in_messages() -> None:
    """A message shows enough of a wrong value, not a megabyte of it."""
    with pytest.raises(DefinitionError) as caught:
        definition({"a": ["x" * 1_000_000]})
    assert len(str(caught.value)) < 300


def test_definition_does_not_change_with_the_dict_it_came_from() -> None:
    """What is done to the dict later does not reach the response."""
    written: Document = {
        "a": {"type": "list", "elements": {"x": {"type": "enum", "choices": ["u"]}}},
        "b": {"type": "list", "elements": "int", "max_length": 3, "required": False, "default": [1]},
    }
    expected = json.loads(json.dumps(written))
    response = StructuredResponse.from_definition("M", written)
    written["a"]["elements"]["x"]["choices"].append("v")
    written["b"]["default"].append(2)
    written["b"]["max_length"] = 4
    written["c"] = INT
    assert response.definition == expected


def test_recursive_definition_gives_the_prompt_of_its_model() -> None:
    """A reference to the whole definition's own shape is recognized: the prompt is the model's."""
    written = StructuredResponse.from_definition("Tree", {**TREE, "$defs": {"Tree": TREE}})
    assert written.to_prompt() == (
        "<tree>\n"
        "    <name type='str'>[value here - as a string]</name>\n"
        "    <below type='list' elements='dict'>\n"
        "        <li index='0'>[the same elements as in tree]</li>\n"
        "        ...\n"
        "    </below>\n"
        "</tree>"
    )


@pytest.mark.parametrize("name", ["", None, 5, b"M", ["M"]])
def test_class_name_is_a_text(name: Any) -> None:
    """A class name that is empty or no text is refused."""
    with pytest.raises(DefinitionError, match="class name"):
        StructuredResponse.from_definition(name, {"a": INT})
    with pytest.raises(DefinitionError, match="class name"):
        StructuredResponse(name)


def test_a_class_is_no_class_name() -> None:
    """Who gives a model in place of a name is told what takes one."""
    with pytest.raises(DefinitionError, match="from_basemodel takes a class"):
        StructuredResponse(int)  # type: ignore[arg-type]


def test_pattern_of_python_is_a_pattern_like_any_other() -> None:
    """A pattern that only Python's engine knows, as a model may have it, works without the model too."""
    response = StructuredResponse.from_definition("M", {"a": {"type": "str", "pattern": "^(?=x)x$"}})
    assert response.parse("<m><a>x</a></m>").instance == {"a": "x"}
