"""Desk: the bounded state of one stream, in memory, folded from its log by batch."""

from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.layers import handed_out, loop_events, space_ledgers
from muniment.layers.governance import confirmations, consents, requests
from muniment.layers.governance.confirmations import Confirmations
from muniment.layers.governance.consents import Consents
from muniment.layers.governance.requests import Requests
from muniment.layers.handed_out import Receipts
from muniment.layers.jobs import consolidated_memory, goals, jobs, working_memory
from muniment.layers.jobs.consolidated_memory import ConsolidatedState
from muniment.layers.jobs.goals import Goals
from muniment.layers.jobs.jobs import Jobs, JobState
from muniment.layers.jobs.working_memory import WorkingMemory
from muniment.layers.loop_events import Loops
from muniment.layers.memos import memos, threads
from muniment.layers.memos.memos import Memos
from muniment.layers.memos.threads import ThreadsState
from muniment.layers.space_ledgers import Ledgers
from muniment.log.entry import Line
from muniment.model import canonical_json, ids
from muniment.model.events import PolicyAdopted
from muniment.model.policy import Policy

# Most of what is written goes to the shelves and changes nothing here but a count.
QUIET: Final = frozenset(
    {"received", "episodic_written", "episodes_written", "memory_recall", "memory_denied"}
    | {"PII_REDACTED", "memory_echo", "outcome_recorded", "incident", "admin_access_event"}
    | {"branch_opened", "branch_closed"}
    | {"document_put", "documents_dropped"}
    | {"context_assembled", "context_used", "task_ended"}
)

# Of these, what nobody need open: they only count. Receipts are heard for what they gave out.
UNOPENED: Final = QUIET - {"memory_recall", "context_assembled"}

# What memos are made of concerns their own layer and the counters of their job.
OF_MEMOS: Final = QUIET | {"memo_kept", "memo_declined", "memos_evicted", "memo_shelved"}


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    seq: int = 0
    policy: Policy = Policy()
    policy_digest: str = ""
    jobs: Jobs = Jobs()
    working: WorkingMemory = {}
    consolidated: ConsolidatedState = ConsolidatedState()
    goals: Goals = {}
    consents: Consents = Consents()
    confirmations: Confirmations = Confirmations()
    requests: Requests = Requests()
    ledgers: Ledgers = Ledgers()
    loops: Loops = {}
    memos: Memos = Memos()
    threads: ThreadsState = ThreadsState()
    handed_out: Receipts = ()


def fold(desk: Desk, lines: list[Line]) -> Desk:
    """The only way anything changes: each layer copies once per batch and records."""
    if not lines:
        return desk
    assert lines[0].seq == desk.seq + 1, "a batch must follow the desk it is folded into"
    if all(line.header.type in QUIET for line in lines):
        counted, given = jobs.fold(desk.jobs, lines), handed_out.fold(desk.handed_out, lines)
        return msgspec.structs.replace(desk, seq=lines[-1].seq, jobs=counted, handed_out=given)
    if all(line.header.type in OF_MEMOS for line in lines):
        counted, kept = jobs.fold(desk.jobs, lines), memos.fold(desk.memos, lines)
        given = handed_out.fold(desk.handed_out, lines)
        return msgspec.structs.replace(
            desk, seq=lines[-1].seq, jobs=counted, memos=kept, handed_out=given
        )
    return thorough(desk, lines)


def thorough(desk: Desk, lines: list[Line]) -> Desk:
    """Every layer hears every entry; what `fold` leaves out must make no difference."""
    policy, digest = _adopted(desk, lines)
    return Desk(
        seq=lines[-1].seq,
        policy=policy,
        policy_digest=digest,
        jobs=jobs.fold(desk.jobs, lines),
        working=working_memory.fold(desk.working, lines),
        consolidated=consolidated_memory.fold(desk.consolidated, lines),
        goals=goals.fold(desk.goals, lines),
        consents=consents.fold(desk.consents, lines),
        confirmations=confirmations.fold(desk.confirmations, lines),
        requests=requests.fold(desk.requests, lines),
        ledgers=space_ledgers.fold(desk.ledgers, lines),
        loops=loop_events.fold(desk.loops, lines),
        memos=memos.fold(desk.memos, lines),
        threads=threads.fold(desk.threads, lines),
        handed_out=handed_out.fold(desk.handed_out, lines),
    )


def holding(desk: Desk, then: Desk) -> Desk:
    """A desk that holds what another held: its rules, its jobs and its mandates stay its own."""
    held = msgspec.structs.replace(
        then.memos, mandates=desk.memos.mandates, templates=desk.memos.templates
    )
    return msgspec.structs.replace(
        desk,
        working=then.working,
        consolidated=then.consolidated,
        goals=then.goals,
        memos=held,
        threads=then.threads,
    )


def policy_of(desk: Desk, digest: str, lines: Iterable[Line]) -> Policy | None:
    """The policy that has a digest: the one in force, or one that its log adopted before."""
    if digest == desk.policy_digest:
        return desk.policy
    adopted = (line.event for line in lines if isinstance(line.event, PolicyAdopted))
    return next((event.policy for event in adopted if event.digest == digest), None)


def session_of(job: JobState) -> str:
    return ids.consolidated_id(job.session or job.seed)


def encode(desk: Desk) -> bytes:
    return canonical_json.encode(msgspec.to_builtins(desk, str_keys=True))


def decode(data: bytes) -> Desk:
    return msgspec.convert(msgspec.json.decode(data), Desk, str_keys=True)


def _adopted(desk: Desk, lines: list[Line]) -> tuple[Policy, str]:
    policy, digest = desk.policy, desk.policy_digest
    for line in lines:
        if isinstance(line.event, PolicyAdopted):
            policy, digest = line.event.policy, line.event.digest
    return policy, digest
