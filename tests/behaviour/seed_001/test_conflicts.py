"""Conflicts: authority, correction, recency, importance; and what becomes of the loser."""

from itertools import pairwise

import pytest
from tests import world
from tests.talks import letter, talk, texts, traced, windowed

from muniment.model.errors import RefusedError
from muniment.model.kinds.conversation_item import EventType
from muniment.model.kinds.episode import Authority
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.policy.conversation import Writing
from muniment.rules.conversation import conflict
from muniment.rules.conversation.conflict import Claim, ConflictVerdict, settle

AI, USER = Authority.AI_INFERRED, Authority.USER_ASSERTED
TOOL, SYSTEM = Authority.TOOL_VERIFIED, Authority.SYSTEM_IMPOSED
FACT, CORRECTION = EventType.FACT, EventType.CORRECTION


def claim(
    authority: Authority = USER,
    event_type: EventType = FACT,
    *,
    at: int = 1,
    importance: int = 1,
    intent: bool = False,
    id: str = "a",  # noqa: A002 - what it is called
) -> Claim:
    return Claim(
        id=id,
        authority=authority,
        event_type=event_type,
        created_at=at,
        importance=importance,
        intent=intent,
    )


def verdict(new: Claim, old: Claim, writing: Writing | None = None) -> tuple[bool, str]:
    told = settle(new, old, writing or Writing())
    assert isinstance(told, ConflictVerdict)
    return told.new_wins, told.rule


@pytest.mark.covers("B-045", "B-114")
def test_the_system_outranks_tools_who_outrank_people_who_outrank_guesses() -> None:
    order = [SYSTEM, TOOL, USER, AI]
    ranked = sorted(Authority, key=lambda each: -conflict.rank(each, Writing()))

    assert ranked == order
    for higher, lower in pairwise(order):
        assert verdict(claim(lower, at=9), claim(higher)) == (False, "authority")
        assert verdict(claim(higher), claim(lower, at=9)) == (True, "authority")


@pytest.mark.covers("B-043", "B-114")
def test_the_policy_may_order_authorities_otherwise() -> None:
    writing = Writing(authority_order=(USER, TOOL, SYSTEM, AI))

    assert verdict(claim(USER), claim(SYSTEM, at=9), writing) == (True, "authority")


@pytest.mark.covers("B-046", "B-114")
@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        (claim(TOOL), claim(USER, CORRECTION, at=9, importance=9), (True, "authority")),
        (claim(at=1), claim(event_type=CORRECTION), (False, "correction")),
        (claim(event_type=CORRECTION), claim(at=9, importance=9), (True, "correction")),
        (claim(at=2), claim(at=1, importance=9), (True, "recency")),
        (claim(at=1), claim(at=2), (False, "recency")),
        (claim(importance=2), claim(importance=1), (True, "importance")),
        (claim(importance=1), claim(importance=2), (False, "importance")),
        (claim(id="b"), claim(id="a"), (True, "importance")),
    ],
)
def test_authority_then_correction_then_recency_then_importance(
    new: Claim, old: Claim, expected: tuple[bool, str]
) -> None:
    assert verdict(new, old) == expected


@pytest.mark.covers("B-047", "B-114")
@pytest.mark.parametrize(
    ("new", "old", "wins"),
    [
        (claim(USER, CORRECTION, intent=True), claim(TOOL), True),
        (claim(USER, CORRECTION, intent=False), claim(TOOL), False),  # nobody meant it
        (claim(USER, FACT, intent=True), claim(TOOL), False),
        (claim(AI, CORRECTION, intent=True), claim(TOOL), False),
        (claim(USER, CORRECTION, intent=True), claim(SYSTEM), True),
        (claim(USER, CORRECTION, intent=False), claim(SYSTEM), False),
        (claim(USER, FACT, intent=True), claim(SYSTEM), False),
        (claim(AI, CORRECTION, intent=True), claim(SYSTEM), False),
        (claim(TOOL, CORRECTION), claim(SYSTEM), True),
        (claim(SYSTEM, CORRECTION), claim(TOOL), True),
    ],
)
def test_a_correction_that_someone_meant_beats_a_higher_authority(
    new: Claim, old: Claim, *, wins: bool
) -> None:
    assert verdict(new, old)[0] is wins


@pytest.mark.covers("B-047", "B-114")
def test_a_policy_keeps_what_was_imposed_from_corrections() -> None:
    writing = Writing(correction_overrides_system=False)

    assert not verdict(claim(USER, CORRECTION, intent=True), claim(SYSTEM), writing)[0]
    assert not verdict(claim(TOOL, CORRECTION), claim(SYSTEM), writing)[0]
    assert verdict(claim(USER, CORRECTION, intent=True), claim(TOOL), writing)[0]


# ── In a conversation ───────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("B-048", "B-079")
def test_a_loser_leaves_at_once_and_its_deletion_says_superseded() -> None:
    ada = talk()
    ada.record(user="My name is Ada")

    told = ada.record(user="Actually my name is Bea")

    assert texts(ada.items("profile")) == ["Bea"]
    lost = [(each.item_id, each.reason, each.rule) for each in told.deleted]
    assert ("session:tuff:profile:1", "superseded", "correction") in lost
    (trace,) = [
        each
        for each in traced(ada, "memory_deleted")
        if each["memory_id"] == "session:tuff:profile:1"
    ]
    assert trace["reason"] == "superseded"


@pytest.mark.covers("B-046")
def test_the_newer_of_two_plain_statements_wins_by_recency() -> None:
    ada = talk()
    ada.record(user="My editor is vim")

    told = ada.record(user="My editor is helix")

    assert texts(ada.items("profile")) == ["helix"]
    assert {each.rule for each in told.conflicts} == {"recency"}


@pytest.mark.covers("B-046")
def test_a_plain_statement_does_not_undo_a_correction() -> None:
    ada = talk()
    ada.record(user="Actually my name is Bea")

    told = ada.record(user="My name is Ada")

    assert texts(ada.items("profile")) == ["Bea"]
    assert told.deleted == ()  # what was never stored is not deleted
    assert {each.rule for each in told.conflicts} == {"correction"}
    assert len(traced(ada, "memory_conflict")) == 2  # the saying and the fact


@pytest.mark.covers("B-047")
def test_what_an_administrator_imposed_stands_where_policy_keeps_it_from_corrections() -> None:
    memory = world.memory(Policy(writing=Writing(correction_overrides_system=False)))
    ada = talk(of=memory)
    memory.admin().impose("ada", "My language is English", user="tuff")

    told = ada.record(user="Actually my language is Portuguese")

    assert texts(ada.items("profile")) == ["English"]
    assert {each.rule for each in told.conflicts} == {"authority"}


@pytest.mark.covers("B-047")
@pytest.mark.parametrize("policy", [letter(), Policy()])
def test_a_users_correction_beats_what_an_administrator_imposed(policy: Policy) -> None:
    memory = world.memory(policy)
    ada = talk(of=memory)
    memory.admin().impose("ada", "My language is English", user="tuff")

    told = ada.record(user="Actually my language is Portuguese")

    assert texts(ada.items("profile")) == ["Portuguese"]
    assert {each.rule for each in told.conflicts} == {"correction"}


def test_without_a_users_credential_a_correction_is_only_words() -> None:
    """An agent that speaks for nobody cannot correct what someone imposed."""
    memory = world.memory(letter())
    nobody = talk(of=memory, user="")
    memory.admin().impose("ada", "My language is English")

    nobody.record(user="Actually my language is Portuguese")

    assert texts(nobody.items("profile")) == ["English"]


def test_an_agent_cannot_speak_for_the_system() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    command = ada.imposition("My language is English")

    told = memory.agent("ada", user="tuff")._session.append(command)

    assert told.refusal is not None
    assert told.refusal.reason == "source_not_allowed"


def test_the_winner_of_a_restatement_keeps_the_larger_importance() -> None:
    ada = talk()
    ada.record(user="I prefer tea")
    before = ada.items("semantic")[0].importance

    ada.record(user="i prefer TEA")

    (kept,) = ada.items("semantic")
    assert kept.importance == before
    assert kept.id == "session:tuff:semantic:2"


def test_without_deduplication_restatements_stand_side_by_side() -> None:
    ada = talk(Policy(writing=Writing(dedupe_enabled=False)))

    ada.record(user="I prefer tea")
    ada.record(user="I prefer tea")

    assert texts(ada.items("semantic")) == ["I prefer tea", "I prefer tea"]


def test_what_was_imposed_is_not_forgotten_or_undone_by_those_it_binds() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    ada.record(user="My language is Portuguese")
    seq = memory.admin().impose("ada", "My language is English", user="tuff")
    (kept,) = ada.items("profile")

    with pytest.raises(RefusedError) as forgetting:
        ada.forget(kept.id)
    with pytest.raises(RefusedError) as undoing:
        ada.undo(seq)

    assert forgetting.value.reason == undoing.value.reason == "item_imposed"
    assert texts(ada.items("profile")) == ["English"]
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


@pytest.mark.parametrize(
    "policy", [windowed(1), Policy(recall=RecallPolicy(short_term_messages=1))]
)
def test_the_summary_of_a_talk_is_nobodys_decision_and_may_be_forgotten(policy: Policy) -> None:
    """Words of several: none of them weighs more for being in it."""
    ada = talk(policy)
    for word in ("I live in Bremen", "I work at the docks", "I have a boat"):
        ada.record(user=word, ai="as you say", tools=["clock: 12:00"])
    (summary,) = [each for each in ada.items("short_term") if each.meta.summary_of]
    assert (summary.meta.authority, summary.meta.authority_reason) == (AI, "summary")

    ada.forget(summary.id)

    assert not [each for each in ada.items("short_term") if each.meta.summary_of]


def test_an_administrator_takes_back_what_one_laid_down_and_nothing_else() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    memory.admin().impose("ada", "My language is English", user="tuff")
    ada.record(user="My editor is vim")
    language, editor = ada.items("profile")

    memory.admin("another").lift("ada", language.id, user="tuff")
    with pytest.raises(RefusedError) as refused:
        memory.admin().lift("ada", editor.id, user="tuff")

    assert refused.value.reason == "item_not_imposed"
    assert texts(ada.items("profile")) == ["vim"]
    ada.record(user="My language is Portuguese")
    assert texts(ada.items("profile")) == ["vim", "Portuguese"]
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}
