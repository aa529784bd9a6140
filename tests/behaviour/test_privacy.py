"""Privacy: what is personal is taken out before the first byte is kept, and secrets never enter."""

from collections.abc import Iterator

import msgspec
import pytest
from tests.world import CountedKeyring, events, hub, lines, memory, stream, types

from muniment import Agent
from muniment.engine.api.memory import Memory
from muniment.model import canonical_json
from muniment.model.commands.loops import MirrorEvent
from muniment.model.errors import PRIVACY_BLOCKED, InputError, RefusedError
from muniment.model.events import (
    ConsentGiven,
    EpisodeWritten,
    PiiRedacted,
    Received,
    RequestRaised,
    WorkingInserted,
    WriteDenied,
)
from muniment.model.kinds.episode import Evidence
from muniment.model.kinds.loop import EventKind, Visibility
from muniment.model.policy import Action, Policy, Privacy
from muniment.rules.privacy import screen
from muniment.rules.privacy.rule import PrivacyFinding

MAIL = "tuff@example.com"
CARD = 4111111111111111
# Put together at run time, so that no literal here looks like a key.
SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ2sT4vW6xY8zaB3dE5gH"
EMAIL = "user/profile/user_tuff/email"


def stored(of: Memory) -> Iterator[bytes]:
    """Every byte that was kept: headers, sealed parts opened, desks, and the names of keys."""
    store = hub(of).parts.store
    for ref in store.streams():
        for entry in store.read(ref):
            yield entry.header
            yield entry.operation.encode()
            yield from (part.data for part in entry.parts if part)
    for each in of.streams():
        yield from (canonical_json.encode(line.event) for line in of.log(each))
        yield canonical_json.encode(msgspec.to_builtins(hub(of).writer(each).desk, str_keys=True))
    for kind in ("stream", "subject", "actor"):
        known = hub(of).parts.world.keyring.known(kind)
        yield from (name.encode() for _, name in known)


def kept_anywhere(of: Memory, text: str) -> bool:
    return any(text.encode() in piece for piece in stored(of))


def redactions(of: Memory, kind: str = "agent") -> list[PiiRedacted]:
    return [event for event in events(of, kind) if isinstance(event, PiiRedacted)]


def episode(of: Memory) -> EpisodeWritten:
    return [event for event in events(of) if isinstance(event, EpisodeWritten)][-1]


def blind(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
    """A detector that cannot say anything."""
    del text, regions
    raise RuntimeError("no detector today")


# ── Redaction ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-011", "A-099", "A-100", "A-101", "A-102", "A-106")
def test_personal_data_is_replaced_by_a_keyed_hash_before_anything_is_written() -> None:
    world = memory()

    kept = world.agent("ada", user="tuff").remember(f"write to {MAIL} tomorrow")

    (found,) = redactions(world)
    (redaction,) = found.redactions
    assert kept.stored
    assert kept.redacted == ("email",)
    assert (found.count, found.redaction_reason) == (1, "pii:email")
    assert (redaction.path, redaction.kind, redaction.action) == ("text", "email", "redact")
    assert len(redaction.hash) == 16
    assert kept.text == f"write to [email:{redaction.hash}] tomorrow"
    assert not kept_anywhere(world, MAIL)
    assert types(world)[-3:] == ["received", "PII_REDACTED", "episodic_written"]


@pytest.mark.covers("A-099")
def test_every_word_a_caller_can_store_is_looked_at() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    council = world.council("bea")

    with ada.job("seed-1") as job:
        job.wm_insert({"type": "fact", "value": {"mail": MAIL}})
        job.set_goal("g", f"ask {MAIL}", major=True)
        job.observe(f"they said {MAIL}")
        seen = [Evidence(note=f"seen by {MAIL}")]
        written = job.episodic_write(f"about {MAIL}", {"to": [MAIL]}, seen)
    kept = ada.remember(f"hello {MAIL}")
    ada.remember_many(["plain", f"and {MAIL}"])
    ada.recall(f"who is {MAIL}")
    ada.forget(kept.episodic_id, reason=f"{MAIL} asked")
    ada.consent(f"I am {MAIL}")
    ada.sem_put("user/profile/tuff/drink", "tea")
    world.admin().request_deletion("user/profile/tuff/drink", reason=f"{MAIL} asked")
    council.abstain(council.requests()[0].request_id, reason=MAIL)
    world.admin().read_payload("ada", written, reason=f"{MAIL} asked")
    ada.flush()

    assert not kept_anywhere(world, MAIL)
    assert len(redactions(world)) == 9


@pytest.mark.covers("A-100")
@pytest.mark.parametrize(
    ("payload", "clean"),
    [
        ({"a": {"b": [MAIL, "x"]}}, {"a": {"b": ["[email]", "x"]}}),
        ({MAIL: 1}, {"[email]": 1}),
        ({MAIL: {"again": MAIL}}, {"[email]": {"again": "[email]"}}),
        ({"n": CARD}, {"n": "[card]"}),
        ([CARD, 7, None, True], ["[card]", 7, None, True]),
        ({"n": float(CARD)}, {"n": "[card].0"}),
        ([[[[MAIL]]]], [[[["[email]"]]]]),
    ],
)
def test_nested_values_keys_and_numbers_are_redacted_where_they_stand(
    payload: object, clean: object
) -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with ada.job("seed-1") as job:
        episodic_id = job.episodic_write("a note", payload)

    hashes = [each.hash for found in redactions(world) for each in found.redactions]
    shown = str(ada.episode(episodic_id).payload)
    for tag in hashes:
        shown = shown.replace(f":{tag}", "")
    assert shown == str(clean)
    assert not kept_anywhere(world, MAIL)
    assert not kept_anywhere(world, str(CARD))


@pytest.mark.covers("A-106")
def test_the_path_of_a_redaction_does_not_repeat_a_personal_key() -> None:
    world = memory()

    with world.agent("ada", user="tuff").job("seed-1") as job:
        job.episodic_write("a note", {"plain": {MAIL: {"phone": "+1 415 555 2671"}}})

    paths = [each.path for found in redactions(world) for each in found.redactions]
    assert paths == ["payload.plain.key", "payload.plain.key1.phone"]


def test_evidence_links_survive_the_screening_of_evidence() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with ada.job("seed-1") as job:
        first = job.episodic_write("a note")
        link = Evidence(episodic_id=first, sem_keys=(EMAIL,), sem_snapshot_hash="ab" * 32)
        job.episodic_write("another", None, [link])

    assert episode(world).evidence == (link,)
    assert redactions(world) == []


@pytest.mark.covers("A-100")
def test_the_same_value_has_the_same_hash_for_one_person_and_another_for_the_next() -> None:
    world = memory()
    tuff, mia = world.agent("ada", user="tuff"), world.agent("ada", user="mia")

    texts = [each.remember(f"mail {MAIL}").text for each in (tuff, tuff, mia, world.agent("ada"))]

    assert texts[0] == texts[1]
    assert len(set(texts)) == 3


def test_another_keyring_gives_another_hash() -> None:
    texts = {
        memory(keyring=CountedKeyring(seed)).agent("ada", user="tuff").remember(f"mail {MAIL}").text
        for seed in (b"one", b"two")
    }

    assert len(texts) == 2


@pytest.mark.covers("A-011")
def test_the_policy_decides_what_happens_to_what_is_found() -> None:
    keep = memory(Policy(privacy=Privacy(pii_medium=Action.ALLOW))).agent("ada", user="tuff")
    refuse = memory(Policy(privacy=Privacy(pii_medium=Action.DENY))).agent("ada", user="tuff")

    assert keep.remember(f"mail {MAIL}").text == f"mail {MAIL}"
    assert refuse.remember(f"mail {MAIL}").reason == "privacy_deny_sensitive"


def test_working_memory_is_logged_and_used_in_its_redacted_form() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with ada.job("seed-1") as job:
        job.wm_insert({"type": "fact", "value": {"mail": MAIL}})
        (held,) = job.wm_find()

        inserted = next(e for e in events(world) if isinstance(e, WorkingInserted))
        assert held.value == inserted.value
        assert job.wm_find({"value.mail": MAIL}) == []
        assert not kept_anywhere(world, MAIL)


@pytest.mark.covers("A-104", "A-144")
def test_whoever_reads_gets_the_redacted_form() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.consent("keep it")
    kept = ada.remember(f"write to {MAIL} tomorrow", keep_raw=True)

    assert kept.stored
    shown = [
        ada.episode(kept.episodic_id),
        ada.episodic_query("write tomorrow"),
        ada.recall("write tomorrow"),
        ada.context("write tomorrow"),
        ada.get_range(),
        [ada.get_by_id(line.header.id) for line in ada.get_range()],
    ]
    assert all(MAIL not in repr(each) for each in shown)
    assert MAIL not in repr(world.agent("ada", user="mia").recall("write tomorrow"))
    assert all("[email:" in repr(each) for each in shown)


# ── Secrets ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-011")
def test_a_secret_is_refused_and_leaves_no_trace_in_any_byte() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    kept = ada.remember(f"the token is {SECRET}")

    assert (kept.stored, kept.reason) == (False, "privacy_deny_sensitive")
    assert types(world)[-2:] == ["received", "memory_denied"]
    assert not kept_anywhere(world, SECRET)
    received = events(world)[-2]
    assert isinstance(received, Received)
    assert [each.hash for each in received.redactions] == [""]


@pytest.mark.covers("A-011")
@pytest.mark.parametrize(
    ("summary", "payload", "evidence"),
    [
        (SECRET, None, []),
        ("a note", SECRET, []),
        ("a note", {"deep": [{"er": SECRET}]}, []),
        ("a note", {SECRET: 1}, []),
        ("a note", {SECRET: {"mail": MAIL}}, []),
        ("a note", {SECRET: SECRET}, []),
        ("a note", None, [Evidence(note=SECRET)]),
        (SECRET, {"n": CARD, "m": [MAIL]}, [Evidence(note=MAIL)]),
        (SECRET, CARD, []),
    ],
)
def test_wherever_a_secret_stands_nothing_of_the_command_is_kept(
    summary: str, payload: object, evidence: list[Evidence]
) -> None:
    world = memory()

    with (
        world.agent("ada", user="tuff").job("seed-1") as job,
        pytest.raises(RefusedError) as refused,
    ):
        job.episodic_write(summary, payload, evidence, keep_raw=True)

    assert refused.value.reason == "privacy_deny_sensitive"
    assert refused.value.envelope().user_message == PRIVACY_BLOCKED
    for text in (SECRET, MAIL, str(CARD)):
        assert not kept_anywhere(world, text)
        assert text not in str(refused.value.envelope())
    assert "episodic_written" not in types(world)


def test_a_secret_in_a_key_a_goal_or_a_question_leaves_no_trace() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    kept = ada.remember("a note", key=f"retry {SECRET}")

    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        ada.sem_put(f"user/profile/tuff/{SECRET}", "x")
    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        ada.memory_promote_request(kept.episodic_id, f"user/profile/{SECRET}/x", "x", value="x")
    with ada.job("seed-1") as job, pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        job.set_goal("g", SECRET)
    ada.recall(SECRET)
    ada.remember("after")

    assert not kept_anywhere(world, SECRET)


def test_no_consent_lets_a_secret_in() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.consent("keep everything")

    assert ada.remember(SECRET, keep_raw=True).reason == "privacy_deny_sensitive"
    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        ada.sem_put("user/profile/tuff/token", SECRET)
    assert not kept_anywhere(world, SECRET)


def test_one_secret_among_many_sentences_does_not_take_the_others_along() -> None:
    world = memory()

    kept = world.agent("ada", user="tuff").remember_many(["first", SECRET, f"at {MAIL}", "last"])

    assert kept == 3
    assert not kept_anywhere(world, SECRET)
    assert not kept_anywhere(world, MAIL)


# ── Raw storage and consent ─────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-102", "A-103", "A-140")
def test_raw_storage_without_consent_is_blocked_with_the_fixed_message() -> None:
    world = memory()

    with (
        world.agent("ada", user="tuff").job("seed-1") as job,
        pytest.raises(RefusedError) as refused,
    ):
        job.episodic_write(f"mail {MAIL}", {"mail": MAIL}, keep_raw=True)

    envelope = refused.value.envelope()
    assert refused.value.reason == "PII_BLOCKED"
    assert envelope.meta["reason"] == "PII_BLOCKED"
    assert envelope.status == 403
    assert envelope.user_message == (
        "I did not save that: it holds private information that I may not keep as it is."
    )
    assert not kept_anywhere(world, MAIL)
    assert "episodic_written" not in types(world)


@pytest.mark.covers("A-140")
def test_the_same_blocked_write_is_answered_in_the_same_bytes() -> None:
    def answer() -> bytes:
        with (
            memory().agent("ada", user="tuff").job("seed-1") as job,
            pytest.raises(RefusedError) as refused,
        ):
            job.episodic_write(f"mail {MAIL}", keep_raw=True)
        return canonical_json.encode(refused.value.envelope())

    assert answer() == answer()


@pytest.mark.covers("A-102", "A-103")
def test_raw_storage_of_what_is_not_personal_needs_no_consent() -> None:
    assert memory().agent("ada", user="tuff").remember("plain words", keep_raw=True).stored


@pytest.mark.covers("A-103", "A-105", "A-143")
def test_with_a_logged_consent_the_raw_form_is_kept_for_administrators_only() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    consent_id = ada.consent("you may keep my address")
    kept = ada.remember(f"mail {MAIL}", keep_raw=True)

    assert kept.text.startswith("mail [email:")
    (given,) = (event for event in events(world) if isinstance(event, ConsentGiven))
    assert (given.consent_id, given.persistent) == (consent_id, True)
    full = world.admin("root").read_payload("ada", kept.episodic_id, reason="asked to")
    assert full.raw == {"text": f"mail {MAIL}"}
    assert full.consent_id == consent_id
    assert MAIL not in repr(full.entry)
    store = hub(world).parts.store
    plain = b"".join(e.header for ref in store.streams() for e in store.read(ref))
    assert MAIL.encode() not in plain


def test_a_consent_covers_its_giver_and_nobody_else() -> None:
    world = memory()
    world.agent("ada", user="tuff").consent("mine")

    assert world.agent("ada", user="mia").remember(f"mail {MAIL}", keep_raw=True).reason == (
        "PII_BLOCKED"
    )
    assert world.agent("ada").remember(f"mail {MAIL}", keep_raw=True).reason == "PII_BLOCKED"
    assert world.agent("bob", user="tuff").remember(f"mail {MAIL}", keep_raw=True).reason == (
        "PII_BLOCKED"
    )


def test_without_a_person_there_is_no_consent() -> None:
    with pytest.raises(RefusedError, match="consent_needs_a_person"):
        memory().agent("ada").consent("mine")


@pytest.mark.covers("A-103")
def test_a_consent_for_one_job_ends_with_the_job() -> None:
    ada = memory().agent("ada", user="tuff")

    with ada.job("seed-1") as job:
        job.consent("for now")
        job.episodic_write(f"mail {MAIL}", keep_raw=True)
        with ada.job("seed-2") as other, pytest.raises(RefusedError, match="PII_BLOCKED"):
            other.episodic_write(f"mail {MAIL}", keep_raw=True)
        assert ada.remember(f"mail {MAIL}", keep_raw=True).reason == "PII_BLOCKED"

    with ada.job("seed-3") as later, pytest.raises(RefusedError, match="PII_BLOCKED"):
        later.episodic_write(f"mail {MAIL}", keep_raw=True)


@pytest.mark.covers("A-103")
def test_a_lasting_consent_lasts_until_it_is_revoked() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    consent_id = ada.consent("until I say no")

    assert ada.remember(f"mail {MAIL}", keep_raw=True).stored
    with ada.job("seed-1") as job:
        job.episodic_write(f"mail {MAIL}", keep_raw=True)
    ada.revoke_consent(consent_id)

    assert ada.remember(f"mail {MAIL}", keep_raw=True).reason == "PII_BLOCKED"
    assert "PII_CONSENT_REVOKE" in types(world)


def test_nobody_revokes_the_consent_of_another() -> None:
    world = memory()
    consent_id = world.agent("ada", user="tuff").consent("mine")

    with pytest.raises(RefusedError, match="consent_unknown"):
        world.agent("ada", user="mia").revoke_consent(consent_id)

    assert world.agent("ada", user="tuff").remember(f"mail {MAIL}", keep_raw=True).stored


# ── Governed facts ──────────────────────────────────────────────────────────────────────────────


def promote(agent: Agent, value: object) -> str:
    kept = agent.remember(f"my mail is {MAIL}")
    return agent.memory_promote_request(kept.episodic_id, EMAIL, "to write to", value=value)


@pytest.mark.covers("A-059", "A-097", "A-131")
@pytest.mark.parametrize("value", [MAIL, {"to": MAIL}, None])
def test_a_personal_value_does_not_become_a_fact_without_consent(value: object) -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with pytest.raises(RefusedError) as refused:
        promote(ada, value)

    assert refused.value.reason == "pii_needs_consent"
    assert refused.value.envelope().user_message == PRIVACY_BLOCKED
    assert types(world, "council") == []
    assert not kept_anywhere(world, MAIL)


@pytest.mark.covers("A-059", "A-097")
def test_a_direct_write_of_a_personal_value_needs_consent_too() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with pytest.raises(RefusedError) as refused:
        ada.sem_put(EMAIL, MAIL)
    assert refused.value.reason == "pii_needs_consent"
    assert len(redactions(world, "council")) == 1
    assert not kept_anywhere(world, MAIL)

    ada.consent("you may know my address")
    ada.sem_put(EMAIL, MAIL)

    assert ada.sem_get(EMAIL).value == MAIL


@pytest.mark.covers("A-059", "A-131")
def test_the_consent_given_to_an_agent_is_what_the_request_to_the_council_rests_on() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    consent_id = ada.consent("you may know my address")

    world.council().approve(promote(ada, MAIL))

    assert ada.sem_get(EMAIL).value == MAIL
    received = next(
        line.event
        for line in lines(world, "council")
        if isinstance(line.event, Received) and line.event.asked == "raise_request"
    )
    assert received.consent_id == consent_id
    assert any(isinstance(event, RequestRaised) for event in events(world, "council"))


def test_a_consent_for_one_job_covers_a_request_of_that_job_only() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with ada.job("seed-1") as job:
        job.consent("now")
        kept = job.episodic_write(f"mail {MAIL}")
        request_id = job.memory_promote_request(kept, EMAIL, "to write to", value=MAIL)
    with pytest.raises(RefusedError, match="pii_needs_consent"):
        ada.memory_promote_request(kept, EMAIL, "to write to", value=MAIL)

    assert [each.request_id for each in world.council().requests()] == [request_id]


def test_what_a_consent_lets_into_a_fact_is_not_thereby_in_any_episode() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.consent("you may know my address")

    promote(ada, MAIL)

    episodes = [event for event in events(world) if isinstance(event, EpisodeWritten)]
    assert len(episodes) == 2
    assert all(MAIL not in repr(each) for each in episodes)


def test_a_reason_with_personal_words_is_redacted_and_stops_nothing() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    kept = ada.remember("tea every morning")

    request_id = ada.memory_promote_request(
        kept.episodic_id, "user/profile/tuff/drink", f"{MAIL} said so", value="tea"
    )

    (waiting,) = world.council().requests()
    assert waiting.request_id == request_id
    assert waiting.justification.startswith("[email:")
    assert not kept_anywhere(world, MAIL)


def test_nobody_consents_for_the_person_that_a_key_names() -> None:
    world = memory()
    mia = world.agent("ada", user="mia")
    mia.consent("my own data")

    with pytest.raises(RefusedError, match="sem_not_your_own"):
        promote(mia, MAIL)


def test_nobody_is_asked_to_confirm_a_redacted_value() -> None:
    kept = memory().agent("ada", user="tuff").remember(f"Remember my email is {MAIL}")

    assert kept.stored
    assert kept.question is None


def test_a_mark_of_a_redaction_is_never_a_fact() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    mark = ada.remember(f"{MAIL}").text

    with pytest.raises(RefusedError, match="pii_needs_consent"):
        ada.sem_put(EMAIL, {"mail": mark})


@pytest.mark.parametrize("key", [f"user/profile/{MAIL}/x", f"user/profile/tuff/{MAIL}"])
def test_a_key_is_screened_like_any_other_word(key: str) -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with pytest.raises(RefusedError, match="pii_needs_consent"):
        ada.sem_put(key, "x")

    assert not kept_anywhere(world, MAIL)


@pytest.mark.parametrize("key", [MAIL, SECRET, "effect:x", "outcome:x", "ü" * 10_000])
def test_a_retry_key_is_kept_only_as_a_token(key: str) -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    first = ada.remember("once", key=key)
    again = ada.remember("once", key=key)

    assert first == again
    assert not kept_anywhere(world, key)


# ── Failing closed ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-011", "A-099")
def test_a_detector_that_fails_is_a_refusal() -> None:
    world = memory(detector=blind)
    ada = world.agent("ada", user="tuff")

    kept = ada.remember("perfectly plain words")

    assert (kept.stored, kept.reason) == (False, "PII_BLOCKED")
    assert not kept_anywhere(world, "perfectly plain")


def test_a_detector_that_fails_keeps_no_evidence_and_no_number_either() -> None:
    blinded = memory(detector=blind)

    with pytest.raises(RefusedError, match="PII_BLOCKED"):
        blinded.agent("ada", user="tuff").sem_put(EMAIL, {"n": 77123, "s": ["plain"]})

    assert not kept_anywhere(blinded, "77123")
    assert not kept_anywhere(blinded, "plain")


@pytest.mark.covers("A-011")
def test_a_text_too_long_to_be_read_is_refused_and_not_skimmed() -> None:
    world = memory()

    with (
        world.agent("ada", user="tuff").job("seed-1") as job,
        pytest.raises(RefusedError) as refused,
    ):
        job.episodic_write("a long one", {"text": "word " * 10_000})

    assert refused.value.reason == "value_too_large"
    assert not kept_anywhere(world, "word word")


def test_a_sentence_too_long_for_the_door_changes_nothing() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.remember("before")
    before = world.log(stream(world, "agent"))

    with pytest.raises(InputError):
        ada.remember("word " * 10_000)

    assert world.log(stream(world, "agent")) == before


def test_a_refusal_of_the_screen_says_why_and_what_was_asked() -> None:
    world = memory(detector=blind)

    world.agent("ada", user="tuff").remember("plain")

    denied = events(world)[-1]
    assert isinstance(denied, WriteDenied)
    assert (denied.reason, denied.asked) == ("PII_BLOCKED", "remember")


def test_what_was_screened_is_proved_again_from_what_is_kept() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.consent("keep it")
    ada.remember(f"mail {MAIL}", keep_raw=True)
    ada.remember(SECRET)
    world.council().approve(promote(ada, MAIL))

    assert [proof.shredded for proof in world.prove()] == [0, 0]


def test_names_that_the_engine_made_are_not_looked_at_in_what_it_derives_and_others_are() -> None:
    seen: list[str] = []

    def detector(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        seen.append(text)
        return screen.rules_only(text, regions)

    def screened(source_id: str) -> screen.Screened:
        command = MirrorEvent(
            source_id=source_id,
            source_seq=3,
            loop_id="loop:01KGMNH820C1SS3P8663TJ1C5C",
            kind=EventKind.USER_INPUT,
            visibility=Visibility.EXTERNAL,
            ts="2026-02-04T15:50:00.000Z",
            summary="asked for tea",
            importance=1,
        )
        return screen.screen(
            command, Privacy(), consented=False, pseudonym=lambda _: "", detector=detector
        )

    assert screened("01KGMNH823A2SG7Q5SNPJNT4MM").refused == ""
    assert seen == []
    assert screened(SECRET).refused == screen.SENSITIVE
