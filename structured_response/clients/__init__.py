"""Functions that call language models, for `ask` and `aask`: messages in, a `Completion` out, or a stream of text.

The functions named `..._text` turn the stream of an SDK into text.
"""

from .recording import record, replay
from .sdk import anthropic_messages, litellm_acompletion, litellm_completion, openai_chat, openai_responses
from .streams import (
    AsyncStreamingComplete,
    AsyncTextStream,
    StreamingComplete,
    TextStream,
    anthropic_text,
    langchain_text,
    litellm_text,
    openai_text,
    pydantic_ai_text,
)

__all__ = [
    "AsyncStreamingComplete",
    "AsyncTextStream",
    "StreamingComplete",
    "TextStream",
    "anthropic_messages",
    "anthropic_text",
    "langchain_text",
    "litellm_acompletion",
    "litellm_completion",
    "litellm_text",
    "openai_chat",
    "openai_responses",
    "openai_text",
    "pydantic_ai_text",
    "record",
    "replay",
]
