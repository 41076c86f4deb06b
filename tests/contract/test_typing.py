"""The types of the public surface: each that it names can be imported. tests/slow/test_typed.py runs the checkers."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import structured_response
from structured_response import AskOptions, MissingExtraError, aask, ask

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("function", [ask, aask])
def test_a_signature_lists_the_options(function: Any) -> None:
    """With types and defaults, as a notebook shows them."""
    parameters = inspect.signature(function).parameters.values()
    shown = {each.name: each.annotation for each in parameters if each.kind is each.KEYWORD_ONLY}
    options = {name: given.__forward_arg__ for name, given in AskOptions.__annotations__.items()}
    assert shown == {"stream": "bool", **options}
    assert "attempts: 'int' = 3" in str(inspect.signature(function))
    assert all(f"{name}" in str(ask.__doc__) for name in shown)


def documented() -> set[str]:
    """The modules of the package that the documentation names."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    named = {
        match
        for page in pages
        for match in re.findall(r"from (structured_response[\w.]*) import", page.read_text("utf-8"))
    }
    return {"structured_response", *named}


def public(module: ModuleType) -> Iterator[Any]:
    """The classes and functions that a user can import from a module, and the public methods of the classes."""
    for name in module.__all__:
        held = getattr(module, name)
        if inspect.isclass(held):
            members: dict[str, Any] = {**vars(held)}
            for method_name, method in members.items():
                if not method_name.startswith("_") or method_name == "__init__":
                    yield getattr(method, "__func__", getattr(method, "fget", method))
        elif inspect.isfunction(held):
            yield held


def named_types(function: Any) -> set[str]:
    """The names that the annotations of a function hold."""
    annotations = [str(each) for each in getattr(function, "__annotations__", {}).values()]
    trees = [ast.parse(text, mode="eval") for text in annotations]
    return {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}


def own_names(module: ModuleType) -> set[str]:
    """The names in a module that this package defines, there or where they were imported from."""
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    own = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    imported = {alias.asname or alias.name for node in own for alias in node.names}
    return imported | {node.name for node in tree.body if isinstance(node, ast.ClassDef)}


def is_documented_part(module: ModuleType, held: object) -> bool:
    """Whether a module has another one among its public names."""
    return isinstance(held, ModuleType) and held.__name__.rpartition(".")[2] in getattr(module, "__all__", ())


def test_types_in_signatures_can_be_imported() -> None:
    """From the package, or from a module that the documentation names."""
    modules = []
    for name in documented():
        with suppress(MissingExtraError):  # an adapter of a framework that is not installed
            modules.append(importlib.import_module(name))
    modules += [held for module in modules for held in vars(module).values() if is_documented_part(module, held)]
    importable = {name for module in modules for name in getattr(module, "__all__", ())} | {"AnyType"}
    surface = [function for module in (structured_response, *modules) for function in public(module)]
    assert len(surface) > 50
    hidden = {
        f"{function.__module__}.{function.__qualname__}: {name}"
        for function in surface
        if str(getattr(function, "__module__", "")).startswith("structured_response")
        for name in (named_types(function) & own_names(sys.modules[function.__module__])) - importable
    }
    assert not hidden, "\n".join(sorted(hidden))
