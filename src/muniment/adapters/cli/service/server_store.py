"""`copy-store`, `roles`, `shards`, `move-stream`: stores on servers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
import msgspec

from muniment.adapters.cli.options import SERVER, Terminal, command, shown
from muniment.adapters.cli.output import TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.model.errors import InputError


@command("copy-store")
@click.argument("target", metavar="TARGET")
@click.option(
    "--target-keys", default="", metavar="FOLDER", help="Folder for the keys of the target."
)
def copy_store(terminal: Terminal, *, target: str, target_keys: str) -> None:
    """Copy the memory to TARGET, a folder or an address, and compare both.

    If it is interrupted, running it again continues where it stopped.
    """
    from muniment.adapters.config import Settings
    from muniment.adapters.operations import copy_store as operations_copy_store

    options = terminal.options
    source = (options.store, Settings(tenant=options.tenant, keys=options.keys))
    other = (target, Settings(tenant=options.tenant, keys=target_keys))
    with stages("Copying", "entries") as step:
        done = operations_copy_store.copy_store(source, other, progress=step)
    rows = tuple((each.stream, str(each.entries), each.head) for each in done.streams)
    head = ("stream", "entries", "head")
    shows = "shows its episodes to SQL in" if done.open_tables else "keeps no"
    terminal.answer(
        {"to": shown(target), "streams": done.streams, "open_tables": done.open_tables},
        lambda: [
            TextTable(head=head, rows=rows, styles=("name", "number", "quiet")),
            say(("Copied", "good"), f" {len(rows)} logs to {shown(target)}; both are equal."),
            say((f"The copy {shows} open tables.", "quiet")),
        ],
    )


@command("shards")
@click.argument("servers", nargs=-1, metavar="ADDRESS…")
@click.option("--login", default="", metavar="NAME", help="Login of the proxy on the servers.")
def shards(terminal: Terminal, *, servers: tuple[str, ...], login: str) -> None:
    """Distribute the store over the servers at each ADDRESS; without one, list its servers.

    The number of servers must be a power of two.
    """
    from muniment.adapters.storage.postgres.cluster import plproxy, plproxy_roles
    from muniment.adapters.storage.postgres.connection import SCHEMA

    address = _address(terminal)
    if servers:
        plproxy.build(address, list(servers), login=login)
    with _server(terminal) as link:
        _insist_on_proxy(terminal, is_one=plproxy.is_one(link))
        if servers:
            plproxy_roles.grant(link, SCHEMA)
        found = [shown(address) for address in plproxy.addresses(link)]
    rows = tuple((str(number), address) for number, address in enumerate(found))
    terminal.answer(
        {"shards": found},
        lambda: [TextTable(head=("shard", "address"), rows=rows, styles=("", ""))],
    )


@command("move-stream")
@click.argument("stream", metavar="STREAM")
@click.option(
    "--to", "target", type=int, required=True, metavar="NUMBER", help="Number of the shard."
)
def move_stream(terminal: Terminal, *, stream: str, target: int) -> None:
    """Move STREAM (its name as shown by `muniment prove`) to another server while it is in use.

    If it is interrupted, running it again continues where it stopped.
    """
    from muniment.adapters.storage.postgres.cluster import move_stream as cluster_move_stream
    from muniment.adapters.storage.postgres.cluster import plproxy
    from muniment.adapters.storage.postgres.schema import stream_names
    from muniment.model.scope import stream_from_text

    if stream.count("/") != 3:  # noqa: PLR2004 - tenant, kind, owner, persona
        raise InputError(f"{stream!r} is not the name of a stream")
    with (
        _server(terminal) as link,
        terminal.memory() as memory,
        stages("Moving", "entries") as step,
    ):
        _insist_on_proxy(terminal, is_one=plproxy.is_one(link))
        keyring = memory._hub.parts.world.keyring  # noqa: SLF001 - who knows whose a stream is
        ref = memory._hub.stream(stream_from_text(stream)).ref  # noqa: SLF001
        place = stream_names.place(stream_names.NamedHomes(keyring), ref)
        told = cluster_move_stream.move([link], place, target, progress=step)
    terminal.answer(
        msgspec.to_builtins(told),
        lambda: [
            say(
                ("Moved", "good"),
                f" {told.entries} entries from shard {told.source} to shard {told.target}.",
            )
        ],
    )


@command("roles")
@click.option("--prefix", default="muniment", metavar="NAME", help="Prefix of their names.")
def roles(terminal: Terminal, *, prefix: str) -> None:
    """Create least-privilege roles on the store's server, and check its catalogue.

    On a sharded store, run it on the proxy and on each shard.
    """
    from muniment.adapters.storage.postgres.cluster import plproxy, plproxy_roles
    from muniment.adapters.storage.postgres.connection import SCHEMA
    from muniment.adapters.storage.postgres.schema import roles as granted
    from muniment.adapters.storage.postgres.schema import schema_check

    _address(terminal)
    # The first opener makes the schema, which the roles are granted.
    with terminal.memory(), _server(terminal) as link:
        routes = plproxy.is_one(link)
        names = (plproxy_roles if routes else granted).install(link, SCHEMA, prefix)
        offences = (plproxy_roles if routes else schema_check).lint(link, prefix)
    rows = tuple((name,) for name in names)
    told = [TextTable(head=("role",), rows=rows, styles=("name",))]
    terminal.answer(
        {"roles": names, "offences": offences},
        lambda: [*told, *(say((offence, "bad")) for offence in offences)],
    )


def _address(terminal: Terminal) -> str:
    """The store's address, for commands that mean nothing without a server."""
    if SERVER not in terminal.options.store:
        raise InputError(f"{terminal.place!r} is a folder; name a server: --store postgresql://…")
    return terminal.options.store


def _insist_on_proxy(terminal: Terminal, *, is_one: bool) -> None:
    if not is_one:
        told = "is no proxy yet; `muniment shards ADDRESS ADDRESS` makes it one"
        raise InputError(f"{terminal.place!r} {told}")


@contextmanager
def _server(terminal: Terminal) -> Iterator[Any]:
    import psycopg

    from muniment.adapters.storage.postgres import errors
    from muniment.adapters.storage.postgres.connection import SCHEMA

    try:
        link = psycopg.connect(
            _address(terminal), autocommit=True, options=f"-c search_path={SCHEMA},pg_temp"
        )
    except psycopg.Error as error:
        raise errors.told(error) from error
    with link:
        yield link
