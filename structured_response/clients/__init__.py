"""Functions that call language models, for `ask` and `aask`: messages in, a `Completion` out."""

from .anthropic import anthropic_messages
from .openai import litellm_acompletion, litellm_completion, openai_chat
from .recording import record, replay

__all__ = [
    "anthropic_messages",
    "litellm_acompletion",
    "litellm_completion",
    "openai_chat",
    "record",
    "replay",
]
