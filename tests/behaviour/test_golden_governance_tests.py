"""The golden tests M-T5, M-T6 and M-T8 with their logs, and those of governance and privacy."""

import json
from collections.abc import Callable

import msgspec
import pytest
from tests.faults import FaultyStore
from tests.rendering import render
from tests.world import CountedKeyring, events, lines, memory, types

from muniment.engine.api.memory import Memory
from muniment.engine.streams.ports import Failure, MemorySpool
from muniment.log import chain
from muniment.log.entry import genesis
from muniment.log.reference_store import ScratchStore
from muniment.model import canonical_json
from muniment.model.errors import (
    PRIVACY_BLOCKED,
    IntegrityError,
    MemoryWriteFailError,
    RefusedError,
)
from muniment.model.events import (
    ConsentGiven,
    EpisodeWritten,
    FactSettled,
    PiiRedacted,
    RequestRaised,
    RequestSettled,
)
from muniment.model.policy import preset

Golden = Callable[[str, str], None]

COLOUR = "user/profile/user_tuff/favorite_color"
EMAIL = "user/profile/user_tuff/email"
MAIL = "tuff@example.com"
NUMBER = "123-45-6789"  # a national id in the pattern of the specification


def whole_log(of: Memory) -> str:
    return "\n".join(render(of.log(each), heading=f"# {each.text}") for each in of.streams())


def settled(of: Memory) -> list[str]:
    return [e.outcome for e in events(of, "council") if isinstance(e, RequestSettled)]


# ── Memory: M-T5, M-T6, M-T8 ────────────────────────────────────────────────────────────────────


def asked_and_approved() -> tuple[Memory, str]:
    of = memory(preset("council"))
    ada = of.agent("ada", user="tuff")
    with ada.job("seed-m-t5") as job:
        episode = job.episodic_write("the favourite colour is cerulean", {"colour": "cerulean"})
        request_id = job.memory_promote_request(episode, COLOUR, "said twice", value="cerulean")
    assert isinstance(events(of, "council")[-1], RequestRaised)
    assert not ada.sem_get(COLOUR).exists
    for member in ("bea", "cyd", "dan"):
        assert not ada.sem_get(COLOUR).exists
        of.council(member).approve(request_id, reason="seen the evidence")
    return of, request_id


@pytest.mark.covers("A-128", "A-129", "A-142")
def test_m_t5_a_fact_is_written_after_the_council_has_approved_and_not_before(
    golden: Golden,
) -> None:
    of, request_id = asked_and_approved()

    assert settled(of) == ["approved", "executed"]
    (fact,) = (e for e in events(of, "council") if isinstance(e, FactSettled))
    assert (fact.key, fact.value, fact.request_id) == (COLOUR, "cerulean", request_id)
    assert of.agent("ada", user="tuff").sem_get(COLOUR).value == "cerulean"
    golden("m_t5.log", whole_log(asked_and_approved()[0]))


@pytest.mark.covers("A-129")
def test_m_t5_the_same_approvals_write_the_same_bytes() -> None:
    first, second = (asked_and_approved()[0] for _ in range(2))

    assert whole_log(first) == whole_log(second)
    assert [proof.head for proof in first.prove()] == [proof.head for proof in second.prove()]


def refused_and_consented() -> Memory:
    of = memory()
    ada = of.agent("ada", user="tuff")
    with ada.job("seed-m-t6") as job:
        episode = job.episodic_write(f"the address is {MAIL}", {"mail": MAIL})
        with pytest.raises(RefusedError) as refused:
            job.memory_promote_request(episode, EMAIL, "to write to", value=MAIL)
        assert refused.value.reason == "pii_needs_consent"
        assert types(of, "council") == []
        job.consent("you may know my address")
        request_id = job.memory_promote_request(episode, EMAIL, "to write to", value=MAIL)
    of.council("bea").approve(request_id)
    return of


@pytest.mark.covers("A-130", "A-131")
def test_m_t6_a_personal_fact_is_redacted_and_written_only_with_a_logged_consent(
    golden: Golden,
) -> None:
    of = refused_and_consented()

    written, asked = (e for e in events(of) if isinstance(e, PiiRedacted))
    assert [each.path for each in written.redactions] == ["summary", "payload.mail"]
    assert [each.path for each in asked.redactions] == ["value"]
    assert all(len(each.hash) == 16 for e in (written, asked) for each in e.redactions)
    told = types(of)
    assert told.index("memory_denied") < told.index("PII_CONSENT") < told.index("request_forwarded")
    assert of.agent("ada", user="tuff").sem_get(EMAIL).value == MAIL
    episodes = [e for e in events(of) if isinstance(e, EpisodeWritten)]
    assert all(MAIL not in repr(each) for each in episodes)
    golden("m_t6.log", whole_log(refused_and_consented()))


class Waiting:
    """A clock without time that remembers what it was told to wait."""

    def __init__(self) -> None:
        self.ticks: list[int] = []

    def now(self) -> str:
        return ""

    def wait(self, ticks: int) -> None:
        self.ticks.append(ticks)


@pytest.mark.covers("A-133", "A-134", "A-135", "A-136", "A-137")
def test_m_t8_a_store_that_fails_twice_is_answered_spooled_fenced_and_drained(
    golden: Golden,
) -> None:
    store, clock, spool, keyring = FaultyStore(), Waiting(), MemorySpool(), CountedKeyring()
    of = memory(store=store, clock=clock, spool=spool, keyring=keyring)
    job = of.agent("ada", user="tuff").job("seed-m-t8")
    ref = keyring.ref("stream", "main/agent/ada/actor")
    store.fail(1, 2, 3, only=ref)

    with pytest.raises(MemoryWriteFailError) as failed:
        job.episodic_write("tea at noon", {"drink": "tea"})
    attempts = store.attempts
    envelope = failed.value.envelope(query_id="q-1", trace_id=job.trace_id)
    spooled = spool.pending(ref)
    with pytest.raises(MemoryWriteFailError):
        job.episodic_write("tea at one")
    job.episodic_write("tea at two", {"drink": "tea"})

    assert attempts == 2
    assert spooled == [
        Failure(stream=ref, operation=failed.value.meta["operation"], code="MEMORY_WRITE_FAIL")
    ]
    assert spool.pending(ref) == []
    assert types(of)[-4:] == ["received", "outcome_recorded", "received", "episodic_written"]
    answer = json.dumps(json.loads(canonical_json.encode(envelope)), indent=2, sort_keys=True)
    golden("m_t8.log", f"waited {clock.ticks}\n\n{answer}\n\n{whole_log(of)}")


# ── Governance and privacy ──────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-058", "A-142")
def test_gov_t1_a_request_is_voted_on_to_its_quorum_approved_and_executed() -> None:
    of, request_id = asked_and_approved()

    assert types(of, "council").count("vote_cast") == 3
    assert of.council("bea").request(request_id)[1] == "executed"


@pytest.mark.covers("A-145")
def test_gov_t2_what_is_in_the_log_cannot_be_changed_without_being_seen() -> None:
    store = ScratchStore()
    of = memory(store=store)
    of.agent("ada", user="tuff").remember("tea at noon")
    line = lines(of)[-1]

    with pytest.raises(AttributeError):
        line.event.summary = "coffee at noon"  # type: ignore[union-attr,misc]
    (ref,) = store.streams()
    entries = list(store.read(ref))
    header = entries[-1].header.replace(b'"form":"entry"', b'"form":"other"')
    assert header != entries[-1].header
    changed = [*entries[:-1], msgspec.structs.replace(entries[-1], header=header)]

    assert len(list(chain.verify(entries, after=genesis(ref)))) == len(entries)
    with pytest.raises(IntegrityError):
        list(chain.verify(changed, after=genesis(ref)))


@pytest.mark.covers("A-011", "A-097", "A-100", "A-140")
def test_f_priv_01_a_national_id_without_consent_is_blocked_hashed_and_not_stored() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    episode = ada.remember(f"my social security number is {NUMBER}").episodic_id

    with pytest.raises(RefusedError) as refused:
        ada.memory_promote_request(episode, "user/profile/tuff/ssn", "asked", value=NUMBER)

    assert refused.value.envelope().user_message == PRIVACY_BLOCKED
    assert refused.value.envelope().status == 403
    hashes = [r.hash for e in events(of) if isinstance(e, PiiRedacted) for r in e.redactions]
    assert len(hashes) == 2
    assert len(set(hashes)) == 1
    assert NUMBER not in repr(lines(of))
    assert types(of, "council") == []


@pytest.mark.covers("A-059", "A-097", "A-103")
def test_f_priv_02_with_a_consent_in_the_log_the_raw_value_becomes_the_fact() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")

    ada.consent("you may know my address")
    ada.sem_put(EMAIL, MAIL)

    assert any(isinstance(e, ConsentGiven) for e in events(of))
    (fact,) = (e for e in events(of, "council") if isinstance(e, FactSettled))
    assert fact.value == MAIL


@pytest.mark.covers("A-146")
def test_f_dsr_01_a_person_is_deleted_after_council_and_administrator_with_a_record() -> None:
    of = memory(preset("council"))
    ada = of.agent("ada", user="tuff")
    episode = ada.remember("the colour is cerulean").episodic_id
    wish = ada.memory_promote_request(episode, COLOUR, "said so", value="cerulean")
    for member in ("bea", "cyd", "dan"):
        of.council(member).approve(wish)

    request_id = of.eraser("root").request("tuff", reason="the person asked")
    assert types(of, "council")[-1] == "action_request"
    with pytest.raises(RefusedError):
        of.eraser("root").carry_out(request_id)
    assert ada.sem_get(COLOUR).exists
    for member in ("bea", "cyd", "dan"):
        of.council(member).approve(request_id)
    done = of.eraser("root").carry_out(request_id)

    assert not ada.sem_get(COLOUR).exists
    assert done.fragments > 0
    assert types(of, "council").count("deletion_event") == 1
    assert types(of, "council").count("erasure_completed") == 1
    assert len(of.prove()) == 2
