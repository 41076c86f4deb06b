"""The types of the public surface: what checkers make of it, and that each type it names can be imported."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import structured_response
from structured_response import MissingExtraError

ROOT = Path(__file__).resolve().parent.parent.parent
TYPED = ROOT / "tests" / "contract" / "typed.py"
CHECKERS = {"mypy": ["--strict"], "pyright": []}


@pytest.mark.parametrize("checker", CHECKERS)
def test_types_are_known(checker: str) -> None:
    """To each checker, of unions and lists as of models, and without a complaint."""
    pytest.importorskip(checker)
    command = [sys.executable, "-m", checker, *CHECKERS[checker], str(TYPED)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


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
