"""Progress bars: rich's, on standard error."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from ..errors import MissingExtraError

__all__ = ["progress_bar"]


@contextlib.contextmanager
def progress_bar(label: str, total: float | None, *, shown: bool | None = None) -> Iterator[Callable[[float], None]]:
    """Yields a function that takes the amount of `total` that is done, in the same unit, and draws it.

    By default a bar is drawn if standard error is a terminal and rich is installed. Raises `MissingExtraError` if a bar
    is requested and rich is missing.
    """
    wanted = sys.stderr.isatty() if shown is None else shown
    if not wanted:
        yield lambda done: None
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError as error:
        if shown is None:
            yield lambda done: None
            return
        raise MissingExtraError("rich", "datasets") from error
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=console.is_terminal) as bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)
