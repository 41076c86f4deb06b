"""What each library puts to a language model for a model, by the name that a table calls it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel

from structured_response import StructuredResponse
from structured_response.definition import Node, plan_of_type, snake_case, walk
from structured_response.render.prompt import PromptFormat

__all__ = ["baml", "dspy", "ours", "pydantic"]

Texts = dict[str, str]


def ours(model: type[BaseModel]) -> Texts:
    response = StructuredResponse.from_basemodel(model)
    forms: tuple[PromptFormat, ...] = ("yaml", "json", "xml", "schema")
    bare = {f'to_prompt("{form}")': response.to_prompt(form) for form in forms}
    return bare | {
        f'to_prompt("{form}", instructions=True)': response.to_prompt(form, instructions=True) for form in forms
    }


def pydantic(model: type[BaseModel]) -> Texts:
    schema = model.model_json_schema()
    return {
        "Pydantic's JSON Schema": json.dumps(schema, indent=2, ensure_ascii=False),
        "Pydantic's JSON Schema, no blanks": json.dumps(schema, separators=(",", ":"), ensure_ascii=False),
    }


def dspy(model: type[BaseModel]) -> Texts:
    """The system message and the last one of each adapter, less what it says about a question that is empty."""
    os.environ["DSPY_CACHEDIR"] = tempfile.mkdtemp()
    import dspy as package

    signature = package.Signature("question -> answer", "").delete("answer")
    signature = signature.append(snake_case(model.__name__), package.OutputField(), type_=model)
    adapters = (package.XMLAdapter(), package.JSONAdapter(), package.ChatAdapter())
    return {
        f"DSPy's {type(adapter).__name__}": "\n".join(
            message["content"] for message in adapter.format(signature, [], {"question": ""})
        )
        for adapter in adapters
    }


def baml(model: type[BaseModel]) -> Texts:
    """`ctx.output_format`, out of a request that is built and not sent."""
    from baml_py import BamlRuntime

    runtime = BamlRuntime.from_files("baml_src", {"main.baml": baml_source(model)}, {})
    context = runtime.create_context_manager()
    request = runtime.build_request_sync("Get", {"x": ""}, context, None, None, {}, False)
    (message,) = request.body.json()["messages"]
    (part,) = message["content"]
    return {"BAML's ctx.output_format": part["text"]}


_BAML = """\
client<llm> Nobody {{
  provider openai
  options {{
    model x
    api_key y
  }}
}}

{classes}

function Get(x: string) -> {root} {{
  client Nobody
  prompt #"{{{{ ctx.output_format }}}}"#
}}
"""


def baml_source(model: type[BaseModel]) -> str:
    """The model in BAML's language. What has a default is optional there, since BAML has no defaults."""
    root = plan_of_type(model, model.__name__).root
    objects = {node.name: node for node in walk(root) if node.kind == "dict"}
    classes = "\n\n".join(f"class {name} {{\n{chr(10).join(_rows(node))}\n}}" for name, node in objects.items())
    return _BAML.format(classes=classes, root=root.name)


def _rows(node: Node) -> Iterator[str]:
    for name, field in node.fields.items():
        mark = "?" if field.node.nullable or not field.required else ""
        about = field.node.description
        described = f" @description({json.dumps(about, ensure_ascii=False)})" if about else ""
        yield f"  {name} ({_baml_type(field.node)}){mark}{described}"


def _baml_type(node: Node) -> str:
    if node.kind == "enum":
        return " | ".join(json.dumps(choice) for choice in node.choices)
    if node.kind == "list" and node.item is not None:
        return f"({_baml_type(node.item)})[]"
    return str(node.name) if node.kind == "dict" else {"str": "string"}.get(node.kind, node.kind)


PEERS: dict[str, Callable[[Any], Texts]] = {"baml": baml, "dspy": dspy}
"""What is asked in the environment of the peers."""
