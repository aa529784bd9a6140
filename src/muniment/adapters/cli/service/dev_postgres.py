"""`dev-postgres`: a private PostgreSQL server for trials."""

import signal
import threading
from pathlib import Path

import click

from muniment.adapters.cli.options import Terminal, command


@command("dev-postgres")
@click.option("--folder", default="", metavar="FOLDER", help="Keep the data in this folder.")
def dev_postgres(terminal: Terminal, *, folder: str) -> None:
    """Start a private PostgreSQL server and print its address; Ctrl-C stops it.

    It listens on no network: only who can read its folder can connect.
    """
    del terminal
    from muniment.adapters.storage.postgres.dev_server import PostgresServer

    ended = threading.Event()
    for order in (signal.SIGINT, signal.SIGTERM):
        signal.signal(order, lambda *_: ended.set())
    with PostgresServer(Path(folder) if folder else None) as server:
        click.echo(server.dsn)
        click.echo("Ready. Ctrl-C ends it.", err=True)
        while server.is_running and not ended.wait(1):
            pass
