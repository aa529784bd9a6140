"""Receipts of a session by hand: which reads are logged, when, and what is kept of a question."""

import msgspec
import pytest
from tests import world
from tests.behaviour.test_agent_sessions_by_hand import (
    COUNCIL,
    KEY,
    KITE,
    LAMP,
    READ,
    opened,
    received,
    session,
)
from tests.faults import FaultyStore

from muniment.engine.api.memory import Memory
from muniment.engine.session import agent_session
from muniment.log import sealing
from muniment.model.commands import CloseJob, OpenJob, RecordRecall, Remember
from muniment.model.commands.reads import RecordContext
from muniment.model.errors import InputError, MemoryWriteFailError, ReadOnlyError
from muniment.model.events import Recalled
from muniment.model.kinds.episode import Evidence
from muniment.model.kinds.receipts import Basis
from muniment.model.policy import Action, Policy, Privacy
from muniment.model.scope import agent_stream
from muniment.model.text import fingerprints
from muniment.rules.privacy.rule import PrivacyFinding

ADA = agent_stream("main", "ada")


def queries(of: Memory) -> list[str]:
    return [each.query for each in world.events(of) if isinstance(each, Recalled)]


# ── Receipts ────────────────────────────────────────────────────────────────────────────────────


def test_the_next_append_takes_the_receipts_along_in_their_order_and_once() -> None:
    of, mine = opened()
    mine.append(KITE)
    mine.queue_receipt(msgspec.structs.replace(READ, query="a"))
    mine.queue_receipt(msgspec.structs.replace(READ, query="b"))
    assert mine.append_all([]) == []
    assert queries(of) == []

    told = mine.append(LAMP)

    assert queries(of) == ["a", "b"]
    assert isinstance(received(told).command, Remember)
    assert received(told).command == LAMP
    mine.append(KITE)
    assert queries(of) == ["a", "b"]


def test_a_receipt_is_logged_in_the_job_that_read_or_outside_where_that_is_closed() -> None:
    of, mine = opened()
    jobs = [mine.append(OpenJob(job_seed=each)).lines[0].header.job for each in ("one", "two")]
    for job in jobs:
        mine.queue_receipt(READ, job=job)
    mine.append(CloseJob(), job=jobs[0])
    mine.queue_receipt(READ, job=jobs[0])
    mine.append(KITE)

    logged = [each.header.job for each in world.lines(of) if isinstance(each.event, Recalled)]
    assert logged == [*jobs, 0]


def test_a_retry_that_is_answered_from_the_log_takes_no_receipt_along() -> None:
    of, mine = opened()
    told = mine.append(KITE, key="k")
    mine.queue_receipt(READ)

    assert mine.append(KITE, key="k").seq == told.seq
    assert queries(of) == []
    mine.append(LAMP)
    assert queries(of) == ["q"]
    mine.append(LAMP)
    assert queries(of) == ["q"]


def test_what_was_read_outside_of_jobs_is_logged_outside_of_them() -> None:
    of, mine = opened()
    mine.append(OpenJob(job_seed="one"))
    mine.queue_receipt(READ)
    mine.queue_read_receipt("call", "q", {}, None)
    mine.queue_recall_receipt("call", "q", [], {})

    mine.flush()

    logged = [each.header.job for each in world.lines(of) if isinstance(each.event, Recalled)]
    assert logged == [0, 0, 0]


def test_what_others_read_for_the_same_person_goes_along_too() -> None:
    of, mine = opened()
    other = session(of)
    mine.append(KITE)
    other.queue_receipt(msgspec.structs.replace(READ, query="other"))
    mine.queue_receipt(msgspec.structs.replace(READ, query="mine"))

    mine.append(LAMP)

    assert sorted(queries(of)) == ["mine", "other"]
    assert other.release() == []
    assert mine.release() == []
    assert len(mine.hub.pending_receipts) == 0


def test_receipts_can_be_handed_to_somebody_else() -> None:
    _, mine = opened()
    context = RecordContext(receipt_id="r")
    mine.queue_receipt(READ, job=3)
    mine.queue_receipt(context, job=4)

    assert mine.waiting_contexts == [(4, context)]
    assert mine.release() == [(3, READ), (4, context)]
    assert mine.release() == []


@pytest.mark.parametrize("order", [(1, 2, 99), (99, 2, 1), (1,), (99,)])
def test_receipts_are_flushed_as_they_would_have_been_logged(order: tuple[int, ...]) -> None:
    of, mine = opened()
    for each in ("one", "two"):
        mine.append(OpenJob(job_seed=each))
    for job in order:
        mine.queue_receipt(msgspec.structs.replace(READ, query=str(job)), job=job)

    mine.flush()

    logged = [each for each in world.lines(of) if isinstance(each.event, Recalled)]
    assert [each.header.job for each in logged] == [0 if each == 99 else each for each in order]
    assert queries(of) == [*map(str, order)]
    before = of.head(ADA)
    mine.flush()
    assert of.head(ADA) == before


def test_of_an_agent_that_holds_nothing_no_receipt_is_flushed() -> None:
    of, mine = opened()
    mine.queue_receipt(READ)

    mine.flush()

    assert list(of.streams()) == []
    mine.append(KITE)
    assert queries(of) == ["q"]


def test_where_nothing_can_be_written_no_receipt_is_kept() -> None:
    store = FaultyStore()
    _, mine = opened(store=store)
    mine.append(KITE)
    mine.queue_receipt(READ)
    mine.queue_receipt(READ)
    store.fail(*range(1, 99), fault=ReadOnlyError)

    mine.flush()
    store.recover()
    assert mine.release() == []


@pytest.mark.parametrize("count", [1, 2])
def test_where_the_store_fails_every_receipt_waits_on(count: int) -> None:
    store = FaultyStore()
    of, mine = opened(store=store)
    mine.append(KITE)
    asked = [f"{n}" for n in range(count)]
    for each in asked:
        mine.queue_receipt(msgspec.structs.replace(READ, query=each))
    store.fail(*range(1, 99), only=mine.hub.stream(ADA).ref)

    with pytest.raises(MemoryWriteFailError):
        mine.flush()
    with pytest.raises(MemoryWriteFailError):
        mine.append(LAMP)
    store.recover()
    mine.append(LAMP)

    assert queries(of) == asked


def test_who_only_reads_is_logged_after_so_many_receipts() -> None:
    of, mine = opened()
    mine.append(KITE)
    assert agent_session.RECEIPTS_WAITING_MAX == 256
    for _ in range(255):
        mine.queue_receipt(READ)
    assert queries(of) == []

    mine.queue_receipt(READ)

    assert len(queries(of)) == 256


def test_after_an_erasure_no_receipt_from_before_is_logged() -> None:
    of, mine = opened()
    mine.append(KITE)
    keyring = mine.hub.parts.world.keyring
    for leave in (mine.release, mine.flush, lambda: mine.append(LAMP)):
        mine.queue_receipt(READ)
        keyring.destroy(keyring.ref("subject", "main/user_mia"))
        leave()
    assert queries(of) == []
    mine.queue_receipt(READ)
    mine.append(KITE)
    assert queries(of) == ["q"]


# ── Receipts of reads ───────────────────────────────────────────────────────────────────────────


def test_the_receipt_of_a_read_names_what_was_found_and_where_it_was_read() -> None:
    of, mine = opened()
    mine.append(KITE)
    of.agent("ada", user="tuff").sem_put(KEY, "tea")
    own, council = mine.writer.stream.ref, mine.hub.stream(COUNCIL).ref
    found = {f"ep:{n}": n for n in range(501)}

    mine.queue_read_receipt("call", "q" * 513, found, None, job=4, texts=["the kite is red"])
    mine.queue_read_receipt("call", "q", {}, 2)

    whole = RecordRecall(
        call="call",
        query="q" * 512,
        ids=tuple(found)[:500],
        scores_ppm=tuple(range(500)),
        reads={own: of.head(ADA), council: 4},
        handed=fingerprints.of_lines(["the kite is red"]),
        subject="user_tuff",
    )
    past = RecordRecall(call="call", query="q", reads={own: 2}, subject="user_tuff")
    assert mine.release() == [(4, whole), (0, past)]


def test_the_receipt_of_a_recall_names_its_evidence_and_comes_in_parts() -> None:
    _, mine = opened()
    evidence = [Evidence(episodic_id=f"ep:{n}") for n in range(501)]
    reads, scores = {"r": 3}, range(501)

    mine.queue_recall_receipt("call", "q" * 513, evidence, reads, scores, job=4, texts=["kite"])

    first, last = mine.release()
    expected = RecordRecall(
        call="call",
        query="q" * 512,
        ids=tuple(f"ep:{n}" for n in range(500)),
        scores_ppm=tuple(range(500)),
        reads=reads,
        evidence=tuple(evidence[:500]),
        handed=fingerprints.of_lines(["kite"]),
        subject="user_tuff",
    )
    assert first == (4, expected)
    assert last == (
        4,
        msgspec.structs.replace(
            expected, ids=("ep:500",), scores_ppm=(500,), evidence=(evidence[500],), handed=b""
        ),
    )


def test_the_question_of_a_ranking_is_kept_whole() -> None:
    _, mine = opened()
    basis = Basis(index="1", embedder="e", words="w")

    mine.queue_recall_receipt("call", "q" * 513, [], {}, basis=basis)
    with pytest.raises(InputError):
        mine.queue_recall_receipt("call", "\ud800", [], {})

    ((job, kept),) = mine.release()
    assert job == 0
    assert kept == RecordRecall(call="call", query="q" * 513, basis=basis, subject="user_tuff")


# ── Questions ───────────────────────────────────────────────────────────────────────────────────

MAIL = "write to tuff@example.org"


def test_a_question_is_asked_as_it_may_be_kept() -> None:
    _, mine = opened()
    mine.append(KITE)

    text, may_be_kept = mine.screened(MAIL)

    keyring = mine.hub.parts.world.keyring
    own = sealing.pseudonym(mine.writer.stream.key, "tuff@example.org")
    assert (may_be_kept, own in text) == (True, True)
    mine.append(Remember(text="I am here", subject="user_tuff"))
    theirs = keyring.key(str(keyring.find("subject", "main/user_tuff")))
    assert theirs is not None
    assert sealing.pseudonym(theirs, "tuff@example.org") in mine.screened(MAIL)[0]
    assert mine.screened("the kite is red") == ("the kite is red", True)


def test_a_question_that_holds_what_no_memory_may_hold_is_not_kept() -> None:
    _, mine = opened(policy=Policy(privacy=Privacy(pii_medium=Action.DENY)))

    assert mine.screened(MAIL) == (MAIL, False)


def test_a_question_is_shown_to_the_detector_of_the_store() -> None:
    def detect(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        del regions
        raise ValueError(text)

    _, mine = opened(detector=detect)

    assert mine.screened("the kite is red") == ("the kite is red", False)
