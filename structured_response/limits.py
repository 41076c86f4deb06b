"""Every bound of the library: its number, its unit and the reason for it."""

MAX_REPLY = 64 * 1024 * 1024
"""Characters of one reply. The longest context windows hold a tenth of it; past it memory, not meaning, is at stake."""

MAX_DEPTH = 200
"""Levels of nested data, lists and objects alike. orjson and pydantic-core stop near 255, Python's stack at 1,000
frames, of which a level takes three."""

MAX_NESTING = 64
"""Levels of a definition, references apart. Nobody asks for more, and each takes five frames of Python's stack."""

MAX_YAML = 256 * 1024
"""Characters of a reply that are read as YAML: three times what the longest replies hold. PyYAML
without libyaml needs some 30 microseconds for each."""

MAX_FINDINGS = 10_000
"""Repairs, and problems, kept of one reply. Nobody reads more, and a hostile reply could ask for a million."""

MAX_TRIED = 4
"""Answers of one reply that are read in full: those that hold most of what is required. Each costs a validation."""

MAX_EXAMPLES = 100
"""Examples of its prompts that a response remembers, the latest ones, to know them again in a reply."""

MAX_SHOWN = 5
"""Problems spelt out in an error's message, and choices in a problem's; all of them are on the object."""

MAX_EXCERPT = 100
"""Characters of a reply's line that an excerpt shows, or of a choice that a message names: what a terminal holds."""

MAX_COPIES = 5
"""Times that a definition or a prompt writes out a model's shape; past it, places refer to the shape by name."""

MAX_SAME_LINES = 5
"""Lines that a prompt which names shapes repeats word by word; past it, places refer to the first that shows them."""

MAX_COMPILED = 1_024
"""Definitions whose compiled forms are kept. A program has dozens; one that makes classes in a loop must not leak."""

MAX_SERIALIZED = 256 * 1024 * 1024
"""Characters of a serialized response that `deserialize` looks at."""

MAX_FORM_DIGITS = 4_300
"""Digits of a number: Python's own bound on text to int, which is quadratic."""

MAX_LOOSE = 10_000
"""Characters of a scalar that is not in its strict form: room for MAX_FORM_DIGITS digits with separators, or for a
long explanation behind a short value. Bytes have no such bound."""

MAX_CANDIDATES = 5
"""Readings of an ambiguous value that a problem names."""

LONG_REPLY = 50_000
"""Characters of a reply past which the collector of cycles rests while it is read. Shorter ones make few objects."""

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line of a dataset: the largest record is a tree of messages, of some kilobytes each."""

MAX_LITERAL = 1024 * 1024
"""Bytes of a line that is read as a Python literal, since it is no JSON: the parser takes a hundred times its size."""

MAX_SHARED = 64
"""Values that an unpickled file may hold for each of its bytes. Containers may be shared; what grows past this was
made to grow without end."""

MAX_ASKED_AGAIN = 20
"""Fields of an object, or items of a list, that are asked for again by name. Past it the whole is shorter."""

MAX_REASON = 120
"""Characters of what is wrong in a message that asks again; of what stood there a third of it."""

MAX_ANCHOR = 60
"""Characters of a cut off reply by which its continuation is joined to it: enough to stand nowhere else by chance."""

MIN_OVERLAP = 8
"""Characters that the end of a cut off reply and the beginning of its continuation share before they count as one."""

MIN_AGAIN = 20
"""The same of elements that were finished: shorter ones, such as `<li>5</li>`, may well come twice in a row."""
