"""The paragraph on how to answer, for each format of a prompt."""

from __future__ import annotations

__all__ = ["INSTRUCTIONS"]

_XML = """\
Answer with the XML below, filled in, and with nothing after it. Put each value in place of the text in square
brackets. The attributes are for you; leave them out. Write as many <li> elements as there are items; '...' only
says so. An element with required='false' may be left out. Put text that holds & or < into <![CDATA[ and ]]>.
"""

_FORM = """\
Answer with {name} of the form below, filled in, and with nothing after it. Put each value in place of the text that
says what it is, and of which type. Write as many items into a list as there are. What is optional may be left out.
"""

_SCHEMA = """\
Answer with one JSON object that has a value for each field below, and with nothing after it. Each field says its type
and what it is for. What is not required may be left out.
"""

INSTRUCTIONS = {
    "xml": _XML,
    "json": _FORM.format(name="JSON"),
    "yaml": _FORM.format(name="YAML"),
    "schema": _SCHEMA,
}
