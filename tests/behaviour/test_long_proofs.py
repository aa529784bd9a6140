"""A proof of a long log: it says how far it is until its end, and rows alike cost no more."""

from collections.abc import Sequence

import pytest
from tests.world import memory

from muniment.engine.audit import lookup_check
from muniment.engine.audit.stage_progress import COMPARING
from muniment.layers.shelves import Stream
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Birth, Find
from muniment.model.errors import DerivedError
from muniment.model.scope import agent_stream

ALIKE = 1_000  # rows that are looked up by the same key
STREAM = Stream(id=agent_stream("main", "ada"), ref="a" * 32, key=b"k" * 32)


class Asked(ScratchStore):
    """A store that finds what it is told to find, and counts the searches."""

    def __init__(self, births: Sequence[Birth]) -> None:
        super().__init__()
        self.searches, self._births = 0, births

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        assert stream == STREAM.ref
        self.searches += len(finds)
        return [self._found(find) for find in finds]

    def _found(self, find: Find) -> list[int]:
        seqs = [
            each.seq
            for each in self._births
            if each.seq <= find.at
            and (each.id_token == find.id_token or not find.id_token)
            and (each.key_token == find.key_token or not find.key_token)
        ]
        return sorted(seqs, reverse=True)[: find.limit]


def row(seq: int, n: int = 0, key: bytes = b"key") -> Birth:
    return Birth(shelf="sayings", n=n, seq=seq, id_token=b"", key_token=key)


def test_rows_that_share_a_key_are_looked_up_together() -> None:
    alike = [row(seq) for seq in range(1, ALIKE + 1)]
    store, told = Asked(alike), list[int]()

    lookup_check.found_by_tokens(store, STREAM, alike, told.append)

    assert store.searches == -(-ALIKE // lookup_check.ROWS_MAX)
    assert sum(told) == ALIKE


def test_rows_of_one_entry_are_found_however_many_they_are() -> None:
    several = [row(seq, n) for seq in (3, 7, 9) for n in range(lookup_check.ROWS_MAX - 50)]
    many = [row(11, n, b"another") for n in range(lookup_check.ROWS_MAX * 2)]

    lookup_check.found_by_tokens(Asked([*several, *many]), STREAM, [*several, *many], print)


@pytest.mark.parametrize("lost", [1, ALIKE // 2, ALIKE])
def test_one_row_of_many_that_is_not_found_by_its_key_is_told(lost: int) -> None:
    alike = [row(seq) for seq in range(1, ALIKE + 1)]
    store = Asked([each for each in alike if each.seq != lost])

    with pytest.raises(DerivedError, match="not found by its token"):
        lookup_check.found_by_tokens(store, STREAM, alike, lambda _: None)


def test_a_proof_and_a_rebuild_say_how_far_they_are_until_the_last_entry() -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    for n in range(20):
        ada.remember(f"On day {n} I visited the town of number {n * 7}")
    (stream,) = [each for each in world.streams() if each.owner == "ada"]
    proved, rebuilt = list[int](), list[int]()

    entries = world.prove_stream(stream, progress=proved.append).entries
    world.rebuild_stream(stream, progress=rebuilt.append)

    for told in (proved, rebuilt):
        compared = {each for each in told if each > entries - entries // COMPARING}
        assert told == sorted(told)
        assert told[-1] == entries
        assert len(compared) > 1
