"""The server: who may ask, the files of the page, and questions that are passed on to the worker."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib.resources import files
from ipaddress import ip_address
from urllib.parse import urlsplit

from ..errors import needs
from ..explain import page
from .jobs import JOBS, Makers
from .worker import Workers

with needs("starlette", "playground"):
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.middleware import Middleware
    from starlette.middleware.base import BaseHTTPMiddleware, RequestResponseEndpoint
    from starlette.requests import Request
    from starlette.responses import PlainTextResponse, Response
    from starlette.routing import Route
with needs("uvicorn", "playground"):
    import uvicorn

MAX_BODY = 1_000_000
"""Bytes of a question."""

TOKEN_HEADER = "X-Playground-Token"  # noqa: S105 - its name

ASSETS = {
    "/": ("index.html", "text/html"),
    "/playground.css": ("playground.css", "text/css"),
    "/playground.js": ("playground.js", "text/javascript"),
}

_HASH = b64encode(sha256(page.STYLE.encode()).digest()).decode()

HEADERS = {
    # The report is a document in a frame and has the policy of the page, which admits its style and its base.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; img-src data:; "
        f"style-src 'self' 'sha256-{_HASH}'; base-uri about:; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def is_loopback(host: str) -> bool:
    """Returns whether only this machine reaches a host."""
    return host == "localhost" or (_is_address(host) and ip_address(host).is_loopback)


def _is_address(host: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(host))
    return False


def names(given: str, host: str) -> bool:
    """Returns whether the header `Host` names the host that the server was given.

    A page of another site that has its own name point at this machine sends that name.
    """
    with suppress(ValueError):
        name = urlsplit(f"//{host}").hostname or ""
        if is_loopback(given):
            return is_loopback(name)
        is_any = _is_address(given) and ip_address(given).is_unspecified
        return name == given.lower() or (is_any and (is_loopback(name) or _is_address(name)))
    return False


def application(workers: Workers, given: str, token: str) -> Starlette:
    """Returns the application for a host and the token of this start."""

    def refusal(request: Request) -> str:
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if not names(given, host):
            return "This is another host. Open the address that the command printed."
        if origin not in (None, f"http://{host}"):
            return "This comes from another page."
        is_known = secrets.compare_digest(request.headers.get(TOKEN_HEADER, "").encode(), token.encode())
        if request.url.path not in ASSETS and not is_known:
            return "The token of this start is missing. Open the address that the command printed, then this one again."
        return ""

    async def checked(request: Request, call_next: RequestResponseEndpoint) -> Response:
        told = refusal(request)
        response = PlainTextResponse(told, 403) if told else await call_next(request)
        response.headers.update(HEADERS)
        return response

    async def ask(request: Request) -> Response:
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY:
                return PlainTextResponse(f"This is larger than {MAX_BODY:,} bytes.", 413)
        answer = await run_in_threadpool(workers.answer, request.url.path.removeprefix("/"), bytes(body))
        return Response(answer, media_type="application/json")

    routes = [Route(path, _file(name, kind)) for path, (name, kind) in ASSETS.items()]
    routes += [Route(f"/{job}", ask, methods=["POST"]) for job in JOBS]
    return Starlette(routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=checked)])


def _file(name: str, kind: str) -> Callable[[Request], Response]:
    content = files(__package__).joinpath(name).read_bytes()
    return lambda request: Response(content, media_type=kind)


def serve(makers: Makers, host: str, port: int, *, browser: bool, tell: Callable[[str], object]) -> None:
    """Serves the page until Ctrl-C, and tells its address, which holds the token. Raises `OSError` for a bad port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    token = secrets.token_urlsafe()
    with socket.create_server((host, port), family=family) as listening:
        workers = Workers(makers)
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listening.getsockname()[1]}/#token={token}"
        tell(address)
        if browser:
            webbrowser.open(address)
        app = application(workers, host, token)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            lifespan="off",
            proxy_headers=False,
            server_header=False,
            ws="none",
        )
        try:
            uvicorn.Server(config).run(sockets=[listening])
        except KeyboardInterrupt:
            pass
        finally:
            workers.stop()
