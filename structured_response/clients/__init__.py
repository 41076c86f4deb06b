"""Functions that call language models, for `ask` and `aask`: messages in, a `Completion` out."""

from .recording import record, replay
from .sdk import anthropic_messages, litellm_acompletion, litellm_completion, openai_chat

__all__ = ["anthropic_messages", "litellm_acompletion", "litellm_completion", "openai_chat", "record", "replay"]
