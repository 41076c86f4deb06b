"""Modules of the package that are imported when something of them is first used."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["Lazy"]


class Lazy:
    """A module of the package in the place of its import: `import structured_response` has to stay fast. What is taken
    from it once is found at once.
    """

    def __init__(self, name: str) -> None:
        self.__name__ = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(f".{self.__name__}", __package__), name)
        setattr(self, name, value)
        return value
