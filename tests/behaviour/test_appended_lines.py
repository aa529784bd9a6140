"""Appended lines: what was just written is indexed as it was written, and not read again."""

from collections.abc import Iterator

import pytest
from tests.conformance.streams import segments as kept_segments
from tests.world import CountedKeyring, hub, lines, memory

from muniment.engine.api.memory import Memory
from muniment.engine.projections.appended_lines import AppendedLines
from muniment.engine.projections.eager_index import ENOUGH
from muniment.log import chain
from muniment.log.entry import Entry
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Segment
from muniment.model.scope import agent_stream


def told(place: Memory) -> None:
    """Two people, one by one; one of them corrects and forgets something in between."""
    tuff, mira = place.agent("ada", user="tuff"), place.agent("ada", user="mira")
    for n in range(ENOUGH):
        kept = tuff.remember(f"the ferry to island {n} left on 3 March 2025")
        mira.remember(f"I like jam number {n}")
        if n == ENOUGH // 2:
            tuff.correct(kept.episodic_id, "the ferry to island 99 left at noon")
        if n == ENOUGH // 2 + 1:
            tuff.forget(kept.episodic_id)


def segments_of(place: Memory, store: ScratchStore, keys: CountedKeyring) -> list[list[Segment]]:
    stream = keys.ref("stream", agent_stream("main", "ada").text)
    name = hub(place).tools.embedder.name
    owners = [keys.ref("subject", f"main/user_{user}") for user in ("tuff", "mira")]
    return [kept_segments(store, stream, f"recall:{owner}:{name}") for owner in owners]


def test_segments_of_what_was_just_appended_are_those_of_what_is_read_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = []
    for held in (True, False):
        if not held:
            monkeypatch.setattr(AppendedLines, "about", lambda *_, **__: [])
        store, keys = ScratchStore(), CountedKeyring()
        place = memory(store=store, keyring=keys)
        told(place)
        made.append((segments_of(place, store, keys), lines(place)))

    assert made[0] == made[1]
    assert all(made[0][0])


def test_a_writer_that_is_alone_reads_nothing_back_to_index_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = memory()
    ada = place.agent("ada", user="tuff")
    spans: list[tuple[int, int]] = []
    told_before = chain.about

    def about(*whose: object, after: int, upto: int) -> Iterator[Entry]:
        spans.append((after, upto))
        return told_before(*whose, after=after, upto=upto)  # type: ignore[arg-type]

    for n in range(3 * ENOUGH):
        if n == ENOUGH:  # once what the log was born with is taken in
            monkeypatch.setattr(chain, "about", about)
        ada.remember(f"the ferry to island {n} left in March")
    assert not spans

    assert ada.recall("the ferry to island 7").hits


def test_lines_are_given_only_whole_only_of_their_readers_and_only_until_an_erasure() -> None:
    place = memory()
    for user in ("tuff", "mira", "tuff"):
        place.agent("ada", user=user).remember("I like jam")
    written = lines(place)
    upto = written[-1].seq
    mine = frozenset(part.subject for part in written[-1].header.parts)
    held = AppendedLines(b"1")
    held.put(written[2:])

    def seqs(generation: bytes = b"1", after: int = 2) -> list[int]:
        return [each.seq for each in held.about(mine, generation, after=after, upto=upto)]

    assert seqs() == [
        line.seq for line in written[2:] if {part.subject for part in line.header.parts} <= mine
    ]
    assert len(seqs()) < len(held.about(None, b"1", after=2, upto=upto))
    assert not seqs(generation=b"2")
    assert not seqs(after=1)


def test_state_that_is_forgotten_takes_the_lines_along() -> None:
    place = memory()
    place.agent("ada", user="tuff").remember("I like jam")
    inside = hub(place)
    assert len(inside.eager._appended) == 1

    inside.forget_state()

    assert not len(inside.eager._appended)
