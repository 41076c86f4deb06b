"""Imports modules of the package at their first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Lazy:
    """A module that is imported at its first use, to keep `import structured_response` fast. Attributes are cached."""

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(f".{self.__name__}", __package__), name)
        setattr(self, name, value)
        return value
