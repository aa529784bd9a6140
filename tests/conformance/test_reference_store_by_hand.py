"""The reference store by hand: its refusals in words, its picks, and its open episodes."""

import pytest
from tests.conformance.streams import ALICE, BOB, START, STREAM, batch, birth, death, entry, grow

from muniment.log.reference_store import ScratchStore
from muniment.log.store import EPISODES, Batch, Derived, OpenEpisode
from muniment.model.errors import InputError, KeyReusedError, StoreError


def test_a_closed_store_says_so() -> None:
    store = ScratchStore()
    store.close()

    with pytest.raises(StoreError) as refused:
        store.streams()

    assert refused.value.detail == "the store is closed"


def test_an_operation_that_is_known_is_refused_in_words() -> None:
    store = ScratchStore()
    head = grow(store, operation="asked")

    with pytest.raises(KeyReusedError) as refused:
        store.append(STREAM, batch(2, operation="asked"), expect=head)

    assert refused.value.detail == "an operation key of this batch is already in the log"


def test_a_row_that_begins_where_one_does_is_refused_in_words() -> None:
    with pytest.raises(InputError) as refused:
        grow(ScratchStore(), 1, birth(1), birth(1))

    assert refused.value.detail == "two rows of a shelf cannot begin at the same position"


def test_the_first_and_the_last_entry_are_picked_as_any_other() -> None:
    store = ScratchStore()
    grow(store, 3)

    assert store.pick(STREAM, [3, 0, 1, 4, 3, -1]) == [entry(1), entry(3)]


# ── Open episodes ───────────────────────────────────────────────────────────────────────────────


def episode(seq: int, n: int = 0, subject: str = ALICE) -> OpenEpisode:
    return OpenEpisode(
        seq=seq,
        n=n,
        subject=subject,
        episodic_id=f"ep:{seq}:{n}",
        job_seed="",
        created_seeded_ts="",
        summary="",
        payload=b"",
        evidence=b"",
        provenance=b"",
        tokens=(),
    )


ONE, TWO, THREE = episode(1), episode(1, 1, BOB), episode(2)


def shown() -> ScratchStore:
    """A store that was told of the newest episode first."""
    store = ScratchStore()
    rows = [
        birth(each.seq, each.n, shelf=EPISODES, id_=each.episodic_id.encode())
        for each in (ONE, TWO, THREE)
    ]
    told = batch(1, 2, *rows)
    store.append(
        STREAM,
        Batch(entries=told.entries, changes=told.changes, episodes=(THREE, TWO, ONE)),
        expect=START,
    )
    return store


def test_open_episodes_are_told_oldest_first_until_they_end() -> None:
    store = shown()

    assert store.episodes(STREAM) == [ONE, TWO, THREE]
    grow(store, 1, death(3, shelf=EPISODES, id_=b"ep:1:1"))
    assert store.episodes(STREAM) == [ONE, THREE]
    assert store.episodes("f" * 32) == []


def test_open_episodes_go_with_the_person_they_are_about() -> None:
    store = shown()

    store.shred(STREAM, BOB)

    assert store.episodes(STREAM) == [ONE, THREE]


def test_an_open_episode_without_a_row_is_told_too() -> None:
    store = shown()

    store.shelve(STREAM, Derived(episodes=(TWO,)), upto=2)

    assert store.episodes(STREAM) == [TWO]
