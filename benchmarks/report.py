"""The pieces of the page of results: tables, targets, and the machine they were measured on."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from structured_response.version import DISTRIBUTION

PACKAGES = (
    DISTRIBUTION,
    "pydantic",
    "pydantic-core",
    "lxml",
    "orjson",
    "python-box",
    "xmltodict",
    "langchain-core",
    "pydantic-xml",
    "openai",
    "openapi-pydantic",
    "pydantic-ai-slim",
    "json-repair",
    "baml-py",
    "diskcache",
    "redis",
    "cashews",
    "starlette",
    "uvicorn",
)


@dataclass(frozen=True)
class Target:
    """A bound that a measure should keep."""

    measure: str
    bound: float
    value: float

    @property
    def met(self) -> bool:
        return self.value <= self.bound


@dataclass
class Section:
    """A heading of the page with its paragraphs and tables, and the targets measured in it."""

    title: str
    blocks: list[str] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)

    def markdown(self, measured: str) -> str:
        """The section, with how it was measured and its targets on top."""
        targets = [targets_table(self.targets)] if self.targets else []
        return "\n\n".join([f"## {self.title}", measured, *targets, *self.blocks])


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; every column after the first is aligned to the right."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def targets_table(targets: Iterable[Target]) -> str:
    rows = [
        (target.measure, f"{target.bound:.1f}", f"{target.value:.2f}", "yes" if target.met else "no")
        for target in targets
    ]
    return table(("measure", "at most", "measured", "met"), rows)


def micros(seconds: float) -> str:
    """Microseconds with three digits that count."""
    value = seconds * 1e6
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def times(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"


def machine() -> str:
    """The processor, the system and the versions, as a list."""
    lines = [
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}",
        f"{platform.python_implementation()} {platform.python_version()}",
        ", ".join(f"{name} {_version(name)}" for name in PACKAGES),
    ]
    return "\n".join(f"* {line}" for line in lines)


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(source tree)"
