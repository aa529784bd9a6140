"""The same everywhere: one log has one answer, whatever keeps it, reads it or computes it.

Random memories are built in a store of each kind and read in every way there is: at once or bit
by bit, by one thread or two, in this process or in others with other hash seeds. Every receipt
must be equal, byte for byte.
"""

import hashlib
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random  # noqa: TID251 - what is drawn follows from the seed

import msgspec
import pytest
from tests.postgres import NewStore
from tests.world import CountedKeyring, SteppingClock, memory

import muniment
from muniment.adapters.storage.memory_store import InMemoryStore
from muniment.adapters.storage.sqlite.store import SqliteStore
from muniment.engine.api.memory import Memory
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Store
from muniment.retrieval.index import segments
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.index.hashing_embedder import HashingEmbedder
from muniment.retrieval.ranking.query import Query, analyse
from muniment.retrieval.ranking.ranker import rank
from muniment.retrieval.ranking.weights import STATIC

CORPORA = 1_000 if os.getenv("MUNIMENT_LAWS") else 12
ON_DISK = CORPORA // 4 or 1
PROCESSES = CORPORA // 100 or 1
WORDS = re.findall(
    r"\S+",
    "tea cake jam train ferry Lisbon Porto garden piano river report Anna Ben cat dog blue red "
    "yesterday March Monday not never 12 14 2026 running runs house café naïve 東京 été",
)
BLOCK = 16


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "BLOCK", BLOCK)


def sentence(draw: Random) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(draw.randint(1, 9)))


def fill(of: Memory, seed: int, *, reading: bool = False) -> None:
    """A memory that follows from its seed: told one by one or together, forgotten, conversed."""
    draw = Random(seed)  # noqa: S311
    ada = of.agent("ada", user="tuff")
    told: list[str] = []
    for _ in range(draw.randint(1, 14)):
        match draw.randint(0, 5):
            case 0:
                ada.remember_many(sentence(draw) for _ in range(draw.randint(1, 12)))
            case 1:
                ada.conversation(session="s").record(user=sentence(draw), ai=sentence(draw))
            case 2:
                with ada.do(sentence(draw)) as loop:
                    loop.observe_event("actor_output", sentence(draw))
            case 3 if told:
                ada.forget(told.pop(draw.randrange(len(told))))
            case 4:
                origin = draw.choice(["external", "tool", "agent"])
                ada.remember(sentence(draw), origin=origin, source=draw.choice(WORDS))
            case _:
                told.append(ada.remember(sentence(draw)).episodic_id)
        if reading:
            # Somebody looks on; they note nothing, so the log stays what it would have been.
            ada._session.index().view(ada.seq)


def questions(seed: int) -> list[str]:
    draw = Random(f"questions {seed}")  # noqa: S311
    return [sentence(draw) for _ in range(3)]


def answers(of: Memory, seed: int) -> bytes:
    """Everything that a reader is told, at the end and at an entry of the past."""
    ada = of.agent("ada", user="tuff")
    found = [
        ada.recall(question, at=at, explain=True)
        for question in questions(seed)
        for at in (ada.seq, ada.seq // 2)
    ]
    return msgspec.json.encode(found)


def play(
    store: Store, seed: int, *, reading: bool = False, keys: CountedKeyring | None = None
) -> bytes:
    keyring = keys or CountedKeyring(b"law")
    of = memory(store=store, keyring=keyring, clock=SteppingClock())
    fill(of, seed, reading=reading)
    return answers(of, seed)


def opened_again(store: Store, seed: int, keys: CountedKeyring) -> bytes:
    """By somebody who has nothing but store and keys: from segments and the tail of the log."""
    of = memory(store=store, keyring=keys, clock=SteppingClock())
    of.agent("ada", user="tuff")
    return answers(of, seed)


@pytest.mark.parametrize("part", range(4))
def test_bit_by_bit_or_at_once_from_memory_or_from_segments(part: int) -> None:
    for seed in range(part, CORPORA, 4):
        store, keys = ScratchStore(), CountedKeyring(b"law")
        told = play(store, seed, keys=keys)
        assert opened_again(store, seed, keys) == told, seed
        assert play(ScratchStore(), seed, reading=True) == told, seed


def test_the_order_of_arrival_decides_nothing() -> None:
    embedder = HashingEmbedder()
    for seed in range(CORPORA):
        draw = Random(seed)  # noqa: S311
        documents = [
            Document(
                id=f"d{n}",
                seq=n,
                ts=f"2026-0{draw.randint(1, 3)}-05T10:00:00.000Z",
                text=(text := sentence(draw)),
                vectors=(embedder.embed(text),),
            )
            for n in range(draw.randint(2, 60))
        ]
        asked = [
            analyse(question).with_vector(embedder.embed(question)) for question in questions(seed)
        ]
        told = [ranked(documents, each) for each in asked]
        draw.shuffle(documents)
        assert [ranked(documents, each) for each in asked] == told, seed


def ranked(documents: list[Document], asked: Query) -> list[tuple[str, int]]:
    collection = Collection.build(documents, HashingEmbedder.dims)
    ranking = rank(collection, asked, STATIC)
    names = map(collection.id_of, ranking.order.tolist())
    return list(zip(names, ranking.scores_ppm.tolist(), strict=True))


def test_two_threads_are_told_what_one_is() -> None:
    for seed in range(ON_DISK):
        told = play(InMemoryStore(), seed)
        store = InMemoryStore()
        of = memory(store=store, keyring=CountedKeyring(b"law"), clock=SteppingClock())
        fill(of, seed)
        with ThreadPoolExecutor(2) as pool:
            assert set(pool.map(partial(answers, of), [seed] * 4)) == {told}, seed


def test_a_file_tells_what_memory_tells(tmp_path: Path) -> None:
    for seed in range(ON_DISK):
        store, keys = SqliteStore(tmp_path / str(seed)), CountedKeyring(b"law")
        told = play(ScratchStore(), seed)
        assert play(store, seed, keys=keys) == told, seed
        assert opened_again(store, seed, keys) == told, seed
        store.close()


def test_a_server_tells_what_memory_tells(new_postgres_store: NewStore) -> None:
    for seed in range(min(ON_DISK, 20)):
        assert play(new_postgres_store(), seed) == play(ScratchStore(), seed), seed


def test_other_processes_with_other_hash_seeds_and_threads_say_the_same() -> None:
    for seed in range(PROCESSES):
        told = hashlib.sha256(play(ScratchStore(), seed)).hexdigest()
        for hash_seed, threads in (("1", "1"), ("4242", "2")):
            env = {
                "PYTHONHASHSEED": hash_seed,
                "OPENBLAS_NUM_THREADS": threads,
                "OMP_NUM_THREADS": threads,
                "PATH": os.getenv("PATH", ""),
                "PYTHONPATH": str(Path(muniment.__file__).parents[1]),
            }
            code = (
                "import hashlib; from tests.laws import test_same_everywhere as law; "
                "from muniment.retrieval.index import segments; segments.BLOCK = law.BLOCK; "
                f"print(hashlib.sha256(law.play(law.ScratchStore(), {seed})).hexdigest())"
            )
            run = subprocess.run(
                [sys.executable, "-c", code],
                env=env,
                cwd=Path(__file__).parents[2],
                capture_output=True,
                text=True,
                check=True,
            )
            assert run.stdout.strip() == told, seed
