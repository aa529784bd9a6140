"""Memory types: five intents, a registry of equals, versions, and the phrases of forgetting."""

from collections.abc import Sequence

import pytest
from tests import world

import muniment
from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory
from muniment.engine.memos.plugin_memory import guest
from muniment.engine.projections.memory_type_registry import INTENTS, Capacity, MemoryType, Registry
from muniment.model.errors import InputError, NotFoundError, RefusedError, RegistryError
from muniment.model.events.memos import MemoKept, MemosForgotten
from muniment.model.kinds.memo import Memo
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.policy.memo_gate import Gating, RoutingRule, TypeSetting

BUILT_IN = [
    "consciousness",
    "conversation",
    "working",
    "goals",
    "episodic",
    "semantic",
    "facts",
    "profile",
    "consolidated",
    "skills",
    "remembered",
    "threads",
]


class Tally:
    """Counts words of the memos it accepts."""

    name, version = "tally", "2"

    def empty(self) -> dict[str, int]:
        return {}

    def accepts(self, memo: Memo) -> bool:
        return memo.type == "metric"

    def memorize(self, state: dict[str, int], memo: Memo) -> dict[str, int]:
        return state | {memo.text: state.get(memo.text, 0) + 1}

    def remember(self, state: dict[str, int], prompt: str) -> Sequence[Memo | str]:
        return [f"{text}: {n}" for text, n in sorted(state.items())]

    def forget(self, state: dict[str, int], instructions: str) -> dict[str, int]:
        return {text: n for text, n in state.items() if text != instructions}

    def summarize(self, state: dict[str, int], scope: str, token_limit: int) -> str:
        return ", ".join(state)

    def get_capacity_info(self, state: dict[str, int]) -> Capacity:
        return Capacity(items=len(state), tokens=0)


def turn(memory: Memory | None = None) -> Job:
    return (memory or world.memory()).agent("ada", user="tuff").job("seed-1", session="s")


def said(job: Job, name: str, prompt: str = "") -> list[str]:
    return [found.text for found in job.memory_type(name).remember(prompt)]


# ── The registry ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-002", "D-028", "D-036")
def test_the_built_in_types_are_registered_like_any_other() -> None:
    memory = world.memory()

    listed = memory.registry.list()

    assert [each.name for each in listed] == BUILT_IN
    assert all(each.version and set(each.capabilities) <= set(INTENTS) for each in listed)
    memory.registry.remove("skills")
    memory.registry.register(guest(Tally()))
    assert [each.name for each in memory.registry.list()] == [
        name for name in [*BUILT_IN, "tally"] if name != "skills"
    ]


@pytest.mark.covers("D-033", "D-036")
def test_a_name_is_given_once_and_an_unknown_one_is_an_error() -> None:
    registry = Registry([guest(Tally())])

    for broken in (
        lambda: registry.register(guest(Tally())),
        lambda: registry.get("attic"),
        lambda: registry.remove("attic"),
        lambda: registry.register(
            MemoryType(name="two words", version="1", factory=registry.get("tally").factory)
        ),
    ):
        with pytest.raises(RegistryError) as told:
            broken()
        assert told.value.code == "MEMORY_TYPE"
    registry.remove("tally")
    registry.register(guest(Tally()))
    assert [each.name for each in registry.list()] == ["tally"]


def test_two_memories_do_not_share_their_types() -> None:
    one, other = world.memory(), world.memory()

    one.registry.register(guest(Tally()))

    assert "tally" not in [each.name for each in other.registry.list()]


@pytest.mark.covers("D-083")
def test_the_policy_says_which_types_take_part() -> None:
    policy = Policy(gating=Gating(memory_types=(TypeSetting(name="goals", enabled=False),)))

    job = turn(world.memory(policy))

    assert "goals" not in [each.name for each in job.memory_types()]
    assert "working" in [each.name for each in job.memory_types()]


def test_a_summary_quotes_the_whole_sentences_that_say_most() -> None:
    job = turn()
    text = "Well, it went on for quite a while. The build listens on port 5432 of host Kestrel."
    job.memorize({"type": "fact", "text": text})
    kind = job.memory_type("semantic")

    assert kind.summarize("the build", 15) == "The build listens on port 5432 of host Kestrel."
    assert kind.summarize("the build", 100) == text
    assert job.memory_type("episodic").summarize("the build", 15) == ""


@pytest.mark.covers("D-005", "D-024", "D-034", "D-035", "D-071")
@pytest.mark.parametrize("name", BUILT_IN)
def test_every_type_answers_the_five_intents(name: str) -> None:
    job = turn()
    job.memorize({"type": "observation", "text": "the port is taken"})
    job.memorize({"type": "fact", "text": "the port is 5432"})
    kind = job.memory_type(name)

    found = kind.remember("which port", {"limit": 3})
    summary = kind.summarize("which port", 10)
    room = kind.get_capacity_info()
    kept = kind.memorize({"type": "fact", "text": f"{name} is a kind of memory"})

    assert all(each.type == name for each in found)
    assert len(found) <= 3
    assert len(summary) <= 40
    assert room.items >= len(found)
    assert kept.stored
    if "forget" not in job._session.hub.registry.get(name).capabilities:
        with pytest.raises(RefusedError):
            kind.forget("oldest")


# ── Guests ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-010", "D-033", "D-068", "D-070")
def test_a_guest_takes_part_without_a_change_to_anything_else() -> None:
    memory = world.memory()
    memory.registry.register(guest(Tally()))
    job = turn(memory)

    accepted = job.memorize({"type": "metric", "text": "cpu 5"})
    sent = job.memory_type("tally").memorize({"type": "fact", "text": "ports are numbers"})

    assert accepted.routing.places == ("EM", "tally")
    assert sent.routing.places == ("tally",)
    assert said(job, "tally") == ["cpu 5: 1", "ports are numbers: 1"]
    assert job.memory_type("tally").summarize() == "cpu 5, ports are numbers"
    assert job.memory_type("tally").get_capacity_info() == Capacity(items=2, tokens=0)


def test_a_guest_is_a_fold_so_it_is_rebuilt_and_read_in_the_past() -> None:
    memory = world.memory()
    memory.registry.register(guest(Tally()))
    job = turn(memory)
    first = job.memorize({"type": "metric", "text": "cpu 5"})
    job.memorize({"type": "metric", "text": "cpu 9"})
    job.memory_type("tally").forget("cpu 5")
    now = said(job, "tally")

    memory.rebuild()
    world.hub(memory).folds.__init__()  # type: ignore[misc]  # nothing is remembered

    assert said(job, "tally") == now == ["cpu 9: 1"]
    then = job.memory_type("tally").remember("", {"at": first.seq})
    assert [each.text for each in then] == ["cpu 5: 1"]
    memory.prove()


def test_a_guest_hears_nothing_of_other_people() -> None:
    memory = world.memory()
    memory.registry.register(guest(Tally()))
    turn(memory).memorize({"type": "metric", "text": "cpu 5"})

    other = memory.agent("ada", user="ann").job("seed-2")

    assert said(other, "tally") == []


@pytest.mark.parametrize("name", ["tally", "episodic", "working", "facts"])
@pytest.mark.parametrize(
    "asked",
    [{"limit": "3"}, {"limit": -1}, {"limit": True}, {"at": "3"}, {"at": -1}, {"valid_at": 5}],
    ids=str,
)
def test_every_type_refuses_to_be_asked_with_what_is_no_number_or_day(
    name: str, asked: dict[str, object]
) -> None:
    memory = world.memory()
    memory.registry.register(guest(Tally()))
    job = turn(memory)
    job.memorize({"type": "metric", "text": "a step"}, store="tally")

    with pytest.raises(InputError):
        job.memory_type(name).remember("a step", asked)


def test_what_is_erased_is_gone_from_a_guest() -> None:
    memory = world.memory()
    memory.registry.register(guest(Tally()))
    with turn(memory) as job:
        job.memorize({"type": "metric", "text": "cpu 5"})
        assert said(job, "tally") == ["cpu 5: 1"]
    eraser = memory.eraser()
    request = eraser.request("tuff", reason="asked")
    memory.council().approve(request)
    eraser.carry_out(request)

    assert said(memory.agent("ada", user="tuff").job("seed-3"), "tally") == []


def test_a_guest_may_come_with_the_opening() -> None:
    memory = muniment.open(":memory:", memory_types=[guest(Tally())])

    assert memory.registry.get("tally").version == "2"


# ── The three stores ────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-007", "D-019", "D-027", "D-031", "D-142", "D-147")
def test_a_full_scratchpad_lets_the_unimportant_go_first_and_guards_what_matters() -> None:
    job = turn(world.memory(Policy(gating=Gating(working_items_max=3, working_recent_steps=0))))
    weights = {"guarded": 0.8, "oldest": 0.5, "low": 0.2}
    for text, weight in weights.items():
        job.memorize({"type": "thought", "text": text, "importance": weight})

    gone = [
        job.memorize({"type": "thought", "text": f"next {n}", "importance": 0.5}) for n in range(3)
    ]

    left = [job.memo(each.evictions[0].memo_ids[0]).text for each in gone]
    assert left == ["low", "oldest", "next 0"]
    assert [memo.text for memo in job.memos("WM")] == ["guarded", "next 1", "next 2"]
    assert gone[0].evictions[0].policy == "fifo_guarded"
    assert gone[0].evictions[0].reason == "items"


@pytest.mark.covers("D-063")
def test_the_entry_that_needed_room_says_who_made_it() -> None:
    memory = world.memory(Policy(gating=Gating(working_items_max=1)))
    job = turn(memory)
    first = job.memorize({"type": "observation", "text": "the port may be taken"})

    told = job.memorize({"type": "observation", "text": "look at the process list"})

    asked, kept = world.lines(memory)[-2:]
    assert (asked.header.type, kept.header.type) == ("received", "memo_kept")
    assert isinstance(kept.event, MemoKept)
    assert kept.event.displaced == told.evictions[0].memo_ids == (first.id,)
    assert kept.event.limit == told.evictions[0].reason == "items"
    assert job.trace()[-1].detail["displaced"] == [first.id]
    assert job.commit().writes.evicted == 1
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


def test_a_scratchpad_is_bounded_in_tokens_as_well() -> None:
    job = turn(world.memory(Policy(gating=Gating(working_tokens_max=10))))
    job.memorize({"type": "thought", "text": "x" * 32})

    told = job.memorize({"type": "thought", "text": "y" * 12})

    assert told.evictions[0].reason == "tokens"


def test_what_has_had_its_time_leaves_first_but_only_when_room_is_needed() -> None:
    policy = Policy(gating=Gating(working_items_max=2, working_ttl_steps=2))
    job = turn(world.memory(policy))
    old = job.memorize({"type": "thought", "text": "old and dear", "importance": 1})
    for _ in range(5):
        job.tick()
    job.memorize({"type": "thought", "text": "young", "importance": 0.1})
    assert len(job.memos("WM")) == 2

    told = job.memorize({"type": "thought", "text": "younger", "importance": 0.1})

    assert told.evictions[0].memo_ids == (old.id,)


def test_what_leaves_working_memory_is_found_in_episodic_memory() -> None:
    job = turn(world.memory(Policy(gating=Gating(working_items_max=1))))
    first = job.memorize({"type": "thought", "text": "the port may be taken"})
    assert job.memos("EM") == []

    told = job.memorize({"type": "thought", "text": "look at the process list"})

    assert told.evictions[0].moved_to == (first.id,)
    assert [memo.id for memo in job.memos("EM")] == [first.id]
    assert said(job, "episodic", "which port") == ["the port may be taken"]


def test_the_desk_holds_a_bounded_number_of_tasks() -> None:
    memory = world.memory(Policy(gating=Gating(working_tasks_max=2)))
    ada = memory.agent("ada", user="tuff")
    for n in range(3):
        with ada.job(f"seed-{n}") as job:
            job.memorize({"type": "thought", "text": f"thought {n}"})

    assert len(world.hub(memory).writer(world.stream(memory, "agent")).desk.memos.pads) == 2
    assert [memo.text for memo in ada.memos("EM")] == ["thought 0"]


@pytest.mark.covers("D-021", "D-030", "D-108", "D-109", "D-110")
def test_a_key_of_semantic_memory_has_versions_with_their_lineage() -> None:
    job = turn()
    texts = ("the port is 5432", "the port is 5433", "the port is 5434")
    told = [job.memorize({"type": "fact", "text": text, "key": "project:port"}) for text in texts]

    assert [each.version for each in told] == [1, 2, 3]
    assert [memo.text for memo in job.memos("SM")] == ["the port is 5434"]
    assert job.memo(told[2].id).lineage_ids == (told[0].id, told[1].id)
    assert [job.get_version("project:port", n).text for n in (1, 2, 3)] == list(texts)
    assert [memo.text for memo in job.memos("SM", at=told[0].seq)] == ["the port is 5432"]
    with pytest.raises(NotFoundError):
        job.get_version("project:port", 4)


def test_a_full_semantic_memory_lets_the_least_important_go() -> None:
    job = turn(world.memory(Policy(gating=Gating(semantic_items_max=10))))
    for n in range(10):
        job.memorize({"type": "fact", "text": f"fact {n}", "importance": (n + 7) / 20})

    told = job.memorize({"type": "fact", "text": "one more", "importance": 0.5})

    assert [job.memo(each).text for each in told.evictions[0].memo_ids] == ["fact 0"]
    assert len(job.memos("SM")) == 10
    assert job.memory_type("semantic").get_capacity_info().items == 10


def test_what_goes_to_two_full_places_makes_room_in_both() -> None:
    both = RoutingRule(tag="lasting", places=("SM", "EM"))
    full = Gating(semantic_items_max=10, episodic_items_max=10, routing=(both,))
    job = turn(world.memory(Policy(gating=full)))
    kinds = ("fact", "action")
    for n in range(20):
        job.memorize({"type": kinds[n % 2], "text": f"{kinds[n % 2]} {n}", "importance": 0.5})

    told = job.memorize({"type": "fact", "text": "one more", "tags": ["lasting"]})

    assert {each.place for each in told.evictions} == {"SM", "EM"}


@pytest.mark.covers("D-020", "D-029")
def test_episodic_memory_is_in_order_and_never_changed() -> None:
    job = turn()
    for n in range(5):
        job.memorize({"type": "action", "text": f"step {n}"})

    assert [memo.text for memo in job.memos("EM")] == [f"step {n}" for n in (4, 3, 2, 1, 0)]
    at = job.seq
    job.forget_memos("EM", "oldest")
    assert [memo.text for memo in job.memos("EM", at=at)][-1] == "step 0"


# ── Forgetting ──────────────────────────────────────────────────────────────────────────────────


def held(job: Job, place: str) -> list[str]:
    return [memo.text for memo in job.memos(place)]


@pytest.mark.covers("D-104")
@pytest.mark.parametrize(
    ("phrase", "left"),
    [
        ("oldest", ["b", "c"]),
        ("least important", ["a", "c"]),
        ("position:2", ["a", "b"]),
        ("before:step_2", ["c"]),
    ],
)
def test_working_memory_forgets_by_its_own_phrases(phrase: str, left: list[str]) -> None:
    job = turn()
    for text, weight in (("a", 0.5), ("b", 0.1), ("c", 0.9)):
        job.memorize({"type": "thought", "text": text, "importance": weight})
        job.tick()

    told = job.memory_type("working").forget(phrase)

    assert held(job, "WM") == left
    assert len(told.ids) == 3 - len(left)


def test_episodic_memory_forgets_by_its_own_phrases() -> None:
    memory = world.memory(clock=world.SteppingClock())
    job = turn(memory)
    told = [
        job.memorize({"type": "action", "text": text, "episode_id": episode})
        for text, episode in (("a", ""), ("b", "e1"), ("c", "e1"), ("d", ""), ("e", ""), ("f", ""))
    ]
    episodic = job.memory_type("episodic")

    episodic.forget("oldest")
    episodic.forget("episode:e1")
    assert held(job, "EM") == ["f", "e", "d"]
    episodic.forget(f"memory id:{told[4].id}")
    assert held(job, "EM") == ["f", "d"]
    episodic.forget(f"before:{job.memo(told[5].id).timestamp}")
    assert held(job, "EM") == ["f"]


def test_semantic_memory_forgets_by_its_own_phrases() -> None:
    memory = world.memory(clock=world.SteppingClock())
    job = turn(memory)
    for n, text in enumerate(("a one", "b two", "c three", "d four")):
        item = {"type": "fact", "text": text, "importance": 1 - n / 10, "key": f"letter:{n}"}
        job.memorize(item)
    semantic = job.memory_type("semantic")

    semantic.forget("key:letter:1")
    assert held(job, "SM") == ["d four", "c three", "a one"]
    semantic.forget("least important")
    assert held(job, "SM") == ["c three", "a one"]
    semantic.forget("oldest")
    assert held(job, "SM") == ["c three"]
    semantic.forget("before:2999-01-01T00:00:00.000Z")
    assert held(job, "SM") == []


@pytest.mark.parametrize("place", ["WM", "EM", "SM"])
@pytest.mark.parametrize("phrase", ["the boring ones", "before:yesterday"])
def test_a_phrase_that_a_place_does_not_know_is_refused(place: str, phrase: str) -> None:
    job = turn()

    with pytest.raises(RefusedError) as told:
        job.forget_memos(place, phrase)

    assert told.value.reason == "phrase_unknown"
    assert told.value.detail == phrase


@pytest.mark.parametrize("place", ["WM", "EM", "SM"])
@pytest.mark.parametrize("phrase", ["memory id:mem_none", "memory_id: mem_none", "oldest"])
def test_a_phrase_that_names_nothing_is_refused(place: str, phrase: str) -> None:
    job = turn()

    with pytest.raises(RefusedError) as told:
        job.forget_memos(place, phrase)

    assert told.value.reason == "memo_unknown"
    assert told.value.detail == phrase


def test_working_memory_forgets_one_memo_by_its_id_and_one_by_its_position() -> None:
    job = turn()
    told = [job.memorize({"type": "thought", "text": text}) for text in ("a", "b", "c", "d")]

    job.forget_memos("WM", f"memory id:{told[1].id}")
    assert held(job, "WM") == ["a", "c", "d"]
    job.forget_memos("WM", "position:0")
    assert held(job, "WM") == ["c", "d"]


def test_a_memo_is_forgotten_by_its_id_only_where_it_lives() -> None:
    job = turn()
    done = job.memorize({"type": "action", "text": "the boat is tarred"})

    with pytest.raises(RefusedError) as told:
        job.forget_memos("SM", f"memory id:{done.id}")

    assert told.value.reason == "memo_unknown"
    assert held(job, "EM") == ["the boat is tarred"]


def endings(memory: Memory) -> list[MemosForgotten]:
    return [each.event for each in world.lines(memory) if isinstance(each.event, MemosForgotten)]


@pytest.mark.parametrize("place", ["WM", "EM"])
def test_the_log_says_what_was_forgotten_and_why(place: str) -> None:
    memory = world.memory()
    job = turn(memory)
    kind = "thought" if place == "WM" else "action"
    kept = job.memorize({"type": kind, "text": "tar the boat"})

    job.forget_memos(place, "oldest", reason="it sank")

    (end,) = endings(memory)
    assert (end.memo_ids, end.phrase, end.reason) == ((kept.id,), "oldest", "it sank")
    assert bool(end.subject)
    assert bool(end.pad) == (place == "WM")


def test_a_user_ends_their_own_memo_and_none_about_nobody() -> None:
    memory = world.memory()
    told = (
        memory.agent("ada")
        .job("seed-0", session="pier")
        .memorize({"type": "action", "text": "the pier was swept"})
    )
    job = turn(memory)
    mine = job.memorize({"type": "action", "text": "the boat was swept", "episode_id": "swept"})

    with pytest.raises(RefusedError) as refused:
        job.forget_memos("EM", f"memory id:{told.id}", reason="my own reason")
    job.forget_memos("EM", f"memory id:{mine.id}", reason="my own reason")

    assert refused.value.reason == "about_nobody"
    (own,) = endings(memory)
    assert (own.memo_ids, own.reason) == ((mine.id,), "my own reason")


def test_an_agent_forgets_by_the_same_phrases_without_a_job() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for text in ("the sail was mended", "the boat was tarred"):
        ada.memorize({"type": "action", "text": text})
    for text in ("look for tar", "look for thread"):
        ada.memorize({"type": "thought", "text": text}, store="WM")

    ada.forget_memos("EM", "oldest")
    ada.forget_memos("WM", "oldest")

    assert [memo.text for memo in ada.memos("EM")] == ["the boat was tarred"]
    assert [memo.text for memo in ada.memos("WM")] == ["look for thread"]


def test_of_an_episode_of_ones_own_and_of_nobody_only_ones_own_ends() -> None:
    memory = world.memory()
    action = {"type": "action", "text": "the pier was swept", "episode_id": "swept"}
    memory.agent("ada").job("seed-0", session="pier").memorize(action)
    job = turn(memory)
    mine = job.memorize(action | {"text": "the boat was swept"})

    job.forget_memos("EM", "episode:swept", reason="my own reason")

    assert [(each.memo_ids, each.reason, each.phrase) for each in endings(memory)] == [
        ((mine.id,), "my own reason", "episode:swept"),
    ]


def test_what_is_forgotten_softly_comes_back() -> None:
    job = turn()
    fact = job.memorize({"type": "fact", "text": "the port is 5432", "key": "project:port"})
    job.forget_memos("SM", "key:project:port", reason="a mistake")
    assert held(job, "SM") == []

    assert job.restore_memo(fact.id) == ("SM",)

    assert held(job, "SM") == ["the port is 5432"]
    with pytest.raises(RefusedError) as told:
        job.restore_memo(fact.id)
    assert told.value.reason == "memo_is_there"
    assert job.get_version("project:port", 1).id == fact.id


def test_hard_forgetting_goes_through_the_council_and_an_eraser() -> None:
    job = turn()
    job.memorize({"type": "fact", "text": "the port is 5432"})

    with pytest.raises(RefusedError) as told:
        job.memory_type("semantic").forget("oldest", "hard")

    assert told.value.reason == "erasure_not_approved"
    assert held(job, "SM") == ["the port is 5432"]


def test_an_erased_person_leaves_no_memo_and_the_rest_is_proved() -> None:
    memory = world.memory()
    with turn(memory) as job:
        job.memorize({"type": "fact", "text": "the port is 5432", "key": "project:port"})
        job.memorize({"type": "thought", "text": "a thought"})
    with memory.agent("ada", user="ann").job("seed-2") as other:
        other.memorize({"type": "fact", "text": "ann likes tea"})
    eraser = memory.eraser()
    request = eraser.request("tuff", reason="asked")
    memory.council().approve(request)
    eraser.carry_out(request)

    assert memory.agent("ada", user="tuff").memos("SM") == []
    assert [m.text for m in memory.agent("ada", user="ann").memos("SM")] == ["ann likes tea"]
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


# ── What a search finds ─────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-038", "D-143")
@pytest.mark.parametrize(("kind", "name"), [("action", "episodic"), ("fact", "semantic")])
def test_what_is_memorized_is_found_at_once_by_words_and_by_likeness(kind: str, name: str) -> None:
    job = turn()
    for text in ("the ferry leaves at eight", "the build listens on a port"):
        job.memorize({"type": kind, "text": text, "key": "build:port" if "port" in text else None})
    assert said(job, name, "which port") == ["the build listens on a port"]
    assert said(job, name, "builds listening ports") == ["the build listens on a port"]
    assert said(job, name, "xbuildx listensss") == ["the build listens on a port"], "no word is one"

    job.memorize({"type": kind, "text": "the build listens on a socket", "key": "build:port"})

    found = said(job, name, "which port or socket")
    assert found[0] == "the build listens on a socket"
    if name == "semantic":
        assert found == ["the build listens on a socket"], "a new version takes the old one's place"


@pytest.mark.covers("D-022", "D-032")
def test_the_conversation_is_the_recent_turns_and_a_rolling_summary_of_the_others() -> None:
    memory = world.memory(Policy(recall=RecallPolicy(short_term_messages=3)))
    ada = memory.agent("ada", user="tuff")
    talk = ada.conversation(session="s")
    for thing in ("anchor", "rudder", "compass", "mast", "keel"):
        talk.record(user=f"tell me of the {thing}", ai=f"here is the {thing}")

    found = said(ada.job("seed-1", session="s"), "conversation")

    recent = ["here is the mast", "tell me of the keel", "here is the keel"]
    assert [text for text in found if text in recent] == recent, "the last three, in their order"
    (summary,) = [text for text in found if text not in recent]
    assert "tell me of the anchor" in summary, "what left the buffer is told by the summary"
    assert "tell me of the keel" not in summary

    talk.record(user="tell me of the sail", ai="here is the sail")

    rolled = said(ada.job("seed-2", session="s"), "conversation")
    assert [text for text in rolled if text in recent] == ["here is the keel"]
    assert rolled[-2:] == ["tell me of the sail", "here is the sail"]
