"""A progress bar for many questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..errors import needs

with needs("rich", "cli"):
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )


@contextmanager
def progress_bar(label: str, total: int | None) -> Iterator[Callable[[int, int], None]]:
    """Draws a bar on stderr. Yields a function of the questions that have ended, and of those that failed."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=console.is_terminal) as bar:
        task = bar.add_task(label, total=total, state="")

        def show(done: int, failed: int) -> None:
            rate = f"{bar.tasks[0].speed or 0:.1f}/s"
            bar.update(task, completed=done, state=f"{failed:,} failed, {rate}" if failed else rate)

        yield show
