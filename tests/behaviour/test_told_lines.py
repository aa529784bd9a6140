"""What a process has just told goes into its indexes as it lies there, and changes none of them."""

from collections.abc import Iterator

import pytest
from tests.conformance.streams import segments as kept_segments
from tests.world import CountedKeyring, hub, lines, memory

from muniment.engine.api.memory import Memory
from muniment.engine.projections import opened_lines
from muniment.engine.projections.opened_lines import ToldLines
from muniment.log import chain
from muniment.log.entry import Entry, Line, OpenedEntry
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Segment
from muniment.model.scope import agent_stream
from muniment.retrieval.index import segments

READERS = ("tuff", "mia")


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "BLOCK", 8)


class Watched(ScratchStore):
    """A store that counts the entries that are read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.entries = 0

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        for entry in super().read(stream, after=after, upto=upto, limit=limit):
            self.entries += 1
            yield entry


def live(of: Memory) -> None:
    """Much of what a log may hold: of two people, put right, forgotten, and long."""
    for n in range(90):
        who = of.agent("ada", user=READERS[n % 2])
        kept = who.remember(f"the train to town {n} was late on day {n}", speaker="Ann" * (n % 3))
        if n % 7 == 3:
            who.correct(kept.episodic_id, f"the train to town {n} was early")
        elif n % 11 == 5:
            who.forget(kept.episodic_id)
        if n % 13 == 6:
            who.memorize({"type": "observation", "text": f"the door of room {n} is open"})
        if n % 17 == 4:
            talk = who.conversation(session=f"talk {n}")
            talk.record(user=f"I live in town {n}", ai="I see")
        if n % 23 == 9:
            who.remember("a long letter " + " ".join(f"about matter {n} {m}" for m in range(400)))
        if n % 29 == 8:
            who.remember_many([f"note {m} of day {n}" for m in range(5)])


def kept(of: Memory, store: ScratchStore, keyring: CountedKeyring) -> dict[str, list[Segment]]:
    """What the indexes of both, and of whoever sees everything, keep in the store."""
    stream = keyring.ref("stream", agent_stream("main", "ada").text)
    owners = [keyring.ref("subject", f"main/user_{user}") for user in READERS]
    name = hub(of).tools.embedder.name
    return {
        each: kept_segments(store, stream, f"recall:{each}:{name}") for each in (*owners, stream)
    }


def told_by(of: Memory) -> tuple[ToldLines, str, list[Line]]:
    """What is at hand of the one log, its reference, and all of its lines."""
    stream = hub(of).stream(agent_stream("main", "ada")).ref
    return hub(of).indexes.told, stream, lines(of)


def at_hand(told: ToldLines, stream: str, upto: int) -> list[int]:
    """Which entries are given out without being read."""
    found = told.entries(stream, None, after=0, upto=upto)
    return [each.seq for each in found if isinstance(each, OpenedEntry)]


def test_an_index_of_what_was_just_told_is_the_one_that_is_read_in_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = []
    for hears in (True, False):
        if not hears:
            monkeypatch.setattr(ToldLines, "hear", lambda *_: None)
        store, keyring = ScratchStore(), CountedKeyring()
        of = memory(store=store, keyring=keyring)
        live(of)
        of.agent("ada").recall("train")
        made.append(kept(of, store, keyring))

    assert made[0] == made[1]
    assert all(made[0].values())


def test_what_was_just_told_is_not_read_back() -> None:
    store = Watched()
    ada = memory(store=store).agent("ada", user="tuff")
    for n in range(200):
        ada.remember(f"sentence number {n} of many")

    assert store.entries == 2  # those before the first sentence: the policy, which is long


def test_of_somebody_else_nothing_is_handed_out() -> None:
    of = memory()
    for n in range(6):
        of.agent("ada", user=READERS[n % 2]).remember(f"the train to town {n}")
    told, stream, log = told_by(of)
    mia = hub(of).parts.world.keyring.ref("subject", "main/user_mia")

    mine = frozenset({stream, mia})
    found = [each.seq for each in told.entries(stream, mine, after=0, upto=len(log))]

    read = chain.about(hub(of).parts.store, stream, mine, after=0, upto=len(log))
    assert found == [each.seq for each in read]
    assert 0 < len(found) < len(log)


def test_after_an_erasure_nothing_that_was_told_before_is_handed_out() -> None:
    of = memory()
    for user in READERS:
        of.agent("ada", user=user).remember(f"{user} likes trains")
    told, stream, log = told_by(of)
    assert at_hand(told, stream, len(log))

    request = of.eraser().request("tuff", reason="asked for it")
    of.council().approve(request)
    of.eraser().carry_out(request)

    assert at_hand(told, stream, len(lines(of))) == []
    of.agent("ada", user="mia").remember("mia likes ferries")
    new = [line.seq for line in lines(of, after=len(log)) if line.seq > len(log)]
    assert at_hand(told, stream, new[-1]) == [seq for seq in new if seq >= new[-2]]


def test_a_key_that_is_destroyed_takes_along_what_was_told_though_nothing_is_appended() -> None:
    of = memory()
    of.agent("ada", user="tuff").remember("tuff likes trains")
    told, stream, log = told_by(of)
    assert at_hand(told, stream, len(log))

    keyring = hub(of).parts.world.keyring
    keyring.destroy(keyring.ref("subject", "main/user_tuff"))
    assert at_hand(told, stream, len(log)) == []

    of.agent("ada", user="mia").remember("mia likes ferries")
    assert at_hand(told, stream, len(log) + 2) == [len(log) + 1, len(log) + 2]


def test_what_others_have_written_between_is_read_in_the_log() -> None:
    store, keyring = ScratchStore(), CountedKeyring()
    here, there = (memory(store=store, keyring=keyring) for _ in range(2))
    here.agent("ada", user="tuff").remember("the first")
    there.agent("ada", user="tuff").remember("the second")
    told, stream, log = told_by(here)
    assert at_hand(told, stream, len(log)) == []  # it does not reach so far

    here.agent("ada", user="tuff").remember("the third")

    told, stream, log = told_by(here)
    assert at_hand(told, stream, len(log)) == [len(log) - 1, len(log)]
    found = [each.seq for each in told.entries(stream, None, after=0, upto=len(log))]
    assert found == list(range(1, len(log) + 1))


def test_at_an_earlier_entry_it_is_what_had_been_told_by_then() -> None:
    of = memory()
    for n in range(4):
        of.agent("ada", user="tuff").remember(f"the train to town {n}")
    told, stream, log = told_by(of)

    assert at_hand(told, stream, len(log) - 3)[-1] == len(log) - 3


def test_little_is_held_of_each_log_and_nothing_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened_lines, "TOLD_MAX", 6)
    of = memory()
    ada = of.agent("ada", user="tuff")
    for n in range(9):
        ada.remember(f"the train to town {n}")
    told, stream, log = told_by(of)
    assert at_hand(told, stream, len(log)) == list(range(len(log) - 5, len(log) + 1))

    ada.remember("a long letter " + "about this and that " * 300)
    assert at_hand(told, stream, len(lines(of))) == []

    ada.remember("a short one")
    last = len(lines(of))
    assert at_hand(told, stream, last) == [last - 1, last]
