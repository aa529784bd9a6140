"""Threads on a channel: their turns, and what belongs to them from other threads."""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.conversation import thread_links as goes_on
from muniment.engine.conversation import wish_ends
from muniment.engine.decide.decision_context import DecisionContext, Stamp
from muniment.engine.decide.memos import threads as decisions
from muniment.engine.maintenance import chunked_text
from muniment.engine.maintenance.compaction import Compacted, Upkeep
from muniment.engine.session import retry_lookup
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import argument_checks
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.engine.streams.command_pipeline import Ask
from muniment.layers import memo_reads
from muniment.model import canonical_json
from muniment.model.commands.memos import Memorize
from muniment.model.commands.threads import EndThread, SetTimeout, SettleLink, TakeTurn
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import Received
from muniment.model.events.memos import MemoKept
from muniment.model.events.threads import EpisodeClosed, LinkDecided, ThreadOpened, TurnTaken
from muniment.model.kinds.memo import Memo, MemoPlace, MemoSource
from muniment.model.kinds.thread import Assessment, Thread
from muniment.model.text.token_estimate import estimate_tokens
from muniment.retrieval.context import pack
from muniment.retrieval.dates import validity
from muniment.rules.memos import chunks

ASSESSED: Final = (
    '{"related": true or false, "confidence": from 0 to 1, "reasoning": a sentence, '
    '"key_signals": a list}: does the second text go on with the first?'
)


class PlacedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """Where a turn went: its thread and episode, what it opened, closed and was linked with."""

    thread_id: str
    episode_id: str
    turn: int
    memo_ids: tuple[str, ...]
    opened: bool
    reason: str  # why a thread was opened
    link: LinkDecided | None
    closed: tuple[str, ...]  # episodes
    compacted: tuple[Compacted, ...]
    seq: int
    ended: tuple[str, ...] = ()  # ids of what the turn asked to forget


class Continuity(msgspec.Struct, frozen=True, kw_only=True):
    """What belongs to a thread: its own episodes, those of linked threads, and a line about it."""

    text: str
    thread_ids: tuple[str, ...]
    episode_ids: tuple[str, ...]
    memos: tuple[Memo, ...]  # the newest first


@checks_arguments
class ThreadChannel:
    """A channel of one user: what is said on it finds its thread by itself."""

    def __init__(
        self,
        session: AgentSession,
        channel: str,
        *,
        explicit: bool = False,
        timeout_minutes: int = 0,
    ) -> None:
        self._session = session
        self.channel = canonical_json.admit_text(channel)
        self.explicit = explicit
        self._timeout = timeout_minutes
        self.thread_id = ""  # of the last turn

    # ── Turns ───────────────────────────────────────────────────────────────────────────────────

    def turn(
        self, text: str, *, source: str = "user", thread_id: str = "", new: bool = False
    ) -> PlacedTurn:
        """Keep a turn in the thread where it belongs; an explicit choice is the user's."""
        if source not in list(MemoSource):
            raise InputError(f"the source must be one of {', '.join(MemoSource)}")
        size = self._session.policy.compaction.chunk_tokens
        first, *rest = chunks.cut(canonical_json.admit_text(text), size)
        if rest and (refused := chunked_text.refused(self._session, (first, *rest))):
            first, rest = refused, []  # kept whole or not at all
        command = self._assessed(
            TakeTurn(
                text=first,
                channel=self.channel,
                source=MemoSource(source),
                explicit=self.explicit,
                thread_id=thread_id,
                new=new,
                timeout_minutes=self._timeout,
                subject=self._session.subject,
            )
        )
        told = self._session.append_or_raise(
            command, as_user=source == "user" and bool(self._session.user)
        )
        return self._taken(told, self._chunked(told, rest))

    def end(self) -> list[Compacted]:
        """The user ends the thread; its episode is complete and is summarised."""
        command = EndThread(thread_id=self.thread().thread_id, subject=self._session.subject)
        return list(self._summarised(self._session.append_or_raise(command)))

    def set_timeout(self, minutes: int) -> None:
        """How long this thread waits in silence."""
        its = self.thread().thread_id
        self._session.append_or_raise(
            SetTimeout(minutes=minutes, thread_id=its, subject=self._session.subject)
        )

    def settle_link(self, decision: int, *, related: bool) -> None:
        """A person's word on a decision: the next retune learns from it."""
        command = SettleLink(decision=decision, related=related, subject=self._session.subject)
        self._session.append_or_raise(command)

    # ── Reading ─────────────────────────────────────────────────────────────────────────────────

    def thread(self, *, at: int | None = None, valid_at: str = "") -> Thread:
        """The thread of the last turn on this channel, as it is by now or as it stood."""
        return self._among(every_thread(self._session, at, argument_checks.check_day(valid_at)))

    def continuity(self, *, at: int | None = None, valid_at: str = "") -> Continuity:
        """An explicit channel has its own thread alone; an implicit one what it goes on with."""
        day = argument_checks.check_day(valid_at)
        known = every_thread(self._session, at, day)
        return continuity(self._session, self._among(known), known, at, day)

    def context(self, budget: int = 0, *, at: int | None = None, valid_at: str = "") -> str:
        """Text for a prompt: what this goes on with, then the newest of it, within the budget."""
        told = self.continuity(at=at, valid_at=valid_at)
        limit = (
            argument_checks.check_count(budget, "budget")
            or self._session.writer.desk.policy.recall.budget_tokens
        )
        lines = [*([told.text] if told.text else []), *map(_line, _answering(told.memos))]
        taken = pack.greedy(lines, limit)
        head = [lines[n] for n in taken if told.text and n == 0]
        body = [lines[n] for n in reversed(taken) if not (told.text and n == 0)]
        text = "\n".join([*head, *body])
        assert estimate_tokens(text) <= limit, "a context never exceeds its budget"
        return text

    # ── What happens around a turn ──────────────────────────────────────────────────────────────

    def _among(self, known: list[Thread]) -> Thread:
        found = next((each for each in known if each.thread_id == self.thread_id), None)
        if found is None:
            raise NotFoundError("nothing was said on this channel yet")
        return found

    def _chunked(self, told: AppendResult, rest: list[str]) -> list[AppendResult]:
        """A turn longer than a chunk goes on in further memos of the same whole."""
        kept = _first_memo(told)
        if not rest or kept is None:
            return []
        commands = [
            Memorize(
                kind=kept.type,
                text=text,
                source=kept.source,
                store=MemoPlace.EM,
                importance_ppm=kept.importance_ppm,
                metadata=kept.metadata,
                task_id=kept.task_id,
                episode_id=kept.episode_id,
                parent_id=kept.id,
                chunk_index=n,
                subject=self._session.subject,
            )
            for n, text in enumerate(rest, start=1)
        ]
        return self._session.append_all(commands)

    def _taken(self, told: AppendResult, more: list[AppendResult]) -> PlacedTurn:
        events = [line.event for line in told.lines]
        taken = next(each for each in events if isinstance(each, TurnTaken))
        opened = next((each for each in events if isinstance(each, ThreadOpened)), None)
        self.thread_id = taken.thread_id
        ids = [_first_memo(each) for each in (told, *more)]
        return PlacedTurn(
            thread_id=taken.thread_id,
            episode_id=taken.episode_id,
            turn=taken.turn,
            memo_ids=tuple(memo.id for memo in ids if memo),
            opened=opened is not None,
            reason=opened.reason if opened else "",
            link=next((each for each in events if isinstance(each, LinkDecided)), None),
            closed=tuple(e.episode_id for e in events if isinstance(e, EpisodeClosed)),
            compacted=self._summarised(told),
            seq=told.seq,
            ended=wish_ends.of_batch(self._session.hub, told.lines),
        )

    def _summarised(self, told: AppendResult) -> tuple[Compacted, ...]:
        """An episode that is complete is told by its summary; its turns stay where they are."""
        closed = (e.event for e in told.lines if isinstance(e.event, EpisodeClosed))
        hands = Upkeep(self._session)
        return tuple(hands.episode(each.episode_id, each.reason) for each in closed)

    def _assessed(self, command: TakeTurn) -> TakeTurn:
        """Where a thread is about to open, a model may be asked what it goes on with."""
        model = self._session.hub.tools.model
        if (
            model is None
            or command.explicit
            or command.thread_id
            or retry_lookup.first(self._session)
        ):
            return command
        # Nobody outside hears what the log does not keep: a secret is refused, the rest redacted.
        text, is_kept = self._session.screened(command.text)
        told = msgspec.structs.replace(command, text=text)
        now = _situation(self._session, told)
        if not is_kept or decisions.place(now.desk.threads, now, told).thread is not None:
            return command
        found = decisions.candidates(now, told)
        if not found:
            return command
        other = found[0][1]
        both = f"First: {' '.join(other.counts)}\nSecond: {text}"
        asked = canonical_json.encode([model.name, ASSESSED, both])
        request = canonical_json.digest("muniment/v1/request/link", asked).hex()
        try:
            said = Upkeep(self._session).answered(
                request, "link", lambda: model.extract(both, ASSESSED)
            )
            msgspec.json.decode(said.encode(), type=Assessment)
        except Exception:  # nobody answered, or nobody can read it: the score stands alone
            return command
        return msgspec.structs.replace(command, assessed=other.thread_id, request=request)


def every_thread(session: AgentSession, at: int | None = None, valid_at: str = "") -> list[Thread]:
    """The threads of this user, open and ended, the latest first."""
    desk = session.hub.desk_at(session.stream_id, at, valid_at)
    return goes_on.every(session.shelves(at), desk.threads.open, session.subject, valid_at)


def continuity(
    session: AgentSession,
    thread: Thread,
    known: list[Thread],
    at: int | None = None,
    valid_at: str = "",
) -> Continuity:
    """What a context may say of a thread among those known, and a line about what it goes on with.

    They are handed in: to find the threads of a day folds the log anew.
    """
    threads = (thread.thread_id, *goes_on.linked(thread))
    episodes = goes_on.episodes(thread)
    shelves, subject = session.shelves(at), session.subject
    if valid_at:
        said = list(validity.memos(shelves, MemoPlace.EM, valid_at, subject))
    else:
        said = memo_reads.living(shelves, MemoPlace.EM, subject)
    return Continuity(
        text=goes_on.stated(thread, known),
        thread_ids=threads,
        episode_ids=episodes,
        memos=tuple(
            memo for memo in said if memo.task_id in threads or memo.episode_id in episodes
        ),
    )


def _answering(memos: Iterable[Memo]) -> Iterator[Memo]:
    """Without what only asks to forget something: it would say that again."""
    for memo in memos:
        asks = memo.source is MemoSource.USER and later.asked_to_forget.is_nothing_else(memo.text)
        if not asks:
            yield memo


def _line(memo: Memo) -> str:
    return f"[{memo.source}] {memo.text}"


def _first_memo(told: AppendResult) -> Memo | None:
    kept = (line.event for line in told.lines if isinstance(line.event, MemoKept))
    return next((each.memo for each in kept), None)


def _situation(session: AgentSession, command: TakeTurn) -> DecisionContext:
    """What the decision will see, to know what to ask a model before it is taken."""
    ask: Ask = session.prepare(command)
    received = Received(
        command=command, asked="take_turn", operation="", actor="", role="", channel="", at=ask.at
    )
    stamp = Stamp(job=0, tick=0, seed="", base_ms=0, first_seq=0)
    writer = session.writer
    return DecisionContext(
        stream=writer.stream,
        desk=writer.desk,
        shelves=session.shelves(None),
        received=received,
        stamp=stamp,
        seq=writer.desk.seq + 1,
    )
