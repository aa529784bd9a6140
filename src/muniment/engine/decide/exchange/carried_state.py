"""Imported state: threads, open work, questions and rules of another memory.

Numbers go on from those of this log, and what it has already is not taken again.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.evidence.holds import free_id
from muniment.engine.decide.exchange.state_events import StateEvent, WorkEvent
from muniment.layers.governance import hold_rows
from muniment.layers.jobs import working_memory
from muniment.layers.jobs.jobs import JobState
from muniment.layers.memos import extractions, summaries, threads
from muniment.layers.shelves import JOBS
from muniment.model import ids, policy
from muniment.model.events import (
    AnyEvent,
    ConfirmationAsked,
    ConsentGiven,
    JobClosed,
    JobOpened,
    PolicyAdopted,
    Promoted,
    Ticked,
    WorkingExpired,
    WorkingInserted,
    WriteDenied,
)
from muniment.model.events.holds import HoldPlaced
from muniment.model.events.learning import FactsExtracted, SummaryWorded
from muniment.model.events.memos import MandatesObserved
from muniment.model.events.threads import (
    EpisodeClosed,
    EpisodeOpened,
    LinkDecided,
    LinksRetuned,
    ThreadClosed,
    ThreadOpened,
    TimeoutSet,
    TurnTaken,
)

THERE: Final = "record_is_there"
MALFORMED: Final = "record_malformed"
UNKNOWN: Final = "item_unknown"

Earlier = Sequence[AnyEvent]  # what the same command has brought


def judged(now: DecisionContext, event: StateEvent, earlier: Earlier) -> AnyEvent:
    """The event as it joins this log, or why it does not."""
    if isinstance(event, WorkEvent):
        told: AnyEvent | str = _work(now, event, earlier)
    else:
        told = JUDGES[type(event)](now, event, earlier)
    if isinstance(told, str):
        return WriteDenied(reason=told, asked=now.received.asked)
    return told


def _next(event: AnyEvent, held: int, earlier: Earlier) -> int:
    """Its own number, where this log has not come so far."""
    new = sum(type(each) is type(event) for each in earlier)
    return max(int(getattr(event, "n", 0)), held + new + 1)


# ── Work at hand ────────────────────────────────────────────────────────────────────────────────


def _job(now: DecisionContext, event: JobOpened, earlier: Earlier) -> JobOpened | str:
    if now.shelves.get(JOBS, event.job_seed):
        return THERE
    cwm_id = ids.consolidated_id(event.session)
    owner = now.desk.consolidated.owners.get(cwm_id, event.subject)
    if event.session and owner != event.subject:
        return "session_of_another_person"
    new = sum(isinstance(each, JobOpened) for each in earlier)
    number = max(event.number, now.desk.jobs.count + new + 1)
    return msgspec.structs.replace(event, number=number)


def _work(now: DecisionContext, event: WorkEvent, earlier: Earlier) -> WorkEvent | str:
    """What happened inside of a job happens inside of the one that was carried."""
    job = now.job
    if job is None or any(isinstance(each, JobClosed) for each in earlier):
        return UNKNOWN
    if isinstance(event, JobClosed):
        return msgspec.structs.replace(event, number=job.number)
    return THERE if _has_happened(now, job, event, earlier) else event


def _has_happened(now: DecisionContext, job: JobState, event: WorkEvent, earlier: Earlier) -> bool:
    match event:
        case Ticked(tick=tick):
            return tick <= job.tick
        case WorkingInserted(n=n):
            return n <= job.working_count
        case WorkingExpired(wm_id=wm_id) | Promoted(wm_id=wm_id):
            new = any(isinstance(each, WorkingInserted) and each.wm_id == wm_id for each in earlier)
            held = now.desk.working.get(job.number, ())
            return not new and working_memory.find(held, wm_id) is None
        case _:
            return False


# ── Threads ─────────────────────────────────────────────────────────────────────────────────────


def _known(now: DecisionContext, shelf: str, name: str) -> bool:
    return any(True for _ in now.shelves.ever(shelf, item_id=name))


def _has_thread(now: DecisionContext, thread_id: str) -> bool:
    return thread_id in now.desk.threads.open or _known(now, threads.THREADS, thread_id)


def _thread(now: DecisionContext, event: ThreadOpened, earlier: Earlier) -> ThreadOpened | str:
    if _has_thread(now, event.thread_id):
        return THERE
    n = _next(event, now.desk.threads.count, earlier)
    return msgspec.structs.replace(event, n=n)


def _turn(now: DecisionContext, event: TurnTaken, earlier: Earlier) -> TurnTaken | str:
    del earlier
    held = now.desk.threads.open.get(event.thread_id)
    ended = now.shelves.get(threads.THREADS, event.thread_id)
    if ended is not None and isinstance(ended.event, ThreadClosed):
        held = ended.event.thread
    return THERE if held and held.turn_count >= event.turn else event


def _link(now: DecisionContext, event: LinkDecided, earlier: Earlier) -> LinkDecided | str:
    """A link is decided when its thread begins: who has the thread has the link."""
    if _has_thread(now, event.thread_id):
        return THERE
    new = sum(isinstance(each, LinkDecided) for each in earlier)
    n = max(event.link.n, now.desk.threads.decisions + new + 1)
    return msgspec.structs.replace(event, link=msgspec.structs.replace(event.link, n=n))


def _retuned(now: DecisionContext, event: LinksRetuned, earlier: Earlier) -> LinksRetuned | str:
    del earlier
    return THERE if now.desk.threads.threshold_ppm else event  # what was tried here stands


def _opened(now: DecisionContext, event: EpisodeOpened, earlier: Earlier) -> EpisodeOpened | str:
    if event.episode_id in now.desk.threads.episodes or _known(
        now, threads.EPISODES, event.episode_id
    ):
        return THERE
    n = _next(event, now.desk.threads.episode_count, earlier)
    return msgspec.structs.replace(event, n=n)


def _closed(now: DecisionContext, event: EpisodeClosed, earlier: Earlier) -> EpisodeClosed | str:
    del earlier
    there = now.shelves.get(threads.EPISODES, event.episode_id)
    return THERE if there and event.episode_id not in now.desk.threads.episodes else event


def _ended(now: DecisionContext, event: ThreadClosed, earlier: Earlier) -> ThreadClosed | str:
    goes_on = event.thread_id in now.desk.threads.open or any(
        isinstance(each, TurnTaken) and each.thread_id == event.thread_id for each in earlier
    )
    return event if goes_on or not _known(now, threads.THREADS, event.thread_id) else THERE


def _timeout(now: DecisionContext, event: TimeoutSet, earlier: Earlier) -> TimeoutSet | str:
    del earlier
    if event.thread_id:
        return event if event.thread_id in now.desk.threads.open else UNKNOWN
    line = now.shelves.get(threads.TIMEOUTS, event.subject)
    return THERE if line and line.event == event else event


# ── What was learned, questions and rules ───────────────────────────────────────────────────────


def _summary(now: DecisionContext, event: SummaryWorded, earlier: Earlier) -> SummaryWorded | str:
    del earlier
    return THERE if now.shelves.has(summaries.DECIDED, event.request) else event


def _extraction(
    now: DecisionContext, event: FactsExtracted, earlier: Earlier
) -> FactsExtracted | str:
    del earlier
    return THERE if now.shelves.has(extractions.SHELF, event.request) else event


def _question(
    now: DecisionContext, event: ConfirmationAsked, earlier: Earlier
) -> ConfirmationAsked | str:
    held = now.desk.confirmations
    if event.confirmation_id in held.open:
        return THERE
    return msgspec.structs.replace(event, n=_next(event, held.count, earlier))


def _mandates(
    now: DecisionContext, event: MandatesObserved, earlier: Earlier
) -> MandatesObserved | str:
    del earlier
    held = now.desk.memos
    return THERE if (held.mandates, held.templates) == (event.mandates, event.templates) else event


def _consent(now: DecisionContext, event: ConsentGiven, earlier: Earlier) -> ConsentGiven | str:
    """For one job it is given inside of that job; for good, to whoever the person is."""
    held = now.desk.consents
    if event.consent_id in held.given:
        return THERE
    if not event.subject or not (event.persistent or now.job):
        return UNKNOWN
    return msgspec.structs.replace(event, n=_next(event, held.count, earlier))


def _policy(now: DecisionContext, event: PolicyAdopted, earlier: Earlier) -> PolicyAdopted | str:
    """As an administrator adopts one: between jobs, and where one alone may say so."""
    del earlier
    told = policy.digest(event.policy)
    if told == now.desk.policy_digest:
        return THERE
    if now.desk.jobs.open:
        return "policy_change_inside_job"
    if now.desk.policy.governance.quorum > 1:
        return "policy_needs_approval"
    return msgspec.structs.replace(event, digest=told)


def _hold(now: DecisionContext, event: HoldPlaced, earlier: Earlier) -> HoldPlaced | str:
    del earlier
    line = now.shelves.get(hold_rows.SHELF, event.hold_id)
    if line is None and not _known(now, hold_rows.SHELF, event.hold_id):
        return event
    if line is not None and line.event == event:
        return THERE
    name = free_id(now)  # another hold goes by that name here
    return HoldPlaced(hold_id=name, hold=msgspec.structs.replace(event.hold, hold_id=name))


JUDGES: Final[dict[type, Callable[..., AnyEvent | str]]] = {
    JobOpened: _job,
    ThreadOpened: _thread,
    TurnTaken: _turn,
    LinkDecided: _link,
    LinksRetuned: _retuned,
    EpisodeOpened: _opened,
    EpisodeClosed: _closed,
    ThreadClosed: _ended,
    TimeoutSet: _timeout,
    SummaryWorded: _summary,
    FactsExtracted: _extraction,
    ConfirmationAsked: _question,
    MandatesObserved: _mandates,
    ConsentGiven: _consent,
    PolicyAdopted: _policy,
    HoldPlaced: _hold,
}
