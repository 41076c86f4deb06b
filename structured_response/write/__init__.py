"""An instance as text."""

from .json import to_json
from .tags import ITEMS, holds_tag, neutral, tag_names
from .xml import ANY_OPTIONS, scalar_text, to_xml, type_mark
from .yaml import to_yaml

__all__ = [
    "ANY_OPTIONS",
    "ITEMS",
    "holds_tag",
    "neutral",
    "scalar_text",
    "tag_names",
    "to_json",
    "to_xml",
    "to_yaml",
    "type_mark",
]
