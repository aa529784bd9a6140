"""A hub of streams by hand: which logs are known, who writes them, and what of the past is read."""

from typing import Any

import msgspec
import pytest
from tests import world
from tests.deciding import placed

from muniment.engine.api.memory import Memory
from muniment.engine.session.stream_hub import StreamHub, reads
from muniment.layers.desk import Desk
from muniment.log.entry import Head, Line
from muniment.log.reference_store import ScratchStore
from muniment.log.signed_notes import TreeHead
from muniment.log.signing import Signer
from muniment.log.store import Batch
from muniment.model.commands import Remember
from muniment.model.errors import KeystoreError
from muniment.model.events import EpisodeWritten, Received, Shredded, WriteDenied
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.scope import (
    BRANCH,
    Channel,
    Persona,
    Principal,
    Role,
    agent_stream,
    council_stream,
)

ADA, BEA, COUNCIL = agent_stream("main", "ada"), agent_stream("main", "bea"), council_stream("main")
KEY = "user/profile/user_tuff/drink"


class Noting(ScratchStore):
    """Knows of more logs than it holds, and notes what else was to be kept with each batch."""

    def __init__(self, *more: str) -> None:
        super().__init__()
        self.more, self.batches, self.heads = more, list[Batch](), 0

    def streams(self) -> list[str]:
        return sorted({*super().streams(), *self.more})

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        self.batches.append(batch)
        super().append(stream, batch, expect=expect)


def told(*agents: str, **parts: Any) -> Memory:  # noqa: ANN401
    """A memory in which each agent was told one sentence."""
    of = world.memory(**parts)
    for each in agents:
        of.agent(each, user="tuff").remember(f"told to {each}")
    return of


def again(of: Memory, **parts: Any) -> StreamHub:  # noqa: ANN401
    """The hub of another process on the same store, or on other parts."""
    return StreamHub(msgspec.structs.replace(world.hub(of).parts, **parts))


def episodes(lines: list[Line]) -> list[str]:
    return [each.event.summary for each in lines if isinstance(each.event, EpisodeWritten)]


# ── Which logs are known ────────────────────────────────────────────────────────────────────────


def test_a_stream_has_a_reference_and_a_key_of_its_own_name() -> None:
    hub = world.hub(told())
    keyring = hub.parts.world.keyring

    found = hub.stream(ADA)

    assert found.id == ADA
    assert found.ref == keyring.find("stream", "main/agent/ada/actor")
    assert found.key == keyring.key(found.ref)
    assert hub.stream(BEA).ref != found.ref


def test_the_logs_that_hold_something_are_known_by_their_names() -> None:
    hub = world.hub(told("zoe", "ada", "bea"))
    nobody = agent_stream("main", "nobody")
    assert not hub.exists(nobody)
    hub.stream(nobody)  # has a name, and holds nothing

    assert [each.text for each in hub.known_streams()] == [
        "main/agent/ada/actor",
        "main/agent/bea/actor",
        "main/agent/zoe/actor",
    ]
    assert hub.known_streams()[0] == ADA
    assert hub.unlisted() == set()
    assert (hub.exists(ADA), hub.exists(nobody), hub.exists(COUNCIL)) == (True, False, False)


def test_a_log_whose_name_nobody_knows_is_not_listed_and_is_no_damage() -> None:
    hub = world.hub(told("ada", store=Noting("f" * 32)))

    assert hub.unlisted() == {"f" * 32}
    assert hub.known_streams() == [ADA]


def test_what_a_branch_has_written_has_a_name() -> None:
    keyring = world.CountedKeyring()
    beside = keyring.ref(BRANCH, "main/agent/ada/actor/b1")
    hub = world.hub(told("ada", store=Noting(beside), keyring=keyring))

    assert hub.unlisted() == set()
    assert hub.known_streams() == [ADA]


class Forgetful(world.CountedKeyring):
    """A keyring that does not list everything that it has a name for."""

    def known(self, kind: str) -> list[tuple[str, str]]:
        return [(ref, name) for ref, name in super().known(kind) if "bea" not in name]


def test_a_log_whose_name_can_be_read_and_is_not_listed_is_a_damage() -> None:
    hub = world.hub(told("ada", "bea", keyring=Forgetful()))
    lost = hub.stream(BEA).ref[:8]
    for each in "abc":
        hub.stream(agent_stream("main", each))  # names of more logs than there are

    with pytest.raises(KeystoreError) as error:
        hub.known_streams()
    assert error.value.detail == f"the keystore is damaged (it does not list the log {lost})"


def test_the_roots_that_were_signed_of_a_log_are_told_by_its_size() -> None:
    hub = world.hub(told("ada"))
    here = hub.stream(ADA)

    Signer(hub.parts.world.keyring, "main").sign(
        TreeHead(ref=here.ref, epoch=1, size=3, root=b"r" * 32)
    )

    assert hub.marks(here) == {3: b"r" * 32}
    assert hub.marks(hub.stream(BEA)) == {}


# ── Who writes them ─────────────────────────────────────────────────────────────────────────────


def test_a_stream_has_one_writer() -> None:
    hub = world.hub(told())

    assert hub.writer(ADA) is hub.writer(ADA)
    assert hub.writer(BEA) is not hub.writer(ADA)
    assert hub.writer(ADA).stream == hub.stream(ADA)


def test_a_writer_works_with_the_parts_of_the_hub() -> None:
    store, policy = Noting(), Policy(recall=RecallPolicy(results_max=7))
    hub = again(world.memory(policy, store=store), open_tables=True)

    hub.append(ADA, [hub.prepare(Remember(text="the kite is red"), engine())])

    (kept,) = store.batches[0].episodes
    assert "the kite is red" in str(kept)
    assert hub.writer(ADA).desk.policy == policy
    plain = Noting()
    told("ada", store=plain)
    assert [each.episodes for each in plain.batches] == [()]


def engine(role: Role = Role.AGENT) -> Principal:
    return Principal(name="ada", role=role, tenant="main", channel=Channel.API)


def test_what_is_asked_carries_the_moment_at_which_it_is() -> None:
    clock = world.StillClock()
    hub = world.hub(world.memory(clock=clock))
    command = Remember(text="the kite is red")

    ask = hub.prepare(command, engine(), job=3, operation="key:1")

    assert (ask.command, ask.principal, ask.at) == (command, engine(), clock.now())
    assert (ask.job, ask.operation) == (3, "key:1")


def test_what_was_read_and_found_is_kept_in_things_of_each_hub() -> None:
    one, other = (world.hub(world.memory()) for _ in "ab")

    assert one.tools is one.parts.tools
    assert one.root is one
    assert one.ground is one.parts.store
    assert one.relations is one.relations
    assert one.relations is not other.relations
    assert one.branches == {}
    assert len(one.pending_receipts) == 0
    one.forget_state()
    one.flush_receipts()


def test_after_its_state_is_forgotten_everything_is_read_again() -> None:
    of = told("ada")
    hub = world.hub(of)
    before = hub.desk_at(ADA, 2), hub.writer(ADA).desk

    hub.forget_state()

    assert (hub.desk_at(ADA, 2), hub.writer(ADA).desk) == before
    assert hub.desk_at(ADA, 2) is not before[0]


# ── Where the council stands ────────────────────────────────────────────────────────────────────


def test_where_the_council_stands_is_known_once_it_has_been_asked_something() -> None:
    of = told("ada")
    hub = world.hub(of)
    assert hub.council_seq("main") == hub.glance("main") == ("", 0)
    assert hub._known_writer(COUNCIL) is None

    of.agent("ada", user="tuff").sem_put(KEY, "tea")

    there = hub.stream(COUNCIL).ref
    assert hub.council_seq("main") == hub.glance("main") == (there, 4)
    assert hub.council_seq("zoo") == hub.glance("zoo") == ("", 0)
    assert hub._known_writer(COUNCIL) is hub.writer(COUNCIL)


def test_a_council_with_a_writer_and_without_entries_stands_nowhere() -> None:
    hub = world.hub(told("ada"))
    hub.writer(COUNCIL)

    assert hub.council_seq("main") == hub.glance("main") == ("", 0)


def test_a_glance_costs_no_look_where_this_process_has_not_met_the_council() -> None:
    of = told("ada")
    of.agent("ada", user="tuff").sem_put(KEY, "tea")
    hub = again(of)

    assert hub.glance("main") == ("", 0)
    assert hub.council_seq("main") == (hub.stream(COUNCIL).ref, 4)
    assert hub.glance("main") == (hub.stream(COUNCIL).ref, 4)


def test_heads_are_told_without_those_of_the_council() -> None:
    of = told("ada")
    hub = world.hub(of)
    refs = [hub.stream(each).ref for each in (ADA, COUNCIL, council_stream("zoo"))]
    asleep = hub.stream(council_stream("main", Persona.SUBCONSCIOUS)).ref
    heads = {each: n for n, each in enumerate([*refs, asleep])}

    assert hub.without_dockets("main", heads) == {refs[0]: 0, refs[2]: 2}
    assert hub.without_dockets("zoo", heads) == {refs[0]: 0, refs[1]: 1, asleep: 3}


# ── The past ────────────────────────────────────────────────────────────────────────────────────


def story() -> tuple[Memory, world.StillClock, list[int]]:
    """Two days with a sentence and a job each; and where the log stood after each of them."""
    clock = world.StillClock()
    of = world.memory(clock=clock)
    ada, heads = of.agent("ada", user="tuff"), []
    for each in ("kite", "lamp"):
        ada.remember(f"the {each} is red")
        ada.job(each)
        heads.append(of.head(ADA))
        clock.later(minutes=24 * 60)
    return of, clock, heads


def test_a_desk_is_read_now_or_at_an_entry_or_on_a_day() -> None:
    of, _, (first, last) = story()
    hub = world.hub(of)
    day = "2026-09-21"

    then, now = hub.desk_at(ADA, first), hub.desk_at(ADA, None)

    assert now is hub.writer(ADA).desk
    assert hub.desk_at(ADA, last) == now
    assert (then.seq, now.seq) == (first, last)
    assert [each.seed for each in then.jobs.open.values()] == ["kite"]
    assert hub.desk_at(ADA, None, day).jobs == hub.desk_at(ADA, last, day).jobs == then.jobs
    assert hub.desk_at(ADA, first, "2026-09-23").jobs == then.jobs
    assert hub.desk_at(ADA, None, "2026-09-23").jobs == now.jobs
    assert hub.desk_at(ADA, None, "2026-01-01") == Desk()


def test_shelves_are_read_now_or_at_an_entry() -> None:
    of, _, (first, last) = story()
    hub = world.hub(of)

    assert hub.shelves(ADA).at == last
    assert hub.shelves(ADA, first).at == first


def test_an_entry_says_how_far_its_writer_had_read_the_council() -> None:
    of = told("ada")
    hub, ada = world.hub(of), of.agent("ada", user="tuff")
    before = of.head(ADA)
    ada.sem_put(KEY, "tea")
    asked = of.head(ADA)
    ada.remember("the kite is red")
    after = of.head(ADA)

    assert hub.seen_at(ADA, COUNCIL, before) == 0
    assert hub.seen_at(ADA, COUNCIL, asked) == 0
    assert [hub.seen_at(ADA, COUNCIL, n) for n in range(asked + 1, after + 1)] == [4] * (
        after - asked
    )
    assert hub.seen_at(ADA, council_stream("zoo"), after) == 0
    assert hub.seen_at(ADA, BEA, after) == 0
    assert hub.seen_at(ADA, COUNCIL, 0) == 0


def received(**known: Any) -> Line:  # noqa: ANN401
    asked = {"asked": "a", "operation": "", "actor": "b", "role": "agent", "channel": "api"}
    return placed(Received(**{"command": Remember(text="x"), **asked, **known}))


def shredded(**public: Any) -> Line:  # noqa: ANN401
    event = Shredded(wire="received", public=public)
    return msgspec.structs.replace(received(), event=event)


@pytest.mark.parametrize(
    ("line", "told_of"),
    [
        (received(reads={"r": 4}), {"r": 4}),
        (received(), {}),
        (shredded(reads={"r": 4, "s": 5}), {"r": 4, "s": 5}),
        (shredded(), {}),
        (shredded(reads=7), {}),
        (placed(WriteDenied(reason="r", asked="a")), {}),
    ],
)
def test_what_an_entry_had_read_is_told_also_when_its_words_are_erased(
    line: Line, told_of: dict[str, int]
) -> None:
    assert reads(line) == told_of
