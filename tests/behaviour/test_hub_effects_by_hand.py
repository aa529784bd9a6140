"""What a hub carries from one stream to another, by hand: exactly once, and by whose word."""

from typing import Any

import msgspec
import pytest
from tests import world
from tests.deciding import placed
from tests.faults import FaultyStore

from muniment.engine.api.memory import Memory
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.command_pipeline import actor_name
from muniment.log.entry import Line
from muniment.model.commands import PutFact, RaiseRequest, Remember
from muniment.model.commands.documents import FileDocuments
from muniment.model.errors import (
    RefusedError,
)
from muniment.model.events import (
    FactSettled,
    Received,
    RequestForwarded,
    RequestRaised,
    WriteDenied,
)
from muniment.model.events.conversation import Forwarded
from muniment.model.policy import DocumentPolicy, Policy, preset
from muniment.model.scope import (
    Channel,
    Persona,
    Principal,
    Role,
    StreamKind,
    agent_stream,
    council_stream,
    ops_stream,
)

ADA, BEA = agent_stream("main", "ada"), agent_stream("main", "bea")
COUNCIL, OPS = council_stream("main"), ops_stream("main")
ASLEEP = council_stream("main", Persona.SUBCONSCIOUS)
KEY = "user/profile/user_tuff/drink"
GOVERNED = Policy(documents=DocumentPolicy(governed=True))


class Place:
    """A memory on a store that can fail, its hub, and one agent."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.store, self.keyring = FaultyStore(), world.CountedKeyring()
        self.of = world.memory(policy, store=self.store, keyring=self.keyring)
        self.hub = world.hub(self.of)
        self.ada = self.of.agent("ada", user="tuff")

    def fail(self, stream: Any, *nth: int, **how: Any) -> None:  # noqa: ANN401
        self.store.fail(*(nth or range(1, 99)), only=self.hub.stream(stream).ref, **how)

    def again(self, **parts: Any) -> StreamHub:  # noqa: ANN401
        """The hub of another process on the same store."""
        return StreamHub(msgspec.structs.replace(self.hub.parts, **parts))

    def ask(self, text: str = "tea") -> str:
        """A promotion request, of which the council is told."""
        episode = self.ada.remember(f"{text} every morning").episodic_id
        return self.ada.memory_promote_request(episode, KEY, "said so", value=text)

    def forwarded(self) -> list[Line]:
        known = world.lines(self.of)
        return [each for each in known if isinstance(each.event, RequestForwarded | Forwarded)]

    def requests(self) -> list[str]:
        found = world.events(self.of, "council")
        return [each.request_id for each in found if isinstance(each, RequestRaised)]


def received(of: Memory, kind: str) -> Received:
    """What a stream was told last."""
    found = [each for each in world.events(of, kind) if isinstance(each, Received)]
    return found[-1]


def engine(role: Role = Role.ENGINE) -> Principal:
    return Principal(name="engine", role=role, tenant="main", channel=Channel.ENGINE)


# ── Requests go to the council ──────────────────────────────────────────────────────────────────


def test_a_request_reaches_the_council_by_the_engines_hand_under_the_hash_of_its_entry() -> None:
    place = Place(preset("council"))

    request_id = place.ask()

    (line,) = place.forwarded()
    told = received(place.of, "council")
    assert isinstance(told.command, RaiseRequest)
    assert (told.command.key, told.command.value) == (KEY, "tea")
    assert told.operation == f"effect:{line.hash.hex()}"
    assert (told.role, told.channel) == (Role.ENGINE, Channel.ENGINE)
    assert told.actor == place.keyring.find("actor", actor_name(engine()))
    assert told.consent_id == ""
    assert place.hub.request_of(ADA, line) == request_id == place.requests()[0]


def test_a_persons_own_word_reaches_the_council_as_theirs() -> None:
    place, line = Place(), _forwarded(direct=True)

    place.hub._deliver(ADA, line)

    told = received(place.of, "council")
    assert told.command == PutFact(key=KEY, value="tea", subject="user_tuff")
    assert (told.role, told.channel) == (Role.USER, Channel.ENGINE)
    assert told.actor == place.keyring.find("actor", actor_name(engine(Role.USER)))
    assert place.hub.request_of(ADA, line) == ""
    assert isinstance(world.events(place.of, "council")[-1], FactSettled)


def test_a_word_goes_on_with_the_consent_under_which_it_was_said() -> None:
    place = Place()
    direct = _forwarded(direct=True, consent_id="consent:1")

    place.hub._deliver(ADA, direct)

    assert received(place.of, "council").consent_id == "consent:1"


def _forwarded(**more: Any) -> Line:  # noqa: ANN401
    said: dict[str, Any] = {"n": 1, "action": "sem_write", "key": KEY, "value": "tea"}
    said |= {"justification": "", "evidence": (), "requested_by": "bea", "subject": "user_tuff"}
    return placed(RequestForwarded(**{**said, "created_seeded_ts": "", **more}))


def test_what_the_subconscious_asks_for_goes_to_a_docket_of_its_own() -> None:
    place = Place()
    asleep = agent_stream("main", "ada", Persona.SUBCONSCIOUS)
    line = _forwarded()

    place.hub._deliver(asleep, line)

    assert [each.kind for each in place.hub.known_streams()] == [StreamKind.COUNCIL]
    assert (place.hub.exists(ASLEEP), place.hub.exists(COUNCIL)) == (True, False)
    assert place.hub.request_of(asleep, line) != ""
    assert place.hub.request_of(ADA, line) == ""


def test_an_entry_that_asks_for_nothing_is_carried_nowhere() -> None:
    place = Place()

    place.hub._deliver(ADA, placed(WriteDenied(reason="r", asked="a")))

    assert place.hub.known_streams() == []
    assert place.hub.effect(placed(WriteDenied(reason="r", asked="a"))) is None


def test_a_request_among_others_is_found_by_the_entry_that_asked() -> None:
    place = Place(preset("council"))

    asked = [place.ask("tea"), place.ask("juice"), place.ask("milk")]

    assert [place.hub.request_of(ADA, each) for each in place.forwarded()] == asked
    assert asked == place.requests()


def test_a_fact_becomes_no_request_also_where_one_follows() -> None:
    place, fact = Place(), _forwarded(direct=True)
    place.hub._deliver(ADA, fact)
    request_id = place.ask("juice")

    (request,) = place.forwarded()

    assert place.hub.request_of(ADA, fact) == ""
    assert place.hub.request_of(ADA, request) == request_id == place.requests()[0]


@pytest.mark.parametrize(
    ("key", "reason", "detail"),
    [
        (
            "zoo/city/lisbon/size",
            "key_scope_unknown",
            "the scopes are user, world, mace, agent, system, config",
        ),
        ("user/profile", "key_not_canonical", "key_not_canonical"),
    ],
)
def test_what_the_council_refuses_says_what_would_have_been_right(
    key: str, reason: str, detail: str
) -> None:
    place = Place()
    line = _forwarded(key=key)
    place.hub._deliver(ADA, line)

    with pytest.raises(RefusedError) as error:
        place.hub.request_of(ADA, line)

    assert error.value.reason == reason
    assert error.value.detail == detail


# ── Between other streams ───────────────────────────────────────────────────────────────────────


def test_a_governed_document_goes_to_the_council_and_comes_back_once_it_is_approved() -> None:
    place = Place(GOVERNED)
    waiting = place.ada.documents(governed=True).put(("a",), "k", "v")
    (asked,) = place.forwarded()
    told = received(place.of, "council")

    assert isinstance(told.command, FileDocuments)
    assert (told.role, told.channel) == (Role.ENGINE, Channel.ENGINE)
    assert told.actor == place.keyring.find("actor", actor_name(engine()))
    assert told.operation == f"effect:{asked.hash.hex()}"
    assert told.reads == {place.hub.stream(ADA).ref: asked.seq}
    effect = place.hub.effect(asked)
    assert effect is not None
    assert effect[0] == COUNCIL
    assert effect[1] == world.lines(place.of, "council", after=2)
    assert waiting.request_id == place.requests()[0]

    place.of.council("bea").approve(place.requests()[0])

    council = world.lines(place.of, "council")
    (back,) = [each for each in council if isinstance(each.event, Forwarded)]
    assert received(place.of, "agent").reads == {place.hub.stream(COUNCIL).ref: back.seq}
    effect = place.hub.effect(back)
    assert effect is not None
    assert (effect[0], effect[1][-1]) == (ADA, world.lines(place.of)[-1])


def test_what_goes_to_a_stream_that_is_gone_is_carried_nowhere() -> None:
    place = Place()
    command = Remember(text="the kite is red")
    line = placed(Forwarded(n=1, to="f" * 32, command=command))

    place.hub._deliver(ADA, line)

    assert place.hub.known_streams() == []
    assert place.hub.effect(line) is None


def test_what_has_not_been_delivered_has_no_effect_yet() -> None:
    place = Place()
    line = placed(Forwarded(n=1, to=place.hub.stream(BEA).ref, command=Remember(text="kite")))

    assert place.hub.effect(line) is None
    place.hub._deliver(ADA, line)
    effect = place.hub.effect(line)
    assert effect is not None
    assert effect[0] == BEA
    before = len(world.lines(place.of))
    place.hub._deliver(ADA, line)
    assert len(world.lines(place.of)) == before
