"""MCP responses: text or JSON for a result, an envelope with a code for an error."""

from collections.abc import Awaitable
from typing import Final

import msgspec
from mcp.types import CallToolResult, TextContent

from muniment.adapters.mcp.plain_answers import PlainAnswer
from muniment.adapters.rendering.refusal_texts import refused
from muniment.model import canonical_json
from muniment.model.errors import (
    Envelope,
    MunimentError,
    NotFoundError,
    PermissionDeniedError,
    RefusedError,
)

# Reasons that say "nothing of that name": what is not there and what is another's answer alike.
UNKNOWN: Final = frozenset(
    {"item_unknown", "episode_unknown", "request_unknown", "confirmation_unknown"}
)


async def answer(work: Awaitable[object]) -> CallToolResult:
    """The result of a call, or its error; nothing else leaves, and nothing is logged."""
    try:
        return _result(await work, is_error=False)
    except MunimentError as error:
        return _result(plain(error), is_error=True)
    except Exception:  # a mistake of ours: what it quotes may be private
        return _result(plain(MunimentError()), is_error=True)


def plain(error: MunimentError) -> dict[str, object]:
    """An error as every door tells it, without what only this process knows."""
    if isinstance(error, RefusedError) and error.reason in UNKNOWN:
        error = NotFoundError()
    if isinstance(error, RefusedError) and error.reason == "role_not_allowed":
        error = PermissionDeniedError()
    told: Envelope = error.envelope()
    return {
        "error_code": told.error_code,
        "message": refused(error) if isinstance(error, RefusedError) else told.user_message,
        "detail": error.reason if isinstance(error, RefusedError) else told.developer_message,
        "retryable": told.retryable,
        "outcome": told.outcome,
    }


def document(value: object) -> object:
    """A value of the engine as JSON; fractions that were admitted as text are numbers again."""
    return canonical_json.release(msgspec.to_builtins(value, str_keys=True))


def spelled(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def _result(value: object, *, is_error: bool) -> CallToolResult:
    told = document(value.document if isinstance(value, PlainAnswer) else value)
    assert isinstance(told, dict), "a tool answers with an object"
    text = value.text if isinstance(value, PlainAnswer) else spelled(told)
    return CallToolResult(
        content=[TextContent(type="text", text=text)],
        structured_content=told,
        is_error=is_error,
    )
