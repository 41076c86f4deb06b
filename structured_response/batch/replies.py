"""The replies in a record of the input. Each provider's shape is recognized by its content, and is one case here."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .rows import Reply

IDS = ("custom_id", "key", "id", "request_id")
"""The keys, or columns, that may hold the id of a request. The first that is there counts."""

BESIDE = ("sample", "finish_reason", "error")
"""The keys, or columns, that other records than those of providers may have besides their reply."""

MAX_ERROR = 500  # characters of an error without a message, which is shown as JSON
_MAX_NUMBER = 2**31  # of the column `sample`

Replies: TypeAlias = Sequence[tuple[int, Reply]]
"""The replies to a request, each with its number."""


def id_of(record: Any, column: str = "") -> str | None:
    """Returns the id of the request that a record is about, or None. The reply, under `column`, is not an id."""
    for name in IDS if isinstance(record, dict) else ():
        if name != column and isinstance(record.get(name), str | int):
            return str(record[name])
    return None


def replies_of(record: Any, column: str) -> Replies:
    """Returns the replies in a record. In a record without a provider's shape, the reply is the text under `column`.

    Raises:
        ValueError: The record has no reply in any known shape.
    """
    match record:
        case str():
            return [(0, Reply(record))]
        case dict() if column in record and not isinstance(record[column], dict):
            text, beside = _text(record[column]), {name: record.get(name) for name in BESIDE if name != column}
            if text is None and beside.get("error"):
                return _of_body(beside)
            return [(_number(beside.get("sample"), 0), Reply(text, _word(beside.get("finish_reason"))))]
        case dict():
            replies = _of_body(_unwrapped(record))
            if replies:
                return replies
            keys = ", ".join(record) or "none"
            raise ValueError(f"has no reply in a known shape, and no text under {column!r}; its keys are: {keys}")
    raise ValueError(f"is not a record but a {type(record).__name__}")


def _unwrapped(record: dict[str, Any]) -> dict[str, Any]:
    """Returns the body of a server's answer in the record of a batch, or an error in its place."""
    match record:
        case {"result": {"type": "succeeded", "message": dict() as body}}:  # Anthropic
            return body
        case {"result": {"type": "errored", "error": error}}:
            return {"error": error}
        case {"result": {"type": "canceled" | "expired" as outcome}}:
            return {"error": outcome}
        case {"error": error} if error:  # OpenAI, vLLM, Gemini
            return record
        case {"response": {"status_code": int(code)} as response} if code >= 400:
            return {"error": {"code": f"HTTP {code}", "message": _message(response.get("body"))}}
        case {"response": {"body": dict() as body}}:
            return body
        case {"status": str(status), "response": response} if status and not response:  # Gemini on Vertex AI
            return {"error": status}
        case {"response": dict() as body}:  # Gemini
            return body
    return record


def _of_body(body: dict[str, Any]) -> Replies:
    """Returns the replies in the body of a server's answer, none if its shape is not known."""
    match body:
        case {"error": error} if error:
            return [(0, Reply(None, error=_message(error)))]
        case {"choices": [*choices]}:
            return [_choice(number, choice) for number, choice in enumerate(choices)]
        case {"candidates": [*candidates]}:
            return [_candidate(number, candidate) for number, candidate in enumerate(candidates)]
        case {"promptFeedback": {"blockReason": str(reason)}}:
            return [(0, Reply(None, reason))]
        case {"object": "response", "output": [*items]}:
            return [(0, _response(body, items))]
        case {"type": "message", "content": content}:
            return [(0, Reply(_text(content), _word(body.get("stop_reason"))))]
    return []


def _choice(number: int, choice: Any) -> tuple[int, Reply]:
    """Returns a choice of OpenAI's chat completions, or of completions."""
    match choice:
        case {"message": {"refusal": str(refusal)} as message} if refusal and not message.get("content"):
            reply = Reply(refusal, "refusal")
        case {"message": dict() as message}:
            reply = Reply(_text(message.get("content")), _word(choice.get("finish_reason")))
        case {"text": str(text)}:
            reply = Reply(text, _word(choice.get("finish_reason")))
        case _:
            raise ValueError("has a choice without a message or a text")
    return _number(choice.get("index"), number), reply


def _candidate(number: int, candidate: Any) -> tuple[int, Reply]:
    """Returns a candidate of Gemini. One that a filter stopped has no content."""
    match candidate:
        case {"content": {"parts": parts}}:
            text = _text(parts)
        case dict():
            text = None
        case _:
            raise ValueError("has a candidate that is not an object")
    return _number(candidate.get("index"), number), Reply(text, _word(candidate.get("finishReason")))


def _response(body: Mapping[str, Any], items: Sequence[Any]) -> Reply:
    """Returns the reply of OpenAI's responses. Their items are messages, reasoning and calls."""
    contents = [item.get("content") for item in items if isinstance(item, dict) and item.get("type") == "message"]
    text = "".join(_text(content) or "" for content in contents)
    match body:
        case {"incomplete_details": {"reason": str(reason)}}:
            return Reply(text, reason)
    if text:
        return Reply(text, _word(body.get("status")))
    refusals = [part for content in contents for part in content or () if isinstance(part, dict)]
    for refusal in (part.get("refusal") for part in refusals):
        if isinstance(refusal, str):
            return Reply(refusal, "refusal")
    has_call = any(isinstance(item, dict) and item.get("type") == "function_call" for item in items)
    return Reply(text, "function_call" if has_call else _word(body.get("status")))


def _text(content: Any) -> str | None:
    """Returns the text of a content: a text, or parts, of which thoughts and calls do not count."""
    match content:
        case None | str():
            return content
        case bytes():
            return content.decode()
        case [*parts] if all(isinstance(part, dict) for part in parts):
            return "".join(map(_part, parts))
    raise ValueError(f"has no text where the reply should be, but a value of type {type(content).__name__}")


def _part(part: dict[str, Any]) -> str:
    match part:
        case {"type": "text" | "output_text", "text": str(text)}:
            return text
        case {"text": str(text)} if "type" not in part and not part.get("thought"):  # Gemini
            return text
    return ""


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Any, position: int) -> int:
    return value if type(value) is int and 0 <= value < _MAX_NUMBER else position


def _message(error: Any) -> str:
    """Returns an error of a provider as text: its kind and its message."""
    match error:
        case str():
            return error
        case {"error": dict() as inner}:
            return _message(inner)
        case {"message": str(message)}:
            kinds = [error[name] for name in ("code", "type", "status") if isinstance(error.get(name), str)]
            return ": ".join(part for part in (*kinds[:1], message) if part)
        case None:
            return ""
    return json.dumps(error, ensure_ascii=False, default=str)[:MAX_ERROR]
