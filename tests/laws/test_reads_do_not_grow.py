"""What a read costs follows from what it answers, not from how much there is."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from tests.behaviour.test_every_read_of_then import OF_A_DAY, READS, Lived

from muniment.log.entry import Entry
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Find, ShelfRow

FEW, MANY = 40, 400
GROWTH_MAX = 3  # where there is ten times as much
SPARE = 20  # entries and rows, for reads that touch next to nothing

# Who lists everything reads everything; each says what is listed.
LISTS = {
    "Documents.within": "every document",
    "Documents.namespaces": "the namespace of every document",
    "Reader.episodic_query": "overlap over length looks at every summary; `window_n` bounds it",
    "SubconsciousMemoryView.loops": "the loops of every persona",
    "SubconsciousMemoryView.fuzzy_query": "the loops of every persona",
    "Summaries.summary": "every text that no model has worded",
}


class ReadCounter(ScratchStore):
    """A store that knows how many entries and rows it has given out."""

    given = 0

    def read(self, *given: Any, **more: Any) -> Iterator[Entry]:  # noqa: ANN401
        return self._counted(super().read(*given, **more))

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        return list(self._counted(iter(super().pick(stream, seqs))))

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        return self._counted(super().rows(stream, find))

    def _counted(self, found: Iterator[Any]) -> Iterator[Any]:
        for each in found:
            self.given += 1
            yield each


@cache
def lived(more: int) -> tuple[Lived, ReadCounter]:
    """The same two months, and beside them so much of everything else."""
    store = ReadCounter()
    it = Lived(store)
    documents = it.ada.documents()
    it.ada.remember_many([f"Guest {n} came at {n} and left a parcel" for n in range(more)])
    for n in range(more // 10):
        it.ada.remember(f"My friend Ulla{n} works at Works {n}")
        it.ada.conversation(session=f"other-{n % 5}").record(user=f"I saw bird number {n}")
        documents.put(["shelf", f"board-{n % 5}"], f"leaf-{n}", f"leaf {n}")
        it.ada.memorize({"type": "observation", "text": f"tram {n} was late"}, store="EM")
        with it.ada.do(f"weigh parcel {n}") as loop:
            loop.tool_result(loop.tool_call("weigh", {"parcel": n}), f"{n} pounds")
            loop.answer(f"parcel {n} has {n} pounds")
    it.ada.flush()
    return it, store


def _given(name: str, more: int) -> int:
    it, store = lived(more)
    read = (READS | OF_A_DAY)[name]
    read(it, {})  # what is derived once is there
    it.ada.flush()
    read(it, {})
    before = store.given
    read(it, {})
    return store.given - before


@pytest.mark.parametrize("name", sorted((READS | OF_A_DAY).keys() - LISTS.keys()))
def test_ten_times_as_much_is_not_ten_times_the_work(name: str) -> None:
    few, many = _given(name, FEW), _given(name, MANY)
    assert many <= GROWTH_MAX * few + SPARE, (few, many)


@pytest.mark.parametrize("name", sorted(LISTS))
def test_who_lists_everything_is_known_to_read_it(name: str) -> None:
    few, many = _given(name, FEW), _given(name, MANY)
    assert many > GROWTH_MAX * few + SPARE, f"it no longer grows ({few}, {many}): take it off"
