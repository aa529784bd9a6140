"""Stream move between servers while it is used: copy, fence, compare, flip.

The log is copied while it is written to. Then the stream is fenced: who writes to it waits. What
is left is copied, both sides are compared byte by byte, the proxies learn the new place, and the
fence falls. What was there is cleared away; a mark stays, so that nobody who comes late begins a
second history. Each step can be repeated: a move that was interrupted is simply asked for again.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import psycopg

from muniment.adapters.storage.postgres import connection, errors
from muniment.adapters.storage.postgres.cluster import plproxy
from muniment.adapters.storage.postgres.connection import Reach
from muniment.adapters.storage.postgres.schema.stream_names import StreamHome
from muniment.adapters.storage.postgres.schema.tables import FENCED, GONE, LIVE
from muniment.model.errors import IntegrityError, NotFoundError, StoreError

Link = psycopg.Connection[tuple[Any, ...]]
Progress = Callable[[str, int, int], None]  # what is done, how much of it, of how much

PIECE: Final = 2_000  # entries of one durable piece: what an interruption can cost
NEAR: Final = 200  # so close to the head the stream is fenced, and the rest follows
LOG: Final = {
    "entry": "tenant, stream, hidden, seq, hash, header, operation, partless",
    "fragment": "tenant, stream, hidden, seq, n, subject, data",
}
DERIVED: Final = {
    "shelf_row": "tenant, stream, hidden, shelf, born, n, died, id_token, key_token",
    "checkpoint": "tenant, stream, hidden, seq, data",
    "segment": "tenant, stream, hidden, kind, number, upto, data",
    "episode": "tenant, stream, hidden, episodic_id, seq, n, died, subject, job_seed,"
    " created_seeded_ts, summary, payload, evidence, provenance, tokens",
}
COLUMNS: Final = {**LOG, **DERIVED}
ORDER: Final = {
    "entry": "seq",
    "fragment": "seq, n",
    "shelf_row": "shelf, born, n",
    "checkpoint": "seq",
    "segment": "kind, number",
    "episode": "seq, n",
}
HEAD: Final = """
SELECT seq, hash, agent, state FROM head WHERE tenant = %(tenant)s AND stream = %(stream)s
"""
LAST: Final = """
SELECT coalesce(max(seq), 0) FROM entry WHERE tenant = %(tenant)s AND stream = %(stream)s
"""
STATE: Final = """
UPDATE head SET state = %(state)s
WHERE tenant = %(tenant)s AND stream = %(stream)s AND state <> %(state)s
"""
ARRIVE: Final = """
INSERT INTO head (tenant, stream, hidden, agent, seq, hash, state)
VALUES (%(tenant)s, %(stream)s, %(hidden)s, %(agent)s, %(seq)s, %(hash)s, 1)
ON CONFLICT (tenant, stream) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, state = 1
  WHERE head.state > 0 AND (head.seq, head.state) IS DISTINCT FROM (excluded.seq, 1)
"""
ALL: Final = """
COPY (SELECT {columns} FROM {table} WHERE tenant = %(tenant)s AND stream = %(stream)s
  ORDER BY {order}) TO STDOUT (FORMAT binary)
"""
PART: Final = """
COPY (SELECT {columns} FROM {table} WHERE tenant = %(tenant)s AND stream = %(stream)s
  AND seq > %(after)s AND seq <= %(upto)s) TO STDOUT (FORMAT binary)
"""
STAGE: Final = "CREATE TEMP TABLE stage (LIKE {table}) ON COMMIT DROP"
INTO: Final = "COPY stage ({columns}) FROM STDIN (FORMAT binary)"
FILL: Final = """
INSERT INTO {table} ({columns}) SELECT {columns} FROM stage ON CONFLICT DO NOTHING
"""
DELETE: Final = "DELETE FROM {table} WHERE tenant = %(tenant)s AND stream = %(stream)s"
HOLES: Final = """
SELECT seq, n FROM fragment
WHERE tenant = %(tenant)s AND stream = %(stream)s AND data IS NULL
"""
EMPTY: Final = """
UPDATE fragment SET data = NULL WHERE tenant = %(tenant)s AND stream = %(stream)s
  AND seq = %(seq)s AND n = %(n)s AND data IS NOT NULL
"""
BEGIN: Final = "INSERT INTO move VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
PLANNED: Final = "SELECT source, target FROM move WHERE tenant = %s AND stream = %s"
FLIP: Final = """
INSERT INTO moved VALUES (%s, %s, %s)
ON CONFLICT (tenant, stream) DO UPDATE SET shard = excluded.shard
"""
DONE: Final = "DELETE FROM move WHERE tenant = %s AND stream = %s"
WHERE: Final = "SELECT shard_of(%s, %s, %s)"


class StreamMove(msgspec.Struct, frozen=True, kw_only=True):
    """What a move did: from where to where, how much, and the head that both sides had."""

    source: int
    target: int
    entries: int
    head: str
    digest: str


class _Side:
    """One server, and the stream on it."""

    def __init__(self, link: Link, place: StreamHome) -> None:
        self.link = link
        self.values = {
            "tenant": place.tenant,
            "stream": place.stream,
            "hidden": place.hidden,
        }
        self._place = place

    @contextmanager
    def named(self) -> Iterator[Link]:
        """A transaction that sees the stream, and may touch what only a move may touch."""
        with self.link.transaction():
            connection.name(self.link, self._place)
            yield self.link

    def head(self) -> tuple[int, bytes, bytes, int] | None:
        with self.named() as link:
            found = link.execute(HEAD, self.values).fetchone()
        return (found[0], found[1], found[2], found[3]) if found else None

    def set_state(self, state: int) -> None:
        with self.named() as link:
            link.execute(STATE, {**self.values, "state": state})

    def last(self) -> int:
        with self.named() as link:
            (found,) = link.execute(LAST, self.values).fetchone() or (0,)
        return int(found)


def move(
    proxies: Sequence[Link],
    place: StreamHome,
    target: int,
    *,
    schema: str = connection.SCHEMA,
    progress: Progress = lambda *_: None,
) -> StreamMove:
    """Move one stream to the shard of this number; every proxy that routes to it must be given."""
    first = proxies[0]
    try:
        source, is_begun = _planned(first, place, target)
        where = plproxy.addresses(first)
        if not 0 <= target < len(where):
            raise NotFoundError(f"there is no shard {target}: there are {len(where)}")
        with _side(where[source], schema, place) as here, _side(where[target], schema, place) as to:
            if here.head() is None:
                raise NotFoundError("that server holds no such stream")
            if not is_begun:  # only now: a plan that nobody can carry out would bar every other
                first.execute(BEGIN, (place.tenant, place.stream, source, target))
            told = _move(here, to, proxies, (source, target), progress)
        first.execute(DONE, (place.tenant, place.stream))
    except psycopg.Error as error:
        raise errors.told(error) from error
    return told


def _move(
    here: _Side,
    there: _Side,
    proxies: Sequence[Link],
    numbers: tuple[int, int],
    progress: Progress,
) -> StreamMove:
    head = here.head()
    assert head is not None, "whoever calls has looked"
    digest = ""
    if head[3] != GONE:
        _follow(here, there, progress, near=NEAR)
        here.set_state(FENCED)
        try:
            head, digest = _settle(here, there, progress)
        except BaseException:
            here.set_state(LIVE)  # nothing was flipped: the stream goes on where it is
            raise
        for each in proxies:
            values = here.values
            each.execute(FLIP, (values["tenant"], values["stream"], numbers[1]))
        here.set_state(GONE)  # first, so that at no moment two servers take a write
    there.set_state(LIVE)
    _clear(here)
    progress("moved", head[0], head[0])
    return StreamMove(
        source=numbers[0],
        target=numbers[1],
        entries=head[0],
        head=head[1].hex(),
        digest=digest,
    )


def _settle(
    here: _Side, there: _Side, progress: Progress
) -> tuple[tuple[int, bytes, bytes, int], str]:
    """Behind the fence: the rest of the log, what was emptied, all that is derived; compare."""
    _follow(here, there, progress, near=0)
    head = here.head()
    assert head is not None, "a fenced head does not go away"
    _same_holes(here, there)
    for table in DERIVED:
        progress(table, head[0], head[0])
        with there.named() as link:
            link.execute(_sql(DELETE, table), there.values)
            _pipe(here, there, table, {})
    digests = [_digest(side) for side in (here, there)]
    if digests[0] != digests[1]:
        raise IntegrityError("the copy of the stream is not equal to the stream: nothing was moved")
    with there.named() as link:
        seq, digest, agent, _ = head
        link.execute(ARRIVE, {**there.values, "seq": seq, "hash": digest, "agent": agent})
    return head, digests[0]


def _follow(here: _Side, there: _Side, progress: Progress, *, near: int) -> None:
    """Copy entries until the copy is this near to the head."""
    copied = there.last()
    while True:
        head = here.head()
        upto = head[0] if head else 0
        progress("log", copied, upto)
        if upto - copied <= near:
            return
        last = min(upto, copied + PIECE)
        with there.named():
            for table in LOG:
                _pipe(here, there, table, {"after": copied, "upto": last})
        copied = last


def _pipe(here: _Side, there: _Side, table: str, part: dict[str, int]) -> None:
    """Rows as the servers write them; row security takes only INSERT, so they pass a stage."""
    there.link.execute(_sql(STAGE, table))
    with (
        here.named() as link,
        link.cursor().copy(_sql(PART if part else ALL, table), {**here.values, **part}) as rows,
        there.link.cursor().copy(_sql(INTO, table)) as stage,
    ):
        for row in rows:
            stage.write(row)
    there.link.execute(_sql(FILL, table))
    there.link.execute("DROP TABLE stage")


def _same_holes(here: _Side, there: _Side) -> None:
    """What was shredded here while the log was copied is emptied there too."""
    with here.named() as link:
        holes = link.execute(HOLES, here.values).fetchall()
    with there.named() as link:
        link.execute("SELECT set_config('muniment.shredding', 'on', true)")
        for seq, n in holes:
            link.execute(EMPTY, {**there.values, "seq": seq, "n": n})


def _digest(side: _Side) -> str:
    """One hash over every row of the stream, in the order of its keys."""
    told = hashlib.sha256()
    with side.named() as link:
        for table in COLUMNS:
            with link.cursor().copy(_sql(ALL, table), side.values) as rows:
                for row in rows:
                    told.update(row)
    return told.hexdigest()


def _clear(side: _Side) -> None:
    with side.named() as link:
        link.execute("SELECT set_config('muniment.clearing', 'on', true)")
        for table in (*DERIVED, *LOG):
            link.execute(_sql(DELETE, table), side.values)


def _planned(link: Link, place: StreamHome, target: int) -> tuple[int, bool]:
    """Where the stream is now, and whether its move was begun: it goes on as it was planned."""
    (now,) = link.execute(WHERE, place[:3]).fetchone() or (0,)
    found = link.execute(PLANNED, (place.tenant, place.stream)).fetchone()
    if found is None:
        if now == target:
            raise StoreError(f"the stream is on shard {target} already")
        return int(now), False
    if found[1] != target:
        raise StoreError(f"this stream is being moved to shard {found[1]}: finish that move first")
    return int(found[0]), True


@contextmanager
def _side(address: str, schema: str, place: StreamHome) -> Iterator[_Side]:
    link = connection.connect(Reach(dsn=address, schema=schema))
    try:
        yield _Side(link, place)
    finally:
        link.close()


def _sql(text: str, table: str) -> bytes:
    return text.format(table=table, columns=COLUMNS[table], order=ORDER[table]).encode()
