"""A process that serves many holds what it has to do with: desks, views, receipts that wait."""

import gc
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest
from tests import world
from tests.behaviour.test_attacks import erase
from tests.behaviour.test_failures import DeadSpool, World

import muniment
from muniment.engine.api.memory import Memory
from muniment.engine.session.agent_session import RECEIPTS_WAITING_MAX
from muniment.engine.session.pending_receipts import PendingReceipts
from muniment.engine.streams.desk_cache import writer_cache
from muniment.log import store_checks
from muniment.log.entry import Entry
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Find, ShelfRow
from muniment.model.errors import MemoryWriteFailError
from muniment.model.events import Recalled

KEPT = 4
AGENTS = [f"agent-{n}" for n in range(10)]


def crowded() -> Memory:
    memory = world.memory()
    world.hub(memory)._writers = writer_cache(kept_max=KEPT)
    return memory


def test_an_agent_that_was_let_go_goes_on_where_it_was() -> None:
    memory, alone = crowded(), world.memory()
    for lap in range(3):
        for name in AGENTS:
            for each in (memory, alone):
                each.agent(name, user="tuff").remember(f"{name} said {lap}")

    assert len(world.hub(memory)._writers) <= KEPT + 1
    for name in AGENTS:
        mine, other = (each.agent(name, user="tuff") for each in (memory, alone))
        assert mine.seq == other.seq
        assert mine.get_range() == other.get_range()
        assert {hit.text for hit in mine.recall("who said what").hits} == {
            f"{name} said {lap}" for lap in range(3)
        }
    assert len(memory.prove()) == len(AGENTS)


def test_a_job_outlives_the_writer_that_opened_it() -> None:
    memory = crowded()
    job = memory.agent("first", user="tuff").job("seed-1")
    item = job.wm_insert({"type": "fact", "value": "tea at noon"})
    for name in AGENTS:
        memory.agent(name).remember("something else")

    job.reference(item)
    job.tick()

    assert [entry.references for entry in job.wm_find()] == [1]
    assert memory.prove()


def test_councils_stay_at_hand() -> None:
    memory = crowded()
    tuff = memory.agent("first", user="tuff")
    told = tuff.remember("Remember my favourite colour is cerulean")
    assert told.question
    memory.council().approve(tuff.confirm(told.question.confirmation_id))
    for name in AGENTS:
        memory.agent(name).remember("something else")

    kinds = {str(writer.stream.id.kind) for writer in world.hub(memory)._writers.values()}

    assert "council" in kinds
    assert tuff.sem_get("user/profile/tuff/favorite_color").value == "cerulean"


def test_a_fence_that_no_disk_took_is_not_let_go() -> None:
    lived = World(DeadSpool())
    world.hub(lived.memory)._writers._kept_max = KEPT
    lived.fail(1, 2)
    with pytest.raises(MemoryWriteFailError):
        lived.job.episodic_write("tea at noon")

    for name in AGENTS:
        lived.memory.agent(name).remember("something else")
    lived.job.episodic_write("tea at one")

    types = [line.header.type for line in lived.ada.get_range()]
    assert types[-3:] == ["outcome_recorded", "received", "episodic_written"]


# ── Views, and the receipts of what they have read ──────────────────────────────────────────────


def receipts(memory: Memory) -> list[str]:
    lines = memory.agent("ada").get_range()
    return [line.event.query for line in lines if isinstance(line.event, Recalled)]


def test_a_view_that_owes_nothing_is_its_callers_alone() -> None:
    memory = world.memory()
    view = memory.agent("ada", user="tuff")
    view.remember("tea at noon")
    view.recall("when is tea?")
    view.remember("and coffee at one")  # takes the receipt along
    held = ref(view)

    del view
    gc.collect()

    assert held() is None
    assert receipts(memory) == ["when is tea?"]


def test_what_a_view_has_read_is_logged_at_the_end_though_nobody_holds_the_view(
    tmp_path: Path,
) -> None:
    with muniment.open(tmp_path) as memory:
        memory.agent("ada", user="tuff").remember("tea at noon")
        for question in ("when is tea?", "what is at noon?"):
            memory.agent("ada", user="tuff").recall(question)
            gc.collect()

    with muniment.open(tmp_path) as memory:
        assert receipts(memory) == ["when is tea?", "what is at noon?"]


def test_what_others_have_read_goes_along_in_the_order_in_which_they_began_to_read() -> None:
    memory = world.memory()
    first, second = (memory.agent("ada", user="tuff") for _ in range(2))
    first.remember("tea at noon")
    for view in (first, second, first):
        view.recall(f"what did {1 + (view is second)} ask?")

    second.remember("and coffee at one")

    assert receipts(memory) == ["what did 1 ask?", "what did 1 ask?", "what did 2 ask?"]


def test_what_another_view_has_read_before_an_erasure_goes_along_with_nothing() -> None:
    memory = world.memory()
    first, second = (memory.agent("ada", user="tuff") for _ in range(2))
    first.remember("tea at noon")
    memory.agent("ada", user="ann").remember("I live in Porto")
    first.recall("where does Ann live?")
    erase(memory, "ann")

    second.remember("and coffee at one")

    assert receipts(memory) == []


def test_of_many_who_only_read_the_first_are_logged_by_themselves() -> None:
    memory = world.memory()
    world.hub(memory).pending_receipts = PendingReceipts(readers_max=2)
    memory.agent("ada").remember("tea at noon")

    for n in range(5):
        memory.agent("ada").recall(f"is tea at {n}?")

    assert receipts(memory) == [f"is tea at {n}?" for n in range(3)]
    assert memory.prove()


def test_whoever_only_looks_at_the_derived_layers_is_logged_after_so_many() -> None:
    memory = world.memory()
    ada = memory.agent("ada")
    with ada.do("tea at noon"):
        pass

    for _ in range(RECEIPTS_WAITING_MAX):
        ada.rag_query("tea")

    assert len(receipts(memory)) == RECEIPTS_WAITING_MAX


class RowCounter(ScratchStore):
    """A store that knows how many rows were read of its shelves."""

    rows_read = 0

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        for row in super().rows(stream, find):
            self.rows_read += 1
            yield row


class EntryCounter(ScratchStore):
    """A store that knows how many entries were handed out."""

    entries_read = 0

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        for entry in super().read(stream, after=after, upto=upto, limit=limit):
            self.entries_read += 1
            yield entry

    def about(self, stream: str, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
        found = super().read(stream, after=after, upto=upto)
        return [each.seq for each in found if store_checks.is_about(each, subjects)]


@pytest.mark.parametrize("asks", ["recall", "entities"])
def test_who_asks_for_the_first_time_reads_what_is_about_them_and_not_what_others_said(
    asks: str,
) -> None:
    store = EntryCounter()
    memory = world.memory(store=store, clock=world.SteppingClock())
    memory.agent("shared", user="tuff").remember("My sister Lena lives in Porto")
    for n in range(60):
        memory.agent("shared", user=f"user-{n}").remember(f"My sister Ada lives in garden {n}")
    tuff = memory.agent("shared", user="tuff")
    store.entries_read = 0

    if asks == "recall":
        assert [hit.text for hit in tuff.recall("sister").hits] == ["My sister Lena lives in Porto"]
    else:
        assert {each.name for each in tuff.entities()} == {"Lena", "Porto"}

    assert store.entries_read < 20


def test_a_context_reads_no_more_because_others_spoke_with_the_same_agent() -> None:
    def rows_for_a_context(others: int) -> int:
        store = RowCounter()
        memory = world.memory(store=store, clock=world.SteppingClock())
        memory.agent("shared", user="tuff").remember("I grow beans")
        for n in range(others):
            memory.agent("shared", user=f"user-{n}").remember(f"I grow kale in garden {n}")
        tuff = memory.agent("shared", user="tuff")
        tuff.context("What do I grow?")  # what is derived once is there
        before = store.rows_read
        assert "beans" in tuff.context("What do I grow now?").text
        return store.rows_read - before

    assert rows_for_a_context(others=60) == rows_for_a_context(others=2)
