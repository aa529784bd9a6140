"""Compaction: fewer words say the same, nothing is lost from the log, and nothing grows."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world
from tests.behaviour.seed_003 import golden_talks
from tests.behaviour.seed_003.test_threads import Watch

import muniment
from muniment.adapters.models.chat_model import ModelError, PlainModel
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.maintenance.compaction import Compacted, CompactionProgress
from muniment.engine.projections.memory_type_registry import Memorized
from muniment.engine.streams.parts import Tools
from muniment.model.commands.threads import Compact
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events import WriteDenied
from muniment.model.events.threads import MemosCompacted, OutputRecorded
from muniment.model.fixed_point import MILLION
from muniment.model.kinds.memo import MemoSource, MemoType
from muniment.model.policy import Policy
from muniment.model.policy.maintenance import Compaction
from muniment.model.policy.memo_gate import Gating
from muniment.model.text.token_estimate import estimate_tokens
from muniment.retrieval.context import pack
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.ranking import ranker
from muniment.retrieval.ranking.query import analyse
from muniment.retrieval.ranking.weights import LEXICAL

TRIP = golden_talks.turns("trip")


def talk(memory: Memory, said: list[str], channel: str = "case") -> tuple[Agent, list[str]]:
    ada = memory.agent("ada", user="tuff")
    chat = ada.thread(channel, explicit=True)
    return ada, [chat.turn(text).memo_ids[0] for text in said]


def holds(memory: Memory) -> bool:
    return memory.rebuild() == {proof.stream: proof.projections for proof in memory.prove()}


def retrievable(agent: Agent) -> int:
    """Tokens of everything a context can return."""
    return sum(memo.tokens_estimate for place in ("EM", "SM") for memo in agent.memos(place))


def one(told: list[Compacted], strategy: str = "summary") -> Compacted:
    (found,) = (each for each in told if each.strategy == strategy)
    return found


# ── Episodes ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-007", "D-015", "D-148")
def test_an_episode_is_told_by_one_summary_with_pointers_to_every_raw_memo() -> None:
    memory = world.memory()
    ada, kept = talk(memory, TRIP)
    before, at = retrievable(ada), ada.seq

    told = one(ada.compact())

    assert (told.done, told.by, told.trigger) == (True, "extractive", "manual")
    assert told.quality_ppm >= Policy().compaction.quality_min_ppm
    summary = ada.memo(told.told_by)
    assert summary.type == "summary"
    assert summary.source == "user"
    for value in ("08:35", "Casa Azul", "120", "17C", "Marta"):
        assert value in summary.text
    assert [memo.id for memo in ada.sources(told.told_by)] == kept
    assert [ada.memo(each).text for each in kept] == TRIP  # raw is never dropped
    assert retrievable(ada) < before
    assert len(ada.memos("EM", at=at)) == len(TRIP)  # the past is as it was
    assert holds(memory)


@pytest.mark.covers("D-148")
@pytest.mark.parametrize(
    ("changes", "trigger"), [({"episode_steps": 10}, "steps"), ({"episode_tokens": 60}, "tokens")]
)
def test_an_episode_is_due_after_so_many_steps_or_tokens(
    changes: dict[str, int], trigger: str
) -> None:
    policy = Policy(compaction=msgspec.structs.replace(Compaction(), **changes))
    idle, _ = talk(world.memory(), TRIP)
    ada, _ = talk(world.memory(policy), TRIP)

    assert idle.compact(due_only=True) == []
    assert one(ada.compact(due_only=True)).trigger == trigger


def test_a_second_run_finds_nothing_and_more_turns_make_a_new_summary() -> None:
    memory = world.memory()
    ada, _ = talk(memory, TRIP)
    first = one(ada.compact())
    assert ada.compact() == []

    chat = ada.thread("case", explicit=True)
    for text in golden_talks.turns("flat"):
        chat.turn(text)
    second = one(ada.compact())

    assert first.told_by in second.sources
    assert first.told_by in second.gone
    for value in ("08:35", "1450"):
        assert value in ada.memo(second.told_by).text


def test_what_two_sources_said_is_trusted_as_a_models_word() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    chat = ada.thread("case", explicit=True)
    for n, text in enumerate(TRIP):
        chat.turn(text, source="tool" if n % 2 else "user")

    told = one(ada.compact())

    assert ada.memo(told.told_by).source == MemoSource.MODEL


def test_a_memo_whose_value_the_summary_lost_stays_in_its_place() -> None:
    tight = msgspec.structs.replace(Compaction(), meso_tokens=30, macro_tokens=30)
    ada, kept = talk(world.memory(Policy(compaction=tight)), TRIP)

    told = one(ada.compact())

    living = {memo.id for memo in ada.memos("EM")}
    text = " ".join(memo.text for memo in ada.memos("EM"))
    for value in ("08:35", "Casa Azul", "120", "17C", "Marta"):
        assert value in text
    assert not told.done or living & set(kept)


# ── Nothing grows, nothing is lost ──────────────────────────────────────────────────────────────

sentences = st.lists(
    st.sampled_from(
        [
            *("The boat leaves at 07:15 from Porto.", "Maria has two dogs.", "Thanks!", "Hello!"),
            *("東京の会議は3月14日です。", "Спасибо, до встречи!", "I never eat walnuts.", "ok"),
            *("The code is 8841 and the door is blue.", "The boat leaves at 07:15 from Porto."),
        ]
    ),
    min_size=2,
    max_size=14,
)


@pytest.mark.covers("D-153")
@settings(max_examples=20)
@given(sentences, st.integers(20, 120))
def test_compaction_never_makes_what_can_be_recalled_longer(said: list[str], limit: int) -> None:
    rules = msgspec.structs.replace(Compaction(), meso_tokens=limit, macro_tokens=limit)
    memory = world.memory(Policy(compaction=rules))
    ada, _ = talk(memory, said)
    before = retrievable(ada)
    values = {v for v in ("07:15", "Maria", "8841", "walnuts", "東京") if v in " ".join(said)}

    told = ada.compact()

    assert retrievable(ada) <= before * 105 // 100
    assert all(each.tokens_after <= each.tokens_before for each in told if each.done)
    left = " ".join(memo.text for memo in ada.memos("EM"))
    assert all(value in left for value in values)


@pytest.mark.covers("D-153")
def test_a_summary_that_would_be_added_on_top_is_not_kept() -> None:
    """Half of each memo is quoted, so that none could leave: the summary would only add to them."""
    rules = msgspec.structs.replace(
        Compaction(), meso_tokens=12, macro_tokens=12, quality_min_ppm=0
    )
    memory = world.memory(Policy(compaction=rules))
    said = [
        "The boat leaves at 07:15 from Porto. Its captain is Ines Prado of Faro.",
        "The code of the door is 8841. Behind it stand 23 blue crates of salt.",
    ]
    ada, kept = talk(memory, said)
    before = retrievable(ada)

    told = ada.compact()

    assert [each.reason for each in told] == ["nothing_gained"]
    assert retrievable(ada) == before
    assert {memo.id for memo in ada.memos("EM")} == set(kept)


def answerable(agent: Agent, budget: int = 1_000) -> set[str]:
    """The questions whose value stands in what is retrieved for them, within a budget."""
    memos = {memo.id: memo for memo in agent.memos("EM")}
    documents = [
        Document(id=memo.id, seq=place, ts=memo.timestamp, text=memo.text)
        for place, memo in enumerate(memos.values(), start=1)
    ]
    collection = Collection.build(documents, 0)
    found: set[str] = set()
    for questions in golden_talks.TALKS.values():
        for _, question, value in questions:
            best = ranker.rank(collection, analyse(question), LEXICAL).related(MILLION)
            hits = [memos[each].text for each in collection.ids_of(best.numbers)]
            context = "\n".join(hits[n] for n in pack.greedy(hits, budget))
            assert estimate_tokens(context) <= budget
            found |= {question} if value in context else set()
    return found


@pytest.mark.covers("D-154")
@pytest.mark.parametrize(("limit", "left_percent"), [(500, 75), (60, 100)])
def test_summaries_keep_the_golden_questions_answerable_within_two_percent(
    limit: int, left_percent: int
) -> None:
    # The smaller limit cannot hold a talk: what a summary had to leave out stays beside it.
    rules = msgspec.structs.replace(Compaction(), meso_tokens=limit, macro_tokens=limit)
    memory = world.memory(Policy(compaction=rules))
    for name in golden_talks.TALKS:
        talk(memory, golden_talks.turns(name), name)
    ada = memory.agent("ada", user="tuff")
    asked = sum(map(len, golden_talks.TALKS.values()))
    tokens_before, before = retrievable(ada), answerable(ada)

    told = ada.compact()

    after = answerable(ada)
    assert asked >= 60
    assert len(before) >= asked * 95 // 100  # a question nobody could answer shows nothing
    assert len(after) * 100 >= len(before) * 98, sorted(before - after)
    assert [each for each in told if each.done]
    assert retrievable(ada) * 100 < tokens_before * left_percent  # and it is a compaction


# ── Working memory ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-147", "D-027", "D-069")
def test_the_tail_of_a_full_scratchpad_becomes_one_item_and_the_rest_is_found_in_episodes() -> None:
    memory = world.memory(Policy(gating=Gating(working_items_max=12)))
    ada = memory.agent("ada", user="tuff")
    with ada.job(session="s") as job:
        kept = []
        for n in range(10):
            text = f"Step {n} found part {n * 7}."
            kept.append(job.memorize({"type": "thought", "text": text}).id)
            job.tick()
        guarded = job.memorize(
            {"type": "thought", "text": "The goal is Lisbon.", "importance": 0.9}
        ).id

        told = one(ada.compact(due_only=True), "tail")

        held = [memo.id for memo in job.memos("WM")]
        assert told.done
        assert told.told_by in held
        assert guarded in held
        assert not set(told.sources) & set(held)
        assert set(told.sources) <= {memo.id for memo in ada.memos("EM")}
        assert set(told.sources) < set(kept)  # the last steps are favoured
        assert told.tokens_after < told.tokens_before
        assert ada.memo(told.told_by).type == "summary"
    assert holds(memory)


@pytest.mark.covers("D-147", "D-148")
def test_the_end_of_a_turn_compacts_what_has_grown_too_large_by_itself() -> None:
    rules = msgspec.structs.replace(Compaction(), episode_tokens=100)
    memory = world.memory(Policy(gating=Gating(working_items_max=12), compaction=rules))
    ada = memory.agent("ada", user="tuff")
    with ada.job(session="s") as job:
        for n in range(11):
            job.memorize({"type": "thought", "text": f"Step {n} found part {n * 7}."})
            job.memorize({"type": "metric", "text": f"{TRIP[n]} Then {TRIP[n]}"}, store="EM")
            job.tick()

    told = [e for e in world.events(memory) if isinstance(e, MemosCompacted)]

    assert [(each.strategy, each.trigger) for each in told] == [
        ("tail", "full"),
        ("summary", "tokens"),
    ]
    assert holds(memory)


# ── Semantic memory ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-149")
def test_memos_that_say_the_same_become_one_and_those_with_other_values_never() -> None:
    memory = world.memory(Policy(gating=Gating(novelty_min_ppm=0)))
    ada = memory.agent("ada", user="tuff")
    said = [
        "restart the worker, then drain the queue before every deploy on the cluster",
        "restart the worker and then drain the queue before every deploy on the cluster",
        "restart the worker, then drain the queue before every deploy on the cluster 2",
        "never restart the worker, then drain the queue before every deploy on the cluster",
    ]
    kept = [
        ada.memorize({"type": "fact", "text": text, "key": f"rule:{n}", "importance": 0.5 + n / 10})
        for n, text in enumerate(said)
    ]
    ids_ = [each.id for each in kept]

    told = one(ada.compact(), "merge")

    assert set(told.sources) == set(ids_[:2])
    assert told.told_by == ids_[1]  # it matters more
    assert {memo.id for memo in ada.memos("SM")} == set(ids_[1:])
    assert ada.memo(ids_[0]).text == said[0]
    assert holds(memory)


@pytest.mark.covers("D-149", "D-041", "D-078")
def test_skills_are_routed_to_semantic_memory_in_versions() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")

    def book(city: str) -> None:
        with ada.do(f"Book a ferry to {city}") as doing:
            doing.tool_result(doing.tool_call("search", {"to": city}), [city])
            doing.tool_result(doing.tool_call("book", {"ferry": city}), "booked")
            doing.answer(f"Going to {city}.")

    for city in ("Lisbon", "Porto", "Faro"):
        book(city)
    ada.compact()
    (first,) = [memo for memo in ada.memos("SM") if memo.type == "skill"]
    assert first.places == ("SM",)
    assert first.text.startswith("When asked with the words book, ferry: call search with to,")
    assert first.metadata["frequency"] == 3  # type: ignore[index]
    ada.compact()
    assert len(ada.memos("SM")) == 1  # told once

    book("Braga")
    ada.compact()
    (second,) = ada.memos("SM")

    assert (second.version, second.lineage_ids) == (2, (first.id,))
    assert ada.get_version(first.key, 1).text == first.text
    assert holds(memory)


# ── Budgets ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("D-152")
def test_episodic_memory_is_brought_down_to_a_budget_of_tokens() -> None:
    clock = Watch()
    memory = world.memory(clock=clock)
    ada = memory.agent("ada", user="tuff")
    for n in range(12):
        clock.later(hours=24)
        weight = 0.9 if n % 3 == 0 else 0.4
        ada.memorize(
            {"type": "observation", "text": f"Reading {n}: " + "x" * 80, "importance": weight},
            store="EM",
        )
    before = retrievable(ada)

    told = ada.thin(tokens_max=before // 2)

    left = ada.memos("EM")
    assert told.by == "utility_density"
    assert retrievable(ada) <= before // 2
    assert sum(memo.importance > 0.5 for memo in left) > sum(memo.importance < 0.5 for memo in left)
    assert ada.restore_memo(told.gone[0]) == ("EM",)  # nothing was lost
    assert holds(memory)


@pytest.mark.covers("D-151")
def test_a_sample_of_a_long_log_is_seeded_and_replays() -> None:
    def sampled() -> tuple[list[str], Memory]:
        memory = world.memory()
        ada = memory.agent("ada", user="tuff")
        for n in range(20):
            ada.memorize({"type": "metric", "text": f"Load {n} was {n * 3}."}, store="EM")
        ada.thin(items_max=5, sample=True)
        return [memo.text for memo in ada.memos("EM")], memory

    (first, memory), (second, _) = sampled(), sampled()

    assert first == second
    assert len(first) == 5
    assert holds(memory)


# ── A model's words ─────────────────────────────────────────────────────────────────────────────


class Oracle:
    """Says what it is told to say, counts, and may be out of order."""

    def __init__(self, said: str = "", *, fails: bool = False) -> None:
        self.said, self.fails, self.asked = said, fails, 0

    def __call__(self, texts: object, limit: int) -> str:
        del texts, limit
        self.asked += 1
        if self.fails:
            raise ModelError("it does not answer")
        return self.said

    def memory(self) -> Memory:
        return world.memory(tools=Tools(model=PlainModel("oracle-1", self)))


GOOD = (
    "Flight to Lisbon on 14 March at 08:35, seat 17C on the aisle of the plane. Booked hotel Casa "
    "Azul for five nights; the room costs 120 euros per night. Marta will pick up at terminal 2."
)


@pytest.mark.covers("D-017")
def test_past_work_becomes_a_short_abstraction_and_a_skill() -> None:
    """What was said is told within the limit, and what was done alike three times is a skill."""
    rules = msgspec.structs.replace(Compaction(), meso_tokens=90, macro_tokens=90)
    memory = world.memory(Policy(compaction=rules))
    ada, _ = talk(memory, TRIP)
    for city in ("Lisbon", "Porto", "Faro"):
        with ada.do(f"Please book a ferry to {city}") as doing:
            doing.tool_result(doing.tool_call("book", {"to": city}), {"seat": 4})
            doing.answer(f"You are going to {city}.")

    told = ada.compact()

    summaries = [ada.memo(each.told_by) for each in told if each.done and each.place == "EM"]
    assert summaries
    assert all(memo.tokens_estimate <= 90 for memo in summaries)
    assert all(memo.type is MemoType.SUMMARY for memo in summaries)
    (skill,) = [memo for memo in ada.memos("SM") if memo.type is MemoType.SKILL]
    assert "book" in skill.text


@pytest.mark.covers("D-017")
def test_words_of_a_model_that_are_too_long_are_not_taken() -> None:
    rules = msgspec.structs.replace(Compaction(), meso_tokens=30, macro_tokens=40)
    oracle = Oracle(GOOD)
    memory = world.memory(
        Policy(compaction=rules), tools=Tools(model=PlainModel("oracle-1", oracle))
    )
    ada, _ = talk(memory, TRIP)

    told = [each for each in ada.compact() if each.done]

    assert oracle.asked == 1
    assert all((each.by, each.fallback) == ("extractive", "quality") for each in told)
    assert all(memo.text != GOOD for memo in ada.memos("EM"))


@pytest.mark.covers("D-017", "D-040")
def test_a_models_words_are_recorded_before_use_and_a_replay_asks_nobody() -> None:
    oracle = Oracle(GOOD)
    memory = oracle.memory()
    ada, _ = talk(memory, TRIP)

    told = one(ada.compact())

    assert (told.by, told.fallback) == ("oracle-1", "")
    assert ada.memo(told.told_by).text == GOOD
    (output,) = [e for e in world.events(memory) if isinstance(e, OutputRecorded)]
    assert (output.model, output.purpose, output.text) == ("oracle-1", "summarise", GOOD)
    assert oracle.asked == 1
    assert holds(memory)
    assert oracle.asked == 1


def test_whoever_opens_a_memory_may_bring_a_model() -> None:
    oracle = Oracle(GOOD)
    model = PlainModel("oracle-1", oracle)
    memory = muniment.open(":memory:", neighbours=muniment.Neighbours(model=model))
    ada, _ = talk(memory, TRIP)

    told = one(ada.compact())

    assert (told.by, ada.memo(told.told_by).text, oracle.asked) == ("oracle-1", GOOD, 1)


def test_a_model_that_fails_is_replaced_by_the_memos_own_sentences_and_the_log_says_so() -> None:
    memory = Oracle(fails=True).memory()
    ada, _ = talk(memory, TRIP)

    told = one(ada.compact())

    assert (told.done, told.by, told.fallback) == (True, "extractive", "model_failed")
    assert "08:35" in ada.memo(told.told_by).text
    assert holds(memory)


def test_a_model_that_says_too_little_is_recorded_and_not_used() -> None:
    memory = Oracle("They talked about a trip.").memory()
    ada, _ = talk(memory, TRIP)

    told = one(ada.compact())

    assert (told.by, told.fallback) == ("extractive", "quality")


def test_words_that_are_not_in_the_log_fail_closed() -> None:
    memory = world.memory()
    ada, kept = talk(memory, TRIP)
    command = Compact(
        strategy="summary", memo_ids=tuple(kept), request="0" * 64, subject="user_tuff"
    )

    ada._session.append(command)

    denied = [e for e in world.events(memory) if isinstance(e, WriteDenied)]
    assert denied[-1].reason == "output_missing"
    assert not [e for e in world.events(memory) if isinstance(e, MemosCompacted)]


def test_what_a_model_says_is_screened_like_everything_else() -> None:
    memory = Oracle(GOOD + " Call +1 415 555 2671.").memory()
    ada, _ = talk(memory, TRIP)

    told = one(ada.compact())

    (output,) = [e for e in world.events(memory) if isinstance(e, OutputRecorded)]
    assert "415 555" not in output.text
    assert "415 555" not in ada.memo(told.told_by).text
    secret = Oracle("my password is correct-horse-77").memory()
    quiet, _ = talk(secret, TRIP)
    assert one(quiet.compact()).fallback == "model_failed"
    assert not [e for e in world.events(secret) if isinstance(e, OutputRecorded)]


# ── Chunks ──────────────────────────────────────────────────────────────────────────────────────


def test_a_long_text_with_a_secret_in_it_is_refused_as_a_whole() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    pages = [f"The ledger of week {n} says that {n * 37} crates went by ship." for n in range(400)]
    pages.insert(300, f"My password is {'hunter2' * 2}.")
    text = " ".join(pages)

    told = ada.memorize({"type": "observation", "text": text}, store="EM")
    with pytest.raises(RefusedError, match="privacy_deny_sensitive"):
        ada.thread("case").turn(text)

    assert (told.stored, told.ids) == (False, ())
    assert told.routing.reasons == ("privacy_deny_sensitive",)
    assert ada.memos("EM") == []
    assert holds(memory)


def test_a_long_text_that_is_told_again_under_its_key_is_kept_once() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    text = " ".join(
        f"Week {n}: {n * 37} crates went to harbour {n % 7} by ship." for n in range(500)
    )
    item = {"type": "observation", "text": text}

    first = ada.memorize(item, store="EM", key="once")
    ada.memorize({"type": "observation", "text": "The harbour is closed"}, store="EM")
    again = ada.memorize(item, store="EM", key="once")

    assert again == first
    assert len(first.ids) > 1
    assert len(ada.memos("EM")) == len(first.ids) + 1
    assert ada.whole(ada.memo(first.ids[0]).parent_id) == text
    assert holds(memory)


@pytest.mark.covers("D-106", "D-107")
def test_a_long_text_is_kept_in_chunks_of_one_whole_and_read_back_byte_for_byte() -> None:
    small = Policy(compaction=msgspec.structs.replace(Compaction(), chunk_tokens=40))
    memory = world.memory(small)
    ada = memory.agent("ada", user="tuff")
    text = "".join(f"Sentence {n} is about Porto, naïve café — 東京 🗼. " for n in range(30))

    told = ada.memorize({"type": "observation", "text": text}, store="EM")

    parts = [ada.memo(each) for each in told.ids]
    assert len(parts) > 5
    assert [memo.chunk_index for memo in parts] == list(range(len(parts)))
    assert len({memo.parent_id for memo in parts}) == 1
    assert all(memo.tokens_estimate <= 40 for memo in parts)
    assert ada.whole(parts[0].parent_id).encode() == text.encode()
    turn = ada.thread("slack").turn(text)
    assert ada.whole(turn.memo_ids[0]).encode() == text.encode()
    with pytest.raises(NotFoundError):
        ada.whole("whole:nothing")
    assert holds(memory)


def test_a_long_fact_that_is_replaced_or_forgotten_leaves_with_all_its_chunks() -> None:
    small = Policy(compaction=msgspec.structs.replace(Compaction(), chunk_tokens=40))
    memory = world.memory(small)
    ada = memory.agent("ada", user="tuff")
    long, longer = (
        "".join(f"Harbour rule {n} is about {what}. " for n in range(20))
        for what in ("ferries", "sailing boats")
    )

    def keep(text: str) -> Memorized:
        return ada.memorize({"type": "fact", "text": text, "key": "harbour:rules"})

    first, second = keep(long), keep(longer)
    living = [memo.id for memo in reversed(ada.memos("SM"))]
    third = keep("There is one rule: keep right")

    assert len(first.ids) > 3
    assert living == list(second.ids)
    assert ada.memory_type("semantic").get_capacity_info().items == 1
    assert [memo.text for memo in ada.memos("SM")] == ["There is one rule: keep right"]
    assert [each.version for each in (first, second, third)] == [1, 2, 3]
    assert [memo.id for memo in ada.memos("SM", at=second.seq)] == living[::-1]
    assert not [hit for hit in ada.recall("ferries and sailing boats").hits if hit.id in living]
    fourth = keep(long)
    assert ada.forget_memos("SM", "key:harbour:rules").ids == fourth.ids[::-1]
    assert ada.memos("SM") == []
    assert holds(memory)


def test_progress_is_told_after_each_piece_of_work() -> None:
    memory = world.memory()
    for name in ("trip", "flat"):
        talk(memory, golden_talks.turns(name), name)
    ada = memory.agent("ada", user="tuff")
    seen: list[CompactionProgress] = []

    ada.compact(progress=seen.append)

    assert [(each.step, each.done, each.of) for each in seen][:2] == [
        ("episode", 1, 2),
        ("episode", 2, 2),
    ]
