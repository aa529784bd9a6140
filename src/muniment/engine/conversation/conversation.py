"""Conversation: recall before an AI call, record after it, and undo."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar, Unpack

from muniment.engine.conversation import conversation_results, message_copies, trace
from muniment.engine.conversation.conversation_arguments import (
    RecordPlace,
    messages,
    phase_number,
    space_of,
    tool,
)
from muniment.engine.conversation.conversation_results import (
    ItemLife,
    Recollection,
    Recorded,
    Retired,
)
from muniment.engine.conversation.known import KnownItems
from muniment.engine.conversation.spaces import SpaceViews
from muniment.engine.session import retry_lookup
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.argument_checks import check_day, checks_arguments
from muniment.engine.streams.handle_arguments import HandleOptions, admitted
from muniment.layers import conversation_items as shelved
from muniment.layers import desk as desks
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.commands.conversation import (
    Conversing,
    DiffPhases,
    MemoryCommand,
    PromoteItem,
    RecordInteraction,
    RetractItem,
    StartPhase,
    UndoWrite,
)
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.events import Received
from muniment.model.events.conversation import Forwarded, ItemDeleted, PhaseDiffed, PhaseStarted
from muniment.model.kinds.conversation_item import (
    Kind,
    MemoryItem,
    Phase,
    Source,
    Space,
    deterministic_hash,
    session_of,
)
from muniment.model.policy import Policy, digest, snapshot
from muniment.model.scope import StreamId, stream_from_text
from muniment.retrieval.scoring.conversation_scoring import recollect

Wanted = TypeVar("Wanted")
Story = Iterator[tuple[StreamId, Line]]


@checks_arguments
class Conversation:
    """One session of one agent, with the spaces of its user, its project and the system."""

    def __init__(
        self, speaker: AgentSession, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> None:
        self._session = speaker
        self._places = SpaceViews(speaker, session=session, project=project)
        self._known = KnownItems(speaker, self._places)
        self._ai_profile = canonical_json.admit_text(ai_profile) or speaker.agent
        self._shown: dict[str, dict[str, object]] = {}  # policies as traces show them

    @property
    def session(self) -> str:
        return self._places.session

    def recall(
        self,
        query: str,
        *,
        spaces: Sequence[str] = (),
        where: Mapping[str, object] | str | None = None,
        at: int | None = None,
        valid_at: str = "",
    ) -> Recollection:
        """What the call should know; its receipt is logged with the next append.

        `at` reads as of an earlier entry, `valid_at` what was so on a day: neither is logged.
        `where` narrows by session, source, tags, metadata and times, as an agent's `recall` does.
        """
        day, narrowed = check_day(valid_at), self._known.spelled(where)
        policy = self._places.policy
        borders = self._places.check(tuple(space_of(each) for each in spaces))
        consulted = tuple(each.space for each in borders if each.allowed)
        pools = [self._places.pool(space, at, day, where=narrowed) for space in consulted]
        found = recollect(pools, canonical_json.admit_text(query), policy)
        items = self._known.items(
            query, consulted, found.items, at=at, valid_at=day, where=narrowed
        )
        told = Recollection(
            items=items,
            deterministic_hash=deterministic_hash(items),
            spaces_consulted=consulted,
            current_phase=next((p.phase for p in pools if p.phase), Phase(n=0)),
            borders=borders,
            hidden=found.hidden,
            policy=digest(policy),
        )
        if at is None and not day:
            self._note(query, told, narrowed)
        return told

    def record(
        self,
        *,
        user: str = "",
        ai: str = "",
        tools: Sequence[str | Mapping[str, object]] = (),
        space: str = "session",
        promote_to: str = "",
        key: str = "",
        **handles: Unpack[HandleOptions],
    ) -> Recorded:
        """What was said and done; classified, screened, gated, settled, all in one append.

        `key` makes a retry safe: the same key and words are recorded once and answer alike.
        `source`, `tags`, `metadata`, `happened_at` and `expires` are those of all that is said.
        """
        said = [(Source.USER, user), *((Source.TOOL, tool(each)) for each in tools)]
        said.append((Source.AI, ai))
        command = RecordInteraction(
            messages=messages(said),
            space=space_of(space),
            promote_to=space_of(promote_to) if promote_to else None,
            **admitted(handles),
            **self._placed(),
        )
        return self._recorded(self._tell(command, as_user=bool(user), key=key))

    def correct(self, item_id: str, text: str) -> Recorded:
        """The user puts a message right, in every form of it: a declared conflict."""
        if not self._ends_copies(item_id):
            return self.replace(item_id, text)
        return message_copies.corrected(self._session, item_id, text, self.replace)

    def replace(self, item_id: str, text: str) -> Recorded:
        """Put one item right, and no other form of the same message."""
        space, is_retry = space_of(item_id.partition(":")[0]), retry_lookup.first(self._session)
        if space is not Space.SESSION and not is_retry and not self.told(item_id):
            raise RefusedError("item_unknown", item_id)  # the words would be a message of their own
        command = RecordInteraction(
            messages=messages([(Source.USER, text)]),
            space=space,
            replaces=item_id,
            **self._placed(item_id),
        )
        told = self._tell(command, as_user=True)
        return self._recorded(told, told_by=conversation_results.corrected)

    def imposition(self, text: str) -> RecordInteraction:
        """What an administrator lays down for this session: the command, for them to give."""
        return RecordInteraction(messages=messages([(Source.SYSTEM, text)]), **self._placed())

    def lifting(self, item_id: str) -> RetractItem:
        """How an administrator takes one back: the command, for them to give."""
        return RetractItem(item_id=item_id, space=Space.SESSION, **self._placed())

    def items(
        self,
        kind: str = "semantic",
        space: str = "session",
        *,
        at: int | None = None,
        valid_at: str = "",
    ) -> list[MemoryItem]:
        """The living items of a kind, oldest first: now, at an entry of the past, on a day."""
        if kind not in set(Kind):
            raise InputError(f"the kind must be one of {', '.join(Kind)}")
        return self._places.items(Kind(kind), space_of(space), at, check_day(valid_at))

    def told(self, item_id: str, *, at: int | None = None) -> str:
        """What an item of this conversation's spaces says; empty for one that is not there."""
        space_of(item_id.partition(":")[0])
        shelves = self._places.seen(item_id, at)
        found = shelved.known(shelves, item_id) if shelves else None
        return found.told if found else ""

    def forget(self, item_id: str) -> Recorded:
        """Take a message back in every form that was kept of it, with all that rested on it.

        What it had replaced stands again.
        """
        if not self._ends_copies(item_id):
            return self.retract(item_id)
        return message_copies.forgotten(self._session, item_id, self.retract)

    def retract(self, item_id: str) -> Recorded:
        """Take one item back with its facts, and no other form of the same message."""
        told = self._tell(self.retraction(item_id))
        return self._recorded(told, told_by=conversation_results.done)

    def retraction(self, item_id: str, *, without: tuple[str, ...] = ()) -> RetractItem:
        """The command that takes one item back, for whoever forgets several at once."""
        space = space_of(item_id.partition(":")[0])
        return RetractItem(item_id=item_id, space=space, without=without, **self._placed(item_id))

    def undoing(self, batch: int, item_id: str, elsewhere: dict[str, tuple[int, ...]]) -> UndoWrite:
        """The command that brings back what a batch took away, in the session of an item."""
        return UndoWrite(batch=batch, elsewhere=elsewhere, **self._placed(item_id))

    def promote(self, item_id: str, to_space: str) -> Recorded:
        """Move an item to another space, where the rules of promotion let it."""
        command = PromoteItem(
            item_id=item_id,
            from_space=space_of(item_id.partition(":")[0]),
            to_space=space_of(to_space),
            **self._placed(),
        )
        return self._recorded(self._tell(command), told_by=conversation_results.done)

    def retired_by(self, seq: int) -> list[Retired]:
        """Everything that the write at an entry took out of reading, here and where it was sent."""
        found: list[Retired] = []
        for stream, line in self._story(self._batch(seq), own=True):
            if isinstance(line.event, ItemDeleted):
                version = shelved.ever(self._session.hub.shelves(stream), line.event.item_id)
                found += conversation_results.retired(line.event, version)
        return found

    def undo(self, seq: int) -> Recorded:
        """Bring back what the write at an entry superseded, through a new entry."""
        batch = self._batch(seq)
        elsewhere: dict[str, tuple[int, ...]] = {}
        for line in batch:
            if isinstance(line.event, Forwarded) and (effect := self._session.hub.effect(line)):
                there = elsewhere.get(line.event.to, ())
                elsewhere[line.event.to] = (*there, effect[1][0].seq)
        command = UndoWrite(batch=batch[0].seq, elsewhere=elsewhere, **self._placed())
        return self._recorded(self._tell(command), told_by=conversation_results.done)

    def blame(self, item_id: str) -> list[ItemLife]:
        """Everything that ever stood under the item's key, oldest first, and what became of it."""
        shelves = self._places.of_item(item_id)
        version = shelved.ever(shelves, item_id) if shelves else None
        if shelves is None or version is None:
            raise NotFoundError
        keyed = bool(version.item.meta.dedup_key)
        known = shelved.lineage(shelves, version.item) if keyed else [version]
        return [conversation_results.life(each) for each in known]

    def start_phase(
        self, name: str = "", reason: str = "manual", *, space: str = "session"
    ) -> Phase:
        """Begin another chapter of a space; recall shows the current one."""
        command = StartPhase(name=name, reason=reason, space=space_of(space), **self._placed())
        started = self._one(self._tell(command), PhaseStarted)
        return Phase(
            n=started.n, name=started.name, started_at=started.created_at, reason=started.reason
        )

    def diff(self, from_phase: str, to_phase: str, space: str = "session") -> PhaseDiffed:
        """What was added, deleted and replaced between the ends of two phases."""
        command = DiffPhases(
            space=space_of(space),
            from_phase=phase_number(from_phase),
            to_phase=phase_number(to_phase),
            **self._placed(),
        )
        return self._one(self._tell(command), PhaseDiffed)

    # ── Traces ──────────────────────────────────────────────────────────────────────────────────

    def traces(self, *, after: int = 0) -> list[dict[str, object]]:
        """The memory events of this session's AI calls, rendered from the log."""
        self._session.flush()  # a recall that no append has taken along is one of them
        found: list[dict[str, object]] = []
        for batch in trace.batches(self._session.writer.lines(after=after)):
            received = batch[0].event
            if not isinstance(received, Received) or not self._is_ours(batch[0]):
                continue
            told = [
                trace.TracedEntry(
                    line=line,
                    stream=self._session.hub.stream(stream).ref,
                    policy=self._policy(stream, line),
                )
                for stream, line in self._story(batch, own=False)
            ]
            profile = getattr(received.command, "ai_profile", "")
            frame: dict[str, object] = {"ai_profile": profile, "session": self.session}
            recorded = isinstance(received.command, RecordInteraction)
            found += trace.render(told, frame, self._find, recorded=recorded)
        return found

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _ends_copies(self, item_id: str) -> bool:
        """An archive ends every form of a message; by the letter one item leaves, and no other."""
        return bool(space_of(item_id.partition(":")[0])) and self._places.policy.writing.archive

    def _placed(self, item_id: str = "") -> RecordPlace:
        """Where a command belongs: to this session, or to the one that an item's id names."""
        return {
            "session": session_of(item_id) or self.session,
            "ai_profile": self._ai_profile,
            "places": self._places.refs(),
            "owners": self._places.owners,
            "subject": self._session.subject,
        }

    def _tell(
        self, command: MemoryCommand, *, as_user: bool = False, key: str = ""
    ) -> AppendResult:
        self._places.look()
        by_user = as_user and bool(self._session.user)
        return self._session.append_or_raise(command, as_user=by_user, key=key)

    def _note(self, query: str, told: Recollection, where: str) -> None:
        heads = [self._places.head(space) for space in told.spaces_consulted]
        reads = {ref: seq for ref, seq in heads if ref}
        kept = conversation_results.receipt(query, told, reads, where, self._placed())
        self._session.queue_receipt(kept)

    def _recorded(
        self,
        told: AppendResult,
        told_by: conversation_results.Telling = conversation_results.recorded,
    ) -> Recorded:
        events = [line.event for _, line in self._story(list(told.lines), own=True)]
        return told_by(told.seq, events)

    def _one(self, told: AppendResult, kind: type[Wanted]) -> Wanted:
        """The one thing that was asked for, wherever it was decided; or why there is none."""
        for _, line in self._story(list(told.lines), own=True):
            if isinstance(line.event, kind):
                return line.event
            conversation_results.insist(line.event)
        raise NotFoundError

    def _batch(self, seq: int) -> list[Line]:
        """The batch that an entry of this stream belongs to."""
        writer = self._session.writer
        for line in writer.lines(after=writer.place(seq) - 1, upto=seq):
            batch = writer.batch(line.header.cause)
            if self._is_ours(batch[0]):
                return batch
        raise NotFoundError

    def _is_ours(self, first: Line) -> bool:
        """Whether a batch was asked in this session, by whom it belongs to."""
        received = first.event
        command = received.command if isinstance(received, Received) else None
        return (
            isinstance(command, Conversing)
            and command.session == self.session
            and command.subject == self._session.subject
        )

    def _story(self, batch: list[Line], *, own: bool, stream: StreamId | None = None) -> Story:
        """A batch, and where it sent something on, what that became; `own`: also back here."""
        here = stream or self._session.stream_id
        for line in batch:
            yield here, line
            effect = self._session.hub.effect(line)
            if effect and (own or effect[0] != self._session.stream_id):
                yield from self._story(effect[1], own=own, stream=effect[0])

    def _policy(self, stream: StreamId, line: Line) -> dict[str, object]:
        """The policy an entry was decided under, with every derived rule."""
        name = line.header.policy
        if name not in self._shown:
            self._shown[name] = snapshot(self._adopted(stream, line))
        return self._shown[name]

    def _adopted(self, stream: StreamId, line: Line) -> Policy:
        writer = self._session.hub.writer(stream)
        found = desks.policy_of(writer.desk, line.header.policy, writer.lines(upto=line.seq))
        if found is None:
            raise NotFoundError
        return found

    def _find(self, ref: str, item_id: str, at: int) -> MemoryItem | None:
        """An item as it was read: alive or not by now, whole if it is a summary."""
        named = self._session.hub.parts.world.keyring.name(ref) if ref else None
        if named is None:
            return None
        shelves = self._session.hub.shelves(stream_from_text(named), at)
        version = shelved.ever(shelves, item_id)
        return shelved.whole(shelves, version.item) if version else None
