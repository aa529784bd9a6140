"""Episodic memory: what was experienced, for good, and how it is found again."""

import itertools
import re
from importlib.metadata import requires

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.world import SteppingClock, events, hub, lines, memory, stream, types

from muniment import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import InputError, NotFoundError, RefusedError
from muniment.model.events import EpisodeWritten, JobOpened, Recalled
from muniment.model.kinds.episode import EpisodicEntry, EpisodicSource, Evidence, Provenance
from muniment.model.text.tokens import tokens
from muniment.retrieval.scoring import word_overlap
from muniment.retrieval.scoring.word_overlap import Scored

EPISODIC_ID = re.compile(r"ep:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
SEEDED_TS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def written(of: Memory) -> list[EpisodeWritten]:
    return [event for event in events(of) if isinstance(event, EpisodeWritten)]


def summaries(found: list[Scored]) -> list[str]:
    return [each.entry.summary for each in found]


def agent_with(*sentences: str) -> Agent:
    """An agent whose one job has written these summaries, in this order."""
    ada = memory().agent("ada")
    with ada.job("seed-1") as job:
        for sentence in sentences:
            job.episodic_write(sentence)
    return ada


# ── What an entry is ────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-043", "A-045", "A-046", "A-047", "A-049", "A-093")
def test_an_entry_keeps_every_field_it_was_written_with() -> None:
    of = memory()
    ada = of.agent("ada")
    job = ada.job("seed-1", trace_id="trace-1")
    proof = Evidence(sem_keys=("world/tea/green/origin",), sem_snapshot_hash="ab" * 32)

    name = job.episodic_write("tea was served", {"cups": 2, "share": 0.5}, [proof])

    entry = ada.episode(name)
    assert entry.episodic_id == name
    assert entry.job_seed == "seed-1"
    assert entry.summary == "tea was served"
    assert entry.payload == {"cups": 2, "share": 0.5}
    assert entry.evidence == (proof,)
    assert entry.provenance.trace_id == "trace-1"
    log_entry = ada.get_by_id(entry.provenance.reflective_log_id)
    assert (log_entry.header.type, log_entry.header.job) == ("received", job.number)


@pytest.mark.covers("A-042", "A-107")
def test_an_id_is_a_uuid_that_follows_from_the_seed_and_a_counter() -> None:
    def names(seed: str, agent: str = "ada") -> list[str]:
        job = memory().agent(agent).job(seed)
        return [job.episodic_write("tea"), job.episodic_write("tea")]

    first = names("seed-1")

    assert all(EPISODIC_ID.fullmatch(name) for name in first)
    assert names("seed-1") == first
    assert len({*first, *names("seed-2"), *names("seed-1", agent="bob")}) == 6


@pytest.mark.covers("A-042", "A-107")
def test_no_two_entries_share_an_id_however_they_came_to_be() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    kept = ada.remember("tea is green")
    with ada.job("seed-1", session="s") as one, ada.job("seed-2", session="s") as other:
        for job in (one, other, one):
            job.observe("tea again")
            job.memory_promote_request(kept.episodic_id, "world/tea/green/note", "once more")
            job.reference(job.wm_insert({"type": "fact", "value": "warm"}))
    for number in range(3):
        ada.memory_promote_request(kept.episodic_id, f"world/tea/green/note_{number}", "asked")
        ada.remember("tea once more")

    names = [event.episodic_id for event in written(of)]
    assert len(names) == len(set(names)) == 15


@pytest.mark.covers("A-044")
@pytest.mark.parametrize("source", ["agent", "executor", "brainstate"])
def test_an_entry_says_who_wrote_it(source: str) -> None:
    ada = memory().agent("ada")
    job = ada.job("seed-1")

    assert ada.episode(job.episodic_write("tea", source=source)).source == source


@pytest.mark.covers("A-044")
@pytest.mark.parametrize("source", ["user", "", "AGENT", None, [], 1])
def test_nobody_else_writes_entries(source: object) -> None:
    job = memory().agent("ada").job("seed-1")
    before = job.seq

    with pytest.raises(InputError):
        job.episodic_write("tea", source=source)  # type: ignore[arg-type]

    assert job.seq == before


@pytest.mark.covers("A-048")
def test_its_time_is_derived_from_the_seed_and_no_clock_can_change_it() -> None:
    def times(seed: str, clock: SteppingClock | None = None) -> list[str]:
        of = memory(clock=clock)
        job = of.agent("ada").job(seed)
        for _ in range(3):
            job.episodic_write("tea")
            job.tick()
        return [event.created_seeded_ts for event in written(of)]

    seeded = times("seed-1")

    assert all(SEEDED_TS.fullmatch(moment) for moment in seeded)
    assert seeded == sorted(set(seeded))
    assert times("seed-1", SteppingClock()) == times("seed-1", SteppingClock(9)) == seeded
    assert not set(times("seed-2")) & set(seeded)


# ── When one is written ─────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-052", "A-093")
def test_an_agent_asks_for_an_entry_and_gets_its_id() -> None:
    of = memory()
    job = of.agent("ada").job("seed-1")
    before = job.seq

    name = job.episodic_write("tea was served")

    assert types(of, after=before) == ["received", "episodic_written"]
    assert [(event.episodic_id, event.form) for event in written(of)] == [(name, "entry")]


@pytest.mark.covers("A-050")
def test_the_end_of_a_job_appends_what_the_job_leaves_behind() -> None:
    of = memory()
    job = of.agent("ada").job("seed-1")
    for value, uses in (("consolidated", 2), ("used", 1)):
        wm_id = job.wm_insert({"type": "fact", "value": value})
        for _ in range(uses):
            job.reference(wm_id)
    job.tick()
    assert written(of) == []

    job.commit()

    assert [(event.form, event.summary) for event in written(of)] == [
        ("summary", "consolidated"),
        ("working", "used"),
    ]


@pytest.mark.covers("A-051", "A-054")
@pytest.mark.parametrize("inside", [True, False])
def test_a_request_for_a_governed_fact_is_an_experience_too(*, inside: bool) -> None:
    of = memory()
    ada = of.agent("ada")
    kept = ada.remember("tea is green").episodic_id
    asker = ada.job("seed-1") if inside else ada

    request = asker.memory_promote_request(kept, "world/tea/green/note", "asked twice")

    last = written(of)[-1]
    assert (last.form, last.evidence[0].episodic_id) == ("request", kept)
    (waiting,) = of.council().requests()
    assert (waiting.request_id, waiting.value) == (request, "tea is green")
    assert waiting.evidence[0].episodic_id == kept
    assert ada.sem_search("") == []


@pytest.mark.covers("A-054")
def test_a_request_needs_an_episode_that_is_there() -> None:
    ada = memory().agent("ada")
    gone = ada.remember("tea is green").episodic_id
    ada.forget(gone)

    for name in (gone, "ep:none", ""):
        with pytest.raises(RefusedError) as refused:
            ada.memory_promote_request(name, "world/tea/green/note")
        assert refused.value.reason == "episode_unknown"


@pytest.mark.covers("A-041")
def test_the_same_words_twice_are_two_experiences() -> None:
    ada = agent_with("tea", "tea")

    assert summaries(ada.episodic_query("tea")) == ["tea", "tea"]


@pytest.mark.covers("A-041")
def test_what_is_forgotten_leaves_every_reading_and_stays_in_the_past() -> None:
    of = memory()
    ada = of.agent("ada")
    kept = ada.remember("tea at noon")
    then = ada.seq

    ada.forget(kept.episodic_id)

    assert ada.episodic_query("tea") == []
    with pytest.raises(NotFoundError):
        ada.episode(kept.episodic_id)
    assert summaries(ada.episodic_query("tea", at=then)) == ["tea at noon"]
    assert len(written(of)) == 1


@pytest.mark.parametrize("summary", ["", " ", "\n\t"])
def test_an_entry_without_words_is_refused(summary: str) -> None:
    job = memory().agent("ada").job("seed-1")

    with pytest.raises(RefusedError) as refused:
        job.episodic_write(summary)

    assert refused.value.reason == "summary_empty"


@pytest.mark.parametrize(
    "arguments",
    [
        {"summary": None},
        {"summary": 5},
        {"summary": "x" * 40_000},
        {"summary": "\ud800"},
        {"summary": "tea", "payload": float("nan")},
        {"summary": "tea", "payload": {"deep": object()}},
        {"summary": "tea", "evidence": "ep:1"},
        {"summary": "tea", "evidence": [1]},
    ],
)
def test_what_has_no_meaning_is_refused_and_the_next_write_is_well(
    arguments: dict[str, object],
) -> None:
    job = memory().agent("ada").job("seed-1")
    before = job.seq

    with pytest.raises(InputError):
        job.episodic_write(**arguments)  # type: ignore[arg-type]

    assert job.seq == before
    assert EPISODIC_ID.fullmatch(job.episodic_write("tea"))


# ── Words ───────────────────────────────────────────────────────────────────────────────────────

WORDS = [
    ("Green TEA", ["green", "tea"]),
    ("green,tea;cake", ["green", "tea", "cake"]),
    ("  green\t\ntea  ", ["green", "tea"]),
    ("well-brewed (tea)!", ["well", "brewed", "tea"]),
    ("don't", ["don", "t"]),
    ("snake_case", ["snake", "case"]),
    ("3.14 cups", ["3", "14", "cups"]),
    ("ÄPFEL straße Ærø", ["äpfel", "straße", "ærø"]),
    ("日本茶、緑茶。", ["日本茶", "緑茶"]),
    ("«чай» — ¿té?", ["чай", "té"]),
    ("हिन्दी में चाय।", ["हिन्दी", "में", "चाय"]),
    ("ชาเขียว ร้อน", ["ชาเขียว", "ร้อน"]),
    ("שָׁלוֹם, עולם", ["שָׁלוֹם", "עולם"]),
    ("tea 🍵 tea ❤️", ["tea", "tea"]),
    ("…!?", []),
    ("", []),
]


@pytest.mark.covers("A-079")
@pytest.mark.parametrize(("text", "words"), WORDS)
def test_text_is_lowered_and_split_on_whitespace_and_punctuation(
    text: str, words: list[str]
) -> None:
    assert list(tokens(text)) == words


@pytest.mark.covers("A-079")
@pytest.mark.parametrize("query", ["TEA", "tea!", "(tea)", "green-tea", "\ttea\n", "green,TEA"])
def test_a_query_is_split_by_the_same_rule(query: str) -> None:
    ada = agent_with("A cup of: tea.")

    assert summaries(ada.episodic_query(query)) == ["A cup of: tea."]


def test_two_spellings_of_one_letter_are_found_by_either() -> None:
    ada = agent_with("un cafe\u0301 noir")

    assert len(ada.episodic_query("caf\u00e9")) == 1
    assert len(ada.episodic_query("cafe\u0301")) == 1
    assert len(ada.recall("cafe\u0301").hits) == 1


# ── Scores ──────────────────────────────────────────────────────────────────────────────────────

SCORES = [
    ("tea", "tea", 1, 1_000_000),
    ("green tea", "tea", 1, 500_000),
    ("green tea at noon", "tea noon", 2, 500_000),
    ("tea tea cake", "tea", 2, 666_667),
    ("tea cake jam", "tea tea tea", 1, 333_333),
    ("one two three four five six", "six seven", 1, 166_667),
]


@pytest.mark.covers("A-080", "A-081")
@pytest.mark.parametrize(("summary", "query", "overlap", "score_ppm"), SCORES)
def test_the_score_is_the_share_of_the_summary_that_the_query_names(
    summary: str, query: str, overlap: int, score_ppm: int
) -> None:
    (found,) = agent_with(summary).episodic_query(query)

    assert (found.overlap, found.score_ppm) == (overlap, score_ppm)


@pytest.mark.covers("A-081")
def test_a_summary_without_words_scores_nothing_and_breaks_nothing() -> None:
    ada = agent_with("!!!", "tea")

    assert summaries(ada.episodic_query("tea !!!")) == ["tea"]
    assert word_overlap.overlap_score("!!!", frozenset({"tea"})) == (0, 0, ())


# ── Ranking ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-074", "A-082")
def test_the_best_score_comes_first_and_of_equals_the_latest() -> None:
    ada = agent_with("tea and cake", "green tea", "tea", "black tea", "cake")

    assert summaries(ada.episodic_query("tea")) == [
        "tea",
        "black tea",
        "green tea",
        "tea and cake",
    ]


@pytest.mark.covers("A-082")
def test_of_equals_at_one_moment_the_smaller_id_comes_first() -> None:
    of = memory()
    ada = of.agent("ada")
    for number in range(1, 6):  # one moment for all: a seed may name it
        ada.job(f"at:1790000000000:{number}").episodic_write("tea")

    found = ada.episodic_query("tea")

    names = [each.entry.episodic_id for each in found]
    assert len({each.entry.created_seeded_ts for each in found}) == 1
    assert names == sorted(names)
    assert names != [event.episodic_id for event in written(of)]


def entry(number: int, summary: str, moment: int) -> EpisodicEntry:
    return EpisodicEntry(
        episodic_id=f"ep:{number:04d}",
        job_seed="seed",
        source=EpisodicSource.AGENT,
        summary=summary,
        evidence=(),
        payload=None,
        created_seeded_ts=f"2026-01-01T00:00:00.{moment:03d}Z",
        provenance=Provenance(trace_id="", reflective_log_id=""),
    )


@st.composite
def shuffled(draw: st.DrawFn) -> tuple[list[EpisodicEntry], list[EpisodicEntry]]:
    words = st.lists(st.sampled_from(["tea", "cake", "jam"]), min_size=1, max_size=4)
    told = draw(st.lists(st.tuples(words, st.integers(0, 2)), max_size=12))
    made = [entry(n, " ".join(text), moment) for n, (text, moment) in enumerate(told)]
    return made, draw(st.permutations(made))


@pytest.mark.covers("A-053", "A-074", "A-082")
@given(shuffled())
def test_the_order_is_total_whatever_order_the_entries_came_in(
    both: tuple[list[EpisodicEntry], list[EpisodicEntry]],
) -> None:
    query = frozenset({"tea", "jam"})
    one, other = word_overlap.episodic(both[0], query), word_overlap.episodic(both[1], query)

    assert one == other
    for first, second in itertools.pairwise(one):
        assert first.score_ppm >= second.score_ppm
        if first.score_ppm == second.score_ppm:
            assert first.entry.created_seeded_ts >= second.entry.created_seeded_ts
            if first.entry.created_seeded_ts == second.entry.created_seeded_ts:
                assert first.entry.episodic_id < second.entry.episodic_id


@pytest.mark.covers("A-084", "A-149")
@pytest.mark.parametrize("query", ["teas", "te", "drink", "chai", "tee", "beverage", "t e"])
def test_likeness_of_letters_or_of_meaning_finds_nothing(query: str) -> None:
    assert agent_with("a cup of tea").episodic_query(query) == []


@pytest.mark.covers("A-084", "A-149")
def test_no_vector_store_and_no_learned_model_is_needed() -> None:
    needed = {re.split(r"[^\w-]", each)[0].lower() for each in requires("muniment") or []}
    learned = {
        "torch",
        "tensorflow",
        "onnxruntime",
        "faiss-cpu",
        "chromadb",
        "qdrant-client",
        "hnswlib",
        "openai",
    }

    assert not needed & (learned | {"sentence-transformers", "scikit-learn", "pgvector", "lancedb"})


# ── Windows and limits ──────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-078", "A-151")
def test_window_n_looks_at_the_newest_entries_only() -> None:
    ada = agent_with("tea", "tea one", "cake", "tea two")

    assert summaries(ada.episodic_query("tea", window_n=2)) == ["tea two"]
    assert summaries(ada.episodic_query("tea", window_n=3)) == ["tea two", "tea one"]
    assert summaries(ada.episodic_query("tea", window_n=99))[0] == "tea"
    assert ada.episodic_query("tea", window_n=0) == []


@pytest.mark.covers("A-083", "A-151")
def test_a_time_window_holds_both_of_its_ends() -> None:
    ada = agent_with("tea one", "tea two", "tea three", "tea four")
    first, second, third, fourth = (
        each.entry.created_seeded_ts for each in reversed(ada.episodic_query("tea"))
    )

    def within(start: str, end: str) -> list[str]:
        return summaries(ada.episodic_query("tea", time_window=(start, end)))

    assert within(second, third) == ["tea three", "tea two"]
    assert within(first, first) == ["tea one"]
    assert within(first, fourth) == ["tea four", "tea three", "tea two", "tea one"]
    assert within(fourth, first) == []
    assert within("2000", "2001") == []


@pytest.mark.covers("A-151", "A-152")
@pytest.mark.parametrize("count", range(7))
def test_the_first_n_are_the_beginning_of_the_whole_ranking(count: int) -> None:
    ada = agent_with("tea and cake", "green tea", "tea", "black tea", "tea tea cake")
    whole = ada.episodic_query("tea cake", 99)

    assert ada.episodic_query("tea cake", count) == whole[:count]
    assert len(whole) == 5


@pytest.mark.parametrize(
    "arguments",
    [
        {"max_results": -1},
        {"max_results": "2"},
        {"max_results": 2.5},
        {"max_results": None},
        {"window_n": -1},
        {"window_n": True},
        {"time_window": ("2026",)},
        {"time_window": (1, 2)},
        {"time_window": "ab"},
        {"at": -1},
        {"at": 10_000},
        {"at": 2.5},
        {"at": True},
        {"query": None},
        {"query": 5},
        {"query": b"tea"},
        {"query": ["tea", 5]},
        {"query": "\ud800"},
    ],
)
def test_a_query_without_meaning_is_refused_and_hurts_nothing_after_it(
    arguments: dict[str, object],
) -> None:
    ada = agent_with("tea")

    with pytest.raises(InputError):
        ada.episodic_query(**({"query": "tea"} | arguments))  # type: ignore[arg-type]

    assert ada.remember("the next write is well").stored
    assert summaries(ada.episodic_query("tea")) == ["tea"]


@pytest.mark.parametrize("query", [None, 5, b"tea", ["tea"], "\ud800"])
def test_a_recall_without_meaning_is_refused_and_hurts_nothing_after_it(query: object) -> None:
    ada = agent_with("tea")

    with pytest.raises(InputError):
        ada.recall(query)  # type: ignore[arg-type]
    with pytest.raises(InputError):
        ada.recall("tea", limit=-1)

    assert ada.remember("the next write is well").stored


# ── The two call forms ──────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-078", "A-094")
def test_both_call_forms_give_the_same_list() -> None:
    ada = agent_with("green tea", "tea and cake", "tea with much milk")
    job = ada.job("seed-2")

    by_terms = ada.episodic_query("Green, tea!", window_n=10, max_results=2)
    by_tokens = ada.episodic_query(["green", "tea"], 2, job.episodic_snapshot_id)

    assert summaries(by_terms) == ["green tea", "tea and cake"]  # not the newest: the nearest
    assert by_terms == by_tokens == job.episodic_query(("tea", "GREEN"), 2)


@pytest.mark.covers("A-074", "A-094")
def test_a_snapshot_gives_the_same_list_for_ever() -> None:
    ada = agent_with("tea", "green tea")
    job = ada.job("seed-2")
    before = ada.episodic_query(["tea"], 8, job.episodic_snapshot_id)

    job.episodic_write("tea tea tea")
    ada.forget(before[0].entry.episodic_id)
    ada.remember("tea")

    assert ada.episodic_query(["tea"], 8, job.episodic_snapshot_id) == before
    assert summaries(before) == ["tea", "green tea"]
    assert ada.episodic_query(["tea"], 8) != before


@pytest.mark.covers("A-053")
def test_asking_twice_gives_the_same_and_asking_changes_no_answer() -> None:
    ada = agent_with("green tea", "tea", "cake")

    answers = [ada.episodic_query("tea cake") for _ in range(5)]
    ada.flush()
    answers.append(ada.episodic_query("tea cake"))

    assert all(each == answers[0] for each in answers)


# ── Evidence ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.covers("A-088")
def test_every_result_carries_what_a_decision_must_cite() -> None:
    of = memory()
    ada = of.agent("ada", user="tuff")
    ada.sem_put("user/profile/user_tuff/favorite_drink", "tea")
    ada.remember("tea at noon")
    job = ada.job("seed-1")
    told = next(event for event in events(of) if isinstance(event, JobOpened)).sem_snapshot_hash

    (found,) = job.episodic_query("tea")
    by_layer = {hit.layer: hit for hit in job.recall("tea").hits}

    name = found.entry.episodic_id
    assert found.evidence == Evidence(episodic_id=name, sem_snapshot_hash=told)
    assert by_layer["episodic"].evidence == found.evidence
    assert by_layer["sem"].evidence == Evidence(
        sem_keys=("user/profile/user_tuff/favorite_drink",), sem_snapshot_hash=told
    )


@pytest.mark.covers("A-088", "A-089")
def test_the_evidence_of_a_read_is_logged_before_the_decision_that_follows_it() -> None:
    of = memory()
    ada = of.agent("ada")
    ada.remember("tea at noon")
    job = ada.job("seed-1")
    before = job.seq
    (found,) = job.episodic_query("tea")

    job.episodic_write("served tea")

    assert types(of, after=before) == [
        "received",
        "memory_recall",
        "received",
        "episodic_written",
    ]
    receipt = events(of, after=before)[1]
    assert isinstance(receipt, Recalled)
    assert receipt.evidence == (found.evidence,)
    assert receipt.ids == (found.entry.episodic_id,)
    assert receipt.scores_ppm == (found.score_ppm,)


@pytest.mark.covers("A-089")
def test_evidence_belongs_to_the_job_that_read() -> None:
    of = memory()
    ada = of.agent("ada")
    ada.remember("tea at noon")
    reader, other = ada.job("reader"), ada.job("other")

    reader.episodic_query("tea")
    other.tick()

    (logged,) = [line for line in lines(of) if isinstance(line.event, Recalled)]
    assert logged.header.job == reader.number


@pytest.mark.covers("A-089")
def test_evidence_of_an_ended_job_is_still_logged() -> None:
    of = memory()
    ada = of.agent("ada")
    ada.remember("tea at noon")
    job = ada.job("seed-1")
    job.commit()

    job.episodic_query("tea")
    ada.flush()

    assert types(of)[-1] == "memory_recall"
    assert of.prove()


@pytest.mark.covers("A-089")
def test_a_retry_that_the_log_answers_loses_no_evidence() -> None:
    of = memory()
    ada = of.agent("ada")
    ada.remember("tea at noon", key="once")

    ada.episodic_query("tea")
    ada.remember("tea at noon", key="once")
    assert "memory_recall" not in types(of)
    ada.remember("something else")

    assert types(of).count("memory_recall") == 1


@pytest.mark.covers("A-089")
def test_the_evidence_of_a_very_long_answer_is_logged_whole() -> None:
    of = memory()
    ada = of.agent("ada")
    ada.remember_many(f"tea number {number}" for number in range(1200))

    found = ada.episodic_query("tea", 5000)
    ada.remember("the next write is well")

    receipts = [event for event in events(of) if isinstance(event, Recalled)]
    logged = [name for receipt in receipts for name in receipt.ids]
    assert logged == [each.entry.episodic_id for each in found]
    assert len(logged) == 1200


@pytest.mark.covers("A-089")
def test_reading_alone_is_logged_when_the_memory_is_closed() -> None:
    of = memory()
    ada = of.agent("ada")
    ada.remember("tea at noon")
    ada.recall("tea")
    store = hub(of).parts.store
    ref = hub(of).stream(stream(of, "agent")).ref
    before = len(list(store.read(ref)))

    ada.flush()

    assert len(list(store.read(ref))) == before + 2
    assert types(of)[-1] == "memory_recall"


def test_a_result_is_a_value_and_not_a_handle() -> None:
    ada = agent_with("tea")
    (found,) = ada.episodic_query("tea")

    with pytest.raises(AttributeError):
        found.entry.summary = "changed"  # type: ignore[misc]
    assert msgspec.to_builtins(found)["entry"]["summary"] == "tea"
