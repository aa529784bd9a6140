"""When the store fails: one retry, one sentence, nothing lost, nothing twice, nothing silent."""

import hashlib
from concurrent.futures import Future, ThreadPoolExecutor, wait

import msgspec
import pytest
from tests.faults import Fault, FaultyStore, down, full, unanswered
from tests.world import CountedKeyring, events, hub, lines, memory, stream, types

from muniment import Agent, Remembered
from muniment.engine.api.memory import Memory
from muniment.engine.streams.ports import Failure, MemorySpool
from muniment.log.entry import Entry, Head
from muniment.log.store import Batch
from muniment.model import canonical_json, ids
from muniment.model.errors import (
    KeyReusedError,
    MemoryWriteFailError,
    RefusedError,
    StorageFullError,
    StoreError,
)
from muniment.model.events import (
    EpisodeWritten,
    OutcomeRecorded,
    Promoted,
    Received,
)
from muniment.model.events.operations import IncidentRecorded
from muniment.model.policy import preset

SENTENCE = "I tried to save that but my memory failed. I might not remember this next time."
DRINK = "user/profile/user_tuff/drink"


class PatientClock:
    """No time at all, but every wait is remembered: two runs of it are the same to the byte."""

    def __init__(self) -> None:
        self.waited: list[int] = []

    def now(self) -> str:
        return ""

    def wait(self, ticks: int) -> None:
        self.waited.append(ticks)


class DeadSpool(MemorySpool):
    """A spool on the disk that failed."""

    def add(self, failure: Failure) -> None:
        raise StoreError(f"no disk for {failure.code}")


class World:
    """A memory on a store that can fail, with an open job and everything a test looks at."""

    def __init__(self, spool: MemorySpool | None = None) -> None:
        self.store = FaultyStore()
        self.clock = PatientClock()
        self.spool = spool or MemorySpool()
        self.keyring = CountedKeyring()
        self.memory = self.opened()
        self.ada = self.memory.agent("ada", user="tuff")
        self.job = self.ada.job("seed-1")
        self.ref = self.keyring.ref("stream", "main/agent/ada/actor")

    def opened(self) -> Memory:
        """The same store, opened again: as after a crash."""
        return memory(store=self.store, clock=self.clock, spool=self.spool, keyring=self.keyring)

    def fail(self, *nth: int, fault: Fault = down, committed: bool = False) -> None:
        self.store.fail(*nth, fault=fault, committed=committed, only=self.ref)

    def entries(self) -> list[Entry]:
        return list(self.store.read(self.ref))

    def incidents(self) -> list[IncidentRecorded]:
        return [e for e in events(self.memory, "ops") if isinstance(e, IncidentRecorded)]


def episodes(of: Memory) -> list[str]:
    return [event.summary for event in events(of) if isinstance(event, EpisodeWritten)]


# ── One retry ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-134", "A-135")
def test_a_write_that_fails_once_is_tried_once_more_and_is_done() -> None:
    world = World()
    world.fail(1)

    world.job.episodic_write("tea at noon")

    assert world.store.attempts == 2
    assert episodes(world.memory) == ["tea at noon"]
    assert world.spool.pending(world.ref) == []


@pytest.mark.covers("A-134", "A-135")
def test_a_write_is_tried_exactly_twice_and_never_a_third_time() -> None:
    world = World()
    world.fail(*range(1, 100))

    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("tea at noon")

    assert world.store.attempts == 2
    assert len(world.clock.waited) == 1


@pytest.mark.covers("A-135")
def test_the_delay_follows_from_the_seed_of_the_job() -> None:
    world = World()
    world.fail(1)

    world.job.episodic_write("tea at noon")

    received = next(e for e in reversed(events(world.memory)) if isinstance(e, Received))
    assert world.clock.waited == [ids.retry_delay_ticks("seed-1", received.operation)]
    delays = {ids.retry_delay_ticks(f"seed-{n}", received.operation) for n in range(50)}
    assert delays == {1, 2, 3}


@pytest.mark.covers("A-134")
def test_both_attempts_offer_the_same_bytes() -> None:
    world = World()
    world.fail(1)

    world.job.episodic_write("tea at noon")

    first, second = world.store.offered
    assert first == second


@pytest.mark.covers("A-134")
@pytest.mark.parametrize("fault", [down, unanswered])
@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("nth", [1, 2, 3, 4])
def test_a_run_that_needed_the_retry_has_the_same_log_as_one_that_did_not(
    fault: Fault, nth: int, *, committed: bool
) -> None:
    smooth, rough = World(), World()
    rough.fail(nth, fault=fault, committed=committed)

    for world in (smooth, rough):
        item = world.job.wm_insert({"type": "fact", "value": "tea"})
        world.job.reference(item)
        world.ada.recall("tea")
        world.job.episodic_write("tea at noon", {"n": nth})
        world.job.commit()

    assert rough.entries() == smooth.entries()
    assert rough.store.attempts == (4 if committed else 5)
    assert [each.kind for each in rough.incidents()] == ["RETRY_ATTEMPT"]
    assert types(smooth.memory, "ops") == []


@pytest.mark.covers("A-134")
def test_retries_are_recorded_for_operations_and_nowhere_else() -> None:
    world = World()
    world.fail(1)

    world.job.episodic_write("tea at noon")

    (incident,) = world.incidents()
    assert (incident.kind, incident.attempt, incident.queue) == ("RETRY_ATTEMPT", 1, "ops")
    assert not incident.alert
    assert incident.stream == world.ref
    assert "incident" not in types(world.memory)


# ── Commits that nobody answered ────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("key", ["", "mine"])
def test_a_commit_that_was_not_answered_is_looked_up_and_not_done_twice(key: str) -> None:
    world = World()
    world.fail(1, fault=unanswered, committed=True)

    kept = world.ada.remember("tea at noon", key=key)

    assert kept.stored
    assert world.store.attempts == 1
    assert episodes(world.memory) == ["tea at noon"]
    assert len(world.memory.prove()) == 2


def test_of_a_second_commit_that_was_not_answered_nobody_claims_to_know() -> None:
    world = World()
    world.fail(1, fault=unanswered)
    world.store.plan(2, unanswered, committed=True)

    with pytest.raises(MemoryWriteFailError) as failed:
        world.ada.remember("tea at noon", key="mine")
    assert failed.value.envelope().outcome == "unknown"
    world.store.recover()

    assert world.ada.remember("tea at noon", key="mine").stored
    assert episodes(world.memory) == ["tea at noon"]
    assert types(world.memory).count("outcome_recorded") == 1


# ── The final failure ───────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-136")
def test_the_sentence_for_the_user_is_fixed_word_for_word() -> None:
    digest = hashlib.sha256(SENTENCE.encode("ascii")).hexdigest()

    assert (len(SENTENCE), digest[:16]) == (79, "991110e3ea089519")
    assert MemoryWriteFailError().envelope().user_message == SENTENCE


@pytest.mark.covers("A-133", "A-136")
def test_the_answer_to_a_failed_write_is_the_same_bytes_every_time() -> None:
    def answer() -> bytes:
        world = World()
        world.fail(1, 2)
        with pytest.raises(MemoryWriteFailError) as failed:
            world.job.episodic_write("tea at noon")
        return canonical_json.encode(
            failed.value.envelope(query_id="q-1", trace_id=world.job.trace_id)
        )

    told = msgspec.json.decode(answer())
    assert answer() == answer()
    assert (told["error_code"], told["status"]) == ("MEMORY_WRITE_FAIL", 500)
    assert told["user_message"] == SENTENCE
    assert (told["retryable"], told["outcome"]) == (True, "not_written")
    assert set(told["meta"]) == {"query_id", "timestamp", "trace_id", "operation"}


@pytest.mark.covers("A-136")
def test_a_failed_fact_is_answered_with_the_same_sentence() -> None:
    world = World()
    world.ada.sem_put(DRINK, "tea")
    world.store.fail(1, 2, only=world.keyring.ref("stream", "main/council//actor"))

    with pytest.raises(MemoryWriteFailError) as failed:
        world.ada.sem_put(DRINK, "coffee")

    assert failed.value.envelope().user_message == SENTENCE


@pytest.mark.covers("A-133", "A-137")
def test_a_final_failure_changes_nothing_is_spooled_and_alerts_operations() -> None:
    world = World()
    before = world.entries()
    world.fail(1, 2)

    with pytest.raises(MemoryWriteFailError) as failed:
        world.job.episodic_write("tea at noon")

    assert world.entries() == before
    operation = failed.value.meta["operation"]
    assert world.spool.pending(world.ref) == [
        Failure(stream=world.ref, operation=operation, code="MEMORY_WRITE_FAIL")
    ]
    assert [(each.kind, each.attempt, each.alert) for each in world.incidents()] == [
        ("RETRY_ATTEMPT", 1, False),
        ("RETRY_ATTEMPT", 2, False),
        ("MEMORY_WRITE_FAIL", 2, True),
    ]
    assert {each.operation for each in world.incidents()} == {operation}


@pytest.mark.covers("A-137")
def test_operations_hear_of_a_failure_even_if_their_own_log_was_down() -> None:
    world = World()
    world.store.fail(*range(1, 50))

    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("tea at noon")
    assert world.incidents() == []
    world.store.recover()
    world.job.episodic_write("tea at one")

    assert [each.kind for each in world.incidents()] == [
        "RETRY_ATTEMPT",
        "RETRY_ATTEMPT",
        "MEMORY_WRITE_FAIL",
    ]


def test_two_who_write_at_once_tell_operations_of_a_failure_once_and_neither_fails() -> None:
    world = World()
    ops = world.keyring.ref("stream", "main/ops//actor")
    world.store.fail(*range(1, 100))
    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("lost")
    world.store.recover()
    real, others = world.store.real.append, ThreadPoolExecutor(1)
    beside: list[Future[Remembered]] = []

    def append(stream: str, batch: Batch, *, expect: Head) -> None:
        if stream == ops and not beside:  # while one tells operations, another one writes too
            beside.append(others.submit(world.memory.agent("bob").remember, "I like tea"))
            wait(beside, timeout=0.5)
        real(stream, batch, expect=expect)

    world.store.real.append = append  # type: ignore[method-assign]
    with others:
        world.job.episodic_write("kept")
    assert beside[0].result().reason == ""
    told = sorted(each.kind for each in world.incidents())
    assert told == ["MEMORY_WRITE_FAIL", "RETRY_ATTEMPT", "RETRY_ATTEMPT"]


def test_a_fenced_stream_takes_nothing_until_the_failure_is_its_next_entry() -> None:
    world = World()
    world.fail(1, 2, 3, 4)
    with pytest.raises(MemoryWriteFailError) as first:
        world.job.episodic_write("tea at noon")
    head = len(world.entries())

    for text in ("tea at one", "tea at two"):
        with pytest.raises(MemoryWriteFailError) as fenced:
            world.job.episodic_write(text)
        assert fenced.value.envelope().retryable
        assert fenced.value.meta["operation"] == first.value.meta["operation"]
    assert len(world.entries()) == head
    world.job.episodic_write("tea at three")

    told = events(world.memory)[head:]
    assert isinstance(told[0], Received)
    assert told[1] == OutcomeRecorded(
        operation=first.value.meta["operation"], code="MEMORY_WRITE_FAIL"
    )
    assert types(world.memory)[head:] == [
        "received",
        "outcome_recorded",
        "received",
        "episodic_written",
    ]
    assert world.spool.pending(world.ref) == []


def test_a_fence_is_for_its_own_stream_only() -> None:
    world = World()
    world.fail(1, 2)
    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("tea at noon")

    assert world.memory.agent("bob", user="mia").remember("coffee").stored
    assert world.spool.pending(world.ref) != []


def test_reading_goes_on_behind_a_fence() -> None:
    world = World()
    world.job.episodic_write("tea at noon")
    world.fail(1, 2)
    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("tea at one")

    assert [hit.text for hit in world.ada.recall("tea").hits] == ["tea at noon"]


def test_a_fence_survives_the_process_and_draining_twice_is_harmless() -> None:
    world = World()
    world.fail(1, 2)
    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("tea at noon")
    (failure,) = world.spool.pending(world.ref)
    world.store.recover()

    reopened = world.opened()
    reopened.agent("ada", user="tuff").remember("hello")
    world.spool.add(failure)
    reopened.agent("ada", user="tuff").remember("again")

    assert types(reopened).count("outcome_recorded") == 1
    assert world.spool.pending(world.ref) == []


def test_a_fence_holds_even_if_the_spool_has_no_disk() -> None:
    world = World(DeadSpool())
    world.fail(1, 2, 3)

    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("tea at noon")
    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("tea at one")
    world.job.episodic_write("tea at two")

    assert types(world.memory)[-3:] == ["outcome_recorded", "received", "episodic_written"]


@pytest.mark.covers("A-133")
def test_after_a_failure_the_log_is_what_the_agent_saw_and_it_proves() -> None:
    model, world = World(), World()
    world.fail(1, 2)
    with pytest.raises(MemoryWriteFailError):
        world.job.episodic_write("tea at noon")
    for each in (model, world):
        each.job.episodic_write("tea at one", {"n": 1})
        each.job.commit()

    assert episodes(world.memory) == episodes(model.memory) == ["tea at one"]
    told = types(world.memory)
    at = told.index("outcome_recorded")
    assert told[: at - 1] + told[at + 1 :] == types(model.memory)
    assert len(world.memory.prove()) == 2


def test_the_very_first_write_of_a_stream_may_fail_too() -> None:
    world = World()
    bob = world.keyring.ref("stream", "main/agent/bob/actor")
    world.store.fail(1, 2, only=bob)

    with pytest.raises(MemoryWriteFailError):
        world.memory.agent("bob").remember("coffee")
    world.store.recover()

    assert world.memory.agent("bob").remember("coffee").stored
    kinds = [entry.header for entry in world.store.read(bob)]
    assert b'"type":"policy_adopted"' in kinds[1]
    assert b'"type":"outcome_recorded"' in kinds[3]


@pytest.mark.parametrize("restart", [False, True])
def test_a_request_the_council_could_not_take_is_delivered_once_it_can(*, restart: bool) -> None:
    world = World()
    kept = world.ada.remember("tea every morning").episodic_id
    council = world.keyring.ref("stream", "main/council//actor")
    world.store.fail(1, 2, 3, only=council)

    with pytest.raises(MemoryWriteFailError):
        world.ada.memory_promote_request(kept, DRINK, "said so", value="tea")
    assert world.ada.remember("the agent goes on").stored
    world.store.recover()
    opened = world.opened() if restart else world.memory
    opened.agent("ada", user="tuff").remember("hello")

    (waiting,) = opened.council().requests()
    assert (waiting.key, waiting.value) == (DRINK, "tea")


# ── No room ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-138", "A-139")
def test_a_full_store_is_told_at_once_without_a_retry_and_without_a_trace() -> None:
    world = World()
    before = world.entries()
    world.fail(*range(1, 50), fault=full)

    with pytest.raises(StorageFullError) as failed:
        world.job.episodic_write("tea at noon")

    envelope = failed.value.envelope()
    assert (envelope.error_code, envelope.status) == ("STORAGE_FULL", 507)
    assert (envelope.severity, envelope.outcome) == ("critical", "not_written")
    assert (world.store.attempts, world.clock.waited) == (1, [])
    assert world.entries() == before
    assert world.spool.pending(world.ref) == []
    (waiting,) = world.memory.admin().incidents(queue="admin")
    assert (waiting.kind, waiting.alert, waiting.stream) == ("STORAGE_FULL", True, world.ref)
    assert waiting.operation


@pytest.mark.covers("A-139")
def test_administrators_hear_of_a_full_store_as_soon_as_there_is_room_for_it() -> None:
    world = World()
    world.store.fail(*range(1, 50), fault=full)

    with pytest.raises(StorageFullError):
        world.job.episodic_write("tea at noon")
    assert world.memory.admin().incidents() == []
    world.store.recover()
    world.job.episodic_write("tea at one")

    assert [each.kind for each in world.memory.admin().incidents(queue="admin")] == ["STORAGE_FULL"]


@pytest.mark.covers("A-138")
def test_what_did_not_fit_is_written_when_it_is_said_again() -> None:
    world = World()
    world.fail(1, fault=full)
    with pytest.raises(StorageFullError):
        world.ada.remember("tea at noon", key="mine")

    assert world.ada.remember("tea at noon", key="mine").stored

    assert episodes(world.memory) == ["tea at noon"]


def test_a_disk_that_fills_up_during_the_retry_is_told_as_such() -> None:
    world = World()
    world.fail(1)
    world.store.plan(2, full, committed=False)

    with pytest.raises(StorageFullError):
        world.job.episodic_write("tea at noon")

    assert world.store.attempts == 2


# ── Promotions and keys ─────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-141")
def test_a_second_promotion_of_an_item_is_refused_and_names_the_first() -> None:
    world = World()
    item = world.job.wm_insert({"type": "fact", "value": "tea"})
    world.job.reference(item)
    world.job.reference(item)
    world.job.promote(item)
    before = len(world.entries())

    with pytest.raises(RefusedError):
        world.job.promote(item)
    with pytest.raises(RefusedError) as refused:
        world.job.promote(item)

    (first,) = (line for line in lines(world.memory) if isinstance(line.event, Promoted))
    assert refused.value.reason == "PROMOTION_LOOP"
    assert refused.value.detail == first.header.id
    assert types(world.memory).count("promotion_event") == 1
    assert types(world.memory)[before:] == ["received", "memory_denied"] * 2


@pytest.mark.covers("A-141")
def test_a_promotion_that_a_tick_made_is_not_made_again_by_name() -> None:
    world = World()
    item = world.job.wm_insert({"type": "fact", "value": "tea"})
    world.job.reference(item)
    world.job.reference(item)
    world.job.tick()

    with pytest.raises(RefusedError) as refused:
        world.job.promote(item)
    world.job.tick()

    assert refused.value.reason == "PROMOTION_LOOP"
    assert types(world.memory).count("promotion_event") == 1


@pytest.mark.covers("A-141")
@pytest.mark.parametrize("committed", [False, True])
def test_a_retried_promotion_happens_once(*, committed: bool) -> None:
    world = World()
    item = world.job.wm_insert({"type": "fact", "value": "tea"})
    world.job.reference(item)
    world.job.reference(item)
    world.fail(1, fault=unanswered, committed=committed)

    world.job.promote(item)

    assert types(world.memory).count("promotion_event") == 1


def test_the_same_key_with_the_same_words_gives_the_same_answer_and_one_entry() -> None:
    world = World()

    first = world.ada.remember("Remember my drink is tea", key="mine")
    again = world.ada.remember("Remember my drink is tea", key="mine")

    assert first == again
    assert first.question is not None
    assert types(world.memory).count("episodic_written") == 1


def test_the_same_key_gives_the_same_answer_in_another_process() -> None:
    world = World()
    first = world.ada.remember("tea at noon", key="mine")

    again = world.opened().agent("ada", user="tuff").remember("tea at noon", key="mine")

    assert first == again
    assert episodes(world.memory) == ["tea at noon"]


@pytest.mark.parametrize("other", ["tea at one", "tea at noon ", ""])
def test_the_same_key_with_other_words_is_refused(other: str) -> None:
    world = World()
    world.ada.remember("tea at noon", key="mine")
    before = world.entries()

    with pytest.raises(KeyReusedError) as refused:
        world.ada.remember(other, key="mine")

    assert refused.value.envelope().status == 422
    assert world.entries() == before


def test_the_same_key_for_another_command_is_refused() -> None:
    world = World()
    world.ada.remember("tea at noon", key="mine")

    with pytest.raises(KeyReusedError):
        world.ada.job("seed-2", key="mine")


def test_a_redacted_sentence_said_again_under_its_key_is_known() -> None:
    world = World()

    first = world.ada.remember("mail tuff@example.com", key="mine")
    again = world.ada.remember("mail tuff@example.com", key="mine")

    assert first == again
    assert types(world.memory).count("PII_REDACTED") == 1


def test_a_refused_sentence_is_refused_once_however_often_it_is_said_under_its_key() -> None:
    world = World()
    secret = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH"

    first = world.ada.remember(secret, key="mine")
    again = world.ada.remember(secret, key="mine")

    assert first == again
    assert types(world.memory).count("memory_denied") == 1


def test_keys_of_two_agents_are_not_the_same_key() -> None:
    world = World()
    bob: Agent = world.memory.agent("bob", user="tuff")

    world.ada.remember("tea at noon", key="mine")

    assert bob.remember("something else", key="mine").stored


# ── Everything at once ──────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-134", "A-135")
@pytest.mark.parametrize("fault", [down, unanswered])
@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("nth", range(1, 9))
def test_wherever_one_append_of_any_stream_fails_the_governed_flow_ends_alike(
    fault: Fault, nth: int, *, committed: bool
) -> None:
    def told(store: FaultyStore) -> tuple[list[Entry], list[Entry]]:
        world = memory(preset("team"), store=store, clock=PatientClock())
        ada = world.agent("ada", user="tuff")
        question = ada.remember("Remember my drink is tea").question
        assert question is not None
        request_id = ada.confirm(question.confirmation_id)
        world.council("bea").approve(request_id)
        world.council("cyd").approve(request_id)
        assert ada.sem_get(DRINK).value == "tea"
        ada.remember("done")
        kinds = (hub(world).stream(stream(world, kind)).ref for kind in ("agent", "council"))
        first, second = (list(store.read(ref)) for ref in kinds)
        return first, second

    smooth, rough = FaultyStore(), FaultyStore()
    rough.fail(nth, fault=fault, committed=committed)

    assert told(rough) == told(smooth)
