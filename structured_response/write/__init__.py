"""An instance as text."""

from .xml import ANY_OPTIONS, scalar_text, to_xml, type_mark

__all__ = ["ANY_OPTIONS", "scalar_text", "to_xml", "type_mark"]
