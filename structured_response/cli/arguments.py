"""The arguments that commands share, and how an instance is printed."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer
from pydantic_core import to_json

from ..response import StructuredResponse
from .terminal import print_text

__all__ = ["Expected", "Format", "FormatOption", "ModelArgument", "StrictOption", "print_instance"]


class Format(StrEnum):
    """How an instance is printed."""

    JSON = "json"
    XML = "xml"


class Expected(StrEnum):
    """What a reply is expected to be written in."""

    XML = "xml"
    JSON = "json"
    YAML = "yaml"


ModelArgument = Annotated[
    str,
    typer.Argument(help="A type (package.module:Name) or a JSON Schema file (x.json).", show_default=False),
]
FormatOption = Annotated[Format, typer.Option("--format", help="The output format.")]
StrictOption = Annotated[
    bool, typer.Option(help="Print nothing for a bad reply, or what could be read, with null for the rest.")
]


def print_instance(response: StructuredResponse[Any], form: Format) -> None:
    if form is Format.XML:
        print_text(str(response), "xml")
    else:
        # Unlike orjson, this one has integers of any size, and no number that JSON lacks becomes null.
        print_text(to_json(response.instance, indent=2, inf_nan_mode="strings").decode(), "json")
