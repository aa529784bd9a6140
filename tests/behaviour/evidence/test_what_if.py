"""What-if: the real log under another policy, told as what would have been otherwise."""

from pathlib import Path

import msgspec
import pytest
from tests import world
from tests.terminal import Shell

import muniment
from muniment.adapters.config import Settings
from muniment.adapters.operations import policy_trial
from muniment.adapters.operations.executors import ProcessPool
from muniment.engine.api.memory import Memory
from muniment.engine.what_if.report import Fate, WhatIf
from muniment.model import ids
from muniment.model.kinds.episode import Authority
from muniment.model.policy import Action, Governance, Policy, Privacy, RecallPolicy, Trust
from muniment.model.policy.conversation import Writing
from muniment.model.policy.keep_days import KeepDays

IN_FORCE = Policy()


def told() -> Memory:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.remember("I live in Lisbon near the castle")
    ada.remember("Write to me at tuff@example.org please")
    ada.remember("The museum is closed on Mondays", source="https://a.example", origin="external")
    ada.recall("Where do I live?")
    ada.remember("My boat is called Petrel")
    ada.recall("What is my boat called?")
    ada.context("Where do I live?")
    ada.flush()
    return memory


def report(memory: Memory, policy: Policy | None, *, agent: str = "", space: str = "") -> WhatIf:
    return memory.admin().what_if_policy(policy, agent=agent, space=space)


def logs(memory: Memory) -> dict[str, list[bytes]]:
    return {each.text: [line.hash for line in memory.log(each)] for each in memory.streams()}


@pytest.mark.parametrize("policy", [None, IN_FORCE])
def test_with_the_policy_in_force_nothing_would_be_otherwise(policy: Policy | None) -> None:
    found = report(told(), policy)
    assert found.is_same
    assert (found.questions, found.answers, found.examples) == (3, (), ())
    assert found.entries > found.commands > found.questions


def test_a_pattern_that_is_denied_is_told_as_refused_and_missed_in_answers() -> None:
    memory = told()
    found = report(memory, Policy(privacy=Privacy(deny_patterns=("castle",))))
    assert found.counts == {Fate.REFUSED: 1, Fate.ANSWERED: 2}
    (refused,) = found.examples
    assert refused.then == ("added episodes: I live in Lisbon near the castle",)
    assert refused.now == ("refused privacy_deny_pattern",)
    recalled, packed = found.answers
    assert recalled.question == packed.question == "Where do I live?"
    assert recalled.lost == ("I live in Lisbon near the castle",)


def test_what_was_redacted_would_be_refused_by_a_stricter_table_and_is_unknown_to_a_freer() -> None:
    memory = told()
    strict = Policy(privacy=Privacy(pii_low=Action.DENY, pii_medium=Action.DENY))
    free = Policy(privacy=Privacy(pii_medium=Action.ALLOW))
    assert report(memory, strict).counts[Fate.REFUSED] == 1
    assert report(memory, free).counts == {Fate.UNKNOWN: 1}


def test_what_would_be_redacted_is_told_with_the_words_that_would_stay() -> None:
    memory = world.memory(Policy(privacy=Privacy(pii_medium=Action.ALLOW)))
    ada = memory.agent("ada", user="tuff")
    ada.remember("Write to me at tuff@example.org please")
    (found,) = report(memory, IN_FORCE).examples
    assert found.fate == Fate.REDACTED
    assert "tuff@example.org" in found.then[0]
    assert "tuff@example.org" not in " ".join(found.now)


def test_what_was_refused_is_told_as_kept() -> None:
    memory = world.memory(Policy(privacy=Privacy(deny_patterns=("lisbon",))))
    ada = memory.agent("ada", user="tuff")
    for n in range(3):
        assert not ada.remember(f"I live in Lisbon, at number {n}").stored
    found = report(memory, IN_FORCE)
    assert found.counts == {Fate.KEPT: 3}
    assert found.examples[0].now == ("added episodes: I live in Lisbon, at number 0",)


def test_who_names_a_record_names_it_by_the_id_it_would_have() -> None:
    """Where something is refused, whatever comes later is counted otherwise."""
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    with ada.job("seed") as job:
        for text in ("The castle is old", "The museum is new", "The bridge is long"):
            job.memorize({"type": "fact", "text": text, "source": "user", "importance": 1})
    kept = [ada.remember(each).episodic_id for each in ("I like the castle", "I like boats")]
    for each in kept:
        ada.forget(each)
    found = report(memory, Policy(privacy=Privacy(deny_patterns=("castle",))))
    refused = [each for each in found.examples if each.fate == Fate.REFUSED]
    assert any("I like the castle" in line for each in refused for line in each.then)
    told = " ".join(line for each in found.examples for line in (*each.then, *each.now))
    assert "I like boats" not in told


def test_another_order_of_authority_settles_a_conflict_otherwise() -> None:
    memory = world.memory()
    memory.admin().impose("ada", "My name is Bea", user="tuff", session="s")
    memory.agent("ada", user="tuff").conversation(session="s").record(user="My name is Ada")
    user_first = (
        Authority.USER_ASSERTED,
        Authority.SYSTEM_IMPOSED,
        Authority.TOOL_VERIFIED,
        Authority.AI_INFERRED,
    )
    found = report(memory, Policy(writing=Writing(authority_order=user_first)))
    assert not found.is_same
    assert any("My name is Ada" in line for each in found.examples for line in each.now)


def test_fewer_results_and_less_quarantine_change_answers_alone() -> None:
    memory = told()
    ada = memory.agent("ada", user="tuff")
    ada.recall("Is the museum closed?")
    ada.remember("My other boat is called Tern")
    ada.recall("What is each boat called?")
    ada.flush()
    free = report(memory, Policy(trust=Trust(quarantined=())))
    assert set(free.counts) == {Fate.ANSWERED}
    assert any("The museum is closed on Mondays" in each.gained for each in free.answers)
    few = report(memory, Policy(recall=RecallPolicy(results_max=1)))
    assert set(few.counts) == {Fate.ANSWERED}
    assert all(each.lost and not each.gained for each in few.answers)


def test_what_another_person_said_to_the_same_agent_is_in_no_answer() -> None:
    """Given two people of one agent, then each question is asked of its own person's words."""
    memory = world.memory()
    zoe, tuff = (memory.agent("ada", user=each) for each in ("zoe", "tuff"))
    zoe.remember("My boat is called Tern")
    tuff.remember("My boat is called Petrel")
    tuff.remember("The castle is far from here")
    tuff.recall("What is my boat called?")
    tuff.recall("Where is the castle?")
    tuff.flush()
    found = report(memory, Policy(privacy=Privacy(deny_patterns=("castle", "Petrel"))))
    assert found.counts == {Fate.REFUSED: 2, Fate.ANSWERED: 2}
    assert [each.gained for each in found.answers] == [(), ()]


def test_what_would_not_be_passed_on_never_comes_to_the_council() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    asked = ada.remember("Remember my favourite colour is cerulean")
    assert asked.question is not None
    ada.confirm(asked.question.confirmation_id)
    silent = Policy(privacy=Privacy(deny_patterns=("cerulean",)))
    found = report(memory, silent)
    fates = {each.fate: each for each in found.examples}
    assert fates[Fate.NOT_ASKED].log == "main/council//actor"
    alone = report(memory, silent, agent="ada")
    assert Fate.NOT_ASKED not in alone.counts


def test_a_policy_that_takes_two_votes_leaves_what_one_voted_open() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    known = ada.remember("The capital is Lisbon").episodic_id
    request = ada.memory_promote_request(
        known, "world/country/portugal/capital", "asked", value="Lisbon"
    )
    memory.council().approve(request)
    other = Policy(governance=Governance(preset="team", quorum=2, requester_may_vote=False))
    found = report(memory, other)
    assert any("added governed facts" in line for each in found.examples for line in each.then)


def test_erased_people_are_counted_and_not_decided() -> None:
    memory = told()
    memory.agent("ada", user="bea").remember("I am Bea")
    eraser = memory.eraser()
    request = eraser.request("tuff", reason="asked")
    memory.council().approve(request)
    eraser.carry_out(request)
    found = report(memory, None)
    assert found.erased > 0
    assert not found.counts.get(Fate.REFUSED)


def test_beside_an_erased_person_another_policy_is_tried_on_everybody_else() -> None:
    """Given one of two users erased, when another policy is tried, then it answers the other."""
    memory = world.memory()
    ada, bea = (memory.agent("ada", user=user) for user in ("tuff", "bea"))
    ada.remember("I live in Lisbon near the castle")
    bea.remember("I live in Turin near the castle")
    ada.remember("My boat is called Petrel")
    ada.recall("What is my boat called?")
    ada.flush()
    eraser = memory.eraser()
    request = eraser.request("bea", reason="asked")
    memory.council().approve(request)
    eraser.carry_out(request)

    found = report(memory, Policy(privacy=Privacy(deny_patterns=("castle",))))

    assert found.counts[Fate.REFUSED] == 1
    assert (found.erased, found.questions) == (1, 1)
    assert [each.question for each in found.answers] in ([], ["What is my boat called?"])


def test_nothing_is_written_and_worker_processes_say_the_same(tmp_path: Path) -> None:
    policy = Policy(privacy=Privacy(deny_patterns=("castle",)))
    with muniment.open(tmp_path) as memory:
        for name in ("ada", "bob"):
            agent = memory.agent(name, user="tuff")
            agent.remember("I live in Lisbon near the castle")
            agent.recall("Where do I live?")
    files = {each: each.read_bytes() for each in tmp_path.rglob("*.db")}
    with muniment.open(tmp_path) as memory:
        before = logs(memory)
        here = report(memory, policy)
        assert logs(memory) == before
    there = policy_trial.run(str(tmp_path), Settings(), ProcessPool(2), policy)
    assert there == here
    assert here.counts == {Fate.REFUSED: 2, Fate.ANSWERED: 2}
    assert files
    assert all(each.read_bytes() == data for each, data in files.items())


def test_the_terminal_shows_what_would_be_otherwise(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    shell("remember", "I live in Lisbon near the castle")
    shell("recall", "Where do I live?")
    policy = tmp_path / "other.json"
    policy.write_bytes(
        msgspec.json.encode(Policy(privacy=Privacy(deny_patterns=("castle",)))),
    )
    same = shell.document("policy-what-if")
    other = shell.document("policy-what-if", "--policy", str(policy))
    assert same["counts"] == {}
    assert other["counts"] == {"answered": 1, "refused": 1}


MARCH = ids.time_ms("2026-03-05T10:00:00.000Z")
A_DAY = 24 * 60


def by_days(**days: int) -> Policy:
    return Policy(keep_days=KeepDays(**days), governance=Governance(retention_epochs=1))


def told_in_march(policy: Policy) -> tuple[Memory, world.StillClock, world.CountedKeyring]:
    """A sentence and a document of March and a sentence of May; it is the middle of May."""
    clock, keyring = world.StillClock(MARCH), world.CountedKeyring()
    memory = world.memory(policy, clock=clock, keyring=keyring)
    ada = memory.agent("ada", user="tuff")
    ada.remember("The kite is in the attic")
    ada.documents().put(("notes",), "k", {"text": "The sofa is old"})
    clock.later(minutes=60 * A_DAY)
    ada.remember("The bell is loud")
    clock.later(minutes=10 * A_DAY)
    return memory, clock, keyring


def test_what_other_days_would_have_let_go_is_told_with_its_words() -> None:
    memory, _, _ = told_in_march(by_days())
    found = report(memory, by_days(sentences=30))
    assert found.counts == {Fate.EXPIRED: 1}
    assert found.examples[0].then == ("added episodes: The kite is in the attic",)
    assert report(memory, by_days(sentences=30, documents=30)).counts == {Fate.EXPIRED: 2}
    assert report(memory, by_days(sentences=365)).is_same


def test_what_is_due_anyway_is_no_difference() -> None:
    memory, _, _ = told_in_march(by_days(sentences=30))
    assert memory.admin().due() != []
    assert report(memory, by_days(sentences=30)).is_same
    assert report(memory, by_days(sentences=5)).counts == {Fate.EXPIRED: 1}  # the bell


def test_what_is_held_would_not_have_gone() -> None:
    memory, _, _ = told_in_march(by_days())
    memory.admin().place_hold(user="tuff", reason="order 7")
    assert report(memory, by_days(sentences=30)).is_same


def test_the_end_of_what_stays_would_have_stayed() -> None:
    clock = world.StillClock(MARCH)
    memory = world.memory(by_days(), clock=clock)
    ada = memory.agent("ada", user="tuff")
    with ada.job("a job") as job:
        told = {"type": "fact", "text": "The vase is here", "source": "user", "importance": 1}
        memo = job.memorize(told)
    ada.forget(memo.id)
    clock.later(minutes=70 * A_DAY)
    assert report(memory, by_days(sentences=30)).is_same
    assert report(memory, by_days(sentences=30, memos=30)).counts[Fate.EXPIRED] >= 2


def test_what_went_by_its_days_and_would_be_there_is_told() -> None:
    memory, _, _ = told_in_march(by_days(sentences=30))
    memory.admin().carry_out_due()
    assert report(memory, by_days(sentences=30)).is_same
    assert report(memory, by_days(sentences=365)).counts == {Fate.LASTS: 1}


def test_trying_days_out_makes_no_key() -> None:
    memory, _, keyring = told_in_march(by_days())
    before = keyring.known("period")
    report(memory, by_days(sentences=30, documents=10))
    assert keyring.known("period") == before
