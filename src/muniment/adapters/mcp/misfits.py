"""Misfits: what whoever sends a line that is no message is answered, for they may wait for it."""

import json
from typing import Final

from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError

ANSWERS: Final = ("result", "error")  # to what this server asked: its ids are not the client's


def misfit(line: bytes) -> JSONRPCError | None:
    """The error that answers such a line; none for what nobody awaits an answer to."""
    if not line.strip():
        return None
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return _error(PARSE_ERROR, "This is no JSON.", None)
    if isinstance(said, dict) and _awaits_nothing(said):
        return None
    number = said.get("id") if isinstance(said, dict) else None
    return _error(INVALID_REQUEST, "This is no call that could be read.", _readable(number))


def has_misfit_id(line: bytes) -> bool:
    """Whether what was read as a notification is a call: the SDK overlooks an id of no known type.

    Most notifications have none, and are not parsed a second time.
    """
    if b'"id"' not in line:
        return False
    try:
        return "id" in json.loads(line)
    except (ValueError, RecursionError):
        return False


def _awaits_nothing(said: dict[str, object]) -> bool:
    """A notification, or an answer."""
    if "method" in said:
        return "id" not in said and isinstance(said["method"], str)
    return any(each in said for each in ANSWERS)


def _readable(number: object) -> int | str | None:
    """An id as it can be sent back; half a character cannot."""
    if isinstance(number, str):
        return number if number == number.encode(errors="replace").decode() else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _error(code: int, message: str, number: int | str | None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=number, error=ErrorData(code=code, message=message))
