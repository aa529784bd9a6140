"""One history on every store: the same bytes, the same rankings, the same projections."""

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests import world
from tests.histories import PERSONAS, SENTENCES, TENANTS, VERBS, Play, Step
from tests.postgres import NewStore

from muniment.adapters.storage.sqlite import SqliteStore
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Store

STEPS = 120
STRIDES = (1, 5, 7)  # without a common divisor with the number of verbs: every verb has its day

Told = dict[str, object]


def history(stride: int) -> list[Step]:
    return [
        Step(
            tenant=n // 3 % len(TENANTS),
            persona=n // 7 % len(PERSONAS),
            verb=VERBS[n * stride % len(VERBS)],
            n=n * stride % 7,
        )
        for n in range(STEPS)
    ]


def told(store: Store, stride: int) -> Told:
    """All that a history leaves behind, as bytes."""
    played = Play(store, world.CountedKeyring()).run(history(stride))
    found: Told = {}
    for tenant, memory in played.memories.items():
        inside = world.hub(memory)
        for stream in memory.streams():
            entries = list(store.read(inside.stream(stream).ref))
            found[f"{tenant} {stream.text} log"] = msgspec.msgpack.encode(entries)
        for asked in SENTENCES[:-1]:
            bundle = memory.agent("ada", user="tuff").recall(asked)
            found[f"{tenant} ranking {asked}"] = msgspec.json.encode(bundle)
        found[f"{tenant} proofs"] = [msgspec.json.encode(proof) for proof in memory.prove()]
        found[f"{tenant} rebuilt"] = memory.rebuild()
    return found


@pytest.mark.parametrize("stride", STRIDES)
def test_every_store_gives_the_same_bytes_rankings_and_projections(
    stride: int, tmp_path: Path, new_postgres_store: NewStore
) -> None:
    makers: list[Callable[[], Store]] = [
        ScratchStore,
        lambda: SqliteStore(tmp_path, ballast_bytes=0),
        new_postgres_store,
    ]
    stores = [make() for make in makers]
    plain, *others = [told(store, stride) for store in stores]
    for other in others:
        assert other.keys() == plain.keys()
        for name, value in plain.items():
            assert other[name] == value, name
    for store in stores:
        store.close()
