"""What is asked of the server: entries in order, heads, keys, rows as they stood."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from muniment.adapters.postgres.links import Links
from muniment.log.entry import Entry, Head, SealedPart
from muniment.log.store import Find, OpenEpisode, Row, Segment

CHUNK: Final = 256  # entries or rows fetched at once; between chunks no connection is held
NUMBER_MAX: Final = 2**63 - 1
SEQ_MAX: Final = 2**52

Place = tuple[int, int]  # (born, n)

HEAD: Final = "SELECT seq, hash FROM head WHERE stream = %s"
FIND: Final = "SELECT seq FROM entry WHERE stream = %s AND digest = sha256(%s)"
STREAMS: Final = "SELECT list_streams()"
CHECKPOINT: Final = "SELECT seq, data FROM checkpoint WHERE stream = %s"
SEGMENTS: Final = """
SELECT number, upto, data FROM segment WHERE stream = %s AND kind = %s::text ORDER BY number
"""
ENTRIES: Final = """
SELECT e.seq, e.hash, e.header, e.operation, f.n, f.subject, f.data
FROM entry AS e LEFT JOIN fragment AS f ON f.stream = e.stream AND f.seq = e.seq
WHERE e.stream = %s AND e.seq > %s::bigint AND e.seq <= %s::bigint ORDER BY e.seq, f.n
"""
WHICH: Final = """stream = %(stream)s AND shelf = %(shelf)s::text
  AND (born, n) < (%(born)s::bigint, %(n)s::bigint)"""
FOUND: Final = """
  SELECT born, n, died FROM shelf_row WHERE {which}
  ORDER BY born DESC, n DESC LIMIT %(limit)s::bigint
"""
THEN: Final = WHICH + " AND (died IS NULL OR died > %(at)s::bigint)"
# Nobody has died after the head, so what lived at the head lives now: a smaller index knows it.
# Both branches are planned, and the one that does not apply is never run.
PLACE: Final = """
SELECT coalesce((SELECT seq FROM head WHERE stream = %(stream)s), 0) <= %(at)s::bigint AS at_head
"""
AT_HEAD: Final = "(SELECT at_head FROM place)"
LIVING: Final = " UNION ALL ".join(
    f"({FOUND.format(which=which)})"
    for which in (f"{AT_HEAD} AND died IS NULL AND {WHICH}", f"NOT {AT_HEAD} AND {THEN}")
)
ROWS: Final = """
WITH place AS ({place}), found AS MATERIALIZED ({found})
SELECT r.n, r.born, r.died, e.seq, e.hash, e.header, e.operation, f.n, f.subject, f.data
FROM found AS r
JOIN entry AS e ON e.stream = %(stream)s AND e.seq = r.born
LEFT JOIN fragment AS f ON f.stream = %(stream)s AND f.seq = r.born
ORDER BY r.born DESC, r.n DESC, f.n
"""
BY: Final = {
    (False, False): "",
    (True, False): " AND id_token = %(id_token)s",
    (False, True): " AND key_token = %(key_token)s",
    (True, True): " AND id_token = %(id_token)s AND key_token = %(key_token)s",
}
FORMS: Final = {
    (every, *by): ROWS.format(
        place=PLACE, found=FOUND.format(which=(WHICH if every else THEN) + tokens)
    )
    for every in (False, True)
    for by, tokens in BY.items()
} | {(False, False, False): ROWS.format(place=PLACE, found=LIVING)}
EPISODES: Final = """
SELECT seq, n, subject, episodic_id, job_seed, created_seeded_ts, summary,
  payload::text, evidence::text, provenance::text, tokens
FROM episode WHERE stream = %s AND died IS NULL ORDER BY seq, n
"""


def head(links: Links, stream: bytes) -> Head | None:
    found = links.ask_in(stream, HEAD, (stream,))
    return Head(seq=found[0][0], hash=found[0][1]) if found else None


def find(links: Links, stream: bytes, operation: str) -> int | None:
    found = links.ask_in(stream, FIND, (stream, operation.encode()))
    return found[0][0] if found else None


def streams(links: Links) -> list[str]:
    return [stream.hex() for (stream,) in links.ask(STREAMS, ())]


def checkpoint(links: Links, stream: bytes) -> tuple[int, bytes] | None:
    found = links.ask_in(stream, CHECKPOINT, (stream,))
    return (found[0][0], found[0][1]) if found else None


def segments(links: Links, stream: bytes, kind: str) -> list[Segment]:
    return [
        Segment(kind=kind, number=number, upto=upto, data=data)
        for number, upto, data in links.ask_in(stream, SEGMENTS, (stream, kind))
    ]


def entries(links: Links, stream: bytes, *, after: int, upto: int) -> list[Entry]:
    """The entries after one seq and up to another; a missing one is simply not there."""
    lines = links.ask_in(stream, ENTRIES, (stream, after, upto))
    return [_entry(list(group)) for _, group in groupby(lines, key=itemgetter(0))]


def rows(links: Links, stream: bytes, find: Find, *, before: Place, limit: int) -> list[Row]:
    """The newest rows that stand before a place, as they stood at `find.at`."""
    form = FORMS[find.every, bool(find.id_token), bool(find.key_token)]
    born, n = before
    values = {
        "stream": stream,
        "shelf": find.shelf,
        "at": min(find.at, SEQ_MAX),
        "born": born,
        "n": n,
        "limit": limit,
        "id_token": find.id_token,
        "key_token": find.key_token,
    }
    lines = links.ask_in(stream, form, values)
    return [_row(find.shelf, list(group)) for _, group in groupby(lines, key=itemgetter(0, 1))]


def episodes(links: Links, stream: bytes) -> list[OpenEpisode]:
    """The open episodes that live; their JSON is equal in value, spelled by the server."""
    return [
        OpenEpisode(
            seq=seq,
            n=n,
            subject=subject,
            episodic_id=episodic_id,
            job_seed=job_seed,
            created_seeded_ts=created,
            summary=summary,
            payload=payload.encode(),
            evidence=evidence.encode(),
            provenance=provenance.encode(),
            tokens=tuple(tokens),
        )
        for (
            seq,
            n,
            subject,
            episodic_id,
            job_seed,
            created,
            summary,
            payload,
            evidence,
            provenance,
            tokens,
        ) in links.ask_in(stream, EPISODES, (stream,))
    ]


def start(find: Find) -> Place:
    """The place before which the rows of this search begin."""
    return min(find.at, SEQ_MAX) + 1, -NUMBER_MAX


def _row(shelf: str, lines: Sequence[tuple[Any, ...]]) -> Row:
    n, born, died = lines[0][:3]
    entry = _entry([line[3:] for line in lines])
    return Row(shelf=shelf, n=n, born=born, died=died, entry=entry)


def _entry(lines: Sequence[tuple[Any, ...]]) -> Entry:
    seq, digest, header, operation, n, _, _ = lines[0]
    return Entry(
        seq=seq,
        hash=digest,
        header=header,
        parts=() if n is None else _parts(lines),
        operation=operation.decode() if operation else "",
    )


def _parts(lines: Sequence[tuple[Any, ...]]) -> tuple[SealedPart | None, ...]:
    return tuple(
        None if data is None else SealedPart(subject=subject, data=data)
        for *_, subject, data in lines
    )
