"""The commands for batches: read files of replies, report on a folder, ask again, merge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from ..lazy import Lazy
from ..options import BadItem, Format
from .terminal import BAD_DATA, ModelArgument, fail, failures, print_text, response_of, tell

if TYPE_CHECKING:
    from .. import batch
    from ..batch.files import OnError
    from ..batch.parts import PartFormat
else:
    batch = Lazy("batch")

app = typer.Typer(no_args_is_help=True, help="Read files of many replies, and ask again for what was wrong.")
