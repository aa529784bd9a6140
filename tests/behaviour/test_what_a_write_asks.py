"""What one durable sentence asks of the store: on a server each question is a journey."""

from collections import Counter
from collections.abc import Iterator, Sequence

from tests import world

from muniment.log.entry import Entry, Head
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch, Find, ShelfRow


class Asked(ScratchStore):
    """Counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.count: Counter[str] = Counter()

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        self.count["append"] += 1
        super().append(stream, batch, expect=expect)

    def head(self, stream: str) -> Head | None:
        self.count["head"] += 1
        return super().head(stream)

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        self.count["read"] += 1
        return super().read(stream, after=after, upto=upto, limit=limit)

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        self.count["pick"] += 1
        return super().pick(stream, seqs)

    def find(self, stream: str, operation: str) -> int | None:
        self.count["find"] += 1
        return super().find(stream, operation)

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        self.count["rows"] += 1
        return super().rows(stream, find)

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        self.count["births"] += 1
        return super().births(stream, finds)


def test_a_sentence_after_others_is_looked_for_once_and_appended_once() -> None:
    store = Asked()
    ada = world.memory(store=store).agent("ada", user="tuff")
    for n in range(5):
        ada.remember(f"The kettle number {n} is green")
    store.count.clear()
    ada.remember("The garden has a new fence")
    assert store.count == {"births": 1, "append": 1}


def test_a_sentence_said_many_times_before_asks_of_all_of_them_at_once() -> None:
    store = Asked()
    ada = world.memory(store=store).agent("ada", user="tuff")
    for _ in range(5):
        ada.remember("The kettle is green")
    store.count.clear()
    ada.remember("The kettle is green")
    assert store.count == {"births": 2, "append": 1}
