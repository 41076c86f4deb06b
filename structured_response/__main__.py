"""The door to the command line, which says what to install where the extra `cli` is missing."""

import io
import sys

from .errors import MissingExtraError

NEEDED = frozenset({"rich", "typer"})
BAD_USE = 2


def main() -> None:
    """Run the command line. What a terminal's encoding lacks is shown as `?`: no output fails on it."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")
    try:
        from .cli.ask import app  # only here, so that a missing package can be told from one that is broken
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in NEEDED:
            raise
        sys.stderr.write(f"structured-response: {MissingExtraError(package, 'cli')}\n")
        sys.exit(BAD_USE)
    app(prog_name="structured-response")


if __name__ == "__main__":
    main()
