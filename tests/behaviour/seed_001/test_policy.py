"""The policy of conversations: three spellings of one value, enforced, derived, shown."""

import json
import re
from pathlib import Path

import msgspec
import pytest
from tests import world
from tests.talks import letter, talk, texts, traced

from muniment.adapters.config import read_policy
from muniment.model import policy as policies
from muniment.model.errors import PolicyError
from muniment.model.kinds.conversation_item import EventType, Kind, Space
from muniment.model.kinds.episode import Authority
from muniment.model.policy import Policy, Privacy
from muniment.model.policy.conversation import (
    ForgetMode,
    Phasing,
    Promotion,
    Retention,
    RetentionRule,
    SpaceRule,
    Spaces,
    WritePolicy,
    Writing,
    retention_rules,
)
from muniment.rules.conversation import retention

DOCS = Path(__file__).parents[3] / "docs"
TOML = """
[writing]
write_policy = "minimal"
forget_policy = "ttl"
deny_event_types = ["execution"]
authority_order = ["tool_verified", "system_imposed", "user_asserted", "ai_inferred"]

[retention.semantic]
fact = { mode = "never" }
preference = { mode = "decay", ticks = 9 }

[promotion]
profile = ["fact"]

[spaces]
read_order = ["session", "user"]
write_spaces = ["session", "user"]
promotions = [{ from_space = "session", to_space = "user", authority = "user_asserted" }]

[phase]
mode = "current_plus_history"
max_phases = 4

[privacy]
deny_patterns = ["nightfall"]
profile_keys = ["name"]
"""
PYTHON = Policy(
    writing=Writing(
        write_policy=WritePolicy.MINIMAL,
        forget_policy=ForgetMode.TTL,
        deny_event_types=(EventType.EXECUTION,),
        authority_order=(
            Authority.TOOL_VERIFIED,
            Authority.SYSTEM_IMPOSED,
            Authority.USER_ASSERTED,
            Authority.AI_INFERRED,
        ),
    ),
    retention=Retention(
        semantic={
            EventType.FACT: RetentionRule(),
            EventType.PREFERENCE: RetentionRule(mode=ForgetMode.DECAY, ticks=9),
        }
    ),
    promotion=Promotion(profile=(EventType.FACT,)),
    spaces=Spaces(
        read_order=(Space.SESSION, Space.USER),
        write_spaces=(Space.SESSION, Space.USER),
        promotions=(
            SpaceRule(
                from_space=Space.SESSION, to_space=Space.USER, authority=Authority.USER_ASSERTED
            ),
        ),
    ),
    phase=Phasing(mode="current_plus_history", max_phases=4),
    privacy=Privacy(deny_patterns=("nightfall",), profile_keys=("name",)),
)


@pytest.mark.covers("B-035")
def test_toml_json_and_python_give_the_same_value(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text(TOML)
    from_toml = read_policy(tmp_path / "policy.toml")
    built = json.loads(json.dumps(msgspec.to_builtins(PYTHON)))
    (tmp_path / "policy.json").write_text(json.dumps(built))

    assert from_toml == PYTHON == read_policy(tmp_path / "policy.json")
    assert policies.digest(from_toml) == policies.digest(PYTHON)


@pytest.mark.parametrize(
    ("wrong", "path", "expected"),
    [
        ({"writing": {"write_policy": "lots"}}, "$.writing.write_policy", "aggressive"),
        ({"writing": {"allow_event_types": ["gossip"]}}, "allow_event_types", "preference"),
        ({"phase": {"mode": "all"}}, "$.phase.mode", "current_plus_history"),
        ({"phase": {"max_phases": 0}}, "$.phase.max_phases", ">= 1"),
        ({"retention": {"semantic": {"fact": {"mode": "ttl"}}}}, "$.retention.semantic", "ticks"),
        ({"spaces": {"read_order": ["user", "user"]}}, "$.spaces", "at most once"),
        ({"writing": {"authority_order": ["ai_inferred"]}}, "$.writing", "exactly once"),
        ({"privacy": {"deny_patterns": ["("]}}, "$.privacy", "regular expressions"),
        ({"privacy": {"deny_patterns": [r"(\w+\s*)+@acme"]}}, "$.privacy", "limit each repetition"),
        ({"spaces": {"colour": 1}}, "$.spaces", "unknown field"),
    ],
)
def test_a_wrong_policy_is_refused_with_its_path_and_what_was_expected(
    wrong: dict[str, object], path: str, expected: str
) -> None:
    with pytest.raises(PolicyError) as refused:
        policies.from_builtins(wrong)

    assert path in refused.value.detail
    assert expected in refused.value.detail


@pytest.mark.covers("B-035")
def test_the_example_in_the_guide_is_a_policy(tmp_path: Path) -> None:
    page = (DOCS / "policies.md").read_text()
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "policy.toml").write_text(example)

    told = read_policy(tmp_path / "policy.toml")

    assert told.writing.write_policy is WritePolicy.MINIMAL
    assert told.retention.semantic[EventType.DECISION] == RetentionRule()


# ── Enforced ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("B-034", "B-036", "B-114")
@pytest.mark.parametrize(
    ("level", "kept"),
    [
        (WritePolicy.NONE, []),
        (WritePolicy.MINIMAL, ["I prefer tea"]),
        (WritePolicy.NORMAL, ["I prefer tea", "grep: nothing"]),
        (WritePolicy.AGGRESSIVE, ["I prefer tea", "grep: nothing", "as you wish"]),
    ],
)
def test_the_write_policy_decides_what_outlives_the_window(
    level: WritePolicy, kept: list[str]
) -> None:
    ada = talk(Policy(writing=Writing(write_policy=level)))

    ada.record(user="I prefer tea", tools=["grep: nothing"], ai="as you wish")

    assert texts(ada.items("semantic")) == kept
    assert len(ada.items("short_term")) == 3


@pytest.mark.covers("B-037", "B-114")
@pytest.mark.parametrize(
    ("writing", "kept"),
    [
        (Writing(), ["I prefer tea", "we decided on Rust"]),
        (Writing(allow_event_types=(EventType.DECISION,)), ["we decided on Rust"]),
        (Writing(deny_event_types=(EventType.DECISION,)), ["I prefer tea"]),
        (
            Writing(
                allow_event_types=(EventType.DECISION,), deny_event_types=(EventType.DECISION,)
            ),
            [],
        ),
    ],
)
def test_event_types_are_allowed_and_denied_by_name(writing: Writing, kept: list[str]) -> None:
    ada = talk(Policy(writing=writing))

    ada.record(user="I prefer tea")
    ada.record(user="we decided on Rust")

    assert texts(ada.items("semantic")) == kept


@pytest.mark.covers("B-039", "B-114")
def test_each_kind_has_its_own_list_of_event_types() -> None:
    lists = Promotion(profile=(), semantic=(EventType.FACT,))
    ada = talk(Policy(promotion=lists))

    told = ada.record(user="My name is Ada")
    ada.record(user="I prefer tea")

    assert texts(ada.items("semantic")) == ["My name is Ada"]
    assert ada.items("profile") == []
    assert [each.reason for each in told.denied] == ["policy_deny_promotion"]


@pytest.mark.covers("B-042", "B-057")
def test_only_allow_listed_facts_about_a_person_are_kept() -> None:
    ada = talk(Policy(privacy=Privacy(profile_keys=("name", "favourite_colour"))))

    ada.record(user="My name is Ada")
    told = ada.record(user="I speak Portuguese")
    ada.record(user="Remember my favourite colour is cerulean")

    assert [(e.meta.key, e.text) for e in ada.items("profile")] == [
        ("name", "Ada"),
        ("favourite_colour", "cerulean"),
    ]
    assert [each.reason for each in told.denied] == ["privacy_deny_profile_key"]


# ── Derived and shown ───────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("B-044", "B-038")
@pytest.mark.parametrize(
    ("forget", "ticks"),
    [
        (ForgetMode.NEVER, dict.fromkeys(EventType, 0)),
        (ForgetMode.TTL, dict.fromkeys(EventType, 25)),
        (
            ForgetMode.DECAY,
            {
                "context": 12,
                "execution": 18,
                "decision": 40,
                "preference": 40,
                "correction": 45,
                "fact": 60,
            },
        ),
    ],
)
def test_the_rules_of_semantic_items_derive_from_the_forget_policy(
    forget: ForgetMode, ticks: dict[str, int]
) -> None:
    rules = retention_rules(Writing(forget_policy=forget), Retention())

    assert {each: rule.ticks for each, rule in rules[Kind.SEMANTIC].items()} == ticks
    assert {rule.mode for rule in rules[Kind.SEMANTIC].values()} == {forget}
    assert {rule.mode for rule in rules[Kind.PROFILE].values()} == {ForgetMode.NEVER}
    assert {rule.mode for rule in rules[Kind.SHORT_TERM].values()} == {ForgetMode.NEVER}


@pytest.mark.parametrize("forget", ForgetMode)
def test_one_rule_is_that_of_all_also_where_another_was_given(forget: ForgetMode) -> None:
    never, soon = RetentionRule(), RetentionRule(mode=ForgetMode.TTL, ticks=3)
    given = Retention(
        short_term={EventType.FACT: soon},
        semantic={EventType.FACT: never, EventType.CONTEXT: soon},
        profile={EventType.DECISION: soon},
    )
    policy = Policy(writing=Writing(forget_policy=forget), retention=given)
    rules = retention_rules(policy.writing, given)

    assert rules[Kind.SHORT_TERM] == dict.fromkeys(EventType, never) | given.short_term
    assert rules[Kind.PROFILE] == dict.fromkeys(EventType, never) | given.profile
    assert {*rules[Kind.SEMANTIC]} == {*EventType}
    assert given.semantic.items() <= rules[Kind.SEMANTIC].items()
    for kind in Kind:
        assert {each: retention.rule(policy, kind, each) for each in EventType} == rules[kind]
        assert retention.forgets(policy, kind)
    assert not retention.forgets(Policy(), Kind.PROFILE)


@pytest.mark.covers("B-044")
def test_the_defaults_are_the_documented_ones() -> None:
    shown = policies.snapshot(Policy())

    assert (shown["write_policy"], shown["forget_policy"]) == ("normal", "decay")
    assert shown["promotion"] == {
        "short_term": list(EventType),
        "semantic": list(EventType),
        "profile": ["fact", "correction"],
    }
    assert policies.snapshot(Policy()) == policies.snapshot(policies.from_builtins({}))


@pytest.mark.covers("B-034", "B-064")
def test_a_trace_shows_the_policy_with_every_derived_rule() -> None:
    ada = talk()
    ada.recall("anything")
    ada.record(user="I prefer tea")

    (recall,) = traced(ada, "memory_recall")

    shown = recall["policy"]
    assert isinstance(shown, dict)
    assert shown["retention"]["semantic"]["fact"] == {"mode": "decay", "ticks": 60}
    assert {"promotion", "privacy", "authority_order", "spaces", "phase"} <= shown.keys()


@pytest.mark.covers("B-034")
def test_a_trace_shows_the_policy_of_then() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    ada.record(user="the hat is green")
    memory.admin().adopt_policy(
        letter(Policy(writing=Writing(write_policy=WritePolicy.NONE))), agent="ada", reason="less"
    )
    ada.record(user="the hat is green")

    levels = [
        (each["reason"], each["policy_snapshot"]["write_policy"])  # type: ignore[index]
        for each in traced(ada, "memory_denied")
    ]
    assert levels == [("write_policy_context", "normal"), ("write_policy_none", "none")]


@pytest.mark.covers("B-040", "B-041", "B-043")
def test_spaces_phases_and_authority_are_part_of_the_policy() -> None:
    shown = policies.snapshot(PYTHON)

    assert shown["spaces"] == {
        "read_order": ["session", "user"],
        "write_spaces": ["session", "user"],
        "promotions": [
            {
                "from_space": "session",
                "to_space": "user",
                "authority": "user_asserted",
                "event_types": ["preference", "decision", "fact", "correction"],
            }
        ],
    }
    assert shown["phase"] == {
        "enabled": True,
        "mode": "current_plus_history",
        "allow_cross_phase_recall": False,
        "max_phases": 4,
        "diff_enabled": True,
    }
    assert shown["authority_order"] == [
        "tool_verified",
        "system_imposed",
        "user_asserted",
        "ai_inferred",
    ]
