"""Writer cache: writers of the most recently used streams (LRU).

A writer holds its stream's desk, so a process that serves many agents must not keep all it ever
met. One that was let go is made again from the log's last checkpoint; should the old one still be
at work meanwhile, the expected head keeps both correct.
"""

from typing import Final

from muniment.engine.streams.stream_writer import Writer
from muniment.model.lru_cache import LruCache
from muniment.model.scope import StreamKind

WRITERS_KEPT: Final = 512  # some 20 kB each, and up to 2 MB where an agent has kept many memos
# One of each for a tenant, and what was read of them is told by whether they are at hand.
STAYING: Final = frozenset({StreamKind.COUNCIL, StreamKind.OPS})


def writer_cache(kept_max: int = WRITERS_KEPT) -> LruCache[str, Writer]:
    """By the text of a stream's id."""
    return LruCache(kept_max, may_leave=_may_leave)


def _may_leave(_: str, writer: Writer) -> bool:
    return writer.stream.id.kind not in STAYING and not writer.is_fenced
