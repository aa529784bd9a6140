"""What a hostile reader tried, and must never get: each of these once worked."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests import world

import muniment
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.streams import admission
from muniment.model.commands import SetGoal
from muniment.model.errors import (
    InputError,
    IntegrityError,
    KeyReusedError,
    KeystoreError,
    MunimentError,
    NotFoundError,
    RefusedError,
)
from muniment.model.scope import StreamKind

PHONE = "+1 415 555 2671"


def a_key() -> str:
    return "AKIA" + "IOSFODNN7EXAMPLE"


def erase(memory: Memory, user: str) -> None:
    request = memory.eraser().request(user, reason="asked")
    memory.council().approve(request)
    memory.eraser().carry_out(request)


def told(memory: Memory, canary: str) -> list[str]:
    return [
        line.header.type
        for stream in memory.streams()
        for line in memory.log(stream)
        if canary in repr(line)
    ]


def test_another_process_that_held_the_desk_neither_serves_nor_writes_back_what_is_erased(
    tmp_path: Path,
) -> None:
    memory = muniment.open(tmp_path)
    alice = memory.agent("ada", user="alice")
    job = alice.job("seed", session="S")
    job.set_goal("g", "goal ZQCANARY")
    item = job.wm_insert({"type": "context", "value": "ZQCANARY value"})
    for _ in range(3):
        job.reference(item)
    job.tick()
    other = muniment.open(tmp_path)
    holder = other.agent("ada", user="alice")
    holder.remember("warm")
    assert "ZQCANARY" in repr(holder.cwm_get(session="S"))

    erase(memory, "alice")

    assert holder.cwm_get(session="S").items == ()
    for number in range(140):  # enough for a checkpoint
        holder.remember(f"filler {number}")
    other.close()
    with muniment.open(tmp_path) as fresh:
        bob = fresh.agent("ada", user="bob")
        assert "ZQCANARY" not in repr(bob.cwm_get(session="S"))
        assert bob.job("later").goals() == []
        assert told(fresh, "ZQCANARY") == []
        assert fresh.prove()


def test_an_erased_consent_lets_nothing_in_anywhere(tmp_path: Path) -> None:
    memory = muniment.open(tmp_path)
    memory.agent("ada", user="alice").consent("keep my number")
    other = muniment.open(tmp_path)
    holder = other.agent("ada", user="alice")
    holder.remember("warm")

    erase(memory, "alice")

    assert holder.remember(f"Call me on {PHONE}", keep_raw=True).reason == "PII_BLOCKED"


def test_receipts_that_waited_are_not_written_after_an_erasure(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        alice = memory.agent("ada", user="alice")
        alice.remember("hello there")
        alice.recall("ZQCANARY divorce lawyer")
        alice.conversation(session="s").recall("ZQCANARY again")
        erase(memory, "alice")
    with muniment.open(tmp_path) as fresh:
        assert told(fresh, "ZQCANARY") == []


def test_a_goal_has_codes_where_no_erasure_reaches() -> None:
    memory = world.memory()
    job = memory.agent("ada", user="alice").job("seed")

    with pytest.raises(InputError):
        job.set_goal("g", "text", status=PHONE)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        admission.admit(SetGoal(goal_id="g", text="t", kind=PHONE))  # type: ignore[arg-type]
    assert told(memory, PHONE) == []


def test_content_that_is_taken_without_an_erasure_is_an_integrity_failure(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        ada = memory.agent("ada", user="alice")
        for number in range(5):
            ada.remember(f"I saw {number} cats")
    (file,) = (tmp_path / "streams").glob("*.db")
    with sqlite3.connect(file) as thief:
        thief.execute("DROP TRIGGER fragment_is_only_emptied")
        thief.execute("UPDATE fragment SET data = NULL WHERE place >= 11264")
    thief.close()

    with muniment.open(tmp_path) as memory, pytest.raises(IntegrityError):
        memory.prove()


@pytest.mark.parametrize("damage", ["substr(header, 1, length(header) - 5)", "x'ff00' || header"])
def test_an_entry_that_cannot_be_read_any_more_is_an_integrity_failure_of_every_read(
    damage: str, tmp_path: Path
) -> None:
    """Also where a desk was put down behind it, and nothing before is heard again."""
    with muniment.open(tmp_path) as memory:
        ada = memory.agent("ada", user="alice")
        kept = ada.remember("I saw cats in the harbour").episodic_id
        for number in range(130):
            ada.remember(f"I saw {number} gulls")
    (file,) = (tmp_path / "streams").glob("*.db")
    with sqlite3.connect(file) as thief:
        thief.execute("DROP TRIGGER entry_stays")
        thief.execute(f"UPDATE entry SET header = CAST({damage} AS BLOB) WHERE seq = 4")  # noqa: S608
    thief.close()

    with muniment.open(tmp_path) as memory:
        ada = memory.agent("ada", user="alice")
        for read in (
            lambda: ada.episode(kept),
            lambda: ada.recall("cats"),
            lambda: ada.get_range(4, 4),
            lambda: ada.forget(kept),
            memory.prove,
        ):
            with pytest.raises(IntegrityError):
                read()


def test_a_council_that_vanished_is_missed_by_those_who_read_it(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        ada = memory.agent("ada", user="alice")
        ada.sem_put("user/profile/alice/x", "y")
        ada.remember("later")
        (council,) = (each for each in memory.streams() if each.kind is StreamKind.COUNCIL)
        ref = world.hub(memory).stream(council).ref
    for path in (tmp_path / "streams").glob(f"{ref}*"):
        path.unlink()

    with muniment.open(tmp_path) as memory, pytest.raises(IntegrityError):
        memory.prove()


def test_an_emptied_keystore_is_not_a_new_one(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        memory.agent("ada").remember("something")
    (tmp_path / "keys" / "keystore.db").write_bytes(b"")

    with pytest.raises(KeystoreError):
        muniment.open(tmp_path)


def test_goals_and_sessions_of_one_person_are_not_anothers() -> None:
    memory = world.memory()
    alice, bob = memory.agent("ada", user="alice"), memory.agent("ada", user="bob")
    his = bob.job("b", session="shared")
    his.set_goal("g1", "his divorce", major=True)
    item = his.wm_insert({"type": "context", "value": "his plan"})
    his.reference(item)
    his.reference(item)
    his.tick()
    hers = alice.job("a")

    assert hers.goals() == []
    assert alice.cwm_get(session="shared").items == ()
    hers.set_goal("g1", "her own")
    assert [goal.text for goal in his.goals()] == ["his divorce"]


def test_nobody_promotes_another_persons_words_by_naming_their_key() -> None:
    memory = world.memory()
    alice, bob = memory.agent("ada", user="alice"), memory.agent("ada", user="bob")
    his = bob.remember("I am ill with flu").episodic_id
    bob.consent("keep my number")

    with pytest.raises(RefusedError):
        alice.memory_promote_request(his, "user/profile/bob/illness")
    hers = alice.remember("he has a phone").episodic_id
    with pytest.raises(RefusedError):
        alice.memory_promote_request(hers, "user/profile/bob/phone", value=PHONE)
    with pytest.raises(RefusedError) as refused:
        alice.memory_promote_request(hers, "user/profile/bob/phone", value="blue")
    assert refused.value.reason == "sem_not_your_own"
    assert memory.council().requests() == []


def test_a_retry_key_belongs_to_one_person_and_never_swallows_words() -> None:
    memory = world.memory()
    alice, bob = memory.agent("ada", user="alice"), memory.agent("ada", user="bob")
    bob.remember("his words", key="k1")
    bob.remember("my password is hunter2hunter2", key="k3")

    assert alice.remember("innocent words", key="k3").stored
    with pytest.raises(KeyReusedError):
        bob.remember("innocent words after all", key="k3")
    erase(memory, "bob")
    assert alice.remember("her new words", key="k1").stored


def test_opening_a_job_again_with_its_key_is_safe_when_the_council_has_moved() -> None:
    memory = world.memory()
    bob = memory.agent("ada", user="bob")
    first = bob.job("seed", key="k")
    bob.sem_put("user/profile/bob/q", 1)

    assert bob.job("seed", key="k").number == first.number


@pytest.mark.parametrize("place", ["seed", "session", "trace_id", "goal", "forget", "reference"])
def test_a_secret_does_not_get_into_the_log_as_a_name(place: str) -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="alice")
    ada.remember("something")
    acts: dict[str, Callable[[], object]] = {
        "seed": lambda: ada.job(a_key()),
        "session": lambda: ada.job("s", session=a_key()),
        "trace_id": lambda: ada.job("s", trace_id=a_key()),
        "goal": lambda: ada.job("s").set_goal(a_key(), "text"),
        "forget": lambda: ada.forget(a_key()),
        "reference": lambda: ada.job("s").reference(a_key()),
    }

    with pytest.raises(RefusedError) as refused:
        acts[place]()

    assert refused.value.reason == "privacy_deny_sensitive"
    assert told(memory, a_key()) == []
    assert memory.prove()


def test_a_stream_of_another_tenant_is_as_good_as_absent(tmp_path: Path) -> None:
    north, south = muniment.open(tmp_path, tenant="n"), muniment.open(tmp_path, tenant="s")
    north.agent("ada").remember("the dog is called Bruno")
    (stream,) = north.streams()

    with pytest.raises(NotFoundError):
        south.log(stream)
    with pytest.raises(NotFoundError):
        south.head(stream)


BAD: dict[str, Callable[[Agent], object]] = {
    "batch": lambda ada: ada.remember_many(["one"], batch=0),
    "one text": lambda ada: ada.remember_many("hello"),
    "no text": lambda ada: ada.remember_many([None]),  # type: ignore[list-item]
    "budget": lambda ada: ada.context("x", budget=-1),
    "budget text": lambda ada: ada.context("x", budget="9"),  # type: ignore[arg-type]
    "half a character": lambda ada: ada.episode("\ud800"),
    "half an id": lambda ada: ada.get_by_id("\ud800"),
}


@pytest.mark.parametrize("what", sorted(BAD))
def test_bad_input_gets_a_typed_error_and_changes_nothing(what: str) -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="alice")
    ada.remember("something")
    seq = ada.seq

    with pytest.raises(MunimentError):
        BAD[what](ada)

    assert ada.seq == seq


def test_a_window_larger_than_any_memory_is_all_of_it() -> None:
    ada = world.memory().agent("ada", user="alice")
    ada.remember("something to find")

    assert len(ada.episodic_query("find", window_n=10**400)) == 1
