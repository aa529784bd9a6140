"""Laws of every history: it proves, it rebuilds, its past can be read, its ids are its own."""

import hashlib
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world
from tests.histories import Play, Step, histories
from tests.soaking import times

from muniment.engine.audit import replay
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import desk as desks
from muniment.layers import shelves
from muniment.layers.desk import Desk
from muniment.layers.shelves import Shelves
from muniment.log import chain
from muniment.log.entry import Entry, Line, genesis
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch, Store
from muniment.model import canonical_json
from muniment.model.events import EpisodeWritten

RUNS = times(100, soak=1_000)  # the law is stated for a thousand histories


def play(history: list[Step]) -> Play:
    return Play(ScratchStore(), world.CountedKeyring()).run(history)


def fingerprint(played: Play) -> str:
    """One hash over every byte of every log."""
    state = hashlib.sha256()
    for stream, lines in sorted(played.logs().items(), key=lambda each: each[0].text):
        state.update(stream.text.encode())
        for line in lines:
            state.update(line.hash)
    return state.hexdigest()


def named(lines: list[Line]) -> list[str]:
    episodes = [e.event.episodic_id for e in lines if isinstance(e.event, EpisodeWritten)]
    return [line.header.id for line in lines] + episodes


@pytest.mark.covers("A-002", "A-008", "A-107", "A-111")
@settings(max_examples=RUNS)
@given(histories)
def test_every_history_proves_and_rebuilds_to_the_same_bytes_and_no_two_share_an_id(
    history: list[Step],
) -> None:
    """The same seeds are used in all four places, and every entry and episode has its own name."""
    played = play(history)

    names = [name for lines in played.logs().values() for name in named(lines)]
    assert len(names) == len(set(names))
    for memory in played.memories.values():
        proofs = {proof.stream: proof.projections for proof in memory.prove()}
        assert memory.rebuild() == proofs


@settings(max_examples=RUNS // 4)
@given(histories, st.data())
def test_a_read_at_a_past_entry_equals_a_fold_of_the_prefix(
    history: list[Step], data: st.DataObject
) -> None:
    played = play(history)
    for memory in played.memories.values():
        for stream_id in memory.streams():
            inside = world.hub(memory)
            writer = inside.writer(stream_id)
            at = data.draw(st.integers(0, writer.head.seq), label=stream_id.text)
            prefix = prefix_of(inside.parts.store, writer, at)
            then = Shelves(prefix, writer.stream, inside.parts.world.keyring, at)
            for shelf in replay.SHELVES:
                now = writer.shelves(at).newest(shelf)
                assert [line.hash for line in now] == [each.hash for each in then.newest(shelf)]


@settings(max_examples=RUNS // 4)
@given(histories, st.data())
def test_a_fold_does_not_depend_on_where_the_log_is_cut(
    history: list[Step], data: st.DataObject
) -> None:
    for lines in play(history).logs().values():
        whole = desks.fold(Desk(), lines)
        one_by_one = Desk()
        for line in lines:
            one_by_one = desks.fold(one_by_one, [line])
        assert desks.encode(one_by_one) == desks.encode(whole)
        cuts = sorted(data.draw(st.sets(st.integers(1, len(lines)), max_size=5)))
        pieces = Desk()
        for start, end in zip([0, *cuts], [*cuts, len(lines)], strict=True):
            pieces = desks.fold(pieces, lines[start:end])
        assert desks.encode(pieces) == desks.encode(whole)
        assert desks.encode(desks.thorough(Desk(), lines)) == desks.encode(whole)
        assert desks.encode(desks.fold(Desk(), [closed(line) for line in lines])) == (
            desks.encode(whole)
        )
        assert desks.decode(desks.encode(whole)) == whole


def closed(line: Line) -> Line:
    """What a writer that catches up sees of an entry that the desk does not hear."""
    if line.header.type not in desks.QUIET:
        return line
    entry = Entry(seq=line.seq, hash=line.hash, header=canonical_json.encode(line.header))
    return chain.glimpse(entry)


def prefix_of(store: Store, writer: Writer, upto: int) -> ScratchStore:
    """A store that never knew more than the first entries of a stream."""
    target = ScratchStore()
    ref = writer.stream.ref
    entries = tuple(store.read(ref, upto=upto))
    if entries:
        lines = list(writer.lines(upto=upto))
        changes = tuple(each for line in lines for each in shelves.changes(writer.stream, line))
        target.append(ref, Batch(entries=entries, changes=changes), expect=genesis(ref))
    return target


FIXED = [
    Step(tenant=n % 2, persona=n % 3 % 2, verb=verb, n=n)
    for n, verb in enumerate(
        [
            "remember",
            "open",
            "insert",
            "reference",
            "reference",
            "tick",
            "recall",
            "write",
            "request",
            "approve",
            "commit",
        ]
        * 4
    )
]


@pytest.mark.covers("A-132")
def test_equal_runs_give_equal_hashes_in_processes_with_other_hash_seeds() -> None:
    here = fingerprint(play(FIXED))
    code = (
        "from tests.laws.test_histories import FIXED, fingerprint, play;"
        "print(fingerprint(play(FIXED)))"
    )
    for seed in ("0", "1", "4242"):
        told = subprocess.run(
            ["env", f"PYTHONHASHSEED={seed}", sys.executable, "-c", code],
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout.strip() == here


def test_the_fixed_history_is_not_empty() -> None:
    logs = play(FIXED).logs()

    assert sum(len(lines) for lines in logs.values()) > 100
    assert len(logs) >= 5
