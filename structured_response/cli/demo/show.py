"""The demo as it is told on a terminal: step by step, first the code that runs, then what it gave."""

import ast
import inspect
import tempfile
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from types import ModuleType

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.pretty import pretty_repr
from rich.rule import Rule
from rich.text import Text

from ...clients import replay
from . import models, steps
from .listing import MARGIN, Listing
from .steps import Response

__all__ = ["recorded_reply", "show"]

RECORDING = files("structured_response.cli.demo").joinpath("reply.jsonl")
QUESTION = "What will the weather be like in Annecy today?"
WIDEST = 116  # columns: no line of code is longer, and prose is hard to read even at that
PRETTY = 76  # columns into which data is laid out: what an 80 column terminal leaves


def show(console: Console) -> bool:
    """Run every step and show it. True if the response came back from the cache file as it went in."""
    console.width = min(console.width, WIDEST)
    _show_models(console)
    response = _show_prompt(console)
    _show_reply(console)
    _show_instance(console, response)
    _show_validated(console, response)
    _show_together(console)
    equal = _show_cache(console, response)
    console.print()
    return equal


def recorded_reply() -> str:
    """What a language model answered to the demo's prompt, to the character."""
    _, prompt = steps.ask(QUESTION)
    with as_file(RECORDING) as path:
        return replay(path)([{"role": "user", "content": prompt}]).text


def _code_of_module(module: ModuleType) -> str:
    """The source of a module without its docstring, which says what it is to the project, not to a reader."""
    source = inspect.getsource(module)
    return "".join(source.splitlines(keepends=True)[ast.parse(source).body[0].end_lineno :])


def _code_of_step(step: Callable[..., object]) -> str:
    """The source of a step without its docstring, which stands above it as the caption."""
    source = inspect.getsource(step)
    docstring = ast.parse(source).body[0].body[0]  # type: ignore[attr-defined]
    lines = source.splitlines(keepends=True)
    return "".join(lines[: docstring.lineno - 1] + lines[docstring.end_lineno :])


def _show_models(console: Console) -> None:
    _headline(console, 1, "Your models", "Plain Pydantic, as you have it: no base class of ours, no decorator.")
    _code(console, "models.py", _code_of_module(models))


def _show_prompt(console: Console) -> Response:
    head, _, _ = _code_of_module(steps).partition("def ")
    _step(console, 2, "Ask", steps.ask, head)
    response, prompt = steps.ask(QUESTION)
    _result(console, "the prompt", prompt, "xml")
    return response


def _show_reply(console: Console) -> None:
    _headline(console, 3, "The model answers", "This reply was recorded. It chats, it fences, it escapes an &.")
    _result(console, "the reply", recorded_reply().strip("\n"), "markdown")


def _show_instance(console: Console, response: Response) -> None:
    _step(console, 4, "Read", steps.read)
    sentence = steps.read(response, recorded_reply())
    _result(console, "response.instance", _laid_out(response.to_dict()), "python")
    _result(console, "returned", repr(sentence), "python")


def _show_validated(console: Console, response: Response) -> None:
    _step(console, 5, "Validate", steps.validate)
    _result(console, "the validated model", _laid_out(steps.validate(response)), "python")


def _show_together(console: Console) -> None:
    _step(console, 6, "In one call", steps.together)
    with as_file(RECORDING) as path:
        _result(console, "returned", _laid_out(steps.together(QUESTION, path)), "python")


def _show_cache(console: Console, response: Response) -> bool:
    _step(console, 7, "Keep", steps.cache)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "weather.json")
        equal = steps.cache(response, file)
        written = file.read_text(encoding="utf-8")
    title = f"{file.name}, {len(written.encode()):,} bytes"
    _block(console, title, Listing(written, "json", solid=True), "green")
    _result(console, "returned", repr(equal), "python")
    return equal


def _step(console: Console, number: int, title: str, step: Callable[..., object], head: str = "") -> None:
    _headline(console, number, title, " ".join((step.__doc__ or "").split()))
    _code(console, "steps.py", head + _code_of_step(step))


def _headline(console: Console, number: int, title: str, caption: str) -> None:
    headline = Text(f"{number}  {title}", style="bold cyan")
    console.print("", Rule(headline, align="left", style="cyan", characters="\N{BOX DRAWINGS HEAVY HORIZONTAL}"))
    for line in Text(caption, style="italic").wrap(console, console.width - 2 * MARGIN):
        line.rstrip()
        console.print(Text(" " * MARGIN) + line)


def _result(console: Console, title: str, text: str, language: str) -> None:
    _block(console, title, Listing(text, language), "green")


def _code(console: Console, title: str, source: str) -> None:
    _block(console, title, Listing(source.strip("\n"), "python"), "blue")


def _block(console: Console, title: str, content: RenderableType, colour: str) -> None:
    rule = Rule(Text(title, style=f"bold {colour}"), align="left", style=f"dim {colour}")
    console.print("", Padding(rule, (0, 0, 0, MARGIN)), content)


def _laid_out(value: object) -> str:
    return pretty_repr(value, max_width=PRETTY)
