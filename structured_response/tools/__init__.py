"""Tools as text: what a language model may call, its calls, and their results."""

from .calls import Call, Calls
from .running import Outcome
from .tool import Tool, ToolContext, ToolOptions
from .toolbox import Toolbox

__all__ = ["Call", "Calls", "Outcome", "Tool", "ToolContext", "ToolOptions", "Toolbox"]
