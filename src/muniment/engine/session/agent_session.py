"""Agent session: who writes to which stream, for which user, and its pending receipts."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy

from muniment.engine.projections.index import Index
from muniment.engine.session import fact_access, pending_receipts, shared_spaces
from muniment.engine.session.fact_access import with_granted
from muniment.engine.session.loop_reader import Library
from muniment.engine.session.pending_receipts import RECEIPT_RESULTS_MAX, Waiting
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams import admission
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask, actor_name
from muniment.engine.streams.idempotency import Calls
from muniment.engine.streams.read_snapshot import ReadSnapshot, placed
from muniment.engine.streams.stream_writer import Writer
from muniment.layers.desk import Desk
from muniment.layers.governance import governed_facts
from muniment.layers.shelves import JOBS, Shelves
from muniment.log import sealing
from muniment.model import canonical_json, fact_keys, ids
from muniment.model.commands import AnyCommand, RecordRecall, spoken
from muniment.model.commands.reads import RecordContext
from muniment.model.errors import (
    MemoryWriteFailError,
    MunimentError,
    ReadOnlyError,
    StorageFullError,
    StoreError,
)
from muniment.model.events import RequestForwarded
from muniment.model.kinds.episode import Evidence, Fact
from muniment.model.kinds.receipts import Basis
from muniment.model.languages.phrases import forget_words
from muniment.model.policy import Policy
from muniment.model.policy.fact_readers import FactReader
from muniment.model.scope import (
    Channel,
    Persona,
    Principal,
    Role,
    StreamId,
    agent_stream,
    council_stream,
)
from muniment.model.text import fingerprints
from muniment.rules.privacy import screen

QUERY_CHARACTERS_MAX = 512  # of a receipt; the rest of a long question says nothing more
RECEIPTS_WAITING_MAX = 256  # of someone who only reads; then they are logged by themselves


class AgentSession:
    """One persona of one agent, speaking for at most one user. It cannot be widened."""

    def __init__(
        self,
        hub: StreamHub,
        *,
        tenant: str,
        agent: str,
        user: str,
        persona: Persona,
        channel: Channel,
    ) -> None:
        self.hub = hub
        self.agent = agent
        self.user = user
        self.subject = fact_keys.user_entity(user) if user else ""
        self.stream_id = agent_stream(tenant, agent, persona)
        self._reader = FactReader(agent, self.subject)
        self.channel = channel
        self._as_agent = Principal(name=agent, role=Role.AGENT, tenant=tenant, channel=channel)
        self._as_user = Principal(
            name=user, role=Role.USER, tenant=tenant, channel=channel, user=user
        )
        self.library = Library(hub, self.stream_id, self.subject)
        self.calls = Calls()
        self._receipts: list[Waiting] = []
        self._seen: dict[str, int] = {}
        self._generation = hub.parts.world.keyring.generation()
        self._met = False  # the council has been looked for once
        self._heads: Mapping[str, int] | None = None  # of a past read: where others stood for it

    def opened_at(self, job: int) -> int:
        """The seq at which a job was opened; it is asked right after that, or by a retry."""
        found = self.writer.desk.jobs.open.get(job)
        line = None if found else next(self.shelves(None).under(JOBS, str(job), 1), None)
        return found.opened_at if found else line.header.cause if line else 0

    def reading_at_heads(self, heads: Mapping[str, int]) -> "AgentSession":
        """The same session for reading again what a receipt tells of, on the heads it names."""
        past = copy(self)
        past._heads = heads  # noqa: SLF001 - our own kind
        return past

    @property
    def writer(self) -> Writer:
        return self.hub.writer(self.stream_id)

    @property
    def policy(self) -> Policy:
        """What is in force; before the first entry, what that will adopt."""
        return self.policy_of(self.writer.desk)

    def policy_of(self, desk: Desk) -> Policy:
        return desk.policy if desk.seq else self.hub.parts.policy

    def shelves(self, at: int | None) -> Shelves:
        """The shelves as this session may see them: about its user, or about nobody."""
        return self.writer.shelves(at, subject=self.subject)

    def index(self, policy: Policy | None = None, embedder: str = "") -> Index:
        """What this session may recall from, kept beside its log."""
        named = embedder or (policy or self.writer.desk.policy).recall.embedder
        return self.hub.index(self.stream_id, self.subject, named)

    def prepare(
        self, command: AnyCommand, *, as_user: bool = False, job: int = 0, key: str = ""
    ) -> Ask:
        by_user = as_user or (bool(self.user) and spoken.is_own_turn(command))
        by = self._as_user if by_user else self._as_agent
        operation = self.operation(key)
        self._glance()
        other = fact_access.contradicted(command, lambda: self.snapshot().own, lambda: self.policy)
        seen: dict[str, object] = {"reads": dict(self._seen), "contradicts": other}
        if forget_words.possible(spoken.of_oneself(command)):  # a space of their own hears it too
            seen["own_space"] = shared_spaces.own_space(self)
        return self.hub.prepare(command, by, job=job, operation=operation, **seen)

    def append(
        self, command: AnyCommand, *, as_user: bool = False, job: int = 0, key: str = ""
    ) -> AppendResult:
        """Append a command, together with the receipts of what was read before it."""
        key = key or self.calls.next_key()
        return self.append_asks(
            [self.prepare(admission.admit(command), as_user=as_user, job=job, key=key)]
        )[-1]

    def append_asks(self, asks: list[Ask]) -> list[AppendResult]:
        """One durable append, after the receipts that wait: theirs, and of others for this user."""
        self._renew()
        self._receipts = self.hub.pending_receipts.due(self)
        current = self.writer.desk.jobs.open if self._receipts else {}
        receipts = [
            self.prepare(it, job=job if job in current else 0) for job, it in self._receipts
        ]
        told = self.hub.append(self.stream_id, [*receipts, *asks]) if receipts or asks else []
        # A retry that is answered from the log takes nothing along.
        if not (receipts and asks and told[0] is told[len(receipts)]):
            self._receipts.clear()
            self.hub.pending_receipts.discard(self)
        return told[len(receipts) :]

    def append_each(self, asked: Sequence[Callable[[], Ask]]) -> list[AppendResult | MunimentError]:
        """One append for callers who wait together, or one each; a fault of the store is raised."""
        try:
            asks = [each() for each in asked]
            keyed = [each.operation for each in asks if each.operation]
            if len(asks) > 1 and len({*keyed}) == len(keyed) in {0, len(asks)}:
                return [*self.append_asks(asks)]
        except (StoreError, StorageFullError, MemoryWriteFailError):
            raise
        except MunimentError:
            pass  # nothing of it was written
        return [self._appended_alone(each) for each in asked]

    def _appended_alone(self, asked: Callable[[], Ask]) -> AppendResult | MunimentError:
        try:
            return self.append_asks([asked()])[-1]
        except MunimentError as error:
            return error

    def append_all(self, commands: Sequence[AnyCommand], *, job: int = 0) -> list[AppendResult]:
        """Several commands in one durable append; each has its own answer, and a key of its own."""
        next_key = self.calls.next_key
        asks = [self.prepare(admission.admit(each), job=job, key=next_key()) for each in commands]
        return self.append_asks(asks) if asks else []

    def release(self) -> list[Waiting]:
        """The receipts that wait here, for somebody else to log."""
        self._renew()
        waiting, self._receipts = self._receipts, []
        return waiting

    @property
    def waiting_contexts(self) -> list[tuple[int, RecordContext]]:
        """Receipts of contexts that no append has taken along yet, each with the job that read."""
        return [(job, each) for job, each in self._receipts if isinstance(each, RecordContext)]

    def append_or_raise(
        self, command: AnyCommand, *, as_user: bool = False, job: int = 0, key: str = ""
    ) -> AppendResult:
        """As `tell`, for calls that have nothing to return when the answer is no."""
        return self.append(command, as_user=as_user, job=job, key=key).or_raise()

    def queue_receipt(self, receipt: AnyCommand, *, job: int = 0) -> None:
        """A receipt of another kind of read, logged with the next append like the others."""
        self._queue((job, admission.admit(receipt)))

    def _queue(self, *receipts: Waiting) -> None:
        self._receipts += receipts
        self.hub.pending_receipts.add(self)
        if len(self._receipts) >= RECEIPTS_WAITING_MAX:
            self.flush()

    def screened(self, text: str) -> tuple[str, bool]:
        """A question as it may be kept and is asked with, and whether it may be kept at all."""
        found = screen.screen_text(
            text,
            self.policy_of(self.writer.last_desk).privacy,  # whoever asks has just looked
            pseudonym=self._pseudonym,
            detector=self.hub.parts.world.detector,
        )
        return (text, False) if found == screen.REFUSED_TEXT else (found, True)

    def _pseudonym(self, value: str) -> str:
        keyring = self.hub.parts.world.keyring
        known = keyring.find("subject", f"{self.stream_id.tenant}/{self.subject}") or ""
        return sealing.pseudonym(keyring.key(known) or self.writer.stream.key, value)

    def saw(self, ref: str, seq: int) -> None:
        """What is asked from here on stands on this head of another stream."""
        self._seen[ref] = seq

    def flush(self) -> None:
        """Log the receipts that no append has taken along yet."""
        self._renew()
        if self._receipts and self.writer.head.seq:
            try:
                self.append_asks([])
            except ReadOnlyError:
                self._receipts = []  # where nothing can be written, no receipt is kept

    def request_of(self, told: AppendResult) -> str:
        """The id the council gave to what this batch forwarded; empty when it became a fact."""
        for line in told.lines:
            if isinstance(line.event, RequestForwarded):
                return self.hub.request_of(self.stream_id, line)
        return ""

    @property
    def actors(self) -> set[str | None]:
        """References of whoever asks here: the agent, and the user it speaks for."""
        keyring = self.hub.parts.world.keyring
        ours = (self._as_agent, self._as_user) if self.user else (self._as_agent,)
        return {keyring.find("actor", actor_name(each)) for each in ours}

    def about(self, key: str) -> str:
        """Whose data a governed write carries: the user's who speaks; without one, the key's."""
        return self.subject or fact_keys.owner_of(key)

    def _renew(self) -> None:
        """Receipts from before an erasure may quote who is gone: they are not written after it."""
        now = self.hub.parts.world.keyring.generation()
        if now != self._generation:
            self._receipts.clear()
            self._generation = now

    def _glance(self) -> None:
        """An entry says how far its writer had read the council, so that the past can be read."""
        ref, seq = self.hub.glance(self.stream_id.tenant) if self._met else self.council()
        self._met = True
        if ref:
            self._seen[ref] = seq

    def operation(self, key: str) -> str:
        """A caller's key may say anything, and headers are never erased: they hold its token."""
        if not key:
            return ""
        named = f"operation\x00{self.subject}\x00{canonical_json.admit_text(key)}"
        return f"key:{sealing.token(self.writer.stream.key, named).hex()}"

    def council(self) -> tuple[str, int]:
        """Look at the council now: its stream and where it stands."""
        ref, seq = self.hub.council_seq(self.stream_id.tenant)
        if ref:
            self._seen[ref] = seq
        return ref, seq

    def seen_at(self, other: StreamId, at: int) -> int:
        """How far another stream had been read when the entry `at` was written."""
        ref = self.hub.parts.world.keyring.find("stream", other.text)
        if ref and self._heads and ref in self._heads:
            return self._heads[ref]
        return self.hub.seen_at(self.stream_id, other, at)

    def snapshot(self, at: int | None = None, valid_at: str = "") -> ReadSnapshot:
        """What a read stands on, now, at an entry of its log, or for a day: looked at once."""
        writer = self.writer
        desk = writer.desk
        seq = placed(at, desk.seq)
        there = council_stream(self.stream_id.tenant)
        ref, council = self.council() if at is None else ("", self.seen_at(there, seq))
        settled = self.hub.facts.seen_by(self._reader, there, council)
        facts = with_granted(settled.facts, self.docket_facts(at))
        stamp = settled.stamp if facts is settled.facts else governed_facts.snapshot_hash(facts)
        if valid_at:
            found = self.hub.facts.seen_on(self._reader, there, council, ids.day_number(valid_at))
            facts = with_granted(found, self.docket_facts(at, valid_at))
        shared = shared_spaces.heads(self, self.policy_of(desk), at, seq)
        spaces = {self.hub.stream(each).ref: place for each, place in shared.items()}
        return ReadSnapshot(
            at=at,
            seq=seq,
            desk=desk,
            reads={writer.stream.ref: seq} | ({ref: council} if ref else {}) | spaces,
            council=council,
            shared=shared,
            facts=facts,
            own=[fact for fact in facts if fact_keys.is_own_profile(fact.key, self.subject)],
            stamp=stamp,
        )

    def docket_facts(self, at: int | None, valid_at: str = "") -> list[Fact]:
        """What the council granted to the Subconscious; nobody else reads it."""
        docket = council_stream(self.stream_id.tenant, self.stream_id.persona)
        if self.stream_id.persona is Persona.ACTOR or not self.hub.exists(docket):
            return []
        writer = self.hub.writer(docket)
        if at is None:
            seq = self._seen[writer.stream.ref] = writer.head.seq
        else:
            seq = self.seen_at(docket, self.writer.place(at))
        if valid_at:
            return self.hub.facts.seen_on(self._reader, docket, seq, ids.day_number(valid_at))
        return self.hub.facts.seen_by(self._reader, docket, seq).facts

    def shown(self, heads: Mapping[str, int]) -> dict[str, int]:
        """Heads as whoever asks is told them: where the council stands counts other people."""
        return self.hub.without_dockets(self.stream_id.tenant, heads)

    def reads(self, at: int | None) -> dict[str, int]:
        """The heads that a read at `at` stands on."""
        ref, seq = self.council() if at is None else ("", 0)
        here = self.writer
        own = {here.stream.ref: here.head.seq if at is None else at}
        return own | ({ref: seq} if ref else {})

    def heads(self, at: int | None) -> dict[str, int]:
        """The same, with every other stream that has been looked at so far."""
        if self._heads is not None:
            return dict(self._heads)
        return self.reads(at) | (dict(self._seen) if at is None else {})

    def queue_read_receipt(
        self,
        call: str,
        query: str,
        found: Mapping[str, int],
        at: int | None,
        *,
        job: int = 0,
        texts: Sequence[str] = (),
    ) -> None:
        """Keep the receipt of a read of the derived layers: ids and scores, in their order."""
        receipt = RecordRecall(
            call=call,
            query=query[:QUERY_CHARACTERS_MAX],
            ids=tuple(found)[:RECEIPT_RESULTS_MAX],
            scores_ppm=tuple(found.values())[:RECEIPT_RESULTS_MAX],
            reads=self.reads(at),
            handed=fingerprints.of_lines(texts),
            subject=self.subject,
        )
        self._queue((job, admission.admit(receipt)))

    def queue_recall_receipt(
        self,
        call: str,
        query: str,
        evidence: Sequence[Evidence],
        reads: Mapping[str, int],
        scores: Sequence[int] = (),
        *,
        job: int = 0,
        basis: Basis | None = None,
        texts: Sequence[str] = (),
    ) -> None:
        """Keep the evidence of a read; it is logged with the next append, in parts where long."""
        whole = RecordRecall(
            call=call,
            query=query if basis else query[:QUERY_CHARACTERS_MAX],
            scores_ppm=tuple(scores),
            reads=dict(reads),
            evidence=tuple(evidence),
            basis=basis,
            handed=fingerprints.of_lines(texts),
            subject=self.subject,
        )
        # Admitted here: a bad question fails alone. What a ranking noted came admitted.
        parts = pending_receipts.parts(whole)
        self._queue(*[(job, each if basis else admission.admit(each)) for each in parts])
