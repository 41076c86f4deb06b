"""Spans of OpenTelemetry, where it is installed: counts and names, and content where it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

__all__ = ["Span", "span"]

_NAME = "structured_response"


class Span:
    """A span, or nothing where there is no OpenTelemetry."""

    def __init__(self, span: Any = None) -> None:
        self.span = span

    def note(self, **values: Any) -> None:
        """Sets attributes of ours; those that are None are left out."""
        if self.span is not None:
            for name, value in values.items():
                if value is not None:
                    self.span.set_attribute(f"{_NAME}.{name}", value)

    def tokens(self, usage: Any) -> None:
        """Sets the attributes for tokens that OpenTelemetry's conventions name."""
        if self.span is not None:
            self.span.set_attribute("gen_ai.usage.input_tokens", usage.input_tokens)
            self.span.set_attribute("gen_ai.usage.output_tokens", usage.output_tokens)


_NONE = Span()


@contextmanager
def span(name: str) -> Iterator[Span]:
    """A span around a block. Of an exception it tells the type alone: messages may hold content."""
    trace = _trace()
    if trace is None:
        yield _NONE
        return
    tracer = trace.get_tracer(_NAME)
    with tracer.start_as_current_span(name, record_exception=False, set_status_on_exception=False) as current:
        try:
            yield Span(current)
        except BaseException as error:
            current.set_attribute("error.type", type(error).__qualname__)
            current.set_status(trace.StatusCode.ERROR)
            raise


@cache
def _trace() -> Any:
    """OpenTelemetry's API, imported for the first question."""
    try:
        from opentelemetry import trace
    except ImportError:
        return None
    return trace
