"""Lazy regular expressions: compiled at their first use; an import compiles none of them."""

import re
from collections.abc import Callable
from functools import partial
from typing import AnyStr, cast


def lazy_pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """What `re.compile` gives, to be asked by its methods (`PATTERN.sub`, never `re.sub`)."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(source, flags))


class _LazyPattern:
    """Stands for a pattern; each method is looked up once and then found here at once."""

    def __init__(self, source: AnyStr, flags: int) -> None:
        self.pattern: str | bytes = source  # told without compiling it
        self._compiled: Callable[[], object] = partial(re.compile, source, flags)

    def __getattr__(self, name: str) -> object:
        found: object = getattr(self._compiled(), name)
        setattr(self, name, found)
        return found
