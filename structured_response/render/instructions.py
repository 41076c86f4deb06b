"""The paragraph on how to answer, for each format of a prompt.

In XML it asks for no escapes: a model that escapes forgets some, while the reader has raw markup to the character.
"""

from __future__ import annotations

__all__ = ["INSTRUCTIONS"]

_XML = """\
Answer with this XML and nothing after it, each [...] replaced by its value. Copy no attribute but key. '...': any
number of items. required='false': may be left out. Write text as it is: no escaping, no CDATA.
"""

_FORM = """\
Answer with {name} of this form and nothing after it, descriptions replaced by values. Lists take any number of items.
What is optional may be left out.
"""

_SCHEMA = """\
Answer with one JSON object and nothing after it, with a value for each field below. What is not required may be left
out.
"""

INSTRUCTIONS = {
    "xml": _XML,
    "json": _FORM.format(name="JSON"),
    "yaml": _FORM.format(name="YAML"),
    "schema": _SCHEMA,
}
