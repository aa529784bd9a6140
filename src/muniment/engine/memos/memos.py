"""Memos: store, read, mark, forget and restore them, inside a job or outside."""

from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import Literal

import msgspec

from muniment.engine.conversation import wish_ends
from muniment.engine.maintenance import chunked_text
from muniment.engine.memos import memo_input
from muniment.engine.projections.memory_type_registry import Evicted, Forgotten, Memorized, Routed
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import argument_checks
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.layers import memo_reads
from muniment.layers.shelves import Shelves
from muniment.model import canonical_json, ids
from muniment.model.commands.memos import ForgetMemos, MarkMemo, Memorize, RestoreMemo
from muniment.model.errors import InputError, NotFoundError, RefusedError, RegistryError
from muniment.model.events import AnyEvent, PiiRedacted, Shredded
from muniment.model.events.memos import (
    MemoDeclined,
    MemoKept,
    MemosEvicted,
    MemosForgotten,
    MemoShelved,
)
from muniment.model.kinds.memo import AUTO, Memo, MemoPlace, MemoType, Scores
from muniment.retrieval.dates import validity
from muniment.rules.memos import chunks, eviction

Step = AnyEvent | Shredded
UTTERANCES_MAX = 512  # of one transcript in one durable append
STORES = (AUTO, *MemoPlace)
SPEAKERS = {"user": "user", "agent": "model", "tool": "tool", "system": "system"}


@checks_arguments
class MemoActions:
    """The memos of one session: where the gate sends them, and how they leave again."""

    def __init__(self, session: AgentSession, *, job: int = 0) -> None:
        self._session = session
        self.job = job

    def memorize(
        self,
        item: object,
        metadata: Mapping[str, object] | None = None,
        *,
        store: str = AUTO,
        key: str = "",
    ) -> Memorized:
        """Keep an item where the gate sends it: `WM`, `EM`, `SM`, a guest, or nowhere.

        An item is an object with a `type` and a `text`, or a text with its type in `metadata`.
        `key` makes a retry safe: the same key and words are kept once and answer alike.
        """
        self._check_store(store)
        command = memo_input.read(item, metadata, store=store, subject=self._session.subject)
        # How long a chunk is may be a moment old: nothing is decided here.
        policy = self._session.policy_of(self._session.writer.last_desk)
        pieces = chunks.cut(command.text, policy.compaction.chunk_tokens)
        if len(pieces) > 1:
            with self._session.calls.under(key or self._session.calls.key):
                return self._in_chunks(command, pieces)
        told = self._session.append(command, job=self.job, key=key)
        ended = wish_ends.of_batch(self._session.hub, told.lines)
        return self._with_guests(msgspec.structs.replace(memorized(told), ended=ended))

    def transcribe(
        self, channel: str, utterances: Iterable[object], *, transcript_id: str = ""
    ) -> list[Memorized]:
        """Keep a canonical transcript in episodic memory, one memo for each utterance, at once."""
        if not isinstance(utterances, Iterable):
            raise InputError("a transcript is a list of utterances")
        told = list(utterances)
        if len(told) > UTTERANCES_MAX:
            raise InputError(f"a transcript has at most {UTTERANCES_MAX} utterances at a time")
        named = f"transcript:{canonical_json.admit_text(channel)}:{self._seq + 1}"
        whole = transcript_id or chunked_text.name(self._session, named)
        commands = [self._utterance(channel, whole, n, each) for n, each in enumerate(told)]
        return [memorized(each) for each in self._session.append_all(commands, job=self.job)]

    def memo(self, memo_id: str, *, at: int | None = None, valid_at: str = "") -> Memo:
        shelves, day = self._session.shelves(at), argument_checks.check_day(valid_at)
        found = memo_reads.get(shelves, canonical_json.admit_text(memo_id))
        if found is None or (day and not _was_so(shelves, found, day)):
            raise NotFoundError
        return released(found)

    def memos(
        self, place: str, *, limit: int = 0, at: int | None = None, valid_at: str = ""
    ) -> list[Memo]:
        """What lives in `EM` or `SM`, newest first; or in `WM`, oldest first."""
        count, day = memo_input.whole(limit, "limit") or -1, argument_checks.check_day(valid_at)
        if place == MemoPlace.WM:
            held = [each for each in self._working(at, day) if day or self._lasts(each, at)]
            return [released(each) for each in (held[-count:] if count > 0 else held)]
        if place not in list(MemoPlace):
            raise InputError(f"a place is one of {', '.join(MemoPlace)}")
        shelves = self._session.shelves(at)
        if not day:
            living = (each for each in memo_reads.newest(shelves, place) if self._lasts(each, at))
            return [released(each) for each in islice(living, count if count > 0 else None)]
        found = validity.memos(shelves, place, day)
        return [released(each) for each in islice(found, count if count > 0 else None)]

    def _lasts(self, memo: Memo, at: int | None) -> bool:
        """Whether a memo that has an end of its own is not over; the past is shown as it stood."""
        now = self._session.hub.parts.clock.now() if at is None else ""
        return not memo.expires or not now or now < memo.expires

    def get_version(self, key: str, version: int) -> Memo:
        """One version of what semantic memory calls `entity_type:entity_id`."""
        found = memo_reads.versions(
            self._session.shelves(None), canonical_json.admit_text(key), self._session.subject
        )
        for memo in found:
            if memo.version == memo_input.whole(version, "version"):
                return released(memo)
        raise NotFoundError

    def forget_memos(
        self, place: str, phrase: str, *, reason: str = "", mode: Literal["soft", "hard"] = "soft"
    ) -> Forgotten:
        """Let memos leave a place; softly, so that `restore_memo` brings them back.

        Hard forgetting destroys keys: it is an erasure, asked of the council and carried out
        by an administrator, so here it is refused.
        """
        if mode != "soft":
            raise RefusedError("erasure_not_approved", "an erasure: ask the council")
        self._check_store(place)
        command = ForgetMemos(
            place=place, phrase=phrase, reason=reason, subject=self._session.subject
        )
        told = self._session.append_or_raise(command, job=self.job)
        gone = [e.event.memo_ids for e in told.lines if isinstance(e.event, MemosForgotten)]
        return Forgotten(ids=tuple(chain.from_iterable(gone)), place=place, seq=told.seq)

    def restore_memo(self, memo_id: str) -> tuple[str, ...]:
        """Bring back what was forgotten or evicted; returns the places it is in again."""
        command = RestoreMemo(memo_id=memo_id, subject=self._session.subject)
        told = self._session.append_or_raise(command, job=self.job)
        return next(e.event.places for e in told.lines if isinstance(e.event, MemoShelved))

    def mark_memo(self, memo_id: str, importance: float, *, reason: str = "") -> None:
        """Say that a memo matters more, or less, than it was thought to."""
        weight = memo_input.fraction(importance, "importance")
        if weight is None:
            raise InputError("importance must be a number from 0 to 1")
        command = MarkMemo(
            memo_id=memo_id, importance_ppm=weight, reason=reason, subject=self._session.subject
        )
        self._session.append_or_raise(command, job=self.job)

    @property
    def _seq(self) -> int:
        return self._session.writer.head.seq

    def _working(self, at: int | None, valid_at: str) -> tuple[Memo, ...]:
        """The scratchpad of this job's task; outside of a job, that of no task."""
        session = self._session
        desk = session.hub.desk_at(session.stream_id, at)
        job = desk.jobs.open.get(self.job)
        task = (job.session or job.seed) if job else ""
        if valid_at:
            desk = session.hub.desk_at(session.stream_id, at, valid_at)
        return memo_reads.working(desk.memos, session.subject, task)

    def _check_store(self, store: object) -> None:
        if store in STORES:
            return
        if not isinstance(store, str):
            raise InputError("a store is auto, WM, EM, SM or the name of a memory type")
        if store not in self._session.hub.guests:
            raise RegistryError(f"there is no memory type {store[:64]!r} to keep memos in")

    def _with_guests(self, told: Memorized) -> Memorized:
        """Plugin types that stored it count as places as well."""
        if not told.stored or not self._session.hub.guests:
            return told
        memo = self.memo(told.ids[0])
        more = tuple(
            name
            for name, layer in self._session.hub.guests.items()
            if name not in told.routing.places and layer.accepts(memo)
        )
        routing = msgspec.structs.replace(told.routing, places=(*told.routing.places, *more))
        return msgspec.structs.replace(told, routing=routing)

    def _in_chunks(self, command: Memorize, pieces: tuple[str, ...]) -> Memorized:
        """A text longer than a chunk is kept in several memos of one whole, all or none."""
        if refused := chunked_text.refused(self._session, pieces):
            part = msgspec.structs.replace(command, text=refused)
            return memorized(self._session.append(part, job=self.job))
        whole = command.parent_id or chunked_text.name(self._session, f"whole:{self._seq + 1}")
        parts = [
            msgspec.structs.replace(command, text=text, parent_id=whole, chunk_index=n)
            for n, text in enumerate(pieces)
        ]
        told = [memorized(each) for each in self._session.append_all(parts, job=self.job)]
        ids = tuple(memo_id for each in told for memo_id in each.ids)
        return msgspec.structs.replace(told[0], ids=ids, seq=told[-1].seq)

    def _utterance(self, channel: str, whole: str, n: int, told: object) -> Memorize:
        if not isinstance(told, Mapping) or not {"speaker", "text"} <= set(told):
            raise InputError("an utterance has a speaker and a text")
        speaker = told["speaker"]
        if speaker not in SPEAKERS:
            raise InputError(f"a speaker is one of {', '.join(SPEAKERS)}")
        kind = MemoType.USER_MESSAGE if speaker == "user" else MemoType.OBSERVATION
        item = {"type": kind, "text": told["text"], "source": SPEAKERS[str(speaker)]}
        item |= {"parent_id": whole, "chunk_index": n, "importance": 1}
        metadata = {"channel": channel, "speaker": speaker, "utterance_index": n}
        metadata |= {str(k): v for k, v in told.items() if k not in {"speaker", "text"}}
        return memo_input.read(item, metadata, store=MemoPlace.EM, subject=self._session.subject)


def memorized(told: AppendResult) -> Memorized:
    """The answer that a batch holds: kept, declined or refused, and what left for it."""
    events = [line.event for line in told.lines]
    for event in events:
        if isinstance(event, MemoKept | MemoDeclined):
            return _weighed(event, events, told.lines[-1].seq)
    refused = told.refusal
    return Memorized(
        stored=False,
        ids=(),
        routing=Routed(
            places=(),
            reasons=(refused.reason,) if refused else (),
            scores=Scores(importance=0, novelty=0, tokens=0),
        ),
        redacted=_redacted(events),
        seq=told.lines[-1].seq,
    )


def _weighed(said: MemoKept | MemoDeclined, events: list[Step], seq: int) -> Memorized:
    kept = said if isinstance(said, MemoKept) else None
    return Memorized(
        stored=kept is not None,
        ids=(kept.memo.id,) if kept else (),
        routing=Routed(
            places=kept.places if kept else (),
            reasons=said.reasons,
            scores=said.scores,
            rules=said.rules,
            like="" if isinstance(said, MemoKept) else said.like,
        ),
        evictions=tuple(_evictions(events, kept.subject)) if kept else (),
        redacted=_redacted(events),
        version=kept.memo.version if kept else 0,
        seq=seq,
    )


def _redacted(events: list[Step]) -> tuple[str, ...]:
    told = [e.redactions for e in events if isinstance(e, PiiRedacted)]
    return tuple([each.kind for redactions in told for each in redactions])


def _evictions(events: list[Step], subject: str) -> Iterable[Evicted]:
    """What left of this person's; that somebody else's task made room is not theirs to know."""
    moved = {e.memo_id for e in events if isinstance(e, MemoShelved)}
    for event in events:
        if isinstance(event, MemosEvicted) and event.subject == subject:
            told = (event.place, event.memo_ids, event.policy, event.reason)
        elif isinstance(event, MemoKept) and event.displaced:
            told = (MemoPlace.WM, event.displaced, eviction.FIFO_GUARDED, event.limit)
        else:
            continue
        place, gone, policy, reason = told
        there = tuple([each for each in gone if each in moved])
        yield Evicted(place=place, memo_ids=gone, policy=policy, reason=reason, moved_to=there)


def _was_so(shelves: Shelves, memo: Memo, day: str) -> bool:
    """Whether it held on a day in any place that it lies or lay in."""
    lives = memo_reads.lives(shelves, memo.id)
    return any(validity.memo(shelves, memo, died).holds(ids.day_number(day)) for died in lives)


def released(memo: Memo) -> Memo:
    """As the caller once gave it: fractions are numbers again."""
    if memo.metadata is None:
        return memo
    return msgspec.structs.replace(memo, metadata=canonical_json.release(memo.metadata))
