"""Tools as text: what a language model may call, its calls, their results, and the loop around them."""

from ..errors import ActError, NotRunnableError, ToolError
from .acting import ActOptions, ActResult, Made, Turn
from .api import aact, act
from .calls import Call, Calls
from .policy import Policy, Verdict, default_policy
from .running import Outcome
from .tool import Tool, ToolContext, ToolOptions
from .toolbox import Toolbox

__all__ = [
    "ActError", "ActOptions", "ActResult", "Call", "Calls", "Made", "NotRunnableError", "Outcome", "Policy", "Tool",
    "ToolContext", "ToolError", "ToolOptions", "Toolbox", "Turn", "Verdict", "aact", "act", "default_policy",
]  # fmt: skip
