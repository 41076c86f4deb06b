"""Tools as text: what a language model may call, its calls, their results, and the loop around them."""

from ..errors import ActError, NotRunnableError, ToolError
from .act_options import ActMode, ActOptions
from .api import aact, act
from .calls import Call, Calls
from .policy import Policy, Verdict, default_policy
from .running import Outcome
from .shown import CallPart
from .streaming import CallStream
from .tool import Tool, ToolContext, ToolOptions
from .toolbox import Toolbox
from .turns import ActResult, CallResult, Turn

__all__ = [
    "ActError", "ActMode", "ActOptions", "ActResult", "Call", "CallPart", "CallResult", "CallStream", "Calls",
    "NotRunnableError", "Outcome", "Policy", "Tool", "ToolContext", "ToolError", "ToolOptions", "Toolbox",
    "Turn", "Verdict", "aact", "act", "default_policy",
]  # fmt: skip
