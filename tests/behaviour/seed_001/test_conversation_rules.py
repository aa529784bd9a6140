"""Rules of a conversation by hand: gate, borders, importance, conflict, and what is taken back."""

import pytest

from muniment.model.kinds.conversation_item import EventType, Kind, Space
from muniment.model.kinds.episode import Authority
from muniment.model.policy import Policy
from muniment.model.policy.conversation import Promotion, SpaceRule, Spaces, WritePolicy, Writing
from muniment.rules.conversation import borders, conflict, gate, importance, retractions
from muniment.rules.conversation.borders import Traveller
from muniment.rules.conversation.conflict import Claim
from muniment.rules.conversation.gate import WriteAttempt
from muniment.rules.conversation.retractions import Withdrawal

# ── The gate ────────────────────────────────────────────────────────────────────────────────────

NO_DECISIONS = Policy(writing=Writing(deny_event_types=(EventType.DECISION,)))
FACTS_ONLY = Policy(writing=Writing(allow_event_types=(EventType.FACT,)))
NO_SEMANTIC_FACTS = Policy(promotion=Promotion(semantic=(EventType.DECISION,)))


def attempt(event_type: EventType, text: str = "we meet on Monday") -> WriteAttempt:
    return WriteAttempt(kind=Kind.SEMANTIC, event_type=event_type, text=text)


@pytest.mark.parametrize(
    ("tried", "policy", "code"),
    [
        (attempt(EventType.FACT), Policy(), ""),
        (attempt(EventType.DECISION), NO_DECISIONS, "policy_deny_event_type"),
        (attempt(EventType.FACT), NO_DECISIONS, ""),
        (attempt(EventType.DECISION), FACTS_ONLY, "policy_deny_event_type"),
        (attempt(EventType.FACT), FACTS_ONLY, ""),
        (attempt(EventType.FACT), NO_SEMANTIC_FACTS, "policy_deny_promotion"),
        (attempt(EventType.DECISION), NO_SEMANTIC_FACTS, ""),
        (attempt(EventType.FACT, "Thank you!"), Policy(), "policy_low_signal"),
        (attempt(EventType.FACT, "…"), Policy(), "policy_low_signal"),
        (attempt(EventType.FACT, "thank the waiter"), Policy(), ""),
        (
            WriteAttempt(kind=Kind.SHORT_TERM, event_type=EventType.FACT, text="hello"),
            Policy(),
            "",
        ),
        (attempt(EventType.DECISION, "ok"), NO_DECISIONS, "policy_deny_event_type"),
    ],
)
def test_the_first_rule_that_says_no_gives_its_code(
    tried: WriteAttempt, policy: Policy, code: str
) -> None:
    assert gate.refusal(tried, policy) == code


def test_recent_messages_pass_no_write_policy_and_other_kinds_say_which() -> None:
    policy = Policy(writing=Writing(write_policy=WritePolicy.MINIMAL))
    recent = WriteAttempt(kind=Kind.SHORT_TERM, event_type=EventType.FACT, text="x")
    always = ("allowed_by:policy_event_types", "allowed_by:promotion_rule")

    assert gate.tags(recent, policy) == ("allowed_by:privacy", *always)
    assert gate.tags(attempt(EventType.FACT), policy) == (
        "allowed_by:privacy",
        "allowed_by:write_policy:minimal",
        *always,
    )


# ── Borders of spaces ───────────────────────────────────────────────────────────────────────────

UP = SpaceRule(
    from_space=Space.SESSION,
    to_space=Space.USER,
    authority=Authority.USER_ASSERTED,
    event_types=(EventType.FACT,),
)
TWO = Spaces(
    read_order=(Space.SESSION, Space.USER), write_spaces=(Space.SESSION,), promotions=(UP,)
)
HERE = (Space.SESSION, Space.USER, Space.PROJECT)


@pytest.mark.parametrize(
    ("space", "present", "read", "write"),
    [
        (Space.SESSION, HERE, "allowed", "allowed"),
        (Space.USER, HERE, "allowed", "write_space_disallowed"),
        (Space.USER, (Space.SESSION,), "space_disabled", "space_disabled"),
        (Space.PROJECT, HERE, "space_disabled", "write_space_disallowed"),
    ],
)
def test_a_space_is_read_and_written_where_the_policy_has_it_and_it_is_there(
    space: Space, present: tuple[Space, ...], read: str, write: str
) -> None:
    assert borders.read(space, TWO, present) == read
    assert borders.write(space, TWO, present) == write


@pytest.mark.parametrize(
    ("from_space", "to_space", "present", "verdict"),
    [
        (Space.SESSION, Space.USER, HERE, "allowed"),
        (Space.SESSION, Space.PROJECT, HERE, "space_disabled"),
        (Space.PROJECT, Space.USER, HERE, "space_disabled"),
        (Space.SESSION, Space.USER, (Space.SESSION,), "space_disabled"),
    ],
)
def test_a_border_is_crossed_where_both_spaces_are_in_use(
    from_space: Space, to_space: Space, present: tuple[Space, ...], verdict: str
) -> None:
    assert borders.promote(from_space, to_space, TWO, present) == verdict


def item(
    kind: Kind = Kind.SEMANTIC,
    event_type: EventType = EventType.FACT,
    authority: Authority = Authority.USER_ASSERTED,
) -> Traveller:
    return Traveller(kind=kind, event_type=event_type, authority=authority)


@pytest.mark.parametrize(
    ("traveller", "to_space", "code"),
    [
        (item(), Space.USER, ""),
        (item(authority=Authority.TOOL_VERIFIED), Space.USER, ""),
        (item(), Space.PROJECT, "promotion_disallowed"),
        (item(kind=Kind.SHORT_TERM), Space.USER, "promotion_disallowed"),
        (item(event_type=EventType.DECISION), Space.USER, "promotion_event_type"),
        (item(authority=Authority.AI_INFERRED), Space.USER, "promotion_authority"),
    ],
)
def test_an_item_crosses_by_a_rule_for_its_type_and_with_its_authority(
    traveller: Traveller, to_space: Space, code: str
) -> None:
    assert borders.refusal(traveller, Space.SESSION, to_space, TWO, Writing()) == code


# ── Importance and conflict ─────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("mine", "others", "kept"),
    [(5, 4, (5, ("a",))), (4, 4, (4, ("a",))), (3, 4, (4, ("a", "conflict_merge")))],
)
def test_the_winner_of_a_conflict_keeps_the_larger_importance_and_says_so(
    mine: int, others: int, kept: tuple[int, tuple[str, ...]]
) -> None:
    assert importance.merged(mine, ("a",), others) == kept


def test_one_item_does_not_win_against_itself() -> None:
    claim = Claim(
        id="a",
        authority=Authority.USER_ASSERTED,
        event_type=EventType.FACT,
        created_at=1,
        importance=1,
    )

    assert not conflict.settle(claim, claim, Writing()).new_wins


# ── What is taken back ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("My time zone is not UTC.", Withdrawal(keys=("timezone",), value="UTC")),
        ("I no longer use 'Helix'.", Withdrawal(
            keys=("editor", "language", "units", "timezone"), value="Helix")),
        ("I switched from Vim to Zed.", Withdrawal(value="Vim", instead="Zed")),
        ("I use Zed instead of Vim", Withdrawal(value="Vim", instead="Zed")),
        ("Forget my time zone", Withdrawal(keys=("timezone",))),
        ("forget my editor is Vim", Withdrawal(keys=("editor",), value="Vim")),
        ("I'm not called Ada", Withdrawal(keys=("name",), value="Ada")),
    ],
)  # fmt: skip
def test_a_message_says_what_is_over_and_what_is_so_instead(text: str, over: Withdrawal) -> None:
    assert retractions.found(text) == (over,)


@pytest.mark.parametrize(
    "text", ["I use Vim", "don't forget my time zone", 'He said "I no longer use Helix"']
)
def test_nothing_is_taken_back_by_words_that_say_no_such_thing(text: str) -> None:
    assert retractions.found(text) == ()


@pytest.mark.parametrize(
    ("over", "key", "value", "ends"),
    [
        (Withdrawal(keys=("timezone",)), "time_zone", "UTC", True),
        (Withdrawal(keys=("timezone",)), "language", "UTC", False),
        (Withdrawal(value="utc"), "time_zone", "UTC", True),
        (Withdrawal(keys=("timezone",), value="CET"), "time_zone", "UTC", False),
    ],
)
def test_a_withdrawal_ends_the_fact_of_its_key_and_its_value(
    over: Withdrawal, key: str, value: str, *, ends: bool
) -> None:
    assert over.ends(key, value) is ends
