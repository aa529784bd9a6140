"""The gate: what an item weighs, where it goes, and what keeps it from lasting."""

import pytest
from tests import world
from ulid import ULID

from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory
from muniment.log.reference_store import ScratchStore
from muniment.model.errors import InputError, KeyReusedError, RegistryError
from muniment.model.events.memos import MemoDeclined, MemoKept
from muniment.model.kinds.memo import (
    MemoPlace,
    MemoSource,
    MemoType,
    RedactionStatus,
    Validity,
    checksum,
)
from muniment.model.policy import Policy
from muniment.model.policy.memo_gate import Gating, RoutingRule

BUILD = "The build failed because port 5432 was taken"


def turn(policy: Policy | None = None) -> tuple[Memory, Job]:
    memory = world.memory(policy)
    return memory, memory.agent("ada", user="tuff").job("seed-1", session="s")


def gated(**fields: object) -> Policy:
    return Policy(gating=Gating(**fields))  # type: ignore[arg-type]


def kept(memory: Memory) -> list[MemoKept]:
    return [event for event in world.events(memory) if isinstance(event, MemoKept)]


ROUTES = {
    "thought": ("WM",),
    "plan": ("EM", "WM"),
    "user_message": ("EM", "WM"),
    "observation": ("EM", "WM"),
    "action": ("EM",),
    "tool_result": ("EM",),
    "metric": ("EM",),
    "fact": ("SM",),
    "skill": ("SM",),
    "pattern": ("SM",),
    "summary": ("SM",),
}


@pytest.mark.covers("D-009", "D-025", "D-046", "D-049", "D-072", "D-085", "D-139", "D-140", "D-141")
@pytest.mark.parametrize("kind", sorted(ROUTES))
def test_each_type_goes_where_its_nature_sends_it(kind: str) -> None:
    _, job = turn()

    told = job.memorize({"type": kind, "text": BUILD})

    assert told.stored
    assert told.routing.places == ROUTES[kind]
    assert told.routing.reasons == (f"type:{kind}",)


@pytest.mark.covers("D-013", "D-062", "D-063")
def test_one_entry_fans_out_to_every_place_that_takes_the_item() -> None:
    memory, job = turn()

    told = job.memorize({"type": "observation", "text": BUILD})

    assert [memo.id for memo in job.memos("WM")] == [told.id] == [m.id for m in job.memos("EM")]
    assert len(kept(memory)) == 1
    assert told.evictions == ()


@pytest.mark.covers("D-050", "D-092", "D-093", "D-138")
def test_importance_is_five_things_added_up_and_novelty_and_size_stand_beside_it() -> None:
    weights = {
        "goal_weight_ppm": 110_000,
        "user_weight_ppm": 150_000,
        "confidence_weight_ppm": 190_000,
        "novelty_weight_ppm": 230_000,
        "actionability_weight_ppm": 320_000,
    }
    memory, job = turn(gated(**weights))
    job.set_goal("g", "find out why the build failed")

    told = job.memorize({"type": "observation", "text": BUILD, "source": "tool"})

    scores = told.routing.scores
    limits = gated(**weights).gating
    # "find", "out", "why", "the", "build", "failed": three of six words.
    assert scores.goal == 500_000
    assert (scores.user, scores.confidence, scores.actionability) == (400_000, 900_000, 700_000)
    assert scores.novelty == 1_000_000
    assert scores.tokens == 11
    weighed = [
        scores.goal * limits.goal_weight_ppm,
        scores.user * limits.user_weight_ppm,
        scores.confidence * limits.confidence_weight_ppm,
        scores.novelty * limits.novelty_weight_ppm,
        scores.actionability * limits.actionability_weight_ppm,
    ]
    assert scores.importance == sum(weighed) // 1_000_000
    (entry,) = kept(memory)
    assert entry.scores == scores
    assert (entry.scores.importance_min, entry.scores.novelty_min) == (300_000, 100_000)


def test_an_importance_that_is_given_counts_as_given() -> None:
    _, job = turn()

    told = job.memorize({"type": "fact", "text": BUILD, "importance": 0.875})

    assert told.routing.scores.given
    assert job.memo(told.id).importance == 0.875


@pytest.mark.covers("D-015", "D-093")
def test_what_is_nearly_said_already_is_less_new_and_the_same_words_are_not_kept_twice() -> None:
    memory, job = turn()
    first = job.memorize({"type": "fact", "text": "The staging build always uses port 5432"})

    near = job.memorize({"type": "fact", "text": "The staging build always uses port 5433"})
    same = job.memorize({"type": "fact", "text": "the staging build, always, uses port 5432!"})

    assert near.routing.scores.novelty == 1_000_000 - 6 * 1_000_000 // 8
    assert not same.stored
    assert same.routing.reasons == ("type:fact", "said_already")
    assert same.routing.like == first.id
    assert same.routing.scores.novelty == 0
    assert [e.reasons for e in world.events(memory) if isinstance(e, MemoDeclined)] == [
        ("type:fact", "said_already")
    ]


def test_another_person_s_words_do_not_make_mine_old() -> None:
    memory = world.memory()
    memory.agent("ada", user="tuff").memorize({"type": "fact", "text": BUILD})

    told = memory.agent("ada", user="ann").memorize({"type": "fact", "text": BUILD})

    assert told.stored
    assert told.routing.scores.novelty == 1_000_000


def test_what_was_forgotten_is_new_again() -> None:
    _, job = turn()
    first = job.memorize({"type": "fact", "text": BUILD})
    job.forget_memos("SM", f"memory id:{first.id}")

    told = job.memorize({"type": "fact", "text": BUILD})

    assert told.stored
    assert told.routing.scores.novelty == 1_000_000


def test_what_another_process_forgot_is_new_again_and_what_it_kept_is_not() -> None:
    store, keyring = ScratchStore(), world.CountedKeyring()
    here, there = (
        world.memory(store=store, keyring=keyring).agent("ada", user="tuff") for _ in range(2)
    )
    first = here.memorize({"type": "fact", "text": BUILD})
    there.forget_memos("SM", f"memory id:{first.id}")
    there.memorize({"type": "fact", "text": "The staging build always uses port 5432"})

    again = here.memorize({"type": "fact", "text": BUILD})
    known = here.memorize({"type": "fact", "text": "The staging build always uses port 5432"})

    assert (again.stored, again.routing.scores.novelty) == (True, 1_000_000)
    assert known.routing.reasons == ("type:fact", "said_already")
    world.memory(store=store, keyring=keyring).prove()


def test_a_version_that_was_replaced_is_new_again() -> None:
    memory, job = turn()
    texts = (BUILD, "Nothing listens there any more", BUILD)
    told = [job.memorize({"type": "fact", "text": text, "key": "project:build"}) for text in texts]

    assert (told[2].version, told[2].routing.scores.novelty) == (3, 1_000_000)
    memory.prove()


def test_occurrences_are_kept_as_often_as_they_happen() -> None:
    _, job = turn()

    told = [job.memorize({"type": "action", "text": "ran the tests"}) for _ in range(3)]

    assert [each.stored for each in told] == [True, True, True]
    assert len(job.memos("EM")) == 3


@pytest.mark.covers("D-069")
def test_what_does_not_matter_enough_stays_on_the_scratchpad_or_goes_nowhere() -> None:
    _, job = turn()

    observed = job.memorize({"type": "observation", "text": BUILD, "importance": 0.3})
    fact = job.memorize({"type": "fact", "text": "the sky is grey", "importance": 0.3})
    wanted = job.memorize(
        {"type": "metric", "text": "cpu at 12 percent", "importance": 0.1}, store="EM"
    )

    assert observed.routing.places == ("WM",)
    assert observed.routing.reasons == ("type:observation", "below_importance")
    assert not fact.stored
    assert fact.routing.reasons == ("type:fact", "below_importance")
    assert not wanted.stored, "asking for a place does not go around the gate"


@pytest.mark.covers("D-051")
def test_a_turn_that_has_spent_its_budget_keeps_only_what_matters_most() -> None:
    _, job = turn(gated(turn_tokens_max=12))
    job.memorize({"type": "fact", "text": BUILD})

    small = job.memorize({"type": "fact", "text": "The yard is grey", "importance": 0.69})
    great = job.memorize({"type": "fact", "text": "The yard is on fire", "importance": 0.7})

    assert small.routing.reasons == ("type:fact", "turn_budget_spent")
    assert great.stored


@pytest.mark.covers("D-136")
@pytest.mark.parametrize("store", ["WM", "EM", "SM"])
def test_a_caller_may_name_the_store_and_the_reason_says_so(store: str) -> None:
    _, job = turn()

    told = job.memorize({"type": "observation", "text": BUILD}, store=store)

    assert told.routing.places == (store,)
    assert told.routing.reasons == (f"asked:{store}",)


@pytest.mark.covers("D-052")
def test_configured_rules_override_by_type_and_tag_and_are_logged_with_the_decision() -> None:
    rules = (
        RoutingRule(tag="lasting", places=("SM",)),
        RoutingRule(type=MemoType.METRIC, places=("WM",)),
    )
    memory, job = turn(gated(routing=rules))

    by_tag = job.memorize({"type": "observation", "text": BUILD, "tags": ["lasting"]})
    by_type = job.memorize({"type": "metric", "text": "latency 12 ms"})

    assert by_tag.routing.places == ("SM",)
    assert by_type.routing.places == ("WM",)
    assert [(each.reasons, each.rules) for each in kept(memory)] == [
        (("override:tag",), ("tag:lasting",)),
        (("override:type",), ("type:metric",)),
    ]


def test_a_routing_rule_that_speaks_of_nothing_is_refused() -> None:
    with pytest.raises(InputError):
        RoutingRule(places=("SM",))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("skill", "For this step only, click the third link"),
        ("fact", "The server is down right now"),
        ("pattern", "In this session the user answers with one word"),
    ],
)
def test_what_holds_for_the_moment_is_an_episode_and_no_knowledge(kind: str, text: str) -> None:
    _, job = turn()

    told = job.memorize({"type": kind, "text": text})

    assert told.routing.places == ("EM",)
    assert told.routing.reasons == (f"type:{kind}", "content:of_the_moment")


def test_the_summary_of_one_episode_stays_with_it() -> None:
    _, job = turn()

    told = job.memorize({"type": "summary", "text": "We fixed the port", "episode_id": "e1"})

    assert told.routing.places == ("EM",)


BAD = [
    {"type": "memory", "text": "x"},
    {"type": "Fact", "text": "x"},
    {"text": "x"},
    {"type": "fact"},
    {"type": "fact", "text": "x", "content": {"a": 1}},
    {"type": "fact", "text": 7},
    {"type": "fact", "text": "x", "importance": 1.5},
    {"type": "fact", "text": "x", "importance": -0.1},
    {"type": "fact", "text": "x", "importance": float("nan")},
    {"type": "fact", "text": "x", "importance": True},
    {"type": "fact", "text": "x", "importance": "0.5"},
    {"type": "fact", "text": "x", "confidence": 2},
    {"type": "fact", "text": "x", "source": "oracle"},
    {"type": "fact", "text": "x", "tags": "one"},
    {"type": "fact", "text": "x", "tags": [1]},
    {"type": "fact", "text": "x", "ttl": -1},
    {"type": "fact", "text": "x", "ttl": 1.5},
    {"type": "fact", "text": "x", "chunk_index": -1},
    {"type": "fact", "text": "x", "key": "nocolon"},
    {"type": "fact", "text": "x", "validity": {"since": "yesterday"}},
    {
        "type": "fact",
        "text": "x",
        "validity": {"since": "2026-01-02T00:00:00.000Z", "until": "2026-01-01T00:00:00.000Z"},
    },
    {
        "type": "fact",
        "text": "x",
        "validity": {"since": "2026-01-01T00:00:00.000Z", "until": "2026-01-01T00:00:00.000Z"},
    },
    {"type": "fact", "text": "x", "embedding": [1, 300]},
    {"type": "fact", "text": "x", "colour": "red"},
    ["fact", "x"],
]


@pytest.mark.parametrize("item", BAD, ids=str)
def test_an_item_without_a_meaning_is_an_error_and_changes_nothing(item: object) -> None:
    memory, job = turn()
    before = job.seq

    with pytest.raises(InputError):
        job.memorize(item)

    assert job.seq == before
    assert kept(memory) == []


def test_a_store_that_nobody_registered_is_an_error() -> None:
    _, job = turn()
    before = job.seq

    with pytest.raises(RegistryError):
        job.memorize({"type": "fact", "text": "x"}, store="attic")

    assert job.seq == before


def test_the_same_key_and_words_are_kept_once_and_answer_alike() -> None:
    memory, job = turn()

    first = job.memorize({"type": "action", "text": "sent the mail"}, key="k1")
    again = job.memorize({"type": "action", "text": "sent the mail"}, key="k1")

    assert again == first
    assert len(kept(memory)) == 1
    with pytest.raises(KeyReusedError):
        job.memorize({"type": "action", "text": "sent another mail"}, key="k1")


def test_an_empty_text_is_refused_and_the_refusal_is_logged() -> None:
    memory, job = turn()

    told = job.memorize({"type": "fact", "text": "  "})

    assert not told.stored
    assert told.routing.reasons == ("text_empty",)
    assert world.types(memory)[-1] == "memory_denied"


@pytest.mark.covers("D-073", "D-074")
def test_the_same_turn_twice_gives_the_same_log_and_can_be_proved() -> None:
    logs = []
    for _ in range(2):
        memory, job = turn()
        for kind in MemoType:
            job.memorize({"type": kind, "text": f"{kind}: {BUILD}"})
        job.commit()
        logs.append([line.hash for line in world.lines(memory)])
        assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}

    assert logs[0] == logs[1]


@pytest.mark.covers("D-144")
@pytest.mark.parametrize("threshold", [0, 150_000, 300_000, 500_000, 725_000, 1_000_000])
def test_how_many_are_accepted_follows_from_the_threshold(threshold: int) -> None:
    _, job = turn(gated(importance_min_ppm=threshold))
    weights = [n * 25_000 for n in range(41)]

    told = [
        job.memorize({"type": "action", "text": f"did {n}", "importance": n / 1_000_000})
        for n in weights
    ]

    assert [each.stored for each in told] == [n > threshold for n in weights]


@pytest.mark.covers("D-084", "D-086", "D-087", "D-088", "D-089", "D-090", "D-091")
@pytest.mark.covers("D-018", "D-037", "D-045", "D-047", "D-095", "D-096", "D-097", "D-098", "D-099")
@pytest.mark.covers("D-100", "D-101", "D-102", "D-103", "D-105", "D-106", "D-107")
@pytest.mark.covers("D-108", "D-109", "D-110")
def test_a_memo_has_every_field_of_a_memory_item() -> None:
    clock = world.SteppingClock()
    memory = world.memory(clock=clock)
    job = memory.agent("ada", user="tuff").job("seed-1", session="s")
    job.tick()
    item = {
        "type": "fact",
        "text": "Mail bob@example.com about the port",
        "source": "user",
        "importance": 0.9,
        "tags": ["port", "build"],
        "task_id": "t",
        "episode_id": "e",
        "parent_id": "p",
        "chunk_index": 3,
        "key": "project:port",
        "validity": {"since": "2026-01-01T00:00:00.000Z"},
        "retention": "thirty_days",
        "ttl": 60,
        "embedding": [1, -2, 3],
    }

    told = job.memorize(item, {"a": {"b": 0.5}})
    memo = job.memo(told.id)

    assert str(ULID.from_str(memo.id)) == memo.id
    assert memo.text.startswith("Mail [email:")
    assert memo.timestamp.endswith("Z")
    assert memo.checksum == checksum("fact", memo.text) != checksum("thought", memo.text)
    expected = {
        "type": MemoType.FACT,
        "tokens_estimate": -(-len(memo.text) // 4),
        "agent_id": "ada",
        "task_id": "t",
        "episode_id": "e",
        "importance": 0.9,
        "novelty": 1.0,
        "source": MemoSource.USER,
        "tags": ("port", "build"),
        "metadata": {"a": {"b": 0.5}},
        "retention": "thirty_days",
        "ttl": 60,
        "embedding": bytes([1, 254, 3]),
        "redaction_status": RedactionStatus.PARTIAL,
        "step_index": 1,
        "parent_id": "p",
        "chunk_index": 3,
        "version": 1,
        "lineage_ids": (),
        "validity": Validity(since="2026-01-01T00:00:00.000Z"),
    }
    assert {name: getattr(memo, name) for name in expected} == expected
    assert {"mail", "about", "port"} <= set(memo.sparse_terms)


def test_structured_data_is_kept_as_text_and_as_itself() -> None:
    _, job = turn()

    told = job.memorize({"type": "metric", "content": {"cpu": 0.5, "host": "a"}})

    memo = job.memo(told.id)
    assert memo.text == '{"cpu":0.5,"host":"a"}'
    assert memo.metadata == {"content": {"cpu": 0.5, "host": "a"}}


def test_a_text_alone_takes_its_type_from_the_metadata() -> None:
    _, job = turn()

    told = job.memorize("ports are numbers", {"type": "fact", "why": "read"})

    memo = job.memo(told.id)
    assert (memo.type, memo.metadata) == (MemoType.FACT, {"why": "read"})
    assert memo.places == (MemoPlace.SM,)


def test_who_gives_a_bare_text_is_told_what_an_item_is() -> None:
    ada = world.memory().agent("ada", user="tuff")

    with pytest.raises(InputError, match="a dict with `type` and `text`"):
        ada.memorize("I live in Porto")

    assert ada.memorize("I live in Porto", {"type": "fact"}).stored
