"""What walls cost, and what a proxy costs: the same appends and reads, one way and the other."""

import re
import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import psycopg

from bench.figures import Timing, goal, table
from muniment.adapters.storage.postgres.cluster import plproxy
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.schema.stream_names import Home, OneHome
from muniment.adapters.storage.postgres.store import PostgresStore
from muniment.log.entry import Entry, Head, SealedPart, genesis
from muniment.log.store import Batch, Birth, Find
from muniment.model.errors import StoreError

CALLS = 300
WRITERS = 8
EACH = 60
ORDINARY = "ordinary"


def run(folder: Path) -> None:
    del folder
    servers = [PostgresServer() for _ in range(4)]
    try:
        for server in servers:
            server.start()
        _walls(servers[0])
        _proxies(servers)
    except StoreError as error:
        print(f"\nservers: not measured, {error.detail}")
    finally:
        for server in servers:
            server.crash()
            server.remove()


def _walls(server: PostgresServer) -> None:
    """Interleaved, so that both meet the same noise; a superuser is exempt from row security."""
    with psycopg.connect(server.dsn, autocommit=True) as link:
        link.execute(f"CREATE ROLE {ORDINARY} LOGIN".encode())
        link.execute(f"GRANT CREATE ON DATABASE {link.info.dbname} TO {ORDINARY}".encode())
    walled = re.sub(r"user=\w+", f"user={ORDINARY}", server.dsn)
    stores = {
        "behind the walls": PostgresStore(walled, schema="walled"),
        "exempt from them": PostgresStore(server.dsn, schema="exempt"),
    }
    acts: dict[str, Callable[[PostgresStore], object]] = {
        "append": _append,
        "head": lambda store: store.head(_name(0)),
        "8 rows": lambda store: list(store.rows(_name(0), Find(shelf="a", at=10**6, limit=8))),
    }
    told: dict[tuple[str, str], Timing] = {}
    for act, do in acts.items():
        for _ in range(CALLS):
            for who, store in stores.items():
                told.setdefault((act, who), Timing(who)).run(lambda do=do, store=store: do(store))  # type: ignore[misc]
    rows = [[act, *(f"{told[act, who].wall_ms(50):.2f}" for who in stores)] for act in acts]
    table("Row security, median ms a call", ["", *stores], rows)
    sums = [sum(told[act, who].wall_ms(50) for act in acts) for who in stores]
    goal(
        f"the walls cost {(sums[0] / sums[1] - 1) * 100:.0f} % (goal: at most 15 %)",
        met=sums[0] / sums[1] <= 1.15,
    )
    for store in stores.values():
        store.close()


def _append(store: PostgresStore, stream: str = "", batch: int = 1) -> Head:
    place = stream or _name(0)
    head = store.head(place) or genesis(place)
    entries = tuple(_entry(head.seq + n) for n in range(1, batch + 1))
    births = tuple(
        Birth(shelf="a", n=0, seq=its.seq, id_token=b"%d" % its.seq, key_token=b"k")
        for its in entries
    )
    store.append(place, Batch(entries=entries, changes=births), expect=head)
    return Head(seq=entries[-1].seq, hash=entries[-1].hash)


def _entry(seq: int) -> Entry:
    part = SealedPart(subject="a" * 32, data=b"x" * 300)
    return Entry(
        seq=seq, hash=b"%032d" % seq, header=b"h" * 400, parts=(part,), operation=f"key-{seq}"
    )


def _name(number: int) -> str:
    return f"{number:032x}"


def _proxies(servers: list[PostgresServer]) -> None:
    with psycopg.connect(servers[0].dsn, autocommit=True) as link:
        if not plproxy.is_available(link):
            print("\nPL/Proxy: not measured, it is not installed")
            return
        link.execute("CREATE DATABASE routes")
    address = servers[0].dsn.replace("/postgres?", "/routes?")
    rows = [["direct, one server", *_rates(servers[0].dsn, "direct")]]
    for count in (1, 2, 4):
        schema = f"over_{count}"
        plproxy.build(address, [each.dsn for each in servers[:count]], schema=schema)
        rows.append([f"PL/Proxy over {count}", *_rates(address, schema)])
    table(
        f"{WRITERS} writers, appends of entries with a part, a key and a row, per second",
        ["", "one at a time", "20 at a time", "head, ms"],
        rows,
    )


def _rates(dsn: str, schema: str) -> list[str]:
    stores = [PostgresStore(dsn, schema=schema, names=OneHome(_home(n))) for n in range(WRITERS)]
    told = []
    for batch in (1, 20):
        threads = [
            Thread(target=_write, args=(store, _name(100 * batch + n), batch))
            for n, store in enumerate(stores)
        ]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        told.append(f"{WRITERS * EACH * batch / (time.perf_counter() - began):,.0f}")
    asking = Timing("head")
    for _ in range(100):
        asking.run(lambda: stores[0].head(_name(100)))
    for store in stores:
        store.close()
    return [*told, f"{asking.wall_ms(50):.2f}"]


def _home(number: int) -> Home:
    return Home(tenant=bytes([number + 1]) * 16, agent=b"agent %d" % number, hidden=False)


def _write(store: PostgresStore, stream: str, batch: int) -> None:
    for _ in range(EACH):
        _append(store, stream, batch)
