"""Writes the tables of prompts in docs/measurements.md: `python -m benchmarks.prompt_size [--peers PYTHON]`.

`--peers` is the Python of an environment that has BAML, DSPy and tiktoken, `.venv/peers/bin/python` unless told.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from benchmarks import models
from benchmarks.prompt_size.texts import ours, pydantic
from benchmarks.report import table
from structured_response.definition import Node, plan_of_type, walk

__all__ = ["carried", "main", "own_texts", "rows"]

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "measurements.md"
BEGIN, END = "<!-- sizes -->", "<!-- end of sizes -->"
MODELS: tuple[type[BaseModel], ...] = (models.WeatherPrognosis, models.ServerReport, models.Invoice)

LACKING = {"BAML's ctx.output_format": ("`or null`", "no"), "DSPy's XMLAdapter": ("no", "no")}
"""Who does not say of each field whether it is required, or not within which bounds, and what stands for it."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default=str(ROOT / ".venv" / "peers" / "bin" / "python"))
    measured = _measured(parser.parse_args().peers)
    versions = ", ".join(f"{package} {number}" for package, number in measured["versions"].items())
    made = "\n".join([BEGIN, "", _summary(measured), *_sections(measured), f"Measured with {versions}.\n", END])
    page = PAGE.read_text("utf-8")
    PAGE.write_text(re.sub(f"{BEGIN}.*?{END}", lambda _: made, page, flags=re.DOTALL), "utf-8")


def own_texts() -> dict[str, dict[str, str]]:
    """What can be measured without the peers."""
    return {model.__name__: {**ours(model), **pydantic(model)} for model in MODELS}


def _measured(python: str) -> dict[str, Any]:
    asked = json.dumps({"texts": own_texts()})
    command = [python, "-m", "benchmarks.prompt_size.peers"]
    done = subprocess.run(command, cwd=ROOT, input=asked, stdout=subprocess.PIPE, text=True, check=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _sections(measured: dict[str, Any]) -> Iterator[str]:
    for model in MODELS:
        name = model.__name__
        tokens = measured["tokens"] and measured["tokens"][name]
        yield f"`{name}`, of `benchmarks/models.py`:\n"
        yield table(HEAD, rows(model, measured["texts"][name], tokens)) + "\n"


def _summary(measured: dict[str, Any]) -> str:
    """The tokens of what goes to a language model as it is: the form of the answer and how to give it."""
    names = [model.__name__ for model in MODELS]
    tokens = measured["tokens"] or {name: {} for name in names}
    whole = [each for each in measured["texts"][names[0]] if each.startswith(("BAML", "DSPy")) or "instr" in each]
    counts = {each: [tokens[name].get(each, 0) for name in names] for each in whole}
    shortest_first = sorted(counts.items(), key=lambda item: sum(item[1]))
    made = [(_shown(each), *map("{:,}".format, row)) for each, row in shortest_first]
    return table(("prompt, tokens", *names), made) + "\n"


HEAD = ("prompt", "characters", "tokens", "descriptions", "choices", "required", "bounds")


def rows(model: type[BaseModel], texts: dict[str, str], tokens: dict[str, int] | None) -> list[tuple[str, ...]]:
    """A row for each text, the shortest first."""
    plan = plan_of_type(model, model.__name__)
    return [
        (
            _shown(name),
            f"{len(text):,}",
            f"{tokens[name]:,}" if tokens else "-",
            *carried(plan.root, text),
            *LACKING.get(name, ("yes", "yes")),
        )
        for name, text in sorted(texts.items(), key=lambda item: len(item[1]))
    ]


def _shown(name: str) -> str:
    return f"`{name}`" if name.startswith("to_prompt") else name


def carried(root: Node, text: str) -> tuple[str, str]:
    """Whether all descriptions stand in a text, and all choices."""
    nodes = list(walk(root))
    about = [node.description for node in nodes if node.description]
    choices = [str(choice) for node in nodes for choice in node.choices]
    return tuple("yes" if all(each in text for each in wanted) else "no" for wanted in (about, choices))  # type: ignore[return-value]


if __name__ == "__main__":
    main()
