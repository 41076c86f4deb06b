"""What .ci/run asks of the built packages; each command exits non-zero with a sentence when it does not hold.

contents DIST   the sdist has tests, docs, examples and benchmarks; the wheel has the package alone
installed       the package, installed here with nothing else, imports and says what it lacks
extras          print the names of all extras
extra NAME      the package, installed here with an extra, imports what needs the extra
release DIST TAG    the tag is the version of the packages, and the changelog has a section for it
oldest          print the oldest dependencies that pyproject.toml admits for the extra `all`, as pip requirements
"""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from importlib import import_module, metadata, resources
from pathlib import Path

PROJECT = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["project"]
NAME = PROJECT["name"]
COMMAND = "structured-response"
PACKAGE = "structured_response"
# Extras that do not work with the oldest of the others: mirascope imports what `anthropic` 0.60 lacks, mcp and
# pydantic-ai want pydantic>=2.12.
NEEDS_NEWER = {"mcp", "mirascope", "pydantic-ai"}
SDIST_HOLDS = {PACKAGE, "tests", "docs", "examples", "benchmarks", "uv.lock", "Makefile", "README.md", "LICENSE"}
WHEEL_HOLDS = {"py.typed", *(f"playground/{name}" for name in ("index.html", "playground.css", "playground.js"))}
# What is imported of each extra: our module that needs it, or else the package that it brings.
IMPORTED = {
    "all": "structured_response.batch",
    "anthropic": "anthropic",
    "arrow": "structured_response.batch",
    "cli": "structured_response.cli.main",
    "cost": "genai_prices",
    "datasets": "structured_response.datasets.autorag",
    "dspy": "structured_response.integrations.dspy",
    "formats": "yaml",
    "langchain": "structured_response.integrations.langchain",
    "litellm": "litellm",
    "mcp": "structured_response.tools.mcp",
    "mirascope": "structured_response.integrations.mirascope",
    "openai": "openai",
    "playground": "structured_response.playground.app",
    "pydantic-ai": "structured_response.integrations.pydantic_ai",
    "ray": "structured_response.batch.ray",
    "redis": "redis",
    "retry": "tenacity",
    "schema": "jsonschema",
    "spark": "structured_response.batch.spark",
    "telemetry": "opentelemetry.trace",
    "testing": "structured_response.testing",
    "tools": "structured_response.tools",
}
REQUIREMENT = re.compile(r"(?P<name>[\w.-]+)(?:\[[^\]]*\])?\s*(?:>=\s*(?P<oldest>[\w.]+))?")


def contents(dist: str) -> None:
    (wheel,) = Path(dist).glob("*.whl")
    (sdist,) = Path(dist).glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        shipped = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    lacking = SDIST_HOLDS - shipped
    check(not lacking, f"{sdist} lacks {sorted(lacking)}")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = archive.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    dead = re.findall(r"\]\((?!https?:)[^)]*\)", about)
    check(not dead, f"{wheel} shows links that lead nowhere on a package index: {dead}")
    files = {f"{PACKAGE}/{name}" for name in WHEEL_HOLDS}
    check(files <= set(names), f"{wheel} lacks {sorted(files - set(names))}")
    strangers = {top for name in names if (top := name.split("/")[0]) != PACKAGE and ".dist-info" not in top}
    check(not strangers, f"{wheel} puts {sorted(strangers)} beside the package")
    print(f"{sdist} and {wheel} hold what they should")


def installed() -> None:
    module = import_module(PACKAGE)
    check("site-packages" in str(module.__file__), f"imported {module.__file__}, not what was installed")
    check(resources.files(PACKAGE).joinpath("py.typed").is_file(), "py.typed was not installed")
    check(module.__version__ == metadata.version(NAME), f"{module.__version__} says it is {metadata.version(NAME)}")
    here = {normal(distribution.name) for distribution in metadata.distributions()}
    extra = optional(metadata.requires(NAME) or [])
    check(not extra & here, f"{sorted(extra & here)} came along, though no extra was asked for")
    says = subprocess.run(
        [str(Path(sys.executable).with_name(COMMAND)), "demo"], capture_output=True, text=True, check=False
    )
    check(
        says.returncode != 0 and f"{NAME}[cli]" in says.stderr and "Traceback" not in says.stderr,
        f"without its extra, the command line should name the install command; it said: {says.stderr}",
    )
    print(f"{NAME} {metadata.version(NAME)} imports with only {', '.join(sorted(here))}")


def extras() -> None:
    print("\n".join(PROJECT["optional-dependencies"]))


def extra(name: str) -> None:
    import_module(IMPORTED[name])
    print(f"{NAME}[{name}] brings {IMPORTED[name]}")


def release(dist: str, tag: str) -> None:
    (wheel,) = Path(dist).glob("*.whl")
    version = wheel.name.split("-")[1]
    check(tag == f"v{version}", f"{wheel} is not what {tag} names")
    heads = re.findall(r"^## \[([^\]]+)\] - \d{4}-\d\d-\d\d$", Path("CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    check(heads[:1] == [version], f"CHANGELOG.md begins with {heads[:1]}, not with {version} and its date")


def optional(requirements: list[str]) -> set[str]:
    """The names that only an extra asks for."""
    wanted = {False: set[str](), True: set[str]()}
    for requirement in requirements:
        wanted["extra ==" in requirement].add(parsed(requirement)[0])
    return wanted[True] - wanted[False] - {NAME}


def oldest() -> None:
    extras = PROJECT["optional-dependencies"]
    bounds = dict(parsed(line) for line in [*PROJECT["dependencies"], *reached("all", extras)])
    for name, bound in bounds.items():
        check(bound is not None, f"{name} has no lower bound in pyproject.toml")
        print(f"{name}=={bound}")


def reached(extra: str, extras: dict[str, list[str]]) -> list[str]:
    """The requirements of an extra and of the project's own extras that it names."""
    lines: list[str] = []
    for line in extras[extra]:
        if line.startswith(f"{NAME}["):
            names = line[line.index("[") + 1 : line.index("]")].split(",")
            lines += [more for name in names if name not in NEEDS_NEWER for more in reached(name, extras)]
        else:
            lines.append(line)
    return lines


def parsed(requirement: str) -> tuple[str, str | None]:
    match = REQUIREMENT.match(requirement)
    if match is None:
        sys.exit(f"not a requirement: {requirement}")
    return normal(match["name"]), match["oldest"]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def check(holds: bool, otherwise: str) -> None:
    if not holds:
        sys.exit(otherwise)


if __name__ == "__main__":
    commands: dict[str, Callable[..., None]] = {
        "contents": contents,
        "extra": extra,
        "extras": extras,
        "installed": installed,
        "oldest": oldest,
        "release": release,
    }
    commands[sys.argv[1]](*sys.argv[2:])
