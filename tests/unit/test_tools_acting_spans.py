"""The spans of an agent, by OpenTelemetry's conventions for GenAI."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk")

from structured_response.completion import ToolCall
from structured_response.testing import FakeModel
from structured_response.tools import Toolbox, ToolError
from tests.unit.test_asking_spans import EXPORTER, _empty, provider, told
from tests.unit.test_tools_acting import Run, both

__all__ = ["_empty", "provider"]


def look(topic: str) -> str:
    """Looks something up."""
    if topic == "ghosts":
        raise ToolError("there are none")
    return f"secret notes on {topic}"


CALLS = [ToolCall("c1", "look", '{"topic": "lamps"}'), ToolCall("c2", "look", '{"topic": "ghosts"}')]


def spans(run: Run, **options: Any) -> dict[str, Any]:
    """The spans of a run: that of each tool by its id, and those of the calls and of the whole by their names."""
    EXPORTER.clear()
    run(FakeModel([CALLS, "Done."]), "Go.", Toolbox(look), mode="native", **options)
    return {str((each.attributes or {}).get("gen_ai.tool.call.id", each.name)): each for each in told()}


@both
def test_each_tool_has_a_span(run: Run) -> None:
    """Inside that of the run, beside those of the language model, from threads too, and without content."""
    made = spans(run)
    assert set(made) == {"act Value", "chat fake", "c1", "c2"}
    assert made["c1"].name == "execute_tool look"
    assert dict(made["c1"].attributes) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "c1",
    }
    assert made["c2"].attributes["error.type"] == "tool_error"
    assert [made[each].status.is_ok for each in ("c1", "c2")] == [True, False]
    assert {made[each].parent.span_id for each in ("c1", "c2", "chat fake")} == {made["act Value"].context.span_id}
    assert made["act Value"].attributes["structured_response.turns"] == 2
    assert "secret" not in str([each.to_json() for each in made.values()])


@both
def test_with_trace_content_they_have_arguments_and_results(run: Run) -> None:
    """Only then, since these may be private."""
    made = spans(run, trace_content=True)
    assert made["c1"].attributes["gen_ai.tool.call.arguments"] == '{"topic": "lamps"}'
    assert made["c1"].attributes["gen_ai.tool.call.result"] == "secret notes on lamps"
