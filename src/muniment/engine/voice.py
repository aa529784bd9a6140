"""A voice: who speaks in which stream, for which user, and what was read before speaking."""

from collections.abc import Sequence

from muniment.engine import door
from muniment.engine.house import House
from muniment.engine.motion import Ask
from muniment.engine.writer import Told, Writer
from muniment.layers import sem
from muniment.model import keys
from muniment.model.commands import AnyCommand, RecordRecall, Remember
from muniment.model.errors import RefusedError
from muniment.model.events import RequestForwarded
from muniment.model.item import Evidence, Fact, Origin
from muniment.model.scope import (
    Channel,
    Persona,
    Principal,
    Role,
    agent_stream,
    council_stream,
)

QUERY_CHARACTERS_MAX = 512  # of a receipt; the rest of a long question says nothing more
RECEIPT_RESULTS_MAX = 500  # of one entry, which is bounded; a longer list takes several


class Voice:
    """One persona of one agent, speaking for at most one user. It cannot be widened."""

    def __init__(
        self,
        house: House,
        *,
        tenant: str,
        agent: str,
        user: str,
        persona: Persona,
        channel: Channel,
    ) -> None:
        self.house = house
        self.agent = agent
        self.user = user
        self.subject = keys.user_entity(user) if user else ""
        self.stream_id = agent_stream(tenant, agent, persona)
        self._as_agent = Principal(name=agent, role=Role.AGENT, tenant=tenant, channel=channel)
        self._as_user = Principal(
            name=user, role=Role.USER, tenant=tenant, channel=channel, user=user
        )
        self._receipts: list[tuple[int, AnyCommand]] = []  # and the job that read
        self._seen: dict[str, int] = {}

    @property
    def writer(self) -> Writer:
        return self.house.writer(self.stream_id)

    # ── Speaking ────────────────────────────────────────────────────────────────────────────────

    def ask(
        self, command: AnyCommand, *, as_user: bool = False, job: int = 0, key: str = ""
    ) -> Ask:
        by = self._as_user if as_user or self._is_said_by_user(command) else self._as_agent
        return self.house.ask(command, by, job=job, operation=key, reads=dict(self._seen))

    def tell(
        self, command: AnyCommand, *, as_user: bool = False, job: int = 0, key: str = ""
    ) -> Told:
        """Append a command, together with the receipts of what was read before it."""
        ask = self.ask(door.admit(command), as_user=as_user, job=job, key=key)
        current = self.writer.desk.jobs.open if self._receipts else {}
        receipts = [
            self.ask(each, job=its if its in current else 0) for its, each in self._receipts
        ]
        told = self.house.tell(self.stream_id, [*receipts, ask])
        # A retry that is answered from the log takes nothing along.
        if not (receipts and told[0] is told[-1]):
            self._receipts.clear()
        return told[-1]

    def insist(
        self, command: AnyCommand, *, as_user: bool = False, job: int = 0, key: str = ""
    ) -> Told:
        """As `tell`, for calls that have nothing to return when the answer is no."""
        told = self.tell(command, as_user=as_user, job=job, key=key)
        if told.refusal:
            raise RefusedError(told.refusal.reason, told.refusal.detail)
        return told

    def flush(self) -> None:
        """Log the receipts that no append has taken along yet."""
        if self._receipts:
            *before, (job, last) = self._receipts
            self._receipts = before
            self.tell(last, job=job if job in self.writer.desk.jobs.open else 0)

    def request_of(self, told: Told) -> str:
        """The id the council gave to what this batch forwarded; empty when it became a fact."""
        for line in told.lines:
            if isinstance(line.event, RequestForwarded):
                return self.house.request_of(self.stream_id.tenant, line)
        return ""

    def _is_said_by_user(self, command: AnyCommand) -> bool:
        """Authority comes from credential and channel: only the user's own turn is the user's."""
        return bool(self.user) and isinstance(command, Remember) and command.origin == Origin.USER

    # ── What was read ───────────────────────────────────────────────────────────────────────────

    def council(self) -> tuple[str, int]:
        """Look at the council now: its stream and where it stands."""
        ref, seq = self.house.council_seq(self.stream_id.tenant)
        if ref:
            self._seen[ref] = seq
        return ref, seq

    def council_seq(self, at: int | None) -> int:
        """Where the council stood for this reader: now, or when the entry at `at` was written."""
        if at is None:
            return self.council()[1]
        place = self.writer.place(at)
        return self.house.seen_at(self.stream_id, council_stream(self.stream_id.tenant), place)

    def facts(self, at: int | None) -> list[Fact]:
        return self.house.facts(self.stream_id.tenant, self.council_seq(at))

    def own_facts(self, at: int | None) -> list[Fact]:
        return [fact for fact in self.facts(at) if keys.is_own_profile(fact.key, self.subject)]

    def reads(self, at: int | None) -> dict[str, int]:
        """The heads that a read at `at` stands on."""
        ref, seq = self.council() if at is None else ("", 0)
        here = self.writer
        own = {here.stream.ref: here.head.seq if at is None else at}
        return own | ({ref: seq} if ref else {})

    def note(
        self,
        call: str,
        query: str,
        found: Sequence[str],
        at: int | None,
        scores: Sequence[int] = (),
        *,
        job: int = 0,
    ) -> None:
        """Keep the evidence of a read; it is logged with the next append, in parts where long."""
        told = sem.snapshot_hash(self.facts(at))
        for start in range(0, max(len(found), 1), RECEIPT_RESULTS_MAX):
            part = tuple(found[start : start + RECEIPT_RESULTS_MAX])
            receipt = RecordRecall(
                call=call,
                query=query[:QUERY_CHARACTERS_MAX],
                ids=part,
                scores_ppm=tuple(scores[start : start + RECEIPT_RESULTS_MAX]),
                reads=self.reads(at),
                evidence=tuple(_evidence(each, told) for each in part),
                subject=self.subject,
            )
            # Admitted here, so that a bad question fails alone and never the write after it.
            self._receipts.append((job, door.admit(receipt)))


def _evidence(found: str, snapshot_hash: str) -> Evidence:
    if found.startswith("ep:"):
        return Evidence(episodic_id=found, sem_snapshot_hash=snapshot_hash)
    return Evidence(sem_keys=(found,), sem_snapshot_hash=snapshot_hash)
