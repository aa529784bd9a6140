"""Every store shows open episodes alike: they live, end and go with what they are twins of."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import msgspec
import pytest
from tests.conformance.streams import (
    ALICE,
    BOB,
    OTHER,
    START,
    STREAM,
    batch,
    birth,
    death,
    everything,
)
from tests.postgres import NewStore

from muniment.adapters.storage.memory_store import InMemoryStore
from muniment.adapters.storage.sqlite import SqliteStore
from muniment.log.store import EPISODES, Birth, Derived, OpenEpisode, Store
from muniment.model.errors import HeadMovedError, InputError


class ShowingStore(Store, Protocol):
    def episodes(self, stream: str) -> list[OpenEpisode]: ...


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ShowingStore]:
    def on_server() -> ShowingStore:
        new: NewStore = request.getfixturevalue("new_postgres_store")
        return new()

    makers: dict[str, Callable[[], ShowingStore]] = {
        "memory": InMemoryStore,
        "sqlite": lambda: SqliteStore(tmp_path, ballast_bytes=0),
        "postgres": on_server,
    }
    made = makers[request.param]()
    yield made
    made.close()


def episode(seq: int, n: int = 0, *, subject: str = ALICE, name: str = "") -> OpenEpisode:
    return OpenEpisode(
        seq=seq,
        n=n,
        subject=subject,
        episodic_id=name or f"ep:{seq}:{n}",
        job_seed="seed",
        created_seeded_ts=f"2027-01-01T00:00:00.{seq:03d}Z",
        summary=f'naïve "{seq}" 東京 🗼 \\ {{}},',
        payload=b'{"n":%d,"part":2.5,"text":"say \\"hi\\"\\n"}' % seq,
        evidence=b'[{"note":"seen"}]',
        provenance=b'{"trace_id":"t"}',
        tokens=('"quoted"', "a,b", "naïve", "null", "{}"),
    )


def born(seq: int, n: int = 0) -> Birth:
    return birth(seq, n, shelf=EPISODES, id_=b"%d:%d" % (seq, n), key=b"job")


def write(store: Store, *episodes: OpenEpisode, stream: str = STREAM) -> None:
    head = store.head(stream) or START
    last = max(its.seq for its in episodes)
    told = batch(head.seq + 1, last - head.seq, *(born(its.seq, its.n) for its in episodes))
    store.append(stream, msgspec.structs.replace(told, episodes=episodes), expect=head)


def shown(store: ShowingStore, stream: str = STREAM) -> list[OpenEpisode]:
    """With their JSON read: a server may spell it anew."""
    return [parsed(its) for its in store.episodes(stream)]


def parsed(its: OpenEpisode) -> OpenEpisode:
    return msgspec.structs.replace(
        its,
        **{
            name: msgspec.json.encode(msgspec.json.decode(getattr(its, name)), order="sorted")
            for name in ("payload", "evidence", "provenance")
        },
    )


def test_what_is_shown_is_read_back_as_it_was(store: ShowingStore) -> None:
    write(store, episode(1), episode(3, subject=BOB))
    assert shown(store) == [parsed(episode(1)), parsed(episode(3, subject=BOB))]
    assert store.episodes(OTHER) == []


def test_a_batch_that_is_refused_shows_nothing(store: ShowingStore) -> None:
    write(store, episode(1))
    with pytest.raises(HeadMovedError):
        store.append(
            STREAM, msgspec.structs.replace(batch(1), episodes=(episode(1),)), expect=START
        )
    assert shown(store) == [parsed(episode(1))]


def test_an_episode_ends_with_its_row(store: ShowingStore) -> None:
    write(store, episode(1), episode(2))
    head = store.head(STREAM)
    assert head is not None
    store.append(STREAM, batch(3, 1, death(3, shelf=EPISODES, id_=b"1:0")), expect=head)
    assert shown(store) == [parsed(episode(2))]


def test_of_several_episodes_in_one_entry_each_ends_alone(store: ShowingStore) -> None:
    write(store, episode(1, 1), episode(1, 2), episode(1, 3))
    head = store.head(STREAM)
    assert head is not None
    store.append(STREAM, batch(2, 1, death(2, shelf=EPISODES, id_=b"1:2")), expect=head)
    assert shown(store) == [parsed(episode(1, 1)), parsed(episode(1, 3))]


def test_an_episode_may_end_in_the_batch_it_is_born_in(store: ShowingStore) -> None:
    told = batch(1, 3, born(1), born(2), death(3, shelf=EPISODES, id_=b"1:0"))
    both = (episode(1), episode(2))
    store.append(STREAM, msgspec.structs.replace(told, episodes=both), expect=START)
    assert shown(store) == [parsed(episode(2))]


def test_the_end_of_another_shelfs_row_takes_no_episode_along(store: ShowingStore) -> None:
    write(store, episode(1))
    head = store.head(STREAM)
    assert head is not None
    store.append(STREAM, batch(2, 1, death(2, shelf="facts", id_=b"1:0")), expect=head)
    assert shown(store) == [parsed(episode(1))]


def test_shredding_takes_the_episodes_of_one_subject_in_one_stream(store: ShowingStore) -> None:
    write(store, episode(1), episode(2, subject=BOB))
    write(store, episode(1, name="ep:other"), stream=OTHER)
    store.shred(STREAM, ALICE)
    assert shown(store) == [parsed(episode(2, subject=BOB))]
    assert shown(store, OTHER) == [parsed(episode(1, name="ep:other"))]


def test_a_reset_clears_and_shelving_shows_the_living_again(store: ShowingStore) -> None:
    told = (born(1), born(2), death(3, shelf=EPISODES, id_=b"1:0"))
    both = (episode(1), episode(2))
    store.append(STREAM, msgspec.structs.replace(batch(1, 3, *told), episodes=both), expect=START)
    store.reset(STREAM)
    assert shown(store) == []
    store.shelve(STREAM, Derived(changes=told, episodes=both), upto=3)
    assert shown(store) == [parsed(episode(2))]


WRONG: list[Callable[[], tuple[OpenEpisode, ...]]] = [
    lambda: (episode(9),),
    lambda: (episode(0),),
    lambda: (episode(1), episode(1, name="ep:2:0")),
    lambda: (episode(1), episode(2, name="ep:1:0")),
]


@pytest.mark.parametrize("wrong", WRONG)
def test_an_episode_of_no_entry_or_of_two_is_refused(
    store: ShowingStore, wrong: Callable[[], tuple[OpenEpisode, ...]]
) -> None:
    before = everything(store)
    with pytest.raises(InputError):
        store.append(STREAM, msgspec.structs.replace(batch(1, 2), episodes=wrong()), expect=START)
    with pytest.raises(InputError):
        store.shelve(STREAM, Derived(episodes=wrong()), upto=0)
    assert everything(store) == before
    assert store.streams() == []


def test_a_shredded_text_is_in_no_byte_of_the_file(tmp_path: Path) -> None:
    """Rows and words move between pages as others go: copies stay behind unless looked for."""
    store = SqliteStore(tmp_path, ballast_bytes=0)
    animals = [(f"{n:032x}", name) for n, name in enumerate(("zebra", "heron", "otter", "raven"))]
    for seq in range(1, 401):
        subject, name = animals[seq * seq * 7 % 4 if seq % 3 else seq % 4]
        words = tuple(sorted(f"{name}{seq * 7919 % 1000}x{k}" for k in range(seq % 17)))
        told = episode(seq, subject=subject)
        text = " ".join(words) * (1 + seq % 9)
        write(store, msgspec.structs.replace(told, summary=text, tokens=words))
    for subject, name in reversed(animals):
        store.shred(STREAM, subject)
        held = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert name.encode() not in held
    store.close()
