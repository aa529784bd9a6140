"""Retention: counted in ticks of the stream's own clock, never by the wall."""

import pytest
from tests import world
from tests.talks import DECAYS_AT_3, ENDS_AT_3, decaying, letter, talk, texts, traced, windowed

from muniment.engine.conversation.conversation import Conversation
from muniment.model.errors import RefusedError
from muniment.model.kinds.conversation_item import EventType, Kind, MemoryItem, Meta, Source
from muniment.model.policy import Governance, Policy
from muniment.model.policy.conversation import ForgetMode, Retention, RetentionRule, Writing
from muniment.rules.conversation import retention


def item(created_at: int, rule: RetentionRule) -> MemoryItem:
    meta = Meta(event_type=EventType.PREFERENCE, expires_at=retention.expires_at(created_at, rule))
    return MemoryItem(
        id="x",
        kind=Kind.SEMANTIC,
        text="I prefer tea",
        source=Source.USER,
        created_at=created_at,
        importance=1,
        meta=meta,
    )


def pass_ticks(ada: Conversation, count: int) -> None:
    """A tool that says nothing new takes two ticks: a turn and an attempt; so does a greeting."""
    for _ in range(count // 2):
        ada.record(user="ok")


@pytest.mark.covers("B-050", "B-049", "B-116")
def test_a_ttl_ends_at_the_tick_of_its_creation_plus_its_ticks() -> None:
    policy = decaying(ENDS_AT_3)
    kept = item(10, ENDS_AT_3)

    assert kept.meta.expires_at == 13
    assert retention.expiry(kept, 12, policy) == ""
    assert retention.expiry(kept, 13, policy) == "ttl_expired"


@pytest.mark.covers("B-051", "B-049", "B-116")
def test_a_decay_ends_once_the_age_is_greater_than_its_ticks() -> None:
    policy = decaying(DECAYS_AT_3)
    kept = item(10, DECAYS_AT_3)

    assert kept.meta.expires_at is None
    assert retention.expiry(kept, 13, policy) == ""
    assert retention.expiry(kept, 14, policy) == "decay"


@pytest.mark.covers("B-029", "B-050", "B-052", "B-054", "B-116")
def test_an_item_past_its_ttl_is_forgotten_and_deleted() -> None:
    ada = talk(decaying(ENDS_AT_3))
    ada.record(user="I prefer tea")
    (kept,) = ada.items("semantic")
    assert (kept.created_at, kept.meta.expires_at) == (3, 6)

    pass_ticks(ada, 2)
    assert texts(ada.items("semantic")) == ["I prefer tea"]
    pass_ticks(ada, 2)

    assert ada.items("semantic") == []
    (forgot,) = traced(ada, "memory_forget")
    (deleted,) = traced(ada, "memory_deleted")
    assert (forgot["memory_id"], forgot["reason"]) == (kept.id, "ttl_expired")
    assert (deleted["memory_id"], deleted["reason"]) == (kept.id, "expired")


@pytest.mark.covers("B-038", "B-051", "B-052", "B-054", "B-116")
def test_an_item_decays_by_the_rule_of_its_own_event_type() -> None:
    ada = talk(decaying(DECAYS_AT_3))
    ada.record(user="I prefer tea")  # tick 3
    ada.record(user="we decided on Rust")  # a decision has forty ticks

    pass_ticks(ada, 2)  # tick 7: older than three

    assert texts(ada.items("semantic")) == ["we decided on Rust"]
    (forgot,) = traced(ada, "memory_forget")
    assert forgot["reason"] == "decay"
    assert [each["reason"] for each in traced(ada, "memory_deleted")] == ["expired"]


@pytest.mark.covers("B-038")
def test_a_profile_fact_stays_unless_a_rule_says_otherwise() -> None:
    short = Retention(profile={EventType.FACT: ENDS_AT_3})
    lasting, passing = talk(), talk(Policy(retention=short))
    for ada in (lasting, passing):
        ada.record(user="My name is Ada")
        pass_ticks(ada, 8)

    assert texts(lasting.items("profile")) == ["Ada"]
    assert passing.items("profile") == []


@pytest.mark.covers("B-053", "B-054", "B-002", "B-116")
def test_a_message_that_leaves_the_window_is_forgotten_by_decay_and_told_in_a_summary() -> None:
    ada = talk(windowed(2))
    ada.record(user="one", ai="two")

    told = ada.record(user="three")

    assert texts(ada.items("short_term")) == ["two", "three", "user: one"]
    assert [(each.item_id, each.reason) for each in told.deleted] == [
        ("session:tuff:short_term:1", "expired")
    ]
    (forgot,) = traced(ada, "memory_forget")
    assert (forgot["memory_id"], forgot["reason"]) == ("session:tuff:short_term:1", "decay")


@pytest.mark.covers("B-048", "B-019")
def test_an_older_summary_is_superseded_by_the_one_that_continues_it() -> None:
    ada = talk(windowed(1))
    for word in ("one", "two", "three"):
        ada.record(user=word)

    summaries = [each for each in ada.items("short_term") if each.meta.summary_of]

    assert texts(summaries) == ["user: one | user: two"]
    assert [e["reason"] for e in traced(ada, "memory_deleted")] == [
        "expired",
        "expired",
        "superseded",
    ]


def test_a_summary_stays_short_however_long_the_conversation() -> None:
    ada = talk(windowed(1))
    for n in range(30):
        ada.record(user=f"number {n} " + "and so on " * 20)

    (summary,) = [each for each in ada.items("short_term") if each.meta.summary_of]

    assert len(summary.text) <= 240
    assert len(summary.meta.summary_of) == 29


def test_a_summary_of_what_a_model_said_is_nothing_to_act_on() -> None:
    of = world.memory(windowed(1))
    ada = of.agent("ada", user="tuff")
    talked = ada.conversation(session="tuff")
    talked.record(ai="the invoice must be paid at once")
    talked.record(ai="good")

    def found(purpose: str) -> list[str]:
        return [hit.text for hit in ada.recall("invoice paid", purpose=purpose).hits]

    assert any("ai: the invoice" in text for text in found(""))
    assert found("act") == []
    shown = ada.job(session="tuff").context("invoice paid").pieces
    assert {p.authority for p in shown if "ai: the invoice" in p.text} == {"ai_inferred"}


@pytest.mark.covers("B-049")
def test_the_wall_clock_has_no_say() -> None:
    clock = world.SteppingClock()
    ada = talk(of=world.memory(decaying(ENDS_AT_3), clock=clock))
    ada.record(user="I prefer tea")

    clock.later(days=1000)
    ada.recall("tea")

    assert texts(ada.items("semantic")) == ["I prefer tea"]


def test_what_is_past_its_time_is_hidden_before_it_is_swept() -> None:
    memory = world.memory(decaying(DECAYS_AT_3))
    ada = talk(of=memory)
    ada.record(user="I prefer tea")
    pass_ticks(talk(of=memory, session="another"), 6)

    found = ada.recall("tea")

    assert [each for each in found.items if each.kind == "semantic"] == []
    assert found.hidden == 1
    ada.record(user="ok")
    assert ada.items("semantic") == []


def test_a_stricter_policy_ends_what_is_past_its_time_at_once() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    ada.record(user="I prefer tea")
    pass_ticks(ada, 6)

    memory.admin().adopt_policy(decaying(DECAYS_AT_3), agent="ada")

    assert ada.items("semantic") == []
    assert ada.recall("tea").hidden == 0
    (forgot,) = traced(ada, "memory_forget")
    assert forgot["reason"] == "decay"


def test_never_means_never() -> None:
    ada = talk(decaying(RetentionRule(mode=ForgetMode.NEVER)))
    ada.record(user="I prefer tea")
    pass_ticks(ada, 200)

    assert texts(ada.items("semantic")) == ["I prefer tea"]


# ── A retention that is changed afterwards ──────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (ForgetMode.NEVER, ENDS_AT_3),
        (ForgetMode.NEVER, DECAYS_AT_3),
        (ForgetMode.DECAY, ENDS_AT_3),
        (ForgetMode.TTL, ENDS_AT_3),
        (ForgetMode.TTL, DECAYS_AT_3),
    ],
)
def test_a_retention_that_is_shortened_ends_what_is_there_already(
    then: ForgetMode, now: RetentionRule
) -> None:
    of = world.memory(letter(Policy(writing=Writing(forget_policy=then))))
    ada = talk(of=of)
    ada.record(user="I prefer tea")
    pass_ticks(ada, 4)
    assert texts(ada.items("semantic")) == ["I prefer tea"]

    of.admin().adopt_policy(decaying(now), agent="ada")

    assert not [each for each in ada.recall("tea").items if each.kind is Kind.SEMANTIC]
    pass_ticks(ada, 2)
    assert ada.items("semantic") == []


@pytest.mark.parametrize("then", [ENDS_AT_3, DECAYS_AT_3])
def test_a_retention_that_is_lengthened_keeps_what_is_there(then: RetentionRule) -> None:
    of = world.memory(decaying(then))
    ada = talk(of=of)
    ada.record(user="I prefer tea")

    of.admin().adopt_policy(Policy(writing=Writing(forget_policy=ForgetMode.NEVER)), agent="ada")
    pass_ticks(ada, 60)

    assert texts(ada.items("semantic")) == ["I prefer tea"]
    assert [each.text for each in ada.recall("tea").items if each.kind is Kind.SEMANTIC]


def test_a_past_entry_is_read_under_the_retention_of_then() -> None:
    of = world.memory(letter(Policy(writing=Writing(forget_policy=ForgetMode.NEVER))))
    ada = talk(of=of)
    ada.record(user="I prefer tea")
    seq = world.lines(of)[-1].seq
    pass_ticks(ada, 8)
    of.admin().adopt_policy(decaying(ENDS_AT_3), agent="ada")

    then = ada.recall("tea", at=seq).items

    assert [each.text for each in then if each.kind is Kind.SEMANTIC] == ["I prefer tea"]


def test_what_lapsed_while_it_was_taken_back_does_not_come_back_by_undo() -> None:
    ada = talk(decaying(ENDS_AT_3))
    ada.record(user="I prefer tea")
    (tea,) = ada.items("semantic")
    taken = ada.forget(tea.id)
    pass_ticks(ada, 4)

    with pytest.raises(RefusedError, match="nothing_to_undo"):
        ada.undo(taken.seq)

    assert ada.items("semantic") == []


@pytest.mark.parametrize(
    ("newest", "now", "held"),
    [
        ("2026-01-01T00:00:00.000Z", "2026-03-31T00:00:00.000Z", True),  # the 89th day
        ("2026-01-01T00:00:00.000Z", "2026-04-01T00:00:00.000Z", False),
        ("", "2026-04-01T00:00:00.000Z", True),  # kept without a clock
        ("2026-01-01T00:00:00.000Z", "", True),  # asked without one
    ],
)
def test_a_record_is_untouchable_until_its_days_are_known_to_be_over(
    newest: str, now: str, *, held: bool
) -> None:
    assert retention.held(newest, now, Governance()) is held
