"""OpenTelemetry spans, if it is installed: counts and names, and content only on request."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeAlias

from ..completion import Usage

__all__ = ["Note", "span"]

_NAME = "structured_response"

Note: TypeAlias = Callable[..., None]
"""Sets attributes of a span, given as keywords. Those that are None are left out."""


@contextmanager
def span(name: str) -> Iterator[Note]:
    """A span around a block. Of an exception, the span has the type only: its message may hold content."""
    trace = _trace()
    if trace is None:
        yield lambda *_usage, **_values: None
        return
    tracer = trace.get_tracer(_NAME)
    with tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as current:

        def note(usage: Usage | None = None, **values: Any) -> None:
            current.set_attributes({f"{_NAME}.{key}": value for key, value in values.items() if value is not None})
            if usage is not None:  # under the names of OpenTelemetry's conventions
                current.set_attribute("gen_ai.usage.input_tokens", usage.input_tokens)
                current.set_attribute("gen_ai.usage.output_tokens", usage.output_tokens)

        try:
            yield note
        except BaseException as error:
            current.set_attribute("error.type", type(error).__qualname__)
            current.set_status(trace.StatusCode.ERROR)
            raise


@cache
def _trace() -> Any:
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace
