"""Imported state, event by event: what joins a log, under which number, and what it has already."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from tests.deciding import context, job, placed

from muniment.engine.decide.exchange import carried_state
from muniment.engine.decide.exchange.state_events import StateEvent
from muniment.layers.governance import hold_rows
from muniment.layers.governance.confirmations import Confirmation, Confirmations
from muniment.layers.governance.consents import Consents, GivenConsent
from muniment.layers.jobs.consolidated_memory import ConsolidatedState
from muniment.layers.jobs.jobs import Jobs
from muniment.layers.memos import extractions, summaries, threads
from muniment.layers.memos.memos import Memos
from muniment.layers.memos.threads import ThreadsState
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
    Referenced,
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
from muniment.model.kinds.episode import WorkingEntry, WorkingType
from muniment.model.kinds.hold import LegalHold
from muniment.model.kinds.memo import Mandate
from muniment.model.kinds.thread import Thread, ThreadEpisode, ThreadLink
from muniment.model.policy import Governance, Policy

Known = dict[str, Any]
MOMENT = "2026-03-05T08:00:00.000Z"
WORKS = job(2, tick=3, working_count=4)


def judged(event: StateEvent, earlier: Sequence[AnyEvent] = (), **known: Any) -> AnyEvent | str:  # noqa: ANN401
    """The event that joins, or the reason why it does not."""
    told = carried_state.judged(context(**known), event, earlier)
    if isinstance(told, WriteDenied):
        assert told == WriteDenied(reason=told.reason, asked="asked")
        return told.reason
    return told


def numbered(event: Any, n: int) -> Any:  # noqa: ANN401
    return msgspec.structs.replace(event, n=n)


# ── Work at hand ────────────────────────────────────────────────────────────────────────────────


def opened(number: int = 1, session: str = "", subject: str = "tuff") -> JobOpened:
    return JobOpened(
        number=number,
        job_seed="seed-9",
        session=session,
        trace_id="trace-9",
        subject=subject,
        sem_snapshot_id="",
        episodic_snapshot_id="",
        brainstate_snapshot_id="",
        sem_snapshot_hash="",
    )


def test_a_job_begins_behind_those_that_began_here() -> None:
    known = Jobs(count=5)

    assert judged(opened(1), jobs=known) == opened(6)
    assert judged(opened(9), jobs=known) == opened(9)
    assert judged(opened(1), [opened(6), Ticked(tick=1)], jobs=known) == opened(7)


def test_a_job_that_is_here_is_not_opened_again() -> None:
    assert judged(opened(), shelves={(JOBS, "seed-9"): opened()}) == "record_is_there"
    assert judged(opened(), shelves={(JOBS, "seed-8"): opened()}) == opened()


def test_a_job_works_in_no_session_of_another_person() -> None:
    of = {ids.consolidated_id("monday"): "mia", ids.consolidated_id(""): "mia"}
    owned: Known = {"consolidated": ConsolidatedState(owners=of)}

    assert judged(opened(session="monday"), **owned) == "session_of_another_person"
    assert judged(opened(session="monday", subject="mia"), **owned) == opened(
        session="monday", subject="mia"
    )
    assert judged(opened(session="tuesday"), **owned) == opened(session="tuesday")
    assert judged(opened(), **owned) == opened()


def inserted(n: int, wm_id: str = "w") -> WorkingInserted:
    return WorkingInserted(
        n=n, wm_id=wm_id, kind=WorkingType.FACT, value="x", created_at_tick=0, ttl_ticks=3
    )


def promoted(wm_id: str) -> Promoted:
    return Promoted(
        axis="",
        event_id="",
        wm_id=wm_id,
        cwm_id="c",
        cwm_id_item="i",
        value="x",
        references=2,
        token_estimate=1,
        ttl_ticks_cwm=4,
        tick=1,
    )


def test_what_happened_in_a_job_happens_in_the_one_that_is_open() -> None:
    assert judged(Ticked(tick=4)) == "item_unknown"
    assert judged(Ticked(tick=4), [JobClosed(number=2)], jobs=[WORKS]) == "item_unknown"
    assert judged(Ticked(tick=4), [Ticked(tick=3)], jobs=[WORKS]) == Ticked(tick=4)
    assert judged(JobClosed(number=7), jobs=[WORKS]) == JobClosed(number=2)


def test_what_has_happened_in_a_job_does_not_happen_again() -> None:
    used = Referenced(item_id="w", layer="working", tick=1)

    assert judged(Ticked(tick=3), jobs=[WORKS]) == "record_is_there"
    assert judged(inserted(4), jobs=[WORKS]) == "record_is_there"
    assert judged(inserted(5), jobs=[WORKS]) == inserted(5)
    assert judged(used, jobs=[WORKS]) == used


@pytest.mark.parametrize("left", [WorkingExpired(wm_id="w", reason="ttl"), promoted("w")])
def test_what_leaves_working_memory_is_there_or_came_before_it(left: StateEvent) -> None:
    entry = WorkingEntry(
        wm_id="w", type=WorkingType.FACT, value="x", created_at_tick=0, ttl_ticks=1
    )
    held = {2: (entry,)}

    assert judged(left, jobs=[WORKS]) == "record_is_there"
    assert judged(left, jobs=[WORKS], working=held) == left
    assert judged(left, jobs=[WORKS], working={1: (entry,)}) == "record_is_there"
    assert judged(left, [inserted(5)], jobs=[WORKS]) == left
    assert judged(left, [inserted(5, "v"), promoted("w")], jobs=[WORKS]) == "record_is_there"


# ── Threads ─────────────────────────────────────────────────────────────────────────────────────


def thread(name: str = "t", turns: int = 2) -> Thread:
    return Thread(
        thread_id=name,
        user_id="tuff",
        created_at=MOMENT,
        last_activity_at=MOMENT,
        channels=("mail",),
        turn_count=turns,
    )


def ended(name: str = "t", turns: int = 2) -> ThreadClosed:
    return ThreadClosed(thread_id=name, reason="user", subject="tuff", thread=thread(name, turns))


def begun(n: int = 1, name: str = "t") -> ThreadOpened:
    return ThreadOpened(
        n=n,
        thread_id=name,
        reason="first",
        explicit=False,
        timeout_minutes=0,
        at=MOMENT,
        episode_id="e",
        channel="mail",
        subject="tuff",
    )


def turn(count: int, name: str = "t") -> TurnTaken:
    return TurnTaken(
        thread_id=name,
        episode_id="e",
        turn=count,
        tokens=1,
        at=MOMENT,
        subject="tuff",
        thread=thread(name, count),
    )


def link(n: int = 1, name: str = "t") -> LinkDecided:
    scores: Known = {"score_ppm": 1, "keyword_ppm": 2, "entity_ppm": 3, "topic_ppm": 4}
    told = ThreadLink(n=n, recency_ppm=5, threshold_ppm=6, linked=False, **scores)
    return LinkDecided(thread_id=name, other_id="o", episode_id="", link=told, subject="tuff")


OPEN: Known = {"threads": ThreadsState(open={"t": thread()}, count=5, decisions=5)}
OTHER: Known = {"threads": ThreadsState(open={"u": thread("u")}, count=5, decisions=5)}
ENDED: Known = {"shelves": {(threads.THREADS, "t"): ended()}}


def test_a_thread_and_its_link_are_counted_behind_those_of_this_log() -> None:
    assert judged(begun(1), **OTHER) == begun(6)
    assert judged(begun(9), **OTHER) == begun(9)
    assert judged(begun(1), [begun(6, "v"), turn(1, "v")], **OTHER) == begun(7)
    assert judged(link(1), **OTHER) == link(6)
    assert judged(link(9), **OTHER) == link(9)
    assert judged(link(1), [link(6, "v"), begun(6, "v")], **OTHER) == link(7)


@pytest.mark.parametrize("known", [OPEN, ENDED])
def test_a_thread_that_is_here_begins_no_more_and_is_linked_no_more(known: Any) -> None:  # noqa: ANN401
    assert judged(begun(), **known) == "record_is_there"
    assert judged(link(), **known) == "record_is_there"
    assert judged(begun(name="v"), **known) != "record_is_there"


@pytest.mark.parametrize("known", [OPEN, ENDED])
def test_a_turn_is_taken_once_also_in_a_thread_that_has_ended(known: Any) -> None:  # noqa: ANN401
    assert judged(turn(2), **known) == "record_is_there"
    assert judged(turn(1), **known) == "record_is_there"
    assert judged(turn(3), **known) == turn(3)
    assert judged(turn(1, "v"), **known) == turn(1, "v")


def test_a_turn_of_a_thread_that_ended_later_counts_by_its_end() -> None:
    later: Known = {"shelves": {(threads.THREADS, "t"): ended(turns=7)}}

    assert judged(turn(6), **OPEN, **later) == "record_is_there"
    assert judged(turn(6), shelves={(threads.THREADS, "t"): begun()}) == turn(6)


def test_a_threshold_that_was_tried_here_stands() -> None:
    counts = dict.fromkeys(
        f"{each}_{when}"
        for each in ("accuracy", "false_links", "missed_links")
        for when in ("before", "after")
    )
    named = {name + ("_ppm" if "accuracy" in name else ""): 0 for name in counts}
    told = LinksRetuned(decisions=3, before_ppm=1, after_ppm=2, **named)

    assert judged(told, threads=ThreadsState(threshold_ppm=1)) == "record_is_there"
    assert judged(told) == told


def episode(n: int = 1, name: str = "e") -> EpisodeOpened:
    return EpisodeOpened(
        n=n, episode_id=name, thread_id="t", reason="thread", at=MOMENT, subject="tuff"
    )


def closed(name: str = "e") -> EpisodeClosed:
    return EpisodeClosed(episode_id=name, reason="turns", turns=1, tokens=2, subject="tuff")


def test_an_episode_begins_once_and_is_counted_behind_those_of_this_log() -> None:
    held = ThreadEpisode(episode_id="e", opened_at=MOMENT, thread_ids=("t",))
    counted: Known = {"threads": ThreadsState(episode_count=5)}

    assert judged(episode(), threads=ThreadsState(episodes={"e": held})) == "record_is_there"
    assert judged(episode(), shelves={(threads.EPISODES, "e"): closed()}) == "record_is_there"
    assert judged(episode(), **counted) == episode(6)
    assert judged(episode(), [episode(6, "f"), closed("f")], **counted) == episode(7)


def test_an_episode_ends_once_and_again_where_it_goes_on() -> None:
    held = ThreadEpisode(episode_id="e", opened_at=MOMENT, thread_ids=("t",))
    shelved: Known = {"shelves": {(threads.EPISODES, "e"): closed()}}

    assert judged(closed()) == closed()
    assert judged(closed(), **shelved) == "record_is_there"
    assert judged(closed(), threads=ThreadsState(episodes={"e": held}), **shelved) == closed()


def test_a_thread_ends_once_and_again_where_it_went_on() -> None:
    assert judged(ended()) == ended()
    assert judged(ended(), **ENDED) == "record_is_there"
    assert judged(ended(), **OPEN, **ENDED) == ended()
    assert judged(ended(), [turn(3)], **ENDED) == ended()
    assert judged(ended(), [turn(3, "v"), begun()], **ENDED) == "record_is_there"


def test_a_timeout_is_set_where_its_thread_is_and_for_a_person_once() -> None:
    def told(minutes: int = 5, name: str = "") -> TimeoutSet:
        return TimeoutSet(minutes=minutes, thread_id=name, subject="tuff")

    shelved: Known = {"shelves": {(threads.TIMEOUTS, "tuff"): told()}}

    assert judged(told(name="t"), **OPEN) == told(name="t")
    assert judged(told(name="v"), **OPEN) == "item_unknown"
    assert judged(told()) == told()
    assert judged(told(), **shelved) == "record_is_there"
    assert judged(told(6), **shelved) == told(6)


# ── What was learned, questions and rules ───────────────────────────────────────────────────────


def test_what_a_model_made_of_texts_is_taken_once() -> None:
    worded = SummaryWorded(request="r", kind="profile", after=1, upto=2, sources=1, model="m")
    facts = FactsExtracted(request="r", origin="user", after=1, upto=2, sources=1, model="m")

    for event, shelf in ((worded, summaries.DECIDED), (facts, extractions.SHELF)):
        assert judged(event) == event
        assert judged(event, shelves={(shelf, "r"): event}) == "record_is_there"
        assert judged(event, shelves={(shelf, "s"): event}) == event


def test_a_question_is_asked_once_and_counted_behind_those_of_this_log() -> None:
    def asked(n: int = 1, name: str = "q") -> ConfirmationAsked:
        return ConfirmationAsked(
            n=n, confirmation_id=name, key="k", value="v", episodic_id="e", subject="tuff"
        )

    held = Confirmation(confirmation_id="q", key="k", value="v", episodic_id="e", subject="tuff")

    assert judged(asked(), confirmations=Confirmations(open={"q": held})) == "record_is_there"
    assert judged(asked(), confirmations=Confirmations(count=5)) == asked(6)
    assert judged(asked(), [asked(1, "p")], confirmations=Confirmations(count=5)) == asked(7)


def test_mandates_are_observed_where_they_are_others() -> None:
    def told(*kinds: str) -> MandatesObserved:
        return MandatesObserved(mandates=tuple(Mandate(name=each) for each in kinds), templates=())

    held: Known = {"memos": Memos(mandates=told("a").mandates)}

    assert judged(told("a"), **held) == "record_is_there"
    assert judged(told("a", "b"), **held) == told("a", "b")
    assert judged(told("a")) == told("a")


def consent(n: int = 1, *, subject: str = "tuff", persistent: bool = True) -> ConsentGiven:
    return ConsentGiven(n=n, consent_id="c", text="yes", subject=subject, persistent=persistent)


def test_a_consent_is_given_once_by_somebody_for_good_or_in_a_job() -> None:
    held = GivenConsent(consent_id="c", subject="tuff", job=0, persistent=True)
    counted: Known = {"consents": Consents(count=5)}

    assert judged(consent(), consents=Consents(given={"c": held})) == "record_is_there"
    assert judged(consent(), **counted) == consent(6)
    assert judged(consent(9), **counted) == consent(9)
    assert judged(consent(), [consent(6)], **counted) == consent(7)
    assert judged(consent(subject=""), **counted) == "item_unknown"
    assert judged(consent(subject=""), jobs=[WORKS]) == "item_unknown"
    assert judged(consent(persistent=False)) == "item_unknown"
    assert judged(consent(persistent=False), jobs=[WORKS]) == consent(persistent=False)


def test_a_policy_is_adopted_between_jobs_where_one_alone_may_say_so() -> None:
    new = Policy(governance=Governance(quorum=2))
    told = PolicyAdopted(policy=new, digest="of elsewhere", reason="r")

    assert judged(told) == PolicyAdopted(policy=new, digest=policy.digest(new), reason="r")
    assert judged(told, policy_digest=policy.digest(new)) == "record_is_there"
    assert judged(told, jobs=[WORKS]) == "policy_change_inside_job"
    assert judged(told, policy=new) == "policy_needs_approval"


def hold(name: str = "h", reason: str = "order 7") -> HoldPlaced:
    return HoldPlaced(hold_id=name, hold=LegalHold(hold_id=name, person="p", reason=reason))


def test_a_hold_is_placed_once_and_under_another_name_where_its_own_is_taken() -> None:
    kept: Known = {"shelves": {(hold_rows.SHELF, "h"): hold()}}

    assert judged(hold()) == hold()
    assert judged(hold(), **kept) == "record_is_there"
    assert judged(hold(reason="order 8"), **kept) == hold("hold:7", "order 8")


def test_a_hold_of_a_name_that_was_lifted_here_goes_by_another() -> None:
    now = context(shelves={(hold_rows.SHELF, "h"): placed(hold())})
    shelves: Any = now.shelves
    shelves.get = lambda *_: None

    assert carried_state.judged(now, hold(), ()) == hold("hold:7")
