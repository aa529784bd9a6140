"""Exported state: open work, threads, questions and rules that are still in force."""

from typing import Final

import msgspec

from muniment.engine.decide.exchange.state_events import StateEvent, WorkEvent
from muniment.engine.streams.stream_writer import Writer
from muniment.layers.desk import Desk
from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.events import (
    AnyEvent,
    ConfirmationAsked,
    ConsentGiven,
    JobClosed,
    JobOpened,
    PolicyAdopted,
)
from muniment.model.events.holds import HoldLifted, HoldPlaced
from muniment.model.events.learning import (
    ExtractionUndone,
    FactsExtracted,
    SummaryUndone,
    SummaryWorded,
)
from muniment.model.events.memos import MandatesObserved
from muniment.model.events.threads import (
    LinkDecided,
    LinkSettled,
    LinksRetuned,
    TimeoutSet,
)
from muniment.model.policy import Policy, digest

# Looked at first: what says of the others whether they still hold.
TELLING: Final = frozenset(
    {"job_opened", "policy_adopted", "mandates_observed", "hold_lifted", "thread_timeout_set"}
    | {"links_retuned", "link_settled", "summary_undone", "extraction_undone"}
)
DEFAULT: Final = digest(Policy())


class LivingState(msgspec.Struct, kw_only=True):
    """What holds at the end of a log: the newest of each, and the jobs that left something."""

    desk: Desk
    jobs: set[int] = msgspec.field(default_factory=set)
    newest: dict[str, int] = msgspec.field(default_factory=dict)  # entries, by what they set
    undone: set[str] = msgspec.field(default_factory=set)  # requests, and holds that were lifted
    settled: dict[int, bool] = msgspec.field(default_factory=dict)  # links, by their number
    policy: Line | None = None  # in force, where somebody chose one


def living(writer: Writer) -> LivingState:
    """A first look at a log: only what replaces or ends other state is opened."""
    state = LivingState(desk=writer.desk)
    state.jobs |= state.desk.jobs.open.keys()
    for line in writer.lines(wanted=lambda header: header.type in TELLING):
        _follow(state, line)
    return state


def shown(state: LivingState, line: Line, event: StateEvent) -> AnyEvent | None:
    """The event as a reader may see it, if it still holds."""
    if not _holds(state, line, event):
        return None
    if isinstance(event, LinkDecided):
        link = msgspec.structs.replace(event.link, settled=state.settled.get(event.link.n))
        return msgspec.structs.replace(event, link=link)
    return event


def _holds(state: LivingState, line: Line, event: StateEvent) -> bool:
    match event:
        case JobOpened(number=number) | JobClosed(number=number):
            return number in state.jobs
        case ConsentGiven(consent_id=name):
            return name in state.desk.consents.given
        case ConfirmationAsked(confirmation_id=name):
            return name in state.desk.confirmations.open
        case HoldPlaced(hold_id=name) | SummaryWorded(request=name) | FactsExtracted(request=name):
            return name not in state.undone
        case LinkDecided():
            return line.seq > state.newest.get("links", 0)
        case LinksRetuned() | TimeoutSet() | MandatesObserved():
            return state.newest.get(_sets(event)) == line.seq
        case PolicyAdopted():
            return False  # the one in force stands before everything else
        case _:
            return not isinstance(event, WorkEvent) or line.header.job in state.jobs


def _follow(state: LivingState, line: Line) -> None:
    match line.event:
        case JobOpened(number=number, session=session, job_seed=seed):
            if ids.consolidated_id(session or seed) in state.desk.consolidated.sessions:
                state.jobs.add(number)
        case PolicyAdopted(digest=adopted):
            state.policy = line if adopted != DEFAULT else None
        case LinkSettled(decision=n, related=related):
            state.settled[n] = related
        case (
            HoldLifted(hold_id=name) | SummaryUndone(request=name) | ExtractionUndone(request=name)
        ):
            state.undone.add(name)
        case LinksRetuned() | TimeoutSet() | MandatesObserved() as told:
            state.newest[_sets(told)] = line.seq
        case _:
            pass


def _sets(event: LinksRetuned | TimeoutSet | MandatesObserved) -> str:
    match event:
        case TimeoutSet(thread_id=thread_id, subject=subject):
            return f"timeout {thread_id} {subject}"
        case LinksRetuned():
            return "links"
        case MandatesObserved():
            return "mandates"
