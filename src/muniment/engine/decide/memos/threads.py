"""Thread decisions: the thread of a turn, links to earlier threads, what is closed."""

from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.memos import keep as memo_decisions
from muniment.layers import model_outputs
from muniment.layers.memos import threads as layer
from muniment.model import ids
from muniment.model.commands.memos import Memorize
from muniment.model.commands.threads import EndThread, SetTimeout, SettleLink, TakeTurn
from muniment.model.events import AnyEvent
from muniment.model.events.threads import (
    EpisodeClosed,
    EpisodeOpened,
    LinkDecided,
    LinkSettled,
    LinksRetuned,
    ThreadClosed,
    ThreadOpened,
    TimeoutSet,
    TurnTaken,
)
from muniment.model.kinds.memo import MemoPlace, MemoSource, MemoType
from muniment.model.kinds.thread import Assessment, Thread, ThreadEpisode, ThreadLink
from muniment.model.languages.phrases import forget_words
from muniment.model.struct_copy import copied
from muniment.model.text.tokens import tokens_by_length
from muniment.rules.memos import threads as rules

LINKED_MAX: Final = 16  # episodes and threads that a thread remembers to be linked with
TURN_IMPORTANCE_PPM: Final = 500_000
KINDS: Final = {
    MemoSource.USER: MemoType.USER_MESSAGE,
    MemoSource.TOOL: MemoType.TOOL_RESULT,
    MemoSource.MODEL: MemoType.ACTION,
    MemoSource.SYSTEM: MemoType.ACTION,
}


class ThreadChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The thread a turn belongs to; none where it opens one, and then why."""

    thread: Thread | None = None
    reason: str = ""
    ending: Thread | None = None  # the thread whose silence, or the user, ended it


def take_turn(now: DecisionContext, command: TakeTurn) -> list[AnyEvent]:
    """Find or open the thread, count the turn, and keep what was said as a memo of its episode."""
    said = command.text.strip() or now.echoes  # a turn is one, also where it repeats what is known
    if not said or not command.channel.strip():
        return now.deny("text_empty")
    if command.thread_id and _known(now, command.thread_id) is None:
        return now.deny("thread_unknown", command.thread_id)
    if command.request and _assessment(now, command) is None:
        return now.deny("output_missing", command.request)
    placed = place(now.desk.threads, now, command)
    if placed.thread is None:
        before, thread = _open(now, command, placed)
    else:
        before, thread = _go_on(now, placed.thread)
    return [*before, *_taken(now, command, thread)]


def place(state: layer.ThreadsState, now: DecisionContext, command: TakeTurn) -> ThreadChoice:
    """The user's choice first; an explicit channel has its thread; an implicit one the latest."""
    if command.thread_id:
        return ThreadChoice(thread=_known(now, command.thread_id))
    mine = [each for each in state.open.values() if each.user_id == command.subject]
    if command.explicit:
        alike = [e for e in mine if e.explicit_channel and e.channels == (command.channel,)]
    else:
        alike = [each for each in mine if not each.explicit_channel]
    found = max(alike, key=_latest, default=None)
    if found is None or command.new:
        return ThreadChoice(reason="user" if command.new else "first", ending=found)
    silent = rules.has_ended(found.last_activity_at, now.received.at, timeout(now, found, command))
    if silent and not command.explicit:
        return ThreadChoice(reason="inactivity", ending=found)
    return ThreadChoice(thread=found)


def timeout(now: DecisionContext, thread: Thread | None, command: TakeTurn) -> int:
    line = now.shelves.get(layer.TIMEOUTS, command.subject) if command.subject else None
    told = line.event if line else None
    return rules.timeout_minutes(
        now.desk.policy.threads,
        command.channel,
        user=told.minutes if isinstance(told, TimeoutSet) else 0,
        thread=command.timeout_minutes or (thread.own_timeout_minutes if thread else 0),
    )


def end(now: DecisionContext, command: EndThread) -> list[AnyEvent]:
    thread = now.desk.threads.open.get(command.thread_id)
    if thread is None or thread.user_id != command.subject:
        return now.deny("thread_unknown", command.thread_id)
    return _closed(now, thread, command.reason)


def set_timeout(now: DecisionContext, command: SetTimeout) -> list[AnyEvent]:
    thread = now.desk.threads.open.get(command.thread_id)
    if command.thread_id and (thread is None or thread.user_id != command.subject):
        return now.deny("thread_unknown", command.thread_id)
    if not command.thread_id and not command.subject:
        return now.deny("timeout_needs_a_person")
    return [
        TimeoutSet(minutes=command.minutes, thread_id=command.thread_id, subject=command.subject)
    ]


def settle_link(now: DecisionContext, command: SettleLink) -> list[AnyEvent]:
    """A person's word about a decision on threads of their own, since the last retune: later it
    would change nothing.
    """
    if now.desk.threads.whose.get(str(command.decision)) != command.subject:
        return now.deny("link_unknown", str(command.decision))
    return [
        LinkSettled(decision=command.decision, related=command.related, subject=command.subject)
    ]


# ── Opening, going on, closing ──────────────────────────────────────────────────────────────────


def _open(
    now: DecisionContext, command: TakeTurn, placed: ThreadChoice
) -> tuple[list[AnyEvent], Thread]:
    n = now.desk.threads.count + 1
    thread = Thread(
        thread_id=f"thread:{_counted(now, 'thread', n)}",
        user_id=command.subject,
        created_at=now.received.at,
        last_activity_at=now.received.at,
        channels=(command.channel,),
        inactivity_timeout_minutes=0 if command.explicit else timeout(now, None, command),
        own_timeout_minutes=command.timeout_minutes,
        explicit_channel=command.explicit,
    )
    events, other = _linked(now, command, thread)
    shares = other is not None and other.primary_episode_id in now.desk.threads.episodes
    if placed.ending is not None:
        goes_on = shares and other is not None and other.thread_id == placed.ending.thread_id
        events += _closed(now, placed.ending, placed.reason, goes_on=goes_on)
    if other is not None:
        thread = _joined(thread, other, shares=shares)
    begun = [] if shares else _episode(now, thread, "thread")
    if begun:
        thread = msgspec.structs.replace(thread, primary_episode_id=begun[0].episode_id)
    opened = ThreadOpened(
        n=n,
        thread_id=thread.thread_id,
        reason=placed.reason,
        explicit=command.explicit,
        timeout_minutes=thread.inactivity_timeout_minutes,
        at=now.received.at,
        episode_id=thread.primary_episode_id,
        channel=command.channel,
        subject=command.subject,
    )
    return [*events, *_room(now, thread, placed.ending), opened, *begun], thread


def _joined(thread: Thread, other: Thread, *, shares: bool) -> Thread:
    crossed = (other.primary_episode_id, *other.cross_thread_episodes)
    return msgspec.structs.replace(
        thread,
        primary_episode_id=other.primary_episode_id if shares else "",
        cross_thread_episodes=tuple(dict.fromkeys(crossed))[:LINKED_MAX],
        linked_threads=tuple(dict.fromkeys((other.thread_id, *other.linked_threads)))[:LINKED_MAX],
    )


def _go_on(now: DecisionContext, thread: Thread) -> tuple[list[AnyEvent], Thread]:
    """The same thread; its episode ends after so many turns or hours, and another begins.

    One that had ended is open again: it needs room as a new one does.
    """
    policy = now.desk.policy.threads
    room = [] if thread.thread_id in now.desk.threads.open else _room(now, thread)
    episode = now.desk.threads.episodes.get(thread.primary_episode_id)
    reason = "thread"
    if episode is not None:
        full = episode.turns >= policy.episode_turns
        old = rules.is_old(episode.opened_at, now.received.at, policy.episode_hours)
        if not full and not old:
            return room, msgspec.structs.replace(thread, closed_for="")
        reason = "turns" if full else "hours"
    closed = [_episode_closed(episode, reason, thread.user_id)] if episode else []
    (begun,) = _episode(now, thread, reason)
    return [*room, *closed, begun], msgspec.structs.replace(
        thread, primary_episode_id=begun.episode_id, closed_for=""
    )


def _taken(now: DecisionContext, command: TakeTurn, thread: Thread) -> list[AnyEvent]:
    tokens = tokens_by_length(command.text)
    grown = thread if _only_wishes(command) else rules.told(thread, command.text)
    grown = msgspec.structs.replace(
        grown,
        last_activity_at=now.received.at or thread.last_activity_at,
        channels=tuple(dict.fromkeys((*thread.channels, command.channel))),
        turn_count=thread.turn_count + 1,
    )
    taken = TurnTaken(
        thread_id=grown.thread_id,
        episode_id=grown.primary_episode_id,
        turn=grown.turn_count,
        tokens=tokens,
        at=now.received.at,
        subject=command.subject,
        thread=grown,
    )
    kept = memo_decisions.keep(now, _memo(command, grown)) if command.text.strip() else []
    return [taken, *kept]


def _only_wishes(command: TakeTurn) -> bool:
    """Whether it only asks to forget something, which is no topic of a thread."""
    if command.source is not MemoSource.USER or not forget_words.possible(command.text):
        return False
    return later.asked_to_forget.is_nothing_else(command.text)


def _memo(command: TakeTurn, thread: Thread) -> Memorize:
    given = command.importance_ppm
    return Memorize(
        kind=KINDS[command.source],
        text=command.text,
        source=command.source,
        store=MemoPlace.EM,
        importance_ppm=TURN_IMPORTANCE_PPM if given is None else given,
        metadata={"thread_id": thread.thread_id, "turn": thread.turn_count},
        task_id=thread.thread_id,
        episode_id=thread.primary_episode_id,
        subject=command.subject,
    )


def _closed(
    now: DecisionContext, thread: Thread, reason: str, *, goes_on: bool = False
) -> list[AnyEvent]:
    """A thread's end closes its episode, unless another thread goes on with that."""
    ended = msgspec.structs.replace(thread, closed_for=reason)
    told = ThreadClosed(
        thread_id=thread.thread_id, reason=reason, subject=thread.user_id, thread=ended
    )
    episode = now.desk.threads.episodes.get(thread.primary_episode_id)
    others = (e for e in now.desk.threads.open.values() if e.thread_id != thread.thread_id)
    shared = any(each.primary_episode_id == thread.primary_episode_id for each in others)
    if episode is None or goes_on or shared:
        return [told]
    return [told, _episode_closed(episode, "thread_end", thread.user_id)]


def _room(now: DecisionContext, coming: Thread, ending: Thread | None = None) -> list[AnyEvent]:
    """The desk is bounded: the thread that has been silent for longest is closed.

    An episode that the coming thread goes on with stays open.
    """
    gone = ending.thread_id if ending else ""
    known = [e for e in now.desk.threads.open.values() if e.thread_id != gone]
    if len(known) < now.desk.policy.threads.threads_open_max:
        return []
    silent = min(known, key=_latest)
    shared = silent.primary_episode_id == coming.primary_episode_id
    return _closed(now, silent, "room", goes_on=shared)


def _episode(now: DecisionContext, thread: Thread, reason: str) -> list[EpisodeOpened]:
    n = now.desk.threads.episode_count + 1
    return [
        EpisodeOpened(
            n=n,
            episode_id=f"episode:{_counted(now, 'episode', n)}",
            thread_id=thread.thread_id,
            reason=reason,
            at=now.received.at,
            subject=thread.user_id,
        )
    ]


def _episode_closed(episode: ThreadEpisode, reason: str, subject: str) -> EpisodeClosed:
    return EpisodeClosed(
        episode_id=episode.episode_id,
        reason=reason,
        turns=episode.turns,
        tokens=episode.tokens,
        subject=subject,
    )


# ── Links ───────────────────────────────────────────────────────────────────────────────────────


def candidates(now: DecisionContext, command: TakeTurn) -> list[tuple[tuple[int, ...], Thread]]:
    """The latest threads of this user that are not explicit, best score first."""
    state, policy = now.desk.threads, now.desk.policy.threads
    rows = now.shelves.under(layer.THREADS, f"of:{command.subject}", policy.candidates_max)
    ended = [line.event.thread for line in rows if isinstance(line.event, ThreadClosed)]
    known = [each for each in state.open.values() if each.user_id == command.subject]
    spoken = rules.words(command.text)
    scored = [
        (rules.score(spoken, each, at=now.received.at, policy=policy), each)
        for each in (*known, *ended)
        if not each.explicit_channel
    ]
    return sorted(scored, key=lambda each: (-each[0][0], each[1].thread_id))


def _linked(
    now: DecisionContext, command: TakeTurn, thread: Thread
) -> tuple[list[AnyEvent], Thread | None]:
    """One decision for each thread that opens implicitly; an explicit one is its user's choice."""
    found = [] if command.explicit else candidates(now, command)
    if not found:
        return [], None
    named = [each for each in found if each[1].thread_id == command.assessed]
    parts, other = (named or found)[0]
    state = now.desk.threads
    threshold = state.threshold_ppm or now.desk.policy.threads.link_above_ppm
    asked = _assessment(now, command) if named else None
    link = rules.judge(state.decisions + 1, parts, threshold, asked)
    decided = LinkDecided(
        thread_id=thread.thread_id,
        other_id=other.thread_id,
        episode_id=other.primary_episode_id if link.linked else "",
        link=link,
        subject=command.subject,
    )
    return [decided, *_retuned(now, link, threshold)], other if link.linked else None


def _retuned(now: DecisionContext, link: ThreadLink, threshold: int) -> list[AnyEvent]:
    links = (*now.desk.threads.links, link)
    if link.n % now.desk.policy.threads.retune_decisions:
        return []
    tuning = rules.retuned(links, threshold)
    return [copied(LinksRetuned, tuning, decisions=len(links))]


def _assessment(now: DecisionContext, command: TakeTurn) -> Assessment | None:
    """What a model said, from the log; what nobody can read is no answer."""
    output = model_outputs.said(now.shelves, command.request)
    if output is None:
        return None
    try:
        return msgspec.json.decode(output.text.encode(), type=Assessment)
    except (msgspec.DecodeError, msgspec.ValidationError):
        return None


def _known(now: DecisionContext, thread_id: str) -> Thread | None:
    """An open thread of this user, or one that has ended and may go on."""
    subject = now.received.command.subject
    found = now.desk.threads.open.get(thread_id)
    if found is None:
        line = now.shelves.get(layer.THREADS, thread_id)
        told = line.event if line else None
        found = told.thread if isinstance(told, ThreadClosed) else None
    return found if found is not None and found.user_id == subject else None


def _counted(now: DecisionContext, kind: str, n: int) -> str:
    place = f"{now.stream.ref}\x00{kind}"
    return ids.ulid(now.stamp.time_ms(now.seq), place, now.stamp.seed, n)


def _latest(thread: Thread) -> tuple[str, str]:
    return (thread.last_activity_at, thread.thread_id)
