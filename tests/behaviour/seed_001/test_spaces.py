"""Spaces: what agents share, the borders between, and how an item is promoted across them."""

from collections.abc import Callable

import pytest
from tests import world
from tests.talks import OPEN_SPACES, brief, letter, recalled, talk, texts, traced

from muniment.engine.api.memory import Memory
from muniment.engine.conversation.conversation import Conversation
from muniment.log.entry import Head
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch
from muniment.model.errors import MemoryWriteFailError, RefusedError, StoreError
from muniment.model.kinds.conversation_item import Kind, Space
from muniment.model.kinds.episode import Authority
from muniment.model.policy import Policy
from muniment.model.policy.conversation import SpaceRule, Spaces, WritePolicy, Writing
from muniment.model.scope import StreamKind

WISH = "Remember this for me: I prefer tea"
NARROW = Policy(spaces=Spaces(read_order=(Space.SESSION,)))


# ── Borders ─────────────────────────────────────────────────────────────────────────────────────


def read_all(ada: Conversation) -> None:
    ada.recall("tea", spaces=("session", "user"))
    ada.record(user="ok")


def write_user(ada: Conversation) -> None:
    ada.record(user="I prefer tea", space="user")


BORDERS: dict[str, tuple[Policy, Callable[[Conversation], object], str, str]] = {
    "read_allowed": (Policy(), read_all, "read", "allowed"),
    "read_space_disabled": (NARROW, read_all, "read", "space_disabled"),
    "write_allowed": (Policy(spaces=OPEN_SPACES), write_user, "write", "allowed"),
    "write_space_disallowed": (Policy(), write_user, "write", "write_space_disallowed"),
    "promote_allowed": (Policy(), lambda ada: ada.record(user=WISH), "promote", "allowed"),
    "promote_space_disabled": (
        NARROW,
        lambda ada: ada.record(user=WISH),
        "promote",
        "space_disabled",
    ),
}


@pytest.mark.covers("B-040", "B-086", "B-087", "B-088", "B-089", "B-115")
@pytest.mark.parametrize("name", sorted(BORDERS))
def test_every_crossing_is_checked_and_the_check_is_written_down(
    name: str, golden: Callable[[str, str], None]
) -> None:
    policy, act, action, reason = BORDERS[name]
    ada = talk(policy)

    act(ada)

    found = [
        each
        for each in traced(ada, "memory_border_check")
        if (each["action"], each["reason"]) == (action, reason)
    ]
    assert found
    trace = found[-1]
    assert trace["allowed"] is (reason == "allowed")
    assert ("to_space" in trace) is (action != "read")
    golden(f"traces/borders/{name}.json", brief(trace))


def test_what_a_border_refuses_is_not_written_anywhere() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)

    told = ada.record(user="I prefer tea", space="user")

    assert [each.kind for each in told.written] == ["short_term"]
    assert not [each for each in memory.streams() if each.kind is StreamKind.SPACE]


def test_a_space_without_an_owner_is_not_there() -> None:
    ada = talk(user="", project="")

    checks = {each.space: each.reason for each in ada.recall("tea").borders}

    assert checks == {
        "session": "allowed",
        "user": "space_disabled",
        "project": "space_disabled",
        "system": "allowed",
    }


# ── Promotion ───────────────────────────────────────────────────────────────────────────────────

TO_SYSTEM = SpaceRule(
    from_space=Space.SESSION, to_space=Space.SYSTEM, authority=Authority.USER_ASSERTED
)
PROMOTIONS: dict[str, tuple[str, str]] = {
    "promotion_disallowed": ("Remember for everyone: I prefer tea", "system"),
    "promotion_authority": ("Remember for our project: I prefer tea", "project"),
    "promotion_event_type": ("I hope you remember this about me: grep is fine", "user"),
}


@pytest.mark.covers("B-040", "B-094", "B-095", "B-096", "B-115")
@pytest.mark.parametrize("code", sorted(PROMOTIONS))
def test_a_promotion_is_refused_for_a_stable_reason(
    code: str, golden: Callable[[str, str], None]
) -> None:
    text, to_space = PROMOTIONS[code]
    ada = talk(Policy(writing=Writing(write_policy=WritePolicy.AGGRESSIVE)))

    ada.record(user=text)

    (trace,) = traced(ada, "memory_promotion_denied")
    assert (trace["reason"], trace["to_space"], trace["allowed"]) == (code, to_space, False)
    assert ada.items("semantic", to_space) == []
    assert texts(ada.items("semantic")) == [text]
    golden(f"traces/promotions/{code}.json", brief(trace))


@pytest.mark.covers("B-092", "B-093")
@pytest.mark.parametrize(
    ("text", "to_space", "reason"),
    [
        (WISH, "user", "hint:remember_for_me"),
        ("Save this about me: I prefer tea", "user", "hint:remember_for_me"),
        ("We decided on Rust: save it for our project", "project", "hint:remember_for_project"),
    ],
)
def test_a_phrase_moves_an_item_to_another_space(text: str, to_space: str, reason: str) -> None:
    ada = talk()

    told = ada.record(user=text)

    (moved,) = told.promoted
    assert (moved.from_space, moved.to_space, moved.reason) == ("session", to_space, reason)
    assert moved.authority_used == "user_asserted"
    assert texts(ada.items("semantic", to_space)) == [text]
    assert ada.items("semantic") == []
    (gone,) = [each for each in told.deleted if each.reason == "promoted"]
    assert (gone.item_id, gone.replaced_by) == (moved.from_id, moved.to_id)


def test_a_caller_may_name_the_target_instead() -> None:
    ada = talk()

    told = ada.record(user="My name is Ada", promote_to="user")

    assert {each.reason for each in told.promoted} == {"target"}
    assert texts(ada.items("profile", "user")) == ["Ada"]


def test_an_item_is_promoted_by_name_step_by_step() -> None:
    ada = talk()
    ada.record(user="I prefer tea")
    (kept,) = ada.items("semantic")

    (first,) = ada.promote(kept.id, "user").promoted
    (second,) = ada.promote(first.to_id, "project").promoted

    assert (second.from_id, second.to_id) == ("user:tuff:semantic:1", "project:apollo:semantic:1")
    assert ada.items("semantic", "user") == []
    assert texts(ada.items("semantic", "project")) == ["I prefer tea"]


def test_a_promotion_by_name_is_nobodys_wish_and_lends_no_authority() -> None:
    above = SpaceRule(
        from_space=Space.SESSION, to_space=Space.USER, authority=Authority.SYSTEM_IMPOSED
    )
    ada = talk(Policy(spaces=Spaces(write_spaces=tuple(Space), promotions=(above,))))
    ada.record(user="I prefer tea")
    (kept,) = ada.items("semantic")

    told = ada.promote(kept.id, "user")

    assert [each.reason for each in told.promotions_denied] == ["promotion_authority"]
    assert ada.items("semantic", "user") == []


def test_recent_messages_are_never_promoted() -> None:
    ada = talk()
    ada.record(user="I prefer tea")

    told = ada.promote("session:tuff:short_term:1", "user")

    assert [each.reason for each in told.promotions_denied] == ["promotion_disallowed"]


def test_an_item_that_loses_in_the_other_space_stays_where_it_was() -> None:
    ada = talk()
    ada.record(user="Actually my name is Bea", promote_to="user")

    told = ada.record(user="My name is Ada", promote_to="user")

    assert texts(ada.items("profile", "user")) == ["Bea"]
    assert texts(ada.items("profile")) == ["Ada"]
    assert told.promoted == ()
    assert {each.rule for each in told.conflicts} == {"correction"}


def test_a_rule_may_open_the_system_space() -> None:
    spaces = Spaces(promotions=(*Spaces().promotions, TO_SYSTEM))
    ada = talk(Policy(spaces=spaces))

    ada.record(user="Remember for everyone: never use tabs")

    assert texts(ada.items("semantic", "system")) == ["Remember for everyone: never use tabs"]


# ── Sharing ─────────────────────────────────────────────────────────────────────────────────────


def two_agents() -> tuple[Memory, Conversation, Conversation]:
    memory = world.memory(letter())
    ada = memory.agent("ada", user="tuff").conversation(project="apollo")
    eve = memory.agent("eve", user="tuff").conversation(project="apollo")
    return memory, ada, eve


def test_agents_of_one_person_share_that_persons_space() -> None:
    _, ada, eve = two_agents()

    ada.record(user="My name is Ada, remember that for me")

    assert recalled(eve, "name", Kind.PROFILE) == ["Ada"]
    assert eve.items("profile") == []


def test_people_of_one_project_share_its_space_and_its_conflicts() -> None:
    memory = world.memory(Policy(spaces=OPEN_SPACES))
    tuff = memory.agent("ada", user="tuff").conversation(project="apollo")
    mia = memory.agent("eve", user="mia").conversation(project="apollo")

    tuff.record(user="we decided on Rust", space="project")
    told = mia.record(user="We decided on RUST!", space="project")

    assert [each.rule for each in told.conflicts] == ["recency"]
    assert texts(tuff.items("semantic", "project")) == ["We decided on RUST!"]
    (one,) = tuff.blame("project:apollo:semantic:1")[:1]
    assert (one.state, one.replaced_by) == ("replaced", "project:apollo:semantic:2")


def test_a_recall_records_the_heads_it_read_and_the_past_can_be_read_again() -> None:
    memory, ada, eve = two_agents()
    ada.record(user="My name is Ada", promote_to="user")
    eve.recall("name")
    seen = eve.record(user="ok").seq
    ada.record(user="Actually my name is Bea", promote_to="user")

    assert texts(eve.items("profile", "user")) == ["Bea"]
    assert texts(eve.items("profile", "user", at=seen)) == ["Ada"]
    assert texts(list(eve.recall("name", at=seen).items)[-1:]) == ["Ada"]
    assert all(proof.shredded == 0 for proof in memory.prove())


def test_people_projects_and_tenants_do_not_see_each_other() -> None:
    memory = world.memory(letter())
    ada = memory.agent("ada", user="tuff").conversation(project="apollo")
    ada.record(user="My name is Ada", promote_to="user")
    ada.record(user="We decided on Rust: remember for our project")

    mia = memory.agent("ada", user="mia").conversation(session="mias", project="gemini")

    assert mia.recall("name Rust").items == ()


def test_a_session_belongs_to_the_person_who_opened_it() -> None:
    memory = world.memory(letter())
    memory.agent("ada", user="tuff").conversation(session="ours").record(user="I prefer tea")
    mia = memory.agent("ada", user="mia").conversation(session="ours")

    for act in (
        lambda: mia.record(user="I prefer milk"),
        lambda: mia.recall("tea"),
        lambda: mia.items("semantic"),
        lambda: mia.blame("session:ours:semantic:1"),
    ):
        with pytest.raises(RefusedError, match="session_of_another_person"):
            act()
    assert [(e["type"], e["reason"]) for e in mia.traces()] == [
        ("memory_denied", "session_of_another_person")
    ]


def test_the_subconscious_shares_no_space_with_the_actor() -> None:
    memory = world.memory(Policy(spaces=OPEN_SPACES))
    hidden = memory.subconscious("ada").conversation(project="apollo")
    seen = memory.agent("ada").conversation(project="apollo")

    hidden.record(user="we decided on Rust", space="project")

    assert texts(hidden.items("semantic", "project")) == ["we decided on Rust"]
    assert seen.items("semantic", "project") == []
    assert seen.recall("Rust").items == ()


class Unreliable(ScratchStore):
    """A store that fails for the streams that are named, for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.broken = False
        self.first = ""

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        self.first = self.first or stream
        if self.broken and stream != self.first:
            raise StoreError("the disk of the shared space is gone")
        super().append(stream, batch, expect=expect)


def test_a_promotion_that_was_cut_short_is_carried_out_exactly_once() -> None:
    store, keyring = Unreliable(), world.CountedKeyring()
    memory = world.memory(store=store, keyring=keyring)
    ada = talk(of=memory)
    ada.record(user="it rains")
    store.broken = True
    with pytest.raises(MemoryWriteFailError):
        ada.record(user=WISH)
    store.broken = False

    again = world.memory(store=store, keyring=keyring)
    bob = talk(of=again)
    bob.record(user="ok")
    talk(of=world.memory(store=store, keyring=keyring)).record(user="ok")

    assert texts(bob.items("semantic", "user")) == [WISH]
    assert bob.items("semantic") == []
    assert len(traced(bob, "memory_promoted")) == 1
    assert again.rebuild() == {each.stream: each.projections for each in again.prove()}


def test_where_the_session_may_not_be_written_nothing_said_there_is_kept() -> None:
    ada = talk(Policy(spaces=Spaces(write_spaces=(Space.USER,))))

    ada.record(user="I prefer tea", ai="noted")

    assert [list(ada.items(kind)) for kind in ("short_term", "semantic", "profile")] == [[], [], []]
    (check,) = [each for each in traced(ada, "memory_border_check") if each["action"] == "write"]
    assert (check["allowed"], check["reason"]) == (False, "write_space_disallowed")
