"""Governed facts: one spelling for each key, an exact read, a gate before every write."""

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.world import events, hub, lines, memory, types

from muniment import Agent
from muniment.engine.api.memory import Memory
from muniment.model import fact_keys
from muniment.model.errors import InputError, RefusedError
from muniment.model.events import FactSettled, JobOpened, Recalled, WriteDenied
from muniment.model.events.reads import ContextAssembled
from muniment.model.policy import Governance, Policy, Sem, preset

COLOUR = "user/profile/user_tuff/favorite_color"
DRINK = "user/profile/user_tuff/drink"


def approved(of: Memory, agent: Agent, key: str, value: object) -> str:
    """A governed fact by the long way: an episode, a request, the council's yes."""
    episode = agent.remember(f"something about {key.rpartition('/')[2]}")
    request = agent.memory_promote_request(episode.episodic_id, key, "said so", value=value)
    of.council().approve(request)
    return request


def recalls(of: Memory) -> list[Recalled]:
    return [event for event in events(of) if isinstance(event, Recalled)]


# ── Keys ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-055", "A-076")
def test_the_example_of_the_rulebook_has_its_canonical_key() -> None:
    assert fact_keys.canonical("user/profile/TUFF/Favorite Color") == COLOUR


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("  padded  ", "padded"),
        ("UPPER", "upper"),
        ("Café", "cafe"),
        ("\uff26\uff35\uff2c\uff2c", "full"),
        ("日本a", "a"),
        ("a -- b", "a_b"),
        ("a.b/c", "a_b_c"),
        ("__a__", "a"),
        ("a" * 70, "a" * 64),
        ("a" * 63 + "--b", "a" * 63),
    ],
)
def test_a_component_is_stripped_lowered_plain_joined_by_single_underscores_and_cut(
    given_text: str, expected: str
) -> None:
    assert fact_keys.slug(given_text) == expected


def test_only_the_entity_keeps_its_hyphens() -> None:
    assert fact_keys.canonical("world/city/new-york/pop-size") == "world/city/new-york/pop_size"


def test_a_long_entity_is_cut_and_told_apart_by_a_hash_of_its_raw_text() -> None:
    raw = "X" * 80
    tag = hashlib.sha1(raw.encode(), usedforsecurity=False).hexdigest()[:8]

    assert fact_keys.canonical(f"world/thing/{raw}/size") == f"world/thing/{'x' * 48}-{tag}/size"


def test_two_long_entities_that_begin_alike_have_two_keys() -> None:
    first, second = (fact_keys.canonical(f"world/thing/{'x' * 80}{end}/size") for end in "ab")

    assert first != second


@pytest.mark.parametrize("spelled", ["tuff", "TUFF", " Tuff ", "user_tuff", "USER_tuff"])
def test_a_person_has_one_entity_however_they_are_spelled(spelled: str) -> None:
    assert fact_keys.user_entity(spelled) == "user_tuff"


@pytest.mark.parametrize(
    "pair", [("日本", "中国"), ("日本1", "中国1"), ("日本a", "a"), ("Strauß", "Strau")]
)
def test_two_people_whose_letters_have_no_plain_form_are_two_people(pair: tuple[str, str]) -> None:
    assert fact_keys.user_entity(pair[0]) != fact_keys.user_entity(pair[1])


TWO_PEOPLE = [
    ("a.b@x.org", "a_b@x.org"),
    ("a.b@x.org", "a+b@x.org"),
    ("José", "Jose"),
    ("ada lovelace", "ada_lovelace"),
    ("auth0|12", "auth0_12"),
    ("user_user_a", "user_a"),
    ("x" * 80 + "a", "x" * 80 + "b"),
]


@pytest.mark.parametrize("pair", TWO_PEOPLE)
def test_what_one_person_told_is_not_recalled_by_another_whose_id_is_nearly_the_same(
    pair: tuple[str, str],
) -> None:
    of = memory()
    one, other = (of.agent("ada", user=user) for user in pair)

    one.remember("My cat is called Mimi")

    assert one.recall("What is my cat called?").hits
    assert not other.recall("What is my cat called?").hits


@pytest.mark.parametrize("pair", [("a.b@x.org", "A.B@X.org"), ("Jos\u00e9", "Jose\u0301")])
def test_an_id_in_capitals_or_composed_otherwise_is_the_same_person(pair: tuple[str, str]) -> None:
    assert fact_keys.user_entity(pair[0]) == fact_keys.user_entity(pair[1])


@given(st.text(min_size=1, max_size=90))
def test_the_spelling_of_a_person_fits_a_key_and_is_a_name_of_theirs(user: str) -> None:
    try:
        spelled = fact_keys.user_entity(user)
    except InputError:
        return

    assert fact_keys.KEY.fullmatch(f"user/profile/{spelled}/drink")
    assert len(spelled) <= fact_keys.COMPONENT_CHARACTERS_MAX
    assert fact_keys.user_entity(spelled) == spelled
    assert fact_keys.user_entity(spelled.removeprefix("user_")) == spelled


def test_a_name_without_a_letter_is_nobody() -> None:
    with pytest.raises(InputError):
        memory().agent("ada", user="!!")


@pytest.mark.parametrize(
    "key",
    [
        "",
        "user/profile/tuff",
        "user/profile/tuff/a/b",
        "user/profile//color",
        "user/profile/!!!/color",
        "user/profile/tuff/!!!",
        "日本/profile/tuff/color",
        "/".join(["a" * 64] * 4),
    ],
)
def test_what_has_not_four_parts_with_letters_is_no_key(key: str) -> None:
    with pytest.raises(InputError):
        fact_keys.canonical(key)


@pytest.mark.parametrize("key", [None, 7, "user/profile/\ud800/color"])
def test_what_is_not_text_is_no_key(key: object) -> None:
    with pytest.raises(InputError):
        memory().agent("ada", user="tuff").sem_get(key)  # type: ignore[arg-type]


@given(st.text(max_size=90), st.text(min_size=1, max_size=90))
def test_a_canonical_key_is_its_own_canonical_form_and_within_its_limits(
    entity: str, attribute: str
) -> None:
    for scope in ("user/profile", "world/thing"):
        try:
            key = fact_keys.canonical(
                f"{scope}/{entity.replace('/', '')}/{attribute.replace('/', '')}"
            )
        except InputError:
            continue
        assert fact_keys.canonical(key) == key
        assert fact_keys.KEY.fullmatch(key)
        assert len(key) <= 256
        assert all(len(part) <= 64 for part in key.split("/"))


@pytest.mark.parametrize("length", range(55, 72))
def test_a_person_with_a_long_name_can_write_about_themselves(length: int) -> None:
    tuff = memory().agent("ada", user="t" * length)

    tuff.sem_put(f"user/profile/{'t' * length}/drink", "tea")

    assert tuff.sem_get(f"user/profile/{'t' * length}/drink").value == "tea"


@pytest.mark.parametrize("key", ["user/settings/tuff/theme", "user/settings/user_tuff/theme"])
def test_whatever_is_kept_under_a_user_belongs_to_that_person(key: str) -> None:
    assert fact_keys.owner(fact_keys.canonical(key)) == "user_tuff"


def test_synonyms_share_one_key() -> None:
    aliases = {"favourite": "favorite", "colour": "color"}

    assert fact_keys.profile_key("tuff", "favourite colour", aliases) == COLOUR


def test_a_scope_nobody_knows_is_refused() -> None:
    ada = memory().agent("ada", user="tuff")
    episode = ada.remember("moon is grey")

    with pytest.raises(RefusedError) as refused:
        ada.memory_promote_request(episode.episodic_id, "moon/rock/one/colour", "x")

    assert refused.value.reason == "key_scope_unknown"
    assert "user" in refused.value.detail  # and which ones there are


# ── Reading ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-055", "A-075", "A-122")
def test_a_fact_is_read_by_its_exact_key_with_where_it_comes_from() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    request = approved(world, ada, COLOUR, "cerulean")

    found = ada.sem_get(COLOUR)

    assert (found.exists, found.value) == (True, "cerulean")
    assert found.meta["key"] == COLOUR
    assert found.meta["source"] == "agent"
    assert found.meta["request_id"] == request
    assert found.meta["last_updated"] == lines(world, "council")[-2].event.last_updated  # type: ignore[union-attr]


@pytest.mark.covers("A-075")
@pytest.mark.parametrize(
    "near", ["favorite", "favorite_colo", "favorite_colors", "avorite_color", "color"]
)
def test_a_key_that_is_only_near_finds_nothing(near: str) -> None:
    ada = memory().agent("ada", user="tuff")
    ada.sem_put(COLOUR, "cerulean")

    found = ada.sem_get(f"user/profile/tuff/{near}")

    assert (found.exists, found.value, found.meta) == (False, None, {})


@pytest.mark.covers("A-076", "A-077")
def test_a_prefix_lists_exactly_the_keys_that_begin_with_it_in_their_order() -> None:
    ada = memory().agent("ada", user="tuff")
    for attribute in ("drink", "favorite_color", "favorite_city", "unfavorite_city"):
        ada.sem_put(f"user/profile/tuff/{attribute}", attribute)

    found = [fact.key.rpartition("/")[2] for fact in ada.sem_search("User/Profile/TUFF/Favorite")]

    assert found == ["favorite_city", "favorite_color"]
    assert ada.sem_search("user/profile/tuff/favorite_citi") == []
    assert ada.sem_search("user/profile/tuff/city") == []
    for inside in ("profile", "ser/profile", "user_tuff", "tuff/favorite_city", "favorite_city"):
        assert ada.sem_search(inside) == [], f"{inside} is no beginning of a key"


@pytest.mark.covers("A-076")
def test_a_prefix_goes_through_the_canonical_spelling_of_every_part() -> None:
    world = memory(Policy(sem=Sem(readers={"user/": ("agent:ada",)})))
    for user in ("user", "use", "tuff"):
        world.agent("ada", user=user).sem_put(f"user/profile/{user}/drink", user)
    ada = world.agent("ada")

    def owners(prefix: str) -> list[str]:
        return [str(fact.value) for fact in ada.sem_search(prefix)]

    assert owners("user/profile/user/") == ["user"]
    assert owners("user/profile/use/drink") == ["use"]
    assert owners("user/profile/use") == ["tuff", "use", "user"]
    assert owners("user/pro") == ["tuff", "use", "user"]
    assert owners("") == ["tuff", "use", "user"]
    assert owners("world") == []


@pytest.mark.covers("A-055")
def test_a_value_comes_back_as_it_was_given() -> None:
    ada = memory().agent("ada", user="tuff")
    value = {"height": 1.5, "$odd": [None, True, {"deep": "ü"}], "n": 2**53 - 1}

    ada.sem_put(DRINK, value)

    assert ada.sem_get(DRINK).value == value
    assert [fact.value for fact in ada.sem_search("user/")] == [value]
    assert "$fraction" not in str(ada.context("drink"))


@pytest.mark.covers("A-108")
def test_the_snapshot_hash_is_of_the_sorted_triples_in_canonical_json() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.sem_put(COLOUR, "cerulean")
    ada.sem_put(DRINK, {"what": "thé", "at": [8, {"pm": True, "am": None}]})  # the later one first
    told = [event for event in events(world, "council") if isinstance(event, FactSettled)]
    triples = sorted([event.key, event.value, event.last_updated] for event in told)
    spelled = json.dumps(triples, sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    ada.job("seed-1")

    opened = next(event for event in events(world) if isinstance(event, JobOpened))
    assert [key for key, *_ in triples] == [DRINK, COLOUR] != [event.key for event in told]
    assert opened.sem_snapshot_hash == hashlib.sha256(spelled.encode()).hexdigest()


@pytest.mark.covers("A-109")
def test_each_job_keeps_the_exact_hash_of_the_facts_it_began_with() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    ada.job("before").commit()
    ada.sem_put(DRINK, "tea")
    ada.job("after").commit()

    before, after = (event for event in events(world) if isinstance(event, JobOpened))
    assert before.sem_snapshot_hash == hashlib.sha256(b"[]").hexdigest()
    assert len(after.sem_snapshot_hash) == 64
    assert after.sem_snapshot_hash != before.sem_snapshot_hash


@pytest.mark.covers("A-075", "A-076")
def test_the_evidence_of_every_read_of_facts_is_written_back() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.sem_put(DRINK, "tea")

    ada.sem_get(DRINK)
    ada.sem_get(COLOUR)
    ada.sem_search("user/profile/tuff")
    ada.recall("tea")
    ada.context("tea")
    ada.flush()

    ada.job("seed-1")
    told = next(event for event in events(world) if isinstance(event, JobOpened)).sem_snapshot_hash
    logged = recalls(world)
    assert [each.call for each in logged][:4] == ["sem_get", "sem_get", "sem_search", "recall"]
    assert [each.ids for each in logged][:4] == [(DRINK,), (), (DRINK,), (DRINK,)]
    cited = [evidence for each in logged for evidence in each.evidence]
    assert {evidence.sem_keys for evidence in cited} == {(DRINK,)}
    assert {evidence.sem_snapshot_hash for evidence in cited} == {told}


def test_a_fact_that_a_context_shows_unasked_is_evidence_too() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.sem_put(DRINK, "tea")

    assert "drink: tea" in str(ada.context("an unrelated question"))
    ada.remember("a word")

    (receipt,) = [event for event in events(world) if isinstance(event, ContextAssembled)]
    assert receipt.ids == (DRINK,)
    ada.sem_get(DRINK)
    ada.flush()
    (beside,) = recalls(world)
    assert receipt.sem_snapshot_hash == beside.evidence[0].sem_snapshot_hash


def test_evidence_is_logged_although_the_next_write_is_answered_from_the_log() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    ada.remember("tea is fine", key="once")
    ada.sem_get(DRINK)

    ada.remember("tea is fine", key="once")
    ada.flush()

    assert [each.call for each in recalls(world)] == ["sem_get"]


@pytest.mark.covers("A-055")
def test_a_read_of_the_past_sees_the_facts_as_they_were_seen_then() -> None:
    ada = memory().agent("ada", user="tuff")
    ada.sem_put(DRINK, "tea")
    ada.sem_get(DRINK)
    then = ada.remember("before").seq
    ada.sem_put(DRINK, "coffee")
    ada.sem_put(COLOUR, "cerulean")
    ada.sem_get(DRINK)
    later = ada.remember("after").seq

    assert ada.sem_get(DRINK, at=then).value == "tea"
    assert [fact.key for fact in ada.sem_search("user/", at=then)] == [DRINK]
    assert ada.sem_get(DRINK, at=later).value == "coffee"
    assert ada.sem_get(DRINK).value == "coffee"


# ── Writing ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-010", "A-057", "A-096")
def test_a_user_writes_about_themselves_directly_and_the_write_is_logged() -> None:
    world = memory()

    world.agent("ada", user="tuff").sem_put("user/profile/TUFF/Drink", "tea")

    assert types(world, "council")[-2:] == ["received", "sem_put"]
    assert world.agent("bob", user="tuff").sem_get(DRINK).value == "tea"


@pytest.mark.covers("A-010", "A-096")
@pytest.mark.parametrize(
    "key", ["user/profile/mia/drink", "user/settings/tuff/theme", "world/city/lisbon/size"]
)
def test_nobody_writes_directly_about_anything_else(key: str) -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with pytest.raises(RefusedError) as refused:
        ada.sem_put(key, "x")

    assert refused.value.reason == "sem_not_your_own"
    assert not ada.sem_get(key).exists
    assert types(world, "council")[-1] == "memory_denied"


@pytest.mark.covers("A-096")
def test_an_agent_without_a_user_writes_no_fact_directly() -> None:
    with pytest.raises(RefusedError) as refused:
        memory().agent("ada").sem_put(DRINK, "tea")

    assert refused.value.reason == "sem_not_your_own"


@pytest.mark.covers("A-010", "A-096")
def test_under_a_council_even_a_user_needs_approval() -> None:
    ada = memory(preset("council")).agent("ada", user="tuff")

    with pytest.raises(RefusedError) as refused:
        ada.sem_put(DRINK, "tea")

    assert refused.value.reason == "sem_needs_approval"


@pytest.mark.covers("A-056", "A-073")
def test_no_amount_of_use_makes_a_fact_by_itself() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    with ada.job("seed-1") as job:
        for _ in range(5):
            item = job.wm_insert({"type": "fact", "value": "my drink is tea"})
            job.reference(item)
            job.reference(item)
            job.tick()
        job.episodic_write("drink is tea", {"drink": "tea"})
    ada.recall("drink tea")
    ada.job("seed-2").commit()

    assert types(world, "council") == []
    assert ada.sem_search("") == []


@pytest.mark.covers("A-122")
def test_a_fact_keeps_the_fields_of_the_earlier_schema_and_one_value_at_a_time() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")

    ada.sem_put(DRINK, "tea")
    ada.sem_put(DRINK, "coffee")

    (fact,) = ada.sem_search(DRINK)
    assert (fact.key, fact.value, fact.source) == (DRINK, "coffee", "user")
    assert fact.last_updated == lines(world, "council")[-1].event.last_updated  # type: ignore[union-attr]
    assert fact.notes == ""
    assert types(world, "council").count("sem_put") == 2


@pytest.mark.parametrize(("size", "kept"), [(16 * 1024 - 2, True), (16 * 1024 - 1, False)])
def test_a_value_has_a_limit_of_sixteen_kibibytes(size: int, *, kept: bool) -> None:
    ada = memory().agent("ada", user="tuff")

    if kept:
        ada.sem_put(DRINK, "x" * size)
    else:
        with pytest.raises(RefusedError, match="value_too_large"):
            ada.sem_put(DRINK, "x" * size)

    assert ada.sem_get(DRINK).exists is kept


def test_a_limit_of_the_policy_holds_for_requests_too() -> None:
    ada = memory(Policy(sem=Sem(value_bytes_max=10))).agent("ada", user="tuff")
    episode = ada.remember("a long story about tea")

    with pytest.raises(RefusedError, match="value_too_large"):
        ada.memory_promote_request(episode.episodic_id, DRINK, "x")


@pytest.mark.parametrize("value", [None, float("nan"), 2**53, {1: "x"}, "\ud800", object()])
def test_a_value_without_a_json_form_is_no_fact(value: object) -> None:
    ada = memory().agent("ada", user="tuff")

    with pytest.raises((InputError, RefusedError)):
        ada.sem_put(DRINK, value)

    assert not ada.sem_get(DRINK).exists


def test_notes_of_an_approved_fact_are_cut_to_their_limit() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    episode = ada.remember("tea it is")
    request = ada.memory_promote_request(episode.episodic_id, DRINK, "x" * 600, value="tea")

    world.council().approve(request)

    (fact,) = world.admin().facts(reason="looking")
    assert len(fact.notes) == 512


def test_a_refused_write_is_an_event_with_its_reason() -> None:
    world = memory()

    with pytest.raises(RefusedError):
        world.agent("ada", user="tuff").sem_put("user/profile/tuff/!!!", "x")

    denied = events(world, "council")[-1]
    assert isinstance(denied, WriteDenied)
    assert (denied.reason, denied.asked) == ("key_not_canonical", "sem_put")


def test_facts_of_one_tenant_are_not_those_of_another() -> None:
    north = memory(tenant="north")
    south = Memory(hub(north).parts, scanner=north.eraser()._scanner, tenant="south")
    north.agent("ada", user="tuff").sem_put(DRINK, "tea")

    assert not south.agent("ada", user="tuff").sem_get(DRINK).exists
    assert south.agent("ada").sem_search("") == []


@pytest.mark.parametrize("spelled", ["favourite_colour", "favorite_colour", "Favourite Color"])
def test_spellings_of_one_attribute_are_one_key_however_it_is_put_or_read(spelled: str) -> None:
    of = memory(Policy(governance=Governance(user_direct=True)))
    ada = of.agent("ada", user="tuff")
    ada.sem_put("user/profile/tuff/favorite_color", "red")

    ada.sem_put(f"user/profile/tuff/{spelled}", "blue")

    key = "user/profile/user_tuff/favorite_color"
    facts = ada.sem_search("user/profile/tuff")
    assert [(fact.key, fact.value) for fact in facts] == [(key, "blue")]
    assert ada.sem_get(f"user/profile/tuff/{spelled}").value == "blue"
    assert [fact.key for fact in ada.sem_search(f"user/profile/tuff/{spelled}")] == [key]
    assert of.prove()
