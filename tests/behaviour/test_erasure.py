"""Erasure: two hands order it, a destroyed key carries it out, and the chain still proves."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import msgspec
import pytest
from tests.faults import FaultyStore
from tests.world import CountedKeyring, SteppingClock, events, hub, lines, memory, types

import muniment
from muniment.engine.api.memory import Memory
from muniment.engine.audit.erasure import Erasure
from muniment.engine.audit.erasure_scan import KIND, Residue
from muniment.log.entry import Head
from muniment.log.store import Batch
from muniment.model import canonical_json
from muniment.model.errors import (
    AwaitsApprovalError,
    ErasureUnfinishedError,
    InputError,
    JobClosedError,
    MunimentError,
    NotFoundError,
    RefusedError,
    StoreError,
)
from muniment.model.events import (
    RequestSettled,
    Shredded,
)
from muniment.model.events.erasure import DeletionOrdered, ErasureCompleted
from muniment.model.policy import preset

DRINK = "user/profile/user_tuff/drink"
TEA = "tea with lemon every morning"


class FrailKeyring(CountedKeyring):
    """Keys that can refuse to be destroyed."""

    def __init__(self) -> None:
        super().__init__()
        self.frail = False

    def destroy(self, ref: str) -> None:
        if self.frail:
            raise StoreError("the keys cannot be written")
        super().destroy(ref)


class Scanner:
    """A scan that finds what it is told to find, and remembers what it was asked to look for."""

    def __init__(self) -> None:
        self.needles: list[list[bytes]] = []
        self.finds: tuple[str, ...] = ()
        self.broken = False

    def __call__(self, needles: list[bytes]) -> Residue:
        if self.broken:
            raise StoreError("a file cannot be read")
        self.needles.append(needles)
        return Residue(files=3, found=self.finds, digest="d" * 64)


def lived_in(of: Memory) -> None:
    """Two people have used an agent: one of them will be erased."""
    tuff, mia = of.agent("ada", user="tuff"), of.agent("ada", user="mia")
    tuff.remember(TEA)
    tuff.remember("Remember my drink is tea")
    tuff.sem_put(DRINK, TEA)
    mia.remember("coffee after lunch")
    mia.sem_put("user/profile/mia/drink", "coffee after lunch")
    with tuff.job("seed-tuff") as job:
        item = job.wm_insert({"type": "fact", "value": TEA})
        job.reference(item)
        job.reference(item)
        job.tick()
        job.set_goal("g", f"serve {TEA}")
    with mia.job("seed-mia") as job:
        job.episodic_write("coffee was served")


def approved(of: Memory, user: str = "tuff") -> str:
    request_id = of.eraser("root").request(user, reason="the person asked")
    of.council("bea").approve(request_id)
    return request_id


def erase(of: Memory, user: str = "tuff") -> Erasure:
    return of.eraser("root").carry_out(approved(of, user))


def readable(of: Memory) -> Iterator[bytes]:
    """Everything anyone could still read: entries opened, desks, names of people."""
    for each in of.streams():
        yield from (canonical_json.encode(line.event) for line in of.log(each))
        yield canonical_json.encode(msgspec.to_builtins(hub(of).writer(each).desk, str_keys=True))
    for kind in ("subject", "actor"):
        yield from (name.encode() for _, name in hub(of).parts.world.keyring.known(kind))


def holds(of: Memory, text: str) -> bool:
    return any(text.encode() in piece for piece in readable(of))


# ── Who may, and when ───────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-146")
def test_an_erasure_needs_the_council_and_an_administrator() -> None:
    world = memory(preset("team"))
    lived_in(world)
    eraser = world.eraser("root")
    request_id = eraser.request("tuff", reason="the person asked")

    with pytest.raises(RefusedError, match="req:"):
        eraser.carry_out(request_id)
    world.council("bea").approve(request_id)
    with pytest.raises(RefusedError, match="req:"):
        eraser.carry_out(request_id)
    assert world.agent("ada", user="tuff").sem_get(DRINK).exists
    assert world.council("cyd").approve(request_id) == "approved"
    assert world.agent("ada", user="tuff").sem_get(DRINK).exists

    eraser.carry_out(request_id)

    assert not world.agent("ada", user="tuff").sem_get(DRINK).exists


@pytest.mark.covers("A-146")
def test_a_rejected_erasure_destroys_nothing() -> None:
    world = memory()
    lived_in(world)
    request_id = world.eraser("root").request("tuff", reason="a mistake")
    world.council("bea").reject(request_id)

    with pytest.raises(RefusedError) as refused:
        world.eraser("root").carry_out(request_id)

    assert refused.value.reason == "erasure_not_approved"
    assert holds(world, TEA)


@pytest.mark.covers("A-146")
def test_an_erasure_is_recorded_by_a_deletion_event_and_a_receipt() -> None:
    world = memory()
    lived_in(world)

    done = erase(world)

    told = events(world, "council")
    (ordered,) = (event for event in told if isinstance(event, DeletionOrdered))
    (completed,) = (event for event in told if isinstance(event, ErasureCompleted))
    assert (ordered.request_id, ordered.basis, ordered.approved_by) == (
        done.request_id,
        "subject_request",
        1,
    )
    assert (completed.fragments, completed.request_id) == (done.fragments, done.request_id)
    assert done.fragments == sum(
        isinstance(line.event, Shredded) for each in world.streams() for line in world.log(each)
    )
    assert types(world, "council").index("deletion_event") < types(world, "council").index(
        "erasure_completed"
    )
    assert told[-1] == RequestSettled(
        request_id=done.request_id, outcome="executed", approvals=ordered.approved_by
    )


def test_a_stranger_cannot_be_erased() -> None:
    world = memory()
    lived_in(world)

    with pytest.raises(NotFoundError):
        world.eraser().request("nobody", reason="x")


def test_an_approved_write_or_deletion_is_no_leave_to_erase() -> None:
    world = memory()
    lived_in(world)
    request_id = world.admin("root").request_deletion(DRINK, reason="x")
    world.council("bea").approve(request_id)

    with pytest.raises(RefusedError) as refused:
        world.eraser("root").carry_out(request_id)

    assert refused.value.reason == "erasure_not_approved"


@pytest.mark.covers("A-145")
def test_for_retention_alone_nothing_goes_before_its_time() -> None:
    clock = SteppingClock()
    world = memory(clock=clock)
    lived_in(world)
    request_id = approved(world)

    for days in (0, 60, 29):
        clock.later(days=days)
        with pytest.raises(RefusedError) as refused:
            world.eraser("root").carry_out(request_id, basis="retention")
        assert refused.value.reason == "retention_immutable"
        assert holds(world, TEA)
    clock.later(days=1)

    assert world.eraser("root").carry_out(request_id, basis="retention").fragments
    assert not holds(world, TEA)


@pytest.mark.covers("A-145")
def test_the_newest_record_decides_how_long_retention_runs() -> None:
    clock = SteppingClock()
    world = memory(clock=clock)
    lived_in(world)
    clock.later(days=100)
    world.agent("ada", user="tuff").remember("tea once more")

    with pytest.raises(RefusedError, match="retention_immutable"):
        world.eraser("root").carry_out(approved(world), basis="retention")


@pytest.mark.covers("A-145")
def test_without_a_clock_retention_never_runs_out() -> None:
    world = memory()
    lived_in(world)

    with pytest.raises(RefusedError, match="retention_immutable"):
        world.eraser("root").carry_out(approved(world), basis="retention")


@pytest.mark.covers("A-145")
@pytest.mark.parametrize("basis", ["", "housekeeping", "Retention"])
def test_there_is_no_third_basis(basis: str) -> None:
    world = memory()
    lived_in(world)

    with pytest.raises(RefusedError) as refused:
        world.eraser("root").carry_out(approved(world), basis=basis)

    assert refused.value.reason == "basis_unknown"
    assert holds(world, TEA)


@pytest.mark.covers("A-145")
def test_forgetting_takes_nothing_out_of_the_log() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    kept = ada.remember(TEA)
    before = lines(world)

    ada.forget(kept.episodic_id, reason="not now")

    assert lines(world)[: len(before)] == before
    assert ada.recall("tea").hits == ()
    assert [hit.text for hit in ada.recall("tea", at=kept.seq).hits] == [TEA]


# ── What is gone, and what stays ────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-146")
def test_facts_episodes_and_desk_of_the_person_are_gone() -> None:
    world = memory()
    lived_in(world)
    assert holds(world, TEA)
    assert holds(world, "tuff")

    erase(world)

    tuff = world.agent("ada", user="tuff")
    assert not holds(world, TEA)
    assert not holds(world, "user_tuff")
    assert not holds(world, "person:tuff")
    assert tuff.recall("tea lemon morning").hits == ()
    assert tuff.episodic_query("tea lemon morning") == []
    assert tuff.sem_search("user/profile/tuff") == []
    assert "lemon" not in str(tuff.context("tea"))
    assert tuff.cwm_get(session="seed-tuff").items == ()
    assert world.admin().facts(reason="a look")[0].key == "user/profile/user_mia/drink"


def test_not_even_the_past_knows_the_person() -> None:
    world = memory()
    lived_in(world)
    ada = world.agent("ada", user="tuff")
    ada.sem_get(DRINK)
    then = ada.remember("a last word").seq

    erase(world)

    again = world.agent("ada", user="tuff")
    assert again.recall("tea lemon morning", at=then).hits == ()
    assert not again.sem_get(DRINK, at=then).exists
    assert "lemon" not in repr(again.get_range())


def test_another_persons_data_is_untouched() -> None:
    world, other = memory(), memory()
    for each in (world, other):
        lived_in(each)

    erase(world)

    def seen(of: Memory) -> list[object]:
        mia = of.agent("ada", user="mia")
        return [
            [hit.text for hit in mia.recall("coffee").hits],
            [each.entry for each in mia.episodic_query("coffee")],
            mia.sem_get("user/profile/mia/drink"),
            mia.sem_search("user/profile/mia"),
        ]

    assert seen(world) == seen(other)


def test_one_persons_name_is_not_erased_with_another_that_begins_alike() -> None:
    world = memory()
    world.agent("ada", user="tuff").sem_put(DRINK, TEA)
    world.agent("ada", user="tuffy").sem_put("user/profile/tuffy/drink", "coffee after lunch")

    erase(world)

    assert world.agent("ada", user="tuffy").sem_get("user/profile/tuffy/drink").exists


def test_what_an_agent_without_a_user_says_of_a_person_is_erased_with_them() -> None:
    world = memory()
    ada = world.agent("ada")
    kept = ada.remember("somebody spoke", origin="agent").episodic_id
    world.council().approve(ada.memory_promote_request(kept, DRINK, "heard it", value=TEA))
    assert holds(world, TEA)

    erase(world)

    assert not holds(world, TEA)


def test_a_question_of_the_council_about_the_person_is_gone_too() -> None:
    world = memory(preset("team"))
    tuff = world.agent("ada", user="tuff")
    kept = tuff.remember(TEA).episodic_id
    open_id = tuff.memory_promote_request(kept, DRINK, "said so", value=TEA)
    world.council("bea").abstain(open_id, reason="is it tea with lemon")
    request_id = world.eraser("root").request("tuff", reason="the person asked")
    world.council("bea").approve(request_id)
    world.council("cyd").approve(request_id)

    world.eraser("root").carry_out(request_id)

    assert world.council("bea").requests() == []
    assert not holds(world, "tea with lemon")
    with pytest.raises(NotFoundError):
        world.council("bea").request(open_id)
    with pytest.raises(RefusedError, match="req:"):
        world.council("cyd").approve(open_id)
    assert "sem_put" not in types(world, "council")


def test_what_a_vote_said_that_came_too_late_is_gone_too() -> None:
    world = memory()
    tuff = world.agent("ada", user="tuff")
    kept = tuff.remember(TEA).episodic_id
    settled = tuff.memory_promote_request(kept, DRINK, "said so", value=TEA)
    world.council("bea").approve(settled)
    with pytest.raises(RefusedError, match="req:"):
        world.council("cyd").reject(settled, reason="they drink it with cardamom")
    assert holds(world, "cardamom")

    erase(world)

    assert not holds(world, "cardamom")
    assert all(world.prove())


def test_an_open_job_of_the_person_is_over() -> None:
    world = memory()
    job = world.agent("ada", user="tuff").job("seed-1")
    job.wm_insert({"type": "fact", "value": TEA})

    erase(world)

    assert not job.is_open
    with pytest.raises(JobClosedError):
        job.wm_insert({"type": "fact", "value": TEA})


def test_the_scan_looks_for_what_was_said_and_for_the_key_itself() -> None:
    scanner = Scanner()
    world = memory()
    lived_in(world)
    key = hub(world).parts.world.keyring.key(_ref(world))
    watched = Memory(hub(world).parts, scanner=scanner)

    done = erase(watched)

    (needles,) = scanner.needles
    assert TEA.encode() in needles
    assert key in needles
    assert b"coffee after lunch" not in needles
    assert (done.scanned_files, done.scan_digest) == (3, "d" * 64)


# ── Proof ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-146")
def test_the_chain_verifies_before_and_after_with_the_same_hashes() -> None:
    world = memory()
    lived_in(world)
    before = {each.text: [line.hash for line in world.log(each)] for each in world.streams()}
    assert sum(proof.shredded for proof in world.prove()) == 0

    done = erase(world)

    for each in world.streams():
        assert [line.hash for line in world.log(each)][: len(before[each.text])] == before[
            each.text
        ]
    assert sum(proof.shredded for proof in world.prove()) == done.fragments


@pytest.mark.parametrize("votes", [[], ["approve"], ["reject"], ["abstain", "approve"]])
@pytest.mark.parametrize("ticks", [0, 1, 3])
def test_votes_and_deadlines_of_an_erased_question_still_prove(
    votes: list[str], ticks: int
) -> None:
    policy = preset("team")
    rules = msgspec.structs.replace(policy.governance, request_timeout_ticks=2)
    world = memory(msgspec.structs.replace(policy, governance=rules))
    tuff = world.agent("ada", user="tuff")
    kept = tuff.remember(TEA).episodic_id
    open_id = tuff.memory_promote_request(kept, DRINK, "said so", value=TEA)
    for n, vote in enumerate(votes):
        world.council(f"member-{n}").vote(open_id, vote)
    for _ in range(ticks):
        world.council("bea").tick()
    request_id = world.eraser("root").request("tuff", reason="the person asked")
    world.council("bea").approve(request_id)
    world.council("cyd").approve(request_id)

    world.eraser("root").carry_out(request_id)
    world.council("bea").tick()
    world.council("bea").tick()

    digests = {proof.stream: proof.projections for proof in world.prove()}
    assert world.rebuild() == digests
    assert world.council("bea").requests() == []


def test_what_others_did_is_decided_again_as_if_nobody_had_gone() -> None:
    world = memory()
    lived_in(world)
    assert [proof.undecided for proof in world.prove()] == [0, 0]

    erase(world)

    # The job of the other person began with their own goals, not with those that are gone.
    assert [proof.undecided for proof in world.prove()] == [0, 0]


def test_nothing_that_stays_readable_can_be_used_to_guess_at_what_is_gone() -> None:
    world = memory()
    tuff = world.agent("ada", user="tuff")
    kept = tuff.remember(TEA).episodic_id
    tuff.memory_promote_request(kept, DRINK, "said so", value=TEA)
    (asked,) = world.council().requests()
    assert holds(world, asked.binding)

    erase(world)

    assert not holds(world, asked.binding)


def test_what_happened_after_an_erasure_proves_as_well() -> None:
    world = memory()
    lived_in(world)
    erase(world)

    lived_in_again = world.agent("ada", user="tuff")
    lived_in_again.remember("back again")
    lived_in_again.sem_put(DRINK, "water")
    erase(world, "mia")

    assert {proof.stream for proof in world.prove()} == {
        "main/agent/ada/actor",
        "main/council//actor",
    }
    assert lived_in_again.sem_get(DRINK).value == "water"


# ── Names and coming back ───────────────────────────────────────────────────────────────────────


def busy(of: Memory) -> list[str]:
    """A person does a little of everything; the names that were given out for it."""
    tuff = of.agent("ada", user="tuff")
    names = [tuff.remember(f"tea number {n}").episodic_id for n in range(3)]
    with tuff.job() as job:
        names += [job.seed, job.episodic_write(TEA)]
        names.append(job.wm_insert({"type": "fact", "value": TEA}))
    question = tuff.remember("Remember my drink is tea").question
    assert question is not None
    return [*names, question.confirmation_id, tuff.confirm(question.confirmation_id)]


def test_ids_are_not_given_twice_afterwards() -> None:
    world = memory()
    before = busy(world)
    erase(world)

    after = busy(world)

    assert set(before).isdisjoint(after)
    entries = [line.header.id for line in lines(world)]
    assert len(set(entries)) == len(entries)


def test_a_seed_that_an_erased_job_had_is_not_used_again() -> None:
    world = memory()
    world.agent("ada", user="tuff").job("seed-1").commit()
    erase(world)

    with pytest.raises(RefusedError, match="job_seed_used"):
        world.agent("ada", user="tuff").job("seed-1")


def test_the_person_may_come_back_under_a_new_key() -> None:
    world = memory()
    lived_in(world)
    before = _ref(world)
    erase(world)

    tuff = world.agent("ada", user="tuff")
    assert tuff.remember("hello again").stored
    tuff.sem_put(DRINK, "water")

    assert _ref(world) != before
    assert hub(world).parts.world.keyring.key(before) is None
    assert tuff.sem_get(DRINK).value == "water"
    assert [hit.text for hit in tuff.recall("hello").hits] == ["hello again"]
    assert len(world.prove()) == 2


def test_a_redaction_of_before_and_one_of_after_cannot_be_linked() -> None:
    world = memory()
    tuff = world.agent("ada", user="tuff")
    before = tuff.remember("mail tuff@example.com").text
    erase(world)

    assert tuff.remember("mail tuff@example.com").text != before


def test_a_person_is_erased_under_any_spelling() -> None:
    world = memory()
    lived_in(world)

    erase(world, "TUFF")

    assert not holds(world, TEA)


def test_erasing_nobody_says_so() -> None:
    with pytest.raises(InputError):
        memory().eraser().request("!!", reason="x")


# ── Crashes ─────────────────────────────────────────────────────────────────────────────────────


def breaks_order(store: FaultyStore, keyring: FrailKeyring, scanner: Scanner) -> None:
    del scanner
    store.fail(1, 2, only=keyring.ref("stream", "main/council//actor"))


def breaks_shred(store: FaultyStore, keyring: FrailKeyring, scanner: Scanner) -> None:
    del keyring, scanner
    store.break_call("shred")


def breaks_keys(store: FaultyStore, keyring: FrailKeyring, scanner: Scanner) -> None:
    del store, scanner
    keyring.frail = True


def breaks_shelve(store: FaultyStore, keyring: FrailKeyring, scanner: Scanner) -> None:
    del keyring, scanner
    store.break_call("shelve")


def breaks_scan(store: FaultyStore, keyring: FrailKeyring, scanner: Scanner) -> None:
    del store, keyring
    scanner.broken = True


def leaves_residue(store: FaultyStore, keyring: FrailKeyring, scanner: Scanner) -> None:
    del store, keyring
    scanner.finds = ("a file",)


def breaks_receipt(store: FaultyStore, keyring: FrailKeyring, scanner: Scanner) -> None:
    del scanner
    store.fail(2, 3, only=keyring.ref("stream", "main/council//actor"))


STEPS = (
    breaks_order,
    breaks_shred,
    breaks_keys,
    breaks_shelve,
    breaks_scan,
    leaves_residue,
    breaks_receipt,
)


@pytest.mark.covers("A-146")
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("restart", [False, True])
def test_wherever_it_breaks_off_a_second_run_completes_it(
    step: Callable[[FaultyStore, FrailKeyring, Scanner], None], *, restart: bool
) -> None:
    store, keyring, scanner = FaultyStore(), FrailKeyring(), Scanner()
    world = Memory(hub(memory(store=store, keyring=keyring)).parts, scanner=scanner)
    lived_in(world)
    request_id = approved(world)
    key = keyring.key(_ref(world))
    step(store, keyring, scanner)

    with pytest.raises(MunimentError):
        world.eraser("root").carry_out(request_id)
    assert "erasure_completed" not in types(world, "council")
    store.recover()
    keyring.frail, scanner.broken, scanner.finds = False, False, ()
    if restart:
        world = Memory(hub(world).parts, scanner=scanner)
    done = world.eraser("root").carry_out(request_id)

    assert types(world, "council").count("deletion_event") == 1
    assert types(world, "council").count("erasure_completed") == 1
    assert done.fragments == sum(proof.shredded for proof in world.prove()) > 0
    # Whichever run scanned last, it still knew the words and the key, and now nobody does.
    assert TEA.encode() in scanner.needles[-1]
    assert key in scanner.needles[-1]
    assert keyring.known(KIND) == []
    assert not holds(world, TEA)
    assert not holds(world, "person:tuff")
    assert world.agent("ada", user="tuff").recall("tea lemon").hits == ()
    assert world.agent("ada", user="mia").sem_get("user/profile/mia/drink").exists
    for proof in world.prove():
        assert world.rebuild()[proof.stream] == proof.projections


@pytest.mark.covers("A-146")
def test_a_proof_names_the_erasure_that_was_cut_off_before_the_shelves_were_folded_again() -> None:
    store, keyring, scanner = FaultyStore(), FrailKeyring(), Scanner()
    world = Memory(hub(memory(store=store, keyring=keyring)).parts, scanner=scanner)
    lived_in(world)
    request_id = approved(world)
    breaks_shelve(store, keyring, scanner)
    with pytest.raises(StoreError):
        world.eraser("root").carry_out(request_id)
    store.recover()

    with pytest.raises(ErasureUnfinishedError, match=f"carry out {request_id} again"):
        world.prove()
    world.eraser("root").carry_out(request_id)

    assert world.prove()


def test_residue_is_reported_and_nothing_is_called_complete() -> None:
    scanner = Scanner()
    world = Memory(hub(memory()).parts, scanner=scanner)
    lived_in(world)
    scanner.finds = ("ada.db",)

    with pytest.raises(RefusedError) as refused:
        erase(world)

    assert refused.value.reason == "erasure_left_residue"
    assert "ada.db" in refused.value.detail
    assert "erasure_completed" not in types(world, "council")


class Hoard:
    """A scan of one place that nobody clears: it holds what was said there."""

    def __init__(self) -> None:
        self.kept = b"notes: " + TEA.encode()

    def __call__(self, needles: list[bytes]) -> Residue:
        found = ("notes",) if any(needle in self.kept for needle in needles) else ()
        return Residue(files=1, found=found, digest="d" * 64)


def test_residue_is_found_by_every_run_until_it_is_gone() -> None:
    hoard = Hoard()
    world = Memory(hub(memory()).parts, scanner=hoard)
    lived_in(world)
    request_id = approved(world)
    for _ in range(3):  # the key is gone after the first: nothing can be read again
        with pytest.raises(RefusedError, match="notes"):
            world.eraser("root").carry_out(request_id)
    hoard.kept = b""
    world.eraser("root").carry_out(request_id)
    assert types(world, "council").count("erasure_completed") == 1


class Cut(BaseException):
    """The process ends here."""


class Countdown:
    """Ends the process before the n-th thing that it would change or look at."""

    def __init__(self) -> None:
        self.left = 0

    def __call__(self) -> None:
        self.left -= 1
        if self.left == 0:
            raise Cut


class CutStore(FaultyStore):
    def __init__(self, step: Countdown) -> None:
        super().__init__()
        self.step = step

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        self.step()
        super().append(stream, batch, expect=expect)

    def shred(self, stream: str, subject: str) -> int:
        self.step()
        return super().shred(stream, subject)

    def reset(self, stream: str) -> None:
        self.step()
        super().reset(stream)


class CutKeyring(CountedKeyring):
    def __init__(self, step: Countdown) -> None:
        super().__init__()
        self.step = step

    def ref(self, kind: str, name: str) -> str:
        if kind == KIND:
            self.step()
        return super().ref(kind, name)

    def destroy(self, ref: str) -> None:
        self.step()
        super().destroy(ref)


def cut_and_run_again(at: int) -> bool:
    """Whether the first run was cut; whatever became of it, the second one leaves no doubt."""
    step, scanner = Countdown(), Scanner()
    keyring = CutKeyring(step)

    def scan(needles: list[bytes]) -> Residue:
        step()
        return scanner(needles)

    world = Memory(hub(memory(store=CutStore(step), keyring=keyring)).parts, scanner=scan)
    lived_in(world)
    request_id, key = approved(world), keyring.key(_ref(world))
    step.left = at
    try:
        world.eraser("root").carry_out(request_id)
    except Cut:
        world = Memory(hub(world).parts, scanner=scan)
        if "erasure_completed" not in types(world, "council"):
            world.eraser("root").carry_out(request_id)
    cut = step.left <= 0
    assert {TEA.encode(), key} <= set(scanner.needles[-1]), at
    assert types(world, "council").count("erasure_completed") == 1
    assert not any(TEA in name for _, name in keyring.known(KIND)), at
    assert not holds(world, TEA)
    return cut


def test_wherever_the_process_ends_the_last_scan_knew_what_to_look_for() -> None:
    cuts = next(at for at in count(1) if not cut_and_run_again(at)) - 1
    assert cuts > 10


def test_a_completed_erasure_is_not_carried_out_again() -> None:
    world = memory()
    lived_in(world)
    done = erase(world)

    with pytest.raises(RefusedError) as refused:
        world.eraser("root").carry_out(done.request_id)

    assert refused.value.reason == "erasure_not_approved"


def _ref(of: Memory) -> str:
    ref = hub(of).parts.world.keyring.find("subject", "main/user_tuff")
    assert ref is not None
    return ref


def test_whoever_used_tools_can_be_erased_too(tmp_path: Path) -> None:
    """A tool's answer quotes the id of its call; an id that the memory gave names nobody."""
    memory = muniment.open(tmp_path, seed=b"tools", clock=False)
    with memory.agent("ada", user="tuff").do("Send the invoices to Rua Augusta") as loop:
        call = loop.tool_call("send_mail", {"to": "finance at Rua Augusta"})
        loop.tool_result(call, "sent to Rua Augusta")
        loop.answer("The invoices were sent")
    memory.subconscious("ada").dream()
    request = memory.eraser().request("tuff", reason="they asked")
    memory.council().approve(request)
    assert memory.eraser().carry_out(request).fragments > 0
    memory.close()


def test_whoever_had_governed_documents_can_be_erased_too(tmp_path: Path) -> None:
    """What is sent on to the council names streams and commands, which name nobody."""
    memory = muniment.open(tmp_path, seed=b"documents", clock=False)
    ada = memory.agent("ada", user="tuff")
    with suppress(AwaitsApprovalError):
        ada.documents(governed=True).put(("letters",), "rua", "The letter from Rua Augusta")
    request = memory.eraser().request("tuff", reason="they asked")
    memory.council().approve(request)
    assert memory.eraser().carry_out(request).fragments > 0
    memory.close()
