"""PostgreSQL writes: every function here is one call, all or nothing."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from muniment.adapters.storage.postgres.connection_pool import Links
from muniment.adapters.storage.postgres.row_changes import columns, ended
from muniment.adapters.storage.postgres.schema.stream_names import StreamHome
from muniment.log.entry import Entry, Head
from muniment.log.store import EPISODES, Batch, Birth, Death, Derived, Segment

PLACE: Final = "%s::bytea, %s::bytea, %s::bytea, %s::boolean"
BIRTHS: Final = "%s::text[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bytea[], %s::bytea[]"
DEATHS: Final = "%s::text[], %s::bigint[], %s::bytea[], %s::bytea[]"
APPEND: Final = f"""
SELECT append_entries({PLACE}, %s::bigint, %s::bytea, %s::bytea[], %s::bytea[], %s::bytea[],
  %s::bigint[], %s::integer[], %s::text[], %s::bytea[], {BIRTHS}, {DEATHS}, %s::bytea, %s::jsonb)
"""
SHELVE: Final = f"""
SELECT put_shelves({PLACE}, %s::bigint, {BIRTHS}, {DEATHS}, %s::bytea, %s::jsonb)
"""
RESET: Final = f"SELECT reset_projections({PLACE})"
PUT_SEGMENT: Final = f"""
SELECT put_segment({PLACE}, %s::text, %s::bigint, %s::bigint, %s::bytea, %s::bigint[])
"""
SHRED: Final = f"SELECT shred_subject({PLACE}, %s::text)"
EMPTY: Final = f"SELECT empty_parts({PLACE}, %s::bigint[])"


def append(links: Links, place: StreamHome, batch: Batch, *, expect: Head) -> None:
    entries = batch.entries
    operations = [its.operation.encode() if its.operation else None for its in entries]
    links.call(
        APPEND,
        (
            *place,
            expect.seq,
            expect.hash,
            [its.hash for its in entries],
            [its.header for its in entries],
            operations,
            *_parts(entries),
            *_changes(batch.changes),
            batch.checkpoint or None,
            _episodes(batch),
        ),
    )


def shelve(links: Links, place: StreamHome, derived: Derived, *, upto: int) -> None:
    """Put what was derived anew in the place of what was derived before."""
    rest = (derived.checkpoint or None, _episodes(derived))
    links.call_unhurried(SHELVE, (*place, upto, *_changes(derived.changes), *rest))


def reset(links: Links, place: StreamHome) -> None:
    links.call_unhurried(RESET, place)


def put_segment(links: Links, place: StreamHome, segment: Segment, replaces: Sequence[int]) -> None:
    which = (segment.kind, segment.number, segment.upto)
    links.call(PUT_SEGMENT, (*place, *which, segment.data, _numbers(replaces)))


def shred(links: Links, place: StreamHome, subject: str) -> int:
    ((count,),) = links.call_unhurried(SHRED, (*place, subject))
    return int(count)


def empty(links: Links, place: StreamHome, seqs: Sequence[int]) -> int:
    ((count,),) = links.call_unhurried(EMPTY, (*place, _numbers(seqs)))
    return int(count)


def _parts(entries: Sequence[Entry]) -> tuple[Any, ...]:
    parts = [(its.seq, n, part) for its in entries for n, part in enumerate(its.parts)]
    return (
        _numbers([seq for seq, _, _ in parts]),
        _numbers([n for _, n, _ in parts]),
        [part.subject if part else None for _, _, part in parts],
        [part.data if part else None for _, _, part in parts],
    )


def _changes(changes: Sequence[Birth | Death]) -> tuple[Any, ...]:
    (shelves, born, ns, died, *tokens), (end_shelves, seqs, *end_tokens) = columns(changes)
    births = (shelves, _numbers(born), _numbers(ns), _numbers(died), *tokens)
    return (*births, end_shelves, _numbers(seqs), *end_tokens)


def _episodes(derived: Derived) -> str | None:
    """All of them as one JSON array, which the server takes apart: most of it is JSON anyway."""
    if not derived.episodes:
        return None
    died = ended(derived.changes, EPISODES)
    rows = [
        msgspec.structs.asdict(its)
        | {name: msgspec.Raw(getattr(its, name)) for name in ("payload", "evidence", "provenance")}
        | {"died": died.get((its.seq, its.n))}
        for its in derived.episodes
    ]
    return msgspec.json.encode(rows).decode()


def _numbers(values: Sequence[int | None]) -> str:
    """An array of numbers as the server reads it: the driver would choose a type per batch."""
    return "{" + ",".join("NULL" if each is None else str(each) for each in values) + "}"
