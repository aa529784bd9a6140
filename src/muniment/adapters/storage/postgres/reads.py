"""PostgreSQL reads: entries in order, heads, keys, rows as of an entry."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from muniment.adapters.storage import plain_table_rows
from muniment.adapters.storage.postgres.connection_pool import Links
from muniment.adapters.storage.postgres.schema.stream_names import StreamHome
from muniment.log.entry import Entry, Head, SealedPart
from muniment.log.store import Find, OpenEpisode, Segment, ShelfRow
from muniment.model.errors import IntegrityError

CHUNK: Final = 256  # entries or rows fetched at once; between chunks no connection is held
NUMBER_MAX: Final = 2**63 - 1
SEQ_MAX: Final = 2**52

At = tuple[int, int]  # (born, n)

ASK: Final = "SELECT * FROM {}(%s::bytea, %s::bytea, %s::bytea, %s::boolean{})"
HEAD: Final = ASK.format("read_head", "")
FIND: Final = ASK.format("find_operation", ", %s::bytea")
STREAMS: Final = "SELECT stream FROM list_streams(%s::bytea[]) ORDER BY stream"
CHECKPOINT: Final = ASK.format("read_checkpoint", "")
SEGMENTS: Final = ASK.format("read_segments", ", %s::text")
ENTRIES: Final = ASK.format("read_entries", ", %s::bigint, %s::bigint")
PICKED: Final = ASK.format("pick_entries", ", %s::bigint[]")
ABOUT: Final = ASK.format("find_about", ", %s::text[], %s::bigint, %s::bigint")
ROWS: Final = ASK.format(
    "read_rows",
    ", %s::text, %s::bigint, %s::boolean, %s::bytea, %s::bytea, %s::bigint, %s::bigint, %s::bigint",
)
BIRTHS: Final = ASK.format(
    "find_births",
    ", %s::text[], %s::bigint[], %s::boolean[], %s::bytea[], %s::bytea[], %s::bigint[]",
)
EPISODES: Final = ASK.format("read_episodes", "")


def head(links: Links, place: StreamHome) -> Head | None:
    found = links.ask(HEAD, place)
    return Head(seq=found[0][0], hash=found[0][1]) if found else None


def find(links: Links, place: StreamHome, operation: str) -> int | None:
    found = links.ask(FIND, (*place, operation.encode()))
    return found[0][0] if found else None


def streams(links: Links, tenants: list[bytes]) -> list[str]:
    return [stream.hex() for (stream,) in links.ask(STREAMS, (tenants,))] if tenants else []


def checkpoint(links: Links, place: StreamHome) -> tuple[int, bytes] | None:
    found = links.ask(CHECKPOINT, place)
    return (found[0][0], found[0][1]) if found else None


def segments(links: Links, place: StreamHome, kind: str) -> list[Segment]:
    return [
        Segment(kind=kind, number=number, upto=upto, data=data)
        for number, upto, data in links.ask(SEGMENTS, (*place, kind))
    ]


def entries(links: Links, place: StreamHome, *, after: int, upto: int) -> list[Entry]:
    """The entries after one seq and up to another; a missing one is simply not there."""
    lines = links.ask(ENTRIES, (*place, after, upto))
    return [_entry(list(group)) for _, group in groupby(lines, key=itemgetter(0))]


def picked(links: Links, place: StreamHome, seqs: Sequence[int]) -> list[Entry]:
    """The entries at these places, wherever in the log: one question for all of them."""
    if not seqs:
        return []
    lines = links.ask(PICKED, (*place, list(seqs)))
    return [_entry(list(group)) for _, group in groupby(lines, key=itemgetter(0))]


def about(
    links: Links, place: StreamHome, subjects: frozenset[str], *, after: int, upto: int
) -> list[int]:
    """Where the entries are that hold no part of anybody else; what is others' is not looked at."""
    asked = (*place, sorted(subjects), max(after, 0), min(upto, SEQ_MAX))
    return [seq for (seq,) in links.ask(ABOUT, asked)]


def rows(links: Links, place: StreamHome, find: Find, *, before: At, limit: int) -> list[ShelfRow]:
    """The newest rows that stand before a place, as they stood at `find.at`."""
    which = (find.shelf, min(find.at, SEQ_MAX), find.every, find.id_token, find.key_token)
    lines = links.ask(ROWS, (*place, *which, *before, limit))
    return [_row(find.shelf, list(group)) for _, group in groupby(lines, key=itemgetter(0, 1))]


def births(links: Links, place: StreamHome, finds: Sequence[Find]) -> list[list[int]]:
    """Where the rows of each search begin: one question for all of them."""
    found: list[list[int]] = [[] for _ in finds]
    asked = [
        (
            find.shelf,
            min(find.at, SEQ_MAX),
            find.every,
            find.id_token,
            find.key_token,
            find.limit if find.limit >= 0 else NUMBER_MAX,
        )
        for find in finds
    ]
    columns = [list(column) for column in zip(*asked, strict=True)]
    for search, born in links.ask(BIRTHS, (*place, *columns)) if asked else ():
        found[search - 1].append(born)
    return found


def episodes(links: Links, place: StreamHome) -> list[OpenEpisode]:
    """The open episodes that live; their JSON is equal in value, spelled by the server."""
    return [plain_table_rows.episode(row, row[-1]) for row in links.ask(EPISODES, place)]


def start(find: Find) -> At:
    """The place before which the rows of this search begin."""
    return min(find.at, SEQ_MAX) + 1, -NUMBER_MAX


def _row(shelf: str, lines: Sequence[tuple[Any, ...]]) -> ShelfRow:
    n, born, died = lines[0][:3]
    entry = _entry([line[3:] for line in lines])
    return ShelfRow(shelf=shelf, n=n, born=born, died=died, entry=entry)


def _entry(lines: Sequence[tuple[Any, ...]]) -> Entry:
    seq, digest, header, operation, n, _, _ = lines[0]
    return Entry(
        seq=seq,
        hash=digest,
        header=header,
        parts=() if n is None else _parts(lines),
        operation=_text(operation) if operation else "",
    )


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise IntegrityError(f"the key of an entry is damaged ({error})") from error


def _parts(lines: Sequence[tuple[Any, ...]]) -> tuple[SealedPart | None, ...]:
    return tuple(
        None if data is None else SealedPart(subject=subject, data=data)
        for *_, subject, data in lines
    )
