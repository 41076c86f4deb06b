"""Starts the command line, or says how to install it if the extra `cli` is missing."""

import contextlib
import io
import os
import sys

from .errors import MissingExtraError

NEEDED = frozenset({"rich", "typer"})
BAD_USE = 2
CLOSED_PIPE = 1  # as typer has it
NO_OUTPUT = 4


def main() -> None:
    """Run the command line. Characters that the terminal's encoding lacks are shown as `?`."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        from .cli.main import app  # only here, so that a missing package can be told from one that is broken
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in NEEDED:
            raise
        sys.stderr.write(f"structured-response: {MissingExtraError(package, 'cli')}\n")
        sys.exit(BAD_USE)
    try:
        try:
            app(prog_name="structured-response")
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()
    except OSError as error:
        if error.filename is not None:  # another file than the output
            raise
        closed = isinstance(error, BrokenPipeError)
        with contextlib.suppress(OSError):  # standard error may be full as well
            sys.stderr.write("" if closed else f"error: the output cannot be written: {error.strerror}\n")
            sys.stderr.flush()
        os._exit(CLOSED_PIPE if closed else NO_OUTPUT)  # the interpreter would try again to write


if __name__ == "__main__":
    main()
