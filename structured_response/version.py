"""The version of the library and its name on package indexes."""

__version__ = "0.1.0"
DISTRIBUTION = "structured-response-py"  # on the public index, `structured-response` is another package
