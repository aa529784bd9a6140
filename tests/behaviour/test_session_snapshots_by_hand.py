"""What a read of a session stands on: its own log, the council's facts, the spaces it shares."""

from typing import Any

import pytest
from tests import world
from tests.deciding import placed

from muniment.engine.api.memory import Memory
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.command_pipeline import Ask
from muniment.layers.governance import governed_facts
from muniment.log.entry import Line
from muniment.model.commands import PutFact, Remember
from muniment.model.errors import InputError
from muniment.model.events import RequestForwarded
from muniment.model.kinds.conversation_item import Space
from muniment.model.kinds.episode import Fact
from muniment.model.policy import Policy, Sem, preset
from muniment.model.policy.conversation import Spaces
from muniment.model.scope import (
    Channel,
    Persona,
    Principal,
    Role,
    StreamId,
    agent_stream,
    council_stream,
    person_space,
    space_stream,
)

ADA, COUNCIL = agent_stream("main", "ada"), council_stream("main")
BELOW = agent_stream("main", "ada", Persona.SUBCONSCIOUS)
DOCKET = council_stream("main", Persona.SUBCONSCIOUS)
KEY, CITY = "user/profile/user_tuff/drink", "user/profile/user_tuff/city"
KITE = Remember(text="The kite is red", subject="user_tuff")
ALL = space_stream("main", Space.SYSTEM, Space.SYSTEM)
SHARING = Policy(spaces=Spaces(read_order=(Space.USER, Space.SYSTEM)))
DAY_MINUTES = 24 * 60


def session(of: Memory, user: str = "tuff", persona: Persona = Persona.ACTOR) -> AgentSession:
    return AgentSession(
        world.hub(of), tenant="main", agent="ada", user=user, persona=persona, channel=Channel.API
    )


def settle(of: Memory, council: StreamId, key: str, value: str) -> None:
    """A fact that stands in a council's log."""
    tuff = Principal(name="tuff", role=Role.USER, tenant="main")
    command = PutFact(key=key, value=value, subject="user_tuff")
    hub = world.hub(of)
    (told,) = hub.append(council, [hub.prepare(command, tuff)])
    assert told.refusal is None


def write(of: Memory, stream: StreamId) -> int:
    """Something in another log; and how long that is now."""
    hub = world.hub(of)
    hub.append(stream, [Ask(command=KITE, principal=ENGINE)])
    return of.head(stream)


ENGINE = Principal(name="engine", role=Role.ENGINE, tenant="main", channel=Channel.ENGINE)


def known(facts: list[Fact]) -> dict[str, object]:
    return {each.key: each.value for each in facts}


# ── Now ─────────────────────────────────────────────────────────────────────────────────────────


def test_of_an_agent_that_holds_nothing_a_read_stands_on_nothing() -> None:
    mine = session(world.memory())

    found = mine.snapshot()

    assert (found.at, found.seq, found.council, found.shared) == (None, 0, 0, {})
    assert (found.facts, found.own) == ([], [])
    assert found.stamp == governed_facts.snapshot_hash([])
    assert found.reads == {mine.writer.stream.ref: 0}
    assert found.desk is mine.writer.desk


def test_a_read_stands_on_its_own_log_the_councils_and_those_it_shares() -> None:
    of = world.memory(SHARING)
    mine = session(of)
    mine.append(KITE)
    for key in (KEY, "user/profile/user_mia/drink"):
        hub = world.hub(of)
        user = key.split("_")[1].split("/")[0]
        who = Principal(name=user, role=Role.USER, tenant="main")
        hub.append(
            COUNCIL, [hub.prepare(PutFact(key=key, value="tea", subject=f"user_{user}"), who)]
        )
    own = person_space("main", str(of._hub.parts.world.keyring.find("subject", "main/user_tuff")))
    shared = {each: write(of, each) for each in (own, ALL)}

    found = mine.snapshot()

    refs = {mine.hub.stream(each).ref: n for each, n in shared.items()}
    council = mine.hub.stream(COUNCIL).ref
    assert found.reads == {mine.writer.stream.ref: of.head(ADA), council: 6, **refs}
    assert (found.at, found.seq, found.council, found.shared) == (None, of.head(ADA), 6, shared)
    assert found.desk is mine.writer.desk
    assert known(found.facts) == {KEY: "tea"}
    assert found.own == found.facts
    assert found.stamp == governed_facts.snapshot_hash(found.facts)
    assert mine.heads(None) == found.reads
    assert mine.reads(None) == {mine.writer.stream.ref: of.head(ADA), council: 6}


def test_of_the_facts_those_about_the_person_are_their_own() -> None:
    of = world.memory()
    settle(of, COUNCIL, KEY, "tea")
    hub, member = world.hub(of), of.council("bea")
    request = of.agent("ada", user="tuff").memory_promote_request(
        of.agent("ada", user="tuff").remember("big").episodic_id,
        "world/city/lisbon/size",
        "said so",
        value="big",
    )
    member.approve(request)
    del hub

    found = session(of).snapshot()

    assert known(found.facts) == {KEY: "tea", "world/city/lisbon/size": "big"}
    assert known(found.own) == {KEY: "tea"}


def test_a_look_at_the_council_is_remembered_by_whoever_took_it() -> None:
    of = world.memory()
    mine, other = session(of), session(of)
    council = mine.hub.stream(COUNCIL).ref

    assert mine.council() == ("", 0)
    assert mine.prepare(KITE).reads == {}
    settle(of, COUNCIL, KEY, "tea")
    assert mine.prepare(KITE).reads == {council: 4}
    assert other.council() == (council, 4)
    settle(of, COUNCIL, KEY, "milk")
    assert (mine.prepare(KITE).reads, other.council()) == ({council: 6}, (council, 6))


def test_the_council_is_looked_for_once_and_then_only_glanced_at() -> None:
    of = world.memory()
    parts = world.hub(of).parts
    mine = session(world.memory(store=parts.store, keyring=parts.world.keyring))
    assert mine.prepare(KITE).reads == {}

    settle(of, COUNCIL, KEY, "tea")

    # Whoever has not read it since says nothing of it.
    assert mine.prepare(KITE).reads == {}
    mine.snapshot()
    assert mine.prepare(KITE).reads == {mine.hub.stream(COUNCIL).ref: 4}
    late = session(world.memory(store=parts.store, keyring=parts.world.keyring))
    assert late.prepare(KITE).reads == {mine.hub.stream(COUNCIL).ref: 4}


def test_a_fact_of_somebody_else_is_read_by_the_agent_that_the_policy_names() -> None:
    mias = "user/profile/user_mia/drink"
    of = world.memory(Policy(sem=Sem(readers={"user/profile/user_mia/": ("agent:ada",)})))
    mia = Principal(name="mia", role=Role.USER, tenant="main")
    hub = world.hub(of)
    hub.append(COUNCIL, [hub.prepare(PutFact(key=mias, value="milk", subject="user_mia"), mia)])

    assert known(session(of).snapshot().facts) == {mias: "milk"}
    other = AgentSession(
        hub, tenant="main", agent="bert", user="tuff", persona=Persona.ACTOR, channel=Channel.API
    )
    assert other.snapshot().facts == []


# ── Then ────────────────────────────────────────────────────────────────────────────────────────


def story(policy: Policy | None = None) -> tuple[Memory, AgentSession, list[int]]:
    """A drink that changes, and a sentence after each; and where the log stood after these."""
    clock = world.StillClock()
    of = world.memory(policy, clock=clock)
    mine, heads = session(of), []
    for value in ("tea", "milk"):
        settle(of, COUNCIL, KEY, value)
        write(of, ALL)
        mine.snapshot()
        mine.append(KITE)
        heads.append(of.head(ADA))
        clock.later(minutes=DAY_MINUTES)
    return of, mine, heads


def test_a_read_of_then_stands_on_what_had_been_read_by_then() -> None:
    of, mine, (first, last) = story(SHARING)
    own = mine.writer.stream.ref

    then, now = mine.snapshot(first), mine.snapshot(last)

    assert (then.at, then.seq, then.council) == (first, first, 4)
    assert known(then.facts) == known(then.own) == {KEY: "tea"}
    assert then.stamp == governed_facts.snapshot_hash(then.facts)
    assert then.desk is mine.writer.desk
    (space,) = then.shared
    assert then.shared == {space: 4}
    assert then.reads == {own: first, mine.hub.stream(space).ref: 4}
    assert (now.council, known(now.facts), now.shared) == (6, {KEY: "milk"}, {space: 6})
    assert mine.snapshot(0).facts == []
    for wrong in (last + 1, -1, True):
        with pytest.raises(InputError):
            mine.snapshot(wrong)
    assert mine.reads(first) == mine.heads(first) == {own: first}
    assert of.head(ADA) == last


def test_a_read_of_a_day_has_the_facts_of_that_day_and_the_stamp_of_what_is_known() -> None:
    _, mine, (first, last) = story()

    found, then = mine.snapshot(None, "2026-09-21"), mine.snapshot(first, "2026-09-22")

    assert known(found.facts) == known(found.own) == {KEY: "tea"}
    assert found.stamp == mine.snapshot().stamp
    assert known(then.facts) == {KEY: "tea"}
    assert known(mine.snapshot(last, "2026-09-22").facts) == {KEY: "milk"}
    assert mine.snapshot(last, "2026-09-20").facts == []


def test_a_read_is_done_again_on_the_heads_that_its_receipt_names() -> None:
    _, mine, (_, last) = story(SHARING)
    own, council = mine.writer.stream.ref, mine.hub.stream(COUNCIL).ref
    space = mine.hub.stream(ALL).ref

    past = mine.reading_at_heads({own: last, council: 4, space: 4})

    assert past is not mine
    assert past.seen_at(COUNCIL, last) == 4
    assert (past.snapshot(last).council, past.snapshot(last).shared) == (4, {ALL: 4})
    assert past.heads(None) == past.heads(last) == {own: last, council: 4, space: 4}
    assert (mine.seen_at(COUNCIL, last), mine.seen_at(ALL, last)) == (6, 6)
    bare = mine.reading_at_heads({own: last})
    assert (bare.seen_at(COUNCIL, last), bare.heads(3)) == (6, {own: last})
    assert bare.seen_at(council_stream("zoo"), last) == 0
    empty = mine.reading_at_heads({})
    assert (empty.seen_at(COUNCIL, last), empty.heads(last)) == (6, {})


def test_heads_are_shown_without_those_of_the_council() -> None:
    of, mine, _ = story()
    own, council = mine.writer.stream.ref, mine.hub.stream(COUNCIL).ref

    assert mine.shown({own: 3, council: 4}) == {own: 3}
    assert of.tenant == "main"


# ── The Subconscious ────────────────────────────────────────────────────────────────────────────


def granted() -> tuple[Memory, AgentSession, list[int]]:
    """A fact for everybody, and one that was granted to the Subconscious and then changed."""
    clock = world.StillClock()
    of = world.memory(clock=clock)
    mine, heads = session(of, persona=Persona.SUBCONSCIOUS), []
    settle(of, COUNCIL, KEY, "tea")
    for value in ("Lisbon", "Porto"):
        settle(of, DOCKET, CITY, value)
        mine.snapshot()
        mine.append(KITE)
        heads.append(of.head(BELOW))
        clock.later(minutes=DAY_MINUTES)
    return of, mine, heads


def test_what_was_granted_to_the_subconscious_is_read_by_nobody_else() -> None:
    of, below, (first, last) = granted()
    ref = below.hub.stream(DOCKET).ref

    found = below.snapshot()

    assert known(found.facts) == {KEY: "tea", CITY: "Porto"}
    assert found.stamp == governed_facts.snapshot_hash(found.facts)
    assert found.own == found.facts
    assert below.prepare(KITE).reads[ref] == of.head(DOCKET) == 6
    assert known(below.docket_facts(None)) == {CITY: "Porto"}
    assert known(below.docket_facts(first)) == {CITY: "Lisbon"}
    assert known(below.docket_facts(last)) == {CITY: "Porto"}
    assert below.docket_facts(0) == []
    assert known(below.snapshot(first).facts) == {KEY: "tea", CITY: "Lisbon"}
    actor = session(of)
    assert known(actor.snapshot().facts) == {KEY: "tea"}
    assert actor.docket_facts(None) == []
    assert actor.snapshot().stamp != found.stamp


def test_what_was_granted_is_read_as_of_a_day_too() -> None:
    _, below, (first, last) = granted()

    assert known(below.docket_facts(None, "2026-09-21")) == {CITY: "Lisbon"}
    assert known(below.docket_facts(first, "2026-09-22")) == {CITY: "Lisbon"}
    assert below.docket_facts(last, "2026-09-20") == []
    assert known(below.snapshot(None, "2026-09-21").facts) == {KEY: "tea", CITY: "Lisbon"}
    assert known(below.snapshot(first, "2026-09-22").facts) == {KEY: "tea", CITY: "Lisbon"}
    assert known(below.snapshot(last, "2026-09-22").facts) == {KEY: "tea", CITY: "Porto"}


def test_where_the_subconscious_has_no_docket_nothing_was_granted() -> None:
    of = world.memory()
    below = session(of, persona=Persona.SUBCONSCIOUS)

    assert below.docket_facts(None) == below.docket_facts(None, "2026-09-21") == []
    assert not world.hub(of).exists(DOCKET)


# ── Requests ────────────────────────────────────────────────────────────────────────────────────


def _forwarded(**more: Any) -> Line:  # noqa: ANN401
    said: dict[str, Any] = {"n": 1, "action": "sem_write", "key": KEY, "value": "tea"}
    said |= {"justification": "", "evidence": (), "requested_by": "bea", "subject": "user_tuff"}
    return placed(RequestForwarded(**{**said, "created_seeded_ts": "", **more}))


def test_the_request_that_an_append_became_is_told_to_whoever_asked() -> None:
    of = world.memory(preset("council"))
    mine = session(of)
    told = mine.append(KITE)
    assert mine.request_of(told) == ""
    line = _forwarded()
    mine.hub._deliver(ADA, line)

    raised = type(told)(lines=(*told.lines, line))

    assert mine.request_of(raised) == mine.hub.request_of(ADA, line) != ""
