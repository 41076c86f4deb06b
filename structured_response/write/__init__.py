"""An instance as text."""

from .xml import to_xml

__all__ = ["to_xml"]
