"""The name of the distribution, what its project file asks for, and the releases that make installs of it."""

import re
import tomllib
from collections import defaultdict
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from structured_response.version import DISTRIBUTION

ROOT = Path(__file__).resolve().parent.parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
GROUPS: dict[str, list[str]] = PYPROJECT["dependency-groups"]

FOLDERS = ("structured_response", "tests", "docs", "examples", "benchmarks", ".ci", ".")
TEXTS = sorted(
    {
        path
        for folder in FOLDERS
        for path in (ROOT / folder).glob("*" if folder == "." else "**/*")
        if path.name == "Makefile" or (path.suffix in {".md", ".py", ".toml", ".txt", ""} and path.is_file())
    }
)
HINT = re.compile(r"""pip install\s+["']?(?P<name>structured[-_.]response[\w.-]*)""", re.IGNORECASE)
WITH_EXTRA = re.compile(r"structured[-_.]response[\w.-]*(?=\\?\[[a-z{])", re.IGNORECASE)


def test_the_name_is_said_once() -> None:
    """The project file and the hints of the code agree."""
    assert PROJECT["name"] == DISTRIBUTION


@pytest.mark.parametrize("pattern", [HINT, WITH_EXTRA], ids=["pip install", "extras"])
def test_every_hint_installs_this_distribution(pattern: re.Pattern[str]) -> None:
    """No page and no message names a package of somebody else."""
    found = {
        (path.relative_to(ROOT).as_posix(), match["name"] if "name" in match.re.groupindex else match[0])
        for path in TEXTS
        for match in pattern.finditer(path.read_text(encoding="utf-8", errors="replace"))
    }
    assert found
    assert {(path, name) for path, name in found if name != DISTRIBUTION} == set()


def test_extras_are_for_users() -> None:
    """What only those need who work on the library is in a dependency group, which no index shows."""
    assert EXTRAS.keys() & GROUPS.keys() == set()
    assert GROUPS.keys() == {"dev", "docs", "bench", "peers", "fuzz"}


def test_all_is_every_extra_but_those_named_beside_it() -> None:
    """A new extra is in `all`, or has a reason in the project file."""
    (requirement,) = map(Requirement, EXTRAS["all"])
    assert requirement.extras == EXTRAS.keys() - {"all", "dspy", "litellm", "ray", "spark"}


def test_the_lock_fits_the_project_file() -> None:
    """Each requirement is in the lock, with a release of the public index that it admits; `make lock` mends it."""
    locked: defaultdict[str, list[Version]] = defaultdict(list)
    for package in tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]:
        if package["name"] != DISTRIBUTION:
            assert package["source"] == {"registry": "https://pypi.org/simple"}
            locked[package["name"]].append(Version(package["version"]))
    groups = [PROJECT["dependencies"], *EXTRAS.values(), *GROUPS.values()]
    for wanted in (Requirement(line) for lines in groups for line in lines):
        if wanted.name != DISTRIBUTION:
            assert any(map(wanted.specifier.contains, locked[canonicalize_name(wanted.name)])), wanted


def test_every_test_is_run() -> None:
    """`make test` runs the folders that the project file names, `make slow` the other one, and `.ci/run` both."""
    folders = {path.parent.relative_to(ROOT).parts[1] for path in (ROOT / "tests").rglob("test_*.py")}
    fast = {Path(path).name for path in PYPROJECT["tool"]["pytest"]["ini_options"]["testpaths"]}
    assert folders == fast | {"slow"}
    assert {"make test", "make slow"} <= {*(ROOT / ".ci" / "run").read_text("utf-8").splitlines()}
