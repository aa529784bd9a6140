"""Everything that a read can give out is carried by an exchange file, or says why it is not."""

from collections.abc import Callable
from typing import get_args

import msgspec
import pytest
from tests import world
from tests.behaviour import test_every_read_of_then as reads
from tests.laws.test_exchange import bare, tried, without

from muniment import Memory
from muniment.engine.decide.exchange.carry import CarriedEvent
from muniment.engine.exchange.exchange_line import Carried, ExchangeLine
from muniment.model.errors import RefusedError
from muniment.model.events import AnyEvent
from muniment.model.kinds.carried_record import KIND_OF, KINDS, LEFT_OUT, RULES
from muniment.model.kinds.conversation_item import Space
from muniment.model.policy import Governance, Policy
from muniment.model.policy.conversation import Phasing, Spaces, Writing

AT_HAND = {
    "Job.wm_find": lambda it, _: it.job.wm_find({}),
    "Job.cwm_find": lambda it, _: it.job.cwm_find({}),
    "Job.cwm": lambda it, _: it.job.cwm(),
    "Job.goals": lambda it, _: it.job.goals(),
    "PromotionRequests.questions": lambda it, _: it.ada.questions(),
    "Identities.of": lambda it, _: it.of.identities().of("ada"),
    "Ruling.policies": lambda it, _: [
        (each.agent, each.space, each.persona, each.digest)
        for each in it.of.admin("otto").policies()
    ],
}
# Of reads that have no time: why an answer is each memory's own, or is compared elsewhere.
OWN_ANSWER = {
    "it names an entry, a version or a receipt of one log": """
        Reader.get_by_id Reader.get_range Reader.recall_again ContextBuilder.regenerate
        ContextBuilder.receipt ContextBuilder.pools MemoActions.get_version Agent.sources
        Agent.whole Conversation.retired_by Conversation.blame Conversation.diff
        Conversation.traces Agent.turn_trace TurnActions.trace Admin.read_payload
        ActorMemoryView.get_by_id ActorMemoryView.get_range SubconsciousMemoryView.get_by_id
        SubconsciousMemoryView.get_range""",
    "it tells of the log itself, and of who looked at it": """
        Memory.log Memory.head Memory.streams Memory.tenants Memory.policy Memory.prove
        Memory.prove_stream Memory.prove_branches Branches.list Branches.status Branches.diff
        Branch.diff Memory.signed
        Notary.signed Notary.certify Notary.bundle Notary.link Notary.read_through Ruling.policy
        Auditor.streams Auditor.lengths Auditor.head Auditor.entry Auditor.batch Auditor.page
        Auditor.survey Auditor.trail Auditor.diff Auditor.living Auditor.about Auditor.dossier
        Auditor.told Auditor.entries_about Auditor.named Auditor.accesses Auditor.home Auditor.ref
        Exchange.records Exchange.records_by_log Exchange.heads Passports.make Passports.verify
        Agent.watch RecordList.naming""",
    "it counts what was asked of this memory, or waits for its own council": """
        TurnActions.get_budget_status TurnActions.hear_neighbours PromotionRequests.requests
        Council.requests Council.request Admin.incidents Ruling.what_if_policy Ruling.proposal
        Feedback.judged Feedback.what_if Feedback.propose_coefficients
        SubconsciousMemoryView.status SubconsciousMemoryView.coverage Indexing.status
        Indexing.waiting Indexing.grade Eraser.person Eraser.completed Conversation.told
        Extractor.waiting Summaries.waiting""",
}


def wire(kind: type) -> str:
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]


def test_every_event_is_carried_or_says_why_not() -> None:
    every = {wire(kind) for kind in get_args(AnyEvent)}

    assert every - KIND_OF.keys() - LEFT_OUT.keys() == set(), "a new event: may a reader see it?"
    assert (KIND_OF.keys() | LEFT_OUT.keys()) - every == set()
    assert KIND_OF.keys() & LEFT_OUT.keys() == set()


def test_what_is_carried_is_what_an_import_can_judge() -> None:
    assert {wire(kind) for kind in get_args(CarriedEvent)} == KIND_OF.keys()
    assert set(KINDS) >= RULES


def test_every_read_is_compared_or_says_why_its_answer_is_its_own() -> None:
    own = {name for told in OWN_ANSWER.values() for name in told.split()}

    assert own | AT_HAND.keys() == reads.TIMELESS, "a new read: does a file carry what it gives?"
    assert own & AT_HAND.keys() == set()


class Moved(reads.Lived):
    """The same life, read where it was carried to."""

    def __init__(self, lived: reads.Lived) -> None:
        self.clock = lived.clock
        self.of = world.memory(keyring=world.CountedKeyring(b"another"), clock=lived.clock)
        self.answers = carried(lived.of, self.of)
        self.ada = self.of.agent("ada", user="tuff")
        self.job = self.ada.resume(lived.job.number)
        self.desk = self.ada.thread("desk", explicit=True)
        self.desk.thread_id = lived.desk.thread_id
        self.episodes, self.memos, self.heads = lived.episodes, lived.memos, lived.heads


def carried(one: Memory, other: Memory, *, rules: bool = True) -> list[Carried]:
    lines = [msgspec.json.encode(each) for each in one.exchange().records()]
    read = (msgspec.json.decode(each, type=ExchangeLine) for each in lines)
    return list(other.exchange().carry(read, rules=rules))


@pytest.fixture(scope="module")
def lives() -> tuple[reads.Lived, Moved]:
    lived = reads.Lived()
    lived.job.set_goal("trip", "see the river")
    lived.ada.remember("Remember my favourite colour is cerulean")
    lived.ada.consent("keep my numbers")
    lived.of.admin("otto").place_hold(reason="a court asks", user="tuff", until="2025-01-01")
    return lived, Moved(lived)


# What was dropped is not in a file: a read of an earlier day does not show it.
OF_WHAT_IS_GONE = {"Documents.within", "Documents.namespaces"}
# Where each log counts its own entries, and weighs by how much it ever held.
EACH_LOGS_OWN = {"touched_seq", "seq", "score_ppm"}
EVERY: dict[str, Callable[[reads.Lived, reads.Then], object]] = {
    **reads.READS,
    **reads.OF_A_DAY,
    **AT_HAND,
}


@pytest.mark.parametrize(
    ("name", "day"),
    [
        (name, day)
        for name in sorted(EVERY)
        for day in ("", reads.THEN)
        if not (day and name in {*OF_WHAT_IS_GONE, *AT_HAND})
    ],
)
def test_a_read_answers_as_it_did_where_the_life_came_from(
    name: str, day: str, lives: tuple[reads.Lived, Moved]
) -> None:
    then = {"valid_at": day} if day else {}

    one, other = (read(EVERY[name], each, then) for each in lives)

    assert one == other


def read(
    verb: Callable[[reads.Lived, reads.Then], object], it: reads.Lived, then: reads.Then
) -> object:
    """An answer without what is each log's own; of a context its lines, for which of equals stands
    first depends on how many entries ago they were told."""
    told = without(bare(tried(lambda: verb(it, then))), EACH_LOGS_OWN)
    if isinstance(told, dict) and {"items", "text"} <= told.keys():
        told = {"text": told["text"]}
    text = told.get("text") if isinstance(told, dict) else told
    return sorted(text.splitlines()) if isinstance(text, str) else told


def test_everything_of_a_life_is_carried(lives: tuple[reads.Lived, Moved]) -> None:
    _, other = lives

    assert [each for each in other.answers if not each.stored] == []
    assert {each.line.kind for each in other.answers} >= {"thread", "working", "question", "goal"}
    holds = [it.of.admin("otto").holds() for it in lives]
    assert holds[0] == holds[1]
    assert holds[0]


@pytest.mark.parametrize("space", ["session", "user"])
def test_a_dropped_phase_is_carried_and_is_out_of_reach_there_too(space: Space) -> None:
    policy = Policy(phase=Phasing(max_phases=2), spaces=Spaces(write_spaces=tuple(Space)))
    one, other = world.memory(policy), world.memory(policy, keyring=world.CountedKeyring(b"2"))
    talks = [each.agent("ada", user="tuff").conversation(session="s1") for each in (one, other)]
    for name in ("wedding", "honeymoon", "home"):
        talks[0].record(user=f"I planned the {name} with Ines.", space=space)
        talks[0].start_phase(name, space=space)

    told = [each for each in carried(one, other) if each.line.kind == "item"]

    assert [each.reason for each in told if not each.stored] == []
    dropped = [each.line for each in told if each.line.event == "phase_dropped"]
    assert {(each.space, each.owner) for each in dropped} == {
        (Space(space), "s1" if space == "session" else "tuff")
    }
    for talk in talks:
        with pytest.raises(RefusedError, match="phase_unknown"):
            talk.diff("phase-1", "phase-4", space)
    within = [talk.diff("phase-3", "phase-4", space) for talk in talks]
    assert within[0] == within[1]
    assert other.prove()


CHOSEN = Policy(governance=Governance(user_direct=True), writing=Writing(dedupe_enabled=False))


def test_rules_come_along_only_where_that_is_asked_for() -> None:
    one = world.memory(CHOSEN)
    one.agent("ada", user="tuff").consent("keep my numbers")
    one.admin("otto").place_hold(reason="a court asks", user="tuff")
    without, whole = (world.memory(keyring=world.CountedKeyring(each)) for each in (b"1", b"2"))

    refused = carried(one, without, rules=False)
    told = carried(one, whole)

    kinds = {each.line.kind: each.reason for each in refused if not each.stored}
    assert kinds == dict.fromkeys(RULES, "rules_not_asked_for")
    assert not without.admin("otto").holds()
    assert all(each.stored for each in told)
    assert whole.agent("ada")._session.policy == CHOSEN
    assert [each.user for each in whole.admin("otto").holds()] == ["tuff"]


def test_a_policy_is_not_imported_where_several_must_say_yes() -> None:
    several = Policy(governance=Governance(quorum=2))
    one, other = world.memory(CHOSEN), world.memory(several, keyring=world.CountedKeyring(b"2"))
    one.agent("ada").remember("The bridge is red")

    told = carried(one, other)

    assert {each.line.kind: each.reason for each in told} == {
        "policy": "policy_needs_approval",
        "episode": "",
    }


def test_a_held_record_stays_held_where_it_was_carried_to() -> None:
    one, other = world.memory(), world.memory(keyring=world.CountedKeyring(b"another"))
    told = one.agent("ada", user="tuff").remember("I moved to Lisbon")
    one.admin("otto").place_hold(reason="a court asks", user="tuff")

    carried(one, other)

    with pytest.raises(RefusedError, match="held"):
        other.agent("ada", user="tuff").forget(told.episodic_id)


def test_a_longer_file_goes_on_from_a_shorter_one_of_the_same_memory() -> None:
    one, other = world.memory(), world.memory(keyring=world.CountedKeyring(b"another"))
    ada = one.agent("ada", user="tuff")
    ada.thread("mail").turn("We speak of Lisbon")
    job = ada.job("seed", session="s")
    job.wm_insert({"type": "fact", "value": "a tram"})
    first = carried(one, other)
    ada.thread("mail").turn("And of Porto")
    job.wm_insert({"type": "fact", "value": "a river"})

    again = carried(one, other)

    assert all(each.stored and not each.known for each in first)
    assert [each.known for each in again][: len(first)].count(True) == len(first)
    assert {each.stored for each in again} == {True}
    there = other.agent("ada", user="tuff")
    assert there.threads() == ada.threads()
    assert [each.value for each in there.resume(job.number).wm_find({})] == [
        each.value for each in job.wm_find({})
    ]


def test_a_file_about_one_person_becomes_anothers_wherever_it_names_them(
    lives: tuple[reads.Lived, Moved],
) -> None:
    one, other = lives[0].of, world.memory(keyring=world.CountedKeyring(b"another"))
    lines = [each.about("mona") for each in one.exchange().records()]

    told = list(other.exchange().carry(lines, rules=True))

    assert [each.reason for each in told if not each.stored] == []
    assert b"user_tuff" not in msgspec.json.encode(list(other.exchange().records()))
    before, mona = lives[0].ada, other.agent("ada", user="mona")
    assert len(mona.threads()) == len(before.threads())
    assert len(mona.documents().within(())) == len(before.documents().within(()))
    assert len(mona.memos("SM")) == len(before.memos("SM"))
    assert [each.key for each in mona.questions()] == ["user/profile/user_mona/favorite_color"]
    assert [each.key for each in mona.sem_search("")] == ["user/profile/user_mona/city"]
    assert mona.resume(lives[0].job.number).goals() != []


def test_two_memories_come_together_in_a_third_and_none_takes_the_others_number() -> None:
    third = world.memory(keyring=world.CountedKeyring(b"third"))
    for n, word in enumerate(("Lisbon", "Porto")):
        one = world.memory(keyring=world.CountedKeyring(word.encode()))
        ada = one.agent("ada", user="tuff")
        ada.thread("mail").turn(f"We speak of {word}")
        ada.job(f"seed {n}", session=word).wm_insert({"type": "fact", "value": word})
        one.admin("otto").place_hold(reason=word, user="tuff")
        assert [each.reason for each in carried(one, third) if not each.stored] == []

    ada = third.agent("ada", user="tuff")
    assert len(ada.threads()) == 2
    assert [
        each.value
        for n in sorted(ada._session.writer.desk.jobs.open)
        for each in ada.resume(n).wm_find({})
    ] == ["Lisbon", "Porto"]
    assert sorted(each.reason for each in third.admin("otto").holds()) == ["Lisbon", "Porto"]
    assert third.prove()
