"""Reading at a past entry: every answer is the one that was given then."""

from collections.abc import Callable

import pytest
from tests.world import events, hub, lines, memory, stream

from muniment import Agent, Job
from muniment.engine.api.memory import Memory
from muniment.engine.search.recall_results import SemRead
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import EpisodeWritten, ItemForgotten
from muniment.model.kinds.episode import ConsolidatedMemory
from muniment.retrieval.scoring.word_overlap import Scored

KEY = "user/profile/user_tuff/favorite_color"
QUERY = "tea cake jam"


class Day:
    """A day in steps, so that it can be stopped after any of them."""

    def __init__(self) -> None:
        self.of: Memory = memory()
        self.ada: Agent = self.of.agent("ada", user="tuff")
        self.jobs: dict[str, Job] = {}

    def run(self, steps: int) -> "Day":
        for step in STEPS[:steps]:
            step(self)
        return self

    def open(self, seed: str) -> None:
        self.jobs[seed] = self.ada.job(seed, session="s")

    def promote(self, seed: str, value: object) -> None:
        job = self.jobs[seed]
        wm_id = job.wm_insert({"type": "fact", "value": value})
        job.reference(wm_id)
        job.reference(wm_id)
        job.tick()

    def forget_newest(self) -> None:
        self.ada.forget(self.ada.episodic_query(QUERY, 1)[0].entry.episodic_id)

    def know(self, value: str) -> None:
        self.ada.sem_put(KEY, value)
        self.ada.sem_get(KEY)  # seen, so that the next entry says so
        self.ada.remember(f"heard of {value}")


STEPS: list[Callable[[Day], object]] = [
    lambda day: day.ada.remember("tea at noon"),
    lambda day: day.open("one"),
    lambda day: day.promote("one", "cake"),
    lambda day: day.jobs["one"].episodic_write("jam and tea", {"share": 0.5}),
    lambda day: day.know("cerulean"),
    lambda day: day.open("two"),
    lambda day: day.promote("two", {"jam": 2}),
    lambda day: day.forget_newest(),
    lambda day: day.jobs["one"].commit(),
    lambda day: day.know("scarlet"),
    lambda day: day.jobs["two"].tick(),
    lambda day: day.ada.remember("cake, cake, cake"),
    lambda day: day.jobs["two"].commit(),
    lambda day: day.forget_newest(),
]


def answers(
    ada: Agent, at: int | None = None
) -> tuple[list[Scored], list[str], SemRead, str, list[int]]:
    bundle = ada.recall(QUERY, at=at)
    return (
        ada.episodic_query(QUERY, at=at),
        [hit.id for hit in bundle.hits],
        ada.sem_get(KEY, at=at),
        ada.context(QUERY, at=at).text,
        [each.seq for each in ada.sem_search("", at=at)],
    )


@pytest.mark.covers("A-009", "A-053", "A-074")
@pytest.mark.parametrize("steps", range(1, len(STEPS) + 1))
def test_a_read_at_an_entry_answers_as_the_memory_did_when_that_was_its_last(steps: int) -> None:
    then = Day().run(steps)
    now = Day().run(len(STEPS))

    assert then.ada.episodic_query(QUERY) == now.ada.episodic_query(QUERY, at=then.ada.seq)
    assert answers(then.ada, at=then.ada.seq) == answers(now.ada, at=then.ada.seq)


@pytest.mark.covers("A-007", "A-009")
def test_every_read_equals_what_folding_the_beginning_of_the_log_gives() -> None:
    day = Day().run(len(STEPS))
    log = lines(day.of)

    for seq in range(day.ada.seq + 1):
        told = [line.event for line in log[:seq]]
        gone = {event.item_id for event in told if isinstance(event, ItemForgotten)}
        alive = {event.episodic_id for event in told if isinstance(event, EpisodeWritten)} - gone
        found = day.ada.episodic_query("tea cake jam heard of cerulean scarlet", 99, at=seq)
        assert {each.entry.episodic_id for each in found} == alive


@pytest.mark.covers("A-092", "A-111", "A-121")
def test_the_desk_at_an_entry_is_the_beginning_of_the_log_folded_batch_by_batch() -> None:
    day = Day().run(len(STEPS))
    where = stream(day.of, "agent")
    folded = Desk()

    for line in lines(day.of):
        folded = desks.fold(folded, [line])
        assert hub(day.of).desk_at(where, line.seq) == folded

    assert hub(day.of).writer(where).desk == folded


@pytest.mark.covers("A-092")
def test_consolidated_memory_at_a_snapshot_is_what_it_was() -> None:
    then, now = Day().run(6), Day().run(len(STEPS))
    snapshot = now.jobs["two"].brainstate_snapshot_id

    def held(memory_then: ConsolidatedMemory) -> list[object]:
        return [item.value for item in memory_then.items]

    assert now.ada.cwm_get(snapshot, session="s") == then.ada.cwm_get(session="s")
    assert held(now.ada.cwm_get(snapshot, session="s")) == ["cake"]
    assert held(now.ada.cwm_get(session="s")) == [{"jam": 2}, "cake"]


def test_an_entry_of_the_log_can_be_read_by_its_place_and_by_its_name() -> None:
    day = Day().run(4)
    log = [(line.header.id, line.hash, line.event) for line in lines(day.of)]
    read = [(line.header.id, line.hash) for line in day.ada.get_range()]

    assert read == [(name, link) for name, link, _ in log]
    assert [line.hash for line in day.ada.get_range(3, 5)] == [link for _, link, _ in log[2:5]]
    assert day.ada.get_range(5, 3) == []
    assert [day.ada.get_by_id(name).hash for name, _, _ in log] == [link for _, link, _ in log]
    # Beside where other logs stood, which is not its reader's, an entry is shown as it is.
    told = [line.event for line in day.ada.get_range() if _is_of_its_own(line.event)]
    assert told == [event for *_, event in log if _is_of_its_own(event)]
    assert told
    with pytest.raises(NotFoundError):
        day.ada.get_by_id("nothing")


def _is_of_its_own(event: object) -> bool:
    return not hasattr(event, "reads") and not hasattr(event, "sem_snapshot_id")


def test_before_the_first_entry_there_is_nothing() -> None:
    day = Day().run(len(STEPS))

    assert day.ada.episodic_query(QUERY, at=0) == []
    assert day.ada.recall(QUERY, at=0).hits == ()
    assert not day.ada.sem_get(KEY, at=0).exists
    assert day.ada.context(QUERY, at=0).text == ""


@pytest.mark.parametrize("at", [-1, 10_000, 2**63, 1.5, "3", True])
def test_there_is_no_reading_where_the_log_has_not_been(at: object) -> None:
    day = Day().run(3)
    before = day.ada.seq
    calls: list[Callable[[], object]] = [
        lambda: day.ada.episodic_query(QUERY, at=at),  # type: ignore[arg-type]
        lambda: day.ada.recall(QUERY, at=at),  # type: ignore[arg-type]
        lambda: day.ada.context(QUERY, at=at),  # type: ignore[arg-type]
        lambda: day.ada.sem_get(KEY, at=at),  # type: ignore[arg-type]
        lambda: day.ada.sem_search("", at=at),  # type: ignore[arg-type]
        lambda: day.ada.episode("ep:any", at=at),  # type: ignore[arg-type]
    ]

    for call in calls:
        with pytest.raises(InputError):
            call()

    assert day.ada.seq == before
    assert day.ada.remember("the next write is well").stored


def test_an_item_is_read_at_the_entries_between_its_birth_and_its_end() -> None:
    of = memory()
    ada = of.agent("ada")
    kept = ada.remember("tea at noon")
    ada.remember("in between")
    ada.forget(kept.episodic_id)
    (born,) = [
        line.seq
        for line in lines(of)
        if isinstance(line.event, EpisodeWritten) and line.event.episodic_id == kept.episodic_id
    ]
    (ended,) = [line.seq for line in lines(of) if isinstance(line.event, ItemForgotten)]

    seen = []
    for seq in range(ada.seq + 1):
        try:
            ada.episode(kept.episodic_id, at=seq)
        except NotFoundError:
            continue
        seen.append(seq)

    assert seen == list(range(born, ended))
    assert len([event for event in events(of) if isinstance(event, EpisodeWritten)]) == 2
