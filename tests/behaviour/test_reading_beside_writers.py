"""Whoever reads waits for nobody who writes, and still sees everything that was written before."""

from pathlib import Path
from threading import Thread

import muniment
from muniment.engine.api.memory import Memory
from muniment.engine.audit import replay
from muniment.engine.session.stream_hub import StreamHub

PATIENCE = 30  # seconds: an answer takes milliseconds, and waiting for a turn lasts for ever


def stream_of(memory: Memory) -> tuple[StreamHub, str]:
    writer = memory.agent("ada", user="tuff")._session.writer
    return memory._hub, writer.stream.ref


def test_a_read_is_answered_while_another_process_has_its_turn_to_write(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "memory") as reading, muniment.open(tmp_path / "memory") as other:
        ada = reading.agent("ada", user="tuff")
        ada.remember("the ferry leaves at nine")
        ada.recall("ferry")
        hub, ref = stream_of(other)
        answers: list[str] = []
        with hub.parts.store.write_lock(ref):
            asking = Thread(
                target=lambda: answers.extend(hit.text for hit in ada.recall("which ferry?").hits),
                daemon=True,
            )
            asking.start()
            asking.join(PATIENCE)

            assert answers == ["the ferry leaves at nine"]


def test_what_another_process_has_written_is_seen_by_the_next_read(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "memory") as one, muniment.open(tmp_path / "memory") as other:
        ada, same = one.agent("ada", user="tuff"), other.agent("ada", user="tuff")
        for hour in range(1, 6):
            teller, asked = (ada, same) if hour % 2 else (same, ada)
            teller.remember(f"ferry number {hour} is on time")

            found = asked.recall("ferry number on time", limit=10).hits

            assert len(found) == hour
            assert ada.seq == same.seq


def test_what_is_proved_of_a_moment_stays_while_others_write(tmp_path: Path) -> None:
    """A row that somebody ends meanwhile was alive at that moment, and is no divergence."""
    with muniment.open(tmp_path / "memory") as one, muniment.open(tmp_path / "memory") as other:
        told = [one.agent("ada", user="tuff").remember(f"ferry number {n}") for n in range(5)]
        hub, _ = stream_of(one)
        writer = one.agent("ada", user="tuff")._session.writer
        desk = writer.desk
        before = replay.projections_digest(hub.parts.store, writer.stream, desk)

        other.agent("ada", user="tuff").forget(told[0].episodic_id)

        assert replay.projections_digest(hub.parts.store, writer.stream, desk) == before
        assert one.prove()
