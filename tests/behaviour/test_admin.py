"""Administrators: they see what others do not, and each look is written down before it is had."""

import pytest
from tests.faults import FaultyStore, down, full, unanswered
from tests.world import events, hub, lines, memory, types

from muniment.engine.api.memory import Memory
from muniment.engine.session.role_session import digest_of
from muniment.model.errors import InputError, MunimentError, NotFoundError, RefusedError
from muniment.model.events import Received
from muniment.model.events.operations import AccessRecorded
from muniment.model.policy import Policy, preset
from muniment.model.scope import Persona

MAIL = "tuff@example.com"
DRINK = "user/profile/user_tuff/drink"


def with_a_raw_episode(store: FaultyStore | None = None) -> tuple[Memory, str]:
    world = memory(store=store)
    ada = world.agent("ada", user="tuff")
    ada.consent("you may keep it")
    return world, ada.remember(f"mail {MAIL}", keep_raw=True).episodic_id


def ops(of: Memory, store: FaultyStore) -> str:
    """The reference of the operations stream, which must exist before the test breaks it."""
    of.admin().facts(reason="a first look")
    (ref,) = (
        ref
        for ref, name in hub(of).parts.world.keyring.known("stream")
        if name == "main/ops//actor"
    )
    assert store.head(ref) is not None
    return ref


@pytest.mark.covers("A-105", "A-143")
def test_a_payload_read_is_announced_before_and_reported_after() -> None:
    world, episodic_id = with_a_raw_episode()

    full_episode = world.admin("root").read_payload("ada", episodic_id, reason="ticket 7")

    assert full_episode.raw == {"text": f"mail {MAIL}"}
    announced, reported = (e for e in events(world, "ops") if isinstance(e, AccessRecorded))
    assert (announced.reason, announced.found) == ("ticket 7", -1)
    assert episodic_id in announced.what
    assert (reported.reason, reported.found) == ("ticket 7", 1)
    assert reported.result_digest == digest_of([episodic_id])
    received = next(line.event for line in lines(world, "ops", after=2))
    assert isinstance(received, Received)
    assert received.role == "admin"
    assert hub(world).parts.world.keyring.name(received.actor) == "main/person:root"


@pytest.mark.covers("A-105", "A-143")
@pytest.mark.parametrize("fault", [down, full, unanswered])
@pytest.mark.parametrize("nth", [(1, 2), (2, 3), (2, 3, 4, 5)])
def test_a_look_that_cannot_be_written_down_is_not_had(fault: type, nth: tuple[int, ...]) -> None:
    store = FaultyStore()
    world, episodic_id = with_a_raw_episode(store)
    store.fail(*nth, fault=fault, only=ops(world, store))

    with pytest.raises(MunimentError) as failed:
        world.admin().read_payload("ada", episodic_id, reason="ticket 7")

    assert MAIL not in repr(failed.value.envelope())


@pytest.mark.covers("A-143")
def test_the_list_of_all_facts_is_a_look_too() -> None:
    store = FaultyStore()
    world = memory(store=store)
    world.agent("ada", user="tuff").sem_put(DRINK, "tea")
    store.fail(1, 2, only=ops(world, store))

    with pytest.raises(MunimentError):
        world.admin().facts(reason="audit")
    store.recover()

    assert [fact.key for fact in world.admin().facts(reason="audit")] == [DRINK]
    accesses = [e for e in events(world, "ops") if isinstance(e, AccessRecorded)]
    assert [each.reason for each in accesses][-2:] == ["audit", "audit"]


@pytest.mark.covers("A-143")
@pytest.mark.parametrize("reason", ["", "   ", "\n"])
def test_a_look_without_a_reason_is_refused_and_the_refusal_is_kept(reason: str) -> None:
    world, episodic_id = with_a_raw_episode()

    with pytest.raises(RefusedError) as refused:
        world.admin().read_payload("ada", episodic_id, reason=reason)
    with pytest.raises(RefusedError):
        world.admin().facts(reason=reason)

    assert refused.value.reason == "access_needs_a_reason"
    assert types(world, "ops").count("memory_denied") == 2
    assert "admin_access_event" not in types(world, "ops")


def test_a_look_at_nothing_is_announced_and_finds_nothing() -> None:
    world, _ = with_a_raw_episode()

    with pytest.raises(NotFoundError):
        world.admin().read_payload("ada", "ep:nowhere", reason="ticket 7")

    assert types(world, "ops").count("admin_access_event") == 1


@pytest.mark.covers("A-105", "A-144")
def test_neither_agents_nor_the_council_have_a_way_to_the_raw_form() -> None:
    world, _ = with_a_raw_episode()
    ada, bea = world.agent("ada", user="tuff"), world.council("bea")

    for view in (ada, ada.job("seed-1"), bea):
        assert not hasattr(view, "read_payload")
    assert MAIL not in repr(ada.get_range())


def test_an_episode_of_one_persona_is_not_read_as_if_it_were_of_the_other() -> None:
    world, episodic_id = with_a_raw_episode()

    with pytest.raises(NotFoundError):
        world.admin().read_payload(
            "ada", episodic_id, reason="ticket 7", persona=Persona.SUBCONSCIOUS
        )


def test_an_administrator_of_one_tenant_reads_nothing_of_another() -> None:
    world, episodic_id = with_a_raw_episode()
    other = Memory(hub(world).parts, scanner=world.eraser()._scanner, tenant="other")

    with pytest.raises(NotFoundError):
        other.admin().read_payload("ada", episodic_id, reason="ticket 7")


@pytest.mark.parametrize("agent", ["a/b", "..", "", "a\u200bb"])
def test_an_agent_is_named_to_an_administrator_as_to_anyone(agent: str) -> None:
    world, episodic_id = with_a_raw_episode()
    before = world.streams()

    with pytest.raises(InputError):
        world.admin().read_payload(agent, episodic_id, reason="ticket 7")
    if agent:
        with pytest.raises(InputError):
            world.admin().adopt_policy(Policy(), agent=agent)

    assert world.streams() == before


def test_a_policy_is_adopted_between_jobs_and_cited_from_then_on() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    job = ada.job("seed-1")

    with pytest.raises(RefusedError, match="policy_change_inside_job"):
        world.admin().adopt_policy(preset("team"), agent="ada")
    job.commit()
    world.admin().adopt_policy(preset("team"), agent="ada", reason="we are two now")
    ada.remember("hello")

    before, after = lines(world)[0].header.policy, lines(world)[-1].header.policy
    assert before != after
    assert [proof.stream for proof in world.prove()] == ["main/agent/ada/actor"]
