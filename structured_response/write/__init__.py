"""An instance as text."""

from .json import to_json
from .xml import ANY_OPTIONS, scalar_text, to_xml, type_mark
from .yaml import to_yaml

__all__ = ["ANY_OPTIONS", "scalar_text", "to_json", "to_xml", "to_yaml", "type_mark"]
