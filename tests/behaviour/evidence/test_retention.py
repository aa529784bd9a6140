"""Retention by days: what is due is shown, goes with its key, and the disk and the log agree."""

import hashlib
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests import world

from muniment.adapters.storage.sqlite.store import SqliteStore
from muniment.engine.api.memory import Memory
from muniment.engine.decide import RULES
from muniment.log.entry import genesis
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch
from muniment.model import ids
from muniment.model.commands import ExpireContent
from muniment.model.errors import IntegrityError, MunimentError, RefusedError, StoreError
from muniment.model.events import Shredded
from muniment.model.events.erasure import ContentExpired
from muniment.model.policy import Governance, Policy
from muniment.model.policy.keep_days import KINDS, KeepDays
from muniment.model.scope import PERIOD, agent_stream
from muniment.rules.retention_periods import KIND_OF

MARCH = ids.time_ms("2026-03-05T10:00:00.000Z")
DAY = 24 * 60
SHORT = Governance(retention_epochs=1)
# How a memory was governed, and what was destroyed, is kept for good.
FOR_GOOD = frozenset(
    [
        *("adopt_policy", "propose_patch", "carry_out", "give_consent", "revoke_consent"),
        *("begin_erasure", "complete_erasure", "expire_content", "place_hold", "lift_hold"),
        *("record_outcome", "record_incident", "record_access", "open_branch", "close_branch"),
    ]
)


def keeping(**days: int) -> Policy:
    return Policy(keep_days=KeepDays(**days), governance=SHORT)


class World:
    """A memory that is told records of every kind in March, under a policy."""

    def __init__(self, policy: Policy) -> None:
        self.clock = world.StillClock(MARCH)
        self.store, self.keyring = ScratchStore(), world.CountedKeyring()
        self.memory: Memory = world.memory(
            policy, clock=self.clock, store=self.store, keyring=self.keyring
        )
        self.ada = self.memory.agent("ada", user="tuff")

    def tell(self) -> None:
        self.ada.remember("The purple kite is in the attic")
        self.ada.conversation(session="s").record(user="The purple lamp is new, remember this")
        with self.ada.job("a job") as job:
            job.wm_insert({"type": "context", "value": "the purple roof"})
            told = {"type": "fact", "text": "The purple vase is here", "source": "user"}
            job.memorize(told | {"importance": 1, "key": "vase:here"})
        with self.ada.do("paint the purple door"):
            pass
        self.ada.documents().put(("notes",), "k", {"text": "The purple sofa is old"})
        self.ada.recall("What is purple?")
        self.ada.flush()

    def found(self) -> set[str]:
        known = {hit.text for hit in self.memory.onlooker("ada", user="tuff").recall("purple").hits}
        return {each.split()[2] for each in known if each.startswith("The purple")}

    def said(self) -> str:
        """Everything that the log of the agent still says, in one text."""
        events = [*world.events(self.memory), *world.events(self.memory, "collection")]
        return " ".join(str(event) for event in events if not isinstance(event, Shredded))

    def heads(self) -> dict[str, object]:
        return {stream: self.store.head(stream) for stream in self.store.streams()}

    def pass_days(self, days: int) -> None:
        self.clock.later(minutes=days * DAY)


def test_every_command_tells_a_kind_of_record_or_is_kept_for_good() -> None:
    assert set(RULES) == set(KIND_OF) | FOR_GOOD
    assert not set(KIND_OF) & FOR_GOOD


def test_what_is_due_is_shown_before_it_goes_and_nothing_is_changed_by_looking() -> None:
    it = World(keeping(sentences=30, conversations=60))
    it.tell()
    heads = it.heads()
    assert it.memory.admin().due() == []
    soon = it.memory.admin().due(within=90)
    assert {(each.kind, each.told, each.goes_on) for each in soon} == {
        ("derived", "2026-03-05", "2026-04-04"),  # as what it may rest on
        ("sentences", "2026-03-05", "2026-04-04"),
        ("conversations", "2026-03-05", "2026-05-04"),
    }
    assert all(each.entries and each.bytes for each in soon)
    assert it.heads() == heads


def test_what_is_due_goes_and_what_is_not_stays() -> None:
    it = World(keeping(sentences=30))
    it.tell()
    it.pass_days(29)
    assert it.memory.admin().carry_out_due() == []
    it.ada.remember("The purple bell is loud")
    it.pass_days(1)
    gone = it.memory.admin().carry_out_due()
    assert ("sentences", "2026-03-05") in {(each.kind, each.told) for each in gone}
    assert it.found() == {"lamp", "vase", "sofa", "bell"}
    assert "kite" not in it.said()
    assert it.memory.admin().due() == []
    assert all(proof.undecided == 0 for proof in it.memory.prove())


@pytest.mark.parametrize("kind", sorted({"sentences", "conversations", "memos", "documents"}))
def test_each_kind_goes_by_its_own_days(kind: str) -> None:
    it = World(keeping(**{kind: 10}))
    it.tell()
    it.pass_days(10)
    it.memory.admin().carry_out_due()
    word = {"sentences": "kite", "conversations": "lamp", "memos": "vase", "documents": "sofa"}
    assert it.found() == set(word.values()) - {word[kind]}
    assert word[kind] not in it.said()
    it.memory.prove()


def test_where_every_kind_is_kept_by_days_no_word_is_left() -> None:
    it = World(keeping(**dict.fromkeys(KINDS, 7)))
    it.tell()
    assert "purple" in it.said()
    it.pass_days(7)
    it.memory.admin().carry_out_due()
    assert "purple" not in it.said()
    assert it.found() == set()
    it.memory.prove()
    it.ada.remember("The purple bell is loud")  # and it goes on
    assert it.found() == {"bell"}


def test_an_old_copy_of_the_store_cannot_be_read_with_the_keys_of_today() -> None:
    it = World(keeping(sentences=30))
    it.tell()
    copy = ScratchStore()
    for stream in it.store.streams():
        for entry in it.store.read(stream):
            copy.append(
                stream,
                Batch(entries=(entry,)),
                expect=copy.head(stream) or genesis(stream),
            )
    it.pass_days(30)
    it.memory.admin().carry_out_due()
    restored = world.memory(it.ada.policy, store=copy, keyring=it.keyring, clock=it.clock)
    assert "kite" not in str(world.events(restored))
    assert "vase" in str(world.events(restored))


def test_what_was_told_before_the_policy_goes_by_the_month() -> None:
    it = World(Policy(governance=SHORT))
    it.tell()
    it.memory.admin().adopt_policy(keeping(sentences=30), agent="ada", reason="the law")
    (due,) = [each for each in it.memory.admin().due(within=90) if each.kind == "sentences"]
    assert (due.told, due.goes_on) == ("2026-03", "2026-04-30")


def test_nothing_goes_for_age_within_the_days_of_immutability() -> None:
    it = World(Policy(keep_days=KeepDays(sentences=30)))
    it.tell()
    (due,) = [each for each in it.memory.admin().due(within=200) if each.kind == "sentences"]
    assert due.goes_on == "2026-06-03"  # governance.retention_epochs: 90


def test_a_legal_hold_keeps_the_period_and_lifting_it_lets_it_go() -> None:
    it = World(keeping(sentences=30))
    it.tell()
    it.pass_days(40)
    hold = it.memory.admin().place_hold(user="tuff", reason="order 7")
    held = [each for each in it.memory.admin().due() if each.kind == "sentences"]
    assert [each.held for each in held] == [(hold,)]
    assert it.memory.admin().carry_out_due() == []
    assert "kite" in it.found()
    it.memory.admin().lift_hold(hold)
    it.memory.admin().carry_out_due()
    assert "kite" not in it.found()
    it.memory.prove()


def test_a_hold_in_a_period_is_refused_by_the_log_itself() -> None:
    it = World(keeping(sentences=30))
    it.tell()
    it.pass_days(40)
    command = ExpireContent(period="sentences/2026-03-05", ref="r", entries=1, holds=("hold:1",))
    hands = it.memory.admin()._keeping
    with pytest.raises(RefusedError, match="held"):
        hands._append_or_raise(agent_stream("main", "ada"), command)


@pytest.mark.parametrize("period", ["sentences/2026-04-13", "memos/2026-03-05"])
def test_what_is_not_due_is_refused_by_the_log_itself(period: str) -> None:
    it = World(keeping(sentences=30))
    it.tell()
    it.pass_days(40)
    hands = it.memory.admin()._keeping
    command = ExpireContent(period=period, ref="r", entries=1)
    with pytest.raises(RefusedError, match="retention_immutable"):
        hands._append_or_raise(agent_stream("main", "ada"), command)


def test_what_was_forgotten_does_not_come_back_when_the_forgetting_is_due_first() -> None:
    it = World(keeping(sentences=10))
    with it.ada.job("a job") as job:
        told = {"type": "fact", "text": "The purple vase is here", "source": "user"}
        memo = job.memorize(told | {"importance": 1, "key": "vase:here"})
    it.ada.forget(memo.id)
    it.ada.remember("The purple kite is in the attic")
    it.pass_days(10)
    assert [each.waits for each in it.memory.admin().due() if each.kind == "sentences"] == [True]
    it.memory.admin().carry_out_due()
    assert it.found() == {"kite"}
    it.memory.prove()


def test_content_that_is_gone_without_an_order_fails_the_proof() -> None:
    it = World(keeping(sentences=30))
    it.tell()
    ref = next(ref for ref, name in it.keyring.known(PERIOD) if "sentences" in name)
    it.keyring.destroy(ref)
    with pytest.raises(MunimentError) as caught:
        it.memory.prove()
    assert isinstance(caught.value, IntegrityError)


def test_a_run_that_was_killed_is_finished_by_the_next() -> None:
    it = World(keeping(sentences=30))
    it.tell()
    it.pass_days(30)
    empty = it.store.empty
    it.store.empty = _broken  # type: ignore[method-assign]
    with pytest.raises(StoreError):
        it.memory.admin().carry_out_due()
    it.store.empty = empty  # type: ignore[method-assign]
    it.memory.admin().carry_out_due()
    assert "kite" not in it.said()
    stream = it.keyring.find("stream", agent_stream("main", "ada").text) or ""
    orders = [each for each in world.events(it.memory) if isinstance(each, ContentExpired)]
    assert len(orders) == len({each.ref for each in orders})
    assert any(not any(entry.parts) for entry in it.store.read(stream) if entry.parts)
    it.memory.prove()


def _broken(stream: str, seqs: object) -> int:
    del stream, seqs
    raise StoreError("the plug was pulled")


def test_a_branch_loses_what_its_memory_loses() -> None:
    it = World(keeping(sentences=30))
    it.tell()
    branch = it.memory.branch("try")
    branch.agent("ada", user="tuff").remember("The purple bell is loud")
    it.pass_days(30)
    it.memory.admin().carry_out_due()
    hits = branch.agent("ada", user="tuff").recall("purple").hits
    assert {"The purple kite is in the attic", "The purple bell is loud"}.isdisjoint(
        hit.text for hit in hits
    )
    it.memory.prove()


def test_the_files_shrink_and_the_chain_still_verifies(tmp_path: Path) -> None:
    clock, keyring = world.StillClock(MARCH), world.CountedKeyring()
    policy = keeping(sentences=30)
    with closing(SqliteStore(tmp_path, ballast_bytes=0)) as store:
        ada = world.memory(policy, store=store, clock=clock, keyring=keyring).agent("ada")
        for n in range(40):
            noise = hashlib.shake_128(str(n).encode()).hexdigest(1500)
            words = " ".join(noise[at : at + 5] for at in range(0, len(noise), 5))
            ada.remember(f"Kite {n} is in the attic beside {words}")
    before = _size(tmp_path)
    clock.later(minutes=30 * DAY)
    with closing(SqliteStore(tmp_path, ballast_bytes=0)) as store:
        memory = world.memory(policy, store=store, clock=clock, keyring=keyring)
        assert sum(each.entries for each in memory.admin().carry_out_due()) >= 40
        memory.prove()
    assert _size(tmp_path) < before * 2 // 3


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.db*"))


def test_the_answer_of_a_door_is_a_plain_value() -> None:
    it = World(keeping(sentences=30))
    it.tell()
    due = it.memory.admin().due(within=40)
    assert msgspec.json.decode(msgspec.json.encode(due[0]))["entries"] > 0
