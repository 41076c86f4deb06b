"""The version of the library, and the name that package indexes know it by."""

__version__ = "0.1.0"

# Not the name of the import: on the public index, `structured-response` is a package of somebody else.
DISTRIBUTION = "structured-response-py"
