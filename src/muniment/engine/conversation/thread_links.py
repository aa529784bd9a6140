"""Thread continuity: threads and episodes that a conversation continues, at any entry."""

from collections.abc import Iterable, Iterator, Mapping

from muniment.layers.memos import threads as layer
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.events.threads import ThreadClosed
from muniment.model.kinds.thread import Thread
from muniment.retrieval.dates import validity


def every(
    shelves: Shelves, is_open: Mapping[str, Thread], subject: str, valid_at: str = ""
) -> list[Thread]:
    """The threads of one user, open and ended, the latest first; those that had by a day."""
    key = f"of:{subject}"
    rows = _by_then(shelves, key, valid_at) if valid_at else shelves.under(layer.THREADS, key)
    ended = [line.event.thread for line in rows if isinstance(line.event, ThreadClosed)]
    mine = [each for each in is_open.values() if each.user_id == subject]
    return sorted(
        [*mine, *ended], key=lambda each: (each.last_activity_at, each.thread_id), reverse=True
    )


def _by_then(shelves: Shelves, key: str, valid_at: str) -> Iterator[Line]:
    """Threads that had ended by a day and had not gone on again."""
    for _, died, line in shelves.ever(layer.THREADS, key=key):
        if validity.row(shelves, line, died).holds(ids.day_number(valid_at)):
            yield line


def on(channel: str, threads: Iterable[Thread]) -> Thread | None:
    """The thread that a channel has now: the first of these, the latest, that was heard on it."""
    return next((each for each in threads if channel in each.channels), None)


def linked(thread: Thread) -> tuple[str, ...]:
    """The threads it goes on with; an explicit channel is its user's choice and has none."""
    return () if thread.explicit_channel else thread.linked_threads


def episodes(thread: Thread) -> tuple[str, ...]:
    """Its own episode, and where it goes on with others, theirs."""
    crossed = thread.cross_thread_episodes if linked(thread) else ()
    return tuple(dict.fromkeys(each for each in (thread.primary_episode_id, *crossed) if each))


def stated(thread: Thread, threads: Iterable[Thread]) -> str:
    """A line that states what a thread goes on with; empty where it is of its own."""
    others = [each for each in threads if each.thread_id in linked(thread)]
    if not others:
        return ""
    said = "; ".join(
        f"{each.turn_count} turns on {', '.join(each.channels)}{_until(each)}" for each in others
    )
    return f"This goes on with an earlier conversation: {said}."


def _until(thread: Thread) -> str:
    return f" until {thread.last_activity_at}" if thread.last_activity_at else ""
