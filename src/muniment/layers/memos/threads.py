"""Threads: open threads and episodes on the desk, ended ones on the shelves."""

from typing import Final

import msgspec

from muniment.log.entry import Line
from muniment.model.events import Shredded
from muniment.model.events.threads import (
    EpisodeClosed,
    EpisodeOpened,
    LinkDecided,
    LinkSettled,
    LinksRetuned,
    MemosCompacted,
    OutputRecorded,
    ThreadClosed,
    ThreadOpened,
    TimeoutSet,
    TurnTaken,
)
from muniment.model.kinds.thread import Thread, ThreadEpisode, ThreadLink

THREADS: Final = "threads"  # the ended ones, by id; their key is whose they are
EPISODES: Final = "episodes"  # the closed ones
TIMEOUTS: Final = "thread_timeouts"
OUTPUTS: Final = "outputs"
COMPACTIONS: Final = "compactions"  # by the memo that tells what others told
SHELVES: Final = (THREADS, EPISODES, TIMEOUTS, OUTPUTS, COMPACTIONS)


class ThreadsState(msgspec.Struct, frozen=True, kw_only=True):
    open: dict[str, Thread] = {}
    episodes: dict[str, ThreadEpisode] = {}
    count: int = 0
    episode_count: int = 0
    decisions: int = 0
    links: tuple[ThreadLink, ...] = ()  # since the last retune
    whose: dict[str, str] = {}  # by the number of each: the person whose threads it is about
    threshold_ppm: int = 0  # 0: the policy's


def fold(state: ThreadsState, lines: list[Line]) -> ThreadsState:
    threads, episodes = dict(state.open), dict(state.episodes)
    counts = state
    for line in lines:
        counts = _counted(counts, line)
        match line.event:
            case TurnTaken(thread=thread, episode_id=episode_id) as taken:
                threads[thread.thread_id] = thread
                if episode_id in episodes:
                    episodes[episode_id] = _longer(episodes[episode_id], taken)
            case ThreadClosed(thread_id=thread_id):
                threads.pop(thread_id, None)
            case EpisodeOpened() as opened:
                episodes[opened.episode_id] = ThreadEpisode(
                    episode_id=opened.episode_id,
                    opened_at=opened.at,
                    thread_ids=(opened.thread_id,),
                )
            case EpisodeClosed(episode_id=episode_id):
                episodes.pop(episode_id, None)
            case TimeoutSet(thread_id=thread_id, minutes=minutes) if thread_id in threads:
                threads[thread_id] = msgspec.structs.replace(
                    threads[thread_id], own_timeout_minutes=minutes
                )
            case _:
                pass
    return msgspec.structs.replace(counts, open=threads, episodes=episodes)


def _longer(episode: ThreadEpisode, taken: TurnTaken) -> ThreadEpisode:
    return msgspec.structs.replace(
        episode,
        turns=episode.turns + 1,
        tokens=episode.tokens + taken.tokens,
        thread_ids=tuple(dict.fromkeys((*episode.thread_ids, taken.thread_id))),
    )


def _counted(state: ThreadsState, line: Line) -> ThreadsState:
    """Counters go on after an erasure: ids must never be given twice."""
    match line.event:
        case ThreadOpened(n=n) | Shredded(wire="thread_opened", public={"n": int(n)}):
            return msgspec.structs.replace(state, count=n)
        case EpisodeOpened(n=n) | Shredded(wire="episode_opened", public={"n": int(n)}):
            return msgspec.structs.replace(state, episode_count=n)
        case LinkDecided(link=link, subject=subject):
            return msgspec.structs.replace(
                state,
                decisions=link.n,
                links=(*state.links, link),
                whose={**state.whose, str(link.n): subject},
            )
        case Shredded(wire="link_decided", public={"link": {"n": int(n)}}):
            return msgspec.structs.replace(state, decisions=n)
        case LinkSettled(decision=n, related=related):
            links = tuple(
                msgspec.structs.replace(each, settled=related) if each.n == n else each
                for each in state.links
            )
            return msgspec.structs.replace(state, links=links)
        case LinksRetuned(after_ppm=after):
            return msgspec.structs.replace(state, links=(), whose={}, threshold_ppm=after)
        case _:
            return state


# ── The shelves ─────────────────────────────────────────────────────────────────────────────────


def opened(line: Line) -> tuple[tuple[str, str, str], ...]:
    """Shelf, id and key of each row that begins with this entry."""
    match line.event:
        case ThreadClosed(thread_id=thread_id, subject=subject):
            return ((THREADS, thread_id, f"of:{subject}"),)
        case EpisodeClosed(episode_id=episode_id, subject=subject):
            return ((EPISODES, episode_id, f"of:{subject}"),)
        case TimeoutSet(thread_id="", subject=subject):
            return ((TIMEOUTS, subject, ""),)
        case OutputRecorded(request=request):
            return ((OUTPUTS, request, answers_under(request)),)
        case MemosCompacted(told_by=told_by):
            return ((COMPACTIONS, told_by, ""),)
        case _:
            return ()


def answers_under(request: str) -> str:
    """The key of an answer: what its request begins with, up to the first dash."""
    return request.partition("-")[0]


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    """Shelf and id of each row that ends with this entry."""
    match line.event:
        case TurnTaken(thread_id=thread_id, turn=turn) if turn > 1:
            return ((THREADS, thread_id),)  # it goes on, should it have ended
        case TimeoutSet(thread_id="", subject=subject):
            return ((TIMEOUTS, subject),)
        case MemosCompacted(told_by=told_by):
            return ((COMPACTIONS, told_by),)
        case _:
            return ()
