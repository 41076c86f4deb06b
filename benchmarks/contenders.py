"""What is timed on a reply: each way of reading it, and how to tell that what it read is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import xmltodict
from langchain_core.output_parsers import XMLOutputParser
from lxml import etree
from pydantic import BaseModel

from benchmarks.timing import Call
from benchmarks.twins import TWINS
from benchmarks.workload import Workload


@dataclass(frozen=True)
class Contender:
    """`prepare` gives the call to time; `right` tells whether what the call returned is the reply's data."""

    name: str
    prepare: Callable[[Workload], Call]
    right: Callable[[Workload, Any], bool]


def verdict(contender: Contender, load: Workload) -> str:
    """Empty when the contender reads the reply rightly, else what is wrong."""
    try:
        result = contender.prepare(load)()
    except Exception as error:  # noqa: BLE001 - peers raise what they like, and each goes into the table
        return f"raises {type(error).__name__}"
    return "" if contender.right(load, result) else "wrong data"


def _ours(load: Workload) -> Call:
    parse, xml = load.response().parse, load.xml
    return lambda: parse(xml)


def _ours_fenced(load: Workload) -> Call:
    parse, reply = load.response().parse, load.fenced
    return lambda: parse(reply)


def _ours_looked_at(load: Workload) -> Call:
    parse, xml, field = load.response().parse, load.xml, next(iter(load.data))
    return lambda: getattr(parse(xml).instance, field)


def _ours_model(load: Workload) -> Call:
    parse, xml = load.response().parse, load.xml
    return lambda: parse(xml).to_basemodel()


def _lxml(load: Workload) -> Call:
    fromstring, xml = etree.fromstring, load.xml
    return lambda: fromstring(xml)


def _pydantic_json(load: Workload) -> Call:
    validate, text = load.model.model_validate_json, load.json
    return lambda: validate(text)


def _unwrap(_: object, key: str, value: Any) -> tuple[str, Any]:
    """Put a list where xmltodict has an element whose children are its items."""
    return key, value["li"] if isinstance(value, dict) and value.keys() == {"li"} else value


def _xmltodict(load: Workload) -> Call:
    parse, validate, xml = xmltodict.parse, load.model.model_validate, load.xml

    def call() -> BaseModel:
        (data,) = parse(xml, force_list=("li",), postprocessor=_unwrap).values()
        return validate(data)

    return call


def _langchain(load: Workload) -> Call:
    parse, xml = XMLOutputParser(parser="xml").parse, load.xml
    return lambda: parse(xml)


def _langchain_fenced(load: Workload) -> Call:
    parse, reply = XMLOutputParser(parser="xml").parse, load.fenced
    return lambda: parse(reply)


def _pydantic_xml(load: Workload) -> Call:
    read, xml = TWINS[load.model].from_xml, load.xml
    return lambda: read(xml)


def _right_response(load: Workload, response: Any) -> bool:
    whole = response.instance == load.data and response.to_basemodel() == load.instance
    return whole and not response.repairs and not response.problems


def _right_field(load: Workload, value: Any) -> bool:
    return bool(value == next(iter(load.data.values())))


def _right_model(load: Workload, model: BaseModel) -> bool:
    return model.model_dump(mode="json") == load.data


def _right_tree(load: Workload, root: etree._Element) -> bool:
    leaves = [element for element in root.iter("*") if len(element) == 0]
    return len(leaves) == sum(1 for _ in _texts(load.data))


def _right_texts(load: Workload, tree: Any) -> bool:
    return list(_texts(tree)) == list(_texts(load.data))


def _texts(value: object) -> Iterator[str]:
    """The text of each leaf, in order, without the names."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


LXML = Contender("lxml", _lxml, _right_tree)
OURS = Contender("parse", _ours, _right_response)
LOOKED_AT = Contender("parse, instance read", _ours_looked_at, _right_field)
AS_MODEL = Contender("parse, to_basemodel", _ours_model, _right_model)
PYDANTIC_JSON = Contender("model_validate_json", _pydantic_json, _right_model)
XMLTODICT = Contender("xmltodict + pydantic", _xmltodict, _right_model)
LANGCHAIN = Contender("LangChain XMLOutputParser", _langchain, _right_texts)
PYDANTIC_XML = Contender("pydantic-xml", _pydantic_xml, _right_model)
OURS_FENCED = Contender("parse, fenced", _ours_fenced, _right_response)
LANGCHAIN_FENCED = Contender("LangChain XMLOutputParser, fenced", _langchain_fenced, _right_texts)

BARE = (LXML, OURS, LOOKED_AT, AS_MODEL, PYDANTIC_JSON, XMLTODICT, LANGCHAIN, PYDANTIC_XML)
FENCED = (LXML, OURS, OURS_FENCED, LANGCHAIN_FENCED)
FITTING = (LXML, OURS, LOOKED_AT, AS_MODEL, PYDANTIC_JSON)
