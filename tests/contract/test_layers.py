"""The layers of the package: who may import whom, read from the source, and what one import brings along.

A module imports only from rows below its own; within a package it may import its siblings. Imports
under `if TYPE_CHECKING` count like any other: to know a type is to depend on it. FORWARD has the exceptions.
"""

import ast
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = "structured_response"
ROOT = Path(__file__).resolve().parent.parent.parent

# From the bottom. A name is a module of the package or a package inside it; `__init__` is the
# package's own: what a user can import is there for the rows above it as for any user.
ROWS = (
    ("escaping", "version", "completion", "warn_once", "lazy", "options"),
    ("errors", "findings"),
    ("definition",),
    ("data",),
    ("render",),
    ("read",),
    ("reask",),
    ("stream",),
    ("outages", "packing", "progress", "response"),
    ("cache", "clients"),
    ("asking",),
    ("data_class",),
    ("__init__",),
    ("batch", "datasets", "explain", "integrations", "tools"),
    ("cli", "playground", "testing", "__main__"),
)

# The modules inside of read, from the bottom, as a reply goes through them. Those of a row may import each other.
INSIDE_READ = (
    ("answer", "account", "values"),
    ("scan",),
    ("grammar", "layers", "refusals"),
    ("prices",),
    ("table",),
    ("rows_elements", "rows_json"),
    ("rows_tags",),
    ("rows_text",),
    ("moves",),
    ("search",),
    ("build",),
    ("parts",),
    ("lines",),
    ("separated",),
    ("leftovers", "read_json", "scan_json", "scan_lines"),
    ("data",),
    ("leaves", "record"),
    ("containers", "unions", "written"),
    ("candidates", "fast", "validate"),
    ("reader",),
    ("",),  # the package's own door
)

# Imports from the same row, each with its reason.
SIDEWAYS = {
    ("errors", "findings"): "an error carries the problems it is about",
    ("__main__", "cli"): "__main__ is where the command line starts",
    ("cli", "playground"): "a command serves the page",
    ("tools", "explain"): "the turns of an agent as a report",
}

# Types from above that annotations name, imported under `if TYPE_CHECKING` alone, each with its reason.
FORWARD = {
    ("errors", "response"): "an error carries the response that could be read",
    ("errors", "asking"): "and the attempts at an answer",
    ("errors", "tools"): "and the turns with their calls",
    ("stream", "response"): "a stream ends in a response",
    ("response", "explain"): "what a door to it returns",
    ("asking", "explain"): "what a door to it returns",
}

# Methods that are only doors to a row above, which they import when they are called, each with its reason.
DOORS = {
    ("asking", "batch"): "many results as a table",
    ("asking", "explain"): "the attempts at an answer as a report",
    ("response", "explain"): "the reading of a reply as a report",
}

# Imports inside functions, each with its reason: (the module that imports, what it imports).
EXTRA_IMPORTS = {
    (f"{PACKAGE}.definition.plan", "hashlib"): "OpenSSL takes a tenth of the package's time to import",
    (f"{PACKAGE}.data.load", "yaml"): "YAML is an extra, and few replies are YAML",
    (f"{PACKAGE}.render.yaml", "yaml"): "the same",
    (f"{PACKAGE}.read.values.text", "html"): "two thousand names, of which few replies hold any",
    (f"{PACKAGE}.warn_once", "logging"): "nothing fails in most programs",
    (f"{PACKAGE}.asking.spans", "opentelemetry"): "spans are an extra, and whether it is there is asked once",
    (f"{PACKAGE}.asking.spending", "genai_prices"): "an extra, which takes a fifth of a second to import",
    (f"{PACKAGE}.outages", "tenacity"): "an extra, and few calls fail",
    (f"{PACKAGE}.progress", "rich"): "an extra, and most bars are not shown",
    (f"{PACKAGE}.asking.many", f"{PACKAGE}.batch.asked"): "a door, and pyarrow is an extra",
    (f"{PACKAGE}.asking.result", f"{PACKAGE}.explain"): "a door",
    (f"{PACKAGE}.response", f"{PACKAGE}.explain"): "a door",
    (f"{PACKAGE}.tools.turns", f"{PACKAGE}.explain"): "a door",
    (f"{PACKAGE}.clients.sdk", "litellm"): "an extra, which takes seconds to import",
    (f"{PACKAGE}.tools.toolbox", f"{PACKAGE}.tools.mcp"): "an extra, and most tools are functions",
    (f"{PACKAGE}.__main__", f"{PACKAGE}.cli.main"): "without the extra the user is told how to install it",
}

# What `import structured_response` leaves alone.
LATE = (
    *("box", "hypothesis", "rich", "typer", "yaml", "json_repair", "asyncio", "logging", "opentelemetry", "sqlite3"),
    *("jsonschema", "starlette", "uvicorn"),
    *(
        f"{PACKAGE}.{name}"
        for name in (
            "asking",
            "cache",
            "clients",
            "data_class",
            "explain",
            "render.json",
            "render.prompt",
            "render.xml",
            "reask",
            "stream",
        )
    ),
    f"{PACKAGE}.read.reader",
)


@dataclass(frozen=True)
class Import:
    """An import statement's one name, resolved to a module."""

    module: str
    line: int
    inside_function: bool
    for_types: bool = False


def modules(root: Path) -> dict[str, Path]:
    """The package's modules by their full names."""
    found = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if len(parts) > 2 and parts[-1] == "__init__" else parts)] = path
    return found


def imports(source: str, module: str, is_package: bool, known: set[str]) -> Iterator[Import]:
    """All imports of a module, wherever they stand."""
    tree = ast.parse(source)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node for node in ast.walk(tree) if isinstance(node, functions)]
    inside = {id(node) for body in bodies for node in ast.walk(body)}
    checked = [
        node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    ]
    for_types = {id(node) for block in checked for node in block.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(absolute(node, module, is_package), alias.name) for alias in node.names]
        else:
            continue
        for origin, name in names:
            yield Import(resolved(origin, name, known), node.lineno, id(node) in inside, id(node) in for_types)


def absolute(node: ast.ImportFrom, module: str, is_package: bool) -> str:
    """The module that a `from ... import` names, dots worked out."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    base = parts[: len(parts) - node.level + is_package]
    return ".".join([*base, *([node.module] if node.module else [])])


def resolved(origin: str, name: str, known: set[str]) -> str:
    """The module that an imported name is, or else comes from; of other distributions, the top-level name."""
    top = origin.partition(".")[0]
    if top != PACKAGE:
        return top
    if name and f"{origin}.{name}" in known:
        return f"{origin}.{name}"
    return INIT if origin == PACKAGE else origin


INIT = f"{PACKAGE}.__init__"
MODULES = modules(ROOT)
ROW_OF = {name: number for number, names in enumerate(ROWS) for name in names}


@cache
def imports_of(module: str) -> list[Import]:
    """All imports of a module of the package."""
    path = MODULES[module]
    return list(imports(path.read_text("utf-8"), module, path.stem == "__init__", set(MODULES)))


def unit(module: str) -> str:
    """The part of the package that stands in ROWS."""
    return module.split(".")[1]


def row(name: str) -> int:
    """The row's number from the bottom; what has none counts as the very top."""
    return ROW_OF.get(name, len(ROWS))


def own(module: str) -> list[Import]:
    """The imports from within the package, those of FORWARD aside."""
    return [one for one in imports_of(module) if one.module.startswith(f"{PACKAGE}.") and not is_forward(module, one)]


def is_forward(module: str, one: Import) -> bool:
    """Whether an import is for annotations alone and has its reason in FORWARD."""
    return one.for_types and (unit(module), unit(f"{one.module}.")) in FORWARD


def is_door(module: str, one: Import) -> bool:
    """Whether an import is that of a method that is a door to a row above."""
    return one.inside_function and (unit(module), unit(f"{one.module}.")) in DOORS


def test_rows_are_the_package() -> None:
    """Each module has its row, and the rows name nothing that is not there."""
    there = {unit(module) for module in MODULES}
    assert not there - set(ROW_OF), "give these a row"
    assert not set(ROW_OF) - there, "these are in ROWS, and not in the package"


def is_below(module: str, one: Import) -> bool:
    """Whether an import is from the same part of the package, from a row below its own, or has its reason."""
    here, there = unit(module), unit(one.module)
    return here == there or row(there) < row(here) or (here, there) in SIDEWAYS or is_door(module, one)


def test_imports_only_from_below() -> None:
    """A module imports from the rows below its own, from its own package, or has a reason."""
    wrong = [
        f"{MODULES[module]}:{one.line}: {module} imports {one.module}, which is not below it"
        for module in MODULES
        for one in own(module)
        if not is_below(module, one)
    ]
    assert not wrong, "\n".join(wrong)


def test_sideways_imports_are_in_one_row_and_in_use() -> None:
    """The exceptions stay within a row, and none outlives its import."""
    used = {(unit(module), unit(one.module)) for module in MODULES for one in own(module)}
    assert not set(SIDEWAYS) - used, "these reasons have outlived their imports"
    assert all(row(importer) == row(imported) for importer, imported in SIDEWAYS)


def test_doors_are_in_use() -> None:
    """None of the reasons outlives its import."""
    used = {(unit(module), unit(one.module)) for module in MODULES for one in own(module) if one.inside_function}
    assert not set(DOORS) - used, "these reasons have outlived their imports"


def test_forward_imports_are_in_use() -> None:
    """None of the reasons outlives its import."""
    used = {(unit(module), unit(f"{one.module}.")) for module in MODULES for one in imports_of(module) if one.for_types}
    assert not set(FORWARD) - used, "these reasons have outlived their imports"


def inside_read(module: str) -> int:
    """The row of a module inside of read, from the bottom."""
    name = module.removeprefix(f"{PACKAGE}.read").removeprefix(".").partition(".")[0]
    return next((number for number, names in enumerate(INSIDE_READ) if name in names), len(INSIDE_READ))


def test_modules_inside_read_import_from_below() -> None:
    """Each knows only of what comes before it on the way of a reply."""
    inside = {module for module in MODULES if unit(module) == "read"}
    there = {"", *(module.split(".")[2] for module in inside if module.count(".") > 1)}
    assert there == {name for names in INSIDE_READ for name in names}
    upwards = {
        f"{module} imports {one.module}"
        for module in inside
        for one in own(module)
        if one.module in inside and inside_read(one.module) > inside_read(module)
    }
    assert not upwards


def test_no_cycles() -> None:
    """No module needs itself, by any way round, but through a door, which opens when it is called."""
    graph = {module: {one.module for one in own(module) if not is_door(module, one)} for module in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_imports_inside_functions_have_a_reason() -> None:
    """An import stands at the top of its module, where it is looked for, or has its reason."""
    lazy = {
        (module, one.module): f"{MODULES[module]}:{one.line}: imports {one.module} inside a function"
        for module in MODULES
        for one in imports_of(module)
        if one.inside_function
    }
    wrong = [message for pair, message in lazy.items() if pair not in EXTRA_IMPORTS]
    assert not wrong, "\n".join(wrong)
    assert not set(EXTRA_IMPORTS) - set(lazy), "these reasons have outlived their imports"


FRESH = f"""
import sys

def watch(event, args):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn")):
        raise RuntimeError(f"{{event}} {{args}}")
    if event == "open" and isinstance(args[1], str) and set(args[1]) & set("wax+"):
        raise RuntimeError(f"opened {{args[0]}} for writing")

sys.addaudithook(watch)
import {PACKAGE}
print([name for name in {LATE} if name in sys.modules])
"""


def test_import_brings_only_the_core() -> None:
    """In a fresh process the import loads no extra and no python-box, writes no file and opens no socket."""
    # -B: the interpreter itself would write bytecode.
    fresh = subprocess.run([sys.executable, "-B", "-c", FRESH], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (fresh.stdout, fresh.stderr) == ("[]\n", "")


BOUND = f"""
import sys
from pydantic import BaseModel, TypeAdapter
from pydantic_core import core_schema
bound = set(sys.modules)
import {PACKAGE}
print(sorted(name for name in set(sys.modules) - bound if name.startswith("pydantic")))
"""


def test_import_brings_no_more_of_pydantic_than_models_need() -> None:
    """Its classes for secrets or root models, for two, take longer to import than all of this package."""
    fresh = subprocess.run([sys.executable, "-c", BOUND], cwd=ROOT, capture_output=True, text=True, check=True)
    assert fresh.stdout == "[]\n"


KNOWN = {f"{PACKAGE}.read", f"{PACKAGE}.read.locate", f"{PACKAGE}.limits", INIT}


@pytest.mark.parametrize(
    ("source", "module", "is_package", "expected"),
    [
        ("import os.path", "read", True, [("os", False)]),
        ("import lxml.etree as etree, re", "read", True, [("lxml", False), ("re", False)]),
        (f"from {PACKAGE} import limits", "read", True, [(f"{PACKAGE}.limits", False)]),
        (f"from {PACKAGE} import StructuredResponse", "demo", False, [(INIT, False)]),
        (f"import {PACKAGE}", "demo", False, [(INIT, False)]),
        (f"from {PACKAGE}.read import locate", "read.strict", False, [(f"{PACKAGE}.read.locate", False)]),
        (f"from {PACKAGE}.read import read", "response", False, [(f"{PACKAGE}.read", False)]),
        ("from .locate import find", "read", True, [(f"{PACKAGE}.read.locate", False)]),
        ("from . import locate", "read.strict", False, [(f"{PACKAGE}.read.locate", False)]),
        ("from ..limits import DEPTH", "read.strict", False, [(f"{PACKAGE}.limits", False)]),
        ("if TYPE_CHECKING:\n    import re", "read", True, [("re", False)]),
        ("def f():\n    if x:\n        import box", "read", True, [("box", True)]),
        ("class A:\n    async def f(self):\n        from box import Box", "read", True, [("box", True)]),
    ],
)
def test_imports(source: str, module: str, is_package: bool, expected: list[tuple[str, bool]]) -> None:
    """Imports are found and resolved in every spelling."""
    found = imports(textwrap.dedent(source), f"{PACKAGE}.{module}", is_package, KNOWN)
    assert [(one.module, one.inside_function) for one in found] == expected
