"""The demo as it is told on a terminal: one step after the other, its code first, then what it gave."""

import ast
import inspect
import tempfile
import textwrap
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import orjson
from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.pretty import Pretty
from rich.rule import Rule
from rich.text import Text

from structured_response import StructuredResponse
from structured_response.demo import models, steps
from structured_response.demo.listing import Listing

QUESTION = "What will the weather be like in Annecy today?"
WIDEST = 100  # columns: longer lines are hard to read, however wide the terminal
DEPTH_OF_CACHE = 3  # levels of the cache file that are shown


def show(console: Console) -> bool:
    """Run every step and show it. True if the response came back from the cache file as it went in."""
    console.width = min(console.width, WIDEST)
    _show_models(console)
    response = _show_prompt(console)
    _show_reading(console, response)
    _show_validation(console, response)
    equal = _show_cache(console, response)
    console.print()
    return equal


def recorded_reply() -> str:
    """What a language model answered to the demo's prompt, to the character."""
    return files("structured_response.demo").joinpath("reply.txt").read_text(encoding="utf-8")


def _show_models(console: Console) -> None:
    _headline(console, "1. Your models", "Plain Pydantic, as you have it: no base class, no decorator, no schema.")
    source = inspect.getsource(models)
    _code(console, source[source.index("class ") :], "models.py")


def _show_prompt(console: Console) -> StructuredResponse:
    _step(console, "2. Ask", steps.ask)
    response, prompt = steps.ask(QUESTION)
    _result(console, "the prompt", Listing(prompt, "xml"))
    return response


def _show_reading(console: Console, response: StructuredResponse) -> None:
    reply = recorded_reply()
    _headline(console, "3. The model answers", "This one was recorded: it talks, it fences, it escapes.")
    _result(console, "the reply", Listing(reply, "markdown"))
    _step(console, "4. Read", steps.read)
    sentence = steps.read(response, reply)
    _result(console, "response.instance", Pretty(response.to_dict()))
    _returned(console, sentence)


def _show_validation(console: Console, response: StructuredResponse) -> None:
    _step(console, "5. Validate", steps.validate)
    _result(console, "the validated model", Pretty(steps.validate(response)))


def _show_cache(console: Console, response: StructuredResponse) -> bool:
    _step(console, "6. Keep", steps.cache)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "weather.json")
        equal = steps.cache(response, file)
        written = file.read_bytes()
    title = f"{file.name}: {len(written):,} bytes, its outer levels"
    _result(console, title, Pretty(orjson.loads(written), max_depth=DEPTH_OF_CACHE))
    _returned(console, equal)
    return equal


def _step(console: Console, title: str, step: Callable[..., object]) -> None:
    _headline(console, title, " ".join((step.__doc__ or "").split()))
    _code(console, source_without_docstring(step), "steps.py")


def source_without_docstring(function: Callable[..., Any]) -> str:
    """The code of a function; its docstring stands above the code already, as the caption."""
    lines, _ = inspect.getsourcelines(function)
    docstring = ast.parse(textwrap.dedent("".join(lines))).body[0].body[0]  # type: ignore[attr-defined]
    return "".join(lines[: docstring.lineno - 1] + lines[docstring.end_lineno :])


def _headline(console: Console, title: str, caption: str) -> None:
    console.print()
    console.print(Rule(Text(title, style="bold cyan"), align="left", style="cyan"))
    console.print(Padding(Text(caption, style="italic"), (0, 1)))
    console.print()


def _code(console: Console, source: str, name: str) -> None:
    _panel(console, Listing(source.strip(), "python"), name, "blue")


def _result(console: Console, title: str, content: RenderableType) -> None:
    _panel(console, content, title, "green")


def _panel(console: Console, content: RenderableType, title: str, colour: str) -> None:
    # No lines at the sides: what is marked with the mouse is then the code and nothing else.
    console.print(Panel(content, title=title, title_align="left", box=box.HORIZONTALS, border_style=colour))


def _returned(console: Console, value: object) -> None:
    console.print(Padding(Text.assemble(("returned ", "dim"), (repr(value), "bold green")), (0, 2)))
