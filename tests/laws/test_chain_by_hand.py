"""The chain by hand: what a header says, what follows from what, and how a change is told."""

from collections.abc import Iterator, Sequence

import msgspec
import pytest

from muniment.log import chain, codec
from muniment.log.chain import FEW, SPAN, Draft, Sealed
from muniment.log.entry import Entry, Head, OpenedEntry, genesis, weight
from muniment.log.keyring import MemoryKeyring
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch, EventLog
from muniment.model.errors import BeingErasedError, IntegrityError, MunimentError, NewerError
from muniment.model.events import ItemForgotten, Shredded, Ticked

ORIGIN = "ab" * 16
GONE = ItemForgotten(item_id="ep:1", shelf="episodic", reason="I never said so")


def keyring() -> MemoryKeyring:
    return MemoryKeyring(seed=b"seed")


def draft(ring: MemoryKeyring, name: str = "ada", period: str = "") -> Draft:
    return Draft(
        event=GONE,
        id="an id",
        job=3,
        tick=5,
        ts="2026-03-01T10:00:00.000Z",
        policy="a policy",
        subject=ring.ref("subject", name),
        period=ring.ref("period", period) if period else "",
    )


def sealed(ring: MemoryKeyring, *drafts: Draft, after: Head | None = None) -> list[Sealed]:
    return chain.seal(
        drafts, origin=ORIGIN, after=after or genesis(ORIGIN), operation="op", keyring=ring
    )


def two() -> tuple[MemoryKeyring, list[Entry]]:
    ring = keyring()
    return ring, [entry for _, entry in sealed(ring, draft(ring), draft(ring, period="may"))]


def test_an_entry_is_the_same_bytes_wherever_it_is_written() -> None:
    _, entries = two()

    assert [entry.hash.hex() for entry in entries] == [
        "747197f5eceaace8c39a3925d73774cddb676797b7b7c79224532caeca47487f",
        "6e1b7922c12067070acc50d3001294b1417eceb8ca1664862abd5a87a107ab8e",
    ]


def test_a_header_says_everything_but_the_sealed_words() -> None:
    ring = keyring()
    after = Head(seq=7, hash=b"seven")

    (line, entry), (later, second) = sealed(ring, draft(ring), draft(ring), after=after)

    told = line.header
    assert (told.v, told.seq, told.id, told.type) == (1, 8, "an id", "memory_forget")
    assert (told.cause, told.job, told.tick) == (8, 3, 5)
    assert (told.ts, told.policy) == ("2026-03-01T10:00:00.000Z", "a policy")
    assert bytes(told.body) == b'{"shelf":"episodic"}'
    assert [(part.subject, part.period) for part in told.parts] == [
        (ring.ref("subject", "ada"), "")
    ]
    assert (later.header.seq, later.header.cause) == (9, 8)
    assert (entry.seq, entry.operation, second.operation) == (8, "op", "")
    assert (line.hash, line.event, line.seq) == (entry.hash, GONE, 8)
    assert chain.header_of(entry) == told
    assert b"never said" not in entry.header


def test_an_entry_opens_under_its_keys_and_without_one_it_is_shredded() -> None:
    ring, (first, second) = two()

    assert chain.open_entry(first, origin=ORIGIN, keyring=ring).event == GONE
    assert chain.open_entry(second, origin=ORIGIN, keyring=ring).event == GONE
    ring.destroy(ring.ref("period", "may"))
    assert chain.open_entry(first, origin=ORIGIN, keyring=ring).event == GONE
    shredded = chain.open_entry(second, origin=ORIGIN, keyring=ring)
    assert shredded.event == Shredded(wire="memory_forget", public={"shelf": "episodic"})
    assert shredded == chain.glimpse(second)
    assert (shredded.hash, shredded.seq) == (second.hash, 2)


def test_words_that_are_missing_while_their_key_lives_were_taken() -> None:
    ring, (first, _) = two()
    for parts in ((), (None,)):
        taken = msgspec.structs.replace(first, parts=parts)
        with pytest.raises(IntegrityError) as refused:
            chain.open_entry(taken, origin=ORIGIN, keyring=ring)
        assert refused.value.detail == ("the content of entry 1 is missing without an erasure")
    with pytest.raises(IntegrityError):
        chain.open_entry(first, origin="cd" * 16, keyring=ring)


def test_who_is_being_erased_has_nothing_written() -> None:
    ring = keyring()
    asked = draft(ring, period="may")
    ring.destroy(asked.period)

    with pytest.raises(BeingErasedError):
        sealed(ring, asked)


def test_what_is_only_tried_out_has_the_same_hashes_and_is_at_hand() -> None:
    ring, entries = two()
    tried = chain.seal(
        [draft(ring), draft(ring, period="may")],
        origin=ORIGIN,
        after=genesis(ORIGIN),
        operation="op",
        keyring=ring,
        encrypts=False,
    )

    assert [entry.hash for _, entry in tried] == [entry.hash for entry in entries]
    for line, entry in tried:
        assert isinstance(entry, OpenedEntry)
        assert chain.open_entry(entry, origin="", keyring=ring) is line
        assert chain.header_of(entry) is line.header
        assert [part.data for part in entry.parts if part] == [b""]


def test_every_head_is_recomputed_from_the_bytes() -> None:
    _, entries = two()

    heads = list(chain.verify(entries, after=genesis(ORIGIN)))

    assert heads == [Head(seq=entry.seq, hash=entry.hash) for entry in entries]
    assert list(chain.verify(entries[1:], after=heads[0])) == heads[1:]


def changed(entry: Entry, **fields: object) -> Entry:
    return msgspec.structs.replace(entry, **fields)


def test_a_change_of_the_chain_is_told_by_its_place() -> None:
    _, (first, second) = two()
    told = {
        "entry 1 is missing: the next one is 2": [second],
        "entry 2 is missing: the next one is 1": [first, first],
        "entry 1 was changed: its hash does not match": [changed(first, hash=b"x" * 32)],
        "entry 2 was changed: its hash does not match": [
            first,
            changed(second, header=second.header + b" "),
        ],
    }
    for says, entries in told.items():
        with pytest.raises(IntegrityError) as refused:
            list(chain.verify(entries, after=genesis(ORIGIN)))
        assert refused.value.detail == says


def test_an_entry_that_claims_another_place_is_told() -> None:
    ring = keyring()
    after = Head(seq=7, hash=genesis(ORIGIN).hash)
    (_, eighth), *_ = sealed(ring, draft(ring), after=after)
    moved = changed(eighth, seq=1)

    with pytest.raises(IntegrityError) as refused:
        list(chain.verify([moved], after=genesis(ORIGIN)))

    assert refused.value.detail == "entry 1 has another position in its header"


@pytest.mark.parametrize(
    ("header", "error", "says"),
    [
        (b"{}", NewerError, "a newer program has written entry 1: "),
        (b"{", IntegrityError, "entry 1 was changed: it cannot be read"),
        (b'"v":2', NewerError, "a newer program has written entry 1, in format 2"),
    ],
)
def test_a_header_that_is_not_ours_is_not_read(
    header: bytes, error: type[MunimentError], says: str
) -> None:
    _, (first, _) = two()
    if header.startswith(b'"v"'):
        header = first.header.replace(b'"v":1', header)

    with pytest.raises(error) as refused:
        chain.header_of(changed(first, header=header))

    assert refused.value.detail.startswith(says)


def test_the_entries_under_a_key_are_those_that_still_hold_a_part() -> None:
    ring, (first, second) = two()
    may = ring.ref("period", "may")

    assert chain.sealed_under([first, second], {may}) == [2]
    assert chain.sealed_under([first, second], {ring.ref("subject", "ada")}) == [1, 2]
    assert chain.sealed_under([changed(second, parts=(None,))], {may}) == []
    assert chain.sealed_under([first, second], {"nobody"}) == []


def kept(count: int) -> tuple[MemoryKeyring, ScratchStore, list[Entry]]:
    """A log in which every third entry is about Bea, and the last twenty about Ada."""
    ring, store = keyring(), ScratchStore()
    names = ["bea" if n % 3 == 2 and n < count - 20 else "ada" for n in range(count)]
    made = [entry for _, entry in sealed(ring, *[draft(ring, each) for each in names])]
    store.append(ORIGIN, Batch(entries=tuple(made)), expect=genesis(ORIGIN))
    return ring, store, made


@pytest.mark.parametrize("after", [-1, 0, 1, 5])
def test_entries_are_read_with_their_links_from_any_place(after: int) -> None:
    _, store, made = kept(8)

    assert list(chain.linked(store, ORIGIN, after=after, upto=7)) == made[max(after, 0) : 7]


class Torn(ScratchStore):
    """A log of which somebody changed one hash."""

    def __init__(self, torn: int) -> None:
        super().__init__()
        self._torn = torn

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        for entry in super().read(stream, after=after, upto=upto, limit=limit):
            yield changed(entry, hash=b"x") if entry.seq == self._torn else entry


@pytest.mark.parametrize(
    ("torn", "after", "broken"), [(1, -1, 1), (1, 0, 1), (3, 0, 3), (3, 1, 3), (3, 2, 4)]
)
def test_a_link_that_does_not_hold_is_told_on_the_way(torn: int, after: int, broken: int) -> None:
    _, _, made = kept(5)
    log = Torn(torn)
    log.append(ORIGIN, Batch(entries=tuple(made)), expect=genesis(ORIGIN))

    with pytest.raises(IntegrityError) as refused:
        list(chain.linked(log, ORIGIN, after=after, upto=None))

    assert refused.value.detail == f"entry {broken} was changed: its hash does not match"


@pytest.mark.parametrize("count", [6, FEW, FEW + 1, 60])
def test_what_is_about_somebody_is_read_in_order_however_it_lies(count: int) -> None:
    ring, store, made = kept(count)
    for name in ("ada", "bea"):
        ref = ring.ref("subject", name)
        mine = [entry for entry in made if entry.parts[0] and entry.parts[0].subject == ref]
        found = chain.about(store, ORIGIN, frozenset({ref}), after=0, upto=count)
        assert list(found) == mine
        late = chain.about(store, ORIGIN, frozenset({ref}), after=2, upto=count - 1)
        assert list(late) == [entry for entry in mine if 2 < entry.seq < count]
    assert list(chain.about(store, ORIGIN, None, after=1, upto=count)) == made[1:]


class Asked:
    """A log that says of whom it was asked, and how."""

    def __init__(self, mine: Sequence[int]) -> None:
        self.mine = mine
        self.asked: list[tuple[object, ...]] = []

    def about(self, stream: str, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
        self.asked.append(("about", stream, sorted(subjects), after, upto))
        return [seq for seq in self.mine if after < seq <= upto]

    def read(self, stream: str, *, after: int, upto: int) -> Iterator[Entry]:
        self.asked.append(("read", stream, after, upto))
        return iter(())

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        self.asked.append(("pick", stream, list(seqs)))
        return []


def test_a_long_log_is_asked_span_by_span_and_rows_are_read_at_once() -> None:
    row, few = list(range(100, 100 + FEW + 1)), list(range(500, 500 + FEW))
    log = Asked([3, 5, *row, *few, SPAN + 1])

    asked: EventLog = log  # type: ignore[assignment]
    assert list(chain.about(asked, ORIGIN, frozenset({"me"}), after=0, upto=SPAN + 10)) == []

    assert log.asked == [
        ("about", ORIGIN, ["me"], 0, SPAN),
        ("pick", ORIGIN, [3, 5]),
        ("read", ORIGIN, 99, row[-1]),
        ("pick", ORIGIN, few),
        ("about", ORIGIN, ["me"], SPAN, SPAN + 10),
        ("pick", ORIGIN, [SPAN + 1]),
    ]


@pytest.mark.parametrize(("after", "asks"), [(40, "read"), (39, "about")])
def test_a_few_entries_are_read_without_asking_whom_they_are_about(after: int, asks: str) -> None:
    log = Asked([])

    asked: EventLog = log  # type: ignore[assignment]
    assert list(chain.about(asked, ORIGIN, frozenset({"me"}), after=after, upto=40 + FEW)) == []

    assert log.asked[0][0] == asks


# ── What an entry says ──────────────────────────────────────────────────────────────────────────


def test_an_event_is_its_open_and_its_sealed_half() -> None:
    body, content = codec.split(GONE)

    assert body == b'{"shelf":"episodic"}'
    assert content == b'{"item_id":"ep:1","reason":"I never said so"}'
    assert codec.join("memory_forget", body, content) == GONE
    assert codec.join("memory_forget", body, None) == Shredded(
        wire="memory_forget", public={"shelf": "episodic"}
    )
    assert codec.wire_name(GONE) == "memory_forget"


def test_an_event_without_sealed_words_is_whole_by_itself() -> None:
    body, content = codec.split(Ticked(tick=3))

    assert (body, content) == (b'{"tick":3}', b"")
    assert codec.join("ticked", body, b"") == Ticked(tick=3)
    assert codec.sealed_fields(Ticked) == frozenset()
    assert codec.sealed_fields(ItemForgotten) == {"item_id", "reason"}


def test_an_entry_without_sealed_words_needs_no_key() -> None:
    ring = keyring()
    tick = msgspec.structs.replace(draft(ring), event=Ticked(tick=3), subject="nobody")

    ((line, entry),) = sealed(ring, tick)

    assert (line.header.parts, entry.parts) == ((), ())
    assert chain.open_entry(entry, origin=ORIGIN, keyring=ring) == line == chain.glimpse(entry)


@pytest.mark.parametrize(
    ("wire", "body", "content", "error", "says"),
    [
        (
            "unheard_of",
            b"{}",
            b"",
            NewerError,
            "a newer program has written this log: it holds 'unheard_of'",
        ),
        (
            "memory_forget",
            b'{"shelf":1}',
            b"",
            NewerError,
            "a newer program has written this log, in 'memory_forget': ",
        ),
        (
            "memory_forget",
            b'{"shelf":',
            b"",
            IntegrityError,
            "the event 'memory_forget' cannot be read",
        ),
        (
            "memory_forget",
            b"{",
            None,
            IntegrityError,
            "the event 'memory_forget' cannot be read",
        ),
    ],
)
def test_an_event_that_cannot_be_read_is_refused(
    wire: str, body: bytes, content: bytes | None, error: type[MunimentError], says: str
) -> None:
    with pytest.raises(error) as refused:
        codec.join(wire, body, content)

    assert refused.value.detail.startswith(says)


def test_an_entry_weighs_as_much_as_it_takes_to_hear_it() -> None:
    ring = keyring()
    (line, _), *_ = sealed(ring, draft(ring))
    size = len(bytes(line.header.body)) + line.header.parts[0].bucket

    def of(body: int) -> int:
        return weight(msgspec.structs.replace(line.header, body=msgspec.Raw(b"x" * body), parts=()))

    assert (weight(line.header), size < 4096) == (1, True)
    assert [of(each) for each in (0, 4095, 4096, 8192)] == [1, 1, 2, 3]
    heavy = msgspec.structs.replace(line.header.parts[0], bucket=8192)
    assert weight(msgspec.structs.replace(line.header, parts=(heavy, heavy))) == 5
