"""What calls language models: messages in, a `Completion` out. Each may be given to `ask`, or to `aask`."""

from .anthropic import anthropic_messages
from .litellm import litellm_acompletion, litellm_completion
from .openai import openai_chat
from .recording import record, replay

__all__ = [
    "anthropic_messages",
    "litellm_acompletion",
    "litellm_completion",
    "openai_chat",
    "record",
    "replay",
]
