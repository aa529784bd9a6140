"""Memory items: three kinds, their fields, their ids, and everything known about them."""

import msgspec
import pytest
from tests import world
from tests.talks import OPEN_SPACES, letter, talk, windowed

from muniment.model.kinds import conversation_item
from muniment.model.kinds.conversation_item import EventType, Kind, MemoryItem, Meta, Source, Space
from muniment.model.kinds.episode import Authority
from muniment.model.policy import Policy

WHOLE = {
    "id": "session:tuff:semantic:1",
    "kind": "semantic",
    "text": "I prefer tea",
    "source": "user",
    "created_at": 2,
    "importance": 4,
    "scope": "session",
    "meta": {},
}


@pytest.mark.covers("B-002", "B-006", "B-008")
def test_messages_of_user_tool_and_ai_are_recent_turns() -> None:
    ada = talk()

    ada.record(user="hello there", tools=["clock: 12:00"], ai="good morning")

    turns = ada.items("short_term")
    assert [(each.source, each.text) for each in turns] == [
        ("user", "hello there"),
        ("tool", "clock: 12:00"),
        ("ai", "good morning"),
    ]
    assert {each.kind for each in turns} == {"short_term"}


@pytest.mark.covers("B-008")
def test_what_an_administrator_lays_down_has_the_system_as_its_source() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)

    memory.admin().impose("ada", "My language is English", user="tuff")

    assert {each.source for each in ada.items("profile")} == {"system"}
    assert [each.value for each in Source] == ["user", "ai", "tool", "system"]


@pytest.mark.covers("B-003")
def test_a_preference_becomes_a_snippet_that_is_scored_when_it_is_recalled() -> None:
    ada = talk()

    ada.record(user="I prefer tea")

    (kept,) = ada.items("semantic")
    (found,) = [each for each in ada.recall("tea").items if each.kind == "semantic"]
    assert (kept.text, kept.meta.score) == ("I prefer tea", None)
    assert found.meta.score == 6
    assert [each.meta.score for each in ada.recall("tea").items] == [None, 6]


@pytest.mark.covers("B-004", "B-022", "B-023")
def test_a_fact_about_the_speaker_is_kept_by_its_key_with_the_turn_that_said_it() -> None:
    ada = talk()

    ada.record(user="Hi! My name is Ada and I speak Portuguese.")

    name, language = ada.items("profile")
    (turn,) = ada.items("short_term")
    assert (name.meta.key, name.text) == ("name", "Ada")
    assert (language.meta.key, language.text) == ("language", "Portuguese")
    assert name.meta.source_turn_ids == (turn.id,)


@pytest.mark.covers("B-005")
def test_an_id_is_counted_from_session_kind_and_number() -> None:
    ada = talk(session="breakfast talk: one")

    ada.record(user="My name is Ada", ai="Hello")
    ada.record(user="I prefer tea")

    assert [each.id for each in ada.items("short_term")] == [
        "session:breakfast%20talk%3A%20one:short_term:1",
        "session:breakfast%20talk%3A%20one:short_term:2",
        "session:breakfast%20talk%3A%20one:short_term:3",
    ]
    assert [each.id for each in ada.items("profile")] == [
        "session:breakfast%20talk%3A%20one:profile:1"
    ]


@pytest.mark.covers("B-005", "B-009")
def test_a_denied_item_uses_up_its_number_and_its_tick() -> None:
    ada = talk()

    told = ada.record(user="the weather was fine")
    ada.record(user="I prefer tea")

    (denied,) = told.denied
    assert (denied.item.id, denied.created_at) == ("session:tuff:semantic:1", 3)
    assert [(e.id, e.created_at) for e in ada.items("semantic")] == [("session:tuff:semantic:2", 5)]


@pytest.mark.covers("B-005")
def test_sessions_of_one_agent_count_for_themselves() -> None:
    memory = world.memory(letter())
    one, two = talk(of=memory, session="one"), talk(of=memory, session="two")

    one.record(user="I prefer tea")
    two.record(user="I prefer milk")

    assert [each.id for each in two.items("semantic")] == ["session:two:semantic:1"]
    assert [each.text for each in one.items("semantic")] == ["I prefer tea"]


@pytest.mark.covers("B-009")
def test_the_first_phase_takes_tick_1_and_every_item_one_more() -> None:
    ada = talk()

    ada.record(user="My name is Ada", ai="Hello")

    told = [*ada.items("short_term"), *ada.items("semantic"), *ada.items("profile")]
    assert sorted(each.created_at for each in told) == [2, 3, 4, 5]
    assert ada.recall("").current_phase.started_at == 1


@pytest.mark.covers("B-010", "B-015")
@pytest.mark.parametrize(
    ("text", "importance", "reasons"),
    [
        ("My name is Ada", 5, ("event:fact", "source:user")),
        ("Actually my name is Bea", 6, ("event:correction", "source:user", "corrective")),
        (
            "Correction: never call me Bea",
            7,
            ("event:correction", "source:user", "emphasis", "corrective"),
        ),
        ("I prefer tea", 4, ("event:preference", "source:user")),
        ("I prefer tea, always", 5, ("event:preference", "source:user", "emphasis")),
        ("we decided on Rust", 4, ("event:decision", "source:user")),
    ],
)
def test_importance_follows_from_fixed_rules_and_names_them(
    text: str, importance: int, reasons: tuple[str, ...]
) -> None:
    ada = talk()

    ada.record(user=text)

    (kept,) = ada.items("semantic")
    assert (kept.importance, kept.meta.importance_reason) == (importance, reasons)


@pytest.mark.covers("B-014")
@pytest.mark.parametrize(
    ("text", "event_type"),
    [
        ("I like trains", EventType.PREFERENCE),
        ("never use tabs", EventType.PREFERENCE),
        ("let's use Rust", EventType.DECISION),
        ("My timezone is Europe/Lisbon", EventType.FACT),
        ("not Ada but Bea", EventType.CORRECTION),
        ("it rains", EventType.CONTEXT),
    ],
)
def test_a_message_has_one_of_six_event_types(text: str, event_type: EventType) -> None:
    ada = talk()

    ada.record(user=text, ai="I like that too", tools=["grep: nothing"])

    said, ran, answered = ada.items("short_term")
    assert said.meta.event_type is event_type
    assert ran.meta.event_type is EventType.EXECUTION
    assert answered.meta.event_type is EventType.CONTEXT  # whatever an AI says


@pytest.mark.covers("B-011", "B-007", "B-009")
@pytest.mark.parametrize(
    "wrong",
    [
        {"scope": "world"},
        {"created_at": -1},
        {"created_at": True},
        {"created_at": 2.0},
        {"kind": "episodic"},
        {"source": "nobody"},
        {"text": None},
        {"importance": "high"},
        {"colour": "red"},
    ],
)
def test_an_item_of_another_shape_is_refused(wrong: dict[str, object]) -> None:
    assert conversation_item.from_dict(WHOLE).scope == "session"

    with pytest.raises(msgspec.ValidationError):
        conversation_item.from_dict(WHOLE | wrong)


@pytest.mark.covers("B-012", "B-013", "B-001")
def test_meta_is_optional_and_what_is_not_there_is_not_shown() -> None:
    bare = conversation_item.from_dict({k: v for k, v in WHOLE.items() if k != "meta"})

    assert conversation_item.as_dict(bare) == WHOLE
    assert set(msgspec.structs.asdict(Meta())) > {"event_type", "phase_id"}


@pytest.mark.covers("B-001", "B-011")
def test_the_eight_core_fields_are_the_only_ones() -> None:
    assert {each.name for each in msgspec.structs.fields(MemoryItem)} == set(WHOLE)
    assert set(Kind) == {"short_term", "semantic", "profile"}
    assert set(Source) == {"user", "ai", "tool", "system"}


@pytest.mark.covers("B-017", "B-018")
@pytest.mark.parametrize(
    ("space", "owner"),
    [("session", "tuff"), ("user", "tuff"), ("project", "apollo"), ("system", "system")],
)
def test_an_item_knows_its_space_and_the_owner(space: str, owner: str) -> None:
    ada = talk(Policy(spaces=OPEN_SPACES))

    ada.record(user="I prefer tea", space=space)

    (kept,) = ada.items("semantic", space)
    assert (kept.meta.space, kept.meta.owner) == (Space(space), owner)
    assert kept.id == f"{space}:{owner}:semantic:1"
    assert kept.scope == "session"


@pytest.mark.covers("B-019")
def test_a_summary_names_all_the_turns_it_stands_for() -> None:
    ada = talk(windowed(2))

    for word in ("one", "two", "three", "four", "five"):
        ada.record(user=f"it is {word}")

    summary, *window = [each for each in ada.recall("").items if each.kind == "short_term"]
    assert [each.text for each in window] == ["it is four", "it is five"]
    assert summary.text == "user: it is one | user: it is two | user: it is three"
    assert summary.meta.summary_of == (
        "session:tuff:short_term:1",
        "session:tuff:short_term:2",
        "session:tuff:short_term:3",
    )
    assert summary.meta.authority is Authority.AI_INFERRED  # nobody decided it
    assert "summary" in summary.meta.importance_reason


@pytest.mark.covers("B-020")
def test_a_key_is_the_event_type_with_the_plain_words_or_the_key_of_the_fact() -> None:
    ada = talk()

    ada.record(user="I prefer  TEA!")
    ada.record(user="My name is Ada")

    tea, name = ada.items("semantic")
    (fact,) = ada.items("profile")
    assert tea.meta.dedup_key == "preference:i prefer tea"
    assert name.meta.dedup_key == fact.meta.dedup_key == "fact:name"


@pytest.mark.covers("B-024", "B-025")
def test_authority_comes_from_the_source() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)

    ada.record(user="I prefer tea", tools=["grep: nothing"], ai="noted")
    memory.admin().impose("ada", "never use tabs", user="tuff")

    held = [(each.meta.authority, each.meta.authority_reason) for each in ada.items("short_term")]
    assert held == [
        (Authority.USER_ASSERTED, "source:user"),
        (Authority.TOOL_VERIFIED, "source:tool"),
        (Authority.AI_INFERRED, "source:ai"),
        (Authority.SYSTEM_IMPOSED, "source:system"),
    ]


@pytest.mark.covers("B-026", "B-027")
def test_a_promoted_item_names_where_it_came_from_and_why() -> None:
    ada = talk()

    ada.record(user="Remember this for me: I prefer tea")

    (kept,) = ada.items("semantic", "user")
    assert kept.meta.promoted_from == "session:tuff:semantic:1"
    assert kept.meta.promotion_reason == "hint:remember_for_me"


@pytest.mark.covers("B-028")
def test_an_item_carries_the_tags_of_the_rules_it_passed() -> None:
    ada = talk()

    ada.record(user="I prefer tea")

    (kept,) = ada.items("semantic")
    assert kept.meta.policy_tags == (
        "allowed_by:privacy",
        "allowed_by:write_policy:normal",
        "allowed_by:policy_event_types",
        "allowed_by:promotion_rule",
    )
    (found,) = [each for each in ada.recall("tea").items if each.kind == "semantic"]
    assert "kept_by:retention_rule" in found.meta.policy_tags


@pytest.mark.covers("B-030", "B-031", "B-032", "B-033")
def test_an_item_is_stamped_with_its_phase() -> None:
    ada = talk()

    ada.record(user="I prefer tea")
    ada.start_phase("the second day", "new_day")
    ada.record(user="I prefer milk")

    first, second = ada.items("semantic")
    assert (first.meta.phase_id, first.meta.phase_started_at) == ("phase-1", 1)
    assert (first.meta.phase_name, first.meta.phase_reason) == ("", "auto")
    assert (second.meta.phase_id, second.meta.phase_started_at) == ("phase-2", 4)
    assert (second.meta.phase_name, second.meta.phase_reason) == ("the second day", "new_day")
