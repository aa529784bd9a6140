"""The index beside the log: whoever makes it, cut where numbers say, the same every time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.conformance.streams import segments as kept_segments
from tests.world import CountedKeyring, hub, memory

import muniment
from muniment.engine.api.memory import Memory
from muniment.engine.projections import index as indexes
from muniment.engine.projections.eager_index import ENOUGH
from muniment.engine.projections.index_storage import Looked
from muniment.engine.streams.parts import Tools
from muniment.engine.streams.ports import Neighbours
from muniment.log.entry import Entry
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Segment
from muniment.model.errors import MunimentError, StorageFullError, StoreError
from muniment.model.policy import Policy, RecallPolicy
from muniment.model.scope import agent_stream
from muniment.retrieval.index import segments
from muniment.retrieval.index.collection import Collection, Document
from muniment.retrieval.index.hashing_embedder import HashingEmbedder
from muniment.retrieval.index.segments import FAN, DocumentRange

BLOCK = 32  # small, so that a test needs few sentences
NOUNS = ("tea", "cake", "jam", "train", "ferry", "Lisbon", "garden", "piano", "river", "report")
QUESTIONS = ("tea in Lisbon", "the garden by the river", "which report?", "piano 17", "nothing")


SPOILT: Mapping[str, Callable[[bytes], bytes]] = {
    "numbers": lambda data: data[:100] + bytes([data[100] ^ 1]) + data[101:],
    "vectors": lambda data: data[:-100] + bytes([data[-100] ^ 1]) + data[-99:],
    "cut": lambda data: data[:-1],
    "cut short": lambda data: data[:7],
    "empty": lambda _: b"",
}


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "BLOCK", BLOCK)


def sentences(count: int, start: int = 0) -> list[str]:
    return [
        f"{NOUNS[n % 10]} and {NOUNS[n * 7 % 9]} by the {NOUNS[n // 3 % 10]} in room {n}"
        for n in range(start, start + count)
    ]


class Place:
    """A store and its keys, opened as often as a test likes."""

    def __init__(self) -> None:
        self.store = ScratchStore()
        self.keyring = CountedKeyring()

    def open(self, tools: Tools | None = None) -> Memory:
        return memory(store=self.store, keyring=self.keyring, tools=tools)

    def segments(self, user: str = "tuff") -> list[Segment]:
        stream = self.keyring.ref("stream", agent_stream("main", "ada").text)
        owner = self.keyring.ref("subject", f"main/user_{user}") if user else stream
        kind = f"recall:{owner}:{hub(self.open()).tools.embedder.name}"
        return kept_segments(self.store, stream, kind)

    def drop(self) -> None:
        """As if somebody had deleted every segment."""
        hub(self.open()).parts.store.reset(
            self.keyring.ref("stream", agent_stream("main", "ada").text)
        )
        self.open().rebuild()


def receipts(of: Memory, *, user: str = "tuff", at: int | None = None) -> list[object]:
    ada = of.agent("ada", user=user)
    return [
        msgspec.to_builtins(ada.recall(question, at=at, explain=True)) for question in QUESTIONS
    ]


class CountingEmbedder(HashingEmbedder):
    """Each text that an index takes in is embedded once."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []

    def embed(self, text: str) -> bytes:
        self.embedded.append(text)
        return super().embed(text)


def test_who_tells_little_touches_no_index_and_reading_seals_what_is_whole() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(sentences(ENOUGH - 1))
    assert place.segments() == []

    ada.recall("tea")

    assert [segment.number for segment in place.segments()] == [DocumentRange(0, BLOCK).number]


@pytest.mark.parametrize("at_once", [1, 7, 300])
def test_who_tells_much_takes_it_into_the_index_and_who_asks_finds_it_ready(at_once: int) -> None:
    # given much that was told, in few portions or in many
    place, embedder = Place(), CountingEmbedder()
    told = place.open(Tools(embedder=embedder)).agent("ada", user="tuff")
    for start in range(0, 300, at_once):
        told.remember_many(sentences(min(at_once, 300 - start), start))
    untaken = 300 - len(embedder.embedded)
    assert 0 <= untaken < ENOUGH
    assert place.segments()

    # when somebody asks, then no more than the rest is taken in
    told.recall("tea")
    assert len(embedder.embedded) == 300 + 1

    # and whoever opens the memory anew reads what was sealed
    fresh = CountingEmbedder()
    place.open(Tools(embedder=fresh)).agent("ada", user="tuff").recall("tea")
    assert len(fresh.embedded) <= BLOCK + 1


@pytest.mark.parametrize("many", [1, BLOCK - 1, BLOCK, BLOCK + 5, 5 * BLOCK + 9])
def test_what_a_process_took_in_is_kept_when_it_ends_and_no_other_takes_it_in_again(
    tmp_path: Path, many: int
) -> None:
    def asked(*new: str) -> tuple[list[tuple[str, int]], int]:
        embedder = CountingEmbedder()
        embedder.name = "counting-1"
        policy = Policy(recall=RecallPolicy(embedder=embedder.name))
        neighbours = Neighbours(embedders=(embedder,))
        with muniment.open(tmp_path / "memory", policy=policy, neighbours=neighbours) as opened:
            ada = opened.agent("ada", user="tuff")
            for text in new:
                ada.remember(text)
            hits = ada.recall("tea by the river").hits
        return [(hit.text, hit.score_ppm) for hit in hits], len(embedder.embedded)

    asked(*sentences(many))
    first, taken = asked()
    again, _ = asked()
    assert taken == 1  # the question
    assert first == again

    _, taken = asked("the river is high")
    assert taken == 2
    more, taken = asked(*sentences(2 * BLOCK, start=many))
    assert taken >= 2 * BLOCK
    assert asked() == (more, 1)
    with muniment.open(tmp_path / "memory") as opened:
        opened.rebuild()
    assert asked()[0] == more


def test_what_is_told_of_one_person_readies_no_other_index() -> None:
    place = Place()
    memory_of_both = place.open()
    memory_of_both.agent("ada", user="mira").remember("I like jam")
    memory_of_both.agent("ada", user="tuff").remember_many(sentences(2 * ENOUGH))

    assert place.segments("tuff")
    assert not place.segments("mira")


def test_a_store_that_takes_no_segment_takes_what_is_told() -> None:
    class Full(ScratchStore):
        def put_segment(
            self, stream: str, segment: Segment, replaced: tuple[int, ...] = ()
        ) -> None:
            raise StorageFullError("full")

    ada = memory(store=Full()).agent("ada", user="tuff")

    assert ada.remember_many(sentences(2 * ENOUGH)) == 2 * ENOUGH
    assert ada.recall("tea").hits


def test_an_index_that_is_loaded_answers_like_the_one_that_was_made() -> None:
    place = Place()
    first = place.open()
    for start in range(0, 120, 20):
        first.agent("ada", user="tuff").remember_many(sentences(20, start))
        first.agent("ada", user="tuff").recall("tea")
    made = receipts(first)

    assert place.segments()
    assert receipts(place.open()) == made


def test_segments_are_the_same_bytes_whoever_read_when() -> None:
    """One reads after every few sentences, the other once at the end; nobody logs it."""
    often, once = Place(), Place()
    for place, step in ((often, 15), (once, 345)):
        ada = place.open().agent("ada", user="tuff")
        texts = sentences(345)
        for start in range(0, 345, 15):
            ada.remember_many(texts[start : start + 15])
            if (start + 15) % step == 0:
                place.open().agent("ada", user="tuff").recall("tea")

    assert len(often.segments()) == 345 // BLOCK // FAN + 345 // BLOCK % FAN
    assert often.segments() == once.segments()


def test_dropped_segments_are_made_again_byte_for_byte() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(sentences(90))
    ada.forget(ada.recall("piano").hits[0].id)
    ada.remember_many(sentences(90, 90))
    before = receipts(place.open())
    known = place.segments()
    place.drop()
    assert place.segments() == []

    assert receipts(place.open()) == before
    assert place.segments() == known


@pytest.mark.parametrize("damage", [*SPOILT, "version", "gap"])
def test_a_damaged_segment_costs_time_and_nothing_else(
    damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(sentences(3 * BLOCK))
    before = receipts(place.open())
    first = place.segments()[0]
    stream = place.keyring.ref("stream", agent_stream("main", "ada").text)
    if damage in SPOILT:
        spoilt = msgspec.structs.replace(first, data=SPOILT[damage](bytes(first.data)))
        place.store.put_segment(stream, spoilt)
    elif damage == "gap":
        last = place.segments()[-1]
        place.store.put_segment(stream, last, (first.number,))
    else:
        monkeypatch.setattr(segments, "FORMAT", "index-of-tomorrow")
        before = [_of_version(each, "index-of-tomorrow") for each in before]

    assert receipts(place.open()) == before


def _of_version(receipt: object, version: str) -> object:
    assert isinstance(receipt, dict)
    receipt["receipt"]["basis"]["index"] = version
    return receipt


@pytest.mark.parametrize("error", [StorageFullError, StoreError])
def test_a_store_that_takes_no_segment_still_answers(
    error: type[MunimentError], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(sentences(3 * BLOCK))
    expected = [hit.id for hit in place.open().agent("ada", user="tuff").recall("tea").hits]
    place.drop()

    def refusing(*_: object) -> None:
        raise error

    monkeypatch.setattr(place.store, "put_segment", refusing)

    found = place.open().agent("ada", user="tuff").recall("tea").hits

    assert [hit.id for hit in found] == expected
    assert place.segments() == []


def test_segments_that_vanish_under_a_reader_are_made_again() -> None:
    place = Place()
    reader = place.open()
    ada = reader.agent("ada", user="tuff")
    ada.remember_many(sentences(FAN * BLOCK - 10))
    ada.recall("tea")
    place.drop()
    ada.remember_many(sentences(20, 5000))

    told = receipts(reader)

    assert told == receipts(place.open())
    assert [segment.number for segment in place.segments()] == [
        DocumentRange(0, FAN * BLOCK).number
    ]


def test_small_segments_are_joined_without_reading_them_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.recall("tea")
    asked: list[object] = []

    def listening(*place: str) -> list[Segment]:
        asked.append(place)
        return []

    monkeypatch.setattr(place.store, "segments", listening)
    for start in range(0, FAN * BLOCK, 16):
        ada.remember_many(sentences(16, start))
        ada.recall("tea")
    monkeypatch.undo()
    monkeypatch.setattr(segments, "BLOCK", BLOCK)

    assert asked == []
    assert [segment.number for segment in place.segments()] == [
        DocumentRange(0, FAN * BLOCK).number
    ]
    assert receipts(place.open()) == receipts(place.open())


def test_a_segment_that_ends_within_an_entry_says_so() -> None:
    """Whoever loads it takes the rest of that entry from the log, and no entry twice."""
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(sentences(BLOCK))  # one entry, and one segment
    ada.recall("tea")
    ada.remember_many(sentences(BLOCK + 3, BLOCK))
    told = receipts(place.open())
    kept = place.open().agent("ada", user="tuff")._session.index()

    with kept.pieces.since() as pieces:
        assert [piece.is_whole for piece in pieces] == [True, False]
    assert receipts(place.open()) == told


def test_a_read_at_an_entry_is_answered_as_it_was_then() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    told: dict[int, list[object]] = {}
    for start in range(0, 100, 20):
        ada.remember_many(sentences(20, start))
        at = ada.seq
        told[at] = receipts(place.open(), at=at)

    later = place.open()
    for at, before in told.items():
        assert receipts(later, at=at) == before


def test_what_is_forgotten_later_is_there_at_an_earlier_entry_also_from_segments() -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    kept = ada.remember("the heron stood in the reeds")
    ada.remember_many(sentences(2 * BLOCK))
    then = ada.seq
    ada.forget(kept.episodic_id)
    ada.remember_many(sentences(2 * BLOCK, 5000))
    ada.recall("heron")

    again = place.open().agent("ada", user="tuff")

    assert again.recall("heron").hits == ()
    assert [hit.id for hit in again.recall("heron", at=then).hits] == [kept.episodic_id]


def test_each_reader_has_an_index_and_statistics_of_its_own() -> None:
    """What is told to one person moves no score of another's, and no byte of their segments."""
    alone, shared = Place(), Place()
    for place in (alone, shared):
        place.open().agent("ada", user="tuff").remember_many(sentences(BLOCK))
    shared.open().agent("ada", user="mia").remember_many(["tea tea tea in Lisbon"] * 40)

    apart, together = receipts(alone.open()), receipts(shared.open())

    assert [_told(each) for each in apart] == [_told(each) for each in together]
    assert len(shared.segments()) == len(alone.segments()) == 1


def _told(receipt: object) -> object:
    assert isinstance(receipt, dict)
    return [(hit["id"], hit["score_ppm"], hit["terms"]) for hit in receipt["hits"]]


def test_cuts_follow_from_the_number_alone_and_leave_no_gap() -> None:
    for count in [0, 1, BLOCK - 1, BLOCK, 7 * BLOCK, FAN * BLOCK, 100_007, FAN**3 * BLOCK + 3]:
        spans = segments.cuts(count)
        ends = [0, *(span.stop for span in spans)]
        assert [span.start for span in spans] == ends[:-1]
        assert count - ends[-1] < BLOCK
        assert len({span.number for span in spans}) == len(spans)


def documents(count: int) -> list[Document]:
    rng = np.random.default_rng(7)
    return [
        Document(
            id=f"d{n}",
            seq=n + 1,
            ts="2026-03-05T10:00:00.000Z" if n % 3 else "",
            text=text,
            speaker=("", "Ann", "Ben")[n % 3],
            session=("", "one", "two", "three")[n // 5 % 4],
            vectors=tuple(
                row.tobytes() for row in rng.integers(-40, 40, (3 if n % 2 else 1, 8), np.int8)
            ),
        )
        for n, text in enumerate(sentences(count))
    ]


@pytest.mark.parametrize("cut", [[40, 80], [1, 2, 3, 99], [50]])
def test_pieces_that_are_joined_are_the_bytes_of_the_whole(cut: Sequence[int]) -> None:
    whole = documents(100)
    edges = [0, *cut, 100]
    parts = [Collection.build(whole[start:stop], 8) for start, stop in pairwise(edges)]

    joined = Collection.join(parts)

    assert joined.at_rest() == Collection.build(whole, 8).at_rest()
    more = documents(130)[100:]
    assert joined.extend(more).at_rest() == Collection.build(documents(130), 8).at_rest()


def test_a_long_log_is_taken_in_by_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, parts = Place(), Place()
    for place in (whole, parts):
        place.open().agent("ada", user="tuff").remember_many(sentences(120))
    told = receipts(whole.open())
    monkeypatch.setattr(indexes, "AT_ONCE", 30)

    assert receipts(parts.open()) == told
    assert parts.segments() == whole.segments()


@pytest.mark.parametrize("reader", ["tuff", ""])
def test_an_erasure_takes_the_segments_along(tmp_path: Path, reader: str) -> None:
    """What an index holds of a person goes with them, also where it is everybody's."""
    folder = tmp_path / "m"
    with muniment.open(folder) as of:
        ada = of.agent("ada", user="tuff")
        ada.remember_many(sentences(BLOCK))
        ada.remember("the heron of Sacavem stood in the reeds")
        ada.remember_many(sentences(BLOCK, 500))
        of.agent("ada", user="mia").remember("a quiet garden")
        assert of.agent("ada", user=reader).recall("heron").hits
        eraser = of.eraser()
        request = eraser.request("tuff", reason="asked for it")
        of.council().approve(request)
        eraser.carry_out(request)

        assert of.agent("ada", user=reader).recall("heron Sacavem tea piano").hits == ()
    with muniment.open(folder) as of:
        assert of.agent("ada").recall("heron Sacavem tea piano").hits == ()
        assert len(of.agent("ada").recall("quiet garden").hits) == 1
        assert of.agent("ada").recall("heron").considered == 1


class Interrupted(ScratchStore):
    """A store in which something else happens just before or after a segment is put there."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: dict[str, Callable[[], object]] = {}

    def put_segment(self, stream: str, segment: Segment, replaces: tuple[int, ...] = ()) -> None:
        self.meanwhile.pop("before", lambda: None)()
        super().put_segment(stream, segment, replaces)
        self.meanwhile.pop("after", lambda: None)()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_nobody_who_reads_meanwhile_brings_back_what_an_erasure_took(moment: str) -> None:
    """One process seals a segment while another erases somebody whose words are in it."""
    place = Place()
    place.store = store = Interrupted()
    place.open().agent("ada", user="tuff").remember_many(sentences(2 * BLOCK))
    place.open().agent("ada", user="mia").remember("a quiet garden")

    def erase() -> None:
        other = place.open()
        request = other.eraser().request("tuff", reason="asked for it")
        other.council().approve(request)
        other.eraser().carry_out(request)

    reading = place.open()
    store.meanwhile[moment] = erase
    reading.agent("ada").recall("tea")

    assert not store.meanwhile
    assert [each.number for each in place.segments("") if each.data] == []
    assert [hit.text for hit in reading.agent("ada").recall("tea in the garden").hits] == [
        "a quiet garden"
    ]


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


@pytest.mark.parametrize("told", [5, BLOCK + 5])
def test_who_opens_a_memory_that_is_mostly_asked_does_not_read_every_question_again(
    told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexes, "WORTH_A_NOTE", 40)
    place = Place()
    place.store = store = Watched()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(sentences(told))
    for n in range(60):
        ada.recall(f"tea {n}")
        ada._session.flush()
    ada.remember("the ferry leaves at nine")
    ada.recall("ferry")
    ada.forget(ada.recall("the ferry at nine").hits[0].id)
    answers, upto = receipts(place.open()), ada.seq

    ida = place.open().agent("ada", user="tuff")
    ida._session.snapshot()
    store.entries = 0
    view = ida._session.index().view(upto)

    assert store.entries < 60 < upto
    assert [*view.collection.ids] == [*ada._session.index().view(upto).collection.ids]
    assert view.register.notes.tolist() == ada._session.index().view(upto).register.notes.tolist()
    place.drop()
    assert receipts(place.open()) == answers


@pytest.mark.parametrize("damage", ["empty", "cut", "changed", "of another version"])
def test_a_note_that_is_spoilt_costs_time_and_nothing_else(damage: str) -> None:
    place = Place()
    ada = place.open().agent("ada", user="tuff")
    ada.remember_many(sentences(5))
    told = receipts(place.open())
    pieces = ada._session.index().pieces
    stream = place.keyring.ref("stream", agent_stream("main", "ada").text)
    hides_all = Looked(since=0, upto=ada.seq, telling=())
    pieces.note(hides_all)
    assert receipts(place.open()) != told, "a note is believed"

    (note,) = kept_segments(place.store, stream, pieces._notes)
    data = {"empty": b"", "cut": note.data[:-1], "changed": note.data[:-1] + b"!"}.get(damage)
    if data is None:
        pieces.note(msgspec.structs.replace(hides_all, format="index-of-tomorrow"))
    else:
        place.store.put_segment(stream, msgspec.structs.replace(note, data=data))

    assert receipts(place.open()) == told
