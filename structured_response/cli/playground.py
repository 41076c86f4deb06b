"""The command that serves the playground."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ..lazy import Lazy
from .terminal import fail, failures, response_of, tell

if TYPE_CHECKING:
    from ..playground import app as server
else:
    server = Lazy("playground.app")


def playground(
    models: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MODEL]...", help="Types or JSON Schema files to choose from.", show_default=False),
    ] = None,
    host: Annotated[str, typer.Option(help="The address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Serve a local page to try out prompts and replies, until Ctrl-C.

    The address that is printed holds a token, without which the page does nothing. Python is never pasted: models are
    named here.
    """
    for model in models or ():
        with failures(model):
            response_of(model)
    makers = {model: partial(response_of, model) for model in models or ()}
    with failures():
        if not server.is_loopback(host):
            told = (
                f" other machines can reach {host}: whoever has the address can use the page, and nothing is encrypted"
            )
            tell(("warning:", "bold yellow"), told)
        try:
            server.serve(makers, host, port, browser=browser, tell=lambda url: typer.echo(f"{url} (Ctrl-C ends it)"))
        except OSError as error:
            fail(f"{host}, port {port}, cannot be used: {error.strerror}")
