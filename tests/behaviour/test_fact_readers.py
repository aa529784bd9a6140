"""Governed facts are read by whom they are about, by whom the policy names, and by who audits."""

import hashlib

import pytest
from tests.world import events, memory

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import PolicyError
from muniment.model.events import JobOpened
from muniment.model.policy import Policy, Sem, from_builtins
from muniment.model.policy.fact_readers import FactReader
from muniment.model.scope import Persona

MAIL = "user/profile/user_mona/mail"
THEME = "user/settings/user_mona/theme"
RIVER = "world/city/lisbon/river"
ADDRESS = "mona@example.org"


def settled(of: Memory, key: str, value: object, user: str = "mona") -> None:
    agent = of.agent("ada", user=user)
    agent.consent("you may keep my address")
    kept = agent.remember("something was said").episodic_id
    request = agent.memory_promote_request(kept, key, "said so", value=value)
    of.council("bea").approve(request)


def lived(policy: Policy | None = None) -> Memory:
    of = memory(policy or Policy())
    settled(of, MAIL, ADDRESS)
    of.agent("ada").remember("the river of lisbon")
    settled(of, RIVER, "tejo")
    return of


STRANGERS = {
    "another person of the same agent": ("ada", "tuff", Persona.ACTOR),
    "another person of another agent": ("bob", "tuff", Persona.ACTOR),
    "the same agent for nobody": ("ada", "", Persona.ACTOR),
}


def told(agent: Agent) -> str:
    """Everything that an agent is told about governed facts, in every way it can ask."""
    return repr(
        [
            agent.sem_get(MAIL),
            agent.sem_search("user/"),
            agent.sem_search(""),
            agent.sem_search("", valid_at="2030-01-01"),
            agent.recall("mail address of mona"),
            agent.context("what is the mail address of mona?"),
            agent.memory_type("facts").remember("mail"),
            agent.why_not("mail", MAIL).stage == agent.why_not("mail", "user/profile/x/y").stage,
        ]
    ).replace(MAIL, "")


@pytest.mark.parametrize("who", STRANGERS)
def test_nobody_else_reads_what_was_settled_about_a_person(who: str) -> None:
    of = lived()
    agent, user, _ = STRANGERS[who]

    found = told(of.agent(agent, user=user))

    assert ADDRESS not in found
    assert ADDRESS in told(of.agent("bob", user="mona"))


def test_the_subconscious_reads_no_fact_about_a_person() -> None:
    of = lived()

    assert ADDRESS not in told(of.subconscious("ada"))


@pytest.mark.parametrize("who", STRANGERS)
def test_facts_about_nobody_are_read_by_every_agent_of_the_tenant(who: str) -> None:
    agent, user, _ = STRANGERS[who]

    assert lived().agent(agent, user=user).sem_get(RIVER).value == "tejo"


def test_no_agent_of_another_tenant_reads_them() -> None:
    of = lived()

    assert not of.beside("elsewhere", of.agent("ada")._session.channel).agent("ada").sem_search("")


def test_roles_that_audit_read_all_of_them() -> None:
    of = lived()

    assert {fact.key for fact in of.auditor("ann").facts()} == {MAIL, RIVER}
    assert {fact.key for fact in of.admin("otto").facts(reason="to see")} == {MAIL, RIVER}


# ── Whom the policy names ───────────────────────────────────────────────────────────────────────


def named(**readers: tuple[str, ...]) -> Policy:
    return Policy(sem=Sem(readers={key.replace("__", "/"): who for key, who in readers.items()}))


def test_an_agent_that_the_policy_names_reads_what_it_is_named_for() -> None:
    of = lived(named(user__profile__=("agent:desk",)))

    assert of.agent("desk").sem_get(MAIL).value == ADDRESS
    assert of.agent("desk", user="tuff").sem_get(MAIL).value == ADDRESS
    assert not of.agent("ada", user="tuff").sem_get(MAIL).exists


def test_a_person_whom_the_policy_names_reads_it_through_any_agent() -> None:
    of = lived(named(user__profile__=("user:Tuff",)))

    assert of.agent("bob", user="tuff").sem_get(MAIL).value == ADDRESS
    assert not of.agent("bob", user="eve").sem_get(MAIL).exists


def test_a_row_about_nobodys_facts_closes_them_to_everybody_else() -> None:
    of = lived(named(world__=("agent:desk",)))

    assert of.agent("desk").sem_get(RIVER).exists
    assert not of.agent("ada", user="tuff").sem_get(RIVER).exists


def test_the_longest_beginning_counts() -> None:
    rows = {"world/": (), "world/city/": ("*",), "user/": ("*",), "user/settings/": ()}
    anybody = FactReader("ada", "user_tuff")

    assert anybody.may_read(RIVER, rows)
    assert not anybody.may_read("world/planet/mars/moons", rows)
    assert anybody.may_read(MAIL, rows)
    assert not anybody.may_read(THEME, rows)


def test_no_row_takes_from_a_person_what_is_about_them() -> None:
    of = lived(named(user__=()))

    assert of.agent("bob", user="mona").sem_get(MAIL).value == ADDRESS


def test_whoever_is_named_later_reads_from_then_on() -> None:
    of = lived()
    desk = of.agent("desk")
    assert not desk.sem_get(MAIL).exists

    of.admin("otto").adopt_policy(named(user__=("agent:desk",)), reason="the desk writes letters")

    assert desk.sem_get(MAIL).value == ADDRESS


@pytest.mark.parametrize(
    "readers",
    [
        {"": ["*"]},
        {"User/": ["*"]},
        {"user/a/b/c/d": ["*"]},
        {"user/": ["ada"]},
        {"user/": ["agent:"]},
        {"user/": ["user:!!"]},
        {"user/": ["role:admin"]},
        {"user/": "*"},
        {"user/": [1]},
    ],
)
def test_a_row_that_names_nobody_is_refused(readers: object) -> None:
    with pytest.raises(PolicyError, match=r"sem\b.*"):
        from_builtins({"sem": {"readers": readers}})


# ── What an answer rests on ─────────────────────────────────────────────────────────────────────


def test_the_hash_that_a_job_begins_with_is_over_the_facts_its_person_may_read() -> None:
    of = memory()
    of.agent("bob", user="mona").sem_put(MAIL.replace("mail", "tea"), "green")

    of.agent("ada", user="tuff").job("seed-1").commit()

    opened = next(event for event in events(of) if isinstance(event, JobOpened))
    assert opened.sem_snapshot_hash == hashlib.sha256(b"[]").hexdigest()


def test_the_place_of_a_fact_counts_only_what_its_reader_may_know_of() -> None:
    of = memory()
    for n in range(5):
        of.agent("bob", user="mona").sem_put(f"user/profile/mona/drink_{n}", "tea")
    tuff = of.agent("ada", user="tuff")
    tuff.sem_put("user/profile/tuff/drink", "tea")

    assert [fact.seq for fact in tuff.sem_search("user/")] == [1]
    assert of.auditor("ann").facts()[-1].seq > 5


def test_a_request_shows_whoever_raised_it_nothing_of_the_councils_other_work() -> None:
    of = lived()
    tuff = of.agent("ada", user="tuff")
    kept = tuff.remember("the river is wide").episodic_id
    asked = tuff.memory_promote_request(kept, RIVER, "it is", value="wide")

    (mine,) = tuff.requests()

    assert mine.request_id == asked
    assert (mine.expected_head, mine.binding, mine.expires_at_tick) == (0, "", 0)
    assert not any(part.isdigit() for part in asked.split(":")[1].split("-"))
    (seen,) = of.council("bea").requests()
    assert seen.expected_head
    assert seen.binding
