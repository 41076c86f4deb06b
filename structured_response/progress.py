"""A progress bar on stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from .errors import needs

_WINDOW = 300.0  # seconds that the rate is taken from: a part of a batch may take a minute


def is_shown(asked: bool | None) -> bool:
    """Returns whether a bar is drawn: as it is asked for, or by default on a terminal and if rich is installed."""
    return sys.stderr.isatty() and find_spec("rich") is not None if asked is None else asked


@contextmanager
def progress_bar(
    label: str, total: float | None = None, *, shown: bool | None = None, before: float = 0
) -> Iterator[Callable[..., None]]:
    """Draws a bar if it is shown.

    Yields a function of how much of `total` is done, and of counts in words, which are shown with the rate. The rate
    leaves out what was done `before`.
    """
    if not is_shown(shown):
        yield lambda done, *counts: None
        return
    with needs("rich", "cli"):
        from rich.console import Console
        from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    known = (*Progress.get_default_columns(), MofNCompleteColumn())
    unknown = (SpinnerColumn(), TextColumn("{task.description} {task.completed:,.0f}"))
    columns = (*(unknown if total is None else known), TextColumn("{task.fields[state]}"), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=console.is_terminal, speed_estimate_period=_WINDOW) as bar:
        number = bar.add_task(label, total=total, completed=before, state="")  # type: ignore[arg-type]
        (task,) = bar.tasks

        def show(done: float, *counts: str) -> None:
            bar.update(number, completed=done)
            rate = task.speed or (done - before) / (task.elapsed or 1)
            bar.update(number, state=", ".join([*counts, f"{rate:,.1f}/s"]) if counts else "")

        yield show
