"""Outages: failures of a call that pass by themselves, and the wait before the call is made again."""

from __future__ import annotations

import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.util import find_spec
from typing import Any

from .errors import needs

_STATUSES = frozenset({408, 409, 429})
"""The HTTP statuses below 500 that are outages."""

_NAMES = frozenset(
    {
        *("ConnectionError", "TimeoutError"),  # Python
        "APIConnectionError",  # OpenAI, Anthropic and LiteLLM, whose time-outs derive from it or have a status
        *("NetworkError", "ProxyError", "RemoteProtocolError", "TimeoutException"),  # httpx
    }
)
"""The exceptions without an HTTP status that are outages, with all that derive from them."""

_KINDS = frozenset({"overloaded_error", "server_error", "api_error", "rate_limit_error", "timeout_error"})
"""The errors that are outages when a server sends them in a stream, which has the status of a success by then."""

_JITTER = 1.1  # times the wait that a server asks for, at most, so that its clients do not all come back at once


@cache
def is_installed() -> bool:
    """Returns whether tenacity is installed, without which nothing is retried."""
    return find_spec("tenacity") is not None


def sdk_retries() -> dict[str, Any]:
    """Returns the retries for an SDK's client that we make: none if `ask` retries, else the SDK's default."""
    return {"max_retries": 0} if is_installed() else {}


def is_outage(error: Exception) -> bool:
    """Returns whether an exception of a call is an outage, by its HTTP status, or else by the names of its classes."""
    status = _status_of(error)
    if status is not None and status >= 400:
        return status in _STATUSES or status >= 500
    if _kind_of(error) in _KINDS:
        return True
    return status is None and any(base.__name__ in _NAMES for base in type(error).__mro__)


def describe(error: Exception) -> str:
    """Returns the type and the HTTP status of an exception, without its message, which may quote content."""
    status = _status_of(error)
    return type(error).__qualname__ if status is None else f"{type(error).__qualname__} ({status})"


def pause(error: Exception, retry: int, retries: int, max_wait: float) -> float | None:
    """Returns the seconds to wait before a retry, or None if the call is not made again."""
    if retry > retries or not is_outage(error):
        return None
    with needs("tenacity", "retry"):
        from tenacity import RetryCallState, Retrying, wait_exponential_jitter, wait_random
    asked = _retry_after(error)
    if asked is not None and asked > max_wait:
        return None
    wait = wait_random(asked, min(_JITTER * asked, max_wait)) if asked else wait_exponential_jitter(max=max_wait)
    state = RetryCallState(Retrying(), None, (), {})
    state.attempt_number = retry
    return wait(state)


def _status_of(error: Exception) -> int | None:
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _kind_of(error: Exception) -> str | None:
    """Returns the type of an error that a server sent, as the SDKs of OpenAI and Anthropic have it."""
    match getattr(error, "body", None):
        case {"error": {"type": str(kind)}} | {"type": str(kind)}:
            return kind
    return None


def _retry_after(error: Exception) -> float | None:
    """Returns the seconds that a server asks to wait, if any. It may give milliseconds, seconds or a date."""
    response = getattr(error, "response", None)
    headers: Any = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    after = headers.get("retry-after")
    with suppress(TypeError, ValueError):
        return _positive(float(headers.get("retry-after-ms")) / 1_000)
    with suppress(TypeError, ValueError):
        return _positive(float(after))
    with suppress(TypeError, ValueError):
        return _positive(parsedate_to_datetime(after).timestamp() - time.time())
    return None


def _positive(seconds: float) -> float | None:
    return seconds if seconds > 0 else None
