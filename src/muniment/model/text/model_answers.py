"""Model answers: the JSON that one holds, bare or inside a fence, read as a type."""

import re
from typing import TypeVar

import msgspec

from muniment.model.lazy_pattern import lazy_pattern

Read = TypeVar("Read")

_FENCE = lazy_pattern(r"\A\s*```[a-z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


def read(answer: str, kind: type[Read]) -> Read | None:
    """The answer as a type; nothing where it is something else."""
    fenced = _FENCE.match(answer)
    try:
        return msgspec.json.decode((fenced[1] if fenced else answer).encode(), type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return None
