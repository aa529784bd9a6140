"""Streams to try stores with: entries, changes, histories, and a slow model of the shelves."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from threading import Thread

from hypothesis import strategies as st

from muniment.log.entry import Entry, Head, SealedPart, genesis
from muniment.log.store import Batch, Birth, Death, Derived, Find, Segment, ShelfRow, Store

Change = Birth | Death

STREAM = "0123456789abcdef" * 2
OTHER = "f" * 32
ALICE, BOB = "a" * 32, "b" * 32
START = genesis("anything")


def entry(seq: int, *, subject: str = ALICE, operation: str = "", parts: int = 1) -> Entry:
    header = f"header {seq} {subject} {operation}".encode()
    sealed = tuple(
        SealedPart(subject=subject, data=b"part %d of %d" % (n, seq)) for n in range(parts)
    )
    return Entry(
        seq=seq,
        hash=hashlib.sha256(header).digest(),
        header=header,
        parts=sealed,
        operation=operation,
    )


def batch(
    first: int,
    size: int = 1,
    *changes: Change,
    checkpoint: bytes = b"",
    subject: str = ALICE,
    operation: str = "",
    parts: int = 1,
) -> Batch:
    """So many entries; the first of them carries the operation."""
    entries = tuple(
        entry(seq, subject=subject, operation="" if seq > first else operation, parts=parts)
        for seq in range(first, first + size)
    )
    return Batch(entries=entries, changes=changes, checkpoint=checkpoint)


def grow(
    store: Store,
    size: int = 1,
    *changes: Change,
    stream: str = STREAM,
    checkpoint: bytes = b"",
    subject: str = ALICE,
    operation: str = "",
    parts: int = 1,
) -> Head:
    """Append so many entries where the stream now ends."""
    head = store.head(stream) or START
    store.append(
        stream,
        batch(
            head.seq + 1,
            size,
            *changes,
            checkpoint=checkpoint,
            subject=subject,
            operation=operation,
            parts=parts,
        ),
        expect=head,
    )
    grown = store.head(stream)
    assert grown is not None
    return grown


def birth(
    seq: int, n: int = 0, *, shelf: str = "facts", id_: bytes = b"i", key: bytes = b"k"
) -> Birth:
    return Birth(shelf=shelf, seq=seq, n=n, id_token=id_, key_token=key)


def death(seq: int, *, shelf: str = "facts", id_: bytes = b"", key: bytes = b"") -> Death:
    return Death(shelf=shelf, seq=seq, id_token=id_, key_token=key)


def places(rows: Iterator[ShelfRow]) -> list[tuple[int, int, int | None]]:
    return [(row.born, row.n, row.died) for row in rows]


def everything(store: Store, stream: str = STREAM) -> list[object]:
    """All that a store tells of a stream, for comparing before and after."""
    head = store.head(stream)
    upto = head.seq if head else 0
    return [
        head,
        list(store.read(stream)),
        [list(store.rows(stream, Find(shelf=shelf, at=upto))) for shelf in ("facts", "working")],
        store.checkpoint(stream),
        segments(store, stream, "words"),
    ]


def segments(store: Store, stream: str, kind: str) -> list[Segment]:
    """All of a kind, read whole."""
    with store.segments(stream, kind) as kept:
        return [
            Segment(
                kind=kind,
                number=each.number,
                upto=each.upto,
                data=bytes(each.read(0, memoryview(bytearray(each.size)))),
            )
            for each in kept
        ]


def naive(changes: Sequence[Change], find: Find) -> list[tuple[int, int, int | None]]:
    """Rows the slow and obvious way: a list, walked through for every question."""
    rows: list[tuple[Birth, list[int]]] = []
    for change in changes:
        if isinstance(change, Birth):
            rows.append((change, []))
            continue
        for born, died in rows:
            if born.shelf == change.shelf and fits(born, change) and not died:
                died.append(change.seq)
    living = [
        (born.seq, born.n, died[0] if died else None)
        for born, died in rows
        if born.shelf == find.shelf and fits(born, find)
        if born.seq <= find.at and (find.every or not died or died[0] > find.at)
    ]
    found = sorted(living, key=lambda place: place[:2], reverse=True)
    return found if find.limit < 0 else found[: find.limit]


def fits(born: Birth, wanted: Death | Find) -> bool:
    return (not wanted.id_token or born.id_token == wanted.id_token) and (
        not wanted.key_token or born.key_token == wanted.key_token
    )


TOKENS = st.sampled_from([b"p", b"q", b"r"])
SHELVES = st.sampled_from(["facts", "working"])


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[int, list[Change]]]:
    """Batches of a few entries, each with births and deaths at its own seqs."""
    head = 0
    told: list[tuple[int, list[Change]]] = []
    for size in draw(st.lists(st.integers(1, 3), min_size=1, max_size=6)):
        changes: list[Change] = []
        for n in range(draw(st.integers(0, 4))):
            seq = draw(st.integers(head + 1, head + size))
            shelf = draw(SHELVES)
            if draw(st.booleans()):
                changes.append(birth(seq, n, shelf=shelf, id_=draw(TOKENS), key=draw(TOKENS)))
            else:
                id_, key = draw(
                    st.tuples(TOKENS, st.just(b""))
                    | st.tuples(st.just(b""), TOKENS)
                    | st.tuples(TOKENS, TOKENS)
                )
                changes.append(death(seq, shelf=shelf, id_=id_, key=key))
        told.append((size, changes))
        head += size
    return told


def run_all(acts: Sequence[Callable[[], None]]) -> None:
    """Each act in a thread of its own; the first failure is ours."""
    failures: list[BaseException] = []

    def run(act: Callable[[], None]) -> None:
        try:
            act()
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def every_question(head: int, limit: int) -> list[Find]:
    tokens = [(b"", b""), (b"p", b""), (b"", b"q"), (b"p", b"q")]
    return [
        Find(shelf=shelf, at=at, every=every, id_token=id_, key_token=key, limit=limit)
        for shelf in ("facts", "working", "none")
        for at in range(head + 2)
        for every in (False, True)
        for id_, key in tokens
    ]


def every_act(store: Store, stream: str) -> list[Callable[[], object]]:
    return [
        lambda: store.append(stream, batch(1), expect=START),
        lambda: store.read(stream),
        lambda: store.pick(stream, [1]),
        lambda: store.about(stream, frozenset({ALICE}), after=0, upto=1),
        lambda: store.head(stream),
        lambda: store.find(stream, "key"),
        lambda: store.shred(stream, ALICE),
        lambda: store.empty(stream, [1]),
        lambda: store.write_lock(stream),
        lambda: store.rows(stream, Find(shelf="facts", at=1)),
        lambda: store.checkpoint(stream),
        lambda: store.reset(stream),
        lambda: store.shelve(stream, Derived(), upto=0),
        lambda: store.put_segment(stream, Segment(kind="words", number=1, upto=1, data=b"")),
        lambda: segments(store, stream, "words"),
    ]
