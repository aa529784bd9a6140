"""Many servers behind one address: the same store, the same promises, and streams that move."""

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import psycopg
import pytest
from tests.conformance.store_contract import SharedStoreContract
from tests.conformance.streams import (
    ALICE,
    OTHER,
    START,
    STREAM,
    batch,
    birth,
    death,
    everything,
    grow,
)
from tests.postgres import fresh_schema, private_server
from tests.terminal import Shell

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.postgres import connection_pool
from muniment.adapters.storage.postgres.cluster import move_stream, plproxy, plproxy_roles
from muniment.adapters.storage.postgres.connection import Link
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.schema import roles, stream_names
from muniment.adapters.storage.postgres.schema.stream_names import Home, OneHome
from muniment.adapters.storage.postgres.store import PostgresStore
from muniment.log.store import Find, Segment
from muniment.model.errors import (
    HeadMovedError,
    InputError,
    IntegrityError,
    NotFoundError,
    StoreError,
)

SERVERS = 4

_tenants = itertools.count(1000)


def new_home() -> Home:
    """A tenant that nobody has been yet: behind the walls it finds every table empty."""
    return Home(tenant=next(_tenants).to_bytes(16, "big"), agent=b"agent", hidden=False)


@pytest.fixture(scope="module")
def servers() -> Iterator[list[PostgresServer]]:
    """Four, and the first of them is the proxy as well; without PL/Proxy this says so."""
    first, *rest = (private_server() for _ in range(SERVERS))
    started = [next(first)]
    with psycopg.connect(started[0].dsn) as link:
        available = plproxy.is_available(link)
    if not available:
        next(first, None)
        pytest.skip("PL/Proxy IS NOT TESTED: install postgresql-15-plproxy")
    started += [next(each) for each in rest]
    yield started
    for each in (first, *rest):
        next(each, None)


@pytest.fixture(scope="module")
def address(servers: list[PostgresServer]) -> str:
    """The database that only routes."""
    with psycopg.connect(servers[0].dsn, autocommit=True) as link:
        link.execute("CREATE DATABASE routes")
    return servers[0].dsn.replace("/postgres?", "/routes?")


Build = Callable[[int], tuple[str, str]]


@pytest.fixture(scope="module")
def build(servers: list[PostgresServer], address: str) -> Build:
    """A proxy over so many servers; its address and its schema."""

    def made(count: int) -> tuple[str, str]:
        schema = fresh_schema()
        plproxy.build(address, [each.dsn for each in servers[:count]], schema=schema)
        return address, schema

    return made


@pytest.fixture(scope="module")
def two(build: Build) -> tuple[str, str]:
    return build(2)


@pytest.fixture(scope="module")
def four(build: Build) -> tuple[str, str]:
    return build(4)


def agents(count: int) -> list[tuple[Home, str]]:
    return [
        (Home(tenant=bytes([n % 3]) * 16, agent=b"agent %d" % n, hidden=n % 2 == 1), f"{n:032x}")
        for n in range(1, count + 1)
    ]


class TestStoreBehindAProxyOfTwo(SharedStoreContract):
    """All of it but the thousands of questions that ask how rows stood: those take a minute."""

    test_rows_stand_at_every_past_seq_as_in_a_naive_model = None  # type: ignore[assignment]

    @pytest.fixture
    def store(self, two: tuple[str, str]) -> Iterator[PostgresStore]:
        address, schema = two
        store = PostgresStore(address, schema=schema, names=OneHome(new_home()))
        yield store
        store.close()


def test_four_servers_share_the_agents_and_each_stream_is_on_one_of_them(
    servers: list[PostgresServer], four: tuple[str, str]
) -> None:
    address, schema = four
    for home, stream in agents(40):
        store = PostgresStore(address, schema=schema, names=OneHome(home))
        grow(store, 2, birth(1), stream=stream, operation="key")
        assert store.find(stream, "key") == 1
        store.close()
    counts = []
    for server in servers:
        with psycopg.connect(server.dsn, options=f"-c search_path={schema}") as link:
            counts.append({stream for (stream,) in link.execute("SELECT stream FROM head")})
    assert sum(len(each) for each in counts) == 40
    assert len(set.union(*counts)) == 40
    assert min(len(each) for each in counts) > 2


def test_a_whole_memory_lives_behind_a_proxy_and_proves(build: Build, tmp_path: Path) -> None:
    address, schema = build(4)
    settings = Settings(
        keys=str(tmp_path), schema=schema, seed=b"far", clock=False, open_tables=True
    )
    with open_memory(address, settings) as memory:
        for name in ("ada", "bob", "cleo", "dan"):
            memory.agent(name, user="tuff").remember(f"{name} likes tea with lemon")
            memory.subconscious(name).dream()
        found = memory.agent("cleo", user="tuff").recall("who likes tea?")
        assert "cleo" in str(found)
        proofs = memory.prove()
        assert len(proofs) == len(memory.streams()) >= 4
    with open_memory(address, settings) as again:
        assert [proof.head for proof in again.prove()][: len(proofs)]


@pytest.mark.parametrize("count", [0, 3])
def test_the_number_of_servers_is_a_power_of_two(servers: list[PostgresServer], count: int) -> None:
    with pytest.raises(InputError):
        plproxy.build(servers[0].dsn, [servers[0].dsn] * count, schema=fresh_schema())


def test_a_server_that_is_down_is_an_unknown_outcome_and_others_go_on(
    servers: list[PostgresServer], two: tuple[str, str]
) -> None:
    address, schema = two
    stores = {
        stream: PostgresStore(address, schema=schema, names=OneHome(home))
        for home, stream in agents(6)
    }
    for stream, store in stores.items():
        grow(store, 1, stream=stream)
    servers[1].crash()
    try:
        told = {}
        for stream, store in stores.items():
            try:
                head = store.head(stream)
                assert head is not None
                store.append(stream, batch(2), expect=head)
                told[stream] = "done"
            except StoreError as error:
                told[stream] = type(error).__name__
    finally:
        servers[1].start()
    assert set(told.values()) == {"done", "StoreError"}
    for stream, store in stores.items():
        assert grow(store, 1, stream=stream).seq == (3 if told[stream] == "done" else 2)
        store.close()


def test_the_terminal_builds_a_proxy_moves_a_stream_and_proves(
    servers: list[PostgresServer], address: str, tmp_path: Path
) -> None:
    shell = Shell("--store", address, "--keys", str(tmp_path))
    told = shell.document("shards", *(server.dsn for server in servers[:2]))
    assert told["shards"] == [server.dsn for server in servers[:2]]
    assert shell("remember", "tea with lemon").exit_code == 0
    (stream,) = (str(each["stream"]) for each in shell.listed("streams", "prove"))
    moved = [shell("move-stream", stream, "--to", str(number)).exit_code for number in (0, 1)]
    assert moved in ([0, 0], [4, 0])  # to where it is already, it does not move
    assert shell.document("prove")["proved"] is True
    assert shell.document("shards")["shards"] == told["shards"]
    granted = shell.document("roles", "--prefix", "terminal")
    assert "terminal_writer" in granted["roles"]  # type: ignore[operator]
    assert all("exempt from row security" in its for its in granted["offences"])  # type: ignore[attr-defined]


# ── Who may what ────────────────────────────────────────────────────────────────────────────────


class Guarded(NamedTuple):
    """A proxy whose callers and whose own login are ordinary roles."""

    address: str  # as an operator
    front: str  # as a login that is a writer on the proxy, and nothing on the servers
    schema: str
    prefix: str

    def link(self, dsn: str) -> Link:
        options = f"-c search_path={self.schema},pg_temp"
        return psycopg.connect(dsn, autocommit=True, options=options)

    def store(self, home: Home) -> PostgresStore:
        return PostgresStore(self.front, schema=self.schema, names=OneHome(home))


@pytest.fixture(scope="module")
def guarded(servers: list[PostgresServer], address: str) -> Guarded:
    schema, prefix = fresh_schema(), "guarded"
    for server in servers[:2]:
        PostgresStore(server.dsn, schema=schema).close()
        with psycopg.connect(server.dsn, autocommit=True) as link:
            roles.install(link, schema, prefix)
            link.execute("CREATE ROLE behind LOGIN IN ROLE guarded_writer, guarded_eraser")
    plproxy.build(address, [each.dsn for each in servers[:2]], schema=schema, login="behind")
    with psycopg.connect(address, autocommit=True) as link:
        plproxy_roles.install(link, schema, prefix)
        link.execute("CREATE ROLE front LOGIN IN ROLE guarded_writer")
        link.execute("CREATE ROLE looker LOGIN IN ROLE guarded_reader")
    front = address.replace("user=muniment", "user=front")
    return Guarded(address, front, schema, prefix)


def test_an_ordinary_caller_of_a_proxy_writes_and_reads_its_own_tenant_alone(
    guarded: Guarded,
) -> None:
    ours, theirs = new_home(), new_home()
    mine, other = guarded.store(ours), guarded.store(theirs)
    grow(mine, 3, birth(1), stream=STREAM, operation="key")
    grow(other, 2, stream=OTHER)
    assert [its.seq for its in mine.pick(STREAM, [3, 1])] == [1, 3]
    assert len(list(mine.rows(STREAM, Find(shelf="facts", at=3)))) == 1
    # Whoever knows the name of a foreign stream and not its tenant's finds nothing there.
    assert mine.streams() == [STREAM]
    assert mine.head(OTHER) is None
    assert list(mine.read(OTHER)) == []
    assert mine.pick(OTHER, [1]) == []
    mine.close()
    other.close()


@pytest.mark.parametrize(
    "reach",
    [
        "SELECT * FROM moved",
        "SELECT * FROM shard",
        "SELECT shred_subject('', '', '', false, '')",
        "SELECT * FROM read_raw('', '', '', false, 'entry')",
        "INSERT INTO moved VALUES ('', '', 0)",
        "CREATE FUNCTION pg_temp.ask() RETURNS SETOF text LANGUAGE plproxy AS"
        " $$ CLUSTER 'x'; RUN ON ALL; SELECT 'all' $$",
        "ALTER FUNCTION shard_of(bytea, bytea, bytea) OWNER TO front",
    ],
)
def test_what_a_caller_of_a_proxy_may_not_reach(guarded: Guarded, reach: str) -> None:
    with guarded.link(guarded.front) as link, pytest.raises(psycopg.errors.InsufficientPrivilege):
        link.execute(reach.encode())


def test_a_reader_of_a_proxy_does_not_write(guarded: Guarded) -> None:
    looker = guarded.address.replace("user=muniment", "user=looker")
    store = PostgresStore(looker, schema=guarded.schema, names=OneHome(new_home()))
    assert store.head(STREAM) is None
    with pytest.raises(StoreError):
        grow(store, 1, stream=STREAM)
    store.close()


OFFENCES = {
    "function read_head: is open to everybody": "GRANT EXECUTE ON FUNCTION read_head TO PUBLIC",
    "is open to everybody": "GRANT USAGE ON FOREIGN SERVER {cluster} TO PUBLIC",
    "must run as its owner": "ALTER FUNCTION shard_of SECURITY INVOKER",
    "with a fixed search path": "ALTER FUNCTION shard_of SET search_path TO public",
    "read_head: is no twin": "ALTER FUNCTION read_head SECURITY DEFINER",
    "extra: is no twin": "CREATE FUNCTION extra() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "guarded_reader: may EXECUTE append_entries": "GRANT EXECUTE ON FUNCTION append_entries"
    " TO guarded_reader",
    "guarded_writer: may SELECT moved": "GRANT SELECT ON moved TO guarded_writer",
    "guarded_writer: lacks EXECUTE shard_of": "REVOKE EXECUTE ON FUNCTION shard_of"
    " FROM guarded_writer",
    "shows a password": "ALTER SERVER {cluster} OPTIONS (SET p0 'host=x password=y')",
    "is exempt from row security": "ALTER USER MAPPING FOR PUBLIC SERVER {cluster}"
    " OPTIONS (SET user 'muniment')",
}


@pytest.mark.parametrize("offence", OFFENCES)
def test_the_lint_of_a_proxy_sees_what_is_wrong(guarded: Guarded, offence: str) -> None:
    with guarded.link(guarded.address) as link:
        assert plproxy_roles.lint(link, guarded.prefix) == []
        with link.transaction(force_rollback=True):
            order = OFFENCES[offence].format(cluster=plproxy.cluster(guarded.schema))
            link.execute(order.encode())
            told = plproxy_roles.lint(link, guarded.prefix)
            assert any(offence in each for each in told), told


def test_a_password_of_a_server_is_nobodys_to_read(
    servers: list[PostgresServer], address: str
) -> None:
    schema = fresh_schema()
    secret = f"{servers[0].dsn}&password=hunter2"
    for told in (secret, servers[0].dsn):  # renewed without it, the proxy still knows it
        plproxy.build(address, [told], schema=schema)
    with psycopg.connect(address) as link:
        named = (plproxy.cluster(schema),)
        shown = link.execute("SELECT srvoptions FROM pg_foreign_server WHERE srvname = %s", named)
        assert "hunter2" not in str(shown.fetchone())
        kept = link.execute("SELECT umoptions FROM pg_user_mappings WHERE srvname = %s", named)
        assert "hunter2" in str(kept.fetchone())  # shown to a superuser, and to no one else


def test_a_renewed_proxy_is_who_it_was_and_its_roles_get_theirs_again(
    servers: list[PostgresServer], guarded: Guarded
) -> None:
    plproxy.build(guarded.address, [each.dsn for each in servers[:2]], schema=guarded.schema)
    with guarded.link(guarded.address) as link:
        assert plproxy.login_of(link, guarded.schema) == "behind"
        assert any("lacks" in each for each in plproxy_roles.lint(link, guarded.prefix))
        plproxy_roles.grant(link, guarded.schema, guarded.prefix)
        assert plproxy_roles.lint(link, guarded.prefix) == []
    store = guarded.store(new_home())
    assert grow(store, 1, stream=STREAM).seq == 1
    store.close()


# ── Moving ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def moved_from(two: tuple[str, str]) -> Iterator["Street"]:
    street = Street(*two)
    yield street
    street.close()


class Street:
    """Two servers behind a proxy, and the proxy's own hands."""

    def __init__(self, address: str, schema: str) -> None:
        self.address = address
        self.schema = schema
        self.home = new_home()
        self.place = stream_names.place(OneHome(self.home), STREAM)
        options = f"-c search_path={schema},pg_temp"
        self.link: Link = psycopg.connect(address, autocommit=True, options=options)

        self._stores: list[PostgresStore] = []

    def store(self) -> PostgresStore:
        self._stores.append(
            PostgresStore(self.address, schema=self.schema, names=OneHome(self.home))
        )
        return self._stores[-1]

    def close(self) -> None:
        for store in self._stores:
            store.close()
        self.link.close()

    def shard(self, number: int) -> Link:
        options = f"-c search_path={self.schema},pg_temp"
        return psycopg.connect(plproxy.addresses(self.link)[number], options=options)

    def where(self) -> int:
        found = self.link.execute("SELECT shard_of(%s, %s, %s)", self.place[:3]).fetchone()
        assert found is not None
        return int(found[0])

    def move(self, target: int, **extra: object) -> move_stream.StreamMove:
        return move_stream.move([self.link], self.place, target, schema=self.schema, **extra)  # type: ignore[arg-type]


def test_a_moved_stream_is_the_same_stream_elsewhere(moved_from: Street) -> None:
    store = moved_from.store()
    grow(store, 5, birth(1), birth(2, id_=b"j"), operation="key", parts=2, checkpoint=b"desk")
    grow(store, 1, death(6, id_=b"i"))
    store.put_segment(STREAM, Segment(kind="words", number=1, upto=2, data=b"data"))
    store.shred(STREAM, "b" * 32)
    before, source = everything(store), moved_from.where()
    told = moved_from.move(1 - source)
    assert (told.entries, moved_from.where()) == (6, 1 - source)
    assert everything(store) == before
    assert (store.find(STREAM, "key"), store.streams()) == (1, [STREAM])
    assert grow(store).seq == 7
    with moved_from.shard(source) as link:
        for table in ("entry", "fragment", "shelf_row", "segment"):
            left = link.execute(f"TABLE {table}".encode()).fetchall()
            assert all(row[0] != moved_from.home.tenant for row in left), table
    assert moved_from.move(source).entries == 7  # and back again
    assert grow(store).seq == 8


def test_what_was_emptied_while_the_log_was_copied_is_empty_there(moved_from: Street) -> None:
    store = moved_from.store()
    grow(store, 300, subject=ALICE)
    shredded: list[int] = []

    def shred(what: str, done: int, of: int) -> None:
        del of
        if what == "log" and done and not shredded:
            shredded.append(store.shred(STREAM, ALICE))

    moved_from.move(1 - moved_from.where(), progress=shred)
    assert shredded == [300]
    assert all(its.parts == (None,) for its in store.read(STREAM))


class Interrupted(Exception):  # noqa: N818 - it is no error
    pass


@pytest.mark.parametrize("at", ["log", "checkpoint", "moved"])
def test_a_move_that_is_interrupted_is_asked_for_again(moved_from: Street, at: str) -> None:
    store = moved_from.store()
    grow(store, 400, birth(1), checkpoint=b"desk")
    source = moved_from.where()

    def stop(what: str, done: int, of: int) -> None:
        del of
        if what == at and done:
            raise Interrupted

    with pytest.raises(Interrupted):
        moved_from.move(1 - source, progress=stop)
    assert grow(store, 3).seq == 403
    with pytest.raises(StoreError, match="being moved"):
        moved_from.move(source)
    moved_from.move(1 - source)
    assert moved_from.where() == 1 - source
    assert [its.seq for its in store.read(STREAM)] == list(range(1, 404))
    assert grow(store).seq == 404


def test_a_copy_that_is_not_equal_moves_nothing(moved_from: Street) -> None:
    store = moved_from.store()
    grow(store, 3, birth(1))
    source = moved_from.where()
    with moved_from.shard(1 - source) as link:  # somebody has been here before
        link.execute(
            "INSERT INTO entry VALUES (%s, %s, false, 1, 'x', 'y')", moved_from.place[:3:2]
        )
    with pytest.raises(IntegrityError, match="not equal"):
        moved_from.move(1 - source)
    assert moved_from.where() == source
    assert grow(store).seq == 4


def test_a_stream_moves_to_another_server_and_nowhere_else(moved_from: Street) -> None:
    with pytest.raises(NotFoundError, match="no such stream"):
        moved_from.move(1 - moved_from.where())
    grow(moved_from.store(), 1)
    with pytest.raises(StoreError, match="already"):
        moved_from.move(moved_from.where())
    with pytest.raises(NotFoundError):
        moved_from.move(7)


class Writing:
    """One thread for each stream, writing key after key until it is told to stop."""

    def __init__(self, street: Street, *streams: str) -> None:
        self.written = dict.fromkeys(streams, 0)
        self.failures: list[BaseException] = []
        self._street = street
        self._stop = Event()
        self._threads = [Thread(target=self._write, args=(stream,)) for stream in streams]

    def __enter__(self) -> "Writing":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *told: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for_more(self) -> None:
        seen, deadline = dict(self.written), time.monotonic() + 30
        while any(self.written[each] <= seen[each] for each in seen) and not self.failures:
            assert time.monotonic() < deadline, "nothing was written any more"
            time.sleep(0.005)

    def _write(self, stream: str) -> None:
        store = self._street.store()
        try:
            while not self._stop.is_set():
                head = store.head(stream) or START
                told = batch(head.seq + 1, operation=f"key-{head.seq + 1}")
                store.append(stream, told, expect=head)
                self.written[stream] += 1
        except BaseException as error:
            self.failures.append(error)


def test_writers_go_on_while_a_stream_moves_there_and_back(moved_from: Street) -> None:
    """Of two streams one moves; nothing acknowledged is lost or doubled in either."""
    with Writing(moved_from, STREAM, OTHER) as writing:
        for _ in range(4):
            writing.wait_for_more()
            moved_from.move(1 - moved_from.where())
        writing.wait_for_more()
    assert writing.failures == []
    store = moved_from.store()
    for stream, count in writing.written.items():
        keys = [its.operation for its in store.read(stream)]
        assert keys == [f"key-{n}" for n in range(1, count + 1)]


def test_a_proxy_that_was_not_told_begins_no_second_history(
    moved_from: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(moved_from.store(), 2)
    source = moved_from.where()
    moved_from.move(1 - source)
    address = plproxy.addresses(moved_from.link)[source]
    names = OneHome(moved_from.home)
    late = PostgresStore(address, schema=moved_from.schema, names=names)
    monkeypatch.setattr(connection_pool, "PAUSES_MAX", 1)
    with pytest.raises(StoreError, match="moved to another server"):
        late.head(STREAM)
    with pytest.raises(StoreError, match="moving"):
        late.append(STREAM, batch(1), expect=START)
    late.close()


def test_more_servers_are_added_without_moving_anything_at_once(
    servers: list[PostgresServer], build: Build
) -> None:
    address, schema = build(1)
    names = {stream: OneHome(home) for home, stream in agents(8)}
    for stream, home in names.items():
        store = PostgresStore(address, schema=schema, names=home)
        grow(store, 1, stream=stream)
        store.close()
    options = f"-c search_path={schema},pg_temp"
    with psycopg.connect(address, autocommit=True, options=options) as link:
        assert plproxy.pin(link) == 8
        assert plproxy.pin(link) == 0
    plproxy.build(address, [each.dsn for each in servers[:2]], schema=schema)
    for stream, home in names.items():
        store = PostgresStore(address, schema=schema, names=home)
        assert grow(store, 1, stream=stream).seq == 2
        with pytest.raises(HeadMovedError):
            store.append(stream, batch(1), expect=START)
        store.close()
    with psycopg.connect(address, autocommit=True, options=options) as link:
        stream, home = next(iter(names.items()))
        place = stream_names.place(home, stream)
        move_stream.move([link], place, 1, schema=schema)
    store = PostgresStore(address, schema=schema, names=names[stream])
    assert grow(store, 1, stream=stream).seq == 3
    store.close()
