"""The version of the library and its name on package indexes."""

__version__ = "0.1.0"

# On the public index, `structured-response` is another package.
DISTRIBUTION = "structured-response-py"
