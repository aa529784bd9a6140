"""Deprecation: a header of an old route becomes a Python warning."""

import inspect
import re
import warnings
from datetime import UTC, datetime
from typing import Final

from muniment.adapters.system.optional_packages import lacking

try:
    import httpx2
except ImportError as error:
    raise ImportError(lacking(error)) from error

SINCE: Final = re.compile(r"@(\d{1,12})")  # RFC 9745: seconds since 1970
OURS: Final = ("muniment.", "httpx2.", "asyncio.")


def warn(answer: httpx2.Response) -> None:
    """Warn where the call was made, so that Python shows it to the one who wrote it."""
    told = SINCE.fullmatch(answer.headers.get("deprecation", ""))
    if told is None:
        return
    day = datetime.fromtimestamp(int(told[1]), UTC).date()
    asked = f"{answer.request.method} {answer.request.url.path}"
    docs = answer.request.url.join("/docs")
    warnings.warn(
        f"{asked} is deprecated since {day}; {docs} says what to call instead.",
        DeprecationWarning,
        stacklevel=_callers(),
    )


async def warn_later(answer: httpx2.Response) -> None:
    """The same for a client that is awaited."""
    warn(answer)


def _callers() -> int:
    """How many frames lie between `warn` and the first that is neither ours nor a library's."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and f"{frame.f_globals.get('__name__', '')}.".startswith(OURS):
        frame, level = frame.f_back, level + 1
    return level
